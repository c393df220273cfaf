"""ARRAU as it was given out for CRAC 2018: one ``.CONLL`` file a document.

A token is a line of cells: the word; the markables over it, ``B-markable_3=set_7@I-markable_1``,
``B`` at the first token of each; values of these in other columns, also separated by ``@``: first
the MIN, ``word_4..word_6`` counted from 1, and last ``referring`` or ``non_referring``. The first
line names the columns. A blank line ends a sentence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
_EMPTY = frozenset(("O", "_", "-", ""))
_NO_SET = frozenset(("empty", "none", "_", ""))
_NOT_REFERRING = "non_referring"


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the first line names columns, and the first of them is TOKEN."""
    return _SNIFF.match(head.lstrip(b"\r\n")) is not None


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the document of a file."""
    notes = Notes(source.path)
    reader = _Reader(notes)
    for number, line in numbered_lines(source, notes):
        if not line.strip():
            reader.new_sentence = True
        elif not reader.has_header:
            reader.read_header(number, line)
        elif reader.columns:
            reader.read_row(Row(number, tuple(map(str.strip, line.split("\t"))), notes))
    return [reader.make_document(details)], notes.finish()


class _Markable(NamedTuple):
    """A markable while it is read; `set` is empty if it is in no set."""

    name: str
    set: str
    line: int
    runs: list[tuple[int, int]]
    cells: list[str]  # of the columns behind that of markables


class _Reader:
    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.has_header = False
        self.columns: list[str] = []  # empty after a wrong header
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.new_sentence = True
        self.markables: dict[str, _Markable] = {}

    def read_header(self, number: int, line: str) -> None:
        self.has_header = True
        self.columns = list(map(str.strip, line.split("\t")))
        if not line.startswith("TOKEN") or len(self.columns) < 2:
            self.columns = []
            hint = "Write TOKEN, MARKABLE, MIN and so on in the first line, separated by TABs."
            reason = "the first line does not name the columns"
            self.notes.error("bad-header", reason, number, 1, hint)

    def read_row(self, row: Row) -> None:
        if len(row.cells) != len(self.columns):
            reason = f"the line has {row.columns}, but the header has {len(self.columns)}"
            hint = "Separate the columns by TABs, and keep empty ones."
            row.error("bad-columns", reason, 0, hint)
            return
        if self.new_sentence:
            self.sentences.append(len(self.words))
            self.new_sentence = False
        if not _EMPTY.issuperset(row.cells[1:]):
            self.read_markables(row)
        self.words.append(row.cells[0])
        self.lines.append(row.number)

    def read_markables(self, row: Row) -> None:
        """Read the markables over a token, each with its values of the other columns."""
        chunks = [] if row.cells[1] in _EMPTY else row.cells[1].split("@")
        columns = [self.split_values(row, cell, len(chunks)) for cell in range(2, len(row.cells))]
        for index, chunk in enumerate(chunks):
            if match := _MARKABLE.fullmatch(chunk):
                self.add_chunk(match, row, [values[index] for values in columns])
            else:
                hint = "Write B-markable_3=set_7 or I-markable_3=set_7, several joined by @."
                row.error("bad-cell", f"{chunk!r:.60} does not name a markable", 1, hint)

    def split_values(self, row: Row, cell: int, wanted: int) -> list[str]:
        """Return the values of a cell, one for each markable of its row."""
        text = row.cells[cell]
        parts = [""] * wanted if text in _EMPTY else text.split("@")
        if len(parts) == wanted:
            return parts
        name = self.columns[cell]
        reason = f"{len(parts)} values of {name!r:.30} for {wanted} markables: {text!r:.60}"
        hint = "Write one value for each markable in every column, separated by @."
        row.error("bad-cell", reason, cell, hint)
        return [""] * wanted

    def add_chunk(self, match: re.Match[str], row: Row, values: list[str]) -> None:
        """Begin or continue a markable at the next token; `values` are those of its columns."""
        begins, name = match[1] == "B", match[2]
        set = "" if (match[3] or "").lower() in _NO_SET else match[3]
        token = len(self.words)
        earlier = self.markables.get(name)
        if begins and earlier is not None:
            hint = "Write B at the first token of a markable only."
            row.error("repeated-id", f"{name} already began in line {earlier.line}", 1, hint)
        elif begins:
            runs = [(token, token + 1)]
            self.markables[name] = _Markable(name, set, row.number, runs, values)
        elif earlier is None:
            hint = "Write B at the first token of a markable."
            row.error("bad-part", f"{name} continues here but did not begin", 1, hint)
        elif set != earlier.set:
            first = f"{earlier.set or 'no set'} in line {earlier.line}"
            reason = f"{name} is in {set or 'no set'} here, but in {first}"
            row.error("two-entities", reason, 1, "Write the same set at each token of a markable.")
        else:
            earlier.runs.append((token, token + 1))

    def read_minimum(self, markable: _Markable, mention: Mention) -> tuple[int, int] | None:
        """Return the MIN of a markable, or None; warn if it is outside of the markable."""
        written = markable.cells[0] if markable.cells else ""
        if written in _EMPTY or written.lower() in _NO_SET:
            return None
        reason = f"the MIN {written!r:.40} of {markable.name}"
        hint = "Write word_4..word_6, counted from 1 through the document."
        match = _MINIMUM.fullmatch(written)
        begin, end = (int(match[1]) - 1, int(match[2] or match[1])) if match else (0, 0)
        if not 0 <= begin < end <= len(self.words):
            reason += f" is not a range of the document's {amount(len(self.words), 'token')}"
            self.notes.error("bad-span", reason, markable.line, hint=hint)
            return None
        if not any(run[0] <= begin and end <= run[1] for run in pieces(mention)):
            reason += " is outside the markable"
            self.notes.warn("bad-span", reason, markable.line, hint=hint)
        return begin, end

    def make_document(self, details: bool) -> Document:
        if not self.has_header and not self.notes.errors:
            self.notes.error("no-document", "the file is empty")
        entities: Members = {}
        nonreferring = []
        for markable in self.markables.values():
            mention, entity = mention_of(markable.runs), markable.set or markable.name
            minimum = self.read_minimum(markable, mention)
            by_column = zip(self.columns[2:], markable.cells, strict=True)
            values = {column: value for column, value in by_column if value}
            if not markable.cells or markable.cells[-1].lower() != _NOT_REFERRING:
                detail = Detail(minimum=minimum, attributes={"id": markable.name} | values)
                entities.setdefault(entity, []).append((mention, detail))
            else:
                names = {"EntityID": f"{entity}-Pseudo", "MarkableID": markable.name}
                detail = Detail(minimum=minimum, attributes=names | values)
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
