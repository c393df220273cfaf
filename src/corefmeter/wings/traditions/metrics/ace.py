"""The ACE value: what a system's entities are worth, in percent of what the key's are worth.

Entities of both sides are mapped one to one so that the total value is greatest. An entity found is
worth what it would be worth without error, lowered for each attribute that differs and for its
mentions; an entity missed is worth 0; an entity invented costs. docs/ace.md has the formulas, which
are those of NIST's scoring programs (see `TABLES`) and of Luo (2005), sections 1 and 3.2.2.
Everything is computed with exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.pairing import DOCUMENTS, check_units, pair_documents
from corefmeter.corpus.structures import grouped
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

#: The name of a type, class or level that is not known.
UNKNOWN = "-"


def ace_value(key: Document, response: Document, weights: AceWeights | str = "ace2005") -> AceValue:
    """Return the ACE value of one document.

    Both are read with details. Levels and types that no detail gives come from tags, parses and
    named entities. What is not known weighs 1 and differs from nothing; a mention without a head is
    compared by its whole span. `weights` is a table, or the name of one.

    Pairs that are worth less than their false alarm alone are not mapped. Among maps of equal value
    one of the most pairs is taken; the choice depends on nothing but the values.

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
    return _document_value(*with_kinds_and_types(key, response), table)


def ace_corpora(
    key: Corpus,
    response: Corpus,
    weights: AceWeights | str = "ace2005",
    documents: str = DOCUMENTS[0],
) -> tuple[AceValue, list[tuple[str, AceValue]], list[Problem]]:
    """Return the ACE value of a corpus, that of each document, and the warnings.

    `documents` is as in `corefmeter.Recipe`: documents only in the response are ignored
    (``official``), or all their entities are false alarms (``strict``).

    Raises
    ------
    OptionError, DataError
        As `ace_value`, and when documents cannot be paired.
    """
    table = weights_named(weights) if isinstance(weights, str) else weights
    pairs, problems = pair_documents(key, response, documents)
    check_units(pairs)
    described = [with_kinds_and_types(*pair) for pair in pairs]
    values = []
    errors: list[Problem] = []
    for pair, (key_document, response_document) in zip(pairs, described, strict=True):
        try:
            value = _document_value(key_document, response_document, table)
        except DataError as error:
            errors += error.problems
        else:
            values.append((pair.label, replace(value, policy=documents)))
    if errors:  # the same label of many documents is reported once
        alike = grouped(((error.message, error.path), error) for error in errors).values()
        raise DataError([first._replace(count=1 + len(others)) for first, *others in alike])
    for side, corpus, index in (("key", key, 0), ("response", response, 1)):
        side_documents = [pair[index] for pair in described]
        if any(d.entities for d in side_documents) and not types_or_levels(side_documents):
            reason = f"the {side} has no entity types and no mention levels, so all weigh 1"
            problems.append(Problem("no-details", reason, path=corpus.path))
    nothing = AceValue(table, {}, {}, {}, {}, (), 0, documents)
    return sum((value for _, value in values), nothing), values, problems


#: Mentions that correspond.
_Couple = tuple[AceMention, AceMention]


class _Map(NamedTuple):
    """The best map of the mentions of a pair of entities, `k` of the key and `r` of the response.

    `gain` is the worth of a unit of mention value in the pair, and `cost` that of a unit of a
    mention left over. `mentions` are pairs with their mention values, and `surplus` the mentions of
    the response without a partner.
    """

    k: AceEntity
    r: AceEntity
    gain: Fraction
    cost: Fraction
    mentions: list[tuple[AceMention, AceMention, Fraction]]
    surplus: list[AceMention]
    score: Fraction


def _document_value(key: Document, response: Document, table: AceWeights) -> AceValue:
    rates = Rates(table)
    keys, responses = (rates.entities(document.by_content()) for document in (key, response))
    couples = _find_couples(keys, responses, rates)

    @cache
    def best(k: int, r: int, weighting: str) -> _Map:
        return _best_map(keys[k], responses[r], couples[k, r], weighting, rates)

    mapping = table.mapping or table.weighting
    alarms = [rates.false_alarm(r, mapping) for r in responses]
    # A pair gains its score and saves a false alarm.
    mapped = _best_assignment((k, r, best(k, r, mapping).score + alarms[r]) for k, r in couples)
    maps = [best(k, r, table.weighting) for k, r in mapped]
    mapped_keys, mapped_responses = {k for k, _ in mapped}, {r for _, r in mapped}
    missed = [k for number, k in enumerate(keys) if number not in mapped_keys]
    invented = [r for number, r in enumerate(responses) if number not in mapped_responses]
    entities, mentions = _costs(maps, missed, invented, rates)
    return AceValue(
        table,
        _tally_by_label((entity.attributes.type, costs) for entity, costs in entities),
        _tally_by_label((entity.attributes.entity_class, costs) for entity, costs in entities),
        _tally_by_label((entity.level, costs) for entity, costs in entities),
        _tally_by_label((mention.attributes.level, costs) for mention, costs in mentions),
        tuple((key.label, pair.k.name, pair.r.name, float(pair.score)) for pair in maps),
    )


