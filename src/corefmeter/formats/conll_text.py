"""The words of CoNLL-2012 files and their annotation, for analysis.

Columns of OntoNotes, from 0: 3 word, 4 part of speech, 5 bit of the parse, 9 speaker, 10 named
entities, the last one coreference; between 10 and the last are arguments of predicates. A document
whose lines have at least twelve columns is read so. Of any other document only the words are read,
from the column that `_find_words` chooses. A column that has no value (``-`` or ``_``; a parse
without a bracket) on any line of the document is missing. A sentence ends at a blank line.

The tokens are those of the reader that scores: positions mean the same words in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.conll_lines import UNKNOWN, columns_of, sniff
from corefmeter.formats.source import UTF8_MARK

#: The least number of columns of an OntoNotes file.
COLUMNS = 12
WORD, POS, PARSE, SPEAKER, NAMES = 3, 4, 5, 9, 10

#: Cells without a value.
_EMPTY = frozenset(("-", "_", ""))


def cells(document: Document, lines: list[bytes], number: int) -> list[str]:
    """Return one column of a document; ``""`` for a line that has no such column."""
    rows = (_split_fields(lines[line - 1]) for line in _token_lines(document))
    return [_decode(row[number]) if -len(row) <= number < len(row) else "" for row in rows]


def text_of(document: Document, lines: list[bytes]) -> Text | None:
    """Return the text of a document, or None when it has no column of words.

    The document is as `corefmeter.formats.conll.read` read it, from a file of these lines.
    """
    if not document.tokens:
        return Text([])
    numbers = _token_lines(document)
    if not numbers:
        return None
    rows = [_split_fields(lines[number - 1]) for number in numbers]
    is_narrow = min(map(len, rows)) < COLUMNS
    if is_narrow or len({row[0] for row in rows}) > 1:
        words = _find_words(numbers, lines)
        if not words:
            return None
    else:
        # The name of the document in the first column, so the words are in the fourth.
        words = [_decode(row[WORD]) for row in rows]
    text = Text(words, sentences=_find_sentences(document, lines), lines=numbers)
    if is_narrow:
        return text

    def column(number: int) -> list[str] | None:
        decoded = {cell: _decode(cell) for cell in {row[number] for row in rows}}
        cells = [decoded[row[number]] for row in rows]
        return None if _EMPTY.issuperset(cells) else cells

    parse, names = column(PARSE), column(NAMES)
    text.pos = column(POS)
    text.speakers = column(SPEAKER)
    text.parse = parse if parse and any("(" in bit for bit in parse) else None
    text.entity_types = _parse_spans(names, text.sentences) if names else None
    return text


def _split_fields(line: bytes) -> list[bytes]:
    """Split a token's line into columns: at TABs if any are within the line, else at spaces."""
    line = line.removeprefix(UTF8_MARK)
    body = line.rstrip()
    if b"\t" in body:
        return [field.strip() for field in line.rstrip(b"\r\n").split(b"\t")]
    return body.split()


def _find_words(numbers: list[int], lines: list[bytes]) -> list[str]:
    """Return the words of some lines; an empty list if there is no column of words.

    The words are in the first of two columns, the second of three, the third of four, and the
    fourth of more. But they are in the first column if it holds neither numbers nor the same value
    on all lines.
    """
    known = UNKNOWN
    rows = []
    for number in numbers:
        known = columns_of(lines[number - 1].removeprefix(UTF8_MARK), known)
        rows.append((known.number, known.first))
    widths = {number for number, _ in rows} - {1}
    if not widths:
        return []
    first_column = {fields[0] for _, fields in rows}
    in_first_column = len(first_column) > 1 and not all(map(bytes.isdigit, first_column))
    word_columns = {width: 0 if in_first_column else min(width - 2, 3) for width in widths}
    words = []
    for number, fields in rows:
        column = word_columns.get(number, len(fields))  # a line of one column has no word
        # Columns between TABs may be empty, and then are no fields; a line may be truncated.
        words.append(_decode(fields[column].strip()) if column < len(fields) else "")
    return words


def _decode(field: bytes) -> str:
    return field.decode("utf-8", "backslashreplace")


def runs_of(breaks: Iterable[tuple[int, int]], end: int) -> Iterator[tuple[int, range]]:
    """Yield runs of tokens on successive lines before `end`: the first token, and the lines.

    >>> list(runs_of([(0, 3), (2, 7)], 5))
    [(0, range(3, 5)), (2, range(7, 10))]
    """
    for (token, line), (stop, _) in pairwise([*breaks, (end, 0)]):
        yield token, range(line, line + stop - token)


def _token_lines(document: Document) -> list[int]:
    return [line for _, run in runs_of(document.breaks, document.tokens or 0) for line in run]


def _find_sentences(document: Document, lines: list[bytes]) -> list[int]:
    """Return the first token of each sentence.

    Between two runs of tokens are blank lines, comments, or the borders of documents that were
    joined. Comments on their own end no sentence.
    """
    starts: list[int] = []
    previous_end = 0
    for token, run in runs_of(document.breaks, document.tokens or 0):
        if not run:
            continue
        between = lines[previous_end - 1 : run.start - 1] if previous_end else []
        if not starts or any(not text.strip() or sniff(text) for text in between):
            starts.append(token)
        previous_end = run.stop
    return starts


def _parse_spans(cells: list[str], sentences: list[int]) -> list[tuple[int, int, str]]:
    """Return half-open spans from cells such as ``(PERSON*``, ``*``, ``*)`` or ``(PERSON)``.

    A bracket that is not closed within its sentence, or closes nothing, is ignored.
    """
    spans: list[tuple[int, int, str]] = []
    starts = set(sentences)
    open_spans: list[tuple[int, str]] = []
    for token, cell in enumerate(cells):
        if token in starts:
            open_spans.clear()
        for opened in cell.split("(")[1:]:
            name = opened.rstrip("*)").partition("*")[0]
            open_spans.append((token, name))
        for _ in range(cell.count(")")):
            if open_spans:
                start, name = open_spans.pop()
                spans.append((start, token + 1, name))
    return sorted(spans)
