"""One document of its pieces: windows of a long text that were annotated or resolved one by one.

**Where pieces are.** A document whose name ends in ``@N``, such as ``emma@1200``, is the piece that
begins at token N of the document before the sign. Other pieces are in the order of reading: those
of one name (as parts are) make one document, or all together if no two have the same. Then each
begins a given number of tokens before the end of the piece before (0: right after it), or where
the words say: the longest end of the one text with which the other begins. An overlap of fewer
than 8 tokens is not believed, since a text often goes on with words that it has just used.

**Which entities are one.** Two windows say the same of a mention that both have. So each entity of
a window may become one with one entity of the windows before: the pairs are chosen that have the
most mentions in common in all (an assignment, as in CEAF). Where several are as good, entities that
come first in the text are joined first, in whatever order they are listed. To join all that share a
mention, as connected components do, lets one wrong mention lump two characters together; here it is
a *conflict*, which is reported: the mention stays where the windows before have it. With a *key*,
entities become one if most of their mentions that the key has are of one entity of it (of several,
the one whose mention is read first): that is what perfect stitching of these windows gives.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple

from corefmeter.corpus.model import Corpus, Document, Entities, Mention, document_error
from corefmeter.corpus.positions import (
    content_key,
    is_run,
    move_mention,
    outer_span,
    pieces_if_any,
)
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.joining import joined_texts
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.problems import DataError, OptionError, Problem, amount
from corefmeter.shown import Shown

#: Where a piece begins, at the end of its name.
_OFFSET = re.compile(r"(.+)@(\d+)")

#: Shorter overlaps of words may be chance.
_BELIEVED = 8


class Piece(NamedTuple):
    """How a piece was joined to its predecessors.

    Attributes
    ----------
    name
        The label of the piece.
    begins, tokens
        Its first token in the whole, and how many it has.
    overlap
        How many of its tokens pieces before have.
    shared
        How many of its mentions pieces before have.
    alone
        Of the mentions in these tokens, those that it has alone, or only pieces before.
    joined
        How many of its entities became one with an entity of pieces before.
    conflicts
        How many shared mentions are in another entity here than before.
    """

    name: str
    begins: int
    tokens: int
    overlap: int
    shared: int
    alone: int
    joined: int
    conflicts: int


class StitchedDocument(NamedTuple):
    """A document and its pieces, in text order."""

    document: Document
    pieces: list[Piece]


class Stitched(Shown):
    """Documents built from pieces.

    Attributes
    ----------
    documents : list of StitchedDocument
        Each with its pieces.
    problems : list of Problem
        The conflicts (``pieces-conflict``), and what else was noticed.
    """

    def __init__(self, documents: list[StitchedDocument], problems: list[Problem]) -> None:
        self.documents = documents
        self.problems = problems

    @property
    def corpus(self) -> Corpus:
        """The documents."""
        return Corpus([one.document for one in self.documents])

    def __repr__(self) -> str:
        count = sum(len(one.pieces) for one in self.documents)
        return f"<Stitched {amount(len(self.documents), 'document')} of {amount(count, 'piece')}>"


class _Placed(NamedTuple):
    """A piece and its first token in the whole."""

    begins: int
    document: Document


def stitch_corpora(
    corpora: Sequence[Corpus],
    *,
    overlap: int | None = None,
    name: str | None = None,
    key: Corpus | None = None,
) -> Stitched:
    """One document of its pieces; see `corefmeter.stitch`."""
    problems = [problem for corpus in corpora for problem in corpus.problems]
    documents = [document.by_content() for corpus in corpora for document in corpus]
    mentions = (mention for document in documents for e in document.entities for mention in e)
    if not all(is_run(mention) or pieces_if_any(mention) for mention in mentions):
        raise OptionError("stitch joins mentions with positions; these are names")
    groups = _placed(documents, overlap, name, problems)
    found = []
    for whole, placed in groups:
        of_key = None
        if key is not None:
            of_key = next((document for document in key if document.name == whole), None)
            if of_key is None and len(key) == len(groups) == 1:
                (of_key,) = key
            if of_key is None:
                raise DataError(
                    Problem(
                        "missing-document",
                        "the key has no such document",
                        "error",
                        path=key.path,
                        document=whole,
                    )
                )
        found.append(_stitched(whole, placed, of_key, problems))
    return Stitched(found, problems)


# ---- where pieces are -------------------------------------------------------------------------


def _placed(
    documents: Sequence[Document], overlap: int | None, name: str | None, problems: list[Problem]
) -> list[tuple[str, list[_Placed]]]:
    """Return the pieces of each document, each with its first token, in the order of the text."""
    with_offset: dict[str, list[_Placed]] = {}
    in_order: dict[str, list[Document]] = {}
    for document in documents:
        if found := _OFFSET.fullmatch(document.name):
            with_offset.setdefault(found[1], []).append(_Placed(int(found[2]), document))
        else:
            in_order.setdefault(document.name, []).append(document)
    if all(len(of) == 1 for of in in_order.values()) and (len(in_order) > 1 or name):
        in_order = {
            name or _common_name(list(in_order)): [document for (document,) in in_order.values()]
        }
    groups = [
        (whole, sorted(pieces, key=lambda piece: (piece.begins, _length(piece.document))))
        for whole, pieces in with_offset.items()
    ]
    for whole, of in in_order.items():
        placed = [_Placed(0, of[0])]
        for document in of[1:]:
            before = placed[-1]
            end = before.begins + _length(before.document, needed=True)
            placed.append(_Placed(end - _overlap(before, document, overlap, problems), document))
        groups.append((whole, placed))
    return groups


def _common_name(names: Sequence[str]) -> str:
    """Return the common prefix of all names, without trailing numbers and signs.

    Examples
    --------
    >>> _common_name(["emma_01", "emma_02", "emma_10"]), _common_name(["a", "b"])
    ('emma', 'stitched')
    """
    same = takewhile(lambda both: both[0] == both[1], zip(min(names), max(names), strict=False))
    return "".join(letter for letter, _ in same).rstrip("0123456789-_.#/ ") or "stitched"


def _length(document: Document, needed: bool = False) -> int:
    """Return a piece's number of tokens; if unknown, the end of its last mention."""
    if document.tokens is not None:
        return document.tokens
    if needed:
        raise DataError(
            Problem(
                "missing-text",
                "it is not known how long the piece is",
                "error",
                path=document.path,
                document=document.label,
                hint="Name pieces by their first token, as in emma@1200.",
            )
        )
    mentions = (mention for entity in document.entities for mention in entity)
    return max((outer_span(mention)[1] for mention in mentions), default=0)


