"""A comparison as CSV: one row for each metric and pair of systems, with unrounded numbers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import IO, Any

from corefmeter.statistics.comparison import Comparison, MetricComparison

_SYSTEM = ("score", "low", "high", "rank", "letters")


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write a header line and the rows; what is not a number is empty."""
    plan = comparison.plan
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("metric", "score", "a", "b", *(f"{name}_a" for name in _SYSTEM),
         *(f"{name}_b" for name in _SYSTEM), "difference", "low", "high", "p", "p_adjusted",
         "significant", "exact", "differing", "detectable", "test", "trials", "seed", "units",
         "signature")
    )  # fmt: skip
    for name, metric in comparison.metrics.items():
        for i, a in enumerate(systems):
            for b in systems[i + 1 :]:
                pair = metric.pair(a, b)
                writer.writerow(
                    (name, plan.score, a, b, *_system(metric, plan.score, a),
                     *_system(metric, plan.score, b), pair.difference,
                     *(pair.interval or (None, None)), pair.p, pair.p_adjusted,
                     int(pair.significant), int(pair.exact), pair.differing, pair.detectable,
                     comparison.test, plan.trials, plan.seed, len(comparison.units),
                     comparison.signature)
                )  # fmt: skip


def _system(metric: MetricComparison, score: str, system: str) -> tuple[Any, ...]:
    scores = metric.scores[system]
    low, high = scores.interval or (None, None)
    return getattr(scores, score), low, high, metric.ranks[system], metric.letters[system]
