"""All pairs of a key and a response with a few mentions, up to renaming.

A mention is represented by a cell (k, r): the numbers of its key and response entity, or None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby, permutations, product

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import grouped

#: Key and response of one document, as tuples, which can be cached.
Side = tuple[tuple[Mention, ...], ...]
Pair = tuple[Side, Side]

Cell = tuple[int | None, int | None]


@cache
def kinds(mentions: int) -> tuple[Pair, ...]:
    """Return all pairs of a key and a response with n mentions, up to renaming and order.

    Each mention is on one side or on both. Pairs with fewer entities come first.

    >>> for key, response in kinds(1):
    ...     print(key, response)
    (('a',),) ()
    () (('x',),)
    (('a',),) (('a',),)
    >>> [len(kinds(n)) for n in range(5)]
    [1, 3, 13, 48, 186]
    """
    pairs = map(_name_mentions, _forms(mentions))
    return tuple(sorted(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), repr(pair))))


def up_to(mentions: int) -> Iterator[Pair]:
    """Yield the pairs with one mention or more, up to a number, smallest first."""
    return chain.from_iterable(kinds(n) for n in range(1, mentions + 1))


@cache
def _forms(mentions: int) -> frozenset[tuple[Cell, ...]]:
    """Return the canonical cells of all pairs: those with one mention less, and a new mention."""
    if not mentions:
        return frozenset([()])
    forms = set()
    for cells in _forms(mentions - 1):
        # Entities are numbered from 0; the new mention may be in a new one.
        keys, responses = (len({cell[side] for cell in cells} - {None}) for side in (0, 1))
        for cell in product((*range(keys + 1), None), (*range(responses + 1), None)):
            if cell != (None, None):
                forms.add(_canonical([*cells, cell]))
    return frozenset(forms)


def _canonical(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return one form for all lists of cells that differ only in the numbers of entities.

    Key entities are sorted by a signature that does not depend on numbers. All orders of entities
    with equal signatures are tried, and the smallest form is returned. In each order, response
    entities are sorted by the numbers of mentions that they share with the key entities.
    """
    count = Counter(cells)
    keys = {k for k, _ in cells if k is not None}
    responses = {r for _, r in cells if r is not None}
    size = Counter(r for _, r in cells)

    def signature(k: int) -> str:
        row = [(n, r) for (home, r), n in count.items() if home == k]
        parts = ((n, -1, 0) if r is None else (n, size[r], count[None, r]) for n, r in row)
        return repr(sorted(parts))

    def form(rows: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int]]:
        """Return the counts of each response entity, and those of missing mentions."""
        columns = sorted(tuple(count[k, r] for k in [*rows, None]) for r in responses)
        return columns, [count[k, None] for k in rows]

    groups = [list(group) for _, group in groupby(sorted(keys, key=signature), signature)]
    orders = product(*map(permutations, groups))
    columns, missing = min(form(list(chain.from_iterable(order))) for order in orders)
    canonical: list[Cell] = [(k, None) for k, n in enumerate(missing) for _ in range(n)]
    homes = [*range(len(missing)), None]
    for r, column in enumerate(columns):
        canonical += [(k, r) for k, n in zip(homes, column, strict=True) for _ in range(n)]
    return tuple(canonical)


def _name_mentions(cells: Sequence[Cell]) -> Pair:
    """Return entities of letters: a, b, … for key mentions, x, y, … for mentions not in the key."""
    order = sorted(cells, key=lambda cell: (cell[0] is None, cell[0] or 0, cell[1] is None))
    key_names, twinless = iter("abcdefghijklm"), iter("xyzuvwqrst")
    named = [(next(twinless if k is None else key_names), k, r) for k, r in order]
    key = grouped((k, name) for name, k, _ in named if k is not None)
    response = grouped((r, name) for name, _, r in named if r is not None)
    return frozen(key.values()), frozen(response.values())


def frozen(entities: Iterable[Iterable[Mention]]) -> Side:
    """Return entities as tuples."""
    return tuple(map(tuple, entities))


def as_lists(side: Iterable[Iterable[Mention]]) -> Entities:
    """Return entities as lists."""
    return list(map(list, side))
