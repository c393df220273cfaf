"""CONLLUA, the CoNLL-U Plus form of Universal Anaphora, versions 1.0 and 1.1.

``# global.columns`` names the columns, ``# newdoc id`` begins a document, token ids run through it.
The column IDENTITY holds brackets: ``(EntityID=1|MarkableID=m1|Min=2|SemType=dn`` opens a markable,
``)`` closes the one opened last; chunks stand side by side or are separated by ``@``. The same
MarkableID again is another piece of the same markable. Ids with a dot are empty nodes.

What is scored is identity: the entities of the column IDENTITY. All else is read and kept:

- ``EntityID=4-Pseudo`` is non-referring, so no entity: ``attributes["non_referring"]``
- ``ElementOf=3,7`` (in IDENTITY, or in the column SPLIT) makes an entity a member of plural
  entities: ``attributes["split_antecedents"]``
- the column BRIDGING: ``attributes["bridging"]``
- the column DISCOURSE_DEIXIS, entities of their own: ``attributes["discourse_deixis"]``

These are attributes of the document; with details, each mention has the features of its markable.
``Min`` counts token ids from 1, both ends included; here tokens count from 0, spans are half-open.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    Piece,
    all_empty_nodes,
    consecutive,
    is_empty,
    is_initial,
    mention_of,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.notes import (
    Notes,
    distinct_documents,
    in_cell,
    numbered_lines,
    unwritten,
)
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

#: The columns of a file that names none, and of those written here.
COLUMNS = [
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
]

_SNIFF = re.compile(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)
_CHUNK = re.compile(r"\(([^()@]*)|(\))|@")
_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id)?\s*=?\s*(.*)")
_SPEAKER = re.compile(r"#\s*speaker(?:_id)?\s*=\s*(.*)")
_PSEUDO = re.compile(r"(.*)[-_]pseudo", re.IGNORECASE)

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

#: The features of a markable that is written, and its pieces.
_Marked = tuple[dict[str, str], tuple[Piece, ...]]

#: Features of a mention that are written as they were read.
_KEPT = ("MarkableID", "Min", "SemType")


def sniff(head: bytes, path: str = "") -> bool:
    """Whether a line names a column IDENTITY."""
    return _SNIFF.search(head) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: brackets that do not match, markables without EntityID or
        MarkableID, or whose pieces belong to different entities; members of unknown plural
        entities or of themselves; the same document twice, no document at all.
    """
    notes = Notes(source.path)
    reader = _Reader(notes, details)
    for number, line in numbered_lines(source, notes):
        reader.line(number, line)
    reader.end()
    if not reader.documents and not notes.errors:
        hint = 'A document begins with "# newdoc id = NAME".'
        notes.error("no-document", "the file holds no document", hint=hint)
    documents = distinct_documents(reader.documents, notes, concatenate)
    return documents, notes.finish()


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
        """Its id."""
        return self.features["MarkableID"]

    @property
    def entity(self) -> str:
        """The name of its entity."""
        return self.features["EntityID"]

    def mention(self) -> Mention:
        """Its tokens as one run, or the tuple of its pieces."""
        return mention_of(self.pieces)


