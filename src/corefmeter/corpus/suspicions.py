"""Why two sides may have no mention in common although they mean the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import (
    Mention,
    is_more_than_a_place,
    is_run,
    pieces_if_any,
    place_of,
)

#: Fewer than one in so many mentions of the smaller side are hardly any.
FEW = 10

#: What another convention would make of a run of the response.
_SHIFTS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "The response seems to have inclusive ends, the key exclusive ones; write both alike":
        lambda start, end: (start, end + 1),
    "The key seems to have inclusive ends, the response exclusive ones; write both alike":
        lambda start, end: (start, end - 1),
    "The response seems to count from 1, the key from 0":
        lambda start, end: (start - 1, end - 1),
    "The key seems to count from 1, the response from 0":
        lambda start, end: (start + 1, end + 1),
    "The response seems to count from 1 and to have inclusive ends":
        lambda start, end: (start - 1, end),
    "The key seems to count from 1 and to have inclusive ends":
        lambda start, end: (start + 1, end),
}  # fmt: skip

_SHAPE = "Mentions have another shape on each side; write both alike, such as (start, end)"
_TYPES = "The types that are part of mentions differ; write them alike"
_TOKENS = "The tokens differ; align the characters of the texts with --align characters"


def hardly_any(matched: int, key: int, response: int) -> bool:
    """Whether both sides have mentions and hardly any of them is on both.

    Examples
    --------
    >>> hardly_any(0, 3, 2), hardly_any(1, 30, 20), hardly_any(0, 3, 0), hardly_any(2, 30, 20)
    (True, True, False, False)
    """
    smaller = min(key, response)
    return smaller > 0 and FEW * matched < smaller


def suspicions(key: Document, response: Document) -> dict[str, int]:
    """By reason, how many mentions of the response would be in the key.

    Examples
    --------
    >>> key, response = Document("x", [[(0, 2), (4, 5)]]), Document("x", [[(0, 1), (4, 4)]])
    >>> suspicions(key, response)
    {'The response seems to have inclusive ends, the key exclusive ones; write both alike': 2}
    """
    of_key, of_response = _mentions(key), _mentions(response)
    if any(map(is_more_than_a_place, of_key | of_response)):
        of_key, of_response = set(map(place_of, of_key)), set(map(place_of, of_response))
        if same := len(of_key & of_response):
            return {_TYPES: same}
    if key.tokens is not None and response.tokens is not None and key.tokens != response.tokens:
        return {_TOKENS: min(len(of_key), len(of_response))}
    if _usual_shape(of_key) != _usual_shape(of_response):
        return {_SHAPE: min(len(of_key), len(of_response))}
    runs = [mention for mention in of_response if is_run(mention)]
    found = {
        reason: sum(shifted(*run) in of_key for run in runs) for reason, shifted in _SHIFTS.items()
    }
    return {reason: number for reason, number in found.items() if number}


def _mentions(document: Document) -> set[Mention]:
    return {mention for entity in document.entities for mention in entity}


def _usual_shape(mentions: set[Mention]) -> object:
    """What most mentions of a side are like."""
    ((shape, _),) = Counter(map(_shape, mentions)).most_common(1)
    return shape


def _shape(mention: Mention) -> object:
    """What mentions that can be the same have alike."""
    if is_run(mention) or pieces_if_any(mention):
        return "position"
    return len(mention) if isinstance(mention, tuple) else type(mention)
