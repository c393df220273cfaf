"""Plain Python values as a corpus: a list of entities, or a mapping from document names to that.

Values that only look like entities are rejected, since their scores would be wrong without any
sign of it. The message shows the value and the form to write. Accepted are

- entities: a list of entities, each a list (or tuple, set, array of spans) of mentions;
- documents: ``{name: entities}``, where a name is a text or number, or ``(name, part)``;
- mentions: any hashable value that is equal to itself elsewhere, such as ``(start, end)``, the
  tuple of such pieces, or a text. Numbers and arrays of NumPy and tensors become Python numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from enum import Enum
from itertools import chain
from operator import index
from typing import Any

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import is_run
from corefmeter.problems import DataError, Problem

_ENTITIES = "Give a list of entities, each a list of mentions: [[(0, 1), (4, 6)], ...]."
_DOCUMENTS = (
    "Give {name: entities}, where entities is a list of entities, each a list of mentions; a "
    "document without mentions is {name: []}."
)


def as_corpus(value: Mapping[Any, Any] | Iterable[Any]) -> Corpus:
    """Return a corpus from a mapping ``{name: entities}``, or from the entities of one document.

    >>> [document.label for document in as_corpus({"a": [["x"]], ("b", 1): []})]
    ['a', '(b); part 001']
    """
    if not isinstance(value, Mapping):
        return _corpus([Document("document", as_entities(value), numbered=True)])
    if not value:
        raise DataError(
            Problem("no-document", "the mapping contains no document", "error", hint=_DOCUMENTS)
        )
    _require_documents(value)
    return _corpus([as_document(entities, name) for name, entities in value.items()])


def _corpus(documents: list[Document]) -> Corpus:
    """Return the corpus, with a warning if its mentions look like entities.

    One mention alone proves nothing, since it may have a gap, or be a tuple of names. But few
    mentions of a corpus have gaps, and tuples of names usually all have the same length.
    """
    mentions = [mention for one in documents for entity in one.entities for mention in entity]
    if not mentions or not all(map(_looks_like_entity, mentions)):
        return Corpus(documents)
    tuples: list[Any] = mentions
    if isinstance(tuples[0][0], str):
        is_suspect = len({*map(len, tuples)}) > 1
    else:
        is_suspect = 4 * sum(len(mention) > 1 for mention in tuples) > len(tuples)
    problems = []
    if is_suspect:
        reason = f"a list of documents? The first mention is {_shown(tuples[0])}"
        problems.append(Problem("bad-value", reason, hint=_DOCUMENTS))
    return Corpus(documents, problems=problems)


def _looks_like_entity(value: Any) -> bool:
    """Return whether a mention is a tuple of spans, or of names."""
    if type(value) is not tuple or not value:
        return False
    return all(map(is_run, value)) or all(isinstance(item, str) for item in value)


def _require_documents(value: Mapping[Any, Any]) -> None:
    """Refuse mappings from mentions to entities, and from entities to mentions."""
    name, entities = next(iter(value.items()))
    if isinstance(name, tuple) and not _is_name_and_part(name):
        raise _bad(f"a mapping from mentions? Its first key is {_shown(name)}", None, _DOCUMENTS)
    if not isinstance(entities, Iterable) or isinstance(entities, str | bytes):
        first_item = f"The value of {_shown(name)} is {_shown(entities)}, no entities"
        raise _bad(f"a mapping from mentions? {first_item}", None, _DOCUMENTS)


def _is_name_and_part(name: Any) -> bool:
    return isinstance(name, tuple) and [*map(type, name)] == [str, int]


def as_document(value: Document | Iterable[Iterable[Any]], name: Any) -> Document:
    """Return a document under another name; entities are made a document of this name."""
    name, part = name if _is_name_and_part(name) else (name, None)
    if isinstance(value, Document):
        return value.replace(name=str(name), part=part, spelled=None)
    return Document(str(name), as_entities(value, str(name)), part=part)


def as_entities(value: Iterable[Iterable[Any]], document: str | None = None) -> Entities:
    """Return entities as lists of hashable mentions; a mention that is a list becomes a tuple.

    An entity without mentions is left out.
    """
    if isinstance(value, Mapping):
        first = _shown(next(iter(value), None))
        raise _bad(f"a mapping is no list of entities; its first key is {first}", document)
    try:
        given = []
        for entity in value:
            if type(entity) is not list and isinstance(entity, str | bytes | Mapping):
                raise _bad(f"an entity is a list of mentions, not {_shown(entity)}", document)
            given.append(list(entity))
    except TypeError as error:
        raise _bad(str(error), document) from None
    _require_entities(value, document)
    entities = [entity for entity in given if entity]
    if _are_plain(entities):
        return entities
    return [[_as_mention(mention, document) for mention in entity] for entity in entities]


def _are_plain(entities: list[list[Any]]) -> bool:
    """Return whether no mention needs conversion: all are names, or all are tuples of integers."""
    types = set(map(type, chain.from_iterable(entities)))
    if types == {tuple}:
        return set(map(type, chain.from_iterable(chain.from_iterable(entities)))) == {int}
    return types <= {str}


def _require_entities(value: Iterable[Any], document: str | None) -> None:
    """Refuse the mentions of a single entity, whose spans look like entities of numbers."""
    if getattr(value, "ndim", 3) < 3:
        raise _bad("an array of spans is one entity", document)
    entities = [*value] if isinstance(value, list | tuple | set | frozenset) else []
    if not entities or any(type(one) is not tuple or len(one) not in (2, 3) for one in entities):
        return
    if all(_number(item) is not None for entity in entities for item in entity):
        raise _bad(f"one entity? {_shown(entities[0])} is a span, not a list of mentions", document)


def _as_mention(mention: Any, document: str | None) -> Mention:
    """Convert a mention to plain Python values; refuse what cannot be compared."""
    if isinstance(mention, str | int):
        return mention
    if _is_entity(mention):
        first = f"The first mention is {_shown(mention)}, itself a list of mentions"
        hint = f"{_DOCUMENTS} A mention of several pieces is a tuple."
        raise _bad(f"a list of documents? {first}", document, hint)
    if type(mention) in (list, tuple):  # a subclass may have an equality of its own
        return tuple([_as_mention(item, document) for item in mention])
    number = _number(mention)
    if number is not None:
        return number
    if callable(getattr(mention, "tolist", None)):  # arrays and tensors
        return _as_mention(_as_tuples(mention.tolist()), document)
    _require_equality(mention, document)
    return mention  # type: ignore[no-any-return]  # it was hashed just now


def _is_entity(value: Any) -> bool:
    """Return whether a value in place of a mention is a list of mentions (lists, arrays, names)."""
    if getattr(value, "ndim", 0) > 1:
        return True
    if getattr(value, "ndim", 0) == 1 and callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, str) for item in value) or all(
        isinstance(item, list | tuple) or getattr(item, "ndim", 0) for item in value
    )


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _number(value: Any) -> int | None:
    """Return a whole number as Python's own; None for anything else, also arrays of one."""
    if isinstance(value, int):
        return value
    with suppress(TypeError, ValueError, RuntimeError):
        if getattr(value, "ndim", 0) == 0:
            return index(value)
    return None


