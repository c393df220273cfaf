"""The assignment that matching takes: of greatest total weight, and the first of those.

Several assignments may have the same weight, and scores can depend on the choice. So it is fixed:
number both sides from 0; among the assignments of greatest weight, take the one whose sorted list
of pairs (key, response) is the smallest. That is the assignment of greatest weight for weights that
are changed a little: with n keys and m responses, add to pair (k, r)

    (m - r) * (m + 1)^(n - 1 - k) / (m + 1)^n.

Seen as digits to the base m + 1, the sum of these has at digit k what the partner of k is worth, 0
if it has none; a smaller partner is worth more, and the digits of earlier keys weigh more than all
later ones together. The whole sum is below 1, the smallest difference of two whole weights. So
weights are made whole first, and all arithmetic is that of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from corefmeter.matching.solver import assign_component


class Edge(NamedTuple):
    """A pair that may be matched; its weight is numerator/denominator, more than 0."""

    key: int
    response: int
    numerator: int
    denominator: int


def first_best(edges: Sequence[Edge]) -> list[Edge]:
    """The edges of the assignment, sorted.

    Parameters
    ----------
    edges
        Each pair at most once.

    Examples
    --------
    Both ways of pairing two with two are worth 1; the one with the pair (0, 0) is smaller.

    >>> edges = [Edge(0, 1, 1, 2), Edge(0, 0, 1, 2), Edge(1, 0, 1, 2), Edge(1, 1, 1, 2)]
    >>> [edge[:2] for edge in first_best(edges)]
    [(0, 0), (1, 1)]
    """
    chosen: list[Edge] = []
    for component in _components(edges):
        if len(component) == 1:
            chosen += component
        else:
            chosen += _solved(component)
    return sorted(chosen)


def _components(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges of each connected component."""
    around: dict[int, list[Edge]] = {}
    for edge in edges:
        around.setdefault(edge.key, []).append(edge)
        around.setdefault(~edge.response, []).append(edge)
    seen: set[int] = set()
    found = []
    for node in around:
        if node in seen:
            continue
        seen.add(node)
        reached = [node]
        component: list[Edge] = []
        for here in reached:
            for edge in around[here]:
                if here >= 0:
                    component.append(edge)
                other = ~edge.response if here >= 0 else edge.key
                if other not in seen:
                    seen.add(other)
                    reached.append(other)
        found.append(component)
    return found


def _solved(edges: Sequence[Edge]) -> list[Edge]:
    """The assignment of one component."""
    keys = {key: index for index, key in enumerate(sorted({edge.key for edge in edges}))}
    responses = {r: index for index, r in enumerate(sorted({edge.response for edge in edges}))}
    n, base = len(keys), len(responses) + 1
    whole = lcm(*{edge.denominator for edge in edges})
    unit = base**n
    rows: dict[int, dict[int, float]] = {}
    for key, response, numerator, denominator in edges:
        first = (len(responses) - responses[response]) * base ** (n - 1 - keys[key])
        weight = numerator * (whole // denominator) * unit + first
        rows.setdefault(key, {})[~response] = weight
    partner = assign_component(rows)
    return [edge for edge in edges if partner.get(edge.key) == ~edge.response]
