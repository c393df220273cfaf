"""Tuggener 2014, Tables 3 and 4: what can be recomputed from the printed numbers, in percent.

The system outputs are not at hand. Printed are counts for two rows, from which recall, precision
and F follow; and the two F of each row of Table 4, of which the third is the harmonic mean.
"""

from __future__ import annotations

import pytest

from corefmeter.metrics.arcs import ArcsAnchor
from corefmeter.metrics.base import f_measure
from corefmeter.metrics.decisions import Counts

#: Section 4: tp, wl, fn, fp of personal pronouns, and their R, P, F of Table 3.
COUNTED = [
    ("Berkeley", (2687, 1935, 871, 389), (48.92, 53.62, 51.16)),
    ("IMS", (2243, 1376, 1592, 287), (43.04, 57.42, 49.20)),
]

#: Table 4: ED R P F, EM R P F, and the F of both.
ANCHORS = [
    ("PERSON Berkeley", (64.02, 75.88, 69.45), (63.60, 66.29, 64.92), 67.11),
    ("PERSON IMS", (45.66, 51.69, 48.48), (47.67, 73.45, 57.82), 52.74),
    ("PERSON Stanford", (56.33, 59.74, 57.98), (53.84, 84.37, 65.73), 61.61),
    ("GPE Berkeley", (73.21, 77.36, 75.23), (69.89, 83.73, 76.19), 75.71),
    ("GPE IMS", (73.51, 74.17, 73.84), (69.94, 90.04, 78.73), 76.21),
    ("GPE Stanford", (70.24, 76.62, 73.29), (68.44, 88.81, 77.30), 75.24),
    ("ORG Berkeley", (62.78, 67.13, 64.88), (66.87, 74.78, 70.60), 67.62),
    ("ORG IMS", (44.98, 54.30, 49.20), (57.26, 81.66, 67.32), 56.85),
    ("ORG Stanford", (49.68, 58.56, 53.75), (57.25, 79.05, 66.41), 59.41),
    ("TOTAL Berkeley", (58.65, 53.19, 55.79), (72.65, 74.28, 73.45), 63.41),
    ("TOTAL IMS", (47.16, 42.66, 44.80), (65.88, 79.40, 72.01), 55.24),
    ("TOTAL Stanford", (48.62, 41.40, 44.72), (65.66, 80.48, 72.32), 55.27),
]


@pytest.mark.parametrize(("counts", "printed"), [row[1:] for row in COUNTED],
                         ids=[row[0] for row in COUNTED])  # fmt: skip
def test_table_3_personal_pronouns(counts, printed):
    found = Counts(*counts).scores()
    percent = [100 * value for value in (found.recall, found.precision, found.f1)]
    assert percent == pytest.approx(printed, abs=0.0051)


@pytest.mark.parametrize(("detection", "mentions", "both"), [row[1:] for row in ANCHORS],
                         ids=[row[0] for row in ANCHORS])  # fmt: skip
def test_table_4_harmonic_means(detection, mentions, both):
    for recall, precision, f in (detection, mentions):
        # R and P are rounded, so their F may differ by as much.
        assert f_measure(recall, precision) == pytest.approx(f, abs=0.011)
    assert f_measure(detection[2], mentions[2]) == pytest.approx(both, abs=0.011)


def test_the_score_is_the_harmonic_mean_of_both_parts():
    """ED 1/2 and 1/1, F 2/3; EM 3/4 and 3/5, F 2/3."""
    scores = ArcsAnchor().scores((1, 0, 1, 0, 3, 0, 1, 2))
    assert scores.detection.f1 == pytest.approx(2 / 3)
    assert scores.mentions.f1 == pytest.approx(2 / 3)
    assert scores.f1 == pytest.approx(2 / 3)
    assert scores.recall != scores.recall  # not defined: not a number


@pytest.mark.parametrize(
    ("row", "f1", "undefined"),
    [
        ((0, 0, 0, 0, 0, 0, 0, 0), 0, ("f1",)),  # no anchor on either side
        ((0, 0, 1, 0, 0, 0, 0, 0), 0, ()),  # nothing found: 0, though EM is 0/0
        ((0, 0, 0, 2, 0, 0, 0, 0), 0, ()),
        ((1, 0, 0, 0, 0, 0, 0, 0), 0, ()),
        ((1, 0, 0, 0, 2, 0, 0, 0), 1, ()),
    ],
)
def test_where_the_score_is_undefined(row, f1, undefined):
    scores = ArcsAnchor().scores(row)
    assert (scores.f1, scores.undefined) == (f1, undefined)
    if undefined:
        assert ArcsAnchor().scores(row, "one").f1 == 1


@pytest.mark.parametrize("anchored", [4532 - 476])
@pytest.mark.parametrize("printed", [58.65, 47.16, 48.62])
def test_recall_of_detection_is_over_key_entities_with_a_nominal(printed, anchored):
    """Why chains without a nominal are left out (D11): the printed totals are shares of 4056.

    Of all 4532 key chains two of the three are no share.
    """
    assert any(round(100 * tp / anchored, 2) == printed for tp in range(anchored))
    shares = {round(100 * tp / 4532, 2) for tp in range(4532)}
    assert (printed in shares) == (printed == 58.65)


def test_counts_as_json_values():
    """tp 1 of 2 key and of 3 response mentions."""
    values = Counts(tp=1, wl=0, fn=1, fp=2).to_dict()
    assert values == {
        "tp": 1, "wl": 0, "fn": 1, "fp": 2,
        "recall": 0.5, "precision": 1 / 3, "f1": 0.4, "undefined": [],
    }  # fmt: skip
    assert Counts().to_dict("skip")["f1"] is None
