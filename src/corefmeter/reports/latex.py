"""LaTeX: tables for a paper, with booktabs; a comment has the signature of the numbers.

A report that is `in_column` gets tables that fit a column of a page with two: small type, names of
rows shortened, and, if that is not enough, several tables of some columns each, below each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import IO

from corefmeter.labels import shorten
from corefmeter.problems import printable
from corefmeter.recipe import Recipe
from corefmeter.reports.tables import (
    DIFFERENCE,
    Cell,
    OnScreen,
    Report,
    Table,
    Wording,
    cell_text,
    rename_systems,
    select_columns,
    sentence_text,
    spanned,
    tables_of,
)
from corefmeter.signature import parse_signature, short_signature

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
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

#: Titles of metrics as papers write them.
_TITLES = {"CEAFe": r"CEAF$_{\phi_4}$", "CEAFm": r"CEAF$_{\phi_3}$"}

#: Tables with more columns are as wide as the page.
_NUMBERS = 8

#: The width of a column of a page with two, in digits of small type.
_COLUMN = 45

#: Longer names of rows are shortened for the sake of numbers, names of pairs to half of this.
_NAMES = 16

#: The widths of other characters, in digits.
_WIDTHS = {
    **dict.fromkeys(" .,:;()[]|'-filjt", 0.6),
    **dict.fromkeys("abcdefghknopqsuvxyz", 1.1),
    **dict.fromkeys("ABCDEFGHIJKLNOPQRSTUVXYZ", 1.5),
    **dict.fromkeys("mwM+\N{MINUS SIGN}\N{PLUS-MINUS SIGN}", 1.8),
    "W": 2.1,
    "\N{HORIZONTAL ELLIPSIS}": 2.4,
}


def escape(text: str) -> str:
    """Return text in which no character means something to LaTeX."""
    return "".join(_SPECIAL.get(character, character) for character in printable(text))


def render(report: Report, stream: IO[str], digits: int) -> None:
    """Write a float for each table; comments have required packages and the signature."""
    paper = report.paper_tables()
    tables = tables_of(report) if paper is None else paper
    if lead := sentence_text(_drop_screen_parts(report.lead()), digits):
        stream.write(f"% {lead}\n")
    stream.write("% needs \\usepackage{booktabs}\n")
    if report.signature:
        stream.write(f"% {printable(report.signature)}\n")
    label = report.label or type(report).__name__.removesuffix("Report").lower()
    fits = report.in_column and paper is None
    if fits:
        tables = _shorten_systems(tables, report.systems, digits)
    for number, table in enumerate(tables):
        notes = list(table.notes)
        if not number:
            notes = list(dict.fromkeys((*report.notes(tables), *notes, *_name_options(report))))
        notes = [kept for note in notes if (kept := _drop_screen_parts(note))]
        ends = [rf"\caption{{{_format_caption(table, notes, digits)}}}"]
        ends.append(rf"\label{{tab:{label}{f'-{number + 1}' * (number > 0)}}}")
        small = [r"\small\setlength{\tabcolsep}{4pt}"] * report.in_column
        parts = _fit_column(table, digits) if fits else [table]
        if table.comment:
            stream.write(f"% {table.comment}\n")
        stream.writelines(f"{line}\n" for line in _format_float(parts, ends, digits, small))


def _name_options(report: Report) -> list[str]:
    """Name the options of the recipe that differ from their defaults, which a caption must say."""
    if not (report.signature and report.usual):
        return []
    pairs = parse_signature(short_signature(report.signature, report.usual))
    own = {option.name for option in fields(Recipe)} - {"metrics"}
    options = [f"{name.replace('_', ' ')} {value}" for name, value in pairs if name in own]
    return [f"options: {', '.join(options)}"] if options else []


def _drop_screen_parts(text: Wording) -> Wording:
    """Return a sentence without what is about options of the command."""
    if isinstance(text, str):
        return "" if isinstance(text, OnScreen) else text
    return tuple(part for part in text if not isinstance(part, OnScreen))


def _format_caption(table: Table, notes: list[Wording], digits: int) -> str:
    """Return the caption of a table with its notes as sentences.

    A note in several parts begins with a name, which keeps its first letter.
    """
    caption = sentence_text(_drop_screen_parts(table.caption), digits)
    sentences = [f"{caption}: {table.remark}" if table.remark else caption] if caption else []
    notes = [table.remark, *notes] if table.remark and not caption else notes
    for note in notes:
        text = sentence_text(note, digits)
        sentences.append(text[0].upper() + text[1:] if isinstance(note, str) else text)
    return escape(" ".join(f"{sentence.rstrip('.')}." for sentence in sentences))


def _format_float(
    pieces: Sequence[Table], ends: Sequence[str], digits: int, small: Sequence[str]
) -> Iterator[str]:
    """Yield a float with the pieces of a table below each other, as wide as they need it."""
    if pieces[0].rows:
        kind = "table*" if max(len(piece.header) for piece in pieces) > _NUMBERS else "table"
        yield from (rf"\begin{{{kind}}}", r"\centering", *small)
        for number, piece in enumerate(pieces):
            if number:
                yield r"\par\medskip"
            yield from _format_tabular(piece, digits, "@{}" if small else "")
        yield from (*ends, rf"\end{{{kind}}}")
    yield from (f"% {escape(sentence)}" for sentence in pieces[0].sentences)


def _format_tabular(table: Table, digits: int, edge: str) -> Iterator[str]:
    # Numbers with marks of different length stand below each other only if they begin together.
    left = {column for _, column in table.marks}.union(range(table.words))
    columns = "".join("l" if i in left else "r" for i in range(len(table.header)))
    yield from (rf"\begin{{tabular}}{{{edge}{columns}{edge}}}", r"\toprule")
    if table.spans:
        tops = [rf"\multicolumn{{{n}}}{{c}}{{{_escape_title(name)}}}" for name, n in table.spans]
        yield " & ".join(["", *tops]) + r" \\"
        wide = [of for _, of in spanned(table.spans) if len(of) > 1]
        if wide:
            yield "".join(rf"\cmidrule(lr){{{of[0] + 1}-{of[-1] + 1}}}" for of in wide)
    yield " & ".join(map(_escape_title, table.header)) + r" \\"
    yield r"\midrule"
    for i, row in enumerate(table.rows):
        cells = (_format_cell(table, i, j, cell, digits) for j, cell in enumerate(row))
        yield " & ".join(cells) + r" \\"
    yield from (r"\bottomrule", r"\end{tabular}")


def _escape_title(text: str) -> str:
    return _TITLES.get(text) or escape(text)


def _shorten_systems(tables: Sequence[Table], systems: Sequence[str], digits: int) -> list[Table]:
    """Return tables in which names of systems are shortened alike, so that two fit in a row."""
    has_pairs = any(DIFFERENCE in cell_text(row[0], digits) for t in tables for row in t.rows)
    short = dict(zip(systems, shorten(systems, _NAMES // (1 + has_pairs)), strict=True))

    def rename(row: list[Cell]) -> list[Cell]:
        return [rename_systems(cell_text(row[0], digits), short), *row[1:]]

    return [replace(table, rows=[*map(rename, table.rows)]) for table in tables]


def _fit_column(table: Table, digits: int) -> list[Table]:
    """Return a table as several that are narrow enough, each with as many columns as fit."""
    widths = [
        max(_measure(cell_text(cell, digits), table, i, j) for i, cell in enumerate(column, -1))
        for j, column in enumerate(zip(table.header, *table.rows, strict=True))
    ]
    parts: list[list[int]] = []
    room = 0.0
    for column, width in enumerate(widths[1:], 1):
        if width > room:
            parts.append([])
            room = _COLUMN - widths[0]
        parts[-1].append(column)
        room -= width
    return [select_columns(table, [0, *part]) for part in parts]


def _measure(text: str, table: Table, row: int, column: int) -> float:
    """Return a cell's width in digits with the space before it."""
    bold = 1.15 if (row, column) in table.bold else 1
    width = sum(_WIDTHS.get(character, 1) for character in text)
    return bold * width + len(table.marks.get((row, column), "")) + 1.8 * (column > 0)


def _format_cell(table: Table, row: int, column: int, cell: Cell, digits: int) -> str:
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
    """Return a number, or an interval, with its signs in math mode.

    >>> print(signs("[-0.50, +1.20]"), signs("+3"))
    [$-$0.50, $+$1.20] $+$3
    """
    return re.sub(r"(^|[ \[])([-+])", r"\1$\2$", number)
