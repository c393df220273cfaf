"""Scores of thousands of resamples come from the metric's one formula, and equal it one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from corefmeter import Recipe, score
from corefmeter.metrics import METRICS
from corefmeter.metrics.base import UNDEFINED_AS, Metric, RatioMetric, Scores
from corefmeter.metrics.muc import Muc
from corefmeter.statistics.matrix import Matrix
from corefmeter.units import group_function

from .corpora import invented


def share(common: int, key_size: int, response_size: int) -> float:
    return 2 * common / (key_size + response_size)


def root(entity) -> float:
    return len(entity) ** 0.5


ALL = (*METRICS, "conll", "mela")
RECIPES = [
    Recipe(metrics=ALL, ceaf_similarity=share, undefined=undefined, average=average, **options)
    for undefined in UNDEFINED_AS
    for average in ("pooled", "macro")
    for options in (
        {},
        {"blanc": "luo2014", "lea_importance": root},
        {"blanc": "recasens2011", "lea_importance": "one", "mela_weights": "muc=1+blanc=2"},
    )
]
#: Few documents, so that resamples meet every 0/0: no links, empty sides, nothing in common.
KEY, SYSTEMS = invented("matrix", 5, {"A": 0.3, "B": 0.6})
KEY |= {"e/1": [], "e/2": [[0]], "e/3": [[0, 1]], "e/4": [[0], [1]]}
SYSTEMS["A"] |= {"e/1": [], "e/2": [], "e/3": [[7]], "e/4": [[0], [1]]}
SYSTEMS["B"] |= {"e/1": [[0, 1]], "e/2": [[0]], "e/3": [[0, 1]], "e/4": [[0, 1]]}
KEY = dict(sorted(KEY.items()))  # as units are


def results_of(recipe: Recipe):
    return {name: score(KEY, response, recipe) for name, response in SYSTEMS.items()}


def same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or math.isclose(
        one, other, rel_tol=1e-12, abs_tol=1e-12
    )


def weights() -> np.ndarray:
    """Resamples of all units, and all subsets of one or two."""
    rng = np.random.default_rng(1)
    n = len(KEY)
    few = [np.eye(n)[i] + np.eye(n)[j] * (i != j) for i in range(n) for j in range(i, n)]
    return np.array([*few, np.ones(n), *rng.multinomial(n, [1 / n] * n, 40)], dtype=float)


@pytest.mark.parametrize("field", ["f1", "recall", "precision"])
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: f"{r.undefined}-{r.average}-{r.blanc}")
def test_a_weighted_sum_scores_as_a_result_made_of_the_same_documents(recipe, field):
    results = results_of(recipe)
    metrics = [m for m in ALL if field == "f1" or m not in ("conll", "mela")]
    matrix = Matrix(results, metrics, field, group_function("document"))
    resamples = weights()
    found = matrix.scores(matrix.sums(resamples))
    for system, result in enumerate(results.values()):
        for number, counts in enumerate(resamples):
            picked = result.select([i for i, c in enumerate(counts) for _ in range(int(c))])
            for metric in metrics:
                expected = getattr(picked[metric], field)
                assert same(found[metric][system, number], expected), (metric, counts)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: f"{r.undefined}-{r.average}-{r.blanc}")
def test_leaving_one_unit_out_scores_as_the_result_without_it(recipe):
    results = results_of(recipe)
    matrix = Matrix(results, ALL, "f1", group_function("document"))
    without = matrix.leave_one_out()
    for system, result in enumerate(results.values()):
        for unit in range(len(KEY)):
            rest = result.select([i for i in range(len(KEY)) if i != unit])
            for metric in ALL:
                assert same(without[metric][system, unit], rest[metric].f1), metric


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: f"{r.undefined}-{r.average}-{r.blanc}")
def test_the_observed_scores_are_those_of_the_results(recipe):
    results = results_of(recipe)
    matrix = Matrix(results, ALL, "f1", group_function("document"))
    whole = matrix.scores(matrix.sums(np.ones((1, len(KEY)))))
    for metric in ALL:
        for system, result in enumerate(results.values()):
            assert same(matrix.observed[metric][system], result[metric].f1)
            assert same(whole[metric][system, 0], result[metric].f1)


class ScoresAlone(Metric):
    """A metric of another package that knows nothing of arrays: F0.5 of mentions."""

    name = "alone"
    title = "Alone"
    fields = ("common", "key", "response")

    def statistics(self, table):
        return table.matched, table.key_mentions, table.response_mentions

    def scores(self, sums, undefined="zero"):
        common, key, response = sums
        if not key or not response:
            value = UNDEFINED_AS[undefined]
            return Scores(value, value, value, 0, 0, 0, 0, ("recall", "precision", "f1"))
        recall, precision = common / key, common / response
        total = 0.25 * precision + recall
        f = 1.25 * precision * recall / total if total else 0.0
        return Scores(recall, precision, f, common, key, common, response)


class OtherScores(RatioMetric):
    """A subclass that changes what sums mean, but not the formula that it inherits."""

    name = "other"
    title = "Other"

    def statistics(self, table):
        return Muc().statistics(table)

    def scores(self, sums, undefined="zero"):
        return super().scores(sums, undefined)._replace(f1=sums[0] / 100)


@pytest.mark.parametrize("undefined", UNDEFINED_AS)
@pytest.mark.parametrize("kind", [ScoresAlone, OtherScores])
def test_a_metric_without_a_formula_for_arrays_is_asked_sum_by_sum(kind, undefined, monkeypatch):
    monkeypatch.setitem(METRICS, kind.name, f"{__name__}:{kind.__name__}")
    results = results_of(Recipe(metrics=kind.name, undefined=undefined))
    matrix = Matrix(results, [kind.name], "f1", group_function("document"))
    resamples = weights()
    found = matrix.scores(matrix.sums(resamples))[kind.name]
    for system, result in enumerate(results.values()):
        for number, counts in enumerate(resamples):
            picked = result.select([i for i, c in enumerate(counts) for _ in range(int(c))])
            assert same(found[system, number], picked[kind.name].f1)


class Counted(Metric):
    """Detection of mentions, as a metric that gives its numerators and denominators alone."""

    name = "counted"
    title = "Counted"
    fields = ("common", "key", "response")

    def statistics(self, table):
        return table.matched, table.key_mentions, table.response_mentions

    def counts(self, sums):
        common, key, response = sums
        return common, key, common, response


@pytest.mark.parametrize("score", ["f1", "recall", "precision"])
def test_a_metric_of_counts_has_a_formula_for_arrays(score, monkeypatch):
    monkeypatch.setitem(METRICS, "counted", f"{__name__}:Counted")
    names = ["counted", "mentions"]
    results = results_of(Recipe(metrics=names))
    matrix = Matrix(results, names, score, group_function("document"))
    monkeypatch.delattr(Metric, "scores")  # what is not asked sum by sum
    found = matrix.scores(matrix.sums(weights()))
    assert np.array_equal(found["counted"], found["mentions"], equal_nan=True)


def test_blocks_are_sums_of_their_documents_in_the_order_of_the_first_system():
    results = results_of(Recipe(metrics="muc"))
    order = list(reversed(range(len(KEY))))
    results["B"] = results["B"].select(order)
    matrix = Matrix(results, ["muc"], "f1", group_function("genre"))
    assert matrix.units == list(results["A"].by("genre"))
    for system, result in enumerate(results.values()):
        for unit, part in result.by("genre").items():
            column = matrix.values[:, system, matrix.units.index(unit)]
            assert column.tolist() == list(part.sums("muc"))


def test_units_that_differ_are_those_with_other_statistics_of_the_metric():
    key = {"same": [[0, 1], [2, 3]], "moved": [[0, 1], [2, 3]], "lost": [[0, 1], [2, 3]]}
    a = {**key, "moved": [[0, 1, 2], [3]]}
    b = {**key, "lost": [[0, 1]]}
    results = {"A": score(key, a), "B": score(key, b)}
    matrix = Matrix(results, ["mentions", "lea"], "f1", group_function("document"))
    differing = matrix.differing(0, 1)
    assert matrix.units == ["lost", "moved", "same"]
    assert differing["mentions"].tolist() == [0]  # moving a mention leaves it found
    assert differing["lea"].tolist() == [0, 1]
