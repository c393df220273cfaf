"""30 English documents of many genres, against what the official scorer prints."""

from __future__ import annotations

import pytest

from corefmeter import score

from .shared import DATA, needs, printed_blocks, printed_differences

pytestmark = needs("gum_ontonotes_style")

FOLDER = DATA / "gum_ontonotes_style"


@pytest.fixture(scope="module")
def result():
    return score(FOLDER / "key.conll", FOLDER / "xrenner.conll")


def test_every_line_that_the_official_scorer_prints(result):
    (rows,) = printed_blocks(FOLDER / "expected.txt").values()
    assert len(rows) == 9
    assert printed_differences(result, rows) == []


def test_the_repeated_mentions_of_the_response_are_reported(result):
    assert {problem.code for problem in result.problems} == {"repeated-mention"}
    assert len(result.problems) == 6


def test_scores_by_document_add_up(result):
    first, *others = result.by("document").values()
    assert len(others) == 29
    total = sum(others, first)
    assert {name: total[name] for name in total} == {name: result[name] for name in result}
