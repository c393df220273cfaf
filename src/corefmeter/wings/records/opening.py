"""Open files as tables of DuckDB, each by its content.

How text is read is decided by the whole file; see `text`. A folder is one table: its files must be
of one kind, and the columns that are used must be in all of them, with one type.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count, groupby
from typing import Any, NamedTuple

from corefmeter.formats.source import expand, open_input
from corefmeter.problems import DataError, OptionError, Problem, require
from corefmeter.wings.records.frames import first_line, quote_sql
from corefmeter.wings.records.lists import read_json_table, read_members
from corefmeter.wings.records.text import Form, bad_table, detect_form, open_text

#: Unambiguous names of columns, in lower case. Splink writes ``unique_id``, dedupe ``Cluster ID``,
#: Zingg ``z_cluster``.
ITEMS = (
    *("item", "item_id", "id", "unique_id", "record", "record_id", "rec_id"),
    *("mention", "mention_id", "row"),
)
CLUSTERS = (
    *("cluster", "cluster_id", "cluster id", "z_cluster", "entity", "entity_id"),
    *("component", "component_id", "label", "identity"),
)

#: A value that is a number.
_NUMBER = r"[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?"

#: A type of DuckDB or Arrow for whole numbers.
_INTEGER = re.compile("u?(tiny|small|big|huge)?int(eger|8|16|32|64)?", re.IGNORECASE)

#: Characters of lists, markup and prose, which labels of clusters do not have.
_NO_LABEL = r"[\s\[\](){}<>]"

#: DuckDB's error for a row with more or fewer values than others.
_WRONG_ROW = re.compile(
    r"CSV Error on Line: ([0-9]+)\b.*\bExpected Number of Columns: ([0-9]+) Found: ([0-9]+)",
    re.DOTALL,
)

#: Number of rows that are passed to DuckDB at once.
_BLOCK = 100_000

_NUMBERS = count()


class TableOptions(NamedTuple):
    """Options of the user for columns and files; None means that they are guessed.

    `table` is the name of a table in a database. `header` is whether row 1 of text has the names of
    columns. `members` is whether files are lists of members, one cluster on each line.
    """

    item: tuple[str, ...] = ()
    clusters: tuple[str | None, str | None] = (None, None)
    within: str | None = None
    table: str | None = None
    header: bool | None = None
    members: bool = False

    def names(self) -> list[str]:
        """Return the columns that the options name."""
        return [name for name in (*self.item, *self.clusters, self.within) if name is not None]


class TableFile(NamedTuple):
    """A table in files, as a relation of DuckDB, with the SHA-256 of each file.

    If it `is_text`, so are all values. `rows` is their number if they were counted before DuckDB
    reads them; `in_order`, the relation has them in the order of the file. If it `has_labels`, it
    has one column, whose name does not mean clusters; if it `is_listed`, lists of members, which
    have no names of columns. A table that `is_stored` is in a database, whose text may have a
    collation; one that `is_view` may have different rows each time. `unusable` has by column the
    reason why it can be neither item nor cluster; `note` describes how text was read.
    """

    path: str
    relation: Any
    digests: dict[str, str]
    is_text: bool = False
    rows: int | None = None
    in_order: bool = True
    has_labels: bool = False
    is_listed: bool = False
    is_view: bool = False
    is_stored: bool = False
    unusable: Mapping[str, str] = {}
    note: str | None = None

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self.relation.columns)

    def listed(self) -> str:
        """Return the names of columns for a message, up to twelve."""
        names = self.columns
        shown = ", ".join(f"{name:.40}" for name in names[:12])
        return shown if len(names) <= 12 else f"{shown} and {len(names) - 12:,} more"


def open_table(connection: Any, path: str, options: TableOptions) -> TableFile:
    """Open a file, or all files of a folder or glob, as one table."""
    import duckdb

    paths = _paths(path)
    try:
        by_kind = {_kind(file, options.members): file for file in paths}
        if len(by_kind) > 1:
            files = [f"{file} is {kind}" for kind, file in by_kind.items()]
            message = f"files of several kinds: {', '.join(files)}"
            raise bad_table(path, message, "Select files of one kind by a pattern.")
        (kind,) = by_kind
        return _READERS[kind](connection, path, paths, options)
    except OSError as error:
        message = error.strerror or str(error)
        raise DataError(Problem("unreadable", message, "error", path=path)) from None
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        hint = "Give a table as Parquet, CSV (plain, gzip or zstd), JSON, Arrow, or in DuckDB."
        raise bad_table(path, first_line(error), hint) from None


def _paths(path: str) -> list[str]:
    """Return the files of a path, without empty ones and those that Spark adds to its tables."""
    if os.path.isdir(os.path.join(path, "_delta_log")):
        hint = "Read it with the package deltalake, and give the frame to score_tables."
        raise bad_table(path, "a Delta table, whose log determines which files are valid", hint)
    files = expand(path)
    if len(files) > 1:
        relative = {file: os.path.relpath(file, path).split(os.sep) for file in files}
        files = [f for f in files if not any(p.startswith("_") for p in relative[f])] or files
        files = [file for file in files if os.path.getsize(file)] or files
    for file in files:
        if os.path.exists(file) and not os.path.isfile(file):
            hint = "Save it as a file: a table is read more than once."
            raise bad_table(file, "not a regular file", hint)
    return files


def holds_database(path: str) -> bool:
    """Return whether a path has a database of DuckDB; unreadable files are reported later."""
    with suppress(OSError):
        return any(_head(file)[8:] == b"DUCK" for file in expand(path) if os.path.isfile(file))
    return False


def _head(path: str) -> bytes:
    with open_input(path) as stream:
        return stream.read(12)


def _kind(path: str, members: bool) -> str:
    """Detect the kind of a file by its content."""
    head = _head(path)
    if head[8:] == b"DUCK":
        return "a database of DuckDB"
    if head[:4] == b"PAR1":
        return "Parquet"
    if head[:6] == b"ARROW1":
        return "Arrow"
    with open_text(path) as source:
        if source.head.lstrip()[:1] in (b"{", b"["):
            return "JSON"
    return "lists of members" if members else "CSV"


def _from_database(
    connection: Any, path: str, paths: list[str], options: TableOptions
) -> TableFile:
    """Open a table or view of a database, the only one if none is named."""
    if len(paths) > 1:
        raise bad_table(path, "several databases", "Give only one of them.")
    file, table = paths[0], options.table
    absolute = os.path.abspath(file)
    attached = connection.execute(
        "SELECT database_name FROM duckdb_databases() WHERE path = ?", [absolute]
    ).fetchall()
    if attached:  # as the other side
        ((database,),) = attached
    else:
        database = f"file_{next(_NUMBERS)}"
        connection.execute(f"ATTACH {_text(absolute)} AS {database} (READ_ONLY)")
    rows = connection.execute(
        "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = ? "
        "UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE "
        "database_name = ? AND NOT internal ORDER BY ALL",
        [database, database],
    ).fetchall()
    tables = {
        name if schema == "main" else f"{schema}.{name}": (schema, name, is_view)
        for schema, name, is_view in rows
    }
    if table is None and len(tables) == 1:
        (table,) = tables
    if table not in tables:
        which = "which table?" if table is None else f"no table {table!r}."
        raise OptionError(f"{file}: {which} Name one with --table: {', '.join(tables)}")
    schema, name, is_view = tables[table]
    _require_self_contained(file, schema, name)
    relation = connection.sql(f"FROM {'.'.join(map(quote_sql, (database, schema, name)))}")
    return TableFile(path, relation, _digests(paths), is_view=is_view, is_stored=True)


def _require_self_contained(path: str, schema: str, table: str) -> None:
    """Refuse a view that reads other files: the query may be somebody else's."""
    import duckdb

    with closing(duckdb.connect()) as isolated:
        isolated.execute(f"ATTACH {_text(os.path.abspath(path))} AS file (READ_ONLY)")
        isolated.execute("SET enable_external_access = false")
        try:
            isolated.execute(f"EXPLAIN FROM file.{quote_sql(schema)}.{quote_sql(table)}")
        except duckdb.PermissionException:
            hint = "If you trust it, make it a table by CREATE TABLE … AS FROM."
            raise bad_table(path, f"the view {table!r} reads other files", hint) from None


