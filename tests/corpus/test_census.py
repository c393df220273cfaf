"""The census of a corpus: every count by hand on a small document."""

from __future__ import annotations

from collections import Counter

import pytest

from corefmeter.corpus.census import Census, bucketed, census, mean, median
from corefmeter.corpus.model import Document
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text


@pytest.fixture
def document() -> Document:
    """Ten tokens in three sentences of 4, 3 and 3; two entities and a singleton."""
    text = Text([f"w{i}" for i in range(10)], sentences=[0, 4, 7])
    entities = [
        [(0, 2), (4, 5), (7, 8)],
        [((1, 2), (3, 4)), ((8, 8, 1),)],
        [(4, 5)],
    ]
    details = [
        [Detail(kind="name", entity_type="person"), Detail(kind="pronoun"), Detail(kind="pronoun")],
        [Detail(), Detail()],
        [Detail(kind="pronoun")],
    ]
    return Document("x", entities, tokens=10, text=text, details=details)


def test_every_count_of_a_document(document):
    found = census([document])
    assert (found.documents, found.tokens, found.sentences) == (1, 10, 3)
    assert (found.mentions, found.entities, found.singletons) == (6, 3, 1)
    assert (found.discontinuous, found.empty, found.repeated) == (1, 1, 1)
    assert found.sizes == {3: 1, 2: 1, 1: 1}
    # Two tokens: (0, 2) and the one with a gap; none: the empty node; one: the three others.
    assert found.lengths == {2: 2, 0: 1, 1: 3}
    # 0 -> 4 -> 7, and 1 -> 8.
    assert found.token_distances == {4: 1, 3: 1, 7: 1}
    # Sentences 0 -> 1 -> 2, and 0 -> 2.
    assert found.sentence_distances == {1: 2, 2: 1}
    assert found.kinds == {"name": 1, "pronoun": 3}
    assert found.types == {"person": 1}


def test_counts_add_up(document):
    twice = census([document, document])
    assert twice == census([document]) + census([document])
    assert (twice.mentions, twice.lengths[1], twice.documents_with["kinds"]) == (12, 6, 2)


def test_relations_are_counted_by_what_they_are_called():
    relations = Relations(
        (Split("3", ("1", "2")), Split("3", ("1", "4"))),
        (Bridge((0, 1), None, "1", "part"), Bridge((2, 3), None, "1", "part"),
         Bridge((4, 5), None, "1")),
        (NonReferring((6, 7), "expletive"), NonReferring((8, 9))),
        Layer([[(0, 4), (5, 6)], [(6, 7)]], ["1", "2"]),
    )  # fmt: skip
    found = census([Document("x", [[(0, 1)]], relations=relations)])
    assert (found.split_antecedents, found.deixis_mentions, found.deixis_entities) == (2, 3, 2)
    assert found.bridging == {"part": 2, "unknown": 1}
    assert found.nonreferring == {"expletive": 1, "unknown": 1}


def test_what_a_document_does_not_tell_is_not_counted():
    found = census([Document("x", [["a", "b"], ["c"]])])
    assert (found.mentions, found.sizes) == (3, {2: 1, 1: 1})
    assert not found.lengths
    assert found.documents_with["tokens"] == found.documents_with["positions"] == 0


def test_characters_are_no_tokens():
    found = census([Document("x", [[(0, 3), (9, 12)]], tokens=40, unit="characters")])
    assert (found.tokens, found.mentions) == (0, 2)
    assert not found.lengths


def test_a_long_text_of_one_sentence_has_unknown_sentences():
    document = Document("x", [[(0, 1), (200, 201)]], tokens=300, text=Text(["w"] * 300))
    found = census([document])
    assert (found.sentences, found.documents_with["sentences"]) == (0, 0)
    assert not found.sentence_distances
    assert found.token_distances == {200: 1}


def test_the_order_of_mentions_in_the_file_does_not_matter():
    found = census([Document("x", [[(7, 8), (0, 1), (4, 5)]], tokens=9)])
    assert found.token_distances == {4: 1, 3: 1}


def test_nothing_has_no_mean():
    assert mean(Counter()) is None
    assert median(Counter()) is None
    assert census([]) == Census()


def test_ranges():
    assert bucketed(Counter({0: 1, 4: 2, 9: 1, 10: 3, 99: 1}), [0, 1, 5, 10]) == {
        "0": 1, "1-4": 2, "5-9": 1, "10+": 4
    }  # fmt: skip


def test_a_long_text_has_sentences_if_it_is_cut_once():
    """A sentence has 150 tokens at most, so that a text of one with 151 is not cut at all."""
    for cuts, sentences, known in (([0], 0, 0), ([0, 100], 2, 1)):
        text = Text(["w"] * 151, sentences=cuts)
        found = census([Document("x", [[(0, 1)]], tokens=151, text=text)])
        assert (found.sentences, found.documents_with["sentences"]) == (sentences, known)
