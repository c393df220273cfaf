"""Random clusterings of many documents as rows, and the frames of all engines."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import duckdb
import pandas
import polars
import pyarrow

Row = tuple[int, int, int]  # document, item, cluster


class Pair(NamedTuple):
    key: list[Row]
    response: list[Row]


def pair(seed: int, documents: int) -> Pair:
    """Clusterings of documents of 1 to 30 items; a tenth of the items is on one side only."""
    rng = random.Random(seed)
    sides = Pair([], [])
    for document in range(documents):
        for item in range(rng.randrange(1, 31)):
            cluster = rng.randrange(9)
            moved = cluster if rng.random() < 0.6 else rng.randrange(9)
            # The first item is on both sides, so that no document is missing.
            if not item or rng.random() < 0.9:
                sides.key.append((document, item, cluster))
            if not item or rng.random() < 0.9:
                sides.response.append((document, item, moved))
    return sides


def as_entities(rows: list[Row]) -> dict[str, list[list[int]]]:
    documents: dict[str, dict[int, list[int]]] = {}
    for document, item, cluster in rows:
        documents.setdefault(str(document), {}).setdefault(cluster, []).append(item)
    return {name: list(entities.values()) for name, entities in documents.items()}


def columns(rows: list[Row]) -> dict[str, list[int]]:
    return dict(
        zip(("document", "item", "cluster"), map(list, zip(*rows, strict=True)), strict=True)
    )


def by_duckdb(values: dict[str, list[Any]]) -> Any:
    table = pyarrow.table(values)
    return CONNECTION.from_arrow(table)


CONNECTION = duckdb.connect()

FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "polars lazy": polars.LazyFrame,
    "pyarrow": pyarrow.table,
    "duckdb": by_duckdb,
}
