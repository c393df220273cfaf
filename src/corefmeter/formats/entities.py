"""Entities while a document is read: what links connect, the order of the text, what is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import pieces
from corefmeter.corpus.text import Detail

#: The mentions of each entity, by its name, with what is known of them.
Members = dict[str, list[tuple[Mention, Detail]]]


def in_text_order(found: Mapping[str, Iterable[tuple[Mention, Detail]]]) -> Members:
    """Mentions and entities in the order of their places, which are tokens or characters.

    Examples
    --------
    >>> late, early, first = [((token, token + 1), Detail()) for token in (3, 2, 0)]
    >>> found = in_text_order({"a": [late, early], "b": [first]})
    >>> {name: [mention for mention, _ in members] for name, members in found.items()}
    {'b': [(0, 1)], 'a': [(2, 3), (3, 4)]}
    """
    ordered = {
        name: sorted(members, key=lambda member: pieces(member[0]))
        for name, members in found.items()
    }
    return dict(sorted(ordered.items(), key=lambda item: pieces(item[1][0][0])))


def document_of(
    name: str, found: Mapping[str, Iterable[tuple[Mention, Detail]]], details: bool, **values: Any
) -> Document:
    """A document of some entities; what is known of their mentions only if `details` are wanted."""
    members = list(map(list, found.values()))
    return Document(
        name,
        [[mention for mention, _ in entity] for entity in members],
        entity_names=list(found),
        details=[[detail for _, detail in entity] for entity in members] if details else None,
        **values,
    )


class UnionFind:
    """Disjoint sets of the numbers below `size`.

    Examples
    --------
    >>> sets = UnionFind(4)
    >>> sets.join(3, 1)
    >>> sets.sets()
    [[0], [1, 3], [2]]
    """

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def root(self, item: int) -> int:
        """The smallest number of the set."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make one set of two."""
        a, b = self.root(one), self.root(other)
        self._parents[max(a, b)] = min(a, b)

    def sets(self) -> list[list[int]]:
        """All sets, each in ascending order, in the order of their first numbers."""
        found: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            found.setdefault(self.root(item), []).append(item)
        return list(found.values())
