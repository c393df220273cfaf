"""What a metric is: a map from the overlap table to additive numbers, from their sums to scores.

A metric never sees a corpus. Its `statistics` of a document are one row of numbers under the names
`fields`; rows of documents add up, and scores are computed from sums only. So a corpus is a sum, a
group of documents is a partial sum, and a resample is a weighted sum.

``0/0`` is not a number: it is named in `Scores.undefined`, and counts as the policy says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import fsum, inf, nan
from typing import Any, ClassVar, NamedTuple, NoReturn, Protocol

from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError, unknown

Number = int | float
Row = tuple[Number, ...]

#: What 0/0 counts as, by policy.
UNDEFINED_AS: dict[str, float] = {"zero": 0.0, "one": 1.0, "skip": nan}


class Scores(NamedTuple):
    """Recall, precision and F1 as unrounded fractions of one, with their numerators and
    denominators.

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

    def __add__(self, other: object) -> NoReturn:
        """Scores do not add up; results do."""
        raise TypeError("scores do not add up; add the results they come from")

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON values; a skipped 0/0 becomes null."""
        values: dict[str, Any] = {
            "recall": as_json(self.recall),
            "precision": as_json(self.precision),
            "f1": as_json(self.f1),
            "recall_numerator": self.recall_numerator,
            "recall_denominator": self.recall_denominator,
            "precision_numerator": self.precision_numerator,
            "precision_denominator": self.precision_denominator,
            "undefined": list(self.undefined),
        }
        for name, part in self.parts.items():
            values[name] = part.to_dict()
        return values


def _part(scores: Scores, name: str) -> Scores:
    try:
        return scores.parts[name]
    except KeyError:
        raise AttributeError(name) from None


# Types: set from outside, so that checkers find misspelt names.
Scores.__getattr__ = _part  # type: ignore[attr-defined]


def as_json(value: float | None) -> float | None:
    """Return a number as a JSON value; what is not a number becomes null."""
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
        """`yes` where the condition holds, `no` elsewhere."""

    def total(self, values: Sequence[Any]) -> Any:
        """Return the sum of several numbers, or of several arrays element by element."""


class Scalars:
    """The arithmetic of single numbers; `corefmeter.statistics.arrays` has that of arrays."""

    def ratio(self, numerator: Number, denominator: Number) -> float:
        """Return the correctly rounded quotient, also of large integers; nan over 0."""
        return numerator / denominator if denominator else nan

    def where(self, condition: bool, yes: Any, no: Any) -> Any:
        """One of two numbers."""
        return yes if condition else no

    def total(self, values: Sequence[float]) -> float:
        """Return the correctly rounded sum."""
        return fsum(values)


SCALARS = Scalars()


def f_measure(recall: Any, precision: Any, on: Arithmetic = SCALARS) -> Any:
    """Return the harmonic mean 2RP/(R+P); 0 when both are 0.

    Examples
    --------
    >>> f_measure(0.5, 1.0)
    0.6666666666666666
    """
    total = recall + precision
    return on.where(total == 0, 0.0, on.ratio(2 * recall * precision, total))


def ratio_rates(
    recall_numerator: Any,
    recall_denominator: Any,
    precision_numerator: Any,
    precision_denominator: Any,
    on: Arithmetic = SCALARS,
) -> Rates:
    """R = rn/rd, P = pn/pd, F1 = 2RP/(R+P).

    F1 is 0/0 only if both are; if one denominator is 0, the other ratio is 0 (nothing can be
    right), and so is F1.
    """
    recall = on.ratio(recall_numerator, recall_denominator)
    precision = on.ratio(precision_numerator, precision_denominator)
    both_or_neither = (recall != recall) == (precision != precision)
    return Rates(
        recall, precision, on.where(both_or_neither, f_measure(recall, precision, on), 0.0)
    )


def resolve_undefined(
    rates: Rates,
    counts: tuple[Number, Number, Number, Number],
    undefined: str,
    parts: Mapping[str, Scores] | None = None,
) -> Scores:
    """Scores from rates: 0/0 is named, and gets the value of the policy `undefined`."""
    substitute = UNDEFINED_AS[undefined]
    recall, precision, f1 = [substitute if value != value else value for value in rates]
    missing = tuple(name for name in Rates._fields if (value := getattr(rates, name)) != value)
    return Scores(recall, precision, f1, *counts, missing, parts or {})


def ratios(
    recall_numerator: Number,
    recall_denominator: Number,
    precision_numerator: Number,
    precision_denominator: Number,
    undefined: str = "zero",
) -> Scores:
    """Scores from summed counts; see `ratio_rates`.

    Examples
    --------
    >>> ratios(0, 0, 0, 2).undefined
    ('recall',)
    """
    counts = (recall_numerator, recall_denominator, precision_numerator, precision_denominator)
    return resolve_undefined(ratio_rates(*counts), counts, undefined)


class Option(NamedTuple):
    """An option that can change the numbers of a metric, which declares it.

    The recipe has it among its fields, so it is an argument, an option of the command line and a
    part of the signature; the metric is made with its value under its name.

    Attributes
    ----------
    name
        The name in Python and in signatures.
    default
        The value when none is given; None where one must be given.
    help
        One sentence for the command line.
    choices
        The values, where they are names.
    metavar
        How the command line shows a value that is no choice.
    read
        From what was given, a value or its text, to the one form of the value; it raises
        `OptionError` for what cannot be.
    """

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    read: Callable[[Any], Any] | None = None


class Metric(ABC):
    """One metric with its options fixed.

    What the rest of the program must know of a metric is declared here, so that a metric of another
    package is treated as ours are.

    Attributes
    ----------
    name
        The name in options and JSON.
    title
        The name in tables.
    about
        What it measures, in one line.
    papers
        Where it is defined: keys of `corefmeter.metrics.references`, or entries of BibTeX.
    fields
        The names of the additive statistics.
    aliases
        Names by which other tools call it.
    options
        The options that it is made with.
    shows
        Other fields of the recipe that its signature always shows.
    details
        Whether it must know the words, heads or kinds of mentions.
    relations
        The kinds of relations between entities that it scores; see `corpus.relations.KINDS`.
    aligned
        Whether it sees which mention is matched with which, by `aligned_statistics`, instead of the
        overlap table.
    sets
        Whether it scores split antecedents: sets of entities as members of entities.
    key_count
        The field that counts the key and nothing else, if there is one.
    singletons
        Whether an entity of one mention can change the score, so that both sides should have such.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str] = ""
    papers: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[tuple[str, ...]]
    aliases: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()
    shows: ClassVar[tuple[str, ...]] = ()
    details: ClassVar[bool] = False
    relations: ClassVar[tuple[str, ...]] = ()
    aligned: ClassVar[bool] = False
    sets: ClassVar[bool] = False
    key_count: ClassVar[str | None] = None
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
        """Whether its options are those of the official scorer, if that has the metric at all."""
        return True

    @abstractmethod
    def statistics(self, table: Overlap) -> Row:
        """Return the additive statistics of one document, one number for each of `fields`."""

    @abstractmethod
    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Compute scores from summed statistics; `undefined` is the value of 0/0."""

    def on_sets(self, table: Overlap) -> Scores:
        """Compute the scores of two sets of entities, which define how a pair of set members
        counts.

        Equal sets have the scores 1, also where the metric itself is 0/0.
        """
        return self.scores(self.statistics(table))

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return the formula of the metric, for numbers and, with another arithmetic, for arrays.

        It makes thousands of resamples fast. A metric may do without: then `scores` is called for
        each resample.
        """
        raise NotImplementedError(f"{self.name} has no formula for arrays")


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

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """R = rn/rd, P = pn/pd, F1 = 2RP/(R+P)."""
        rn, rd, pn, pd = sums
        return ratio_rates(rn, rd, pn, pd, on)


