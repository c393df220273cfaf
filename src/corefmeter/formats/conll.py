"""CoNLL-2011 and CoNLL-2012 files (``*_conll``), in all variants in use.

One token a line, columns separated by TABs or blanks, the coreference cell last. A cell is ``-``,
``_``, ``*`` or empty for none, or chunks: ``(ID`` opens a mention, ``ID)`` closes the mention of
that entity which was opened last, ``(ID)`` is a mention of one token; ``|`` between chunks may be
missing. What else v8.01 passes over is repaired; see `_Reader.repaired`. An ID is any text without
blanks, brackets, ``|`` and ``*``, which marks columns of parses and arguments.
Opens and closes are read as they are written. Tokens count from 0 through the document; blank lines
and sentences play no role. Spans are half-open.

A line that begins with ``#`` begins or ends a document or is a comment, unless it has the columns
of a token; see `_Reader.is_token`.

Speed: a line without a mention costs one comparison of its end. Everything else is found out only
about lines that do not end like the document's first line without a mention.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.formats.base import Format
from corefmeter.formats.conll_lines import (
    CHUNK,
    DOUBLE,
    NONE,
    OPENING_CELL,
    UNKNOWN,
    Columns,
    bracketed,
    chunks_in,
    columns_of,
    header,
    is_cell,
)
from corefmeter.formats.conll_lines import sniff as sniff  # a part of the format
from corefmeter.formats.notes import LISTED, LineReader, column_of, stretches
from corefmeter.formats.source import UTF8_MARK, Source
from corefmeter.problems import DataError, Problem, Severity

TITLE = "CoNLL-2012"

#: The longest header that is read, in bytes.
LONGEST_HEADER = 4096

_BEGIN = re.compile(rb"#\s*begin\s+document\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_END = re.compile(rb"#\s*end\s+document\b", re.IGNORECASE)
_PLAIN = re.compile(rb"(?:\(\w+\)?|\w+\))(?:\|(?:\(\w+\)?|\w+\)))*\r?\n")


#: What is no mere text behind the chunks of a cell.
_SIGN = re.compile(rb"[()*\s]")

#: What is between the bars of a cell.
_PART = re.compile(rb"[^|]+")

#: What is passed over in a cell, as v8.01 does.
_INSIDE = "an id within an open mention of it is no bracket"
_BEHIND = "what follows the brackets of a cell is left out, as in v8.01"

_NEVER = b"\n\n"  # an end that no line has
_HASH = ord("#")
_NAMED = 'Write "#begin document (NAME); part 000".'

#: A chunk: whether it opens, whether it closes, the entity, and where in the cell it begins.
_Chunk = tuple[bool, bool, bytes, int]

#: The mentions of an entity so far, and the first tokens of those that are open.
_Entity = tuple[list[Mention], list[int]]


def _new_entity() -> _Entity:
    return [], []


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: cells that are not chunks, mentions closed without having
        been opened or never closed, the same document twice, no document at all, and bytes that
        are no text or cannot be decompressed.
    """
    reader = _Reader(source.path, concatenate)
    blocks: list[bytes] = []
    try:
        for block in source.blocks():
            reader.block(block)
            reader.look_aside(block)
            if details:
                blocks.append(block)
    except DataError as error:
        # The blocks end before the line that cannot be had.
        broken = [problem._replace(line=reader.line + 1) for problem in error.problems]
        raise DataError([*reader.errors, *broken]) from None
    documents, problems = reader.documents_read()
    if details:
        from corefmeter.formats.conll_text import text_of

        lines = b"".join(blocks).split(b"\n")
        for document in documents:
            document.text = text_of(document, lines)
    return documents, problems


