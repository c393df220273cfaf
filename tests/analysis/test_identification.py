"""The mention identification effect: hand-worked cases, the definitions, and the paper's claim."""

from __future__ import annotations

import pytest

from corefmeter.analysis.identification import (
    EFFECTS,
    effects,
    incorrectly_resolved,
    less_precise_a,
    less_precise_b,
    more_precise,
    unresolved,
)
from corefmeter.analysis.scoring import Rescorer

from ..metrics.invented import FAMILIES, plain

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]


def effect(key, response, name):
    documents = [(key, response)]
    return effects(documents, Rescorer(documents, metrics=METRICS))[name]


# By hand


def test_none_is_incorrectly_resolved_in_the_key():
    assert incorrectly_resolved([["a", "b"]], [["a", "b"]]) == []


def test_two_that_are_linked_with_each_other_only():
    assert incorrectly_resolved([["a", "b"], ["c", "d"]], [["a", "c"]]) == ["a", "c"]


def test_one_that_is_linked_with_an_extra_mention_only():
    assert incorrectly_resolved([["a", "b"]], [["a", "x"], ["b"]]) == ["a"]


def test_one_right_link_is_enough():
    assert incorrectly_resolved([["a", "b"], ["c", "d"]], [["a", "b", "c"]]) == ["c"]


def test_without_a_link_nothing_is_resolved_incorrectly():
    assert incorrectly_resolved([["a", "b"]], [["a"], ["b"]]) == []


def test_a_singleton_of_the_key_that_is_linked():
    assert incorrectly_resolved([["a"], ["b", "c"]], [["a", "b", "c"]]) == ["a"]


def test_extra_mentions_are_not_in_the_key():
    assert incorrectly_resolved([["a", "b"]], [["x", "y"]]) == []


def test_more_precise_keeps_extra_mentions_and_drops_empty_entities():
    key = [["a", "b"], ["c", "d"], ["e", "f"]]
    response = [["a", "b", "c"], ["d", "e"], ["f", "x"]]
    assert more_precise(key, response) == [["a", "b"], ["x"]]


def test_unresolved_mentions_by_entity():
    assert unresolved([["a", "b"], ["c"], ["d"]], [["c"]]) == [["a", "b"], ["d"]]


def test_less_precise_a_makes_pairs_and_leaves_one_of_five_out():
    key = [["a", "b"], ["c", "d"], ["e"]]
    assert less_precise_a(key, [["x"]]) == [["x"], ["a", "c"], ["b", "d"]]


def test_less_precise_a_where_one_entity_has_more_than_half():
    assert less_precise_a([["a", "b", "c", "d"], ["e"]], []) == [["e", "a"]]


def test_less_precise_of_one_entity_has_nothing_to_link():
    assert less_precise_a([["a", "b", "c"]], []) == []
    assert less_precise_b([["a", "b", "c"]], []) == []


def test_less_precise_b_takes_one_of_each_entity_in_turn():
    key = [["a", "b", "c"], ["d", "e", "f"], ["g", "h"], ["i"]]
    assert less_precise_b(key, [["i"]]) == [
        ["i"],
        ["a", "d", "g"],
        ["b", "e", "h"],
        ["c", "f"],
    ]


def test_b3_recall_rises_by_wrong_links_and_is_marked():
    # B3 recall: each of the four mentions is found with 1/2 of its entity: (4 * 1/2) / 4 from 0.
    found = effect([["a", "b"], ["c", "d"]], [], "less_precise_a")
    assert found.differences("b3") == {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    assert found.wrong("b3") == ["recall", "precision", "f1"]
    assert found.wrong("lea") == []
    assert found.wrong("muc") == []


def test_b3_recall_falls_when_a_wrong_link_is_removed_and_is_marked():
    # {a,b,c} without c: recall loses c's 1/2 of 4; precision (2*2 + 1)/9 * 3/3 = 5/9 becomes 1.
    found = effect([["a", "b"], ["c", "d"]], [["a", "b", "c"]], "more_precise")
    assert found.differences("b3")["recall"] == pytest.approx(-1 / 8)
    assert found.differences("b3")["precision"] == pytest.approx(1 - 5 / 9)
    # F1: R 5/8, P 5/9 gives 10/17; R 1/2, P 1 gives 2/3: better, so not marked.
    assert found.differences("b3")["f1"] == pytest.approx(2 / 3 - 10 / 17)
    assert found.wrong("b3") == ["recall"]


def test_the_recall_of_mentions_falls_rightly():
    found = effect([["a", "b"], ["c", "d"]], [["a", "b", "c"]], "more_precise")
    assert found.differences("mentions")["recall"] == pytest.approx(-1 / 4)
    assert found.wrong("mentions") == []


def test_averages_have_f1_only():
    found = effect([["a", "b"], ["c", "d"]], [], "less_precise_a")
    # MUC 0; B3 1/2; CEAFe two pairs of phi 1/2 over 2 and 2: 1/2.
    assert found.differences("conll") == {"f1": pytest.approx(1 / 3)}
    assert found.wrong("conll") == ["f1"]
    assert set(found.to_dict()["conll"]) == {"f1", "wrong"}


# The definitions, directly


def links(entities, mention):
    return {other for entity in entities if mention in entity for other in entity} - {mention}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_definition_of_the_paper(family):
    for _, (key, response) in plain(family, 200):
        in_key = [mention for entity in key for mention in entity]
        expected = {
            mention
            for entity in response
            for mention in entity
            if mention in in_key
            and links(response, mention)
            and not links(key, mention) & links(response, mention)
        }
        found = incorrectly_resolved(key, response)
        assert set(found) == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize("family", FAMILIES)
def test_added_entities_are_wrong_throughout_and_as_many_or_as_large_as_can_be(family):
    for _, (key, response) in plain(family, 200):
        home = {mention: k for k, entity in enumerate(key) for mention in entity}
        there = {mention for entity in response for mention in entity}
        missing = [mention for mention in home if mention not in there]
        sizes = [sum(home[m] == k for m in missing) for k in range(len(key))]
        pairs = less_precise_a(key, response)[len(response) :]
        # No entity can be paired with itself, and a mention stands in one pair.
        most = min(len(missing) // 2, len(missing) - max(sizes, default=0))
        assert len(pairs) == most
        turns = less_precise_b(key, response)[len(response) :]
        for turn, entity in enumerate(turns):
            assert len(entity) == sum(size > turn for size in sizes)
        for added in (pairs, turns):
            used = [mention for entity in added for mention in entity]
            assert len(used) == len(set(used))
            assert set(used) <= set(missing)
            for entity in added:
                assert len(entity) > 1
                assert len({home[mention] for mention in entity}) == len(entity)


@pytest.mark.parametrize("family", FAMILIES)
def test_muc_and_lea_never_move_the_wrong_way(family):
    """Sections 2 and 4 of the paper: MUC and LEA see links only."""
    for _, (key, response) in plain(family, 200):
        documents = [(key, response)]
        found = effects(documents, Rescorer(documents, metrics=["muc", "lea"]))
        for name in EFFECTS:
            assert found[name].wrong("muc") == [], (key, response)
            assert found[name].wrong("lea") == [], (key, response)
