"""Values of items, documents and clusters mean the same in every engine, or are refused by all."""

from __future__ import annotations

import datetime
import json
import warnings
from decimal import Decimal

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

from corefmeter import (
    CorefmeterWarning,
    DataError,
    OptionError,
    Recipe,
    Result,
    score,
    score_labels,
    score_tables,
    worst_clusters,
)

from .clusterings import CONNECTION, FRAMES

HOW = {"item": "id", "cluster": "c"}
NAN = float("nan")

every_engine = pytest.mark.parametrize("engine", FRAMES)


def b3(engine, key, response, **options):
    """The scores of two tables, of columns or of their values: items, clusters, documents."""
    names = ("id", "c", "d")
    sides = [
        dict(zip(names, side, strict=False)) if isinstance(side, tuple) else side
        for side in (key, response)
    ]
    return score_tables(*map(FRAMES[engine], sides), **HOW | options, metrics="b3,ceafe,ceafm")


# -- Values -----------------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize("place", ["id", "c", "d"])
def test_not_a_number_is_an_empty_cell(engine, place):
    good = {"id": [1.5, 2.5, 3.5], "c": [1.0, 2.0, 2.0], "d": [0.5, 0.5, 0.5]}
    bad = good | {place: [1.5, NAN, NAN]}
    with pytest.raises(DataError) as caught:
        b3(engine, good, bad, within="d")
    (problem,) = caught.value.problems
    assert (problem.code, problem.count) == ("empty-cell", 2)
    assert problem.message == f"the column {place!r} of the response is empty in 2 of 3 rows"


@every_engine
def test_zero_has_no_sign(engine):
    """The items and clusters are the same, so B3 is 1."""
    key = [0.0, 1.5, 2.5], [0.0, -0.0, 1.0], [0.0, -0.0, 0.0]
    response = [-0.0, 1.5, 2.5], [7, 7, 8], [-0.0, 0.0, 0.0]
    assert b3(engine, key, response, within="d").b3[:2] == (1, 1)


@every_engine
def test_decimals_are_compared_by_value(engine):
    key = [Decimal("1.50"), Decimal("2.00"), Decimal("30.00")], [1, 1, 2]
    response = [Decimal("1.5"), Decimal("2.0"), Decimal("30.0")], [Decimal("0.0")] * 3
    result = b3(engine, key, response)  # P = (2/3 + 2/3 + 1/3) / 3
    assert result.b3[:2] == pytest.approx((1, 5 / 9))


WIDE = 2**63 + 5


def unsigned(engine, ids, clusters):
    """A frame with ids of 64 bits without a sign."""
    if engine == "pandas":
        return pandas.DataFrame({"id": np.array(ids, dtype="uint64"), "c": clusters})
    if engine.startswith("polars"):
        frame = polars.DataFrame({"id": polars.Series(ids, dtype=polars.UInt64), "c": clusters})
        return frame.lazy() if "lazy" in engine else frame
    table = pyarrow.table({"id": pyarrow.array(ids, pyarrow.uint64()), "c": clusters})
    return table if engine == "pyarrow" else CONNECTION.from_arrow(table)


@every_engine
def test_numbers_beyond_64_bits_with_a_sign_do_not_wrap(engine):
    """As 64 bits with a sign, 2^63 + 5 is 5 - 2^63, which the response has for another item."""
    wide = unsigned(engine, [WIDE, 7, 8], [1, 1, 2])
    signed = FRAMES[engine]({"id": [WIDE - 2**64, 7, 8], "c": [1, 1, 2]})
    result = score_tables(wide, signed, **HOW, metrics="b3")  # item 7 has half of its cluster
    assert result.b3[:2] == (1 / 2, 1 / 2)
    same = score_tables(wide, unsigned(engine, [8, WIDE, 7], [4, 5, 5]), **HOW, metrics="b3,ceafe")
    assert same.b3[:2] == (1, 1)


