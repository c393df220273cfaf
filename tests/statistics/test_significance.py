"""P-values: by hand, by enumeration with exact fractions, and by chance within its own error."""

from __future__ import annotations

from itertools import combinations
from math import nan

import numpy as np
import pytest
from scipy.stats import binom, false_discovery_control

from corefmeter import OptionError, Recipe, score
from corefmeter.metrics import METRICS
from corefmeter.statistics import significance
from corefmeter.statistics.bootstrap import bootstrap
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.resampling import resamples
from corefmeter.statistics.significance import (
    TOLERANCE,
    adjust_p_values,
    count_as_large,
    randomization,
)
from corefmeter.units import group_function

from . import naive
from .corpora import invented

ALL = (*METRICS, "conll")


def share(common: int, key_size: int, response_size: int) -> float:
    return 2 * common / (key_size + response_size)


RECIPE = Recipe(metrics=ALL, ceaf_similarity=share)


def matrix_of(key, systems, metrics=ALL, field="f1") -> Matrix:
    recipe = RECIPE.replace(metrics=metrics)
    results = {name: score(key, response, recipe) for name, response in systems.items()}
    return Matrix(results, metrics, field, group_function("document"))


def documents(*kinds: str):
    """Six mentions in three pairs for each document; what A and B make of it, by a letter.

    ``b``: both right. ``A``: A finds all links, B none. ``B``: the other way round.
    """
    key = {f"d{i}": [[0, 1], [2, 3], [4, 5]] for i in range(len(kinds))}
    none = [[mention] for mention in range(6)]
    right = {name: key[name] for name in key}
    a = {n: none if kind == "B" else right[n] for n, kind in zip(key, kinds, strict=True)}
    b = {n: none if kind == "A" else right[n] for n, kind in zip(key, kinds, strict=True)}
    return key, {"A": a, "B": b}


# Exact enumeration, by hand


@pytest.mark.parametrize(
    ("kinds", "p", "differing"),
    [
        ("bbb", 1.0, 0),  # identical outputs: nothing can be exchanged
        ("A", 1.0, 1),  # one exchange and none: both as large
        ("AA", 2 / 4, 2),  # none and both are as large as observed; one of them gives 0
        ("AAAAA", 2 / 32, 5),
        ("bbAAAAAbb", 2 / 32, 5),  # documents that do not differ do not matter
        ("AAAAAB", 2 * (1 + 6) / 64, 6),  # 5 against 1: those with 5 or 6 on one side
        ("AB", 1.0, 2),  # equally good: every difference is at least 0
    ],
)
def test_the_exact_p_of_simple_corpora(kinds, p, differing):
    matrix = matrix_of(*documents(*kinds), metrics=("muc", "links", "lea", "mentions"))
    found = randomization(matrix, 100, 1)
    for metric in ("muc", "links", "lea"):
        assert found[metric] == [(p, True, differing)], metric
    assert found["mentions"] == [(1.0, True, 0)]  # all mentions are found by both


@pytest.mark.parametrize(
    ("metric", "field"),
    [
        *((metric, field) for metric in METRICS for field in ("f1", "recall", "precision")),
        ("conll", "f1"),
    ],
)
def test_enumeration_equals_the_slow_definition_over_all_exchanges(metric, field):
    key, systems = invented(("exact", metric), 7, {"A": 0.3, "B": 0.35, "C": 0.7})
    found = randomization(matrix_of(key, systems, (metric,), field), 10, 1)[metric]
    for (a, b), p in zip(combinations(systems, 2), found, strict=True):
        assert p.exact
        assert p.p == pytest.approx(
            float(naive.exact_p(metric, key, systems[a], systems[b], field)), abs=1e-15
        )


def test_enumeration_of_twelve_documents_equals_the_slow_definition():
    key, systems = invented("twelve", 12, {"A": 0.3, "B": 0.4})
    for metric in ("muc", "b3"):
        (p,) = randomization(matrix_of(key, systems, (metric,)), 10, 1)[metric]
        expected = naive.exact_p(metric, key, systems["A"], systems["B"])
        assert p.p == pytest.approx(float(expected), abs=1e-15)


def test_up_to_sixteen_units_that_differ_are_enumerated():
    matrix = matrix_of(*documents(*"A" * 16, *"b" * 30), metrics=("muc",))
    assert randomization(matrix, 10, 1)["muc"] == [(2 / 2**16, True, 16)]
    matrix = matrix_of(*documents(*"A" * 17), metrics=("muc",))
    assert not randomization(matrix, 10, 1)["muc"][0].exact


