"""Scores of GAP by the gender of the pronoun, and the bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from corefmeter.labels import labels, number_repeated
from corefmeter.problems import Problem
from corefmeter.reports.tables import Cell, Number, Report, Table
from corefmeter.wings.traditions.metrics.gap import GROUPS, Decisions, bias

_RATES = ("recall", "precision", "f1")

_Counts = dict[str, Decisions]


class System(NamedTuple):
    """The answers of a system, counted: their file, and the name that was given."""

    path: str
    name: str | None
    counts: _Counts


class GapReport(Report):
    """The scores of all systems."""

    def __init__(
        self, gold: str, found: list[System], problems: list[Problem], signature: str
    ) -> None:
        self.gold = gold
        self.found = found
        self.problems = problems
        self.signature = signature
        self.command = ("gap", "KEY RESPONSE")

    def tables(self) -> list[Table]:
        """F1 of all, then the counts of each."""
        names = labels([one.path for one in self.found], [one.name for one in self.found])
        counts = [one.counts for one in self.found]
        return [_table(names, counts), *map(_count_table, names, counts)]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """What the bias is."""
        return ["in percent; bias is F1 on feminine over F1 on masculine pronouns"]

    def records(self) -> Iterator[Sequence[Any]]:
        """One row for each system and group."""
        yield ("response", "group", *_RATES, *Decisions._fields, "signature")
        given = [system.name for system in self.found]
        shown = number_repeated([one.name or one.path for one in self.found], given)
        for system, (_, _, counts) in zip(shown, self.found, strict=True):
            for group in GROUPS:
                scores = counts[group].scores()
                values = (scores.recall, scores.precision, scores.f1)
                yield (system, group, *values, *counts[group], self.signature)
            nothing = [None] * len(Decisions._fields)
            yield (system, "bias", None, None, bias(counts), *nothing, self.signature)

    def document(self) -> dict[str, Any]:
        """The scores of each system."""
        return {
            "schema": 1,
            "signature": self.signature,
            "key": self.gold,
            "results": [_entry(system) for system in self.found],
            "problems": [problem.to_dict() for problem in self.problems],
        }


def _entry(system: System) -> dict[str, Any]:
    """The scores of a system as JSON values."""
    path, name, counts = system
    return {
        "response": path,
        **({} if name is None else {"name": name}),
        **{g: counts[g].scores().to_dict() | counts[g]._asdict() for g in GROUPS},
        "bias": bias(counts),
    }


def _table(names: list[str], found: list[_Counts]) -> Table:
    """F1 of each group and the bias, a row for each system."""
    rows: list[list[Cell]] = [
        [
            name,
            *(Number(counts[group].scores().f1, extra=-1) for group in GROUPS),
            Number(bias(counts), 1, missing="-"),
        ]
        for name, counts in zip(names, found, strict=True)
    ]
    return Table(["F1", *(group.capitalize() for group in GROUPS), "Bias"], rows)


def _count_table(name: str, counts: _Counts) -> Table:
    """Recall, precision, F1 and the decisions of each group."""
    rows: list[list[Cell]] = []
    for group in GROUPS:
        scores = counts[group].scores()
        rates = [Number(getattr(scores, rate), extra=-1) for rate in _RATES]
        rows.append([group.capitalize(), *rates, *counts[group]])
    header = ["", "R", "P", "F1", "TP", "FP", "FN", "TN"]
    return Table(header, rows, caption=name)
