"""What a metric is: a map from the overlap table to additive numbers, and from their sums to scores.

A metric never sees a corpus. Its `statistics` of a document are one row of numbers under the names
`fields`; rows of documents add up, and scores are computed from sums only. So a corpus is a sum, a
group of documents is a partial sum, and a resample is a weighted sum.

``0/0`` is not a number: it is named in `Scores.undefined`, and counts as the policy says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any, ClassVar, NamedTuple

from corefmeter.metrics.overlap import Overlap

__all__ = ["UNDEFINED_AS", "Metric", "RatioMetric", "Scores", "f_measure", "ratios"]

Number = int | float
Row = tuple[Number, ...]

#: What 0/0 counts as, by policy.
UNDEFINED_AS: dict[str, float] = {"zero": 0.0, "one": 1.0, "skip": nan}


class Scores(NamedTuple):
    """Recall, precision and F1 as unrounded fractions of one, with what they were made of.

    Attributes
    ----------
    recall, precision, f1
        From 0 to 1. Where the ratio is 0/0 the value is that of the policy `undefined`.
    recall_numerator, recall_denominator, precision_numerator, precision_denominator
        The summed counts.
    undefined
        Which of ``"recall"``, ``"precision"``, ``"f1"`` are 0/0.
    parts
        Scores of components, for metrics that are means of them (BLANC).
    """

    recall: float
    precision: float
    f1: float
    recall_numerator: Number
    recall_denominator: Number
    precision_numerator: Number
    precision_denominator: Number
    undefined: tuple[str, ...] = ()
    parts: Mapping[str, Scores] = {}

    def __getattr__(self, name: str) -> Scores:
        try:
            return self.parts[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_dict(self) -> dict[str, Any]:
        """The scores as JSON values; a skipped 0/0 becomes null."""
        values: dict[str, Any] = {
            "recall": _json(self.recall),
            "precision": _json(self.precision),
            "f1": _json(self.f1),
            "recall_numerator": self.recall_numerator,
            "recall_denominator": self.recall_denominator,
            "precision_numerator": self.precision_numerator,
            "precision_denominator": self.precision_denominator,
            "undefined": list(self.undefined),
        }
        for name, part in self.parts.items():
            values[name] = part.to_dict()
        return values


def _json(value: float) -> float | None:
    return None if value != value else value


def f_measure(recall: float, precision: float) -> float:
    """The harmonic mean 2RP/(R+P); 0 when both are 0.

    Examples
    --------
    >>> f_measure(0.5, 1.0)
    0.6666666666666666
    """
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def ratios(
    recall_numerator: Number,
    recall_denominator: Number,
    precision_numerator: Number,
    precision_denominator: Number,
    undefined: str = "zero",
) -> Scores:
    """Scores from summed counts: R = rn/rd, P = pn/pd, F1 = 2RP/(R+P).

    F1 is undefined only if both are; if one denominator is 0, the other ratio is 0 (nothing can be
    right), and so is F1.

    Examples
    --------
    >>> ratios(0, 0, 0, 2).undefined
    ('recall',)
    """
    missing = []
    substitute = UNDEFINED_AS[undefined]
    if recall_denominator:
        recall = recall_numerator / recall_denominator
    else:
        recall = substitute
        missing.append("recall")
    if precision_denominator:
        precision = precision_numerator / precision_denominator
    else:
        precision = substitute
        missing.append("precision")
    if len(missing) == 2:
        f1 = substitute
        missing.append("f1")
    else:
        f1 = 0.0 if missing else f_measure(recall, precision)
    return Scores(
        recall,
        precision,
        f1,
        recall_numerator,
        recall_denominator,
        precision_numerator,
        precision_denominator,
        tuple(missing),
    )


class Metric(ABC):
    """One metric with its options fixed.

    Attributes
    ----------
    name
        The name in options and JSON.
    title
        The name in tables.
    fields
        The names of the additive statistics.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    #: Names by which other tools call it.
    aliases: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def statistics(self, table: Overlap) -> Row:
        """The additive statistics of one document, one number for each of `fields`."""

    @abstractmethod
    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Scores from summed statistics; `undefined` says what 0/0 counts as."""


class RatioMetric(Metric):
    """A metric whose statistics are the numerators and denominators of recall and precision."""

    fields = (
        "recall_numerator",
        "recall_denominator",
        "precision_numerator",
        "precision_denominator",
    )

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """R = rn/rd, P = pn/pd, F1 = 2RP/(R+P)."""
        rn, rd, pn, pd = sums
        return ratios(rn, rd, pn, pd, undefined)


EntityFunction = Callable[[Sequence[Any]], float]
