"""A comparison as JSON, unrounded; the schema is in ``docs/statistics.md``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO

from corefmeter.statistics.comparison import Comparison


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write one JSON object; its list of systems is in the order given."""
    document = comparison.to_dict() | {"systems": list(systems)}
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
