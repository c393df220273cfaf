"""The pages of a leaderboard, made from ``results.json`` and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from corefmeter.corpus.model import as_file_name
from corefmeter.formats.output import check_outputs, remove
from corefmeter.reports.html import template
from corefmeter.reports.page import hash_text, strip_comments
from corefmeter.wings.platforms.leaderboard.board import Board
from corefmeter.wings.platforms.leaderboard.records import read_json
from corefmeter.wings.platforms.leaderboard.results import FORMAT
from corefmeter.wings.platforms.submission import TEMPLATES, page_style, write_file

#: The file of all values, and the front page.
RESULTS, FRONT = "results.json", "index.html"

#: Values that each page chooses from.
_CHOSEN = ("results", "means", "history", "files")


def saved_results(board: Board) -> dict[str, str]:
    """Return the path of the saved results of each data set, for ``compare --results``."""
    return {name: f"data/{as_file_name(name)}.json" for name in board.datasets}


def plan_files(board: Board, keys: bool, reports: Sequence[str]) -> list[str]:
    """Return the paths of all files of the site."""
    pages = [one["page"] for one in (*board.datasets.values(), *board.systems.values())]
    return [RESULTS, FRONT, *pages, *(saved_results(board).values() if keys else ()), *reports]


def check_folder(folder: str, files: Sequence[str], force: bool) -> list[str]:
    """Refuse to replace files of another origin; return the files of an earlier leaderboard."""
    found = read_json(os.path.join(folder, RESULTS))
    is_ours = isinstance(found, dict) and found.get("format") == FORMAT
    old = [*map(str, found.get("files", []))] if is_ours else []
    check_outputs([], [os.path.join(folder, file) for file in files], force=True)
    check_outputs([], [os.path.join(folder, file) for file in files if file not in old], force)
    return [file for file in old if ".." not in file.split("/") and not os.path.isabs(file)]


def write_site(folder: str, results: Mapping[str, Any], old: Sequence[str]) -> None:
    """Write ``results.json`` and the pages; remove the `old` files that are not made any more."""
    for file in {*old} - {*results["files"]}:
        remove(os.path.join(folder, file))
    # The file that names the others comes first, so that a run that stops can be repeated.
    text = json.dumps(results, ensure_ascii=False, indent=1, allow_nan=False)
    for file, content in [(RESULTS, f"{text}\n"), *_make_pages(results)]:
        write_file(os.path.join(folder, file), content)


def _make_pages(results: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    cells, means, history = results["results"], results["means"], results["history"]
    shown = ("scores", "interval", "rank", "ranks", "letters")
    own: dict[str, Any] = {
        dataset: {system: {name: cell[name] for name in shown} for system, cell in of.items()}
        for dataset, of in cells.items()
    }
    moved = {system: of for system, of in history.items() if any(one["again"] for one in of)}
    values = {"results": own, "means": means, "history": moved}
    yield FRONT, _render("front", results["title"], results, values)
    for name, dataset in results["datasets"].items():
        yield dataset["page"], _render("dataset", name, results, {"results": cells[name]})
    for name, system in results["systems"].items():
        own = {dataset: of[name] for dataset, of in cells.items() if name in of}
        values = {"results": own, "means": {group: of[name] for group, of in means.items()}}
        yield system["page"], _render("system", name, results, values | {"history": history[name]})


def _render(kind: str, name: str, results: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Return a page with its own values and those that all pages have."""
    core, board = files("corefmeter.reports.page") / "scripts", files(TEMPLATES) / "leaderboard"
    scripts = [core / "elements.js", core / "pieces.js", board / "pieces.js", board / f"{kind}.js"]
    script = strip_comments("".join(path.read_text("utf-8") for path in scripts))
    style, root = page_style(), "" if kind == "front" else "../"
    shared = {key: value for key, value in results.items() if key not in _CHOSEN}
    data = json.dumps({**shared, "root": root, "name": name, **own}, ensure_ascii=False)
    data = data.replace("<", "\\u003c")  # nothing in it ends the script that holds it
    values = {"results": results, "name": name, "root": root, "data": data}
    values |= {"style": style, "style_hash": hash_text(style)}
    values |= {"script": script, "script_hash": hash_text(script)}
    return str(template("leaderboard/page.html", TEMPLATES).render(values))
