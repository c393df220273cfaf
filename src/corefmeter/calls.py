"""Helpers of the public calls: reject unknown keywords, and word messages for Python."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import chain
from typing import Any

from corefmeter.corpus.model import Corpus
from corefmeter.corpus.structures import grouped
from corefmeter.problems import Call, CorefmeterWarning, DataError, Problem, reject_unknown_keywords
from corefmeter.recipe import Recipe

#: An option of the command line, perhaps with its value.
_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([a-z0-9-]+))?")

#: The keywords of options that have other names in Python.
_KEYWORDS = {"from": "format", "unit": "by"}


def _translate_options(hint: str) -> str:
    """Return a hint in which options of the command line are arguments of Python calls.

    >>> _translate_options("--documents strict counts its mentions as spurious.")
    'documents="strict" counts its mentions as spurious.'
    >>> _translate_options("Run with --strict to find the first word that differs.")
    'Run with strict=True to find the first word that differs.'
    """
    choices = {option.name: option.metadata["choices"] for option in fields(Recipe)}
    flags = {option.name for option in fields(Recipe) if option.default is False} | {"strict"}

    def write_argument(match: re.Match[str]) -> str:
        name, value = match[1].replace("-", "_"), match[2]
        name = _KEYWORDS.get(name, name)
        if value and value.removeprefix("-").isdigit():
            return f"{name}={value}"
        if value and value in choices.get(name, ()):
            return f'{name}="{value}"'
        return (f"{name}=True" if name in flags else name) + (f" {value}" if value else "")

    return _OPTION.sub(write_argument, hint)


def _word_for_python(problem: Problem) -> Problem:
    return problem._replace(hint=problem.hint and _translate_options(problem.hint))


def _word_error(error: Exception) -> DataError:
    if isinstance(error, DataError):
        return DataError([_word_for_python(problem) for problem in error.problems])
    return DataError(Problem("bad-value", "a value is nested too deeply", "error"))


def checked_call(*options: Callable[[], Iterable[str]]) -> Callable[[Call], Call]:
    """Check the keywords of a public call, and word its errors for Python."""
    return reject_unknown_keywords(*options, reword=_word_error)


def warn_user(
    *lists: list[Problem], given: Iterable[Any] = (), before: set[str] | None = None
) -> None:
    """Word the problems of a call for Python, in place, and warn once of each code.

    Problems of corpora that were `given` were reported when these were read. `before` has the codes
    that were reported before; new ones are added to it.
    """
    corpora = [value for value in given if isinstance(value, Corpus)]
    known = {_word_for_python(problem) for corpus in corpora for problem in corpus.problems}
    for problems in lists:
        problems[:] = map(_word_for_python, problems)
    by_code = grouped(
        (problem.code, problem)
        for problem in dict.fromkeys(chain.from_iterable(lists))
        if problem.severity != "note" and problem not in known
    )
    for code, alike in by_code.items():
        if before is not None:
            if code in before:
                continue
            before.add(code)
        text = str(alike[0])
        if len(alike) > 1:
            text += f"\n  And {len(alike) - 1} more of this kind; see the problems of the result."
        # The level of the caller of the public call, beyond its wrapper.
        warnings.warn(text, CorefmeterWarning, stacklevel=4)


def is_missing(value: Any) -> bool:
    """Return whether a value is None, nan, or the NA of pandas, whose comparisons have no truth."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"
