"""Shared parts of readers and writers: numbered lines, the problems of a file, text of a cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corefmeter.corpus.model import Document
from corefmeter.formats.source import UTF8_MARK, Source, require_short
from corefmeter.problems import DataError, Problem, Severity

#: Problems of one type in a file that are listed one by one; further ones are counted.
LISTED = 1000
#: Pieces of a text that are joined at a time, so that millions of lines are not as many objects.
PORTION = 10_000
#: Size in characters of the portions of a text in which lines are counted.
LINES = 1 << 12
#: How many characters of a text a message shows.
SHOWN = 80
#: A position after the end of every text.
BEYOND = 10**18

#: The beginning of a line that is not blank.
_FILLED = rb"(?m)^[^\S\n]*\S"


def share_of_lines(head: bytes, line: re.Pattern[bytes]) -> float:
    r"""Return the share of the non-blank lines of a first block that match a pattern.

    The pattern begins with ``^`` and is compiled with ``re.MULTILINE``. A last line without a
    newline may be truncated, and is not counted unless it is the only one.

    Examples
    --------
    >>> share_of_lines(b"1 a\n\n2 b\nc\n3", re.compile(rb"^\d .", re.MULTILINE))
    0.6666666666666666
    """
    end = head.rfind(b"\n", 0, len(head.rstrip())) + 1
    whole = head[:end] if end and not head.endswith(b"\n") else head
    return len(line.findall(whole)) / max(1, len(re.findall(_FILLED, whole)))


class Notes:
    """The problems of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.warnings: list[Problem] = []
        self.errors: list[Problem] = []
        self.noted: Counter[tuple[str, Severity]] = Counter()
        self.is_truncated = False  # whether the file could not be read to its end

    def error(
        self,
        code: str,
        message: str,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
        *,
        document: str | None = None,
    ) -> None:
        """Note an error, which makes the file unusable."""
        self.keep(Problem(code, message, "error", self.path, line, column, hint, document=document))

    def warn(
        self,
        code: str,
        message: str,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
        count: int = 1,
        document: str | None = None,
    ) -> None:
        """Note a warning, such as a decision that was made for the user."""
        self.keep(Problem(code, message, "warning", self.path, line, column, hint, count, document))

    def keep(self, problem: Problem) -> None:
        """List a problem, or only count it if many with its code are listed.

        If the file could not be read to its end, later problems follow from that and are dropped.
        """
        if self.is_truncated:
            return
        problem_type = problem.code, problem.severity
        self.noted[problem_type] += 1
        if self.noted[problem_type] <= LISTED:
            (self.errors if problem.severity == "error" else self.warnings).append(problem)

    def finish(self) -> list[Problem]:
        """Return the warnings; raise DataError with all errors if there are any."""
        for (code, severity), times in self.noted.items():
            if times > LISTED:
                problems = self.errors if severity == "error" else self.warnings
                message = "further problems of this type are not listed one by one"
                problems.append(Problem(code, message, severity, self.path, count=times - LISTED))
        if self.errors:
            last = max(problem.line or 0 for problem in self.errors) + 1
            raise DataError(sorted(self.errors, key=lambda problem: problem.line or last))
        return self.warnings

    def result(
        self, documents: list[Document], concatenate: bool, hint: str | None = None
    ) -> tuple[list[Document], list[Problem]]:
        """Return the documents of the file and the warnings; raise DataError with all errors."""
        if not documents and not self.errors:
            self.error("no-document", "the file has no document", hint=hint)
        return self.distinct(documents, concatenate), self.finish()

    def distinct(self, documents: list[Document], concatenate: bool) -> list[Document]:
        """Return documents of different names; those of the same name are errors, or are joined."""
        from corefmeter.formats.joining import join_documents, repeated_documents

        repeats = repeated_documents(documents)
        if repeats and concatenate:
            documents, repeats = join_documents(documents, self.path)
        for problem in repeats:
            self.keep(problem)
        return documents


