"""Files for the tests of readers."""

from __future__ import annotations

import pytest


@pytest.fixture
def file(tmp_path):
    """Writes a file, in folders that are made on the way, and returns its path."""

    def write(content: str | bytes, name: str = "story.conll") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write
