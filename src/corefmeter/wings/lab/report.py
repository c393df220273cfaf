"""What comes out of the laboratory: its experiments, and how metrics fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefmeter.metrics import title
from corefmeter.reports.tables import RATES, Cell, Number, Report, Table
from corefmeter.wings.lab.experiments import EXPERIMENTS
from corefmeter.wings.lab.outcome import Claim, Outcome
from corefmeter.wings.lab.sensitivity import Sensitivity

_SIGNS = {True: "holds", False: "DOES NOT HOLD", None: "does not apply"}

_SOURCES = "-f markdown also says where in its paper each is"


class NamesReport(Report):
    """The names of the experiments, where they come from and what they need."""

    def tables(self) -> list[Table]:
        """Return one table of words."""
        header, *found = self.records()
        rows: list[list[Cell]] = [[*row] for row in found]
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
        for one in EXPERIMENTS.values():
            yield [one.name, one.needs, one.title, one.source]

    def document(self) -> dict[str, Any]:
        """Return the experiments."""
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
        return {"schema": 1, "experiments": entries}


class OutcomeReport(Report):
    """An experiment: its scores, and which of the paper's claims hold."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.signature = outcome.signature

    def tables(self) -> list[Table]:
        """Return a table for each score, and where metrics are best in a sweep."""
        outcome, experiment = self.outcome, self.outcome.experiment
        rates = list(RATES) if experiment.all_scores else ["f1"]
        titles = [*map(outcome.title, outcome.metrics)]
        tables: list[Table] = []
        for rate in rates:
            name = outcome.values if rate == "f1" else RATES[rate]
            heading = "" if tables else f"{experiment.title} ({outcome.source}): "
            tables.append(_scores(outcome.rows, titles, rate, heading + name))
        return [*tables, _peaks(outcome)] if "peaks" in outcome.facts else tables

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the experiment, its result, and whether that agrees with the paper."""
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

    def __init__(self, found: Sensitivity) -> None:
        self.found = found
        self.signature = found.signature

    def tables(self) -> list[Table]:
        """Return F1 by level, and the costs."""
        found = self.found
        titles = [*map(title, found.metrics)]
        scores = _scores(found.rows, titles, "f1", f"{found.kind.title} ({found.order}): F1")
        errors = {row.level: row.errors for row in found.rows}
        scores.header.insert(1, "errors")
        for row in scores.rows:
            row.insert(1, errors[str(row[0])])
        costs: list[list[Cell]] = [
            [
                title(m),
                Number(cost, extra=2),
                Number(found.deviations[m], extra=2),
                Number(cost * found.sites, 1),
            ]
            for m, cost in found.costs.items()
        ]
        caption = "What one error alone takes off F1, in points"
        return [
            scores,
            Table(
                ["", "one error", "deviation", f"1 % of {found.kind.unit}"], costs, caption=caption
            ),
        ]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain what a site is."""
        found = self.found
        tried = "all" if found.samples == found.sites else str(found.samples)
        return [
            f"{found.sites:,} {found.kind.unit} can be damaged so; costs are means over {tried} of "
            "them, each alone, with the standard deviation of single errors"
        ]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each level and metric."""
        found = self.found
        yield ("kind", "order", "level", "errors", "metric", "recall", "precision", "f1")
        yield from ((found.kind.name, found.order, *row) for row in found.rows)

    def document(self) -> dict[str, Any]:
        """Return all numbers."""
        return self.found.to_dict()


def _sentence(claim: Claim) -> str:
    """Return a claim with its verdict and its numbers."""
    if claim.held is None:
        return f"{_SIGNS[claim.holds]}: {claim.text}. {claim.numbers}"
    held, draws = claim.held
    return f"holds in {held} of {draws} draws: {claim.text}. In the first: {claim.numbers}"


def _scores(rows: Iterable[Any], titles: Sequence[str], rate: str, caption: str) -> Table:
    """Return a table with levels as rows, metrics as columns."""
    by_level: dict[str, list[Cell]] = {}
    for row in rows:
        by_level.setdefault(row.level, []).append(Number(getattr(row, rate), missing=""))
    return Table(["", *titles], [[name, *row] for name, row in by_level.items()], caption=caption)


def _peaks(outcome: Outcome) -> Table:
    true = outcome.facts["true_entities"]
    rows: list[list[Cell]] = [
        [
            outcome.title(metric),
            peak["entities"],
            f"{100 * peak['entities'] / true - 100:+.0f} %" if true else "n/a",
            Number(peak["f1"]),
        ]
        for metric, peak in outcome.facts["peaks"].items()
    ]
    header = ["", "entities", "off the truth", "score"]
    return Table(header, rows, caption=f"Where each metric is best; the key has {true} entities")
