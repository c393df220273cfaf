"""Profiles of tables that are in memory, also with counts of any size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from corefmeter.wings.records.profile import Cell, CellKind, Choice, EntityKind, Profile, Source


def profile_of(
    cells: Mapping[tuple[Any, Any], int],
    key_sizes: Mapping[Any, int],
    response_sizes: Mapping[Any, int],
) -> Profile:
    """The profile of a table that is in memory.

    Parameters
    ----------
    cells
        How many mentions two entities share, by their names.
    key_sizes, response_sizes
        The size of each entity.
    """
    matched: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
    partners: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
    for pair, n in cells.items():
        for side, name in enumerate(pair):
            matched[side][name] += n
            partners[side][name] += 1
    kinds = Counter(
        (n, key_sizes[k], response_sizes[r], matched[0][k], matched[1][r],
         partners[0][k] == partners[1][r] == 1)
        for (k, r), n in cells.items()
    )  # fmt: skip
    sides = [
        Counter((size, found[name]) for name, size in sizes.items())
        for sizes, found in zip((key_sizes, response_sizes), matched, strict=True)
    ]

    rows = [Cell(k, r, n, key_sizes[k], response_sizes[r]) for (k, r), n in cells.items()]
    shared = [row for row in rows if partners[0][row.key] > 1 or partners[1][row.response] > 1]
    return Profile(
        [CellKind(*kind, times) for kind, times in kinds.items()],
        [[EntityKind(*kind, times) for kind, times in side.items()] for side in sides],
        Source(lambda: rows, lambda similarities: Choice((), shared), lambda values, side: None),
    )
