"""CoNLL-2011 and CoNLL-2012 files (``*_conll``), in all variants in use.

Each line is a token with columns between TABs or spaces; the last column is the coreference cell.
The cell of a token without a chunk is ``-``, ``_``, ``*`` or empty. The chunk ``(ID`` opens a
mention, ``ID)`` closes the mention of that entity which was opened last, ``(ID)`` is a mention of
one token; ``|`` between chunks may be missing. An ID is any text without spaces, brackets, ``|``
and ``*``, which marks columns of parses and arguments. Chunks are read in the order in which they
are written. Tokens count from 0 through the document, whatever its sentences. Spans are half-open.

Out of any other cell, chunks are taken as v8.01 does, and the rest is ignored with a warning; see
`corefmeter.formats.conll_lines.take_chunks`. If a mention then does not open and close, the file is
read with numbers as IDs, which are all that v8.01 reads, if that is possible.

A line that begins with ``#`` begins or ends a document or is a comment, unless it has the columns
of a token; see `_Reader.is_token`.

Speed: a line without a mention costs one comparison of its end. Only lines that do not end like the
document's first line without a mention are parsed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.formats import conll_lines
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.conll_lines import NONE, UNKNOWN, Chunk, Columns, columns_of, is_cell
from corefmeter.formats.conll_lines import sniff as sniff  # a part of the format
from corefmeter.formats.notes import LISTED, LineReader, column_of, count_empty, truncated
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

#: The length of the longest cell, in bytes, out of which chunks are taken.
_LONGEST_CELL = 1 << 12

#: Errors that may vanish when only numbers are read as IDs.
_NUMBERS_HELP = ("bad-cell", "close-without-open", "unclosed-mention")

_IGNORED = "text in a coreference cell other than (ID, ID) or (ID) is ignored, as in v8.01"
_EARLY = "a mention closed in a cell before it is opened there counts as one token, as in v8.01"

#: The first lines of a file of many columns, which are searched for cells with spaces; if there
#: are any, all lines are.
_SEARCHED = 2_000

#: The first bytes of a file, which are searched for rows with more or fewer columns.
_FIRST_ROWS = 1 << 11

_NEVER = b"\n\n"  # an end that no line has
_HASH = ord("#")
_NAMED = 'Write "#begin document (NAME); part 000".'
_CLUE = 'A CoNLL file begins its documents with "#begin document (NAME); part 000".'

#: The mentions of an entity so far, and the first tokens of those that are open.
_Entity = tuple[list[Mention], list[int]]


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; DataError has all errors of the file."""
    # A pipe gives its bytes once, so its blocks are kept for a second reading.
    blocks: list[bytes] | None = None if source.repeatable and not details else []

    def read_again() -> Iterator[bytes]:
        if blocks is not None:
            yield from blocks
        else:
            with Source(source.path) as source_again:
                yield from source_again.blocks()

    first_blocks = _keep_blocks(source.blocks(), blocks)
    documents, problems = _read_documents(source.path, concatenate, first_blocks, read_again)
    if details:
        from corefmeter.formats.conll_text import text_of

        lines = b"".join(blocks or ()).split(b"\n")
        for document in documents:
            document.text = text_of(document, lines)
    return documents, problems


def _keep_blocks(blocks: Iterator[bytes], kept: list[bytes] | None) -> Iterator[bytes]:
    """Yield blocks, and append each to the list if there is one."""
    for block in blocks:
        if kept is not None:
            kept.append(block)
        yield block


def _read_documents(
    path: str, concatenate: bool, blocks: Iterable[bytes], read_again: Callable[[], Iterable[bytes]]
) -> ReadResult:
    """Read a file with any text as IDs; if that fails, with numbers as v8.01 reads them.

    `read_again` gives the blocks a second time. If both fail, the errors of the first are raised.
    """
    try:
        return _Reader(path, concatenate).documents_of(blocks)
    except DataError as error:
        if not any(problem.code in _NUMBERS_HELP for problem in error.problems):
            raise
        first_error = error
    try:
        return _Reader(path, concatenate, numbers=True).documents_of(read_again())
    except DataError as error:
        fails_alike = any(problem.code in _NUMBERS_HELP for problem in error.problems)
        raise (first_error if fails_alike else error) from None


