"""Correlations between metrics: against scipy, against slow definitions, by hand, as published."""

from __future__ import annotations

import itertools
import random
from math import atanh, comb, fsum, isclose, sqrt, tanh

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from corefmeter.problems import DataError, OptionError
from corefmeter.wings.lab.correlation import METHODS, correlate, correlation

from ...statistics.published import LUO_TABLE_2, TABLE_5
from ...strategies import scaled

METRICS = ["muc", "b3", "ceafm", "ceafe", "blanc", "conll", "lea"]
PAIRS = list(itertools.combinations(METRICS, 2))


def column(metric: str) -> list[float]:
    return [scores[metric] for scores in TABLE_5.values()]


# Slow, obvious definitions.


def slow_kendall(x, y):
    """Concordant minus discordant pairs over the mean of those that are untied on each side."""
    alike = opposite = untied_x = untied_y = 0
    for i, j in itertools.combinations(range(len(x)), 2):
        untied_x += x[i] != x[j]
        untied_y += y[i] != y[j]
        if x[i] != x[j] and y[i] != y[j]:
            alike += (x[i] < x[j]) == (y[i] < y[j])
            opposite += (x[i] < x[j]) != (y[i] < y[j])
    return (alike - opposite) / sqrt(untied_x * untied_y)


def slow_ranks(x):
    """1 for the smallest; tied values share the mean of their places."""
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def slow_pearson(x, y):
    mean_x, mean_y = fsum(x) / len(x), fsum(y) / len(y)
    products = fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    squares_x = fsum((a - mean_x) ** 2 for a in x)
    squares_y = fsum((b - mean_y) ** 2 for b in y)
    return products / sqrt(squares_x * squares_y)


def slow_spearman(x, y):
    return slow_pearson(slow_ranks(x), slow_ranks(y))


SLOW = {"kendall": slow_kendall, "spearman": slow_spearman, "pearson": slow_pearson}
SCIPY = {"kendall": stats.kendalltau, "spearman": stats.spearmanr, "pearson": stats.pearsonr}


# Moosavi & Strube 2016, Table 5.


@pytest.mark.parametrize("method", METHODS)
def test_table_5_equals_scipy(method):
    matrix = correlate(TABLE_5, method)
    assert matrix.metrics == tuple(METRICS)
    assert len(matrix.systems) == 14
    for a, b in PAIRS:
        expected = SCIPY[method](column(a), column(b))
        assert abs(matrix[a, b].value - expected.statistic) < 1e-12
        assert isclose(matrix[a, b].p, expected.pvalue, rel_tol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_table_5_equals_the_slow_definition(method):
    matrix = correlate(TABLE_5, method)
    for a, b in PAIRS:
        assert abs(matrix[a, b].value - SLOW[method](column(a), column(b))) < 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_the_matrix_is_symmetric_with_ones_on_its_diagonal(method):
    values = correlate(TABLE_5, method).values()
    for i, row in enumerate(values):
        assert row[i] == 1.0
        assert row == [other[i] for other in values]


def test_table_5_conll_and_lea_by_hand():
    """CoNLL is strictly decreasing in the table's order. LEA, read in that order, increases for
    these pairs: xu over chen, chunyuang, shou and yuan; yuan over shou; songyang over uryupina.
    So 6 of 14 * 13 / 2 = 91 pairs are discordant, none tied.
    """
    found = correlate(TABLE_5, "kendall", ["conll", "lea"])["conll", "lea"]
    assert isclose(found.value, (85 - 6) / 91, rel_tol=1e-14)


# Luo et al. 2014, Table 2. Table 3, Pearson's r over the participants of 2011 and 2012, cannot be
# recomputed: it also needs the other metrics' scores of systems that neither paper prints.


def test_blanc_of_both_papers_is_the_same_but_for_one_last_digit():
    """Luo et al. write "chunyang" and have "stamborg" too; for yuan they print 52.11, not 52.10."""
    assert set(LUO_TABLE_2) - set(TABLE_5) == {"chunyang", "stamborg"}
    assert set(TABLE_5) - set(LUO_TABLE_2) == {"chunyuang"}
    both = {
        name: (scores["blanc"], LUO_TABLE_2[name.replace("chunyuang", "chunyang")][2])
        for name, scores in TABLE_5.items()
    }
    assert [name for name, (a, b) in both.items() if a != b] == ["yuan"]
    assert both["yuan"] == (52.10, 52.11)
    table = {name: {"moosavi": a, "luo": b} for name, (a, b) in both.items()}
    assert correlate(table, "kendall")["moosavi", "luo"].value == pytest.approx(1, abs=1e-15)
    assert correlate(table, "pearson")["moosavi", "luo"].value == pytest.approx(1, abs=1e-7)


# Small examples by hand.


def test_kendall_with_ties_by_hand():
    """Pairs of (4, 4), (3, 2), (2, 3), (2, 1): 4 alike, 1 opposite, 1 tied on the left only."""
    found = correlation([4, 3, 2, 2], [4, 2, 3, 1], "kendall")
    assert isclose(found.value, (4 - 1) / sqrt(5 * 6), rel_tol=1e-14)


def test_spearman_with_ties_by_hand():
    """Ranks 4, 3, 1.5, 1.5 and 4, 2, 3, 1; both means are 2.5, so the deviations are 1.5, 0.5, -1,
    -1 and 1.5, -0.5, 0.5, -1.5; products 2.25 - 0.25 - 0.5 + 1.5 = 3; squares 4.5 and 5.
    """
    found = correlation([4, 3, 2, 2], [4, 2, 3, 1], "spearman")
    assert isclose(found.value, 3 / sqrt(4.5 * 5), rel_tol=1e-14)


def test_pearson_by_hand():
    """Deviations -1, 0, 1 and -1, -1, 2; products 3; squares 2 and 6."""
    assert isclose(correlation([1, 2, 3], [0, 0, 3], "pearson").value, 3 / sqrt(12), rel_tol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_reversed_order_is_minus_one(method):
    assert correlation([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], method).value == pytest.approx(-1)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_column_is_undefined_not_nan(method):
    found = correlation([1, 2, 3], [0.5, 0.5, 0.5], method)
    assert found == (None, None, None, 3, "all systems have the same score")
    table = {name: {"a": i, "b": 7.0, "c": -i} for i, name in enumerate("xyz")}
    matrix = correlate(table, method)
    assert matrix.constant == ("b",)
    assert matrix["b", "b"].value is None
    assert matrix["a", "b"].value is None
    assert matrix["c", "a"].value == pytest.approx(-1)


def test_scores_that_differ_by_rounding_are_constant():
    assert correlation([1, 2, 3], [0.3, 0.1 + 0.2, 0.3], "pearson").value is None


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=20),
    st.sampled_from(list(METHODS)),
)
def test_random_columns_with_ties_equal_the_slow_definition(rows, method):
    x, y = zip(*rows, strict=True)
    assume(len({*x}) > 1 and len({*y}) > 1)
    found = correlation(x, y, method)
    assert abs(found.value - SLOW[method](x, y)) < 1e-12
    assert 0 <= found.p <= 1
    if found.interval is not None:
        assert -1 < found.interval[0] < found.value < found.interval[1] < 1