class _Layer:
    """A column of brackets: the markables of a document, and which are open."""

    def __init__(self, notes: Notes, name: str) -> None:
        self.notes = notes
        self.name = name
        self.markables: dict[str, _Markable] = {}
        self.open: list[tuple[_Markable, int, int]] = []  # first token, empty nodes seen by then

    def cell(
        self, line: int, column: int, cell: str, token: int, empties: list[EmptyNode], at_node: bool
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
                self.notes.error(
                    "bad-cell",
                    f"the cell {cell!r} of {self.name} is not made of (FEATURES and )",
                    line, column + position,
                    hint="Write (EntityID=1|MarkableID=m1 to open a markable, and ) to close it.",
                )  # fmt: skip
                return
            if match[1] is not None:
                self.opening(line, column + position, match[1], token, len(empties) - at_node)
            elif match[2]:
                self.closing(line, column + position, token + (not at_node), empties)
            position = match.end()

    def opening(self, line: int, column: int, text: str, token: int, empties: int) -> None:
        """Open a markable, or another piece of one."""
        features = _features(text)
        missing = [name for name in ("EntityID", "MarkableID") if not features.get(name)]
        if missing:
            self.notes.error(
                "missing-field", f"a markable of {self.name} has no {' and no '.join(missing)}",
                line, column, hint="Write (EntityID=1|MarkableID=m1|...",
            )  # fmt: skip
            features = {"EntityID": "?", "MarkableID": f"?{line}.{column}"} | features
        known = self.markables.get(features["MarkableID"])
        if known is None:
            known = _Markable(features, line, column)
            self.markables[features["MarkableID"]] = known
        elif known.entity != features["EntityID"]:
            self.notes.error(
                "repeated-id",
                f"markable {features['MarkableID']} is of entity {features['EntityID']} here, but "
                f"of entity {known.entity} on line {known.line}",
                line, column, hint="Pieces of one markable belong to one entity.",
            )  # fmt: skip
        self.open.append((known, token, empties))

    def closing(self, line: int, column: int, end: int, empties: list[EmptyNode]) -> None:
        """Close the markable that was opened last; the empty nodes on the way belong to it."""
        if not self.open:
            self.notes.error(
                "close-without-open", f"a markable of {self.name} is closed but none is open",
                line, column, hint='Check for a ")" too many, or a "(" too few.',
            )  # fmt: skip
            return
        markable, start, seen = self.open.pop()
        if end > start:
            markable.pieces.append((start, end))
        markable.pieces += empties[seen:]

    def finish(self) -> None:
        """Report what is still open."""
        for markable, _, _ in self.open:
            self.notes.error(
                "unclosed-mention", f"markable {markable.name} opened here is never closed",
                markable.line, markable.column, hint='Close it with ")" or drop the bracket.',
            )  # fmt: skip
        self.open = []


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes, details: bool) -> None:
        self.notes = notes
        self.details = details
        self.documents: list[Document] = []
        self.columns: dict[str, int] = {}
        self.document: Document | None = None

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if line.startswith("#"):
            self.comment(number, line)
        elif not line.strip():
            self.sentence_ends = True
        else:
            self.row(number, line)

    def comment(self, number: int, line: str) -> None:
        """A line of metadata."""
        if match := _COLUMNS.match(line):
            names = match[1].upper().split()
            self.columns = {name: index for index, name in enumerate(names)}
        elif match := _NEWDOC.match(line):
            self.end()
            self.begin(number, match[1].strip())
        elif (match := _SPEAKER.match(line)) and self.document is not None:
            self.speaker = match[1].strip()

    def begin(self, number: int, name: str) -> None:
        """Start a document."""
        numbered = not name
        if numbered:
            name = f"document {len(self.documents) + 1}"
            self.notes.warn(
                "unnamed-document", "the document has no name; it is numbered", number,
                hint='Write "# newdoc id = NAME".', document=name,
            )  # fmt: skip
        path = self.notes.path
        self.document = Document(name, [], tokens=0, path=path, line=number, numbered=numbered)
        self.identity = _Layer(self.notes, "IDENTITY")
        self.deixis = _Layer(self.notes, "DISCOURSE_DEIXIS")
        self.bridging: list[tuple[int, int, dict[str, str]]] = []
        self.members: list[tuple[int, int, str, str]] = []  # line, column, member, plural entity
        self.ids: dict[str, int] = {}
        self.rows: list[tuple[int, list[str]]] = []
        self.empties: list[EmptyNode] = []
        self.sentences: list[int] = []
        self.speakers: list[str] = []
        self.speaker = ""
        self.sentence_ends = True

    def row(self, number: int, line: str) -> None:
        """A token or an empty node."""
        if not self.columns:
            self.columns = {name: index for index, name in enumerate(COLUMNS)}
        if self.document is None:
            self.notes.error(
                "outside-document", "a token that belongs to no document", number,
                hint='Begin the document with "# newdoc id = NAME".',
            )  # fmt: skip
            self.begin(number, f"document {len(self.documents) + 1}")
        document = self.document
        assert document is not None
        assert document.tokens is not None
        cells = self.cells(number, line)
        id = cells[self.columns.get("ID", 0)]
        if "-" in id:
            return  # the surface of several words
        if self.sentence_ends and "." not in id:
            self.sentences.append(document.tokens)
            self.sentence_ends = False
        token = document.tokens
        at_node = "." in id
        if at_node:
            before = [piece for piece in self.empties[-9:] if piece[0] == token]
            self.empties.append((token, token, before[-1][2] + 1 if before else 1))
        elif id.isdecimal():
            self.ids[id] = token
            breaks = document.breaks
            if not breaks or breaks[-1][1] + token - breaks[-1][0] != number:
                breaks.append((token, number))
        else:
            self.notes.error(
                "bad-line", f"the id {id!r} is no number", number, 1,
                hint="Number tokens from 1 through the document; empty nodes are 3.1, 3.2.",
            )  # fmt: skip
        for layer in (self.identity, self.deixis):
            cell, column = self.cell(cells, line, layer.name)
            if cell:
                layer.cell(number, column, cell, token, self.empties, at_node)
        self.links(number, cells, line)
        if not at_node:
            document.tokens += 1
            if self.details:
                self.rows.append((number, cells))
                self.speakers.append(self.speaker)

    def cells(self, number: int, line: str) -> list[str]:
        """The cells of a line, separated by TABs or by any blanks; missing ones are empty."""
        wanted = len(self.columns)
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != wanted:
            cells = [cell.strip() for cell in line.rstrip().split("\t")]
            by_blanks = line.split()
            if len(cells) == 1 or len(by_blanks) == wanted:
                cells = by_blanks
        if len(cells) > wanted:
            self.notes.error(
                "bad-line", f"{len(cells)} columns, but the header names {wanted}", number,
                hint='The line "# global.columns" must name all columns.',
            )  # fmt: skip
        elif len(cells) < wanted:
            reason = f"{len(cells)} columns, but the header names {wanted}; the last are taken as _"
            self.notes.warn("bad-columns", reason, number)
        return cells[:wanted] + ["_"] * (wanted - len(cells))

    def cell(self, cells: list[str], line: str, name: str) -> tuple[str, int]:
        """A cell and its place; nothing if it is empty."""
        index = self.columns.get(name)
        if index is None or cells[index] in ("_", "-", "*", ""):
            return "", 0
        end = 0
        for cell in cells[: index + 1]:
            end = line.find(cell, end) + len(cell)
        return cells[index], end - len(cells[index]) + 1

    def links(self, number: int, cells: list[str], line: str) -> None:
        """The columns BRIDGING and SPLIT."""
        cell, column = self.cell(cells, line, "BRIDGING")
        for features in _groups(cell):
            if features.get("MarkableID") and (
                features.get("MentionAnchor") or features.get("EntityAnchor")
            ):
                self.bridging.append((number, column, features))
            else:
                self.notes.error(
                    "missing-field",
                    f"the bridging reference {cell!r} lacks MarkableID or its anchor",
                    number, column,
                    hint="Write (MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1).",
                )  # fmt: skip
        cell, column = self.cell(cells, line, "SPLIT")
        for features in _groups(cell):
            for plural in features.get("ElementOf", "").split(","):
                self.members.append((number, column, features.get("EntityID", "?"), plural))

    def end(self) -> None:
        """Finish the open document."""
        document = self.document
        if document is None:
            return
        self.identity.finish()
        self.deixis.finish()
        entities: dict[str, list[_Markable]] = {}
        non_referring: list[dict[str, Any]] = []
        for markable in self.identity.markables.values():
            if not markable.pieces:
                continue
            if _PSEUDO.fullmatch(markable.entity):
                entry = {"mention": markable.mention(), **markable.features}
                non_referring.append(entry)
            else:
                entities.setdefault(markable.entity, []).append(markable)
        document.entity_names = list(entities)
        document.entities = [[m.mention() for m in members] for members in entities.values()]
        attributes = {
            "non_referring": non_referring,
            "split_antecedents": self.split_antecedents(entities),
            "bridging": self.resolved_bridging(),
            "discourse_deixis": self.discourse_deixis(),
        }
        document.attributes |= {name: value for name, value in attributes.items() if value}
        minima = {name: self.minimum(m) for name, m in self.identity.markables.items()}
        links: dict[str, list[dict[str, str]]] = {}
        for _, _, link in self.bridging:
            links.setdefault(link["MarkableID"], []).append(link)
        if self.details:
            document.text = self.text()
            document.details = [
                [
                    Detail(minimum=minima[m.name], attributes=_known_of(m, links.get(m.name)))
                    for m in members
                ]
                for members in entities.values()
            ]
        self.documents.append(document)
        self.document = None

    def split_antecedents(self, entities: dict[str, list[_Markable]]) -> dict[str, list[str]]:
        """The members of each plural entity.

        Notes errors for plural entities that do not exist, and for those that contain themselves.
        """
        members = list(self.members)
        for markable in self.identity.markables.values():
            plurals = filter(None, markable.features.get("ElementOf", "").split(","))
            members += [(markable.line, markable.column, markable.entity, p) for p in plurals]
        found: dict[str, dict[str, None]] = {}
        for line, column, member, plural in members:
            if plural not in entities:
                self.notes.error(
                    "bad-link",
                    f"entity {member} is ElementOf={plural}, but there is no entity {plural}",
                    line, column, hint="ElementOf names the EntityID of the plural mention.",
                )  # fmt: skip
            else:
                found.setdefault(plural, {})[member] = None
        cyclic = _cyclic({plural: list(names) for plural, names in found.items()})
        for line, column, member, plural in members:
            if member in cyclic and plural in cyclic:
                self.notes.error(
                    "bad-link",
                    f"entity {member} is ElementOf={plural}, but contains that entity itself",
                    line, column, hint="Drop one of the ElementOf features of the circle.",
                )  # fmt: skip
        return {plural: list(names) for plural, names in found.items()}

    def resolved_bridging(self) -> list[dict[str, Any]]:
        """The bridging references; one to an unknown markable is kept as unresolved."""
        found: list[dict[str, Any]] = []
        for line, column, features in self.bridging:
            anchor = features.get("MentionAnchor", "")
            known = not anchor or anchor in self.identity.markables
            if not known or features["MarkableID"] not in self.identity.markables:
                missing = features["MarkableID"] if known else anchor
                self.notes.warn(
                    "bad-link",
                    f"a bridging reference names markable {missing}, which does not exist; it is "
                    "kept as unresolved",
                    line, column,
                )  # fmt: skip
                known = False
            found.append({**features, "resolved": known})
        return found

    def discourse_deixis(self) -> dict[str, list[Mention]]:
        """The entities of the column DISCOURSE_DEIXIS."""
        found: dict[str, list[Mention]] = {}
        for markable in self.deixis.markables.values():
            if markable.pieces:
                found.setdefault(markable.entity, []).append(markable.mention())
        return found

    def minimum(self, markable: _Markable) -> tuple[int, int] | None:
        """The minimum span of a markable; warns where it is unusual."""
        value = markable.features.get("Min")
        if not value or not markable.pieces:
            return None
        name = markable.name
        ends = re.split(r"[,-]", value)
        ids = [self.ids.get(end) for end in (ends[0], ends[-1])]
        first, last = ids
        reason = None
        if len(ends) > 2 or first is None or last is None or last < first:
            reason = f"Min={value} of markable {name} names no tokens; it is ignored"
        else:
            inside = {t for piece in markable.pieces for t in range(piece[0], piece[1])}
            if "-" in value:
                reason = f"Min={value} of markable {name} is read as a range"
            elif not set(range(first, last + 1)) <= inside:
                reason = f"Min={value} of markable {name} lies outside of the markable"
        if reason:
            self.notes.warn("repaired", reason, markable.line, markable.column)
        if len(ends) > 2 or first is None or last is None or last < first:
            return None
        return first, last + 1

    def text(self) -> Text:
        """The words and their annotation."""
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
        )

    def column(self, name: str) -> list[str] | None:
        """A column, or None if it is empty."""
        index = self.columns.get(name)
        if index is None:
            return None
        values = [cells[index] or "_" for _, cells in self.rows]
        return values if any(value != "_" for value in values) else None

    def heads(self) -> list[int] | None:
        """The head of each token, from ids that run through the sentence or the document."""
        values = self.column("HEAD")
        if values is None:
            return None
        heads = []
        ends = [*self.sentences[1:], len(values)]
        for start, end in zip(self.sentences, ends, strict=True):
            for value in values[start:end]:
                number = int(value) if value.isdecimal() else 0
                token = self.ids.get(value, -1)
                if not start <= token < end:
                    token = start + number - 1 if number <= end - start else -1
                heads.append(token if number else -1)
        return heads


