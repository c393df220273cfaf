"""Comparing the words of key and response, for runs that must not score different texts."""

from __future__ import annotations

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.formats.conll import words
from corefmeter.problems import DataError, Problem

__all__ = ["check_words"]

Words = dict[tuple[str, int], list[tuple[str, int]]]


def check_words(pairs: list[Pair]) -> list[Problem]:
    """Compare the words of each pair of documents that were read from files.

    Returns
    -------
    list of Problem
        A warning for each document whose words cannot be had.

    Raises
    ------
    DataError
        With the first difference of each document: both places and both words.
    """
    files: dict[str, Words] = {}
    errors: list[Problem] = []
    warnings: list[Problem] = []
    for pair in pairs:
        if pair.key.path is None or pair.response.path is None or not pair.response.tokens:
            continue
        sides = [_words(document, files) for document in (pair.key, pair.response)]
        if not all(sides):
            warnings.append(
                Problem("no-words", f"the words of document {pair.label!r} cannot be compared",
                        path=pair.response.path, line=pair.response.line)
            )  # fmt: skip
            continue
        difference = _first_difference(pair, *sides)
        if difference is not None:
            errors.append(difference)
    if errors:
        raise DataError(errors)
    return warnings


def _words(document: Document, files: dict[str, Words]) -> list[tuple[str, int]]:
    path = document.path
    if path is None or path == "-":
        return []
    if path not in files:
        files[path] = words(path)
    return files[path].get(document.id, [])


def _first_difference(
    pair: Pair, key: list[tuple[str, int]], response: list[tuple[str, int]]
) -> Problem | None:
    for (key_word, key_line), (word, line) in zip(key, response, strict=False):
        if key_word != word:
            return Problem(
                "words-differ",
                f"the word {word!r} is {key_word!r} in the key, at {pair.key.path}:{key_line} "
                f"(document {pair.label!r})",
                "error",
                path=pair.response.path,
                line=line,
                hint="Score files with the same tokens.",
            )
    if len(key) != len(response):
        longer, path = (key, pair.key.path) if len(key) > len(response) else (
            response, pair.response.path)  # fmt: skip
        word, line = longer[min(len(key), len(response))]
        return Problem(
            "words-differ",
            f"document {pair.label!r} has {len(response)} words in the response but {len(key)} in "
            f"the key; the first word without a partner is {word!r}",
            "error",
            path=path,
            line=line,
            hint="Score files with the same tokens.",
        )
    return None
