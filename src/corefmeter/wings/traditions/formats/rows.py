"""Lines of cells between TABs, and errors at the place of a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corefmeter.formats.notes import Notes, cell_column, numbered_lines
from corefmeter.formats.source import Source
from corefmeter.problems import amount


class Row(NamedTuple):
    """A line of a file."""

    number: int
    cells: Sequence[str]
    notes: Notes

    def error(
        self, code: str, reason: str, cell: int | None, hint: str, document: str | None = None
    ) -> None:
        """Note an error in a cell, or in the line as a whole."""
        column = None if cell is None else cell_column(self.cells, cell)
        self.notes.error(code, reason, self.number, column, hint, document=document)

    @property
    def columns(self) -> str:
        """Return the number of columns in words."""
        return amount(len(self.cells), "column")


def rows(source: Source, notes: Notes) -> Iterator[Row]:
    """Iterate over the lines of a file that are not blank."""
    for number, line in numbered_lines(source, notes):
        if line.strip():
            yield Row(number, line.split("\t"), notes)
