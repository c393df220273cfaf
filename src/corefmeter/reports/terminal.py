"""Tables for people: metrics as rows; recall, precision, F1 as columns; responses side by side."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import IO

import click

from corefmeter.labels import shortened
from corefmeter.reports.tables import Table, all_tables, notes
from corefmeter.result import Result
from corefmeter.units import Groups

#: Where names of rows would have to be shorter, a table is split by its columns instead.
READABLE = 16

#: Nothing can be shown on fewer columns.
_NARROWEST = 20

#: Blanks between two columns, and between two responses.
_GAP, _WIDE_GAP = 2, 4


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write the table of all results, then one for each response and group."""
    tables = all_tables(results, by)
    if len(results) > 1 and _width(tables[0]) > room_of(stream):
        tables = all_tables(results, by, only_f1=True)
    for table in tables:
        write_table(table, stream)
    *lines, signature = notes(results, tables)
    for line in lines:
        paragraph(line, stream, dim=True)
    write_signature(signature, "score", "KEY RESPONSE", stream)


def write_table(table: Table, stream: IO[str]) -> None:
    """Write a table, its title and its header bold, in as many pieces as the width asks for."""
    terminal = coloured(stream)
    if table.caption:
        paragraph(table.caption, stream, bold=True)
    for piece in fitted(table, room_of(stream)):
        lines = layout(piece, terminal)
        head = len(lines) - len(piece.rows)
        for i, line in enumerate(lines):
            stream.write(styled(line, terminal, bold=i < head) + "\n")
        stream.write("\n")


def paragraph(
    text: str, stream: IO[str], bold: bool = False, dim: bool = False, indent: str = "  "
) -> None:
    """Write a sentence in lines that fit the width."""
    terminal = coloured(stream)
    lines = [text]
    if len(text) > (room := room_of(stream)):
        import textwrap

        lines = textwrap.wrap(text, room, subsequent_indent=indent, break_on_hyphens=False)
    for line in lines:
        stream.write(styled(line, terminal, bold, dim) + "\n")


def write_signature(signature: str, command: str, files: str, stream: IO[str]) -> None:
    """Write a signature, in a form that can be copied.

    On a terminal that is wide enough it is the command that repeats the run; where it is too long
    for a line, it is folded between its values. In a file it is always one line.
    """
    lines = [signature]
    if stream.isatty():
        room = room_of(stream)
        repeat = f"corefmeter {command} --recipe '{signature}' {files}"
        lines = [repeat] if command and len(repeat) <= room else list(_folded(signature, room))
    for line in lines:
        stream.write(styled(line, coloured(stream), dim=True) + "\n")


def _folded(signature: str, room: int) -> Iterator[str]:
    """A signature in lines that end after a ``|``; a value is never broken.

    Examples
    --------
    >>> list(_folded("corefmeter:0.1.0|metrics:muc+b3|match:exact", 34))
    ['corefmeter:0.1.0|metrics:muc+b3|', 'match:exact']
    """
    line = ""
    for pair in signature.replace("|", "|\0").split("\0"):
        if line and len(line + pair) > room:
            yield line
            line = ""
        line += pair
    yield line


def room_of(stream: IO[str]) -> int:
    """How wide lines may be: ``COLUMNS``, else as the terminal is, else, in a file, 80."""
    known = stream.isatty() or os.environ.get("COLUMNS")
    return max(_NARROWEST, shutil.get_terminal_size().columns) if known else 80


