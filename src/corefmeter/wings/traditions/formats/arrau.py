"""ARRAU as it was given out for CRAC 2018: one ``.CONLL`` file a document.

A token is a line of cells: the word; the markables over it, ``B-markable_3=set_7@I-markable_1``,
``B`` at the first token of each; values of these in other columns, also separated by ``@``: first
the MIN, ``word_4..word_6`` counted from 1, and last ``referring`` or ``non_referring``. The first
line names the columns. A blank line ends a sentence.
"""

from __future__ import annotations

import re

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import mention_of, pieces
from corefmeter.corpus.relations import NonReferring, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import Notes, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import amount
from corefmeter.wings.traditions.formats.rows import Row

_SNIFF = re.compile(rb"TOKEN[ \w]*\t")
_MARKABLE = re.compile(r"([BI])-([^=@\s]+)(?:=([^=@\s]*))?")
_MINIMUM = re.compile(r"word_(\d{1,12})(?:\.\.(?:word_)?(\d{1,12}))?")
_EMPTY = ("O", "_", "-", "")
_NO_SET = ("empty", "none", "_", "")
_NOT_REFERRING = "non_referring"


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the first line names columns, and the first of them is TOKEN."""
    return _SNIFF.match(head.lstrip(b"\r\n")) is not None


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the document of a file."""
    notes = Notes(source.path)
    reader = _Reader(notes)
    for number, line in numbered_lines(source, notes):
        if line.strip():
            reader.read_row(Row(number, line.split("\t"), notes))
        else:
            reader.new_sentence = True
    return [reader.make_document(details)], notes.finish()


