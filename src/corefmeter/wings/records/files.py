"""Tables in files, scored by DuckDB: which columns count, and values that can be compared.

Values of CSV are text, without the spaces around them: ``01`` is not ``1``. If one side is CSV and
the other has whole numbers, these are compared as text.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import Any, NamedTuple

from corefmeter.formats.output import path_to
from corefmeter.problems import DataError, OptionError, Problem, require
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.wings.records.calls import Request, require_table_recipe, scored, scored_overlap
from corefmeter.wings.records.frames import (
    SMALL,
    Engine,
    arrow_table,
    engine_errors,
    first_line,
    quote_sql,
)
from corefmeter.wings.records.lists import CLUSTER, ITEM
from corefmeter.wings.records.opening import (
    CLUSTERS,
    ITEMS,
    Asked,
    Opened,
    holds_database,
    identity_of,
    open_table,
    report_damage,
    store_columns,
)
from corefmeter.wings.records.query import DOCUMENT, OVERLAP
from corefmeter.wings.records.text import bad_table
from corefmeter.wings.records.worst import Worst, looked_at

#: Ids of generated records that say from which record each was made.
_ORIGIN = r"^(rec-[0-9]+)-(org|dup-[0-9]+)$"

#: The number of a row, as the text that values of such files are.
_ROW = 'CAST(row_number() OVER () AS VARCHAR) AS "row"'


class Limits(NamedTuple):
    """Resource limits of DuckDB: memory such as ``8GB``, threads, a folder for temporary files."""

    memory: str | None = None
    threads: int | None = None
    temporary: str | None = None


class Tables(NamedTuple):
    """Two tables in files; `problems` is what was guessed, `digests` the SHA-256 of each file."""

    request: Request
    problems: list[Problem]
    digests: dict[str, str]

    def score(self, recipe: Recipe) -> Result:
        """Score like `score_tables`."""
        return scored(self.request, recipe, self.digests, self.problems)

    def worst(self, recipe: Recipe, most: int, items: int) -> Worst:
        """Find clusters like `worst_clusters`; `score` gives the same problems."""
        return looked_at(self.request, recipe, most, items)[0]


@contextmanager
def tables_in(
    key: str, response: str | None, recipe: Recipe, asked: Asked, limits: Limits
) -> Iterator[Tables]:
    """Open the tables in a file and in another, or in other columns of the same.

    Raises
    ------
    DataError
        For files that cannot be read, and what `score_tables` refuses.
    OptionError
        Where no column can be guessed, and for packages that are missing.
    """
    require_table_recipe(recipe)
    require("duckdb", "scoring tables in files", "tables")
    with (
        report_damage(key, response),
        engine_errors(),
        _connection(limits, (key, response)) as connection,
    ):
        files = [open_table(connection, path, asked) for path in (key, response) if path]
        files = [_like_other(file, side, files, asked) for side, file in enumerate(files)]
        beside: dict[str, str] = {}
        named = asked.clusters
        from_ids = None
        if not named[0]:
            files[0], found, from_ids = _with_key(connection, files[0], named[1], beside)
            named = (found, named[1])
        if not asked.item and response:
            files = _with_rows(files, bool(beside))
        _require_repeated(files)
        item, clusters = _columns(files, response is not None, asked.item, named)
        problems = _notes(files, asked, item, (from_ids or clusters[0], clusters[1]))
        used = [*item] if asked.within is None else [asked.within, *item]
        of_files = [[one] for one in clusters] if response else [clusters]
        has_text = any(file.is_text for file in files)
        tables = _of_one_engine(
            connection,
            [
                _keep_rows(file, _select_columns(file, [*used, *names], has_text))
                for file, names in zip(files, of_files, strict=True)
            ],
        )
        request = Request(
            tables[0],
            tables[1] if response else None,
            item,
            (clusters[0], clusters[1]),
            asked.within,
            (key, response or key),
            steady=True,
        )
        digests = {path: digest for file in files for path, digest in file.digests.items()}
        yield Tables(request, problems, digests | beside)


def write_table(header: Sequence[str], rows: Iterable[Sequence[Any]], path: str) -> None:
    """Write rows as CSV or TSV if the name ends so, otherwise as Parquet.

    Raises
    ------
    DataError
        ``output-is-input`` for a file that is read, ``unwritable``.
    """
    import duckdb

    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    separator = {".csv": ",", ".tsv": "\t"}.get(path[-4:].lower())
    form = f"csv, HEADER, DELIMITER '{separator}'" if separator else "parquet"
    with duckdb.connect() as connection, path_to(path) as place:
        store_columns(connection, "found", header, columns)
        try:
            connection.execute(f"COPY found TO {quote_sql(place, chr(39))} (FORMAT {form})")
        except duckdb.IOException as error:
            reason = f"cannot be written: {first_line(error)}"
            raise DataError(Problem("unwritable", reason, "error", path=path)) from None


def score_overlap(path: str, recipe: Recipe, table: str | None, limits: Limits) -> Result:
    """Score an overlap table in a file; see `count_overlap`.

    Raises
    ------
    DataError
        For a file that cannot be read, and rows that are no overlap table.
    OptionError
        For a column that is not there, and packages that are missing.
    """
    require_table_recipe(recipe)
    require("duckdb", "scoring tables in files", "tables")
    with report_damage(path), engine_errors(), _connection(limits, [path]) as connection:
        asked = Asked((DOCUMENT, *OVERLAP), table=table)
        file = open_table(connection, path, asked)
        names = [*([DOCUMENT] if DOCUMENT in file.columns else []), *OVERLAP]
        columns = ", ".join(_as_integer(name) if name in OVERLAP[2:] else name for name in names)
        cells = _keep_rows(file, _select_columns(file, names, False).project(columns))
        return scored_overlap(cells, recipe, path, file.digests)


def _as_integer(name: str) -> str:
    """Convert to an integer, also from text or 3.0; null for other values."""
    text = f"CAST({name} AS VARCHAR)"
    return (
        f"CASE WHEN regexp_full_match({text}, '[0-9]+([.]0+)?') THEN TRY_CAST({text} AS BIGINT) "
        f"END AS {name}"
    )


@contextmanager
def _connection(limits: Limits, paths: Iterable[str | None]) -> Iterator[Any]:
    """Open a connection to DuckDB in memory.

    An instance takes long to start, so that one is kept for all calls that set no limits and attach
    no database. After an error, which may have damaged it, the next call starts another.
    """
    if limits != Limits() or any(holds_database(path) for path in paths if path):
        with closing(_new_instance(limits)) as connection:
            yield connection
        return
    try:
        with closing(_instance(os.getpid()).cursor()) as connection:
            yield connection
    except Exception:
        _instance.cache_clear()
        raise


@cache
def _instance(process: int) -> Any:
    """Return the instance of DuckDB of a process; a fork of it must start its own."""
    import duckdb

    connection = duckdb.connect()
    # A file may be replaced between two calls.
    connection.execute("SET enable_external_file_cache = false")
    return connection


def _new_instance(limits: Limits) -> Any:
    """Return a connection to an instance of DuckDB of its own."""
    import duckdb

    connection = duckdb.connect()
    settings = zip(
        Limits._fields, ("memory_limit", "threads", "temp_directory"), limits, strict=True
    )
    for option, name, value in settings:
        if value is not None:
            try:
                connection.execute(f"SET {name} = {quote_sql(str(value), chr(39))}")
            except duckdb.Error as error:
                reason = first_line(error)
                raise OptionError(f"{option} {value!r} cannot be set: {reason}") from None
    return connection


def _like_other(file: Opened, side: int, files: Sequence[Opened], asked: Asked) -> Opened:
    """Rename the columns of lists, which have no names, to those of the other file."""
    if not file.is_listed:
        return file
    other = files[side - 1]
    known = asked.item or _known(other.columns, ITEMS)
    item = known[0] if len(known) == 1 and not other.is_listed else ITEM
    names = f"{quote_sql(ITEM)} AS {quote_sql(item)}, {quote_sql(CLUSTER)} AS "
    relation = file.relation.project(names + quote_sql(asked.clusters[side] or CLUSTER))
    return file._replace(relation=relation)


def _with_key(
    connection: Any, key: Opened, response: str | None, beside: dict[str, str]
) -> tuple[Opened, str | None, str | None]:
    """Find the true clusters of a file of records that names no column of clusters.

    They are in a file ``identity.NAME`` next to it, of one column, row by row; or in ids that name
    the record of which each is a copy. `response` is the column of the other clusters, if known;
    the digests of further files are added to `beside`. Only a key may have its clusters from there.

    Returns the file with a column of these clusters, the name of the column, and a description of
    its source; the two are None if there is none.
    """
    rest = [name for name in key.columns if name not in (response, *_known(key.columns, ITEMS))]
    if not key.is_text or len(rest) < 2 or _known(rest, CLUSTERS):
        return key, None, None
    identity = identity_of(key.path)
    if os.path.isfile(identity):
        other = open_table(connection, identity, Asked())
        if other.is_text and len(other.columns) == 1:
            _require_as_many_rows(key, other)
            beside.update(other.digests)
            column = f"{quote_sql(other.columns[0])} AS identity, {_ROW}"
            joined = _with_row_numbers(key).relation.join(other.relation.project(column), "row")
            return key._replace(relation=joined), "identity", f"the rows of {identity}"
    if "rec_id" not in key.columns:
        return key, None, None
    made = f"regexp_extract(trim(rec_id), '{_ORIGIN}', 1)"
    ((rows, without),) = key.relation.aggregate(
        f"count(*), count(*) FILTER (WHERE {made} = '')"
    ).fetchall()
    if without or not rows:
        return key, None, None
    relation = key.relation.project(f"*, {made} AS origin")
    return key._replace(relation=relation), "origin", "the original in rec_id"


def _with_rows(files: list[Opened], by_rows: bool) -> list[Opened]:
    """Add the number of each row as the item, if the rows of all files are items in one order.

    They are if all files are text without a column of items, and the key either has the column of
    the clusters only, or its clusters come from a file with the same rows (`by_rows`).
    """
    if not (by_rows or len(files[0].columns) == 1) or _known(files[0].columns, ITEMS[:-1]):
        return files
    if any(not file.is_text or _known(file.columns, ITEMS[:-1]) for file in files):
        return files
    for file in files:
        if not file.in_order:
            hint = (
                "Give all its files the same columns and separator, or add a column of items (id)."
            )
            raise bad_table(file.path, "the rows of its files have no defined order", hint)
    for other in files[1:]:
        if "row" not in other.columns:
            _require_as_many_rows(files[0], other)
    return [file if "row" in file.columns else _with_row_numbers(file) for file in files]


def _with_row_numbers(file: Opened) -> Opened:
    return file._replace(relation=file.relation.project(f"*, {_ROW}"))


def _require_repeated(files: Sequence[Opened]) -> None:
    """Refuse columns of labels in which nearly all differ."""
    alone = [file for file in files if file.has_labels]
    for file in alone:
        value = f"trim({quote_sql(file.columns[0])})"
        ((rows, labels),) = file.relation.aggregate(f"count(*), count(DISTINCT {value})").fetchall()
        if labels <= 0.95 * rows:
            return
    if len(alone) > 1:
        message = "one column, in which nearly all values differ, as in that of the other file"
        hint = "If these are the labels of clusters, put a header above them, such as cluster."
        raise bad_table(alone[-1].path, message, hint)


def _require_as_many_rows(file: Opened, other: Opened) -> None:
    numbers = [one.relation.count("*").fetchall()[0][0] for one in (file, other)]
    if numbers[0] != numbers[1]:
        message = f"has {numbers[1]} rows, but {file.path} has {numbers[0]}: they differ row by row"
        hint = "Give both a column that says which item a row is, with --item."
        raise DataError(Problem("bad-table", message, "error", path=other.path, hint=hint))


def _known(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    return [column for column in columns if column.strip().lower() in names]


def _columns(
    files: list[Opened],
    two: bool,
    item: tuple[str, ...],
    named: tuple[str | None, str | None],
) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns of items and clusters: those named by options, or by a common name.

    A table of both clusterings needs no item.
    """
    unknown = []
    if two and not item:
        known = [_or_only(_known(file.columns, ITEMS), file.columns) for file in files]
        common = [name for name in known[0] if all(name in of for of in known)]
        if len(common) == 1:
            item = (common[0],)
        else:
            unknown.append("item")
    clusters = []
    for name, file in zip(named, files if two else files * 2, strict=True):
        rest = [column for column in file.columns if column not in item]
        likely = _like_clusters(rest)
        found = [name] if name else _or_only(likely, rest)
        if len(found) != 1 or not (name or found[0] in _or_only(_known(rest, CLUSTERS), rest)):
            unknown.append("cluster")
        others = [column for column in rest if column not in _known(rest, ITEMS)]
        clusters.append((found or others or file.columns)[0])
    if unknown:
        raise OptionError(_doubt(files, list(dict.fromkeys(unknown)), item, clusters))
    return item, clusters


