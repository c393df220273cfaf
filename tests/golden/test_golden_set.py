"""The scorer gives the values of the golden set, and these move only where a fragment says so."""

from __future__ import annotations

import csv
from fractions import Fraction
from math import isclose, isnan

import pytest

from corefmeter import Recipe, read, score
from corefmeter.formats import format_named, names
from corefmeter.formats.conversion import write_files

from ..test_changes import ROOT, gather
from .independent import EXAMPLES, PAIRS, POLICIES, VALUES, Row, digest, written

with VALUES.open(encoding="utf-8", newline="") as stream:
    ROWS = [Row(**row) for row in csv.DictReader(stream, delimiter="\t")]

#: Options of the recipe for a metric that is not as usual.
OPTIONS = {
    "blanc:luo2014": {"blanc": "luo2014"},
    "blanc:corefud": {"blanc": "corefud"},
    "blanc:recasens2011": {"blanc": "recasens2011"},
    "lea:one": {"lea_importance": "one"},
    "mela": {"mela_weights": "muc=1+b3=1+ceafe=1"},
}
#: What the examples, whose documents count tokens, can be written as.
WRITTEN = [n for n in names() if format_named(n).write and "tokens" in format_named(n).units]


def check(result, row: Row, undefined: float = 0.0) -> None:
    """The values of one metric of a result."""
    scores = result[row.metric.partition(":")[0]]
    for field in ("recall", "precision", "f1"):
        expected = getattr(row, field)
        if expected == "-":
            continue
        value = getattr(scores, field)
        if expected == "0/0":
            assert field in scores.undefined, (row, field)
            assert value == undefined or (isnan(value) and isnan(undefined)), (row, field)
        else:
            tolerance = 1e-12 if "." in expected else 1e-13
            exact = Fraction(expected)
            assert isclose(value, exact, rel_tol=0, abs_tol=tolerance), (row, field, value)


def of(pair: str, policy: str) -> list[Row]:
    return [row for row in ROWS if (row.pair, row.policy) == (pair, policy)]


def test_the_file_holds_what_the_definitions_give():
    assert VALUES.read_text("utf-8") == written()


def test_every_value_that_moved_is_announced():
    """The digest of the values is in a line *Score changes* of a fragment or of the changelog."""
    assert digest() in gather.announced(ROOT), (
        f"the golden set is now {digest()}: name that in the line 'Score changes:' of a file in "
        "changes/, with what moved and why"
    )


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_scorer_gives_these_values(pair, policy):
    rows = of(pair, policy)
    assert len(rows) > 15
    for row in rows:
        recipe = Recipe(metrics=row.metric.partition(":")[0], **POLICIES[policy],
                        **OPTIONS.get(row.metric, {}))  # fmt: skip
        check(score(*PAIRS[pair], recipe), row)


@pytest.mark.parametrize(("policy", "value"), [("one", 1.0), ("skip", float("nan"))])
def test_what_is_undefined_counts_as_was_asked_for(policy, value):
    rows = [row for row in ROWS if row.f1 == "0/0"]
    assert len(rows) > 10
    for row in rows:
        recipe = Recipe(metrics=row.metric.partition(":")[0], undefined=policy,
                        **POLICIES[row.policy], **OPTIONS.get(row.metric, {}))  # fmt: skip
        check(score(*PAIRS[row.pair], recipe), row, value)


@pytest.mark.parametrize("format", WRITTEN)
def test_the_values_are_the_same_in_every_format(format, tmp_path):
    for name in ("key", "system-a"):
        (tmp_path / name).mkdir()
        write_files(read(EXAMPLES / f"{name}.conll", details=True), format, f"{tmp_path / name}/")
    # Text with brackets is read against its key, which has the words.
    key = EXAMPLES if format == "inline" else tmp_path
    sides = key / ("key.conll" if format == "inline" else "key"), tmp_path / "system-a"
    rows = [row for row in of("system-a", "default") if row.metric not in OPTIONS]
    result = score(*sides, metrics=[row.metric for row in rows])
    for row in rows:
        check(result, row)
