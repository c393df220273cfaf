"""What the official scorer v8.01 makes of a key that repeats mentions.

This is the one case in which its numbers are not functions of the overlap table: a repeated mention
counts in the size of every entity it stands in, is looked up in the last of them only, and links
are sets of pairs. The definitions below are written from the observed behaviour, slow and plain;
they serve the policy ``repeated:official`` and the drop-in command, for such documents only.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import fsum

from corefmeter.corpus.model import Entities, Mention
from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.base import Row

Link = frozenset[Mention]


def _last_home(entities: Entities) -> dict[Mention, int]:
    """The last entity that each mention stands in."""
    return {mention: index for index, entity in enumerate(entities) for mention in entity}


def mentions(key: Entities, response: Entities) -> Row:
    """Distinct mentions."""
    in_key, in_response = set(_last_home(key)), set(_last_home(response))
    common = len(in_key & in_response)
    return common, len(in_key), common, len(in_response)


def muc(key: Entities, response: Entities) -> Row:
    """Links kept within response entities, over sizes minus one."""
    home = _last_home(key)
    kept = 0
    for entity in response:
        found = [home[mention] for mention in entity if mention in home]
        kept += len(found) - len(set(found))
    return (
        kept,
        sum(len(entity) - 1 for entity in key),
        kept,
        sum(len(entity) - 1 for entity in response),
    )


def b3(key: Entities, response: Entities) -> Row:
    """Each response mention compares its entity with the last key entity of the mention."""
    home = _last_home(key)
    recall, precision = [], []
    for entity in response:
        for mention in entity:
            if mention in home:
                key_entity = key[home[mention]]
                common = sum(other in key_entity for other in entity)
                recall.append(common / len(key_entity))
                precision.append(common / len(entity))
    return fsum(recall), sum(map(len, key)), fsum(precision), sum(map(len, response))


def _ceaf(key: Entities, response: Entities, similarity: Callable[[int, int, int], float]) -> float:
    edges: list[tuple[int, int, float]] = []
    for k, key_entity in enumerate(key):
        for r, response_entity in enumerate(response):
            among = set(response_entity)
            common = sum(mention in among for mention in key_entity)
            if common:
                weight = similarity(common, len(key_entity), len(response_entity))
                edges.append((k, r, weight))
    return fsum(weight for _, _, weight in best_assignment(edges))


def ceafm(key: Entities, response: Entities) -> Row:
    """Common mentions counted with repetition."""
    total = int(_ceaf(key, response, lambda common, k, r: common))
    return total, sum(map(len, key)), total, sum(map(len, response))


def ceafe(key: Entities, response: Entities) -> Row:
    """Common mentions counted with repetition, over the mean size."""
    total = _ceaf(key, response, lambda common, k, r: 2 * common / (k + r))
    return total, len(key), total, len(response)


def blanc(key: Entities, response: Entities) -> Row:
    """Links as sets of pairs; a mention that occurs twice is paired with itself."""
    key_within, key_across = _links(key)
    response_within, response_across = _links(response)
    in_key, in_response = set(_last_home(key)), set(_last_home(response))
    return (
        len(key_within & response_within),
        len(key_within),
        len(response_within),
        len(key_across & response_across),
        len(key_across),
        len(response_across),
        len(in_key & in_response),
        len(in_key),
        len(in_response),
    )


def _links(entities: Entities) -> tuple[set[Link], set[Link]]:
    within: set[Link] = set()
    across: set[Link] = set()
    for entity in entities:
        within.update(map(frozenset, combinations(entity, 2)))
    for one, other in combinations(entities, 2):
        across.update(frozenset((a, b)) for a in one for b in other)
    return within, across


def lea(key: Entities, response: Entities) -> Row:
    """Links of an entity that lead to one entity of the other side, by last home."""
    return (*_lea_side(key, response), *_lea_side(response, key))


def _lea_side(entities: Entities, others: Entities) -> tuple[float, int]:
    home = _last_home(others)
    resolved: list[float] = []
    for entity in entities:
        if len(entity) == 1:
            other = home.get(entity[0])
            resolved.append(1 if other is not None and len(others[other]) == 1 else 0)
            continue
        correct = sum(
            home[a] == home[b] for a, b in combinations(entity, 2) if a in home and b in home
        )
        resolved.append(correct / (len(entity) - 1) * 2)
    return fsum(resolved), sum(map(len, entities))


#: The metrics that the official scorer has, by name.
OFFICIAL: dict[str, Callable[[Entities, Entities], Row]] = {
    function.__name__: function for function in (mentions, muc, b3, ceafm, ceafe, blanc, lea)
}
