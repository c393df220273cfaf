"""What one response mended and broke against another: by class, kind and document, then where.

JSON is `Changes.to_dict`; CSV is a row for each mention that was mended or broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corefmeter.analysis.changes import COUNTS, ChangeRow, Changes
from corefmeter.analysis.operations import CLASSES
from corefmeter.mentions.features import UNKNOWN
from corefmeter.metrics import title
from corefmeter.problems import amount
from corefmeter.recipe import Recipe
from corefmeter.reports.errors import (
    WORST,
    change,
    mention_name,
    record,
    where,
    with_places,
)
from corefmeter.reports.scores import notes, score_table, system_names
from corefmeter.reports.tables import Cell, Report, Said, Table, short_label


class ChangesReport(Report):
    """Report of errors that a response fixed and introduced.

    Parameters
    ----------
    top
        How many documents, and mentions of either list; None for as many as suit the format.
    """

    def __init__(self, changes: Changes, top: int | None = None) -> None:
        self.changes = changes
        self.top = top
        self.results = [changes.before.result, changes.after.result]
        self.signature = self.results[0].signature
        self.usual = Recipe().signature()

    def lead(self) -> Said:
        """Return the numbers of mentions that were fixed and broken."""
        before, after = system_names(self.results)
        rows = self.changes.rows
        mended, broke, kept = (len(rows.where(change=one)) for one in ("mended", "broke", "kept"))
        of = f"{mended} of {amount(mended + kept, 'mention')} in errors of {before}"
        return f"{after} mends {of}, and breaks {broke}."

    def tables(self) -> list[Table]:
        """Scores; what changed by class, by features, by document; the mentions."""
        changes = self.changes
        tables = [score_table(self.results), self._classes()]
        tables += [
            _counts(feature, found, f"Mentions in errors by {feature}")
            for feature in changes.before.features
            if (found := changes.by_feature(feature)).keys() - {UNKNOWN}
        ]
        number = WORST if self.top is None else self.top
        documents = {short_label(name): row for name, row in changes.by_document.items()}
        if len(changes.before) > 1:
            worst = dict(list(documents.items())[:number])
            tables.append(_counts("document", worst, "Documents with most changes"))
        return [*tables, *(self._list(one, number) for one in ("mended", "broke"))]

    def _classes(self) -> Table:
        both = self.changes.before, self.changes.after
        metric = both[0].cost_metrics[0]
        table = Table(
            ["error", *COUNTS, "before", "after", "gain"],
            spans=[("mentions in errors", 4), (f"cost of {title(metric)} in turn", 3)],
            caption="What {1} mended and broke against {0}".format(*system_names(self.results)),
            notes=[
                "costs in turn: what the score gains as errors are repaired class by class; the "
                "gains (before - after) add up to the difference of the scores"
            ],
        )
        by_class = self.changes.by_class
        rows = {
            name: (*counts.values(), *(one.costs.in_turn(name)[metric] for one in both))
            for name, counts in by_class.items()
        }
        sums = tuple(sum(column) for column in zip(*rows.values(), strict=True))
        names = {name: CLASSES[name].title for name in rows}
        for name, (*counts, before, after) in (rows | {"all": sums}).items():
            costs = map(change, (before, after, before - after))
            table.rows.append([names.get(name, "all"), *counts, *costs])
        return table

    def _list(self, which: str, number: int) -> Table:
        """Return the mentions that were fixed, or broken, most costly first."""
        analysis = self.changes.before if which == "mended" else self.changes.after
        metric = analysis.cost_metrics[0]

        def cost(row: ChangeRow) -> float:
            return analysis.cost_at(row.error, row.features["kind"])[metric]

        found = sorted(self.changes.rows.where(change=which), key=cost, reverse=True)
        caption = f"{amount(len(found), 'mention')} {'mended' if which == 'mended' else 'broken'}"
        if len(found) > number:
            caption += f", the first {number} (more by --top)"
        rows = [
            (
                [
                    mention_name(row.words, row.mention),
                    CLASSES[row.error].title,
                    *row.features.values(),
                ],
                where(analysis, row),
            )
            for row in found[:number]
        ]
        return with_places(analysis, ["mention", "error", *analysis.features], rows, caption)

    def notes(self, tables: Sequence[Table]) -> Sequence[Said]:
        """Explain the counts."""
        counted = (
            "mentions in errors, once in each class: before - mended + broke = after; lists begin "
            "with what costs most"
        )
        return [*notes(self.results, tables), counted]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each mention that was fixed or broken."""
        names = ["change", "error", "document", "line", "words", "mention"]
        features = self.changes.before.features
        empty = dict.fromkeys(names)
        yield tuple(record({**empty, **dict.fromkeys(features)}))
        for row in self.changes.rows.where(change=("mended", "broke"))[: self.top]:
            values = row.to_dict()
            yield tuple(record({name: values[name] for name in (*names, *features)}).values())

    def document(self) -> dict[str, Any]:
        """Everything."""
        problems = [*self.changes.before.problems, *self.changes.after.problems]
        values = self.changes.to_dict()
        values["changes"] = values["changes"][: self.top]
        return {**values, "problems": [one.to_dict() for one in dict.fromkeys(problems)]}


def _counts(name: str, found: Mapping[str, Mapping[str, int]], caption: str) -> Table:
    rows: list[list[Cell]] = [[group, *counts.values()] for group, counts in found.items()]
    return Table([name, *COUNTS], rows, caption=caption)
