"""The worst clusters of tables, below their scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corefmeter.reports.scores import ScoreReport, notes, system_names
from corefmeter.reports.tables import Cell, Report, Table, Wording
from corefmeter.wings.records.worst import COLUMNS, LISTS, Part, Worst, WorstCluster

_CAPTIONS = {
    "missing": "Key clusters with the most missing links",
    "split": "Key clusters split into the most response clusters",
    "wrong": "Response clusters with the most wrong links",
    "merged": "Response clusters merged from the most key clusters",
}

#: Characters of the items of a part that text shows.
_WIDTH = 28


class ClustersReport(ScoreReport):
    """Scores of tables; without a column of documents, all rows are one unit."""

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Explain averaging over several documents, undefined values, and missing documents."""
        return notes(self.results, tables, self.results[0].documents > 1)


class WorstReport(Report):
    """Scores with the worst clusters of each response; in CSV, these alone."""

    def __init__(self, scores: ScoreReport, worst: Sequence[Worst]) -> None:
        self.scores, self.worst = scores, worst
        self.signature, self.usual = scores.signature, scores.usual
        self.names = system_names(scores.results)

    def tables(self) -> list[Table]:
        """Return those of the scores; then of each response the sizes and the lists."""
        tables = self.scores.tables()
        for name, worst in zip(self.names, self.worst, strict=True):
            of = f": {name}" if len(self.names) > 1 else ""
            tables.append(_sizes(worst, of))
            for what in LISTS:
                if found := getattr(worst, what):
                    tables.append(_listed(found, _CAPTIONS[what] + of))
        return tables

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Return those of the scores."""
        return self.scores.notes(tables)

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each item that is shown."""
        yield ("response", *COLUMNS)
        for name, worst in zip(self.names, self.worst, strict=True):
            for row in worst.rows():
                yield (name, *row[:-1], _name(row[-1]))

    def document(self) -> dict[str, Any]:
        """Return each result with its worst clusters."""
        found = self.scores.document()
        for entry, worst in zip(found["results"], self.worst, strict=True):
            entry["worst"] = worst.to_dict()
        return found


def _sizes(worst: Worst, of: str) -> Table:
    """Return clusters and their items in bands of sizes, on both sides."""
    table = Table(
        ["size", *["clusters", "items"] * 2],
        spans=[("key", 2), ("response", 2)],
        caption=f"Sizes of clusters{of}",
    )
    for first, last, *counts in worst.sizes:
        table.rows.append([str(first) if first == last else f"{first} to {last}", *counts])
    return table


def _listed(clusters: Sequence[WorstCluster], caption: str) -> Table:
    """Return a row for each part of a cluster; the values of the cluster are in the first."""
    documents = ["document"] if clusters[0].document is not None else []
    header = [*documents, "cluster", "partner", "items", "common", "size", "links", "partners"]
    table = Table(header, caption=caption, words=3 + len(documents))
    for document, cluster, size, links, partners, parts in clusters:
        name: list[Cell] = [*([str(document)] if documents else []), str(cluster)]
        of: list[Cell] = [size, links, partners]
        for part in parts:
            partner = None if part.partner is None else str(part.partner)
            table.rows.append([*name, partner, _items(part), part.common, *of])
            name, of = [""] * len(name), [""] * len(of)
        hidden = partners - sum(part.partner is not None for part in parts)
        if hidden > 0:
            table.rows.append([*name, "…", f"and {hidden} more", "", *of])
    return table


def _items(part: Part) -> str:
    """Return the items that have room."""
    text = " ".join(str(_name(item)) for item in part.items)
    if len(part.items) == part.common and len(text) <= _WIDTH:
        return text
    if len(text) > _WIDTH:
        text = text[:_WIDTH].rpartition(" ")[0] or text[:_WIDTH]
    return f"{text} …"


def _name(item: Any) -> Any:
    """Return an item as one value."""
    return " ".join(map(str, item)) if isinstance(item, tuple) else item
