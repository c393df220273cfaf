"""A table of overlaps of which only the kinds of cells are known, and how many there are of each.

What a metric takes from a cell are three numbers: the mentions in common and the sizes of both
entities. Of 10^8 cells only some thousands differ in these, so a database counts the kinds of
cells, and the kinds are scored here: each once, times how often it occurs. Sums are exact, so the
numbers are those of the table itself, whatever the order of rows or the number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.overlap import Cells, CellValues, EntityValues, Overlap, Side, pairs
from corefmeter.problems import OptionError


class CellKind(NamedTuple):
    """Cells that metrics treat alike, and how many there are.

    A `lone` cell is one whose entities have no other partner.
    """

    n: int
    key_size: int
    response_size: int
    key_matched: int
    response_matched: int
    lone: bool
    times: int


class EntityKind(NamedTuple):
    """Entities of the same size, and of as many mentions that the other side has too."""

    size: int
    matched: int
    times: int


class TakenKind(NamedTuple):
    """Cells of an assignment that a similarity treats alike, and how many there are."""

    n: int
    key_size: int
    response_size: int
    times: int


class Cell(NamedTuple):
    """A cell with its entities by name."""

    key: Any
    response: Any
    n: int
    key_size: int
    response_size: int


class Choice(NamedTuple):
    """Cells that belong to an assignment, and those `left` of which the others are chosen.

    Where too many were left, `guessed` has cells that may be taken with those of `taken`, and
    `upper` is the most that others in their place can add.
    """

    taken: Sequence[TakenKind]
    left: Sequence[Cell]
    guessed: Sequence[TakenKind] = ()
    upper: float = 0


class Source(NamedTuple):
    """Functions that provide the cells of a document when they are needed.

    `choice` takes similarities and returns the cells of an assignment, except lone ones. `best`
    takes a function of cells and a side: for the greatest values of the entities of the side, it
    returns pairs of a value and how often it occurs; None if they must be found in the cells.
    """

    cells: Callable[[], Sequence[Cell]]
    choice: Callable[[CellValues], Choice]
    best: Callable[[CellValues, Side], Sequence[tuple[Any, int]] | None]


class Profile(Overlap):
    """The table of one document by the kinds of its cells and entities.

    Metrics that ask for its cells themselves get them, which then all leave the database. After
    `assigned`, the greatest total may be `reach` times its value, 1 where it is exact.

    Examples
    --------
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
        self._numbered: tuple[Sequence[Cell], tuple[Cells, list[int], list[int]]] | None = None
        self.matched = sum(kind.n * kind.times for kind in self.kinds)
        self.key_mentions = sum(kind.size * kind.times for kind in key)

    @property
    def response_memberships(self) -> int:
        """The sizes of the response entities together."""
        return sum(kind.size * kind.times for kind in self.entity_kinds["response"])

    @property
    def response_mentions(self) -> int:
        """Number of response mentions, each of which is in one entity."""
        return self.response_memberships

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
        """Return the correctly rounded sum over all cells of what each adds; see `Overlap`."""
        kinds = self.kinds
        if matched:
            kinds = [
                kind._replace(key_size=kind.key_matched, response_size=kind.response_matched)
                for kind in kinds
            ]
        return float(weighted(_of_kinds(values, kinds), _counts(kinds)))

    def over_entities(self, values: EntityValues, side: Side, matched: bool = False) -> Any:
        """Return the sum over the entities of a side of what each adds; see `Overlap`."""
        kinds = self.entity_kinds[side]
        sizes = [kind.matched if matched else kind.size for kind in kinds]
        return weighted(values(sizes), _counts(kinds))

    def over_best(self, values: CellValues, side: Side) -> Any:
        """Return the sum over entities of their greatest values; see `Overlap`."""
        counted_values = self.source.best(values, side)
        if counted_values is None:  # the source does not count them, so the cells are fetched
            return super().over_best(values, side)
        greatest = [value for value, _ in counted_values]
        counts = [times for _, times in counted_values]
        return weighted(greatest, counts)

    def assigned(self, similarities: CellValues) -> Any:
        """Return the greatest total similarity of entities that are assigned one to one.

        Lone cells are in every such assignment. The source decides about others as far as it can;
        the remaining cells are fetched and solved here.
        """
        settled: list[CellKind | TakenKind] = [kind for kind in self.kinds if kind.lone]
        chosen: Sequence[Any] = []
        more = 0.0
        if len(settled) < len(self.kinds):
            taken, left, guessed, upper = self.source.choice(similarities)
            settled += [*taken, *guessed]
            chosen = self._chosen(similarities, left)
            if guessed:
                more = upper - weighted(_of_kinds(similarities, guessed), _counts(guessed))
        values = [*_of_kinds(similarities, settled), *chosen]
        total = weighted(values, [*_counts(settled), *[1] * len(chosen)])
        self.reach = 1 + max(0.0, more) / total if total else 1.0
        return total

    def _chosen(self, similarities: CellValues, left: Sequence[Cell]) -> list[Any]:
        """Return the similarities of the best assignment among some cells."""
        if self._numbered is None or self._numbered[0] is not left:
            self._numbered = left, numbered(left)
        cells, *sizes = self._numbered[1]
        weights = similarities(cells, *sizes)
        edges = [(k, r, w) for (k, r, _), w in zip(cells, weights, strict=True)]
        return [weight for _, _, weight in best_assignment(edges)]

    def __getattr__(self, name: str) -> Any:
        """Compute the cells and sizes of a table at first access."""
        if name in ("key", "response", "as_read"):
            raise OptionError("a metric or option must see the mentions, not only how many")
        if name not in ("cells", "lone_cells", "shared_cells", "key_sizes", "response_sizes"):
            raise AttributeError(name)
        self.cells, *sizes = numbered(self.source.cells())
        self.key_sizes, self.response_sizes = sizes
        for kinds, known in zip(self.entity_kinds.values(), sizes, strict=True):
            for size, matched, times in kinds:
                if not matched:
                    known += [size] * times
        k_partners, r_partners = (Counter(cell[place] for cell in self.cells) for place in (0, 1))
        self.lone_cells, self.shared_cells = [], []
        for cell in self.cells:
            shared = k_partners[cell[0]] > 1 or r_partners[cell[1]] > 1
            (self.shared_cells if shared else self.lone_cells).append(cell)
        return getattr(self, name)


