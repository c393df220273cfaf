"""Matching of CRAFT 2019: a piece of the response lies within the first piece of the key mention.

Mentions may have gaps; a piece is what stands between them. Whatever else the response mention
holds plays no role, and all such pairs weigh the same, so that as many mentions as possible are
matched. The program of the shared task lets response mentions take key mentions in the order of a
hash, which may match fewer and differ from run to run.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.positions import Node, nodes, pieces
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


def candidates(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[Edge]:
    """Pairs where a piece of the response mention lies within the first of the key mention."""
    firsts = {k: set(nodes((pieces(key.positions[k])[0],))) for k in key_free}
    by_node: dict[Node, list[int]] = {}
    for k, first in firsts.items():
        for node in first:
            by_node.setdefault(node, []).append(k)
    found = set()
    for r in response_free:
        for piece in pieces(response.positions[r]):
            within = nodes((piece,))
            for k in by_node.get(within[0], ()):
                if firsts[k].issuperset(within):
                    found.add(Edge(k, r, 1, 1))
    return sorted(found)
