"""Readers and writers, one module a format, and the choice among them.

A module declares its format as one value, `FORMAT`; see `base.Format`. Adding a format is adding
its module to `FORMATS`, or, in another package, to the entry point group ``corefmeter.formats``,
through which the wings of this package come in too. A module is imported when its format is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import IO

from corefmeter.corpus.model import PYTHON, Corpus
from corefmeter.doors import fetch, missing_wings, offered, refuse_removed
from corefmeter.formats.base import Claim, Format, ReadResult, reader_errors
from corefmeter.formats.entities import similar_ids
from corefmeter.formats.source import HEAD, Source, expand, one_by_one, uncompressed
from corefmeter.problems import DataError, OptionError, Problem, amount, unknown

__all__ = [
    "FORMATS",
    "EmptyFileError",
    "Format",
    "empty_as",
    "format_named",
    "formats_of",
    "in_key",
    "in_order",
    "names",
    "read_corpus",
    "recognised",
    "recognised_in",
    "without_companions",
    "writer",
]

#: Modules of the core by the name of the format, in the order in which they are asked.
FORMATS: dict[str, str] = {
    "conll": "corefmeter.formats.conll",
    "conllu": "corefmeter.formats.conllu",
    "e2e": "corefmeter.formats.e2e",
    "preco": "corefmeter.formats.preco",
    "maverick": "corefmeter.formats.maverick",
    "crac": "corefmeter.formats.inline.crac",
    "fastcoref": "corefmeter.formats.fastcoref",
    "clusters": "corefmeter.formats.clusters",
    "inline": "corefmeter.formats.inline.format",
}


#: A claim ends the search if so much of the first block is explained by a format that is no guess.
_CERTAIN = 0.95
#: A format that explains less than this is not worth naming.
_HARDLY = 0.25
#: A file with fewer bytes is read with each format where no claim decides.
_SHORT = 1 << 20
#: Two formats are refused whose claims differ by less than this.
_NEAR = 0.2


def names() -> list[str]:
    """Return the names of all formats, those of other packages last."""
    return [*FORMATS, *offered("format")]


def format_named(name: str) -> Format:
    """Return a format."""
    if name in FORMATS:
        ours: Format = import_module(FORMATS[name]).FORMAT
        return ours
    refuse_removed("format", name)
    if name not in offered("format"):
        raise unknown("format", name, names())
    format = fetch("format", name)
    if not isinstance(format, Format) or format.name != name:
        value = offered("format")[name].value
        raise OptionError(f"{value} of another package is not a format {name!r}")
    return format


def formats_of(corpus: Corpus) -> list[Format]:
    """Return the formats that a corpus was read from; none for a corpus made in Python."""
    if corpus.format == PYTHON:
        return []
    # Entry points are looked up last, since that takes long.
    names = corpus.format.split("+")
    return [format_named(name) for name in names if name in FORMATS or name in offered("format")]


def in_key(key: Corpus, response: Corpus) -> Corpus:
    """Return a response aligned to the positions of its key if its format needs it."""
    for format in formats_of(response):
        if format.align is not None:
            with reader_errors(f"reading {format.name}", response.path):
                response = format.align(key, response)
    return response


def writer(format: Format) -> Callable[[Corpus, IO[str]], list[Problem]]:
    """Return the writer of a format."""
    if format.write is None:
        raise OptionError(f"{format.name} cannot be written: {format.unwritten}")
    return format.write


class EmptyFileError(DataError):
    """An empty response file, which may be valid in the format of its key; see `empty_as`."""

    #: Of the file, as in `Corpus.digests`.
    digest = ""


def empty_as(key: Corpus, error: EmptyFileError) -> Corpus:
    """Return an empty file as a response of the format of its key."""
    format = next((format for format in formats_of(key) if format.may_be_empty), None)
    path = error.problems[0].path
    if format is None or path is None:
        raise error
    corpus = Corpus([], path=path, format=format.name, digests={path: error.digest})
    corpus.problems = [_taken_for_empty(path), _no_mention(corpus, [format])]
    return corpus


def _is_empty(source: Source) -> bool:
    """Return whether a file has nothing but white space."""
    return len(source.head) < HEAD and not source.head.strip()


def _taken_for_empty(path: str) -> Problem:
    reason = "the file is empty; it counts as a response without mentions"
    return Problem("no-document", reason, path=path)


def read_corpus(
    source: str | os.PathLike[str],
    format: str | None = None,
    *,
    documents: str = "official",
    details: bool = False,
    side: str = "key",
    identity: str | None = None,
) -> Corpus:
    """Return the corpus in a file, a directory, a glob or standard input (``-``).

    Of several files, those of unknown formats are left out with a warning. A corpus without a
    mention is read, with a warning. With `details`, documents also have what is not needed for
    counting: the details of each mention, and the words with their annotation. `side` is ``key`` or
    ``response``, for formats that hold both; `documents` and `identity` are as in
    `corefmeter.Recipe`.
    """
    path, concatenate = os.fspath(source), documents == "concatenate"
    files = without_companions(expand(path))
    corpus = Corpus([], path=path)
    formats: list[Format] = []
    errors: list[Problem] = []
    for file in one_by_one(files):
        try:
            with Source(file, side, identity) as opened:
                reader = _find_reader(opened, format, corpus, alone=len(files) == 1)
                if reader is None:
                    continue
                read, problems = _read_file(opened, reader, concatenate, details)
        except DataError as error:
            if len(files) == 1:
                raise
            errors += error.problems
            continue
        corpus.documents += read
        corpus.problems += problems + similar_ids(read, file)
        corpus.digests[file] = opened.digest
        formats.append(reader)
    if not errors and not corpus.digests:
        errors.append(_no_document(path, corpus.problems))
    if len(corpus.digests) > 1:
        errors += _join_files(corpus, concatenate)
    if errors:
        raise DataError(errors)
    corpus.format = "+".join(dict.fromkeys(format.name for format in formats))
    if not any(document.entities for document in corpus):
        corpus.problems.append(_no_mention(corpus, formats))
    return corpus


def _find_reader(source: Source, format: str | None, corpus: Corpus, alone: bool) -> Format | None:
    """Return the format to read a file with; None, with a warning, for a file that is left out.

    A file that is `alone` is never left out.
    """
    if format:
        return format_named(format)
    claims = claims_on(source)
    chosen = _choose_format(source, claims)
    if chosen is not None:
        corpus.guessed = corpus.guessed or not any(_is_certain(*pair) for pair in claims)
        return chosen
    problem = _unknown_format(source, claims)
    if alone and source.side == "response" and _is_empty(source):
        error = EmptyFileError(problem)
        error.digest = source.digest
        raise error
    if alone or problem.code == "no-document":
        raise DataError(problem)
    hint = "The file is left out."
    corpus.problems.append(problem._replace(severity="warning", line=None, hint=hint))
    return None


def _read_file(source: Source, format: Format, concatenate: bool, details: bool) -> ReadResult:
    """Return the documents of a file, none of an empty response if its format allows that."""
    if format.may_be_empty and source.side == "response" and _is_empty(source):
        return [], [_taken_for_empty(source.path)]
    with reader_errors(f"reading {format.name}", source.path, source):
        documents, problems = format.read(source, concatenate, details)
    return documents, problems


def _join_files(corpus: Corpus, concatenate: bool) -> list[Problem]:
    """Name the documents of several files, and join those of the same name; return errors."""
    from corefmeter.formats.joining import join_documents, name_by_file, repeated_documents

    documents = corpus.documents
    corpus.problems = name_by_file(documents, corpus.problems)
    if any(document.spelled for document in documents):
        from corefmeter.formats.json_shapes import name_parts

        name_parts(documents)
    if not concatenate:
        return repeated_documents(documents)
    corpus.documents, errors = join_documents(documents, corpus.path or "")
    return errors


def recognised(path: str) -> Format | None:
    """Detect a file's format from its first bytes; None if it is unknown or the file unreadable."""
    try:
        with Source(path) as source:
            return recognised_in(source)
    except DataError:
        return None


