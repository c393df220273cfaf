"""Tables for people: metrics as rows; recall, precision, F1 as columns; responses side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from corefmeter.reports import Groups
from corefmeter.reports.tables import Table, group_table, notes, score_table, system_names
from corefmeter.result import Result

__all__ = ["write"]

#: Characters that three columns of numbers take, and that the names of metrics take.
_SYSTEM, _NAMES = 24, 14


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write the table of all results, then one for each response and group."""
    console = Console(file=stream, highlight=False, soft_wrap=False)
    only_f1 = _NAMES + _SYSTEM * len(results) > max(console.width, 80)
    tables = [score_table(results, only_f1)]
    console.print(_rich(tables[0]))
    for name, group in by:
        for result, system in zip(results, system_names(results), strict=True):
            table = group_table(result, name, group)  # type: ignore[arg-type]
            table.caption = f"F1 by {name}: {system}"
            tables.append(table)
            console.print(_rich(table))
    for note in notes(results, tables):
        # Notes are for copying: no line breaks of ours inside a signature.
        console.print(Text(note, style="dim"), soft_wrap=True)


def _rich(table: Table) -> RichTable:
    rich = RichTable(
        box=SIMPLE_HEAD, title=table.caption or None, title_justify="left", pad_edge=False
    )
    rich.add_column(table.header[0], no_wrap=True)
    tops = [top for top, width in table.spans for _ in range(width)]
    for i, name in enumerate(table.header[1:]):
        top = tops[i] if tops and (i == 0 or tops[i - 1] != tops[i]) else ""
        rich.add_column(name, justify="right", no_wrap=True, style="bold" if name == "F1" else "")
        if top:
            rich.columns[-1].header = Text(name)
    for row in table.rows:
        rich.add_row(*row)
    return rich
