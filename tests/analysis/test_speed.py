"""Everything these modules say about files of the size of the CoNLL-2012 test set, in seconds."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from time import process_time

import pytest

from corefmeter import read
from corefmeter.analysis.entities import compare_entities
from corefmeter.analysis.information import INFORMATION, weight_by_kind
from corefmeter.corpus.pairing import pair_documents
from corefmeter.mentions.features import Features
from corefmeter.metrics import Overlap
from corefmeter.metrics.arcs import ARCS, ArcsAnchor, ArcsImmediate
from corefmeter.metrics.decisions import Ordered, by_feature, count_by

INPUTS = Path(__file__).parents[2] / "benchmarks" / "inputs.py"


@pytest.mark.slow
def test_350_documents_and_20000_mentions_a_side_take_less_than_five_seconds(tmp_path):
    spec = importlib.util.spec_from_file_location("inputs", INPUTS)
    inputs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(inputs)
    paths = inputs.corpus(tmp_path, "conll", 350, 490, 57, 12)
    start = process_time()
    key, response = (read(path, details=True) for path in paths)
    found = []
    for pair in pair_documents(key, response, "official")[0]:
        features = Features(pair.key, pair.response)
        entities = pair.key.entities, pair.response.entities
        document = Ordered(*entities, features.kind)
        for metric in ARCS.values():
            decisions = list(metric().decisions(document))
            for feature in ("kind", "entity_type"):
                count_by(decisions, by_feature(features, feature))
        weight = weight_by_kind(features.kind)
        found += compare_entities(
            *entities, head=lambda mention, of=features: of[mention].head, weight=weight
        )
        table = Overlap(*entities)
        for information in INFORMATION.values():
            information(weight).statistics(table)
    assert all(one.scores() for one in found)
    assert process_time() - start < 5
    assert sum(len(one.key_mentions) for one in found) > 19_000


@pytest.mark.parametrize("merged", [True, False], ids=["all merged", "all split"])
def test_one_giant_entity_takes_no_quadratic_time(merged):
    """Of 40000 mentions in 8000 entities; a loop over pairs would take minutes."""
    mentions = [(n, n + 1) for n in range(40_000)]
    parts = [mentions[n : n + 5] for n in range(0, 40_000, 5)]
    sides = (parts, [mentions]) if merged else ([mentions], parts)
    start = process_time()
    document = Ordered(*sides, lambda mention: "name")
    assert ArcsImmediate().count(document)[0] == 32_000
    anchors = ArcsAnchor().count(document)
    assert anchors[4] == (40_000 if merged else 5)
    found = compare_entities(*sides)
    assert all(one.scores() for one in found)
    assert {one.category for one in found} == {"3" if merged else "2a"}
    assert process_time() - start < 5
