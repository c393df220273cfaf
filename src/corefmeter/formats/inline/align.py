"""Aligning text with marks, as a language model wrote it, with the words of a key.

A model that is asked to copy a text with marks in it drops, invents, repeats and respells words,
changes quotes and white space, and stops too early. A mention counts as the words of the key that
its own words were copied from. Both texts are split into *atoms*: runs of letters and digits, and
single signs; single letters in scripts without spaces. Atoms are compared without regard to case,
quotes and dashes, and paired by `corefmeter.formats.inline.pairs`. A mention becomes the tokens
from its first to its last atom with a partner in the key. An empty node becomes the one of the key
that `corefmeter.formats.inline.zeros` finds. Repairs are reported with their place in the response.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import add
from typing import NamedTuple

from corefmeter.corpus.align import text_with_offsets
from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.pairing import with_names_of
from corefmeter.corpus.positions import EmptyNode, all_empty_nodes, is_empty, pieces, pieces_if_any
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.inline import InlineDocument, documents_of, with_zeros
from corefmeter.formats.inline.marks import ZERO, Mark, shorten
from corefmeter.formats.inline.pairs import Range, pair_words
from corefmeter.formats.inline.zeros import Place, match_zeros
from corefmeter.formats.notes import Notes
from corefmeter.problems import Problem, amount

#: If a smaller share of the words is copied, in percent, the text may be another.
LOW_COVERAGE = 50

#: Scripts without spaces between words: South-East Asian, Chinese, Japanese.
_NO_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
)
#: Invisible characters. A word that consists of them is an atom, since it may be a mention.
_UNSEEN = "\u00ad\u200b-\u200f\ufeff"
_ATOM = re.compile(
    rf"-[LR][RSC]B-|``|''|[{_NO_SPACES}]|(?:[^\W{_NO_SPACES}][\u0300-\u036f]*)+"
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

#: Words of treebanks, and the sign that each denotes.
_BRACKETS = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}"}
_TREEBANK = {"``": '"', "''": '"'} | {f"-{name}-": sign for name, sign in _BRACKETS.items()}


class Coverage(NamedTuple):
    """How completely a text was copied, in words (atoms) and marks."""

    #: Words of the key, those that are not in the response, and those that others replace.
    words: int = 0
    dropped: int = 0
    changed: int = 0
    #: Words of the response that are not in the key.
    invented: int = 0
    #: Marks of mentions that can be read, marks that were repaired or left out, and mentions that
    #: have no word of the key.
    mentions: int = 0
    wrong: int = 0
    lost: int = 0

    @property
    def copied(self) -> int:
        """The words of the key that the response has as they are."""
        return self.words - self.dropped - self.changed


class AlignedDocument(Document):
    """A document whose text was aligned with a key.

    `coverage` is how much of the key was copied. `reached` are the positions of the key with which
    a mention of the response can begin or end. `unrepaired` is the response in its own positions.
    """

    __slots__ = ("coverage", "reached", "unrepaired")

    coverage: Coverage
    reached: frozenset[int]
    unrepaired: Document


def align_to_key(key: Corpus, response: Corpus) -> Corpus:
    """Return a response of text with marks in the positions of the key; its repairs are noted."""
    notes = Notes(response.path or "-")
    documents: list[Document] = []
    repairs: list[Problem] = []
    for document, partner in _pair_documents(key, response, notes):
        if partner is None or not isinstance(document, InlineDocument):
            documents.append(document)
        elif partner.text is None:
            notes.error("no-words", "the words of the key are not known", document=partner.label)
        else:
            own_notes = Notes(document.path or notes.path)
            alignment = _Alignment(partner, partner.text, document, own_notes)
            documents.append(alignment.align_document())
            repairs += own_notes.finish()
    problems = [*response.problems, *notes.finish(), *repairs]
    return response.replace(documents=documents, problems=problems)


# ---- which document is which ------------------------------------------------------------------


def _pair_documents(
    key: Corpus, response: Corpus, notes: Notes
) -> list[tuple[Document, Document | None]]:
    """Return each document of the response with that of the key; None if the key has none."""
    lines = [document for document in response if isinstance(document, InlineDocument)]
    if len(key) == 1 and len(lines) > 1 and all(line.marked is not None for line in lines):
        return [(_join_lines(lines), key.documents[0])]
    by_id = {document.id: document for document in key}
    by_name = _documents_by_name(key)
    pairs: list[tuple[Document, Document | None]] = []
    for document, named in zip(response, with_names_of(key, response)[0], strict=True):
        partner = by_id.get(named.id) or by_name.get(document.one_name or document.label)
        pairs.append((document, partner))
    nameless = [document for document, partner in pairs if partner is None and document.numbered]
    if not nameless:
        return pairs
    if len(nameless) != len(response) or len(nameless) != len(key):
        texts, documents = amount(len(nameless), "text"), amount(len(key), "document")
        message = f"{texts} without a name, but {documents} in the key"
        hint = 'Begin each text with a line "# document NAME", or give all in the order of the key.'
        notes.error("unnamed-document", message, nameless[0].line, hint=hint)
        notes.finish()
    if len(key) > 1:
        message = "documents without a name are paired with the key's in order"
        notes.warn("unnamed-document", message, nameless[0].line, count=len(nameless))
    return list(zip(nameless, key, strict=True))


def _join_lines(lines: list[InlineDocument]) -> InlineDocument:
    joined = "\n".join(line.marked or "" for line in lines)
    (whole,) = documents_of(f"# document\n{joined}", Notes("-"), "words")
    whole.path, whole.line = lines[0].path, lines[0].line
    whole.annotated = whole.annotated._replace(first_line=lines[0].line or 1)
    return whole


def _documents_by_name(key: Corpus) -> dict[str, Document | None]:
    """Return the documents of a key by all forms of their names; None for an ambiguous form."""
    by_name: dict[str, Document | None] = {}
    for document in key:
        name, part = document.name, document.part or 0
        forms = {document.label, f"{name}_{part}", f"({name}); part {part:03d}"}
        if document.part in (None, 0):
            forms |= {name, name.rpartition("/")[2]}
        for form in forms | {re.sub(r"[^\w.-]", "_", form) for form in forms}:
            by_name[form] = None if form in by_name else document
    return by_name | {document.label: document for document in key}


# ---- one document -----------------------------------------------------------------------------


class _Atoms(NamedTuple):
    """The atoms of a text, and where each starts and ends.

    The places of a key's atoms are its tokens, or characters if it counts these. The places of a
    response's atoms are characters of its text.
    """

    words: list[str]
    starts: list[int]
    ends: list[int]

    def comparable(self) -> list[str]:
        """Return the words without differences of case, quotes and dashes."""
        normalized = {word: _normalize(word) for word in set(self.words)}  # each word once
        return [normalized[word] for word in self.words]


class _Alignment:
    """The atoms of a response and their partners among those of the key."""

    def __init__(self, key: Document, text: Text, response: InlineDocument, notes: Notes) -> None:
        self.key = key
        self.text = text
        self.response = response
        self.annotated = response.annotated
        self.notes = notes
        self.repairs: Counter[str] = Counter()  # words by the code of their repair
        self.key_atoms = _split_key_atoms(text, key.unit == "characters")
        marks = self.annotated.marks
        self.atoms = _split_atoms(self.annotated.text, marks)
        self.pairs = pair_words(
            self.key_atoms.comparable(),
            self.atoms.comparable(),
            {self.atom_at(mark.start) for mark in marks},
            {self.atom_at(mark.end) for mark in marks},
        )
        self.zero_places = self.annotated.zeros()
        self.zeros = self.find_zeros()

    def atom_at(self, character: int) -> int:
        """Return the first atom of the response from a character on."""
        return bisect_left(self.atoms.starts, character)

    def align_document(self) -> AlignedDocument:
        """Return the document of the response in the positions of the key; repairs are noted."""
        entities: dict[str, list[Mention]] = {}
        lost = 0
        for mark in self.annotated.mentions():
            mention = self.align_mention(mark)
            if mention is None:
                lost += 1
            else:
                entities.setdefault(mark.entity, []).append(mention)
        key_details = self.details_of_key()
        details = [
            [self.make_detail(mention, key_details) for mention in mentions]
            for mentions in entities.values()
        ]
        aligned = AlignedDocument(
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
            details=details,
        )
        self.note_repairs()  # counts the words that the coverage reports
        aligned.coverage = self.note_coverage(lost)
        _, starts, ends = self.key_atoms
        paired = {atom for low, high in filter(None, self.pairs) for atom in range(low, high + 1)}
        aligned.reached = frozenset(at for atom in paired for at in range(starts[atom], ends[atom]))
        aligned.unrepaired = self.response
        return aligned

    # ---- empty nodes and details --------------------------------------------------------------

    def find_zeros(self) -> list[EmptyNode]:
        """Return the empty nodes of the response, as those of the key."""
        key_nodes = self.text.empty
        if key_nodes is None:
            parts = (piece for e in self.key.entities for m in e for piece in pieces_if_any(m))
            key_nodes = dict.fromkeys(all_empty_nodes(parts), ())
        nodes, missing = match_zeros(self.places_of_zeros(), key_nodes, self.text)
        for node, place in zip(nodes, self.zero_places, strict=True):
            if node not in key_nodes:
                message = "the key has no such empty node in this sentence; it counts as extra"
                self.warn("zero-invented", message, place)
        if missing and nodes:
            message = "some empty nodes of the key are missing; the others are aligned"
            line, count, label = self.response.line, len(missing), self.key.label
            self.notes.warn("zero-dropped", message, line, count=count, document=label)
        return nodes

    def places_of_zeros(self) -> list[Place]:
        """Return where the key may have each empty node: between the partners around it."""
        if not self.zero_places:
            return []
        starts, ends = self.key_atoms.starts, self.key_atoms.ends
        # For each atom of the response, the first atom of the key that it or a later one has.
        following: list[int | None] = [None]
        for keys in reversed(self.pairs):
            following.append(following[-1] if keys is None else keys[0])
        following.reverse()
        places: list[Place] = []
        last_key_atom = -1  # of the atoms before the node
        atom = 0  # the atoms before it are included in `last_key_atom`
        for place in self.zero_places:
            before = self.atom_at(place)
            ends_before = [keys[1] for keys in self.pairs[atom:before] if keys]
            last_key_atom = max([last_key_atom, *ends_before])
            atom, after = before, following[before]
            earliest = 0 if last_key_atom < 0 else ends[last_key_atom]
            places.append((earliest, earliest if after is None else starts[after]))
        return places

    def details_of_key(self) -> dict[Mention, list[Detail]]:
        """Return the details of each mention of the key, several if it occurs more than once."""
        entities = zip(self.key.entities, self.key.details or (), strict=False)
        return grouped(pair for entity in entities for pair in zip(*entity, strict=True))

    def make_detail(self, mention: Mention, key_details: dict[Mention, list[Detail]]) -> Detail:
        """Return the head of a mention and the parents of an empty node, which an answer lacks.

        For a mention of the key they are those of the key. Each of several copies in the key is
        used once and removed from `key_details`; the last one stays for all that follow. For a
        mention of empty nodes only, which the tree of the key does not contain, the head is the
        first node. For any other mention, the head is later found in the tree.
        """
        if copies := key_details.get(mention):
            detail = copies.pop(0) if len(copies) > 1 else copies[0]
            head, deps = detail.head, detail.attributes.get("deps")
        elif all(map(is_empty, pieces(mention))):
            head = pieces(mention)[0]
            deps = (self.text.empty or {}).get(head)
        else:
            return Detail()
        return Detail(head=head, attributes={"deps": deps} if deps else None)

    # ---- mentions -----------------------------------------------------------------------------

    def align_mention(self, mark: Mark) -> Mention | None:
        """Return a mention in the positions of the key; None if the key has no part of it."""
        start, end = self.atom_at(mark.start), self.atom_at(mark.end)
        places = self.zero_places
        inside = self.zeros[bisect_left(places, mark.start) : bisect_left(places, mark.end)]
        partners = [keys for keys in self.pairs[start:end] if keys is not None]
        if not partners:
            if not inside:
                shown = self.shorten_text(mark.start, mark.end)
                message = f"the mention {shown} of entity {mark.entity} has no word of the key"
                self.warn_at("mention-lost", f"{message}; left out", start)
            return with_zeros(0, 0, inside)
        first, last = partners[0][0], partners[-1][1]
        # The mention is only a part of a key token if the atom before or after it is in the token.
        before = self.pairs[start - 1] if start else None
        after = self.pairs[end] if end < len(self.pairs) else None
        token = self.key_atoms.starts
        if (before and token[before[1]] == token[first]) or (
            after and token[after[0]] == token[last]
        ):
            shown = self.shorten_text(mark.start, mark.end)
            message = f"the mention {shown} is part of a word of the key; the whole word is taken"
            self.warn_at("mention-moved", message, start)
        return with_zeros(token[first], self.key_atoms.ends[last], inside)

    # ---- reports ------------------------------------------------------------------------------

    def note_repairs(self) -> None:
        """Note runs of words that were dropped, invented or changed."""
        words, starts, ends = self.atoms
        next_key_atom = 0  # the atoms of the key before it are reported
        for first, end, keys in _join_pairs(self.pairs):
            if keys is None:
                shown = self.shorten_text(starts[first], ends[end - 1])
                message = f"{shown} is not in the key; left out"
                self.repair("word-invented", message, first, end - first)
                continue
            low, high = keys
            self.note_dropped(next_key_atom, low, first)
            next_key_atom = max(next_key_atom, high + 1)
            key_text = "".join(self.key_atoms.words[low : high + 1])
            if key_text != "".join(words[first:end]):
                shown = self.shorten_text(starts[first], ends[end - 1])
                message = f"{shown} replaces {shorten(key_text)} of the key"
                self.repair("word-changed", message, first, high + 1 - low)
        self.note_dropped(next_key_atom, len(self.key_atoms.words), len(words))

    def note_dropped(self, start: int, end: int, place: int) -> None:
        """Note that a run of key atoms is missing before an atom of the response, `place`."""
        if start < end:
            words = " ".join(self.key_atoms.words[start : min(end, start + 20)])
            message = f"{shorten(words)} of the key is missing here"
            self.repair("word-dropped", message, place, end - start)

    def note_coverage(self, lost: int) -> Coverage:
        """Return how much of the key was copied; note it unless all was copied unchanged."""
        coverage = Coverage(
            words=len(self.key_atoms.words),
            dropped=self.repairs["word-dropped"],
            changed=self.repairs["word-changed"],
            invented=self.repairs["word-invented"],
            mentions=len(self.annotated.marks),
            wrong=self.annotated.wrong,
            lost=lost,
        )
        if not (coverage.dropped or coverage.changed or coverage.invented or lost):
            return coverage
        # Truncated, not rounded: 100.0 % is all of them.
        share = 1000 * coverage.copied // coverage.words / 10 if coverage.words else 100.0
        message = (
            f"the response has {share:.1f} % of the words of the key unchanged; "
            f"{coverage.dropped} dropped, {coverage.changed} changed, "
            f"{coverage.invented} invented; {lost} of {amount(coverage.mentions, 'mention')} lost"
        )
        hint = None
        if share < LOW_COVERAGE:
            hint = "Check that it is the same text and is not truncated."
        line, label = self.response.line, self.key.label
        self.notes.warn("coverage", message, line, hint=hint, document=label)
        return coverage

    def repair(self, code: str, message: str, atom: int, count: int) -> None:
        """Note a repair of some words at an atom of the response, or at its end."""
        self.repairs[code] += count
        self.warn_at(code, message, atom, count)

    def warn_at(self, code: str, message: str, atom: int, count: int = 1) -> None:
        """Note a repair at an atom of the response, or at its end."""
        starts = self.atoms.starts
        character = starts[atom] if atom < len(starts) else len(self.annotated.text)
        self.warn(code, message, character, count)

    def warn(self, code: str, message: str, character: int, count: int = 1) -> None:
        """Note a repair at a character of the text without marks."""
        line, column = self.annotated.place(self.annotated.origin(character))
        self.notes.warn(code, message, line, column, count=count)

    def shorten_text(self, start: int, end: int) -> str:
        return shorten(self.annotated.text[start : min(end, start + 200)])


def _join_pairs(pairs: list[Range | None]) -> Iterator[tuple[int, int, Range | None]]:
    """Yield the first word, the end, and the partners of runs of words.

    A run has words without partners, or words whose partners overlap.

    Examples
    --------
    >>> list(_join_pairs([None, None, (0, 1), (1, 2), (3, 3)]))
    [(0, 2, None), (2, 4, (0, 2)), (4, 5, (3, 3))]
    """
    end = 0
    while end < len(pairs):
        first, keys = end, pairs[end]
        end += 1
        while end < len(pairs):
            following = pairs[end]
            if keys is None or following is None:
                if keys is not following:  # only one of them has no partner
                    break
            elif following[0] > keys[1]:
                break
            else:
                keys = min(keys[0], following[0]), max(keys[1], following[1])
            end += 1
        yield first, end, keys


def _split_key_atoms(text: Text, characters: bool) -> _Atoms:
    """Return the atoms of a key, which counts characters or else tokens."""
    if characters:
        return _split_atoms(text_with_offsets(text)[0], ())
    words: list[str] = []
    starts: list[int] = []
    for token, word in enumerate(text.words):
        atoms = [word] if word.isalpha() and word.isascii() else _ATOM.findall(word)
        words += atoms
        starts += [token] * len(atoms)
    return _Atoms(words, starts, [token + 1 for token in starts])


def _split_atoms(text: str, marks: Iterable[Mark]) -> _Atoms:
    """Return the atoms of a text; an atom is split where a mention begins or ends in it."""
    borders = {0, len(text), *(place for mark in marks for place in (mark.start, mark.end))}
    words: list[str] = []
    starts: list[int] = []
    for begin, end in pairwise(sorted(borders)):
        matches = list(_ATOM.finditer(text[begin:end]))
        words += [match[0] for match in matches]
        starts += [begin + match.start() for match in matches]
    return _Atoms(words, starts, list(map(add, starts, map(len, words))))


def _normalize(word: str) -> str:
    """Return a word without differences of case, quotes and dashes."""
    if word.isascii() and word.isalnum():
        return word.lower()
    return _TREEBANK.get(word) or unicodedata.normalize("NFKC", word.translate(_ALIKE)).casefold()
