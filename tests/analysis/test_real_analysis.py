"""The analysis of real documents: totals that must add up."""

from __future__ import annotations

import pytest

from corefmeter import read
from corefmeter.analysis.entities import compare_entities, count_categories
from corefmeter.analysis.information import INFORMATION, weight_by_kind
from corefmeter.corpus.pairing import Pair, pair_documents
from corefmeter.corpus.policies import apply_repeats
from corefmeter.mentions.features import FEATURES, Features
from corefmeter.metrics import Overlap
from corefmeter.metrics.arcs import ARCS
from corefmeter.metrics.decisions import Ordered, by_feature, count_by

from ..real.shared import DATA, needs

pytestmark = [needs("novel_dutch"), needs("gum_ontonotes_style")]

NOVEL = "novel_dutch/key.conll", "novel_dutch/dutchcoref.conll"
GUM = "gum_ontonotes_style/key.conll", "gum_ontonotes_style/xrenner.conll"


def pairs_of(paths) -> list[Pair]:
    key, response = (read(DATA / path, details=True) for path in paths)
    found, _ = pair_documents(key, response, "official")
    return found


def everything(pair: Pair, pronouns: str | None, by=tuple(FEATURES)):
    """All that these modules say about a document, by some features."""
    features = Features(pair.key, pair.response, pronouns=pronouns)
    key, response = (side.entities for side in apply_repeats(*pair, "first"))
    document = Ordered(key, response, features.kind)
    weight = weight_by_kind(features.kind)
    counts = {}
    for name, metric in ARCS.items():
        counts[name] = metric().count(document)
        decisions = list(metric().decisions(document))
        for feature in by:
            counts[name, feature] = count_by(decisions, by_feature(features, feature))
    found = compare_entities(
        key, response, head=lambda mention: features[mention].head, weight=weight
    )
    assert all(one.scores() for one in found)
    table = Overlap(key, response)
    rows = {name: metric(weight).statistics(table) for name, metric in INFORMATION.items()}
    return key, response, counts, found, rows


@pytest.mark.slow
@pytest.mark.parametrize(("paths", "pronouns"), [(NOVEL, None), (GUM, "en")],
                         ids=["novel", "gum"])  # fmt: skip
def test_totals_add_up(paths, pronouns):
    for pair in pairs_of(paths):
        key, response, counts, found, rows = everything(pair, pronouns)
        links = sum(len(entity) - 1 for entity in key)
        resolved = sum(len(set(entity)) - 1 for entity in response)
        tp, wl, fn, fp = counts["arcs-immediate"]
        assert (tp + wl + fn, tp + wl + fp) == (links, resolved)
        detected, _, missed, *_ = counts["arcs-anchor"]
        assert detected + missed <= sum(len(entity) > 1 for entity in key)
        for name in ARCS:
            row = counts[name]
            totals = [sum(column) for column in (row[::4], row[1::4], row[2::4], row[3::4])]
            for feature in FEATURES:
                groups = counts[name, feature].values()
                assert [sum(column) for column in zip(*groups, strict=True)] == (
                    totals if groups else []
                ), (name, feature)
        assert sum(count_categories(found).values()) == len(key)
        assert sum(len(one.key_mentions) for one in found) == sum(map(len, key))
        for rn, rd, pn, pd in rows.values():
            assert 0 <= rn <= rd
            assert 0 <= pn <= pd


def test_the_novella_has_kinds_by_its_dutch_tags():
    (pair,) = pairs_of(NOVEL)
    features = Features(pair.key, pair.response)
    kinds = [features.kind(mention) for entity in pair.key.entities for mention in entity]
    assert len(kinds) == 2534
    assert "unknown" not in kinds
    assert all(kinds.count(kind) > 300 for kind in ("name", "nominal", "pronoun"))
