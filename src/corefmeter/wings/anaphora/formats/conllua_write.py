"""Writing CONLLUA; see `corefmeter.wings.anaphora.formats.conllua` for the conventions.

The Universal Anaphora scorers have further rules: on a line, all closing brackets come before the
opening ones; no bracket over several lines begins or ends at an empty node; names of non-referring
expressions end in ``-Pseudo``; features have no signs that separate features or columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    Piece,
    all_empty_nodes,
    consecutive,
    is_empty,
    is_initial,
    is_token,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.corpus.relations import Layer, Relations
from corefmeter.corpus.text import Detail
from corefmeter.formats.notes import in_cell, unwritten_problem
from corefmeter.formats.writing import (
    Bracket,
    flat_name,
    one_line,
    signs_by_row,
    token_count,
    written_names,
)
from corefmeter.problems import DataError, Problem

#: The columns of a file that names none, and of those written here.
COLUMNS = [
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
]

#: The names of entities that refer to nothing.
PSEUDO = re.compile(r"(.*)[-_]pseudo", re.IGNORECASE)

#: The features of a markable that is written, and its pieces.
_Features = dict[str, str]
_Markable = tuple[_Features, tuple[Piece, ...]]

#: What separates features, brackets, and columns.
_SEPARATOR = re.compile(r"[()|=@\s]")

#: Features of a mention that are written as they were read.
_KEPT = ("MarkableID", "Min", "SemType")


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in the columns of version 1.0.

    Gaps and empty nodes can be written. A mention that crosses another is written as two pieces of
    one markable, since a ``)`` closes the markable opened last. Losses are returned as problems,
    such as mentions that are not positions.
    """
    names = Counter(map(flat_name, corpus))
    if repeated := [name for name, times in names.items() if times > 1]:
        reason = f"{sum(names[name] for name in repeated)} documents have the name {repeated[0]!r}"
        hint = "Give each document a name of its own."
        raise DataError(Problem("cannot-write", reason, "error", hint=hint))
    stream.write("# global.columns = " + " ".join(COLUMNS) + "\n")
    problems: list[Problem] = []
    for document in corpus:
        _Writer(document, problems).write(stream)
    return problems


