"""The output of Maverick: tokens, and clusters of tokens.

One object a document: ``tokens`` (words), ``clusters_token_offsets`` (lists of pairs
``[first, last]``, inclusive, from 0), and for reading by people ``clusters_token_text``,
``clusters_char_offsets`` and ``clusters_char_text``, which may be null. The texts of the mentions
are compared with the tokens, since they show ends that were counted otherwise. The converter of the
CRAC 2025 shared task writes the same fields, in an array, with ``doc_id``.
"""

from __future__ import annotations

import re
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Format
from corefmeter.formats.json_documents import (
    Reader,
    Spans,
    document_key,
    not_tokens,
    spans_to_write,
    words_of,
)
from corefmeter.formats.json_objects import Record, dumps, keys_of
from corefmeter.formats.source import HEAD, Source
from corefmeter.problems import Problem

TITLE = "Maverick JSON"

#: A list of tokens; other files count their tokens under the same name.
_TOKENS = re.compile(rb'"tokens"\s*:\s*\[')

#: Fields that hold the text of each mention.
_TEXTS = ("clusters_token_text", "clusters_text_mentions")


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the objects have clusters of token offsets, or tokens that fill the first block."""
    keys = keys_of(head)
    if b"clusters_token_offsets" in keys:
        return True
    others = keys & {b"clusters", b"sentences", b"text", b"mention_clusters"}
    return bool(_TOKENS.search(head)) and not others and len(head) >= HEAD


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: text that is no JSON, fields that are missing or of another
        shape, spans outside of the document, ends that look exclusive, texts of mentions or of the
        document that are not those of the tokens, the same document twice.
    """
    reader = Reader(source, concatenate, TITLE)
    for record in reader.records():
        missing = [
            field for field in ("tokens", "clusters_token_offsets") if field not in record.values
        ]
        hint = "Fields named as by fastcoref are read with the format fastcoref."
        for field in missing:
            reader.missing(record, field, hint if "clusters" in record.values else None)
        if missing:
            continue
        words = reader.words(record, "tokens")
        if words is None:
            continue
        if record.values["clusters_token_offsets"] is None:  # nothing was predicted yet
            record.values["clusters_token_offsets"] = []
        name, part, numbered = reader.name(record, "doc_key", "doc_id", "id")
        entities = reader.spans(record, "clusters_token_offsets", len(words))
        fits = reader.same_text(record, words)
        if entities is None or not fits or not _same_mentions(record, reader, entities, words):
            continue
        document = Document(
            name,
            reader.without_empty(record, "clusters_token_offsets", entities),
            part=part,
            tokens=len(words),
            numbered=numbered,
            text=Text(words) if details else None,
        )
        reader.add(document, record)
    return reader.result(inclusive=True)


def _same_mentions(record: Record, reader: Reader, entities: Spans, words: list[str]) -> bool:
    """Whether the texts of the mentions, if there are any, are those of their tokens."""
    field = next((field for field in _TEXTS if record.values.get(field)), None)
    if field is None:
        return True

    def text_of(start: int, end: int) -> str:
        return "".join(words[start:end])

    return reader.same_strings(record, field, "clusters_token_offsets", entities, text_of)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object a line; words that were not read are written as ``_``.

    What the format cannot express is returned as problems: mentions with gaps, empty nodes, names
    of entities, and documents that count characters.
    """
    problems: list[Problem] = []
    for document in corpus:
        if document.unit != "tokens":
            problems.append(not_tokens(document, TITLE))
            continue
        clusters, left_out = spans_to_write(document, TITLE)
        problems += left_out
        words = words_of(document, clusters).words
        values: dict[str, Any] = {
            "doc_key": document_key(document),
            "tokens": words,
            "clusters_token_offsets": [
                [[start, end - 1] for start, end in mentions] for mentions in clusters
            ],
            "clusters_token_text": [
                [" ".join(words[start:end]) for start, end in mentions] for mentions in clusters
            ],
            "clusters_char_offsets": None,
            "clusters_char_text": None,
        }
        stream.write(dumps(values) + "\n")
    return problems


FORMAT = Format(
    name="maverick",
    title=TITLE,
    sniff=sniff,
    read=read,
    write=write,
)
