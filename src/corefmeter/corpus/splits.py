"""Split antecedents by number: which entities of a document have sets of entities as members.

A set is made of entities that have no set themselves: of a plural entity in it, whatever that
stands for is taken instead, however deep. Where sets contain themselves and nothing else, they are
made of the entities of the cycle.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document, Entities, Mention


class SetMember(NamedTuple):
    """A set of entities, `parts`, that is a member of the plural `entity`; all by numbers."""

    entity: int
    parts: tuple[int, ...]


def named_sets(document: Document) -> list[tuple[str, list[str]]]:
    """Return each set of a document by the name of its plural entity and those of its entities."""
    splits = document.relations.splits if document.relations else ()
    sets: dict[str, list[str]] = {}
    for split in splits:
        sets.setdefault(split.entity, []).extend(split.members)

    def made_of(names: Sequence[str]) -> list[str]:
        found = list(dict.fromkeys(names))
        seen = set(found)
        for name in found:  # grows
            more = [other for other in dict.fromkeys(sets.get(name, ())) if other not in seen]
            seen.update(more)
            found += more
        return [name for name in found if name not in sets] or found

    return [(split.entity, sorted(made_of(split.members))) for split in splits]


def set_members(
    whole: Document,
    documents: Sequence[Document],
    ids: Sequence[Hashable] | None = None,
    shared_ids: bool = False,
) -> tuple[list[SetMember], int]:
    """Return the set members of a document after all policies, and how many names are lost.

    An entity that lost its name, since it was merged into another one or is made of copies, is the
    entity of its first mention that is left. What is not in the document any more is in no set.
    """
    if not any(document.relations for document in documents):
        return [], 0
    places = _Places(whole, ids is not None, shared_ids)
    found: set[SetMember] = set()
    lost = 0
    for at, document in enumerate(documents):
        sets = named_sets(document)
        numbers = places.numbers(document, None if ids is None else ids[at]) if sets else {}
        lost += len({name for plural, names in sets for name in (plural, *names)} - numbers.keys())
        for name, others in sets:
            parts = {numbers[other] for other in others if other in numbers}
            if name in numbers and parts:
                found.add(SetMember(numbers[name], tuple(sorted(parts))))
    return sorted(found), lost


class _Places:
    """Positions of documents' entities in the documents built from them."""

    def __init__(self, whole: Document, joined: bool, shared_ids: bool) -> None:
        self.joined = joined
        self.by_id = joined and not shared_ids
        self.names: dict[tuple[str, Hashable], int] = {}
        self.homes: dict[Mention, int] = {}
        named = zip(whole.entity_names, whole.entities, strict=True)
        for number, (name, entity) in enumerate(named):
            # Types: mentions of joined documents are pairs.
            id = entity[0][0] if self.by_id else None  # type: ignore[index]
            self.names.setdefault((name, id), number)
            for mention in entity:
                self.homes.setdefault(mention, number)

    def numbers(self, document: Document, id: Hashable) -> dict[str, int]:
        """The entities of a document by name: by their names, else by their first mention left."""
        found = {}
        for name, entity in zip(document.entity_names, document.entities, strict=True):
            mentions = ((id, mention) for mention in entity) if self.joined else entity
            home = next((self.homes[mention] for mention in mentions if mention in self.homes), -1)
            found[name] = self.names.get((name, id if self.by_id else None), home)
        return {name: number for name, number in found.items() if number >= 0}


def with_names_left(document: Document, read: Document) -> Document:
    """Return a document after the policies, whose relations name the entities that it has.

    An entity of `read` that lost its name is that of its first mention that is left.
    """
    if document.relations is None:
        return document
    numbers = _Places(document, False, False).numbers(read, None)
    names = {name: document.entity_names[number] for name, number in numbers.items()}
    relations = document.relations.renamed(lambda name: names.get(name, name))
    return document.replace(relations=relations)


def moved_sets(members: Sequence[SetMember], before: Entities, after: Entities) -> list[SetMember]:
    """Return the same sets after mentions have moved between entities.

    An entity is taken for the one whose mentions agree most with its own, of those the first.

    >>> moved_sets([SetMember(2, (0, 1))], [["a"], ["b"], ["t"]], [["t", "u"], ["a", "b"]])
    [SetMember(entity=0, parts=(1,))]
    """
    homes: dict[int, int | None] = {}
    for number in {number for member in members for number in (member.entity, *member.parts)}:
        mine = set(before[number])
        agreements = [
            2 * len(mine.intersection(one)) / (len(before[number]) + len(one)) for one in after
        ]
        best = max(agreements, default=0)
        homes[number] = agreements.index(best) if best else None
    found = set()
    for entity, parts in members:
        home, places = homes[entity], {homes[part] for part in parts}
        if home is not None and (left := sorted(place for place in places if place is not None)):
            found.add(SetMember(home, tuple(left)))
    return sorted(found)
