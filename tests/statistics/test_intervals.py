"""Bootstrap intervals: against scipy, against the book's formulas, and where they break down."""

from __future__ import annotations

from math import nan
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

from corefmeter import Recipe, score
from corefmeter.statistics.comparison import compare_results
from corefmeter.statistics.intervals import _correct_shares, interval
from corefmeter.statistics.resampling import resamples

from . import naive
from .corpora import invented


def ratio_of_sums(x, y):
    return np.sum(x) / np.sum(y)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("method", ["percentile", "BCa"])
@pytest.mark.parametrize("seed", range(5))
def test_intervals_of_the_same_resamples_equal_scipys(seed, method, level):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 30, 40).astype(float)
    x = np.floor(y * rng.random(40) ** 2)
    arguments = {"paired": True, "vectorized": False, "method": method, "confidence_level": level}
    made = stats.bootstrap((x, y), ratio_of_sums, n_resamples=800, rng=rng, **arguments)
    low, high = stats.bootstrap(
        (x, y), ratio_of_sums, n_resamples=0, bootstrap_result=made, **arguments
    ).confidence_interval
    without = np.array([ratio_of_sums(np.delete(x, i), np.delete(y, i)) for i in range(len(x))])
    ours = interval(
        np.sort(made.bootstrap_distribution), ratio_of_sums(x, y), without, method.lower(), level
    )
    assert ours == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize("kind", ["percentile", "bca"])
@pytest.mark.parametrize("metric", ["muc", "ceafe", "blanc", "lea", "conll"])
def test_intervals_of_a_comparison_equal_the_slow_route(metric, kind):
    """The same resamples, each scored with exact fractions; formulas as in the book."""
    trials, n = 80, 8
    key, systems = invented("interval", n, {"A": 0.3, "B": 0.5})
    results = {name: score(key, response, metrics=metric) for name, response in systems.items()}
    found = compare_results(results, trials=trials, seed=9, interval=kind, level=0.8)[metric]
    (draws,) = resamples(n, trials, 9, trials)
    everything = np.ones(n)
    values, observed, without = {}, {}, {}
    for name, response in systems.items():
        corpus = naive.Corpus(metric, key, response)
        values[name] = [float(naive.resampled(corpus, counts)) for counts in draws]
        observed[name] = float(naive.resampled(corpus, everything))
        without[name] = [
            float(naive.resampled(corpus, everything - np.eye(n)[i])) for i in range(n)
        ]
    for kept in (values, without):
        kept["A-B"] = [a - b for a, b in zip(kept["A"], kept["B"], strict=True)]
    observed["A-B"] = observed["A"] - observed["B"]
    for name, limits in (
        ("A", found.scores["A"].interval),
        ("B", found.scores["B"].interval),
        ("A-B", found.pairs[0].interval),
    ):
        if kind == "bca":
            expected = naive.bca_interval(values[name], observed[name], without[name], 0.8)
        else:
            expected = naive.percentile_interval(values[name], 0.8)
        assert limits == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_corpus_in_which_all_documents_score_alike_has_an_interval_of_no_width():
    key = {f"d{i}": [[0, 1, 2]] for i in range(6)}
    half = {name: [[0, 1]] for name in key}
    results = {name: score(key, r, metrics="muc") for name, r in (("A", key), ("B", half))}
    found = compare_results(results, trials=50)["muc"]
    assert found.scores["A"].interval == (1, 1)
    # Recall 1/2, precision 1: F1 2/3.
    assert found.scores["B"].interval == pytest.approx((2 / 3, 2 / 3))
    assert found.pairs[0].interval == pytest.approx((1 / 3, 1 / 3))


def test_without_any_value_on_one_side_the_interval_is_the_percentile_interval():
    values = np.arange(11.0)
    without = np.array([1.0, 2.0, 4.0])
    assert interval(values, -1.0, without, "bca", 0.8) == pytest.approx((1, 9))
    assert interval(values, 11.0, without, "bca", 0.8) == pytest.approx((1, 9))


def test_without_influence_of_any_unit_the_acceleration_is_zero():
    values = np.arange(101.0)
    alike = np.full(5, 50.0)
    # No bias (as many below as above) and no acceleration: the percentile interval.
    assert interval(values, 50.0, alike, "bca", 0.9) == pytest.approx((5, 95))


def test_where_the_acceleration_is_too_strong_the_interval_is_the_percentile_interval():
    values = np.arange(1001.0)
    # A single unit with all the influence: acceleration (n-2)/(6 sqrt(n(n-1))), nearly 1/6, and a
    # bias z0 = 2.3, so 1 - a (z0 + z) falls below 0 at the level 0.9999999.
    without = np.array([-1000.0] + [0.0] * 999)
    assert interval(values, 990.0, without, "bca", 0.9999999) == pytest.approx((0, 1000), abs=1e-3)


def test_ties_with_the_observed_value_count_half():
    # 3 below, 4 equal, 3 above: no bias, so the percentile interval if nothing accelerates.
    values = np.array([0.0, 1, 2, 5, 5, 5, 5, 8, 9, 10])
    assert interval(values, 5.0, np.ones(3), "bca", 0.5) == pytest.approx(
        naive.percentile_interval(list(values), 0.5)
    )


def test_values_that_are_no_numbers_are_left_out():
    values = np.array([0.0, 1, 2, 3, 4, nan, nan])
    assert interval(values, 2.0, np.array([1.0, nan]), "percentile", 0.5) == (1, 3)
    assert interval(values, nan, np.array([1.0]), "percentile", 0.5) is None
    assert interval(np.array([nan]), 1.0, np.array([nan]), "bca", 0.5) is None


def test_a_higher_level_is_a_wider_interval():
    key, systems = invented("level", 30, {"A": 0.3, "B": 0.4})
    recipe = Recipe(metrics=("lea", "conll"))
    results = {name: score(key, response, recipe) for name, response in systems.items()}
    narrow = compare_results(results, trials=500, level=0.8)
    wide = compare_results(results, trials=500, level=0.99)
    for metric in ("lea", "conll"):
        for one, other in (
            (narrow[metric].scores["A"], wide[metric].scores["A"]),
            (narrow[metric].pairs[0], wide[metric].pairs[0]),
        ):
            assert other.interval[0] < one.interval[0] < one.interval[1] < other.interval[1]


def test_bca_is_not_defined_where_its_slope_is_zero():
    """Without bias, z of the upper share is 1.645, and the acceleration is 1 / 1.645."""
    z = NormalDist().inv_cdf(0.95)
    assert 1 - (1 / z) * z == 0
    assert _correct_shares((0.05, 0.95), 0.5, 1 / z) is None
    # Half of that: z / (1 - 1/2) = 3.29, and -z / (1 + 1/2) = -1.097.
    low, high = _correct_shares((0.05, 0.95), 0.5, 1 / (2 * z))
    assert (low, high) == pytest.approx((NormalDist().cdf(-z / 1.5), NormalDist().cdf(2 * z)))