def _from_parquet(connection: Any, path: str, paths: list[str], options: TableOptions) -> TableFile:
    schemas = {}
    for file in paths:
        relation = connection.sql(f"FROM read_parquet({_listed([file])}, hive_partitioning=false)")
        schemas[file] = dict(zip(relation.columns, map(str, relation.types), strict=True))
    hive, unusable = _partitions(path, paths, schemas[paths[0]])
    unusable |= _find_mismatches(schemas)
    if hive or len(paths) > 1:
        relation = connection.sql(
            f"FROM read_parquet({_listed(paths)}, union_by_name=true, hive_partitioning={hive}, "
            "hive_types_autocast=false)"
        )
    return TableFile(path, relation, _digests(paths), unusable=unusable)


def _from_arrow(connection: Any, path: str, paths: list[str], options: TableOptions) -> TableFile:
    require("pyarrow", "reading Arrow files")
    # Types: pyarrow has none.
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import dataset

    schemas = {file: dataset.dataset(file, format="ipc").schema for file in paths}
    types = {
        file: dict(zip(schema.names, map(str, schema.types), strict=True))
        for file, schema in schemas.items()
    }
    unusable = _find_mismatches(types)
    usable = [
        pyarrow.schema([field for field in schema if field.name not in unusable])
        for schema in schemas.values()
    ]
    schema = pyarrow.unify_schemas(usable, promote_options="permissive")
    for name in unusable:
        schema = schema.append(next(s.field(name) for s in schemas.values() if name in s.names))
    files = dataset.dataset(paths, schema=schema, format="ipc")
    return TableFile(path, connection.from_arrow(files), _digests(paths), unusable=unusable)


