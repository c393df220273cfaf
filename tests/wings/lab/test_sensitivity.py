"""How metrics fall as damage grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefmeter import Corpus, Document, read, score
from corefmeter.problems import OptionError
from corefmeter.wings.lab.sensitivity import KINDS, ORDERS, damaged, parse_levels, sensitivity

EXAMPLES = Path(__file__).parents[3] / "examples"

#: Two documents, so that errors must stay in theirs.
KEY = Corpus(
    [
        Document("x", [[(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4)]], tokens=20),
        Document("y", [[(0, 1), (1, 2)], [(5, 6), (7, 8)]], tokens=20),
    ]
)

#: How many places for an error there are: 9 mentions, 4 entities, 9 - 4 chain links, and in each
#: document one pair of neighbours in an order of its two entities.
SITES = {
    "split": 5,
    "merge": 2,
    "move": 9,
    "wrong-links": 9,
    "miss-mentions": 9,
    "miss-entities": 4,
    "extra": 9,
    "extra-linked": 9,
    "extra-singletons": 9,
}


def cost(kind: str, metric: str, **options) -> float:
    return sensitivity(KEY, kind, "0,1", metrics=[metric], **options).costs[metric]


def test_every_kind_is_listed_here():
    assert SITES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_places_for_errors(kind):
    assert sensitivity(KEY, kind, "0").sites == SITES[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_no_error_costs_nothing_and_one_error_something(kind):
    found = sensitivity(KEY, kind, "0,1")
    for metric in found.metrics:
        none, one = found.f1(metric)
        assert none == 1
        # MUC does not see singletons at all.
        assert (one == 1) == (kind == "extra-singletons" and metric == "muc")


@pytest.mark.parametrize("kind", KINDS)
def test_levels_are_what_damaged_makes(kind):
    """The fast way, document by document, gives what scoring the damaged key gives."""
    found = sensitivity(KEY, kind, "0,1,50%", metrics=["b3", "lea"], seed=3)
    for level in ("0", "1", "50%"):
        result = score(KEY, damaged(KEY, kind, level, seed=3), metrics=["b3", "lea"])
        for row in found.rows:
            if row.level == level:
                scores = result[row.metric]
                expected = (scores.recall, scores.precision, scores.f1)
                assert (row.recall, row.precision, row.f1) == expected


def test_the_cost_of_a_missed_entity_by_hand():
    """Of 4 entities and 9 mentions, one is lost, P is 1: CEAFe R 3/4, F 6/7, whichever it is.

    B³: with the largest, 3 mentions, R 6/9, F 12/15; with one of 2, R 7/9, F 14/16.
    """
    assert cost("miss-entities", "ceafe") == pytest.approx(1 / 7)
    assert cost("miss-entities", "b3", order="largest", samples=1) == pytest.approx(1 - 12 / 15)
    assert cost("miss-entities", "b3", order="smallest", samples=1) == pytest.approx(1 - 14 / 16)
    mean = (3 * (1 - 14 / 16) + (1 - 12 / 15)) / 4
    assert cost("miss-entities", "b3") == pytest.approx(mean)


def test_the_cost_of_a_cut_link_by_hand():
    """MUC: 4 of 5 links, P 1: F 8/9, so 1/9 is lost by each."""
    assert cost("split", "muc") == pytest.approx(1 / 9)


def test_the_cost_of_merging_by_hand():
    """MUC: 5 right links of 6: F 10/11. CEAFe: 3 entities stand for 4, one of them in part."""
    assert cost("merge", "muc") == pytest.approx(1 / 11)
    # x merged: 2*3/(3 + 5) = 6/8, and 2 of y. y merged: 2*2/(2 + 4) = 4/6, and 2 of x.
    merged = [2 * (2 + 6 / 8) / 7, 2 * (2 + 4 / 6) / 7]
    assert cost("merge", "ceafe") == pytest.approx(1 - sum(merged) / 2)


def test_the_cost_of_a_twinless_singleton_by_hand():
    """B³ and LEA: P 9/10, F 18/19; MUC does not see it; CEAFe P 4/5, F 8/9."""
    assert cost("extra-singletons", "muc") == 0
    assert cost("extra-singletons", "b3") == pytest.approx(1 / 19)
    assert cost("extra-singletons", "lea") == pytest.approx(1 / 19)
    assert cost("extra-singletons", "ceafe") == pytest.approx(1 / 9)


def test_a_level_holds_all_errors_of_a_lower_one():
    """Each error cuts one link, and the lower level's are among them."""
    low, high = (damaged(KEY, "split", level, seed=2) for level in ("2", "4"))
    for coarse, fine in zip(low, high, strict=True):
        assert all(any(set(part) <= set(e) for e in coarse.entities) for part in fine.entities)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS)