class _Writer:
    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self.document = document
        self.problems = problems
        self.names: set[str] = set()
        self.empties: set[EmptyNode] = set()
        relations = document.relations or Relations()
        #: The id of each written mention in each entity; with None, its first id in any entity.
        self.ids: dict[tuple[Mention, str | None], str] = {}
        named = Layer(document.entities, document.entity_names, document.details, relations)
        self.bridging: dict[Node, str] = {}
        self.identity = self.add_markables(named)
        self.add_bridges(relations)
        self.deixis = self.add_markables(relations.deixis) if relations.deixis else []
        ends = [part[1] for _, parts in (*self.identity, *self.deixis) for part in parts]
        self.rows = sorted(
            [*range(max(token_count(document), *ends, 0)), *all_empty_nodes(self.empties)],
            key=node_key,
        )
        self.cells = self.bracket_cells(self.identity)
        self.deixis_cells = self.bracket_cells(self.deixis)

    def add_markables(self, layer: Layer) -> list[_Markable]:
        """Return the features and pieces of all mentions of a layer."""
        relations = layer.relations or Relations()

        def variants(name: str) -> Iterator[str]:
            return (_plain_name(name) + "'" * number for number in count())

        names = written_names(layer.names, lambda name: name == _plain_name(name), variants)
        self.names_of = dict(zip(reversed(layer.names), reversed(names), strict=True))
        plurals = self.plurals_by_member(layer, relations)
        markables: list[_Markable] = []
        self.ids = {}
        for i, entity in enumerate(layer.entities):
            name = layer.names[i]
            for j, mention in enumerate(entity):
                detail = layer.details[i][j] if layer.details else None
                features = {"EntityID": names[i], "MarkableID": "", **_kept_features(detail)}
                if name in plurals and pieces_if_any(mention):
                    features["ElementOf"] = ",".join(plurals.pop(name))
                self.add_markable(markables, features, mention, name)
        for number, (mention, kind, detail) in enumerate(relations.nonreferring, 1):
            old = PSEUDO.fullmatch(str(detail.attributes.get("EntityID", "")) if detail else "")
            name = f"{_plain_name(old[1]) if old else number}-Pseudo"
            features = {"EntityID": name, "MarkableID": "", **_kept_features(detail)}
            if kind:
                features["SemType"] = in_cell(kind)
            self.add_markable(markables, features, mention, None)
        return markables

    def plurals_by_member(self, layer: Layer, relations: Relations) -> dict[str, list[str]]:
        """Return for each member the written names of its plural entities, with one set each."""
        pairs = zip(layer.names, layer.entities, strict=True)
        written = {name for name, entity in pairs if any(map(pieces_if_any, entity))}
        plurals: dict[str, dict[str, None]] = {}
        seen: set[str] = set()
        for entity, members in relations.splits:
            if entity in seen:
                further = f"a further set of members of entity {entity}"
                self.report_change(further, "added to the first")
            seen.add(entity)
            for member in members:
                if member in written and entity in written:
                    plurals.setdefault(member, {})[self.names_of[entity]] = None
                else:
                    self.report_change(f"the member {member} of entity {entity}", "left out")
        return {member: list(names) for member, names in plurals.items()}

    def report_change(self, what: str, outcome: str, code: str = "cannot-write") -> None:
        self.problems.append(unwritten_problem(self.document, what, outcome, code))

    def add_markable(
        self, markables: list[_Markable], features: _Features, mention: Mention, entity: str | None
    ) -> None:
        """Add a markable, with an id of its own."""
        parts = pieces_if_any(mention)
        if not parts:
            self.report_change(f"the mention {mention!r}", "left out", "mention-unwritten")
            return
        id = features["MarkableID"] or f"markable_{len(self.names) + 1}"
        while id in self.names:
            id += "'"
        self.names.add(id)
        features["MarkableID"] = id
        self.ids.setdefault((mention, entity), id)
        self.ids.setdefault((mention, None), id)
        self.empties.update(filter(is_empty, parts))
        markables.append((features, parts))

    def bracket_cells(self, markables: list[_Markable]) -> dict[Node, str]:
        """Return the cells of a column by node; a run that crosses an earlier one is cut in two."""
        rows = self.rows
        number = {row: index for index, row in enumerate(rows)}
        #: First row, negative last row (longer runs come first), order of the mention, opening.
        waiting: list[tuple[int, int, int, str]] = []
        for features, parts in markables:
            opening = "(" + "|".join(f"{name}={value}" for name, value in features.items())
            for run in consecutive(sorted(number[row] for row in nodes(parts))):
                waiting += [(i, -j, len(waiting), opening) for i, j in self.between_tokens(*run)]
        heapify(waiting)  # of mentions at one place, the first is taken first
        brackets: list[Bracket] = []
        ends: list[int] = []
        while waiting:
            first, last, place, opening = heappop(waiting)
            last = -last
            while ends and ends[-1] <= first:
                ends.pop()
            if ends and last > ends[-1]:
                # The rest behind the end of the enclosing run becomes another piece.
                for i, j in self.between_tokens(ends[-1] + 1, last):
                    heappush(waiting, (i, -j, place, opening))
                last = ends[-1]
            brackets.append(Bracket(first, last, opening, ")"))
            if first < last:
                ends.append(last)
        return {
            rows[row]: "".join([*signs.closes, *signs.opens, *(f"{s})" for s in signs.wholes)])
            for row, signs in signs_by_row(brackets).items()
        }

    def between_tokens(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Split a run of rows into the empty nodes at its edges, and a run between tokens."""
        while first < last and is_empty(self.rows[first]):
            yield first, first
            first += 1
        while first < last and is_empty(self.rows[last]):
            yield last, last
            last -= 1
        yield first, last

    def write(self, stream: IO[str]) -> None:
        text = self.document.text
        stream.write(f"# newdoc id = {flat_name(self.document)}\n")
        starts = set(text.sentences[1:] if text else [])
        speakers = (text.speakers if text else None) or []
        speaker = None
        numbers: Counter[int] = Counter()  # of the empty nodes before each token
        for row in self.rows:
            token, begins = (row, True) if is_token(row) else (row[0], is_initial(row))
            if begins and token in starts:
                starts.remove(token)
                stream.write("\n")
                speaker = None
            if is_token(row):
                if token < len(speakers) and speakers[token] != speaker:
                    speaker = speakers[token]
                    stream.write(f"# speaker = {one_line(speaker)}\n" if speaker else "")
                cells = self.cells_of_token(row)
            else:
                numbers[token] += 1
                cells = [f"{token}.{numbers[token]}", *["_"] * (len(COLUMNS) - 1)]
            for index, column in ((10, self.cells), (11, self.bridging), (12, self.deixis_cells)):
                cells[index] = column.get(row, "_")
            stream.write("\t".join(cells) + "\n")
        stream.write("\n")

    def cells_of_token(self, token: int) -> list[str]:
        cells = [str(token + 1), *["_"] * (len(COLUMNS) - 1)]
        text = self.document.text
        if text is None or token >= len(text):
            return cells
        for index, column in ((1, text.words), (3, text.upos), (4, text.pos), (7, text.relations)):
            if column:
                cells[index] = in_cell(column[token])
        if text.heads:
            cells[6] = str(text.heads[token] + 1)
        return cells

    def add_bridges(self, relations: Relations) -> None:
        for anaphor, anchor, entity, relation in relations.bridges:
            features = {"MarkableID": self.ids.get((anaphor, None), "")}
            plain_relation = _plain_name(relation) if relation else ""
            if relation:
                features["Rel"] = plain_relation
            place = self.ids.get((anchor, entity)) or self.ids.get((anchor, None))
            if anchor is not None and place:
                features["MentionAnchor"] = place
            if entity in self.names_of:
                features["EntityAnchor"] = self.names_of[entity]
            anchored = "MentionAnchor" in features or "EntityAnchor" in features
            if not features["MarkableID"] or not anchored:
                self.report_change(f"the bridging reference of {anaphor!r}", "left out")
                continue
            if anchor is not None and not place:
                left_out = f"the anchor {anchor!r} of {anaphor!r}"
                self.report_change(left_out, "left out; its entity is kept")
            if relation != plain_relation:
                self.report_change(f"the relation {relation!r}", f"written as {plain_relation}")
            row = nodes(anaphor)[0]
            cell = "|".join(f"{name}={value}" for name, value in features.items())
            self.bridging[row] = self.bridging.get(row, "") + f"({cell})"


def _kept_features(detail: Detail | None) -> dict[str, str]:
    """Return MarkableID, SemType and Min; Min is from the minimum span unless it was read."""
    if detail is None:
        return {}
    features = {}
    if detail.minimum is not None:
        first, end = detail.minimum
        features["Min"] = str(end) if end == first + 1 else f"{first + 1},{end}"
    for name in _KEPT:
        if name in detail.attributes:
            features[name] = _SEPARATOR.sub("_", str(detail.attributes[name]))
    return features


def _plain_name(name: str) -> str:
    """Return the name of an entity as a cell can hold it."""
    plain = re.sub(r"[()|=@,]", "_", in_cell(name))
    return f"{plain}_" if PSEUDO.fullmatch(plain) else plain
