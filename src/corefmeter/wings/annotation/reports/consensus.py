"""What annotators decided differently, as a worklist, and what their consensus costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os.path import splitext
from typing import Any

from corefmeter._version import __version__
from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import outer_span, pieces_if_any
from corefmeter.labels import shorten
from corefmeter.metrics.references import OF_COMMANDS, citation
from corefmeter.problems import amount
from corefmeter.reports.tables import MISSING, Cell, OnScreen, Report, Said, Table, short_label
from corefmeter.reports.terminal import cut_off
from corefmeter.wings.annotation.consensus import Decision, Merged, MergedDocument

#: Version of the JSON.
SCHEMA = 1

#: Decisions, and most costly documents, that people are shown if no number is asked for.
TOP, DOCUMENTS = 12, 3

#: The columns of CSV.
_COLUMNS = (
    *("document", "kind", "mention", "text", "antecedent", "antecedent_text"),
    *("yes", "no", "unmarked", "pairs", "consensus"),
)

#: Letters of the antecedent, at least of the sentence, and at most of all annotators.
_ANTECEDENT, _SENTENCE, _NAMES = 18, 24, 36


class MergeReport(Report):
    """A worklist; people are shown the first decisions of the first documents, all for None."""

    def __init__(
        self, merged: Merged, top: int | None = TOP, documents: int | None = DOCUMENTS
    ) -> None:
        self.merged = merged
        self.total = len(merged.decisions)
        by_cost = sorted(merged.documents, key=lambda one: -one.cost)
        self._open = [one for one in by_cost if one.decisions]
        self._shown = self._open[: top if documents is None else documents]
        left = self.total if top is None else top
        self._lists: list[tuple[MergedDocument, list[Decision]]] = []
        for one in self._shown:
            if decisions := one.decisions[:left]:
                self._lists.append((one, decisions))
                left -= len(decisions)
        self._documents = {one.document.label: one.document for one in merged.documents}

    def tables(self) -> list[Table]:
        """Return the documents with a decision, and the decisions."""
        rows: list[list[Cell]] = []
        for one in self._shown:
            entities = one.document.entities
            counts = one.cost, one.bound, sum(map(len, entities)), len(entities)
            rows.append([short_label(one.document.label), len(one.decisions), *counts])
        shown, total = len(self._shown), len(self._open)
        part = f": {shown:,} of {total:,}" if shown < total else ""
        documents = amount(len(self.merged.documents), "document")
        caption = (
            f"Consensus of {len(self.merged.annotators)} annotators on {documents}, most costly "
            f"first{part}; decisions are in the order of the text"
        )
        header = ["", "decisions", "cost", "bound", "mentions", "entities"]
        worklists = [_worklist(one, decisions) for one, decisions in self._lists]
        return [Table(header, rows, caption=caption), *worklists]

    def notes(self, tables: Sequence[Table]) -> list[Said]:
        """Explain the columns."""
        exact = sum(one.cost == one.bound for one in self.merged.documents)
        total = amount(len(self.merged.documents), "document")
        shown = sum(len(decisions) for _, decisions in self._lists)
        notes: list[Said] = []
        if shown < self.total:
            part = f"{shown:,} of {self.total:,} decisions are shown"
            notes.append((part, OnScreen("; --top 0 shows all, as do JSON and CSV")))
        if self._lists:
            notes.append(
                "same entity as: the earlier mention that some link to it; if empty, the question "
                f"is whether it is a mention. {MISSING}: did not mark one of the two"
            )
        notes.append(
            "cost: in how many links annotators differ from the consensus; bound: the least that "
            f"any partition costs ({citation(OF_COMMANDS['merge'][0])}); {exact:,} of {total} "
            f"{'has' if exact == 1 else 'have'} a consensus that is proved to be the best"
        )
        return notes

    def _decision(self, decision: Decision) -> dict[str, Any]:
        document = self._documents[decision.document]
        return {
            **decision._asdict(),
            "text": _text(document, decision.mention),
            "antecedent_text": _text(document, decision.antecedent),
        }

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each decision."""
        yield _COLUMNS
        for decision in self.merged.decisions:
            row = self._decision(decision)
            row["mention"] = _place(decision.mention)
            row["antecedent"] = decision.antecedent and _place(decision.antecedent)
            row |= {name: " ".join(row[name]) for name in ("yes", "no", "unmarked")}
            yield tuple(row[name] for name in _COLUMNS)

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


