"""Bring two sides to the same positions when their tokens differ but their characters do not.

Two texts align when they are equal without white space. A text without white space is called its
*ink*. Each token border has a place in the ink, which both sides share. The common positions are
the tokens of the key, cut where a mention of the response begins or ends within one, so that every
mention of both sides is a span of them. If the key counts characters, they are the tokens of the
response. If both sides do, they are the words between white space.

Cutting keeps everything that is known about tokens: the parts of a token have its part of speech,
and all but the first depend on the first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple
from unicodedata import normalize

from corefmeter.corpus.model import Document, breaks_of
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import Move, move_mention, pieces
from corefmeter.corpus.text import Text, common_prefix
from corefmeter.problems import CollectedErrors, DataError, Problem

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
    one_ink, other_ink = ink(one)[0], ink(other)[0]
    if one_ink == other_ink:
        return None
    place = common_prefix(one_ink, other_ink)
    before, first = _text_around(one, place)
    _, second = _text_around(other, place)
    return f"{first!r} in the first, {second!r} in the second, after {before!r}"


def _text_around(words: Positions, place: int) -> tuple[str, str]:
    """Return the printed text before the word at a place in the ink, and from this word on."""
    if not isinstance(words, Text):
        words = Text(list(words), between="" if isinstance(words, str) else " ")
    text, begins, _ = text_with_offsets(words)
    borders = ink(words)[1]
    token = bisect_right(borders, place) - 1
    offset = begins[token] if token < len(begins) else len(text)
    if not words.between and offset < len(text):
        # Positions count characters: go back to the start of the word.
        offset = max(text.rfind(white, 0, offset) + 1 for white in " \n\t")
    return text[max(offset - SHOWN, 0) : offset], text[offset : offset + SHOWN]


def text_with_offsets(text: Text) -> tuple[str, list[int], list[int]]:
    """Return a text as one string, and where each of its tokens begins and ends in it."""
    gap = len(text.between)
    ends = [end - gap for end in accumulate(len(word) + gap for word in text.words)]
    begins = [end - len(word) for word, end in zip(text.words, ends, strict=True)]
    return text.between.join(text.words), begins, ends


def common_positions(pairs: Iterable[Pair]) -> list[Pair]:
    """Return all pairs with both documents in common positions; see `align_documents`.

    A document that the key or the response lacks needs no alignment.
    """
    aligned = []
    errors = CollectedErrors()
    for pair in pairs:
        lacks_one = any(not document.entities and document.text is None for document in pair)
        with errors:
            aligned.append(pair if lacks_one else align_documents(*pair))
    errors.raise_all()
    return aligned


def align_documents(key: Document, response: Document) -> Pair:
    """Return two documents in common positions.

    Both need their `text`. The words and annotations of the result are the key's, if the key counts
    tokens.
    """
    if key.text is None or response.text is None:
        raise DataError([_no_words_problem(side) for side in (key, response) if side.text is None])
    key_ink, key_edges = ink(key.text)
    response_ink, response_edges = ink(response.text)
    if key_ink != response_ink:
        hint = "White space may differ, nothing else."
        if normalize("NFC", key_ink) == normalize("NFC", response_ink):
            hint = "Write both texts in the same form of Unicode, such as NFC."
        place = common_prefix(key_ink, response_ink)
        problem = _difference_problem(key.text, response, response.text, place)
        raise DataError(problem._replace(hint=hint))
    places = [key_edges[position] for position in _mention_borders(key)]
    places += [response_edges[position] for position in _mention_borders(response)]
    if key.unit == "tokens":
        cut = _cut_tokens(key.text, key_edges, places)
        return Pair(_follow_cuts(key, cut), _place_in_text(response, response_edges, cut))
    if response.unit == "tokens":
        cut = _cut_tokens(response.text, response_edges, places)
        return Pair(_place_in_text(key, key_edges, cut), _follow_cuts(response, cut))
    words = _split_at_spaces(key.text)
    cut = _cut_tokens(words, ink(words)[1], places)
    return Pair(_place_in_text(key, key_edges, cut), _place_in_text(response, response_edges, cut))


def count_cut_words(document: Document, other: Document, spaces: bool = False) -> int:
    """Count mentions that begin or end inside a word of another document.

    Both documents need their `text`, which may differ in white space only. Words are the tokens of
    the other document. If that counts characters, words are separated by white space, and the
    result is 0 if its own mentions cut words too, as in languages without spaces. With `spaces`,
    mentions that begin or end with white space also count then.
    """
    assert document.text is not None
    assert other.text is not None
    if other.unit != "tokens":
        if _count_cut_words_of_text(other, spaces):
            return 0
        return _count_cut_words_of_text(document, spaces)
    edges = set(ink(other.text)[1])
    bare, own = ink(document.text)
    borders = _mention_borders(document)
    cut = {p for p in borders if own[p] not in edges and _is_inside_word(bare, own[p])}
    mentions = chain.from_iterable(document.entities)
    return sum(any(not cut.isdisjoint(piece[:2]) for piece in pieces(m)) for m in mentions)


def _count_cut_words_of_text(document: Document, spaces: bool) -> int:
    """Count mentions of a document of characters that begin or end inside a word.

    With `spaces`, those that begin or end with white space count too.
    """
    assert document.text is not None
    text = "".join(document.text.words)

    def cuts_word(start: int, end: int) -> bool:
        within = text[start:end]
        has_outer_space = spaces and within != within.strip()
        return has_outer_space or _is_inside_word(text, start) or _is_inside_word(text, end)

    mentions = chain.from_iterable(document.entities)
    return sum(any(cuts_word(*piece[:2]) for piece in pieces(mention)) for mention in mentions)


def _is_inside_word(text: Sequence[str], place: int) -> bool:
    """Return whether a place of a text is between two letters or digits."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def as_tokens(document: Document) -> Document:
    """Return a document that counts characters as one that counts tokens.

    Tokens are the words between white space, cut where a mention begins or ends within one.

    >>> text = Text(list("Ann's dog"), between="")
    >>> document = as_tokens(Document("x", [[(0, 3), (0, 9)]], text=text, unit="characters"))
    >>> document.entities, document.text.words
    ([[(0, 1), (0, 3)]], ['Ann', "'s", 'dog'])
    """
    if document.unit != "characters":
        return document
    if document.text is None:
        raise DataError(_no_words_problem(document))
    _, own = ink(document.text)
    words = _split_at_spaces(document.text)
    places = [own[position] for position in _mention_borders(document)]
    return _place_in_text(document, own, _cut_tokens(words, ink(words)[1], places))


