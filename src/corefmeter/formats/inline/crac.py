"""The JSON of CRAC's language-model track: tokens with empty nodes, and clusters of tokens.

One object a document, in an array: ``doc_id``, ``tokens``, ``clusters_token_offsets`` (lists of
pairs ``[first, last]``, inclusive, from 0) and, for people, ``clusters_text_mentions``. A token
that begins with ``##`` is an empty node, with or without its form. So positions are not those of a
key: a response is aligned with the words of the key as other marked text is.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    Node,
    all_empty_nodes,
    is_token,
    node_key,
    nodes,
    outer_span,
    pieces_if_any,
)
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.inline import InlineDocument, marked_document
from corefmeter.formats.inline.align import align_to_key
from corefmeter.formats.inline.marks import ZERO, Annotated, Mark
from corefmeter.formats.json_documents import read_json
from corefmeter.formats.json_objects import dumps
from corefmeter.formats.json_shapes import JsonFormat, Shape
from corefmeter.formats.json_writing import words_of
from corefmeter.formats.maverick import has_token_offsets, is_of_crac
from corefmeter.formats.notes import in_cell, lost_problem
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

TITLE = "CRAC JSON"

_SHAPE = Shape("tokens", "words", "clusters_token_offsets", null=True)
_JSON = JsonFormat(TITLE, (_SHAPE,), lambda document, text, clusters: {}, names=("doc_id",))


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have clusters of token offsets in the form of the track."""
    return has_token_offsets(head) and is_of_crac(head)


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; those of a response can be aligned with a key."""
    documents, problems = read_json(_JSON, source, concatenate, details=True)
    marked: list[Document] = list(map(_add_marks, documents))
    if not details:
        for document in marked:
            document.text = None
    return marked, problems


def _add_marks(document: Document) -> InlineDocument:
    """Return a document of tokens as one of text with marks, to be aligned with a key."""
    assert document.text is not None
    words = [
        ZERO if word.startswith("##") else word.replace(ZERO, "\ufffd")
        for word in document.text.words
    ]
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    marks = [
        Mark(starts[start], starts[end] - 1, name, starts[start])
        for name, entity in zip(document.entity_names, document.entities, strict=True)
        for start, end in map(outer_span, entity)
    ]
    return marked_document(
        Annotated(" ".join(words), marks, [(0, 0)], None, document.line or 1),
        document.name,
        path=document.path,
        line=document.line,
        part=document.part,
        numbered=document.numbered,
        entities_named=False,
    )


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus as an array, one document a line; return what cannot be written."""
    problems: list[Problem] = []
    objects = []
    for document in corpus:
        if document.unit != "tokens":
            message = f"the document counts {document.unit}, not tokens, and is left out"
            problems.append(lost_problem(document, message, code="document-unwritten"))
            continue
        objects.append(dumps(_json_values(document, problems)))
    stream.write("[" + ",\n".join(objects) + "]\n")
    return problems


def _json_values(document: Document, problems: list[Problem]) -> dict[str, object]:
    """Return the JSON values of a document; note what the format cannot hold."""
    words = words_of(document).words
    mention_pieces = [p for e in document.entities for m in e for p in pieces_if_any(m)]
    text_nodes = document.text.empty if document.text is not None else None
    empty_nodes = {*(text_nodes or ()), *all_empty_nodes(mention_pieces)}
    order: list[Node] = sorted([*range(len(words)), *empty_nodes], key=node_key)
    place = {node: number for number, node in enumerate(order)}
    # A word has no spaces, which would make it several, and is never the sign of an empty node.
    tokens = [
        re.sub("^##", "_##", in_cell(words[node])) if is_token(node) else "##" for node in order
    ]
    clusters = [_spans_of(entity, place) for entity in document.entities]
    clusters = list(filter(None, clusters))
    gaps = sum(map(len, document.entities)) - sum(map(len, clusters))
    if gaps:
        message = f"mentions with gaps cannot be written in {TITLE}; left out"
        problems.append(lost_problem(document, message, gaps, "mention-unwritten"))
    return {
        "doc_id": document.one_name or document.label,
        "tokens": tokens,
        "clusters_token_offsets": clusters,
        "clusters_text_mentions": [
            [" ".join(tokens[first : last + 1]) for first, last in spans] for spans in clusters
        ],
    }


def _spans_of(entity: list[Mention], place: dict[Node, int]) -> list[list[int]]:
    """Return the first and last place of each mention without a gap."""
    spans = []
    for mention in entity:
        places = sorted(place[node] for node in nodes(mention)) if pieces_if_any(mention) else []
        if places and places[-1] - places[0] < len(places):  # no gap
            spans.append([places[0], places[-1]])
    return spans


FORMAT = Format(
    name="crac",
    title=TITLE,
    sniff=sniff,
    evidence="JSON with `clusters_token_offsets`, in an array with `doc_id`, or with tokens "
    "that begin with `##`",
    read=read,
    write=write,
    align=align_to_key,
)
