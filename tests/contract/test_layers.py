"""Imports go one way: no part imports one to its right, and no modules import each other.

Imports inside of functions count, those for types count, and so do modules that are named in
strings, from where they are imported when they are asked for.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "corefmeter"

#: The parts of the package from left to right, as in docs/architecture.md; what stands on one line
#: is equally far left and knows nothing of each other.
LAYERS = """
_version _moved choices codes
problems
labels signature corpus doors shown
formats mentions
matching
metrics
typed units limits
recipe presets
result reading
preparation
scoring
analysis statistics calls
api answers scorer
testing compat adapters
reports
cli
wings
wings.anaphora wings.annotation wings.platforms wings.records wings.traditions
wings.lab
__main__
"""
RANKS = {part: rank for rank, line in enumerate(LAYERS.split("\n")) for part in line.split()}

#: What enters through entry points only, as other packages do, and is needed by nothing.
WINGS = {part for part in RANKS if part.startswith("wings.")}

#: What one part knows of another on its line: a recipe is found by the name of a preset.
BESIDE = {("recipe", "presets")}

#: The package names wings for type checkers, and `_moved` for those who import by old paths.
NAMING = {"", "_moved"}

#: What the lab knows of another wing: the papers that it recomputes have the ACE value.
LAB = {"wings.traditions"}


def name_of(path: Path) -> str:
    """The dotted name of a module below the package; ``""`` for the package itself."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in SOURCE.rglob("*.py")}


def mentioned(text: str) -> str | None:
    """The module that a string names: ``corefmeter.metrics.mor:MentionOverlap``."""
    name = text.partition(":")[0].removeprefix("corefmeter.")
    return name if text.startswith("corefmeter.") and name in MODULES else None


def imported(module: str) -> set[str]:
    """The modules of the package that a module imports or names."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "corefmeter":
            base = str(node.module).removeprefix("corefmeter").removeprefix(".")
            for name in node.names:
                inner = f"{base}.{name.name}".removeprefix(".")
                found.add(inner if inner in MODULES else base)
        elif isinstance(node, ast.Import):
            found |= {name.name.removeprefix("corefmeter.") for name in node.names
                      if name.name.startswith("corefmeter.")}  # fmt: skip
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {name for name in [mentioned(node.value)] if name}
    return found - {module, ""}


IMPORTS = {module: imported(module) for module in MODULES if module not in NAMING}


def part_of(module: str) -> str:
    first, _, rest = module.partition(".")
    return f"wings.{rest.partition('.')[0]}" if first == "wings" and rest else first


def test_every_part_has_its_place():
    """The wings may be away, see `test_wings`."""
    assert {part_of(module) for module in IMPORTS} | WINGS | {"wings", "_moved"} == set(RANKS)


def test_the_lab_knows_one_other_wing():
    others = {part_of(other) for module, found in IMPORTS.items() for other in found
              if part_of(module) == "wings.lab"}  # fmt: skip
    assert others & WINGS <= LAB | {"wings.lab"}


@pytest.mark.parametrize("part", RANKS)
def test_no_part_imports_what_is_to_its_right_or_beside_it(part):
    wrong = {
        (module, other)
        for module, others in IMPORTS.items()
        for other in others
        if part_of(module) == part != part_of(other)
        and RANKS[part_of(other)] >= RANKS[part]
        and (part, part_of(other)) not in BESIDE
    }
    assert not wrong


def test_no_module_of_the_core_names_a_wing():
    core = [module for module in MODULES if part_of(module) not in WINGS and module not in NAMING]
    wrong = {
        (module, other) for module in core for other in imported(module) if part_of(other) in WINGS
    }
    assert not wrong


def test_no_modules_import_each_other():
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, [*above[above.index(module) :], module]
        if module not in done:
            for other in sorted(IMPORTS[module]):
                visit(other, (*above, module))
            done.add(module)

    for module in sorted(IMPORTS):
        visit(module, ())


def test_strings_that_name_modules_are_seen():
    assert "metrics.mor" in IMPORTS["metrics"]
    assert "matching.head" in IMPORTS["matching.stages"]


#: What named tuples offer under private names, so that fields may have any other.
OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def is_private(name: str) -> bool:
    """The name ``_`` alone is none: with spaCy, ``doc._`` holds what users add."""
    return name not in {"_", *OF_TUPLES} and name.startswith("_") and not name.startswith("__")


def foreign_privates(text: str) -> list[str]:
    """The private names that a module takes from others: imported, or as attributes."""
    nodes = list(ast.walk(ast.parse(text)))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name)}
    own |= {node.attr for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    taken = [name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names]
    taken += [node.attr for node in nodes if isinstance(node, ast.Attribute)
              and node.attr not in own]  # fmt: skip
    return [name for name in taken if is_private(name)]


@pytest.mark.parametrize("module", MODULES)
def test_no_private_name_crosses_a_module(module):
    assert not foreign_privates(MODULES[module].read_text("utf-8"))


def test_private_names_of_others_are_seen():
    assert foreign_privates("from corefmeter.recipe import _names, names") == ["_names"]
    assert foreign_privates("from corefmeter import recipe\nrecipe._names()") == ["_names"]
    assert not foreign_privates(
        "def f(self):\n    self._x = 1\n    return self._x, t._replace(a=1)"
    )


#: What a user imports from, beside single names that docs/ gives: these say what they offer.
PUBLIC = {"", "corpus", "formats", "metrics"}


def test_only_public_modules_list_their_names():
    assert {name for name, path in MODULES.items() if "\n__all__ =" in path.read_text()} == PUBLIC


def test_the_package_names_wings_for_type_checkers_only():
    body = ast.parse(MODULES[""].read_text("utf-8")).body
    (typing, *_) = [node for node in body if isinstance(node, ast.If)]
    everywhere = ast.walk(ast.Module(body, []))
    named = {node.module for node in everywhere if isinstance(node, ast.ImportFrom)}
    typed = {node.module for node in typing.body if isinstance(node, ast.ImportFrom)}
    assert {name for name in named if "wings" in str(name)} <= typed
