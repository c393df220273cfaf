"""How documents were made of pieces: each join, and where pieces contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corefmeter._version import __version__
from corefmeter.problems import amount
from corefmeter.reports.tables import Cell, Report, Table, short_label
from corefmeter.wings.annotation.stitching import Piece, Stitched, StitchedDocument

#: Pieces of a document that text shows: those with most conflicts.
SHOWN = 20


class StitchReport(Report):
    """The joins of each document."""

    def __init__(self, stitched: Stitched) -> None:
        self.stitched = stitched

    def tables(self) -> list[Table]:
        """Return the pieces of each document, and their sums."""
        return [_piece_table(one) for one in self.stitched.documents]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain the columns."""
        return [
            "overlap: tokens that earlier pieces have too; shared: mentions that they have too; "
            "alone: mentions in the overlap that only one side has; joined: entities that became "
            "one with earlier ones; conflicts: shared mentions that are in another entity there"
        ]

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each piece."""
        yield ("document", *Piece._fields)
        for one in self.stitched.documents:
            yield from ((one.document.name, *piece) for piece in one.pieces)

    def document(self) -> dict[str, Any]:
        """Return the pieces of each document, and what was noticed."""
        return {
            "schema": 1,
            "version": __version__,
            "documents": [
                {
                    "document": one.document.name,
                    "tokens": one.document.tokens,
                    "mentions": sum(map(len, one.document.entities)),
                    "entities": len(one.document.entities),
                    "pieces": [piece._asdict() for piece in one.pieces],
                }
                for one in self.stitched.documents
            ],
            "problems": [problem.to_dict() for problem in self.stitched.problems],
        }


def _piece_table(one: StitchedDocument) -> Table:
    document, pieces = one
    tokens = amount(document.tokens or 0, "token")
    mentions = amount(sum(map(len, document.entities)), "mention")
    entities = amount(len(document.entities), "entity", "entities")
    caption = f"{document.name}: {tokens}, {mentions}, {entities}"
    shown = pieces
    if len(pieces) > SHOWN:
        worst = sorted(pieces, key=lambda piece: -piece.conflicts)[:SHOWN]
        shown = [piece for piece in pieces if piece in worst]
        caption += f"; the {SHOWN} of {amount(len(pieces), 'piece')} with most conflicts"
    rows: list[list[Cell]] = [[short_label(name), *numbers] for name, *numbers in shown]
    columns = zip(*(piece[1:] for piece in pieces), strict=True)
    _, _, *totals = map(sum, columns)  # where pieces begin, and their lengths, do not add up
    rows.append(["all", None, document.tokens, *totals])
    return Table(["", *Piece._fields[1:]], rows, caption=caption)
