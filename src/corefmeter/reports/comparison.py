"""Comparisons: scores with letters, intervals, differences with p-values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corefmeter.labels import shorten
from corefmeter.metrics import DEFAULT, title
from corefmeter.problems import amount
from corefmeter.recipe import Recipe
from corefmeter.reports.scores import (
    ORDERS,
    PAPER_METRICS,
    USUAL,
    Layout,
    averaging,
    table_of_systems,
)
from corefmeter.reports.tables import MISSING, RATES, Cell, Chance, Limits, Number, Report, Table
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.statistics.comparison import Comparison, Difference, MetricComparison
from corefmeter.statistics.intervals import MOST_RESAMPLES
from corefmeter.statistics.plan import Plan
from corefmeter.statistics.power import POWER
from corefmeter.units import GROUPS

#: Tables of differences are for people to read; beyond so many pairs they are in JSON and CSV.
MOST_PAIRS = 15

#: Longer rows of letters say nothing to a reader.
MOST_LETTERS = 6

#: So many pairs are named in a caption.
MOST_ENUMERATED = 6

_TESTS = {
    "randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
    "exact": "exact randomization test (all exchanges)",
    "t": "Student's t",
}
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}
_INTERVALS = {"bca": "BCa", "percentile": "percentile"}

_SYSTEM = ("score", "low", "high", "rank", "letters")


class ComparisonReport(Report):
    """A comparison; with `sort`, systems are ordered from best to worst by that metric."""

    in_column = True

    def __init__(
        self, comparison: Comparison, sort: str | None = None, layout: Layout = USUAL
    ) -> None:
        self.comparison = comparison
        self.layout = layout
        self.systems = comparison.sorted_by(sort) if sort else comparison.systems
        self.signature = comparison.signature
        self.usual = f"{Recipe().signature()}|{Plan().signature()}"

    def tables(self) -> list[Table]:
        """Return the tables of scores, intervals and differences."""
        return [
            _score_table(self.comparison, self.systems),
            _interval_table(self.comparison, self.systems),
            *_difference_tables(self.comparison, self.systems),
        ]

    def paper_tables(self) -> list[Table] | None:
        """One table of scores with marks of significance, unless metrics are to be rows."""
        if self.layout.rows != "systems":
            return None
        return [_system_table(self.comparison, self.systems, self.layout)]

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Describe the comparison."""
        return _notes(self.comparison, ranked=self.layout.rows != "systems")

    def records(self) -> Iterator[Sequence[Any]]:
        """One row for each metric and pair of systems."""
        comparison, plan = self.comparison, self.comparison.plan
        of_runs = ("runs", "deviation") if comparison.runs else ()
        yield (
            "metric",
            "score",
            "a",
            "b",
            *(f"{name}_a" for name in _SYSTEM),
            *(f"{name}_b" for name in _SYSTEM),
            *(f"{n}_{side}" for side in "ab" for n in of_runs),
            "difference",
            "low",
            "high",
            "p",
            "p_adjusted",
            "significant",
            "exact",
            "differing",
            "detectable",
            "test",
            "trials",
            "seed",
            "units",
            "signature",
        )
        for name, metric in comparison.metrics.items():
            for pair in _ordered(metric, self.systems, plan.baseline):
                spreads = (metric.scores[system].spread for system in pair[:2])
                yield (
                    name,
                    plan.score,
                    pair.a,
                    pair.b,
                    *_system(metric, plan.score, pair.a),
                    *_system(metric, plan.score, pair.b),
                    *(
                        [n for of in spreads for n in (of[:2] if of else (1, None))]
                        if comparison.runs
                        else []
                    ),
                    pair.difference,
                    *(pair.interval or (None, None)),
                    pair.p,
                    pair.p_adjusted,
                    int(pair.significant),
                    int(pair.exact),
                    pair.differing,
                    pair.detectable,
                    comparison.test,
                    plan.trials,
                    plan.seed,
                    len(comparison.units),
                    comparison.signature,
                )

    def document(self) -> dict[str, Any]:
        """Return the comparison, its systems in order; the schema is in ``docs/statistics.md``."""
        return self.comparison.to_dict() | {"systems": list(self.systems)}


