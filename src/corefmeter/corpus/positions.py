"""Mentions as positions in a document: their types, and all questions about their shape.

A mention is any hashable value. These types are told apart, here only; all are plain tuples but the
last, for speed:

- a *run* of tokens, half-open: ``(2, 5)``, as most mentions are; nothing is made per token;
- *pieces*, each a run or an empty node, in the order of the text: ``((2, 5), (7, 8))``, for gaps;
- *empty nodes* alone, pieces too: ``((4, 4, 1),)``;
- a *copy*, ``((2, 5), 2)``, is the second of several mentions at one position;
- an *opaque* mention, such as a name given in Python, is no position and only equal or not.

An empty node precedes a token: ``(at, at, k)`` is the k-th before token `at`, and belongs to the
sentence of the token before. ``(at, at, k, True)`` is the k-th of those that begin the sentence of
token `at`. So node 2.1 at the end of a sentence is not node 0.1 of the next.

A *node* is a token or an empty node. Functions raise TypeError for an opaque mention, unless they
say what they return for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Mention = Hashable

#: ``(at, at, k)``, or ``(at, at, k, True)`` at the beginning of a sentence.
EmptyNode: TypeAlias = tuple[int, ...]

#: A token or an empty node.
Node: TypeAlias = int | EmptyNode

#: A run or an empty node.
Piece: TypeAlias = tuple[int, ...]

#: A mention that is not opaque: a run, or the tuple of its pieces.
Position: TypeAlias = tuple[Any, ...]

#: From a token, or from the end of a run, to where it is in other positions.
Move: TypeAlias = Callable[[int], int]


# ---- types ------------------------------------------------------------------------------------


def is_run(mention: Mention) -> TypeGuard[tuple[int, int]]:
    """Return whether a mention is one run of tokens."""
    return (
        isinstance(mention, tuple)
        and len(mention) == 2
        and isinstance(mention[0], int)
        and isinstance(mention[1], int)
    )


def is_name(mention: Mention) -> TypeIs[str]:
    """Return whether a mention is a text."""
    return isinstance(mention, str)


def is_token(node: Node | None) -> TypeIs[int]:
    """Return whether a node is a token."""
    return isinstance(node, int)


def is_empty(node: Node | Piece | None) -> TypeGuard[EmptyNode]:
    """Return whether a node, or a piece, is an empty node."""
    return isinstance(node, tuple) and len(node) > 2


def is_initial(node: EmptyNode) -> bool:
    """Return whether an empty node precedes the first token of its sentence."""
    return len(node) > 3


def pieces(mention: Mention) -> tuple[Piece, ...]:
    """Return the pieces of a mention; a run is one piece, a copy has those of its position."""
    if isinstance(mention, tuple) and mention:
        if isinstance(mention[0], tuple):
            return pieces(mention[0]) if isinstance(mention[-1], int) else mention
        if isinstance(mention[0], int):
            return (mention,)
    raise _opaque(mention)


def pieces_if_any(mention: Mention) -> tuple[Piece, ...]:
    """Return the pieces of a mention, or an empty tuple if it is opaque or a piece is invalid."""
    try:
        parts = pieces(mention)
    except TypeError:
        return ()
    return parts if all(map(_is_piece, parts)) else ()


def _is_piece(piece: object) -> bool:
    """Return whether a value is a run of at least one token or a valid empty node."""
    match piece:
        case (int(start), int(end)):
            return 0 <= start < end
        case (int(start), int(end), int(k)) | (int(start), int(end), int(k), True):
            return 0 <= start == end and k > 0
    return False


def _opaque(mention: Mention) -> TypeError:
    return TypeError(f"{mention!r} is not a mention made of token positions")


def place_of(mention: Mention) -> Mention:
    """Return a mention's position without other parts of its identity, such as a type.

    Such a mention is a tuple of a class of its own, which is equal to no plain one.
    """
    return tuple(mention) if isinstance(mention, tuple) else mention


def is_more_than_a_place(mention: Mention) -> bool:
    """Return whether another mention can be at the same place, such as one of another type."""
    return type(mention) is not tuple and place_of(mention) != mention


def shape_of(mention: Mention) -> object:
    """Return a value that equal mentions have in common: ``position``, a length or a class."""
    if pieces_if_any(mention) or is_run(mention):
        return "position"
    return len(mention) if isinstance(mention, tuple) else type(mention)


# ---- tokens and nodes -------------------------------------------------------------------------


def tokens_of(mention: Mention) -> list[int]:
    """Return the tokens of a mention, without empty nodes."""
    return [token for piece in pieces(mention) for token in range(piece[0], piece[1])]


def nodes(mention: Mention) -> list[Node]:
    """Return the nodes of a mention, in the order of its pieces."""
    if is_run(mention):
        return list(range(*mention))
    mention_nodes: list[Node] = []
    for piece in pieces(mention):
        mention_nodes += (piece,) if is_empty(piece) else range(*piece)
    return mention_nodes


def count_nodes(mention: Mention) -> int:
    """Return the number of nodes."""
    if is_run(mention):
        return mention[1] - mention[0]
    return sum([max(1, piece[1] - piece[0]) for piece in pieces(mention)])


def number_of_tokens(mention: Mention) -> int:
    """Return the number of tokens of a mention, without empty nodes; 0 if it is opaque."""
    return sum([piece[1] - piece[0] for piece in _disjoint_pieces(mention)])


def covers(mention: Mention, token: int) -> bool:
    """Return whether a mention contains a token; never if the mention is opaque."""
    return any(piece[0] <= token < piece[1] for piece in _disjoint_pieces(mention))


def count_common_nodes(one: Mention, other: Mention) -> int:
    """Return the number of nodes that two mentions share."""
    if is_run(one) and is_run(other):
        return max(0, min(one[1], other[1]) - max(one[0], other[0]))
    return len(set(nodes(one)).intersection(nodes(other)))


def common_node_counts(
    some: Sequence[Mention], others: Sequence[Mention], empty: bool = True
) -> dict[tuple[int, int], int]:
    """Count the common nodes of each pair of mentions that has one, by the places of the two.

    Opaque mentions have none; empty nodes count unless `empty` is false. A sweep line visits runs
    by their starts and keeps a heap of the open runs of each side, so that only pairs that overlap
    are visited, and nothing is made per token.
    """
    counts: dict[tuple[int, int], int] = {}
    runs: list[tuple[int, int, int, int]] = []
    at_node: dict[Piece, list[int]] = {}
    for side, mentions in enumerate((some, others)):
        for place, mention in enumerate(mentions):
            for piece in _disjoint_pieces(mention):
                if not is_empty(piece):
                    runs.append((piece[0], piece[1], side, place))
                elif empty and side == 0:
                    at_node.setdefault(piece, []).append(place)
                elif empty:
                    for one in at_node.get(piece, ()):
                        counts[one, place] = counts.get((one, place), 0) + 1
    opened: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for start, end, side, place in sorted(runs):
        open_there = opened[1 - side]
        while open_there and open_there[0][0] <= start:
            heappop(open_there)
        for until, other in open_there:
            pair = (other, place) if side else (place, other)
            counts[pair] = counts.get(pair, 0) + min(end, until) - start
        heappush(opened[side], (end, place))
    return counts


def _disjoint_pieces(mention: Mention) -> Sequence[Piece]:
    """Return a mention's pieces without common nodes; empty if the mention is opaque."""
    if is_run(mention):
        return (mention,) if mention[0] < mention[1] else ()
    parts = pieces_if_any(mention)
    runs = sorted(piece for piece in parts if not is_empty(piece))
    if all(before[1] <= after[0] for before, after in pairwise(runs)):
        return parts
    ends = consecutive(sorted({token for run in runs for token in range(*run)}))
    joined = [(first, last + 1) for first, last in ends]
    return [*joined, *{piece for piece in parts if is_empty(piece)}]


