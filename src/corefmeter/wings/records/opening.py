"""Open files as tables of DuckDB, each by its content.

How text is read is found over the whole file, see `text`. A folder is one table: its files must be
of one kind, and a column that is used must be in all of them, with one type.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import count, groupby
from typing import Any, NamedTuple

from corefmeter.formats.source import expand, open_input
from corefmeter.problems import DataError, OptionError, Problem, require
from corefmeter.wings.records.frames import first_line, quote_sql
from corefmeter.wings.records.lists import members_of, table_of_json
from corefmeter.wings.records.text import Form, bad_table, form_of, text_of

#: Names of columns that leave no doubt, in small letters; Splink writes ``unique_id``, dedupe
#: ``Cluster ID``, Zingg ``z_cluster``.
ITEMS = (
    *("item", "item_id", "id", "unique_id", "record", "record_id", "rec_id"),
    *("mention", "mention_id", "row"),
)

CLUSTERS = (
    *("cluster", "cluster_id", "cluster id", "z_cluster"),
    "entity",
    "entity_id",
    "component",
    "component_id",
    "label",
    "identity",
)

#: A value that is a number; a type of DuckDB or Arrow for whole numbers.
_NUMBER = r"[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?"

_INTEGER = re.compile("u?(tiny|small|big|huge)?int(eger|8|16|32|64)?", re.IGNORECASE)

#: What no label of a cluster has: it is of a list, of markup or of prose.
_NO_LABEL = r"[\s\[\](){}<>]"

#: What DuckDB says of a row with more or fewer values than others.
_WRONG_ROW = re.compile(
    r"CSV Error on Line: ([0-9]+)\b.*\bExpected Number of Columns: ([0-9]+) Found: ([0-9]+)",
    re.DOTALL,
)

#: Values that are given to DuckDB at once.
_BLOCK = 100_000

_NUMBERS = count()


class Asked(NamedTuple):
    """Options of the user for columns and files; None means that they are guessed.

    `table` is that of a database; `header` whether row 1 of text has the names of columns;
    `members` whether files are lists of members, one cluster a line.
    """

    item: tuple[str, ...] = ()
    clusters: tuple[str | None, str | None] = (None, None)
    within: str | None = None
    table: str | None = None
    header: bool | None = None
    members: bool = False

    def names(self) -> list[str]:
        """Return the columns that are named."""
        return [name for name in (*self.item, *self.clusters, self.within) if name is not None]


class Opened(NamedTuple):
    """A table in files, as a relation of DuckDB, with the SHA-256 of each file.

    Attributes
    ----------
    is_text
        Whether all values are text.
    rows
        How many rows there are, if they were counted before DuckDB reads them.
    in_order
        Whether the rows of the relation are in the order of the file.
    has_labels
        Whether it has one column, without a name that means clusters.
    is_listed
        Whether it is of lists of members, which give columns no names.
    is_view
        Whether it is a view of a database, which may have other rows at each use.
    unusable
        Why a column can be neither item nor cluster.
    note
        How text was read.
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
    unusable: Mapping[str, str] = {}
    note: str | None = None

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self.relation.columns)

    def listed(self) -> str:
        """Return the names of columns for a message, no more than it has room for."""
        names = self.columns
        shown = ", ".join(f"{name:.40}" for name in names[:12])
        return shown if len(names) <= 12 else f"{shown} and {len(names) - 12:,} more"


def open_table(connection: Any, path: str, asked: Asked) -> Opened:
    """Open a file, or all files of a folder or glob, as one table."""
    import duckdb

    paths = _paths(path)
    try:
        kinds = {one: _kind(one, asked.members) for one in paths}
        if len(set(kinds.values())) > 1:
            first, other = list(dict(zip(kinds.values(), kinds, strict=True)).items())[:2]
            message = f"files of two kinds: {first[1]} is {first[0]}, {other[1]} is {other[0]}"
            raise bad_table(path, message, "Name the files of one kind, by a pattern.")
        return _READERS[kinds[paths[0]]](connection, path, paths, asked)
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(Problem("unreadable", reason, "error", path=path)) from None
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        hint = "Tables are Parquet, CSV (plain, gzip or zstd), JSON, Arrow, or in DuckDB."
        raise bad_table(path, first_line(error), hint) from None


