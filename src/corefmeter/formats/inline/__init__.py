"""Text with marks in it, as language models are asked to write it.

Five styles of marks; a file keeps to one of them, which is recognised:

``brackets``
    ``[the big dog]_1 saw [its]_1 tail``; the name of the entity follows the closing bracket, in any
    of the ways ``]_1``, ``]_{1}``, ``]{1}``, ``](#1)``, ``](1)``, ``]#1``, ``]^1`` and ``]₁``.
``inside``
    ``[the big dog | 1] saw [its | 1] tail``, also with a colon, or with the name first, a number.
``tags``
    ``<e1>its</e1>``, ``<mention id="1">its</mention>`` or ``<m> its | 1 </m>``. The name of the
    entity is the tag, if there is a digit in it, or an attribute (`ENTITY`).
``words``
    ``the|[e1 big dog|e1] saw its|[e1] tail``: marks follow the word where a mention begins or
    ends, joined by commas; ``##`` begins an empty node. This is the plain text of the
    language-model track of the CRAC 2025 shared task, one document a line, in the order of the key.

Marks may be nested; those of ``tags`` and ``words`` may cross. A mention in several entities is
marked several times, or with several names: ``]_{1,2}``, ``](#1)(#2)``. A backslash before a
bracket, ``<``, ``|``, ``#``, ``{`` or another backslash makes it part of the text; and so are
brackets without a name.

Documents begin with a line ``# document NAME`` or ``#begin document (NAME); part 000``; or each is
a file, called as the document; or a JSON line ``{"doc_id": …, "text": …}``. Without a name,
documents belong to those of the key in order.

By itself such a file is a document whose tokens are the words between white space, cut where a
mention begins or ends. As a response it is aligned with the words of the key, whatever happened to
its own: see `corefmeter.formats.inline.align`. What is wrong with marks is an error in a key, and
repaired, with a warning, in a response.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import EmptyNode, mention_of
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Claim
from corefmeter.formats.conll_lines import header
from corefmeter.formats.inline.evidence import share_of_marks
from corefmeter.formats.inline.marks import STYLES, ZERO, Annotated, parse, style_of
from corefmeter.formats.inline.writing import TITLE
from corefmeter.formats.inline.writing import write as write
from corefmeter.formats.json_documents import Reader
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_shapes import NAMES
from corefmeter.formats.notes import Notes, numbered_lines, whole_text
from corefmeter.formats.source import Source, expand, stem
from corefmeter.problems import Problem, unknown

NAME = "inline"

#: A mark that is not rare enough in other texts to be a sign by itself.
_NUMBERED_LINK = re.compile(r"\[[^\[\]]+\]\(\d+\)")

#: What no text with marks contains.
_CONTRADICTIONS = {
    re.compile(r"\A\s*<[?!]"): "it is XML or HTML",
    re.compile(r"<COREF\b[^<>]*\bREF=", re.IGNORECASE): "its marks refer to other marks",
    re.compile(r"^<(?:DOC DOCNO|TEXT PARTNO|referent id)\b", re.MULTILINE): (
        "it is SGML of OntoNotes or GUM, which is not read; take their files of CoNLL or WebAnno"
    ),
}
#: What is not in most lines of a text with marks.
_IN_MOST_LINES = {
    re.compile(r"\S\t"): "most lines are columns with TABs between",
    re.compile(
        r"\A\W*(?:\d{4}[-/.]\d\d?[-/.]\d|\d\d?:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:)"
    ): "most lines begin with a time",
}

#: So many wrong marks are never most of a text.
FEW = 4

_HEADER = re.compile(
    r"\#\s*(?P<end>end\s+document\b.*)|\#\s*(?:begin\s+)?document\b[ \t:]*(?P<name>.*)"
    r"|\#\s*newdoc\s+id\s*=\s*(?P<id>.*)",
    re.IGNORECASE,
)

#: A line that is not blank.
_FILLED = re.compile(r"^[^\S\n]*+\S.*", re.MULTILINE)

#: Name and part of a document, and whether the name only says which it is.
_Name = tuple[str, int | None, bool]


class InlineDocument(Document):
    """A document with the text that its marks were in, to be aligned with a key.

    `marked` is the text with its marks, if it is one line of a file where each is a document.
    """

    __slots__ = ("annotated", "marked")

    annotated: Annotated
    marked: str | None


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a text by the share of its brackets and tags that are marks in one style."""
    if not any(sign in head for sign in (b"]", b"</")):
        return None
    text = head.decode("utf-8", "replace")
    keys = keys_of(head)
    if keys:
        marked = b"text" in keys and style_of(text.replace('\\"', '"')) is not None
        return Claim() if marked else None
    style = style_of(text)
    if len(_NUMBERED_LINK.findall(text)) > 2:
        style = "brackets"
    if style is None:
        return None
    for sign, contradiction in _CONTRADICTIONS.items():
        if sign.search(text):
            return Claim(0.0, contradiction)
    lines = [line for line in text.splitlines() if line.strip()]
    for of_line, contradiction in _IN_MOST_LINES.items():
        if 2 * sum(map(bool, map(of_line.search, lines))) > len(lines):
            return Claim(0.0, contradiction)
    return Claim(share_of_marks(text, style))


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file; those of a response can be aligned with a key.

    Raises
    ------
    DataError
        With all errors of the file; in a key, also marks that are wrong.
    """
    notes = Notes(source.path)
    found = marked_documents(source, notes, strict=source.side == "key")
    if not details:
        for document in found:
            document.text = None
    return notes.result([*found], concatenate)


def marked_documents(
    source: Source, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """Return the documents of a file; see `documents_of`."""
    if b"text" in keys_of(source.head):
        found = _from_json(source, notes, style, strict)
    else:
        text = whole_text(numbered_lines(source, notes), source.path)
        found = documents_of(text, notes, style, strict=strict)
    wrong = sum(document.annotated.wrong for document in found)
    kept = sum(len(document.annotated.marks) for document in found)
    if wrong > max(kept, FEW):
        message = f"{wrong} marks would be left out or repaired, and {kept} are right"
        hint = f"See which marks can be read, in the styles {', '.join(STYLES)}."
        notes.error("no-coreference", message, hint=hint)
    return found


def read_marked(source: str, style: str | None = None) -> Corpus:
    """Return a corpus of files, or of the text itself, whose wrong marks are warnings.

    Parameters
    ----------
    source
        The path of a file, a directory or a glob; anything else with white space or marks in it is
        the text.
    style
        One of `STYLES`; recognised when it is None.

    Raises
    ------
    DataError
        When a file cannot be read.
    OptionError
        For an unknown style.
    """
    is_text = any(map(str.isspace, source)) or style_of(source) is not None
    if is_text and not os.path.lexists(source):
        notes = Notes("<text>")
        documents = documents_of(source, notes, style)
        return Corpus([*documents], format=NAME, problems=notes.finish())
    found: list[Document] = []
    problems: list[Problem] = []
    digests: dict[str, str] = {}
    for path in expand(source):
        notes = Notes(path)
        with Source(path, "response") as file:
            documents = marked_documents(file, notes, style)
            digests[path] = file.digest
        found += notes.distinct([*documents], False)
        problems += notes.finish()
    return Corpus(found, path=source, format=NAME, digests=digests, problems=problems)


def _from_json(
    source: Source, notes: Notes, style: str | None, strict: bool
) -> list[InlineDocument]:
    """Return the documents of JSON lines with a name and a text."""
    reader = Reader(source, False, TITLE)
    texts = []
    for record in reader.records():
        text = record.values.get("text")
        if isinstance(text, str):
            texts.append((reader.name(record, *NAMES), text, record.line))
        elif "text" in record.values:
            record.unexpected("text", text, "a string")
        else:
            reader.lacks(record, "text")
    for problem in (*reader.errors, *reader.warnings):
        notes.keep(problem)
    common = style_of("\n".join(text for _, text, _ in texts))
    return [
        _document(
            text, notes, name, line, style or style_of(text) or common, strict=strict, one_line=True
        )
        for name, text, line in texts
    ]


def documents_of(
    text: str, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """Return the documents of a text, which headers may divide.

    Parameters
    ----------
    text
        With marks.
    notes
        Where problems are noted.
    style
        One of `STYLES`; recognised when it is None.
    strict
        Whether wrong marks are errors.

    Raises
    ------
    OptionError
        For an unknown style.
    """
    if style is not None and style not in STYLES:
        raise unknown("style", style, STYLES)
    common = style or style_of(text)
    parts = list(_parts(text, notes, common))
    found = []
    for name, body, line in parts:
        own = common if style or body is text else style_of(body) or common
        document = _document(body, notes, name, line, own, strict=strict)
        if document.numbered and len(parts) > 1 and own == "words":
            document.marked = body
        found.append(document)
    return found


def text_document(
    text: str, notes: Notes, style: str | None = None, *, strict: bool = False
) -> InlineDocument:
    """The document of a text that is one, whatever headers it may have; see `documents_of`."""
    if style is not None and style not in STYLES:
        raise unknown("style", style, STYLES)
    name = (stem("-"), None, True)
    return _document(text, notes, name, 1, style or style_of(text), strict=strict)


def _parts(text: str, notes: Notes, style: str | None) -> Iterator[tuple[_Name, str, int]]:
    """Name, text and first line of each document."""
    headers = [(at, match) for at, line in _remarks(text) if (match := _HEADER.match(line))]
    if not any(match["end"] is None for _, match in headers):
        yield from _without_headers(text, notes, style)
        return
    outside = [*_filled(text, 0, headers[0][0], 1)]
    unnamed = number = counted = 0
    ends = [*(at for at, _ in headers[1:]), len(text) + 1]
    for (at, match), end in zip(headers, ends, strict=True):
        number += text.count("\n", counted, at)
        counted = at
        begin = at + len(match[0]) + 1
        if match["end"] is not None:
            outside += _filled(text, begin, end, number + 2)
            continue
        name, part = header((match["name"] or match["id"] or "").strip().encode())
        numbered = not name
        if numbered:
            unnamed += 1
            name = f"document {unnamed}"
        yield (name, part, numbered), text[begin : end - 1], number + 2
    if outside:
        message = "a line that belongs to no document"
        notes.warn("outside-document", message, outside[0][0], count=len(outside))


def _remarks(text: str) -> Iterator[tuple[int, str]]:
    """The lines that begin with ``#``, and where."""
    for match in re.finditer("\n#.*", f"\n{text}"):
        yield match.start(), match[0][1:]


