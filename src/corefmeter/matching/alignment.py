"""Which mention is matched with which in one document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.matching.first_best import Edge, first_best
from corefmeter.matching.sides import Side

__all__ = ["Alignment", "Match"]


class Match(NamedTuple):
    """A key mention and the response mention it is matched with.

    Attributes
    ----------
    key, response : int
        The mentions, numbered in the order of reading.
    stage : str
        What brought them together: ``zeros``, ``exact``, or the way of matching.
    weight : float
        How good the pair is, on the scale of its stage: 1 for exact; up to 11 for zeros.
    """

    key: int
    response: int
    stage: str
    weight: float


class Alignment:
    """Which response mention is which key mention, in one document.

    Attributes
    ----------
    key, response : Side
        The mentions that were matched; those that a policy of the recipe dropped are gone.
    matches : list of Match
        Sorted by key mention.
    key_partner, response_partner : list of int or None
        For each mention of a side the number of its partner.
    """

    __slots__ = ("key", "key_partner", "matches", "response", "response_partner")

    def __init__(self, key: Side, response: Side) -> None:
        self.key = key
        self.response = response
        self.matches: list[Match] = []
        self.key_partner: list[int | None] = [None] * len(key)
        self.response_partner: list[int | None] = [None] * len(response)

    def __repr__(self) -> str:
        label = self.key.document.label
        return (
            f"<Alignment of {label!r}: {len(self.matches)} matches of {len(self.key)} key and "
            f"{len(self.response)} response mentions>"
        )

    def key_free(self) -> list[int]:
        """The key mentions without a partner."""
        return [k for k, partner in enumerate(self.key_partner) if partner is None]

    def response_free(self) -> list[int]:
        """The response mentions without a partner."""
        return [r for r, partner in enumerate(self.response_partner) if partner is None]

    def documents(self) -> tuple[Document, Document]:
        """Both documents with numbers for mentions, so that partners are equal and others are not.

        A key mention is its own number; a response mention that of its partner; one without a
        partner is a negative number.
        """
        partners = self.response_partner
        key = self.key.entities(int)
        response = self.response.entities(
            lambda r: partner if (partner := partners[r]) is not None else -1 - r
        )
        ours, theirs = self.key.document, self.response.document
        return (
            ours.but(entities=key, entity_names=ours.entity_names),
            theirs.but(entities=response, entity_names=theirs.entity_names),
        )

    def add(self, key: int, response: int, stage: str, weight: float) -> None:
        """Match two mentions that are free."""
        self.matches.append(Match(key, response, stage, weight))
        self.key_partner[key] = response
        self.response_partner[response] = key

    def add_best(self, edges: Sequence[Edge], stage: str) -> None:
        """Match by the first of the assignments of greatest weight."""
        key = self.key.ranked([*{edge.key for edge in edges}])
        response = self.response.ranked([*{edge.response for edge in edges}])
        key_rank = {k: rank for rank, k in enumerate(key)}
        response_rank = {r: rank for rank, r in enumerate(response)}
        ranked = [
            edge._replace(key=key_rank[edge.key], response=response_rank[edge.response])
            for edge in edges
            if edge.numerator > 0
        ]
        for k, r, numerator, denominator in first_best(ranked):
            self.add(key[k], response[r], stage, numerator / denominator)