def _system(metric: MetricComparison, score: str, system: str) -> tuple[Any, ...]:
    scores = metric.scores[system]
    low, high = scores.interval or (None, None)
    rank, letters = metric.ranks.get(system), metric.letters.get(system)
    return getattr(scores, score), low, high, rank, letters


def _ordered(
    metric: MetricComparison, systems: Sequence[str], baseline: str
) -> Iterator[Difference]:
    """The differences in an order of systems, each of the earlier and the later; or of a baseline.

    Each other system is compared with a baseline, whatever the order.
    """
    place = {system: number for number, system in enumerate(systems)}
    pairs = [
        pair if baseline or place[pair.a] < place[pair.b] else pair.turned()
        for pair in metric.pairs
    ]
    yield from sorted(pairs, key=lambda pair: (place[pair.a], place[pair.b]))


def _score_table(comparison: Comparison, systems: Sequence[str]) -> Table:
    """Systems as rows, metrics as columns; the best are bold, letters mark what does not differ.

    From three systems on, ranks stand in parentheses. With a baseline, stars mark what differs.
    Where systems have runs, how many.
    """
    score, baseline = comparison.plan.score, comparison.plan.baseline
    runs = comparison.runs
    names = [RATES[score], *(["runs"] if runs else [])]
    table = Table([*names, *map(title, comparison)], remark="best in bold")
    table.rows = [
        [system, *([len(runs.get(system, [system]))] if runs else [])] for system in systems
    ]
    with_letters = _letters_fit(comparison)
    for column, metric in enumerate(comparison.metrics.values(), len(names)):
        values = {system: getattr(metric.scores[system], score) for system in systems}
        best = max((value for value in values.values() if value is not None), default=None)
        marks = {pair.a: "*" for pair in metric.pairs if baseline and pair.significant}
        for row, system in enumerate(systems):
            ranked = len(systems) > 2 and not baseline
            spread = metric.scores[system].spread
            table.rows[row].append(
                Number(
                    values[system],
                    after=f" ({metric.ranks[system]})" if ranked else "",
                    deviation=spread and spread.deviation,
                )
            )
            if values[system] == best is not None:
                table.bold.add((row, column))
            if with_letters and (mark := metric.letters.get(system) or marks.get(system)):
                table.marks[row, column] = mark
    return table


def _system_table(comparison: Comparison, systems: Sequence[str], layout: Layout) -> Table:
    """Systems as rows, recall, precision and F1 by metric as columns, with letters or stars."""
    score, baseline = comparison.plan.score, comparison.plan.baseline
    metrics = PAPER_METRICS if comparison.recipe.metrics == DEFAULT else [*comparison.metrics]
    rates = ORDERS[layout.order]
    compared = rates.index(score)
    cells: list[list[list[Cell]]] = [
        [
            [
                Number(
                    value,
                    deviation=of.spread and of.spread.deviation if rate == score else None,
                )
                for rate in rates
                for value in [getattr(of, rate)]
            ]
            for of in (comparison.metrics[name].scores[system] for name in metrics)
        ]
        for system in systems
    ]
    best, marks = set(), {}
    for m, name in enumerate(metrics):
        metric = comparison.metrics[name]
        values = [getattr(metric.scores[system], score) for system in systems]
        known = [value for value in values if value is not None]
        best |= {
            (i, m, compared) for i, value in enumerate(values) if known and value == max(known)
        }
        stars = {pair.a: "*" for pair in metric.pairs if baseline and pair.significant}
        for i, system in enumerate(systems):
            if _letters_fit(comparison) and (
                mark := metric.letters.get(system) or stars.get(system)
            ):
                marks[i, m, compared] = mark
    return table_of_systems(systems, metrics, cells, layout, best, marks)


