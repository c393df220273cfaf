"""The output of fastcoref, in characters, and its training data, in words."""

from __future__ import annotations

import pytest

from corefmeter import DataError, Document, read, score
from corefmeter.corpus.text import Text

from .json_files import content, json_lines, refused, warned, written

#: An ordinary file. Positions, counted by hand: "The keeper" 0-10, "his" 15-18, "his lamp" 15-23.
ORDINARY = json_lines(
    {
        "doc_key": "isle_0",
        "text": "The keeper lit his lamp. The lamp smoked.",
        "clusters": [[[0, 10], [15, 18]], [[15, 23], [25, 33]]],
        "clusters_strings": [["The keeper", "his"], ["his lamp", "The lamp"]],
    }
)

#: Legal: characters beyond the basic plane count as one, an end at the end of the text, no cluster
#: in two ways, white space of all kinds.
TRICKY = json_lines(
    {"doc_id": "a", "text": "𝒜nn 🐕", "clusters": [[[0, 3], [4, 5]]]},
    {"doc_id": "b", "text": "", "clusters": []},
    {"doc_id": "c", "text": "x", "clusters": None},
    {"doc_id": "d", "text": "x\ty\u00a0z\n", "clusters": [[[0, 1], [4, 5]]],
     "clusters_strings": [["x", "z"]]},
    {"doc_id": "e", "text": "Ann's dog", "tokens": ["Ann", "'s", "dog"],
     "clusters": [[[0, 5], [0, 3]], [[6, 9]]]},
)  # fmt: skip

#: Broken in seven ways, one a line.
BROKEN = json_lines(
    {"doc_id": "a", "text": "Ann ran", "clusters": [[[0, 8]]]},
    {"doc_id": "b", "text": "Ann ran", "clusters": [[[0, 3.0]]]},
    {"doc_id": "c", "text": "I ran", "clusters": [[[0, 0]]]},
    {"doc_id": "d", "text": "Ann ran", "clusters": [[[0, 2]]], "clusters_strings": [["Ann"]]},
    {"doc_id": "e", "text": "Ann ran", "clusters": [[[0, 3]]], "clusters_strings": [["Eve"]]},
    {"doc_id": "f", "text": "Ann ran", "tokens": ["Ann", "runs"], "clusters": []},
    {"doc_id": "g", "text": "Ann ran", "tokens": ["Ann", "ran"], "clusters": [[[1, 3], [4, 6]]]},
)


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY), details=True)
    assert corpus.format == "fastcoref"
    assert corpus.problems == []
    assert content(corpus) == [("isle", 0, [[(0, 10), (15, 18)], [(15, 23), (25, 33)]])]
    document = corpus.documents[0]
    assert (document.unit, document.tokens) == ("characters", 41)
    assert document.text.string((15, 23)) == "his lamp"


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY), details=True)
    assert corpus.problems == []
    assert content(corpus) == [
        ("a", 0, [[(0, 3), (4, 5)]]),
        ("b", 0, []),
        ("c", 0, []),
        ("d", 0, [[(0, 1), (4, 5)]]),
        ("e", 0, [[(0, 1), (0, 2)], [(2, 3)]]),
    ]
    assert [document.unit for document in corpus] == ["characters"] * 4 + ["tokens"]
    assert corpus.documents[0].text.string((0, 3)) == "𝒜nn"


def test_every_error_is_told_with_its_line_and_path(file):
    errors = refused(file(BROKEN))
    assert [(code, line) for code, line, _ in errors] == [
        ("bad-span", 1),
        ("bad-field", 2),
        ("wrong-ends", 3),
        ("wrong-ends", 4),
        ("text-differs", 5),
        ("text-differs", 6),
        ("off-token", 7),
        ("off-token", 7),
    ]
    messages = [message for _, _, message in errors]
    assert "the document has 7 characters, numbered 0 to 6" in messages[0]
    assert messages[1].startswith("clusters[0][0]: [0, 3.0] where two whole numbers")
    assert "the ends look inclusive" in messages[2]
    assert messages[3].startswith(
        "clusters[0][0]: 'An' is not 'Ann', as the file gives it; the ends"
    )
    assert messages[4] == "clusters[0][0]: 'Ann' is not 'Eve', as the file gives it"
    assert "'ran' in the first, 'runs' in the second" in messages[5]
    assert messages[6].startswith("clusters[0][0]: the mention 'nn' from 1 to 3 does not begin")
    assert messages[7].startswith("clusters[0][1]: the mention 'ra' from 4 to 6 does not end")


