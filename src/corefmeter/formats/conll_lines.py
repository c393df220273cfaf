"""The lines of CoNLL files: their columns and cells, and the headers of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from corefmeter.formats.base import Claim
from corefmeter.formats.source import UTF8_MARK

#: Patterns that few files need are compiled when they are used.
BEGIN = re.compile(rb"^#[ \t]*begin[ \t]+document\b", re.IGNORECASE | re.MULTILINE)
CHUNK = re.compile(rb"(\(?)([^()|*\s]+)(\)?)(?:\|(?!\Z))?")
_PART = r"part\s*([0-9]{1,9})(?![0-9])"
_NAME_AND_PART = re.compile(rf"\((.*)\)\s*(?:[;:]\s*)?{_PART}.*", re.IGNORECASE | re.DOTALL)
_IN_PARENTHESES = r"(?s)\((.*)\)\s*[;:]?"
_BARE_PART = rf"(?i)\b{_PART}\s*[;:]?\Z"
#: A document of SemEval-2010: many columns, the token's number in its sentence, then its word.
_SEMEVAL = re.compile(rb"[^\n]*\n1\t\d*[^\t\n\d][^\t\n]*(?:\t[^\t\n]*){13}")
#: The fewest columns of such a document, without the last two.
_SEMEVAL_COLUMNS = 15
#: The claim on a file with headers of documents whose lines do not end with a coreference cell.
_DOUBTFUL = 0.6
#: A piece of a mention with gaps, as CRAFT marks them: ``(0a`` is of a mention of the entity 0.
PIECE = re.compile(rb"(\d+)[^\W\d_]+")
_PIECE_CHUNK = re.compile(rb"\((\d+)[A-Za-z]+(?:\)[|\r\n]|[|\r\n])")
#: Cells of tokens without a chunk.
NONE = frozenset((b"-", b"_", b"*", b""))

#: A name in a cell that denotes two entities.
DOUBLE = re.compile(rb"\d+(\+\d+)+")


#: A chunk: whether it opens, whether it closes, the entity, and where in the cell it begins.
Chunk = tuple[bool, bool, bytes, int]


_BLANK = ord(" ")

#: A field between spaces that is a chunk, as v8.01 reads them.
_CHUNK_FIELD = rb"\(\d+\)?|\d+\)"

#: In lines of so many columns or more, other columns hold brackets, and searching takes longer.
#: Their number also differs from sentence to sentence.
WIDE = 11

#: A chunk that opens a mention, before spaces and another chunk; the same of any other chunk.
_SPACED_OPENING = rb"\(\d+ +\(?\d"
_SPACED_CHUNK = rb"\)(?<=\d\)) +\(?\d+\)?\s"

#: A line that ends with two chunks between spaces.
_SPACED_END = rb"(?:\(\d+|\d\)) +\(?\d+\)?\s*\Z"


class Columns(NamedTuple):
    """The columns of a line; `first` are the first four, `start` is where the cell begins."""

    number: int
    separator: bytes
    first: list[bytes]
    cell: bytes
    start: int


UNKNOWN = Columns(0, b" ", [], b"", 0)


#: Patterns of chunks that open and close, open, or close a mention, in the order in which v8.01
#: takes them out of a cell: with any text as names, and with numbers, which are all that v8.01
#: reads. They are compiled when they are needed, which is seldom.
TEXT = (rb"\(([^()|*\s]+)\)", rb"\(([^()|*\s]+)(?=[()|\s]|\Z)", rb"([^()|*\s]+)\)")
NUMBERS = (rb"\((\d+(?:\+\d+)*)\)", rb"\((\d+)", rb"(\d+)\)")

#: Lines from which the cells of a file are judged.
_SAMPLE = 50

#: Where documents begin and end.
_BORDER = re.compile(rb"\n#[ \t]*(?:(begin)|end)[ \t]+document\b[^\n]*", re.IGNORECASE)
#: A line that is neither empty nor a comment.
_ROW = re.compile(rb"^[ \t\r]*[^#\s].*", re.MULTILINE)


#: A chunk of numbers that opens a mention, and the part of a line that may be such a chunk.
_OPENING = rb"\(\d+\)?"
OPENING_CELL = re.compile(rb"\(\d+[)|\t ]")


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file with documents that are not those of SemEval-2010 or CRAFT.

    The claim covers the share of the lines that are within documents. It is a weak one if no line
    ends with a coreference cell: the file may be text with marks.
    """
    match = BEGIN.search(head)
    if match is None or has_pieces(head):  # pieces of mentions are those of CRAFT
        return None
    if _SEMEVAL.match(head, match.end()) is not None and has_numbered_rows(head):
        return None
    rows = [row[0] for row in islice(_ROW.finditer(head, match.end()), _SAMPLE)]
    if rows and not any(map(_ends_with_cell, rows)):
        return Claim(_DOUBTFUL)
    return Claim(within_documents(head))


