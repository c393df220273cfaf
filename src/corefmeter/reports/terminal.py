"""Tables for people, as wide as the terminal.

A table that is wider is broken between its columns, its names first shortened as long as they can
be read; a system has the same short name in all tables. Columns of words are cut; on a terminal
that is narrow they are wrapped instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, NamedTuple

import click

from corefmeter.labels import shorten
from corefmeter.problems import printable
from corefmeter.reports.tables import (
    DIFFERENCE,
    Report,
    Table,
    cell_text,
    notes_of,
    rename_systems,
    sentence_text,
    spanned,
    tables_of,
)

#: Names of rows are not made shorter: a table is split by its columns instead.
_READABLE = 16

#: Names of systems are shortened alike in all tables, but not to fewer characters.
_SHORTEST = 6

#: The least width of a line; in lines shorter than `_NARROW`, words are wrapped, not cut.
_NARROWEST, _NARROW = 20, 60

#: The least width of a column whose words are wrapped.
_LEAST = 10

#: Spaces between two columns, and between two responses.
_GAP, _WIDE_GAP = 2, 4


class Grid(NamedTuple):
    """A `Table` whose cells are texts."""

    header: list[str]
    rows: list[list[str]]
    spans: Sequence[tuple[str, int]] = ()
    bold: Collection[tuple[int, int]] = ()
    words: int = 1


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the tables, then what a reader must know, and the signature."""
    width = room_of(stream)
    tables = [t for table in tables_of(report) for t in _narrow(table, width, digits)]
    if lead := sentence_text(report.lead(), digits):
        paragraph(lead, stream, indent="")
        stream.write("\n")
    grids = [grid_of(table, digits) for table in tables]
    pieces = _fit_alike(grids, [*map(printable, report.systems)], width)
    for table, pieces_of_table in zip(tables, pieces, strict=True):
        _write_table(table, pieces_of_table, stream, digits)
    for note in notes_of(report, tables):
        paragraph(sentence_text(note, digits), stream, dim=True)
    if report.signature:
        write_signature(report.shown_signature, stream)


def _narrow(table: Table, width: int, digits: int) -> list[Table]:
    """Return the table, or its replacements where lines are too short for it."""
    if table.narrow and (over := _measure_width(grid_of(table, digits)) - width) > 0:
        return table.narrow(width, over)
    return [table]


def _fit_alike(grids: Sequence[Grid], systems: Sequence[str], width: int) -> list[list[Grid]]:
    """Return the pieces of tables, with the longest names of systems that no table cuts."""
    room = max(map(len, systems), default=0)
    while True:
        short = dict(zip(systems, shorten(systems, room), strict=True))
        renamed = [_rename(grid, short) for grid in grids]
        pieces = [fitted(grid, width) if grid.rows else [] for grid in renamed]
        whole = map(partial(_shows_whole, systems={*short.values()}), renamed, pieces)
        if all(whole) or room <= _SHORTEST:
            return pieces
        room -= 1


def _rename(grid: Grid, names: Mapping[str, str]) -> Grid:
    return grid._replace(
        header=[rename_systems(name, names) for name in grid.header],
        rows=[[rename_systems(row[0], names), *row[1:]] for row in grid.rows],
        spans=[(rename_systems(title, names), columns) for title, columns in grid.spans],
    )


def _shows_whole(grid: Grid, pieces: Sequence[Grid], systems: Collection[str]) -> bool:
    """Return whether pieces of a table have its names of systems uncut.

    Long names of columns must not break the table either, nor cut the names of its rows.
    """
    rows = [row[0] for row in grid.rows]
    shown = [row[0] for row in pieces[0].rows] if pieces else rows
    columns = {*grid.header, *(title for title, _ in grid.spans)}
    if any(len(name) > _READABLE for name in columns.intersection(systems)):
        return len(pieces) == 1 and shown == rows
    titles = {title for piece in pieces for title, _ in piece.spans}
    names = {name for name in rows if all(part in systems for part in name.split(DIFFERENCE))}
    return names <= {*shown} and {title for title, _ in grid.spans if title in systems} <= titles


def _write_table(table: Table, pieces: Sequence[Grid], stream: IO[str], digits: int) -> None:
    """Write the pieces of a table, its title and header bold."""
    terminal = coloured(stream)
    if caption := sentence_text(table.caption, digits):
        paragraph(caption, stream, bold=True, indent="" if table.retold else "  ")
    if table.rows and not table.retold:
        for number, piece in enumerate(pieces):
            lines = layout(piece, terminal)
            head = len(lines) - len(piece.rows)
            for i, line in enumerate(lines):
                stream.write(styled(line, terminal, bold=i < head) + "\n")
            stream.write("\n" * (number < len(pieces) - 1 or len(table.sentences) > 1))
    for sentence in table.sentences:
        paragraph(sentence, stream, begin="- " * table.retold)
    stream.write("\n")