def test_whole_numbers_of_python_may_have_any_size():
    key = pandas.DataFrame({"id": [2**70, 2**70 + 1, 3], "c": [1, 1, 2]})
    response = pandas.DataFrame({"id": [3, 4, 5], "c": [1, 1, 2]})
    assert score_tables(key, key, **HOW, metrics="b3").b3[:2] == (1, 1)
    assert score_tables(key, response, **HOW, metrics="b3").b3.recall == 1 / 3
    small = pandas.DataFrame({"id": pandas.Series([3, 2], dtype=object), "c": [1, 2]})
    assert score_tables(response, small, **HOW, metrics="b3").b3.precision == 1 / 2
    # Below zero too, down to what 64 bits hold.
    for least in (-1000, -(2**63)):
        below = pandas.DataFrame({"id": pandas.Series([least, 3], dtype=object), "c": [1, 1]})
        same = pandas.DataFrame({"id": [least, 3], "c": [1, 1]})
        assert score_tables(same, below, **HOW, metrics="b3").b3[:2] == (1, 1)
    # They stay numbers, also in a list of clusters.
    labels = [-(2**63), -(2**63), 2**63 - 1]
    wide = pandas.DataFrame({"id": [3, 4, 5], "c": pandas.Series(labels, dtype=object)})
    apart = pandas.DataFrame({"id": [3, 4, 5], "c": [1, 2, 3]})
    assert worst_clusters(wide, apart, **HOW).missing[0].cluster == -(2**63)
    huge = CONNECTION.sql("SELECT unnest([3, 1180591620717411303424]) AS id, 1 AS c")
    narrow = CONNECTION.sql("SELECT unnest([3, 4]) AS id, 1 AS c")
    assert score_tables(huge, narrow, **HOW, metrics="b3").b3[:2] == (1 / 4, 1 / 4)


@every_engine
@pytest.mark.parametrize("place", ["id", "c", "d"])
@pytest.mark.parametrize("value", [[1], {"a": 1}], ids=["list", "record"])
def test_lists_and_records_are_refused(engine, place, value):
    good = {"id": [1, 2], "c": [1, 1], "d": [1, 1]}
    with pytest.raises(DataError, match=f"column '{place}' of the response holds") as caught:
        b3(engine, good, good | {place: [value, value]}, within="d")
    assert [problem.code for problem in caught.value.problems] == ["bad-key"]


@pytest.mark.parametrize("value", ["1", 1.5, (1,), True])
@pytest.mark.parametrize("place", ["id", "c"])
def test_a_column_of_several_types_is_refused_until_it_is_converted(place, value):
    good = pandas.DataFrame({"id": [1, 2], "c": [1, 2]})
    mixed = good.assign(**{place: pandas.Series([2, value], dtype=object)})
    with pytest.raises(DataError, match=r"holds values of several types: .*\n  Convert it"):
        score_tables(mixed, mixed, **HOW)
    text = mixed.assign(**{place: mixed[place].astype(str)})  # as the hint says
    assert score_tables(text, text, **HOW, metrics="b3,ceafe").ceafe.f1 == 1


@every_engine
@pytest.mark.parametrize(
    "values",
    [[datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)], [b"a", b"b"], [True, False]],
    ids=["dates", "bytes", "truths"],
)
def test_other_values_are_items_and_clusters_too(engine, values):
    assert b3(engine, (values, values), (values[::-1], ["x", "y"])).b3[:2] == (1, 1)


@every_engine
def test_numbers_of_32_and_64_bits_are_not_compared(engine):
    """0.1 in 32 bits is 0.100000001490116."""
    if engine == "pandas":
        narrow = pandas.DataFrame({"id": np.array([0.1, 2], dtype="float32"), "c": [1, 1]})
    elif engine.startswith("polars"):
        narrow = FRAMES[engine]({"id": [0.1, 2.0], "c": [1, 1]}).cast({"id": polars.Float32})
    else:
        narrow = pyarrow.table({"id": pyarrow.array([0.1, 2], pyarrow.float32()), "c": [1, 1]})
        narrow = narrow if engine == "pyarrow" else CONNECTION.from_arrow(narrow)
    double = FRAMES[engine]({"id": [0.1, 2.0], "c": [1, 1]})
    with pytest.raises(DataError, match="fractional numbers of 32 bits in the response"):
        score_tables(double, narrow, **HOW)
    assert score_tables(narrow, narrow, **HOW, metrics="b3").b3.f1 == 1


