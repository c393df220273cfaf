"""Matching of CRAFT 2019: a piece of the response lies within the first piece of the key mention.

Mentions may have gaps; a piece is what stands between them. Whatever else the response mention
holds plays no role, and all such pairs weigh the same, so that as many mentions as possible are
matched. The program of the shared task lets response mentions take key mentions in the order of a
hash, which may match fewer and differ from run to run.
"""

from __future__ import annotations

from corefmeter.corpus.positions import common_node_counts, count_nodes, pieces
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs where a piece of the response lies within the first of the key mention."""
    key, response = alignment.key.positions, alignment.response.positions
    of_key = alignment.key_free()
    firsts = [(pieces(key[k])[0],) for k in of_key]
    parts = [(r, (piece,)) for r in alignment.response_free() for piece in pieces(response[r])]
    met = common_node_counts(firsts, [piece for _, piece in parts])
    found = {
        Edge(of_key[place], parts[part][0], 1, 1)
        for (place, part), shared in met.items()
        if shared == count_nodes(parts[part][1])
    }
    return sorted(found)
