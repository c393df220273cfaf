"""The output of Maverick."""

from __future__ import annotations

import json

import pytest

from corefmeter import DataError, Document, read
from corefmeter.corpus.text import Text

from .json_files import content, json_lines, refused, warned, written

#: An ordinary file.
ORDINARY = json_lines(
    {
        "doc_key": "isle_0",
        "tokens": ["The", "keeper", "lit", "his", "lamp", "."],
        "clusters_token_offsets": [[[0, 1], [3, 3]]],
        "clusters_char_offsets": [[[0, 9], [15, 17]]],
        "clusters_token_text": [["The keeper", "his"]],
        "clusters_char_text": [["The keeper", "his"]],
    }
)

#: Legal: null where nothing is known, no cluster, letters of many bytes, a text beside the tokens.
TRICKY = json_lines(
    {"doc_id": "a", "tokens": ["𝒜nn", "’s", "🐕"], "clusters_token_offsets": [[[0, 1], [0, 2]]],
     "clusters_char_offsets": None, "clusters_token_text": [["𝒜nn ’s", "𝒜nn’s🐕"]],
     "text": "𝒜nn’s  🐕"},
    {"doc_id": "b", "tokens": ["x"], "clusters_token_offsets": []},
    {"doc_id": "c", "tokens": ["x"], "clusters_token_offsets": None},
    {"doc_id": "d", "tokens": [], "clusters_token_offsets": []},
    {"doc_id": 5, "tokens": ["x"], "clusters_token_offsets": [[[0, 0]]], "clusters_token_text": []},
)  # fmt: skip

#: Broken in six ways, one a line.
BROKEN = (
    '{"doc_id": "a", "tokens": ["x", "y"], "clusters_token_offsets": [[[0, 2]]]}\n'
    '{"doc_id": "b", "tokens": ["x", "y"], "clusters_token_offsets": [[[0, 1]]], '
    '"clusters_token_text": [["x"]]}\n'
    '{"doc_id": "c", "tokens": ["x", "y"], "clusters_token_offsets": [[[0, 1]]], '
    '"clusters_token_text": [["x z"]]}\n'
    '{"doc_id": "d", "tokens": ["x", "y"], "clusters_token_offsets": [], "text": "x z"}\n'
    '{"doc_id": "e", "tokens": ["x", 1], "clusters_token_offsets": []}\n'
    '{"doc_id": "f", "tokens": ["x", "y"], "clusters_token_offsets": [[[0, 1.5]]]}\n'
)


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY), details=True)
    assert corpus.format == "maverick"
    assert corpus.problems == []
    assert content(corpus) == [("isle", 0, [[(0, 2), (3, 4)]])]
    assert corpus.documents[0].text.words[1] == "keeper"


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY.replace('"clusters_token_text": []', '"clusters_token_text": null')))
    assert corpus.problems == []
    assert content(corpus) == [
        ("a", 0, [[(0, 2), (0, 3)]]),
        ("b", 0, []),
        ("c", 0, []),
        ("d", 0, []),
        ("5", 0, [[(0, 1)]]),
    ]


def test_an_array_of_documents_with_ids_is_of_crac(file):
    documents = [
        {"doc_id": "one", "tokens": ["Ann", "ran"], "clusters_token_offsets": [[[0, 0]]],
         "clusters_text_mentions": [["Ann"]]},
        {"doc_id": "two", "tokens": ["x"], "clusters_token_offsets": None,
         "clusters_text_mentions": None},
    ]  # fmt: skip
    corpus = read(file(json.dumps(documents, indent=1)))
    assert corpus.format == "crac"
    assert content(corpus) == [("one", 0, [[(0, 1)]]), ("two", 0, [])]
    assert corpus.documents[0].line == 2


def test_every_error_is_told_with_its_line_and_path(file):
    errors = refused(file(BROKEN))
    assert [(code, line) for code, line, _ in errors] == [
        ("wrong-ends", 1),
        ("wrong-ends", 2),
        ("text-differs", 3),
        ("text-differs", 4),
        ("bad-field", 5),
        ("bad-field", 6),
    ]
    messages = [message for _, _, message in errors]
    assert "the ends look exclusive" in messages[0]
    assert "clusters_token_offsets[0][0]: 'xy' is not 'x', as the file gives it" in messages[1]
    assert "the ends look exclusive" in messages[1]
    assert "clusters_token_offsets[0][0]: 'xy' is not 'xz', as the file gives it" in messages[2]
    assert messages[3] == (
        "the text and the tokens differ: 'z' in the first, 'y' in the second, after 'x '"
    )
    assert messages[4] == "tokens[1]: 1 in a list of words"


@pytest.mark.parametrize("strings", ["x", [["x", "y"]], [], [None]])
def test_texts_of_mentions_of_another_shape(file, strings):
    values = {"doc_id": "x", "tokens": ["x"], "clusters_token_offsets": [[[0, 0]]],
              "clusters_token_text": strings}  # fmt: skip
    if not strings:
        assert warned(read(file(json_lines(values)))) == []  # nothing is said, nothing compared
    else:
        ((code, _, message),) = refused(file(json_lines(values)))
        assert code == "bad-field"
        assert message == "clusters_token_text: not of the same shape as clusters_token_offsets"


def test_a_field_that_is_missing(file):
    path = file('{"clusters_token_offsets": []}\n')
    ((code, line, message),) = refused(path)
    assert (code, line) == ("missing-field", 1)
    assert '"clusters_token_offsets"' in message


def test_what_is_written():
    document = Document("x", [[(0, 2), (3, 4)]], tokens=4, text=Text(["a", "b", "c", "d"]))
    assert written("maverick", document) == (
        json_lines(
            {"doc_key": "x", "tokens": ["a", "b", "c", "d"],
             "clusters_token_offsets": [[[0, 1], [3, 3]]], "clusters_token_text": [["a b", "d"]],
             "clusters_char_offsets": None, "clusters_char_text": None}
        ),
        [],
    )  # fmt: skip


def test_fields_of_fastcoref_are_refused_with_its_name(file):
    text = json_lines({"doc_key": "a", "tokens": ["Ann"], "clusters": [[[0, 0]]]})
    with pytest.raises(DataError) as caught:
        read(file(text), format="maverick")
    (problem,) = caught.value.problems
    assert problem.hint == "Fields named as by fastcoref are read with the format fastcoref."
