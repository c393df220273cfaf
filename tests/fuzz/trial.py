"""What becomes of one file: it is read in both modes, scored, analysed, matched and converted.

Each file ends as ``read``, as ``typed`` (an error of ours, with the file and a known code), or as
something that must not be, which is called by what was raised and where, so that a thousand files
that meet one fault are counted as one.
"""

from __future__ import annotations

import io
import random
import re
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from corefmeter.analysis.report import analyse_corpora
from corefmeter.codes import CODES
from corefmeter.corpus.model import Corpus, Mention
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.formats import format_named, names, read_corpus
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.problems import CorefmeterError, DataError, Problem
from corefmeter.recipe import Recipe
from corefmeter.reports import write_report, write_warnings
from corefmeter.reports.errors import ErrorsReport
from corefmeter.reports.match import MatchReport
from corefmeter.scoring import match_corpora, score_corpora

from .mutants import Seed

__all__ = ["Outcome", "tried"]

#: Seconds after which a file of some kilobytes is called slow.
LIMIT = 10.0

#: A message names what is wrong and does not repeat the file: its length without path and names.
LONGEST_MESSAGE = 1000

CONTROL = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

#: What the frame of readers and writers says where none of them has foreseen a file.
UNFORESEEN = ("not-understood", "too-large")

WRITTEN = [name for name in names() if format_named(name).write]
SCORING = Recipe(metrics=("mentions", "muc", "b3", "ceafe", "lea"))
MATCHING = [Recipe(match=match) for match in ("exact", "overlap", "head", "partial")]
LISTS = ("entities", "links", "mentions")
RENDERED = ("text", "json", "csv", "csv-exact", "markdown", "latex")


class Outcome(NamedTuple):
    """How a file ended: ``read``, ``typed`` or what went wrong; and in how many seconds."""

    kind: str
    seconds: float


class WrongError(Exception):
    """Something that is promised and does not hold."""


class Late(BaseException):
    """A file took too long; nothing on the way catches this."""


