"""Tables for people: metrics as rows; recall, precision, F1 as columns; responses side by side."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import IO

import click

from corefmeter.reports.tables import Table, all_tables, notes
from corefmeter.result import Groups, Result

__all__ = ["blocks", "layout", "room_of", "write"]

#: Where names of rows would have to be shorter, a table is split by its columns instead.
READABLE = 16

#: Blanks between two columns, and between two responses.
_GAP, _WIDE_GAP = 2, 4


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write the table of all results, then one for each response and group."""
    terminal = stream.isatty()
    width = room_of(stream)
    tables = all_tables(results, by)
    if _width(tables[0]) > width:
        tables = all_tables(results, by, only_f1=True)
    for table in tables:
        split = not table.spans and _room_for_names(table, width) < READABLE
        fit(table, width, width // 3 if split else 12)
    for table in tables:
        if table.caption:
            stream.write(styled(table.caption, terminal, bold=True) + "\n")
        for block in [table] if table.spans else blocks(table, width):
            lines = layout(block)
            head = len(lines) - len(block.rows)
            for i, line in enumerate(lines):
                stream.write(styled(line, terminal, bold=i < head) + "\n")
            stream.write("\n")
    for note in notes(results, tables):
        stream.write(styled(note, terminal, dim=True) + "\n")


def blocks(table: Table, width: int) -> list[Table]:
    """A table without spans as several that are narrow enough, each with some of the columns.

    Examples
    --------
    >>> wide = Table(["", "R", "P", "F1"], [["MUC", "50.00", "100.00", "66.67"]])
    >>> [block.header for block in blocks(wide, 20)]
    [['', 'R', 'P'], ['', 'F1']]
    """
    columns = len(table.header) - 1
    for size in range(columns, 0, -1):
        parts = [
            Table([table.header[0], *table.header[first : first + size]],
                  [[row[0], *row[first : first + size]] for row in table.rows])
            for first in range(1, columns + 1, size)
        ]  # fmt: skip
        if all(_width(part) <= width for part in parts):
            break
    return parts


def room_of(stream: IO[str], least: int = 80) -> int:
    """How wide lines may be: as the terminal is, but not below `least`; 80 in a file."""
    return max(least, shutil.get_terminal_size().columns) if stream.isatty() else 80


def styled(text: str, terminal: bool, bold: bool = False, dim: bool = False) -> str:
    return click.style(text, bold=bold, dim=dim) if terminal else text


def layout(table: Table, terminal: bool = False) -> list[str]:
    """The lines of a table: names of responses, header, rule, rows.

    On a terminal, cells that are to be bold are so.

    Examples
    --------
    >>> print("\\n".join(layout(Table(["", "R", "P"], [["MUC", "50.00", "100.00"]]))))
             R       P
    ──────────────────
    MUC  50.00  100.00
    """
    rows = _marked(table)
    widths, gaps = _columns(replace(table, rows=rows))
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
    lines.append(_line(table.header, widths, gaps, table.words))
    lines.append("\N{BOX DRAWINGS LIGHT HORIZONTAL}" * len(lines[-1]))
    for i, row in enumerate(rows):
        bold = {j for j in range(len(row)) if terminal and (i, j) in table.bold}
        lines.append(_line(row, widths, gaps, table.words, bold))
    return [line.rstrip() for line in lines]


def _marked(table: Table) -> list[list[str]]:
    """The rows with the marks in the cells, as wide in a column as its widest mark."""
    room: dict[int, int] = {}
    for (_, column), mark in table.marks.items():
        room[column] = max(room.get(column, 0), len(mark))
    return [
        [
            f"{cell} {table.marks.get((i, j), '').ljust(room[j])}" if j in room else cell
            for j, cell in enumerate(row)
        ]
        for i, row in enumerate(table.rows)
    ]


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


def _room_for_names(table: Table, width: int) -> int:
    """How long names of rows may be so that the table fits."""
    widths, _ = _columns(table)
    return widths[0] - (_width(table) - width)


def fit(table: Table, width: int, least: int = 12) -> None:
    """Shorten the names of the rows so that the table fits, but not below a readable length."""
    room = max(least, _room_for_names(table, width))
    for row in table.rows:
        row[0] = _shortened(row[0], room)


def _line(
    cells: Sequence[str], widths: Sequence[int], gaps: Sequence[int], words: int,
    bold: Collection[int] = (),
) -> str:  # fmt: skip
    return "".join(
        " " * gap
        + styled(cell.ljust(width) if i < words else cell.rjust(width), i in bold, bold=True)
        for i, (cell, width, gap) in enumerate(zip(cells, widths, gaps, strict=True))
    )


def _shortened(name: str, room: int) -> str:
    """The end of a name that is too long, which tells files apart better than the beginning."""
    return name if len(name) <= room else "\N{HORIZONTAL ELLIPSIS}" + name[1 - room :]
