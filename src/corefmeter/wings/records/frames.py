"""Frames of any engine through narwhals, and workarounds where engines differ.

Every step stays in the engine of the user: DuckDB, Polars, pandas, pyarrow, Spark, or another one
that narwhals supports. Data leave it only by `Engine.rows` and, for small tables, by
`move_to_memory`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import StringIO
from itertools import count
from typing import Any

from corefmeter.corpus.structures import grouped
from corefmeter.problems import DataError, OptionError, Problem, require

#: By code: phrases in the errors of engines, our message, and what to do.
_EXHAUSTION = {
    "disk-full": (
        ("no space left", "disk full", "not enough space", "max_temp_directory_size"),
        "there is no disk space for data that do not fit in memory",
        "Choose a folder on a larger disk with --temporary, or raise --memory.",
    ),
    "out-of-memory": (
        ("out of memory", "failed to allocate", "outofmemory", "heap space", "memoryerror"),
        "the database engine reached its memory limit",
        "Raise --memory, or lower --threads. With --temporary FOLDER, data that do not fit in "
        "memory are written to disk.",
    ),
}

_NUMBERS = count()

#: Query plans that give the same rows each time: scans of tables or files.
_SCAN_OF_DUCKDB = re.compile(r"\W*((seq|table|pandas|parquet|column.data).scan|read.\w+)\b", re.I)
_SCAN_OF_POLARS = re.compile(r"(Parquet|Csv|NDJson|IPC) SCAN |DF \[")
_SCAN_OF_SPARK = re.compile(r"Optimized Logical Plan ==\nRelation .*\n\n")

#: Tables with at most this number of rows are moved out of engines that plan queries slowly.
SMALL = 10_000

#: The packages whose errors count as errors of an engine.
_ENGINES = ("duckdb", "_duckdb", "narwhals", "pandas", "polars", "pyarrow", "pyspark", "py4j")


class Engine:
    """The engine that a frame lives in.

    Raises
    ------
    OptionError
        When narwhals is not installed or does not support the frame, or two columns have one name.
    """

    def __init__(self, native: Any) -> None:
        require("narwhals", "scoring tables", "tables")
        self.native = native
        self.name = self.frame(native).implementation.value
        self._undo = ExitStack()

    def frame(self, native: Any) -> Any:
        """Return a native frame as a lazy frame of narwhals."""
        import narwhals as nw

        try:
            frame = nw.from_native(native).lazy()
            frame.collect_schema()
        except nw.exceptions.DuplicateError as error:
            message = " ".join(str(error).split())
            raise OptionError(f"a table has columns with the same name: {message}") from None
        except TypeError:
            name = type(native).__name__
            hint = "give a data frame or a relation of DuckDB"
            raise OptionError(f"{name!r} is not a table; {hint}") from None
        return frame

    def require_one_connection(self, other: Any) -> None:
        """Refuse relations of two connections of DuckDB, which cannot be joined."""
        if self.name != "duckdb":
            return
        import duckdb

        try:
            self.native.set_alias("key").join(other.set_alias("response"), "1 = 0")
        except duckdb.InvalidInputException:
            reason = "key and response are relations of two connections of DuckDB"
            raise OptionError(f"{reason}; create both with one") from None

    def select(self, frame: Any, names: Mapping[str, str]) -> Any:
        """Return some columns of a frame; `names` has their names by the new names.

        Columns are selected by position, because some engines interpret names: ``*`` as all
        columns, a dot as a field.
        """
        import narwhals as nw

        native = frame.to_native()
        if self.name == "duckdb":
            parts = (f"{quote_sql(name)} AS {quote_sql(new)}" for new, name in names.items())
            return self.frame(native.project(", ".join(parts)))
        known = frame.collect_schema().names()
        places = [known.index(name) for name in names.values()]
        if self.name == "pandas":
            columns = native.iloc[:, places].set_axis(list(names), axis=1)
            return self.frame(columns.reset_index(drop=True))
        if self.name == "pyarrow":
            return self.frame(native.select(places).rename_columns(list(names)))
        plain = [f"_{place}" for place in range(len(known))]
        if self.name == "pyspark":
            frame = self.frame(native.toDF(*plain))
        else:
            frame = frame.rename(dict(zip(known, plain, strict=True)))
        columns = (
            nw.col(plain[place]).alias(new) for new, place in zip(names, places, strict=True)
        )
        return frame.select(*columns)

    def keep_unless_scan(self, native: Any, frame: Any) -> Any:
        """Keep a frame that consists of columns of `native`, unless that only scans a table.

        Other queries may draw, shuffle or number their rows differently each time.
        """
        return frame if self._is_scan(native) else self.keep(frame)

    def _is_scan(self, native: Any) -> bool:
        """Return whether the plan of a frame is only a scan of a table or of files."""
        if self.name == "duckdb":
            plan = native.explain()
            steps = sum(map(plan.count, "┌╭"))  # the corners of boxes
            is_plain = steps == 1 and "sample" not in plan.lower()
            return is_plain and bool(_SCAN_OF_DUCKDB.match(plan))
        if self.name == "polars" and hasattr(native, "explain"):
            return bool(_SCAN_OF_POLARS.match(native.explain(optimized=False)))
        if self.name == "pyspark":
            with redirect_stdout(StringIO()) as printed:
                native.explain(extended=True)
            return bool(_SCAN_OF_SPARK.search(printed.getvalue()))
        return False

    def keep(self, frame: Any) -> Any:
        """Return a frame that is computed only once, however often it is used."""
        if self.name == "duckdb":
            return self._keep_in_duckdb(frame)
        if self.name == "polars":
            return frame.collect().lazy()
        native = frame.to_native()
        for name in ("cache", "persist"):  # Spark and Ibis; Dask
            if hasattr(native, name):
                cached = getattr(native, name)()
                if hasattr(cached, "unpersist"):
                    self._undo.callback(cached.unpersist)
                return self.frame(cached)
        return frame

    def _keep_in_duckdb(self, frame: Any) -> Any:
        """Store a frame in a temporary table, on the connection of the relation."""
        name = f"corefmeter_{next(_NUMBERS)}"
        relation = frame.to_native()
        # A method of the first relation: one of this relation would bind all its steps again.
        query = self.native.query
        # In older versions, the name of the relation in a query remains as a view.
        self._undo.callback(query, f"_{name}", f"DROP VIEW IF EXISTS _{name}")
        self._undo.callback(query, f"_{name}", f"DROP TABLE IF EXISTS {name}")
        relation.query(f"_{name}", f"CREATE TEMPORARY TABLE {name} AS FROM _{name}")
        return self.frame(query(f"_{name}", f"FROM {name}"))

    def rows(self, frame: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a frame."""
        native = frame.to_native()
        if self.name == "duckdb":
            return list(native.fetchall())
        if self.name == "pyspark":
            return list(map(tuple, native.collect()))
        return list(frame.collect().rows())

    def arrays(self, frame: Any) -> dict[str, Any]:
        """Return the columns of numbers of a frame as arrays of NumPy."""
        native = frame.to_native()
        if self.name == "duckdb":
            return dict(native.fetchnumpy())
        if self.name == "pyspark":
            frame = self.frame(native.toPandas())
        table = frame.collect()
        return {name: table[name].to_numpy() for name in table.columns}

    def close(self) -> None:
        """Remove the frames that were kept."""
        self._undo.close()


