"""Matching by overlap: the Dice coefficient of the nodes reaches a threshold.

``2 |K & S| / (|K| + |S|)`` is also the weight. It needs positions only, so it works for any format.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from corefmeter.corpus.positions import common_node_counts, count_nodes
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


def candidates(alignment: Alignment, threshold: float) -> list[Edge]:
    """Return pairs whose Dice coefficient is the threshold or more.

    The threshold means the decimal number it is written as: 0.1 is a tenth.
    """
    least = Fraction(repr(threshold))
    key, response = alignment.key, alignment.response
    key_free, response_free = alignment.key_free(), alignment.response_free()
    key_sizes = {k: count_nodes(key.positions[k]) for k in key_free}
    response_sizes = {r: count_nodes(response.positions[r]) for r in response_free}
    edges = []
    for k, r, shared in shared_nodes(key, response, key_free, response_free):
        total = key_sizes[k] + response_sizes[r]
        if 2 * shared * least.denominator >= total * least.numerator:
            edges.append(Edge(k, r, 2 * shared, total))
    return edges


def shared_nodes(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Return ``(k, r, number of common nodes)`` for all pairs that share a node."""
    counts = common_node_counts(
        [key.positions[k] for k in key_free], [response.positions[r] for r in response_free]
    )
    return [(key_free[k], response_free[r], shared) for (k, r), shared in counts.items()]
