"""The worst clusters of tables with their items, and the sizes of clusters.

They are computed in the engine, like scores. Only the requested clusters leave it, with a limited
number of partners and items. Ties are ordered by name, so that the order of rows does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.calls import checked_call, warn_user
from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.wings.records.calls import Request, require_table_recipe
from corefmeter.wings.records.frames import group_sizes, report_table_errors
from corefmeter.wings.records.query import Query, Sides

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions

#: By list: the side of the clusters, and the column by which they are sorted first.
LISTS = {
    "missing": (0, "links"),
    "split": (0, "partners"),
    "wrong": (1, "links"),
    "merged": (1, "partners"),
}


class Part(NamedTuple):
    """Overlap of a cluster with one of the other side: the number of common items and the first.

    The partner is None for items that the other side lacks. An item of several columns is a tuple.
    """

    partner: Any
    common: int
    items: tuple[Any, ...]


class WorstCluster(NamedTuple):
    """A cluster and its counterparts on the other side; without documents, `document` is None.

    `links` is the number of pairs of its items that are not together on the other side. `partners`
    is the number of clusters on the other side that have items of it. `parts` are the largest of
    these, and at the end the items that the other side lacks.
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
    """Clusters with `first` to `last` items on each side, and the number of these items."""

    first: int
    last: int
    key_clusters: int
    key_items: int
    response_clusters: int
    response_items: int


@dataclass(frozen=True, slots=True)
class Worst:
    """The worst clusters of a response, compared with the key.

    Attributes
    ----------
    missing, split
        Key clusters with the most missing links, or split into the most response clusters.
    wrong, merged
        Response clusters with the most wrong links, or merged from the most key clusters.
    sizes
        The number of clusters in each size band: 1, 2, 3 to 4, 5 to 8 items, and so on.
    """

    missing: tuple[WorstCluster, ...]
    split: tuple[WorstCluster, ...]
    wrong: tuple[WorstCluster, ...]
    merged: tuple[WorstCluster, ...]
    sizes: tuple[Band, ...]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield a row for each item, with the values of `COLUMNS`.

        If rows are the items, each part has one row with None, because items have no names.
        """
        for name in LISTS:
            for rank, cluster in enumerate(getattr(self, name), 1):
                for part in cluster.parts:
                    for item in part.items or [None]:
                        yield (name, rank, *cluster[:5], part.partner, part.common, item)

    def left_out(self) -> int:
        """Count the items that have no row because the numbers of parts and items are limited.

        The count is 0 if rows are the items, because such items have no names.
        """
        clusters = [cluster for name in LISTS for cluster in getattr(self, name)]
        shown = sum(len(part.items) for cluster in clusters for part in cluster.parts)
        return sum(cluster.size for cluster in clusters) - shown if shown else 0

    def to_dict(self) -> dict[str, Any]:
        """Return all lists and the sizes as JSON values."""
        return {name: _plain(getattr(self, name)) for name in (*LISTS, "sizes")}


def _plain(value: Any) -> Any:
    if isinstance(value, WorstCluster | Part | Band):
        return {name: _plain(field) for name, field in value._asdict().items()}
    if isinstance(value, tuple):
        return list(map(_plain, value))
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
    """Return the worst clusters of two tables, with their items.

    Parameters
    ----------
    key, response, recipe, item, cluster, within
        As for `score_tables`.
    most
        Maximum number of clusters in each list.
    items
        Maximum number of parts of each cluster, and of items of each part.
    **options
        Fields of `Recipe` to change, such as ``singletons="drop"``.

    Raises
    ------
    DataError, OptionError
        As for `score_tables`, and for limits below 1.

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
    with report_table_errors():
        request = Request(key, response, item, cluster, within)
        worst, problems = find_worst(request, recipe, most, items)
    warn_user(problems)
    return worst


def find_worst(
    request: Request, recipe: Recipe, most: int, items: int
) -> tuple[Worst, list[Problem]]:
    """Return the worst clusters like `worst_clusters`, and the problems in place of warnings."""
    if most < 1 or items < 1:
        raise OptionError(f"most and items must be 1 or more, not {most} and {items}")
    query = request.query(recipe)
    with closing(query.engine):
        sides = query.sides(*request.tables, request.steady)
        return _Search(query, sides, most, items).run(), query.problems