def test_real_corpora_and_seeds(kind, order):
    key = read(EXAMPLES / "key.conll")
    found = sensitivity(key, kind, "0,10%,100%", order=order, seed=1, samples=3)
    assert found == sensitivity(key, kind, "0,10%,100%", order=order, seed=1, samples=3)
    for metric in found.metrics:
        values = found.f1(metric)
        assert values[0] == 1 >= values[1] >= values[2] - 1e-12
        assert found.costs[metric] >= -1e-12


def test_another_seed_makes_other_errors():
    key = read(EXAMPLES / "key.conll")
    one, other = (sensitivity(key, "split", "3", seed=seed).rows for seed in (1, 2))
    assert one != other


def test_levels():
    assert parse_levels("0,2,50%,", 7) == [("0", 0), ("2", 2), ("50%", 4)]
    for text in ("x", "5 %%", "1.5", "inf%", "nan%"):
        with pytest.raises(OptionError, match="is not a level"):
            parse_levels(text, 7)
    for text in ("8", "-1", "101%", "-9%", "120%"):
        with pytest.raises(OptionError, match="7 places"):
            parse_levels(text, 7)
    with pytest.raises(OptionError, match="no level is given"):
        parse_levels(",", 7)


def test_wrong_requests():
    with pytest.raises(OptionError, match="did you mean 'split'"):
        sensitivity(KEY, "splt")
    with pytest.raises(OptionError, match="did you mean 'largest'"):
        sensitivity(KEY, "split", order="large")
    with pytest.raises(OptionError, match="no place for errors of the kind 'merge'"):
        sensitivity(Corpus([Document("x", [["a", "b"]])]), "merge")
    with pytest.raises(OptionError, match="samples must be 1 or more"):
        sensitivity(KEY, "split", samples=0)
    with pytest.raises(OptionError, match="mor"):
        sensitivity(KEY, "split", metrics=["mor"])


#: Entities of 1, 1, 2 and 4 mentions.
FOUR = Corpus([Document("x", [["a"], ["b"], ["c", "d"], ["e", "f", "g", "h"]])])


def test_any_two_entities_of_a_document_can_be_merged():
    """4 over 2 pairs. A merge adds a wrong link to the 4 right ones: MUC F1 is 8/9.

    By CEAFm the mentions of the smaller entity are lost, of 8: 1 in five pairs, 2 in one.
    """
    found = sensitivity(FOUR, "merge", "0,100%", metrics=["muc", "ceafm"])
    assert (found.sites, found.samples) == (6, 6)
    assert found.costs == pytest.approx({"muc": 1 / 9, "ceafm": (5 * 1 + 2) / 6 / 8})
    deviation = (((5 * (1 - 7 / 6) ** 2 + (2 - 7 / 6) ** 2) / 5) ** 0.5) / 8
    assert found.deviations == pytest.approx({"muc": 0, "ceafm": deviation})
    # All pairs merged are one entity: 4 of 7 links are right.
    assert [row.precision for row in found.rows if row.metric == "muc"] == [1, 4 / 7]


def test_of_very_many_pairs_as_many_are_drawn_as_merge_all(monkeypatch):
    """60 of 66 pairs leave none of 12 entities alone, since each has 11 pairs."""
    monkeypatch.setattr("corefmeter.wings.lab.sensitivity.MOST_PAIRS", 60)
    key = Corpus([Document("x", [[(n, n + 1), (n + 50, n + 51)] for n in range(12)])])
    found = sensitivity(key, "merge", "0,100%", metrics=["muc"])
    assert (found.sites, found.samples) == (66, 60)
    assert found.rows[-1].precision == 12 / 23


def test_all_places_are_tried_where_that_is_cheap(monkeypatch):
    """120 mentions are places in a document of 120; 50 of them are tried where that is too much."""
    key = Corpus([Document("x", [[(n, n + 1), (n + 90, n + 91)] for n in range(60)])])
    assert sensitivity(key, "miss-mentions", "0", metrics=["muc"]).samples == 120
    monkeypatch.setattr("corefmeter.wings.lab.sensitivity.CHEAP", 120 * 120 - 1)
    assert sensitivity(key, "miss-mentions", "0", metrics=["muc"]).samples == 50
    assert sensitivity(key, "miss-mentions", "0", metrics=["muc"], samples=7).samples == 7
