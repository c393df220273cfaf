"""The parts that adapters share: names of documents, and a document whose mentions are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, chain
from typing import Any, NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.entities import document_of, in_text_order
from corefmeter.problems import DataError, Problem


class Named(NamedTuple):
    """An object of a library, with the name of its document and whether nobody gave it."""

    value: Any
    name: str
    numbered: bool = True


def objects_by_name(given: Any, is_one: Callable[[Any], bool]) -> Iterator[Named]:
    """Yield an object, those of a mapping from names to objects, or several."""
    if is_one(given):
        yield Named(given, "document")
    elif isinstance(given, Mapping):
        yield from (Named(value, str(name), False) for name, value in given.items())
    else:
        yield from (Named(value, f"document {n}") for n, value in enumerate(given, 1))


def text_of(sentences: Iterable[Iterable[str]]) -> Text:
    """Return a text of sentences, each a list of words."""
    found = [list(sentence) for sentence in sentences]
    starts = accumulate(map(len, found), initial=0)
    return Text(
        [*chain.from_iterable(found)],
        sentences=[start for start, sentence in zip(starts, found, strict=False) if sentence],
    )


def document_of_object(
    source: str,
    one: Named,
    text: Text,
    entities: Mapping[Any, Iterable[Any]],
    **values: Any,
) -> Document:
    """Return the document of an object; `source` is the library's name in messages.

    Each entity is a list of mentions with or without details; `values` are others of a `Document`.
    """
    values = {"unit": "tokens", "tokens": len(text), "text": text, "path": source} | values
    found = {}
    for name, mentions in entities.items():
        spans: list[Any] = [tuple(mention) for mention in mentions]
        members = [span if isinstance(span[-1], Detail) else (span, Detail()) for span in spans]
        for mention, _ in members:
            parts = pieces_if_any(mention)
            if not parts or parts[-1][1] > len(text):
                raise bad_span(source, one, mention, f"{len(text)} {values['unit']}")
        if members:
            found[str(name)] = members
    return document_of(one.name, in_text_order(found), True, numbered=one.numbered, **values)


def bad_span(source: str, one: Named, mention: Any, there: str) -> DataError:
    """Return the error for a mention that is not in the text, with what is there."""
    reason = f"there is no mention {mention!r}; the document has {there}"
    return DataError(Problem("bad-span", reason, "error", path=source, document=one.name))


def unannotated(source: str, one: Named, component: str) -> DataError:
    """Return the error for an object in which the library has not looked for coreference."""
    reason = f"nothing is known of coreference; was {component!r} in the pipeline?"
    return DataError(Problem("missing-field", reason, "error", path=source, document=one.name))