def _paths(path: str) -> list[str]:
    """Return the files of a path, without those that Spark adds to its tables."""
    if os.path.isdir(os.path.join(path, "_delta_log")):
        hint = "Read it with the package deltalake, and give the frame to score_tables."
        raise bad_table(path, "a Delta table, whose log says which of its files count", hint)
    paths = expand(path)
    if len(paths) > 1:
        paths = [
            one
            for one in paths
            if not any(part.startswith("_") for part in os.path.relpath(one, path).split(os.sep))
        ] or paths
        paths = [one for one in paths if os.path.getsize(one)] or paths
    for one in paths:
        if os.path.exists(one) and not os.path.isfile(one):
            raise bad_table(one, "not a regular file", "Save it: a table is read more than once.")
    return paths


def holds_database(path: str) -> bool:
    """Return whether a path has a database of DuckDB."""
    return any(_head(one)[8:] == b"DUCK" for one in expand(path) if os.path.isfile(one))


def _head(path: str) -> bytes:
    with open_input(path) as stream:
        return stream.read(12)


def _kind(path: str, members: bool) -> str:
    """Detect a file's type by its content."""
    head = _head(path)
    if head[8:] == b"DUCK":
        return "a database of DuckDB"
    if head[:4] == b"PAR1":
        return "Parquet"
    if head[:6] == b"ARROW1":
        return "Arrow"
    with text_of(path) as source:
        if source.head.lstrip()[:1] in (b"{", b"["):
            return "JSON"
    return "lists of members" if members else "CSV"


def _from_database(connection: Any, path: str, paths: list[str], asked: Asked) -> Opened:
    if len(paths) > 1:
        raise bad_table(path, "several databases", "Name one of them.")
    relation, is_view = _open_in_database(connection, paths[0], asked.table)
    return Opened(path, relation, _digests(paths), is_view=is_view)


def _open_in_database(connection: Any, path: str, table: str | None) -> tuple[Any, bool]:
    """Return a table or view, the only one if none is named, and whether it is a view."""
    place = os.path.abspath(path)
    attached = connection.execute(
        "SELECT database_name FROM duckdb_databases() WHERE path = ?", [place]
    ).fetchall()
    if attached:  # as the other side
        ((name,),) = attached
    else:
        name = f"file_{next(_NUMBERS)}"
        connection.execute(f"ATTACH {_text(place)} AS {name} (READ_ONLY)")
    found = connection.execute(
        "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = ? "
        "UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE "
        "database_name = ? AND NOT internal ORDER BY ALL",
        [name, name],
    ).fetchall()
    known = {
        one if schema == "main" else f"{schema}.{one}": (schema, one, is_view)
        for schema, one, is_view in found
    }
    if table is None and len(known) == 1:
        (table,) = known
    if table not in known:
        which = "which table?" if table is None else f"no table {table!r}."
        raise OptionError(f"{path}: {which} Name one with --table: {', '.join(known)}")
    *place_inside, is_view = known[table]
    _require_closed(path, place_inside)
    return connection.sql(f"FROM {'.'.join(map(quote_sql, (name, *place_inside)))}"), is_view


def _require_closed(path: str, table: Sequence[str]) -> None:
    """Refuse a view that reaches out of its file: somebody else may have written the query."""
    import duckdb

    with closing(duckdb.connect()) as alone:
        alone.execute(f"ATTACH {_text(os.path.abspath(path))} AS file (READ_ONLY)")
        alone.execute("SET enable_external_access = false")
        try:
            alone.execute(f"EXPLAIN FROM {'.'.join(map(quote_sql, ('file', *table)))}")
        except duckdb.PermissionException:
            reason = f"the view {table[-1]!r} reads other files"
            hint = "Make it a table, by CREATE TABLE … AS FROM, if you trust it."
            raise DataError(Problem("bad-table", reason, "error", path=path, hint=hint)) from None


