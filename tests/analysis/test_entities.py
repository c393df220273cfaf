"""Comparing entities: the rule for categories, the best response entity, overlaps."""

from __future__ import annotations

from itertools import product

import pytest

from corefmeter.analysis.entities import (
    CATEGORIES,
    category,
    compare_entities,
    count_categories,
)

from ..metrics.invented import FAMILIES, plain, with_overlaps
from ..metrics.letters import entities
from . import slow
from .isolated import isolated_scores

#: What, key, response, category of the first key entity.
BY_HAND = [
    ("formula 1", "ABC", "ABC", "1"),
    ("formula 1: a singleton", "A", "A", "1"),
    ("formula 2a", "ABC", "AB", "2a"),
    ("formula 2a: the rest is elsewhere", "ABCDE", "ABC DE", "2a"),
    ("formula 3: another entity's mention", "ABC D", "ABD", "3"),
    ("formula 3: all of it, and another entity's mention", "AB C", "ABC", "3"),
    ("formula 3: one mention, with another entity's", "AB C", "AC", "3"),
    ("formula 3: a singleton, with another entity's mention", "A B", "AB", "3"),
    ("formula 4: nothing", "AB", "", "4"),
    ("formula 4: none of its mentions", "AB", "XY", "4"),
    ("formula 4: one mention alone", "ABC", "A", "4"),
    ("formula 4: all apart", "ABC", "A B C", "4"),
    ("formula 4: one mention, with a spurious one", "AB", "AX", "4"),
    ("formula 4: a singleton, with a spurious mention", "A", "AX", "4"),
    ("no formula: a link, and a spurious mention", "ABC", "ABX", "3"),
    ("no formula: all of it, and a spurious mention", "AB", "ABX", "3"),
]


@pytest.mark.parametrize(("key", "response", "expected"), [row[1:] for row in BY_HAND],
                         ids=[row[0] for row in BY_HAND])  # fmt: skip
def test_category_by_hand(key, response, expected):
    assert compare_entities(entities(key), entities(response))[0].category == expected


#: Spans: the key entity, the response entity, the category. Heads are the last tokens.
WITH_PARTS = [
    ("one whole, one part", [(0, 5), (9, 10)], [(2, 5), (9, 10)], "2b"),
    ("two parts", [(0, 5), (10, 15)], [(2, 5), (12, 15)], "2b"),
    ("one part, not all found", [(0, 5), (9, 10), (20, 21)], [(2, 5), (9, 10)], "2b"),
    ("longer than the key's", [(2, 5), (9, 10)], [(0, 5), (9, 10)], "2b"),
    ("a part alone has no link", [(0, 5), (9, 10)], [(2, 5)], "4"),
    ("a part, and a spurious mention", [(0, 5), (9, 10)], [(2, 5), (30, 31)], "4"),
    ("two parts, and a spurious mention", [(0, 5), (10, 15)], [(2, 5), (12, 15), (30, 31)], "3"),
    ("no part: without the head", [(0, 5), (9, 10)], [(0, 3), (9, 10)], "4"),
    ("no part: the response's head is outside", [(0, 5), (9, 10)], [(3, 7), (9, 10)], "4"),
    ("two parts of one mention count once", [(0, 5), (9, 10)], [(1, 5), (2, 5)], "4"),
    ("a part of a whole mention is spurious", [(0, 5), (9, 10)], [(0, 5), (2, 5), (9, 10)], "3"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "response", "expected"), [row[1:] for row in WITH_PARTS],
                         ids=[row[0] for row in WITH_PARTS])  # fmt: skip
def test_category_with_parts(key, response, expected):
    found = compare_entities([key], [response], head=lambda span: span[1] - 1)[0]
    assert found.category == expected


def test_two_parts_with_another_entitys_mention_are_merged():
    """No whole mention, so formula 3 does not hold; but parts stand for mentions, as in 2b.

    The other entity is a singleton: found, but with no link that could be right.
    """
    key = [[(0, 5), (10, 15)], [(30, 31)]]
    found = compare_entities(key, [[(2, 5), (12, 15), (30, 31)]], head=lambda span: span[1] - 1)
    assert [comparison.category for comparison in found] == ["3", "4"]


def test_a_key_mention_of_another_entity_is_never_a_part():
    """ "his" in "his father": it is a mention of its own."""
    found = compare_entities([[(0, 2), (9, 10)], [(0, 1)]], [[(0, 1), (9, 10)]])[0]
    assert (found.category, found.foreign, found.partial) == ("3", [(0, 1)], [])


def test_without_known_heads_a_shared_token_is_enough():
    found = compare_entities([[(0, 5), (9, 10)]], [[(0, 3), (9, 10)]])[0]
    assert (found.category, found.partial) == ("2b", [((0, 5), (0, 3))])


def test_parts_go_to_the_key_mention_they_share_most_with():
    """(0, 6) shares 4 tokens with (2, 8) and 2 with (0, 2), though that comes first."""
    found = compare_entities([[(0, 2), (2, 8)]], [[(0, 6), (1, 2)]])[0]
    assert found.partial == [((0, 2), (1, 2)), ((2, 8), (0, 6))]


@pytest.mark.parametrize(
    ("why", "key", "response", "best"),
    [
        ("most mentions", "ABCDE", "AB CDE", 1),
        ("as many: the smaller entity", "ABCD", "ABX CD", 1),
        ("as many, as large: what is read first", "ABCD", "CD AB", 1),
        ("none", "AB", "X", None),
    ],
)
def test_best_response_entity(why, key, response, best):
    assert compare_entities(entities(key), entities(response))[0].response == best


