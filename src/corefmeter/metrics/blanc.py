"""BLANC (Recasens & Hovy 2011; for system mentions Luo et al. 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

from corefmeter.metrics.base import (
    SCALARS,
    Arithmetic,
    Metric,
    Number,
    Rates,
    Row,
    Scores,
    ratio_rates,
    ratios,
)
from corefmeter.metrics.options import BLANC
from corefmeter.metrics.overlap import Overlap


class Blanc(Metric):
    """R = (R_c + R_n)/2, P = (P_c + P_n)/2, F = (F_c + F_n)/2: a mean of Fs, not an F of means.

    R_c = |C_k & C_r| / |C_k|, P_c = |C_k & C_r| / |C_r|; R_n, P_n likewise with N (Luo et al. 2014,
    equations 16 to 19). C is the set of pairs within entities, N the set of pairs across entities.

    Parameters
    ----------
    blanc
        The rule if one type of link is missing:

        - ``official`` (v8.01): link types that the *key* lacks are left out; without any, 0/0.
        - ``luo2014`` (section 4.1): a link type is left out only if *neither* side has such links.
          Without any links, the score is 1 if both sides have the same mentions, else 0.
        - ``corefud`` (corefud-scorer): as ``luo2014``, but without links the score is 0/0.
        - ``recasens2011`` (BLANC-gold, equations 2 to 8 of Luo et al. 2014): only links between
          mentions of both sides count. A link type that the key lacks is left out. With at most
          one mention, the score is 0/0.

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
    about = "Mean of links within entities and links across entities."
    papers = ("recasens-hovy-2011", "luo-etal-2014")
    sets = True
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
    options = (BLANC,)

    def __init__(self, blanc: str = "official") -> None:
        self.policy = blanc

    @property
    def deciding(self) -> tuple[str, ...]:
        """The links, and the mentions only if the policy needs them for lack of links."""
        return self.fields if self.policy == "luo2014" else self.fields[:6]

    @property
    def twinless(self) -> bool:
        """Whether mentions of one side count; BLANC-gold is defined on the mentions of both."""
        return self.policy != "recasens2011"

    @property
    def as_official(self) -> bool:
        """Whether links count as in the official scorer, by all policies but BLANC-gold."""
        return self.policy != "recasens2011"

    def statistics(self, table: Overlap) -> Row:
        """Return the links in common, in key and response, of both kinds; and the mentions."""
        if self.policy == "recasens2011":
            key, response = table.matched_links
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

    def on_sets(self, table: Overlap) -> Scores:
        """Compute the scores of two sets; a single mention without links is right or wrong."""
        return Blanc("luo2014").scores(self.statistics(table))

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """Return the mean over 1, or 0/0: a mean of ratios has no counts of its own."""
        rates = self.rates(sums)
        recall = (rates.recall, 1) if rates.recall == rates.recall else (0, 0)
        precision = (rates.precision, 1) if rates.precision == rates.precision else (0, 0)
        return *recall, *precision

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """Return the mean over the kinds of link that the policy counts; both kinds are parts."""
        c, c_key, c_response, n, n_key, n_response, *_ = sums
        parts = {
            "coreference": ratios(c, c_key, c, c_response, undefined),
            "noncoreference": ratios(n, n_key, n, n_response, undefined),
        }
        return super().scores(sums, undefined)._replace(parts=parts)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return the mean over the kinds of link that the policy counts."""
        c, c_key, c_response, n, n_key, n_response, common, in_key, in_response = sums
        without_links = nan
        if self.policy in ("luo2014", "corefud"):
            has_c, has_n = c_key + c_response > 0, n_key + n_response > 0
        else:
            has_c, has_n = c_key > 0, n_key > 0
        if self.policy == "luo2014":
            same = on.where((common == in_key) & (in_key == in_response), 1.0, 0.0)
            without_links = on.where(in_key + in_response > 0, same, nan)
        coreference = ratio_rates((c, c_key, c, c_response), on)
        noncoreference = ratio_rates((n, n_key, n, n_response), on)
        means = (
            _mean(one, has_c, other, has_n, on)
            for one, other in zip(coreference, noncoreference, strict=True)
        )
        return Rates(*(on.where(has_c | has_n, mean, without_links) for mean in means))


def _mean(one: Any, has_one: Any, other: Any, has_other: Any, on: Arithmetic) -> Any:
    """Return the mean of two rates, without one whose kind of link does not count (`has_…`).

    A rate that is 0/0 counts as 0; if all are that count, so is the mean.
    """
    known_one, known_other = has_one & (one == one), has_other & (other == other)
    total = on.where(known_one, one, 0.0) + on.where(known_other, other, 0.0)
    mean = on.ratio(total, on.where(has_one, 1, 0) + on.where(has_other, 1, 0))
    return on.where(known_one | known_other, mean, nan)
