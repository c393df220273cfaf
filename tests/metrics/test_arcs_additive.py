"""ARCS rows add up, give formulas to resampling, and can come from any way of matching."""

from __future__ import annotations

import numpy as np
import pytest

from corefmeter import Document, Recipe
from corefmeter.corpus.text import Detail, Text
from corefmeter.matching.stages import align
from corefmeter.metrics.arcs import ARCS, ArcsAnchor, ArcsImmediate, ArcsInferred
from corefmeter.metrics.decisions import Ordered
from corefmeter.statistics.arrays import ARRAYS

from .invented import FAMILIES, kind_of, plain


def rows(name, number=40):
    return [
        ARCS[name]().count(Ordered(key, response, kind_of(seed)))
        for family in FAMILIES
        for seed, (key, response) in plain(family, number)
    ]


@pytest.mark.parametrize("name", ARCS)
def test_formulas_for_arrays_are_those_for_numbers(name):
    metric = ARCS[name]()
    found = rows(name)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = metric.rates(list(np.array(found, dtype=float).T), ARRAYS)
    for number, row in enumerate(found):
        scores = metric.scores(row, "skip")
        for score in ("recall", "precision", "f1"):
            one, other = getattr(scores, score), getattr(rates, score)[number]
            assert one == pytest.approx(other, nan_ok=True), row
            assert getattr(metric.rates(row), score) == pytest.approx(other, nan_ok=True), row


def test_rows_of_documents_add_up():
    """Two documents: B of two links, and one of one; 2 of 3 in all."""
    metric = ArcsImmediate()
    one = metric.count(Ordered([list("ABC")], [list("AB")]))
    other = metric.count(Ordered([list("DE")], [list("DE")]))
    assert (one, other) == ((1, 0, 1, 0), (1, 0, 0, 0))
    sums = [sum(column) for column in zip(one, other, strict=True)]
    assert metric.scores(sums).recall == 2 / 3
    assert metric.scores(sums).precision == 1


def with_heads(entities, heads, words="Ann Lee met her old boss in Rome . He waited"):
    pos = "NNP NNP VBD PRP$ JJ NN IN NNP . PRP VBD"
    details = [[Detail(head=heads[mention]) for mention in entity] for entity in entities]
    text = Text(words.split(), pos=pos.split())
    return Document("x", entities, details=details, text=text)


def test_mentions_matched_by_their_heads():
    """ "old boss" is the key's "her old boss in Rome"; exact matching loses it."""
    key = with_heads([[(0, 2), (3, 4)], [(3, 8), (9, 10)]], {(0, 2): 1, (3, 4): 3, (3, 8): 5,
                                                              (9, 10): 9})  # fmt: skip
    response = with_heads([[(4, 6), (9, 10)], [(0, 2), (3, 4)]], {(4, 6): 5, (9, 10): 9, (0, 2): 1,
                                                                   (3, 4): 3})  # fmt: skip
    for match, counts in (("head", (2, 0, 0, 0)), ("exact", (1, 1, 0, 0))):
        alignment = align(key, response, Recipe(match=match))
        for metric in (ArcsImmediate(), ArcsInferred()):
            assert metric.aligned_statistics(alignment) == counts
    assert ArcsAnchor().aligned_statistics(align(key, response, Recipe(match="head"))) == (
        2, 0, 0, 0, 4, 0, 0, 0,
    )  # fmt: skip


TAGS = {"name": "NNP", "nominal": "NN", "pronoun": "PRP", "other": "VBD"}


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "repeated"])
def test_an_exact_alignment_gives_the_same_counts(family):
    for seed, (key, response) in plain(family, 40):
        kind = kind_of(seed)
        text = Text(["word"] * 120, pos=[TAGS[kind((n, n + 1))] for n in range(120)])
        documents = Document("x", key, text=text), Document("x", response, text=text)
        alignment = align(*documents, Recipe())
        for metric in ARCS.values():
            direct = metric().count(Ordered(key, response, kind))
            assert metric().aligned_statistics(alignment) == direct
