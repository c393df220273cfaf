"""JSON in files: lines, arrays, indentation, damage, and what each format is recognised by."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import DataError, read
from corefmeter.corpus.model import Document
from corefmeter.formats import format_named
from corefmeter.formats.json_objects import brief_json
from corefmeter.formats.json_shapes import document_keys, name_and_part, parts_of_keys
from corefmeter.formats.source import Source

from .json_files import content, json_lines, refused

ONE = {"doc_key": "a_0", "sentences": [["x", "y"]], "clusters": [[[0, 0], [1, 1]]]}
TWO = {"doc_key": "b_0", "sentences": [["z"]], "clusters": []}
BOTH = [("a", 0, [[(0, 1), (1, 2)]]), ("b", 0, [])]


@pytest.mark.parametrize(
    "text",
    [
        json_lines(ONE, TWO),
        json_lines(ONE, TWO).rstrip("\n"),
        json_lines(ONE, TWO).replace("\n", "\r\n"),
        "\n\n" + json_lines(ONE) + "  \n" + json_lines(TWO) + "\n",
        "\ufeff" + json_lines(ONE, TWO),
        json.dumps([ONE, TWO]),
        json.dumps([ONE, TWO], indent=2),
        "[\n" + json.dumps(ONE) + ",\n" + json.dumps(TWO) + "\n]\n",
        json.dumps(ONE, indent=2) + "\n" + json.dumps(TWO, indent="\t"),
        json.dumps([ONE]) + "\n" + json.dumps(TWO) + "\n",
    ],
    ids=["lines", "no end", "CRLF", "blank lines", "mark", "array", "indented array",
         "array of lines", "indented objects", "array and line"],
)  # fmt: skip
def test_objects_are_read_however_they_are_laid_out(file, text):
    assert content(read(file(text))) == BOTH


def test_objects_in_a_compressed_file(file):
    assert content(read(file(gzip.compress(json_lines(ONE, TWO).encode())))) == BOTH


def test_lines_of_indented_objects_are_counted(file):
    corpus = read(file("\n" + json.dumps([ONE, TWO], indent=0)))
    first = json.dumps([ONE], indent=0).count("\n")
    assert [document.line for document in corpus] == [3, first + 2]


def test_a_line_that_is_cut_off_is_told_with_column_and_byte(file):
    text = json_lines(ONE) + '{"doc_key": "é", "sentences": [["x"]'
    with pytest.raises(DataError) as error:
        read(file(text))
    (problem,) = error.value.problems
    assert (problem.code, problem.line, problem.column) == ("bad-json", 2, 37)
    assert "byte 38 of the line" in problem.message  # é is one character of two bytes
    assert problem.hint == "The text ends too early; the file may be truncated."


def test_a_first_line_that_is_cut_off_does_not_hide_the_next_ones(file):
    text = json_lines(ONE)[:-3] + "\n" + json_lines(TWO | {"clusters": [[[0, 1]]]})
    assert [(code, line) for code, line, _ in refused(file(text))] == [
        ("bad-json", 1),
        ("wrong-ends", 2),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"sentences": [["x"]],\n "clusters": [[[0 0]]]}', 2, "expecting ',' delimiter"),
        ('[{"sentences": []}\n', 1, "the array is not closed"),
        ('[{"sentences": [], "clusters": []} {}]', 1, "expecting ',' delimiter"),
        ('[{"sentences": [], "clusters": []}] x', 1, "text after the array"),
        ('{"sentences": ["' + "x" * 50, 1, "unterminated string"),
        ('{"sentences": ' + "[" * 100_000, 1, "nested too deeply"),
        ('{"sentences": ' + "9" * 10_000 + "}", 1, "not JSON"),
    ],
    ids=["comma", "open array", "no comma", "rest", "string", "depth", "digits"],
)
def test_text_that_is_no_json(file, text, line, message):
    errors = [error for error in refused(file(text)) if error[0] == "bad-json"]
    assert len(errors) == 1
    assert errors[0][1] == line
    assert message in errors[0][2]


def test_values_that_are_no_objects(file):
    path = file(json_lines(TWO) + "[1]\n7\n")
    assert refused(path) == [
        ("bad-field", 2, "an array where an object is expected"),
        ("bad-field", 3, "a number where an object is expected"),
    ]


@pytest.mark.parametrize(
    ("value", "kind"),
    # As JSON: 38 letters in quotes; in brackets, 12 numbers with comma and space, and two digits.
    [("x" * 38, "a string"), ([0] * 12 + [10], "an array"), (int("1" * 40), "a number")],
)
def test_a_value_of_forty_characters_is_quoted_and_a_longer_one_is_named(value, kind):
    text = json.dumps(value)
    longer = {str: lambda: value + "x", list: lambda: [*value[:-1], 100], int: lambda: value * 10}
    more = longer[type(value)]()
    assert (len(text), len(json.dumps(more))) == (40, 41)
    assert (brief_json(value), brief_json(more)) == (text, kind)


def test_a_key_that_stands_twice_is_told_with_its_column(file):
    path = file('{"sentences": [],\n"clusters": [],  "clusters": []}')
    with pytest.raises(DataError) as error:
        read(path)
    (problem,) = error.value.problems
    assert (problem.code, problem.line, problem.column) == ("repeated-key", 2, 18)


def test_bytes_that_are_no_text(file):
    path = file(json_lines(ONE).encode() + b'{"doc_key": "\xff"}\n' + json_lines(TWO).encode())
    assert [(code, line) for code, line, _ in refused(path)] == [("not-text", 2)]


def test_an_array_without_documents(file):
    assert [code for code, _, _ in refused(file("[]"), format="e2e")] == ["no-document"]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("e2e", json_lines(ONE)),
        ("e2e", json_lines({"doc_key": "x", "sentences": [["[CLS]"]], "subtoken_map": [0]})),
        ("e2e", json_lines({"document": ["a"], "clusters": []})),
        ("e2e", json_lines({"doc_key": "x", "sentences": [["long"] * 20_000]})),
        ("preco", json_lines({"id": "x", "sentences": [], "mention_clusters": []})),
        ("maverick", json_lines({"tokens": [], "clusters_token_offsets": []})),
        ("fastcoref", json_lines({"text": "x", "clusters": []})),
        ("fastcoref", json_lines({"tokens": ["x"], "clusters": []})),
        ("clusters", json_lines({"type": "clusters", "clusters": {}})),
        ("clusters", json_lines({"type": "graph", "mentions": [], "links": []})),
        ("inline", json_lines({"doc_id": "x", "text": "[Ann]_1 ran"})),
    ],
)
def test_each_format_is_recognised_by_its_keys_and_by_no_other(format, text):
    head = text.encode()[: 1 << 16]
    assert [n for n in NAMES if format_named(n).sniff(head, "x.json")] == [format]


NAMES = ["e2e", "preco", "maverick", "fastcoref", "clusters", "inline"]
LONG = ["long"] * 20_000


@pytest.mark.parametrize(
    ("format", "value"),
    [
        ("e2e", {"sentences": [LONG], "clusters": []}),
        ("e2e", {"document": LONG, "clusters": []}),
        ("preco", {"id": "x", "sentences": [LONG], "mention_clusters": []}),
        ("maverick", {"tokens": LONG, "clusters_token_offsets": []}),
        ("fastcoref", {"text": " ".join(LONG), "clusters": []}),
        ("fastcoref", {"tokens": LONG, "clusters": []}),
        ("inline", {"text": "[so]_1 long " * 20_000}),
        ("clusters", {"type": "clusters", "remark": LONG, "clusters": {}}),
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_where_a_block_of_bytes_ends_does_not_matter(file, format, value, indent):
    text = json.dumps(value, indent=indent)
    assert len(text) > 1 << 16
    with Source(file(text)) as source:
        assert [n for n in NAMES if format_named(n).sniff(source.head, "x.json")] == [format]
        assert b"".join(source.blocks()) == text.encode() + b"\n"


def test_a_key_that_the_end_of_a_block_cuts_is_known(file):
    for cut in range(70, 110):  # the key is at the end of the block, cut anywhere or not at all
        head = '{"id": "x", "sentences": [["'
        word = "a" * ((1 << 16) - len(head) - cut)
        text = head + word + '"]]' + " " * 70 + ', "mention_clusters": []}'
        with Source(file(text)) as source:
            assert format_named("preco").sniff(source.head, "x.json")


@pytest.mark.parametrize("head", [b"", b"x", b"#begin document (x);\n", b"[Ann] ran", b"1\tAnn\n"])
def test_other_files_are_no_json(head):
    names = ["e2e", "preco", "maverick", "fastcoref", "clusters"]
    assert not any(format_named(name).sniff(head, "x.json") for name in names)


_NAMES = st.text("ab_01", min_size=1, max_size=4)
_IDS = st.lists(
    st.tuples(_NAMES, st.none() | st.integers(0, 3)),
    unique_by=lambda id: (id[0], id[1] or 0),
    min_size=1,
    max_size=4,
)


@given(_IDS)
def test_doc_keys_keep_each_name_as_it_was_or_its_part(ids):
    documents = [Document(name, [], part=part) for name, part in ids]
    keys = document_keys(documents)
    split = parts_of_keys(keys) or [name_and_part(key, "doc_key") for key in keys]
    for (name, part), key, found in zip(ids, keys, split, strict=True):
        assert key == name if part is None else (found[0], found[1] or 0) == (name, part)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "x.json"
    path.write_bytes(b'{"doc_key": "x", "sentences": [["a"]], "clusters": [[[' + data)
    with suppress(DataError):
        assert len(read(path, "e2e")) >= 1


def test_all_errors_of_an_object_are_told_at_once(file):
    """What is missing, a name that is none, spans and strings do not hide each other."""
    bare = refused(file('{"doc_key": []}\n', "a.jsonl"), format="e2e")
    assert [(code, message.split(":")[0]) for code, _, message in bare] == [
        (
            "missing-field",
            "the object has no 'sentences', which e2e-coref JSON lines needs; its keys",
        ),
        (
            "missing-field",
            "the object has no 'clusters', which e2e-coref JSON lines needs; its keys",
        ),
        ("bad-field", "doc_key"),
    ]
    other = {"id": "x", "text": "Ann", "tokens": ["Bob"], "clusters": [[[0, 4]]]}
    found = refused(file(json_lines(other), "b.jsonl"), format="fastcoref")
    assert [code for code, _, _ in found] == ["bad-span", "text-differs"]


def test_parts_of_every_name_count_from_0():
    assert parts_of_keys(["a_0", "b_0", "a_1"]) == [("a", 0), ("b", 0), ("a", 1)]
    assert parts_of_keys(["a_0", "b_1", "a_1"]) == []
