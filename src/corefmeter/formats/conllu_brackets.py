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
from corefmeter.formats.conllu_older import LIKE, Marked, bracketed, chains, marked, pieces
from corefmeter.formats.notes import LineReader, column_of

if TYPE_CHECKING:
    from corefmeter.formats.entities import Member

_PART = re.compile(rb"([^\[\]]+)\[(\d{1,9})/(\d{1,9})\]")
WORD = re.compile(rb"\d{1,9}")

#: Of more open mentions than this, a message does not say which was opened last.
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
        old = {b"GRP": b"eid", b"entity": b"etype"}
        known = [old.get(name, name) for name in names]
        if b"eid" not in known:
            return None
        where = [known.index(name) if name in known else -1 for name in (b"eid", b"etype", b"head")]
        return cls(names, *where)


_USUAL = Fields([b"eid", b"etype", b"head", b"other"], 0, 1, 2)


#: Where something stands: the line, its number, and the byte in it.
_Place = tuple[bytes, int, int]

#: An opening bracket: its word (of an empty node, the word that follows), how many empty nodes
#: come before, the fields, the attributes if details are wanted, and the place.
_Opening = tuple[int, int, list[bytes], dict[str, Any] | None, _Place]


class _Parts:
    """A mention with gaps: its first bracket, how many parts it has, those that were read."""

    __slots__ = ("done", "first", "pieces", "total")

    def __init__(self, first: _Opening, total: int) -> None:
        self.first = first
        self.total = total
        self.done = 0
        self.pieces: list[tuple[int, ...]] = []


#: The mentions of an entity so far and, if wanted, what is known of each.
_Entity = tuple[list[Mention], list[Detail]]