def tried(format: str, files: Seed, folder: Path, chance: random.Random) -> Outcome:
    """What becomes of a file, which is written to a folder with those that belong to it."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    path = folder / next(iter(files))
    begin = time.perf_counter()
    stage = ["reading"]
    try:
        with limited(LIMIT):
            kind = run(format, path, chance, stage)
    except Late as error:
        kind = f"{stage[0]}: {name_of(error)}"
    except Exception as error:
        kind = f"{stage[0]}: {name_of(error)}"
    return Outcome(kind, time.perf_counter() - begin)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `Late` after so many seconds."""

    def late(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Let the process have no more than so many bytes more than it has, where Linux tells that."""
    status = Path("/proc/self/statm")
    if not status.exists():
        yield
        return
    has = int(status.read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (has + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def name_of(error: BaseException) -> str:
    """What was raised, and in which line of the package."""
    if isinstance(error, WrongError):
        return str(error)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "corefmeter" in f.filename]
    place = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.filename.rpartition('corefmeter/')[2]}:{place.lineno} {place.name}"
    return f"{type(error).__name__} in {where}: {str(error)[:60]!r}"


def run(format: str, path: Path, chance: random.Random, stage: list[str]) -> str:
    """``read`` or ``typed``; raises whatever else happens, in the stage that is named.

    What is read is put to every use; the options of each, and the format to write, are drawn.
    """
    found = [reading(path, format, details) for details in (False, True)]
    plain, rich = found
    if isinstance(plain, Corpus) != isinstance(rich, Corpus):
        refused = next(f for f in found if not isinstance(f, Corpus))
        raise WrongError(f"only one mode reads it; the other says [{refused[0].code}]")
    if not isinstance(plain, Corpus) or not isinstance(rich, Corpus):
        return "typed"
    check_alike(plain, rich)
    stage[0] = "scoring"
    scored(rich if format_named(format).align else plain)
    stage[0] = "errors"
    analysis = analyse_corpora(rich, rich, SCORING)
    rendered(ErrorsReport(analysis, [chance.choice(LISTS)]), str(path), chance)
    stage[0] = "match"
    matched(rich, str(path), chance)
    into = chance.choice(WRITTEN)
    stage[0] = f"to {into}"
    converted(rich, into, path, chance, stage)
    return "read"


def reading(path: Path, format: str, details: bool) -> Corpus | list[Problem]:
    """The corpus of a file or its errors."""
    try:
        corpus = read_corpus(str(path), format, details=details)
    except DataError as error:
        check_error(error)
        if any(problem.path is None for problem in error.problems):
            raise WrongError(f"[{error.problems[0].code}] without a file") from None
        return error.problems
    check_problems(corpus.problems)
    for document in corpus:
        if len(document.entities) != len(document.entity_names):
            raise WrongError("entities and their names differ in number")
        if details and document.details is not None and (
            list(map(len, document.details)) != list(map(len, document.entities))
        ):  # fmt: skip
            raise WrongError("mentions and their details differ in number")
        if details and document.text is not None and document.unit == "tokens" and (
            len(document.text) != document.tokens
        ):  # fmt: skip
            raise WrongError("words and tokens differ in number")
    return corpus


def check_error(error: CorefmeterError) -> None:
    """An error is printed, and says where it is."""
    if isinstance(error, DataError):
        check_problems(error.problems)
    check_message(str(error).partition("\n")[0])


def check_problems(problems: list[Problem]) -> None:
    """Codes are known, places are possible, messages are short and harmless."""
    for problem in problems:
        if problem.code not in CODES:
            raise WrongError(f"the code {problem.code} is not known")
        if problem.code in UNFORESEEN:
            raise WrongError(f"[{problem.code}] {problem.message[:150]}")
        if (problem.line or 1) < 1 or (problem.column or 1) < 1:
            raise WrongError(f"[{problem.code}] at line {problem.line}, column {problem.column}")
        check_message(str(problem._replace(path=None)), problem.code)


def check_message(text: str, code: str = "") -> None:
    """A message quotes little of a file, and nothing that a terminal obeys."""
    if CONTROL.search(text):
        raise WrongError(f"a message with control characters [{code}]")
    if len(text) > LONGEST_MESSAGE:
        raise WrongError(f"a message that is too long [{code}]")


def check_alike(plain: Corpus, rich: Corpus) -> None:
    """Both modes read the same documents and mentions."""
    one, other = ([(d.id, d.entities, d.tokens, d.unit) for d in c] for c in (plain, rich))
    if one != other:
        raise WrongError("the two modes read different mentions")


def scored(corpus: Corpus) -> None:
    """Against itself a corpus scores 100, where it has what the metric counts."""
    result = score_corpora(corpus, corpus, SCORING)
    check_problems(result.problems)
    for name in SCORING.metrics:
        scores = result[name]
        if scores.recall_denominator and scores.f1 != 1:
            raise WrongError(f"{name} is {scores.f1} against itself")


def matched(corpus: Corpus, path: str, chance: random.Random) -> None:
    """The mentions of a corpus are matched with themselves, or that is refused."""
    recipe = chance.choice(MATCHING)
    try:
        alignments, problems = match_corpora(corpus, corpus, recipe)
    except CorefmeterError as error:
        check_error(error)
        return
    check_problems(problems)
    rendered(MatchReport(recipe, path, path, alignments), path, chance)


def rendered(report: Any, path: str, chance: random.Random) -> None:
    """A report is written to a file in one of its formats."""
    write_report(report, chance.choice(RENDERED), f"{path}.report")


def converted(
    corpus: Corpus, into: str, path: Path, chance: random.Random, stage: list[str]
) -> None:
    """A corpus is written in a format, or that is refused; it is read again, or a loss is told."""
    target = path.parent / "written"
    try:
        fitted, lost = convert_corpus(corpus, into, hull=chance.random() < 0.5)
        lost += write_files(fitted, into, str(target))
    except CorefmeterError as error:
        check_error(error)
        return
    check_problems(lost)
    write_warnings(lost, io.StringIO())
    stage[0] = f"back from {into}"
    again = reading(target, into, True)
    if lost:
        return
    if not isinstance(again, Corpus):
        raise WrongError(f"it is refused: [{again[0].code}]")
    units = [document.unit for document in fitted] == [document.unit for document in again]
    if shape(fitted, units) != shape(again, units):
        raise WrongError("it reads back different")


def shape(corpus: Corpus, units: bool) -> list[list[list[str]]]:
    """The mentions by entity, or only how many, in an order that no writer changes."""
    return sorted(
        sorted(sorted(repr(place(m)) if units else "" for m in e) for e in d.entities if e)
        for d in corpus
    )


def place(mention: Mention) -> Mention:
    """Where a mention is; what TBF counts as its type too is one of its details elsewhere."""
    mention = tuple(mention) if isinstance(mention, tuple) else mention
    return pieces_if_any(mention) or mention


def peak() -> float:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
