"""Documents of several files or with the same name: naming, refusing and joining them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import move_mention
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.source import stem
from corefmeter.problems import Problem

_NUMBER = re.compile(r"document \d+")


def name_by_file(documents: Iterable[Document], problems: Iterable[Problem]) -> list[Problem]:
    """Prefix the names of documents that are only numbered with the name of their file.

    Return the problems with these names.
    """
    new_labels: dict[tuple[str | None, str | None], str] = {}  # by path and old label
    for document in documents:
        # Some formats name a document after its file already.
        if document.numbered and _NUMBER.fullmatch(document.name):
            old_label = document.label
            document.name = f"{stem(document.path or '')} {document.name}"
            new_labels[document.path, old_label] = document.label

    def renamed(problem: Problem) -> Problem:
        label = new_labels.get((problem.path, problem.document), problem.document)
        return problem._replace(document=label)

    return list(map(renamed, problems))


def repeated_documents(documents: list[Document]) -> list[Problem]:
    """Return an error for each document whose name and part an earlier document has."""
    first_by_id: dict[tuple[str, int], Document] = {}
    errors = []
    for document in documents:
        first = first_by_id.setdefault(document.id, document)
        if first is not document:
            errors.append(repeated_document(document, first))
    return errors


def join_documents(documents: list[Document], path: str) -> tuple[list[Document], list[Problem]]:
    """Join documents of the same name, and in them the entities of the same name.

    Returned are the documents, and errors for those that cannot be joined. The positions of the
    second document continue those of the first, so its length must be known, and both must count
    tokens or both characters. A document from several files has no line, and the corpus's path.
    """
    by_id = grouped((document.id, document) for document in documents)
    joined, errors = [], []
    for parts in by_id.values():
        if len(parts) == 1:
            joined += parts
        elif len({part.unit for part in parts}) == 1 and all(map(_has_length, parts)):
            joined.append(_join_parts(parts, path))
        else:
            hint = "Rename or remove one. Only documents with a known length and the same unit can "
            hint += "be joined."
            first, *following = parts
            errors += [repeated_document(part, first)._replace(hint=hint) for part in following]
    return joined, errors


def _has_length(document: Document) -> bool:
    """Return whether the length of a document is known; names have none."""
    return document.tokens is not None or document.unit == "names"


def _join_parts(documents: list[Document], path: str) -> Document:
    """Return one document with the entities, details, texts and relations of several."""
    from corefmeter.corpus.relations import Relations

    entities: dict[str, list[Mention]] = {}
    details: dict[str, list[Detail]] = {}
    tokens = 0
    relations: list[Relations] = []
    unread: Counter[str] = Counter()
    for number, document in enumerate(documents, 1):
        shift = tokens.__add__
        # Entities without names are never the same, so the names of each document differ.
        rename = "".__add__ if document.entities_named else f"{number}.".__add__
        names = list(map(rename, document.entity_names))
        for name, mentions in zip(names, document.entities, strict=True):
            moved = (move_mention(mention, shift, shift) for mention in mentions)
            entities.setdefault(name, []).extend(moved)
        for name, known in zip(names, document.details or (), strict=False):
            details.setdefault(name, []).extend(detail.moved(shift, shift) for detail in known)
        if document.relations is not None:
            relations.append(document.relations.moved(shift, shift).renamed(rename))
        unread.update(document.unread)
        tokens += document.tokens or 0
    first = documents[0]
    texts = [document.text for document in documents if document.text is not None]
    known_everywhere = all(document.details is not None for document in documents)
    return first.replace(
        entities=list(entities.values()),
        entity_names=list(entities),
        entities_named=all(document.entities_named for document in documents),
        tokens=None if first.tokens is None else tokens,
        path=path,
        line=first.line if first.path == path else None,
        breaks=[],
        details=list(details.values()) if known_everywhere else None,
        text=joined_texts([(text, 0) for text in texts]) if len(texts) == len(documents) else None,
        relations=Relations().joined(*relations) if len(relations) == len(documents) else None,
        unread=dict(unread),
        attributes={},
    )


def joined_texts(parts: Sequence[tuple[Text, int]]) -> Text:
    """Join texts; only the annotation that all of them have is kept.

    Each part is a text, and how many of its first words repeat the end of the text before it.
    """
    # A truncated parse counts as no parse.
    whole_trees = all(not overlap or overlap in text.sentences for text, overlap in parts)
    names = ("words", "pos", "upos", "relations", "speakers", *(["parse"] * whole_trees))
    layers: dict[str, list[Any]] = {name: [] for name in (*names, "heads", "entity_types")}
    sentences: list[int] = []
    length = 0
    for text, overlap in parts:
        shift = length - overlap
        # The values of each layer of this text; None for a layer that it does not have.
        own = {name: getattr(text, name) for name in names}
        own = {name: values and values[overlap:] for name, values in own.items()}
        heads, types = text.heads, text.entity_types
        own["heads"] = heads and [h if h < 0 else h + shift for h in heads[overlap:]]
        own["entity_types"] = types and [
            (start + shift, end + shift, type) for start, end, type in types if end > overlap
        ]
        layers = {name: values for name, values in layers.items() if own[name] is not None}
        for name, values in layers.items():
            values += own[name]
        sentences += [token + shift for token in text.sentences if token >= overlap]
        length += len(text) - overlap
    first, _ = parts[0]
    missing = dict.fromkeys((*names, "heads", "entity_types", "parse"))  # None for each layer
    return first.replace(**missing | layers, sentences=sentences, lines=None)


def repeated_document(document: Document, first: Document) -> Problem:
    """Return the error for a document that occurred before."""
    hint = "Rename or remove one."
    if _has_length(document):
        hint = "Rename or remove one, or join them with --documents concatenate."
    if document.path != first.path:
        hint += " Give files of different systems or runs separately, as in FOLDER/*."
    reason = f"the document occurs again here; it began at {first.path}:{first.line}"
    return document.problem("repeated-document", reason, "error", hint)
