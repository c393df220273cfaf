"""Averages of F1, which have no statistics of their own; MELA is in `corefmeter.metrics`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corefmeter.metrics.base import SCALARS, Arithmetic, Described, Rates, Scores, as_json

#: Metrics by name, with weights.
Weights = tuple[tuple[str, float], ...]


class Average(Described):
    """A metric that is a mean of the F1 of others."""

    def components(self) -> Weights:
        """Return the metrics and their weights."""
        raise NotImplementedError


class Conll(Average):
    """The CoNLL score: the mean F1 of MUC, B-cubed and CEAFe (Denis & Baldridge 2009).

    >>> [name for name, _ in Conll().components()]
    ['muc', 'b3', 'ceafe']
    """

    name = "conll"
    title = "CoNLL"
    about = "Mean F1 of MUC, B³ and CEAFe; the score of the CoNLL shared tasks."
    papers = ("denis-baldridge-2009", "pradhan-etal-2012", "pradhan-etal-2014")
    aliases = ("conll_score", "conll-score", "conll12", "avg")

    def components(self) -> Weights:
        """Return the three, each with weight 1."""
        return (("muc", 1.0), ("b3", 1.0), ("ceafe", 1.0))


class AverageScore(float):
    """A weighted mean of F1 scores: a number, with the name `f1` too.

    >>> score = AverageScore(0.5, ())
    >>> score.f1, score > 0.4
    (0.5, True)
    """

    undefined: tuple[str, ...]

    def __new__(cls, value: float, undefined: Sequence[str] = ()) -> AverageScore:
        """Make a number that also knows which components are 0/0."""
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
        """Return the mean as a JSON value."""
        return {"f1": as_json(self.f1), "undefined": list(self.undefined)}


def recall_precision_f1(scores: Any) -> tuple[float | None, float | None, float]:
    """Return recall, precision and F1; of an average, which is F1 alone, the others are None."""
    if isinstance(scores, Scores):
        return scores.recall, scores.precision, scores.f1
    return None, None, scores.f1


def rates_of(scores: Any) -> dict[str, float]:
    """Return recall, precision and F1 by name; of an average, F1 alone."""
    return {name: getattr(scores, name) for name in Rates._fields if hasattr(scores, name)}


def average(scores: Mapping[str, Scores], weights: Sequence[tuple[str, float]]) -> AverageScore:
    """Return the weighted mean of the F1 of some metrics.

    Components that are 0/0 enter with the value that the policy gave them; they are named in
    `undefined`. A component that is skipped (NaN) is left out of the mean with its weight.
    """
    mean = weighted_mean([(scores[name].f1, weight) for name, weight in weights])
    return AverageScore(mean, [name for name, _ in weights if "f1" in scores[name].undefined])


def weighted_mean(values: Sequence[tuple[Any, float]], on: Arithmetic = SCALARS) -> Any:
    """Return the weighted mean of the values that are numbers; nan if none is."""
    total = on.total([on.where(value != value, 0.0, value * weight) for value, weight in values])
    return on.ratio(total, on.total([on.where(v != v, 0.0, weight) for v, weight in values]))
