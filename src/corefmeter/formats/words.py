"""Comparing the words of key and response, for runs that must not score different texts."""

from __future__ import annotations

import os
from collections import Counter

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.formats.conll import words
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem

__all__ = ["check_words"]

#: The words of a document, each with its line.
_Words = list[tuple[str, int]]


def check_words(pairs: list[Pair]) -> list[Problem]:
    """Compare the words of each pair of documents that were read from files.

    Returns
    -------
    list of Problem
        A warning for each response file whose words cannot be compared with those of the key: one
        of the two has no column of words, was standard input or a pipe, or a document was joined
        out of several files.

    Raises
    ------
    DataError
        With the first difference of each document: both places and both words.
    """
    files: dict[str, list[bytes]] = {}
    errors: list[Problem] = []
    without: Counter[str] = Counter()
    for pair in pairs:
        if pair.key.path is None or pair.response.path is None or pair.response.tokens is None:
            continue
        key, response = (_words(document, files) for document in (pair.key, pair.response))
        if key is None or response is None:
            without[pair.response.path] += 1
            continue
        difference = _first_difference(pair, key, response)
        if difference is not None:
            errors.append(difference)
    if errors:
        raise DataError(errors)
    return [
        Problem("no-words", "the words of a document cannot be compared", path=path, count=count)
        for path, count in without.items()
    ]


def _words(document: Document, files: dict[str, list[bytes]]) -> _Words | None:
    text = document.text
    if text is not None and len(text) == document.tokens:
        return list(zip(text.words, text.lines or [document.line or 0] * len(text), strict=True))
    path = document.path
    if path is None or not os.path.isfile(path) or not document.breaks:
        return None
    if path not in files:
        with Source(path) as source:
            files[path] = b"".join(source.blocks()).split(b"\n")
    found = words(document, files[path])
    return found if len(found) == document.tokens else None


def _first_difference(pair: Pair, key: _Words, response: _Words) -> Problem | None:
    for (key_word, key_line), (word, line) in zip(key, response, strict=False):
        if key_word != word:
            return Problem(
                "words-differ",
                f"the word {word!r} is {key_word!r} in the key, at {pair.key.path}:{key_line}",
                "error",
                path=pair.response.path,
                line=line,
                hint="Score files with the same tokens.",
                document=pair.label,
            )
    if len(key) != len(response):
        longer, document = max((key, pair.key), (response, pair.response), key=lambda s: len(s[0]))
        word, line = longer[min(len(key), len(response))]
        return Problem(
            "words-differ",
            f"the document has {len(response)} words in the response but {len(key)} in the key; "
            f"the first word without a partner is {word!r}",
            "error",
            path=document.path,
            line=line,
            hint="Score files with the same tokens.",
            document=pair.label,
        )
    return None
