"""Split antecedents by number: which entities of a document have sets of entities as members.

A set consists of entities that have no set themselves: a plural entity in it is replaced by its
own set, at any depth. A set that contains only itself, through a cycle, consists of the entities of
the cycle.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document, Entities, Mention
from corefmeter.corpus.structures import grouped


class SetMember(NamedTuple):
    """A set of entities, `parts`, that is a member of the plural `entity`; all by numbers."""

    entity: int
    parts: tuple[int, ...]


def named_sets(document: Document) -> list[tuple[str, list[str]]]:
    """Return each set of a document by the name of its plural entity and those of its entities."""
    splits = document.relations.splits if document.relations else ()
    sets = grouped((split.entity, name) for split in splits for name in split.members)

    def expand_plurals(names: Sequence[str]) -> list[str]:
        reached = list(dict.fromkeys(names))
        seen = set(reached)
        for name in reached:  # the list grows while it is iterated
            more = [other for other in dict.fromkeys(sets.get(name, ())) if other not in seen]
            seen.update(more)
            reached += more
        return [name for name in reached if name not in sets] or reached

    return [(split.entity, sorted(expand_plurals(split.members))) for split in splits]


def find_set_members(
    whole: Document,
    documents: Sequence[Document],
    ids: Sequence[Hashable] | None = None,
    shared_ids: bool = False,
) -> tuple[list[SetMember], int]:
    """Find the sets of entities in a document after all policies.

    `documents` are those that were read, with their relations; `whole` is the document that the
    policies made of them. `ids` are those of the documents if several were joined. An entity that
    lost its name, by a merge or as a copy, is the entity of its first mention that is left.

    Returns the sets, and the number of entities in sets that `whole` does not have anymore.
    """
    if not any(document.relations for document in documents):
        return [], 0
    index = _EntityIndex(whole, joined=ids is not None, shared_ids=shared_ids)
    members: set[SetMember] = set()
    lost = 0
    for at, document in enumerate(documents):
        sets = named_sets(document)
        if not sets:
            continue
        numbers = index.numbers(document, None if ids is None else ids[at])
        lost += len({name for plural, names in sets for name in (plural, *names)} - numbers.keys())
        for plural, names in sets:
            parts = {numbers[name] for name in names if name in numbers}
            if plural in numbers and parts:
                members.add(SetMember(numbers[plural], tuple(sorted(parts))))
    return sorted(members), lost


class _EntityIndex:
    """The entities of a document, found by entities of the documents that it was made from."""

    def __init__(self, whole: Document, *, joined: bool, shared_ids: bool) -> None:
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
        """Map the names of a document's entities to numbers, without the entities that are gone.

        An entity is found by its name, or else by its first mention that is left.
        """
        numbers: dict[str, int] = {}
        for name, entity in zip(document.entity_names, document.entities, strict=True):
            number = self.names.get((name, id if self.by_id else None))
            if number is None:
                mentions = ((id, mention) for mention in entity) if self.joined else entity
                number = next((self.homes[m] for m in mentions if m in self.homes), None)
            if number is not None:
                numbers[name] = number
        return numbers


def rename_in_relations(document: Document, read: Document) -> Document:
    """Return a document whose relations have the names of its entities after the policies.

    `read` is the document before them. An entity that lost its name is the entity of its first
    mention that is left.
    """
    if document.relations is None:
        return document
    numbers = _EntityIndex(document, joined=False, shared_ids=False).numbers(read, None)
    names = {name: document.entity_names[number] for name, number in numbers.items()}
    relations = document.relations.renamed(lambda name: names.get(name, name))
    return document.replace(relations=relations)


def moved_sets(members: Sequence[SetMember], before: Entities, after: Entities) -> list[SetMember]:
    """Return the sets by the numbers of new entities, after mentions moved between entities.

    The new number of an entity is that of the new entity with the highest Dice coefficient of
    mentions, the first of several.

    >>> moved_sets([SetMember(2, (0, 1))], [["a"], ["b"], ["t"]], [["t", "u"], ["a", "b"]])
    [SetMember(entity=0, parts=(1,))]
    """
    new_numbers: dict[int, int | None] = {}
    for number in {number for member in members for number in (member.entity, *member.parts)}:
        mentions, size = set(before[number]), len(before[number])
        agreements = [2 * len(mentions.intersection(new)) / (size + len(new)) for new in after]
        best = max(agreements, default=0)
        new_numbers[number] = agreements.index(best) if best else None
    moved = set()
    for entity, parts in members:
        home = new_numbers[entity]
        new_parts = {new for part in parts if (new := new_numbers[part]) is not None}
        if home is not None and new_parts:
            moved.add(SetMember(home, tuple(sorted(new_parts))))
    return sorted(moved)
