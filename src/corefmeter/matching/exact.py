"""Exact matching: the same nodes; for head matching also the same head.

A position may hold several mentions on a side, of different entities. Then they are paired in the
order of reading, as far as there are partners.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from corefmeter.corpus.structures import grouped


def pair_equal(
    key: Sequence[Hashable],
    response: Sequence[Hashable],
    key_free: Sequence[int],
    response_free: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of pairs of mentions with equal values, each mention at most once.

    `key` and `response` have the value that must be equal for each mention, such as its position.
    `key_free` and `response_free` are the numbers of the mentions to pair, in the order of reading.
    """
    # Reversed, so that `pop` returns the first one.
    unpaired = grouped((key[number], number) for number in reversed(key_free))
    for number in response_free:
        if same := unpaired.get(response[number]):
            yield same.pop(), number
