"""A comparison for people: scores with letters, intervals, differences with p-values."""

from __future__ import annotations

from collections.abc import Sequence
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
from corefmeter.reports.terminal import (
    layout,
    paragraph,
    room_of,
    write_signature,
    write_table,
)
from corefmeter.statistics.comparison import Comparison


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write tables that fit the width, then what a reader must know."""
    differences = _differences(comparison, systems, room_of(stream))
    tables = [
        score_table(comparison, systems),
        interval_table(comparison, systems),
        *differences,
    ]
    for table in tables:
        write_table(table, stream)
    lines = [*notes(comparison), interval_note(comparison)]
    if differences:
        lines.append(detectable_note(comparison))
    for line in lines:
        paragraph(line, stream, dim=True)
    write_signature(comparison.signature, "compare", "KEY RESPONSE RESPONSE", stream)


def _differences(comparison: Comparison, systems: Sequence[str], width: int) -> list[Table]:
    """The tables of differences, with names as long as the width allows."""
    tables = difference_tables(comparison, systems)
    over = max((len(line) for table in tables for line in layout(table)), default=0) - width
    if over <= 0 or comparison.comparisons == 1:
        return tables
    long = max(len(row[0]) for table in tables for row in table.rows)
    return difference_tables(comparison, systems, max(long - over, width // 3))
