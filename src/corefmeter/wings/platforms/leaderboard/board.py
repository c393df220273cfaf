"""The definition of a leaderboard: data sets with keys, systems with files, and how to score.

``leaderboard.toml`` defines it; `KEYS` lists its entries. Files that it does not name are found in
the folder: ``keys/NAME.*`` is the key of a data set, ``systems/SYSTEM/NAME.*`` a response to it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from glob import escape, glob
from typing import Any, NamedTuple

from corefmeter.cli.options import recipe_from
from corefmeter.corpus.model import as_file_name
from corefmeter.formats.source import open_input
from corefmeter.metrics import canonical
from corefmeter.problems import DataError, OptionError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.statistics.plan import Plan
from corefmeter.wings.platforms.submission import by_stem, unreadable

_TESTED = ("test", "trials", "seed", "by", "correction", "alpha", "level", "interval")

#: The entries of each table of ``leaderboard.toml``, with the types of their values.
KEYS: dict[str, dict[str, Any]] = {
    "": {
        **dict.fromkeys(("title", "preset", "recipe", "primary", "missing"), str),
        **dict.fromkeys(("options", "compare", "datasets", "systems"), dict),
        "metrics": list,
    },
    "compare": {name: type(value) for name, value in vars(Plan()).items() if name in _TESTED},
    "datasets": {"key": str, "groups": list, "about": str},
    "systems": {"files": str, "about": str, "kind": str},
}


class Board(NamedTuple):
    """A leaderboard. The metric `primary` ranks; `missing` is ``none`` or ``zero``.

    `keys` has the path of each key, `responses` the paths by data set and system, `folders` those
    of systems. `datasets` and `systems` have what the site shows of each: its page, a line `about`
    it, the `groups` that a data set is in, and the `kind` of a system.
    """

    folder: str
    title: str
    recipe: Recipe
    plan: Plan
    primary: str
    missing: str
    keys: dict[str, str]
    responses: dict[str, dict[str, str]]
    folders: dict[str, str]
    datasets: dict[str, dict[str, Any]]
    systems: dict[str, dict[str, Any]]
    problems: list[Problem]


def read_board(folder: str) -> Board:
    """Return the leaderboard in a folder; refuse unknown entries and paths without a file."""
    path = os.path.join(folder, "leaderboard.toml")
    values: Mapping[str, Any] = {}
    try:
        if os.path.exists(path):
            with open_input(path) as stream:
                values = _check(tomllib.loads(stream.read().decode("utf-8-sig")), "")
        metrics = tuple(map(str, values.get("metrics", ())))
        asked = {"preset": values.get("preset"), "metrics": metrics, **values.get("options", {})}
        recipe, problems = recipe_from(values.get("recipe"), asked)
        plan = Plan(**_check(values.get("compare", {}), "compare"))
        usual = "conll" if "conll" in recipe.metrics else recipe.metrics[0]
        primary, missing = canonical(values.get("primary", usual)), values.get("missing", "none")
        if primary not in recipe.metrics:
            raise unknown("primary metric", primary, recipe.metrics)
        if missing not in ("none", "zero"):
            raise unknown("value of missing", missing, ("none", "zero"))
        title = values.get("title", "Leaderboard")
        board = Board(folder, title, recipe, plan, primary, missing, {}, {}, {}, {}, {}, problems)
        _add_datasets(board, values.get("datasets", {}))
        _add_systems(board, values.get("systems", {}))
    except (TypeError, ValueError) as error:  # OptionError, UnicodeError, TOMLDecodeError
        raise DataError(Problem("bad-leaderboard", str(error), "error", path=path)) from None
    return board


def _check(values: Any, table: str, name: str = "") -> Mapping[str, Any]:
    """Return the values of a table; refuse unknown names and wrong types."""
    place = f" in [{'.'.join(filter(None, (table, name)))}]" if table else ""
    if not isinstance(values, dict):
        raise OptionError(f"{name}: {values!r} is not a table")
    for key, value in values.items():
        if key not in KEYS[table]:
            raise unknown(f"name{place}", key, KEYS[table])
        if type(value) is not KEYS[table][key]:
            raise OptionError(f"{key}{place}: {value!r} has the wrong type")
    return values


def _add_datasets(board: Board, declared: Mapping[str, Any]) -> None:
    """Add the data sets that the file declares, or else those of the folder ``keys``."""
    files = files_in(os.path.join(board.folder, "keys"))
    for name in declared or files:
        values = dict(_check(declared.get(name, {}), "datasets", name))
        key = os.path.join(board.folder, values.pop("key")) if "key" in values else files.get(name)
        if key is None or not os.path.exists(key):
            reason = f"there is no key of the data set {name!r}"
            raise DataError(unreadable(key or os.path.join(board.folder, "keys"), reason))
        page = f"data/{as_file_name(name)}.html"
        board.datasets[name] = {"page": page, "about": "", "groups": [], **values}
        board.keys[name], board.responses[name] = key, {}
    if not board.keys:
        hint = "Put the key of each data set into keys/."
        raise DataError(unreadable(board.folder, "there is no key", hint))


def _add_systems(board: Board, declared: Mapping[str, Any]) -> None:
    """Add the systems of the file, then the others in the folder ``systems``."""
    folders = sorted(glob(os.path.join("*", ""), root_dir=os.path.join(board.folder, "systems")))
    for name in dict.fromkeys((*declared, *map(os.path.dirname, folders))):
        values = dict(_check(declared.get(name, {}), "systems", name))
        folder = os.path.join(board.folder, values.pop("files", os.path.join("systems", name)))
        if not os.path.isdir(folder):
            raise DataError(unreadable(folder, f"there is no folder of the system {name!r}"))
        page = f"systems/{as_file_name(name)}.html"
        board.systems[name] = {"page": page, "about": "", "kind": "", **values}
        board.folders[name] = folder
        for dataset, path in files_in(folder).items():
            if dataset in board.keys:
                board.responses[dataset][name] = path
            else:
                reason = "there is no such data set; it is not scored"
                board.problems.append(Problem("extra-document", reason, path=path))


def files_in(folder: str) -> dict[str, str]:
    """Return the files and folders in a folder by the names of their data sets."""
    return by_stem(sorted(glob(os.path.join(escape(folder), "*"))), folder)
