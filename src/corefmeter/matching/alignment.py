"""The alignment: the mentions of one document that are matched with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Mention
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import count_common_nodes, count_nodes
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.matching.sides import Side


class Match(NamedTuple):
    """A key mention and the response mention it is matched with, numbered in the order of reading.

    `stage` is the stage that matched them: ``zeros``, ``exact``, or the value of the option
    `match`. `weight` is that of the pair in its stage: 1 for exact, up to 11 for zeros.
    """

    key: int
    response: int
    stage: str
    weight: float


class Alignment:
    """The matching of response mentions to key mentions in one document.

    `key` and `response` are the mentions of each side, `matches` is sorted by key mention, and
    `key_partner` and `response_partner` have the number of the partner of each mention. With
    `distinct`, copies of a mention are different mentions. `left` are the previous numbers of
    optional mentions that were removed from the key.
    """

    def __init__(self, key: Side, response: Side, distinct: bool = False) -> None:
        self.key = key
        self.response = response
        self.distinct = distinct
        self.matches: list[Match] = []
        self.left: frozenset[int] = frozenset()
        self.key_partner: list[int | None] = [None] * len(key)
        self.response_partner: list[int | None] = [None] * len(response)

    def __repr__(self) -> str:
        label = self.key.document.label
        return (
            f"<Alignment of {label!r}: {len(self.matches)} matches of {len(self.key)} key and "
            f"{len(self.response)} response mentions>"
        )

    def require_positions(self) -> None:
        """Refuse mentions that are not positions."""
        self.key.require_positions()
        self.response.require_positions()

    def key_free(self) -> list[int]:
        """Return the key mentions without a partner."""
        return [k for k, partner in enumerate(self.key_partner) if partner is None]

    def response_free(self) -> list[int]:
        """Return the response mentions without a partner."""
        return [r for r, partner in enumerate(self.response_partner) if partner is None]

    def names(self) -> tuple[list[Mention], list[Mention]]:
        """Name the mentions of both sides so that only partners have the same name.

        A response mention has the name of its partner, any other mention that of its position. If
        another mention has this name, it is ``(position, n)`` with n from 2. Copies of a response
        mention that have no partner are one mention, unless `distinct`.
        """
        taken: set[Mention] = set()

        def unused_name(position: Mention) -> Mention:
            name, copy = position, 1
            while name in taken:
                copy += 1
                name = (position, copy)
            taken.add(name)
            return name

        key = [unused_name(position) for position in self.key.positions]
        free: dict[Mention, Mention] = {}
        response: list[Mention] = []
        for position, partner in zip(self.response.positions, self.response_partner, strict=True):
            if partner is not None:
                response.append(key[partner])
            elif self.distinct:
                response.append(unused_name(position))
            else:
                if position not in free:
                    free[position] = unused_name(position)
                response.append(free[position])
        return key, response

    def documents(self) -> Pair:
        """Return both documents with their mentions replaced by `names`."""
        key, response = (
            side.document.replace(
                entities=side.grouped(names),
                entity_names=side.document.entity_names,
                details=side.document.details,
            )
            for side, names in zip((self.key, self.response), self.names(), strict=True)
        )
        return Pair(key, response)

    def coverage_edge(self, key: int, response: int) -> Edge:
        """Return the edge of a pair, weighted by the share of the key mention that is covered."""
        one, other = self.key.positions[key], self.response.positions[response]
        return Edge(key, response, count_common_nodes(one, other), count_nodes(one))

    def add(self, key: int, response: int, stage: str, weight: float) -> None:
        """Match two mentions that are free."""
        self.matches.append(Match(key, response, stage, weight))
        self.key_partner[key] = response
        self.response_partner[response] = key

    def add_best(self, edges: Sequence[Edge], stage: str) -> None:
        """Add the matches of the first of the assignments of greatest weight."""
        # The first is defined by the order of positions, so mentions are numbered by their rank.
        key = self.key.ranked([*{edge.key for edge in edges}])
        response = self.response.ranked([*{edge.response for edge in edges}])
        key_rank = {k: rank for rank, k in enumerate(key)}
        response_rank = {r: rank for rank, r in enumerate(response)}
        ranked = [
            Edge(key_rank[k], response_rank[r], numerator, denominator)
            for k, r, numerator, denominator in edges
            if numerator > 0
        ]
        for k, r, numerator, denominator in first_best(ranked):
            self.add(key[k], response[r], stage, numerator / denominator)
