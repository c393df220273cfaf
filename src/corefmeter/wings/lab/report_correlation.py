"""Whether metrics agree, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

from corefmeter._version import __version__
from corefmeter.corpus.structures import grouped
from corefmeter.reports.tables import Cell, Chance, Limits, Number, Report, Table
from corefmeter.wings.lab.correlation import METHODS, Correlation, CorrelationMatrix
from corefmeter.wings.lab.disagreement import Disagreement, count_ordered_pairs, format_difference
from corefmeter.wings.lab.score_table import SCORES, ScoreTable, title

#: The shortest name of a coefficient.
_SYMBOLS = {"kendall": "τ-b", "spearman": "ρ", "pearson": "r"}

_INTERVALS = {
    "kendall": "variance 0.437/(n-4), Fieller et al. 1957",
    "spearman": "variance (1+r²/2)/(n-3), Bonett and Wright 2000",
    "pearson": "variance 1/(n-3)",
}

_UNDEFINED = "undef."


class CorrelationReport(Report):
    """Scores, their correlations, and on request the pairs of systems in opposite order.

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
        return format_difference(self.table.scale * difference, self.decimals)

    def _sentence(self, disagreement: Disagreement) -> str:
        return disagreement.sentence(title, self._number, self.table.alpha)

    def _count_significant(self, disagreements: Sequence[Disagreement]) -> list[int]:
        """Count the disagreements with two, one and no significant differences, in this order.

        The list is empty unless all p-values are known.
        """
        counts = [0, 0, 0]
        for disagreement in disagreements:
            if disagreement.p_a is None or disagreement.p_b is None:
                return []
            p_values = disagreement.p_a, disagreement.p_b
            counts[sum(p > self.table.alpha for p in p_values)] += 1
        return counts

    def tables(self) -> list[Table]:
        """Return the matrix and each pair of metrics; then the disagreements of two metrics."""
        coefficients = self._square(
            lambda a, b: _coefficient(self.matrix[a, b]), caption_of(self.table, self.matrix)
        )
        tables = [coefficients, self._pairs()]
        if self.disagreements is None:
            return tables
        by_metrics = grouped(((d.metric_a, d.metric_b), d) for d in self.disagreements)
        tables += [self._counts(), *self._significance(by_metrics)]
        return tables + [self._differences(*pair, group) for pair, group in by_metrics.items()]

    def _square(self, cell: Callable[[str, str], Cell], caption: str) -> Table:
        """Return a table with the metrics as rows and columns."""
        metrics = self.matrix.metrics
        rows: list[list[Cell]] = [[title(a), *(cell(a, b) for b in metrics)] for a in metrics]
        return Table(["", *map(title, metrics)], rows, caption=caption)

    def _pairs(self) -> Table:
        """Return a row for each pair of metrics: the coefficient, its interval and p."""
        matrix = self.matrix
        header = ["", _SYMBOLS[matrix.method], f"{100 * matrix.confidence:g}% interval", "p"]
        table = Table(header, caption="Each pair of metrics")
        for (a, b), c in matrix.pairs.items():
            interval, p = Limits(c.interval, 1, 1, ""), Chance(c.p, 3, "")
            table.rows.append([f"{title(a)}, {title(b)}", _coefficient(c), interval, p])
        return table

    def _counts(self) -> Table:
        """Return the number of disagreements of each two metrics as a square table."""
        pairs = [frozenset((d.metric_a, d.metric_b)) for d in self.disagreements or ()]
        caption = f"Pairs of systems in opposite order, of {comb(len(self.matrix.systems), 2)}"
        return self._square(lambda a, b: "" if a == b else pairs.count(frozenset((a, b))), caption)

    def _significance(
        self, by_metrics: Mapping[tuple[str, str], Sequence[Disagreement]]
    ) -> list[Table]:
        """Return a table of how many differences are significant, if all p-values are known."""
        counts = {pair: self._count_significant(group) for pair, group in by_metrics.items()}
        if len(counts) < 2 or not all(counts.values()):
            return []
        rows: list[list[Cell]] = [
            [f"{title(a)}, {title(b)}", sum(numbers), *numbers]
            for (a, b), numbers in counts.items()
        ]
        rows.sort(key=lambda row: row[2:4], reverse=True)
        caption = f"Significant differences of these pairs, at {self.table.alpha:g}"
        return [Table(["", "opposite", "both", "one", "neither"], rows, caption=caption)]

    def _differences(self, a: str, b: str, disagreements: Sequence[Disagreement]) -> Table:
        """Return the differences by two metrics; the first prefers the first system of a row."""
        has_p = any(p is not None for d in disagreements for p in (d.p_a, d.p_b))
        columns = ["difference", "p"] if has_p else ["difference"]
        number = count_ordered_pairs(self.table.scores, a, b)
        caption = f"{title(a)} and {title(b)}: opposite order for {len(disagreements)} of the "
        caption += f"{number} pairs of systems without a tie"
        if counts := self._count_significant(disagreements):
            caption += "; both differences are significant for {}, one for {}, neither for {}"
            caption = caption.format(*counts)
        table = Table(
            ["", *columns * 2],
            spans=[(title(metric), len(columns)) for metric in (a, b)],
            caption=caption,
            sentences=[self._sentence(d) for d in disagreements],
            retold=True,
        )
        for d in disagreements:
            by_a, by_b = self._number(d.difference_a), "-" + self._number(d.difference_b)
            cells: list[Cell] = [by_a, by_b]
            if has_p:
                cells = [by_a, Chance(d.p_a, 3, ""), by_b, Chance(d.p_b, 3, "")]
            table.rows.append([f"{d.system_a}, {d.system_b}", *cells])
        return table

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain how intervals and p-values were computed."""
        matrix = self.matrix
        count = len(matrix.pairs)
        adjusted = f"; not adjusted for {count} pairs" if count > 1 else ""
        notes = [
            f"intervals: Fisher's z, {_INTERVALS[matrix.method]}",
            f"p: two-sided test of independence{adjusted}",
        ]
        if any(c.value is not None and c.interval is None for c in matrix.pairs.values()):
            notes.append("no interval: too few systems, or a coefficient of 1 or -1")
        if self.disagreements is not None:
            unit = "differences are in percent; " if self.table.is_fraction else ""
            notes.append(f"opposite order: {unit}a tie is not a disagreement")
        notes += [
            f"{_UNDEFINED}: undefined, because all systems have the same {title(metric)}"
            for metric in matrix.constant
        ]
        return [*notes, *self.table.notes]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield the disagreements, if requested; otherwise a square matrix of each statistic."""
        if self.disagreements is not None:
            yield (*Disagreement._fields, "sentence")
            for disagreement in self.disagreements:
                yield (*disagreement, self._sentence(disagreement))
            return
        matrix = self.matrix
        statistics: dict[str, Callable[[Correlation], float | None]] = {
            "correlation": lambda c: c.value,
            "low": lambda c: c.interval and c.interval[0],
            "high": lambda c: c.interval and c.interval[1],
            "p": lambda c: c.p,
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
            "schema": 1,
            "version": __version__,
            "signature": table.signature,
            "method": matrix.method,
            "score": table.score,
            "confidence": matrix.confidence,
            "systems": list(matrix.systems),
            "metrics": list(matrix.metrics),
            "scores": table.scores,
            "matrix": matrix.values(),
            "pairs": [
                {"a": a, "b": b, "correlation": c.value}
                | {"interval": c.interval, "p": c.p, "undefined": c.undefined}
                for (a, b), c in matrix.pairs.items()
            ],
        }
        if self.disagreements is not None:
            document["disagreements"] = [
                {**d._asdict(), "sentence": self._sentence(d)} for d in self.disagreements
            ]
        return document | {"notes": list(table.notes)}


def caption_of(table: ScoreTable, matrix: CorrelationMatrix) -> str:
    """Return the caption of a matrix of correlations."""
    score = SCORES[table.score] if table.score else "scores"
    return f"{METHODS[matrix.method]} between metrics: {score} of {len(matrix.systems)} systems"


def _coefficient(correlation: Correlation) -> Cell:
    return Number(correlation.value, 1, 1, missing=_UNDEFINED)
