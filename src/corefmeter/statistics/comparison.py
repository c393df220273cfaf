"""Compare systems: scores with intervals, differences with p-values, ranks, letters.

A system may have several runs, which are not compared with each other; see
`corefmeter.statistics.student`. Everything is made from the statistics of the documents that
results carry. The pairs of systems by one metric are one family for the correction; metrics are not
corrected against each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, inf
from typing import Any, NamedTuple

import numpy as np

from corefmeter.corpus.structures import grouped
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
from corefmeter.statistics.significance import (
    TOLERANCE,
    Progress,
    PValue,
    adjust_p_values,
    randomization,
)
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
    """The scores of a system by a metric; those of several runs are means, which have a spread.

    A score that is not a number is None, and so are recall and precision of an average.
    """

    recall: float | None
    precision: float | None
    f1: float | None
    #: Of the score that is compared, as is the spread.
    interval: Interval | None
    spread: Spread | None = None


class Difference(NamedTuple):
    """The difference between two systems by a metric: the score of a minus that of b."""

    a: str
    b: str
    difference: float | None
    interval: Interval | None
    p: float | None
    #: The p adjusted for the number of pairs; significant if it is at most alpha.
    p_adjusted: float | None
    significant: bool
    #: Whether the p comes from all exchanges, not from random ones.
    exact: bool
    #: The number of units on which the statistics that decide the score differ.
    differing: int
    #: The smallest true difference that is found with 80 % power; None if it is unknown, or if no p
    #: of these units and trials could be significant.
    detectable: float | None

    def turned(self) -> Difference:
        """Return the difference of b and a."""
        turned = None if self.interval is None else (-self.interval[1], -self.interval[0])
        difference = None if self.difference is None else -self.difference
        return self._replace(a=self.b, b=self.a, difference=difference, interval=turned)


class MetricComparison(NamedTuple):
    """The comparison by one metric."""

    metric: str
    scores: dict[str, SystemScore]
    #: All pairs, in the order of the systems; with a baseline, each other system and this.
    pairs: list[Difference]
    #: By system; see `corefmeter.statistics.ranks`. Empty with a baseline, as are the letters.
    ranks: dict[str, int | None]
    letters: dict[str, str]

    def pair(self, a: str, b: str) -> Difference:
        """Return the difference of a and b, in this order; a KeyError if it was not compared."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise KeyError((a, b))


@dataclass(eq=False, repr=False)
class Comparison(Shown):
    """A comparison of systems by several metrics; ``comparison["lea"]`` is the one by LEA.

    Attributes
    ----------
    recipe : Recipe
        The options of the scores.
    plan : Plan
        The options of the comparison.
    systems : list of str
        The names of the systems.
    units : list of str
        The names of the units that were resampled.
    metrics : dict of str to MetricComparison
        The comparison by each metric.
    problems : list of Problem
        Warnings and notes.
    version : str
        The version of corefmeter that computed the statistics.
    runs : dict of str to list of str
        The names of the runs of each system with several runs.
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
        """The recipe and the plan as text, which ``corefmeter compare --recipe`` accepts."""
        return f"{self.recipe.signature(self.version)}|{self.plan.signature()}"

    @property
    def test(self) -> str:
        """The test that was used; ``exact`` if every p-value is based on all exchanges."""
        exact = all(pair.exact for metric in self.metrics.values() for pair in metric.pairs)
        return "exact" if exact else self.plan.test

    @property
    def comparisons(self) -> int:
        """The number of pairs of systems that the p-values are adjusted for."""
        others = len(self.systems) - 1
        return others if self.plan.baseline else len(self.systems) * others // 2

    def __getitem__(self, metric: str) -> MetricComparison:
        """Return the comparison by a metric, given by name or alias."""
        name = canonical(metric)
        if name not in self.metrics:
            raise OptionError(f"the metric {name!r} was not compared; ask for it")
        return self.metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def sorted_by(self, metric: str) -> list[str]:
        """Return the systems sorted by a metric, best first; tied systems keep their order."""
        scores = self[metric].scores

        def sort_key(system: str) -> float:
            value: float | None = getattr(scores[system], self.plan.score)
            return inf if value is None else -value

        return sorted(self.systems, key=sort_key)

    def p_values(self, adjusted: bool = False) -> dict[tuple[str, str, str], float]:
        """Return the p-value of every tested difference: ``{(metric, system, system): p}``."""
        name_of_p = "p_adjusted" if adjusted else "p"
        return {
            (name, pair.a, pair.b): p
            for name, metric in self.metrics.items()
            for pair in metric.pairs
            if (p := getattr(pair, name_of_p)) is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values in the documented schema, in fractions of one."""
        plan = vars(self.plan)
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": self.version,
            "test": self.test,
            **{name: plan[name] for name in ("trials", "seed", "by")},
            "units": len(self.units),
            **{name: plan[name] for name in ("correction", "alpha", "level", "interval", "score")},
            **{name: plan[name] for name in ("part", "kind", "pronouns", "baseline") if plan[name]},
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
        scores[system] = values = score._asdict() | {"interval": _as_list(score.interval)}
        if is_average(metric.metric):
            del values["recall"], values["precision"]
        if score.spread is None:
            del values["spread"]
        else:
            values["spread"] = score.spread._asdict()
    return {
        "scores": scores,
        "pairs": [pair._asdict() | {"interval": _as_list(pair.interval)} for pair in metric.pairs],
        "ranks": dict(metric.ranks),
        "letters": dict(metric.letters),
    }


