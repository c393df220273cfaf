"""``corefmeter clusters``: files of every kind, columns that are guessed, what is missing."""

from __future__ import annotations

import contextlib
import gzip
import json
import resource
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import corefmeter
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.records.command import clusters

RECORDS = Path(__file__).parents[4] / "shared" / "data" / "records"

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
    lines = said.splitlines()
    assert lines == [
        f"{folder / name}2.csv: note: 100 rows, header in row 1, commas; item: id, cluster: entity "
        "[table-read]"
        for name in ("key", "response")
    ]
    with duckdb.connect() as db:
        db.sql(f"COPY (SELECT id, c AS label FROM '{folder}/key.parquet') TO "
               f"'{folder}/key2.parquet'")  # fmt: skip
    _, said = run(folder / "key2.parquet", folder / "key2.parquet", "-m", "b3", "--item", "id")
    assert "key2.parquet: note: cluster: label [columns-guessed]" in said


@pytest.mark.parametrize(
    ("columns", "item", "cluster"),
    [
        ("cluster_id,unique_id,name", "unique_id", "cluster_id"),  # Splink
        ("Cluster ID,confidence_score,Id", "Id", "Cluster ID"),  # dedupe
        ("z_minScore,z_maxScore,z_cluster,record_id", "record_id", "z_cluster"),  # Zingg
        ("record,label", "record", "label"),
    ],
)
def test_columns_of_other_programs_are_known(tmp_path, columns, item, cluster):
    rows = [columns]
    rows += [",".join(value for _ in columns.split(",")) for value in "123"]
    (tmp_path / "a.csv").write_text("\n".join(rows) + "\n")
    _, said = run(tmp_path / "a.csv", tmp_path / "a.csv", "-m", "b3")
    assert f"; item: {item}, cluster: {cluster} [table-read]" in said


@pytest.mark.parametrize(
    ("key", "response", "asked"),
    [
        ("a,cluster,x\n", "b,cluster,x\n", "--item x --cluster cluster"),
        ("id,cluster,label\n", "id,z_cluster,entity\n",
         "--item id --key-cluster cluster --response-cluster z_cluster"),
        ("unique_id,record_id,x,y\n", "unique_id,record_id,cluster\n",
         "--item unique_id --key-cluster x --response-cluster cluster"),
    ],
)  # fmt: skip
def test_all_columns_in_doubt_are_one_error_with_options_to_copy(tmp_path, key, response, asked):
    for name, header in (("k", key), ("r", response)):
        row = ",".join("1" for _ in header.split(",")) + "\n"
        (tmp_path / f"{name}.csv").write_text(header + row + row.replace("1", "2"))
    paths = tmp_path / "k.csv", tmp_path / "r.csv"
    with pytest.raises(OptionError, match="which column is the") as caught:
        run(*paths, "-m", "b3", "--header", "yes")
    assert str(caught.value).endswith(f"\n  For example: {asked}")
    if asked.startswith("--item id"):
        run(*paths, "-m", "b3", "--header", "yes", *asked.split())  # what is proposed works


def test_a_column_that_is_named_is_not_said_to_be_guessed(folder):
    _, said = run(folder / "key.csv", folder / "response.csv", *HOW)
    assert "100 rows, header in row 1, commas [table-read]" in said
    assert "item:" not in said


def test_a_column_called_like_clusters_is_in_doubt_beside_another(tmp_path):
    for name in ("k", "r"):
        (tmp_path / f"{name}.csv").write_text("id,clusters_of_mine,note\n1,a,b\n2,b,c\n")
    with pytest.raises(OptionError, match="which column is the cluster") as caught:
        run(tmp_path / "k.csv", tmp_path / "r.csv", "--header", "yes")
    assert str(caught.value).endswith("--item id --cluster clusters_of_mine")