def _worklist(one: MergedDocument, decisions: Sequence[Decision]) -> Table:
    """The decisions of a document, a column for each annotator."""
    document, total = one.document, len(one.decisions)
    which = f", the first {len(decisions):,} of {total:,}" if len(decisions) < total else ""
    parts = [_in_sentence(document, decision.mention) for decision in decisions]
    antecedents = [
        "" if d.antecedent is None else _text(document, d.antecedent) or _place(d.antecedent)
        for d in decisions
    ]

    def table(room: int | None, antecedent: int | None) -> Table:
        rows: list[list[Cell]] = [
            [
                "".join(part) if room is None else _cut(*part, room),
                cut_off(before, antecedent or len(before)),
                *("yes" if a in d.yes else "no" if a in d.no else MISSING for a in one.annotators),
                "yes" if d.consensus else "no",
            ]
            for d, part, before in zip(decisions, parts, antecedents, strict=True)
        ]
        header = ["mention", "same entity as", *_short(one.annotators), "consensus"]
        caption = f"Decisions in {short_label(document.label)}{which}"
        return Table(header, rows, caption=caption, words=len(header))

    def narrow(width: int, over: int) -> list[Table]:
        longest = max(len("".join(part)) for part in parts)
        saved = max(0, max(map(len, antecedents)) - _ANTECEDENT)
        return [table(max(_SENTENCE, longest - max(0, over - saved)), _ANTECEDENT)]

    return replace(table(None, None), narrow=narrow)


def _short(names: Sequence[str]) -> list[str]:
    """Names of annotators as headers: without the ending that all share, and cut."""
    parts = [splitext(name) for name in names]
    stems, endings = {stem for stem, _ in parts}, {ending for _, ending in parts}
    if len(stems) == len(names) and len(endings) == 1 and endings.pop()[1:].isalpha():
        names = [stem for stem, _ in parts]
    return shorten(names, max(3, _NAMES // len(names) - 2))


def _in_sentence(document: Document, mention: Mention) -> tuple[str, str, str]:
    """The mention in brackets, and the words of its sentence before and after.

    Examples
    --------
    >>> from corefmeter.corpus.text import Text
    >>> text = Text(["He", "left", ".", "Ann", "saw", "her", "dog", "."], sentences=[0, 3])
    >>> _in_sentence(Document("x", [[(5, 7)]], text=text), (5, 7))
    ('Ann saw ', '[her dog]', ' .')
    """
    text = document.text
    if text is None or not pieces_if_any(mention):
        return "", _place(mention), ""
    start, end = outer_span(mention)
    bounds = [*text.sentences, len(text)]
    first = bounds[text.sentence_of(start)] if start < len(text) else start
    last = bounds[text.sentence_of(max(start, end - 1)) + 1] if end > start else end
    before, after = (text.between.join(text.words[a:b]) for a, b in ((first, start), (end, last)))
    blank = text.between
    return before + blank * bool(before), f"[{text.string(mention)}]", blank * bool(after) + after


def _cut(before: str, marked: str, after: str, room: int) -> str:
    """The mention with as much of its sentence as fits.

    Examples
    --------
    >>> _cut("Ann saw ", "[her dog]", " in the garden", 20)
    '… saw [her dog] in …'
    >>> _cut("Ann saw ", "[her dog]", " .", 7)
    '[her d…]'
    """
    dots = "\N{HORIZONTAL ELLIPSIS}"
    if len(marked) >= room:
        return marked if len(marked) == room else f"{marked[: room - 1]}{dots}]"
    spare = room - len(marked)
    right = min(len(after), max(spare - len(before), spare // 2))
    left = spare - right
    if len(before) > left:
        before = dots + before[len(before) - left + 1 :] if left else ""
    if len(after) > right:
        after = after[: right - 1] + dots if right else ""
    return before + marked + after


def _text(document: Document, mention: Mention | None) -> str | None:
    if mention is None or document.text is None:
        return None
    return document.text.string(mention)


def _place(mention: Mention) -> str:
    """Return a mention as its tokens, or as its name."""
    return str(mention).replace(" ", "")