class _Search:
    """The search for the worst clusters, with the maximum numbers of `worst_clusters`."""

    def __init__(self, query: Query, sides: Sides, most: int, items: int) -> None:
        self.query, self.sides, self.most, self.items = query, sides, most, items
        self.engine, self.within = query.engine, query.within
        self.cells = self.engine.keep(query.cells(sides))

    def run(self) -> Worst:
        lists: dict[str, tuple[WorstCluster, ...]] = {}
        for side in range(2):
            clusters = self.engine.keep(self._clusters(side))
            chosen = {
                name: self.engine.keep(self._choose(clusters, side, column))
                for name, (side_of_list, column) in LISTS.items()
                if side_of_list == side
            }
            parts = self._parts(side, list(chosen.values()))
            for name, frame in chosen.items():
                lists[name] = self._listed(side, frame, parts)
        return Worst(**lists, sizes=self._sizes())

    def _clusters(self, side: int) -> Any:
        """Return the clusters with sizes, partners, and twice their missing or wrong links."""
        import narwhals as nw

        on, n, size = [*self.within, "kr"[side]], nw.col("n"), nw.col(f"{SIDES[side]}_size")
        correct = (
            self.cells.with_columns((n * (n - 1)).alias("correct"))
            .group_by(*on)
            .agg(nw.col("correct").sum(), nw.len().alias("partners"))
        )
        counts = (nw.col(name).fill_null(0).cast(nw.Int64()) for name in ("correct", "partners"))
        links = size * (size - 1) - nw.col("correct")
        return (
            self.sides.sizes[side]
            .join(correct, on=on, how="left")
            .with_columns(*counts)
            .with_columns(links.alias("links"), size.alias("size"))
            .select(*on, "size", "links", "partners")
        )

    def _choose(self, clusters: Any, side: int, column: str) -> Any:
        import narwhals as nw

        second, least = ("links", 1) if column == "partners" else ("partners", 0)
        with_errors = clusters.filter(nw.col(column) > least)
        return self._first(with_errors, [], [column, second], [*self.within, "kr"[side]], self.most)

    def _first(
        self, frame: Any, groups: list[str], descending: list[str], names: list[str], number: int
    ) -> Any:
        """Return the first rows of each group, with their ``place`` in the order of all rows.

        Rows are sorted by group, then by the `descending` columns, then by `names`. Places in a
        group are counted from its first place, which all engines can do.
        """
        import narwhals as nw

        negative = [(0 - nw.col(name)).alias(f"-{name}") for name in descending]
        frame = frame.with_columns(*negative) if negative else frame
        order = [*groups, *(f"-{name}" for name in descending), *names]
        frame = frame.with_row_index("place", order_by=order)
        frame = frame.with_columns(nw.col("place").cast(nw.Int64()))
        if not groups:
            return frame.filter(nw.col("place") < number)
        starts = frame.group_by(*groups).agg(nw.col("place").min().alias("start"))
        frame = frame.join(starts, on=groups, how="inner")
        return frame.filter(nw.col("place") - nw.col("start") < number)

    def _parts(self, side: int, chosen: list[Any]) -> dict[tuple[Any, ...], list[Part]]:
        """Return the parts of all chosen clusters, by the document and name of the cluster."""
        import narwhals as nw

        cluster, partner = "kr"[side], "rk"[side]
        on = [*self.within, cluster]
        clusters = self.engine.keep(nw.concat([frame.select(*on) for frame in chosen]).unique())
        cells = self.cells.join(clusters, on=on, how="semi")
        cells = self.engine.keep(self._first(cells, on, ["n"], [partner], self.items))
        rows = self.sides.rows.join(cells, on=[*on, partner], how="semi")
        items = self._items(rows, [*on, partner])
        label = self.query.labels[1 - side]
        parts: dict[tuple[Any, ...], list[Part]] = {}
        for *name, other, n, _ in self._in_order(cells.select(*on, partner, "n", "place")):
            part = Part(label(other), int(n), tuple(items.get((*name, other), ())))
            parts.setdefault(self._key(name), []).append(part)
        if self.query.items:
            item_columns = [*self.within, *self.query.items]
            missing = self.sides.frames[side].join(clusters, on=on, how="semi")
            missing = missing.join(self.sides.frames[1 - side], on=item_columns, how="anti")
            missing = self.engine.keep(missing)
            items = self._items(missing, on)
            counts = group_sizes(missing.group_by(*on), "n").select(*on, "n")
            for *name, n in self.engine.rows(counts):
                part = Part(None, int(n), tuple(items[tuple(name)]))
                parts.setdefault(self._key(name), []).append(part)
        return parts

    def _items(self, rows: Any, groups: list[str]) -> dict[tuple[Any, ...], list[Any]]:
        columns = self.query.items
        items: dict[tuple[Any, ...], list[Any]] = {}
        if columns:
            frame = self._first(rows, groups, [], columns, self.items)
            for *values, _ in self._in_order(frame.select(*groups, *columns, "place")):
                item = tuple(values[len(groups) :])
                group = items.setdefault(tuple(values[: len(groups)]), [])
                group.append(item[0] if len(item) == 1 else item)
        return items

    def _listed(
        self, side: int, frame: Any, parts: dict[tuple[Any, ...], list[Part]]
    ) -> tuple[WorstCluster, ...]:
        columns = [*self.within, "kr"[side], "size", "links", "partners", "place"]
        clusters = []
        for *name, size, links, partners, _ in self._in_order(frame.select(*columns)):
            document, cluster = self._key(name)
            label = self.query.labels[side](cluster)
            counts = int(size), int(links) // 2, int(partners)
            of_cluster = tuple(parts.get((document, cluster), ()))
            clusters.append(WorstCluster(document, label, *counts, of_cluster))
        return tuple(clusters)

    def _key(self, name: Sequence[Any]) -> tuple[Any, ...]:
        """Return the document and the name of a cluster."""
        return tuple(name) if self.within else (None, *name)

    def _in_order(self, frame: Any) -> list[tuple[Any, ...]]:
        """Return the rows sorted by their place, the last column."""
        return sorted(self.engine.rows(frame), key=lambda row: row[-1])

    def _sizes(self) -> tuple[Band, ...]:
        """Return the bands. Sizes minus 1 have the same number of bits within a band."""
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
