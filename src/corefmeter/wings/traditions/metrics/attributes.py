"""CEAF with attributes: partial credit for spans, confusion of types, weights of levels.

Luo (2005, section 2.2) sketches it. With o(m, n) the overlap of two mentions, w(m) the weight of a
mention's level, C and T the confusion of levels and of entity types::

    c(m, n)   = min(w(m), w(n)) * o(m, n) * C(level of m, level of n)
    phi(k, r) = T(type of k, type of r) * max over one-to-one maps of mentions of sum c(m, n)

or, as in phi4, ``2 * phi(k, r) / (phi(k, k) + phi(r, r))``. With the defaults these are CEAF_m and
CEAF_e.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.base import Number, Row
from corefmeter.problems import OptionError, unknown
from corefmeter.wings.traditions.metrics.features import (
    Positions,
    details_of,
    entity_type,
    level_of,
    overlapping,
    positions_of,
    with_kinds_and_types,
)

#: Levels by the names of the paper, which are not those of the data.
LONG_LEVELS = {"NAME": "NAM", "NOMINAL": "NOM", "PRONOUN": "PRO"}

#: How much two mentions of a and b positions that share c are the same.
SPANS: tuple[str, ...] = ("exact", "dice", "jaccard")

Confusion = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class AttributeSimilarity:
    """Similarity of two entities by their mentions and attributes."""

    #: ``exact``: 1 for the same mention, else 0; ``dice``: 2c/(a+b); ``jaccard``: c/(a+b-c), for
    #: mentions of a and b tokens (or characters) that share c.
    spans: str = "exact"
    #: The weight of a mention of a level (NAM, NOM, PRO), 0 or more; 1 for levels not named.
    levels: Mapping[str, float] = field(default_factory=dict)
    #: The credit, from 0 to 1, for a mention level, or entity type, of the key and another of the
    #: response; `other_level` and `other_type` are for pairs not named.
    level_confusion: Confusion = field(default_factory=dict)
    other_level: float = 1.0
    type_confusion: Confusion = field(default_factory=dict)
    other_type: float = 1.0
    #: Whether it is relative to the sizes of both entities (phi4), or their shared weight (phi3).
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse unknown names, and weights and credits outside of their range."""
        if self.spans not in SPANS:
            raise unknown("value of spans", self.spans, SPANS)
        for name, weight in self.levels.items():
            if name in LONG_LEVELS:
                raise OptionError(f"the level {name!r} is called {LONG_LEVELS[name]!r} here")
            if not 0 <= weight < inf:
                raise OptionError(f"the weight of {name} is {weight!r}; it must be 0 or more")
        for pair in (*self.level_confusion, *self.type_confusion):
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise OptionError(f"a confusion is of a pair (key, response), not of {pair!r}")
        others = {("other", "level"): self.other_level, ("other", "type"): self.other_type}
        confusions = (self.level_confusion, self.type_confusion, others)
        for pair, credit in chain.from_iterable(confusion.items() for confusion in confusions):
            if not 0 <= credit <= 1:
                raise OptionError(f"the credit of {' for '.join(pair)} is {credit!r}, not 0 to 1")
            if pair[0] == pair[1] and credit != 1:
                raise OptionError(f"the credit of {pair[0]} for itself is {credit!r}, not 1")

    def weight(self, level: str | None) -> float:
        """Return the weight of a mention."""
        return 1 if level is None else self.levels.get(level, 1)

    def overlap(self, key: int, response: int, common: int) -> Number:
        """Return how much two mentions with these numbers of positions overlap."""
        if self.spans == "exact":
            return int(key == response == common)
        if self.spans == "dice":
            return 2 * common / (key + response)
        return common / (key + response - common)


def _credit(confusion: Confusion, default: float, key: str | None, response: str | None) -> Number:
    """Return the credit for a label of the response; unknown labels cannot be confused."""
    if key is None or response is None or key == response:
        return 1
    return confusion.get((key, response), default)


def ceaf_attributes(
    key: Document, response: Document, similarity: AttributeSimilarity | None = None
) -> Row:
    """Return the additive statistics of CEAF with attributes for one document.

    Both are read with details if types and levels shall count. Without a `similarity` it is CEAF_m.
    The numbers are numerator and denominator of recall, then of precision; rows of documents add
    up, and `corefmeter.metrics.base.ratios` makes scores of their sum.

    Examples
    --------
    "The old man" of the key, 3 tokens, is found as "man"; with Dice that is worth 2 * 1/(3 + 1).

    >>> from corefmeter.metrics.base import ratios
    >>> key, response = Document("x", [[(0, 3), (5, 6)]]), Document("x", [[(2, 3), (5, 6)]])
    >>> ceaf_attributes(key, response, AttributeSimilarity(spans="dice"))
    (1.5, 2, 1.5, 2)
    """
    similarity = similarity or AttributeSimilarity()
    key, response = with_kinds_and_types(key, response)
    key_side, response_side = _make_side(key, similarity), _make_side(response, similarity)
    edges: dict[tuple[int, int], list[tuple[int, int, float]]] = defaultdict(list)
    key_positions = [mention.positions for mention in key_side.mentions]
    response_positions = [mention.positions for mention in response_side.mentions]
    for i, j, common in overlapping(key_positions, response_positions):
        m, n = key_side.mentions[i], response_side.mentions[j]
        credit = (
            min(m.weight, n.weight)
            * similarity.overlap(len(m.positions), len(n.positions), common)
            * _credit(similarity.level_confusion, similarity.other_level, m.level, n.level)
        )
        if credit > 0:
            edges[m.entity, n.entity].append((i, j, credit))
    entities = []
    for (k, r), mentions in edges.items():
        shared = sum(weight for _, _, weight in best_assignment(mentions))
        types = key_side.types[k], response_side.types[r]
        shared *= _credit(similarity.type_confusion, similarity.other_type, *types)
        if similarity.relative:
            shared = 2 * shared / (key_side.weights[k] + response_side.weights[r])
        entities.append((k, r, shared))
    total = sum(weight for _, _, weight in best_assignment(entities))
    in_key, in_response = (side.total(similarity.relative) for side in (key_side, response_side))
    return total, in_key, total, in_response


class _Mention(NamedTuple):
    entity: int
    positions: Positions
    level: str | None
    weight: float


class _Side(NamedTuple):
    """The mentions of a side, and the types and weights of its entities."""

    mentions: list[_Mention]
    types: list[str | None]
    weights: list[float]

    def total(self, relative: bool) -> float:
        """Return the similarity of all entities to themselves."""
        return sum(weight > 0 if relative else weight for weight in self.weights)


def _make_side(document: Document, similarity: AttributeSimilarity) -> _Side:
    side = _Side([], [], [])
    entities = zip(document.entities, details_of(document), strict=True)
    for number, (entity, details) in enumerate(entities):
        levels = list(map(level_of, details))
        weights = list(map(similarity.weight, levels))
        for mention, level, weight in zip(entity, levels, weights, strict=True):
            side.mentions.append(_Mention(number, positions_of(mention), level, weight))
        side.types.append(entity_type(details))
        side.weights.append(sum(weights))
    return side
