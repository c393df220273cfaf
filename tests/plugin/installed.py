"""The package of this folder as an installed one."""

from __future__ import annotations

import shutil
import sys
import tempfile
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

__all__ = ["place"]

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]


@cache
def place() -> str:
    """Where the package is installed: where pip put it, or else a folder like one that pip makes.

    In this process the folder is on the path afterwards; others need it as their ``PYTHONPATH``.
    """
    try:
        return str(distribution(PROJECT["name"]).locate_file(""))
    except PackageNotFoundError:
        pass
    folder = Path(tempfile.mkdtemp(prefix="corefmeter-plugin-"))
    shutil.copy(HERE / "corefmeter_sets.py", folder)
    information = folder / f"corefmeter_sets-{PROJECT['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {PROJECT['name']}\nVersion: {PROJECT['version']}\n"
    )
    lines = []
    for group, points in PROJECT["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")
    sys.path.append(str(folder))
    return str(folder)