class BracketReader(LineReader):
    """The state of reading brackets; `corefmeter.formats.conllu` reads words and documents."""

    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.fields = _USUAL
        self.most = len(_USUAL.names) - 1
        self.has_header = False
        self.heads: dict[bytes, int] = {b"": 0}
        self.known: dict[bytes, dict[str, str]] = {}
        self.types: dict[bytes, str | None] = {}
        self.document: Document | None = None
        self.passed: Counter[str] = Counter()  # what looks like coreference, and is not read
        self.columns: Counter[str] = Counter()  # of cells that do, while there is no entity
        self.has_entities = False
        self.leave()

    def leave(self) -> None:
        """Be outside of documents."""
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
        self.marked: list[tuple[Marked, Node, _Place]] = []  # in this sentence
        self.begun: dict[bytes, list[Node]] = {}  # first words of mentions by chain

    def header(self, value: bytes) -> None:
        """Read the fields of brackets from here on."""
        fields = Fields.parse(value)
        if fields is not None:
            self.fields, self.most, self.has_header = fields, len(fields.names) - 1, True
            self.known = {}
        else:
            reason = f"global.Entity names no field for the entity: {text_of(value)!r}"
            hint = "Call the field that names the entity eid, and leave the order as it is."
            self.note("bad-header", reason, "error", hint=hint)

    def annotated(self, line: bytes, node: Node) -> None:
        """Read a line whose MISC may hold brackets and links."""
        start = line.rfind(b"\t") + 1
        misc = line[start:].rstrip()
        if misc[:7] == b"Entity=" and self.has_header and b"|" not in misc:
            self.chunks(misc[7:], line, start + 7, node)
            return
        known = b"ClusterId" in misc or b"coref_chains=" in misc
        read = (known or b"-id" in misc) and self.older(misc, (line, self.line, start), node)
        if not read and (known or not self.entities) and (like := LIKE.search(misc)):
            self.passed[text_of(like[1])] += 1
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
                    self.no_header()
                self.chunks(value, line, at, node)
            elif name in (b"Bridge", b"SplitAnte", b"Split"):
                links.append((name, value, at))
            start += len(attribute) + 1
        for name, value, at in links:
            self.links(name, value, line, at)

    def no_header(self) -> None:
        """Report brackets before the header that declares their fields, once."""
        self.has_header = True
        reason = "Entity is used here, but no global.Entity says what its fields mean"
        hint = 'Write "# global.Entity = " before the first sentence, and the names of the fields '
        hint += "in the order that the brackets have. The field that names the entity is eid."
        self.note("missing-header", reason, "error", hint=hint)

    # CorefUD 0.x and Stanza

    def older(self, misc: bytes, place: _Place, node: Node) -> bool:
        """Read a word's older annotation, or count it after a header; return whether it has any."""
        found = list(marked(misc))
        of_chains = chains(misc)
        if self.has_header and (found or of_chains):
            self.passed["ClusterId" if found else "coref_chains"] += 1
            return True
        self.marked += [(mention, node, place) for mention in found]
        for where, chain in of_chains:
            self.entities.setdefault(chain, ([], []))
            begun = self.begun.setdefault(chain, [])
            if where == b"start":
                begun.append(node)
            elif where == b"unit" or (where == b"end" and begun):
                first = begun.pop() if where == b"end" else node
                self.older_mention(chain, mention_of([_run(first, node)]), first, b"")
            elif where == b"end":
                self.stray(chain, place)
        return bool(found or of_chains)

    def older_mention(
        self, name: bytes, mention: Mention, head: Node, type: bytes
    ) -> dict[str, Any]:
        """Keep a mention; return its attributes."""
        mentions, details = self.entities[name]
        mentions.append(mention)
        if not self.details:
            return {}
        attributes: dict[str, Any] = {"deps": self.deps[head]} if head in self.deps else {}
        details.append(self.detail(head, type, attributes))
        return attributes

    def older_sentence(self, base: int, words: int, empty: Sequence[Node]) -> None:
        """Read the mentions of CorefUD 0.x and Stanza in a sentence that ends."""
        for mention, node, place in self.marked:
            if mention.entity not in self.entities:
                self.new_entity(mention.entity, place)
            found = pieces(mention.span, base, words, empty) if mention.span else None
            if found is None and mention.span:
                reason = f"MentionSpan={text_of(mention.span)} is no span of words of the sentence"
                self.error_at(place, "bad-span", reason, "Write the ids of words, such as 1-3,5.")
                continue
            whole = mention_of(found or [_run(node, node)])
            attributes = self.older_mention(mention.entity, whole, node, mention.type)
            self.older_links(mention, attributes, place)
        for chain, begun in self.begun.items():
            if begun:
                reason = f"chain {text_of(chain)} has a start without an end in its sentence"
                self.note("unclosed-mention", reason, "error")
        self.marked, self.begun = [], {}

    def older_links(self, mention: Marked, attributes: dict[str, Any], place: _Place) -> None:
        """Keep the bridges and members of a plural entity, or count them."""
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

    def look(self, block: bytes) -> None:
        """Look for brackets in columns of a block that was read, unless there are entities."""
        self.has_entities = self.has_entities or bool(self.entities)
        if not self.has_entities:
            self.columns.update(bracketed(block))

    def say_passed(self) -> None:
        """Report what looks like coreference and is not read."""
        for column, count in self.columns.items() if not self.has_entities else ():
            reason = f"brackets in the column {column} look like coreference of CoNLL files"
            self.warn("no-coreference", f"{reason}, and are not read", count=count)
        for name, count in self.passed.items():
            instead = "no reader knows it"
            if self.has_header:
                instead = "brackets of Entity are read"
            elif name.startswith(("ClusterId", "coref_chains")):
                instead = "its value is of no known form"
            reason = f"{name} in MISC looks like coreference, and is not read: {instead}"
            self.warn("no-coreference", reason, count=count)

    # Brackets

    def chunks(self, cell: bytes, line: bytes, at: int, node: Node) -> None:
        """Parse all brackets of a word or an empty node.

        Between two ``(`` stands at most one opening bracket, closed at once or not, and then
        closing ones.
        """
        if is_token(node):
            start, end, empty = node, node + 1, len(self.empty)
        else:
            start, end, empty = node[0], node[0], len(self.empty) - 1
        number = self.line
        before, *others = cell.split(b"(")
        if before:
            if before.find(b")") == len(before) - 1:
                self.closing(before[:-1], end, (line, number, at))
            else:
                self.closings(before.split(b")"), cell, end, (line, number, at))
            at += len(before)
        for text in others:
            place = line, number, at
            if text[-1:] != b")" and b")" not in text:
                self.opening(text, start, empty, None, place)
            else:
                body, *closing = text.split(b")")
                self.opening(body, start, empty, end, place)
                if closing[0] or len(closing) > 1:
                    self.closings(closing, cell, end, (line, number, at + len(body) + 2))
            at += len(text) + 1

    def closings(self, bodies: list[bytes], cell: bytes, end: int, place: _Place) -> None:
        """Read closing brackets before the word `end`; what stands behind the last is wrong."""
        line, number, at = place
        for body in bodies[:-1]:
            self.closing(body, end, (line, number, at))
            at += len(body) + 1
        if bodies[-1]:
            reason = f"the annotation {text_of(cell)!r} is not made of (ID-..., ID) and (ID-...)"
            self.note("bad-cell", reason, "error", column=column_of(line, at))

    def opening(self, body: bytes, start: int, empty: int, end: int | None, place: _Place) -> None:
        """Read an opening bracket; `end` is the word after it if it is closed at once."""
        fields = body.split(b"-", self.most)
        index = self.fields.entity
        name = fields[index] if len(fields) > index else b""
        if not name or name[:1] == b"[":
            self.error_at(place, "bad-cell", f"no entity is named in the bracket {text_of(body)!r}")
            return
        attributes = self.attributes(body, name, fields) if self.details else None
        opening = start, empty, fields, attributes, place
        entity = name
        if name[-1:] == b"]":
            part = _PART.fullmatch(name)
            if part is None:
                hint = "Write the parts of a mention as e1[1/2] and e1[2/2]."
                reason = f"{text_of(name)!r} names no part of a mention"
                self.error_at(place, "bad-part", reason, hint)
                return
            entity, number, total = part[1], int(part[2]), int(part[3])
            if number == 1 <= total:
                self.parts.setdefault(entity, []).append(_Parts(opening, total))
            elif self.unfinished(entity, number, total) is None:
                reason = f"part {number} of {total} of a mention of entity {text_of(entity)} does "
                reason += f"not follow part {number - 1} of {total}"
                hint = "Parts are numbered 1, 2, ...; each is closed before the next is opened."
                self.error_at(place, "bad-part", reason, hint)
                return
            else:
                attributes = None  # those of the first part count
        if entity not in self.entities:
            self.new_entity(entity, place)
        if attributes is not None:
            self.latest[entity] = attributes
        if end is not None:
            self.closed(name, opening, end)
        elif name in self.open:
            self.open[name].append(opening)
        else:
            self.open[name] = [opening]

    def new_entity(self, name: bytes, place: _Place) -> None:
        """Add an entity that is named for the first time."""
        self.entities[name] = [], []
        try:
            name.decode()
        except UnicodeDecodeError:
            reason = f"an entity is not named in UTF-8: {text_of(name)}"
            self.error_at(place, "not-text", reason, "Save the file as UTF-8.")

    def closing(self, body: bytes, end: int, place: _Place) -> None:
        """Read a closing bracket; `end` is the word after it."""
        name = body
        if body not in self.open and b"-" in body:
            # In the oldest files a closing bracket repeats the fields before the entity.
            fields = body.split(b"-", self.most)
            name = fields[min(self.fields.entity, len(fields) - 1)]
        openings = self.open.get(name)
        if openings is None:
            self.stray(name, place)
            return
        opening = openings.pop()
        if not openings:
            del self.open[name]
        self.closed(name, opening, end)

    def unfinished(self, entity: bytes, number: int, total: int) -> _Parts | None:
        """Return the last mention of an entity whose next part is this one."""
        for mention in reversed(self.parts.get(entity, [])):
            if mention.total == total and mention.done == number - 1:
                return mention
        return None

    def closed(self, name: bytes, opening: _Opening, end: int) -> None:
        """Keep what a bracket that was closed before the word `end` is around."""
        start, empty, _, _, place = opening
        if name[-1:] != b"]":
            mention: Mention = (start, end)
            if len(self.empty) > empty:
                mention = mention_of(_parts(start, end, self.empty[empty:]))
            self.finished(name, opening, mention)
            return
        part = _PART.fullmatch(name)
        assert part is not None
        entity, number, total = part[1], int(part[2]), int(part[3])
        parts = self.unfinished(entity, number, total)
        if parts is None:
            self.error_at(place, "bad-part", f"part {number} of {total} occurs twice")
            return
        parts.done = number
        parts.pieces += _parts(start, end, self.empty[empty:])
        if number == total:
            self.parts[entity].remove(parts)
            self.finished(entity, parts.first, mention_of(parts.pieces))

    def finished(self, name: bytes, opening: _Opening, mention: Mention) -> None:
        """Keep a mention that is complete."""
        _, _, fields, attributes, place = opening
        mentions, details = self.entities[name]
        mentions.append(mention)
        _, _, type_index, head_index = self.fields
        text = fields[head_index] if len(fields) > head_index >= 0 else b""
        index = self.heads.get(text)
        if index is None:
            if not WORD.fullmatch(text) or not int(text):
                reason = f"the head {text_of(text)!r} is no number from 1 on"
                self.error_at(place, "bad-head", reason)
                return
            index = self.heads[text] = int(text) - 1
        head = _nth(mention, index)
        if head is None:
            reason = f"the head of this mention of entity {text_of(name)} is word {index + 1}, but "
            reason += f"the mention has {count_nodes(mention)}"
            hint = "The head is counted within the words of the mention, from 1."
            self.error_at(place, "bad-head", reason, hint)
        elif attributes is not None:
            if self.deps and head in self.deps:
                attributes["deps"] = self.deps[head]
            type = fields[type_index] if len(fields) > type_index >= 0 else b""
            details.append(self.detail(head, type, attributes))

    def detail(self, head: Node, type: bytes, attributes: dict[str, Any]) -> Detail:
        """Return what is known of a mention, with this very mapping: links may still be added."""
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
            self.known[key] = found = {}
            for index, (field, text) in enumerate(zip(self.fields.names, fields, strict=False)):
                if index not in used and text:
                    found.update(_named(text_of(field), text_of(text)))
        return dict(self.known[key])

    # Links

    def links(self, kind: bytes, cell: bytes, line: bytes, at: int) -> None:
        """``Bridge`` (``target<source:relation``) and ``SplitAnte`` (``antecedent<source``).

        Without details they are only counted: bridges, and plural entities.
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
                reason = f"{text} does not link a mention that begins here or before to another "
                self.note("bad-link", f"{reason}entity; it is left out", column=column)
                continue
            member = text_of(source), text_of(target), text, self.line, column
            if kind == b"Bridge":
                self.bridging.append((attributes, member, text_of(relation)))
            else:
                self.members.append(member)

    def keep_relations(self, document: Document) -> None:
        """Store the relations of a document with complete entities, or only count them."""
        if not self.details:
            seen = {"split": len(self.plurals_seen), "bridging": self.bridges_seen}
            document.unread = {
                kind: number + document.unread.get(kind, 0)
                for kind, number in seen.items()
                if number or kind in document.unread
            }
            return
        from corefmeter.corpus.relations import Bridge, Relations
        from corefmeter.formats.entities import sets

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
                reason = f"{text} names entity {anchor}, which does not exist; it is left out"
                hint = "The anchor is an entity of the document."
                self.warn("bad-link", reason, line, column, hint)
        found = Relations(sets(self, self.members, names, "warning"), tuple(bridges))
        document.relations = (document.relations or Relations()).joined(found)

    # Errors

    def stray(self, name: bytes, place: _Place) -> None:
        """Report a close without an open."""
        others = ""
        if 0 < len(self.open) <= SHOWN:  # to look for it is slow
            (number, _), last = max(
                (openings[-1][-1][1:], name) for name, openings in self.open.items()
            )
            others = f"; opened last and still open: {text_of(last)}, on line {number}"
        reason = f"entity {text_of(name)} is closed but was not opened in this sentence{others}"
        hint = "Check the ids of the opening and the closing bracket."
        self.error_at(place, "close-without-open", reason, hint)

    def not_closed(self) -> None:
        """Report all brackets that are open at the end of their sentence."""
        for bracket, openings in self.open.items():
            name = text_of(bracket)
            for opening in openings:
                reason = f"entity {name} opened here is not closed in its sentence"
                hint = f'Close it with "{name})" or drop the bracket.'
                self.error_at(opening[-1], "unclosed-mention", reason, hint)
        self.open.clear()

    def not_complete(self) -> None:
        """Report all mentions with gaps that lack parts at the end of their document."""
        hint = "Add the parts that are missing, or lower the number after the slash."
        for entity, unfinished in self.parts.items():
            name = text_of(entity)
            for mention in unfinished:
                reason = f"a mention of entity {name} has {mention.done} of {mention.total} parts"
                self.error_at(mention.first[-1], "bad-part", reason, hint)

    def error_at(self, place: _Place, code: str, message: str, hint: str | None = None) -> None:
        """Note an error at a place that was read before."""
        line, number, at = place
        column = column_of(line, at)
        document = None if self.document is None else self.document.label
        self.note(code, message, "error", line=number, column=column, hint=hint, document=document)


def _run(first: Node, last: Node) -> Piece:
    """Return the words from one to another, or an empty node."""
    if is_token(last):
        return (first if is_token(first) else last), last + 1
    return last


def _parts(start: int, end: int, empty: Sequence[EmptyNode]) -> list[Piece]:
    """Return the nodes of a bracket: its words, and the empty nodes among them."""
    return [(start, end), *empty] if start < end else [*empty]


def _nth(mention: Mention, index: int) -> Node | None:
    """Return the word or empty node of a mention with this index, from 0; None beyond its end."""
    if is_run(mention):
        token = mention[0] + index
        return token if token < mention[1] else None
    return next(iter(nodes(mention)[index : index + 1]), None)


def _named(field: str, text: str) -> dict[str, str]:
    """Return the names and values of a field: ``other`` holds a list of ``name:value``."""
    if field != "other":
        return {field: text}
    return dict(item.partition(":")[::2] for item in text.split(",") if item)


def text_of(name: bytes) -> str:
    """Return a piece of the file as text."""
    return name.decode("utf-8", "backslashreplace")
