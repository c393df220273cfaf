"""Exact matching: the same nodes; for head matching also the same head.

A position may hold several mentions on a side, of different entities. Then they are paired in the
order of reading, as far as there are partners.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence


def equal_pairs(
    key: Sequence[Hashable],
    response: Sequence[Hashable],
    key_free: Sequence[int],
    response_free: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal mentions, of those that are free, by what must be equal."""
    waiting: dict[Hashable, list[int]] = {}
    for number in reversed(key_free):
        waiting.setdefault(key[number], []).append(number)
    for number in response_free:
        if found := waiting.get(response[number]):
            yield found.pop(), number