def test_several_responses_are_called_by_their_columns(tmp_path):
    rows = ["id,truth,one,two", "1,a,a,a", "2,a,a,b"]
    (tmp_path / "all.csv").write_text("\n".join(rows) + "\n")
    text, _ = run(tmp_path / "all.csv", "--item", "id", "--key-cluster", "truth",
                  "--response-cluster", "one", "--response-cluster", "two", "-m", "b3", "--worst",
                  "1")  # fmt: skip
    assert text.splitlines()[0].split() == ["one", "two"]
    captions = [line for line in text.splitlines() if line.startswith("Sizes of clusters")]
    assert captions == ["Sizes of clusters: one", "Sizes of clusters: two"]


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


def test_the_usual_metrics_are_those_of_records(tmp_path):
    """The response joins a b and c: pairs 1 of 3, no exact cluster; B3 P = (2 * 2/3 + 1/3) / 3."""
    (tmp_path / "k.csv").write_text("id,cluster\na,1\nb,1\nc,2\n")
    (tmp_path / "r.csv").write_text("id,cluster\na,1\nb,1\nc,1\n")
    (found,) = scores(tmp_path / "k.csv", tmp_path / "r.csv")
    assert list(found) == ["links", "b3", "ceaf1", "vmeasure"]
    assert (found["links"], found["ceaf1"]) == (0.5, 0)
    assert found["b3"] == pytest.approx(2 * (5 / 9) / (1 + 5 / 9), abs=1e-12)
    text, _ = run(tmp_path / "k.csv", tmp_path / "r.csv")
    assert "\nin percent\n" in text
    (found,) = scores(tmp_path / "k.csv", tmp_path / "r.csv", "-m", "conll")
    assert "conll" in found
    assert "links" not in found
    (found,) = scores(tmp_path / "k.csv", tmp_path / "r.csv", "--recipe",
                      f"corefmeter:{corefmeter.__version__}|metrics:muc")  # fmt: skip
    assert list(found) == ["muc"]


def test_documents_of_tables_are_counted(folder):
    text, _ = run(folder / "key.csv", folder / "response.csv", *HOW, "--within", "d")
    assert "\nin percent, from totals over 3 documents\n" in text


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


def test_the_lack_of_memory_says_what_to_set(folder, stays_in_engine):
    with pytest.raises(DataError, match=r"Raise --memory") as caught:
        run(folder / "key.csv", folder / "response.csv", *HOW, "--memory", "1MB")
    assert caught.value.problems[0].code == "out-of-memory"


def test_a_full_disk_says_what_to_set():
    from corefmeter.wings.records.frames import report_exhaustion

    with (
        pytest.raises(DataError, match=r"Choose a folder on a larger disk") as caught,
        report_exhaustion(),
    ):
        raise OSError(28, "No space left on device")
    assert caught.value.problems[0].code == "disk-full"
    with pytest.raises(DataError, match=r"MemoryError .out-of-memory"), report_exhaustion():
        raise MemoryError


def test_what_cannot_be_set_or_read_is_told(folder):
    with pytest.raises(OptionError, match="memory 'much' cannot be set"):
        run(folder / "key.csv", folder / "key.csv", *HOW, "--memory", "much")
    with pytest.raises(DataError, match=r"No such file .*unreadable"):
        run(folder / "key.csv", folder / "none.csv", *HOW)
    (folder / "bad.csv").write_bytes(b"\x00\xff\xfe" * 100)
    with pytest.raises(DataError, match=r"not-text"):
        run(folder / "key.csv", folder / "bad.csv", *HOW)
    with pytest.raises(OptionError, match=r"no table 'x'. Name one with --table: clusters"):
        run(folder / "key.duckdb", folder / "key.csv", *HOW, "--table", "x")


