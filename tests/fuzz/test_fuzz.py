"""Damaged files of every reader end as read or as an error of ours; see `tests/fuzz/trial.py`.

``python -m tests.fuzz`` tries more of them.
"""

from __future__ import annotations

import random

import pytest

from corefmeter.formats import names

from . import trial
from .mutants import mutant, seeds
from .tally import Tally, tally


def faults(found: Tally) -> dict[str, int]:
    """What must not be, with the number of a file."""
    return {kind: found.examples[kind] for kind in found.kinds if kind not in ("read", "typed")}


@pytest.mark.slow
@pytest.mark.parametrize("reader", names())
def test_a_damaged_file_is_read_or_refused(reader):
    found = tally(reader, 1, range(40))
    assert faults(found) == {}
    assert found.kinds["typed"] > 0
    assert found.kinds["read"] >= 40 // 4  # more than a third of many; see MILD in mutants.py


@pytest.mark.slow
@pytest.mark.parametrize("reader", names())
def test_many_damaged_files_are_read_or_refused(reader):
    assert faults(tally(reader, 2, range(2000))) == {}


def test_a_seed_makes_the_same_files_again():
    def some(seed: int) -> list:
        chance = random.Random(seed)
        return [mutant(seeds("conllua"), chance) for _ in range(50)]

    assert some(1) == some(1) != some(2)


def test_a_fault_is_seen_and_named(monkeypatch):
    """Of what uses a file, so that no reader is asked to hide it."""

    def fail(*_: object) -> None:
        raise IndexError("by the test")

    monkeypatch.setattr(trial, "score_corpora", fail)
    (kind,) = faults(tally("conll", 1, range(30)))
    assert kind.startswith("scoring: IndexError in ")
    assert "by the test" in kind