def move_to_memory(engine: Engine, frames: list[Any]) -> tuple[Engine, list[Any]]:
    """Move small tables of DuckDB or pandas to pyarrow, which plans queries faster.

    Only tables of whole numbers, and of text in pandas, are moved, because these compare alike in
    all engines; text in DuckDB may have a collation. Without pyarrow, tables are not moved.
    """
    import narwhals as nw

    numbers = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32)
    moved = {*numbers, nw.String} if engine.name == "pandas" else {*numbers}
    schemas = [frame.collect_schema() for frame in frames]
    types = {dtype for schema in schemas for dtype in schema.dtypes()}
    if engine.name not in ("duckdb", "pandas") or not types <= moved:
        return engine, frames
    tables = []
    for schema, frame in zip(schemas, frames, strict=True):
        rows = engine.rows(frame.head(SMALL + 1))
        table = arrow_table({name: dtype == nw.String for name, dtype in schema.items()}, rows)
        if len(rows) > SMALL or table is None:
            return engine, frames
        tables.append(table)
    pyarrow_engine = Engine(tables[0])
    return pyarrow_engine, [pyarrow_engine.frame(table) for table in tables]


def arrow_table(is_text: Mapping[str, bool], rows: Sequence[Sequence[Any]]) -> Any:
    """Return rows as a table of pyarrow with columns of text or whole numbers.

    Return None if pyarrow is not installed, or if a value does not have the type of its column.
    """
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        return None
    columns = list(zip(*rows, strict=True)) or [()] * len(is_text)
    try:
        arrays = {
            name: pyarrow.array(
                column, pyarrow.string() if text else pyarrow.int64(), from_pandas=True
            )
            for (name, text), column in zip(is_text.items(), columns, strict=True)
        }
    except (pyarrow.ArrowException, TypeError):
        return None
    return pyarrow.table(arrays)


