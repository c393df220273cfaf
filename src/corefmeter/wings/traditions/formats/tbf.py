"""TBF, the format of TAC KBP's event nuggets.

Lines are system, document, id, span, text, event type and realis, between TABs; a line
``@Coreference`` is an entity, and nuggets in none are singletons. Spans are tokens (``t3,t5``) or
half-open pieces of characters (``4,8;13,16``), in the whole file alike. Two nuggets are the same if
both span and event type are, so the type is part of the mention (`Nugget`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import consecutive, is_empty, mention_of, pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of
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
    >>> nugget = Nugget((3, 4), "Conflict_Attack")
    >>> nugget == Nugget((3, 4), "conflict.attack"), nugget == Nugget((3, 4), "Life_Die")
    (True, False)
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


class _Block:
    """The lines of a document: nuggets by id, and relations."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.nuggets: dict[str, Row] = {}
        self.relations: list[Row] = []

    def add_nugget(self, row: Row) -> None:
        if len(row.cells) < len(_COLUMNS):
            hint = f"They are {', '.join(_COLUMNS)}."
            if len(row.cells) == 1 and len(row.cells[0].split()) >= len(_COLUMNS):
                hint = "Separate columns by TABs, not by spaces."
            reason = f"{row.columns}; a nugget has at least {len(_COLUMNS)}"
            row.error("bad-line", reason, None, hint)
            return
        _, name, id, *_ = row.cells
        if not self.name:
            self.name = name
            reason = "the document has no name; it is called as in its lines"
            row.notes.warn("unnamed-document", reason, self.line, document=name)
        elif name != self.name:
            reason = f"a nugget of another document, {name!r}"
            hint = "The second column is the name of the document."
            row.error("outside-document", reason, 1, hint, self.name)
        first = self.nuggets.setdefault(id, row)
        if first is not row:
            column = cell_column(row.cells, 2)
            row.notes.repeated_id(id, first.number, row.number, column, "nugget of a document")

    def add_relation(self, row: Row) -> None:
        kind = row.cells[0]
        if kind not in ("@Coreference", "@After", "@Subevent"):
            hint = "Known: @Coreference, @After, @Subevent."
            row.error("unknown-relation", f"unknown relation {kind!r}", 0, hint)
        elif len(row.cells) != 3:
            hint = "Write @Coreference, id, ids of nuggets joined by commas; TABs between."
            row.error("bad-line", f"{row.columns}; a relation has 3", None, hint)
        else:
            self.relations.append(row)

    def ids(self, row: Row) -> list[str]:
        """Return the ids of the nuggets of a relation; an unknown one is an error."""
        ids = [id.strip() for id in row.cells[2].split(",") if id.strip()]
        for id in ids:
            if id not in self.nuggets:
                hint = "Every id of a relation is that of a nugget above it."
                reason = f"{id} is no nugget of the document"
                row.error("unknown-mention", reason, None, hint, self.name)
        return ids


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file that is called so, or by its lines, if a document begins in the first block."""
    if path.endswith(".tbf"):
        return Claim()
    return Claim(share_of_lines(head, _LINE)) if _SNIFF.search(head) else None


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file."""
    notes = Notes(source.path)
    blocks = _read_blocks(source, notes)
    unit = _guess_unit(row for block in blocks for row in block.nuggets.values())
    documents = []
    for number, block in enumerate(blocks, 1):
        numbered = not block.name
        if numbered:
            block.name = f"document {number}"
            reason = "the document has no name; it is numbered"
            notes.warn("unnamed-document", reason, block.line, document=block.name)
        entities = _make_entities(block, _read_mentions(block, unit))
        relations = [
            {"type": row.cells[0][1:], "ids": block.ids(row)}
            for row in block.relations
            if row.cells[0] != "@Coreference"
        ]
        document = document_of(
            block.name,
            entities,
            details,
            path=notes.path,
            line=block.line,
            unit=unit,
            attributes={"relations": relations} if relations else None,
            numbered=numbered,
        )
        documents.append(document)
    return notes.result(documents, False, 'A document begins with "#BeginOfDocument NAME".')


