"""The statistics of several systems on the same units, as one array; scores of weighted sums of it.

A *unit* is a document or a block of documents. Units are resampled. A resample gives each unit a
weight, so that its sums are a matrix product. Axes are always in the order fields, systems, then
units or resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, isnan

import numpy as np

from corefmeter.corpus.structures import grouped
from corefmeter.metrics import Metric, components, is_average, make
from corefmeter.metrics.average import weighted_mean
from corefmeter.metrics.base import UNDEFINED_AS, Rates, Row
from corefmeter.result import Result
from corefmeter.statistics.arrays import ARRAYS, Array, Indices
from corefmeter.units import Unit

#: Statistics that are closer to each other than this share of their size differ by rounding.
_ROUNDING = 1e-12


class Matrix:
    """Statistics of systems, ``values[field, system, unit]``.

    Parameters
    ----------
    results
        A result for each system, of one recipe and on the same documents.
    metrics
        The metrics to compare, of those that the results have.
    score
        ``recall``, ``precision`` or ``f1``.
    group
        A function from a unit of the results to the name of the unit that is resampled.

    Attributes
    ----------
    systems, units, metrics : list of str
        Names. Units are sorted, so that a seed draws the same ones whatever their order in files.
    observed : dict of str to array
        The score of each system by metric, as the result gives it.
    """

    def __init__(
        self,
        results: Mapping[str, Result],
        metrics: Sequence[str],
        score: str,
        group: Callable[[Unit], str],
    ) -> None:
        recipe = next(iter(results.values())).recipe.replace(metrics=tuple(metrics))
        self.recipe = recipe
        self.score = score
        self.metrics = list(metrics)
        self.systems = list(results)
        self.units = sorted(set(map(group, next(iter(results.values())).units)))
        self._parts = {name: components(name, recipe) for name in metrics}
        self._columns: dict[str, _Columns] = {}
        columns_of = _MacroColumns if recipe.average == "macro" else _Columns
        start = 0
        for name in recipe.base_metrics():
            columns = columns_of(make(name, recipe), recipe.undefined, start)
            self._columns[name] = columns
            start = columns.end
        self.values = np.empty((start, len(results), len(self.units)))
        for system, result in enumerate(results.values()):
            homes = [group(unit) for unit in result.units]
            for name, columns in self._columns.items():
                rows = columns.rows(result.statistics[name])
                self.values[columns.start : columns.end, system] = _sum_by_unit(
                    rows, homes, self.units, columns.width
                )
        self.observed: dict[str, Array] = {
            name: np.array([getattr(result[name], score) for result in results.values()])
            for name in metrics
        }

    def sums(self, weights: Array) -> Array:
        """Return weighted sums, ``[field, system, resample]``; weights are ``[resample, unit]``."""
        fields, systems, units = self.values.shape
        flat = self.values.reshape(fields * systems, units)
        return (flat @ weights.T).reshape(fields, systems, len(weights))

    def scores(self, sums: Array, metrics: Sequence[str] | None = None) -> dict[str, Array]:
        """Return the scores of sums ``[field, …]`` by metric; nan is 0/0 that is skipped."""
        metrics = self.metrics if metrics is None else metrics
        needed = {part for name in metrics for part, _ in self._parts[name]}
        scores = {}
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            rates = {name: self._columns[name].rates(sums) for name in needed}
            for name in metrics:
                if is_average(name):
                    parts = self._parts[name]
                    values = [(self._resolve(rates[part].f1), weight) for part, weight in parts]
                    scores[name] = weighted_mean(values, ARRAYS)
                else:
                    scores[name] = self._resolve(getattr(rates[name], self.score))
        return scores

    def _resolve(self, rates: Array) -> Array:
        """Replace 0/0 in rates by the value of the option `undefined`."""
        substitute = UNDEFINED_AS[self.recipe.undefined]
        return rates if isnan(substitute) else np.where(rates != rates, substitute, rates)

    def differing(self, a: int, b: int) -> dict[str, Indices]:
        """Return for each metric the units where statistics that decide scores differ.

        Exchanging the systems changes nothing in the other units.
        """
        one, other = self.values[:, a], self.values[:, b]
        unequal = np.abs(one - other) > _ROUNDING * np.maximum(np.abs(one), np.abs(other))
        by_part = {
            part: unequal[columns.deciding].any(axis=0) for part, columns in self._columns.items()
        }
        return {
            name: np.flatnonzero(np.any([by_part[part] for part, _ in parts], axis=0))
            for name, parts in self._parts.items()
        }

    def leave_one_out(self) -> dict[str, Array]:
        """Return the scores of each system without each unit, ``[system, unit]`` (jackknife)."""
        # The sums before and after each unit are added. Subtracting a unit from the total would
        # give small numbers instead of 0, because of rounding.
        before = np.zeros_like(self.values)
        np.cumsum(self.values[:, :, :-1], axis=2, out=before[:, :, 1:])
        after = np.zeros_like(self.values)
        after[:, :, :-1] = np.cumsum(self.values[:, :, :0:-1], axis=2)[:, :, ::-1]
        return self.scores(before + after)


def _sum_by_unit(
    rows: Sequence[Row], homes: Sequence[str], units: Sequence[str], width: int
) -> Array:
    """Return the sums of rows by unit, ``[field, unit]``, each correctly rounded.

    `homes` has the name of the unit of each row, `units` all names in order; `width` is the number
    of fields of a row.
    """
    if len(set(homes)) == len(homes):  # a fast path: one row for each unit needs no sums
        by_unit = dict(zip(homes, rows, strict=True))
        return np.array([by_unit[unit] for unit in units], dtype=float).T
    blocks = grouped(zip(homes, rows, strict=True))
    sums = np.empty((width, len(units)))
    for position, unit in enumerate(units):
        sums[:, position] = [fsum(column) for column in zip(*blocks[unit], strict=True)]
    return sums


class _Columns:
    """Columns of a metric's statistics, and the meaning of their sums."""

    def __init__(self, metric: Metric, undefined: str, start: int) -> None:
        self.metric = metric
        self.undefined = undefined
        self.start = start
        self.end = start + self.width

    @property
    def width(self) -> int:
        return len(self.metric.fields)

    @property
    def deciding(self) -> list[int]:
        """The rows of the fields that decide the score."""
        return [self.start + self.metric.fields.index(name) for name in self.metric.deciding]

    def rows(self, statistics: Sequence[Row]) -> Sequence[Row]:
        return statistics

    def rates(self, sums: Array) -> Rates:
        mine = sums[self.start : self.end]
        if _has_formula(self.metric):
            return self.metric.rates(list(mine), ARRAYS)
        rows = mine.reshape(len(mine), -1).T.tolist()
        scores = np.array([self.metric.scores(row, "skip")[:3] for row in rows], dtype=float)
        return Rates(*(column.reshape(mine.shape[1:]) for column in scores.T))


class _MacroColumns(_Columns):
    """Like `_Columns`, where a score is the mean over documents with a defined score.

    Each of the three scores has two columns: its value (0 if undefined), and 1 if it is defined.
    """

    width = 6

    def rows(self, statistics: Sequence[Row]) -> Sequence[Row]:
        found = []
        for row in statistics:
            scores = self.metric.scores(row, self.undefined)[:3]
            pairs = [(0, 0) if isnan(score) else (score, 1) for score in scores]
            found.append(tuple(number for pair in pairs for number in pair))
        return found

    @property
    def deciding(self) -> list[int]:
        return list(range(self.start, self.end))

    def rates(self, sums: Array) -> Rates:
        mine = sums[self.start : self.end]
        return Rates(*(ARRAYS.ratio(mine[i], mine[i + 1]) for i in (0, 2, 4)))


def _has_formula(metric: Metric) -> bool:
    """Return whether the scores of a metric follow its `rates`, which serve arrays too.

    They do not if a class overrides `scores` after the last one that defines `rates` or `counts`.
    """
    for kind in type(metric).__mro__:
        if vars(kind).keys() & {"rates", "counts"}:
            return True
        if "scores" in vars(kind):
            return False
    return False
