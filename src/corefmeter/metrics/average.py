"""Averages of F1: the CoNLL score and MELA (Denis & Baldridge 2009).

An average has no statistics of its own; it is computed from the scores of its components.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from corefmeter.metrics.base import Scores

__all__ = ["CONLL", "AverageScore", "average"]

#: Components and weights of the CoNLL score.
CONLL: tuple[tuple[str, float], ...] = (("muc", 1.0), ("b3", 1.0), ("ceafe", 1.0))


class AverageScore(float):
    """A weighted mean of F1 scores: a number, with the name `f1` too.

    Examples
    --------
    >>> score = AverageScore(0.5, ())
    >>> score.f1, score > 0.4
    (0.5, True)
    """

    undefined: tuple[str, ...]

    def __new__(cls, value: float, undefined: Sequence[str] = ()) -> AverageScore:
        self = super().__new__(cls, value)
        self.undefined = tuple(undefined)
        return self

    def __getnewargs__(self) -> tuple[float, tuple[str, ...]]:  # type: ignore[override]
        return float(self), self.undefined

    @property
    def f1(self) -> float:
        """The mean, as a plain number."""
        return float(self)

    def to_dict(self) -> dict[str, Any]:
        """The mean as a JSON value."""
        return {"f1": None if self != self else float(self), "undefined": list(self.undefined)}


def average(scores: Mapping[str, Scores], weights: Sequence[tuple[str, float]]) -> AverageScore:
    """The weighted mean of the F1 of some metrics.

    Components that are 0/0 enter with the value that the policy gave them; they are named in
    `undefined`. A component that is skipped (NaN) is left out of the mean with its weight.

    Examples
    --------
    >>> from corefmeter.metrics.base import ratios
    >>> average({"muc": ratios(1, 2, 1, 2), "b3": ratios(1, 1, 1, 1)}, [("muc", 1), ("b3", 1)])
    0.75
    """
    values = [(scores[name].f1, weight) for name, weight in weights]
    counted = [(f1, weight) for f1, weight in values if f1 == f1]
    total = fsum(weight for _, weight in counted)
    mean = fsum(f1 * weight for f1, weight in counted) / total if total else float("nan")
    return AverageScore(mean, [name for name, _ in weights if "f1" in scores[name].undefined])
