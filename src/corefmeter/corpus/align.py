"""Bringing two sides to the same positions when their tokens differ but their characters do not.

White space does not count: two texts align when they are equal without it. What is left of a text
we call its *ink*; every border of tokens stands at a place in the ink, and the ink is what both
sides share. The common positions are the tokens of the key, cut where a mention of the response
begins or ends within one, so that every mention of both sides is a span of them. If the key counts
characters, they are the tokens of the response, and if both do, the words between white space.

Cutting keeps everything that is known about tokens: the parts of a token have its part of speech,
and all but the first depend on the first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any
from unicodedata import normalize

from corefmeter.corpus.model import Document, breaks_of
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import Move, move_mention, pieces
from corefmeter.corpus.text import Text
from corefmeter.problems import DataError, Problem

#: Characters shown on both sides of the first difference of two texts.
SHOWN = 20

#: What is counted: the words of a text, or the characters of a string.
Positions = Text | Sequence[str]


def ink(words: Positions) -> tuple[str, list[int]]:
    """Return the characters that are not white space, and the offset of each word border in them.

    >>> ink(["Do", "n't", " ", "go"])
    ("Don'tgo", [0, 2, 5, 5, 7])
    """
    parts = words.words if isinstance(words, Text) else words
    text = "".join(parts)
    bare = "".join(text.split())
    lengths: Iterable[int] = map(len, parts)
    if len(bare) < len(text):
        lengths = (len("".join(part.split())) for part in parts)
    return bare, [0, *accumulate(lengths)]


def first_difference(one: Positions, other: Positions) -> str | None:
    """Describe where two texts differ, ignoring white space; None when they do not."""
    place = _first_difference(ink(one)[0], ink(other)[0])
    if place is None:
        return None
    before, first = _around(one, place)
    _, second = _around(other, place)
    return f"{first!r} in the first, {second!r} in the second, after {before!r}"


def _first_difference(one: str, other: str) -> int | None:
    if one == other:
        return None
    low, high = 0, min(len(one), len(other))
    while low < high:  # the longest common beginning
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _around(words: Positions, place: int) -> tuple[str, str]:
    """The printed text before and after a place in the ink; the latter begins with its word."""
    text, begins, _ = text_with_offsets(words if isinstance(words, Text) else _as_text(words))
    edges = ink(words)[1]
    token = bisect_right(edges, place) - 1
    at = begins[token] if token < len(begins) else len(text)
    if isinstance(words, str) and at < len(text):
        at = max(text.rfind(white, 0, at) + 1 for white in " \n\t")
    return text[max(at - SHOWN, 0) : at], text[at : at + SHOWN]


def _as_text(words: Sequence[str]) -> Text:
    return Text(list(words), between="" if isinstance(words, str) else " ")


def text_with_offsets(text: Text) -> tuple[str, list[int], list[int]]:
    """Return a text as one string, and where each of its tokens begins and ends in it."""
    gap = len(text.between)
    ends = [end - gap for end in accumulate(len(word) + gap for word in text.words)]
    begins = [end - len(word) for word, end in zip(text.words, ends, strict=True)]
    return text.between.join(text.words), begins, ends


class PositionMap:
    """From positions in one text to positions in another that is the same but for white space.

    Texts and lists of words count words, strings count characters.

    >>> positions = PositionMap("Ann saw  her dog.", ["Ann", "saw", "her", "dog", "."])
    >>> positions.span(9, 16), positions.span(9, 14)
    ((2, 4), None)
    """

    def __init__(self, one: Positions, other: Positions) -> None:
        difference = first_difference(one, other)
        if difference is not None:
            message = f"the texts are not the same: {difference}"
            raise DataError(Problem("text-differs", message, "error"))
        self._from = ink(one)[1]
        self._to = ink(other)[1]

    def start(self, position: int) -> int | None:
        """Map the start of a span to the other text; None within a word."""
        place = self._from[position]
        found = bisect_right(self._to, place) - 1
        return found if self._to[found] == place else None

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return a half-open span in the other text; None if it begins or ends within a word."""
        first, place = self.start(start), self._from[end]
        last = bisect_left(self._to, place)
        return None if first is None or self._to[last] != place else (first, last)


def common_positions(pairs: Iterable[Pair]) -> list[Pair]:
    """Return all pairs with both documents in common positions; see `align_documents`.

    A document that the key or the response lacks needs no alignment.
    """
    aligned = []
    errors: list[Problem] = []
    for pair in pairs:
        if any(not document.entities and document.text is None for document in pair):
            aligned.append(pair)
            continue
        try:
            aligned.append(align_documents(*pair))
        except DataError as error:
            errors += error.problems
    if errors:
        raise DataError(errors)
    return aligned


