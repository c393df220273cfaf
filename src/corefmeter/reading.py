"""From files and values to the corpora of a run: each file is read once, as much as is needed.

How much of a file is needed follows from the recipe, from ``strict`` and from the responses, since
marked text is read against the words of the key. So the format of each response is known before the
key is read: a single response is read first; of several files the first bytes tell.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from corefmeter.corpus.model import Corpus
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe

#: A path, a corpus, one document as entities, or documents by name.
Given: TypeAlias = (
    "str | os.PathLike[str] | Corpus | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]"
)

#: Returns a response, or raises the error of reading it.
Reader: TypeAlias = Callable[[], Corpus]


def read(
    source: str | os.PathLike[str],
    format: str | None = None,
    *,
    documents: str = "official",
    details: bool = False,
    side: str = "key",
    identity: str | None = None,
) -> Corpus:
    """Return the corpus at a path; see `corefmeter.read`, which also warns."""
    from corefmeter.formats import read_corpus

    return read_corpus(
        os.fspath(source),
        format,
        concatenate=documents == "concatenate",
        details=details,
        side=side,
        identity=identity,
    )


def read_sides(
    key: Given,
    responses: Sequence[Given],
    recipe: Recipe,
    *,
    formats: tuple[str | None, str | None] = (None, None),
    details: bool = False,
    strict: bool = False,
    part: bool = False,
) -> tuple[Corpus, list[Reader]]:
    """Return the key, and for each response what reads it, so that no error hides another one.

    `formats` are those of the key and of the responses, where they are not to be recognised. With
    `details`, more is read than the recipe needs. With `part`, the run has other files too, so
    that the caller calls `require_identity`.

    Raises
    ------
    DataError
        When the key cannot be read.
    OptionError
        Where the recipe names relations of identity, and no file has such names.
    """
    of_key, of_response = formats
    details = details or strict or recipe.needs_details
    options: dict[str, Any] = {"documents": recipe.documents, "identity": recipe.identity}
    found: list[Reader] = []
    needs_words = False
    for response in responses:
        get: Reader
        if isinstance(response, str | os.PathLike):
            get = partial(read, response, of_response, details=details, side="response", **options)
            several = len(responses) > 1 and os.path.isfile(response)
            if recipe.identity is None and (of_response is not None or several):
                needs_words = needs_words or _is_marked_file(os.fspath(response), of_response)
                found.append(get)
                continue
            get = _read_now(get)
        else:
            get = partial(_same, _in_memory(response))
        needs_words = needs_words or _is_marked(get)
        found.append(get)
    if isinstance(key, str | os.PathLike):
        corpus = read(key, of_key, details=details or needs_words, **options)
    else:
        corpus = _in_memory(key)
    found = [partial(_or_empty, get, corpus) for get in found]
    if recipe.identity is not None and not part:
        with suppress(DataError):  # of a response; it is raised when that is asked for
            corpora = [corpus, *(get() for get in found)]
            require_identity(recipe.identity, [one.format for one in corpora])
    return corpus, found


def require_identity(names: str | None, formats: Iterable[str]) -> None:
    """Refuse names of relations of identity where no format that was read has such names."""
    from corefmeter.formats import formats_of, in_order

    given = (format for text in formats for format in formats_of(Corpus([], format=text)))
    if names and not any(format.identity for format in given):
        known = [format.name for format in in_order() if format.identity]
        raise OptionError(f"identity changes nothing without a file of {', '.join(known)}")


def read_all(
    given: Mapping[str, Given], recipe: Recipe, *, format: str | None = None, details: bool = False
) -> dict[str, Corpus]:
    """Return the corpora of annotators by name; all have the words of the first one.

    Raises `DataError` with the errors of all that cannot be read.
    """
    from corefmeter.formats import in_key

    if len(given) < 2:
        raise OptionError("one annotation agrees with itself; give two or more")
    (first, *names), (key, *others) = given.keys(), given.values()
    formats = format, format
    corpus, readers = read_sides(key, others, recipe, formats=formats, details=details)
    found = {first: corpus}
    errors: list[Problem] = []
    for name, get in zip(names, readers, strict=True):
        try:
            found[name] = in_key(corpus, get())
        except DataError as error:
            errors += error.problems
    if errors:
        raise DataError(errors)
    return found


def _in_memory(given: Any) -> Corpus:
    """Return a corpus that was given as such, or as Python values."""
    if isinstance(given, Corpus):
        return given
    from corefmeter.corpus.convert import as_corpus

    return as_corpus(given)


def _read_now(get: Reader) -> Reader:
    """Read now; an error is raised when the corpus is asked for."""
    try:
        return partial(_same, get())
    except DataError as error:
        return partial(_failed, error)


def _same(corpus: Corpus) -> Corpus:
    return corpus


def _failed(error: DataError) -> Corpus:
    raise error


def _is_marked(get: Reader) -> bool:
    """Return whether a response is marked text, whose words are found in the key."""
    from corefmeter.formats import formats_of

    try:
        return any(format.align is not None for format in formats_of(get()))
    except DataError:
        return False


def _is_marked_file(path: str, name: str | None) -> bool:
    """Return the same for a file, by the name of its format or its first bytes."""
    from corefmeter.formats import format_named, recognised

    format = format_named(name) if name else recognised(path)
    return format is not None and format.align is not None


def _or_empty(get: Reader, key: Corpus) -> Corpus:
    """Return a response; an empty file is one where the format of the key has such."""
    from corefmeter.formats import EmptyFileError, empty_as

    try:
        return get()
    except EmptyFileError as error:
        return empty_as(key, error)
