"""Text as a table: the separator of values, their quotes, and the number of rows.

All three are detected in the whole file before DuckDB reads it, so that DuckDB guesses nothing.
Ambiguous files are refused.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import NamedTuple

from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem, amount

#: Separators of values, with their names in messages.
SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}

#: A quoted value, which must be a whole value; quotes at the start of a value; unclosed quotes.
_QUOTED = re.compile(rb'(?:(?<=[\n,;|\t])|\A)"[^"]*+(?:""[^"]*+)*+"(?=[,;|\t\r\n]|\Z)')
_OPENING = re.compile(rb'(?:(?<=[\n,;|\t])|\A) *"')
_UNCLOSED = re.compile(rb'"[^"]*+(?:""[^"]*+)*+\Z')
_EMPTY_LINE = re.compile(rb"^\r?\n", re.MULTILINE)

#: The longest quoted value, and the longest line, that DuckDB reads.
_LONGEST = 2_000_000

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Form(NamedTuple):
    """Options for reading a file as a table.

    `first` has the values of row 1, without the spaces around them; row 1 counts in `rows`. The
    separator is empty if rows have one value. `digest` is the SHA-256 of the file.
    """

    first: tuple[str, ...]
    rows: int
    separator: str
    quotes: bool
    digest: str

    def note(self, header: bool, rows: int) -> str:
        """Describe how a table with this number of rows is read; this is its first file."""
        header_row = "header in row 1" if header else "no header"
        parts = [amount(rows, "row"), header_row, SEPARATORS.get(self.separator, "one column")]
        return ", ".join([*parts, "quotes"] if self.quotes else parts)


def detect_form(path: str, names: Iterable[str]) -> Form:
    """Detect how a file is read as a table; `names` are known names of columns, in lower case.

    Refuse rows with different numbers of values, quotes that end within a value, empty lines in a
    file of one column, and different line endings.
    """
    rows = empty = returns = pairs = quoted = 0
    start = b""
    totals = dict.fromkeys(SEPARATORS, 0)
    with open_text(path) as source:
        for block, plain, quotes in _without_quotes(source, path):
            start = start or block
            quoted += quotes
            rows += plain.count(b"\n")
            returns += plain.count(b"\r")
            pairs += plain.count(b"\r\n")
            for separator in totals:
                totals[separator] += plain.count(separator.encode())
            if b"\n\n" in plain or b"\n\r\n" in plain or plain[:1] in (b"\n", b"\r"):
                empty += len(_EMPTY_LINE.findall(plain))
        digest = source.digest
    if rows == empty:
        raise bad_table(path, "the file has no row", "Give a row for each item.")
    if returns and not (returns == pairs and rows - 1 <= returns):
        hint = "End all lines in the same way, with LF or with CR LF."
        raise bad_table(path, "some lines end in CR, others do not", hint)
    if start[:1] in (b"\n", b"\r"):
        raise bad_table(path, "an empty line before row 1", "Remove it.")
    rows -= empty
    separator, first = _detect_separator(path, start, totals, rows, set(names))
    if not separator and empty:
        hint = "Remove the empty lines: each row of a file with one column is an item."
        raise bad_table(path, f"{amount(empty, 'empty line')} in a file with one column", hint)
    return Form(first, rows, separator, bool(quoted), digest)


def bad_table(
    path: str, reason: str, hint: str | None = None, line: int | None = None
) -> DataError:
    """Return an error ``bad-table`` to raise."""
    return DataError(Problem("bad-table", reason, "error", path=path, line=line, hint=hint))


def open_text(path: str) -> Source:
    """Open a file of text; refuse UTF-16."""
    source = Source(path)
    if source.head.startswith(_UTF16):
        source.close()
        hint = "Convert it, for example by iconv -f UTF-16 -t UTF-8."
        raise DataError(Problem("not-text", "UTF-16, not UTF-8", "error", path=path, hint=hint))
    return source


def _without_quotes(source: Source, path: str) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield blocks of whole rows, also without their quoted values, and the number of these."""
    waiting = b""  # bytes that end in an open quoted value
    line = 1
    for block in source.blocks():
        if not block.isascii():
            _require_utf8(block, path, line + waiting.count(b"\n"))
        block = waiting + block
        waiting = b""
        plain, quotes = block, 0
        if b'"' in block:
            plain, quotes = _QUOTED.subn(b"q", block)
            if opening := _OPENING.search(plain):
                if not _UNCLOSED.match(plain, opening.start()) or len(block) > _LONGEST:
                    raise _bad_quotes(path, block, line)
                waiting = block
                continue
        yield block, plain, quotes
        line += block.count(b"\n")
    if waiting:
        raise _bad_quotes(path, waiting, line)


