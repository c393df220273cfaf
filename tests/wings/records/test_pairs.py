"""Scores of pairs at thresholds: by hand, and against a slow exact version."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import corefmeter
from corefmeter import CorefmeterWarning, DataError, OptionError
from corefmeter.wings.records.pairing import parse_thresholds
from corefmeter.wings.records.pairs import NumberedPairs, score_at

from ...command import run

pandas = pytest.importorskip("pandas")
duckdb = pytest.importorskip("duckdb")

#: abc, de and f; c is linked to d by mistake.
KEY = dict.fromkeys("abc", "x") | dict.fromkeys("de", "y") | {"f": "z"}
PAIRS = [("a", "b", 0.9), ("c", "b", 0.6), ("d", "e", 0.9), ("c", "d", 0.5)]


def key_frame(key: dict[Any, Any] = KEY) -> Any:
    return pandas.DataFrame({"id": list(key), "cluster": list(key.values())})


def pair_frame(pairs: Sequence[tuple[Any, Any, float]] = PAIRS) -> Any:
    return pandas.DataFrame(pairs, columns=["l", "r", "s"])


def scored(key: Any, pairs: Any, **options: Any) -> list[Any]:
    columns = {"item": "id", "cluster": "cluster", "pair": ("l", "r"), "score": "s"}
    return corefmeter.score_pairs(key, pairs, **(columns | options))


def test_pairs_and_clusters_by_hand():
    low, high, none = scored(
        key_frame(), pair_frame(), thresholds=[0.5, 0.6, 0.95], metrics="links,b3"
    )
    # The key has 3 + 1 links. All four pairs: three are right.
    assert low.pairs[:3] == (3 / 4, 3 / 4, 3 / 4)
    # Their clusters abcde and f have 10 links, of which all 4 of the key.
    assert low.result.links[:2] == (1, 4 / 10)
    assert (low.links, low.added, low.clusters, low.largest) == (4, 6, 2, 5)
    # B3 precision: 3 * 3/5 + 2 * 2/5 + 1 of 6.
    assert low.result.b3[:2] == (1, pytest.approx((9 / 5 + 4 / 5 + 1) / 6))
    # At 0.6: ab, bc, de; a and c are joined by b.
    assert high.pairs[:2] == (3 / 4, 1)
    assert high.result.links[:2] == (1, 1)
    assert (high.links, high.added, high.clusters, high.largest) == (3, 1, 3, 3)
    assert (none.links, none.clusters, none.result.links.recall) == (0, 6, 0)


def slow(
    key: dict[Any, Any], pairs: Iterable[tuple[Any, Any, float]], threshold: float
) -> tuple[Any, ...]:
    """Counts of pairs, of links of clusters, and B3, by sets."""
    linked = {frozenset(pair[:2]) for pair in pairs if pair[2] >= threshold and pair[0] != pair[1]}
    cluster_of = {item: {item} for item in key}
    for pair in linked:
        one, other = (cluster_of[item] for item in pair)
        union = one | other
        cluster_of |= dict.fromkeys(union, union)
    true = {frozenset(pair) for pair in combinations(key, 2) if key[pair[0]] == key[pair[1]]}
    closed = {frozenset(p) for p in combinations(key, 2) if cluster_of[p[0]] is cluster_of[p[1]]}
    key_of = {item: {other for other in key if key[other] == key[item]} for item in key}
    recall, precision = (
        sum(Fraction(len(key_of[i] & cluster_of[i]), len(of[i])) for i in key) / len(key)
        for of in (key_of, cluster_of)
    )
    return (
        (len(true & linked), len(true), len(linked)),
        (len(true & closed), len(true), len(closed)),
        (float(recall), float(precision)),
        len({id(cluster) for cluster in cluster_of.values()}),
    )


def generated(seed: int) -> tuple[dict[int, int], list[tuple[int, int, float]]]:
    random = Random(seed)
    key = {item: random.randrange(1 + seed % 7) for item in random.sample(range(100), 2 + seed % 9)}
    scores = {}
    for _ in range(1 + random.randrange(20)):
        pair = random.choice(list(key)), random.choice(list(key))
        scores[frozenset(pair)] = random.choice([0.0, 0.1, 0.25, 0.5, 1.0])
    pairs = [(min(pair), max(pair), score) for pair, score in scores.items()]
    pairs += [(b, a, score) for a, b, score in pairs if random.random() < 0.3]
    random.shuffle(pairs)
    return key, pairs


def counted(found: Any) -> tuple[Any, ...]:
    def counts(scores: Any) -> tuple[int, int, int]:
        return (
            scores.recall_numerator, scores.recall_denominator, scores.precision_denominator
        )  # fmt: skip

    b3 = found.result.b3
    return (
        counts(found.pairs),
        counts(found.result.links),
        (b3.recall, b3.precision),
        found.clusters,
    )


THRESHOLDS = [0.5, 0.0, 0.25, 1.0, 2.0]


def require_equal(seed: int, found: Iterable[Any]) -> None:
    for threshold, one in zip(THRESHOLDS, found, strict=True):
        pairs, links, b3, clusters = counted(one)
        expected = slow(*generated(seed), threshold)
        assert (pairs, links, clusters) == (expected[0], expected[1], expected[3])
        assert b3 == pytest.approx(expected[2], abs=1e-15)


def check(seeds: Iterable[int], table: Callable[[Any], Any]) -> None:
    for seed in seeds:
        key, pairs = generated(seed)
        frame = pair_frame(pairs).astype({"l": "int64", "r": "int64", "s": "float64"})
        tables = table(key_frame(key)), table(frame)
        require_equal(seed, scored(*tables, thresholds=THRESHOLDS, metrics="links,b3"))


def test_random_tables_equal_the_slow_version():
    check(range(12), lambda frame: frame)


@pytest.mark.slow
def test_a_thousand_random_cases_equal_the_slow_version(stays_in_engine):
    """Of the pairs as numbers, without an engine."""
    recipe = corefmeter.Recipe(metrics=("links", "b3"))
    for seed in range(1_000):
        key, pairs = generated(seed)
        place = {item: number for number, item in enumerate(sorted(key))}
        scores = {tuple(sorted((place[a], place[b]))): s for a, b, s in pairs if a != b}
        left, right = np.array([*scores], int).reshape(-1, 2).T
        clusters = np.array([key[item] for item in sorted(key)])
        clusters = np.unique(clusters, return_inverse=True)[1]
        weights = np.array([*scores.values()], float)
        numbered = NumberedPairs([], clusters, left, right, weights, [])
        require_equal(seed, score_at(numbered, THRESHOLDS, recipe))


@pytest.mark.parametrize("engine", ["polars", "pyarrow", "duckdb"])
def test_all_engines_have_the_same_numbers(engine: str):
    library = pytest.importorskip(engine)
    tables = {
        "polars": lambda frame: library.from_pandas(frame).lazy(),
        "pyarrow": lambda frame: library.Table.from_pandas(frame),
        "duckdb": lambda frame: library.from_df(frame),
    }
    check(range(4), tables[engine])
    assert [counted(one) for one in scored(key_frame(), pair_frame(), metrics="links,b3")] == [
        counted(one)
        for one in scored(*map(tables[engine], (key_frame(), pair_frame())), metrics="links,b3")
    ]


@pytest.mark.nightly
def test_spark_has_the_same_numbers():
    sql = pytest.importorskip("pyspark.sql")
    spark = sql.SparkSession.builder.master("local[2]").getOrCreate()
    try:
        check(range(3), spark.createDataFrame)
    finally:
        spark.stop()


def test_pairs_without_scores_are_all_links():
    (found,) = scored(key_frame(), pair_frame(), score=None, metrics="links")
    assert (found.threshold, found.links, found.clusters) == (None, 4, 2)


def test_no_pair_leaves_items_alone():
    pairs = pair_frame([("a", "a", 1.0)])
    (found,) = scored(key_frame(), pairs, thresholds=[0.5], metrics="links")
    assert (found.links, found.clusters, found.pairs.precision) == (0, 6, 0)


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        ([*PAIRS, ("a", "g", 0.1)], "bad-pairs"),  # an unknown item
        ([*PAIRS, ("b", "a", 0.8)], "bad-pairs"),  # two scores
        ([*PAIRS, ("a", "c", None)], "empty-cell"),
        ([*PAIRS, ("a", None, 0.5)], "empty-cell"),
        ([(1, 2, 0.5)], "types-differ"),
    ],
)
def test_what_has_no_meaning_is_refused(pairs: Any, code: str):
    with pytest.raises(DataError) as caught:
        scored(key_frame(), pair_frame(pairs))
    assert [problem.code for problem in caught.value.problems] == [code]


def test_a_second_item_of_another_type_is_refused():
    pairs = pandas.DataFrame({"l": ["a"], "r": [1], "s": [0.5]})
    with pytest.raises(DataError) as caught:
        scored(key_frame(), pairs)
    assert caught.value.problems[0].code == "types-differ"


def test_options_without_meaning_are_refused():
    with pytest.raises(OptionError, match="singletons"):
        scored(key_frame(), pair_frame(), singletons="drop")
    with pytest.raises(OptionError, match="name the column"):
        scored(key_frame(), pair_frame(), score=None, thresholds=[0.5])
    weights = pair_frame([("a", "b", 7.5), ("b", "c", -2.0)])
    with pytest.raises(OptionError, match=r"from -2 to 7\.5"):
        scored(key_frame(), weights)
    assert len(scored(key_frame(), weights, thresholds=[0], metrics="links")) == 1


def test_rows_that_repeat_count_once():
    key = pandas.concat([key_frame(), key_frame()])
    repeating = pair_frame([*PAIRS, ("b", "a", 0.9), ("f", "f", 0.9)])
    with pytest.warns(CorefmeterWarning, match="more than once"):
        (found,) = scored(key, repeating, thresholds=[0.5])
    assert found.links == 4
    notes = {problem.code: problem.message for problem in found.result.problems}
    assert notes["repeated-pair"] == (
        "rows of pairs that do not count: 1 repeat a pair, 1 pair an item with itself"
    )
    with pytest.raises(DataError, match="more than once"):
        scored(key, pair_frame(), repeated="error")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5", [0.5]), ("0.1:0.3:0.1", [0.1, 0.2, 0.3]), ("-2:3:2.5", [-2, 0.5, 3]),
        ("0.9,0.8", [0.9, 0.8]), ("0.5:0.99:0.01", [place / 100 for place in range(50, 100)]),
    ],
)  # fmt: skip
def test_thresholds_are_read(text: str, expected: list[float]):
    assert parse_thresholds(text) == expected


@pytest.mark.parametrize("text", ["", "a", "0.5:0.9", "0.9:0.5:0.1", "0:1:0", "0:1:1e-9", "nan"])
def test_other_thresholds_are_refused(text: str):
    with pytest.raises(OptionError, match="--thresholds"):
        parse_thresholds(text)


# ---- files --------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    key, pairs = tmp_path / "key.csv", tmp_path / "pairs.csv"
    key.write_text("id,cluster\n" + "".join(f"{i},{c}\n" for i, c in KEY.items()))
    named = pair_frame().rename(
        columns={"l": "unique_id_l", "r": "unique_id_r", "s": "match_probability"}
    )
    named.assign(match_key="0").to_csv(pairs, index=False)
    return key, pairs


def test_the_command_prints_what_the_call_returns(files: tuple[Path, Path], tmp_path: Path):
    clusters = tmp_path / "clusters.csv"
    done = run("clusters", "pairs", *files, "--thresholds", "0.5,0.6", "-f", "json",
               "--write-clusters", clusters)  # fmt: skip
    document = json.loads(done.stdout)
    assert document["best"] == 0.6
    expected = scored(key_frame(), pair_frame(), thresholds=[0.5, 0.6], metrics="links,b3")
    for entry, one in zip(document["results"], expected, strict=True):
        assert entry["links"] == one.links
        for name, scores in (("pairs", one.pairs), ("b3", one.result.b3)):
            assert entry["scores"][name]["f1"] == scores.f1
    assert clusters.read_text().split() == [
        *("id,cluster", "a,0", "b,0", "c,0", "d,1", "e,1", "f,2")
    ]
    # The clusters have the scores that were printed.
    scores = json.loads(run("clusters", files[0], clusters, "-m", "b3", "-f", "json").stdout)
    assert scores["results"][0]["scores"]["b3"]["f1"] == expected[1].result.b3.f1


@pytest.mark.parametrize("thresholds", ["0.7,0.8", "0.8,0.7"])
def test_of_equal_thresholds_the_highest_is_best(files: tuple[Path, Path], thresholds: str):
    """At both, the pairs are ab and de, whatever the order of thresholds."""
    done = run("clusters", "pairs", *files, "--thresholds", thresholds, "-f", "json")
    assert json.loads(done.stdout)["best"] == 0.8


def test_an_average_has_f1_alone_and_the_signature_follows(files: tuple[Path, Path]):
    done = run("clusters", "pairs", *files, "-m", "conll", "--thresholds", "0.6")
    assert "corefmeter:" in done.stdout
    found = run("clusters", "pairs", *files, "-m", "conll", "--thresholds", "0.6", "-f", "csv")
    assert found.stdout.splitlines()[2].startswith("0.6,3,1,3,3,conll,,,1")


def test_the_table_names_the_best_threshold(files: tuple[Path, Path]):
    text = run("clusters", "pairs", *files, "--thresholds", "0.5:0.9:0.1").stdout
    assert "best F1 of clusters (Pairwise) at 0.6: 3 pairs form 3 clusters" in text
    rows = run("clusters", "pairs", *files, "--thresholds", "0.6", "-f", "csv").stdout.splitlines()
    assert rows[:2] == [
        "threshold,links,added,clusters,largest,metric,recall,precision,f1",
        "0.6,3,1,3,3,pairs,0.75,1.0,0.8571428571428571",
    ]


def test_a_score_is_never_guessed(files: tuple[Path, Path]):
    key, pairs = files
    pairs.write_text(pairs.read_text().replace("match_probability", "p"))
    done = run("clusters", "pairs", key, pairs)
    assert "which column of" in done.stderr
    assert "--score none" in done.stderr
    assert "0.6" in run("clusters", "pairs", key, pairs, "--score", "p").stdout
    assert "all " in run("clusters", "pairs", key, pairs, "--score", "none").stdout


def test_a_score_that_is_no_number_is_refused(files: tuple[Path, Path]):
    key, pairs = files
    pairs.write_text(pairs.read_text().replace("0.6", "0,6").replace(",0,6", ',"0,6"'))
    done = run("clusters", "pairs", key, pairs)
    assert "values that are not numbers: 1" in done.stderr
