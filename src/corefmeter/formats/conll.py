"""CoNLL-2011 and CoNLL-2012 files (``*_conll``), in all variants in use.

One token a line, columns separated by TABs or blanks, the coreference cell last. A cell is ``-``,
``_``, ``*`` or empty for none, or chunks: ``(ID`` opens a mention, ``ID)`` closes the mention of
that entity which was opened last, ``(ID)`` is a mention of one token; ``|`` between chunks may be
missing. An ID is any text without blanks, brackets, ``|`` and ``*``, which marks columns of parses
and arguments. Opens and closes are read as they are written. Tokens count from 0 through the
document; blank lines and sentences play no role. Spans are half-open.

Chunks are taken out of any other cell as v8.01 takes them, and the rest of it is ignored with a
warning; see `corefmeter.formats.conll_lines.take`. If some mention then does not open and close,
and the file can be read with numbers as IDs, which are all that v8.01 reads, it is read so.

A line that begins with ``#`` begins or ends a document or is a comment, unless it has the columns
of a token; see `_Reader.is_token`.

Speed: a line without a mention costs one comparison of its end. Everything else is found out only
about lines that do not end like the document's first line without a mention.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.formats.base import Format
from corefmeter.formats.conll_lines import (
    CHUNK,
    DOUBLE,
    NONE,
    NUMBERS,
    OPENING_CELL,
    TEXT,
    UNKNOWN,
    WIDE,
    Chunk,
    Columns,
    bracketed,
    chunks_in,
    columns_of,
    columns_of_sentence,
    fewest_columns,
    has_spaced_bar,
    has_spaced_chunks,
    header,
    is_cell,
    take,
    uneven_row,
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


#: A bar of a cell with nothing on one side.
_BARE_BAR = rb"\A\||\|(?=\||\Z)"

#: A name behind an opening bracket, which is a mention where names are IDs.
_OPENED = rb"\([^()|*\s]*[\w\x80-\xff]"

#: A cell that is longer and not made of chunks alone is no cell.
_LONGEST_CELL = 1 << 12

#: What numbers as IDs may make right.
_ODD = ("bad-cell", "close-without-open", "unclosed-mention")

_IGNORED = "text in a coreference cell that is not (ID, ID) or (ID) is ignored, as by v8.01"
_EARLY = "a mention that a cell closes before it opens it is one token, as in v8.01"

#: Lines of a file of many columns that are searched for cells with spaces, and more if there are.
_SEARCHED = 2_000

#: How many bytes of a file are searched for rows of other columns than their sentence.
_FIRST_ROWS = 1 << 11

_NEVER = b"\n\n"  # an end that no line has
_HASH = ord("#")
_NAMED = 'Write "#begin document (NAME); part 000".'

#: The mentions of an entity so far, and the first tokens of those that are open.
_Entity = tuple[list[Mention], list[int]]


def _new_entity() -> _Entity:
    return [], []


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: cells that hold no chunks, mentions closed without having
        been opened or never closed, the same document twice, no document at all, and bytes that
        are no text or cannot be decompressed.
    """
    # A pipe gives its bytes once.
    blocks: list[bytes] | None = None if source.repeatable and not details else []

    def again() -> Iterator[bytes]:
        if blocks is not None:
            yield from blocks
        else:
            with Source(source.path) as second:
                yield from second.blocks()

    documents, problems = _documents(
        source.path, concatenate, _kept(source.blocks(), blocks), again
    )
    if details:
        from corefmeter.formats.conll_text import text_of

        lines = b"".join(blocks or ()).split(b"\n")
        for document in documents:
            document.text = text_of(document, lines)
    return documents, problems


def _kept(blocks: Iterator[bytes], kept: list[bytes] | None) -> Iterator[bytes]:
    """Blocks, which are also appended to a list if there is one."""
    for block in blocks:
        if kept is not None:
            kept.append(block)
        yield block


