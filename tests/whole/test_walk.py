"""The key of a score is handed on a few times, under a few names, and seldom comes back."""

from __future__ import annotations

from ..walk import follow


def test_the_way_of_the_key_is_short():
    walk = follow(metrics="lea")
    assert len(walk.steps) < 25
    assert walk.returns < 12
    assert len(walk.names) < 20
