"""BLANC (Recasens & Hovy 2011; for system mentions Luo et al. 2014).

The mean of the scores on coreference links (pairs within an entity) and on non-coreference links
(pairs across entities). The papers and the official scorer differ where one kind of link is
missing; the policies are:

``official``
    v8.01: only the kinds of link that the *key* has are averaged; none: 0/0.
``luo2014``
    Luo et al. 2014, section 4.1: a kind is left out only if *neither* side has such links; if
    there are no links at all, 1 if both sides have the same mentions, else 0.
``recasens2011``
    BLANC-gold, equations 2 to 8 of Luo et al. 2014: links count only between mentions of both
    sides. A kind that the key lacks is left out; with at most one mention it is 0/0.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.metrics.base import UNDEFINED_AS, Metric, Number, Row, Scores, ratios
from corefmeter.metrics.overlap import Links, Overlap, links_within, pairs

__all__ = ["POLICIES", "Blanc"]

POLICIES = ("official", "luo2014", "recasens2011")


class Blanc(Metric):
    """R = (R_c + R_n)/2, P = (P_c + P_n)/2, F = (F_c + F_n)/2: a mean of Fs, not an F of means.

    R_c = |C_k & C_r| / |C_k|, P_c = |C_k & C_r| / |C_r|; R_n, P_n likewise with N (Luo et al. 2014,
    equations 16 to 19).

    Examples
    --------
    Luo et al. 2014, example 1: F_c = 2/5, F_n = 4/7, BLANC = 17/35.

    >>> blanc = Blanc()
    >>> table = Overlap([list("abc"), list("d")], [list("bc"), list("de")])
    >>> blanc.statistics(table)[:6]
    (1, 3, 2, 2, 3, 4)
    >>> abs(blanc.scores(blanc.statistics(table)).f1 - 17 / 35) < 1e-15
    True
    """

    name = "blanc"
    title = "BLANC"
    fields = (
        "coreference_common",
        "coreference_key",
        "coreference_response",
        "noncoreference_common",
        "noncoreference_key",
        "noncoreference_response",
        "mentions_common",
        "mentions_key",
        "mentions_response",
    )

    def __init__(self, policy: str = "official") -> None:
        self.policy = policy

    def statistics(self, table: Overlap) -> Row:
        """Links in common, in the key and in the response, of both kinds; and the mentions."""
        if self.policy == "recasens2011":
            key = _links_among(table.key_matched)
            response = _links_among(table.response_matched)
        else:
            key, response = table.key_links, table.response_links
        common = table.common_links
        return (
            common.coreference,
            key.coreference,
            response.coreference,
            common.noncoreference,
            key.noncoreference,
            response.noncoreference,
            table.matched,
            table.key_mentions,
            table.response_mentions,
        )

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """The mean over the kinds of link that the policy counts."""
        c, c_key, c_response, n, n_key, n_response, common, in_key, in_response = sums
        parts = {
            "coreference": ratios(c, c_key, c, c_response, undefined),
            "noncoreference": ratios(n, n_key, n, n_response, undefined),
        }
        if self.policy == "luo2014":
            counted = [
                ratios(c, c_key, c, c_response) if c_key + c_response else None,
                ratios(n, n_key, n, n_response) if n_key + n_response else None,
            ]
        else:
            counted = [
                ratios(c, c_key, c, c_response) if c_key else None,
                ratios(n, n_key, n, n_response) if n_key else None,
            ]
        kinds = [scores for scores in counted if scores is not None]
        if kinds:
            return _mean(kinds, parts, undefined)
        if self.policy == "luo2014" and in_key + in_response:
            same = float(common == in_key == in_response)
            return Scores(same, same, same, same, 1, same, 1, (), parts)
        value = UNDEFINED_AS[undefined]
        return Scores(value, value, value, 0, 0, 0, 0, ("recall", "precision", "f1"), parts)


def _mean(kinds: Sequence[Scores], parts: dict[str, Scores], undefined: str) -> Scores:
    """The mean of each score over kinds of link; 0/0 only where it is 0/0 for all of them."""
    means: dict[str, float] = {}
    missing = []
    for name in ("recall", "precision", "f1"):
        if all(name in kind.undefined for kind in kinds):
            means[name] = UNDEFINED_AS[undefined]
            missing.append(name)
        else:
            means[name] = sum(getattr(kind, name) for kind in kinds) / len(kinds)
    return Scores(
        **means,
        recall_numerator=0 if "recall" in missing else means["recall"],
        recall_denominator=0 if "recall" in missing else 1,
        precision_numerator=0 if "precision" in missing else means["precision"],
        precision_denominator=0 if "precision" in missing else 1,
        undefined=tuple(missing),
        parts=parts,
    )


def _links_among(matched: Sequence[int]) -> Links:
    """The links of one side among the mentions of both sides."""
    coreference = links_within(matched)
    return Links(coreference, pairs(sum(matched)) - coreference)
