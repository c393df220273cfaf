"""Tests on mutants: each in a process of its own, forked after all tests are imported."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
import types
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from .mutants import Mutant

# Properties try the same examples in each run.
ARGUMENTS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
SLOW = 2.0  # seconds: slower tests run last
KILLED, NO_TEST_FAILED, BROKEN = 1, 0, 99  # exit statuses of a trial

# Runs the tests that standard input names, a line each.
_RUN_CHOSEN = """
import os, sys, pytest

names = set(sys.stdin.read().splitlines())

class Chosen:
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid in names]

sys.path[0] = os.getcwd()
sys.exit(pytest.main(sys.argv[1:], plugins=[Chosen()]))
"""


class Test(NamedTuple):
    """A test that passes without a mutant: its seconds, and the functions that it calls."""

    name: str
    seconds: float
    calls: frozenset[str]  # "module:function"

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def limit(self) -> int:
        """The seconds after which it is stopped."""
        return 10 + int(10 * self.seconds)


class Verdict(NamedTuple):
    """What became of a mutant: killed, time or survived, by how many tests of how many."""

    mutant: Mutant
    outcome: str
    tests: int
    covering: int


@dataclass(eq=False)
class Trials:
    """A plugin that runs the tests on each mutant in place of running them once."""

    package: Path
    saved: Path
    seconds: float
    mutants: list[Mutant]
    report: Callable[[Verdict], None]
    outcomes: set[str] = field(default_factory=set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.outcomes.add(report.outcome)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        self._measure(items)
        tests = [test for test in _read(self.saved) if test.name in items]
        for number, mutant in enumerate(self.mutants):
            covering = self._covering(mutant, tests)
            chosen = _affordable(covering, mutant.module, self.seconds)
            path = self.package / mutant.module
            before = path.read_text(encoding="utf-8")
            path.write_text(mutant.source, encoding="utf-8")
            os.utime(path, (2 * number, 2 * number))  # a compiled file is taken by time and size
            status = _forked(partial(self._try, path, mutant, chosen, items))
            path.write_text(before, encoding="utf-8")
            os.utime(path, (2 * number + 1, 2 * number + 1))
            if status == BROKEN:
                raise RuntimeError(f"no trial of {mutant.key}")
            outcome = {NO_TEST_FAILED: "survived", -signal.SIGALRM: "time"}.get(status, "killed")
            self.report(Verdict(mutant, outcome, len(chosen), len(covering)))
        return True

    def _try(
        self, path: Path, mutant: Mutant, chosen: list[Test], items: dict[str, pytest.Item]
    ) -> None:
        """Run the tests until one fails, which ends the process."""
        if not (mutant.function and _swapped(path, mutant.source)):
            _import_again(chosen)
        order = [items[test.name] for test in chosen]
        for test, item, after in zip(chosen, order, [*order[1:], None], strict=False):
            signal.alarm(test.limit)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if "failed" in self.outcomes:
                os._exit(KILLED)

    def _measure(self, items: dict[str, pytest.Item]) -> None:
        """Run the tests of files that changed once, and save what they call."""
        files = defaultdict(list)
        for name, item in items.items():
            files[name.partition("::")[0]].append(item)
        known = pickle.loads(self.saved.read_bytes()) if self.saved.exists() else {}
        digests = {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}
        stale = [file for file in files if known.get(file, {}).get("digest") != digests[file]]

        def measured() -> None:
            calls = Calls(self.package)
            for file in stale:
                tests = {}
                for item, following in zip(files[file], [*files[file][1:], None], strict=True):
                    self.outcomes.clear()
                    begin = time.perf_counter()
                    with calls.noted() as called:
                        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if self.outcomes == {"passed"}:
                        tests[item.nodeid] = [time.perf_counter() - begin, called]
                known[file] = {"digest": digests[file], "tests": tests}
                self.saved.with_suffix(".new").write_bytes(pickle.dumps(known))
                self.saved.with_suffix(".new").replace(self.saved)

        if stale and _forked(measured):
            raise RuntimeError("the tests could not be run")

    def _covering(self, mutant: Mutant, tests: list[Test]) -> list[Test]:
        """The tests that call the function; of code at import, those that call its module."""
        if mutant.function:
            wanted = {f"{mutant.module}:{mutant.function}"}
            return [test for test in tests if not wanted.isdisjoint(test.calls)]
        name = Path(mutant.module).stem
        imports = re.compile(rf"^\s*(from .*\b{name} import|(from .*)?import .*\b{name}\b)", re.M)
        modules = {mutant.module} | {
            path.relative_to(self.package).as_posix()
            for path in self.package.rglob("*.py")
            if imports.search(path.read_text(encoding="utf-8"))
        }
        return [test for test in tests if modules & {one.partition(":")[0] for one in test.calls}]


class Calls:
    """Which functions of the package a test calls."""

    def __init__(self, package: Path):
        self.package = f"{package}/"
        self.seen: dict[int, types.CodeType] = {}

    def _note(self, frame: types.FrameType, event: str, argument: object) -> None:
        self.seen.setdefault(id(frame.f_code), frame.f_code)

    @contextlib.contextmanager
    def noted(self) -> Iterator[set[str]]:
        self.seen.clear()
        called: set[str] = set()
        threading.settrace(self._note)
        sys.settrace(self._note)
        try:
            yield called
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
        for code in self.seen.values():
            if code.co_filename.startswith(self.package):
                module = code.co_filename.removeprefix(self.package)
                name = f"{module}:{code.co_qualname.partition('.<locals>')[0]}"
                called.add(sys.intern(name))  # saved once


def _read(saved: Path) -> list[Test]:
    return [
        Test(name, seconds, frozenset(calls))
        for known in pickle.loads(saved.read_bytes()).values()
        for name, (seconds, calls) in known["tests"].items()
    ]


def _affordable(covering: list[Test], module: str, seconds: float) -> list[Test]:
    """The quickest tests for which there is time, in an order that finds a fault soon.

    Files whose path has words of the module come first, and quick ones before others; tests of a
    file stay together, since they may share what is made for them. Slow tests are last.
    """
    words = set(Path(module).with_suffix("").parts)
    files = defaultdict(list)
    for test in sorted(covering, key=lambda test: test.seconds):
        if seconds > 0:
            files[test.seconds > SLOW, test.file].append(test)
        seconds -= test.seconds

    def order(key: tuple[bool, str]) -> tuple[bool, int, float]:
        path = Path(key[1].replace("test_", "")).with_suffix("")
        return key[0], -len(words.intersection(path.parts)), sum(one.seconds for one in files[key])

    return [test for key in sorted(files, key=order) for test in files[key]]


def _swapped(path: Path, source: str) -> bool:
    """Whether all functions of a module could be given the code of its mutant."""
    codes: dict[tuple[str, int], types.CodeType] = {}
    left = [compile(source, str(path), "exec", dont_inherit=True)]
    while left:
        code = left.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        left += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__code__.co_filename == str(path):
            code = codes.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is None or code.co_freevars != one.__code__.co_freevars:
                return False
            one.__code__ = code
    return True


def _import_again(tests: list[Test]) -> None:
    """Run the tests in a new Python, first those of the first files; then end.

    They are chosen from the tests of their files, since a mutant may change the parameters that
    name a test: then there is no such test, which is not a failure. Arguments of pytest would be.
    """
    files = list(dict.fromkeys(test.file for test in tests))
    for some in files[:4], files[4:]:
        chosen = [test for test in tests if test.file in some]
        if not chosen:
            continue
        signal.alarm(120 + sum(test.limit for test in chosen))
        command = [sys.executable, "-c", _RUN_CHOSEN, "-x", *ARGUMENTS, *some]
        names = "\n".join(test.name for test in chosen)
        status = subprocess.run(command, input=names, text=True, check=False).returncode
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            os._exit(KILLED)
    os._exit(NO_TEST_FAILED)


def _forked(work: Callable[[], None]) -> int:
    """The exit status of a process that does it; negative, the signal that ended it."""
    sys.stdout.flush()
    process = os.fork()
    if not process:
        try:
            os.setsid()
            work()
            os._exit(NO_TEST_FAILED)
        except BaseException:
            traceback.print_exc()
            os._exit(BROKEN)
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)  # what it started
    return os.waitstatus_to_exitcode(status)
