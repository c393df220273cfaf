"""The test cases of the Universal Anaphora scorer: all 188 values that its own tests assert.

BLANC of the plural cases, which they assert only where the answer is perfect, is derived here.
"""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest

from corefmeter import score

from .shared import DATA, needs, table

pytestmark = needs("ua_cases")

FOLDER = DATA / "ua_cases"
ROWS = list(table(FOLDER / "expected.tsv")) if FOLDER.is_dir() else []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join([*row.values()][2:6]))
def test_a_value_of_the_scorer(row):
    key, response = (FOLDER / row["set"] / row[side] for side in ("key", "response"))
    options = {"metrics": row["metric"], "split_antecedents": True}
    if row["matching"] == "partial-craft":
        options["match"] = "craft"
    scores = score(key, response, **options)[row["metric"]]
    for field in ("recall", "precision", "f1"):
        assert isclose(getattr(scores, field), float(row[field]), abs_tol=1e-4), field


def test_there_are_188_values():
    assert len(ROWS) == 188


# The key TC-PA is {a, b}, {c, d}, {e}, {f, g, S} with S = {ab, cd}. Links within: ab, cd, fg, fS,
# gS, that is 5; of 8 members there are 28 links, so 23 across, of which S has 5: to a, b, c, d, e.
# If all mentions are right and S counts w, 3 + 2w and 18 + 5w are right. Where sets of entities
# are scored, F1 is the mean of the F1 on links within and on links across.
#
# The key TC-PB is {a, b}, {c, d}, {e}, {f, g, S}, {h, T} with S = {ab, cd}, T = {ab, e}. Links
# within: ab, cd, fg, fS, gS, hT; of 45 links 39 are across.
F = Fraction
PERFECT_A, PERFECT_B = (5, 5, 5, 23, 23, 23), (6, 6, 6, 39, 39, 39)
#: Links within: common, of the key, of the response; and across.
BLANC = {
    "TC-PA-1": PERFECT_A,
    "TC-PA-2": PERFECT_A,
    "TC-PA-3": PERFECT_A,
    # No set: 7 members, 21 links, 3 within.
    "TC-PA-4": (3, 5, 3, 18, 23, 18),
    # S' = {ab, cd, e}: within 2 of 2 and 2, F1 1; across 4 of 4 and 8, F1 2/3. w = 5/6.
    "TC-PA-5": (3 + 2 * F(5, 6), 5, 5, 18 + 5 * F(5, 6), 23, 23),
    # S' = {ab, e}: within 1 of 2 and 1, F1 2/3; across 0 of 4 and 2, F1 0. w = 1/3.
    "TC-PA-6": (3 + 2 * F(1, 3), 5, 5, 18 + 5 * F(1, 3), 23, 23),
    # No d. S' = {ab, c}: within 1 of 2 and 1, F1 2/3; across 2 of 4 and 2, F1 2/3. w = 2/3. Right
    # are ab, fg, fS, gS; of the links of a, b, c, e, f, g 13 are across, and S has 4.
    "TC-PA-7": (2 + 2 * F(2, 3), 5, 4, 13 + 4 * F(2, 3), 23, 17),
    # {f, S} and {g, S}: the set is the same, so they are one entity.
    "TC-PA-8": PERFECT_A,
    # {c, d, e}. S' = {ab, cde}: within 2 of 2 and 4, F1 2/3; across 4 of 4 and 6, F1 4/5. w =
    # 11/15. In the response ce and de are within.
    "TC-PA-9": (3 + 2 * F(11, 15), 5, 7, 16 + 5 * F(11, 15), 23, 21),
    # {f, S} and {g, T} with T = {ab, cd, e}: S has the partner S, 1 against 5/6. Of fg, fS and gS
    # only fS is right; 9 members have 36 links, 4 within: ab, cd, fS, gT.
    "TC-PA-10": (3, 5, 4, 23, 23, 32),
    # S' = {ab}: within 1 of 2 and 1, F1 2/3; across 0 of 4 and 0, F1 0. w = 1/3.
    "TC-PA-11": (3 + 2 * F(1, 3), 5, 5, 18 + 5 * F(1, 3), 23, 23),
    "TC-PB-1": PERFECT_B,
    "TC-PB-2": PERFECT_B,
    # T' = {ab, cd, e}: within 1 of 1 and 2, F1 2/3; across 2 of 2 and 8, F1 2/5. w = 8/15. T has 1
    # link within and 8 across.
    "TC-PB-3": (5 + F(8, 15), 6, 6, 31 + 8 * F(8, 15), 39, 39),
    # {f, g, h, S}: 9 members, 36 links, 8 within. Of the 31 links across of these in the key fh, gh
    # and hS are within.
    "TC-PB-4": (5, 6, 8, 28, 39, 28),
}


def f_measure(common, key, response):
    recall, precision = F(common) / key, F(common) / response
    return recall, precision, 2 * recall * precision / (recall + precision)


@pytest.mark.parametrize("case", BLANC)
def test_blanc_of_the_plural_cases(case):
    folder = FOLDER / "plural"
    key, response = folder / f"{case[:5]}.key", folder / f"{case}.sys"
    result = score(key, response, metrics="blanc", split_antecedents=True)
    counts = BLANC[case]
    assert all(
        isclose(found, expected, abs_tol=1e-12)
        for found, expected in zip(result.sums("blanc")[:6], counts, strict=True)
    )
    within, across = f_measure(*counts[:3]), f_measure(*counts[3:])
    for found, one, other in zip(result.blanc[:3], within, across, strict=True):
        assert isclose(found, (one + other) / 2, abs_tol=1e-12)
