"""Identification of mentions."""

from __future__ import annotations

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap


class Mentions(RatioMetric):
    """R = matched mentions / key mentions, P = matched mentions / response mentions.

    Distinct mentions are counted, regardless of their entities, as in the official scorer's
    "Identification of Mentions".

    >>> Mentions().statistics(Overlap([["a", "b"]], [["a", "x", "y"]]))
    (1, 2, 1, 3)
    """

    name = "mentions"
    title = "Mentions"
    about = "Are the mentions found? Ignores entities."
    papers = ("pradhan-etal-2014",)
    aliases = ("mention", "mention_detection", "md")
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the matched mentions over distinct mentions of each side."""
        return table.matched, table.key_mentions, table.matched, table.response_mentions
