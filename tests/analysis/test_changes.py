"""What one response mended and broke against another."""

from __future__ import annotations

import csv
import io
import json
from random import Random

import pytest

import corefmeter
from corefmeter.analysis.changes import Changes
from corefmeter.analysis.operations import CLASSES
from corefmeter.problems import OptionError

from ..command import run
from ..metrics import slow
from ..metrics.invented import FAMILIES, plain

KEY = {"1": [["Ann", "she", "her"], ["Bob", "he"]], "2": [["it", "its"]]}
# Document 1: "her" is missing, "he" is with Ann (conflated; that is read first, so Bob is
# divided). Document 2: "x" is extra.
BEFORE = {"1": [["Ann", "she", "he"], ["Bob"]], "2": [["it", "its", "x"]]}
# "her" is there, and "she" is missing; "he" as before; x is gone.
AFTER = {"1": [["Ann", "her", "he"], ["Bob"]], "2": [["it", "its"]]}


def changes(key=KEY, before=BEFORE, after=AFTER, **options):
    return Changes(*(corefmeter.analyse(key, side, **options) for side in (before, after)))


def test_mentions_are_mended_and_broken():
    found = changes()
    assert {(row.document, row.error, row.mention, row.change) for row in found.rows} == {
        ("1", "conflated", "he", "kept"),
        ("1", "divided", "Bob", "kept"),
        ("1", "missing_mention", "her", "mended"),
        ("1", "missing_mention", "she", "broke"),
        ("2", "extra_mention", "x", "mended"),
    }
    assert found.by_class["missing_mention"] == {"before": 1, "mended": 1, "broke": 1, "after": 1}
    assert found.by_class["extra_mention"] == {"before": 1, "mended": 1, "broke": 0, "after": 0}
    assert found.by_class["span"] == {"before": 0, "mended": 0, "broke": 0, "after": 0}
    # Two changes in document 1, one in document 2.
    assert list(found.by_document) == ["1", "2"]
    assert found.by_document["1"] == {"before": 3, "mended": 1, "broke": 1, "after": 3}


def test_the_json_says_which_schema_it_has():
    assert changes().to_dict()["schema"] == 1


