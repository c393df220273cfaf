"""Tables that are no scores, as text, Markdown or LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import IO

import click

from corefmeter.reports.latex import escape, table_latex
from corefmeter.reports.markdown import table_markdown
from corefmeter.reports.tables import Table
from corefmeter.reports.terminal import blocks, layout, room_of

__all__ = ["wrapped", "write_tables"]

#: So that a line is read on a terminal of 80 columns.
WIDTH = 79


def wrapped(text: str, format: str = "text") -> str:
    """A sentence in lines that a terminal can show, in plain text; elsewhere as it is."""
    if format != "text":
        return text
    return textwrap.fill(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def write_tables(
    tables: Sequence[Table], notes: Sequence[str], format: str, stream: IO[str]
) -> None:
    """Write tables, then notes, in the format ``text``, ``markdown`` or ``latex``."""
    if format == "latex":
        stream.write("% needs \\usepackage{booktabs}\n")
        for table in tables:
            stream.write(
                table_latex(table, escape(". ".join(filter(None, [table.caption, *notes]))))
            )
        return
    if format == "markdown":
        stream.write("\n".join(map(table_markdown, tables)))
        if notes:
            stream.write("\n" + "  \n".join(notes) + "\n")
        return
    terminal = stream.isatty()
    for table in tables:
        if table.caption:
            stream.write(_styled(wrapped(table.caption), terminal, bold=True) + "\n")
        for block in [table] if table.spans or table.words > 1 else blocks(table, room_of(stream)):
            lines = layout(block)
            head = len(lines) - len(block.rows)
            for i, line in enumerate(lines):
                stream.write(_styled(line, terminal, bold=i < head) + "\n")
            stream.write("\n")
    for note in notes:
        stream.write(_styled(note, terminal, dim=True) + "\n")


def _styled(text: str, terminal: bool, bold: bool = False, dim: bool = False) -> str:
    return click.style(text, bold=bold, dim=dim) if terminal else text
