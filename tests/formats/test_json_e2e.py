"""JSON lines of e2e-coref, and in the sub-tokens of SpanBERT."""

from __future__ import annotations

import json

import pytest

from corefmeter import DataError, Document, read, score
from corefmeter.corpus.text import Text

from .json_files import content, json_lines, refused, warned, written

#: An ordinary file: two parts of a document, with speakers and a prediction.
ORDINARY = json_lines(
    {
        "doc_key": "bc/harbour_0",
        "sentences": [["The", "old", "keeper", "sighed", "."], ["His", "lamp", "was", "out", "."]],
        "speakers": [["A"] * 5, ["B"] * 5],
        "clusters": [[[0, 2], [5, 5]]],
        "predicted_clusters": [[[0, 2], [5, 6]]],
        "top_spans": [[0, 2]],
    },
    {"doc_key": "bc/harbour_1", "sentences": [["Rain", "fell", "."]], "clusters": []},
)

#: Legal, though one might stumble over it: nested and crossing spans, singletons, a mention across
#: sentences, an empty sentence, no speakers, a name without part, letters of many bytes.
TRICKY = json_lines(
    {"doc_key": "tricky", "sentences": [["𝒜nn", "’s", "dog"], [], ["ran", "."]],
     "clusters": [[[0, 2], [0, 0]], [[0, 1]], [[2, 3]], [[1, 2]]]},
)  # fmt: skip

#: Broken in five ways, one a line.
BROKEN = (
    '{"doc_key": "a_0", "sentences": [["x"]], "clusters": [[[0, 0]]\n'
    '{"doc_key": "b_0", "sentences": [["x", "y"]], "clusters": [[[1, 0]], [[0, 0], [0, 7]]]}\n'
    '{"doc_key": "c_0", "doc_key": "d_0", "sentences": [["x"]], "clusters": []}\n'
    '{"doc_key": "e_0", "sentences": "x y", "clusters": [[[0, 0.5]]]}\n'
    '{"doc_key": "b_0", "sentences": [["x"]], "clusters": []}\n'
)


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY))
    assert corpus.format == "e2e"
    assert corpus.problems == []
    assert content(corpus) == [
        ("bc/harbour", 0, [[(0, 3), (5, 6)]]),
        ("bc/harbour", 1, []),
    ]
    assert [document.tokens for document in corpus] == [10, 3]
    assert [document.line for document in corpus] == [1, 2]
    assert [document.part for document in corpus] == [0, 1]


def test_details_are_words_sentences_and_speakers(file):
    text = read(file(ORDINARY), details=True).documents[0].text
    assert " ".join(text.words) == "The old keeper sighed . His lamp was out ."
    assert text.sentences == [0, 5]
    assert text.speakers == ["A"] * 5 + ["B"] * 5


def test_named_entities_are_read(file):
    text = json_lines(
        {"doc_key": "x", "sentences": [["Ann", "ran"]], "clusters": [], "ner": [[0, 0, "PERSON"]]}
    )
    assert read(file(text), details=True).documents[0].text.entity_types == [(0, 1, "PERSON")]


def test_speakers_of_another_shape_are_no_speakers(file):
    text = json_lines({"doc_key": "x", "sentences": [["Ann", "ran"]], "clusters": [],
                       "speakers": [["A"]]})  # fmt: skip
    assert read(file(text), details=True).documents[0].text.speakers is None


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY), details=True)
    assert corpus.problems == []
    assert content(corpus) == [
        ("tricky", 0, [[(0, 1), (0, 3)], [(0, 2)], [(1, 3)], [(2, 4)]]),
    ]
    assert corpus.documents[0].text.sentences == [0, 3]


def test_the_response_side_reads_what_was_predicted(file):
    path = file(ORDINARY)
    assert content(read(path, side="response"))[0][2] == [[(0, 3), (5, 7)]]
    result = score(path, path, metrics="mentions")
    assert (result.mentions.recall, result.mentions.precision) == (0.5, 0.5)


