r"""WebAnno TSV 3 (also written by INCEpTION): one token a line, spans and relations in columns.

The header names the layers: ``#T_SP=layer|feature…`` spans, ``#T_RL=layer|feature…|BT_base``
relations between spans of the layer ``base``, ``#T_CH=layer|…`` chains. Rows are ``1-4``,
``12-22`` (offsets), the token, then one column a feature. In a cell ``|`` stacks values, ``x[7]``
on adjacent rows is one span, a bare ``x`` is a span of one token, ``_`` is none, ``*`` is a span
without a value; ``\`` escapes signs. Rows such as ``1-4.1`` are parts of a token, or empty.

A cell ``19-6[148_147]`` of a relation, on the row of span 147, comes from span 148 at row 19-6; 0
stands for a span without number. Where the type begins with ``bridge``, the span of the row is the
anchor, and what follows ``:`` the relation.

Entities are the components of the relations of identity
(`IDENTITY`) among all spans of the base layer, or the chains. Here tokens count from 0 through the
document, and spans are half-open; a span of a part of a token is that token; a part without any
characters is an empty node. The document is called as the file.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, breaks_of
from corefmeter.corpus.positions import (
    Piece,
    is_empty,
    mention_of,
    piece_key,
)
from corefmeter.corpus.relations import Bridge, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.entities import UnionFind
from corefmeter.formats.notes import SHOWN, Notes, cell_column, number_of, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem, amount

#: Types of relations between mentions of one entity, in lower case; also a type that is not set.
IDENTITY = frozenset(
    (
        "coref",
        "coreference",
        "ident",
        "identity",
        "same",
        "ana",
        "anaphora",
        "cata",
        "cataphora",
        "appos",
        "apposition",
        "pred",
        "disc",
        "*",
        "_",
    )
)

_ROW = re.compile(r"(\d+)-(\d+)(?:\.(\d+))?")
#: The row of a token: its id, sentence, begin, word without escapes, and the cells behind.
_PLAIN = re.compile(r"((\d+)-\d+)\t(\d+)-\d+\t([^\t\\]*)\t(.*)", re.DOTALL)
_OFFSETS = re.compile(r"(\d+)-(\d+)")
_STACK = re.compile(r"(?<!\\)(?:\\\\)*\|")
_LINK = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d+)_(\d+)\])?")
_CHAIN = re.compile(r"(.*)->(\d+)-(\d+)", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|.)")
_COREFERENCE = re.compile(r"coref|anaph|bridg", re.IGNORECASE)


class _Layer(NamedTuple):
    """A layer: ``SP``, ``RL`` or ``CH``; its features, and the column of the first of them."""

    kind: str
    name: str
    features: tuple[str, ...]
    column: int

    @property
    def base(self) -> str:
        """The layer that a relation connects."""
        return self.features[-1].removeprefix("BT_")


class _Link(NamedTuple):
    """A relation: its type, the spans it connects as row and number (or ""), and its place."""

    type: str
    source: tuple[str, str]
    target: tuple[str, str]
    line: int
    column: int


class _Span:
    """A span of a layer: its pieces, its last token, and the lines of its rows as runs."""

    __slots__ = ("last", "lines", "pieces", "values")

    def __init__(self, values: dict[str, str], place: Piece, number: int) -> None:
        self.values = values
        self.pieces = [place]
        self.last = place[0]
        self.lines = [[number, number]]

    def add(self, place: Piece, number: int) -> None:
        """Let it be on one more row."""
        before = self.pieces[-1]
        self.last = place[0]
        if len(before) > 2 or len(place) > 2 or place[0] > before[1]:
            self.pieces.append(place)
        elif place[1] > before[1]:
            self.pieces[-1] = before[0], place[1]
        if number == self.lines[-1][1] + 1:
            self.lines[-1][1] = number
        else:
            self.lines.append([number, number])

    def on(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.lines)

    def places(self) -> list[tuple[int, int, int]]:
        """Its pieces, so that spans sort in the order of the text."""
        return list(map(piece_key, self.pieces))


#: What the cells of a row hold of one layer: the annotations, each with a value for each feature.
_Stacks = tuple[_Layer, list[list[str]]]


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file in which a line names the format."""
    return re.search(rb"^#FORMAT=WebAnno TSV 3", head, re.MULTILINE) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the document of a file.

    Raises
    ------
    DataError
        With all errors of the file: no layer of coreference, rows of another number of columns,
        stacked cells of unequal numbers, spans whose rows are not adjacent, relations to spans
        that do not exist.
    """
    notes = Notes(source.path)
    reader = _Reader(notes, source.identity or IDENTITY)
    for number, line in numbered_lines(source, notes):
        reader.line(number, line)
    document = reader.document(details)
    return [document], notes.finish()


class _Reader:
    """The state of reading one file."""

    def __init__(self, notes: Notes, identity: frozenset[str]) -> None:
        self.notes = notes
        self.identity = identity
        self.layers: list[_Layer] = []
        self.columns = 3
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.sentence = ""
        self.rows: dict[str, int] = {}  # the line of each row
        self.begin = ""  # where the last token begins
        self.parts = 0  # rows that are parts of tokens and carry a span
        self.nodes: Counter[int] = Counter()
        self.bases: set[str] = set()
        self.chosen: list[_Layer] = []
        self.needed: list[_Layer] = []  # the chosen ones and their bases
        self.spans: dict[tuple[str, str], _Span] = {}
        self.unnumbered: dict[tuple[str, str], list[str]] = {}  # spans on a row
        self.known: dict[str, list[_Stacks]] = {}  # what cells hold: many rows are alike
        self.links: list[tuple[_Layer, _Link]] = []

    def line(self, number: int, line: str) -> None:
        plain = _PLAIN.fullmatch(line)
        found = self.known.get(plain[5]) if plain else None
        if plain and found is not None and self.rows.setdefault(plain[1], number) == number:
            token = self.token(number, plain[2], plain[4])
            self.begin = plain[3]
            if found:
                self.annotate(number, line, found, (token, token + 1))
        elif line.startswith("#T_"):
            self.header(number, line)
        elif line.strip() and not (line.startswith("#") and "\t" not in line):
            if not self.chosen:
                self.choose()
            self.row(number, line)

    def header(self, number: int, line: str) -> None:
        kind, equals, rest = line[3:].partition("=")
        name, *features = rest.split("|")
        if not equals or kind not in ("SP", "RL", "CH") or not features:
            reason = f"not a layer of WebAnno TSV 3: {line[:80]!r}"
            hint = "Write #T_SP=layer|feature, #T_RL=layer|feature|BT_base or #T_CH=layer|..."
            self.notes.error("bad-line", reason, number, 1, hint)
            return
        self.layers.append(_Layer(kind, name, tuple(features), self.columns))
        self.columns += len(features)
        self.known.clear()

    def choose(self) -> None:
        """Choose coreference layers: chains, and relations between spans of a custom layer."""
        spans = {layer.name for layer in self.layers if layer.kind == "SP"}
        relations = [layer for layer in self.layers if layer.kind == "RL" and layer.base in spans]
        named = [layer for layer in relations if _COREFERENCE.search(layer.name)]
        chains = [layer for layer in self.layers if layer.kind == "CH"]
        if named:
            self.chosen = named
        elif not chains and len(relations) == 1:
            self.chosen = relations
        self.bases = {layer.base for layer in self.chosen}
        self.chosen = [*self.chosen, *chains]
        self.needed = [
            layer
            for layer in self.layers
            if (layer.name in self.bases if layer.kind == "SP" else layer in self.chosen)
        ]
        if not self.chosen:
            known = ", ".join(layer.name for layer in self.layers) or "none"
            self.notes.error(
                "no-coreference",
                f"no layer of coreference among the layers: {known}",
                1,
                hint="A layer of relations needs coref in its name, or is the only one.",
            )
            self.chosen = [_Layer("", "", (), 0)]

    def row(self, number: int, line: str) -> None:
        fields = line.split("\t", 3)
        row, annotated = fields[0], fields[3] if len(fields) == 4 else ""
        match = _ROW.fullmatch(row)
        if match is None:
            reason = f"the id {row[:SHOWN]!r} is not of the form SENTENCE-TOKEN"
            self.notes.error("bad-line", reason, number, 1, "Ids are 1-1, 1-2, or 1-2.1.")
            return
        found = self.known.get(annotated)
        if found is None and not self.has_columns(number, line):
            return
        first = self.rows.setdefault(row, number)
        if first != number:
            reason = f"the row {row[:SHOWN]} occurs again here; it was on line {first}"
            hint = "Every row has an id of its own."
            self.notes.error("repeated-id", reason, number, 1, hint)
            return
        place = self.place(number, match, fields)
        if found is None:
            found = self.annotations(number, line, annotated)
        self.annotate(number, line, found, place)

    def annotate(self, number: int, line: str, found: list[_Stacks], place: Piece) -> None:
        for layer, stacks in found:
            if layer.kind == "SP":
                self.span_cells(number, line, layer, stacks, place)
            elif layer.kind == "RL":
                self.relation_cells(number, line, layer, stacks)
            else:
                self.chain_cells(number, line, layer, stacks, place)

    def has_columns(self, number: int, line: str) -> bool:
        """Return whether a row has as many columns as the header; note an error if not."""
        columns = line.count("\t") + 1
        if columns == self.columns + 1 and not line.rpartition("\t")[2].strip():
            columns -= 1
        if columns != self.columns:
            self.notes.error(
                "bad-columns",
                f"{amount(columns, 'column')}, but the header asks for {self.columns}",
                number,
                hint="Three columns for id, offsets and token, then one for each feature.",
            )
        return columns == self.columns

    def annotations(self, number: int, line: str, annotated: str) -> list[_Stacks]:
        """Return the annotations of a row by layer; empty layers are omitted."""
        cells = line.split("\t")
        found = []
        right = True
        for layer in self.needed:
            stacks = self.stacks(number, layer, cells)
            right = right and stacks is not None
            if stacks:
                found.append((layer, stacks))
        if right and len(annotated) < 1000:
            if len(self.known) >= 5000:
                self.known.clear()
            self.known[annotated] = found
        return found

    def token(self, number: int, sentence: str, word: str) -> int:
        if sentence != self.sentence:
            self.sentence = sentence
            self.sentences.append(len(self.words))
        self.words.append(word)
        self.lines.append(number)
        return len(self.words) - 1

    def place(self, number: int, match: re.Match[str], cells: list[str]) -> Piece:
        """Return the node of a row: a token (also for a part of it) or an empty node."""
        if match[3] is None:
            self.token(number, match[1], _unescaped(cells[2]))
        token = len(self.words) - 1
        offsets = _OFFSETS.fullmatch(cells[1])
        if offsets is None:
            reason = f"the offsets {cells[1][:SHOWN]!r} are not of the form BEGIN-END"
            hint = "Offsets are such as 0-3; the end is exclusive."
            self.notes.error("bad-line", reason, number, len(cells[0]) + 2, hint)
            return max(token, 0), max(token, 0) + 1
        if match[3] is None:
            self.begin = offsets[1]
        elif (begin := number_of(offsets[1])) == number_of(offsets[2]):
            at = token if begin == number_of(self.begin or "0") else token + 1
            self.nodes[at] += 1
            return at, at, self.nodes[at]
        return max(token, 0), max(token, 0) + 1

    def stacks(self, number: int, layer: _Layer, cells: list[str]) -> list[list[str]] | None:
        """The stacked values of a layer on a row: one list an annotation; None after an error."""
        own = cells[layer.column : layer.column + len(layer.features)]
        if own.count("_") == len(own):
            return []
        values = [[] if cell == "_" else _split(cell) for cell in own]
        numbers = layer.kind == "SP" and "[" in "".join(own)
        if numbers and len({tuple(map(_tail, value)) for value in values}) > 1:
            values = _by_number(values)
        if len(set(map(len, values))) > 1:
            values = _completed(values)
        if len(set(map(len, values))) > 1:
            shown = ", ".join(repr(cell[:SHOWN]) for cell in own)
            self.notes.error(
                "bad-cell",
                f"the cells of {layer.name} stack unequal numbers of values: {shown}",
                number,
                cell_column(cells, layer.column),
                hint='Every column of a layer has the same number of values between "|".',
            )
            return None
        return [list(annotation) for annotation in zip(*values, strict=True)]

    def span_cells(
        self,
        number: int,
        line: str,
        layer: _Layer,
        annotations: list[list[str]],
        place: Piece,
    ) -> None:
        row = line[: line.index("\t")]
        for index, annotation in enumerate(annotations):
            id = _number(annotation[0])
            key = layer.name, id or f"{row}/{index}"
            if key not in self.spans:
                values = {
                    feature: _unescaped(value)
                    for feature, value in zip(layer.features, map(_value, annotation), strict=True)
                    if feature and value not in ("*", "_")
                }
                self.spans[key] = _Span(values, place, number)
            else:
                self.extend(key, number, line, layer, place)
            if not id:
                self.unnumbered.setdefault((layer.name, row), []).append(key[1])
            if "." in row and not is_empty(place):
                self.parts += 1

    def extend(
        self, key: tuple[str, str], number: int, line: str, layer: _Layer, place: Piece
    ) -> None:
        """Let a span be on one more row, which must be next to its last."""
        span = self.spans[key]
        if place[0] > span.last + 1:
            self.notes.error(
                "bad-part",
                f"span {key[1][:SHOWN]} of {key[0]} occurs again here, but not on the rows since "
                f"line {self.lines[span.last]}",
                number,
                _column(line, layer.column),
                hint="A number in brackets is one span, on adjacent rows; use another number.",
            )
        span.add(place, number)

    def chain_cells(
        self,
        number: int,
        line: str,
        layer: _Layer,
        annotations: list[list[str]],
        place: Piece,
    ) -> None:
        for annotation in annotations:
            values = dict(zip(layer.features, annotation, strict=True))
            found = [m for value in annotation if (m := _CHAIN.fullmatch(_value(value)))]
            if not found:
                shown = [value[:SHOWN] for value in annotation]
                reason = f"the cells {shown} of {layer.name} name no chain"
                hint = "One of the columns of a chain layer holds TYPE->CHAIN-ELEMENT."
                column = _column(line, layer.column)
                self.notes.error("bad-cell", reason, number, column, hint)
                continue
            key = layer.name, f"{found[0][2]}-{found[0][3]}"
            if key in self.spans:
                self.extend(key, number, line, layer, place)
                continue
            kept = {
                feature: _unescaped(_value(value))
                for feature, value in values.items()
                if not _CHAIN.fullmatch(_value(value)) and _value(value) != "*"
            }
            self.spans[key] = _Span(kept, place, number)

    def relation_cells(
        self, number: int, line: str, layer: _Layer, annotations: list[list[str]]
    ) -> None:
        column = _column(line, layer.column + len(layer.features) - 1)
        for annotation in annotations:
            match = _LINK.fullmatch(annotation[-1])
            if match is None:
                reason = f"the relation {annotation[-1][:SHOWN]!r} of {layer.name} names no row"
                hint = "Write ROW, or ROW[SOURCE_TARGET], such as 19-6[148_147]."
                self.notes.error("bad-cell", reason, number, column, hint)
                continue
            type = _unescaped(annotation[0]) if len(annotation) > 1 else "*"
            source, target = ((end or "").lstrip("0") for end in match.group(2, 3))
            row = line[: line.index("\t")]
            link = _Link(type, (match[1], source), (row, target), number, column)
            self.links.append((layer, link))

    def document(self, details: bool) -> Document:
        if not self.words and not self.notes.errors:
            hint = "The file has a header only; it may be cut off."
            self.notes.error("no-document", "the file holds no token", hint=hint)
        keys = list(self.spans)
        spans = list(self.spans.values())
        number = {key: index for index, key in enumerate(keys)}
        mentions = [mention_of(span.pieces) for span in spans]
        sets = UnionFind(len(spans))
        same: dict[str, None] = {}
        unknown: dict[str, list[_Link]] = {}
        kept: list[dict[str, Any]] = []
        bridges: list[tuple[int, int, str]] = []  # anaphor, anchor, relation
        chains: dict[tuple[str, str], int] = {}
        for index, (name, key) in enumerate(keys):
            if name not in self.bases:
                chain = name, key.partition("-")[0]
                sets.join(index, chains.setdefault(chain, index))
        for layer, link in dict.fromkeys(self.links):
            ends = [self.end(layer, link, *end) for end in (link.source, link.target)]
            if ends[0] is None or ends[1] is None:
                continue
            one, other = (number[layer.base, key] for key in ends if key is not None)
            kind = link.type.lower()
            if kind in self.identity:
                sets.join(one, other)
                same[link.type] = None
            elif kind.startswith("bridg"):
                bridges.append((one, other, link.type.partition(":")[2]))
            else:
                kept.append({"type": link.type, "mentions": [mentions[one], mentions[other]]})
                unknown.setdefault(link.type, []).append(link)
        for type, links in unknown.items():
            self.notes.warn(
                "unknown-relation",
                f"relations of type {type[:SHOWN]!r} are not identity as far as is known; left out",
                links[0].line,
                links[0].column,
                count=len(links),
                hint=f"If they are, name all that are, as in --identity {'+'.join([*same, type])}.",
            )
        if self.parts:
            reason = "spans of parts of tokens; each is taken as the whole tokens"
            self.notes.warn("off-token", reason, count=self.parts)
        members = [[(mentions[i], spans[i]) for i in entity] for entity in sets.sets()]
        for entity in members:
            entity.sort(key=lambda pair: pair[1].places())
        members.sort(key=lambda entity: entity[0][1].places())
        names = {id(span): str(n) for n, entity in enumerate(members, 1) for _, span in entity}
        found = [
            Bridge(mentions[one], mentions[other], names[id(spans[other])], type)
            for one, other, type in bridges
        ]
        relations = Relations(bridges=tuple(found))
        return Document(
            stem(self.notes.path),
            [[mention for mention, _ in entity] for entity in members],
            entity_names=[str(i) for i in range(1, len(members) + 1)],
            entities_named=False,
            tokens=len(self.words),
            path=self.notes.path,
            line=1,
            breaks=breaks_of(self.lines),
            details=[[_detail(span) for _, span in e] for e in members] if details else None,
            text=Text(self.words, sentences=self.sentences, lines=self.lines) if details else None,
            relations=relations if details else None,
            unread=relations.counts(),
            attributes={"relations": kept} if kept else None,
        )

    def end(self, layer: _Layer, link: _Link, row: str, id: str) -> str | None:
        """Return the span at an end of a relation; note an error unless there is exactly one."""
        found = [] if id else self.unnumbered.get((layer.base, row), [])
        if len(found) == 1:
            return found[0]
        span = self.spans.get((layer.base, id)) if id else None
        if span is not None and span.on(self.rows.get(row, 0)):
            return id
        if span is not None:
            self.notes.warn(
                "repaired",
                f"the relation names span {id} at row {row}, where it does not occur; taken by its "
                "number",
                link.line,
                link.column,
            )
            return id
        what = f"span {id}" if id else "a span without number"
        if row not in self.rows:
            reason = f"the relation names row {row}, which does not exist"
        else:
            there = f"there are {len(found)}" if found else "there is none"
            reason = f"the relation names {what} at row {row}, where {there}"
        hint = "Write ROW[SOURCE_TARGET] with the numbers of the spans."
        self.notes.error("unknown-mention", reason, link.line, link.column, hint)
        return None


def _split(cell: str) -> list[str]:
    r"""The values that a cell stacks.

    Examples
    --------
    >>> _split("a[1]|b\\|c[2]")
    ['a[1]', 'b\\|c[2]']
    """
    if "\\" not in cell:
        return cell.split("|")
    values = []
    start = 0
    for match in _STACK.finditer(cell):
        values.append(cell[start : match.end() - 1])
        start = match.end()
    return [*values, cell[start:]]


def _number(value: str) -> str:
    """Return the number of a value; empty if it has none, or 0."""
    return _parted(value)[1].lstrip("0")


def _parted(value: str) -> tuple[str, str]:
    r"""A value, and its number or nothing.

    Examples
    --------
    >>> _parted("a[1]"), _parted("a"), _parted("a\\[1]"), _parted("[x]")
    (('a', '1'), ('a', ''), ('a\\[1]', ''), ('[x]', ''))
    """
    if value[-1:] == "]":
        begin, sign, number = value[:-1].rpartition("[")
        if sign and number.isdecimal() and not (len(begin) - len(begin.rstrip("\\"))) % 2:
            return begin, number
    return value, ""


def _column(line: str, index: int) -> int:
    return cell_column(line.split("\t"), index)


def _tail(value: str) -> str:
    """Return a value's text after its last bracket, equal where the numbers are equal."""
    return value.rpartition("[")[2]


