"""Matching by overlap: the Dice coefficient of the nodes reaches a threshold.

``2 |K & S| / (|K| + |S|)`` is also the weight. It needs positions only, so it works for any format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from corefmeter.corpus.positions import Node, nodes, size
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


def candidates(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int],
    threshold: float,
) -> list[Edge]:  # fmt: skip
    """Pairs whose Dice coefficient is the threshold or more.

    The threshold means the decimal number it is written as: 0.1 is a tenth.
    """
    least = Fraction(repr(threshold))
    edges = []
    for k, r, shared in shared_nodes(key, response, key_free, response_free):
        both = size(key.positions[k]) + size(response.positions[r])
        if Fraction(2 * shared, both) >= least:
            edges.append(Edge(k, r, 2 * shared, both))
    return edges


def shared_nodes(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[tuple[int, int, int]]:
    """``(k, r, how many nodes they share)`` for all pairs that share one."""
    by_node: dict[Node, list[int]] = {}
    for k in key_free:
        for node in nodes(key.positions[k]):
            by_node.setdefault(node, []).append(k)
    found = []
    for r in response_free:
        counts = Counter(k for node in nodes(response.positions[r]) for k in by_node.get(node, ()))
        found += [(k, r, shared) for k, shared in counts.items()]
    return found