def grid_of(table: Table, digits: int) -> Grid:
    """Return the cells of a table as texts; marks have the same width within a column."""
    room: dict[int, int] = {}
    for (_, column), mark in table.marks.items():
        room[column] = max(room.get(column, 0), len(mark))
    rows = [[cell_text(cell, digits) for cell in row] for row in table.rows]
    for i, row in enumerate(rows):
        for j, width in room.items():
            row[j] += " " + table.marks.get((i, j), "").ljust(width)
    header = [printable(name) for name in table.header]
    spans = [(printable(title), columns) for title, columns in table.spans]
    return Grid(header, rows, spans, table.bold, table.words)


def paragraph(
    text: str,
    stream: IO[str],
    bold: bool = False,
    dim: bool = False,
    begin: str = "",
    indent: str = "  ",
) -> None:
    """Write a sentence in lines that fit, the first after `begin`, the others after `indent`."""
    terminal = coloured(stream)
    text = printable(text)
    lines = [begin + text]
    if len(lines[0]) > (room := room_of(stream)):
        import textwrap

        lines = textwrap.wrap(
            text, room, initial_indent=begin, subsequent_indent=indent, break_on_hyphens=False
        )
    for line in lines:
        stream.write(styled(line, terminal, bold, dim) + "\n")


def write_signature(signature: str, stream: IO[str]) -> None:
    """Write a signature, folded between its values where the line of a terminal is too short."""
    signature = printable(signature)
    lines = _fold_signature(signature, room_of(stream)) if stream.isatty() else [signature]
    for line in lines:
        stream.write(styled(line, coloured(stream), dim=True) + "\n")


def _fold_signature(signature: str, room: int) -> Iterator[str]:
    """Yield a signature in lines that end after a ``|``; a value is never broken."""
    line = ""
    for pair in signature.replace("|", "|\0").split("\0"):
        if line and len(line + pair) > room:
            yield line
            line = ""
        line += pair
    yield line


def room_of(stream: IO[str]) -> int:
    """Return the line width: ``COLUMNS``, else the terminal's, else, in a file, 80."""
    known = stream.isatty() or os.environ.get("COLUMNS")
    return max(_NARROWEST, shutil.get_terminal_size().columns) if known else 80


