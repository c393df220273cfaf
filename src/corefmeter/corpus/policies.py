"""The policies for mentions, in their order: repeated mentions, then singletons; before matching.

They change documents, so what is known of the mentions that stay goes with them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from corefmeter.corpus.model import Document, Entities, Mention
from corefmeter.corpus.text import Detail

#: A mention by its entity and its place in it.
Place = tuple[int, int]


def selected(document: Document, places: Sequence[Sequence[Place]]) -> Document:
    """Return a document with entities built from some of its mentions.

    Parameters
    ----------
    places
        For each entity its mentions; it is named as the entity of the first of them. Empty ones are
        left out.

    Examples
    --------
    >>> document = Document("x", [["a", "b"], ["c"]], entity_names=["1", "2"])
    >>> found = selected(document, [[], [(1, 0), (0, 1)]])
    >>> found.entities, found.entity_names
    ([['c', 'b']], ['2'])
    """
    places = [entity for entity in places if entity]
    entities, details = document.entities, document.details
    return document.replace(
        entities=[[entities[home][at] for home, at in entity] for entity in places],
        entity_names=[document.entity_names[entity[0][0]] for entity in places],
        details=details and [[details[home][at] for home, at in entity] for entity in places],
    )


def apply_repeats(key: Document, response: Document, policy: str) -> tuple[Document, Document]:
    """Both documents after the policy for repeated mentions; see `corefmeter.corpus.repeats`.

    Under ``distinct`` copies in several entities are left: they are different mentions, which
    matching pairs in their order.

    Examples
    --------
    >>> key, response = Document("x", [["a", "b"]]), Document("x", [["a"], ["a", "b"], ["x", "x"]])
    >>> [side.entities for side in apply_repeats(key, response, "first")]
    [[['a', 'b']], [['a'], ['b'], ['x', 'x']]]
    >>> [side.entities for side in apply_repeats(key, response, "merge")]
    [[['a', 'b']], [['a', 'b'], ['x']]]
    >>> [side.entities for side in apply_repeats(key, response, "distinct")]
    [[['a', 'b']], [['a'], ['a', 'b'], ['x']]]
    """
    if policy == "merge":
        return _merged(key), _merged(response)
    if policy == "distinct":
        return _once_in_each(key), _once_in_each(response)
    in_key = {mention for entity in key.entities for mention in entity}
    if policy != "official":
        key = _first_copies(key, in_key)
    return key, _first_copies(response, in_key)


def with_first_details(document: Document) -> Document:
    """Return a document where each copy of a mention is known as the first one is.

    So it does not matter which copy is kept of entities that are joined across documents.
    """
    if document.details is None:
        return document
    first: dict[Mention, Detail] = {}
    details = [
        [first.setdefault(mention, detail) for mention, detail in zip(*both, strict=True)]
        for both in zip(document.entities, document.details, strict=True)
    ]
    return document.replace(details=details)


def apply_singletons(
    key: Document,
    response: Document,
    policy: str,
    stay: tuple[Container[int], Container[int]] = ((), ()),
) -> tuple[Document, Document]:
    """Both documents after the policy ``keep``, ``drop``, ``drop-key`` or ``drop-response``.

    It comes before matching, so an entity that loses its partners in matching keeps its size. Those
    in `stay`, numbers of entities of each side, are no singletons.

    Examples
    --------
    >>> key, response = Document("x", [["a", "b"]]), Document("x", [["a", "b"], ["c"]])
    >>> [side.entities for side in apply_singletons(key, response, "drop")]
    [[['a', 'b']], [['a', 'b']]]
    """
    if policy in ("drop", "drop-key"):
        key = _without_singletons(key, stay[0])
    if policy in ("drop", "drop-response"):
        response = _without_singletons(response, stay[1])
    return key, response


def _places(entities: Entities) -> Iterable[tuple[Place, Mention]]:
    return (
        ((home, at), mention)
        for home, entity in enumerate(entities)
        for at, mention in enumerate(entity)
    )


def _first_copies(document: Document, among: Container[Mention]) -> Document:
    """Return a document without the later copies of the mentions in `among`."""
    seen: set[Mention] = set()
    kept: list[list[Place]] = [[] for _ in document.entities]
    for place, mention in _places(document.entities):
        if mention in among:
            if mention in seen:
                continue
            seen.add(mention)
        kept[place[0]].append(place)
    return selected(document, kept)


def _once_in_each(document: Document) -> Document:
    """Return a document without the later copies of a mention in the same entity."""
    kept: list[list[Place]] = []
    for home, entity in enumerate(document.entities):
        first = {mention: at for at, mention in reversed([*enumerate(entity)])}
        kept.append([(home, at) for at in sorted(first.values())])
    return selected(document, kept)


def _merged(document: Document) -> Document:
    """Return a document after joining all entities that share a mention, in order of appearance."""
    home: dict[Mention, int] = {}
    parent = list(range(len(document.entities)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for (index, _), mention in _places(document.entities):
        other, own = root(home.setdefault(mention, index)), root(index)
        parent[max(other, own)] = min(other, own)
    joined: dict[int, dict[Mention, Place]] = {}
    for place, mention in _places(document.entities):
        joined.setdefault(root(place[0]), {}).setdefault(mention, place)
    return selected(document, [list(found.values()) for found in joined.values()])


def _without_singletons(document: Document, stay: Container[int]) -> Document:
    return selected(
        document,
        [
            [(home, at) for at in range(len(entity))] if len(entity) > 1 or home in stay else []
            for home, entity in enumerate(document.entities)
        ],
    )
