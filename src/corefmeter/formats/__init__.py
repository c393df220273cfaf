"""Readers and writers, one module a format, and the choice among them.

A format module has ``NAME``, ``TITLE``, ``sniff(head)``, ``read(source, concatenate)`` and
``write(corpus, stream)``; adding one is adding it to `FORMATS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import IO, Protocol

from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats.source import Source, expand
from corefmeter.problems import DataError, Problem, unknown

__all__ = ["FORMATS", "Format", "format_named", "read_corpus"]


class Format(Protocol):
    """What a format module offers."""

    NAME: str
    TITLE: str

    def sniff(self, head: bytes) -> bool:
        """Whether the first block of a file looks like this format."""

    def read(self, source: Source, concatenate: bool = False) -> tuple[list[Document], list[Problem]]:
        """The documents of one file, and the warnings."""

    def write(self, corpus: Corpus, stream: IO[str]) -> list[Problem]:
        """Write a corpus; what cannot be written is returned."""


#: Modules by the name of the format, in the order in which they are asked.
FORMATS: dict[str, str] = {"conll": "corefmeter.formats.conll"}


def format_named(name: str) -> Format:
    """The module of a format.

    Raises
    ------
    OptionError
        For an unknown name.
    """
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return import_module(FORMATS[name])  # type: ignore[return-value]


def read_corpus(path: str, format: str | None = None, *, concatenate: bool = False) -> Corpus:
    """The corpus in a file, a directory, a glob or standard input (``-``).

    In a directory, files that no reader recognises are left out with a warning.

    Raises
    ------
    DataError
        With all errors of all files.
    """
    files = expand(path)
    documents: list[Document] = []
    problems: list[Problem] = []
    errors: list[Problem] = []
    digests: dict[str, str] = {}
    formats: list[str] = []
    for name in files:
        try:
            source = Source(name)
            reader = format_named(format) if format else _sniff(source)
            found, noticed = reader.read(source, concatenate)
        except DataError as error:
            unknown_here = [p.code for p in error.problems] == ["unknown-format"]
            if unknown_here and len(files) > 1:
                problem = error.problems[0]
                problems.append(
                    Problem("unknown-format", f"left out: {problem.message}", path=name)
                )
            else:
                errors += error.problems
            continue
        documents += found
        problems += noticed
        digests[name] = source.digest
        formats.append(reader.NAME)
    if not errors and len(files) > 1:
        errors += _twice(documents, concatenate)
    if not errors and not documents:
        errors.append(
            Problem("no-document", "no document in any of the files", "error", path=path)
        )
    if errors:
        raise DataError(errors)
    return Corpus(
        documents,
        path=path,
        format="+".join(dict.fromkeys(formats)),
        digests=digests,
        problems=problems,
    )


def _sniff(source: Source) -> Format:
    for name in FORMATS:
        module = format_named(name)
        if module.sniff(source.head):
            return module
    titles = ", ".join(format_named(name).TITLE for name in FORMATS)
    if not source.head.strip():
        raise DataError(
            Problem("no-document", "the file is empty", "error", path=source.path)
        )
    raise DataError(
        Problem("unknown-format", f"no reader recognises the file; known formats: {titles}",
                "error", path=source.path, line=1,
                hint='A CoNLL file begins its documents with "#begin document (NAME); part 000".')
    )  # fmt: skip


def _twice(documents: list[Document], concatenate: bool) -> list[Problem]:
    """Errors for documents that stand in two files."""
    seen: dict[tuple[str, int], Document] = {}
    errors = []
    for document in documents:
        first = seen.setdefault(document.id, document)
        if first is not document:
            errors.append(repeated_document(document, first))
    return errors


def repeated_document(document: Document, first: Document) -> Problem:
    """The error for a document that stood before."""
    return Problem(
        "repeated-document",
        f"document {document.label!r} stands here again; it began at {first.path}:{first.line}",
        "error",
        path=document.path,
        line=document.line,
        hint="Rename or remove one, or join them with --documents concatenate.",
    )
