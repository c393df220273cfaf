"""TBF, the format of TAC KBP's event nuggets.

``#BeginOfDocument NAME`` and ``#EndOfDocument`` around TAB-separated lines: system, document, id,
span, text, event type, realis, and more columns that are not read.
``@Coreference<TAB>C1<TAB>E1,E2`` is an entity; nuggets in none are singletons. ``@After`` and
``@Subevent`` are kept as relations.

A span is tokens (``t3,t5``, ``16``: those tokens, in any order, with gaps) or characters
(``4,8;13,16``: pieces, half-open); which of the two is found out for the whole file. Numbers are
taken as positions as they are.

In TAC's coreference scores two nuggets are the same if both span and event type are the same, so
the type is part of the mention (`Nugget`); types are compared without case and punctuation. A
mention of type ``NOT_ANNOTATED`` has none, and is a plain span, as in other formats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import consecutive, is_empty, mention_of, pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import (
    Notes,
    in_cell,
    numbered_lines,
    share_of_lines,
    unwritten_problem,
)
from corefmeter.formats.source import LONGEST_MENTION, Source
from corefmeter.formats.writing import flat_name
from corefmeter.problems import Problem
from corefmeter.wings.traditions.formats.rows import Row

_BEGIN = re.compile(r"#BeginOfDocument\b\s*(.*)")
_END = re.compile(r"#EndOfDocument\b")
_SNIFF = re.compile(rb"^#BeginOfDocument\b", re.MULTILINE)
_LINE = re.compile(rb"^(?:[#@]|[^\t\n]*\t[^\t\n]+\t)", re.MULTILINE)
_DIGITS = 12
_TOKEN = re.compile(r"[A-Za-z]*(\d{1,12})")
_ENDS = re.compile(r"(\d{1,12}),(\d{1,12})")
_TYPE = re.compile(r"[\W_]+")

#: What a file says where it has no type or no realis.
_MISSING = "NOT_ANNOTATED"
_NO_TYPE = _TYPE.sub("", _MISSING).lower()

_COLUMNS = ("system", "document", "id", "span", "text", "type", "realis")


class Nugget(tuple[Any, ...]):
    """A span, or the tuple of its pieces, that is equal only to one of the same event type.

    Examples
    --------
    >>> Nugget((3, 4), "Conflict_Attack") == Nugget((3, 4), "conflict.attack")
    True
    >>> Nugget((3, 4), "Conflict_Attack") == Nugget((3, 4), "Life_Die")
    False
    """

    type: str

    def __new__(cls, span: Iterable[Any], type: str) -> Nugget:
        """A nugget of this type."""
        nugget = super().__new__(cls, span)
        nugget.type = _TYPE.sub("", type).lower()
        return nugget

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nugget) and self.type == other.type and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((tuple(self), self.type))

    def __repr__(self) -> str:
        return f"Nugget({tuple(self)}, {self.type!r})"


class _Relation(NamedTuple):
    """A relation, or an entity with its name as kind."""

    kind: str
    ids: list[str]
    line: int


class _Block:
    """The lines of a document; rows by the ids of their nuggets."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.rows: dict[str, Row] = {}
        self.clusters: list[_Relation] = []
        self.relations: list[_Relation] = []


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file that is called so, or by its lines, if a document begins in the first block."""
    if path.endswith(".tbf"):
        return Claim()
    return Claim(share_of_lines(head, _LINE)) if _SNIFF.search(head) else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file."""
    notes = Notes(source.path)
    reader = _Reader(notes)
    for number, line in numbered_lines(source, notes):
        reader.read(number, line)
    reader.missing_end("before the file ends")
    characters = _counts_characters(row for block in reader.blocks for row in block.rows.values())
    documents = []
    for number, block in enumerate(reader.blocks, 1):
        numbered = not block.name
        if numbered:
            block.name = f"document {number}"
            reason = "the document has no name; it is numbered"
            notes.warn("unnamed-document", reason, block.line, document=block.name)
        nuggets = _nuggets(block, characters)
        entities = in_text_order(_entities(block, nuggets, notes))
        relations = []
        for relation in block.relations:
            _check_ids(block, relation, notes)
            relations.append({"type": relation.kind, "ids": relation.ids})
        document = document_of(
            block.name,
            entities,
            details,
            path=notes.path,
            line=block.line,
            unit="characters" if characters else "tokens",
            attributes={"relations": relations} if relations else None,
            numbered=numbered,
        )
        documents.append(document)
    hint = 'A document begins with "#BeginOfDocument NAME".'
    return notes.result(documents, False, hint)