def test_characters_of_a_text_are_those_of_tokens_apart_from_white_space(file):
    values = {"text": "Ann's  dog\n", "tokens": ["Ann", "'s", " ", "dog"]}
    # The last has white space around the word.
    spans = [[0, 3], [0, 5], [7, 10], [6, 11]]
    corpus = read(file(json_lines({**values, "clusters": [[span] for span in spans]})))
    assert corpus.documents[0].entities == [[(0, 1)], [(0, 2)], [(3, 4)], [(3, 4)]]
    errors = refused(file(json_lines({**values, "clusters": [[[0, 2], [1, 3], [0, 4]]]})))
    ends = [message.partition(" does not ")[2] for _, _, message in errors]
    assert ends == ["end with a token", "begin with a token", "end with a token"]


def test_training_data_counts_words_ends_inclusive(file):
    values = {"doc_key": "x", "tokens": ["Ann", "saw", "her", "dog"],
              "clusters": [[[0, 0], [2, 2]], [[2, 3]]]}  # fmt: skip
    document = read(file(json_lines(values)), details=True).documents[0]
    assert (document.unit, document.tokens) == ("tokens", 4)
    assert document.entities == [[(0, 1), (2, 3)], [(2, 4)]]
    ((code, _, message),) = refused(file(json_lines(values | {"clusters": [[[2, 4]]]})))
    assert code == "wrong-ends"
    assert "the ends look exclusive" in message


def test_a_response_with_tokens_needs_no_clusters_of_a_key(file):
    predicted = {"doc_key": "a", "tokens": ["Ann", "ran"], "predicted_clusters": [[[0, 0], [1, 1]]]}
    corpus = read(file(json_lines(predicted)), side="response")
    assert corpus.format == "fastcoref"
    assert corpus.documents[0].entities == [[(0, 1), (1, 2)]]


def test_output_without_names_is_numbered(file):
    corpus = read(file(json_lines({"text": "a", "clusters": []}, {"text": "b", "clusters": []})))
    assert [document.name for document in corpus] == ["document 1", "document 2"]
    assert all(document.numbered for document in corpus)
    assert warned(corpus) == [
        ("unnamed-document", 1), ("unnamed-document", 2), ("no-coreference", None)
    ]  # fmt: skip


def test_output_without_names_belongs_to_the_key_in_order(file):
    key = file(
        json_lines(
            {"doc_key": "a_0", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0]]]},
            {"doc_key": "b_0", "sentences": [["Rex", "sat"]], "clusters": [[[1, 1]]]},
        ),
        "key.jsonl",
    )
    texts = [{"text": "Ann ran", "clusters": [[[0, 3]]]}, {"text": "Rex sat", "clusters": []}]
    result = score(key, file(json_lines(*texts), "r.jsonl"), align="characters", metrics="mentions")
    assert (result.mentions.recall, result.mentions.precision) == (0.5, 1)
    assert [problem.code for problem in result.problems][-1] == "unnamed-document"
    with pytest.raises(DataError, match="no-common-document"):
        score(key, file(json_lines(texts[0]), "r.jsonl"), align="characters")
    with pytest.raises(DataError, match="words-differ"):
        score(key, file(json_lines(*texts[::-1]), "r.jsonl"), align="characters")


@pytest.mark.parametrize(
    ("values", "field"),
    [({"text": "a", "clusters_strings": []}, "clusters"), ({"clusters": [], "tokens": 1}, None)],
)
def test_a_field_that_is_missing_or_of_another_kind(file, values, field):
    ((code, line, message),) = refused(file(json_lines(values | {"doc_id": "x"})))
    assert line == 1
    if field:
        assert (code, f"'{field}'" in message) == ("missing-field", True)
    else:
        assert (code, message) == (
            "bad-field",
            "tokens: a number where a list of words is expected",
        )


def test_what_is_written():
    characters = Document("x", [[(0, 3)]], tokens=7, unit="characters",
                          text=Text(list("Ann ran"), between=""))  # fmt: skip
    words = Document("y", [[(0, 1)], [(1, 3)]], part=1, tokens=3, text=Text(["Ann", "ran", "."]))
    assert written("fastcoref", characters, words) == (
        json_lines(
            {"doc_key": "x", "text": "Ann ran", "clusters": [[[0, 3]]],
             "clusters_strings": [["Ann"]]},
            {"doc_key": "(y); part 001", "text": "Ann ran .", "clusters": [[[0, 3]], [[4, 9]]],
             "clusters_strings": [["Ann"], ["ran ."]]},
        ),
        [],
    )  # fmt: skip


def test_a_document_without_its_text_cannot_be_written():
    assert written("fastcoref", Document("x", [[(0, 1)]], tokens=1)) == (
        "", ["the document has no text and is left out"]
    )  # fmt: skip
