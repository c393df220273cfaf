"""Problems of inputs and requests, and how they are reported.

A message is never taken apart or changed: what varies on the way to the reader is a field of
`Problem`. Warnings travel with a result; errors are raised as one exception that carries all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeVar, cast

Severity = Literal["error", "warning", "note"]

Call = TypeVar("Call", bound=Callable[..., Any])


def printable(text: str, lines: bool = False) -> str:
    r"""Escape control characters, marks of direction, invisible characters and lone surrogates.

    Names and words come from files that others wrote. With `lines`, a line break before two spaces
    stays, since messages continue in indented lines.

    >>> print(printable("a\x1b[31m" + "b\u202ec" + "\nd"))
    a\x1b[31mb\u202ec\nd
    """
    if text.isprintable():
        return text
    if lines and "\n  " in text:
        return "\n  ".join(map(printable, text.split("\n  ")))
    import re

    return re.sub(
        "[\0-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
        "\ud800-\udfff\U000e0000-\U000e007f]",
        lambda found: found[0].encode("unicode_escape").decode(),
        text,
    )


#: The most characters of a file that a message quotes in one piece.
QUOTED = 200

#: The number of characters that are read at either end of a message.
_EDGE = 1 << 14


def brief(text: str) -> str:
    """Shorten words and quotes to `QUOTED` characters, the whole text to four times as many."""
    if len(text) <= QUOTED:
        return text
    if len(text) > 2 * _EDGE:  # a pattern needs a hundred bytes for each character
        text = text[:_EDGE] + text[-_EDGE:]
    import re

    inside = f"{{{QUOTED}}}"  # a quoted piece has up to three characters more
    text = re.sub(rf"""((?<!\w)'(?:[^'\\]|\\.){inside})(?:[^'\\]|\\.)+'""", r"\1…'", text)
    text = re.sub(rf"""((?<!\w)"(?:[^"\\]|\\.){inside})(?:[^"\\]|\\.)+\"""", r'\1…"', text)
    text = re.sub(rf"([^\s…]{inside})[^\s…]{{3,}}", r"\1…", text)
    # A quoted piece may contain quotes.
    return text if len(text) <= 4 * QUOTED else f"{text[: 4 * QUOTED]}…"


class Problem(NamedTuple):
    """An error, a warning or a note, with its place.

    Parameters
    ----------
    code
        A key of `corefmeter.codes.CODES`.
    message
        The problem and its reason in one sentence, without the place and the document.
    severity
        ``"error"``: nothing was scored; ``"warning"``: a policy of the recipe was applied;
        ``"note"``: something was left out as requested.
    path, line, column
        The place, as far as it is known. Lines and columns count from 1.
    hint
        How to fix the problem, or how it was handled.
    count
        The number of occurrences that this problem represents.
    document
        The label of the document, if the message needs it.

    Examples
    --------
    >>> print(Problem("unclosed-mention", "entity 4 opened here is never closed", "error",
    ...               path="a.conll", line=17, hint='Close it with "4)".', document="story"))
    a.conll:17: error: entity 4 opened here is never closed (document 'story') [unclosed-mention]
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
    document: str | None = None

    def __str__(self) -> str:
        """Format the problem with its place and severity; see `text`."""
        numbers = [f":{number}" for number in (self.line, self.column) if number is not None]
        place = (self.path or "") + "".join(numbers)
        head = f"{place}: " if place else ""
        return f"{printable(head)}{self.severity}: {self.text()}"

    def text(self) -> str:
        """Format the message, document and code, with the hint on a separate line."""
        which = [] if self.document is None else [f"document {self.document!r}"]
        if self.count > 1:
            which.append(f"{self.count} times")
        about = f" ({', '.join(which)})" if which else ""
        text = f"{brief(printable(self.message + about, lines=True))} [{self.code}]"
        return f"{text}\n  {brief(printable(self.hint, lines=True))}" if self.hint else text

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as JSON values."""
        return self._asdict()

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Problem:
        """Return the problem that `to_dict` wrote; raise `TypeError` for anything else."""
        problem = cls(**values)
        for name, value in problem._asdict().items():
            type_ = int if name in ("line", "column", "count") else str
            is_required = name in ("code", "message", "severity", "count")
            if not isinstance(value, type_) and (is_required or value is not None):
                raise TypeError(f"the {name} of a problem is {value!r}")
        return problem


class CorefmeterWarning(UserWarning):
    """A problem that did not prevent scoring; the `problems` of a result list all of them."""


class CorefmeterError(Exception):
    """Base class of all errors that a user's input or request can cause."""


class DataError(CorefmeterError):
    """The data cannot be scored; `problems` lists all reasons."""

    #: The most problems that are printed.
    SHOWN = 20

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        given = [problems] if isinstance(problems, Problem) else problems
        self.problems: list[Problem] = list(given)
        super().__init__(self.problems)

    def __str__(self) -> str:
        shown = [str(problem) for problem in self.problems[: self.SHOWN]]
        hidden = len(self.problems) - len(shown)
        if hidden:
            shown.append(f"... and {hidden} more")
        return "\n".join(shown)


class CollectedErrors(list[Problem]):
    """The problems of several files: ``with`` catches a data error, and `raise_all` raises all."""

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: object, __: object) -> bool:
        if not isinstance(error, DataError):
            return False
        self += error.problems
        return True

    def raise_all(self) -> None:
        """Raise one error with all problems, if there are any."""
        if self:
            raise DataError(self)


