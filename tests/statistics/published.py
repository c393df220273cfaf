"""Scores of the CoNLL-2012 shared task, English, closed track, as two papers print them."""

from __future__ import annotations

#: Moosavi & Strube 2016, Table 5: F1 in percent, cut after two decimals.
_TABLE_5 = """
            muc    b3     ceafm  ceafe  blanc  conll  lea
fernandes   70.51  57.58  61.42  53.86  58.75  60.65  53.28
martschat   66.97  54.62  58.77  51.46  55.04  57.68  49.99
bjorkelund  67.58  54.47  58.19  50.21  55.42  57.42  49.98
chang       66.38  52.99  57.10  48.94  53.86  56.10  48.50
chen        63.71  51.76  55.77  48.10  52.87  54.52  46.24
chunyuang   63.82  51.21  55.10  47.58  52.65  54.20  45.84
shou        62.91  49.44  53.16  46.66  50.44  53.00  43.97
yuan        62.55  50.11  54.53  45.99  52.10  52.88  44.76
xu          66.18  50.30  51.31  41.25  46.47  52.58  46.83
uryupina    60.89  46.24  49.31  42.93  46.04  50.02  41.15
songyang    59.83  45.90  49.58  42.36  45.10  49.36  41.25
zhekova     53.52  35.66  39.66  32.16  34.80  40.45  29.98
xinxin      48.27  35.73  37.99  31.90  36.54  38.63  29.22
li          50.84  32.29  36.28  25.21  31.85  36.11  27.32
"""

_HEADER, *_ROWS = (line.split() for line in _TABLE_5.strip().splitlines())

#: ``{system: {metric: F1}}`` of the fourteen systems.
TABLE_5: dict[str, dict[str, float]] = {
    name: dict(zip(_HEADER, map(float, cells), strict=True)) for name, *cells in _ROWS
}

#: The ranks that Table 5 prints in parentheses. By LEA, systems without a significant difference
#: share one.
CONLL_RANKS = dict(zip(TABLE_5, range(1, 15), strict=True))
LEA_RANKS = dict(zip(TABLE_5, [1, 2, 2, 4, 6, 6, 8, 8, 5, 10, 10, 12, 12, 14], strict=True))

#: Luo et al. 2014, Table 2, English: recall, precision and BLANC in percent.
LUO_TABLE_2: dict[str, tuple[float, float, float]] = {
    "fernandes": (54.91, 63.66, 58.75),
    "martschat": (52.00, 58.84, 55.04),
    "bjorkelund": (52.01, 59.55, 55.42),
    "chang": (52.85, 55.03, 53.86),
    "chen": (50.52, 56.82, 52.87),
    "chunyang": (51.19, 55.47, 52.65),
    "stamborg": (54.39, 54.88, 54.42),
    "yuan": (50.58, 54.29, 52.11),
    "xu": (45.99, 54.59, 46.47),
    "shou": (49.55, 52.46, 50.44),
    "uryupina": (44.15, 48.89, 46.04),
    "songyang": (40.60, 50.85, 45.10),
    "zhekova": (41.46, 33.13, 34.80),
    "xinxin": (44.39, 32.79, 36.54),
    "li": (25.17, 52.96, 31.85),
}
