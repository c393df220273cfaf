"""What comes out of the laboratory as text, Markdown, LaTeX, JSON and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from typing import IO, Any

from corefmeter.lab.experiments import EXPERIMENTS
from corefmeter.lab.outcome import Outcome
from corefmeter.lab.sensitivity import Sensitivity
from corefmeter.metrics import title
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import Table

_RATES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}

_SIGNS = {True: "holds", False: "DOES NOT HOLD", None: "does not apply"}


def write_names(format: str, stream: IO[str]) -> None:
    """Write the names of the experiments, where they come from and what they need."""
    if format == "json":
        entries = [
            {
                "name": e.name,
                "title": e.title,
                "source": e.source,
                "needs": e.needs,
                "optional": e.own_key is not None,
            }
            for e in EXPERIMENTS.values()
        ]
        _json({"schema": 1, "experiments": entries}, stream)
        return
    header = ["name", "needs", "title", "source"]
    optional = {True: " (optional)", False: ""}
    rows = [
        [e.name, e.needs + optional[e.own_key is not None], e.title, e.source]
        for e in EXPERIMENTS.values()
    ]
    if format == "csv":
        cells = [[e.name, e.needs, e.title, e.source] for e in EXPERIMENTS.values()]
        csv.writer(stream, lineterminator="\n").writerows([header, *cells])
    elif format == "text":
        # The sources would not fit on a terminal.
        table = Table(header[:3], [row[:3] for row in rows], words=3)
        write_tables([table], ["-f markdown also tells where in its paper each is"], format, stream)
    else:
        write_tables([Table(header, rows, words=4)], [], format, stream)


def write_outcome(outcome: Outcome, format: str, stream: IO[str]) -> None:
    """Write an experiment: its scores, and what of the paper's sentences holds."""
    if format == "json":
        _json(outcome.to_dict(), stream)
        return
    if format == "csv":
        header = ("experiment", "level", "at", "metric", "recall", "precision", "f1")
        name = outcome.experiment.name
        _csv(header, ((name, *row) for row in outcome.rows), stream)
        return
    experiment = outcome.experiment
    rates = list(_RATES) if experiment.all_scores else ["f1"]
    titles = [*map(outcome.title, outcome.metrics)]
    tables = [_scores(outcome.rows, titles, rate, "") for rate in rates]
    heading = f"{experiment.title} ({outcome.source})"
    for table, rate in zip(tables, rates, strict=True):
        name = outcome.values if rate == "f1" else _RATES[rate]
        table.caption = f"{heading}: {name}" if rate == rates[0] else name
    if "peaks" in outcome.facts:
        tables.append(_peaks(outcome))
    notes = [f"{experiment.axis}; in percent"]
    if experiment.reading:
        notes.append(f"Reading: {experiment.reading}.")
    notes += [
        f"{name.replace('_', ' ')}: {value}"
        for name, value in outcome.facts.items()
        if isinstance(value, (int, float, str))
    ]
    for claim in outcome.claims:
        sign = _SIGNS[claim.holds]
        notes.append(f"{sign}: {claim.text}. {claim.numbers}")
    write_tables(tables, notes, format, stream, outcome.signature)


def write_sensitivity(found: Sensitivity, format: str, stream: IO[str]) -> None:
    """Write how metrics fall, and what one more error costs."""
    if format == "json":
        _json(found.to_dict(), stream)
        return
    if format == "csv":
        header = ("kind", "order", "level", "errors", "metric", "recall", "precision", "f1")
        _csv(header, ((found.kind.name, found.order, *row) for row in found.rows), stream)
        return
    titles = [*map(title, found.metrics)]
    scores = _scores(found.rows, titles, "f1", f"{found.kind.title} ({found.order}): F1")
    errors = {row.level: row.errors for row in found.rows}
    scores.header.insert(1, "errors")
    for row in scores.rows:
        row.insert(1, str(errors[row[0]]))
    costs = Table(
        ["", "one error", "1 % of sites"],
        [
            [title(m), f"{100 * cost:.4f}", f"{cost * found.sites:.2f}"]
            for m, cost in found.costs.items()
        ],
        caption="What one error alone takes off F1, in points",
    )
    notes = [
        f"{found.sites} {found.kind.unit} can be hurt so; costs are means over {found.samples} of "
        "them, each alone",
    ]
    write_tables([scores, costs], notes, format, stream, found.signature)


def _scores(rows: Iterable[Any], titles: Sequence[str], rate: str, caption: str) -> Table:
    """Levels as rows, metrics as columns."""
    by_level: dict[str, list[str]] = {}
    for row in rows:
        value = getattr(row, rate)
        cell = "" if value is None or value != value else f"{100 * value:.2f}"
        by_level.setdefault(row.level, []).append(cell)
    table = [[level, *cells] for level, cells in by_level.items()]
    return Table(["", *titles], table, caption=caption)


def _peaks(outcome: Outcome) -> Table:
    true = outcome.facts["true_entities"]
    rows = [
        [
            outcome.title(metric),
            str(peak["entities"]),
            f"{100 * peak['entities'] / true - 100:+.0f} %" if true else "n/a",
            f"{100 * peak['f1']:.2f}",
        ]
        for metric, peak in outcome.facts["peaks"].items()
    ]
    header = ["", "entities", "off the truth", "score"]
    return Table(header, rows, caption=f"Where each metric is best; the key has {true} entities")


def _json(values: Any, stream: IO[str]) -> None:
    stream.write(json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n")


def _csv(header: Iterable[str], rows: Iterable[Iterable[Any]], stream: IO[str]) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
