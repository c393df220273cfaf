"""Mentions as sets of nodes: tokens, and empty nodes ``(at, at, k)``.

A node of the one kind never equals one of the other. Most mentions are one run of tokens,
``(start, end)``, half-open; for those nothing is made per token.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from corefmeter.corpus.model import Mention
from corefmeter.corpus.text import pieces

__all__ = ["Node", "Position", "common", "is_empty", "node_key", "nodes", "position_key", "size"]

Node: TypeAlias = int | tuple[int, int, int]

#: A mention made of positions: one run, or a tuple of runs and empty nodes.
Position: TypeAlias = tuple[Any, ...]


def is_empty(node: Node | None) -> bool:
    """Whether a node is an empty one."""
    return isinstance(node, tuple)


def _is_run(position: Position) -> bool:
    return len(position) == 2 and isinstance(position[0], int)


def nodes(position: Position) -> list[Node]:
    """The nodes of a mention, in the order of the text.

    Examples
    --------
    >>> nodes(((3, 5), (5, 5, 1), (7, 8)))
    [3, 4, (5, 5, 1), 7]
    """
    if _is_run(position):
        return list(range(position[0], position[1]))
    found: list[Node] = []
    for piece in pieces(position):
        if len(piece) == 2:
            found += range(piece[0], piece[1])
        else:
            found.append((piece[0], piece[1], piece[2]))
    return found


def size(position: Position) -> int:
    """The number of nodes."""
    if _is_run(position):
        return int(position[1] - position[0])
    return sum([max(1, piece[1] - piece[0]) for piece in pieces(position)])


def common(one: Position, other: Position) -> int:
    """The number of nodes of both.

    Examples
    --------
    >>> common((2, 6), (4, 9)), common((2, 6), ((0, 3), (4, 4, 1), (5, 8)))
    (2, 2)
    """
    if _is_run(one) and _is_run(other):
        return max(0, int(min(one[1], other[1]) - max(one[0], other[0])))
    return len(set(nodes(one)).intersection(nodes(other)))


def node_key(node: Node) -> tuple[int, int, int]:
    """What sorts nodes as they stand in the text: empty nodes before the token that follows."""
    return (node, 1, 0) if isinstance(node, int) else (node[0], 0, node[2])


def position_key(position: Mention) -> tuple[int, int, int, list[tuple[int, int, int]]]:
    """What sorts mentions for matching: by start, end and size, then node by node.

    Examples
    --------
    >>> sorted([((1, 2), (3, 3, 1)), (1, 3)], key=position_key)
    [(1, 3), ((1, 2), (3, 3, 1))]
    """
    found = pieces(position)
    within = [node_key(node) for node in nodes(found)]
    return found[0][0], found[-1][1], len(within), within
