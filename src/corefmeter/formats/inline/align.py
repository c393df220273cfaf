"""Aligning text with marks, as a language model wrote it, with the words of a key.

A model that is asked to copy a text with marks in it drops, invents, repeats and respells words,
changes quotes and white space, and stops too early. A mention counts as the words of the key that
its own words were copied from. Both texts are cut into *atoms*: runs of letters and digits, and
single signs; single letters in scripts without blanks. Atoms are compared without regard to case,
quotes and dashes, and paired by `corefmeter.formats.inline.pairs`. A mention becomes the tokens
from its first to its last atom with a partner in the key; an empty node, the one of the key that
`corefmeter.formats.inline.zeros` finds.

Everything that was repaired is reported with its place in the response, and for each document how
much of the key was found.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from corefmeter.corpus.align import text_with_offsets
from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.pairing import with_names_of
from corefmeter.corpus.positions import EmptyNode, all_empty_nodes, is_empty, pieces, pieces_if_any
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.inline import InlineDocument, documents_of, with_zeros
from corefmeter.formats.inline.marks import ZERO, Mark
from corefmeter.formats.inline.pairs import Range, pair_words
from corefmeter.formats.inline.zeros import Place, placed
from corefmeter.formats.notes import Notes
from corefmeter.problems import Problem, amount

#: Scripts without blanks between words: South-East Asian, Chinese, Japanese.
_NO_BLANKS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
)
#: Signs that are not seen, and words of nothing else, which a mention may have alone.
_UNSEEN = "\u00ad\u200b-\u200f\ufeff"
_ATOM = re.compile(
    rf"-[LR][RSC]B-|``|''|[{_NO_BLANKS}]|(?:[^\W{_NO_BLANKS}][\u0300-\u036f]*)+"
    rf"|[^\w\s{_UNSEEN}{ZERO}]|(?<!\S)[{_UNSEEN}]+(?!\S)"
)
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛‹›`´′", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": ".",
    }
)

#: Words of treebanks that stand for one sign.
_TREEBANK = {
    "``": '"',
    "''": '"',
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


class _Atom(NamedTuple):
    """A word or a sign: its text and its place.

    Of a key, `start` and `end` are the span of a mention that is this atom; of a response,
    characters of its text.
    """

    written: str
    start: int
    end: int


class Coverage(NamedTuple):
    """How completely a text was copied, in words (atoms) and marks.

    Attributes
    ----------
    words
        Of the key.
    dropped, changed
        Those of the key that are not in the response, and that others stand for.
    invented
        Words of the response that are not in the key.
    mentions
        Marked in the response, with marks that can be read.
    wrong
        Marks that were repaired or left out.
    lost
        Mentions that have no word of the key.
    """

    words: int = 0
    dropped: int = 0
    changed: int = 0
    invented: int = 0
    mentions: int = 0
    wrong: int = 0
    lost: int = 0

    @property
    def copied(self) -> int:
        """The words of the key that the response has as they are."""
        return self.words - self.dropped - self.changed


class AlignedDocument(Document):
    """A document whose text was aligned with a key, and what that took.

    `reached` are the positions of the key that a mention of the response can begin or end with;
    `unrepaired` is the response as it was, in positions of its own words.
    """

    __slots__ = ("coverage", "reached", "unrepaired")

    coverage: Coverage
    reached: frozenset[int]
    unrepaired: Document


def align_to_key(key: Corpus, response: Corpus) -> Corpus:
    """Return a response with its mentions in the positions of the key.

    Parameters
    ----------
    key
        With the text of each document.
    response
        Documents that are text with marks are aligned; any others are left as they are.

    Returns
    -------
    Corpus
        Its `problems` are those of the response and all repairs.

    Raises
    ------
    DataError
        When documents without a name cannot be told apart, or a document of the key has no text.
    """
    notes = Notes(response.path or "-")
    documents: list[Document] = []
    repairs: list[Problem] = []
    for document, partner in _partners(key, response, notes):
        if partner is None or not isinstance(document, InlineDocument):
            documents.append(document)
        elif partner.text is None:
            notes.error("no-words", "the words of the key are not known", document=partner.label)
        else:
            own = Notes(document.path or notes.path)
            documents.append(_Alignment(partner, partner.text, document, own).document())
            repairs += own.finish()
    problems = [*response.problems, *notes.finish(), *repairs]
    return response.replace(documents=documents, problems=problems)


# ---- which document is which ------------------------------------------------------------------


def _partners(
    key: Corpus, response: Corpus, notes: Notes
) -> list[tuple[Document, Document | None]]:
    """Return each document of the response with that of the key; None if the key has none."""
    lines = [document for document in response if isinstance(document, InlineDocument)]
    if len(key) == 1 and len(lines) > 1 and all(line.marked is not None for line in lines):
        return [(_one_document(lines), key.documents[0])]
    by_id = {document.id: document for document in key}
    by_name = _by_name(key)
    found: list[tuple[Document, Document | None]] = []
    nameless: list[Document] = []
    for document, named in zip(response, with_names_of(key, response)[0], strict=True):
        partner = by_id.get(named.id) or by_name.get(document.one_name or document.label)
        if partner is None and document.numbered:
            nameless.append(document)
        found.append((document, partner))
    if not nameless:
        return found
    if len(nameless) != len(response) or len(nameless) != len(key):
        message = (
            f"{amount(len(nameless), 'text')} without a name, and {amount(len(key), 'document')} "
            "in the key"
        )
        hint = 'Begin each with a line "# document NAME", or write all, in the order of the key.'
        notes.error("unnamed-document", message, nameless[0].line, hint=hint)
        notes.finish()
    if len(key) > 1:
        message = "documents without a name are taken for those of the key in its order"
        notes.warn("unnamed-document", message, nameless[0].line, count=len(nameless))
    return list(zip(nameless, key, strict=True))


def _one_document(lines: list[InlineDocument]) -> InlineDocument:
    """Lines that were taken for a document each, as one."""
    joined = "\n".join(line.marked or "" for line in lines)
    (whole,) = documents_of(f"# document\n{joined}", Notes("-"), "words")
    whole.path, whole.line = lines[0].path, lines[0].line
    whole.annotated = whole.annotated._replace(first_line=lines[0].line or 1)
    return whole


def _by_name(key: Corpus) -> dict[str, Document | None]:
    """Return the documents of a key by each form of their names that no other document has."""
    found: dict[str, Document | None] = {}
    for document in key:
        name, part = document.name, document.part or 0
        forms = {document.label, f"{name}_{part}", f"({name}); part {part:03d}"}
        if document.part in (None, 0):
            forms |= {name, name.rpartition("/")[2]}
        for form in forms | {re.sub(r"[^\w.-]", "_", form) for form in forms}:
            found[form] = None if form in found else document
    return found | {document.label: document for document in key}


# ---- one document -----------------------------------------------------------------------------


class _Alignment:
    """The atoms of a response and their partners among those of the key."""

    def __init__(self, key: Document, text: Text, response: InlineDocument, notes: Notes) -> None:
        self.key = key
        self.text = text
        self.response = response
        self.annotated = response.annotated
        self.notes = notes
        self.key_atoms = list(_key_atoms(text, key.unit == "characters"))
        marks = self.annotated.marks
        self.atoms = list(_atoms(self.annotated.text, marks))
        self.starts = [atom.start for atom in self.atoms]
        self.pairs: list[Range | None] = pair_words(
            [_like(atom.written) for atom in self.key_atoms],
            [_like(atom.written) for atom in self.atoms],
            {bisect_left(self.starts, mark.start) for mark in marks},
            {bisect_left(self.starts, mark.end) for mark in marks},
        )

    def document(self) -> Document:
        """Return the document of the response in the positions of the key; repairs are noted."""
        self.zero_places = [match.start() for match in re.finditer(ZERO, self.annotated.text)]
        self.zeros = self._zeros()
        entities: dict[str, list[Mention]] = {}
        lost = 0
        for mark in sorted(self.annotated.marks, key=lambda mark: (mark.start, -mark.end)):
            mention = self._mention(mark)
            if mention is None:
                lost += 1
            else:
                entities.setdefault(mark.entity, []).append(mention)
        found = AlignedDocument(
            self.key.name,
            list(entities.values()),
            part=self.key.part,
            entity_names=list(entities),
            entities_named=self.response.entities_named,
            tokens=self.key.tokens,
            text=self.key.text,
            unit=self.key.unit,
            numbered=self.key.numbered,
            path=self.response.path,
            line=self.response.line,
            details=self._details([*entities.values()]),
        )
        found.coverage = self._coverage(self._tell_repairs(), lost)
        found.reached = self._reached()
        found.unrepaired = self.response
        return found

    def _reached(self) -> frozenset[int]:
        """Return the positions of the key's atoms that have a partner."""
        atoms = (self.key_atoms[low : high + 1] for low, high in filter(None, self.pairs))
        return frozenset(at for found in atoms for one in found for at in range(one.start, one.end))

    def _zeros(self) -> list[EmptyNode]:
        """Return the empty nodes of the response, as those of the key."""
        places: list[Place] = []
        atoms = self.key_atoms
        last = -1  # the last atom of the key before the node
        number = 0
        after = self._next_atoms()
        for place in self.zero_places:
            before = bisect_left(self.starts, place)
            ranges = [range_[1] for range_ in self.pairs[number:before] if range_ is not None]
            last, number = max([last, *ranges]), before
            first = 0 if last < 0 else atoms[last].end
            following = after[before]
            places.append((first, first if following is None else atoms[following].start))
        of_key = self.text.empty
        if of_key is None:
            parts = (piece for e in self.key.entities for m in e for piece in pieces_if_any(m))
            of_key = dict.fromkeys(all_empty_nodes(parts), ())
        nodes, missing = placed(places, of_key, self.text)
        for node, place in zip(nodes, self.zero_places, strict=True):
            if node not in of_key:
                message = "the key has no such empty node in this sentence; it is kept as another"
                self._warn_at("zero-invented", message, place)
        if missing and nodes:
            message = "empty nodes of the key are missing; those given are taken for the nearest"
            self.notes.warn(
                "zero-dropped",
                message,
                self.response.line,
                count=len(missing),
                document=self.key.label,
            )
        return nodes

    def _next_atoms(self) -> list[int | None]:
        """For each atom of the response, and for its end, the first of the key from there on."""
        found: list[int | None] = [None]
        for range_ in reversed(self.pairs):
            found.append(found[-1] if range_ is None else range_[0])
        return found[::-1]

    def _details(self, entities: Entities) -> list[list[Detail]]:
        """Return the heads of mentions, which the response lacks, and the parents of zeros.

        A mention that the key has too has the head that it has there. For others it is left to the
        tree of the key, which empty nodes are not in: of these alone it is the first.
        """
        known: dict[Mention, list[Detail]] = {}
        for mentions, details in zip(self.key.entities, self.key.details or (), strict=False):
            for mention, detail in zip(mentions, details, strict=True):
                known.setdefault(mention, []).append(detail)

        return [[self._detail(mention, known) for mention in entity] for entity in entities]

    def _detail(self, mention: Mention, known: dict[Mention, list[Detail]]) -> Detail:
        if same := known.get(mention):
            detail = same.pop(0) if len(same) > 1 else same[0]
            head, deps = detail.head, detail.attributes.get("deps")
        elif all(map(is_empty, pieces(mention))):
            head = pieces(mention)[0]
            deps = (self.text.empty or {}).get(head)
        else:
            return Detail()
        return Detail(head=head, attributes={"deps": deps} if deps else None)

    def _mention(self, mark: Mark) -> Mention | None:
        """Return a mention in the positions of the key; None if nothing of it is there."""
        start, end = bisect_left(self.starts, mark.start), bisect_left(self.starts, mark.end)
        places = self.zero_places
        inside = self.zeros[bisect_left(places, mark.start) : bisect_left(places, mark.end)]
        ranges = [range_ for range_ in self.pairs[start:end] if range_ is not None]
        if not ranges:
            if not inside:
                what = f"the mention {self._shown(mark.start, mark.end)} of entity {mark.entity}"
                self._warn("mention-lost", f"{what} has no word of the key; left out", start)
            return with_zeros(0, 0, inside)
        first, last = ranges[0][0], ranges[-1][1]
        self._tell_cut(mark, (start, end), (first, last))
        return with_zeros(self.key_atoms[first].start, self.key_atoms[last].end, inside)

    def _tell_cut(self, mark: Mark, own: Range, keys: Range) -> None:
        """Note that a mention begins or ends within a token of the key."""
        outside = []
        if own[0] and (before := self.pairs[own[0] - 1]) is not None:
            outside.append((before[1], keys[0]))
        if own[1] < len(self.pairs) and (after := self.pairs[own[1]]) is not None:
            outside.append((after[0], keys[1]))
        if any(self.key_atoms[one].start == self.key_atoms[other].start for one, other in outside):
            shown = self._shown(mark.start, mark.end)
            message = f"the mention {shown} is part of a word of the key; taken for the whole word"
            self._warn("mention-moved", message, own[0])

    # ---- reports ------------------------------------------------------------------------------

    def _tell_repairs(self) -> Counter[str]:
        """Note dropped, inserted and changed runs of words; return the number of words of each."""
        found: Counter[str] = Counter()
        at = 0  # the first atom of the key that was not reported
        number = 0
        while number < len(self.atoms):
            first = number
            if self.pairs[number] is None:
                while number < len(self.atoms) and self.pairs[number] is None:
                    number += 1
                shown = self._shown(self.atoms[first].start, self.atoms[number - 1].end)
                message = f"{shown} is not in the key; left out"
                self._tell(found, "word-invented", message, first, number - first)
                continue
            low, high = self.pairs[number]  # type: ignore[misc]  # None was dealt with above
            number += 1
            while number < len(self.atoms) and (range_ := self.pairs[number]) is not None:
                if range_[0] > high:
                    break
                low, high = min(low, range_[0]), max(high, range_[1])
                number += 1
            self._tell_dropped(found, at, low, first)
            at = max(at, high + 1)
            ours = "".join(atom.written for atom in self.atoms[first:number])
            theirs = "".join(atom.written for atom in self.key_atoms[low : high + 1])
            if ours != theirs:
                shown = self._shown(self.atoms[first].start, self.atoms[number - 1].end)
                message = f"{shown} replaces {_short(theirs)} of the key"
                self._tell(found, "word-changed", message, first, high + 1 - low)
        self._tell_dropped(found, at, len(self.key_atoms), len(self.atoms))
        return found

    def _tell_dropped(self, found: Counter[str], start: int, end: int, place: int) -> None:
        if start < end:
            words = " ".join(atom.written for atom in self.key_atoms[start : min(end, start + 20)])
            message = f"{_short(words)} of the key is missing here"
            self._tell(found, "word-dropped", message, place, end - start)

    def _tell(self, found: Counter[str], code: str, message: str, place: int, count: int) -> None:
        found[code] += count
        self._warn(code, message, place, count)

    def _coverage(self, repairs: Counter[str], lost: int) -> Coverage:
        """Compute how much of the key was found; note it unless all was found unchanged."""
        total = len(self.key_atoms)
        dropped, changed, invented = (
            repairs[f"word-{what}"] for what in ("dropped", "changed", "invented")
        )
        found = Coverage(
            total, dropped, changed, invented, len(self.annotated.marks), self.annotated.wrong, lost
        )
        if not repairs and not lost:
            return found
        # Cut, not rounded: 100.0 % is all of them.
        share = 1000 * found.copied // total / 10 if total else 100.0
        message = (
            f"{share:.1f} % of the words of the key are in the response as they are; "
            f"{dropped} dropped, {changed} changed, {invented} invented; "
            f"{lost} of {amount(found.mentions, 'mention')} lost"
        )
        hint = "See whether it is the same text, and whether it ends too early."
        self.notes.warn(
            "coverage",
            message,
            self.response.line,
            document=self.key.label,
            hint=hint if share < LOW_COVERAGE else None,
        )
        return found

    def _warn(self, code: str, message: str, place: int, count: int = 1) -> None:
        """Note a repair at an atom of the response, or at its end."""
        character = self.starts[place] if place < len(self.starts) else len(self.annotated.text)
        self._warn_at(code, message, character, count)

    def _warn_at(self, code: str, message: str, character: int, count: int = 1) -> None:
        """Note a repair at a character of the text without marks."""
        line, column = self.annotated.place(self.annotated.origin(character))
        self.notes.warn(code, message, line, column, count=count)

    def _shown(self, start: int, end: int) -> str:
        return _short(" ".join(self.annotated.text[start : min(end, start + 200)].split()))


