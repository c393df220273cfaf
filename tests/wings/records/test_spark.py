"""Spark scores as all engines do, by plans that are all its own, and gives away counts only.

It needs pyspark (the extra ``spark``) and Java. What is collected is seen at the door of Spark
itself, so that no way around `Engine.rows` stays unseen.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from decimal import Decimal

import pytest
from click.testing import CliRunner

from corefmeter import CorefmeterWarning, DataError, score_tables
from corefmeter.wings.records.command import clusters
from corefmeter.wings.records.frames import Engine
from corefmeter.wings.records.query import Columns
from corefmeter.wings.records.sql import overlap_query

from .clusterings import by_duckdb, columns, pair

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

NAMES = ["document", "item", "cluster"]
WITHIN = {"item": "item", "cluster": "cluster", "within": "document"}
WHOLE = {"item": ["document", "item"], "cluster": "cluster"}

#: What brings rows of Spark to Python, beside `collect`.
OTHER_DOORS = ("toPandas", "toArrow", "toLocalIterator", "head", "take", "tail", "foreach",
               "mapInPandas", "mapInArrow")  # fmt: skip


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="needs the extra spark")
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture
def collected(spark, monkeypatch):
    """The plan and the number of rows of each collection."""
    kind = type(spark.range(1))
    collect, found = kind.collect, []

    def recorded(frame):
        rows = collect(frame)
        found.append((frame._jdf.queryExecution().toString(), len(rows)))
        return rows

    def closed(*_, **__):
        raise AssertionError("rows leave Spark by another door")

    monkeypatch.setattr(kind, "collect", recorded)
    for name in OTHER_DOORS:
        monkeypatch.setattr(kind, name, closed)
    return found


def frames(spark, sides, partitions=5, by="item"):
    return [spark.createDataFrame(side, NAMES).repartition(partitions, by) for side in sides]


def by_unit(result):
    return {
        unit.label: {name: rows[place] for name, rows in result.statistics.items()}
        for place, unit in enumerate(result.units)
    }


def records(number):
    """Clusters of 1 to 4 items, of which a tenth of the items moved to the next but some."""
    rng = random.Random(number)
    key, response = [], []
    for item in range(number):
        cluster = item // 5 * 2 + (item % 5 > 2)
        moved = cluster + (rng.randrange(1, 40) if rng.random() < 0.1 else 0)
        key.append((0, item, cluster))
        response.append((0, item, moved))
    return key, response


@pytest.mark.parametrize("how", [WITHIN, WHOLE])
def test_spark_counts_as_duckdb_does(spark, collected, how):
    sides = pair(1, 300)
    found = score_tables(*frames(spark, sides), **how, metrics="all")
    tables = [by_duckdb(columns(rows)) for rows in sides]
    expected = score_tables(*tables, **how, metrics="all")
    assert by_unit(found) == by_unit(expected)
    assert found.problems == expected.problems
    assert collected
    for plan, _ in collected:
        assert not any(sign in plan for sign in ("Python", "InPandas", "InArrow", "PythonUDF"))
    assert spark.sparkContext._jsc.getPersistentRDDs().isEmpty()


def test_only_counts_kinds_and_open_cells_leave_spark(spark, collected):
    """The open cells are those of which an entity has another partner too.

    Of closest and purity there are kinds of the best partner, of either side.
    """
    sides = records(20_000)
    score_tables(*frames(spark, sides), **WITHIN, metrics="all")
    of = [{item: cluster for _, item, cluster in side} for side in sides]
    cells = Counter(zip(of[0].values(), of[1].values(), strict=True))
    sizes = [Counter(side.values()) for side in of]
    partners = [Counter(cell[place] for cell in cells) for place in (0, 1)]
    lone = {cell for cell in cells if partners[0][cell[0]] == partners[1][cell[1]] == 1}
    kinds = {
        (n, sizes[0][k], sizes[1][r], sizes[0][k], sizes[1][r], (k, r) in lone)
        for (k, r), n in cells.items()
    }
    of_sides = sum(len(set(side.values())) for side in sizes)
    limit = 5 * len(kinds) + of_sides + len(cells) - len(lone)
    rows = sorted(number for _, number in collected)
    single = [number for number in rows if number <= 1]  # sums, and the only document
    assert len(single) < 30
    assert sum(rows) - len(single) <= limit < len(sides[0]) / 2


def test_partitions_and_order_change_no_bit(spark):
    sides = pair(3, 40)
    found = []
    for seed, partitions in enumerate((1, 7)):
        for side in sides:
            random.Random(seed).shuffle(side)
        found.append(
            by_unit(score_tables(*frames(spark, sides, partitions, "cluster"), **WITHIN,
                                 metrics="muc,b3,ceafe,lea"))
        )  # fmt: skip
    assert found[0] == found[1]


def scores(*arguments):
    found = CliRunner().invoke(
        clusters, [*map(str, arguments), "--quiet", "-m", "all", "-f", "json"],
        catch_exceptions=False, standalone_mode=False,
    )  # fmt: skip
    return json.loads(found.stdout)["results"][0]["scores"]


def test_the_overlap_table_of_spark_is_brought_back(spark, tmp_path):
    """What Spark writes is a folder."""
    sides = pair(4, 60)
    for name, frame in zip(("key", "response"), frames(spark, sides), strict=True):
        frame.createOrReplaceTempView(name)
        frame.write.parquet(str(tmp_path / name))
    query = overlap_query("spark", ("key", "response"), Columns(("item",), ("cluster",) * 2,
                                                                 "document"))  # fmt: skip
    spark.sql(query).write.parquet(str(tmp_path / "cells"))
    spark.sql(query).write.csv(str(tmp_path / "csv"), header=True)
    how = ("--item", "item", "--cluster", "cluster", "--within", "document")
    expected = scores(tmp_path / "key", tmp_path / "response", *how)
    assert scores("--overlap", tmp_path / "cells") == expected
    assert scores("--overlap", tmp_path / "csv") == expected


def test_names_are_only_names_in_spark(spark):
    names = ["a`b", "a.b", "x; DROP VIEW key; --", "'", "a\nb", "key", "i0", "\\"]
    frame = spark.createDataFrame([(*names, 2, 3)], [*names, "k", "r"])
    frame.createOrReplaceTempView("`a``;b`")
    how = Columns(tuple(names[1:]), ("k", "r"), names[0])
    query = overlap_query("spark", ("a`;b", "a`;b"), how)
    assert [tuple(row) for row in spark.sql(query).collect()] == [("a`b", 2, 3, 1, 1, 1)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(1, 1), (1, 2)], "an item of the key is in two clusters"),
        ([(1, None), (2, 1)], "a cell of the key is empty"),
        ([("1", 1)], "key and response hold values of different types"),
    ],
)
def test_the_query_stops_at_what_cannot_be_counted(spark, rows, message):
    from pyspark.errors import PySparkException

    kinds = "id string, c int" if isinstance(rows[0][0], str) else "id int, c int"
    spark.createDataFrame(rows, kinds).createOrReplaceTempView("key")
    spark.createDataFrame([(1, 1)], "id int, c int").createOrReplaceTempView("response")
    query = overlap_query("spark", ("key", "response"), Columns(("id",), ("c", "c"), None))
    with pytest.raises(PySparkException, match=message):
        spark.sql(query).collect()


def frame_of(spark, kinds, *columns):
    return spark.createDataFrame(list(zip(*columns, strict=True)), kinds)


BY = {"item": "id", "cluster": "c", "metrics": "b3"}


def test_values_mean_in_spark_what_they_mean_elsewhere(spark):
    """The same cases as in `test_keys`."""
    nan = float("nan")
    bad = frame_of(spark, "id double, c double", [1.5, 2.5], [1.0, nan])
    with pytest.raises(DataError, match="'c' of the key is empty in 1 of 2 rows"):
        score_tables(bad, bad, **BY)
    lists = frame_of(spark, "id int, c array<int>", [1, 2], [[1], [1]])
    with pytest.raises(DataError, match="'c' of the key holds values of the type list"):
        score_tables(lists, lists, **BY)
    key = frame_of(spark, "id double, c double", [0.0, 1.5, 2.5], [0.0, -0.0, 1.0])
    response = frame_of(spark, "id double, c int", [-0.0, 1.5, 2.5], [7, 7, 8])
    assert score_tables(key, response, **BY).b3[:2] == (1, 1)
    decimals = [Decimal("1.5"), Decimal(20)]
    key = frame_of(spark, "id decimal(9, 2), c int", decimals, [1, 1])
    response = frame_of(spark, "id decimal(5, 1), c decimal(3, 0)", decimals, [Decimal(0)] * 2)
    assert score_tables(key, response, **BY).b3[:2] == (1, 1)
    frame = frame_of(spark, "`*` int, `a.b` int, a int", [1, 2], [1, 1], [3, 4])
    assert score_tables(frame, frame, item="*", cluster="a.b", metrics="b3").b3.f1 == 1


def test_noise_and_forms_of_ids_in_spark(spark):
    """Key {1 2} {3} {4}, response {1 2} {3 4}: P = (1 + 1 + 1/2 + 1/2) / 4."""
    key = frame_of(spark, "id int, c int", [1, 2, 3, 4], [5, 5, -1, -1])
    response = frame_of(spark, "id int, c int", [1, 2, 3, 4], [7, 7, 8, 8])
    assert score_tables(key, response, **BY, noise=-1).b3[:2] == (1, 3 / 4)
    key = frame_of(spark, "id string, c int", ["007", "08", "9"], [1, 1, 2])
    response = frame_of(spark, "id string, c int", ["7", "8", "9"], [1, 1, 2])
    with pytest.warns(CorefmeterWarning, match="2 would be the same without leading zeros"):
        score_tables(key, response, **BY)


def test_what_spark_draws_is_drawn_once(spark, tmp_path):
    from pyspark.sql import functions

    drawn = spark.range(400).withColumn("a", functions.floor(functions.rand() * 40))
    frame = drawn.repartition(4).withColumn("b", functions.col("a"))
    result = score_tables(frame, item="id", cluster=("a", "b"), metrics="b3")
    assert result.b3[:2] == (1, 1)
    drawn.write.parquet(str(tmp_path / "drawn"))
    scan = spark.read.parquet(str(tmp_path / "drawn"))
    scan.createOrReplaceTempView("drawn")
    for native, held in ((scan, False), (spark.table("drawn"), False), (drawn, True)):
        engine = Engine(native)
        frame = engine.frame(native)
        assert (engine.keep_unless_scan(native, frame) is not frame) == held
        engine.close()
