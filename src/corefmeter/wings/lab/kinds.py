"""All pairs of a key and a response with a few mentions, one of each kind.

A mention is a cell (k, r): its entity on each side, or None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, permutations, product
from typing import Any

from corefmeter.corpus.model import Entities, Mention

#: Key and response of one document, as tuples, so that values can be kept.
Side = tuple[tuple[Mention, ...], ...]
Pair = tuple[Side, Side]

Cell = tuple[int | None, int | None]


@cache
def kinds(mentions: int) -> tuple[Pair, ...]:
    """Return all pairs of a key and a response with so many mentions, up to renaming and order.

    Each mention stands on one side or on both. Pairs with fewer entities come first.

    Examples
    --------
    >>> for key, response in kinds(1):
    ...     print(key, response)
    (('a',),) ()
    () (('x',),)
    (('a',),) (('a',),)
    >>> [len(kinds(n)) for n in range(5)]
    [1, 3, 13, 48, 186]
    """
    made = [_named(cells) for cells in _forms(mentions)]
    return tuple(sorted(made, key=lambda pair: (len(pair[0]) + len(pair[1]), repr(pair))))


def up_to(mentions: int) -> Iterator[Pair]:
    """Yield all pairs up to renaming with one mention or more, smallest first."""
    return chain.from_iterable(kinds(n) for n in range(1, mentions + 1))


@cache
def _forms(mentions: int) -> frozenset[tuple[Cell, ...]]:
    """Return one tuple of cells for each kind: each kind of one mention less, and a mention."""
    if not mentions:
        return frozenset([()])
    found = set()
    for cells in _forms(mentions - 1):
        # Entities are numbered from 0 on; the new mention may be in one more.
        keys, responses = (len({cell[side] for cell in cells} - {None}) for side in (0, 1))
        for k, r in product((*range(keys + 1), None), (*range(responses + 1), None)):
            if not (k is None and r is None):
                found.add(_canonical([*cells, (k, r)]))
    return frozenset(found)


def _canonical(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return one form for all lists of cells that differ only in how entities are numbered.

    Key entities are sorted by a signature that does not depend on numbers. Of entities with equal
    signatures all orders are tried, and the smallest form is taken. In each order, response
    entities are sorted by the numbers of mentions that they share with the key entities.
    """
    count = Counter(cells)
    keys = {k for k, _ in cells if k is not None}
    responses = {r for _, r in cells if r is not None}
    size = Counter(r for _, r in cells)

    def signature(k: int) -> list[tuple[int, int, int]]:
        row = [(n, r) for (home, r), n in count.items() if home == k]
        return sorted((n, -1, 0) if r is None else (n, size[r], count[None, r]) for n, r in row)

    alike: dict[str, list[int]] = {}
    for k in keys:
        alike.setdefault(repr(signature(k)), []).append(k)
    groups = [alike[name] for name in sorted(alike)]
    best: tuple[Any, ...] | None = None
    for order in product(*map(permutations, groups)):
        rows = [*chain.from_iterable(order)]
        columns = sorted(tuple(count[k, r] for k in [*rows, None]) for r in responses)
        form = (columns, [count[k, None] for k in rows])
        if best is None or form < best:
            best = form
    assert best is not None
    columns, missing = best
    made: list[Cell] = [(k, None) for k, n in enumerate(missing) for _ in range(n)]
    for r, column in enumerate(columns):
        homes = [*range(len(missing)), None]
        made += [(k, r) for k, n in zip(homes, column, strict=True) for _ in range(n)]
    return tuple(made)


def _named(cells: Sequence[Cell]) -> Pair:
    """Return entities of letters: from a on for the key, from x on for twinless mentions."""
    order = sorted(cells, key=lambda cell: (cell[0] is None, cell[0] or 0, cell[1] is None))
    key_names, twinless = iter("abcdefghijklm"), iter("xyzuvwqrst")
    key: dict[int, list[str]] = {}
    response: dict[int, list[str]] = {}
    for k, r in order:
        name = next(twinless) if k is None else next(key_names)
        if k is not None:
            key.setdefault(k, []).append(name)
        if r is not None:
            response.setdefault(r, []).append(name)
    return frozen(list(key.values())), frozen(list(response.values()))


def frozen(entities: Iterable[Iterable[Mention]]) -> Side:
    """Return entities as tuples."""
    return tuple(map(tuple, entities))


def as_lists(side: Iterable[Iterable[Mention]]) -> Entities:
    """Return entities as lists."""
    return list(map(list, side))
