"""Tables in files, scored by DuckDB: Parquet, CSV, Arrow, databases of DuckDB.

What a file is, its content says. Values of CSV are text, without the spaces around them: ``01`` is
not ``1``. If one side is CSV and the other has whole numbers, these are compared as text.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from corefmeter.formats.output import path_to
from corefmeter.formats.source import expand, note_input, open_input
from corefmeter.problems import DataError, OptionError, Problem, require
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.tables.calls import plain, scored, scored_overlap
from corefmeter.tables.frames import Engine, quoted, told
from corefmeter.tables.query import DOCUMENT, OVERLAP
from corefmeter.tables.worst import Worst, looked_at

#: Names of columns that leave no doubt, in small letters.
ITEMS = ("item", "item_id", "id", "record", "record_id", "rec_id", "mention", "mention_id", "row")
CLUSTERS = ("cluster", "cluster_id", "entity", "entity_id", "component", "component_id", "label")

#: Ids of generated records that say from which record each was made.
_ORIGIN = r"^(rec-[0-9]+)-(org|dup-[0-9]+)$"

#: The number of a row, as the text that values of such files are.
_ROW = 'CAST(row_number() OVER () AS VARCHAR) AS "row"'


class Asked(NamedTuple):
    """What the user says of the columns; what is None is guessed.

    Attributes
    ----------
    item
        The columns that make up an item.
    clusters
        The column with the cluster in the key, and in the response.
    within, table
        The column with the document; the table in a database.
    """

    item: tuple[str, ...] = ()
    clusters: tuple[str | None, str | None] = (None, None)
    within: str | None = None
    table: str | None = None


class Limits(NamedTuple):
    """What DuckDB may use: memory such as ``8GB``, threads, a folder for what does not fit."""

    memory: str | None = None
    threads: int | None = None
    temporary: str | None = None


class _File(NamedTuple):
    path: str
    relation: Any
    is_text: bool

    @property
    def columns(self) -> list[str]:
        return list(self.relation.columns)


class Tables(NamedTuple):
    """Two tables in files, with the columns that count; `response` is None if `key` has both.

    Attributes
    ----------
    key, response
        Relations of DuckDB.
    columns
        Arguments of `score_tables`: item, cluster, within.
    paths
        The files of both.
    problems
        What was guessed.
    digests
        The SHA-256 of each file.
    """

    key: Any
    response: Any
    columns: dict[str, Any]
    paths: tuple[str, str]
    problems: list[Problem]
    digests: dict[str, str]

    def score(self, recipe: Recipe) -> Result:
        """As `score_tables`."""
        result = scored(self.key, self.response, recipe, **self.columns, paths=self.paths,
                        digests=self.digests, steady=True)  # fmt: skip
        result.problems[:0] = self.problems
        return result

    def worst(self, recipe: Recipe, most: int, items: int) -> Worst:
        """As `worst_clusters`; what is noticed is what `score` notices."""
        return looked_at(self.key, self.response, recipe, **self.columns, most=most, items=items,
                         paths=self.paths, steady=True)[0]  # fmt: skip


@contextmanager
def tables_in(
    key: str, response: str | None, recipe: Recipe, asked: Asked, limits: Limits
) -> Iterator[Tables]:
    """The tables in a file and in another, or in other columns of the same.

    Raises
    ------
    DataError
        For files that cannot be read, and what `score_tables` refuses.
    OptionError
        Where no column can be guessed, and for packages that are missing.
    """
    plain(recipe)
    require("duckdb", "scoring tables in files", "'corefmeter[tables]'")
    with _undamaged(key, response), told(), closing(_connected(limits)) as connection:
        files = [_opened(connection, path, asked.table) for path in (key, response) if path]
        problems: list[Problem] = []
        beside: list[str] = []
        named = asked.clusters
        if not named[0]:
            files[0], found = _with_key(connection, files[0], named[1], problems, beside)
            named = (found, named[1])
        if not asked.item and response:
            files = _with_rows(files, bool(beside))
        item = asked.item
        if not item and response is not None:
            item = (_guessed("item", ITEMS, files, problems),)
        clusters = [
            named[side] or _guessed("cluster", CLUSTERS, [file], problems, item)
            for side, file in enumerate(files if response else files * 2)
        ]
        within = [] if asked.within is None else [asked.within]
        relations = [
            _taken(file, [*within, *item, *names], any(other.is_text for other in files))
            for file, names in zip(
                files, [[one] for one in clusters] if response else [clusters], strict=True
            )
        ]
        yield Tables(
            relations[0],
            relations[1] if response else None,
            {"item": item, "cluster": (clusters[0], clusters[1]), "within": asked.within},
            (key, response or key),
            problems,
            dict(
                digest
                for path in (*(file.path for file in files), *beside)
                for digest in _digests(path)
            ),
        )


def write_parquet(header: Sequence[str], rows: Iterable[Sequence[Any]], path: str) -> None:
    """Write rows as Parquet.

    Raises
    ------
    DataError
        ``output-is-input`` for a file that is read, ``unwritable``.
    """
    import duckdb

    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    made = ", ".join(
        f"unnest(${place}{_typed(column)}) AS {quoted(name)}"
        for place, (name, column) in enumerate(zip(header, columns, strict=True), 1)
    )
    with duckdb.connect() as connection, path_to(path) as place:
        connection.execute(f"CREATE TABLE found AS SELECT {made}", columns)
        try:
            connection.execute(f"COPY found TO {quoted(place, chr(39))} (FORMAT parquet)")
        except duckdb.IOException as error:
            reason = f"cannot be written: {str(error).splitlines()[0]}"
            raise DataError(Problem("unwritable", reason, "error", path=path)) from None


def _typed(column: Sequence[Any]) -> str:
    """The type of a column whose values do not say it themselves: texts, unless all are numbers."""
    known = {type(value) for value in column if value is not None}
    return "::BIGINT[]" if known == {int} else "::VARCHAR[]"


def score_overlap(path: str, recipe: Recipe, table: str | None, limits: Limits) -> Result:
    """Score an overlap table in a file; see `count_overlap`.

    Raises
    ------
    DataError
        For a file that cannot be read, and rows that are no overlap table.
    OptionError
        For a column that is not there, and packages that are missing.
    """
    plain(recipe)
    require("duckdb", "scoring tables in files", "'corefmeter[tables]'")
    with _undamaged(path), told(), closing(_connected(limits)) as connection:
        file = _opened(connection, path, table)
        names = [*([DOCUMENT] if DOCUMENT in file.columns else []), *OVERLAP]
        cells = _taken(file, names, False).project(
            ", ".join(_whole(name) if name in OVERLAP[2:] else name for name in names)
        )
        return scored_overlap(cells, recipe, path, dict(_digests(path)))


def _whole(name: str) -> str:
    """A whole number, also as text or as 3.0; null where a value is none."""
    text = f"CAST({name} AS VARCHAR)"
    return (
        f"CASE WHEN regexp_full_match({text}, '[0-9]+([.]0+)?') THEN TRY_CAST({text} AS BIGINT) "
        f"END AS {name}"
    )


def _connected(limits: Limits) -> Any:
    """A connection to DuckDB in memory."""
    import duckdb

    connection = duckdb.connect()
    settings = zip(
        Limits._fields, ("memory_limit", "threads", "temp_directory"), limits, strict=True
    )
    for option, name, value in settings:
        if value is not None:
            try:
                connection.execute(f"SET {name} = {quoted(str(value), chr(39))}")
            except duckdb.Error as error:
                reason = str(error).splitlines()[0]
                raise OptionError(f"{option} {value!r} cannot be set: {reason}") from None
    return connection


def _opened(connection: Any, path: str, table: str | None) -> _File:
    """A file, or all files of a folder or glob, as a relation."""
    import duckdb

    paths = expand(path)
    if len(paths) > 1:  # a folder that Spark wrote holds _SUCCESS
        paths = [one for one in paths if not os.path.basename(one).startswith("_")] or paths
    for one in paths:
        note_input(one)
    try:
        with open_input(paths[0]) as stream:
            head = stream.read(12)
        if head[8:] == b"DUCK":
            return _File(path, _in_database(connection, paths[0], table), False)
        if head[:4] == b"PAR1":
            return _File(path, connection.read_parquet(paths), False)
        if head[:6] == b"ARROW1":
            require("pyarrow", "reading Arrow files")
            # Types: pyarrow has none.
            from pyarrow import dataset  # type: ignore[import-untyped]

            return _File(path, connection.from_arrow(dataset.dataset(paths, format="ipc")), False)
        return _File(path, connection.read_csv(paths, all_varchar=True), True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(Problem("unreadable", reason, "error", path=path)) from None
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        raise DataError(
            Problem("bad-table", str(error).splitlines()[0], "error", path=path,
                    hint="Tables are Parquet, CSV (plain, gzip or zstd), Arrow, or in DuckDB.")
        ) from None  # fmt: skip


@contextmanager
def _undamaged(*paths: str | None) -> Iterator[None]:
    """Tell of a file that turns out to be damaged while it is read.

    Raises
    ------
    DataError
        ``bad-table``
    """
    import duckdb

    # What has a class of its own is no damage: memory, a query that does not fit.
    damage = (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException)
    try:
        yield
    except Exception as error:
        arrow = type(error).__module__ == "pyarrow.lib" and not isinstance(error, MemoryError)
        if not (arrow or isinstance(error, damage) or type(error) is duckdb.Error):
            raise
        read = [path for path in paths if path]
        path = next((one for one in read if one in str(error)), " or ".join(read))
        reason = f"damaged: {(str(error).strip() or type(error).__name__).splitlines()[0]}"
        raise DataError(Problem("bad-table", reason, "error", path=path)) from None


def _in_database(connection: Any, path: str, table: str | None) -> Any:
    """A table of a database; the only one, if none is named."""
    name = f"file_{len(connection.sql('SHOW DATABASES').fetchall())}"
    connection.execute(f"ATTACH {quoted(path, chr(39))} AS {name} (READ_ONLY)")
    found = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? UNION ALL "
        "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ? AND NOT "
        "internal ORDER BY ALL", [name, name],
    ).fetchall()  # fmt: skip
    known = {one if schema == "main" else f"{schema}.{one}": (schema, one) for schema, one in found}
    if table is None and len(known) == 1:
        (table,) = known
    if table not in known:
        which = "which table?" if table is None else f"no table {table!r}."
        raise OptionError(f"{path}: {which} Name one with --table: {', '.join(known)}")
    _require_closed(path, known[table])
    return connection.sql(f"FROM {'.'.join(map(quoted, (name, *known[table])))}")


def _require_closed(path: str, table: Sequence[str]) -> None:
    """Refuse a view that reaches out of its file: somebody else may have written the query."""
    import duckdb

    with closing(duckdb.connect()) as alone:
        alone.execute(f"ATTACH {quoted(path, chr(39))} AS file (READ_ONLY)")
        alone.execute("SET enable_external_access = false")
        try:
            alone.execute(f"EXPLAIN FROM {'.'.join(map(quoted, ('file', *table)))}")
        except duckdb.PermissionException:
            reason = f"the view {table[-1]!r} reads other files"
            hint = "Make it a table, by CREATE TABLE … AS FROM, if you trust it."
            raise DataError(Problem("bad-table", reason, "error", path=path, hint=hint)) from None


def _with_key(
    connection: Any, key: _File, response: str | None, problems: list[Problem], beside: list[str]
) -> tuple[_File, str | None]:
    """A file of records and the column that says which belong together, if no name does so.

    That is a file ``identity.NAME`` beside it, of one column, row by row; or ids that say of which
    record each is a copy. `response` is the column of the other clusters, if known; the files read
    are added to `beside`. Of a response such things say nothing: it must have found them itself.
    """
    rest = [name for name in key.columns if name not in (response, *_known(key.columns, ITEMS))]
    if not key.is_text or len(rest) < 2 or _known(rest, CLUSTERS):
        return key, None
    folder, name = os.path.split(key.path)
    identity = os.path.join(folder, f"identity.{name}")
    if os.path.isfile(identity):
        other = _opened(connection, identity, None)
        if other.is_text and len(other.columns) == 1:
            _require_as_many_rows(key, other)
            beside.append(identity)
            said = f"the rows of {identity} say which cluster each row is in"
            problems.append(Problem("columns-guessed", said, "note", path=key.path))
            column = f"{quoted(other.columns[0])} AS identity, {_ROW}"
            joined = _numbered(key).relation.join(other.relation.project(column), "row")
            return key._replace(relation=joined), "identity"
    if "rec_id" not in key.columns:
        return key, None
    made = f"regexp_extract(trim(rec_id), '{_ORIGIN}', 1)"
    ((rows, without),) = key.relation.aggregate(
        f"count(*), count(*) FILTER (WHERE {made} = '')"
    ).fetchall()
    if without or not rows:
        return key, None
    said = "the ids of column 'rec_id' say of which record each is a copy: that is the cluster"
    problems.append(Problem("columns-guessed", said, "note", path=key.path))
    return key._replace(relation=key.relation.project(f"*, {made} AS origin")), "origin"


def _with_rows(files: list[_File], by_rows: bool) -> list[_File]:
    """Files whose rows are items in their order, with the number of each row as the item.

    These are text without a column that names an item, where the key has no other column than the
    clusters, or clusters that are `by_rows`.
    """
    if not (by_rows or len(files[0].columns) == 1) or _known(files[0].columns, ITEMS[:-1]):
        return files
    if any(not file.is_text or _known(file.columns, ITEMS[:-1]) for file in files):
        return files
    for other in files[1:]:
        if "row" not in other.columns:
            _require_as_many_rows(files[0], other)
    return [file if "row" in file.columns else _numbered(file) for file in files]


def _numbered(file: _File) -> _File:
    return file._replace(relation=file.relation.project(f"*, {_ROW}"))


def _require_as_many_rows(file: _File, other: _File) -> None:
    numbers = [one.relation.count("*").fetchall()[0][0] for one in (file, other)]
    if numbers[0] != numbers[1]:
        said = f"has {numbers[1]} rows, but {file.path} has {numbers[0]}: they differ row by row"
        hint = "Give both a column that says which item a row is, with --item."
        raise DataError(Problem("bad-table", said, "error", path=other.path, hint=hint))


def _known(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    return [column for column in columns if column.strip().lower() in names]


def _guessed(
    what: str, names: Sequence[str], files: Sequence[_File], problems: list[Problem],
    taken: Sequence[str] = (),
) -> str:  # fmt: skip
    """The column whose name leaves no doubt in all files."""
    found = []
    for file in files:
        rest = [column for column in file.columns if column not in taken]
        known = _known(rest, names)
        if not known and len(rest) == 1:
            known = rest
        found.append(known)
    common = [name for name in found[0] if all(name in known for known in found)]
    if len(common) != 1:
        columns = "; ".join(f"{file.path} has {', '.join(file.columns)}" for file in files)
        raise OptionError(f"which column is the {what}? Name it with --{what}: {columns}")
    for file in files:
        said = f"the column {common[0]!r} is taken for the {what}"
        problems.append(Problem("columns-guessed", said, "note", path=file.path))
    return common[0]


def _taken(file: _File, names: Sequence[str], as_text: bool) -> Any:
    """The columns that are needed, with values that can be compared with those of other files."""
    types = dict(zip(file.columns, map(str, file.relation.types), strict=True))
    parts = []
    for name in dict.fromkeys(names):
        if name not in types:
            known = ", ".join(file.columns)
            raise OptionError(f"{file.path}: no column {name!r}. It has: {known}")
        column = quoted(name)
        if file.is_text:
            parts.append(f"nullif(trim({column}), '') AS {column}")
        elif as_text and "INT" in types[name]:
            parts.append(f"CAST({column} AS VARCHAR) AS {column}")
        else:
            parts.append(column)
    relation = file.relation.project(", ".join(parts))
    if not file.is_text:
        return relation
    # Text is read once, not in every step; and numbers of rows stay what they are.
    engine = Engine(relation)
    return engine.kept(engine.frame(relation)).to_native()


def _digests(path: str) -> list[tuple[str, str]]:
    """The SHA-256 of each file."""
    found = []
    for one in expand(path):
        with open_input(one) as stream:
            # Types: a raw file is all that is needed.
            digest = hashlib.file_digest(stream, "sha256")  # type: ignore[arg-type]
        found.append((one, digest.hexdigest()))
    return found
