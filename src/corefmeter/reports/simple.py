"""Tables that are no scores, as text, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from corefmeter.reports.latex import escape, table_latex
from corefmeter.reports.markdown import table_markdown
from corefmeter.reports.tables import Table
from corefmeter.reports.terminal import paragraph, write_signature, write_table


def write_tables(
    tables: Sequence[Table],
    notes: Sequence[str],
    format: str,
    stream: IO[str],
    signature: str = "",
    command: tuple[str, str] = ("", ""),
) -> None:
    """Write tables, then notes and a signature, in the format ``text``, ``markdown`` or ``latex``.

    The command that repeats a run is its name and the names of its files.
    """
    if format != "text" and signature:
        notes = [*notes, signature]
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
    for table in tables:
        write_table(table, stream)
    for note in notes:
        paragraph(note, stream, dim=True, indent="    ")
    if signature:
        write_signature(signature, *command, stream)
