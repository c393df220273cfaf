"""``corefmeter clusters pairs``: scores of pairs and of their clusters at thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

import click

from corefmeter.analysis.scoring import as_json_values
from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import INPUT, OUTPUT, Output, output_options, quiet_option, recipe_from
from corefmeter.formats.output import check_outputs
from corefmeter.metrics import title
from corefmeter.metrics.average import AverageScore, rates_of
from corefmeter.metrics.base import Rates, Scores
from corefmeter.problems import OptionError, Problem, amount
from corefmeter.recipe import COMPUTED, usual_signature
from corefmeter.reports.tables import Cell, Number, Report, Table, Wording
from corefmeter.result import json_head
from corefmeter.wings.records.files import PairOptions, pairs_in, write_table
from corefmeter.wings.records.pairs import (
    PairScores,
    clusters_at,
    number_pairs,
    require_pair_recipe,
    score_at,
    spanning_forest,
    thresholds_of,
)

#: The default metrics of clusters.
_METRICS = ("links", "b3")

#: A range of thresholds has at most this number.
_MOST = 1_000

#: Fields of `PairScores` for programs.
_COUNTS = ("threshold", "links", "added", "clusters", "largest")

_input = partial(option, group=INPUT)


class PairReport(Report):
    """Scores at thresholds; the best has the highest F1 of the first metric of clusters.

    Of several such thresholds, the highest is best, since it has the fewest pairs.
    """

    def __init__(
        self, found: Sequence[PairScores], metrics: Sequence[str], problems: Sequence[Problem]
    ) -> None:
        self.found, self.metrics, self.problems = found, metrics, problems
        self.signature, self.usual = found[0].result.signature, usual_signature()
        self.best = max(found, key=lambda one: (one.result[metrics[0]].f1, one.threshold))

    def tables(self) -> list[Table]:
        """Return one table: a row for each threshold."""
        header = ["threshold", *["R", "P", "F1"] * (1 + len(self.metrics))]
        titles = ["pairs", *map(title, self.metrics)]
        table = Table(header, spans=[(title, 3) for title in titles])
        for place, one in enumerate(self.found):
            row: list[Cell] = ["all" if one.threshold is None else f"{one.threshold:g}"]
            for _, scores in self._scores(one):
                rates = rates_of(scores)
                row += [Number(rates.get(name), missing="") for name in Rates._fields]
            table.rows.append(row)
            if one is self.best and len(self.found) > 1:
                table.bold |= {(place, column) for column in range(len(header))}
        return [table]

    def _scores(self, one: PairScores) -> Iterator[tuple[str, Scores | AverageScore]]:
        """Yield the scores of pairs, then those of clusters by metric."""
        yield "pairs", one.pairs
        for metric in self.metrics:
            yield metric, one.result[metric]

    def notes(self, tables: Sequence[Table]) -> list[Wording]:
        """Say what the columns mean, which threshold is best, and what clusters add to pairs."""
        best = self.best
        at = ""
        if best.threshold is not None:
            at = f"best F1 of clusters ({title(self.metrics[0])}) at {best.threshold:g}: "
        return [
            "in percent; first the pairs as they are, then the clusters that they form",
            f"{at}{amount(best.links, 'pair')} form {amount(best.clusters, 'cluster')}, the "
            f"largest of {amount(best.largest, 'item')}; they add {amount(best.added, 'link')}",
        ]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each metric at each threshold."""
        yield (*_COUNTS, "metric", *Rates._fields)
        for one in self.found:
            before = [getattr(one, name) for name in _COUNTS]
            for name, scores in self._scores(one):
                rates = as_json_values(rates_of(scores))
                yield (*before, name, *map(rates.get, Rates._fields))

    def document(self) -> dict[str, Any]:
        """Return the scores and counts at each threshold, and the best threshold."""
        return {
            **json_head(self.signature),
            "best": self.best.threshold,
            "results": [
                {
                    **{name: getattr(one, name) for name in _COUNTS},
                    "scores": {name: scores.to_dict() for name, scores in self._scores(one)},
                }
                for one in self.found
            ],
            "problems": [problem.to_dict() for problem in self.problems],
        }


def parse_thresholds(text: str) -> list[float]:
    """Return the thresholds of a range or a list.

    >>> parse_thresholds("0.7:0.9:0.1"), parse_thresholds("0.5,0.75")
    ([0.7, 0.8, 0.9], [0.5, 0.75])
    """
    hint = f"give LOW:HIGH:STEP, at most {_MOST} numbers, or numbers with commas between"
    is_range = ":" in text
    try:
        numbers = [Decimal(part) for part in text.split(":" if is_range else ",")]
        if not all(number.is_finite() for number in numbers):
            raise InvalidOperation
        if is_range:
            low, high, step = numbers
            if step <= 0 or not 0 <= (high - low) / step < _MOST:
                raise ValueError
            numbers = [low + place * step for place in range(int((high - low) / step) + 1)]
    except (InvalidOperation, ValueError):
        raise OptionError(f"--thresholds {text!r:.80}: {hint}") from None
    return list(map(float, numbers))


@command()
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("table", type=FILE, metavar="PAIRS")
@_input("--item", metavar="COL", hidden=True)
@_input("--cluster", metavar="COL", hidden=True)
@_input("--left", metavar="COL", help="Column of PAIRS with one item; --right COL, the other.")
@_input("--right", metavar="COL", hidden=True)
@_input("--score", metavar="COL", hidden=True)
@option(
    "--thresholds",
    metavar="LIST",
    group=COMPUTED,
    help="Least scores of a link, such as 0.5:0.99:0.01 or 0.5,0.8. Default: 0.05:0.95:0.05.",
)
@option("-m", "--metric", "metrics", multiple=True, metavar="NAME", hidden=True)
@option(
    "--write-clusters",
    "clusters_to",
    type=FILE,
    metavar="FILE",
    group=OUTPUT,
    help="Write the clusters at the best threshold, as .csv, .tsv or Parquet.",
)
@output_options
@quiet_option
def pairs(
    key: str,
    table: str,
    thresholds: str | None,
    metrics: tuple[str, ...],
    clusters_to: str | None,
    output: Output,
    **columns: str | None,
) -> None:
    """Score pairs of items, and the clusters that they form, at thresholds.

    KEY has a row for each item with its true cluster (--item, --cluster), PAIRS a row for each
    pair (--score COL, or none), such as the predictions of Splink. Recall of candidate pairs is
    that of blocking. Clusters are the connected components. -m NAME chooses their metrics.

    \b
    Examples:
      corefmeter clusters pairs key.csv pairs.parquet --thresholds 0.5:0.99:0.01
      corefmeter clusters pairs key.csv pairs.csv --left a --right b --score p
      corefmeter clusters pairs k.csv p.csv --thresholds .8 --write-clusters c.csv
    """
    recipe, _ = recipe_from(None, {"metrics": metrics or _METRICS})
    require_pair_recipe(recipe)
    given = None if thresholds is None else parse_thresholds(thresholds)
    with pairs_in(key, table, PairOptions(**columns)) as (request, problems):
        numbered = number_pairs(request, recipe, named=clusters_to is not None)
    found = list(score_at(numbered, thresholds_of(numbered, given), recipe))
    problems += numbered.problems
    report = PairReport(found, recipe.metrics, problems)
    check_outputs([output.path, clusters_to])
    if clusters_to is not None:
        labels = clusters_at(spanning_forest(numbered), report.best.threshold, len(numbered.key))
        rows = zip(numbered.items, labels.tolist(), strict=True)
        write_table([request.item, "cluster"], rows, clusters_to)
    output.write(report, problems)
