"""Entities and mentions as the ACE value compares them, and their weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from functools import cache, partial
from operator import itemgetter
from typing import NamedTuple

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import Detail
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.metrics.ace_costs import ONE, ZERO, total_of
from corefmeter.wings.traditions.metrics.ace_weights import FACTORS, AceWeights
from corefmeter.wings.traditions.metrics.features import (
    Positions,
    attribute,
    details_of,
    entity_attribute,
    entity_type,
    level_of,
    positions_of,
)

#: The attributes of an entity or a mention.
Labels = tuple[str | None, str | None, str | None]

#: For each attribute, the factor where it differs, and the group of its weights.
_OF_ENTITIES = (("type_error", "type"), ("subtype_error", None), ("class_error", "class"))
_OF_MENTIONS = (("level_error", "level"), ("role_error", None), ("style_error", None))


class EntityAttributes(NamedTuple):
    """The attributes by which two entities are compared."""

    type: str | None
    subtype: str | None
    entity_class: str | None


class MentionAttributes(NamedTuple):
    """The attributes by which two mentions are compared."""

    level: str | None
    role: str | None
    style: str | None


@dataclass(slots=True)
class AceMention:
    """A mention with its compared attributes; `place` is its number in its entity."""

    entity: int
    place: int
    attributes: MentionAttributes
    weight: Fraction
    span: Positions
    head: Positions | None
    span_text: str | None
    head_text: str | None
    known: bool = False  # corresponds to a mention of the other side


@dataclass(slots=True)
class AceEntity:
    """An entity with its compared attributes."""

    name: str
    attributes: EntityAttributes
    factor: Fraction  # type weight * class weight
    mentions: list[AceMention]
    level: str | None
    level_weight: Fraction
    total: Fraction  # of the weights of its mentions

    def scale(self, weighting: str) -> Fraction:
        """Return the value of a unit of mention weight before any factor."""
        if weighting == "mention":
            return ONE
        return self.level_weight / self.total if self.total else ZERO

    def unit(self, weighting: str) -> Fraction:
        """Return the value of a unit of mention weight."""
        return self.factor * self.scale(weighting)


class Rates:
    """A table of weights as exact fractions, and the values and costs that follow from it.

    `entity_value` and `mention_value` are e(k, r) and m(a, b), of the attributes of both.
    """

    def __init__(self, table: AceWeights) -> None:
        self.table = table
        groups = {"type": table.types, "class": table.classes, "level": table.levels}
        self.groups = {group: _exact(weights) for group, weights in groups.items()}
        self.factors = _exact({name: getattr(table, name) for name in FACTORS})
        # Entities and mentions differ in few ways.
        self.entity_value = cache(partial(self._compared_value, _OF_ENTITIES))
        self.mention_value = cache(partial(self._compared_value, _OF_MENTIONS))
        self._surplus = cache(partial(self._left_over, "surplus", "surplus_known"))
        self._invented = cache(partial(self._left_over, "false_alarm_mention", "false_alarm_known"))

    def entities(self, document: Document) -> list[AceEntity]:
        """Return the entities of a document; a name without a weight is a `DataError`."""
        described = zip(document.entities, details_of(document), strict=True)
        entities = [
            self._make_entity(document, number, spans, details)
            for number, (spans, details) in enumerate(described)
        ]
        names: dict[tuple[str, str | None], None] = {}
        for entity in entities:
            names |= {("level", mention.attributes.level): None for mention in entity.mentions}
            names["type", entity.attributes.type] = None
            names["class", entity.attributes.entity_class] = None
        unknown = []
        for group, name in names:
            known = self.groups[group]
            if name is not None and known.keys().isdisjoint((name, "*")):
                reason = f"the {group} {name!r} has no weight in the table {self.table.name}"
                hint = f"Set its weight with {group}:{name}=1, or all others with {group}:*=1."
                message = f"{reason}, which has {', '.join(known)}"
                place = document.path, document.line, None
                unknown.append(Problem("unknown-weight", message, "error", *place, hint))
        if unknown:
            raise DataError(unknown)
        return entities

    def _make_entity(
        self, document: Document, number: int, spans: Sequence[Mention], details: Sequence[Detail]
    ) -> AceEntity:
        described = zip(spans, details, strict=True)
        mentions = [
            self._make_mention(document, number, place, span, detail)
            for place, (span, detail) in enumerate(described)
        ]
        ranks = map(self.rank, mentions)
        level_weight, level = max(ranks, key=itemgetter(0), default=(ZERO, None))
        subtype, entity_class = (entity_attribute(details, name) for name in ("subtype", "class"))
        attributes = EntityAttributes(entity_type(details), subtype, entity_class)
        return AceEntity(
            document.entity_names[number],
            attributes,
            self.weight("type", attributes.type) * self.weight("class", entity_class),
            mentions,
            level,
            level_weight,
            total_of(mention.weight for mention in mentions),
        )

    def _make_mention(
        self, document: Document, entity: int, place: int, span: Mention, detail: Detail
    ) -> AceMention:
        """Return a mention, `place` in its entity; its head is a span in APF, else one position."""
        positions = positions_of(span)
        head: Positions | None = None
        run = detail.attributes.get("head")
        if isinstance(run, tuple) and len(run) == 2 and all(isinstance(at, int) for at in run):
            head = frozenset(range(*run))
        elif detail.head is not None:
            head = frozenset((detail.head,))
        level = level_of(detail)
        return AceMention(
            entity,
            place,
            MentionAttributes(level, attribute(detail, "role"), attribute(detail, "style")),
            self.weight("level", level),
            positions,
            head,
            attribute(detail, "text") or _text_at(document, positions),
            attribute(detail, "head_text") or (None if head is None else _text_at(document, head)),
        )

    def rank(self, mention: AceMention) -> tuple[Fraction, str | None]:
        """Return the weight of a mention's level in its entity, and the level."""
        level, _, style = mention.attributes
        if self.table.metonymic and (level, style) == ("NAM", "METONYMIC"):
            return self.weight("level", "NOM"), "NOM"
        return mention.weight, level

    def weight(self, group: str, name: str | None) -> Fraction:
        """Return the weight of a type, class or level; 1 if it is not known."""
        table = self.groups[group]
        return ONE if name is None else table.get(name, table.get("*", ONE))

    def least(self, group: str, *names: str | None) -> Fraction:
        """Return the smallest weight of some names; unknown names do not count."""
        return min((self.weight(group, name) for name in names if name is not None), default=ONE)

    def _compared_value(
        self, rules: tuple[tuple[str, str | None], ...], key: Labels, response: Labels
    ) -> Fraction:
        """Return the smaller weights of two sides, times the factors of attributes that differ.

        `rules` have for each attribute the name of its factor, and its group of weights or None.
        """
        value = ONE
        for (factor, group), a, b in zip(rules, key, response, strict=True):
            if group is not None:
                value *= self.least(group, a, b)
            if a is not None and b is not None and a != b:
                value *= self.factors[factor]
        return value

    def _left_over(self, each: str, if_known: str, level: str | None, known: bool) -> Fraction:
        """Return the cost of a mention of a level; `each` and `if_known` name its factors."""
        factor = self.factors[if_known] if known else ONE
        return self.least("level", level) * self.factors[each] * factor

    def surplus_cost(self, mention: AceMention) -> Fraction:
        """Return the cost of an unmatched mention in an entity that has a partner."""
        return self._surplus(mention.attributes.level, mention.known)

    def invented_cost(self, mention: AceMention) -> Fraction:
        """Return the cost of a mention in an entity without partner, before the entity's factor."""
        return self._invented(mention.attributes.level, mention.known)

    def false_alarm(self, r: AceEntity, weighting: str) -> Fraction:
        """Return the cost of an entity without partner."""
        cost = total_of(map(self.invented_cost, r.mentions))
        return self.factors["false_alarm"] * r.unit(weighting) * cost

    def correspond(self, a: AceMention, b: AceMention) -> bool:
        """Return whether two mentions' heads, or else their spans, overlap enough to be mapped.

        A pair that is worth nothing does not correspond, unless both are worth nothing.
        """
        if (a.weight or b.weight) and not self.mention_value(a.attributes, b.attributes):
            return False
        if a.head is None or b.head is None:
            positions_a, positions_b, text_a, text_b = a.span, b.span, a.span_text, b.span_text
        else:
            positions_a, positions_b, text_a, text_b = a.head, b.head, a.head_text, b.head_text
        common = len(positions_a & positions_b)
        longer = max(len(positions_a), len(positions_b))
        if not common or common < self.factors["head_overlap"] * longer:
            return False
        least = self.factors["text_overlap"]
        if not least or text_a is None or text_b is None or text_a == text_b:
            return True
        return _longest_common_run(text_a, text_b) >= least


def _exact(weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return the decimal numbers that are written, not the binary ones next to them."""
    return {name: Fraction(repr(float(value))) for name, value in weights.items()}


def _longest_common_run(first: str, second: str) -> Fraction:
    """Return the longest run of letters and digits in both texts, as a part of the longer.

    Upper and lower case are the same. Texts without letters and digits are equal.
    """
    a, b = ("".join(filter(str.isalnum, text.casefold())) for text in (first, second))
    if a == b or not a or not b:
        return Fraction(a == b)
    size = SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    return Fraction(size, max(len(a), len(b)))


def _text_at(document: Document, positions: Positions) -> str | None:
    if document.text is None:
        return None
    words = document.text.words
    tokens = sorted(at for at in positions if isinstance(at, int) and 0 <= at < len(words))
    return "".join(words[token] for token in tokens) if tokens else None
