"""GAP files: examples as documents, answers, and what is refused."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.formats import gap

from ....formats.reading import errors_by, read_by

HEADER = "\t".join(gap.HEADER)


def example(id: str = "e-1", a: str = "TRUE", b: str = "FALSE", **more: str) -> str:
    """An example; the keys of `more` are c1, c2, ..., the columns to change."""
    #       0       8        17        27  31
    text = 'Ann saw Sue, and "she" fed her dog.'
    cells = [id, text, "she", "18", "Ann", "0", a, "Sue", "8", b, "http://x"]
    for name, value in more.items():
        cells[int(name[1:])] = value
    return "\t".join(cells)


ORDINARY = "\n".join([HEADER, example(), example("e-2", "FALSE", "TRUE"), ""])


read = partial(read_by, gap)
errors = partial(errors_by, gap)


def answers(path: str):
    with Source(path, "response") as source:
        return gap.read(source)


def test_an_ordinary_file_is_read(file):
    documents, problems = read(file(ORDINARY, "gap.tsv"), details=True)
    assert problems == []
    assert [(d.name, d.line, d.tokens) for d in documents] == [("e-1", 2, 12), ("e-2", 3, 12)]
    # Ann saw Sue , and " she " fed her dog .
    assert documents[0].entities == [[(0, 1), (6, 7)], [(2, 3)]]
    assert documents[1].entities == [[(0, 1)], [(2, 3), (6, 7)]]
    assert documents[0].text.words[5:8] == ['"', "she", '"']
    assert [d.kind for d in documents[0].details[0]] == ["name", "pronoun"]
    assert documents[0].attributes == {"gender": "feminine"}


def test_entities_are_the_same_without_details_and_the_file_is_recognised(file):
    path = file(ORDINARY, "gap.tsv")
    documents, _ = read(path)
    assert documents[1].entities == [[(0, 1)], [(2, 3), (6, 7)]]
    assert corefmeter.read(path).format == "gap"


# Tricky, but legal.


def test_both_names_may_be_wrong(file):
    (document,), problems = read(file(f"{HEADER}\n{example(a='FALSE')}\n"))
    assert (document.entities, problems) == ([[(0, 1)], [(2, 3)], [(6, 7)]], [])


def test_values_in_any_case(file):
    (document,), problems = read(file(f"{HEADER}\n{example(a='true', b='False')}\n"))
    assert (document.entities, problems) == ([[(0, 1), (6, 7)], [(2, 3)]], [])


def test_quotes_have_no_meaning(file):
    text = '"Ann saw Sue and she'
    line = example(c1=text, c3="17", c5="1", c8="9")
    documents, problems = read(file(f"{HEADER}\n{line}\n{example('e-2')}\n"))
    assert (len(documents), problems) == (2, [])


def test_a_pronoun_with_a_capital(file):
    line = example(c1="Ann saw Sue. She left.", c2="She", c3="13")
    documents, problems = read(file(f"{HEADER}\n{line}\n"))
    assert (documents[0].attributes["gender"], problems) == ("feminine", [])


def test_offsets_count_code_points(file):
    line = example(c1="\U0001f600 Ann saw Sue, she", c3="15", c5="2", c8="10")
    _, problems = read(file(f"{HEADER}\n{line}\n"))
    assert problems == []


# Broken.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # e-1 and a text of 35 characters with their TABs are 40 characters, "she" and its TAB 4.
        (example(c3="17"), [("text-differs", 2, 45)]),
        (example(c3="x"), [("bad-span", 2, 45)]),
        (example(a="yes"), [("bad-answer", 2, 54)]),
        (example() + "\n" + example(), [("repeated-id", 3, 1)]),
        (example().replace("\thttp://x", ""), [("bad-columns", 2, None)]),
        (example().replace("\t", " "), [("bad-columns", 2, None)]),
    ],
)
def test_broken_lines_are_errors_with_their_place(file, line, expected):
    assert errors(file(f"{HEADER}\n{line}\n")) == expected


def test_the_hint_names_the_right_offset(file):
    with pytest.raises(DataError, match="It is at 18"):
        read(file(f"{HEADER}\n{example(c3='17')}\n"))


def test_a_file_without_header_is_read_with_a_warning(file):
    documents, (problem,) = read(file(example() + "\n"))
    assert (len(documents), problem.code) == (1, "header-line")


def test_a_pronoun_without_gender_is_a_warning(file):
    line = example(c1="Ann saw Sue, they", c2="they", c3="13")
    (document,), (problem,) = read(file(f"{HEADER}\n{line}\n"))
    assert document.attributes == {"gender": "unknown"}
    assert (problem.code, problem.line) == ("unknown-gender", 2)


def test_answers_are_no_key_and_the_command_for_them_is_named(file):
    path = file("e-1\tTRUE\tFALSE\n")
    assert errors(path) == [("no-coreference", 1, None)]
    with pytest.raises(DataError, match="corefmeter score KEY RESPONSE"):
        corefmeter.read(path)


# Answers.


def test_answers_are_read_as_a_response(file):
    found, problems = answers(file("e-1\tTRUE\tFALSE\ne-2\tfalse\tTrue\n"))
    assert [(d.name, d.entities, d.line, d.unit) for d in found] == [
        ("e-1", [["pronoun", "A"], ["B"]], 1, "names"),
        ("e-2", [["pronoun", "B"], ["A"]], 2, "names"),
    ]
    assert problems == []


def test_a_header_line_of_answers_is_passed_over_with_a_warning(file):
    found, (problem,) = answers(file("ID\tA-coref\tB-coref\ne-1\tTRUE\tFALSE\n"))
    assert ([d.name for d in found], problem.code, problem.line) == (["e-1"], "header-line", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e-1\tyes\tFALSE\n", ("bad-answer", 1, 5)),
        ("e-1\tTRUE\t\n", ("bad-answer", 1, 10)),
        ("e-1\tTRUE\tFALSE\ne-1\tTRUE\tFALSE\n", ("repeated-id", 2, 1)),
        ("e-1\tTRUE\n", ("bad-columns", 1, None)),
        ("\n", ("no-document", None, None)),
    ],
)
def test_broken_answers_are_errors_with_their_place(file, text, expected):
    with pytest.raises(DataError) as caught:
        answers(file(text))
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == expected


def test_gap_cannot_be_written():
    with pytest.raises(OptionError, match="one pronoun and two names"):
        writer(gap.FORMAT)
