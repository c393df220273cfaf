"""The bundle of a shared task: what an organiser uploads to Codabench.

It holds the reference, the scoring program with the wheels that it needs, the pages that
participants read, and ``competition.yaml``, which says what is what.
"""

from __future__ import annotations

import datetime
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from importlib.resources import files

from corefmeter.formats.source import open_input
from corefmeter.metrics import title
from corefmeter.recipe import Recipe
from corefmeter.wings.platforms.submission import Details
from corefmeter.wings.platforms.wheels import NEEDED, wheel_of

#: The image in which the scoring program runs; it needs nothing but Python.
IMAGE = "python:3.13-slim"

#: What the scoring program is called with, where the platform puts the folders.
_COMMAND = "python3 /app/program/scoring.py /app/input /app/output"


def bundle(
    key: str,
    recipe: Recipe,
    *,
    sample: str | None = None,
    name: str = "Coreference",
    datasets: Sequence[str] = (),
    details: Details = "scores",
    strict: bool = False,
) -> Iterator[tuple[str, bytes]]:
    """The files of a bundle: their paths in it, and what is in them.

    Parameters
    ----------
    key
        The file or folder of the key.
    recipe
        How to score; the scoring program repeats it by its signature.
    sample
        A submission that is handed in with the bundle, to see that it works.
    name
        What the task is called.
    datasets
        The names of data sets, each an entry of the folder of the key.
    details
        What the page of a submission shows to its participant.
    strict
        Whether key and submission must have the same words.
    """
    yield from _copies(key, "reference_data")
    if sample is not None:
        yield from _copies(sample, "solution")
    for needed in NEEDED:
        wheel, data = wheel_of(needed)
        yield f"scoring_program/{wheel}", data
    options = ["--recipe", recipe.signature(), "--details", details]
    options += ["--datasets"] * bool(datasets) + ["--strict"] * strict
    command = f"{_COMMAND} {shlex.join(options)}"
    yield "scoring_program/metadata.yaml", f"command: {json.dumps(command)}\n".encode()
    filled = {
        "NAME": json.dumps(name),
        "TITLE": name,
        "IMAGE": IMAGE,
        "START": datetime.date.today().isoformat(),
        "SOLUTIONS": _SOLUTIONS if sample is not None else "",
        "COLUMNS": "".join(_columns(recipe, datasets)),
        "METRICS": ", ".join(map(title, recipe.metrics)),
        "SIGNATURE": recipe.signature(),
        "FILES": ", ".join(f"`{one}`" for one in _entries(key))
        if datasets
        else "one file, or a folder with a file for each file of the key",
    }
    templates = files("corefmeter.wings.platforms.templates")
    yield "logo.png", (templates / "logo.png").read_bytes()
    yield "scoring_program/scoring.py", (templates / "scoring.txt").read_bytes()
    for place in ("competition.yaml", "pages/overview.md", "pages/evaluation.md", "pages/terms.md"):
        text = (templates / os.path.basename(place)).read_text("utf-8")
        for hole, value in filled.items():
            text = text.replace(f"<{hole}>", value)
        yield place, text.encode()


#: What is said of a sample submission.
_SOLUTIONS = """solutions:
  - index: 0
    path: solution
    tasks: [0]
"""


def _columns(recipe: Recipe, datasets: Sequence[str]) -> Iterator[str]:
    """The columns of the leaderboard: the means, then the data sets."""
    metrics = [(metric, title(metric)) for metric in recipe.metrics]
    wanted = metrics + [
        (f"{one}_{metric}", f"{one}: {shown}") for one in datasets for metric, shown in metrics
    ]
    for index, (key, shown) in enumerate(wanted):
        yield (
            f"      - index: {index}\n        title: {json.dumps(shown, ensure_ascii=False)}\n"
            f"        key: {json.dumps(key)}\n        sorting: desc\n        precision: 2\n"
        )


def _entries(folder: str) -> list[str]:
    """The names of what is in a folder; of a file its own."""
    if not os.path.isdir(folder):
        return [os.path.basename(folder)]
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def _copies(path: str, folder: str) -> Iterator[tuple[str, bytes]]:
    """A file, or all files of a folder, as they are."""
    if not os.path.isdir(path):
        with open_input(path) as stream:
            yield f"{folder}/{os.path.basename(path)}", stream.read()
        return
    for name in _entries(path):
        place = os.path.join(path, name)
        yield from _copies(place, f"{folder}/{name}" if os.path.isdir(place) else folder)
