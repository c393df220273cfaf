"""What can be wrong with an input or a request, and how it is told.

A `Problem` says where (path, line, column, document), what and why (message) and what now (hint);
its `code` is stable and can be searched for. A message is never taken apart or changed: what varies
on the way to the reader is a field of its own, and `Problem.text` alone puts them together.
Warnings travel with a result; errors are raised as one exception that carries all of them. Lines
and columns count from 1; a column counts characters of the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeVar, cast

Severity = Literal["error", "warning", "note"]

Call = TypeVar("Call", bound=Callable[..., Any])

#: Every code there is, with the question that a reader of the message asks next.
CODES: dict[str, str] = {
    "unreadable": "The file cannot be opened, or it is a directory without files.",
    "unwritable": "A file cannot be written.",
    "output-is-input": "An output is read by the run, or in a folder that it reads; nothing is "
    "written.",
    "file-exists": "A command would replace a file that was not named; nothing is written.",
    "not-text": "The file is binary, or not UTF-8.",
    "not-understood": "A file is damaged in a way that its reader does not foresee; please report "
    "it.",
    "too-large": "A file is longer than what is read as a whole, or needs more memory than there "
    "is.",
    "truncated": "A compressed file ends too early or is damaged.",
    "unknown-format": "No reader recognises the file.",
    "no-document": "The file holds no document, so there is nothing to score.",
    "unnamed-document": "A document has no name; documents without names are numbered.",
    "repeated-document": "The same document occurs twice in a file, a side, or a sum of results.",
    "missing-end": "A document is not closed before the next begins, or before the file ends.",
    "outside-document": "Lines that belong to no document.",
    "bad-cell": "The coreference cell is not made of (ID, ID) and (ID) chunks.",
    "close-without-open": "A mention is closed that was never opened.",
    "unclosed-mention": "A mention is opened that is never closed.",
    "double-antecedent": "A chunk such as (1+2) names two entities; it is left out.",
    "no-coreference": "No line of the file carries a coreference cell.",
    "bad-columns": "A line does not have the columns that the format asks for.",
    "bad-id": "The id of a word is out of order, repeated, or no number.",
    "bad-header": "A header does not name what is needed to read the annotation.",
    "missing-header": "Annotation whose fields no header explains.",
    "bad-head": "The head of a mention is no number, or is beyond its words.",
    "bad-part": "A part of a discontinuous mention is missing or out of order.",
    "bad-link": "A bridging link, split antecedent or dependency leads nowhere.",
    "bad-value": "A value given in Python is not a list of entities, or does not look like one.",
    "repeated-mention": "The same mention occurs in more than one place on a side.",
    "missing-document": "A key document that the response lacks; scored as an empty response.",
    "extra-document": "A response document that the key lacks.",
    "no-common-document": "Key and response share no document name.",
    "token-count": "A document has different numbers of tokens in key and response.",
    "sentence-count": "A document has different sentences in key and response.",
    "words-differ": "A word differs between key and response.",
    "no-words": "The words cannot be compared, since the file has no column of words.",
    "no-details": "The documents were read without what the matching or metric needs.",
    "no-heads": "Mentions have no known heads, which the matching needs.",
    "no-parse": "The key has no constituency parse, which minimum spans are taken from.",
    "no-minima": "No mention of the key has a MIN, so that only the same spans match.",
    "no-positions": "Mentions are no positions in a text, so they can only be matched exactly.",
    "default-heads": "All heads of the response look like a default, which head matching punishes.",
    "cannot-write": "A format cannot express something that the data hold.",
    "mention-unwritten": "A mention that a format cannot hold; it is left out, which changes "
    "scores.",
    "document-unwritten": "A document that a format cannot hold; it is left out, which changes "
    "scores.",
    "not-a-result": "The file holds no result that corefmeter saved.",
    "no-statistics": "A saved result holds totals only, so its documents cannot be resampled.",
    "different-documents": "Systems were not scored on the same documents.",
    "different-keys": "Systems were scored against different keys.",
    "other-version": "A signature was printed by another version of the program.",
    "different-recipes": "Systems were scored in different ways.",
    "one-document": "There is one unit only, so nothing can be resampled.",
    "few-documents": "There are too few units for a test, or for bootstrap intervals.",
    "few-entities": "Estimates from a sample rest on few entities; intervals may be too narrow.",
    "few-trials": "With so few trials, no p-value can be small enough to be significant.",
    "one-run": "A system has one run where others have several; what others score is unknown.",
    "f1-only": "An average of F1 has no recall or precision to compare.",
    "bad-answer": "A GAP answer is neither TRUE nor FALSE.",
    "bad-field": "A field of a JSON record has a wrong type or value.",
    "bad-json": "The text is not JSON.",
    "bad-line": "A line does not have the columns or the form of its format.",
    "bad-map": "A map from sub-tokens to tokens does not fit the tokens.",
    "bad-score": "A cell of a table of scores is not a number.",
    "bad-scores": "The file holds no table of scores, and is no result of corefmeter.",
    "bad-span": "A mention begins or ends outside the text, or ends before it begins.",
    "coverage": "How much of the key's text the response repeats.",
    "empty-entity": "An entity without mentions; it is left out.",
    "empty-mention": "A marked mention holds no word; it is left out.",
    "header-line": "A header line where the format has none; it is left out.",
    "mention-lost": "A mention of the response has no place in the key's text.",
    "mention-moved": "A mention was placed on other words than it was written on.",
    "missing-field": "A field that the format needs is not there.",
    "missing-score": "A system has no score by a metric.",
    "missing-text": "The text that belongs to a file of annotations is not there.",
    "no-entity-name": "A marked mention names no entity; it is left out.",
    "off-token": "A mention begins or ends inside a token.",
    "pieces-adjacent": "A piece has no words in common with the one before, and follows it.",
    "pieces-conflict": "Pieces put a mention that both have into different entities.",
    "pieces-gap": "Between two pieces of a document there are tokens that none has.",
    "repaired": "A slip of the notation that has one reading; it was read so.",
    "similar-ids": "Ids of two entities differ only in case, leading zeros or spaces.",
    "refused-elsewhere": "A file is read here, but other programs of the field refuse it or read "
    "it otherwise.",
    "repeated-id": "An id occurs twice where it must be unique.",
    "repeated-key": "A name occurs twice in a JSON object.",
    "repeated-system": "The same system occurs twice.",
    "text-differs": "The text differs from the one it is compared with.",
    "too-few-systems": "A correlation between metrics needs three systems.",
    "two-entities": "A mention is put into two entities.",
    "units-differ": "One side counts tokens and the other characters.",
    "unknown-gender": "The gender of a GAP pronoun is not known.",
    "unknown-mention": "A mention is named that is not in the file.",
    "unknown-relation": "A relation that is neither identity nor known to be something else.",
    "word-changed": "A word of the response replaces another of the key.",
    "word-dropped": "Words of the key are missing in the response.",
    "word-invented": "Words of the response are not in the key.",
    "wrong-ends": "Ends look exclusive where the format has inclusive ones, or the reverse.",
    "zero-dropped": "Empty nodes of the key are missing in a response that has others.",
    "zero-invented": "An empty node of the response is not in the key.",
    "bad-xml": "The text is not XML, declares entities, or is too deep or too large.",
    "unknown-weight": "A type, class or level that the table of weights does not hold.",
    "no-common-mention": "Key and response, or a document of both, have few mentions in common.",
    "same-file": "Key and response are one file, or byte for byte alike.",
    "several-clusterings": "An object has clusters under several names.",
    "singletons-differ": "Most entities of one side have one mention, but none of the other.",
    "singletons-dropped": "Entities of one mention are left out, as was asked for.",
    "documents-left-out": "Documents are not on a page, so that it stays small.",
    "relations-not-scored": "The key has relations, such as bridging, that no metric asked for "
    "scores.",
    "split-left-out": "Entities that split antecedents name are not in the document.",
    "optional-left-out": "Optional mentions of the key without a partner are left out.",
    "types-left-out": "Types that are part of mentions on one side only are not compared.",
    "types-differ": "A column holds numbers on one side and text on the other.",
    "bad-table": "A file is no table that DuckDB can read.",
    "table-read": "How text was read as a table: header, separator, quotes, number of rows.",
    "columns-guessed": "Which column is which was told by the names of the columns.",
    "bad-key": "A column of items, documents or clusters holds lists, records or several types.",
    "ids-differ": "Ids of one side would be those of the other if they were written alike.",
    "items-unmatched": "How many items of tables are on one side only.",
    "noise": "How many items have the label of noise, and so a cluster of their own.",
    "noise-likely": "Items have the label -1, of which many programs make those in no cluster.",
    "empty-cell": "A cell of a table that says which item or cluster it is has no value.",
    "bad-overlap": "The rows of an overlap table contradict each other, or are none.",
    "no-item": "A table has no row, so there is nothing to score.",
    "out-of-memory": "The engine that counts tables reached its limit of memory.",
    "assignment-bounds": "The best assignment of clusters is known only within bounds.",
    "disk-full": "The engine that counts tables has no room for temporary files.",
    "below-limit": "A score is below a limit. The scores are written all the same.",
    "twinless-left-out": "The metric is defined on mentions of both sides; others are left out.",
}


def printable(text: str, lines: bool = False) -> str:
    r"""Text that commands no terminal, log or reader: what could is written as in Python.

    Names and words come from files that others wrote. Escaped are control characters (ESC, BEL, C1
    and line ends among them), marks of direction, characters that are never seen, and halves of
    surrogate pairs.

    Parameters
    ----------
    text
        The text.
    lines
        Whether a line may go on in the next, indented by two spaces as our messages are.

    Examples
    --------
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


