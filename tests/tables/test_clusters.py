"""``corefmeter clusters``: files of every kind, columns that are guessed, what is missing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from corefmeter.cli.clusters import clusters
from corefmeter.problems import DataError, OptionError

RECORDS = Path(__file__).parents[3] / "shared" / "data" / "records"

KEY = "SELECT i AS id, i % 10 AS c, i % 3 AS d FROM range(100) r(i)"
RESPONSE = "SELECT i AS id, i % 11 AS c, i % 3 AS d FROM range(100) r(i)"


def run(*arguments):
    found = CliRunner().invoke(clusters, [*map(str, arguments)], catch_exceptions=False,
                               standalone_mode=False)  # fmt: skip
    return found.stdout, found.stderr


def scores(*arguments):
    entry = json.loads(run(*arguments, "-f", "json")[0])["results"]
    return [{name: one["f1"] for name, one in result["scores"].items()} for result in entry]


@pytest.fixture
def folder(tmp_path):
    with duckdb.connect() as db:
        for name, query in (("key", KEY), ("response", RESPONSE)):
            path = tmp_path / name
            db.sql(f"COPY ({query}) TO '{path}.parquet'")
            for ending in ("csv", "csv.gz", "csv.zst"):
                db.sql(f"COPY ({query}) TO '{path}.{ending}' (HEADER true)")
            db.sql(f"COPY ({query}) TO '{path}.tsv' (HEADER true, DELIMITER '\t')")
            from pyarrow import feather

            feather.write_feather(db.sql(query).df(), f"{path}.arrow")
            with duckdb.connect(f"{path}.duckdb") as other:
                other.sql(f"CREATE TABLE clusters AS {query}")
    return tmp_path


HOW = ("--item", "id", "--cluster", "c", "-m", "b3,ceafe")


@pytest.mark.parametrize(
    "ending", ["csv", "csv.gz", "csv.zst", "tsv", "arrow", "duckdb", "parquet"]
)
@pytest.mark.parametrize("of_key", ["parquet", "csv"])
def test_all_kinds_of_files_give_the_same_scores(folder, of_key, ending):
    """B3 by hand is that of 100 items in 10 clusters of 10, against 11 of 9 or 10: all cells are 1,
    but those of i and i + 110, which is beyond 100. R = 100/10/100, P = 11/100."""
    ((found),) = scores(folder / f"key.{of_key}", folder / f"response.{ending}", *HOW)
    assert found["b3"] == pytest.approx(2 * 0.1 * 0.11 / 0.21, abs=1e-12)


def test_columns_are_guessed_and_said(folder):
    for name, column in (("key", "entity"), ("response", "entity")):
        with duckdb.connect() as db:
            db.sql(f"COPY (SELECT id, c AS {column} FROM '{folder}/{name}.parquet') TO "
                   f"'{folder}/{name}2.csv'")  # fmt: skip
    _, said = run(folder / "key2.csv", folder / "response2.csv", "-m", "b3")
    assert "note: the column 'id' is taken for the item [columns-guessed]" in said
    assert "note: the column 'entity' is taken for the cluster [columns-guessed]" in said


def test_doubt_about_a_column_is_refused(folder):
    with pytest.raises(OptionError, match=r"which column is the cluster\? .*has id, c, d"):
        run(folder / "key.csv", folder / "response.csv")


def test_each_document_is_a_unit(folder):
    text, _ = run(folder / "key.csv", folder / "response.csv", *HOW, "--within", "d", "--by",
                  "document", "-f", "json")  # fmt: skip
    assert list(json.loads(text)["results"][0]["by"]["document"]) == ["0", "1", "2"]


def test_several_responses_are_columns_of_one_table(folder):
    found = scores(folder / "key.csv", f"same={folder / 'key.csv'}", folder / "response.csv", *HOW)
    assert found[0]["b3"] == 1 > found[1]["b3"]


def test_one_file_may_hold_all_clusters(tmp_path):
    (tmp_path / "both.csv").write_text("a,b,c\n1,x,x\n1,x,x\n1,y,x\n2,y,x\n")
    found = scores(tmp_path / "both.csv", "--key-cluster", "a", "--response-cluster", "b",
                   "--response-cluster", "c", "-m", "links")  # fmt: skip
    # R = 1/3, P = 1/2; R = 3/3, P = 3/6
    assert [one["links"] for one in found] == [0.4, 2 / 3]


def test_values_of_csv_are_text_without_spaces_around(tmp_path):
    """01 and 1 are two items; empty is no cluster."""
    (tmp_path / "a.csv").write_text("id, cluster\n01, x\n1, x\n")
    assert scores(tmp_path / "a.csv", tmp_path / "a.csv", "-m", "links")[0]["links"] == 1
    (tmp_path / "b.csv").write_text("id,cluster\n01,x\n1,  \n")
    with pytest.raises(DataError, match=r"'cluster' of the response is empty in 1 of 2 rows"):
        run(tmp_path / "a.csv", tmp_path / "b.csv")


def test_the_lack_of_memory_says_what_to_set(folder):
    with pytest.raises(DataError, match=r"Give more with --memory") as caught:
        run(folder / "key.csv", folder / "response.csv", *HOW, "--memory", "1MB")
    assert caught.value.problems[0].code == "out-of-memory"


def test_a_full_disk_says_what_to_set():
    from corefmeter.tables.frames import told

    with pytest.raises(DataError, match=r"Name a folder on a larger disk") as caught, told():
        raise OSError(28, "No space left on device")
    assert caught.value.problems[0].code == "disk-full"
    with pytest.raises(DataError, match=r"MemoryError .out-of-memory"), told():
        raise MemoryError


def test_what_cannot_be_set_or_read_is_told(folder):
    with pytest.raises(OptionError, match="memory 'much' cannot be set"):
        run(folder / "key.csv", folder / "key.csv", *HOW, "--memory", "much")
    with pytest.raises(DataError, match=r"No such file .*unreadable"):
        run(folder / "key.csv", folder / "none.csv", *HOW)
    (folder / "bad.csv").write_bytes(b"\x00\xff\xfe" * 100)
    with pytest.raises(DataError, match=r"bad-table"):
        run(folder / "key.csv", folder / "bad.csv", *HOW)
    with pytest.raises(OptionError, match=r"no table 'x'. Name one with --table: clusters"):
        run(folder / "key.duckdb", folder / "key.csv", *HOW, "--table", "x")


def test_responses_are_files_or_columns(folder):
    with pytest.raises(OptionError, match="may be repeated only without RESPONSE"):
        run(folder / "key.csv", folder / "key.csv", "--response-cluster", "c",
            "--response-cluster", "d")  # fmt: skip


@pytest.mark.skipif(not RECORDS.exists(), reason="needs the records beside the checkout")
def test_ids_of_generated_records_say_which_belong_together(tmp_path):
    """FEBRL has 500 records with one duplicate each; each record alone is none of 500 links."""
    rows = (RECORDS / "febrl" / "dataset1.csv").read_text().splitlines()[1:]
    ids = [row.partition(",")[0] for row in rows]
    (tmp_path / "alone.csv").write_text(
        "rec_id,cluster\n" + "".join(f"{name},{name}\n" for name in ids)
    )
    text, _ = run(RECORDS / "febrl" / "dataset1.csv", tmp_path / "alone.csv", "-m", "links", "-f",
                  "json")  # fmt: skip
    links = json.loads(text)["results"][0]["scores"]["links"]
    assert (links["recall_numerator"], links["recall_denominator"]) == (0, 500)


@pytest.mark.skipif(not RECORDS.exists(), reason="needs the records beside the checkout")
def test_files_of_one_column_are_rows_in_order():
    """RLdata500 holds 50 duplicates."""
    path = RECORDS / "rldata" / "identity.RLdata500.tsv"
    text, _ = run(path, path, "-m", "links", "-f", "json")
    links = json.loads(text)["results"][0]["scores"]["links"]
    assert (links["recall_numerator"], links["recall_denominator"]) == (50, 50)


def test_gzip_is_told_by_what_duckdb_reads(tmp_path):
    with gzip.open(tmp_path / "a.csv.gz", "wt") as stream:
        stream.write("id,cluster\n1,a\n2,a\n")
    assert scores(tmp_path / "a.csv.gz", tmp_path / "a.csv.gz", "-m", "b3")[0]["b3"] == 1