def as_characters(document: Document) -> Document:
    """Return a document that counts tokens as one that counts characters of its printed text.

    >>> document = as_characters(Document("x", [[(1, 2), (0, 2)]], text=Text(["Ann", "left"])))
    >>> document.entities, len(document.text.words)
    ([[(4, 8), (0, 8)]], 8)
    """
    if document.text is None:
        raise DataError(_no_words_problem(document))
    text, begins, ends = text_with_offsets(document.text)
    moved = _move_document(
        document,
        Text(list(text), between=""),
        [*begins, len(text)].__getitem__,
        lambda end: ends[end - 1] if end else 0,
        lambda place: bisect_right(begins, place) - 1,
    )
    return moved.replace(unit="characters")


def _split_at_spaces(text: Text) -> Text:
    """Return a text that counts characters as the words between its white space."""
    return Text(text.between.join(text.words).split())


def _no_words_problem(document: Document) -> Problem:
    reason = "the words of the document are not known, so it cannot be aligned"
    return document.problem("no-words", reason, "error")


def _difference_problem(key: Text, response: Document, text: Text, place: int) -> Problem:
    """Return the error for a response whose text differs from the key's at a place in the ink."""
    _, in_key = _text_around(key, place)
    before, in_response = _text_around(text, place)
    reason = (
        f"the texts differ: after {before!r} the response has {in_response!r}, the key {in_key!r}"
    )
    problem = response.problem("words-differ", reason, "error")
    if text.lines:
        token = bisect_right(ink(text)[1], place) - 1
        problem = problem._replace(line=text.lines[min(token, len(text) - 1)])
    return problem


def _mention_borders(document: Document) -> set[int]:
    """Return the positions where pieces of mentions begin and end."""
    mentions = chain.from_iterable(document.entities)
    return {border for mention in mentions for piece in pieces(mention) for border in piece[:2]}