def _interval_table(comparison: Comparison, systems: Sequence[str]) -> Table:
    """Return the intervals of the scores: systems as rows, metrics as columns."""
    plan = comparison.plan
    return Table(
        ["", *map(title, comparison)],
        [
            [system, *(Limits(m.scores[system].interval) for m in comparison.metrics.values())]
            for system in systems
        ],
        caption=f"{100 * plan.level:g}% intervals of {RATES[plan.score]}",
        notes=[_interval_note(comparison)],
    )


def _difference_tables(comparison: Comparison, systems: Sequence[str]) -> list[Table]:
    """Return the differences: of two systems one table of metrics, of more a table for each metric.

    None for many systems.
    """
    if comparison.comparisons > MOST_PAIRS:
        return []
    metrics = comparison.metrics.values()
    if comparison.comparisons > 1:
        return [_differences_of(comparison, metric, systems) for metric in metrics]
    pairs = [next(_ordered(m, systems, comparison.plan.baseline)) for m in metrics]
    rows: list[list[Cell]] = [
        [title(m.metric), *_difference(pair, adjusted=False)]
        for m, pair in zip(metrics, pairs, strict=True)
    ]
    return [_difference_table(comparison, rows, _between(pairs[0].a, pairs[0].b))]


def _differences_of(
    comparison: Comparison, metric: MetricComparison, systems: Sequence[str], room: int = 0
) -> Table:
    """Return the differences by a metric; names are shortened if two have to fit in some room."""
    baseline = comparison.plan.baseline
    names = shorten(systems, (room - 3) // 2) if room and not baseline else systems
    short = dict(zip(systems, names, strict=True))

    def between(pair: Difference) -> str:
        return pair.a if baseline else _between(short[pair.a], short[pair.b])

    pairs = list(_ordered(metric, systems, baseline))
    rows: list[list[Cell]] = [[between(p), *_difference(p, adjusted=True)] for p in pairs]
    caption = title(metric.metric) + (f", differences from {baseline}" if baseline else "")
    table = _difference_table(comparison, rows, caption)
    if not room and not baseline:
        long = max(len(between(pair)) for pair in pairs)
        table.narrow = lambda width, over: [
            _differences_of(comparison, metric, systems, max(long - over, width // 3))
        ]
    return table


def _between(a: str, b: str) -> str:
    return f"{a} \N{MINUS SIGN} {b}"


def _difference(pair: Difference, adjusted: bool) -> list[Cell]:
    return [
        Number(pair.difference, signed=True),
        Limits(pair.interval),
        Chance(pair.p),
        *([Chance(pair.p_adjusted)] if adjusted else []),
        Number(pair.detectable, missing=MISSING),
    ]


def _difference_table(comparison: Comparison, rows: list[list[Cell]], caption: str) -> Table:
    several = comparison.comparisons > 1
    return Table(
        [
            "",
            "difference",
            f"{100 * comparison.plan.level:g}% interval",
            "p",
            *["adjusted"] * several,
            "detectable",
        ],
        rows,
        caption=caption,
        remark="in percent" if several and comparison.plan.baseline else "differences in percent",
        notes=[note for note in (_interval_note(comparison), _detectable_note(comparison)) if note],
    )


def _notes(comparison: Comparison, ranked: bool) -> list[str]:
    """Return the notes that the table of scores needs, except the signature."""
    plan = comparison.plan
    how = f"two-sided, {_TESTS[comparison.test]} over {_units(comparison)}"
    if comparison.test == "t":
        how += " and runs" if comparison.runs else ""
    elif comparison.test != "exact":
        how += f", {plan.trials:,} trials"
    if comparison.comparisons > 1 and plan.correction != "none":
        how += f", {_CORRECTIONS[plan.correction]}-adjusted over {comparison.comparisons:,} pairs"
    elif comparison.comparisons > 1:
        how += f", not adjusted for {comparison.comparisons:,} pairs"
    of = f" of {plan.part}" if plan.part else f" of {plan.kind} mentions" if plan.kind else ""
    of += f" (--pronouns {plan.pronouns})" if plan.pronouns else ""
    averaged = averaging(comparison.recipe, _units(comparison))
    lines = [f"{RATES[plan.score]}{of} in percent, {averaged}"]
    if comparison.runs:
        lines.append("of several runs: mean \N{PLUS-MINUS SIGN} standard deviation")
    if plan.baseline:
        lines.append(f"* differs significantly from {plan.baseline} at {plan.alpha:g} ({how})")
    elif _letters_fit(comparison):
        lines.append(
            "systems of a column that share a letter do not differ significantly at "
            f"{plan.alpha:g} ({how})"
        )
    else:
        lines.append(f"significance at {plan.alpha:g}: {how}; letters are many, see JSON or CSV")
    if enumerated := _enumerated(comparison):
        lines.append(f"p from all exchanges, not from random ones: {enumerated}")
    if ranked and len(comparison.systems) > 2 and not plan.baseline:
        lines.append(
            "rank in parentheses: 1 + the number of systems before; systems share one if no two "
            "of them differ significantly"
        )
    if comparison.comparisons > MOST_PAIRS:
        lines.append(f"all {comparison.comparisons:,} differences: see JSON or CSV")
    return lines


def _enumerated(comparison: Comparison) -> str:
    """Return the pairs whose exchanges were all enumerated; empty if none or all were."""
    exact: dict[tuple[str, str], list[str]] = {}
    for name, metric in comparison.metrics.items():
        for pair in metric.pairs:
            if pair.exact:
                exact.setdefault((pair.a, pair.b), []).append(title(name))
    if comparison.test == "exact" or not exact:
        return ""
    if len(exact) > MOST_ENUMERATED:
        return f"some of {len(exact):,} pairs, see JSON or CSV"
    return "; ".join(
        _between(*pair)
        + (f" by {', '.join(titles)}" if len(titles) < len(comparison.metrics) else "")
        for pair, titles in exact.items()
    )


def _interval_note(comparison: Comparison) -> str:
    """Explain how intervals were computed, or why there are none."""
    if len(comparison.units) < FEWEST_UNITS:
        return f"no intervals: they need at least {FEWEST_UNITS} documents"
    if comparison.plan.test == "t":
        return f"intervals: Student's t over {_units(comparison)}" + (
            " and runs" if comparison.runs else ""
        )
    resamples = min(comparison.plan.trials, MOST_RESAMPLES)
    return f"intervals: {_INTERVALS[comparison.plan.interval]} bootstrap, {resamples:,} resamples"


def _detectable_note(comparison: Comparison) -> str:
    """Explain the last column of differences, if there is one."""
    if len(comparison.units) < FEWEST_UNITS:
        return ""
    units = _units(comparison)
    plan = comparison.plan
    alpha = plan.alpha / (comparison.comparisons if plan.correction == "holm" else 1)
    known = all(p.detectable is not None for m in comparison.metrics.values() for p in m.pairs)
    return (
        f"detectable: the true difference that would be found with {100 * POWER:g}% power at "
        f"{alpha:.3g}, estimated from the spread over {units}{' and runs' * bool(comparison.runs)}"
        + ("" if known else f"; {MISSING} where nothing could be significant, or all differ alike")
    )


def _units(comparison: Comparison) -> str:
    units, by = len(comparison.units), comparison.plan.by
    return amount(units, by if by in GROUPS else "unit")


def _letters_fit(comparison: Comparison) -> bool:
    return all(
        len(letters) <= MOST_LETTERS
        for metric in comparison.metrics.values()
        for letters in metric.letters.values()
    )