@settings(max_examples=scaled(30))
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=10))
def test_rank_coefficients_see_the_order_only(rows):
    x, y = zip(*rows, strict=True)
    assume(len({*x}) > 1 and len({*y}) > 1)
    for method in ("kendall", "spearman"):
        found = correlation(x, y, method).value
        assert abs(found - correlation([a**3 + 5 for a in x], y, method).value) < 1e-12


# p-values.


def test_p_of_few_systems_is_exact():
    """Of the 3! = 6 orders one agrees completely and one is its reverse: p = 2/6."""
    for method in ("kendall", "spearman"):
        assert correlation([1, 2, 3], [4, 5, 6], method).p == pytest.approx(1 / 3)


def test_p_with_ties_by_hand():
    """The left column ties its two smallest of three. Of six orders of 1, 2, 3 two put the 3 beside
    the largest, and none gives a larger coefficient: p = 2 * 2/6.
    """
    for method in ("kendall", "spearman"):
        assert correlation([1, 1, 2], [1, 2, 3], method).p == pytest.approx(2 / 3)


def test_orders_of_eight_systems_are_enumerated_and_of_nine_are_not():
    """All scores but the highest are alike, and it is the same system's: 1 of n orders is as
    large, so p = 2/n, where Student's distribution gives 0, the correlation being 1.
    """
    for n, p in ((7, 2 / 7), (8, 2 / 8), (9, 0)):
        found = correlation([0.1] * (n - 1) + [0.9], [0.3] * (n - 1) + [0.4], "spearman")
        assert found.value == pytest.approx(1)
        assert found.p == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["kendall", "spearman"])
def test_p_with_ties_counts_all_orders(method, seed):
    """Twice the smaller share of the 5! orders whose coefficient is as large, or as small."""
    rng = random.Random(seed)
    x, y = ([rng.randrange(4) for _ in range(5)] for _ in "xy")
    observed = SCIPY[method](x, y).statistic
    values = [SCIPY[method](x, order).statistic for order in itertools.permutations(y)]
    as_large = sum(value >= observed - 1e-12 for value in values)
    as_small = sum(value <= observed + 1e-12 for value in values)
    expected = min(1, 2 * min(as_large, as_small) / 120)
    assert correlation(x, y, method).p == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_kendall_without_ties_equals_the_enumeration(seed):
    """scipy's exact distribution, against all 7! orders counted here."""
    rng = random.Random(seed)
    y = rng.sample(range(7), 7)
    found = correlation(range(7), y, "kendall")
    observed = abs(found.value) * comb(7, 2)
    extreme = 0
    for order in itertools.permutations(range(7)):
        s = sum(1 if a < b else -1 for a, b in itertools.combinations(order, 2))
        extreme += abs(s) > observed - 0.5
    assert found.p == pytest.approx(extreme / 5040, rel=1e-12)


