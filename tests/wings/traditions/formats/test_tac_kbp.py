"""Tables of TAC KBP."""

from __future__ import annotations

import io
from functools import partial

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats.conversion import convert_corpus
from corefmeter.wings.traditions.formats import tac_kbp

from ....formats.reading import Error, errors_by, read_by

NELEVAL = """\
d1\t4\t9\tE1\t0.9\tPER\tE2\t0.3\tORG
d1\t20\t21\tE1\t1.0\tPER
d2\t0\t2\tNIL7
d1\t30\t35\tNIL3\t0.5
d2\t8\t10\tNIL7\t\tGPE
"""

TAC15 = """\
run1\tM1\tAnn Lee\td1:4-10\tE1\tPER\tNAM\t0.9\tx\tx\tx
run1\tM2\tdoctor\td1: 20 \u2013 25\tE1\tPER\tNOM\t\t\t\t
run1\tM3\tBonn\td2:0-3\tNIL001\tGPE\tNAM\t1.0\tx\tx\tx
"""


read = partial(read_by, tac_kbp)


def errors(file, text: str) -> list[Error]:
    return errors_by(tac_kbp, file(text, "x.tab"))


def test_a_table_of_neleval_is_read(file):
    path = file(NELEVAL, "x.tab")
    assert corefmeter.read(path).format == "tac-kbp"
    (one, two), problems = read(path, details=True)
    assert problems == []
    assert [(d.name, d.unit, d.line, d.tokens) for d in (one, two)] == [
        ("d1", "characters", 1, None),
        ("d2", "characters", 3, None),
    ]
    assert (one.entity_names, one.entities) == (["E1", "NIL3"], [[(4, 10), (20, 22)], [(30, 36)]])
    assert (two.entity_names, two.entities) == (["NIL7"], [[(0, 3), (8, 11)]])
    assert one.details[0][0].entity_type == "PER"
    assert one.details[0][0].attributes == {"score": 0.9}


def test_a_table_of_2015_is_read(file):
    path = file(TAC15, "x.tab")
    assert corefmeter.read(path).format == "tac-kbp"
    (one, two), problems = read(path, details=True)
    assert problems == []
    assert (one.entity_names, one.entities) == (["E1"], [[(4, 11), (20, 26)]])
    assert (two.entity_names, two.entities) == (["NIL001"], [[(0, 4)]])
    assert [detail.kind for detail in one.details[0]] == ["name", "nominal"]
    assert one.details[0][1].attributes["score"] == 1.0


def test_the_name_of_a_document_may_have_colons(file):
    (document,), _ = read(file(TAC15.splitlines()[0].replace("d1:", "nw:x:"), "x.tab"))
    assert (document.name, document.entities) == ("nw:x", [[(4, 11)]])


def test_entities_are_the_same_without_details(file):
    path = file(NELEVAL)
    bare, full = read(path)[0], read(path, details=True)[0]
    assert [d.entities for d in bare] == [d.entities for d in full]
    assert [d.details for d in bare] == [None, None]


# Tricky but legal


def test_of_several_candidates_the_best_is_taken_and_the_first_of_equals(file):
    text = "d\t1\t2\tA\t0.2\tX\tB\t0.7\tX\tC\t0.7\tX\n"
    (document,), _ = read(file(text))
    assert document.entity_names == ["B"]


def test_a_missing_score_is_one(file):
    (document,), _ = read(file("d\t1\t2\tA\t0.2\tX\tB\n".replace("\tB", "\tB\t\t")), details=True)
    assert document.entity_names == ["B"]
    assert document.details[0][0].attributes["score"] == 1.0


def test_two_mentions_may_have_one_span(file):
    (document,), _ = read(file("d\t1\t2\tA\nd\t1\t2\tB\n"))
    assert document.entities == [[(1, 3)], [(1, 3)]]


def test_documents_may_be_mixed_and_lines_blank(file):
    documents, _ = read(file("b\t5\t6\tA\r\n\r\na\t1\t2\tA\r\nb\t1\t2\tA"))
    assert [(d.name, d.entities) for d in documents] == [
        ("b", [[(1, 3), (5, 7)]]),
        ("a", [[(1, 3)]]),
    ]


