"""Files with scores of systems, read into the scores of each system; errors say the place.

Three kinds of file are understood, recognised by content, compressed or not:

- JSON of ``corefmeter score … -f json`` (one or more results) or ``corefmeter compare … -f json``;
- CSV of ``corefmeter score … -f csv``: one row for each response and metric;
- any other CSV: a header line, then a row for each system, its name first, then a number for each
  metric. The separator is a comma, a semicolon or a tab.

Lines and columns in messages count from 1.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from corefmeter.formats.source import Source
from corefmeter.metrics import key_count, names
from corefmeter.problems import DataError, Problem, amount
from corefmeter.result import SCHEMA


@dataclass(slots=True)
class Cell:
    """A score as it was read, and where."""

    value: object
    line: int | None = None
    column: int | None = None


@dataclass(slots=True)
class SystemScores:
    """Scores of a system, and their options as far as the file gives them."""

    name: str | None
    path: str
    line: int | None = None
    cells: dict[str, Cell] = field(default_factory=dict)
    signature: str | None = None
    documents: object = None
    key_counts: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class ScoreFile:
    """Content of one file."""

    systems: list[SystemScores]
    is_plain: bool = False
    p_values: dict[tuple[str, str, str], float] = field(default_factory=dict)
    alpha: float = 0.05
    notes: list[str] = field(default_factory=list)


#: What to do about a system that occurs twice.
OWN_NAME = "Give each system a name of its own."


def fail(
    code: str,
    message: str,
    path: str | None,
    line: int | None = None,
    column: int | None = None,
    hint: str | None = None,
) -> NoReturn:
    """Refuse a file, or what is at some place of it."""
    raise DataError(Problem(code, message, "error", path, line, column, hint))


def read_file(path: str, score: str) -> ScoreFile:
    """Read one of `recall`, `precision` and `f1` from a file."""
    with Source(path) as source:
        data = b"".join(source.blocks())
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fail("not-text", "not UTF-8", path, line, hint="Save the table as UTF-8.")
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(path, text, score)
    return _read_csv(path, text, score)


# --- JSON


def _read_json(path: str, text: str, score: str) -> ScoreFile:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        fail("bad-scores", f"not JSON: {error.msg}", path, error.lineno, error.colno)
    except (RecursionError, ValueError) as error:
        fail("bad-scores", f"not JSON that corefmeter wrote: {error}", path)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        _refuse_foreign(path, f'it has no "schema": {SCHEMA}')
    if "metrics" in document:
        return _read_comparison(path, document, score)
    return ScoreFile(_read_results(path, document, score))


def _refuse_foreign(path: str, reason: str) -> NoReturn:
    message = f"not a result of this version of corefmeter: {reason}"
    fail(
        "bad-scores",
        message,
        path,
        hint="Write it with: corefmeter score KEY RESPONSE -f json -o FILE",
    )


def _read_results(path: str, document: dict[str, Any], score: str) -> list[SystemScores]:
    entries = document.get("results")
    if not isinstance(entries, list) or not entries:
        _refuse_foreign(path, 'it has no list "results"')
    signature = document.get("signature")
    systems = []
    for entry in entries:
        scores = entry.get("scores") if isinstance(entry, dict) else None
        if not isinstance(scores, dict) or not all(isinstance(s, dict) for s in scores.values()):
            _refuse_foreign(path, 'a result has no "scores"')
        response = entry.get("name", entry.get("response"))
        counted = {name: _key_count(name) for name in scores}
        systems.append(
            SystemScores(
                response if isinstance(response, str) else None,
                path,
                cells={name: Cell(values.get(score)) for name, values in scores.items()},
                signature=signature if isinstance(signature, str) else None,
                documents=entry.get("documents"),
                key_counts={
                    name: scores[name].get(count) for name, count in counted.items() if count
                },
            )
        )
    return systems


def _read_comparison(path: str, document: dict[str, Any], score: str) -> ScoreFile:
    """Read the scores of ``corefmeter compare``, with its p-values if they are of this score."""
    metrics = document["metrics"]
    signature = document.get("signature")
    systems: dict[str, SystemScores] = {}
    p_values = {}
    try:
        alpha = float(document.get("alpha", 0.05))
        same_score = document.get("score", "f1") == score
        for metric, compared in metrics.items():
            for name, values in compared["scores"].items():
                system = systems.setdefault(name, SystemScores(name, path, signature=signature))
                system.cells[metric] = Cell(values.get(score))
            for pair in compared.get("pairs", ()) if same_score else ():
                if pair.get("p_adjusted") is not None:
                    p_values[metric, pair["a"], pair["b"]] = float(pair["p_adjusted"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        _refuse_foreign(path, f'"metrics" is not as expected ({error!r})')
    if not systems or not isinstance(signature, str | None):
        _refuse_foreign(path, "it has no systems, or a signature that is no text")
    return ScoreFile(list(systems.values()), p_values=p_values, alpha=alpha)


# --- CSV


def _read_csv(path: str, text: str, score: str) -> ScoreFile:
    lines = list(io.StringIO(text, newline=""))
    delimiter = max(",;\t", key=next((line for line in lines if line.strip()), "").count)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((start, [_without_apostrophe(" ".join(cell.split())) for cell in row]))
            start = reader.line_num + 1
    except csv.Error as error:
        fail("bad-scores", f"not CSV: {error}", path, start)
    if not rows:
        fail("bad-scores", "the file is empty", path)
    (line, header), *body = rows
    if not body:
        fail("bad-scores", "the table has no row below its header", path, line)
    for number, row in body:
        if len(row) != len(header):
            message = f"{amount(len(row), 'cell')} in this row, {len(header)} in the header"
            hint = "Put names that contain the separator into double quotes."
            fail("bad-scores", message, path, number, hint=hint)

    def column(number: int, index: int) -> int | None:
        return _column(lines[number - 1].rstrip("\r\n"), delimiter, index)

    if {"response", "metric"} <= {*header}:
        if score not in header:
            fail("bad-scores", f"the table has no column {score!r}", path, line)
        return _read_long(path, header, body, score, column)
    return _read_wide(path, line, header, body, column)


def _without_apostrophe(cell: str) -> str:
    """Remove the apostrophe by which our CSV keeps a spreadsheet from computing a cell."""
    return cell[1:] if cell[:2] in ("'=", "'+", "'-", "'@") else cell


def _column(line: str, delimiter: str, index: int) -> int | None:
    """Return the column of the text at which a cell begins; None if it is on a later line."""
    is_quoted = False
    delimiters = 0
    if not index:
        return 1
    for position, character in enumerate(line, 1):
        if character == '"':
            is_quoted = not is_quoted
        elif character == delimiter and not is_quoted:
            delimiters += 1
            if delimiters == index:
                return position + 1
    return None


#: From the line of a row and the index of a cell to the column of the text where it begins.
_Place = Callable[[int, int], "int | None"]
#: Rows with the lines on which they begin.
_Rows = list[tuple[int, list[str]]]


def _read_long(path: str, header: list[str], body: _Rows, score: str, column: _Place) -> ScoreFile:
    """Read the CSV of ``corefmeter score``: one row for each response, group and metric."""
    systems: dict[str, SystemScores] = {}
    of_groups = 0
    index = header.index(score)
    for line, cells in body:
        row = dict(zip(header, cells, strict=True))
        if row.get("by"):
            of_groups += 1
            continue
        name = row["response"]
        system = systems.setdefault(
            name, SystemScores(name or None, path, line, signature=row.get("signature") or None)
        )
        if row["metric"] in system.cells:
            message = f"a second score of {name!r} by {row['metric']!r}"
            fail("repeated-system", message, path, line, hint=OWN_NAME)
        system.cells[row["metric"]] = Cell(row[score], line, column(line, index))
        if (counted := _key_count(row["metric"])) is not None:
            system.key_counts[row["metric"]] = row.get(counted)
    if not systems:
        fail("bad-scores", "the table has scores of groups only", path)
    notes = [f"left out: {amount(of_groups, 'row')} of scores by group"] if of_groups else []
    return ScoreFile(list(systems.values()), notes=notes)


def _read_wide(path: str, line: int, header: list[str], body: _Rows, column: _Place) -> ScoreFile:
    """Read any other CSV: systems as rows, metrics as columns."""
    if len(header) < 2:
        hint = "Separate the columns by commas, semicolons or tabs."
        fail("bad-scores", "the table has one column only", path, line, hint=hint)
    for index, name in enumerate(header[1:], 1):
        if not name or name in header[1:index]:
            reason = f"a second column {name!r}" if name else "a column without a name"
            fail("bad-scores", reason, path, line, column(line, index))
    systems = []
    for number, (name, *cells) in body:
        if not name:
            fail("bad-scores", "a row without the name of a system", path, number)
        system = SystemScores(name, path, number)
        for index, (metric, cell) in enumerate(zip(header[1:], cells, strict=True), 1):
            system.cells[metric] = Cell(cell, number, column(number, index))
        systems.append(system)
    return ScoreFile(systems, is_plain=True)


def _key_count(name: str) -> str | None:
    """Return the field that counts the key alone, of a metric that is known here."""
    return key_count(name) if name in names() else None
