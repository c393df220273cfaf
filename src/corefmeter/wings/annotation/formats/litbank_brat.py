"""brat standoff (``.ann`` next to ``.txt``), as in LitBank.

``T2<TAB>PROP_FAC 96 115<TAB>text`` is an annotation of characters; offsets are code points,
half-open; ``1 3;5 7`` has two pieces. In LitBank a mention has a second ``T`` line with the same
offsets whose label is the name of its entity, such as ``Lincoln__s_Inn_Hall-3``; one without is an
attribute (the second argument of ``cop`` or ``appos``), and no mention of identity.

Without such labels, identity is in relations of the types `IDENTITY`, or those that are asked for,
and in lines ``*<TAB>Equiv T1 T2``; every annotation is then a mention, or every trigger of an event
where there are events (``E``).

Positions count tokens, or characters where a mention shares a word with its surroundings; see
`corefmeter.formats.standoff`. The document has the name of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import mention_of
from corefmeter.corpus.structures import UnionFind
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import SHOWN, Notes, number_of, numbered_lines, share_of_lines
from corefmeter.formats.source import Source, stem
from corefmeter.formats.standoff import Folded, add_id, text_beside, tokens_or_characters
from corefmeter.problems import amount

#: Kinds of mention by the category of LitBank.
KINDS = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}

_SNIFF = re.compile(rb"^(?:[TREAMN]\d+\t\S+[ :]|\*\t\S+ |#\d+\tAnnotatorNotes )", re.MULTILINE)
_ANNOTATION = re.compile(r"(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_RELATION = re.compile(r"(R\S+)\t(\S+) \w+:(\S+) \w+:(\S+)\s*")
_EVENT = re.compile(r"(E\S+)\t[^:\s]+:(\S+)(.*)")
_EQUIVALENCE = re.compile(r"\*\t(\S+) (.+)")
_OTHER = re.compile(r"[AMN#]\S*\t")
_ENTITY = re.compile(r".+-\d+")
_CATEGORY = re.compile(r"(PROP|NOM|PRON)_(\w+)")

#: Types of relations between mentions of one entity, in lower case and without ``_`` and ``-``.
IDENTITY = re.compile(
    "coref(ers|erswith|erent|erentto|erence|erencelink|link)?|ident(ity|ical|icalto)?"
    "|equiv(alent|alentto|alence)?|same(as|entity)?"
)

_Offsets = Sequence[tuple[int, int]]


class _Annotation(NamedTuple):
    id: str
    label: str
    offsets: tuple[tuple[int, int], ...]
    line: int


class _Link(NamedTuple):
    """A relation or equivalence: its type, what it links, and its line."""

    type: str
    ids: list[str]
    line: int


def sniff(head: bytes, path: str = "") -> Claim:
    """Claim a file if it has lines for annotations."""
    return Claim(share_of_lines(head, _SNIFF))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Read the document of an annotation file and its text file."""
    notes = Notes(source.path)
    reader = _Reader(notes, text_beside(source.path), source.identity)
    for number, line in numbered_lines(source, notes):
        if line.strip():
            reader.read_line(number, line)
    return [reader.make_document(details)], notes.finish()