def align_documents(key: Document, response: Document) -> Pair:
    """Return two documents in common positions.

    Both need their `text`. The words and annotations of the result are the key's, if the key counts
    tokens.
    """
    if key.text is None or response.text is None:
        raise DataError([_no_words(side) for side in (key, response) if side.text is None])
    key_ink, key_edges = ink(key.text)
    response_ink, response_edges = ink(response.text)
    place = _first_difference(key_ink, response_ink)
    if place is not None:
        hint = "White space may differ, nothing else."
        if normalize("NFC", key_ink) == normalize("NFC", response_ink):
            hint = "Write both texts in the same form of Unicode, such as NFC."
        raise DataError(_difference(key.text, response, response.text, place)._replace(hint=hint))
    wanted = [key_edges[position] for position in _borders(key)]
    wanted += [response_edges[position] for position in _borders(response)]
    if key.unit == "tokens":
        text, now, edges = _cut(key.text, key_edges, wanted)
        return Pair(_moved(key, text, now), _placed(response, response_edges, text, edges))
    if response.unit == "tokens":
        text, now, edges = _cut(response.text, response_edges, wanted)
        return Pair(_placed(key, key_edges, text, edges), _moved(response, text, now))
    words = _words(key.text)
    text, _, edges = _cut(words, ink(words)[1], wanted)
    return Pair(
        _placed(key, key_edges, text, edges), _placed(response, response_edges, text, edges)
    )


def inside_words(document: Document, other: Document, spaces: bool = False) -> int:
    """Count mentions that begin or end inside a word of another document.

    Both need their `text`, the same but for white space. Words are tokens, or what is between white
    space if both documents count characters: then none is counted where mentions of the other
    document do so, too, as in languages without spaces; and with `spaces`, also those count that
    begin or end with white space.
    """
    assert document.text is not None
    assert other.text is not None
    if other.unit != "tokens":
        return 0 if _cutting(other, spaces) else _cutting(document, spaces)
    edges = set(ink(other.text)[1])
    bare, own = ink(document.text)
    cut = {p for p in _borders(document) if own[p] not in edges and _cuts(bare, own[p])}
    mentions = chain.from_iterable(document.entities)
    return sum(any(not cut.isdisjoint(piece[:2]) for piece in pieces(m)) for m in mentions)


def _cutting(document: Document, spaces: bool) -> int:
    """Return how many mentions of characters cut words, or begin or end with white space."""
    assert document.text is not None
    text = "".join(document.text.words)

    def cuts(start: int, end: int) -> bool:
        within = text[start:end]
        return _cuts(text, start) or _cuts(text, end) or (spaces and within != within.strip())

    mentions = chain.from_iterable(document.entities)
    return sum(any(cuts(*piece[:2]) for piece in pieces(mention)) for mention in mentions)


