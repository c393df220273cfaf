"""Is a difference between two systems larger than chance would make it? See docs/statistics.md.

- Random exchanges: p = (1 + trials with |difference| >= |observed|) / (T + 1)
- All exchanges: p = share of exchanges with |difference| >= |observed|, the observed one included
- Resamples: p = (1 + trials with |difference - observed| >= |observed|) / (T + 1)

Differences within `TOLERANCE` of each other count as equal, since the same sum in another order may
differ in its last bits. A trial whose score is not a number (0/0 that is skipped) counts as at
least as large.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corefmeter.problems import OptionError, require_known
from corefmeter.statistics.arrays import Array, Indices
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.plan import CORRECTIONS
from corefmeter.statistics.resampling import all_swaps, chunk_size, swaps

#: The most differing units for which all exchanges are enumerated.
MOST_EXACT = 16

#: Scores are at most about 1, and sums of 10,000 numbers are exact to about 1e-14.
TOLERANCE = 1e-11

#: Called with how many trials are done, of how many.
Progress = Callable[[int, int], None]


class PValue(NamedTuple):
    """The p of one pair of systems by one metric; None if a score is not a number."""

    p: float | None
    #: Whether all exchanges were enumerated.
    exact: bool
    #: The number of units on which the systems differ.
    differing: int


def randomization(
    matrix: Matrix,
    trials: int,
    seed: int,
    *,
    exact: bool = False,
    pairs: Sequence[tuple[int, int]] | None = None,
    progress: Progress | None = None,
) -> dict[str, list[PValue]]:
    """Return the p-values of pairs of systems, by metric.

    All exchanges are enumerated for pairs that differ on at most `MOST_EXACT` units. For the others
    the same `trials` random exchanges are used, or with `exact` they are refused. Pairs are given
    by number, all by default.
    """
    pairs = pairs or list(combinations(range(len(matrix.systems)), 2))
    p_values: dict[str, list[PValue]] = {name: [] for name in matrix.metrics}
    not_enumerated: dict[tuple[int, int], list[str]] = {}  # metrics by pair
    for a, b in pairs:
        for name, units in matrix.differing(a, b).items():
            enumerated = len(units) <= MOST_EXACT
            if exact and not enumerated:
                raise OptionError(
                    f"exact: {matrix.systems[a]} and {matrix.systems[b]} differ on {len(units)} "
                    f"units by {name}, which are 2^{len(units)} exchanges; at most "
                    f"2^{MOST_EXACT} are enumerated. Use --test randomization."
                )
            if not enumerated:
                not_enumerated.setdefault((a, b), []).append(name)
            p = _enumerate_exchanges(matrix, name, a, b, units) if enumerated else None
            p_values[name].append(PValue(p, enumerated, len(units)))
    if not_enumerated:
        random = _draw_exchanges(matrix, not_enumerated, trials, seed, progress)
        for name, values in p_values.items():
            p_values[name] = [
                value if value.exact else value._replace(p=random[pair, name])
                for pair, value in zip(pairs, values, strict=True)
            ]
    return p_values


def count_as_large(differences: Array, bound: Array | float) -> Array:
    """Count the differences that are at least as large as the bound, along the last axis."""
    smaller = np.abs(differences) < np.asarray(bound)[..., None] - TOLERANCE
    counts: Array = differences.shape[-1] - np.count_nonzero(smaller, axis=-1)
    return counts


def _observed(matrix: Matrix, name: str, a: int, b: int) -> float:
    return abs(float(matrix.observed[name][a] - matrix.observed[name][b]))


def _enumerate_exchanges(matrix: Matrix, name: str, a: int, b: int, units: Indices) -> float | None:
    """Return the share of all exchanges that make the difference at least as large."""
    observed = _observed(matrix, name, a, b)
    if observed != observed:
        return None
    exchanged = all_swaps(len(units))
    one, other = matrix.values[:, a], matrix.values[:, b]
    same = np.delete(one, units, axis=1).sum(axis=1)[:, None]
    kept = 1 - exchanged.T
    sums = np.stack(
        [
            same + one[:, units] @ kept + other[:, units] @ exchanged.T,
            same + other[:, units] @ kept + one[:, units] @ exchanged.T,
        ],
        axis=1,
    )
    first, second = matrix.scores(sums, [name])[name]
    return float(count_as_large(first - second, observed)) / len(exchanged)


def _draw_exchanges(
    matrix: Matrix,
    metrics: Mapping[tuple[int, int], Sequence[str]],
    trials: int,
    seed: int,
    progress: Progress | None,
) -> dict[tuple[tuple[int, int], str], float | None]:
    """Return the p of random exchanges, by pair of systems and metric.

    `metrics` are those to test for each pair; a score that is not a number has no p-value.
    """
    fields, systems, units = matrix.values.shape
    chunk = chunk_size(2 * (fields * systems + units))
    counts = {(pair, name): 0 for pair, names in metrics.items() for name in names}
    done = 0
    for exchanged in swaps(units, trials, seed, chunk):
        # Each system is summed once over the units it keeps and once over those it gives away, and
        # these sums are added for each pair. Sums are never subtracted, so that 0 stays 0.
        given_away = matrix.sums(exchanged)
        kept = matrix.sums(1 - exchanged)
        sums = np.empty((fields, 2, len(exchanged)))
        for (a, b), names in metrics.items():
            np.add(kept[:, a], given_away[:, b], out=sums[:, 0])
            np.add(kept[:, b], given_away[:, a], out=sums[:, 1])
            for name, scores in matrix.scores(sums, names).items():
                difference = scores[0] - scores[1]
                larger = count_as_large(difference, _observed(matrix, name, a, b))
                counts[(a, b), name] += int(larger)
            done += len(exchanged)
            if progress:
                progress(done, trials * len(metrics))
    p_values: dict[tuple[tuple[int, int], str], float | None] = {}
    for ((a, b), name), count in counts.items():
        observed = _observed(matrix, name, a, b)
        p_values[(a, b), name] = (count + 1) / (trials + 1) if observed == observed else None
    return p_values


def adjust_p_values(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """Return p-values adjusted for their number, in their order; None stays and does not count.

    ``holm`` (Holm 1979) bounds the chance of any false claim by alpha: the i-th smallest of m is
    multiplied by m - i + 1. ``bh`` (Benjamini & Hochberg 1995) bounds the expected share of false
    claims among the claims: it is multiplied by m/i. Each is made monotone and at most 1.

    >>> adjust_p_values([0.25, 0.0625, 0.125], "holm")
    [0.25, 0.1875, 0.25]
    >>> adjust_p_values([0.25, 0.0625, 0.125], "bh")
    [0.25, 0.1875, 0.1875]
    """
    require_known("correction", correction, CORRECTIONS)
    if correction == "none":
        return list(p_values)
    order = sorted((p, position) for position, p in enumerate(p_values) if p is not None)
    m = len(order)
    result: list[float | None] = [None] * len(p_values)
    if correction == "holm":
        limit = 0.0
        for i, (p, position) in enumerate(order):
            result[position] = limit = max(limit, min(1.0, (m - i) * p))
    else:
        limit = 1.0
        for i, (p, position) in reversed(list(enumerate(order, 1))):
            result[position] = limit = min(limit, p * m / i)
    return result
