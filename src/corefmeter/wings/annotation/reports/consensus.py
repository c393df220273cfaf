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
from corefmeter.reports.tables import MISSING, Cell, OnScreen, Report, Table, Wording, short_label
from corefmeter.reports.terminal import cut_off
from corefmeter.wings.annotation.consensus import Decision, Merged, MergedDocument
from corefmeter.wings.annotation.decisions import mention_label

#: Decisions, and most costly documents, that people are shown if no number is asked for.
TOP, DOCUMENTS = 12, 3

#: The columns of CSV.
_COLUMNS = (
    *("document", "kind", "mention", "text", "antecedent", "antecedent_text"),
    *("yes", "no", "unmarked", "pairs", "consensus", "sentence"),
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
        worklists = [_decision_table(one, decisions) for one, decisions in self._lists]
        return [Table(header, rows, caption=caption), *worklists]

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Explain the columns."""
        exact = sum(one.cost == one.bound for one in self.merged.documents)
        total = amount(len(self.merged.documents), "document")
        shown = sum(len(decisions) for _, decisions in self._lists)
        notes: list[Wording] = []
        if shown < self.total:
            part = f"{shown:,} of {self.total:,} decisions are shown"
            notes.append((part, OnScreen("; --top 0 shows all, as do JSON and CSV")))
        if self._lists:
            notes.append(
                "same entity as: the earlier mention that some annotators link to it; if empty, "
                f"decide whether it is a mention. {MISSING}: did not mark one of the two"
            )
        notes.append(
            "cost: number of links in which annotators differ from the consensus; bound: a lower "
            f"limit for the cost of any clustering ({citation(OF_COMMANDS['merge'][0])}); "
            f"{exact:,} of {total} {'has' if exact == 1 else 'have'} a consensus that is proved to "
            "be the best"
        )
        return notes

    def _decision_json(self, decision: Decision) -> dict[str, Any]:
        document = self._documents[decision.document]
        return {
            **decision._asdict(),
            "text": _mention_text(document, decision.mention),
            "antecedent_text": _mention_text(document, decision.antecedent),
        }

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each decision."""
        yield _COLUMNS
        for decision in self.merged.decisions:
            row = self._decision_json(decision)
            row["mention"] = mention_label(decision.mention)
            row["antecedent"] = decision.antecedent and mention_label(decision.antecedent)
            row |= {name: " ".join(row[name]) for name in ("yes", "no", "unmarked")}
            document = self._documents[decision.document]
            row["sentence"] = "".join(_sentence_parts(document, decision.mention))
            yield tuple(row[name] for name in _COLUMNS)

    def document(self) -> dict[str, Any]:
        """Return the consensus of each document, and what was decided differently."""
        return {
            "schema": 1,
            "version": __version__,
            "annotators": self.merged.annotators,
            "documents": [
                {
                    "document": one.document.label,
                    "annotators": one.annotators,
                    "cost": one.cost,
                    "bound": one.bound,
                    "entities": one.document.entities,
                    "decisions": list(map(self._decision_json, one.decisions)),
                }
                for one in self.merged.documents
            ],
            "problems": [problem.to_dict() for problem in self.merged.problems],
        }


def _decision_table(one: MergedDocument, decisions: Sequence[Decision]) -> Table:
    """Return a table of the decisions of a document, with a column for each annotator.

    On a narrow terminal, antecedents are cut, and then sentences by as much as is still too wide.
    """
    document, total = one.document, len(one.decisions)
    part = f", the first {len(decisions):,} of {total:,}" if len(decisions) < total else ""
    sentences = [_sentence_parts(document, decision.mention) for decision in decisions]
    antecedents = [
        _mention_text(document, mention) or mention_label(mention)
        for mention in (decision.antecedent for decision in decisions)
    ]

    def make_table(sentence_room: int | None, antecedent_room: int | None) -> Table:
        rows: list[list[Cell]] = []
        for decision, sentence, antecedent in zip(decisions, sentences, antecedents, strict=True):
            whole = "".join(sentence)
            rows.append(
                [
                    whole if sentence_room is None else _cut_sentence(*sentence, sentence_room),
                    cut_off(antecedent, antecedent_room or len(antecedent)),
                    *(_vote(decision, annotator) for annotator in one.annotators),
                    "yes" if decision.consensus else "no",
                ]
            )
        header = ["mention", "same entity as", *_short_names(one.annotators), "consensus"]
        caption = f"Decisions in {short_label(document.label)}{part}"
        return Table(header, rows, caption=caption, words=len(header))

    def narrow(width: int, over: int) -> list[Table]:
        longest = max(len("".join(sentence)) for sentence in sentences)
        saved = max(0, max(map(len, antecedents)) - _ANTECEDENT)
        return [make_table(max(_SENTENCE, longest - max(0, over - saved)), _ANTECEDENT)]

    return replace(make_table(None, None), narrow=narrow)


def _vote(decision: Decision, annotator: str) -> str:
    if annotator in decision.yes:
        return "yes"
    return "no" if annotator in decision.no else MISSING


def _short_names(names: Sequence[str]) -> list[str]:
    """Return the names of annotators for a header: cut, and without a common file ending."""
    parts = [splitext(name) for name in names]
    stems, endings = {stem for stem, _ in parts}, {ending for _, ending in parts}
    if len(stems) == len(names) and len(endings) == 1 and endings.pop()[1:].isalpha():
        names = [stem for stem, _ in parts]
    return shorten(names, max(3, _NAMES // len(names) - 2))


def _sentence_parts(document: Document, mention: Mention) -> tuple[str, str, str]:
    """Return the words of a sentence before a mention, the mention in brackets, and those after.

    Examples
    --------
    >>> from corefmeter.corpus.text import Text
    >>> text = Text(["He", "left", ".", "Ann", "saw", "her", "dog", "."], sentences=[0, 3])
    >>> _sentence_parts(Document("x", [[(5, 7)]], text=text), (5, 7))
    ('Ann saw ', '[her dog]', ' .')
    """
    text = document.text
    if text is None or not pieces_if_any(mention):
        return "", mention_label(mention), ""
    start, end = outer_span(mention)
    bounds = [*text.sentences, len(text)]
    first = bounds[text.sentence_of(start)] if start < len(text) else start
    inside = max(start, end - 1)  # an empty node has no token
    last = bounds[text.sentence_of(inside) + 1] if inside < len(text) else end
    before = text.between.join(text.words[first:start])
    after = text.between.join(text.words[end:last])
    if before:
        before += text.between
    if after:
        after = text.between + after
    return before, f"[{text.string(mention)}]", after


def _cut_sentence(before: str, marked: str, after: str, room: int) -> str:
    """Return a mention with as much of its sentence as fits into `room` characters.

    Examples
    --------
    >>> _cut_sentence("Ann saw ", "[her dog]", " in the garden", 20)
    '… saw [her dog] in …'
    >>> _cut_sentence("Ann saw ", "[her dog]", " .", 7)
    '[her d…]'
    """
    dots = "\N{HORIZONTAL ELLIPSIS}"
    if len(marked) >= room:
        return marked if len(marked) == room else f"{marked[: room - 1]}{dots}]"
    spare = room - len(marked)
    # Both sides get half of the room, and one gets more where the other is shorter.
    right = min(len(after), max(spare - len(before), spare // 2))
    left = spare - right
    if len(before) > left:
        before = dots + before[len(before) - left + 1 :] if left else ""
    if len(after) > right:
        after = after[: right - 1] + dots if right else ""
    return before + marked + after


def _mention_text(document: Document, mention: Mention | None) -> str | None:
    if mention is None or document.text is None:
        return None
    return document.text.string(mention)
