"""Documents written as words of letters, for cases worked by hand.

``"Abc D"`` is the entity of A, b and c and the entity of D, each in the order of reading. A letter
is the same mention on both sides; to ARCS a capital is a nominal mention, a small letter a pronoun.
"""

from __future__ import annotations

from corefmeter.metrics.decisions import Ordered

__all__ = ["document", "entities", "kind"]


def entities(text: str) -> list[list[str]]:
    return [list(word) for word in text.split()]


def kind(mention: str) -> str:
    return "nominal" if mention.isupper() else "pronoun"


def document(key: str, response: str) -> Ordered:
    return Ordered(entities(key), entities(response), kind)