def column(path: str, number: int) -> dict[tuple[str, int], list[str]]:
    """One column of a file, for features of one's own: a value for each token of each document.

    Parameters
    ----------
    path
        The file.
    number
        The column, from 0; from -1 backwards. A line without that column has the value ``""``.

    Raises
    ------
    DataError
        When the file cannot be read.
    """
    reader = _Reader(path, False)
    with Source(path) as source:
        blocks = list(source.blocks())
    for block in blocks:
        reader.block(block)
    documents, _ = reader.documents_read()
    lines = b"".join(blocks).split(b"\n")
    from corefmeter.formats.conll_text import cells

    return {document.id: cells(document, lines, number) for document in documents}


class _Reader(LineReader):
    """The state of reading one file."""

    def __init__(self, path: str, concatenate: bool) -> None:
        super().__init__(path, concatenate)
        self.empty = True  # as far as was looked for brackets in other columns, and those
        self.bracketed: Counter[tuple[int, int]] = Counter()
        self.outside = 0  # lines that belong to no document, and the first of them
        self.first_outside = 0
        self.stray_line = self.stray_cell = 0  # the last line with a stray close, its cell's place
        self.known: dict[bytes, list[_Chunk]] = {}  # chunks by the end of the line
        self.columns = UNKNOWN  # of the last token that was looked into
        self.document: Document | None = None
        self.shift = 0  # the token on line n is n - shift
        self.leave()

    def leave(self) -> None:
        """Be outside of documents, where no line is usual."""
        self.document = None
        self.none = _NEVER  # how a line without a mention ends in this document
        self.cells: dict[bytes, list[_Chunk]] = {}
        self.entities: defaultdict[bytes, _Entity] = defaultdict(_new_entity)
        self.breaks: list[tuple[int, int]] = []

    def block(self, block: bytes) -> None:
        """Read a block of whole lines, of many empty ones only the last."""
        for stretch, empty in stretches(block):
            if empty:
                self.line += empty - 1
                self.shift += empty - 1
            self.lines(stretch)

    def lines(self, block: bytes) -> None:
        """Read a block of whole lines.

        The locals mirror the state of the reader; `unusual` may change it.
        """
        none, separator, cells = self.none, self.columns.separator, self.cells
        entities, shift, breaks = self.entities, self.shift, self.breaks
        end = -len(none)
        number = self.line
        chunks: Iterable[_Chunk] | None
        for number, line in enumerate(BytesIO(block), self.line + 1):
            if line[end:] == none and line[0] != _HASH:
                continue
            known_by = line.rpartition(separator)[2]
            chunks = cells.get(known_by)
            if chunks is None or line[0] == _HASH:
                if line == b"\n":
                    shift += 1
                    token = number + 1 - shift
                    if breaks and breaks[-1][0] == token:
                        breaks.pop()
                    breaks.append((token, number + 1))
                    continue
                chunks = self.plain(line, known_by)
                if chunks is None:
                    self.line, self.shift = number, shift
                    chunks = self.unusual(line)
                    none, separator, cells = self.none, self.columns.separator, self.cells
                    entities, shift, breaks = self.entities, self.shift, self.breaks
                    end = -len(none)
            token = number - shift
            for opens, closes, name, at in chunks:
                mentions, starts = entities[name]
                if opens:
                    if closes:
                        mentions.append((token, token + 1))
                    else:
                        starts.append(token)
                elif starts:
                    mentions.append((starts.pop(), token + 1))
                else:
                    self.line = number
                    self.stray(line, name, at)
        self.line, self.shift = number, shift

    def plain(self, line: bytes, end: bytes) -> list[_Chunk] | None:
        """The chunks of a cell that is new, if nothing about the line needs a closer look.

        `end` is what stands behind the last separator; most cells are one chunk with a plain name.
        """
        known = self.columns
        if self.document is None or not known.number or line[0] == _HASH:
            return None
        if known.separator != b"\t" and b"\t" in line:
            return None
        opens, closes = end[:1] == b"(", end[-2:] == b")\n"
        name = end[opens : -1 - closes]
        if (opens or closes) and name.isalnum() and len(end) <= 100:
            chunks = [(opens, closes, name, 0)]
        elif len(end) <= 100 and _PLAIN.fullmatch(end):
            chunks = list(_chunks(end.rstrip()))
        else:
            return None
        if len(self.known) < 100_000:
            self.known[end] = chunks
        return chunks

    def unusual(self, line: bytes) -> Iterable[_Chunk]:
        """A line that is not a token with a known cell; its chunks, if it is a token."""
        line = line.removeprefix(UTF8_MARK)  # where files were put together
        if line.isspace():
            self.pause()
        elif line[0] == _HASH and not self.is_token(line):
            self.directive(line)
        elif self.document is None:
            self.between(line)
        else:
            return self.look(line)
        return []

    def directive(self, line: bytes) -> None:
        """A line that begins with ``#``: begin, end, or a comment."""
        begin = _BEGIN.match(line)
        if begin:
            self.begin(begin[1])
        elif not _END.match(line):
            self.pause()
        elif self.document is None:
            self.note("outside-document", "a document is closed, but none is open")
        else:
            self.end(self.line)

    def is_token(self, line: bytes) -> bool:
        """Whether a line that begins with ``#`` is a word such as ``#metoo`` with its columns.

        It is if it has a coreference cell and as many columns as the other tokens, between the same
        separators. Where blanks separate three columns or more, a remark may look so by chance;
        there the first column must be that of the words, or hold the name of the document.
        """
        if self.document is None or _BEGIN.match(line) or _END.match(line):
            return False
        known, here = self.columns, columns_of(line, self.columns)
        if here.number < 2 or not is_cell(here.cell):
            return False
        name = self.document.name.encode()
        if here.number > 2 and here.first[0] == name:
            return True
        if known.number and here[:2] != known[:2]:
            return False
        if here.number == 2 or here.separator == b"\t":
            return True
        other = name in known.first or any(map(bytes.isdigit, known.first[:2]))
        return bool(known.number) and not other and here.first[0] != b"#"

    def pause(self) -> None:
        """This line is no token: the next token stands on the next line."""
        self.shift += 1
        self.next_token(self.line + 1 - self.shift)

    def begin(self, rest: bytes) -> None:
        """Start a document."""
        if self.document is not None:
            self.missing_end(self.document)
            self.end(self.line)
        self.document = document = self.started(*self.header(rest.strip()), _NAMED)
        for entity, mentions in zip(document.entity_names, document.entities, strict=True):
            self.entities[entity.encode()] = mentions, []  # of a document that goes on
        tokens_before = document.tokens or 0
        self.cells = self.known
        self.breaks = document.breaks
        self.shift = self.line + 1 - tokens_before
        self.next_token(tokens_before)

    def header(self, rest: bytes) -> tuple[str, int | None]:
        """Name and part of a document; no name if there is none that can be used."""
        name, part = "", None
        if len(rest) > LONGEST_HEADER:
            reason = f"a header longer than {LONGEST_HEADER} bytes"
            self.note("not-text", reason, "error", hint=_NAMED)
        elif b"\r" in rest:
            reason = "carriage returns within a line; lines must end with LF or CRLF"
            self.note("not-text", reason, "error", hint="Save the file with other line ends.")
        else:
            try:
                name, part = header(rest)
            except UnicodeDecodeError as error:
                self.note("not-text", f"the name of the document is not UTF-8: {error}", "error")
        return name, part

    def end(self, line: int) -> None:
        """Finish the open document; `line` is the first line that is not in it."""
        document = self.document
        assert document is not None
        document.tokens = line - self.shift
        self.empty = self.empty and not self.entities
        for entity, (_, starts) in self.entities.items():
            for start in starts:
                if self.only_count("unclosed-mention", "error"):
                    continue
                self.unclosed(document, _text(entity), start)
        document.entity_names = [entity.decode() for entity in self.entities]
        document.entities = [mentions for mentions, _ in self.entities.values()]
        self.leave()

    def look(self, line: bytes) -> Iterable[_Chunk]:
        """The chunks of a token whose cell is not known by the end of its line."""
        here = columns_of(line, self.columns)
        cell = here.cell
        if not is_cell(cell):
            return self.repaired(line, here)
        self.columns = here
        if cell in NONE and cell and here.start and self.none is _NEVER:
            self.none = line[here.start - 1 :]
            return []
        if not cell.isascii() and not _is_utf8(cell):
            reason = f"an entity is not named in UTF-8: {_text(cell)}"
            self.note("not-text", reason, "error", column=column_of(line, here.start))
            return []
        if b"+" in cell:
            return list(self.single(line, here))
        chunks: Iterable[_Chunk] = () if cell in NONE else _chunks(cell)
        # Only an end of line that is the cell and nothing else means the same on every line.
        known_by = line.rpartition(here.separator)[2]
        if known_by.strip() == cell and 0 < len(cell) < 100 and len(self.known) < 100_000:
            chunks = self.known[known_by] = list(chunks)
        return chunks

    def single(self, line: bytes, here: Columns) -> Iterator[_Chunk]:
        """The chunks of a cell that name one entity; one such as ``(1+2)`` is left out."""
        for chunk in _chunks(here.cell):
            _, _, name, at = chunk
            if not DOUBLE.fullmatch(name):
                yield chunk
            elif not self.only_count("double-antecedent", "warning"):
                self.note(
                    "double-antecedent",
                    f"a chunk names two entities, {_text(name)}; it is left out",
                    column=column_of(line, here.start + at),
                )

    def repaired(self, line: bytes, here: Columns) -> Iterable[_Chunk]:
        """The chunks of a cell that also holds what v8.01 passes over.

        That is the id of a mention that is open, repeated inside it, and what is behind the chunks.
        """
        cell = here.cell
        chunks: list[_Chunk] = []
        inside: list[int] = []
        behind: list[int] = []
        parts = 0
        for found in _PART.finditer(cell):
            part, at = found[0], found.start()
            parts += 1
            end = chunks_in(part)
            if part in self.entities and self.entities[part][1]:
                inside.append(at)
            elif _SIGN.search(part, end) or not (chunks or end) or not _is_utf8(part):
                self.bad_cell(line, here)
                return []
            elif end < len(part):
                behind.append(at + end)
            brackets = here._replace(cell=part[:end], start=here.start + at)
            chunks += [(*chunk[:3], at + chunk[3]) for chunk in self.single(line, brackets)]
        empty = cell.count(b"|") + 1 - parts
        if empty and (cell.startswith(b"|") or not chunks):
            self.bad_cell(line, here)
            return []
        if empty and not behind:
            behind.append(cell.find(b"||") + 1 or len(cell))
            empty -= 1
        for reason, places, more in ((_INSIDE, inside, 0), (_BEHIND, behind, empty)):
            if places:
                text = _text(cell[:200] if reason == _BEHIND else cell[places[0] :][:200])
                column = column_of(line, here.start + places[0])
                self.repair(reason, text.partition("|")[0] if reason == _INSIDE else text, column,
                            len(places) + more)  # fmt: skip
        self.columns = here
        return sorted(chunks, key=lambda chunk: not (chunk[0] and chunk[1]))

    def look_aside(self, block: bytes) -> None:
        """Look for brackets in other columns of a block that was read, until there is a mention."""
        self.empty = self.empty and not self.entities
        if self.empty and OPENING_CELL.search(block):
            for line in block.splitlines():
                if not line.startswith(b"#"):
                    self.bracketed.update(bracketed(line))

    def say_passed(self) -> None:
        """Report the column that looks like the coreference, where the last one holds nothing."""
        if self.empty and self.bracketed:
            ((column, columns), count) = self.bracketed.most_common(1)[0]
            reason = (
                f"brackets in column {column} of {columns} look like coreference, and are not "
                "read: the last column is"
            )
            self.keep(
                Problem(
                    "no-coreference",
                    reason,
                    path=self.path,
                    hint="Move the column to the end of its lines.",
                    count=count,
                )
            )

    def bad_cell(self, line: bytes, here: Columns) -> None:
        """Anything but chunks in a coreference cell."""
        hint = "The last column must hold the coreference chunks, or - for none."
        if places := list(bracketed(line)):
            hint += " Brackets are in column {} of {}; move it to the end.".format(*places[0])
        if b"*" in here.cell:
            hint += " This looks like a column of parses, names or arguments."
        self.note(
            "bad-cell",
            f"the coreference cell {_text(here.cell)!r} is not made of (ID, ID) and (ID)",
            "error",
            column=column_of(line, here.start + chunks_in(here.cell)),
            hint=hint,
        )

    def stray(self, line: bytes, name: bytes, at: int) -> None:
        """A close without an open, or with the wrong name."""
        document = self.document
        assert document is not None
        if self.only_count("close-without-open", "error"):
            return
        if self.stray_line != self.line:  # not again for each of many in a cell
            self.stray_line, self.stray_cell = self.line, columns_of(line, self.columns).start
        others = ""
        # Looking through what is open is not worth it for errors that nobody will read.
        if len(self.errors) < DataError.SHOWN:
            waiting = [
                (starts[-1], other) for other, (_, starts) in self.entities.items() if starts
            ]
            if waiting:
                start, last = max(waiting)
                others = f"; opened last and still open: {_text(last)}, on line "
                others += str(document.line_at(start))
        column = column_of(line, self.stray_cell + at)
        self.unopened(_text(name), column, others, document.label)

    def between(self, line: bytes) -> None:
        """A line that belongs to no document."""
        self.pause()
        cell = columns_of(line, UNKNOWN).cell
        if cell not in NONE and is_cell(cell):
            self.note(
                "outside-document",
                "a line with a coreference chunk belongs to no document",
                "error",
                hint='Begin the document with "#begin document (NAME); part 000".',
            )
        else:
            self.outside += 1
            self.first_outside = self.first_outside or self.line

    def only_count(self, code: str, severity: Severity) -> bool:
        """Whether a problem was counted and need not be described, as many of its kind are listed.

        The places of all chunks of a cell take time that grows with the square of their number.
        """
        full = self.noted[code, severity] >= LISTED
        self.noted[code, severity] += full
        return full

    def documents_read(self) -> tuple[list[Document], list[Problem]]:
        """All documents, or all errors."""
        if self.document is not None:
            self.missing_end(self.document, at_end=True)
            self.end(self.line + 1)
        if not self.documents:
            missing = "the file holds no document"
            raise DataError(Problem("no-document", missing, "error", self.path))
        if self.outside:
            message, line = "a line that belongs to no document", self.first_outside
            self.keep(
                Problem("outside-document", message, path=self.path, line=line, count=self.outside)
            )
        self.say_passed()
        self.note_repairs()
        return list(self.documents.values()), self.finish()


