"""Partial matching: the response covers the head of the key mention and nothing outside it.

The rule of the CRAC 2022 shared task: ``head(K) in S`` and S is a subset of K. Where the key gives
a minimum span for a mention (MUC's MIN), that takes the place of the head. Heads of the response
play no role. The weight is the share of the key mention that is covered, ``|S| / |K|``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefmeter.corpus.positions import Node, count_common_nodes, count_nodes, nodes
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


def candidates(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[Edge]:
    """Pairs where the response mention lies within the key mention and covers its minimum."""
    minima = _minima(key)
    return covering(key, response, {k: minima[k] for k in key_free}, response_free)


def covering(
    key: Side, response: Side, minima: Mapping[int, Sequence[Node]], response_free: Sequence[int]
) -> list[Edge]:
    """Pairs where the response mention lies within the key mention and covers its `minima`."""
    by_node: dict[Node, list[int]] = {}
    for k, minimum in minima.items():
        by_node.setdefault(minimum[0], []).append(k)
    edges = []
    for r in response_free:
        position = response.positions[r]
        within = nodes(position)
        covered = set(within)
        for k in (k for node in within for k in by_node.get(node, ())):
            shared = count_common_nodes(key.positions[k], position)
            if shared == len(within) and covered.issuperset(minima[k]):
                edges.append(Edge(k, r, shared, count_nodes(key.positions[k])))
    return edges


def _minima(key: Side) -> list[list[Node]]:
    """Return the nodes of each key mention that must be covered."""
    minima = [detail.minimum for detail in key.details]
    heads = key.known_heads() if None in minima else []
    return [
        [heads[number]] if minimum is None else nodes(minimum)
        for number, minimum in enumerate(minima)
    ]
