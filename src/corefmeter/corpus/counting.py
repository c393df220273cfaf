"""Warnings for mentions that cut words, and for positions that do not count characters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from corefmeter.corpus.align import align_documents, inside_words
from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import move_mention, pieces
from corefmeter.corpus.suspicions import Suspicion, common
from corefmeter.problems import Problem

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

#: What positions may count, and how many of these a character is.
_COUNTS: dict[str, Callable[[str], int]] = {
    "UTF-16 units": lambda character: 1 + (character > "\uffff"),
    "bytes of UTF-8": lambda character: len(character.encode("utf-8", "replace")),
    "the characters of the text in Unicode's form NFD": lambda character: len(
        unicodedata.normalize("NFD", character)
    ),
    "the characters of the text in Unicode's form NFC": lambda character: (
        not unicodedata.combining(character)
    ),
}


def check_counting(read: Sequence[Pair], pairs: Sequence[Pair]) -> list[Problem]:
    """Warnings for mentions that begin or end inside a word of the other side.

    Words are the tokens of the side that counts tokens, of the key if both do; if none does, what
    is between white space. What the mentions may count is tried where they cut words.
    """
    problems = []
    for before, after in zip(read, pairs, strict=True):
        cut: list[Problem] = []
        if None in (before.key.text, before.response.text):
            found = _drifting(before)
        else:
            cut = _off_token(before, after)
            found = _otherwise_counted(before, after) if cut else None
        problems += cut if found is None else [*cut, found.problem(before.response.path)]
    return problems


def _off_token(before: Pair, after: Pair) -> list[Problem]:
    """Warn of mentions that cut words of the other side, if only one side cuts words."""
    problems = []
    counts_tokens = [side.unit == "tokens" for side in before]
    for place, names in ((0, ("response", "key")), (1, ("key", "response"))):
        words, document = before[place], before[1 - place]
        if any(counts_tokens) and place != counts_tokens.index(True):
            continue
        text, placed = words.text, after[place].text
        if words.unit == "tokens" and text and placed and len(placed) == len(text):
            continue  # no word was cut
        if count := inside_words(document, words, spaces=before is after):
            reason = (
                f"mentions of the {names[0]} begin or end inside a word of the {names[1]} or with "
                "white space"
            )
            hint = f"Check what the positions of the {names[0]} count."
            problem = document.problem("off-token", reason, hint=hint, count=count)
            problems.append(problem._replace(document=before.label))
    return problems


def _otherwise_counted(before: Pair, after: Pair) -> Suspicion | None:
    """Guess what a side's positions count, if that makes most differing mentions equal."""
    mentions = common(*after)
    matched, smaller = mentions[0], min(mentions[1:])
    best: Suspicion | None = None
    for place, side in ((1, "response"), (0, "key")):
        for what, document in _recounted(before[place]):
            other = Pair(before.key, document) if place else Pair(document, before.response)
            if before is not after:
                other = align_documents(*other)
            number = common(*other)[0]
            if number > (best.number if best else matched) and 2 * number >= smaller + matched:
                cause = f"The {side} seems to count {what}"
                best = Suspicion(before.label, cause, mentions, number)
    return best


def _drifting(pair: Pair) -> Suspicion | None:
    """Return a suspicion if mentions differ only by an offset that grows through the document.

    So it is where a side counts bytes or the like, of a text that is not known. The last mention
    must begin at another place: one that only ends elsewhere may be an error.
    """
    mentions = common(*pair)
    matched, of_key, of_response = mentions
    if matched == of_key or of_key != of_response or {d.unit for d in pair} != {"characters"}:
        return None
    key, response = (
        sorted([piece[:2] for piece in pieces(m)] for m in set(chain.from_iterable(side.entities)))
        for side in pair
    )
    if list(map(len, key)) != list(map(len, response)) or key[-1][0][0] == response[-1][0][0]:
        return None
    here, there = (list(chain.from_iterable(chain.from_iterable(side))) for side in (key, response))
    borders = sorted(set(zip(here, there, strict=True)))
    if not len(borders) == len(set(here)) == len(set(there)):
        return None
    distances = [other - one for one, other in borders]
    more = distances[-1] > 0
    grows = distances == sorted(distances, reverse=not more) and distances[0] * distances[-1] >= 0
    if not grows or distances[0] == distances[-1]:
        return None
    side = "response" if more else "key"
    cause = f"The {side} seems to count more than characters, such as bytes or UTF-16 units"
    return Suspicion(pair.label, cause, mentions, of_key)


def _recounted(document: Document) -> Iterator[tuple[str, Document]]:
    """A document with the positions that it has if its file counts something else."""
    if document.unit != "characters" or document.text is None:
        return
    text = document.text.between.join(document.text.words)
    for what, count in _COUNTS.items():
        ends: list[int] = []
        shifts = [0]
        for found in _BEYOND_ASCII.finditer(text):
            shifts.append(shifts[-1] + count(found[0]) - 1)
            ends.append(found.end() + shifts[-1])
        if not any(shifts):
            continue

        def place(number: int, ends: list[int] = ends, shifts: list[int] = shifts) -> int:
            return min(number - shifts[bisect_right(ends, number)], len(text))

        entities = [
            [move_mention(mention, place, place) for mention in entity]
            for entity in document.entities
        ]
        yield what, document.replace(entities=entities)
