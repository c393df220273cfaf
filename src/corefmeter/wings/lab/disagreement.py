"""Where do metrics disagree? The pairs of systems that two metrics order differently.

A metric does not order systems that it scores alike, so a tie is not a disagreement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from corefmeter.wings.lab.score_table import Scores, require_scores

#: The p-value of the difference between two systems by a metric: (metric, system, system) -> p.
#: The two systems may be in either order.
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

        `title` formats the names of metrics, `number` the differences.

        >>> disagreement = Disagreement("conll", "lea", "A", "B", 0.3, 0.25, 0.21, 0.034)
        >>> print(disagreement.sentence(str.upper))
        CONLL ranks A over B by 0.30, LEA B over A by 0.25; only LEA's difference is significant
        (p = 0.210 and p = 0.034).
        """
        number = number or format_difference
        a, b = title(self.metric_a), title(self.metric_b)
        text = f"{a} ranks {self.system_a} over {self.system_b} by {number(self.difference_a)}, "
        text += f"{b} {self.system_b} over {self.system_a} by {number(self.difference_b)}"
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
        p_values = ["p < 0.001" if p < 0.001 else f"p = {p:.3f}" for _, p in known]
        return f"{text}; {verdict} ({' and '.join(p_values)})."


def format_difference(value: float, decimals: int = 2) -> str:
    """Format a difference with this number of decimals, or more if it would be printed as 0.

    >>> format_difference(1.9400000000000048), format_difference(0.004)
    ('1.94', '0.004')
    """
    text = f"{value:.{decimals}f}"
    return text if float(text) or not value else f"{value:.1g}"


def disagreements(
    scores: Scores, metrics: Sequence[str] | None = None, p: PValues | None = None
) -> list[Disagreement]:
    """Return the pairs of systems that two metrics put in opposite order, for each pair of metrics.

    These are the discordant pairs that Kendall's τ counts (Kendall 1938). Moosavi and Strube 2016,
    section 6, discuss one: CoNLL ranks *chen* over *xu*, LEA *xu* over *chen*.

    Parameters
    ----------
    scores
        ``{system: {metric: value}}``; every system has every metric.
    metrics
        The metrics to compare, in this order; by default all metrics of the first system.
    p
        The known p-values of differences: ``{(metric, system, system): p}``, the two systems in
        either order.

    Returns
    -------
    list of Disagreement
        By pairs of metrics in the order of `metrics`. Within a pair the clearest disagreement comes
        first: they are sorted by the larger of the two p-values, then by the smaller difference.

    Raises
    ------
    DataError
        ``missing-score`` when a system has no number for a metric.

    Examples
    --------
    >>> scores = {"chen": {"conll": 54.52, "lea": 46.24}, "xu": {"conll": 52.58, "lea": 46.83}}
    >>> [disagreement] = disagreements(scores)
    >>> print(disagreement.sentence())
    conll ranks chen over xu by 1.94, lea xu over chen by 0.59.
    """
    names = list(next(iter(scores.values()), ()) if metrics is None else dict.fromkeys(metrics))
    require_scores(scores, names)
    known = p or {}

    def p_value(metric: str, system: str, other: str) -> float | None:
        return known.get((metric, system, other), known.get((metric, other, system)))

    result = []
    for a, b in combinations(names, 2):
        opposite = []
        for system, other in combinations(scores, 2):
            is_better = scores[system][a] > scores[other][a]
            better, worse = (system, other) if is_better else (other, system)
            difference_a = scores[better][a] - scores[worse][a]
            difference_b = scores[worse][b] - scores[better][b]
            if difference_a > 0 and difference_b > 0:
                p_a, p_b = p_value(a, better, worse), p_value(b, better, worse)
                opposite.append(
                    Disagreement(a, b, better, worse, difference_a, difference_b, p_a, p_b)
                )
        result += sorted(opposite, key=_clearness)
    return result


def _clearness(disagreement: Disagreement) -> tuple[float, float]:
    """Return the sort key that puts the clearest disagreement first; see `disagreements`."""
    p_values = [1.0 if p is None else p for p in (disagreement.p_a, disagreement.p_b)]
    return max(p_values), -min(disagreement.difference_a, disagreement.difference_b)


def count_ordered_pairs(scores: Scores, a: str, b: str) -> int:
    """Count the pairs of systems that are tied by neither of two metrics."""
    return sum(
        system[a] != other[a] and system[b] != other[b]
        for system, other in combinations(scores.values(), 2)
    )
