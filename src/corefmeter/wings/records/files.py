"""Tables in files, scored by DuckDB: the columns to use, and values that can be compared.

Values in CSV are text, without the spaces around them: ``01`` is not ``1``. If one side is CSV and
the other has whole numbers, these are compared as text.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from corefmeter.formats.output import path_to
from corefmeter.problems import DataError, OptionError, Problem, require
from corefmeter.recipe import Recipe
from corefmeter.reports.csv import escape_formula
from corefmeter.result import Result
from corefmeter.wings.records import calls
from corefmeter.wings.records.frames import (
    SMALL,
    Engine,
    arrow_table,
    first_line,
    quote_sql,
    report_exhaustion,
)
from corefmeter.wings.records.lists import CLUSTER, ITEM
from corefmeter.wings.records.opening import (
    CLUSTERS,
    ITEMS,
    TableFile,
    TableOptions,
    holds_database,
    identity_of,
    open_table,
    report_damage,
    store_columns,
)
from corefmeter.wings.records.pairs import PairRequest
from corefmeter.wings.records.query import DOCUMENT, OVERLAP
from corefmeter.wings.records.text import bad_table
from corefmeter.wings.records.worst import Worst, find_worst

#: Ids of generated records, which name the original of each copy.
_ORIGIN = r"^(rec-[0-9]+)-(org|dup-[0-9]+)$"

#: The number of a row, as text like all values of such files.
_ROW = 'CAST(row_number() OVER () AS VARCHAR) AS "row"'


class Limits(NamedTuple):
    """Resource limits of DuckDB: memory such as ``8GB``, threads, and a temporary folder."""

    memory: str | None = None
    threads: int | None = None
    temporary: str | None = None


class Tables(NamedTuple):
    """Two tables in files, with notes on what was guessed, and the SHA-256 of each file."""

    request: calls.Request
    problems: list[Problem]
    digests: dict[str, str]

    def score(self, recipe: Recipe) -> Result:
        """Score like `score_tables`."""
        return calls.score_request(self.request, recipe, self.digests, self.problems)

    def worst(self, recipe: Recipe, most: int, items: int) -> Worst:
        """Return the worst clusters like `worst_clusters`; its problems are those of `score`."""
        return find_worst(self.request, recipe, most, items)[0]


@contextmanager
def tables_in(
    key: str, response: str | None, recipe: Recipe, options: TableOptions, limits: Limits
) -> Iterator[Tables]:
    """Open the tables in two files, or both clusterings in one file.

    Raises
    ------
    DataError
        For files that cannot be read, and tables that `score_tables` refuses.
    OptionError
        If a column cannot be guessed, or a package is missing.
    """
    calls.require_table_recipe(recipe)
    require("duckdb", "scoring tables in files", "tables")
    with (
        report_damage(key, response),
        report_exhaustion(),
        _connection(limits, (key, response)) as connection,
    ):
        files = [open_table(connection, path, options) for path in (key, response) if path]
        files = [_rename_columns(side, files, options) for side in range(len(files))]
        further_digests: dict[str, str] = {}
        named = options.clusters
        key_source = None
        if not named[0]:
            files[0], column, key_source = _find_key(
                connection, files[0], named[1], further_digests
            )
            named = (column, named[1])
        if not options.item and response:
            files = _number_rows(files, bool(further_digests))
        _require_repeated_labels(files)
        item, clusters = _choose_columns(files, options.item, named)
        problems = _notes(files, options, item, (key_source or clusters[0], clusters[1]))
        request = calls.Request(
            *_select_tables(connection, files, item, clusters, options.within),
            item,
            clusters,
            options.within,
            (key, response or key),
            steady=True,
        )
        digests = {path: digest for file in files for path, digest in file.digests.items()}
        yield Tables(request, problems, digests | further_digests)


def _select_tables(
    connection: Any,
    files: Sequence[TableFile],
    item: Sequence[str],
    clusters: tuple[str, str],
    within: str | None,
) -> tuple[Any, Any]:
    """Return the tables of key and response with their columns; None for a missing response."""
    common = [*item] if within is None else [within, *item]
    as_text = any(file.is_text for file in files)
    columns = [clusters] if len(files) == 1 else [(cluster,) for cluster in clusters]
    tables = [
        _keep_rows(file, _select_columns(file, [*common, *names], as_text))
        for file, names in zip(files, columns, strict=True)
    ]
    key, *response = _in_one_engine(connection, tables)
    return key, response[0] if response else None


#: Names of the columns of pairs, in lower case: of Splink, recordlinkage, py_entitymatching.
_PAIRS = (
    *(("left", "right"), ("left_id", "right_id"), ("id_left", "id_right"), ("id_l", "id_r")),
    *(("unique_id_l", "unique_id_r"), ("id1", "id2"), ("id_1", "id_2")),
    *(("rec_id_1", "rec_id_2"), ("ltable_id", "rtable_id")),
)
_SCORES = ("match_probability", "probability", "score", "similarity", "confidence")

#: The name that means that pairs have no score.
UNSCORED = "none"


class PairOptions(NamedTuple):
    """Names of columns of the key and of pairs; None means that they are guessed."""

    item: str | None = None
    cluster: str | None = None
    left: str | None = None
    right: str | None = None
    score: str | None = None


@contextmanager
def pairs_in(
    key: str, pairs: str, options: PairOptions
) -> Iterator[tuple[PairRequest, list[Problem]]]:
    """Open a key and a table of pairs in files, with notes on what was guessed.

    Raises
    ------
    DataError
        For files that cannot be read.
    OptionError
        If a column cannot be guessed, or a package is missing.
    """
    require("duckdb", "scoring tables in files", "tables")
    with (
        report_damage(key, pairs),
        report_exhaustion(),
        _connection(Limits(), (key, pairs)) as connection,
    ):
        item, cluster, left, right, score = options
        of_key = TableOptions((item,) if item else (), (cluster, None))
        of_pairs = TableOptions((*filter(None, (left, right, score)), *chain(*_PAIRS), *_SCORES))
        files = [open_table(connection, key, of_key), open_table(connection, pairs, of_pairs)]
        item = item or _only_known(files[0], "item", ITEMS)
        cluster = cluster or _only_known(files[0], "cluster", CLUSTERS)
        if not (left and right):
            left = left or _only_known(files[1], "left", [names[0] for names in _PAIRS])
            right = right or _only_known(files[1], "right", [names[1] for names in _PAIRS])
        if score is None and len(files[1].columns) > 2:
            score = _only_known(files[1], "score", _SCORES, f" (--score {UNSCORED} if none is)")
        if score == UNSCORED and UNSCORED not in files[1].columns:
            score = None
        as_text = any(file.is_text for file in files)
        items = _keep_rows(files[0], _select_columns(files[0], (item, cluster), as_text))
        columns = (left, right) if score is None else (left, right, score)
        linked = _select_columns(files[1], columns, as_text)
        if score is not None:
            linked = _with_numbers(linked, files[1].path, score)
        roles = (f"item: {item}, cluster: {cluster}", f"pairs: {', '.join(columns)}")
        problems = [
            Problem(
                "table-read", "; ".join(filter(None, (file.note, role))), "note", path=file.path
            )
            for file, role in zip(files, roles, strict=True)
        ]
        of_items, of_pairs = _in_one_engine(connection, [items, _keep_rows(files[1], linked)])
        ends, paths = (left, right), (key, pairs)
        yield PairRequest(of_items, of_pairs, item, cluster, ends, score, paths, True), problems


def _only_known(file: TableFile, what: str, names: Sequence[str], otherwise: str = "") -> str:
    """Return the only column with one of some names; refuse several and none."""
    known = _known(file.columns, names)
    if len(known) != 1:
        question = f"which column of {file.path} is the {what}? Name it with --{what}{otherwise}"
        raise OptionError(f"{question}: its columns are {file.listed()}")
    return known[0]


def _with_numbers(relation: Any, path: str, column: str) -> Any:
    """Return a relation with a column as numbers; refuse other values."""
    name = quote_sql(column)
    number = f"TRY_CAST({name} AS DOUBLE)"
    wrong = f"count(*) FILTER (WHERE {name} IS NOT NULL AND {number} IS NULL)"
    ((count,),) = relation.aggregate(wrong).fetchall()
    if count:
        message = f"the column {column!r:.80} has values that are not numbers: {count:,}"
        raise bad_table(path, message, "Name another column with --score.")
    others = [quote_sql(other) for other in relation.columns if other != column]
    return relation.project(", ".join([*others, f"{number} AS {name}"]))


def write_table(header: Sequence[str], rows: Iterable[Sequence[Any]], path: str) -> None:
    """Write rows as CSV or TSV if the name of the file ends so, otherwise as Parquet.

    Raises
    ------
    DataError
        ``output-is-input`` for an input of the command, ``unwritable``.
    """
    import duckdb

    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    separator = {".csv": ",", ".tsv": "\t"}.get(path[-4:].lower())
    form = "parquet"
    if separator:
        form = f"csv, HEADER, DELIMITER '{separator}'"
        columns = [[escape_formula(value) for value in column] for column in columns]
    with duckdb.connect() as connection, path_to(path) as place:
        store_columns(connection, "written", header, columns)
        try:
            connection.execute(f"COPY written TO {quote_sql(place, chr(39))} (FORMAT {form})")
        except duckdb.IOException as error:
            message = f"cannot be written: {first_line(error)}"
            raise DataError(Problem("unwritable", message, "error", path=path)) from None


def score_overlap(path: str, recipe: Recipe, table: str | None, limits: Limits) -> Result:
    """Score an overlap table in a file; see `Query.overlap`.

    Raises
    ------
    DataError
        For a file that cannot be read or has rows of another form.
    OptionError
        For a missing column or package.
    """
    calls.require_table_recipe(recipe)
    require("duckdb", "scoring tables in files", "tables")
    with report_damage(path), report_exhaustion(), _connection(limits, [path]) as connection:
        options = TableOptions((DOCUMENT, *OVERLAP), table=table)
        file = open_table(connection, path, options)
        names = [*([DOCUMENT] if DOCUMENT in file.columns else []), *OVERLAP]
        columns = ", ".join(_as_integer(name) if name in OVERLAP[2:] else name for name in names)
        cells = _keep_rows(file, _select_columns(file, names, False).project(columns))
        return calls.score_overlap_table(cells, recipe, path, file.digests)


def _as_integer(name: str) -> str:
    """Return SQL that converts a column to integers, also from text or 3.0; else to null."""
    text = f"CAST({name} AS VARCHAR)"
    return (
        f"CASE WHEN regexp_full_match({text}, '[0-9]+([.]0+)?') THEN TRY_CAST({text} AS BIGINT) "
        f"END AS {name}"
    )


@contextmanager
def _connection(limits: Limits, paths: Iterable[str | None]) -> Iterator[Any]:
    """Open a connection to DuckDB in memory.

    Starting an instance takes long, so one is shared by all calls without limits and databases.
    After an error, which may have damaged it, the next call starts another.
    """
    is_shared = limits == Limits() and not any(holds_database(path) for path in paths if path)
    try:
        opened = _instance(os.getpid()).cursor() if is_shared else _new_instance(limits)
        with closing(opened) as connection:
            yield connection
    except Exception:
        if is_shared:
            _instance.cache_clear()
        raise


@cache
def _instance(process: int) -> Any:
    """Return the shared instance of DuckDB of a process; a forked process starts its own."""
    import duckdb

    connection = duckdb.connect()
    # A file may be replaced between two calls.
    connection.execute("SET enable_external_file_cache = false")
    return connection


def _new_instance(limits: Limits) -> Any:
    import duckdb

    connection = duckdb.connect()
    names = "memory_limit", "threads", "temp_directory"
    for option, name, value in zip(Limits._fields, names, limits, strict=True):
        if value is not None:
            try:
                connection.execute(f"SET {name} = {quote_sql(str(value), chr(39))}")
            except duckdb.Error as error:
                reason = first_line(error)
                raise OptionError(f"{option} {value!r} cannot be set: {reason}") from None
    return connection


def _rename_columns(side: int, files: Sequence[TableFile], options: TableOptions) -> TableFile:
    """Return a file; rename the columns of lists, which have no names, to those of the other."""
    file, other = files[side], files[side - 1]
    if not file.is_listed:
        return file
    items = options.item or _known(other.columns, ITEMS)
    item = items[0] if len(items) == 1 and not other.is_listed else ITEM
    names = f"{quote_sql(ITEM)} AS {quote_sql(item)}, {quote_sql(CLUSTER)} AS "
    relation = file.relation.project(names + quote_sql(options.clusters[side] or CLUSTER))
    return file._replace(relation=relation)


def _find_key(
    connection: Any, key: TableFile, response: str | None, digests: dict[str, str]
) -> tuple[TableFile, str | None, str | None]:
    """Find the true clusters of a file of records that has no column of clusters.

    They are in a file ``identity.NAME`` next to it, with one column and the same rows; or in ids
    that name the original of each copy. `response` is the column of the other clusters, if known.
    Digests of further files are added to `digests`. Only a key may have its clusters from there.

    Returns the file with a column of these clusters, the name of the column, and a description of
    its source. The two are None if no clusters are found.
    """
    rest = [name for name in key.columns if name not in (response, *_known(key.columns, ITEMS))]
    if not key.is_text or len(rest) < 2 or _known(rest, CLUSTERS):
        return key, None, None
    identity = identity_of(key.path)
    if os.path.isfile(identity):
        other = open_table(connection, identity, TableOptions())
        if other.is_text and len(other.columns) == 1:
            _require_as_many_rows(key, other)
            digests.update(other.digests)
            column = f"{quote_sql(other.columns[0])} AS identity, {_ROW}"
            joined = _add_row_numbers(key).relation.join(other.relation.project(column), "row")
            return key._replace(relation=joined), "identity", f"the rows of {identity}"
    if "rec_id" not in key.columns:
        return key, None, None
    origin = f"regexp_extract(trim(rec_id), '{_ORIGIN}', 1)"
    counts = f"count(*), count(*) FILTER (WHERE {origin} = '')"
    ((rows, without_origin),) = key.relation.aggregate(counts).fetchall()
    if without_origin or not rows:
        return key, None, None
    relation = key.relation.project(f"*, {origin} AS origin")
    return key._replace(relation=relation), "origin", "the original in rec_id"


def _number_rows(files: list[TableFile], by_rows: bool) -> list[TableFile]:
    """Add the number of each row as the item, if the rows of all files are items in one order.

    This is so if all files are text without a column of items, and the key either has only the
    column of clusters, or its clusters come from a file with the same rows (`by_rows`).
    """
    if not (by_rows or len(files[0].columns) == 1) or _known(files[0].columns, ITEMS[:-1]):
        return files
    if any(not file.is_text or _known(file.columns, ITEMS[:-1]) for file in files):
        return files
    for file in files:
        if not file.in_order:
            hint = "Give all its files the same columns and separator, or a column of items (id)."
            raise bad_table(file.path, "the rows of its files have no defined order", hint)
    for other in files[1:]:
        if "row" not in other.columns:
            _require_as_many_rows(files[0], other)
    return [file if "row" in file.columns else _add_row_numbers(file) for file in files]


def _add_row_numbers(file: TableFile) -> TableFile:
    return file._replace(relation=file.relation.project(f"*, {_ROW}"))


def _require_repeated_labels(files: Sequence[TableFile]) -> None:
    """Refuse columns of labels in which nearly all labels are different."""
    of_labels = [file for file in files if file.has_labels]
    for file in of_labels:
        value = f"trim({quote_sql(file.columns[0])})"
        ((rows, labels),) = file.relation.aggregate(f"count(*), count(DISTINCT {value})").fetchall()
        if labels <= 0.95 * rows:
            return
    if len(of_labels) > 1:
        message = "one column, in which nearly all values differ, as in that of the other file"
        hint = "If these are the labels of clusters, put a header above them, such as cluster."
        raise bad_table(of_labels[-1].path, message, hint)


def _require_as_many_rows(file: TableFile, other: TableFile) -> None:
    expected, rows = (opened.relation.count("*").fetchall()[0][0] for opened in (file, other))
    if rows != expected:
        message = f"has {rows} rows, but {file.path} has {expected}, and they are paired row by row"
        hint = "Add a column that identifies the item to both, and name it with --item."
        raise DataError(Problem("bad-table", message, "error", path=other.path, hint=hint))


def _known(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that have one of these names, in any case."""
    return [column for column in columns if column.strip().lower() in names]


