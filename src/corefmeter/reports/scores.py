"""Scores: of responses against one key, and of several data sets with their unweighted mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import fsum
from types import MappingProxyType
from typing import Any, NamedTuple

from corefmeter.labels import labels, number_repeated
from corefmeter.metrics import DEFAULT, is_average, title
from corefmeter.metrics.average import AverageScore, rates_of
from corefmeter.metrics.base import Rates, RatioMetric, Scores, as_json
from corefmeter.problems import amount
from corefmeter.recipe import Recipe, usual_signature
from corefmeter.reports.tables import (
    UNDEFINED_MARK,
    Cell,
    Number,
    Report,
    Table,
    Wording,
    has_undefined,
    short_label,
)
from corefmeter.result import Result, json_head
from corefmeter.units import Group, Groups

_RATES, _COUNTS = Rates._fields, RatioMetric.fields

#: The headers of their columns.
_SHORT = {"recall": "R", "precision": "P", "f1": "F1"}

#: The orders of the columns of a metric.
ORDERS = {"rpf": _RATES, "prf": ("precision", "recall", "f1")}

#: Metrics in LaTeX tables where none are asked for, and the title of the mean.
_PAPER_METRICS = ("muc", "b3", "ceafe", "conll")
_MEAN = "Avg."

#: A row of a system with more metrics is wider than a page.
_MOST_IN_ROW = 5


class Layout(NamedTuple):
    """Layout of tables of scores.

    `rows` are ``metrics``, or ``systems`` as in papers; the columns of a metric have the order
    ``rpf`` or ``prf``; `official` scores are cut after two decimals, as v8.01 prints them.
    """

    rows: str = "metrics"
    order: str = "rpf"
    official: bool = False


USUAL = Layout()


def layout_in(
    format: str,
    metrics: Sequence[str],
    rows: str | None = None,
    order: str | None = None,
    rounding: str = "nearest",
) -> Layout:
    """Return the layout of metrics for an output format, unless another is requested."""
    in_rows = format == "latex" and len(paper_metrics(metrics)) <= _MOST_IN_ROW
    rows = rows or ("systems" if in_rows else "metrics")
    order = order or ("prf" if format in ("latex", "markdown") else "rpf")
    return Layout(rows, order, rounding == "official")


def paper_metrics(metrics: Sequence[str]) -> Sequence[str]:
    """Return the metrics of a table for a paper; by default those that papers report."""
    return _PAPER_METRICS if tuple(metrics) == DEFAULT else metrics


def name_left_out(metrics: Sequence[str]) -> str:
    """Name the metrics that a table for a paper leaves out; empty if it has all."""
    left_out = [title(name) for name in metrics if name not in paper_metrics(metrics)]
    return f"without {', '.join(left_out)}; name metrics with -m" if left_out else ""


#: The header of CSV.
ROW = ("response", "by", "group", "metric", *_RATES, *_COUNTS, "undefined", "signature")


class ResultsReport(Report):
    """A report on results of one recipe."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results
        self.systems = system_names(results)
        self.signature = results[0].signature
        self.usual = usual_signature()


class ScoreReport(ResultsReport):
    """Results of one recipe against one key, and of the groups of their documents."""

    label = "coreference"

    def __init__(
        self,
        results: Sequence[Result],
        key: str | None = None,
        by: Groups = (),
        layout: Layout = USUAL,
    ) -> None:
        super().__init__(results)
        self.scored = results
        self.layout = layout
        self.key = key
        self.by = by

    def judged(self) -> list[tuple[str | None, dict[str, float]]]:
        """Return the F1 by metric of each response, for limits."""
        return [(one.response, {name: one[name].f1 for name in one}) for one in self.results]

    def tables(self) -> list[Table]:
        """Return the table of all results, then one for each group and response."""
        table = system_table if self.layout.rows == "systems" else score_table
        tables = [table(self.results, self.layout)]
        for name, group in self.by:
            for result, system in zip(self.results, self.systems, strict=True):
                tables.append(_group_table(result, system, name, group, self.layout))
        return tables

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Explain averaging, undefined values, and documents that are missing."""
        cut = ["cut after two decimals, as v8.01 does"] * self.layout.official
        return [*notes(self.results, tables), *cut]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each response, group and metric; averages have an F1 only."""
        yield ROW
        for result, response in zip(self.results, row_names(self.results), strict=True):
            yield from score_rows(result, response, "", "all")
            for name, group in self.by:
                for unit, part in result.by(group).items():
                    yield from score_rows(part, response, name, unit)

    def document(self) -> dict[str, Any]:
        """Return all results with their key."""
        entries = [result.entry(self.by) for result in self.results]
        return json_head(self.signature) | {"key": self.key, "results": entries}