def column(path: str, number: int) -> dict[tuple[str, int], list[str]]:
    """Return one column of a file: for each document, a value for each token.

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
    documents, _ = _read_documents(path, False, blocks, lambda: blocks)
    lines = b"".join(blocks).split(b"\n")
    from corefmeter.formats.conll_text import cells

    return {document.id: cells(document, lines, number) for document in documents}


class _Reader(LineReader):
    """The state of reading one file; with `numbers`, IDs are numbers, else any text."""

    def __init__(self, path: str, concatenate: bool, numbers: bool = False) -> None:
        super().__init__(path, concatenate)
        self.numbers = numbers
        #: Whether cells of the current block may contain spaces; None if not yet known.
        self.may_have_spaces: bool | None = False
        self.found_spaced_chunks = False  # whether an earlier block had chunks between spaces
        self.current_block = b""
        self.unread_cells = 0  # number of cells with text but no chunk, and the first of them
        self.first_unread: Problem | None = None
        self.no_entity = True  # whether no entity was read so far
        self.bracketed: Counter[tuple[int, int]] = Counter()  # bracketed columns: index, width
        self.lines_outside = 0  # number of lines outside of documents, and the first of them
        self.first_outside = 0
        #: The last line with a close that was not opened, and where its cell begins.
        self.stray_line = self.stray_cell = 0
        self.known: dict[bytes, list[Chunk]] = {}  # chunks by the end of the line
        self.columns = UNKNOWN  # of the last token whose line was parsed
        self.document: Document | None = None
        self.shift = 0  # the token on line n is n - shift
        self.leave_document()

    def leave_document(self) -> None:
        """Reset the per-document state; outside documents, no line end is known."""
        self.document = None
        self.usual_end = _NEVER  # the end of a line without a mention in this document
        self.known_cells: dict[bytes, list[Chunk]] = {}
        self.entities: defaultdict[bytes, _Entity] = defaultdict(lambda: ([], []))
        self.breaks: list[tuple[int, int]] = []

    def documents_of(self, blocks: Iterable[bytes]) -> ReadResult:
        """Return all documents of a file's blocks and the warnings; or all errors."""
        try:
            for block in blocks:
                self.read_block(block)
                self.look_in_other_columns(block)
        except DataError as error:
            # The blocks end before the line that cannot be read.
            broken = [problem._replace(line=self.line + 1) for problem in error.problems]
            raise DataError([*self.errors, *broken]) from None
        return self.documents_read()

    def read_block(self, block: bytes) -> None:
        """Read a block of whole lines; if all are empty, only the last of them."""
        if not self.line:
            self.report_uneven(block[: block.find(b"\n", _FIRST_ROWS) + 1 or None])
        self.current_block, self.may_have_spaces = block, None
        if empty := count_empty(block):
            self.line += empty - 1
            self.shift += empty - 1
            block = b"\n"
        self.read_lines(block)

    def report_uneven(self, block: bytes) -> None:
        """Warn of a row whose number of columns differs: its last column may not be coreference."""
        if (uneven := conll_lines.uneven_row(block)) is not None:
            line, columns, expected = uneven
            reason = f"a row of {columns} columns in a sentence of {expected}; the last is read"
            hint = "Use the same number of columns on each line, with the coreference last."
            self.warn("bad-columns", reason, line + 1, hint=hint)

    def read_lines(self, block: bytes) -> None:
        """Read a block of whole lines.

        For speed, locals mirror the state of the reader; `read_other_line` may change it.
        """
        usual_end, separator, cells = self.line_shortcuts()
        entities, shift, breaks = self.entities, self.shift, self.breaks
        end_from = -len(usual_end)
        number = self.line
        chunks: Iterable[Chunk] | None
        for number, line in enumerate(BytesIO(block), self.line + 1):
            if line[end_from:] == usual_end and line[0] != _HASH:
                continue  # a token without a mention
            if line == b"\n":
                shift += 1
                token = number + 1 - shift
                if breaks and breaks[-1][0] == token:
                    breaks.pop()
                breaks.append((token, number + 1))
                continue
            line_end = line.rpartition(separator)[2]
            chunks = cells.get(line_end)
            if chunks is None or line[0] == _HASH:
                chunks = self.parse_simple_cell(line, line_end)
                if chunks is None:
                    self.line, self.shift = number, shift
                    chunks = self.read_other_line(line)
                    usual_end, separator, cells = self.line_shortcuts()
                    entities, shift, breaks = self.entities, self.shift, self.breaks
                    end_from = -len(usual_end)
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
                    self.report_unopened(line, name, at)
        self.line, self.shift = number, shift

    def line_shortcuts(self) -> tuple[bytes, bytes, dict[bytes, list[Chunk]]]:
        """Return the end of a line without a mention, the column separator, and chunks by cell.

        Where spaces separate columns and may also be inside of a cell, the end of a line does not
        determine its cell, and the shortcuts match nothing.
        """
        number, separator, *_ = self.columns
        if number and separator != b"\t":
            if self.may_have_spaces is None:
                self.may_have_spaces = self.find_spaces(number)
            if self.may_have_spaces:
                return _NEVER, separator, {}
        return self.usual_end, separator, self.known_cells

    def find_spaces(self, columns: int) -> bool:
        """Return whether cells of the current block may contain spaces."""
        block = self.current_block
        is_narrow = columns < conll_lines.WIDE
        is_searched = is_narrow or self.line < _SEARCHED or self.found_spaced_chunks
        if is_searched and conll_lines.has_spaced_chunks(block):
            self.found_spaced_chunks = True
            return True
        return b"\t" in block or conll_lines.has_spaced_bar(block)

    def parse_simple_cell(self, line: bytes, end: bytes) -> list[Chunk] | None:
        """Return the chunks of a new cell, or None if the line has to be parsed as a whole.

        `end` is the text after the last separator. Most cells are one chunk with a plain name.
        """
        columns = self.columns
        if self.document is None or not columns.number or line[0] == _HASH:
            return None
        if self.numbers or (columns.separator != b"\t" and self.may_have_spaces):
            return None
        opens, closes = end[:1] == b"(", end[-2:] == b")\n"
        name = end[opens : -1 - closes]
        if (opens or closes) and name.isalnum() and len(end) <= 100:
            chunks = [(opens, closes, name, 0)]
        elif len(end) <= 100 and _PLAIN.fullmatch(end):
            chunks = _parse_plain_chunks(end.rstrip())
        else:
            return None
        if len(self.known) < 100_000:
            self.known[end] = chunks
        return chunks

    def read_other_line(self, line: bytes) -> Iterable[Chunk]:
        """Read a line that is not a token with a known cell; return its chunks if it is a token."""
        line = line.removeprefix(UTF8_MARK)  # where files were concatenated
        if line.isspace():
            self.skip_line()
        elif line[0] == _HASH and not self.is_token(line):
            self.read_directive(line)
        elif self.document is None:
            self.report_outside_line(line)
        else:
            return self.read_token(line)
        return []

    def read_directive(self, line: bytes) -> None:
        """Read a line that begins with ``#``: the begin or end of a document, or a comment."""
        begin = _BEGIN.match(line)
        if begin:
            self.begin_document(begin[1])
        elif not _END.match(line):
            self.skip_line()
        elif self.document is None:
            self.note("outside-document", "a document is closed, but none is open")
        else:
            self.end_document(self.line)

    def is_token(self, line: bytes) -> bool:
        """Return whether a line that begins with ``#`` is a token such as ``#metoo``.

        It is one if it has a coreference cell and as many columns as the other tokens, with the
        same separator. Where spaces separate three columns or more, a comment may look so by
        chance: there the first column must hold the words, or the name of the document.
        """
        if self.document is None or _BEGIN.match(line) or _END.match(line):
            return False
        known, columns = self.columns, columns_of(line, self.columns)
        if columns.number < 2 or not is_cell(columns.cell):
            return False
        name = self.document.name.encode()
        if columns.number > 2 and columns.first[0] == name:
            return True
        if known.number and columns[:2] != known[:2]:  # number and separator
            return False
        if columns.number == 2 or columns.separator == b"\t":
            return True
        words_are_first = name not in known.first and not any(map(bytes.isdigit, known.first[:2]))
        return bool(known.number) and words_are_first and columns.first[0] != b"#"

    def skip_line(self) -> None:
        """Skip a line that is not a token; the next token is on the next line."""
        self.shift += 1
        self.next_token(self.line + 1 - self.shift)

    def begin_document(self, rest: bytes) -> None:
        if self.document is not None:
            self.note_missing_end(self.document)
            self.end_document(self.line)
        self.document = document = self.open_document(*self.read_header(rest.strip()), _NAMED)
        for entity, mentions in zip(document.entity_names, document.entities, strict=True):
            self.entities[entity.encode()] = mentions, []  # of a document that goes on
        tokens_before = document.tokens or 0
        self.known_cells = self.known
        self.breaks = document.breaks
        self.shift = self.line + 1 - tokens_before
        self.next_token(tokens_before)

    def read_header(self, rest: bytes) -> tuple[str, int | None]:
        """Return the name and part of a document; an unusable name is empty."""
        name, part = "", None
        if len(rest) > LONGEST_HEADER:
            reason = f"a header longer than {LONGEST_HEADER} bytes"
            self.note("not-text", reason, "error", hint=_NAMED)
        elif b"\r" in rest:
            reason = "carriage returns within a line; lines must end with LF or CRLF"
            hint = "Save the file with different line endings."
            self.note("not-text", reason, "error", hint=hint)
        else:
            try:
                name, part = conll_lines.parse_header(rest)
            except UnicodeDecodeError as error:
                self.note("not-text", f"the document name is not UTF-8: {error}", "error")
        return name, part

    def end_document(self, line: int) -> None:
        """Finish the open document; `line` is the first line that is not in it."""
        document = self.document
        assert document is not None
        document.tokens = line - self.shift
        self.no_entity = self.no_entity and not self.entities
        for entity, (_, starts) in self.entities.items():
            for start in starts:
                if not self.only_count("unclosed-mention", "error"):
                    self.note_unclosed(document, _text(entity), start)
        document.entity_names = [entity.decode() for entity in self.entities]
        document.entities = [mentions for mentions, _ in self.entities.values()]
        self.leave_document()

    def read_token(self, line: bytes) -> Iterable[Chunk]:
        """Parse the line of a token whose end is not known; return its chunks."""
        known = conll_lines.columns_of_sentence(line, self.current_block, self.columns)
        columns = columns_of(line, known)
        cell = columns.cell
        if not is_cell(cell) or (self.numbers and cell not in NONE):
            return self.take_out_chunks(line, columns)
        self.columns = columns
        if cell in NONE and cell and columns.start and self.usual_end is _NEVER:
            self.usual_end = line[columns.start - 1 :]
            return []
        if not cell.isascii() and not _is_utf8(cell):
            reason = f"the name of an entity is not UTF-8: {_text(cell)}"
            self.note("not-text", reason, "error", column=column_of(line, columns.start))
            return []
        if b"+" in cell:
            return self.without_double_names(line, columns, _parse_chunks(cell))
        chunks: Iterable[Chunk] = () if cell in NONE else _parse_chunks(cell)
        # A line end is reusable only if it is the cell and nothing else.
        line_end = line.rpartition(columns.separator)[2]
        if line_end.strip() == cell and 0 < len(cell) < 100 and len(self.known) < 100_000:
            chunks = self.known[line_end] = list(chunks)
        return chunks

    def without_double_names(
        self, line: bytes, columns: Columns, chunks: Iterable[Chunk]
    ) -> list[Chunk]:
        """Return the chunks that name one entity; leave out a chunk such as ``(1+2)``."""
        kept = []
        for chunk in chunks:
            _, _, name, at = chunk
            if not conll_lines.DOUBLE.fullmatch(name):
                kept.append(chunk)
            elif not self.only_count("double-antecedent", "warning"):
                reason = f"a chunk names two entities, {_text(name)}; it is left out"
                self.note("double-antecedent", reason, column=column_of(line, columns.start + at))
        return kept

    def take_out_chunks(self, line: bytes, columns: Columns) -> list[Chunk]:
        """Return the chunks that v8.01 takes out of a cell; warn of the ignored rest.

        A name with an opening bracket is never ignored: that mention would be lost.
        """
        cell = columns.cell
        if len(cell) > _LONGEST_CELL:
            self.report_bad_cell(line, columns)
            return []
        patterns = conll_lines.NUMBERS if self.numbers else conll_lines.TEXT
        taken, rest, places = conll_lines.take_chunks(cell, patterns)
        if re.search(_OPENED, rest) or not all(_is_utf8(name) for _, _, name, _ in taken):
            self.report_bad_cell(line, columns)
            return []
        self.columns = columns
        if not taken:
            self.unread_cells += 1
            self.first_unread = self.first_unread or self.cell_error(line, columns)
        if not is_cell(cell) or rest.strip(b"|"):
            signs = zip(places, rest, strict=True)
            bar = re.search(_BARE_BAR, cell)
            first_bar = bar.start() if bar else 0
            place = next((place for place, sign in signs if sign != ord("|")), first_bar)
            self.count_repair(_IGNORED, _text(cell), column_of(line, columns.start + place))
        chunks = self.without_double_names(line, columns, taken)
        return self.with_late_closes(line, columns, chunks) if self.numbers else chunks

    def with_late_closes(self, line: bytes, columns: Columns, chunks: list[Chunk]) -> list[Chunk]:
        """Return chunks in the order of v8.01, which reads a close before its open as one token."""
        open_mentions: Counter[bytes] = Counter()
        in_order: list[Chunk] = []
        early: list[Chunk] = []
        for chunk in chunks:
            opens, closes, name, _ = chunk
            if name not in open_mentions:
                open_mentions[name] = len(self.entities[name][1]) if name in self.entities else 0
            open_mentions[name] += opens - closes
            if open_mentions[name] < 0:
                open_mentions[name] = 0
                early.append(chunk)
            else:
                in_order.append(chunk)
        opened = {name for opens, closes, name, _ in in_order if opens > closes}
        if late := [at for _, _, name, at in early if name in opened]:
            self.count_repair(_EARLY, _text(columns.cell), column_of(line, columns.start + late[0]))
        return [*in_order, *early]

    def look_in_other_columns(self, block: bytes) -> None:
        """Count brackets in other columns of a block that was read, until there is an entity."""
        self.no_entity = self.no_entity and not self.entities
        if self.no_entity and conll_lines.OPENING_CELL.search(block):
            for line in block.splitlines():
                if not line.startswith(b"#"):
                    self.bracketed.update(conll_lines.misplaced_brackets(line))

    def report_other_columns(self) -> None:
        """Report the column that looks like coreference if the last column holds none."""
        if self.no_entity and self.bracketed:
            ((column, columns), count) = self.bracketed.most_common(1)[0]
            reason = f"brackets in column {column} of {columns} look like coreference, but only "
            reason += "the last column is read"
            hint = "Move the column to the end of its lines."
            self.warn("no-coreference", reason, hint=hint, count=count)

    def report_bad_cell(self, line: bytes, columns: Columns) -> None:
        if not self.only_count("bad-cell", "error"):
            self.keep(self.cell_error(line, columns))

    def cell_error(self, line: bytes, columns: Columns) -> Problem:
        hint = "The last column must hold the coreference chunks, or - for none."
        if places := list(conll_lines.misplaced_brackets(line)):
            hint += " Brackets are in column {} of {}; move it to the end.".format(*places[0])
        if b"*" in columns.cell:
            hint += " This looks like a column of parses, names or arguments."
        reason = f"the coreference cell {_text(columns.cell)!r} is not made of (ID, ID) and (ID)"
        column = column_of(line, columns.start + conll_lines.chunks_in(columns.cell))
        return Problem("bad-cell", reason, "error", self.path, self.line, column, hint)

    def require_coreference(self) -> None:
        """Report a last column that is not coreference: it has text, but hardly any chunk."""
        documents = self.documents.values()
        tokens = sum(document.tokens or 0 for document in documents)
        has_entities = any(document.entities for document in documents)
        if self.first_unread and (not has_entities or 10 * self.unread_cells > 9 * tokens):
            self.keep(self.first_unread._replace(count=self.unread_cells))

    def report_unopened(self, line: bytes, name: bytes, at: int) -> None:
        """Report a closing chunk whose entity has no open mention."""
        document = self.document
        assert document is not None
        if self.only_count("close-without-open", "error"):
            return
        if self.stray_line != self.line:  # once for all chunks of a cell
            self.stray_line, self.stray_cell = self.line, columns_of(line, self.columns).start
        last_open = ""
        # The search is slow, and not worth it for errors that are not printed.
        if len(self.errors) < DataError.SHOWN:
            items = self.entities.items()
            if last_starts := [(starts[-1], entity) for entity, (_, starts) in items if starts]:
                start, entity = max(last_starts)
                last_open = f"; opened last and still open: {_text(entity)}, on line "
                last_open += str(document.line_at(start))
        column = column_of(line, self.stray_cell + at)
        self.note_unopened(_text(name), column, last_open, document.label)

    def report_outside_line(self, line: bytes) -> None:
        """Report a line outside of documents if it has a chunk; else count it."""
        self.skip_line()
        cell = columns_of(line, UNKNOWN).cell
        if cell not in NONE and is_cell(cell):
            reason = "a line with a coreference chunk is outside any document"
            hint = 'Begin the document with "#begin document (NAME); part 000".'
            self.note("outside-document", reason, "error", hint=hint)
        else:
            self.lines_outside += 1
            self.first_outside = self.first_outside or self.line

    def only_count(self, code: str, severity: Severity) -> bool:
        """Count a problem without its place if enough of its type are listed; return whether so.

        Finding the places of all chunks of a cell takes quadratic time.
        """
        if self.noted[code, severity] < LISTED:
            return False
        self.noted[code, severity] += 1
        return True

    def documents_read(self) -> ReadResult:
        if self.document is not None:
            self.note_missing_end(self.document, at_end=True)
            self.end_document(self.line + 1)
        if not self.documents:
            raise DataError(Problem("no-document", "the file has no document", "error", self.path))
        if self.lines_outside:
            reason = "a line outside any document"
            self.warn("outside-document", reason, self.first_outside, count=self.lines_outside)
        self.report_other_columns()
        self.require_coreference()
        self.note_repairs()
        return list(self.documents.values()), self.finish()