@pytest.mark.parametrize("ending", ["parquet", "arrow", "duckdb"])
def test_a_damaged_file_is_told(folder, ending):
    """Its sign at the beginning is whole, and nothing behind it, or something in the middle not."""
    path = folder / f"key.{ending}"
    whole = path.read_bytes()
    sign = {"parquet": 4, "arrow": 8, "duckdb": 12}[ending]
    middle = len(whole) // 3
    for damaged in (
        whole[:sign] + b"x" * 200 + whole[-4:],
        whole[:sign] + b"\0" * 9000,
        whole[:middle] + b"\xff" * 64 + whole[middle + 64 :],
    ):
        path.write_bytes(damaged)
        with contextlib.suppress(OptionError):  # the names of columns may be what is damaged
            with pytest.raises(DataError) as caught:
                run(folder / "key.csv", path, *HOW)
            assert [p.code for p in caught.value.problems] == ["bad-table"]
            assert str(path) in str(caught.value)  # with the other, if the engine names none


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("IO Error: no page\nat 4", "damaged: IO Error: no page"),
        ("CSV Error\nMaximum line size of 9 bytes", "Maximum line size of 9 bytes"),
    ],
)
def test_what_duckdb_says_of_a_damaged_file_is_the_message_and_what_to_do_the_hint(error, message):
    from corefmeter.wings.records.opening import report_damage

    with pytest.raises(DataError) as caught, report_damage("key.csv", None):
        raise duckdb.IOException(error)
    (problem,) = caught.value.problems
    assert (problem.path, problem.message) == ("key.csv", message)
    assert problem.hint.startswith("Write the file again")


