"""Score a submission in the folders of a platform, and make its page.

The folder ``ref`` has the key, ``res`` the submission. The reference is one corpus, or each of its
files is a separate data set, and the score is their mean.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from glob import escape
from importlib.resources import files
from io import StringIO
from math import isnan
from typing import Any, Literal, NamedTuple

from corefmeter._version import __version__
from corefmeter.codes import CODES
from corefmeter.formats.output import make_folder, open_output
from corefmeter.formats.source import stem
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe
from corefmeter.reports.html import render, template
from corefmeter.reports.page import strip_comments
from corefmeter.reports.tables import DIGITS, Report, Table

#: Content of the page of a submission: scores and messages, or a report with the key's text.
Details = Literal["report", "scores"]

TEMPLATES = "corefmeter.wings.platforms.templates"

#: Entries that archives and platforms add, in addition to hidden ones.
LITTER = ("__MACOSX", "metadata")

#: Name of a response on the page.
NAME = "submission"

#: Codes of problems whose number and place may reveal names and lengths of the key.
_COMPARED = {
    *("coverage", "extra-document", "mention-lost", "mention-moved", "missing-document"),
    *("no-common-mention", "sentence-count", "text-differs", "token-count", "units-differ"),
    *("word-changed", "word-dropped", "word-invented", "words-differ"),
    *("zero-dropped", "zero-invented"),
}


class Pair(NamedTuple):
    """A key and a response, with the name of the data set, empty if there is one corpus."""

    name: str
    key: str
    response: str


class Outcome(NamedTuple):
    """The output for a submission; scores are None if it cannot be scored.

    Scores are F1, recall and precision in percent by column: ``conll``, ``muc_recall``, …. With
    data sets, these are the means, and each data set has columns such as ``NAME_conll``. Undefined
    scores have no column. The page is HTML. Problems are as participants may see them.
    """

    scores: dict[str, float] | None
    page: str
    problems: list[Problem]


def pairs_of(reference: str, submission: str, datasets: bool) -> tuple[list[Pair], list[Problem]]:
    """Return the pairs of key and response in two folders or files, and warnings about other files.

    With `datasets` each entry of the reference is a data set, for which the submission has an entry
    of the same name; endings may differ.
    """
    _require_inside(submission)
    key = _content(reference, "the reference")
    response = _content(submission, "the submission")
    if not datasets:
        return [Pair("", _one_path(key), _one_path(response))], []
    keys = by_stem(key, "the reference")
    responses = by_stem([path for path in response if stem(path) in keys], "the submission")
    extra = [
        Problem("extra-document", "no such data set; not scored", path=path)
        for path in response
        if stem(path) not in keys
    ]
    missing = []
    names = ", ".join(sorted(map(os.path.basename, response)))
    for name, path in keys.items():
        if name not in responses:
            hint = f"Name the file {os.path.basename(path)}. The submission has: {names}."
            message = f"has no file for the data set {name}"
            missing.append(unreadable("the submission", message, hint))
    if missing:
        raise DataError(missing)
    return [Pair(name, path, responses[name]) for name, path in keys.items()], extra


def _require_inside(submission: str) -> None:
    """Refuse links of a submission that lead out of it."""
    root = os.path.realpath(submission) + os.sep
    outside = [
        path
        for folder, folders, files in os.walk(submission)
        for path in (os.path.join(folder, name) for name in sorted(folders + files))
        if os.path.islink(path) and not os.path.realpath(path).startswith(root)
    ]
    if outside:
        message = "is a link to a file that is not in the submission"
        hint = "Pack the file itself into the archive."
        raise DataError([unreadable(path, message, hint) for path in outside])


def _content(folder: str, name: str) -> list[str]:
    """Return the sorted entries of a folder, or of the only folder in it; or a single file."""
    if os.path.isfile(folder):
        return [folder]
    try:
        entries = [e for e in os.listdir(folder) if e not in LITTER and not e.startswith(".")]
    except OSError as error:
        raise DataError(unreadable(folder, error.strerror or "", "")) from None
    paths = [os.path.join(folder, entry) for entry in sorted(entries)]
    if not paths:
        hint = "Pack the files themselves, not an empty folder, into the archive."
        raise DataError(unreadable(name, "is empty", hint))
    return _content(paths[0], name) if len(paths) == 1 and os.path.isdir(paths[0]) else paths


def _one_path(paths: Sequence[str]) -> str:
    """Return one path, or a pattern, for all these entries of a folder."""
    folder = os.path.dirname(paths[0])
    if len(paths) == 1:
        return paths[0]
    if not any(name in LITTER for name in os.listdir(folder)):
        return folder
    if not all("." in os.path.basename(path) for path in paths):
        hint = "Pack the files, or one folder with all of them, into the archive."
        raise DataError(unreadable("the submission", "has several folders", hint))
    return os.path.join(escape(folder), "*.*")


def by_stem(paths: Sequence[str], name: str) -> dict[str, str]:
    """Return the entries by the name of their data set; `name` is what holds them."""
    entries: dict[str, str] = {}
    for path in paths:
        other = entries.setdefault(stem(path), path)
        if other is not path:
            files = f"{os.path.basename(other)} and {os.path.basename(path)}"
            message = f"has two files for the data set {stem(path)}: {files}"
            raise DataError(unreadable(name, message, "Leave out one of them."))
    return entries


def unreadable(path: str, message: str, hint: str = "") -> Problem:
    """Return the error for a path that cannot be read."""
    return Problem("unreadable", message, "error", path=path, hint=hint or None)


def write_file(path: str, content: str | bytes) -> None:
    """Write text or bytes to a file, and make its folder."""
    make_folder(os.path.dirname(path))
    with open_output(path, binary=isinstance(content, bytes)) as stream:
        stream.write(content)


def score_submission(
    pairs: Sequence[Pair], recipe: Recipe, strict: bool
) -> tuple[dict[str, float], Report, list[Problem]]:
    """Return the scores of a submission by column, their report, and its problems."""
    from corefmeter.cli.datasets import score_pairs
    from corefmeter.reports.scores import DatasetsReport, ScoreReport

    named = [(name, key, f"{NAME}={response}") for name, key, response in pairs]
    results = score_pairs(named, recipe, strict)
    problems = [problem for result in results.values() for problem in result.problems]
    scores: dict[str, float] = {}
    for name, result in results.items():
        scores |= _columns(result.entry()["scores"], f"{name}_" if name else "")
    if not all(results):
        return scores, ScoreReport([*results.values()]), problems
    report = DatasetsReport(results)
    return scores | _columns(report.means()), report, problems


def judge(
    submitted: str,
    recipe: Recipe,
    details: Details,
    *,
    datasets: bool = False,
    strict: bool = False,
) -> Outcome:
    """Score the submission in a folder of a platform, and make its page.

    If the key is hidden, messages that may quote it are replaced (`_visible`), and an unexpected
    error is reported in one sentence.
    """
    hides = details == "scores"
    reference, submission = (os.path.join(submitted, side) for side in ("ref", "res"))
    try:
        pairs, extra = pairs_of(reference, submission, datasets)
    except DataError as error:
        shown = [p for p in error.problems if not (hides and _is_of_key(p, submitted))]
        return _failed(_short_paths(shown, submitted))
    try:
        scores, report, noticed = score_submission(pairs, recipe, strict)
    except DataError as error:
        return _failed(_visible(error.problems, submitted, hides))
    except Exception:
        if not hides:
            raise
        return _failed([])
    problems = _short_paths(extra, submitted) + _visible(noticed, submitted, hides)
    if hides:
        return Outcome(scores, _page(problems, _Bare(report)), problems)
    pages = [*_reports(pairs, recipe, strict)]
    is_alone = len(pages) == 1 and not problems
    return Outcome(scores, pages[0][1] if is_alone else _page(problems, report, pages), problems)


class _Bare(Report):
    """The tables of a report without its notes, which count the documents of the key."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.signature = report.signature

    def tables(self) -> list[Table]:
        return self.report.tables()


