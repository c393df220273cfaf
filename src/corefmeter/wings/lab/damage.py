"""Deliberate damage to a response, as small functions that can be put one after the other.

Each takes entities, lists of mentions, and returns new ones; an entity that loses its last mention
is gone. Nothing is random but what takes a `seed`. A **link** is a pair of mentions of one entity;
a **chain link** is one between neighbours of an entity. An entity of n mentions has n - 1 of them;
cutting one splits it in two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from corefmeter.analysis.identification import unresolved
from corefmeter.corpus.model import Entities, Mention
from corefmeter.problems import OptionError
from corefmeter.wings.lab.partitions import Seed, generator


def without_mentions(entities: Entities, mentions: Iterable[Mention]) -> Entities:
    """Return the entities without these mentions.

    Examples
    --------
    >>> without_mentions([["a", "b"], ["c"]], ["a", "c"])
    [['b']]
    """
    lost = set(mentions)
    left = [[mention for mention in entity if mention not in lost] for entity in entities]
    return [entity for entity in left if entity]


def drop_mentions(entities: Entities, number: int, seed: Seed) -> Entities:
    """Return the entities without that many mentions, chosen at random.

    Examples
    --------
    >>> sum(map(len, drop_mentions([["a", "b"], ["c"]], 2, seed=1)))
    1
    """
    everything = list(chain.from_iterable(entities))
    if not 0 <= number <= len(everything):
        raise OptionError(f"{number} of {len(everything)} mentions cannot be chosen")
    return without_mentions(entities, generator(seed).sample(everything, number))


def by_size(entities: Entities, decreasing: bool = True) -> list[int]:
    """Return the numbers of the entities in order of size; those of one size in their own order.

    Examples
    --------
    >>> by_size([["a"], ["b", "c"], ["d"]]), by_size([["a"], ["b", "c"], ["d"]], decreasing=False)
    ([1, 0, 2], [0, 2, 1])
    """
    sign = -1 if decreasing else 1
    return sorted(range(len(entities)), key=lambda number: sign * len(entities[number]))


def without_entities(entities: Entities, numbers: Collection[int]) -> Entities:
    """Remove the entities with these numbers; with `by_size`, the largest or the smallest.

    Examples
    --------
    >>> key = [["a"], ["b", "c"], ["d"]]
    >>> without_entities(key, by_size(key)[:1])
    [['a'], ['d']]
    """
    _check(entities, numbers)
    return [list(entity) for number, entity in enumerate(entities) if number not in numbers]


def chain_links(entities: Entities) -> list[tuple[int, int]]:
    """Return the chain links: ``(e, i)`` is between mentions i - 1 and i of entity e.

    Examples
    --------
    >>> chain_links([["a", "b", "c"], ["d"]])
    [(0, 1), (0, 2)]
    """
    return [(e, i) for e, entity in enumerate(entities) for i in range(1, len(entity))]


def cut_links(entities: Entities, links: Iterable[tuple[int, int]]) -> Entities:
    """Cut entities at the given chain links; see `chain_links`.

    Examples
    --------
    >>> cut_links([["a", "b", "c"], ["d", "e"]], [(0, 1)])
    [['a'], ['b', 'c'], ['d', 'e']]
    """
    cuts = set(links)
    if unknown := cuts.difference(chain_links(entities)):
        raise OptionError(f"there is no chain link {min(unknown)}")
    parts: Entities = []
    for e, entity in enumerate(entities):
        for i, mention in enumerate(entity):
            if i == 0 or (e, i) in cuts:
                parts.append([])
            parts[-1].append(mention)
    return parts


def split_entity(entities: Entities, number: int, sizes: Sequence[int]) -> Entities:
    """Split an entity into parts of these sizes, in the order of its mentions.

    Examples
    --------
    >>> split_entity([["a", "b", "c"], ["d"]], 0, [1, 2])
    [['a'], ['b', 'c'], ['d']]
    """
    _check(entities, [number])
    if sum(sizes) != len(entities[number]) or min(sizes) < 1:
        raise OptionError(
            f"an entity of {len(entities[number])} mentions has no parts of sizes "
            f"{', '.join(map(str, sizes))}"
        )
    mentions = iter(entities[number])
    parts = [[next(mentions) for _ in range(size)] for size in sizes]
    return [*map(list, entities[:number]), *parts, *map(list, entities[number + 1 :])]


def merge_entities(entities: Entities, pairs: Iterable[tuple[int, int]]) -> Entities:
    """Merge the entities of each pair at the place of the first one.

    Examples
    --------
    >>> merge_entities([["a"], ["b"], ["c"], ["d"]], [(0, 2), (2, 3)])
    [['a', 'c', 'd'], ['b']]
    """
    first = list(range(len(entities)))

    def home(number: int) -> int:
        while first[number] != number:
            first[number] = number = first[first[number]]
        return number

    for one, other in pairs:
        _check(entities, (one, other))
        low, high = sorted((home(one), home(other)))
        first[high] = low
    merged: dict[int, list[Mention]] = {}
    for number, entity in enumerate(entities):
        merged.setdefault(home(number), []).extend(entity)
    return list(merged.values())


def move_mentions(entities: Entities, targets: Mapping[Mention, int]) -> Entities:
    """Move mentions to the entities with these numbers.

    Examples
    --------
    >>> move_mentions([["a", "b"], ["c"]], {"b": 1})
    [['a'], ['c', 'b']]
    """
    _check(entities, targets.values())
    moved = [[m for m in entity if m not in targets] for entity in entities]
    there = {mention for entity in entities for mention in entity}
    for mention, number in targets.items():
        if mention not in there:
            raise OptionError(f"there is no mention {mention!r} to move")
        moved[number].append(mention)
    return [entity for entity in moved if entity]


def add_to_entity(entities: Entities, number: int, mentions: Iterable[Mention]) -> Entities:
    """Add mentions to an entity.

    Examples
    --------
    >>> add_to_entity([["a"], ["b"]], 1, ["x", "y"])
    [['a'], ['b', 'x', 'y']]
    """
    _check(entities, [number])
    return [[*e, *mentions] if n == number else list(e) for n, e in enumerate(entities)]


def add_linked(entities: Entities, mentions: Sequence[Mention]) -> Entities:
    """Add an entity of these mentions, if there are any.

    Examples
    --------
    >>> add_linked([["a"]], ["x", "y"])
    [['a'], ['x', 'y']]
    """
    return [*map(list, entities), *([list(mentions)] if mentions else [])]


def add_singletons(entities: Entities, mentions: Iterable[Mention]) -> Entities:
    """Add an entity for each of these mentions.

    Examples
    --------
    >>> add_singletons([["a"]], ["x", "y"])
    [['a'], ['x'], ['y']]
    """
    return [*map(list, entities), *([mention] for mention in mentions)]


def all_singletons(entities: Entities) -> Entities:
    """Make each mention an entity: ``sys-sing`` of Moosavi & Strube 2016, Table 4.

    Examples
    --------
    >>> all_singletons([["a", "b"], ["c"]])
    [['a'], ['b'], ['c']]
    """
    return [[mention] for entity in entities for mention in entity]


def one_entity(entities: Entities) -> Entities:
    """Put all mentions into one entity: ``sys-1ent`` of Moosavi & Strube 2016, Table 4.

    Examples
    --------
    >>> one_entity([["a", "b"], ["c"]])
    [['a', 'b', 'c']]
    """
    everything = list(chain.from_iterable(entities))
    return [everything] if everything else []


def linked_wrongly_in_one_pair(key: Entities, response: Entities) -> Entities:
    """Link two unresolved mentions of different key entities, and add the others as singletons.

    This remains of pairs (m1, m2), (m1, m3), … when copies of m1 are left out, as the scorer v8.01
    does; the printed numbers of "less precise b" are explained by it
    (`docs/decisions/experiments.md`).

    Examples
    --------
    >>> linked_wrongly_in_one_pair([["a", "b", "c"], ["d", "e"]], [])
    [['a', 'd'], ['b'], ['c'], ['e']]
    """
    missing = unresolved(key, response)
    if len(missing) < 2:
        return list(map(list, response))
    pair = [missing[0][0], missing[1][0]]
    rest = [m for mentions in missing for m in mentions if m not in pair]
    return [*map(list, response), pair, *([mention] for mention in rest)]


def reidentified_without_links(
    key: Entities, mentions: Collection[Mention], response: Entities | None = None
) -> Entities:
    """Return a response in which these key mentions are found, but without one correct link.

    The mentions are removed from `response` and dealt out in turn, key entity by key entity, to new
    entities. There are as many of these as one key entity has such mentions at most, so that no two
    mentions of a key entity meet.

    Examples
    --------
    >>> reidentified_without_links([["a", "b"], ["c", "d"], ["e"]], list("abcde"))
    [['a', 'c', 'e'], ['b', 'd']]
    >>> reidentified_without_links([["a", "b"], ["c", "d", "e"]], list("bc"), [list("cde")])
    [['d', 'e'], ['b', 'c']]
    """
    wanted = set(mentions)
    by_entity = [[m for m in entity if m in wanted] for entity in key]
    new: Entities = [[] for _ in range(max(map(len, by_entity), default=0))]
    for number, mention in enumerate(chain.from_iterable(by_entity)):
        new[number % len(new)].append(mention)
    return [*without_mentions(response or [], wanted), *new]


def _check(entities: Entities, numbers: Iterable[int]) -> None:
    for number in numbers:
        if not 0 <= number < len(entities):
            raise OptionError(f"there is no entity {number}; they are 0 to {len(entities) - 1}")
