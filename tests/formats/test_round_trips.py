"""What is written is read again as the same; damage is a matter of the contract test."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import mention_of
from corefmeter.corpus.text import Text
from corefmeter.formats import format_named
from corefmeter.formats.source import Source

from ..strategies import documents, scaled


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


@settings(max_examples=scaled(80))
@given(document=documents(name="x", part=None))
@pytest.mark.parametrize("format", ["semeval", "conllua", "webanno"])
def test_spans_are_written_and_read_again(format, document, tmp_path_factory):
    document.text = Text([f"w{i}" for i in range(document.tokens)])
    if not document.tokens:
        return
    found, _ = again(format, document, tmp_path_factory)
    assert content(found) == content(document)
    assert found.tokens == document.tokens


@settings(max_examples=scaled(150))
@given(document=rich_documents())
def test_gaps_and_empty_nodes_are_written_and_read_again_in_conllua(document, tmp_path_factory):
    found, problems = again("conllua", document, tmp_path_factory)
    assert problems == []
    assert content(found) == content(document)
