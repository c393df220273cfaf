"""Decisions of an adjudicator: the list of ``merge``, with its column `consensus` edited."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import is_name
from corefmeter.formats.source import Source, decode_utf8
from corefmeter.problems import DataError, Problem
from corefmeter.reports.csv import without_apostrophe

#: Text of a decision in a spreadsheet.
_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

#: Columns that name a decision.
_COLUMNS = ("document", "kind", "mention", "antecedent")

_HINT = "Write the list with: corefmeter merge A B… -f csv -o FILE, and edit its column consensus."


class Question(NamedTuple):
    """The subject of a decision, as CSV names it; `antecedent` is empty for a mention."""

    document: str
    kind: str
    mention: str
    antecedent: str


class Answer(NamedTuple):
    """The adjudicator's decision and its line in the file, if known.

    The decision is yes, no, or the name of the annotator that is followed.
    """

    is_yes: bool | str
    line: int | None


class Adjudication(NamedTuple):
    """The answers in a file."""

    path: str
    answers: dict[Question, Answer]

    def problem(self, code: str, message: str, question: Question) -> Problem:
        """Return an error at the line of a question."""
        answer = self.answers.get(question)
        line = answer.line if answer else None
        return Problem(code, message, "error", self.path, line, document=question.document)


def mention_label(mention: Mention | None) -> str:
    """Return a mention as its tokens, or as its name; nothing for None."""
    if mention is None:
        return ""
    return mention if is_name(mention) else str(mention).replace(" ", "")


def read_decisions(path: str) -> Adjudication:
    """Read decisions from the CSV or JSON of ``corefmeter merge``.

    Raises
    ------
    DataError
        ``bad-decision`` where the file is not such a list, or a decision has two answers.
    """
    with Source(path) as source:
        return parse_decisions(path, b"".join(source.blocks()))


def parse_decisions(path: str, data: bytes) -> Adjudication:
    """Read decisions from the content of a file; see `read_decisions`."""
    text = decode_utf8(data, path).removeprefix("\ufeff")
    rows: Iterator[tuple[int | None, Question, Any]]
    rows = _json_rows(path, text) if text.lstrip()[:1] == "{" else _csv_rows(path, text)
    answers: dict[Question, Answer] = {}
    for line, question, answer in rows:
        name = without_apostrophe(str(answer).strip())
        is_yes = _ANSWERS.get(name.lower(), name)
        if question in answers and answers[question].is_yes != is_yes:
            _refuse(path, f"the same decision is {answers[question].is_yes} and {is_yes}", line)
        answers[question] = Answer(is_yes, line)
    return Adjudication(path, answers)


def _json_rows(path: str, text: str) -> Iterator[tuple[None, Question, Any]]:
    try:
        for document in json.loads(text)["documents"]:
            for row in document["decisions"]:
                mentions = [_with_tuples(row[field]) for field in ("mention", "antecedent")]
                about = str(row["document"]), str(row["kind"])
                yield None, Question(*about, *map(mention_label, mentions)), row["consensus"]
    except json.JSONDecodeError as error:
        _refuse(path, f"not JSON: {error.msg}", error.lineno)
    except (KeyError, TypeError, ValueError, RecursionError):
        _refuse(path, "the JSON is not that of corefmeter merge")


def _with_tuples(value: Any) -> Any:
    """Return a mention of JSON as it is in a corpus."""
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def _csv_rows(path: str, text: str) -> Iterator[tuple[int, Question, str]]:
    header_line = text.partition("\n")[0]
    separator = max(",;\t", key=header_line.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    try:
        if missing := {*_COLUMNS, "consensus"}.difference(reader.fieldnames or ()):
            _refuse(path, f"there is no column {', '.join(sorted(missing))}", 1)
        start = reader.line_num + 1
        for row in reader:
            cells = [row[column] or "" for column in _COLUMNS]
            question = Question(*map(without_apostrophe, cells))
            yield start, question, row["consensus"] or ""
            start = reader.line_num + 1
    except csv.Error as error:
        _refuse(path, f"not CSV: {error}", start)


def _refuse(path: str, message: str, line: int | None = None) -> NoReturn:
    raise DataError(Problem("bad-decision", message, "error", path, line, hint=_HINT))
