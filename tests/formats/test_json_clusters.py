"""Plain clusters, and graphs of links, as scorch reads them."""

from __future__ import annotations

import json

import pytest

from corefmeter import DataError, Document, read, score

from .json_files import content, json_lines, refused, warned, written

#: An ordinary file.
ORDINARY = '{"type": "clusters", "clusters": {"e1": ["m1", "m3"], "e2": ["m2"]}}\n'

#: Legal: links twice and reversed, a link of a mention to itself, a mention without links, numbers.
TRICKY = json.dumps(
    {
        "type": "graph",
        "mentions": ["m1", "m2", 3, "m4", "lone"],
        "links": [["m1", "m2"], ["m2", "m1"], ["m1", "m2"], [3, "m2"], ["m4", "m4"]],
    },
    indent=2,
)

#: Broken in six ways, one a line.
BROKEN = (
    '{"id": "a", "type": "cluster", "clusters": {}}\n'
    '{"id": "b", "type": "graph", "mentions": ["x"], "links": [["x", "y"]]}\n'
    '{"id": "c", "type": "clusters", "clusters": {"e": ["x"], "e": ["y"]}}\n'
    '{"id": "d", "type": "graph", "mentions": ["x", "y"]}\n'
    '{"id": "e", "clusters": {"e": "xy"}}\n'
    '{"id": "f", "mentions": ["x", "y"], "links": [["x"], ["x", 1.5]]}\n'
)


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY, "story.json"))
    assert corpus.format == "clusters"
    assert corpus.problems == []
    document = corpus.documents[0]
    assert (document.name, document.unit, document.tokens) == ("story", "names", None)
    assert document.entities == [["m1", "m3"], ["m2"]]
    assert document.entity_names == ["e1", "e2"]


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY, "graph.json"))
    assert corpus.problems == []
    assert content(corpus) == [("graph", 0, [["3", "m1", "m2"], ["lone"], ["m4"]])]


def test_a_list_of_clusters_and_mentions_that_are_spans(file):
    text = '{"doc_id": "x", "clusters": [["a"], [[0, 1], [3, 4]]]}'
    assert content(read(file(text))) == [("x", 0, [["0-1", "3-4"], ["a"]])]


def test_empty_clusters(file):
    corpus = read(file('{"type": "clusters", "clusters": {}}', "x.json"))
    assert content(corpus) == [("x", 0, [])]
    corpus = read(file('{"clusters": {"e1": [], "e2": ["m"]}}', "x.json"))
    assert corpus.documents[0].entity_names == ["e2"]
    assert warned(corpus) == [("empty-entity", 1)]


def test_a_mention_declared_twice_is_one(file):
    corpus = read(
        file('{"type": "graph", "mentions": ["a", "a", "b"], "links": [["a", "b"]]}', "x.json")
    )
    assert content(corpus) == [("x", 0, [["a", "b"]])]
    assert warned(corpus) == [("repeated-mention", 1)]


def test_every_error_is_told_with_its_line_and_path(file):
    errors = refused(file(BROKEN))
    assert [(code, line) for code, line, _ in errors] == [
        ("bad-field", 1),
        ("unknown-mention", 2),
        ("repeated-key", 3),
        ("missing-field", 4),
        ("bad-field", 5),
        ("bad-field", 6),
        ("bad-field", 6),
    ]
    messages = [message for _, _, message in errors]
    assert messages[0].startswith("type: unknown type 'cluster'; did you mean 'clusters'?")
    assert messages[1] == "links[0]: the mention 'y' is not among the mentions"
    assert "'e'" in messages[2]
    assert "'links'" in messages[3]
    assert messages[4] == "clusters['e']: a string where a list of mentions is expected"
    assert messages[5] == "links[0]: 1 mention where two are expected"
    assert messages[6] == "links[1][1]: 1.5 where the name of a mention is expected"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"clusters": 1}', "clusters: a number where clusters are expected"),
        (
            '{"type": "graph", "mentions": 1, "links": []}',
            "mentions: a number where a list of mentions",
        ),
        (
            '{"type": "graph", "mentions": [], "links": {}}',
            "links: an object where a list of links",
        ),
        (
            '{"type": "graph", "mentions": [null], "links": []}',
            "mentions[0]: null where the name of a mention",
        ),
        (
            '{"type": "graph", "mentions": [["a"]], "links": []}',
            'mentions[0]: ["a"] where the name of a mention',
        ),
    ],
)
def test_values_of_another_kind(file, text, message):
    ((code, _, found),) = refused(file(text))
    assert code == "bad-field"
    assert found.startswith(message)


def test_two_files_of_different_names_belong_together(file):
    key, response = file(ORDINARY, "key.json"), file(ORDINARY, "response.json")
    result = score(key, response, metrics="muc")
    assert result.muc.f1 == 1
    assert [problem.code for problem in result.problems] == ["unnamed-document", "same-file"]


def test_files_of_directories_belong_together_only_by_their_names(file, tmp_path):
    for name in ("key/doc1.json", "key/doc2.json", "same/doc1.json", "same/doc2.json",
                 "other/doc10.json", "other/doc20.json"):  # fmt: skip
        file(ORDINARY, name)
    assert score(str(tmp_path / "key"), str(tmp_path / "same"), metrics="muc").muc.f1 == 1
    with pytest.raises(DataError, match="no-common-document"):
        score(str(tmp_path / "key"), str(tmp_path / "other"))


def test_names_and_positions_are_not_compared(file):
    spans = {"doc_key": "x", "sentences": [["a"]], "clusters": [[[0, 0]]]}
    names = {"doc_key": "x", "clusters": [["m"]]}
    with pytest.raises(DataError, match="counts names in the response but tokens"):
        score(file(json_lines(spans), "k.jsonl"), file(json_lines(names), "r.jsonl"))


def test_several_documents_in_a_file_without_names(file):
    corpus = read(file(ORDINARY * 2, "story.json"))
    assert [document.name for document in corpus] == ["story", "story 2"]


def test_what_is_written():
    document = Document("x", [["m1", "m2"]], entity_names=["e1"], unit="names")
    assert written("clusters", document) == (
        json_lines({"doc_id": "x", "type": "clusters", "clusters": {"e1": ["m1", "m2"]}}),
        [],
    )


def test_positions_become_names_and_that_is_told():
    document = Document("x", [[(0, 2), ((0, 1), (2, 3))]], tokens=3)
    assert written("clusters", document) == (
        json_lines({"doc_id": "x", "type": "clusters", "clusters": {"0": ["0-2", "0-1+2-3"]}}),
        ["positions of mentions are written as names"],
    )
