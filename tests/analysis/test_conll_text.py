"""Reading words and their annotation from CoNLL files."""

from __future__ import annotations

import gzip

import pytest

from corefmeter import DataError
from corefmeter.api import read
from corefmeter.formats import read_corpus
from corefmeter.formats.conll import column
from corefmeter.mentions.features import ColumnFeature, Features

#: Columns as OntoNotes has them; a predicate argument makes thirteen of the first sentence.
ONTONOTES = """\
#begin document (bn/x/00/x_0001); part 002
bn/x/00/x_0001  2  0   Ann     NNP   (TOP(S(NP*      -     -   -   Bob   (PERSON*   (ARG0*   (7
bn/x/00/x_0001  2  1   Lee     NNP             *)    -     -   -   Bob          *)       *)   7)
bn/x/00/x_0001  2  2   fed     VBD          (VP*   feed   01   1   Bob          *     (V*)    -
bn/x/00/x_0001  2  3   her     PRP$         (NP*     -     -   -   Bob          *    (ARG1*   (7)|(3
bn/x/00/x_0001  2  4   dog     NN         *))))      -     -   -   Bob          *        *)   3)

bn/x/00/x_0001  2  0   It      PRP    (TOP(S(NP*)    -     -   -   Eve          *   (3)
bn/x/00/x_0001  2  1   left    VBD        (VP*       -     -   -   Eve          *   -
bn/x/00/x_0001  2  2   Monday  NNP       (NP*)))))   -     -   -   Eve   (DATE)     -

#end document
"""


def texts(path):
    """The texts of a file by the id of their document."""
    corpus = read_corpus(path, details=True)
    return {document.id: document.text for document in corpus if document.text is not None}


@pytest.fixture
def ontonotes(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text(ONTONOTES, "utf-8")
    return path


def test_columns_of_ontonotes(ontonotes):
    ((name, text),) = texts(str(ontonotes)).items()
    assert name == ("bn/x/00/x_0001", 2)
    assert text.words == ["Ann", "Lee", "fed", "her", "dog", "It", "left", "Monday"]
    assert text.sentences == [0, 5]
    assert text.pos == ["NNP", "NNP", "VBD", "PRP$", "NN", "PRP", "VBD", "NNP"]
    assert text.parse[:3] == ["(TOP(S(NP*", "*)", "(VP*"]
    assert text.speakers == ["Bob"] * 5 + ["Eve"] * 3
    assert text.entity_types == [(0, 2, "PERSON"), (7, 8, "DATE")]
    assert text.lines == [2, 3, 4, 5, 6, 8, 9, 10]
    assert text.upos is text.heads is text.relations is None


def test_positions_are_those_of_the_reader_that_scores(ontonotes):
    (document,) = read(ontonotes, details=True)
    shown = [[document.text.string(mention) for mention in e] for e in document.entities]
    assert shown == [["Ann Lee", "her"], ["her dog", "It"]]


def test_reading_with_details_has_the_texts(ontonotes):
    document = read_corpus(str(ontonotes), details=True).documents[0]
    assert document.text.pos[4] == "NN"
    assert read_corpus(str(ontonotes)).documents[0].text is None


def test_tabs_and_carriage_returns(tmp_path):
    path = tmp_path / "x.conll"
    rows = ["\t".join(line.split()) if "#" not in line else line for line in ONTONOTES.split("\n")]
    path.write_bytes("\r\n".join(rows).encode())
    text = texts(str(path))["bn/x/00/x_0001", 2]
    assert text.words[-1] == "Monday"
    assert text.entity_types == [(0, 2, "PERSON"), (7, 8, "DATE")]
    assert text.sentences == [0, 5]


def test_compressed(tmp_path):
    path = tmp_path / "x.conll.gz"
    path.write_bytes(gzip.compress(ONTONOTES.encode()))
    assert texts(str(path))["bn/x/00/x_0001", 2].pos[0] == "NNP"


def test_columns_without_a_value_are_missing(tmp_path):
    """As in WinoBias: no tags and no parse; nobody is named, but names would be there."""
    path = tmp_path / "x.conll"
    path.write_text(
        "#begin document (x); part 000\n"
        "x 0 0 The - - - - - Speaker#1 * * (1\n"
        "x 0 1 dog - - - - - Speaker#1 * * 1)\n"
        "#end document\n"
    )
    text = texts(str(path))["x", 0]
    assert text.pos is text.parse is None
    assert text.entity_types == []
    assert text.speakers == ["Speaker#1", "Speaker#1"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["x\t0\t0\tThe\t-", "x\t0\t1\tdog\t(1)"], ["The", "dog"]),
        (["The -", "dog (1)"], ["The", "dog"]),
        (["1 The -", "2 dog (1)"], ["The", "dog"]),
    ],
)
def test_of_fewer_columns_only_the_words_are_read(tmp_path, rows, words):
    path = tmp_path / "x.conll"
    path.write_text("\n".join(["#begin document (x); part 000", *rows, "#end document", ""]))
    text = texts(str(path))["x", 0]
    assert text.words == words
    assert text.pos is text.parse is text.entity_types is text.speakers is None
    assert text.lines == [2, 3]


