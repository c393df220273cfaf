"""The overlap table made elsewhere: the queries that make it, and what is scored from it."""

from __future__ import annotations

import json

import duckdb
import polars
import pytest
import sqlglot
from click.testing import CliRunner

from corefmeter.problems import DataError, OptionError
from corefmeter.wings.records.command import clusters
from corefmeter.wings.records.query import Columns
from corefmeter.wings.records.sql import DIALECTS, overlap_query

from .clusterings import columns, pair

#: Key {1 2 3} {4} in x and {1} in y, response {1 2} {3 5} in x and {1} {2} in y.
HEAD = "document,key,response,n,key_size,response_size\n"
CELLS = HEAD + "x,a,u,2,3,2\nx,a,v,1,3,2\nx,b,,0,1,\ny,a,u,1,1,1\ny,,w,0,,1\n"

HOSTILE = ['a"b', "a`b", "a\\", "a\\`b", "x; DROP TABLE key; --", "'", "a\nb", '"', "`", "select"]


def run(*arguments):
    found = CliRunner().invoke(clusters, [*map(str, arguments)], catch_exceptions=False,
                               standalone_mode=False)  # fmt: skip
    return found.stdout


def scored(*arguments):
    """All numbers of the results by group, and the number of items."""
    entries = json.loads(run(*arguments, "--quiet", "-f", "json"))["results"]
    return [(entry["scores"], entry.get("by")) for entry in entries]


@pytest.fixture
def tables(tmp_path):
    """Files of two tables, and a function that runs SQL on them and saves the rows."""
    db = duckdb.connect()
    for name, rows in zip(("key", "response"), pair(11, 80), strict=True):
        frame = polars.DataFrame(columns(rows))
        frame.write_parquet(tmp_path / f"{name}.parquet")
        db.sql(f"CREATE TABLE {name} AS FROM '{tmp_path / name}.parquet'")

    def saved(query, name):
        db.sql(f"COPY ({query}) TO '{tmp_path / name}'")
        return tmp_path / name

    yield saved
    db.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "within", "policy"),
    [
        ("parquet", (), ()),
        ("csv", (), ("--singletons", "drop")),
        ("parquet", ("--within", "document"), ("--singletons", "drop-key")),
        ("csv.gz", ("--within", "document"), ("--singletons", "drop-response")),
        ("csv", ("--within", "document"), ()),
    ],
)
def test_scores_from_the_overlap_table_are_those_from_the_rows(
    tables, tmp_path, ending, within, policy
):
    item = ("--item", "item", *(() if within else ("--item", "document")))
    how = (*item, "--cluster", "cluster", *within)
    path = tables(run("--sql", "duckdb", "key", "response", *how), f"cells.{ending}")
    asked = ("-m", "all", *policy, *(("--by", "document") if within else ()))
    found = scored("--overlap", path, *asked)
    assert found == scored(tmp_path / "key.parquet", tmp_path / "response.parquet", *how, *asked)


def test_the_overlap_table_by_hand(tmp_path):
    """B3 R = (4/3 + 1/3 + 0 + 1)/5, P = (2 + 1/2 + 0 + 1 + 0)/6."""
    (tmp_path / "cells.csv").write_text(CELLS)
    ((found, by),) = scored("--overlap", tmp_path / "cells.csv", "-m", "b3,links", "--by",
                            "document")  # fmt: skip
    assert found["b3"]["recall"] == pytest.approx(8 / 15, abs=1e-15)
    assert found["b3"]["precision"] == pytest.approx(3.5 / 6, abs=1e-15)
    assert (found["links"]["recall_numerator"], found["links"]["recall_denominator"]) == (1, 3)
    assert list(by["document"]) == ["x", "y"]


def test_documents_of_one_side_and_whole_numbers_as_fractions(tmp_path):
    """As a data frame writes whole numbers of a column that has nulls."""
    text = HEAD + "x,a,u,1.0,1.0,1.0\nz,,u,0.0,,1.0\n"
    (tmp_path / "cells.csv").write_text(text)
    for documents, precision in (("official", 1), ("strict", 0.5)):
        ((found, _),) = scored("--overlap", tmp_path / "cells.csv", "-m", "b3", "--documents",
                               documents)  # fmt: skip
        assert found["b3"]["precision"] == precision


