"""Text with marks in it, as language models are asked to write it.

There are four styles of marks. A file has one of them, which is recognized:

``brackets``
    ``[the big dog]_1 saw [its]_1 tail``, also ``]_{1}``, ``]{1}``, ``](#1)``, ``](1)``, ``]#1``,
    ``]^1`` and ``]₁``. A mention in several entities has several names: ``]_{1,2}``.
``inside``
    ``[the big dog | 1] saw [its | 1] tail``, also with a colon, or with the name first, a number.
``tags``
    ``<e1>its</e1>``, ``<mention id="1">its</mention>`` or ``<m> its | 1 </m>``. The name of the
    entity is the tag if it has a digit, or an attribute (`ENTITY`). Tags may cross.
``words``
    ``the|[e1 big dog|e1] saw its|[e1] tail``: marks follow the word where a mention begins or
    ends; ``##`` begins an empty node. The plain text of CRAC 2025, one document a line.

A sign behind a backslash is a part of the text, and so are brackets without a name. Documents begin
with a line ``# document NAME`` or ``#begin document (NAME); part 000``. Or each document is a file
of its name, or a JSON line ``{"doc_id": …, "text": …}``.

The tokens of such a file are the words between white space, split where a mention begins or ends.
As a response, it is aligned with the words of the key; see `corefmeter.formats.inline.align`. Wrong
marks are errors in a key, and repaired in a response.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import EmptyNode, mention_of
from corefmeter.corpus.text import Text
from corefmeter.formats.base import ReadResult
from corefmeter.formats.conll_lines import parse_header
from corefmeter.formats.inline.marks import STYLES, ZERO, Annotated, parse, style_of
from corefmeter.formats.inline.writing import TITLE
from corefmeter.formats.json_documents import Reader
from corefmeter.formats.json_objects import keys_of, objects
from corefmeter.formats.json_shapes import NAMES
from corefmeter.formats.notes import Lines, Notes, numbered_lines, whole_text
from corefmeter.formats.source import Source, expand, stem
from corefmeter.problems import Problem, unknown

NAME = "inline"

#: With at most so many wrong marks, a text is not refused.
FEW = 4

_HEADER = re.compile(
    r"""\n\#[^\S\n]*
        (?: (?P<end> end [^\S\n]+ document\b .*)
          | (?: (?:begin [^\S\n]+)? document\b [ \t:]*
              | newdoc [^\S\n]+ id [^\S\n]* = [^\S\n]* ) (?P<name> .*) )""",
    re.IGNORECASE | re.VERBOSE,
)

#: A line that is not blank.
_FILLED = re.compile(r"^[^\S\n]*+\S.*", re.MULTILINE)


class InlineDocument(Document):
    """A document with the text that its marks were in, to be aligned with a key.

    `marked` is the text with its marks, if it is one line of a file where each is a document.
    """

    __slots__ = ("annotated", "marked")

    annotated: Annotated
    marked: str | None


class _Part(NamedTuple):
    """The text of a document, and its first line."""

    name: str
    part: int | None
    numbered: bool
    text: str
    line: int


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; those of a response can be aligned with a key."""
    notes = Notes(source.path)
    documents = marked_documents(source, notes, strict=source.side == "key")
    if not details:
        for document in documents:
            document.text = None
    return notes.result([*documents], concatenate)


def read_marked(source: str, style: str | None = None) -> Corpus:
    """Return a corpus of files, or of the text itself; see `corefmeter.read_inline`.

    A string with white space or marks in it that is not a path is the text.
    """
    is_text = any(map(str.isspace, source)) or style_of(source) is not None
    if is_text and not os.path.lexists(source):
        notes = Notes("<text>")
        return Corpus([*documents_of(source, notes, style)], format=NAME, problems=notes.finish())
    all_documents: list[Document] = []
    problems: list[Problem] = []
    digests: dict[str, str] = {}
    for path in expand(source):
        notes = Notes(path)
        with Source(path, "response") as file:
            documents = marked_documents(file, notes, style)
            digests[path] = file.digest
        all_documents += notes.distinct([*documents], False)
        problems += notes.finish()
    return Corpus(all_documents, path=source, format=NAME, digests=digests, problems=problems)


