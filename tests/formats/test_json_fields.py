"""JSON objects that hold two clusterings, names under other fields, and pairing without names."""

from __future__ import annotations

import pytest

from corefmeter import DataError, read, score
from corefmeter.formats.json_shapes import GOLD, PREDICTED

from .json_files import content, json_lines, refused, warned

#: Ann 0, Bo 2, she 4, him 6; the ends are exclusive in wl-coref and inclusive elsewhere.
WORDS = ["Ann", "met", "Bo", "and", "she", "saw", "him", "."]
RIGHT = [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]
WRONG = [[[0, 0], [6, 6]], [[2, 2], [4, 4]]]


def half_open(clusters):
    return [[[start, last + 1] for start, last in cluster] for cluster in clusters]


def in_sentence(clusters):
    return [[[0, *span] for span in cluster] for cluster in half_open(clusters)]


def all_links_wrong(result) -> bool:
    """Each mention shares half of its entity: B3 and CEAFe are 1/2, and no link is right."""
    values = [getattr(result, name).f1 for name in ("muc", "b3", "ceafe", "lea")]
    return values == [0, 0.5, 0.5, 0]


def metrics(key: str, response: str):
    return score(key, response, metrics=("muc", "b3", "ceafe", "lea"))


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"id": "c", "doc_id": "b"}, "b"),
        ({"id": "c", "doc_id": "b", "doc_key": "a"}, "a"),
        ({"id": "c", "doc_key": "a"}, "a"),
        ({"id": "c", "doc_id": ""}, "c"),  # empty is as if it were not there
        ({"name": "d", "id": "c"}, "c"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_of_fields_that_may_name_a_document_the_first_known_one_does(file, fields, name, turned):
    ordered = dict(reversed(fields.items())) if turned else fields
    values = {**ordered, "sentences": [WORDS], "clusters": RIGHT}
    (document,) = read(file(json_lines(values)))
    assert document.name == name


@pytest.mark.parametrize("field", PREDICTED)
def test_the_clusters_of_the_system_are_scored_not_those_of_the_key_beside_them(file, field):
    key = {"doc_key": "x", "sentences": [WORDS], "clusters": RIGHT}
    a, b = file(json_lines(key), "a"), file(json_lines({**key, field: WRONG}), "b")
    assert all_links_wrong(metrics(a, b))
    assert all_links_wrong(metrics(b, b))  # one file as both sides
    assert warned(read(b)) == []


@pytest.mark.parametrize(
    "words",
    [
        {"sentences": [WORDS], "clusters": RIGHT},
        {"tokens": WORDS, "clusters": RIGHT},
        {"tokens": WORDS, "clusters_token_offsets": RIGHT},
        {"type": "clusters", "clusters": {"e": ["a", "s"], "f": ["b", "h"]}},
        {"sentences": [WORDS], "mention_clusters": in_sentence(RIGHT)},
    ],
    ids=["e2e", "fastcoref", "maverick", "clusters", "preco"],
)  # fmt: skip
def test_so_it_is_in_every_format(file, words):
    predicted = WRONG
    if "type" in words:
        predicted = {"e": ["a", "h"], "f": ["b", "s"]}
    elif "mention_clusters" in words:
        predicted = in_sentence(WRONG)
    path = file(json_lines({"doc_key": "x", **words, "predictions": predicted}))
    assert all_links_wrong(metrics(path, path))


def test_what_is_no_clustering_is_no_prediction(file):
    path = file(
        json_lines({"doc_key": "x", "sentences": [WORDS], "clusters": RIGHT, "prediction": 0.9})
    )
    assert len(next(iter(read(path, side="response"))).entities) == 2


def test_clusters_of_the_key_beside_those_of_a_system(file):
    path = file(
        json_lines({"doc_key": "x", "sentences": [WORDS], "clusters": WRONG, GOLD[0]: RIGHT})
    )
    assert all_links_wrong(metrics(path, path))


def test_two_predictions_that_differ_are_refused(file):
    values = {"doc_key": "x", "sentences": [WORDS], "clusters": RIGHT, "pred_clusters": WRONG}
    path = file(json_lines({**values, "predicted_clusters": RIGHT}))
    (error,) = refused(path, side="response")
    assert error[:2] == ("several-clusterings", 1)
    assert "predicted_clusters and pred_clusters" in error[2]
    same = file(json_lines({**values, "predicted_clusters": WRONG}))
    assert content(read(same, side="response"))[0][2] == [[(0, 1), (6, 7)], [(2, 3), (4, 5)]]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("side", "field"), [("response", "span_clusters"), ("key", GOLD[0])])
def test_an_object_without_the_clusters_that_others_have_is_told(file, side, field, first):
    """What is read of it may be the key."""
    two = {"doc_key": "y", "sentences": [WORDS], "clusters": RIGHT}
    objects = [{**two, "doc_key": "x", field: WRONG}, two, {**two, "doc_key": "z"}]
    corpus = read(file(json_lines(*objects[:: (1, -1)[first]])), side=side)
    ((code, line, count),) = [(p.code, p.line, p.count) for p in corpus.problems]
    assert (code, line, count) == ("several-clusterings", (2, 1)[first], 2)
    assert f"no '{field}', but others have; 'clusters' is read" in str(corpus.problems)


