"""From two tables of items and clusters to profiles, in the engine of the tables.

Columns are renamed: ``d`` is the document (if there is one), ``i0``, ``i1`` … identify the item,
``k`` and ``r`` are the clusters. Only counts of large tables, and the cells among which CEAF must
choose, leave the engine. Small tables are moved to an engine that plans queries faster.
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
from corefmeter.wings.records.keys import FORMS, in_all_forms, normalize, require_rows
from corefmeter.wings.records.profile import CellKind, EntityKind, Profile

_WRITE_ALIKE = "Ids are compared as text; write them the same way on both sides."

#: Number of unmatched items that are examined for the likely cause.
LOOKED_AT = 100

#: Spaces, and everything else but visible ASCII: a pattern that is fast in every engine.
_SPACES = "[^!-~]*"

#: The columns of an overlap table, and the additional one if clusters belong to documents.
OVERLAP = (*SIDES, "n", "key_size", "response_size")
DOCUMENT = "document"


class Columns(NamedTuple):
    """Names of the columns with the item, the clusters of key and response, and the document.

    There is no column for the item if each row of a single table is an item.
    """

    item: tuple[str, ...]
    clusters: tuple[str, str]
    within: str | None


class Tables(NamedTuple):
    """Statistics of two tables by document; without documents, the only one is None.

    `dropped` has the numbers of singletons in key and response that a policy dropped.
    """

    profiles: dict[Any, Profile]
    dropped: dict[Any, tuple[int, int]]
    problems: list[Problem]


class Sides(NamedTuple):
    """Two tables after all policies, with one row for each item that is scored.

    `frames` and `sizes` are the items of both sides and the sizes of their clusters. `rows` are the
    items on both sides with their two clusters.
    """

    frames: list[Any]
    sizes: list[Any]
    rows: Any
    documents: list[Any]
    dropped: list[Mapping[Any, int]]


class Query:
    """The queries on two tables of one engine; `paths` are for messages.

    `labels` convert the names of clusters on each side to those of the user.
    """

    def __init__(
        self, engine: Engine, columns: Columns, recipe: Recipe, paths: Sequence[str | None]
    ) -> None:
        self.engine, self.columns, self.recipe, self.paths = engine, columns, recipe, paths
        self.within = ["d"] if columns.within is not None else []
        self.items = [f"i{place}" for place in range(len(columns.item))]
        self.problems: list[Problem] = []
        self.labels: list[Callable[[Any], Any]] = [lambda name: name] * 2

    def tables(self, key: Any, response: Any, steady: bool) -> Tables:
        """Count two tables; see `sides`."""
        sides = self.sides(key, response, steady)
        tables, entities = self._count(self.cells(sides), sides)
        if self.items:
            self._note_unmatched(sides, entities, list(tables.profiles.values()))
        return tables

    def cells(self, sides: Sides) -> Any:
        """Return the number of common items of each key and response cluster that have some."""
        return group_sizes(sides.rows.group_by(*self.within, "k", "r"), "n")

    def sides(self, key: Any, response: Any, steady: bool) -> Sides:
        """Return the items and clusters that are scored; key and response may be the same table.

        `steady` tables give the same rows each time. Others are kept first, unless they are scans
        of tables or files.

        Raises
        ------
        DataError
            For columns of different types on the two sides, values that cannot be compared, empty
            cells, items in several clusters, and a table without rows.
        OptionError
            For an unknown column.
        """
        tables = self._read_columns(key, response, steady)
        on = [*self.within, *self.items]
        frames = [tables[0].select(*on, "k"), tables[-1].select(*on, "r")]
        if self.items:
            frames = [self.without_copies(frame, side) for side, frame in enumerate(frames)]
        frames = self._split_noise(frames)
        frames, documents = self._pair_documents(frames)
        sizes = [
            self.engine.keep(group_sizes(frame.group_by(*self.within, cluster), f"{side}_size"))
            for side, cluster, frame in zip(SIDES, "kr", frames, strict=True)
        ]
        frames, sizes, dropped = self._without_singletons(frames, sizes)
        rows = tables[0]
        if self.items:
            rows = frames[0].join(frames[1], on=on, how="inner")
        return Sides(frames, sizes, rows, documents, dropped)

    def overlap(self, frame: Any) -> Tables:
        """Count an overlap table, which has the cells and clusters that `tables` would count.

        Its columns are `OVERLAP`, and `DOCUMENT` if there are documents. It has a row for each two
        clusters that have `n` items in common. For each cluster without a partner it has a row in
        which the other cluster is null and `n` is 0 or null.

        Raises
        ------
        DataError
            ``bad-overlap`` for other rows, sizes that are too small or contradict each other, and a
            pair that occurs twice; ``no-item`` for a side without a cluster.
        """
        import narwhals as nw

        short = [*self.within, "k", "r", "n", "key_size", "response_size"]
        names = [*([DOCUMENT] if self.within else []), *OVERLAP]
        table = self.engine.select(frame, dict(zip(short, names, strict=True)))
        rows = self.engine.keep(table.with_columns(nw.col("n").fill_null(0)))
        self._require_overlap(rows)
        sizes = []
        for side, cluster in zip(SIDES, "kr", strict=True):
            clusters = rows.filter(~nw.col(cluster).is_null())
            distinct = clusters.select(*self.within, cluster, f"{side}_size").unique()
            sizes.append(self.engine.keep(distinct))
        cells = rows.filter(nw.col("n") > 0).select(*self.within, "k", "r", "n")
        self._require_sizes(cells, sizes)
        sizes, documents = self._pair_documents(sizes)
        # The cells serve as the frame of both sides, from which singletons are dropped.
        frames, sizes, dropped = self._without_singletons([cells, cells], sizes)
        if any(dropped):
            on = [*self.within, "k", "r"]
            cells = frames[0].join(frames[1].select(*on), on=on, how="semi")
        return self._count(cells, Sides(frames, sizes, cells, documents, dropped))[0]

    def _require_overlap(self, rows: Any) -> None:
        """Refuse rows that are neither a cell nor a cluster without partner."""
        import narwhals as nw

        n, sizes = nw.col("n"), [nw.col(f"{side}_size") for side in SIDES]
        is_empty = [nw.col(cluster).is_null() for cluster in "kr"]
        is_good = ~is_empty[0] & ~is_empty[1] & (n >= 1) & (n <= sizes[0]) & (n <= sizes[1])
        for side in (0, 1):
            is_good |= ~is_empty[side] & is_empty[1 - side] & (n == 0) & (sizes[side] >= 1)
        for document in self.within:
            is_good &= ~nw.col(document).is_null()
        good_rows = nw.when(is_good).then(nw.lit(1)).otherwise(nw.lit(0)).sum()
        counts = rows.select(nw.len().alias("rows"), good_rows.alias("good_rows"))
        ((number, good),) = self.engine.rows(counts)
        self._refuse_overlap(
            number - int(good or 0),
            f"of {amount(number, 'row')}, those that are neither two clusters with n items in "
            "common, at least one and no more than their sizes, nor one cluster with its size "
            "where the other is empty and n is 0",
        )

    def _require_sizes(self, cells: Any, sizes: Sequence[Any]) -> None:
        """Refuse impossible sizes and duplicate cells."""
        import narwhals as nw

        is_repeated = nw.col("times") > 1
        repeated = group_sizes(cells.group_by(*self.within, "k", "r"), "times").filter(is_repeated)
        self._refuse_overlap(self.count_rows(repeated), "pairs with several rows")
        for side, clusters in enumerate(sizes):
            on, name = [*self.within, "kr"[side]], SIDES[side]
            size = nw.col(f"{name}_size")
            ((mentions,),) = self.engine.rows(clusters.select(size.sum()))
            require_rows(int(mentions or 0), side, self.paths[side])
            repeated = group_sizes(clusters.group_by(*on), "times").filter(is_repeated)
            number = self.count_rows(repeated)
            self._refuse_overlap(number, f"clusters of the {name} with several sizes")
            sums = cells.group_by(*on).agg(nw.col("n").sum().alias("sum"))
            too_small = clusters.join(sums, on=on, how="inner").filter(nw.col("sum") > size)
            number = self.count_rows(too_small)
            fault = "whose stated size is smaller than the sum of n over their rows"
            self._refuse_overlap(number, f"clusters of the {name} {fault}")

    def _refuse_overlap(self, number: int, message: str) -> None:
        if number:
            hint = (
                "corefmeter clusters --sql ENGINE --item ID --cluster CLUSTER prints a query that "
                "makes an overlap table of two tables."
            )
            raise self.error("bad-overlap", f"{message}: {number:,}", 0, hint, number)

    def _problem(
        self, code: str, message: str, hint: str | None = None, side: int = 1, count: int = 1
    ) -> Problem:
        """Return a warning about the table of a side."""
        return Problem(code, message, path=self.paths[side], hint=hint, count=count)

    def error(
        self, code: str, message: str, side: int, hint: str | None = None, count: int = 1
    ) -> DataError:
        """Return an error in the table of a side, to raise."""
        problem = self._problem(code, message, hint, side, count)
        return DataError(problem._replace(severity="error"))

    def count_rows(self, frame: Any) -> int:
        """Return the number of rows of a frame."""
        import narwhals as nw

        ((number,),) = self.engine.rows(frame.select(nw.len().alias("rows")))
        return int(number)

    def _count(self, cells: Any, sides: Sides) -> tuple[Tables, list[Any]]:
        """Return the counts, and the entities of key and response."""
        cells = self.engine.keep(cells)
        entities = self.entities(cells, sides.sizes)
        profiles = self._profiles(cells, entities, sides.documents)
        key, response = sides.dropped
        dropped = {name: (key.get(name, 0), response.get(name, 0)) for name in profiles}
        return Tables(profiles, dropped, self.problems), entities

    def _read_columns(self, key: Any, response: Any, steady: bool) -> list[Any]:
        """Return the two tables, or one with both clusters, with short names and comparable values.

        A table with both clusters is read once, so that both are from the same rows.
        """
        import narwhals as nw

        item, clusters, within = self.columns
        short = [*self.within, *self.items]
        names = [*([within] if within is not None else []), *item, *clusters]
        name_of = dict(zip([*short, "k", "r"], names, strict=True))
        tables = []
        for side, native in enumerate([key] if key is response else [key, response]):
            wanted = [*short, *("kr" if key is response else "kr"[side])]
            columns = {column: name_of[column] for column in wanted}
            frame = select_columns(self.engine, native, columns, SIDES[side])
            tables.append(frame if steady else self.engine.keep_unless_scan(native, frame))
        self.engine, tables = move_to_memory(self.engine, tables)
        tables = normalize(self.engine, tables, [name_of] * len(tables), self.paths)
        if self.recipe.noise is not None and not self.items:
            # Equal rows may get their numbers in any order.
            self.items = ["i0"]
            (table,) = tables
            numbered = table.with_row_index("i0", order_by=[*self.within, "k", "r"])
            tables = [self.engine.keep(numbered.with_columns(nw.col("i0").cast(nw.Int64())))]
        return tables

    def _split_noise(self, frames: Sequence[Any]) -> list[Any]:
        """Return the frames with a cluster of its own for each item with the label of noise.

        If no such label is given, report -1 as a likely one.
        """
        import narwhals as nw

        noise, result, numbers = self.recipe.noise, list(frames), [0, 0]
        for side, frame in enumerate(frames):
            cluster = "kr"[side]
            is_noise = _equals(cluster, frame.collect_schema()[cluster], noise or "-1")
            if is_noise is None or not (number := self.count_rows(frame.filter(is_noise))):
                continue
            numbers[side] = number
            if noise is None:
                if number > 1:
                    self.problems.append(noise_likely(number, side, self.paths[side]))
                continue
            # Names of clusters get the prefix =, so that those that are made differ from them.
            items = [*self.within, *self.items]
            alone = frame.filter(is_noise).with_row_index("n", order_by=items)
            parts = [(frame.filter(~is_noise), cluster, "="), (alone, "n", "-")]
            renamed = []
            for part, column, prefix in parts:
                name = nw.col(column).cast(nw.String()).str.replace_all("^", prefix)
                renamed.append(part.select(*items, name.alias(cluster)))
            result[side] = self.engine.keep(nw.concat(renamed))
            self.labels[side] = partial(_label, noise)
        if noise is not None:
            self.problems.append(noise_found(noise, numbers, self.paths[1]))
        return result

    def _note_unmatched(
        self, sides: Sides, entities: Sequence[Any], profiles: Sequence[Profile]
    ) -> None:
        """Report the items on one side only; warn if ids of the two sides differ in form."""
        counts = [(p.matched, p.key_mentions, p.response_mentions) for p in profiles]
        matched, *numbers = map(sum, zip(*counts, strict=True))
        unmatched = [number - matched for number in numbers]
        if not any(unmatched):
            return
        parts = " and ".join(
            f"{rest:,} of {amount(number, 'item')} of the {side}"
            for rest, number, side in zip(unmatched, numbers, SIDES, strict=True)
        )
        problem = self._problem("items-unmatched", f"{parts} are on one side only")
        if numbers[0] and not unmatched[0] and 2 * unmatched[1] > numbers[1]:
            hint = (
                "If the key is a sample of clusters, precision is far too low: run "
                '"corefmeter clusters estimate --drawn size" if you drew items and looked up their '
                "clusters, or --drawn uniform."
            )
            self.problems.append(problem._replace(hint=hint))
        else:
            self.problems.append(problem._replace(severity="note"))
        self.check_ids(sides, entities, unmatched)

    def check_ids(self, sides: Sides, entities: Sequence[Any], unmatched: Sequence[int]) -> None:
        """Warn if ids that are on one side only differ in form from those of the other side."""
        import narwhals as nw

        schema = sides.frames[0].collect_schema()
        texts = [name for name in self.items if schema[name] == nw.String]
        if not texts or not all(unmatched):
            return
        side = int(unmatched[1] < unmatched[0])
        on = [*self.within, *self.items]
        similar = self._similar_to(self._first_unmatched(sides, entities[side], side), texts)
        near = [self.engine.keep(frame.select(*on).filter(similar)) for frame in sides.frames]
        rest = self._only_on_one_side(near, on)
        if form := self._likely_form(rest, on, texts):
            columns = " and ".join(map(repr, self.columns.item))
            examined = self.count_rows(rest[side])
            of = f"of {examined:,} examined, " if examined < unmatched[side] else ""
            self._warn_of_form(columns, of + form)

    def _warn_of_form(self, columns: str, form: str) -> None:
        message = f"values of {columns} that are on one side only: {form}"
        self.problems.append(self._problem("ids-differ", message, _WRITE_ALIKE))

    def _first_unmatched(self, sides: Sides, entities: Any, side: int) -> Any:
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

    def _similar_to(self, items: Any, texts: Sequence[str]) -> Any:
        """Return an expression for whether an id may be one of some items in another form.

        It may also be true of others: it selects, in one pass, a few rows to compare exactly.
        """
        import narwhals as nw

        forms = [in_all_forms(nw.col(name)).alias(name) for name in texts]
        rows = self.engine.rows(items.select(*self.within, *forms))
        conditions = [_is_among(self.within, rows)]
        for place, name in enumerate(texts, len(self.within)):
            ids = "|".join({re.escape(row[place]) for row in rows})
            pattern = f"^{_SPACES}0*(?:{ids})(?:[.]0+)?{_SPACES}$"
            conditions.append(nw.col(name).str.to_lowercase().str.contains(pattern))
        return nw.all_horizontal(*conditions, ignore_nulls=False)

    def _only_on_one_side(self, frames: Sequence[Any], on: Sequence[str]) -> list[Any]:
        """Return the rows of each of two frames that the other lacks."""
        key, response = frames
        return [
            self.engine.keep(frame.join(other, on=list(on), how="anti"))
            for frame, other in ((key, response), (response, key))
        ]

    def _likely_form(
        self, frames: Sequence[Any], on: Sequence[str], texts: Sequence[str]
    ) -> str | None:
        """Describe the form of texts in which most rows of two frames would be equal, if any."""
        import narwhals as nw

        def count_equal(form: Callable[[Any], Any]) -> int:
            key, response = (
                frame.with_columns(*(form(nw.col(name)).alias(name) for name in texts)).unique()
                for frame in frames
            )
            return self.count_rows(key.join(response, on=list(on), how="inner"))

        if not (most := count_equal(in_all_forms)):
            return None
        counts = {name: count_equal(form) for name, form in FORMS.items()}
        name = max(counts, key=lambda name: counts[name])
        if counts[name] < most:
            name = "in lower case and without outer spaces, leading zeros and a final .0"
        return f"{most:,} would be the same {name}"

    def without_copies(self, frame: Any, side: int) -> Any:
        """Return a frame in which each item has one row; refuse items in several clusters.

        Rows have no order, so none of several clusters is the first.
        """
        rows, items = self._count_repeated(frame)
        if not items:
            return frame
        once = self.engine.keep(frame.unique())
        _, in_several = self._count_repeated(once)
        if in_several:
            message = f"items of the {SIDES[side]} that are in more than one cluster: "
            message += f"{in_several:,}; rows of a table have no order, so that none is the first"
            hint = f"Leave one row for each value of {' and '.join(map(repr, self.columns.item))}."
            raise self.error("repeated-mention", message, side, hint, in_several)
        message = f"items of the {SIDES[side]} that occur more than once, in the same cluster: "
        message += f"{items:,}; policy {self.recipe.repeated!r}"
        if self.recipe.repeated == "error":
            hint = "Remove all rows but one of each."
            raise self.error("repeated-mention", message, side, hint, rows - items)
        hint, count = "Each counts once.", rows - items
        self.problems.append(self._problem("repeated-mention", message, hint, side, count))
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

    def _pair_documents(self, frames: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return both frames without documents that are not scored, and the documents that are."""
        if not self.within:
            return frames, [None]
        names = [frame.select("d").unique() for frame in frames]
        in_key, in_response = ({name for (name,) in self.engine.rows(frame)} for frame in names)
        missing, extra = _sorted(in_key - in_response), _sorted(in_response - in_key)
        form = self._likely_form_of_documents(names) if missing and extra else None
        if not in_key & in_response:
            message = f"key and response share no value of {self.columns.within!r}"
            message += f": {form}" if form else ""
            raise self.error("no-common-document", message, 1, _WRITE_ALIKE if form else None)
        if form:
            self._warn_of_form(repr(self.columns.within), form)
        hint = "It is scored as an empty response."
        problem = self._problem("missing-document", "the response has no such document", hint)
        self.problems += [problem._replace(document=str(name)) for name in missing]
        is_strict = self.recipe.documents == "strict"
        hint = "It is ignored; --documents strict counts its mentions as spurious."
        if is_strict:
            hint = "All mentions of this document count as spurious."
        problem = self._problem("extra-document", "the key has no such document", hint)
        self.problems += [problem._replace(document=str(name)) for name in extra]
        if extra and not is_strict:
            frames = [frames[0], frames[1].join(names[0], on=["d"], how="semi")]
        return frames, _sorted(in_key) + (extra if is_strict else [])

    def _likely_form_of_documents(self, names: Sequence[Any]) -> str | None:
        """Describe the form in which document names on one side only would be equal, if any."""
        import narwhals as nw

        if names[0].collect_schema()["d"] != nw.String:
            return None
        return self._likely_form(self._only_on_one_side(names, ["d"]), ["d"], ["d"])

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
            singletons, rest = sizes[side].filter(size == 1), sizes[side].filter(size > 1)
            on = [*self.within, "kr"[side]]
            frames[side] = frames[side].join(rest.select(*on), on=on, how="semi")
            sizes[side], dropped[side] = rest, self._count_by_document(singletons)
        return frames, sizes, dropped

    def _count_by_document(self, frame: Any) -> dict[Any, int]:
        if not self.within:
            return {None: self.count_rows(frame)}
        counts = group_sizes(frame.group_by("d"), "rows").select("d", "rows")
        return {name: int(number) for name, number in self.engine.rows(counts)}

    def entities(self, cells: Any, sizes: Sequence[Any]) -> list[Any]:
        """Return the entities of both sides, with their sizes, common items and partners."""
        import narwhals as nw

        entities = []
        for side, clusters in enumerate(sizes):
            on, name = [*self.within, "kr"[side]], SIDES[side]
            columns = [f"{name}_matched", f"{name}_partners"]
            matched = cells.group_by(*on).agg(
                nw.col("n").sum().alias(columns[0]), nw.len().alias(columns[1])
            )
            counts = (nw.col(column).fill_null(0).cast(nw.Int64()) for column in columns)
            joined = clusters.join(matched, on=on, how="left").with_columns(*counts)
            entities.append(self.engine.keep(joined.select(*on, f"{name}_size", *columns)))
        return entities

    def _profiles(
        self, cells: Any, entities: Sequence[Any], documents: Sequence[Any]
    ) -> dict[Any, Profile]:
        """Return the profiles by document, from the cells and the entities."""
        import narwhals as nw

        within = self.within
        is_lone = (nw.col("key_partners") == 1) & (nw.col("response_partners") == 1)
        joined = self.engine.keep(
            cells.join(entities[0], on=[*within, "k"], how="inner")
            .join(entities[1], on=[*within, "r"], how="inner")
            .with_columns(is_lone.alias("lone"))
        )
        names = [name for name in CellKind._fields if name != "times"]
        cell_kinds = value_counts(self.engine, joined, within, names)
        entity_kinds = [
            value_counts(self.engine, frame, within, [f"{name}_size", f"{name}_matched"])
            for name, frame in zip(SIDES, entities, strict=True)
        ]
        source = EngineCells(self.engine, joined, within)
        profiles = {}
        for name in documents:
            kinds = [CellKind._make(map(int, row)) for row in cell_kinds.get(name, ())]
            sides = [
                [EntityKind(*map(int, row)) for row in of_side.get(name, ())]
                for of_side in entity_kinds
            ]
            profiles[name] = Profile(kinds, sides, source.of(name))
        return profiles