def _features(text: str) -> dict[str, str]:
    """The features of a chunk, by their standard names.

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


def _known_of(markable: _Markable, bridging: list[dict[str, str]] | None) -> dict[str, Any]:
    """The features of a markable, with its bridging references."""
    return markable.features | ({"bridging": bridging} if bridging else {})


def _groups(cell: str) -> Iterator[dict[str, str]]:
    """The groups of features of a cell of BRIDGING or SPLIT, with or without parentheses."""
    for group in re.split(r"[()@]+", cell):
        if group:
            yield _features(group)


def _cyclic(members: dict[str, list[str]]) -> set[str]:
    """The entities that contain themselves.

    Examples
    --------
    >>> sorted(_cyclic({"3": ["1", "2"], "1": ["3"]}))
    ['1', '3']
    """
    found = set()
    for start in members:
        waiting, seen = list(members[start]), set()
        while waiting:
            name = waiting.pop()
            if name == start:
                found.add(start)
                break
            if name not in seen:
                seen.add(name)
                waiting += members.get(name, [])
    return found


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in the columns of version 1.0.

    Gaps and empty nodes can be written. A mention that crosses another is written as two pieces of
    one markable, since a ``)`` closes what was opened last. What cannot be written is returned:
    mentions that are no positions, and part numbers.
    """
    problems: list[Problem] = []
    stream.write("# global.columns = " + " ".join(COLUMNS) + "\n")
    for document in corpus:
        writer = _Writer(document)
        writer.write(stream)
        problems += writer.problems
    return problems


