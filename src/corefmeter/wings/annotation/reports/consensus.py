"""What annotators decided differently, as a worklist, and what their consensus costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from corefmeter._version import __version__
from corefmeter.corpus.model import Document, Mention
from corefmeter.labels import shorten
from corefmeter.metrics.references import OF_COMMANDS, citation
from corefmeter.problems import amount
from corefmeter.reports.tables import Cell, Report, Table, short_label
from corefmeter.wings.annotation.consensus import Decision, Merged

#: Version of the JSON.
SCHEMA = 1

#: Letters of a mention that text shows.
_ROOM = 24


class MergeReport(Report):
    """A worklist; text shows the first `top` decisions, all if it is None."""

    def __init__(self, merged: Merged, top: int | None = 20) -> None:
        self.merged = merged
        self.top = top
        self._documents = {one.document.label: one.document for one in merged.documents}

    def tables(self) -> list[Table]:
        """Return the documents with a decision, and the decisions."""
        merged = self.merged
        open_ones = sorted(merged.documents, key=lambda one: -len(one.decisions))
        open_ones = [one for one in open_ones if one.decisions]
        shown = open_ones[: self.top]
        part = f"; {len(shown):,} of {len(open_ones):,}" if len(shown) < len(open_ones) else ""
        rows: list[list[Cell]] = [
            [
                short_label(one.document.label),
                len(one.decisions),
                one.cost,
                one.bound,
                sum(map(len, one.document.entities)),
                len(one.document.entities),
            ]
            for one in shown
        ]
        tables = [
            Table(
                ["", "decisions", "cost", "bound", "mentions", "entities"],
                rows,
                caption=f"Consensus of {len(merged.annotators)} annotators on "
                f"{amount(len(merged.documents), 'document')}; those with most decisions "
                f"first{part}",
            )
        ]
        decisions = merged.decisions[: self.top]
        for document, of_document in groupby(decisions, lambda decision: decision.document):
            tables.append(self._worklist(document, list(of_document)))
        return tables

    def _worklist(self, document: str, decisions: Sequence[Decision]) -> Table:
        words = [
            [self._words(decision, mention) for mention in (decision.antecedent, decision.mention)]
            for decision in decisions
        ]
        short = iter(shorten([text for both in words for text in both], _ROOM))
        count = len(decisions)
        total = sum(decision.document == document for decision in self.merged.decisions)
        which = f", the first {count:,} of {total:,}" if count < total else ""
        return Table(
            ["mention", "antecedent", "yes", "no", "unmarked", "consensus"],
            [
                [
                    *reversed((next(short), next(short))),
                    ", ".join(decision.yes),
                    ", ".join(decision.no),
                    ", ".join(decision.unmarked),
                    "yes" if decision.consensus else "no",
                ]
                for decision in decisions
            ],
            caption=f"Decisions that differ in {short_label(document)}{which}",
            words=6,
        )

    def _words(self, decision: Decision, mention: Mention | None) -> str:
        """Return a mention's place and words; empty where there is none."""
        if mention is None:
            return ""
        document = self._documents[decision.document]
        words = _text(document, mention)
        return f"{_place(mention)} {words}" if words else _place(mention)

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the columns."""
        exact = sum(one.cost == one.bound for one in self.merged.documents)
        total = len(self.merged.documents)
        count = len(self.merged.decisions)
        notes = []
        if self.top is not None and self.top < count:
            first = f"the first {self.top:,} of {count:,} decisions, in the order of the text"
            notes = [f"{first}; more by --top, all in JSON and CSV"]
        return [
            *notes,
            "decisions: without antecedent, whether it is a mention; with one, whether it belongs "
            "to the entity of its antecedent",
            "cost: in how many links annotators differ from the consensus; bound: the least that "
            f"any partition costs ({citation(OF_COMMANDS['merge'][0])}); {exact:,} of "
            f"{amount(total, 'document')} {'has' if exact == 1 else 'have'} a consensus that is "
            "proved to be the best",
        ]

    def _decision(self, decision: Decision) -> dict[str, Any]:
        document = self._documents[decision.document]
        return {
            **decision._asdict(),
            "text": _text(document, decision.mention),
            "antecedent_text": _text(document, decision.antecedent),
        }

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each decision."""
        yield (
            "document",
            "kind",
            "mention",
            "text",
            "antecedent",
            "antecedent_text",
            "yes",
            "no",
            "unmarked",
            "pairs",
            "consensus",
        )
        for decision in self.merged.decisions:
            row = self._decision(decision)
            mentions = (
                _place(decision.mention),
                row["text"],
                decision.antecedent and _place(decision.antecedent),
                row["antecedent_text"],
            )
            who = (" ".join(row[name]) for name in ("yes", "no", "unmarked"))
            yield (
                decision.document,
                decision.kind,
                *mentions,
                *who,
                decision.pairs,
                decision.consensus,
            )

    def document(self) -> dict[str, Any]:
        """Return the consensus of each document, and what was decided differently."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "annotators": self.merged.annotators,
            "documents": [
                {
                    "document": one.document.label,
                    "annotators": one.annotators,
                    "cost": one.cost,
                    "bound": one.bound,
                    "entities": one.document.entities,
                    "decisions": list(map(self._decision, one.decisions)),
                }
                for one in self.merged.documents
            ],
            "problems": [problem.to_dict() for problem in self.merged.problems],
        }


def _text(document: Document, mention: Mention | None) -> str | None:
    if mention is None or document.text is None:
        return None
    return document.text.string(mention)


def _place(mention: Mention) -> str:
    """Return a mention as its tokens, or as its name."""
    return str(mention).replace(" ", "")