def _is_among(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Any:
    """Return an expression for whether the value of each column occurs in that column of rows."""
    import narwhals as nw

    each = [
        nw.col(name).is_in(list({row[place] for row in rows})) for place, name in enumerate(names)
    ]
    return nw.all_horizontal(nw.lit(True), *each, ignore_nulls=False)


def select_columns(engine: Engine, native: Any, names: Mapping[str, str], side: str) -> Any:
    """Return the columns of a table, whose names are by their new names; refuse unknown ones."""
    frame = engine.frame(native)
    known = frame.collect_schema().names()
    for name in names.values():
        if name not in known:
            reason = f"the {side} has no column {name!r}"
            raise OptionError(f"{reason}; its columns are {', '.join(map(str, known))}")
    return engine.select(frame, names)


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
    """Return the user's name of a cluster that `Query._split_noise` has renamed."""
    return name[1:] if name.startswith("=") else noise


def noise_likely(number: int, side: int, path: str | None = None) -> Problem:
    """Return a warning for items with the label -1 that are scored as one cluster."""
    return Problem(
        "noise-likely",
        f"{amount(number, 'item')} of the {SIDES[side]} have the label -1, scored as one cluster",
        path=path,
        hint="Many programs give this label to items in no cluster; --noise -1 makes each of these "
        "items a cluster of its own.",
    )


def noise_found(noise: str, numbers: Sequence[int], path: str | None = None) -> Problem:
    """Return a note of how many items have the label of noise; a warning if none has."""
    if not any(numbers):
        return Problem("noise", f"noise {noise!r}: no item has this label", path=path)
    items = f"{amount(numbers[0], 'item')} of the key and {numbers[1]:,} of the response"
    message = f"noise {noise!r}: {items} are in no cluster, each a singleton"
    return Problem("noise", message, "note", path=path)


def _sorted(names: set[Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:
        return sorted(names, key=str)