def _columns(scores: dict[str, Any], prefix: str = "") -> dict[str, float]:
    columns = {}
    for metric, values in scores.items():
        for rate, suffix in (("f1", ""), ("recall", "_recall"), ("precision", "_precision")):
            value = values.get(rate)
            if value is not None and not isnan(value):
                columns[f"{prefix}{metric}{suffix}"] = 100 * value
    return columns


def _reports(pairs: Sequence[Pair], recipe: Recipe, strict: bool) -> Iterator[tuple[str, str]]:
    """Yield the page of `corefmeter report` by data set, if the recipe allows reports."""
    for name, key, response in pairs:
        page = _report(key, response, recipe, strict)
        if not page and recipe.identity is not None:  # this data set may not have the option
            page = _report(key, response, replace(recipe, identity=None), strict)
        if not page:
            return
        yield name, page


def _report(key: str, response: str, recipe: Recipe, strict: bool) -> str:
    from corefmeter.reports.page.made import page_of

    try:
        page, _ = page_of(key, {NAME: response}, recipe, strict=strict)
    except (DataError, OptionError):
        return ""
    return page.html


def _failed(problems: list[Problem]) -> Outcome:
    hint = "Tell the organizers of the task."
    problems = problems or [unreadable("the submission", "cannot be scored", hint)]
    return Outcome(None, _page(problems), problems)


