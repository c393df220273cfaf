"""Measures of agreement between clusterings, by pairs of mentions or by information.

They are defined for two partitions of the *same* mentions, so twinless mentions are left out.
Pairs are pairs within a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log, nan
from typing import Any

from corefmeter.metrics.base import SCALARS, Arithmetic, Metric, Rates, Row, f_measure, ratio_rates
from corefmeter.metrics.options import NMI_MEAN
from corefmeter.metrics.overlap import Cells, Overlap, pairs


class _OfCommonMentions(Metric):
    """A measure that is defined on the mentions of both sides."""

    @property
    def twinless(self) -> bool:
        return False


class Rand(_OfCommonMentions):
    """Rand index: the share of pairs of mentions that both sides treat alike (Rand 1971).

    (|C_k & C_r| + |N_k & N_r|) / (pairs of common mentions). R, P and F1 are equal.

    >>> rand = Rand()
    >>> rand.scores(rand.statistics(Overlap([list("abc"), list("d")], [list("ab"), list("cd")]))).f1
    0.5
    """

    name = "rand"
    title = "Rand"
    about = "Pairs of mentions that both sides treat alike."
    papers = ("rand-1971",)
    aliases = ("ri", "rand_index")
    fields = ("agreements", "pairs")

    def statistics(self, table: Overlap) -> Row:
        """Return the pairs that agree, and all pairs."""
        return sum(table.common_links), pairs(table.matched)

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return agreements over pairs, twice."""
        agreements, total = sums
        return agreements, total, agreements, total

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return agreements over pairs."""
        agreements, total = sums
        return _one_number(on.ratio(agreements, total))


class AdjustedRand(_OfCommonMentions):
    """Adjusted Rand index (Hubert & Arabie 1985): Rand corrected for chance; it may be negative.

    (I - E) / (M - E) with I = sum over cells of C(n, 2), E = A*B/T, M = (A + B)/2, where A and B
    are the pairs within key and within response entities and T all pairs. I, E and M are each
    summed over documents. If M = E (only singletons, or one entity, on both sides), the score is 1.

    >>> ari = AdjustedRand()
    >>> table = Overlap([list("abc"), list("d")], [list("ab"), list("cd")])
    >>> round(ari.scores(ari.statistics(table)).f1, 10)  # (1 - 1) / (2.5 - 1)
    0.0
    """

    name = "ari"
    title = "Adjusted Rand"
    about = "Rand index corrected for chance; it may be negative."
    papers = ("hubert-arabie-1985",)
    aliases = ("adjusted_rand", "adjusted_rand_index")
    fields = ("index", "expected", "maximum", "pairs")

    def statistics(self, table: Overlap) -> Row:
        """Return the index, its expectation by chance, its maximum, and all pairs."""
        total = pairs(table.matched)
        key, response = (links.coreference for links in table.matched_links)
        index = table.common_links.coreference
        return index, key * response / total if total else 0.0, (key + response) / 2, total

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return index - expected over maximum - expected, or 1/1, twice."""
        index, expected, maximum, total = sums
        above, range_ = index - expected, maximum - expected
        return (1, 1, 1, 1) if total and not range_ else (above, range_, above, range_)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return (index - expected) / (maximum - expected); 1 if 0/0 though there are pairs."""
        index, expected, maximum, total = sums
        trivial = (total > 0) & (maximum == expected)
        return _one_number(on.where(trivial, 1.0, on.ratio(index - expected, maximum - expected)))


class _OfEntropies(_OfCommonMentions):
    """A measure computed from mutual information and entropies, in nats times mentions."""

    fields = ("information", "key_entropy", "response_entropy", "mentions")

    def statistics(self, table: Overlap) -> Row:
        """Return mutual information and entropies times mentions, and the common mentions."""
        total = table.matched

        def information_of(
            cells: Cells, key: Sequence[int], response: Sequence[int]
        ) -> list[float]:
            return [n * log(n * total / (key[k] * response[r])) for k, r, n in cells]

        def entropy_of(sizes: Sequence[int]) -> list[float]:
            return [n * log(total / n) if n else 0.0 for n in sizes]

        information = table.over_cells(information_of, matched=True)
        key = float(table.over_entities(entropy_of, "key", matched=True))
        response = float(table.over_entities(entropy_of, "response", matched=True))
        return information, key, response, total

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return completeness as recall, homogeneity as precision, V as F1."""
        information, key, response, mentions = sums
        recall, precision = _share(information, response, on), _share(information, key, on)
        rates = (recall, precision, f_measure(recall, precision, on))
        return Rates(*(on.where(mentions == 0, nan, rate) for rate in rates))


