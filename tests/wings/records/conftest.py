"""Tables of tests are small: they stay in their engine, but in the tests of moving them."""

from __future__ import annotations

import pytest

from corefmeter.wings.records import files, frames


@pytest.fixture(autouse=True)
def no_small_tables(request, monkeypatch):
    """No table is moved, unless a test asks for `moves_small_tables`."""
    if "moves_small_tables" not in request.fixturenames:
        for module in (files, frames):
            monkeypatch.setattr(module, "SMALL", 0)


@pytest.fixture
def moves_small_tables():
    """Tables of up to `frames.SMALL` rows are moved, as without tests."""
