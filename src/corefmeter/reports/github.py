"""Problems as annotations of GitHub: ``::error file=…,line=…::…``, shown beside the lines.

One annotation is one line: what would end a line, or a value, is written as ``%0A`` and the like.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from corefmeter.problems import DataError, Problem, printable


def annotation(problem: Problem) -> str:
    """Return a problem as the workflow command that shows it at its place.

    >>> print(annotation(Problem("bad-cell", "100% wrong", path="a,b.conll", line=3, hint="Look.")))
    ::warning file=a%2Cb.conll,line=3::100%25 wrong [bad-cell]%0A  Look.
    """
    place = {"file": problem.path, "line": problem.line, "col": problem.column}
    known = (f"{k}={_escape(str(value), ':,')}" for k, value in place.items() if value is not None)
    level = "notice" if problem.severity == "note" else problem.severity
    values = ",".join(known)
    command = f"{level} {values}" if values else level
    return f"::{command}::{_escape(problem.text())}"


def annotate(problems: Iterable[Problem], stream: IO[str]) -> None:
    """Write an annotation for each different problem."""
    for problem in dict.fromkeys(problems):
        print(annotation(problem), file=stream)


@contextmanager
def annotating(format: str) -> Iterator[None]:
    """Also annotate the errors that end a run, if the format is ``github``.

    No annotation is written where standard output is one of the files that are read.
    """
    try:
        yield
    except DataError as error:
        spoilt = any(problem.code == "output-is-input" for problem in error.problems)
        if format == "github" and not spoilt:
            annotate(error.problems, sys.stdout)
        raise


def _escape(text: str, also: str = "") -> str:
    """Write characters that have a meaning in a workflow command in hexadecimal."""
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return printable(text)
