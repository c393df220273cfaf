"""The cells of a table in an engine, for metrics that must choose among them.

**The best partner of each entity** is a maximum by entity; the engine counts how often each maximum
occurs. **An assignment** (CEAF) is computed in the engine as far as possible. A cell *dominates* if
it weighs no less than the best other cell of its key entity and the best other cell of its response
entity together. It belongs to an assignment with the greatest total (for the proof, see
``docs/decisions/ceaf.md``), so it is taken, and other cells of its entities are removed. This is
repeated in rounds, each of which needs only maxima by entity. The remaining cells, mostly none, go
to the exact solver.

Weights in the engine are computed by the metric's own formula, which works for expressions as well
as for numbers. Sums are computed from counts of cell kinds, like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from corefmeter.matching.solver import WORTHWHILE
from corefmeter.metrics.overlap import CellValues, Side
from corefmeter.problems import OptionError
from corefmeter.wings.records.frames import Engine, by_document, value_counts
from corefmeter.wings.records.profile import Cell, Choice, Source, TakenKind

#: The columns from which weights are computed, and those of a cell.
KIND = ("n", "key_size", "response_size")
CELL = ("k", "r", *KIND)

#: With at most this number of cells, solving is faster than reducing them first.
FEW = 20_000

#: More cells are not solved: they would take gigabytes and minutes.
LIMIT = 3_000_000

#: Rounds of guessing, if there are more than `LIMIT` cells.
ROUNDS = 20


class _Assignments(NamedTuple):
    """The parts of a `Choice` by document."""

    taken: Mapping[Any, list[TakenKind]]
    left: Mapping[Any, list[Cell]]
    guessed: Mapping[Any, list[TakenKind]]
    upper: Mapping[Any, float]


class EngineCells:
    """Cells of all documents in an engine.

    `cells` have the columns `CELL` and ``lone``. `within` is the column with the document, if there
    is one; otherwise the only document is None.
    """

    def __init__(self, engine: Engine, cells: Any, within: list[str]) -> None:
        import narwhals as nw

        self.engine, self.within = engine, within
        self._all = cells.select(*within, *CELL)
        self._open = cells.filter(~nw.col("lone")).select(*within, *CELL)
        self._cells: dict[Any, list[Cell]] | None = None
        self._best: dict[tuple[CellValues, Side], dict[Any, list[tuple[Any, int]]]] = {}
        self._open_number: int | None = None
        self._assignments: dict[CellValues | None, _Assignments] = {}

    def of(self, document: Any) -> Source:
        """Return the functions that provide the cells of a document."""
        return Source(
            partial(self._cells_of, document),
            partial(self._choice, document),
            partial(self._best_of, document),
        )

    def _cells_of(self, document: Any) -> Sequence[Cell]:
        if self._cells is None:
            self._cells = self._fetch(self._all)
        return self._cells.get(document, [])

    def _best_of(
        self, document: Any, values: CellValues, side: Side
    ) -> Sequence[tuple[Any, int]] | None:
        """Return the greatest values of the entities of a side, and how often each occurs."""
        import narwhals as nw

        weight = _as_expression(values)
        if weight is None:
            return None
        if (values, side) not in self._best:
            weighted = self._all.select(*self.within, side[0], weight.alias("w"))
            best = weighted.group_by(*self.within, side[0]).agg(nw.col("w").max())
            counts = value_counts(self.engine, best, self.within, ["w"])
            self._best[values, side] = {
                name: [(value, int(times)) for value, times in rows]
                for name, rows in counts.items()
            }
        return self._best[values, side].get(document, [])

    def _choice(self, document: Any, similarities: CellValues) -> Choice:
        """Return the cells of an assignment as far as the engine finds them, and those left.

        All cells are left if the similarities cannot be computed by expressions of the engine. If
        more than `LIMIT` are left in all documents, the engine guesses: in rounds it takes the
        cells that are the heaviest of both of their entities, and none is left.
        """
        if self._open_number is None:
            self._open_number = self._count(self._open)
        weight = _as_expression(similarities) if self._open_number > FEW else None
        # All similarities without a weight leave the same cells, so they share one result.
        cached_as = similarities if weight is not None else None
        if cached_as not in self._assignments:
            self._assignments[cached_as] = self._assign(weight)
        taken, left, guessed, upper = self._assignments[cached_as]
        return Choice(
            taken.get(document, ()),
            left.get(document, ()),
            guessed.get(document, ()),
            upper.get(document, 0.0),
        )

    def _assign(self, weight: Any) -> _Assignments:
        """Take the cells that dominate by their weight, then guess if too many are left."""
        if weight is None:
            return _Assignments({}, self._fetch(self._open), {}, {})
        left = self.engine.keep(self._open.with_columns(weight.alias("w")))
        taken: list[Any] = []
        guessed: list[Any] = []
        number = self._open_number or 0
        before = 2 * number
        while number > FEW and (before - number) * WORTHWHILE >= before:
            taken.append(self._one_to_one(self._dominating(left)))
            left = self._without(left, taken[-1])
            before, number = number, self._count(left)
        if number <= LIMIT:
            return _Assignments(self._count_kinds(taken), self._fetch(left), {}, {})
        upper = self._upper(left)
        while number and len(guessed) < ROUNDS:
            guessed.append(self._one_to_one(self._with_best(left).filter(_is_heaviest())))
            left = self._without(left, guessed[-1])
            number = self._count(left)
        return _Assignments(self._count_kinds(taken), {}, self._count_kinds(guessed), upper)

    def _count_kinds(self, rounds: Iterable[Any]) -> dict[Any, list[TakenKind]]:
        """Count the kinds of the cells that were taken in some rounds, by document."""
        kinds: dict[Any, list[TakenKind]] = {}
        for taken in rounds:
            for document, rows in value_counts(self.engine, taken, self.within, KIND).items():
                kinds.setdefault(document, []).extend(TakenKind(*map(int, row)) for row in rows)
        return kinds

    def _dominating(self, cells: Any) -> Any:
        import narwhals as nw

        weight = nw.col("w")
        cells = self._with_best(cells)
        dominating = cells.filter(_is_heaviest())
        for side in "kr":
            is_best = weight == nw.col(f"best_{side}")
            on = [*self.within, side]
            # The heaviest of the other cells of an entity, and how many weigh the most.
            rivals = (
                cells.select(
                    *on,
                    nw.when(is_best).then(0).otherwise(weight).alias(f"second_{side}"),
                    is_best.cast(nw.Int64()).alias(f"times_{side}"),
                )
                .group_by(*on)
                .agg(nw.col(f"second_{side}").max(), nw.col(f"times_{side}").sum())
            )
            dominating = dominating.join(rivals, on=on, how="inner")
        rival_k, rival_r = (
            nw.when(nw.col(f"times_{side}") > 1).then(weight).otherwise(nw.col(f"second_{side}"))
            for side in "kr"
        )
        return dominating.filter(weight >= rival_k + rival_r)

    def _with_best(self, cells: Any) -> Any:
        """Return the cells with the greatest weights of both of their entities.

        Joins are used, because window functions of pyarrow lose the order of rows.
        """
        import narwhals as nw

        joined = cells
        for side in "kr":
            on = [*self.within, side]
            best = cells.group_by(*on).agg(nw.col("w").max().alias(f"best_{side}"))
            joined = joined.join(best, on=on, how="inner")
        return joined

    def _one_to_one(self, cells: Any) -> Any:
        """Choose one cell for each key entity, and of these one for each response entity."""
        import narwhals as nw

        cells = self.engine.keep(cells)
        pairs = cells.group_by(*self.within, "k").agg(nw.col("r").min())
        pairs = pairs.group_by(*self.within, "r").agg(nw.col("k").min())
        on = [*self.within, "k", "r"]
        chosen = cells.join(pairs.select(*on), on=on, how="semi")
        return self.engine.keep(chosen.select(*on, *KIND))

    def _without(self, cells: Any, taken: Any) -> Any:
        """Return the cells of which both entities are still free."""
        for side in "kr":
            on = [*self.within, side]
            cells = cells.join(taken.select(*on), on=on, how="anti")
        return self.engine.keep(cells)

    def _upper(self, cells: Any) -> dict[Any, float]:
        """Return for each document an upper bound on the total of an assignment.

        An assignment has at most one cell of each entity. So its total is at most the sum of the
        greatest weights of key entities, and that of response entities; the smaller is returned.
        """
        import narwhals as nw

        bounds: list[dict[Any, float]] = []
        for side in "kr":
            best = cells.group_by(*self.within, side).agg(nw.col("w").max())
            total = nw.col("w").sum()
            sums = best.group_by(*self.within).agg(total) if self.within else best.select(total)
            rows = by_document(self.engine, sums.select(*self.within, "w"), self.within)
            bounds.append({document: float(row[-1]) for document, (row,) in rows.items()})
        return {document: min(bound, bounds[1][document]) for document, bound in bounds[0].items()}

    def _count(self, cells: Any) -> int:
        import narwhals as nw

        ((number,),) = self.engine.rows(cells.select(nw.len()))
        return int(number)

    def _fetch(self, cells: Any) -> dict[Any, list[Cell]]:
        rows = by_document(self.engine, cells.select(*self.within, *CELL), self.within)
        return {
            document: [Cell(*row) for row in of_document] for document, of_document in rows.items()
        }


def _as_expression(similarities: CellValues) -> Any:
    """Return the weight of a cell as an expression of its columns.

    Return None for functions that accept only numbers.
    """
    import narwhals as nw

    n, key_size, response_size = map(nw.col, KIND)
    columns: Any = ([(0, 0, n)], [key_size], [response_size])
    try:
        (weight,) = similarities(*columns)
    except (TypeError, OptionError):
        return None
    return weight if isinstance(weight, nw.Expr) else None


def _is_heaviest() -> Any:
    import narwhals as nw

    return (nw.col("w") == nw.col("best_k")) & (nw.col("w") == nw.col("best_r"))
