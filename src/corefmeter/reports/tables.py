"""The one model of a report: tables whose cells hold values, notes, and the rows for programs.

A command makes a `Report`; each renderer (text, Markdown, LaTeX, CSV, JSON) writes any of them.
Numbers are rounded when they are rendered, to ``--digits``, and here only; CSV and JSON hold them
as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from corefmeter.corpus.model import short_label as short_label
from corefmeter.problems import printable
from corefmeter.signature import short_signature

#: Decimals of a score in percent, unless others are asked for.
DIGITS = 2

#: The rates of a metric with their titles.
RATES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}

#: Follows a number that is 0/0.
UNDEFINED_MARK = "\N{DAGGER}"

#: An empty place: what is not known, or what the data do not give.
MISSING = "\N{EN DASH}"

#: Between the names of two systems.
DIFFERENCE = " \N{MINUS SIGN} "


def rename_systems(text: str, names: Mapping[str, str]) -> str:
    """Return a name of a system, or a difference of two, with other names; other text as it is.

    >>> rename_systems("a.conll − b.conll", {"a.conll": "a", "b.conll": "b"})
    'a − b'
    """
    return DIFFERENCE.join(names.get(part, part) for part in text.split(DIFFERENCE))


class Number(NamedTuple):
    """A number to be multiplied by `scale` (scores are in percent) and rounded.

    `extra` is the number of decimals beyond those of a score. A `signed` number shows its plus.
    `before` and `after` are the rest of the cell. `missing` is shown for None and nan. `deviation`
    is the standard deviation of the values whose mean it is.
    """

    value: float | None
    scale: float = 100
    extra: int = 0
    signed: bool = False
    before: str = ""
    after: str = ""
    missing: str = "n/a"
    deviation: float | None = None

    def text(self, digits: int) -> str:
        """Return the cell as text.

        >>> Number(0.12345).text(2), Number(0.5, 1, extra=1).text(2)
        ('12.35', '0.500')
        >>> [Number(value, signed=True).text(2) for value in (0.5, -0.00001, None)]
        ['+50.00', '0.00', 'n/a']
        """
        if self.value is None or self.value != self.value:
            return f"{self.before}{self.missing}{self.after}"
        places = max(0, digits + self.extra)
        shown = f"{self.scale * self.value:{'+' if self.signed else ''}.{places}f}"
        # What is rounded to 0 has no sign.
        shown = shown if shown.strip("+-0.") else shown.lstrip("+-")
        if self.deviation is not None:
            shown += f" \N{PLUS-MINUS SIGN} {self.scale * self.deviation:.{places}f}"
        return f"{self.before}{shown}{self.after}"


class Limits(NamedTuple):
    """An interval, rounded as a `Number`; None where the data do not give one."""

    interval: tuple[float, float] | None
    scale: float = 100
    extra: int = 0
    missing: str = MISSING

    def text(self, digits: int) -> str:
        """Return the cell as text."""
        if self.interval is None:
            return self.missing
        low, high = (Number(v, self.scale, self.extra).text(digits) for v in self.interval)
        return f"[{low}, {high}]"


class Chance(NamedTuple):
    """A p-value, with decimals of its own; never rounded to 0."""

    p: float | None
    places: int = 4
    missing: str = "n/a"

    def text(self, digits: int) -> str:
        """Return the cell as text.

        >>> [Chance(p).text(2) for p in (0.04321, 0.00001, 1.0)]
        ['0.0432', '<0.0001', '1.0000']
        """
        if self.p is None:
            return self.missing
        least = f"{0.1**self.places:.{self.places}f}"
        return f"{self.p:.{self.places}f}" if self.p >= float(least) else f"<{least}"


#: What a cell holds; None is an empty place.
Cell: TypeAlias = str | int | Number | Limits | Chance | None


class OnScreen(str):
    """A sentence, or a part of one, on options of the command, which is left out of papers."""


#: A sentence, or its parts if some are numbers.
Wording: TypeAlias = str | tuple[Cell, ...]


def cell_text(cell: Cell, digits: int) -> str:
    """Return a cell as text, in one line: the one place where numbers are rounded."""
    if isinstance(cell, (Number, Limits, Chance)):
        return cell.text(digits)
    return MISSING if cell is None else printable(str(cell))


def sentence_text(text: Wording, digits: int) -> str:
    """Return a sentence as text, in one line."""
    return printable(text) if isinstance(text, str) else "".join(cell_text(p, digits) for p in text)


@dataclass(slots=True)
class Table:
    """A header, and rows with a name first.

    `spans` are titles above the header, each with the number of columns it covers, from the second
    on. `bold` and `marks`, raised text, are by place (row, column). A `remark` is added to the
    caption in a paper. The first `words` columns hold words, aligned left. `notes` come below all
    tables, `sentences` right below this one; if these are `retold`, they repeat the rows, which
    text leaves out. `narrow` returns other tables from the width of lines and the excess over it. A
    `comment` is above the table in LaTeX.
    """

    header: list[str]
    rows: list[list[Cell]] = field(default_factory=list)
    spans: list[tuple[str, int]] = field(default_factory=list)
    caption: Wording = ""
    bold: set[tuple[int, int]] = field(default_factory=set)
    remark: str = ""
    marks: dict[tuple[int, int], str] = field(default_factory=dict)
    words: int = 1
    notes: Sequence[Wording] = ()
    sentences: Sequence[str] = ()
    retold: bool = False
    narrow: Callable[[int, int], list[Table]] | None = None
    comment: str = ""


class Report:
    """Result of a command, for all output formats; subclasses fill in what they have.

    `systems` are the names of responses in its tables. `usual` is the signature of a run with all
    defaults: a `brief` report shows only the options that differ from it. `in_column` tables fit a
    column of a page with two. `label` is the name of its tables in LaTeX, by default that of the
    class.
    """

    label: str = ""
    systems: Sequence[str] = ()
    signature: str = ""
    usual: str = ""
    brief: bool = True
    in_column: bool = False

    @property
    def shown_signature(self) -> str:
        """The signature as text, Markdown and HTML show it."""
        if self.brief and self.usual:
            return short_signature(self.signature, self.usual)
        return self.signature

    def lead(self) -> Wording:
        """Return the first sentence."""
        return ""

    def tables(self) -> list[Table]:
        """Return the tables for people."""
        raise NotImplementedError

    def paper_tables(self) -> list[Table] | None:
        """Return the tables as papers print them, one row a system; None without such tables."""
        return None

    def notes(self, tables: Sequence[Table]) -> Iterable[Wording]:
        """Return the notes that the tables need."""
        return ()

    def records(self) -> Iterable[Sequence[Any]]:
        """Return the rows of CSV, the header first; None is an empty cell."""
        raise NotImplementedError

    def document(self) -> dict[str, Any]:
        """Return the object of JSON."""
        raise NotImplementedError


def tables_of(report: Report) -> list[Table]:
    """Return the tables of a report without empty columns, and without empty tables."""
    return [kept for table in report.tables() if (kept := without_empty_columns(table)) is not None]


def without_empty_columns(table: Table) -> Table | None:
    """Leave out empty columns of numbers; return None if no column of numbers is left.

    >>> without_empty_columns(Table(["", "R", "F1"], [["CoNLL", "", 50]])).header
    ['', 'F1']
    """
    kept = [
        j
        for j in range(len(table.header))
        if j < table.words or any(cell_text(row[j], 0) not in ("", MISSING) for row in table.rows)
    ]
    if not table.rows or len(kept) == len(table.header):
        return table
    if len(kept) == table.words and not table.sentences:
        return None
    return select_columns(table, kept)


def spanned(spans: Sequence[tuple[str, int]]) -> list[tuple[str, range]]:
    """Return the titles above the header, each with the columns that it covers."""
    titles, first = [], 1
    for title, width in spans:
        titles.append((title, range(first, first + width)))
        first += width
    return titles


def select_columns(table: Table, columns: Sequence[int]) -> Table:
    """Return a table with some of its columns."""
    place = {old: new for new, old in enumerate(columns)}
    widths = [(title, len(place.keys() & {*covered})) for title, covered in spanned(table.spans)]
    return replace(
        table,
        header=[table.header[j] for j in columns],
        rows=[[row[j] for j in columns] for row in table.rows],
        spans=[(title, width) for title, width in widths if width],
        bold={(i, place[j]) for i, j in table.bold if j in place},
        marks={(i, place[j]): mark for (i, j), mark in table.marks.items() if j in place},
        words=sum(j < table.words for j in columns),
    )


def notes_of(report: Report, tables: Sequence[Table]) -> list[Wording]:
    """Return the notes of a report and of its tables, each once."""
    of_tables = (note for table in tables for note in table.notes)
    return list(dict.fromkeys((*report.notes(tables), *of_tables)))


def has_undefined(tables: Sequence[Table]) -> bool:
    """Return whether a number in some tables is marked as 0/0."""
    return any(
        isinstance(cell, Number) and cell.after == UNDEFINED_MARK
        for table in tables
        for row in table.rows
        for cell in row
    )
