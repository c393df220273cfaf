"""Comparisons: scores with letters, intervals, differences with p-values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corefmeter.corpus.structures import grouped
from corefmeter.metrics import title
from corefmeter.problems import amount
from corefmeter.recipe import usual_signature
from corefmeter.reports.scores import (
    ORDERS,
    USUAL,
    Layout,
    averaging,
    name_left_out,
    paper_metrics,
    tabulate,
)
from corefmeter.reports.tables import (
    DIFFERENCE,
    MISSING,
    RATES,
    Cell,
    Chance,
    Limits,
    Number,
    OnScreen,
    Report,
    Table,
    Wording,
)
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.statistics.comparison import Comparison, Difference, MetricComparison
from corefmeter.statistics.intervals import MOST_RESAMPLES
from corefmeter.statistics.plan import Plan
from corefmeter.statistics.power import POWER
from corefmeter.units import GROUPS

#: The differences of more pairs are only in JSON and CSV.
MOST_PAIRS = 15

#: Longer rows of letters are left out of the tables.
MOST_LETTERS = 6

#: The number of pairs that a note names.
MOST_ENUMERATED = 6

_TESTS = {
    "randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
    "exact": "exact randomization test (all exchanges)",
    "t": "Student's t",
}
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}
_INTERVALS = {"bca": "BCa", "percentile": "percentile"}


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
        self.usual = f"{usual_signature()}|{Plan().signature()}"

    def tables(self) -> list[Table]:
        """Return the tables of scores, intervals and differences."""
        return [
            _score_table(self.comparison, self.systems),
            _interval_table(self.comparison, self.systems),
            *_difference_tables(self.comparison, self.systems),
        ]

    def paper_tables(self) -> list[Table] | None:
        """Return a table of scores with marks of significance, unless metrics are to be rows."""
        if self.layout.rows != "systems":
            return None
        return [_system_table(self.comparison, self.systems, self.layout)]

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Describe the comparison."""
        return _describe(self.comparison, ranked=self.layout.rows != "systems")

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each metric and pair of systems."""
        rows = [
            self._record(metric, pair)
            for metric in self.comparison.metrics.values()
            for pair in _order_pairs(metric, self.systems, self.comparison.plan.baseline)
        ]
        yield tuple(rows[0])
        yield from (tuple(row.values()) for row in rows)

    def _record(self, metric: MetricComparison, pair: Difference) -> dict[str, Any]:
        comparison, plan = self.comparison, self.comparison.plan
        sides = {"a": pair.a, "b": pair.b}
        row: dict[str, Any] = {"metric": metric.metric, "score": plan.score, **sides}
        for side, system in sides.items():
            scores = metric.scores[system]
            row[f"score_{side}"] = getattr(scores, plan.score)
            row[f"low_{side}"], row[f"high_{side}"] = scores.interval or (None, None)
            row[f"rank_{side}"] = metric.ranks.get(system)
            row[f"letters_{side}"] = metric.letters.get(system)
        for side, system in sides.items() if comparison.runs else ():
            spread = metric.scores[system].spread
            row[f"runs_{side}"] = spread.runs if spread else 1
            row[f"deviation_{side}"] = spread.deviation if spread else None
        row["difference"] = pair.difference
        row["low"], row["high"] = pair.interval or (None, None)
        row["p"], row["p_adjusted"] = pair.p, pair.p_adjusted
        row["significant"], row["exact"] = int(pair.significant), int(pair.exact)
        return row | {
            "differing": pair.differing,
            "detectable": pair.detectable,
            "test": comparison.test,
            "trials": plan.trials,
            "seed": plan.seed,
            "units": len(comparison.units),
            "signature": comparison.signature,
        }

    def document(self) -> dict[str, Any]:
        """Return the comparison, its systems in order; the schema is in ``docs/statistics.md``."""
        return self.comparison.to_dict() | {"systems": list(self.systems)}


def _order_pairs(
    metric: MetricComparison, systems: Sequence[str], baseline: str
) -> Iterator[Difference]:
    """Yield the differences in an order of systems, each of the earlier and the later.

    With a baseline, each is of another system and the baseline, whatever the order.
    """
    place = {system: number for number, system in enumerate(systems)}
    pairs = [
        pair if baseline or place[pair.a] < place[pair.b] else pair.turned()
        for pair in metric.pairs
    ]
    yield from sorted(pairs, key=lambda pair: (place[pair.a], place[pair.b]))


def _choose_marks(comparison: Comparison, metric: MetricComparison) -> Mapping[str, str]:
    """Return the letters of systems, or a star where one differs from the baseline."""
    if comparison.plan.baseline:
        return {pair.a: "*" for pair in metric.pairs if pair.significant}
    return metric.letters if _letters_fit(comparison) else {}


def _find_best(metric: MetricComparison, rate: str) -> set[str]:
    """Return the systems with the highest score; none where no score is known."""
    values = {system: getattr(scores, rate) for system, scores in metric.scores.items()}
    best = max((value for value in values.values() if value is not None), default=None)
    return {system for system, value in values.items() if value is not None and value == best}


def _score_table(comparison: Comparison, systems: Sequence[str]) -> Table:
    """Return systems as rows, metrics as columns, the best in bold, with marks of significance.

    Ranks are in parentheses if there are three systems and no baseline.
    """
    score, runs = comparison.plan.score, comparison.runs
    ranked = len(systems) > 2 and not comparison.plan.baseline
    names = [RATES[score], "runs"] if runs else [RATES[score]]
    table = Table([*names, *map(title, comparison)], remark="best in bold")
    for system in systems:
        number_of_runs = [len(runs.get(system, [system]))] if runs else []
        table.rows.append([system, *number_of_runs])
    for column, metric in enumerate(comparison.metrics.values(), len(names)):
        best, marks = _find_best(metric, score), _choose_marks(comparison, metric)
        for number, system in enumerate(systems):
            after = f" ({metric.ranks[system]})" if ranked else ""
            table.rows[number].append(_score_cell(metric, system, score, score, after))
            if system in best:
                table.bold.add((number, column))
            if mark := marks.get(system):
                table.marks[number, column] = mark
    return table


def _score_cell(
    metric: MetricComparison, system: str, rate: str, compared: str, after: str = ""
) -> Number:
    """Return a score of a system; the rate that is compared has its deviation over runs."""
    scores = metric.scores[system]
    deviation = scores.spread.deviation if scores.spread and rate == compared else None
    return Number(getattr(scores, rate), after=after, deviation=deviation)


def _system_table(comparison: Comparison, systems: Sequence[str], layout: Layout) -> Table:
    """Return systems as rows, the rates of each metric as columns, with letters or stars."""
    score, rates = comparison.plan.score, ORDERS[layout.order]
    names = paper_metrics([*comparison])
    metrics = [comparison.metrics[name] for name in names]
    cells = [
        [[_score_cell(metric, system, rate, score) for rate in rates] for metric in metrics]
        for system in systems
    ]
    best, marks = set(), {}
    for m, metric in enumerate(metrics):
        best_systems, marked = _find_best(metric, score), _choose_marks(comparison, metric)
        for i, system in enumerate(systems):
            place = i, m, rates.index(score)
            if system in best_systems:
                best.add(place)
            if mark := marked.get(system):
                marks[place] = mark
    table = tabulate(systems, names, cells, layout, best, marks)
    table.comment = name_left_out([*comparison])
    return table


def _interval_table(comparison: Comparison, systems: Sequence[str]) -> Table:
    plan = comparison.plan
    table = Table(["", *map(title, comparison)], notes=[_interval_note(comparison)])
    table.caption = f"{100 * plan.level:g}% intervals of {RATES[plan.score]}"
    for system in systems:
        intervals = (metric.scores[system].interval for metric in comparison.metrics.values())
        table.rows.append([system, *map(Limits, intervals)])
    return table


def _difference_tables(comparison: Comparison, systems: Sequence[str]) -> list[Table]:
    """Return one table for two systems, a table by metric for more, and no table for many."""
    if comparison.comparisons > MOST_PAIRS:
        return []
    baseline = comparison.plan.baseline
    named: list[tuple[str, Difference]] = []
    if comparison.comparisons == 1:
        for name, metric in comparison.metrics.items():
            named += [(title(name), pair) for pair in _order_pairs(metric, systems, baseline)]
        return [_difference_table(comparison, named, _name_pair(named[0][1]))]
    tables = []
    after = f", differences from {baseline}" if baseline else ""
    for name, metric in comparison.metrics.items():
        pairs = _order_pairs(metric, systems, baseline)
        named = [(pair.a if baseline else _name_pair(pair), pair) for pair in pairs]
        tables.append(_difference_table(comparison, named, title(name) + after))
    return tables


def _name_pair(pair: Difference) -> str:
    return f"{pair.a}{DIFFERENCE}{pair.b}"


def _difference_table(
    comparison: Comparison, named: Sequence[tuple[str, Difference]], caption: str
) -> Table:
    several = comparison.comparisons > 1
    interval = f"{100 * comparison.plan.level:g}% interval"
    header = ["", "difference", interval, "p", *["adjusted"] * several, "detectable"]
    remark = "in percent" if several and comparison.plan.baseline else "differences in percent"
    notes = [*filter(None, (_interval_note(comparison), _detectable_note(comparison)))]
    table = Table(header, caption=caption, remark=remark, notes=notes)
    for name, pair in named:
        row: list[Cell] = [name, Number(pair.difference, signed=True), Limits(pair.interval)]
        row += [Chance(pair.p), *[Chance(pair.p_adjusted)] * several]
        table.rows.append([*row, Number(pair.detectable, missing=MISSING)])
    return table


def _describe(comparison: Comparison, ranked: bool) -> list[Wording]:
    plan, how = comparison.plan, _describe_test(comparison)
    subject = f" of {plan.part}" if plan.part else f" of {plan.kind} mentions" if plan.kind else ""
    subject += f" (--pronouns {plan.pronouns})" if plan.pronouns else ""
    averaged = averaging(comparison.recipe, _count_units(comparison))
    lines: list[Wording] = [f"{RATES[plan.score]}{subject} in percent, {averaged}"]
    if comparison.runs:
        lines.append("of several runs: mean \N{PLUS-MINUS SIGN} standard deviation")
    if plan.baseline:
        lines.append(f"* differs significantly from {plan.baseline} at {plan.alpha:g} ({how})")
    elif _letters_fit(comparison):
        alike = "systems of a column that share a letter do not differ significantly"
        lines.append(f"{alike} at {plan.alpha:g} ({how})")
    else:
        lines.append(f"significance at {plan.alpha:g}: {how}")
        lines.append(OnScreen("letters are many, see JSON or CSV"))
    lost = [
        pair
        for metric in comparison.metrics.values()
        for pair in metric.pairs
        if pair.p is not None and pair.p <= plan.alpha and not pair.significant
    ]
    if lost:
        differences = amount(len(lost), "difference")
        adjusted = f"the adjustment for {comparison.comparisons:,} pairs"
        lines.append(f"significant without {adjusted}, but not with it: {differences}")
    if exact := _exact_note(comparison):
        lines.append(exact)
    if ranked and len(comparison.systems) > 2 and not plan.baseline:
        lines.append(
            "rank in parentheses: 1 + the number of systems before; systems share one if no two "
            "of them differ significantly"
        )
    if comparison.comparisons > MOST_PAIRS:
        lines.append(OnScreen(f"all {comparison.comparisons:,} differences: see JSON or CSV"))
    return lines


def _describe_test(comparison: Comparison) -> str:
    """Describe the test and the adjustment of its p-values."""
    plan, pairs = comparison.plan, comparison.comparisons
    how = f"two-sided, {_TESTS[comparison.test]} over {_count_units(comparison)}"
    if comparison.test == "t":
        how += " and runs" if comparison.runs else ""
    elif comparison.test != "exact":
        how += f", {plan.trials:,} trials"
    if pairs == 1:
        return how
    if plan.correction == "none":
        return f"{how}, not adjusted for {pairs:,} pairs"
    return f"{how}, {_CORRECTIONS[plan.correction]}-adjusted over {pairs:,} pairs"


def _exact_note(comparison: Comparison) -> Wording:
    """Name the pairs whose exchanges were all enumerated; empty if none or all were."""
    exact = grouped(
        (_name_pair(pair), title(name))
        for name, metric in comparison.metrics.items()
        for pair in metric.pairs
        if pair.exact
    )
    if comparison.test == "exact" or not exact:
        return ""
    if len(exact) > MOST_ENUMERATED:
        return f"exact test over all exchanges for {len(exact):,} pairs"
    number = len(comparison.metrics)
    pairs = "; ".join(
        f"{pair} by {', '.join(metrics)}" if len(metrics) < number else pair
        for pair, metrics in exact.items()
    )
    return pairs, ": exact test over all exchanges"  # names keep their first letter


def _interval_note(comparison: Comparison) -> str:
    """Explain how intervals were computed, or why there are none."""
    if len(comparison.units) < FEWEST_UNITS:
        return f"no intervals: they need at least {FEWEST_UNITS} documents"
    if comparison.plan.test == "t":
        runs = " and runs" if comparison.runs else ""
        return f"intervals: Student's t over {_count_units(comparison)}{runs}"
    resamples = min(comparison.plan.trials, MOST_RESAMPLES)
    return f"intervals: {_INTERVALS[comparison.plan.interval]} bootstrap, {resamples:,} resamples"


def _detectable_note(comparison: Comparison) -> str:
    """Explain the last column of differences, if there is one."""
    if len(comparison.units) < FEWEST_UNITS:
        return ""
    plan = comparison.plan
    alpha = plan.alpha / (comparison.comparisons if plan.correction == "holm" else 1)
    over = _count_units(comparison) + (" and runs" if comparison.runs else "")
    known = all(p.detectable is not None for m in comparison.metrics.values() for p in m.pairs)
    return (
        f"detectable: the true difference that would be found with {100 * POWER:g}% power at "
        f"{alpha:.3g}, estimated from the spread over {over}"
        + ("" if known else f"; {MISSING} where nothing could be significant, or all differ alike")
    )


def _count_units(comparison: Comparison) -> str:
    units, by = len(comparison.units), comparison.plan.by
    return amount(units, by if by in GROUPS else "unit")


def _letters_fit(comparison: Comparison) -> bool:
    return all(
        len(letters) <= MOST_LETTERS
        for metric in comparison.metrics.values()
        for letters in metric.letters.values()
    )
