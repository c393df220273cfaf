"""B-cubed (Bagga & Baldwin 1998)."""

from __future__ import annotations

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap


class BCubed(RatioMetric):
    """R = sum over k, r of |k & r|^2 / |k| over sum over k of |k|; P with the sides exchanged.

    It is the mean over mentions of the overlap of their entities (Moosavi & Strube 2016, section
    3.2). Mentions without a twin add nothing to the numerators, but count in the denominators.

    >>> BCubed().statistics(Overlap([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]]))
    (2.0, 4, 4.0, 4)
    """

    name = "b3"
    title = "B\N{SUPERSCRIPT THREE}"
    about = "The mean over mentions of how much of their entity is correct."
    papers = ("bagga-baldwin-1998",)
    sets = True
    aliases = ("bcub", "bcubed", "b_cubed", "b-cubed", "b\N{SUPERSCRIPT THREE}")
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the sums of n^2/size over the cells, and the mentions of each side."""
        recall = table.for_recall.over_cells(
            lambda cells, key, _: [n * n / key[k] for k, _, n in cells]
        )
        precision = table.for_precision.over_cells(
            lambda cells, _, response: [n * n / response[r] for _, r, n in cells]
        )
        return recall, table.key_mentions, precision, table.response_memberships
