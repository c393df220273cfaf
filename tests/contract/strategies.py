"""Hypothesis strategies for documents as metrics see them.

A mention is drawn as two labels: its entity in the key and in the response, or None on a side that
lacks it. So twinless mentions, empty sides, singletons and merged entities all come by themselves,
and a failing example shrinks to few mentions.
"""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["documents", "partitions"]

_LABELS = st.one_of(st.none(), st.integers(0, 4))


def _entities(labels: list[int | None]) -> list[list[int]]:
    homes: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label is not None:
            homes.setdefault(label, []).append(mention)
    return list(homes.values())


@st.composite
def documents(draw, most: int = 9, repeats: bool = False):
    """A key and a response; with `repeats`, twinless response mentions may stand several times."""
    labels = draw(st.lists(st.tuples(_LABELS, _LABELS), max_size=most))
    key = _entities([k for k, _ in labels])
    response = _entities([r for _, r in labels])
    if repeats and response:
        twinless = [m for m, (k, r) in enumerate(labels) if k is None and r is not None]
        if twinless:
            copies = st.tuples(st.sampled_from(twinless), st.integers(0, len(response) - 1))
            for mention, where in draw(st.lists(copies, max_size=3)):
                response[where].append(mention)
    return key, response


@st.composite
def partitions(draw, least: int = 0, most: int = 9):
    """The entities of one side."""
    return _entities(draw(st.lists(st.integers(0, 4), min_size=least, max_size=most)))
