"""A table of overlaps of which only the kinds of cells are known, and how many there are of each.

What a metric takes from a cell are three numbers: the mentions in common and the sizes of both
entities. Of 10^8 cells only some thousands differ in these, so a database counts the kinds of
cells, and the kinds are scored here: each once, times how often it occurs. Sums are exact, so the
numbers are those of the table itself, whatever the order of rows or the number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.overlap import Cells, CellValues, EntityValues, Overlap, Side
from corefmeter.problems import OptionError


class CellKind(NamedTuple):
    """Cells that metrics treat alike, and how many there are.

    Attributes
    ----------
    n
        The mentions in the cell.
    key_size, response_size, key_matched, response_matched
        The mentions of its entities, and those of them that the other side has too.
    lone
        Whether its entities have no other partner.
    times
        How many such cells there are.
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


class Cell(NamedTuple):
    """A cell with its entities by name."""

    key: Any
    response: Any
    n: int
    key_size: int
    response_size: int


#: From whether lone cells are wanted too to cells; the others are those that CEAF must choose from.
Fetch = Callable[[bool], Sequence[Cell]]


class Profile(Overlap):
    """The table of one document by the kinds of its cells and entities.

    Metrics that ask for its cells themselves get them, which then all leave the database.

    Parameters
    ----------
    kinds
        The cells.
    entities
        The entities of the key, and those of the response.
    fetch
        What gives the cells themselves, when they are needed.

    Examples
    --------
    >>> table = profile_of({("a", "x"): 2, ("b", "y"): 1}, {"a": 3, "b": 1}, {"x": 2, "y": 2})
    >>> table.matched, table.key_mentions, table.shared_entities, table.links_in_common
    (3, 4, 2, 1)
    >>> table.over_cells(lambda cells, key, response: [n / response[r] for _, r, n in cells])
    1.5
    """

    def __init__(
        self,
        kinds: Iterable[CellKind],
        entities: Sequence[Iterable[EntityKind]],
        fetch: Fetch,
    ) -> None:
        self.kinds = list(kinds)
        key, response = map(list, entities)
        self.entity_kinds: dict[Side, list[EntityKind]] = {"key": key, "response": response}
        self.fetch = fetch
        self.repeats = False
        self._open: tuple[Cells, list[int], list[int]] | None = None
        self.matched = sum(kind.n * kind.times for kind in self.kinds)
        self.key_mentions = self._sizes("key")

    def _sizes(self, side: Side) -> int:
        return sum(kind.size * kind.times for kind in self.entity_kinds[side])

    @property
    def response_memberships(self) -> int:
        """The sizes of the response entities together."""
        return self._sizes("response")

    @property
    def response_mentions(self) -> int:
        """The number of response mentions, of which none is in two entities."""
        return self._sizes("response")

    @property
    def key_entities(self) -> int:
        """The number of entities of the key."""
        return sum(kind.times for kind in self.entity_kinds["key"])

    @property
    def response_entities(self) -> int:
        """The number of entities of the response."""
        return sum(kind.times for kind in self.entity_kinds["response"])

    @property
    def shared_entities(self) -> int:
        """The number of cells."""
        return sum(kind.times for kind in self.kinds)

    @property
    def links_in_common(self) -> int:
        """The links within the cells."""
        return sum(kind.times * (kind.n * (kind.n - 1) // 2) for kind in self.kinds)

    def over_cells(self, values: CellValues, matched: bool = False) -> float:
        """The correctly rounded sum over all cells of what each adds; see `Overlap`."""
        return float(weighted(_of_kinds(values, self.kinds, matched), _counts(self.kinds)))

    def over_entities(self, values: EntityValues, side: Side, matched: bool = False) -> Any:
        """The sum over the entities of a side of what each adds; see `Overlap`."""
        kinds = self.entity_kinds[side]
        sizes = [kind.matched if matched else kind.size for kind in kinds]
        return weighted(values(sizes), _counts(kinds))

    def assigned(self, similarities: CellValues) -> Any:
        """The greatest total similarity of entities that are assigned one to one.

        Lone cells are settled; all others are fetched.
        """
        lone = [kind for kind in self.kinds if kind.lone]
        chosen: list[Any] = []
        if len(lone) < len(self.kinds):
            if self._open is None:
                self._open = numbered(self.fetch(False))
            cells, *sizes = self._open
            weights = similarities(cells, *sizes)
            edges = [(k, r, w) for (k, r, _), w in zip(cells, weights, strict=True)]
            chosen = [weight for _, _, weight in best_assignment(edges)]
        return weighted(
            [*_of_kinds(similarities, lone), *chosen], [*_counts(lone), *[1] * len(chosen)]
        )

    def __getattr__(self, name: str) -> Any:
        """The cells and sizes of a table, once they are asked for."""
        if name in ("key", "response", "as_read"):
            raise OptionError("a metric or option must see the mentions, not only how many")
        if name not in ("cells", "lone_cells", "shared_cells", "key_sizes", "response_sizes"):
            raise AttributeError(name)
        self.cells, *sizes = numbered(self.fetch(True))
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


def _counts(kinds: Sequence[CellKind] | Sequence[EntityKind]) -> list[int]:
    return [kind[-1] for kind in kinds]


def _of_kinds(
    values: CellValues, kinds: Sequence[CellKind], matched: bool = False
) -> Sequence[Any]:
    """What a cell of each kind adds: to a metric, each is a cell of two entities of its own."""
    cells = [(place, place, kind.n) for place, kind in enumerate(kinds)]
    if matched:
        return values(
            cells, [kind.key_matched for kind in kinds], [kind.response_matched for kind in kinds]
        )
    return values(cells, [kind.key_size for kind in kinds], [kind.response_size for kind in kinds])


def weighted(values: Sequence[Any], counts: Sequence[int]) -> Any:
    """The sum of values, each as often as is said: exact for integers, else correctly rounded.

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
    """Cells with numbers for their entities, and the sizes of these.

    They are numbered in the order of their names, so that no choice of an assignment depends on
    the order of rows.
    """
    sizes = [{cell[place]: cell[place + 3] for cell in cells} for place in (0, 1)]
    names = [sorted(side) for side in sizes]
    of_key, of_response = ({name: place for place, name in enumerate(side)} for side in names)
    rows = sorted((of_key[cell.key], of_response[cell.response], cell.n) for cell in cells)
    key, response = (
        [found[name] for name in side] for side, found in zip(names, sizes, strict=True)
    )
    return rows, key, response


def profile_of(
    cells: Mapping[tuple[Any, Any], int],
    key_sizes: Mapping[Any, int],
    response_sizes: Mapping[Any, int],
) -> Profile:
    """The profile of a table that is in memory.

    Parameters
    ----------
    cells
        How many mentions two entities share, by their names.
    key_sizes, response_sizes
        The size of each entity.
    """
    matched: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
    partners: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
    for pair, n in cells.items():
        for side, name in enumerate(pair):
            matched[side][name] += n
            partners[side][name] += 1
    kinds = Counter(
        (n, key_sizes[k], response_sizes[r], matched[0][k], matched[1][r],
         partners[0][k] == partners[1][r] == 1)
        for (k, r), n in cells.items()
    )  # fmt: skip
    sides = [
        Counter((size, found[name]) for name, size in sizes.items())
        for sizes, found in zip((key_sizes, response_sizes), matched, strict=True)
    ]

    def fetch(lone: bool) -> list[Cell]:
        return [
            Cell(k, r, n, key_sizes[k], response_sizes[r])
            for (k, r), n in cells.items()
            if lone or partners[0][k] > 1 or partners[1][r] > 1
        ]

    return Profile(
        [CellKind(*kind, times) for kind, times in kinds.items()],
        [[EntityKind(*kind, times) for kind, times in side.items()] for side in sides],
        fetch,
    )
