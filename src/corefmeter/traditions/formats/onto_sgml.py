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
from html import unescape

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.notes import Notes, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem

NAME = "onto-sgml"
TITLE = "OntoNotes SGML"
UNWRITTEN = "choose conll, which holds the same"

_SNIFF = re.compile(rb"<DOC\s+DOCNO\s*=|<TEXT\s+PARTNO\s*=")
_TAG = re.compile(r"<(/?)(DOC|TEXT|COREF)\b([^<>]*)>")
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*\"([^\"]*)\"")


def sniff(head: bytes, path: str = "") -> bool:
    """Whether a document or a part begins in the first block."""
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
    notes = Notes(source.path)
    reader = _Reader(notes, details)
    for number, line in numbered_lines(source, notes):
        reader.line(number, line)
    reader.end()
    if not reader.documents and not notes.errors:
        notes.error("no-document", "the file holds no part", hint='A part is <TEXT PARTNO="000">.')
    return notes.result(reader.documents, concatenate)


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes, details: bool) -> None:
        self.notes = notes
        self.details = details
        self.name = stem(notes.path)
        self.documents: list[Document] = []
        self.document: Document | None = None
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.open: list[tuple[dict[str, str], int, int, int]] = []  # attributes, token, its place
        self.entities: dict[str, list[tuple[Mention, Detail]]] = {}
        self.appositions: Counter[str] = Counter()

    def line(self, number: int, line: str) -> None:
        """Read one line: tags, and the words between them."""
        first = len(self.words)
        position = 0
        for match in _TAG.finditer(line):
            self.text(number, line[position : match.start()])
            position = match.end()
            column = match.start() + 1
            attributes = {k.upper(): unescape(v) for k, v in _ATTRIBUTE.findall(match[3])}
            if match[2] == "DOC":
                self.name = attributes.get("DOCNO", self.name)
            elif match[2] == "TEXT":
                self.end()
                if not match[1]:
                    self.begin(number, attributes)
            elif match[1]:
                self.close(number, column)
            else:
                self.begin_mention(number, column, attributes)
            if match[2] == "COREF" and _inside_word(line, match):
                reason = "a mention begins or ends inside of a word"
                hint = "Put a blank between the word and the tag."
                self.notes.error("off-token", reason, number, column, hint)
        self.text(number, line[position:])
        if len(self.words) > first and self.document is not None:
            self.sentences.append(first)

    def text(self, number: int, text: str) -> None:
        """Words between tags."""
        if self.document is None:
            return
        for word in text.split():
            self.words.append(unescape(word))
            self.lines.append(number)

    def begin(self, number: int, attributes: dict[str, str]) -> None:
        """Start a part."""
        part = attributes.get("PARTNO", "")
        self.document = Document(
            self.name, [], part=int(part) if part.isdecimal() else None,
            path=self.notes.path, line=number,
        )  # fmt: skip
        self.words, self.lines, self.sentences = [], [], []
        self.open, self.entities = [], {}

    def begin_mention(self, number: int, column: int, attributes: dict[str, str]) -> None:
        """Start a mention."""
        if self.document is None:
            hint = 'Put mentions between <TEXT PARTNO="000"> and </TEXT>.'
            reason = "a mention outside of <TEXT>"
            self.notes.error("outside-document", reason, number, column, hint)
            return
        if not attributes.get("ID"):
            reason, hint = "a mention without ID", 'Write <COREF ID="3">.'
            self.notes.error("missing-field", reason, number, column, hint)
        self.open.append((attributes, len(self.words), number, column))

    def close(self, number: int, column: int) -> None:
        """Finish the mention that was opened last."""
        if not self.open:
            reason, hint = "a mention is closed but none is open", "Check the tags <COREF>."
            self.notes.error("close-without-open", reason, number, column, hint)
            return
        attributes, start, line, opened = self.open.pop()
        if start == len(self.words):
            hint = "Put the words of the mention between its tags."
            self.notes.error("bad-span", "a mention without any word", line, opened, hint)
        elif "SUBTYPE" in attributes:
            self.appositions[attributes.get("TYPE", "")] += 1
        else:
            kept = {k: v for k, v in attributes.items() if k != "ID"}
            detail = Detail(entity_type=attributes.get("ENTITY"), attributes=kept)
            mention = start, len(self.words)
            self.entities.setdefault(attributes.get("ID", ""), []).append((mention, detail))

    def end(self) -> None:
        """Finish the part that is open."""
        document = self.document
        if document is None:
            return
        for _, _, line, column in self.open:
            reason, hint = "a mention opened here is never closed", "Close it with </COREF>."
            self.notes.error("unclosed-mention", reason, line, column, hint)
        for type, count in self.appositions.items():
            reason = f"mentions of type {type} with a SUBTYPE are no identity; left out"
            self.notes.warn("unknown-relation", reason, count=count)
        self.appositions.clear()
        for members in self.entities.values():
            # Types: mentions here are spans.
            members.sort(key=lambda pair: pair[0])  # type: ignore[arg-type, return-value]
        document.tokens = len(self.words)
        document.entity_names = list(self.entities)
        document.entities = [[m for m, _ in members] for members in self.entities.values()]
        if self.details:
            document.details = [[d for _, d in members] for members in self.entities.values()]
            document.text = Text(self.words, sentences=self.sentences, lines=self.lines)
        self.documents.append(document)
        self.document = None


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
