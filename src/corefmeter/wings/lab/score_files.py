"""Files with scores of systems, read into the scores of each system.

Three types of file are detected by content, compressed or not:

- JSON of ``corefmeter score … -f json`` (one or more results) or ``corefmeter compare … -f json``;
- CSV of ``corefmeter score … -f csv``: one row for each response and metric;
- any other CSV: a header, then a row for each system with its name and a number for each metric.
  The separator is a comma, a semicolon or a tab.

Lines and columns in messages count from 1.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from corefmeter.formats.source import Source, decode_utf8
from corefmeter.metrics import key_count, names
from corefmeter.problems import DataError, Problem, amount
from corefmeter.reports.csv import without_apostrophe
from corefmeter.result import SCHEMA


@dataclass(slots=True)
class Cell:
    """A score as it was read, and its place."""

    value: object
    line: int | None = None
    column: int | None = None


@dataclass(slots=True)
class SystemScores:
    """Scores of a system, and how they were computed, as far as the file contains it."""

    name: str | None
    path: str
    line: int | None = None
    cells: dict[str, Cell] = field(default_factory=dict)
    signature: str | None = None
    documents: object = None
    key_counts: dict[str, object] = field(default_factory=dict)

    def add(self, metric: str, cell: Cell, values: Mapping[str, object]) -> None:
        """Add a score; from all `values` of the metric, keep the count of the key."""
        self.cells[metric] = cell
        if metric in names() and (count := key_count(metric)):
            self.key_counts[metric] = values.get(count)


@dataclass(slots=True)
class ScoreFile:
    """Content of one file; a plain table is any CSV that corefmeter did not write."""

    systems: list[SystemScores]
    is_plain: bool = False
    p_values: dict[tuple[str, str, str], float] = field(default_factory=dict)
    alpha: float = 0.05
    notes: list[str] = field(default_factory=list)


#: The hint for a system that occurs twice.
OWN_NAME = "Give each system a different name."


def refuse_file(
    code: str,
    message: str,
    path: str | None,
    line: int | None = None,
    column: int | None = None,
    hint: str | None = None,
) -> NoReturn:
    """Raise an error about a file, or a place in it."""
    raise DataError(Problem(code, message, "error", path, line, column, hint))


def read_file(path: str, score: str) -> ScoreFile:
    """Read one of `recall`, `precision` and `f1` from a file."""
    with Source(path) as source:
        text = decode_utf8(b"".join(source.blocks()), path)
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(path, text, score)
    return _read_csv(path, text, score)


def _read_json(path: str, text: str, score: str) -> ScoreFile:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        refuse_file("bad-scores", f"not JSON: {error.msg}", path, error.lineno, error.colno)
    except (RecursionError, ValueError) as error:
        refuse_file("bad-scores", f"not JSON that corefmeter wrote: {error}", path)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        _refuse_foreign(path, f'it has no "schema": {SCHEMA}')
    try:
        read = _read_comparison if "metrics" in document else _read_results
        file = read(path, document, score)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        _refuse_foreign(path, f"its scores are not as expected ({error!r})")
    if not file.systems or not isinstance(document.get("signature"), str | None):
        _refuse_foreign(path, "it has no systems, or its signature is not text")
    return file


def _refuse_foreign(path: str, reason: str) -> NoReturn:
    message = f"not a result of this version of corefmeter: {reason}"
    hint = "Write it with: corefmeter score KEY RESPONSE -f json -o FILE"
    refuse_file("bad-scores", message, path, hint=hint)


def _read_results(path: str, document: dict[str, Any], score: str) -> ScoreFile:
    signature = document.get("signature")
    systems = []
    for entry in document["results"]:
        name = entry.get("name", entry.get("response"))
        name = name if isinstance(name, str) else None
        system = SystemScores(name, path, signature=signature, documents=entry.get("documents"))
        for metric, values in entry["scores"].items():
            system.add(metric, Cell(values.get(score)), values)
        systems.append(system)
    return ScoreFile(systems)


def _read_comparison(path: str, document: dict[str, Any], score: str) -> ScoreFile:
    """Read the scores of ``corefmeter compare``, with its p-values if they are for this score."""
    signature = document.get("signature")
    systems: dict[str, SystemScores] = {}
    p_values = {}
    alpha = float(document.get("alpha", 0.05))
    same_score = document.get("score", "f1") == score
    for metric, comparison in document["metrics"].items():
        for name, values in comparison["scores"].items():
            system = systems.setdefault(name, SystemScores(name, path, signature=signature))
            system.cells[metric] = Cell(values.get(score))
        for pair in comparison.get("pairs", ()):
            if same_score and pair.get("p_adjusted") is not None:
                p_values[metric, pair["a"], pair["b"]] = float(pair["p_adjusted"])
    return ScoreFile(list(systems.values()), p_values=p_values, alpha=alpha)


class _Row(NamedTuple):
    """The line on which a row begins, its cells, and the columns of those on the same line."""

    line: int
    cells: list[str]
    columns: list[int]

    def cell(self, index: int) -> Cell:
        """Return a cell with its place; without a column if it begins on a later line."""
        column = self.columns[index] if index < len(self.columns) else None
        return Cell(self.cells[index], self.line, column)


def _read_csv(path: str, text: str, score: str) -> ScoreFile:
    lines = list(io.StringIO(text, newline=""))
    delimiter = max(",;\t", key=next((line for line in lines if line.strip()), "").count)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows: list[_Row] = []
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                columns = _cell_columns(lines[start - 1].rstrip("\r\n"), delimiter)
                plain = [without_apostrophe(" ".join(cell.split())) for cell in cells]
                rows.append(_Row(start, plain, columns))
            start = reader.line_num + 1
    except csv.Error as error:
        refuse_file("bad-scores", f"not CSV: {error}", path, start)
    if not rows:
        refuse_file("bad-scores", "the file is empty", path)
    header, *body = rows
    if not body:
        refuse_file("bad-scores", "the table has no row below its header", path, header.line)
    for row in body:
        if len(row.cells) != len(header.cells):
            number, expected = amount(len(row.cells), "cell"), len(header.cells)
            message = f"{number} in this row, {expected} in the header"
            hint = "Put names that contain the separator into double quotes."
            refuse_file("bad-scores", message, path, row.line, hint=hint)
    read = _read_long if {"response", "metric"} <= {*header.cells} else _read_wide
    return read(path, header, body, score)


def _cell_columns(line: str, delimiter: str) -> list[int]:
    is_quoted = False
    columns = [1]
    for column, character in enumerate(line, 1):
        is_quoted ^= character == '"'
        if character == delimiter and not is_quoted:
            columns.append(column + 1)
    return columns


def _read_long(path: str, header: _Row, body: list[_Row], score: str) -> ScoreFile:
    """Read the CSV of ``corefmeter score``: one row for each response, group and metric."""
    if score not in header.cells:
        refuse_file("bad-scores", f"the table has no column {score!r}", path, header.line)
    systems: dict[str, SystemScores] = {}
    group_rows = 0
    index = header.cells.index(score)
    for row in body:
        line, values = row.line, dict(zip(header.cells, row.cells, strict=True))
        if values.get("by"):
            group_rows += 1
            continue
        name, metric = values["response"], values["metric"]
        signature = values.get("signature") or None
        new = SystemScores(name or None, path, line, signature=signature)
        system = systems.setdefault(name, new)
        if metric in system.cells:
            message = f"a second score of {name!r} by {metric!r}"
            refuse_file("repeated-system", message, path, line, hint=OWN_NAME)
        system.add(metric, row.cell(index), values)
    if not systems:
        refuse_file("bad-scores", "the table has only scores of groups", path)
    notes = [f"left out: {amount(group_rows, 'row')} of scores by group"] if group_rows else []
    return ScoreFile(list(systems.values()), notes=notes)


def _read_wide(path: str, header: _Row, body: list[_Row], score: str) -> ScoreFile:
    """Read any other CSV: systems as rows, metrics as columns."""
    columns = header.cells
    if len(columns) < 2:
        hint = "Separate the columns by commas, semicolons or tabs."
        refuse_file("bad-scores", "the table has only one column", path, header.line, hint=hint)
    for index, name in enumerate(columns[1:], 1):
        if not name or name in columns[1:index]:
            message = f"a second column {name!r}" if name else "a column without a name"
            refuse_file("bad-scores", message, path, header.line, header.cell(index).column)
    systems = []
    for row in body:
        if not row.cells[0]:
            refuse_file("bad-scores", "a row without the name of a system", path, row.line)
        cells = {name: row.cell(index) for index, name in enumerate(columns[1:], 1)}
        systems.append(SystemScores(row.cells[0], path, row.line, cells))
    return ScoreFile(systems, is_plain=True)