def test_a_document_without_a_column_of_words_has_no_text(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text("#begin document (x); part 000\n-\n(1)\n#end document\n")
    assert texts(str(path)) == {}
    assert read(path, details=True).documents[0].text is None


def test_comments_end_no_sentence(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text(
        "#begin document (x); part 000\n# a remark\n"
        "x 0 0 The -\n# another\nx 0 1 dog -\n\n# third\nx 0 0 It (1)\n#end document\n"
        "#begin document (y); part 000\n#end document\n"
    )
    found = texts(str(path))
    assert found["x", 0].sentences == [0, 2]
    assert found["x", 0].lines == [3, 5, 8]
    assert (found["y", 0].words, found["y", 0].sentences) == ([], [])


def test_documents_that_are_joined_begin_new_sentences(tmp_path):
    path = tmp_path / "x.conll"
    part = "#begin document (x); part 000\nx 0 0 The -\nx 0 1 dog (1)\n#end document\n"
    path.write_text(part + part)
    document = read_corpus(str(path), documents="concatenate", details=True).documents[0]
    assert document.text.words == ["The", "dog", "The", "dog"]
    assert document.text.sentences == [0, 2]


def test_broken_names_are_passed_over(tmp_path):
    """A name that is not closed ends with its sentence; a close without an open is nothing."""
    path = tmp_path / "x.conll"
    cells = ["(ORG*", "*", "*)", "(GPE)", "*)", "(A(B*", "*))"]
    rows = [f"x 0 0 w - - - - - - {cell} -" for cell in cells]
    rows.insert(2, "")
    path.write_text("\n".join(["#begin document (x); part 000", *rows, "#end document", ""]))
    assert texts(str(path))["x", 0].entity_types == [(3, 4, "GPE"), (5, 7, "A"), (5, 7, "B")]


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(DataError, match="unreadable"):
        texts(str(tmp_path / "none.conll"))


def test_a_column_as_a_feature(ontonotes):
    """The lemma of the predicate, column 6, at the head; and the coreference cell, counted back."""
    document = read_corpus(str(ontonotes), details=True).documents[0]
    lemmas = ColumnFeature(column(str(ontonotes), 6))
    features = Features(document, document, functions={"lemma": lemmas})
    assert lemmas((2, 3), document) == "feed"
    assert lemmas((0, 2), document) is None
    assert features.group((0, 2), "lemma") == "unknown"
    assert column(str(ontonotes), -1)["bn/x/00/x_0001", 2][:4] == ["(7", "7)", "-", "(7)|(3"]
    assert column(str(ontonotes), 40)["bn/x/00/x_0001", 2] == [""] * 8