def check_function(function: Callable[..., float], option: str) -> Callable[..., float]:
    """Return a user's function, whose values are refused unless they are numbers of 0 or more."""

    def value(*arguments: Any) -> float:
        number = function(*arguments)
        if not isinstance(number, (int, float)) or not 0 <= number < inf:
            raise OptionError(f"{option} gave {number!r}; it must give a number of 0 or more")
        return number

    return value


EntityFunction = Callable[[Sequence[Any]], float]


def load_function(value: Any, option: str, known: Sequence[str] = ()) -> Callable[..., Any]:
    """Return a function, given itself or as ``module:function``.

    Parameters
    ----------
    value
        What was given.
    option, known
        The option, and the names that are values of it too, for messages.

    Raises
    ------
    OptionError
        When it cannot be imported, or is no function.
    """
    if callable(value):
        return value  # type: ignore[no-any-return]  # callable, so any value
    if not isinstance(value, str):
        raise OptionError(f"{option} is a function or its name, not {value!r}")
    module_name, colon, attribute = value.partition(":")
    if not colon:
        raise unknown(f"value of {option}", value, [*known, "MODULE:NAME"])
    from importlib import import_module

    try:
        if not all(
            name.isidentifier() for name in (*module_name.split("."), *attribute.split("."))
        ):
            raise ImportError("it is not of the form module:function")
        found: Any = import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"{option}: {value!r} cannot be imported ({error}); a function must have a name of its "
            "own in a module that can be imported"
        ) from None
    if not callable(found):
        raise OptionError(f"{option}: {value!r} is not a function")
    return found  # type: ignore[no-any-return]  # callable, so any value
