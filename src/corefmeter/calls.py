"""What the public calls share: they reject unknown keywords, and word messages for Python."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import wraps
from itertools import chain
from typing import Any, cast

from corefmeter.corpus.model import Corpus
from corefmeter.problems import Call, CorefmeterWarning, DataError, Problem, keyword_check
from corefmeter.recipe import Recipe

#: An option of the command line, perhaps with its value.
_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([a-z0-9-]+))?")

#: The keywords of options that have other names in Python.
_KEYWORDS = {"from": "format", "unit": "by"}


def _in_python(hint: str) -> str:
    """Return a hint with arguments of Python for options of the command line.

    Examples
    --------
    >>> _in_python("--documents strict counts its mentions as spurious.")
    'documents="strict" counts its mentions as spurious.'
    >>> _in_python("Run with --strict to find the first word that differs.")
    'Run with strict=True to find the first word that differs.'
    """
    choices = {option.name: option.metadata["choices"] for option in fields(Recipe)}
    flags = {option.name for option in fields(Recipe) if option.default is False} | {"strict"}

    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        name = _KEYWORDS.get(name, name)
        if value and value.removeprefix("-").isdigit():
            return f"{name}={value}"
        if value and value in choices.get(name, ()):
            return f'{name}="{value}"'
        return (f"{name}=True" if name in flags else name) + (f" {value}" if value else "")

    return _OPTION.sub(argument, hint)


def _worded(problem: Problem) -> Problem:
    """Return a problem with a hint for Python."""
    return problem._replace(hint=problem.hint and _in_python(problem.hint))


def checked_call(*options: Callable[[], Iterable[str]]) -> Callable[[Call], Call]:
    """Check the keywords of a public call, and word its errors for Python."""

    def decorate(function: Call) -> Call:
        check = keyword_check(function, *options)

        @wraps(function)
        def call(*arguments: Any, **given: Any) -> Any:
            if options:
                check(given)
            try:
                return function(*arguments, **given)
            except TypeError:  # of Python, for an unknown keyword too
                check(given)
                raise
            except DataError as error:
                raise DataError([_worded(problem) for problem in error.problems]) from error
            except RecursionError as error:
                reason = "a value is nested too deeply to be looked at"
                raise DataError(Problem("bad-value", reason, "error")) from error

        return cast("Call", call)

    return decorate


def warn_user(
    *lists: list[Problem], given: Iterable[Any] = (), before: set[str] | None = None
) -> None:
    """Word the problems of a call for Python, in place, and warn of each kind.

    Problems of corpora that were `given` were reported when these were read. New kinds are added to
    those reported `before`.
    """
    known = {_worded(p) for one in given if isinstance(one, Corpus) for p in one.problems}
    for problems in lists:
        problems[:] = map(_worded, problems)
    kinds: dict[str, list[Problem]] = {}
    for problem in dict.fromkeys(chain.from_iterable(lists)):
        if problem.severity != "note" and problem not in known:  # a note was asked for
            kinds.setdefault(problem.code, []).append(problem)
    for code, found in kinds.items():
        if before is not None:
            if code in before:
                continue
            before.add(code)
        text = str(found[0])
        if len(found) > 1:
            text += f"\n  And {len(found) - 1} more of this kind; see the problems of the result."
        warnings.warn(text, CorefmeterWarning, stacklevel=4)  # from the caller of what is wrapped