def _filled(text: str, begin: int, end: int, first: int) -> Iterator[tuple[int, str]]:
    """Lines of a part of a text that are not blank, with their numbers; that of its first is given.

    The part begins with a line.
    """
    for match in _FILLED.finditer(text, begin, end):
        first += text.count("\n", begin, match.start())
        begin = match.start()
        yield first, match[0]


def _without_headers(
    text: str, notes: Notes, style: str | None
) -> Iterator[tuple[_Name, str, int]]:
    """A file that is one document, or in the style of marked words one document a line."""
    filled = _filled(text, 0, len(text), 1)
    begun = [*islice(filled, 2)]
    if style == "words" and len(begun) > 1:
        for count, (number, line) in enumerate(chain(begun, filled), 1):
            yield (f"document {count}", None, True), line, number
    elif begun:
        yield (stem(notes.path), None, True), text, 1


def _document(
    body: str,
    notes: Notes,
    name: _Name,
    line: int,
    style: str | None,
    *,
    strict: bool,
    one_line: bool = False,
) -> InlineDocument:
    annotated = parse(
        body, style or "brackets", notes, first_line=line, strict=strict, one_line=one_line
    )
    document = marked_document(annotated, name[0], notes.path, line)
    document.part, document.numbered = name[1:]
    return document


