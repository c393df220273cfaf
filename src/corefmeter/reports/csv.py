"""CSV: a header line and rows of unrounded numbers.

A spreadsheet takes text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and names and
words come from files that others wrote. Such text gets an apostrophe in front, which a spreadsheet
does not show; `csv_exact` leaves it as it is.
"""

from __future__ import annotations

from typing import IO, Any

from corefmeter.reports.csv_exact import write_rows
from corefmeter.reports.tables import Report


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the rows; what is not known is empty."""
    write_rows(([_harmless(value) for value in row] for row in report.records()), stream)


def _harmless(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula; numbers are as they are.

    Examples
    --------
    >>> [_harmless(value) for value in ("=1+1", "@cmd", "-1.5", "-", -1.5, None, "a=b")]
    ["'=1+1", "'@cmd", '-1.5', "'-", -1.5, None, 'a=b']
    """
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
