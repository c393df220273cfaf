"""Holen 2013, "Critical Reflections on Evaluation Practices", Tables 2 to 5, in percent.

Each row is one key entity against one response entity, so three numbers say everything: mentions in
the key, in the response and in common. They are read off the printed texts and agree with MUC and
both CEAFs. The paper's B3 recall averages over the response's mentions only; here stands the
standard B3, common^2/key/key. Not reproduced: BN1, which does not follow from the texts; the MUC
precision of BN2, 66.67 beside an F of 0; and BLANC of MZ40, R 20.00, which is no share of the six
links among four mentions.
"""

from __future__ import annotations

import pytest

from corefmeter import score

#: name, (key, response, common), then (P, R, F) of MUC, CEAFe, CEAFm and BLANC.
PRINTED = [
    ("BC45", (6, 5, 5), (100, 80, 88.89), (90.91, 90.91, 90.91), (100, 83.33, 90.91),
     (100, 66.67, 80.00)),
    ("BC22", (3, 2, 2), (100, 50, 66.67), (80, 80, 80), (100, 66.67, 80), (100, 33.33, 50)),
    ("NW2", (5, 4, 4), (100, 75, 85.71), (88.89, 88.89, 88.89), (100, 80, 88.89), (100, 60, 75)),
    ("MZ22", (2, 2, 1), (0, 0, 0), (50, 50, 50), (50, 50, 50), (0, 0, 0)),
    ("NW0", (2, 2, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    ("NW1", (3, 3, 2), (50, 50, 50), (66.67, 66.67, 66.67), (66.67, 66.67, 66.67),
     (33.33, 33.33, 33.33)),
    ("NW5", (2, 2, 1), (0, 0, 0), (50, 50, 50), (50, 50, 50), (0, 0, 0)),
    ("BN2", (2, 4, 1), None, (33.33, 33.33, 33.33), (25, 50, 33.33), (0, 0, 0)),
    ("MZ19", (3, 3, 2), (50, 50, 50), (66.67, 66.67, 66.67), (66.67, 66.67, 66.67),
     (33.33, 33.33, 33.33)),
    ("MZ17", (2, 3, 1), (0, 0, 0), (40, 40, 40), (33.33, 50, 40), (0, 0, 0)),
    ("MZ40", (4, 3, 2), (50, 33.33, 40), (57.14, 57.14, 57.14), (66.67, 50, 57.14), None),
    ("WB0", (2, 2, 1), (0, 0, 0), (50, 50, 50), (50, 50, 50), (0, 0, 0)),
    ("WB1", (2, 2, 1), (0, 0, 0), (50, 50, 50), (50, 50, 50), (0, 0, 0)),
    ("MZ33", (5, 3, 3), (100, 50, 66.67), (75, 75, 75), (100, 60, 75), (100, 30, 46.15)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "muc", "ceafe", "ceafm", "blanc"),
    [row[1:] for row in PRINTED],
    ids=[row[0] for row in PRINTED],
)
def test_tables_2_to_5(sizes, muc, ceafe, ceafm, blanc):
    key, response, common = sizes
    first = key - common
    result = score([list(range(key))], [list(range(first, first + response))])
    printed = {"muc": muc, "ceafe": ceafe, "ceafm": ceafm, "blanc": blanc}
    for metric, values in printed.items():
        if values is not None:
            found = result[metric]
            percent = [100 * value for value in (found.precision, found.recall, found.f1)]
            assert percent == pytest.approx(values, abs=0.0051), metric
    assert result.b3.recall == pytest.approx(common**2 / key / key)
    assert result.b3.precision == pytest.approx(common**2 / response / response)
