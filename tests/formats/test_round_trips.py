"""What is written is read again as the same; damage is a matter of the contract test."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import mention_of, reading_key
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, splits_of
from corefmeter.corpus.text import Text
from corefmeter.formats import format_named, read_corpus
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.formats.source import Source
from corefmeter.problems import DataError

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
        (found,), warnings = module.read(source, details=True)
    assert warnings == []
    return found, problems


def content(document: Document) -> set:
    return {(frozenset(entity), len(entity)) for entity in document.entities}


@pytest.mark.wings
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


@pytest.mark.wings
@settings(max_examples=scaled(150))
@given(document=rich_documents())
def test_gaps_and_empty_nodes_are_written_and_read_again_in_conllua(document, tmp_path_factory):
    found, problems = again("conllua", document, tmp_path_factory)
    assert problems == []
    assert content(found) == content(document)


@st.composite
def related_documents(draw, anchored: bool):
    """Documents of three or more entities with relations, in reading order.

    Mentions are distinct words, so that each is of one entity. With `anchored` bridges have an
    anchor mention, and all kinds of relations occur; else there are those that CorefUD can hold.
    """
    tokens = draw(st.integers(6, 12))
    places = draw(st.permutations([(n, n + 1) for n in range(tokens)]))
    entities = sorted(
        (sorted(places[n::4], key=reading_key) for n in range(3)), key=lambda e: reading_key(e[0])
    )
    names = draw(st.permutations(["e1", "x", "they"]))
    # Members stand before their plural entity, so that none contains itself.
    pairs = draw(st.lists(st.sampled_from([(0, 1), (0, 2), (1, 2)]), unique=True))
    splits = splits_of((names[whole], names[part]) for part, whole in sorted(pairs))
    bridges = []
    for home in draw(st.lists(st.sampled_from([1, 2]), max_size=3)):
        anaphor = draw(st.sampled_from(entities[home]))
        anchor = draw(st.sampled_from(entities[home - 1])) if anchored else None
        relation = draw(st.sampled_from(["", "part", "é.2"]))
        bridges.append(Bridge(anaphor, anchor, names[home - 1], relation))
    spare = sorted(places[3::4], key=reading_key)
    silent, layer = (), None
    if anchored:
        kinds = draw(st.lists(st.sampled_from(["", "expletive"]), max_size=len(spare)))
        silent = tuple(NonReferring(m, kind) for m, kind in zip(spare, kinds, strict=False))
        if draw(st.booleans()):
            layer = Layer([[(0, 3), spare[0]], [(1, tokens)]], ["d1", "d2"])
    return Document(
        "x", entities, entity_names=list(names), tokens=tokens,
        text=Text([f"w{i}" for i in range(tokens)]),
        relations=Relations(splits, tuple(bridges), silent, layer),
    )  # fmt: skip


def related(document: Document) -> tuple:
    """The relations of a document, in any order and without details."""
    relations = document.relations
    deixis = relations.deixis
    return (
        {(split.entity, frozenset(split.members)) for split in relations.splits},
        sorted(map(str, relations.bridges)),
        sorted((one.mention, one.kind) for one in relations.nonreferring),
        deixis and dict(zip(deixis.names, map(set, deixis.entities), strict=True)),
    )


@pytest.mark.wings
@settings(max_examples=scaled(80))
@given(document=related_documents(anchored=True))
def test_relations_are_written_and_read_again_in_conllua(document, tmp_path_factory):
    found, problems = again("conllua", document, tmp_path_factory)
    assert problems == []
    assert related(found) == related(document)


@pytest.mark.wings
@settings(max_examples=scaled(80))
@given(document=related_documents(anchored=False))
@pytest.mark.parametrize("formats", [["conllu"], ["conllu", "conllua", "conllu"],
                                     ["conllua", "conllu"]], ids="-".join)  # fmt: skip
def test_links_are_written_and_read_again_in_corefud(formats, document, tmp_path_factory):
    found = document
    for format in formats:
        found, problems = again(format, found, tmp_path_factory)
        assert problems == []
    assert related(found) == related(document)


@settings(max_examples=scaled(40))
@given(document=related_documents(anchored=True))
def test_what_corefud_holds_of_conllua_comes_back(document, tmp_path_factory):
    """Sets and the entities of anchors; of the rest the writer or `convert` tells."""
    found, problems = again("conllu", document, tmp_path_factory)
    splits, bridges, silent, deixis = related(found)
    assert splits == related(document)[0]
    assert bridges == sorted(str(b._replace(anchor=None)) for b in document.relations.bridges)
    assert (silent, deixis) == ([], None)
    anchors = sum(p.count for p in problems if "anchors that are mentions" in p.message)
    assert anchors == len(document.relations.bridges)


@pytest.mark.wings
@pytest.mark.parametrize(
    "into",
    ["conll", "conllu", "conllua", "semeval", "webanno", "e2e", "preco", "maverick", "crac"],
)
def test_a_far_position_is_not_filled_up_with_tokens(tmp_path, into):
    corpus = far(tmp_path, "t999999999999")
    with pytest.raises(DataError, match="ends at token 1000000000000, but only 0 are known"):
        write_files(convert_corpus(corpus, into, hull=False)[0], into, str(tmp_path / "out"))
    # Of a mention with a gap, it is refused or left out.
    corpus = far(tmp_path, "t0,t999999999999")
    with suppress(DataError):
        write_files(convert_corpus(corpus, into, hull=False)[0], into, str(tmp_path / "out"))
        assert (tmp_path / "out").stat().st_size < 1000


def far(folder, tokens):
    """A nugget of these tokens."""
    text = f"#BeginOfDocument x\ns\tx\tE1\t{tokens}\ta\tb\tc\n#EndOfDocument\n"
    (folder / "x.tbf").write_text(text)
    return read_corpus(str(folder / "x.tbf"), details=True)
