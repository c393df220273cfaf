"""Whether metrics agree, and where they do not, as text for people and programs."""

from __future__ import annotations

import csv
import json
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import IO, Any

from corefmeter._version import __version__
from corefmeter.formats.output import opened
from corefmeter.reports.latex import escape, table_latex
from corefmeter.reports.markdown import escaped, table_markdown
from corefmeter.reports.tables import Table
from corefmeter.reports.terminal import paragraph, room_of, write_signature, write_table
from corefmeter.statistics.correlation import METHODS, Correlation, CorrelationMatrix
from corefmeter.statistics.disagreement import Disagreement, amount, ordered_pairs
from corefmeter.statistics.score_table import SCORES, ScoreTable, title

#: Version of the JSON.
SCHEMA = 1

#: The shortest name of a coefficient.
_SYMBOLS = {"kendall": "τ-b", "spearman": "ρ", "pearson": "r"}

_INTERVALS = {
    "kendall": "variance 0.437/(n-4), Fieller et al. 1957",
    "spearman": "variance (1+r²/2)/(n-3), Bonett and Wright 2000",
    "pearson": "variance 1/(n-3)",
}

_UNDEFINED = "undef."


@dataclass(frozen=True, slots=True)
class CorrelationReport:
    """What is to be written.

    Attributes
    ----------
    table
        The scores.
    matrix
        Their correlations.
    disagreements
        The pairs of systems in opposite order; None when they were not asked for.
    """

    table: ScoreTable
    matrix: CorrelationMatrix
    disagreements: Sequence[Disagreement] | None = None

    def number(self, difference: float) -> str:
        """A difference between scores, in the unit in which the scores are shown."""
        return amount(self.table.scale * difference, self.table.decimals)

    def sentence(self, found: Disagreement) -> str:
        """What a paper says about a disagreement."""
        return found.sentence(title, self.number, self.table.alpha)

    def by_metrics(self) -> list[tuple[str, list[Disagreement]]]:
        """Each pair of metrics that disagree: a heading, and where they do."""
        found = []
        for (a, b), group in groupby(self.disagreements or (), lambda d: (d.metric_a, d.metric_b)):
            members = list(group)
            both = ordered_pairs(self.table.scores, a, b)
            found.append(
                (
                    f"{title(a)} and {title(b)}: opposite order for {len(members)} of the {both} "
                    f"pairs of systems that both order{self._significance(members)}",
                    members,
                )
            )
        return found

    def _significance(self, members: Sequence[Disagreement]) -> str:
        """How many of some disagreements are significant, where all p-values are known."""
        counts = [0, 0, 0]
        for found in members:
            if found.p_a is None or found.p_b is None:
                return ""
            counts[(found.p_a <= self.table.alpha) + (found.p_b <= self.table.alpha)] += 1
        neither, one, both = counts
        return f"; significant: both differences of {both}, one of {one}, neither of {neither}"


def write_correlation(report: CorrelationReport, format: str, output: str | None) -> None:
    """Write in a format, to a file or to standard output."""
    with opened(output) as stream:
        FORMATS[format](report, stream)


# --- what stands in which cell


def _matrix_table(report: CorrelationReport) -> Table:
    matrix = report.matrix
    score = SCORES[report.table.score] if report.table.score else "scores"
    rows = [
        [title(a), *(_coefficient(matrix[a, b].value) for b in matrix.metrics)]
        for a in matrix.metrics
    ]
    caption = f"{METHODS[matrix.method]} between metrics: {score} of {len(matrix.systems)} systems"
    return Table(["", *map(title, matrix.metrics)], rows, caption=caption)


def _pair_table(report: CorrelationReport) -> Table:
    matrix = report.matrix
    header = ["", _SYMBOLS[matrix.method], f"{100 * matrix.confidence:g}% interval", "p"]
    rows = [
        [f"{title(a)}, {title(b)}", _coefficient(c.value), _limits(c), _p(c.p)]
        for (a, b), c in matrix.pairs.items()
    ]
    return Table(header, rows, caption="Each pair of metrics")


