"""Information weights: by kind, recall of information, weighted B3 and LEA."""

from __future__ import annotations

import pytest

from corefmeter.analysis.information import (
    INFORMATION,
    WEIGHTS,
    Information,
    WeightedBCubed,
    WeightedLea,
    importance,
    weight_by_kind,
)
from corefmeter.metrics import Overlap
from corefmeter.metrics.b3 import BCubed
from corefmeter.metrics.lea import Lea

from ..metrics.invented import FAMILIES, kind_of, plain
from ..metrics.letters import entities
from . import slow


def table(key: str, response: str) -> Overlap:
    return Overlap(entities(key), entities(response))


def weight(mention: str) -> float:
    """A capital weighs 1, a small letter 1/4."""
    return 1.0 if mention.isupper() else 0.25


def test_a_name_weighs_more_than_a_noun_and_a_noun_more_than_a_pronoun():
    assert WEIGHTS["name"] > WEIGHTS["nominal"] > WEIGHTS["pronoun"] > 0


def test_weights_by_kind():
    weigh = weight_by_kind(lambda mention: mention, {"name": 3, "zero": 0.05})
    assert [weigh(kind) for kind in ("name", "nominal", "zero")] == [3, 0.5, 0.05]


def test_an_unheard_of_kind_weighs_as_the_unknown():
    assert weight_by_kind(lambda mention: "title")("x") == WEIGHTS["unknown"]


#: What, key, response, (recall numerator, denominator, precision numerator, denominator).
BY_HAND = [
    ("perfect", "Abc", "Abc", (1.5, 1.5, 1.5, 1.5)),
    ("pronouns without their name", "Abcdef", "bcdef", (1.25, 2.25, 1.25, 1.25)),
    ("the name with one pronoun", "Abcdef", "Ab", (1.25, 2.25, 1.25, 1.25)),
    ("the name without a link", "Ab", "A", (0, 1.25, 0, 1)),
    ("a link is needed, spurious or not", "Ab", "AX", (0, 1.25, 0, 2)),
    ("split: the heaviest part is kept", "ABcd", "AB cd", (2, 2.5, 2.5, 2.5)),
    ("merged: precision keeps the heaviest part", "AB cd", "ABcd", (2.5, 2.5, 2, 2.5)),
    ("a singleton", "A bc", "A bc", (1.5, 1.5, 1.5, 1.5)),
    ("a singleton within a larger entity", "A", "AB", (0, 1, 0, 2)),
    ("nothing", "AB", "", (0, 2, 0, 0)),
]


@pytest.mark.parametrize(("key", "response", "row"), [case[1:] for case in BY_HAND],
                         ids=[case[0] for case in BY_HAND])  # fmt: skip
def test_information_by_hand(key, response, row):
    assert Information(weight).statistics(table(key, response)) == row


def test_five_pronouns_without_their_name_are_seen_to_fail():
    """MUC gives 0.8, B3 25/36; of the information 0.5 of 1.5 is left."""
    weigh = weight_by_kind(dict.fromkeys("bcdef", "pronoun").get, {"unknown": 1})
    metric = Information(weigh)
    scores = metric.scores(metric.statistics(table("Abcdef", "bcdef")))
    assert scores.recall == pytest.approx(1 / 3)


def test_weighted_b3_by_hand():
    """A is lost: b and c have recall 2/3 each, weight 1/4 each, of 1.5 in all."""
    row = WeightedBCubed(weight).statistics(table("Abc", "bcX"))
    assert row == pytest.approx((0.5 * 2 / 3, 1.5, 0.5 * 2 / 3, 1.5))


def test_weighted_lea_by_hand():
    """Entity Ab (weight 1.25) is resolved, cd (0.5) is not: recall 1.25 / 1.75."""
    row = WeightedLea(weight).statistics(table("Ab cd", "Ab cX"))
    assert row == (1.25, 1.75, 1.25, 2.5)


def test_importance_is_the_weight_of_all_mentions():
    assert importance(weight)(["A", "b", "c"]) == 1.5
    plain_lea = Lea(importance(weight)).statistics(table("Ab cd", "Abc"))
    assert plain_lea == WeightedLea(weight).statistics(table("Ab cd", "Abc"))


@pytest.mark.parametrize("family", FAMILIES)
def test_with_equal_weights_they_are_the_usual_metrics(family):
    for _, (key, response) in plain(family, 60):
        overlap = Overlap(key, response)
        weighted = WeightedBCubed(lambda mention: 1.0).statistics(overlap)
        assert weighted == pytest.approx(BCubed().statistics(overlap))
        assert WeightedLea(lambda mention: 1.0).statistics(overlap) == pytest.approx(
            Lea().statistics(overlap)
        )


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "repeated"])
def test_fast_is_slow(family):
    for seed, (key, response) in plain(family, 200):
        weigh = weight_by_kind(kind_of(seed))
        overlap = Overlap(key, response)
        for metric, definition in (
            (Information, slow.information), (WeightedBCubed, slow.weighted_b3)
        ):  # fmt: skip
            row = metric(weigh).statistics(overlap)
            assert row[:2] == pytest.approx(definition(key, response, weigh)), (key, response)
            assert row[2:] == pytest.approx(definition(response, key, weigh)), (key, response)


@pytest.mark.parametrize("name", INFORMATION)
def test_laws(name):
    """Between 0 and 1; 1 for a perfect response; 0 where nothing is common."""
    for family in FAMILIES:
        for seed, (key, response) in plain(family, 40):
            metric = INFORMATION[name](weight_by_kind(kind_of(seed)))
            scores = metric.scores(metric.statistics(Overlap(key, response)))
            assert 0 <= scores.recall <= 1 + 1e-12
            assert 0 <= scores.precision <= 1 + 1e-12
            if key:
                perfect = metric.scores(metric.statistics(Overlap(key, key)))
                assert perfect.recall == perfect.precision == pytest.approx(1)
            if family == "disjoint":
                assert scores.f1 == 0
