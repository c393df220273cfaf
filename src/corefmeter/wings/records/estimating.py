"""``corefmeter clusters estimate``: scores from a sample of the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import isnan
from operator import attrgetter
from typing import Any, Literal

import click

from corefmeter._version import __version__
from corefmeter.cli.help import FILE, Choice, command, option
from corefmeter.cli.options import (
    INPUT,
    Output,
    named_paths,
    output_options,
    quiet_option,
    recipe_from,
)
from corefmeter.labels import labels
from corefmeter.metrics import metric_class
from corefmeter.problems import OptionError, amount
from corefmeter.recipe import COMPUTED
from corefmeter.reports.tables import Cell, Limits, Number, Report, Table, Wording
from corefmeter.wings.records.files import Limits as Resources
from corefmeter.wings.records.files import tables_in
from corefmeter.wings.records.opening import TableOptions
from corefmeter.wings.records.sample import (
    DRAWN,
    METRICS,
    Difference,
    SampleScores,
    estimate_sample,
    sample_of_tables,
    subtract,
)

#: Version of the JSON.
SCHEMA = 1

#: Columns of CSV, and keys of JSON, for each score.
_FIELDS = ("value", "standard_error", "low", "high")

#: The rates of metrics, with their titles.
_RATES = {"recall": "R", "precision": "P", "f1": "F1"}

_input = partial(option, group=INPUT)


class EstimateReport(Report):
    """Estimated scores of responses by name, with their intervals and paired differences."""

    def __init__(self, responses: Mapping[str, SampleScores], metrics: Sequence[str]) -> None:
        self.responses, self.metrics = responses, metrics

    def tables(self) -> list[Table]:
        """Return a table for each response, then one for each two: rows of metrics."""
        tables = []
        for name, scores in self.responses.items():
            header = [""]
            for title in _RATES.values():
                header += [title, f"{scores.level:.0%} interval"]
            table = Table(header, caption=name if len(self.responses) > 1 else "")
            for metric in self.metrics:
                row: list[Cell] = [metric_class(metric).title]
                for rate in _RATES:
                    estimate = attrgetter(f"{metric}.{rate}")(scores)
                    row += [Number(estimate.value), Limits(estimate.interval)]
                table.rows.append(row)
            tables.append(table)
        for a, b in combinations(self.responses, 2):
            level = self.responses[a].level
            header = ["", "difference", "standard error", f"{level:.0%} interval", "p"]
            table = Table(header, caption=f"{a} - {b}")
            for metric, rate, one in self._differences(a, b):
                limits = None if isnan(one.p) else one.interval
                error, p = Number(one.standard_error), Number(one.p, 1, extra=1)
                name = f"{metric_class(metric).title} {_RATES[rate]}"
                table.rows.append([name, Number(one.value, signed=True), error, Limits(limits), p])
            tables.append(table)
        return tables

    def _differences(self, a: str, b: str) -> Iterator[tuple[str, str, Difference]]:
        """Yield the difference of each score of two responses, with its metric and rate."""
        one, other = self.responses[a], self.responses[b]
        for metric in self.metrics:
            for rate in _RATES:
                score = attrgetter(f"{metric}.{rate}")
                yield metric, rate, subtract(score(one), score(other), one.level)

    def _values(self, scores: SampleScores) -> dict[str, dict[str, dict[str, float | None]]]:
        """Return the fields of each estimate by metric and rate; None for nan."""
        values: dict[str, dict[str, dict[str, float | None]]] = {}
        for metric in self.metrics:
            for rate in _RATES:
                one = attrgetter(f"{metric}.{rate}")(scores)
                known = _known(one.value, one.standard_error, *one.interval)
                values.setdefault(metric, {})[rate] = dict(zip(_FIELDS, known, strict=True))
        return values

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Say what was sampled, and how much of each response was not."""
        scores = next(iter(self.responses.values()))
        how = "with equal chances" if scores.drawn == "uniform" else "by drawing items"
        notes: list[Wording] = [
            f"in percent, estimated from {amount(scores.entities, 'cluster')} of the key (drawn "
            f"{how}) with {amount(scores.mentions, 'item')}"
        ]
        for name, scores in self.responses.items():
            counts = (
                f" lacks {scores.missing:,} of these items; its {scores.outside:,} items in no "
                "sampled cluster are neither right nor wrong"
            )
            notes.append((name, counts))
        if len(self.responses) > 1:
            notes.append("differences are paired by sampled cluster; p is not adjusted")
        return notes

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each score."""
        yield ("response", "metric", "score", *_FIELDS, "minus", "p")
        for name, scores in self.responses.items():
            for metric, rates in self._values(scores).items():
                for rate, values in rates.items():
                    yield (name, metric, rate, *values.values(), None, None)
        for a, b in combinations(self.responses, 2):
            for metric, rate, one in self._differences(a, b):
                *known, p = _known(one.value, one.standard_error, *one.interval, one.p)
                yield (a, metric, rate, *known, b, p)

    def document(self) -> dict[str, Any]:
        """Return the scores, and the numbers on which they are based."""
        first = next(iter(self.responses.values()))
        differences = []
        for a, b in combinations(self.responses, 2):
            scores: dict[str, dict[str, Any]] = {metric: {} for metric in self.metrics}
            for metric, rate, one in self._differences(a, b):
                known = _known(one.value, one.standard_error, *one.interval, one.p)
                scores[metric][rate] = dict(zip((*_FIELDS, "p"), known, strict=True))
            differences.append({"response": a, "minus": b, "scores": scores})
        return {
            "schema": SCHEMA,
            "version": __version__,
            "drawn": first.drawn,
            "level": first.level,
            "clusters": first.entities,
            "items": first.mentions,
            "results": [
                {
                    "response": name,
                    "missing": found.missing,
                    "outside": found.outside,
                    "scores": self._values(found),
                    "problems": [problem.to_dict() for problem in found.problems],
                }
                for name, found in self.responses.items()
            ],
            "differences": differences,
        }


def _known(*numbers: float) -> list[float | None]:
    return [None if isnan(number) else number for number in numbers]


@command()
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1, required=True)
@_input("--item", multiple=True, metavar="COL", help="Column with the item. May be repeated.")
@_input(
    "--cluster",
    metavar="COL",
    help="Column with the cluster. If it differs, --key-cluster COL or --response-cluster COL.",
)
@_input("--key-cluster", metavar="COL", hidden=True)
@_input("--response-cluster", metavar="COL", hidden=True)
@option("-m", "--metric", "metrics", multiple=True, metavar="NAME", hidden=True)
@option(
    "--drawn",
    type=Choice(DRAWN),
    group=COMPUTED,
    help="How clusters were drawn: each with the same chance, or by drawing items (size)",
)
@output_options
@quiet_option
def estimate(
    key: str,
    responses: tuple[str, ...],
    item: tuple[str, ...],
    cluster: str | None,
    key_cluster: str | None,
    response_cluster: str | None,
    metrics: tuple[str, ...],
    drawn: Literal["uniform", "size"] | None,
    output: Output,
) -> None:
    """Estimate scores from a key that has only a sample of the clusters.

    KEY has the sampled clusters with all their items, RESPONSE all of its clusters. If you drew
    items and looked up their clusters, large clusters are drawn more often: --drawn size. Several
    responses are also compared in pairs. -m NAME chooses metrics: links, b3, ceaf1.

    \b
    Examples:
      corefmeter clusters estimate sample.csv response.csv --drawn size
      corefmeter clusters estimate sample.csv a.parquet b.parquet --drawn uniform
      corefmeter clusters estimate sample.csv a.csv --drawn size --item id -f json
    """
    if drawn is None:
        raise OptionError(
            "say how the clusters of the key were drawn: --drawn size if you drew items and looked "
            "up their clusters, --drawn uniform if each cluster had the same chance"
        )
    recipe, _ = recipe_from(None, {"metrics": metrics or METRICS})
    for name in recipe.metrics:
        if name not in METRICS:
            raise OptionError(f"{name} cannot be estimated; the metrics are {', '.join(METRICS)}")
    table_options = TableOptions(item, (key_cluster or cluster, response_cluster or cluster))
    paths, names = named_paths(responses)
    scores: dict[str, SampleScores] = {}
    for name, path in zip(labels(paths, names), paths, strict=True):
        with tables_in(key, path, recipe, table_options, Resources()) as tables:
            found = estimate_sample(sample_of_tables(tables.request), drawn, metrics=recipe.metrics)
        problems = (problem._replace(path=problem.path or path) for problem in found.problems)
        scores[name] = replace(found, problems=(*tables.problems, *problems))
    output.write(
        EstimateReport(scores, recipe.metrics),
        [p for found in scores.values() for p in found.problems],
    )
