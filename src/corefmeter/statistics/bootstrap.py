"""Scores of resampled corpora: for intervals, and for the test by paired bootstrap.

One resample serves all systems, so differences between systems are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corefmeter.statistics.arrays import Array
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.resampling import chunk_size, resamples
from corefmeter.statistics.significance import Progress, PValue, count_as_large


class Bootstrap(NamedTuple):
    """Scores of the first resamples by metric, ``[system, resample]``, and the p of each pair."""

    scores: dict[str, Array]
    #: Empty unless asked for.
    p_values: dict[str, list[PValue]]


def bootstrap(
    matrix: Matrix,
    trials: int,
    seed: int,
    kept: int,
    *,
    pairs: Sequence[tuple[int, int]] = (),
    progress: Progress | None = None,
) -> Bootstrap:
    """Score resamples of the units, and keep the scores of the first `kept`.

    Pairs of systems, given by number, are tested; see `corefmeter.statistics.significance`.
    """
    fields, systems, units = matrix.values.shape
    chunk = chunk_size(2 * (fields * systems + units))
    kept = min(kept, trials)
    scores = {name: np.empty((systems, kept)) for name in matrix.metrics}
    counts = {name: [0] * len(pairs) for name in scores}
    done = 0
    for weights in resamples(units, trials, seed, chunk):
        for name, values in matrix.scores(matrix.sums(weights)).items():
            # Only the first `kept` scores are stored: the slice is shorter, or empty, after them.
            stored = scores[name][:, done : done + len(weights)]
            stored[...] = values[:, : stored.shape[1]]
            observed = matrix.observed[name]
            for number, (a, b) in enumerate(pairs):
                difference = observed[a] - observed[b]
                deviations = values[a] - values[b] - difference
                counts[name][number] += int(count_as_large(deviations, abs(difference)))
        done += len(weights)
        if progress:
            progress(done, trials)
    p_values: dict[str, list[PValue]] = {name: [] for name in counts}
    for number, (a, b) in enumerate(pairs):
        for name, differing in matrix.differing(a, b).items():
            known = not np.isnan(matrix.observed[name][[a, b]]).any()
            p = (counts[name][number] + 1) / (trials + 1) if known else None
            p_values[name].append(PValue(p, False, len(differing)))
    return Bootstrap(scores, p_values if pairs else {})
