"""Readers and writers, one module a format, and the choice among them.

A format module has ``NAME``, ``TITLE``, ``sniff(head, path)``, ``read(source, concatenate,
details)`` and ``write(corpus, stream)``, or ``UNWRITTEN`` that says why not; adding one is adding
it to `FORMATS`. Other packages add formats under the entry point group ``corefmeter.formats``, and
so do the wings of this one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import IO, Protocol

from corefmeter.corpus.model import Corpus, Document
from corefmeter.doors import fetch, offered
from corefmeter.formats.joining import joined, name_by_file, repeated_documents
from corefmeter.formats.source import Source, expand, uncompressed
from corefmeter.problems import DataError, OptionError, Problem, unknown

__all__ = ["FORMATS", "Format", "format_named", "names", "read_corpus", "recognised", "writer"]


class Format(Protocol):
    """What a format module offers."""

    NAME: str
    TITLE: str

    def sniff(self, head: bytes, path: str) -> bool:
        """Whether a file with this first block and this name looks like this format."""

    def read(
        self, source: Source, concatenate: bool = False, details: bool = False
    ) -> tuple[list[Document], list[Problem]]:
        """The documents of one file, and the warnings.

        Parameters
        ----------
        source
            The file.
        concatenate
            Join documents of the same name instead of refusing them.
        details
            Each document also has its `details` and its `text`, as far as the format knows them;
            its entities are the same.

        Raises
        ------
        DataError
            With all errors of the file.
        """

    #: Instead of `write`: why the format is not written, and what to choose.
    UNWRITTEN: str

    def write(self, corpus: Corpus, stream: IO[str]) -> list[Problem]:
        """Write a corpus; what cannot be written is returned."""


#: Modules by the name of the format, in the order in which they are asked.
FORMATS: dict[str, str] = {
    "conll": "corefmeter.formats.conll",
    "semeval": "corefmeter.formats.semeval",
    "conllua": "corefmeter.formats.conllua",
    "conllu": "corefmeter.formats.conllu",
    "e2e": "corefmeter.formats.e2e",
    "preco": "corefmeter.formats.preco",
    "maverick": "corefmeter.formats.maverick",
    "fastcoref": "corefmeter.formats.fastcoref",
    "clusters": "corefmeter.formats.clusters",
    "webanno": "corefmeter.formats.webanno",
    "brat": "corefmeter.formats.litbank_brat",
    "litbank-tsv": "corefmeter.formats.litbank_tsv",
    "inline": "corefmeter.formats.inline",
}


def names() -> list[str]:
    """The names of all formats, those of other packages last."""
    return [*FORMATS, *offered("format")]


def format_named(name: str) -> Format:
    """The module of a format.

    Raises
    ------
    OptionError
        For an unknown name.
    """
    if name in FORMATS:
        return import_module(FORMATS[name])
    if name not in offered("format"):
        raise unknown("format", name, names())
    found: Format = fetch("format", name)
    return found


def writer(format: Format) -> Callable[[Corpus, IO[str]], list[Problem]]:
    """What writes a format.

    Raises
    ------
    OptionError
        Where nothing does, with what to choose instead.
    """
    if not hasattr(format, "write"):
        raise OptionError(f"{format.NAME} cannot be written: {format.UNWRITTEN}")
    return format.write


def read_corpus(
    path: str,
    format: str | None = None,
    *,
    concatenate: bool = False,
    details: bool = False,
    side: str = "key",
) -> Corpus:
    """The corpus in a file, a directory, a glob or standard input (``-``).

    Of several files, those that no reader recognises are left out with a warning. A corpus without
    a mention is read, with a warning. With `details`, documents also have what is not needed for
    counting: what is known of each mention, and the words with their annotation. `side` is what
    the files are read as, ``key`` or ``response``, for formats that hold both.

    Raises
    ------
    DataError
        With all errors of all files.
    """
    files = _without_texts(expand(path))
    documents: list[Document] = []
    problems: list[Problem] = []
    errors: list[Problem] = []
    digests: dict[str, str] = {}
    formats: list[str] = []
    for name in files:
        try:
            source = Source(name, side)
        except DataError as error:
            errors += error.problems
            continue
        with source:
            try:
                reader = format_named(format) if format else _sniff(source)
            except DataError as error:
                foreign = error.problems[0]
                if len(files) > 1 and foreign.code in ("unknown-format", "not-text"):
                    problems.append(_left_out(foreign))
                else:
                    errors.append(foreign)
                continue
            try:
                found, noticed = reader.read(source, concatenate, details)
            except DataError as error:
                errors += error.problems
                continue
        documents += found
        problems += noticed
        digests[name] = source.digest
        formats.append(reader.NAME)
    if not errors and not documents:
        errors.append(_no_document(path, problems))
    if len(digests) > 1:
        problems = name_by_file(documents, problems)
        if concatenate:
            documents, refused = joined(documents, path)
            errors += refused
        else:
            errors += repeated_documents(documents)
    if errors:
        raise DataError(errors)
    if not any(document.entities for document in documents):
        problems.append(_no_mention(path, formats))
    return Corpus(
        documents,
        path=path,
        format="+".join(dict.fromkeys(formats)),
        digests=digests,
        problems=problems,
    )


def recognised(path: str) -> str | None:
    """The name of the format of a file, by its first bytes; None if it cannot be told or read."""
    try:
        with Source(path) as source:
            return _recognised(source)
    except DataError:
        return None


def _recognised(source: Source) -> str | None:
    for name in _in_order():
        if format_named(name).sniff(source.head, source.path):
            return name
    return None


def _in_order() -> Iterator[str]:
    """The names of formats as they are asked: ours, those of other packages, then guesses."""
    guesses = []
    for name in FORMATS:
        if getattr(format_named(name), "GUESS", False):
            guesses.append(name)
        else:
            yield name
    yield from offered("format")
    yield from guesses


def _sniff(source: Source) -> Format:
    name = _recognised(source)
    if name is not None:
        return format_named(name)
    head = source.head
    if not head.strip():
        raise DataError(Problem("no-document", "the file is empty", "error", path=source.path))
    if b"\0" in head:
        hint = "It looks like UTF-16; save it as UTF-8." if b"\0" in head[:4] else None
        raise DataError(Problem("not-text", "not a text file", "error", source.path, hint=hint))
    titles = ", ".join(format_named(name).TITLE for name in names())
    raise DataError(
        Problem(
            "unknown-format",
            f"no reader recognises the file; known formats: {titles}",
            "error",
            path=source.path,
            line=1,
            hint=_hint_for(head),
        )
    )


#: How names of the files of a project of MMAX2 end.
PROJECT_FILES = (
    "_words.xml",
    "_level.xml",
    "_markables.xml",
    "_scheme.xml",
    "_customization.xml",
    "common_paths.xml",
    ".dtd",
    ".xsl",
)


def _hint_for(head: bytes) -> str:
    """What may be wrong with a file that no reader recognises."""
    if b"<markables" in head or b"<words" in head:
        return "It is a part of a project of MMAX2; give the file NAME.mmax."
    return (
        'A CoNLL file begins its documents with "#begin document (NAME); part 000". A format that '
        "is not recognised can be named with --from."
    )


def _without_texts(files: list[str]) -> list[str]:
    """Files without the texts that lie beside their annotation, which is read together with them.

    Examples
    --------
    >>> _without_texts(["a.ann", "a.txt", "b.txt", "c.apf.xml.gz", "c.sgm"])
    ['a.ann', 'b.txt', 'c.apf.xml.gz']
    >>> _without_texts(["p/a.mmax", "p/a_words.xml", "p/Markables/a_coref_level.xml", "p/b.txt"])
    ['p/a.mmax', 'p/b.txt']
    """
    bare = {name: uncompressed(name) for name in files}
    texts = {
        name.removesuffix(annotation) + text
        for annotation, text in ((".ann", ".txt"), (".tsv", ".txt"), (".apf.xml", ".sgm"))
        for name in bare.values()
        if name.endswith(annotation)
    }
    # The files of a project of MMAX2 lie beside it and in folders below.
    projects = tuple({os.path.dirname(n) + os.sep * bool(os.path.dirname(n))
                      for n in bare.values() if n.endswith(".mmax")})  # fmt: skip
    return [
        name
        for name, plain in bare.items()
        if plain not in texts
        and not (projects and plain.startswith(projects) and plain.endswith(PROJECT_FILES))
    ]


def _left_out(problem: Problem) -> Problem:
    """The warning for a file of a directory that is of no known format."""
    return problem._replace(severity="warning", line=None, hint="The file is left out.")


def _no_document(path: str, left_out: list[Problem]) -> Problem:
    first = left_out[0]
    return Problem(
        "no-document",
        "no document in any of the files",
        "error",
        path=path,
        hint=f"{len(left_out)} left out, the first of them {first.path}: {first.message}",
    )


def _no_mention(path: str, formats: Sequence[str]) -> Problem:
    hint = None
    if "conll" in formats:
        hint = "If that is not what you expect, see whether the last column is the coreference."
    return Problem("no-coreference", "no document holds a mention", path=path, hint=hint)
