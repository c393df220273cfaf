"""Scores: of responses against one key, and of several data sets with their unweighted mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import fsum
from typing import Any

from corefmeter._version import __version__
from corefmeter.labels import labels, number_repeated
from corefmeter.metrics import title
from corefmeter.metrics.average import AverageScore
from corefmeter.metrics.base import Scores
from corefmeter.problems import amount
from corefmeter.reports.tables import UNDEFINED_MARK, Cell, Number, Report, Said, Table, is_marked
from corefmeter.result import SCHEMA, Result
from corefmeter.units import Group, Groups

_RATES = ("recall", "precision", "f1")

_COUNTS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")

#: The header of CSV.
ROW = ("response", "by", "group", "metric", *_RATES, *_COUNTS, "undefined", "signature")


class ScoreReport(Report):
    """Results of one recipe against one key, and of the groups of their documents."""

    def __init__(self, results: Sequence[Result], key: str | None = None, by: Groups = ()) -> None:
        self.results = self.scored = results
        self.key = key
        self.by = by
        self.signature = results[0].signature
        self.command = ("score", "KEY RESPONSE")

    def judged(self) -> list[tuple[str | None, dict[str, float]]]:
        """What limits hold for: each response, and its F1 by metric."""
        return [
            (result.response, {name: result[name].f1 for name in result}) for result in self.results
        ]

    def tables(self) -> list[Table]:
        """The table of all results, then one for each group and response."""
        tables = [score_table(self.results)]
        for name, group in self.by:
            for result, system in zip(self.results, system_names(self.results), strict=True):
                tables.append(_group_table(result, system, name, group))
        return tables

    def notes(self, tables: Sequence[Table]) -> list[Said]:
        """Averaging, undefined values, documents that are missing."""
        return notes(self.results, tables)

    def records(self) -> Iterator[Sequence[Any]]:
        """One row for each response, group and metric; averages have an F1 only."""
        yield ROW
        given = [result.name for result in self.results]
        names = [result.name or result.response or "" for result in self.results]
        for result, response in zip(self.results, number_repeated(names, given), strict=True):
            yield from score_rows(result, response, "", "all")
            for name, group in self.by:
                for unit, part in result.by(group).items():
                    yield from score_rows(part, response, name, unit)

    def document(self) -> dict[str, Any]:
        """All results with their key."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "key": self.key,
            "results": [result.entry(self.by) for result in self.results],
        }


def score_rows(result: Result, response: str, by: str, group: str) -> Iterator[Sequence[Any]]:
    """The rows of CSV of a result, one for each metric; see `ROW`."""
    for name, scores in result.scores().items():
        values = [getattr(scores, field, None) for field in (*_RATES, *_COUNTS)]
        yield (response, by, group, name, *values, " ".join(scores.undefined), result.signature)


def system_names(results: Sequence[Result]) -> list[str]:
    """What the responses are called in tables; see `labels`."""
    return labels(
        [result.response or "response" for result in results], [result.name for result in results]
    )


def score_cells(scores: Scores | AverageScore) -> list[Cell]:
    """Recall, precision and F1; of an average F1 only."""
    if isinstance(scores, AverageScore):
        return ["", "", Number(scores.f1)]
    return [
        Number(value, after=UNDEFINED_MARK * (field in scores.undefined and value == value))
        for field in _RATES
        for value in [getattr(scores, field)]
    ]


def score_table(results: Sequence[Result]) -> Table:
    """Metrics as rows; recall, precision and F1 of each response as columns, the best in bold.

    Where that is too wide, only F1: responses as rows, metrics as columns.
    """
    names = system_names(results)
    metrics = results[0].recipe.metrics
    cells = [[score_cells(result[metric]) for result in results] for metric in metrics]
    table = Table(
        ["", *["R", "P", "F1"] * len(results)],
        [[title(m), *chain.from_iterable(row)] for m, row in zip(metrics, cells, strict=True)],
        [(name, 3) for name in names],
    )
    if len(results) > 1:
        table.remark = "best in bold"
        best = {(i, j, rate) for i, row in enumerate(cells) for j, rate in _best(row)}
        table.bold = {(i, 1 + 3 * j + rate) for i, j, rate in best}
        only_f1 = Table(["F1", *map(title, metrics)], remark=table.remark)
        only_f1.rows = [[name, *(row[j][2] for row in cells)] for j, name in enumerate(names)]
        only_f1.bold = {(j, 1 + i) for i, j, rate in best if rate == 2}
        table.narrow = lambda width, over: [only_f1]
    return table


