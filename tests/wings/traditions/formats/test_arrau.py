"""ARRAU as given out for CRAC 2018."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.problems import OptionError
from corefmeter.wings.traditions.formats import arrau

from ....formats.reading import Error, errors_by, read_by

HEADER = "TOKEN\tMARKABLE\tMIN\tGENDER\tREFERENCE\n"


def table(*rows: str) -> str:
    """A file of rows whose cells are separated by blanks."""
    return HEADER + "".join("\t".join(row.split()) + "\n" for row in rows)


STORY = table(
    "The B-markable_1=set_2 word_2..word_3 masc referring",
    "old I-markable_1=set_2 word_2..word_3 masc referring",
    "man I-markable_1=set_2 word_2..word_3 masc referring",
    "sold O O O O",
    "",
    "his B-markable_2=set_5@B-markable_3=set_2 word_6@word_5 neut@masc referring@referring",
    "dog I-markable_2=set_5 word_6 neut referring",
    "there B-markable_4=set_9 word_7 _ non_referring",
    "he B-markable_5=set_2 word_8 masc referring",
)


read = partial(read_by, arrau)


def entities(file, *rows: str):
    (document,), problems = read(file(table(*rows)))
    return document.entities, [problem.code for problem in problems]


def errors(file, text: str) -> list[Error]:
    return errors_by(arrau, file(text, "x.CONLL"))


def test_a_file_is_read(file):
    path = file(STORY, "wsj_1.CONLL")
    assert corefmeter.read(path).format == "arrau"
    (document,), problems = read(path, details=True)
    assert problems == []
    assert (document.name, document.tokens, document.unit) == ("wsj_1", 8, "tokens")
    assert document.entity_names == ["set_2", "set_5"]
    assert document.entities == [[(0, 3), (4, 5), (7, 8)], [(4, 6)]]
    (silent,) = document.relations.nonreferring
    assert (silent.mention, silent.detail.minimum) == ((6, 7), (6, 7))
    assert silent.detail.attributes["EntityID"] == "set_9-Pseudo"
    assert document.text.words[:3] == ["The", "old", "man"]
    assert document.text.sentences == [0, 4]
    assert document.text.lines == [2, 3, 4, 5, 7, 8, 9, 10]
    assert [detail.minimum for detail in document.details[0]] == [(1, 3), (4, 5), (7, 8)]
    assert document.details[1][0].attributes == {
        "id": "markable_2", "MIN": "word_6", "GENDER": "neut", "REFERENCE": "referring"
    }  # fmt: skip


def test_entities_are_the_same_without_details(file):
    (document,), _ = read(file(STORY))
    assert document.entities == [[(0, 3), (4, 5), (7, 8)], [(4, 6)]]
    assert (document.details, document.text, document.relations) == (None, None, None)
    assert document.related == {"nonreferring": 1}


def test_a_response_is_matched_by_the_min_of_the_key(file):
    response = table(
        "The O O O O",
        "old B-markable_1=set_1 _ _ referring",
        "man I-markable_1=set_1 _ _ referring",
        "sold O O O O",
        "his B-markable_2=set_1 _ _ referring",
        "dog O O O O",
        "there O O O O",
        "he B-markable_3=set_1 _ _ referring",
    )
    paths = file(STORY, "key/x.CONLL"), file(response, "response/x.CONLL")
    muc = corefmeter.score(*paths, match="min", metrics="muc").muc
    assert (muc.recall_numerator, muc.recall_denominator) == (2, 2)
    muc = corefmeter.score(*paths, metrics="muc").muc
    assert (muc.recall_numerator, muc.recall_denominator) == (1, 2)


# Tricky but legal


def test_a_markable_may_go_on_after_a_gap(file):
    rows = "a B-m1=s1 _ _ referring", "b O O O O", "c I-m1=s1 _ _ referring"
    assert entities(file, *rows) == ([[((0, 1), (2, 3))]], [])


def test_markables_may_cross(file):
    rows = (
        "a B-m1=s1 _ _ referring",
        "b I-m1=s1@B-m2=s1 word_1@_ _ referring@referring",
        "c I-m2=s1 _ _ referring",
    )
    assert entities(file, *rows) == ([[(0, 2), (1, 3)]], [])


def test_markables_without_a_set_are_alone(file):
    rows = "a B-m1 _ _ referring", "b B-m2= _ _ referring", "c B-m3=empty _ _ referring"
    assert entities(file, *rows) == ([[(0, 1)], [(1, 2)], [(2, 3)]], [])


def test_min_may_be_one_word_or_a_short_range(file):
    rows = "a B-m1=s1 word_1..2 _ referring", "b I-m1=s1 word_1..2 _ referring"
    (document,), _ = read(file(table(*rows)), details=True)
    assert document.details[0][0].minimum == (0, 2)


def test_line_ends_of_windows_and_no_last_one(file):
    (document,), problems = read(file(STORY.replace("\n", "\r\n").rstrip()))
    assert (document.tokens, problems) == (8, [])


def test_a_min_outside_of_its_markable_is_told(file):
    rows = "a B-m1=s1 word_2 _ referring", "b O O O O"
    assert entities(file, *rows) == ([[(0, 1)]], ["bad-span"])


# Malformed


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["a B-m1=s1@B-m2=s2 word_1 _ referring@referring"], ("bad-cell", 2, 19)),
        (["a B-m1=s1 word_1@word_1 _ referring"], ("bad-cell", 2, 11)),
        (["a O O O referring@referring"], ("bad-cell", 2, 9)),
        (["a X-m1=s1 _ _ referring"], ("bad-cell", 2, 3)),
        (["a I-m1=s1 _ _ referring"], ("bad-part", 2, 3)),
        (["a B-m1=s1 _ _ referring", "b B-m1=s1 _ _ referring"], ("repeated-id", 3, 3)),
        (["a B-m1=s1 _ _ referring", "b I-m1=s2 _ _ referring"], ("two-entities", 3, 3)),
        (["a B-m1=s1 word_9 _ referring"], ("bad-span", 2, None)),
        (["a B-m1=s1 word_0 _ referring"], ("bad-span", 2, None)),
        (["a B-m1=s1 head _ referring"], ("bad-span", 2, None)),
        (["a B-m1=s1 _ referring"], ("bad-columns", 2, 1)),
    ],
)
def test_broken_lines_are_errors_with_their_place(file, rows, expected):
    assert errors(file, table(*rows)) == [expected]


def test_a_header_is_needed(file):
    assert errors(file, "a\tO\n") == [("bad-header", 1, 1)]
    assert errors(file, "\n") == [("no-document", None, None)]


def test_of_a_header_without_markables_nothing_else_is_told(file):
    assert errors(file, "TOKEN\na\nb\n") == [("bad-header", 1, 1)]


def test_it_cannot_be_written():
    with pytest.raises(OptionError, match="choose"):
        writer(arrau.FORMAT)
