"""``corefmeter clusters``: what is a header, what separates values, what is no table."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from corefmeter.problems import DataError, OptionError
from corefmeter.wings.records.command import clusters


def run(*arguments):
    found = CliRunner().invoke(clusters, [*map(str, arguments), "-f", "json"],
                               catch_exceptions=False, standalone_mode=False)  # fmt: skip
    return json.loads(found.stdout)["results"][0], found.stderr


def b3(*arguments):
    """B3 F1 in percent, and the number of items of the key and of the response."""
    one = run(*arguments, "-m", "b3")[0]["scores"]["b3"]
    sizes = one["recall_denominator"], one["precision_denominator"]
    return (round(100 * one["f1"], 2), *map(int, sizes))


def refused(*arguments, match, code="bad-table"):
    """The error, which is of a length that can be read."""
    with pytest.raises((DataError, OptionError), match=match) as caught:
        run(*arguments)
    assert len(str(caught.value)) < 1500
    if isinstance(caught.value, DataError):
        assert {problem.code for problem in caught.value.problems} == {code}
        assert all(problem.hint for problem in caught.value.problems)
    return caught.value


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


#: Of 1 2 | 3 4 | 5 the response has 1 3 | 2 4 | 5: four items share half of a cluster, and one all.
#: B3 is (4 / 2 + 1) / 5 in both directions.
LABELS = "11223", "12123"


def lines(values):
    return "".join(f"{value}\n" for value in values)


def test_numbers_without_a_header_are_all_labels(write):
    key, response = (write(f"{n}.txt", lines(of)) for n, of in enumerate(LABELS))
    assert b3(key, response) == (60, 5, 5)
    assert b3(key, response, "--header", "no") == (60, 5, 5)
    # Without the first row: 2 | 3 4 | 5 against 3 | 2 4 | 5, which is (1 + 1/2 + 1/2 + 1) / 4 and
    # (1/2 + 1 + 1/2 + 1) / 4.
    assert b3(key, response, "--header", "yes") == (75, 4, 4)


def test_numbers_of_two_columns_without_a_header_are_data(write):
    rows = [f"{n},{label}\n" for n, label in enumerate(LABELS[0], 7)]
    key = write("key.csv", "".join(rows))
    how = ("--item", "column0", "--cluster", "column1")
    assert b3(key, key, *how) == (100, 5, 5)
    # What pandas calls columns without names is what an item 0 in cluster 1 looks like.
    default = write("default.csv", "0,1\n" + "".join(rows))
    refused(default, key, *how, match="row 1 may be a header or data: '0, 1'")


def test_a_number_in_each_column_of_numbers_is_no_header(write):
    """The ids are numbers and the labels are not."""
    key = write("key.csv", "1,a\n2,a\n3,b\n")
    assert b3(key, key, "--item", "column0", "--cluster", "column1") == (100, 3, 3)


def test_texts_without_a_known_name_need_a_word(write):
    key, response = (
        write(f"{n}.txt", lines("_ABC"[int(one)] for one in of)) for n, of in enumerate(LABELS)
    )
    refused(key, response, match="--header yes or --header no")
    assert b3(key, response, "--header", "no") == (60, 5, 5)
    assert b3(key, response, "--header", "yes") == (75, 4, 4)
    pairs = write("pairs.csv", "x,a\ny,a\nz,b\n")
    refused(pairs, pairs, "--item=column0", "--cluster=column1", match="header or data: 'x, a'")


def test_a_text_above_numbers_is_no_proof(write):
    """A label may be a word where the others are numbers."""
    path = write("a.csv", "noise\n1\n1\n2\n")
    refused(path, path, match="row 1 may be a header or data: 'noise'")
    assert b3(path, path, "--header", "no") == (100, 4, 4)


@pytest.mark.parametrize("ids", [(1, 2, 3), ("x", "y", "z"), ("rec-1", "rec-2", "rec-3")])
def test_a_column_without_a_name_is_no_row(write, ids):
    """What DataFrame.to_csv writes. R is (1/2 + 1/2 + 1) / 3, P is 1."""
    for name, labels in (("key", "aab"), ("response", "abc")):
        rows = [f"{n},{id},{of}\n" for n, (id, of) in enumerate(zip(ids, labels, strict=True))]
        write(f"{name}.csv", ",id,cluster\n" + "".join(rows))
        write(f"{name}.index.csv", ",cluster\n" + "".join(row.partition(",")[2] for row in rows))
    folder = write("key.csv.bak", "").parent
    assert b3(folder / "key.csv", folder / "response.csv") == (80, 3, 3)
    index = folder / "key.index.csv", folder / "response.index.csv"
    assert b3(*index, "--item", "column0") == (80, 3, 3)


def test_how_text_was_read_is_said(write):
    path = write("a.tsv", 'id\tcluster\n1\t"a"\n2\ta\n')
    said = "a.tsv: note: 2 rows, header in row 1, tabs, quotes; item: id, cluster: cluster ["
    assert said in run(path, path)[1]


#: B3 of 1 2 3 | 4 5 | 6 against 1 2 4 | 3 5 | 6: recall is (2/3 + 2/3 + 1/3 + 1/2 + 1/2 + 1) / 6;
#: items 3 and 4 change places for precision.
MEMBERS = "1 2 3\n4 5\n6\n", "1 2 4\n3 5\n6\n"


@pytest.mark.parametrize("separator", [" ", ",", "\t", ", ", ";", "  "])
def test_lists_of_members_are_asked_for(write, separator):
    key, response = (write(f"{n}.txt", of.replace(" ", separator)) for n, of in enumerate(MEMBERS))
    refused(key, response, match="--members")
    assert b3(key, response, "--members") == (61.11, 6, 6)
    objects = write("table.json", '{"a": ["1", "2", "4"], "b": ["3", "5"], "c": ["6"]}')
    assert b3(key, objects, "--members") == (61.11, 6, 6)
    # A table says what the items are called.
    rows = {"1": "a", "2": "a", "3": "a", "4": "b", "5": "b", "6": "c"}
    table = [json.dumps({"record": item, "cluster": cluster}) for item, cluster in rows.items()]
    assert b3(write("rows.jsonl", lines(table)), response, "--members") == (61.11, 6, 6)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a b\nc,d\te\n", "separated by commas or tabs"),
        ("a,b\nc d\n", "txt:2: error: not a list of members separated by commas"),
        ("a,,b\n", "(?s)txt:1: .* none of them empty"),
        ("[1, 2]\n[3]\n", "a number where an object is expected"),
        ("(1, 2)\n(3)\n", "(?s)txt:1: .* without quotes or brackets"),
        ('"New York" Paris\n', "(?s)txt:1: .* without quotes or brackets"),
        ("\n\n", "no line with members"),
    ],
)
def test_unclear_lists_are_refused(write, text, match):
    with pytest.raises(DataError, match=match):
        run(write("a.txt", text), write("b.txt", "a b\n"), "--members")


def test_how_lists_were_read_is_said(write):
    key = write("key.txt", "a b\nc\n")
    response = write("response.json", '{"a": ["a", "b"], "b": ["c"]}')
    found, said = run(key, response, "--members")
    assert "key.txt: note: read as lists of members, separated by spaces; 2 clusters; item" in said
    assert "response.json: note: read as JSON, a list of members for each cluster; 3 mem" in said
    assert [*found["digests"].values()] == [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (key, response)
    ]


def test_an_item_in_two_lists_is_refused(write):
    path = write("a.txt", "a b\nb c\n")
    refused(path, path, "--members", match="in more than one cluster", code="repeated-mention")


ROWS = [("x", "a"), ("y", "a"), ("z", "b")]


def test_json_is_read_as_rows_or_as_clusters(write):
    """Against x | y | z: R is (1/2 + 1/2 + 1) / 3, P is 1."""
    response = write("response.csv", "id,cluster\nx,1\ny,2\nz,3\n")
    objects = [{"id": item, "cluster": cluster, "more": [1]} for item, cluster in ROWS]
    kinds = {
        "rows.jsonl": lines(map(json.dumps, objects)),
        "array.json": json.dumps(objects, indent=2),
        "clusters.json": json.dumps({"a": ["x", "y"], "b": ["z"]}, indent=1),
        "one-line.json": json.dumps({"a": ["x", "y"], "b": ["z"]}),
    }
    for name, text in kinds.items():
        assert b3(write(name, text), response) == (80, 3, 3), name
    packed = write("rows.jsonl.gz", gzip.compress(kinds["rows.jsonl"].encode()))
    assert b3(packed, response) == (80, 3, 3)


def test_numbers_of_json_are_compared_as_those_of_parquet(write, tmp_path):
    rows = write("rows.jsonl", lines(f'{{"id": {n}, "cluster": {n // 2}}}' for n in range(4)))
    clusters = write("clusters.json", '{"one": [0, 1], "two": [2, 3]}')
    text = write("text.csv", "id,cluster\n0,a\n1,a\n2,b\n3,b\n")
    with duckdb.connect() as db:
        db.sql(f"COPY (SELECT i AS id, i // 2 AS cluster FROM range(4) r(i)) "
               f"TO '{tmp_path}/rows.parquet'")  # fmt: skip
    tables = rows, clusters, text, tmp_path / "rows.parquet"
    for key in tables:
        for response in tables:
            assert b3(key, response) == (100, 4, 4)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (
            '{"id": 1, "cluster": "a"}\n{"id": "2", "cluster": "b"}\n',
            "'id' holds .* and .* in JSON",
        ),
        ('{"id": [1], "cluster": "a"}\n', "'id' holds an array in JSON"),
        ('{"id": true, "cluster": "a"}\n', "'id' holds"),
        ('{"id": 9223372036854775808, "cluster": "a"}\n', "'id' holds"),
        ('{"a": ["x", 1]}', "neither all strings nor all integers"),
        ('{"a": [["x"]]}', "neither all strings nor all integers"),
    ],
)
def test_values_of_json_that_cannot_be_compared_are_refused(write, text, match):
    path = write("a.json", text)
    refused(path, path, match=match)


def test_what_is_no_json_is_refused(write):
    for text in ("[label]\n[other]\n", '{"id": 1, "id": 2}\n', "[1, 2]\n", "{"):
        path = write("a.json", text)
        with pytest.raises(DataError):
            run(path, path)


NO_TABLES = {
    "xml": "<a>\n<b id='1'/>\n<b id='2'/>\n</a>\n",
    "yaml": "a:\n - x\n - y\nb:\n - z\n",
    "lists": "1 2 3\n4 5\n6\n",
    "ragged": "a,b\nc,d,e\nf\n",
    "commas": "1,2,3\n4,5\n6\n",
    "prose": "It was a dark night.\nNothing moved.\n",
    "different": lines(f"x{n}" for n in range(50)),
}


@pytest.mark.parametrize("kind", NO_TABLES)
@pytest.mark.parametrize("how", [(), ("--header", "no"), ("--header", "yes")])
def test_what_is_no_table_is_refused(write, kind, how):
    path = write("a.txt", NO_TABLES[kind])
    refused(path, path, *how, match=".")


def test_messages_are_short(write):
    names = ",".join(f"name{n:0100}" for n in range(300))
    wide = write("wide.csv", f"{names}\n{names}\n")
    refused(wide, wide, "--header", "yes", match="which column is the item")
    refused(wide, wide, "--item", "x" * 9000, match="row 1 may be")
    refused(wide, wide, "--item", "x" * 9000, "--header=yes", "--cluster=y", match="no column")
    long = write("long.csv", "id,cluster\n" + "x" * 3_000_000 + ",a\n")
    refused(long, long, match="Maximum line size|2000000")
    value = write("value.csv", "id,cluster\n1," + "x" * 300_000 + ",\n")
    refused(value, value, match="1 value separated by commas, but row 1 has 2")


def test_quotes_that_come_late_are_quotes(write):
    """DuckDB looks for them in the first 20,480 rows."""
    rows = [f"{n},{n // 2}\n" for n in range(30_000)]
    quoted = ['"Smith, J.",15000\n', '"say ""so""",15000\n', '"two\nlines",15000\n']
    path = write("late.csv", "id,cluster\n" + "".join(rows + quoted))
    assert b3(path, path) == (100, 30_003, 30_003)
    plain = write(
        "plain.tsv",
        "id\tcluster\n" + "".join(rows).replace(",", "\t") + "Smith, J.\t15000\n",
    )
    links = run(path, plain, "-m", "links")[0]["scores"]["links"]
    # Three items are together in one file, one of them is in the other.
    assert (links["recall_numerator"], links["recall_denominator"]) == (15_000, 15_003)


