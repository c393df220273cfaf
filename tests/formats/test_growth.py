"""Inputs made to be slow: nothing here looks at a clock, the quadratic way would not end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corefmeter import DataError, read
from corefmeter.corpus.relations import Split, cyclic
from corefmeter.formats.inline import style_of
from corefmeter.formats.inline.marks import parse
from corefmeter.formats.json_objects import objects
from corefmeter.formats.notes import Notes
from corefmeter.formats.source import Source

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
