"""SGML of OntoNotes (``.coref``, ``.onto``): the text with ``<COREF ID="3">`` around each mention.

``<DOC DOCNO="NAME">`` is a file, ``<TEXT PARTNO="000">`` a part; tokens are separated by blanks,
and a line is a sentence. ``ID`` names the entity. Mentions with a ``SUBTYPE`` are heads and
attributes of appositions (``TYPE="APPOS"``), which OntoNotes does not count as identity; they are
left out with a warning. Tokens count from 0 through the part, traces such as ``*PRO*-1`` among
them; spans are half-open.
"""

from __future__ import annotations

import re
from collections import Counter

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Format
from corefmeter.formats.entities import document_of, in_text_order
from corefmeter.formats.notes import number_of
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem
from corefmeter.wings.traditions.formats.sgml import TagReader, attributes_of

_SNIFF = re.compile(rb"^<(?:DOC\s+DOCNO|TEXT\s+PARTNO)\s*=", re.MULTILINE)
_TAG = re.compile(r"<(/?)(DOC|TEXT|COREF)\b([^<>]*)>")


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file in which a line begins a document or a part."""
    return _SNIFF.search(head) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file: its parts.

    Raises
    ------
    DataError
        With all errors of the file: tags that do not match, mentions without ``ID`` or within a
        word, no part, the same part twice.
    """
    reader = _Reader(source.path, concatenate, "COREF")
    for line in reader.lines_of(source):
        reader.read(line, details)
    reader.end(details)
    return reader.result(reader.finished, concatenate, 'A part is <TEXT PARTNO="000">.')


class _Reader(TagReader):
    """The state of reading one file."""

    def __init__(self, path: str, concatenate: bool, tag: str) -> None:
        super().__init__(path, concatenate, tag)
        self.name = stem(path)
        self.finished: list[Document] = []
        self.begun: tuple[int | None, int] | None = None  # the part that is open, and its line
        self.appositions: Counter[str] = Counter()

    def read(self, line: str, details: bool) -> None:
        """Read one line: tags, and the words between them."""
        first = len(self.words)
        position = 0
        for match in _TAG.finditer(line):
            self.between(line[position : match.start()])
            position = match.end()
            column = match.start() + 1
            attributes = {k.upper(): v for k, v in attributes_of(match[3]).items()}
            if match[2] == "DOC":
                self.name = attributes.get("DOCNO", self.name)
            elif match[2] == "TEXT":
                self.end(details)
                if not match[1]:
                    part = attributes.get("PARTNO", "")
                    self.begun = number_of(part) if part.isdecimal() else None, self.line
                    self.clear()
            elif match[1]:
                self.close(column)
            elif self.begun is not None:
                self.opened(column, attributes, ("ID",))
            else:
                hint = 'Put mentions between <TEXT PARTNO="000"> and </TEXT>.'
                reason = "a mention outside <TEXT>"
                self.note("outside-document", reason, "error", column=column, hint=hint)
            if match[2] == "COREF" and _inside_word(line, match):
                reason = "a mention begins or ends inside a word"
                hint = "Put a space between the word and the tag."
                self.note("off-token", reason, "error", column=column, hint=hint)
        self.between(line[position:])
        if len(self.words) > first and self.begun is not None:
            self.sentences.append(first)

    def between(self, text: str) -> None:
        """Words between tags."""
        if self.begun is not None:
            for word in text.split():
                self.word(word)

    def close(self, column: int) -> None:
        """Finish the mention that was opened last."""
        found = self.closed(column)
        if found is None:
            return
        attributes, span = found
        if "SUBTYPE" in attributes:
            self.appositions[attributes.get("TYPE", "")] += 1
        else:
            kept = {k: v for k, v in attributes.items() if k != "ID"}
            detail = Detail(entity_type=attributes.get("ENTITY"), attributes=kept)
            self.keep_mention(attributes.get("ID", ""), span, detail)

    def end(self, details: bool) -> None:
        """Finish the part that is open."""
        if self.begun is None:
            return
        self.never_closed()
        for type, count in self.appositions.items():
            reason = f"mentions of type {type} with a SUBTYPE are no identity; left out"
            self.warn("unknown-relation", reason, count=count)
        self.appositions.clear()
        part, line = self.begun
        document = document_of(
            self.name,
            in_text_order(self.entities),
            details,
            part=part,
            tokens=len(self.words),
            path=self.path,
            line=line,
            text=self.text() if details else None,
        )
        self.finished.append(document)
        self.begun = None


def _inside_word(line: str, match: re.Match[str]) -> bool:
    """Whether an opening tag follows a word at once, or a word follows a closing tag at once.

    Examples
    --------
    >>> line = 'the anti-<COREF ID="1">NASA</COREF> group'
    >>> [_inside_word(line, match) for match in _TAG.finditer(line)]
    [True, False]
    """
    sign = line[match.end() : match.end() + 1] if match[1] else line[: match.start()][-1:]
    return bool(sign.strip()) and sign not in "<>"


FORMAT = Format(
    name="onto-sgml",
    title="OntoNotes SGML",
    sniff=sniff,
    evidence="a line begins with `<DOC DOCNO=` or `<TEXT PARTNO=`",
    read=read,
    unwritten="choose conll, which holds the same",
)
