"""From two tables of items and clusters to profiles, in the engine that the tables live in.

Columns are renamed: ``d`` is the document (where there is one), ``i0``, ``i1`` … make up the item,
``k`` and ``r`` are the clusters. Nothing leaves the engine but counts, and the cells of which CEAF
must choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import DataError, OptionError, Problem, amount
from corefmeter.recipe import Recipe
from corefmeter.tables.cells import EngineCells
from corefmeter.tables.frames import Engine, counted, sized
from corefmeter.tables.profile import CellKind, EntityKind, Profile

#: More items than that on a side: the sum of squares of sizes may not fit into 64 bits.
MOST = 3_000_000_000

#: The columns of an overlap table, and the one more where clusters are those of a document.
OVERLAP = (*SIDES, "n", "key_size", "response_size")
DOCUMENT = "document"


class Columns(NamedTuple):
    """Which columns say what.

    Attributes
    ----------
    item
        The columns that make up an item; none if each row of one table is an item.
    clusters
        The column with the cluster in the key, and in the response.
    within
        The column with the document that items and clusters belong to, if there is one.
    """

    item: tuple[str, ...]
    clusters: tuple[str, str]
    within: str | None


class Tables(NamedTuple):
    """What was counted of two tables.

    Attributes
    ----------
    profiles
        The table of each document; the document is None where there are none.
    dropped
        The singletons of key and response that a policy left out, by document.
    problems
        What was noticed.
    """

    profiles: dict[Any, Profile]
    dropped: dict[Any, tuple[int, int]]
    problems: list[Problem]


class Sides(NamedTuple):
    """Two tables in which all that counts, and nothing else, has one row.

    Attributes
    ----------
    frames, sizes
        The items of the key and of the response, and the sizes of their clusters.
    rows
        The items of both with their two clusters.
    documents
        Those that are scored; None alone where there are none.
    dropped
        The singletons of key and response that a policy left out, by document.
    problems
        What was noticed.
    within, items
        The columns with the document, if there is one, and with the item, if it has a name.
    """

    frames: list[Any]
    sizes: list[Any]
    rows: Any
    documents: list[Any]
    dropped: list[Mapping[Any, int]]
    problems: list[Problem]
    within: list[str]
    items: list[str]


def sides_of(
    engine: Engine, key: Any, response: Any, columns: Columns, recipe: Recipe,
    paths: Sequence[str | None] = (None, None),
) -> Sides:  # fmt: skip
    """Two frames of one engine as they are counted; see `Sides`, and `count_tables` for errors."""
    return _Query(engine, columns, recipe, paths).sides(key, response)


def count_tables(
    engine: Engine, key: Any, response: Any, columns: Columns, recipe: Recipe,
    paths: Sequence[str | None] = (None, None),
) -> Tables:  # fmt: skip
    """Count two frames of one engine; see `Tables`.

    Raises
    ------
    DataError
        For columns of other types on the two sides, empty cells, items in several clusters, a
        table without rows.
    OptionError
        For a column that is not there.
    """
    return _Query(engine, columns, recipe, paths).run(key, response)


def count_overlap(engine: Engine, frame: Any, recipe: Recipe, path: str | None = None) -> Tables:
    """Count an overlap table: the cells and clusters that `count_tables` would have counted.

    Parameters
    ----------
    frame
        The columns `OVERLAP`, and `DOCUMENT` where there are documents: a row for each two
        clusters that have `n` items in common, and for each cluster without a partner, in which
        the other cluster is null and `n` is 0 or null.

    Raises
    ------
    DataError
        ``bad-overlap`` for rows that are in none of these forms, sizes that contradict each other
        or are too small, a pair that occurs twice; ``no-item`` for a side without a cluster.
    OptionError
        For a column that is not there.
    """
    within = DOCUMENT if DOCUMENT in frame.collect_schema().names() else None
    columns = Columns((), SIDES, within)
    return _Query(engine, columns, recipe, (path, path)).run_overlap(frame)


class _Query:
    def __init__(
        self, engine: Engine, columns: Columns, recipe: Recipe, paths: Sequence[str | None]
    ) -> None:
        self.engine, self.columns, self.recipe, self.paths = engine, columns, recipe, paths
        self.within = ["d"] if columns.within is not None else []
        self.items = [f"i{place}" for place in range(len(columns.item))]
        self.problems: list[Problem] = []

    def run(self, key: Any, response: Any) -> Tables:
        sides = self.sides(key, response)
        cells = sized(sides.rows.group_by(*self.within, "k", "r"), "n")
        return self._tables(cells, sides.sizes, sides.documents, sides.dropped)

    def sides(self, key: Any, response: Any) -> Sides:
        sides = [self._named(frame, side) for side, frame in enumerate((key, response))]
        sides = self._alike(sides)
        for side, frame in enumerate(sides):
            self._require_values(frame, side)
        if self.items:
            sides = [self._once(frame, side) for side, frame in enumerate(sides)]
        else:
            rows = self._named(key, 0, "r")
        documents = [self._documents(frame) for frame in sides]
        sides, wanted = self._paired(sides, documents)
        sizes = [self.engine.kept(self._sizes(frame, side)) for side, frame in enumerate(sides)]
        dropped: list[Mapping[Any, int]] = [{}, {}]
        for side in self._dropping():
            sides[side], sizes[side], dropped[side] = self._without_singletons(
                sides[side], sizes[side], side
            )
        if self.items:
            rows = sides[0].join(sides[1], on=[*self.within, *self.items], how="inner")
        return Sides(sides, sizes, rows, wanted, dropped, self.problems, self.within, self.items)

    def run_overlap(self, frame: Any) -> Tables:
        import narwhals as nw

        ours = [*self.within, "k", "r", "n", "key_size", "response_size"]
        names = [*([DOCUMENT] if self.within else []), *OVERLAP]
        table = self.engine.taken(frame, list(zip(names, ours, strict=True)))
        rows = self.engine.kept(table.with_columns(nw.col("n").fill_null(0)))
        self._require_overlap(rows)
        sizes = [
            self.engine.kept(
                rows.filter(~nw.col(short).is_null())
                .select(*self.within, short, f"{side}_size")
                .unique()
            )
            for side, short in zip(SIDES, "kr", strict=True)
        ]
        cells = rows.filter(nw.col("n") > 0).select(*self.within, "k", "r", "n")
        self._require_sizes(cells, sizes)
        sizes, wanted = self._paired(sizes, [self._documents(of) for of in sizes])
        dropped: list[Mapping[Any, int]] = [{}, {}]
        for side in self._dropping():
            cells, sizes[side], dropped[side] = self._without_singletons(cells, sizes[side], side)
        return self._tables(cells, sizes, wanted, dropped)

    def _require_overlap(self, rows: Any) -> None:
        """Refuse rows that are neither a cell nor a cluster without partner."""
        import narwhals as nw

        n, sizes = nw.col("n"), [nw.col(f"{side}_size") for side in SIDES]
        alone = [nw.col(short).is_null() for short in "kr"]
        good = ~alone[0] & ~alone[1] & (n >= 1) & (n <= sizes[0]) & (n <= sizes[1])
        for side in (0, 1):
            good |= ~alone[side] & alone[1 - side] & (n == 0) & (sizes[side] >= 1)
        for document in self.within:
            good &= ~nw.col(document).is_null()
        ((number, fitting),) = self.engine.rows(
            rows.select(
                nw.len().alias("rows"),
                nw.when(good).then(nw.lit(1)).otherwise(nw.lit(0)).sum().alias("fitting"),
            )
        )
        self._refuse(
            number - int(fitting or 0),
            f"of {amount(number, 'row')}, those that are neither two clusters with n items in "
            "common, at least one and no more than their sizes, nor one cluster with its size "
            "where the other is empty and n is 0",
        )

    def _require_sizes(self, cells: Any, sizes: Sequence[Any]) -> None:
        """Refuse sizes that cannot be, and cells that are there twice."""
        import narwhals as nw

        twice = sized(cells.group_by(*self.within, "k", "r"), "times")
        self._refuse(self._many(twice.filter(nw.col("times") > 1)), "pairs with several rows")
        for side, of in enumerate(sizes):
            on, name = [*self.within, "kr"[side]], SIDES[side]
            size = nw.col(f"{name}_size")
            ((mentions,),) = self.engine.rows(of.select(size.sum()))
            self._require_rows(int(mentions or 0), side)
            several = sized(of.group_by(*on), "times").filter(nw.col("times") > 1)
            self._refuse(self._many(several), f"clusters of the {name} with several sizes")
            sums = cells.group_by(*on).agg(nw.col("n").sum().alias("sum"))
            small = of.join(sums, on=on, how="inner").filter(nw.col("sum") > size)
            self._refuse(
                self._many(small), f"clusters of the {name} that are smaller than their rows"
            )

    def _refuse(self, number: int, what: str) -> None:
        if number:
            raise DataError(
                Problem("bad-overlap", f"{what}: {number:,}", "error", path=self.paths[0],
                        count=number, hint="corefmeter clusters --sql prints a query that makes "
                        "an overlap table.")
            )  # fmt: skip

    def _many(self, frame: Any) -> int:
        import narwhals as nw

        ((number,),) = self.engine.rows(frame.select(nw.len().alias("rows")))
        return int(number)

    def _dropping(self) -> list[int]:
        """The sides whose singletons a policy leaves out."""
        return [
            side
            for side, policy in enumerate(("drop-key", "drop-response"))
            if self.recipe.singletons in ("drop", policy)
        ]

    def _tables(
        self, cells: Any, sizes: Sequence[Any], wanted: Sequence[Any],
        dropped: Sequence[Mapping[Any, int]],
    ) -> Tables:  # fmt: skip
        profiles = self._profiles(cells, sizes, wanted)
        return Tables(
            profiles,
            {name: (dropped[0].get(name, 0), dropped[1].get(name, 0)) for name in profiles},
            self.problems,
        )

    def _named(self, frame: Any, side: int, *other: str) -> Any:
        """A frame with the columns that are needed, under their short names.

        `other` is the short name of the cluster of the other side, if that is needed too.
        """
        item, clusters, within = self.columns
        names = [*([within] if within is not None else []), *item, clusters[side]]
        names += [clusters[1]] * len(other)
        known = frame.collect_schema().names()
        for name in names:
            if name not in known:
                raise OptionError(
                    f"the {SIDES[side]} has no column {name!r}. It has: {', '.join(known)}"
                )
        short = [*self.within, *self.items, "kr"[side], *other]
        return self.engine.taken(frame, list(zip(names, short, strict=True)))

    def _alike(self, sides: Sequence[Any]) -> list[Any]:
        """Both frames, with columns that are compared in one type."""
        import narwhals as nw

        schemas = [frame.collect_schema() for frame in sides]
        casts: list[list[Any]] = [[], []]
        wrong = []
        for name in [*self.within, *self.items]:
            types = [schema[name] for schema in schemas]
            kinds = [_kind(one) for one in types]
            if kinds[0] != kinds[1]:
                shown = self.columns.within if name == "d" else self.columns.item[int(name[1:])]
                wrong.append(
                    Problem("types-differ",
                            f"the column {shown!r} holds {kinds[0]} in the key but {kinds[1]} in "
                            "the response, so that no value would be the same",
                            "error", path=self.paths[1], hint="Convert one of them.")
                )  # fmt: skip
            elif types[0] != types[1] or types[0] in (nw.Categorical, nw.Enum):
                common = {"whole numbers": nw.Int64(), "text": nw.String()}.get(kinds[0])
                if common is not None:
                    for cast in casts:
                        cast.append(nw.col(name).cast(common))
        for side, schema in enumerate(schemas):
            name = "kr"[side]
            if schema[name] in (nw.Categorical, nw.Enum):
                casts[side].append(nw.col(name).cast(nw.String()))
        if wrong:
            raise DataError(wrong)
        return [
            frame.with_columns(*cast) if cast else frame
            for frame, cast in zip(sides, casts, strict=True)
        ]

    def _require_values(self, frame: Any, side: int) -> None:
        """Refuse a table without rows, and cells without a value."""
        import narwhals as nw

        names = {name: self.columns.item[place] for place, name in enumerate(self.items)}
        names |= {"d": self.columns.within or "", "kr"[side]: self.columns.clusters[side]}
        columns = [*self.within, *self.items, "kr"[side]]
        ((number, *nulls),) = self.engine.rows(
            frame.select(
                nw.len().alias("rows"),
                *(nw.col(name).is_null().cast(nw.Int64()).sum().alias(name) for name in columns),
            )
        )
        self._require_rows(number, side)
        empty = [
            Problem("empty-cell",
                    f"the column {names[name]!r} of the {SIDES[side]} is empty in {missing} of "
                    f"{number} rows",
                    "error", path=self.paths[side], count=int(missing),
                    hint="Leave these rows out, or give each item its cluster: an item in no "
                    "cluster is missing, an item alone is a cluster of its own.")
            for name, missing in zip(columns, nulls, strict=True) if missing
        ]  # fmt: skip
        if empty:
            raise DataError(empty)

    def _require_rows(self, number: int, side: int) -> None:
        if not number:
            raise DataError(
                Problem("no-item", f"the {SIDES[side]} has no row", "error", path=self.paths[side],
                        hint="A table has a row for each item, with its cluster.")
            )  # fmt: skip
        if number > MOST:
            raise OptionError(f"more than {MOST} rows; score parts of the table")

    def _once(self, frame: Any, side: int) -> Any:
        """A frame in which each item has one row.

        Rows have no order, so that there is no first cluster of an item that is in two.
        """
        rows, items = self._repeated(frame)
        if not items:
            return frame
        once = self.engine.kept(frame.unique())
        _, torn = self._repeated(once)
        path, shown = self.paths[side], " and ".join(map(repr, self.columns.item))
        if torn:
            raise DataError(
                Problem("repeated-mention",
                        f"items of the {SIDES[side]} that are in more than one cluster: {torn:,}; "
                        "rows of a table have no order, so that none is the first",
                        "error", path=path, count=torn,
                        hint=f"Leave one row for each value of {shown}.")
            )  # fmt: skip
        error = self.recipe.repeated == "error"
        problem = Problem(
            "repeated-mention",
            f"items of the {SIDES[side]} that occur more than once, in the same cluster: "
            f"{items:,}; policy {self.recipe.repeated!r}",
            "error" if error else "warning",
            path=path,
            count=rows - items,
            hint="Remove all rows but one of each." if error else "Each counts once.",
        )
        if error:
            raise DataError(problem)
        self.problems.append(problem)
        return once

    def _repeated(self, frame: Any) -> tuple[int, int]:
        """How many rows there are of items that have several, and how many such items."""
        import narwhals as nw

        repeated = sized(frame.group_by(*self.within, *self.items), "n").filter(nw.col("n") > 1)
        ((rows, items),) = self.engine.rows(
            repeated.select(nw.col("n").sum().alias("rows"), nw.len().alias("items"))
        )
        return int(rows or 0), int(items)

    def _documents(self, frame: Any) -> set[Any]:
        if not self.within:
            return {None}
        return {name for (name,) in self.engine.rows(frame.select("d").unique())}

    def _paired(
        self, sides: list[Any], documents: Sequence[set[Any]]
    ) -> tuple[list[Any], list[Any]]:
        """Both frames with the documents that are scored, and these."""
        in_key, in_response = documents
        path, strict = self.paths[1], self.recipe.documents == "strict"
        if not in_key & in_response:
            raise DataError(
                Problem("no-common-document",
                        f"key and response share no value of {self.columns.within!r}", "error",
                        path=path)
            )  # fmt: skip
        for name in _sorted(in_key - in_response):
            self.problems.append(
                Problem("missing-document", "the response has no such document", path=path,
                        document=str(name), hint="It is scored as an empty response.")
            )  # fmt: skip
        extra = _sorted(in_response - in_key)
        for name in extra:
            self.problems.append(
                Problem("extra-document", "the key has no such document", path=path,
                        document=str(name), hint="All its mentions count as spurious." if strict
                        else "It is ignored; --documents strict counts its mentions as spurious.")
            )  # fmt: skip
        if extra and not strict:
            known = sides[0].select("d").unique()
            sides = [sides[0], sides[1].join(known, on=["d"], how="semi")]
        return sides, _sorted(in_key) + (extra if strict else [])

    def _sizes(self, frame: Any, side: int) -> Any:
        return sized(frame.group_by(*self.within, "kr"[side]), f"{SIDES[side]}_size")

    def _without_singletons(
        self, frame: Any, sizes: Any, side: int
    ) -> tuple[Any, Any, Mapping[Any, int]]:
        import narwhals as nw

        size = nw.col(f"{SIDES[side]}_size")
        alone, rest = sizes.filter(size == 1), sizes.filter(size > 1)
        on = [*self.within, "kr"[side]]
        return frame.join(rest.select(*on), on=on, how="semi"), rest, self._numbers(alone)

    def _numbers(self, frame: Any) -> dict[Any, int]:
        """How many rows each document has."""
        import narwhals as nw

        if self.within:
            frame = frame.group_by("d").agg(nw.len().alias("rows"))
            return {
                name: int(number) for name, number in self.engine.rows(frame.select("d", "rows"))
            }
        return {None: self._many(frame)}

    def _profiles(
        self, cells: Any, sizes: Sequence[Any], wanted: Sequence[Any]
    ) -> dict[Any, Profile]:
        """The profiles, from the cells and the entities."""
        import narwhals as nw

        kept, within = self.engine.kept, self.within
        cells = kept(cells)
        entities = []
        for side, of in enumerate(sizes):
            on, name = [*within, "kr"[side]], SIDES[side]
            matched = cells.group_by(*on).agg(
                nw.col("n").sum().alias(f"{name}_matched"), nw.len().alias(f"{name}_partners")
            )
            found = [f"{name}_matched", f"{name}_partners"]
            entities.append(
                kept(
                    of.join(matched, on=on, how="left")
                    .with_columns(*(nw.col(one).fill_null(0).cast(nw.Int64()) for one in found))
                    .select(*on, f"{name}_size", *found)
                )
            )
        lone = (nw.col("key_partners") == 1) & (nw.col("response_partners") == 1)
        full = kept(
            cells.join(entities[0], on=[*within, "k"], how="inner")
            .join(entities[1], on=[*within, "r"], how="inner")
            .with_columns(lone.alias("lone"))
        )
        names = [name for name in CellKind._fields if name != "times"]
        kinds = counted(self.engine, full, within, names)
        sides_kinds = [
            counted(self.engine, frame, within, [f"{name}_size", f"{name}_matched"])
            for name, frame in zip(SIDES, entities, strict=True)
        ]
        source = EngineCells(self.engine, full, within)
        return {
            name: Profile(
                [CellKind._make(map(int, row)) for row in kinds.get(name, ())],
                [[EntityKind(*map(int, row)) for row in of.get(name, ())] for of in sides_kinds],
                source.of(name),
            )
            for name in wanted
        }


def _kind(dtype: Any) -> str:
    """What a type holds, for messages; values of two kinds are never the same."""
    import narwhals as nw

    if dtype.is_integer():
        return "whole numbers"
    if dtype.is_numeric():
        return "fractional numbers"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "text"
    if dtype == nw.Object:
        return "any objects"
    return str(dtype).lower()


def _sorted(names: set[Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:
        return sorted(names, key=str)
