"""Every code of a problem is provoked by a test: a run of all tests fails if one is not.

Each problem that the package makes while tests run is recorded by its code, in every process of
the tests. A code that is not in `CODES` is refused where it is used.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import corefmeter
from corefmeter.codes import CODES
from corefmeter.problems import Problem

SOURCE = str(Path(corefmeter.__file__).parent)
PROVOKED: set[str] = set()

#: The quick tests, as `addopts` of pyproject.toml chooses them.
QUICK = "not slow and not nightly"

_make = Problem.__new__


def _recorded(cls: type[Problem], code: str, *fields: Any, **others: Any) -> Problem:
    """The problem; its code counts if it is made by the package, not by a test."""
    if sys._getframe(1).f_code.co_filename.startswith(SOURCE):
        assert code in CODES, f"the code {code!r} of a problem is not in CODES"
        PROVOKED.add(code)
    return _make(cls, code, *fields, **others)


# Types: it takes what it took.
Problem.__new__ = staticmethod(_recorded)  # type: ignore[assignment]


def unprovoked(config: pytest.Config) -> set[str]:
    """The codes that no test has provoked, if all tests were run."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    quick = not config.option.keyword and config.option.markexpr in ("", QUICK)
    return set(CODES) - PROVOKED if whole and quick else set()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Hand the codes from a worker to where all come together, and judge there."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["provoked"] = sorted(PROVOKED)
    elif exitstatus == pytest.ExitCode.OK and unprovoked(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Name the codes that no test has provoked."""
    missing = unprovoked(config)
    if missing and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        terminalreporter.write_line(f"no test provokes: {', '.join(sorted(missing))}", red=True)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the codes of a worker that has ended."""
    PROVOKED.update(getattr(node, "workeroutput", {}).get("provoked", ()))
