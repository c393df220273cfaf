"""The overlap table: how many mentions each key entity shares with each response entity.

Every metric of a document is a function of this table and of the sizes of the entities. It is
sparse: there is a cell only for pairs of entities that share a mention.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from corefmeter.corpus.model import Entities, Mention

__all__ = ["Links", "Overlap", "pairs"]


def pairs(n: int) -> int:
    """The number of unordered pairs of n things, n(n-1)/2: the links of an entity of n mentions."""
    return n * (n - 1) // 2


class Links(NamedTuple):
    """How many links there are within entities and across entities."""

    coreference: int
    noncoreference: int


class Overlap:
    """The table of one document.

    Parameters
    ----------
    key, response
        The entities, each a list of mentions. A mention of the response is equal to the key
        mention it is matched with. In the key each mention stands once; a response mention may
        stand more than once only if it is twinless (see `corefmeter.corpus.repeats`).

    Attributes
    ----------
    cells : list of (int, int, int)
        ``(k, r, n)``: key entity k and response entity r share n > 0 mentions.
    key_sizes, response_sizes : list of int
        The number of mentions of each entity.

    Examples
    --------
    >>> table = Overlap([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])
    >>> table.cells
    [(0, 0, 2), (1, 1, 1)]
    >>> table.matched, table.key_mentions, table.response_mentions
    (3, 4, 4)
    """

    def __init__(self, key: Entities, response: Entities) -> None:
        self.key = key
        self.response = response
        self.key_sizes = [len(entity) for entity in key]
        self.response_sizes = [len(entity) for entity in response]
        self.cells = _cells(key, response)

    @cached_property
    def matched(self) -> int:
        """The number of mentions on both sides."""
        return sum(n for _, _, n in self.cells)

    @cached_property
    def key_mentions(self) -> int:
        """The number of distinct key mentions."""
        return sum(self.key_sizes)

    @cached_property
    def response_mentions(self) -> int:
        """The number of distinct response mentions."""
        return len({mention for entity in self.response for mention in entity})

    @cached_property
    def key_matched(self) -> list[int]:
        """The number of matched mentions of each key entity."""
        matched = [0] * len(self.key_sizes)
        for k, _, n in self.cells:
            matched[k] += n
        return matched

    @cached_property
    def response_matched(self) -> list[int]:
        """The number of matched mentions of each response entity."""
        matched = [0] * len(self.response_sizes)
        for _, r, n in self.cells:
            matched[r] += n
        return matched

    @cached_property
    def key_links(self) -> Links:
        """The links of the key, |C_k| and |N_k|."""
        coreference = sum(map(pairs, self.key_sizes))
        return Links(coreference, pairs(self.key_mentions) - coreference)

    @cached_property
    def response_links(self) -> Links:
        """The links of the response as sets of pairs, |C_r| and |N_r|."""
        if self.response_mentions < sum(self.response_sizes):
            return distinct_links(self.response)
        coreference = sum(map(pairs, self.response_sizes))
        return Links(coreference, pairs(self.response_mentions) - coreference)

    @cached_property
    def common_links(self) -> Links:
        """The links of both sides, |C_k & C_r| and |N_k & N_r|.

        Of the pairs of matched mentions, those within one key entity or within one response
        entity are not non-coreference links of both sides; pairs within a cell are in both.
        """
        coreference = sum(pairs(n) for _, _, n in self.cells)
        within_key = sum(map(pairs, self.key_matched))
        within_response = sum(map(pairs, self.response_matched))
        return Links(
            coreference, pairs(self.matched) - within_key - within_response + coreference
        )


def _cells(key: Entities, response: Entities) -> list[tuple[int, int, int]]:
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    find = home.get
    cells = []
    for r, entity in enumerate(response):
        row: dict[int, int] = {}
        for mention in entity:
            k = find(mention)
            if k is not None:
                row[k] = row.get(k, 0) + 1
        for k, n in row.items():
            cells.append((k, r, n))
    return cells


def distinct_links(entities: Entities) -> Links:
    """The links of entities that repeat mentions, each distinct pair counted once.

    A mention that stands twice is paired with itself too, and a pair may be both a coreference and
    a non-coreference link: that is how the official scorer v8.01 counts them. Mentions that stand
    once are counted, not visited.

    Examples
    --------
    >>> distinct_links([["a", "b"], ["x"], ["x"], ["c"]])
    Links(coreference=1, noncoreference=6)
    """
    homes: dict[Mention, list[int]] = {}
    for index, entity in enumerate(entities):
        for mention in entity:
            homes.setdefault(mention, []).append(index)
    repeated = {mention: where for mention, where in homes.items() if len(where) > 1}
    single_sizes = [sum(mention not in repeated for mention in entity) for entity in entities]
    singles = sum(single_sizes)
    coreference = sum(map(pairs, single_sizes))
    noncoreference = pairs(singles) - coreference
    ordered = list(repeated.items())
    for position, (_, where) in enumerate(ordered):
        places = set(where)
        with_singles = sum(single_sizes[index] for index in places)
        coreference += with_singles + (len(places) < len(where))
        # With copies in two entities, every other mention is in an entity of which one copy is not.
        noncoreference += singles if len(places) > 1 else singles - with_singles
        noncoreference += len(places) > 1
        for _, other in ordered[:position]:
            coreference += not places.isdisjoint(other)
            noncoreference += len(places.union(other)) > 1
    return Links(coreference, noncoreference)
