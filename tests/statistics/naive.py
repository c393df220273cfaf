"""The second route: exact fractions, one resample after the other, nothing of the package.

A corpus is a list of documents, each a pair of key and response. Scores are those of
`tests.metrics.slow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import sqrt
from statistics import NormalDist

from ..metrics.slow import SLOW

CONLL = ("muc", "b3", "ceafe")

#: Differences of exact fractions are equal or not; only the logarithms of vmeasure are not exact.
CLOSE = 1e-11


def rows(metric: str, key, response) -> list:
    """The counts of each document."""
    return [SLOW[metric].counts(entities, response[name]) for name, entities in key.items()]


def score(metric: str, counts: Sequence[tuple], field: str = "f1") -> Fraction:
    """The score of summed counts; 0/0 counts 0."""
    sums = [sum(column) for column in zip(*counts, strict=True)]
    return getattr(SLOW[metric].scores(sums), field) or Fraction(0)


class Corpus:
    """The counts of one response for all parts of a metric, document by document."""

    def __init__(self, metric: str, key, response, field: str = "f1") -> None:
        self.field = field
        self.parts = CONLL if metric == "conll" else (metric,)
        self.counts = {part: rows(part, key, response) for part in self.parts}
        self.documents = len(key)


def corpus_score(corpora: Sequence[Corpus], documents: Sequence[int] | None = None) -> Fraction:
    """The score of the corpus that has document i from the i-th of the corpora."""
    places = range(corpora[0].documents) if documents is None else documents
    scores = [
        score(part, [corpora[place].counts[part][i] for place, i in enumerate(places)],
              corpora[0].field)
        for part in corpora[0].parts
    ]  # fmt: skip
    return sum(scores) / len(scores)


def exact_p(metric: str, key, a, b, field: str = "f1") -> Fraction:
    """The share of all 2^n exchanges of documents with a difference as large as observed."""
    one, other = Corpus(metric, key, a, field), Corpus(metric, key, b, field)
    n = one.documents
    observed = abs(corpus_score([one] * n) - corpus_score([other] * n))
    large = 0
    for swapped in product([False, True], repeat=n):
        first = corpus_score([other if s else one for s in swapped])
        second = corpus_score([one if s else other for s in swapped])
        large += abs(first - second) >= observed - CLOSE
    return Fraction(large, 2**n)


def resampled(corpus: Corpus, counts: Sequence[int]) -> Fraction:
    """The score of a corpus in which document i stands as often as counts say."""
    documents = [i for i, count in enumerate(counts) for _ in range(int(count))]
    return corpus_score([corpus] * len(documents), documents)


def quantile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between order statistics, type 7 of Hyndman & Fan 1996."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def percentile_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    return quantile(values, (1 - level) / 2), quantile(values, (1 + level) / 2)


def bca_interval(
    values: Sequence[float], observed: float, without: Sequence[float], level: float
) -> tuple[float, float]:
    """Efron & Tibshirani 1993, equations 14.9, 14.10, 14.14 and 14.15."""
    normal = NormalDist()
    below = sum(v < observed - CLOSE for v in values) + 0.5 * sum(
        abs(v - observed) <= CLOSE for v in values
    )
    z0 = normal.inv_cdf(below / len(values))
    mean = sum(without) / len(without)
    cubes = sum((mean - value) ** 3 for value in without)
    squares = sum((mean - value) ** 2 for value in without)
    a = cubes / (6 * squares**1.5)
    low, high = (
        quantile(values, normal.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))
        for z in (normal.inv_cdf((1 - level) / 2), normal.inv_cdf((1 + level) / 2))
    )
    return low, high


def holm(p_values: Sequence[float]) -> list[float]:
    """The step-down rule read aloud: the smallest level at which each hypothesis is rejected."""
    order = sorted(p_values)
    m = len(order)
    # Rejected at alpha if all p up to this one are at most alpha / (m - i).
    return [min(1.0, max((m - i) * q for i, q in enumerate(order) if q <= p)) for p in p_values]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The smallest level at which each hypothesis is rejected: some larger p is under the line."""
    order = sorted(p_values)
    m = len(order)
    return [min(1.0, min(q * m / i for i, q in enumerate(order, 1) if q >= p)) for p in p_values]


def standard_error(without: Sequence[float]) -> float:
    n = len(without)
    mean = sum(without) / n
    return sqrt((n - 1) / n * sum((value - mean) ** 2 for value in without))
