"""CSV with text as it is, for programs: `csv` without the apostrophes for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import IO, Any

from corefmeter.reports.tables import Report


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the rows; what is not known is empty."""
    write_rows(report.records(), stream)


def write_rows(rows: Iterable[Sequence[Any]], stream: IO[str]) -> None:
    """Write rows; a carriage return ends none, for which older versions of Python do not quote."""
    usual = csv.writer(stream, lineterminator="\n")
    quoting = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        returns = any(isinstance(value, str) and "\r" in value for value in row)
        (quoting if returns else usual).writerow(row)
