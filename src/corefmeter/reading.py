"""From files and values to the corpora of a run: what is needed is known first, then read once.

How much must be read of a file is decided by the recipe, by ``strict``, and by the responses:
marked text is read against the words of the key. So the format of each response is known before the
key is read: a single one is read first, and so is what is no single file; of several files the
first bytes tell.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from corefmeter.corpus.model import Corpus
from corefmeter.problems import CollectedErrors, DataError, OptionError
from corefmeter.recipe import Recipe

#: A path, a corpus, one document as entities, or documents by name.
Given: TypeAlias = (
    "str | os.PathLike[str] | Corpus | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]"
)


class Response:
    """A response of a run, which is read when it is called.

    So one corpus at a time is in memory, unless it had to be read before, and an error of reading
    one response does not hide those of others.
    """

    def __init__(self, given: Given, format: str | None, options: Mapping[str, Any]) -> None:
        self.path = ""
        self._format = format
        self._options = options
        self._found: Corpus | DataError | None = None
        if isinstance(given, str | os.PathLike):
            self.path = os.fspath(given)
        else:
            self._found = given if isinstance(given, Corpus) else _convert_values(given)
        #: The key, whose format says what an empty file is.
        self.key: Corpus | None = None

    def __call__(self) -> Corpus:
        """Return the corpus, or raise the error of reading it."""
        from corefmeter.formats import EmptyFileError, empty_as

        try:
            if isinstance(self._found, DataError):
                raise self._found
            return self._read() if self._found is None else self._found
        except EmptyFileError as error:
            if self.key is None:
                raise
            return empty_as(self.key, error)

    def _read(self) -> Corpus:
        from corefmeter.formats import read_corpus

        return read_corpus(self.path, self._format, side="response", **self._options)

    def read_now(self) -> None:
        """Read the response and hold it."""
        if self._found is None:
            try:
                self._found = self._read()
            except DataError as error:
                self._found = error

    def needs_key(self) -> bool:
        """Return whether the key sets the positions of the mentions, as for marked text."""
        from corefmeter.formats import format_named, formats_of, recognised

        if isinstance(self._found, Corpus):
            return any(format.align is not None for format in formats_of(self._found))
        if self._found is not None:
            return False
        format = format_named(self._format) if self._format else recognised(self.path)
        return format is not None and format.align is not None


def read_sides(
    key: Given,
    responses: Sequence[Given],
    recipe: Recipe,
    *,
    formats: tuple[str | None, str | None] = (None, None),
    details: bool = False,
    strict: bool = False,
    part: bool = False,
) -> tuple[Corpus, list[Response]]:
    """Return the key and the responses of a run, as much of each as it needs, each file read once.

    `formats` are those of the key and of the responses, None if they are to be recognized. With
    `details` more is read than the recipe needs. With `part`, the run has other files too, so that
    the caller must call `require_identity`.
    """
    from corefmeter.formats import read_corpus

    details = details or strict or recipe.needs_details
    of_key, of_response = formats
    options: dict[str, Any] = {"documents": recipe.documents, "identity": recipe.identity}
    sides = [Response(one, of_response, {**options, "details": details}) for one in responses]
    for response in sides:
        # The format of one of several files is recognized by its first bytes.
        known = of_response is not None or (len(responses) > 1 and os.path.isfile(response.path))
        if recipe.identity is not None or not known:
            response.read_now()
    details = any(response.needs_key() for response in sides) or details
    if isinstance(key, str | os.PathLike):
        corpus = read_corpus(key, of_key, details=details, **options)
    else:
        corpus = key if isinstance(key, Corpus) else _convert_values(key)
    for response in sides:
        response.key = corpus
    if recipe.identity is not None and not part:
        with suppress(DataError):  # of a response; it is raised when that is asked for
            corpora = [corpus, *(response() for response in sides)]
            require_identity(recipe.identity, [one.format for one in corpora])
    return corpus, sides


def require_identity(names: str | None, formats: Iterable[str]) -> None:
    """Refuse names of relations of identity where nothing that was read has such names.

    `names` are as in `Recipe`, `formats` those of the corpora.
    """
    from corefmeter.formats import formats_of, in_order

    given = (format for text in formats for format in formats_of(Corpus([], format=text)))
    if names and not any(format.identity for format in given):
        known = [format.name for format in in_order() if format.identity]
        raise OptionError(f"identity has no effect without a file of {', '.join(known)}")


def read_all(
    given: Mapping[str, Given], recipe: Recipe, *, format: str | None = None, details: bool = False
) -> dict[str, Corpus]:
    """Return the corpora of annotators by name; all have the words of the first one."""
    from corefmeter.formats import in_key

    if len(given) < 2:
        raise OptionError("agreement needs at least two annotations; give two or more files")
    (name, first), *others = given.items()
    corpus, responses = read_sides(
        first, [one for _, one in others], recipe, formats=(format, format), details=details
    )
    found = {name: corpus}
    errors = CollectedErrors()
    for (name, _), response in zip(others, responses, strict=True):
        with errors:
            found[name] = in_key(corpus, response())
    errors.raise_all()
    return found


def _convert_values(given: Any) -> Corpus:
    from corefmeter.corpus.convert import as_corpus

    return as_corpus(given)
