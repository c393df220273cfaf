"""Metrics that see mentions: which is matched with which, where they are, what heads them."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class AlignedMetric(RatioMetric):
    """A metric whose statistics come from the alignment of mentions, not from the overlap table."""

    aligned = True

    @abstractmethod
    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the additive statistics of one document, one number for each of `fields`."""

    def statistics(self, table: Overlap) -> Row:
        """Refuse a table, because it lacks the needed data."""
        raise OptionError(
            f"the metric {self.name!r} must see the mentions in their texts; score files or corpora"
        )
