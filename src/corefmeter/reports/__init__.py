"""Results as text for people and programs: one module an output format."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import IO, Protocol

from corefmeter.formats.output import opened
from corefmeter.problems import Problem
from corefmeter.result import Result
from corefmeter.units import Groups

#: Modules by the name of the output format.
FORMATS: dict[str, str] = {
    "text": "corefmeter.reports.terminal",
    "json": "corefmeter.reports.json",
    "csv": "corefmeter.reports.csv",
    "markdown": "corefmeter.reports.markdown",
    "latex": "corefmeter.reports.latex",
}

#: Problems of one kind that are printed before the rest is only counted.
SHOWN = 5


class Report(Protocol):
    """What a report module offers."""

    def write(self, results: Sequence[Result], key: str, by: Groups, stream: IO[str]) -> None:
        """Write results of one recipe against one key."""


def write_report(
    results: Sequence[Result], key: str, by: Groups, format: str, output: str | None
) -> None:
    """Write results in a format, to a file or to standard output."""
    report: Report = import_module(FORMATS[format])
    with opened(output) as stream:
        report.write(results, key, by, stream)


def write_warnings(problems: Sequence[Problem], stream: IO[str]) -> None:
    """Print problems; of each code the first few, then how many more there are."""
    by_code: dict[str, list[Problem]] = {}
    for problem in dict.fromkeys(problems):
        by_code.setdefault(problem.code, []).append(problem)
    for code, alike in by_code.items():
        for problem in alike[:SHOWN]:
            print(problem, file=stream)
        if len(alike) > SHOWN:
            print(
                f"... and {len(alike) - SHOWN} more of [{code}]; all are in the JSON output",
                file=stream,
            )
