"""What a corpus can show: by formulas worked out by hand, and by trying."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from corefmeter import score
from corefmeter.statistics.comparison import compare_results
from corefmeter.statistics.power import detectable, smallest_p, standard_error

from . import naive
from .corpora import invented


@pytest.mark.parametrize("seed", range(3))
def test_the_jackknife_error_of_a_mean_is_the_usual_one(seed):
    values = np.random.default_rng(seed).normal(size=20)
    without = (values.sum() - values) / 19
    assert standard_error(without) == pytest.approx(values.std(ddof=1) / np.sqrt(20))


def test_an_error_of_no_numbers_is_unknown():
    assert standard_error(np.array([1.0, np.nan])) is None


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.05 / 3, 0.8)])
def test_the_detectable_difference_is_found_with_the_power_asked_for(alpha, power):
    """A normal estimate with this mean passes the two-sided test with this chance."""
    difference = detectable(2.0, alpha, power)
    critical = 2.0 * norm.ppf(1 - alpha / 2)
    assert norm.sf(critical, loc=difference, scale=2.0) == pytest.approx(power)


def test_the_detectable_difference_of_a_comparison():
    key, systems = invented("power", 9, {"A": 0.3, "B": 0.5, "C": 0.4})
    results = {name: score(key, r, metrics="b3") for name, r in systems.items()}
    without = {}
    for name, response in systems.items():
        corpus = naive.Corpus("b3", key, response)
        without[name] = [
            float(naive.resampled(corpus, np.ones(9) - np.eye(9)[i])) for i in range(9)
        ]
    for correction, alpha in (("none", 0.05), ("bh", 0.05), ("holm", 0.05 / 3)):
        found = compare_results(results, trials=50, correction=correction)["b3"]
        error = naive.standard_error(
            [a - b for a, b in zip(without["A"], without["B"], strict=True)]
        )
        z = norm.ppf(1 - alpha / 2) + norm.ppf(0.8)
        assert found.pairs[0].detectable == pytest.approx(z * error)


def test_identical_systems_have_no_detectable_difference():
    key, systems = invented("same", 9, {"A": 0.3})
    results = {name: score(key, systems["A"], metrics="b3") for name in "AB"}
    assert compare_results(results, trials=50)["b3"].pairs[0].detectable is None


@pytest.mark.parametrize(
    ("units", "trials", "comparisons", "correction", "p"),
    [
        (5, None, 1, "holm", 2 / 32),
        (6, None, 1, "holm", 2 / 64),
        (6, None, 3, "holm", 6 / 64),
        (6, None, 3, "bh", 2 / 64),
        (6, None, 3, "none", 2 / 64),
        (None, 19, 1, "holm", 0.05),
        (None, 999, 10, "holm", 0.01),
        (1, None, 4, "holm", 1),
    ],
)
def test_the_smallest_p_there_can_be(units, trials, comparisons, correction, p):
    assert smallest_p(units, trials, comparisons, correction) == pytest.approx(p)