def test_exact_refuses_more():
    matrix = matrix_of(*documents(*"A" * 17), metrics=("muc",))
    with pytest.raises(OptionError, match=r"A and B differ on 17 units by muc.*2\^17"):
        randomization(matrix, 10, 1, exact=True)


# Random exchanges


@pytest.mark.parametrize(
    "documents_", [9, 11, *(pytest.param(n, marks=pytest.mark.slow) for n in (13, 14))]
)
def test_random_exchanges_agree_with_enumeration_within_their_own_error(documents_, monkeypatch):
    """The count of T trials is binomial with the exact p; the test takes its 1e-6 limits."""
    trials = 10_000
    key, systems = invented(documents_, documents_, {"A": 0.3, "B": 0.35, "C": 0.5})
    matrix = matrix_of(key, systems)
    exact = randomization(matrix, trials, 1)
    monkeypatch.setattr(significance, "MOST_EXACT", -1)
    random = randomization(matrix, trials, 1)
    checked = 0
    for metric in ALL:
        for one, other in zip(exact[metric], random[metric], strict=True):
            assert one.exact
            assert not other.exact
            count = round(other.p * (trials + 1)) - 1
            assert binom.ppf(5e-7, trials, one.p) <= count <= binom.ppf(1 - 5e-7, trials, one.p)
            checked += one.p < 1
    assert checked > 20


@pytest.mark.parametrize(
    "chunk", [13, *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in (1, 500, 10**6))]
)
def test_chunks_do_not_change_p(chunk, monkeypatch):
    key, systems = invented("chunks", 25, {"A": 0.3, "B": 0.35, "C": 0.3})
    matrix = matrix_of(key, systems)
    whole = randomization(matrix, 500, 3)
    boot = bootstrap(matrix, 500, 3, 100, pairs=[(0, 1), (0, 2), (1, 2)])
    for module in ("bootstrap", "significance"):
        monkeypatch.setattr(f"corefmeter.statistics.{module}.chunk_size", lambda width: chunk)
    assert randomization(matrix, 500, 3) == whole
    again = bootstrap(matrix, 500, 3, 100, pairs=[(0, 1), (0, 2), (1, 2)])
    assert again.p_values == boot.p_values
    for metric in ALL:
        assert np.allclose(again.scores[metric], boot.scores[metric], rtol=1e-13, atol=1e-13)


def test_other_systems_do_not_change_the_p_of_a_pair():
    key, systems = invented("others", 25, {"A": 0.3, "B": 0.35, "C": 0.3, "D": 0.8})
    all_pairs = randomization(matrix_of(key, systems), 300, 3)
    pairs = list(combinations(systems, 2))
    for a, b in pairs:
        alone = randomization(matrix_of(key, {a: systems[a], b: systems[b]}), 300, 3)
        for metric in ALL:
            assert alone[metric][0] == all_pairs[metric][pairs.index((a, b))]


def test_exchanging_the_names_of_two_systems_changes_nothing():
    key, systems = invented("names", 25, {"A": 0.3, "B": 0.35})
    forward = randomization(matrix_of(key, systems), 300, 3)
    backward = randomization(matrix_of(key, dict(reversed(systems.items()))), 300, 3)
    for metric in ALL:
        if forward[metric][0].exact:
            assert forward[metric][0].p == pytest.approx(backward[metric][0].p)
        else:  # other exchanges: the same ones, seen from the other side
            assert forward[metric] == backward[metric]


def test_identical_outputs_have_p_one_by_every_test():
    key, systems = invented("twins", 30, {"A": 0.3})
    matrix = matrix_of(key, {"A": systems["A"], "B": systems["A"]})
    for p_values in (
        randomization(matrix, 99, 1), bootstrap(matrix, 99, 1, 99, pairs=[(0, 1)]).p_values
    ):  # fmt: skip
        assert {p.p for each in p_values.values() for p in each} == {1.0}


def test_ties_count_whatever_the_last_bits(monkeypatch):
    """In pairs of documents A and B do what the other does in the first: exchanging both changes
    nothing, so half of all exchanges tie with the observed one, but for the order of summing.
    """
    entities = [[0, 1, 2], [3, 4, 5, 6], [7]]
    one, other = [[0, 1, 7], [3, 4, 5], [2, 6]], [[0, 1], [2, 3, 4, 5, 6, 7]]
    key, a, b = {}, {}, {}
    for i in range(4):
        for name, first, second in ((f"{i}+", one, other), (f"{i}-", other, one)):
            key[name], a[name], b[name] = entities, first, second
    key["last"], a["last"], b["last"] = entities, entities, [[0, 3], [1, 4, 7]]
    for metric in ("b3", "ceafe", "lea", "vmeasure", "conll"):
        exact = float(naive.exact_p(metric, key, a, b))
        matrix = matrix_of(key, {"A": a, "B": b}, (metric,))
        assert randomization(matrix, 10, 1)[metric][0].p == pytest.approx(exact, abs=1e-15)
        with monkeypatch.context() as patched:
            patched.setattr(significance, "MOST_EXACT", -1)
            p = randomization(matrix, 2000, 1)[metric][0].p
        assert (
            binom.ppf(5e-7, 2000, exact) <= round(p * 2001) - 1 <= binom.ppf(1 - 5e-7, 2000, exact)
        )


