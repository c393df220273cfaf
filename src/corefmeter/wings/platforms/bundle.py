"""The bundle of a shared task, which an organizer uploads to Codabench.

It has the reference, the scoring program with the wheels that it needs, the pages for participants,
and ``competition.yaml``, which declares them.
"""

from __future__ import annotations

import datetime
import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from tempfile import TemporaryDirectory

from corefmeter.formats.source import Source, is_compressed, open_input, uncompressed
from corefmeter.metrics import title
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe
from corefmeter.wings.platforms.submission import TEMPLATES, write_file
from corefmeter.wings.platforms.wheels import NEEDED, wheel_of

#: The image in which the scoring program runs; it needs only Python.
IMAGE = "python:3.13-slim"

#: The paths on the platform with which the scoring program is called.
_PATHS = ("/app/program/scoring.py", "/app/input", "/app/output")

#: Number of characters to show from the log of a failing program.
_LOG = 1000


def scoring_command(
    recipe: Recipe, datasets: bool = False, details: str = "scores", strict: bool = False
) -> str:
    """Return the command that the platform runs."""
    options = ["--recipe", recipe.signature(), "--details", details]
    if datasets:
        options.append("--datasets")
    if strict:
        options.append("--strict")
    return shlex.join(["python3", *_PATHS, *options])


def bundle(
    key: str,
    recipe: Recipe,
    command: str,
    *,
    sample: str | None = None,
    name: str = "Coreference",
    datasets: Sequence[str] = (),
) -> dict[str, bytes]:
    """Return the content of the files of a bundle, by their paths in it.

    Compressed files are decompressed, because the image may lack a module for them.

    Parameters
    ----------
    key
        The file or folder of the key.
    recipe, command
        How to score, and the `scoring_command`.
    sample
        A submission that is included in the bundle.
    name
        The title of the task.
    datasets
        The names of data sets, each an entry of the folder of the key.
    """
    contents: dict[str, bytes] = {}
    _add_files(key, "reference_data", contents)
    if sample is not None:
        _add_files(sample, "solution", contents)
    for distribution in NEEDED:
        wheel, data = wheel_of(distribution)
        contents[f"scoring_program/{wheel}"] = data
    contents["scoring_program/metadata.yaml"] = f"command: {_quote_yaml(command)}\n".encode()
    entries = "one file, or a folder with a file for each file of the key"
    if datasets:
        entries = ", ".join(f"`{entry}`" for entry in _entry_names(key))
    values = {
        "NAME": _quote_yaml(name),
        "TITLE": name,
        "IMAGE": IMAGE,
        "START": datetime.date.today().isoformat(),
        "SOLUTIONS": _SOLUTIONS if sample is not None else "",
        "COLUMNS": "".join(_leaderboard_columns(recipe, datasets)),
        "METRICS": ", ".join(map(title, recipe.metrics)),
        "SIGNATURE": recipe.signature(),
        "FILES": entries,
    }
    templates = files(TEMPLATES)
    contents["logo.png"] = (templates / "logo.png").read_bytes()
    contents["scoring_program/scoring.py"] = (templates / "scoring.txt").read_bytes()
    for path in ("competition.yaml", "pages/overview.md", "pages/evaluation.md", "pages/terms.md"):
        text = (templates / os.path.basename(path)).read_text("utf-8")
        for placeholder, value in values.items():
            text = text.replace(f"<{placeholder}>", value)
        contents[path] = text.encode()
    return contents


def write_files(folder: str, contents: Mapping[str, bytes]) -> None:
    """Write files into a folder, by their paths in it."""
    for name, data in contents.items():
        write_file(os.path.join(folder, *name.split("/")), data)


def _quote_yaml(text: str) -> str:
    """Quote a text for YAML; escape characters that are not printable."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise OptionError(f"{text!r} is not UTF-8")
    return "".join(
        character if character.isprintable() else f"\\U{ord(character):08x}"
        for character in json.dumps(text, ensure_ascii=False)
    )


#: The entry of a sample submission.
_SOLUTIONS = """solutions:
  - index: 0
    path: solution
    tasks: [0]
"""


def _leaderboard_columns(recipe: Recipe, datasets: Sequence[str]) -> Iterator[str]:
    """Yield the columns of the leaderboard: first the means, then those of data sets."""
    metrics = [(metric, title(metric)) for metric in recipe.metrics]
    columns = metrics + [
        (f"{dataset}_{metric}", f"{dataset}: {metric_title}")
        for dataset in datasets
        for metric, metric_title in metrics
    ]
    for index, (key, column_title) in enumerate(columns):
        yield (
            f"      - index: {index}\n        title: {_quote_yaml(column_title)}\n"
            f"        key: {_quote_yaml(key)}\n        sorting: desc\n        precision: 2\n"
        )


def _entry_names(folder: str) -> list[str]:
    """Return the names of the entries of a folder, or of a file, as they are in a bundle."""
    names = os.listdir(folder) if os.path.isdir(folder) else [os.path.basename(folder)]
    return sorted(uncompressed(name) for name in names if not name.startswith("."))


def _add_files(path: str, folder: str, contents: dict[str, bytes]) -> None:
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            if not name.startswith("."):
                entry = os.path.join(path, name)
                goal = f"{folder}/{name}" if os.path.isdir(entry) else folder
                _add_files(entry, goal, contents)
        return
    with open_input(path) as stream:
        data = stream.read()
    name = os.path.basename(path)
    if is_compressed(data):
        name = uncompressed(name)
        with Source(path) as source:
            data = source.whole()
    if contents.setdefault(f"{folder}/{name}", data) is not data:
        message = f"another file is called {name} without compression"
        hint = "Rename or remove one of them."
        raise DataError(Problem("unreadable", message, "error", path=path, hint=hint))


def run_bundle(contents: Mapping[str, bytes], command: str, submission: str) -> dict[str, float]:
    """Run the scoring program of a bundle as the platform does, and return the scores.

    The command runs in an interpreter without packages, in folders like those of the platform.
    `submission` is the folder of the bundle that is scored.
    """
    import subprocess

    with TemporaryDirectory() as app:
        for folder, goal in (
            ("scoring_program", "program"),
            ("reference_data", "input/ref"),
            (submission, "input/res"),
        ):
            moved = {
                name.replace(folder, goal, 1): data
                for name, data in contents.items()
                if name.startswith(f"{folder}/")
            }
            write_files(app, moved)
        _, *words = shlex.split(command)
        local_paths = {path: path.replace("/app", app, 1) for path in _PATHS}
        arguments = [local_paths.get(word, word) for word in words]
        process = subprocess.run(
            [sys.executable, "-I", "-S", *arguments],
            cwd=os.path.join(app, "program"),
            capture_output=True,
            check=False,
        )
        try:
            with open_input(os.path.join(app, "output", "scores.json")) as stream:
                scores: dict[str, float] = json.loads(stream.read())
        except FileNotFoundError:
            log = process.stderr.decode("utf-8", "replace").strip()[-_LOG:]
            message = f"the scoring program of the bundle wrote no scores: {log}"
            raise DataError(Problem("not-understood", message, "error")) from None
    return scores