@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string()])
def test_the_texts_of_pyarrow_are_one_type(kind):
    ids, clusters = (pyarrow.array(values, kind) for values in (["a", "b"], ["x", "x"]))
    key = pyarrow.table({"id": ids, "c": clusters})
    response = pyarrow.table({"id": ["b", "a"], "c": ["y", "y"]})
    assert score_tables(key, response, **HOW, metrics="b3").b3[:2] == (1, 1)
    assert score_tables(response, key, **HOW, metrics="b3").b3[:2] == (1, 1)


# -- Names and tables -------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize("names", [("*", "a.b"), ("^.*$", "`"), ("id)", 'a "b"'), ("d", "i0")])
def test_a_name_of_a_column_is_nothing_but_a_name(engine, names):
    frame = FRAMES[engine]({names[0]: [1, 2], names[1]: [1, 1], "other": [5, 6]})
    result = score_tables(frame, frame, item=names[0], cluster=names[1], metrics="links")
    assert result.links.recall_denominator == 1


@pytest.mark.parametrize(
    "columns", [[0, 1], pandas.MultiIndex.from_tuples([("a", "id"), ("a", "c")])]
)
def test_columns_that_are_not_called_by_text_are_refused_with_what_to_do(columns):
    frame = pandas.DataFrame([[1, 1], [2, 1]], columns=columns)
    with pytest.raises(OptionError, match="is not a name of a column; with pandas"):
        score_tables(frame, frame, item=[columns[0]], cluster="c")
    with pytest.raises(OptionError, match="the key has no column 'id'"):
        score_tables(frame, frame, **HOW)
    renamed = frame.set_axis(list(map(str, frame.columns)), axis=1)
    item, cluster = renamed.columns
    assert score_tables(renamed, renamed, item=item, cluster=cluster, metrics="b3").b3.f1 == 1


def test_other_columns_and_an_index_are_no_matter():
    frame = pandas.DataFrame({"id": [1, 2], "c": [1, 1], 0: [1, 2]}).set_index("id", drop=False)
    assert score_tables(frame, frame.set_axis([5, 5]), **HOW, metrics="b3").b3.f1 == 1


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"cluster": ("c", "c", "id")}, "name one column, or two"),
        ({"cluster": ()}, "name one column, or two"),
        ({"cluster": 3}, "cluster: 3 is not a name"),
        ({"item": 0}, "item: 0 is not a name"),
        ({"within": 5}, "within: 5 is not a name"),
    ],
)
def test_what_names_no_columns_is_refused(how, match):
    frame = pandas.DataFrame({"id": [1], "c": [1]})
    with pytest.raises(OptionError, match=match):
        score_tables(frame, frame, **HOW | how)


def test_relations_of_two_connections_are_refused():
    other = duckdb.connect()
    query = "SELECT 1 AS id, 1 AS c"
    with pytest.raises(OptionError, match="two connections of DuckDB; create both with one"):
        score_tables(CONNECTION.sql(query), other.sql(query), **HOW)


def test_what_an_engine_cannot_do_is_an_error_with_its_reason():
    key = CONNECTION.sql("SELECT error('no such day') AS id, 1 AS c FROM range(2)")
    with pytest.raises(DataError, match=r"duckdb cannot count the table: .*no such day"):
        score_tables(key, key, **HOW)


def test_a_relation_of_a_closed_connection_is_an_error_that_says_so():
    with duckdb.connect() as connection:
        key = connection.sql("SELECT 1 AS id, 1 AS c")
    with pytest.raises(DataError, match=r"(?s)closed.*Keep the connection of a relation open"):
        score_tables(key, key, **HOW)


# -- Tables that are not the same each time ------------------------------------------------------

SAME = {"metrics": "b3,links", "item": "id", "cluster": ("a", "b")}


