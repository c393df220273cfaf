"""``results.json``: all values that the site shows. docs/json.md has the schema.

With a hidden key, it has only scores, ranks and letters: no text, name of a document or count.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from corefmeter._version import __version__
from corefmeter.analysis.operations import CLASSES
from corefmeter.metrics import title
from corefmeter.statistics.arrays import Array
from corefmeter.wings.platforms.leaderboard import records
from corefmeter.wings.platforms.leaderboard.board import Board
from corefmeter.wings.platforms.leaderboard.standings import compare_dataset, compare_means, rank

#: The value of ``format``.
FORMAT = "corefmeter leaderboard"

#: The values of each system on a data set.
Cells = dict[str, dict[str, Any]]

#: Recall, precision and F1 by metric, as far as the metric has them; None is not a number.
Scores = Mapping[str, Mapping[str, float | None]]


def read_cells(paths: records.Records, keys: bool) -> dict[str, Cells]:
    """Return the values that pages may show, by data set and system."""
    cells = {
        dataset: {system: records.read_json(path)["shown"] for system, path in of_systems.items()}
        for dataset, of_systems in paths.items()
    }
    if not keys:
        for cell in (cell for of_systems in cells.values() for cell in of_systems.values()):
            cell.pop("errors", None)  # numbers of decisions
    return cells


def make_results(
    board: Board, paths: records.Records, cells: Mapping[str, Cells], jobs: int, keys: bool
) -> dict[str, Any]:
    """Compare all systems; return the content of ``results.json`` without the history."""
    groups = {"": [*board.datasets]}  # the group of all has no name
    for name, dataset in board.datasets.items():
        for group in dataset["groups"]:
            groups.setdefault(group, []).append(name)
    sums: dict[str, Any] = dict.fromkeys(groups, 0)
    notes = {}
    names = sorted(paths)  # sums do not depend on the order of data sets
    tasks = [(board, name, paths[name]) for name in names]
    for name, compared in zip(names, records.run(compare_dataset, tasks, jobs), strict=True):
        notes[name] = compared.notes if keys else []
        for system, standing in compared.standings.items():
            cells[name][system].update(standing)
        for group in ("", *board.datasets[name]["groups"]):
            sums[group] = sums[group] + compared.resampled
    return {
        "format": FORMAT,
        "schema": 1,
        "version": __version__,
        "signature": f"{board.recipe.signature()}|{board.plan.signature()}",
        **{name: getattr(board, name) for name in ("title", "primary", "missing", "systems")},
        **{name: getattr(board.plan, name) for name in ("alpha", "level")},
        "keys": keys,
        "metrics": {name: title(name) for name in board.recipe.metrics},
        "errors": {name: error.title for name, error in CLASSES.items()},
        "datasets": {name: {**one, "notes": notes[name]} for name, one in board.datasets.items()},
        "results": cells,
        "means": {
            group: _make_means(board, [cells[name] for name in names], sums[group] / len(names))
            for group, names in groups.items()
        },
    }


def _make_means(board: Board, cells: Sequence[Cells], resampled: Array) -> Cells:
    """Return the mean scores and the standing of each system over some data sets."""
    scores = {system: mean_scores(board, cells, system) for system in board.systems}
    primary = {s: mean[board.primary]["f1"] if mean else None for s, mean in scores.items()}
    standings = rank(primary, *compare_means(primary, resampled, board.plan), board.plan)
    if len(cells) == 1:  # the mean is the score
        standings |= {s: {name: cells[0][s][name] for name in standings[s]} for s in cells[0]}
    return {system: {"scores": scores[system], **standings[system]} for system in board.systems}


def mean_scores(board: Board, cells: Sequence[Cells], system: str) -> Scores | None:
    """Return the mean of each score; None if a response is missing and does not count as 0."""
    found: list[Scores] = [one[system]["scores"] for one in cells if system in one]
    if not found or (len(found) < len(cells) and board.missing == "none"):
        return None

    def mean(metric: str, rate: str) -> float | None:
        values: list[Any] = [scores[metric][rate] for scores in found]
        return None if None in values else fsum(values) / len(cells)

    return {metric: {rate: mean(metric, rate) for rate in found[0][metric]} for metric in found[0]}


def update_history(
    board: Board,
    paths: records.Records,
    cells: Mapping[str, Cells],
    date: str,
    notes: Mapping[str, str],
) -> dict[str, list[dict[str, Any]]]:
    """Add an entry for each system whose responses or scores are new; return all, by system.

    `notes` are lines for the entries of some systems. If only the scores are new, because of the
    version, the key or the options, an entry is ``again``.
    """
    place = records.in_cache(board, "history.json")
    history: dict[str, list[dict[str, Any]]] = records.read_json(place, {})
    for system in board.systems:
        of_datasets = {name: of[system]["scores"] for name, of in cells.items() if system in of}
        digests = [os.path.basename(paths[name][system]) for name in sorted(of_datasets)]
        entry: dict[str, Any] = {
            "date": date,
            "note": notes.get(system, ""),
            "signature": board.recipe.signature(),
            "responses": records.digest(digests),
            "again": False,
            "scores": of_datasets,
            "mean": mean_scores(board, [*cells.values()], system),
        }
        versions = history.setdefault(system, [])
        if versions and versions[-1]["responses"] == entry["responses"]:
            if versions[-1]["scores"] == entry["scores"]:
                continue
            entry["again"] = True
        versions.append(entry)
    records.write_json(place, history)
    return {system: history[system] for system in board.systems}
