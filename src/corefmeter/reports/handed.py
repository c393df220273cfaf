"""Reports of values of the Python interface, as text and data frames; see `corefmeter.shown`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from io import StringIO
from typing import Any

from corefmeter.problems import OptionError
from corefmeter.reports import render
from corefmeter.reports.tables import DIGITS, Report
from corefmeter.result import Result

#: Packages of data frames: the first that is imported already, else the first that is installed.
_FRAMES = ("pandas", "polars")


def report_of(value: object, **options: Any) -> Report:
    """The report of what can be shown, such as a `Result`, as its command makes it."""
    if isinstance(value, Result):
        from corefmeter.reports.scores import ScoreReport

        return ScoreReport([value], **options)
    from corefmeter.statistics.comparison import Comparison

    if isinstance(value, Comparison):
        from corefmeter.reports.comparison import ComparisonReport

        return ComparisonReport(value, **options)
    from corefmeter.wings.annotation.agreement import Agreement

    if isinstance(value, Agreement):
        from corefmeter.wings.annotation.reports.agreement import AgreementReport

        return AgreementReport(value, **options)
    from corefmeter.wings.annotation.consensus import Merged

    if isinstance(value, Merged):
        from corefmeter.wings.annotation.reports.consensus import MergeReport

        return MergeReport(value, **options)
    from corefmeter.wings.annotation.stitching import Stitched

    if isinstance(value, Stitched):
        from corefmeter.wings.annotation.reports.stitching import StitchReport

        return StitchReport(value, **options)
    from corefmeter.analysis.card.made import Card

    if isinstance(value, Card):
        from corefmeter.reports.card import CardReport

        return CardReport([value], **options)
    from corefmeter.analysis.changes import Changes

    if isinstance(value, Changes):
        from corefmeter.reports.errors_changes import ChangesReport

        return ChangesReport(value, **options)
    from corefmeter.analysis.report import Analysis
    from corefmeter.reports.errors import ErrorsReport

    # Types: nothing else is `Shown`.
    assert isinstance(value, Analysis)
    return ErrorsReport(value, **options)


def text_of(value: object, format: str, digits: int | None = None) -> str:
    """A value in an output format, without a line end."""
    stream = StringIO()
    render(report_of(value), format, stream, digits)
    return stream.getvalue().rstrip("\n")


def html_of(value: object) -> str:
    """A value as a notebook shows it."""
    from corefmeter.reports import html

    stream = StringIO()
    html.render(report_of(value), stream, DIGITS)
    return stream.getvalue()


def frame_of(value: object, **options: Any) -> Any:
    """The rows of a value as a data frame; see `Shown.to_frame`."""
    return frame(report_of(value, **options).records())


def frame(records: Iterable[Sequence[Any]]) -> Any:
    """Rows, the first of which is the header, as a data frame of pandas or Polars.

    Raises
    ------
    OptionError
        When neither is installed.
    """
    header, *rows = records
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