def _or_only(known: list[str], columns: list[str]) -> list[str]:
    return known or (columns if len(columns) == 1 else [])


def _doubt(
    files: Sequence[Opened], unknown: Sequence[str], item: Sequence[str], clusters: Sequence[str]
) -> str:
    """Return the message for columns that are not known, with options to copy."""
    columns = "; ".join(f"{file.path} has {file.listed()}" for file in files)
    options = [f"--{what}" for what in unknown]
    common = [name for name in files[0].columns if all(name in file.columns for file in files)]
    rest = [name for name in common if name not in clusters] or files[0].columns
    likely = item or (_known(rest, ITEMS) or rest)[:1]
    example = [part for name in likely for part in ("--item", name)]
    same = clusters[0] == clusters[1]
    sides = ("--cluster",) if same else ("--key-cluster", "--response-cluster")
    example += [
        part for option, name in zip(sides, clusters, strict=False) for part in (option, name)
    ]
    pasted = shlex.join(example)
    example_line = f"\n  For example: {pasted}" if len(pasted) <= 200 else ""
    return (
        f"which column is the {' and which the '.join(unknown)}? Name it with "
        f"{' and '.join(options)}: {columns}{example_line}"
    )


def _notes(
    files: Sequence[Opened], asked: Asked, item: Sequence[str], clusters: Sequence[str]
) -> list[Problem]:
    """Return a note for each file on how it was read and which columns were guessed."""
    notes = []
    for side, file in enumerate(files):
        columns = [] if asked.item or not item else [f"item: {item[0]}"]
        if not asked.clusters[side]:
            columns.append(f"cluster: {clusters[side]}")
        parts = [part for part in (file.note, ", ".join(columns)) if part]
        if parts:
            code = "table-read" if file.note else "columns-guessed"
            notes.append(Problem(code, "; ".join(parts), "note", path=file.path))
    return notes