def _page(problems: Sequence[Problem], report: Report | None = None, pages: Any = ()) -> str:
    table = StringIO()
    if report is not None:
        render(report, table, DIGITS)
    placed = [(str(p._replace(hint=None)).partition(f"{p.severity}: ")[0], p) for p in problems]
    values = {"problems": placed, "table": table.getvalue(), "pages": pages, "style": page_style()}
    page = template("submission.html", TEMPLATES)
    return str(page.render(values, version=__version__))


def page_style() -> str:
    """Return the style of all pages of a task."""
    styles = files("corefmeter.reports.page") / "page.css", files(TEMPLATES) / "task.css"
    return strip_comments("".join(path.read_text("utf-8") for path in styles))


def _visible(problems: Iterable[Problem], folder: str, hides: bool) -> list[Problem]:
    """Return problems as participants see them.

    If the key is hidden, its own problems are left out. Other messages may quote the key, its names
    or its length. So each is replaced by the general description of its code, with the place if
    that depends only on the submission.
    """
    if hides:
        problems = [_anonymize(p) for p in problems if not _is_of_key(p, folder)]
    return list(dict.fromkeys(_short_paths(problems, folder)))


def _anonymize(problem: Problem) -> Problem:
    code, _, severity, path, line, column = problem[:6]
    place = () if code in _COMPARED else (line, column)
    return Problem(code, CODES[code], severity, path, *place)


def _is_of_key(problem: Problem, folder: str) -> bool:
    return problem.path == "the reference" or (
        _within(problem.path, os.path.join(folder, "ref")) is not None
    )


def _short_paths(problems: Iterable[Problem], folder: str) -> list[Problem]:
    """Return problems with paths relative to the archive of the participant."""
    result = []
    for problem in problems:
        path = _within(problem.path, os.path.join(folder, "res"))
        result.append(problem if path is None else problem._replace(path=path or "the submission"))
    return result


def _within(path: str | None, folder: str) -> str | None:
    """Return a path, or pattern of `_one_path`, relative to a folder; None if it is outside."""
    for start in (folder, escape(folder)):
        if path == start:
            return ""
        if path and path.startswith(start + os.sep):
            return path.removeprefix(start + os.sep)
    return None
