"""The attributes that metrics ask of mentions and entities, whatever the format calls them.

Missing is missing: where a side gives no type, class or level, nothing can differ from it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain

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
    """Return the nodes of a mention; a name is a position by itself."""
    try:
        return frozenset(nodes(mention))
    except (TypeError, IndexError):
        return frozenset((mention,))


def details_of(document: Document) -> list[list[Detail]]:
    """Return the details of each mention; empty ones if details were not read."""
    if document.details is not None:
        return document.details
    return [[_NOTHING] * len(entity) for entity in document.entities]


def with_kinds_and_types(key: Document, response: Document) -> tuple[Document, Document]:
    """Add the mention type and entity type to both documents, as far as they are known.

    The values of the file stay. A missing kind, and a missing type, which is that of the named
    entity, are the features of `corefmeter.mentions.features`. Without a named entity there is no
    type, and verbs and adverbs have no level.
    """
    if not any(side.text is not None and side.unit == "tokens" for side in (key, response)):
        return key, response
    features = Features(key, response)
    return _add_features(key, features.key), _add_features(response, features.response)


def _add_features(document: Document, side: SideFeatures) -> Document:
    """Return a document with the kind and type of each mention that the file does not give."""
    described: list[list[Detail]] = []
    for entity, details in zip(document.entities, details_of(document), strict=True):
        described.append([])
        for mention, detail in zip(entity, details, strict=True):
            features = side[mention]
            kind = None if features.kind == "other" else features.kind
            type = None if features.entity_type == "none" else features.entity_type
            described[-1].append(
                detail.replace(kind=detail.kind or kind, entity_type=detail.entity_type or type)
            )
    return document.replace(details=described)


def types_or_levels(documents: Iterable[Document]) -> bool:
    """Return whether any mention has a type or a level."""
    details = chain.from_iterable(chain.from_iterable(map(details_of, documents)))
    return any(level_of(detail) or detail.entity_type for detail in details)


def attribute(detail: Detail, name: str) -> str | None:
    """Return an attribute of a mention that is text, or None."""
    value = detail.attributes.get(name)
    return value if isinstance(value, str) and value else None


def level_of(detail: Detail) -> str | None:
    """Return the ACE level of a mention: NAM, NOM, PRO, or the file's value."""
    kind = detail.kind
    return attribute(detail, "level") or (None if kind is None else LEVELS.get(kind, kind))


def entity_type(details: Sequence[Detail]) -> str | None:
    """Return the type of an entity: of its first mention that has one."""
    return next((detail.entity_type for detail in details if detail.entity_type), None)


def entity_attribute(details: Sequence[Detail], name: str) -> str | None:
    """Return an attribute of an entity: of its first mention that has it."""
    return next(filter(None, (attribute(detail, name) for detail in details)), None)


def overlapping(
    key: Sequence[Positions], response: Sequence[Positions]
) -> Iterator[tuple[int, int, int]]:
    """Yield the indices of each pair of sets that share positions, and the number shared."""
    sets_at: dict[Hashable, list[int]] = defaultdict(list)
    for i, positions in enumerate(key):
        for position in positions:
            sets_at[position].append(i)
    for j, positions in enumerate(response):
        common = Counter(i for position in positions for i in sets_at.get(position, ()))
        for i, number in sorted(common.items()):
            yield i, j, number
