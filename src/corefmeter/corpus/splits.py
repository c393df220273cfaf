"""Split antecedents by number: which entities of a document have sets of entities as members.

A set is made of entities that have no set themselves: of a plural entity in it (all of them, made
of them and Eve), whatever that stands for is taken instead, however deep. Where sets contain
themselves in a circle and nothing else, they are made of the entities of the circle.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document, Entities, Mention


class SetMember(NamedTuple):
    """A set of entities that is a member of an entity; all by their numbers.

    Attributes
    ----------
    entity
        The plural entity.
    parts
        The entities of the set, ascending.
    """

    entity: int
    parts: tuple[int, ...]


def named_sets(document: Document) -> list[tuple[str, list[str]]]:
    """Each set of a document by the name of its plural entity and those of its entities.

    Examples
    --------
    >>> from corefmeter.corpus.relations import Relations, Split
    >>> splits = Split("they", ("ann", "bob")), Split("all", ("they", "eve"))
    >>> named_sets(Document("x", [], relations=Relations(splits)))
    [('they', ['ann', 'bob']), ('all', ['ann', 'bob', 'eve'])]
    """
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
    """The set members of a document after all policies, each once, and how many names are lost.

    An entity that lost its name, since it was merged into another one or is made of copies, is the
    entity of its first mention that is left. What is not in the document any more is in no set.

    Parameters
    ----------
    whole
        The document, or the document that others were joined in.
    documents
        What it was made of, as it was read.
    ids, shared_ids
        Of joined documents: the ids in the mentions of `whole`, and whether the same name means the
        same entity in all of them; see `corpus.pairing.as_one_document`.
    """
    if not any(document.relations for document in documents):
        return [], 0
    by_id = ids is not None and not shared_ids
    names: dict[tuple[str, Hashable], int] = {}
    homes: dict[Mention, int] = {}
    for number, (name, entity) in enumerate(zip(whole.entity_names, whole.entities, strict=True)):
        # Types: mentions of joined documents are pairs.
        id: Hashable = entity[0][0] if by_id else None  # type: ignore[index]
        names.setdefault((name, id), number)
        for mention in entity:
            homes.setdefault(mention, number)
    found: set[SetMember] = set()
    lost = 0
    for place, document in enumerate(documents):
        sets = named_sets(document)
        if not sets:
            continue
        id = ids[place] if ids is not None else None
        numbers: dict[str, int] = {}
        for name, entity in zip(document.entity_names, document.entities, strict=True):
            places = (mention if ids is None else (id, mention) for mention in entity)
            home = next((homes[mention] for mention in places if mention in homes), None)
            home = names.get((name, id if by_id else None), home)
            if home is not None:
                numbers[name] = home
        lost += len({name for plural, names in sets for name in (plural, *names)} - numbers.keys())
        for name, others in sets:
            parts = {numbers[other] for other in others if other in numbers}
            if name in numbers and parts:
                found.add(SetMember(numbers[name], tuple(sorted(parts))))
    return sorted(found), lost


def with_names_left(document: Document, read: Document) -> Document:
    """A document after the policies, whose relations name the entities that it has.

    An entity of `read` that lost its name is that of its first mention that is left.

    Examples
    --------
    >>> from corefmeter.corpus.relations import Relations, Split
    >>> read = Document("x", [["a"], ["a", "b"], ["f"]], relations=Relations((Split("2", ("1",)),)))
    >>> left = read.but(entities=[["a", "b"], ["f"]], entity_names=["0", "2"])
    >>> with_names_left(left, read).relations.splits
    (Split(entity='2', members=('0',)),)
    """
    if document.relations is None:
        return document
    homes: dict[Mention, str] = {}
    for name, entity in zip(document.entity_names, document.entities, strict=True):
        for mention in entity:
            homes.setdefault(mention, name)
    left = set(document.entity_names)
    names = {
        name: next((homes[mention] for mention in entity if mention in homes), name)
        for name, entity in zip(read.entity_names, read.entities, strict=True)
        if name not in left
    }
    return document.but(relations=document.relations.renamed(lambda name: names.get(name, name)))


def moved_sets(members: Sequence[SetMember], before: Entities, after: Entities) -> list[SetMember]:
    """The same sets after mentions have moved between entities.

    An entity is taken for the one whose mentions agree most with its own, of those the first.

    Examples
    --------
    >>> moved_sets([SetMember(2, (0, 1))], [["a"], ["b"], ["t"]], [["t", "u"], ["a", "b"]])
    [SetMember(entity=0, parts=(1,))]
    """
    homes: dict[int, int | None] = {}
    for number in {number for member in members for number in (member.entity, *member.parts)}:
        mine = set(before[number])
        agreements = [
            2 * len(mine.intersection(entity)) / (len(before[number]) + len(entity))
            for entity in after
        ]
        best = max(agreements, default=0)
        homes[number] = agreements.index(best) if best else None
    found = set()
    for entity, parts in members:
        home, places = homes[entity], {homes[part] for part in parts}
        if home is not None and (left := sorted(place for place in places if place is not None)):
            found.add(SetMember(home, tuple(left)))
    return sorted(found)