def coloured(stream: IO[str]) -> bool:
    """Whether text may be bold or coloured: on a terminal, unless the environment says otherwise.

    ``NO_COLOR`` forbids it, ``FORCE_COLOR`` asks for it everywhere, and a terminal of the type
    ``dumb`` cannot do it; the first that is set counts.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        os.environ.get("TERM") != "dumb" and stream.isatty()
    )


def styled(text: str, terminal: bool, bold: bool = False, dim: bool = False) -> str:
    """Text with codes of the terminal, or as it is."""
    # False would switch off what is on, also what was switched on just before.
    return click.style(text, bold=bold or None, dim=dim or None) if terminal else text


def fitted(table: Table, width: int) -> list[Table]:
    """A table as several that are narrow enough, each with some of the columns.

    Names of rows and of responses give way first, as long as they can be read. What stands under
    one title stays together as long as that fits. Only a column that alone is too wide is cut.

    Examples
    --------
    >>> wide = Table(["", "R", "P", "F1"], [["MUC", "50.00", "100.00", "66.67"]])
    >>> [piece.header for piece in fitted(wide, 20)]
    [['', 'R', 'P'], ['', 'F1']]
    """
    table = replace(table, rows=_marked(table), marks={})
    names = [row[0] for row in table.rows]
    names_as = table.header[0]
    spare = width - _width(table) + _columns(table)[0][0]
    longest = max(map(len, names), default=0)
    room = longest if spare >= longest else spare if spare >= READABLE else max(width // 3, 8)
    for row, name in zip(table.rows, shortened(names, room), strict=True):
        row[0] = name
    table.header[0] = shortened([names_as], max(room, len(names_as) if width >= 80 else room))[0]
    for groups in (_groups(table), [(title, [i]) for title, of in _groups(table) for i in of]):
        for size in range(len(groups), 0, -1):
            parts = [
                _part(table, groups[first : first + size], width)
                for first in range(0, len(groups), size)
            ]
            if all(_width(part) <= width for part in parts):
                return parts
    return [_squeezed(part, width) for part in parts]


def _groups(table: Table) -> list[tuple[str, list[int]]]:
    """The columns that stay together, with their title; each alone where there are no titles."""
    if not table.spans:
        return [("", [i]) for i in range(1, len(table.header))]
    found = []
    position = 1
    for title, columns in table.spans:
        found.append((title, list(range(position, position + columns))))
        position += columns
    return found


def _part(table: Table, groups: Sequence[tuple[str, list[int]]], width: int) -> Table:
    """The first column and some groups of others, their titles as long as there is room for."""
    chosen = [0, *(i for _, columns in groups for i in columns)]
    place = {old: new for new, old in enumerate(chosen)}
    part = Table(
        [table.header[i] for i in chosen],
        [[row[i] for i in chosen] for row in table.rows],
        [("", len(columns)) for _, columns in groups] if table.spans else [],
        bold={(i, place[j]) for i, j in table.bold if j in place},
        words=sum(i < table.words for i in chosen),
    )
    if table.spans:
        room = (width - _width(part)) // len(groups)
        widths, gaps = _columns(part)
        rooms = []
        position = 1
        for _, columns in part.spans:
            own = range(position, position + columns)
            rooms.append(room + sum(widths[i] + gaps[i] for i in own) - gaps[position])
            position += columns
        titles = shortened([title for title, _ in table.spans], max(4, min(rooms)))
        short = dict(zip((title for title, _ in table.spans), titles, strict=True))
        part.spans = [
            (title if len(title) <= own else short[title], len(columns))
            for (title, columns), own in zip(groups, rooms, strict=True)
        ]
    return part


def _squeezed(table: Table, width: int) -> Table:
    """A table whose widest cells are cut until it fits."""
    rows = [table.header, *table.rows]
    widths, _ = _columns(replace(table, spans=[]))
    while sum(widths) + _GAP * (len(widths) - 1) > width and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    header, *cut = [
        [cut_off(cell, room) for cell, room in zip(row, widths, strict=True)] for row in rows
    ]
    return replace(table, header=header, rows=cut, spans=[
        (cut_off(title, sum(widths[1:])), columns) for title, columns in table.spans
    ])  # fmt: skip


def cut_off(text: str, room: int) -> str:
    """The beginning of a text that is too long."""
    return text if len(text) <= room else text[: room - 1] + "\N{HORIZONTAL ELLIPSIS}"


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
            line += " " * gaps[position] + name.rjust(room)
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
    for title, columns in table.spans:
        gaps[position] = _WIDE_GAP if position > 1 else _GAP
        own = range(position, position + columns)
        wanting = len(title) - sum(widths[i] + gaps[i] for i in own) + gaps[position]
        widths[position] += max(0, wanting)
        position += columns
    return widths, gaps


def _width(table: Table) -> int:
    widths, gaps = _columns(table)
    return sum(widths) + sum(gaps)


def _line(
    cells: Sequence[str], widths: Sequence[int], gaps: Sequence[int], words: int,
    bold: Collection[int] = (),
) -> str:  # fmt: skip
    return "".join(
        " " * gap
        + styled(cell.ljust(width) if i < words else cell.rjust(width), i in bold, bold=True)
        for i, (cell, width, gap) in enumerate(zip(cells, widths, gaps, strict=True))
    )
