"""The smallest difference and the smallest p that a corpus can show."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from corefmeter.statistics.arrays import Array

#: The probability of finding a true difference that counts as detectable.
POWER = 0.8


def standard_error(jackknife: Array) -> float | None:
    """Return the jackknife standard error, from the values t(i) without unit i.

    sqrt((n-1)/n * sum (t(i) - mean)^2); Efron & Tibshirani 1993, section 11.2. None if a value is
    not a number. For a mean it is the usual standard error s/sqrt(n): sqrt(1/3) for 1, 2, 3.

    >>> import numpy as np
    >>> round(standard_error(np.array([2.5, 2.0, 1.5])) ** 2, 12)
    0.333333333333
    """
    n = len(jackknife)
    value = sqrt((n - 1) / n * float(((jackknife - jackknife.mean()) ** 2).sum()))
    return value if value == value else None


def detectable(error: float, alpha: float, power: float = POWER) -> float:
    """Return the true difference that a two-sided test at level alpha finds with probability power.

    (z(1 - alpha/2) + z(power)) * standard error of the difference, which is taken as normal.

    >>> round(detectable(1.0, 0.05), 4)  # 1.9600 + 0.8416
    2.8016
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * error


def smallest_p(units: int | None, trials: int | None, comparisons: int, correction: str) -> float:
    """Return the smallest possible adjusted p, if all comparisons have the smallest p.

    The observed assignment and its mirror image are 2 of the 2^n exchanges of n units, so no p of
    an enumeration is below 2^(1-n). With T random trials none is below 1/(T+1). Holm multiplies
    the smallest of m by m; Benjamini and Hochberg do not change m equal ones. None means no limit.

    >>> smallest_p(5, None, 1, "holm"), smallest_p(None, 99, 3, "holm")
    (0.0625, 0.03)
    """
    by_units = 0.0 if units is None else 2.0 ** (1 - units)
    by_trials = 0.0 if trials is None else 1 / (trials + 1)
    return min(1.0, max(by_units, by_trials) * (comparisons if correction == "holm" else 1))