def row_names(results: Sequence[Result]) -> list[str]:
    """Return the responses' names in CSV, all different."""
    names = [result.name or result.response or "" for result in results]
    return number_repeated(names, [result.name for result in results])


def score_rows(result: Result, response: str, by: str, group: str) -> Iterator[Sequence[Any]]:
    """Yield the rows of CSV of a result, one for each metric; see `ROW`."""
    for name, scores in result.scores().items():
        values = [getattr(scores, field, None) for field in (*_RATES, *_COUNTS)]
        yield (response, by, group, name, *values, " ".join(scores.undefined), result.signature)


def system_names(results: Sequence[Result]) -> list[str]:
    """Return the responses' names in tables; see `labels`."""
    return labels(
        [result.response or "response" for result in results], [result.name for result in results]
    )


def score_cells(scores: Scores | AverageScore, layout: Layout = USUAL) -> list[Cell]:
    """Return recall, precision and F1 in an order; of an average F1 only."""
    undefined = () if isinstance(scores, AverageScore) else scores.undefined
    cells: list[Cell] = []
    for rate in ORDERS[layout.order]:
        value = getattr(scores, rate, None)
        if value is None:
            cells.append("")
            continue
        mark = UNDEFINED_MARK * (rate in undefined and value == value)
        cells.append(Number(cut_official(value) if layout.official else value, after=mark))
    return cells


def cut_official(value: float) -> float:
    """Cut a score after two decimals of its percentage, with the arithmetic of v8.01.

    >>> cut_official(2 / 3), cut_official(0.57), cut_official(1.0)
    (0.6666, 0.5699, 1.0)
    """
    return int(value * 10_000) / 10_000 if value == value else value


def system_table(results: Sequence[Result], layout: Layout) -> Table:
    """Return systems as rows, the rates of each metric as columns, the best in bold."""
    metrics = paper_metrics(results[0].recipe.metrics)
    cells = [[score_cells(result[metric], layout) for metric in metrics] for result in results]
    columns = [*zip(*cells, strict=True)]
    best = {(i, m, rate) for m, column in enumerate(columns) for i, rate in _find_best(column)}
    table = tabulate(system_names(results), metrics, cells, layout, best)
    table.comment = name_left_out(results[0].recipe.metrics)
    return table


def tabulate(
    names: Sequence[str],
    metrics: Sequence[str],
    cells: Sequence[Sequence[Sequence[Cell]]],
    layout: Layout,
    best: Collection[tuple[int, int, int]],
    marks: Mapping[tuple[int, int, int], str] = MappingProxyType({}),
) -> Table:
    """Return a table with systems as rows, and the rates of each metric as columns.

    `best` and `marks` have places: system, metric, rate. An average has its last rate only, F1.
    """
    rates = [_SHORT[rate] for rate in ORDERS[layout.order]]
    shown = [(m, r) for m, name in enumerate(metrics) for r in range(is_average(name) * 2, 3)]
    column = {where: number for number, where in enumerate(shown, 1)}
    table = Table(["", *(rates[r] for _, r in shown)])
    table.spans = [
        (_MEAN if name == "conll" else title(name), 1 if is_average(name) else 3)
        for name in metrics
    ]
    for name, row in zip(names, cells, strict=True):
        table.rows.append([name, *(row[m][r] for m, r in shown)])
    if len(names) > 1:
        table.bold = {(i, column[m, r]) for i, m, r in best}
        table.remark = "best in bold"
    table.marks = {(i, column[m, r]): mark for (i, m, r), mark in marks.items()}
    return table


def score_table(results: Sequence[Result], layout: Layout = USUAL) -> Table:
    """Return metrics as rows, the rates of each response as columns, the best in bold.

    Where that is too wide, it becomes only F1, with responses as rows and metrics as columns.
    """
    names = system_names(results)
    metrics = results[0].recipe.metrics
    cells = [[score_cells(result[metric], layout) for result in results] for metric in metrics]
    table = Table(
        ["", *[_SHORT[rate] for rate in ORDERS[layout.order]] * len(results)],
        [[title(m), *chain.from_iterable(row)] for m, row in zip(metrics, cells, strict=True)],
        [(name, 3) for name in names],
    )
    if len(results) > 1:
        table.remark = "best in bold"
        best = {(i, j, rate) for i, row in enumerate(cells) for j, rate in _find_best(row)}
        table.bold = {(i, 1 + 3 * j + rate) for i, j, rate in best}
        only_f1 = Table(["F1", *map(title, metrics)], remark=table.remark)
        only_f1.rows = [[name, *(row[j][2] for row in cells)] for j, name in enumerate(names)]
        only_f1.bold = {(j, 1 + i) for i, j, rate in best if rate == 2}
        only_f1.notes = ["recall and precision are left out: --rows systems or -f csv has them"]
        table.narrow = lambda width, over: [only_f1]
    return table


