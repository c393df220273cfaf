"""Which response mention was matched with which key mention.

Spans are half-open, in tokens of the document; ``9^1`` is the first empty node before token 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import (
    Piece,
    Position,
    is_empty,
    is_initial,
    outer_span,
    pieces,
    pieces_if_any,
)
from corefmeter.corpus.text import Text
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.sides import Side
from corefmeter.problems import Problem
from corefmeter.recipe import MATCHED, Recipe, usual_signature
from corefmeter.reports.tables import Report, Table, short_label
from corefmeter.result import json_head
from corefmeter.signature import join_signature, parse_signature


@dataclass(eq=False)
class MatchReport(Report):
    """The alignments of documents; `hide_exact` leaves out mentions that were matched exactly."""

    recipe: Recipe
    key: str
    response: str
    alignments: Sequence[Alignment]
    hide_exact: bool = False
    name: str | None = None
    problems: Sequence[Problem] = ()

    def __post_init__(self) -> None:
        # Only what decides which mentions are matched.
        pairs = parse_signature(self.recipe.signature())
        self.signature = join_signature(p for p in pairs if p[0] in ("corefmeter", *MATCHED))
        self.usual = usual_signature()

    def tables(self) -> list[Table]:
        """Return a list of mentions for each document, with their number."""
        return list(map(self._table, self.alignments))

    def _table(self, alignment: Alignment) -> Table:
        header = ["stage", "weight", "key", "span", "text", "response", "span", "text"]
        table = Table(header, caption=short_label(alignment.key.document.label), words=len(header))
        for stage, weight, key, response in self._rows(alignment):
            shown = "" if weight is None else f"{weight:.3g}"
            table.rows.append([stage or "-", shown, *key.shown, *response.shown])
        stages = Counter(match.stage for match in alignment.matches)
        counts = ", ".join(f"{number} {stage}" for stage, number in sorted(stages.items()))
        matched = f"{len(alignment.matches)} matched" + (f" ({counts})" if counts else "")
        in_key, in_response = len(alignment.key_free()), len(alignment.response_free())
        free = f"without a partner: {in_key} in the key, {in_response} in the response"
        table.sentences = [f"{matched}; {free}"]
        return table

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each pair and each mention without a partner."""
        fields = ("entity", *PLACE, "text")
        sides = [f"{side}_{field}" for side in ("key", "response") for field in fields]
        yield ("document", "stage", "weight", *sides, "signature")
        for alignment in self.alignments:
            label = alignment.key.document.label
            for stage, weight, key, response in self._rows(alignment):
                yield (label, stage, weight, *key.cells, *response.cells, self.signature)

    def document(self) -> dict[str, Any]:
        """Return matches and the mentions without a partner, by document."""
        return {
            **json_head(self.signature),
            "key": self.key,
            "response": self.response,
            **({} if self.name is None else {"name": self.name}),
            "documents": [self._entry(alignment) for alignment in self.alignments],
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def _entry(self, alignment: Alignment) -> dict[str, Any]:
        key, response = alignment.key, alignment.response
        return {
            "document": key.document.label,
            "key_mentions": len(key),
            "response_mentions": len(response),
            "matches": [
                {"stage": stage, "weight": weight, "key": in_key.entry, "response": found.entry}
                for stage, weight, in_key, found in self._matched(alignment)
            ],
            "key_only": [_Mention(key, k).entry for k in alignment.key_free()],
            "response_only": [_Mention(response, r).entry for r in alignment.response_free()],
        }

    def _matched(self, alignment: Alignment) -> list[_Row]:
        key, response = alignment.key, alignment.response
        return [
            (one.stage, one.weight, _Mention(key, one.key), _Mention(response, one.response))
            for one in alignment.matches
            if not (self.hide_exact and one.stage == "exact")
        ]

    def _rows(self, alignment: Alignment) -> list[_Row]:
        """Return matched mentions and those without a partner in the order of the text."""
        key, response = alignment.key, alignment.response
        rows = self._matched(alignment)
        no_key, no_response = _Mention(key, None), _Mention(response, None)
        rows += [("", None, _Mention(key, k), no_response) for k in alignment.key_free()]
        rows += [("", None, no_key, _Mention(response, r)) for r in alignment.response_free()]
        return sorted(rows, key=lambda row: row[3].order if row[2].number is None else row[2].order)


class _Mention:
    """A mention of a side by its number; empty where that is None."""

    def __init__(self, side: Side, number: int | None) -> None:
        self.side, self.number = side, number
        self.position: Any = None if number is None else side.positions[number]

    @property
    def order(self) -> tuple[int, int]:
        """The sort key of mentions in text order; names in reading order."""
        try:
            return outer_span(self.position)
        except TypeError:
            return 0, self.number or 0

    @property
    def shown(self) -> tuple[str, str, str]:
        """Entity, position and words as people read them."""
        if self.number is None:
            return "", "", ""
        document = self.side.document
        text = document.text if document.unit == "tokens" else None
        words = "" if text is None else _join_words(text, self.position)
        return document.entity_names[self.side.homes[self.number]], span(self.position), words

    @property
    def cells(self) -> tuple[Any, ...]:
        """The cells of CSV; the text of a mention that is no position is its name."""
        entity, position, words = self.shown
        where = place(self.position)
        return entity, *where, words or (position if where[0] is None else "")

    @property
    def entry(self) -> dict[str, Any]:
        """The object of JSON: entity, position, words and head, as far as they are known."""
        entity, _, words = self.shown
        known = self.side.document.details is not None
        head = self.side.heads[self.number] if known and self.number is not None else None
        return {"entity": entity, "position": self.position, "text": words or None, "head": head}


#: Stage, weight, key mention and response mention; without a partner, the stage is ``""``.
_Row = tuple[str, float | None, _Mention, _Mention]


def span(mention: Mention) -> str:
    """Return the position of a mention as text.

    >>> span((3, 5)), span(((3, 5), (7, 8))), span(((4, 4, 1),)), span("Ann")
    ('3:5', '3:5+7:8', '4^1', 'Ann')
    """
    return "+".join(map(_format_piece, pieces_if_any(mention))) or str(mention)


def _format_piece(piece: Piece) -> str:
    if not is_empty(piece):
        return f"{piece[0]}:{piece[1]}"
    return f"{piece[0]}^0.{piece[2]}" if is_initial(piece) else f"{piece[0]}^{piece[2]}"


#: The columns of a position in CSV.
PLACE = ("start", "end", "pieces")


def place(mention: Mention | None) -> tuple[int | None, int | None, str | None]:
    """Return the cells of a position in CSV: its ends, and its pieces if it is no run.

    >>> place((3, 5)), place(((3, 5), (7, 8)))
    ((3, 5, None), (3, 8, '3:5+7:8'))
    """
    pieces = pieces_if_any(mention) if mention is not None else ()
    if not pieces:
        return None, None, None
    is_run = len(pieces) == 1 and not is_empty(pieces[0])
    return *outer_span(mention), None if is_run else span(mention)


def _join_words(text: Text, position: Position) -> str:
    """Return the words of a mention, ``_`` for an empty node, ``...`` for a gap."""
    parts = pieces(position)
    words = [text.string(parts[0])]
    for before, piece in pairwise(parts):
        if piece[0] > before[1]:
            words.append("...")
        words.append(text.string(piece))
    return " ".join(words)