class VMeasure(_OfEntropies):
    """V-measure (Rosenberg & Hirschberg 2007): how well each side predicts the other.

    Recall is completeness, I/H(response): the mentions of a key entity stay together. Precision is
    homogeneity, I/H(key): a response entity contains only one key entity. V is their harmonic mean.
    I is the mutual information and H the entropy, in nats times the number of mentions, summed over
    documents. If an entropy is 0, its ratio is 1, as in the paper.

    >>> v = VMeasure()
    >>> v.scores(v.statistics(Overlap([list("ab"), list("cd")], [list("ab"), list("cd")]))).f1
    1.0
    """

    name = "vmeasure"
    title = "V-measure"
    about = "How well each side predicts the entities of the other."
    papers = ("rosenberg-hirschberg-2007",)
    aliases = ("v", "v_measure", "v-measure", "homogeneity", "completeness")

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return information over the entropy of the response, and over that of the key."""
        information, key, response, mentions = sums
        return (information, response, information, key) if mentions else (0, 0, 0, 0)


class FowlkesMallows(_OfCommonMentions):
    """Fowlkes-Mallows index (1983): the geometric mean of pairwise precision and recall.

    |C_k & C_r| / sqrt(|C_k| |C_r|), over the links among common mentions. The index is reported as
    F1; recall is |C_k & C_r| / |C_k|, and precision is |C_k & C_r| / |C_r|. (The metric ``links``
    also counts the links of twinless mentions.) If only one side has links, the index is 0.

    >>> fmi = FowlkesMallows()
    >>> fmi.scores(fmi.statistics(Overlap([list("abc")], [list("ab"), list("c")])))[:3]
    (0.3333333333333333, 1.0, 0.5773502691896257)
    """

    name = "fmi"
    title = "Fowlkes\N{EN DASH}Mallows"
    about = "Geometric mean of precision and recall of pairs of mentions."
    papers = ("fowlkes-mallows-1983",)
    aliases = ("fm", "fowlkes-mallows", "fowlkes_mallows")
    fields = ("common", "key", "response")

    def statistics(self, table: Overlap) -> Row:
        """Return the links among common mentions: of both sides, of the key, of the response."""
        key, response = (links.coreference for links in table.matched_links)
        return table.links_in_common, key, response

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return the common links over those of the key, and of the response."""
        common, key, response = sums
        return common, key, common, response

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return pairwise recall and precision, and their geometric mean as F1."""
        _, key, response = sums
        recall, precision, _ = ratio_rates(self.counts(sums), on)
        one_side = (key == 0) != (response == 0)
        # The product of roots is exactly 1 where both are, which the root of a product need not be.
        return Rates(recall, precision, on.where(one_side, 0.0, recall**0.5 * precision**0.5))


class MutualInformation(_OfEntropies):
    """Normalized mutual information: I divided by a mean of H(key) and H(response).

    The mean is ``arithmetic`` (the score is then the V-measure), ``geometric`` (Strehl & Ghosh
    2002), ``min`` or ``max``; see Vinh et al. 2010, table 2. I and H are each summed over
    documents. If both entropies are 0, the score is 1; if only one is 0, the score is 0.

    The key has two entities, which the response splits: I = log 2, H = log 2 and log 4.

    >>> table = Overlap([list("ab"), list("cd")], [["a"], ["b"], ["c"], ["d"]])
    >>> for mean in ("arithmetic", "geometric", "min", "max"):
    ...     nmi = MutualInformation(mean)
    ...     print(mean, round(nmi.scores(nmi.statistics(table)).f1, 4))
    arithmetic 0.6667
    geometric 0.7071
    min 1.0
    max 0.5
    """

    name = "nmi"
    title = "NMI"
    about = "Mutual information of both sides over a mean of their entropies."
    papers = ("strehl-ghosh-2002", "vinh-etal-2010")
    aliases = ("normalized_mutual_information", "normalised_mutual_information")
    options = (NMI_MEAN,)

    def __init__(self, nmi_mean: str = "arithmetic") -> None:
        self.mean = nmi_mean

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return the score over 1, or 0/0."""
        if not sums[3]:
            return 0, 0, 0, 0
        share = self.rates(sums).f1
        return share, 1, share, 1

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return information over the mean of entropies."""
        information, key, response, mentions = sums
        # Without anything in common it may fall below 0 in the last bit.
        information = on.where(information < 0, 0.0, information)
        completeness, homogeneity, v = super().rates((information, *sums[1:]), on)
        if self.mean == "arithmetic":
            share = v
        elif self.mean == "geometric":
            share = completeness**0.5 * homogeneity**0.5
        else:
            smaller = on.where(completeness > homogeneity, homogeneity, completeness)
            larger = on.where(completeness > homogeneity, completeness, homogeneity)
            share = larger if self.mean == "min" else smaller
        one_sided = (mentions > 0) & ((key == 0) != (response == 0))
        return _one_number(on.where(one_sided, 0.0, share))


class InformationVariation(_OfCommonMentions):
    """Variation of information (Meilă 2007), a distance: H(key | response) + H(response | key).

    The score is 1 - VI / log N, where N is the number of mentions and log N the greatest possible
    VI (section 5.2). So 1 is perfect, and higher is better. The entropies in nats times the number
    of mentions,

        N H(response | key) = sum over cells of n log(|k| / n)
        N H(key | response) = sum over cells of n log(|r| / n)

    are summed over documents, as is N log N. So the VI of a corpus, ``(splits + merges) /
    mentions``, is the mean over its documents, weighted by their mentions.

    >>> vi = InformationVariation()
    >>> sums = vi.statistics(Overlap([list("ab"), list("cd")], [["a"], ["b"], ["c"], ["d"]]))
    >>> merges, splits, greatest, mentions = sums
    >>> round((splits + merges) / mentions, 4), round(vi.scores(sums).f1, 4)
    (0.6931, 0.5)
    """

    name = "vi"
    title = "VI"
    about = "Variation of information, relative to its maximum; 1 is perfect."
    papers = ("meila-2007",)
    aliases = ("variation_of_information", "variation-of-information")
    fields = ("merges", "splits", "greatest", "mentions")

    def statistics(self, table: Overlap) -> Row:
        """Return N H(response | key), N H(key | response), N log N, N."""
        total = table.matched
        merges = table.over_cells(
            lambda cells, key, _: [n * log(key[k] / n) for k, _, n in cells], matched=True
        )
        splits = table.over_cells(
            lambda cells, _, response: [n * log(response[r] / n) for _, r, n in cells], matched=True
        )
        return merges, splits, total * log(total) if total else 0.0, total

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return N (log N - VI) over N log N, twice."""
        merges, splits, greatest, _ = sums
        kept = max(0.0, greatest - fsum((merges, splits)))
        return kept, greatest, kept, greatest

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return 1 - VI / log N, at least 0 (it may be below in the last bit)."""
        merges, splits, greatest, _ = sums
        rate = on.ratio(greatest - on.total((merges, splits)), greatest)
        return _one_number(on.where(rate < 0, 0.0, rate))


def _share(information: Any, entropy: Any, on: Arithmetic) -> Any:
    """Return information over entropy, at most 1 (it may exceed 1 in the last bit); 1 over 0."""
    share = on.ratio(information, entropy)
    return on.where((entropy == 0) | (share > 1), 1.0, share)


def _one_number(rate: Any) -> Rates:
    return Rates(rate, rate, rate)