def _find_best(responses: Sequence[Sequence[Cell]]) -> Iterator[tuple[int, int]]:
    """Yield the responses with the greatest value of each rate, by metric."""
    for rate in range(3):
        cells = [cells[rate] for cells in responses]
        values = [cell.value if isinstance(cell, Number) else None for cell in cells]
        known = [value for value in values if value is not None and value == value]
        yield from ((j, rate) for j, value in enumerate(values) if known and value == max(known))


def _group_table(result: Result, system: str, name: str, group: Group, layout: Layout) -> Table:
    """Return groups as rows, the number of documents and the F1 of each metric as columns."""
    metrics = result.recipe.metrics
    table = Table([name, "docs", *map(title, metrics)], caption=f"F1 by {name}: {system}")
    for unit, part in result.by(group).items():
        cells = [score_cells(part[metric], layout)[2] for metric in metrics]
        table.rows.append([short_label(unit), part.documents, *cells])
    return table


def averaging(recipe: Recipe, documents: str) -> str:
    """Describe how a score of several documents is computed."""
    kinds = {"pooled": "from totals over", "macro": "the mean over"}
    return f"{kinds[recipe.average]} {documents}"


def notes(
    results: Sequence[Result], tables: Sequence[Table], has_documents: bool = True
) -> list[Wording]:
    """Return notes that numbers need: averaging, undefined values, missing documents."""
    first = results[0]
    averaged = averaging(first.recipe, amount(first.documents, "document"))
    lines: list[Wording] = [f"in percent, {averaged}" if has_documents else "in percent"]
    if has_undefined(tables):
        lines.append(f"{UNDEFINED_MARK} 0/0: undefined, counts as {first.recipe.undefined}")
    for name, result in zip(system_names(results), results, strict=True):
        missing = sum(problem.code == "missing-document" for problem in result.problems)
        if 2 * missing > result.documents:
            lines.append((name, f": {missing} of {amount(result.documents, 'document')} missing"))
    return lines


class DatasetsReport(Report):
    """Results of several data sets, and their mean, as shared tasks on many corpora report."""

    label = "coreference"

    def __init__(self, results: Mapping[str, Result]) -> None:
        self.results = results
        self.scored = list(results.values())
        self.metrics = self.scored[0].recipe.metrics
        self.signature = self.scored[0].signature
        self.usual = usual_signature()

    def judged(self) -> list[tuple[str | None, dict[str, float]]]:
        """Return the mean F1 by metric, for limits."""
        return [(None, {name: scores["f1"] for name, scores in self.means().items()})]

    def means(self) -> dict[str, dict[str, float]]:
        """Return the mean of each score by metric; each data set weighs the same."""
        means: dict[str, dict[str, float]] = {}
        for metric in self.metrics:
            rates = [rates_of(result[metric]) for result in self.scored]
            means[metric] = {r: fsum(one[r] for one in rates) / len(rates) for r in rates[0]}
        return means

    def _f1(self) -> dict[str, list[float]]:
        rows = {name: [r[m].f1 for m in self.metrics] for name, r in self.results.items()}
        return rows | {"mean": [means["f1"] for means in self.means().values()]}

    def tables(self) -> list[Table]:
        """Return data sets as rows, metrics as columns."""
        rows: list[list[Cell]] = [[name, *map(Number, f1)] for name, f1 in self._f1().items()]
        return [Table(["F1", *map(title, self.metrics)], rows)]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the mean."""
        return [f"mean: of {len(self.results)} data sets, each weighs the same; in percent"]

    def records(self) -> Iterable[Sequence[Any]]:
        """Yield a row for each data set, and the mean."""
        yield ("dataset", *self.metrics)
        for name, f1 in self._f1().items():
            yield (name, *f1)

    def document(self) -> dict[str, Any]:
        """Return each data set, and the mean; None where that is not a number."""
        means = self.means().items()
        return {
            **json_head(self.signature),
            "datasets": {name: result.entry() for name, result in self.results.items()},
            "mean": {m: {rate: as_json(v) for rate, v in of.items()} for m, of in means},
        }
