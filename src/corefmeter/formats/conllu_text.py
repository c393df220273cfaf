"""The words of CoNLL-U documents with their annotation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from corefmeter.corpus.text import Text


def read_text(
    rows: Sequence[bytes],
    sentences: list[int],
    speakers: Sequence[tuple[int, str]],
    breaks: Sequence[tuple[int, int]],
    first: int,
) -> Text:
    """Return the words of a document, or of the piece of one that begins with the token `first`.

    `rows` are the lines of its words, `sentences` and `breaks` those of the document; a pair of
    `speakers` is a token, and who speaks from there on to the end of the sentence.
    """
    lines = b"".join(rows).decode("utf-8", "backslashreplace").split("\n")[: len(rows)]
    if not lines:
        return Text([])
    columns = list(zip(*[line.split("\t", 8)[:8] for line in lines], strict=True))
    upos, pos, relations = (
        None if set(columns[i]) <= {"_"} else list(columns[i]) for i in (3, 4, 7)
    )
    end = first + len(lines)
    return Text(
        list(columns[1]),
        sentences=sentences,
        pos=pos,
        upos=upos,
        heads=_heads(columns[6], sentences, first),
        relations=relations,
        speakers=_speakers(speakers, sentences, end),
        lines=_lines(breaks, first, end),
    )


def _heads(heads: Sequence[str], sentences: Sequence[int], first: int) -> list[int] | None:
    """Return the heads as tokens of the document, -1 for a root; None when one is not there.

    Where all words are roots there is no tree: so words without heads are written.
    """
    found: list[int] = []
    try:
        for begin, end in pairwise([*sentences, first + len(heads)]):
            for head in heads[begin - first : end - first]:
                number = int(head)
                found.append(begin + number - 1 if 0 < number <= end - begin else -1)
    except ValueError:
        return None
    return found if any(head >= 0 for head in found) else None


def _speakers(
    changes: Sequence[tuple[int, str]], sentences: Sequence[int], end: int
) -> list[str] | None:
    """The speaker of each token; a comment names that of one sentence, no comment means "-"."""
    if not changes:
        return None
    by_sentence = dict(changes)
    found: list[str] = []
    for begin, stop in pairwise([*sentences, end]):
        found += [by_sentence.get(begin, "-")] * (stop - begin)
    return found


def _lines(breaks: Sequence[tuple[int, int]], begin: int, end: int) -> list[int]:
    """Return the line of each token from `begin` to `end`."""
    found: list[int] = []
    here = [pair for pair in breaks if pair[0] >= begin]
    for (token, line), (stop, _) in zip(here, [*here[1:], (end, 0)], strict=True):
        found += range(line, line + stop - token)
    return found


def continued(first: Text, second: Text) -> Text:
    """Two texts of one document, the second with positions that go on from the first."""

    def both(one: list[Any] | None, other: list[Any] | None) -> list[Any] | None:
        return one + other if one is not None and other is not None else None

    empty = {**(first.empty or {}), **(second.empty or {})}
    layers = ("words", "sentences", "pos", "upos", "heads", "relations", "speakers", "lines")
    values = {name: both(getattr(first, name), getattr(second, name)) for name in layers}
    return first.replace(**values, empty=empty)
