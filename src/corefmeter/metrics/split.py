"""The alignment of split antecedents alone."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from corefmeter.corpus.splits import find_set_members
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row
from corefmeter.metrics.ceaf import CeafE
from corefmeter.metrics.overlap import Overlap
from corefmeter.metrics.sets import align_sets, join_equal_sets

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class SplitAntecedents(AlignedMetric):
    """R = sum of the recall of aligned sets over the sets of the key; P likewise.

    Sets are aligned as with the option `split_antecedents`, by CEAFe on the two sets, so all
    entities of a set have equal weight. Plural entities only decide between equally good partners.
    """

    name = "split"
    title = "Split antecedents"
    about = "Are the sets of entities that plural entities denote correct?"
    papers = ("paun-etal-2023", "yu-etal-2023")
    aliases = ("split-antecedents", "split_antecedents")
    key_count = "recall_denominator"
    relations = ("split",)

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the recall of the key's sets, their number, and the same of the response."""
        key, response = alignment.documents()
        table, of_key, of_response = join_equal_sets(
            Overlap(key.entities, response.entities),
            find_set_members(key, [key])[0],
            find_set_members(response, [response])[0],
        )
        pairs = align_sets(table, of_key, of_response, CeafE())
        recall = fsum([pair.scores.recall for pair in pairs])
        precision = fsum([pair.scores.precision for pair in pairs])
        return recall, len(of_key), precision, len(of_response)
