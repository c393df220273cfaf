"""What the copied classes compute, written anew from how they behave: slow, and with their faults.

Precision of MUC and B³ goes over predicted clusters and looks each mention up in the gold ones;
recall the other way round. CEAFe compares all pairs of clusters. Singletons are treated as the
copies do: B³ passes them on both sides, CEAFe drops those that are predicted and keeps the gold.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations

Clusters = Sequence[tuple[Hashable, ...]]
Counts = tuple[Fraction, Fraction]


def muc(clusters: Clusters, others: Clusters) -> Counts:
    """Links that need not be mended, and all links."""
    home = {mention: cluster for cluster in others for mention in cluster}
    right = total = 0
    for cluster in clusters:
        parts = {home[m] for m in cluster if m in home}
        alone = sum(m not in home for m in cluster)
        right += len(cluster) - len(parts) - alone
        total += len(cluster) - 1
    return Fraction(right), Fraction(total)


def b3(clusters: Clusters, others: Clusters) -> Counts:
    """For each mention the share of its cluster that is right."""
    home = {mention: cluster for cluster in others for mention in cluster}
    right, total = Fraction(0), 0
    for cluster in clusters:
        if len(cluster) == 1:
            continue
        homes = [home.get(mention) for mention in cluster]
        for other in {other for other in homes if other and len(other) != 1}:
            right += Fraction(homes.count(other) ** 2, len(cluster))
        total += len(cluster)
    return right, Fraction(total)


def ceafe(predicted: Clusters, gold: Clusters) -> tuple[Fraction, Fraction, Fraction]:
    """The best total similarity by trying all assignments, and the clusters of either side."""
    predicted = [cluster for cluster in predicted if len(cluster) != 1]
    table = [
        [Fraction(2 * len([m for m in g if m in p]), len(g) + len(p)) for p in predicted]
        for g in gold
    ]
    few, many = sorted([range(len(gold)), range(len(predicted))], key=len)
    swapped = few is not None and len(gold) > len(predicted)
    best = max(
        sum((table[j][i] if swapped else table[i][j] for i, j in zip(few, chosen, strict=True)),
            Fraction(0))
        for chosen in permutations(many, len(few))
    )  # fmt: skip
    return best, Fraction(len(predicted)), Fraction(len(gold))


class Copy:
    """The evaluator of e2e-coref, with exact numbers until it is asked for scores."""

    def __init__(self) -> None:
        self.counts = {name: [Fraction(0)] * 4 for name in ("muc", "b3", "ceafe")}

    def update(self, predicted: Clusters, gold: Clusters) -> None:
        best, of_predicted, of_gold = ceafe(predicted, gold)
        found = {
            "muc": (*muc(predicted, gold), *muc(gold, predicted)),
            "b3": (*b3(predicted, gold), *b3(gold, predicted)),
            "ceafe": (best, of_predicted, best, of_gold),
        }
        for name, counts in found.items():
            self.counts[name] = [a + b for a, b in zip(self.counts[name], counts, strict=True)]

    def rates(self, name: str) -> tuple[Fraction, Fraction, Fraction]:
        """Precision, recall and F1 of a metric; 0/0 is 0."""
        right, predicted, found, gold = self.counts[name]
        precision = right / predicted if predicted else Fraction(0)
        recall = found / gold if gold else Fraction(0)
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else Fraction(0)

    def get_prf(self) -> list[float]:
        """The plain means."""
        return [float(sum(rates) / 3) for rates in zip(*map(self.rates, self.counts), strict=True)]