def test_several_overlap_tables_have_their_names(tmp_path):
    (tmp_path / "cells.csv").write_text(CELLS)
    text = run("--overlap", f"a={tmp_path}/cells.csv", "--overlap", f"b={tmp_path}/cells.csv",
               "-m", "b3", "--quiet", "-f", "csv")  # fmt: skip
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == ["a", "b"]


def test_a_folder_of_spark_is_one_table(tmp_path):
    folder = tmp_path / "cells"
    folder.mkdir()
    rows = CELLS.removeprefix(HEAD).splitlines(keepends=True)
    (folder / "_SUCCESS").touch()
    for name, part in (("part-0.csv", rows[:2]), ("part-1.csv", rows[2:])):
        (folder / name).write_text(HEAD + "".join(part))
    (tmp_path / "cells.csv").write_text(CELLS)
    assert scored("--overlap", folder) == scored("--overlap", tmp_path / "cells.csv")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,a,u,2,3,2", "pairs with several rows: 1"),
        ("x,a,w,1,9,1", "clusters of the key with several sizes: 1"),
        ("x,c,w,1,1,9\nx,,w,0,,8", "clusters of the response with several sizes: 1"),
        ("x,c,v,2,2,2", "response whose stated size is smaller than the sum of n over .* rows: 1"),
        ("x,,,1,1,1", "of 6 rows, those that are neither .*: 1"),
        ("x,c,,1,1,", "of 6 rows, those that are neither .*: 1"),
        ("x,,w,0,1,", "of 6 rows, those that are neither .*: 1"),
        ("x,c,w,0,1,1", "of 6 rows, those that are neither .*: 1"),
        ("x,c,w,2,1,2", "of 6 rows, those that are neither .*: 1"),
        ("x,c,w,1.5,2,2", "of 6 rows, those that are neither .*: 1"),
        ("x,c,w,-1,2,2", "of 6 rows, those that are neither .*: 1"),
        ("x,c,w,1,,2", "of 6 rows, those that are neither .*: 1"),
        (",c,w,1,2,2", "of 6 rows, those that are neither .*: 1"),
    ],
)
def test_what_is_no_overlap_table_is_refused(tmp_path, row, message):
    (tmp_path / "cells.csv").write_text(CELLS + row + "\n")
    with pytest.raises(DataError, match=message) as caught:
        run("--overlap", tmp_path / "cells.csv")
    assert {problem.code for problem in caught.value.problems} == {"bad-overlap"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key,response,n,key_size\n", "no column 'response_size'; its columns are key, resp"),
        (HEAD + "x,a,,0,1,\n", "the response has no row"),
        (HEAD, "the key has no row"),
        ("key,response,n,key_size,response_size\na,u,3000000001,3000000001,3000000001\n",
         "more than 3,000,000,000 rows"),
    ],
)  # fmt: skip
def test_tables_without_columns_or_rows_are_refused(tmp_path, text, message):
    (tmp_path / "cells.csv").write_text(text)
    with pytest.raises((DataError, OptionError), match=message):
        run("--overlap", tmp_path / "cells.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("key.csv --overlap a.csv", "--overlap cannot be combined with KEY"),
        ("--overlap a.csv --within document", "column names; .* key, response, n, key_size"),
        ("--sql spark key response --item id", "name the columns with --item and --cluster"),
        ("--sql spark key a b --item id --cluster c", "the query of one response"),
        (
            "--sql spark key a --item id --cluster c -m b3",
            "metrics and policies with --overlap",
        ),
        ("--sql sparc key a --item id --cluster c", "did you mean 'spark'"),
        ("--sql spark", "Missing argument 'KEY'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, message):
    import click

    with pytest.raises((OptionError, click.UsageError), match=message):
        run(*arguments.split())


# -- Queries ----------------------------------------------------------------------------------


def answer(query, **tables):
    with duckdb.connect() as db:
        for name, text in tables.items():
            db.sql(f"CREATE TABLE {name} AS {text}")
        return sorted(db.sql(query).fetchall(), key=str)


def test_rows_of_the_query_by_hand():
    """{1 2} {3} and {1} {2 4} {5}: 1 and 2 are in common; a row that occurs twice counts once."""
    how = Columns(("id",), ("c", "c"), None)
    found = answer(
        overlap_query("duckdb", ("key", "response"), how),
        key="SELECT * FROM (VALUES (1, 'a'), (2, 'a'), (2, 'a'), (3, 'b')) t(id, c)",
        response="SELECT * FROM (VALUES (1, 7), (2, 8), (4, 8), (5, 9)) t(id, c)",
    )
    assert found == [
        ("a", 7, 1, 2, 1), ("a", 8, 1, 2, 2), ("b", None, 0, 1, None), (None, 9, 0, None, 1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("(VALUES (1, 'a'), (1, 'b'))", "an item of the key is in two clusters"),
        ("(VALUES (1, 'a'), (1, NULL))", "a cell of the key is empty"),
        ("(VALUES (1, 'a'), (NULL, 'a'))", "a cell of the key is empty"),
        ("(VALUES ('1', 'a'))", "key and response hold values of different types"),
    ],
)
def test_the_query_stops_at_what_cannot_be_counted(key, message):
    query = overlap_query("duckdb", ("key", "response"), Columns(("id",), ("c", "c"), None))
    with pytest.raises(duckdb.Error, match=message):
        answer(query, key=f"SELECT * FROM {key} t(id, c)", response="SELECT 1 AS id, 2 AS c")


@pytest.mark.parametrize("name", [*HOSTILE, "key", "document", "corefmeter_key_sizes", "i0", "n"])
def test_names_are_only_names_in_duckdb(name):
    """Also those that the query itself uses; a table of the other side is not touched."""
    if name.startswith("corefmeter") and duckdb.__version__ < "1.4":
        pytest.skip("a table that is called like one of the query cannot be reached by it")
    quoted = '"' + name.replace('"', '""') + '"'
    columns = Columns((name,), ("k", "r"), None)
    with duckdb.connect() as db:
        db.sql(f"CREATE TABLE {quoted} AS SELECT 1 AS {quoted}, 2 AS k, 3 AS r")
        found = db.sql(overlap_query("duckdb", (name, name), columns)).fetchall()
        assert found == [(2, 3, 1, 1, 1)]
        assert len(db.sql("SHOW TABLES").fetchall()) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("within", [None, *HOSTILE])
def test_queries_are_one_statement_that_names_only_these(dialect, within):
    table = f"lake.{within or 'key'}"
    query = overlap_query(dialect, (table, "response"), Columns(("id", "i2"), ("c", "c"), within))
    (statement,) = sqlglot.parse(query, read=dialect)
    names = {column.name for column in statement.find_all(sqlglot.exp.Column)}
    of_query = {"document", "i0", "i1", "key", "response", "n", "key_size", "response_size"}
    assert names - of_query == {"id", "i2", "c", *([within] if within else [])}
    ours = {table.name for table in statement.find_all(sqlglot.exp.Table)}
    assert {name for name in ours if not name.startswith("corefmeter_")} == {
        within or "key", "response"
    }  # fmt: skip
    assert statement.find(sqlglot.exp.Drop) is None


def test_parts_of_a_name_are_quoted_each():
    columns = Columns(("id",), ("c", "c"), None)
    assert "FROM `my-project`.`set`.`key`)" in overlap_query(
        "bigquery", ("my-project.set.key", "response"), columns
    )
    with pytest.raises(OptionError, match="unknown engine 'spar'; did you mean 'spark'"):
        overlap_query("spar", ("key", "response"), columns)


@pytest.mark.parametrize(
    ("key", "item", "cluster", "within"),
    [("", "i", "c", "d"), ("a..b", "i", "c", "d"), ("a", "", "c", "d"), ("a", "i", "", "d"),
     ("a", "i", "c", "")],
)  # fmt: skip
def test_names_that_are_empty_are_refused(key, item, cluster, within):
    with pytest.raises(OptionError, match="the name of a table or column is empty"):
        overlap_query("spark", (key, "b"), Columns((item,), ("c", cluster), within))