@pytest.mark.parametrize(
    "query",
    [
        # Clusters are drawn, but those of both sides are the same.
        "SELECT id, c AS a, c AS b FROM (SELECT range AS id, CAST(random() * 40 AS INT) AS c "
        "FROM range(2000))",
        "SELECT id, id // 9 AS a, id // 9 AS b FROM (SELECT range AS id FROM range(2000)) "
        "USING SAMPLE 50% (bernoulli)",
    ],
)
def test_a_relation_that_draws_is_evaluated_once(query):
    result = score_tables(CONNECTION.sql(query), **SAME)
    assert result.b3[:2] == result.links[:2] == (1, 1)
    assert CONNECTION.sql("SHOW TABLES").fetchall() == []


def test_a_sample_of_a_table_is_evaluated_once():
    CONNECTION.sql("CREATE TABLE wide AS SELECT range AS id, range // 9 AS a FROM range(5000)")
    try:
        result = score_tables(
            CONNECTION.sql("SELECT *, a AS b FROM wide USING SAMPLE 30% (bernoulli)"), **SAME
        )
        assert result.b3[:2] == (1, 1)
    finally:
        CONNECTION.sql("DROP TABLE wide")


@pytest.mark.parametrize("draw", ["shuffle", "sample"])
def test_a_lazy_frame_that_draws_is_evaluated_once(draw):
    calls = []

    def drawn(frame):
        calls.append(draw)
        column = frame["a"].shuffle() if draw == "shuffle" else frame["a"].sample(frame.height)
        return frame.with_columns(a=column, b=column)

    frame = polars.LazyFrame({"id": range(500), "a": [n // 5 for n in range(500)]})
    schema = {"id": polars.Int64, "a": polars.Int64, "b": polars.Int64}
    result = score_tables(frame.map_batches(drawn, schema=schema), **SAME)
    assert result.b3[:2] == (1, 1)
    assert calls == [draw]


def test_a_reader_that_can_be_read_once_is_enough():
    table = pyarrow.table({"id": [1, 2, 3], "a": [1, 1, 2], "b": [1, 1, 2]})
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert score_tables(CONNECTION.from_arrow(reader), **SAME).b3[:2] == (1, 1)


@pytest.mark.parametrize("kind", ["table", "parquet", "query of parquet"])
def test_a_scan_of_a_table_or_file_is_not_copied(kind, tmp_path):
    path = tmp_path / "table.parquet"
    frame = polars.DataFrame({"id": [1, 2, 3], "a": [1, 1, 2], "b": [1, 2, 2]})
    frame.write_parquet(path)
    connection = duckdb.connect()
    connection.read_parquet(str(path)).create("made")
    relation = {
        "table": connection.table("made"),
        "parquet": connection.read_parquet(str(path)),
        "query of parquet": connection.sql(f"SELECT id, b, a FROM '{path}'"),
    }[kind]
    from corefmeter.wings.records.frames import Engine

    engine = Engine(relation)
    of_relation = engine.frame(relation)
    assert engine.keep_unless_scan(relation, of_relation) is of_relation
    lazy = polars.scan_parquet(path)
    engine = Engine(lazy)
    of_lazy = engine.frame(lazy)
    assert engine.keep_unless_scan(lazy, of_lazy) is of_lazy


# -- Noise ------------------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize("label", [-1, -1.0, "-1"])
def test_the_label_minus_one_is_suspected(engine, label):
    """Key {1 2} {3 4}, response {1 2} {3} {4}: R = (1 + 1 + 1/2 + 1/2) / 4."""
    one = type(label)(5)
    key, response = ([1, 2, 3, 4], [one, one, label, label]), ([1, 2, 3, 4], [1, 1, 2, 3])
    said = r"2 items of the key have the label -1, (.|\n)*noise=-1"
    with pytest.warns(CorefmeterWarning, match=said):
        assert b3(engine, key, response).b3[:2] == (3 / 4, 1)
    # As the hint says: {1 2} {3} {4} on both sides.
    assert b3(engine, key, response, noise=-1).b3[:2] == (1, 1)


@every_engine
@pytest.mark.parametrize("label", [-1, "-1"])
def test_one_item_with_the_label_minus_one_is_not_suspected(engine, label):
    """It is a singleton with or without the option: {1 2} {3} on both sides."""
    one = type(label)(5)
    key, response = ([1, 2, 3], [one, one, label]), ([1, 2, 3], [1, 1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert b3(engine, key, response).b3[:2] == (1, 1)


@every_engine
def test_items_of_noise_are_singletons(engine):
    """Key {1 2} {3} {4} {5}, response {1} {2} {3 4} {5}.

    R = (1/2 + 1/2 + 1 + 1 + 1) / 5, P = (1 + 1 + 1/2 + 1/2 + 1) / 5.
    """
    key = [1, 2, 3, 4, 5], ["a", "a", "none", "none", "none"]
    response = [1, 2, 3, 4, 5], ["none", "none", "=x", "=x", "-0"]
    result = b3(engine, key, response, noise="none")
    assert result.b3[:2] == (4 / 5, 4 / 5)
    (note,) = [problem for problem in result.problems if problem.code == "noise"]
    assert note.severity == "note"
    assert "3 items of the key and 2 of the response are in no cluster" in note.message
    # Without singletons: {1 2} against {3 4}.
    dropped = b3(engine, key, response, noise="none", singletons="drop")
    assert dropped.b3[:2] == (0, 0)


@every_engine
def test_noise_is_that_of_each_document(engine):
    key = [1, 2, 1, 2], [0, 0, 0, 0], ["x", "x", "y", "y"]
    response = [1, 2, 1, 2], [1, 1, 1, 1], ["x", "x", "y", "y"]
    result = b3(engine, key, response, noise=0, within="d")  # R = 1, P = 1/2
    assert result.b3[:2] == (1, 1 / 2)


@every_engine
def test_rows_without_items_may_be_noise(engine):
    """Key {1 2} {3} {4}, response {1 2} {3 4}, of which rows are equal."""
    frame = FRAMES[engine]({"a": [1, 1, -1, -1], "b": [7, 7, 8, 8]})
    result = score_tables(frame, cluster=("a", "b"), noise=-1, metrics="b3")
    assert result.b3[:2] == (1, 3 / 4)


def test_labels_may_be_noise():
    # With the label as noise: key {1 2 3} {4} {5}, response {1 2 3} {4 5}: P = (3 + 1/2 + 1/2) / 5.
    key, response = [0, 0, 0, -1, -1], ["a", "a", "a", "b", "b"]
    with pytest.warns(CorefmeterWarning, match="2 items of the key have the label -1"):
        assert score_labels(key, response, metrics="b3").b3[:2] == (1, 1)
    assert score_labels(key, response, noise=-1, metrics="b3,ceafe").b3[:2] == (1, 4 / 5)
    assert score_labels(np.array(key, float), response, noise=-1, metrics="b3").b3[:2] == (1, 4 / 5)
    assert score_labels(response, key, noise="b", metrics="b3").b3[:2] == (1, 4 / 5)


@pytest.mark.parametrize(
    ("key", "response", "warned"),
    [
        ([0, 0, 0, "-1", -1], [1] * 5, ["2 items of the key"]),
        ([1] * 5, [-1, "-1", -1, 0, 0], ["3 items of the response"]),
        ([-1, -1, 0, 0, 0], ["-1"] * 4 + [0], ["2 items of the key", "4 items of the response"]),
        ([-1, 0, 0, 1, 1], [0] * 5, []),  # one item is a singleton anyway
    ],
)
def test_labels_of_noise_are_counted_on_their_side(key, response, warned):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problems = score_labels(key, response, metrics="b3").problems
    likely = [problem.message for problem in problems if problem.code == "noise-likely"]
    assert [message.partition(" have")[0] for message in likely] == warned


def test_a_label_that_nothing_has_is_a_warning():
    frame = pandas.DataFrame({"id": [1, 2], "c": [1, 1]})
    with pytest.warns(CorefmeterWarning, match="noise 'x': no item has this label"):
        score_tables(frame, frame, **HOW, noise="x")
    with pytest.warns(CorefmeterWarning, match="noise '5': no item has this label"):
        score_labels([1, 1], [1, 1], noise=5)


def test_noise_is_in_the_signature_and_json():
    frame = pandas.DataFrame({"id": [1, 2], "c": [-1, -1]})
    result = score_tables(frame, frame, **HOW, noise=-1, metrics="b3")
    assert "|noise:-1|" in result.signature
    assert Recipe.parse(result.signature) == Recipe(metrics="b3", noise="-1")
    again = Result.from_dict(json.loads(json.dumps(result.to_dict(by=["document"]))))
    assert again.signature == result.signature
    assert "noise" not in score_tables(frame, frame, **HOW, noise=None).signature


@pytest.mark.parametrize("label", ["", " ", "a|b", "a\nb", " a"])
def test_what_is_no_label_is_refused(label):
    with pytest.raises(OptionError, match=r"noise: .* is not a valid label"):
        Recipe(noise=label)


def test_documents_have_no_noise():
    with pytest.raises(OptionError, match="noise is an option of tables"):
        score([[(0, 1)]], [[(0, 1)]], noise=-1)


# -- Items of one side ------------------------------------------------------------------------


def of_code(result, code):
    return [problem for problem in result.problems if problem.code == code]


@every_engine
def test_items_of_one_side_are_counted_in_a_note(engine):
    key, response = ([1, 2, 3, 4], [1, 1, 2, 2]), ([3, 4, 5], [1, 1, 1])
    (note,) = of_code(b3(engine, key, response), "items-unmatched")
    assert note.severity == "note"
    said = "2 of 4 items of the key and 1 of 3 items of the response are on one side only"
    assert note.message == said
    assert not of_code(b3(engine, key, key), "items-unmatched")


@pytest.mark.parametrize(
    ("key", "response", "severity"),
    [
        (range(3), range(7), "warning"),  # 4 of 7 are more than half
        (range(3), range(6), "note"),  # 3 of 6 are not
        (range(-1, 3), range(9), "note"),  # an item of the key is not in the response
        (range(7), range(3), "note"),
    ],
)
def test_a_key_that_may_be_a_sample_is_warned_about(key, response, severity):
    (problem,) = of_code(
        b3("pandas", *(([*side], [one // 2 for one in side]) for side in (key, response))),
        "items-unmatched",
    )
    assert problem.severity == severity
    assert ("corefmeter clusters estimate" in (problem.hint or "")) == (severity == "warning")


@every_engine
@pytest.mark.parametrize(
    ("key", "response", "likely"),
    [
        (["007", "08", "9"], ["7", "8", "9"], "2 would be the same without leading zeros"),
        (["A1", "b1", "c"], ["a1", "B1", "c"], "2 would be the same in lower case"),
        (["a", "b", "c"], ["a ", " b", "c"], "2 would be the same without outer spaces"),
        (["1.0", "2.0", "c"], ["1", "2", "c"], "2 would be the same without a final .0"),
        (
            ["A ", "b", "01"],
            ["a", "B", "1.0"],
            "3 would be the same in lower case and without outer",
        ),
    ],
)
def test_ids_that_differ_in_form_only_are_a_warning(engine, key, response, likely):
    """Two or three of three items are on one side only."""
    with pytest.warns(CorefmeterWarning, match="values of 'id' that are on one side only"):
        result = b3(engine, (key, [1, 1, 2]), (response, [1, 1, 2]))
    (problem,) = of_code(result, "ids-differ")
    assert problem.severity == "warning"
    assert likely in problem.message


@every_engine
def test_ids_of_other_items_are_no_other_form(engine):
    """The key has both a and A, and the response a; b and c are others."""
    key, response = (["a", "A", "b"], [1, 1, 1]), (["a", "c"], [1, 1])
    assert not of_code(b3(engine, key, response), "ids-differ")


def of_ten(items):
    """Clusters of ten items."""
    return [place // 10 for place, _ in enumerate(items)]


@every_engine
@pytest.mark.parametrize("texts", [False, True])
def test_of_many_items_of_one_side_the_first_are_looked_at(engine, texts):
    """Of ten items one is in lower case in the response, and one is another.

    200 items of 1,000 are on one side only, two in each of 100 clusters. The first 100 are A000,
    A001, A010, A011 and so on to A491, of which 50 are in lower case.
    """
    key = [f"A{place:03}" for place in range(1000)]
    response = [
        {0: item.lower(), 1: f"b{item}"}.get(place % 10, item) for place, item in enumerate(key)
    ]
    clusters = [f"c{cluster:02}" for cluster in of_ten(key)] if texts else of_ten(key)
    said = "values of 'id' that are on one side only: of 100 examined, 50 would be the same in "
    for step in (1, 7, 999):  # in other orders of rows
        order = [place * step % 1000 for place in range(1000)]
        sides = [
            ([ids[place] for place in order], [clusters[place] for place in order])
            for ids in (key, response)
        ]
        with pytest.warns(CorefmeterWarning, match="ids-differ"):
            (problem,) = of_code(b3(engine, *sides), "ids-differ")
        assert problem.message == f"{said}lower case"


@every_engine
@pytest.mark.parametrize("swap", [False, True])
def test_items_of_the_side_that_has_fewer_are_looked_at(engine, swap):
    """One side lacks 1,000 items; the three of the other are among them, in another form."""
    many = [f"{place:04}" for place in range(1000)] + ["x"]
    few = ["7", "63 ", "099.0", "x"]
    sides = [(many, of_ten(many)), (few, [1, 1, 1, 1])]
    with pytest.warns(CorefmeterWarning, match="ids-differ"):
        result = b3(engine, *(sides[::-1] if swap else sides))
    (problem,) = of_code(result, "ids-differ")
    assert (
        "on one side only: 3 would be the same in lower case and without outer spaces"
        in problem.message
    )


@every_engine
def test_characters_of_patterns_in_ids_are_plain(engine):
    key = ["A.c", "a+(b", "[X]|\\d$", "0", "\u00c9 t"]
    response = [" a.c", "A+(b", "[x]|\\d$", "00", "\u00e9 t "]
    with pytest.warns(CorefmeterWarning, match="ids-differ"):
        result = b3(engine, (key, [1] * 5), (response, [1] * 5))
    (problem,) = of_code(result, "ids-differ")
    assert "only: 5 would be the same in lower case and without outer spaces" in problem.message
    others = ["abc", "aab", "[x]d", "1", "e t"]
    assert not of_code(b3(engine, (key, [1] * 5), (others, [1] * 5)), "ids-differ")


@every_engine
def test_items_are_looked_at_in_their_documents(engine):
    """All 20 documents have the items A to J, in lower case in ten of the response."""
    key = [name for _ in range(20) for name in "ABCDEFGHIJ"]
    response = [item.lower() if place >= 100 else item for place, item in enumerate(key)]
    documents = of_ten(key)
    with pytest.warns(CorefmeterWarning, match="ids-differ"):
        result = b3(
            engine, (key, [1] * 200, documents), (response, [1] * 200, documents), within="d"
        )
    (problem,) = of_code(result, "ids-differ")
    assert problem.message.endswith("only: 100 would be the same in lower case")


@every_engine
def test_names_of_documents_that_differ_in_form_only_are_a_warning(engine):
    key, response = ([1, 2], [1, 1], ["x", "Y"]), ([1, 2], [1, 1], ["x", "y"])
    with pytest.warns(CorefmeterWarning, match="values of 'd' that are on .* same in lower case"):
        b3(engine, key, response, within="d")
    other = [1, 2], [1, 1], ["X", "y "]
    with pytest.raises(DataError, match="no value of 'd': 1 would be the same in lower case"):
        b3(engine, ([1, 2], [1, 1], ["x", "z"]), other, within="d")


def test_several_columns_of_an_item_are_compared_in_one_form():
    key = pandas.DataFrame({"f": ["A", "B"], "n": ["01", "2"], "c": [1, 1]})
    response = pandas.DataFrame({"f": ["a", "B"], "n": ["1", "2"], "c": [1, 1]})
    with pytest.warns(CorefmeterWarning, match="values of 'f' and 'n' .* 1 would be the same"):
        score_tables(key, response, item=["f", "n"], cluster="c")
