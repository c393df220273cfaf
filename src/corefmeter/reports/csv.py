"""CSV: a header line and rows of unrounded numbers."""

from __future__ import annotations

import csv
from typing import IO

from corefmeter.reports.tables import Report


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write the rows; what is not known is empty."""
    csv.writer(stream, lineterminator="\n").writerows(report.records())
