"""The brackets and links of CorefUD in the column MISC of CoNLL-U files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    Piece,
    count_nodes,
    is_run,
    is_token,
    mention_of,
    nodes,
)
from corefmeter.corpus.text import Detail
from corefmeter.formats.conllu_older import (
    LIKE,
    OlderMention,
    bracketed_columns,
    chain_parts,
    older_mentions,
    span_pieces,
)
from corefmeter.formats.notes import LineReader, column_of

if TYPE_CHECKING:
    from corefmeter.formats.entities import Member

_PART = re.compile(rb"([^\[\]]+)\[(\d{1,9})/(\d{1,9})\]")
WORD = re.compile(rb"\d{1,9}")

#: With more open mentions than this, a message does not name the one opened last.
SHOWN = 100


class Fields(NamedTuple):
    """Index of each field of an opening bracket; -1 for a field that the header lacks."""

    names: list[bytes]
    entity: int
    type: int
    head: int

    @classmethod
    def parse(cls, header: bytes) -> Fields | None:
        """Return the fields that a header names; None if none of them names the entity.

        The old names ``GRP`` (an id that is unique in its document) and ``entity`` (the type) count
        as ``eid`` and ``etype``.
        """
        names = header.split(b"-")
        new_names = {b"GRP": b"eid", b"entity": b"etype"}
        current = [new_names.get(name, name) for name in names]
        if b"eid" not in current:
            return None
        needed = (b"eid", b"etype", b"head")
        return cls(names, *(current.index(name) if name in current else -1 for name in needed))


_USUAL = Fields([b"eid", b"etype", b"head", b"other"], 0, 1, 2)


#: A place in the file: the line, its number, and the index of the byte in it.
_Place = tuple[bytes, int, int]

#: An opening bracket: its word (for an empty node, the next word), the number of empty nodes of the
#: document before it, its fields, its attributes if details are wanted (else None), and its place.
_Opening = tuple[int, int, list[bytes], dict[str, Any] | None, _Place]


class _Parts:
    """A mention with gaps: its first bracket, its number of parts, and the parts read so far."""

    __slots__ = ("done", "first", "pieces", "total")

    def __init__(self, first: _Opening, total: int) -> None:
        self.first = first
        self.total = total
        self.done = 0
        self.pieces: list[tuple[int, ...]] = []


#: The mentions of an entity so far and, with details, the detail of each.
_Entity = tuple[list[Mention], list[Detail]]


class BracketReader(LineReader):
    """The state of reading brackets; `corefmeter.formats.conllu` reads words and documents."""

    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.fields = _USUAL
        self.max_splits = len(_USUAL.names) - 1
        self.has_header = False
        self.heads: dict[bytes, int] = {b"": 0}
        self.known: dict[bytes, dict[str, str]] = {}  # attributes by the text of their fields
        self.types: dict[bytes, str | None] = {}
        self.document: Document | None = None
        self.unread_names: Counter[str] = Counter()  # of attributes that look like coreference
        #: While there is no entity: the columns of cells with brackets as in CoNLL files.
        self.bracketed_columns: Counter[str] = Counter()
        self.has_entities = False
        self.leave_document()

    def leave_document(self) -> None:
        """Reset the per-document state."""
        self.document = None
        self.entities: dict[bytes, _Entity] = {}
        self.open: dict[bytes, list[_Opening]] = {}
        self.parts: dict[bytes, list[_Parts]] = {}
        self.empty: list[EmptyNode] = []  # empty nodes of the document
        self.deps: dict[EmptyNode, tuple[tuple[Any, str], ...]] = {}
        self.latest: dict[bytes, dict[str, Any]] = {}  # attributes of the last mention by entity
        self.members: list[Member] = []  # of plural entities
        #: Bridging: the anaphor's attributes, the link with the anchor as member, the relation.
        self.bridging: list[tuple[dict[str, Any], Member, str]] = []
        self.bridges_seen = 0  # without details
        self.plurals_seen: set[bytes] = set()
        self.sentence_mentions: list[tuple[OlderMention, Node, _Place]] = []
        self.chain_starts: dict[bytes, list[Node]] = {}  # first words of open mentions by chain

    def read_header(self, value: bytes) -> None:
        """Set the fields of the brackets that follow."""
        fields = Fields.parse(value)
        if fields is not None:
            self.fields, self.max_splits = fields, len(fields.names) - 1
            self.has_header = True
            self.known = {}
        else:
            reason = f"global.Entity names no field for the entity: {text_of(value)!r}"
            hint = "Name the entity field eid, and keep the order of fields."
            self.note("bad-header", reason, "error", hint=hint)

    def read_misc(self, line: bytes, node: Node) -> None:
        """Read a line whose MISC may hold brackets and links."""
        start = line.rfind(b"\t") + 1
        misc = line[start:].rstrip()
        if misc[:7] == b"Entity=" and self.has_header and b"|" not in misc:
            # The fast path: brackets are the only attribute.
            self.read_brackets(misc[7:], line, start + 7, node)
            return
        is_older = b"ClusterId" in misc or b"coref_chains=" in misc
        was_read = False
        if is_older or b"-id" in misc:
            was_read = self.read_older_misc(misc, (line, self.line, start), node)
        if not was_read and (is_older or not self.entities) and (match := LIKE.search(misc)):
            self.unread_names[text_of(match[1])] += 1
        if b"Entity=" not in misc and b"Bridge=" not in misc and b"Split" not in misc:
            return
        if b"ClusterId" in misc and not self.has_header:
            return
        links: list[tuple[bytes, bytes, int]] = []
        for attribute in misc.split(b"|"):
            name, _, value = attribute.partition(b"=")
            at = start + len(name) + 1
            if name == b"Entity":
                if not self.has_header:
                    self.report_missing_header()
                self.read_brackets(value, line, at, node)
            elif name in (b"Bridge", b"SplitAnte", b"Split"):
                links.append((name, value, at))
            start += len(attribute) + 1
        # A link may name an entity whose bracket comes later in the same cell.
        for name, value, at in links:
            self.read_links(name, value, line, at)

    def report_missing_header(self) -> None:
        """Report brackets before the header that declares their fields, once."""
        self.has_header = True
        reason = "Entity is used here, but no global.Entity defines its fields"
        hint = 'Write "# global.Entity = " and the names of the fields before the first sentence, '
        hint += "in the order used in the brackets. The entity field is called eid."
        self.note("missing-header", reason, "error", hint=hint)

    # CorefUD 0.x and Stanza

    def read_older_misc(self, misc: bytes, place: _Place, node: Node) -> bool:
        """Read, or after a header count, older annotation; return whether the word has any."""
        mentions = list(older_mentions(misc))
        parts = chain_parts(misc)
        if self.has_header and (mentions or parts):
            self.unread_names["ClusterId" if mentions else "coref_chains"] += 1
            return True
        self.sentence_mentions += [(mention, node, place) for mention in mentions]
        for part, chain in parts:
            self.entities.setdefault(chain, ([], []))
            starts = self.chain_starts.setdefault(chain, [])
            if part == b"start":
                starts.append(node)
            elif part == b"unit" or (part == b"end" and starts):
                first = starts.pop() if part == b"end" else node
                self.add_older_mention(chain, mention_of([_run_between(first, node)]), first, b"")
            elif part == b"end":
                self.report_unopened(chain, place)
        return bool(mentions or parts)

    def add_older_mention(
        self, name: bytes, mention: Mention, head: Node, type: bytes
    ) -> dict[str, Any]:
        """Add a mention to an entity; return its attributes, to which links are added."""
        mentions, details = self.entities[name]
        mentions.append(mention)
        if not self.details:
            return {}
        attributes: dict[str, Any] = {"deps": self.deps[head]} if head in self.deps else {}
        details.append(self.detail(head, type, attributes))
        return attributes

    def end_older_sentence(self, base: int, words: int, empty: Sequence[Node]) -> None:
        """Read the mentions of CorefUD 0.x and Stanza in a sentence that ends."""
        for mention, node, place in self.sentence_mentions:
            if mention.entity not in self.entities:
                self.new_entity(mention.entity, place)
            span = span_pieces(mention.span, base, words, empty) if mention.span else None
            if span is None and mention.span:
                shown = text_of(mention.span)
                reason = f"MentionSpan={shown} is not a span of the sentence's words"
                self.error_at(place, "bad-span", reason, "Write the ids of words, such as 1-3,5.")
                continue
            joined = mention_of(span or [_run_between(node, node)])
            attributes = self.add_older_mention(mention.entity, joined, node, mention.type)
            self.add_older_links(mention, attributes, place)
        for chain, starts in self.chain_starts.items():
            if starts:
                reason = f"chain {text_of(chain)} has a start without an end in its sentence"
                self.note("unclosed-mention", reason, "error")
        self.sentence_mentions, self.chain_starts = [], {}

    def add_older_links(
        self, mention: OlderMention, attributes: dict[str, Any], place: _Place
    ) -> None:
        """Store the bridges and members of a mention; without details, count them."""
        bridges = mention.bridges.split(b",") if mention.bridges else []
        members = re.split(rb"[,+]", mention.members) if mention.members else []
        if not self.details:
            self.bridges_seen += len(bridges)
            self.plurals_seen.update([mention.entity] if members else [])
            return
        name = text_of(mention.entity)
        line, column = place[1], column_of(place[0], place[2])
        for link in bridges:
            target, _, relation = link.partition(b":")
            member = name, text_of(target), f"Bridging={text_of(link)}", line, column
            self.bridging.append((attributes, member, text_of(relation)))
        for target in members:
            text = f"SplitAnte={text_of(mention.members)}"
            self.members.append((name, text_of(target), text, line, column))

    # What looks like coreference

    def look_in_columns(self, block: bytes) -> None:
        """Count the columns with brackets in a block that was read, unless there are entities."""
        self.has_entities = self.has_entities or bool(self.entities)
        if not self.has_entities:
            self.bracketed_columns.update(bracketed_columns(block))

    def report_unread(self) -> None:
        """Report columns and attributes that look like coreference but are not read."""
        for column, count in self.bracketed_columns.items() if not self.has_entities else ():
            reason = f"brackets in the column {column} look like coreference of CoNLL files, but "
            self.warn("no-coreference", f"{reason}are not read", count=count)
        for name, count in self.unread_names.items():
            cause = "the name is unknown"
            if self.has_header:
                cause = "brackets of Entity are read"
            elif name.startswith(("ClusterId", "coref_chains")):
                cause = "its value has an unknown form"
            reason = f"{name} in MISC looks like coreference, but is not read: {cause}"
            self.warn("no-coreference", reason, count=count)

    # Brackets

    def read_brackets(self, cell: bytes, line: bytes, at: int, node: Node) -> None:
        """Parse all brackets of a word or an empty node.

        After each ``(`` comes one opening bracket, which may be closed at once, and then any number
        of closing brackets.
        """
        if is_token(node):
            start, end, empty = node, node + 1, len(self.empty)
        else:
            start, end, empty = node[0], node[0], len(self.empty) - 1
        number = self.line
        leading, *opened_texts = cell.split(b"(")
        if leading:
            if leading.find(b")") == len(leading) - 1:  # one bracket, the usual case
                self.close_bracket(leading[:-1], end, (line, number, at))
            else:
                self.close_brackets(leading.split(b")"), cell, end, (line, number, at))
            at += len(leading)
        for text in opened_texts:
            place = line, number, at
            if text[-1:] != b")" and b")" not in text:
                self.open_bracket(text, start, empty, None, place)
            else:
                body, *closing = text.split(b")")
                self.open_bracket(body, start, empty, end, place)
                if closing[0] or len(closing) > 1:
                    self.close_brackets(closing, cell, end, (line, number, at + len(body) + 2))
            at += len(text) + 1

    def close_brackets(self, bodies: list[bytes], cell: bytes, end: int, place: _Place) -> None:
        """Read closing brackets before the word `end`; text behind the last one is an error."""
        line, number, at = place
        for body in bodies[:-1]:
            self.close_bracket(body, end, (line, number, at))
            at += len(body) + 1
        if bodies[-1]:
            reason = f"the annotation {text_of(cell)!r} is not made of (ID-..., ID) and (ID-...)"
            self.note("bad-cell", reason, "error", column=column_of(line, at))

    def open_bracket(
        self, body: bytes, start: int, empty: int, end: int | None, place: _Place
    ) -> None:
        """Read an opening bracket; `end` is the word after it if it is closed at once."""
        fields = body.split(b"-", self.max_splits)
        index = self.fields.entity
        name = fields[index] if len(fields) > index else b""
        if not name or name[:1] == b"[":
            self.error_at(place, "bad-cell", f"the bracket {text_of(body)!r} names no entity")
            return
        attributes = self.attributes(body, name, fields) if self.details else None
        opening = start, empty, fields, attributes, place
        entity = name
        if name[-1:] == b"]":
            part = _PART.fullmatch(name)
            if part is None:
                hint = "Write the parts of a mention as e1[1/2] and e1[2/2]."
                reason = f"{text_of(name)!r} is not a part of a mention"
                self.error_at(place, "bad-part", reason, hint)
                return
            entity, number, total = part[1], int(part[2]), int(part[3])
            if number == 1 <= total:
                self.parts.setdefault(entity, []).append(_Parts(opening, total))
            elif self.mention_to_continue(entity, number, total) is None:
                reason = f"part {number} of {total} of a mention of entity {text_of(entity)} does "
                reason += f"not follow part {number - 1} of {total}"
                hint = "Number the parts 1, 2, ..., and close each before the next is opened."
                self.error_at(place, "bad-part", reason, hint)
                return
            else:
                attributes = None  # those of the first part count
        if entity not in self.entities:
            self.new_entity(entity, place)
        if attributes is not None:
            self.latest[entity] = attributes
        if end is not None:
            self.add_closed_bracket(name, opening, end)
        else:
            self.open.setdefault(name, []).append(opening)

    def new_entity(self, name: bytes, place: _Place) -> None:
        """Add an entity that is named for the first time."""
        self.entities[name] = [], []
        try:
            name.decode()
        except UnicodeDecodeError:
            reason = f"the name of an entity is not UTF-8: {text_of(name)}"
            self.error_at(place, "not-text", reason, "Save the file as UTF-8.")

    def close_bracket(self, body: bytes, end: int, place: _Place) -> None:
        """Read a closing bracket; `end` is the word after it."""
        name = body
        if body not in self.open and b"-" in body:
            # In the oldest files a closing bracket repeats the fields before the entity.
            fields = body.split(b"-", self.max_splits)
            name = fields[min(self.fields.entity, len(fields) - 1)]
        openings = self.open.get(name)
        if openings is None:
            self.report_unopened(name, place)
            return
        opening = openings.pop()
        if not openings:
            del self.open[name]
        self.add_closed_bracket(name, opening, end)

    def mention_to_continue(self, entity: bytes, number: int, total: int) -> _Parts | None:
        """Return the last mention with gaps of an entity that lacks part `number` next, or None."""
        unfinished = reversed(self.parts.get(entity, []))
        return next((m for m in unfinished if (m.done + 1, m.total) == (number, total)), None)

    def add_closed_bracket(self, name: bytes, opening: _Opening, end: int) -> None:
        """Add the mention, or the part of one, between a bracket and the word `end`."""
        start, empty, _, _, place = opening
        if name[-1:] != b"]":
            mention: Mention = (start, end)
            if len(self.empty) > empty:
                mention = mention_of(_nodes_of_bracket(start, end, self.empty[empty:]))
            self.add_mention(name, opening, mention)
            return
        part = _PART.fullmatch(name)
        assert part is not None
        entity, number, total = part[1], int(part[2]), int(part[3])
        parts = self.mention_to_continue(entity, number, total)
        if parts is None:
            self.error_at(place, "bad-part", f"part {number} of {total} occurs twice")
            return
        parts.done = number
        parts.pieces += _nodes_of_bracket(start, end, self.empty[empty:])
        if number == total:
            self.parts[entity].remove(parts)
            self.add_mention(entity, parts.first, mention_of(parts.pieces))

    def add_mention(self, name: bytes, opening: _Opening, mention: Mention) -> None:
        """Add a complete mention to its entity, after checking its head."""
        _, _, fields, attributes, place = opening
        mentions, details = self.entities[name]
        mentions.append(mention)
        _, _, type_index, head_index = self.fields
        text = fields[head_index] if len(fields) > head_index >= 0 else b""
        index = self.heads.get(text)
        if index is None:
            if not WORD.fullmatch(text) or not int(text):
                reason = f"the head {text_of(text)!r} is not a positive integer"
                self.error_at(place, "bad-head", reason)
                return
            index = self.heads[text] = int(text) - 1
        head = _node_at(mention, index)
        if head is None:
            reason = f"the head of this mention of entity {text_of(name)} is word {index + 1}, but "
            reason += f"the mention has {count_nodes(mention)}"
            hint = "Count the head in the words of the mention, from 1."
            self.error_at(place, "bad-head", reason, hint)
        elif attributes is not None:
            if self.deps and head in self.deps:
                attributes["deps"] = self.deps[head]
            type = fields[type_index] if len(fields) > type_index >= 0 else b""
            details.append(self.detail(head, type, attributes))

    def detail(self, head: Node, type: bytes, attributes: dict[str, Any]) -> Detail:
        """Return the detail of a mention; it shares `attributes`, to which links may be added."""
        if type not in self.types:  # the same text is kept once
            self.types[type] = text_of(type) or None
        detail = Detail(head=head, entity_type=self.types[type])
        detail.attributes = attributes
        return detail

    def attributes(self, body: bytes, name: bytes, fields: list[bytes]) -> dict[str, Any]:
        """Return a bracket's fields by name, except entity, type and head."""
        used = self.fields[1:]
        key = body if self.fields.entity else body[len(name) :]
        if key not in self.known:
            self.known[key] = attributes = {}
            for index, (field, text) in enumerate(zip(self.fields.names, fields, strict=False)):
                if index not in used and text:
                    attributes.update(_attributes_of_field(text_of(field), text_of(text)))
        return dict(self.known[key])

    # Links

    def read_links(self, kind: bytes, cell: bytes, line: bytes, at: int) -> None:
        """Read ``Bridge`` (``target<source:relation``) or ``SplitAnte`` (``antecedent<source``).

        Without details, only the bridges and the plural entities are counted.
        """
        if not self.details:
            if kind == b"Bridge":
                self.bridges_seen += cell.count(b",") + 1
            else:
                self.plurals_seen.update(link.partition(b"<")[2] for link in cell.split(b","))
            return
        for link in cell.split(b","):
            target, arrow, source = link.partition(b"<")
            source, _, relation = source.partition(b":")
            attributes = self.latest.get(source)
            text = f"{text_of(kind)}={text_of(link)}"
            column = column_of(line, at)
            at += len(link) + 1
            if not arrow or not target or attributes is None or source == target:
                reason = f"{text} is left out: it does not link a mention that begins here or "
                self.note("bad-link", f"{reason}before to another entity", column=column)
                continue
            member = text_of(source), text_of(target), text, self.line, column
            if kind == b"Bridge":
                self.bridging.append((attributes, member, text_of(relation)))
            else:
                self.members.append(member)

    def add_relations(self, document: Document) -> None:
        """Add the relations to a document whose entities are complete; without details, counts."""
        if not self.details:
            counts = {"split": len(self.plurals_seen), "bridging": self.bridges_seen}
            document.unread = {
                kind: number + document.unread.get(kind, 0)
                for kind, number in counts.items()
                if number or kind in document.unread
            }
            return
        from corefmeter.corpus.relations import Bridge, Relations
        from corefmeter.formats.entities import split_antecedents

        names = set(document.entity_names)
        places = {
            id(detail.attributes): mention
            for mentions, details in (self.entities.values() if self.bridging else ())
            for mention, detail in zip(mentions, details, strict=False)
        }
        bridges = []
        for attributes, (_, anchor, text, line, column), relation in self.bridging:
            if anchor in names:
                place = places.get(id(attributes))  # none if the mention was an error
                bridges.append(Bridge(place, None, anchor, relation))
            else:
                reason = f"{text} names entity {anchor}, which does not exist, and is left out"
                hint = "The anchor must be an entity of the document."
                self.warn("bad-link", reason, line, column, hint)
        splits = split_antecedents(self, self.members, names, "warning")
        relations = Relations(splits, tuple(bridges))
        document.relations = (document.relations or Relations()).joined(relations)

    # Errors

    def report_unopened(self, name: bytes, place: _Place) -> None:
        """Report a close without an open."""
        last_open = ""
        if 0 < len(self.open) <= SHOWN:  # the search is slow
            places = ((openings[-1][-1][1:], name) for name, openings in self.open.items())
            (number, _), last = max(places)
            last_open = f"; opened last and still open: {text_of(last)}, on line {number}"
        reason = f"entity {text_of(name)} is closed but was not opened in this sentence{last_open}"
        hint = "Check the ids of the opening and the closing bracket."
        self.error_at(place, "close-without-open", reason, hint)

    def report_unclosed(self) -> None:
        """Report all brackets that are open at the end of their sentence."""
        for bracket, openings in self.open.items():
            name = text_of(bracket)
            for opening in openings:
                reason = f"entity {name} opened here is not closed in its sentence"
                hint = f'Close it with "{name})" or drop the bracket.'
                self.error_at(opening[-1], "unclosed-mention", reason, hint)
        self.open.clear()

    def report_incomplete(self) -> None:
        """Report all mentions with gaps that lack parts at the end of their document."""
        hint = "Add the parts that are missing, or lower the number after the slash."
        for entity, unfinished in self.parts.items():
            name = text_of(entity)
            for mention in unfinished:
                reason = f"a mention of entity {name} has {mention.done} of {mention.total} parts"
                self.error_at(mention.first[-1], "bad-part", reason, hint)

    def error_at(self, place: _Place, code: str, message: str, hint: str | None = None) -> None:
        """Report an error at a place that was read before."""
        line, number, at = place
        column = column_of(line, at)
        document = None if self.document is None else self.document.label
        self.note(code, message, "error", line=number, column=column, hint=hint, document=document)


def _run_between(first: Node, last: Node) -> Piece:
    """Return the piece from one word to another; an empty node `last` is a piece itself."""
    if is_token(last):
        return (first if is_token(first) else last), last + 1
    return last


def _nodes_of_bracket(start: int, end: int, empty: Sequence[EmptyNode]) -> list[Piece]:
    """Return the nodes of a bracket: its words, and the empty nodes among them."""
    return [(start, end), *empty] if start < end else [*empty]


def _node_at(mention: Mention, index: int) -> Node | None:
    """Return the word or empty node of a mention with this index, from 0; None beyond its end."""
    if is_run(mention):
        token = mention[0] + index
        return token if token < mention[1] else None
    return next(iter(nodes(mention)[index : index + 1]), None)


def _attributes_of_field(field: str, text: str) -> dict[str, str]:
    """Return the names and values of a field: ``other`` holds a list of ``name:value``."""
    if field != "other":
        return {field: text}
    return dict(item.partition(":")[::2] for item in text.split(",") if item)


def text_of(name: bytes) -> str:
    """Decode a piece of the file; bytes that are not UTF-8 are escaped."""
    return name.decode("utf-8", "backslashreplace")
