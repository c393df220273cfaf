"""The order in which the mentions of a document are read.

A mention that begins earlier comes first; of those that begin with the same token the longer one,
which its bracket opens first; an empty node stands before the token that it precedes. Mentions that
are not positions of tokens (names given in Python) stay in the order of their list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from corefmeter.corpus.model import Entities, Mention

__all__ = ["hull", "in_reading_order", "position"]

#: What mentions are sorted by.
Position = tuple[int, int, int, int]


def position(mention: Mention) -> Position:
    """The place of a mention in the order of reading.

    Raises
    ------
    TypeError
        When the mention is not made of token positions.

    Examples
    --------
    >>> sorted([(3, 4), (3, 6), (0, 1), ((3, 3, 1),), ((3, 5), (8, 9))], key=position)
    [(0, 1), ((3, 3, 1),), ((3, 5), (8, 9)), (3, 6), (3, 4)]
    """
    match mention:
        case (int(start), int(end)):
            return start, 1, -end, 0
        case ((int(at), int(), int(number)), *_):
            return at, 0, number, -hull(mention)[1]
        case ((int(start), int()), *_):
            return start, 1, -hull(mention)[1], 0
    raise TypeError(f"{mention!r} is not a mention made of token positions")


def hull(mention: Mention) -> tuple[int, int]:
    """The first token of a mention and the end of its last piece.

    Raises
    ------
    TypeError
        When the mention is not made of token positions.

    Examples
    --------
    >>> hull((2, 4)), hull(((2, 4), (7, 8)))
    ((2, 4), (2, 8))
    """
    match mention:
        case (int(start), int(end)):
            return start, end
        case ((int(start), int(), *_), *_, (int(), int(end), *_)):
            return start, end
        case ((int(start), int(end), *_),):
            return start, end
    raise TypeError(f"{mention!r} is not a mention made of token positions")


def in_reading_order(
    entities: Sequence[Sequence[Mention]], order: Callable[[Mention], Any] = position
) -> Entities:
    """Entities with their mentions in the order of reading, each mention once.

    An entity with a mention for which `order` raises TypeError stays in the order of its list.

    Examples
    --------
    >>> in_reading_order([[(4, 5), (0, 2), (0, 3), (4, 5)], ["b", "a"]])
    [[(0, 3), (0, 2), (4, 5)], ['b', 'a']]
    """
    ordered = []
    for entity in entities:
        mentions = list(dict.fromkeys(entity))
        with suppress(TypeError):
            mentions = sorted(mentions, key=order)
        ordered.append(mentions)
    return ordered