def test_white_space_of_any_kind_around_a_number_is_none_of_it(file):
    (document,), _ = read_by(tac_kbp, file("d1\t\x1c3\t4\u2003\tE1\n"))
    assert document.entities == [[(3, 5)]]


def test_a_header_of_2014_is_skipped(file):
    (document,), _ = read(file("query_id\tbegin\tend\tid\nd\t1\t2\tA\n"))
    assert document.entities == [[(1, 3)]]


# Malformed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d\t9\t4\tE1\n", ("bad-span", 1, 3)),
        ("d\tx\t4\tE1\n", ("bad-span", 1, 3)),
        (f"d\t{'9' * 5000}\t4\tE1\n", ("bad-span", 1, 3)),
        ("d\t0\t999999999999999\tE1\n", ("bad-span", 1, 3)),
        ("d\t1\t4\tE1\tgood\n", ("bad-score", 1, 10)),
        ("d\t1\t4\tE1\tnan\n", ("bad-score", 1, 10)),
        ("d\t1\t4\tE1\nd 5 6 E1 1.0\n", ("bad-line", 2, 1)),
        ("d\t1\t4\n", ("bad-columns", 1, 1)),
        ("d\t1\t4\tE1\t1.0\tX\tE2\n", ("bad-columns", 1, 1)),
        ("d\t1\t4\t\t1.0\n", ("missing-field", 1, 7)),
        ("\t1\t4\tE1\n", ("missing-field", 1, 1)),
        ("r\tM\tAnn\td:0-2\tE1\tPER\tNAM\t1\n", ("bad-columns", 1, 1)),
        ("r\tM\tAnn\td:9-2\tE1\tPER\tNAM\t1\t\t\t\n", ("bad-span", 1, 9)),
        ("r\tM\tAnn\td:0-2\t\tPER\tNAM\t1\t\t\t\n", ("missing-field", 1, 15)),
        ("r\tM\tAnn\td:0-2\tE1\tPER\tNAM\tyes\t\t\t\n", ("bad-score", 1, 26)),
        ("r\tM\tAnn\td:0-3\tE1\tPER\tNAM\t1\t\t\t\n", ("wrong-ends", None, None)),
        ("\n", ("no-document", None, None)),
    ],
)
def test_broken_files_are_errors_with_their_place(file, text, expected):
    assert errors(file, text) == [expected]


def test_one_text_that_does_not_fit_is_not_taken_for_exclusive_ends(file):
    text = TAC15 + "run1\tM4\tAnn\td2:9-12\tE1\tPER\tNAM\t1\t\t\t\n"
    documents, problems = read(file(text))
    assert (len(documents), problems) == (2, [])


def test_it_is_written_and_read_back(file):
    documents, _ = read(file(NELEVAL), details=True)
    stream = io.StringIO()
    assert tac_kbp.write(Corpus(documents), stream) == []
    assert stream.getvalue().splitlines()[0] == "d1\t4\t9\tE1\t0.9\tPER"
    again, _ = read(file(stream.getvalue(), "again"), details=True)
    assert [(d.name, d.entities, d.entity_names) for d in again] == [
        (d.name, d.entities, d.entity_names) for d in documents
    ]


def test_what_cannot_be_written_is_told():
    tokens = Document("t", [[(0, 1)]])
    gaps = Document("g", [[((0, 1), (3, 4))], ["x"]], part=1, unit="characters")
    stream = io.StringIO()
    problems = tac_kbp.write(Corpus([tokens, gaps]), stream)
    assert [p.code for p in problems] == ["document-unwritten"] + ["mention-unwritten"] * 2
    assert stream.getvalue() == ""


def test_convert_keeps_positions_that_count_characters(file):
    corpus = corefmeter.read(
        file('{"text": "Ann saw her.", "clusters": [[[0, 3], [8, 11]]]}', "x.json")
    )
    fitted, lost = convert_corpus(corpus, "tac-kbp", hull=False)
    stream = io.StringIO()
    assert fitted.documents[0].entities == [[(0, 3), (8, 11)]]
    assert [problem.message for problem in lost] == [
        "the words of 1 document cannot be written in tac-kbp: left out"
    ]
    tac_kbp.write(fitted, stream)
    ends = [line.split("\t")[1:3] for line in stream.getvalue().splitlines()]
    assert ends == [["0", "2"], ["8", "10"]]  # the end is that of the last character