def _from_parquet(connection: Any, path: str, paths: list[str], asked: Asked) -> Opened:
    schemas = {}
    for one in paths:
        relation = connection.sql(f"FROM read_parquet({_listed([one])}, hive_partitioning=false)")
        schemas[one] = dict(zip(relation.columns, map(str, relation.types), strict=True))
    hive, unusable = _partitions(path, paths, schemas[paths[0]])
    unusable |= _find_mismatches(schemas)
    if hive or len(paths) > 1:
        relation = connection.sql(
            f"FROM read_parquet({_listed(paths)}, union_by_name=true, hive_partitioning={hive}, "
            "hive_types_autocast=false)"
        )
    return Opened(path, relation, _digests(paths), unusable=unusable)


def _from_arrow(connection: Any, path: str, paths: list[str], asked: Asked) -> Opened:
    require("pyarrow", "reading Arrow files")
    # Types: pyarrow has none.
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import dataset

    schemas = {one: dataset.dataset(one, format="ipc").schema for one in paths}
    types = {
        one: dict(zip(schema.names, map(str, schema.types), strict=True))
        for one, schema in schemas.items()
    }
    unusable = _find_mismatches(types)
    kept = [[field for field in of if field.name not in unusable] for of in schemas.values()]
    schema = pyarrow.unify_schemas(map(pyarrow.schema, kept), promote_options="permissive")
    for name in unusable:
        field = next(of.field(name) for of in schemas.values() if name in of.names)
        schema = schema.append(field)
    files = dataset.dataset(paths, schema=schema, format="ipc")
    return Opened(path, connection.from_arrow(files), _digests(paths), unusable=unusable)


def _from_lists(connection: Any, path: str, paths: list[str], asked: Asked) -> Opened:
    if len(paths) > 1:
        raise bad_table(path, "several files of lists or of JSON", "Name one of them.")
    is_json = _kind(paths[0], asked.members) == "JSON"
    listed = (table_of_json if is_json else members_of)(paths[0])
    name = f"listed_{next(_NUMBERS)}"
    store_columns(connection, name, list(listed.columns), list(listed.columns.values()))
    return Opened(
        path,
        connection.table(name),
        {paths[0]: listed.digest},
        not is_json,
        is_listed=listed.is_lists,
        unusable=listed.unusable,
        note=listed.note,
    )


def _from_text(connection: Any, path: str, paths: list[str], asked: Asked) -> Opened:
    names = {*ITEMS, *CLUSTERS, *(one.strip().lower() for one in asked.names())}
    forms = {one: form_of(one, names) for one in paths}
    known = {one: _names_columns(form, names) for one, form in forms.items()}
    for one, form in forms.items():
        if len(form.first) == 1 and not known[one]:
            _require_labels(connection, one, form)
    header = asked.header
    if header is None:
        if not any(known.values()):
            known = {one: _has_header(connection, one, form) for one, form in forms.items()}
        header = known[paths[0]]
        if len(set(known.values())) > 1:
            one, other = (
                next(one for one in known if known[one] is is_so) for is_so in (True, False)
            )
            message = f"row 1 of {one} is a header, but that of {other} is not"
            raise bad_table(path, message, "Give all files a header, or none.")
    columns = {one: _columns(one, form, header) for one, form in forms.items()}
    first = columns[paths[0]]
    hive, unusable = _partitions(path, paths, first)
    unusable |= _find_mismatches({one: dict.fromkeys(of, "VARCHAR") for one, of in columns.items()})
    alike = [
        list(group)
        for _, group in groupby(
            paths, lambda one: (columns[one], forms[one][2:4], _compression(one))
        )
    ]
    queries = [
        _csv_query(group, forms[group[0]], columns[group[0]], header, hive) for group in alike
    ]
    relation = connection.sql(" UNION ALL BY NAME ".join(queries))
    rows = sum(form.rows - header for form in forms.values())
    return Opened(
        path,
        relation,
        {one: form.digest for one, form in forms.items()},
        True,
        rows,
        in_order=len(alike) == 1,
        has_labels=len(first) == 1 and not known[paths[0]],
        unusable=unusable,
        note=forms[paths[0]].note(header, rows),
    )


