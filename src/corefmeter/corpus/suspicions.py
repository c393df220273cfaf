"""Why two documents may have few mentions in common although they mean the same ones."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import MentionCounts
from corefmeter.corpus.positions import Mention, is_more_than_a_place, is_run, place_of, shape_of
from corefmeter.problems import Problem

#: Causes, with what must be added to the start and the end of a run of the response to undo each.
_SHIFTS: dict[str, tuple[int, int]] = {
    "The response seems to have inclusive ends, but the key exclusive ones": (0, 1),
    "The key seems to have inclusive ends, but the response exclusive ones": (0, -1),
    "The response seems to count from 1, the key from 0": (-1, -1),
    "The key seems to count from 1, the response from 0": (1, 1),
    "The response seems to count from 1 and to have inclusive ends": (-1, 0),
    "The key seems to count from 1 and to have inclusive ends": (1, 0),
    "The response seems to count from 1, and the key to have inclusive ends": (-1, -2),
    "The key seems to count from 1, and the response to have inclusive ends": (1, 2),
}

_SHAPE = "The mentions of the two sides have different forms; use one, such as (start, end)"
_TYPES = "The types that are part of mentions differ; use the same on both sides"
_TOKENS = "The tokens differ; align the characters of the texts with --align characters"


class Suspicion(NamedTuple):
    """The likely cause why a document has few mentions in common with its key.

    `document` is its label; `number` is how many mentions would be common without the cause.
    """

    document: str
    cause: str
    mentions: MentionCounts
    number: int

    def problem(self, path: str | None) -> Problem:
        """Return the warning."""
        matched, key, response = self.mentions
        reason = (
            f"{matched or 'none'} of {key} mentions of the key and {response} of the response are "
            "the same"
        )
        hint = f"{self.cause} (then {self.number} would be the same)." if self.cause else None
        document = self.document or None
        return Problem("no-common-mention", reason, path=path, hint=hint, document=document)


def find_suspicion(key: Document, response: Document, mentions: MentionCounts) -> Suspicion | None:
    """Return the likely reason why few mentions are common, if there is one.

    A cause is likely if without it at least half of the differing mentions would be equal.

    >>> key, response = Document("x", [[(0, 2), (4, 5)]]), Document("x", [[(0, 1), (4, 4)]])
    >>> suspicion = find_suspicion(key, response, MentionCounts(0, 2, 2))
    >>> suspicion.cause, suspicion.number
    ('The response seems to have inclusive ends, but the key exclusive ones', 2)
    """
    if mentions.are_usual:
        return None
    matched, smaller = mentions.matched, min(mentions.key, mentions.response)
    causes = _count_by_cause(key, response, mentions.are_disjoint)
    cause, number = max(causes.items(), key=lambda item: item[1], default=("", 0))
    if 2 * number < smaller + matched:
        return None
    if 2 * matched >= smaller and (number < smaller or cause not in _SHIFTS):
        return None
    return Suspicion(key.label, cause, mentions, number)


def count_mentions(key: Document, response: Document) -> MentionCounts:
    """Count equal mentions, key mentions and response mentions."""
    of_key, of_response = _mentions(key), _mentions(response)
    return MentionCounts(len(of_key & of_response), len(of_key), len(of_response))


def _count_by_cause(key: Document, response: Document, disjoint: bool) -> dict[str, int]:
    """Return by cause how many mentions of the response would be in the key without it.

    Different tokens or shapes can be the cause only if the mentions are (nearly) disjoint.
    """
    of_key, of_response = _mentions(key), _mentions(response)
    if any(map(is_more_than_a_place, of_key | of_response)):
        common = len(of_key & of_response)
        of_key, of_response = set(map(place_of, of_key)), set(map(place_of, of_response))
        common_places = len(of_key & of_response)
        if common_places > common:
            return {_TYPES: common_places}
    if disjoint and None not in (key.tokens, response.tokens) and key.tokens != response.tokens:
        return {_TOKENS: min(len(of_key), len(of_response))}
    if disjoint and _most_common_shape(of_key) != _most_common_shape(of_response):
        return {_SHAPE: min(len(of_key), len(of_response))}
    runs = [mention for mention in of_response if is_run(mention)]
    return {
        cause: sum((start + first, end + last) in of_key for start, end in runs)
        for cause, (first, last) in _SHIFTS.items()
    }


def _mentions(document: Document) -> set[Mention]:
    return set(chain.from_iterable(document.entities))


def _most_common_shape(mentions: set[Mention]) -> object:
    """Return the shape of most mentions of a side; of equally common ones, the first by name."""
    shapes = Counter(map(shape_of, mentions))
    return min(shapes, key=lambda shape: (-shapes[shape], str(shape)))
