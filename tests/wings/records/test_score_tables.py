"""Tables are scored as documents are: the same numbers in every engine, whatever the order."""

from __future__ import annotations

import random
import sys

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from corefmeter import (
    CorefmeterWarning,
    DataError,
    OptionError,
    compare,
    score,
    score_labels,
    score_tables,
)
from corefmeter.metrics import METRICS, make
from corefmeter.metrics.overlap import Overlap
from corefmeter.recipe import Recipe
from corefmeter.wings.records.profile import weighted

from .clusterings import CONNECTION, FRAMES, as_entities, by_duckdb, columns, pair
from .profiles import profile_of

HOW = {"item": "item", "cluster": "cluster", "within": "document"}


def by_document(result):
    return {
        unit.label: {name: rows[place] for name, rows in result.statistics.items()}
        for place, unit in enumerate(result.units)
    }


def tables(engine, sides):
    return [FRAMES[engine](columns(rows)) for rows in sides]


def assert_as_scored(engine, sides, **options):
    """All statistics are those of `score`, integers as integers."""
    found = score_tables(*tables(engine, sides), **HOW, **options)
    expected = score(*map(as_entities, sides), **options)
    assert by_document(found) == by_document(expected)
    for name, rows in expected.statistics.items():
        types = {tuple(map(type, row)) for row in rows}
        assert {tuple(map(type, row)) for row in found.statistics[name]} == types
    assert found.signature == expected.signature


@pytest.mark.parametrize("engine", FRAMES)
def test_the_statistics_of_every_metric_are_those_of_score(engine):
    assert_as_scored(engine, pair(1, 200), metrics="all")


@pytest.mark.slow
@pytest.mark.parametrize("engine", FRAMES)
def test_the_statistics_of_ten_thousand_clusterings_are_those_of_score(engine):
    assert_as_scored(engine, pair(2, 10_000), metrics="all")


@pytest.mark.parametrize("policy", ["drop", "drop-key", "drop-response"])
def test_singletons_are_dropped_as_by_score(policy):
    sides = pair(3, 60)
    assert_as_scored("polars", sides, singletons=policy, metrics="all")
    found = score_tables(*tables("polars", sides), **HOW, singletons=policy)
    expected = score(*map(as_entities, sides), singletons=policy)
    assert [p for p in found.problems if p.code == "singletons-dropped"] == [
        p for p in expected.problems if p.code == "singletons-dropped"
    ]


@pytest.mark.parametrize("engine", FRAMES)
def test_singletons_of_one_side_are_dropped_by_hand(engine):
    """Key {1 2} {3}, response {1} {2} {3}: of the response nothing is left, of the key {1 2}."""
    key, response = (
        FRAMES[engine]({"id": [1, 2, 3], "c": clusters}) for clusters in ([1, 1, 2], [1, 2, 3])
    )
    how = {"item": "id", "cluster": "c", "metrics": "mentions"}
    for policy, counts in (
        ("drop-key", (2, 2, 2, 3)), ("drop-response", (0, 3, 0, 0)), ("drop", (0, 2, 0, 0)),
    ):  # fmt: skip
        found = score_tables(key, response, **how, singletons=policy)
        assert found.sums("mentions") == counts, policy


@pytest.mark.parametrize("documents", ["official", "strict"])
def test_documents_of_one_side_count_as_by_score(documents):
    key, response = pair(4, 12)
    sides = [row for row in key if row[0] != 3], [row for row in response if row[0] != 5]
    assert_as_scored("duckdb", sides, documents=documents)
    found = score_tables(*tables("duckdb", sides), **HOW, documents=documents)
    codes = {(p.code, p.document) for p in found.problems if p.document}
    assert codes == {("extra-document", "3"), ("missing-document", "5")}