def _choose_columns(
    files: list[TableFile], item: tuple[str, ...], named: tuple[str | None, str | None]
) -> tuple[tuple[str, ...], tuple[str, str]]:
    """Return the columns of items and clusters: those named by options, or by a common name.

    A single table with both clusterings needs no item.
    """
    unknown = []
    if len(files) == 2 and not item:
        candidates = [_known(file.columns, ITEMS) or _only(file.columns) for file in files]
        common = [name for name in candidates[0] if name in candidates[1]]
        if len(common) == 1:
            item = (common[0],)
        else:
            unknown.append("item")
    clusters = []
    for name, file in zip(named, [files[0], files[-1]], strict=True):
        rest = [column for column in file.columns if column not in item]
        candidates_of_file = [name] if name else _similar_to_clusters(rest) or _only(rest)
        certain = [name] if name else _known(rest, CLUSTERS) or _only(rest)
        if len(candidates_of_file) != 1 or candidates_of_file[0] not in certain:
            unknown.append("cluster")
        others = [column for column in rest if column not in _known(rest, ITEMS)]
        clusters.append((candidates_of_file or others or file.columns)[0])
    key_cluster, response_cluster = clusters
    if unknown:
        options = list(dict.fromkeys(unknown))
        raise OptionError(_unknown_columns(files, options, item, clusters))
    return item, (key_cluster, response_cluster)