def _chunks(cell: bytes) -> Iterator[_Chunk]:
    """The chunks of a legal cell: first whole mentions, then the others in written order.

    Whole mentions leave open ones alone, so their place makes no difference to any span; but in
    which order entities appear decides which copy of a repeated mention is the first, and the
    official scorer looks for whole mentions first.
    """
    for whole in (True, False):
        for match in CHUNK.finditer(cell):
            opens, closes = bool(match[1]), bool(match[3])
            if (opens and closes) is whole:
                yield opens, closes, match[2], match.start()


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(name: bytes) -> str:
    """A piece of the file for a message."""
    text = name.decode("utf-8", "backslashreplace")
    return text if len(text) <= 80 else f"{text[:77]}..."


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; see `corefmeter.formats.conll_write`."""
    from corefmeter.formats import conll_write

    return conll_write.write(corpus, stream)


FORMAT = Format(
    name="conll",
    title=TITLE,
    sniff=sniff,
    read=read,
    write=write,
    endings=(".conll", ".v4_auto_conll", ".v4_gold_conll"),
    clues=(
        (
            b"",
            'A CoNLL file begins its documents with "#begin document (NAME); part 000". A format '
            "that is not recognised can be named with --from.",
        ),
    ),
    empty="If that is not what you expect, see whether the last column is the coreference.",
)
