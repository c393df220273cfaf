"""Frames of mentions: pandas, Polars, or any mapping from columns to values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from corefmeter.adapters.made import Named, document_of_object
from corefmeter.calls import checked_call
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.problems import DataError, Problem


@checked_call()
def from_frame(
    frame: Any,
    texts: Mapping[str, str | Sequence[str]] | None = None,
    *,
    document: str = "document",
    entity: str = "entity",
    start: str = "start",
    end: str = "end",
    inclusive: bool = False,
) -> Corpus:
    """Convert a frame with a row for each mention.

    Parameters
    ----------
    frame
        With the columns of the next four; without that of documents it is one document.
    texts
        The text of each document, which `align` needs: words, if positions count these; a string,
        if they count characters. A document without mentions is one too.
    document, entity, start, end
        The names of the columns.
    inclusive
        Whether `end` is the last token of a mention, not the one after it.

    Raises
    ------
    DataError
        ``missing-field`` for a column that is not there, ``bad-value`` for a row without an entity
        or whole numbers, ``no-words`` for a document without a text when others have one,
        ``bad-span`` for a mention that is not in the text.

    Examples
    --------
    >>> frame = {"entity": [1, 1, 2], "start": [0, 4, 2], "end": [1, 5, 4]}
    >>> from_frame(frame).documents[0].entities
    [[(0, 1), (4, 5)], [(2, 4)]]
    """
    numbered = document not in frame
    columns = [entity, start, end] if numbered else [document, entity, start, end]
    for column in columns:
        if column not in frame:
            raise _wrong("missing-field", f"there is no column {column!r}")
    found: dict[str, dict[Any, list[Any]]] = {name: {} for name in texts or ()}
    for *of, name, first, last in zip(*(frame[column] for column in columns), strict=True):
        entities = found.setdefault(str(*of) or "document", {})
        try:
            span = index(first), index(last) + inclusive
        except TypeError:
            raise _wrong("bad-value", f"no whole numbers: {first!r} and {last!r}") from None
        if name is None or name != name:
            raise _wrong("bad-value", f"the mention {span} has no entity")
        entities.setdefault(name, []).append(span)
    documents = []
    for name, entities in found.items():
        if texts is None:
            names = list(map(str, entities))
            made = Document(name, [*entities.values()], entity_names=names, numbered=numbered)
        elif name in texts:
            made = _with_text(Named(texts[name], name, numbered), entities)
        else:
            raise _wrong("no-words", f"there is no text of document {name!r}")
        documents.append(made)
    return Corpus(documents)


def _with_text(one: Named, entities: Mapping[Any, list[Any]]) -> Document:
    is_string = isinstance(one.value, str)
    text = Text([*one.value], between="" if is_string else " ")
    unit = "characters" if is_string else "tokens"
    return document_of_object("<frame>", one, text, entities, unit=unit)


def _wrong(code: str, reason: str) -> DataError:
    return DataError(Problem(code, reason, "error", path="<frame>"))
