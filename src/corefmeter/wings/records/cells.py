"""The cells of a table in an engine, for metrics that must choose among them.

**The best partner of each entity** is a maximum by entity, and the engine counts how often each
occurs. **An assignment** (CEAF) is settled in the engine as far as that goes. A cell that weighs no
less than the best other cell of its key entity and the best other cell of its response entity
together *dominates*: it belongs to an assignment of the greatest total (the proof is in
``docs/decisions/ceaf.md``). It is taken and its entities are left out, in rounds, each of which
needs only maxima by entity. The cells that are left, mostly none, go to the exact solver.

Weights in the engine are those of the metric's own line, which serves expressions as well as
numbers; what is summed up is counted by kinds of cells, as all else.
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

#: The columns that weights are made of, and those of a cell.
KIND = ("n", "key_size", "response_size")
CELL = ("k", "r", *KIND)

#: So few cells are faster solved than reduced.
FEW = 20_000

#: More cells that nothing dominates are not solved: they would take gigabytes and minutes.
LIMIT = 3_000_000

#: Rounds in which the heaviest cells are taken where there are too many to choose from.
ROUNDS = 20


class _Settled(NamedTuple):
    """Result for all cells, by document; see `Choice`."""

    taken: Mapping[Any, list[TakenKind]]
    left: Mapping[Any, list[Cell]]
    guessed: Mapping[Any, list[TakenKind]]
    upper: Mapping[Any, float]


class EngineCells:
    """Cells of a table, or of many documents, in an engine.

    `cells` have the columns `CELL` and ``lone``; `within` is the column with the document, if there
    is one. Without, the document is None.
    """

    def __init__(self, engine: Engine, cells: Any, within: list[str]) -> None:
        import narwhals as nw

        self.engine, self.within = engine, within
        self._all = cells.select(*within, *CELL)
        self._open = cells.filter(~nw.col("lone")).select(*within, *CELL)
        self._cells: dict[Any, list[Cell]] | None = None
        self._best: dict[tuple[CellValues, Side], dict[Any, list[tuple[Any, int]]]] = {}
        self._open_number: int | None = None
        self._settled: dict[CellValues | None, _Settled] = {}

    def of(self, document: Any) -> Source:
        """Return the cells of a document."""
        return Source(
            partial(self._of, document),
            partial(self._choice, document),
            partial(self._best_of, document),
        )

    def _of(self, document: Any) -> Sequence[Cell]:
        if self._cells is None:
            self._cells = self._fetched(self._all)
        return self._cells.get(document, [])

    def _best_of(
        self, document: Any, values: CellValues, side: Side
    ) -> Sequence[tuple[Any, int]] | None:
        """Return the greatest values of entities of a side, and how often each occurs."""
        import narwhals as nw

        weight = _as_expression(values)
        if weight is None:
            return None
        if (values, side) not in self._best:
            weighted = self._all.select(*self.within, side[0], weight.alias("w"))
            best = weighted.group_by(*self.within, side[0]).agg(nw.col("w").max())
            found = value_counts(self.engine, best, self.within, ["w"])
            self._best[values, side] = {
                name: [(value, int(times)) for value, times in rows] for name, rows in found.items()
            }
        return self._best[values, side].get(document, [])

    def _choice(self, document: Any, similarities: CellValues) -> Choice:
        """Return the cells of an assignment as far as the engine finds them, and those left.

        If the similarities cannot be computed by expressions of the engine, all cells are left. If
        more than `LIMIT` are left in all documents, the engine guesses: in rounds it takes the
        cells that are the heaviest of both of their entities, and none is left.
        """
        if self._open_number is None:
            self._open_number = self._number(self._open)
        weight = _as_expression(similarities) if self._open_number > FEW else None
        # All similarities without a weight leave the same cells, so they share one result.
        cached_as = similarities if weight is not None else None
        if cached_as not in self._settled:
            self._settled[cached_as] = self._settle(weight)
        taken, left, guessed, upper = self._settled[cached_as]
        return Choice(
            taken.get(document, ()),
            left.get(document, ()),
            guessed.get(document, ()),
            upper.get(document, 0),
        )

    def _settle(self, weight: Any) -> _Settled:
        """Take the cells that dominate by their weight, then guess if too many are left."""
        if weight is None:
            return _Settled({}, self._fetched(self._open), {}, {})
        left = self.engine.kept(self._open.with_columns(weight.alias("w")))
        taken: list[Any] = []
        guessed: list[Any] = []
        number = self._open_number or 0
        before = 2 * number
        while number > FEW and (before - number) * WORTHWHILE >= before:
            taken.append(self._one_to_one(self._dominating(left)))
            left = self._without(left, taken[-1])
            before, number = number, self._number(left)
        if number <= LIMIT:
            return _Settled(self._counted(taken), self._fetched(left), {}, {})
        upper = self._upper(left)
        while number and len(guessed) < ROUNDS:
            guessed.append(self._one_to_one(self._with_best(left).filter(_is_heaviest())))
            left = self._without(left, guessed[-1])
            number = self._number(left)
        return _Settled(self._counted(taken), {}, self._counted(guessed), upper)

    def _counted(self, rounds: Iterable[Any]) -> dict[Any, list[TakenKind]]:
        """Return the kinds of the cells that some rounds took, by document."""
        kinds: dict[Any, list[TakenKind]] = {}
        for taken in rounds:
            for document, rows in value_counts(self.engine, taken, self.within, KIND).items():
                kinds.setdefault(document, []).extend(TakenKind(*map(int, row)) for row in rows)
        return kinds

    def _dominating(self, left: Any) -> Any:
        """Return the cells that dominate."""
        import narwhals as nw

        weight = nw.col("w")
        cells = self._with_best(left)
        found = cells.filter(_is_heaviest())
        for of in "kr":
            is_best = weight == nw.col(f"best_{of}")
            on = [*self.within, of]
            # The heaviest of the other cells of an entity, and how many weigh the most.
            rivals = (
                cells.select(
                    *on,
                    nw.when(is_best).then(0).otherwise(weight).alias(f"second_{of}"),
                    is_best.cast(nw.Int64()).alias(f"times_{of}"),
                )
                .group_by(*on)
                .agg(nw.col(f"second_{of}").max(), nw.col(f"times_{of}").sum())
            )
            found = found.join(rivals, on=on, how="inner")
        rival_k, rival_r = (
            nw.when(nw.col(f"times_{of}") > 1).then(weight).otherwise(nw.col(f"second_{of}"))
            for of in "kr"
        )
        return found.filter(weight >= rival_k + rival_r)

    def _with_best(self, left: Any) -> Any:
        """Return the cells with the greatest weights of both of their entities.

        Joined, not by windows: those of pyarrow lose the order of rows.
        """
        import narwhals as nw

        found = left
        for of in "kr":
            on = [*self.within, of]
            best = left.group_by(*on).agg(nw.col("w").max().alias(f"best_{of}"))
            found = found.join(best, on=on, how="inner")
        return found

    def _one_to_one(self, cells: Any) -> Any:
        """Return for each key entity one of its cells, of these one for each response entity."""
        import narwhals as nw

        cells = self.engine.kept(cells)
        pairs = cells.group_by(*self.within, "k").agg(nw.col("r").min())
        pairs = pairs.group_by(*self.within, "r").agg(nw.col("k").min())
        on = [*self.within, "k", "r"]
        found = cells.join(pairs.select(*on), on=on, how="semi")
        return self.engine.kept(found.select(*on, *KIND))

    def _without(self, left: Any, taken: Any) -> Any:
        """Return the cells whose entities are both still free."""
        for of in "kr":
            on = [*self.within, of]
            left = left.join(taken.select(*on), on=on, how="anti")
        return self.engine.kept(left)

    def _upper(self, left: Any) -> dict[Any, float]:
        """Return for each document a total that no assignment exceeds.

        An assignment has at most one cell of each entity. So it does not exceed the sum of the
        greatest weights of key entities, nor that of response entities; the smaller one is given.
        """
        import narwhals as nw

        sums: list[dict[Any, float]] = []
        for of in "kr":
            best = left.group_by(*self.within, of).agg(nw.col("w").max())
            if self.within:
                best = best.group_by(*self.within).agg(nw.col("w").sum())
            else:
                best = best.select(nw.col("w").sum())
            rows = self.engine.rows(best.select(*self.within, "w"))
            sums.append({row[0] if self.within else None: float(row[-1]) for row in rows})
        return {name: min(total, sums[1][name]) for name, total in sums[0].items()}

    def _number(self, cells: Any) -> int:
        import narwhals as nw

        ((number,),) = self.engine.rows(cells.select(nw.len()))
        return int(number)

    def _fetched(self, cells: Any) -> dict[Any, list[Cell]]:
        """Return the cells by document."""
        found = by_document(self.engine, cells.select(*self.within, *CELL), self.within)
        return {name: [Cell(*row) for row in rows] for name, rows in found.items()}


def _as_expression(similarities: CellValues) -> Any:
    """Return the weight of a cell from its columns, or None from a function of numbers alone."""
    import narwhals as nw

    n, key_size, response_size = map(nw.col, ("n", "key_size", "response_size"))
    columns: Any = ([(0, 0, n)], [key_size], [response_size])
    try:
        (weight,) = similarities(*columns)
    except (TypeError, OptionError):
        return None
    return weight if isinstance(weight, nw.Expr) else None


def _is_heaviest() -> Any:
    import narwhals as nw

    return (nw.col("w") == nw.col("best_k")) & (nw.col("w") == nw.col("best_r"))
