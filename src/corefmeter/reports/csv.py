"""CSV: a header line and rows of unrounded numbers.

A spreadsheet takes text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and names and
words come from files that others wrote. Such text gets an apostrophe in front, which a spreadsheet
does not show; `render_exact` leaves it as it is, for programs.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import IO, Any

from corefmeter.reports.tables import Report


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the rows with apostrophes for spreadsheets; what is not known is empty."""
    _write(([escape_formula(value) for value in row] for row in report.records()), stream)


def render_exact(report: Report, stream: IO[str], digits: int) -> None:
    """Write the rows with text as it is."""
    _write(report.records(), stream)


def _write(rows: Iterable[Sequence[Any]], stream: IO[str]) -> None:
    """Write rows, quoting carriage returns, which older versions of Python do not."""
    usual = csv.writer(stream, lineterminator="\n")
    quoting = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        returns = any(isinstance(value, str) and "\r" in value for value in row)
        (quoting if returns else usual).writerow(row)


def escape_formula(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula; numbers are as they are.

    >>> [escape_formula(value) for value in ("=1+1", "@cmd", "-1.5", "-", -1.5, None, "a=b")]
    ["'=1+1", "'@cmd", '-1.5', "'-", -1.5, None, 'a=b']
    """
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def without_apostrophe(cell: str) -> str:
    """Return a cell as it was before `escape_formula`."""
    return cell[1:] if cell[:2] in ("'=", "'+", "'-", "'@", "'\t", "'\r") else cell
