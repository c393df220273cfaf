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
from corefmeter.formats.notes import (
    Notes,
    cell_column,
    number_of,
    numbered_lines,
)
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem, amount

#: Types of relations between mentions of one entity, in lower case; also a type that is not set.
IDENTITY = frozenset(
    ("coref", "coreference", "ident", "identity", "same", "ana", "anaphora", "cata", "cataphora",
     "appos", "apposition", "pred", "disc", "*", "_")
)  # fmt: skip

_ROW = re.compile(r"(\d+)-(\d+)(?:\.(\d+))?")
_OFFSETS = re.compile(r"(\d+)-(\d+)")
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[(\d+)\]", re.DOTALL)
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
    """A relation: its type, the spans it connects as row and number, and its place."""

    type: str
    source: tuple[str, int]
    target: tuple[str, int]
    line: int
    column: int


class _Span:
    """A span of a layer."""

    __slots__ = ("column", "line", "rows", "values")

    def __init__(self, values: dict[str, str], line: int, column: int) -> None:
        self.values = values
        self.line = line
        self.column = column
        self.rows: dict[Piece, None] = {}  # in order, each one token or an empty node

    def places(self) -> list[tuple[int, int, int]]:
        """Its rows, so that they sort in the order of the text."""
        return list(map(piece_key, self.rows))


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file in which a line names the format."""
    return re.search(rb"^#FORMAT=WebAnno TSV 3", head, re.MULTILINE) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The document of a file.

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
        self.begin = 0  # where the last token begins
        self.parts = 0  # rows that are parts of tokens and carry a span
        self.nodes: Counter[int] = Counter()
        self.bases: set[str] = set()
        self.chosen: list[_Layer] = []
        self.spans: dict[tuple[str, str], _Span] = {}
        self.at_row: dict[tuple[str, str, int], list[str]] = {}
        self.links: list[tuple[_Layer, _Link]] = []

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if line.startswith("#T_"):
            self.header(number, line)
        elif line.strip() and not (line.startswith("#") and "\t" not in line):
            if not self.chosen:
                self.choose()
            self.row(number, line)

    def header(self, number: int, line: str) -> None:
        """A layer of the header."""
        kind, equals, rest = line[3:].partition("=")
        name, *features = rest.split("|")
        if not equals or kind not in ("SP", "RL", "CH") or not features:
            reason = f"not a layer of WebAnno TSV 3: {line[:80]!r}"
            hint = "Write #T_SP=layer|feature, #T_RL=layer|feature|BT_base or #T_CH=layer|..."
            self.notes.error("bad-line", reason, number, 1, hint)
            return
        self.layers.append(_Layer(kind, name, tuple(features), self.columns))
        self.columns += len(features)

    def choose(self) -> None:
        """Which layers hold coreference: chains, and relations between spans of a custom layer."""
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
        if not self.chosen:
            known = ", ".join(layer.name for layer in self.layers) or "none"
            self.notes.error(
                "no-coreference", f"no layer of coreference among the layers: {known}", 1,
                hint="A layer of relations needs coref in its name, or is the only one.",
            )  # fmt: skip
            self.chosen = [_Layer("", "", (), 0)]

    def row(self, number: int, line: str) -> None:
        """A token, or a part of one."""
        cells = line.split("\t")
        if len(cells) == self.columns + 1 and not cells[-1].strip():
            cells.pop()
        match = _ROW.fullmatch(cells[0])
        if match is None:
            reason = f"the id {cells[0]!r} is not of the form SENTENCE-TOKEN"
            self.notes.error("bad-line", reason, number, 1, "Ids are 1-1, 1-2, or 1-2.1.")
            return
        if len(cells) != self.columns:
            self.notes.error(
                "bad-columns",
                f"{amount(len(cells), 'column')}, but the header asks for {self.columns}", number,
                hint="Three columns for id, offsets and token, then one for each feature.",
            )  # fmt: skip
            return
        first = self.rows.setdefault(cells[0], number)
        if first != number:
            reason = f"the row {cells[0]} occurs again here; it was on line {first}"
            hint = "Every row has an id of its own."
            self.notes.error("repeated-id", reason, number, 1, hint)
            return
        place = self.place(number, match, cells)
        for layer in self.layers:
            if layer.kind == "SP" and layer.name in self.bases:
                self.span_cells(number, layer, cells, place)
            elif layer in self.chosen and layer.kind == "RL":
                self.relation_cells(number, layer, cells)
            elif layer.kind == "CH":
                self.chain_cells(number, layer, cells, place)

    def place(self, number: int, match: re.Match[str], cells: list[str]) -> Piece:
        """What a row stands for: a token, also for a part of it, or an empty node."""
        if match[3] is None:
            if match[1] != self.sentence:
                self.sentence = match[1]
                self.sentences.append(len(self.words))
            self.words.append(_unescaped(cells[2]))
            self.lines.append(number)
        token = len(self.words) - 1
        offsets = _OFFSETS.fullmatch(cells[1])
        if offsets is None:
            reason = f"the offsets {cells[1]!r} are not of the form BEGIN-END"
            hint = "Offsets are such as 0-3; the end is exclusive."
            self.notes.error("bad-line", reason, number, len(cells[0]) + 2, hint)
            return max(token, 0), max(token, 0) + 1
        begin, end = number_of(offsets[1]), number_of(offsets[2])
        if match[3] is None:
            self.begin = begin
        elif begin == end:
            at = token if begin == self.begin else token + 1
            self.nodes[at] += 1
            return at, at, self.nodes[at]
        return max(token, 0), max(token, 0) + 1

    def stacks(self, number: int, layer: _Layer, cells: list[str]) -> list[list[str]]:
        """The stacked values of a layer on a row: a list for each annotation."""
        columns = range(layer.column, layer.column + len(layer.features))
        values = [_split(cells[column]) for column in columns]
        values = [[] if value == ["_"] else value for value in values]
        if layer.kind == "SP" and len({tuple(map(_tail, value)) for value in values}) > 1:
            values = _by_number(values)
        if len({len(value) for value in values}) > 1:
            values = _completed(values)
        if len({len(value) for value in values}) > 1:
            shown = ", ".join(repr(cells[column]) for column in columns)
            self.notes.error(
                "bad-cell",
                f"the cells of {layer.name} stack unequal numbers of values: {shown}",
                number, cell_column(cells, layer.column),
                hint='Every column of a layer has the same number of values between "|".',
            )  # fmt: skip
            return []
        return [list(annotation) for annotation in zip(*values, strict=True)]

    def span_cells(self, number: int, layer: _Layer, cells: list[str], place: Piece) -> None:
        """The spans of a layer that stand on a row."""
        for index, annotation in enumerate(self.stacks(number, layer, cells)):
            match = _NUMBERED.fullmatch(annotation[0])
            key = match[2] if match else f"{cells[0]}/{index}"
            values = {
                feature: _unescaped(_value(value))
                for feature, value in zip(layer.features, annotation, strict=True)
                if feature and _value(value) not in ("*", "_")
            }
            self.extend((layer.name, key), values, number, cell_column(cells, layer.column), place)
            id = number_of(match[2]) if match else 0
            self.at_row.setdefault((layer.name, cells[0], id), []).append(key)
            if "." in cells[0] and not is_empty(place):
                self.parts += 1

    def extend(
        self,
        key: tuple[str, str],
        values: dict[str, str],
        number: int,
        column: int,
        place: Piece,
    ) -> None:
        """Let a span stand on one more row, which must be next to its last."""
        span = self.spans.setdefault(key, _Span(values, number, column))
        last = next(reversed(span.rows), place)
        if place[0] > last[0] + 1:
            self.notes.error(
                "bad-part",
                f"span {key[1]} of {key[0]} occurs again here, but not on the rows since line "
                f"{self.lines[last[0]]}",
                number, column,
                hint="A number in brackets is one span, on adjacent rows; use another number.",
            )  # fmt: skip
        span.rows[place] = None

    def chain_cells(self, number: int, layer: _Layer, cells: list[str], place: Piece) -> None:
        """The elements of chains that stand on a row."""
        for annotation in self.stacks(number, layer, cells):
            values = dict(zip(layer.features, annotation, strict=True))
            found = [m for value in annotation if (m := _CHAIN.fullmatch(_value(value)))]
            if not found:
                reason = f"the cells {annotation} of {layer.name} name no chain"
                hint = "One of the columns of a chain layer holds TYPE->CHAIN-ELEMENT."
                column = cell_column(cells, layer.column)
                self.notes.error("bad-cell", reason, number, column, hint)
                continue
            key = f"{found[0][2]}-{found[0][3]}"
            kept = {
                feature: _unescaped(_value(value))
                for feature, value in values.items()
                if not _CHAIN.fullmatch(_value(value)) and _value(value) != "*"
            }
            self.extend((layer.name, key), kept, number, cell_column(cells, layer.column), place)

    def relation_cells(self, number: int, layer: _Layer, cells: list[str]) -> None:
        """The relations whose cells stand on a row."""
        for annotation in self.stacks(number, layer, cells):
            match = _LINK.fullmatch(annotation[-1])
            column = cell_column(cells, layer.column + len(layer.features) - 1)
            if match is None:
                reason = f"the relation {annotation[-1]!r} of {layer.name} names no row"
                hint = "Write ROW, or ROW[SOURCE_TARGET], such as 19-6[148_147]."
                self.notes.error("bad-cell", reason, number, column, hint)
                continue
            type = _unescaped(annotation[0]) if len(annotation) > 1 else "*"
            source, target = number_of(match[2] or "0"), number_of(match[3] or "0")
            link = _Link(type, (match[1], source), (cells[0], target), number, column)
            self.links.append((layer, link))

    def document(self, details: bool) -> Document:
        """The document."""
        if not self.words and not self.notes.errors:
            hint = "The file has a header only; it may be cut off."
            self.notes.error("no-document", "the file holds no token", hint=hint)
        keys = list(self.spans)
        spans = list(self.spans.values())
        number = {key: index for index, key in enumerate(keys)}
        mentions = [mention_of(span.rows) for span in spans]
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
                f"relations of type {type!r} are not identity as far as is known; left out",
                links[0].line, links[0].column, count=len(links),
                hint=f"If they are, name all that are, as in --identity {'+'.join([*same, type])}.",
            )  # fmt: skip
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

    def end(self, layer: _Layer, link: _Link, row: str, id: int) -> str | None:
        """The span at an end of a relation; notes an error if there is none, or several."""
        found = self.at_row.get((layer.base, row, id), [])
        if len(found) == 1:
            return found[0]
        if id and (layer.base, str(id)) in self.spans:
            self.notes.warn(
                "repaired",
                f"the relation names span {id} at row {row}, where it does not occur; taken by its "
                "number",
                link.line, link.column,
            )  # fmt: skip
            return str(id)
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
    values = []
    start = 0
    for match in _STACK.finditer(cell):
        values.append(cell[start : match.end() - 1])
        start = match.end()
    return [*values, cell[start:]]


def _number(value: str) -> str:
    """The number of a value; 0 if it has none."""
    match = _NUMBERED.fullmatch(value)
    return match[2] if match else "0"


def _tail(value: str) -> str:
    """What a value has behind its last bracket: the same where the numbers are the same."""
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
        len(of_number) + stack.count("_") == len(stack) and "0" not in of_number
        for of_number, stack in zip(known, values, strict=True)
    )
    if not told:
        return values
    longest_first = sorted(known, key=len, reverse=True)
    ids = dict.fromkeys(id for of_number in longest_first for id in of_number)
    return [[of_number.get(id, f"_[{id}]") for id in ids] for of_number in known]


def _completed(values: list[list[str]]) -> list[list[str]]:
    """Stacks of one row with nothing where a column omits a value, which the numbers tell.

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
            stack = [known.get(id, f"_[{id}]" if id != "0" else "_") for id in ids]
        found.append(stack)
    return found


def _value(value: str) -> str:
    """A value without its number."""
    match = _NUMBERED.fullmatch(value)
    return match[1] if match else value


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(r"\1", value)


def _detail(span: _Span) -> Detail:
    entity_type = next(
        (v for k, v in span.values.items() if k.lower() in ("entity", "entity_type", "etype")), None
    )
    return Detail(entity_type=entity_type, attributes=span.values)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus of one document; see `corefmeter.formats.webanno_write`."""
    from corefmeter.formats import webanno_write

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
