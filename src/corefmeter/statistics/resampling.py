"""Random swaps and resamples of units, which depend on the seed only, not on chunks or numpy.

Bits come from PCG64 by `random_raw`, whose output numpy promises never to change. Each trial takes
a fixed number of them, in order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corefmeter.statistics.arrays import Array

#: The most numbers in an array of a chunk: with all copies, well below 1 GiB.
_ROOM = 4_000_000

#: The most units that are drawn at once, so that counts stay in the processor's cache.
_CACHED = 1 << 17

#: The most trials at once; more are not faster, since arrays leave the cache.
_MOST = 2048

#: Swaps and resamples of one seed are independent of each other.
_SWAPS, _RESAMPLES = 0, 1


def chunk_size(width: int) -> int:
    """Return the number of trials per chunk when each needs this many numbers."""
    return max(1, min(_MOST, _ROOM // max(1, width)))


def _raw(seed: int, stream: int) -> np.random.PCG64:
    return np.random.PCG64(np.random.SeedSequence((seed, stream)))


def _chunks(trials: int, chunk: int) -> Iterator[int]:
    for start in range(0, trials, chunk):
        yield min(chunk, trials - start)


def swaps(units: int, trials: int, seed: int, chunk: int) -> Iterator[Array]:
    """Draw the units that two systems exchange: 0 or 1 with equal chance, ``[trial, unit]``."""
    generator = _raw(seed, _SWAPS)
    words = -(-units // 64)
    for size in _chunks(trials, chunk):
        raw = generator.random_raw(size * words).astype("<u8").reshape(size, words)
        bits = np.unpackbits(raw.view(np.uint8), axis=1, count=units, bitorder="little")
        yield bits.astype(np.float64)


def all_swaps(units: int) -> Array:
    """Return all swaps of units except mirror images: the first unit is never exchanged.

    Exchanging the complement of a set of units gives the same difference with the other sign.
    """
    patterns = np.arange(2 ** max(0, units - 1), dtype=np.int64) * 2
    return (patterns[:, None] >> np.arange(units) & 1).astype(np.float64)


def resamples(units: int, trials: int, seed: int, chunk: int) -> Iterator[Array]:
    """Draw units with replacement and count each, ``[trial, unit]``."""
    generator = _raw(seed, _RESAMPLES)
    at_once = max(1, _CACHED // max(1, units))
    for size in _chunks(trials, chunk):
        counts = np.empty((size, units))
        for start in range(0, size, at_once):
            part = counts[start : start + at_once]
            # The upper 53 bits make a number in [0, 1) with the full precision of a float.
            fractions = (generator.random_raw(part.size) >> np.uint64(11)) * 2.0**-53
            drawn = (fractions * units).astype(np.int64).reshape(part.shape)
            # All trials are counted in one call: the units of row i begin at i * units.
            drawn += (np.arange(len(part)) * units)[:, None]
            part[...] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
        yield counts
