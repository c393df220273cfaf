"""CoNLL files as the official scorer v8.01 reads them, for the drop-in command alone.

- A document begins at ``#begin document NAME``; its name is the whole rest of the line. It ends at
  a line that contains ``#end document``; without one, it runs to the end of the file over all that
  follows, and mentions that are still open vanish.
- Every line that is not blank is a token, comments and headers of other documents included.
- The cell is the last field between TABs that is not empty; without a TAB it is the whole line.
- Chunks are cut out of a cell by kind, not as they are written: first ``(1+2)``, which is thrown
  away (if the second number has one digit), then all ``(1)``, all ``(1``, all ``1)``. What is on
  both sides of a chunk joins up. Only digits are ids; everything else in a cell is passed over.
- Entities are numbered by the first chunk that names them. One that has been opened only has no
  mentions; such entities are kept where others follow.
- Of documents of the same name the last one counts, or the first one when it is asked for by name.

Spans are inclusive on both ends, as v8.01 prints them. Names are bytes.
"""

from __future__ import annotations

import re
from functools import cached_property

from corefmeter.formats.source import open_input
from corefmeter.problems import DataError, Problem

#: First and last token of a mention.
Span = tuple[int, int]

_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#\s*end document")
_DISCARDED = re.compile(rb"\((\d+\+\d)\)")
_WHOLE = re.compile(rb"\((\d+)\)")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(\d+)\)")
_ID = re.compile(rb"[^()|+\s]+")

#: Cutting chunks out of a cell one by one takes quadratic time; no real cell comes near this.
LONGEST_CELL = 1 << 16


class Reading:
    """A document as v8.01 reads it, with an empty name if no document has the name.

    `entities` are by number, with mentions in the order of closing; `discarded` are the double
    antecedents that were thrown away, such as ``1+2``. `error` is what v8.01 dies of, or None;
    entities are then incomplete.
    """

    def __init__(self, path: str, name: bytes, numeric: bool) -> None:
        self.path = path
        self.name = name
        self.numeric = numeric
        self.entities: list[list[Span]] = []
        self.discarded: list[bytes] = []
        self.error: Problem | None = None
        self._ids: dict[bytes, int] = {}  # numbers for ids with letters
        self._numbers: dict[bytes, int] = {}
        self._open: list[list[tuple[int, int]]] = []  # of each entity: token and line index

    def read(self, lines: list[bytes], start: int) -> None:
        """Read the document whose first token may be on the line with index `start`."""
        token = 0
        for index in range(start, len(lines)):
            line = lines[index]
            if not line or line.isspace():
                continue
            if b"end document" in line and _END.search(line):
                self._fail_if_unclosed()
                break
            if b"(" in line or b")" in line:
                self._read_cell(line.rstrip(b"\t").rpartition(b"\t")[2], token, index)
                if self.error:
                    return
            token += 1
        while self.entities and not self.entities[-1]:
            self.entities.pop()

    def _read_cell(self, cell: bytes, token: int, index: int) -> None:
        """Take the chunks out of a cell, kind by kind."""
        if len(cell) > LONGEST_CELL:
            self._fail("bad-cell", f"a coreference cell is longer than {LONGEST_CELL} bytes", index)
            return
        rest = cell
        if self.numeric:
            rest = _ID.sub(lambda id: b"%d" % self._ids.setdefault(id[0], len(self._ids)), cell)
        discarded, rest = _cut_chunks(_DISCARDED, rest)
        self.discarded += discarded
        whole, rest = _cut_chunks(_WHOLE, rest)
        for name in whole:
            self.entities[self._number_of(name)].append((token, token))
        opening, rest = _cut_chunks(_OPENING, rest)
        for name in opening:
            self._open[self._number_of(name)].append((token, index))
        closing, rest = _cut_chunks(_CLOSING, rest)
        for name in closing:
            number = self._number_of(name)
            if not self._open[number]:
                self._fail_unopened(name, cell, token, index)
                return
            first, _ = self._open[number].pop()
            self.entities[number].append((first, token))

    def _number_of(self, name: bytes) -> int:
        """Return an entity's number, given by the first chunk that names it, whatever its type."""
        number = self._numbers.setdefault(name, len(self._numbers))
        if number == len(self._open):
            self._open.append([])
            self.entities.append([])
        return number

    def _fail_unopened(self, name: bytes, cell: bytes, token: int, index: int) -> None:
        reason = f"entity {name.decode()} is closed at token {token}, but was not opened"
        hint = "Check the ids of the opening and the closing bracket."
        if letters := [_text(id) for id in _ID.findall(cell) if not id.isdigit()]:
            hint = f"v8.01 reads digits only, not an id such as {letters[0]!r:.60}; "
            hint += "use --numeric-ids to read such ids as numbers."
        self._fail("close-without-open", reason, index, hint)

    def _fail_if_unclosed(self) -> None:
        for name, number in self._numbers.items():
            if self._open[number]:
                reason = f"entity {name.decode()} opened here is never closed"
                hint = f'Close it with "{name.decode()})" or drop the bracket.'
                self._fail("unclosed-mention", reason, self._open[number][-1][1], hint)
                return

    def _fail(self, code: str, reason: str, index: int, hint: str | None = None) -> None:
        place = self.path, index + 1, None
        name = _text(self.name)
        self.error = Problem(code, reason, "error", *place, hint, document=name)


class File:
    """One file, read when it is first asked for something.

    `numeric` means that all ids are read as numbers, those with letters too.
    """

    def __init__(self, path: str, numeric: bool = False) -> None:
        self.path = path
        self.numeric = numeric
        self._readings: dict[int, Reading] = {}

    @cached_property
    def _lines(self) -> list[bytes]:
        try:
            with open_input(self.path) as stream:
                return stream.read().split(b"\n")
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            hint = "Check the path and its permissions."
            problem = Problem("unreadable", reason, "error", path=self.path, hint=hint)
            raise DataError(problem) from None

    @cached_property
    def _headers(self) -> list[tuple[bytes, int]]:
        """Names with the indexes of their header lines, also of those inside other documents."""
        return [
            (match[1].removesuffix(b"\r"), index)
            for index, line in enumerate(self._lines)
            if line.startswith(b"#") and (match := _BEGIN.match(line))
        ]

    @cached_property
    def _last(self) -> dict[bytes, int]:
        return dict(self._headers)

    @property
    def names(self) -> list[bytes]:
        """The names of the documents in the order of the file, each once."""
        return list(self._last)

    def first(self, name: bytes) -> Reading:
        """Return the first document of a name: what v8.01 takes when a name is given."""
        return self._document(dict(reversed(self._headers)).get(name), name)

    def last(self, name: bytes) -> Reading:
        """Return the last document of a name: what v8.01 takes when it scores all documents."""
        return self._document(self._last.get(name), name)

    def _document(self, header: int | None, name: bytes) -> Reading:
        if header is None:
            return Reading(self.path, b"", self.numeric)
        if header not in self._readings:
            self._readings[header] = Reading(self.path, name, self.numeric)
            self._readings[header].read(self._lines, header + 1)
        return self._readings[header]


def _cut_chunks(chunk: re.Pattern[bytes], cell: bytes) -> tuple[list[bytes], bytes]:
    """Remove the leftmost chunk until none is left; return their ids and the rest.

    Each search is from the beginning, because what joins up may be a chunk itself.

    Examples
    --------
    >>> _cut_chunks(_WHOLE, b"(1(2)3)")
    ([b'2', b'13'], b'')
    """
    names = []
    while match := chunk.search(cell):
        names.append(match[1])
        cell = cell[: match.start()] + cell[match.end() :]
    return names, cell


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
