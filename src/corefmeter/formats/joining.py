"""Documents of several files, or of one name: which are refused, which are joined and how."""

from __future__ import annotations

from collections.abc import Iterable

from corefmeter.corpus.model import Document, Mention
from corefmeter.formats.source import stem
from corefmeter.problems import Problem

__all__ = ["joined", "name_by_file", "repeated_document", "repeated_documents"]


def name_by_file(documents: Iterable[Document]) -> None:
    """Put the name of the file before the names of documents that are only numbered in it.

    Examples
    --------
    >>> document = Document("document 1", [], path="corpus/a.jsonl", numbered=True)
    >>> name_by_file([document])
    >>> document.name
    'a document 1'
    """
    for document in documents:
        file = stem(document.path or "")
        if document.numbered and not document.name.startswith(file):
            document.name = f"{file} {document.name}"


def repeated_documents(documents: list[Document]) -> list[Problem]:
    """Errors for documents that stand in two files."""
    seen: dict[tuple[str, int], Document] = {}
    errors = []
    for document in documents:
        first = seen.setdefault(document.id, document)
        if first is not document:
            errors.append(repeated_document(document, first))
    return errors


def joined(documents: list[Document], path: str) -> list[Document]:
    """Documents of the same name as one, those of the same entity name as one entity.

    A document out of several files has no lines, and its path is that of the whole corpus.
    """
    parts: dict[tuple[str, int], list[Document]] = {}
    for document in documents:
        parts.setdefault(document.id, []).append(document)
    return [same[0] if len(same) == 1 else _concatenated(same, path) for same in parts.values()]


def _concatenated(documents: list[Document], path: str) -> Document:
    entities: dict[str, list[Mention]] = {}
    tokens = 0
    for number, document in enumerate(documents, 1):
        for name, mentions in zip(document.entity_names, document.entities, strict=True):
            # Entities without names are never the same.
            home = name if document.entities_named else f"{number}.{name}"
            entities.setdefault(home, []).extend(_moved(mention, tokens) for mention in mentions)
        tokens += document.tokens or 0
    return Document(
        documents[0].name,
        list(entities.values()),
        part=documents[0].part,
        entity_names=list(entities),
        tokens=tokens,
        path=path,
        unit=documents[0].unit,
    )


def _moved(mention: Mention, tokens: int) -> Mention:
    """A mention that stands so many tokens later."""
    match mention:
        case (int(start), int(end)):
            return start + tokens, end + tokens
        case (int(start), int(end), int(number)):
            return start + tokens, end + tokens, number
        case tuple():
            return tuple(_moved(piece, tokens) for piece in mention)
    return mention


def repeated_document(document: Document, first: Document) -> Problem:
    """The error for a document that stood before."""
    return Problem(
        "repeated-document",
        f"document {document.label!r} stands here again; it began at {first.path}:{first.line}",
        "error",
        path=document.path,
        line=document.line,
        hint="Rename or remove one, or join them with --documents concatenate.",
    )
