"""Frames of mentions: pandas, Polars, or any mapping from columns to values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from corefmeter.adapters.made import Named, document_of_object
from corefmeter.calls import checked_call, is_missing
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
        A mapping from names to columns: `entity`, `start`, `end` and, if there are several
        documents, `document`.
    texts
        The text of each document, which `align` needs: a list of words if positions count words, or
        a string if they count characters. Documents without mentions also count.
    document, entity, start, end
        The names of the columns.
    inclusive
        Whether `end` is the last token of a mention, not the one after it.

    Raises
    ------
    DataError
        ``missing-field`` for a missing column, ``bad-value`` for a row without an entity or without
        whole numbers, ``no-words`` for a document without a text when others have one, ``bad-span``
        for a mention that is not in the text.

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
            raise _frame_error("missing-field", f"there is no column {column!r}")
    by_document: dict[str, dict[Any, list[Any]]] = {name: {} for name in texts or ()}
    rows = zip(*map(frame.__getitem__, columns), strict=True)
    for name, label, first, last in ((("document", *row) if numbered else row) for row in rows):
        try:
            span = index(first), index(last) + int(inclusive)
        except TypeError:
            reason = f"{first!r} or {last!r} is not a whole number"
            raise _frame_error("bad-value", reason) from None
        if is_missing(label):
            raise _frame_error("bad-value", f"the mention {span} has no entity")
        if is_missing(name) or not str(name):
            raise _frame_error("bad-value", f"the mention {span} has no document")
        by_document.setdefault(str(name), {}).setdefault(label, []).append(span)
    documents = []
    for name, entities in by_document.items():
        if texts is None:
            names = list(map(str, entities))
            converted = Document(name, [*entities.values()], entity_names=names, numbered=numbered)
        elif name in texts:
            converted = _document_with_text(Named(texts[name], name, numbered), entities)
        else:
            raise _frame_error("no-words", f"there is no text of document {name!r}")
        documents.append(converted)
    return Corpus(documents)


def _document_with_text(named: Named, entities: Mapping[Any, list[Any]]) -> Document:
    """Return a document whose text is a string, of characters, or a list of words."""
    is_string = isinstance(named.value, str)
    text = Text([*named.value], between="" if is_string else " ")
    unit = "characters" if is_string else "tokens"
    return document_of_object("<frame>", named, text, entities, unit=unit)


def _frame_error(code: str, reason: str) -> DataError:
    return DataError(Problem(code, reason, "error", path="<frame>"))
