"""The tables that text, Markdown and LaTeX share: what stands in which cell, without any layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from corefmeter.labels import labels
from corefmeter.metrics import title
from corefmeter.metrics.average import AverageScore
from corefmeter.metrics.base import Scores
from corefmeter.result import Result
from corefmeter.units import Group, Groups

UNDEFINED_MARK = "\N{DAGGER}"


@dataclass(slots=True)
class Table:
    """Cells of text: a header, optional spanning titles over columns, rows with a name first.

    Attributes
    ----------
    spans
        Titles above the header with the number of columns each covers, after the first column.
    bold
        Places (row, column) of cells that stand out.
    marks
        What is written after the cells of some places, raised where the output can.
    words
        How many columns from the left hold words, which begin below each other; the others hold
        numbers, which end below each other.
    """

    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    spans: list[tuple[str, int]] = field(default_factory=list)
    caption: str = ""
    bold: set[tuple[int, int]] = field(default_factory=set)
    marks: dict[tuple[int, int], str] = field(default_factory=dict)
    words: int = 1


def system_names(results: Sequence[Result]) -> list[str]:
    """What the responses are called in tables; see `labels`."""
    return labels(
        [result.response or "response" for result in results], [result.name for result in results]
    )


def _cell(value: float, is_undefined: bool) -> str:
    if value != value:
        return "n/a"
    return f"{100 * value:.2f}" + (UNDEFINED_MARK if is_undefined else "")


def _cells(scores: Scores | AverageScore) -> list[str]:
    if isinstance(scores, AverageScore):
        return ["", "", _cell(scores.f1, False)]
    return [_cell(getattr(scores, f), f in scores.undefined) for f in ("recall", "precision", "f1")]


def score_table(results: Sequence[Result], only_f1: bool = False) -> Table:
    """Metrics as rows; recall, precision and F1 of each response as columns.

    With `only_f1`: responses as rows, the F1 of each metric as columns, for many responses.
    """
    names = system_names(results)
    metrics = results[0].recipe.metrics
    if only_f1:
        rows = [
            [name, *(_cells(result[metric])[2] for metric in metrics)]
            for name, result in zip(names, results, strict=True)
        ]
        return Table(["F1", *map(title, metrics)], rows)
    header = ["", *["R", "P", "F1"] * len(results)]
    rows = [
        [title(metric), *(cell for result in results for cell in _cells(result[metric]))]
        for metric in metrics
    ]
    return Table(header, rows, [(name, 3) for name in names])


def group_table(result: Result, system: str, name: str, group: Group) -> Table:
    """Groups as rows, the F1 of each metric as columns, and how many documents each has."""
    metrics = result.recipe.metrics
    table = Table([name, "docs", *map(title, metrics)], caption=f"F1 by {name}: {system}")
    for unit, part in result.by(group).items():
        cells = [_cells(part[metric])[2] for metric in metrics]
        table.rows.append([unit, str(part.documents), *cells])
    return table


def all_tables(results: Sequence[Result], by: Groups, only_f1: bool = False) -> list[Table]:
    """The table of all results, then one for each group and response."""
    tables = [score_table(results, only_f1)]
    for name, group in by:
        for result, system in zip(results, system_names(results), strict=True):
            tables.append(group_table(result, system, name, group))
    return tables


def notes(results: Sequence[Result], tables: Sequence[Table]) -> list[str]:
    """What a reader must know to read the numbers: averaging, undefined values, the signature."""
    first = results[0]
    plural = "" if first.documents == 1 else "s"
    lines = [f"{first.recipe.average} over {first.documents} document{plural}, in percent"]
    if any(UNDEFINED_MARK in cell for table in tables for row in table.rows for cell in row):
        lines.append(f"{UNDEFINED_MARK} 0/0: undefined, counts as {first.recipe.undefined}")
    for name, result in zip(system_names(results), results, strict=True):
        missing = sum(problem.code == "missing-document" for problem in result.problems)
        if 2 * missing > result.documents:
            lines.append(f"{name}: {missing} of {result.documents} documents missing")
    lines.append(first.signature)
    return lines
