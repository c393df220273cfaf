"""The drop-ins agree with what is copied where that is right; where not, both values are here."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

import corefmeter
from corefmeter.compat import ConllCorefScores, CorefEvaluator

from .copies import Clusters, Copy

PAGE = Path(__file__).parents[2] / "docs/howto/copied.md"


def partition(chance: random.Random, least: int) -> Clusters:
    """Clusters of some of 10 mentions, each of at least so many, with gaps."""
    mentions = [(i, i + chance.randrange(2)) for i in range(10)]
    mentions = [m for m in mentions if chance.random() < 0.8]
    chance.shuffle(mentions)
    clusters = []
    while len(mentions) >= least:
        size = min(chance.randint(least, 4), len(mentions))
        clusters.append(tuple(mentions.pop() for _ in range(size)))
    return clusters


def by_mention(clusters: Clusters) -> dict[object, object]:
    return {mention: cluster for cluster in clusters for mention in cluster}


def both(pairs: list[tuple[Clusters, Clusters]], **options: str) -> tuple[CorefEvaluator, Copy]:
    ours, copy = CorefEvaluator(**options), Copy()
    for predicted, gold in pairs:
        ours.update(predicted, gold, by_mention(predicted), by_mention(gold))
        copy.update(predicted, gold)
    return ours, copy


def agree(seed: int, *, singletons: bool) -> bool:
    """Whether all scores are the same on one to three random documents.

    Predicted singletons, where there are any, are left out as the copies do.
    """
    chance = random.Random(seed)
    pairs = [(partition(chance, 1 if singletons else 2), partition(chance, 2))
             for _ in range(chance.randint(1, 3))]  # fmt: skip
    ours, copy = both(pairs, singletons="drop" if singletons else "keep")
    for evaluator, name in zip(ours.evaluators, copy.counts, strict=True):
        if evaluator.get_prf() != pytest.approx([float(r) for r in copy.rates(name)], abs=1e-12):
            return False
    asked = ours.get_precision(), ours.get_recall(), ours.get_f1()
    return asked == ours.get_prf() == pytest.approx(copy.get_prf(), abs=1e-12)


def test_scores_are_those_of_the_copies_without_singletons():
    assert all(agree(seed, singletons=False) for seed in range(300))


@pytest.mark.nightly
def test_scores_are_those_of_the_copies_without_singletons_on_many_inputs():
    assert all(agree(seed, singletons=False) for seed in range(10_000))


def test_copies_drop_predicted_singletons():
    assert all(agree(seed, singletons=True) for seed in range(300))


#: By name of the row on the page: predicted, gold, and CEAFe and CoNLL of the copies and of ours.
DIFFERENCES = {
    # CEAFe: 1 of 1 predicted, 1 of 2 gold: F1 2/3. MUC and B³ see one perfect entity.
    "the same clusters, one of them a singleton": (
        [("a", "b"), ("c",)], [("a", "b"), ("c",)], (2 / 3, (1 + 1 + 2 / 3) / 3), (1, 1),
    ),
    # The copies have F1 1 by all three. Ours: CEAFe 1 of 2, 1 of 1: 2/3; B³ 2/3 and 1: 4/5.
    "an extra predicted singleton": (
        [("a", "b"), ("c",)], [("a", "b")], (1, 1), (2 / 3, (1 + 4 / 5 + 2 / 3) / 3),
    ),
    # The copies: B³ 1, CEAFe 1 of 1 and 1 of 2. Ours: the same CEAFe; B³ 1 and 2/3: 4/5.
    "a missing gold singleton": (
        [("a", "b")], [("a", "b"), ("c",)], (2 / 3, (1 + 1 + 2 / 3) / 3),
        (2 / 3, (1 + 4 / 5 + 2 / 3) / 3),
    ),
    # In the mapping of the copies b is in its last cluster only. MUC: 1 of 2, 0 of 2. B³: 3 of 4,
    # 1.5 of 4: 1/2. CEAFe: 1 + 1/2 of 2 on both sides. Ours, b in its first, so (a, b), (c). MUC: 1
    # of 1, 1 of 2. B³: 3 of 3, 2 + 1/2 of 4: 10/13. CEAFe: 1 + 2/3 of 2 on both sides.
    "a mention in two predicted clusters": (
        [("a", "b"), ("b", "c")], [("a", "b"), ("c", "d")],
        (3 / 4, (0 + 1 / 2 + 3 / 4) / 3), (5 / 6, (2 / 3 + 10 / 13 + 5 / 6) / 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DIFFERENCES)
def test_where_the_copies_score_otherwise_both_values_are_known(case):
    predicted, gold, of_copies, of_ours = DIFFERENCES[case]
    ours, copy = both([(predicted, gold)])
    assert of_copies != of_ours
    assert (float(copy.rates("ceafe")[2]), copy.get_prf()[2]) == pytest.approx(of_copies)
    assert (ours.evaluators[2].get_f1(), ours.get_f1()) == pytest.approx(of_ours)
    assert ours.get_f1() == ours.compute().conll


def test_the_page_has_both_values():
    rows = re.findall(r"^\| (.+?) \| .*? \| (.*?) \| (.*?) \|$", PAGE.read_text("utf-8"), re.M)
    shown = {name: (theirs, ours) for name, theirs, ours in rows if name in DIFFERENCES}
    assert shown == {
        name: tuple(" / ".join(f"{100 * value:.2f}" for value in values) for values in both_values)
        for name, (_, _, *both_values) in DIFFERENCES.items()
    }


def test_an_update_that_fails_changes_nothing():
    evaluator = CorefEvaluator(repeated="error")
    evaluator.update([("a", "b")], [("a", "b")])
    before = evaluator.get_prf()
    with pytest.raises(corefmeter.DataError):
        evaluator.update([("a", "b"), ("b", "c")], [("a", "b")])
    assert (evaluator.get_prf(), evaluator.compute().documents) == (before, 1)


# AllenNLP: a batch of two documents. In the first, spans 1 and 2 go to 0 and 1, so that all four
# but the last are one entity; in the second, nothing has an antecedent.
SPANS = np.array([[[0, 1], [3, 3], [5, 6], [8, 8]]] * 2)
CANDIDATES = np.array([[[0, 0], [0, 0], [1, 0], [2, 1]]] * 2)
CHOSEN = np.array([[-1, 1, 0, -1], [-1, -1, -1, -1]])
GOLD = [{"clusters": [[[0, 1], [3, 3]], [[5, 6], [8, 8]]]}, {"clusters": [[[0, 1], [3, 3]]]}]


def test_a_batch_of_allennlp():
    metric = ConllCorefScores()
    metric(SPANS, CANDIDATES, CHOSEN, GOLD)
    expected = CorefEvaluator()
    expected.update([((0, 1), (3, 3), (5, 6))], [((0, 1), (3, 3)), ((5, 6), (8, 8))])
    expected.update([], [((0, 1), (3, 3))])
    found = metric.get_metric()
    # MUC: 1 of 2 predicted links is right, 1 of 3 gold links is found.
    assert metric.evaluator.evaluators[0].get_prf()[:2] == (1 / 2, 1 / 3)
    assert found == expected.get_prf() == metric.get_metric(reset=True)
    assert metric.get_metric() == (0, 0, 0)


def test_a_span_may_be_its_own_antecedent_where_singletons_are_allowed():
    chosen = np.array([[0, 1, 1, 0]])  # span 0 to itself, 1 and 2 to 0, 3 to 2: one entity
    own = np.array([[-1, -1, -1, 2]])
    selves = np.array([[[0, 0, 0], [1, 0, 0], [2, 1, 0], [2, 1, 3]]])
    metric = ConllCorefScores(allow_singletons=True)
    metric(SPANS[:1], selves, chosen, [{"clusters": [[[0, 1], [3, 3], [5, 6], [8, 8]]]}])
    assert metric.get_metric(reset=True) == (1, 1, 1)
    metric(SPANS[:1], selves, own, [{"clusters": [[[8, 8]]]}])
    assert metric.evaluator.evaluators[2].get_prf() == (1, 1, 1)
    with pytest.raises(ValueError, match="span 3 has span 3 for its antecedent"):
        ConllCorefScores()(SPANS[:1], selves, own, [{"clusters": []}])
