"""Tables in HTML, as a notebook shows them; `reports.page` has the page of `corefmeter report`."""

from __future__ import annotations

from importlib.resources import files
from typing import IO, Any

from corefmeter.problems import require
from corefmeter.reports.tables import Report, cell_text, notes_of, sentence_text, tables_of


def template(name: str, package: str = "corefmeter.reports") -> Any:
    """Return a template of a package, which escapes what it is filled with; needs jinja2."""
    require("jinja2", "HTML")
    from jinja2 import Environment

    text = (files(package) / name).read_text("utf-8")
    return Environment(autoescape=True, keep_trailing_newline=True).from_string(text)


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the tables, then the notes; needs jinja2."""
    tables = tables_of(report)
    stream.write(
        template("tables.html").render(
            lead=sentence_text(report.lead(), digits),
            tables=tables,
            notes=[sentence_text(note, digits) for note in notes_of(report, tables)],
            signature=report.shown_signature,
            cell_text=lambda cell: cell_text(cell, digits),
            sentence_text=lambda text: sentence_text(text, digits),
        )
    )
