"""Writing CONLLUA; see `corefmeter.formats.conllua` for the conventions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
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
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.formats.notes import in_cell, unwritten
from corefmeter.formats.writing import (
    Bracket,
    renamed,
    signs_by_row,
    token_count,
    written_names,
)
from corefmeter.problems import Problem

#: The columns of a file that names none, and of those written here.
COLUMNS = [
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
]

#: The names of entities that refer to nothing.
PSEUDO = re.compile(r"(.*)[-_]pseudo", re.IGNORECASE)

#: The features of a markable that is written, and its pieces.
_Marked = tuple[dict[str, str], tuple[Piece, ...]]

#: Features of a mention that are written as they were read.
_KEPT = ("MarkableID", "Min", "SemType")


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
        names = written_names(document.entity_names, lambda name: name == _plain(name), _others)
        self.problems += renamed(document, names)
        for i, entity in enumerate(document.entities):
            name, old = names[i], document.entity_names[i]
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
        brackets: list[Bracket] = []
        ends: list[int] = []
        waiting = []
        for features, parts in markables:
            opening = "(" + "|".join(f"{name}={value}" for name, value in features.items())
            runs = consecutive(sorted(number[row] for row in nodes(parts)))
            waiting += [Bracket(first, last, opening, ")") for first, last in runs]
        waiting.sort(key=_order, reverse=True)
        while waiting:
            bracket = waiting.pop()
            while ends and ends[-1] < bracket.first:
                ends.pop()
            if ends and bracket.last > ends[-1]:
                # What lies beyond the end of the one around it becomes another piece.
                waiting.append(bracket._replace(first=ends[-1] + 1))
                waiting.sort(key=_order, reverse=True)
                bracket = bracket._replace(last=ends[-1])
            brackets.append(bracket)
            if bracket.first < bracket.last:
                ends.append(bracket.last)
        return {
            rows[row]: "".join([*signs.opens, *(f"{s})" for s in signs.wholes), *signs.closes])
            for row, signs in signs_by_row(brackets).items()
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


def _order(bracket: Bracket) -> tuple[int, int]:
    return bracket.first, -bracket.last


def _plain(name: str) -> str:
    """The name of an entity as a cell can hold it."""
    plain = re.sub(r"[()|=@,]", "_", in_cell(name))
    return f"{plain}_" if PSEUDO.fullmatch(plain) else plain


def _others(name: str) -> Iterator[str]:
    """What an entity may be called instead."""
    return (_plain(name) + "'" * number for number in count())


def _rows(document: Document, empties: set[EmptyNode]) -> list[Node]:
    """The rows of a document: its tokens, each after the empty nodes before it."""
    return sorted([*range(token_count(document)), *all_empty_nodes(empties)], key=node_key)
