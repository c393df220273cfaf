"""Old paths of modules: importing one warns, and gives the module at its new path."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

#: The new path of a module, or of a package with all its modules.
MOVED = {
    "corefmeter.analysis.consensus": "corefmeter.wings.annotation.consensus",
    "corefmeter.analysis.stitching": "corefmeter.wings.annotation.stitching",
    "corefmeter.lab": "corefmeter.wings.lab",
    "corefmeter.platforms": "corefmeter.wings.platforms",
    "corefmeter.reports.plots": "corefmeter.wings.lab.pictures",
    "corefmeter.statistics.agreement": "corefmeter.wings.annotation.agreement",
    "corefmeter.statistics.correlation": "corefmeter.wings.lab.correlation",
    "corefmeter.statistics.disagreement": "corefmeter.wings.lab.disagreement",
    "corefmeter.statistics.sample": "corefmeter.wings.records.sample",
    "corefmeter.statistics.score_table": "corefmeter.wings.lab.score_table",
    "corefmeter.tables": "corefmeter.wings.records",
    "corefmeter.traditions": "corefmeter.wings.traditions",
}


def new_path(name: str) -> str | None:
    """Return the new path of a module that moved; None for any other."""
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None


class OldPaths:
    """Finds modules by their old paths, before a folder that is left empty is found."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return a specification that loads the module at its new path."""
        if not name.startswith("corefmeter.") or new_path(name) is None:
            return None
        # Types: a loader needs no base class.
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make an empty module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module at the new path in the place of the empty one."""
        new = str(new_path(module.__name__))
        message = f"{module.__name__} has moved to {new}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(new)
