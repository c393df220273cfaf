"""A comparison as Markdown: the tables with pipes, letters raised, the best in bold."""

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
from corefmeter.reports.markdown import table_markdown
from corefmeter.statistics.comparison import Comparison


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write the tables, then what a reader must know."""
    for table in (
        score_table(comparison, systems),
        interval_table(comparison, systems),
        *difference_tables(comparison, systems),
    ):
        stream.write(table_markdown(table) + "\n")
    lines = [*notes(comparison), interval_note(comparison), detectable_note(comparison)]
    stream.write("".join(f"{line}  \n" for line in lines) + f"`{comparison.signature}`\n")
