"""From files and values to the corpora of a run: what is needed is known first, then read once.

How much must be read of a file is decided by the recipe, by ``strict``, and by the responses:
marked text is read against the words of the key. So the format of each response is known before the
key is read: a single one is read first, and so is what is no single file; of several files the
first bytes tell.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from corefmeter.corpus.convert import as_corpus
from corefmeter.corpus.model import Corpus
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe

#: A path, a corpus, one document as entities, or documents by name.
Given: TypeAlias = (
    "str | os.PathLike[str] | Corpus | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]"
)


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
) -> tuple[Corpus, list[Callable[[], Corpus]]]:
    """Return the corpora of a run, as much of each as the run needs, each file read once.

    Parameters
    ----------
    key, responses
        As for `corefmeter.score`.
    recipe
        How they will be scored.
    formats
        The formats of the key and of the responses, where they are not to be recognised.
    details
        Whether more is wanted than the recipe needs.
    strict
        Whether words will be compared.
    part
        Whether the run has other files too; `require_identity` is then for the caller.

    Returns
    -------
    The key, and for each response what reads it, so that an error of one does not hide those of
    others.

    Raises
    ------
    DataError
        When the key cannot be read.
    OptionError
        Where the recipe names relations of identity, and no file has such names.

    Examples
    --------
    >>> key, (response,) = read_sides([["a", "b"]], [{"x": [["a"]]}], Recipe())
    >>> key, response()
    (<Corpus in memory: 1 document>, <Corpus in memory: 1 document>)
    """
    from corefmeter.formats import format_named, recognised

    details = details or strict or recipe.needs_details
    of_key, of_response = formats
    found: list[Callable[[], Corpus]] = []
    marked = False
    for response in responses:
        if not isinstance(response, str | os.PathLike):
            corpus = response if isinstance(response, Corpus) else as_corpus(response)
            found.append(partial(_given, corpus))
            marked = marked or _needs_key(corpus)
            continue
        get: Callable[[], Corpus] = partial(
            read,
            response,
            of_response,
            documents=recipe.documents,
            details=details,
            side="response",
            identity=recipe.identity,
        )
        known = of_response is not None or (len(responses) > 1 and os.path.isfile(response))
        if recipe.identity is not None or not known:
            get = _now(get)
            marked = marked or _is_marked(get)
        else:
            format = format_named(of_response) if of_response else recognised(os.fspath(response))
            marked = marked or (format is not None and format.align is not None)
        found.append(get)
    if isinstance(key, str | os.PathLike):
        corpus = read(
            key,
            of_key,
            documents=recipe.documents,
            details=details or marked,
            identity=recipe.identity,
        )
    else:
        corpus = key if isinstance(key, Corpus) else as_corpus(key)
    found = [partial(_or_empty, get, corpus) for get in found]
    if recipe.identity is not None and not part:
        with suppress(DataError):  # of a response; it is raised when that is asked for
            corpora = [corpus, *(get() for get in found)]
            require_identity(recipe.identity, [one.format for one in corpora])
    return corpus, found


def require_identity(names: str | None, formats: Iterable[str]) -> None:
    """Refuse names of relations of identity where nothing that was read has such names.

    Parameters
    ----------
    names
        As in `Recipe`.
    formats
        The `Corpus.format` of what was read.

    Raises
    ------
    OptionError
        With the formats that have them.

    Examples
    --------
    >>> require_identity(None, ["conll", "conllu"])
    """
    from corefmeter.formats import formats_of, in_order

    given = (format for text in formats for format in formats_of(Corpus([], format=text)))
    if names and not any(format.identity for format in given):
        known = [format.name for format in in_order() if format.identity]
        raise OptionError(f"identity changes nothing without a file of {', '.join(known)}")


def read_all(
    given: Mapping[str, Given], recipe: Recipe, *, format: str | None = None, details: bool = False
) -> dict[str, Corpus]:
    """The corpora of equals, such as annotators, by name; the words of the first are the key's.

    Raises
    ------
    DataError
        With the errors of all that cannot be read.
    OptionError
        For fewer than two.

    Examples
    --------
    >>> read_all({"A": [["a", "b"]], "B": [["a"]]}, Recipe())
    {'A': <Corpus in memory: 1 document>, 'B': <Corpus in memory: 1 document>}
    """
    from corefmeter.formats import in_key

    if len(given) < 2:
        raise OptionError("one annotation agrees with itself; give two or more")
    (first, *others) = given.items()
    corpus, readers = read_sides(
        first[1], [one for _, one in others], recipe, formats=(format, format), details=details
    )
    found = {first[0]: corpus}
    errors: list[Problem] = []
    for (name, _), get in zip(others, readers, strict=True):
        try:
            found[name] = in_key(corpus, get())
        except DataError as error:
            errors += error.problems
    if errors:
        raise DataError(errors)
    return found


def _needs_key(corpus: Corpus) -> bool:
    """Return whether the words of a response are found in the key."""
    from corefmeter.formats import formats_of

    return any(format.align is not None for format in formats_of(corpus))


def _given(corpus: Corpus) -> Corpus:
    return corpus


def _now(get: Callable[[], Corpus]) -> Callable[[], Corpus]:
    """Read now; an error is raised when the corpus is accessed."""
    try:
        return partial(_given, get())
    except DataError as error:
        return partial(_failed, error)


def _or_empty(get: Callable[[], Corpus], key: Corpus) -> Corpus:
    """A response; an empty file of no known format is one where the format of the key has such."""
    from corefmeter.formats import EmptyFileError, empty_as

    try:
        return get()
    except EmptyFileError as error:
        return empty_as(key, error)


def _failed(error: DataError) -> Corpus:
    raise error


def _is_marked(get: Callable[[], Corpus]) -> bool:
    """Return whether a response that was read is marked text, whose words are found in the key."""
    try:
        return _needs_key(get())
    except DataError:
        return False