def _best(responses: Sequence[Sequence[Cell]]) -> Iterator[tuple[int, int]]:
    """Which responses have the greatest of each rate, by a metric."""
    for rate in range(3):
        cells = [cells[rate] for cells in responses]
        values = [cell.value if isinstance(cell, Number) else None for cell in cells]
        known = [value for value in values if value is not None and value == value]
        yield from ((j, rate) for j, value in enumerate(values) if known and value == max(known))


def _group_table(result: Result, system: str, name: str, group: Group) -> Table:
    """Groups as rows, the F1 of each metric as columns, and how many documents each has."""
    metrics = result.recipe.metrics
    table = Table([name, "docs", *map(title, metrics)], caption=f"F1 by {name}: {system}")
    for unit, part in result.by(group).items():
        cells = [score_cells(part[metric])[2] for metric in metrics]
        table.rows.append([unit, part.documents, *cells])
    return table


def notes(results: Sequence[Result], tables: Sequence[Table]) -> list[Said]:
    """What a reader must know to read the numbers: averaging, undefined values, what is missing."""
    first = results[0]
    documents = amount(first.documents, "document")
    lines: list[Said] = [f"{first.recipe.average} over {documents}, in percent"]
    if is_marked(tables):
        lines.append(f"{UNDEFINED_MARK} 0/0: undefined, counts as {first.recipe.undefined}")
    for name, result in zip(system_names(results), results, strict=True):
        missing = sum(problem.code == "missing-document" for problem in result.problems)
        if 2 * missing > result.documents:
            lines.append((name, f": {missing} of {amount(result.documents, 'document')} missing"))
    return lines


class DatasetsReport(Report):
    """Results of several data sets, and their mean, as shared tasks on many corpora report."""

    def __init__(self, results: Mapping[str, Result]) -> None:
        self.results = results
        self.scored = list(results.values())
        first = self.scored[0]
        self.metrics = first.recipe.metrics
        self.signature = first.signature
        self.command = ("score", "--pairs TABLE")

    def judged(self) -> list[tuple[str | None, dict[str, float]]]:
        """What limits hold for: the mean F1 by metric."""
        return [(None, {name: scores["f1"] for name, scores in self.means().items()})]

    def means(self) -> dict[str, dict[str, float]]:
        """For each metric the mean of each score over data sets; each data set weighs the same."""
        found: dict[str, dict[str, float]] = {}
        for metric in self.metrics:
            found[metric] = {}
            for score in _RATES:
                values = [getattr(result[metric], score, None) for result in self.results.values()]
                if None not in values:
                    # Types: None was left out above.
                    found[metric][score] = fsum(values) / len(values)  # type: ignore[arg-type]
        return found

    def _f1(self) -> dict[str, list[float]]:
        """The F1 of each metric by data set, and the mean."""
        rows = {name: [r[m].f1 for m in self.metrics] for name, r in self.results.items()}
        means = self.means()
        return rows | {"mean": [means[metric]["f1"] for metric in self.metrics]}

    def tables(self) -> list[Table]:
        """Data sets as rows, metrics as columns."""
        rows: list[list[Cell]] = [[name, *map(Number, f1)] for name, f1 in self._f1().items()]
        return [Table(["F1", *map(title, self.metrics)], rows)]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """What the mean is."""
        return [f"mean: of {len(self.results)} data sets, each weighs the same; in percent"]

    def records(self) -> Iterable[Sequence[Any]]:
        """One row for each data set, and the mean."""
        yield ("dataset", *self.metrics)
        for name, f1 in self._f1().items():
            yield (name, *f1)

    def document(self) -> dict[str, Any]:
        """Each data set, and the mean; None where that is not a number."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "datasets": {name: result.entry() for name, result in self.results.items()},
            "mean": {
                metric: {s: v if v == v else None for s, v in scores.items()}
                for metric, scores in self.means().items()
            },
        }
