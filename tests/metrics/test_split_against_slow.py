"""Split antecedents: numbers agree with the slow version, and depend on nothing arbitrary."""

from __future__ import annotations

import os
import subprocess
import sys
from math import isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter import Corpus, Recipe, score

from ..strategies import scaled
from .slow_split import rows
from .splits import document, side

METRICS = ("muc", "b3", "ceafm", "ceafe", "lea", "blanc")
RECIPE = Recipe(metrics=METRICS, blanc="luo2014", split_antecedents=True)


def scored(key, response):
    return score(Corpus([key]), Corpus([response]), RECIPE)


def close(one, other) -> bool:
    return all(isclose(a, b, abs_tol=1e-9) for a, b in zip(one, other, strict=True))


def agree(seed: int) -> dict[str, int]:
    """See that the numbers are those of a best alignment; how many alignments give other ones."""
    random = Random(seed)
    key, response = side(random), side(random)
    if random.random() < 0.3:  # nearly right
        response = response._replace(entities=key.entities, sets=key.sets[1:])
    result = scored(document(key), document(response))
    ties = {}
    for metric in METRICS:
        expected = rows(metric, key, response)
        found = result.sums(metric)[: len(expected[0])]
        assert any(close(found, one) for one in expected), (seed, metric, found, expected)
        ties[metric] = len(expected) - 1
    return ties


def test_numbers_are_those_of_the_definitions():
    for seed in range(150):
        agree(seed)


@pytest.mark.slow
def test_numbers_are_those_of_the_definitions_ten_thousand_times():
    tied = sum(any(agree(seed).values()) for seed in range(10_000))
    assert tied < 500  # mostly there is only one best alignment


@pytest.mark.parametrize("metric", [*METRICS, "split"])
@given(st.randoms(use_true_random=False), st.integers(0, 40), st.integers(1, 3))
@settings(max_examples=scaled(60))
def test_names_orders_and_positions_mean_nothing(metric, random, shift, step):
    key, response = side(random), side(random)
    recipe = RECIPE.replace(metrics=metric)
    one = score(Corpus([document(key)]), Corpus([document(response)]), recipe)
    other = score(
        Corpus([document(key, random, shift, step)]),
        Corpus([document(response, random, shift, step)]),
        recipe,
    )
    assert close(one.sums(metric), other.sums(metric))


@pytest.mark.parametrize("metric", [*METRICS, "split"])
@given(st.randoms(use_true_random=False))
@settings(max_examples=scaled(60))
def test_sides_that_are_exchanged_exchange_recall_and_precision(metric, random):
    key, response = document(side(random)), document(side(random))
    recipe = RECIPE.replace(metrics=metric)
    one = score(Corpus([key]), Corpus([response]), recipe)[metric]
    other = score(Corpus([response]), Corpus([key]), recipe)[metric]
    assert close(one[:3], (other.precision, other.recall, other.f1))


@pytest.mark.parametrize("metric", [*METRICS, "split"])
@given(st.randoms(use_true_random=False))
@settings(max_examples=scaled(60))
def test_a_perfect_answer_is_100(metric, random):
    key = side(random)
    result = score(
        Corpus([document(key)]), Corpus([document(key, random)]), RECIPE.replace(metrics=metric)
    )
    if not result[metric].undefined:
        assert close(result[metric][:3], (1, 1, 1))


def test_the_hash_seed_means_nothing():
    """Mentions are text, so that a set of them has another order with each seed."""
    program = """
from corefmeter import Corpus, Document, score
from corefmeter.corpus.relations import Relations, Split
def side(*splits):
    entities = [["a"], ["b"], ["c"], ["f", "g"], ["h"], ["i", "j"]]
    return Corpus([Document("d", entities, relations=Relations(splits))])
key = side(Split("3", ("0", "1")), Split("5", ("1", "2")), Split("5", ("0", "2")))
response = side(Split("3", ("0", "2")), Split("4", ("1", "2")), Split("5", ("0", "1")))
metrics = "muc,b3,ceafm,ceafe,lea,blanc,split"
print(score(key, response, metrics=metrics, split_antecedents=True).statistics)
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(printed) == 1