@pytest.mark.parametrize("engine", FRAMES)
def test_by_hand(engine):
    """Key {1 2 3} {4}, response {1 2} {3 4}: B3 R = (4/3 + 1/3 + 1)/4, P = (2 + 1/2 + 1/2)/4."""
    frame = FRAMES[engine]
    key = frame({"id": [1, 2, 3, 4], "c": ["a", "a", "a", "b"]})
    response = frame({"id": [4, 3, 2, 1], "c": ["y", "y", "x", "x"]})
    result = score_tables(key, response, item="id", cluster="c", metrics="b3,links,ceafm")
    assert result.b3[:2] == (2 / 3, 3 / 4)
    assert result.links[:2] == (1 / 3, 1 / 2)
    assert result.ceafm[:2] == (3 / 4, 3 / 4)
    assert [unit.label for unit in result.units] == ["document"]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_order_of_rows_changes_no_bit(engine):
    rows = pair(5, 1)[0] + [(0, 100 + n, n % 7) for n in range(500)]
    other = [(d, item, (item * 7) % 11) for d, item, _ in rows]
    results = []
    for seed in range(3):
        for side in (rows, other):
            random.Random(seed).shuffle(side)
        results.append(score_tables(*tables(engine, (rows, other)), **HOW, metrics="all"))
    assert results[0].statistics == results[1].statistics == results[2].statistics


