"""What the tests of the JSON formats share."""

from __future__ import annotations

import io
import json

import pytest

from corefmeter import Corpus, DataError, Document, read
from corefmeter.formats import format_named

__all__ = ["content", "json_lines", "refused", "warned", "written"]


def json_lines(*objects) -> str:
    """Objects, one a line."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in objects)


def refused(path: str, **options) -> list[tuple[str, int | None, str]]:
    """Code, line and message of each error of a file, which must all be errors with a place."""
    with pytest.raises(DataError) as error:
        read(path, **options)
    assert all(p.severity == "error" and p.path == path for p in error.value.problems)
    return [(problem.code, problem.line, problem.message) for problem in error.value.problems]


def warned(corpus: Corpus) -> list[tuple[str, int | None]]:
    """Code and line of each warning."""
    assert all(problem.severity == "warning" for problem in corpus.problems)
    return [(problem.code, problem.line) for problem in corpus.problems]


def content(corpus) -> list:
    """Name, part and entities of each document, the mentions and entities in order of the text."""
    return [
        (document.name, document.part or 0, sorted(sorted(entity) for entity in document.entities))
        for document in corpus
    ]


def written(format: str, *documents: Document) -> tuple[str, list[str]]:
    """What a writer writes, and its messages."""
    stream = io.StringIO()
    problems = format_named(format).write(Corpus(list(documents)), stream)
    assert {problem.code for problem in problems} <= {
        "cannot-write", "mention-unwritten", "document-unwritten"
    }  # fmt: skip
    return stream.getvalue(), [problem.message for problem in problems]
