"""Metrics that see mentions: which is matched with which, where they stand, what heads them.

The overlap table does not hold that. Their statistics are additive rows of numbers like those of
any metric, made from the alignment of a document instead of its table.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class AlignedMetric(RatioMetric):
    """A metric whose statistics come from the alignment of mentions."""

    aligned = True

    @abstractmethod
    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the additive statistics of one document, one number for each of `fields`."""

    def statistics(self, table: Overlap) -> Row:
        """Refuse: the table does not hold what is needed.

        Raises
        ------
        OptionError
            Always.
        """
        raise OptionError(
            f"the metric {self.name!r} must see the mentions in their texts; score files or corpora"
        )
