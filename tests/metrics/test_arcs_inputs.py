"""What goes into the ARCS metrics: order, kinds, anchor rules, features; and wrong requests."""

from __future__ import annotations

from itertools import permutations

import pytest

from corefmeter import Document
from corefmeter.corpus.text import Text
from corefmeter.mentions.features import Features
from corefmeter.metrics.arcs import ArcsAnchor, ArcsImmediate, ArcsInferred
from corefmeter.metrics.decisions import Ordered, by_feature, count_by

from .letters import document

#: With the outer span (1, 4).
GAP = ((1, 2), (3, 4))


def test_order_is_that_of_positions_whatever_the_order_of_the_lists():
    """Readers list mentions by where they close: "his father" after "his"."""
    key = [[(5, 6), (0, 1), (0, 2)]]
    response = [[(0, 1), (0, 2), (5, 6)]]
    assert ArcsImmediate().count(Ordered(key, response)) == (2, 0, 0, 0)


def test_of_mentions_that_begin_together_the_longer_comes_first():
    assert Ordered([[(0, 1), (0, 2), (5, 6)]], []).key == [[(0, 2), (0, 1), (5, 6)]]


@pytest.mark.parametrize(
    ("key", "response", "counts"),
    [
        # As ABC against AC and B: B is not resolved, C is resolved past it.
        ([(0, 1), (1, 4), GAP], [[(0, 1), GAP], [(1, 4)]], (0, 1, 1, 0)),
        ([(1, 4), GAP, (6, 7)], [[(1, 4), (6, 7)], [GAP]], (0, 1, 1, 0)),
        # As ABC against A and BC: C is right, B is not resolved.
        ([(1, 4), GAP, (6, 7)], [[(1, 4)], [GAP, (6, 7)]], (1, 0, 1, 0)),
    ],
)
def test_of_mentions_with_one_outer_span_the_one_without_gap_comes_first(key, response, counts):
    for ordered in permutations(key):
        for entity in permutations(max(response, key=len)):
            rest = min(response, key=len)
            for sides in ([rest, [*entity]], [[*entity], rest]):
                found = ArcsImmediate().count(Ordered([[*ordered]], sides))
                assert found == counts


def test_an_empty_node_comes_before_the_token_it_precedes():
    assert Ordered([[(3, 4), ((3, 3, 1),), (2, 3)]], []).key == [[(2, 3), ((3, 3, 1),), (3, 4)]]


def test_without_kinds_nothing_is_nominal():
    """So nothing can be inferred and nothing be an anchor."""
    mentions = [["A", "B", "C"]]
    assert ArcsInferred().count(Ordered(mentions, mentions)) == (0, 0, 0, 0)
    assert not any(ArcsAnchor().count(Ordered(mentions, mentions)))


@pytest.mark.parametrize(
    ("kind", "nominal"),
    [("name", True), ("nominal", True), ("pronoun", False), ("other", False), ("unknown", False)],
)
def test_which_kinds_are_nominal(kind, nominal):
    kinds = {"first": kind, "second": "pronoun"}
    mentions = [["first", "second"]]
    counts = ArcsInferred().count(Ordered(mentions, mentions, kinds.__getitem__))
    assert counts == (int(nominal), 0, 0, 0)


def features_of(key, response, words, pos, **options):
    text = Text(words.split(), pos=pos.split(), **options)
    return Features(Document("bn/x", key, text=text), Document("bn/x", response, text=text))


def test_counts_by_kind_take_features_of_key_mentions_from_the_key():
    """Ann saw her dog . It barked : "her" is resolved, "It" wrongly, "dog" is spurious."""
    key = [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]
    response = [[(0, 1), (2, 3)], [(3, 4), (5, 6)], [(5, 6), (3, 4), (6, 7)]]
    features = features_of(
        key, response, "Ann saw her dog . It barked", "NNP VBD PRP$ NN . PRP VBD"
    )
    ordered = Ordered(key, response, features.kind)
    counts = count_by(ArcsImmediate().decisions(ordered), by_feature(features, "kind"))
    assert {kind: tuple(of) for kind, of in counts.items()} == {
        "pronoun": (1, 1, 0, 0),  # her; It, which is after "dog" in both response entities
        "other": (0, 0, 0, 1),  # barked
    }


def test_anchors_are_grouped_by_the_class_of_their_entity():
    """Ann met Acme 's boss . She ...: both entities are found; "boss" is lost."""
    words, pos = "Ann met Acme 's boss . She left it", "NNP VBD NNP POS NN . PRP VBD PRP"
    key = [[(0, 1), (4, 5), (6, 7)], [(2, 4), (8, 9)]]
    response = [[(0, 1), (6, 7)], [(2, 4), (8, 9)]]
    features = features_of(
        key, response, words, pos, entity_types=[(0, 1, "PERSON"), (2, 4, "ORG")]
    )
    decisions = list(ArcsAnchor().decisions(Ordered(key, response, features.kind)))
    counts = count_by(
        (decision for decision in decisions if decision.part == "mentions"),
        by_feature(features, "entity_class"),
    )
    assert {name: tuple(of) for name, of in counts.items()} == {
        "PERSON": (2, 0, 1, 0), "ORG": (2, 0, 0, 0),
    }  # fmt: skip


def test_a_document_may_be_used_for_all_metrics():
    one = document("Abc D", "Ab Dc")
    assert ArcsImmediate().count(one) == (1, 1, 0, 0)
    assert ArcsInferred().count(one) == (1, 1, 0, 0)
    assert ArcsAnchor().count(one) == (1, 0, 0, 1, 2, 0, 1, 0)