def _only(columns: list[str]) -> list[str]:
    return columns if len(columns) == 1 else []


def _unknown_columns(
    files: Sequence[TableFile], unknown: Sequence[str], item: Sequence[str], clusters: Sequence[str]
) -> str:
    """Return the message for columns that are not known, with options to copy."""
    columns = "; ".join(f"{file.path} has {file.listed()}" for file in files)
    common = [name for name in files[0].columns if all(name in file.columns for file in files)]
    rest = [name for name in common if name not in clusters] or files[0].columns
    likely = item or (_known(rest, ITEMS) or rest)[:1]
    options = [("--item", name) for name in likely]
    if clusters[0] == clusters[1]:
        options.append(("--cluster", clusters[0]))
    else:
        options += [("--key-cluster", clusters[0]), ("--response-cluster", clusters[1])]
    example = shlex.join(part for option in options for part in option)
    example_line = f"\n  For example: {example}" if len(example) <= 200 else ""
    return (
        f"which column is the {' and which the '.join(unknown)}? Name it with "
        f"{' and '.join(f'--{name}' for name in unknown)}: {columns}{example_line}"
    )


def _notes(
    files: Sequence[TableFile], options: TableOptions, item: Sequence[str], clusters: Sequence[str]
) -> list[Problem]:
    """Return a note for each file on how it was read and which columns were guessed."""
    notes = []
    for side, file in enumerate(files):
        columns = [] if options.item or not item else [f"item: {item[0]}"]
        if not options.clusters[side]:
            columns.append(f"cluster: {clusters[side]}")
        parts = [part for part in (file.note, ", ".join(columns)) if part]
        if parts:
            code = "table-read" if file.note else "columns-guessed"
            notes.append(Problem(code, "; ".join(parts), "note", path=file.path))
    return notes


