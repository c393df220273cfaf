"""The package does not grow: budgets of its lines, and of what scoring loads.

Where a change needs more, make something else smaller; lower a budget with each change that can.
The aims are 50,000 lines, 32,000 of code and 27,000 in the core; 40 modules and 8,000 lines loaded.
"""

from __future__ import annotations

from ..sizes import loaded, sizes, total


def test_the_package_does_not_grow():
    rooms = sizes()
    found, core = total(rooms), total(rooms, wings=False)
    assert found.lines <= 60_242
    assert found.code <= 40_275
    assert core.lines <= 37_335


def test_scoring_loads_no_more_than_before():
    found = loaded()
    assert found.modules <= 45
    assert found.lines <= 10_758
