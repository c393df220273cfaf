"""Comparisons as text for people and programs: what stands in which cell; one module an output."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import IO, Protocol

from corefmeter.formats.output import opened
from corefmeter.labels import shortened
from corefmeter.metrics import title
from corefmeter.reports.tables import Table
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.statistics.comparison import Comparison, Difference, MetricComparison
from corefmeter.statistics.intervals import MOST_RESAMPLES, Interval
from corefmeter.statistics.power import POWER
from corefmeter.units import GROUPS

#: Modules by the name of the output format.
FORMATS: dict[str, str] = {
    name: f"corefmeter.reports.compare_{name}"
    for name in ("text", "json", "csv", "markdown", "latex")
}

#: Tables of differences are for people to read; beyond so many pairs they are in JSON and CSV.
MOST_PAIRS = 15

#: Longer rows of letters say nothing to a reader.
MOST_LETTERS = 6

_SCORES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}
_TESTS = {
    "randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
    "exact": "exact randomization test (all exchanges)",
}
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}
_INTERVALS = {"bca": "BCa", "percentile": "percentile"}

#: An interval or a detectable difference that the data do not give.
_NONE = "\N{EN DASH}"


class Report(Protocol):
    """What a report module offers."""

    def write(self, comparison: Comparison, systems: Sequence[str], stream: IO[str]) -> None:
        """Write a comparison, its systems in the order given."""


def write_comparison(
    comparison: Comparison, format: str, output: str | None, sort: str | None = None
) -> None:
    """Write in a format, to a file or to standard output.

    With `sort`, systems stand from the best to the worst by that metric.
    """
    systems = comparison.sorted_by(sort) if sort else comparison.systems
    report: Report = import_module(FORMATS[format])
    with opened(output) as stream:
        report.write(comparison, systems, stream)


def score_table(
    comparison: Comparison, systems: Sequence[str], metrics: Sequence[str] | None = None
) -> Table:
    """Systems as rows, metrics as columns; the best are bold, letters mark what does not differ.

    From three systems on, ranks stand in parentheses.
    """
    metrics = list(comparison) if metrics is None else metrics
    table = Table([_SCORES[comparison.plan.score], *map(title, metrics)])
    table.rows = [[system] for system in systems]
    with_letters = _letters_fit(comparison)
    for column, name in enumerate(metrics, 1):
        metric = comparison[name]
        values = {system: _value(comparison, metric, system) for system in systems}
        best = max((value for value in values.values() if value is not None), default=None)
        for row, system in enumerate(systems):
            rank = f" ({metric.ranks[system]})" if len(systems) > 2 else ""
            table.rows[row].append(_percent(values[system]) + rank)
            if values[system] == best is not None:
                table.bold.add((row, column))
            if with_letters and metric.letters[system]:
                table.marks[row, column] = metric.letters[system]
    return table


def interval_table(
    comparison: Comparison, systems: Sequence[str], metrics: Sequence[str] | None = None
) -> Table:
    """The intervals of the scores: systems as rows, metrics as columns."""
    metrics = list(comparison) if metrics is None else metrics
    plan = comparison.plan
    return Table(
        ["", *map(title, metrics)],
        [
            [system, *(_limits(comparison[name].scores[system].interval) for name in metrics)]
            for system in systems
        ],
        caption=f"{100 * plan.level:g}% intervals of {_SCORES[plan.score]}",
    )


def difference_tables(comparison: Comparison, systems: Sequence[str], room: int = 0) -> list[Table]:
    """The differences: of two systems one table of metrics, of more a table for each metric.

    None for many systems. With `room`, two names of systems are shortened to fit in it together.
    """
    if comparison.comparisons > MOST_PAIRS:
        return []
    several = comparison.comparisons > 1
    header = ["", "difference", f"{100 * comparison.plan.level:g}% interval", "p"]
    if several:
        header.append("adjusted")
    header.append("detectable")

    def cells(pair: Difference) -> list[str]:
        found = [
            _percent(pair.difference, signed=True), _limits(pair.interval), _p(pair.p)
        ]  # fmt: skip
        least = _NONE if pair.detectable is None else _percent(pair.detectable)
        return [*found, *([_p(pair.p_adjusted)] if several else []), least]

    names = shortened(systems, (room - 3) // 2) if room else systems
    short = dict(zip(systems, names, strict=True))

    def between(a: str, b: str) -> str:
        return f"{short[a]} \N{MINUS SIGN} {short[b]}"

    pairs = [(a, b) for i, a in enumerate(systems) for b in systems[i + 1 :]]
    if not several:
        ((a, b),) = pairs
        rows = [[title(m.metric), *cells(m.pair(a, b))] for m in comparison.metrics.values()]
        return [Table(header, rows, caption=between(a, b))]
    return [
        Table(
            header,
            [
                [f"{short[a]} \N{MINUS SIGN} {short[b]}", *cells(metric.pair(a, b))]
                for a, b in pairs
            ],
            caption=title(metric.metric),
        )
        for metric in comparison.metrics.values()
    ]


def notes(comparison: Comparison) -> list[str]:
    """What a reader must know to read the table of scores; the signature is not among it."""
    plan = comparison.plan
    how = f"two-sided, {_TESTS[comparison.test]} over {_units(comparison)}"
    if comparison.test != "exact":
        how += f", {plan.trials:,} trials"
    if comparison.comparisons > 1 and plan.correction != "none":
        how += f", {_CORRECTIONS[plan.correction]}-adjusted over {comparison.comparisons:,} pairs"
    elif comparison.comparisons > 1:
        how += f", not adjusted for {comparison.comparisons:,} pairs"
    made = f"{_SCORES[plan.score]} in percent, {comparison.recipe.average}"
    lines = [f"{made} over {_units(comparison)}"]
    if _letters_fit(comparison):
        lines.append(
            "systems of a column that share a letter do not differ significantly at "
            f"{plan.alpha:g} ({how})"
        )
    else:
        lines.append(f"significance at {plan.alpha:g}: {how}; letters are many, see JSON or CSV")
    if len(comparison.systems) > 2:
        lines.append(
            "rank in parentheses: a system shares the rank of the first of its group unless it "
            "differs significantly from that one"
        )
    if comparison.comparisons > MOST_PAIRS:
        lines.append(f"all {comparison.comparisons:,} differences: see JSON or CSV")
    return lines


def interval_note(comparison: Comparison) -> str:
    """How intervals were made, or why there are none."""
    if len(comparison.units) < FEWEST_UNITS:
        return f"intervals: {_NONE}, since {_units(comparison)} are fewer than {FEWEST_UNITS}"
    resamples = min(comparison.plan.trials, MOST_RESAMPLES)
    return f"intervals: {_INTERVALS[comparison.plan.interval]} bootstrap, {resamples:,} resamples"


def detectable_note(comparison: Comparison) -> str:
    """What the last column of differences means, or why it is empty."""
    if len(comparison.units) < FEWEST_UNITS:
        return f"detectable: {_NONE}, for the same reason"
    plan = comparison.plan
    alpha = plan.alpha / (comparison.comparisons if plan.correction == "holm" else 1)
    return (
        f"detectable: the true difference that would be found with {100 * POWER:g}% power at "
        f"{alpha:.3g}, estimated from the spread over {_units(comparison)}"
    )


def _units(comparison: Comparison) -> str:
    units, by = len(comparison.units), comparison.plan.by
    return f"{units:,} {by}s" if by in GROUPS else f"{units:,} units"


def _letters_fit(comparison: Comparison) -> bool:
    return all(
        len(letters) <= MOST_LETTERS
        for metric in comparison.metrics.values()
        for letters in metric.letters.values()
    )


def _value(comparison: Comparison, metric: MetricComparison, system: str) -> float | None:
    value: float | None = getattr(metric.scores[system], comparison.plan.score)
    return value


def _percent(value: float | None, signed: bool = False) -> str:
    if value is None:
        return "n/a"
    return f"{100 * value:+.2f}" if signed else f"{100 * value:.2f}"


def _limits(limits: Interval | None) -> str:
    return _NONE if limits is None else f"[{100 * limits[0]:.2f}, {100 * limits[1]:.2f}]"


def _p(p: float | None) -> str:
    """A p-value, never rounded to 0.

    Examples
    --------
    >>> _p(0.04321), _p(0.00001), _p(1.0)
    ('0.0432', '<0.0001', '1.0000')
    """
    if p is None:
        return "n/a"
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"