def _require_equality(mention: Any, document: str | None) -> None:
    """Refuse a mention that is compared by identity, or is not equal to itself (NaN)."""
    kind = type(mention)
    try:
        hash(mention)
    except TypeError as error:
        raise _bad(str(error), document) from None
    if all(hasattr(mention, name) for name in ("start", "end", "doc")):
        reason = (
            f"the mention {_shown(mention)} belongs to one object of a text, so no mention of "
            "another is equal to it"
        )
        raise _bad(reason, document, "Give (span.start, span.end).")
    by_identity = getattr(kind, "__eq__", None) is object.__eq__
    if by_identity and mention is not None and not isinstance(mention, Enum):
        reason = (
            f"mentions of {kind.__module__}.{kind.__qualname__} are equal only to themselves, so "
            f"they cannot be compared"
        )
        hint = "Give values that are equal for equal mentions, such as (start, end)."
        raise _bad(reason, document, hint)
    if _is_unequal(mention):
        raise _bad(f"the mention {mention!r} is not equal to itself", document)


def _is_unequal(value: Any) -> bool:
    """Return whether a value or one inside it is not equal to itself; containers hide a NaN."""
    if isinstance(value, tuple | frozenset):
        return any(map(_is_unequal, value))
    fields = getattr(value, "__dataclass_fields__", ())
    return bool(value != value) or any(_is_unequal(getattr(value, name)) for name in fields)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _bad(reason: str, document: str | None, hint: str = _ENTITIES) -> DataError:
    return DataError(Problem("bad-value", reason, "error", hint=hint, document=document))
