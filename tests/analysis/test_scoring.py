"""Scores of changed responses with split antecedents: the sets follow their entities."""

from __future__ import annotations

import pytest

from corefmeter.analysis.scoring import Rescorer
from corefmeter.corpus.splits import SetMember

#: Ann and her, Bob and him; they, which is both, and them.
A, B, T = ["Ann", "her"], ["Bob", "him"], ["they", "them"]
METRICS = ["muc", "b3", "ceafm", "ceafe", "blanc", "lea"]
BOTH = [SetMember(2, (0, 1))]


def rescorer(response, sets) -> Rescorer:
    return Rescorer([([A, B, T], response)], metrics=METRICS, sets=[(BOTH, sets)])


@pytest.mark.parametrize("changed", [[T, A, B], [B, T, A], [T, B, A], [A, T, B]])
def test_a_set_follows_its_entities_to_other_places(changed):
    """In another order it is the same response, which is right."""
    found = rescorer([A, B, T], BOTH)
    assert found.f1({}) == pytest.approx(dict.fromkeys(METRICS, 1))
    assert found.f1({0: ("moved", changed)}) == pytest.approx(dict.fromkeys(METRICS, 1))


@pytest.mark.parametrize(
    ("changed", "sets"),
    [
        ([T, [*A, *B]], [SetMember(0, (1,))]),  # Ann and Bob are one: they are that one
        ([T, A], [SetMember(0, (1,))]),  # Bob is gone: they are Ann
        ([A, B], []),  # they are gone
        ([B, ["Ann"], ["her"], T], [SetMember(3, (0, 1))]),  # of two halves, the first
    ],
)
def test_a_changed_response_scores_as_one_that_was_read_so(changed, sets):
    assert rescorer([A, B, T], BOTH).f1({0: ("changed", changed)}) == pytest.approx(
        rescorer(changed, sets).f1({})
    )
