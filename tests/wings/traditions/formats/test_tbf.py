"""TBF, the format of TAC KBP's event nuggets: what is read, refused, and written."""

from __future__ import annotations

import copy
import gzip
import io
import lzma
import pickle
import sys
from functools import partial
from pathlib import Path

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats import read_corpus
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.problems import DataError
from corefmeter.wings.traditions.formats import tbf
from corefmeter.wings.traditions.formats.tbf import Nugget

from ....formats.reading import errors_by, read_by


def nugget(id: str, span: str, text: str, type: str = "Life_Die", document: str = "x") -> str:
    return "\t".join(["system", document, id, span, text, type, "Actual"])


def file_of(*lines: str, name: str = "x") -> str:
    return "\n".join([f"#BeginOfDocument {name}", *lines, "#EndOfDocument", ""])


ORDINARY = file_of(
    nugget("E1", "t3,t5", "way made", "Movement_Transport"),
    nugget("E2", "t6", "home"),
    nugget("E3", "t9", "left", "Movement_Transport"),
    "@Coreference\tC1\tE1,E3",
    "@After\tA1\tE1,E2",
)


read = partial(read_by, tbf)
errors = partial(errors_by, tbf)


def test_an_ordinary_file_is_read(file):
    (document,), problems = read(file(ORDINARY, "x.tbf"), details=True)
    assert problems == []
    assert (document.name, document.line, document.unit) == ("x", 1, "tokens")
    assert document.entity_names == ["C1", "E2"]
    assert [[tuple(m) for m in e] for e in document.entities] == [
        [((3, 4), (5, 6)), (9, 10)], [(6, 7)]
    ]  # fmt: skip
    assert document.attributes["relations"] == [{"type": "After", "ids": ["E1", "E2"]}]
    assert document.details[0][0].attributes == {
        "id": "E1", "text": "way made", "realis": "Actual"
    }  # fmt: skip


def test_entities_are_the_same_without_details_and_the_file_is_recognised(file):
    path = file(ORDINARY)
    (document,), _ = read(path)
    assert document.entity_names == ["C1", "E2"]
    assert corefmeter.read(path).format == "tbf"


def test_the_type_of_an_event_is_part_of_the_mention(file):
    """As in TAC's scores: the right span with the wrong type is a wrong mention."""
    key = file(file_of(nugget("E1", "t1", "died"), nugget("E2", "t5", "death"),
                       "@Coreference\tC1\tE1,E2"), "key")  # fmt: skip
    same = file(file_of(nugget("E1", "t1", "died", "life.die"), nugget("E2", "t5", "death"),
                        "@Coreference\tC1\tE1,E2"), "same")  # fmt: skip
    other = file(file_of(nugget("E1", "t1", "died", "Life_Injure"), nugget("E2", "t5", "death"),
                         "@Coreference\tC1\tE1,E2"), "other")  # fmt: skip
    assert corefmeter.score(key, same).b3.f1 == 1
    # One of two mentions is shared: 1/2 of 1/2.
    assert corefmeter.score(key, other).b3.recall == 0.25


def test_nuggets_are_copied_with_their_type():
    one = Nugget((3, 4), "Life_Die")
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == one
        assert hash(again) == hash(one)
    assert one != (3, 4)
    assert one != Nugget((3, 4), "Life_Marry")


# Tricky, but legal.


def test_pieces_of_characters(file):
    text = file_of(nugget("E1", "4,8;13,16", "made way"), nugget("E2", "3,5", "xx"))
    (document,), problems = read(file(text))
    assert (document.unit, problems) == ("characters", [])
    assert [tuple(e[0]) for e in document.entities] == [(3, 5), ((4, 8), (13, 16))]


def test_pairs_of_characters_are_told_by_the_length_of_the_text(file):
    (document,), _ = read(file(file_of(nugget("E1", "5892,5896", "said"))))
    assert (document.unit, tuple(document.entities[0][0])) == ("characters", (5892, 5896))


def test_pairs_of_tokens_are_told_by_the_words_of_the_text(file):
    (document,), _ = read(file(file_of(nugget("E1", "3,5", "made way"))))
    assert (document.unit, tuple(document.entities[0][0])) == ("tokens", ((3, 4), (5, 6)))


def test_one_span_of_two_types_is_two_mentions(file):
    text = file_of(nugget("E1", "23", "Ordered", "A"), nugget("E2", "23", "Ordered", "B"))
    (document,), problems = read(file(text))
    assert len(document.entities) == 2
    assert document.entities[0][0] != document.entities[1][0]
    assert problems == []


