"""Results as text for people and programs.

A command builds a `Report` (``reports/tables.py``); a renderer writes any report in its format.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import IO

from corefmeter.corpus.structures import grouped
from corefmeter.formats.output import open_output
from corefmeter.problems import OptionError, Problem
from corefmeter.reports.tables import DIGITS, Report

#: Renderers by the name of the output format.
FORMATS: dict[str, str] = {
    "text": "corefmeter.reports.terminal:render",
    "json": "corefmeter.reports.json:render",
    "csv": "corefmeter.reports.csv:render",
    "csv-exact": "corefmeter.reports.csv:render_exact",
    "markdown": "corefmeter.reports.markdown:render",
    "latex": "corefmeter.reports.latex:render",
}

#: Formats for programs.
UNROUNDED = ("json", "csv", "csv-exact")

#: The number of notes with one code that are printed; of warnings only the first is.
NOTES = 5


def write_report(
    report: Report,
    format: str,
    output: str | None = None,
    digits: int | None = None,
    signature: str = "short",
    annotated: Sequence[Problem] = (),
) -> None:
    """Write a report in a format, to a file or to standard output.

    A file has the whole signature; standard output has it where `signature` is ``full``. The format
    ``github`` is text, for the log of a run, with the `annotated` problems below it.
    """
    if digits is not None and format in UNROUNDED:
        raise OptionError(f"--digits has no effect: {format} holds numbers as they are")
    report.brief = output is None and signature == "short"
    with open_output(output) as stream:
        render(report, "text" if format == "github" else format, stream, digits)
        if format == "github":
            from corefmeter.reports.github import annotate

            annotate(annotated, stream)


def render(report: Report, format: str, stream: IO[str], digits: int | None = None) -> None:
    """Write a report in a format to a stream."""
    module, _, name = FORMATS[format].partition(":")
    renderer = getattr(import_module(module), name)
    renderer(report, stream, DIGITS if digits is None else digits)


def write_warnings(
    problems: Sequence[Problem], stream: IO[str], rest: str = "; all are in the JSON output"
) -> None:
    """Print problems by code: the first warning of each, then how many more, and `rest`.

    Several notes of a code are printed, since each names a choice that was made. A hint is on the
    line of its problem where both fit.
    """
    if not problems:
        return
    from corefmeter.reports.terminal import room_of

    by_code = grouped((problem.code, problem) for problem in dict.fromkeys(problems))
    room = room_of(stream)
    for code, alike in by_code.items():
        shown = NOTES if alike[0].severity == "note" else 1
        for problem in alike[:shown]:
            one_line = " ".join(str(problem).split("\n  "))
            print(one_line if len(one_line) <= room else problem, file=stream)
        if len(alike) > shown:
            print(f"... and {len(alike) - shown} more of [{code}]{rest}", file=stream)
