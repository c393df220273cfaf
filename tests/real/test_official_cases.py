"""The 36 test cases of the official scorer: every count and score that it prints."""

from __future__ import annotations

import pytest

from corefmeter import score

from .shared import DATA, differences, needs, table

pytestmark = needs("official_cases")

FOLDER = DATA / "official_cases"


def cases() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    if FOLDER.is_dir():
        for row in table(FOLDER / "expected.tsv"):
            found.setdefault(row["case"], []).append(row)
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES)
def test_counts_and_scores(case):
    rows = CASES[case]
    result = score(FOLDER / rows[0]["key"], FOLDER / rows[0]["response"])
    assert len(rows) == 9
    assert differences(result, rows) == []


def test_there_are_36_cases():
    assert len(CASES) == 36


def test_the_values_that_its_own_configuration_states():
    """Sums of absolute differences below 0.0001, as its test program asks."""
    names = {"blancc": "blanc_coref", "blancn": "blanc_noncoref"}
    checked = 0
    for row in table(FOLDER / "stated.tsv"):
        if row["status"] != "agree":
            continue
        files = CASES[row["case"]][0]
        result = score(FOLDER / files["key"], FOLDER / files["response"])
        metric = names.get(row["metric"], row["metric"])
        scores = result["b3" if metric == "bcub" else metric]
        stated = [float(row[f"stated_{field}"]) for field in ("recall", "precision", "f1")]
        values = (scores.recall, scores.precision, scores.f1)
        assert sum(abs(a - b) for a, b in zip(stated, values, strict=True)) < 0.0001, row
        checked += 1
    assert checked == 206
