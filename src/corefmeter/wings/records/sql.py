"""The query that makes an overlap table, as text, for engines without a connection to Python.

``corefmeter clusters --overlap`` scores its rows; see `Query.overlap`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import OptionError, unknown
from corefmeter.wings.records.frames import quote_sql
from corefmeter.wings.records.query import DOCUMENT, Columns

_HEAD = """\
-- Returns a row for each key and response cluster that have items in common, with the number n of
-- these items and the sizes of both. A cluster without partner has a row in which the other side is
-- NULL and n is 0. Save the rows as Parquet or CSV, then: corefmeter clusters --overlap FILE"""

#: Escapes in names for BigQuery.
_ESCAPES = str.maketrans({"\\": r"\\", "`": r"\`", "\n": r"\n", "\r": r"\r"})


class _Dialect(NamedTuple):
    """How an engine quotes names, and its function that stops the query with a message.

    `compares_types` is whether it compares values of different types, so that these are checked.
    """

    quote: Callable[[str], str]
    error: str
    compares_types: bool


_DIALECTS = {
    "duckdb": _Dialect(quote_sql, "error", True),
    "spark": _Dialect(lambda name: quote_sql(name, "`"), "raise_error", True),
    "bigquery": _Dialect(lambda name: f"`{name.translate(_ESCAPES)}`", "ERROR", False),
}

#: The engines whose SQL is known.
DIALECTS = tuple(_DIALECTS)


def overlap_query(dialect: str, tables: tuple[str, str], columns: Columns) -> str:
    """Return the query of an engine that counts the cells of two tables.

    It stops with a message if a cell is empty, an item is in two clusters, or the two sides have
    values of different types. A repeated row counts once.

    Parameters
    ----------
    dialect
        One of `DIALECTS`.
    tables
        The names of the tables with the key and with the response; dots separate the parts of a
        name, such as ``project.dataset.table``.
    columns
        The names of columns; the item is required.

    Raises
    ------
    OptionError
        For an unknown dialect or an empty name.

    Examples
    --------
    >>> query = overlap_query("spark", ("lake.key", "out`"), Columns(("id",), ("c", "c"), None))
    >>> [line.strip() for line in query.splitlines() if "`" in line]
    ['FROM (SELECT `id` AS i0, `c` AS key FROM `lake`.`key`) AS named',
    'FROM (SELECT `id` AS i0, `c` AS response FROM `out```) AS named']
    """
    if dialect not in _DIALECTS:
        raise unknown("engine", dialect, DIALECTS)
    engine = _DIALECTS[dialect]
    within = [DOCUMENT] if columns.within is not None else []
    items = [*within, *(f"i{place}" for place in range(len(columns.item)))]
    names = [*([columns.within] if columns.within is not None else []), *columns.item]
    if "" in (*names, *columns.clusters, *".".join(tables).split(".")):
        raise OptionError("the name of a table or column is empty")
    parts = [
        _side(engine, side, table, [*names, cluster], items)
        for side, table, cluster in zip(SIDES, tables, columns.clusters, strict=True)
    ]
    parts += [
        f"""corefmeter_{side}_sizes AS (
  SELECT {", ".join([*within, side])}, COUNT(*) AS {side}_size
  FROM corefmeter_{side} GROUP BY {", ".join([*within, side])}
)"""
        for side in SIDES
    ]
    cell = ", ".join([*within, *SIDES])
    same_types = _check_types(engine, items)
    parts.append(f"""corefmeter_cells AS (
  SELECT {cell}, COUNT(*) AS n
  FROM corefmeter_key JOIN corefmeter_response USING ({", ".join(items)}){same_types}
  GROUP BY {cell}
)""")
    joined = ",\n".join(parts)
    return f"""{_HEAD}
WITH {joined}
SELECT {cell}, COALESCE(n, 0) AS n, key_size, response_size
FROM corefmeter_key_sizes
LEFT JOIN corefmeter_cells USING ({", ".join([*within, "key"])})
FULL JOIN corefmeter_response_sizes USING ({", ".join([*within, "response"])})
"""


def _side(engine: _Dialect, side: str, table: str, names: list[str], items: list[str]) -> str:
    """Return the part of the query with the distinct items of a table and their clusters.

    `names` are the columns of the table, `items` the short names of the columns of the item.
    """
    named = ", ".join(
        f"{engine.quote(name)} AS {short}"
        for name, short in zip(names, [*items, side], strict=True)
    )
    path = ".".join(map(engine.quote, table.split(".")))
    empty = " OR ".join([f"COUNT({side}) < COUNT(*)", *(f"{item} IS NULL" for item in items)])
    shown = ", ".join(items)
    return f"""corefmeter_{side} AS (
  SELECT {shown}, CASE
    WHEN {empty} THEN {engine.error}('a cell of the {side} is empty')
    WHEN MIN({side}) < MAX({side}) THEN {engine.error}('an item of the {side} is in two clusters')
    ELSE MIN({side}) END AS {side}
  FROM (SELECT {named} FROM {path}) AS named
  GROUP BY {shown}
)"""


def _check_types(engine: _Dialect, items: list[str]) -> str:
    """Return a clause that stops the query if an engine would compare 1 with '1'."""
    if not engine.compares_types:
        return ""
    kinds = " AND ".join(
        " = ".join(f"(upper(typeof(corefmeter_{side}.{item})) LIKE '%INT%')" for side in SIDES)
        for item in items
    )
    return f"""
  WHERE CASE WHEN {kinds} THEN TRUE
    ELSE {engine.error}('key and response hold values of different types') END"""