def _as_list(limits: Interval | None) -> list[float] | None:
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
    """Compare systems that were scored on the same documents; see `corefmeter.compare`.

    Parameters
    ----------
    results
        A result for each system, by name; two or more.
    metrics
        Which of the metrics of the results; all by default.
    by
        What is resampled; a function takes a `Unit` to a block.
    runs
        Which results are runs of one system, compared by the test ``t``: their names by that of the
        system, or a pattern; names are of one system if they are the same without what it matches.
    force
        Compare although the recipes differ.
    progress
        Called with how many trials of how many are done.
    **options
        Fields of `Plan`.
    """
    name = by if isinstance(by, str) else getattr(by, "__name__", "groups")
    label, group = by if isinstance(by, tuple) else (name, by)
    systems = systems_of(list(results), runs)
    several = {system: names for system, names in systems.items() if names != [system]}
    plan = _plan(systems, bool(several), {**options, "by": label})
    results = with_metrics(results, metrics, force)
    problems = require_same_recipe(results, force)
    names, left_out = _with_score(results, plan.score)
    group_of = group_function(group)
    require_same_documents(results, label)
    if not plan.part:  # a row of the card may have less of the key, depending on the response
        require_same_key(results, group_of)
    matrix = Matrix(results, names, plan.score, group_of)
    first = next(iter(results.values()))
    require_several_units(matrix.units, first, label)
    require_units_to_resample(len(matrix.units), plan.test, runs=bool(several))
    pairs = _pairs(list(systems), plan.baseline)
    if plan.test == "t":
        places = [[matrix.systems.index(run) for run in names] for names in systems.values()]
        tested = _test_by_student(matrix, plan, places, pairs)
    else:
        tested = _test_by_resampling(matrix, plan, pairs, progress)
    sampled = any(not pair.p.exact for metric in tested.values() for pair in metric.pairs)
    problems += left_out + warnings(len(matrix.units), len(pairs), plan, sampled)
    if several and (single := [name for name in systems if len(systems[name]) == 1]):
        reason = f"{', '.join(single)}: only one run, so the spread over runs is unknown"
        problems.append(Problem("one-run", reason))
    problems += dict.fromkeys(p for result in results.values() for p in result.problems)
    of_systems = {system: [results[run] for run in runs] for system, runs in systems.items()}
    compared = {
        name: _compare_by_metric(name, plan, of_systems, pairs, tested[name]) for name in names
    }
    return Comparison(
        matrix.recipe, plan, list(systems), matrix.units, compared, problems, first.version, several
    )