@pytest.mark.slow
def test_the_number_of_threads_changes_no_bit():
    key, response = (by_duckdb(columns(rows)) for rows in pair(6, 300))
    before = CONNECTION.sql("SELECT current_setting('threads')").fetchall()[0][0]
    found = []
    for threads in (1, 2, 4):
        CONNECTION.execute(f"SET threads = {threads}")
        found.append(score_tables(key, response, **HOW, metrics="all").statistics)
    CONNECTION.execute(f"SET threads = {before}")
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_row_groups_and_files_change_no_bit(tmp_path):
    sides = pair(6, 300)
    frames = [polars.DataFrame(columns(rows)) for rows in sides]
    found = []
    for groups in (1, 7, 1000):
        relations = []
        for name, frame in zip(("key", "response"), frames, strict=True):
            for part, rows in enumerate(frame.iter_slices(frame.height // 3 + 1)):
                rows.write_parquet(tmp_path / f"{name}-{part}.parquet",
                                   row_group_size=rows.height // groups + 1)  # fmt: skip
            relations.append(CONNECTION.read_parquet(str(tmp_path / f"{name}-*.parquet")))
        found.append(score_tables(*relations, **HOW, metrics="all").statistics)
    whole = score_tables(*tables("duckdb", sides), **HOW, metrics="all").statistics
    assert found == [whole] * 3


def test_nothing_is_left_in_the_database():
    key, response = (by_duckdb(columns(rows)) for rows in pair(7, 2))
    score_tables(key, response, **HOW)
    assert CONNECTION.sql("SHOW TABLES").fetchall() == []


def test_an_item_may_be_several_columns():
    key = pandas.DataFrame({"file": ["x", "x", "y"], "line": [1, 2, 1], "c": [1, 1, 1]})
    result = score_tables(key, key, item=("file", "line"), cluster="c", metrics="links")
    assert result.links[:2] == (1.0, 1.0)
    assert result.links.recall_denominator == 3


@pytest.mark.parametrize("engine", FRAMES)
def test_columns_may_have_any_name(engine):
    frame = FRAMES[engine]({"the.id": [1, 2], 'a "b"': [1, 1]})
    result = score_tables(frame, frame, item="the.id", cluster='a "b"', metrics="links")
    assert result.links.recall_denominator == 1


def test_one_table_may_hold_both_clusters():
    frame = pandas.DataFrame({"id": [1, 2, 3, 4], "a": [1, 1, 1, 2], "b": [7, 7, 8, 8]})
    for item in ("id", ()):
        result = score_tables(frame, item=item, cluster=("a", "b"), metrics="b3,ceafe")
        assert result.b3[:2] == (2 / 3, 3 / 4)


def test_labels_are_scored_as_tables_are():
    rng = random.Random(8)
    labels = [[rng.randrange(9) for _ in range(200)] for _ in range(2)]
    sides = [[(0, *one) for one in enumerate(side)] for side in labels]
    expected = score(*map(as_entities, sides), metrics="all")
    assert score_labels(*labels, metrics="all").statistics == expected.statistics
    assert score_labels(*map(pandas.Series, labels), metrics="all").flat() == expected.flat()


def test_labels_agree_with_scikit_learn():
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    rng = random.Random(9)
    labels = [[rng.randrange(9) for _ in range(200)] for _ in range(2)]
    result = score_labels(*labels, metrics="rand,ari,vmeasure")
    assert result.rand.f1 == pytest.approx(sklearn.rand_score(*labels), abs=1e-12)
    assert result.ari.f1 == pytest.approx(sklearn.adjusted_rand_score(*labels), abs=1e-12)
    assert result.vmeasure.f1 == pytest.approx(sklearn.v_measure_score(*labels), abs=1e-12)


def test_results_of_tables_are_compared():
    key, worse = pair(10, 12)
    frames = [FRAMES["pandas"](columns(rows)) for rows in (key, key, worse)]
    results = [score_tables(frames[0], frame, **HOW, metrics="b3") for frame in frames[1:]]
    found = compare(None, dict(zip(("same", "worse"), results, strict=True)), metrics="b3")
    assert found["b3"].ranks == {"same": 1, "worse": 2}


# -- What cannot be scored --------------------------------------------------------------------


def refused(key, response, **how):
    with pytest.raises(DataError) as caught:
        score_tables(key, response, **{"item": "id", "cluster": "c"} | how)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("engine", FRAMES)
def test_empty_cells_are_counted(engine):
    good = FRAMES[engine]({"id": [1, 2, 3], "c": ["a", "b", "b"]})
    bad = FRAMES[engine]({"id": [1, 2, 3], "c": ["a", None, None]})
    problem = refused(good, bad)
    assert problem.code == "empty-cell"
    assert problem.count == 2
    assert problem.message == "the column 'c' of the response is empty in 2 of 3 rows"


@pytest.mark.parametrize("engine", FRAMES)
def test_an_item_in_two_clusters_is_an_error_with_how_many(engine):
    good = FRAMES[engine]({"id": [1, 2, 3], "c": ["a", "b", "b"]})
    bad = FRAMES[engine]({"id": [1, 1, 2, 2, 3], "c": ["a", "b", "a", "b", "b"]})
    problem = refused(bad, good)
    assert (problem.code, problem.count) == ("repeated-mention", 2)
    assert problem.message.startswith("items of the key that are in more than one cluster: 2;")


@pytest.mark.parametrize("engine", FRAMES)
def test_rows_that_occur_twice_count_once(engine):
    once = FRAMES[engine]({"id": [1, 2, 3], "c": ["a", "b", "b"]})
    twice = FRAMES[engine]({"id": [1, 1, 2, 3], "c": ["a", "a", "b", "b"]})
    with pytest.warns(
        CorefmeterWarning,
        match="items of the response that occur more than once, in the same cluster: 1;",
    ):
        result = score_tables(once, twice, item="id", cluster="c")
    assert result.statistics == score_tables(once, once, item="id", cluster="c").statistics
    assert refused(once, twice, repeated="error").code == "repeated-mention"


@pytest.mark.parametrize("engine", FRAMES)
def test_text_and_numbers_are_never_the_same_item(engine):
    numbers = FRAMES[engine]({"id": [1, 2], "c": [1, 1]})
    text = FRAMES[engine]({"id": ["1", "2"], "c": [1, 1]})
    problem = refused(numbers, text)
    assert problem.code == "types-differ"
    assert "whole numbers in the key but text in the response" in problem.message


def test_clusters_of_other_types_are_no_matter():
    key = pandas.DataFrame({"id": [1, 2], "c": ["x", "x"]})
    response = pandas.DataFrame({"id": [1, 2], "c": [5, 5]})
    assert score_tables(key, response, item="id", cluster="c", metrics="b3").b3.f1 == 1


def test_integers_of_other_widths_are_the_same():
    key = FRAMES["polars"]({"id": [1, 2], "c": [1, 1]})
    response = key.cast({"id": polars.Int16})
    assert score_tables(key, response, item="id", cluster="c", metrics="b3").b3.f1 == 1


@pytest.mark.parametrize("engine", ["pandas", "polars", "duckdb"])
def test_a_table_without_rows_is_refused(engine):
    good = FRAMES[engine]({"id": [1], "c": [1]})
    empty = good.filter("id > 5") if engine == "duckdb" else good[:0]
    assert refused(good, empty).code == "no-item"


def test_no_common_document_is_an_error():
    key = pandas.DataFrame({"id": [1], "c": [1], "d": ["x"]})
    response = pandas.DataFrame({"id": [1], "c": [1], "d": ["y"]})
    assert refused(key, response, within="d").code == "no-common-document"


def test_no_common_item_is_a_warning():
    key = pandas.DataFrame({"id": range(20), "c": 1})
    response = pandas.DataFrame({"id": range(50, 70), "c": 1})
    with pytest.warns(CorefmeterWarning, match="none of 20 mentions of the key"):
        score_tables(key, response, item="id", cluster="c")


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"item": "no"}, "the key has no column 'no'; its columns are id, c"),
        ({"match": "head"}, "match 'head': tables can only be scored with 'exact'"),
        ({"repeated": "merge"}, "repeated 'merge'"),
        ({"as_one_document": True}, "as_one_document True"),
        ({"align": "characters"}, "align 'characters'"),
        ({"zeros": "dependency"}, "zeros 'dependency'"),
        ({"documents": "concatenate"}, "only be scored with 'official' or 'strict'"),
        ({"metrics": "mor"}, "'mor' needs the mentions"),
        ({"metrics": "lea", "lea_importance": "one"}, "needs the mentions"),
        ({"item": ()}, "item: name the column"),
    ],
)
def test_what_tables_do_not_hold_is_refused(options, match):
    frame = pandas.DataFrame({"id": [1], "c": [1]})
    with pytest.raises(OptionError, match=match):
        score_tables(frame, frame, **{"item": "id", "cluster": "c"} | options)


