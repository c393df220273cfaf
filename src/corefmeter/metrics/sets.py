"""Split antecedents: sets of entities as members of entities (Paun et al. 2023, Yu et al. 2023).

A plural entity (they) has, in addition to its mentions, a member for each set of entities that it
denotes (Ann, Bob). Set members of key and response are aligned one to one so that the total F1 of
the metric itself, applied to the two sets of entities, is greatest. In the overlap table a pair
counts like a matched mention, but weighted: by its recall for recall, by its precision for
precision, and by its F1 where both share one number.

Among alignments of the same total, the one is taken whose entities agree best (the total Dice
coefficient of their mentions), of these the first in the order of mentions: nothing depends on
names or on the order of entities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.splits import SetMember
from corefmeter.corpus.structures import UnionFind
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.metrics.base import Metric, Scores
from corefmeter.metrics.overlap import Overlap
from corefmeter.metrics.weighted import Member, Weighted

#: F1 and Dice coefficients are compared in this many steps, which are larger than rounding errors.
STEPS = 10**9


class PairOfSets(NamedTuple):
    """A set of the key and one of the response that are aligned, with the metric's scores."""

    key: SetMember
    response: SetMember
    scores: Scores


def align_sets(
    table: Overlap, key: Sequence[SetMember], response: Sequence[SetMember], metric: Metric
) -> list[PairOfSets]:
    """Return the alignment of the set members of a document by the F1 of a metric."""
    key = sorted(key, key=lambda member: _place(member, table.key))
    response = sorted(response, key=lambda member: _place(member, table.response))
    common = {(k, r): n for k, r, n in table.cells}
    scores: dict[tuple[int, int], Scores] = {}
    edges = []
    for i, of_key in enumerate(key):
        for j, of_response in enumerate(response):
            if not any((k, r) in common for k in of_key.parts for r in of_response.parts):
                continue
            of_sets = table.only("key", of_key.parts).only("response", of_response.parts)
            of_pair = metric.on_sets(of_sets)
            if of_pair.f1 > 0:
                scores[i, j] = of_pair
                k, r = of_key.entity, of_response.entity
                dice = 2 * common.get((k, r), 0) / (table.key_sizes[k] + table.response_sizes[r])
                # One step of F1 outweighs all Dice coefficients together, which only break ties.
                weight = round(of_pair.f1 * STEPS) * (STEPS * (len(key) + 1)) + round(dice * STEPS)
                edges.append(Edge(i, j, weight, 1))
    return [PairOfSets(key[i], response[j], scores[i, j]) for i, j in _assign_symmetrically(edges)]


def with_sets(
    table: Overlap, key: Sequence[SetMember], response: Sequence[SetMember], metric: Metric
) -> Overlap:
    """Return the table of a document with its set members, as the metric weighs them.

    >>> from corefmeter.metrics.b3 import BCubed
    >>> table = Overlap([["Ann"], ["Bob"], ["they"]], [["Ann"], ["Bob"], ["Eve"], ["they"]])
    >>> sets = [SetMember(2, (0, 1))], [SetMember(3, (0, 1, 2))]
    >>> with_sets(table, *sets, BCubed()).for_precision.cells[-1]
    (2, 3, 1.6666666666666665)
    """
    if not metric.sets or not (key or response):
        return table
    table, key, response = join_equal_sets(table, key, response)
    pairs = align_sets(table, key, response, metric)
    of_key: dict[SetMember, object] = {pair.key: object() for pair in pairs}
    of_response = {pair.response: of_key[pair.key] for pair in pairs}
    whole = Overlap(
        _with_members(table.key, key, of_key),
        _with_members(table.response, response, of_response),
        table.repeats,
        table.as_read,
    )
    members = [Member(key.entity, response.entity, scores[:3]) for key, response, scores in pairs]
    return Weighted(whole, members)


def _with_members(
    entities: Entities, members: Sequence[SetMember], pairs: Mapping[SetMember, object]
) -> Entities:
    """Return entities with their sets as additional members.

    An aligned pair is one object, from `pairs`, on both sides; any other set equals nothing.
    """
    extended = [list(entity) for entity in entities]
    for member in members:
        extended[member.entity].append(pairs.get(member, object()))
    return extended


def join_equal_sets(
    table: Overlap, key: Sequence[SetMember], response: Sequence[SetMember]
) -> tuple[Overlap, list[SetMember], list[SetMember]]:
    """Join entities with equal sets, since they denote the same entities.

    >>> table = Overlap([["Ann"], ["they"], ["both"]], [])
    >>> table, sets, _ = join_equal_sets(table, [SetMember(1, (0,)), SetMember(2, (0,))], [])
    >>> table.key, sets
    ([['Ann'], ['they', 'both']], [SetMember(entity=1, parts=(0,))])
    """
    of_key = _number_united(len(table.key), key)
    of_response = _number_united(len(table.response), response)
    members = _renumber(key, of_key), _renumber(response, of_response)
    if any(len(set(homes)) < len(homes) for homes in (of_key, of_response)):
        key_read, response_read = table.as_read
        table = Overlap(
            _join_entities(table.key, of_key),
            _join_entities(table.response, of_response),
            table.repeats,
            (_join_entities(key_read, of_key), _join_entities(response_read, of_response)),
        )
    return table, *members


def _number_united(count: int, members: Sequence[SetMember]) -> list[int]:
    """Return the new number of each of `count` entities: those with equal sets have the same."""
    united = UnionFind(count)
    first: dict[tuple[int, ...], int] = {}
    for entity, parts in members:
        united.join(first.setdefault(parts, entity), entity)
    numbers = {home: number for number, same in enumerate(united.sets()) for home in same}
    return [numbers[home] for home in range(count)]


def _renumber(members: Sequence[SetMember], homes: Sequence[int]) -> list[SetMember]:
    found = {
        SetMember(homes[entity], tuple(sorted({homes[part] for part in parts})))
        for entity, parts in members
    }
    return sorted(found)


def _join_entities(entities: Entities, homes: Sequence[int]) -> Entities:
    joined: Entities = [[] for _ in set(homes)]
    for home, entity in zip(homes, entities, strict=True):
        joined[home] += entity
    return joined


def _assign_symmetrically(edges: list[Edge]) -> list[tuple[int, int]]:
    """Return the first of the best assignments, the same when the sides are exchanged."""
    turned = sorted(Edge(j, i, weight, 1) for i, j, weight, _ in edges)
    if turned < sorted(edges):
        return [(edge.response, edge.key) for edge in first_best(turned)]
    return [(edge.key, edge.response) for edge in first_best(edges)]


def _place(member: SetMember, entities: Entities) -> Any:
    """Return the sort key of set members: the mentions of the entity, then those of the set."""

    def places(number: int) -> list[Any]:
        return sorted(map(_order, entities[number]))

    return places(member.entity), sorted(map(places, member.parts))


def _order(value: Mention) -> tuple[int, Any]:
    """Return the sort key of any mentions; positions by their begin."""
    if isinstance(value, tuple):
        return 2, [_order(part) for part in value]
    if isinstance(value, int | float):
        return 0, value
    return 1, str(value)
