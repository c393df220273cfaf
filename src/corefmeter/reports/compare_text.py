"""A comparison for people: scores with letters, intervals, differences with p-values."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import IO

from corefmeter.reports.comparison import (
    detectable_note,
    difference_tables,
    interval_note,
    interval_table,
    notes,
    score_table,
)
from corefmeter.reports.tables import Table
from corefmeter.reports.terminal import fit, layout, room_of, styled
from corefmeter.statistics.comparison import Comparison

__all__ = ["write"]


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write tables that fit the width, then what a reader must know."""
    terminal = stream.isatty()
    width = room_of(stream)
    differences = _differences(comparison, systems, width)
    tables = [
        *_blocks(score_table, comparison, systems, width),
        *_blocks(interval_table, comparison, systems, width),
        *differences,
    ]
    for table in tables:
        lines = layout(table, terminal)
        if table.caption:
            stream.write(styled(table.caption, terminal, bold=True) + "\n")
        head = len(lines) - len(table.rows)
        for i, line in enumerate(lines):
            stream.write(styled(line, terminal and i < head, bold=True) + "\n")
        stream.write("\n")
    lines = [*notes(comparison), interval_note(comparison)]
    if differences:
        lines.append(detectable_note(comparison))
    for line in lines:
        for part in textwrap.wrap(line, width, subsequent_indent="  "):
            stream.write(styled(part, terminal, dim=True) + "\n")
    stream.write(styled(comparison.signature, terminal, dim=True) + "\n")


def _differences(comparison: Comparison, systems: Sequence[str], width: int) -> list[Table]:
    """The tables of differences, with names as long as the width allows."""
    tables = difference_tables(comparison, systems)
    over = max((_width(table) for table in tables), default=0) - width
    long = max((len(row[0]) for table in tables for row in table.rows), default=0)
    if comparison.comparisons == 1:
        return difference_tables(comparison, systems, width)
    return difference_tables(comparison, systems, long - over) if over > 0 else tables


def _blocks(
    make: Callable[[Comparison, Sequence[str], Sequence[str]], Table],
    comparison: Comparison,
    systems: Sequence[str],
    width: int,
) -> list[Table]:
    """The table, cut into blocks of metrics that fit the width."""
    metrics = list(comparison)
    for size in range(len(metrics), 0, -1):
        tables = [
            make(comparison, systems, metrics[start : start + size])
            for start in range(0, len(metrics), size)
        ]
        if size == 1 or all(_width(table) <= width for table in tables):
            break
        # Names may give way, but only if that does not break the table into more blocks.
        for table in tables:
            fit(table, width - _mark_width(table))
        if all(_width(table) <= width for table in tables):
            break
    for table in tables:
        fit(table, width - _mark_width(table))
    return tables


def _width(table: Table) -> int:
    return max(map(len, layout(table)))


def _mark_width(table: Table) -> int:
    """What marks add to the width of a table."""
    return _width(table) - _width(Table(table.header, table.rows, table.spans))
