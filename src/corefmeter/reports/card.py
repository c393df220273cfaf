"""The card of one or more responses: a table for each section, one column a response.

For one response a table has recall, precision and F1, or the F1 of all metrics; for several it has
their F1, with a table for each metric.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any

from corefmeter.analysis.card.made import Card, cards_as_json
from corefmeter.analysis.card.types import is_by_feature
from corefmeter.mentions.features import ordered_groups
from corefmeter.metrics import title
from corefmeter.reports.scores import (
    ROW,
    ResultsReport,
    notes,
    row_names,
    score_cells,
    score_rows,
    score_table,
)
from corefmeter.reports.tables import Cell, Number, OnScreen, Table, Wording, short_label

#: The number of key mentions where it is, for each response, that of the response's own.
AS_RESPONSE = "="

#: The sections that are shown when nothing else is asked for.
BRIEF = ("linking", "answers", "documents")

TITLES = {
    "linking": "Detection and linking apart",
    "mentions": "Mentions",
    "entities": "Entities",
    "types": "Mention types left out",
    "long": "Long texts",
    "characters": "Entities by size",
    "answers": "The text of the answer",
    "documents": "Within and across documents",
}

_COVERAGE = (
    "words of the key",
    "dropped",
    "changed",
    "words invented",
    "mentions marked",
    "marks repaired or left out",
    "mentions lost",
)


class CardReport(ResultsReport):
    """The cards of responses to one key, made alike; `shown` names sections, None shows all."""

    def __init__(
        self, cards: Sequence[Card], key: str | None = None, shown: Collection[str] | None = BRIEF
    ) -> None:
        super().__init__([card.result for card in cards])
        self.shown = TITLES if shown is None else shown
        self.cards = cards
        self.key = key

    def tables(self) -> list[Table]:
        """Return the scores, then a table or more for each section."""
        tables = [score_table(self.results)]
        for section, by in filter(self._is_shown, self._sections()):
            lines = self._lines(section, by)
            first = next(filter(None, next(iter(lines.values()))))
            metrics = [metric for metric in first.recipe.metrics if metric != "mentions"]
            if len(first.recipe.metrics) == 1:
                tables.append(self._single_metric_table(section, by, first.recipe.metrics[0]))
            elif len(self.cards) == 1:
                tables.append(self._metrics_table(section, by, metrics))
            else:
                if self.shown is TITLES:
                    tables.append(self._mention_table(section, by))
                tables += [self._responses_table(section, by, metric) for metric in metrics]
        if "characters" in self.shown and self.cards[0].characters:
            tables.append(self._character_table())
        return [*tables, *self._coverage_tables()]

    def _is_shown(self, place: tuple[str, str]) -> bool:
        """Return whether a section is shown; breakdowns by a requested feature always are."""
        return place[0] in self.shown or is_by_feature(*place)

    def _sections(self) -> list[tuple[str, str]]:
        return [*dict.fromkeys(place for card in self.cards for place in card.sections)]

    def _lines(self, section: str, by: str) -> dict[str, list[Any]]:
        """Return by name of a line its result in each card, None where a card does not have it."""
        of_cards = [
            {part.name: part.result for part in card.sections.get((section, by), ())}
            for card in self.cards
        ]
        orders = {tuple(results) for results in of_cards if results}
        names = orders.pop() if len(orders) == 1 else ordered_groups(set().union(*orders))
        return {name: [results.get(name) for results in of_cards] for name in names}

    def _single_metric_table(self, section: str, by: str, metric: str) -> Table:
        """Return the table of a single metric: counts in key and response, and the scores."""
        single = len(self.cards) == 1
        rates = ["response", "R", "P", "F1"] if single else self.systems
        shown = "" if metric == "mentions" else f": {title(metric)}"
        table = Table([by, "key", *rates], caption=f"{TITLES[section]}{shown}")
        for name, results in self._lines(section, by).items():
            known = next(filter(None, results))
            _, of_key, _, of_response = known.sums(metric)
            row: list[Cell] = [name, of_key]
            if single:
                row += [of_response, *score_cells(known[metric])]
            else:
                row += [Number(result[metric].f1) if result else None for result in results]
            table.rows.append(row)
        return table

    def _metrics_table(self, section: str, by: str, metrics: Sequence[str]) -> Table:
        """Return the F1 of one response by several metrics, and the mentions it is based on."""
        header = [by, "key", "response", *map(title, metrics)]
        table = Table(header, caption=f"{TITLES[section]}: mentions, F1")
        for name, (result,) in self._lines(section, by).items():
            _, of_key, _, of_response = result.sums("mentions")
            row: list[Cell] = [name, of_key, of_response]
            table.rows.append(row + [Number(result[metric].f1) for metric in metrics])
        differences = [_differences(section, by, self.cards[0], metric) for metric in metrics]
        for name in differences[0]:
            cells = [Number(of_metric[name], signed=True) for of_metric in differences]
            table.rows.append([name, "", "", *cells])
        return table

    def _mention_table(self, section: str, by: str) -> Table:
        """Count mentions that a section's lines are based on, of the key and of each response."""
        table = Table([by, "key", *self.systems], caption=f"{TITLES[section]}: mentions")
        for name, results in self._lines(section, by).items():
            sums = [result.sums("mentions") if result else None for result in results]
            # The second number counts mentions of the key, the fourth those of the response.
            in_key = {row[1] for row in sums if row}
            alike = all(row[1] == row[3] for row in sums if row)
            shown = in_key.pop() if len(in_key) == 1 else AS_RESPONSE if alike else None
            table.rows.append([name, shown, *(row[3] if row else None for row in sums)])
        if any(row[1] == AS_RESPONSE for row in table.rows):
            table.notes = [f"{AS_RESPONSE}: as many mentions of the key as of the response"]
        return table

    def _responses_table(self, section: str, by: str, metric: str) -> Table:
        table = Table([by, *self.systems], caption=f"{TITLES[section]}: {title(metric)} F1")
        for name, results in self._lines(section, by).items():
            cells = [Number(result[metric].f1) if result else None for result in results]
            table.rows.append([name, *cells])
        differences = [_differences(section, by, card, metric) for card in self.cards]
        for name in dict.fromkeys(chain.from_iterable(differences)):
            cells = [Number(of_card.get(name), signed=True) for of_card in differences]
            table.rows.append([name, *cells])
        return table

    def _character_table(self) -> Table:
        """Return the largest entities of the key; for several responses with shares only."""
        single, several = len(self.cards) == 1, self.results[0].documents > 1
        header = ["found", "share", "purity", "fragments"] if single else self.systems
        caption = "The largest entities of the key"
        caption += "" if single else ": share in the best response entity"
        table = Table(["entity", "mentions", *header], caption=caption)
        for of_cards in zip(*(card.characters for card in self.cards), strict=True):
            first = of_cards[0]
            name = first.text or first.entity
            name += f" ({short_label(first.document)})" if several else ""
            cells: list[Cell] = [Number(character.share) for character in of_cards]
            if single:
                cells = [first.found, *cells, Number(first.purity), first.fragments]
            table.rows.append([name, first.mentions, *cells])
        return table

    def _coverage_tables(self) -> list[Table]:
        """Return how completely the text was copied in all documents, if it was copied."""
        sums = [[*map(sum, zip(*card.coverage.values(), strict=True))] for card in self.cards]
        if not any(sums):
            return []
        table = Table(["", *self.systems], caption="Coverage of the text")
        for place, name in enumerate(_COVERAGE):
            table.rows.append([name, *(one[place] if one else None for one in sums)])
        return [table]

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Return the notes of scores, and the omitted sections."""
        hidden = (section for section in self._sections() if not self._is_shown(section))
        left_out = dict.fromkeys(TITLES[section] for section, _ in hidden)
        more = [OnScreen(f"--all adds: {', '.join(left_out)}")] if left_out else []
        return [*notes(self.results, tables), *more]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each line and metric, as of scores, with the section first."""
        yield ("section", *ROW)
        for card, response in zip(self.cards, row_names(self.results), strict=True):
            for section, by, name, result in card.parts:
                yield from ((section, *row) for row in score_rows(result, response, by, name))

    def document(self) -> dict[str, Any]:
        """Return all cards with their key."""
        return cards_as_json(self.cards, self.key)


def _differences(section: str, by: str, card: Card, metric: str) -> dict[str, float]:
    """Return the differences between lines of a section that have a meaning, by name."""
    if section == "linking":
        loss = card.losses[metric]
        return {
            "lost by detection": -loss.detection,
            "lost by linking": -loss.linking,
            "interaction": loss.interaction,
        }
    f1 = {part.name: part.result[metric].f1 for part in card.sections.get((section, by), ())}
    if section == "answers" and f1:
        return {
            "brought by repair": f1["with repair"] - f1["without repair"],
            "lost with the text": f1["key, damaged alike"] - 1,
        }
    if "whole" in f1:
        return {
            "price of windows": f1["whole"] - f1["inside"],
            "lost across windows": f1["whole"] - f1["stitched by the key"],
        }
    return {}
