"""Invented documents: pairs of key and response, from a seed, in families that metrics stumble on.

Mentions are whole numbers; in the key each stands once. In the response only mentions that the key
lacks stand more than once (family ``repeated``), which is what the policies for repeated mentions
leave of any response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

Entities = list[list[int]]
Pair = tuple[Entities, Entities]


def partition(mentions: list[int], rng: Random, entities: int) -> Entities:
    """The mentions in at most so many entities, in random order."""
    home: dict[int, list[int]] = {}
    for mention in mentions:
        home.setdefault(rng.randrange(entities), []).append(mention)
    return shuffled(list(home.values()), rng)


def shuffled(entities: Entities, rng: Random) -> Entities:
    entities = [rng.sample(entity, len(entity)) for entity in entities if entity]
    rng.shuffle(entities)
    return entities


def some(rng: Random, least: int = 0, most: int = 9) -> list[int]:
    return list(range(rng.randint(least, most)))


def unrelated(rng: Random) -> Pair:
    mentions = some(rng)
    return partition(mentions, rng, rng.randint(1, 5)), partition(mentions, rng, rng.randint(1, 5))


def noisy(rng: Random) -> Pair:
    """Mentions moved, left out and added."""
    mentions = some(rng, 1)
    key = partition(mentions, rng, rng.randint(1, 5))
    response = [[m for m in entity if rng.random() < 0.8] for entity in key]
    response.append([])
    for entity in response:
        for mention in [m for m in entity if rng.random() < 0.2]:
            entity.remove(mention)
            rng.choice(response).append(mention)
    for twinless in range(100, 100 + rng.randint(0, 3)):
        rng.choice(response).append(twinless)
    return key, shuffled(response, rng)


def split(rng: Random) -> Pair:
    """Each key entity falls apart."""
    key = partition(some(rng, 2), rng, rng.randint(1, 3))
    response = [part for entity in key for part in partition(entity, rng, 2)]
    return key, shuffled(response, rng)


def merged(rng: Random) -> Pair:
    """Each response entity is made of key entities."""
    key, response = split(rng)
    return response, key


def singletons(rng: Random) -> Pair:
    """At least one side is all singletons."""
    mentions = some(rng)
    alone = [[m] for m in mentions if rng.random() < 0.9]
    other = partition(mentions, rng, rng.choice([1, 3, 9]))
    return (alone, other) if rng.random() < 0.5 else (other, alone)


def one_entity(rng: Random) -> Pair:
    """At least one side is a single entity, so it has no non-coreference links."""
    mentions = some(rng, 1)
    one = [mentions]
    other = partition([m for m in range(9) if rng.random() < 0.6], rng, rng.choice([1, 2, 9]))
    return (one, other) if rng.random() < 0.5 else (other, one)


def few(rng: Random) -> Pair:
    """Two mentions at most."""
    return (
        partition([m for m in range(2) if rng.random() < 0.6], rng, 2),
        partition([m for m in range(2) if rng.random() < 0.6], rng, 2),
    )


def one_sided(rng: Random) -> Pair:
    entities = partition(some(rng), rng, 3)
    return (entities, []) if rng.random() < 0.5 else ([], entities)


def disjoint(rng: Random) -> Pair:
    key = partition(some(rng), rng, 3)
    return key, partition([m + 100 for m in some(rng)], rng, 3)


def identical(rng: Random) -> Pair:
    key = partition(some(rng), rng, rng.randint(1, 5))
    return key, shuffled(key, rng)


def repeated(rng: Random) -> Pair:
    """Twinless response mentions that occur twice or more, in one entity or in several."""
    key, response = noisy(rng)
    response = [*response, []]
    for twinless in rng.sample(range(100, 104), 2):
        for _ in range(rng.randint(1, 3)):
            rng.choice(response).append(twinless)
    return key, shuffled(response, rng)


FAMILIES: dict[str, Callable[[Random], Pair]] = {
    function.__name__: function
    for function in (
        unrelated, noisy, split, merged, singletons, one_entity, few, one_sided, disjoint,
        identical, repeated,
    )
}  # fmt: skip


def documents(family: str, number: int) -> Iterator[Pair]:
    """So many documents of a family; the same ones every time."""
    rng = Random(family)
    for _ in range(number):
        yield FAMILIES[family](rng)
