"""CSV: one row for each response, group and metric, with unrounded numbers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import IO, Any

from corefmeter.labels import numbered
from corefmeter.metrics.base import Scores
from corefmeter.result import Result
from corefmeter.units import Groups

_COUNTS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write a header line and the rows; averages have an F1 only."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("response", "by", "group", "metric", "recall", "precision", "f1", *_COUNTS, "undefined",
         "signature")
    )  # fmt: skip
    given = [result.name for result in results]
    shown = [result.name or result.response or "" for result in results]
    for result, response in zip(results, numbered(shown, given), strict=True):
        _rows(writer, result, response, "", "all")
        for name, group in by:
            for unit, part in result.by(group).items():
                _rows(writer, part, response, name, unit)


def _rows(writer: Any, result: Result, response: str, by: str, group: str) -> None:
    for name, scores in result.scores().items():
        if isinstance(scores, Scores):
            values: tuple[Any, ...] = (scores.recall, scores.precision, scores.f1)
            counts: tuple[Any, ...] = tuple(getattr(scores, field) for field in _COUNTS)
        else:
            values = ("", "", scores.f1)
            counts = ("",) * len(_COUNTS)
        writer.writerow(
            (response, by, group, name, *values, *counts, " ".join(scores.undefined),
             result.signature)
        )  # fmt: skip