class LineReader(Notes):
    """The state of reading one file by its lines: its documents, and the current line."""

    def __init__(self, path: str, concatenate: bool) -> None:
        super().__init__(path)
        self.concatenate = concatenate
        self.documents: dict[tuple[str, int], Document] = {}
        self.line = 0  # the number of the last line that was read
        self.unnamed = 0
        self.breaks: list[tuple[int, int]] = []  # of the document that is open
        #: By reason: line and column of the first repair, its text, and the number of repairs.
        self.repairs: dict[str, tuple[int, int, str, int]] = {}

    def lines_of(self, source: Source) -> Iterator[str]:
        """Yield the lines of a file as text, and set `line` to the number of each."""
        for number, line in numbered_lines(source, self):
            self.line = number
            yield line

    def new_document(self, name: str, part: int | None, hint: str) -> Document:
        """Return the document that begins on this line; without a name it is numbered."""
        numbered = not name
        if numbered:
            self.unnamed += 1
            name = f"document {self.unnamed}"
        document = Document(name, [], part=part, tokens=0, numbered=numbered)
        document.path, document.line = self.path, self.line
        if numbered:
            reason = "the document has no name; it is numbered"
            self.note("unnamed-document", reason, hint=hint, document=document.label)
        return document

    def note_missing_end(self, document: Document, at_end: bool = False) -> None:
        """Note that ``#end document`` is missing before the next document, or at the file's end."""
        reason = "the document is not closed before the next begins"
        hint = 'Write "#end document" before this line.'
        if at_end:
            reason = "the file ends before the document is closed"
            hint = 'Write "#end document" at the end; the file may be truncated.'
        self.note("missing-end", reason, hint=hint, document=document.label)

    def open_document(self, name: str, part: int | None, hint: str) -> Document:
        """Return the document that begins or, when concatenating, continues on this line."""
        document = self.new_document(name, part, hint)
        first = self.documents.setdefault(document.id, document)
        if first is document or self.concatenate:
            return first
        from corefmeter.formats.joining import repeated_document

        self.keep(repeated_document(document, first))
        return document

    def next_token(self, token: int) -> None:
        """Record that this token, if it exists, is on the next line."""
        if self.breaks and self.breaks[-1][0] == token:
            self.breaks.pop()  # so that a file of empty lines does not fill the memory
        self.breaks.append((token, self.line + 1))

    def count_repair(self, reason: str, text: str, column: int) -> None:
        """Count a notation error in `text` that was repaired as `reason` describes."""
        first = self.line, column, text, 0
        line, column, text, times = self.repairs.get(reason, first)
        self.repairs[reason] = line, column, text, times + 1

    def note_repairs(self) -> None:
        """Warn once of each type of repair, with its first place and the number of repairs."""
        for reason, (line, column, text, count) in self.repairs.items():
            self.warn("repaired", f"{reason}, such as {text!r:.80}", line, column, count=count)

    def note_unclosed(self, document: Document, entity: str, start: int) -> None:
        """Note a mention that begins at a token and has no end."""
        reason = f"entity {entity} opened here is never closed"
        hint = f'Close it with "{entity})" or drop the bracket.'
        line, label = document.line_at(start), document.label
        self.note("unclosed-mention", reason, "error", line=line, hint=hint, document=label)

    def note_unopened(
        self, entity: str, column: int, last_open: str = "", document: str | None = None
    ) -> None:
        """Note a mention that ends in a column of this line and has no beginning."""
        reason = f"entity {entity} is closed but was not opened{last_open}"
        hint = "Check the ids of the opening and the closing bracket."
        code = "close-without-open"
        self.note(code, reason, "error", column=column, hint=hint, document=document)

    def note(
        self,
        code: str,
        message: str,
        severity: Severity = "warning",
        *,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
        document: str | None = None,
    ) -> None:
        """Note a problem, at the current line by default."""
        place = self.path, line or self.line, column
        self.keep(Problem(code, message, severity, *place, hint, document=document))


def cell_column(cells: Sequence[str], index: int) -> int:
    """Return the column in which a cell of a line with TABs begins."""
    return sum(map(len, cells[:index])) + index + 1


def column_of(line: bytes, at: int) -> int:
    """Return the column of a byte, in characters."""
    return len(line[:at].decode("utf-8", "replace")) + 1


