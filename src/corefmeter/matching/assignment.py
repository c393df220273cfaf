"""The assignment that matching takes: of greatest total weight, and the first of those.

Scores can depend on the choice among assignments of the same weight. So both sides are numbered
from 0, and the assignment is taken whose sorted list of pairs (key, response) is the smallest.
Weights are made whole, so that arithmetic is exact.

The solver finds one assignment and the dual prices of all nodes, which are negative costs: no pair
weighs more than its two ends cost. An assignment has the greatest weight if and only if each of its
pairs is *tight*, that is, weighs what its ends cost, and only nodes that cost nothing stay
unassigned. So each key, in order, takes the first response with which it has a tight pair, if the
nodes that lose their partners get others in the same way.
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
            chosen += _solve_component({k: graph[k] for k in sorted(keys)})
    return sorted(chosen)


def _solve_component(edges: dict[int, dict[int, Edge]]) -> list[Edge]:
    denominators = {edge.denominator for of_key in edges.values() for edge in of_key.values()}
    common = lcm(*denominators)
    scale = {denominator: common // denominator for denominator in denominators}
    keys: Graph = {k: {} for k in edges}
    responses: Graph = {}
    for k, of_key in edges.items():
        for r, edge in of_key.items():
            weight = edge.numerator * scale[edge.denominator]
            keys[k][r] = responses.setdefault(r, {})[k] = weight
    # Paths are shorter from the side that has fewer, and from the inner ones of nested mentions.
    rows = min(keys, responses, key=len)
    partner, price = assign_component({row: rows[row] for row in sorted(rows, reverse=True)})
    # Two additional nodes: a partner for keys that stay alone, and one for such responses.
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
    """Give each key, in order, the first partner that it can have; changes `partner`.

    `allowed` are the partners that each key and the rest may have, the first one first; it is used
    up. The partner of keys that are alone is `nobody`, that of responses is `rest`.

    For a key to change its partner, others must change theirs in a cycle that ends at the partner
    that the key gives up. A breadth-first search finds such a cycle.
    """
    part: dict[int, object] = {}  # responses of different parts are never exchanged
    for k in keys:
        own = partner[k]
        own_part = part.get(own)
        for first in allowed.pop(k):
            if part.get(first) != own_part:
                continue
            taken = {first: (k, own)}  # response -> the key that takes it, and what that gives up
            reached = [first]
            for given_up in reached:  # the list grows while it is iterated
                if own in taken:
                    break
                if given_up == nobody:
                    holders = [rest, *(key for key in allowed if partner.get(key) == nobody)]
                else:
                    holders = [partner[given_up]]
                for holder in holders:
                    for r in allowed[holder]:
                        if r not in taken and part.get(r) == own_part:
                            taken[r] = holder, given_up
                            reached.append(r)
            if own in taken:
                break
            # Nothing outside can be reached from these, so they are a part of their own.
            part.update(dict.fromkeys(reached, (k, first)))
        # Exchange along the cycle, from its end back to the key.
        holder, r = rest, own
        while holder != k:
            holder, given_up = taken[r]
            partner[holder], partner[r] = r, holder
            r = given_up
        if partner[k] != nobody:
            part[partner[k]] = k
