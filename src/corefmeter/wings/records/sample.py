"""Estimates from a sample: scores of a response of which only some key entities are known.

Entities of the key are drawn, and all their mentions are found out; the rest of the key stays
unknown. To score such a key as if it were whole is a trap: mentions outside of it count as wrong,
so that precision falls towards 0. To cut the response down to them is another: what it wrongly
merged with other mentions is not seen, so that precision rises. Here the response stays whole, and
each drawn entity k answers for its own share of what the response says (Binette et al. 2023, 2024).
With n = |k & r| for each response entity r that has mentions of k,

    links   right: sum of n(n - 1)/2;     of |k|(|k| - 1)/2;  of sum of n(|r| - 1)/2
    b3      right: sum of n^2/|k|, and    of |k|;
            sum of n^2/|r| for precision;                     of sum of n
    ceaf1   right: 1 if k is an r;        of 1;               of sum of n/|r|

Over the whole key these add up to the numerators and the denominators of recall and of precision,
as long as each mention of the response belongs to some key entity. With weights w, 1 over the
chance of k to be drawn, a score is sum w x / sum w d: a ratio of means (Cochran 1977, chapter 6).

The standard error is that of the jackknife. Without k, the score changes by

    e = w (x - score d) / D / (1 - w d / D),    D = sum w d,

and F1 by e of recall times 2P^2/(R + P)^2 and e of precision times 2R^2/(R + P)^2. The variance is
(m - 1)/m times the sum of e^2 over the m entities. Where one entity has all of D, there is none.

Intervals are Wilson's, with the number of independent trials that have the same variance,
score (1 - score)/variance; if that is 0, m. So they stay between 0 and 1, and a sample without an
error does not prove that there are none. Trials are lessened by (z/t)^2 for the quantiles z of the
normal distribution and t of Student's (as Korn & Graubard 1998 do for surveys), with the lesser of
two degrees of freedom: 1/sum (w d/D)^2 - 1, since where few large entities have most links, few
entities decide; and those that the variance itself has (Satterthwaite 1946), twice its square over
its own variance, 2/(sum e^4/(sum e^2)^2 - 1/m), since where few entities have most errors, few say
how large the error is.

What intervals cannot hold: where few of all entities have most links or wrong links, most samples
have none of these, and nothing in them says so. See docs/statistics.md for figures.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf, nan, sqrt
from typing import Any, Literal, NamedTuple

from corefmeter.corpus.convert import as_entities
from corefmeter.metrics import metric_class
from corefmeter.metrics.base import f_measure
from corefmeter.metrics.overlap import pairs
from corefmeter.problems import (
    CorefmeterWarning,
    DataError,
    OptionError,
    Problem,
    amount,
    reject_unknown_keywords,
    unknown,
)

#: Where as few entities of equal weight would decide as much, intervals may be too narrow.
FEW = 30

#: How entities of the key were drawn.
DRAWN = ("uniform", "size")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score as far as a sample shows it.

    Attributes
    ----------
    value
        From 0 to 1; nan for 0/0.
    standard_error
        The square root of its estimated variance; nan where there is none.
    interval
        The confidence interval.
    entities
        How many entities of equal weight would decide as much as those that were drawn.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]
    entities: float

    def __str__(self) -> str:
        """Format the value and its interval in percent."""
        low, high = self.interval
        return f"{100 * self.value:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


@dataclass(frozen=True, slots=True)
class Estimates:
    """Recall, precision and F1 of one metric."""

    recall: Estimate
    precision: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True)
class SampleScores:
    """Estimates of a response's scores from a sample of the key.

    Attributes
    ----------
    links, b3, ceaf1
        Pairwise links, B-cubed, and entities that are exactly right.
    entities, mentions
        How many were drawn, and how many mentions these have.
    missing
        Mentions of these that the response lacks.
    outside
        Mentions of the response that belong to none of these: neither right nor wrong.
    drawn
        ``uniform``, ``size``, or ``chances``.
    level
        Of the intervals.
    problems
        ``few-entities`` where intervals may contain the true value less often than stated.
    """

    links: Estimates
    b3: Estimates
    ceaf1: Estimates
    entities: int
    mentions: int
    missing: int
    outside: int
    drawn: str
    level: float
    problems: tuple[Problem, ...] = ()

    def __str__(self) -> str:
        """Format all values and their intervals as a table."""
        rows = [["", "R", "P", "F1"]]
        for name in ("links", "b3", "ceaf1"):
            of = getattr(self, name)
            rows.append([metric_class(name).title, *map(str, (of.recall, of.precision, of.f1))])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        drawn = f"{amount(self.entities, 'cluster')} of the key, drawn: {self.drawn}"
        return "\n".join([*lines, f"percent [{self.level:.0%} interval], from {drawn}"])


@reject_unknown_keywords()
def estimate(
    key: Iterable[Iterable[Any]],
    response: Iterable[Iterable[Any]] | Mapping[Any, Hashable],
    drawn: Literal["uniform", "size"] | Sequence[float] = "uniform",
    level: float = 0.95,
) -> SampleScores:
    """Estimate scores from a key of which only a sample of the entities is known.

    Parameters
    ----------
    key
        The entities that were drawn, each with all its mentions. One that was drawn twice is given
        twice.
    response
        All response entities that have mentions of these, each with *all* its mentions; others may
        be given too. Or a mapping from mentions to the names of their entities.
    drawn
        How entities of the key were drawn, independently of each other: ``uniform``, each as
        likely; ``size``, by drawing mentions, so in proportion to their size; or for each given
        entity a number that its chance is in proportion to.
    level
        Of the confidence intervals, between 0 and 1.

    Warns
    -----
    CorefmeterWarning
        ``few-entities`` where a score rests on as much as fewer than 30 entities of equal weight.

    Raises
    ------
    DataError
        ``bad-value`` where there are no entities; ``repeated-mention`` for a mention in two
        entities of a side.
    OptionError
        For fewer than two entities, for chances that do not fit, and for a response that has no
        mention outside of the key: either the key is no sample, and `score` gives the scores
        themselves, or the response was cut down to it, and would seem too precise.

    Examples
    --------
    Two of many entities were drawn. Of the links of the response, ab is right; cd and ex are wrong,
    and half of each link to another entity is theirs: 1 of 1 + 1/2 + 1/2.

    >>> found = estimate([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d"], ["e", "x"]])
    >>> found.links.recall.value, found.links.precision.value, found.outside
    (0.25, 0.4, 1)
    """
    if not 0 < level < 1:
        raise OptionError(f"level is between 0 and 1, not {level!r}")
    _require_lists(key, "key")
    _require_lists(response, "response")
    entities = as_entities(key)
    weights = _weights(drawn, entities)
    _require_disjoint(set(map(frozenset, entities)), "key")
    home, sizes = _homes(response)
    mentions = set().union(*entities)
    outside = len(home) - len(home.keys() & mentions)
    if not outside:
        raise OptionError(
            "the response has no mention outside of the sampled key. If the key is whole, use "
            "score; if the response was cut down to the mentions of the key, give the whole one: "
            "what it wrongly merges with other mentions would be missed"
        )
    shares = [_shares(entity, home, sizes) for entity in entities]
    links, b3, ceaf1 = (
        _estimates([share[place] for share in shares], weights, level) for place in range(3)
    )
    problems = _problems({"links": links, "b3": b3, "ceaf1": ceaf1})
    for problem in problems:
        warnings.warn(str(problem), CorefmeterWarning, stacklevel=3)
    return SampleScores(
        links,
        b3,
        ceaf1,
        entities=len(entities),
        mentions=len(mentions),
        missing=len(mentions - home.keys()),
        outside=outside,
        drawn=drawn if isinstance(drawn, str) else "chances",
        level=level,
        problems=problems,
    )


def _require_lists(value: Any, side: str) -> None:
    """Refuse a path, a frame or a series, and say how to get lists from it."""
    if isinstance(value, str | os.PathLike):
        raise OptionError(
            f"the {side} is the name of a file; read it, for example with pandas "
            'pandas.read_csv(file).groupby("cluster")["item"].agg(list).tolist()'
        )
    if hasattr(value, "columns"):
        raise OptionError(
            f"the {side} is a table; give a list of items for each cluster: with pandas "
            'frame.groupby("cluster")["item"].agg(list).tolist(), with Polars '
            'frame.group_by("cluster").agg("item")["item"].to_list()'
        )
    if hasattr(value, "to_frame"):
        labels = "; of clusters by item, series.to_dict()" if side == "response" else ""
        raise OptionError(f"the {side} is a series; of lists, give list(series){labels}")


def _problems(found: Mapping[str, Estimates]) -> tuple[Problem, ...]:
    """Return problems that make intervals doubtful."""
    few = {}
    for name, of in found.items():
        rates = (of.recall, of.precision, of.f1)
        least = min((one.entities for one in rates if one.value == one.value), default=inf)
        if least < FEW:
            few[name] = least
    if not few:
        return ()
    shown = ", ".join(f"{name} on {number:.0f}" for name, number in few.items())
    message = (
        f"estimates rest on few entities: {shown} of equal weight. If a few of all entities have "
        "most of the links, intervals contain the true value less often than stated"
    )
    hint = "Draw more entities, and in proportion to size if pairwise scores matter."
    return (Problem("few-entities", message, "warning", hint=hint),)


class _Share(NamedTuple):
    """Contribution of one key entity to a metric's numerators and denominators."""

    recall_numerator: float
    recall_denominator: float
    precision_numerator: float
    precision_denominator: float


def _weights(drawn: str | Sequence[float], entities: Sequence[Sequence[Any]]) -> list[float]:
    """Return one over the chance of each entity to be drawn, up to a factor."""
    if len(entities) < 2:
        raise OptionError("an estimate needs two entities of the key or more")
    if isinstance(drawn, str):
        if drawn not in DRAWN:
            raise unknown("value of drawn", drawn, DRAWN)
        return [1 / len(entity) if drawn == "size" else 1.0 for entity in entities]
    chances = [float(chance) for chance in drawn]
    if len(chances) != len(entities):
        raise OptionError(f"drawn has {len(chances)} chances for {len(entities)} entities")
    if not all(0 < chance < inf for chance in chances):
        raise OptionError("drawn: chances are numbers above 0")
    return [1 / chance for chance in chances]


def _homes(response: Any) -> tuple[dict[Any, Any], Mapping[Any, int]]:
    """Return the entity of each response mention, and the sizes of entities."""
    if isinstance(response, Mapping):
        home = dict(response)
        return home, Counter(home.values())
    entities = as_entities(response)
    _require_disjoint(entities, "response")
    home = {mention: number for number, entity in enumerate(entities) for mention in entity}
    return home, {number: len(entity) for number, entity in enumerate(entities)}


def _require_disjoint(entities: Iterable[Iterable[Any]], side: str) -> None:
    counts = Counter(mention for entity in entities for mention in entity)
    twice = [mention for mention, count in counts.items() if count > 1]
    if twice:
        message = f"{len(twice)} mentions of the {side} occur twice, as does {twice[0]!r}"
        raise DataError(Problem("repeated-mention", message, "error"))


def _shares(entity: Sequence[Any], home: Mapping[Any, Any], sizes: Mapping[Any, int]) -> Any:
    """Return an entity's contributions to links, B-cubed and exact entities; see the module."""
    size = len(entity)
    common = Counter(home[mention] for mention in entity if mention in home)
    # For each response entity: the mentions in common, and its size.
    cells = [(n, sizes[r]) for r, n in common.items()]
    links = sum(pairs(n) for n, _ in cells)
    response_links = sum(n * (other - 1) for n, other in cells) / 2
    b3_recall = sum(n * n for n, _ in cells) / size
    b3_precision = fsum(n * n / other for n, other in cells)
    exact = sum(n == size == other for n, other in cells)
    return (
        _Share(links, pairs(size), links, response_links),
        _Share(b3_recall, size, b3_precision, sum(n for n, _ in cells)),
        _Share(exact, 1, exact, fsum(n / other for n, other in cells)),
    )


class _Ratio(NamedTuple):
    """A ratio of weighted sums, nan for 0/0, and by how much it changes without each entity.

    `changes` are None where that is unknown. As many `entities` of equal weight decide as much.
    """

    value: float
    changes: Sequence[float] | None
    entities: float


def _estimates(shares: Sequence[_Share], weights: Sequence[float], level: float) -> Estimates:
    """Return recall, precision and F1 of one metric."""
    rn, rd, pn, pd = zip(*shares, strict=True)
    recall, precision = _ratio(rn, rd, weights), _ratio(pn, pd, weights)
    ratios = (recall, precision, _f1(recall, precision))
    return Estimates(*(_estimate(ratio, level) for ratio in ratios))


def _ratio(
    numerators: Sequence[float], denominators: Sequence[float], weights: Sequence[float]
) -> _Ratio:
    over = fsum(w * d for w, d in zip(weights, denominators, strict=True))
    if not over:
        return _Ratio(nan, None, 0)
    value = fsum(w * x for w, x in zip(weights, numerators, strict=True)) / over
    parts = [w * d / over for w, d in zip(weights, denominators, strict=True)]
    changes = None
    if max(parts) < 1:
        changes = [
            (w * x / over - value * part) / (1 - part)
            for w, x, part in zip(weights, numerators, parts, strict=True)
        ]
    return _Ratio(value, changes, 1 / fsum(part * part for part in parts))


def _f1(recall: _Ratio, precision: _Ratio) -> _Ratio:
    """Return the harmonic mean: undefined if both rates are, 0 if one is."""
    r, p = recall.value, precision.value
    entities = min(recall.entities, precision.entities)
    if r != r or p != p:
        return _Ratio(nan if r != r and p != p else 0.0, None, 0)
    if recall.changes is None or precision.changes is None:
        return _Ratio(f_measure(r, p), None, entities)
    total = (r + p) ** 2 or 1
    by_recall, by_precision = 2 * p * p / total, 2 * r * r / total
    changes = [
        by_recall * one + by_precision * other
        for one, other in zip(recall.changes, precision.changes, strict=True)
    ]
    return _Ratio(f_measure(r, p), changes, entities)


def _estimate(ratio: _Ratio, level: float) -> Estimate:
    """Return a value with its standard error and interval; (0, 1) where nothing is known."""
    value = ratio.value
    if value != value:
        return Estimate(nan, nan, (nan, nan), 0)
    if ratio.changes is None or ratio.entities <= 1:
        return Estimate(value, nan, (0.0, 1.0), ratio.entities)
    from scipy.special import stdtrit

    m = len(ratio.changes)
    variance = (m - 1) / m * fsum(change * change for change in ratio.changes)
    spread = max(0.0, value * (1 - value))
    trials = spread / variance if variance else m
    # Trials over z^2, so that where next to none are left the interval is (0, 1).
    weight = trials / float(stdtrit(_freedom(ratio), (1 + level) / 2)) ** 2
    middle = (value * weight + 0.5) / (weight + 1)
    half = sqrt(spread * weight + 0.25) / (weight + 1)
    # Where the value is 1, the formula gives 1; rounding must not miss it.
    high = 1.0 if value == 1 else min(1.0, middle + half)
    return Estimate(value, sqrt(variance), (max(0.0, middle - half), high), ratio.entities)


def _freedom(ratio: _Ratio) -> float:
    """Return the degrees of freedom of Student's distribution."""
    squares = [change * change for change in ratio.changes or ()]
    by_weight, total = ratio.entities - 1, fsum(squares)
    if not total:
        return by_weight
    excess = fsum((square / total) ** 2 for square in squares) - 1 / len(squares)
    # If all changes are alike, rounding must not divide by 0.
    return min(by_weight, 2 / excess) if excess > 1e-12 else by_weight