def _overlap(
    before: _Placed, document: Document, overlap: int | None, problems: list[Problem]
) -> int:
    """Count the tokens that a piece shares with the previous one."""
    if overlap is not None:
        return min(overlap, _length(before.document, needed=True), _length(document, needed=True))
    found = 0
    if before.document.text is not None and document.text is not None:
        found = _common(before.document.text.words, document.text.words)
    if found >= _BELIEVED:
        return found
    if document.part is None:  # parts of a document go on after each other
        problems.append(
            Problem(
                "pieces-adjacent",
                "no words in common with the end of the piece before",
                path=document.path,
                line=document.line,
                document=document.label,
                hint="It is placed right behind it; if they have tokens in common, give their "
                "number with --overlap.",
            )
        )
    return 0


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest end of one text with which another begins.

    Examples
    --------
    >>> _common(["a", "b", "a", "b"], ["a", "b", "c"])
    2
    """
    # The failure function of Knuth, Morris and Pratt: of each beginning of the second text, the
    # longest shorter beginning with which it ends.
    second = second[: len(first)]
    failure = [0] * len(second)
    length = 0
    for place in range(1, len(second)):
        while length and second[place] != second[length]:
            length = failure[length - 1]
        length += second[place] == second[length]
        failure[place] = length
    length = 0
    for word in first[len(first) - len(second) :]:
        while length and second[length] != word:
            length = failure[length - 1]
        length += second[length] == word
    return length


# ---- which entities are one -------------------------------------------------------------------


def _stitched(
    name: str, placed: Sequence[_Placed], key: Document | None, problems: list[Problem]
) -> StitchedDocument:
    chains = _Chains(key)
    pieces: list[Piece] = []
    known = 0
    before = _EarlierMentions()
    for begins, document in placed:
        length = _length(document)
        overlap = max(0, min(known - begins, length))
        if begins > known:
            problems.append(
                Problem(
                    "pieces-gap",
                    f"the tokens from {known} to {begins} are in no piece",
                    path=document.path,
                    document=document.label,
                    hint="The document is left without words.",
                )
            )
        entities = _moved(document, begins)
        mine = {mention for entity in entities for mention in entity}
        shared, joined, conflicts = chains.add(entities)
        problems += (_conflict(mention, begins, document) for mention in conflicts)
        alone = before.count_differences(mine, begins, begins + overlap)
        pieces.append(
            Piece(document.label, begins, length, overlap, shared, alone, joined, len(conflicts))
        )
        known = max(known, begins + length)
        before.add(mine)
    entities = chains.entities()
    related: Counter[str] = Counter()
    for _, document in placed:
        related.update(document.related)
    # Relations between entities are of those that were; a writer says that they are lost.
    whole = Document(
        name,
        entities,
        tokens=known,
        path=placed[0].document.path,
        unit=placed[0].document.unit,
        details=_details(placed, entities),
        text=_text(placed, pieces),
        entities_named=False,
        unread=related,
    )
    return StitchedDocument(whole, pieces)


def _moved(document: Document, begins: int) -> Entities:
    """Return the entities of a piece in the positions of the whole."""
    move = begins.__add__
    return [
        [
            (mention[0] + begins, mention[1] + begins)
            if is_run(mention)
            else move_mention(mention, move, move)
            for mention in entity
        ]
        for entity in document.entities
    ]


def _within(mention: Mention, start: int, end: int) -> bool:
    first, last = outer_span(mention)
    return start <= first and last <= end


def _conflict(mention: Mention, begins: int, document: Document) -> Problem:
    back = (-begins).__add__
    own = move_mention(mention, back, back)
    words = "" if document.text is None else f" ({document.text.string(own)!r})"
    return Problem(
        "pieces-conflict",
        f"the mention {mention}{words} belongs to another entity than in the pieces before",
        path=document.path,
        line=document.line_of(own),
        document=document.label,
        hint="It stays where they have it.",
    )


class _EarlierMentions:
    """The mentions of the pieces so far, as far as pieces that begin later can have them."""

    def __init__(self) -> None:
        self._mentions: set[Mention] = set()
        self._by_first: list[tuple[int, int, Mention]] = []

    def count_differences(self, mentions: set[Mention], start: int, end: int) -> int:
        """Count mentions within a token range that are only in one of this and `mentions`.

        No later call may have an earlier start.
        """
        del self._by_first[: bisect_left(self._by_first, start, key=_first)]
        if start == end:
            return 0
        near = self._by_first[: bisect_right(self._by_first, end, key=_first)]
        missing = sum(last <= end and mention not in mentions for _, last, mention in near)
        return missing + sum(_within(mention, start, end) for mention in mentions - self._mentions)

    def add(self, mentions: set[Mention]) -> None:
        """Add the mentions of a piece."""
        for mention in mentions - self._mentions:
            insort(self._by_first, (*outer_span(mention), mention), key=_first)
        self._mentions |= mentions


_first = itemgetter(0)


class _Chains:
    """The entities of the whole, as far as its pieces were read."""

    def __init__(self, key: Document | None) -> None:
        self._home: dict[Mention, int] = {}
        self._number = 0
        entities = [] if key is None else key.by_content().entities
        self._in_key = {mention: n for n, entity in enumerate(entities) for mention in entity}
        #: By key entity the chain that is to be it.
        self._of_key: dict[int, int] = {}

    def add(self, entities: Entities) -> tuple[int, int, list[Mention]]:
        """Add the entities of a piece.

        Returns
        -------
        How many mentions were known, how many entities became one with earlier ones, and the
        mentions that are in another entity here than before, where the key does not decide.
        """
        known = self._number
        home = self._home
        into = self._by_key(entities)
        of_key = set(self._of_key.values())
        meetings = Counter(
            (home[mention], n)
            for n, entity in enumerate(entities)
            if n not in into
            for mention in entity
            if mention in home and home[mention] not in of_key
        )
        edges = [Edge(chain, n, weight, 1) for (chain, n), weight in meetings.items()]
        into |= {edge.response: edge.key for edge in first_best(edges)}
        shared = 0
        conflicts = []
        for n, entity in enumerate(entities):
            if n not in into:
                into[n] = self._new()
            for mention in entity:
                shared += mention in home
                before = home.setdefault(mention, into[n])
                if before != into[n]:
                    right = self._of_key.get(self._in_key.get(mention, -1))
                    if right == into[n]:
                        home[mention] = right
                    elif right != before:
                        conflicts.append(mention)
        return shared, sum(chain < known for chain in into.values()), conflicts

    def _by_key(self, entities: Entities) -> dict[int, int]:
        """Return the chains of the entities that the key knows."""
        into = {}
        for n, entity in enumerate(entities):
            met = Counter(self._in_key[mention] for mention in entity if mention in self._in_key)
            if met:
                ((of_key, _),) = met.most_common(1)
                if of_key not in self._of_key:
                    self._of_key[of_key] = self._new()
                into[n] = self._of_key[of_key]
        return into

    def _new(self) -> int:
        self._number += 1
        return self._number - 1

    def entities(self) -> Entities:
        """Return all entities in order of first appearance."""
        chains: dict[int, list[Mention]] = {}
        for mention in sorted(self._home, key=content_key):
            chains.setdefault(self._home[mention], []).append(mention)
        return list(chains.values())


# ---- words and what is known of mentions ------------------------------------------------------


def _details(placed: Sequence[_Placed], entities: Entities) -> list[list[Detail]] | None:
    known: dict[Mention, Detail] = {}
    for begins, document in placed:
        if document.details is None:
            return None
        move = begins.__add__
        for entity, details in zip(_moved(document, begins), document.details, strict=True):
            for mention, detail in zip(entity, details, strict=True):
                if mention not in known:
                    known[mention] = detail.moved(move, move)
    return [[known[mention] for mention in entity] for entity in entities]


def _text(placed: Sequence[_Placed], pieces: Sequence[Piece]) -> Text | None:
    """Return the words of the whole, if no piece and no token between them is without.

    Raises
    ------
    DataError
        ``text-differs`` when pieces have other words in common tokens.
    """
    parts: list[tuple[Text, int]] = []
    words: list[str] = []
    for (begins, document), piece in zip(placed, pieces, strict=True):
        if document.text is None or begins > len(words):
            return None
        theirs = document.text.words
        if theirs[: piece.overlap] != words[begins : begins + piece.overlap]:
            raise DataError(
                document_error(
                    document,
                    "text-differs",
                    "the words are not those of the pieces before, where both have the same "
                    f"tokens, from {begins} to {begins + piece.overlap}",
                    hint="Correct --overlap, or the first token in the name of the piece; without "
                    "both, the words decide.",
                )
            )
        words += theirs[piece.overlap :]
        parts.append((document.text, piece.overlap))
    return joined_texts(parts)
