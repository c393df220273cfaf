"""PreCo: mentions in sentences, ends exclusive."""

from __future__ import annotations

import pytest

from corefmeter import DataError, Document, read, score
from corefmeter.corpus.text import Text

from .json_files import content, json_lines, refused, warned, written

#: An ordinary file, with singletons.
ORDINARY = json_lines(
    {
        "id": "dev_00007",
        "sentences": [["The", "ferry", "left", "."], ["It", "was", "late", "."]],
        "mention_clusters": [[[0, 0, 2], [1, 0, 1]], [[1, 2, 3]]],
    },
    {"id": "dev_00008", "sentences": [["Rain", "."]], "mention_clusters": [[[0, 0, 1]]]},
)

#: Legal: a sentence of one blank, an end at the end of the sentence, nested mentions, no clusters.
TRICKY = json_lines(
    {
        "id": "dev_1",
        "sentences": [["a", "b"], [" "], ["c", "d", "e"]],
        "mention_clusters": [[[0, 0, 2], [2, 0, 3]], [[2, 0, 1], [2, 1, 3]]],
    },
    {"id": "", "sentences": [], "mention_clusters": []},
)

#: Broken in five ways, one a line.
BROKEN = (
    '{"id": "a", "sentences": [["x", "y"]], "mention_clusters": [[[0, 1, 1]]]}\n'
    '{"id": "b", "sentences": [["x", "y"]], "mention_clusters": [[[0, 0, 1]], [[1, 0, 1]]]}\n'
    '{"id": "c", "sentences": [["x", "y"]], "mention_clusters": [[[0, 1]]]}\n'
    '{"id": "d", "sentences": [["x", "y"]]}\n'
    '{"id": "e", "sentences": [["x", "y"]], "mention_clusters": [[[0, 0, 3]], [[0, 1, 0]]]\n'
)


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY))
    assert corpus.format == "preco"
    assert corpus.problems == []
    assert content(corpus) == [
        ("dev_00007", 0, [[(0, 2), (4, 5)], [(6, 7)]]),
        ("dev_00008", 0, [[(0, 1)]]),
    ]


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY), details=True)
    assert content(corpus) == [
        ("dev_1", 0, [[(0, 2), (3, 6)], [(3, 4), (4, 6)]]),
        ("document 2", 0, []),
    ]
    assert warned(corpus) == [("unnamed-document", 2)]
    assert corpus.documents[0].tokens == 6
    assert corpus.documents[0].text.sentences == [0, 2, 3]
    assert corpus.documents[0].text.words == ["a", "b", " ", "c", "d", "e"]


def test_an_id_that_ends_in_a_number_is_no_part(file):
    assert read(file(TRICKY)).documents[0].part is None


def test_every_error_is_told_with_its_line_and_path(file):
    errors = refused(file(BROKEN))
    assert [(code, line) for code, line, _ in errors] == [
        ("wrong-ends", 1),
        ("bad-span", 2),
        ("bad-field", 3),
        ("missing-field", 4),
        ("bad-json", 5),
    ]
    messages = [message for _, _, message in errors]
    assert messages[0].startswith("mention_clusters[0][0]: the mention from 1 to 1 is empty")
    assert "the ends look inclusive" in messages[0]
    assert messages[1].startswith("mention_clusters[1][0]: there is no sentence 1")
    assert messages[2].startswith("mention_clusters[0][0]: [0, 1] where sentence, begin and end")
    assert "'mention_clusters'" in messages[3]


@pytest.mark.parametrize(
    ("clusters", "code", "message"),
    [
        ([[[0, 0, 3]]], "bad-span", "mention_clusters[0][0]: there is no mention from 0 to 3"),
        ([[[0, 2, 1]]], "bad-span", "mention_clusters[0][0]: there is no mention from 2 to 1"),
        ([[[0, -1, 1]]], "bad-span", "mention_clusters[0][0]: there is no mention from -1 to 1"),
        ([[[-1, 0, 1]]], "bad-span", "mention_clusters[0][0]: there is no sentence -1"),
        ([[[0, 0, 1.0]]], "bad-field", "mention_clusters[0][0]: [0, 0, 1.0] where sentence"),
        ([None], "bad-field", "mention_clusters[0]: null where a list of mentions"),
        ("x", "bad-field", "mention_clusters: a string where a list of clusters"),
    ],
)
def test_mentions_that_are_none(file, clusters, code, message):
    values = {"id": "x", "sentences": [["a", "b"]], "mention_clusters": clusters}
    ((found, line, text),) = refused(file(json_lines(values)))
    assert (found, line) == (code, 1)
    assert text.startswith(message)


def test_a_mention_twice_in_a_cluster_is_kept_and_left_to_the_policy(file):
    values = {"id": "x", "sentences": [["a"]], "mention_clusters": [[[0, 0, 1], [0, 0, 1]]]}
    assert content(read(file(json_lines(values)))) == [("x", 0, [[(0, 1), (0, 1)]])]


def test_what_is_written():
    text = Text(["a", "b", "c"], sentences=[0, 2])
    document = Document("x", [[(0, 2), (2, 3)], [(1, 3)]], tokens=3, text=text)
    out, messages = written("preco", document)
    assert out == json_lines(
        {"id": "x", "sentences": [["a", "b"], ["c"]],
         "mention_clusters": [[[0, 0, 2], [1, 0, 1]]]}
    )  # fmt: skip
    assert messages == ["mentions across sentences cannot be written in PreCo; left out"]


@pytest.mark.parametrize("field", ["id", "doc_key", "doc_id", "document_id", "name"])
def test_documents_of_other_names_are_not_the_same(file, field):
    """They were paired by their order, and scored 100, where ``doc_id`` names them."""
    sentences = {"sentences": [["Ann", "saw", "her"]], "mention_clusters": [[[0, 0, 1], [0, 2, 3]]]}
    key, same, other = (json_lines({field: name} | sentences) for name in ("a", "a", "b"))
    assert content(read(file(key)))[0][0] == "a"
    assert score(file(key, "key"), file(same, "same")).conll == 1
    with pytest.raises(DataError) as refusal:
        score(file(key, "key"), file(other, "other"))
    assert [problem.code for problem in refusal.value.problems] == ["no-common-document"]