def test_a_key_needs_clusters_that_are_not_predicted(file):
    text = json_lines({"doc_key": "x", "sentences": [["a"]], "predicted_clusters": [[[0, 0]]]})
    path = file(text)
    assert content(read(path, side="response")) == [("x", 0, [[(0, 1)]])]
    ((code, line, message),) = refused(path)
    assert (code, line) == ("missing-field", 1)
    assert "'clusters'" in message


def test_allennlp_writes_document_instead_of_sentences(file):
    text = json_lines({"doc_id": "x", "document": ["Ann", "ran"], "clusters": [[[0, 0]]]})
    assert content(read(file(text))) == [("x", 0, [[(0, 1)]])]


def test_every_error_is_told_with_its_line_and_path(file):
    errors = refused(file(BROKEN))
    assert [(code, line) for code, line, _ in errors] == [
        ("bad-json", 1),
        ("bad-span", 2),
        ("bad-span", 2),
        ("repeated-key", 3),
        ("bad-field", 4),
    ]
    messages = [message for _, _, message in errors]
    assert "clusters[0][0]: the mention ends at 0, before it begins at 1" in messages[1]
    assert "clusters[1][1]: the mention from 0 to 7 is out of range" in messages[2]
    assert "numbered 0 to 1" in messages[2]
    assert "'doc_key'" in messages[3]
    assert messages[4] == "sentences: a string where a list of lists of words is expected"


@pytest.mark.parametrize(
    ("clusters", "code", "message"),
    [
        ([[[0, 1.0]]], "bad-field", "clusters[0][0]: [0, 1.0] where two whole numbers"),
        ([[[0, True]]], "bad-field", "clusters[0][0]: [0, true] where two whole numbers"),
        ([[[0, 1, 1]]], "bad-field", "clusters[0][0]: [0, 1, 1] where two whole numbers"),
        ([[7]], "bad-field", "clusters[0][0]: 7 where two whole numbers"),
        ([{"a": 1}], "bad-field", "clusters[0]: an object where a list of mentions"),
        ({"e": [[0, 0]]}, "bad-field", "clusters: an object where a list of clusters"),
        (None, "bad-field", "clusters: null where a list of clusters"),
        ([[["0", "1"]]], "bad-field", 'clusters[0][0]: ["0", "1"] where two whole numbers'),
        ([["ab"]], "bad-field", 'clusters[0][0]: "ab" where two whole numbers'),
        ([[[-1, 0]]], "bad-span", "clusters[0][0]: -1 is not a token"),
        ([[[0, 0]], [[2, 5]]], "bad-span", "clusters[1][0]: the mention from 2 to 5 is out of"),
    ],
)
def test_a_mention_that_is_no_pair_of_tokens(file, clusters, code, message):
    path = file(json_lines({"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": clusters}))
    ((found, line, text),) = refused(path)
    assert (found, line) == (code, 1)
    assert text.startswith(message)


def test_exclusive_ends_are_told_apart_from_other_errors(file):
    """Case 21: the last mention ends at the number of tokens."""
    path = file(
        json_lines(
            {"doc_key": "x", "sentences": [["Ann", "saw", "her", "dog"]],
             "clusters": [[[0, 1], [2, 3]], [[2, 4]]]}
        )
    )  # fmt: skip
    ((code, line, message),) = refused(path)
    assert (code, line) == ("wrong-ends", 1)
    assert message.startswith(
        "clusters[1][0]: the mention ends at 4, and the document has 4 tokens"
    )
    assert "the ends look exclusive (half-open)" in message


def test_many_mentions_of_which_none_is_one_token_look_exclusive(file):
    words = [f"w{n}" for n in range(80)]

    def path(spans):
        return file(json_lines({"doc_key": "x", "sentences": [words], "clusters": [spans]}))

    suspicious = [[n, n + 1] for n in range(60)]
    assert warned(read(path(suspicious))) == [("wrong-ends", None)]
    assert warned(read(path(suspicious[:40]))) == []
    assert warned(read(path([*suspicious, [70, 70]]))) == []


