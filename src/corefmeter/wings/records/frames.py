"""Frames of any engine through narwhals, and what narwhals does not do alike for all of them.

Every step stays in the engine of the user: DuckDB, Polars, pandas, pyarrow, Spark, or another one
that narwhals knows. Only rows that are asked for by `Engine.rows` leave it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import StringIO
from itertools import count
from typing import Any

from corefmeter.problems import DataError, OptionError, Problem, require

#: What each engine's errors say, by the code of ours, and what to do then.
_TROUBLES = {
    "disk-full": (
        ("no space left", "disk full", "not enough space", "max_temp_directory_size"),
        "there is no disk space for data that do not fit in memory",
        "Choose a folder on a larger disk with --temporary, or raise --memory.",
    ),
    "out-of-memory": (
        ("out of memory", "failed to allocate", "outofmemory", "heap space", "memoryerror"),
        "the database engine reached its memory limit",
        "Raise --memory, or lower --threads; with --temporary FOLDER, data that do not fit are "
        "written to disk.",
    ),
}

_NUMBERS = count()

#: The plans of engines that give the same rows each time: scans of tables, or of files.
_SCAN_OF_DUCKDB = re.compile(r"\W*((seq|table|pandas|parquet|column.data).scan|read.\w+)\b", re.I)
_SCAN_OF_POLARS = re.compile(r"(Parquet|Csv|NDJson|IPC) SCAN |DF \[")
_SCAN_OF_SPARK = re.compile(r"Optimized Logical Plan ==\nRelation .*\n\n")

#: Tables of up to so many rows are moved out of an engine whose queries take long to plan.
SMALL = 10_000

#: The packages whose errors are those of an engine.
_ENGINES = ("duckdb", "_duckdb", "narwhals", "pandas", "polars", "pyarrow", "pyspark", "py4j")


class Engine:
    """The engine that a frame lives in.

    Raises
    ------
    OptionError
        When narwhals is not installed or does not know the frame, or columns have the same name.
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
            raise OptionError(f"a table has columns of the same name: {message}") from None
        except TypeError:
            raise OptionError(
                f"{type(native).__name__!r} is no table; give a data frame, or a relation of DuckDB"
            ) from None
        return frame

    def require_one_connection(self, other: Any) -> None:
        """Refuse relations of two connections of DuckDB, which cannot be joined."""
        if self.name != "duckdb":
            return
        import duckdb

        try:
            self.native.set_alias("key").join(other.set_alias("response"), "1 = 0")
        except duckdb.InvalidInputException:
            raise OptionError(
                "key and response are relations of two connections of DuckDB; make both by one"
            ) from None

    def taken(self, frame: Any, names: Sequence[tuple[str, str]]) -> Any:
        """Return some columns of a frame, each with its new name.

        Columns are found by their places, since an engine may take a name for more than that:
        ``*`` for all columns, a dot for a field.
        """
        import narwhals as nw

        native = frame.to_native()
        if self.name == "duckdb":
            parts = (f"{quote_sql(name)} AS {quote_sql(new)}" for name, new in names)
            return self.frame(native.project(", ".join(parts)))
        known = frame.collect_schema().names()
        places = [known.index(name) for name, _ in names]
        if self.name == "pandas":
            found = native.iloc[:, places].set_axis([new for _, new in names], axis=1)
            return self.frame(found.reset_index(drop=True))
        if self.name == "pyarrow":
            return self.frame(native.select(places).rename_columns([new for _, new in names]))
        plain = [f"_{place}" for place in range(len(known))]
        if self.name == "pyspark":
            frame = self.frame(native.toDF(*plain))
        else:
            frame = frame.rename(dict(zip(known, plain, strict=True)))
        return frame.select(
            *(
                nw.col(plain[place]).alias(new)
                for place, (_, new) in zip(places, names, strict=True)
            )
        )

    def held(self, native: Any, frame: Any) -> Any:
        """Return a frame with the same rows each time: kept, unless `native` only scans a table.

        `frame` has columns of `native`, which may draw, shuffle or number rows anew at each use.
        """
        return frame if self._scans(native) else self.kept(frame)

    def _scans(self, native: Any) -> bool:
        """Return whether the plan of a frame is nothing but a scan of a table or of files."""
        if self.name == "duckdb":
            plan = native.explain()  # a box for each step
            one = sum(map(plan.count, "┌╭")) == 1 and "sample" not in plan.lower()
            return one and bool(_SCAN_OF_DUCKDB.match(plan))
        if self.name == "polars" and hasattr(native, "explain"):
            return bool(_SCAN_OF_POLARS.match(native.explain(optimized=False)))
        if self.name == "pyspark":
            with redirect_stdout(StringIO()) as printed:
                native.explain(extended=True)
            return bool(_SCAN_OF_SPARK.search(printed.getvalue()))
        return False

    def kept(self, frame: Any) -> Any:
        """Return a frame that is computed once, however often it is used."""
        if self.name == "duckdb":
            return self._kept_by_duckdb(frame)
        if self.name == "polars":
            return frame.collect().lazy()
        native = frame.to_native()
        for name in ("cache", "persist"):  # Spark and Ibis; Dask
            if hasattr(native, name):
                kept = getattr(native, name)()
                if hasattr(kept, "unpersist"):
                    self._undo.callback(kept.unpersist)
                return self.frame(kept)
        return frame

    def _kept_by_duckdb(self, frame: Any) -> Any:
        """Do as `kept` with a temporary table, on the connection of the relation."""
        name = f"corefmeter_{next(_NUMBERS)}"
        relation = frame.to_native()
        # Asked of the first relation, since what is asked of this one binds all steps to it again.
        query = self.native.query
        # Older versions leave the name by which a query knows the relation as a view.
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

    def close(self) -> None:
        """Remove what was kept."""
        self._undo.close()


