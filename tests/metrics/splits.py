"""Random documents with sets of entities: nested ones, two in one entity, and some alike."""

from __future__ import annotations

from random import Random

from corefmeter import Document
from corefmeter.corpus.relations import Relations, Split

from .slow_split import Side


def side(random: Random, mentions: int = 7) -> Side:
    """Up to five entities of some mentions, with up to four sets and no circle."""
    homes: dict[int, list[tuple[int, int]]] = {}
    for token in range(mentions):
        if random.random() < 0.85:
            homes.setdefault(random.randrange(5), []).append((token, token + 1))
    entities = list(homes.values())
    sets = []
    for _ in range(random.randrange(5)):
        plural = random.randrange(len(entities)) if entities else 0
        if plural:  # made of entities before it, so of no circle
            members = random.sample(range(plural), random.randint(1, min(3, plural)))
            sets.append((plural, tuple(sorted(members))))
    return Side(entities, sets)


def document(side: Side, random: Random | None = None, shift: int = 0, step: int = 1) -> Document:
    """The document of a side; with `random` its entities are renamed and all is reordered.

    A token t becomes shift + step * t.
    """
    order = list(range(len(side.entities)))
    names = [f"e{number}" for number in order]
    sets = list(side.sets)
    if random is not None:
        random.shuffle(order)
        random.shuffle(names)
        random.shuffle(sets)
    entities = []
    for number in order:
        entity = [
            (shift + step * first, shift + step * end) for first, end in side.entities[number]
        ]
        if random is not None:
            random.shuffle(entity)
        entities.append(entity)
    splits = []
    for plural, members in sets:
        members = random.sample(members, len(members)) if random is not None else members
        splits.append(Split(names[plural], tuple(names[member] for member in members)))
    return Document(
        "d", entities, entity_names=[names[number] for number in order],
        relations=Relations(tuple(splits)),
    )  # fmt: skip
