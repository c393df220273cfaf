"""Small tables are moved to pyarrow and scored there: the same numbers and messages as in place."""

from __future__ import annotations

import time

import duckdb
import pandas
import pytest

from corefmeter import score, score_tables, worst_clusters
from corefmeter.problems import CorefmeterError
from corefmeter.recipe import Recipe
from corefmeter.wings.records import files, frames
from corefmeter.wings.records.files import Limits, score_overlap, tables_in
from corefmeter.wings.records.opening import TableOptions

from .clusterings import FRAMES, as_entities, columns, pair

HOW = {"item": "item", "cluster": "cluster", "within": "document"}

MOVED = ("duckdb", "pandas")


@pytest.fixture
def moved(moves_small_tables, monkeypatch):
    """Whether pyarrow held the tables of each call since."""
    found = []
    move = frames.move_to_memory

    def recorded(engine, tables):
        result = move(engine, tables)
        found.append(result[0].name == "pyarrow")
        return result

    monkeypatch.setattr("corefmeter.wings.records.query.move_to_memory", recorded)
    return found


def in_place(call):
    """The result of a call in which no table is moved."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (files, frames):
            patch.setattr(module, "SMALL", 0)
        return call()


def said(call):
    """What a call gives: its entry in JSON and its problems, or its error."""
    try:
        result = call()
    except CorefmeterError as error:
        return str(error)
    return result.to_dict(), [str(problem) for problem in result.problems]


@pytest.mark.parametrize("engine", MOVED)
@pytest.mark.parametrize(
    "options", [{}, {"singletons": "drop"}, {"noise": "3"}, {"documents": "strict"}], ids=str
)
@pytest.mark.filterwarnings("ignore")
def test_the_numbers_are_those_of_the_engine(moved, engine, options):
    sides = [FRAMES[engine](columns(rows)) for rows in pair(3, 20)]

    def scored():
        return score_tables(*sides, **HOW, metrics="b3,ceafe,ceafm,links,blanc", **options)

    assert said(scored) == said(lambda: in_place(scored))
    assert moved[0]


@pytest.mark.parametrize("engine", MOVED)
@pytest.mark.filterwarnings("ignore")
def test_the_numbers_are_those_of_documents(moved, engine):
    sides = pair(4, 12)
    found = score_tables(*(FRAMES[engine](columns(rows)) for rows in sides), **HOW)
    expected = score(*map(as_entities, sides))
    for name in ("muc", "b3", "ceafe"):
        assert found[name].f1 == expected[name].f1
    assert moved == [True]


@pytest.mark.parametrize("engine", MOVED)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("key", "response"),
    [
        ({"i": [1, 2, 3], "c": ["a", "a", "b"]}, {"i": [1, 1, 2], "c": ["x", "x", "y"]}),
        ({"i": [1, 2, 2], "c": ["a", "a", "b"]}, {"i": [1, 2], "c": ["x", "y"]}),
        ({"i": [1, 2], "c": ["a", None]}, {"i": [1, 2], "c": ["x", "y"]}),
        ({"i": [1, 2], "c": ["a", "b"]}, {"i": ["1", "2"], "c": ["x", "y"]}),
        ({"i": ["01", "A "], "c": [1, 1]}, {"i": ["1", "a"], "c": [1, 2]}),
    ],
    ids=["twice", "torn", "empty", "types", "written otherwise"],
)
def test_messages_are_those_of_the_engine(moved, engine, key, response):
    sides = [FRAMES[engine](side) for side in (key, response)]
    find = [
        lambda: said(lambda: score_tables(*sides, item="i", cluster="c")),
        lambda: in_place(find[0]),
    ]
    assert find[0]() == find[1]()


@pytest.mark.filterwarnings("ignore")
def test_the_worst_clusters_are_those_of_the_engine(moved):
    sides = [FRAMES["duckdb"](columns(rows)) for rows in pair(5, 9)]
    assert worst_clusters(*sides, **HOW) == in_place(lambda: worst_clusters(*sides, **HOW))
    assert moved == [True, False]


def test_other_values_and_large_tables_stay_in_their_engine(moved, monkeypatch):
    day = pandas.DataFrame({"i": pandas.to_datetime(["2020-01-01", "2020-01-02"]), "c": [1, 1]})
    wide = pandas.DataFrame({"i": pandas.array([2**63, 2], "uint64"), "c": [1, 1]})
    for frame in (day, wide):
        assert score_tables(frame, frame, item="i", cluster="c", metrics="b3").b3.f1 == 1
    monkeypatch.setattr(frames, "SMALL", 2)
    three = pandas.DataFrame({"i": [1, 2, 3], "c": [1, 1, 1]})
    score_tables(three, three, item="i", cluster="c")
    two = three[:2]
    score_tables(two, two, item="i", cluster="c")
    assert moved == [False, False, False, True]


def from_files(key, response, recipe):
    with tables_in(str(key), str(response), recipe, TableOptions(), Limits()) as tables:
        return tables.score(recipe)


@pytest.fixture
def folder(tmp_path):
    """A key and a response of 30 items as CSV, Parquet and a database; an overlap table."""
    with duckdb.connect() as db:
        for name, clusters in (("key", 4), ("response", 5)):
            query = f"SELECT i AS id, i // {clusters} AS cluster FROM range(30) r(i)"
            db.sql(f"COPY ({query}) TO '{tmp_path}/{name}.csv' (HEADER)")
            db.sql(f"COPY ({query}) TO '{tmp_path}/{name}.parquet'")
            with duckdb.connect(f"{tmp_path}/{name}.duckdb") as other:
                other.sql(f"CREATE TABLE t AS {query}")
    return tmp_path


ENDINGS = ("csv", "parquet", "duckdb")


@pytest.mark.parametrize("of_response", ENDINGS)
@pytest.mark.parametrize("of_key", ENDINGS)
def test_files_give_the_same(moved, folder, of_key, of_response):
    paths = folder / f"key.{of_key}", folder / f"response.{of_response}"

    def scored():
        return from_files(*paths, Recipe())

    assert said(scored) == said(lambda: in_place(scored))
    # Next to a file of text the columns of a database are text, which may have a collation.
    assert moved[0] is ({of_key, of_response} != {"csv", "duckdb"})


def test_an_overlap_table_gives_the_same(moves_small_tables, folder):
    path = folder / "overlap.csv"
    path.write_text("key,response,n,key_size,response_size\na,x,2,2,3\nb,x,1,1.0,3\nc,,0,1,\n")

    def scored():
        return score_overlap(str(path), Recipe(), None, Limits())

    assert said(scored) == said(lambda: in_place(scored))
    assert scored().b3.recall == (4 / 2 + 1) / 4  # of ab and b; c is missed


def test_a_file_that_was_replaced_is_read_again(moves_small_tables, folder):
    """One instance of DuckDB serves all calls: it must keep nothing of a file."""
    for ending in ("csv", "parquet"):
        path = folder / f"response.{ending}"
        before = from_files(folder / "key.duckdb", path, Recipe()).b3.f1
        (folder / f"key.{ending}").replace(path)
        assert before < 1 == from_files(folder / "key.duckdb", path, Recipe()).b3.f1


def test_after_an_error_and_beside_limits_calls_go_on(moves_small_tables, folder):
    paths = folder / "key.csv", folder / "response.csv"
    before = from_files(*paths, Recipe()).b3.f1
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(CorefmeterError):
        from_files(folder / "key.csv", folder / "broken.parquet", Recipe())
    with tables_in(*map(str, paths), Recipe(), TableOptions(), Limits("1GB", 1)) as tables:
        assert tables.score(Recipe()).b3.f1 == before
    assert from_files(*paths, Recipe()).b3.f1 == before


def test_a_loop_costs_little_from_the_second_call_on(moves_small_tables, folder):
    """Loose, since tests share a machine: `benchmarks/tables.py` has the limit."""
    times = []
    for _ in range(6):
        start = time.process_time()
        from_files(folder / "key.csv", folder / "response.csv", Recipe())
        times.append(time.process_time() - start)
    assert min(times[1:]) < 0.06


def collated(connection, name, letter, rows):
    """Make a table of items a0, a1, ... of which case means nothing, in clusters of three."""
    connection.execute(f"CREATE TABLE {name} (i VARCHAR COLLATE NOCASE, c INTEGER)")
    query = f"SELECT '{letter}' || n, n // 3 FROM range({rows}) r(n)"
    connection.execute(f"INSERT INTO {name} {query}")


@pytest.mark.parametrize("rows", [9, 11])
@pytest.mark.parametrize("source", ["relations", "databases"])
def test_texts_that_a_collation_makes_equal_are_equal_in_tables_of_any_size(
    moves_small_tables, monkeypatch, tmp_path, rows, source
):
    """Here a0 and A0 are one item; in pyarrow they would be two, and B3 would be 0."""
    for module in (files, frames):
        monkeypatch.setattr(module, "SMALL", 10)
    if source == "relations":
        with duckdb.connect() as connection:
            collated(connection, "key", "a", rows)
            collated(connection, "response", "A", rows)
            sides = [connection.table(side) for side in ("key", "response")]
            found = score_tables(*sides, item="i", cluster="c", metrics="b3")
    else:
        paths = [str(tmp_path / f"{letter}.duckdb") for letter in ("low", "UP")]
        for path, letter in zip(paths, "aA", strict=True):
            with duckdb.connect(path) as connection:
                collated(connection, "t", letter, rows)
        recipe = Recipe(metrics="b3")
        with tables_in(*paths, recipe, TableOptions(("i",), ("c", "c")), Limits()) as tables:
            found = tables.score(recipe)
    assert found.b3.f1 == 1


def test_a_column_of_texts_with_a_number_further_down_stays_in_its_engine(moved):
    """Narwhals looks at the first values only."""
    frame = pandas.DataFrame({"i": pandas.Series([*map(str, range(150)), 150], dtype="object")})
    frame["c"] = 1
    found = [score_tables(frame, frame, item="i", cluster="c", metrics="b3") for _ in range(2)]
    assert [one.b3.f1 for one in found] == [1, 1]
    assert not any(moved)


def test_a_file_that_cannot_be_opened_is_an_error(moves_small_tables, folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("corefmeter.wings.records.opening.open_input", refuse)
    with pytest.raises(CorefmeterError, match="Permission denied"):
        from_files(folder / "key.csv", folder / "response.csv", Recipe())


def test_worst_clusters_as_csv_hold_no_formula(tmp_path):
    files.write_table(["item", "n"], [["=1+1", -1], ["a", 2]], str(tmp_path / "w.csv"))
    files.write_table(["item", "n"], [["=1+1", -1]], str(tmp_path / "w.parquet"))
    assert (tmp_path / "w.csv").read_text() == "item,n\n'=1+1,-1\na,2\n"
    assert duckdb.read_parquet(str(tmp_path / "w.parquet")).fetchall() == [("=1+1", -1)]
