"""Ranks with ties and letters, from what differs."""

from __future__ import annotations

from itertools import combinations, permutations
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter.statistics.ranks import letters, ranks

from .published import LEA_RANKS, TABLE_5


def beyond(distance: float):
    """Systems differ if their scores are so far apart."""
    return lambda scores: lambda a, b: abs(scores[a] - scores[b]) > distance


def never(a: str, b: str) -> bool:
    return False


def always(a: str, b: str) -> bool:
    return True


def test_the_ranks_of_the_lea_papers_table_5():
    """Moosavi & Strube 2016, Table 5: those that it ranks alike do not differ, all others do."""
    scores = {system: row["lea"] for system, row in TABLE_5.items()}

    def differ(a: str, b: str) -> bool:
        return LEA_RANKS[a] != LEA_RANKS[b]

    assert ranks(scores, differ) == LEA_RANKS


def test_systems_that_all_differ_have_the_ranks_of_their_scores():
    assert ranks({"a": 1, "b": 3, "c": 2}, always) == {"a": 3, "b": 1, "c": 2}


def test_systems_none_of_which_differ_are_all_first():
    assert ranks({"a": 1, "b": 3, "c": 2}, never) == {"a": 1, "b": 1, "c": 1}
    assert letters({"a": 1, "b": 3, "c": 2}, never) == {"a": "a", "b": "a", "c": "a"}


def test_a_group_begins_where_the_last_one_ends():
    # Neighbors do not differ; those two steps apart do. d is compared with c, not with a.
    scores = {"a": 4, "b": 3, "c": 2, "d": 1}
    assert ranks(scores, beyond(1)(scores)) == {"a": 1, "b": 1, "c": 3, "d": 3}
    assert letters(scores, beyond(1)(scores)) == {"a": "a", "b": "ab", "c": "bc", "d": "c"}


def test_letters_follow_the_order_of_the_systems():
    """The sets abx, ayc and abc are found in this order; abc has its letter before ayc."""
    scores = {"a": 5, "b": 4, "x": 3, "y": 2, "c": 1}
    apart = [{"x", "c"}, {"b", "y"}, {"x", "y"}]
    found = letters(scores, lambda one, other: {one, other} in apart)
    assert found == {"a": "abc", "b": "ab", "x": "a", "y": "c", "c": "bc"}


def test_a_system_that_differs_from_the_first_opens_a_group_though_a_later_one_would_not():
    # c differs from a, d does not: the group of a is closed all the same.
    scores = {"a": 4, "b": 3, "c": 2, "d": 1}
    assert ranks(scores, lambda a, b: {a, b} == {"a", "c"}) == {"a": 1, "b": 1, "c": 3, "d": 3}


def test_a_rank_counts_the_systems_before_it():
    scores = {"a": 5, "b": 5, "c": 5, "d": 1}
    assert ranks(scores, beyond(1)(scores)) == {"a": 1, "b": 1, "c": 1, "d": 4}


def significant(adjusted):
    """Whether two systems differ at 0.05, from the adjusted p of those pairs that are not 1."""
    return lambda a, b: adjusted.get(f"{a}{b}", adjusted.get(f"{b}{a}", 1)) <= 0.05


FIVE = {"A": 60.5, "B": 60.4, "C": 60.1, "D": 59.9, "E": 59.0}


@pytest.mark.parametrize(
    ("adjusted", "expected"),
    [
        # Nothing differs from the first, A, but B from E.
        ({"AE": 0.07, "BE": 0.04}, [1, 1, 1, 1, 5]),
        # Two in the middle differ: D opens a group, which E joins.
        ({"BD": 0.04}, [1, 1, 1, 4, 4]),
        # E differs from D alone, D from C alone.
        ({"CD": 0.05, "DE": 0.001, "AE": 0.051}, [1, 1, 1, 4, 5]),
    ],
)
def test_systems_of_one_rank_do_not_differ(adjusted, expected):
    assert list(ranks(FIVE, significant(adjusted)).values()) == expected


