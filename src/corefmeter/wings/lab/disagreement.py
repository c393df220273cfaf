"""Where do metrics disagree? The pairs of systems that two metrics order differently.

Conventions: a table of scores maps a system to its score by each metric, ``{system: {metric:
value}}``, as for correlations. Systems that a metric scores alike are not ordered by it, so a tie
is no disagreement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from corefmeter.wings.lab.score_table import require_scores

#: The p-value of the difference between two systems by a metric: (metric, system, system) -> p.
#: The systems may stand in either order.
PValues = Mapping[tuple[str, str, str], float]


class Disagreement(NamedTuple):
    """Two systems that two metrics put in opposite order.

    Metric `metric_a` ranks `system_a` over `system_b`; `metric_b` ranks `system_b` over `system_a`.
    Both differences are above 0; their p-values are None where they are not known.
    """

    metric_a: str
    metric_b: str
    system_a: str
    system_b: str
    difference_a: float
    difference_b: float
    p_a: float | None = None
    p_b: float | None = None

    def sentence(
        self,
        title: Callable[[str], str] = str,
        number: Callable[[float], str] | None = None,
        alpha: float = 0.05,
    ) -> str:
        """Return the disagreement as a sentence, in which p up to `alpha` is called significant.

        `title` and `number` say how metrics and differences are printed.

        Examples
        --------
        >>> found = Disagreement("conll", "lea", "A", "B", 0.3, 0.25, 0.21, 0.034)
        >>> print(found.sentence(str.upper))
        CONLL ranks A over B by 0.30, LEA B over A by 0.25; only LEA's difference is significant
        (p = 0.210 and p = 0.034).
        """
        number = number or amount
        a, b = title(self.metric_a), title(self.metric_b)
        text = (
            f"{a} ranks {self.system_a} over {self.system_b} by {number(self.difference_a)}, "
            f"{b} {self.system_b} over {self.system_a} by {number(self.difference_b)}"
        )
        known = [(name, p) for name, p in ((a, self.p_a), (b, self.p_b)) if p is not None]
        if not known:
            return f"{text}."
        significant = [name for name, p in known if p <= alpha]
        if len(known) == 1:
            verdict = f"{known[0][0]}'s difference is {'' if significant else 'not '}significant"
        elif len(significant) == 1:
            verdict = f"only {significant[0]}'s difference is significant"
        elif significant:
            verdict = "both differences are significant"
        else:
            verdict = "neither difference is significant"
        return f"{text}; {verdict} ({' and '.join(_p_value(p) for _, p in known)})."


def amount(value: float, decimals: int = 2) -> str:
    """Return a difference with so many decimals, but never as nothing.

    Examples
    --------
    >>> amount(1.9400000000000048), amount(0.004)
    ('1.94', '0.004')
    """
    text = f"{value:.{decimals}f}"
    return text if float(text) or not value else f"{value:.1g}"


def _p_value(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def disagreements(
    scores: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str] | None = None,
    p: PValues | None = None,
) -> list[Disagreement]:
    """Return the pairs of systems that two metrics put in opposite order, for each pair of metrics.

    These are the discordant pairs that Kendall's τ counts (Kendall 1938). Moosavi and Strube 2016,
    section 6, discuss one: CoNLL ranks *chen* over *xu*, LEA *xu* over *chen*.

    Parameters
    ----------
    scores
        ``{system: {metric: value}}``; every system has every metric.
    metrics
        Which, and in what order; all of the first system by default.
    p
        The p-value of each difference, as far as known: ``{(metric, system, system): p}``, the
        systems in either order.

    Returns
    -------
    list of Disagreement
        By pairs of metrics in the order of `metrics`; within a pair the clearest first: by the
        larger of the two p-values, then by the smaller of the two differences.

    Raises
    ------
    DataError
        ``missing-score`` when a system has no number for a metric.

    Examples
    --------
    >>> scores = {"chen": {"conll": 54.52, "lea": 46.24}, "xu": {"conll": 52.58, "lea": 46.83}}
    >>> [found] = disagreements(scores)
    >>> print(found.sentence())
    conll ranks chen over xu by 1.94, lea xu over chen by 0.59.
    """
    names = list(next(iter(scores.values()), ()) if metrics is None else dict.fromkeys(metrics))
    require_scores(scores, names)
    known = p or {}

    def chance(metric: str, one: str, other: str) -> float | None:
        return known.get((metric, one, other), known.get((metric, other, one)))

    found = []
    for a, b in combinations(names, 2):
        of_two = []
        for pair in combinations(scores, 2):
            one, other = pair if scores[pair[0]][a] >= scores[pair[1]][a] else pair[::-1]
            by_a = scores[one][a] - scores[other][a]
            by_b = scores[other][b] - scores[one][b]
            if by_a > 0 and by_b > 0:
                p_a, p_b = chance(a, one, other), chance(b, one, other)
                of_two.append(Disagreement(a, b, one, other, by_a, by_b, p_a, p_b))
        found += sorted(of_two, key=_clearness)
    return found


def _clearness(found: Disagreement) -> tuple[float, float]:
    """Return the sort key that puts the clearest disagreement first.

    It is the one with the smallest p-value, of the larger p of each; then the one with the greatest
    difference, of the smaller difference of each.
    """
    known = [1.0 if p is None else p for p in (found.p_a, found.p_b)]
    return max(known), -min(found.difference_a, found.difference_b)


def ordered_pairs(scores: Mapping[str, Mapping[str, float]], a: str, b: str) -> int:
    """Count pairs of systems that both metrics order; the others are tied in one."""
    return sum(
        one[a] != other[a] and one[b] != other[b] for one, other in combinations(scores.values(), 2)
    )
