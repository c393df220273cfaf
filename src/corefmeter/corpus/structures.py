"""Records that are changed by copying, values grouped by key, and sets of connected values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from copy import copy
from typing import Any, Self, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Replaceable:
    """A record with slots that can be copied with some values changed."""

    __slots__ = ()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed."""
        made = copy(self)
        for name, value in changes.items():
            setattr(made, name, value)
        return made


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key; keys and values stay in their order.

    Examples
    --------
    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


class UnionFind:
    """Disjoint sets of the numbers below `size`."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def root(self, item: int) -> int:
        """Return the smallest number of the set."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, first: int, second: int) -> None:
        """Join the sets of two numbers."""
        roots = self.root(first), self.root(second)
        self._parents[max(roots)] = min(roots)

    def sets(self) -> list[list[int]]:
        """Return all sets, each in ascending order, in the order of their first numbers."""
        items = range(len(self._parents))
        return list(grouped((self.root(item), item) for item in items).values())
