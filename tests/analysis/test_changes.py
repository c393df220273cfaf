"""What one response mended and broke against another."""

from __future__ import annotations

import csv
import io
import json

import pytest

import corefmeter
from corefmeter.analysis.changes import Changes
from corefmeter.analysis.operations import CLASSES
from corefmeter.problems import OptionError

from ..command import run
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
    assert out.startswith("b.conll mends 1 of 1 mention in errors of a.conll, and breaks 1.\n")
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])
    row = next(line for line in out.splitlines() if line.startswith("missing mention"))
    assert row.split()[2:6] == ["1", "1", "1", "1"]
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
    assert "two responses" in done.stderr
    assert run("errors", *files, files[1]).returncode == 2


def test_changes_are_shown():
    assert " mends 2 of 4 mentions in errors of " in str(changes())
    assert "mended" in changes()._repr_html_()
