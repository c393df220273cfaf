"""Writing the JSON formats: words and spans as their fields hold them."""

from __future__ import annotations

from itertools import pairwise
from typing import IO

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import is_empty, pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.formats.json_objects import dumps
from corefmeter.formats.json_shapes import JsonFormat, Spans, document_keys
from corefmeter.formats.notes import lost_problem
from corefmeter.formats.writing import token_count
from corefmeter.problems import Problem


def write_json(format: JsonFormat, corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object a line.

    Words that were not read are written as ``_``. What the format cannot express is returned as
    problems: mentions with gaps, empty nodes, documents that count characters or have no text where
    the format needs the other.
    """
    problems: list[Problem] = []
    documents = list(corpus)
    if format.names[0] == "doc_key":
        keys = zip(documents, document_keys(documents), strict=True)
        documents = [document.replace(spelled=key) for document, key in keys]
    for document in documents:
        reason = ""
        if format.shapes[0].holds == "text":
            if document.text is None or document.unit == "names":
                reason = "the document has no text and is left out"
        elif document.unit != "tokens":
            reason = f"the document counts {document.unit}, not tokens; it cannot be written in "
            reason += f"{format.title} and is left out"
        if reason:
            problems.append(lost_problem(document, reason, code="document-unwritten"))
            continue
        clusters, left_out = spans_to_write(document, format.title)
        problems += left_out
        text = words_of(document)
        if format.within_sentences:
            before = sum(map(len, clusters))
            clusters = _within_sentences(text, clusters)
            if crossing := before - sum(map(len, clusters)):
                reason = f"mentions across sentences cannot be written in {format.title}; left out"
                problems.append(lost_problem(document, reason, crossing, "mention-unwritten"))
        stream.write(dumps(format.values(document, text, clusters)) + "\n")
    return problems


def spans_to_write(document: Document, format: str) -> tuple[Spans, list[Problem]]:
    """Return the entities of a document that are spans, and what cannot be written.

    Left out, one problem for each kind: mentions with gaps, with empty nodes, and those that are no
    spans at all.
    """
    written: Spans = []
    left_out = {"gaps": 0, "empty nodes": 0, "": 0}
    for entity in document.entities:
        spans = []
        for mention in entity:
            match pieces_if_any(mention):
                case ((start, end),):
                    spans.append((start, end))
                case ():
                    left_out[""] += 1
                case parts:
                    left_out["empty nodes" if any(map(is_empty, parts)) else "gaps"] += 1
        if spans:
            written.append(spans)
    problems = []
    for what, count in left_out.items():
        if count:
            kind = f"mentions with {what}" if what else "mentions that are no spans"
            message = f"{kind} cannot be written in {format}; left out"
            problems.append(lost_problem(document, message, count, "mention-unwritten"))
    return written, problems


def with_inclusive_ends(clusters: Spans) -> list[list[list[int]]]:
    """Return entities for formats with inclusive ends."""
    return [[[start, end - 1] for start, end in mentions] for mentions in clusters]


def sentences_of(text: Text, values: list[str]) -> list[list[str]]:
    """Split a list with a value for each token into sentences."""
    return [values[start:end] for start, end in pairwise([*text.sentences, len(text)])]


def _within_sentences(text: Text, clusters: Spans) -> Spans:
    """Return the entities without mentions across sentences."""
    within = [
        [span for span in mentions if text.sentence_of(span[0]) == text.sentence_of(span[1] - 1)]
        for mentions in clusters
    ]
    return list(filter(None, within))


def words_of(document: Document) -> Text:
    """Return the words of a document; as many ``_`` as there are tokens if they were not read."""
    return Text(["_"] * token_count(document)) if document.text is None else document.text
