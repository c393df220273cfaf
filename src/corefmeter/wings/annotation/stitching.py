"""One document of its pieces: windows of a long text that were annotated or resolved one by one.

**Where pieces are.** A document whose name ends in ``@N``, such as ``emma@1200``, is the piece that
begins at token N of the document before the sign. Other pieces are in reading order: those of one
name (as parts are) make one document, or all together if no two have the same. Then each begins a
given number of tokens before the end of the piece before (0: right after it), or where the longest
end of that text is the beginning of its own. An overlap of fewer than 8 tokens is ignored,
since a text often goes on with words that it has just used.

**Which entities are one.** Each entity of a window may become one with one entity of the windows
before: the pairs are chosen that have the most mentions in common in all (an assignment, as in
CEAF); of several that are as good, entities that come first in the text are joined first. To join
all that share a mention, as connected components do, lets one wrong mention lump two characters
together; here it is a *conflict*, which is reported, and the mention stays where the windows before
have it. With a *key*, entities become one if most of their mentions that the key has are of one
entity of it (of several, the one whose mention is read first).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import content_key, is_run, move_mention, outer_span, pieces_if_any
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail, Text, common_prefix, prefix_lengths
from corefmeter.formats.joining import joined_texts
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.problems import DataError, OptionError, Problem, amount
from corefmeter.shown import Shown

#: Where a piece begins, at the end of its name.
_OFFSET = re.compile(r"(.+)@(\d+)")

#: Shorter overlaps of words may be chance.
_SHORTEST_OVERLAP = 8


class Piece(NamedTuple):
    """How a piece was joined to the pieces before it."""

    name: str
    #: Its first token in the document, its number of tokens, and how many are in earlier pieces.
    begins: int
    tokens: int
    overlap: int
    #: How many of its mentions pieces before have.
    shared: int
    #: Of the mentions in the overlap, those that only it or only pieces before have.
    alone: int
    #: How many of its entities became one with an entity of pieces before.
    joined: int
    #: How many shared mentions are in another entity here than before.
    conflicts: int


class StitchedDocument(NamedTuple):
    """A document and its pieces, in text order."""

    document: Document
    pieces: list[Piece]


@dataclass(eq=False, repr=False)
class Stitched(Shown):
    """Documents built from pieces."""

    documents: list[StitchedDocument]
    #: The conflicts (``pieces-conflict``), and what else was noticed.
    problems: list[Problem]

    @property
    def corpus(self) -> Corpus:
        """The documents."""
        return Corpus([stitched.document for stitched in self.documents])

    def __repr__(self) -> str:
        count = sum(len(stitched.pieces) for stitched in self.documents)
        return f"<Stitched {amount(len(self.documents), 'document')} of {amount(count, 'piece')}>"


class _Placed(NamedTuple):
    begins: int
    document: Document


def stitch_corpora(
    corpora: Sequence[Corpus],
    *,
    overlap: int | None = None,
    name: str | None = None,
    key: Corpus | None = None,
) -> Stitched:
    """Join pieces into documents; see `corefmeter.stitch`."""
    problems = [problem for corpus in corpora for problem in corpus.problems]
    documents = [document.by_content() for corpus in corpora for document in corpus]
    mentions = (mention for document in documents for e in document.entities for mention in e)
    if not all(is_run(mention) or pieces_if_any(mention) for mention in mentions):
        raise OptionError("stitch needs mentions with positions; these are names")
    groups = _place_pieces(documents, overlap, name, problems)
    stitched = []
    for whole, placed in groups:
        key_document = None if key is None else _key_document(key, whole, only=len(groups) == 1)
        stitched.append(_stitch_pieces(whole, placed, key_document, problems))
    return Stitched(stitched, problems)


def _key_document(key: Corpus, name: str, only: bool) -> Document:
    """Return the document of the key that has a name; with `only`, also a single other one."""
    for document in key:
        if document.name == name or (only and len(key) == 1):
            return document
    message = "the key has no such document"
    raise DataError(Problem("missing-document", message, "error", path=key.path, document=name))


# ---- where pieces are -------------------------------------------------------------------------


def _place_pieces(
    documents: Sequence[Document], overlap: int | None, name: str | None, problems: list[Problem]
) -> list[tuple[str, list[_Placed]]]:
    """Return each document's name and its pieces, with their first tokens, in text order.

    A name such as ``emma@1200`` gives the first token; other pieces follow each other.
    """
    with_offset: dict[str, list[_Placed]] = {}
    in_order: dict[str, list[Document]] = {}
    for document in documents:
        if match := _OFFSET.fullmatch(document.name):
            with_offset.setdefault(match[1], []).append(_Placed(int(match[2]), document))
        else:
            in_order.setdefault(document.name, []).append(document)
    for pieces in with_offset.values():
        pieces.sort(key=lambda piece: (piece.begins, _piece_length(piece.document)))
    singles = [document for document, *others in in_order.values() if not others]
    if len(singles) == len(in_order) and (len(singles) > 1 or (singles and name)):
        in_order = {name or _common_name(list(in_order)): singles}
    groups = list(with_offset.items())
    for whole, (first, *others) in in_order.items():
        placed = [_Placed(0, first)]
        for document in others:
            previous = placed[-1]
            end = previous.begins + _known_length(previous.document)
            begins = end - _find_overlap(previous.document, document, overlap, problems)
            placed.append(_Placed(begins, document))
        groups.append((whole, placed))
    return groups


def _common_name(names: Sequence[str]) -> str:
    """Return the common prefix of all names, without trailing numbers and signs.

    Examples
    --------
    >>> _common_name(["emma_01", "emma_02", "emma_10"]), _common_name(["a", "b"])
    ('emma', 'stitched')
    """
    first, last = min(names), max(names)
    return first[: common_prefix(first, last)].rstrip("0123456789-_.#/ ") or "stitched"


def _piece_length(document: Document) -> int:
    """Return a piece's number of tokens; if unknown, the end of its last mention."""
    if document.tokens is not None:
        return document.tokens
    mentions = (mention for entity in document.entities for mention in entity)
    return max((outer_span(mention)[1] for mention in mentions), default=0)


