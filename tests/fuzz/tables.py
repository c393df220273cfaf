"""Tables that mean the same: clusterings of items in files and in the frames of all engines."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from corefmeter import CorefmeterError, score, score_tables

from ..command import run
from .dialects import Style
from .outcomes import METRICS, Numbers, compared, numbers

__all__ = ["TABLES", "table_copy"]


class Row(NamedTuple):
    """An item in its cluster; both are numbers, which are spelled when a table is written."""

    document: str
    item: int
    cluster: int


#: Ids of items by their number.
ITEMS: dict[str, Callable[[int], Any]] = {
    "numbers": lambda n: n + 1, "padded": lambda n: f"{n + 1:03}", "records": lambda n: f"rec-{n}",
    "dates": lambda n: f"2024-01-{n + 1:02}", "names": lambda n: f"Ann, the {n}.",
    "quoted": lambda n: f'"{n}" a;b', "large": lambda n: 2**53 + n, "halves": lambda n: n / 2,
    "hex": lambda n: f"{n}e{n}", "letters": lambda n: f"{'abcdefg'[n % 7]}{n // 7 or ''}",
}  # fmt: skip
CLUSTERS: dict[str, Callable[[int], Any]] = {
    "numbers": lambda n: n, "from 1": lambda n: n + 1, "letters": lambda n: "ABCDEFGH"[n],
    "names": lambda n: f"person {n}", "padded": lambda n: f"{n:02}",
}  # fmt: skip


def clustering(chance: random.Random) -> tuple[list[Row], list[Row]]:
    """A key and a response; both are equal in one of two."""
    key, response = [], []
    same, documents = chance.random() < 0.5, chance.choice((1, 1, 3))
    for document in range(documents):
        for item in range(chance.randint(2, 12)):
            row = Row(f"d{document}", item, chance.randrange(5))
            key.append(row)
            if same or not item or chance.random() < 0.9:
                moved = chance.random() < 0.3 and not same
                response.append(row._replace(cluster=chance.randrange(5)) if moved else row)
    return key, response


def entities(rows: list[Row]) -> dict[str, list[list[int]]]:
    found: dict[str, dict[int, list[int]]] = {}
    for document, item, cluster in rows:
        found.setdefault(document, {}).setdefault(cluster, []).append(item)
    return {name: list(of.values()) for name, of in found.items()}


def columns_of(
    rows: list[Row], items: str, clusters: str, style: Style, within: bool
) -> dict[str, list[Any]]:
    """The columns of a table, and what a person overlooks: spaces, case, digits."""
    item = ITEMS[items]
    spelled: Callable[[Any], Any] = style.pick("item", str, *SPELLINGS.values(), convention=True)
    if spelled is not str:
        style.taken[-1] = f"{items} spelled={next(n for n, s in SPELLINGS.items() if s is spelled)}"
        values = [spelled(item(row.item)) for row in rows]
    else:
        values = [item(row.item) for row in rows]
    label = CLUSTERS[style.pick("clusters", clusters, *CLUSTERS)]
    return {
        **({"document": [row.document for row in rows]} if within else {}),
        "item": values, "cluster": [label(row.cluster) for row in rows],
    }  # fmt: skip


SPELLINGS: dict[str, Callable[[Any], Any]] = {
    "text": lambda value: f"{value}", "upper": lambda value: str(value).upper(),
    "space": lambda value: f" {value} ", "padded": lambda value: str(value).zfill(5),
    "decimal": lambda value: f"{value}.0",
    "float": lambda value: float(value) if isinstance(value, int) else value,
    "unpadded": lambda value: int(value) if re.fullmatch(r"\d+", str(value)) else value,
}  # fmt: skip


def table_copy(
    family: str, seed: int, number: int, folder: Path
) -> tuple[str, tuple[str, ...], str]:
    """What becomes of one copy of a table: how it ends, what was chosen, and the difference."""
    chance = random.Random(f"{seed} {family} {number}")
    key, response = clustering(chance)
    within = key[-1].document != "d0"
    expected = numbers(score(entities(key), entities(response), metrics=METRICS))
    items, clusters = chance.choice(list(ITEMS)), chance.choice(list(CLUSTERS))
    style, usual = Style(chance, conventions=key == response, rate=0.12), Style()
    copy = style.order("rows", response)
    # A loss on both sides would score 100.
    of_key = style if chance.random() < 0.15 else usual
    score_of = of_files if family in FILES else of_frames

    def scored(rows: list[Row], styles: tuple[Style, Style]) -> tuple[Numbers, set[str]]:
        of_response = columns_of(rows, items, clusters, styles[1], within)
        tables = [columns_of(key, items, clusters, usual, within), of_response]
        return score_of(family, tables, styles, within, folder)

    kind, detail = compared(
        lambda: scored(copy, (of_key, style)), lambda: scored(response, (usual, usual)), expected
    )
    both = ["both sides"] if of_key is style else []
    return kind, (f"items={items}", *style.taken, *both), detail


def of_frames(
    family: str, tables: list[dict[str, list[Any]]], styles: tuple[Style, Style], within: bool,
    _: Path,
) -> tuple[Numbers, set[str]]:  # fmt: skip
    """Score the frames of an engine."""
    frames = [FRAMES[family](table, style) for table, style in zip(tables, styles, strict=True)]
    result = score_tables(*frames, item="item", cluster="cluster", metrics=METRICS,
                          within="document" if within else None)  # fmt: skip
    return numbers(result), {p.code for p in result.problems if p.severity == "warning"}


def arranged(table: dict[str, list[Any]], style: Style) -> dict[str, list[Any]]:
    """The columns in another order, or more of them."""
    more = {"x": list(range(len(table["item"])))} if style.pick("more columns", "", "x") else {}
    return dict(style.order("columns", list((table | more).items())))


def whole(values: list[Any]) -> bool:
    return all(type(value) is int for value in values)


def pandas_frame(table: dict[str, list[Any]], style: Style) -> Any:
    import pandas

    frame = pandas.DataFrame(arranged(table, style))
    for name in ("item", "cluster"):
        if whole(table[name]):
            kind = style.pick(f"{name} type", "", "int32", "uint64", "Int64", "float64", "object",
                              "category", "int64[pyarrow]", "string")  # fmt: skip
        else:
            kind = style.pick(f"{name} type", "", "object", "category", "string")
        if kind and (kind != "int32" or max(table[name]) < 2**31):
            frame[name] = frame[name].astype(kind)
    index = style.pick("index", "", "other", "named")
    if index:
        frame.index = pandas.Index(
            range(5, 5 + len(frame)), name="id" if index == "named" else None
        )
    return frame


def polars_frame(table: dict[str, list[Any]], style: Style) -> Any:
    import polars

    frame = polars.DataFrame(arranged(table, style))
    for name in ("item", "cluster"):
        if whole(table[name]):
            kinds = ["UInt64", "Float64", "String", "Int128", "Decimal"]
        else:
            kinds = ["Categorical"] if isinstance(table[name][0], str) else []
        kind = style.pick(f"{name} type", "", *kinds)
        if kind:
            frame = frame.with_columns(
                polars.col(name).cast(
                    polars.Decimal(25, 2) if kind == "Decimal" else getattr(polars, kind)
                )
            )
    return frame.lazy() if style.pick("lazy", "", "lazy") else frame


def arrow_frame(table: dict[str, list[Any]], style: Style) -> Any:
    import pyarrow

    found = pyarrow.table(arranged(table, style))
    for name in ("item", "cluster"):
        if whole(table[name]):
            kinds = ["uint64", "float64", "string", "decimal"]
        else:
            kinds = ["large_string", "dictionary"] if isinstance(table[name][0], str) else []
        kind = style.pick(f"{name} type", "", *kinds)
        if kind:
            column = found[name]
            if kind == "dictionary":
                column = column.dictionary_encode()
            elif kind == "decimal":
                column = column.cast(pyarrow.decimal128(25, 2))
            else:
                column = column.cast(getattr(pyarrow, kind)(), safe=False)
            found = found.set_column(found.column_names.index(name), name, column)
    if style.pick("chunks", "", "two"):
        found = pyarrow.concat_tables([found.slice(0, 1), found.slice(1)])
    return found


def duckdb_frame(table: dict[str, list[Any]], style: Style) -> Any:
    import duckdb
    import pyarrow

    relation = duckdb.from_arrow(pyarrow.table(arranged(table, style)))
    for name in ("item", "cluster"):
        if whole(table[name]):
            kinds = ["UBIGINT", "HUGEINT", "DOUBLE", "VARCHAR", "DECIMAL(20, 2)"]
        else:
            kinds = ["VARCHAR"]
        kind = style.pick(f"{name} type", "", *kinds)
        if kind:
            relation = relation.project(f"* REPLACE (CAST({name} AS {kind}) AS {name})")
    return relation


@cache
def spark_session() -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }  # fmt: skip
    return SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()


def spark_frame(table: dict[str, list[Any]], style: Style) -> Any:
    columns = arranged(table, style)
    rows = list(zip(*columns.values(), strict=True))
    frame = spark_session().createDataFrame(rows, list(columns))
    for name in ("item", "cluster"):
        if whole(table[name]):
            kind = style.pick(f"{name} type", "", "double", "string", "decimal(20, 2)")
            frame = frame.withColumn(name, frame[name].cast(kind)) if kind else frame
    return frame.repartition(3) if style.pick("partitions", "", "three") else frame


FRAMES: dict[str, Callable[[dict[str, list[Any]], Style], Any]] = {
    "pandas": pandas_frame, "polars": polars_frame, "pyarrow": arrow_frame, "duckdb": duckdb_frame,
}  # fmt: skip
if find_spec("pyspark"):
    FRAMES["spark"] = spark_frame


def of_files(
    family: str, tables: list[dict[str, list[Any]]], styles: tuple[Style, Style], within: bool,
    folder: Path,
) -> tuple[Numbers, set[str]]:  # fmt: skip
    """Score files by the command."""
    paths = []
    for name, table, style in zip(("key", "response"), tables, styles, strict=True):
        into = folder / f"{name}{len(list(folder.iterdir()))}"
        into.mkdir()
        paths.append(FILES[family](table, style, into))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = run("clusters", *paths, "-m", ",".join(METRICS), "-f", "json",
                   *(["--within", "document"] if within else []))  # fmt: skip
    told = set(re.findall(r"warning: .*?\[([a-z-]+)\]", done.stderr, re.S))
    if done.returncode:
        codes = sorted({*re.findall(r"\[([a-z]+-[a-z-]+)\]", done.stderr)})
        raise CorefmeterError(" ".join(codes) or done.stderr.strip()[-150:])
    scores = json.loads(done.stdout)["results"][0]["scores"]
    return {
        name: tuple(
            float(scores[name][field])
            for field in (
                "recall",
                "precision",
                "f1",
                "recall_denominator",
                "precision_denominator",
            )
        )
        for name in METRICS
    }, told


def csv_file(table: dict[str, list[Any]], style: Style, folder: Path) -> Path:
    if style.pick("table", "csv", "parquet") == "parquet":
        return parquet_file(table, style, folder)
    header = style.pick("header", HEADERS[0], *HEADERS[1:])
    delimiter = style.pick("delimiter", ",", ";", "\t", "|")
    quoting = style.pick("quotes", csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)
    names = {"item": "id", "cluster": "cluster"}
    if header in ("upper", "other"):
        names = {"upper": {"item": "ID", "cluster": "Cluster"},
                 "other": {"item": "record", "cluster": "entity"}}[header]  # fmt: skip
    table = {names.get(name, name): values for name, values in table.items()}
    if header != "none":
        table = dict(style.order("columns", list(table.items())))
        if style.pick("more columns", "", "text"):
            table["remark"] = [f"x{n}" for n in range(len(table[names["item"]]))]
    if header == "index":
        table = {"": list(range(len(next(iter(table.values()))))), **table}
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, quoting=quoting,
                        lineterminator=style.pick("line ends", "\n", "\r\n", "\r"))  # fmt: skip
    if header != "none":
        writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    text = stream.getvalue() + style.pick("blank line", "", "\n")
    data = text.encode(style.pick("encoding", "utf-8", "utf-8-sig", "utf-16"))
    ending = style.pick("ending", ".csv", ".tsv", ".txt", "[1].csv")
    if style.pick("compression", "", "gz"):
        data, ending = gzip.compress(data), ending + ".gz"
    path = folder / f"table{ending}"
    path.write_bytes(data)
    return path


HEADERS = ("usual", "upper", "other", "index", "none")


def parquet_file(table: dict[str, list[Any]], style: Style, folder: Path) -> Path:
    import pyarrow.feather
    import pyarrow.parquet

    usual = {"item": "id"}
    frame = arrow_frame(table, style)
    frame = frame.rename_columns([usual.get(name, name) for name in frame.column_names])
    kind = style.pick("file", "parquet", "arrow", "folder")
    if kind == "arrow":
        pyarrow.feather.write_feather(frame, str(folder / "table.arrow"))
        return folder / "table.arrow"
    if kind == "folder":
        (folder / "parts").mkdir()
        pyarrow.parquet.write_table(frame.slice(0, 1), folder / "parts" / "0.parquet")
        pyarrow.parquet.write_table(frame.slice(1), folder / "parts" / "1.parquet")
        return folder / "parts"
    pyarrow.parquet.write_table(frame, folder / "table.parquet")
    return folder / "table.parquet"


FILES: dict[str, Callable[[dict[str, list[Any]], Style, Path], Path]] = {
    "csv": csv_file, "parquet": parquet_file,
}  # fmt: skip

TABLES = [*FILES, *FRAMES]