@pytest.mark.parametrize("other", [RIGHT, [[[0, 1, 2]]], [[], [[3, 3]]]])
def test_a_field_of_another_name_that_looks_like_clusters_is_told(file, other):
    values = {"doc_key": "x", "sentences": [WORDS], "clusters": RIGHT, "mine": other}
    corpus = read(file(json_lines(values, {**values, "doc_key": "y"})), side="response")
    ((code, count, message),) = [(p.code, p.count, p.message) for p in corpus.problems]
    assert (code, count) == ("several-clusterings", 2)
    assert "'mine'" in message
    assert "'clusters'" in message


def test_fields_that_look_a_little_like_clusters_are_not(file):
    values = {"doc_key": "x", "sentences": [WORDS], "clusters": RIGHT, "top_spans": [[0, 0]],
              "ner": [[0, 0, "PER"]], "constituents": [], "word_clusters": [[0, 4]]}  # fmt: skip
    assert warned(read(file(json_lines(values)))) == []


# wl-coref


def wl(**values) -> str:
    return json_lines({"document_id": "bc/x", "part_id": 2, "cased_words": WORDS, **values})


def test_wl_coref_has_half_open_spans_and_its_own_fields(file):
    key = file(wl(clusters=half_open(RIGHT)), "a")
    response = file(wl(clusters=half_open(RIGHT), span_clusters=half_open(WRONG)), "b")
    (document,) = read(key)
    assert (document.name, document.part, document.tokens) == ("bc/x", 2, 8)
    assert content([document])[0][2] == [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]
    assert all_links_wrong(metrics(key, response))


def test_wl_coref_without_clusters_has_those_of_spans(file):
    path = file(wl(span_clusters=half_open(RIGHT)))
    assert content(read(path)) == content(read(path, side="response"))
    assert len(next(iter(read(path))).entities) == 2


def test_inclusive_ends_in_wl_coref_are_told(file):
    ((code, _, message), *_) = refused(file(wl(clusters=RIGHT)))
    assert code == "wrong-ends"
    assert "wl-coref" in message


# Names


@pytest.mark.parametrize("field", ["document_id", "docid", "doc_name", "document_name", "name"])
def test_names_of_other_fields(file, field):
    path = file(json_lines({field: "x", "sentences": [["a"]], "clusters": []}))
    assert [document.name for document in read(path)] == ["x"]


def test_a_whole_header_is_the_name_of_that_document(file):
    key = file("#begin document (a/b.txt); part 000\nx\t(1)\nx\t(1)\n#end document\n", "a")
    values = {"sentences": [["x", "x"]], "clusters": [[[0, 0], [1, 1]]]}
    for name in ("(a/b.txt); part 000", "#begin document (a/b.txt); part 000"):
        for field in ("doc_key", "id"):
            response = file(json_lines({**values, field: name}), "b")
            assert read(response).documents[0].id == ("a/b.txt", 0)
            assert score(key, response).conll == 1


LONG = ["Ann", "said", "that", "she", "had", "seen", "it", "."]
SHORT = ["Bo", "lost", "his", "hat", "again", "."]


def two(field: str, *, swapped: bool, short=SHORT, long=LONG) -> str:
    documents = [
        {field: "short", "sentences": [short], "clusters": [[[0, 0], [2, 2]]]},
        {field: "long", "sentences": [long], "clusters": [[[0, 0], [3, 3]]]},
    ]
    return json_lines(*(documents[::-1] if swapped else documents))


def test_documents_with_names_are_paired_in_any_order(file):
    key, response = (file(two("document_id", swapped=s), str(s)) for s in (False, True))
    assert score(key, response).conll == 1


@pytest.mark.parametrize("named", [False, True])
def test_an_order_that_the_numbers_of_tokens_contradict_is_refused(file, named):
    key = file(two("doc_key" if named else "headline", swapped=False), "a")
    response = file(two("headline", swapped=True), "b")
    with pytest.raises(DataError) as error:
        score(key, response)
    (problem,) = error.value.problems
    assert problem.code == "token-count"
    assert "8 tokens in the response but 6 in the key" in problem.message


def test_an_order_that_the_words_contradict_is_refused(file):
    key = file(two("headline", swapped=False, long=LONG[:6]), "a")
    response = file(two("headline", swapped=True, long=LONG[:6]), "b")
    with pytest.raises(DataError) as error:
        score(key, response)
    assert [problem.code for problem in error.value.problems] == ["words-differ"]


def test_an_order_that_other_documents_contradict_word_for_word_is_refused(file):
    """One word of six differs, but each text is that of the other document."""
    key = file(two("headline", swapped=False, long=["Ann", *SHORT[1:]]), "a")
    response = file(two("headline", swapped=True, long=["Ann", *SHORT[1:]]), "b")
    with pytest.raises(DataError) as error:
        score(key, response)
    (problem,) = error.value.problems
    assert problem.code == "words-differ"
    assert "the words of another document" in problem.message


def test_documents_of_the_same_words_are_taken_in_order(file):
    key, response = (file(two("headline", swapped=False, long=SHORT), n) for n in "ab")
    assert score(key, response).conll == 1


def test_an_order_that_nothing_contradicts_is_taken(file):
    key = file(two("headline", swapped=False), "a")
    response = file(two("headline", swapped=False, short=["bo", *SHORT[1:]]), "b")
    assert score(key, response).conll == 1
