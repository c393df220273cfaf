"""The ACE value: what a system's entities are worth, in percent of what the key's are worth.

Entities of both sides are mapped one to one so that the total value is greatest. An entity found
is worth what it would be worth without error, lowered for each attribute that differs and for its
mentions; an entity missed is worth 0; an entity invented costs. With the worth of the key's
entities compared with themselves as 100::

    value = 100 * sum of system scores / sum of values of the key's entities to themselves
          = 100 - 100 * (cost of misses + of false alarms + of errors) / that sum

    mention value m(a, b)  = min(level weight of a, of b)
                             * level_error, role_error, style_error where those differ
    entity value e(k, r)   = min(type weight of k, of r) * min(class weight of k, of r)
                             * type_error, subtype_error, class_error where those differ
    score of a pair (k, r) = e(k, r) * sum of m over the best map of mentions
                             - e(r, r) * cost of the response's mentions left over
    score of an r left over = - false_alarm * e(r, r) * sum of the weights of its mentions

The value is asymmetric (misses and false alarms cost differently, and the key sets the scale), and
may be negative. Two mentions can only be mapped if their heads overlap enough; entities only if
they have such mentions. Weighted by level, e(k, r) and e(r, r) are also multiplied by the weight of
the highest level of k, and of r, over the sum of the weights of its mentions.

Sources: Luo (2005), sections 1 and 3.2.2; the formulas and parameters of NIST's scoring programs of
2005, 2007 and 2008 as described in `TABLES`. Everything is computed with exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import lcm, nan
from operator import itemgetter
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.pairing import DOCUMENTS, check_units, pair_documents
from corefmeter.corpus.text import Detail
from corefmeter.matching.solver import best_assignment
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.traditions.metrics.ace_weights import (
    FACTORS,
    TABLES,
    AceWeights,
    ace_options,
    weights_named,
)
from corefmeter.traditions.metrics.features import (
    Positions,
    attribute,
    details_of,
    entity_attribute,
    entity_type,
    level_of,
    overlapping,
    positions_of,
    types_or_levels,
)

__all__ = [
    "TABLES",
    "UNKNOWN",
    "AceValue",
    "AceWeights",
    "Costs",
    "ace_corpora",
    "ace_options",
    "ace_value",
    "weights_named",
]

#: How a type, class or level is called that the data do not say.
UNKNOWN = "-"

_ZERO, _ONE = Fraction(0), Fraction(1)


class Costs(NamedTuple):
    """Counts and costs of a set of entities, or of mentions; they add up.

    Attributes
    ----------
    key, response
        How many there are on each side.
    missed, false_alarms, errors
        How many of the key have no partner; of the response; how many pairs are worth less than
        the key's part is worth to itself.
    worth
        What those of the key are worth to themselves.
    miss, false_alarm, error
        What was lost, in the same unit.
    """

    key: int = 0
    response: int = 0
    missed: int = 0
    false_alarms: int = 0
    errors: int = 0
    worth: Fraction = _ZERO
    miss: Fraction = _ZERO
    false_alarm: Fraction = _ZERO
    error: Fraction = _ZERO

    # Types: a row of numbers, not a sequence to be joined to another.
    def __add__(self, other: Costs) -> Costs:  # type: ignore[override]
        """Both together."""
        return Costs.total((self, other))

    @classmethod
    def total(cls, parts: Iterable[Costs]) -> Costs:
        """All together."""
        columns = zip(*parts, strict=True)
        # Types: the first five numbers are counts, the others fractions.
        return cls(*(sum(c) if n < 5 else _total(c) for n, c in enumerate(columns)))  # type: ignore[arg-type]

    @property
    def value(self) -> float:
        """What is left, in percent of the worth; nan where the key's are worth nothing."""
        return self.percent(self.worth - self.miss - self.false_alarm - self.error)

    def percent(self, cost: Fraction) -> float:
        """A cost in percent of the worth; nan where that is 0."""
        return float(100 * cost / self.worth) if self.worth else nan

    def to_dict(self) -> dict[str, Any]:
        """The numbers as JSON values; the value is null where the worth is 0."""
        values: dict[str, Any] = {
            name: float(number) if isinstance(number, Fraction) else number
            for name, number in self._asdict().items()
        }
        values["value"] = self.value if self.worth else None
        return values


