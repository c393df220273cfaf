"""Measures that give each entity its best partner: closest clusters, purity.

Unlike in CEAF, which aligns entities one to one, several entities may have the same partner.
Twinless mentions belong to no cell and stay in the sizes.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.ceaf import phi3
from corefmeter.metrics.overlap import Cells, Overlap


class ClosestCluster(RatioMetric):
    """R = sum over k of max over r of J(k, r) / |K|; P with the sides exchanged.

    J is the Jaccard coefficient |k & r| / (|k| + |r| - |k & r|), 0 for an entity without a partner
    (Menestrina et al. 2010, section 2).

    >>> ClosestCluster().statistics(Overlap([["a", "b", "c", "d"]], [["a"], ["b", "c", "d"]]))
    (0.75, 1, 1.0, 2)
    """

    name = "closest"
    title = "Closest cluster"
    about = "Overlap of each entity with its closest counterpart."
    papers = ("menestrina-etal-2010",)
    aliases = ("closest-cluster", "closest_cluster", "ccf", "ccf1")
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the sum of the greatest Jaccard coefficients, and the entities, of each side."""
        of_key = float(table.over_best(_jaccard, "key"))
        of_response = float(table.over_best(_jaccard, "response"))
        return of_key, table.key_entities, of_response, table.response_entities


class Purity(RatioMetric):
    """P, purity: sum over r of max over k of |k & r| over sum over r of |r|; R, its inverse.

    Inverse purity exchanges the sides. Purity is 1 for response singletons, inverse purity for one
    entity of all mentions; F1 is their harmonic mean (Amigó et al. 2009, section 2.1).

    >>> Purity().statistics(Overlap([["a", "b", "c"], ["d"]], [["a", "b", "d"], ["c"]]))
    (3, 4, 3, 4)
    """

    name = "purity"
    title = "Purity"
    about = "Mentions in the largest overlap between entities; recall is inverse purity."
    papers = ("amigo-etal-2009",)
    aliases = ("inverse-purity", "inverse_purity")
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the mentions in the largest cells of entities, and all mentions, of each side."""
        of_key, of_response = table.over_best(phi3, "key"), table.over_best(phi3, "response")
        return of_key, table.key_mentions, of_response, table.response_memberships


def _jaccard(cells: Cells, key: Sequence[int], response: Sequence[int]) -> Sequence[float]:
    return [n / (key[k] + response[r] - n) for k, r, n in cells]
