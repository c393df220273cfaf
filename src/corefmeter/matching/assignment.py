"""The assignment that matching takes: of greatest total weight, and the first of those.

Scores can depend on the choice among assignments of the same weight. So both sides are numbered
from 0, and the assignment is taken whose sorted list of pairs (key, response) is the smallest.
Weights are made whole, so that arithmetic is exact.

The solver finds one assignment and prices, which are negative costs. No pair weighs more than its
two ends cost. An assignment has the greatest weight if its pairs are *tight*, weigh what their ends
cost, and only what costs nothing is left alone. So one key after the other takes the first response
that it can have by a tight pair, if those who lose theirs can be given others in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from corefmeter.matching.solver import Graph, assign_component, components


class Edge(NamedTuple):
    """A pair that may be matched; its weight is numerator/denominator, more than 0."""

    key: int
    response: int
    numerator: int
    denominator: int


def first_best(edges: Sequence[Edge]) -> list[Edge]:
    """Return the edges of the assignment, sorted; each pair is given at most once."""
    graph: dict[int, dict[int, Edge]] = {}
    for edge in edges:
        graph.setdefault(edge.key, {})[~edge.response] = edge
        graph.setdefault(~edge.response, {})[edge.key] = edge
    chosen: list[Edge] = []
    for keys in components(graph):
        if len(keys) == 1 == len(graph[keys[0]]):
            chosen += graph[keys[0]].values()
        else:
            chosen += _solved({k: graph[k] for k in sorted(keys)})
    return sorted(chosen)


def _solved(edges: dict[int, dict[int, Edge]]) -> list[Edge]:
    """Return the assignment of one component."""
    denominators = {edge.denominator for around in edges.values() for edge in around.values()}
    whole = lcm(*denominators)
    scale = {denominator: whole // denominator for denominator in denominators}
    keys: Graph = {k: {} for k in edges}
    responses: Graph = {}
    for k, around in edges.items():
        for r, edge in around.items():
            weight = edge.numerator * scale[edge.denominator]
            keys[k][r] = responses.setdefault(r, {})[k] = weight
    # Paths are shorter from the side that has fewer, and from the inner ones of nested mentions.
    rows = min(keys, responses, key=len)
    partner, price = assign_component({row: rows[row] for row in sorted(rows, reverse=True)})
    nobody, rest = min(responses) - 1, max(keys) + 1
    allowed = {rest: [r for r in responses if not price[r]] + [nobody]}
    for k, weights in keys.items():
        tight = [r for r, weight in weights.items() if weight + price[k] + price[r] == 0]
        allowed[k] = sorted(tight, reverse=True) + [nobody] * (not price[k])
    partner = dict.fromkeys(keys, nobody) | dict.fromkeys(responses, rest) | partner
    _exchange(list(keys), nobody, rest, allowed, partner)
    return [edges[k][partner[k]] for k in keys if partner[k] != nobody]


def _exchange(
    keys: Sequence[int],
    nobody: int,
    rest: int,
    allowed: dict[int, list[int]],
    partner: dict[int, int],
) -> None:
    """Give each key, one after the other, the first partner that it can have, in place.

    `allowed` are the partners that each key and the rest may have, the first one first; it is used
    up. The partner of keys that are alone is `nobody`, that of responses is `rest`.
    """
    part: dict[int, object] = {}  # responses of different parts are never exchanged
    for k in keys:
        mine = partner[k]
        here = part.get(mine)
        for first in allowed.pop(k):
            if part.get(first) != here:
                continue
            taken = {first: (k, mine)}  # by whom, and what they give up for it
            reached = [first]
            for given_up in reached:
                if mine in taken:
                    break
                if given_up == nobody:
                    holders = [rest, *(key for key in allowed if partner.get(key) == nobody)]
                else:
                    holders = [partner[given_up]]
                for holder in holders:
                    for r in allowed[holder]:
                        if r not in taken and part.get(r) == here:
                            taken[r] = holder, given_up
                            reached.append(r)
            if mine in taken:
                break
            # What is reached leads to nothing else, so none of it is ever had for anything else.
            part.update(dict.fromkeys(reached, (k, first)))
        holder, r = rest, mine
        while holder != k:
            holder, given_up = taken[r]
            partner[holder], partner[r] = r, holder
            r = given_up
        if partner[k] != nobody:
            part[partner[k]] = k