def _from_lists(connection: Any, path: str, paths: list[str], options: TableOptions) -> TableFile:
    if len(paths) > 1:
        raise bad_table(path, "several list or JSON files", "Give only one of them.")
    is_json = _kind(paths[0], options.members) == "JSON"
    listed = (read_json_table if is_json else read_members)(paths[0])
    name = f"listed_{next(_NUMBERS)}"
    store_columns(connection, name, list(listed.columns), list(listed.columns.values()))
    return TableFile(
        path,
        connection.table(name),
        {paths[0]: listed.digest},
        not is_json,
        is_listed=listed.is_lists,
        unusable=listed.unusable,
        note=listed.note,
    )


def _from_text(connection: Any, path: str, paths: list[str], options: TableOptions) -> TableFile:
    names = {*ITEMS, *CLUSTERS, *(name.strip().lower() for name in options.names())}
    forms = {file: detect_form(file, names) for file in paths}
    for file, form in forms.items():
        if len(form.first) == 1 and not _names_columns(form, names):
            _require_labels(connection, file, form)
    header = options.header
    if header is None:
        header = _detect_header(connection, path, forms, names)
    columns = {file: _columns(file, form, header) for file, form in forms.items()}
    first_form, first_columns = forms[paths[0]], columns[paths[0]]
    hive, unusable = _partitions(path, paths, first_columns)
    unusable |= _find_mismatches(
        {file: dict.fromkeys(names, "VARCHAR") for file, names in columns.items()}
    )

    def how_to_read(file: str) -> tuple[Any, ...]:
        return columns[file], forms[file].separator, forms[file].quotes, _compression(file)

    groups = [list(group) for _, group in groupby(paths, how_to_read)]
    queries = [
        _csv_query(group, forms[group[0]], columns[group[0]], header, hive) for group in groups
    ]
    rows = sum(form.rows - header for form in forms.values())
    is_named = header if options.header is None else _names_columns(first_form, names)
    return TableFile(
        path,
        connection.sql(" UNION ALL BY NAME ".join(queries)),
        {file: form.digest for file, form in forms.items()},
        is_text=True,
        rows=rows,
        in_order=len(groups) == 1,
        has_labels=len(first_columns) == 1 and not is_named,
        unusable=unusable,
        note=first_form.note(header, rows),
    )


def _detect_header(
    connection: Any, path: str, forms: Mapping[str, Form], names: Iterable[str]
) -> bool:
    """Return whether row 1 of files is a header; refuse files if they differ."""
    with_header = {file: _names_columns(form, names) for file, form in forms.items()}
    if not any(with_header.values()):
        with_header = {file: _has_header(connection, file, form) for file, form in forms.items()}
    first_file = {is_header: file for file, is_header in reversed(with_header.items())}
    if len(first_file) > 1:
        message = f"row 1 of {first_file[True]} is a header, but that of {first_file[False]} is not"
        raise bad_table(path, message, "Give all files a header, or none.")
    return True in first_file


