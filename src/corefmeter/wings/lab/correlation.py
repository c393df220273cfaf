"""Do metrics agree? Correlations between metrics over the scores of several systems.

Conventions: a table of scores maps a system to its score by each metric, ``{system: {metric:
value}}``, in any unit. A correlation is a number from -1 to 1, or None where it is undefined, which
is where all systems have the same score. Kendall's and Spearman's coefficients compare rankings,
Pearson's compares values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atanh, factorial, sqrt, tanh
from statistics import NormalDist
from typing import Any, NamedTuple

from corefmeter.problems import DataError, OptionError, Problem, unknown
from corefmeter.wings.lab.score_table import Scores, require_scores

#: Coefficients by name, with their titles.
METHODS = {"kendall": "Kendall's τ-b", "spearman": "Spearman's ρ", "pearson": "Pearson's r"}

#: A correlation needs at least this many systems: two points always lie on a line.
FEWEST = 3

#: Up to this many systems, all orders are enumerated for a p-value that scipy only approximates.
ENUMERATED = 8

#: Scores that differ by less, relative to the largest, differ by rounding only.
ROUNDING = 1e-12


class Correlation(NamedTuple):
    """The correlation of two metrics, from -1 to 1.

    `value` is None where the correlation is undefined; `undefined` is then the reason. `p` is
    two-sided, for the hypothesis that the metrics are independent. `interval` is None if there are
    too few systems, or if the value is exactly 1 or -1, where the interval has no width.
    """

    value: float | None
    p: float | None = None
    interval: tuple[float, float] | None = None
    systems: int = 0
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class CorrelationMatrix:
    """The correlations between all pairs of some metrics.

    ``matrix["muc", "lea"]`` is a `Correlation`; the order of the two names does not matter. In
    the keys of `pairs`, the two are in the order of `metrics`. The `constant` metrics give all
    systems the same score.
    """

    method: str
    confidence: float
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    pairs: dict[tuple[str, str], Correlation]
    constant: tuple[str, ...]

    def __getitem__(self, metrics: tuple[str, str]) -> Correlation:
        """Return the correlation of two metrics; that of a metric with itself is 1."""
        a, b = metrics
        if a == b:
            undefined = _CONSTANT if a in self.constant else None
            return Correlation(None if undefined else 1.0, None, None, len(self.systems), undefined)
        return self.pairs[(a, b) if (a, b) in self.pairs else (b, a)]

    def values(self) -> list[list[float | None]]:
        """Return the matrix as rows of numbers."""
        return [[self[a, b].value for b in self.metrics] for a in self.metrics]


_CONSTANT = "all systems have the same score"


def correlate(
    scores: Scores,
    method: str = "kendall",
    metrics: Sequence[str] | None = None,
    *,
    confidence: float = 0.95,
    source: str | None = None,
) -> CorrelationMatrix:
    """Return the correlations between metrics over the systems of a table.

    Parameters
    ----------
    scores
        ``{system: {metric: value}}``, at least three systems.
    method
        ``kendall`` (τ-b), ``spearman`` or ``pearson``; see `correlation`.
    metrics
        The metrics to compare, in this order; by default all metrics of the first system.
    confidence
        Level of the intervals, between 0 and 1.
    source
        Name of the table in messages.

    Raises
    ------
    DataError
        ``too-few-systems``; ``missing-score`` when a system has no number for a metric.
    OptionError
        For an unknown method, fewer than two metrics, or a level that is not between 0 and 1.

    Examples
    --------
    >>> scores = {"A": {"conll": 60.2, "lea": 52.1}, "B": {"conll": 58.8, "lea": 52.4},
    ...           "C": {"conll": 51.0, "lea": 44.0}, "D": {"conll": 40.3, "lea": 30.9}}
    >>> round(correlate(scores)["conll", "lea"].value, 12)  # 5 pairs alike, 1 not: (5 - 1)/6
    0.666666666667
    """
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    systems = tuple(scores)
    if len(systems) < FEWEST:
        message = f"a correlation needs at least {FEWEST} systems (found {len(systems)})"
        hint = 'Add systems, or test the difference of two with "corefmeter compare".'
        raise DataError(Problem("too-few-systems", message, "error", path=source, hint=hint))
    names = tuple(dict.fromkeys(scores[systems[0]] if metrics is None else metrics))
    if len(names) < 2:
        there_is = f"only {names[0]}" if names else "none"
        raise OptionError(f"a correlation needs two metrics, and there is {there_is}")
    require_scores(scores, names, source)
    columns = {name: [scores[system][name] for system in systems] for name in names}
    pairs = {
        (a, b): correlation(columns[a], columns[b], method, confidence)
        for a, b in combinations(names, 2)
    }
    constant = tuple(name for name in names if _is_constant(columns[name]))
    return CorrelationMatrix(method, confidence, systems, names, pairs, constant)


def correlation(
    x: Sequence[float], y: Sequence[float], method: str = "kendall", confidence: float = 0.95
) -> Correlation:
    """Return the correlation of two metrics, from their scores of the same systems.

    - ``kendall``: τ-b = (C − D) / sqrt((C + D + X)(C + D + Y)), where of the pairs of systems C are
      ordered alike, D in opposite order, X tied in `x` only, Y tied in `y` only (Kendall 1945,
      "The treatment of ties in ranking problems").
    - ``spearman``: Pearson's coefficient of the ranks, tied systems sharing their mean rank
      (Spearman 1904).
    - ``pearson``: Σ(x − x̄)(y − ȳ) / sqrt(Σ(x − x̄)² Σ(y − ȳ)²), the coefficient of Luo et al. 2014,
      Table 3.

    Values and p-values are those of scipy: exact for Kendall without ties up to 33 systems, else
    asymptotic; Student's t for the others. Where scipy only approximates the p-value of a rank
    coefficient, and there are at most eight systems, it is exact here. All n! orders of `y` are
    tried. Of the shares of orders whose coefficient is at least, and at most, as large as the
    observed one, the smaller is doubled.

    The interval is tanh(atanh(r) ± z·sqrt(v)), Fisher's transformation, where v is 1/(n − 3) for
    Pearson (Fisher 1921), (1 + r²/2)/(n − 3) for Spearman (Bonett and Wright 2000, "Sample size
    requirements for estimating Pearson, Kendall and Spearman correlations"), and 0.437/(n − 4) for
    Kendall (Fieller, Hartley and Pearson 1957, "Tests for rank correlation coefficients I", as
    recommended by Bonett and Wright). It assumes that the systems are a random sample. For Kendall
    beyond 0.8 and for Spearman beyond 0.95 it is too narrow.

    Parameters
    ----------
    x, y
        Finite numbers, one for each system, in the same order.
    method
        A key of `METHODS`.
    confidence
        Level of the interval, between 0 and 1.

    Raises
    ------
    OptionError
        For an unknown method, sequences of different length or of fewer than three numbers, or a
        level that is not between 0 and 1.

    Examples
    --------
    >>> tied = correlation([4, 3, 2, 2], [4, 2, 3, 1])  # C = 4, D = 1, X = 1, Y = 0
    >>> round(tied.value, 12) == round((4 - 1) / ((4 + 1 + 1) * (4 + 1)) ** 0.5, 12)
    True
    >>> correlation([3, 2, 1], [3, 2, 1], "spearman").p  # 2 of the 3! orders are as extreme
    0.3333333333333333
    >>> correlation([1, 2, 3], [7, 7, 7])
    Correlation(value=None, p=None, interval=None, systems=3,
                undefined='all systems have the same score')
    """
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    n = len(x)
    if len(y) != n or n < FEWEST:
        hint = f"give the same number of both, at least {FEWEST}"
        raise OptionError(f"got {n} and {len(y)} scores; {hint}")
    if not 0 < confidence < 1:
        raise OptionError(f"the level of confidence must be between 0 and 1, not {confidence!r}")
    if _is_constant(x) or _is_constant(y):
        return Correlation(None, systems=n, undefined=_CONSTANT)
    value, p = _value_and_p(x, y, method)
    return Correlation(value, p, _interval(value, n, method, confidence), n)


def _is_constant(values: Sequence[float]) -> bool:
    """Return whether all values are equal except for rounding."""
    low, high = min(values), max(values)
    return high - low <= ROUNDING * max(abs(low), abs(high))


def _value_and_p(x: Sequence[float], y: Sequence[float], method: str) -> tuple[float, float]:
    from scipy import stats

    of_ranks: dict[str, Any] = {"kendall": stats.kendalltau, "spearman": stats.spearmanr}
    test = of_ranks.get(method, stats.pearsonr)(x, y)
    is_tied = len({*x}) < len(x) or len({*y}) < len(y)
    is_approximate = method == "spearman" or (method == "kendall" and is_tied)
    if is_approximate and len(x) <= ENUMERATED:
        return float(test.statistic), _enumerated_p(x, y, method)
    return float(test.statistic), float(test.pvalue)


def _enumerated_p(x: Sequence[float], y: Sequence[float], method: str) -> float:
    """Return the two-sided p-value of a rank coefficient over all orders of `y`.

    The denominator of either coefficient is the same for all orders, so the numerators are
    compared. They are sums of integers and halves, hence exact.
    """
    import numpy as np
    from scipy import stats

    x_ranks, y_ranks = stats.rankdata(x), stats.rankdata(y)
    first, second = np.triu_indices(len(x), 1)
    x_signs = np.sign(x_ranks[first] - x_ranks[second])

    def numerator(orders: Any, axis: int) -> Any:
        if method == "spearman":
            return orders @ x_ranks
        return np.sign(orders[..., first] - orders[..., second]) @ x_signs

    test = stats.permutation_test(
        (y_ranks,),
        numerator,
        permutation_type="pairings",
        vectorized=True,
        n_resamples=factorial(len(x)),
    )
    return float(test.pvalue)


def _interval(value: float, n: int, method: str, confidence: float) -> tuple[float, float] | None:
    """Return the confidence limits of the coefficient of n systems; see `correlation`.

    Return None for too few systems, and for 1 and -1, which Fisher's transformation makes infinite.
    """
    freedom = n - (4 if method == "kendall" else 3)
    if freedom <= 0 or 1 - abs(value) < ROUNDING:
        return None
    variance = {"pearson": 1.0, "spearman": 1 + value**2 / 2, "kendall": 0.437}[method] / freedom
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance)
    return tanh(atanh(value) - margin), tanh(atanh(value) + margin)