class _Reader:
    """The state of reading the lines of a file; of the last block if it is open."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.blocks: list[_Block] = []
        self.open = False
        self.number = 0

    def read(self, number: int, line: str) -> None:
        self.number = number
        if match := _BEGIN.match(line):
            self.missing_end("before the next begins")
            self.blocks.append(_Block(match[1].strip(), number))
            self.open = True
        elif _END.match(line):
            self.open = False
        elif not line.strip() or line.startswith("#"):
            return
        elif not self.open:
            reason = "a line that belongs to no document"
            hint = 'Begin the document with "#BeginOfDocument NAME".'
            self.notes.error("outside-document", reason, number, hint=hint)
        elif line.startswith("@"):
            self.relation(self.blocks[-1], line)
        else:
            self.nugget(self.blocks[-1], line)

    def missing_end(self, where: str) -> None:
        """Warn of a document that is still open."""
        if self.open:
            reason, hint = f"the document is not closed {where}", 'Write "#EndOfDocument".'
            name = self.blocks[-1].name
            self.notes.warn("missing-end", reason, self.number, hint=hint, document=name)

    def nugget(self, block: _Block, line: str) -> None:
        row = Row(self.number, [cell.strip() for cell in line.split("\t")], self.notes)
        if len(row.cells) < len(_COLUMNS):
            reason = f"{row.columns}; a nugget has at least {len(_COLUMNS)}"
            hint = f"They are {', '.join(_COLUMNS)}."
            if "\t" not in line and len(line.split()) >= len(_COLUMNS):
                hint = "Separate columns by TABs, not by spaces."
            row.error("bad-line", reason, None, hint)
            return
        _, name, id, *_ = row.cells
        if not block.name:
            block.name = name
            reason = "the document has no name; it is called as in its lines"
            self.notes.warn("unnamed-document", reason, block.line, document=name)
        elif name != block.name:
            reason = f"a nugget of another document, {name!r}"
            hint = "The second column is the name of the document."
            row.error("outside-document", reason, 1, hint, block.name)
        if id in block.rows:
            reason = f"the id {id} was used before, on line {block.rows[id].number}"
            hint = "Every nugget of a document has an id of its own."
            row.error("repeated-id", reason, 2, hint)
            return
        block.rows[id] = row

    def relation(self, block: _Block, line: str) -> None:
        row = Row(self.number, line.rstrip().split("\t"), self.notes)
        kind = row.cells[0][1:]
        if kind not in ("Coreference", "After", "Subevent"):
            hint = "Known: @Coreference, @After, @Subevent."
            row.error("unknown-relation", f"unknown relation {row.cells[0]!r}", 0, hint)
        elif len(row.cells) != 3:
            hint = "Write @Coreference, id, ids of nuggets joined by commas; TABs between."
            row.error("bad-line", f"{row.columns}; a relation has 3", None, hint)
        else:
            _, name, members = row.cells
            ids = [id.strip() for id in members.split(",") if id.strip()]
            if kind == "Coreference":
                block.clusters.append(_Relation(name, ids, self.number))
            else:
                block.relations.append(_Relation(kind, ids, self.number))


def _nuggets(block: _Block, characters: bool) -> dict[str, tuple[Mention, Detail]]:
    """Return the nuggets of a document with their annotation, by id."""
    nuggets: dict[str, tuple[Mention, Detail]] = {}
    for id, row in block.rows.items():
        _, _, _, text, words, type, realis = row.cells[: len(_COLUMNS)]
        span = _characters(text) if characters else _tokens(text)
        if span is not None:
            nugget = Nugget(span, type)
            # Where the file has no types it is a span, as in other formats.
            mention = span if nugget.type == _NO_TYPE else nugget
            attributes = {"id": id, "text": words, "realis": realis}
            nuggets[id] = mention, Detail(entity_type=type, attributes=attributes)
            continue
        unit = "tokens such as t3,t5"
        hint = "Tokens are numbers, with letters before them or not, parted by commas."
        if characters:
            unit = "characters such as 4,8;13,16"
            hint = "A piece of characters ends after its begin; pieces are parted by semicolons."
        row.error("bad-span", f"the span {text!r} is none of {unit}", 3, hint)
    return nuggets


def _check_ids(block: _Block, relation: _Relation, notes: Notes) -> None:
    for id in relation.ids:
        if id not in block.rows:
            hint = "Every id of a relation is that of a nugget above it."
            reason = f"{id} is no nugget of the document"
            notes.error("unknown-mention", reason, relation.line, hint=hint, document=block.name)


def _entities(block: _Block, nuggets: dict[str, tuple[Mention, Detail]], notes: Notes) -> Members:
    """Return the nuggets of each entity; one that no entity has is an entity."""
    home: dict[str, int] = {}
    entities: Members = {}
    used: Counter[str] = Counter()
    for cluster in block.clusters:
        name, ids, line = cluster
        _check_ids(block, cluster, notes)
        members = []
        spans: dict[Mention, str] = {}
        for id in ids:
            if id not in nuggets:
                continue
            if id in home:
                reason = f"{id} is in an entity already, by line {home[id]}"
                hint = "Write each entity in one line, with all of its nuggets."
                notes.error("two-entities", reason, line, hint=hint)
                continue
            home[id] = line
            twin = spans.setdefault(place_of(nuggets[id][0]), id)
            if twin != id:
                reason = f"{twin} and {id} of one entity have the same span"
                hint = "Nuggets of one entity have different spans, by TAC's rules."
                notes.error("repeated-mention", reason, line, hint=hint)
            members.append(nuggets[id])
        if members:
            entities[_free(name, entities, used)] = members
    for id, nugget in nuggets.items():
        if id not in home:
            entities[_free(id, entities, used)] = [nugget]
    return entities


def _free(name: str, entities: Members, used: Counter[str]) -> str:
    """Return a name that no other entity has; ``C`` becomes ``C'``, then ``C'2``.

    `used` counts the names made from each, so that none is tried twice.
    """
    free = name
    while free in entities:
        used[name] += 1
        free = f"{name}'{used[name] if used[name] > 1 else ''}"
    return free


def _counts_characters(rows: Iterable[Row]) -> bool:
    """Return whether the spans of a file count characters.

    Semicolons are found between pieces of characters only; letters, and more or fewer numbers than
    two, in tokens only. Two numbers may be both: then the length of the text decides, by majority.
    """
    spans = [(row.cells[3], row.cells[4]) for row in rows]
    if any(";" in span for span, _ in spans):
        return True
    votes = 0
    for span, text in spans:
        ends = span.split(",")
        if len(ends) != 2 or not all(map(str.isdecimal, ends)):
            return False
        begin, end = (int(number[:_DIGITS]) for number in ends)
        if end - begin == len(text):
            votes += 1
        elif len(text.split()) == 2:
            votes -= 1
    return votes >= 0 and bool(spans)


def _characters(span: str) -> Any:
    """Return the position of ``4,8;13,16``, or None if it is none."""
    parts = []
    for part in span.split(";"):
        match = _ENDS.fullmatch(part)
        if match is None or not int(match[1]) < int(match[2]) <= int(match[1]) + LONGEST_MENTION:
            return None
        parts.append((int(match[1]), int(match[2])))
    return mention_of(parts)


def _tokens(span: str) -> Any:
    """Return the position of ``t3,t5``, or None if it is none."""
    matches = [_TOKEN.fullmatch(part.strip()) for part in span.split(",")]
    numbers = {int(match[1]) for match in matches if match is not None}
    if None in matches:
        return None
    return mention_of((first, last + 1) for first, last in consecutive(sorted(numbers)))


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; spans as tokens, or as characters where positions count these.

    Mentions without a type get ``NOT_ANNOTATED``. What cannot be written is returned: empty nodes,
    mentions without a position, and copies of a mention in an entity.
    """
    problems: list[Problem] = []
    for document in corpus:
        name = in_cell(flat_name(document))
        stream.write(f"#BeginOfDocument {name}\n")
        clusters = []
        count = 0
        for i, entity in enumerate(document.entities):
            ids: dict[str, str] = {}
            for j, mention in enumerate(entity):
                span = _span(mention, document.unit == "characters")
                if span is None or span in ids:
                    what = f"{'the' if span is None else 'a copy of the'} mention {mention!r}"
                    code = "mention-unwritten"
                    problems.append(unwritten_problem(document, what, "left out", code))
                    continue
                count += 1
                ids[span] = f"E{count}"
                detail = document.details[i][j] if document.details else Detail()
                cells = ["corefmeter", name, ids[span], span, *_cells(document, mention, detail)]
                stream.write("\t".join(cells) + "\n")
            if len(ids) > 1:
                clusters.append((in_cell(document.entity_names[i]), ",".join(ids.values())))
        stream.writelines(f"@Coreference\t{entity}\t{ids}\n" for entity, ids in clusters)
        stream.write("#EndOfDocument\n")
    return problems


def _span(mention: Mention, characters: bool) -> str | None:
    """Return a mention as text, or None if it is no span of tokens or characters."""
    parts = pieces_if_any(place_of(mention))
    if not parts or any(map(is_empty, parts)):
        return None
    if characters:
        return ";".join(f"{begin},{end}" for begin, end in parts)
    return ",".join(f"t{token}" for begin, end in parts for token in range(begin, end))


def _cells(document: Document, mention: Mention, detail: Detail) -> list[str]:
    """Return the text, type and realis of a mention."""
    text = detail.attributes.get("text")
    if text is None and document.text is not None:
        text = document.text.string(mention)
    type = detail.entity_type or (mention.type if isinstance(mention, Nugget) else _MISSING)
    realis = str(detail.attributes.get("realis", _MISSING))
    return [" ".join(str(text or "_").split()), in_cell(type), in_cell(realis)]


FORMAT = Format(
    name="tbf",
    title="TBF (TAC event nuggets)",
    sniff=sniff,
    evidence="`#BeginOfDocument` begins a line, and most lines are of TBF; or the name ends "
    "with `.tbf`",
    read=read,
    write=write,
    endings=(".tbf",),
    units=("tokens", "characters"),
    may_be_empty=True,
)
