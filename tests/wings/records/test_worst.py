"""The worst clusters of two tables, with their items: by hand, and as a slow count has them."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from corefmeter import CorefmeterWarning, OptionError, score_tables, worst_clusters
from corefmeter.wings.records.report import ClustersReport, WorstReport
from corefmeter.wings.records.worst import Band

from .clusterings import FRAMES, columns, pair

HOW = {"item": "id", "cluster": "c"}

#: The key has abcde, fg, h and the response ab, cd, efgh, so that a to d are in 2 clusters; i is
#: missing in the response and x in the key.
KEY = {"id": list("abcdefghi"), "c": ["K1"] * 5 + ["K2"] * 2 + ["K3"] + ["K2"]}
RESPONSE = {"id": list("abcdefghx"), "c": [1, 1, 2, 2, 3, 3, 3, 3, 3]}


def shuffled(values, seed):
    rows = list(zip(*values.values(), strict=True))
    random.Random(seed).shuffle(rows)
    return dict(zip(values, map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize("engine", FRAMES)
def test_by_hand(engine):
    for seed in range(3):
        key, response = (FRAMES[engine](shuffled(side, seed)) for side in (KEY, RESPONSE))
        worst = worst_clusters(key, response, **HOW)
        k1 = (None, "K1", 5, 8, 3, ((1, 2, ("a", "b")), (2, 2, ("c", "d")), (3, 1, ("e",))))
        # fg are together, and not with i.
        k2 = (None, "K2", 3, 2, 1, ((3, 2, ("f", "g")), (None, 1, ("i",))))
        assert worst.missing == (k1, k2)
        assert worst.split == (k1,)
        # Of 10 pairs of e, fg, h, x only fg is right.
        parts = (("K2", 2, ("f", "g")), ("K1", 1, ("e",)), ("K3", 1, ("h",)), (None, 1, ("x",)))
        r3 = (None, 3, 5, 9, 3, parts)
        assert worst.wrong == worst.merged == (r3,)
        assert worst.sizes == (Band(1, 1, 1, 1, 0, 0), Band(2, 2, 0, 0, 2, 4),
                               Band(3, 4, 1, 3, 0, 0), Band(5, 8, 1, 5, 1, 5))  # fmt: skip


@pytest.mark.parametrize("engine", FRAMES)
def test_no_more_than_asked_for_leaves_the_engine(engine):
    key, response = (FRAMES[engine](side) for side in (KEY, RESPONSE))
    worst = worst_clusters(key, response, **HOW, most=1, items=1)
    assert worst.missing == ((None, "K1", 5, 8, 3, ((1, 2, ("a",)),)),)
    assert worst.wrong == ((None, 3, 5, 9, 3, (("K2", 2, ("f",)), (None, 1, ("x",)))),)


def slowly(ours, theirs):
    """Links and partners of each cluster that has an error, by counting pairs of items."""
    home = {row[:2]: row[2] for row in theirs}
    clusters = {}
    for document, item, cluster in ours:
        clusters.setdefault((document, cluster), []).append(home.get((document, item)))
    found = []
    for (document, cluster), homes in clusters.items():
        links = sum(a is None or a != b for a, b in combinations(homes, 2))
        partners = len(set(homes) - {None})
        found.append((document, cluster, len(homes), links, partners))
    by_links = sorted((r for r in found if r[3]), key=lambda r: (-r[3], -r[4], r[:2]))
    by_partners = sorted((r for r in found if r[4] > 1), key=lambda r: (-r[4], -r[3], r[:2]))
    return by_links, by_partners


@pytest.mark.parametrize("engine", FRAMES)
def test_lists_of_many_documents_are_those_of_a_slow_count(engine):
    sides = pair(7, 40)
    worst = worst_clusters(*(FRAMES[engine](columns(side)) for side in sides), item="item",
                           cluster="cluster", within="document", most=25, items=30)  # fmt: skip
    lists = [
        [one[:5] for one in getattr(worst, name)]
        for name in ("missing", "split", "wrong", "merged")
    ]
    expected = [*slowly(*sides), *slowly(*reversed(sides))]
    assert lists == [rows[:25] for rows in expected]
    # Each item of a cluster is in one of its parts.
    for of, name in ((sides.key, "missing"), (sides.response, "merged")):
        for one in getattr(worst, name):
            items = {row[1] for row in of if (row[0], row[2]) == one[:2]}
            assert sorted(items) == sorted(item for part in one.parts for item in part.items)


def test_lists_say_which_columns_are_words():
    """Document, cluster, partner and items are words; counts are numbers."""
    rows = {"id": [1, 2, 3], "c": [1, 1, 1]}
    others = {"id": [1, 2, 3], "c": [1, 2, 2]}
    for within, words in ((None, 3), ("d", 4)):
        sides = [dict(side) | ({"d": ["x"] * 3} if within else {}) for side in (rows, others)]
        frames = [FRAMES["pandas"](side) for side in sides]
        result = score_tables(*frames, **HOW, within=within, metrics="b3")
        worst = worst_clusters(*frames, **HOW, within=within)
        tables = WorstReport(ClustersReport([result], None, ()), [worst]).tables()
        (listed, *_) = [table for table in tables if "partner" in table.header]
        assert listed.header[:words] == ["document", "cluster", "partner", "items"][4 - words :]
        assert listed.words == words


def test_clusters_of_documents_that_are_not_scored_are_not_looked_at():
    """The response joins c and d in a document 2 that the key lacks; document 1 is right."""
    key = FRAMES["polars"]({"day": [1, 1], "id": ["a", "b"], "c": [0, 0]})
    response = FRAMES["polars"]({"day": [1, 1, 2, 2], "id": list("abcd"), "c": [5, 5, 6, 6]})
    with pytest.warns(CorefmeterWarning, match="the key has no such document"):
        worst = worst_clusters(key, response, **HOW, within="day")
    assert worst.wrong == worst.merged == ()
    assert worst.sizes == (Band(2, 2, 1, 2, 1, 2),)
    with pytest.warns(CorefmeterWarning, match="the key has no such document"):
        strict = worst_clusters(key, response, **HOW, within="day", documents="strict")
    assert [(one.document, one.cluster, one.links) for one in strict.wrong] == [(2, 6, 1)]


def test_items_of_several_columns_are_tuples():
    key = FRAMES["polars"]({"a": [1, 1, 2], "b": ["x", "y", "x"], "c": [0, 0, 0]})
    response = FRAMES["polars"]({"a": [1, 1, 2], "b": ["x", "y", "x"], "c": [0, 1, 1]})
    worst = worst_clusters(key, response, item=("a", "b"), cluster="c")
    assert worst.split[0].parts == ((1, 2, ((1, "y"), (2, "x"))), (0, 1, ((1, "x"),)))


def test_rows_may_be_the_items():
    both = FRAMES["duckdb"]({"k": ["a", "a", "b"], "r": ["x", "y", "y"]})
    worst = worst_clusters(both, cluster=("k", "r"))
    assert worst.split == ((None, "a", 2, 1, 2, (("x", 1, ()), ("y", 1, ()))),)
    assert next(worst.rows()) == ("missing", 1, None, "a", 2, 1, 2, "x", 1, None)


def test_clusters_without_a_cluster_are_called_by_the_label_of_noise():
    """Items 3 and 4 are in no cluster of the key: the response merges two singletons."""
    key = FRAMES["pandas"]({"id": [1, 2, 3, 4], "c": [1, 1, -1, -1]})
    response = FRAMES["pandas"]({"id": [1, 2, 3, 4], "c": ["a", "a", "b", "b"]})
    (merged,) = worst_clusters(key, response, **HOW, noise=-1).merged
    assert (merged.cluster, merged.links) == ("b", 1)
    assert merged.parts == (("-1", 1, (3,)), ("-1", 1, (4,)))


@pytest.mark.parametrize("numbers", [{"most": 0}, {"items": 0}, {"most": -1, "items": 1}])
def test_fewer_than_one_is_refused(numbers):
    both = FRAMES["polars"]({"k": ["a"], "r": ["x"]})
    most, items = numbers.get("most", 10), numbers.get("items", 10)
    with pytest.raises(OptionError, match=f"must be 1 or more, not {most} and {items}"):
        worst_clusters(both, cluster=("k", "r"), **numbers)
