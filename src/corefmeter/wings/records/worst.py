"""What went wrong in tables: the worst clusters with their items, and how large clusters are.

Computed in the engine, as scores are: of each list the clusters that are asked for leave it, with a
bounded number of their partners and items. Ties are ordered by name, so that the order of rows
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.calls import checked_call, warn_user
from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.wings.records.calls import Request, require_table_recipe
from corefmeter.wings.records.frames import engine_errors, group_sizes, refused
from corefmeter.wings.records.query import Sides

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions

#: The lists: of which side the clusters are, and by which column they are ordered first.
LISTS = {
    "missing": (0, "links"),
    "split": (0, "partners"),
    "wrong": (1, "links"),
    "merged": (1, "partners"),
}


class Part(NamedTuple):
    """Overlap of a cluster with one of the other side: the common items, and the first of these.

    The partner is None for items that the other side lacks. An item of several columns is a tuple.
    """

    partner: Any
    common: int
    items: tuple[Any, ...]


class WorstCluster(NamedTuple):
    """A cluster and its counterparts on the other side; without documents, that name is None.

    `links` are the pairs of its items that are not together on the other side, `partners` how many
    clusters there have items of it; `parts` the largest of these, and last the items that the other
    side lacks.
    """

    document: Any
    cluster: Any
    size: int
    links: int
    partners: int
    parts: tuple[Part, ...]


#: The columns of `Worst.rows`.
COLUMNS = ("list", "rank", *WorstCluster._fields[:-1], "partner", "common", "item")


class Band(NamedTuple):
    """The clusters of `first` to `last` items on each side, and how many items these have."""

    first: int
    last: int
    key_clusters: int
    key_items: int
    response_clusters: int
    response_items: int


@dataclass(frozen=True, slots=True)
class Worst:
    """The worst clusters of a clustering against its key.

    Attributes
    ----------
    missing, split
        Key clusters with the most missing links, and in the most response clusters, two or more.
    wrong, merged
        Response clusters with the most wrong links, and with items of the most key clusters.
    sizes
        How many clusters there are by size, in bands of 1, 2, 3 to 4, 5 to 8 items and so on.
    """

    missing: tuple[WorstCluster, ...]
    split: tuple[WorstCluster, ...]
    wrong: tuple[WorstCluster, ...]
    merged: tuple[WorstCluster, ...]
    sizes: tuple[Band, ...]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield a row for each item that is shown, with the values of `COLUMNS`.

        A part of which no item is known, as where rows are the items, has one row with None.
        """
        for name in LISTS:
            for rank, one in enumerate(getattr(self, name), 1):
                for part in one.parts:
                    for item in part.items or [None]:
                        yield (name, rank, *one[:5], part.partner, part.common, item)

    def left_out(self) -> int:
        """Return how many items of the clusters have no row, beyond the limits of parts and items.

        Where rows are the items, none has a name, and none is left out.
        """
        clusters = [one for name in LISTS for one in getattr(self, name)]
        shown = sum(len(part.items) for one in clusters for part in one.parts)
        return sum(one.size for one in clusters) - shown if shown else 0

    def to_dict(self) -> dict[str, Any]:
        """Convert it to JSON values."""
        lists = {name: [_entry(one) for one in getattr(self, name)] for name in LISTS}
        return {**lists, "sizes": [band._asdict() for band in self.sizes]}


def _entry(cluster: WorstCluster) -> dict[str, Any]:
    parts = [
        {
            "partner": _plain(part.partner),
            "common": part.common,
            "items": [_plain(item) for item in part.items],
        }
        for part in cluster.parts
    ]
    names = {"document": _plain(cluster.document), "cluster": _plain(cluster.cluster)}
    return {**cluster._asdict(), **names, "parts": parts}