def systems_of(names: Sequence[str], runs: Runs) -> dict[str, list[str]]:
    """Return the names of the runs of each system, in order; see `compare_results`."""
    if isinstance(runs, str):
        try:
            home = {name: re.sub(runs, "", name) or name for name in names}
        except re.error as error:
            raise OptionError(f"runs: {runs!r} is not a regular expression: {error}") from None
    else:
        home = {name: name for name in names}
        for system, names_of_runs in (runs or {}).items():
            for name in names_of_runs:
                if home.get(name) != name:
                    raise OptionError(
                        f"runs: {name!r} of {system!r} is not a result, or is given twice"
                    )
                home[name] = system
    systems = grouped((home[name], name) for name in names)
    if runs and len(systems) == len(names):
        raise OptionError("runs: no system has several results; check the names or the pattern")
    return systems


def _plan(systems: Mapping[str, Any], several: bool, options: Mapping[str, Any]) -> Plan:
    """Return the plan of a comparison; with several runs of a system, its test is ``t``."""
    plan = Plan(**({"test": "t", **options} if several else options))
    if len(systems) < 2:
        raise OptionError("there is nothing to compare: give two systems or more")
    if several and plan.test != "t":
        raise OptionError(
            f"test: {plan.test!r} compares single outputs; use 't' for systems of several runs"
        )
    if plan.test == "t":
        require("scipy", "the test 't'")
    if plan.baseline and plan.baseline not in systems:
        raise unknown("system for a baseline", plan.baseline, systems)
    return plan


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
    reason = f"{', '.join(without)}: left out; an average of F1 has no {score}"
    return names, [Problem("f1-only", reason)] if without else []


class _System(NamedTuple):
    score: float
    interval: Interval | None
    spread: Spread | None = None


class _Pair(NamedTuple):
    difference: float
    p: PValue
    interval: Interval | None
    #: The standard error of the difference; None for too few units.
    error: float | None


class _Tested(NamedTuple):
    """The outcome of a test by one metric."""

    systems: list[_System]
    pairs: list[_Pair]


def _test_by_resampling(
    matrix: Matrix, plan: Plan, pairs: Sequence[tuple[int, int]], progress: Progress | None
) -> dict[str, _Tested]:
    """Test by exchanges or resamples of single outputs; too few units have no intervals."""
    kept = min(plan.trials, MOST_RESAMPLES)
    resampled: dict[str, Array] = {}
    if plan.test == "bootstrap":
        resampled, p_values = bootstrap(
            matrix, plan.trials, plan.seed, kept, pairs=pairs, progress=progress
        )
    else:
        exact = plan.test == "exact"
        p_values = randomization(
            matrix, plan.trials, plan.seed, exact=exact, pairs=pairs, progress=progress
        )
        if len(matrix.units) >= FEWEST_UNITS:
            resampled = bootstrap(matrix, kept, plan.seed, kept).scores
    jackknife = matrix.leave_one_out()

    def limits(values: Array, observed: float, without: Array) -> Interval | None:
        return interval(np.sort(values), observed, without, plan.interval, plan.level)

    no_resamples = np.empty((len(matrix.systems), 0))
    tested = {}
    for name in matrix.metrics:
        scores, without = matrix.observed[name].tolist(), jackknife[name]
        drawn = resampled.get(name, no_resamples)
        systems = [
            _System(score, limits(drawn[i], score, without[i])) for i, score in enumerate(scores)
        ]
        of_pairs = []
        for (a, b), p in zip(pairs, p_values[name], strict=True):
            difference, jackknifed = scores[a] - scores[b], without[a] - without[b]
            error = standard_error(jackknifed) if drawn.size else None
            pair_limits = limits(drawn[a] - drawn[b], difference, jackknifed)
            of_pairs.append(_Pair(difference, p, pair_limits, error))
        tested[name] = _Tested(systems, of_pairs)
    return tested


