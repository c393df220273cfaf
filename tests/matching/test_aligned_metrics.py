"""MOR and the score of zeros: by hand, and against slow definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linear_sum_assignment

import corefmeter
from corefmeter import OptionError, Recipe, Result, Scorer, score
from corefmeter.corpus.positions import nodes
from corefmeter.corpus.text import Detail
from corefmeter.matching.stages import align
from corefmeter.metrics import ALIGNED, METRICS, canonical, make, metric_class, title
from corefmeter.metrics.mor import MentionOverlap
from corefmeter.metrics.zero import ZeroAnaphors

from ..strategies import scaled
from .test_stages import sides
from .texts import document


def mor(key: list, response: list, **options) -> tuple:
    result = score({"a": key}, {"a": response}, metrics="mor", **options)
    scores = result.mor
    return scores.recall_numerator, scores.recall_denominator, scores.precision_denominator


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ([[(0, 4)]], [[(0, 4)]], (4, 4, 4)),
        ([[(0, 4)]], [[(1, 4)]], (3, 4, 3)),  # the big dog | big dog, of corefud-scorer
        ([[(0, 4)]], [[(0, 6)]], (4, 4, 6)),
        ([[(0, 4)], [(2, 6)]], [[(2, 4)]], (2, 8, 2)),  # one key mention only
        ([[(0, 4)], [(2, 6)]], [[(1, 6)]], (4, 8, 5)),  # the one that shares more
        ([[(0, 9), (0, 3)]], [[(0, 3), (2, 9)]], (10, 12, 10)),
        ([[((0, 2), (4, 5))]], [[(1, 5)]], (2, 3, 4)),
        ([[((0, 1), (1, 1, 1))]], [[((1, 1, 1),)]], (1, 2, 1)),
        ([[((1, 1, 1),)]], [[((1, 1, 10),)]], (0, 1, 1)),
        ([[(0, 1)]], [[(1, 2)]], (0, 1, 1)),
        ([], [[(1, 3)]], (0, 0, 2)),
        ([], [], (0, 0, 0)),
    ],
)
def test_words_in_common(key, response, expected):
    assert mor(key, response) == expected


def test_mor_counts_what_singletons_leave():
    key, response = [[(0, 4)], [(5, 6), (7, 8)]], [[(0, 4)], [(5, 6), (7, 9)]]
    assert mor(key, response) == (6, 6, 7)
    assert mor(key, response, singletons="drop") == (2, 2, 3)


def test_mor_does_not_depend_on_the_matching():
    key, response = [[(0, 4), (6, 9)]], [[(1, 4), (6, 8)]]
    assert mor(key, response) == mor(key, response, match="overlap") == (5, 7, 5)


@given(sides(), sides())
def test_mor_is_the_best_assignment(key, response):
    """Equal mentions are paired first; that loses nothing."""
    alignment = align(key, response, Recipe(repeated="distinct"))
    k, r = (list(map(set, map(nodes, side.positions))) for side in
            (alignment.key, alignment.response))  # fmt: skip
    overlaps = np.array([[len(a & b) for b in r] for a in k]).reshape(len(k), len(r))
    rows, columns = linear_sum_assignment(overlaps, maximize=True)
    common, in_key, _, in_response = MentionOverlap().aligned_statistics(alignment)
    assert common == overlaps[rows, columns].sum()
    assert (in_key, in_response) == (sum(map(len, k)), sum(map(len, r)))


# Zeros: entities of mentions at tokens, and of empty nodes ``(at, 1)``


def zeros(key: list[list], response: list[list], **options) -> tuple[int, ...]:
    """TP, TP + WL + FN, TP + WL + FP."""

    def side(entities):
        return document(
            *[[_mention(node) for node in entity] for entity in entities]
        )  # fmt: skip

    alignment = align(side(key), side(response), Recipe(match="head", repeated="distinct"))
    right, in_key, _, in_response = ZeroAnaphors().aligned_statistics(alignment)
    return right, in_key, in_response


def _mention(node):
    if isinstance(node, int):
        return (node, node + 1), node
    at, number = node
    return ((at, at, number),), (at, at, number)


Z, Y = (5, 1), (5, 2)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ([[0, Z]], [[0, Z]], (1, 1, 1)),
        ([[0, Z], [1]], [[1, Z], [0]], (0, 1, 1)),  # linked to another entity
        ([[0, Z]], [[0, 1]], (0, 1, 0)),  # not found
        ([[0, Z]], [[Z, 7]], (0, 1, 0)),  # found, but no anaphor
        ([[0, Z]], [[3, Z]], (0, 1, 1)),  # an antecedent that is no mention of the key
        ([[0, 7, Z]], [[7, Z], [0]], (0, 1, 0)),  # token 7 follows the zero
        ([[0, 4, Z]], [[4, Z], [0]], (1, 1, 1)),  # any earlier mention will do
        ([[Z, 7]], [[Z, 7]], (0, 0, 0)),  # first in its entity: no anaphor
        ([[Z, Y]], [[Z, Y]], (1, 1, 1)),
        ([[0, 1]], [[0, Z]], (0, 0, 1)),  # no mention of the key
        ([[Z, 7]], [[0, Z]], (0, 0, 1)),  # first in the key, so no anaphor there
        ([[0, Z]], [[0, Z, Y]], (1, 1, 2)),
        ([[0, Z]], [[Z, 0]], (1, 1, 1)),  # the order of the text counts, not that of the list
        ([], [[0, Z]], (0, 0, 1)),
    ],
)
def test_zeros_that_are_found_and_linked(key, response, expected):
    assert zeros(key, response) == expected


def test_mentions_that_begin_alike_are_ordered_by_their_last_word():
    """Tokens 0 to 3 end before the zero, which begins with token 0 too and has fewer nodes."""
    side = document([((0, 4), 0), (((0, 1), (5, 5, 1)), (5, 5, 1))])
    assert ZeroAnaphors().aligned_statistics(align(side, side, Recipe())) == (1, 1, 1, 1)


def test_a_longer_mention_may_be_the_partner_of_a_zero_without_being_one():
    """It does not make the response zero right: its key mention is no anaphor that is a zero."""
    key = document([((0, 1), 0), (((4, 5), (5, 5, 1)), 4)])
    response = document([((0, 1), 0), (((4, 5), (5, 5, 1)), (5, 5, 1))])
    alignment = align(key, response, Recipe())
    assert ZeroAnaphors().aligned_statistics(alignment) == (0, 0, 0, 1)


def slow_zero(alignment) -> tuple[int, int, int, int]:
    """The definition, mention by mention."""
    key, response = alignment.key, alignment.response

    def order(side, number):
        # Nodes as they stand in the text: an empty node before the token it is counted at.
        within = [(n, 1, 0) if isinstance(n, int) else (n[0], 0, n[2])
                  for n in nodes(side.positions[number])]  # fmt: skip
        return within[0], within[-1], len(within), number

    def before(side, one, other):
        return side.homes[one] == side.homes[other] and order(side, one) < order(side, other)

    def anaphors(side):
        return [
            n for n in range(len(side))
            if isinstance(side.heads[n], tuple)
            and any(before(side, other, n) for other in range(len(side)))
        ]  # fmt: skip

    def first(side, n):
        return not any(before(side, other, n) for other in range(len(side)))

    tp = wl = fn = fp = 0
    for k in anaphors(key):
        r = alignment.key_partner[k]
        if r is None or first(response, r):
            fn += 1
        elif any(
            alignment.key_partner[other] is not None
            and response.homes[alignment.key_partner[other]] == response.homes[r]
            for other in range(len(key))
            if before(key, other, k)
        ):
            tp += 1
        else:
            wl += 1
    for r in anaphors(response):
        fp += alignment.response_partner[r] not in anaphors(key)
    return tp, tp + wl + fn, tp, tp + wl + fp


@settings(max_examples=scaled(200))
@given(sides(), sides())
def test_zeros_are_scored_as_defined(key, response):
    for zeros in ("position", "dependency"):
        alignment = align(key, response, Recipe(match="head", zeros=zeros, repeated="distinct"))
        assert ZeroAnaphors().aligned_statistics(alignment) == slow_zero(alignment)


# As metrics


def test_they_are_computed_on_request_only():
    assert {"mor", "zero"} <= set(ALIGNED)
    assert not set(ALIGNED) & set(METRICS)
    assert not set(ALIGNED) & set(Recipe(metrics="all").metrics)
    for name in ALIGNED:
        assert (
            make(name, Recipe()).name == metric_class(name).name == canonical(name.upper()) == name
        )
        assert title(name)
    assert canonical("mention_overlap_ratio") == "mor"


def test_their_rows_add_up_and_come_back():
    key = corefmeter.Corpus(
        [document([((0, 3), 2), ((5, 6), 5)], name=name) for name in ("a", "b")]
    )
    response = corefmeter.Corpus([document([((1, 3), 2), ((5, 6), 5)], name="a"),
                                  document([((0, 3), 2)], name="b")])  # fmt: skip
    result = score(key, response, match="head", metrics=["mor", "zero", "b3"])
    one, other = result.by("document").values()
    assert one + other == result or (one + other).statistics == result.statistics
    assert (result.mor.recall, result.mor.precision) == (6 / 8, 1)
    assert result.zero.undefined == ("recall", "precision", "f1")
    again = Result.from_dict(result.to_dict(by=["document"]))
    assert again.statistics == result.statistics
    assert Recipe.parse(result.signature) == result.recipe
    macro = score(key, response, match="head", metrics="mor", average="macro")
    assert macro.mor.recall == pytest.approx((3 / 4 + 3 / 4) / 2)


def test_they_need_texts():
    with pytest.raises(corefmeter.DataError, match="is not a position in a text"):
        Scorer(metrics="mor").update([["Ann"]], [["Ann"]])
    with pytest.raises(OptionError, match="must see the mentions in their texts"):
        MentionOverlap().statistics(None)
    with pytest.raises(corefmeter.DataError, match="is not a position in a text"):
        score([["Ann"]], [["Ann"]], metrics="mor")


def test_the_zero_score_needs_heads():
    side = corefmeter.Corpus([document([((0, 3), 2), ((5, 6), 5)])])
    side.documents[0].details = None
    side.documents[0].text = None
    with pytest.raises(corefmeter.DataError, match="read without details"):
        score(side, side, metrics="zero")
    side.documents[0].details = [[Detail(head=2), Detail(head=5)]]
    assert score(side, side, metrics="zero").zero.undefined
