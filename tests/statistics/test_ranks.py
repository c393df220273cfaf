"""Ranks with ties and letters, from what differs."""

from __future__ import annotations

from itertools import combinations
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


def test_a_group_is_held_together_by_its_first_system_alone():
    # Neighbours do not differ; those two steps apart do. d is compared with c, not with a.
    scores = {"a": 4, "b": 3, "c": 2, "d": 1}
    assert ranks(scores, beyond(1)(scores)) == {"a": 1, "b": 1, "c": 3, "d": 3}
    assert letters(scores, beyond(1)(scores)) == {"a": "a", "b": "ab", "c": "bc", "d": "c"}


def test_a_system_that_differs_from_the_first_opens_a_group_though_a_later_one_would_not():
    # c differs from a, d does not: the group of a is closed all the same.
    scores = {"a": 4, "b": 3, "c": 2, "d": 1}
    assert ranks(scores, lambda a, b: {a, b} == {"a", "c"}) == {"a": 1, "b": 1, "c": 3, "d": 3}


def test_a_rank_counts_the_systems_before_it():
    scores = {"a": 5, "b": 5, "c": 5, "d": 1}
    assert ranks(scores, beyond(1)(scores)) == {"a": 1, "b": 1, "c": 1, "d": 4}


def test_alike_scores_keep_their_order():
    assert ranks({"b": 1, "a": 1}, always) == {"b": 1, "a": 2}


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