def _plain(value: Any) -> Any:
    """Return a value that JSON has, or its text."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


@checked_call(option_names)
def worst_clusters(
    key: Any,
    response: Any = None,
    recipe: Recipe | None = None,
    *,
    item: str | Sequence[str] = (),
    cluster: str | tuple[str, str],
    within: str | None = None,
    most: int = 10,
    items: int = 10,
    **options: Unpack[RecipeOptions],
) -> Worst:
    """Return the clusters of two tables that went wrong most, with their items.

    Parameters
    ----------
    key, response, recipe, item, cluster, within
        As for `score_tables`.
    most
        Clusters in each list.
    items
        Parts of each cluster, and items of each part.
    **options
        Fields of `Recipe` to change, such as ``singletons="drop"``.

    Raises
    ------
    DataError, OptionError
        As `score_tables`, and for numbers below 1.

    Examples
    --------
    >>> import pandas
    >>> key = pandas.DataFrame({"record": [1, 2, 3, 4], "person": ["a", "a", "a", "b"]})
    >>> response = pandas.DataFrame({"record": [1, 2, 3, 4], "person": [7, 7, 8, 8]})
    >>> worst = worst_clusters(key, response, item="record", cluster="person")
    >>> a = worst.missing[0]
    >>> a.cluster, a.size, a.links
    ('a', 3, 2)
    >>> [(part.partner, part.items) for part in a.parts]
    [(7, (1, 2)), (8, (3,))]
    """
    recipe = require_table_recipe(recipe_of(recipe, **options))
    with refused():
        request = Request(key, response, item, cluster, within)
        found, problems = looked_at(request, recipe, most, items)
    warn_user(problems)
    return found


def looked_at(
    request: Request, recipe: Recipe, most: int, items: int
) -> tuple[Worst, list[Problem]]:
    """Find clusters like `worst_clusters`, without warnings, and return the problems."""
    if most < 1 or items < 1:
        raise OptionError(f"most and items are 1 or more, not {most} and {items}")
    query = request.query(recipe)
    engine = query.engine
    try:
        with engine_errors():
            sides = query.sides(*request.tables, request.steady)
            return _Worst(sides, most, items).run(), sides.problems
    finally:
        engine.close()


class _Worst:
    def __init__(self, sides: Sides, most: int, items: int) -> None:
        self.engine, self.sides, self.most, self.items = sides.engine, sides, most, items
        self.within = sides.within
        cells = group_sizes(sides.rows.group_by(*self.within, "k", "r"), "n")
        self.cells = self.engine.kept(cells)

    def run(self) -> Worst:
        lists: dict[str, tuple[WorstCluster, ...]] = {}
        for side in range(2):
            clusters = self.engine.kept(self._clusters(side))
            chosen = {
                name: self.engine.kept(self._chosen(clusters, side, column))
                for name, (of, column) in LISTS.items()
                if of == side
            }
            parts = self._parts(side, list(chosen.values()))
            for name, frame in chosen.items():
                lists[name] = self._listed(side, frame, parts)
        return Worst(**lists, sizes=self._sizes())

    def _clusters(self, side: int) -> Any:
        """Return the clusters with an error: size, partners, and twice the links without a twin."""
        import narwhals as nw

        on, n, size = [*self.within, "kr"[side]], nw.col("n"), nw.col(f"{SIDES[side]}_size")
        right = (
            self.cells.with_columns((n * (n - 1)).alias("right"))
            .group_by(*on)
            .agg(nw.col("right").sum(), nw.len().alias("partners"))
        )
        names = ("right", "partners")
        return (
            self.sides.sizes[side]
            .join(right, on=on, how="left")
            .with_columns(*(nw.col(name).fill_null(0).cast(nw.Int64()) for name in names))
            .with_columns((size * (size - 1) - nw.col("right")).alias("links"), size.alias("size"))
            .select(*on, "size", "links", "partners")
        )

    def _chosen(self, clusters: Any, side: int, column: str) -> Any:
        """Return the first clusters of a list, with their place."""
        import narwhals as nw

        other, least = ("links", 1) if column == "partners" else ("partners", 0)
        return self._first(
            clusters.filter(nw.col(column) > least),
            [],
            [f"-{column}", f"-{other}"],
            [*self.within, "kr"[side]],
            self.most,
        )

    def _first(
        self, frame: Any, each: list[str], most_first: list[str], names: list[str], number: int
    ) -> Any:
        """Return the first rows of each group, with their ``place`` in the whole order.

        Groups are counted from the place of their first row, which all engines can do.
        """
        import narwhals as nw

        made = [(0 - nw.col(name[1:])).alias(name) for name in most_first]
        frame = frame.with_columns(*made) if made else frame
        frame = frame.with_row_index("place", order_by=[*each, *most_first, *names])
        frame = frame.with_columns(nw.col("place").cast(nw.Int64()))
        if not each:
            return frame.filter(nw.col("place") < number)
        starts = frame.group_by(*each).agg(nw.col("place").min().alias("start"))
        frame = frame.join(starts, on=each, how="inner")
        return frame.filter(nw.col("place") - nw.col("start") < number)

    def _parts(self, side: int, chosen: list[Any]) -> dict[tuple[Any, ...], list[Part]]:
        """Return the parts of all chosen clusters, by document and name of these."""
        import narwhals as nw

        of, partner = "kr"[side], "rk"[side]
        on = [*self.within, of]
        clusters = self.engine.kept(nw.concat([one.select(*on) for one in chosen]).unique())
        cells = self.cells.join(clusters, on=on, how="semi")
        cells = self.engine.kept(self._first(cells, on, ["-n"], [partner], self.items))
        rows = self.sides.rows.join(cells, on=[*on, partner], how="semi")
        items = self._items(rows, [*on, partner])
        labels = self.sides.labels
        found: dict[tuple[Any, ...], list[Part]] = {}
        for *name, other, n, _ in self._in_order(cells.select(*on, partner, "n", "place")):
            part = Part(labels[1 - side](other), int(n), tuple(items.get((*name, other), ())))
            found.setdefault(self._named(name), []).append(part)
        if self.sides.items:
            keys = [*self.within, *self.sides.items]
            lost = self.sides.frames[side].join(clusters, on=on, how="semi")
            lost = self.engine.kept(lost.join(self.sides.frames[1 - side], on=keys, how="anti"))
            items = self._items(lost, on)
            for *name, n in self.engine.rows(group_sizes(lost.group_by(*on), "n").select(*on, "n")):
                part = Part(None, int(n), tuple(items[tuple(name)]))
                found.setdefault(self._named(name), []).append(part)
        return found

    def _items(self, rows: Any, each: list[str]) -> dict[tuple[Any, ...], list[Any]]:
        """Return the first items of each group."""
        items = self.sides.items
        found: dict[tuple[Any, ...], list[Any]] = {}
        if items:
            frame = self._first(rows, each, [], items, self.items)
            for *values, _ in self._in_order(frame.select(*each, *items, "place")):
                item = tuple(values[len(each) :])
                group = found.setdefault(tuple(values[: len(each)]), [])
                group.append(item[0] if len(item) == 1 else item)
        return found

    def _listed(
        self, side: int, frame: Any, parts: dict[tuple[Any, ...], list[Part]]
    ) -> tuple[WorstCluster, ...]:
        columns = [*self.within, "kr"[side], "size", "links", "partners", "place"]
        found = []
        for *row, size, links, partners, _ in self._in_order(frame.select(*columns)):
            name = self._named(row)
            of = tuple(parts.get(name, ()))
            counts = int(size), int(links) // 2, int(partners)
            label = self.sides.labels[side](name[1])
            found.append(WorstCluster(name[0], label, *counts, of))
        return tuple(found)

    def _named(self, name: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(name) if self.within else (None, *name)

    def _in_order(self, frame: Any) -> list[tuple[Any, ...]]:
        """Return the rows, whose last value is their place."""
        return sorted(self.engine.rows(frame), key=lambda row: row[-1])

    def _sizes(self) -> tuple[Band, ...]:
        """Return the bands; sizes of one band, minus 1, have the same number of bits."""
        bands: dict[int, list[int]] = {}
        for side, frame in enumerate(self.sides.sizes):
            name = f"{SIDES[side]}_size"
            for size, times in self.engine.rows(group_sizes(frame.group_by(name), "times")):
                counts = bands.setdefault((int(size) - 1).bit_length(), [0] * 4)
                counts[2 * side] += int(times)
                counts[2 * side + 1] += int(size) * int(times)
        return tuple(
            Band(2**band // 2 + 1 if band else 1, 2**band, *counts)
            for band, counts in sorted(bands.items())
        )
