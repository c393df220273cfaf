"""What a metric must choose from is settled in the engine, and no number changes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from corefmeter import CorefmeterWarning, score, score_tables
from corefmeter.wings.records import cells
from corefmeter.wings.records.frames import Engine

from .clusterings import FRAMES, as_entities, columns, pair

HOW = {"item": "item", "cluster": "cluster", "within": "document"}
CEAF = "ceafm,ceafe,ceaf1,ceaf2"


def tables(engine, sides):
    return [FRAMES[engine](columns(rows)) for rows in sides]


def totals(result):
    """For each document and metric the greatest total."""
    return {
        (unit.label, name): rows[place][0]
        for name, rows in result.statistics.items()
        for place, unit in enumerate(result.units)
    }


def moved(seed, items, clusters, share):
    """Two clusterings of one document: some items are moved to another cluster."""
    rng = random.Random(seed)
    key = [(0, item, rng.randrange(clusters)) for item in range(items)]
    response = [
        (0, item, rng.randrange(clusters) if rng.random() < share else cluster)
        for _, item, cluster in key
    ]
    return key, response


@pytest.mark.slow
@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("within", [True, False])
def test_the_engine_settles_as_the_solver_does(engine, within, monkeypatch):
    monkeypatch.setattr(cells, "FEW", 0)
    sides = pair(11, 40) if within else moved(11, 600, 90, 0.3)
    found = score_tables(*tables(engine, sides), **HOW, metrics=CEAF)
    expected = totals(score(*map(as_entities, sides), metrics=CEAF))
    assert totals(found) == pytest.approx(expected, rel=1e-12)
    whole = {key: value for key, value in expected.items() if key[1] == "ceafm"}
    assert {key: totals(found)[key] for key in whole} == whole  # integers


def test_the_engine_computes_each_assignment_once_for_all_documents(monkeypatch):
    """Forty documents and four similarities: four assignments, not a hundred and sixty."""
    computed = []
    assign = cells.EngineCells._assign
    monkeypatch.setattr(cells, "FEW", 0)
    monkeypatch.setattr(
        cells.EngineCells, "_assign", lambda *given: computed.append(given) or assign(*given)
    )
    score_tables(*tables("polars", pair(11, 40)), **HOW, metrics="all")
    assert 0 < len(computed) <= len(CEAF.split(","))


@pytest.mark.parametrize("engine", FRAMES)
def test_by_hand(engine, monkeypatch):
    """Key {1..4} {5 6 7}, response {1 2} {3 4} {5 6} {7}.

    Of the first, two cells of 2 weigh the same and one is taken; of the second, that of 2:
    CEAFm 2 + 2, CEAFe 2 * 2/6 + 2 * 2/5.
    """
    monkeypatch.setattr(cells, "FEW", 0)
    left = []
    monkeypatch.setattr(cells.EngineCells, "_fetch", lambda table, frame: left.append(frame) or {})
    frame = FRAMES[engine]
    key = frame({"id": [1, 2, 3, 4, 5, 6, 7], "c": list("aaaabbb")})
    response = frame({"id": [1, 2, 3, 4, 5, 6, 7], "c": list("uuvvwwx")})
    found = score_tables(key, response, item="id", cluster="c", metrics="ceafm,ceafe")
    assert found.statistics["ceafm"][0][0] == 4
    assert found.statistics["ceafe"][0][0] == 4 / 6 + 4 / 5
    assert len(left) == 2  # once for each similarity, and no cell was left


def test_only_what_nothing_dominates_leaves_the_engine(monkeypatch):
    """A triangle of equal weights that nobody dominates, beside a cell that is taken."""
    monkeypatch.setattr(cells, "FEW", 0)
    rows = []
    fetched = Engine.rows
    monkeypatch.setattr(Engine, "rows", lambda *given: rows.append(fetched(*given)) or rows[-1])
    # Key a {1 2}, b {3 4}; response u {1 3}, v {2 4}: four cells of 1. Key c {5..9} has w {5..8},
    # x {9}: the cell of 4 dominates.
    key = FRAMES["polars"]({"id": list(range(1, 10)), "c": list("aabbccccc")})
    response = FRAMES["polars"]({"id": list(range(1, 10)), "c": list("uvuvwwwwx")})
    found = score_tables(key, response, item="id", cluster="c", metrics="ceafm")
    assert found.statistics["ceafm"][0][0] == 1 + 1 + 4
    of_names = [row for of in rows for row in of if any(isinstance(value, str) for value in row)]
    assert sorted(row[:2] for row in of_names) == [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v")]


def test_the_order_of_rows_changes_no_bit(monkeypatch):
    monkeypatch.setattr(cells, "FEW", 0)
    sides = moved(12, 500, 70, 0.4)
    results = []
    for seed in range(3):
        for side in sides:
            random.Random(seed).shuffle(side)
        results.append(score_tables(*tables("duckdb", sides), **HOW, metrics=CEAF).statistics)
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("within", [True, False])
def test_beyond_the_limit_bounds_are_reported(engine, within, monkeypatch):
    monkeypatch.setattr(cells, "FEW", 0)
    monkeypatch.setattr(cells, "LIMIT", 0)
    sides = pair(13, 30) if within else moved(13, 400, 40, 0.9)
    found = score_tables(*tables(engine, sides), **HOW, metrics="ceafm,ceafe")
    exact = totals(score(*map(as_entities, sides), metrics="ceafm,ceafe"))
    told = {
        (p.document, p.message.partition(" is")[0].lower()): float(p.message.split()[-4])
        for p in found.problems
        if p.code == "assignment-bounds"
    }
    assert told
    for (document, name), total in totals(found).items():
        reach = told.get((document, name), 1)
        assert total <= exact[document, name] * (1 + 1e-12)
        assert exact[document, name] <= total * (reach + 1e-4)
    assert any(total < exact[place] for place, total in totals(found).items())


@pytest.mark.parametrize(("rounds", "total", "reach"), [(1, 4, 7 / 4), (2, 6, 7 / 6)])
def test_clusters_are_guessed_in_so_many_rounds(rounds, total, reach, monkeypatch):
    """Key a has 4 items of u and 3 of v, key b 3 of u and 2 of w: nothing dominates.

    The first round takes a with u, the second b with w. No assignment exceeds the greatest cells
    of a and b, which are 4 and 3.
    """
    for name, value in (("FEW", 0), ("LIMIT", 0), ("ROUNDS", rounds)):
        monkeypatch.setattr(cells, name, value)
    labels = {"c": "aaaaaaabbbbb", "r": "uuuuvvvuuuww"}
    frame = FRAMES["polars"]({name: list(of_items) for name, of_items in labels.items()})
    with pytest.warns(CorefmeterWarning, match=f"up to {reach:.4f} times as high"):
        found = score_tables(frame, cluster=("c", "r"), metrics="ceafm")
    assert found.statistics["ceafm"][0][0] == total


def test_a_similarity_of_the_user_is_not_computed_in_the_engine(monkeypatch):
    monkeypatch.setattr(cells, "FEW", 0)
    sides = pair(14, 30)

    def jaccard(common, key_size, response_size):
        return common / (key_size + response_size - common)

    found = score_tables(*tables("duckdb", sides), **HOW, metrics="ceaf", ceaf_similarity=jaccard)
    expected = score(*map(as_entities, sides), metrics="ceaf", ceaf_similarity=jaccard)
    assert totals(found) == totals(expected)


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("within", [True, False])
def test_the_best_partners_are_found_in_the_engine(engine, within, monkeypatch):
    monkeypatch.setattr(cells.EngineCells, "_fetch", None)
    sides = pair(15, 50) if within else moved(15, 900, 80, 0.5)
    found = score_tables(*tables(engine, sides), **HOW, metrics="closest,purity")
    expected = score(*map(as_entities, sides), metrics="closest,purity")
    place = {unit.label: number for number, unit in enumerate(found.units)}
    for name, rows in expected.statistics.items():
        assert [found.statistics[name][place[unit.label]] for unit in expected.units] == rows


def test_no_query_uses_windows():
    """Those of pyarrow come back in another order than the rows, once tables are large."""
    for path in Path(cells.__file__).parent.glob("*.py"):
        assert ".over(" not in path.read_text("utf-8"), path.name
