"""The examples of the two oldest metrics: Vilain et al. 1995 (MUC), Bagga & Baldwin 1998 (B3)."""

from __future__ import annotations

import pytest

from corefmeter import score

from ..metrics.letters import entities


@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        ("ABCD", "AB CD", (2, 3), (2, 2)),
        ("AB CD", "ABCD", (2, 2), (2, 3)),
        # Which links join the same four mentions does not matter.
        ("ABCD", "DCBA", (3, 3), (3, 3)),
        ("ABC", "AC", (1, 2), (1, 1)),
        ("BCDEGHJ", "ABC DEF GHI", (3, 6), (3, 6)),
        ("ABC DEFG", "AB CD FGH", (2, 5), (2, 4)),
    ],
)
def test_vilain_1995(key, response, recall, precision):
    muc = score(entities(key), entities(response), metrics="muc").muc
    assert (muc.recall_numerator, muc.recall_denominator) == recall
    assert (muc.precision_numerator, muc.precision_denominator) == precision


@pytest.mark.parametrize(
    ("response", "precision"),
    [("12345 6789ABC", 16 / 21), ("1234589ABC 67", 7 / 12)],
    ids=["a small and a large entity merged", "two large entities merged"],
)
def test_bagga_baldwin_1998(response, precision):
    """B3 tells apart what MUC, with P 9/10 for both, does not."""
    result = score(entities("12345 67 89ABC"), entities(response), metrics=["b3", "muc"])
    assert result.b3.recall == 1
    assert result.b3.precision == pytest.approx(precision, rel=1e-15)
    assert (result.muc.recall, result.muc.precision) == (1, 9 / 10)
