"""Scores of several data sets and their unweighted mean, as shared tasks on many corpora report."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from math import fsum
from typing import IO, Any

from corefmeter._version import __version__
from corefmeter.metrics import title
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import Table
from corefmeter.result import SCHEMA, Result


def means(results: Mapping[str, Result]) -> dict[str, dict[str, float]]:
    """For each metric the mean of each score over data sets; each data set weighs the same."""
    found: dict[str, dict[str, float]] = {}
    for metric in next(iter(results.values())).recipe.metrics:
        found[metric] = {}
        for score in ("recall", "precision", "f1"):
            values = [getattr(result[metric], score, None) for result in results.values()]
            if None not in values:
                # Types: None was left out above.
                found[metric][score] = fsum(values) / len(values)  # type: ignore[arg-type]
    return found


def write(results: Mapping[str, Result], format: str, stream: IO[str]) -> None:
    """Write each data set and the mean."""
    first = next(iter(results.values()))
    mean = means(results)
    if format == "json":
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "signature": first.signature,
            "version": __version__,
            "datasets": {name: result.entry() for name, result in results.items()},
            "mean": mean,
        }
        stream.write(json.dumps(document, ensure_ascii=False) + "\n")
        return
    rows = {name: [result[m].f1 for m in first.recipe.metrics] for name, result in results.items()}
    rows["mean"] = [mean[metric]["f1"] for metric in first.recipe.metrics]
    if format == "csv":
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("dataset", *first.recipe.metrics))
        writer.writerows((name, *values) for name, values in rows.items())
        return
    table = Table(["F1", *map(title, first.recipe.metrics)])
    for name, values in rows.items():
        table.rows.append([name, *(f"{100 * value:.2f}" for value in values)])
    notes = [f"mean: of {len(results)} data sets, each weighs the same; in percent"]
    command = ("score", "--pairs TABLE")
    write_tables([table], notes, format, stream, first.signature, command)
