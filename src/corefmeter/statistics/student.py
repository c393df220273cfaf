"""Student's t for systems of several runs, over documents and random seeds.

The variance V of a difference of means is the sum of the variance over documents, by the jackknife
(Efron & Tibshirani 1993, section 11.2), and of s^2/R for each system of R > 1 runs with standard
deviation s. The difference divided by the root of V is taken as Student's t, with these degrees of
freedom:

    V^2 / (V(documents)^2/(n - 1) + sum of V(runs of a system)^2/(R - 1))

(Satterthwaite 1946; Welch 1947). Interaction of runs and documents is in both parts, so the sum is
conservative.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from corefmeter.statistics.arrays import Array
from corefmeter.statistics.intervals import Interval
from corefmeter.statistics.power import standard_error
from corefmeter.statistics.significance import TOLERANCE


class Spread(NamedTuple):
    """The scores of the runs of a system: their number, standard deviation, lowest and highest."""

    runs: int
    deviation: float
    lowest: float
    highest: float


def spread(scores: Array) -> Spread | None:
    """Return the spread of the scores of runs; None for a single run, or if one is not a number."""
    if len(scores) < 2 or np.isnan(scores).any():
        return None
    return Spread(len(scores), *map(float, (scores.std(ddof=1), scores.min(), scores.max())))


class Estimate(NamedTuple):
    """A mean score or a difference of two, its standard error, and degrees of freedom."""

    value: float
    error: float
    freedom: float

    def p(self) -> float | None:
        """Return the two-sided p of a true value of 0; None if nothing is known of the spread."""
        from scipy.special import stdtr

        if self.value != self.value or self.error != self.error:
            return None
        if self.error <= TOLERANCE:
            return 1.0 if abs(self.value) <= TOLERANCE else None
        return float(2 * stdtr(self.freedom, -abs(self.value) / self.error))

    def interval(self, level: float) -> Interval | None:
        """Return the confidence interval."""
        from scipy.special import stdtrit

        if self.value != self.value or self.error != self.error:
            return None
        half = 0.0
        if self.error > TOLERANCE:
            half = self.error * float(stdtrit(self.freedom, (1 + level) / 2))
        return self.value - half, self.value + half


def estimate(value: float, jackknife: Array, runs: Sequence[Array]) -> Estimate:
    """Return a mean score, or a difference of two, with its error by chance.

    `jackknife` are its values without each unit, `runs` the scores of the runs of each system.

    The variance over these two documents is 1/4 x 4 = 1, and s^2/R of the runs 0 and 2 is 2/2 = 1.

    >>> difference = estimate(1.0, np.array([2.0, 0.0]), [np.array([0.0, 2.0]), np.array([5.0])])
    >>> round(difference.error**2, 12), difference.freedom
    (2.0, 2.0)
    """
    error = standard_error(jackknife)
    if error is None:
        return Estimate(value, float("nan"), 0)
    parts = [(error**2, len(jackknife) - 1)]  # variances with their degrees of freedom
    parts += [
        (float(scores.var(ddof=1)) / len(scores), len(scores) - 1)
        for scores in runs
        if len(scores) > 1
    ]
    variance = sum(part for part, _ in parts)
    denominator = sum(part**2 / freedom for part, freedom in parts)
    freedom = variance**2 / denominator if denominator else len(jackknife) - 1
    return Estimate(value, sqrt(variance), freedom)
