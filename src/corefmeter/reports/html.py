"""Tables in HTML, as a notebook shows them; `reports.page` has the page of `corefmeter report`."""

from __future__ import annotations

from importlib.resources import files
from typing import IO, Any

from corefmeter.problems import require
from corefmeter.reports.tables import (
    Cell,
    Report,
    Table,
    cell_text,
    notes_of,
    sentence_text,
    tables_of,
)


class _Cell:
    """A cell as the template needs it."""

    def __init__(self, cell: Cell, digits: int, bold: bool, mark: str) -> None:
        self.text = cell_text(cell, digits)
        self.bold = bold
        self.mark = mark


class _Table:
    """A table as the template needs it."""

    def __init__(self, table: Table, digits: int) -> None:
        self.caption = sentence_text(table.caption, digits)
        self.spans = table.spans if len(table.spans) > 1 else []
        self.header = table.header
        self.words = table.words
        self.sentences = table.sentences
        self.rows = [
            [
                _Cell(cell, digits, (i, j) in table.bold, table.marks.get((i, j), ""))
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(table.rows)
        ]

    def side(self, column: int) -> str:
        return "left" if column < self.words else "right"


def template(name: str, package: str = "corefmeter.reports") -> Any:
    """Return a template of a package, which escapes what it is filled with.

    Raises
    ------
    OptionError
        When jinja2 is not installed.
    """
    require("jinja2", "HTML")
    from jinja2 import Environment

    text = (files(package) / name).read_text("utf-8")
    return Environment(autoescape=True, keep_trailing_newline=True).from_string(text)


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the tables, then what a reader must know.

    Raises
    ------
    OptionError
        When jinja2 is not installed.
    """
    tables = tables_of(report)
    stream.write(
        template("tables.html").render(
            lead=sentence_text(report.lead(), digits),
            tables=[_Table(table, digits) for table in tables],
            notes=[sentence_text(note, digits) for note in notes_of(report, tables)],
            signature=report.shown_signature,
        )
    )
