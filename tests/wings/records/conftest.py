"""Where the tables of tests are counted: they are small, and usually moved to pyarrow."""

from __future__ import annotations

import pytest

from corefmeter.wings.records import files, frames


@pytest.fixture(autouse=True, params=["engine", pytest.param("memory", marks=pytest.mark.slow)])
def place_of_small_tables(request, monkeypatch):
    """Keep tables in their engine; the slow tests repeat all with tables that are moved."""
    if request.param == "engine" and "moves_small_tables" not in request.fixturenames:
        keep_in_engine(monkeypatch)


@pytest.fixture
def moves_small_tables():
    """Tables of up to `frames.SMALL` rows are moved, as without tests."""


@pytest.fixture
def stays_in_engine(monkeypatch):
    """No table is moved."""
    keep_in_engine(monkeypatch)


def keep_in_engine(monkeypatch):
    for module in (files, frames):
        monkeypatch.setattr(module, "SMALL", 0)
