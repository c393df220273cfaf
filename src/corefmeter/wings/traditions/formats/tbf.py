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
from functools import lru_cache
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import consecutive, is_empty, mention_of, pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of
from corefmeter.formats.notes import (
    Notes,
    in_cell,
    number_of,
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
_NUMBER = re.compile(r"\d+")
_TOKENS = re.compile(r"\s*[A-Za-z]*\d{1,12}\s*(?:,\s*[A-Za-z]*\d{1,12}\s*)*")
_ENDS = re.compile(r"(\d{1,12}),(\d{1,12})")
_PUNCTUATION = re.compile(r"[\W_]+")

#: What a file says where it has no type or no realis.
_MISSING = "NOT_ANNOTATED"
_NO_TYPE = "notannotated"
_NO_DETAIL = Detail()

_COLUMNS = ("system", "document", "id", "span", "text", "type", "realis")

#: By unit, how spans are written.
_SPANS = {
    "tokens": "Write numbers of tokens, with or without letters before, such as t3,t5.",
    "characters": "Write the begin and the end of each piece, such as 4,8;13,16.",
}


@lru_cache
def _normalize_type(type: str) -> str:
    """Return an event type without its case and punctuation, which do not distinguish types."""
    return _PUNCTUATION.sub("", type).lower()


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
        """Return a nugget of this type."""
        nugget = super().__new__(cls, span)
        nugget.type = _normalize_type(type)
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
    """The lines of a document: rows of nuggets by id, and rows of relations."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.nuggets: dict[str, Row] = {}
        self.relations: list[Row] = []

    def add_nugget(self, row: Row) -> None:
        if len(row.cells) < len(_COLUMNS):
            hint = f"Write the columns {', '.join(_COLUMNS)}."
            if len(row.cells) == 1 and len(row.cells[0].split()) >= len(_COLUMNS):
                hint = "Separate columns by TABs, not by spaces."
            reason = f"the line has {row.columns}, but a nugget has at least {len(_COLUMNS)}"
            row.error("bad-line", reason, None, hint)
            return
        _, name, id, *_ = row.cells
        if not self.name:
            self.name = name
            reason = "the document has no name; it gets the one in its lines"
            row.notes.warn("unnamed-document", reason, self.line, document=name)
        elif name != self.name:
            reason = f"the nugget belongs to another document, {name!r}"
            hint = "Write the name of the document in the second column."
            row.error("outside-document", reason, 1, hint, self.name)
        first = self.nuggets.setdefault(id, row)
        if first is not row:
            reason = f"the id {id} was used before, on line {first.number}"
            row.error("repeated-id", reason, 2, "Every nugget of a document has an id of its own.")

    def add_relation(self, row: Row) -> None:
        kind = row.cells[0]
        if kind not in ("@Coreference", "@After", "@Subevent"):
            hint = "Known relations are @Coreference, @After and @Subevent."
            row.error("unknown-relation", f"the relation {kind!r} is unknown", 0, hint)
        elif len(row.cells) != 3:
            hint = "Separate @Coreference, an id, and the ids of nuggets (with commas) by TABs."
            row.error("bad-line", f"the line has {row.columns}, but a relation has 3", None, hint)
        else:
            self.relations.append(row)

    def nugget_ids(self, row: Row) -> list[str]:
        """Return the ids that a relation names; note an error for each unknown one."""
        ids = [id.strip() for id in row.cells[2].split(",") if id.strip()]
        for id in ids:
            if id not in self.nuggets:
                hint = "Name nuggets of the same document only."
                reason = f"the document has no nugget {id}"
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
        entities = _make_entities(block, _read_mentions(block, unit, details))
        relations = [
            {"type": row.cells[0][1:], "ids": block.nugget_ids(row)}
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
            reason = "the line belongs to no document"
            hint = 'Begin the document with "#BeginOfDocument NAME".'
            notes.error("outside-document", reason, number, hint=hint)
        elif line.startswith("@"):
            blocks[-1].add_relation(Row(number, line.rstrip().split("\t"), notes))
        else:
            cells = tuple(map(str.strip, line.split("\t")))  # less for the collector than a list
            blocks[-1].add_nugget(Row(number, cells, notes))
    missing_end("before the file ends")
    return blocks


def _read_mentions(block: _Block, unit: str, details: bool) -> dict[str, tuple[Mention, Detail]]:
    """Return the nuggets of a document by id, with their annotation if `details` are read."""
    mentions: dict[str, tuple[Mention, Detail]] = {}
    for id, row in block.nuggets.items():
        _, _, _, text, words, type, realis = row.cells[: len(_COLUMNS)]
        span = _parse_characters(text) if unit == "characters" else _parse_tokens(text)
        if span is None:
            row.error("bad-span", f"the span {text!r} is not made of {unit}", 3, _SPANS[unit])
            continue
        nugget = Nugget(span, type)
        # Where the file has no types, the mention is a span, as in other formats.
        mention = span if nugget.type == _NO_TYPE else nugget
        detail = _NO_DETAIL
        if details:
            attributes = {"id": id, "text": words, "realis": realis}
            detail = Detail(entity_type=type, attributes=attributes)
        mentions[id] = mention, detail
    return mentions


def _make_entities(block: _Block, mentions: dict[str, tuple[Mention, Detail]]) -> Members:
    """Return the mentions of each entity; a nugget in no entity is one by itself."""
    lines: dict[str, int] = {}  # by nugget, the line of its entity
    entities: Members = {}
    copies: Counter[str] = Counter()
    for row in block.relations:
        if row.cells[0] != "@Coreference":
            continue
        members = []
        spans: dict[Mention, str] = {}
        for id in filter(mentions.__contains__, block.nugget_ids(row)):
            if id in lines:
                reason = f"{id} is already in the entity of line {lines[id]}"
                hint = "Write each entity with all of its nuggets in one line."
                row.error("two-entities", reason, None, hint)
                continue
            lines[id] = row.number
            twin = spans.setdefault(place_of(mentions[id][0]), id)
            if twin != id:
                reason = f"{twin} and {id} of one entity have the same span"
                hint = "By the rules of TAC, nuggets of one entity have different spans."
                row.error("repeated-mention", reason, None, hint)
            members.append(mentions[id])
        if members:
            entities[_free_name(row.cells[1], entities, copies)] = members
    for id, mention in mentions.items():
        if id not in lines:
            entities[_free_name(id, entities, copies)] = [mention]
    for members in entities.values():
        members.sort(key=_span_key)
    return dict(sorted(entities.items(), key=lambda entity: _span_key(entity[1][0])))


def _span_key(member: tuple[Any, Detail]) -> tuple[int, ...]:
    """Sort key: the begin and end of a nugget, as a plain tuple, which is compared faster."""
    span = member[0]
    return tuple(span if isinstance(span[0], int) else span[0])


def _free_name(name: str, entities: Members, copies: Counter[str]) -> str:
    """Return a name that no other entity has; ``C`` becomes ``C'``, then ``C'2``.

    `copies` counts the names made from each name, so that none is tried twice.
    """
    free_name = name
    while free_name in entities:
        copies[name] += 1
        free_name = f"{name}'{copies[name] if copies[name] > 1 else ''}"
    return free_name


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
        begin, end = map(number_of, ends)
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
    if _TOKENS.fullmatch(span) is None:
        return None
    numbers = sorted({int(number) for number in _NUMBER.findall(span)})
    runs = [(first, last + 1) for first, last in consecutive(numbers)]
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
                span = _format_span(mention, document.unit)
                if span is None or span in ids:
                    what = f"{'the' if span is None else 'a copy of the'} mention {mention!r}"
                    code = "mention-unwritten"
                    problems.append(unwritten_problem(document, what, "left out", code))
                    continue
                count += 1
                id = ids[span] = f"E{count}"
                detail = document.details[i][j] if document.details else _NO_DETAIL
                cells = ["corefmeter", name, id, span, *_mention_cells(document, mention, detail)]
                stream.write("\t".join(cells) + "\n")
            if len(ids) > 1:
                clusters.append((in_cell(document.entity_names[i]), ",".join(ids.values())))
        stream.writelines(f"@Coreference\t{entity}\t{ids}\n" for entity, ids in clusters)
        stream.write("#EndOfDocument\n")
    return problems


def _format_span(mention: Mention, unit: str) -> str | None:
    """Return a mention as text, or None if it is not a span of tokens or characters."""
    parts = pieces_if_any(place_of(mention))
    if not parts or any(map(is_empty, parts)):
        return None
    if unit == "characters":
        return ";".join(f"{begin},{end}" for begin, end in parts)
    return ",".join(f"t{token}" for begin, end in parts for token in range(begin, end))


def _mention_cells(document: Document, mention: Mention, detail: Detail) -> list[str]:
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
