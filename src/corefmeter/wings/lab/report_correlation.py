"""Whether metrics agree, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from corefmeter._version import __version__
from corefmeter.reports.tables import Cell, Chance, Limits, Number, Report, Table
from corefmeter.wings.lab.correlation import METHODS, Correlation, CorrelationMatrix
from corefmeter.wings.lab.disagreement import Disagreement, amount, ordered_pairs
from corefmeter.wings.lab.score_table import SCORES, ScoreTable, title

#: Version of the JSON.
SCHEMA = 1

#: The shortest name of a coefficient.
_SYMBOLS = {"kendall": "τ-b", "spearman": "ρ", "pearson": "r"}

_INTERVALS = {
    "kendall": "variance 0.437/(n-4), Fieller et al. 1957",
    "spearman": "variance (1+r²/2)/(n-3), Bonett and Wright 2000",
    "pearson": "variance 1/(n-3)",
}

_UNDEFINED = "undef."


class CorrelationReport(Report):
    """Scores, their correlations, and the pairs of systems in opposite order if asked for.

    Differences of scores have as many decimals as the scores themselves, unless `digits` is given.
    """

    def __init__(
        self,
        table: ScoreTable,
        matrix: CorrelationMatrix,
        disagreements: Sequence[Disagreement] | None = None,
        digits: int | None = None,
    ) -> None:
        self.table = table
        self.matrix = matrix
        self.disagreements = disagreements
        self.decimals = table.decimals if digits is None else digits
        self.signature = table.signature or ""

    def _number(self, difference: float) -> str:
        return amount(self.table.scale * difference, self.decimals)

    def _sentence(self, found: Disagreement) -> str:
        return found.sentence(title, self._number, self.table.alpha)

    def _count_significant(self, members: Sequence[Disagreement]) -> list[int]:
        """Count the disagreements with no, one and two significant differences, in this order.

        The list is empty unless all p-values are known.
        """
        counts = [0, 0, 0]
        for found in members:
            if found.p_a is None or found.p_b is None:
                return []
            counts[sum(p <= self.table.alpha for p in (found.p_a, found.p_b))] += 1
        return counts

    def _significance(self, members: Sequence[Disagreement]) -> str:
        """Describe the numbers of `_count_significant`; an empty text without p-values."""
        if not (counts := self._count_significant(members)):
            return ""
        neither, one, both = counts
        return f"; significant: both differences of {both}, one of {one}, neither of {neither}"

    def tables(self) -> list[Table]:
        """Return the matrix, each pair of metrics, and where two disagree."""
        found = [self._matrix(), self._pairs()]
        if self.disagreements is None:
            return found
        by_metrics = {
            both: list(members)
            for both, members in groupby(self.disagreements, lambda d: (d.metric_a, d.metric_b))
        }
        return [
            *found,
            self._counts(),
            *self._counts_of_significant(by_metrics),
            *(self._disagreeing(*both, members) for both, members in by_metrics.items()),
        ]

    def _matrix(self) -> Table:
        matrix = self.matrix
        rows: list[list[Cell]] = [
            [title(a), *(_coefficient(matrix[a, b]) for b in matrix.metrics)]
            for a in matrix.metrics
        ]
        caption = caption_of(self.table, matrix)
        return Table(["", *map(title, matrix.metrics)], rows, caption=caption)

    def _pairs(self) -> Table:
        matrix = self.matrix
        header = ["", _SYMBOLS[matrix.method], f"{100 * matrix.confidence:g}% interval", "p"]
        table = Table(header, caption="Each pair of metrics")
        for (a, b), c in matrix.pairs.items():
            interval, p = Limits(c.interval, 1, 1, ""), Chance(c.p, 3, "")
            table.rows.append([f"{title(a)}, {title(b)}", _coefficient(c), interval, p])
        return table

    def _counts(self) -> Table:
        pairs = [frozenset((d.metric_a, d.metric_b)) for d in self.disagreements or ()]
        metrics, n = self.matrix.metrics, len(self.matrix.systems)
        caption = f"Pairs of systems in opposite order, of {n * (n - 1) // 2}"
        rows: list[list[Cell]] = [
            [title(a), *("" if a == b else pairs.count(frozenset((a, b))) for b in metrics)]
            for a in metrics
        ]
        return Table(["", *map(title, metrics)], rows, caption=caption)

    def _counts_of_significant(
        self, by_metrics: Mapping[tuple[str, str], Sequence[Disagreement]]
    ) -> list[Table]:
        """Return tables of significant differences by metric pair, where all p are known."""
        counts = {both: self._count_significant(members) for both, members in by_metrics.items()}
        if len(counts) < 2 or not all(counts.values()):
            return []
        rows: list[list[Cell]] = [
            [f"{title(a)}, {title(b)}", sum(of), *reversed(of)] for (a, b), of in counts.items()
        ]
        rows.sort(key=lambda row: row[2:4], reverse=True)
        caption = f"Significant differences of these pairs, at {self.table.alpha:g}"
        return [Table(["", "opposite", "both", "one", "neither"], rows, caption=caption)]

    def _disagreeing(self, a: str, b: str, found: Sequence[Disagreement]) -> Table:
        """Return the differences by two metrics; the first prefers the first system of a row."""
        has_p = any(p is not None for d in found for p in (d.p_a, d.p_b))
        columns = ["difference", "p"] if has_p else ["difference"]
        both = ordered_pairs(self.table.scores, a, b)
        table = Table(
            ["", *columns * 2],
            spans=[(title(metric), len(columns)) for metric in (a, b)],
            caption=f"{title(a)} and {title(b)}: opposite order for {len(found)} of the {both} "
            f"pairs of systems without a tie{self._significance(found)}",
            sentences=[self._sentence(d) for d in found],
            retold=True,
        )
        for d in found:
            one, other = self._number(d.difference_a), "-" + self._number(d.difference_b)
            cells: list[Cell] = [one, other]
            if has_p:
                cells = [one, Chance(d.p_a, 3, ""), other, Chance(d.p_b, 3, "")]
            table.rows.append([f"{d.system_a}, {d.system_b}", *cells])
        return table

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain how intervals and p-values were computed."""
        matrix = self.matrix
        count = len(matrix.pairs)
        unit = "differences in percent; " if self.table.is_fraction else ""
        notes = [
            f"intervals: Fisher's z, {_INTERVALS[matrix.method]}",
            "p: two-sided, of independence"
            + (f"; not adjusted for {count} pairs" if count > 1 else ""),
        ]
        if any(c.value is not None and c.interval is None for c in matrix.pairs.values()):
            notes.append("no interval: too few systems, or a coefficient of 1 or -1")
        if self.disagreements is not None:
            notes.append(f"opposite order: {unit}a tie is no disagreement")
        notes += [
            f"{_UNDEFINED}: undefined, since all systems have the same {title(metric)}"
            for metric in matrix.constant
        ]
        return [*notes, *self.table.notes]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield the square matrices of the statistics, one below the other; or disagreements."""
        if self.disagreements is not None:
            yield (*Disagreement._fields, "sentence")
            for disagreement in self.disagreements:
                yield (*disagreement, self._sentence(disagreement))
            return
        matrix = self.matrix
        statistics: dict[str, Callable[[Correlation], float | None]] = {
            "correlation": lambda found: found.value,
            "low": lambda found: found.interval and found.interval[0],
            "high": lambda found: found.interval and found.interval[1],
            "p": lambda found: found.p,
        }
        yield ("method", "score", "systems", "statistic", "metric", *matrix.metrics)
        about = (matrix.method, self.table.score or "", len(matrix.systems))
        for name, value in statistics.items():
            for a in matrix.metrics:
                yield (*about, name, a, *(value(matrix[a, b]) for b in matrix.metrics))

    def document(self) -> dict[str, Any]:
        """Return scores, matrix and disagreements."""
        table, matrix = self.table, self.matrix
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "version": __version__,
            "signature": table.signature,
            "method": matrix.method,
            "score": table.score,
            "confidence": matrix.confidence,
            "systems": list(matrix.systems),
            "metrics": list(matrix.metrics),
            "scores": table.scores,
            "matrix": matrix.values(),
            "pairs": [_entry(a, b, found) for (a, b), found in matrix.pairs.items()],
        }
        if self.disagreements is not None:
            document["disagreements"] = [
                {**found._asdict(), "sentence": self._sentence(found)}
                for found in self.disagreements
            ]
        return document | {"notes": list(table.notes)}


def caption_of(table: ScoreTable, matrix: CorrelationMatrix) -> str:
    """Return the caption of a matrix of correlations."""
    score = SCORES[table.score] if table.score else "scores"
    return f"{METHODS[matrix.method]} between metrics: {score} of {len(matrix.systems)} systems"


def _entry(a: str, b: str, found: Correlation) -> dict[str, Any]:
    values = {"interval": found.interval, "p": found.p, "undefined": found.undefined}
    return {"a": a, "b": b, "correlation": found.value, **values}


def _coefficient(found: Correlation) -> Cell:
    return Number(found.value, 1, 1, missing=_UNDEFINED)
