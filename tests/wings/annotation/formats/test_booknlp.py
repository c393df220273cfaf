"""BookNLP's entities, with the tokens beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefmeter
from corefmeter.problems import DataError

FILES = Path(__file__).parent / "fixtures/booknlp"
HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
TOKENS = "sentence_ID\tword\n0\tAnn\n0\tleft\n1\tShe\n"


@pytest.fixture
def files(tmp_path):
    """Writes entities beside tokens."""

    def write(rows: str, tokens: str | None = TOKENS) -> str:
        if tokens is not None:
            (tmp_path / "emma.tokens").write_text(tokens, "utf-8")
        (tmp_path / "emma.entities").write_text(HEADER + rows, "utf-8")
        return str(tmp_path / "emma.entities")

    return write


def test_words_and_mentions():
    (document,) = corefmeter.read(FILES / "ordinary.entities", details=True)
    text = document.text
    assert (document.name, document.tokens, text.sentences) == ("ordinary", 10, [0, 6])
    assert document.entities == [[(0, 2), (6, 7)], [(3, 5), (8, 9)]]
    assert document.entity_names == ["1", "2"]
    assert [[d.kind for d in e] for e in document.details] == [
        ["name", "pronoun"], ["nominal", "pronoun"],
    ]  # fmt: skip
    assert document.details[0][0].entity_type == "PER"
    assert (text.words[:3], text.upos[0], text.pos[0]) == (["Ann", "Lee", "saw"], "PROPN", "NNP")
    assert text.heads == [1, 2, -1, 4, 2, 2, 7, -1, 7, 7]
    assert text.relations[:3] == ["compound", "nsubj", "ROOT"]


def test_a_mention_without_an_entity_is_left_out_and_told():
    with pytest.warns(corefmeter.CorefmeterWarning, match="no-entity-name"):
        corpus = corefmeter.read(FILES / "tricky.entities", details=True)
    assert corpus.documents[0].entities == [[(0, 1)], [(0, 2), (8, 9)]]
    assert [(p.code, p.line) for p in corpus.problems] == [("no-entity-name", 3)]


@pytest.mark.parametrize(("rows", "tokens", "problem"), [
    ("1\t0\t0\tPROP\tPER\tAnn\n", None, ("missing-text", None)),
    ("1\t2\t3\tPRON\tPER\tShe\n", TOKENS, ("bad-span", 2)),
    (f"1\t2\t{'9' * 4400}\tPRON\tPER\tShe\n", TOKENS, ("bad-span", 2)),
    ("1\t0\t0\tPROP\tPER\tAnn\n1\t2\tPRON\n", TOKENS, ("bad-line", 3)),
    ("1\tx\t0\tPROP\tPER\tAnn\n", TOKENS, ("bad-line", 2)),
    ("1\t0\t0\tPROP\tPER\tEve\n", TOKENS, ("text-differs", 2)),
    ("", "word\nAnn\n", ("bad-line", 1)),
    ("", TOKENS + "1\n", ("bad-line", 5)),
])  # fmt: skip
def test_what_is_refused(files, rows, tokens, problem):
    with pytest.raises(DataError) as caught:
        corefmeter.read(files(rows, tokens))
    assert [(p.code, p.line) for p in caught.value.problems] == [problem]


def test_the_tokens_alone_say_what_to_give():
    with pytest.raises(DataError, match=r"Give the \.entities of BookNLP"):
        corefmeter.read(FILES / "ordinary.tokens")


def test_a_book_is_scored_against_other_tokens(files, tmp_path):
    """Ann and She are the entity of both sides; the key has the words in one token."""
    (tmp_path / "key.conll").write_text(
        "#begin document (emma);\nAnnleft\t(1)\nShe\t(1)\n\n#end document\n", "utf-8"
    )
    book = files("4\t0\t1\tPROP\tPER\tAnn left\n4\t2\t2\tPRON\tPER\tShe\n")
    result = corefmeter.score(tmp_path / "key.conll", book, align="characters")
    assert result.muc.f1 == 1