def _similar_to_clusters(columns: Sequence[str]) -> list[str]:
    """Return the columns whose names suggest clusters."""
    known = _known(columns, CLUSTERS)
    return known + [name for name in columns if "cluster" in name.lower() and name not in known]


def _select_columns(file: TableFile, names: Sequence[str], as_text: bool) -> Any:
    """Select the needed columns, with values in a form that all files share."""
    types = dict(zip(file.columns, map(str, file.relation.types), strict=True))
    parts = []
    for name in dict.fromkeys(names):
        if name not in types:
            reason = f"{file.path} has no column {name!r:.80}"
            raise OptionError(f"{reason}; its columns are {file.listed()}")
        if name in file.unusable:
            message = f"the column {name!r:.80} {file.unusable[name]}"
            raise bad_table(file.path, message, "Make it the same in all rows and files.")
        column = quote_sql(name)
        if file.is_text:
            parts.append(f"nullif(trim({column}), '') AS {column}")
        elif as_text and "INT" in types[name]:
            parts.append(f"CAST({column} AS VARCHAR) AS {column}")
        else:
            parts.append(column)
    return file.relation.project(", ".join(parts))


def _keep_rows(file: TableFile, relation: Any) -> Any:
    """Return the table of a file with the same rows each time; small tables are moved to pyarrow.

    So text is parsed once, and row numbers and random rows of a view do not change.
    """
    table = None
    if file.rows is None or file.rows <= SMALL:
        table = _move_small(relation, with_text=not file.is_stored)
    if table is not None:
        rows = table.num_rows
    elif file.is_text or file.is_view:
        engine = Engine(relation)
        table = engine.keep(engine.frame(relation)).to_native()
        ((rows,),) = table.count("*").fetchall()
    else:
        return relation
    if file.rows not in (None, rows):
        message = f"the file has {file.rows:,} rows, but DuckDB reads {rows:,}"
        raise bad_table(file.path, message, "Write the table again, with one row on each line.")
    return table


def _move_small(relation: Any, with_text: bool) -> Any:
    """Move a small relation of whole numbers, and text if allowed, to pyarrow; else return None.

    Types do not show the collation of text, by which different texts may be equal in DuckDB.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    moved = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", *(["VARCHAR"] if with_text else [])}
    if not moved.issuperset(types.values()):
        return None
    rows = relation.limit(SMALL + 1).fetchall()
    if len(rows) > SMALL:
        return None
    return arrow_table({name: type_ == "VARCHAR" for name, type_ in types.items()}, rows)


def _in_one_engine(connection: Any, tables: Sequence[Any]) -> list[Any]:
    """Return tables of pyarrow if all are, otherwise relations of DuckDB."""
    import duckdb

    relation = duckdb.DuckDBPyRelation
    if not any(isinstance(table, relation) for table in tables):
        return list(tables)
    return [
        table if isinstance(table, relation) else connection.from_arrow(table) for table in tables
    ]
