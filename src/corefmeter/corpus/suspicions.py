"""Why two documents may have few mentions in common although they mean the same ones."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Common
from corefmeter.corpus.positions import Mention, is_more_than_a_place, is_run, place_of, shape_of
from corefmeter.problems import Problem

#: Causes, with what must be added to the start and the end of a run of the response to undo each.
_SHIFTS: dict[str, tuple[int, int]] = {
    "The response seems to have inclusive ends, the key exclusive ones; use the same": (0, 1),
    "The key seems to have inclusive ends, the response exclusive ones; use the same": (0, -1),
    "The response seems to count from 1, the key from 0": (-1, -1),
    "The key seems to count from 1, the response from 0": (1, 1),
    "The response seems to count from 1 and to have inclusive ends": (-1, 0),
    "The key seems to count from 1 and to have inclusive ends": (1, 0),
    "The response seems to count from 1, and the key to have inclusive ends": (-1, -2),
    "The key seems to count from 1, and the response to have inclusive ends": (1, 2),
}

_SHAPE = "Mentions have another shape on each side; write both alike, such as (start, end)"
_TYPES = "The types that are part of mentions differ; write them alike"
_TOKENS = "The tokens differ; align the characters of the texts with --align characters"


class Suspicion(NamedTuple):
    """Why a document, by its label, may have few mentions in common with its key.

    `mentions` are how many mentions are the same, how many the key has, and how many the response;
    `number` is how many would be the same without the cause.
    """

    document: str
    cause: str
    mentions: Common
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


def suspicion(key: Document, response: Document, mentions: Common) -> Suspicion | None:
    """Return the likely reason why few mentions are common, if there is one.

    A cause is likely if without it at least half of the differing mentions would be equal.

    >>> key, response = Document("x", [[(0, 2), (4, 5)]]), Document("x", [[(0, 1), (4, 4)]])
    >>> found = suspicion(key, response, Common(0, 2, 2))
    >>> found.cause, found.number
    ('The response seems to have inclusive ends, the key exclusive ones; use the same', 2)
    """
    if mentions.is_usual:
        return None
    matched, smaller = mentions.matched, min(mentions.key, mentions.response)
    causes = _causes(key, response, mentions.hardly_any)
    cause, number = max(causes.items(), key=lambda item: item[1], default=("", 0))
    if 2 * number < smaller + matched:
        return None
    if 2 * matched >= smaller and (number < smaller or cause not in _SHIFTS):
        return None
    return Suspicion(key.label, cause, mentions, number)


def common(key: Document, response: Document) -> Common:
    """Count equal mentions, key mentions and response mentions."""
    of_key, of_response = _mentions(key), _mentions(response)
    return Common(len(of_key & of_response), len(of_key), len(of_response))


def _causes(key: Document, response: Document, none: bool) -> dict[str, int]:
    """Return by cause how many mentions of the response would be in the key without it.

    `none` is true if hardly any is in the key now; only then the tokens or shapes can be the cause.
    """
    of_key, of_response = _mentions(key), _mentions(response)
    if any(map(is_more_than_a_place, of_key | of_response)):
        typed = len(of_key & of_response)
        of_key, of_response = set(map(place_of, of_key)), set(map(place_of, of_response))
        if (same := len(of_key & of_response)) > typed:
            return {_TYPES: same}
    if none and None not in (key.tokens, response.tokens) and key.tokens != response.tokens:
        return {_TOKENS: min(len(of_key), len(of_response))}
    if none and _most_common_shape(of_key) != _most_common_shape(of_response):
        return {_SHAPE: min(len(of_key), len(of_response))}
    runs = [mention for mention in of_response if is_run(mention)]
    return {
        cause: sum((start + first, end + last) in of_key for start, end in runs)
        for cause, (first, last) in _SHIFTS.items()
    }


def _mentions(document: Document) -> set[Mention]:
    return set(chain.from_iterable(document.entities))


def _most_common_shape(mentions: set[Mention]) -> object:
    """Return the shape of most mentions of a side; of several, the first by its text."""
    shapes = Counter(map(shape_of, mentions))
    return min(shapes, key=lambda shape: (-shapes[shape], str(shape)))