@pytest.mark.parametrize(
    ("text", "match", "line"),
    [
        ('id,cluster\n"a"b,1\nc,1\n', "quotes that do not end it", 2),
        ('id,cluster\nc,1\n"a,1\nd,2\n', "quotes that do not end it", 3),
        ('id,cluster\na, "b"\n', "quotes that do not end it", 2),
        ('id,cluster\n"x\ny",1\n"a\\"b",1\n', "quotes that do not end it", 4),
        ("id,cluster\na,1\nb,1,\n", "3 values separated by commas, but row 1 has 2", 3),
        ("id,cluster\na,1\nb\n", "1 value separated by commas, but row 1 has 2", 3),
        ("id,cluster\na,1\nb,1,2\nc\n", "a row of 3 values, where row 1 has 2", 3),
    ],
)
def test_rows_that_are_broken_are_refused_with_their_line(write, text, match, line):
    path = write("a.csv", text)
    problem = refused(path, path, match=match).problems[0]
    assert (problem.path, problem.line) == (str(path), line)


def test_labels_that_all_differ_are_named_with_the_last_file(write):
    key, response = (
        write(f"{name}.txt", lines(f"{name}{n}" for n in range(50))) for name in ("key", "response")
    )
    problem = refused(key, response, "--header", "no", match="nearly all values differ").problems[0]
    assert problem.path == str(response)


