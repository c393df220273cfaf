"""Expressions that refer to nothing (it rains), which are mentions of no entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefmeter.corpus.model import Mention
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment
    from corefmeter.matching.sides import Side


class NonReferring(AlignedMetric):
    """R = expressions of both sides / key expressions; P likewise (Poesio et al. 2018).

    Expressions match if their tokens are equal, regardless of their type and of the option `match`.
    """

    name = "nonreferring"
    title = "Non-referring"
    about = "Are non-referring expressions found?"
    papers = ("poesio-etal-2018",)
    aliases = ("non-referring", "non_referring")
    key_count = "recall_denominator"
    relations = ("nonreferring",)

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return expressions of both sides, of the key, of both sides, of the response."""
        key, response = _expressions(alignment.key), _expressions(alignment.response)
        common = len(key & response)
        return common, len(key), common, len(response)


def _expressions(side: Side) -> set[Mention]:
    relations = side.document.relations
    return {one.mention for one in relations.nonreferring} if relations else set()