#: Signs of a file that a message quotes in one piece.
QUOTED = 200

#: So much of either end of a message is looked at.
_EDGE = 1 << 14


def brief(text: str) -> str:
    """A message in which no word and nothing in quotes is longer than `QUOTED`, nor all than four.

    Examples
    --------
    >>> len(brief("it is 'a b" + "a b" * 1000 + "' here"))
    214
    """
    if len(text) <= QUOTED:
        return text
    if len(text) > 2 * _EDGE:  # patterns need a hundred bytes for each sign that they go over
        text = text[:_EDGE] + text[-_EDGE:]
    import re

    inside = f"{{{QUOTED}}}"  # a piece in quotes has up to three signs more
    text = re.sub(rf"""((?<!\w)'(?:[^'\\]|\\.){inside})(?:[^'\\]|\\.)+'""", r"\1…'", text)
    text = re.sub(rf"""((?<!\w)"(?:[^"\\]|\\.){inside})(?:[^"\\]|\\.)+\"""", r'\1…"', text)
    text = re.sub(rf"([^\s…]{inside})[^\s…]{{3,}}", r"\1…", text)
    # What is quoted may hold quotes of its own.
    return text if len(text) <= 4 * QUOTED else f"{text[: 4 * QUOTED]}…"


class Problem(NamedTuple):
    """One thing that is wrong, with its place.

    Parameters
    ----------
    code
        A key of `CODES`.
    message
        What and why, in one sentence without the place and the name of the document.
    severity
        ``"error"``: nothing was scored; ``"warning"``: scored, by a policy that the recipe names;
        ``"note"``: what a policy that was asked for left out, as it should.
    path, line, column
        The place, as far as it is known. Lines and columns count from 1.
    hint
        What to do now, or what was done about it.
    count
        How many times it happened, when one problem stands for several.
    document
        The label of the document that it is about, if the message needs it.

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
        """Place, severity, message, document, code, all printable; the hint on its own line."""
        place = self.path or ""
        for number in (self.line, self.column):
            if number is not None:
                place += f":{number}"
        head = f"{place}: " if place else ""
        return f"{printable(head)}{self.severity}: {self.text()}"

    def text(self) -> str:
        """Format the problem: message, document, code; the hint on a line of its own."""
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
        """Return the problem that `to_dict` wrote.

        Raises
        ------
        TypeError
            When a field is unknown, missing, or not of its type.
        """
        problem = cls(**values)
        for name, value in problem._asdict().items():
            kind = int if name in ("line", "column", "count") else str
            needed = name in ("code", "message", "severity", "count")
            if not isinstance(value, kind) and (needed or value is not None):
                raise TypeError(f"the {name} of a problem is {value!r}")
        return problem


class CorefmeterWarning(UserWarning):
    """What was noticed and decided by a policy; the `problems` of a result have it in full."""


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

    def __str__(self) -> str:
        return printable(super().__str__(), lines=True)


def amount(number: int, noun: str, nouns: str = "") -> str:
    """Format a count with its noun.

    Examples
    --------
    >>> amount(1, "document"), amount(1200, "token"), amount(2, "entity", "entities")
    ('1 document', '1,200 tokens', '2 entities')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def unknown(kind: str, name: object, known: Iterable[str]) -> OptionError:
    """Return the error for a name that is not known, with the nearest one that is.

    Examples
    --------
    >>> print(unknown("metric", "cefae", ["ceafe", "muc"]))
    unknown metric 'cefae'; did you mean 'ceafe'? Known: ceafe, muc
    >>> print(unknown("line", "b", ["a, b", "c"]))
    unknown line 'b'. Known: a, b; c
    """
    names = list(known)
    guess = guessed(name, names) or "."
    mark = "; " if any("," in one for one in names) else ", "
    return OptionError(f"unknown {kind} {name!r}{guess} Known: {mark.join(names)}")


