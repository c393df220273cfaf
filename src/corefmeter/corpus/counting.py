"""Warnings for mentions that cut words, and for positions that do not count characters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from corefmeter.corpus.align import align_documents, count_cut_words
from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import move_mention, pieces
from corefmeter.corpus.suspicions import Suspicion, count_mentions
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
    """Warn of mentions that begin or end inside a word of the other side.

    `read` are the documents as they were read, `pairs` after alignment. Words are the tokens of the
    side that counts tokens, of the key if both do. If none does, words are separated by white
    space. Where mentions cut words, the warning names the unit that positions seem to count.
    """
    problems = []
    for before, after in zip(read, pairs, strict=True):
        if None in (before.key.text, before.response.text):
            suspicion = _suspect_drift(before)
        else:
            cut_words = _warn_of_cut_words(before, after)
            problems += cut_words
            suspicion = _suspect_unit(before, after) if cut_words else None
        if suspicion is not None:
            problems.append(suspicion.problem(before.response.path))
    return problems


def _warn_of_cut_words(before: Pair, after: Pair) -> list[Problem]:
    """Warn of mentions that cut words of the other side, if only one side cuts words."""
    problems = []
    with_tokens = [side for side in Pair._fields if getattr(before, side).unit == "tokens"]
    for word_side in with_tokens[:1] or Pair._fields:
        side = "response" if word_side == "key" else "key"
        words, document = getattr(before, word_side), getattr(before, side)
        text, aligned = words.text, getattr(after, word_side).text
        if words.unit == "tokens" and text and aligned and len(aligned) == len(text):
            continue  # no word was cut
        if count := count_cut_words(document, words, spaces=before is after):
            reason = (
                f"mentions of the {side} begin or end inside a word of the {word_side} or with "
                "white space"
            )
            hint = f"Check what the positions of the {side} count."
            problem = document.problem("off-token", reason, hint=hint, count=count)
            problems.append(problem._replace(document=before.label))
    return problems


def _suspect_unit(before: Pair, after: Pair) -> Suspicion | None:
    """Guess what a side's positions count, if that makes most differing mentions equal."""
    mentions = count_mentions(*after)
    matched, smaller = mentions.matched, min(mentions.key, mentions.response)
    best: Suspicion | None = None
    for side in ("response", "key"):
        for unit, document in _convert_from_units(getattr(before, side)):
            converted = before._replace(**{side: document})
            if before is not after:
                converted = align_documents(*converted)
            number = count_mentions(*converted).matched
            if number > (best.number if best else matched) and 2 * number >= smaller + matched:
                cause = f"The {side} seems to count {unit}"
                best = Suspicion(before.label, cause, mentions, number)
    return best


def _suspect_drift(pair: Pair) -> Suspicion | None:
    """Return a suspicion if mentions differ only by an offset that grows through the document.

    A side that counts bytes, for example, has such offsets; its text is not needed to see them. The
    starts of the last mentions must differ: if only the ends do, that may be a mere error.
    """
    mentions = count_mentions(*pair)
    matched, of_key, of_response = mentions
    if matched == of_key or of_key != of_response or {d.unit for d in pair} != {"characters"}:
        return None
    key, response = (
        sorted([piece[:2] for piece in pieces(m)] for m in set(chain.from_iterable(side.entities)))
        for side in pair
    )
    (key_start, _), (response_start, _) = key[-1][0], response[-1][0]
    if [*map(len, key)] != [*map(len, response)] or key_start == response_start:
        return None
    key_borders = list(chain.from_iterable(chain.from_iterable(key)))
    response_borders = list(chain.from_iterable(chain.from_iterable(response)))
    borders = sorted(set(zip(key_borders, response_borders, strict=True)))
    if not len(borders) == len(set(key_borders)) == len(set(response_borders)):
        return None  # a border of one side belongs to several of the other
    offsets = [in_response - in_key for in_key, in_response in borders]
    response_is_ahead = offsets[-1] > 0
    is_monotonic = offsets == sorted(offsets, reverse=not response_is_ahead)
    if not is_monotonic or offsets[0] * offsets[-1] < 0 or offsets[0] == offsets[-1]:
        return None
    side = "response" if response_is_ahead else "key"
    cause = f"The {side} seems to count more than characters, such as bytes or UTF-16 units"
    return Suspicion(pair.label, cause, mentions, of_key)


def _convert_from_units(document: Document) -> Iterator[tuple[str, Document]]:
    """Yield units that a file may count, each with the document if its positions count them."""
    if document.unit != "characters" or document.text is None:
        return
    text = document.text.between.join(document.text.words)
    for unit, count in _COUNTS.items():
        ends: list[int] = []  # in the unit, of each character beyond ASCII
        shifts = [0]  # by how much the unit is ahead of characters, up to each of these ends
        for character in _BEYOND_ASCII.finditer(text):
            shifts.append(shifts[-1] + count(character[0]) - 1)
            ends.append(character.end() + shifts[-1])
        if not any(shifts):
            continue

        def to_characters(number: int, ends: list[int] = ends, shifts: list[int] = shifts) -> int:
            return min(number - shifts[bisect_right(ends, number)], len(text))

        entities = [
            [move_mention(mention, to_characters, to_characters) for mention in entity]
            for entity in document.entities
        ]
        yield unit, document.replace(entities=entities)