class _CutText(NamedTuple):
    """A text whose tokens were cut.

    `new_borders` has the new position of each old token border, `edges` the place of each new
    border in the ink.
    """

    text: Text
    new_borders: list[int]
    edges: list[int]


def _cut_tokens(text: Text, edges: list[int], places: Iterable[int]) -> _CutText:
    """Cut the tokens of a text at some places of its ink; `edges` are its borders there."""
    cuts = sorted(set(places).difference(edges))
    if not cuts:
        return _CutText(text, list(range(len(edges))), edges)
    new_edges = sorted([*edges, *cuts])
    new_borders: list[int] = []
    for edge in edges:
        first_free = new_borders[-1] + 1 if new_borders else 0  # a token without ink keeps a place
        new_borders.append(max(bisect_left(new_edges, edge), first_free))
    words: list[str] = []
    for word, (start, end) in zip(text.words, pairwise(new_borders), strict=True):
        offsets = [place - new_edges[start] for place in new_edges[start : end + 1]]
        words += _split_word(word, offsets)
    return _CutText(_with_parts(text, words, new_borders), new_borders, new_edges)


def _with_parts(text: Text, words: list[str], new_borders: list[int]) -> Text:
    """Return a text with other words, which are parts of its own, and annotation for each part."""
    parts = [after - before for before, after in pairwise(new_borders)]

    def repeat_for_parts(values: list[Any] | None) -> list[Any] | None:
        if values is None:
            return None
        return [value for value, times in zip(values, parts, strict=True) for _ in range(times)]

    heads = relations = None
    if text.heads is not None:
        heads = []
        for first, head, times in zip(new_borders, text.heads, parts, strict=False):
            heads += [head if head < 0 else new_borders[head], *[first] * (times - 1)]
    if text.relations is not None:
        relations = []
        for relation, times in zip(text.relations, parts, strict=True):
            relations += [relation, *["goeswith"] * (times - 1)]
    types = text.entity_types
    return text.replace(
        words=words,
        sentences=[new_borders[start] for start in text.sentences],
        pos=repeat_for_parts(text.pos),
        upos=repeat_for_parts(text.upos),
        parse=text.parse and _split_leaves(text.parse, parts),
        heads=heads,
        relations=relations,
        entity_types=types and [(new_borders[s], new_borders[e], kind) for s, e, kind in types],
        speakers=repeat_for_parts(text.speakers),
        lines=repeat_for_parts(text.lines),
        empty=None,  # only the format of text with marks needs them, which is aligned before
    )


def _split_word(word: str, borders: list[int]) -> list[str]:
    """Split a word at borders in its ink, which include 0 and its end."""
    if len(borders) == 2:
        return [word]
    bare = "".join(word.split())
    return [bare[start:end] for start, end in pairwise(borders)]


def _split_leaves(bits: list[str], parts: list[int]) -> list[str]:
    """Return the bits of a tree after each token was split into a number of parts (leaves)."""
    new_bits = []
    for bit, times in zip(bits, parts, strict=True):
        opening, star, closing = bit.partition("*")
        if times == 1 or not star:
            new_bits += [bit] * times
        else:
            new_bits += [opening + star, *["*"] * (times - 2), star + closing]
    return new_bits


def _follow_cuts(document: Document, cut: _CutText) -> Document:
    """Return a document in the positions of its own text after cutting."""
    if cut.text is document.text:
        return document
    borders = cut.new_borders
    new = borders.__getitem__
    return _move_document(
        document, cut.text, new, new, lambda token: bisect_right(borders, token) - 1
    )


def _place_in_text(document: Document, own: list[int], cut: _CutText) -> Document:
    """Return a document in the positions of another text; `own` are its own borders in the ink."""
    edges = cut.edges
    return _move_document(
        document,
        cut.text,
        lambda position: bisect_right(edges, own[position]) - 1,
        lambda position: bisect_left(edges, own[position]),
        lambda token: bisect_right(own, edges[token]) - 1,
    )


def _move_document(
    document: Document, text: Text, begin: Move, end: Move, origin: Move
) -> Document:
    """Return a document in the positions of a text.

    `begin` and `end` map positions as in `move_mention`; `origin` maps a token of the text to its
    old position.
    """
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