def test_a_table_that_cannot_be_written_is_told(folder):
    (folder / "out.parquet").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(DataError, match=r"cannot be written: .*unwritable"):
            run(
                folder / "key.csv",
                folder / "key.csv",
                *HOW,
                "--write-worst",
                folder / "out.parquet",
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (folder / "out.parquet").read_text() == "old"


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


def run_json(*arguments):
    """The scores of one response by metric."""
    return json.loads(run(*arguments, "-f", "json")[0])["results"][0]["scores"]


def links(*arguments):
    """How many links are right, of how many in the key and in the response."""
    found = run_json(*arguments, "-m", "links")["links"]
    names = ("recall_numerator", "recall_denominator", "precision_denominator")
    return tuple(found[name] for name in names)


#: Two records of one origin, of which the first has a copy more, and one alone.
COPIES = (
    "rec_id, name, born\nrec-1-org, ann, 1\nrec-1-dup-0, an, 1\nrec-1-dup-1, anne, 2\n"
    "rec-2-org, bo, 2\n"
)


def test_ids_of_copies_are_the_key_of_records(tmp_path):
    """The response has one of three links, and a wrong one."""
    key, response = tmp_path / "records.csv", tmp_path / "response.csv"
    key.write_text(COPIES)
    rows = ("rec-1-org,a", "rec-1-dup-0,a", "rec-1-dup-1,b", "rec-2-org,b")
    for column in ("cluster", "person"):
        response.write_text("\n".join([f"rec_id,{column}", *rows]))
        assert links(key, response) == (1, 3, 2)
    # Records with the clusters that were found.
    lines = COPIES.splitlines()
    found = [
        lines[0] + ",cluster",
        *(f"{line},{one}" for line, one in zip(lines[1:], "aabb", strict=True)),
    ]
    response.write_text("\n".join(found))
    assert links(key, response) == (1, 3, 2)
    # One file: what --response-cluster names is not the key.
    assert links(response, "--response-cluster", "cluster") == (1, 3, 2)


def test_ids_of_copies_are_not_what_a_response_found(tmp_path):
    (tmp_path / "records.csv").write_text(COPIES)
    with pytest.raises(OptionError, match="which column is the cluster"):
        run(tmp_path / "records.csv", tmp_path / "records.csv")


def test_several_files_of_records_are_one_key(tmp_path):
    lines = COPIES.splitlines()
    for name, rows in (("a", lines[1:3]), ("b", lines[3:])):
        (tmp_path / f"part-{name}.csv").write_text("\n".join([lines[0], *rows]))
    response = tmp_path / "response.csv"
    response.write_text("rec_id,cluster\nrec-1-org,a\nrec-1-dup-0,a\nrec-1-dup-1,b\nrec-2-org,b\n")
    assert links(tmp_path / "part-*.csv", response) == (1, 3, 2)


#: Of rows 1 and 2, and 3 and 4, the response has the first link, and one with row 5.
IDENTITY, GUESS = "34 34 51 51 7", "x x y z y"


@pytest.fixture
def people(tmp_path):
    """Records without ids, and beside them a file with the identity of each row."""
    rows = [f"ANN{n}\tNA\t19{n}0" for n in range(5)]
    (tmp_path / "people.tsv").write_text("\n".join(["fname\tlname\tby", *rows]) + "\n")
    for name, column, values in (
        ("identity.people", "identity", IDENTITY),
        ("guess", "cluster", GUESS),
    ):
        (tmp_path / f"{name}.tsv").write_text("\n".join([column, *values.split()]) + "\n")
    guessed = [f"{row}\t{one}" for row, one in zip(rows, GUESS.split(), strict=True)]
    (tmp_path / "linked.tsv").write_text("\n".join(["fname\tlname\tby\tcluster", *guessed]) + "\n")
    numbered = [f"{place}\t{one}" for place, one in enumerate(GUESS.split(), 1)]
    (tmp_path / "numbered.tsv").write_text("\n".join(["row\tcluster", *reversed(numbered)]) + "\n")
    return tmp_path


@pytest.mark.parametrize("key", ["people.tsv", "identity.people.tsv"])
@pytest.mark.parametrize("response", ["guess.tsv", "linked.tsv", "numbered.tsv"])
def test_a_file_of_identities_beside_the_records_is_the_key(people, key, response):
    assert links(people / key, people / response) == (1, 2, 2)


def test_the_identities_beside_are_an_input(people):
    text, said = run(people / "people.tsv", people / "guess.tsv", "-m", "b3", "-f", "json")
    beside = people / "identity.people.tsv"
    assert f"tabs; item: row, cluster: the rows of {beside} [table-read]" in said
    read = json.loads(text)["results"][0]["digests"]
    assert {Path(name).name for name in read} == {"people.tsv", "guess.tsv", "identity.people.tsv"}


def test_a_file_with_a_column_of_clusters_needs_no_identities(people):
    """Whatever its letters and the spaces around its name are."""
    for header in ("Cluster ID", " cluster "):
        rows = [f"{n}\t{one}\tname {n}" for n, one in enumerate(GUESS.split(), 1)]
        (people / "people.tsv").write_text("\n".join([f"row\t{header}\tname", *rows]) + "\n")
        assert links(people / "people.tsv", people / "numbered.tsv") == (2, 2, 2)


def test_rows_in_their_order_must_be_as_many(people):
    for name in ("guess", "identity.people"):
        path = people / f"{name}.tsv"
        whole = path.read_text()
        path.write_text(whole + "more\n")
        with pytest.raises(DataError, match=r"has 6 rows, but .*people.tsv has 5"):
            run(people / "people.tsv", people / "guess.tsv", "--header", "yes")
        path.write_text(whole)
    # With their numbers they need not be.
    (people / "numbered.tsv").write_text("row\tcluster\n2\ta\n1\ta\n")
    assert links(people / "people.tsv", people / "numbered.tsv") == (1, 2, 1)


def test_gzip_is_told_by_what_duckdb_reads(tmp_path):
    with gzip.open(tmp_path / "a.csv.gz", "wt") as stream:
        stream.write("id,cluster\n1,a\n2,a\n")
    assert scores(tmp_path / "a.csv.gz", tmp_path / "a.csv.gz", "-m", "b3")[0]["b3"] == 1


#: Of abcde, K1, the response has ab, cd, and e with fgh and x; it lacks i.
ROWS = {"key": "aK bK cK dK eK fL gL hM iL", "response": "a1 b1 c2 d2 e3 f3 g3 h3 x3"}

HEADER = "response,list,rank,document,cluster,size,links,partners,partner,common,item"


@pytest.fixture
def letters(tmp_path):
    for name, rows in ROWS.items():
        lines = ["id,cluster", *(f"{row[0]},{row[1]}" for row in rows.split())]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    return tmp_path


def test_the_worst_clusters_are_listed_with_their_items(letters):
    """Of 10 pairs of abcde the response has ab and cd; of 10 of efghx only fg is right."""
    how = (letters / "key.csv", f"us={letters / 'response.csv'}", "-m", "b3", "--worst", "1")
    text, _ = run(*how)
    assert text.count("K        1        a b         2     5      8         3\n") == 2
    assert text.count("3        L        f g         2     5      9         3\n") == 2
    assert "5 to 8         1      5           1      5\n" in text
    worst = json.loads(run(*how, "-f", "json")[0])["results"][0]["worst"]
    assert worst["wrong"] == worst["merged"]
    assert worst["wrong"][0]["parts"][-1] == {"partner": None, "common": 1, "items": ["x"]}
    lines = run(*how, "-f", "csv")[0].splitlines()
    assert lines[:2] == [HEADER, "us,missing,1,,K,5,8,3,1,2,a"]
    assert len(lines) == 1 + 4 * 5


def test_the_worst_clusters_are_written_as_parquet(letters):
    target = letters / "worst.parquet"
    text, _ = run(
        letters / "key.csv", letters / "response.csv", "-m", "b3", "--write-worst", target
    )
    assert "missing" not in text
    with duckdb.connect() as db:
        table = db.read_parquet(str(target))
        assert ",".join(table.columns) == HEADER
        found = table.filter("list = 'missing'").project("cluster, links, item").fetchall()
    assert found == [*(("K", 8, item) for item in "abcde"), *(("L", 2, item) for item in "fgi")]


@pytest.mark.parametrize(("name", "separator"), [("worst.csv", ","), ("worst.TSV", "\t")])
def test_the_worst_clusters_are_written_as_the_name_says(letters, name, separator):
    how = (letters / "key.csv", letters / "response.csv", "-m", "b3", "--write-worst")
    run(*how, letters / name)
    header, *rows = (letters / name).read_text().splitlines()
    assert header == HEADER.replace(",", separator)
    missing = [row.split(separator)[-1] for row in rows if row.split(separator)[1] == "missing"]
    assert missing == [*"abcde", *"fgi"]


@pytest.mark.parametrize(("parts", "size", "left"), [(1, 14, 4 + 4), (12, 2, 4 + 4), (3, 9, 0)])
def test_items_that_are_not_written_are_counted(tmp_path, parts, size, left):
    """The key is one cluster, listed as missing and as split; the response has its parts.

    Of one part only 10 of 14 items have a row; of 12 parts two with 2 items each have none.
    """
    rows = [(f"i{part}-{item}", part) for part in range(parts) for item in range(size)]
    # Another part, so that the cluster is split in two at least: of one of the ten parts.
    rows += [("x", parts)] if parts == 1 else []
    lines = [["id,cluster", *(f"{item},{name}" for item, name in side)]
             for side in ([(item, "K") for item, _ in rows], rows)]  # fmt: skip
    for name, side in zip(("key", "response"), lines, strict=True):
        (tmp_path / f"{name}.csv").write_text("\n".join(side) + "\n")
    target = tmp_path / "worst.csv"
    _, said = run(tmp_path / "key.csv", tmp_path / "response.csv", "-m", "b3", "--write-worst",
                  target)  # fmt: skip
    assert len(target.read_text().splitlines()) == 1 + 2 * len(rows) - left
    shown = f"{target}: note: {left} items of these clusters have no row [items-left-out]"
    assert (shown in said) == bool(left)
    assert ("items-left-out" in said) == bool(left)


def test_a_response_without_an_error_has_an_empty_list(letters):
    target = letters / "worst.parquet"
    key = letters / "key.csv"
    text, _ = run(key, key, "-m", "b3", "--worst", "3", "--write-worst", target)
    assert "Key clusters" not in text
    with duckdb.connect() as db:
        assert db.read_parquet(str(target)).fetchall() == []


def test_long_lists_of_items_are_cut(tmp_path):
    """Of 12 items 10 are listed, and text shows those that have room in 28 characters."""
    rows = "".join(f"number-{n:02},one,{n % 2},{n}\n" for n in range(24))
    (tmp_path / "both.csv").write_text("id,key,halves,alone\n" + rows)
    how = (tmp_path / "both.csv", "--key-cluster=key", "--item=id", "-m", "b3", "--worst=1")
    text, _ = run(*how, "--response-cluster", "halves")
    assert "one      0        number-00 number-02 …      12" in text
    text, _ = run(*how, "--response-cluster", "alone")
    assert "…        and 14 more" in text


@pytest.mark.parametrize(
    "query",
    [
        "FROM read_csv('{}/key.csv')",
        "FROM '{}/key.csv'",
        "SELECT filename AS id, content AS cluster FROM read_text('{}/key.csv')",
        "SELECT file AS id, 'x' AS cluster FROM glob('{}/*')",
        "FROM query('FROM read_csv(''{}/key.csv'')')",
        "FROM clusters UNION ALL FROM '{}/key.csv'",
    ],
)
def test_a_view_that_reads_other_files_is_refused(folder, query):
    """A file that somebody else wrote says what it holds, not what is read here."""
    with duckdb.connect(f"{folder}/key.duckdb") as database:
        database.execute(f"CREATE VIEW other AS {query.format(folder)}")
    with pytest.raises(DataError, match="the view 'other' reads other files") as caught:
        run(folder / "key.duckdb", folder / "response.csv", *HOW, "--table", "other")
    assert [problem.code for problem in caught.value.problems] == ["bad-table"]


def test_a_view_of_tables_of_its_file_is_read(folder):
    with duckdb.connect(f"{folder}/key.duckdb") as database:
        database.execute("CREATE VIEW same AS FROM clusters")
    sides = folder / "response.csv", *HOW
    assert scores(folder / "key.duckdb", *sides, "--table", "same") == scores(
        folder / "key.duckdb", *sides, "--table", "clusters"
    )


@pytest.mark.parametrize(
    "query",
    [
        "SELECT range AS id, CAST(floor(20 * random()) AS INT) AS cluster FROM range(1000)",
        "SELECT range AS id, range // 3 AS cluster FROM range(1000) USING SAMPLE 500 ROWS",
        "SELECT range AS id, range // 9 AS cluster FROM range(1000) WHERE random() < 0.5",
    ],
)
def test_a_view_that_draws_is_computed_once(tmp_path, query):
    """One cluster as the key is all that any draw can be: precision of B³ is 1, recall is not."""
    with duckdb.connect(f"{tmp_path}/response.duckdb") as database:
        database.execute(f"CREATE VIEW drawn AS {query}")
    key = tmp_path / "key.csv"
    key.write_text("id,cluster\n" + "".join(f"{item},1\n" for item in range(1000)))
    found = run_json(key, tmp_path / "response.duckdb", "-m", "b3")
    assert found["b3"]["precision"] == 1
    assert 0 < found["b3"]["recall"] < 1


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_noise_is_a_label_of_a_file_too(tmp_path, ending):
    """Key {1 2} {3} {4}, response {1 2} {3 4}: P = (1 + 1 + 1/2 + 1/2) / 4."""
    for name, labels in (("key", (5, 5, -1, -1)), ("response", (7, 7, 8, 8))):
        rows = ", ".join(f"({item}, {label})" for item, label in enumerate(labels))
        with duckdb.connect() as db:
            db.sql(f"COPY (FROM (VALUES {rows}) t(id, cluster)) TO '{tmp_path}/{name}.{ending}'")
    pair = [tmp_path / f"{name}.{ending}" for name in ("key", "response")]
    stdout, stderr = run(*pair, "-m", "b3", "--noise", "-1", "-f", "json")
    saved = json.loads(stdout)
    assert saved["results"][0]["scores"]["b3"]["precision"] == 3 / 4
    assert "|noise:-1|" in saved["signature"]
    assert "2 items of the key and 0 of the response are in no cluster" in stderr
    assert "--noise -1 makes each" in run(*pair, "-m", "b3")[1]
