"""Parts of the ACE value: counts and costs that add up, by type, class and level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, nan
from typing import Any, NamedTuple

from corefmeter.corpus.pairing import DOCUMENTS
from corefmeter.problems import OptionError
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights

ZERO, ONE = Fraction(0), Fraction(1)


class Costs(NamedTuple):
    """Counts and costs of a set of entities, or of mentions; they add up.

    `missed`, `false_alarms` and `errors` count those of the key without partner, those of the
    response, and pairs that are worth less than the key's part is worth to itself. `miss`,
    `false_alarm` and `error` are what was lost, in the unit of `worth`.
    """

    key: int = 0
    response: int = 0
    missed: int = 0
    false_alarms: int = 0
    errors: int = 0
    worth: Fraction = ZERO
    miss: Fraction = ZERO
    false_alarm: Fraction = ZERO
    error: Fraction = ZERO

    @classmethod
    def total(cls, parts: Iterable[Costs]) -> Costs:
        """Return the sum of some costs."""
        columns = list(zip(*parts, strict=True))
        # Types: the first five numbers are counts, the others fractions.
        return cls(*map(sum, columns[:5]), *map(total_of, columns[5:]))  # type: ignore[arg-type]

    @property
    def value(self) -> float:
        """Return the value in percent of the maximum; nan where the key is worth nothing."""
        return self.percent(self.worth - self.miss - self.false_alarm - self.error)

    def percent(self, cost: Fraction) -> float:
        """Return a cost in percent of the worth; nan where that is 0."""
        return float(100 * cost / self.worth) if self.worth else nan

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON values; the value is null where the worth is 0."""
        values: dict[str, Any] = {
            name: float(number) if isinstance(number, Fraction) else number
            for name, number in self._asdict().items()
        }
        values["value"] = self.value if self.worth else None
        return values


def total_of(values: Iterable[Fraction]) -> Fraction:
    """Return the sum of fractions.

    Those of the same denominator are added first, since there are few denominators.
    """
    numerators: dict[int, int] = {}
    for value in values:
        if value is not ZERO:
            numerator, denominator = value.as_integer_ratio()
            numerators[denominator] = numerators.get(denominator, 0) + numerator
    if not numerators:
        return ZERO
    unit = lcm(*numerators)
    return Fraction(sum(n * (unit // d) for d, n in numerators.items()), unit)


Tally = dict[str, Costs]

#: The fields of `AceValue` that are tallies.
_TALLIES = ("by_type", "by_class", "by_level", "mentions_by_level")


@dataclass(frozen=True, slots=True)
class AceValue:
    """The ACE value with its decomposition; values of documents add up.

    Entities are tallied by type, class and the highest level of their mentions: of the key's, or of
    the response's for false alarms. Each mention carries its part of its entity, so both add up to
    the same, but a mention left over in an entity found is a false alarm of mentions and part of an
    error of entities. `pairs` are ``(document, key entity, response entity, score)`` of each mapped
    pair; `policy` is how documents on one side only are treated.
    """

    weights: AceWeights
    by_type: Tally
    by_class: Tally
    by_level: Tally
    mentions_by_level: Tally
    pairs: tuple[tuple[str, str, str, float], ...] = ()
    documents: int = 1
    policy: str = DOCUMENTS[0]

    @property
    def signature(self) -> str:
        """Return the signature in one line; `ace_options` reads it."""
        return self.weights.signature(self.policy)

    @property
    def entities(self) -> Costs:
        """The costs of all entities."""
        return Costs.total(self.by_type.values())

    @property
    def mentions(self) -> Costs:
        """The costs of all mentions."""
        return Costs.total(self.mentions_by_level.values())

    @property
    def value(self) -> float:
        """The ACE value in percent: 100 at best; nan where the key is worth nothing."""
        return self.entities.value

    def __add__(self, other: AceValue) -> AceValue:
        """Return the value of both together; their weights and policies must be the same."""
        if (self.weights, self.policy) != (other.weights, other.policy):
            raise OptionError("ACE values made with different weights or policies do not add up")
        sums: dict[str, Any] = {
            name: _add(getattr(self, name), getattr(other, name)) for name in _TALLIES
        }
        pairs, documents = self.pairs + other.pairs, self.documents + other.documents
        return replace(self, pairs=pairs, documents=documents, **sums)

    def to_dict(self) -> dict[str, Any]:
        """Return the value and its decomposition as JSON values."""
        entities = self.entities.to_dict()
        return {
            "value": entities["value"],
            "documents": self.documents,
            "entities": entities,
            "by_type": _as_json(self.by_type),
            "by_class": _as_json(self.by_class),
            "by_level": _as_json(self.by_level),
            "mentions": self.mentions.to_dict(),
            "mentions_by_level": _as_json(self.mentions_by_level),
        }


def _as_json(tally: Tally) -> dict[str, Any]:
    return {name: costs.to_dict() for name, costs in tally.items()}


def _add(first: Tally, second: Tally) -> Tally:
    return {
        name: Costs.total(tally[name] for tally in (first, second) if name in tally)
        for name in sorted({*first, *second})
    }