def test_differences_within_the_tolerance_are_as_large():
    assert count_as_large(np.array([0.5 - TOLERANCE / 2, -0.5, 0.5 - 3 * TOLERANCE]), 0.5) == 2


def test_a_resample_that_is_no_number_counts_as_large():
    assert count_as_large(np.array([nan, 0.0]), 0.5) == 1


def test_a_system_whose_score_is_no_number_has_no_p():
    key = {f"d{i}": [[0], [1]] for i in range(3)}
    recipe = Recipe(metrics="muc", undefined="skip")
    results = {name: score(key, key, recipe) for name in "AB"}
    matrix = Matrix(results, ["muc"], "f1", group_function("document"))
    assert randomization(matrix, 10, 1)["muc"][0].p is None
    assert bootstrap(matrix, 10, 1, 10, pairs=[(0, 1)]).p_values["muc"][0].p is None


# Paired bootstrap


@pytest.mark.parametrize("metric", ["muc", "b3", "ceafe", "blanc", "lea", "conll"])
def test_the_paired_bootstrap_counts_shifted_differences(metric):
    """The same resamples, one by one with exact fractions."""
    trials = 60
    key, systems = invented("paired", 8, {"A": 0.3, "B": 0.45})
    one, other = (naive.Corpus(metric, key, systems[name]) for name in "AB")
    everything = [1] * 8
    observed = naive.resampled(one, everything) - naive.resampled(other, everything)
    (draws,) = resamples(8, trials, 4, trials)
    large = sum(
        abs(naive.resampled(one, counts) - naive.resampled(other, counts) - observed)
        >= abs(observed) - naive.CLOSE
        for counts in draws
    )
    assert bootstrap(matrix_of(key, systems, (metric,)), trials, 4, 0).p_values == {}
    (p,) = bootstrap(matrix_of(key, systems, (metric,)), trials, 4, 0, pairs=[(0, 1)]).p_values[
        metric
    ]
    assert p.p == (large + 1) / (trials + 1)
    assert not p.exact


# Corrections


def test_holm_by_hand():
    # 4 * 0.01, then 3 * 0.02, 2 * 0.03, 1 * 0.5; each at least as large as the one before.
    assert adjust_p_values([0.03, 0.01, 0.5, 0.02], "holm") == pytest.approx(
        [0.06, 0.04, 0.5, 0.06]
    )


def test_benjamini_and_hochberg_by_hand():
    # 0.01 * 4/1, 0.02 * 4/2, 0.03 * 4/3, 0.5 * 4/4; each at most as large as the one after.
    assert adjust_p_values([0.03, 0.01, 0.5, 0.02], "bh") == pytest.approx([0.04, 0.04, 0.5, 0.04])


@pytest.mark.parametrize("seed", range(20))
def test_corrections_equal_their_rules_read_aloud_and_scipy(seed):
    rng = np.random.default_rng(seed)
    p_values = rng.integers(1, 40, rng.integers(1, 30)) / 40  # with ties
    assert adjust_p_values(list(p_values), "holm") == pytest.approx(naive.holm(list(p_values)))
    found = adjust_p_values(list(p_values), "bh")
    assert found == pytest.approx(naive.benjamini_hochberg(list(p_values)))
    assert found == pytest.approx(list(false_discovery_control(p_values)))


def test_equal_p_values_stay_equal():
    for correction in ("holm", "bh"):
        found = adjust_p_values([0.01, 0.2, 0.01, 0.2], correction)
        assert found[0] == found[2]
        assert found[1] == found[3]


def test_what_has_no_p_is_not_counted():
    assert adjust_p_values([0.01, None, 0.03], "holm") == [0.02, None, 0.03]
    assert adjust_p_values([None], "bh") == [None]


def test_no_correction_leaves_them():
    assert adjust_p_values([0.01, 0.02], "none") == [0.01, 0.02]


def test_an_unknown_correction_is_refused():
    with pytest.raises(OptionError, match="did you mean 'holm'"):
        adjust_p_values([0.1], "hlom")
