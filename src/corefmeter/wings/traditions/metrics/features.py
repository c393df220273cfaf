"""What a metric of attributes asks of mentions and entities, whatever the format says it with.

Missing is missing: where a side does not say a type, a class or a level, there is nothing to differ
from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import nodes
from corefmeter.corpus.text import Detail
from corefmeter.mentions.features import Features
from corefmeter.mentions.side import SideFeatures

#: The mention levels of ACE by the kinds of mentions.
LEVELS: dict[str, str] = {"name": "NAM", "nominal": "NOM", "pronoun": "PRO", "other": "OTHER"}

Positions = frozenset[Hashable]

_NOTHING = Detail()


def positions_of(mention: Mention) -> Positions:
    """The tokens or characters and the empty nodes of a mention; a name is a position by itself.

    Examples
    --------
    >>> sorted(positions_of((3, 5))), positions_of("Ann")
    ([3, 4], frozenset({'Ann'}))
    """
    try:
        return frozenset(nodes(mention))
    except (TypeError, IndexError):
        return frozenset((mention,))


def details_of(document: Document) -> list[list[Detail]]:
    """Return the annotation of each mention; empty where details were not read."""
    if document.details is not None:
        return document.details
    return [[_NOTHING] * len(entity) for entity in document.entities]


def with_kinds_and_types(key: Document, response: Document) -> tuple[Document, Document]:
    """Add the mention type and entity type to both documents, as far as given.

    What the file says of a mention stays; else the kind, and the type of its named entity, are
    those that `corefmeter errors` breaks down by (`corefmeter.mentions.features`). No named entity
    is no type, and a verb or adverb is of no level.

    Examples
    --------
    >>> from corefmeter.corpus.text import Text
    >>> key = Document("x", [[(0, 1), (2, 3)]], text=Text(["Ann", "saw", "her"], upos=["PROPN",
    ...                "VERB", "PRON"], entity_types=[(0, 1, "PER")]))
    >>> described, _ = with_kinds_and_types(key, key)
    >>> [(detail.kind, detail.entity_type) for detail in described.details[0]]
    [('name', 'PER'), ('pronoun', None)]
    """
    if not any(one.text is not None and one.unit == "tokens" for one in (key, response)):
        return key, response
    features = Features(key, response)
    return _described(key, features.key), _described(response, features.response)


def _described(document: Document, side: SideFeatures) -> Document:
    def told(mention: Mention, detail: Detail) -> Detail:
        found = side[mention]
        kind = None if found.kind == "other" else found.kind
        type = None if found.entity_type == "none" else found.entity_type
        return detail.replace(kind=detail.kind or kind, entity_type=detail.entity_type or type)

    details = [
        [told(*both) for both in zip(entity, said, strict=True)]
        for entity, said in zip(document.entities, details_of(document), strict=True)
    ]
    return document.replace(details=details)


def types_or_levels(documents: Iterable[Document]) -> bool:
    """Return whether any mention has a type or a level.

    Examples
    --------
    >>> types_or_levels([Document("x", [["Ann"]])])
    False
    """
    return any(
        level_of(detail) or detail.entity_type
        for document in documents
        for entity in details_of(document)
        for detail in entity
    )


def attribute(detail: Detail, name: str) -> str | None:
    """Return an attribute of a mention that is text, or None."""
    value = detail.attributes.get(name)
    return value if isinstance(value, str) and value else None


def level_of(detail: Detail) -> str | None:
    """Return the ACE level of a mention: NAM, NOM, PRO, or the file's value."""
    return attribute(detail, "level") or (
        None if detail.kind is None else LEVELS.get(detail.kind, detail.kind)
    )


def entity_type(details: Sequence[Detail]) -> str | None:
    """Return the type of an entity: of its first mention that has one."""
    return next((detail.entity_type for detail in details if detail.entity_type), None)


def entity_attribute(details: Sequence[Detail], name: str) -> str | None:
    """Return an attribute of an entity: of its first mention that has it."""
    return next(filter(None, (attribute(detail, name) for detail in details)), None)


def overlapping(
    key: Sequence[Positions], response: Sequence[Positions]
) -> Iterator[tuple[int, int, int]]:
    """Yield all pairs of sets that share positions: their indexes, and the number shared.

    Examples
    --------
    >>> list(overlapping([frozenset("ab"), frozenset("c")], [frozenset("bx"), frozenset("abc")]))
    [(0, 0, 1), (0, 1, 2), (1, 1, 1)]
    """
    homes: dict[Hashable, list[int]] = defaultdict(list)
    for i, positions in enumerate(key):
        for position in positions:
            homes[position].append(i)
    for j, positions in enumerate(response):
        common: dict[int, int] = {}
        for position in positions:
            for i in homes.get(position, ()):
                common[i] = common.get(i, 0) + 1
        for i in sorted(common):
            yield i, j, common[i]
