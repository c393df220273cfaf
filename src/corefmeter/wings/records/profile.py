"""A table of overlaps, represented by the kinds of its cells and the number of cells of each.

A metric needs three numbers of a cell: the mentions in common and the sizes of both entities. Of
10^8 cells only some thousands differ in these, so a database counts the kinds of cells, and metrics
are computed once for each kind, times its number of cells. Sums are exact, so the results are those
of the table itself, whatever the order of rows or the number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.overlap import (
    Cells,
    CellValues,
    EntityValues,
    Overlap,
    Side,
    divided,
    pairs,
)
from corefmeter.problems import OptionError


class CellKind(NamedTuple):
    """Cells that metrics treat alike, and their number.

    The entities of a `lone` cell have no other partner.
    """

    n: int
    key_size: int
    response_size: int
    key_matched: int
    response_matched: int
    lone: bool
    times: int


class EntityKind(NamedTuple):
    """Entities of one size, with one number of mentions on the other side, and their number."""

    size: int
    matched: int
    times: int


class TakenKind(NamedTuple):
    """Cells of an assignment that a similarity treats alike, and their number."""

    n: int
    key_size: int
    response_size: int
    times: int


class Cell(NamedTuple):
    """A cell with the names of its entities."""

    key: Any
    response: Any
    n: int
    key_size: int
    response_size: int


class Choice(NamedTuple):
    """Cells that belong to an assignment, and those `left` from which the others are chosen.

    If too many were left, `guessed` has cells that can be taken in addition to `taken`, and `upper`
    is the most that other cells in their place could add.
    """

    taken: Sequence[TakenKind]
    left: Sequence[Cell]
    guessed: Sequence[TakenKind] = ()
    upper: float = 0


class Source(NamedTuple):
    """Functions that provide the cells of a document when they are needed.

    `choice` takes similarities and returns the cells of an assignment, except lone ones. `best`
    takes a function of cells and a side. It returns the greatest values of the entities of the
    side, as pairs of a value and its number, or None if they must be computed from the cells.
    """

    cells: Callable[[], Sequence[Cell]]
    choice: Callable[[CellValues], Choice]
    best: Callable[[CellValues, Side], Sequence[tuple[Any, int]] | None]


class Profile(Overlap):
    """The table of one document, represented by the kinds of its cells and entities.

    If a metric accesses the cells, all of them are fetched from the database. After `assigned`, the
    greatest total may be up to `reach` times the returned one; 1 means that it is exact.

    >>> table = profile_of_labels(["a", "a", "a", "b"], ["x", "x", "y", "y"])
    >>> table.matched, table.key_entities, table.shared_entities, table.links_in_common
    (4, 2, 3, 1)
    >>> table.over_cells(lambda cells, key, response: [n / response[r] for _, r, n in cells])
    2.0
    """

    def __init__(
        self, kinds: Iterable[CellKind], entities: Sequence[Iterable[EntityKind]], source: Source
    ) -> None:
        self.kinds = list(kinds)
        key, response = map(list, entities)
        self.entity_kinds: dict[Side, list[EntityKind]] = {"key": key, "response": response}
        self.source = source
        self.reach = 1.0
        self.repeats = False
        self._numbered_cells: tuple[Sequence[Cell], tuple[Cells, list[int], list[int]]] | None = (
            None
        )
        self.matched = sum(kind.n * kind.times for kind in self.kinds)
        self.key_mentions = sum(kind.size * kind.times for kind in key)

    @property
    def response_memberships(self) -> int:
        """The sum of the sizes of the response entities."""
        return sum(kind.size * kind.times for kind in self.entity_kinds["response"])

    #: Each response mention is in one entity.
    response_mentions = response_memberships

    @property
    def key_entities(self) -> int:
        """The number of entities of the key."""
        return sum(_counts(self.entity_kinds["key"]))

    @property
    def response_entities(self) -> int:
        """The number of entities of the response."""
        return sum(_counts(self.entity_kinds["response"]))

    @property
    def shared_entities(self) -> int:
        """The number of cells."""
        return sum(_counts(self.kinds))

    @property
    def links_in_common(self) -> int:
        """The links within the cells."""
        return sum(kind.times * pairs(kind.n) for kind in self.kinds)

    def over_cells(
        self, values: CellValues, matched: bool = False, *, links: bool = False
    ) -> float:
        """Return the correctly rounded sum of the values of all cells; see `Overlap`."""
        kinds = self.kinds
        if matched:
            kinds = [
                kind._replace(key_size=kind.key_matched, response_size=kind.response_matched)
                for kind in kinds
            ]
        return float(weighted(_of_kinds(values, kinds), _counts(kinds)))

    def over_entities(self, values: EntityValues, side: Side, matched: bool = False) -> Any:
        """Return the sum of the values of the entities of a side; see `Overlap`."""
        kinds = self.entity_kinds[side]
        sizes = [kind.matched if matched else kind.size for kind in kinds]
        return weighted(values(sizes), _counts(kinds))

    def over_best(self, values: CellValues, side: Side) -> Any:
        """Return the sum of the greatest values of the entities of a side; see `Overlap`."""
        greatest = self.source.best(values, side)
        if greatest is None:
            return super().over_best(values, side)
        return weighted([value for value, _ in greatest], [times for _, times in greatest])

    def assigned(self, similarities: CellValues) -> Any:
        """Return the greatest total similarity of entities that are assigned one to one.

        Lone cells are in every such assignment. The source decides about others as far as it can;
        the remaining cells are fetched and solved here.
        """
        kinds: list[CellKind | TakenKind] = [kind for kind in self.kinds if kind.lone]
        solved: Sequence[Any] = []
        possible_gain = 0.0
        if len(kinds) < len(self.kinds):
            taken, left, guessed, upper = self.source.choice(similarities)
            kinds += [*taken, *guessed]
            solved = self._solve(similarities, left)
            if guessed:
                sum_guessed = weighted(_of_kinds(similarities, guessed), _counts(guessed))
                possible_gain = upper - sum_guessed
        values = [*_of_kinds(similarities, kinds), *solved]
        total = weighted(values, [*_counts(kinds), *[1] * len(solved)])
        self.reach = 1 + max(0.0, possible_gain) / total if total else 1.0
        return total

    def _solve(self, similarities: CellValues, left: Sequence[Cell]) -> list[Any]:
        """Return the similarities of the best assignment among some cells."""
        if self._numbered_cells is None or self._numbered_cells[0] is not left:
            self._numbered_cells = left, number_entities(left)
        cells, *sizes = self._numbered_cells[1]
        weights = similarities(cells, *sizes)
        edges = [(k, r, w) for (k, r, _), w in zip(cells, weights, strict=True)]
        return [weight for _, _, weight in best_assignment(edges)]

    def __getattr__(self, name: str) -> Any:
        """Compute the cells and sizes of a table at first access."""
        if name in ("key", "response", "as_read"):
            raise OptionError("a metric or option needs the mentions, not only their number")
        if name not in ("cells", "lone_cells", "shared_cells", "key_sizes", "response_sizes"):
            raise AttributeError(name)
        self.cells, *sizes = number_entities(self.source.cells())
        self.key_sizes, self.response_sizes = sizes
        for kinds, of_side in zip(self.entity_kinds.values(), sizes, strict=True):
            for size, matched, times in kinds:
                if not matched:
                    of_side += [size] * times
        self.lone_cells, self.shared_cells = divided(self.cells, *map(len, sizes))
        return getattr(self, name)


def _counts(kinds: Sequence[CellKind | TakenKind] | Sequence[EntityKind]) -> list[int]:
    return [kind.times for kind in kinds]


def _of_kinds(values: CellValues, kinds: Sequence[CellKind | TakenKind]) -> Sequence[Any]:
    """Return the value of each kind of cell, as if it were a cell with two entities of its own."""
    cells = [(place, place, kind.n) for place, kind in enumerate(kinds)]
    return values(cells, [kind.key_size for kind in kinds], [kind.response_size for kind in kinds])


def weighted(values: Sequence[Any], counts: Sequence[int]) -> Any:
    """Return the sum of values times counts, correctly rounded; it is exact for integers.

    >>> weighted([2, 3], [10**20, 1]), weighted([0.1], [10]), sum([0.1] * 10)
    (200000000000000000003, 1.0, 0.9999999999999999)
    """
    if all(isinstance(value, int) for value in values):
        return sum(value * count for value, count in zip(values, counts, strict=True))
    sums: dict[int, int] = {}  # of numerators, by denominator, a power of 2
    for value, count in zip(values, counts, strict=True):
        numerator, denominator = value.as_integer_ratio()
        sums[denominator] = sums.get(denominator, 0) + numerator * count
    common = max(sums)
    return sum(part * (common // denominator) for denominator, part in sums.items()) / common


def number_entities(cells: Sequence[Cell]) -> tuple[Cells, list[int], list[int]]:
    """Return cells with numbers in place of the names of entities, and the sizes of entities.

    Numbers follow the order of names, so that an assignment does not depend on the order of rows.
    """
    key_sizes = dict(sorted({cell.key: cell.key_size for cell in cells}.items()))
    response_sizes = dict(sorted({cell.response: cell.response_size for cell in cells}.items()))
    key_numbers = {name: number for number, name in enumerate(key_sizes)}
    response_numbers = {name: number for number, name in enumerate(response_sizes)}
    rows = sorted((key_numbers[c.key], response_numbers[c.response], c.n) for c in cells)
    return rows, list(key_sizes.values()), list(response_sizes.values())


def profile_of_labels(key: Sequence[Any], response: Sequence[Any]) -> Profile:
    """Return the profile of two clusterings, from hashable labels in the order of the items."""
    return profile_of_numbers(_number_labels(key), _number_labels(response))


def profile_of_numbers(key_numbers: Any, response_numbers: Any) -> Profile:
    """Return the profile of two clusterings, from arrays of numbers of clusters, from 0 on."""
    import numpy as np

    key_sizes, response_sizes = np.bincount(key_numbers), np.bincount(response_numbers)
    pairs, common = np.unique(
        key_numbers * len(response_sizes) + response_numbers, return_counts=True
    )
    k, r = np.divmod(pairs, len(response_sizes))
    lone = (np.bincount(k) == 1)[k] & (np.bincount(r) == 1)[r]
    columns = (common, key_sizes[k], response_sizes[r])

    @cache
    def cells(shared_only: bool = False) -> list[Cell]:
        chosen = ~lone if shared_only else slice(None)
        rows = zip(*(column[chosen].tolist() for column in (k, r, *columns)), strict=True)
        return [Cell(*row) for row in rows]

    return Profile(
        [
            CellKind(n, key_size, response_size, key_size, response_size, bool(is_lone), times)
            for n, key_size, response_size, is_lone, times in _count_rows((*columns, lone))
        ],
        [
            [EntityKind(size, size, times) for size, times in _count_rows((sizes,))]
            for sizes in (key_sizes, response_sizes)
        ],
        Source(
            cells,
            lambda similarities: Choice((), cells(shared_only=True)),
            lambda values, side: None,
        ),
    )


def _number_labels(labels: Sequence[Any]) -> Any:
    """Return the number of each item's label; labels are numbered in sorted order."""
    import numpy as np

    distinct = set(labels)
    try:
        ordered = sorted(distinct)
    except TypeError:  # labels of several types
        ordered = sorted(distinct, key=lambda label: (type(label).__name__, repr(label)))
    number_of = {label: number for number, label in enumerate(ordered)}
    return np.fromiter(map(number_of.__getitem__, labels), np.int64, len(labels))


def _count_rows(columns: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return the distinct rows of columns of small numbers, each with its number of occurrences."""
    import numpy as np

    ranges = [int(column.max()) + 1 for column in columns]
    if prod(ranges) >= 2**63:  # a row would be no number
        counts = Counter(zip(*(column.tolist() for column in columns), strict=True))
        return [(*row, times) for row, times in counts.items()]
    rows, times = np.unique(np.ravel_multi_index(columns, ranges), return_counts=True)
    found = [column.tolist() for column in np.unravel_index(rows, ranges)]
    return list(zip(*found, times.tolist(), strict=True))
