"""Bootstrap confidence intervals for scores and for differences of scores.

Units are drawn with replacement, as many as there are, and the corpus is scored (Efron & Tibshirani
1993).

``percentile`` (section 13.3)
    The quantiles (1 - level)/2 and (1 + level)/2 of the resampled values.
``bca`` (section 14.3, bias-corrected and accelerated)
    The quantiles at

        a(z) = Phi(z0 + (z0 + z) / (1 - acceleration * (z0 + z))),   z = Phi^-1((1 -+ level)/2)

    with the bias z0 = Phi^-1(share of resampled values below the observed one; those equal to it
    count half), and, from the values t(i) without unit i and their mean m,

        acceleration = sum (m - t(i))^3 / (6 * (sum (m - t(i))^2)^(3/2))

Quantiles are interpolated linearly (type 7 of Hyndman & Fan 1996). Where a part of this is not
defined:

- all resampled values equal the observed one: the interval is that value;
- no unit matters by itself (all t(i) equal): the acceleration is 0;
- all resampled values on one side of the observed one, or 1 - acceleration * (z0 + z) not above 0:
  the percentile interval;
- values that are not numbers (0/0 that is skipped) are left out; if the observed value is not a
  number, there is no interval.
"""

from __future__ import annotations

from math import floor
from statistics import NormalDist

import numpy as np

from corefmeter.statistics.arrays import Array
from corefmeter.statistics.significance import TOLERANCE

#: More resamples do not move the digits of an interval that one prints.
MOST_RESAMPLES = 10_000

Interval = tuple[float, float]

_NORMAL = NormalDist()


def interval(
    resampled: Array, observed: float, jackknife: Array, method: str, level: float
) -> Interval | None:
    """Return the interval of an observed value.

    `resampled` are the values of the resamples, sorted, numbers first; `jackknife` those without
    each unit, which only ``bca`` uses.

    >>> interval(np.arange(101.0), 50.0, np.array([49.0, 50.0, 51.0]), "percentile", 0.5)
    (25.0, 75.0)
    """
    count = int(np.searchsorted(resampled, np.inf, side="right"))
    values = resampled[:count]
    if observed != observed or not count:
        return None
    # Resampled values within the tolerance of the observed one count as equal to it.
    below = int(np.searchsorted(values, observed - TOLERANCE, side="left"))
    not_above = int(np.searchsorted(values, observed + TOLERANCE, side="right"))
    if below == 0 and not_above == count:
        return observed, observed
    shares = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca":
        share_below = (below + not_above) / (2 * count)
        shares = _correct_shares(shares, share_below, _acceleration(jackknife)) or shares
    return _quantile(values, shares[0]), _quantile(values, shares[1])


def _correct_shares(
    shares: tuple[float, float], share_below: float, acceleration: float
) -> tuple[float, float] | None:
    """Return the quantiles that BCa takes instead; None where they are not defined."""
    if not 0 < share_below < 1:
        return None
    bias = _NORMAL.inv_cdf(share_below)
    corrected = []
    for share in shares:
        z = bias + _NORMAL.inv_cdf(share)
        slope = 1 - acceleration * z
        if slope <= 0:
            return None
        corrected.append(_NORMAL.cdf(bias + z / slope))
    return corrected[0], corrected[1]


def _acceleration(jackknife: Array) -> float:
    """Return a sixth of the skewness of the units' influence; 0 where none has any."""
    values = jackknife[jackknife == jackknife]
    if not len(values):
        return 0.0
    deviations = values.mean() - values
    if np.abs(deviations).max() <= TOLERANCE:
        return 0.0
    return float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))


def _quantile(values: Array, share: float) -> float:
    place = share * (len(values) - 1)
    low = min(floor(place), len(values) - 1)
    high = min(low + 1, len(values) - 1)
    one, other = float(values[low]), float(values[high])
    return one if one == other else one + (other - one) * (place - low)
