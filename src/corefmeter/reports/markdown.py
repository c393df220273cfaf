"""Markdown: the tables with pipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from corefmeter.reports.tables import Table, all_tables, notes
from corefmeter.result import Result
from corefmeter.units import Groups


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write the table of all results, then one for each response and group."""
    tables = all_tables(results, by)
    for table in tables:
        stream.write(table_markdown(table) + "\n")
    *lines, signature = notes(results, tables)
    stream.write("\n".join([*(f"{line}  " for line in lines), f"`{signature}`"]) + "\n")


def table_markdown(table: Table) -> str:
    """A table in Markdown."""
    header = list(table.header)
    position = 1
    for name, width in table.spans:
        if len(table.spans) > 1:
            header[position : position + width] = [
                f"{name} {column}" for column in header[position : position + width]
            ]
        position += width
    lines = [f"**{escaped(table.caption)}**\n"] if table.caption else []
    lines.append(_row(header))
    lines.append(_row([*["---"] * table.words, *["---:"] * (len(header) - table.words)]))
    lines += [_row(row, i, table) for i, row in enumerate(table.rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str], number: int = -1, table: Table | None = None) -> str:
    """One line; of the row `number` of the table, with what is bold or marked there."""
    texts = [escaped(cell) for cell in cells]
    if table is not None:
        for column in range(len(texts)):
            if (number, column) in table.bold:
                texts[column] = f"**{texts[column]}**"
            if mark := table.marks.get((number, column)):
                texts[column] += f"<sup>{mark}</sup>"
    return "| " + " | ".join(texts) + " |"


def escaped(text: str) -> str:
    """A text that ends no cell."""
    return text.replace("|", "\\|")
