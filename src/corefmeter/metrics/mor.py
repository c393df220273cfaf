"""MOR, the mention overlap ratio of corefud-scorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefmeter.corpus.positions import count_nodes
from corefmeter.matching.exact import pair_equal
from corefmeter.matching.overlap import shared_nodes
from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class MentionOverlap(AlignedMetric):
    """R = sum of ``|K & S|`` / sum of ``|K|``, P = the same / sum of ``|S|``.

    The sum is taken over the one-to-one assignment of key mentions K to response mentions S that
    maximizes it. ``|K|`` counts words and empty nodes. The score depends neither on entities nor on
    the matching. Singletons count if the recipe keeps them.

    Equal mentions may be paired first. If K = S, pairing K with S' and K' with S is not better than
    pairing K with S and K' with S', since ``|K & S'| + |K' & K| = |K & (S' | K')| + |K & S' & K'|
    <= |K| + |K' & S'|``.

    >>> from corefmeter import Document, Recipe
    >>> from corefmeter.matching.stages import align
    >>> key, response = Document("x", [[(0, 4), (6, 7)]]), Document("x", [[(1, 4), (8, 9)]])
    >>> MentionOverlap().aligned_statistics(align(key, response, Recipe()))
    (3, 5, 3, 4)
    """

    name = "mor"
    title = "MOR"
    about = "Are the words of mentions found? Ignores entities and matching."
    papers = ("zabokrtsky-etal-2022",)
    aliases = ("mention_overlap_ratio",)

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return common words, words of key mentions, common words, words of response mentions."""
        alignment.require_positions()
        key, response = alignment.key, alignment.response
        every_key, every_response = range(len(key)), range(len(response))
        equal = [*pair_equal(key.positions, response.positions, every_key, every_response)]
        key_free = sorted({*every_key} - {k for k, _ in equal})
        response_free = sorted({*every_response} - {r for _, r in equal})
        shared = sum(count_nodes(key.positions[k]) for k, _ in equal)
        edges = shared_nodes(key, response, key_free, response_free)
        shared += sum(int(weight) for _, _, weight in best_assignment(edges))
        in_key = sum(map(count_nodes, key.positions))
        in_response = sum(map(count_nodes, response.positions))
        return shared, in_key, shared, in_response
