"""Random exchanges and resamples: fair, reproducible, and the same in any chunks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from corefmeter.statistics.resampling import all_swaps, chunk_size, resamples, swaps

SIZES = [1, 2, 63, 64, 65, 130]


@pytest.mark.parametrize("draw", [swaps, resamples])
@pytest.mark.parametrize("units", SIZES)
def test_chunks_change_nothing(draw, units):
    (whole,) = draw(units, 50, 7, 50)
    for chunk in (1, 7, 49, 1000):
        parts = list(draw(units, 50, 7, chunk))
        assert max(map(len, parts)) <= chunk
        assert np.array_equal(np.concatenate(parts), whole)


def test_resamples_of_many_units_are_the_raw_numbers_in_order():
    units, trials = 50_000, 7
    raw = np.random.PCG64(np.random.SeedSequence((3, 1))).random_raw(units * trials)
    drawn = ((raw >> np.uint64(11)) * 2.0**-53 * units).astype(int).reshape(trials, units)
    (whole,) = resamples(units, trials, 3, trials)
    for weights, numbers in zip(whole, drawn, strict=True):
        assert np.array_equal(weights, np.bincount(numbers, minlength=units))


@pytest.mark.parametrize("draw", [swaps, resamples])
def test_more_trials_begin_with_the_same_ones(draw):
    (few,), (many,) = draw(10, 20, 3, 100), draw(10, 60, 3, 100)
    assert np.array_equal(many[:20], few)


@pytest.mark.parametrize("draw", [swaps, resamples])
def test_another_seed_gives_others(draw):
    (one,), (other,) = draw(30, 20, 1, 100), draw(30, 20, 2, 100)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("units", SIZES)
def test_an_exchange_is_zero_or_one_with_equal_chance(units):
    trials = 4000
    (drawn,) = swaps(units, trials, 5, trials)
    assert drawn.shape == (trials, units)
    assert set(np.unique(drawn)) == {0.0, 1.0}
    # Each column is binomial; 6 standard deviations for at most 130 columns.
    assert (np.abs(drawn.sum(axis=0) - trials / 2) < 6 * np.sqrt(trials / 4)).all()


def test_all_patterns_of_few_units_are_equally_likely():
    (drawn,) = swaps(4, 16_000, 11, 16_000)
    patterns = drawn @ [1, 2, 4, 8]
    assert chisquare(np.bincount(patterns.astype(int), minlength=16)).pvalue > 1e-6


@pytest.mark.parametrize("units", SIZES)
def test_a_resample_has_as_many_units_as_there_are(units):
    (drawn,) = resamples(units, 300, 5, 300)
    assert drawn.shape == (300, units)
    assert (drawn.sum(axis=1) == units).all()


def test_all_units_are_drawn_equally_often():
    (drawn,) = resamples(7, 20_000, 5, 20_000)
    assert chisquare(drawn.sum(axis=0)).pvalue > 1e-6
    # The number of times that one unit is drawn in 7 draws is binomial with 1/7.
    zero = (drawn == 0).mean()
    assert abs(zero - (6 / 7) ** 7) < 6 * np.sqrt(0.34 * 0.66 / 140_000)


@pytest.mark.parametrize("units", range(1, 6))
def test_all_exchanges_are_there_up_to_mirror_images(units):
    found = {tuple(row) for row in all_swaps(units)}
    assert len(found) == len(all_swaps(units)) == 2 ** (units - 1)
    mirrored = {tuple(1 - value for value in row) for row in found}
    assert found | mirrored == set(product((0.0, 1.0), repeat=units))


def test_no_units_have_one_exchange():
    assert all_swaps(0).shape == (1, 0)


def test_chunks_keep_memory_in_bounds():
    assert chunk_size(1) * 1 <= 4_000_000
    assert chunk_size(100_000) == 40
    assert chunk_size(10**9) == 1


def test_swaps_are_the_bits_of_the_first_stream_of_a_seed():
    """A raw number of 64 bits for each trial, of which unit j has bit j; resamples are the second
    stream."""
    raw = np.random.PCG64(np.random.SeedSequence((5, 0))).random_raw(4)
    (drawn,) = swaps(3, 4, 5, 4)
    assert drawn.tolist() == [[int(number) >> unit & 1 for unit in range(3)] for number in raw]
