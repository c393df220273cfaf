"""Reports of published experiments, and of metrics on a damaged key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefmeter.corpus.structures import grouped
from corefmeter.metrics import title
from corefmeter.reports.tables import RATES, Cell, Number, Report, Table
from corefmeter.wings.lab.experiments import EXPERIMENTS
from corefmeter.wings.lab.outcome import Claim, Outcome
from corefmeter.wings.lab.sensitivity import Sensitivity

_SIGNS = {True: "holds", False: "DOES NOT HOLD", None: "does not apply"}

_SOURCES = "-f markdown also shows the source of each experiment"


class NamesReport(Report):
    """The names of the experiments, their sources and the input that they need."""

    def tables(self) -> list[Table]:
        """Return one table of words."""
        header, *records = self.records()
        rows: list[list[Cell]] = [[*record] for record in records]
        for row, experiment in zip(rows, EXPERIMENTS.values(), strict=True):
            if experiment.own_key is not None:
                row[1] = f"{experiment.needs} (optional)"
        table = Table(header, rows, words=4)
        # The sources would not fit on a terminal.
        table.narrow = lambda width, over: [
            Table(header[:3], [row[:3] for row in rows], words=3, notes=[_SOURCES])
        ]
        return [table]

    def records(self) -> Iterator[list[str]]:
        """Yield one row for each experiment."""
        yield ["name", "needs", "title", "source"]
        for experiment in EXPERIMENTS.values():
            yield [experiment.name, experiment.needs, experiment.title, experiment.source]

    def document(self) -> dict[str, Any]:
        """Return the experiments."""
        entries = []
        for experiment in EXPERIMENTS.values():
            fields = ("name", "title", "source", "needs")
            entry = {field: getattr(experiment, field) for field in fields}
            entries.append(entry | {"optional": experiment.own_key is not None})
        return {"schema": 1, "experiments": entries}


class OutcomeReport(Report):
    """An experiment: its scores, and which of the paper's claims hold."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.signature = outcome.signature

    def tables(self) -> list[Table]:
        """Return a table for each score; for a sweep, also where each metric is best."""
        outcome, experiment = self.outcome, self.outcome.experiment
        rates = list(RATES) if experiment.all_scores else ["f1"]
        titles = [*map(outcome.title, outcome.metrics)]
        tables: list[Table] = []
        for rate in rates:
            caption = outcome.values if rate == "f1" else RATES[rate]
            if not tables:
                caption = f"{experiment.title} ({outcome.source}): {caption}"
            tables.append(_scores(outcome.rows, titles, rate, caption))
        return [*tables, _peaks(outcome)] if "peaks" in outcome.facts else tables

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the experiment, and report its facts and claims."""
        outcome, experiment = self.outcome, self.outcome.experiment
        notes = [f"{experiment.axis}; in percent"]
        if experiment.reading:
            notes.append(f"Reading: {experiment.reading}.")
        notes += [
            f"{name.replace('_', ' ')}: {value}"
            for name, value in outcome.facts.items()
            if isinstance(value, (int, float, str))
        ]
        return [*notes, *map(_sentence, outcome.claims)]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each level and metric."""
        yield ("experiment", "level", "at", "metric", "recall", "precision", "f1")
        yield from ((self.outcome.experiment.name, *row) for row in self.outcome.rows)

    def document(self) -> dict[str, Any]:
        """Return the experiment."""
        return self.outcome.to_dict()


class SensitivityReport(Report):
    """Scores under growing damage, and the cost of one more error."""

    def __init__(self, result: Sensitivity) -> None:
        self.result = result
        self.signature = result.signature

    def tables(self) -> list[Table]:
        """Return F1 by level, and the costs."""
        result = self.result
        titles = [*map(title, result.metrics)]
        caption = f"{result.kind.title} ({result.order}): F1"
        scores = _scores(result.rows, titles, "f1", caption)
        errors = {row.level: row.errors for row in result.rows}
        scores.header.insert(1, "errors")
        for row in scores.rows:
            row.insert(1, errors[str(row[0])])
        caption = "Points of F1 that one error alone costs"
        costs = Table(["", "one error", "deviation", f"1 % of {result.kind.unit}"], caption=caption)
        for metric, cost in result.costs.items():
            deviation = Number(result.deviations[metric], extra=2)
            all_sites = Number(cost * result.sites, 1)
            costs.rows.append([title(metric), Number(cost, extra=2), deviation, all_sites])
        return [scores, costs]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the places for errors and the costs."""
        result = self.result
        tried = "all" if result.samples == result.sites else str(result.samples)
        return [
            f"{result.sites:,} {result.kind.unit} can be damaged in this way; costs are means over "
            f"{tried} of them, damaged one at a time, with the standard deviation of single errors"
        ]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each level and metric."""
        result = self.result
        yield ("kind", "order", "level", "errors", "metric", "recall", "precision", "f1")
        yield from ((result.kind.name, result.order, *row) for row in result.rows)

    def document(self) -> dict[str, Any]:
        """Return all numbers."""
        return self.result.to_dict()


def _sentence(claim: Claim) -> str:
    if claim.held is None:
        return f"{_SIGNS[claim.holds]}: {claim.text}. {claim.numbers}"
    held, draws = claim.held
    return f"holds in {held} of {draws} draws: {claim.text}. In the first draw: {claim.numbers}"


def _scores(rows: Iterable[Any], titles: Sequence[str], rate: str, caption: str) -> Table:
    """Return a table of one score, with levels as rows and metrics as columns."""
    by_level = grouped((row.level, Number(getattr(row, rate), missing="")) for row in rows)
    return Table(["", *titles], [[name, *row] for name, row in by_level.items()], caption=caption)


def _peaks(outcome: Outcome) -> Table:
    """Return a table of the number of response entities at which each metric is best."""
    key_entities = outcome.facts["true_entities"]
    table = Table(
        ["", "entities", "off the key", "score"],
        caption=f"Where each metric is best; the key has {key_entities} entities",
    )
    for metric, peak in outcome.facts["peaks"].items():
        entities, off = peak["entities"], "n/a"
        if key_entities:
            off = f"{100 * entities / key_entities - 100:+.0f} %"
        table.rows.append([outcome.title(metric), entities, off, Number(peak["f1"])])
    return table
