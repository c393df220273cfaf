"""Which response mention was matched with which key mention, as text for people and programs.

Spans are half-open, in tokens of the document; ``9^1`` is the first empty node before token 9.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import IO, Any, NamedTuple

from corefmeter._version import __version__
from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import (
    Piece,
    Position,
    hull,
    is_empty,
    is_initial,
    pieces,
    pieces_if_any,
)
from corefmeter.corpus.text import Text
from corefmeter.formats.output import opened
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.sides import Side
from corefmeter.recipe import Recipe
from corefmeter.reports.terminal import cut_off, paragraph, room_of, write_signature
from corefmeter.signature import joined, pairs_of

#: Version of the JSON.
SCHEMA = 1

#: The options of a recipe that decide which mentions are matched.
OPTIONS = ("corefmeter", "match", "overlap_threshold", "align", "zeros", "singletons", "repeated",
           "documents")  # fmt: skip

#: The fewest characters of a mention that are shown in text, unless the terminal is too narrow.
SHOWN = 12


class AlignmentReport(NamedTuple):
    """What is reported.

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
    """

    recipe: Recipe
    key: str
    response: str
    alignments: Sequence[Alignment]
    hide_exact: bool = False
    name: str | None = None

    @property
    def signature(self) -> str:
        """The part of the signature that decides which mentions are matched."""
        return joined(pair for pair in pairs_of(self.recipe.signature()) if pair[0] in OPTIONS)

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
    """What sorts mentions roughly as they stand; those that are no positions, as they were read."""
    try:
        return hull(side.positions[number])
    except TypeError:
        return 0, number


def span(mention: Mention) -> str:
    """The position of a mention as text.

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


def _words(text: Text, position: Position) -> str:
    """The words of a mention, ``_`` for an empty node, ``...`` for a gap."""
    found = pieces(position)
    shown = [text.string(found[0])]
    for before, piece in pairwise(found):
        shown += ["..."] * (piece[0] > before[1]) + [text.string(piece)]
    return " ".join(shown)


def _lines(table: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    """The lines of a table of words; the two columns of texts share the room that is left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rest = sum(widths) + 2 * (len(widths) - 1) - sum(widths[place] for place in _TEXTS)
    room = width - rest
    for place, other in (_TEXTS, _TEXTS[::-1]):
        widths[place] = min(widths[place], max(SHOWN, room // 2, room - widths[other]))
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > 2:
        widths[widths.index(max(widths))] -= 1
    for row in table:
        cells = (cut_off(cell, room).ljust(room) for cell, room in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip() + "\n"


#: The columns of the texts of mentions.
_TEXTS = (4, 7)


def _write_text(report: AlignmentReport, stream: IO[str]) -> None:
    width = room_of(stream)
    for alignment in report.alignments:
        paragraph(alignment.key.document.label, stream, bold=True)
        table = [("stage", "weight", "key", "", "", "response", "", "")]
        for stage, weight, k, r in report.rows(alignment):
            shown = "" if weight is None else f"{weight:.3g}"
            key, response = _shown(alignment.key, k), _shown(alignment.response, r)
            table.append(
                (stage or "-", shown, key.entity, key.span, key.text,
                 response.entity, response.span, response.text)
            )  # fmt: skip
        if len(table) > 1:
            stream.writelines(_lines(table, width))
        stages = Counter(match.stage for match in alignment.matches)
        counts = ", ".join(f"{number} {stage}" for stage, number in sorted(stages.items()))
        paragraph(
            f"{len(alignment.matches)} matched{f' ({counts})' if counts else ''}; without a "
            f"partner: {len(alignment.key_free())} in the key, "
            f"{len(alignment.response_free())} in the response",
            stream,
        )
        stream.write("\n")
    write_signature(report.signature, "match", "KEY RESPONSE", stream)


def _write_csv(report: AlignmentReport, stream: IO[str]) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("document", "stage", "weight", "key_entity", "key_span", "key_text", "response_entity",
         "response_span", "response_text", "signature")
    )  # fmt: skip
    for alignment in report.alignments:
        label = alignment.key.document.label
        for stage, weight, k, r in report.rows(alignment):
            writer.writerow(
                (label, stage, "" if weight is None else weight, *_shown(alignment.key, k),
                 *_shown(alignment.response, r), report.signature)
            )  # fmt: skip


def _write_json(report: AlignmentReport, stream: IO[str]) -> None:
    document = {
        "schema": SCHEMA,
        "signature": report.signature,
        "version": __version__,
        "key": report.key,
        "response": report.response,
        **({} if report.name is None else {"name": report.name}),
        "documents": [_entry(report, alignment) for alignment in report.alignments],
    }
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def _entry(report: AlignmentReport, alignment: Alignment) -> dict[str, Any]:
    """A document: its matches, and the mentions without a partner."""
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
            if not (report.hide_exact and match.stage == "exact")
        ],
        "key_only": [_mention(key, k) for k in alignment.key_free()],
        "response_only": [_mention(response, r) for r in alignment.response_free()],
    }


def _mention(side: Side, number: int) -> dict[str, Any]:
    """A mention: entity, position, words, head, as far as they are known."""
    shown = _shown(side, number)
    details = side.document.details
    head = side.heads[number] if details is not None else None
    return {
        "entity": shown.entity,
        "position": side.positions[number],
        "text": shown.text or None,
        "head": head,
    }


FORMATS: dict[str, Callable[[AlignmentReport, IO[str]], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
}


def write_alignments(report: AlignmentReport, format: str, output: str | None) -> None:
    """Write a report to a file or to standard output.

    Raises
    ------
    DataError
        ``unwritable`` when the file cannot be written.
    """
    with opened(output) as stream:
        FORMATS[format](report, stream)
