"""The entry points that pyproject.toml declares, as an installation has them."""

from __future__ import annotations

import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]


def declared() -> Iterator[tuple[str, str, str]]:
    """The group, the name and the value of each entry point."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for group, points in project["entry-points"].items():
        for name, value in points.items():
            yield group, name, value


def write_information(folder: Path, points: Iterator[tuple[str, str, str]]) -> None:
    """Write what an installation holds of the package besides its modules."""
    information = folder / "corefmeter-0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: corefmeter\nVersion: 0\n")
    lines = [f"[{group}]\n{name} = {value}\n" for group, name, value in points]
    (information / "entry_points.txt").write_text("".join(lines))


def use_declared() -> None:
    """Let the tests see what is declared now, where the editable installation is older."""
    try:
        found = {(p.group, p.name, p.value) for p in distribution("corefmeter").entry_points}
    except PackageNotFoundError:
        found = set()
    if not (ROOT / "src" / "corefmeter" / "wings").exists() or {*declared()} <= found:
        return
    folder = tempfile.mkdtemp(prefix="corefmeter-entry-points-")
    write_information(Path(folder), declared())
    sys.path.insert(0, folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.getenv("PYTHONPATH")]))
