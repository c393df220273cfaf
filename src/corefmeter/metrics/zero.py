"""The anaphor-decomposable score of zeros: are they found and linked to the right entity?

As corefud-scorer defines it, for mentions that are headed by an empty node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefmeter.corpus.positions import Position, is_empty, node_key, nodes
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment
    from corefmeter.matching.sides import Side


class ZeroAnaphors(AlignedMetric):
    """R = TP / (TP + WL + FN), P = TP / (TP + WL + FP).

    A zero that is not the first mention of its entity is an anaphor. For each anaphor of the key:

    * FN (missed): it has no partner, or the partner is first in its entity, so no anaphor;
    * TP (right): the entity of the partner also holds a partner of an earlier mention of the key
      entity;
    * WL (wrong link): it does not.

    FP (spurious): an anaphor of the response, unless its partner is an anaphor of the key.

    Within an entity, mentions are ordered by their first word, then by their last word.
    """

    name = "zero"
    title = "Zeros"
    about = "Are zeros found, and linked to the right entity?"
    papers = ("tuggener-2014", "zabokrtsky-etal-2022")
    aliases = ("zeros", "anaphor_decomposable")
    shows = ("zeros",)
    details = True

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """TP, TP + WL + FN, TP, TP + WL + FP."""
        alignment.require_positions()
        key, response = alignment.key, alignment.response
        key_order, response_order = _in_order(key), _in_order(response)
        first_of_response = {entity[0] for entity in response_order if entity}
        right = wrong = missed = spurious = 0
        key_anaphors = set()
        for entity in key_order:
            reached: set[int] = set()  # response entities with a partner of a mention so far
            for place, k in enumerate(entity):
                partner = alignment.key_partner[k]
                if place and is_empty(key.heads[k]):
                    key_anaphors.add(k)
                    if partner is None or partner in first_of_response:
                        missed += 1
                    elif response.homes[partner] in reached:
                        right += 1
                    else:
                        wrong += 1
                if partner is not None:
                    reached.add(response.homes[partner])
        for entity in response_order:
            for r in entity[1:]:
                if is_empty(response.heads[r]):
                    spurious += alignment.response_partner[r] not in key_anaphors
        return right, right + wrong + missed, right, right + wrong + spurious


def _in_order(side: Side) -> list[list[int]]:
    """Return the numbers of the mentions of each entity, in the order of the text."""
    return [
        sorted(numbers, key=lambda number: _key(side.positions[number]))
        for numbers in side.grouped(range(len(side)))
    ]


def _key(position: Position) -> tuple[tuple[int, int, int], tuple[int, int, int], int]:
    within = nodes(position)
    return node_key(within[0]), node_key(within[-1]), len(within)
