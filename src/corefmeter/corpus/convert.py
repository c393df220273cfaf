"""Plain Python values as a corpus: a list of entities, or a mapping from document names to that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.problems import DataError, Problem

__all__ = ["as_corpus", "as_document", "as_entities"]


def as_corpus(value: Mapping[str, Any] | Iterable[Any]) -> Corpus:
    """A corpus from a mapping ``{name: entities}``, or from the entities of one document.

    Raises
    ------
    DataError
        When a value is not an iterable of iterables of hashable mentions, or the mapping is empty.
    """
    if isinstance(value, Mapping):
        if not value:
            raise DataError(
                Problem("no-document", "the mapping holds no document", "error",
                        hint="Give {name: entities}; a document without mentions is {name: []}.")
            )  # fmt: skip
        return Corpus([as_document(entities, name) for name, entities in value.items()])
    return Corpus([Document("document", as_entities(value), numbered=True)])


def as_document(value: Document | Iterable[Iterable[Any]], name: Any) -> Document:
    """A document as it is under another name, or one of the given entities.

    Parameters
    ----------
    value
        A document, or entities.
    name
        Its name, or ``(name, part)``.
    """
    part = None
    if isinstance(name, tuple) and [type(item) for item in name] == [str, int]:
        name, part = name
    if isinstance(value, Document):
        return value.but(name=str(name), part=part)
    return Document(str(name), as_entities(value, str(name)), part=part)


def as_entities(value: Iterable[Iterable[Any]], document: str | None = None) -> Entities:
    """Entities as lists of hashable mentions; a mention that is a list becomes a tuple.

    An entity without mentions is nothing, and is left out.
    """
    try:
        entities = [mentions for entity in value if (mentions := list(_entity(entity)))]
    except TypeError as error:
        raise _bad(str(error), document) from None
    for entity in entities:
        try:
            set(entity)
        except TypeError:
            entity[:] = [_hashable(mention, document) for mention in entity]
    return entities


def _entity(entity: Iterable[Any]) -> Iterable[Any]:
    if isinstance(entity, (str, bytes, Mapping)):
        raise TypeError(f"an entity is a list of mentions, not {entity!r:.60}")
    return entity


def _hashable(mention: Any, document: str | None) -> Mention:
    if isinstance(mention, list):
        return tuple(_hashable(item, document) for item in mention)
    try:
        hash(mention)
    except TypeError as error:
        raise _bad(str(error), document) from None
    return mention  # type: ignore[no-any-return]  # it was hashed just now


def _bad(reason: str, document: str | None) -> DataError:
    return DataError(
        Problem("bad-value", f"the entities cannot be read: {reason}", "error", document=document,
                hint="Give a list of entities, each a list of mentions: [[(0, 1), (4, 6)], ...].")
    )  # fmt: skip