_READERS = {
    "a database of DuckDB": _from_database,
    "Parquet": _from_parquet,
    "Arrow": _from_arrow,
    "JSON": _from_lists,
    "lists of members": _from_lists,
    "CSV": _from_text,
}


def _names_columns(form: Form, names: Iterable[str]) -> bool:
    """Return whether row 1 has a known name of a column, or the name of a file of identities."""
    return any(value.lower() in names or value.startswith("identity.") for value in form.first)


def _has_header(connection: Any, path: str, form: Form) -> bool:
    """Return whether row 1 is a header although it has no known name; refuse if in doubt.

    It is a header if a file of identities next to the file has exactly the number of rows below it.
    It is data if it has numbers in all columns in which all rows below have numbers.
    """
    identity = identity_of(path)
    if os.path.isfile(identity):
        identity_form = detect_form(identity, CLUSTERS)
        rows = identity_form.rows - _names_columns(identity_form, CLUSTERS)
        if form.rows == rows + 1:
            return True
    names = tuple(f"column{place}" for place in range(len(form.first)))
    query = _csv_query([path], form, names, True, False)
    tests = ", ".join(
        f"bool_and(regexp_full_match(trim({quote_sql(name)}), '{_NUMBER}'))" for name in names
    )
    (are_numbers_below,) = connection.sql(f"SELECT {tests} FROM ({query})").fetchall()
    are_numbers = [re.fullmatch(_NUMBER, value) is not None for value in form.first]
    # pandas writes 0, 1, … as the header of columns without names.
    is_numbered = len(names) > 1 and list(form.first) == list(map(str, range(len(names))))
    fits = all(own for own, below in zip(are_numbers, are_numbers_below, strict=True) if below)
    if not is_numbered and any(are_numbers_below) and fits:
        return False
    message = f"row 1 may be a header or data: {', '.join(form.first)!r:.80}"
    hint = "Choose with --header yes or --header no."
    raise bad_table(path, message, hint, 1)


def _require_labels(connection: Any, path: str, form: Form) -> None:
    """Refuse a column without a known name that has anything but labels of clusters."""
    query = _csv_query([path], form, ("label",), False, False)
    ((wrong,),) = connection.sql(
        f"SELECT count(*) FILTER (WHERE regexp_matches(trim(label), '{_NO_LABEL}')) FROM ({query})"
    ).fetchall()
    if wrong:
        hint = (
            "A file with one column has a label in each row. To read lists of members, one cluster "
            "on each line, add --members. Labels with spaces need a header such as cluster."
        )
        message = f"one column, with brackets or spaces in {wrong:,} of {form.rows:,} rows"
        raise bad_table(path, message, hint)


def _columns(path: str, form: Form, header: bool) -> tuple[str, ...]:
    """Return the names of columns; those without a name are called ``column0`` and so on."""
    first = form.first if header else [""] * len(form.first)
    names = tuple(name or f"column{place}" for place, name in enumerate(first))
    repeated = [name for name, times in Counter(map(str.lower, names)).items() if times > 1]
    if repeated:
        hint = "Names of columns must differ by more than upper and lower case."
        raise bad_table(path, f"the header has {repeated[0]!r:.80} more than once", hint, 1)
    return names


def _csv_query(
    paths: Sequence[str], form: Form, names: Sequence[str], header: bool, hive: bool
) -> str:
    """Return the query that reads files in a given form, so that DuckDB guesses nothing."""
    marks = [_text(form.separator or "\x1f"), *[_text('"' if form.quotes else "")] * 2]
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in names)
    return (
        f"SELECT * FROM read_csv({_listed(paths)}, auto_detect=false, header={header}, "
        f"delim={marks[0]}, quote={marks[1]}, escape={marks[2]}, "
        f"compression='{_compression(paths[0])}', hive_partitioning={hive}, "
        f"hive_types_autocast=false, columns={{{columns}}})"
    )


def _compression(path: str) -> str:
    """Return DuckDB's name of the compression of a file."""
    head = _head(path)
    if head.startswith(b"\xfd7zXZ"):
        raise bad_table(path, "compressed by xz, which DuckDB does not read", "Use gzip or zstd.")
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "zstd" if head.startswith(b"\x28\xb5\x2f\xfd") else "none"


def _listed(paths: Sequence[str]) -> str:
    """Return paths as a list of SQL, so that DuckDB takes none for a pattern or an address."""
    return f"[{', '.join(_text(glob.escape(os.path.abspath(file))) for file in paths)}]"


