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
    errors: dict[tuple[str, str | None], Problem] = {}
    for pair, (our_document, their_document) in zip(pairs, described, strict=True):
        try:
            value = _document_value(our_document, their_document, table)
        except DataError as error:
            for problem in error.problems:  # the same label of many documents is reported once
                same = problem.message, problem.path
                count = errors[same].count + 1 if same in errors else 1
                errors[same] = errors.get(same, problem)._replace(count=count)
        else:
            values.append((pair.label, replace(value, policy=documents)))
    if errors:
        raise DataError(list(errors.values()))
    for side, corpus, index in (("key", key, 0), ("response", response, 1)):
        side_documents = [both[index] for both in described]
        if any(d.entities for d in side_documents) and not types_or_levels(side_documents):
            reason = f"the {side} knows no entity types and no mention levels, so all weigh 1"
            problems.append(Problem("no-details", reason, path=corpus.path))
    nothing = AceValue(table, Costs(), {}, {}, {}, Costs(), {}, (), 0, documents)
    return sum((value for _, value in values), nothing), values, problems


#: Pairs of mentions that correspond, by the numbers of their entities.
_Couples = dict[tuple[int, int], list[tuple[AceMention, AceMention]]]


class _Map(NamedTuple):
    """The best map of the mentions of a pair of entities, `k` of the key and `r` of the response.

    `gain` is the worth of a unit of mention value in the pair, and `cost` that of a unit of a
    mention left over. `mentions` are pairs with their mention values, and `left` the mentions of
    the response without a partner.
    """

    k: AceEntity
    r: AceEntity
    gain: Fraction
    cost: Fraction
    mentions: list[tuple[AceMention, AceMention, Fraction]]
    left: list[AceMention]
    score: Fraction


def _document_value(key: Document, response: Document, table: AceWeights) -> AceValue:
    """Compute the ACE value of two fully described documents."""
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
    found = [best(k, r, table.weighting) for k, r in mapped]
    mapped_keys, mapped_responses = {k for k, _ in mapped}, {r for _, r in mapped}
    missed = [k for number, k in enumerate(keys) if number not in mapped_keys]
    invented = [r for number, r in enumerate(responses) if number not in mapped_responses]
    entities = _entity_costs(found, missed, invented, rates)
    mentions = _mention_costs(found, missed, invented, rates)
    return AceValue(
        table,
        Costs.total(costs for _, costs in entities),
        _tally_by_label((entity.attributes[0], costs) for entity, costs in entities),
        _tally_by_label((entity.attributes[2], costs) for entity, costs in entities),
        _tally_by_label((entity.level, costs) for entity, costs in entities),
        Costs.total(costs for _, costs in mentions),
        _tally_by_label((mention.level, costs) for mention, costs in mentions),
        tuple((key.label, one.k.name, one.r.name, float(one.score)) for one in found),
    )


def _find_couples(
    keys: Sequence[AceEntity], responses: Sequence[AceEntity], rates: Rates
) -> _Couples:
    """Return the pairs of mentions that correspond, and mark their mentions as known."""
    ours = [mention for entity in keys for mention in entity.mentions]
    theirs = [mention for entity in responses for mention in entity.mentions]
    couples: _Couples = defaultdict(list)
    for i, j, _ in overlapping([m.span for m in ours], [m.span for m in theirs]):
        a, b = ours[i], theirs[j]
        if rates.correspond(a, b):
            a.known = b.known = True
            couples[a.entity, b.entity].append((a, b))
    return dict(sorted(couples.items(), key=itemgetter(0)))


def _best_map(
    k: AceEntity,
    r: AceEntity,
    couples: list[tuple[AceMention, AceMention]],
    weighting: str,
    rates: Rates,
) -> _Map:
    """Return the map of mentions with which a pair of entities is worth most."""
    gain = rates.entity_value(k.attributes, r.attributes) * k.scale(weighting)
    cost = r.unit(weighting)
    valued = [(a, b, rates.mention_value(a.attributes, b.attributes)) for a, b in couples]
    # A mention that is mapped saves what it costs when it is left over.
    chosen = _best_assignment(
        (a.place, b.place, gain * value + cost * rates.surplus_cost(b)) for a, b, value in valued
    )
    mentions = [(a, b, value) for a, b, value in valued if (a.place, b.place) in chosen]
    taken = {b.place for _, b, _ in mentions}
    left = [b for b in r.mentions if b.place not in taken]
    worth = total_of(value for _, _, value in mentions)
    score = gain * worth - cost * total_of(map(rates.surplus_cost, left))
    return _Map(k, r, gain, cost, mentions, left, score)


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


def _entity_costs(
    found: list[_Map], missed: list[AceEntity], invented: list[AceEntity], rates: Rates
) -> list[tuple[AceEntity, Costs]]:
    """Return the costs of each entity: of the key's, or of the response's if it is invented."""
    weighting = rates.table.weighting
    costs = []
    for one in found:
        worth = one.k.unit(weighting) * one.k.total
        costs.append((one.k, _costs_if_found(worth, worth - one.score)))
    costs += [(k, _costs_if_missed(k.unit(weighting) * k.total)) for k in missed]
    return costs + [(r, _costs_if_invented(rates.false_alarm(r, weighting))) for r in invented]


def _mention_costs(
    found: list[_Map], missed: list[AceEntity], invented: list[AceEntity], rates: Rates
) -> list[tuple[AceMention, Costs]]:
    """Return the costs of each mention: of the key's, or of the response's if it is left over."""
    weighting = rates.table.weighting
    costs = []
    for one in found:
        unit = one.k.unit(weighting)
        for a, _, value in one.mentions:
            worth = unit * a.weight
            costs.append((a, _costs_if_found(worth, worth - one.gain * value)))
        places = {a.place for a, _, _ in one.mentions}
        lost = [a for a in one.k.mentions if a.place not in places]
        costs += [(a, _costs_if_missed(unit * a.weight)) for a in lost]
        costs += [(b, _costs_if_invented(one.cost * rates.surplus_cost(b))) for b in one.left]
    for k in missed:
        unit = k.unit(weighting)
        costs += [(a, _costs_if_missed(unit * a.weight)) for a in k.mentions]
    for r in invented:
        unit = rates.factors["false_alarm"] * r.unit(weighting)
        costs += [(b, _costs_if_invented(unit * rates.invented_cost(b))) for b in r.mentions]
    return costs


def _costs_if_found(worth: Fraction, error: Fraction) -> Costs:
    return Costs(key=1, response=1, errors=int(error != 0), worth=worth, error=error)


def _costs_if_missed(worth: Fraction) -> Costs:
    return Costs(key=1, missed=1, worth=worth, miss=worth)


def _costs_if_invented(cost: Fraction) -> Costs:
    return Costs(response=1, false_alarms=1, false_alarm=cost)


def _tally_by_label(items: Iterable[tuple[str | None, Costs]]) -> Tally:
    """Return the total costs of each type, class or level."""
    groups: dict[str, list[Costs]] = defaultdict(list)
    for name, costs in items:
        groups[UNKNOWN if name is None else name].append(costs)
    return {label: Costs.total(groups[label]) for label in sorted(groups)}
