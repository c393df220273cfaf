"""Markdown: the tables with pipes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO

from corefmeter.problems import printable
from corefmeter.reports.tables import (
    Report,
    Table,
    cell_text,
    notes_of,
    sentence_text,
    spanned,
    tables_of,
)


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the tables, then what a reader must know."""
    if lead := sentence_text(report.lead(), digits):
        stream.write(escaped(lead) + "\n\n")
    tables = tables_of(report)
    stream.writelines(_format_table(table, digits) + "\n" for table in tables)
    remarks = dict.fromkeys(table.remark for table in tables if table.remark)
    lines = [*(sentence_text(note, digits) for note in notes_of(report, tables)), *remarks]
    stream.writelines(f"{escaped(line)}  \n" for line in lines)
    if report.signature:
        signature = printable(report.shown_signature).replace("`", "'")
        stream.write(f"`{signature}`\n")


def _format_table(table: Table, digits: int) -> str:
    header = list(table.header)
    for title, columns in spanned(table.spans) if len(table.spans) > 1 else ():
        for j in columns:
            header[j] = f"{title} {header[j]}".strip()
    caption = sentence_text(table.caption, digits)
    lines = [f"**{escaped(caption)}**", ""] if caption else []
    if table.rows:
        lines.append(_format_row(map(escaped, header)))
        lines.append(_format_row([*["---"] * table.words, *["---:"] * (len(header) - table.words)]))
    for i, row in enumerate(table.rows):
        cells = [escaped(cell_text(cell, digits)) for cell in row]
        for j, cell in enumerate(cells):
            if (i, j) in table.bold:
                cells[j] = f"**{cell}**"
            if mark := table.marks.get((i, j)):
                cells[j] += f"<sup>{mark}</sup>"
        lines.append(_format_row(cells))
    if table.sentences:
        lines += ["", *(f"- {escaped(sentence)}" for sentence in table.sentences)]
    return "\n".join(lines) + "\n"


def _format_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def escaped(text: str) -> str:
    """Return a text that ends no cell, and is neither HTML nor a link or picture."""
    text = printable(text).replace("\\", "\\\\").replace("|", "\\|").replace("](", "]\\(")
    return re.sub(r"&(?=#?\w+;)", "&amp;", text).replace("<", "&lt;")
