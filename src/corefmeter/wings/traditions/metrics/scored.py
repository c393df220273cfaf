"""The ACE value, and CEAF with attributes, as metrics of all commands.

Both compare heads and spans by rules of their own, whatever a mention is matched with. Documents
have gone through the policies of the recipe.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from corefmeter.mentions.features import has_annotation
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import SCALARS, UNDEFINED_AS, Arithmetic, Number, Rates, Row, Scores
from corefmeter.metrics.options import Option
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.metrics.ace import UNKNOWN, ace_value
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights, weights_named
from corefmeter.wings.traditions.metrics.attributes import (
    SPANS,
    AttributeSimilarity,
    ceaf_attributes,
)

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


def _table_from_text(text: str) -> AceWeights:
    """Return a table by its name, with other weights after ``+``: ``ace2007+type:*=1``."""
    name, *settings = text.split("+")
    return weights_named(name).replace(settings)


class AceScore(AlignedMetric):
    """The ACE value as a share of one: 1 at best, below 0 where false alarms cost more.

    Recall and precision are not defined; they are not a number.

    `ace_weights` is the table of weights, with other weights after ``+``.
    """

    name = "ace"
    title = "ACE"
    about = "What are the entities worth, by their types and the levels of mentions?"
    papers = ("luo-2005",)
    fields = ("worth", "miss", "false_alarm", "error")
    details = True
    options = (
        Option(
            "ace_weights",
            "ace2005",
            "The table of weights of the ACE value, and other weights after +, as in "
            "ace2007+type:*=1.",
            metavar="TABLE",
            # As plain text: in a signature its colons name no function.
            read=lambda text: str(text) if _table_from_text(text) else text,
        ),
    )

    def __init__(self, ace_weights: str = "ace2005") -> None:
        self._weights = _table_from_text(ace_weights)

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the key's value, and the costs of misses, false alarms and errors."""
        key = alignment.key.document
        value = ace_value(key, alignment.response.document, self._weights)
        known = any(
            costs.key and name != UNKNOWN
            for tally in (value.by_type, value.mentions_by_level)
            for name, costs in tally.items()
        )
        if value.entities.key and not known and not has_annotation(key.text):
            reason = "the ACE value needs a key with entity types or mention levels"
            raise DataError(Problem("no-details", reason, "error", key.path, key.line))
        costs = value.entities
        return tuple(map(float, (costs.worth, costs.miss, costs.false_alarm, costs.error)))

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Return the value as F1."""
        value = self.rates(sums).f1
        if value != value:
            return Scores(nan, nan, UNDEFINED_AS[undefined], 0, 0, 0, 0, ("f1",))
        return Scores(nan, nan, value, 0, 0, 0, 0)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return the remaining share of the key's value."""
        worth, miss, false_alarm, error = sums
        value = on.ratio(worth - miss - false_alarm - error, worth)
        return Rates(value * nan, value * nan, value)


#: Nothing set.
_NONE = "none"


def _parse_numbers(text: str) -> dict[str, float]:
    items = [] if text == _NONE else [item.rpartition("=") for item in text.split("+")]
    return {name: float(value) for name, _, value in items}


def _parse_confusion(text: str, about: str) -> dict[str, Any]:
    """Parse the credits for confusions: ``ORG~LOC=0.25``, and ``*=0`` for all others.

    Return them as arguments of `AttributeSimilarity`; `about` is ``level`` or ``type``.
    """
    credits = _parse_numbers(text)
    values: dict[str, Any] = {}
    if "*" in credits:
        values[f"other_{about}"] = credits.pop("*")
    pairs = {tuple(name.split("~")): credit for name, credit in credits.items()}
    return {**values, f"{about}_confusion": pairs}


def _option_of_ceaf(name: str, metavar: str, help: str) -> Option:
    """Declare an option whose text must be understood by the metric."""

    def read(text: str) -> str:
        CeafAttributes(**{name: text})
        return text

    return Option(name, _NONE, help, metavar=metavar, read=read)


class CeafAttributes(AlignedMetric):
    """CEAF in which spans, levels and types count; see `attributes`."""

    name = "ceaf-attributes"
    title = "CEAF attr"
    about = "CEAF with partial credit for spans and confused types, and weights for levels."
    papers = ("luo-2005",)
    details = True
    options = (
        Option("ceaf_spans", "exact", "How spans are compared.", choices=SPANS),
        _option_of_ceaf(
            "ceaf_levels", "WEIGHTS", "Weights of levels, such as NAM=1+NOM=0.5+PRO=0.1."
        ),
        _option_of_ceaf(
            "ceaf_level_confusion",
            "CREDITS",
            "Credits for a level of the key and another of the response, such as NAM~NOM=0.5+*=0.",
        ),
        _option_of_ceaf(
            "ceaf_type_confusion",
            "CREDITS",
            "Credits for a type of the key and another of the response, such as ORG~LOC=0.25+*=0.",
        ),
        Option(
            "ceaf_relative", "no", "Compute it like CEAFe instead of CEAFm.", choices=("no", "yes")
        ),
    )

    def __init__(
        self,
        ceaf_spans: str = "exact",
        ceaf_levels: str = _NONE,
        ceaf_level_confusion: str = _NONE,
        ceaf_type_confusion: str = _NONE,
        ceaf_relative: str = "no",
    ) -> None:
        self.similarity = AttributeSimilarity(
            spans=ceaf_spans,
            levels=_parse_numbers(ceaf_levels),
            **_parse_confusion(ceaf_level_confusion, "level"),
            **_parse_confusion(ceaf_type_confusion, "type"),
            relative=ceaf_relative == "yes",
        )

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Numerator and denominator of recall, then of precision."""
        return ceaf_attributes(alignment.key.document, alignment.response.document, self.similarity)
