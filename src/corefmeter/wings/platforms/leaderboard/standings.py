"""Intervals, ranks and letters of systems on a data set, and of their means over data sets.

The possible ranks of a system are from 1 + the number of systems that are significantly better to
n - the number that are significantly worse. A mean weighs each data set the same. It is tested by
paired bootstrap: the documents of each data set are resampled, independently of other data sets.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np

from corefmeter.problems import DataError
from corefmeter.result import Result, results_from_dict
from corefmeter.statistics.arrays import Array
from corefmeter.statistics.bootstrap import bootstrap
from corefmeter.statistics.checks import FEWEST_UNITS, warnings
from corefmeter.statistics.comparison import compare_results
from corefmeter.statistics.intervals import MOST_RESAMPLES, Interval, interval
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.plan import Plan
from corefmeter.statistics.ranks import letters, ranks
from corefmeter.statistics.significance import MOST_EXACT, adjust_p_values, count_as_large
from corefmeter.units import group_function
from corefmeter.wings.platforms.leaderboard import records
from corefmeter.wings.platforms.leaderboard.board import Board

Intervals = Mapping[str, Interval | None]
#: The p-values of pairs before adjustment.
PValues = dict[tuple[str, str], float | None]


class Compared(NamedTuple):
    """The systems on a data set: their standings, their resampled scores, and warnings.

    ``resampled[system, resample]`` is not a number if there are too few documents.
    """

    standings: dict[str, dict[str, Any]]
    resampled: Array
    notes: list[str]


def compare_dataset(board: Board, dataset: str, paths: Mapping[str, str]) -> Compared:
    """Compare systems on a data set, from the paths of their records."""
    plan, primary = board.plan, board.primary
    results = {s: results_from_dict(records.read_json(p)["result"])[0] for s, p in paths.items()}
    scores = {system: result[primary].f1 for system, result in results.items()}
    trials = min(plan.trials, MOST_RESAMPLES)
    resampled = np.full((len(board.systems), trials), nan)
    if len(results) < 2:
        return Compared(rank(scores, {}, {}, plan), resampled, ["A comparison needs two systems."])
    try:
        intervals, p_values = _compare_new(board, results, paths)
    except DataError as error:
        return Compared(rank(scores, {}, {}, plan), resampled, [error.problems[0].message])
    matrix = Matrix(results, [primary], "f1", group_function(plan.by))
    units = len(matrix.units)
    if units >= FEWEST_UNITS:
        seed = plan.seed + int(records.digest(dataset)[:8], 16)
        if board.missing == "zero":
            resampled[:] = 0
        has_response = [system in results for system in board.systems]
        resampled[has_response] = bootstrap(matrix, trials, seed, trials).scores[primary]
    notes = [one.message for one in warnings(units, len(p_values), plan, units > MOST_EXACT)]
    return Compared(rank(scores, intervals, p_values, plan), resampled, notes)


def _compare_new(
    board: Board, results: Mapping[str, Result], paths: Mapping[str, str]
) -> tuple[Intervals, PValues]:
    """Return intervals by system and p-values by pair, from the cache where it has them.

    A system that is in all new pairs is the baseline of the others, which saves the other pairs:
    before adjustment, a p depends on its two systems only.
    """
    names = {system: os.path.basename(path) for system, path in paths.items()}
    pairs = {pair: " ".join(sorted(names[s] for s in pair)) for pair in combinations(names, 2)}
    folder = os.path.basename(os.path.dirname(next(iter(paths.values()))))  # of this key
    file = f"{records.digest([folder, board.plan.signature()])}.json"
    place = records.in_cache(board, "compared", file)
    known = records.read_json(place, {"intervals": {}, "p": {}})
    if new := [{*pair} for pair, name in pairs.items() if name not in known["p"]]:
        plan = {**vars(board.plan), "baseline": min(set.intersection(*new), default="")}
        compared = compare_results(results, metrics=[board.primary], **plan)[board.primary]
        known["intervals"] |= {names[s]: score.interval for s, score in compared.scores.items()}
        known["p"] |= {
            " ".join(sorted((names[one.a], names[one.b]))): one.p for one in compared.pairs
        }
        records.write_json(place, known)
    intervals = {system: known["intervals"][name] for system, name in names.items()}
    return intervals, {pair: known["p"][name] for pair, name in pairs.items()}


def rank(
    scores: Mapping[str, float | None], intervals: Intervals, p_values: PValues, plan: Plan
) -> dict[str, dict[str, Any]]:
    """Return the interval, the rank, the possible ranks and the letters of each system.

    Without p-values, the rank is the place by score, and the possible ranks are unknown.

    >>> p = {("A", "B"): 0.5, ("A", "C"): 0.01, ("B", "C"): 0.03}
    >>> found = rank({"A": 0.9, "B": 0.8, "C": 0.7}, {}, p, Plan())
    >>> [(found[name]["ranks"], found[name]["letters"]) for name in "ABC"]
    [([1, 2], 'a'), ([1, 3], 'ab'), ([2, 3], 'b')]
    """
    known = {system: nan if value is None else value for system, value in scores.items()}
    adjusted = zip(p_values, adjust_p_values([*p_values.values()], plan.correction), strict=True)
    significant = {frozenset(pair) for pair, p in adjusted if p is not None and p <= plan.alpha}

    def differ(a: str, b: str) -> bool:
        return not p_values or frozenset((a, b)) in significant

    places = ranks(known, differ)
    letters_of = letters(known, differ) if p_values else dict.fromkeys(known, "")
    standings = {}
    for system, score in known.items():
        others = [known[other] for other in known if differ(system, other)]
        better, worse = sum(one > score for one in others), sum(one < score for one in others)
        last = sum(place is not None for place in places.values()) - worse
        standings[system] = {
            "interval": intervals.get(system),
            "rank": places[system],
            "ranks": [1 + better, last] if p_values and score == score else None,
            "letters": letters_of[system],
        }
    return standings


def compare_means(
    means: Mapping[str, float | None], resampled: Array, plan: Plan
) -> tuple[Intervals, PValues]:
    """Return the intervals of means by system, and the p-values of pairs by paired bootstrap.

    ``resampled[system, resample]`` has the means of resampled documents; if one of them is not a
    number, nothing is tested.
    """
    known = {system: mean for system, mean in means.items() if mean is not None}
    rows = {s: row for s, row in zip(means, resampled, strict=True) if s in known}
    if np.isnan([*rows.values()]).any():
        return {}, {}
    intervals = {
        system: interval(np.sort(rows[system]), mean, rows[system], "percentile", plan.level)
        for system, mean in known.items()
    }
    p_values: PValues = {}
    for a, b in combinations(known, 2):
        difference = known[a] - known[b]
        larger = count_as_large(rows[a] - rows[b] - difference, abs(difference))
        p_values[a, b] = (int(larger) + 1) / (len(rows[a]) + 1)
    return intervals, p_values
