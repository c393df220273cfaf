"""Entities and mentions as the ACE value compares them, and their weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from functools import cache, partial
from operator import itemgetter

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

#: The attributes by which two entities, or two mentions, are compared.
Attributes = tuple[str | None, str | None, str | None]

#: For each attribute, the factor where it differs, and the group of its weights.
_OF_ENTITIES = (("type_error", "type"), ("subtype_error", None), ("class_error", "class"))
_OF_MENTIONS = (("level_error", "level"), ("role_error", None), ("style_error", None))


@dataclass(slots=True)
class AceMention:
    """A mention with what is compared of it."""

    entity: int
    place: int
    attributes: Attributes  # level, role and style
    weight: Fraction
    span: Positions
    head: Positions | None
    span_text: str | None
    head_text: str | None
    known: bool = False  # corresponds to a mention of the other side

    @property
    def level(self) -> str | None:
        """Return its level."""
        return self.attributes[0]


@dataclass(slots=True)
class AceEntity:
    """An entity with what is compared of it."""

    name: str
    attributes: Attributes  # type, subtype and class
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
        self.groups = {
            "type": _exact(table.types),
            "class": _exact(table.classes),
            "level": _exact(table.levels),
        }
        self.factors = _exact({name: getattr(table, name) for name in FACTORS})
        # Entities and mentions differ in few ways.
        self.entity_value = cache(partial(self._compared_value, _OF_ENTITIES))
        self.mention_value = cache(partial(self._compared_value, _OF_MENTIONS))
        self._surplus = cache(partial(self._left_over, "surplus", "surplus_known"))
        self._invented = cache(partial(self._left_over, "false_alarm_mention", "false_alarm_known"))

    def entities(self, document: Document) -> list[AceEntity]:
        """Return the entities of a document; a name without a weight is a `DataError`."""
        entities = []
        unknown: dict[tuple[str, str], None] = {}

        def weight(group: str, name: str | None) -> Fraction:
            table = self.groups[group]
            if name is None:
                return ONE
            if name not in table and "*" not in table:
                unknown[group, name] = None
            return table.get(name, table.get("*", ONE))

        both = zip(document.entities, details_of(document), strict=True)
        for number, (spans, details) in enumerate(both):
            mentions = []
            for place, (span, detail) in enumerate(zip(spans, details, strict=True)):
                value = weight("level", level_of(detail))
                mentions.append(_make_mention(number, place, span, detail, value, document))
            type, kind = entity_type(details), entity_attribute(details, "class")
            ranks = [self.rank(mention) for mention in mentions]
            level_weight, level = max(ranks, key=itemgetter(0), default=(ZERO, None))
            entities.append(
                AceEntity(
                    document.entity_names[number],
                    (type, entity_attribute(details, "subtype"), kind),
                    weight("type", type) * weight("class", kind),
                    mentions,
                    level,
                    level_weight,
                    total_of(mention.weight for mention in mentions),
                )
            )
        if unknown:
            raise DataError([self.problem(document, *name) for name in unknown])
        return entities

    def problem(self, document: Document, group: str, name: str) -> Problem:
        """Return the report about a type, class or level without a weight."""
        known = ", ".join(self.groups[group])
        reason = f"the {group} {name!r} has no weight in the table {self.table.name}, which knows"
        hint = f"Give it one, such as {group}:{name}=1, or all others with {group}:*=1."
        place = document.path, document.line, None
        return Problem("unknown-weight", f"{reason} {known}", "error", *place, hint)

    def rank(self, mention: AceMention) -> tuple[Fraction, str | None]:
        """Return the weight of a mention's level in its entity, and the level."""
        level, _, style = mention.attributes
        if self.table.metonymic and (level, style) == ("NAM", "METONYMIC"):
            return self.least("level", "NOM"), "NOM"
        return mention.weight, level

    def least(self, group: str, *names: str | None) -> Fraction:
        """Return the smallest weight of some names; what is not known does not count."""
        table = self.groups[group]
        weights = (table.get(name, table.get("*", ONE)) for name in names if name is not None)
        return min(weights, default=ONE)

    def _compared_value(
        self, compared: tuple[tuple[str, str | None], ...], one: Attributes, other: Attributes
    ) -> Fraction:
        """Return the smaller weights of two sides, times the factors of attributes that differ.

        `compared` has for each attribute the name of its factor, and its group of weights or None.
        """
        value = ONE
        for (factor, group), a, b in zip(compared, one, other, strict=True):
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
        return self._surplus(mention.level, mention.known)

    def invented_cost(self, mention: AceMention) -> Fraction:
        """Return the cost of a mention in an entity without partner, before the entity's factor."""
        return self._invented(mention.level, mention.known)

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
            one, other, texts = a.span, b.span, (a.span_text, b.span_text)
        else:
            one, other, texts = a.head, b.head, (a.head_text, b.head_text)
        common = len(one & other)
        if not common or common < self.factors["head_overlap"] * max(len(one), len(other)):
            return False
        text, other_text = texts
        least = self.factors["text_overlap"]
        if not least or text is None or other_text is None or text == other_text:
            return True
        return _longest_common_run(text, other_text) >= least


def _exact(weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return the decimal numbers that are written, not the binary ones next to them."""
    return {name: Fraction(repr(float(value))) for name, value in weights.items()}


def _longest_common_run(one: str, other: str) -> Fraction:
    """Return the longest run of letters and digits in both texts, as a part of the longer.

    Upper and lower case are the same. Texts without letters and digits are equal.
    """
    a, b = ("".join(filter(str.isalnum, text.casefold())) for text in (one, other))
    if a == b or not a or not b:
        return Fraction(a == b)
    size = SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    return Fraction(size, max(len(a), len(b)))


def _make_mention(
    entity: int, place: int, span: Mention, detail: Detail, weight: Fraction, document: Document
) -> AceMention:
    """Return a mention, `place` in its entity; its head is a span in APF, else one position."""
    positions = positions_of(span)
    head: Positions | None = None
    run = detail.attributes.get("head")
    if isinstance(run, tuple) and len(run) == 2 and all(isinstance(at, int) for at in run):
        head = frozenset(range(*run))
    elif detail.head is not None:
        head = frozenset((detail.head,))
    return AceMention(
        entity,
        place,
        (level_of(detail), attribute(detail, "role"), attribute(detail, "style")),
        weight,
        positions,
        head,
        attribute(detail, "text") or _text_at(document, positions),
        attribute(detail, "head_text") or (None if head is None else _text_at(document, head)),
    )


def _text_at(document: Document, positions: Positions) -> str | None:
    """Return the words at some positions, or None if they are not known."""
    if document.text is None:
        return None
    words = document.text.words
    found = sorted(at for at in positions if isinstance(at, int) and 0 <= at < len(words))
    return "".join(words[at] for at in found) if found else None