def _by_number(values: list[list[str]]) -> list[list[str]]:
    """Stacks of one row by the numbers of their spans, whatever each column omits.

    Where a value has no number but is there, the stacks stay as they are.

    Examples
    --------
    >>> _by_number([["_", "b[2]"], ["x[1]", "y[2]"]])
    [['_[1]', 'b[2]'], ['x[1]', 'y[2]']]
    >>> _by_number([["a[1]"], ["y[2]"]])
    [['a[1]', '_[2]'], ['_[1]', 'y[2]']]
    >>> _by_number([["a[1]", "b"], ["_", "y"]])
    [['a[1]', 'b'], ['_', 'y']]
    """
    known = [{_number(value): value for value in stack if value != "_"} for stack in values]
    told = all(
        len(of_number) + stack.count("_") == len(stack) and "" not in of_number
        for of_number, stack in zip(known, values, strict=True)
    )
    if not told:
        return values
    longest_first = sorted(known, key=len, reverse=True)
    ids = dict.fromkeys(id for of_number in longest_first for id in of_number)
    return [[of_number.get(id, f"_[{id}]") for id in ids] for of_number in known]


def _completed(values: list[list[str]]) -> list[list[str]]:
    """Fill stacks of one row where the numbers show that a column omits a value.

    Examples
    --------
    >>> _completed([["a[1]", "b[2]"], ["x[2]"], []])
    [['a[1]', 'b[2]'], ['_[1]', 'x[2]'], ['_[1]', '_[2]']]
    >>> _completed([["a", "b"], ["x"]])
    [['a', 'b'], ['x']]
    """
    most = max(map(len, values))
    ids = next([_number(value) for value in stack] for stack in values if len(stack) == most)
    found = []
    for stack in values:
        known = {_number(value): value for value in stack}
        told = len(known) == len(stack) and len({*ids}) == len(ids) and known.keys() <= {*ids}
        if len(stack) < len(ids) and (told or not stack):
            stack = [known.get(id, f"_[{id}]" if id else "_") for id in ids]
        found.append(stack)
    return found


def _value(value: str) -> str:
    return _parted(value)[0]


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def _detail(span: _Span) -> Detail:
    entity_type = next(
        (v for k, v in span.values.items() if k.lower() in ("entity", "entity_type", "etype")), None
    )
    return Detail(entity_type=entity_type, attributes=span.values)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus of one document; see `corefmeter.wings.annotation.formats.webanno_write`."""
    from corefmeter.wings.annotation.formats import webanno_write

    return webanno_write.write(corpus, stream)


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3",
    sniff=sniff,
    evidence="a line `#FORMAT=WebAnno TSV 3`",
    read=read,
    write=write,
    endings=(".webannotsv", ".webanno"),
    identity=True,
    clues=tuple(
        (
            sign,
            "Of WebAnno, TSV 3 is read. This looks like an older one: import it into WebAnno, and "
            "export it as WebAnno TSV 3.",
        )
        for sign in (b"#FORMAT=WebAnno", b"\n#text=")
    ),
)
