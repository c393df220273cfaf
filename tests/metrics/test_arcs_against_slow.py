"""The fast ARCS metrics equal the transcribed formulas, on thousands of invented documents."""

from __future__ import annotations

from collections import Counter

import pytest

from corefmeter.metrics.arcs import ARCS, ArcsAnchor, ArcsImmediate, ArcsInferred
from corefmeter.metrics.decisions import OUTCOMES, Counts, Ordered, count_by

from . import slow_arcs as slow
from .invented import FAMILIES, kind_of, plain

NUMBER = 400


def ordered(entities):
    return [sorted(set(entity)) for entity in entities]


def is_noun(kind):
    return lambda mention: kind(mention) in ("name", "nominal")


@pytest.mark.parametrize("family", FAMILIES)
def test_fast_is_slow(family):
    for seed, (key, response) in plain(family, NUMBER):
        kind = kind_of(seed)
        document = Ordered(key, response, kind)
        sides = ordered(key), ordered(response)
        context = seed, key, response
        assert ArcsImmediate().count(document) == slow.immediate(*sides), context
        assert ArcsInferred().count(document) == slow.inferred(*sides, is_noun(kind)), context
        assert ArcsAnchor().count(document) == slow.anchor(*sides, is_noun(kind)), context


@pytest.mark.parametrize("family", FAMILIES)
def test_fast_is_slow_where_key_mentions_repeat(family):
    """The sides exchanged: the family ``repeated`` then repeats mentions in the key."""
    for seed, (response, key) in plain(family, 100):
        kind = kind_of(seed)
        document = Ordered(key, response, kind)
        sides = ordered(key), ordered(response)
        assert ArcsImmediate().count(document) == slow.immediate(*sides), (key, response)
        assert ArcsInferred().count(document) == slow.inferred(*sides, is_noun(kind))
        assert ArcsAnchor().count(document) == slow.anchor(*sides, is_noun(kind))


@pytest.mark.parametrize("name", ARCS)
def test_laws(name):
    """Counts are sums over decisions; scores lie between 0 and 1."""
    for family in FAMILIES:
        for seed, (key, response) in plain(family, 40):
            kind = kind_of(seed)
            metric = ARCS[name]()
            document = Ordered(key, response, kind)
            row = metric.count(document)
            assert len(row) == len(metric.fields)
            assert all(type(value) is int and value >= 0 for value in row)
            decisions = list(metric.decisions(document))
            counts = Counter((decision.part, decision.outcome) for decision in decisions)
            parts = ("detection", "mentions") if name == "arcs-anchor" else ("antecedent",)
            assert row == tuple(counts[part, outcome] for part in parts for outcome in OUTCOMES)
            scores = metric.scores(row)
            for value in (scores.f1, *(s.f1 for s in scores.parts.values())):
                assert 0 <= value <= 1


@pytest.mark.parametrize("name", ARCS)
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "repeated"])
def test_a_key_against_itself_has_only_true_positives(name, family):
    for seed, (key, _) in plain(family, 60):
        metric = ARCS[name]()
        row = metric.count(Ordered(key, key, kind_of(seed)))
        wrong = [n for field, n in zip(metric.fields, row, strict=True) if not field.endswith("tp")]
        assert not any(wrong), key
        scores = metric.scores(row)
        assert "f1" in scores.undefined or scores.f1 == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_each_mention_is_decided_once(family):
    """One decision for each place of a key mention, and for each place of a twinless one."""
    for seed, (key, response) in plain(family, 60):
        document = Ordered(key, response, kind_of(seed))
        places = sum(len(entity) - 1 for entity in document.key)
        immediate = list(ArcsImmediate().decisions(document))
        inferred = list(ArcsInferred().decisions(document))
        assert sum(decision.side == "key" for decision in immediate) == places
        for decisions in (immediate, inferred):
            where = [(d.side, d.entity, d.mention) for d in decisions]
            assert len(where) == len(set(where))


def test_precision_covers_every_resolved_response_mention():
    """tp + wl + fp of immediate antecedents: all response mentions but the first of each entity."""
    for family in FAMILIES:
        if family == "repeated":
            continue
        for _, (key, response) in plain(family, 60):
            tp, wl, _, fp = ArcsImmediate().count(Ordered(key, response))
            assert tp + wl + fp == sum(len(entity) - 1 for entity in response)


@pytest.mark.parametrize("family", FAMILIES)
def test_counts_of_entities_are_those_of_their_decisions(family):
    for seed, (key, response) in plain(family, 60):
        document = Ordered(key, response, kind_of(seed))
        decisions = list(ArcsAnchor().decisions(document))
        for kind in {document.kind(decision.anchor) for decision in decisions}:
            outcomes = Counter(
                f"{one.part}_{one.outcome}"
                for one in decisions
                if document.kind(one.anchor) == kind
            )
            metric = ArcsAnchor(only=kind)
            assert metric.count(document) == tuple(outcomes[field] for field in metric.fields)


def test_groups_add_up_to_the_whole():
    """By any feature the groups add up, by document and over documents."""
    sums: dict[str, Counts] = {}
    total = Counts()
    for seed, (key, response) in plain("noisy", 50):
        kind = kind_of(seed)
        decisions = list(ArcsImmediate().decisions(Ordered(key, response, kind)))
        counts = count_by(decisions, lambda decision, kind=kind: kind(decision.mention))
        for name, of_group in counts.items():
            sums[name] = sums.get(name, Counts()) + of_group
        whole = Counts(*ArcsImmediate().count(Ordered(key, response)))
        assert sum(counts.values(), Counts()) == whole
        total += whole
    assert sum(sums.values(), Counts()) == total