class _Markable:
    """A markable while it is read."""

    def __init__(self, name: str, set: str, line: int, token: int) -> None:
        self.name = name
        self.set = set
        self.line = line
        self.runs = [(token, token + 1)]
        self.values: dict[str, str] = {}  # of the other columns, as far as they are not empty
        self.minimum = ""
        self.refers = True


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.columns: list[str] | None = None  # empty after a wrong header
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.new_sentence = True
        self.markables: dict[str, _Markable] = {}

    def read_row(self, row: Row) -> None:
        cells = [cell.strip() for cell in row.cells]
        if self.columns is None:
            self.columns = cells
            if not row.cells[0].startswith("TOKEN") or len(cells) < 2:
                self.columns = []
                hint = "The first line is TOKEN, MARKABLE, MIN and so on, separated by TABs."
                row.error("bad-header", "no line that names the columns", 0, hint)
        elif self.columns and len(cells) != len(self.columns):
            reason = f"{row.columns} where the header has {len(self.columns)}"
            row.error(
                "bad-columns", reason, 0, "Separate the columns by TABs, and keep empty ones."
            )
        elif self.columns:
            if self.new_sentence:
                self.sentences.append(len(self.words))
                self.new_sentence = False
            self.read_token(Row(row.number, cells, row.notes))
            self.words.append(cells[0])
            self.lines.append(row.number)

    def read_token(self, row: Row) -> None:
        """Read the markables over a token, each with its values of the other columns."""
        chunks = [] if row.cells[1] in _EMPTY else row.cells[1].split("@")
        matches = [_MARKABLE.fullmatch(chunk) for chunk in chunks]
        for chunk, match in zip(chunks, matches, strict=True):
            if match is None:
                hint = "Write B-markable_3=set_7 or I-markable_3=set_7, several joined by @."
                row.error("bad-cell", f"{chunk!r:.60} is no markable", 1, hint)
        columns = [self.split_values(row, cell, len(chunks)) for cell in range(2, len(row.cells))]
        for index, match in enumerate(matches):
            if match is not None:
                self.add_chunk(match, row, [values[index] for values in columns])

    def split_values(self, row: Row, cell: int, wanted: int) -> list[str]:
        """Return the values of a cell, one for each markable of its row."""
        text = row.cells[cell]
        parts = [""] * wanted if text in _EMPTY else text.split("@")
        if len(parts) == wanted:
            return parts
        column = (self.columns or [])[cell]
        reason = f"{len(parts)} values of {column!r:.30} for {wanted} markables: {text!r:.60}"
        hint = "Every column has one value for each markable, separated by @."
        row.error("bad-cell", reason, cell, hint)
        return [""] * wanted

    def add_chunk(self, match: re.Match[str], row: Row, values: list[str]) -> None:
        """Begin or continue a markable at the next token; `values` are those of its columns."""
        begins, name = match[1] == "B", match[2]
        set = "" if (match[3] or "").lower() in _NO_SET else match[3]
        token = len(self.words)
        known = self.markables.get(name)
        if begins and known is not None:
            hint = "Only the first token of a markable has B."
            row.error("repeated-id", f"{name} began in line {known.line} already", 1, hint)
        elif begins:
            markable = self.markables[name] = _Markable(name, set, row.number, token)
            if values:
                named = zip((self.columns or [])[2:], values, strict=True)
                markable.values = {column: value for column, value in named if value}
                markable.minimum = values[0]
                markable.refers = values[-1].lower() != _NOT_REFERRING
        elif known is None:
            hint = "The first token of a markable has B."
            row.error("bad-part", f"{name} goes on here but did not begin", 1, hint)
        elif set != known.set:
            reason = f"{name} is in {set or 'no set'} here, in {known.set or 'no set'} in line"
            row.error("two-entities", f"{reason} {known.line}", 1, "A markable is in one set.")
        else:
            known.runs.append((token, token + 1))

    def read_minimum(self, markable: _Markable, mention: Mention) -> tuple[int, int] | None:
        """Return the MIN of a markable, or None; warn if it is outside of the markable."""
        written = markable.minimum
        if written in _EMPTY or written.lower() in _NO_SET:
            return None
        reason = f"the MIN {written!r:.40} of {markable.name}"
        hint = "Write word_4..word_6, counted from 1 through the document."
        match = _MINIMUM.fullmatch(written)
        if match is None:
            self.notes.error(
                "bad-span", f"{reason} is not a range of words", markable.line, hint=hint
            )
            return None
        begin, end = int(match[1]) - 1, int(match[2] or match[1])
        if not 0 <= begin < end <= len(self.words):
            reason += f" is no span of the {amount(len(self.words), 'token')}"
            self.notes.error("bad-span", reason, markable.line, hint=hint)
            return None
        if not any(run[0] <= begin and end <= run[1] for run in pieces(mention)):
            self.notes.warn("bad-span", f"{reason} is outside it", markable.line, hint=hint)
        return begin, end

    def make_document(self, details: bool) -> Document:
        """Return the document, entities and mentions in order of their places."""
        if self.columns is None and not self.notes.errors:
            self.notes.error("no-document", "the file is empty")
        entities: Members = {}
        nonreferring = []
        for markable in self.markables.values():
            mention, entity = mention_of(markable.runs), markable.set or markable.name
            minimum = self.read_minimum(markable, mention)
            if markable.refers:
                attributes = {"id": markable.name} | markable.values
                detail = Detail(minimum=minimum, attributes=attributes)
                entities.setdefault(entity, []).append((mention, detail))
            else:
                names = {"EntityID": f"{entity}-Pseudo", "MarkableID": markable.name}
                detail = Detail(minimum=minimum, attributes=names | markable.values)
                nonreferring.append(NonReferring(mention, detail=detail))
        relations = Relations(nonreferring=tuple(nonreferring))
        return document_of(
            stem(self.notes.path),
            in_text_order(entities),
            details,
            tokens=len(self.words),
            path=self.notes.path,
            line=1,
            relations=relations if details else None,
            unread=relations.counts(),
            text=Text(self.words, sentences=self.sentences, lines=self.lines) if details else None,
        )


FORMAT = Format(
    name="arrau",
    title="ARRAU (CRAC 2018)",
    sniff=sniff,
    evidence="the first line names columns, and the first of them is `TOKEN`",
    read=read,
    unwritten="choose conllua, the later format of the same data",
)
