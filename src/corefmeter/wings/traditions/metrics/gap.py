"""GAP's own scores: each name of an example is one decision (Webster et al. 2018, section 5)."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from corefmeter.corpus.model import Document, Mention
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row
from corefmeter.problems import DataError, Problem

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class Gap(AlignedMetric):
    """The names that a pronoun means, of both sides over those of the key, and of the response.

    Two names that the response puts into one entity with the pronoun are two decisions; a link
    between the names does not count.
    """

    name = "gap"
    title = "GAP"
    about = "Are the names that a pronoun refers to found? For GAP data."
    papers = ("webster-etal-2018",)
    details = True
    key_count = "recall_denominator"
    singletons = False

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the names of both sides, of the key, of both sides, of the response."""
        key, response = alignment.key.document, alignment.response.document
        if "gender" not in key.attributes:
            reason = "the metric gap needs a key of GAP, in which the pronouns are marked"
            raise DataError(Problem("no-details", reason, "error", key.path, key.line))
        pronouns = _find_pronouns(key) | _find_pronouns(response)
        in_key, in_response = (_names_of_pronoun(side, pronouns) for side in (key, response))
        right = len(in_key & in_response)
        return right, len(in_key), right, len(in_response)


def _find_pronouns(document: Document) -> set[Mention]:
    return {
        mention
        for mentions, details in zip(document.entities, document.details or [], strict=False)
        for mention, detail in zip(mentions, details, strict=True)
        if detail.attributes.get("role") == "pronoun"
    }


def _names_of_pronoun(document: Document, pronouns: set[Mention]) -> set[Mention]:
    """Return the mentions that are in an entity with a pronoun, without the pronouns."""
    entities = (entity for entity in document.entities if not pronouns.isdisjoint(entity))
    return set(chain.from_iterable(entities)) - pronouns
