"""CoNLL files with words, and with all that OntoNotes knows about them."""

from __future__ import annotations

import io

from corefmeter import read
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats import conll


def written(document: Document) -> str:
    stream = io.StringIO()
    assert conll.write(Corpus([document]), stream) == []
    return stream.getvalue()


def test_words_make_five_columns_and_sentences_are_parted_by_blank_lines():
    text = Text(["Ann", "left", "She", "New York"], sentences=[0, 2])
    document = Document("x", [[(0, 1), (2, 3)]], part=0, tokens=4, text=text)
    assert written(document) == (
        "#begin document (x); part 000\n"
        "x\t0\t0\tAnn\t(0)\nx\t0\t1\tleft\t-\n"
        "\n"
        "x\t0\t0\tShe\t(0)\nx\t0\t1\tNew_York\t-\n"
        "\n#end document\n"
    )


def test_annotation_makes_twelve_columns_that_are_read_again(file):
    text = Text(
        ["New", "York", "slept", "It", "woke"], sentences=[0, 3],
        pos=["NNP", "NNP", "VBD", "PRP", "VBD"],
        parse=["(TOP(S(NP*", "*)", "(VP*)))", "(TOP(S(NP*)", "(VP*)))"],
        speakers=["A", "A", "A", "B", "B"], entity_types=[(0, 2, "GPE"), (1, 2, "NORP")],
    )  # fmt: skip
    document = Document("x", [[(0, 2), (3, 4)]], part=0, tokens=5, text=text)
    lines = written(document).splitlines()
    assert lines[1].split("\t")[3:] == [
        "New", "NNP", "(TOP(S(NP*", "-", "-", "-", "A", "(GPE*", "(0"
    ]  # fmt: skip
    assert lines[2].split("\t")[10] == "(NORP))"
    (again,) = read(file(written(document)), details=True).documents
    assert again.entities == document.entities
    for name in ("words", "sentences", "pos", "parse", "speakers", "entity_types"):
        assert getattr(again.text, name) == getattr(text, name), name


def test_a_text_shorter_than_the_document_is_filled_up():
    document = Document("x", [[(2, 3)]], tokens=3, text=Text(["a"]))
    assert [line.split("\t")[3] for line in written(document).splitlines() if "\t" in line] == [
        "a", "_", "_"
    ]  # fmt: skip


def test_a_line_whose_columns_are_empty_has_no_word(file):
    """Between TABs nothing is a column, too."""
    empty = "#begin document (x)\nw\t\t\t\n#end document\n"
    path = file(f"{empty}#begin document (y)\ny\t0\tAnn\t(1)\n#end document\n")
    for details in (False, True):
        corpus = read(path, details=details)
        assert [document.entities for document in corpus] == [[], [[(0, 1)]]]
    assert [document.text.words for document in corpus] == [[""], ["Ann"]]


def test_words_between_spaces_are_known_before_a_tab_and_an_empty_cell(file):
    rows = [
        f"x 0 {place} {word} {pos} * - - S * * {role}\t\n"
        for place, (word, pos, role) in enumerate([("Ann", "NNP", "ARG0"), ("ran", "VBD", "V")])
    ]
    path = file(f"#begin document (x); part 000\n{''.join(rows)}\n#end document\n")
    (document,) = read(path, details=True)
    assert (document.entities, document.text.words) == ([], ["Ann", "ran"])
    assert document.text.pos == ["NNP", "VBD"]