def test_quotes_within_a_value_are_part_of_it(write):
    path = write("a.csv", 'id,cluster\n5" disk,a\n7" disk,a\n')
    assert b3(path, write("b.tsv", 'id\tcluster\n5" disk\tx\n7" disk\tx\n')) == (100, 2, 2)


@pytest.mark.parametrize("text", ["a,b;c\nd,e;f\n", "a|b\tc\nd|e\tf\n"])
def test_two_separators_are_refused_unless_the_header_names_one(write, text):
    path = write("a.csv", text)
    refused(path, path, "--header", "no", match="may be separated by")
    named = write("b.csv", "id,cluster\n" + "a;b,1\nc;d,1\n")
    assert b3(named, named) == (100, 2, 2)


def test_lines_end_in_any_one_way(write):
    rows = "id,cluster\n1,a\n2,a\n"
    for name, text in {"crlf": rows.replace("\n", "\r\n"), "open": rows[:-1],
                       "open-crlf": rows.replace("\n", "\r\n")[:-2], "end": rows + "\n\n",
                       "mark": "\ufeff" + rows}.items():  # fmt: skip
        path = write(f"{name}.csv", text)
        assert b3(path, path) == (100, 2, 2), name
    for name, text in {"cr": rows.replace("\n", "\r"), "mixed": "id,cluster\r\n1,a\n2,a\r\n3,a\n",
                       "inside": rows.replace("1", "1\r")}.items():  # fmt: skip
        path = write(f"{name}.csv", text)
        refused(path, path, match="some lines end in CR|may be a header|values")


