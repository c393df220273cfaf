"""What is wrong in files: their problems, in text one after the other as compilers print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any, NamedTuple

from corefmeter.formats.output import open_output
from corefmeter.problems import Problem, printable
from corefmeter.reports import write_report
from corefmeter.reports.github import annotate
from corefmeter.reports.tables import Report
from corefmeter.reports.terminal import paragraph


class Checked(NamedTuple):
    """A file and what was found in it."""

    path: str
    name: str | None
    format: str | None
    documents: int
    entities: int
    mentions: int
    problems: list[Problem]

    @property
    def errors(self) -> int:
        """Number of problems that are errors."""
        return sum(p.count for p in self.problems if p.severity == "error")

    @property
    def warnings(self) -> int:
        """Number of problems that are warnings."""
        return sum(p.count for p in self.problems if p.severity == "warning")

    def __str__(self) -> str:
        counts = ((self.errors, "error"), (self.warnings, "warning"))
        found = ", ".join(_number(count, what) for count, what in counts if count)
        line = f"{printable(self.name or self.path)}: {found or 'no problems'}"
        if self.format is None:
            return line
        return (
            f"{line}; {self.format}: {_number(self.documents, 'document')}, "
            f"{_number(self.entities, 'entity')}, {_number(self.mentions, 'mention')}"
        )


class _ValidationReport(Report):
    """All findings, for programs."""

    def __init__(self, checked: Sequence[Checked]) -> None:
        self.checked = checked

    def document(self) -> dict[str, Any]:
        files = [
            {k: value for k, value in file._asdict().items() if k != "name" or value is not None}
            | {"errors": file.errors, "warnings": file.warnings}
            | {"problems": [problem.to_dict() for problem in file.problems]}
            for file in self.checked
        ]
        valid = not any(file.errors for file in self.checked)
        return {"schema": 1, "valid": valid, "files": files}


def write_validation(checked: Sequence[Checked], format: str, output: str | None) -> None:
    """Write, as ``text``, ``github`` or ``json``, each problem, and a line for each file."""
    if format == "json":
        write_report(_ValidationReport(checked), format, output)
        return
    with open_output(output) as stream:
        if format == "github":
            for file in checked:
                annotate(file.problems, stream)
                print(file, file=stream)
            return
        for file in checked:
            for text in (*map(str, file.problems), str(file)):
                for line in text.split("\n"):
                    _write_line(line, stream)


def _write_line(line: str, stream: IO[str]) -> None:
    """A line, folded for people; in a file it is whole, so that programs can find it."""
    if stream.isatty():
        blanks = " " * (len(line) - len(line.lstrip()))
        paragraph(line.strip(), stream, begin=blanks, indent=blanks + "  ")
    else:
        stream.write(line + "\n")


def _number(count: int, what: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> _number(1, "entity"), _number(2, "entity"), _number(0, "error")
    ('1 entity', '2 entities', '0 errors')
    """
    if count != 1:
        what = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{count} {what}"
