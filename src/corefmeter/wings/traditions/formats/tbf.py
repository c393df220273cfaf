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
from collections.abc import Iterable
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import consecutive, is_empty, pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.notes import (
    Notes,
    cell_column,
    in_cell,
    numbered_lines,
    share_of_lines,
    unwritten_problem,
)
from corefmeter.formats.source import LONGEST_MENTION, Source
from corefmeter.formats.writing import flat_name
from corefmeter.problems import Problem, amount

_BEGIN = re.compile(r"#BeginOfDocument\b\s*(.*)")
_END = re.compile(r"#EndOfDocument\b")
_SNIFF = re.compile(rb"^#BeginOfDocument\b", re.MULTILINE)
_LINE = re.compile(rb"^(?:[#@]|[^\t\n]*\t[^\t\n]+\t)", re.MULTILINE)
_DIGITS = 12
_TOKEN = re.compile(r"[A-Za-z]*(\d{1,12})")
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


class _Row(NamedTuple):
    """A line of a nugget."""

    id: str
    span: str
    text: str
    type: str
    realis: str
    line: int
    column: int  # of the span


class _Block:
    """The lines of a document."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.rows: dict[str, _Row] = {}
        self.clusters: list[tuple[str, list[str], int]] = []
        self.relations: list[tuple[str, list[str], int]] = []


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file that is called so, or by its lines, if a document begins in the first block."""
    if path.endswith(".tbf"):
        return Claim()
    return Claim(share_of_lines(head, _LINE)) if _SNIFF.search(head) else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: lines of fewer columns or outside of a document, invalid
        spans, ids that occur twice or do not exist, a nugget in two entities, an entity with
        the same span twice, unknown relations, the same document twice.
    """
    notes = Notes(source.path)
    reader = _Reader(notes)
    for number, line in numbered_lines(source, notes):
        reader.line(number, line)
    reader.end(None)
    hint = 'A document begins with "#BeginOfDocument NAME".'
    return notes.result(reader.documents(details), False, hint)


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.blocks: list[_Block] = []
        self.block: _Block | None = None
        self.last = 0

    def line(self, number: int, line: str) -> None:
        self.last = number
        if match := _BEGIN.match(line):
            if self.block is not None:
                self.end(number)
            self.block = _Block(match[1].strip(), number)
        elif _END.match(line):
            self.close()
        elif not line.strip() or line.startswith("#"):
            return
        elif self.block is None:
            self.notes.error(
                "outside-document",
                "a line that belongs to no document",
                number,
                hint='Begin the document with "#BeginOfDocument NAME".',
            )
        elif line.startswith("@"):
            self.relation(self.block, number, line)
        else:
            self.nugget(self.block, number, line)

    def end(self, number: int | None) -> None:
        """Close a document that is still open, at a line or at the end of the file."""
        if self.block is not None:
            where = "before the next begins" if number else "before the file ends"
            self.notes.warn(
                "missing-end",
                f"the document is not closed {where}",
                number or self.last,
                hint='Write "#EndOfDocument".',
                document=self.block.name,
            )
        self.close()

    def close(self) -> None:
        if self.block is not None:
            self.blocks.append(self.block)
        self.block = None

    def nugget(self, block: _Block, number: int, line: str) -> None:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < len(_COLUMNS):
            blanks = "\t" not in line and len(line.split()) >= len(_COLUMNS)
            self.notes.error(
                "bad-line",
                f"{amount(len(cells), 'column')}; a nugget has at least {len(_COLUMNS)}",
                number,
                hint="Separate columns by TABs, not by spaces."
                if blanks
                else f"They are {', '.join(_COLUMNS)}.",
            )
            return
        _, name, id, span, text, type, realis = cells[: len(_COLUMNS)]
        if not block.name:
            block.name = name
            reason = "the document has no name; it is called as in its lines"
            self.notes.warn("unnamed-document", reason, block.line, document=name)
        elif name != block.name:
            self.notes.error(
                "outside-document",
                f"a nugget of another document, {name!r}",
                number,
                len(cells[0]) + 2,
                "The second column is the name of the document.",
                document=block.name,
            )
        if id in block.rows:
            first, column = block.rows[id].line, len(cells[0]) + len(name) + 3
            self.notes.repeated_id(id, first, number, column, "nugget of a document")
            return
        column = cell_column(cells, 3)
        block.rows[id] = _Row(id, span, text, type, realis, number, column)

    def relation(self, block: _Block, number: int, line: str) -> None:
        cells = line.rstrip().split("\t")
        kind = cells[0][1:]
        if kind not in ("Coreference", "After", "Subevent"):
            self.notes.error(
                "unknown-relation",
                f"unknown relation {cells[0]!r}",
                number,
                1,
                hint="Known: @Coreference, @After, @Subevent.",
            )
        elif len(cells) != 3:
            self.notes.error(
                "bad-line",
                f"{amount(len(cells), 'column')}; a relation has 3",
                number,
                hint="Write @Coreference, id, ids of nuggets joined by commas; TABs between.",
            )
        else:
            ids = [id.strip() for id in cells[2].split(",") if id.strip()]
            target = block.clusters if kind == "Coreference" else block.relations
            target.append((kind if kind != "Coreference" else cells[1], ids, number))

    def documents(self, details: bool) -> list[Document]:
        rows = [row for block in self.blocks for row in block.rows.values()]
        characters = _counts_characters(rows)
        blocks = enumerate(self.blocks, 1)
        return [self.document(block, number, characters, details) for number, block in blocks]

    def document(self, block: _Block, number: int, characters: bool, details: bool) -> Document:
        numbered = not block.name
        if numbered:
            block.name = f"document {number}"
            reason = "the document has no name; it is numbered"
            self.notes.warn("unnamed-document", reason, block.line, document=block.name)
        nuggets: dict[str, tuple[Any, ...]] = {}
        for id, row in block.rows.items():
            span = _characters(row.span) if characters else _tokens(row.span)
            if span is None:
                unit = "characters such as 4,8;13,16" if characters else "tokens such as t3,t5"
                reason = f"the span {row.span!r} is none of {unit}"
                hint = (
                    "A piece of characters ends after its begin; pieces are parted by semicolons."
                )
                if not characters:
                    hint = "Tokens are numbers, with letters before them or not, parted by commas."
                self.notes.error("bad-span", reason, row.line, row.column, hint)
            else:
                nuggets[id] = _mention(span, row.type)
        entities = self.entities(block, nuggets)
        order = sorted(entities, key=lambda name: _place(nuggets[entities[name][0]]))
        members = [entities[name] for name in order]
        for _, ids, line in block.relations:
            self.check(block, ids, line)
        relations = [{"type": kind, "ids": ids} for kind, ids, _ in block.relations]
        return Document(
            block.name,
            [[nuggets[id] for id in ids] for ids in members],
            entity_names=order,
            path=self.notes.path,
            line=block.line,
            unit="characters" if characters else "tokens",
            details=[[_detail(block.rows[id]) for id in ids] for ids in members]
            if details
            else None,
            attributes={"relations": relations} if relations else None,
            numbered=numbered,
        )

    def check(self, block: _Block, ids: list[str], line: int) -> None:
        for id in ids:
            if id not in block.rows:
                hint = "Every id of a relation is that of a nugget above it."
                reason = f"{id} is no nugget of the document"
                self.notes.error("unknown-mention", reason, line, hint=hint, document=block.name)

    def entities(self, block: _Block, nuggets: dict[str, tuple[Any, ...]]) -> dict[str, list[str]]:
        """Return the ids of the nuggets of each entity, in order of their places."""
        home: dict[str, int] = {}
        entities: dict[str, list[str]] = {}
        last: dict[str, int] = {}
        for name, ids, line in block.clusters:
            self.check(block, ids, line)
            members: list[str] = []
            spans: dict[tuple[Any, ...], str] = {}
            for id in ids:
                if id not in nuggets:
                    continue
                if id in home:
                    again = f"{id} is in an entity already, by line {home[id]}"
                    hint = "Write each entity in one line, with all of its nuggets."
                    self.notes.error("two-entities", again, line, hint=hint)
                    continue
                home[id] = line
                twin = spans.setdefault(tuple(nuggets[id]), id)
                if twin != id:
                    reason = f"{twin} and {id} of one entity have the same span"
                    hint = "Nuggets of one entity have different spans, by TAC's rules."
                    self.notes.error("repeated-mention", reason, line, hint=hint)
                members.append(id)
            if members:
                entities[_free(name, entities, last)] = members
        for id in nuggets:
            if id not in home:
                entities[_free(id, entities, last)] = [id]
        for ids in entities.values():
            ids.sort(key=lambda id: _place(nuggets[id]))
        return entities


def _free(name: str, entities: dict[str, list[str]], last: dict[str, int]) -> str:
    """Return a name that no other entity has; the ids of relations need not be different.

    `last` is the number that each name was given last, so that none is tried twice.

    Examples
    --------
    >>> _free("C", {"C": []}, last := {}), _free("C", {"C": [], "C'": []}, last)
    ("C'", "C'2")
    """
    free = name
    while free in entities:
        last[name] = last.get(name, 0) + 1
        free = f"{name}'{last[name]}" if last[name] > 1 else f"{name}'"
    return free


def _counts_characters(rows: list[_Row]) -> bool:
    """Return whether the spans of a file count characters.

    Semicolons are found between pieces of characters only; letters, and more or fewer numbers than
    two, in tokens only. Two numbers may be both: then the length of the text decides, by majority.
    """
    if any(";" in row.span for row in rows):
        return True
    votes = 0
    for row in rows:
        parts = row.span.split(",")
        if len(parts) != 2 or not all(map(str.isdecimal, parts)):
            return False
        length = int(parts[1][:_DIGITS]) - int(parts[0][:_DIGITS])
        if length == len(row.text):
            votes += 1
        elif len(row.text.split()) == 2:
            votes -= 1
    return votes >= 0 and bool(rows)


def _characters(span: str) -> tuple[Any, ...] | None:
    parts = []
    for part in span.split(";"):
        ends = [int(end) for end in part.split(",") if end.isdecimal() and len(end) <= _DIGITS]
        if len(ends) != part.count(",") + 1 or len(ends) != 2:
            return None
        if not ends[0] < ends[1] <= ends[0] + LONGEST_MENTION:
            return None
        parts.append((ends[0], ends[1]))
    return _joined(sorted(parts))


def _tokens(span: str) -> tuple[Any, ...] | None:
    numbers = set()
    for part in span.split(","):
        match = _TOKEN.fullmatch(part.strip())
        if match is None:
            return None
        numbers.add(int(match[1]))
    runs = consecutive(sorted(numbers))
    return _joined([(first, last + 1) for first, last in runs])


def _joined(parts: list[tuple[int, int]]) -> tuple[Any, ...]:
    """Pieces in ascending order as a mention; those that touch are one."""
    runs = [parts[0]]
    for begin, end in parts[1:]:
        if begin <= runs[-1][1]:
            runs[-1] = runs[-1][0], max(end, runs[-1][1])
        else:
            runs.append((begin, end))
    return runs[0] if len(runs) == 1 else tuple(runs)


def _mention(span: tuple[Any, ...], type: str) -> tuple[Any, ...]:
    """Make a mention of a span and its type, or of the span alone where the file has no types."""
    nugget = Nugget(span, type)
    return span if nugget.type == _NO_TYPE else nugget


def _place(nugget: tuple[Any, ...]) -> tuple[int, ...]:
    """Return a nugget's begin and end, for sorting."""
    return tuple(nugget if isinstance(nugget[0], int) else nugget[0])