def _like_clusters(columns: Sequence[str]) -> list[str]:
    """Return the columns that seem to be clusters by their names."""
    known = _known(columns, CLUSTERS)
    return known + [name for name in columns if "cluster" in name.lower() and name not in known]


def _select_columns(file: Opened, names: Sequence[str], as_text: bool) -> Any:
    """Select the columns that are needed, with values in a form that all files share."""
    types = dict(zip(file.columns, map(str, file.relation.types), strict=True))
    parts = []
    for name in dict.fromkeys(names):
        if name not in types:
            raise OptionError(f"{file.path}: no column {name!r:.80}. It has: {file.listed()}")
        if name in file.unusable:
            message = f"the column {name!r:.80} {file.unusable[name]}"
            raise bad_table(file.path, message, "Let it be the same in all rows and files.")
        column = quote_sql(name)
        if file.is_text:
            parts.append(f"nullif(trim({column}), '') AS {column}")
        elif as_text and "INT" in types[name]:
            parts.append(f"CAST({column} AS VARCHAR) AS {column}")
        else:
            parts.append(column)
    return file.relation.project(", ".join(parts))


def _keep_rows(file: Opened, relation: Any) -> Any:
    """Return a table of a file that has the same rows at each use: small ones are of pyarrow.

    So text is parsed once, and row numbers and random rows of a view do not change.
    """
    table = None
    if file.rows is None or file.rows <= SMALL:
        table = _small(relation)
    if table is not None:
        rows = table.num_rows
    elif file.is_text or file.is_view:
        engine = Engine(relation)
        table = engine.kept(engine.frame(relation)).to_native()
        ((rows,),) = table.count("*").fetchall()
    else:
        return relation
    if file.rows not in (None, rows):
        message = f"{file.rows:,} rows were counted in it, but DuckDB reads {rows:,}"
        raise bad_table(file.path, message, "Write the table again, with one row a line.")
    return table


def _small(relation: Any) -> Any:
    """Return a small relation of whole numbers and text as a table of pyarrow, or None."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    if not set(types.values()) <= {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "VARCHAR"}:
        return None
    rows = relation.limit(SMALL + 1).fetchall()
    if len(rows) > SMALL:
        return None
    return arrow_table({name: of == "VARCHAR" for name, of in types.items()}, rows)


def _of_one_engine(connection: Any, tables: Sequence[Any]) -> list[Any]:
    """Return tables of pyarrow if all are, otherwise relations of DuckDB."""
    import duckdb

    is_relation = [isinstance(table, duckdb.DuckDBPyRelation) for table in tables]
    if not any(is_relation):
        return list(tables)
    return [
        table if is_one else connection.from_arrow(table)
        for table, is_one in zip(tables, is_relation, strict=True)
    ]
