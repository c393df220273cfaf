"""What all tests of readers do: read by one of them, and name the errors that it finds."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem

Error = tuple[str, int | None, int | None]


def read_by(reader: ModuleType, path: str, **options: bool) -> Any:
    """The documents and problems of a file."""
    with Source(path) as source:
        return reader.read(source, **options)


def problems_by(reader: ModuleType, path: str, **options: bool) -> list[Problem]:
    """The errors that a file has, each in it or in one that belongs to it."""
    with pytest.raises(DataError) as caught:
        read_by(reader, path, **options)
    problems = caught.value.problems
    assert all(p.path and Path(p.path).is_relative_to(Path(path).parent) for p in problems)
    return list(problems)


def errors_by(reader: ModuleType, path: str, **options: bool) -> list[Error]:
    """Code, line and column of each error."""
    return [(p.code, p.line, p.column) for p in problems_by(reader, path, **options)]