def test_a_wrong_span_is_that_of_the_key_mention():
    """Whether "the old dog" is found as "old dog" or as "dog", its span is wrong in both."""
    key, ends = [[(0, 3), (5, 6)]], ([[(1, 3), (5, 6)]], [[(2, 3), (5, 6)]])
    (row,) = changes(key, *ends).rows
    assert (row.error, row.mention, row.change) == ("span", (0, 3), "kept")


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_before_and_not_mended_or_broken_is_after(family):
    documents = [pair for _, pair in plain(family, 12)]
    key = {str(n): pair[0] for n, pair in enumerate(documents)}
    before = {str(n): pair[1] for n, pair in enumerate(documents)}
    after = {name: entities[: len(entities) // 2] for name, entities in before.items()}
    found = changes(key, before, after, singletons="keep")
    for counts in (found.by_class, found.by_document, found.by_feature("kind")):
        for row in counts.values():
            assert row["before"] - row["mended"] + row["broke"] == row["after"]
    for side, analysis in (("before", found.before), ("after", found.after)):
        assert sum(row[side] for row in found.by_class.values()) == len({
            (row.document, row.error, m)
            for row in analysis.errors
            for m in ([row.correct] if row.correct is not None else row.mentions)
        })  # fmt: skip
    back = Changes(found.after, found.before)
    for name in CLASSES:
        assert back.by_class[name]["mended"] == found.by_class[name]["broke"]


def in_turn(found, metric):
    """By class, what it costs in turn before minus after."""
    return {
        name: row["in_turn_before"][metric] - row["in_turn_after"][metric]
        for name, row in found.to_dict()["classes"].items()
    }


def test_costs_in_turn_explain_the_difference_by_hand():
    # MUC of a: R 2/3, P 2/2, so 4/5; of b: R 3/3, P 3/4, so 6/7. The only errors cost the rest.
    key = [["a", "b", "c", "d"]]
    found = changes(key, [["a", "b"], ["c", "d"]], [["a", "b", "c", "d", "x"]], metrics=["muc"])
    gains = in_turn(found, "muc")
    assert gains.pop("divided") == pytest.approx(1 / 5)
    assert gains.pop("extra_mention") == pytest.approx(-1 / 7)
    assert set(gains.values()) == {0}
    assert sum(in_turn(found, "muc").values()) == pytest.approx(6 / 7 - 4 / 5)


def test_costs_in_turn_explain_what_costs_alone_do_not():
    # MUC of the first is 0, of the second 1. Alone: the splits leave nothing linked, 0; the parts
    # that come to {a,c} make {a,b,c,d}, R 2/2, P 2/3, so 4/5. In turn: 0, then all is right.
    key = [["a", "b"], ["c", "d"]]
    found = changes(key, [["a", "c"], ["b", "d"]], key, metrics=["muc"])
    rows = found.to_dict()["classes"]
    alone = {name: row["cost_before"]["muc"] for name, row in rows.items()}
    assert sum(alone.values()) == alone["divided"] == pytest.approx(4 / 5)
    gains = in_turn(found, "muc")
    assert sum(gains.values()) == gains["divided"] == 1


def moved(entities, rng):
    """Entities with some mentions left out, moved, longer, and added."""
    found = [[], *([m for m in entity if rng.random() < 0.85] for entity in entities), []]
    for entity in found:
        for mention in [m for m in entity if rng.random() < 0.2]:
            entity.remove(mention)
            first, end = mention
            rng.choice(found).append((first, end + (rng.random() < 0.3)))
    rng.choice(found).append((200, 201))
    return [entity for entity in found if entity]


@pytest.mark.parametrize("family", ["unrelated", "noisy", "split", "one_entity", "few"])
def test_costs_in_turn_add_up_to_the_difference_of_the_scores(family):
    rng = Random(family)
    metrics = ["muc", "b3", "ceafe", "lea"]
    for _ in range(30):
        pairs = [FAMILIES[family](rng) for _ in range(rng.randint(1, 3))]
        key, before = (
            {
                str(n): [[(2 * m, 2 * m + 2) for m in entity] for entity in pair[side]]
                for n, pair in enumerate(pairs)
            }
            for side in (0, 1)
        )
        after = {name: moved(entities, rng) for name, entities in key.items()}
        found = changes(key, before, after, metrics=metrics)
        for metric in metrics:
            scores = [
                slow.score(slow.SLOW[metric], [(key[name], side[name]) for name in key]).f1 or 0
                for side in (before, after)
            ]
            total = sum(in_turn(found, metric).values())
            assert total == pytest.approx(float(scores[1] - scores[0]), abs=1e-12), (key, before)


def test_only_what_was_made_alike_is_compared():
    a = corefmeter.analyse(KEY, BEFORE)
    for other in (
        corefmeter.analyse(KEY, AFTER, singletons="drop"),
        corefmeter.analyse({**KEY, "2": [["it"]]}, AFTER),
        corefmeter.analyse(KEY, AFTER, by=["tokens"]),
    ):
        with pytest.raises(OptionError, match="one key and the same options"):
            Changes(a, other)


def column(*cells):
    rows = "".join(f"d\t0\t{i}\tw{i}\t{cell}\n" for i, cell in enumerate(cells))
    return f"#begin document (d); part 000\n{rows}\n#end document\n"


@pytest.fixture
def files(tmp_path):
    """w2 is missing before, w1 after."""
    for name, cells in (
        ("key", ("(0)", "(0)", "(0)")), ("a", ("(0)", "(0)", "-")), ("b", ("(0)", "-", "(0)")),
    ):  # fmt: skip
        (tmp_path / f"{name}.conll").write_text(column(*cells))
    return [tmp_path / f"{name}.conll" for name in ("key", "a", "b")]


def test_two_responses_on_the_command_line(files):
    out = run("errors", *files).stdout
    assert out.startswith("b.conll fixes 1 of 1 mention in errors of a.conll, and breaks 1.")
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])
    row = next(line for line in out.splitlines() if line.startswith("missing mention"))
    assert row.split()[2:6] == ["1", "1", "1", "1"]
    # By MUC 1/3 is lost before and after.
    out = run("errors", *files, "-m", "muc").stdout
    rows = [line.split() for line in out.splitlines() if line.startswith(("missing men", "all "))]
    assert rows[0][2:] == ["1", "1", "1", "1", "33.33", "33.33", "0.00"]
    assert rows[1][1:] == rows[0][2:]
    found = json.loads(run("errors", *files, "-f", "json").stdout)
    assert (found["before"], found["after"]) == (str(files[1]), str(files[2]))
    assert found["classes"]["missing_mention"]["mended"] == 1
    # MUC 1/2 and 1: with the missing mention 1, so it costs 1 - 2/3 of either.
    costs = json.loads(run("errors", *files, "-f", "json", "-m", "muc").stdout)["classes"]
    assert costs["missing_mention"]["cost_before"]["muc"] == pytest.approx(1 / 3)
    assert costs["missing_mention"]["cost_after"]["muc"] == pytest.approx(1 / 3)
    rows = list(csv.DictReader(io.StringIO(run("errors", *files, "-f", "csv").stdout)))
    assert [(row["change"], row["error"], row["words"]) for row in rows] == [
        ("mended", "missing_mention", "w2"), ("broke", "missing_mention", "w1"),
    ]  # fmt: skip
    for format in ("latex", "markdown"):
        assert "missing mention" in run("errors", *files, "-f", format).stdout


@pytest.mark.parametrize("option", [["--links"], ["--show"], ["--write-fixed", "x"]])
def test_lists_and_texts_are_of_one_response(files, option):
    done = run("errors", *files, *option)
    assert done.returncode == 2
    assert "need a single response" in done.stderr
    assert run("errors", *files, files[1]).returncode == 2


def test_changes_are_shown():
    assert " fixes 2 of 4 mentions in errors of " in str(changes())
    assert "fixed" in changes()._repr_html_()
