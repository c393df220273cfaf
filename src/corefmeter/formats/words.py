"""Comparing the words of key and response, for runs that must not score different texts."""

from __future__ import annotations

from collections import Counter

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.problems import DataError, Problem

#: The words of a document, each with its line.
_Words = list[tuple[str, int]]


def check_words(pairs: list[Pair]) -> list[Problem]:
    """Compare the words of each pair of documents that were read with details.

    Returns
    -------
    list of Problem
        A warning for each response file whose words cannot be compared with those of the key, since
        one of the two has none.

    Raises
    ------
    DataError
        With the first difference of each document: both places and both words.
    """
    errors: list[Problem] = []
    without: Counter[str] = Counter()
    for pair in pairs:
        if pair.key.path is None or pair.response.path is None or pair.response.tokens is None:
            continue
        key, response = (_words(document) for document in (pair.key, pair.response))
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


def _words(document: Document) -> _Words | None:
    text = document.text
    if text is None or len(text) != document.tokens:
        return None
    return list(zip(text.words, text.lines or [document.line or 0] * len(text), strict=True))


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
