"""Compare systems: scores with intervals, differences with p-values, ranks, letters.

Everything is made from the statistics of the documents that results carry; no text is read and
nothing is scored again. The hypotheses of one metric, its pairs of systems, are one family for the
correction; metrics are not corrected against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from corefmeter.metrics import canonical, is_average
from corefmeter.metrics.average import three
from corefmeter.metrics.base import as_json
from corefmeter.problems import OptionError, Problem, spelt
from corefmeter.recipe import Recipe
from corefmeter.result import SCHEMA, Result
from corefmeter.shown import Shown
from corefmeter.statistics.arrays import Array
from corefmeter.statistics.bootstrap import bootstrap
from corefmeter.statistics.checks import (
    FEWEST_UNITS,
    require_same_documents,
    require_same_key,
    require_same_recipe,
    require_several_units,
    require_units_to_resample,
    warnings,
    with_metrics,
)
from corefmeter.statistics.intervals import MOST_RESAMPLES, Interval, interval
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.plan import Plan
from corefmeter.statistics.power import detectable, smallest_p, standard_error
from corefmeter.statistics.ranks import letters, ranks
from corefmeter.statistics.significance import (
    TOLERANCE,
    Progress,
    PValue,
    adjusted,
    randomization,
)
from corefmeter.units import Unit, group_function

#: What is resampled: a known group, a mapping from documents to blocks, a function, or one of these
#: with the name it has in signatures.
Group = (
    str | Mapping[str, str] | Callable[[Unit], str]
    | tuple[str, str | Mapping[str, str] | Callable[[Unit], str]]
)  # fmt: skip


class SystemScore(NamedTuple):
    """The scores of a system by a metric; the interval is that of the score compared.

    A score that is not a number is None, and so are recall and precision of an average.
    """

    recall: float | None
    precision: float | None
    f1: float | None
    interval: Interval | None


class Difference(NamedTuple):
    """The difference between two systems by a metric.

    Attributes
    ----------
    a, b
        The systems.
    difference
        The score of a minus that of b.
    interval
        Its confidence interval.
    p, p_adjusted
        The p-value, and the one adjusted for the number of pairs.
    significant
        Whether `p_adjusted` is at most alpha.
    exact
        Whether the p comes from all exchanges, not from random ones.
    differing
        On how many units the two systems differ in the statistics of the metric.
    detectable
        The smallest true difference that is found with 80 % power; None where it is unknown, and
        where no p of these units and trials could be significant.
    """

    a: str
    b: str
    difference: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    significant: bool
    exact: bool
    differing: int
    detectable: float | None


class MetricComparison(NamedTuple):
    """The comparison by one metric.

    Attributes
    ----------
    metric
        Its name.
    scores
        By system.
    pairs
        All pairs, in the order of the systems.
    ranks, letters
        By system; see `corefmeter.statistics.ranks`.
    """

    metric: str
    scores: dict[str, SystemScore]
    pairs: list[Difference]
    ranks: dict[str, int | None]
    letters: dict[str, str]

    def pair(self, a: str, b: str) -> Difference:
        """The difference of a and b, in this order.

        Raises
        ------
        KeyError
            When one of them was not compared, or both are the same.
        """
        order = list(self.scores)
        if a == b or a not in order or b not in order:
            raise KeyError((a, b))
        first, second = sorted((order.index(a), order.index(b)))
        pair = self.pairs[first * (2 * len(order) - first - 3) // 2 + second - 1]
        if pair.a == a:
            return pair
        turned = None if pair.interval is None else (-pair.interval[1], -pair.interval[0])
        difference = None if pair.difference is None else -pair.difference
        return pair._replace(a=a, b=b, difference=difference, interval=turned)


class Comparison(Shown):
    """Several systems compared by several metrics; ``comparison["lea"]`` is one of them.

    Attributes
    ----------
    recipe : Recipe
        How the scores were made.
    plan : Plan
        How they were compared.
    systems : list of str
        Their names.
    units : list of str
        What was resampled.
    metrics : dict of str to MetricComparison
        By name.
    problems : list of Problem
        What a reader of the numbers should know.
    version : str
        The version of the program that made the statistics.
    """

    def __init__(
        self,
        recipe: Recipe,
        plan: Plan,
        systems: list[str],
        units: list[str],
        metrics: dict[str, MetricComparison],
        problems: list[Problem],
        version: str,
    ) -> None:
        self.recipe = recipe
        self.plan = plan
        self.systems = systems
        self.units = units
        self.metrics = metrics
        self.problems = problems
        self.version = version

    @property
    def signature(self) -> str:
        """The recipe and the plan as text; ``corefmeter compare --recipe`` repeats it."""
        return f"{self.recipe.signature(self.version)}|{self.plan.signature()}"

    @property
    def test(self) -> str:
        """The test that was made: ``exact`` where every p comes from all exchanges."""
        exact = all(pair.exact for metric in self.metrics.values() for pair in metric.pairs)
        return "exact" if exact else self.plan.test

    @property
    def comparisons(self) -> int:
        """The number of pairs of systems, for which the p-values are adjusted."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    def __getitem__(self, metric: str) -> MetricComparison:
        """The comparison by a metric, by name or alias.

        Raises
        ------
        OptionError
            When the metric is unknown or was not compared.
        """
        name = canonical(metric)
        if name not in self.metrics:
            raise OptionError(f"the metric {name!r} was not compared; ask for it")
        return self.metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def sorted_by(self, metric: str) -> list[str]:
        """The systems from the best to the worst by a metric, alike ones in their order.

        Raises
        ------
        OptionError
            When the metric is unknown or was not compared.
        """
        scores = self[metric].scores

        def key(system: str) -> float:
            value: float | None = getattr(scores[system], self.plan.score)
            return inf if value is None else -value

        return sorted(self.systems, key=key)

    def p_values(self, adjusted: bool = False) -> dict[tuple[str, str, str], float]:
        """The p of every difference: ``{(metric, system, system): p}``, systems in their order."""
        values = {}
        for name, metric in self.metrics.items():
            for pair in metric.pairs:
                p = pair.p_adjusted if adjusted else pair.p
                if p is not None:
                    values[name, pair.a, pair.b] = p
        return values

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON values, in the documented schema; unrounded fractions of one."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": self.version,
            "test": self.test,
            "trials": self.plan.trials,
            "seed": self.plan.seed,
            "by": self.plan.by,
            "units": len(self.units),
            "correction": self.plan.correction,
            "alpha": self.plan.alpha,
            "level": self.plan.level,
            "interval": self.plan.interval,
            "score": self.plan.score,
            "systems": list(self.systems),
            "metrics": {name: _metric_dict(metric) for name, metric in self.metrics.items()},
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def __repr__(self) -> str:
        return (
            f"<Comparison of {len(self.systems)} systems on {len(self.units)} units by "
            f"{', '.join(self.metrics)}>"
        )


