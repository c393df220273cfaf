"""Reading CONLLUA; see `corefmeter.wings.anaphora.formats.conllua` for the conventions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from corefmeter.corpus.model import Document, Mention, breaks_of
from corefmeter.corpus.positions import EmptyNode, Piece, common_node_counts, mention_of
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.links import Member, sets
from corefmeter.formats.notes import LineReader, number_of
from corefmeter.formats.source import Source
from corefmeter.problems import Problem, amount
from corefmeter.wings.anaphora.formats.conllua_write import COLUMNS, PSEUDO

_CHUNK = re.compile(r"\(([^()@]*)|([^()@|=\s]*\))|@")
_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id)?\s*=?\s*(.*)")
_SPEAKER = re.compile(r"#\s*speaker(?:_id)?\s*=\s*(.*)")

#: Names of features as they are also spelled.
_SPELLINGS = {
    "entityid": "EntityID",
    "markableid": "MarkableID",
    "markable_id": "MarkableID",
    "mentionid": "MarkableID",
    "min": "Min",
    "semtype": "SemType",
    "elementof": "ElementOf",
    "rel": "Rel",
    "mentionanchor": "MentionAnchor",
    "entityanchor": "EntityAnchor",
}


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: brackets that do not match, markables without EntityID or
        MarkableID, or whose pieces belong to different entities; members of unknown plural
        entities or of themselves; the same document twice, no document at all.
    """
    reader = _Reader(source.path, concatenate, details)
    for line in reader.lines_of(source):
        reader.read(line)
    reader.end()
    hint = 'A document begins with "# newdoc id = NAME".'
    return reader.result(reader.finished, concatenate, hint)


class _Markable:
    """A markable: its features, where it was first opened, and its pieces."""

    __slots__ = ("column", "features", "line", "pieces")

    def __init__(self, features: dict[str, str], line: int, column: int) -> None:
        self.features = features
        self.line = line
        self.column = column
        self.pieces: list[Piece] = []

    @property
    def name(self) -> str:
        return self.features["MarkableID"]

    @property
    def entity(self) -> str:
        return self.features["EntityID"]

    def mention(self) -> Mention:
        """Its tokens as one run, or the tuple of its pieces."""
        return mention_of(self.pieces)