def _detail(row: _Row) -> Detail:
    attributes = {"id": row.id, "text": row.text, "realis": row.realis}
    return Detail(entity_type=row.type, attributes=attributes)


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
                    problems.append(
                        unwritten_problem(document, what, "left out", "mention-unwritten")
                    )
                    continue
                count += 1
                detail = document.details[i][j] if document.details else Detail()
                text, type, realis = _said(document, mention, detail)
                ids[span] = f"E{count}"
                cells = ["corefmeter", name, ids[span], span, text, type, realis]
                stream.write("\t".join(cells) + "\n")
            if len(ids) > 1:
                clusters.append((in_cell(document.entity_names[i]), list(ids.values())))
        for entity_name, members in clusters:
            stream.write(f"@Coreference\t{entity_name}\t{','.join(members)}\n")
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


def _said(document: Document, mention: Mention, detail: Detail) -> tuple[str, str, str]:
    """Text, type and realis of a mention."""
    text = detail.attributes.get("text")
    if text is None and document.text is not None:
        text = document.text.string(mention)
    type = detail.entity_type or (mention.type if isinstance(mention, Nugget) else _MISSING)
    realis = str(detail.attributes.get("realis", _MISSING))
    return " ".join(str(text or "_").split()), in_cell(type), in_cell(realis)


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