def _metric_dict(metric: MetricComparison) -> dict[str, Any]:
    scores = {}
    for system, score in metric.scores.items():
        values = score._asdict()
        if is_average(metric.metric):
            del values["recall"], values["precision"]
        scores[system] = {**values, "interval": _listed(score.interval)}
    return {
        "scores": scores,
        "pairs": [{**pair._asdict(), "interval": _listed(pair.interval)} for pair in metric.pairs],
        "ranks": dict(metric.ranks),
        "letters": dict(metric.letters),
    }


def _listed(limits: Interval | None) -> list[float] | None:
    return None if limits is None else list(limits)


@spelt(lambda: vars(Plan()))
def compare_results(
    results: Mapping[str, Result],
    *,
    metrics: Sequence[str] | str | None = None,
    by: Group = "document",
    force: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """Compare systems that were scored on the same documents.

    Parameters
    ----------
    results
        A result for each system, by name; two or more.
    metrics
        Which of the metrics of the results; all by default.
    by
        What is resampled: ``document`` (its parts pooled), ``part``, ``genre``, a mapping from
        document name to block, or a function from a `Unit` to a block.
    force
        Compare although the recipes differ.
    progress
        Called with how many trials of how many are done.
    **options
        Fields of `Plan`, such as ``trials=100_000``.

    Raises
    ------
    DataError
        ``different-documents``, ``different-keys``, ``different-recipes``; ``one-document``, since
        one unit cannot be resampled; ``few-documents``, for a test by bootstrap on very few.
    OptionError
        For options that cannot be.

    Examples
    --------
    Six documents. A finds all links, B none in five of them. Of the 2^6 exchanges, those of none
    and of all of the five make the difference as large, whatever becomes of the sixth: 4 of 64.

    >>> import corefmeter
    >>> key = {f"d{i}": [["x", "y"], ["z"]] for i in range(6)}
    >>> b = {name: [["x", "y"], ["z"]] if name == "d0" else [["x"], ["y"], ["z"]] for name in key}
    >>> results = {"A": corefmeter.score(key, key), "B": corefmeter.score(key, b)}
    >>> comparison = compare_results(results, metrics=["muc"])
    >>> comparison.test, comparison["muc"].pairs[0].p
    ('exact', 0.0625)
    """
    label, group = by if isinstance(by, tuple) else (_group_name(by), by)
    plan = Plan(**options, by=label)
    if len(results) < 2:
        raise OptionError("there is nothing to compare: give two systems or more")
    results = with_metrics(results, metrics, force)
    problems = require_same_recipe(results, force)
    names, left_out = _with_score(results, plan.score)
    home = group_function(group)
    require_same_documents(results, label)
    if not plan.part:  # where a line of the card has less of the key, it does so by the response
        require_same_key(results, home)
    matrix = Matrix(results, names, plan.score, home)
    one = next(iter(results.values()))
    require_several_units(matrix.units, one, label)
    require_units_to_resample(len(matrix.units), plan.test)
    p_values, resampled = _tested(matrix, plan, progress)
    sampled = any(not p.exact for each in p_values.values() for p in each)
    comparisons = len(next(iter(p_values.values())))
    problems += left_out + warnings(len(matrix.units), comparisons, plan, sampled)
    problems += dict.fromkeys(p for result in results.values() for p in result.problems)
    jackknife = matrix.leave_one_out()
    compared = {
        name: _compared(
            name, matrix, plan, results, p_values[name], resampled.get(name), jackknife[name]
        )
        for name in names
    }
    return Comparison(
        matrix.recipe, plan, matrix.systems, matrix.units, compared, problems, one.version
    )


def _group_name(by: Any) -> str:
    return by if isinstance(by, str) else getattr(by, "__name__", "groups")


def _with_score(results: Mapping[str, Result], score: str) -> tuple[list[str], list[Problem]]:
    """The metrics that have the score, and a warning about those that do not."""
    metrics = next(iter(results.values())).recipe.metrics
    without = [name for name in metrics if is_average(name)] if score != "f1" else []
    names = [name for name in metrics if name not in without]
    if not names:
        raise OptionError(f"{', '.join(without)}: an average of F1 has no {score}")
    return names, [
        Problem("f1-only", f"{', '.join(without)}: left out, since it has no {score}")
    ] if without else []  # fmt: skip


def _tested(
    matrix: Matrix, plan: Plan, progress: Progress | None
) -> tuple[dict[str, list[PValue]], dict[str, Array]]:
    """The p-values of all pairs, and scores of resamples; none of too few units."""
    kept = min(plan.trials, MOST_RESAMPLES)
    if plan.test == "bootstrap":
        boot = bootstrap(matrix, plan.trials, plan.seed, kept, test=True, progress=progress)
        return boot.p_values, boot.scores
    p_values = randomization(
        matrix, plan.trials, plan.seed, exact=plan.test == "exact", progress=progress
    )
    if len(matrix.units) < FEWEST_UNITS:
        return p_values, {}
    return p_values, bootstrap(matrix, kept, plan.seed, kept).scores


def _compared(
    name: str,
    matrix: Matrix,
    plan: Plan,
    results: Mapping[str, Result],
    p_values: Sequence[PValue],
    resampled: Array | None,
    jackknife: Array,
) -> MetricComparison:
    """The comparison by one metric, from p-values, resampled scores if any, and jackknife."""
    observed = matrix.observed[name]
    limits: Interval | None = None
    scores = {}
    for system, result in enumerate(results.values()):
        if resampled is not None:
            limits = interval(
                np.sort(resampled[system]), float(observed[system]), jackknife[system],
                plan.interval, plan.level,
            )  # fmt: skip
        recall, precision, f1 = map(as_json, three(result[name]))
        scores[matrix.systems[system]] = SystemScore(recall, precision, f1, limits)
    adjusted_p = adjusted([p.p for p in p_values], plan.correction)
    comparisons = len(adjusted_p)
    alpha = plan.alpha / (comparisons if plan.correction == "holm" else 1)
    pairs = []
    indices = list(combinations(range(len(matrix.systems)), 2))
    for (a, b), p, p_adjusted in zip(indices, p_values, adjusted_p, strict=True):
        difference = float(observed[a] - observed[b])
        error = None
        if resampled is not None:
            if b == a + 1:
                differences = np.sort(resampled[a] - resampled[b:], axis=1)
            without = jackknife[a] - jackknife[b]
            error = standard_error(without)
            limits = interval(
                differences[b - a - 1], difference, without, plan.interval, plan.level
            )
        pairs.append(
            Difference(
                matrix.systems[a],
                matrix.systems[b],
                as_json(difference),
                limits,
                p.p,
                p_adjusted,
                p_adjusted is not None and p_adjusted <= plan.alpha,
                p.exact,
                p.differing,
                # Units that all differ alike tell nothing of how much others would.
                detectable(error, alpha)
                if error is not None and error > TOLERANCE and _can_differ(p, plan, comparisons)
                else None,
            )
        )
    significant = {frozenset((pair.a, pair.b)) for pair in pairs if pair.significant}

    def differ(a: str, b: str) -> bool:
        return frozenset((a, b)) in significant

    by_score = dict(zip(matrix.systems, observed.tolist(), strict=True))
    return MetricComparison(name, scores, pairs, ranks(by_score, differ), letters(by_score, differ))


def _can_differ(p: PValue, plan: Plan, comparisons: int) -> bool:
    """Whether any p of the units on which two systems differ, and of the trials, is significant."""
    trials = None if p.exact else plan.trials
    return smallest_p(p.differing, trials, comparisons, plan.correction) <= plan.alpha
