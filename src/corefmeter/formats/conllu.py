"""CoNLL-U files with CorefUD 1.x annotation: ``Entity``, ``Bridge`` and ``SplitAnte`` in MISC.

Words have ten TAB-separated columns. ``# global.Entity`` names the fields of an opening bracket,
``(e1-person-2-...`` for ``eid-etype-head-other``; ``e1)`` closes the mention of that entity which
was opened last, ``(e1-person-1-)`` is one word. Brackets follow each other without a separator. A
mention with gaps comes in parts, ``(e1[1/2]-person-2-`` ... ``e1[1/2])`` ... ``(e1[2/2]``.

``# newdoc id = X`` begins a document. Tokens are its words, counted from 0; lines of multiword
tokens (``3-4``) are none. An empty node ``i.k`` is ``(at, at, k)``, where `at` is the word that
follows, and ``(at, at, k, True)`` before the first word of a sentence. The ids are pairs of
numbers: 3.10 is not 3.1. An empty node inside a bracket belongs to the mention.

The field ``head`` counts the words of the mention from 1, empty nodes included; without it the head
is the first word.

Speed: a word without MISC costs two comparisons and a count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    Piece,
    is_run,
    mention_of,
    node_key,
    nodes,
    size,
)
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.notes import LineReader, column_of
from corefmeter.formats.source import UTF8_MARK, Source
from corefmeter.problems import DataError, Problem

if TYPE_CHECKING:
    from corefmeter.corpus.pairing import Pair

COLUMNS = 10

_PART = re.compile(rb"([^\[\]]+)\[(\d{1,9})/(\d{1,9})\]")
_RANGE = re.compile(rb"(\d{1,9})-(\d{1,9})")
_EMPTY = re.compile(rb"(\d{1,9})\.(\d{1,6})")
_WORD = re.compile(rb"\d{1,9}")
_COMMENT = re.compile(rb"#\s*(newdoc|global\.Entity|speaker)\b\s*(?:id\b\s*)?(?:=\s*(.*))?")
_ROW = re.compile(
    rb"^\d+(?:-\d+|\.\d+)?(?:\t[^\t\r\n]*){9}\r?$|^#\s*(?:newdoc|global\.Entity)\b", re.MULTILINE
)
_OTHER_COLUMNS = re.compile(rb"^#\s*global\.columns\b(?!.*\bMISC\s*$)", re.MULTILINE)


def sniff(head: bytes, path: str = "") -> bool:
    """Whether there are lines of ten columns that begin with a word id, or CorefUD comments."""
    return _ROW.search(head) is not None and _OTHER_COLUMNS.search(head) is None


class _Fields(NamedTuple):
    """Where the fields of an opening bracket stand; -1 for a field that the header lacks."""

    names: list[bytes]
    entity: int
    type: int
    head: int

    @classmethod
    def parse(cls, header: bytes) -> _Fields | None:
        """The fields that a header names; None if none of them names the entity.

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


