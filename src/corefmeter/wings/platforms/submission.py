"""The score of a submission: from the folders of a platform to its scores and its page.

The folder ``ref`` holds the key, ``res`` the submission. The reference is one corpus, or each file
of it is a data set of its own and the score is their mean.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from glob import escape
from io import StringIO
from typing import Any, Literal, NamedTuple

from corefmeter._version import __version__
from corefmeter.codes import CODES
from corefmeter.formats.source import stem
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe
from corefmeter.reports.html import render, template
from corefmeter.reports.tables import DIGITS, Report, Table

#: What the page of a submission shows: scores and messages, or the report with the key's text.
Details = Literal["report", "scores"]

#: Entries that archives and platforms add; and all whose name begins with a dot.
LITTER = ("__MACOSX", "metadata")

#: What a response is called on the page.
NAME = "submission"


#: What is found by comparing with the key; how often and where would tell its names and lengths.
_COMPARED = {
    *("coverage", "extra-document", "mention-lost", "mention-moved", "missing-document"),
    *("no-common-mention", "sentence-count", "text-differs", "token-count", "units-differ"),
    *("word-changed", "word-dropped", "word-invented", "words-differ"),
    *("zero-dropped", "zero-invented"),
}


class Pair(NamedTuple):
    """A key and the response to it, with the name of the data set; none if there is one corpus."""

    name: str
    key: str
    response: str


class Scored(NamedTuple):
    """The output for a submission; scores are None if it cannot be scored.

    They are F1, recall and precision in percent by column: ``conll``, ``muc_recall``, …; of data
    sets the means, and each as ``NAME_conll``. A score that is not a number has no column. Problems
    are as participants may see them on the page, which is HTML, and in the log.
    """

    scores: dict[str, float] | None
    page: str
    problems: list[Problem]


def pairs_of(reference: str, submission: str, datasets: bool) -> tuple[list[Pair], list[Problem]]:
    """Return the pairs of key and response in two folders or files, and warnings about the rest.

    With `datasets` each entry of the reference is a data set, to which the submission has an entry
    of the same name; endings may differ.
    """
    _require_inside(submission)
    key = _content(reference, "the reference")
    response = _content(submission, "the submission")
    if not datasets:
        return [Pair("", _together(key), _together(response))], []
    names = _by_stem(key, "the reference")
    found = _by_stem([path for path in response if stem(path) in names], "the submission")
    others = [
        Problem("extra-document", "there is no such data set; it is not scored", path=path)
        for path in response
        if stem(path) not in names
    ]
    missing = []
    there = ", ".join(sorted(map(os.path.basename, response)))
    for name, path in names.items():
        if name not in found:
            hint = f"Name the file {os.path.basename(path)}. There are: {there}."
            reason = f"has no file for the data set {name}"
            missing.append(_unreadable("the submission", reason, hint))
    if missing:
        raise DataError(missing)
    return [Pair(name, path, found[name]) for name, path in names.items()], others


def _require_inside(submission: str) -> None:
    """Refuse links of a submission that lead out of it."""
    whole = os.path.realpath(submission)
    outside = [
        path
        for folder, folders, files in os.walk(submission)
        for path in (os.path.join(folder, name) for name in sorted(folders + files))
        if os.path.islink(path) and not os.path.realpath(path).startswith(whole + os.sep)
    ]
    if outside:
        reason = "is a link to what is not in the submission"
        hint = "Pack the file itself into the archive."
        raise DataError([_unreadable(path, reason, hint) for path in outside])


def _content(folder: str, what: str) -> list[str]:
    """Return the entries of a folder, or of the one folder in it, in order; a file by itself."""
    if os.path.isfile(folder):
        return [folder]
    try:
        names = [n for n in os.listdir(folder) if n not in LITTER and not n.startswith(".")]
    except OSError as error:
        raise DataError(_unreadable(folder, error.strerror or "", "")) from None
    paths = [os.path.join(folder, name) for name in sorted(names)]
    if not paths:
        hint = "Pack the files themselves, not an empty folder, into the archive."
        raise DataError(_unreadable(what, "is empty", hint))
    return _content(paths[0], what) if len(paths) == 1 and os.path.isdir(paths[0]) else paths


def _together(paths: Sequence[str]) -> str:
    """Return one path for all entries of a folder, without the litter among them."""
    folder = os.path.dirname(paths[0])
    if len(paths) == 1:
        return paths[0]
    if not any(name in LITTER for name in os.listdir(folder)):
        return folder
    if not all("." in os.path.basename(path) for path in paths):
        hint = "Pack the files, or one folder with all of them, into the archive."
        raise DataError(_unreadable("the submission", "has several folders", hint))
    return os.path.join(escape(folder), "*.*")


def _by_stem(paths: Sequence[str], what: str) -> dict[str, str]:
    """Return the entries by the name of their data set."""
    found: dict[str, str] = {}
    for path in paths:
        if (other := found.setdefault(stem(path), path)) is not path:
            both = f"{os.path.basename(other)} and {os.path.basename(path)}"
            message = f"has two files for the data set {stem(path)}: {both}"
            raise DataError(_unreadable(what, message, "Leave one of them out."))
    return found


def _unreadable(path: str, message: str, hint: str) -> Problem:
    return Problem("unreadable", message, "error", path=path, hint=hint or None)


def score_submission(
    pairs: Sequence[Pair], recipe: Recipe, strict: bool
) -> tuple[dict[str, float], Report, list[Problem]]:
    """Return the scores of a submission by column, their report, and its problems."""
    from corefmeter.cli.datasets import score_pairs
    from corefmeter.reports.scores import DatasetsReport, ScoreReport

    named = [(name, key, f"{NAME}={response}") for name, key, response in pairs]
    results = score_pairs(named, recipe, strict)
    problems = [one for result in results.values() for one in result.problems]
    scores: dict[str, float] = {}
    for name, result in results.items():
        scores |= _columns(result.entry()["scores"], f"{name}_" if name else "")
    if not all(results):
        return scores, ScoreReport([*results.values()]), problems
    report = DatasetsReport(results)
    return scores | _columns(report.means()), report, problems


def judged(
    submitted: str,
    recipe: Recipe,
    details: Details,
    *,
    datasets: bool = False,
    strict: bool = False,
) -> Scored:
    """Score the submission in a folder of a platform; one that cannot be scored has a page too.

    Where the key is hidden, messages that may quote it are replaced (`_shown`), and an unexpected
    error is reported in one sentence.
    """
    hides = details == "scores"
    reference, submission = (os.path.join(submitted, side) for side in ("ref", "res"))
    try:
        pairs, left = pairs_of(reference, submission, datasets)
    except DataError as error:
        in_key = [one for one in error.problems if hides and _is_of_key(one, submitted)]
        return _failed(_short_paths([p for p in error.problems if p not in in_key], submitted))
    try:
        scores, report, noticed = score_submission(pairs, recipe, strict)
    except DataError as error:
        return _failed(_shown(error.problems, submitted, hides))
    except Exception:
        if not hides:
            raise
        return _failed([])
    problems = _short_paths(left, submitted) + _shown(noticed, submitted, hides)
    if hides:
        return Scored(scores, _page(problems, _Bare(report)), problems)
    pages = [*_reports(pairs, recipe, strict)]
    alone = len(pages) == 1 and not problems
    return Scored(scores, pages[0][1] if alone else _page(problems, report, pages), problems)


class _Bare(Report):
    """The tables of a report without its notes, which count the documents of the key."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.signature = report.signature

    def tables(self) -> list[Table]:
        """Return the tables of the report."""
        return self.report.tables()