def _read_blocks(source: Source, notes: Notes) -> list[_Block]:
    """Return the lines of a file by document."""
    blocks: list[_Block] = []
    number = 0
    is_open = False

    def missing_end(where: str) -> None:
        if is_open:
            reason, hint = f"the document is not closed {where}", 'Write "#EndOfDocument".'
            notes.warn("missing-end", reason, number, hint=hint, document=blocks[-1].name)

    for number, line in numbered_lines(source, notes):
        if match := _BEGIN.match(line):
            missing_end("before the next begins")
            blocks.append(_Block(match[1].strip(), number))
            is_open = True
        elif _END.match(line):
            is_open = False
        elif not line.strip() or line.startswith("#"):
            continue
        elif not is_open:
            reason = "a line that belongs to no document"
            hint = 'Begin the document with "#BeginOfDocument NAME".'
            notes.error("outside-document", reason, number, hint=hint)
        elif line.startswith("@"):
            blocks[-1].add_relation(Row(number, line.rstrip().split("\t"), notes))
        else:
            cells = [cell.strip() for cell in line.split("\t")]
            blocks[-1].add_nugget(Row(number, cells, notes))
    missing_end("before the file ends")
    return blocks


def _read_mentions(block: _Block, unit: str) -> dict[str, tuple[Mention, Detail]]:
    """Return the nuggets of a document with their annotation, by id."""
    mentions: dict[str, tuple[Mention, Detail]] = {}
    for id, row in block.nuggets.items():
        _, _, _, text, words, type, realis = row.cells[: len(_COLUMNS)]
        span = _parse_characters(text) if unit == "characters" else _parse_tokens(text)
        if span is not None:
            nugget = Nugget(span, type)
            # Where the file has no types it is a span, as in other formats.
            mention = span if nugget.type == _NO_TYPE else nugget
            attributes = {"id": id, "text": words, "realis": realis}
            mentions[id] = mention, Detail(entity_type=type, attributes=attributes)
        else:
            shape = "tokens such as t3,t5"
            hint = "Tokens are numbers, with letters before them or not, parted by commas."
            if unit == "characters":
                shape = "characters such as 4,8;13,16"
                hint = "A piece of characters ends after its begin; separate pieces by semicolons."
            row.error("bad-span", f"the span {text!r} is not {shape}", 3, hint)
    return mentions


def _make_entities(block: _Block, mentions: dict[str, tuple[Mention, Detail]]) -> Members:
    """Return the mentions of each entity; a nugget in no entity is one by itself."""
    home: dict[str, int] = {}  # the line of the entity of each nugget
    entities: Members = {}
    used: Counter[str] = Counter()
    for row in block.relations:
        if row.cells[0] != "@Coreference":
            continue
        members = []
        spans: dict[Mention, str] = {}
        for id in filter(mentions.__contains__, block.ids(row)):
            if id in home:
                reason = f"{id} is in an entity already, by line {home[id]}"
                hint = "Write each entity in one line, with all of its nuggets."
                row.error("two-entities", reason, None, hint)
                continue
            home[id] = row.number
            twin = spans.setdefault(place_of(mentions[id][0]), id)
            if twin != id:
                reason = f"{twin} and {id} of one entity have the same span"
                hint = "Nuggets of one entity have different spans, by TAC's rules."
                row.error("repeated-mention", reason, None, hint)
            members.append(mentions[id])
        if members:
            entities[_free_name(row.cells[1], entities, used)] = members
    for id, mention in mentions.items():
        if id not in home:
            entities[_free_name(id, entities, used)] = [mention]
    for members in entities.values():
        members.sort(key=_span_key)
    return dict(sorted(entities.items(), key=lambda entity: _span_key(entity[1][0])))


