"""The record of a pair: the result of ``score`` by part, the costs of ``errors``, and the card.

A record is made again only if the key, the response, the recipe or the version changes: its folder
is named by a digest of the others, its file by a digest of the response.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from typing import Any

from corefmeter._version import __version__
from corefmeter.analysis.card.made import card_of
from corefmeter.analysis.card.types import MENTIONS
from corefmeter.analysis.operations import count_errors
from corefmeter.analysis.report import analyse_corpora
from corefmeter.analysis.scoring import as_json_values, entity_metrics
from corefmeter.cli.help import progress_bar
from corefmeter.corpus.model import Corpus
from corefmeter.formats.source import expand, open_input, recording_inputs
from corefmeter.metrics.base import as_json
from corefmeter.problems import CollectedErrors, DataError, OptionError, Problem
from corefmeter.reading import read_sides
from corefmeter.wings.platforms.leaderboard.board import Board
from corefmeter.wings.platforms.submission import unreadable, write_file

#: The version of the records.
LAYOUT = 1

#: The paths of the records by data set and system.
Records = dict[str, dict[str, str]]


def update_records(board: Board, jobs: int) -> tuple[Records, int]:
    """Make the records that do not exist; return the paths of all, and the number of new ones."""
    records: Records = {}
    tasks: list[tuple[Board, str, dict[str, str]]] = []
    for dataset, key in board.keys.items():
        how = [LAYOUT, __version__, board.recipe.signature(), board.primary]
        folder = in_cache(board, "pairs", digest([*how, _digest_files(key)]))
        records[dataset], new = {}, {}
        for system, response in board.responses[dataset].items():
            path = os.path.join(folder, f"{_digest_files(response)}.json")
            records[dataset][system] = path
            if not os.path.exists(path):
                new[path] = response
        if new:
            tasks.append((board, key, new))
    errors: list[Problem] = []
    with progress_bar("scoring") as progress:
        for done, problems in enumerate(run(_score_responses, tasks, jobs), 1):
            errors += problems
            progress(done, len(tasks))
    if errors:
        raise DataError(errors)
    return records, sum(len(new) for _, _, new in tasks)


def run(work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Any]:
    """Call a function with the arguments of each task, in so many processes; yield the results."""
    if jobs == 1:
        yield from (work(*task) for task in tasks)
        return
    # With a maximum of tasks, processes are spawned, not forked.
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1 << 20) as pool:
        yield from pool.map(work, *zip(*tasks, strict=True))


def _score_responses(board: Board, key: str, responses: Mapping[str, str]) -> list[Problem]:
    """Write the records of responses, given by the paths of their records; return the errors."""
    errors = CollectedErrors()
    corpus, readers = read_sides(key, [*responses.values()], board.recipe, details=True)
    for path, read_response in zip(responses, readers, strict=True):
        with errors:
            write_json(path, _make_record(board, corpus, read_response()))
    return errors


def _make_record(board: Board, key: Corpus, response: Corpus) -> dict[str, Any]:
    """Return the saved result of a pair, and the values that pages show."""
    of_primary = board.recipe.replace(metrics=(board.primary,))
    costs = entity_metrics(of_primary) or None
    analysis = analyse_corpora(key, response, board.recipe, cost_metrics=costs)
    saved = analysis.result.to_dict(by=["part"])
    scores, rates = saved["results"][0]["scores"], ("recall", "precision", "f1")
    shown: dict[str, Any] = {
        "scores": {
            metric: {rate: scores[metric][rate] for rate in rates if rate in scores[metric]}
            for metric in board.recipe.metrics
        }
    }
    try:
        shown["errors"] = count_errors(document.repairs for document in analysis)
        shown["costs"] = {
            name: as_json_values(analysis.costs.cost(name)) for name in shown["errors"]
        }
        card = card_of(key, response, of_primary, by=["kind"], only=MENTIONS)
    except OptionError:  # these options have no costs, or no card
        return {"result": saved, "shown": shown}
    shown["losses"] = card.entry()["losses"].get(board.primary)
    shown["types"] = {
        name: as_json(result["mentions"].f1)
        for section, by, name, result in card
        if (section, by) == (MENTIONS, "kind")
    }
    return {"result": saved, "shown": shown}


def merge_results(paths: Mapping[str, str]) -> dict[str, Any]:
    """Return the results of systems on a data set, as ``score --by part -f json`` saves them."""
    saved = {system: read_json(path)["result"] for system, path in paths.items()}
    entries = [{**result["results"][0], "name": system} for system, result in saved.items()]
    return {**next(iter(saved.values()), {}), "results": entries}


def in_cache(board: Board, *names: str) -> str:
    """Return the path of a file or folder in the cache."""
    return os.path.join(board.folder, ".corefmeter", *names)


def digest(values: Any) -> str:
    """Return the digest of JSON values."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _digest_files(path: str) -> str:
    """Return the digest of a file, or of all files in a folder and their names."""
    digests = []
    for file in expand(path):
        with suppress(OSError), open_input(file) as stream:  # its reader will report an error
            digests.append((os.path.relpath(file, path), hashlib.sha256(stream.read()).hexdigest()))
    return digest(digests)


def write_json(path: str, values: Any) -> None:
    """Write JSON values to a file, and make its folder."""
    write_file(path, json.dumps(values, ensure_ascii=False, separators=(",", ":")))


def read_json(path: str, default: Any = None) -> Any:
    """Return the JSON values of a file that an earlier run wrote, or the default without a file."""
    if not os.path.exists(path):
        return default
    try:
        with recording_inputs(), open_input(path) as stream:  # not an input: it may be replaced
            return json.loads(stream.read())
    except ValueError:
        raise DataError(unreadable(path, "is not JSON", "Remove it; it is made again.")) from None
