"""Partial matching: the response covers the head of the key mention and nothing outside it.

This is the rule of the CRAC 2022 shared task: ``head(K) in S`` and S is a subset of K. If the key
gives a minimum span for a mention (MUC's MIN), it replaces the head. Heads of the response are
ignored. The weight is the share of the key mention that is covered, ``|S| / |K|``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefmeter.corpus.positions import Node, nodes
from corefmeter.corpus.structures import grouped
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs where the response lies within the key mention and covers its minimum."""
    details = alignment.key.details
    heads = alignment.key.known_heads() if any(one.minimum is None for one in details) else []
    minima: dict[int, Sequence[Node]] = {}
    for k in alignment.key_free():
        minimum = details[k].minimum
        minima[k] = [heads[k]] if minimum is None else nodes(minimum)
    return covering(alignment, minima)


def covering(alignment: Alignment, minima: Mapping[int, Sequence[Node]]) -> list[Edge]:
    """Return pairs where the response lies within the key mention and covers its `minima`."""
    by_node = grouped((minimum[0], k) for k, minimum in minima.items())
    edges = []
    for r in alignment.response_free():
        within = nodes(alignment.response.positions[r])
        covered = set(within)
        for k in (k for node in within for k in by_node.get(node, ())):
            edge = alignment.coverage_edge(k, r)
            if edge.numerator == len(within) and covered.issuperset(minima[k]):
                edges.append(edge)
    return edges
