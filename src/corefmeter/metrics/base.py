"""Base classes of metrics, which map overlap tables to additive numbers, and their sums to scores.

A metric never sees a corpus. Its `statistics` of a document are one row of numbers under the names
`fields`; rows of documents add up, and scores are computed from sums only. So a corpus is a sum, a
group of documents is a partial sum, and a resample is a weighted sum.

``0/0`` is not a number: it is named in `Scores.undefined`, and the option `undefined` is its value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import fsum, nan
from typing import Any, ClassVar, NamedTuple, NoReturn, Protocol

from corefmeter.metrics.options import Option
from corefmeter.metrics.overlap import Overlap

Number = int | float
Row = tuple[Number, ...]

#: What 0/0 counts as, by policy.
UNDEFINED_AS: dict[str, float] = {"zero": 0.0, "one": 1.0, "skip": nan}


class Scores(NamedTuple):
    """Recall, precision and F1 as unrounded fractions of one, with their counts.

    Attributes
    ----------
    recall, precision, f1
        From 0 to 1. If the ratio is 0/0, the value is that of the option `undefined`.
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

    def __add__(self, other: object) -> NoReturn:
        """Scores do not add up; results do."""
        raise TypeError("scores do not add up; add the results they come from")

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON values; a skipped 0/0 becomes null."""
        values = self._asdict()
        del values["parts"]
        values |= {name: as_json(values[name]) for name in Rates._fields}
        values["undefined"] = list(self.undefined)
        return values | {name: part.to_dict() for name, part in self.parts.items()}


def _part(scores: Scores, name: str) -> Scores:
    try:
        return scores.parts[name]
    except KeyError:
        raise AttributeError(name) from None


# Types: set from outside, so that checkers find misspelt names.
Scores.__getattr__ = _part  # type: ignore[attr-defined]


def as_json(value: float | None) -> float | None:
    """Return a number as a JSON value; NaN becomes null."""
    return None if value != value else value


class Rates(NamedTuple):
    """Recall, precision and F1: numbers, or arrays of them; nan where they are 0/0."""

    recall: Any
    precision: Any
    f1: Any


class Arithmetic(Protocol):
    """Functions that a formula needs besides ``+ - * == != > & |`` for numbers and for arrays."""

    def ratio(self, numerator: Any, denominator: Any) -> Any:
        """Return the quotient; nan where the denominator is 0."""

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        """Return `yes` where the condition holds, `no` elsewhere."""

    def total(self, values: Sequence[Any]) -> Any:
        """Return the sum of several numbers, or of several arrays element by element."""


class Scalars:
    """The arithmetic of single numbers; `corefmeter.statistics.arrays` has that of arrays."""

    def ratio(self, numerator: Number, denominator: Number) -> float:
        """Return the correctly rounded quotient, also of large integers; nan over 0."""
        return numerator / denominator if denominator else nan

    def where(self, condition: bool, yes: Any, no: Any) -> Any:
        """Return one of two numbers."""
        return yes if condition else no

    def total(self, values: Sequence[float]) -> float:
        """Return the correctly rounded sum."""
        return fsum(values)


SCALARS = Scalars()


def f_measure(recall: Any, precision: Any, on: Arithmetic = SCALARS) -> Any:
    """Return the harmonic mean 2RP/(R+P); 0 when both are 0."""
    total = recall + precision
    return on.where(total == 0, 0.0, on.ratio(2 * recall * precision, total))


def ratio_rates(counts: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
    """Return R = rn/rd, P = pn/pd and F1 = 2RP/(R+P), from the counts ``(rn, rd, pn, pd)``.

    F1 is 0/0 only if R and P both are. If one denominator is 0, nothing can be correct, so the
    other ratio is 0, and so is F1.
    """
    rn, rd, pn, pd = counts
    recall, precision = on.ratio(rn, rd), on.ratio(pn, pd)
    both_or_neither = (recall != recall) == (precision != precision)
    f1 = on.where(both_or_neither, f_measure(recall, precision, on), 0.0)
    return Rates(recall, precision, f1)


def resolve_undefined(
    rates: Rates, counts: tuple[Number, Number, Number, Number], undefined: str
) -> Scores:
    """Return scores from rates: 0/0 is named, and gets the value of the policy `undefined`."""
    missing = tuple(name for name, rate in zip(Rates._fields, rates, strict=True) if rate != rate)
    substitute = UNDEFINED_AS[undefined]
    recall, precision, f1 = [substitute if rate != rate else rate for rate in rates]
    return Scores(recall, precision, f1, *counts, missing)


def ratios(
    recall_numerator: Number,
    recall_denominator: Number,
    precision_numerator: Number,
    precision_denominator: Number,
    undefined: str = "zero",
) -> Scores:
    """Return scores from summed counts; see `ratio_rates`.

    >>> ratios(0, 0, 0, 2).undefined
    ('recall',)
    """
    counts = (recall_numerator, recall_denominator, precision_numerator, precision_denominator)
    return resolve_undefined(ratio_rates(counts), counts, undefined)


class Described:
    """What is known of a metric, or of an average of metrics."""

    #: The name in options and JSON, in tables, and what it measures, in one line.
    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str] = ""
    #: Where it is defined: keys of ``references.bib``, or entries of BibTeX.
    papers: ClassVar[tuple[str, ...]] = ()
    #: Names by which other tools call it.
    aliases: ClassVar[tuple[str, ...]] = ()
    #: The options that it is made with.
    options: ClassVar[tuple[Option, ...]] = ()


class Metric(Described, ABC):
    """One metric with its options fixed.

    A metric declares here what the rest of the program needs to know, so that metrics of other
    packages are treated like ours.
    """

    #: The names of the additive statistics.
    fields: ClassVar[tuple[str, ...]]
    #: Other fields of the recipe that its signature always shows.
    shows: ClassVar[tuple[str, ...]] = ()
    #: Whether it must know the words, heads or kinds of mentions.
    details: ClassVar[bool] = False
    #: The kinds of relations between entities that it scores; see `corpus.relations.KINDS`.
    relations: ClassVar[tuple[str, ...]] = ()
    #: Whether it sees which mention is matched with which, by `aligned_statistics`, not the table.
    aligned: ClassVar[bool] = False
    #: Whether it scores split antecedents: sets of entities as members of entities.
    sets: ClassVar[bool] = False
    #: The field that counts the key and nothing else, if there is one.
    key_count: ClassVar[str | None] = None
    #: Whether an entity of one mention can change the score, so that both sides should have such.
    singletons: ClassVar[bool] = True

    @property
    def deciding(self) -> tuple[str, ...]:
        """The fields that recall, precision and F1 are computed from."""
        return self.fields

    @property
    def twinless(self) -> bool:
        """Whether mentions of one side count; if not, a warning gives the number left out."""
        return True

    @property
    def as_official(self) -> bool:
        """Whether its options are those of the official scorer, if that has the metric."""
        return True

    @abstractmethod
    def statistics(self, table: Overlap) -> Row:
        """Return the additive statistics of one document, one number for each of `fields`."""

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return the numerators and denominators of recall and precision, from summed statistics.

        A metric has these, or `scores` of its own.
        """
        raise NotImplementedError(f"{self.name} has no numerators and denominators")

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return the formula of the metric, for numbers and, with another arithmetic, for arrays.

        By default R = rn/rd, P = pn/pd, F1 = 2RP/(R+P), of its `counts`.
        """
        return ratio_rates(self.counts(sums), on)

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Compute scores from summed statistics; `undefined` is the value of 0/0."""
        return resolve_undefined(self.rates(sums), self.counts(sums), undefined)

    def on_sets(self, table: Overlap) -> Scores:
        """Compute the scores of two sets of entities, which weigh a pair of set members.

        Equal sets have the scores 1, also where the metric itself is 0/0.
        """
        return self.scores(self.statistics(table))


class RatioMetric(Metric):
    """A metric whose statistics are the numerators and denominators of recall and precision."""

    fields: ClassVar[tuple[str, ...]] = (
        "recall_numerator",
        "recall_denominator",
        "precision_numerator",
        "precision_denominator",
    )

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return the statistics, which are these numerators and denominators."""
        rn, rd, pn, pd = sums
        return rn, rd, pn, pd
