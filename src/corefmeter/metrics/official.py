"""Metrics of a key that repeats mentions, as the official scorer v8.01 computes them.

This is the one case in which its numbers are not functions of the overlap table: a repeated mention
counts in the size of each of its entities, is looked up in the last of them only, and links are
sets of pairs. The definitions are written from the observed behavior.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, combinations, product
from math import fsum
from typing import TypeAlias

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import grouped
from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.base import Row


def _last_home(entities: Entities) -> dict[Mention, int]:
    return {mention: index for index, entity in enumerate(entities) for mention in entity}


def mentions(key: Entities, response: Entities) -> Row:
    """Count distinct mentions."""
    in_key, in_response = set(_last_home(key)), set(_last_home(response))
    common = len(in_key & in_response)
    return common, len(in_key), common, len(in_response)


def muc(key: Entities, response: Entities) -> Row:
    """Count links kept within response entities, over sizes minus one."""
    home = _last_home(key)
    kept = 0
    for entity in response:
        key_entities = [home[mention] for mention in entity if mention in home]
        kept += len(key_entities) - len(set(key_entities))
    return kept, sum(map(len, key)) - len(key), kept, sum(map(len, response)) - len(response)


def b3(key: Entities, response: Entities) -> Row:
    """Compare the entity of each response mention with the last key entity of the mention."""
    terms = b3_terms(key, response)
    recall, precision = fsum(r for r, _ in terms), fsum(p for _, p in terms)
    return recall, sum(map(len, key)), precision, sum(map(len, response))


def b3_terms(key: Entities, response: Entities) -> list[tuple[float, float]]:
    """Return each matched mention's contribution to recall and to precision, in order."""
    home = _last_home(key)
    terms = []
    for entity in response:
        common: dict[int, int] = {}  # mentions that the entity shares with each key entity
        for k in (home[mention] for mention in entity if mention in home):
            if k not in common:
                key_mentions = set(key[k])
                common[k] = sum(mention in key_mentions for mention in entity)
            terms.append((common[k] / len(key[k]), common[k] / len(entity)))
    return terms


def _align_entities(
    key: Entities, response: Entities, similarity: Callable[[int, int, int], float]
) -> list[float]:
    """Return the similarities of the best alignment, in the order of the key."""
    homes: dict[Mention, set[int]] = {}
    for r, entity in enumerate(response):
        for mention in entity:
            homes.setdefault(mention, set()).add(r)
    edges: list[tuple[int, int, float]] = []
    for k, entity in enumerate(key):
        common = Counter(r for mention in entity for r in homes.get(mention, ()))
        for r, shared in sorted(common.items()):
            edges.append((k, r, similarity(shared, len(entity), len(response[r]))))
    return [weight for _, _, weight in best_assignment(edges)]


def ceafm(key: Entities, response: Entities) -> Row:
    """Count the common mentions of aligned entities with repetition."""
    total = int(fsum(_align_entities(key, response, lambda common, k, r: common)))
    return total, sum(map(len, key)), total, sum(map(len, response))


def ceafe(key: Entities, response: Entities) -> Row:
    """Sum the common mentions of aligned entities, divided by the mean size of the two."""
    total = fsum(ceafe_terms(key, response))
    return total, len(key), total, len(response)


def ceafe_terms(key: Entities, response: Entities) -> list[float]:
    """Return each aligned key entity's contribution, in order."""
    return _align_entities(key, response, lambda common, k, r: 2 * common / (k + r))


def blanc(key: Entities, response: Entities) -> Row:
    """Count links as sets of pairs; a repeated mention is paired with itself."""
    of_key, of_response = _homes(key), _homes(response)
    sides: tuple[_Homes, _Homes, _Homes] = (
        [(homes, of_response[m]) for m, homes in of_key.items() if m in of_response],
        [(homes,) for homes in of_key.values()],
        [(homes,) for homes in of_response.values()],
    )
    return (*map(_count_within, sides), *map(_count_across, sides), *map(len, sides))


#: For each mention, by side, its entities: one of them twice, if it holds the mention twice.
_Homes: TypeAlias = Sequence[tuple[tuple[int, ...], ...]]


def _homes(entities: Entities) -> dict[Mention, tuple[int, ...]]:
    homes = grouped((mention, i) for i, entity in enumerate(entities) for mention in entity)
    return {mention: tuple(numbers) for mention, numbers in homes.items()}


def _count_within(mentions: _Homes) -> int:
    """Count the pairs of mentions that are within one entity on each side.

    Mentions with the same entities are counted as a group, not one by one.
    """
    numbers: list[int] = []
    together: dict[tuple[int, ...], list[int]] = {}
    pairs = 0
    for place, (homes, number) in enumerate(Counter(mentions).items()):
        numbers.append(number)
        twice = all(len(set(side)) < len(side) for side in homes)
        pairs += number * (number - 1) // 2 + number * twice
        for entities in product(*map(set, homes)):
            together.setdefault(entities, []).append(place)
    groups = {pair for places in together.values() for pair in combinations(places, 2)}
    return pairs + sum(numbers[one] * numbers[other] for one, other in groups)


def _count_across(mentions: _Homes) -> int:
    """Count the pairs of mentions that are across two entities on each side.

    These are all pairs except those of which, on some side, both are in the same single entity;
    these exceptions are counted by inclusion and exclusion over the sides.
    """
    pairs = len(mentions) * (len(mentions) - 1) // 2
    pairs += sum(all(len(set(side)) > 1 for side in homes) for homes in mentions)
    sides = range(len(mentions[0]) if mentions else 0)
    for chosen in chain.from_iterable(combinations(sides, n) for n in (1, 2)):
        alone = Counter(
            tuple(homes[side][0] for side in chosen)
            for homes in mentions
            if all(len(set(homes[side])) == 1 for side in chosen)
        )
        one_entity = sum(n * (n - 1) // 2 for n in alone.values())
        pairs += one_entity if len(chosen) == 2 else -one_entity
    return pairs


def lea(key: Entities, response: Entities) -> Row:
    """Count the links of an entity whose mentions fall in the same entity on the other side."""
    recall, precision = fsum(lea_terms(key, response)), fsum(lea_terms(response, key))
    return recall, sum(map(len, key)), precision, sum(map(len, response))


def lea_terms(entities: Entities, others: Entities) -> list[float]:
    """Return each entity's contribution, in order: its resolution times its size."""
    home = _last_home(others)
    terms: list[float] = []
    for entity in entities:
        if len(entity) == 1:
            other = home.get(entity[0])
            terms.append(int(other is not None and len(others[other]) == 1))
            continue
        common = Counter(home[mention] for mention in entity if mention in home)
        correct = sum(n * (n - 1) // 2 for n in common.values())
        terms.append(correct / (len(entity) * (len(entity) - 1) / 2) * len(entity))
    return terms


#: The metrics that the official scorer has, by name.
OFFICIAL: dict[str, Callable[[Entities, Entities], Row]] = {
    function.__name__: function for function in (mentions, muc, b3, ceafm, ceafe, blanc, lea)
}
