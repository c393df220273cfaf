"""Spark scores as all engines do, by plans that are all its own.

It needs pyspark (the extra ``spark``) and Java.
"""

from __future__ import annotations

import shutil

import pytest

from corefmeter import score, score_tables
from corefmeter.tables.frames import Engine

from .clusterings import as_entities, pair

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="needs the extra spark")
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark_counts_as_score_does_and_runs_no_python(spark, monkeypatch):
    plans = []
    rows = Engine.rows

    def recorded(engine, frame):
        plans.append(frame.to_native()._jdf.queryExecution().toString())
        return rows(engine, frame)

    monkeypatch.setattr(Engine, "rows", recorded)
    sides = pair(1, 1000)
    names = ["document", "item", "cluster"]
    frames = [spark.createDataFrame(side, names).repartition(5, "item") for side in sides]
    found = score_tables(*frames, item="item", cluster="cluster", within="document", metrics="all")
    expected = score(*map(as_entities, sides), metrics="all")
    place = {unit.label: n for n, unit in enumerate(expected.units)}
    for name, of_units in found.statistics.items():
        wanted = [expected.statistics[name][place[unit.label]] for unit in found.units]
        assert of_units == wanted
    assert plans
    assert not any("EvalPython" in plan or "MapInPandas" in plan for plan in plans)
    assert spark.sparkContext._jsc.getPersistentRDDs().isEmpty()
