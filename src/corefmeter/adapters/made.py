"""The parts that adapters share: names of documents, and a document whose mentions are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, chain
from typing import Any, NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.problems import DataError, Problem


class Named(NamedTuple):
    """An object of a library, and the name of its document; `numbered` if we made the name up."""

    value: Any
    name: str
    numbered: bool = True


def objects_by_name(objects: Any, is_object: Callable[[Any], bool]) -> Iterator[Named]:
    """Yield objects with names: `objects` is one object, a mapping from names, or several.

    `is_object` returns whether a value is one object.
    """
    if is_object(objects):
        yield Named(objects, "document")
    elif isinstance(objects, Mapping):
        yield from (Named(value, str(name), False) for name, value in objects.items())
    else:
        yield from (Named(value, f"document {n}") for n, value in enumerate(objects, 1))


def text_of(sentences: Iterable[Iterable[str]]) -> Text:
    """Return a text of sentences, each a list of words."""
    lists = [list(sentence) for sentence in sentences]
    starts = accumulate(map(len, lists), initial=0)
    return Text(
        [*chain.from_iterable(lists)],
        sentences=[start for start, sentence in zip(starts, lists, strict=False) if sentence],
    )


def document_of_object(
    source: str, named: Named, text: Text, entities: Mapping[Any, Iterable[Any]], **values: Any
) -> Document:
    """Return the document of an object; `source` is the library's name in messages.

    An entity is a list of mentions, or of pairs of a mention and its detail. `values` are further
    arguments of `Document`.
    """
    values = {"unit": "tokens", "tokens": len(text), "text": text, "path": source} | values
    members_of: Members = {}
    for name, mentions in entities.items():
        for item in map(tuple, mentions):
            mention, detail = item if isinstance(item[-1], Detail) else (item, Detail())
            parts = pieces_if_any(mention)
            if not parts or parts[-1][1] > len(text):
                reason = f"the document has {len(text)} {values['unit']}"
                raise bad_span(source, named, mention, reason)
            members_of.setdefault(str(name), []).append((mention, detail))
    ordered = in_text_order(members_of)
    return document_of(named.name, ordered, True, numbered=named.numbered, **values)


def bad_span(source: str, named: Named, mention: Any, reason: str) -> DataError:
    """Return the error for a mention that is not in the text."""
    message = f"there is no mention {mention!r}: {reason}"
    return DataError(Problem("bad-span", message, "error", path=source, document=named.name))


def unannotated(source: str, named: Named, component: str) -> DataError:
    """Return the error for an object without coreference."""
    reason = f"there is no coreference; was {component!r} in the pipeline?"
    return DataError(Problem("missing-field", reason, "error", path=source, document=named.name))
