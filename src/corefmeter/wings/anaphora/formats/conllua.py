"""CONLLUA, the CoNLL-U Plus form of Universal Anaphora, versions 1.0 and 1.1.

``# global.columns`` names the columns, ``# newdoc id`` begins a document, token ids run through it.
The column IDENTITY has brackets: ``(EntityID=1|MarkableID=m1|Min=2|SemType=dn`` opens a markable,
``)`` closes the one opened last; ``@`` may separate brackets. The same MarkableID again is another
piece of the same markable. Ids with a dot are empty nodes.

Identity is scored: the entities of the column IDENTITY. Everything else is in `relations`:

- ``EntityID=4-Pseudo`` is non-referring, so no entity
- ``ElementOf=3,7`` (in IDENTITY, or in the column SPLIT) makes an entity a member of plural ones
- the column BRIDGING: ``(MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1)``, where one of
  the anchors is enough
- the column DISCOURSE_DEIXIS, entities of their own

With details, each mention has the features of its markable.
``Min`` counts token ids from 1, both ends included; here tokens count from 0, spans are half-open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from corefmeter.corpus.model import Document, Mention, breaks_of
from corefmeter.corpus.positions import EmptyNode, Piece, common_node_counts, mention_of
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import elsewhere
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.entities import Member, Members, split_antecedents
from corefmeter.formats.notes import LineReader, number_of
from corefmeter.formats.source import Source
from corefmeter.problems import amount
from corefmeter.wings.anaphora.formats.conllua_write import COLUMNS, PSEUDO, write

_SNIFF = re.compile(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE | re.IGNORECASE)
_CHUNK = re.compile(r"\(([^()@]*)|([^()@|=\s]*\))|@")
_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id)?\s*=?\s*(.*)")
_SPEAKER = re.compile(r"#\s*speaker(?:_id)?\s*=\s*(.*)")

_FEATURES = ("EntityID", "MarkableID", "Min", "SemType", "ElementOf", "Rel", "MentionAnchor")
#: Names of features by their spellings, in lower case.
_SPELLINGS = {name.lower(): name for name in (*_FEATURES, "EntityAnchor")}
_SPELLINGS |= dict.fromkeys(("markable_id", "mentionid"), "MarkableID")


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether a line names a column IDENTITY."""
    return _SNIFF.search(head) is not None


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; DataError has all errors of the file."""
    reader = _Reader(source.path, concatenate, details)
    for line in reader.lines_of(source):
        if line.startswith("#"):
            reader.read_comment(line)
        elif line.strip():
            reader.read_row(line)
        else:
            reader.sentence_ends = True
    reader.end_document()
    hint = 'A document begins with "# newdoc id = NAME".'
    return reader.result(reader.finished, concatenate, hint)


class _Markable(NamedTuple):
    """A markable: its features, the line and column of its first opening, and its pieces."""

    name: str
    entity: str
    features: dict[str, str]
    line: int
    column: int
    pieces: list[Piece]

    @property
    def mention(self) -> Mention:
        return mention_of(self.pieces)


class _BracketColumn:
    """The markables of one document in one column of brackets."""

    def __init__(self, reader: LineReader, name: str) -> None:
        self.reader = reader
        self.name = name
        self.markables: dict[str, _Markable] = {}
        #: The open markables: each with its first token, and the number of empty nodes before it.
        self.open: list[tuple[_Markable, int, int]] = []
        self.members: list[Member] = []  # of plural entities

    def read_cell(
        self, column: int, cell: str, token: int, empties: list[EmptyNode], is_empty_node: bool
    ) -> None:
        """Read the brackets of a token or an empty node; the cell begins in this column.

        `empties` are the empty nodes of the document so far. With `is_empty_node`, the cell is of
        the last of them, and `token` is the token that follows it.
        """
        position = 0
        while position < len(cell):
            match = _CHUNK.match(cell, position)
            if match is None or (match[1] is not None and not match[1].strip()):
                reason = f"the cell {cell!r} of {self.name} is not made of (FEATURES and )"
                hint = "Write (EntityID=1|MarkableID=m1 to open a markable, and ) or m1) to close "
                self.error("bad-cell", reason, column + position, f"{hint}it.")
                return
            if match[1] is not None:
                empties_before = len(empties) - 1 if is_empty_node else len(empties)
                self.open_markable(column + position, match[1], token, empties_before)
            elif match[2]:
                end = token if is_empty_node else token + 1
                self.close_markable(column + position, match[2][:-1], end, empties)
            position = match.end()

    def error(self, code: str, reason: str, column: int, hint: str) -> None:
        self.reader.note(code, reason, "error", column=column, hint=hint)

    def open_markable(self, column: int, text: str, token: int, empties_before: int) -> None:
        """Open a markable, or another piece of one, at a token or an empty node before it."""
        features = _parse_features(text)
        line = self.reader.line
        missing = [name for name in ("EntityID", "MarkableID") if not features.get(name)]
        if missing:
            reason = f"a markable of {self.name} has no {' and no '.join(missing)}"
            self.error("missing-field", reason, column, "Write (EntityID=1|MarkableID=m1|...")
            features = {"EntityID": "?", "MarkableID": f"?{line}.{column}"} | features
        id, entity = features["MarkableID"], features["EntityID"]
        new = _Markable(id, entity, features, line, column, [])
        known = self.markables.setdefault(id, new)
        if known.entity != entity:
            reason = f"markable {id} is of entity {entity} here, but of entity {known.entity} on "
            hint = "Pieces of one markable belong to one entity."
            self.error("repeated-id", f"{reason}line {known.line}", column, hint)
        elif features.get("Min", known.features.get("Min")) != known.features.get("Min"):
            reason = f"markable {id} has another Min here; that on line {known.line} counts"
            self.reader.note("repaired", reason, column=column)
        for plural in filter(None, features.get("ElementOf", "").split(",")):
            self.members.append((plural, entity, f"ElementOf={plural}", line, column))
        self.open.append((known, token, empties_before))

    def close_markable(self, column: int, name: str, end: int, empties: list[EmptyNode]) -> None:
        """Close the markable with a name or, if the name is empty, the one opened last.

        The empty nodes since its opening belong to it.
        """
        index = len(self.open) - 1
        while index >= 0 and name and self.open[index][0].name != name:
            index -= 1
        if index < 0:
            which = f"markable {name}" if name else f"a markable of {self.name}"
            hint = 'Check for an extra ")" or a missing "(".'
            self.error("close-without-open", f"{which} is closed, but is not open", column, hint)
            return
        markable, start, empties_before = self.open.pop(index)
        if end > start:
            markable.pieces.append((start, end))
        markable.pieces.extend(empties[empties_before:])

    def report_open(self) -> None:
        for markable, _, _ in self.open:
            reason = f"markable {markable.name} opened here is never closed"
            hint = 'Close it with ")" or drop the bracket.'
            self.reader.error("unclosed-mention", reason, markable.line, markable.column, hint)
        self.open = []


class _Reader(LineReader):
    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.finished: list[Document] = []
        self.columns: dict[str, int] = {}
        self.document: Document | None = None
        self.sentence_ends = True

    def read_comment(self, line: str) -> None:
        if match := _COLUMNS.match(line):
            self.name_columns(match[1].upper().split())
        elif match := _NEWDOC.match(line):
            self.end_document()
            self.begin_document(match[1].strip())
        elif (match := _SPEAKER.match(line)) and self.document is not None:
            self.speaker = match[1].strip()

    def name_columns(self, names: list[str]) -> None:
        """Set the column names from here on, which stay the same throughout a document."""
        columns = {name: index for index, name in enumerate(names)}
        is_changed = self.document is not None and self.rows and columns != self.columns
        if len(columns) < len(names) or is_changed:
            reason = "a column is named twice, or the columns change within a document"
            hint = "Name each column once, before the first token of the document."
            self.note("bad-header", reason, "error", hint=hint)
        else:
            self.columns = columns

    def begin_document(self, name: str) -> None:
        """Begin a document; all lists that follow are of this document."""
        self.document = self.new_document(name, None, 'Write "# newdoc id = NAME".')
        self.identity = _BracketColumn(self, "IDENTITY")
        self.deixis = _BracketColumn(self, "DISCOURSE_DEIXIS")
        self.bridging: list[tuple[int, int, dict[str, str]]] = []
        self.ids: dict[str, int] = {}
        self.rows: list[tuple[int, list[str]]] = []
        self.empties: list[EmptyNode] = []
        self.sentences: list[int] = []
        self.speakers: list[str] = []
        self.speaker = ""
        self.sentence_ends = True

    def read_row(self, line: str) -> None:
        self.columns = self.columns or {name: index for index, name in enumerate(COLUMNS)}
        if self.document is None:
            hint = 'Begin the document with "# newdoc id = NAME".'
            self.note("outside-document", "a token outside any document", "error", hint=hint)
            self.begin_document(f"document {len(self.finished) + 1}")
        cells = self.split_line(line)
        id = cells[self.columns.get("ID", 0)]
        if "-" in id:
            return  # a multiword token
        token = len(self.rows)
        is_empty_node = "." in id
        if is_empty_node:
            last_at, _, number, *_ = self.empties[-1] if self.empties else (-1, -1, 0)
            self.empties.append((token, token, number + 1 if last_at == token else 1))
        else:
            self.begin_token(token, id)
        for layer in (self.identity, self.deixis):
            cell, column = self.cell_named(cells, line, layer.name)
            if cell:
                layer.read_cell(column, cell, token, self.empties, is_empty_node)
        self.read_links(cells, line)
        if not is_empty_node:
            self.rows.append((self.line, cells if self.details else []))
            self.speakers.append(self.speaker)

    def begin_token(self, token: int, id: str) -> None:
        if self.sentence_ends:
            self.sentences.append(token)
            self.sentence_ends = False
        if id.isdecimal():
            self.ids[id] = token
        else:
            hint = "Number tokens from 1 through the document; empty nodes are 3.1, 3.2."
            self.note("bad-line", f"the id {id!r} is not a number", "error", column=1, hint=hint)

    def split_line(self, line: str) -> list[str]:
        """Split a line into cells at TABs or spaces; missing ones are empty."""
        wanted = len(self.columns)
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != wanted:
            cells = [cell.strip() for cell in line.rstrip().split("\t")]
            fields = line.split()
            if len(cells) == 1 or len(fields) == wanted:
                cells = fields
        if len(cells) != wanted:
            reason = f"{amount(len(cells), 'column')}, but the header names {wanted}"
            if len(cells) > wanted:
                hint = 'The line "# global.columns" must name all columns.'
                self.note("bad-line", reason, "error", hint=hint)
            else:
                self.note("bad-columns", f"{reason}; missing columns are read as _")
        return cells[:wanted] + ["_"] * (wanted - len(cells))

    def cell_named(self, cells: list[str], line: str, name: str) -> tuple[str, int]:
        """Return a cell and the column of its first character; an empty text and 0 without one."""
        index = self.columns.get(name)
        if index is None or cells[index] in ("_", "-", "*", ""):
            return "", 0
        end = 0
        for cell in cells[: index + 1]:
            end = line.find(cell, end) + len(cell)
        return cells[index], end - len(cells[index]) + 1

    def read_links(self, cells: list[str], line: str) -> None:
        cell, column = self.cell_named(cells, line, "BRIDGING")
        for features in _parse_groups(cell):
            anchored = features.get("MentionAnchor") or features.get("EntityAnchor")
            if features.get("MarkableID") and anchored:
                self.bridging.append((self.line, column, features))
            else:
                reason = f"the bridging reference {cell!r} lacks MarkableID or its anchor"
                hint = "Write (MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1)."
                self.note("missing-field", reason, "error", column=column, hint=hint)
        cell, column = self.cell_named(cells, line, "SPLIT")
        for features in _parse_groups(cell):
            entity = features.get("EntityID", "?")
            for plural in features.get("ElementOf", "").split(","):
                member = (plural, entity, f"ElementOf={plural}", self.line, column)
                self.identity.members.append(member)

    def end_document(self) -> None:
        document = self.document
        if document is None:
            return
        self.identity.report_open()
        self.deixis.report_open()
        document.tokens = len(self.rows)
        document.breaks = breaks_of(line for line, _ in self.rows)
        layer, deixis = self.layer_of(self.identity), self.layer_of(self.deixis)
        document.entities, document.entity_names = layer.entities, layer.names
        relations = (layer.relations or Relations())._replace(
            bridges=self.bridges(layer.names),
            deixis=deixis if deixis.entities or deixis.relations else None,
        )
        if self.details:
            document.text = self.text()
            document.details = layer.details
            document.relations = relations
        else:
            document.unread = relations.counts()
        self.finished.append(document)
        self.document = None

    def layer_of(self, column: _BracketColumn) -> Layer:
        """Return the entities of a column, with their split antecedents and what does not refer."""
        entities: Members = {}
        nonreferring = []
        for markable in column.markables.values():
            span = self.minimum_of(markable)
            if not markable.pieces:
                continue
            mention, features = markable.mention, markable.features
            attributes = {name: value for name, value in features.items() if name != "ElementOf"}
            detail = Detail(minimum=span, attributes=attributes)
            if PSEUDO.fullmatch(markable.entity):
                nonreferring.append(NonReferring(mention, features.get("SemType", ""), detail))
            else:
                entities.setdefault(markable.entity, []).append((mention, detail))
        splits = split_antecedents(self, column.members, entities, "error")
        relations = Relations(splits, nonreferring=tuple(nonreferring))
        return Layer(
            [[mention for mention, _ in members] for members in entities.values()],
            list(entities),
            [[detail for _, detail in members] for members in entities.values()],
            relations if relations.counts() else None,
        )

    def bridges(self, names: list[str]) -> tuple[Bridge, ...]:
        """Return the bridging references; warn of names that do not exist, and leave those out."""
        markables = self.identity.markables
        bridges = []
        for line, column, features in self.bridging:
            ids = features["MarkableID"], features.get("MentionAnchor", "")
            name = features.get("EntityAnchor", "")
            anaphor, anchor = map(markables.get, ids)
            missing = [f"markable {id}" for id in ids if id and id not in markables]
            if name not in names:
                missing += [f"entity {name}"] if name else []
                name = anchor.entity if anchor and anchor.entity in names else ""
            is_kept = anaphor is not None and (anchor is not None or bool(name))
            for what in missing:
                reason = f"a bridging reference names {what}, which does not exist; "
                reason += "its other anchor is kept" if is_kept else "it is left out"
                hint = "MarkableID and MentionAnchor name markables of IDENTITY."
                self.warn("bad-link", reason, line, column, hint)
            if anaphor is not None and is_kept:
                place = anchor.mention if anchor else None
                bridge = Bridge(anaphor.mention, place, name or None, features.get("Rel", ""))
                bridges.append(bridge)
        return tuple(bridges)

    def minimum_of(self, markable: _Markable) -> tuple[int, int] | None:
        """Return the minimum span of a markable; warn if it is unusual."""
        value = markable.features.get("Min")
        if not value or not markable.pieces:
            return None
        tokens = [self.ids.get(id, -1) for id in re.split(r"[,-]", value)]
        first, last = tokens[0], tokens[-1]
        is_range = len(tokens) <= 2 or tokens == list(range(first, last + 1))
        span = (first, last + 1) if 0 <= first <= last and is_range else None
        outcome = None
        if span is None:
            outcome = "does not name tokens; it is ignored"
        elif "-" in value:
            outcome = "is read as a range"
        else:
            common = common_node_counts([markable.mention], [span], empty=False).get((0, 0), 0)
            if common <= last - first:
                outcome = "is outside the markable"
        if outcome:
            reason = f"Min={value} of markable {markable.name} {outcome}"
            self.warn("repaired", reason, markable.line, markable.column)
        return span

    def text(self) -> Text:
        words = self.column("FORM") or ["_"] * len(self.rows)
        return Text(
            words,
            sentences=[token for token in self.sentences if token < len(words)],
            pos=self.column("XPOS"),
            upos=self.column("UPOS"),
            heads=self.heads(),
            relations=self.column("DEPREL"),
            speakers=self.speakers if any(self.speakers) else None,
            lines=[number for number, _ in self.rows],
            empty=dict.fromkeys(self.empties, ()),
        )

    def column(self, name: str) -> list[str] | None:
        index = self.columns.get(name)
        if index is None:
            return None
        values = [cells[index] or "_" for _, cells in self.rows]
        return values if any(value != "_" for value in values) else None

    def heads(self) -> list[int] | None:
        """Return the head of each token, from ids that run through the sentence or the document."""
        values = self.column("HEAD")
        if values is None:
            return None
        heads = []
        for start, end in pairwise([*self.sentences, len(values)]):
            for value in values[start:end]:
                number = number_of(value) if value.isdecimal() else 0
                token = self.ids.get(value, -1)
                if not start <= token < end:
                    token = start + number - 1 if number <= end - start else -1
                heads.append(token if number else -1)
        return heads


def _parse_features(text: str) -> dict[str, str]:
    """Return the features of a chunk, ``EntityId=3|Min=4``, by their standard names."""
    features = {}
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if equals:
            features[_SPELLINGS.get(name.strip().lower(), name.strip())] = value.strip()
    return features


def _parse_groups(cell: str) -> Iterator[dict[str, str]]:
    """Yield the features of each group in a cell of BRIDGING or SPLIT; parentheses are optional."""
    return map(_parse_features, filter(None, re.split(r"[()@]+", cell)))


FORMAT = Format(
    name="conllua",
    title="CONLLUA",
    sniff=sniff,
    evidence="a line `# global.columns =` names a column `IDENTITY`",
    read=read,
    write=write,
    endings=(".conllua",),
    elsewhere=elsewhere.conllua,
)
