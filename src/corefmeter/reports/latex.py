"""LaTeX: tables for a paper, with booktabs, and captions that say how the numbers were made.

Where a report asks for it, each table fits a column of a page with two: small type, names of rows
shortened, and, where that is not enough, several tables of some columns each, one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO

from corefmeter.labels import shorten
from corefmeter.problems import printable
from corefmeter.reports.tables import Cell, Report, Said, Table, cell_text, sentence_text

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": "$<$",
    ">": "$>$",
    "\N{SUPERSCRIPT TWO}": r"$^2$",
    "\N{SUPERSCRIPT THREE}": r"$^3$",
    "\N{GREEK SMALL LETTER PHI}": r"$\phi$",
    "\N{GREEK SMALL LETTER RHO}": r"$\rho$",
    "\N{GREEK SMALL LETTER TAU}": r"$\tau$",
    "\N{DAGGER}": r"$^\dagger$",
    "\N{MINUS SIGN}": "$-$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
}

#: So many digits of small type are in a column of a page with two columns.
_COLUMN = 45

#: Names of rows that are longer than this give way to numbers.
_NAMES = 16

#: How wide other characters are.
_WIDTHS = {
    **dict.fromkeys(" .,:;()[]|'-filjt", 0.6),
    **dict.fromkeys("abcdefghknopqsuvxyz", 1.1),
    **dict.fromkeys("ABCDEFGHIJKLNOPQRSTUVXYZ", 1.5),
    **dict.fromkeys("mwM+\N{MINUS SIGN}\N{PLUS-MINUS SIGN}", 1.8),
    "W": 2.1,
    "\N{HORIZONTAL ELLIPSIS}": 2.4,
}


def escape(text: str) -> str:
    """Text in which no character means something to LaTeX.

    Examples
    --------
    >>> print(escape("my_system & 5%"))
    my\\_system \\& 5\\%
    """
    return "".join(_SPECIAL.get(character, character) for character in printable(text))


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write a ``table`` for each table; the first caption says how all were made."""
    tables = report.tables()
    if lead := sentence_text(report.lead(), digits):
        stream.write(f"% {lead}\n")
    stream.write("% needs \\usepackage{booktabs}\n")
    for number, table in enumerate(tables):
        notes = list(table.notes)
        if not number:
            notes = list(dict.fromkeys((*report.notes(tables), *notes)))
        caption = _caption(table, notes, digits)
        if not number and report.signature:
            # LaTeX may break it after each option and each of its values.
            signature = escape(report.signature)
            for end in (r"\textbar{}", "+"):
                signature = signature.replace(end, rf"{end}\allowbreak{{}}")
            caption = f"{caption} \\texttt{{{signature}}}".lstrip()
        pieces = _fitted(table, digits) if report.in_column else [table]
        small = [r"\small\setlength{\tabcolsep}{4pt}"] * report.in_column
        stream.writelines(f"{line}\n" for line in _lines(pieces, caption, digits, small))


def _caption(table: Table, notes: list[Said], digits: int) -> str:
    """The caption of a table with its notes as sentences; what begins with a name is as it is."""
    caption = sentence_text(table.caption, digits)
    sentences = [f"{caption}: {table.remark}" if table.remark else caption] if caption else []
    notes = [table.remark, *notes] if table.remark and not caption else notes
    for note in notes:
        text = sentence_text(note, digits)
        sentences.append(text[0].upper() + text[1:] if isinstance(note, str) else text)
    return escape(" ".join(f"{sentence.rstrip('.')}." for sentence in sentences))


def _lines(
    pieces: Sequence[Table], caption: str, digits: int, small: Sequence[str]
) -> Iterator[str]:
    """One float, in which the pieces of a table are one below the other."""
    if pieces[0].rows:
        yield from (r"\begin{table}", r"\centering", *small)
        for number, piece in enumerate(pieces):
            yield from [r"\par\medskip"] * (number > 0)
            yield from _tabular(piece, digits, "@{}" if small else "")
        yield from (rf"\caption{{{caption}}}", r"\end{table}")
    yield from (f"% {escape(sentence)}" for sentence in pieces[0].sentences)


