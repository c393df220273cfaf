"""The ACE value, and the costs of misses, false alarms and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corefmeter.problems import Problem
from corefmeter.reports.tables import Cell, Number, Report, Table, Wording
from corefmeter.wings.traditions.metrics.ace_costs import AceValue, Costs

#: The version of the JSON.
SCHEMA = 1

_COUNTS = ("key", "response", "missed", "false_alarms", "errors")
_COSTS = ("worth", "miss", "false_alarm", "error")


@dataclass(eq=False)
class AceReport(Report):
    """The ACE value, and the costs of misses, false alarms and errors."""

    files: dict[str, str]
    total: AceValue
    by_document: list[tuple[str, AceValue]]
    problems: list[Problem]

    def __post_init__(self) -> None:
        self.signature = self.total.signature

    def tables(self) -> list[Table]:
        """Return a table for each way of grouping, each with its total."""
        total = self.total
        tables = [
            _costs_table("Entities by type", "type", total.by_type, total.entities),
            _costs_table("Entities by level", "level", total.by_level, total.entities),
            _costs_table("Entities by class", "class", total.by_class, total.entities),
            _costs_table("Mentions by level", "level", total.mentions_by_level, total.mentions),
        ]
        return [table for table in tables if len(table.rows) > 1 or table is tables[0]]

    def notes(self, tables: Sequence[Table]) -> Iterator[Wording]:
        """The value, and what it is."""
        total = self.total
        over = f" over {total.documents} document{'' if total.documents == 1 else 's'}"
        yield ("ACE value ", _percent_cell(total.value), f"{over}; weights {total.weights.name}")
        yield "value = 100 - false alarms - misses - errors, in percent of the key's worth"

    def records(self) -> Iterator[Sequence[Any]]:
        """One row for each group."""
        yield ("group", "name", *_COUNTS, *_COSTS, "value", "signature")
        total = self.total
        groups = (
            ("entities", {"all": total.entities}),
            ("entity type", total.by_type),
            ("entity class", total.by_class),
            ("entity level", total.by_level),
            ("mentions", {"all": total.mentions}),
            ("mention level", total.mentions_by_level),
        )
        rows = [(group, name, costs) for group, tally in groups for name, costs in tally.items()]
        rows += [("document", name, value.entities) for name, value in self.by_document]
        for group, name, costs in rows:
            values = costs.to_dict()
            numbers = (values[column] for column in (*_COUNTS, *_COSTS, "value"))
            yield (group, name, *numbers, self.signature)

    def document(self) -> dict[str, Any]:
        """Everything."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            **self.files,
            "weights": self.total.weights.to_dict(),
            **self.total.to_dict(),
            "by_document": {
                document: {
                    **value.entities.to_dict(),
                    "pairs": [[k, r, score] for _, k, r, score in value.pairs],
                }
                for document, value in self.by_document
            },
            "problems": [problem.to_dict() for problem in self.problems],
        }


def _costs_table(caption: str, name: str, tally: dict[str, Costs], total: Costs) -> Table:
    """Return a table of groups: counts, costs in percent of the group's worth, and its value."""
    header = [name, "key", "resp", "FA", "miss", "err", "FA", "miss", "err", "value"]
    table = Table(header, spans=[("count", 5), ("cost in %", 3), ("%", 1)], caption=caption)
    for label, costs in [*tally.items(), ("total", total)]:
        counts = (costs.key, costs.response, costs.false_alarms, costs.missed, costs.errors)
        shares = [costs.percent(cost) for cost in (costs.false_alarm, costs.miss, costs.error)]
        table.rows.append([label, *counts, *map(_percent_cell, [*shares, costs.value])])
    return table


def _percent_cell(value: float) -> Cell:
    return Number(value, 1, -1)