def recognised_in(source: Source) -> Format | None:
    """Detect the format of an open file; None if it is unknown."""
    return _choose_format(source, claims_on(source))


def claims_on(source: Source) -> list[tuple[Format, Claim]]:
    """Return the claims on an open file, the best first; if one is certain, only that one."""
    path = uncompressed(source.path)
    claims = []
    for format in in_order():
        claim = format.claim(source.head, path)
        if claim is None:
            continue
        if _is_certain(format, claim):
            return [(format, claim)]
        claims.append((format, claim))
    return sorted(claims, key=lambda pair: (pair[1].contradiction is not None, -pair[1].coverage))


def _is_certain(format: Format, claim: Claim) -> bool:
    return bool(claim) and claim.coverage >= _CERTAIN and not format.guess


def _choose_format(source: Source, claims: list[tuple[Format, Claim]]) -> Format | None:
    """Return the format with the best claim; without a clear one, decide by reading the file."""
    best = max((claim.coverage for _, claim in claims if claim), default=0.0)
    near = [format for format, claim in claims if claim and best - claim.coverage < _NEAR]
    return near[0] if len(near) == 1 else _choose_by_reading(source, claims)


def _choose_by_reading(source: Source, claims: list[tuple[Format, Claim]]) -> Format | None:
    """Return the only format that reads a short file with mentions and without problems."""
    if _is_empty(source) or not source.read_ahead(_SHORT):
        return None
    refuted = [format for format, claim in claims if claim.contradiction is not None]
    sure = (format for format in in_order() if not format.guess and format not in refuted)
    fitting = [format for format in sure if _finds_mentions(format, source)]
    return fitting[0] if len(fitting) == 1 else None