def test_an_empty_line_is_no_label(write):
    path = write("a.csv", "cluster\na\n\na\n")
    refused(path, path, match="1 empty line in a file with one column")
    refused(write("b.csv", "\nid,cluster\n1,a\n"), path, match="an empty line before row 1")
    for text in ("", "\n", "\r\n", "\n\n"):
        refused(write("c.csv", text), path, match="the file has no row")


def test_text_in_another_encoding_is_named(write):
    table = "id,cluster\nJosé,a\nRené,a\n"
    good = write("good.csv", table)
    assert b3(good, good) == (100, 2, 2)
    second = write("second.csv", b"\n\xff\n")
    assert refused(good, second, match="not UTF-8", code="not-text").problems[0].line == 2
    latin = write("latin.csv", table.encode("latin-1"))
    assert refused(good, latin, match="not UTF-8", code="not-text").problems[0].line == 2
    late = write("late.csv", table * 9000 + "x,")
    late.write_bytes(b"id,cluster\n" + b"x,a\n" * 50_000 + "é,a\n".encode("latin-1"))
    assert refused(late, good, match="not UTF-8", code="not-text").problems[0].line == 50_002
    for encoding in ("utf-16", "utf-16-be"):
        path = write("wide.csv", ("\ufeff" if encoding.endswith("be") else "").encode(encoding)
                     + table.encode(encoding))  # fmt: skip
        refused(path, good, match="UTF-16, not UTF-8", code="not-text")
        refused(path, good, "--members", match="UTF-16, not UTF-8", code="not-text")