def _total(values: Iterable[Fraction]) -> Fraction:
    """The sum of fractions, by denominator first, of which there are few.

    Examples
    --------
    >>> _total([Fraction(1, 2), Fraction(1, 3), Fraction(3, 2)]), _total([])
    (Fraction(7, 3), Fraction(0, 1))
    """
    numerators: dict[int, int] = {}
    for value in values:
        if value is not _ZERO:
            numerator, denominator = value.as_integer_ratio()
            numerators[denominator] = numerators.get(denominator, 0) + numerator
    if not numerators:
        return _ZERO
    unit = lcm(*numerators)
    return Fraction(sum(n * (unit // d) for d, n in numerators.items()), unit)


Tally = dict[str, Costs]


@dataclass(frozen=True, slots=True)
class AceValue:
    """The ACE value with its decomposition; values of documents add up.

    Attributes
    ----------
    weights
        The table it was made with.
    entities
        Counts and costs of all entities.
    by_type, by_class, by_level
        The same by entity type, class and the highest level of the entity's mentions: of the key's
        entity, or of the response's for false alarms.
    mentions, mentions_by_level
        The same for mentions. Each mention carries its part of its entity, so costs of mentions sum
        up to those of entities, but a mention left over in an entity found is a false alarm here
        and part of an error there.
    pairs
        ``(document, key entity, response entity, score)`` of each mapped pair, names and a number.
    documents
        How many documents there are.
    policy
        What became of documents on one side only; see `ace_corpora`.
    """

    weights: AceWeights
    entities: Costs
    by_type: Tally
    by_class: Tally
    by_level: Tally
    mentions: Costs
    mentions_by_level: Tally
    pairs: tuple[tuple[str, str, str, float], ...] = ()
    documents: int = 1
    policy: str = DOCUMENTS[0]

    @classmethod
    def nothing(cls, weights: AceWeights, policy: str = DOCUMENTS[0]) -> AceValue:
        """The value of no document, to add to."""
        return cls(weights, Costs(), {}, {}, {}, Costs(), {}, (), 0, policy)

    @property
    def signature(self) -> str:
        """How it was made, in one line; `ace_options` reads it."""
        return self.weights.signature(self.policy)

    @property
    def value(self) -> float:
        """The ACE value in percent: 100 at best; nan where the key is worth nothing."""
        return self.entities.value

    def __add__(self, other: AceValue) -> AceValue:
        """The value of both together.

        Raises
        ------
        OptionError
            When they were made with different weights or policies.
        """
        if (self.weights, self.policy) != (other.weights, other.policy):
            raise OptionError("ACE values made with different weights or policies do not add up")
        return AceValue(
            self.weights,
            self.entities + other.entities,
            _sum(self.by_type, other.by_type),
            _sum(self.by_class, other.by_class),
            _sum(self.by_level, other.by_level),
            self.mentions + other.mentions,
            _sum(self.mentions_by_level, other.mentions_by_level),
            self.pairs + other.pairs,
            self.documents + other.documents,
            self.policy,
        )

    def to_dict(self) -> dict[str, Any]:
        """The value and its decomposition as JSON values."""
        return {
            "value": self.value if self.entities.worth else None,
            "documents": self.documents,
            "entities": self.entities.to_dict(),
            "by_type": _values(self.by_type),
            "by_class": _values(self.by_class),
            "by_level": _values(self.by_level),
            "mentions": self.mentions.to_dict(),
            "mentions_by_level": _values(self.mentions_by_level),
        }


def _values(tally: Tally) -> dict[str, Any]:
    return {name: costs.to_dict() for name, costs in tally.items()}


def _sum(one: Tally, other: Tally) -> Tally:
    return {
        name: one.get(name, Costs()) + other.get(name, Costs()) for name in sorted({*one, *other})
    }


Said = tuple[str | None, str | None, str | None]


@dataclass(slots=True)
class _Mention:
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
        """What two mentions are compared by."""
        return self.level, self.role, self.style


@dataclass(slots=True)
class _Entity:
    """An entity with what is compared of it."""

    name: str
    type: str | None
    subtype: str | None
    kind: str | None  # its class
    factor: Fraction  # type weight * class weight
    mentions: list[_Mention]
    level: str | None
    level_weight: Fraction
    total: Fraction  # of the weights of its mentions

    @property
    def says(self) -> Said:
        """What two entities are compared by."""
        return self.type, self.subtype, self.kind

    def scale(self, weighting: str) -> Fraction:
        """What a unit of mention weight is worth in it, before any factor."""
        if weighting == "mention":
            return _ONE
        return self.level_weight / self.total if self.total else _ZERO


def ace_value(key: Document, response: Document, weights: AceWeights | str = "ace2005") -> AceValue:
    """The ACE value of one document.

    Parameters
    ----------
    key, response
        The two documents, read with details: types, subtypes and classes of entities, levels and
        heads of mentions. What is not known weighs 1 and differs from nothing; a mention without
        a head is compared by its whole span.
    weights
        A table, or the name of one.

    Returns
    -------
    AceValue
        Pairs that are worth less than their false alarm alone are not mapped. Among maps of equal
        value one of the most pairs is taken; the choice depends on nothing but the values.

    Raises
    ------
    OptionError
        For an unknown table.
    DataError
        ``unknown-weight`` for a type, class or level that has no weight in the table.

    Examples
    --------
    The key has a person of a name and a pronoun (1 + 0.1), and an organisation of a name (1). The
    name and the pronoun are found, the organisation is taken for a place: a factor of 0.5.

    >>> def document(*entities):
    ...     return Document(
    ...         "x",
    ...         [[span for span, _ in mentions] for _, mentions in entities],
    ...         details=[[Detail(entity_type=type, kind=kind) for _, kind in mentions]
    ...                  for type, mentions in entities])
    >>> ann = ("PER", [((0, 1), "name"), ((4, 5), "pronoun")])
    >>> key = document(ann, ("ORG", [((2, 3), "name")]))
    >>> response = document(ann, ("LOC", [((2, 3), "name")]))
    >>> round(ace_value(key, response).value, 4)  # 100 * (1.1 + 0.5) / 2.1
    76.1905
    """
    table = weights_named(weights) if isinstance(weights, str) else weights
    rates = _Rates(table)
    keys, responses = (rates.entities(document) for document in (key, response))
    pairs = _pairs(keys, responses, rates)
    mapped = _mapped(pairs, responses, rates)
    return _result(key, keys, responses, mapped, rates)


def ace_corpora(
    key: Corpus,
    response: Corpus,
    weights: AceWeights | str = "ace2005",
    documents: str = DOCUMENTS[0],
) -> tuple[AceValue, list[tuple[str, AceValue]], list[Problem]]:
    """The ACE value of a corpus, that of each document, and what was noticed.

    Parameters
    ----------
    key, response
        Both sides, read with details.
    weights
        A table, or the name of one.
    documents
        As in `corefmeter.Recipe`: documents only in the response are ignored (``official``), or all
        their entities are false alarms (``strict``).

    Raises
    ------
    OptionError, DataError
        As `ace_value`, and when documents cannot be paired.
    """
    table = weights_named(weights) if isinstance(weights, str) else weights
    pairs, problems = pair_documents(key, response, documents)
    check_units(pairs)
    found = []
    errors: dict[tuple[str, str | None], Problem] = {}
    for pair in pairs:
        try:
            value = replace(ace_value(pair.key, pair.response, table), policy=documents)
            found.append((pair.label, value))
        except DataError as error:
            for problem in error.problems:  # the same label of many documents is told once
                same = problem.message, problem.path
                count = errors[same].count + 1 if same in errors else 1
                errors[same] = errors.get(same, problem)._replace(count=count)
    if errors:
        raise DataError(list(errors.values()))
    for side, corpus in (("key", key), ("response", response)):
        if any(d.entities for d in corpus) and not types_or_levels(corpus):
            reason = f"the {side} knows no entity types and no mention levels, so all weigh 1"
            problems.append(Problem("no-details", reason, path=corpus.path))
    total = AceValue.nothing(table, documents)
    for _, value in found:
        total += value
    return total, found, problems


class _Rates:
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

    def entities(self, document: Document) -> list[_Entity]:
        """The entities of a document."""
        problems: dict[tuple[str, str], Problem] = {}

        def weight(group: str, table: Mapping[str, Fraction], name: str | None) -> Fraction:
            if name is None:
                return _ONE
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
            return _ZERO

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
            level_weight, level = max(ranks, key=itemgetter(0), default=(_ZERO, None))
            entities.append(
                _Entity(
                    name, type, entity_attribute(details, "subtype"), kind,
                    weight("type", self.types, type) * weight("class", self.classes, kind),
                    mentions,
                    level,
                    level_weight,
                    _total(mention.weight for mention in mentions),
                )
            )  # fmt: skip
        if problems:
            raise DataError(list(problems.values()))
        return entities

    def rank(self, mention: _Mention) -> tuple[Fraction, str | None]:
        """What a mention makes of its entity: the weight of its level there, and the level."""
        if self.table.metonymic and (mention.level, mention.style) == ("NAM", "METONYMIC"):
            return self.least(self.levels, "NOM"), "NOM"
        return mention.weight, mention.level

    def differ(self, name: str, one: str | None, other: str | None) -> Fraction:
        """The factor of an attribute that may differ."""
        return self[name] if one is not None and other is not None and one != other else _ONE

    def entity_value(self, k: _Entity, r: _Entity) -> Fraction:
        """What the attributes of a pair of entities are worth, e(k, r)."""
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

    def mention_value(self, a: _Mention, b: _Mention) -> Fraction:
        """What a pair of mentions is worth, m(a, b)."""
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
        """The smallest weight of some names; what is not known does not count."""
        return min(
            (table.get(name, table.get("*", _ONE)) for name in names if name is not None),
            default=_ONE,
        )

    def surplus_cost(self, mention: _Mention) -> Fraction:
        """What a mention costs that is left over in an entity that has a partner."""
        return self._surplus(mention.level, mention.known)

    def invented_cost(self, mention: _Mention) -> Fraction:
        """What a mention costs in an entity without partner, before the factor of the entity."""
        return self._invented(mention.level, mention.known)

    def _left_over(self, each: str, if_known: str, level: str | None, known: bool) -> Fraction:
        return self.least(self.levels, level) * self[each] * (self[if_known] if known else _ONE)

    def false_alarm(self, r: _Entity, weighting: str) -> Fraction:
        """What an entity without partner costs."""
        cost = _total(map(self.invented_cost, r.mentions))
        return self["false_alarm"] * r.factor * r.scale(weighting) * cost

    def correspond(self, a: _Mention, b: _Mention) -> bool:
        """Whether two mentions may be mapped: their heads, or else their spans, overlap enough.

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
    """The decimal number that is written, not the binary one next to it."""
    return Fraction(repr(float(value)))


def _common_run(one: str, other: str) -> Fraction:
    """The longest run of letters and digits in both texts, as a part of the longer.

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
) -> _Mention:
    """A mention as it is compared."""
    positions = positions_of(span)
    head: Positions | None = None
    wide = detail.attributes.get("head")
    if isinstance(wide, tuple) and len(wide) == 2 and all(isinstance(at, int) for at in wide):
        head = frozenset(range(*wide))
    elif detail.head is not None:
        head = frozenset((detail.head,))
    return _Mention(
        entity, place, level, attribute(detail, "role"), attribute(detail, "style"), weight,
        positions, head,
        attribute(detail, "text") or _text(document, positions),
        attribute(detail, "head_text") or (None if head is None else _text(document, head)),
    )  # fmt: skip


def _text(document: Document, positions: Positions) -> str | None:
    """The words at some positions, or None if they are not known."""
    if document.text is None:
        return None
    words = document.text.words
    found = sorted(at for at in positions if isinstance(at, int) and 0 <= at < len(words))
    return "".join(words[at] for at in found) if found else None


class _Map(NamedTuple):
    """The best map of the mentions of a pair of entities."""

    gain: Fraction  # what a unit of mention value is worth in the pair
    cost: Fraction  # what a unit of a mention left over costs
    mentions: list[tuple[_Mention, _Mention, Fraction]]  # with mention values
    left: list[_Mention]  # mentions of the response without partner
    score: Fraction


class _Pair:
    """A key entity and a response entity with mentions that correspond."""

    def __init__(
        self,
        k: _Entity,
        r: _Entity,
        couples: list[tuple[_Mention, _Mention]],
        rates: _Rates,
    ) -> None:
        self.k = k
        self.r = r
        self.couples = couples
        self.rates = rates
        self.maps: dict[str, _Map] = {}

    def map(self, weighting: str) -> _Map:
        """The map of mentions with which the pair is worth most."""
        if weighting not in self.maps:
            self.maps[weighting] = self._map(weighting)
        return self.maps[weighting]

    def _map(self, weighting: str) -> _Map:
        rates, k, r = self.rates, self.k, self.r
        gain = rates.entity_value(k, r) * k.scale(weighting)
        cost = r.factor * r.scale(weighting)
        worth = {(a.place, b.place): rates.mention_value(a, b) for a, b in self.couples}
        # A mention that is mapped saves what it costs when it is left over.
        edges = [
            (a.place, b.place, gain * worth[a.place, b.place] + cost * rates.surplus_cost(b))
            for a, b in self.couples
        ]
        chosen = {edge[:2] for edge in _best(edges)}
        mentions = [
            (a, b, worth[a.place, b.place]) for a, b in self.couples if (a.place, b.place) in chosen
        ]
        taken = {b.place for _, b, _ in mentions}
        left = [b for b in r.mentions if b.place not in taken]
        score = gain * _total(value for _, _, value in mentions)
        return _Map(
            gain, cost, mentions, left, score - cost * _total(map(rates.surplus_cost, left))
        )


def _pairs(
    keys: Sequence[_Entity], responses: Sequence[_Entity], rates: _Rates
) -> dict[tuple[int, int], _Pair]:
    """All pairs of entities that may be mapped."""
    ours = [mention for entity in keys for mention in entity.mentions]
    theirs = [mention for entity in responses for mention in entity.mentions]
    links: dict[tuple[int, int], list[tuple[_Mention, _Mention]]] = defaultdict(list)
    for i, j, _ in overlapping([m.span for m in ours], [m.span for m in theirs]):
        a, b = ours[i], theirs[j]
        if rates.correspond(a, b):
            a.known = b.known = True
            links[a.entity, b.entity].append((a, b))
    return {
        (k, r): _Pair(keys[k], responses[r], couples, rates)
        for (k, r), couples in sorted(links.items(), key=lambda item: item[0])
    }


def _mapped(
    pairs: Mapping[tuple[int, int], _Pair], responses: Sequence[_Entity], rates: _Rates
) -> dict[tuple[int, int], _Pair]:
    """The pairs of the map of greatest value; a pair gains its score and saves a false alarm."""
    weighting = rates.table.mapping or rates.table.weighting
    alarms = [rates.false_alarm(r, weighting) for r in responses]
    edges = [(k, r, pair.map(weighting).score + alarms[r]) for (k, r), pair in pairs.items()]
    return {edge[:2]: pairs[edge[:2]] for edge in _best(edges)}


def _best(edges: Sequence[tuple[int, int, Fraction]]) -> list[tuple[int, int, int]]:
    """The best assignment, on whole numbers so that it is exact; of equal ones one of most pairs.

    So what is worth nothing is not missed where it is found.
    """
    unit = lcm(*(weight.denominator for _, _, weight in edges)) * (len(edges) + 1)
    whole = [(i, j, w.numerator * (unit // w.denominator) + (w >= 0)) for i, j, w in edges]
    return [(i, j, int(weight)) for i, j, weight in best_assignment(whole)]


def _result(
    document: Document,
    keys: Sequence[_Entity],
    responses: Sequence[_Entity],
    mapped: Mapping[tuple[int, int], _Pair],
    rates: _Rates,
) -> AceValue:
    """The decomposition of a map."""
    weighting = rates.table.weighting
    entities: list[tuple[_Entity, Costs]] = []
    mentions: list[tuple[_Mention, Costs]] = []
    pairs = []
    for pair in mapped.values():
        k, r = pair.k, pair.r
        unit = k.factor * k.scale(weighting)
        worth = unit * k.total
        found = pair.map(weighting)
        error = worth - found.score
        entities.append((k, Costs(1, 1, errors=int(error != 0), worth=worth, error=error)))
        pairs.append((document.label, k.name, r.name, float(found.score)))
        places = set()
        for a, _, value in found.mentions:
            places.add(a.place)
            whole = unit * a.weight
            lost = whole - found.gain * value
            mentions.append((a, Costs(1, 1, errors=int(lost != 0), worth=whole, error=lost)))
        mentions += [(a, _missed(unit * a.weight)) for a in k.mentions if a.place not in places]
        mentions += [(b, _invented(found.cost * rates.surplus_cost(b))) for b in found.left]
    partners = {k for k, _ in mapped}
    for number, k in enumerate(keys):
        if number not in partners:
            unit = k.factor * k.scale(weighting)
            entities.append((k, _missed(unit * k.total)))
            mentions += [(a, _missed(unit * a.weight)) for a in k.mentions]
    partners = {r for _, r in mapped}
    for number, r in enumerate(responses):
        if number not in partners:
            unit = rates["false_alarm"] * r.factor * r.scale(weighting)
            entities.append((r, _invented(rates.false_alarm(r, weighting))))
            mentions += [(b, _invented(unit * rates.invented_cost(b))) for b in r.mentions]
    return AceValue(
        rates.table,
        Costs.total(costs for _, costs in entities),
        _tally((entity.type, costs) for entity, costs in entities),
        _tally((entity.kind, costs) for entity, costs in entities),
        _tally((entity.level, costs) for entity, costs in entities),
        Costs.total(costs for _, costs in mentions),
        _tally((mention.level, costs) for mention, costs in mentions),
        tuple(pairs),
    )


def _missed(worth: Fraction) -> Costs:
    return Costs(key=1, missed=1, worth=worth, miss=worth)


def _invented(cost: Fraction) -> Costs:
    return Costs(response=1, false_alarms=1, false_alarm=cost)


def _tally(items: Iterable[tuple[str | None, Costs]]) -> Tally:
    """Sums by name, the names in order."""
    groups: dict[str, list[Costs]] = defaultdict(list)
    for name, costs in items:
        groups[UNKNOWN if name is None else name].append(costs)
    return {label: Costs.total(groups[label]) for label in sorted(groups)}