class _Layer:
    """A column of brackets: the markables of a document, and which are open."""

    def __init__(self, reader: LineReader, name: str) -> None:
        self.reader = reader
        self.name = name
        self.markables: dict[str, _Markable] = {}
        self.open: list[tuple[_Markable, int, int]] = []  # first token, empty nodes seen by then
        self.members: list[Member] = []  # of plural entities

    def cell(
        self, column: int, cell: str, token: int, empties: list[EmptyNode], at_node: bool
    ) -> None:
        """Read a cell at a token, or at the empty node that `empties` ends with.

        Parameters
        ----------
        token
            The token, or the one after the empty node.
        empties
            All empty nodes of the document up to here.
        """
        position = 0
        while position < len(cell):
            match = _CHUNK.match(cell, position)
            if match is None or (match[1] is not None and not match[1].strip()):
                reason = f"the cell {cell!r} of {self.name} is not made of (FEATURES and )"
                hint = (
                    "Write (EntityID=1|MarkableID=m1 to open a markable, and ) or m1) to close it."
                )
                self.error("bad-cell", reason, column + position, hint)
                return
            if match[1] is not None:
                self.opening(column + position, match[1], token, len(empties) - at_node)
            elif match[2]:
                self.closing(column + position, match[2][:-1], token + (not at_node), empties)
            position = match.end()

    def error(self, code: str, reason: str, column: int, hint: str) -> None:
        self.reader.note(code, reason, "error", column=column, hint=hint)

    def opening(self, column: int, text: str, token: int, empties: int) -> None:
        """Open a markable, or another piece of one."""
        features = _features(text)
        line = self.reader.line
        missing = [name for name in ("EntityID", "MarkableID") if not features.get(name)]
        if missing:
            reason = f"a markable of {self.name} has no {' and no '.join(missing)}"
            self.error("missing-field", reason, column, "Write (EntityID=1|MarkableID=m1|...")
            features = {"EntityID": "?", "MarkableID": f"?{line}.{column}"} | features
        id, entity = features["MarkableID"], features["EntityID"]
        known = self.markables.setdefault(id, _Markable(features, line, column))
        if known.entity != entity:
            here = f"markable {id} is of entity {entity} here"
            reason = f"{here}, but of entity {known.entity} on line {known.line}"
            hint = "Pieces of one markable belong to one entity."
            self.error("repeated-id", reason, column, hint)
        elif features.get("Min", known.features.get("Min")) != known.features.get("Min"):
            reason = f"another Min of markable {id}; that of line {known.line} counts"
            self.reader.note("repaired", reason, column=column)
        for plural in filter(None, features.get("ElementOf", "").split(",")):
            text = f"ElementOf={plural}"
            self.members.append((plural, entity, text, line, column))
        self.open.append((known, token, empties))

    def closing(self, column: int, name: str, end: int, empties: list[EmptyNode]) -> None:
        """Close the markable of a name, or without one that which was opened last.

        The empty nodes on the way belong to it.
        """
        at = len(self.open) - 1
        while at >= 0 and name and self.open[at][0].name != name:
            at -= 1
        if at < 0:
            reason = f"a markable of {self.name} is closed but none is open"
            if name:
                reason = f"markable {name} is closed but not open"
            hint = 'Check for a ")" too many, or a "(" too few.'
            self.error("close-without-open", reason, column, hint)
            return
        markable, start, seen = self.open.pop(at)
        if end > start:
            markable.pieces.append((start, end))
        markable.pieces += empties[seen:]

    def finish(self) -> None:
        for markable, _, _ in self.open:
            reason = f"markable {markable.name} opened here is never closed"
            hint = 'Close it with ")" or drop the bracket.'
            self.reader.error("unclosed-mention", reason, markable.line, markable.column, hint)
        self.open = []