def count_empty(block: bytes) -> int:
    """Return the number of lines of a block if all of them are empty, else 0."""
    return 0 if block.lstrip(b"\r\n") else block.count(b"\n")


def numbered_lines(source: Source, notes: Notes | None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file as text without their ends, numbered from 1.

    A line that is not UTF-8 is noted as an error and left out. If the rest of the file cannot be
    read, that is noted and the lines end. Without `notes`, bytes that are not UTF-8 are replaced,
    and DataError is raised. Of a block of empty lines, only the last is yielded.
    """
    number = 0
    try:
        for block in source.blocks():
            if empty := count_empty(block):
                number, block = number + empty - 1, b"\n"
            for line in block.split(b"\n")[:-1]:
                source.line = number = number + 1
                try:
                    yield number, line.removeprefix(UTF8_MARK).removesuffix(b"\r").decode()
                except UnicodeDecodeError as error:
                    if notes is None:
                        yield number, line.removesuffix(b"\r").decode("utf-8", "replace")
                    else:
                        column = column_of(line, error.start)
                        reason = f"not UTF-8: byte {line[error.start]:#04x}"
                        notes.error("not-text", reason, number, column, "Save the file as UTF-8.")
    except DataError as error:
        if notes is None:
            raise
        for problem in error.problems:
            notes.keep(problem._replace(line=number + 1))
        notes.is_truncated = True


def whole_text(lines: Iterable[tuple[int, str]], path: str, first: int = 1) -> str:
    """Join numbered lines to one text, in which a missing line is empty."""
    next_number = first
    portions: list[str] = []
    pieces: list[str] = []
    size = 0
    for number, line in lines:
        pieces += ("\n" * (number - next_number), line, "\n")
        size += number - next_number + len(line) + 1
        next_number = number + 1
        require_short(size, path)
        if len(pieces) > PORTION:
            portions.append("".join(pieces))
            pieces.clear()
    return "".join([*portions, *pieces]).removesuffix("\n")


class Lines:
    """Index of the lines of a text, to locate an offset; a few numbers for each portion of it.

    Examples
    --------
    >>> lines = Lines("a\\n\\nbc")
    >>> lines.place(0), lines.place(2), lines.place(4)
    ((1, 1), (2, 1), (3, 2))
    """

    def __init__(self, text: str) -> None:
        self.text = text
        #: For each portion: the number of lines before it, and where its first line begins.
        self.counts, self.begins = [0], [0]
        for start in range(0, len(text), LINES):
            end = start + LINES
            self.counts.append(self.counts[-1] + text.count("\n", start, end))
            self.begins.append(text.rfind("\n", start, end) + 1 or self.begins[-1])

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of a character, counted from 1."""
        start = at - at % LINES
        number = at // LINES
        line = self.counts[number] + self.text.count("\n", start, at)
        begin = self.text.rfind("\n", start, at) + 1 or self.begins[number]
        return line + 1, at - begin + 1


def number_of(digits: str) -> int:
    """Convert decimal digits to a number, or `BEYOND` if there are too many.

    Python refuses to convert thousands of digits, and no text is that long: such a position is
    reported like any other position outside of the text.
    """
    return int(digits) if len(digits) <= 18 else BEYOND


def truncated(text: str, length: int = SHOWN) -> str:
    """Return a text for a message, truncated to a number of characters."""
    return text if len(text) <= length else f"{text[: length - 3]}..."


def in_cell(text: str) -> str:
    """Convert text to one cell: without spaces, and never empty."""
    return "_".join(text.split()).encode("utf-8", "replace").decode() or "_"


def lost_problem(
    document: Document, message: str, count: int = 1, code: str = "cannot-write"
) -> Problem:
    """Return the report about something of a document that a format cannot express.

    The code is ``mention-unwritten`` or ``document-unwritten`` where these are left out.
    """
    return Problem(code, message, path=document.path, count=count, document=document.label)


def unwritten_problem(
    document: Document, what: str, outcome: str, code: str = "cannot-write"
) -> Problem:
    """Return the report about one thing that a format cannot express, and what became of it."""
    return lost_problem(document, f"{what} cannot be written; it is {outcome}", code=code)
