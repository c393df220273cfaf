"""Writing CoNLL files: what is written reads back as the same corpus."""

from __future__ import annotations

import io

import pytest
from hypothesis import given

from corefmeter import Corpus, Document, read
from corefmeter.formats import conll

from ..strategies import corpora


def written(*documents: Document) -> tuple[str, list[str]]:
    """The text, and the messages about what could not be written."""
    stream = io.StringIO()
    problems = conll.write(Corpus(list(documents)), stream)
    assert {problem.code for problem in problems} <= {"cannot-write", "mention-unwritten"}
    return stream.getvalue(), [problem.message for problem in problems]


def cells(entities: list, tokens: int, **options) -> list[str]:
    text, problems = written(Document("x", entities, tokens=tokens, **options))
    assert problems == []
    return [line.split("\t")[-1] for line in text.splitlines() if "\t" in line]


def content(corpus) -> list:
    """Everything of a corpus that a file holds."""
    return [
        (
            document.name,
            document.part,
            document.tokens,
            {
                name: sorted(mentions)
                for name, mentions in zip(document.entity_names, document.entities, strict=True)
            },
        )
        for document in corpus
    ]


def test_a_document():
    document = Document(
        "a/b", [[(0, 2), (3, 4)], [(1, 2)]], part=3, tokens=4, entity_names=["7", "x"]
    )
    assert written(document) == (
        "#begin document (a/b); part 003\n"
        "a/b\t3\t0\t_\t(7\n"
        "a/b\t3\t1\t_\t(x)|7)\n"
        "a/b\t3\t2\t_\t-\n"
        "a/b\t3\t3\t_\t(7)\n"
        "\n#end document\n",
        [],
    )


def test_opens_come_first_longest_first_and_closes_last_innermost_first():
    entities = [[(0, 2)], [(0, 3)], [(0, 1)], [(1, 3)]]
    assert cells(entities, 3) == ["(1|(0|(2)", "(3|0)", "3)|1)"]


def test_a_close_comes_before_an_open_of_its_entity():
    """The span from 0 to 2 and the span from 2 to 4 share token 2, and are no nest."""
    assert cells([[(0, 3), (2, 5)]], 5) == ["(0", "-", "0)|(0", "-", "0)"]
    assert cells([[(0, 4), (1, 3), (2, 4)]], 4) == ["(0", "(0", "0)|(0", "0)|0)"]


def test_no_part_is_no_part():
    text, problems = written(Document("x", [], tokens=0))
    assert text == "#begin document (x);\n\n#end document\n"
    assert problems == []


def test_mentions_beyond_the_known_tokens_get_theirs():
    assert cells([[(2, 3)]], 0) == ["-", "-", "(0)"]
    assert cells([[(0, 1)]], None) == ["(0)"]


def test_crossing_mentions_of_an_entity_are_left_out_with_a_problem():
    text, problems = written(Document("x", [[(0, 3), (1, 4)], [(1, 4)]], tokens=4))
    assert [line.split("\t")[-1] for line in text.splitlines() if "\t" in line] == [
        "(0", "(1", "0)", "1)"
    ]  # fmt: skip
    (message,) = problems
    assert "(1, 4) of entity 0" in message
    assert "crosses" in message


@pytest.mark.parametrize("mention", ["Ann", (2, 2), (3, 1), (-1, 2), (1, 2, 3), 5, ("a", 1)])
def test_mentions_that_are_no_spans_are_left_out_with_a_problem(mention):
    text, (problem,) = written(Document("x", [[mention, (0, 1)]], tokens=1))
    assert text.splitlines()[1] == "x\t0\t0\t_\t(0)"
    assert repr(mention) in problem


@pytest.mark.parametrize("name", ["", "a b", "(1)", "a|b", "a\tb", "1+2", "a*", "\ud800", "a\nb"])
def test_names_of_entities_that_a_cell_cannot_hold_become_numbers(file, name):
    document = Document("x", [[(0, 1)], [(1, 2)]], tokens=2, entity_names=["0", name])
    text, _ = written(document)
    assert content(read(file(text))) == [("x", None, 2, {"0": [(0, 1)], "1": [(1, 2)]})]


def test_two_entities_of_one_name_stay_two(file):
    document = Document("x", [[(0, 1)], [(1, 2)]], tokens=2, entity_names=["1", "1"])
    text, _ = written(document)
    assert content(read(file(text))) == [("x", None, 2, {"1": [(0, 1)], "0": [(1, 2)]})]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " x",
        "a\nb",
        "a\tb",
        "a\rb",
        "a) part 3",
        "a); part 3 (b",
        "\ud800",
        "  ",
        "#end document\n",
    ],
)
def test_documents_whose_names_are_read_as_others_can_be_read(file, name):
    text, _ = written(Document(name, [[(0, 1)]], tokens=2))
    assert [(d.tokens, d.entities) for d in read(file(text))] == [(2, [[(0, 1)]])]


@pytest.mark.parametrize(
    "name",
    ["#begin document (y)", "#1", "a (b)", "(a)", "it's: c", "part 3", "é 人"],
)
@pytest.mark.parametrize("part", [None, 0, 12, 1234])
def test_names_of_documents(file, name, part):
    text, problems = written(Document(name, [[(0, 1)]], part=part, tokens=2))
    assert problems == []
    assert content(read(file(text))) == [(name, part, 2, {"0": [(0, 1)]})]


@given(corpora())
def test_what_is_written_is_read_as_the_same(tmp_path_factory, corpus):
    path = tmp_path_factory.mktemp("written") / "x.conll"
    stream = io.StringIO()
    assert conll.write(corpus, stream) == []
    path.write_text(stream.getvalue(), "utf-8")
    assert content(read(path)) == content(corpus)
