"""Which response mention was matched with which key mention.

Spans are half-open, in tokens of the document; ``9^1`` is the first empty node before token 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from corefmeter._version import __version__
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
from corefmeter.recipe import MATCHED, Recipe
from corefmeter.reports.tables import Report, Table, short_label
from corefmeter.signature import join_signature, parse_signature

#: Version of the JSON.
SCHEMA = 1


class MatchReport(Report):
    """The alignments of documents.

    Attributes
    ----------
    recipe
        How mentions were matched.
    key, response
        The files.
    alignments
        One for each document.
    hide_exact
        Whether mentions that were matched exactly are left out of the lists.
    name
        What the user calls the response.
    problems
        What was noticed.
    """

    def __init__(
        self,
        recipe: Recipe,
        key: str,
        response: str,
        alignments: Sequence[Alignment],
        hide_exact: bool = False,
        name: str | None = None,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.key = key
        self.response = response
        self.alignments = alignments
        self.hide_exact = hide_exact
        self.name = name
        self.problems = problems
        # Only what decides which mentions are matched.
        self.signature = join_signature(
            pair
            for pair in parse_signature(recipe.signature())
            if pair[0] in ("corefmeter", *MATCHED)
        )
        self.usual = Recipe().signature()

    def tables(self) -> list[Table]:
        """Return a list of words for each document, and how many mentions are in it."""
        return list(map(self._table, self.alignments))

    def _table(self, alignment: Alignment) -> Table:
        header = ["stage", "weight", "key", "span", "text", "response", "span", "text"]
        table = Table(header, caption=short_label(alignment.key.document.label), words=len(header))
        for stage, weight, k, r in self.rows(alignment):
            key, response = _shown(alignment.key, k), _shown(alignment.response, r)
            weighed = "" if weight is None else f"{weight:.3g}"
            table.rows.append([stage or "-", weighed, *key, *response])
        stages = Counter(match.stage for match in alignment.matches)
        counts = ", ".join(f"{number} {stage}" for stage, number in sorted(stages.items()))
        table.sentences = [
            f"{len(alignment.matches)} matched{f' ({counts})' if counts else ''}; without a "
            f"partner: {len(alignment.key_free())} in the key, "
            f"{len(alignment.response_free())} in the response"
        ]
        return table

    def records(self) -> Iterator[Sequence[Any]]:
        """One row for each pair and each mention without a partner."""
        sides = [
            f"{side}_{field}"
            for side in ("key", "response")
            for field in ("entity", *PLACE, "text")
        ]
        yield ("document", "stage", "weight", *sides, "signature")
        for alignment in self.alignments:
            label = alignment.key.document.label
            for stage, weight, k, r in self.rows(alignment):
                key, response = _cells(alignment.key, k), _cells(alignment.response, r)
                yield (label, stage, weight, *key, *response, self.signature)

    def document(self) -> dict[str, Any]:
        """Matches and the mentions without a partner, by document."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
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
                {
                    "stage": match.stage,
                    "weight": match.weight,
                    "key": _mention(key, match.key),
                    "response": _mention(response, match.response),
                }
                for match in alignment.matches
                if not (self.hide_exact and match.stage == "exact")
            ],
            "key_only": [_mention(key, k) for k in alignment.key_free()],
            "response_only": [_mention(response, r) for r in alignment.response_free()],
        }

    def rows(self, alignment: Alignment) -> Iterator[tuple[str, float | None, int | None, Any]]:
        """``(stage, weight, key mention, response mention)``, in the order of the text.

        Mentions without a partner have the stage ``""`` and no weight.
        """
        key, response = alignment.key, alignment.response
        found: list[tuple[Any, tuple[str, float | None, int | None, int | None]]] = [
            (_place(key, match.key), (match.stage, match.weight, match.key, match.response))
            for match in alignment.matches
            if not (self.hide_exact and match.stage == "exact")
        ]
        found += [(_place(key, k), ("", None, k, None)) for k in alignment.key_free()]
        found += [(_place(response, r), ("", None, None, r)) for r in alignment.response_free()]
        for _, row in sorted(found, key=lambda pair: pair[0]):
            yield row


def _place(side: Side, number: int) -> tuple[int, int]:
    """Return the sort key of mentions in text order; names in reading order."""
    try:
        return outer_span(side.positions[number])
    except TypeError:
        return 0, number


def span(mention: Mention) -> str:
    """Return the position of a mention as text.

    Examples
    --------
    >>> span((3, 5)), span(((3, 5), (7, 8))), span(((4, 4, 1),)), span("Ann")
    ('3:5', '3:5+7:8', '4^1', 'Ann')
    >>> span(((4, 4, 1, True),))
    '4^0.1'
    """
    return "+".join(map(_piece, pieces_if_any(mention))) or str(mention)


def _piece(piece: Piece) -> str:
    if not is_empty(piece):
        return f"{piece[0]}:{piece[1]}"
    return f"{piece[0]}^0.{piece[2]}" if is_initial(piece) else f"{piece[0]}^{piece[2]}"


#: The columns of a position in CSV.
PLACE = ("start", "end", "pieces")


def place(mention: Mention | None) -> tuple[int | None, int | None, str | None]:
    """The cells of a position in CSV: where it begins and ends, and its pieces if it is no run.

    Examples
    --------
    >>> place((3, 5)), place(((3, 5), (7, 8))), place("Ann")
    ((3, 5, None), (3, 8, '3:5+7:8'), (None, None, None))
    """
    found = pieces_if_any(mention) if mention is not None else ()
    if not found:
        return None, None, None
    is_run = len(found) == 1 and not is_empty(found[0])
    return *outer_span(mention), None if is_run else span(mention)


class _Shown(NamedTuple):
    """A mention for people: entity, position, words."""

    entity: str
    span: str
    text: str


_NONE = _Shown("", "", "")


def _shown(side: Side, number: int | None) -> _Shown:
    if number is None:
        return _NONE
    document = side.document
    position = side.positions[number]
    text = document.text
    words = _words(text, position) if text is not None and document.unit == "tokens" else ""
    return _Shown(document.entity_names[side.homes[number]], span(position), words)


def _cells(side: Side, number: int | None) -> tuple[Any, ...]:
    """Return the cells of a mention in CSV; the text of one that is no position is its name."""
    shown = _shown(side, number)
    mention = None if number is None else side.positions[number]
    where = place(mention)
    return shown.entity, *where, shown.text or (shown.span if where[0] is None else "")


def _words(text: Text, position: Position) -> str:
    """Return the words of a mention, ``_`` for an empty node, ``...`` for a gap."""
    found = pieces(position)
    shown = [text.string(found[0])]
    for before, piece in pairwise(found):
        shown += ["..."] * (piece[0] > before[1]) + [text.string(piece)]
    return " ".join(shown)


def _mention(side: Side, number: int) -> dict[str, Any]:
    """Return a mention: entity, position, words, head, as far as they are known."""
    shown = _shown(side, number)
    details = side.document.details
    head = side.heads[number] if details is not None else None
    return {
        "entity": shown.entity,
        "position": side.positions[number],
        "text": shown.text or None,
        "head": head,
    }
