"""What is written is read again as the same, and damaged files end in a typed error."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import mention_of
from corefmeter.corpus.text import Text
from corefmeter.formats import format_named
from corefmeter.formats.source import Source
from corefmeter.problems import CODES, DataError

from ..strategies import documents
from ..traditions.formats import test_gap, test_sgml, test_tbf
from . import test_brat, test_conllua, test_litbank_tsv, test_semeval, test_webanno


@st.composite
def mentions(draw, tokens: int):
    """Mentions with gaps and empty nodes."""
    run = st.tuples(st.integers(0, tokens - 1), st.integers(1, 3)).map(
        lambda pair: (pair[0], min(pair[0] + pair[1], tokens))
    )
    node = st.tuples(st.integers(0, tokens), st.integers(1, 2)).map(
        lambda pair: (pair[0], pair[0], pair[1])
    )
    return mention_of(draw(st.lists(run | node, min_size=1, max_size=4)))


@st.composite
def rich_documents(draw):
    """Documents of such mentions."""
    tokens = draw(st.integers(1, 8))
    entities = draw(
        st.lists(st.lists(mentions(tokens), min_size=1, max_size=4, unique=True), max_size=4)
    )
    text = Text([f"w{i}" for i in range(tokens)])
    return Document("x", entities, tokens=tokens, text=text)


def again(format: str, document: Document, folder) -> tuple[Document, list]:
    """The document after writing and reading, and what could not be written."""
    module = format_named(format)
    stream = io.StringIO()
    problems = module.write(Corpus([document]), stream)
    path = folder.mktemp("again") / "x.file"
    path.write_text(stream.getvalue(), "utf-8", newline="")
    with Source(str(path)) as source:
        (found,), warnings = module.read(source)
    assert warnings == []
    return found, problems


def content(document: Document) -> set:
    return {(frozenset(entity), len(entity)) for entity in document.entities}


@settings(max_examples=80, deadline=None)
@given(document=documents(name="x", part=None))
@pytest.mark.parametrize("format", ["semeval", "conllua", "webanno"])
def test_spans_are_written_and_read_again(format, document, tmp_path_factory):
    document.text = Text([f"w{i}" for i in range(document.tokens)])
    if not document.tokens:
        return
    found, _ = again(format, document, tmp_path_factory)
    assert content(found) == content(document)
    assert found.tokens == document.tokens


@settings(max_examples=150, deadline=None)
@given(document=rich_documents())
def test_gaps_and_empty_nodes_are_written_and_read_again_in_conllua(document, tmp_path_factory):
    found, problems = again("conllua", document, tmp_path_factory)
    assert problems == []
    assert content(found) == content(document)


#: Files of each format that are in order; each test below damages them.
FILES = {
    "semeval": test_semeval.ORDINARY,
    "conllua": test_conllua.ORDINARY,
    "webanno": test_webanno.ORDINARY,
    "brat": test_brat.ORDINARY,
    "litbank-tsv": test_litbank_tsv.ORDINARY,
    "tbf": test_tbf.ORDINARY,
    "gap": test_gap.ORDINARY,
    "onto-sgml": test_sgml.ONTO,
    "gum-sgml": test_sgml.GUM,
}


def outcome(format: str, content: bytes, folder) -> None:
    """Reading gives documents or problems with known codes, and nothing else."""
    path = folder / "x.ann"
    path.write_bytes(content)
    (folder / "x.txt").write_text(test_brat.TEXT, "utf-8")
    module = format_named(format)
    for details in (False, True):
        try:
            with Source(str(path)) as source:
                module.sniff(source.head, source.path)
                found, problems = module.read(source, details=details)
        except DataError as error:
            found, problems = [], error.problems
        for document in found:
            assert len(document.entities) == len(document.entity_names)
        assert found or {problem.severity for problem in problems} == {"error"}
        assert {problem.code for problem in problems} <= set(CODES)
        told = [p for p in problems if p.severity == "error" and p.count == 1]
        assert all(p.hint for p in told if p.code not in ("not-text", "repeated-document"))
        assert all(problem.line is None or problem.line >= 1 for problem in problems)


@pytest.mark.parametrize("format", FILES)
def test_a_file_that_is_cut_off(format, tmp_path):
    content = FILES[format].encode()
    for end in range(0, len(content), 3):
        outcome(format, content[:end], tmp_path)


@pytest.mark.parametrize("format", FILES)
def test_lines_in_another_order_or_doubled(format, tmp_path):
    lines = FILES[format].splitlines(keepends=True)
    chance = random.Random(7)
    for _ in range(60):
        mixed = chance.choices(lines, k=len(lines))
        outcome(format, "".join(mixed).encode(), tmp_path)


@pytest.mark.parametrize("format", FILES)
def test_damaged_bytes(format, tmp_path):
    content = FILES[format].encode()
    signs = b"\t|()[]<>@=-_0123456789\n \\\xff\x00*#"
    chance = random.Random(11)
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.choice(signs)
        outcome(format, bytes(damaged), tmp_path)