def move_to_memory(engine: Engine, frames: list[Any]) -> tuple[Engine, list[Any]]:
    """Move small tables of DuckDB or pandas to pyarrow, which plans queries faster.

    Only whole numbers and text are moved, which are the same in all engines. The tables stay where
    they are if pyarrow is not installed.
    """
    import narwhals as nw

    moved = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.String)
    schemas = [frame.collect_schema() for frame in frames]
    types = {dtype for schema in schemas for dtype in schema.dtypes()}
    if engine.name not in ("duckdb", "pandas") or not types <= set(moved):
        return engine, frames
    tables = []
    for schema, frame in zip(schemas, frames, strict=True):
        rows = engine.rows(frame.head(SMALL + 1))
        table = arrow_table({name: dtype == nw.String for name, dtype in schema.items()}, rows)
        if len(rows) > SMALL or table is None:
            return engine, frames
        tables.append(table)
    near = Engine(tables[0])
    return near, [near.frame(table) for table in tables]


def arrow_table(is_text: Mapping[str, bool], rows: Sequence[Sequence[Any]]) -> Any:
    """Return rows as a table of pyarrow with columns of text or whole numbers.

    It is None if pyarrow is not installed.
    """
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        return None
    columns = list(zip(*rows, strict=True)) or [()] * len(is_text)
    return pyarrow.table(
        {
            name: pyarrow.array(
                column, pyarrow.string() if text else pyarrow.int64(), from_pandas=True
            )
            for (name, text), column in zip(is_text.items(), columns, strict=True)
        }
    )


def group_sizes(groups: Any, name: str) -> Any:
    """Count the rows of each group, in 64 bits."""
    import narwhals as nw

    return groups.agg(nw.len().alias(name)).with_columns(nw.col(name).cast(nw.Int64()))


def value_counts(
    engine: Engine, frame: Any, within: Sequence[str], names: Sequence[str]
) -> dict[Any, list[tuple[Any, ...]]]:
    """Return the different values of some columns with how often they occur, by document.

    Where there are no documents, `within` is empty, and the document is None.
    """
    groups = group_sizes(frame.group_by(*within, *names), "times")
    return by_document(engine, groups.select(*within, *names, "times"), within)


def by_document(
    engine: Engine, frame: Any, within: Sequence[str]
) -> dict[Any, list[tuple[Any, ...]]]:
    """Return the rows of a frame by its first column, the document; or all for None."""
    rows = engine.rows(frame)
    if not within:
        return {None: rows}
    found: dict[Any, list[tuple[Any, ...]]] = {}
    for name, *row in rows:
        found.setdefault(name, []).append(tuple(row))
    return found


def quote_sql(text: str, mark: str = '"') -> str:
    """Return a name of SQL, or a text with another mark.

    Examples
    --------
    >>> print(quote_sql('an "id" of'))
    "an ""id"" of"
    """
    return mark + text.replace(mark, mark * 2) + mark


@contextmanager
def refused() -> Iterator[None]:
    """Report what an engine cannot do with a table as an error ``bad-table``."""
    try:
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
            hint = "Keep the connection of a relation open until it is scored."
        message = f"{engine.strip('_')} cannot count the table: {reason}"
        raise DataError(Problem("bad-table", message, "error", hint=hint)) from error


@contextmanager
def engine_errors() -> Iterator[None]:
    """Report an engine without memory or disk as ``out-of-memory`` or ``disk-full``."""
    try:
        yield
    except (DataError, OptionError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}".lower()
        for code, (signs, message, hint) in _TROUBLES.items():
            if any(sign in text for sign in signs):
                said = f"{message}: {first_line(error)}"
                raise DataError(Problem(code, said, "error", hint=hint)) from error
        raise


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its type if it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