def _text(value: str) -> str:
    return quote_sql(value, "'")


def _partitions(
    path: str, paths: Sequence[str], columns: Iterable[str]
) -> tuple[bool, dict[str, str]]:
    """Return whether folders such as ``day=1`` are columns, and columns that clash with them."""
    if not os.path.isdir(path):
        return False, {}
    keys = []
    for file in paths:
        folders = os.path.relpath(file, path).split(os.sep)[:-1]
        keys.append({name.partition("=")[0].lower() for name in folders if "=" in name})
    if not any(keys):
        return False, {}
    clashing = {
        name: "is the name both of a column and of folders"
        for name in columns
        if name.lower() in set().union(*keys)
    }
    is_above = any(name.lower() + "=" in os.path.abspath(path).lower() for name in columns)
    are_alike = all(names == keys[0] for names in keys)
    return are_alike and not clashing and not is_above, clashing


def _find_mismatches(schemas: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return by column why it cannot be used: files lack it, or have it with different types.

    `schemas` has the types of the columns of each file, by path.
    """
    reasons = {}
    for name in dict.fromkeys(name for schema in schemas.values() for name in schema):
        lacking = [path for path, schema in schemas.items() if name not in schema]
        types = {schema[name]: path for path, schema in schemas.items() if name in schema}
        if lacking:
            reasons[name] = f"is not in {lacking[0]}"
        elif len(types) > 1 and not all(map(_INTEGER.fullmatch, types)):
            reasons[name] = "holds " + ", ".join(
                f"{kind} in {path}" for kind, path in types.items()
            )
    return reasons


def identity_of(path: str) -> str:
    """Return the file that gives the cluster of each row of another file."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f"identity.{name}")


def store_columns(
    connection: Any, table: str, header: Sequence[str], columns: Sequence[list[Any]]
) -> None:
    """Create a temporary table from columns of values; rows keep their order."""
    types = list(map(_sql_type, columns))
    declared = ", ".join(
        f"{quote_sql(name)} {type_}" for name, type_ in zip(header, types, strict=True)
    )
    connection.execute(f"CREATE TEMPORARY TABLE {table} ({declared})")
    values = ", ".join(f"unnest(${place}::{type_}[])" for place, type_ in enumerate(types, 1))
    for start in range(0, len(columns[0]), _BLOCK):
        block = [column[start : start + _BLOCK] for column in columns]
        connection.execute(f"INSERT INTO {table} SELECT {values}", block)


def _sql_type(column: Sequence[Any]) -> str:
    """Return the type of a column of untyped values: text, unless all are numbers."""
    types = {type(value) for value in column if value is not None}
    if types == {int}:
        return "BIGINT"
    return "DOUBLE" if types == {float} else "VARCHAR"


@contextmanager
def report_damage(*paths: str | None) -> Iterator[None]:
    """Report a file that turns out to be damaged while it is read as ``bad-table``."""
    import duckdb

    # Other subclasses of these errors, such as for memory or a wrong query, are not damage.
    damage = (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException)
    try:
        yield
    except Exception as error:
        is_arrow = type(error).__module__ == "pyarrow.lib" and not isinstance(error, MemoryError)
        if not (is_arrow or isinstance(error, damage) or type(error) is duckdb.Error):
            raise
        message = str(error)
        files = [path for path in paths if path]
        named = [file for file in files if glob.escape(os.path.abspath(file)) in message]
        path = named[0] if named else " or ".join(files)
        if wrong_row := _WRONG_ROW.search(message):
            line, expected, values = map(int, wrong_row.groups())
            reason = f"a row of {values} values, where row 1 has {expected}"
            hint = "Give all rows the same number of values."
            raise bad_table(path, reason, hint, line) from None
        hint = "Write the file again, or check that it was copied completely."
        limit = re.search("Maximum line size.*", message)
        reason = limit[0] if limit else f"damaged: {first_line(error)}"
        raise bad_table(path, reason, hint) from None


def _digests(paths: Sequence[str]) -> dict[str, str]:
    digests = {}
    for file in paths:
        with open_input(file) as stream:
            # Types: a raw file is sufficient.
            digest = hashlib.file_digest(stream, "sha256")  # type: ignore[arg-type]
        digests[file] = digest.hexdigest()
    return digests