def marked_documents(
    source: Source, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """Return the documents of a file; an error if most marks are wrong."""
    if b"text" in keys_of(source.head):
        documents = _json_documents(source, notes, style, strict)
    else:
        text = whole_text(numbered_lines(source, notes), source.path)
        documents = documents_of(text, notes, style, strict=strict)
    wrong = sum(document.annotated.wrong for document in documents)
    right = sum(len(document.annotated.marks) for document in documents)
    if wrong > max(right, FEW):
        message = f"{wrong} marks would be left out or repaired, and {right} are right"
        hint = f"Check that the marks are in one of the styles {', '.join(STYLES)}."
        notes.error("no-coreference", message, hint=hint)
    return documents


def _json_documents(
    source: Source, notes: Notes, style: str | None, strict: bool
) -> list[InlineDocument]:
    """Return the documents of JSON lines with a name and a text."""
    reader = Reader(source, False, TITLE)
    parts = []
    for record in objects(source, reader):
        text = record.values.get("text")
        if isinstance(text, str):
            parts.append(_Part(*reader.read_name(record, *NAMES), text, record.line))
        elif "text" in record.values:
            record.unexpected("text", text, "a string")
        else:
            reader.report_missing(record, ["text"])
    for problem in (*reader.errors, *reader.warnings):
        notes.keep(problem)
    common = style_of("\n".join(part.text for part in parts))
    return [
        _parse_part(part, notes, style or style_of(part.text) or common, strict, one_line=True)
        for part in parts
    ]


def documents_of(
    text: str, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """Return the documents of a text, which headers may divide.

    Without a style, the style of each document is that of most of its marks. Wrong marks are errors
    if `strict`.
    """
    common = _check_style(style) or style_of(text)
    parts = list(_split_documents(text, notes, common))
    documents = []
    for part in parts:
        part_style = common if style or part.text is text else style_of(part.text) or common
        document = _parse_part(part, notes, part_style, strict)
        if document.numbered and len(parts) > 1 and part_style == "words":
            document.marked = part.text  # its line; all lines may be one document of the key
        documents.append(document)
    return documents


def text_document(
    text: str, notes: Notes, style: str | None = None, *, strict: bool = False
) -> InlineDocument:
    """Return a text's single document; lines that look like headers are treated as text."""
    part = _Part(stem("-"), None, True, text, 1)
    return _parse_part(part, notes, _check_style(style) or style_of(text), strict)


def _check_style(style: str | None) -> str | None:
    """Return a style; raise an error if there is none of this name."""
    if style is not None and style not in STYLES:
        raise unknown("style", style, STYLES)
    return style


def _split_documents(text: str, notes: Notes, style: str | None) -> Iterator[_Part]:
    """Yield the documents of a text, at its headers; in the style ``words`` else a line each."""
    # A newline before the text: each header then ends, by its offset, where a line of `text` does.
    headers = list(_HEADER.finditer(f"\n{text}"))
    lines = Lines(text)
    if all(match["end"] for match in headers):
        filled = list(_FILLED.finditer(text)) if style == "words" else []
        if len(filled) > 1:
            for count, match in enumerate(filled, 1):
                line, _ = lines.place(match.start())
                yield _Part(f"document {count}", None, True, match[0], line)
        elif _FILLED.search(text):
            yield _Part(stem(notes.path), None, True, text, 1)
        return
    ends = [*(match.start() for match in headers[1:]), len(text) + 1]
    outside = list(_FILLED.finditer(text, 0, headers[0].start()))
    unnamed = 0
    for match, end in zip(headers, ends, strict=True):
        if match["end"]:
            outside += _FILLED.finditer(text, match.end(), end)
            continue
        name, part = parse_header(match["name"].strip().encode())
        numbered = not name
        if numbered:
            unnamed += 1
            name = f"document {unnamed}"
        line, _ = lines.place(match.start())
        yield _Part(name, part, numbered, text[match.end() : end - 1], line + 1)
    if outside:
        line, _ = lines.place(outside[0].start())
        notes.warn("outside-document", "a line outside any document", line, count=len(outside))


def _parse_part(
    part: _Part, notes: Notes, style: str | None, strict: bool, one_line: bool = False
) -> InlineDocument:
    """Return the document of a part; `one_line` if it is one line of its file, as in JSON."""
    name, number, numbered, text, line = part
    annotated = parse(
        text, style or "brackets", notes, first_line=line, strict=strict, one_line=one_line
    )
    place = {"path": notes.path, "line": line}
    return marked_document(annotated, name, part=number, numbered=numbered, **place)


def marked_document(annotated: Annotated, name: str, **values: Any) -> InlineDocument:
    """Return a document that can be aligned with a key.

    Its tokens are the words between white space, cut where a mention begins or ends.
    """
    zeros = annotated.zeros()
    plain = annotated.text.replace(ZERO, " ")
    borders = {border for mark in annotated.marks for border in (mark.start, mark.end)}
    words: list[str] = []
    tokens_before = {}  # the number of tokens before a character
    for start, end in pairwise([*sorted({0, *borders, *zeros}), len(plain)]):
        tokens_before[start] = len(words)
        words += plain[start:end].split()
    tokens_before[len(plain)] = len(words)
    counts: Counter[int] = Counter()
    nodes: list[EmptyNode] = []
    for at in map(tokens_before.__getitem__, zeros):
        counts[at] += 1
        nodes.append((at, at, counts[at]))
    entities: dict[str, list[Mention]] = {}
    for mark in annotated.mentions():
        inside = nodes[bisect_left(zeros, mark.start) : bisect_left(zeros, mark.end)]
        mention = with_zeros(tokens_before[mark.start], tokens_before[mark.end], inside)
        if mention is not None:
            entities.setdefault(mark.entity, []).append(mention)
    document = InlineDocument(
        name,
        list(entities.values()),
        entity_names=list(entities),
        tokens=len(words),
        text=Text(words, empty=dict.fromkeys(nodes, ())),
        **values,
    )
    document.annotated = annotated
    document.marked = None
    return document


def with_zeros(start: int, end: int, zeros: list[EmptyNode]) -> Mention | None:
    """Return a mention of tokens and of empty nodes among them; None without any."""
    run = [(start, end)] if start < end else []
    if zeros:
        return mention_of([*run, *zeros])
    return run[0] if run else None