@pytest.mark.parametrize("name", ["k[2]", "k?", "k*", "a[!x]b", "~", "x'y"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_name_that_exists_is_no_pattern(write, name, ending, monkeypatch):
    """Beside each is a file that the pattern would mean."""
    folder = write(f"other/{name}.none", "").parent
    monkeypatch.chdir(folder)
    tables = {"right": "SELECT i AS id, i // 2 AS cluster FROM range(4) r(i)",
              "wrong": "SELECT i AS id, 1 AS cluster FROM range(5) r(i)"}  # fmt: skip
    with duckdb.connect() as db:
        for which, query in tables.items():
            form = {"csv": "HEADER true", "jsonl": "FORMAT json", "parquet": "FORMAT parquet"}
            db.sql(f"COPY ({query}) TO 'table.{which}' ({form[ending]})")
    for other in ("k2", "kk", "kkk", "aab"):
        Path(f"{other}.{ending}").write_bytes(Path("table.wrong").read_bytes())
    path = Path(f"{name}.{ending}")
    path.write_bytes(Path("table.right").read_bytes())
    found, _ = run(path, path, "-m", "b3")
    assert found["scores"]["b3"]["recall_denominator"] == 4
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert list(found["digests"].values()) == [digest]


def test_files_of_a_folder_are_read_by_name(write):
    one = write("key/1.csv", "id,cluster\n1,a\n2,a\n")
    write("key/2.csv", "cluster;id\nb;3\nb;4\n")
    write("key/3.csv", "cluster,id,more\nc,5,x\n")
    write("key/_SUCCESS", "")
    write("key/4.csv", "")
    whole = write("whole.csv", "id,cluster\n1,a\n2,a\n3,b\n4,b\n5,c\n")
    assert b3(one.parent, whole) == (100, 5, 5)
    refused(
        one.parent, whole, "--item", "id", "--cluster", "more", match="'more' is not in .*1.csv"
    )
    write("key/5.csv", "6,c\n")
    refused(one.parent, whole, match="row 1 of|row 1 may be")


def test_parts_without_a_header_are_one_table(write):
    write("key/1.csv", "1,7\n2,7\n")
    write("key/2.csv", "3,8\n")
    folder = write("key/3.csv", "4,8\n").parent
    how = ("--item", "column0", "--cluster", "column1")
    assert b3(folder, folder, *how, "--header", "no") == (100, 4, 4)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_types_of_the_files_of_a_folder_are_one(tmp_path, ending):
    import pyarrow
    from pyarrow import feather, parquet

    def folder(name, *columns):
        (tmp_path / name).mkdir()
        for place, (values, kind) in enumerate(columns):
            table = pyarrow.table({"id": pyarrow.array(values, kind), "cluster": [1] * len(values)})
            path = str(tmp_path / name / f"{place}.{ending}")
            (parquet.write_table if ending == "parquet" else feather.write_feather)(table, path)
        return tmp_path / name

    whole, short = pyarrow.int64(), pyarrow.int32()
    good = folder("good", ([1, 2], whole), ([3, 4], short))
    assert b3(good, good) == (100, 4, 4)
    for name, other in (("fractions", ([3.5, 4], pyarrow.float64())),
                        ("texts", (["3", "4"], pyarrow.string()))):  # fmt: skip
        mixed = folder(name, ([1, 2], whole), other)
        refused(mixed, good, match="'id' holds .* in .*0.*, .* in .*1")


def test_folders_may_be_values(write):
    write("key/day=1/a.csv", "id,cluster\n1,a\n2,a\n")
    write("key/day=02/a.csv", "id,cluster\n1,a\n2,b\n")
    folder = write("key/_temporary/day=3/b.csv", "id,cluster\n9,a\n").parents[2]
    found, _ = run(folder, folder, "--within", "day", "--by", "document")
    assert sorted(found["by"]["document"]) == ["02", "1"]
    both = write("both/id=7/a.csv", "id,cluster\n1,a\n2,a\n").parents[1]
    refused(both, both, match="both of a column and of folders")
    write("two/day=1/a.csv", "id,cluster\n1,a\n2,a\n")
    two = write("two/month=1/a.csv", "id,cluster\n3,b\n4,b\n").parents[1]
    assert b3(two, two) == (100, 4, 4)
    with pytest.raises(OptionError, match="no column 'day'"):
        run(two, two, "--within", "day")
    # A folder above is no part of the table.
    assert b3(both / "id=7" / "a.csv", both / "id=7" / "a.csv") == (100, 2, 2)


def test_a_delta_table_is_refused(write, tmp_path):
    with duckdb.connect() as db:
        db.sql(f"COPY (SELECT 1 AS id, 2 AS cluster) TO '{tmp_path}/a.parquet'")
    write("_delta_log/0.json", "{}")
    refused(tmp_path, tmp_path, match="a Delta table")


def test_files_of_two_kinds_are_refused(write, tmp_path):
    with duckdb.connect() as db:
        db.sql(f"COPY (SELECT 1 AS id, 2 AS cluster) TO '{tmp_path}/a.parquet'")
    write("b.csv", "id,cluster\n1,a\n")
    refused(tmp_path, tmp_path, match="a.parquet is Parquet, .*b.csv is CSV")


def test_what_can_be_read_once_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", tmp_path / "pipe", match="not a regular file")


@pytest.mark.parametrize("name", ["entity", "cluster_2", "predicted_cluster", "identity"])
def test_a_second_clustering_must_be_named(write, name):
    key = write("key.csv", "id,cluster\n1,a\n2,a\n")
    both = write("both.csv", f"id,cluster,{name}\n1,a,a\n2,a,b\n")
    refused(key, both, match="which column is the cluster")
    assert b3(key, both, "--response-cluster", name)[0] == 66.67  # R is 1/2, P is 1
    assert b3(key, both, "--cluster", "cluster")[0] == 100


@pytest.mark.parametrize("header", ["id,cluster,id", "id,ID,cluster", "id,cluster,cluster"])
def test_a_name_twice_is_refused(write, header):
    path = write("a.csv", f"{header}\n1,a,3\n2,a,4\n")
    refused(path, path, match="more than once")


@pytest.mark.parametrize("more", [-1, 1])
def test_rows_that_duckdb_reads_are_those_that_were_counted(write, monkeypatch, more):
    from corefmeter.wings.records import opening

    def counted(path, names):
        form = detect_form(path, names)
        return form._replace(rows=form.rows + more)

    detect_form = opening.detect_form
    monkeypatch.setattr(opening, "detect_form", counted)
    path = write("a.csv", "id,cluster\n1,a\n2,a\n")
    refused(path, path, match=f"{2 + more} rows, but DuckDB reads 2")
