"""ARRAU as it was given out for CRAC 2018: one ``.CONLL`` file a document.

Columns are separated by TABs. The first line names the columns and begins with ``TOKEN``. Then a
token a line: the word; the markables over it, ``B-markable_3=set_7@I-markable_1=set_2``, ``B`` at
the first token of a markable and ``I`` at the others; for each of these, in the same order and
separated by ``@`` too, its MIN as ``word_4..word_6``, counted from 1 through the document; other
columns; and last ``referring`` or ``non_referring``. ``O``, ``_``, ``-`` and nothing are an empty
cell. A blank line ends a sentence.

Markables of one set are an entity; one without a set is an entity of its own. Those that do not
refer are no mentions, but among the document's relations. A markable that goes on after a gap has
several pieces. Tokens count from 0, spans are half-open; the document is called as the file.
"""

from __future__ import annotations

import re

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import mention_of
from corefmeter.corpus.relations import NonReferring, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import Notes, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem, amount

_SNIFF = re.compile(rb"TOKEN[ \w]*\t")
_MARKABLE = re.compile(r"([BI])-([^=@\s]+)(?:=([^=@\s]*))?")
_MINIMUM = re.compile(r"word_(\d{1,12})(?:\.\.(?:word_)?(\d{1,12}))?")
_EMPTY = ("O", "_", "-", "")
_NO_SET = ("empty", "none", "_", "")
_NOT_REFERRING = "non_referring"


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the first line names columns, and the first of them is TOKEN."""
    return _SNIFF.match(head.lstrip(b"\r\n")) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the document of a file.

    Raises
    ------
    DataError
        With all errors of the file: no header, lines with other columns than the header's, cells
        that are no markables or not as many as there are markables, a markable that goes on
        without a beginning, begins twice or changes its set, a MIN that is no span.
    """
    notes = Notes(source.path)
    reader = _Reader(notes)
    for number, line in numbered_lines(source, notes):
        reader.line(number, line)
    document = reader.document(details)
    return [document], notes.finish()


