"""From two tables of items and clusters to profiles, in the engine that the tables live in.

Columns are renamed: ``d`` is the document (where there is one), ``i0``, ``i1`` … make up the item,
``k`` and ``r`` are the clusters. Of large tables nothing leaves the engine but counts, and the
cells of which CEAF must choose; small ones are moved to an engine that plans queries faster.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import DataError, OptionError, Problem, amount
from corefmeter.recipe import Recipe
from corefmeter.wings.records.cells import EngineCells
from corefmeter.wings.records.frames import Engine, group_sizes, move_to_memory, value_counts
from corefmeter.wings.records.keys import FORMS, alike, in_all_forms, require_rows
from corefmeter.wings.records.profile import CellKind, EntityKind, Profile

_WRITE_ALIKE = "Ids are compared as they are written; write those of both sides alike."

#: So many items of one side are looked at for the likely cause.
LOOKED_AT = 100

#: All but visible ASCII: every engine has a fast pattern of it, and of few spaces only.
_SPACES = "[^!-~]*"

#: The columns of an overlap table, and the one more where clusters are those of a document.
OVERLAP = (*SIDES, "n", "key_size", "response_size")
DOCUMENT = "document"


class Columns(NamedTuple):
    """Roles of columns: those of the item, the cluster in key and response, the document.

    There is no column of the item if each row of one table is an item.
    """

    item: tuple[str, ...]
    clusters: tuple[str, str]
    within: str | None


class Tables(NamedTuple):
    """Statistics of two tables by document, which is None where there are none.

    `dropped` has the singletons of key and response that a policy left out.
    """

    profiles: dict[Any, Profile]
    dropped: dict[Any, tuple[int, int]]
    problems: list[Problem]


class Sides(NamedTuple):
    """Two tables after all policies, with one row for each item that is scored.

    `frames` and `sizes` are the items of both sides and the sizes of their clusters; `rows` the
    items of both with their two clusters; `labels` map the name of a cluster to that of the user.
    """

    engine: Engine
    frames: list[Any]
    sizes: list[Any]
    rows: Any
    documents: list[Any]
    dropped: list[Mapping[Any, int]]
    problems: list[Problem]
    within: list[str]
    items: list[str]
    labels: list[Callable[[Any], Any]]


class Query:
    """The queries on two tables of one engine; `paths` are for messages."""

    def __init__(
        self,
        engine: Engine,
        columns: Columns,
        recipe: Recipe,
        paths: Sequence[str | None] = (None, None),
    ) -> None:
        self.engine, self.columns, self.recipe, self.paths = engine, columns, recipe, paths
        self.within = ["d"] if columns.within is not None else []
        self.items = [f"i{place}" for place in range(len(columns.item))]
        self.problems: list[Problem] = []
        self.labels: list[Callable[[Any], Any]] = [lambda name: name] * 2

    def tables(self, key: Any, response: Any, steady: bool) -> Tables:
        """Count two tables; see `sides`."""
        sides = self.sides(key, response, steady)
        cells = group_sizes(sides.rows.group_by(*self.within, "k", "r"), "n")
        tables, entities = self._tables(cells, sides.sizes, sides.documents, sides.dropped)
        if self.items:
            self._note_unmatched(sides, entities, list(tables.profiles.values()))
        return tables

    def sides(self, key: Any, response: Any, steady: bool) -> Sides:
        """Return two tables as they are counted; the same object if one table has both clusters.

        `steady` tables give the same rows each time. Others are kept first, unless they are seen to
        be scans of tables or files.

        Raises
        ------
        DataError
            For columns of other types on the two sides, values that cannot be compared, empty
            cells, items in several clusters, a table without rows.
        OptionError
            For a column that is not there.
        """
        tables = self._tables_of(key, response, steady)
        on = [*self.within, *self.items]
        sides = [tables[0].select(*on, "k"), tables[-1].select(*on, "r")]
        if self.items:
            sides = [self._without_copies(frame, side) for side, frame in enumerate(sides)]
        sides = self._with_noise(sides)
        sides, wanted = self._pair_documents(sides)
        sizes = [
            self.engine.kept(group_sizes(frame.group_by(*self.within, short), f"{side}_size"))
            for side, short, frame in zip(SIDES, "kr", sides, strict=True)
        ]
        sides, sizes, dropped = self._without_singletons(sides, sizes)
        rows = tables[0]
        if self.items:
            rows = sides[0].join(sides[1], on=on, how="inner")
        return Sides(
            self.engine,
            sides,
            sizes,
            rows,
            wanted,
            dropped,
            self.problems,
            self.within,
            self.items,
            self.labels,
        )

    def overlap(self, frame: Any) -> Tables:
        """Count an overlap table: the cells and clusters that `tables` would have counted.

        It has the columns `OVERLAP`, and `DOCUMENT` where there are documents: a row for each two
        clusters that have `n` items in common, and for each cluster without a partner, in which
        the other cluster is null and `n` is 0 or null.

        Raises
        ------
        DataError
            ``bad-overlap`` for rows in neither of these forms, sizes that contradict each other or
            are too small, a pair that occurs twice; ``no-item`` for a side without a cluster.
        """
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
        sizes, wanted = self._pair_documents(sizes)
        # Both sides of the cells are the same frame, from which the clusters of both are dropped.
        frames, sizes, dropped = self._without_singletons([cells, cells], sizes)
        if any(dropped):
            on = [*self.within, "k", "r"]
            cells = frames[0].join(frames[1].select(*on), on=on, how="semi")
        return self._tables(cells, sizes, wanted, dropped)[0]

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
        fitting = nw.when(good).then(nw.lit(1)).otherwise(nw.lit(0)).sum()
        counts = rows.select(nw.len().alias("rows"), fitting.alias("fitting"))
        ((number, fits),) = self.engine.rows(counts)
        self._refuse(
            number - int(fits or 0),
            f"of {amount(number, 'row')}, those that are neither two clusters with n items in "
            "common, at least one and no more than their sizes, nor one cluster with its size "
            "where the other is empty and n is 0",
        )

    def _require_sizes(self, cells: Any, sizes: Sequence[Any]) -> None:
        """Refuse impossible sizes and duplicate cells."""
        import narwhals as nw

        several = nw.col("times") > 1
        twice = group_sizes(cells.group_by(*self.within, "k", "r"), "times").filter(several)
        self._refuse(self._count_rows(twice), "pairs with several rows")
        for side, of in enumerate(sizes):
            on, name = [*self.within, "kr"[side]], SIDES[side]
            size = nw.col(f"{name}_size")
            ((mentions,),) = self.engine.rows(of.select(size.sum()))
            require_rows(int(mentions or 0), side, self.paths[side])
            torn = group_sizes(of.group_by(*on), "times").filter(several)
            self._refuse(self._count_rows(torn), f"clusters of the {name} with several sizes")
            sums = cells.group_by(*on).agg(nw.col("n").sum().alias("sum"))
            small = of.join(sums, on=on, how="inner").filter(nw.col("sum") > size)
            self._refuse(
                self._count_rows(small),
                f"clusters of the {name} whose size is below the sum of their rows",
            )

    def _refuse(self, number: int, what: str) -> None:
        if number:
            hint = (
                "corefmeter clusters --sql ENGINE --item ID --cluster CLUSTER prints a query that "
                "makes an overlap table of two tables."
            )
            raise self._error("bad-overlap", f"{what}: {number:,}", 0, hint, number)

    def _error(
        self, code: str, message: str, side: int, hint: str | None = None, count: int | None = None
    ) -> DataError:
        """Return an error in the table of a side, to raise."""
        path = self.paths[side]
        how: dict[str, Any] = {} if count is None else {"count": count}
        return DataError(Problem(code, message, "error", path=path, hint=hint, **how))

    def _count_rows(self, frame: Any) -> int:
        import narwhals as nw

        ((number,),) = self.engine.rows(frame.select(nw.len().alias("rows")))
        return int(number)

    def _tables(
        self,
        cells: Any,
        sizes: Sequence[Any],
        wanted: Sequence[Any],
        dropped: Sequence[Mapping[Any, int]],
    ) -> tuple[Tables, list[Any]]:
        """Return the counts, and the entities of key and response."""
        cells = self.engine.kept(cells)
        entities = self._entities(cells, sizes)
        profiles = self._profiles(cells, entities, wanted)
        numbers = {name: (dropped[0].get(name, 0), dropped[1].get(name, 0)) for name in profiles}
        return Tables(profiles, numbers, self.problems), entities

    def _tables_of(self, key: Any, response: Any, steady: bool) -> list[Any]:
        """Return the two tables, or the one of both, with short names and values in one form.

        A table is taken once, so that its clusters are of the same rows.
        """
        import narwhals as nw

        item, clusters, within = self.columns
        short = [*self.within, *self.items]
        names = [*([within] if within is not None else []), *item, *clusters]
        shown = dict(zip([*short, "k", "r"], names, strict=True))
        tables = []
        for side, native in enumerate([key] if key is response else [key, response]):
            frame = self.engine.frame(native)
            wanted = [*short, *("kr" if key is response else "kr"[side])]
            known = frame.collect_schema().names()
            for one in wanted:
                if shown[one] not in known:
                    has = ", ".join(map(str, known))
                    message = f"the {SIDES[side]} has no column {shown[one]!r}. It has: {has}"
                    raise OptionError(message)
            frame = self.engine.taken(frame, [(shown[one], one) for one in wanted])
            tables.append(frame if steady else self.engine.held(native, frame))
        self.engine, tables = move_to_memory(self.engine, tables)
        tables = alike(self.engine, tables, shown, self.paths)
        if self.recipe.noise is not None and not self.items:
            # Rows that are equal may be numbered either way.
            self.items = ["i0"]
            (table,) = tables
            numbered = table.with_row_index("i0", order_by=[*self.within, "k", "r"])
            tables = [self.engine.kept(numbered.with_columns(nw.col("i0").cast(nw.Int64())))]
        return tables

    def _with_noise(self, sides: Sequence[Any]) -> list[Any]:
        """Return the frames with a cluster for each item that has the label of noise.

        Without such a label, -1 is suspected to be one.
        """
        import narwhals as nw

        noise, found, numbers = self.recipe.noise, list(sides), [0, 0]
        for side, frame in enumerate(sides):
            name = "kr"[side]
            is_noise = _equals(name, frame.collect_schema()[name], noise or "-1")
            if is_noise is None or not (number := self._count_rows(frame.filter(is_noise))):
                continue
            numbers[side] = number
            if noise is None:
                if number > 1:
                    self.problems.append(noise_likely(number, side, self.paths[side]))
                continue
            # Names of clusters begin with =, so that those that are made are other ones.
            items = [*self.within, *self.items]
            alone = frame.filter(is_noise).with_row_index("n", order_by=items)
            rest = frame.filter(~is_noise)
            renamed = [
                one.with_columns(
                    nw.col(of).cast(nw.String()).str.replace_all("^", sign).alias(name)
                ).select(*items, name)
                for one, sign, of in ((rest, "=", name), (alone, "-", "n"))
            ]
            found[side] = self.engine.kept(nw.concat(renamed))
            self.labels[side] = partial(_label, noise)
        if noise is not None:
            self.problems.append(noise_found(noise, numbers, self.paths[1]))
        return found

    def _note_unmatched(
        self, sides: Sides, entities: Sequence[Any], profiles: Sequence[Profile]
    ) -> None:
        """Note how many items are on one side only; warn if ids are written in two ways."""
        import narwhals as nw

        matched = sum(one.matched for one in profiles)
        numbers = [
            sum(one.key_mentions for one in profiles),
            sum(one.response_mentions for one in profiles),
        ]
        left = [number - matched for number in numbers]
        if not any(left):
            return
        message = " and ".join(
            f"{rest:,} of {amount(number, 'item')} of the {side}"
            for rest, number, side in zip(left, numbers, SIDES, strict=True)
        )
        path = self.paths[1]
        unmatched = Problem("items-unmatched", f"{message} are on one side only", "note", path=path)
        if matched and not left[0] and 2 * left[1] > numbers[1]:
            hint = (
                "If the key is a sample of clusters, precision is far too low: use "
                "corefmeter.estimate in Python, which estimates the scores of the whole."
            )
            unmatched = unmatched._replace(severity="warning", hint=hint)
        self.problems.append(unmatched)
        schema = sides.frames[0].collect_schema()
        texts = [name for name in self.items if schema[name] == nw.String]
        if not texts or not all(left):
            return
        side = int(left[1] < left[0])
        on = [*self.within, *self.items]
        like = self._written_like(self._unmatched(sides, entities[side], side), texts)
        near = [self.engine.kept(frame.select(*on).filter(like)) for frame in sides.frames]
        rest = [
            self.engine.kept(frame.join(other, on=on, how="anti"))
            for frame, other in (near, near[::-1])
        ]
        if form := self._likely_form(rest, on, texts):
            columns = " and ".join(map(repr, self.columns.item))
            looked = self._count_rows(rest[side])
            of = f"of {looked:,} looked at, " if looked < left[side] else ""
            message = f"values of {columns} that are on one side only: {of}{form}"
            self.problems.append(Problem("ids-differ", message, path=path, hint=_WRITE_ALIKE))

    def _unmatched(self, sides: Sides, entities: Any, side: int) -> Any:
        """Return the first items of a side, in its first entities, that the other side lacks."""
        import narwhals as nw

        on, cluster, name = [*self.within, *self.items], "kr"[side], SIDES[side]
        incomplete = entities.filter(nw.col(f"{name}_size") > nw.col(f"{name}_matched"))
        first = self._first_rows(incomplete, [*self.within, cluster])
        rows = self.engine.rows(first.select(*self.within, cluster))
        chosen = _is_among([*self.within, cluster], rows)
        items = sides.frames[side].filter(chosen).select(*on)
        matched = sides.rows.filter(chosen).select(*on)
        return self._first_rows(items.join(matched, on=on, how="anti"), on)

    def _first_rows(self, frame: Any, order: list[str]) -> Any:
        import narwhals as nw

        return frame.with_row_index("n", order_by=order).filter(nw.col("n") < LOOKED_AT)

    def _written_like(self, items: Any, texts: Sequence[str]) -> Any:
        """Return an expression for whether an id may be one of some items in another form.

        It may be true of others too: it selects, in one pass, the few rows to compare exactly.
        """
        import narwhals as nw

        forms = [in_all_forms(nw.col(name)).alias(name) for name in texts]
        rows = self.engine.rows(items.select(*self.within, *forms))
        like = [_is_among(self.within, rows)]
        for place, name in enumerate(texts, len(self.within)):
            any_of = "|".join({re.escape(row[place]) for row in rows})
            pattern = f"^{_SPACES}0*(?:{any_of})(?:[.]0+)?{_SPACES}$"
            like.append(nw.col(name).str.to_lowercase().str.contains(pattern))
        return nw.all_horizontal(*like, ignore_nulls=False)

    def _likely_form(
        self, frames: Sequence[Any], on: Sequence[str], texts: Sequence[str]
    ) -> str | None:
        """Count rows of two frames that would be equal if texts were compared in another form."""
        import narwhals as nw

        def common(form: Callable[[Any], Any]) -> int:
            made = [
                frame.with_columns(*(form(nw.col(name)).alias(name) for name in texts)).unique()
                for frame in frames
            ]
            return self._count_rows(made[0].join(made[1], on=list(on), how="inner"))

        if not (most := common(in_all_forms)):
            return None
        forms = {name: common(form) for name, form in FORMS.items()}
        name = max(forms, key=lambda name: forms[name])
        if forms[name] < most:
            name = "in lower case and without outer spaces, leading zeros and a final .0"
        return f"{most:,} would be the same {name}"

    def _without_copies(self, frame: Any, side: int) -> Any:
        """Return a frame in which each item has one row; refuse items in several clusters.

        Rows have no order, so that none of several clusters is the first.
        """
        rows, items = self._count_repeated(frame)
        if not items:
            return frame
        once = self.engine.kept(frame.unique())
        _, torn = self._count_repeated(once)
        if torn:
            message = (
                f"items of the {SIDES[side]} that are in more than one cluster: {torn:,}; "
                "rows of a table have no order, so that none is the first"
            )
            shown = " and ".join(map(repr, self.columns.item))
            hint = f"Leave one row for each value of {shown}."
            raise self._error("repeated-mention", message, side, hint, torn)
        message = (
            f"items of the {SIDES[side]} that occur more than once, in the same cluster: "
            f"{items:,}; policy {self.recipe.repeated!r}"
        )
        if self.recipe.repeated == "error":
            hint = "Remove all rows but one of each."
            raise self._error("repeated-mention", message, side, hint, rows - items)
        path, hint = self.paths[side], "Each counts once."
        self.problems.append(
            Problem("repeated-mention", message, path=path, count=rows - items, hint=hint)
        )
        return once

    def _count_repeated(self, frame: Any) -> tuple[int, int]:
        """Return the number of rows of items that have several, and the number of such items."""
        import narwhals as nw

        sizes = group_sizes(frame.group_by(*self.within, *self.items), "n")
        counts = sizes.filter(nw.col("n") > 1).select(
            nw.col("n").sum().alias("rows"), nw.len().alias("items")
        )
        ((rows, items),) = self.engine.rows(counts)
        return int(rows or 0), int(items)

    def _pair_documents(self, sides: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return both frames without documents that are not scored, and the documents that are."""
        if not self.within:
            return sides, [None]
        names = [frame.select("d").unique() for frame in sides]
        in_key, in_response = ({name for (name,) in self.engine.rows(one)} for one in names)
        path, strict = self.paths[1], self.recipe.documents == "strict"
        form = None
        if in_key - in_response and in_response - in_key:
            form = self._likely_form_of_documents(names)
        if not in_key & in_response:
            message = f"key and response share no value of {self.columns.within!r}"
            message += f": {form}" if form else ""
            raise self._error("no-common-document", message, 1, _WRITE_ALIKE if form else None)
        if form:
            message = f"values of {self.columns.within!r} that are on one side only: {form}"
            self.problems.append(Problem("ids-differ", message, path=path, hint=_WRITE_ALIKE))
        missing, extra = _sorted(in_key - in_response), _sorted(in_response - in_key)
        ignored = "It is ignored; --documents strict counts its mentions as spurious."
        for code, documents, message, hint in (
            (
                "missing-document",
                missing,
                "the response has no such document",
                "It is scored as an empty response.",
            ),
            (
                "extra-document",
                extra,
                "the key has no such document",
                "All its mentions count as spurious." if strict else ignored,
            ),
        ):
            self.problems += [
                Problem(code, message, path=path, document=str(name), hint=hint)
                for name in documents
            ]
        if extra and not strict:
            sides = [sides[0], sides[1].join(names[0], on=["d"], how="semi")]
        return sides, _sorted(in_key) + (extra if strict else [])

    def _likely_form_of_documents(self, names: Sequence[Any]) -> str | None:
        """Describe the form in which document names on one side only would be equal, if any."""
        import narwhals as nw

        if names[0].collect_schema()["d"] != nw.String:
            return None
        only = [
            self.engine.kept(one.join(other, on=["d"], how="anti"))
            for one, other in (names, names[::-1])
        ]
        return self._likely_form(only, ["d"], ["d"])

    def _without_singletons(
        self, frames: Sequence[Any], sizes: Sequence[Any]
    ) -> tuple[list[Any], list[Any], list[Mapping[Any, int]]]:
        """Return frames and sizes without the singletons that a policy drops, and their numbers."""
        import narwhals as nw

        frames, sizes = list(frames), list(sizes)
        dropped: list[Mapping[Any, int]] = [{}, {}]
        for side, policy in enumerate(("drop-key", "drop-response")):
            if self.recipe.singletons not in ("drop", policy):
                continue
            size = nw.col(f"{SIDES[side]}_size")
            alone, rest = sizes[side].filter(size == 1), sizes[side].filter(size > 1)
            on = [*self.within, "kr"[side]]
            frames[side] = frames[side].join(rest.select(*on), on=on, how="semi")
            sizes[side], dropped[side] = rest, self._numbers(alone)
        return frames, sizes, dropped

    def _numbers(self, frame: Any) -> dict[Any, int]:
        """Count the rows of each document."""
        if not self.within:
            return {None: self._count_rows(frame)}
        counts = group_sizes(frame.group_by("d"), "rows").select("d", "rows")
        return {name: int(number) for name, number in self.engine.rows(counts)}

    def _entities(self, cells: Any, sizes: Sequence[Any]) -> list[Any]:
        """Return the entities of both sides, with their sizes, common items and partners."""
        import narwhals as nw

        kept, within = self.engine.kept, self.within
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
        return entities

    def _profiles(
        self, cells: Any, entities: Sequence[Any], wanted: Sequence[Any]
    ) -> dict[Any, Profile]:
        """Return the profiles, from the cells and the entities."""
        import narwhals as nw

        within = self.within
        lone = (nw.col("key_partners") == 1) & (nw.col("response_partners") == 1)
        full = self.engine.kept(
            cells.join(entities[0], on=[*within, "k"], how="inner")
            .join(entities[1], on=[*within, "r"], how="inner")
            .with_columns(lone.alias("lone"))
        )
        names = [name for name in CellKind._fields if name != "times"]
        kinds = value_counts(self.engine, full, within, names)
        sides_kinds = [
            value_counts(self.engine, frame, within, [f"{name}_size", f"{name}_matched"])
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


def _is_among(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """Return an expression for whether the value of each column occurs in that column of rows."""
    import narwhals as nw

    values = [list({row[place] for row in rows}) for place in range(len(names))]
    each = [nw.col(name).is_in(known) for name, known in zip(names, values, strict=True)]
    return nw.all_horizontal(nw.lit(True), *each, ignore_nulls=False)


def _equals(name: str, dtype: Any, label: str) -> Any:
    """Return an expression for whether a cluster has a label; None if its type cannot have it."""
    import narwhals as nw

    column = nw.col(name)
    if dtype == nw.String:
        return column == label
    try:
        number = float(label)
    except ValueError:
        number = math.nan
    if dtype.is_float():
        return column == number
    if dtype.is_signed_integer() and number.is_integer() and abs(number) < 2**53:
        return column == int(number)
    if dtype == nw.Object or label == "-1":
        return None
    return column.cast(nw.String()) == label


def _label(noise: str, name: str) -> str:
    """Return the user's name of a cluster where noise has clusters of their own."""
    return name[1:] if name.startswith("=") else noise


def noise_likely(number: int, side: int, path: str | None = None) -> Problem:
    """Return a warning for items with the label -1 that are scored as one cluster."""
    return Problem(
        "noise-likely",
        f"{amount(number, 'item')} of the {SIDES[side]} have the label -1, scored as one cluster",
        path=path,
        hint="Many programs label so what is in no cluster; --noise -1 makes each of these items a "
        "cluster of its own.",
    )


def noise_found(noise: str, numbers: Sequence[int], path: str | None = None) -> Problem:
    """Return a note of how many items have the label of noise; a warning if none has."""
    if not any(numbers):
        return Problem("noise", f"noise {noise!r}: no item has this label", path=path)
    message = f"{amount(numbers[0], 'item')} of the key and {numbers[1]:,} of the response"
    return Problem(
        "noise",
        f"noise {noise!r}: {message} are in no cluster, each a singleton",
        "note",
        path=path,
    )


def _sorted(names: set[Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:
        return sorted(names, key=str)