def _columns(scores: dict[str, Any], before: str = "") -> dict[str, float]:
    """Return scores in percent by column."""
    found = {}
    for metric, values in scores.items():
        for rate, after in (("f1", ""), ("recall", "_recall"), ("precision", "_precision")):
            value = values.get(rate)
            if value is not None and value == value:
                found[f"{before}{metric}{after}"] = 100 * value
    return found


def _reports(pairs: Sequence[Pair], recipe: Recipe, strict: bool) -> Iterator[tuple[str, str]]:
    """Yield the page of `corefmeter report` by data set; none where the recipe has none."""
    for name, key, response in pairs:
        page = _report(key, response, recipe, strict)
        if not page and recipe.identity is not None:  # which this data set by itself may not have
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


def _failed(problems: list[Problem]) -> Scored:
    """Return the output for a submission that cannot be scored."""
    hint = "Tell the organizers of the task."
    problems = problems or [_unreadable("the submission", "cannot be scored", hint)]
    return Scored(None, _page(problems), problems)


def _page(problems: Sequence[Problem], report: Report | None = None, pages: Any = ()) -> str:
    """Return the page with a table of scores, or of what is wrong."""
    table = StringIO()
    if report is not None:
        render(report, table, DIGITS)
    told = [
        (str(one._replace(hint=None)).partition(f"{one.severity}: ")[0], one) for one in problems
    ]
    # Types: a template has none.
    html: str = template("submission.html", "corefmeter.wings.platforms.templates").render(
        problems=told, table=table.getvalue(), pages=pages, version=__version__
    )
    return html


def _shown(problems: Iterable[Problem], folder: str, hides: bool) -> list[Problem]:
    """Return problems as participants see them.

    Where the key is hidden, those in the key are left out. Messages of others may quote it, its
    names or its length; each is replaced by the sentence that explains its code, with the place if
    that depends on the submission alone.
    """
    if hides:
        problems = [
            Problem(
                one.code,
                CODES[one.code],
                one.severity,
                one.path,
                *(() if one.code in _COMPARED else (one.line, one.column)),
            )
            for one in problems
            if not _is_of_key(one, folder)
        ]
    return list(dict.fromkeys(_short_paths(problems, folder)))


def _is_of_key(problem: Problem, folder: str) -> bool:
    return problem.path == "the reference" or (
        _within(problem.path, os.path.join(folder, "ref")) is not None
    )


def _short_paths(problems: Iterable[Problem], folder: str) -> list[Problem]:
    """Return problems with paths as the participant knows them, within the archive."""
    found = []
    for problem in problems:
        path = _within(problem.path, os.path.join(folder, "res"))
        found.append(problem if path is None else problem._replace(path=path or "the submission"))
    return found


def _within(path: str | None, folder: str) -> str | None:
    """Return a path relative to a folder, or None; a pattern of `_together` is escaped."""
    for start in (folder, escape(folder)):
        if path == start:
            return ""
        if path and path.startswith(start + os.sep):
            return path.removeprefix(start + os.sep)
    return None