def test_whole_mentions_come_before_parts():
    """Both have two correct mentions; the second has them whole."""
    key = [[(0, 3), (5, 6), (8, 9), (11, 12)]]
    response = [[(1, 3), (5, 6)], [(8, 9), (11, 12)]]
    assert compare_entities(key, response)[0].response == 1


def test_a_response_entity_may_be_the_best_of_several():
    found = compare_entities(entities("AB CD"), entities("ABCD"))
    assert [(one.response, one.category) for one in found] == [(0, "3"), (0, "3")]


def test_what_is_known_of_a_pair():
    key = [[(0, 1), (5, 6), (8, 12)], [(3, 4)]]
    response = [[(0, 1), (3, 4), (5, 6), (10, 12), (20, 21)]]
    found, other = compare_entities(
        key, response, key_names=["17", "4"], response_names=["r9"],
        head=lambda span: span[1] - 1, weight=lambda span: 0.25 if span == (5, 6) else 1.0,
    )  # fmt: skip
    assert (found.key_name, found.response_name) == ("17", "r9")
    assert (found.whole, found.missing) == ([(0, 1), (5, 6)], [(8, 12)])
    assert (found.partial, found.foreign) == ([((8, 12), (10, 12))], [(3, 4)])
    assert found.spurious == [(20, 21)]
    assert (found.links, found.informative_links) == (1, 1)
    assert found.one_link_informative is None  # with the part there are three links
    assert (found.weight, found.kept) == (2.25, 1.25)
    assert found.information == pytest.approx(5 / 9)
    assert other.category == "3"
    assert (other.kept, other.information) == (0, 0)


def test_counts_of_categories():
    found = compare_entities(entities("AB CDE F"), entities("AB CD"))
    assert count_categories(found) == {"1": 1, "2a": 1, "2b": 0, "3": 0, "4": 1}


def test_isolated_pair_by_hand():
    """Key abcd, response abx: two common mentions."""
    scores = compare_entities([list("abcd")], [list("abx")])[0].scores()
    assert (scores["muc"].recall, scores["muc"].precision) == (1 / 3, 1 / 2)
    assert (scores["b3"].recall, scores["b3"].precision) == (4 / 16, pytest.approx(4 / 9))
    assert (scores["ceafm"].recall, scores["ceafm"].precision) == (2 / 4, pytest.approx(2 / 3))
    assert scores["ceafe"].recall == scores["ceafe"].precision == pytest.approx(4 / 7)
    assert (scores["blanc"].recall, scores["blanc"].precision) == (1 / 6, pytest.approx(1 / 3))
    assert (scores["lea"].recall, scores["lea"].precision) == (pytest.approx(1 / 6),
                                                               pytest.approx(1 / 3))  # fmt: skip


def test_categories_are_exhaustive_and_disjoint_for_all_small_numbers():
    """Every combination of up to four mentions of each sort is in exactly one category."""
    for size, whole, partial, foreign, spurious in product(range(1, 5), *[range(5)] * 4):
        if whole + partial > size:
            continue
        others = foreign + spurious
        correct = whole + partial
        holds = {
            "1": whole == size and not partial + others,
            "2a": 2 <= whole < size and not partial + others,
            "2b": partial > 0 and correct > 1 and not others,
            "3": (whole > 0 and foreign > 0) or (correct > 1 and others > 0),
            "4": correct < 2 and not (whole and foreign)
            and not (whole == size and not partial + others),
        }  # fmt: skip
        (only,) = [name for name, true in holds.items() if true]
        assert category(size, whole, partial, foreign, spurious) == only
    assert list(CATEGORIES) == ["1", "2a", "2b", "3", "4"]


def heads(seed):
    """The last token, the first one, or unknown, by the span."""
    return lambda span: (span[1] - 1, span[0], None)[(span[0] + span[1] + seed) % 3]


@pytest.mark.parametrize("documents", [plain, with_overlaps])
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "repeated"])
def test_fast_is_slow(documents, family):
    for seed, (key, response) in documents(family, 200):
        sides = [[sorted(entity, key=lambda s: (s[0], -s[1])) for entity in side]
                 for side in (key, response)]  # fmt: skip
        head = heads(seed)
        found = compare_entities(key, response, head=head)
        assert len(found) == len(key)
        for k, comparison in zip(sides[0], found, strict=True):
            best = slow.best(k, *sides, head)
            assert comparison.response == best, (key, response)
            r = [] if best is None else sides[1][best]
            assert slow.category(k, r, sides[0], head) == [comparison.category], (k, r)
            if best is not None:
                counts = slow.numbers(k, r, sides[0], head)
                lists = (
                    comparison.whole,
                    comparison.partial,
                    comparison.foreign,
                    comparison.spurious,
                )
                assert counts == tuple(map(len, lists))
                assert comparison.scores() == isolated_scores(k, r)
                assert sorted(comparison.partial) == slow.pairs_of(k, r, sides[0], head)


def test_invented_documents_have_every_category():
    """So the comparison above means something."""
    counts = dict.fromkeys(CATEGORIES, 0)
    for family in FAMILIES:
        for seed, (key, response) in with_overlaps(family, 200):
            for name, n in count_categories(
                compare_entities(key, response, head=heads(seed))
            ).items():
                counts[name] += n
    assert min(counts.values()) > 50, counts
