"""Documents of several files, or of one name: which are refused, which are joined and how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import move_mention
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.source import stem
from corefmeter.problems import Problem

_NUMBER = re.compile(r"document \d+")


def name_by_file(documents: Iterable[Document], problems: Iterable[Problem]) -> list[Problem]:
    """Put the name of the file before the names of documents that are only numbered in it."""
    labels: dict[tuple[str | None, str | None], str] = {}
    for document in documents:
        # Some formats call it as its file already.
        if document.numbered and _NUMBER.fullmatch(document.name):
            before = document.label
            document.name = f"{stem(document.path or '')} {document.name}"
            labels[document.path, before] = document.label
    return [
        problem._replace(document=labels.get((problem.path, problem.document), problem.document))
        for problem in problems
    ]


def repeated_documents(documents: list[Document]) -> list[Problem]:
    """Return errors for documents that occur in two files."""
    seen: dict[tuple[str, int], Document] = {}
    errors = []
    for document in documents:
        first = seen.setdefault(document.id, document)
        if first is not document:
            errors.append(repeated_document(document, first))
    return errors


def join_documents(documents: list[Document], path: str) -> tuple[list[Document], list[Problem]]:
    """Documents of the same name as one, those of the same entity name as one entity.

    A document out of several files has no line, and its path is that of the whole corpus. The
    positions of the second go on from the length of the first, in tokens or characters; where that
    is not known, or one counts tokens and one characters, they are refused.
    """
    parts: dict[tuple[str, int], list[Document]] = {}
    for document in documents:
        parts.setdefault(document.id, []).append(document)
    whole, errors = [], []
    for same in parts.values():
        if len(same) == 1:
            whole += same
        elif len({part.unit for part in same}) == 1 and all(map(_has_length, same)):
            whole.append(_concatenated(same, path))
        else:
            which = "only documents whose length is known and that count the same can be joined"
            hint = f"Rename or remove one; {which}."
            errors += [repeated_document(part, same[0])._replace(hint=hint) for part in same[1:]]
    return whole, errors


def _has_length(document: Document) -> bool:
    """Return whether the length of a document is known; names have none."""
    return document.tokens is not None or document.unit == "names"


def _concatenated(documents: list[Document], path: str) -> Document:
    """Return documents of one name as one."""
    from corefmeter.corpus.relations import Relations

    entities: dict[str, tuple[list[Mention], list[Detail]]] = {}
    tokens = 0
    relations: list[Relations] = []
    unread: Counter[str] = Counter()
    for number, document in enumerate(documents, 1):
        shift = tokens.__add__
        details = document.details or [[Detail()] * len(entity) for entity in document.entities]
        everything = zip(document.entity_names, document.entities, details, strict=True)
        for name, mentions, known in everything:
            # Entities without names are never the same.
            home = name if document.entities_named else f"{number}.{name}"
            spans, of_spans = entities.setdefault(home, ([], []))
            spans += [move_mention(mention, shift, shift) for mention in mentions]
            of_spans += [detail.moved(shift, shift) for detail in known]
        if document.relations is not None:
            of_part = document.relations.moved(shift, shift)
            named = document.entities_named
            relations.append(of_part if named else of_part.renamed(f"{number}.".__add__))
        unread.update(document.unread)
        tokens += document.tokens or 0
    first = documents[0]
    texts = [document.text for document in documents if document.text is not None]
    known_everywhere = all(document.details is not None for document in documents)
    return first.replace(
        entities=[spans for spans, _ in entities.values()],
        entity_names=list(entities),
        entities_named=all(document.entities_named for document in documents),
        tokens=None if first.tokens is None else tokens,
        path=path,
        line=first.line if first.path == path else None,
        breaks=[],
        details=[known for _, known in entities.values()] if known_everywhere else None,
        text=joined_texts([(text, 0) for text in texts]) if len(texts) == len(documents) else None,
        relations=Relations().joined(*relations) if len(relations) == len(documents) else None,
        unread=dict(unread),
        attributes={},
    )


def joined_texts(parts: Sequence[tuple[Text, int]]) -> Text:
    """Several texts as one, with what is known of all."""
    # A truncated parse counts as no parse.
    whole_trees = all(not overlap or overlap in text.sentences for text, overlap in parts)
    names = ("words", "pos", "upos", "relations", "speakers", *(["parse"] * whole_trees))
    layers: dict[str, list[Any]] = {name: [] for name in (*names, "heads", "entity_types")}
    sentences: list[int] = []
    length = 0
    for text, overlap in parts:
        shift = length - overlap
        found = {name: getattr(text, name) for name in names}
        found = {name: layer and layer[overlap:] for name, layer in found.items()}
        heads, types = text.heads, text.entity_types
        found["heads"] = heads and [h if h < 0 else h + shift for h in heads[overlap:]]
        found["entity_types"] = types and [
            (start + shift, end + shift, type) for start, end, type in types if end > overlap
        ]
        layers = {name: layer for name, layer in layers.items() if found[name] is not None}
        for name, layer in layers.items():
            layer += found[name]
        sentences += [token + shift for token in text.sentences if token >= overlap]
        length += len(text) - overlap
    first, _ = parts[0]
    unknown = dict.fromkeys((*names, "heads", "entity_types", "parse"))
    return first.replace(**unknown | layers, sentences=sentences, lines=None)


def repeated_document(document: Document, first: Document) -> Problem:
    """Return the error for a document that stood before."""
    hint = "Rename or remove one."
    if _has_length(document):
        hint = "Rename or remove one, or join them with --documents concatenate."
    if document.path != first.path:
        hint += " Give files of different systems or runs one by one, as in FOLDER/*."
    reason = f"the document occurs again here; it began at {first.path}:{first.line}"
    return document.problem("repeated-document", reason, "error", hint)
