"""LitBank's ``tsv``: mentions by sentence and token, next to a text with one sentence a line.

Lines of TAB-separated columns, token numbers from 0, ends inclusive::

    MENTION  T2  1  11  1  14  Lincoln 's Inn Hall  FAC  PROP
    COREF    T2  Lincoln__s_Inn_Hall-3
    COP      T68  T228
    APPOS    T68  T229

A mention without ``COREF`` is an attribute, and no mention of identity. The text is in ``NAME.txt``
next to the file, with spaces between tokens; without it, the position of a token in the document
is unknown. Here tokens count through the document and spans are half-open.
"""

from __future__ import annotations

import re

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import Notes, cell_column, number_of, numbered_lines, share_of_lines
from corefmeter.formats.source import Source, stem
from corefmeter.formats.standoff import Words, add_id, text_beside
from corefmeter.wings.annotation.formats.litbank_brat import KINDS

_SNIFF = re.compile(
    rb"^(?:MENTION\t\S+\t\d+\t\d+\t\d+\t\d+\t|COREF\tT\S*\t|(?:COP|APPOS)\tT\S*\tT)", re.MULTILINE
)


def sniff(head: bytes, path: str = "") -> Claim:
    """Claim a file if it has lines for mentions, entities, copulas and appositions."""
    return Claim(share_of_lines(head, _SNIFF))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Read the document of a file and its text file."""
    notes = Notes(source.path)
    reader = _Reader(notes, text_beside(source.path))
    for number, line in numbered_lines(source, notes):
        if line.strip():
            reader.read_line(number, line)
    return [reader.make_document(details)], notes.finish()


class _Reader:
    def __init__(self, notes: Notes, text: str) -> None:
        self.notes = notes
        self.words: list[str] = []
        self.starts: list[int] = []  # the first token of each line of the text
        for sentence in text.split("\n"):
            self.starts.append(len(self.words))
            self.words += sentence.split()
        self.ends = [*self.starts[1:], len(self.words)]
        self.folded = Words(self.words)
        self.mentions: dict[str, tuple[Mention, Detail]] = {}  # by id
        self.entities: Members = {}
        self.entity_of: dict[str, str] = {}  # by the id of a mention
        self.line_of: dict[str, int] = {}  # by the id of a mention
        self.relations: list[dict[str, object]] = []
        self.references: list[tuple[int, list[str]]] = []  # lines that name mentions, with numbers

    def read_line(self, number: int, line: str) -> None:
        """Read one line; those that refer to mentions wait for all mentions."""
        cells = line.split("\t")
        if cells[0] == "MENTION" and len(cells) == 9 and all(map(str.isdecimal, cells[2:6])):
            self.read_mention(number, cells)
        elif cells[0] in ("COREF", "COP", "APPOS") and len(cells) == 3:
            self.references.append((number, cells))
        else:
            reason = f"the line is not one of LitBank's tsv: {line[:80]!r}"
            hint = "Write MENTION, id, sentence, token, sentence, token, text, type, category, "
            hint += "or COREF, id, entity, separated by TABs."
            self.notes.error("bad-line", reason, number, 1, hint)

    def read_mention(self, number: int, cells: list[str]) -> None:
        """Keep a mention whose tokens and text agree with the text file."""
        id, words = cells[1], cells[6]
        if not add_id(id, number, self.line_of, self.notes, 9, "mention"):
            return
        sentence, first, last_sentence, last = map(number_of, cells[2:6])
        start, end = self.find_token(sentence, first), self.find_token(last_sentence, last)
        hint = "Sentences and tokens count from 0; the last is included."
        if start is None or end is None or end < start:
            places = f"{first} of sentence {sentence} to {last} of sentence {last_sentence}"
            column = cell_column(cells, 2)
            self.notes.error("bad-span", f"there are no tokens from {places}", number, column, hint)
        elif not self.folded.equal(words, start, end + 1):
            actual = self.folded.beginning(start, end + 1)
            reason = f"{id} is {words!r:.60}, but the text has {actual!r:.60} there"
            self.notes.error("text-differs", reason, number, cell_column(cells, 6), hint)
        else:
            kind = next((KINDS[cell] for cell in cells[7:] if cell in KINDS), None)
            type = next((cell for cell in cells[7:] if cell not in KINDS), None)
            detail = Detail(kind=kind, entity_type=type, attributes={"id": id})
            self.mentions[id] = (start, end + 1), detail

    def find_token(self, sentence: int, token: int) -> int | None:
        """Return the number in the document of a token of a sentence."""
        if sentence >= len(self.starts):
            return None
        position = self.starts[sentence] + token
        return position if position < self.ends[sentence] else None

    def make_document(self, details: bool) -> Document:
        for number, (relation, *ids) in self.references:
            is_coreference = relation == "COREF"  # its second id is that of an entity
            for id in ids[:1] if is_coreference else ids:
                if id not in self.line_of:
                    reason = f"{relation} names {id}, which does not exist"
                    hint = "Name only ids of lines MENTION."
                    self.notes.error("unknown-mention", reason, number, len(relation) + 2, hint)
            if not is_coreference:
                self.relations.append({"type": relation.lower(), "ids": ids})
            elif ids[0] in self.mentions:
                self.add_to_entity(number, *ids)
        starts = sorted({start for start in self.starts if start < len(self.words)})
        return document_of(
            stem(self.notes.path),
            in_text_order(self.entities),
            details,
            tokens=len(self.words),
            path=self.notes.path,
            line=1,
            text=Text(self.words, sentences=starts) if details else None,
            attributes={"relations": self.relations} if self.relations else None,
        )

    def add_to_entity(self, number: int, id: str, entity: str) -> None:
        """Add a mention to its entity; warn if it is already in this one or another."""
        first_entity = self.entity_of.setdefault(id, entity)
        members = self.entities.setdefault(entity, [])
        if first_entity != entity:
            reason = f"{id} is in entity {entity}, but also in {first_entity}; both are kept"
            self.notes.warn("two-entities", reason, number)
        elif self.mentions[id] in members:
            reason = f"{id} gets the entity {entity} a second time; once is enough"
            self.notes.warn("two-entities", reason, number)
            return
        members.append(self.mentions[id])


FORMAT = Format(
    name="litbank-tsv",
    title="LitBank tsv",
    sniff=sniff,
    evidence="most lines are `MENTION`, `COREF`, `COP` or `APPOS` with their columns",
    read=read,
    unwritten="it is two files, an annotation and a text; choose webanno, conllua or conll",
    beside=((".tsv", ".txt"),),
)
