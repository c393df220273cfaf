"""Estimates from a sample: scores of a response if only some key entities are known.

The response stays complete, and each drawn entity k gets its own share of the response's decisions
(Binette et al. 2023, 2024). With n = |k & r| for each response entity r that has mentions of k, the
numerator, and the denominators of recall and precision are

    links   sum of n(n - 1)/2;            |k|(|k| - 1)/2;     sum of n(|r| - 1)/2
    b3      sum of n^2/|k|, and
            sum of n^2/|r| for precision; |k|;                sum of n
    ceaf1   1 if k is an r;               1;                  sum of n/|r|

Over the whole key these add up to the numerators and denominators of the scores, if each mention of
the response belongs to some key entity. With weights w, 1 over the chance of k to be drawn, a score
is sum w x / sum w d: a ratio of means (Cochran 1977, chapter 6).

The standard error is that of the jackknife. Without k, the score changes by

    e = w (x - score d) / D / (1 - w d / D),    D = sum w d,

and F1 by e of recall times 2P^2/(R + P)^2 and e of precision times 2R^2/(R + P)^2. The variance is
(m - 1)/m times the sum of e^2 over the m entities. It is undefined if one entity has all of D.

Intervals are Wilson's, for the number of independent trials with the same variance, score (1 -
score)/variance, or m if the variance is 0. So they stay between 0 and 1, and a sample without an
error does not prove that there are none. The number of trials is multiplied by (z/t)^2, where z and
t are quantiles of the normal and of Student's distribution (as in Korn & Graubard 1998 for
surveys). Student's distribution has the smaller of two degrees of freedom. The first is 1/sum (w
d/D)^2 - 1, because the score depends on few entities if these have most links. The second is that
of the variance itself (Satterthwaite 1946): twice its square over its own variance, 2/(sum e^4/(sum
e^2)^2 - 1/m), because the variance depends on few entities if these have most errors.

Without k, the difference of two scores changes by the difference of their changes. Its interval and
p are those of Student's distribution with these degrees of freedom.

docs/statistics.md has the reasons, and figures of the limits.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import fsum, inf, isnan, nan, sqrt
from typing import Any, Literal, NamedTuple

from corefmeter.calls import is_missing
from corefmeter.corpus.convert import as_entities
from corefmeter.corpus.structures import grouped
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
from corefmeter.recipe import Recipe
from corefmeter.wings.records.calls import Request
from corefmeter.wings.records.frames import report_table_errors

#: With fewer effective entities, intervals may be too narrow; see `Estimate.entities`.
FEW = 30

#: Clusters that are drawn as often as this on average are probably drawn several times.
_REDRAWN = 0.5

#: A mean size that is wrong by so many standard errors and by this factor is no chance.
_FAR, _OTHER_SIZE = 4, 1.5

#: The metrics that can be estimated.
METRICS = ("links", "b3", "ceaf1")

#: Ways to draw entities of the key.
DRAWN = ("uniform", "size")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score estimated from a sample.

    Attributes
    ----------
    value
        From 0 to 1; nan for 0/0.
    standard_error
        The square root of its estimated variance; nan if that is undefined.
    interval
        The confidence interval.
    entities
        The effective number of entities: entities of equal weight with the same influence.
    changes
        The change of the score if each entity is left out; None if that is undefined.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]
    entities: float
    changes: Sequence[float] | None = field(default=None, repr=False, compare=False)

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
        Number of drawn entities, and of their mentions.
    missing
        Number of these mentions that the response lacks.
    outside
        Number of response mentions in no drawn entity, which are neither right nor wrong.
    drawn
        ``uniform``, ``size``, or ``chances``.
    level
        Confidence level of the intervals.
    problems
        ``few-entities`` if intervals may contain the true value less often than stated.
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
        for name in METRICS:
            scores = getattr(self, name)
            cells = map(str, (scores.recall, scores.precision, scores.f1))
            rows.append([metric_class(name).title, *cells])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        drawn = f"{amount(self.entities, 'cluster')} of the key, drawn: {self.drawn}"
        return "\n".join([*lines, f"percent [{self.level:.0%} interval], from {drawn}"])


@reject_unknown_keywords()
def estimate(
    key: Any,
    response: Any,
    drawn: Literal["uniform", "size"] | Sequence[float] = "uniform",
    level: float = 0.95,
    *,
    item: str | Sequence[str] = (),
    cluster: str | tuple[str, str] = "cluster",
) -> SampleScores:
    """Estimate scores from a sample of the entities of a key.

    Parameters
    ----------
    key
        The sampled entities, each with all its mentions, as lists or as a table with a row for each
        mention. In lists, an entity that was drawn twice occurs twice.
    response
        All response entities that contain mentions of the sample, each with *all* its mentions.
        Other entities are optional. Pass lists, a mapping from mentions to entity names, or a table
        of the same library as the key.
    drawn
        How the key entities were drawn, independently of each other: with equal probability
        (``uniform``), or in proportion to their size, for example by drawing mentions (``size``).
        For lists, numbers proportional to the probability of each entity are also accepted.
    level
        Confidence level of the intervals, between 0 and 1.
    item, cluster
        Columns of tables, as for `score_tables`.

    Warns
    -----
    CorefmeterWarning
        ``few-entities`` if a score is based on fewer than 30 effective entities.

    Raises
    ------
    DataError
        ``bad-value`` if there are no entities, ``repeated-mention`` if a mention is in two entities
        of a side. For tables, also the errors of `score_tables`.
    OptionError
        For fewer than two entities, for invalid probabilities, and for a response without mentions
        outside the key. In the last case, either the key is complete (use `score`), or the response
        was restricted to the mentions of the key. This would make precision seem too high.

    Examples
    --------
    Two entities were drawn from many. The link ab of the response is right; cd and ex are wrong.
    Each wrong link is shared by two key entities. So precision is 1 / (1 + (1/2 + 1/2) + 1/2).

    >>> found = estimate([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d"], ["e", "x"]])
    >>> found.links.recall.value, found.links.precision.value, found.outside
    (0.25, 0.4, 1)
    """
    if hasattr(key, "columns") and hasattr(response, "columns"):
        if not isinstance(drawn, str):
            raise OptionError("drawn: of tables, name how clusters were drawn: uniform or size")
        with report_table_errors():
            sample = sample_of_tables(Request(key, response, item, cluster, None))
    else:
        _require_lists(key, "key")
        _require_lists(response, "response")
        sample = _sample_of_lists(key, response)
    scores = estimate_sample(sample, drawn, level)
    for problem in scores.problems:
        warnings.warn(str(problem), CorefmeterWarning, stacklevel=3)
    return scores


class SampledEntity(NamedTuple):
    """A key entity: its size, and a cell for each response entity with mentions of it.

    A cell is the number of mentions in common and the size of the response entity.
    """

    size: int
    cells: list[tuple[int, int]]


class Sample(NamedTuple):
    """The drawn entities, the number of their mentions, and how a response differs from them.

    The response lacks `missing` of these mentions, and has `outside` mentions in none of them,
    in `response_entities` entities altogether. `problems` are those of tables; `has_copies` is
    whether an entity is given twice.
    """

    entities: list[SampledEntity]
    mentions: int
    missing: int
    outside: int
    response_entities: int
    problems: Sequence[Problem] = ()
    has_copies: bool = False


def _sample_of_lists(key: Any, response: Any) -> Sample:
    entities = as_entities(key)
    # An entity that was drawn twice is given twice, but has each of its mentions once.
    _require_disjoint({frozenset(entity): entity for entity in entities}.values(), "key")
    home, sizes = _homes(response)
    sampled = []
    for entity in entities:
        common = Counter(home[mention] for mention in entity if mention in home)
        sampled.append(SampledEntity(len(entity), [(n, sizes[r]) for r, n in common.items()]))
    mentions = set().union(*entities)
    matched = len(home.keys() & mentions)
    missing, outside = len(mentions) - matched, len(home) - matched
    has_copies = len(set(map(frozenset, entities))) < len(entities)
    return Sample(sampled, len(mentions), missing, outside, len(sizes), has_copies=has_copies)


def sample_of_tables(request: Request) -> Sample:
    """Count the sampled clusters in the engine of two tables; only counts leave it.

    They are in the order of their names, so that the samples of two responses have the same order.
    """
    import narwhals as nw

    query = request.query(Recipe(repeated="error"))
    with closing(query.engine):
        sides = query.sides(*request.tables, request.steady)
        cells = query.engine.keep(query.cells(sides))
        entities = query.entities(cells, sides.sizes)
        with_sizes = cells.join(sides.sizes[1], on="r", how="inner")
        rows = query.engine.rows(with_sizes.select("k", "n", "response_size"))
        by_cluster = grouped((name, (int(n), int(size))) for name, n, size in rows)
        sampled = [
            SampledEntity(int(size), by_cluster.get(name, []))
            for name, size in sorted(
                query.engine.rows(sides.sizes[0].select("k", "key_size")),
                key=lambda row: str(row[0]),
            )
        ]
        size = nw.col("response_size")
        totals = sides.sizes[1].select(size.sum().alias("n"), size.count().alias("r"))
        ((response_mentions, response_entities),) = query.engine.rows(totals)
        mentions = sum(entity.size for entity in sampled)
        matched = sum(n for entity in sampled for n, _ in entity.cells)
        missing, outside = mentions - matched, int(response_mentions) - matched
        query.check_ids(sides, entities, (missing, outside))
    return Sample(sampled, mentions, missing, outside, int(response_entities), query.problems)


def estimate_sample(
    sample: Sample,
    drawn: Literal["uniform", "size"] | Sequence[float],
    level: float = 0.95,
    metrics: Sequence[str] = METRICS,
) -> SampleScores:
    """Estimate scores like `estimate`, without warnings; report few entities of some metrics."""
    if not 0 < level < 1:
        raise OptionError(f"level must be between 0 and 1, not {level!r}")
    weights = _weights(drawn, [entity.size for entity in sample.entities])
    if not sample.outside:
        raise OptionError(
            "the response has no mention outside of the sampled key. If the key is complete, use "
            "score. If the response was reduced to the mentions of the key, give the complete one; "
            "otherwise its wrong links to other mentions are missed"
        )
    by_metric = zip(*map(_shares, sample.entities), strict=True)
    estimates = (_estimates(shares, weights, level) for shares in by_metric)
    found = dict(zip(METRICS, estimates, strict=True))
    few = _problems({name: found[name] for name in metrics})
    noticed = (*_warn_of_redrawn(sample, drawn), *_warn_of_sizes(sample, weights), *few)
    return SampleScores(
        **found,
        entities=len(sample.entities),
        mentions=sample.mentions,
        missing=sample.missing,
        outside=sample.outside,
        drawn=drawn if isinstance(drawn, str) else "chances",
        level=level,
        problems=(*sample.problems, *noticed),
    )


def _require_lists(value: Any, side: str) -> None:
    """Refuse a path, a single table, and a series, with a hint what to give instead."""
    is_path = isinstance(value, str | os.PathLike)
    if is_path or hasattr(value, "columns") or hasattr(value, "to_frame"):
        hint = "give lists, such as list(series), or tables on both sides; for files, run "
        hint += '"corefmeter clusters estimate"'
        raise OptionError(f"the {side} is of type {type(value).__name__!r}; {hint}")


def _problems(estimates: Mapping[str, Estimates]) -> tuple[Problem, ...]:
    """Return a warning if scores have too few effective entities."""
    few = {}
    for name, scores in estimates.items():
        rates = (scores.recall, scores.precision, scores.f1)
        least = min((rate.entities for rate in rates if not isnan(rate.value)), default=inf)
        if least < FEW:
            few[name] = least
    if not few:
        return ()
    shown = ", ".join(f"{name} on {number:.0f}" for name, number in few.items())
    message = f"estimates are based on few entities: {shown} of equal weight. If a few of all "
    message += "entities have most of the links, intervals contain the true value less often than "
    message += "stated"
    hint = "Draw more entities; draw them in proportion to size if pairwise scores matter."
    return (Problem("few-entities", message, "warning", hint=hint),)


def _weights(drawn: str | Sequence[float], sizes: Sequence[int]) -> list[float]:
    """Return one over the chance of each entity to be drawn, up to a common factor."""
    if len(sizes) < 2:
        raise OptionError("an estimate needs at least two entities of the key")
    if isinstance(drawn, str):
        if drawn not in DRAWN:
            raise unknown("value of drawn", drawn, DRAWN)
        return [1 / size if drawn == "size" else 1.0 for size in sizes]
    try:
        weights = [1 / float(chance) for chance in drawn]
    except (TypeError, ValueError, ArithmeticError):
        weights = []
    if len(weights) != len(sizes) or not all(0 < weight < inf for weight in weights):
        message = f"drawn is {drawn!r:.60}, but must be uniform, size, or a list of chances"
        raise OptionError(f"{message}: {len(sizes)} finite numbers above 0, one for each entity")
    return weights


def _warn_of_redrawn(sample: Sample, drawn: str | Sequence[float]) -> list[Problem]:
    """Warn if a large cluster was probably drawn several times, but is given once.

    With m items drawn of N, a cluster of n is drawn m n / N times on average.
    """
    largest = max(entity.size for entity in sample.entities)
    items = sample.mentions - sample.missing + sample.outside
    times = len(sample.entities) * largest / items
    if drawn != "size" or times < _REDRAWN or sample.has_copies:
        return []
    message = f"a cluster of {largest:,} items is drawn {times:.1f} times on average, but each "
    message += "cluster is given once, so that large clusters count too little"
    hint = "Give each cluster as often as it was drawn, in lists, to corefmeter.estimate."
    return [Problem("drawn-again", message, hint=hint)]


def _warn_of_sizes(sample: Sample, weights: Sequence[float]) -> list[Problem]:
    """Warn if the clusters were probably drawn in another way than stated.

    The mean size of all response clusters is known, and is also estimated from the sample: matched
    items over the sum of n / size, where a response cluster of this size has n of them.
    """
    items = [float(sum(n for n, _ in entity.cells)) for entity in sample.entities]
    clusters = [fsum(n / size for n, size in entity.cells) for entity in sample.entities]
    estimated, changes, _ = _ratio(items, clusters, weights)
    known = (sample.mentions - sample.missing + sample.outside) / sample.response_entities
    if not changes or abs(estimated - known) <= _FAR * sqrt(_variance(changes)):
        return []
    if 1 / _OTHER_SIZE < estimated / known < _OTHER_SIZE:
        return []
    message = (
        f"by this sample, clusters of the response have {estimated:.1f} items on average, but they "
        f"have {known:.1f}; the sample was probably drawn in another way"
    )
    hint = "Ask how the sample was drawn: clusters with equal chances (uniform) or items (size)."
    return [Problem("drawn-otherwise", message, "warning", hint=hint)]


def _homes(response: Any) -> tuple[dict[Any, Any], Mapping[Any, int]]:
    """Return the name of the entity of each response mention, and the sizes of entities."""
    if isinstance(response, Mapping):
        home = dict(response)
        if missing := sum(map(is_missing, home.values())):
            message = f"{missing} of {len(home)} mentions of the response have no entity"
            raise DataError(Problem("empty-cell", message, "error", count=missing))
        return home, Counter(home.values())
    entities = as_entities(response)
    _require_disjoint(entities, "response")
    home = {mention: number for number, entity in enumerate(entities) for mention in entity}
    return home, {number: len(entity) for number, entity in enumerate(entities)}


def _require_disjoint(entities: Iterable[Iterable[Any]], side: str) -> None:
    counts = Counter(mention for entity in entities for mention in entity)
    repeated = [mention for mention, count in counts.items() if count > 1]
    if repeated:
        message = f"{len(repeated)} mentions of the {side} occur twice, such as {repeated[0]!r}"
        raise DataError(Problem("repeated-mention", message, "error"))


def _shares(entity: SampledEntity) -> tuple[_Share, _Share, _Share]:
    """Return an entity's contributions to links, B-cubed and exact entities; see the module."""
    size, cells = entity
    links = sum(pairs(n) for n, _ in cells)
    response_links = sum(n * (response_size - 1) for n, response_size in cells) / 2
    b3_recall = sum(n * n for n, _ in cells) / size
    b3_precision = fsum(n * n / response_size for n, response_size in cells)
    exact = sum(n == size == response_size for n, response_size in cells)
    return (
        (links, pairs(size), links, response_links),
        (b3_recall, size, b3_precision, sum(n for n, _ in cells)),
        (exact, 1, exact, fsum(n / response_size for n, response_size in cells)),
    )


#: The contribution of one key entity: numerator and denominator of recall, then of precision.
_Share = tuple[float, float, float, float]


class _Ratio(NamedTuple):
    """A ratio of weighted sums, nan for 0/0, and its change if each entity is left out.

    `changes` are None if they are undefined. `entities` is the effective number of entities.
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
    """Return the ratio of two weighted sums over entities."""
    denominator = fsum(w * d for w, d in zip(weights, denominators, strict=True))
    if not denominator:
        return _Ratio(nan, None, 0)
    value = fsum(w * x for w, x in zip(weights, numerators, strict=True)) / denominator
    parts = [w * d / denominator for w, d in zip(weights, denominators, strict=True)]
    changes = None
    if max(parts) < 1:
        changes = [
            (w * x / denominator - value * part) / (1 - part)
            for w, x, part in zip(weights, numerators, parts, strict=True)
        ]
    return _Ratio(value, changes, 1 / fsum(part * part for part in parts))


def _f1(recall: _Ratio, precision: _Ratio) -> _Ratio:
    """Return the harmonic mean: undefined if both rates are, 0 if one is."""
    r, p = recall.value, precision.value
    entities = min(recall.entities, precision.entities)
    if isnan(r) or isnan(p):
        return _Ratio(nan if isnan(r) and isnan(p) else 0.0, None, 0)
    if recall.changes is None or precision.changes is None:
        return _Ratio(f_measure(r, p), None, entities)
    total = (r + p) ** 2 or 1
    by_recall, by_precision = 2 * p * p / total, 2 * r * r / total
    changes = [
        by_recall * of_recall + by_precision * of_precision
        for of_recall, of_precision in zip(recall.changes, precision.changes, strict=True)
    ]
    return _Ratio(f_measure(r, p), changes, entities)


def _variance(changes: Sequence[float]) -> float:
    """Return the variance of a ratio by its changes if each entity is left out (jackknife)."""
    return (len(changes) - 1) / len(changes) * fsum(change * change for change in changes)


def _estimate(ratio: _Ratio, level: float) -> Estimate:
    """Return a value with its standard error and interval; (0, 1) if the error is undefined."""
    value = ratio.value
    if isnan(value):
        return Estimate(nan, nan, (nan, nan), 0)
    if ratio.changes is None or ratio.entities <= 1:
        return Estimate(value, nan, (0.0, 1.0), ratio.entities)
    from scipy.special import stdtrit

    variance = _variance(ratio.changes)
    spread = max(0.0, value * (1 - value))
    trials = spread / variance if variance else len(ratio.changes)
    # The number of trials over z^2. With almost none, the interval is (0, 1).
    weight = trials / float(stdtrit(_freedom(ratio), (1 + level) / 2)) ** 2
    middle = (value * weight + 0.5) / (weight + 1)
    half = sqrt(spread * weight + 0.25) / (weight + 1)
    # If the value is 1, the upper limit is 1; rounding must not change that.
    high = 1.0 if value == 1 else min(1.0, middle + half)
    interval = max(0.0, middle - half), high
    return Estimate(value, sqrt(variance), interval, ratio.entities, ratio.changes)


class Difference(NamedTuple):
    """The difference of two scores; `standard_error`, `interval` and `p` are nan if undefined."""

    value: float
    standard_error: float
    interval: tuple[float, float]
    p: float


def subtract(a: Estimate, b: Estimate, level: float) -> Difference:
    """Return the paired difference of a score of two responses, estimated from the same sample.

    If no sampled entity tells the scores apart, nothing is known of its variance.
    """
    value, entities = a.value - b.value, min(a.entities, b.entities)
    changes = [x - y for x, y in zip(a.changes or (), b.changes or (), strict=False)]
    if not any(changes) or entities <= 1:
        return Difference(value, nan, (nan, nan), nan)
    from scipy.special import stdtr, stdtrit

    error = sqrt(_variance(changes))
    freedom = _freedom(_Ratio(value, changes, entities))
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    return Difference(value, error, (max(-1.0, value - half), min(1.0, value + half)), p)


def _freedom(ratio: _Ratio) -> float:
    """Return the degrees of freedom of Student's distribution."""
    squares = [change * change for change in ratio.changes or ()]
    by_weight, total = ratio.entities - 1, fsum(squares)
    if not total:
        return by_weight
    excess = fsum((square / total) ** 2 for square in squares) - 1 / len(squares)
    # If all changes are equal, the excess is 0 except for rounding.
    return min(by_weight, 2 / excess) if excess > 1e-12 else by_weight
