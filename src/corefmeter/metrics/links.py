"""Pairwise links."""

from __future__ import annotations

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap


class LinkPairs(RatioMetric):
    """R = |C_k & C_r| / |C_k|, P = |C_k & C_r| / |C_r|, over pairs of coreferent mentions.

    It is the coreference half of BLANC.

    >>> LinkPairs().statistics(Overlap([list("abc")], [list("ab"), list("cx")]))
    (1, 3, 1, 2)
    """

    name = "links"
    title = "Pairwise"
    about = "All pairs of coreferent mentions; the coreference half of BLANC."
    papers = ("recasens-hovy-2011", "luo-etal-2014")
    aliases = ("pairwise", "pairs", "link")
    singletons = False

    def statistics(self, table: Overlap) -> Row:
        """Return the coreference links in common, in the key and in the response."""
        common = table.common_links.coreference
        return common, table.key_links.coreference, common, table.response_links.coreference
