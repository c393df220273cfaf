"""The policies for repeated mentions and for singletons, applied in this order before matching.

They change documents, so that the names and details of mentions and entities stay with them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.structures import UnionFind
from corefmeter.corpus.text import Detail

#: A mention by its entity and its place in it.
Place = tuple[int, int]


def apply_repeats(key: Document, response: Document, policy: str) -> Pair:
    """Return both documents after the policy for repeated mentions; see `corpus.repeats`.

    With ``distinct``, copies in several entities stay, since they are different mentions; matching
    pairs them in their order.
    """
    if policy == "merge":
        return Pair(_merge_entities(key), _merge_entities(response))
    if policy == "distinct":
        return Pair(_drop_copies_in_entity(key), _drop_copies_in_entity(response))
    in_key = {mention for entity in key.entities for mention in entity}
    if policy != "official":
        key = _keep_first_copies(key, in_key)
    return Pair(key, _keep_first_copies(response, in_key))


def with_first_details(document: Document) -> Document:
    """Return a document in which each copy of a mention has the details of the first one.

    Then it does not matter which copy is kept when entities are merged.
    """
    if document.details is None:
        return document
    first: dict[Mention, Detail] = {}
    details = [
        [first.setdefault(mention, own) for mention, own in zip(entity, known, strict=True)]
        for entity, known in zip(document.entities, document.details, strict=True)
    ]
    return document.replace(details=details)


def apply_singletons(
    key: Document, response: Document, policy: str, stay: Sequence[Container[int]] = ((), ())
) -> Pair:
    """Return both documents after the policy ``keep``, ``drop``, ``drop-key`` or ``drop-response``.

    It is applied before matching, so an entity does not become a singleton because its mentions
    are not matched. `stay` has the numbers of entities of each side that are never dropped.
    """
    if policy in ("drop", "drop-key"):
        key = _drop_singletons(key, stay[0])
    if policy in ("drop", "drop-response"):
        response = _drop_singletons(response, stay[1])
    return Pair(key, response)


def _select(document: Document, places: Sequence[Sequence[Place]]) -> Document:
    """Return a document with entities built from some of its mentions.

    Each is named as the entity of its first mention; those without mentions are left out.
    """
    places = [entity for entity in places if entity]
    entities, details = document.entities, document.details
    return document.replace(
        entities=[[entities[home][at] for home, at in entity] for entity in places],
        entity_names=[document.entity_names[entity[0][0]] for entity in places],
        details=details and [[details[home][at] for home, at in entity] for entity in places],
    )


def _keep_first_copies(document: Document, among: Container[Mention]) -> Document:
    """Return a document without the later copies of the mentions in `among`."""
    seen: set[Mention] = set()
    kept: list[list[Place]] = []
    for home, entity in enumerate(document.entities):
        kept.append([])
        for at, mention in enumerate(entity):
            if mention in seen:
                continue
            if mention in among:
                seen.add(mention)
            kept[home].append((home, at))
    return _select(document, kept)


def _drop_copies_in_entity(document: Document) -> Document:
    """Return a document without the later copies of a mention in the same entity."""
    kept: list[list[Place]] = []
    for home, entity in enumerate(document.entities):
        first = {mention: at for at, mention in reversed([*enumerate(entity)])}
        kept.append([(home, at) for at in sorted(first.values())])
    return _select(document, kept)


def _merge_entities(document: Document) -> Document:
    """Return a document after joining all entities that share a mention, in order of appearance."""
    home: dict[Mention, int] = {}
    sets = UnionFind(len(document.entities))
    for index, entity in enumerate(document.entities):
        for mention in entity:
            sets.join(home.setdefault(mention, index), index)
    joined: dict[int, dict[Mention, Place]] = {}
    for index, entity in enumerate(document.entities):
        first_places = joined.setdefault(sets.root(index), {})
        for at, mention in enumerate(entity):
            first_places.setdefault(mention, (index, at))
    return _select(document, [list(first_places.values()) for first_places in joined.values()])


def _drop_singletons(document: Document, stay: Container[int]) -> Document:
    kept = [
        [(home, at) for at in range(len(entity))]
        for home, entity in enumerate(document.entities)
        if len(entity) > 1 or home in stay
    ]
    return _select(document, kept)