# Intervals.


def test_spearman_interval_as_published():
    """The example in the documentation of `ci.spear` of Bonett's R package statpsych."""
    y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    found = correlation(x, y, "spearman")
    assert found.value == pytest.approx(0.8699639, abs=5e-8)
    assert found.interval == pytest.approx((0.5840951, 0.9638297), abs=5e-8)


def test_kendall_interval_by_hand():
    """tanh(atanh(79/91) -+ 1.959964 sqrt(0.437/10)), of the fourteen systems."""
    found = correlate(TABLE_5, "kendall", ["conll", "lea"])["conll", "lea"]
    margin = 1.959963984540054 * sqrt(0.437 / (14 - 4))
    expected = tanh(atanh(79 / 91) - margin), tanh(atanh(79 / 91) + margin)
    assert found.interval == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_pearson_interval_equals_scipy(confidence):
    x, y = column("conll"), column("lea")
    low, high = stats.pearsonr(x, y).confidence_interval(confidence)
    assert correlation(x, y, "pearson", confidence).interval == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_no_interval_without_degrees_of_freedom_or_at_one(method):
    few = [1, 2, 4] if method == "spearman" else [1, 2, 1]
    assert correlation([1, 2, 3], few, method).interval is None
    assert correlation(range(9), range(9), method).interval is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "systems", "rho", "least"),
    [
        ("pearson", 14, 0.5, 0.95),
        ("pearson", 14, 0.95, 0.95),
        ("kendall", 14, 0.5, 0.94),
        ("kendall", 30, 0.8, 0.94),
        ("spearman", 14, 0.5, 0.95),
        ("spearman", 30, 0.8, 0.95),
    ],
)
def test_intervals_cover_the_true_value(method, systems, rho, least):
    """On bivariate normal scores, where τ = 2/π asin ρ and Spearman's is 6/π asin(ρ/2).

    The share of 4,000 intervals that hold the true value is not below `least` by more than chance:
    the lower end of the binomial 99.9 % band. Kendall's interval is known to be a little narrow.
    """
    import numpy as np

    true = {
        "pearson": rho,
        "kendall": 2 / np.pi * np.arcsin(rho),
        "spearman": 6 / np.pi * np.arcsin(rho / 2),
    }[method]
    rng = np.random.default_rng(2012)
    trials = 4000
    held = 0
    for _ in range(trials):
        x = rng.standard_normal(systems)
        y = rho * x + sqrt(1 - rho**2) * rng.standard_normal(systems)
        interval = correlation(x.tolist(), y.tolist(), method).interval
        held += interval is not None and interval[0] <= true <= interval[1]
    assert held >= stats.binom.ppf(0.0005, trials, least)


# Errors.


def test_fewer_than_three_systems_is_an_error():
    with pytest.raises(DataError, match="needs at least 3 systems \\(found 2\\)") as caught:
        correlate({"A": {"a": 1, "b": 2}, "B": {"a": 2, "b": 1}})
    assert caught.value.problems[0].code == "too-few-systems"


def test_a_hole_in_the_table_is_named():
    table = {"A": {"a": 1.0, "b": 2.0}, "B": {"a": 2.0}, "C": {"a": 2.0, "b": float("nan")}}
    with pytest.raises(DataError) as caught:
        correlate(table)
    assert [problem.code for problem in caught.value.problems] == ["missing-score"] * 2
    assert "'B'" in str(caught.value)
    assert "'C'" in str(caught.value)


def test_an_unknown_method_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'kendall'"):
        correlate(TABLE_5, "kendal")


@pytest.mark.parametrize("method", ["kendal", "Kendall", "tau", ""])
def test_an_unknown_method_is_refused_wherever_it_is_given(method):
    for call in (
        lambda: correlate(TABLE_5, method),
        lambda: correlation([1, 2, 3], [4, 5, 6], method),
    ):
        with pytest.raises(OptionError, match=f"unknown method {method!r}"):
            call()


@pytest.mark.parametrize("metrics", [[], ["muc"], ["muc", "muc"]])
def test_a_correlation_needs_two_metrics(metrics):
    with pytest.raises(OptionError, match="needs two metrics"):
        correlate(TABLE_5, "kendall", metrics)


@pytest.mark.parametrize("confidence", [0, 1, 95, float("nan")])
def test_confidence_lies_between_0_and_1(confidence):
    with pytest.raises(OptionError, match="confidence"):
        correlate(TABLE_5, confidence=confidence)
