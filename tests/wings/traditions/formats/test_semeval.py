"""SemEval-2010 files: what is read, what is repaired, what is refused, and what is written."""

from __future__ import annotations

import io
from functools import partial

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats import conll
from corefmeter.problems import DataError
from corefmeter.wings.traditions.formats import semeval

from ....formats.reading import errors_by, read_by


def row(number: int, word: str, cell: str, head: str = "_", arguments: int = 0, **more: str) -> str:
    """A token of 17 columns and some of arguments; the keys of `more` are c4, c8, ..."""
    cells = [str(number), word, *["_"] * 14, *["_"] * arguments, cell]
    cells[8] = head
    for name, value in more.items():
        cells[int(name[1:])] = value
    return "\t".join(cells)


ORDINARY = "\n".join(
    [
        "#begin document letter",
        row(1, "The", "(1", "3", c4="DT", c10="det", c12="(person"),
        row(2, "old", "_", "3", c4="JJ", c10="amod"),
        row(3, "man", "1)", "4", c4="NN", c10="nsubj", c12="person)"),
        row(4, "left", "_", "0", c4="VBD", c10="root"),
        "",
        row(1, "He", "(1)", "2", c4="PRP", c10="nsubj"),
        row(2, "sold", "_", "0", c4="VBD", c10="root"),
        row(3, "his", "(2|(1)", "4", c4="PRP$", c10="poss"),
        row(4, "dog", "2)", "2", c4="NN", c10="dobj"),
        "",
        "#end document letter",
        "",
    ]
)


read = partial(read_by, semeval)
errors = partial(errors_by, semeval)


def cells(*column: str) -> str:
    """A document with these cells."""
    rows = [row(i, f"w{i}", cell) for i, cell in enumerate(column, 1)]
    return "\n".join(["#begin document x", *rows, "#end document x", ""])


def test_an_ordinary_file_is_read(file):
    path = file(ORDINARY)
    (document,), problems = read(path, details=True)
    assert problems == []
    assert (document.name, document.part, document.tokens, document.line) == ("letter", None, 8, 1)
    assert document.entity_names == ["1", "2"]
    assert document.entities == [[(0, 3), (4, 5), (6, 7)], [(6, 8)]]
    text = document.text
    assert text.words == ["The", "old", "man", "left", "He", "sold", "his", "dog"]
    assert text.sentences == [0, 4]
    assert text.pos == ["DT", "JJ", "NN", "VBD", "PRP", "VBD", "PRP$", "NN"]
    assert text.heads == [2, 2, 3, -1, 5, -1, 7, 5]
    assert text.relations[4] == "nsubj"
    assert text.entity_types == [(0, 3, "person")]
    assert text.lines == [2, 3, 4, 5, 7, 8, 9, 10]
    assert [[d.head for d in entity] for entity in document.details] == [[2, 4, 6], [7]]


def test_entities_are_the_same_without_details(file):
    path = file(ORDINARY)
    (document,), _ = read(path)
    assert document.entities == [[(0, 3), (4, 5), (6, 7)], [(6, 8)]]
    assert document.text is None
    assert document.details is None
    assert [document.line_at(token) for token in (0, 3, 4, 7)] == [2, 5, 7, 10]


def test_the_file_is_recognised(file):
    path = file(ORDINARY)
    assert corefmeter.read(path).format == "semeval"
    assert not conll.sniff(ORDINARY.encode())


def test_a_conll_file_is_not_taken_for_one():
    rows = "\n".join("\t".join(["1", "0", str(i), "w", *["-"] * 12]) for i in range(3))
    head = f"#begin document (1); part 000\n{rows}\n".encode()
    assert not semeval.sniff(head)
    assert conll.sniff(head)


# Tricky, but legal.


def test_token_ids_restart_in_each_sentence(file):
    (document,), problems = read(file(ORDINARY))
    assert (document.tokens, problems) == (8, [])


def test_an_empty_subject_is_a_token(file):
    text = "\n".join(
        ["#begin document x", row(1, "_", "(1)"), row(2, "va", "_"), "#end document x"]
    )
    (document,), problems = read(file(text), details=True)
    assert problems == []
    assert document.entities == [[(0, 1)]]
    assert document.text.words == ["_", "va"]


def test_sentences_may_have_different_numbers_of_argument_columns(file):
    text = "\n".join(
        ["#begin document x", row(1, "a", "(1)", arguments=1), "", row(1, "b", "(1)", arguments=2),
         "#end document x", ""]
    )  # fmt: skip
    (document,), problems = read(file(text))
    assert (document.entities, problems) == ([[(0, 1), (1, 2)]], [])


def test_singletons_are_kept(file):
    (document,), _ = read(file(cells("(1)", "(2)", "_")))
    assert document.entities == [[(0, 1)], [(1, 2)]]


def test_the_end_of_a_document_has_its_name(file):
    two = cells("(1)") + cells("(1)").replace("document x", "document y")
    documents, problems = read(file(two))
    assert ([d.name for d in documents], problems) == (["x", "y"], [])


def test_other_line_ends_and_dashes_for_nothing(file):
    text = cells("(1", "1)", "-").replace("\n", "\r\n").rstrip()
    (document,), problems = read(file(text))
    assert (document.entities, problems) == ([[(0, 2)]], [])


# Broken.


def test_a_missing_bar_is_repaired_with_a_warning(file):
    path = file(cells("(1", "1)(2", "2)"))
    (document,), (problem,) = read(path)
    assert document.entities == [[(0, 2)], [(1, 3)]]
    # 2, TAB, w2, TAB, 14 x (_, TAB) are 33 characters; "1)" are two more.
    assert (problem.code, problem.severity, problem.line, problem.column) == (
        "repaired", "warning", 3, 36
    )  # fmt: skip