def _tabular(table: Table, digits: int, edge: str) -> Iterator[str]:
    # Numbers with marks of different length stand below each other only if they begin together.
    left = {column for _, column in table.marks}.union(range(table.words))
    columns = "".join("l" if i in left else "r" for i in range(len(table.header)))
    yield from (rf"\begin{{tabular}}{{{edge}{columns}{edge}}}", r"\toprule")
    if table.spans:
        tops = [rf"\multicolumn{{{n}}}{{c}}{{{escape(name)}}}" for name, n in table.spans]
        yield " & ".join(["", *tops]) + r" \\"
    yield " & ".join(map(escape, table.header)) + r" \\"
    yield r"\midrule"
    for i, row in enumerate(table.rows):
        yield " & ".join(_cell(table, i, j, cell, digits) for j, cell in enumerate(row)) + r" \\"
    yield from (r"\bottomrule", r"\end{tabular}")


def _fitted(table: Table, digits: int) -> list[Table]:
    """A table as several that are narrow enough, with as many columns each as there is room for."""
    if table.narrow:
        # Both names of a pair are shortened.
        (table,) = table.narrow(3 * (_NAMES + 4), _COLUMN)
    names = [cell_text(row[0], digits) for row in table.rows]
    widths = [
        max(_width(cell_text(cell, digits), table, i, j) for i, cell in enumerate(column, -1))
        for j, column in enumerate(zip(table.header, *table.rows, strict=True))
    ]
    parts: list[list[int]] = []
    room = 0.0
    for column, width in enumerate(widths[1:], 1):
        if width > room:
            parts.append([])
            room = _COLUMN - min(widths[0], _NAMES)
        parts[-1].append(column)
        room -= width
    room = _COLUMN - max(sum(widths[column] for column in part) for part in parts)
    lengths = range(max(map(len, names)), 1, -1)
    short = next(
        (short for n in lengths if max(map(_digits, short := shorten(names, n))) <= room), names
    )
    return [_columns_of(table, short, part) for part in parts]


def _digits(text: str) -> float:
    """How many digits are as wide as a text."""
    return sum(_WIDTHS.get(character, 1) for character in text)


def _width(text: str, table: Table, row: int, column: int) -> float:
    """How many digits are as wide as a cell with what is between it and the one before."""
    bold = 1.15 if (row, column) in table.bold else 1
    return bold * _digits(text) + len(table.marks.get((row, column), "")) + 1.8 * (column > 0)


def _columns_of(table: Table, names: Sequence[str], columns: Sequence[int]) -> Table:
    place = {0: 0, **{old: new for new, old in enumerate(columns, 1)}}
    return replace(
        table,
        header=[table.header[j] for j in place],
        rows=[
            [name, *(row[j] for j in columns)] for name, row in zip(names, table.rows, strict=True)
        ],
        bold={(i, place[j]) for i, j in table.bold if j in place},
        marks={(i, place[j]): mark for (i, j), mark in table.marks.items() if j in place},
    )


def _cell(table: Table, row: int, column: int, cell: Cell, digits: int) -> str:
    text = escape(cell_text(cell, digits))
    if column >= table.words:
        text = signs(text)
    if (row, column) in table.bold:
        text = rf"\textbf{{{text}}}"
    if mark := table.marks.get((row, column)):
        text += rf"\textsuperscript{{{escape(mark)}}}"
    # Right after the end of a row, these two would belong to its command.
    return f"{{}}{text}" if text.startswith(("[", "*")) and not column else text


def signs(number: str) -> str:
    """A number, or an interval, in which signs that need mathematics have it.

    Examples
    --------
    >>> print(signs("[-0.50, +1.20]"), signs("+3"))
    [$-$0.50, $+$1.20] $+$3
    """
    for sign in "-+":
        for before in (" ", "["):
            number = number.replace(before + sign, f"{before}${sign}$")
        if number.startswith(sign):
            number = f"${sign}${number[1:]}"
    return number
