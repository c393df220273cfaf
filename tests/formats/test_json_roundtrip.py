"""What a JSON format can hold is the same after writing and reading."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, Document, read
from corefmeter.corpus.text import Text
from corefmeter.formats import format_named

#: Letters of one to four bytes, quotes, backslashes, and what JSON escapes.
CHARACTERS = st.sampled_from([*"aZ9é人𝒜\"'\\/{}[]:,.-_#|<>&", "\u2028", "\x7f", "\ud800"])
WORDS = st.text(CHARACTERS, min_size=1, max_size=5)
NAMES = st.sampled_from(["story", "bc/x", "a_1", "a_01", "é 人", "dev_00001", "x: (y)"])


@st.composite
def spans(draw, count: int) -> tuple[int, int]:
    start = draw(st.integers(0, count - 1))
    return start, draw(st.integers(start + 1, count))


@st.composite
def entities(draw, count: int) -> list[list[tuple[int, int]]]:
    """Entities of any spans, also the same twice."""
    if not count:
        return []
    return draw(st.lists(st.lists(spans(count), min_size=1, max_size=4), max_size=4))


@st.composite
def texts(draw, words=WORDS) -> Text:
    found = draw(st.lists(words, max_size=8))
    starts = draw(st.sets(st.integers(0, max(len(found) - 1, 0))))
    return Text(found, sentences=sorted({0, *starts}) if found else [])


PARTS = st.none() | st.integers(0, 12)


@st.composite
def corpora(draw, unit: str = "tokens", parts=PARTS) -> Corpus:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    documents = []
    for name in names:
        if unit == "tokens":
            text = draw(texts())
        else:
            text = Text(list(draw(st.text(st.one_of(CHARACTERS, st.just(" ")), max_size=12))),
                        between="")  # fmt: skip
        documents.append(
            Document(name, draw(entities(len(text))), part=draw(parts), tokens=len(text),
                     text=text, unit=unit)
        )  # fmt: skip
    return Corpus(documents)


def again(corpus: Corpus, format: str, folder) -> Corpus:
    stream = io.StringIO()
    assert format_named(format).write(corpus, stream) == []
    path = folder.mktemp("again") / "x.jsonl"
    path.write_text(stream.getvalue(), "utf-8", newline="")
    return read(str(path), format, details=True)


def everything(corpus: Corpus) -> list:
    return [
        (d.name, d.part or 0, d.tokens, d.unit, d.entities, d.text.words, d.text.sentences)
        for d in corpus
    ]


@given(corpora())
def test_e2e(tmp_path_factory, corpus):
    assert everything(again(corpus, "e2e", tmp_path_factory)) == everything(corpus)


@given(corpora(parts=st.none()))
def test_maverick(tmp_path_factory, corpus):
    for document in corpus:
        document.text.sentences = [0] if document.text.words else []
    assert everything(again(corpus, "maverick", tmp_path_factory)) == everything(corpus)


@given(corpora("characters"))
def test_fastcoref(tmp_path_factory, corpus):
    assert everything(again(corpus, "fastcoref", tmp_path_factory)) == everything(corpus)


@given(corpora(parts=st.none()))
def test_preco_without_mentions_across_sentences(tmp_path_factory, corpus):
    for document in corpus:
        within = [
            [(a, b) for a, b in mentions
             if document.text.sentence_of(a) == document.text.sentence_of(b - 1)]
            for mentions in document.entities
        ]  # fmt: skip
        document.entities = [mentions for mentions in within if mentions]
        document.entity_names = [str(i) for i in range(len(document.entities))]
    assert everything(again(corpus, "preco", tmp_path_factory)) == everything(corpus)


@given(
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.dictionaries(st.text(CHARACTERS.filter(lambda c: c != "\ud800"), max_size=5),
                    st.lists(WORDS, min_size=1, max_size=3), max_size=4),
)  # fmt: skip
def test_clusters(tmp_path_factory, names, clusters):
    corpus = Corpus(
        [
            Document(name, [list(m) for m in clusters.values()], entity_names=list(clusters),
                     unit="names")
            for name in names
        ]
    )  # fmt: skip
    found = again(corpus, "clusters", tmp_path_factory)
    assert [(d.name, d.entities, d.entity_names) for d in found] == [
        (d.name, d.entities, d.entity_names) for d in corpus
    ]


@pytest.mark.parametrize("format", ["e2e", "preco", "maverick"])
def test_a_corpus_whose_words_were_not_read_keeps_its_mentions(format, tmp_path_factory):
    corpus = Corpus([Document("x", [[(0, 2), (4, 5)]], tokens=7)])
    (document,) = again(corpus, format, tmp_path_factory)
    assert (document.entities, document.tokens) == ([[(0, 2), (4, 5)]], 7)
    assert document.text.words == ["_"] * 7
