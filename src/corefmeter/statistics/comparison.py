"""Compare systems: scores with intervals, differences with p-values, ranks, letters.

A system may have several runs, which are repetitions and not compared with each other; see
`corefmeter.statistics.student`.

Everything is made from the statistics of the documents that results carry; no text is read and
nothing is scored again. The hypotheses of one metric, its pairs of systems, are one family for the
correction; metrics are not corrected against each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, inf
from typing import Any, NamedTuple

import numpy as np

from corefmeter.metrics import canonical, is_average
from corefmeter.metrics.average import recall_precision_f1
from corefmeter.metrics.base import as_json
from corefmeter.problems import OptionError, Problem, reject_unknown_keywords, require, unknown
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
from corefmeter.statistics.significance import TOLERANCE, Progress, PValue, adjusted, randomization
from corefmeter.statistics.student import Spread, estimate, spread
from corefmeter.units import Unit, group_function

#: Which results are runs of one system: names by system, or what tells the names of runs apart.
Runs = Mapping[str, Sequence[str]] | str | None

#: What is resampled: a known group, a mapping from documents to blocks, a function, or one of these
#: with the name it has in signatures.
Group = (
    str
    | Mapping[str, str]
    | Callable[[Unit], str]
    | tuple[str, str | Mapping[str, str] | Callable[[Unit], str]]
)


class SystemScore(NamedTuple):
    """The scores of a system by a metric; interval and spread are those of the score compared.

    A score that is not a number is None, and so are recall and precision of an average. Scores of
    several runs are means, which have a spread.
    """

    recall: float | None
    precision: float | None
    f1: float | None
    interval: Interval | None
    spread: Spread | None = None


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
        On how many units the two systems differ in the statistics that decide the score.
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

    def turned(self) -> Difference:
        """Return the difference of b and a."""
        turned = None if self.interval is None else (-self.interval[1], -self.interval[0])
        difference = None if self.difference is None else -self.difference
        return self._replace(a=self.b, b=self.a, difference=difference, interval=turned)


class MetricComparison(NamedTuple):
    """The comparison by one metric.

    Attributes
    ----------
    metric
        Its name.
    scores
        By system.
    pairs
        All pairs, in the order of the systems; with a baseline, each other system and this.
    ranks, letters
        By system; see `corefmeter.statistics.ranks`. Empty with a baseline.
    """

    metric: str
    scores: dict[str, SystemScore]
    pairs: list[Difference]
    ranks: dict[str, int | None]
    letters: dict[str, str]

    def pair(self, a: str, b: str) -> Difference:
        """Return the difference of a and b, in this order.

        Raises
        ------
        KeyError
            When one of them was not compared, or both are the same.
        """
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise KeyError((a, b))


@dataclass(eq=False, repr=False)
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
    runs : dict of str to list of str
        The names of the runs of each system that has several.
    units : list of str
        What was resampled.
    metrics : dict of str to MetricComparison
        By name.
    problems : list of Problem
        What a reader of the numbers should know.
    version : str
        The version of the program that made the statistics.
    """

    recipe: Recipe
    plan: Plan
    systems: list[str]
    units: list[str]
    metrics: dict[str, MetricComparison]
    problems: list[Problem]
    version: str
    runs: dict[str, list[str]]

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
        others = len(self.systems) - 1
        return others if self.plan.baseline else len(self.systems) * others // 2

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
        """Return the systems from the best to the worst by a metric, alike ones in their order.

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
            **{
                name: value
                for name in ("part", "kind", "pronouns", "baseline")
                if (value := getattr(self.plan, name))
            },
            "systems": list(self.systems),
            **({"runs": self.runs} if self.runs else {}),
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
        if score.spread is None:
            del values["spread"]
        else:
            values["spread"] = score.spread._asdict()
        scores[system] = {**values, "interval": _listed(score.interval)}
    return {
        "scores": scores,
        "pairs": [{**pair._asdict(), "interval": _listed(pair.interval)} for pair in metric.pairs],
        "ranks": dict(metric.ranks),
        "letters": dict(metric.letters),
    }


def _listed(limits: Interval | None) -> list[float] | None:
    return None if limits is None else list(limits)


@reject_unknown_keywords(lambda: vars(Plan()))
def compare_results(
    results: Mapping[str, Result],
    *,
    metrics: Sequence[str] | str | None = None,
    by: Group = "document",
    runs: Runs = None,
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
    runs
        Which results are runs of one system: their names by that of the system, or a pattern, a
        regular expression: names that are the same without what it matches, are runs of the system
        of that name. They are compared by the test ``t``.
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
    name = by if isinstance(by, str) else getattr(by, "__name__", "groups")
    label, group = by if isinstance(by, tuple) else (name, by)
    systems = systems_of(list(results), runs)
    several = {system: names for system, names in systems.items() if names != [system]}
    if several:
        options = {"test": "t", **options}
    plan = Plan(**options, by=label)
    if len(systems) < 2:
        raise OptionError("there is nothing to compare: give two systems or more")
    if several and plan.test != "t":
        raise OptionError(
            f"test: {plan.test!r} is of single outputs; runs of a system are compared by 't'"
        )
    if plan.test == "t":
        require("scipy", "the test 't'")
    if plan.baseline and plan.baseline not in systems:
        raise unknown("system for a baseline", plan.baseline, systems)
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
    require_units_to_resample(len(matrix.units), plan.test, runs=bool(several))
    places = [[matrix.systems.index(run) for run in names] for names in systems.values()]
    pairs = _pairs(list(systems), plan.baseline)
    tested = (_by_student if plan.test == "t" else _tested)(matrix, plan, places, pairs, progress)
    sampled = any(not one.p.exact for each in tested.values() for one in each.pairs)
    problems += left_out + warnings(len(matrix.units), len(pairs), plan, sampled)
    if several and (single := [name for name in systems if len(systems[name]) == 1]):
        problems.append(
            Problem(
                "one-run",
                f"{', '.join(single)}: only one run, so what others would score is not known",
            )
        )
    problems += dict.fromkeys(p for result in results.values() for p in result.problems)
    compared = {
        name: _compared(
            name,
            plan,
            [[results[run] for run in of] for of in systems.values()],
            list(systems),
            pairs,
            tested[name],
        )
        for name in names
    }
    return Comparison(
        matrix.recipe, plan, list(systems), matrix.units, compared, problems, one.version, several
    )


def systems_of(names: Sequence[str], runs: Runs) -> dict[str, list[str]]:
    """Return the names of the runs of each system, in order; see `compare_results`.

    Raises
    ------
    OptionError
        For runs that there are not, that are of two systems, or of which a pattern finds none.

    Examples
    --------
    >>> systems_of(["a-seed1", "a-seed2", "b"], r"-seed\\d+")
    {'a': ['a-seed1', 'a-seed2'], 'b': ['b']}
    >>> systems_of(["x", "y", "b"], {"a": ["x", "y"]})
    {'a': ['x', 'y'], 'b': ['b']}
    """
    if isinstance(runs, str):
        try:
            home = {name: re.sub(runs, "", name) or name for name in names}
        except re.error as error:
            raise OptionError(f"runs: {runs!r} is no regular expression: {error}") from None
    else:
        home = {name: name for name in names}
        for system, of in (runs or {}).items():
            for name in of:
                if home.get(name) != name:
                    raise OptionError(f"runs: {name!r} of {system!r} is no result, or given twice")
                home[name] = system
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(home[name], []).append(name)
    if runs and len(found) == len(names):
        raise OptionError("runs: no system has two of them")
    return found


def _pairs(systems: Sequence[str], baseline: str) -> list[tuple[int, int]]:
    """Return the pairs to test, by number; the second of each is the baseline, if there is one."""
    if not baseline:
        return list(combinations(range(len(systems)), 2))
    base = systems.index(baseline)
    return [(number, base) for number in range(len(systems)) if number != base]


def _with_score(results: Mapping[str, Result], score: str) -> tuple[list[str], list[Problem]]:
    """Return the metrics that have the score, and a warning about those that do not."""
    metrics = next(iter(results.values())).recipe.metrics
    without = [name for name in metrics if is_average(name)] if score != "f1" else []
    names = [name for name in metrics if name not in without]
    if not names:
        raise OptionError(f"{', '.join(without)}: an average of F1 has no {score}")
    return names, [
        Problem("f1-only", f"{', '.join(without)}: left out, since it has no {score}")
    ] if without else []


class _Pair(NamedTuple):
    """Test result of a pair of systems."""

    difference: float
    p: PValue
    interval: Interval | None
    error: float | None


class _Tested(NamedTuple):
    """Test result of a metric: scores of systems with intervals and spreads, and pairs."""

    scores: list[float]
    intervals: list[Interval | None]
    spreads: list[Spread | None]
    pairs: list[_Pair]


def _tested(
    matrix: Matrix,
    plan: Plan,
    places: Sequence[Sequence[int]],
    pairs: Sequence[tuple[int, int]],
    progress: Progress | None,
) -> dict[str, _Tested]:
    """By exchanges and resamples of single outputs; no intervals of too few units."""
    kept = min(plan.trials, MOST_RESAMPLES)
    resampled: dict[str, Array] = {}
    if plan.test == "bootstrap":
        boot = bootstrap(
            matrix, plan.trials, plan.seed, kept, test=True, pairs=pairs, progress=progress
        )
        p_values, resampled = boot.p_values, boot.scores
    else:
        p_values = randomization(
            matrix,
            plan.trials,
            plan.seed,
            exact=plan.test == "exact",
            pairs=pairs,
            progress=progress,
        )
        if len(matrix.units) >= FEWEST_UNITS:
            resampled = bootstrap(matrix, kept, plan.seed, kept).scores
    jackknife = matrix.leave_one_out()

    def limits(values: Array, observed: float, without: Array) -> Interval | None:
        return interval(np.sort(values), observed, without, plan.interval, plan.level)

    found = {}
    for name in matrix.metrics:
        scores, without = matrix.observed[name].tolist(), jackknife[name]
        drawn = resampled.get(name)
        found[name] = _Tested(
            scores,
            [
                None if drawn is None else limits(drawn[i], scores[i], without[i])
                for i in range(len(scores))
            ],
            [None] * len(scores),
            [
                _Pair(
                    difference := scores[a] - scores[b],
                    p,
                    limits(drawn[a] - drawn[b], difference, without[a] - without[b]),
                    standard_error(without[a] - without[b]),
                )
                if drawn is not None
                else _Pair(scores[a] - scores[b], p, None, None)
                for (a, b), p in zip(pairs, p_values[name], strict=True)
            ],
        )
    return found


def _by_student(
    matrix: Matrix,
    plan: Plan,
    places: Sequence[Sequence[int]],
    pairs: Sequence[tuple[int, int]],
    progress: Progress | None,
) -> dict[str, _Tested]:
    jackknife = matrix.leave_one_out()
    differing = [[matrix.differing(i, j) for i in places[a] for j in places[b]] for a, b in pairs]
    found = {}
    for name in matrix.metrics:
        runs = [matrix.observed[name][list(of)] for of in places]
        without = [jackknife[name][list(of)].mean(axis=0) for of in places]
        means = [float(of.mean()) for of in runs]
        of_pairs = []
        for (a, b), units in zip(pairs, differing, strict=True):
            one = estimate(means[a] - means[b], without[a] - without[b], [runs[a], runs[b]])
            p = PValue(one.p(), False, len({*np.concatenate([of[name] for of in units]).tolist()}))
            of_pairs.append(_Pair(one.value, p, one.interval(plan.level), one.error))
        found[name] = _Tested(
            means,
            [
                estimate(*of).interval(plan.level)
                for of in zip(means, without, [[of] for of in runs], strict=True)
            ],
            [spread(of) for of in runs],
            of_pairs,
        )
    return found


def _compared(
    name: str,
    plan: Plan,
    results: Sequence[Sequence[Result]],
    systems: Sequence[str],
    places: Sequence[tuple[int, int]],
    tested: _Tested,
) -> MetricComparison:
    """Return the comparison by one metric, from what a test found."""
    scores = {}
    for number, (system, runs) in enumerate(zip(systems, results, strict=True)):
        each = zip(*(recall_precision_f1(result[name]) for result in runs), strict=True)
        recall, precision, f1 = (
            None if None in values else as_json(fsum(values) / len(values)) for values in each
        )
        scores[system] = SystemScore(
            recall, precision, f1, tested.intervals[number], tested.spreads[number]
        )
    adjusted_p = adjusted([pair.p.p for pair in tested.pairs], plan.correction)
    comparisons = len(adjusted_p)
    alpha = plan.alpha / (comparisons if plan.correction == "holm" else 1)
    pairs = [
        Difference(
            systems[a],
            systems[b],
            as_json(pair.difference),
            pair.interval,
            pair.p.p,
            p_adjusted,
            p_adjusted is not None and p_adjusted <= plan.alpha,
            pair.p.exact,
            pair.p.differing,
            # Units with equal differences give no estimate of the variance.
            detectable(pair.error, alpha)
            if pair.error is not None
            and pair.error > TOLERANCE
            and _can_differ(pair.p, plan, comparisons)
            else None,
        )
        for (a, b), pair, p_adjusted in zip(places, tested.pairs, adjusted_p, strict=True)
    ]
    if plan.baseline:
        return MetricComparison(name, scores, pairs, {}, {})
    significant = {frozenset((pair.a, pair.b)) for pair in pairs if pair.significant}

    def differ(a: str, b: str) -> bool:
        return frozenset((a, b)) in significant

    by_score = dict(zip(systems, tested.scores, strict=True))
    return MetricComparison(name, scores, pairs, ranks(by_score, differ), letters(by_score, differ))


def _can_differ(p: PValue, plan: Plan, comparisons: int) -> bool:
    """Return whether any p of these differing units and trials can be significant.

    The number of units bounds the p of exchanges only.
    """
    if plan.test == "t":
        return True
    units = None if plan.test == "bootstrap" else p.differing
    trials = None if p.exact else plan.trials
    return smallest_p(units, trials, comparisons, plan.correction) <= plan.alpha
