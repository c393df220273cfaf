"""What is wrong in files: their problems, in text one after the other as compilers print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any, NamedTuple

from corefmeter.formats.output import open_output
from corefmeter.problems import Problem, amount, printable
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

    def count(self, severity: str) -> int:
        """Return the number of problems of a severity."""
        return sum(one.count for one in self.problems if one.severity == severity)

    def __str__(self) -> str:
        counts = [(self.count(severity), severity) for severity in ("error", "warning")]
        problems = ", ".join(amount(count, severity) for count, severity in counts if count)
        line = f"{printable(self.name or self.path)}: {problems or 'no problems'}"
        if self.format is None:
            return line
        documents, mentions = amount(self.documents, "document"), amount(self.mentions, "mention")
        entities = amount(self.entities, "entity", "entities")
        return f"{line}; {self.format}: {documents}, {entities}, {mentions}"


class _ValidationReport(Report):
    """All findings, for programs."""

    def __init__(self, checked: Sequence[Checked]) -> None:
        self.checked = checked

    def document(self) -> dict[str, Any]:
        files = [
            {k: value for k, value in file._asdict().items() if k != "name" or value is not None}
            | {"errors": file.count("error"), "warnings": file.count("warning")}
            | {"problems": [problem.to_dict() for problem in file.problems]}
            for file in self.checked
        ]
        valid = not any(file.count("error") for file in self.checked)
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
            text = "\n".join(map(str, (*file.problems, file)))
            for line in text.split("\n"):
                _write_line(line, stream)


def _write_line(line: str, stream: IO[str]) -> None:
    """Write a line, folded on a terminal only, so that programs find it in a file."""
    if stream.isatty():
        blanks = " " * (len(line) - len(line.lstrip()))
        paragraph(line.strip(), stream, begin=blanks, indent=blanks + "  ")
    else:
        stream.write(line + "\n")
