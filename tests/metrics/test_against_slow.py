"""The fast metrics equal the slow exact definitions, on thousands of invented documents."""

from __future__ import annotations

from math import isnan

import pytest

from corefmeter.metrics import METRICS, Overlap, metric_class
from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.ceaf import Ceaf
from corefmeter.metrics.lea import Lea

from .partitions import FAMILIES, documents
from .slow import BLANC, SLOW, lea, score


def made(name: str):
    """A metric with the options of its slow definition."""
    if name == "ceaf":
        return Ceaf(lambda common, key_size, response_size: 2 * common / (key_size + response_size))
    return metric_class(name)()


FIELDS = ("recall", "precision", "f1")

#: (name, the fast metric, the slow definition) for each metric and each option of a metric.
PAIRS = [
    *((name, made(name), definition) for name, definition in SLOW.items()),
    *((f"blanc-{policy}", Blanc(policy), BLANC[policy]) for policy in BLANC),
    ("lea-one", Lea("one"), lea(lambda entity: 1)),
    ("lea-square", Lea(lambda entity: len(entity) ** 2), lea(lambda entity: len(entity) ** 2)),
    ("lea-halves", Lea(lambda entity: len(entity) / 2), lea(lambda entity: len(entity) / 2)),
]


def close(value, exact) -> bool:
    return abs(value - float(exact)) <= 1e-12 * max(1.0, abs(float(exact)))


def assert_same(scores, expected, context):
    for field in FIELDS:
        exact = getattr(expected, field)
        assert (exact is None) == (field in scores.undefined), (field, context, scores)
        assert close(getattr(scores, field), exact or 0), (field, context, scores)


def check(metric, definition, pairs):
    """One document at a time, and pooled."""
    rows = []
    for key, response in pairs:
        row = metric.statistics(Overlap(key, response))
        expected = score(definition, [(key, response)])
        assert_same(metric.scores(row), expected, (key, response))
        rows.append(row)
    pooled = metric.scores([sum(column) for column in zip(*rows, strict=True)])
    assert_same(pooled, score(definition, pairs), "pooled")


def test_every_metric_has_a_slow_definition():
    """A new metric needs one: add it to `SLOW` in slow.py."""
    assert set(SLOW) == set(METRICS)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("metric", "definition"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS]
)
def test_fast_is_slow(metric, definition, family):
    check(metric, definition, list(documents(family, 60)))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_fast_is_slow_on_many_documents(family):
    pairs = list(documents(family, 500))
    for _, metric, definition in PAIRS:
        check(metric, definition, pairs)


@pytest.mark.parametrize("family", FAMILIES)
def test_numerators_and_denominators_are_those_of_the_definition(family):
    """Of every metric whose recall and precision are ratios of counts."""
    for name, definition in SLOW.items():
        metric = made(name)
        if metric.fields[0] != "recall_numerator":
            continue
        for key, response in documents(family, 60):
            row = metric.statistics(Overlap(key, response))
            for value, exact in zip(row, definition.counts(key, response), strict=True):
                assert close(value, exact), (name, key, response)


@pytest.mark.parametrize("family", FAMILIES)
def test_counts_are_whole_numbers(family):
    """Integer counts stay integers, so that sums of them are exact."""
    whole = {
        "mentions": slice(None), "muc": slice(None), "links": slice(None), "ceafm": slice(None),
        "ceaf1": slice(None), "ceaf2": slice(None), "rand": slice(None), "blanc": slice(None),
        "b3": slice(1, None, 2), "ceafe": slice(1, None, 2), "lea": slice(1, None, 2),
    }  # fmt: skip
    for key, response in documents(family, 30):
        table = Overlap(key, response)
        for name, which in whole.items():
            row = made(name).statistics(table)
            assert all(type(value) is int for value in row[which]), (name, row)


@pytest.mark.parametrize("policy", ["one", "skip"])
@pytest.mark.parametrize("name", SLOW)
def test_the_policy_for_undefined_changes_only_what_is_undefined(name, policy):
    metric = made(name)
    for family in FAMILIES:
        for key, response in documents(family, 15):
            row = metric.statistics(Overlap(key, response))
            zero, other = metric.scores(row), metric.scores(row, policy)
            assert other.undefined == zero.undefined
            for field in FIELDS:
                value = getattr(other, field)
                if field in zero.undefined:
                    assert value == 1 if policy == "one" else isnan(value), (key, response)
                else:
                    assert value == getattr(zero, field), (key, response)