def _find_couples(
    keys: Sequence[AceEntity], responses: Sequence[AceEntity], rates: Rates
) -> dict[tuple[int, int], list[_Couple]]:
    """Return corresponding mentions by the numbers of their entities; mark them as known."""
    key_mentions = [mention for entity in keys for mention in entity.mentions]
    response_mentions = [mention for entity in responses for mention in entity.mentions]
    key_spans = [mention.span for mention in key_mentions]
    couples: dict[tuple[int, int], list[_Couple]] = defaultdict(list)
    for i, j, _ in overlapping(key_spans, [mention.span for mention in response_mentions]):
        a, b = key_mentions[i], response_mentions[j]
        if rates.correspond(a, b):
            a.known = b.known = True
            couples[a.entity, b.entity].append((a, b))
    return dict(sorted(couples.items(), key=itemgetter(0)))


def _best_map(
    k: AceEntity, r: AceEntity, couples: list[_Couple], weighting: str, rates: Rates
) -> _Map:
    gain = rates.entity_value(k.attributes, r.attributes) * k.scale(weighting)
    cost = r.unit(weighting)
    valued = [(a, b, rates.mention_value(a.attributes, b.attributes)) for a, b in couples]
    # A mention that is mapped saves what it costs when it is left over.
    chosen = _best_assignment(
        (a.place, b.place, gain * value + cost * rates.surplus_cost(b)) for a, b, value in valued
    )
    mentions = [(a, b, value) for a, b, value in valued if (a.place, b.place) in chosen]
    mapped = {b.place for _, b, _ in mentions}
    surplus = [b for b in r.mentions if b.place not in mapped]
    worth = total_of(value for _, _, value in mentions)
    score = gain * worth - cost * total_of(map(rates.surplus_cost, surplus))
    return _Map(k, r, gain, cost, mentions, surplus, score)


def _best_assignment(edges: Iterable[tuple[int, int, Fraction]]) -> dict[tuple[int, int], None]:
    """Return the assignment of greatest weight, and of equal ones that with most pairs.

    So an entity that is worth nothing is not missed if it is found. Weights become integers, so
    that the result is exact; 1 is added to each weight of 0 or more, which are then all multiples
    of more than the number of edges.
    """
    edges = list(edges)
    unit = lcm(*(weight.denominator for _, _, weight in edges)) * (len(edges) + 1)
    whole = [(i, j, w.numerator * (unit // w.denominator) + (w >= 0)) for i, j, w in edges]
    return {(i, j): None for i, j, _ in best_assignment(whole)}


def _costs(
    maps: list[_Map], missed: list[AceEntity], invented: list[AceEntity], rates: Rates
) -> tuple[list[tuple[AceEntity, Costs]], list[tuple[AceMention, Costs]]]:
    """Return the costs of each entity and of each mention.

    They are those of the key, and those of the response that are invented or left over.
    """
    weighting = rates.table.weighting
    entities, mentions = [], []
    for pair in maps:
        unit = pair.k.unit(weighting)
        entities.append((pair.k, _costs_if_found(unit * pair.k.total, pair.score)))
        found = [(a, _costs_if_found(unit * a.weight, pair.gain * v)) for a, _, v in pair.mentions]
        places = {a.place for a, _ in found}
        lost = [a for a in pair.k.mentions if a.place not in places]
        mentions += found + [(a, _costs_if_missed(unit * a.weight)) for a in lost]
        surplus = [(b, pair.cost * rates.surplus_cost(b)) for b in pair.surplus]
        mentions += [(b, _costs_if_invented(cost)) for b, cost in surplus]
    for k in missed:
        unit = k.unit(weighting)
        entities.append((k, _costs_if_missed(unit * k.total)))
        mentions += [(a, _costs_if_missed(unit * a.weight)) for a in k.mentions]
    for r in invented:
        entities.append((r, _costs_if_invented(rates.false_alarm(r, weighting))))
        unit = rates.factors["false_alarm"] * r.unit(weighting)
        mentions += [(b, _costs_if_invented(unit * rates.invented_cost(b))) for b in r.mentions]
    return entities, mentions


def _costs_if_found(worth: Fraction, value: Fraction) -> Costs:
    error = worth - value
    return Costs(key=1, response=1, errors=int(error != 0), worth=worth, error=error)


def _costs_if_missed(worth: Fraction) -> Costs:
    return Costs(key=1, missed=1, worth=worth, miss=worth)


def _costs_if_invented(cost: Fraction) -> Costs:
    return Costs(response=1, false_alarms=1, false_alarm=cost)


def _tally_by_label(items: Iterable[tuple[str | None, Costs]]) -> Tally:
    groups = grouped((UNKNOWN if name is None else name, costs) for name, costs in items)
    return {label: Costs.total(groups[label]) for label in sorted(groups)}
