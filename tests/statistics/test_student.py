"""Runs as repetitions: Student's t over documents and runs, worked by hand and tried on truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from corefmeter import DataError, OptionError, Recipe, compare
from corefmeter.result import Result
from corefmeter.statistics.comparison import compare_results, systems_of
from corefmeter.statistics.significance import TOLERANCE
from corefmeter.statistics.student import Estimate, estimate
from corefmeter.units import Unit

from . import naive
from .corpora import invented

#: Of ten links in each of six documents, how many each run finds.
FOUND = {
    "a1": [6, 7, 8, 5, 9, 7],
    "a2": [7, 7, 9, 6, 9, 8],
    "a3": [5, 6, 8, 5, 8, 6],
    "b1": [5, 6, 6, 5, 7, 7],
    "b2": [6, 6, 7, 4, 7, 6],
}
RUNS = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2"]}


def results(found=FOUND) -> dict[str, Result]:
    units = [Unit(f"d{i}", f"d{i}") for i in range(6)]
    return {
        name: Result(Recipe(metrics="muc"), units, {"muc": [(n, 10, n, 10) for n in row]})
        for name, row in found.items()
    }


def test_a_difference_of_mean_scores_is_a_t_of_documents_and_runs():
    """Recall is a mean of documents of equal size, so that the jackknife gives s/sqrt(n)."""
    found = compare_results(results(), runs=RUNS, score="recall")
    assert (found.systems, found.runs, found.test, found.comparisons) == (["A", "B"], RUNS, "t", 1)
    scores = {name: np.array(row) / 10 for name, row in FOUND.items()}
    means = {s: np.mean([scores[run] for run in of], axis=0) for s, of in RUNS.items()}
    of_runs = {s: [scores[run].mean() for run in of] for s, of in RUNS.items()}
    parts = [
        ((means["A"] - means["B"]).var(ddof=1) / 6, 5),
        (np.var(of_runs["A"], ddof=1) / 3, 2),
        (np.var(of_runs["B"], ddof=1) / 2, 1),
    ]
    variance = sum(v for v, _ in parts)
    freedom = variance**2 / sum(v**2 / f for v, f in parts)
    pair = found["muc"].pair("A", "B")
    assert pair.difference == pytest.approx(means["A"].mean() - means["B"].mean())
    t = pair.difference / variance**0.5
    assert pair.p == pytest.approx(2 * student.sf(t, freedom))
    half = student.ppf(0.975, freedom) * variance**0.5
    assert pair.interval == pytest.approx((pair.difference - half, pair.difference + half))
    score = found["muc"].scores["A"]
    assert (score.recall, *score.spread[:2]) == pytest.approx(
        (np.mean(of_runs["A"]), 3, np.std(of_runs["A"], ddof=1))
    )
    assert score.spread[2:] == pytest.approx((min(of_runs["A"]), max(of_runs["A"])))
    assert pair.differing == 6


def test_runs_that_differ_much_make_a_p_large_however_many_documents_there_are():
    """Means of 0.9 and 0.7, and of 0.6 and 0.4, alike in all documents: t = 0.3/sqrt(0.02)."""
    rows = {"a1": 9, "a2": 7, "b1": 6, "b2": 4}
    made = results({name: [n] * 6 for name, n in rows.items()})
    pair = compare_results(made, runs=r"\d$", score="recall")["muc"].pairs[0]
    assert (pair.a, pair.b) == ("a", "b")
    # Variance 0.02 of each pair of runs, 0.01 of each mean: equal, so that there are 2 degrees.
    assert pair.p == pytest.approx(2 * student.sf(0.3 / 0.02**0.5, 2))
    assert pair.p > 0.05


def test_the_same_runs_have_p_one_and_no_spread():
    made = results(dict.fromkeys(("a1", "a2", "b1", "b2"), FOUND["a1"]))
    found = compare_results(made, runs=r"\d$")["muc"]
    assert (found.pairs[0].p, found.pairs[0].interval) == (1, (0, 0))
    assert found.scores["a"].spread.deviation == 0


def test_single_outputs_can_be_compared_by_t_over_documents():
    found = compare_results({n: r for n, r in results().items() if n in ("a1", "b1")}, test="t",
                            score="recall")  # fmt: skip
    gaps = np.array(FOUND["a1"]) / 10 - np.array(FOUND["b1"]) / 10
    t = gaps.mean() / (gaps.std(ddof=1) / 6**0.5)
    assert found["muc"].pairs[0].p == pytest.approx(2 * student.sf(t, 5))
    assert found.runs == {}


def test_what_is_not_known_has_no_p():
    assert Estimate(0.5, 0.0, 5).p() is None
    assert Estimate(float("nan"), 0.1, 5).p() is None
    # An error of at most the tolerance is none, and so is a value.
    assert Estimate(0.5, TOLERANCE, 5).p() is None
    assert Estimate(TOLERANCE, 0.0, 5).p() == 1
    assert estimate(0.5, np.array([1.0, np.nan]), []).interval(0.95) is None


def test_a_system_of_one_run_is_told():
    found = compare_results(results(), runs={"A": RUNS["A"]})
    assert found.systems == ["A", "b1", "b2"]
    (problem,) = [p for p in found.problems if p.code == "one-run"]
    assert problem.message.startswith("b1, b2: only one run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": RUNS, "test": "randomization"}, "'randomization' compares single outputs"),
        ({"runs": {"A": ["a1", "a9"]}}, "'a9' of 'A' is not a result"),
        ({"runs": {"A": ["a1", "a2"], "B": ["a2", "b1"]}}, "'a2' of 'B' is not a result, or is"),
        ({"runs": "_seed"}, "no system has several"),
        ({"runs": "("}, "is not a regular expression"),
        ({"runs": {"A": [*RUNS["A"], *RUNS["B"]]}}, "two systems or more"),
    ],
)
def test_runs_that_cannot_be_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        compare_results(results(), **options)


def test_too_few_documents_for_runs_are_not_sent_to_a_test_that_refuses_runs():
    key = {f"d{i}": [["a", "b"]] for i in range(5)}
    runs = {"a_1": key, "a_2": key, "b_1": key}
    with pytest.raises(DataError, match="a single output of each system") as found:
        compare(key, runs, metrics="lea", runs=r"_\d")
    assert "randomization" not in str(found.value)


def test_names_that_a_pattern_leaves_nothing_of_are_kept():
    assert systems_of(["1", "a1", "a2"], r"\d$") == {"1": ["1"], "a": ["a1", "a2"]}


def level(units: int, runs: int, by_runs: float, trials: int, seed: int = 1) -> float:
    """Of how many of two systems that are alike the test says that they differ, at 0.05.

    The score of a run on a document is a sum of normal effects: of the document with the system,
    of the run, and of both together. The first has the variance 1 in the mean of all documents.
    """
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(trials):
        one, other = (
            rng.normal(0, (units / 2) ** 0.5, units)
            + rng.normal(0, by_runs, (runs, 1))
            + rng.normal(0, 1, (runs, units))
            for _ in "ab"
        )
        gaps = one.mean(axis=0) - other.mean(axis=0)
        jackknife = (gaps.sum() - gaps) / (units - 1)
        p = estimate(gaps.mean(), jackknife, [one.mean(axis=1), other.mean(axis=1)]).p()
        found += p <= 0.05
    return found / trials


@pytest.mark.parametrize(("units", "runs"), [(20, 3), (60, 3), (60, 5)])
@pytest.mark.parametrize("by_runs", [0.0, 0.5, 1.0, 3.0])
def test_alike_systems_are_hardly_ever_said_to_differ(units, runs, by_runs):
    """A binomial of 0.05 and 600 trials is above 0.077 with a chance of 0.002."""
    assert level(units, runs, by_runs, 600) <= 0.077


# A baseline


def test_a_baseline_is_compared_with_each_other_system_and_these_with_no_other():
    key, systems = invented("baseline", 24, {"A": 0.2, "B": 0.25, "C": 0.6})
    whole = compare(key, systems, metrics="lea", trials=200)
    found = compare(key, systems, metrics="lea", trials=200, baseline="B")
    assert [(pair.a, pair.b) for pair in found["lea"].pairs] == [("A", "B"), ("C", "B")]
    assert found.comparisons == 2
    for pair in found["lea"].pairs:
        same = whole["lea"].pair(pair.a, pair.b)
        assert (pair.difference, pair.p) == (same.difference, same.p)
        assert pair.interval == pytest.approx(same.interval)
    p_values = [pair.p for pair in found["lea"].pairs]
    assert [pair.p_adjusted for pair in found["lea"].pairs] == pytest.approx(naive.holm(p_values))
    assert (found["lea"].ranks, found["lea"].letters) == ({}, {})
    assert found.signature.endswith("|score:f1|baseline:B")
    boot = compare(key, systems, metrics="lea", trials=200, baseline="B", test="bootstrap")
    every = compare(key, systems, metrics="lea", trials=200, test="bootstrap")
    assert [p.p for p in boot["lea"].pairs] == [every["lea"].pair(s, "B").p for s in "AC"]


def test_a_baseline_that_is_no_system_is_refused():
    with pytest.raises(OptionError, match="unknown system for a baseline 'a3x'"):
        compare_results(results(), baseline="a3x")