class _Reader:
    def __init__(self, notes: Notes, text: str, identity: frozenset[str]) -> None:
        self.notes = notes
        self.identity = identity
        self.text = text
        self.annotations: dict[str, _Annotation] = {}
        self.triggers: dict[str, str] = {}  # by event
        self.links: list[_Link] = []
        self.lines: dict[str, int] = {}  # by id

    def read_line(self, number: int, line: str) -> None:
        if match := _ANNOTATION.fullmatch(line):
            self.read_annotation(number, match)
        elif match := _EVENT.fullmatch(line):
            if add_id(match[1], number, self.lines, self.notes, 1, "line"):
                self.triggers[match[1]] = match[2]
        elif match := _RELATION.fullmatch(line):
            if add_id(match[1], number, self.lines, self.notes, 1, "line"):
                self.links.append(_Link(match[2], [match[3], match[4]], number))
        elif match := _EQUIVALENCE.fullmatch(line):
            self.links.append(_Link(match[1], match[2].split(), number))
        elif not _OTHER.match(line):
            reason = f"the line is not one of brat: {line[:80]!r}"
            hint = "Write an annotation as ID, TAB, LABEL BEGIN END, TAB, text."
            self.notes.error("bad-line", reason, number, 1, hint)

    def read_annotation(self, number: int, match: re.Match[str]) -> None:
        """Keep an annotation whose offsets and text agree with the text file."""
        id, label, pieces, words = match.groups()
        if not add_id(id, number, self.lines, self.notes, 1, "line"):
            return
        pairs = [pair.split(" ") for pair in pieces.split(";")]
        offsets = tuple(sorted((number_of(begin), number_of(end)) for begin, end in pairs))
        wrong = next((span for span in offsets if not span[0] < span[1] <= len(self.text)), None)
        if wrong:
            length = amount(len(self.text), "character")
            reason = f"characters {wrong[0]} to {wrong[1]} do not exist; the text has {length}"
            hint = "Offsets count code points from 0; the end is exclusive."
            self.notes.error("bad-span", reason, number, match.start(3) + 1, hint)
        elif words is not None and not self.has_text(words, offsets):
            longer = [(begin, min(end + 1, len(self.text))) for begin, end in offsets]
            hint = "Offsets count code points from 0."
            if self.has_text(words, longer):
                hint = "The ends look inclusive; brat's are exclusive."
            actual = self.text_at((begin, min(end, begin + SHOWN)) for begin, end in offsets)
            reason = f"{id} is {words!r:.60}, but the text has {actual!r:.60} there"
            self.notes.error("text-differs", reason, number, match.start(4) + 1, hint)
        else:
            self.annotations[id] = _Annotation(id, label, offsets, number)

    def text_at(self, offsets: Iterable[tuple[int, int]]) -> str:
        return " ".join(self.text[begin:end] for begin, end in offsets)

    def has_text(self, words: str, offsets: _Offsets) -> bool:
        """Return whether these words are at these offsets; white space may differ."""
        length = sum(end - begin + 1 for begin, end in offsets) - 1
        same = len(words) == length and words == self.text_at(offsets)
        return same or self.folded.equals(words, offsets)

    @cached_property
    def folded(self) -> Folded:
        return Folded(self.text)

    def make_document(self, details: bool) -> Document:
        annotations = self.annotations.values()
        edges = {edge for a in annotations for span in a.offsets for edge in span}
        tokens = tokens_or_characters(self.text, edges)
        labelled = any(_ENTITY.fullmatch(a.label) for a in annotations)
        entities = self.entities_by_label() if labelled else self.entities_by_relation()
        self.note_unknown_ids()
        matches = ((a.offsets, _CATEGORY.fullmatch(a.label)) for a in annotations)
        categories = {offsets: match for offsets, match in matches if match}
        located: Members = {}
        for name, members in entities.items():
            for member in members:
                spans = [tokens.span(begin, end) for begin, end in member.offsets]
                if None in spans:
                    reason = f"{member.id} covers only white space"
                    hint = "Offsets count code points from 0."
                    self.notes.error("bad-span", reason, member.line, hint=hint)
                    continue
                detail = _make_detail(member, categories.get(member.offsets))
                mention = mention_of(filter(None, spans))
                located.setdefault(name, []).append((mention, detail))
        relations = [
            {"type": link.type, "ids": link.ids}
            for link in self.links
            if not self.is_identity(link.type)
        ]
        return document_of(
            stem(self.notes.path),
            in_text_order(located),
            details,
            tokens=len(tokens),
            path=self.notes.path,
            line=1,
            unit=tokens.unit,
            text=tokens.as_text() if details else None,
            attributes={"relations": relations} if relations else None,
        )

    def entities_by_label(self) -> dict[str, list[_Annotation]]:
        """Return the annotations of each entity that a LitBank label names."""
        entities: dict[str, list[_Annotation]] = {}
        first_at: dict[_Offsets, _Annotation] = {}
        for annotation in self.annotations.values():
            label = annotation.label
            if _CATEGORY.fullmatch(label) or not _ENTITY.fullmatch(label):
                continue
            first = first_at.setdefault(annotation.offsets, annotation)
            if first.label != label:
                reason = f"{annotation.id} is in entity {label}, but {first.id} with the same"
                reason += f" offsets is in {first.label}; both are kept"
                self.notes.warn("two-entities", reason, annotation.line)
            entities.setdefault(label, []).append(annotation)
        return entities

    def entities_by_relation(self) -> dict[str, list[_Annotation]]:
        """Return the annotations of each entity that relations of identity join."""
        triggers = self.triggers or {id: id for id in self.annotations}
        ids = [id for id, trigger in triggers.items() if trigger in self.annotations]
        members = [self.annotations[triggers[id]] for id in ids]
        # A relation names an event by its own id or by that of its trigger.
        number = {id: index for index, id in enumerate(ids)}
        number |= {member.id: index for index, member in enumerate(members)}
        sets = UnionFind(len(members))
        identity_types: dict[str, None] = {}
        other_types: Counter[str] = Counter()
        for link in self.links:
            if not self.is_identity(link.type):
                other_types[link.type] += 1
                continue
            identity_types[link.type] = None
            for first, second in pairwise(number[id] for id in link.ids if id in number):
                sets.join(first, second)
        if other_types:
            self.warn_left_out(identity_types, other_types)
        if members and not identity_types:
            reason = "there is no relation of identity; every annotation is an entity of its own"
            self.notes.warn("no-coreference", reason)
        return {str(i): [members[j] for j in component] for i, component in enumerate(sets.sets())}

    def warn_left_out(self, identity_types: Iterable[str], other_types: Counter[str]) -> None:
        most = other_types.most_common(10)
        types = ", ".join(f"{type:.40} ({count})" for type, count in most)
        reason = f"relations of types that do not mean identity are left out: {types}"
        names = "+".join(f"{type:.40}" for type in [*identity_types, *dict(most)])
        hint = f"If some are, name all that are, as in --identity {names}."
        self.notes.warn("unknown-relation", reason, count=other_types.total(), hint=hint)

    def is_identity(self, type: str) -> bool:
        if self.identity:
            return type.lower() in self.identity
        return IDENTITY.fullmatch(re.sub("[-_]", "", type.lower())) is not None

    def note_unknown_ids(self) -> None:
        """Note relations and events that name an id which does not exist."""
        for id, trigger in self.triggers.items():
            if trigger not in self.lines:
                reason = f"the trigger {trigger} of event {id} does not exist"
                hint = "Write the id of a line T as the trigger."
                self.notes.error("unknown-mention", reason, self.lines[id], hint=hint)
        for link in self.links:
            for id in link.ids:
                if id not in self.lines:
                    reason = f"{link.type} names {id}, which does not exist"
                    hint = "Name only ids of lines T and E in a relation."
                    self.notes.error("unknown-mention", reason, link.line, hint=hint)


def _make_detail(annotation: _Annotation, category: re.Match[str] | None) -> Detail:
    """Return the mention type and entity type of an annotation.

    `category` is the match of the LitBank label at the same offsets, such as ``PROP_FAC``. Without
    one, the annotation's own label is the entity type, unless it is the name of an entity.
    """
    attributes = {"id": annotation.id}
    if category is not None:
        return Detail(kind=KINDS[category[1]], entity_type=category[2], attributes=attributes)
    names_entity = _ENTITY.fullmatch(annotation.label) is not None
    return Detail(entity_type=None if names_entity else annotation.label, attributes=attributes)


FORMAT = Format(
    name="brat",
    title="brat standoff",
    sniff=sniff,
    evidence="most lines are annotations of brat: an id such as `T1`, a TAB, a label",
    read=read,
    unwritten="it is two files, an annotation and a text; choose webanno, conllua or conll",
    endings=(".ann",),
    beside=((".ann", ".txt"),),
    identity=True,
)