def coloured(stream: IO[str]) -> bool:
    """Return whether text may be bold or colored: on a terminal that is not ``dumb``.

    ``NO_COLOR`` forbids it, ``FORCE_COLOR`` asks for it everywhere; the first that is set counts.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def styled(text: str, terminal: bool, bold: bool = False, dim: bool = False) -> str:
    """Return text with codes of the terminal, or as it is."""
    # False would switch off what is on, also what was switched on just before.
    plain = not terminal or not (bold or dim)
    return text if plain else click.style(text, bold=bold or None, dim=dim or None)


def fitted(grid: Grid, width: int) -> list[Grid]:
    """Return a table as several that are narrow enough, each with some of the columns.

    Names of rows and of responses are shortened first, as long as they can be read. Columns under
    one title stay together as long as that fits. Only a column that alone is too wide is cut.

    >>> wide = Grid(["", "R", "P", "F1"], [["MUC", "50.00", "100.00", "66.67"]])
    >>> [piece.header for piece in fitted(wide, 20)]
    [['', 'R', 'P'], ['', 'F1']]
    """
    if grid.words > 1:
        return _fit_words(grid, width)
    names, names_as = [row[0] for row in grid.rows], grid.header[0]
    room = _measure_name_room(grid, width)
    header = shorten([names_as], max(room, len(names_as) if width >= 80 else room))
    rows = [[name, *row[1:]] for name, row in zip(shorten(names, room), grid.rows, strict=True)]
    grid = grid._replace(header=[*header, *grid.header[1:]], rows=rows)
    together = _group_columns(grid)
    for groups in (together, [(title, [i]) for title, columns in together for i in columns]):
        for size in range(len(groups), 0, -1):
            starts = range(0, len(groups), size)
            parts = [_select_groups(grid, groups[start : start + size]) for start in starts]
            if all(_measure_width(part) <= width for part in parts):
                return parts
    return [_squeeze(part, width) for part in parts]


def _measure_name_room(grid: Grid, width: int) -> int:
    first = _measure_columns(grid)[0][0]
    spare = width - _measure_width(grid) + first
    longest = max((len(row[0]) for row in grid.rows), default=0)
    if spare >= longest:
        return longest
    if spare >= _READABLE:
        return spare
    room = max(width // 3, 8)
    if width < _NARROW:
        # All columns but one group give way to names.
        groups = [_select_groups(grid, [group]) for group in _group_columns(grid)]
        room = max(room, width - max(map(_measure_width, groups)) + first)
    return min(room, longest)


def _fit_words(grid: Grid, width: int) -> list[Grid]:
    """Cut the widest columns of a table of words.

    In narrow lines, wrap long words instead, and split the table into parts that fit; each part
    begins with column 0.
    """
    if width >= _NARROW or _measure_width(grid) <= width:
        return [_squeeze(grid, width)]
    widths, _ = _measure_columns(grid)
    least = [min(w, _LEAST) if i < grid.words else w for i, w in enumerate(widths)]
    parts: list[list[int]] = [[0]]
    for i in range(1, len(widths)):
        if len(parts[-1]) > 1 and sum(least[j] + _GAP for j in (*parts[-1], i)) - _GAP > width:
            parts.append([0])
        parts[-1].append(i)
    groups = ([("", [i]) for i in part[1:]] for part in parts)
    return [_wrap_cells(_select_groups(grid, of_part), width) for of_part in groups]


def _wrap_cells(grid: Grid, width: int) -> Grid:
    """Return a table whose long words go on in the next lines."""
    import textwrap

    widths = _squeeze_widths(grid, width)
    rows = []
    for row in grid.rows:
        cells = [textwrap.wrap(cell, w) or [""] for cell, w in zip(row, widths, strict=True)]
        height = max(map(len, cells))
        rows += [[cell[i] if i < len(cell) else "" for cell in cells] for i in range(height)]
    return grid._replace(header=[*map(cut_off, grid.header, widths)], rows=rows)


def _group_columns(grid: Grid) -> list[tuple[str, list[int]]]:
    """Return the columns that stay together, with their title; without titles each is alone."""
    if not grid.spans:
        return [("", [i]) for i in range(1, len(grid.header))]
    return [(title, list(columns)) for title, columns in spanned(grid.spans)]


def _select_groups(grid: Grid, groups: Sequence[tuple[str, list[int]]]) -> Grid:
    """Return the first column and some groups of others."""
    chosen = [0, *(i for _, columns in groups for i in columns)]
    place = {old: new for new, old in enumerate(chosen)}
    return Grid(
        [grid.header[i] for i in chosen],
        [[row[i] for i in chosen] for row in grid.rows],
        [(title, len(columns)) for title, columns in groups] if grid.spans else [],
        {(i, place[j]) for i, j in grid.bold if j in place},
        sum(i < grid.words for i in chosen),
    )


def _squeeze(grid: Grid, width: int) -> Grid:
    """Return a table whose widest cells are cut until it fits."""
    widths = _squeeze_widths(grid, width)
    header, *rows = [[*map(cut_off, row, widths)] for row in (grid.header, *grid.rows)]
    spans = [(cut_off(title, sum(widths[1:])), columns) for title, columns in grid.spans]
    return grid._replace(header=header, rows=rows, spans=spans)


def _squeeze_widths(grid: Grid, width: int) -> list[int]:
    """Return the widths of columns, those of words first made narrower until all fit."""
    widths, gaps = _measure_columns(grid._replace(spans=[]))
    for _ in range(sum(widths) + sum(gaps) - width):
        words = max(range(grid.words), key=widths.__getitem__)
        widest = words if widths[words] > 4 else max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= 2:
            break
        widths[widest] -= 1
    return widths


def cut_off(text: str, room: int) -> str:
    """Return the beginning of a text that is too long."""
    return text if len(text) <= room else text[: room - 1] + "\N{HORIZONTAL ELLIPSIS}"


def layout(grid: Grid, terminal: bool = False) -> list[str]:
    """Return the lines of a table: titles, header, rule (unless all is words), rows.

    >>> print("\\n".join(layout(Grid(["", "R", "P"], [["MUC", "50.00", "100.00"]]))))
             R       P
    ──────────────────
    MUC  50.00  100.00
    """
    widths, gaps = _measure_columns(grid)
    lines = []
    if grid.spans:
        line = " " * widths[0]
        for title, columns in spanned(grid.spans):
            room = _measure_span(widths, gaps, columns)
            line += " " * gaps[columns[0]] + title.rjust(room)
        lines.append(line)
    lines.append(_format_line(grid.header, widths, gaps, grid.words))
    if grid.words < len(grid.header):
        lines.append("\N{BOX DRAWINGS LIGHT HORIZONTAL}" * len(lines[-1]))
    for i, row in enumerate(grid.rows):
        bold = {j for j in range(len(row)) if terminal and (i, j) in grid.bold}
        lines.append(_format_line(row, widths, gaps, grid.words, bold))
    return [line.rstrip() for line in lines]


def _measure_columns(grid: Grid) -> tuple[list[int], list[int]]:
    """Return the width of each column, and the number of spaces before it."""
    rows = [grid.header, *grid.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(grid.header))]
    gaps = [0, *[_GAP] * (len(widths) - 1)]
    for title, columns in spanned(grid.spans):
        first = columns[0]
        gaps[first] = _WIDE_GAP if first > 1 else _GAP
        widths[first] += max(0, len(title) - _measure_span(widths, gaps, columns))
    return widths, gaps


def _measure_span(widths: Sequence[int], gaps: Sequence[int], columns: range) -> int:
    return sum(widths[i] + gaps[i] for i in columns) - gaps[columns[0]]


def _measure_width(grid: Grid) -> int:
    widths, gaps = _measure_columns(grid)
    return sum(widths) + sum(gaps)


def _format_line(
    cells: Sequence[str],
    widths: Sequence[int],
    gaps: Sequence[int],
    words: int,
    bold: Collection[int] = (),
) -> str:
    return "".join(
        " " * gap
        + styled(cell.ljust(width) if i < words else cell.rjust(width), i in bold, bold=True)
        for i, (cell, width, gap) in enumerate(zip(cells, widths, gaps, strict=True))
    )