def _require_utf8(block: bytes, path: str, line: int) -> None:
    try:
        block.decode()
    except UnicodeDecodeError as error:
        line += block.count(b"\n", 0, error.start)
        hint = "Convert it, for example by iconv -f WINDOWS-1252 -t UTF-8."
        problem = Problem("not-text", "not UTF-8", "error", path=path, line=line, hint=hint)
        raise DataError(problem) from None


def _bad_quotes(path: str, block: bytes, line: int) -> DataError:
    """Return the error for the first quotes of a block that open a value and do not end it."""
    without_quoted = _QUOTED.sub(lambda match: b"q" + b"\n" * match[0].count(b"\n"), block)
    opening = _OPENING.search(without_quoted)
    line += without_quoted.count(b"\n", 0, opening.start()) if opening else 0
    hint = 'Put quotes around a whole value, without spaces outside of them; inside, write "".'
    return bad_table(path, "a value begins with quotes that do not end it", hint, line)


def _detect_separator(
    path: str, start: bytes, totals: dict[str, int], rows: int, names: set[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the separator that splits all rows into the same number of values, and row 1.

    If several do, it is the one with which row 1 has a known name of a column.
    """
    present = [separator for separator, total in totals.items() if total]
    first_rows = {}
    for separator in present:
        first = _first_row(start, separator)
        if len(first) > 1 and totals[separator] == rows * (len(first) - 1):
            first_rows[separator] = first
    if len(first_rows) > 1:
        first_rows = {
            separator: first
            for separator, first in first_rows.items()
            if not names.isdisjoint(map(str.lower, first))
        }
        if len(first_rows) != 1:
            which = " or ".join(SEPARATORS[separator] for separator in present)
            hint = "Quote values that contain one of them, or add a header such as id,cluster."
            raise bad_table(path, f"values may be separated by {which}", hint)
    if first_rows:
        return first_rows.popitem()
    if present:
        raise _ragged_error(path, max(present, key=totals.__getitem__))
    return "", _first_row(start, "\0")


def _first_row(start: bytes, separator: str) -> tuple[str, ...]:
    _, row = next(_rows(StringIO(start.decode(), newline=""), separator))
    return tuple(map(str.strip, row))


def _rows(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line where each row ends, and its values; stop at a value that is too long."""
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error:
        yield reader.line_num, [""]


def _ragged_error(path: str, separator: str) -> DataError:
    """Return the error for a file in which a row has more or fewer values than row 1."""
    with open_text(path) as source:
        lines = (line for block in source.blocks() for line in StringIO(block.decode()))
        rows = ((line, len(row)) for line, row in _rows(lines, separator) if row)
        _, expected = next(rows)
        line, number = next((row for row in rows if row[1] != expected), (1, expected))
    by = f"separated by {SEPARATORS[separator]}"
    message = f"{amount(number, 'value')} {by}, but row 1 has {expected}"
    hint = (
        "Give all rows the same number of values, and quote values that contain the separator. To "
        "read lists of members, one cluster per line, add --members."
    )
    return bad_table(path, message, hint, line)