def group_sizes(groups: Any, name: str) -> Any:
    """Count the rows of each group, in 64 bits."""
    import narwhals as nw

    return groups.agg(nw.len().alias(name)).with_columns(nw.col(name).cast(nw.Int64()))


def value_counts(
    engine: Engine, frame: Any, within: Sequence[str], names: Sequence[str]
) -> dict[Any, list[tuple[Any, ...]]]:
    """Return the distinct values of some columns and how often they occur, by document.

    Without documents, `within` is empty, and the document is None.
    """
    groups = group_sizes(frame.group_by(*within, *names), "times")
    return by_document(engine, groups.select(*within, *names, "times"), within)


def by_document(
    engine: Engine, frame: Any, within: Sequence[str]
) -> dict[Any, list[tuple[Any, ...]]]:
    """Return the rows of a frame by document, its first column; without documents, by None."""
    rows = engine.rows(frame)
    if not within:
        return {None: rows}
    return grouped((name, tuple(row)) for name, *row in rows)


def quote_sql(text: str, mark: str = '"') -> str:
    """Quote a name for SQL, or a text if another mark is given.

    >>> print(quote_sql('an "id" of'))
    "an ""id"" of"
    """
    return mark + text.replace(mark, mark * 2) + mark


@contextmanager
def report_table_errors() -> Iterator[None]:
    """Report an error of an engine: a lack of memory or disk space, or ``bad-table``."""
    try:
        with report_exhaustion():
            yield
    except (DataError, OptionError):
        raise
    except Exception as error:
        engine = type(error).__module__.partition(".")[0]
        if engine not in _ENGINES:
            raise
        reason = first_line(error)
        hint = "Give columns of whole numbers or text."
        if "already been closed" in reason:
            hint = "Keep the connection of a relation open until it has been scored."
        message = f"{engine.strip('_')} cannot count the table: {reason}"
        raise DataError(Problem("bad-table", message, "error", hint=hint)) from error


@contextmanager
def report_exhaustion() -> Iterator[None]:
    """Report a lack of memory or disk space as ``out-of-memory`` or ``disk-full``."""
    try:
        yield
    except (DataError, OptionError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}".lower()
        for code, (phrases, message, hint) in _EXHAUSTION.items():
            if any(phrase in text for phrase in phrases):
                message = f"{message}: {first_line(error)}"
                raise DataError(Problem(code, message, "error", hint=hint)) from error
        raise


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type if it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