@pytest.mark.parametrize("order", [*permutations("TXY")])
def test_equal_scores_share_a_rank_in_whatever_order_systems_are_given(order):
    """X and Y are equal; T differs from X, and not from Y."""
    scores = {name: {"T": 3, "X": 2, "Y": 2}[name] for name in order}
    assert ranks(scores, significant({"TX": 0.01})) == {"T": 1, "X": 2, "Y": 2}
    assert letters(scores, significant({"TX": 0.01})) == {"T": "a", "X": "b", "Y": "ab"}


@given(st.permutations("abcdef"), st.data())
def test_of_any_p_values_no_two_systems_of_a_rank_differ(order, data):
    scores = {name: data.draw(st.integers(0, 3)) for name in order}
    apart = {
        frozenset(pair)
        for pair in combinations(order, 2)
        if scores[pair[0]] != scores[pair[1]] and data.draw(st.booleans())
    }

    def differ(a: str, b: str) -> bool:
        return frozenset((a, b)) in apart

    found = ranks(scores, differ)
    for a, b in combinations(order, 2):
        assert not (found[a] == found[b] and differ(a, b))
        assert (scores[a] > scores[b]) <= (found[a] <= found[b])
        assert (scores[a] == scores[b]) <= (found[a] == found[b])
    again = {name: scores[name] for name in sorted(scores)}
    assert ranks(again, differ) == found
    assert letters(again, differ) == letters(scores, differ)


def test_a_system_whose_score_is_no_number_has_no_rank():
    scores = {"a": 1.0, "b": nan}
    assert ranks(scores, never) == {"a": 1, "b": None}
    assert letters(scores, never) == {"a": "a", "b": ""}


def test_one_system_is_first():
    assert ranks({"a": 1}, always) == {"a": 1}
    assert letters({"a": 1}, always) == {"a": "a"}


def test_letters_go_on_after_z():
    scores = {f"s{i}": -i for i in range(30)}
    found = letters(scores, always)
    assert list(found.values())[:2] == ["a", "b"]
    assert list(found.values())[25:28] == ["z", "a1", "b1"]


def test_many_letters_are_told_apart():
    scores = {f"s{i}": -i for i in range(40)}
    found = letters(scores, beyond(1)(scores))
    assert found["s1"] == "ab"
    assert found["s26"] == "za1"


@pytest.mark.parametrize("order", ["ABCDEF", "FEDCBA", "DBECAF"])
def test_no_letter_is_spare(order):
    """Of A to F, nine pairs do not differ: AD AE DE, BC BE CE and BD BF DF. So do B, D and E, whose
    pairs all have a letter already.
    """
    apart = {"AB", "AC", "AF", "CD", "CF", "EF"}
    scores = {name: -place for place, name in enumerate(order)}
    found = letters(scores, lambda a, b: "".join(sorted(a + b)) in apart)
    groups: dict[str, str] = {}
    for name in "ABCDEF":
        for letter in found[name]:
            groups[letter] = groups.get(letter, "") + name
    assert sorted(groups.values()) == ["ADE", "BCE", "BDF"]


@given(st.integers(1, 8), st.data())
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(n, data):
    names = [f"s{i}" for i in range(n)]
    scores = {name: data.draw(st.integers(0, 4)) for name in names}
    apart = {pair for pair in combinations(names, 2) if data.draw(st.booleans())}
    found = letters(scores, lambda a, b: (a, b) in apart or (b, a) in apart)
    assert all(found.values())
    for pair in combinations(names, 2):
        assert (set(found[pair[0]]).isdisjoint(found[pair[1]])) == (pair in apart)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(0, 10))
def test_letters_of_systems_on_a_line_are_their_runs(values, distance):
    """Where only the distance decides, each letter is a run of neighbours that none contains."""
    scores = {f"s{i}": value for i, value in enumerate(values)}
    found = letters(scores, beyond(distance)(scores))
    runs = set()
    for top in values:
        run = frozenset(name for name, v in scores.items() if 0 <= top - v <= distance)
        runs.add(run)
    maximal = {run for run in runs if not any(run < other for other in runs)}
    by_letter = {
        frozenset(name for name, own in found.items() if letter in own)
        for letter in set("".join(found.values()))
    }
    assert by_letter == maximal


@pytest.mark.parametrize("n", [3, 8])
def test_ranks_never_fall_as_scores_do(n):
    scores = {f"s{i}": -i for i in range(n)}
    found = list(ranks(scores, beyond(2)(scores)).values())
    assert found == sorted(found)
