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
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.pairing import DOCUMENTS, check_units, pair_documents
from corefmeter.matching.solver import best_assignment
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.metrics.ace_costs import AceValue, Costs, Tally, total_of
from corefmeter.wings.traditions.metrics.ace_rates import AceEntity, AceMention, Rates
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights, weights_named
from corefmeter.wings.traditions.metrics.features import (
    overlapping,
    types_or_levels,
    with_kinds_and_types,
)

#: How a type, class or level is called that the data do not say.
UNKNOWN = "-"


def ace_value(key: Document, response: Document, weights: AceWeights | str = "ace2005") -> AceValue:
    """Return the ACE value of one document.

    Parameters
    ----------
    key, response
        The two documents, read with details: types, subtypes and classes of entities, levels and
        heads of mentions. Levels and types that no detail says come from tags, parses and named
        entities; see `with_kinds_and_types`. What is not known weighs 1 and differs from nothing; a
        mention without a head is compared by its whole span.
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

    >>> from corefmeter.corpus.text import Detail
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
    return _value(*with_kinds_and_types(key, response), table)


def _value(key: Document, response: Document, table: AceWeights) -> AceValue:
    """Compute the ACE value of two fully described documents."""
    rates = Rates(table)
    keys, responses = (rates.entities(document.by_content()) for document in (key, response))
    pairs = _pairs(keys, responses, rates)
    mapped = _mapped(pairs, responses, rates)
    return _result(key, keys, responses, mapped, rates)


def ace_corpora(
    key: Corpus,
    response: Corpus,
    weights: AceWeights | str = "ace2005",
    documents: str = DOCUMENTS[0],
) -> tuple[AceValue, list[tuple[str, AceValue]], list[Problem]]:
    """Return the ACE value of a corpus, that of each document, and what was noticed.

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
    told = [with_kinds_and_types(*pair) for pair in pairs]
    found = []
    errors: dict[tuple[str, str | None], Problem] = {}
    for pair, both in zip(pairs, told, strict=True):
        try:
            value = replace(_value(*both, table), policy=documents)
            found.append((pair.label, value))
        except DataError as error:
            for problem in error.problems:  # the same label of many documents is reported once
                same = problem.message, problem.path
                count = errors[same].count + 1 if same in errors else 1
                errors[same] = errors.get(same, problem)._replace(count=count)
    if errors:
        raise DataError(list(errors.values()))
    for side, corpus, number in (("key", key, 0), ("response", response, 1)):
        of_side = [both[number] for both in told]
        if any(d.entities for d in of_side) and not types_or_levels(of_side):
            reason = f"the {side} knows no entity types and no mention levels, so all weigh 1"
            problems.append(Problem("no-details", reason, path=corpus.path))
    total = AceValue.nothing(table, documents)
    for _, value in found:
        total += value
    return total, found, problems


class _Map(NamedTuple):
    """The best map of the mentions of a pair of entities."""

    gain: Fraction  # what a unit of mention value is worth in the pair
    cost: Fraction  # what a unit of a mention left over costs
    mentions: list[tuple[AceMention, AceMention, Fraction]]  # with mention values
    left: list[AceMention]  # mentions of the response without partner
    score: Fraction


class _Pair:
    """A key entity and a response entity with mentions that correspond."""

    def __init__(
        self, k: AceEntity, r: AceEntity, couples: list[tuple[AceMention, AceMention]], rates: Rates
    ) -> None:
        self.k = k
        self.r = r
        self.couples = couples
        self.rates = rates
        self.maps: dict[str, _Map] = {}

    def map(self, weighting: str) -> _Map:
        """Return the map of mentions with which the pair is worth most."""
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
        score = gain * total_of(value for _, _, value in mentions)
        return _Map(
            gain, cost, mentions, left, score - cost * total_of(map(rates.surplus_cost, left))
        )


def _pairs(
    keys: Sequence[AceEntity], responses: Sequence[AceEntity], rates: Rates
) -> dict[tuple[int, int], _Pair]:
    ours = [mention for entity in keys for mention in entity.mentions]
    theirs = [mention for entity in responses for mention in entity.mentions]
    links: dict[tuple[int, int], list[tuple[AceMention, AceMention]]] = defaultdict(list)
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
    pairs: Mapping[tuple[int, int], _Pair], responses: Sequence[AceEntity], rates: Rates
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
    keys: Sequence[AceEntity],
    responses: Sequence[AceEntity],
    mapped: Mapping[tuple[int, int], _Pair],
    rates: Rates,
) -> AceValue:
    weighting = rates.table.weighting
    entities: list[tuple[AceEntity, Costs]] = []
    mentions: list[tuple[AceMention, Costs]] = []
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
    groups: dict[str, list[Costs]] = defaultdict(list)
    for name, costs in items:
        groups[UNKNOWN if name is None else name].append(costs)
    return {label: Costs.total(groups[label]) for label in sorted(groups)}