def test_a_span_in_two_clusters_is_kept_and_left_to_the_policy(file):
    text = json_lines({"doc_key": "x", "sentences": [["a", "b", "c"]],
                       "clusters": [[[0, 0], [1, 1]], [[1, 1], [2, 2]]]})  # fmt: skip
    path = file(text)
    corpus = read(path)
    assert content(corpus) == [("x", 0, [[(0, 1), (1, 2)], [(1, 2), (2, 3)]])]
    assert corpus.problems == []
    problems = score(path, path).problems
    assert [problem.code for problem in problems] == ["same-file"] + ["repeated-mention"] * 2


def test_a_cluster_without_mentions_is_left_out_with_a_warning(file):
    text = json_lines({"doc_key": "x", "sentences": [["a"]], "clusters": [[], [[0, 0]], []]})
    corpus = read(file(text))
    assert content(corpus) == [("x", 0, [[(0, 1)]])]
    assert warned(corpus) == [("empty-entity", 1)]
    assert corpus.problems[0].count == 2


def test_a_repeated_doc_key_is_refused_or_joined(file):
    one = {"doc_key": "x_0", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    other = {"doc_key": "x_0", "sentences": [["c"]], "clusters": [[[0, 0]]]}
    path = file(json_lines(one, other))
    ((code, line, message),) = refused(path)
    assert (code, line) == ("repeated-document", 2)
    assert ":1" in message
    joined = read(path, documents="concatenate", details=True).documents
    assert content(joined) == [("x", 0, [[(0, 1), (1, 2)], [(2, 3)]])]
    assert joined[0].tokens == 3
    assert joined[0].text.words == ["a", "b", "c"]


def test_a_document_without_a_name_is_numbered(file):
    corpus = read(file(json_lines({"sentences": [["a"]], "clusters": [[[0, 0]]]})))
    assert (corpus.documents[0].name, corpus.documents[0].numbered) == ("document 1", True)
    assert warned(corpus) == [("unnamed-document", 1)]


def test_a_name_of_half_a_character_pair_can_be_printed(file):
    text = '{"doc_key": "x\\ud800", "sentences": [["a"]], "clusters": []}\n'
    assert read(file(text)).documents[0].name == "x?"


# ---- SpanBERT ---------------------------------------------------------------------------------

SUBTOKENS = {
    "doc_key": "nw/tide_3",
    "sentences": [
        ["[CLS]", "un", "##told", "tides", "[SEP]"],
        ["[CLS]", "they", "re", "##turn", ".", "[SEP]"],
    ],
    "subtoken_map": [0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 4],
    "sentence_map": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
    "clusters": [[[1, 3], [6, 6]]],
}


def test_subtokens_are_mapped_to_words(file):
    document = read(file(json_lines(SUBTOKENS)), details=True).documents[0]
    assert (document.name, document.part, document.tokens) == ("nw/tide_3", None, 5)
    assert document.entities == [[(0, 2), (2, 3)]]
    assert document.text.words == ["untold", "tides", "they", "return", "."]
    assert document.text.sentences == [0, 2]


def test_mentions_that_become_the_same_words_are_one(file):
    values = SUBTOKENS | {"clusters": [[[1, 2], [1, 1], [6, 6]], [[2, 2]]]}
    corpus = read(file(json_lines(values)))
    assert corpus.documents[0].entities == [[(0, 1), (2, 3)], [(0, 1)]]
    assert warned(corpus) == [("repeated-mention", 1)]


def test_words_may_be_given(file):
    values = SUBTOKENS | {"tokens": ["Untold", "tides", "they", "return", "."]}
    assert read(file(json_lines(values)), details=True).documents[0].text.words[0] == "Untold"


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"subtoken_map": [0] * 10}, "bad-map", "subtoken_map has 10 numbers for 11 sub-tokens"),
        ({"subtoken_map": [0, 0, 1, 0, 1, 1, 2, 3, 3, 4, 4]}, "bad-map",
         "subtoken_map[3]: word 0 after word 1"),
        ({"subtoken_map": [1] * 11}, "bad-map", "subtoken_map[0]: word 1 is the first"),
        ({"subtoken_map": "0 0 0"}, "bad-field", "subtoken_map: a string where a list"),
        ({"clusters": [[[0, 3]]]}, "bad-span",
         "clusters[0][0]: the mention begins on [CLS], which is part of no word"),
        ({"clusters": [[[3, 4]]]}, "bad-span",
         "clusters[0][0]: the mention ends on [SEP], which is part of no word"),
        ({"clusters": [[[6, 11]]]}, "wrong-ends", "clusters[0][0]: the mention ends at 11, and"),
    ],
)  # fmt: skip
def test_maps_and_mentions_that_do_not_fit(file, change, code, message):
    ((found, line, text),) = refused(file(json_lines(SUBTOKENS | change)))
    assert (found, line) == (code, 1)
    assert text.startswith(message)


