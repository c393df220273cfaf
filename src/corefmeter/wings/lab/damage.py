"""Deliberate damage to a response, as small functions that can be chained.

Each function takes entities (lists of mentions) and returns new ones, without those that became
empty. Only functions with a `seed` are random. A **link** is a pair of mentions of one entity, a
**chain link** one between neighbors in it. An entity of n mentions has n - 1 chain links; cutting
one splits it in two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain

from corefmeter.analysis.identification import unresolved
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import UnionFind
from corefmeter.problems import OptionError
from corefmeter.wings.lab.partitions import Seed, generator


def without_mentions(entities: Entities, mentions: Iterable[Mention]) -> Entities:
    """Return the entities without these mentions.

    >>> without_mentions([["a", "b"], ["c"]], ["a", "c"])
    [['b']]
    """
    removed = set(mentions)
    remaining = ([m for m in entity if m not in removed] for entity in entities)
    return list(filter(None, remaining))


def drop_mentions(entities: Entities, number: int, seed: Seed) -> Entities:
    """Return the entities without a number of mentions, chosen at random.

    >>> sum(map(len, drop_mentions([["a", "b"], ["c"]], 2, seed=1)))
    1
    """
    everything = list(chain.from_iterable(entities))
    if not 0 <= number <= len(everything):
        raise OptionError(f"cannot choose {number} of {len(everything)} mentions")
    return without_mentions(entities, generator(seed).sample(everything, number))


def by_size(entities: Entities, decreasing: bool = True) -> list[int]:
    """Return the numbers of the entities sorted by size; entities of one size keep their order.

    >>> by_size([["a"], ["b", "c"], ["d"]]), by_size([["a"], ["b", "c"], ["d"]], decreasing=False)
    ([1, 0, 2], [0, 2, 1])
    """
    sign = -1 if decreasing else 1
    return sorted(range(len(entities)), key=lambda number: sign * len(entities[number]))


def without_entities(entities: Entities, numbers: Collection[int]) -> Entities:
    """Remove the entities with these numbers; with `by_size`, the largest or the smallest.

    >>> key = [["a"], ["b", "c"], ["d"]]
    >>> without_entities(key, by_size(key)[:1])
    [['a'], ['d']]
    """
    _check(entities, numbers)
    removed = set(numbers)
    return [list(entity) for number, entity in enumerate(entities) if number not in removed]


def chain_links(entities: Entities) -> list[tuple[int, int]]:
    """Return the chain links: ``(e, i)`` is between mentions i - 1 and i of entity e.

    >>> chain_links([["a", "b", "c"], ["d"]])
    [(0, 1), (0, 2)]
    """
    return [(e, i) for e, entity in enumerate(entities) for i in range(1, len(entity))]


def cut_links(entities: Entities, links: Iterable[tuple[int, int]]) -> Entities:
    """Cut entities at the given chain links; see `chain_links`.

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

    >>> split_entity([["a", "b", "c"], ["d"]], 0, [1, 2])
    [['a'], ['b', 'c'], ['d']]
    """
    _check(entities, [number])
    entity = entities[number]
    if sum(sizes) != len(entity) or min(sizes) < 1:
        parts_of = f"parts of sizes {', '.join(map(str, sizes))}"
        raise OptionError(f"an entity of {len(entity)} mentions cannot be split into {parts_of}")
    return cut_links(entities, [(number, end) for end in accumulate(sizes[:-1])])


def merge_entities(entities: Entities, pairs: Iterable[tuple[int, int]]) -> Entities:
    """Merge the two entities of each pair, in the place of the first one.

    >>> merge_entities([["a"], ["b"], ["c"], ["d"]], [(0, 2), (2, 3)])
    [['a', 'c', 'd'], ['b']]
    """
    sets = UnionFind(len(entities))
    for pair in pairs:
        _check(entities, pair)
        sets.join(*pair)
    return [[m for number in numbers for m in entities[number]] for numbers in sets.sets()]


def move_mentions(
    entities: Entities, targets: Mapping[Mention, int] | Iterable[tuple[Mention, int]]
) -> Entities:
    """Move mentions to the entities with these numbers.

    >>> move_mentions([["a", "b"], ["c"]], {"b": 1})
    [['a'], ['c', 'b']]
    """
    targets = dict(targets)
    _check(entities, targets.values())
    missing = targets.keys() - chain.from_iterable(entities)
    if missing:
        raise OptionError(f"there is no mention {missing.pop()!r} to move")
    moved = [[m for m in entity if m not in targets] for entity in entities]
    for mention, number in targets.items():
        moved[number].append(mention)
    return list(filter(None, moved))


def add_to_entity(entities: Entities, number: int, mentions: Iterable[Mention]) -> Entities:
    """Add mentions to an entity.

    >>> add_to_entity([["a"], ["b"]], 1, ["x", "y"])
    [['a'], ['b', 'x', 'y']]
    """
    _check(entities, [number])
    return [[*e, *mentions] if n == number else list(e) for n, e in enumerate(entities)]


def add_entity(entities: Entities, mentions: Sequence[Mention]) -> Entities:
    """Return the entities and, unless `mentions` is empty, a new entity of them.

    >>> add_entity([["a"]], ["x", "y"])
    [['a'], ['x', 'y']]
    """
    return [*map(list, entities), *([list(mentions)] if mentions else [])]


def add_singletons(entities: Entities, mentions: Iterable[Mention]) -> Entities:
    """Add an entity for each of these mentions.

    >>> add_singletons([["a"]], ["x", "y"])
    [['a'], ['x'], ['y']]
    """
    return [*map(list, entities), *([mention] for mention in mentions)]


def all_singletons(entities: Entities) -> Entities:
    """Make each mention an entity: ``sys-sing`` of Moosavi & Strube 2016, Table 4.

    >>> all_singletons([["a", "b"], ["c"]])
    [['a'], ['b'], ['c']]
    """
    return [[mention] for entity in entities for mention in entity]


def one_entity(entities: Entities) -> Entities:
    """Put all mentions into one entity: ``sys-1ent`` of Moosavi & Strube 2016, Table 4.

    >>> one_entity([["a", "b"], ["c"]])
    [['a', 'b', 'c']]
    """
    return add_entity([], list(chain.from_iterable(entities)))


def linked_wrongly_in_one_pair(key: Entities, response: Entities) -> Entities:
    """Link two unresolved mentions of different key entities, and add the others as singletons.

    This is the result if the scorer v8.01, which leaves out copies of m1, reads the pairs (m1, m2),
    (m1, m3), …. It explains the printed numbers of "less precise b" (see
    `docs/decisions/experiments.md`).

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
    """Return a response in which these key mentions are found, but no link of them is correct.

    The mentions are removed from `response` and dealt out to new entities, key entity by key
    entity. The number of new entities is the largest number of such mentions in one key entity, so
    that no two mentions of a key entity are in the same new one.

    >>> reidentified_without_links([["a", "b"], ["c", "d"], ["e"]], list("abcde"))
    [['a', 'c', 'e'], ['b', 'd']]
    >>> reidentified_without_links([["a", "b"], ["c", "d", "e"]], list("bc"), [list("cde")])
    [['d', 'e'], ['b', 'c']]
    """
    chosen = set(mentions)
    by_entity = [[m for m in entity if m in chosen] for entity in key]
    in_order = list(chain.from_iterable(by_entity))
    number = max(map(len, by_entity), default=0)
    dealt = [in_order[start::number] for start in range(number)]
    return [*without_mentions(response or [], chosen), *dealt]


def _check(entities: Entities, numbers: Iterable[int]) -> None:
    for number in numbers:
        if not 0 <= number < len(entities):
            known = f"0 to {len(entities) - 1}"
            raise OptionError(f"there is no entity {number}; the numbers are {known}")