def _ends_with_cell(row: bytes) -> bool:
    """Return whether the last column of a row is a coreference cell."""
    columns = columns_of(row, UNKNOWN)
    return columns.number > 1 and is_cell(columns.cell)


def within_documents(head: bytes) -> float:
    """Return the share of the lines of a first block, comments aside, that are in documents.

    Rows outside of them that end with a coreference cell count too: the reader refuses them.
    """
    head = b"\n" + head.replace(b"\n" + UTF8_MARK, b"\n")
    place = lines_outside = 0
    is_within = False
    for border in _BORDER.finditer(head):
        if not is_within:
            lines_outside += _other_lines(head, place, border.start())
        place, is_within = border.end(), border[1] is not None
    if not is_within:
        lines_outside += _other_lines(head, place, len(head))
    return 1 - lines_outside / len(_ROW.findall(head)) if lines_outside else 1.0


def _other_lines(head: bytes, start: int, end: int) -> int:
    """Count the lines of a part that are neither empty nor comments, and end without a cell."""
    return sum(not _ends_with_cell(row) for row in _ROW.findall(head, start, end))


def has_numbered_rows(head: bytes) -> bool:
    """Return whether rows of many columns are numbered from 1 below the first header."""
    lines = iter(head.split(b"\n")[:-1])
    for line in lines:
        if BEGIN.match(line):
            break
    expected = sentences = 0
    for line in lines:
        if not line.strip():
            sentences += expected > 0
            if sentences == 2:
                break
            expected = 0
            continue
        cells = line.rstrip(b"\r").split(b"\t")
        if line.startswith(b"#") and len(cells) == 1:
            break
        expected += 1
        if len(cells) < _SEMEVAL_COLUMNS or cells[0] != b"%d" % expected:
            return False
    return expected + sentences > 0


def has_pieces(head: bytes) -> bool:
    """Return whether pieces of mentions are marked, of entities that have other mentions too."""
    piece = _PIECE_CHUNK.search(head)
    return piece is not None and re.search(rb"\(%s[|)\r\n]" % piece[1], head) is not None


def columns_of(line: bytes, known: Columns) -> Columns:
    """Return the columns of a token; `known` are those of an earlier line.

    An empty field after a TAB at the end of the line is the cell if there are as many fields as
    known, or if the field before it is no cell. Otherwise the TAB only ends the line.
    """
    text = line.rstrip(b"\r\n")
    stripped = text.rstrip()
    cell = stripped.rsplit(None, 1)[-1]
    if b"\t" in text[len(stripped) :]:
        number = text.count(b"\t") + 1
        if (number, b"\t") == known[:2] or not is_cell(cell.removeprefix(b"|")):
            return Columns(number, b"\t", stripped.split(b"\t", 4)[:4], b"", len(text))
    if b"\t" not in stripped:
        # No sound line has so many columns, so those of a longer line need not be counted.
        fields = stripped.split(None, 1000)
        begin = _cell_begins(fields, known.number)
        if begin < len(fields) - 1:
            cell = stripped.split(None, begin)[-1]
        return Columns(begin + 1, b" ", fields[:4], cell, len(stripped) - len(cell))
    number = stripped.count(b"\t") + 1
    last = stripped[stripped.rfind(b"\t") + 1 :].lstrip()
    # TABs and spaces may be mixed, but brackets before a space must not be cut off.
    if b"(" in last[: -len(cell)] or b")" in last[: -len(cell)]:
        cell = last
    return Columns(number, b"\t", stripped.split(b"\t", 4)[:4], cell, len(stripped) - len(cell))


def has_spaced_bar(block: bytes) -> bool:
    """Return whether some ``|`` has a space on either side.

    The search goes from bar to bar, since a block has few bars and many spaces.
    """
    at = block.find(b"|", 1, -1)
    while at > 0 and block[at - 1] != _BLANK != block[at + 1]:
        at = block.find(b"|", at + 1, -1)
    return at > 0


def has_spaced_chunks(block: bytes) -> bool:
    """Return whether a cell may have chunks with spaces between them."""
    if b") " in block and re.search(_SPACED_CHUNK, block):
        return True
    return re.search(_SPACED_OPENING, block) is not None


def fewest_columns(block: bytes) -> int:
    """Return the least number of columns, between spaces, of the first lines of a block."""
    rows = islice(_ROW.finditer(block), _SAMPLE)
    return min((len(row[0].split(None, 1000)) for row in rows), default=0)


