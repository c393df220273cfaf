"""Averages of F1: the CoNLL score and MELA (Denis & Baldridge 2009).

An average has no statistics of its own; it is computed from the scores of its components.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corefmeter.metrics.base import SCALARS, Arithmetic, Scores

__all__ = ["CONLL", "AverageScore", "average", "weighted_mean"]

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
        """A number that also knows which components are 0/0."""
        self = super().__new__(cls, value)
        self.undefined = tuple(undefined)
        return self

    # Types: also pickles the names.
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
    mean = weighted_mean([(scores[name].f1, weight) for name, weight in weights])
    return AverageScore(mean, [name for name, _ in weights if "f1" in scores[name].undefined])


def weighted_mean(values: Sequence[tuple[Any, float]], on: Arithmetic = SCALARS) -> Any:
    """The weighted mean of the values that are numbers; nan if none is."""
    total = on.total([on.where(value != value, 0.0, value * weight) for value, weight in values])
    return on.ratio(total, on.total([on.where(v != v, 0.0, weight) for v, weight in values]))