class _Reader(LineReader):
    """The state of reading one file."""

    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.finished: list[Document] = []
        self.columns: dict[str, int] = {}
        self.document: Document | None = None

    def read(self, line: str) -> None:
        if line.startswith("#"):
            self.comment(line)
        elif not line.strip():
            self.sentence_ends = True
        else:
            self.row(line)

    def comment(self, line: str) -> None:
        if match := _COLUMNS.match(line):
            self.name_columns(match[1].upper().split())
        elif match := _NEWDOC.match(line):
            self.end()
            self.begin(match[1].strip())
        elif (match := _SPEAKER.match(line)) and self.document is not None:
            self.speaker = match[1].strip()

    def name_columns(self, names: list[str]) -> None:
        """Set the column names from here on, which stay the same throughout a document."""
        columns = {name: index for index, name in enumerate(names)}
        reason = hint = ""
        if len(columns) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            reason, hint = f"the column {twice!r} is named twice", "Name each column once."
        elif self.document is not None and self.rows and columns != self.columns:
            reason, hint = "other columns within a document", "Name them before its first token."
        if reason:
            self.note("bad-header", reason, "error", hint=hint)
        else:
            self.columns = columns

    def begin(self, name: str) -> Document:
        self.document = self.new_document(name, None, 'Write "# newdoc id = NAME".')
        self.identity = _Layer(self, "IDENTITY")
        self.deixis = _Layer(self, "DISCOURSE_DEIXIS")
        self.bridging: list[tuple[int, int, dict[str, str]]] = []
        self.ids: dict[str, int] = {}
        self.rows: list[tuple[int, list[str]]] = []
        self.empties: list[EmptyNode] = []
        self.sentences: list[int] = []
        self.speakers: list[str] = []
        self.speaker = ""
        self.sentence_ends = True
        return self.document

    def row(self, line: str) -> None:
        self.columns = self.columns or {name: index for index, name in enumerate(COLUMNS)}
        if self.document is None:
            hint = 'Begin the document with "# newdoc id = NAME".'
            reason = "a token that belongs to no document"
            self.note("outside-document", reason, "error", hint=hint)
            self.begin(f"document {len(self.finished) + 1}")
        cells = self.cells(line)
        id = cells[self.columns.get("ID", 0)]
        if "-" in id:
            return  # the surface of several words
        token = len(self.rows)
        at_node = "." in id
        if self.sentence_ends and not at_node:
            self.sentences.append(token)
            self.sentence_ends = False
        if at_node:
            before = [piece for piece in self.empties[-9:] if piece[0] == token]
            self.empties.append((token, token, before[-1][2] + 1 if before else 1))
        elif id.isdecimal():
            self.ids[id] = token
        else:
            hint = "Number tokens from 1 through the document; empty nodes are 3.1, 3.2."
            self.note("bad-line", f"the id {id!r} is no number", "error", column=1, hint=hint)
        for layer in (self.identity, self.deixis):
            cell, column = self.cell(cells, line, layer.name)
            if cell:
                layer.cell(column, cell, token, self.empties, at_node)
        self.links(cells, line)
        if not at_node:
            self.rows.append((self.line, cells if self.details else []))
            self.speakers.append(self.speaker)

    def cells(self, line: str) -> list[str]:
        """Split a line into cells at TABs or spaces; missing ones are empty."""
        wanted = len(self.columns)
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != wanted:
            cells = [cell.strip() for cell in line.rstrip().split("\t")]
            by_blanks = line.split()
            if len(cells) == 1 or len(by_blanks) == wanted:
                cells = by_blanks
        if len(cells) > wanted:
            hint = 'The line "# global.columns" must name all columns.'
            reason = f"{amount(len(cells), 'column')}, but the header names {wanted}"
            self.note("bad-line", reason, "error", hint=hint)
        elif len(cells) < wanted:
            reason = (
                f"{amount(len(cells), 'column')}, but the header names {wanted}; the last are "
                "taken as _"
            )
            self.note("bad-columns", reason)
        return cells[:wanted] + ["_"] * (wanted - len(cells))

    def cell(self, cells: list[str], line: str, name: str) -> tuple[str, int]:
        """Return a cell and its place; nothing if it is empty."""
        index = self.columns.get(name)
        if index is None or cells[index] in ("_", "-", "*", ""):
            return "", 0
        end = 0
        for cell in cells[: index + 1]:
            end = line.find(cell, end) + len(cell)
        return cells[index], end - len(cells[index]) + 1

    def links(self, cells: list[str], line: str) -> None:
        cell, column = self.cell(cells, line, "BRIDGING")
        for features in _groups(cell):
            if features.get("MarkableID") and (
                features.get("MentionAnchor") or features.get("EntityAnchor")
            ):
                self.bridging.append((self.line, column, features))
            else:
                reason = f"the bridging reference {cell!r} lacks MarkableID or its anchor"
                hint = "Write (MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1)."
                self.note("missing-field", reason, "error", column=column, hint=hint)
        cell, column = self.cell(cells, line, "SPLIT")
        for features in _groups(cell):
            for plural in features.get("ElementOf", "").split(","):
                text = f"ElementOf={plural}"
                member = (plural, features.get("EntityID", "?"), text, self.line, column)
                self.identity.members.append(member)

    def end(self) -> None:
        document = self.document
        if document is None:
            return
        self.identity.finish()
        self.deixis.finish()
        document.tokens = len(self.rows)
        document.breaks = breaks_of(line for line, _ in self.rows)
        layer, deixis = self.layer(self.identity), self.layer(self.deixis)
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

    def layer(self, layer: _Layer) -> Layer:
        """Return the entities of a column, with their split antecedents and what does not refer."""
        entities: dict[str, list[tuple[Mention, Detail]]] = {}
        silent = []
        for markable in layer.markables.values():
            minimum = self.minimum(markable)
            if not markable.pieces:
                continue
            mention, features = markable.mention(), markable.features
            known = {name: value for name, value in features.items() if name != "ElementOf"}
            detail = Detail(minimum=minimum, attributes=known)
            if PSEUDO.fullmatch(markable.entity):
                silent.append(NonReferring(mention, features.get("SemType", ""), detail))
            else:
                entities.setdefault(markable.entity, []).append((mention, detail))
        relations = Relations(
            sets(self, layer.members, entities, "error"), nonreferring=tuple(silent)
        )
        return Layer(
            [[mention for mention, _ in members] for members in entities.values()],
            list(entities),
            [[detail for _, detail in members] for members in entities.values()],
            relations if relations.counts() else None,
        )

    def bridges(self, names: list[str]) -> tuple[Bridge, ...]:
        """Return the bridging references; what leads nowhere is left out with a warning."""
        markables = self.identity.markables
        found = []
        for line, column, features in self.bridging:
            ids = features["MarkableID"], features.get("MentionAnchor", "")
            name = features.get("EntityAnchor", "")
            anaphor, anchor = map(markables.get, ids)
            missing = [f"markable {id}" for id in ids if id and id not in markables]
            if name and name not in names:
                missing.append(f"entity {name}")
            if name not in names:
                name = anchor.entity if anchor and anchor.entity in names else ""
            kept = anaphor is not None and (anchor is not None or bool(name))
            for what in missing:
                reason = f"a bridging reference names {what}, which does not exist; "
                reason += "its other anchor is kept" if kept else "it is left out"
                hint = "MarkableID and MentionAnchor name markables of IDENTITY."
                self.warn("bad-link", reason, line, column, hint)
            if anaphor is not None and kept:
                place = anchor.mention() if anchor else None
                found.append(
                    Bridge(anaphor.mention(), place, name or None, features.get("Rel", ""))
                )
        return tuple(found)

    def minimum(self, markable: _Markable) -> tuple[int, int] | None:
        """Return the minimum span of a markable; warns where it is unusual."""
        value = markable.features.get("Min")
        if not value or not markable.pieces:
            return None
        name = markable.name
        ends = re.split(r"[,-]", value)
        ids = [self.ids.get(end, -9) for end in ends]
        if len(ids) > 2 and any(after != before + 1 for before, after in pairwise(ids)):
            ids = [-9]
        first, last = (None if id < 0 else id for id in (ids[0], ids[-1]))
        reason = None
        if first is None or last is None or last < first:
            reason = f"Min={value} of markable {name} names no tokens; it is ignored"
        else:
            inside = common_node_counts([markable.mention()], [(first, last + 1)], empty=False)
            if "-" in value:
                reason = f"Min={value} of markable {name} is read as a range"
            elif inside.get((0, 0), 0) <= last - first:
                reason = f"Min={value} of markable {name} is outside the markable"
        if reason:
            self.warn("repaired", reason, markable.line, markable.column)
        if first is None or last is None or last < first:
            return None
        return first, last + 1

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


def _features(text: str) -> dict[str, str]:
    """Return the features of a chunk, by their standard names.

    Examples
    --------
    >>> _features("EntityId=3|MarkableID=m4|Min=4")
    {'EntityID': '3', 'MarkableID': 'm4', 'Min': '4'}
    """
    found = {}
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if equals:
            found[_SPELLINGS.get(name.strip().lower(), name.strip())] = value.strip()
    return found


def _groups(cell: str) -> Iterator[dict[str, str]]:
    """The groups of features of a cell of BRIDGING or SPLIT, with or without parentheses."""
    for group in re.split(r"[()@]+", cell):
        if group:
            yield _features(group)
