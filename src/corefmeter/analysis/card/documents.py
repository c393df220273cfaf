"""Within and across documents: what is asked for when documents are scored as one.

Links between mentions of the same document, and of different ones; they add up to ``links``. LEA of
entities in one document and in several, which add up to ``lea``; and LEA with each document alone,
as if no link across were asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from operator import sub

from corefmeter.analysis.card.parts import (
    Basis,
    Part,
    cut_entities,
    places_by,
    sides_of,
    sum_rows,
    tables_of_pieces,
)
from corefmeter.corpus.model import Mention
from corefmeter.metrics import Overlap
from corefmeter.metrics.links import LinkPairs
from corefmeter.preparation import Prepared

SECTION = "documents"


def parts(basis: Basis) -> Iterator[Part]:
    """Yield the lines of the section, of joined documents."""
    apart = [_tables_by_document(unit) for unit in basis.prepared]
    metric = LinkPairs()
    whole = [metric.statistics(unit.table) for unit in basis.prepared]
    within = [sum_rows([metric.statistics(t) for t in tables], 4) for tables in apart]
    across = [tuple(map(sub, *rows)) for rows in zip(whole, within, strict=True)]
    for name, rows in (("within documents", within), ("across documents", across)):
        yield Part(SECTION, "links", name, basis.result_of("links", rows))
    places = [places_by(sides_of(unit), _spread_group) for unit in basis.prepared]
    yield from basis.parts_by_entity(SECTION, "entities", places, ["in one", "in several"])
    alone = basis.result_of_tables(apart, ("lea",))
    yield Part(SECTION, "entities", "each document alone", alone)


def _tables_by_document(unit: Prepared) -> list[Overlap]:
    key, response = (cut_entities(side.entities, _document_of) for side in unit.named)
    return tables_of_pieces(key, response, unit.table.repeats)


def _document_of(mention: Mention) -> Hashable:
    return mention[0]  # type: ignore[index,no-any-return]  # of joined documents they are pairs


def _spread_group(entity: Sequence[Mention]) -> str:
    return "in one" if len(set(map(_document_of, entity))) == 1 else "in several"
