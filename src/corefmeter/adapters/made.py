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
    """An object of a library, and the name of its document; `numbered` if we made the name up."""

    value: Any
    name: str
    numbered: bool = True


def objects_by_name(given: Any, is_one: Callable[[Any], bool]) -> Iterator[Named]:
    """Yield all objects with names: `given` is one object, a mapping from names, or several.

    `is_one` returns whether it is one object.
    """
    if is_one(given):
        yield Named(given, "document")
    elif isinstance(given, Mapping):
        yield from (Named(value, str(name), False) for name, value in given.items())
    else:
        yield from (Named(value, f"document {n}") for n, value in enumerate(given, 1))


def text_of(sentences: Iterable[Iterable[str]]) -> Text:
    """Return a text of sentences, each a list of words."""
    lists = [list(sentence) for sentence in sentences]
    starts = accumulate(map(len, lists), initial=0)
    return Text(
        [*chain.from_iterable(lists)],
        sentences=[start for start, sentence in zip(starts, lists, strict=False) if sentence],
    )


def document_of_object(
    source: str,
    one: Named,
    text: Text,
    entities: Mapping[Any, Iterable[Any]],
    **values: Any,
) -> Document:
    """Return the document of an object; `source` is the library's name in messages.

    An entity is a list of mentions, or of pairs of a mention and its detail. `values` are further
    arguments of `Document`.
    """
    values = {"unit": "tokens", "tokens": len(text), "text": text, "path": source} | values
    with_details = {}
    for name, mentions in entities.items():
        tuples: list[Any] = [tuple(mention) for mention in mentions]
        members = [pair if isinstance(pair[-1], Detail) else (pair, Detail()) for pair in tuples]
        for mention, _ in members:
            parts = pieces_if_any(mention)
            if not parts or parts[-1][1] > len(text):
                raise bad_span(source, one, mention, f"{len(text)} {values['unit']}")
        if members:
            with_details[str(name)] = members
    ordered = in_text_order(with_details)
    return document_of(one.name, ordered, True, numbered=one.numbered, **values)


def bad_span(source: str, one: Named, mention: Any, content: str) -> DataError:
    """Return the error for a mention outside of the text, whose length `content` describes."""
    reason = f"there is no mention {mention!r}; the document has {content}"
    return DataError(Problem("bad-span", reason, "error", path=source, document=one.name))


def unannotated(source: str, one: Named, component: str) -> DataError:
    """Return the error for an object that the library has not resolved."""
    reason = f"there is no coreference; was {component!r} in the pipeline?"
    return DataError(Problem("missing-field", reason, "error", path=source, document=one.name))
