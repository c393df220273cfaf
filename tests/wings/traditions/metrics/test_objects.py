"""One-to-one evaluation of any objects: worked out by hand, and against every map."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest

import corefmeter
from corefmeter.problems import OptionError


def shared(a: frozenset, b: frozenset) -> int:
    return len(a & b)


def test_it_is_ceaf_when_objects_are_entities():
    """Luo 2005, figure 1, response (b): the ten share 5 with a five, 6 7 is right: 7/12."""
    key = [frozenset("12345"), frozenset("67"), frozenset("89ABC")]
    system = [frozenset("1234589ABC"), frozenset("67")]
    found = corefmeter.align_objects(key, system, shared)
    assert found.total == 7
    assert round(found.recall, 3) == round(found.precision, 3) == round(found.f1, 3) == 0.583
    assert (found.reference_total, found.system_total) == (12, 12)


def test_the_best_map_is_not_the_greedy_one():
    """3 alone, or 2 + 2."""
    weights = {("a", "x"): 3, ("a", "y"): 2, ("b", "x"): 2}

    def similarity(one: str, other: str) -> int:
        return 4 if one == other else weights.get((one, other), 0)

    found = corefmeter.align_objects("ab", "xy", similarity)
    assert found.pairs == ((0, 1, 2), (1, 0, 2))
    assert found.scores.f1 == 0.5


def test_candidates_are_the_only_pairs_that_are_compared():
    asked = []

    def similarity(one: str, other: str) -> int:
        asked.append((one, other))
        return int(one == other)

    found = corefmeter.align_objects("abc", "abc", similarity, candidates=[(0, 0), (0, 0)])
    assert found.pairs == ((0, 0, 1),)
    assert len(asked) == 1 + 3 + 3


def test_nothing_is_undefined_and_counts_as_0():
    found = corefmeter.align_objects([], [], shared)
    assert (found.pairs, found.recall, found.precision, found.f1) == ((), 0, 0, 0)
    assert found.scores.undefined == ("recall", "precision", "f1")


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "x", None])
def test_a_similarity_that_is_none(bad):
    with pytest.raises(OptionError, match="number of 0 or more"):
        corefmeter.align_objects([1], [1], lambda a, b: bad)


def test_the_total_is_the_best_of_all_maps():
    chance = random.Random(3)
    for _ in range(500):
        rows, columns = chance.randint(0, 4), chance.randint(0, 4)
        table = [[chance.choice([0, 0, 1, 2, 5]) for _ in range(columns)] for _ in range(rows)]
        key, system = [("k", i) for i in range(rows)], [("s", j) for j in range(columns)]

        def similarity(a, b, table=table) -> int:
            return 5 if a == b else table[a[1]][b[1]]

        padded = [*range(columns), *[None] * rows]
        best = max(
            sum(table[i][j] for i, j in enumerate(chosen) if j is not None)
            for chosen in permutations(padded, rows)
        )
        found = corefmeter.align_objects(key, system, similarity)
        assert found.total == best == sum(weight for *_, weight in found.pairs)
        assert found.recall == (float(Fraction(best, 5 * rows)) if rows else 0)