_READERS = {
    "a database of DuckDB": _from_database,
    "Parquet": _from_parquet,
    "Arrow": _from_arrow,
    "JSON": _from_lists,
    "lists of members": _from_lists,
    "CSV": _from_text,
}


def _names_columns(form: Form, names: Iterable[str]) -> bool:
    """Return whether row 1 has the name of a column, or of a file of identities."""
    return any(value.lower() in names or value.startswith("identity.") for value in form.first)


def _has_header(connection: Any, path: str, form: Form) -> bool:
    """Return whether row 1 is a header although it names no known column; refuse if in doubt.

    It is a header if a file of identities next to the file has exactly as many rows as are below.
    It is data if it has numbers in all columns in which all rows below have numbers.
    """
    identity = identity_of(path)
    if os.path.isfile(identity):
        beside = form_of(identity, CLUSTERS)
        rows = beside.rows - _names_columns(beside, CLUSTERS)
        if form.rows == rows + 1:
            return True
    names = tuple(f"column{place}" for place in range(len(form.first)))
    query = _csv_query([path], form, names, True, False)
    tests = ", ".join(
        f"bool_and(regexp_full_match(trim({quote_sql(name)}), '{_NUMBER}'))" for name in names
    )
    (numeric_below,) = connection.sql(f"SELECT {tests} FROM ({query})").fetchall()
    numeric_in_row_1 = [re.fullmatch(_NUMBER, value) is not None for value in form.first]
    # pandas writes 0, 1, … as the header of columns without names.
    numbered = len(names) > 1 and list(form.first) == list(map(str, range(len(names))))
    fits = all(own for own, below in zip(numeric_in_row_1, numeric_below, strict=True) if below)
    if not numbered and any(numeric_below) and fits:
        return False
    message = f"row 1 may be a header or data: {', '.join(form.first)!r:.80}"
    hint = "Say which with --header yes or --header no."
    raise bad_table(path, message, hint, 1)


def _require_labels(connection: Any, path: str, form: Form) -> None:
    """Refuse a column without a known name that holds anything but labels of clusters."""
    query = _csv_query([path], form, ("label",), False, False)
    ((other,),) = connection.sql(
        f"SELECT count(*) FILTER (WHERE regexp_matches(trim(label), '{_NO_LABEL}')) FROM ({query})"
    ).fetchall()
    if other:
        hint = (
            "A file of one column has a label in each row. Lists of members, one cluster a line, "
            "are read with --members; labels with spaces need a header such as cluster."
        )
        message = f"one column, with brackets or spaces in {other:,} of {form.rows:,} rows"
        raise bad_table(path, message, hint)


def _columns(path: str, form: Form, header: bool) -> tuple[str, ...]:
    """Return the names of columns; those without are called ``column0`` and so on."""
    names = tuple((header and value) or f"column{place}" for place, value in enumerate(form.first))
    twice = [name for name, times in Counter(map(str.lower, names)).items() if times > 1]
    if twice:
        hint = "Names of columns must differ, and not in upper and lower case alone."
        raise bad_table(path, f"the header has {twice[0]!r:.80} more than once", hint, 1)
    return names


def _csv_query(
    paths: Sequence[str], form: Form, names: Sequence[str], header: bool, hive: bool
) -> str:
    """Return the query that reads files by their form; DuckDB guesses nothing."""
    marks = [_text(form.separator or "\x1f"), *[_text('"' if form.quotes else "")] * 2]
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in names)
    return (
        f"SELECT * FROM read_csv({_listed(paths)}, auto_detect=false, header={header}, "
        f"delim={marks[0]}, quote={marks[1]}, escape={marks[2]}, "
        f"compression='{_compression(paths[0])}', hive_partitioning={hive}, "
        f"hive_types_autocast=false, columns={{{columns}}})"
    )


