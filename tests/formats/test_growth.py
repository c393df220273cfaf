"""Inputs made to be slow: nothing here looks at a clock, the quadratic way would not end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corefmeter import DataError, OptionError, read
from corefmeter.cli import main
from corefmeter.corpus.model import Document
from corefmeter.corpus.relations import Relations, Split, cyclic
from corefmeter.corpus.text import Text
from corefmeter.formats import source as sources
from corefmeter.formats.inline import style_of
from corefmeter.formats.inline.marks import parse
from corefmeter.formats.joining import join_documents
from corefmeter.formats.json_objects import objects
from corefmeter.formats.notes import Lines, Notes, whole_text
from corefmeter.formats.output import check_outputs
from corefmeter.formats.source import Source

from ..command import run

pytestmark = pytest.mark.slow

LONG = 1_000_000


def path_of(folder: Path, text: str, name: str = "x.txt") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_tag_of_digits_that_never_ends_is_no_style() -> None:
    assert style_of("</" + "1" * LONG) is None
    assert style_of("</e1>") == "tags"
    assert style_of("</1.a>") == "tags"
    assert style_of("</a.b>") is None


def test_attributes_of_an_inline_tag_are_read_once() -> None:
    text = "<m " + "a" * LONG + " ID=x>c</m>"
    assert [mark[:3] for mark in parse(text, "tags", Notes("-")).marks] == [(0, 1, "x")]


def test_entities_in_circles_and_in_a_long_chain() -> None:
    chain = [Split(str(i), (str(i + 1),)) for i in range(50_000)]
    assert cyclic(chain) == set()
    assert cyclic([*chain, Split("50000", ("49998", "1x"))]) == {"49998", "49999", "50000"}
    assert cyclic([Split("a", ("a",)), Split("b", ("a", "c")), Split("c", ("d",))]) == {"a"}


def test_strings_that_are_not_the_long_spans_of_their_mentions(tmp_path: Path) -> None:
    number = 20_000
    values = {"doc_key": "x", "text": "a" * LONG, "clusters": [[[i, LONG] for i in range(number)]]}
    values["clusters_strings"] = [["b"] * number]
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, json.dumps(values), "x.jsonl"))
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}


def test_annotations_of_brat_that_are_not_the_long_texts_at_their_offsets(tmp_path: Path) -> None:
    path_of(tmp_path, "a b " * (LONG // 4))
    lines = "".join(f"T{i}\tP 0 {LONG - 1 - i}\tzzz\n" for i in range(20_000))
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, lines, "x.ann"))
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}


def test_annotations_of_brat_that_are_not_the_long_blanks_at_their_offsets(tmp_path: Path) -> None:
    path_of(tmp_path, "a" + " " * LONG + "b")
    lines = "".join(f"T{i}\tP 0 {LONG - i}\tb\n" for i in range(20_000))
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, lines, "x.ann"))
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}


def test_mentions_of_booknlp_that_are_not_their_long_spans(tmp_path: Path) -> None:
    path_of(tmp_path, "sentence_ID\tword\n" + "0\tw\n" * 300_000, "x.tokens")
    rows = "".join(f"{i}\t{i}\t299999\tPROP\tPER\tzzz\n" for i in range(5_000))
    with pytest.raises(DataError) as caught:
        read(
            path_of(
                tmp_path, "COREF\tstart_token\tend_token\tprop\tcat\ttext\n" + rows, "x.entities"
            )
        )
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}
    assert "the tokens there are 'w w w w" in caught.value.problems[0].message


def test_mentions_of_litbank_that_are_not_their_long_spans(tmp_path: Path) -> None:
    path_of(tmp_path, "w\n" * (LONG // 2))
    rows = "".join(
        f"MENTION\tT{i}\t{i}\t0\t{LONG // 2 - 1}\t0\tzzz\tPER\tPROP\n" for i in range(5_000)
    )
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, rows, "x.tsv"))
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}


def test_nested_marks_before_many_blanks(tmp_path: Path) -> None:
    text = "[b]_1 " + "[" * 50_000 + " " * LONG + "a" + "]_1" * 50_000
    annotated = parse(text, "brackets", Notes("-"))
    assert [mark[:3] for mark in annotated.marks] == [(0, 1, "1")] + [(2, LONG + 3, "1")] * 50_000


def test_a_map_of_sub_tokens_that_jumps_is_refused(tmp_path: Path) -> None:
    values = {"doc_key": "x", "sentences": [["a", "b"]], "clusters": [], "subtoken_map": [0, 10**9]}
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, json.dumps(values), "x.jsonl"), details=True)
    assert [problem.code for problem in caught.value.problems] == ["bad-map"]


def test_a_word_without_sub_token_is_read(tmp_path: Path) -> None:
    values = {"sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]], "subtoken_map": [0, 2]}
    (document,) = read(path_of(tmp_path, json.dumps(values), "x.jsonl"))
    assert document.tokens == 3
    assert document.entities == [[(0, 1), (2, 3)]]


def test_keys_that_occur_twice_are_found_where_they_are_keys(tmp_path: Path) -> None:
    text = '{"a": "a\\": 1, \\"a\\":",\n "k\\u0061": 1,\n "a": 2, "ka": 3}\n'
    notes = Notes("x")
    with Source(path_of(tmp_path, text)) as source:
        list(objects(source, notes))
    assert [(problem.line, problem.column) for problem in notes.errors] == [(3, 2), (3, 10)]


def test_many_keys_that_occur_twice(tmp_path: Path) -> None:
    text = "{" + ", ".join(f'"k{i}": 1, "k{i}": 1' for i in range(50_000)) + "}"
    notes = Notes("x")
    with Source(path_of(tmp_path, text)) as source:
        list(objects(source, notes))
    assert notes.noted["repeated-key", "error"] == 50_000
    assert notes.errors[0].column == 11


def test_a_webanno_span_of_many_tokens_is_one_run(tmp_path: Path) -> None:
    rows = "".join(f"1-{i}\t{2 * i}-{2 * i + 1}\tw\tx[1]\t_\t_\n" for i in range(1, 100_001))
    head = (
        "#FORMAT=WebAnno TSV 3.2\n#T_SP=c.Referent|entity\n#T_RL=c.Coref|type|BT_c.Referent\n\n\n"
    )
    (document,) = read(path_of(tmp_path, head + rows, "x.webannotsv"))
    assert document.entities == [[(0, 100_000)]]


def test_a_message_does_not_hold_the_whole_text(tmp_path: Path) -> None:
    path_of(tmp_path, "a" * LONG, "x.txt")
    path = path_of(tmp_path, f"T1\tx-0 0 {LONG}\t{'b' * LONG}\n", "x.ann")
    with pytest.raises(DataError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert problem.code == "text-differs"
    assert len(problem.message) < 200


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(
            "x.sgm",
            '<COREF ID="1">a</COREF> <COREF ID="2" REF="1">b</COREF>',
            marks=pytest.mark.wings,
        ),
        ("x.txt", "[a]_1 [b]_1"),
        ("x.jsonl", '{\n"sentences": [["a"]], "clusters": []\n}'),
    ],
)
def test_what_is_read_as_a_whole_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setattr(sources, "LONGEST_TEXT", len(text) + 1)  # with the end of the last line
    read(path_of(tmp_path, text, name))
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, text + "\n\n", name))
    (problem,) = caught.value.problems
    assert problem.code == "too-large"
    assert f"more than {len(text) + 1} characters" in problem.message
    assert problem.hint is not None
    assert "Split the file" in problem.hint


def test_the_text_of_an_annotation_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LONGEST_TEXT", 10)
    path_of(tmp_path, "a" * 10, "x.txt")  # and the end of the line
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, "T1\tx-0 0 1\ta\n", "x.ann"))
    assert [problem.code for problem in caught.value.problems] == ["too-large"]


def test_a_line_that_is_left_out_of_a_text_is_empty() -> None:
    many = [(number, "") for number in range(3, 20_000)]
    assert whole_text([(2, "a"), *many, (20_001, "b")], "x", 2) == "a" + "\n" * 19_999 + "b"
    assert whole_text([], "x") == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "code", "begin", "line"),
    [
        (
            "x.conll",
            "bad-cell",
            "#begin document (x); part 000\nx\t0\t0\ta\t(1)\n",
            "x\t0\t1\tb\t(x*\n",
        ),
        ("x.conllu", "bad-columns", "# newdoc id = x\n# global.Entity = eid\n", "1\ta\n"),
        pytest.param(
            "x.tbf", "bad-line", "#BeginOfDocument x\n", "s\tx\n", marks=pytest.mark.wings
        ),
        ("x.jsonl", "bad-json", '{"sentences": [["a"]], "clusters": []}\n', "{\n"),
        ("x.txt", "unclosed-mention", "[a]_1 [b]_1\n", "c [d\n"),
        pytest.param(
            "x.sgm", "bad-line", '<COREF ID="1">a</COREF>', "<COREF\n", marks=pytest.mark.wings
        ),
    ],
)
def test_lines_are_counted_over_millions_of_empty_ones(
    tmp_path: Path, name: str, code: str, begin: str, line: str, end: str
) -> None:
    many = 3_000_000
    path = path_of(tmp_path, begin + end * many + line, name)
    with pytest.raises(DataError) as caught:
        read(path)
    numbers = {problem.code: problem.line for problem in caught.value.problems}
    assert numbers[code] == begin.count("\n") + many + 1


def test_places_are_those_of_the_lines_of_a_text() -> None:
    text = "a\n\nbc" * 3_000 + "d" * 20_000 + "\n"
    lines = Lines(text)
    for at in [*range(10), 4095, 4096, 4097, 15_000, 20_000, len(text) - 1, len(text)]:
        before = text[:at]
        assert lines.place(at) == (before.count("\n") + 1, at - before.rfind("\n"))


def test_the_lines_of_an_object_are_counted_over_empty_ones(tmp_path: Path) -> None:
    text = '\n{\n\n\n"sentences": [],\n\n"clusters": 1 2}'
    notes = Notes("x")
    with Source(path_of(tmp_path, text)) as source:
        list(objects(source, notes))
    assert [(problem.line, problem.column) for problem in notes.errors] == [(7, 15)]


def test_memory_that_runs_out_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(main.program, "main", exhausted)
    done = run("list", "metrics")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: there is not enough memory [too-large]")


def test_many_documents_of_one_name_are_joined_at_once() -> None:
    split = Relations((Split("c", ("a", "b")),))
    parts = [
        Document(
            "x", [[(0, 1)], [(1, 2)]], tokens=2, text=Text(["a", "b"], sentences=[0]),
            relations=split, entity_names=["a", "b"],
        )
        for _ in range(20_000)
    ]  # fmt: skip
    (whole,), errors = join_documents(parts, "x")
    assert errors == []
    assert whole.entities[1] == [(2 * part + 1, 2 * part + 2) for part in range(20_000)]
    assert whole.text is not None
    assert list(whole.text.words) == ["a", "b"] * 20_000
    assert list(whole.text.sentences) == list(range(0, 40_000, 2))
    assert whole.relations == split
    parts[7].text = parts[8].relations = None
    (whole,), _ = join_documents(parts[:10], "x")
    assert (whole.text, whole.relations) == (None, None)


def test_many_outputs_are_compared_at_once(tmp_path: Path) -> None:
    places = [str(tmp_path / f"{number}.txt") for number in range(100_000)]
    check_outputs(places)
    with pytest.raises(OptionError, match=r"one file, .*/7\.txt"):
        check_outputs([*places[:100], f"{tmp_path}/./7.txt"])
