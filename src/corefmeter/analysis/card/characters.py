"""Characters: could a reader follow the ones that matter?

LEA of entities of one mention, of 2 to N and of more, apart; the rows add up to ``lea``. And the
largest entities of the key one by one: how much of each is in the response entity that holds most
of it, how pure that is, and over how many response entities it is scattered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest, nsmallest
from itertools import chain
from typing import NamedTuple

from corefmeter.analysis.card.parts import Basis, Part, places_by, sides_of
from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import content_key
from corefmeter.mentions.features import Features, groups_at, number_group
from corefmeter.preparation import Prepared

SECTION = "characters"


class Character(NamedTuple):
    """How the response treats one entity of the key.

    `text` has the words that name it, where words are known. Of its mentions, `found` are in the
    response, and `held` in the response entity that holds most of them (of several the smallest
    one), which has `size` mentions. `fragments` response entities hold some of it.
    """

    document: str
    entity: str
    text: str | None
    mentions: int
    found: int
    held: int
    size: int
    fragments: int

    @property
    def share(self) -> float:
        """The share of its mentions in the best response entity."""
        return self.held / self.mentions

    @property
    def purity(self) -> float:
        """The share of the best response entity that is this entity; nan if there is none."""
        return self.held / self.size if self.size else float("nan")


def parts(basis: Basis, more_than: int) -> Iterator[Part]:
    """Yield the lines of the section: entities of one mention, of 2 to `more_than`, and of more."""
    bounds = 1, 2, more_than + 1

    def group(entity: Sequence[Mention]) -> str:
        return number_group(len(entity), bounds)

    places = [places_by(sides_of(unit), group) for unit in basis.prepared]
    yield from basis.parts_by_entity(SECTION, "mentions", places, groups_at(bounds))


def more_than_in(name: str) -> int | None:
    """Return the largest size of an entity that is not a character, if the line's name gives it.

    >>> [*map(more_than_in, ["1", "2", "2-10", "11+"])]
    [None, 2, 10, 10]
    """
    match = re.fullmatch(r"2(?:-([0-9]{1,9}))?|([0-9]{1,9})\+", name)
    if match is None:
        return None
    return int(match[2]) - 1 if match[2] else int(match[1] or 2)


def largest(
    prepared: Sequence[Prepared], number: int, features_of: Callable[[int], Features]
) -> list[Character]:
    """Return the largest key entities; those of one size by document, then in reading order.

    `features_of` returns the features of the mentions of a document, given its place.
    """
    sizes = chain.from_iterable(one.table.key_sizes for one in prepared)
    least = min(nlargest(number, sizes), default=0)
    # Sort keys, then where the entity is.
    ranked = [
        (-size, one.key.label, sorted(map(content_key, one.key.entities[place])), unit, place)
        for unit, one in enumerate(prepared)
        for place, size in enumerate(one.table.key_sizes)
        if size >= least
    ]
    chosen = [(unit, place) for *_, unit, place in nsmallest(number, ranked)]
    return [_measure_character(prepared[u], place, features_of(u)) for u, place in chosen]


def _measure_character(unit: Prepared, place: int, features: Features) -> Character:
    text = unit.key.text
    # The common mentions with each response entity, and minus its size: the smallest one is best.
    cells = [(n, -unit.table.response_sizes[r]) for k, r, n in unit.table.cells if k == place]
    held, negative_size = max(cells, default=(0, 0))
    mention = features.naming_mention(unit.named.key.entities[place])
    return Character(
        document=unit.key.label,
        entity=unit.key.entity_names[place],
        text=None if text is None else text.string(mention),
        mentions=unit.table.key_sizes[place],
        found=sum(n for n, _ in cells),
        held=held,
        size=-negative_size,
        fragments=len(cells),
    )
