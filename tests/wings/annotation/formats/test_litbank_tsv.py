"""LitBank's tsv: mentions by sentence and token, and what is refused."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.formats.source import Source
from corefmeter.problems import OptionError
from corefmeter.wings.annotation.formats import litbank_brat, litbank_tsv

from ....formats.reading import errors_by, read_by

TEXT = "Ann Lee , a vet , saw the dog .\nShe fed it .\n"

ORDINARY = """\
MENTION\tT1\t0\t0\t0\t1\tAnn Lee\tPER\tPROP
MENTION\tT2\t0\t3\t0\t4\ta vet\tPER\tNOM
MENTION\tT3\t0\t7\t0\t8\tthe dog\tPER\tNOM
MENTION\tT4\t1\t0\t1\t0\tShe\tPER\tPRON
MENTION\tT5\t1\t2\t1\t2\tit\tPER\tPRON
COREF\tT1\tAnn_Lee-0
COREF\tT3\tthe_dog-1
COREF\tT4\tAnn_Lee-0
COREF\tT5\tthe_dog-1
APPOS\tT1\tT2
"""


@pytest.fixture
def pair(file):
    """Writes an annotation and its text, and returns the path of the annotation."""

    def write(annotation: str, text: str | None = TEXT, name: str = "story.tsv") -> str:
        if text is not None:
            file(text, "story.txt")
        return file(annotation, name)

    return write


read = partial(read_by, litbank_tsv)
errors = partial(errors_by, litbank_tsv)


def test_an_ordinary_file_is_read(pair):
    (document,), problems = read(pair(ORDINARY), details=True)
    assert problems == []
    assert (document.name, document.tokens) == ("story", 14)
    assert document.entity_names == ["Ann_Lee-0", "the_dog-1"]
    assert document.entities == [[(0, 2), (10, 11)], [(7, 9), (12, 13)]]
    assert [[d.kind for d in e] for e in document.details] == [
        ["name", "pronoun"], ["nominal", "pronoun"]
    ]  # fmt: skip
    assert document.attributes["relations"] == [{"type": "appos", "ids": ["T1", "T2"]}]
    assert document.text.sentences == [0, 10]


def test_it_is_the_same_as_the_brat_file_of_the_same_story(pair):
    brat = (
        "T6\tAnn_Lee-0 0 7\tAnn Lee\nT7\tthe_dog-1 22 29\tthe dog\n"
        "T8\tAnn_Lee-0 32 35\tShe\nT9\tthe_dog-1 40 42\tit\n"
    )
    (one,), _ = read(pair(ORDINARY))
    with Source(pair(brat, name="story.ann")) as source:
        (other,), _ = litbank_brat.read(source)
    assert (one.id, one.entities, one.tokens) == (other.id, other.entities, other.tokens)


def test_the_ending_may_be_ann_and_the_file_is_recognised(pair):
    assert corefmeter.read(pair(ORDINARY, name="story.ann")).format == "litbank-tsv"


# Tricky, but legal.


def test_type_and_category_in_either_order(pair):
    text = ORDINARY.replace("PER\tPROP", "PROP\tPER")
    (document,), _ = read(pair(text), details=True)
    assert (document.details[0][0].kind, document.details[0][0].entity_type) == ("name", "PER")


def test_references_may_come_first(pair):
    lines = ORDINARY.splitlines(keepends=True)
    (document,), problems = read(pair("".join(lines[5:] + lines[:5])))
    assert (document.entities[0], problems) == ([(0, 2), (10, 11)], [])


def test_a_mention_may_reach_into_the_next_sentence(pair):
    annotation = "MENTION\tT1\t0\t9\t1\t0\t. She\tPER\tNOM\nCOREF\tT1\tx-0\n"
    (document,), _ = read(pair(annotation))
    assert document.entities == [[(9, 11)]]


def test_blank_lines_in_the_text_are_sentences_without_tokens(pair):
    annotation = "MENTION\tT1\t2\t0\t2\t0\tShe\tPER\tPRON\nCOREF\tT1\tx-0\n"
    (document,), _ = read(pair(annotation, "Ann left .\n\nShe cried .\n"))
    assert document.entities == [[(3, 4)]]


def test_nested_mentions_and_those_of_one_span(pair):
    annotation = (
        "MENTION\tT1\t0\t0\t0\t1\tAnn Lee\tPER\tPROP\nMENTION\tT2\t0\t0\t0\t0\tAnn\tPER\tPROP\n"
        "MENTION\tT3\t0\t0\t0\t0\tAnn\tPER\tPROP\nCOREF\tT1\ta-0\nCOREF\tT2\tb-1\nCOREF\tT3\tc-2\n"
    )
    (document,), problems = read(pair(annotation))
    assert problems == []
    assert sorted(document.entities) == [[(0, 1)], [(0, 1)], [(0, 2)]]


# Broken.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("COREF\tT9\tx-0", [("unknown-mention", 11, 7)]),
        ("COP\tT1\tT9", [("unknown-mention", 11, 5)]),
        ("MENTION\tT6\t0\t0\t0\t0\tBob\tPER\tPROP", [("text-differs", 11, 20)]),
        ("MENTION\tT6\t7\t0\t7\t0\tBob\tPER\tPROP", [("bad-span", 11, 12)]),
        ("MENTION\tT6\t0\t1\t0\t0\tAnn\tPER\tPROP", [("bad-span", 11, 12)]),
        ("MENTION\tT6\t0\t0\t0\t10\tAnn\tPER\tPROP", [("bad-span", 11, 12)]),
        ("MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP", [("repeated-id", 11, 9)]),
        ("MENTION T6 0 0 0 0 Ann PER PROP", [("bad-line", 11, 1)]),
    ],
)
def test_broken_lines_are_errors_with_their_place(pair, line, expected):
    assert errors(pair(ORDINARY + line + "\n")) == expected


def test_a_mention_with_two_entities_is_a_warning(pair):
    (document,), (problem,) = read(pair(ORDINARY + "COREF\tT1\tother-9\n"))
    assert (problem.code, problem.line) == ("two-entities", 11)
    assert sum((0, 2) in entity for entity in document.entities) == 2


def test_a_file_without_its_text_is_an_error(pair):
    assert errors(pair(ORDINARY, None)) == [("missing-text", None, None)]


def test_it_cannot_be_written():
    with pytest.raises(OptionError, match="two files"):
        writer(litbank_tsv.FORMAT)