def test_a_stray_dash_is_repaired_with_a_warning(file):
    (document,), (problem,) = read(file(cells("(1)-")))
    assert document.entities == [[(0, 1)]]
    assert (problem.code, problem.line, problem.column) == ("repaired", 2, 37)


@pytest.mark.parametrize(
    ("cell", "column"),
    [("_(3)", 34), ("-(3)", 34), ("(3)|", 37), ("(3)x", 37), ("(3)|arg2", 38)],
)
def test_signs_around_brackets_are_left_out_as_by_the_official_scorer(file, cell, column):
    (document,), (problem,) = read(file(cells(cell)))
    assert document.entities == [[(0, 1)]]
    assert (problem.code, problem.line, problem.column) == ("repaired", 2, column)


def test_cells_without_brackets_are_none_and_counted(file):
    (document,), (problem,) = read(file(cells("(4", "arg2", "4)", "4923", "--")))
    assert (document.entities, document.tokens) == ([[(0, 3)]], 5)
    assert (problem.code, problem.line, problem.column, problem.count) == ("repaired", 3, 34, 3)
    assert "arg2" in problem.message


def test_a_head_that_is_no_number_counts_as_a_root_with_a_warning(file):
    path = file(ORDINARY.replace("\t3\t_\tdet", "\tthird\t_\tdet"))
    (document,), problems = read(path)
    assert (document.tokens, problems) == (8, [])
    (document,), (problem,) = read(path, details=True)
    assert (problem.code, problem.severity) == ("bad-head", "warning")
    assert (problem.line, problem.column) == (2, 20)
    assert document.text.heads[0] == -1


def test_a_head_beyond_the_sentence_counts_as_a_root_with_a_warning(file):
    path = file(ORDINARY.replace("\t3\t_\tdet", "\t5\t_\tdet"))
    (document,), (problem,) = read(path, details=True)
    assert (problem.code, problem.line, problem.column) == ("bad-head", 2, 20)
    assert document.text.heads[0] == -1


def test_a_line_with_fewer_columns_is_a_warning(file):
    text = "\n".join(
        ["#begin document x", row(1, "a", "(1)"), row(2, "b", "_")[4:], "#end document"]
    )
    _, (problem,) = read(file(text))
    assert (problem.code, problem.line) == ("bad-columns", 3)


def test_documents_of_other_names_are_told_with_both_sets(file):
    key = file(cells("(1)"), "key")
    response = file(cells("(1)").replace("document x", "document y"), "response")
    with pytest.raises(DataError) as caught:
        corefmeter.score(key, response)
    (problem,) = caught.value.problems
    assert problem.code == "no-common-document"
    assert "the key has 'x'; the response has 'y'" in problem.message


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["(1", "_"], [("unclosed-mention", 2, None)]),
        (["_", "1)"], [("close-without-open", 3, 34)]),
        (["(1))"], [("bad-cell", 2, 37)]),
        (["1|(1)"], [("bad-cell", 2, 34)]),
        (["()"], [("bad-cell", 2, 34)]),
    ],
)
def test_broken_cells_are_errors_with_their_place(file, column, expected):
    assert errors(file(cells(*column))) == expected


def test_the_same_document_twice_is_an_error(file):
    path = file(cells("(1)") + cells("(1)"))
    assert errors(path) == [("repeated-document", 4, None)]
    (document,), _ = read(path, concatenate=True)
    assert (document.entities, document.tokens) == ([[(0, 1), (1, 2)]], 2)


def test_lines_outside_of_documents_and_short_lines_are_errors(file):
    assert errors(file(row(1, "a", "_") + "\n")) == [("outside-document", 1, None)]
    assert errors(file("#begin document x\nword (1)\n#end document x\n")) == [("bad-line", 2, None)]


def test_text_that_is_not_utf8_is_an_error(file):
    content = cells("(1)").encode().replace(b"w1", b"w\xff")
    assert errors(file(content)) == [("not-text", 2, 4)]


def test_a_missing_end_is_a_warning(file):
    text = cells("(1)").replace("#end document x\n", "")
    _, (problem,) = read(file(text))
    assert (problem.code, problem.line) == ("missing-end", 2)


# Written.


def written(*documents: Document) -> tuple[str, list]:
    stream = io.StringIO()
    problems = semeval.write(Corpus(list(documents)), stream)
    return stream.getvalue(), problems


def test_what_was_read_is_written_and_read_again(file):
    (first,), _ = read(file(ORDINARY), details=True)
    text, problems = written(first)
    assert problems == []
    (again,), problems = read(file(text, "again"), details=True)
    assert problems == []
    assert (again.id, again.entity_names, again.entities) == (
        first.id, first.entity_names, first.entities
    )  # fmt: skip
    for name in ("words", "sentences", "pos", "heads", "relations", "entity_types"):
        assert getattr(again.text, name) == getattr(first.text, name), name


def test_a_part_is_written_so_that_it_is_read_again(file):
    text, problems = written(Document("x", [[(0, 1)]], part=2, tokens=1))
    (again,), _ = read(file(text))
    assert (again.name, again.part, problems) == ("x", 2, [])


def test_a_gap_cannot_be_written():
    document = Document("x", [[((0, 1), (2, 3)), (3, 4)]], tokens=4, text=Text(list("abcd")))
    text, (problem,) = written(document)
    assert problem.code == "mention-unwritten"
    assert text.count("(0)") == 1


def test_a_head_that_is_a_dash_is_none(file):
    path = file(ORDINARY.replace("\t3\t_\tdet", "\t-\t_\tdet"))
    assert read(path, details=True)[1] == []
    assert read(path, details=True)[0][0].text.heads[0] == -1