#: Below so many percent, a text is suspected to be another.
LOW_COVERAGE = 50


def _short(text: str) -> str:
    """Return a piece of a text in quotes, cut when it is long."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _key_atoms(text: Text, characters: bool) -> Iterator[_Atom]:
    """The atoms of a key, with the spans of tokens, or of characters, that hold them."""
    if characters:
        whole, _, _ = text_with_offsets(text)
        for match in _ATOM.finditer(whole):
            yield _Atom(match[0], match.start(), match.end())
        return
    for token, word in enumerate(text.words):
        for match in _ATOM.finditer(word):
            yield _Atom(match[0], token, token + 1)


def _atoms(text: str, marks: Iterable[Mark]) -> Iterator[_Atom]:
    """The atoms of a response, whose words end at the borders of mentions, as those of a key."""
    borders = {0, len(text), *(place for mark in marks for place in (mark.start, mark.end))}
    for begin, end in pairwise(sorted(borders)):
        for match in _ATOM.finditer(text[begin:end]):
            yield _Atom(match[0], begin + match.start(), begin + match.end())


def _like(written: str) -> str:
    """Normalize an atom for comparison: case, quotes and dashes."""
    if written.isascii() and written.isalnum():
        return written.lower()
    sign = _TREEBANK.get(written)
    return sign or unicodedata.normalize("NFKC", written.translate(_ALIKE)).casefold()
