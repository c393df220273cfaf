"""Reports of scores of tables, and of their worst clusters."""

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

#: Maximum number of characters of the items of a part in tables.
_WIDTH = 28


class ClustersReport(ScoreReport):
    """Scores of tables; without a column of documents, all rows are one document."""

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Explain averaging over several documents, undefined values, and missing documents."""
        return notes(self.results, tables, self.results[0].documents > 1)


class WorstReport(Report):
    """Scores with the worst clusters of each response; CSV has only the clusters."""

    def __init__(self, scores: ScoreReport, worst: Sequence[Worst]) -> None:
        self.scores, self.worst = scores, worst
        self.signature, self.usual = scores.signature, scores.usual
        self.names = system_names(scores.results)

    def tables(self) -> list[Table]:
        """Return the tables of scores, then the sizes and lists of clusters of each response."""
        tables = self.scores.tables()
        for name, worst in zip(self.names, self.worst, strict=True):
            suffix = f": {name}" if len(self.names) > 1 else ""
            tables.append(_sizes(worst, f"Sizes of clusters{suffix}"))
            for list_name in LISTS:
                if clusters := getattr(worst, list_name):
                    tables.append(_listed(clusters, _CAPTIONS[list_name] + suffix))
        return tables

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Return the notes of the scores."""
        return self.scores.notes(tables)

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each item."""
        yield ("response", *COLUMNS)
        for name, worst in zip(self.names, self.worst, strict=True):
            for row in worst.rows():
                yield (name, *row[:-1], _name(row[-1]))

    def document(self) -> dict[str, Any]:
        """Return each result with its worst clusters."""
        document = self.scores.document()
        for entry, worst in zip(document["results"], self.worst, strict=True):
            entry["worst"] = worst.to_dict()
        return document


def _sizes(worst: Worst, caption: str) -> Table:
    """Return the numbers of clusters and items by bands of sizes, on both sides."""
    header = ["size", *["clusters", "items"] * 2]
    table = Table(header, spans=[("key", 2), ("response", 2)], caption=caption)
    for first, last, *counts in worst.sizes:
        table.rows.append([str(first) if first == last else f"{first} to {last}", *counts])
    return table


def _listed(clusters: Sequence[WorstCluster], caption: str) -> Table:
    """Return a row for each part of a cluster; the values of the cluster are in the first."""
    documents = ["document"] if clusters[0].document is not None else []
    header = [*documents, "cluster", "partner", "items", "common", "size", "links", "partners"]
    table = Table(header, caption=caption, words=3 + len(documents))
    for document, cluster, size, links, partners, parts in clusters:
        names: list[Cell] = [*([str(document)] if documents else []), str(cluster)]
        counts: list[Cell] = [size, links, partners]
        for part in parts:
            partner = None if part.partner is None else str(part.partner)
            table.rows.append([*names, partner, _items(part), part.common, *counts])
            names, counts = [""] * len(names), [""] * len(counts)
        hidden = partners - sum(part.partner is not None for part in parts)
        if hidden > 0:
            table.rows.append([*names, "…", f"and {hidden} more", "", *counts])
    return table


def _items(part: Part) -> str:
    """Format as many items of a part as fit."""
    text = " ".join(str(_name(item)) for item in part.items)
    if len(part.items) == part.common and len(text) <= _WIDTH:
        return text
    if len(text) > _WIDTH:
        text = text[:_WIDTH].rpartition(" ")[0] or text[:_WIDTH]
    return f"{text} …"


def _name(item: Any) -> Any:
    """Return an item as one value."""
    return " ".join(map(str, item)) if isinstance(item, tuple) else item