def test_tokens_in_any_order_and_more_columns(file):
    text = file_of(nugget("E1", "t5,t3,t4", "x") + "\t1\t0.6667")
    (document,), problems = read(file(text))
    assert (tuple(document.entities[0][0]), problems) == ((3, 6), [])


def test_a_document_without_nuggets(file):
    documents, problems = read(file(file_of() + ORDINARY.replace("Document x", "Document y")
                                    .replace("\tx\t", "\ty\t")))  # fmt: skip
    assert [len(document.entities) for document in documents] == [0, 2]
    assert problems == []


def test_entities_of_one_name_get_names_of_their_own(file):
    text = file_of(
        *(nugget(f"E{i}", f"t{i}", "x") for i in range(1, 7)),
        "@Coreference\tC\tE1,E2", "@Coreference\tC\tE4,E3", "@Coreference\tC\tE5,E6",
    )  # fmt: skip
    (document,), _ = read(file(text))
    assert [len(e) for e in document.entities] == [2, 2, 2]
    assert document.entity_names == ["C", "C'", "C'2"]


# Broken.


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # system, TAB, x, TAB, are 9 characters; E1, TAB, three more.
        ([nugget("E1", "t1", "a"), "@Coreference\tC1\tE1,E9"], [("unknown-mention", 3, None)]),
        ([nugget("E1", "4,8;16,13", "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "t", "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "t" + "9" * 5000, "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "8," + "9" * 5000, "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "0,99999999999", "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "", "a")], [("bad-span", 2, 13)]),
        ([nugget("E1", "t1", "a").replace("\t", " ")], [("bad-line", 2, None)]),
        ([nugget("E1", "t1", "a")[7:]], [("bad-line", 2, None)]),
        ([nugget("E1", "t1", "a")] * 2, [("repeated-id", 3, 10)]),
        ([nugget("E1", "t1", "a", document="y")], [("outside-document", 2, 8)]),
        ([nugget("E1", "t1", "a"), "@Coref\tC1\tE1"], [("unknown-relation", 3, 1)]),
        ([nugget("E1", "t1", "a"), "@Coreference C1 E1"], [("unknown-relation", 3, 1)]),
        ([nugget("E1", "t1", "a"), "@Coreference\tE1"], [("bad-line", 3, None)]),
        (
            [nugget("E1", "t1", "a"), nugget("E2", "t1", "a", "Other"),
             "@Coreference\tC1\tE1,E2"],
            [("repeated-mention", 4, None)],
        ),
        (
            [nugget("E1", "t1", "a"), nugget("E2", "t2", "b"), "@Coreference\tC1\tE1,E2",
             "@Coreference\tC2\tE1,E2"],
            [("two-entities", 5, None)] * 2,
        ),
    ],
)  # fmt: skip
def test_broken_lines_are_errors_with_their_place(file, lines, expected):
    assert errors(file(file_of(*lines))) == expected


def test_the_hint_names_blanks_instead_of_tabs(file):
    path = file(file_of(nugget("E1", "t1", "a").replace("\t", " ")))
    with pytest.raises(DataError, match="by TABs, not by spaces"):
        read(path)


def test_lines_before_a_document_are_errors_and_a_missing_name_is_taken_from_the_lines(file):
    assert errors(file(nugget("E1", "t1", "a") + "\n")) == [("outside-document", 1, None)]
    (document,), (problem,) = read(file(file_of(nugget("E1", "t1", "a"), name="")))
    assert (document.name, problem.code, problem.line) == ("x", "unnamed-document", 1)


def test_a_missing_end_is_a_warning_and_the_same_document_twice_an_error(file):
    (document,), (problem,) = read(file(ORDINARY.replace("#EndOfDocument\n", "")))
    assert (len(document.entities), problem.code) == (2, "missing-end")
    assert errors(file(ORDINARY * 2)) == [("repeated-document", 8, None)]


def test_a_file_without_any_document_is_an_error(file):
    assert errors(file("# nothing\n")) == [("no-document", None, None)]


# Written.


def written(*documents: Document) -> tuple[str, list]:
    stream = io.StringIO()
    problems = tbf.write(Corpus(list(documents)), stream)
    return stream.getvalue(), problems


@pytest.mark.parametrize("text", [ORDINARY, ORDINARY.replace("t3,t5", "4,8;13,16")
                                  .replace("t6", "20,24").replace("t9", "30,34")])  # fmt: skip
def test_what_was_read_is_written_and_read_again(file, text):
    (first,), _ = read(file(text), details=True)
    again_text, problems = written(first)
    assert problems == []
    (again,), problems = read(file(again_text, "again"), details=True)
    assert problems == []
    assert (again.id, again.unit, again.entities) == (first.id, first.unit, first.entities)
    assert again.details[0][0].attributes["realis"] == "Actual"
    assert again.details[0][0].entity_type == first.details[0][0].entity_type


def test_of_copies_in_an_entity_one_is_written(file):
    """TAC's rules have nuggets of one entity at different places, and the reader holds to them."""
    text, problems = written(Document("x", [[(0, 1), (0, 1), (2, 3)], [(0, 1)]], tokens=3))
    (again,), _ = read(file(text))
    assert [[tuple(m) for m in entity] for entity in again.entities] == [[(0, 1), (2, 3)], [(0, 1)]]
    assert [p.message for p in problems] == [
        "a copy of the mention (0, 1) cannot be written; it is left out"
    ]


def test_other_mentions_are_written_without_a_type():
    document = Document("x", [[(0, 2), (2, 3)], [((1, 1, 1),)]], part=1, text=Text(["a", "b", "c"]))
    text, (problem,) = written(document)
    assert "\tE1\tt0,t1\ta b\tNOT_ANNOTATED\tNOT_ANNOTATED\n" in text
    assert "@Coreference\t0\tE1,E2\n" in text
    assert "((1, 1, 1),)" in problem.message  # the empty node


def test_an_empty_response_is_a_response_without_nuggets(file):
    key = file(file_of("sys\tx\tE1\t0,3\tAnn\tType\tActual"), "key.tbf")
    empty = file("\n", "empty.tbf")
    corpus = corefmeter.read(empty, side="response")
    assert len(corpus) == 0
    assert "no-document" in [problem.code for problem in corpus.problems]
    result = corefmeter.score(key, empty, metrics="mentions")
    assert (result.mentions.recall, result.mentions.precision) == (0, 0)
    with pytest.raises(DataError):
        corefmeter.read(empty)


@pytest.mark.parametrize("name", ["e", "e.tbf.gz", "e.gz", "e.TBF.xz", "e.txt", "-"])
def test_an_empty_response_is_one_whatever_it_is_called(name, file, monkeypatch, tmp_path):
    """Compressed, without an ending, or standard input; the key says of which format it is."""
    monkeypatch.chdir(tmp_path)
    key = file(file_of("sys\tx\tE1\t0,3\tAnn\tType\tActual"), "key.tbf")
    packed = {"gz": gzip.compress, "xz": lzma.compress}.get(name.rpartition(".")[2], bytes)
    Path("-" if name == "-" else name).write_bytes(packed(b" \n"))
    with open(name, "rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        with pytest.warns(corefmeter.CorefmeterWarning):
            result = corefmeter.score(key, name, metrics="mentions")
    assert (result.mentions.recall, result.mentions.precision) == (0, 0)
    codes = ["no-document", "no-coreference", "missing-document"]
    assert [problem.code for problem in result.problems] == codes
    assert result.problems[0].message == (
        "the file is empty; it counts as a response without mentions"
    )


def test_an_empty_response_to_a_key_of_another_format_is_an_error_unless_its_name_says_tbf(
    file, tmp_path
):
    key = file(JSONL, "x.jsonl")
    for name in ("e", "e.gz"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(DataError, match="the file is empty"):
            corefmeter.score(key, tmp_path / name)
    (tmp_path / "e.tbf").write_bytes(b"")
    with pytest.warns(corefmeter.CorefmeterWarning):
        assert corefmeter.score(key, tmp_path / "e.tbf", metrics="mentions").mentions.recall == 0
    with pytest.raises(DataError, match="the file is empty"):
        corefmeter.read(tmp_path / "e", side="response")  # nothing says of which format it is


def test_a_response_that_begins_behind_many_blank_lines_is_not_empty(file):
    text = file_of("sys\tx\tE1\t0,3\tAnn\tType\tActual")
    (document,) = corefmeter.read(file("\n" * (1 << 17) + text, "x.tbf"), side="response")
    assert len(document.entities) == 1


def test_a_nugget_that_is_not_annotated_is_its_span_alone(file):
    """So it is what other formats have there; one of a type is still another."""
    text = file_of(nugget("E1", "t3,t5", "way made", "NOT_ANNOTATED"), nugget("E2", "t3,t5", "a b"))
    (document,), _ = read(file(text, "x.tbf"))
    span = ((3, 4), (5, 6))
    assert document.entities == [[span], [Nugget(span, "Life_Die")]]
    assert document.entities[0][0] != Nugget(span, "Life_Die")


JSONL = (
    '{"doc_key": "x", "sentences": [["Ann", "saw", "her", "and", "Bo"]],'
    ' "clusters": [[[0, 0], [2, 2]], [[4, 4], [1, 1]]]}\n'
)


def test_what_has_no_types_is_scored_100_against_what_is_written_of_it(file, tmp_path):
    key, out = str(file(JSONL, "x.jsonl")), str(tmp_path / "out.tbf")
    corpus, lost = convert_corpus(read_corpus(key, details=True), "tbf", hull=False)
    told = [problem.message for problem in [*lost, *write_files(corpus, "tbf", out)]]
    assert told == ["the words of 1 document cannot be written in tbf: left out"]
    assert corefmeter.score(key, out, metrics=["mentions", "muc"]).muc.f1 == 1


def test_types_that_one_side_has_are_left_out_and_told(file):
    """One of two links is in the response; by the types none would be."""
    key = str(file(JSONL, "x.jsonl"))
    response = str(
        file(
            file_of(
                nugget("E1", "t0", "Ann"),
                nugget("E2", "t2", "her"),
                nugget("E3", "t4", "Bo"),
                "@Coreference\tC\tE1,E2",
            ),
            "r.tbf",
        )
    )
    for sides in ((key, response), (response, key)):
        with pytest.warns(
            corefmeter.CorefmeterWarning, match="only mentions of the (key|response) have types"
        ):
            result = corefmeter.score(*sides, metrics=["mentions", "muc"])
        rates = result.muc.recall, result.muc.precision
        assert rates == ((0.5, 1) if sides[0] == key else (1, 0.5))
        (problem,) = [p for p in result.problems if p.code == "types-left-out"]
        assert (problem.count, problem.path) == (3, response)
        assert (
            f"only mentions of the {'response' if sides[0] == key else 'key'} have types"
            in problem.message
        )


def test_other_types_at_the_same_places_are_called_so(file):
    """They were taken for places that are counted from 1."""
    rows = [nugget(f"E{n}", f"t{n}", "a") for n in range(4)]
    key = file(file_of(*rows), "key.tbf")
    response = file(file_of(*[row.replace("Life_Die", "A") for row in rows]), "r.tbf")
    with pytest.warns(corefmeter.CorefmeterWarning):
        result = corefmeter.score(key, response)
    (problem,) = [p for p in result.problems if p.code == "no-common-mention"]
    assert "The types that are part of mentions differ" in problem.hint
    assert "then 4 would be the same" in problem.hint


@pytest.mark.parametrize(
    ("move", "cause"),
    [
        (1, "The response seems to count from 1, the key from 0 (then 4 would be the same)."),
        (-1, "The key seems to count from 1, the response from 0 (then 4 would be the same)."),
    ],
)
@pytest.mark.parametrize("type", ["Life_Die", "Actual"])
def test_tokens_that_are_counted_otherwise_are_so_where_types_are_the_same(file, move, cause, type):
    """Tokens 5, 6, 9, 12 moved by one have one in common with these: 6 or 5."""
    places = (5, 6, 9, 12)
    key = file(file_of(*(nugget(f"E{n}", f"t{n}", "a", type) for n in places)), "key.tbf")
    rows = (nugget(f"E{n}", f"t{n + move}", "a", type) for n in places)
    result = corefmeter.score(key, file(file_of(*rows), "r.tbf"))
    assert result.sums("mentions") == (1, 4, 1, 4)
    (problem,) = [p for p in result.problems if p.code == "no-common-mention"]
    assert problem.hint == cause


def test_types_that_become_part_of_mentions_or_are_no_longer_are_told(file, tmp_path):
    row = nugget("E1", "t0", "Ann", "person")
    tbf = str(file(file_of(row), "x.tbf"))
    for into, out, said in (
        ("conllu", "out.conllu", "types are no longer part of mentions"),
        ("tbf", "back.tbf", "types become part of mentions"),
    ):
        corpus = read_corpus(
            tbf if into == "conllu" else str(tmp_path / "out.conllu"), details=True
        )
        fitted, _ = convert_corpus(corpus, into, hull=False)
        told = write_files(fitted, into, str(tmp_path / out))
        assert [p.count for p in told if p.message.startswith(said)] == [1]