def _documents(
    path: str,
    concatenate: bool,
    blocks: Iterable[bytes],
    again: Callable[[], Iterable[bytes]],
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file with any text as IDs; if that fails, with numbers as v8.01 has them.

    `again` gives the blocks a second time. Where both fail, the errors are those of the first.
    """
    try:
        return _Reader(path, concatenate).documents_of(blocks)
    except DataError as error:
        if not any(problem.code in _ODD for problem in error.problems):
            raise
        failed = error
    try:
        return _Reader(path, concatenate, numbers=True).documents_of(again())
    except DataError as error:
        odd = any(problem.code in _ODD for problem in error.problems)
        raise (failed if odd else error) from None


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
    with Source(path) as source:
        blocks = list(source.blocks())
    documents, _ = _documents(path, False, blocks, lambda: blocks)
    lines = b"".join(blocks).split(b"\n")
    from corefmeter.formats.conll_text import cells

    return {document.id: cells(document, lines, number) for document in documents}


class _Reader(LineReader):
    """The state of reading one file.

    Parameters
    ----------
    path, concatenate
        As of `LineReader`.
    numbers
        Whether an ID is a number; else it is any text.
    """

    def __init__(self, path: str, concatenate: bool, numbers: bool = False) -> None:
        super().__init__(path, concatenate)
        self.numbers = numbers
        self.careful: bool | None = False  # whether spaces may be in cells of the block, if known
        self.spaced = False  # whether chunks between spaces were found
        self.latest = b""  # the block
        self.unread = 0  # cells that hold something and no chunk, and an error about the first
        self.first_unread: Problem | None = None
        self.empty = True  # as far as was looked for brackets in other columns, and those
        self.bracketed: Counter[tuple[int, int]] = Counter()
        self.outside = 0  # lines that belong to no document, and the first of them
        self.first_outside = 0
        self.stray_line = self.stray_cell = 0  # the last line with a stray close, its cell's place
        self.known: dict[bytes, list[Chunk]] = {}  # chunks by the end of the line
        self.columns = UNKNOWN  # of the last token that was looked into
        self.document: Document | None = None
        self.shift = 0  # the token on line n is n - shift
        self.leave()

    def leave(self) -> None:
        """Be outside of documents, where no line is usual."""
        self.document = None
        self.none = _NEVER  # how a line without a mention ends in this document
        self.cells: dict[bytes, list[Chunk]] = {}
        self.entities: defaultdict[bytes, _Entity] = defaultdict(_new_entity)
        self.breaks: list[tuple[int, int]] = []

    def documents_of(self, blocks: Iterable[bytes]) -> tuple[list[Document], list[Problem]]:
        """Return all documents of a file's blocks and the warnings; or all errors."""
        try:
            for block in blocks:
                self.block(block)
                self.look_aside(block)
        except DataError as error:
            # The blocks end before the line that cannot be had.
            broken = [problem._replace(line=self.line + 1) for problem in error.problems]
            raise DataError([*self.errors, *broken]) from None
        return self.documents_read()

    def block(self, block: bytes) -> None:
        """Read a block of whole lines, of many empty ones only the last."""
        if not self.line:
            self.report_uneven(block[: block.find(b"\n", _FIRST_ROWS) + 1 or None])
        self.latest, self.careful = block, None
        for stretch, empty in stretches(block):
            if empty:
                self.line += empty - 1
                self.shift += empty - 1
            self.lines(stretch)

    def report_uneven(self, block: bytes) -> None:
        """Warn of a row with a column more or less, whose last one may not be the coreference."""
        if (found := uneven_row(block)) is not None:
            line, columns, expected = found
            reason = f"a row of {columns} columns in a sentence of {expected}; the last is read"
            hint = "Write the coreference into the last of as many columns on each line."
            self.keep(Problem("bad-columns", reason, path=self.path, line=line + 1, hint=hint))

    def lines(self, block: bytes) -> None:
        """Read a block of whole lines.

        The locals mirror the state of the reader; `unusual` may change it.
        """
        none, separator, cells = self.usual()
        entities, shift, breaks = self.entities, self.shift, self.breaks
        end = -len(none)
        number = self.line
        chunks: Iterable[Chunk] | None
        for number, line in enumerate(BytesIO(block), self.line + 1):
            if line[end:] == none and line[0] != _HASH:
                continue
            if line == b"\n":
                shift += 1
                token = number + 1 - shift
                if breaks and breaks[-1][0] == token:
                    breaks.pop()
                breaks.append((token, number + 1))
                continue
            known_by = line.rpartition(separator)[2]
            chunks = cells.get(known_by)
            if chunks is None or line[0] == _HASH:
                chunks = self.plain(line, known_by)
                if chunks is None:
                    self.line, self.shift = number, shift
                    chunks = self.unusual(line)
                    none, separator, cells = self.usual()
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

    def usual(self) -> tuple[bytes, bytes, dict[bytes, list[Chunk]]]:
        """Return the usual end of a line without a mention, the column separator, and known cells.

        Where blanks separate columns and may also be inside a cell, the end of a line is not known.
        """
        number, separator, *_ = self.columns
        if self.careful is not False and number and separator != b"\t":
            if self.careful is None:
                self.careful = b"\t" in self.latest or has_spaced_bar(self.latest)
                if number < WIDE or self.line < _SEARCHED or self.spaced:
                    spaced = has_spaced_chunks(self.latest)
                    self.careful |= spaced
                    self.spaced |= spaced
            if self.careful:
                return _NEVER, separator, {}
        return self.none, separator, self.cells

    def plain(self, line: bytes, end: bytes) -> list[Chunk] | None:
        """Return the chunks of a cell that is new, if nothing about the line needs a closer look.

        `end` is what stands behind the last separator; most cells are one chunk with a plain name.
        """
        known = self.columns
        if self.document is None or not known.number or line[0] == _HASH:
            return None
        if self.numbers or (known.separator != b"\t" and self.careful):
            return None
        opens, closes = end[:1] == b"(", end[-2:] == b")\n"
        name = end[opens : -1 - closes]
        if (opens or closes) and name.isalnum() and len(end) <= 100:
            chunks = [(opens, closes, name, 0)]
        elif len(end) <= 100 and _PLAIN.fullmatch(end):
            chunks = _plain_chunks(end.rstrip())
        else:
            return None
        if len(self.known) < 100_000:
            self.known[end] = chunks
        return chunks

    def unusual(self, line: bytes) -> Iterable[Chunk]:
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
        """Skip a line that is not a token; the next token is on the next line."""
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
        """Parse the name and part of a document; no name if it is unusable."""
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

    def look(self, line: bytes) -> Iterable[Chunk]:
        """The chunks of a token whose cell is not known by the end of its line."""
        known = self.columns
        if not known.number:
            known = UNKNOWN._replace(number=fewest_columns(self.latest))
        if known.separator != b"\t":
            known = columns_of_sentence(line, self.latest, known)
        here = columns_of(line, known)
        cell = here.cell
        if not is_cell(cell) or (self.numbers and cell not in NONE):
            return self.taken(line, here)
        self.columns = here
        if cell in NONE and cell and here.start and self.none is _NEVER:
            self.none = line[here.start - 1 :]
            return []
        if not cell.isascii() and not _is_utf8(cell):
            reason = f"an entity is not named in UTF-8: {_text(cell)}"
            self.note("not-text", reason, "error", column=column_of(line, here.start))
            return []
        if b"+" in cell:
            return self.single(line, here, _chunks(cell))
        chunks: Iterable[Chunk] = () if cell in NONE else _chunks(cell)
        # Only an end of line that is the cell and nothing else means the same on every line.
        known_by = line.rpartition(here.separator)[2]
        if known_by.strip() == cell and 0 < len(cell) < 100 and len(self.known) < 100_000:
            chunks = self.known[known_by] = list(chunks)
        return chunks

    def single(self, line: bytes, here: Columns, chunks: Iterable[Chunk]) -> list[Chunk]:
        """Return the chunks of a cell that name one entity; one such as ``(1+2)`` is left out."""
        found = []
        for chunk in chunks:
            _, _, name, at = chunk
            if not DOUBLE.fullmatch(name):
                found.append(chunk)
            elif not self.only_count("double-antecedent", "warning"):
                self.note(
                    "double-antecedent",
                    f"a chunk names two entities, {_text(name)}; it is left out",
                    column=column_of(line, here.start + at),
                )
        return found

    def taken(self, line: bytes, here: Columns) -> list[Chunk]:
        """The chunks that v8.01 takes out of a cell; the rest of it is ignored with a warning.

        A name with an opening bracket is never ignored: that mention would be lost.
        """
        cell = here.cell
        if len(cell) > _LONGEST_CELL:
            self.bad_cell(line, here)
            return []
        found, left, places = take(cell, NUMBERS if self.numbers else TEXT)
        if re.search(_OPENED, left) or not all(_is_utf8(name) for _, _, name, _ in found):
            self.bad_cell(line, here)
            return []
        self.columns = here
        if not found:
            self.unread += 1
            self.first_unread = self.first_unread or self.cell_error(line, here)
        if not is_cell(cell) or left.strip(b"|"):
            rest = (place for place, sign in zip(places, left, strict=True) if sign != ord("|"))
            bar = re.search(_BARE_BAR, cell)
            place = next(rest, bar.start() if bar else 0)
            self.repair(_IGNORED, _text(cell), column_of(line, here.start + place))
        chunks = self.single(line, here, found)
        return self.closed_late(line, here, chunks) if self.numbers else chunks

    def closed_late(self, line: bytes, here: Columns, chunks: list[Chunk]) -> list[Chunk]:
        """Chunks in an order in which a mention closes after it opens, as v8.01 orders all."""
        waiting: Counter[bytes] = Counter()
        written: list[Chunk] = []
        early: list[Chunk] = []
        for chunk in chunks:
            opens, closes, name, _ = chunk
            if name not in waiting:
                waiting[name] = len(self.entities[name][1]) if name in self.entities else 0
            waiting[name] += opens - closes
            if waiting[name] < 0:
                waiting[name] = 0
                early.append(chunk)
            else:
                written.append(chunk)
        opened = {name for opens, closes, name, _ in written if opens > closes}
        if late := [at for _, _, name, at in early if name in opened]:
            self.repair(_EARLY, _text(here.cell), column_of(line, here.start + late[0]))
        return [*written, *early]

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
        """Note a cell that is not coreference."""
        if not self.only_count("bad-cell", "error"):
            self.keep(self.cell_error(line, here))

    def cell_error(self, line: bytes, here: Columns) -> Problem:
        """Return the error about a cell that is not coreference."""
        hint = "The last column must hold the coreference chunks, or - for none."
        if places := list(bracketed(line)):
            hint += " Brackets are in column {} of {}; move it to the end.".format(*places[0])
        if b"*" in here.cell:
            hint += " This looks like a column of parses, names or arguments."
        reason = f"the coreference cell {_text(here.cell)!r} is not made of (ID, ID) and (ID)"
        column = column_of(line, here.start + chunks_in(here.cell))
        return Problem("bad-cell", reason, "error", self.path, self.line, column, hint)

    def require_coreference(self) -> None:
        """Refuse a last column that holds something else: no chunk, or hardly any."""
        documents = self.documents.values()
        tokens = sum(document.tokens or 0 for document in documents)
        found = any(document.entities for document in documents)
        if self.first_unread and (not found or 10 * self.unread > 9 * tokens):
            self.keep(self.first_unread._replace(count=self.unread))

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
        """Report or count a line outside of documents."""
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
        """Return whether a problem is only counted, since enough of its type are listed.

        The places of all chunks of a cell take time that grows with the square of their number.
        """
        full = self.noted[code, severity] >= LISTED
        self.noted[code, severity] += full
        return full

    def documents_read(self) -> tuple[list[Document], list[Problem]]:
        """Return all documents, or all errors."""
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
        self.require_coreference()
        self.note_repairs()
        return list(self.documents.values()), self.finish()


def _chunks(cell: bytes) -> Iterator[Chunk]:
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


def _plain_chunks(cell: bytes) -> list[Chunk]:
    """Return the chunks of a cell with a bar between any two; see `_chunks`."""
    whole: list[Chunk] = []
    others: list[Chunk] = []
    at = 0
    for chunk in cell.split(b"|"):
        opens, closes = chunk[:1] == b"(", chunk[-1:] == b")"
        found = whole if opens and closes else others
        found.append((opens, closes, chunk[opens : len(chunk) - closes], at))
        at += len(chunk) + 1
    return whole + others


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(name: bytes) -> str:
    """Return a piece of the file for a message."""
    text = name[:400].decode("utf-8", "backslashreplace")
    return text if len(text) <= 80 else f"{text[:77]}..."


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; see `corefmeter.formats.conll_write`."""
    from corefmeter.formats import conll_write

    return conll_write.write(corpus, stream)


FORMAT = Format(
    name="conll",
    title=TITLE,
    sniff=sniff,
    evidence="`#begin document` begins a line; most rows are within documents, and some end "
    "with a coreference cell",
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
