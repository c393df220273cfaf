"""JSON: unrounded fractions, counts, problems; the schemas are in ``docs/json.md``."""

from __future__ import annotations

import json
from typing import IO

from corefmeter.reports.tables import Report


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write one JSON object."""
    # Encoded in one go: writing piece by piece takes longer than scoring.
    stream.write(json.dumps(report.document(), ensure_ascii=False, allow_nan=False) + "\n")