def _cuts(text: Sequence[str], place: int) -> bool:
    """Return whether a place of a text is between two letters or digits."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def as_tokens(document: Document) -> Document:
    """Return a document that counts characters as one that counts tokens.

    Tokens are the words between white space, cut where a mention begins or ends within one.

    >>> text = Text(list("Ann's dog"), between="")
    >>> found = as_tokens(Document("x", [[(0, 3), (0, 9)]], text=text, unit="characters"))
    >>> found.entities, found.text.words
    ([[(0, 1), (0, 3)]], ['Ann', "'s", 'dog'])
    """
    if document.unit != "characters":
        return document
    if document.text is None:
        raise DataError(_no_words(document))
    _, own = ink(document.text)
    words = _words(document.text)
    wanted = [own[position] for position in _borders(document)]
    text, _, edges = _cut(words, ink(words)[1], wanted)
    return _placed(document, own, text, edges)


def as_characters(document: Document) -> Document:
    """Return a document that counts tokens as one that counts characters of its printed text.

    >>> found = as_characters(Document("x", [[(1, 2), (0, 2)]], text=Text(["Ann", "left"])))
    >>> found.entities, len(found.text.words)
    ([[(4, 8), (0, 8)]], 8)
    """
    if document.text is None:
        raise DataError(_no_words(document))
    text, begins, ends = text_with_offsets(document.text)
    made = _mapped(
        document,
        Text(list(text), between=""),
        [*begins, len(text)].__getitem__,
        lambda end: ends[end - 1] if end else 0,
        lambda place: bisect_right(begins, place) - 1,
    )
    return made.replace(unit="characters")


def _words(text: Text) -> Text:
    """Return the words between white space of a text that counts characters."""
    return Text(text.between.join(text.words).split())


def _no_words(document: Document) -> Problem:
    reason = "the words of the document are not known, so it cannot be aligned"
    return document.problem("no-words", reason, "error")


def _difference(key: Text, response: Document, text: Text, place: int) -> Problem:
    """Return the error for a response whose text differs from a place in the ink on."""
    _, theirs = _around(key, place)
    before, ours = _around(text, place)
    where = f"after {before!r} the response has {ours!r}, the key {theirs!r}"
    reason = f"the texts are not the same: {where}"
    problem = response.problem("words-differ", reason, "error")
    if text.lines:
        token = bisect_right(ink(text)[1], place) - 1
        problem = problem._replace(line=text.lines[min(token, len(text) - 1)])
    return problem


def _borders(document: Document) -> Iterable[int]:
    """Return the positions where pieces of mentions begin and end."""
    found: set[int] = set()
    for mention in chain.from_iterable(document.entities):
        for piece in pieces(mention):
            found.update(piece[:2])
    return found


def _cut(text: Text, edges: list[int], wanted: Iterable[int]) -> tuple[Text, list[int], list[int]]:
    """Return a text whose tokens are cut at some places of the ink.

    With it the new position of each old border, and the place of each new border in the ink.
    """
    cuts = sorted(set(wanted).difference(edges))
    if not cuts:
        return text, list(range(len(edges))), edges
    places = sorted([*edges, *cuts])
    now: list[int] = []
    for edge in edges:
        now.append(max(bisect_left(places, edge), now[-1] + 1 if now else 0))
    parts = [after - before for before, after in pairwise(now)]
    words: list[str] = []
    for word, (start, end) in zip(text.words, pairwise(now), strict=True):
        words += _pieces(word, [place - places[start] for place in places[start : end + 1]])

    def spread(values: list[Any] | None) -> list[Any] | None:
        if values is None:
            return None
        return [value for value, times in zip(values, parts, strict=True) for _ in range(times)]

    heads = relations = None
    if text.heads is not None:
        heads = []
        for first, head, times in zip(now, text.heads, parts, strict=False):
            heads += [head if head < 0 else now[head], *[first] * (times - 1)]
    if text.relations is not None:
        relations = []
        for relation, times in zip(text.relations, parts, strict=True):
            relations += [relation, *["goeswith"] * (times - 1)]
    types = text.entity_types
    result = text.replace(
        words=words,
        sentences=[now[start] for start in text.sentences],
        pos=spread(text.pos),
        upos=spread(text.upos),
        parse=text.parse and _parse(text.parse, parts),
        heads=heads,
        relations=relations,
        entity_types=types and [(now[start], now[end], kind) for start, end, kind in types],
        speakers=spread(text.speakers),
        lines=spread(text.lines),
        empty=None,  # what reads them, text with marks, was aligned before
    )
    return result, now, places


def _pieces(word: str, borders: list[int]) -> list[str]:
    """Return a word in pieces of its ink."""
    if len(borders) == 2:
        return [word]
    bare = "".join(word.split())
    return [bare[start:end] for start, end in pairwise(borders)]


def _parse(bits: list[str], parts: list[int]) -> list[str]:
    """Bits of trees, where a token in parts is as many leaves side by side."""
    found = []
    for bit, times in zip(bits, parts, strict=True):
        opening, star, closing = bit.partition("*")
        if times == 1 or not star:
            found += [bit] * times
        else:
            found += [opening + star, *["*"] * (times - 2), star + closing]
    return found


def _moved(document: Document, text: Text, now: list[int]) -> Document:
    """Return a document in the positions of its text after cutting."""
    if text is document.text:
        return document
    border = now.__getitem__
    return _mapped(document, text, border, border, lambda token: bisect_right(now, token) - 1)


def _placed(document: Document, own: list[int], text: Text, edges: list[int]) -> Document:
    """Return a document in the positions of another text of the same ink."""
    return _mapped(
        document,
        text,
        lambda position: bisect_right(edges, own[position]) - 1,
        lambda position: bisect_left(edges, own[position]),
        lambda token: bisect_right(own, edges[token]) - 1,
    )


def _mapped(document: Document, text: Text, begin: Move, end: Move, origin: Move) -> Document:
    """Return a document in the positions of a text; `origin` is where a token of the text was."""
    entities, details = document.entities, document.details
    return document.replace(
        entities=[[move_mention(mention, begin, end) for mention in entity] for entity in entities],
        entity_names=document.entity_names,
        details=details and [[known.moved(begin, end) for known in entity] for entity in details],
        relations=document.relations and document.relations.moved(begin, end),
        tokens=len(text),
        text=text,
        unit="tokens",
        breaks=breaks_of(document.line_at(origin(token)) for token in range(len(text))),
    )