# ---- writing ----------------------------------------------------------------------------------


def test_what_is_written():
    text = Text(["Ann", "ran", "She", "fell"], sentences=[0, 2], speakers=["A", "A", "B", "B"],
                entity_types=[(0, 1, "PERSON")])  # fmt: skip
    document = Document("x", [[(0, 1), (2, 3)]], part=0, tokens=4, text=text)
    assert written("e2e", document) == (
        json_lines(
            {
                "doc_key": "x_0",
                "sentences": [["Ann", "ran"], ["She", "fell"]],
                "speakers": [["A", "A"], ["B", "B"]],
                "ner": [[0, 0, "PERSON"]],
                "clusters": [[[0, 0], [2, 2]]],
            }
        ),
        [],
    )


def test_parts_that_a_doc_key_would_not_show_are_written_as_a_header():
    """Part 2 without 0 and 1, and parts beside names without."""
    documents = [Document(name, [[(0, 1), (1, 2)]], part=part, tokens=2)
                 for name, part in (("x", 2), ("y", None), ("z_1", None))]  # fmt: skip
    for some in (documents[:1], documents):
        lines, _ = written("e2e", *some)
        keys = [json.loads(line)["doc_key"] for line in lines.splitlines()]
        assert keys == ["(x); part 002", "y", "z_1"][: len(some)]


def test_what_cannot_be_written_is_told():
    document = Document(
        "x",
        [[(0, 1), ((0, 1), (2, 3))], [((1, 1, 1),), ((1, 2), (3, 3, 1))], ["m1"]],
        entity_names=["Ann", "b", "c"],
        tokens=4,
    )
    text, messages = written("e2e", document, Document("y", [["m"]], unit="names"))
    assert '"clusters": [[[0, 0]]]' in text
    assert text.count("\n") == 1
    assert [message.split(" cannot")[0] for message in messages[:3]] == [
        "mentions with gaps",
        "mentions with empty nodes",
        "mentions that are no spans",
    ]
    assert "counts names, not tokens" in messages[3]


def test_json_that_is_not_recognised_is_told_which_keys_are(file):
    with pytest.raises(DataError) as error:
        read(file('{"doc": "a", "chains": [[[0, 0]]]}\n'))
    (problem,) = error.value.problems
    assert problem.code == "unknown-format"
    assert problem.hint.startswith('JSON is recognized by its keys: "clusters" next to')


def test_results_are_no_annotation(file):
    with pytest.raises(DataError) as error:
        read(file(json.dumps(score([["a"]], [["a"]]).to_dict())))
    (problem,) = error.value.problems
    assert problem.code == "unknown-format"
    assert problem.hint.startswith("These are results of corefmeter")


def test_parts_in_files_of_their_own_are_parts_of_one_document(tmp_path):
    """One file alone would show a part only of the first."""
    for number, key in enumerate(["x_0", "x_1", "x_2", "y_0"]):
        line = json_lines({"doc_key": key, "sentences": [["a", "b"]], "clusters": []})
        (tmp_path / f"{number}.jsonl").write_text(line)
    names = [(document.name, document.part) for document in read(tmp_path)]
    assert names == [("x", 0), ("x", 1), ("x", 2), ("y", 0)]
    (tmp_path / "0.jsonl").unlink()
    assert [document.one_name for document in read(tmp_path)] == ["x_1", "x_2", "y_0"]