def _count_table(report: CorrelationReport) -> Table:
    counts: dict[frozenset[str], int] = {}
    for found in report.disagreements or ():
        pair = frozenset((found.metric_a, found.metric_b))
        counts[pair] = counts.get(pair, 0) + 1
    metrics = report.matrix.metrics
    rows = [
        [title(a), *("" if a == b else str(counts.get(frozenset((a, b)), 0)) for b in metrics)]
        for a in metrics
    ]
    n = len(report.matrix.systems)
    caption = f"Pairs of systems in opposite order, of {n * (n - 1) // 2}"
    return Table(["", *map(title, metrics)], rows, caption=caption)


def _disagreement_table(
    report: CorrelationReport, caption: str, found: Sequence[Disagreement]
) -> Table:
    """The differences by two metrics, the first of which prefers the first system of each row."""
    has_p = any(p is not None for d in found for p in (d.p_a, d.p_b))
    columns = ["difference", "p"] if has_p else ["difference"]
    rows = []
    for d in found:
        sides = (
            (report.number(d.difference_a), d.p_a),
            ("-" + report.number(d.difference_b), d.p_b),
        )
        cells = [cell for shown, p in sides for cell in (shown, _p(p))[: len(columns)]]
        rows.append([f"{d.system_a}, {d.system_b}", *cells])
    spans = [(title(m), len(columns)) for m in (found[0].metric_a, found[0].metric_b)]
    return Table(["", *columns * 2], rows, spans, caption)


def _notes(report: CorrelationReport) -> list[str]:
    """What a reader must know to read the numbers."""
    matrix = report.matrix
    count = len(matrix.pairs)
    unit = "differences in percent; " if report.table.is_fraction else ""
    notes = [
        f"intervals: Fisher's z, {_INTERVALS[matrix.method]}",
        "p: two-sided, of independence" + (f"; not adjusted for {count} pairs" * (count > 1)),
    ]
    if any(c.value is not None and c.interval is None for c in matrix.pairs.values()):
        notes.append("no interval: too few systems, or a coefficient of 1 or -1")
    if report.disagreements is not None:
        notes.append(f"opposite order: {unit}a tie is no disagreement")
    notes += [
        f"{_UNDEFINED}: undefined, since all systems have the same {title(metric)}"
        for metric in matrix.constant
    ]
    return [*notes, *report.table.notes]


def _coefficient(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.3f}"


def _limits(found: Correlation) -> str:
    return "" if found.interval is None else "[{:.3f}, {:.3f}]".format(*found.interval)


