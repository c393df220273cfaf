"""The anaphor-decomposable score of zeros, as corefud-scorer defines it."""

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

    A zero is a mention headed by an empty node. It is an anaphor if it is not the first mention of
    its entity. For each anaphor of the key:

    * FN (missed): it has no partner, or the partner is the first mention of its entity;
    * TP (correct): the entity of the partner also contains the partner of an earlier mention of
      the key entity;
    * WL (wrong link): the entity of the partner does not have such a partner.

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
        """Return TP, TP + WL + FN, TP, TP + WL + FP."""
        alignment.require_positions()
        key, response = alignment.key, alignment.response
        response_order = _sort_entities(response)
        first_of_response = {entity[0] for entity in response_order if entity}
        key_anaphors = set()
        correct = linked = spurious = 0
        for entity in _sort_entities(key):
            reached: set[int] = set()  # response entities with a partner of an earlier mention
            for place, k in enumerate(entity):
                partner = alignment.key_partner[k]
                is_anaphor = place > 0 and is_empty(key.heads[k])
                if is_anaphor:
                    key_anaphors.add(k)
                if partner is None:
                    continue
                home = response.homes[partner]
                if is_anaphor and partner not in first_of_response:
                    linked += 1
                    correct += home in reached
                reached.add(home)
        for entity in response_order:
            for r in entity[1:]:
                if is_empty(response.heads[r]):
                    spurious += alignment.response_partner[r] not in key_anaphors
        return correct, len(key_anaphors), correct, linked + spurious


def _sort_entities(side: Side) -> list[list[int]]:
    """Return the numbers of the mentions of each entity, in the order of the text."""
    return [
        sorted(numbers, key=lambda number: _order_key(side.positions[number]))
        for numbers in side.grouped(range(len(side)))
    ]


def _order_key(position: Position) -> tuple[tuple[int, int, int], tuple[int, int, int], int]:
    within = nodes(position)
    return node_key(within[0]), node_key(within[-1]), len(within)
