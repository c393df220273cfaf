"""Lists of entities, links and mentions: those in errors, or all that belong to one entity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from corefmeter.analysis.chain import Chain, MentionedT
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import EntityRow, LinkRow, MentionRow, Row
from corefmeter.mentions.features import UNKNOWN
from corefmeter.reports.tables import Cell, Number, OnScreen, Table, Wording, short_label

RowT = TypeVar("RowT", bound=Row)

#: The lists that can be asked for, with a note on their columns; `Lists` has a method for each.
SECTIONS = {
    "entities": "cat: the category (1 perfect, 2a and 2b partial, 3 merged, 4 failed); best: the "
    "response entity that has most of the entity; of: the number of its mentions; lost: links of "
    "the key entity that it lacks; info: the share of information that it keeps, where names weigh "
    "more than pronouns",
    "links": "wl: a wrong link; fn: no link, though the key has one; fp: a link, though the key "
    "has none",
    "mentions": "correct: a link of it is; wrong links: none is; entity: that of the key, or of "
    "the response for extra mentions",
}

_OF_CHAIN = "of the entity and its best response entity"


class Lists:
    """The lists of an analysis in tables of at most `number` rows.

    With a `chain`, they have the rows of that entity in reading order; all if `number` is None.
    """

    def __init__(self, analysis: Analysis, number: int | None, chain: Chain | None = None) -> None:
        self.analysis, self.number, self.chain = analysis, number, chain
        self.documents = {document.label: document for document in analysis}
        self.features = shown_features(analysis)

    def entities(self) -> Table:
        """Return the key entities that are not perfect, those that lose most links first."""
        if self.chain is not None:
            return self.entity_table(self.chain.entities, "")
        failed = self.analysis.worst_entities(len(self.analysis.entities))
        return self.entity_table(failed, "entities that are not perfect")

    def links(self) -> Table:
        """Return the wrong and missing links, those by the most costly errors first."""
        if self.chain is not None:
            return self._link_table(self.chain.links, f"links {_OF_CHAIN}")
        wrong: list[LinkRow] = []
        for metric in ("immediate", "inferred"):
            rows = self.analysis.links.where(metric=metric, outcome=("wl", "fn", "fp"))
            wrong += self._most_costly(rows)
        return self._link_table(wrong, "wrong or missing links")

    def mentions(self) -> Table:
        """Return the mentions in errors, those in the most costly errors first."""
        if self.chain is not None:
            return self._mention_table(self.chain.mentions, f"mentions {_OF_CHAIN}")
        wrong = [row for row in self.analysis.mentions if row.status != "correct" or row.errors]
        return self._mention_table(self._most_costly(wrong), "mentions in errors")

    def _most_costly(self, rows: Sequence[MentionedT]) -> list[MentionedT]:
        """Return rows sorted by the cost of errors of their class and type."""
        metric = self.analysis.cost_metrics[0]
        errors = {(row.document, row.mention): row.errors for row in self.analysis.mentions}

        def cost(row: MentionedT) -> float:
            kind, names = row.features["kind"], errors[row.document, row.mention]
            return max((self.analysis.cost_at(name, kind)[metric] for name in names), default=0.0)

        return sorted(rows, key=cost, reverse=True)

    def _table(
        self,
        header: list[str],
        rows: Sequence[RowT],
        cells: Callable[[RowT], list[Cell]],
        what: str,
        note: str,
    ) -> Table:
        caption: Wording = what.capitalize()
        if self.chain is None:
            caption = first_of(f"{len(rows)} {what}", len(rows), self.number)
        several = self.chain is None and len(self.analysis) > 1
        table = list_table(header, rows[: self.number], cells, caption, several)
        table.notes = [note]
        return table

    def entity_table(self, rows: Sequence[EntityRow], what: str) -> Table:
        """Return a table of key entities, each with its best response entity."""
        header = ["entity", "id", "cat", "size", "found", "best", "of", "lost", "info %"]

        def cells(row: EntityRow) -> list[Cell]:
            names = self.documents[row.document].names
            name = [names["key"].titles[row.entity], names["key"].ids[row.entity]]
            best = "-" if row.response is None else names["response"].ids[row.response]
            kept = (row.lost_links, Number(row.information, extra=-2))
            return [*name, row.category, row.size, row.whole, best, row.response_size, *kept]

        return self._table(header, rows, cells, what, SECTIONS["entities"])

    def _link_table(self, rows: Sequence[LinkRow], what: str) -> Table:
        header = ["mention", "entity", "link", "is", *self.features, "expected", "found"]

        def cells(row: LinkRow) -> list[Cell]:
            names = self.documents[row.document].names["response" if row.outcome == "fp" else "key"]
            return [
                mention_name(row.words, row.mention),
                names.titles[row.entity],
                row.metric,
                row.outcome,
                *(row.features[feature] for feature in self.features),
                mention_name(row.expected_words, row.expected),
                mention_name(row.found_words, row.found),
            ]

        note = SECTIONS["links"] + ("; tp: a correct link" if self.chain else "")
        return self._table(header, rows, cells, what, note)

    def _mention_table(self, rows: Sequence[MentionRow], what: str) -> Table:
        header = ["mention", "status", *self.features, "entity", "key", "resp", "errors"]

        def cells(row: MentionRow) -> list[Cell]:
            names = self.documents[row.document].names
            key, response = row.key_entity, row.response_entity
            side = names["response" if key is None else "key"]
            return [
                mention_name(row.words, row.mention),
                "wrong links" if row.status == "incorrectly_resolved" else row.status,
                *(row.features[feature] for feature in self.features),
                side.titles[key or response or ""],
                "-" if key is None else names["key"].ids[key],
                "-" if response is None else names["response"].ids[response],
                ", ".join(CLASSES[error].title for error in row.errors),
            ]

        return self._table(header, rows, cells, what, SECTIONS["mentions"])


def shown_features(analysis: Analysis) -> list[str]:
    """Return the features of lists: those asked for, and the kind of mention if any is known."""
    return analysis.features if analysis.kinds != {UNKNOWN} else analysis.by


def first_of(what: str, count: int, number: int | None) -> Wording:
    """Return the caption of a list that shows at most so many things."""
    is_cut = number is not None and count > number
    return (what, f", the first {number}", OnScreen(" (more by --top)")) if is_cut else what


def list_table(
    header: list[str],
    rows: Sequence[RowT],
    cells: Callable[[RowT], list[Cell]],
    caption: Wording,
    with_document: bool,
) -> Table:
    """Return a table of rows whose first columns have the `header` and come from `cells`.

    A column with the document can follow, and one with the line if any is known.
    """
    table_rows = [cells(row) for row in rows]
    if with_document and rows:
        header = [*header, "document"]
        for row, of_row in zip(rows, table_rows, strict=True):
            of_row.append(short_label(row.document))
    lines = [getattr(row, "line", None) for row in rows]
    if any(line is not None for line in lines):
        header = [*header, "line"]
        for line, of_row in zip(lines, table_rows, strict=True):
            of_row.append("" if line is None else line)
    return Table(header, table_rows, caption=caption, words=len(header))


def mention_name(words: str | None, mention: object) -> str:
    """Return a mention's display name: its words, its position, or a dash."""
    if words is not None:
        return words
    return "-" if mention is None else str(mention)
