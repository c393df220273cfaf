"""A Dutch novella of 11,800 tokens in one document, with singletons.

Columns, ids and sentence breaks differ between key and response. Scored by the official scorer, by
coval (which rounds) and, for CEAF, by a dense assignment.
"""

from __future__ import annotations

import re

import pytest

from corefmeter import read, score

from .shared import DATA, NAMES, needs, printed_blocks, printed_differences

pytestmark = needs("novel_dutch")

FOLDER = DATA / "novel_dutch"
RESPONSES = ["dutchcoref", "dutchcoref_nosingletons"]


@pytest.fixture(scope="module")
def results():
    key = read(FOLDER / "key.conll")
    return {name: score(key, FOLDER / f"{name}.conll") for name in RESPONSES}


@pytest.mark.parametrize("name", RESPONSES)
def test_every_line_that_the_official_scorer_prints(results, name):
    rows = printed_blocks(FOLDER / "expected.txt")[f"{name}.conll"]
    assert len(rows) == 4
    assert printed_differences(results[name], rows) == []


def test_every_value_that_coval_prints(results):
    result = results["dutchcoref"]
    rows = printed_blocks(FOLDER / "expected_coval.txt")["dutchcoref"]
    assert len(rows) == 5
    for row in rows:
        scores = result[NAMES.get(row["metric"], row["metric"])]
        for field in ("recall", "precision", "f1"):
            assert f"{100 * getattr(scores, field):.2f}" == row[field], (row["metric"], field)


def test_the_conll_score_that_coval_prints(results):
    text = (FOLDER / "expected_coval.txt").read_text("utf-8")
    printed = re.search(r"# dutchcoref\n.*?CoNLL score: ([\d.]+)", text, re.DOTALL)[1]
    assert f"{100 * results['dutchcoref'].conll:.2f}" == printed


@pytest.mark.parametrize("name", RESPONSES)
def test_ceaf_equals_a_dense_assignment(results, name):
    rows = printed_blocks(FOLDER / "expected_ceaf_scipy.txt")[name]
    assert len(rows) == 2
    for row in rows:
        scores = results[name][row["metric"].removesuffix("(scipy)")]
        assert scores.recall_numerator == pytest.approx(float(row["recall_num"]), rel=1e-9)
        assert scores.recall_denominator == int(row["recall_den"])
        assert scores.precision_denominator == int(row["precision_den"])
        for field in ("recall", "precision", "f1"):
            assert f"{100 * getattr(scores, field):.4f}" == row[field]