def _finds_mentions(format: Format, source: Source) -> bool:
    """Return whether a format reads a file with mentions and without problems."""
    try:
        with reader_errors(f"reading {format.name}", source.path, source):
            documents, problems = format.read(source)
    except DataError:
        return False
    return not problems and any(document.entities for document in documents)


def in_order() -> Iterator[Format]:
    """Yield all formats in order of detection: our certain ones, other packages', then guesses."""
    guesses = []
    for name in FORMATS:
        format = format_named(name)
        if format.guess:
            guesses.append(format)
        else:
            yield format
    yield from sorted(_external_formats(), key=lambda format: format.guess)
    yield from guesses


def _external_formats() -> list[Format]:
    """Return the formats of other packages, without those that cannot be imported."""
    formats = []
    for name in offered("format"):
        with suppress(OptionError):
            formats.append(format_named(name))
    return formats


def _unknown_format(source: Source, claims: list[tuple[Format, Claim]]) -> Problem:
    """Return the error for a file whose format is not recognized; it names likely formats."""
    head = source.head
    if not head.strip():
        return Problem("no-document", "the file is empty", "error", path=source.path)
    if b"\0" in head:
        hint = "It looks like UTF-16; save it as UTF-8." if b"\0" in head[:4] else None
        return Problem("not-text", "not a text file", "error", source.path, hint=hint)
    known = [*map(format_named, FORMATS), *_external_formats()]
    clues = [clue for format in reversed(known) for clue in format.clues]
    hint = next(hint for sign, hint in clues if sign in head)
    contradictions = [
        f"not {f.title}, since {c.contradiction}" for f, c in claims if c.contradiction
    ]
    possible = [(f, c) for f, c in claims if not c.contradiction and c.coverage > _HARDLY]
    if possible:
        shares = [f"{f.title} explains {c.coverage:.0%} of the file" for f, c in possible]
        reason = f"the format is not certain: {'; '.join([*shares, *contradictions])}"
        options = " or ".join(f"--from {format.name}" for format, _ in possible)
        hint = (
            f"If that is right, use {options}. To set the format of the responses only, give "
            "both: --from KEYFORMAT,RESPONSEFORMAT."
        )
    else:
        reason = "the format of the file is not recognized"
        reason += f": {'; '.join(contradictions)}" if contradictions else ""
        reason += f"; known formats: {', '.join(format.name for format in known)}"
        for package, lacking in missing_wings("format").items():
            reason += f"; without {package}, which is not installed: {', '.join(lacking)}"
    return Problem("unknown-format", reason, "error", path=source.path, line=1, hint=hint)


def refused_elsewhere(corpus: Corpus) -> list[Problem]:
    """Return the problems that other programs have with a corpus; see `Format.elsewhere`."""
    check = format_named(corpus.format).elsewhere if corpus.format else None
    if check is None:
        return []
    problems = []
    for path in dict.fromkeys(document.path for document in corpus):
        if path is not None and os.path.isfile(path):
            with Source(path) as source:
                problems += check(source)
    return problems


def without_companions(files: list[str]) -> list[str]:
    """Leave out files that are read together with another, such as the text of an annotation."""
    plain_names = {file: uncompressed(file) for file in files}
    if len({os.path.basename(name).partition(".")[2] for name in plain_names.values()}) < 2:
        return files  # a companion has another ending
    companions: set[str] = set()
    companions_below: set[tuple[str, str]] = set()  # folder, and ending of the names
    for own_ending, ending in (pair for format in in_order() for pair in format.beside):
        for name in plain_names.values():
            if name.endswith(own_ending) and ending.startswith("*"):
                folder = os.path.join(os.path.dirname(name), "")
                companions_below.add((folder, ending.removeprefix("*")))
            elif name.endswith(own_ending):
                companions.add(name.removesuffix(own_ending) + ending)
    companions.update(
        name
        for name in plain_names.values()
        for folder, ending in companions_below
        if name.startswith(folder) and name.endswith(ending)
    )
    return [file for file, name in plain_names.items() if name not in companions]


def _no_document(path: str, left_out: list[Problem]) -> Problem:
    first = left_out[0]
    hint = f"{amount(len(left_out), 'file')} left out; the first is {first.path}: {first.message}"
    return Problem("no-document", "none of the files has a document", "error", path, hint=hint)


def _no_mention(corpus: Corpus, formats: Sequence[Format]) -> Problem:
    hint = next((format.empty for format in formats if format.empty), None)
    titles = " and ".join(dict.fromkeys(format.title for format in formats))
    tokens = [document.tokens for document in corpus if document.tokens is not None]
    reason = f"no document has a mention; read as {titles}: {amount(len(corpus), 'document')}"
    if tokens:
        reason += f", {amount(sum(tokens), corpus.documents[0].unit.removesuffix('s'))}"
    return Problem("no-coreference", reason, path=corpus.path, hint=hint)
