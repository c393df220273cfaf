"""``python -m tests.mutate metrics matching/min.py --count 40``: faults that no quick test notices.

Changes one place of a module at a time and runs the quick tests that call the function, until one
fails. Modules and folders are named by their path below the package. Mutants that change nothing
that anybody can see are listed with the reason in ``tests/mutate/equivalent.txt``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .mutants import Mutant, equivalents, mutants
from .trial import ARGUMENTS, Trials, Verdict

LITTER = (".git", "*venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("modules", nargs="+", metavar="MODULE")
    parser.add_argument("--count", type=int, help="so many mutants of each MODULE (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="draws them")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for a mutant at most")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--least", type=float, default=0, help="fail below so many percent killed")
    parser.add_argument("--tests", nargs="+", default=[], help="files and folders (default: all)")
    parser.add_argument("--root", type=Path, default=Path(), help="of the checkout")
    given = parser.parse_args()
    root = given.root.resolve()
    [package] = [path.parent for path in root.glob("src/*/__init__.py")]
    known = equivalents(root)
    drawn = {name: _drawn(package, name, given.count, given.seed) for name in given.modules}
    left = [one for many in drawn.values() for one in many if one.key not in known]
    found = {one.mutant.key: one for one in _tried(root, package, left, given)}
    if len(found) < len(left):
        print(f"not all could be tried: see {root}/build/mutate/*.log")
        return 2
    return _report(drawn, found, given.least)


def _drawn(package: Path, name: str, count: int | None, seed: int) -> list[Mutant]:
    """All mutants of a module or folder, or a sample."""
    paths = [package / name] if name.endswith(".py") else sorted((package / name).rglob("*.py"))
    modules = [path.relative_to(package).as_posix() for path in paths]
    found = list({one.key: one for module in modules for one in mutants(package, module)}.values())
    if count is None or count >= len(found):
        return found
    return sorted(random.Random(seed).sample(found, count), key=lambda one: (one.module, one.line))


def _tried(
    root: Path, package: Path, left: list[Mutant], given: argparse.Namespace
) -> list[Verdict]:
    """What becomes of each; survivors are printed as they are found."""
    if given.processes > 1:  # the tests are measured by one process
        _tried(root, package, [], argparse.Namespace(**{**vars(given), "processes": 1}))
    work = root / "build" / "mutate"
    context = multiprocessing.get_context("fork")
    verdicts: multiprocessing.SimpleQueue[Verdict | None] = context.SimpleQueue()
    for number in range(given.processes):
        tree = work / f"tree-{number}"
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(root, tree, symlinks=True, ignore=shutil.ignore_patterns(*LITTER))
        trials = Trials(
            tree / package.relative_to(root),
            work / "calls.pickle",
            given.seconds,
            left[number :: given.processes],
            verdicts.put,
        )
        context.Process(target=_work, args=(tree, trials, given.tests, verdicts)).start()
    found = []
    running = given.processes
    while running:
        verdict = verdicts.get()
        if verdict is None:
            running -= 1
            continue
        found.append(verdict)
        if verdict.outcome == "survived":
            one = verdict.mutant
            print(f"{one.module}:{one.line} {one.function or 'at import'}")
            print(f"- {one.old}\n+ {one.new}")
            print(f"  {verdict.tests} of {verdict.covering} tests\n", flush=True)
    return found


def _work(tree: Path, trials: Trials, tests: list[str], verdicts: Any) -> None:
    """Run the tests of one copy of the checkout; what they print goes to a file next to it."""
    try:
        log = os.open(tree.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(tree)
        root = tree.parents[2]
        kept = [path for path in sys.path if root not in (Path(path), *Path(path).parents)]
        source = trials.package.parent
        sys.path[:] = [str(tree), str(source), *kept]
        os.environ["PYTHONPATH"] = str(source)
        sys.modules.pop("tests", None)  # that of the copy is imported
        pytest.main([*ARGUMENTS, "--continue-on-collection-errors", *tests], plugins=[trials])
    finally:
        verdicts.put(None)


def _report(
    drawn: dict[str, list[Mutant]], found: dict[tuple[str, ...], Verdict], least: float
) -> int:
    """Print a table; 1 if too few are killed."""
    print(
        f"{'':<24}{'mutants':>9}{'killed':>9}{'by time':>9}{'survived':>9}"
        f"{'equivalent':>11}{'score':>9}"
    )
    worst = 100.0
    for name, many in drawn.items():
        outcomes = Counter(found[one.key].outcome for one in many if one.key in found)
        tried = outcomes.total()
        score = 100 * (1 - outcomes["survived"] / tried) if tried else 100
        worst = min(worst, score)
        print(
            f"{name:<24}{len(many):>9}{outcomes['killed']:>9}{outcomes['time']:>9}"
            f"{outcomes['survived']:>9}{len(many) - tried:>11}{score:>9.1f}"
        )
    return int(worst < least)


if __name__ == "__main__":
    sys.exit(main())