def _test_by_student(
    matrix: Matrix, plan: Plan, places: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]]
) -> dict[str, _Tested]:
    """Test means of runs by Student's t.

    `places` has the numbers of the runs of each system in the matrix, `pairs` the numbers of the
    systems to compare.
    """
    jackknife = matrix.leave_one_out()
    differing = [[matrix.differing(i, j) for i in places[a] for j in places[b]] for a, b in pairs]
    tested = {}
    for name in matrix.metrics:
        runs = [matrix.observed[name][list(numbers)] for numbers in places]
        without = [jackknife[name][list(numbers)].mean(axis=0) for numbers in places]
        means = [float(scores.mean()) for scores in runs]
        systems = [
            _System(mean, estimate(mean, jackknifed, [scores]).interval(plan.level), spread(scores))
            for mean, jackknifed, scores in zip(means, without, runs, strict=True)
        ]
        of_pairs = []
        for (a, b), by_runs in zip(pairs, differing, strict=True):
            difference = estimate(means[a] - means[b], without[a] - without[b], [runs[a], runs[b]])
            units = np.unique(np.concatenate([run_pair[name] for run_pair in by_runs]))
            p = PValue(difference.p(), exact=False, differing=len(units))
            limits = difference.interval(plan.level)
            of_pairs.append(_Pair(difference.value, p, limits, difference.error))
        tested[name] = _Tested(systems, of_pairs)
    return tested


def _compare_by_metric(
    name: str,
    plan: Plan,
    results: Mapping[str, Sequence[Result]],
    places: Sequence[tuple[int, int]],
    tested: _Tested,
) -> MetricComparison:
    """Return the comparison by one metric.

    `results` are those of the runs of each system, `places` the pairs of numbers of systems that
    were tested, `tested` the outcome of the test.
    """
    scores = {}
    for (system, runs), of_system in zip(results.items(), tested.systems, strict=True):
        of_runs = zip(*(recall_precision_f1(result[name]) for result in runs), strict=True)
        recall, precision, f1 = (
            None if None in values else as_json(fsum(values) / len(values)) for values in of_runs
        )
        scores[system] = SystemScore(recall, precision, f1, of_system.interval, of_system.spread)
    systems = list(results)
    adjusted_p = adjust_p_values([pair.p.p for pair in tested.pairs], plan.correction)
    pairs = [
        Difference(
            systems[a],
            systems[b],
            as_json(pair.difference),
            pair.interval,
            pair.p.p,
            p,
            p is not None and p <= plan.alpha,
            pair.p.exact,
            pair.p.differing,
            _detectable(pair, plan, len(tested.pairs)),
        )
        for (a, b), pair, p in zip(places, tested.pairs, adjusted_p, strict=True)
    ]
    if plan.baseline:
        return MetricComparison(name, scores, pairs, {}, {})
    significant = {frozenset((pair.a, pair.b)) for pair in pairs if pair.significant}

    def differ(a: str, b: str) -> bool:
        return frozenset((a, b)) in significant

    by_score = dict(zip(systems, [system.score for system in tested.systems], strict=True))
    return MetricComparison(name, scores, pairs, ranks(by_score, differ), letters(by_score, differ))


def _detectable(pair: _Pair, plan: Plan, comparisons: int) -> float | None:
    """Return the true difference that would be found; None where that is unknown or impossible.

    Units with equal differences give no estimate of the variance. The number of units bounds the p
    of exchanges only, that of trials the p of random ones.
    """
    if pair.error is None or not pair.error > TOLERANCE:
        return None
    if plan.test != "t":
        units = None if plan.test == "bootstrap" else pair.p.differing
        trials = None if pair.p.exact else plan.trials
        if smallest_p(units, trials, comparisons, plan.correction) > plan.alpha:
            return None
    return detectable(pair.error, plan.alpha / (comparisons if plan.correction == "holm" else 1))