def marked_document(
    annotated: Annotated, name: str, path: str | None, line: int | None
) -> InlineDocument:
    """Return a document of its own tokens, which can be aligned with a key."""
    text, entities, names = _as_tokens(annotated)
    document = InlineDocument(
        name, entities, entity_names=names, tokens=len(text), path=path, line=line, text=text
    )
    document.annotated = annotated
    document.marked = None
    return document


def _as_tokens(annotated: Annotated) -> tuple[Text, Entities, list[str]]:
    """Words between white space, cut where a mention begins or ends; entities; their names."""
    text = annotated.text
    borders = sorted({place for mark in annotated.marks for place in (mark.start, mark.end)})
    begins: list[int] = []
    ends: list[int] = []
    words: list[str] = []
    zeros: list[tuple[int, int]] = []  # place in the text, token that it precedes
    for match in re.finditer(rf"{ZERO}|[^\s{ZERO}]+", text):
        if match[0] == ZERO:
            zeros.append((match.start(), len(words)))
            continue
        first = bisect_right(borders, match.start())
        cuts = borders[first : bisect_right(borders, match.end() - 1)]
        for start, end in zip([match.start(), *cuts], [*cuts, match.end()], strict=True):
            begins.append(start)
            ends.append(end)
            words.append(text[start:end])
    places = [place for place, _ in zeros]
    nodes = _numbered(at for _, at in zeros)
    entities: dict[str, list[Mention]] = {}
    for mark in sorted(annotated.marks, key=lambda mark: (mark.start, -mark.end)):
        start, end = bisect_right(ends, mark.start), bisect_right(begins, mark.end - 1)
        first, last = bisect_left(places, mark.start), bisect_left(places, mark.end)
        mention = with_zeros(start, end, nodes[first:last])
        if mention is not None:
            entities.setdefault(mark.entity, []).append(mention)
    return Text(words, empty=dict.fromkeys(nodes, ())), list(entities.values()), list(entities)


def _numbered(tokens: Iterable[int]) -> list[EmptyNode]:
    """Empty nodes before some tokens, numbered from 1 among those before the same token."""
    counts: Counter[int] = Counter()
    nodes: list[EmptyNode] = []
    for at in tokens:
        counts[at] += 1
        nodes.append((at, at, counts[at]))
    return nodes


def with_zeros(start: int, end: int, zeros: list[EmptyNode]) -> Mention | None:
    """Return a mention of tokens and of empty nodes among them; None without any.

    Examples
    --------
    >>> with_zeros(3, 5, []), with_zeros(3, 5, [(4, 4, 1)]), with_zeros(3, 3, [(3, 3, 2)])
    ((3, 5), ((3, 4), (4, 4, 1), (4, 5)), ((3, 3, 2),))
    """
    run = [(start, end)] if start < end else []
    return mention_of([*run, *zeros]) if run or zeros else None