def uneven_row(block: bytes) -> tuple[int, int, int] | None:
    """Return the first row with more or fewer columns than the first row of its sentence.

    Columns are those between TABs. Returned are the line of the row in the block, from 0, its
    number of columns, and that of the first row. The rows of a sentence are only compared one by
    one if the number of their TABs is not divisible by the number of rows.
    """
    begin = 0
    for sentence in block.split(b"\n\n"):
        lines = sentence.count(b"\n") + 1
        rows = lines - sentence.count(b"\n#") - sentence.startswith(b"#")
        if rows > 1 and sentence.count(b"\t") % rows:
            expected = 0
            for number, line in enumerate(sentence.split(b"\n"), begin):
                columns = line.count(b"\t") + 1
                if columns == 1 or line.startswith(b"#"):
                    expected = 0
                elif expected and columns != expected:
                    return number, columns, expected
                else:
                    expected = columns
        begin += lines + 1
    return None


def columns_of_sentence(line: bytes, block: bytes, known: Columns) -> Columns:
    """Return the known columns; where spaces separate them, with a number for a line of a block.

    If none is known, it is the least in the block; for a wide line that ends with two chunks, the
    least in the sentence.
    """
    if not known.number:
        known = UNKNOWN._replace(number=fewest_columns(block))
    if known.separator == b"\t":
        return known
    before = line.rsplit(None, 2)[-2:-1]
    if not before or before[0].endswith((b"*", b"-")) or not re.search(_SPACED_END, line):
        return known
    if len(line.split(None, WIDE)) < WIDE:
        return known
    at = block.find(line)
    begin, end = block.rfind(b"\n\n", 0, at), block.find(b"\n\n", at)
    sentence = block[begin + 1 : end if end >= 0 else len(block)]
    return known._replace(number=fewest_columns(sentence))


def _cell_begins(fields: list[bytes], columns: int) -> int:
    """Return the index of the field with which the cell begins, where spaces separate columns.

    A cell may have spaces around its bars. It may have spaces between its chunks if the line has
    more fields than the `columns` of other lines.
    """
    last = begin = len(fields) - 1
    while begin > 0 and (
        fields[begin].startswith(b"|")
        or fields[begin - 1].endswith(b"|")
        or (
            begin > 1
            and begin >= columns
            and all(re.fullmatch(_CHUNK_FIELD, field) for field in fields[begin - 1 : begin + 1])
        )
    ):
        begin -= 1
    while begin < last and b"(" not in fields[begin] and b")" not in fields[begin]:
        begin += 1
    return begin


def take_chunks(cell: bytes, patterns: tuple[bytes, ...]) -> tuple[list[Chunk], bytes, list[int]]:
    """Take the chunks out of a cell as v8.01 does: by one pattern after another, from the left.

    The text before and after a chunk is joined, and may then be a chunk too. Returned are the
    chunks, those of one token first; the rest of the cell; and the place of each byte of the rest.

    Examples
    --------
    >>> take_chunks(b"-(8|x", NUMBERS)
    ([(True, False, b'8', 1)], b'-|x', [0, 3, 4])
    >>> take_chunks(b"1(2)3)", TEXT)
    ([(True, True, b'2', 1), (False, True, b'13', 0)], b'', [])
    """
    chunks: list[Chunk] = []
    places = list(range(len(cell)))
    for pattern, opens, closes in zip(
        patterns, (True, True, False), (True, False, True), strict=True
    ):
        at = 0
        search = re.compile(pattern).search
        while match := search(cell, at):
            start, end = match.span()
            chunks.append((opens, closes, match[1], places[start]))
            at = max(cell.rfind(b"(", 0, start), 0)
            cell = cell[:start] + cell[end:]
            del places[start:end]
    chunks.sort(key=lambda chunk: (not (chunk[0] and chunk[1]), chunk[3]))
    return chunks, cell, places


def is_cell(cell: bytes) -> bool:
    """Return whether a cell is legal: it means no mention, or consists of chunks."""
    return cell in NONE or chunks_in(cell) == len(cell)


def chunks_in(cell: bytes) -> int:
    """Return the length of the beginning of a cell that consists of chunks."""
    position = 0
    while (match := CHUNK.match(cell, position)) and (match[1] or match[3]):
        position = match.end()
    return position


def misplaced_brackets(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield each column, from 1, in which a line opens a mention, and the number of columns.

    The last column, where coreference belongs, and those up to the word are skipped.
    """
    fields = line.rstrip(b"\r\n").split(b"\t") if b"\t" in line else line.split(None, 1000)
    first = 4 if len(fields) > 5 else 2
    for number, cell in enumerate(fields[first:-1], first + 1):
        if b"(" in cell and any(
            re.fullmatch(_OPENING, chunk) for chunk in cell.strip().split(b"|")
        ):
            yield number, len(fields)


def parse_header(rest: bytes) -> tuple[str, int | None]:
    """Return the name and part from the text after ``#begin document``."""
    text = rest.decode("utf-8").strip()
    if match := _NAME_AND_PART.fullmatch(text):
        return match[1].strip(), int(match[2])
    if match := re.fullmatch(_IN_PARENTHESES, text):
        return match[1].strip(), None
    match = re.search(_BARE_PART, text)
    name = text[: match.start()] if match else text
    return name.rstrip(";: \t"), int(match[1]) if match else None
