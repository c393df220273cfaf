"""Copies that mean the same score the same, or it is reported why not; see `copies.py`.

``python -m tests.fuzz.copies`` tries more of them.
"""

from __future__ import annotations

import random

import pytest

from corefmeter.formats import names

from . import copies
from .copies import Tally, documents, made, tally
from .dialects import WRITERS, Style, e2e
from .tables import TABLES


def faults(found: Tally) -> dict[tuple[str, tuple[str, ...]], int]:
    """What must not be, with the number of a copy."""
    return {fault: cases[0][0] for fault, cases in found.faults.items()}


def test_every_format_is_written():
    assert {*WRITERS} == {*names()} - {"sets"}  # that of tests/plugin


@pytest.mark.parametrize("family", WRITERS)
def test_a_copy_scores_the_same_or_it_is_reported(family):
    found = tally(family, 1, range(6))
    assert faults(found) == {}
    assert found.kinds["equal"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("family", WRITERS)
def test_many_copies_score_the_same_or_it_is_reported(family):
    found = tally(family, 2, range(400))
    assert faults(found) == {}
    assert found.kinds["equal"] >= 200


@pytest.mark.nightly
@pytest.mark.parametrize("family", TABLES)
def test_copies_of_tables_score_the_same_or_it_is_reported(family):
    found = tally(family, 2, range(60))
    assert faults(found) == {}
    assert found.kinds["equal"] >= 30


def test_a_seed_makes_the_same_copies_again():
    some = [made("conllu", seed, number).files for seed in (1, 1, 2) for number in range(9)]
    assert some[:9] == some[9:18] != some[18:]


def test_the_usual_dialect_takes_no_choice():
    usual = Style()
    WRITERS["conll"](documents(random.Random(1), "conll"), usual)
    assert usual.taken == []


def test_a_score_between_without_a_warning_is_a_fault(monkeypatch):
    """By the test, which loses the last entity of the copy."""

    def losing(docs, style):
        if not style.chance:
            return e2e(docs, style)
        last = docs[-1]
        return e2e([*docs[:-1], last._replace(entities=last.entities[:-1])], style)

    monkeypatch.setitem(copies.WRITERS, "maverick", losing)
    found = faults(tally("maverick", 1, range(20)))
    assert {kind for kind, _ in found} == {"silent"}
