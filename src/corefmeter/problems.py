"""What can be wrong with an input or a request, and how it is told.

A `Problem` says where (path, line, column), what and why (message) and what now (hint); its
`code` is stable and can be searched for. Warnings travel with a result; errors are raised as one
exception that carries all of them. Lines and columns count from 1; a column counts characters of
the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

__all__ = ["CODES", "CorefmeterError", "DataError", "OptionError", "Problem"]

Severity = Literal["error", "warning"]

#: Every code there is, with the question that a reader of the message asks next.
CODES: dict[str, str] = {
    "unreadable": "The file cannot be opened, or it is a directory without files.",
    "not-text": "The file is binary, or not UTF-8.",
    "truncated": "A compressed file ends too early or is damaged.",
    "unknown-format": "No reader recognises the file.",
    "no-document": "The file holds no document, so there is nothing to score.",
    "unnamed-document": "A document has no name; documents without names are numbered.",
    "repeated-document": "The same document stands twice in a file.",
    "missing-end": "A document is not closed before the next begins, or before the file ends.",
    "outside-document": "Lines that belong to no document.",
    "bad-cell": "The coreference cell is not made of (ID, ID) and (ID) chunks.",
    "close-without-open": "A mention is closed that was never opened.",
    "unclosed-mention": "A mention is opened that is never closed.",
    "double-antecedent": "A chunk such as (1+2) names two entities; it is left out.",
    "no-coreference": "No line of the file carries a coreference cell.",
    "bad-value": "A value given in Python is not a list of entities.",
    "repeated-mention": "The same mention stands in more than one place of a side.",
    "missing-document": "A key document that the response lacks; scored as an empty response.",
    "extra-document": "A response document that the key lacks.",
    "no-common-document": "Key and response share no document name.",
    "token-count": "A document has different numbers of tokens in key and response.",
    "words-differ": "A word differs between key and response.",
    "no-words": "The words cannot be compared, since the file has no column of words.",
    "cannot-write": "A format cannot express something that the data hold.",
    "twinless-left-out": "The metric is defined on mentions of both sides; others are left out.",
}


class Problem(NamedTuple):
    """One thing that is wrong, with its place.

    Parameters
    ----------
    code
        A key of `CODES`.
    message
        What and why, in one sentence without the place.
    severity
        ``"error"``: nothing was scored; ``"warning"``: scored, by a policy that the recipe names.
    path, line, column
        The place, as far as it is known. Lines and columns count from 1.
    hint
        What to do now.
    count
        How many times it happened, when one problem stands for several.

    Examples
    --------
    >>> print(Problem("unclosed-mention", "entity 4 opened here is never closed", "error",
    ...               path="story.conll", line=17, hint='Close it with "4)".'))
    story.conll:17: error: entity 4 opened here is never closed [unclosed-mention]
      Close it with "4)".
    """

    code: str
    message: str
    severity: Severity = "warning"
    path: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    count: int = 1  # type: ignore[assignment]  # a tuple has a method of this name

    def __str__(self) -> str:
        """Place, severity, message, code; the hint on a line of its own."""
        place = self.path or ""
        for number in (self.line, self.column):
            if number is not None:
                place += f":{number}"
        head = f"{place}: " if place else ""
        times = f" ({self.count} times)" if self.count > 1 else ""
        text = f"{head}{self.severity}: {self.message}{times} [{self.code}]"
        return f"{text}\n  {self.hint}" if self.hint else text

    def to_dict(self) -> dict[str, Any]:
        """The problem as JSON values."""
        return self._asdict()

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Problem:
        """The problem that `to_dict` wrote."""
        return cls(**values)


class CorefmeterError(Exception):
    """Base of all errors that a user's input or request can cause."""


class DataError(CorefmeterError):
    """The data cannot be scored; `problems` holds every reason that was found.

    At most `SHOWN` errors are printed; all of them are kept.
    """

    SHOWN = 20

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems: list[Problem] = (
            [problems] if isinstance(problems, Problem) else list(problems)
        )
        super().__init__(self.problems)

    def __str__(self) -> str:
        shown = [str(problem) for problem in self.problems[: self.SHOWN]]
        hidden = len(self.problems) - len(shown)
        if hidden:
            shown.append(f"... and {hidden} more")
        return "\n".join(shown)


class OptionError(CorefmeterError, ValueError):
    """An option, a metric or a policy that does not exist or has an unusable value."""


def unknown(kind: str, name: object, known: Iterable[str]) -> OptionError:
    """The error for a name that is not known, with the nearest one that is.

    Examples
    --------
    >>> print(unknown("metric", "cefae", ["ceafe", "muc"]))
    unknown metric 'cefae'; did you mean 'ceafe'? Known: ceafe, muc
    """
    import difflib

    names = list(known)
    near = difflib.get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
    guess = f"; did you mean {near[0]!r}?" if near else "."
    return OptionError(f"unknown {kind} {name!r}{guess} Known: {', '.join(names)}")
