"""A comparison as LaTeX: tables for a paper, of scores, intervals and differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from corefmeter.reports.comparison import (
    detectable_note,
    difference_tables,
    interval_note,
    interval_table,
    notes,
    score_table,
)
from corefmeter.reports.latex import breakable, escape, table_latex
from corefmeter.statistics.comparison import Comparison


def write(comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
    """Write the table of scores, whose caption says how it was made, then the others."""
    signature = rf"\texttt{{{breakable(comparison.signature)}}}"
    about = _sentences(*notes(comparison), "best in bold")
    about_intervals = _sentences(interval_note(comparison))
    intervals = interval_table(comparison, systems)
    tables = [
        (score_table(comparison, systems), f"{about} {signature}"),
        (intervals, f"{escape(intervals.caption)}. {about_intervals}"),
    ]
    about_differences = f"{about_intervals} {_sentences(detectable_note(comparison))}"
    tables += [
        (table, f"{escape(table.caption)}: differences in percent. {about_differences}")
        for table in difference_tables(comparison, systems)
    ]
    stream.write("% needs \\usepackage{booktabs}\n")
    for table, caption in tables:
        stream.write(_signs(table_latex(table, caption)))


def _sentences(*notes: str) -> str:
    """Notes as the sentences of a caption."""
    return escape(" ".join(f"{note[0].upper()}{note[1:]}." for note in notes))


def _signs(text: str) -> str:
    """LaTeX in which signs that need mathematics have it.

    Examples
    --------
    >>> print(_signs("<0.0001 & [-0.50, +1.20]"))
    $<$0.0001 & [$-$0.50, $+$1.20]
    """
    for sign in "<-+":
        text = text.replace(f" {sign}", f" ${sign}$").replace(f"[{sign}", f"[${sign}$")
    text = f"${text[0]}${text[1:]}" if text[:1] in ("<", "-", "+") else text
    return text.replace("\N{MINUS SIGN}", "$-$")