def _compression(path: str) -> str:
    """Return a file's compression, as DuckDB names it."""
    head = _head(path)
    if head.startswith(b"\xfd7zXZ"):
        raise bad_table(path, "compressed by xz, which DuckDB does not read", "Use gzip or zstd.")
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "zstd" if head.startswith(b"\x28\xb5\x2f\xfd") else "none"


def _listed(paths: Sequence[str]) -> str:
    """Return paths as a list of SQL, so that DuckDB takes none for a pattern or an address."""
    return f"[{', '.join(_text(glob.escape(os.path.abspath(one))) for one in paths)}]"


def _text(value: str) -> str:
    return quote_sql(value, "'")


def _partitions(
    path: str, paths: Sequence[str], columns: Iterable[str]
) -> tuple[bool, dict[str, str]]:
    """Return whether folders such as ``day=1`` are columns, and columns that clash with them."""
    if not os.path.isdir(path):
        return False, {}
    folders = [os.path.relpath(one, path).split(os.sep)[:-1] for one in paths]
    keys = [{name.partition("=")[0].lower() for name in of if "=" in name} for of in folders]
    if not any(keys):
        return False, {}
    both = {
        name: "is the name both of a column and of folders"
        for name in columns
        if name.lower() in set().union(*keys)
    }
    above = any(name.lower() + "=" in os.path.abspath(path).lower() for name in columns)
    return not both and not above and all(one == keys[0] for one in keys), both


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
            reasons[name] = "holds " + ", ".join(f"{one} in {path}" for one, path in types.items())
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
    made = ", ".join(f"{quote_sql(name)} {of}" for name, of in zip(header, types, strict=True))
    connection.execute(f"CREATE TEMPORARY TABLE {table} ({made})")
    values = ", ".join(f"unnest(${place}::{of}[])" for place, of in enumerate(types, 1))
    for start in range(0, len(columns[0]), _BLOCK):
        block = [column[start : start + _BLOCK] for column in columns]
        connection.execute(f"INSERT INTO {table} SELECT {values}", block)


def _sql_type(column: Sequence[Any]) -> str:
    """Return the type of a column of untyped values: text, unless all are numbers."""
    known = {type(value) for value in column if value is not None}
    return "BIGINT" if known == {int} else "DOUBLE" if known == {float} else "VARCHAR"


@contextmanager
def report_damage(*paths: str | None) -> Iterator[None]:
    """Report a file that turns out to be damaged while it is read as ``bad-table``."""
    import duckdb

    # Other subclasses of these errors, such as for memory or a wrong query, are no damage.
    damage = (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException)
    try:
        yield
    except Exception as error:
        arrow = type(error).__module__ == "pyarrow.lib" and not isinstance(error, MemoryError)
        if not (arrow or isinstance(error, damage) or type(error) is duckdb.Error):
            raise
        read = [path for path in paths if path]
        names = {one: glob.escape(os.path.abspath(one)) for one in read}
        path = next((one for one in read if names[one] in str(error)), " or ".join(read))
        message = str(error)
        found = _WRONG_ROW.search(message)
        if found:
            line, expected, values = map(int, found.groups())
            reason = f"a row of {values} values, where row 1 has {expected}"
            raise bad_table(path, reason, "Give all rows as many values.", line) from None
        hint = "Write the file again, or check that it was copied to its end."
        if limit := re.search("Maximum line size.*", message):
            raise bad_table(path, limit[0], hint) from None
        raise bad_table(path, f"damaged: {first_line(error)}", hint) from None


def _digests(paths: Sequence[str]) -> dict[str, str]:
    """Return the SHA-256 of each file."""
    found = {}
    for one in paths:
        with open_input(one) as stream:
            # Types: a raw file is all that is needed.
            digest = hashlib.file_digest(stream, "sha256")  # type: ignore[arg-type]
        found[one] = digest.hexdigest()
    return found
