"""MUC (Vilain et al. 1995)."""

from __future__ import annotations

from corefmeter.metrics.base import RatioMetric, Row, Scores
from corefmeter.metrics.overlap import Overlap


class Muc(RatioMetric):
    """R = sum over k of (|k| - |p(k)|) / sum over k of (|k| - 1); P with the sides exchanged.

    p(k) is the partition of k by the response; each key mention that the response lacks is a part
    of its own (Moosavi & Strube 2016, section 3.1). So |k| - |p(k)| is the sum of (n - 1) over the
    cells of k, which is the same sum for both sides.

    >>> Muc().statistics(Overlap([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]]))
    (2, 3, 2, 2)
    """

    name = "muc"
    title = "MUC"
    about = "Minimum number of links that connect each entity; ignores singletons."
    papers = ("vilain-etal-1995",)
    sets = True
    key_count = "recall_denominator"
    singletons = False

    def statistics(self, table: Overlap) -> Row:
        """Return the links kept, over the links that each side needs."""
        recall, precision = table.for_recall, table.for_precision
        return (
            recall.matched - recall.shared_entities,
            table.key_mentions - table.key_entities,
            precision.matched - precision.shared_entities,
            table.response_memberships - table.response_entities,
        )

    def on_sets(self, table: Overlap) -> Scores:
        """Return the scores of two sets, where an entity of one mention has a link to itself."""
        kept, key_links, _, response_links = self.statistics(table)
        kept += sum(table.key_sizes[k] == 1 == table.response_sizes[r] for k, r, _ in table.cells)
        key_links += table.key_sizes.count(1)
        response_links += table.response_sizes.count(1)
        return self.scores((kept, key_links, kept, response_links))