class _Markable:
    """A markable while it is read."""

    __slots__ = ("line", "minimum", "name", "others", "refers", "runs", "set")

    def __init__(self, name: str, set: str, line: int, token: int) -> None:
        self.name = name
        self.set = set
        self.line = line
        self.runs: list[tuple[int, int]] = [(token, token + 1)]
        self.minimum: str = ""
        self.others: dict[str, str] = {}
        self.refers = True

    @property
    def mention(self) -> Mention:
        return mention_of(self.runs)


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.columns: list[str] | None = None
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.new_sentence = True
        self.markables: dict[str, _Markable] = {}

    def line(self, number: int, line: str) -> None:
        if not line.strip():
            self.new_sentence = True
            return
        cells = line.split("\t")
        if self.columns == []:
            return  # the header is no header, so that nothing is known of the lines
        if self.columns is None:
            self.columns = [cell.strip() for cell in cells]
            if not line.startswith("TOKEN") or len(cells) < 2:
                self.columns = []
                hint = "The first line is TOKEN, MARKABLE, MIN and so on, separated by TABs."
                self.notes.error("bad-header", "no line that names the columns", number, 1, hint)
            return
        if len(cells) != len(self.columns):
            reason = f"{amount(len(cells), 'column')} where the header has {len(self.columns)}"
            hint = "Separate the columns by TABs, and keep empty ones."
            self.notes.error("bad-columns", reason, number, 1, hint)
            return
        if self.new_sentence:
            self.sentences.append(len(self.words))
            self.new_sentence = False
        token = len(self.words)
        self.words.append(cells[0].strip())
        self.lines.append(number)
        self.token(token, number, [cell.strip() for cell in cells])

    def token(self, token: int, number: int, cells: list[str]) -> None:
        assert self.columns is not None  # a header was read
        chunks = [] if cells[1] in _EMPTY else cells[1].split("@")
        matches = [_MARKABLE.fullmatch(chunk) for chunk in chunks]
        for chunk, match in zip(chunks, matches, strict=True):
            if match is None:
                reason = f"{chunk!r:.60} is no markable"
                hint = "Write B-markable_3=set_7 or I-markable_3=set_7, several joined by @."
                self.notes.error("bad-cell", reason, number, len(cells[0]) + 2, hint)
        others: list[list[str]] = []
        column = 1
        for place, cell in enumerate(cells):
            if place > 1:
                parts = [""] * len(chunks) if cell in _EMPTY else cell.split("@")
                if len(parts) != len(chunks):
                    reason = (
                        f"{len(parts)} values of {self.columns[place]!r:.30} for {len(chunks)} "
                        f"markables: {cell!r:.60}"
                    )
                    hint = "Every column has one value for each markable, separated by @."
                    self.notes.error("bad-cell", reason, number, column, hint)
                    parts = [""] * len(chunks)
                others.append(parts)
            column += len(cell) + 1
        for index, match in enumerate(matches):
            if match is not None:
                self.chunk(match, token, number, len(cells[0]) + 2, [p[index] for p in others])

    def chunk(
        self, match: re.Match[str], token: int, number: int, column: int, others: list[str]
    ) -> None:
        assert self.columns is not None
        name = match[2]
        set = "" if (match[3] or "").lower() in _NO_SET else match[3]
        known = self.markables.get(name)
        if match[1] == "I":
            if known is None:
                reason = f"{name} goes on here but did not begin"
                hint = "The first token of a markable has B."
                self.notes.error("bad-part", reason, number, column, hint)
            elif set != known.set:
                reason = f"{name} is in {set or 'no set'} here, in {known.set or 'no set'} in line"
                hint = "A markable is in one set."
                self.notes.error("two-entities", f"{reason} {known.line}", number, column, hint)
            elif known.runs[-1][1] == token:
                known.runs[-1] = known.runs[-1][0], token + 1
            elif known.runs[-1][1] < token:
                known.runs.append((token, token + 1))
            return
        if known is not None:
            reason = f"{name} began in line {known.line} already"
            hint = "Only the first token of a markable has B."
            self.notes.error("repeated-id", reason, number, column, hint)
            return
        markable = self.markables[name] = _Markable(name, set, number, token)
        if others:
            markable.minimum = others[0]
            markable.refers = others[-1].lower() != _NOT_REFERRING
            named = zip(self.columns[2:], others, strict=True)
            markable.others = {column: value for column, value in named if value}

    def minimum(self, markable: _Markable) -> tuple[int, int] | None:
        """Return the MIN of a markable; warns where it is outside."""
        if markable.minimum in _EMPTY or markable.minimum.lower() in _NO_SET:
            return None
        match = _MINIMUM.fullmatch(markable.minimum)
        reason = f"the MIN {markable.minimum!r:.40} of {markable.name}"
        hint = "Write word_4..word_6, counted from 1 through the document."
        if match is None:
            self.notes.error("bad-span", f"{reason} is none", markable.line, hint=hint)
            return None
        begin, end = int(match[1]) - 1, int(match[2] or match[1])
        if not 0 <= begin < end <= len(self.words):
            reason += f" is no span of the {amount(len(self.words), 'token')}"
            self.notes.error("bad-span", reason, markable.line, hint=hint)
            return None
        if not any(first <= begin and end <= last for first, last in markable.runs):
            self.notes.warn("bad-span", f"{reason} is outside it", markable.line, hint=hint)
        return begin, end

    def document(self, details: bool) -> Document:
        """Return the document, entities and mentions in order of their places."""
        if self.columns is None and not self.notes.errors:
            self.notes.error("no-document", "the file is empty")
        minima = {m.name: self.minimum(m) for m in self.markables.values()}
        found: Members = {}
        for m in self.markables.values():
            detail = Detail(minimum=minima[m.name], attributes={"id": m.name} | m.others)
            if m.refers:
                found.setdefault(m.set or m.name, []).append((m.mention, detail))
        silent = []
        for m in self.markables.values():
            if not m.refers:
                names = {"EntityID": f"{m.set or m.name}-Pseudo", "MarkableID": m.name}
                detail = Detail(minimum=minima[m.name], attributes=names | m.others)
                silent.append(NonReferring(m.mention, detail=detail))
        relations = Relations(nonreferring=tuple(silent))
        return document_of(
            stem(self.notes.path),
            in_text_order(found),
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