def _parse_chunks(cell: bytes) -> Iterator[Chunk]:
    """Yield the chunks of a legal cell: first mentions of one token, then the others.

    The order in which entities appear decides which copy of a repeated mention is the first, and
    the official scorer reads mentions of one token first. No span depends on that order.
    """
    for is_one_token in (True, False):
        for match in conll_lines.CHUNK.finditer(cell):
            opens, closes = bool(match[1]), bool(match[3])
            if (opens and closes) is is_one_token:
                yield opens, closes, match[2], match.start()


def _parse_plain_chunks(cell: bytes) -> list[Chunk]:
    """Return the chunks of a cell that has a bar between any two of them; see `_parse_chunks`."""
    of_one_token: list[Chunk] = []
    of_several: list[Chunk] = []
    at = 0
    for chunk in cell.split(b"|"):
        opens, closes = chunk[:1] == b"(", chunk[-1:] == b")"
        name = chunk[opens : len(chunk) - closes]
        (of_one_token if opens and closes else of_several).append((opens, closes, name, at))
        at += len(chunk) + 1
    return of_one_token + of_several


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(name: bytes) -> str:
    """Return bytes of the file as text for a message, truncated to 80 characters."""
    return truncated(name[:400].decode("utf-8", "backslashreplace"))


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
    clues=((b"", f"{_CLUE} A format that is not recognized can be named with --from."),),
    empty="If this is unexpected, check whether the last column is the coreference.",
)
