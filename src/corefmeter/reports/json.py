"""JSON: unrounded fractions, counts, problems; the schema is in ``docs/json.md``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO

from corefmeter._version import __version__
from corefmeter.result import SCHEMA, Result
from corefmeter.units import Groups


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write one JSON object for all results."""
    document = {
        "schema": SCHEMA,
        "signature": results[0].signature,
        "version": __version__,
        "key": key,
        "results": [result.entry(by) for result in results],
    }
    # Encoded in one go: writing piece by piece takes longer than scoring.
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