def _known_length(document: Document) -> int:
    """Return a piece's number of tokens, or raise an error if it is not known."""
    if document.tokens is None:
        reason = "the length of the piece is unknown"
        hint = "Name pieces by their first token, as in emma@1200."
        place = document.path, None, None, hint
        raise DataError(Problem("missing-text", reason, "error", *place, document=document.label))
    return document.tokens


def _find_overlap(
    before: Document, document: Document, overlap: int | None, problems: list[Problem]
) -> int:
    """Count the tokens that a piece shares with the previous one: as given, or as the words say."""
    if overlap is not None:
        return min(overlap, _known_length(before), _known_length(document))
    common = 0
    if before.text is not None and document.text is not None:
        common = _common_length(before.text.words, document.text.words)
    if common >= _SHORTEST_OVERLAP:
        return common
    if document.part is None:  # parts of a document go on after each other
        reason = "the piece has no words in common with the end of the piece before"
        hint = (
            "It is placed right after that piece; "
            "if they have tokens in common, give their number with --overlap."
        )
        problems.append(document.problem("pieces-adjacent", reason, hint=hint))
    return 0


def _common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest end of one text with which another begins."""
    second = second[: len(first)]
    return prefix_lengths(second, first[len(first) - len(second) :])[-1] if second else 0


# ---- which entities are one -------------------------------------------------------------------


def _stitch_pieces(
    name: str, placed: Sequence[_Placed], key: Document | None, problems: list[Problem]
) -> StitchedDocument:
    """Join the entities and words of the pieces of one document, and count what each shares."""
    chains = _Chains(key)
    pieces: list[Piece] = []
    covered = 0  # the end of the tokens of the pieces so far
    spans: dict[Mention, tuple[int, int]] = {}  # of earlier mentions that later pieces may have
    related: Counter[str] = Counter()
    for begins, document in placed:
        length = _piece_length(document)
        overlap = max(0, min(covered - begins, length))
        if begins > covered:
            reason = f"the tokens from {covered} to {begins} are in no piece"
            hint = "The joined document gets no words."
            problem = document.problem("pieces-gap", reason, hint=hint)
            problems.append(problem._replace(line=None))
        entities = _move_entities(document, begins)
        shared, joined, conflicts = chains.add_piece(entities)
        problems += (_conflict_problem(mention, begins, document) for mention in conflicts)
        spans = {mention: span for mention, span in spans.items() if span[0] >= begins}
        new_spans = {mention: outer_span(mention) for entity in entities for mention in entity}
        on_one_side = spans.keys() ^ new_spans.keys() if overlap else ()
        spans |= new_spans
        alone = sum(spans[mention][1] <= begins + overlap for mention in on_one_side)
        counts = shared, alone, joined, len(conflicts)
        pieces.append(Piece(document.label, begins, length, overlap, *counts))
        covered = max(covered, begins + length)
        related.update(document.related)
    entities = chains.entities()
    first = placed[0].document
    # Relations join entities of one piece, so they are unread: a writer reports the loss.
    whole = Document(
        name,
        entities,
        tokens=covered,
        path=first.path,
        unit=first.unit,
        details=_join_details(placed, entities),
        text=_join_texts(placed, pieces),
        entities_named=False,
        unread=related,
    )
    return StitchedDocument(whole, pieces)


def _move_entities(document: Document, begins: int) -> Entities:
    move = begins.__add__
    return [[move_mention(m, move, move) for m in entity] for entity in document.entities]


def _conflict_problem(mention: Mention, begins: int, document: Document) -> Problem:
    """Return the warning about a mention of a piece that earlier pieces have in another entity."""
    back = (-begins).__add__
    own = move_mention(mention, back, back)
    words = "" if document.text is None else f" ({document.text.string(own)!r})"
    reason = f"the mention {mention}{words} is in another entity than in the pieces before"
    hint = "It stays in the entity of the pieces before."
    problem = document.problem("pieces-conflict", reason, hint=hint)
    return problem._replace(line=document.line_of(own))


class _Chains:
    """The entities of the document while pieces are added; a chain is the number of an entity."""

    def __init__(self, key: Document | None) -> None:
        self._known: dict[Mention, int] = {}  # the chain of each mention so far
        self._number = 0
        entities = [] if key is None else key.by_content().entities
        self._in_key = {mention: n for n, entity in enumerate(entities) for mention in entity}
        #: By key entity the chain that is to be it.
        self._of_key: dict[int, int] = {}

    def add_piece(self, entities: Entities) -> tuple[int, int, list[Mention]]:
        """Add the entities of a piece.

        Return how many mentions were known, how many entities became one with earlier ones, and
        the mentions that are in another entity here than before, where the key does not decide.
        """
        first_new = self._number
        known = self._known
        chain_of = self._assign_by_key(entities)  # by the entity's number
        key_chains = set(self._of_key.values())
        common = Counter(
            (known[mention], n)
            for n, entity in enumerate(entities)
            if n not in chain_of
            for mention in entity
            if mention in known and known[mention] not in key_chains
        )
        edges = [Edge(chain, n, weight, 1) for (chain, n), weight in common.items()]
        chain_of |= {edge.response: edge.key for edge in first_best(edges)}
        shared = 0
        conflicts = []
        for n, entity in enumerate(entities):
            if n not in chain_of:
                chain_of[n] = self._new_chain()
            for mention in entity:
                if mention in known:
                    shared += 1
                before = known.setdefault(mention, chain_of[n])
                if before != chain_of[n]:
                    # The piece that puts the mention where the key has it is right.
                    right = self._of_key.get(self._in_key.get(mention, -1))
                    if right == chain_of[n]:
                        known[mention] = right
                    elif right != before:
                        conflicts.append(mention)
        return shared, sum(chain < first_new for chain in chain_of.values()), conflicts

    def _assign_by_key(self, entities: Entities) -> dict[int, int]:
        """Return the chains of entities with mentions of the key: that of most of the mentions."""
        chain_of = {}
        for n, entity in enumerate(entities):
            votes = Counter(self._in_key[mention] for mention in entity if mention in self._in_key)
            if votes:
                ((key_entity, _),) = votes.most_common(1)
                if key_entity not in self._of_key:
                    self._of_key[key_entity] = self._new_chain()
                chain_of[n] = self._of_key[key_entity]
        return chain_of

    def _new_chain(self) -> int:
        self._number += 1
        return self._number - 1

    def entities(self) -> Entities:
        """Return all entities in order of first appearance."""
        mentions = sorted(self._known, key=content_key)
        return list(grouped((self._known[mention], mention) for mention in mentions).values())


# ---- words and details of mentions ------------------------------------------------------------


def _join_details(placed: Sequence[_Placed], entities: Entities) -> list[list[Detail]] | None:
    """Return the detail of each mention from the first piece with it; None if a piece has none."""
    known: dict[Mention, Detail] = {}
    for begins, document in placed:
        if document.details is None:
            return None
        move = begins.__add__
        for entity, details in zip(_move_entities(document, begins), document.details, strict=True):
            for mention, detail in zip(entity, details, strict=True):
                if mention not in known:
                    known[mention] = detail.moved(move, move)
    return [[known[mention] for mention in entity] for entity in entities]


def _join_texts(placed: Sequence[_Placed], pieces: Sequence[Piece]) -> Text | None:
    """Return the full text, or None if a piece has no words or follows a gap."""
    parts: list[tuple[Text, int]] = []
    words: list[str] = []
    for (begins, document), piece in zip(placed, pieces, strict=True):
        if document.text is None or begins > len(words):
            return None
        piece_words = document.text.words
        if piece_words[: piece.overlap] != words[begins : begins + piece.overlap]:
            reason = "the words differ from those of the pieces before for the same tokens, "
            reason += f"from {begins} to {begins + piece.overlap}"
            hint = "Correct --overlap, or the first token in the name of the piece; without both, "
            hint += "the words decide."
            raise DataError(document.problem("text-differs", reason, "error", hint))
        words += piece_words[piece.overlap :]
        parts.append((document.text, piece.overlap))
    return joined_texts(parts)
