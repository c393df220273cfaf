"""Comparing the words of key and response, for runs that must not score different texts."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.problems import DataError, Problem, amount


def check_words(pairs: list[Pair]) -> list[Problem]:
    """Compare the words of each pair of documents that were read with details."""
    errors: list[Problem] = []
    without: Counter[str] = Counter()
    for pair in pairs:
        if pair.key.path is None or pair.response.path is None or pair.response.tokens is None:
            continue
        if not (_has_words(pair.key) and _has_words(pair.response)):
            without[pair.response.path] += 1
        elif (difference := first_difference(pair)) is not None:
            errors.append(difference)
    if errors:
        raise DataError(errors)
    return [
        Problem("no-words", "the words of a document cannot be compared", path=path, count=count)
        for path, count in without.items()
    ]


def _has_words(document: Document) -> bool:
    return document.text is not None and len(document.text) == document.tokens


def first_difference(pair: Pair) -> Problem | None:
    """Return the error for the first word that differs between two documents with words."""
    key, response = pair
    assert key.text is not None
    assert response.text is not None
    ours, theirs = response.text.words, key.text.words
    token = next((t for t, (a, b) in enumerate(zip_longest(theirs, ours)) if a != b), None)
    if token is None:
        return None
    document = response if token < len(ours) else key
    line = _line(document, token)
    if token < min(len(ours), len(theirs)):
        place = f", at {key.path}:{_line(key, token)}" if key.path else ""
        message = f"the word {ours[token]!r} is {theirs[token]!r} in the key{place}"
    else:
        word = (ours if document is response else theirs)[token]
        message = (
            f"the document has {amount(len(ours), 'word')} in the response but {len(theirs)} "
            f"in the key; the first word without a partner is {word!r}"
        )
    problem = document.problem(
        "words-differ", message, "error", "Score files with the same tokens."
    )
    return problem._replace(line=line, document=pair.label)


def _line(document: Document, token: int) -> int | None:
    lines = document.text.lines if document.text is not None else None
    return lines[token] if lines else document.line