def _counts(kinds: Sequence[CellKind | TakenKind] | Sequence[EntityKind]) -> list[int]:
    return [kind.times for kind in kinds]


def _of_kinds(values: CellValues, kinds: Sequence[CellKind | TakenKind]) -> Sequence[Any]:
    """Return the contribution of each type of cell: to a metric, each is a cell of two entities."""
    cells = [(place, place, kind.n) for place, kind in enumerate(kinds)]
    return values(cells, [kind.key_size for kind in kinds], [kind.response_size for kind in kinds])


def weighted(values: Sequence[Any], counts: Sequence[int]) -> Any:
    """Return the sum of values, each as often as counted, correctly rounded; exact for integers.

    Examples
    --------
    >>> weighted([2, 3], [10**20, 1]), weighted([0.1], [10]), sum([0.1] * 10)
    (200000000000000000003, 1.0, 0.9999999999999999)
    """
    if all(isinstance(value, int) for value in values):
        return sum(value * count for value, count in zip(values, counts, strict=True))
    sums: dict[int, int] = {}  # numerators over each power of two
    for value, count in zip(values, counts, strict=True):
        numerator, denominator = value.as_integer_ratio()
        sums[denominator] = sums.get(denominator, 0) + numerator * count
    common = max(sums)
    return sum(part * (common // denominator) for denominator, part in sums.items()) / common


def numbered(cells: Sequence[Cell]) -> tuple[Cells, list[int], list[int]]:
    """Return cells with numbers for their entities, and the sizes of these.

    They are numbered in the order of their names, so that no choice of an assignment depends on
    the order of rows.
    """
    key_sizes = {cell.key: cell.key_size for cell in cells}
    response_sizes = {cell.response: cell.response_size for cell in cells}
    keys, responses = sorted(key_sizes), sorted(response_sizes)
    key_numbers = {name: number for number, name in enumerate(keys)}
    response_numbers = {name: number for number, name in enumerate(responses)}
    rows = sorted((key_numbers[c.key], response_numbers[c.response], c.n) for c in cells)
    return rows, [key_sizes[name] for name in keys], [response_sizes[name] for name in responses]


def profile_of_labels(key: Sequence[Any], response: Sequence[Any]) -> Profile:
    """Return the profile of two clusterings, from hashable labels in the order of the items."""
    import numpy as np

    (of_key, key_sizes), (of_response, response_sizes) = map(_numbered, (key, response))
    number = len(response_sizes)
    pairs, common = np.unique(of_key * number + of_response, return_counts=True)
    k, r = pairs // number, pairs % number
    lone = (np.bincount(k) == 1)[k] & (np.bincount(r) == 1)[r]
    columns = (common, key_sizes[k], response_sizes[r], lone)

    @cache
    def cells(shared_only: bool = False) -> list[Cell]:
        which = ~lone if shared_only else slice(None)
        rows = zip(k[which], r[which], *(column[which] for column in columns[:3]), strict=True)
        return [Cell(*map(int, row)) for row in rows]

    kinds = _counted(columns)
    return Profile(
        [
            CellKind(n, key, response, key, response, bool(lone), times)
            for n, key, response, lone, times in kinds
        ],
        [
            [EntityKind(size, size, times) for size, times in _counted((sizes,))]
            for sizes in (key_sizes, response_sizes)
        ],
        Source(
            cells,
            lambda similarities: Choice((), cells(shared_only=True)),
            lambda values, side: None,
        ),
    )


def _numbered(labels: Sequence[Any]) -> tuple[Any, Any]:
    """Return the number of each item's label, and how many items have each label.

    Labels are numbered in their sorted order.
    """
    import numpy as np

    different = set(labels)
    try:
        ordered = sorted(different)
    except TypeError:  # labels of several types
        ordered = sorted(different, key=lambda label: (type(label).__name__, repr(label)))
    number_of = {label: number for number, label in enumerate(ordered)}
    numbers = np.fromiter(map(number_of.__getitem__, labels), np.int64, len(labels))
    return numbers, np.bincount(numbers)


def _counted(columns: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return the distinct rows of some columns, each with its number of occurrences at the end."""
    import numpy as np

    ordered = np.stack(columns)[:, np.lexsort(columns)]
    is_new = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0))
    starts = np.flatnonzero(is_new)
    times = np.diff(np.append(starts, ordered.shape[1]))
    return list(zip(*ordered[:, starts].tolist(), times.tolist(), strict=True))
