"""Tables for people: metrics as rows; recall, precision, F1 as columns; responses side by side."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import IO

import click

from corefmeter.reports import Groups
from corefmeter.reports.tables import Table, all_tables, notes
from corefmeter.result import Result

__all__ = ["layout", "write"]

#: Blanks between two columns, and between two responses.
_GAP, _WIDE_GAP = 2, 4


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write the table of all results, then one for each response and group."""
    terminal = stream.isatty()
    width = max(80, shutil.get_terminal_size().columns) if terminal else 80
    tables = all_tables(results, by)
    if _width(tables[0]) > width:
        tables = all_tables(results, by, only_f1=True)
    for table in tables:
        _fit(table, width)
    for table in tables:
        lines = layout(table)
        if table.caption:
            stream.write(_styled(table.caption, terminal, bold=True) + "\n")
        head = len(lines) - len(table.rows)
        for i, line in enumerate(lines):
            stream.write(_styled(line, terminal, bold=i < head) + "\n")
        stream.write("\n")
    for note in notes(results, tables):
        stream.write(_styled(note, terminal, dim=True) + "\n")


def _styled(text: str, terminal: bool, bold: bool = False, dim: bool = False) -> str:
    return click.style(text, bold=bold, dim=dim) if terminal else text


def layout(table: Table) -> list[str]:
    """The lines of a table: names of responses, header, rule, rows.

    Examples
    --------
    >>> print("\\n".join(layout(Table(["", "R", "P"], [["MUC", "50.00", "100.00"]]))))
             R       P
    ──────────────────
    MUC  50.00  100.00
    """
    widths, gaps = _columns(table)
    lines = []
    if table.spans:
        line = " " * widths[0]
        position = 1
        for name, columns in table.spans:
            span = range(position, position + columns)
            room = sum(widths[i] + gaps[i] for i in span) - gaps[position]
            line += " " * gaps[position] + _shortened(name, room).rjust(room)
            position += columns
        lines.append(line)
    lines.append(_line(table.header, widths, gaps))
    lines.append("\N{BOX DRAWINGS LIGHT HORIZONTAL}" * len(lines[-1]))
    lines += [_line(row, widths, gaps) for row in table.rows]
    return [line.rstrip() for line in lines]


def _columns(table: Table) -> tuple[list[int], list[int]]:
    """Width of each column, and blanks before it."""
    rows = [table.header, *table.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
    gaps = [0, *[_GAP] * (len(widths) - 1)]
    position = 1
    for _, columns in table.spans:
        gaps[position] = _WIDE_GAP if position > 1 else _GAP
        position += columns
    return widths, gaps


def _width(table: Table) -> int:
    widths, gaps = _columns(table)
    return sum(widths) + sum(gaps)


def _fit(table: Table, width: int) -> None:
    """Shorten the names of the rows so that the table fits, but not below a readable length."""
    widths, _ = _columns(table)
    room = max(12, widths[0] - (_width(table) - width))
    for row in table.rows:
        row[0] = _shortened(row[0], room)


def _line(cells: Sequence[str], widths: Sequence[int], gaps: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, gaps, strict=True)
    return first[0].ljust(first[1]) + "".join(
        " " * gap + cell.rjust(width) for cell, width, gap in rest
    )


def _shortened(name: str, room: int) -> str:
    """The end of a name that is too long, which tells files apart better than the beginning."""
    return name if len(name) <= room else "\N{HORIZONTAL ELLIPSIS}" + name[1 - room :]
