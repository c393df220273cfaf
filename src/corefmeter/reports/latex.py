"""LaTeX: tables for a paper, with booktabs, and captions that say how the numbers were made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from corefmeter.problems import printable
from corefmeter.reports.tables import Cell, Report, Said, Table, said, shown

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
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
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
    if lead := said(report.lead(), digits):
        stream.write(f"% {lead}\n")
    stream.write("% needs \\usepackage{booktabs}\n")
    for number, table in enumerate(tables):
        notes = list(table.notes)
        if not number:
            notes = list(dict.fromkeys((*report.notes(tables), *notes)))
        caption = _caption(table, notes, digits)
        if not number and report.signature:
            # LaTeX may break it after each option.
            signature = escape(report.signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
            caption = f"{caption} \\texttt{{{signature}}}".lstrip()
        stream.writelines(f"{line}\n" for line in _lines(table, caption, digits))


def _caption(table: Table, notes: list[Said], digits: int) -> str:
    """The caption of a table with its notes as sentences; what begins with a name is as it is."""
    caption = said(table.caption, digits)
    sentences = [f"{caption}: {table.remark}" if table.remark else caption] if caption else []
    notes = [table.remark, *notes] if table.remark and not caption else notes
    for note in notes:
        text = said(note, digits)
        sentences.append(text[0].upper() + text[1:] if isinstance(note, str) else text)
    return escape(" ".join(f"{sentence.rstrip('.')}." for sentence in sentences))


def _lines(table: Table, caption: str, digits: int) -> Iterator[str]:
    if table.rows:
        # Numbers with marks of different length stand below each other only if they begin together.
        left = {column for _, column in table.marks}.union(range(table.words))
        columns = "".join("l" if i in left else "r" for i in range(len(table.header)))
        yield from (
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
        )
        if table.spans:
            tops = [rf"\multicolumn{{{n}}}{{c}}{{{escape(name)}}}" for name, n in table.spans]
            yield " & ".join(["", *tops]) + r" \\"
        yield " & ".join(map(escape, table.header)) + r" \\"
        yield r"\midrule"
        for i, row in enumerate(table.rows):
            yield (
                " & ".join(_cell(table, i, j, cell, digits) for j, cell in enumerate(row)) + r" \\"
            )
        yield from (r"\bottomrule", r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}")
    yield from (f"% {escape(sentence)}" for sentence in table.sentences)


def _cell(table: Table, row: int, column: int, cell: Cell, digits: int) -> str:
    text = escape(shown(cell, digits))
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