class _Writer:
    """One document as lines."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.names: set[str] = set()
        self.empties: set[EmptyNode] = set()
        self.identity = self.markables()
        self.deixis = self.deixis_markables()
        self.cells = self.column(self.identity)
        self.deixis_cells = self.column(self.deixis)

    def markables(self) -> list[_Marked]:
        """The features and pieces of all mentions of identity."""
        document = self.document
        found: list[_Marked] = []
        plurals: dict[str, list[str]] = {}
        for plural, names in document.attributes.get("split_antecedents", {}).items():
            for name in names:
                plurals.setdefault(name, []).append(plural)
        written = self.entity_names()
        for i, entity in enumerate(document.entities):
            name, old = written[i], document.entity_names[i]
            for j, mention in enumerate(entity):
                detail = document.details[i][j] if document.details else None
                features = {"EntityID": name, "MarkableID": ""}
                if detail is not None and detail.minimum is not None:
                    first, end = detail.minimum
                    features["Min"] = str(end) if end == first + 1 else f"{first + 1},{end}"
                if detail is not None:
                    known = detail.attributes
                    features |= {key: str(known[key]) for key in _KEPT if key in known}
                if old in plurals and j == 0:
                    features["ElementOf"] = ",".join(plurals[old])
                self.add(found, features, mention)
        for entry in document.attributes.get("non_referring", ()):
            features = {k: str(v) for k, v in entry.items() if k != "mention"}
            self.add(found, features, entry["mention"])
        return found

    def deixis_markables(self) -> list[_Marked]:
        """The features and pieces of all mentions of discourse deixis."""
        found: list[_Marked] = []
        for name, mentions in self.document.attributes.get("discourse_deixis", {}).items():
            for mention in mentions:
                self.add(found, {"EntityID": in_cell(name), "MarkableID": ""}, mention)
        return found

    def entity_names(self) -> list[str]:
        """The names of the entities as a cell can hold them, all different."""
        found: dict[str, None] = {}
        for name in self.document.entity_names:
            written = re.sub(r"[()|=@,]", "_", in_cell(name))
            if _PSEUDO.fullmatch(written):
                written += "_"
            while written in found:
                written += "'"
            if written != name:
                self.lost(f"the name of entity {name!r}", f"written as {written}")
            found[written] = None
        return list(found)

    def lost(self, what: str, outcome: str) -> None:
        """Something that is written in another way or not at all."""
        self.problems.append(unwritten(self.document, what, outcome))

    def add(
        self,
        found: list[_Marked],
        features: dict[str, str],
        mention: Mention,
    ) -> None:
        """Add a markable, with an id of its own."""
        parts = pieces_if_any(mention)
        if not parts:
            self.lost(f"the mention {mention!r}", "left out")
            return
        id = features["MarkableID"] or f"markable_{len(self.names) + 1}"
        while id in self.names:
            id += "'"
        self.names.add(id)
        features["MarkableID"] = id
        self.empties.update(filter(is_empty, parts))
        found.append((features, parts))

    def column(self, markables: list[_Marked]) -> dict[Node, str]:
        """The cells of a column, by the token or the empty node they stand at."""
        rows = _rows(self.document, self.empties)
        number = {row: index for index, row in enumerate(rows)}
        runs: list[tuple[int, int, dict[str, str]]] = []
        for features, parts in markables:
            for first, last in consecutive(sorted(number[row] for row in nodes(parts))):
                runs.append((first, last, features))
        opens: dict[int, list[str]] = {}
        closes: dict[int, int] = {}
        ends: list[int] = []
        waiting = sorted(runs, key=lambda run: (run[0], -run[1]), reverse=True)
        while waiting:
            first, last, features = waiting.pop()
            while ends and ends[-1] < first:
                ends.pop()
            if ends and last > ends[-1]:
                # What lies beyond the end of the one around it becomes another piece.
                waiting.append((ends[-1] + 1, last, features))
                waiting.sort(key=lambda run: (run[0], -run[1]), reverse=True)
                last = ends[-1]
            chunk = "(" + "|".join(f"{name}={value}" for name, value in features.items())
            if first == last:
                chunk += ")"
            else:
                closes[last] = closes.get(last, 0) + 1
            opens.setdefault(first, []).append(chunk)
            if first < last:
                ends.append(last)
        return {
            rows[index]: "".join(opens.get(index, [])) + ")" * closes.get(index, 0)
            for index in {*opens, *closes}
        }

    def write(self, stream: IO[str]) -> None:
        """Write the lines of the document."""
        document, text = self.document, self.document.text
        name = " ".join(document.name.split())
        if document.part is not None:
            self.lost("the part number", "added to the name")
            name = f"{name}_part_{document.part:03d}"
        elif name != document.name:
            self.lost("the name of the document", "changed")
        stream.write(f"# newdoc id = {name}\n")
        bridging = self.bridging()
        starts = set(text.sentences[1:] if text else [])
        speaker = None
        numbers: Counter[int] = Counter()  # of the empty nodes before each token
        for row in _rows(document, self.empties):
            token, begins = (row, True) if isinstance(row, int) else (row[0], is_initial(row))
            if begins and token in starts:
                starts.remove(token)
                stream.write("\n")
                speaker = None
            cells = ["_"] * len(COLUMNS)
            if is_empty(row):
                numbers[token] += 1
                cells[0] = f"{token}.{numbers[token]}"
            else:
                cells[0] = str(token + 1)
            if text is not None and not is_empty(row) and token < len(text):
                if text.speakers and text.speakers[token] != speaker:
                    speaker = text.speakers[token]
                    if speaker:
                        stream.write(f"# speaker = {speaker}\n")
                cells[1] = in_cell(text.words[token])
                for index, column in ((3, text.upos), (4, text.pos), (7, text.relations)):
                    if column:
                        cells[index] = in_cell(column[token])
                if text.heads:
                    cells[6] = str(text.heads[token] + 1)
            cells[10] = self.cells.get(row, "_")
            cells[11] = bridging.get(row, "_")
            cells[12] = self.deixis_cells.get(row, "_")
            stream.write("\t".join(cells) + "\n")
        stream.write("\n")

    def bridging(self) -> dict[Node, str]:
        """The cells of the column BRIDGING."""
        places = {}
        for features, parts in self.identity:
            first = parts[0]
            places[features["MarkableID"]] = first if is_empty(first) else first[0]
        cells: dict[Node, str] = {}
        for link in self.document.attributes.get("bridging", ()):
            place = places.get(link["MarkableID"])
            text = "|".join(f"{k}={v}" for k, v in link.items() if k != "resolved")
            if place is None:
                self.lost(f"the bridging reference {text}", "left out")
            else:
                cells[place] = cells.get(place, "") + f"({text})"
        return cells


def _rows(document: Document, empties: set[EmptyNode]) -> list[Node]:
    """The rows of a document: its tokens, each after the empty nodes before it."""
    text = len(document.text) if document.text else 0
    ends = [piece[1] for e in document.entities for m in e for piece in pieces_if_any(m)]
    tokens = max(document.tokens or 0, text, max(ends, default=0))
    return sorted([*range(tokens), *all_empty_nodes(empties)], key=node_key)


FORMAT = Format(
    name="conllua",
    title="CONLLUA",
    sniff=sniff,
    read=read,
    write=write,
    endings=(".conllua",),
)