def outer_span(mention: Mention) -> tuple[int, int]:
    """Return the first token of a mention and the end of its last piece."""
    if is_run(mention):
        return mention
    parts = pieces(mention)
    match parts[0], parts[-1]:
        case (int(start), int(), *_), (int(), int(end), *_):
            return start, end
    raise _opaque(mention)


def has_gap(mention: Mention) -> bool:
    """Return whether a mention skips tokens between its first and its last."""
    runs = sorted(piece for piece in pieces(mention) if not is_empty(piece))
    return any(before[1] < after[0] for before, after in pairwise(runs))


def consecutive(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last number of each consecutive sequence in ascending numbers.

    >>> consecutive([1, 2, 3, 6, 8, 9])
    [(1, 3), (6, 6), (8, 9)]
    """
    ends: list[tuple[int, int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1] = ends[-1][0], number
        else:
            ends.append((number, number))
    return ends


# ---- order ------------------------------------------------------------------------------------

#: The rank of a token among the nodes at the same place: empty nodes come before it.
_TOKEN = 2


def node_key(node: Node) -> tuple[int, int, int]:
    """Return the sort key of nodes in text order."""
    return (node, _TOKEN, 0) if is_token(node) else (node[0], int(is_initial(node)), node[2])


def piece_key(piece: Piece) -> tuple[int, int, int]:
    """Return the sort key of pieces in text order."""
    return node_key(piece) if is_empty(piece) else (piece[0], _TOKEN, piece[1])


def position_key(mention: Mention) -> tuple[int, int, int, list[tuple[int, int, int]]]:
    """Return the sort key of mentions for matching: by start, end and size, then node by node."""
    parts = pieces(mention)
    number = sum([1 if is_empty(piece) else _length(piece) for piece in parts])
    return parts[0][0], parts[-1][1], number, _nodes_key(parts)


def _length(run: Piece) -> int:
    """Count the tokens of a run; `range` rejects non-integers and builds no list."""
    tokens = range(run[0], run[1])
    return max(0, tokens.stop - tokens.start)


def _nodes_key(parts: Sequence[Piece]) -> list[tuple[int, int, int]]:
    """Return the sort key of equally long lists of nodes without building them.

    Two runs with the same start compare by the node that follows the shorter run. A node before the
    next token makes its list smaller, the more so the earlier the run ends; a later node makes it
    greater.
    """
    keys: list[tuple[int, int, int]] = []
    end: int | None = None  # of the run that the keys end with
    for piece in parts:
        empty = is_empty(piece)
        first = node_key(piece) if empty else (piece[0], _TOKEN, 0)
        if not empty and piece[0] >= piece[1]:
            continue
        if end is not None and first != (end, _TOKEN, 0):
            keys.append((0, end, 0) if first < (end, _TOKEN, 0) else (1, -end, 0))
            end = None
        if end is None:
            keys.append(first)
        if not empty:
            end = piece[1]
    return keys if end is None else [*keys, (1, -end, 0)]


def reading_key(mention: Mention) -> tuple[int, int, int, Any]:
    """Return the sort key of mentions in reading order.

    A mention that begins earlier comes first; of those that begin with the same token the longer
    one, which its bracket opens first; an empty node before the token that it precedes. Of mentions
    with the same outer span, the one without gap comes first, then the others by their pieces.
    """
    if is_run(mention):
        return mention[0], _TOKEN, -mention[1], ()
    start, end = outer_span(mention)
    parts = pieces(mention)
    if is_empty(parts[0]):
        return *node_key(parts[0]), (-end, parts)
    return start, _TOKEN, -end, parts


def order_of_runs(runs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the places of runs by `reading_key`; equal ones stay in the order of the list."""
    # Two fast sorts by numbers: the second keeps runs with one start in the order of the first.
    longest = sorted(range(len(runs)), key=[end for _, end in runs].__getitem__, reverse=True)
    return sorted(longest, key=[start for start, _ in runs].__getitem__)


def in_reading_order(entities: Sequence[Sequence[Mention]]) -> list[list[Mention]]:
    """Return entities with their mentions in the order of reading, each mention once.

    An entity with an opaque mention stays in the order of its list.
    """
    ordered = []
    for entity in entities:
        mentions = list(dict.fromkeys(entity))
        with suppress(TypeError):
            mentions = sorted(mentions, key=reading_key)
        ordered.append(mentions)
    return ordered


def content_key(mention: Mention) -> tuple[Any, ...]:
    """Return the sort key of any mentions by content: reading order, then text.

    >>> sorted(["b", (3, 4), "a", (0, 2)], key=content_key)
    [(0, 2), (3, 4), 'a', 'b']
    """
    try:
        return 0, reading_key(mention), repr(mention)
    except TypeError:
        return 1, (), repr(mention)


def content_ranks(entities: Sequence[Sequence[Mention]]) -> list[int]:
    """Return the rank of each entity by its mentions, in whatever order they are listed.

    >>> content_ranks([["d", "c"], ["b"], ["a", "e"]])
    [2, 1, 0]
    """
    keys = [sorted(map(content_key, entity)) for entity in entities]
    ranks = [0] * len(entities)
    for rank, place in enumerate(sorted(range(len(entities)), key=keys.__getitem__)):
        ranks[place] = rank
    return ranks


# ---- making mentions --------------------------------------------------------------------------


def mention_of(parts: Iterable[Piece]) -> Mention:
    """Return the mention that consists of pieces given in any order.

    Runs that touch are joined, and runs are split at empty nodes of the mention. A single run is
    the mention itself.
    """
    empty_nodes: list[Piece] = []
    runs: list[Piece] = []
    for part in sorted(set(parts)):
        if is_empty(part):
            empty_nodes.append(part)
        elif runs and part[0] <= runs[-1][1]:
            runs[-1] = runs[-1][0], max(part[1], runs[-1][1])
        else:
            runs.append(part)
    if len(runs) == 1 and not empty_nodes:
        return runs[0]
    places = {node[0] for node in empty_nodes}
    split_runs: list[Piece] = []
    for start, end in runs:
        split_runs += pairwise(sorted({start, end, *(at for at in places if start < at < end)}))
    return tuple(sorted([*empty_nodes, *split_runs], key=piece_key))


def all_empty_nodes(parts: Iterable[Node]) -> list[EmptyNode]:
    """Return the empty nodes among nodes or pieces, in order, and those that must precede them."""
    last: dict[tuple[int, bool], int] = {}
    for part in parts:
        if is_empty(part):
            place = part[0], is_initial(part)
            last[place] = max(part[2], last.get(place, 0))
    return [
        (at, at, k, True) if initial else (at, at, k)
        for at, initial in sorted(last)
        for k in range(1, last[at, initial] + 1)
    ]


def move_mention(mention: Mention, begin: Move, end: Move) -> Mention:
    """Return a mention in other positions; an opaque one stays as it is.

    `begin` maps a token, `end` the end of a run, which is the token after the run.
    """
    if is_run(mention):
        return move_piece(mention, begin, end)
    if parts := pieces_if_any(mention):
        return tuple([move_piece(piece, begin, end) for piece in parts])
    return mention


def move_piece(piece: Piece, begin: Move, end: Move) -> Piece:
    """Return a piece in other positions; see `move_mention`."""
    if is_empty(piece):
        at = end(piece[0])
        return at, at, *piece[2:]
    # White-space tokens may vanish, so that the moved end comes before the moved start.
    return tuple(sorted((begin(piece[0]), end(piece[1]))))


def move_node(node: Node, begin: Move, end: Move) -> Node:
    """Return a node in other positions, see `move_mention`; -1, the parent of a root, stays."""
    if is_token(node):
        return node if node < 0 else begin(node)
    return move_piece(node, begin, end)
