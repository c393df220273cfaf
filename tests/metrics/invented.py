"""Invented documents as spans of tokens, from the families of partitions.py."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .partitions import FAMILIES, Entities, Pair

__all__ = ["FAMILIES", "kind_of", "plain", "spans", "with_overlaps"]

KINDS = ("name", "nominal", "pronoun", "pronoun", "other")


def kind_of(seed: int):
    """A kind for each span, the same on both sides."""
    return lambda span: KINDS[Random(f"{seed} {span}").randrange(len(KINDS))]


def spans(entities: Entities, length: int = 1) -> list[list[tuple[int, int]]]:
    """Mention n as the tokens from n to n + length; lists stay in their random order."""
    return [[(n, n + length) for n in entity] for entity in entities]


def plain(family: str, number: int) -> Iterator[tuple[int, Pair]]:
    """So many documents of a family, with mentions of one token."""
    rng = Random(f"{family} plain")
    for seed in range(number):
        key, response = FAMILIES[family](rng)
        yield seed, (spans(key), spans(response))


def with_overlaps(family: str, number: int) -> Iterator[tuple[int, Pair]]:
    """So many documents whose response mentions are sometimes longer or shorter than the key's."""
    rng = Random(f"{family} overlaps")
    for seed in range(number):
        key, response = FAMILIES[family](rng)
        changed = [
            [
                (4 * n + rng.choice((0,) * 8 + (1, -2)), 4 * n + rng.choice((3,) * 8 + (2, 6)))
                for n in entity
            ]
            for entity in response
        ]
        # Each mention once: what the policies for repeated mentions leave.
        seen: set = set()
        distinct = []
        for entity in changed:
            distinct.append([m for m in dict.fromkeys(entity) if m not in seen])
            seen.update(entity)
        yield seed, ([[(4 * n, 4 * n + 3) for n in entity] for entity in key],
                     [entity for entity in distinct if entity])  # fmt: skip
