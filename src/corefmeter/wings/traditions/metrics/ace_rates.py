"""Entities and mentions as the ACE value compares them, and what weights make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from operator import itemgetter
from typing import Any

from corefmeter.corpus.model import Document
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

Said = tuple[str | None, str | None, str | None]


@dataclass(slots=True)
class AceMention:
    """A mention with what is compared of it."""

    entity: int
    place: int
    level: str | None
    role: str | None
    style: str | None
    weight: Fraction
    span: Positions
    head: Positions | None
    span_text: str | None
    head_text: str | None
    known: bool = False  # corresponds to a mention of the other side

    @property
    def says(self) -> Said:
        """Return the attributes by which two mentions are compared."""
        return self.level, self.role, self.style


@dataclass(slots=True)
class AceEntity:
    """An entity with what is compared of it."""

    name: str
    type: str | None
    subtype: str | None
    kind: str | None  # its class
    factor: Fraction  # type weight * class weight
    mentions: list[AceMention]
    level: str | None
    level_weight: Fraction
    total: Fraction  # of the weights of its mentions

    @property
    def says(self) -> Said:
        """Return the attributes by which two entities are compared."""
        return self.type, self.subtype, self.kind

    def scale(self, weighting: str) -> Fraction:
        """Return the value of a unit of mention weight before any factor."""
        if weighting == "mention":
            return ONE
        return self.level_weight / self.total if self.total else ZERO


class Rates:
    """A table of weights as exact fractions, and what follows from it for entities."""

    def __init__(self, table: AceWeights) -> None:
        self.table = table
        self.types, self.classes, self.levels = (
            {name: _exact(value) for name, value in group.items()}
            for group in (table.types, table.classes, table.levels)
        )
        self.factors = {name: _exact(getattr(table, name)) for name in FACTORS}
        # There are few different mentions and entities.
        self._of_entities = cache(self._entity_value)
        self._of_mentions = cache(self._mention_value)
        self._surplus = cache(partial(self._left_over, "surplus", "surplus_known"))
        self._invented = cache(partial(self._left_over, "false_alarm_mention", "false_alarm_known"))

    def __getitem__(self, name: str) -> Fraction:
        return self.factors[name]

    def entities(self, document: Document) -> list[AceEntity]:
        """Return the entities of a document."""
        problems: dict[tuple[str, str], Problem] = {}

        def weight(group: str, table: Mapping[str, Fraction], name: str | None) -> Fraction:
            if name is None:
                return ONE
            found = table.get(name, table.get("*"))
            if found is not None:
                return found
            reason = (
                f"the {group} {name!r} has no weight in the table {self.table.name}, which knows "
                f"{', '.join(table)}"
            )
            hint = f"Give it one, such as {group}:{name}=1, or all others with {group}:*=1."
            problems[group, name] = Problem(
                "unknown-weight", reason, "error", document.path, document.line, hint=hint
            )
            return ZERO

        entities = []
        everything = zip(
            document.entity_names, document.entities, details_of(document), strict=True
        )
        for number, (name, spans, details) in enumerate(everything):
            type = entity_type(details)
            kind = entity_attribute(details, "class")
            mentions = []
            for place, (span, detail) in enumerate(zip(spans, details, strict=True)):
                level = level_of(detail)
                value = weight("level", self.levels, level)
                mentions.append(_mention(number, place, span, detail, level, value, document))
            ranks = [self.rank(mention) for mention in mentions]
            level_weight, level = max(ranks, key=itemgetter(0), default=(ZERO, None))
            entities.append(
                AceEntity(
                    name,
                    type,
                    entity_attribute(details, "subtype"),
                    kind,
                    weight("type", self.types, type) * weight("class", self.classes, kind),
                    mentions,
                    level,
                    level_weight,
                    total_of(mention.weight for mention in mentions),
                )
            )
        if problems:
            raise DataError(list(problems.values()))
        return entities

    def rank(self, mention: AceMention) -> tuple[Fraction, str | None]:
        """Return the weight of a mention's level in its entity, and the level."""
        if self.table.metonymic and (mention.level, mention.style) == ("NAM", "METONYMIC"):
            return self.least(self.levels, "NOM"), "NOM"
        return mention.weight, mention.level

    def differ(self, name: str, one: str | None, other: str | None) -> Fraction:
        """Return the factor of an attribute that may differ."""
        return self[name] if one is not None and other is not None and one != other else ONE

    def entity_value(self, k: AceEntity, r: AceEntity) -> Fraction:
        """Return the value of the attributes of a pair of entities, e(k, r)."""
        return self._of_entities(k.says, r.says)

    def _entity_value(self, k: Said, r: Said) -> Fraction:
        (k_type, k_subtype, k_class), (r_type, r_subtype, r_class) = k, r
        return (
            self.least(self.types, k_type, r_type)
            * self.least(self.classes, k_class, r_class)
            * self.differ("type_error", k_type, r_type)
            * self.differ("subtype_error", k_subtype, r_subtype)
            * self.differ("class_error", k_class, r_class)
        )

    def mention_value(self, a: AceMention, b: AceMention) -> Fraction:
        """Return the value of a pair of mentions, m(a, b)."""
        return self._of_mentions(a.says, b.says)

    def _mention_value(self, a: Said, b: Said) -> Fraction:
        (a_level, a_role, a_style), (b_level, b_role, b_style) = a, b
        return (
            self.least(self.levels, a_level, b_level)
            * self.differ("level_error", a_level, b_level)
            * self.differ("role_error", a_role, b_role)
            * self.differ("style_error", a_style, b_style)
        )

    @staticmethod
    def least(table: Mapping[str, Fraction], *names: str | None) -> Fraction:
        """Return the smallest weight of some names; what is not known does not count."""
        return min(
            (table.get(name, table.get("*", ONE)) for name in names if name is not None),
            default=ONE,
        )

    def surplus_cost(self, mention: AceMention) -> Fraction:
        """Return the cost of an unmatched mention in an entity that has a partner."""
        return self._surplus(mention.level, mention.known)

    def invented_cost(self, mention: AceMention) -> Fraction:
        """Return the cost of a mention in an entity without partner, before the entity's factor."""
        return self._invented(mention.level, mention.known)

    def _left_over(self, each: str, if_known: str, level: str | None, known: bool) -> Fraction:
        return self.least(self.levels, level) * self[each] * (self[if_known] if known else ONE)

    def false_alarm(self, r: AceEntity, weighting: str) -> Fraction:
        """Return the cost of an entity without partner."""
        cost = total_of(map(self.invented_cost, r.mentions))
        return self["false_alarm"] * r.factor * r.scale(weighting) * cost

    def correspond(self, a: AceMention, b: AceMention) -> bool:
        """Return whether two mentions' heads, or else their spans, overlap enough to be mapped.

        A pair that is worth nothing does not correspond, unless both are worth nothing.
        """
        if (a.weight or b.weight) and not self.mention_value(a, b):
            return False
        if a.head is None or b.head is None:
            one, other, texts = a.span, b.span, (a.span_text, b.span_text)
        else:
            one, other, texts = a.head, b.head, (a.head_text, b.head_text)
        common = len(one & other)
        if not common or common < self["head_overlap"] * max(len(one), len(other)):
            return False
        least = self["text_overlap"]
        if not least or texts[0] is None or texts[1] is None or texts[0] == texts[1]:
            return True
        return _common_run(texts[0], texts[1]) >= least


