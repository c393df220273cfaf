"""LaTeX: tables for a paper, with booktabs, and a caption that says how the numbers were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from corefmeter.reports.tables import Table, all_tables, notes
from corefmeter.result import Result
from corefmeter.units import Groups

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
    "\N{SUPERSCRIPT THREE}": r"$^3$",
    "\N{GREEK SMALL LETTER PHI}": r"$\phi$",
    "\N{DAGGER}": r"$^\dagger$",
}


def escape(text: str) -> str:
    """Text in which no character means something to LaTeX.

    Examples
    --------
    >>> print(escape("my_system & 5%"))
    my\\_system \\& 5\\%
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def write(results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
    """Write one ``table`` for all results, then one for each response and group."""
    tables = all_tables(results, by)
    explained = ". ".join(notes(results, tables)[:-1])
    signature = notes(results, tables)[-1]
    stream.write("% needs \\usepackage{booktabs}\n")
    for table in tables:
        caption = escape(f"{table.caption}. {explained}" if table.caption else explained)
        stream.write(table_latex(table, f"{caption}. \\texttt{{{breakable(signature)}}}"))


def breakable(signature: str) -> str:
    """A signature that LaTeX may break after each option."""
    return escape(signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")


def table_latex(table: Table, caption: str) -> str:
    """A table in LaTeX, with booktabs."""
    # Numbers with marks of different length stand below each other only if they begin together.
    marked = {column for _, column in table.marks}
    left = marked.union(range(table.words))
    columns = "".join("l" if i in left else "r" for i in range(len(table.header)))
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    if table.spans:
        tops = [rf"\multicolumn{{{width}}}{{c}}{{{escape(name)}}}" for name, width in table.spans]
        lines.append(" & " + " & ".join(tops) + r" \\")
    lines.append(_row(table.header))
    lines.append(r"\midrule")
    lines += [_row(row, i, table) for i, row in enumerate(table.rows)]
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}", ""]
    return "\n".join(lines)


def _row(cells: Sequence[str], number: int = -1, table: Table | None = None) -> str:
    """One line; of the row `number` of the table, with what is bold or marked there."""
    texts = [escape(cell) for cell in cells]
    if table is not None:
        for column in range(len(texts)):
            if (number, column) in table.bold:
                texts[column] = rf"\textbf{{{texts[column]}}}"
            if mark := table.marks.get((number, column)):
                texts[column] += rf"\textsuperscript{{{escape(mark)}}}"
    return " & ".join(texts) + r" \\"
