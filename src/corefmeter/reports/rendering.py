"""Reports of values of the Python interface, as text and data frames; see `corefmeter.shown`."""

from __future__ import annotations

import sys
from importlib import import_module
from io import StringIO
from typing import Any

from corefmeter.doors import fetch, offered
from corefmeter.problems import OptionError
from corefmeter.reports import render
from corefmeter.reports.scores import layout_in
from corefmeter.reports.tables import DIGITS, Report

#: Packages of data frames: the first that is imported already, else the first that is installed.
_FRAMES = ("pandas", "polars")

#: The report of each class of results of the core, by its name; those of wings are entry points.
REPORTS = {
    "Analysis": "errors:ErrorsReport",
    "Card": "card:CardReport",
    "Changes": "errors_changes:ChangesReport",
    "Comparison": "comparison:ComparisonReport",
    "Result": "scores:ScoreReport",
}


def report_of(value: object, **options: Any) -> Report:
    """Return the report of a result, as its command makes it."""
    names = [kind.__name__ for kind in type(value).__mro__]
    name = next(name for name in names if name in REPORTS or name in offered("report"))
    if name in REPORTS:
        module, _, title = REPORTS[name].partition(":")
        made = getattr(import_module(f"corefmeter.reports.{module}"), title)
    else:
        made = fetch("report", name)
    # These reports are of several values.
    report: Report = made([value] if name in ("Result", "Card") else value, **options)
    return report


def text_of(value: Any, format: str, digits: int | None = None) -> str:
    """Return a value in an output format, without a line end."""
    stream, name = StringIO(), type(value).__name__
    options: dict[str, Any] = {}
    if name in ("Comparison", "Result"):
        options["layout"] = layout_in(format, [*value])
    elif name == "Card" and format == "latex":
        options["shown"] = None
    render(report_of(value, **options), format, stream, digits)
    return stream.getvalue().rstrip("\n")


def html_of(value: object) -> str:
    """Return a value as a notebook shows it."""
    from corefmeter.reports import html

    stream = StringIO()
    html.render(report_of(value), stream, DIGITS)
    return stream.getvalue()


def frame_of(value: object, **options: Any) -> Any:
    """Return the rows of a value as a pandas or Polars data frame; see `Shown.to_frame`."""
    header, *rows = report_of(value, **options).records()
    for name in sorted(_FRAMES, key=lambda name: name not in sys.modules):
        try:
            frames = import_module(name)
        except ImportError:
            continue
        if name == "pandas":
            return frames.DataFrame(rows, columns=list(header))
        return frames.DataFrame(rows, list(header), orient="row", infer_schema_length=None)
    raise OptionError(
        "a data frame needs pandas or Polars, and neither is installed; get one with\n"
        "  pip install pandas"
    )