class OptionError(CorefmeterError, ValueError):
    """An option, metric or policy is unknown or has an invalid value."""

    def __str__(self) -> str:
        return printable(super().__str__(), lines=True)


def amount(number: int, noun: str, nouns: str = "") -> str:
    """Format a count with its noun.

    >>> amount(1, "document"), amount(1200, "token"), amount(2, "entity", "entities")
    ('1 document', '1,200 tokens', '2 entities')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def unknown(kind: str, name: object, known: Iterable[str]) -> OptionError:
    """Return the error for a name that is not known, with the nearest one that is.

    >>> print(unknown("metric", "cefae", ["ceafe", "muc"]))
    unknown metric 'cefae'; did you mean 'ceafe'? Known: ceafe, muc
    >>> print(unknown("line", "b", ["a, b", "c"]))
    unknown line 'b'. Known: a, b; c
    """
    names = list(known)
    guess = guessed(name, names) or "."
    mark = "; " if any("," in one for one in names) else ", "
    return OptionError(f"unknown {kind} {name!r}{guess} Known: {mark.join(names)}")


def require_known(kind: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that is not known; see `unknown`."""
    if name not in known:
        raise unknown(kind, name, known)


def guessed(name: object, known: Iterable[str]) -> str:
    """Return the hint for an unknown name: the nearest known one, or an empty text.

    >>> guessed("cefae", ["ceafe", "muc"]), guessed("xyz", ["ceafe", "muc"])
    ("; did you mean 'ceafe'?", '')
    """
    import difflib

    near = difflib.get_close_matches(str(name).lower(), list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def output_is_input(path: str) -> Problem:
    """Return the error for an output that the run reads."""
    reason = "is read by this run, so it cannot be written to"
    hint = "Name another file or folder; nothing was written."
    return Problem("output-is-input", reason, "error", path=path, hint=hint)


def reject_unknown_keywords(
    *options: Callable[[], Iterable[str]], reword: Callable[[Exception], Exception] | None = None
) -> Callable[[Call], Call]:
    """Reject unknown keywords of a function, with the nearest known one.

    Each of `options` returns names that it takes as ``**options``, in addition to its parameters.
    `reword` returns the error to raise for a DataError or a RecursionError of the function.
    """

    def decorate(function: Call) -> Call:
        code = function.__code__
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        own = tuple(name for name in own if name not in ("self", "cls"))

        def check(given: Iterable[str]) -> None:
            known = own
            for name in given:
                if name not in known:
                    known = (*own, *(one for names in options for one in names()))
                if name not in known:
                    raise unknown("option", name, known)

        @wraps(function)
        def call(*arguments: Any, **given: Any) -> Any:
            if options:
                check(given)
            try:
                return function(*arguments, **given)
            except TypeError:  # raised by Python for an unknown keyword; correct calls cost nothing
                check(given)
                raise
            except (DataError, RecursionError) as error:
                if reword is None:
                    raise
                raise reword(error) from error

        return cast("Call", call)

    return decorate


def require(module: str, what: str, extra: str | None = None) -> None:
    """Raise an error if a required package, of the dependency group `extra`, is missing."""
    from importlib import import_module

    try:
        import_module(module)
    except ImportError:
        raise OptionError(
            f"{what} needs {module}, which is not installed; get it with\n"
            f"  pip install {with_extra(extra) if extra else module}"
        ) from None


def with_extra(extra: str) -> str:
    """Return pip's argument for an extra: this package's folder, or its name."""
    import json
    import os
    import shlex
    from importlib.metadata import Distribution
    from urllib.parse import unquote

    folder = os.path.abspath(os.path.join(__file__, *[os.pardir] * 3))
    if not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        found = next(iter(Distribution.discover(name="corefmeter")), None)
        origin = json.loads((found and found.read_text("direct_url.json")) or "{}")
        folder = unquote(origin.get("url", "").removeprefix("file://"))
    if not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        return f"'corefmeter[{extra}]'"
    here = os.path.samefile(folder, os.curdir)
    return f"'.[{extra}]'" if here else shlex.quote(f"{folder}[{extra}]")


def unwritable(path: str, error: OSError) -> DataError:
    """Return the error for a file that cannot be written."""
    hint = "Make its folder first." if isinstance(error, FileNotFoundError) else None
    message = f"cannot be written: {error.strerror}"
    return DataError(Problem("unwritable", message, "error", path=path, hint=hint))
