"""Split antecedents: sets of entities as members of entities (Paun et al. 2023, Yu et al. 2023).

A plural entity (they) has, beside its mentions, a member for each set of entities that it stands
for (Ann, Bob). Set members of key and response are aligned one to one, such that the total F1 of
the metric itself, applied to the two sets of entities, is greatest. In the overlap table a pair
counts in the place of a matched mention: for recall its recall, for precision its precision, and
its F1 where both share one number. What is not aligned has no partner, as a mention has none.

Among alignments of the same total, the one is taken whose entities agree best (the total Dice
coefficient of their mentions), of these the first in the order of mentions: nothing depends on
names, on the order of entities, or on where the text begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from corefmeter.corpus.model import Entities, Mention
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.metrics.base import Metric, Scores
from corefmeter.metrics.overlap import Member, Overlap, Weighted

#: In how many steps an F1 or a Dice coefficient is compared: more than bits of rounding errors.
STEPS = 10**9


class SetMember(NamedTuple):
    """A set of entities that is a member of an entity; all by their numbers.

    Attributes
    ----------
    entity
        The plural entity.
    parts
        The entities of the set, ascending; none has a set of its own.
    """

    entity: int
    parts: tuple[int, ...]


class PairOfSets(NamedTuple):
    """A set of the key and one of the response that are aligned, with the metric's scores."""

    key: SetMember
    response: SetMember
    scores: Scores


def aligned_sets(
    table: Overlap, key: Sequence[SetMember], response: Sequence[SetMember], metric: Metric
) -> list[PairOfSets]:
    """The alignment of the set members of a document.

    Parameters
    ----------
    table
        The table of the mentions.
    key, response
        The set members of each side.
    metric
        By whose F1 they are aligned.

    Examples
    --------
    >>> from corefmeter.metrics.b3 import BCubed
    >>> table = Overlap([["Ann"], ["Bob"], ["they"]], [["Ann"], ["Bob"], ["Eve"], ["they"]])
    >>> sets = [SetMember(2, (0, 1))], [SetMember(3, (0, 1, 2))]
    >>> [pair.scores[:2] for pair in aligned_sets(table, *sets, BCubed())]
    [(1.0, 0.6666666666666666)]
    """
    sides = [
        sorted(members, key=lambda one: _place(one, entities))  # noqa: B023 - used at once
        for members, entities in ((key, table.key), (response, table.response))
    ]
    common = {(k, r): n for k, r, n in table.cells}
    scores: dict[tuple[int, int], Scores] = {}
    edges = []
    for i, of_key in enumerate(sides[0]):
        for j, of_response in enumerate(sides[1]):
            if not any((k, r) in common for k in of_key.parts for r in of_response.parts):
                continue
            found = metric.on_sets(_of_sets(table, of_key.parts, of_response.parts))
            if found.f1 > 0:
                scores[i, j] = found
                k, r = of_key.entity, of_response.entity
                dice = 2 * common.get((k, r), 0) / (table.key_sizes[k] + table.response_sizes[r])
                weight = round(found.f1 * STEPS) * (STEPS * (len(key) + 1)) + round(dice * STEPS)
                edges.append(Edge(i, j, weight, 1))
    return [
        PairOfSets(sides[0][i], sides[1][j], scores[i, j]) for i, j in _first_of_both(edges)
    ]


def with_sets(
    table: Overlap, key: Sequence[SetMember], response: Sequence[SetMember], metric: Metric
) -> Overlap:
    """The table of a document with its set members, as the metric weighs them.

    Examples
    --------
    >>> from corefmeter.metrics.b3 import BCubed
    >>> table = Overlap([["Ann"], ["Bob"], ["they"]], [["Ann"], ["Bob"], ["Eve"], ["they"]])
    >>> sets = [SetMember(2, (0, 1))], [SetMember(3, (0, 1, 2))]
    >>> with_sets(table, *sets, BCubed()).for_precision.cells[-1]
    (2, 3, 1.6666666666666665)
    """
    pairs = aligned_sets(table, key, response, metric)
    names: tuple[dict[SetMember, list[object]], ...] = ({}, {})
    for pair in pairs:
        name = object()
        names[0].setdefault(pair.key, []).append(name)
        names[1].setdefault(pair.response, []).append(name)
    sides = []
    for members, entities, named in (
        (key, table.key, names[0]), (response, table.response, names[1])
    ):  # fmt: skip
        entities = [list(entity) for entity in entities]
        for member in members:
            known = named.get(member)
            entities[member.entity].append(known.pop() if known else object())
        sides.append(entities)
    return Weighted(
        Overlap(*sides, table.repeats, table.as_read),
        [
            Member(pair.key.entity, pair.response.entity,
                   (pair.scores.recall, pair.scores.precision, pair.scores.f1))
            for pair in pairs
        ],
    )  # fmt: skip


def _of_sets(table: Overlap, key: Sequence[int], response: Sequence[int]) -> Overlap:
    """The table of two sets of entities."""
    numbers = key, response
    entities, as_read = (
        [[side[number] for number in chosen] for side, chosen in zip(both, numbers, strict=True)]
        for both in ((table.key, table.response), table.as_read)
    )
    return Overlap(*entities, None if table.repeats else False, tuple(as_read))


def _first_of_both(edges: list[Edge]) -> list[tuple[int, int]]:
    """The first of the best assignments, the same when the sides are exchanged."""
    turned = sorted(Edge(j, i, weight, 1) for i, j, weight, _ in edges)
    if turned < sorted(edges):
        return [(i, j) for j, i, *_ in first_best(turned)]
    return [(i, j) for i, j, *_ in first_best(edges)]


def _place(member: SetMember, entities: Entities) -> Any:
    """What sorts set members: the mentions of the entity, then those of the set."""

    def places(number: int) -> list[Any]:
        return sorted(map(order, entities[number]))

    return places(member.entity), sorted(map(places, member.parts))


def order(mention: Mention) -> tuple[int, Any]:
    """What sorts all mentions, whatever they are; positions by where they begin.

    Examples
    --------
    >>> sorted([("d2", (1, 2)), ("d1", (10, 12)), ("d1", (9, 12))], key=order)
    [('d1', (9, 12)), ('d1', (10, 12)), ('d2', (1, 2))]
    """
    if isinstance(mention, tuple):
        return 2, [order(part) for part in mention]
    if isinstance(mention, int | float):
        return 0, mention
    return 1, str(mention)