def _exact(value: float) -> Fraction:
    """Return the decimal number that is written, not the binary one next to it."""
    return Fraction(repr(float(value)))


def _common_run(one: str, other: str) -> Fraction:
    """Return the longest run of letters and digits in both texts, as a part of the longer.

    Upper and lower case are the same. Texts without letters and digits are equal.

    Examples
    --------
    >>> _common_run("Dr. Smith", "Mr Smithers"), _common_run("!", "?"), _common_run("A", "?")
    (Fraction(3, 5), Fraction(1, 1), Fraction(0, 1))
    """
    from difflib import SequenceMatcher

    a, b = ("".join(filter(str.isalnum, text.casefold())) for text in (one, other))
    if a == b or not a or not b:
        return Fraction(a == b)
    size = SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    return Fraction(size, max(len(a), len(b)))


def _mention(
    entity: int,
    place: int,
    span: Any,
    detail: Detail,
    level: str | None,
    weight: Fraction,
    document: Document,
) -> AceMention:
    positions = positions_of(span)
    head: Positions | None = None
    wide = detail.attributes.get("head")
    if isinstance(wide, tuple) and len(wide) == 2 and all(isinstance(at, int) for at in wide):
        head = frozenset(range(*wide))
    elif detail.head is not None:
        head = frozenset((detail.head,))
    return AceMention(
        entity,
        place,
        level,
        attribute(detail, "role"),
        attribute(detail, "style"),
        weight,
        positions,
        head,
        attribute(detail, "text") or _text(document, positions),
        attribute(detail, "head_text") or (None if head is None else _text(document, head)),
    )


def _text(document: Document, positions: Positions) -> str | None:
    """Return the words at some positions, or None if they are not known."""
    if document.text is None:
        return None
    words = document.text.words
    found = sorted(at for at in positions if isinstance(at, int) and 0 <= at < len(words))
    return "".join(words[at] for at in found) if found else None
