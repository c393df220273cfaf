"""Entities written as words: ``"abc d"`` is the entity of a, b and c and the entity of d."""

from __future__ import annotations

__all__ = ["entities"]


def entities(text: str) -> list[list[str]]:
    return [list(word) for word in text.split()]
