"""Measures of agreement between clusterings: Rand, adjusted Rand, V-measure.

They are defined for two partitions of the *same* mentions, so they are computed on the mentions
that both sides have; twinless mentions are left out. Statistics add over documents: pairs are
pairs within a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, nan
from typing import Any

from corefmeter.metrics.base import (
    SCALARS,
    Arithmetic,
    Metric,
    Number,
    Rates,
    Row,
    Scores,
    f_measure,
    settled,
)
from corefmeter.metrics.overlap import Cells, Overlap, pairs


class _OfCommonMentions(Metric):
    """A measure that is defined on the mentions of both sides."""

    @property
    def twinless(self) -> bool:
        """Twinless mentions are left out."""
        return False


class Rand(_OfCommonMentions):
    """Rand index: the share of pairs of mentions that both sides treat alike (Rand 1971).

    (|C_k & C_r| + |N_k & N_r|) / (pairs of common mentions). One number: R, P and F1 are equal.

    Examples
    --------
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
        """Pairs that agree, and all pairs."""
        return sum(table.common_links), pairs(table.matched)

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Agreements over pairs."""
        agreements, total = sums
        return settled(self.rates(sums), (agreements, total, agreements, total), undefined)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Agreements over pairs."""
        agreements, total = sums
        return _one_number(on.ratio(agreements, total))


class AdjustedRand(_OfCommonMentions):
    """Adjusted Rand index (Hubert & Arabie 1985): Rand corrected for chance; it may be negative.

    (I - E) / (M - E) with I = sum over cells of C(n, 2), E = A*B/T, M = (A + B)/2, where A and B
    are the pairs within key and within response entities and T all pairs. Over documents each of
    I, E, M is a sum. If M = E, both sides are all singletons or one entity: 1.

    Examples
    --------
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
        """The index, its expectation by chance, its maximum, and all pairs."""
        total = pairs(table.matched)
        key, response = (links.coreference for links in table.matched_links)
        index = table.common_links.coreference
        return index, key * response / total if total else 0.0, (key + response) / 2, total

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """(index - expected) / (maximum - expected)."""
        index, expected, maximum, total = sums
        above, range_ = index - expected, maximum - expected
        counts = (1, 1, 1, 1) if total and not range_ else (above, range_, above, range_)
        return settled(self.rates(sums), counts, undefined)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """(index - expected) / (maximum - expected); 1 if that is 0/0 though there are pairs."""
        index, expected, maximum, total = sums
        trivial = (total > 0) & (maximum == expected)
        return _one_number(on.where(trivial, 1.0, on.ratio(index - expected, maximum - expected)))


class VMeasure(_OfCommonMentions):
    """V-measure (Rosenberg & Hirschberg 2007): how much each side tells about the other.

    Completeness I/H(response) is given as recall (the mentions of a key entity stay together),
    homogeneity I/H(key) as precision (a response entity holds one key entity only), and V is their
    harmonic mean. I is the mutual information, H the entropy, in nats times the number of
    mentions, summed over documents. An entropy of 0 makes its ratio 1, as in the paper.

    Examples
    --------
    >>> v = VMeasure()
    >>> v.scores(v.statistics(Overlap([list("ab"), list("cd")], [list("ab"), list("cd")]))).f1
    1.0
    """

    name = "vmeasure"
    title = "V-measure"
    about = "How much each side says about the entities of the other."
    papers = ("rosenberg-hirschberg-2007",)
    aliases = ("v", "v_measure", "v-measure")
    fields = ("information", "key_entropy", "response_entropy", "mentions")

    def statistics(self, table: Overlap) -> Row:
        """Mutual information and entropies times mentions, and the mentions of both sides."""
        total = table.matched

        def shared(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[float]:
            return [n * log(n * total / (key[k] * response[r])) for k, r, n in cells]

        def own(sizes: Sequence[int]) -> list[float]:
            return [n * log(total / n) if n else 0.0 for n in sizes]

        information = table.over_cells(shared, matched=True)
        key, response = (
            float(table.over_entities(own, side, matched=True)) for side in ("key", "response")
        )
        return information, key, response, total

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Completeness as recall, homogeneity as precision, V as F1."""
        information, key, response, mentions = sums
        counts = (information, response, information, key) if mentions else (0, 0, 0, 0)
        return settled(self.rates(sums), counts, undefined)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Completeness as recall, homogeneity as precision, V as F1."""
        information, key, response, mentions = sums
        recall, precision = _share(information, response, on), _share(information, key, on)
        rates = (recall, precision, f_measure(recall, precision, on))
        return Rates(*(on.where(mentions == 0, nan, rate) for rate in rates))


def _share(information: Any, entropy: Any, on: Arithmetic) -> Any:
    """Information over entropy, at most 1 (it may exceed 1 in the last bit); 1 over 0."""
    share = on.ratio(information, entropy)
    return on.where((entropy == 0) | (share > 1), 1.0, share)


def _one_number(rate: Any) -> Rates:
    return Rates(rate, rate, rate)