_USUAL = _Fields([b"eid", b"etype", b"head", b"other"], 0, 1, 2)


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


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: lines without ten columns, ids out of order, annotation
        without header, brackets that are malformed, closed without having been opened or not
        closed in their sentence, heads beyond the mention, missing parts, the same document twice.
    """
    reader = _Reader(source.path, concatenate, details)
    try:
        for block in source.blocks():
            reader.lines(block)
    except DataError as error:
        # The blocks end before the line that cannot be had; what is open there is not to blame.
        for problem in error.problems:
            reader.keep(problem._replace(line=reader.line + 1))
        reader.finish()
    return reader.documents_read()


class _Reader(LineReader):
    """The state of reading one file."""

    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.fields = _USUAL
        self.most = len(_USUAL.names) - 1
        self.has_header = False
        #: How the line of the n-th word of a sentence begins; an end that no line has comes last.
        self.ids = [b"%d\t" % n for n in range(1, 200)] + [b"\n\n"]
        self.heads: dict[bytes, int] = {b"": 0}
        self.known: dict[bytes, dict[str, str]] = {}
        self.types: dict[bytes, str | None] = {}
        self.document: Document | None = None
        self.leave()

    def leave(self) -> None:
        """Be outside of documents."""
        self.document = None
        self.base = 0  # words of the document before this sentence
        self.words = 0  # words of this sentence so far
        self.in_order = True  # whether the ids of this sentence are
        self.sentences: list[int] = []
        self.breaks: list[tuple[int, int]] = []
        self.entities: dict[bytes, _Entity] = {}
        self.open: dict[bytes, list[_Opening]] = {}
        self.parts: dict[bytes, list[_Parts]] = {}
        self.empty: list[EmptyNode] = []  # empty nodes of the document
        self.empty_before = 0  # those before this sentence
        self.rows: list[bytes] = []
        self.deps: dict[EmptyNode, tuple[tuple[Any, str], ...]] = {}
        self.latest: dict[bytes, dict[str, Any]] = {}  # attributes of the last mention by entity
        self.speakers: list[tuple[int, str]] = []

    def lines(self, block: bytes) -> None:
        """Read a block of whole lines.

        The locals mirror the state of the reader; the calls may change it.
        """
        ids, rows, keep = self.ids, self.rows, self.details
        words = self.words
        number = self.line
        for number, line in enumerate(BytesIO(block), self.line + 1):
            if line.startswith(ids[words]) and self.document and line.count(b"\t") == 9:
                words += 1
                if keep:
                    rows.append(line)
                if line[-3:] != b"\t_\n":
                    self.line, self.words = number, words
                    self.annotated(line, self.base + words - 1)
                continue
            self.line, self.words = number, words
            self.unusual(line.removeprefix(UTF8_MARK))  # where files were put together
            words, rows = self.words, self.rows
        self.line, self.words = number, words

    def unusual(self, line: bytes) -> None:
        """A line that is no word, or not the word that was expected."""
        if line.isspace():
            self.end_sentence()
            self.pause()
        elif line[:1] == b"#":
            self.comment(line)
            self.pause()
        else:
            self.token(line)

    def pause(self) -> None:
        """This line is no word: the next word stands on the next line."""
        self.next_token(self.base + self.words)

    # Comments

    def comment(self, line: bytes) -> None:
        """A comment: the beginning of a document, the header, a speaker, or none of these."""
        match = _COMMENT.match(line.rstrip())
        if not match:
            return
        value = (match[2] or b"").strip()
        if match[1] == b"newdoc":
            if self.document is not None:
                self.end(self.line)
            self.begin(value)
        elif match[1] == b"speaker":
            if self.details and value:
                self.speakers.append((self.base + self.words, value.decode("utf-8", "replace")))
        elif fields := _Fields.parse(value):
            self.fields, self.most, self.has_header = fields, len(fields.names) - 1, True
            self.known = {}
        else:
            self.note(
                "bad-header",
                f"global.Entity names no field for the entity: {_text(value)!r}",
                "error",
                hint='Write "# global.Entity = eid-etype-head-other".',
            )

    def begin(self, value: bytes) -> None:
        """Start a document; one without a name is numbered."""
        name = ""
        try:
            name = value.decode()
        except UnicodeDecodeError as error:
            self.note("not-text", f"the name of the document is not UTF-8: {error}", "error")
        self.document = document = self.started(name, None, 'Write "# newdoc id = NAME".')
        self.base = document.tokens or 0
        for index, entity in enumerate(document.entity_names):  # of a document that goes on
            known = document.details[index] if document.details is not None else []
            self.entities[entity.encode()] = document.entities[index], known
        self.breaks = document.breaks

    def end(self, line: int) -> None:
        """Finish the open document; `line` is the first line that is not in it."""
        self.end_sentence()
        document = self.document
        assert document is not None
        for name, unfinished in self.parts.items():
            for mention in unfinished:
                self.error_at(
                    mention.first[-1],
                    "bad-part",
                    f"a mention of entity {_text(name)} has {mention.done} of {mention.total} "
                    "parts",
                    "Add the parts that are missing, or lower the number after the slash.",
                )
        first_token = document.tokens or 0
        document.tokens = self.base
        document.entity_names = [_text(name) for name in self.entities]
        document.entities = [mentions for mentions, _ in self.entities.values()]
        if self.details:
            document.details = [details for _, details in self.entities.values()]
            self.read_text(document, first_token)
        self.leave()

    # Sentences and words

    def end_sentence(self) -> None:
        """The end of a sentence, at a blank line or before the next document."""
        if self.open:
            self.not_closed()
        if self.words:
            if self.details:
                self.sentences.append(self.base)
            self.base += self.words
            self.words = 0
        elif len(self.empty) > self.empty_before:
            self.note("bad-id", "a sentence of empty nodes only", "error")
        self.empty_before = len(self.empty)
        self.in_order = True

    def not_closed(self) -> None:
        """Report all brackets that are open at the end of their sentence."""
        for name, openings in self.open.items():
            for opening in openings:
                self.error_at(
                    opening[-1],
                    "unclosed-mention",
                    f"entity {_text(name)} opened here is not closed in its sentence",
                    f'Close it with "{_text(name)})" or drop the bracket.',
                )
        self.open.clear()

    def token(self, line: bytes) -> None:
        """A line of columns that does not begin with the id that was expected."""
        if self.document is None:
            self.begin(b"")
            self.pause()
            self.breaks[-1] = (0, self.line)
        columns = line.rstrip(b"\r\n").split(b"\t")
        if len(columns) != COLUMNS:
            self.note(
                "bad-columns",
                f"{len(columns)} columns between TABs instead of {COLUMNS}: {_shown(line)!r}",
                "error",
            )
            self.pause()
            return
        id = columns[0]
        if _WORD.fullmatch(id):
            self.word(line, id)
        elif match := _RANGE.fullmatch(id):
            if not self.words + 1 == int(match[1]) <= int(match[2]):
                self.bad_id(id)
            if b"Entity=" in columns[-1]:
                self.note(
                    "bad-cell",
                    f"Entity on the line of the multiword token {_text(id)}",
                    "error",
                    column=column_of(line, line.rfind(b"\t") + 1),
                    hint="Write it on the lines of its words.",
                )
            self.pause()
        elif match := _EMPTY.fullmatch(id):
            self.empty_node(line, columns, int(match[1]), int(match[2]))
            self.pause()
        else:
            self.bad_id(id)
            self.pause()

    def word(self, line: bytes, id: bytes) -> None:
        """A word with an unusual id or line end."""
        if int(id) != self.words + 1:
            self.bad_id(id)
        self.words += 1
        if self.words + 1 >= len(self.ids):
            # Doubled in place, since the loop over lines holds on to this list.
            size = len(self.ids)
            self.ids[size - 1 :] = [*[b"%d\t" % n for n in range(size, 2 * size)], b"\n\n"]
        if self.details:
            self.rows.append(line)
        self.annotated(line, self.base + self.words - 1)

    def bad_id(self, id: bytes) -> None:
        """An id that does not follow; the first of a sentence is reported."""
        if self.in_order:
            after = f"after word {self.words}" if self.words else "at the beginning of a sentence"
            self.note(
                "bad-id",
                f"the id {_text(id)!r} stands {after}",
                "error",
                column=1,
                hint="Words are numbered 1, 2, ... in each sentence; a blank line ends it.",
            )
        self.in_order = False

    def empty_node(self, line: bytes, columns: list[bytes], word: int, number: int) -> None:
        """An empty node."""
        node = self.node(word, number)
        follows = len(self.empty) == self.empty_before or node_key(self.empty[-1]) < node_key(node)
        if word != self.words or not follows:
            self.bad_id(columns[0])
            return
        self.empty.append(node)
        if self.details and columns[8] != b"_":
            self.deps[node] = tuple(self.dependencies(columns[8], line))
        self.annotated(line, node)

    def node(self, word: int, number: int) -> EmptyNode:
        """The empty node ``word.number`` of this sentence."""
        at = self.base + word
        return (at, at, number) if word else (at, at, number, True)

    def dependencies(self, cell: bytes, line: bytes) -> Iterable[tuple[Any, str]]:
        """The parents and relations that an enhanced dependency cell names."""
        for item in cell.split(b"|"):
            parent, _, relation = item.partition(b":")
            if match := _EMPTY.fullmatch(parent):
                yield self.node(int(match[1]), int(match[2])), _text(relation)
            elif _WORD.fullmatch(parent):
                yield self.base + int(parent) - 1 if int(parent) else -1, _text(relation)
            else:
                self.note(
                    "bad-link",
                    f"the enhanced dependency {_text(item)!r} has no parent; it is left out",
                    column=column_of(line, line.find(cell)),
                )

    # Annotation

    def annotated(self, line: bytes, node: Node) -> None:
        """A line whose MISC may hold brackets and links."""
        start = line.rfind(b"\t") + 1
        misc = line[start:].rstrip()
        if misc[:7] == b"Entity=" and self.has_header and b"|" not in misc:
            self.chunks(misc[7:], line, start + 7, node)
            return
        if b"Entity=" not in misc and not (
            self.details and (b"Bridge=" in misc or b"Split" in misc)
        ):
            return
        links: list[tuple[bytes, bytes, int]] = []
        for attribute in misc.split(b"|"):
            name, _, value = attribute.partition(b"=")
            at = start + len(name) + 1
            if name == b"Entity":
                if not self.has_header:
                    self.no_header()
                self.chunks(value, line, at, node)
            elif self.details and name in (b"Bridge", b"SplitAnte", b"Split"):
                links.append((name, value, at))
            start += len(attribute) + 1
        for name, value, at in links:
            self.links(name, value, line, at)

    def no_header(self) -> None:
        """Brackets before the header that says what their fields mean; reported once."""
        self.has_header = True
        self.note(
            "missing-header",
            "Entity stands here, but no global.Entity says what its fields mean",
            "error",
            hint='Write "# global.Entity = eid-etype-head-other" before the first sentence.',
        )

    def chunks(self, cell: bytes, line: bytes, at: int, node: Node) -> None:
        """All brackets of a word or an empty node.

        Between two ``(`` stands at most one opening bracket, closed at once or not, and then
        closing ones.
        """
        if isinstance(node, int):
            start, end, empty = node, node + 1, len(self.empty)
        else:
            start, end, empty = node[0], node[0], len(self.empty) - 1
        number = self.line
        first, *others = cell.split(b"(")
        if first:
            *closing, rest = first.split(b")")
            for body in closing:
                self.closing(body, end, (line, number, at))
                at += len(body) + 1
            if rest:
                self.bad_cell(cell, line, at)
        for text in others:
            place = line, number, at
            if text[-1:] != b")" and b")" not in text:
                self.opening(text, start, empty, None, place)
            else:
                body, *closing, rest = text.split(b")")
                self.opening(body, start, empty, end, place)
                at += len(body) + 2
                for body in closing:
                    self.closing(body, end, (line, number, at))
                    at += len(body) + 1
                if rest:
                    self.bad_cell(cell, line, at)
                at -= len(text) + 1 - len(rest)
            at += len(text) + 1

    def bad_cell(self, cell: bytes, line: bytes, at: int) -> None:
        """Something between brackets that is none."""
        self.note(
            "bad-cell",
            f"the annotation {_text(cell)!r} is not made of (ID-..., ID) and (ID-...)",
            "error",
            column=column_of(line, at),
        )

    def opening(self, body: bytes, start: int, empty: int, end: int | None, place: _Place) -> None:
        """An opening bracket; `end` is the word after it if it is closed at once."""
        fields = body.split(b"-", self.most)
        index = self.fields.entity
        name = fields[index] if len(fields) > index else b""
        if not name or name[:1] == b"[":
            self.error_at(place, "bad-cell", f"no entity is named in the bracket {_text(body)!r}")
            return
        attributes = self.attributes(body, name, fields) if self.details else None
        opening = start, empty, fields, attributes, place
        entity = name
        if name[-1:] == b"]":
            part = _PART.fullmatch(name)
            if not part or not self.part_opened(part[1], int(part[2]), int(part[3]), opening):
                if not part:
                    hint = "Write the parts of a mention as e1[1/2] and e1[2/2]."
                    reason = f"{_text(name)!r} names no part of a mention"
                    self.error_at(place, "bad-part", reason, hint)
                return
            entity = part[1]
            if int(part[2]) > 1:
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
        """An entity that is named for the first time."""
        self.entities[name] = [], []
        try:
            name.decode()
        except UnicodeDecodeError:
            reason = f"an entity is not named in UTF-8: {_text(name)}"
            self.error_at(place, "not-text", reason, "Save the file as UTF-8.")

    def closing(self, body: bytes, end: int, place: _Place) -> None:
        """A closing bracket; `end` is the word after it."""
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

    def part_opened(self, entity: bytes, number: int, total: int, opening: _Opening) -> bool:
        """Whether a part follows the parts before it."""
        unfinished = self.parts.setdefault(entity, [])
        if number == 1 <= total:
            unfinished.append(_Parts(opening, total))
            return True
        for mention in reversed(unfinished):
            if mention.total == total and mention.done == number - 1:
                return True
        self.error_at(
            opening[-1],
            "bad-part",
            f"part {number} of {total} of a mention of entity {_text(entity)} does not follow "
            f"part {number - 1} of {total}",
            "Parts are numbered 1, 2, ...; each is closed before the next is opened.",
        )
        return False

    def closed(self, name: bytes, opening: _Opening, end: int) -> None:
        """A bracket that was closed before the word `end`."""
        start, empty, *_ = opening
        if name[-1:] == b"]":
            self.part_closed(name, opening, end)
        elif len(self.empty) > empty:
            self.finished(name, opening, mention_of(_parts(start, end, self.empty[empty:])))
        else:
            self.finished(name, opening, (start, end))

    def part_closed(self, name: bytes, opening: _Opening, end: int) -> None:
        """The end of a part; with the last one the mention is complete."""
        start, empty, *_, place = opening
        part = _PART.fullmatch(name)
        assert part is not None
        entity, number, total = part[1], int(part[2]), int(part[3])
        unfinished = self.parts[entity]
        for mention in reversed(unfinished):
            if mention.total == total and mention.done == number - 1:
                break
        else:
            self.error_at(place, "bad-part", f"part {number} of {total} stands twice")
            return
        mention.done = number
        mention.pieces += _parts(start, end, self.empty[empty:])
        if number == total:
            unfinished.remove(mention)
            self.finished(entity, mention.first, mention_of(mention.pieces))

    def finished(self, name: bytes, opening: _Opening, mention: Mention) -> None:
        """A mention that is complete."""
        _, _, fields, attributes, place = opening
        mentions, details = self.entities[name]
        mentions.append(mention)
        _, _, kind_index, head_index = self.fields
        text = fields[head_index] if len(fields) > head_index >= 0 else b""
        index = self.heads.get(text)
        if index is None:
            if not _WORD.fullmatch(text) or not int(text):
                self.error_at(place, "bad-head", f"the head {_text(text)!r} is no number from 1 on")
                return
            index = self.heads[text] = int(text) - 1
        head = _nth(mention, index)
        if head is None:
            self.error_at(
                place,
                "bad-head",
                f"the head of this mention of entity {_text(name)} is word {index + 1}, but the "
                f"mention has {size(mention)}",
                "The head is counted within the words of the mention, from 1.",
            )
        elif attributes is not None:
            if self.deps and head in self.deps:
                attributes["deps"] = self.deps[head]
            kind = fields[kind_index] if len(fields) > kind_index >= 0 else b""
            detail = Detail(head=head, entity_type=self.type(kind))
            detail.attributes = attributes  # this very mapping, since links may still be added
            details.append(detail)

    def type(self, kind: bytes) -> str | None:
        """The type of an entity; the same text is kept once."""
        if kind not in self.types:
            self.types[kind] = _text(kind) or None
        return self.types[kind]

    def attributes(self, body: bytes, name: bytes, fields: list[bytes]) -> dict[str, Any]:
        """The fields of a bracket beside entity, type and head, by name."""
        used = self.fields[1:]
        key = body if self.fields.entity else body[len(name) :]
        if key not in self.known:
            self.known[key] = {
                name: value
                for index, (field, text) in enumerate(zip(self.fields.names, fields, strict=False))
                if index not in used and text
                for name, value in _named(_text(field), _text(text))
            }
        return dict(self.known[key])

    def links(self, kind: bytes, cell: bytes, line: bytes, at: int) -> None:
        """``Bridge`` (``target<source:relation``) and ``SplitAnte`` (``antecedent<source``)."""
        for link in cell.split(b","):
            target, arrow, source = link.partition(b"<")
            source, _, relation = source.partition(b":")
            attributes = self.latest.get(source)
            if not arrow or not target or attributes is None or source == target:
                self.note(
                    "bad-link",
                    f"{_text(kind)}={_text(link)} does not link a mention that begins here or "
                    "before to another entity; it is left out",
                    column=column_of(line, at),
                )
            elif kind == b"Bridge":
                known = attributes.get("bridging", ())
                attributes["bridging"] = (*known, (_text(target), _text(relation)))
            else:
                known = attributes.get("split_antecedents", ())
                attributes["split_antecedents"] = (*known, _text(target))
            at += len(link) + 1

    def stray(self, name: bytes, place: _Place) -> None:
        """A close without an open."""
        others = ""
        if self.open:
            (number, _), last = max(
                (openings[-1][-1][1:], name) for name, openings in self.open.items()
            )
            others = f"; opened last and still open: {_text(last)}, on line {number}"
        self.error_at(
            place,
            "close-without-open",
            f"entity {_text(name)} is closed but was not opened in this sentence{others}",
            "Check the ids of the opening and the closing bracket.",
        )

    # The words

    def read_text(self, document: Document, first_token: int) -> None:
        """The words of a document with their annotation."""
        try:
            lines = b"".join(self.rows).decode().split("\n")[: len(self.rows)]
        except UnicodeDecodeError as error:
            self.note("not-text", f"the words are not UTF-8: {error}", "error")
            return
        if not lines:
            document.text = document.text or Text([])
            return
        columns = list(zip(*[line.split("\t", 8)[:8] for line in lines], strict=True))
        words, upos, pos, heads, relations = (columns[i] for i in (1, 3, 4, 6, 7))
        text = Text(
            list(words),
            sentences=self.sentences,
            pos=_unless_empty(pos),
            upos=_unless_empty(upos),
            heads=_token_heads(heads, self.sentences, first_token),
            relations=_unless_empty(relations),
            speakers=_speakers(self.speakers, self.sentences, self.base),
            lines=_lines(self.breaks, first_token, self.base),
        )
        document.text = text if document.text is None else _joined(document.text, text)

    # Problems

    def error_at(self, place: _Place, code: str, message: str, hint: str | None = None) -> None:
        """Note an error at a place that was read before."""
        line, number, at = place
        column = column_of(line, at)
        document = None if self.document is None else self.document.label
        self.note(code, message, "error", line=number, column=column, hint=hint, document=document)

    def documents_read(self) -> tuple[list[Document], list[Problem]]:
        """All documents, or all errors."""
        if self.document is not None:
            self.end(self.line + 1)
        if not self.documents and not self.errors:
            self.error("no-document", "the file holds no document")
        return list(self.documents.values()), self.finish()


def _parts(start: int, end: int, empty: Sequence[EmptyNode]) -> list[Piece]:
    """What is within a bracket: its words, and the empty nodes among them."""
    return [(start, end), *empty] if start < end else [*empty]


def _nth(mention: Mention, index: int) -> Node | None:
    """The word or empty node of a mention with this index, from 0; None beyond its end."""
    if is_run(mention):
        token = mention[0] + index
        return token if token < mention[1] else None
    return next(iter(nodes(mention)[index : index + 1]), None)


def _named(field: str, text: str) -> list[tuple[str, str]]:
    """The names and values of a field: ``other`` holds a list of ``name:value``."""
    if field != "other":
        return [(field, text)]
    return [item.partition(":")[::2] for item in text.split(",") if item]


def _unless_empty(column: Sequence[str]) -> list[str] | None:
    """A column, or None when it holds nothing."""
    return None if set(column) <= {"_"} else list(column)


def _token_heads(
    heads: Sequence[str], sentences: Sequence[int], first_token: int
) -> list[int] | None:
    """The heads as tokens of the document, -1 for a root; None when one is not there."""
    found: list[int] = []
    bounds = [*sentences[1:], first_token + len(heads)]
    try:
        for begin, end in zip(sentences, bounds, strict=True):
            for head in heads[begin - first_token : end - first_token]:
                number = int(head)
                found.append(begin + number - 1 if 0 < number <= end - begin else -1)
    except ValueError:
        return None
    return found


def _speakers(
    changes: Sequence[tuple[int, str]], sentences: Sequence[int], end: int
) -> list[str] | None:
    """The speaker of each token; a comment names that of one sentence, no comment means "-"."""
    if not changes:
        return None
    by_sentence = dict(changes)
    found: list[str] = []
    for begin, stop in zip(sentences, [*sentences[1:], end], strict=True):
        found += [by_sentence.get(begin, "-")] * (stop - begin)
    return found


def _lines(breaks: Sequence[tuple[int, int]], begin: int, end: int) -> list[int]:
    """The line of each token from `begin` to `end`."""
    found: list[int] = []
    here = [pair for pair in breaks if pair[0] >= begin]
    for (token, line), (stop, _) in zip(here, [*here[1:], (end, 0)], strict=True):
        found += range(line, line + stop - token)
    return found


def _joined(first: Text, second: Text) -> Text:
    """Two texts of one document, the second with positions that go on from the first."""

    def both(one: list[Any] | None, other: list[Any] | None) -> list[Any] | None:
        return one + other if one is not None and other is not None else None

    layers = ("words", "sentences", "pos", "upos", "heads", "relations", "speakers", "lines")
    return first.but(**{name: both(getattr(first, name), getattr(second, name)) for name in layers})


def _text(name: bytes) -> str:
    """A piece of the file as text."""
    return name.decode("utf-8", "backslashreplace")


def _shown(line: bytes) -> str:
    """The beginning of a line, for a message."""
    text = _text(line.strip())
    return text if len(text) <= 80 else f"{text[:77]}..."


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; see `corefmeter.formats.conllu_write`."""
    from corefmeter.formats import conllu_write

    return conllu_write.write(corpus, stream)


def _check(pairs: list[Pair]) -> None:
    from corefmeter.formats.conllu_check import check_sentences

    check_sentences(pairs, read)


FORMAT = Format(
    name="conllu",
    title="CoNLL-U (CorefUD)",
    sniff=sniff,
    read=read,
    write=write,
    endings=(".conllu",),
    check=_check,
)