def test_one_table_needs_two_columns_of_clusters():
    frame = pandas.DataFrame({"id": [1], "c": [1]})
    for cluster in ("c", ("c", "c")):
        with pytest.raises(OptionError, match=r"cluster: .* needs two columns"):
            score_tables(frame, item="id", cluster=cluster)


def test_other_values_are_no_tables():
    with pytest.raises(OptionError, match="'list' is not a table"):
        score_tables([1], [2], item="id", cluster="c")
    frame = {"id": [1], "c": [1]}
    with pytest.raises(OptionError, match="the key is a table of pandas and the response one of p"):
        score_tables(FRAMES["pandas"](frame), FRAMES["polars"](frame), item="id", cluster="c")
    with pytest.raises(OptionError, match="the key has 2 labels but the response 1"):
        score_labels([1, 2], [1])
    with pytest.raises(OptionError, match="score_tables can"):
        score_labels([1], [1], singletons="drop")


def test_columns_of_the_same_name_are_refused():
    twice = pandas.DataFrame([[1, 2, 3]], columns=["id", "c", "c"])
    with pytest.raises(OptionError, match="a table has columns with the same name"):
        score_tables(twice, twice, item="id", cluster="c")


def test_labels_of_several_types_and_in_any_order():
    """Items 1 and 2 are right, of four; 1 and "1" are two labels."""
    key, response = [1, 1, "1", "1"], ["a", "a", (2,), 3.5]
    found = score_labels(key, response, metrics="links,ceaf1,ceafe,closest")
    assert found.links[:2] == (1 / 2, 1)
    assert found.ceaf1[:2] == (1 / 2, 1 / 3)
    assert found.statistics["ceafe"][0][0] == 1 + 2 / 3
    assert found.closest.recall == (1 + 1 / 2) / 2
    turned = score_labels(key[::-1], response[::-1], metrics="links,ceaf1,ceafe,closest")
    assert turned.statistics == found.statistics