def guessed(name: object, known: Iterable[str]) -> str:
    """Return the hint for an unknown name: the nearest known one, or an empty text.

    Examples
    --------
    >>> guessed("cefae", ["ceafe", "muc"]), guessed("xyz", ["ceafe", "muc"])
    ("; did you mean 'ceafe'?", '')
    """
    import difflib

    near = difflib.get_close_matches(str(name).lower(), list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def output_is_input(path: str) -> Problem:
    """Return the error for an output that the run reads."""
    hint = "Name another file or folder; nothing was written."
    return Problem(
        "output-is-input",
        "is read by this run, so it cannot be written to",
        "error",
        path=path,
        hint=hint,
    )


def reject_unknown_keywords(*options: Callable[[], Iterable[str]]) -> Callable[[Call], Call]:
    """Let a function refuse keywords that it has not, with the nearest of all that it has.

    Parameters
    ----------
    *options
        What gives the names that it takes as ``**options``, beside its parameters.

    Examples
    --------
    >>> @reject_unknown_keywords()
    ... def read(path, format=None):
    ...     return format
    >>> read("x", fromat="e2e")
    Traceback (most recent call last):
    ...
    corefmeter.problems.OptionError: unknown option 'fromat'; did you mean 'format'? Known: path, \
format
    """

    def decorate(function: Call) -> Call:
        code = function.__code__
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        own = tuple(name for name in own if name not in ("self", "cls"))

        def check(given: dict[str, Any]) -> None:
            for name in given:
                if name not in own:
                    known = [*own, *(one for names in options for one in names())]
                    if name not in known:
                        raise unknown("option", name, known)

        @wraps(function)
        def call(*arguments: Any, **given: Any) -> Any:
            if options:
                check(given)
            try:
                return function(*arguments, **given)
            except TypeError:  # Python says so too, which costs nothing where all names are right
                check(given)
                raise

        return cast("Call", call)

    return decorate


def require(module: str, what: str, extra: str | None = None) -> None:
    """Refuse what needs a package that is not installed; `extra` is the extra that has it.

    Examples
    --------
    >>> require("no_such_package", "this")
    Traceback (most recent call last):
    ...
    corefmeter.problems.OptionError: this needs no_such_package, which is not installed; get it with
      pip install no_such_package
    """
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
    """Return the error for a file that cannot be written.

    Examples
    --------
    >>> print(unwritable("/a.json", PermissionError(13, "Permission denied")))
    /a.json: error: cannot be written: Permission denied [unwritable]
    """
    hint = "Make its folder first." if isinstance(error, FileNotFoundError) else None
    message = f"cannot be written: {error.strerror}"
    return DataError(Problem("unwritable", message, "error", path=path, hint=hint))