def _span_key(member: tuple[Any, Detail]) -> tuple[int, ...]:
    """Sort key: the begin and end of a nugget, as a plain tuple, which is compared faster."""
    span = member[0]
    return tuple(span if isinstance(span[0], int) else span[0])


def _free_name(name: str, entities: Members, used: Counter[str]) -> str:
    """Return a name that no other entity has; ``C`` becomes ``C'``, then ``C'2``.

    `used` counts the names made from each, so that none is tried twice.
    """
    free = name
    while free in entities:
        used[name] += 1
        free = f"{name}'{used[name] if used[name] > 1 else ''}"
    return free


def _guess_unit(rows: Iterable[Row]) -> str:
    """Return the unit that the spans of a file count: tokens or characters.

    Only characters have semicolons, between pieces. Only tokens have letters, or not exactly two
    numbers. Two numbers may be either: then the lengths of the texts decide, by majority.
    """
    spans = [(row.cells[3], row.cells[4]) for row in rows]
    if any(";" in span for span, _ in spans):
        return "characters"
    votes = 0
    for span, text in spans:
        ends = span.split(",")
        if len(ends) != 2 or not all(map(str.isdecimal, ends)):
            return "tokens"
        begin, end = (int(number[:_DIGITS]) for number in ends)
        if end - begin == len(text):
            votes += 1
        elif len(text.split()) == 2:
            votes -= 1
    return "characters" if spans and votes >= 0 else "tokens"


def _parse_characters(span: str) -> Any:
    """Parse a position such as ``4,8;13,16``; None if the text is not one."""
    parts = []
    for part in span.split(";"):
        match = _ENDS.fullmatch(part)
        if match is None or not int(match[1]) < int(match[2]) <= int(match[1]) + LONGEST_MENTION:
            return None
        parts.append((int(match[1]), int(match[2])))
    return mention_of(parts)


def _parse_tokens(span: str) -> Any:
    """Parse a position such as ``t3,t5``; None if the text is not one."""
    matches = [_TOKEN.fullmatch(part.strip()) for part in span.split(",")]
    numbers = {int(match[1]) for match in matches if match is not None}
    if None in matches:
        return None
    runs = [(first, last + 1) for first, last in consecutive(sorted(numbers))]
    return runs[0] if len(runs) == 1 else tuple(runs)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; empty nodes, mentions without a position, and copies cannot be written."""
    problems: list[Problem] = []
    for document in corpus:
        name = in_cell(flat_name(document))
        stream.write(f"#BeginOfDocument {name}\n")
        clusters = []
        count = 0
        for i, entity in enumerate(document.entities):
            ids: dict[str, str] = {}
            for j, mention in enumerate(entity):
                span = _format_span(mention, document.unit == "characters")
                if span is None or span in ids:
                    what = f"{'the' if span is None else 'a copy of the'} mention {mention!r}"
                    code = "mention-unwritten"
                    problems.append(unwritten_problem(document, what, "left out", code))
                    continue
                count += 1
                ids[span] = f"E{count}"
                detail = document.details[i][j] if document.details else Detail()
                cells = [
                    "corefmeter",
                    name,
                    ids[span],
                    span,
                    *_mention_cells(document, mention, detail),
                ]
                stream.write("\t".join(cells) + "\n")
            if len(ids) > 1:
                clusters.append((in_cell(document.entity_names[i]), ",".join(ids.values())))
        stream.writelines(f"@Coreference\t{entity}\t{ids}\n" for entity, ids in clusters)
        stream.write("#EndOfDocument\n")
    return problems


def _format_span(mention: Mention, characters: bool) -> str | None:
    """Return a mention as text, or None if it is no span of tokens or characters."""
    parts = pieces_if_any(place_of(mention))
    if not parts or any(map(is_empty, parts)):
        return None
    if characters:
        return ";".join(f"{begin},{end}" for begin, end in parts)
    return ",".join(f"t{token}" for begin, end in parts for token in range(begin, end))


def _mention_cells(document: Document, mention: Mention, detail: Detail) -> list[str]:
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