def _p(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


# --- formats


def _text(report: CorrelationReport, stream: IO[str]) -> None:
    width = room_of(stream)
    for table in _all_tables(report):
        write_table(table, stream)
    for caption, found in report.by_metrics():
        paragraph(caption, stream, bold=True, indent="")
        for disagreement in found:
            sentence = report.sentence(disagreement)
            stream.write(
                textwrap.fill(sentence, width, initial_indent="- ", subsequent_indent="  ",
                              break_long_words=False, break_on_hyphens=False) + "\n"
            )  # fmt: skip
        stream.write("\n")
    for note in _notes(report):
        paragraph(note, stream)
    if report.table.signature:
        write_signature(report.table.signature, "", "", stream)


def _all_tables(report: CorrelationReport) -> list[Table]:
    tables = [_matrix_table(report), _pair_table(report)]
    if report.disagreements is not None:
        tables.append(_count_table(report))
    return tables


def _as_markdown(report: CorrelationReport, stream: IO[str]) -> None:
    for table in _all_tables(report):
        stream.write(table_markdown(table) + "\n")
    for caption, found in report.by_metrics():
        stream.write(table_markdown(_disagreement_table(report, caption, found)) + "\n")
        for disagreement in found:
            stream.write(f"- {escaped(report.sentence(disagreement))}\n")
        stream.write("\n")
    stream.write("".join(f"{note}  \n" for note in _notes(report)))
    if report.table.signature:
        stream.write(f"`{report.table.signature}`\n")


def _as_latex(report: CorrelationReport, stream: IO[str]) -> None:
    notes = ". ".join(_notes(report))
    if report.table.signature:
        notes += f". {report.table.signature}"
    stream.write("% needs \\usepackage{booktabs}\n")
    tables = _all_tables(report)
    for table in tables:
        about = notes if table is tables[0] else ""
        caption = ". ".join(filter(None, (table.caption, about)))
        stream.write(_symbols(table_latex(table, escape(caption) + ".")))
    for caption, found in report.by_metrics():
        table = _disagreement_table(report, caption, found)
        stream.write(_symbols(table_latex(table, escape(caption) + ".")))
        for disagreement in found:
            sentence = escape(report.sentence(disagreement))
            stream.write(f"% {_symbols(sentence)}\n")


def _symbols(latex: str) -> str:
    """LaTeX in which signs that need mathematics have it.

    Examples
    --------
    >>> print(_symbols("Kendall's τ-b & -0.50 & <0.001"))
    Kendall's $\\tau$-b & $-$0.50 & $<$0.001
    """
    for sign, command in (("τ", r"$\tau$"), ("ρ", r"$\rho$"), ("²", r"$^2$"), ("<", "$<$")):
        latex = latex.replace(sign, command)
    return re.sub(r"(?<=[ \[])-(?=\d)", "$-$", latex).replace(
        r"\textbar{}", r"\textbar{}\allowbreak{}"
    )


def _as_json(report: CorrelationReport, stream: IO[str]) -> None:
    table, matrix = report.table, report.matrix
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": __version__,
        "signature": table.signature,
        "method": matrix.method,
        "score": table.score,
        "confidence": matrix.confidence,
        "systems": list(matrix.systems),
        "metrics": list(matrix.metrics),
        "scores": table.scores,
        "matrix": matrix.values(),
        "pairs": [
            {"a": a, "b": b, "correlation": found.value, "interval": found.interval, "p": found.p,
             "undefined": found.undefined}
            for (a, b), found in matrix.pairs.items()
        ],
    }  # fmt: skip
    if report.disagreements is not None:
        document["disagreements"] = [
            {**found._asdict(), "sentence": report.sentence(found)}
            for found in report.disagreements
        ]
    document["notes"] = list(table.notes)
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def _as_csv(report: CorrelationReport, stream: IO[str]) -> None:
    """The square matrix of each statistic, one below the other; or the disagreements."""
    writer = csv.writer(stream, lineterminator="\n")
    if report.disagreements is not None:
        writer.writerow((*Disagreement._fields, "sentence"))
        for disagreement in report.disagreements:
            writer.writerow((*disagreement, report.sentence(disagreement)))
        return
    matrix = report.matrix
    statistics: dict[str, Callable[[Correlation], float | None]] = {
        "correlation": lambda found: found.value,
        "low": lambda found: found.interval and found.interval[0],
        "high": lambda found: found.interval and found.interval[1],
        "p": lambda found: found.p,
    }
    writer.writerow(("method", "score", "systems", "statistic", "metric", *matrix.metrics))
    about = (matrix.method, report.table.score or "", len(matrix.systems))
    for name, value in statistics.items():
        for a in matrix.metrics:
            writer.writerow((*about, name, a, *(value(matrix[a, b]) for b in matrix.metrics)))


#: What writes each output format.
FORMATS: dict[str, Callable[[CorrelationReport, IO[str]], None]] = {
    "text": _text,
    "json": _as_json,
    "csv": _as_csv,
    "markdown": _as_markdown,
    "latex": _as_latex,
}