@pytest.mark.parametrize(
    "value",
    [{"a": 0, "b": 0}, {0, 1}, "aab", b"aab", 5, np.zeros((2, 1)), [[0], [1]],
     pandas.DataFrame({"a": [0, 1]}), polars.DataFrame({"a": [0, 1]}),
     pyarrow.table({"a": [0, 1]})],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_has_no_label_for_each_item_in_an_order_is_refused(value):
    """Iterated over, a mapping gives its items and a table its columns, which would be scored."""
    with pytest.raises(OptionError, match=r"labels? of the key"):
        score_labels(value, value)
    with pytest.raises(OptionError, match="of the response"):
        score_labels([0, 0], value)


@pytest.mark.parametrize(
    ("key", "response"),
    [(list("abcd"), list("bacd")), (list("abcd"), list("abce")), ((4, 5, 6, 7), (4, 5, 7, 6)),
     (range(4), (1, 0, 2, 3)), ((3, 2, 1, 0), range(4))],
)  # fmt: skip
def test_series_of_other_items_or_orders_are_refused(key, response):
    """By position, a label would be compared with that of another item."""
    series = [pandas.Series([0, 0, 1, 1], index=pandas.Index(index)) for index in (key, response)]
    with pytest.raises(
        OptionError, match=r"by their indexes, the labels at position \d are of item"
    ):
        score_labels(*series)


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (list("abcd"), list("abcd")),
        ((7, 9, 2, 4), range(4)),
        (range(4), (7, 9, 2, 4)),
        ((0, 1, 2, 3), range(4)),
    ],
)
def test_series_of_one_order_are_scored(key, response):
    """Predictions for a sample are often numbered anew. One of two links is found."""
    series = [
        pandas.Series(labels, index=pandas.Index(index))
        for labels, index in ([[0, 0, 1, 1], key], [[0, 0, 1, 2], response])
    ]
    assert score_labels(*series, metrics="links").links[:2] == (1 / 2, 1)
    assert score_labels(series[0], [0, 0, 1, 2], metrics="links").links[:2] == (1 / 2, 1)


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_labels_that_are_empty_are_counted(nothing):
    with pytest.raises(DataError, match="2 of 3 labels of the response are empty"):
        score_labels([1, 1, 1], [nothing, 1, nothing])
    with pytest.raises(DataError, match="the key has no label"):
        score_labels([], [])


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(OptionError, match=r"pip install '.*\[tables\]'"):
        score_tables(pandas.DataFrame(), pandas.DataFrame(), item="id", cluster="c")


# -- Profiles ---------------------------------------------------------------------------------


def profile(sides):
    (key,), (response,) = (as_entities(rows).values() for rows in sides)
    table = Overlap(key, response)
    cells = {(k, r): n for k, r, n in table.cells}
    return profile_of(
        cells, dict(enumerate(table.key_sizes)), dict(enumerate(table.response_sizes))
    ), table


@pytest.mark.parametrize("seed", range(20))
def test_a_metric_may_ask_for_the_cells_themselves(seed):
    made, table = profile(pair(seed, 1))
    for name in ("cells", "lone_cells", "shared_cells"):
        sizes = [
            sorted((n, t.key_sizes[k], t.response_sizes[r]) for k, r, n in getattr(t, name))
            for t in (made, table)
        ]
        assert sizes[0] == sizes[1]
    for name in ("key_sizes", "response_sizes", "key_matched", "response_matched"):
        assert sorted(getattr(made, name)) == sorted(getattr(table, name))


@pytest.mark.parametrize("name", [name for name in METRICS if name != "ceaf"])
def test_a_profile_has_the_statistics_of_its_table(name):
    metric = make(name, Recipe())
    for seed in range(30):
        made, table = profile(pair(seed, 1))
        assert metric.statistics(made) == metric.statistics(table)


def test_ceaf_by_a_function_of_ones_own_takes_sizes():
    recipe = Recipe(metrics="ceaf", ceaf_similarity=lambda n, key, response: n / max(key, response))
    made, table = profile(pair(3, 1))
    metric = make("ceaf", recipe)
    assert metric.statistics(made) == metric.statistics(table)


def test_sums_of_many_are_exact():
    """The float 0.1 is 5.55e-18 above a tenth; next to 10^16, floats are 2 apart."""
    assert weighted([3, 10**8 + 1], [10**8, 10**8]) == 10**16 + 4 * 10**8
    assert weighted([0.1, 1], [10**17, 1]) == 10**16 + 2
