"""Imports go one way: no part of the package imports one to its right (docs/architecture.md)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "corefmeter"

#: From left to right; what stands together is equally far left.
LAYERS = ["problems", "corpus", "formats", "mentions", "matching", "metrics", "recipe", "result",
          "scoring", "analysis statistics", "lab", "reports", "cli"]  # fmt: skip
RANKS = {part: rank for rank, parts in enumerate(LAYERS) for part in parts.split()}


def imported(tree: ast.AST) -> list[str]:
    """The parts of the package that a module imports, but for those that only types need."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("corefmeter."):
            found.append(str(node.module).split(".")[1])
        elif isinstance(node, ast.Constant) and str(node.value).startswith("corefmeter."):
            # Names of modules that are imported when they are asked for, such as "…metrics.mor:X".
            found += [part for part in str(node.value).split(".")[1:2] if ":" in str(node.value)]
        found += imported(node)
    return found


@pytest.mark.parametrize("part", RANKS)
def test_no_part_imports_what_is_to_its_right(part):
    folder = SOURCE / part
    modules = sorted(folder.rglob("*.py")) if folder.is_dir() else [SOURCE / f"{part}.py"]
    assert modules
    wrong = {
        (str(module.relative_to(SOURCE)), other)
        for module in modules
        for other in imported(ast.parse(module.read_text("utf-8")))
        if RANKS.get(other, -1) > RANKS[part]
    }
    assert not wrong
