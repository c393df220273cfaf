"""The errors that one response fixed and introduced against another, by class, kind and document.

JSON is `Changes.to_dict`; CSV is a row for each mention that was fixed or broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corefmeter.analysis.changes import ChangeRow, Changes
from corefmeter.analysis.operations import CLASSES
from corefmeter.mentions.features import UNKNOWN
from corefmeter.metrics import title
from corefmeter.problems import amount
from corefmeter.reports.errors import WORST, kinds_hint, record
from corefmeter.reports.errors_lists import first_of, list_table, mention_name, shown_features
from corefmeter.reports.scores import ResultsReport, notes, score_table
from corefmeter.reports.tables import Cell, Number, Table, Wording, short_label

#: The titles of the counts `corefmeter.analysis.changes.COUNTS`.
_COLUMNS = ("before", "fixed", "broke", "after")


class ChangesReport(ResultsReport):
    """Report of errors that a response fixed and introduced.

    `top` is the number of documents, and of mentions in each list; None for what suits the format.
    """

    def __init__(self, changes: Changes, top: int | None = None) -> None:
        super().__init__([changes.before.result, changes.after.result])
        self.changes = changes
        self.top = top

    def lead(self) -> Wording:
        """Return the numbers of mentions that were fixed and broken."""
        before, after = self.systems
        rows = self.changes.rows
        fixed, broken, kept = (len(rows.where(change=c)) for c in ("mended", "broke", "kept"))
        mentions = f"{fixed} of {amount(fixed + kept, 'mention')} in errors of {before}"
        sentence = f"{after} fixes {mentions}, and breaks {broken}."
        return (sentence, *kinds_hint(self.changes.before))

    def tables(self) -> list[Table]:
        """Return the scores, changes by class, features and document, and the mentions."""
        changes = self.changes
        tables = [score_table(self.results), self._class_table()]
        tables += [
            _count_table(feature, groups, f"Mentions in errors by {feature}")
            for feature in changes.before.features
            if (groups := changes.by_feature(feature)).keys() - {UNKNOWN}
        ]
        number = WORST if self.top is None else self.top
        if len(changes.before) > 1:
            worst = list(changes.by_document.items())[:number]
            documents = {short_label(name): row for name, row in worst}
            tables.append(_count_table("document", documents, "Documents with most changes"))
        return [*tables, *(self._list(change, number) for change in ("mended", "broke"))]

    def _class_table(self) -> Table:
        analyses = self.changes.before, self.changes.after
        metric = self.changes.before.cost_metrics[0]
        table = Table(
            ["error", *_COLUMNS, "before", "after", "gain"],
            spans=[("mentions in errors", 4), (f"cumulative cost of {title(metric)}", 3)],
            caption="What {1} fixed and broke, compared with {0}".format(*self.systems),
            notes=[
                "cumulative costs: what the score gains as errors are fixed type by type; the "
                "gains (before - after) add up to the difference of the scores"
            ],
        )
        counts, costs = {}, {}
        for name, of_class in self.changes.by_class.items():
            counts[CLASSES[name].title] = [*of_class.values()]
            costs[CLASSES[name].title] = [a.costs.in_turn(name)[metric] for a in analyses]
        counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
        costs["all"] = [sum(column) for column in zip(*costs.values(), strict=True)]
        for name, (before, after) in costs.items():
            gains = (Number(before), Number(after), Number(before - after, signed=True))
            table.rows.append([name, *counts[name], *gains])
        return table

    def _list(self, change: str, number: int) -> Table:
        """Return the mentions that were fixed, or broken, most costly first."""
        analysis = self.changes.before if change == "mended" else self.changes.after
        metric, features = analysis.cost_metrics[0], shown_features(analysis)

        def cost(row: ChangeRow) -> float:
            return analysis.cost_at(row.error, row.features["kind"])[metric]

        def cells(row: ChangeRow) -> list[Cell]:
            name = mention_name(row.words, row.mention)
            groups = (row.features[feature] for feature in features)
            return [name, CLASSES[row.error].title, *groups]

        changed = sorted(self.changes.rows.where(change=change), key=cost, reverse=True)
        what = f"{amount(len(changed), 'mention')} {'fixed' if change == 'mended' else 'broken'}"
        caption = first_of(what, len(changed), number)
        header = ["mention", "error", *features]
        return list_table(header, changed[:number], cells, caption, len(analysis) > 1)

    def notes(self, tables: Sequence[Table]) -> Sequence[Wording]:
        """Explain the counts."""
        counted = (
            "each mention counts once for each error type; before - fixed + broke = after; lists "
            "show the most costly errors first"
        )
        return [*notes(self.results, tables), counted]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each mention that was fixed or broken."""
        names = ["change", "error", "document", "line", "words", "mention"]
        names += self.changes.before.features
        yield tuple(record(dict.fromkeys(names)))
        for row in self.changes.rows.where(change=("mended", "broke"))[: self.top]:
            values = row.to_dict()
            yield tuple(record({name: values[name] for name in names}).values())

    def document(self) -> dict[str, Any]:
        """Return the changes with the problems of both responses."""
        problems = [*self.changes.before.problems, *self.changes.after.problems]
        values = self.changes.to_dict()
        values["changes"] = values["changes"][: self.top]
        return {**values, "problems": [problem.to_dict() for problem in dict.fromkeys(problems)]}


def _count_table(name: str, groups: Mapping[str, Mapping[str, int]], caption: str) -> Table:
    rows: list[list[Cell]] = [[group, *counts.values()] for group, counts in groups.items()]
    return Table([name, *_COLUMNS], rows, caption=caption)
