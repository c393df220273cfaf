"""Matching of CRAFT 2019: a piece of the response lies within the first piece of the key mention.

Mentions may have gaps, which separate their pieces. The other pieces of the response mention play
no role, and all pairs weigh the same, so that as many mentions as possible are matched. In the
program of the shared task, response mentions take key mentions in the order of a hash, so that it
may match fewer and differ from run to run.
"""

from __future__ import annotations

from corefmeter.corpus.positions import common_node_counts, count_nodes, pieces
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs where a piece of the response lies within the first of the key mention."""
    key, response = alignment.key.positions, alignment.response.positions
    key_free = alignment.key_free()
    first_pieces = [(pieces(key[k])[0],) for k in key_free]
    owners: list[int] = []  # the response mention of each of the response's pieces
    response_pieces = []
    for r in alignment.response_free():
        for piece in pieces(response[r]):
            owners.append(r)
            response_pieces.append((piece,))
    edges = {
        Edge(key_free[first], owners[piece], 1, 1)
        for (first, piece), shared in common_node_counts(first_pieces, response_pieces).items()
        if shared == count_nodes(response_pieces[piece])
    }
    return sorted(edges)
