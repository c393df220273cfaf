"""Text as a careless language model would copy it, with the marks of its mentions in place.

Damages words at random: dropped, doubled, in other case, split or written together. Works on words
and spans only, so that nothing of the program under test decides what is expected.
"""

from __future__ import annotations

import random
from typing import NamedTuple

__all__ = ["Damaged", "damaged"]


class Damaged(NamedTuple):
    """A text with marks, and which mentions had a word damaged."""

    text: str
    hit: set[tuple[str, tuple[int, int]]]
    words: int


def damaged(
    words: list[str],
    mentions: list[tuple[str, tuple[int, int]]],
    share: float,
    seed: int,
    style: str = "suffix",
) -> Damaged:
    """Write a text in brackets, a share of its words damaged.

    Parameters
    ----------
    words, mentions
        The text, and pairs of entity and half-open span; no two of them cross.
    share
        How many of the words are damaged, between 0 and 1.
    seed
        Of the random numbers.
    style
        How the entity is named: ``suffix`` ``[x]_1``, ``link`` ``[x](#1)``, ``tag`` ``<e1>x</e1>``.
    """
    chance = random.Random(seed)
    opening: dict[int, list[tuple[str, tuple[int, int]]]] = {}
    closing: dict[int, list[tuple[str, tuple[int, int]]]] = {}
    for mention in sorted(mentions, key=lambda item: (item[1][0], -item[1][1])):
        opening.setdefault(mention[1][0], []).append(mention)
        closing.setdefault(mention[1][1] - 1, []).insert(0, mention)
    pieces: list[str] = []
    bad: set[int] = set()
    glue = False
    for place, word in enumerate(words):
        copy = [word]
        joined = False
        if chance.random() < share:
            bad.add(place)
            kind = chance.choice(["drop", "double", "case", "split", "join"])
            if kind == "drop":
                copy = []
            elif kind == "double":
                copy = [word, word]
            elif kind == "case":
                copy = [word.swapcase()]
            elif kind == "split" and len(word) > 1:
                at = chance.randrange(1, len(word))
                copy = [word[:at], word[at:]]
            else:
                joined = True  # written together with the next word
        marks_before = "".join(_open(style, entity) for entity, _ in opening.get(place, []))
        marks_after = "".join(_close(style, entity) for entity, _ in closing.get(place, []))
        if copy or marks_before or marks_after:
            pieces.append(("" if glue or not pieces else " ") + marks_before)
            pieces.append(" ".join(map(_escaped, copy)) + marks_after)
            glue = joined
    hit = {
        (entity, span) for entity, span in mentions if any(place in bad for place in range(*span))
    }
    return Damaged("".join(pieces), hit, len(bad))


def _open(style: str, entity: str) -> str:
    return f"<e{entity}>" if style == "tag" else "["


def _close(style: str, entity: str) -> str:
    return {"suffix": f"]_{{{entity}}}", "link": f"](#{entity})", "tag": f"</e{entity}>"}[style]


def _escaped(word: str) -> str:
    for sign in "\\[]<>":
        word = word.replace(sign, "\\" + sign)
    return "\\" + word if word.startswith("#") else word
