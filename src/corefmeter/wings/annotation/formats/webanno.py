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
from collections.abc import Iterable
from operator import attrgetter
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, breaks_of
from corefmeter.corpus.positions import Mention, Piece, is_empty, mention_of, piece_key
from corefmeter.corpus.relations import Bridge, Relations
from corefmeter.corpus.structures import UnionFind
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.notes import SHOWN, Notes, cell_column, number_of, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem, amount

#: Types of relations between mentions of one entity, in lower case; also a type that is not set.
IDENTITY = frozenset(
    ("coref", "coreference", "ident", "identity", "same", "ana", "anaphora", "cata", "cataphora")
) | {"appos", "apposition", "pred", "disc", "*", "_"}

#: An odd number of backslashes, of which the last escapes what follows.
_ESCAPING = re.compile(r"(?<!\\)\\(?:\\\\)*\Z")
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
        return self.features[-1].removeprefix("BT_")


class _Row(NamedTuple):
    """A row with annotations: its line and number, its id, and its token or empty node."""

    number: int
    line: str
    id: str
    place: Piece

    def column_of(self, index: int) -> int:
        return cell_column(self.line.split("\t"), index)


class _Value(NamedTuple):
    """A value that a cell stacks, and its parts: ``a[1]`` is ``a`` of the span 1.

    Without a number, or with 0, `number` is empty.
    """

    written: str
    text: str
    number: str = ""


#: The annotations of one layer on a row, each with a value for each feature.
_Stacks = list[tuple[_Value, ...]]

_number_of = attrgetter("number")


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

    def __init__(self, values: dict[str, str], row: _Row) -> None:
        self.values = values
        self.pieces = [row.place]
        self.last = row.place[0]
        self.lines = [[row.number, row.number]]

    def add(self, row: _Row) -> None:
        before, place = self.pieces[-1], row.place
        self.last = place[0]
        if is_empty(before) or is_empty(place) or place[0] > before[1]:
            self.pieces.append(place)
        elif place[1] > before[1]:
            self.pieces[-1] = before[0], place[1]
        if row.number == self.lines[-1][1] + 1:
            self.lines[-1][1] = row.number
        else:
            self.lines.append([row.number, row.number])

    def is_on(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.lines)

    def sort_key(self) -> list[tuple[int, int, int]]:
        """Return the pieces as numbers, so that spans sort in the order of the text."""
        return list(map(piece_key, self.pieces))


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file in which a line names the format."""
    return re.search(rb"^#FORMAT=WebAnno TSV 3", head, re.MULTILINE) is not None


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the document of a file."""
    notes = Notes(source.path)
    reader = _Reader(notes, source.identity or IDENTITY)
    for number, line in numbered_lines(source, notes):
        reader.read_line(number, line)
    document = reader.make_document(details)
    return [document], notes.finish()


class _Reader:
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
        self.spans: dict[tuple[str, str], _Span] = {}  # by layer, and number or chain
        self.unnumbered: dict[tuple[str, str], list[str]] = {}  # spans on a row
        self.cache: dict[str, list[tuple[_Layer, _Stacks]]] = {}  # by cells: many rows are alike
        self.links: list[tuple[_Layer, _Link]] = []

    def read_line(self, number: int, line: str) -> None:
        """Read a row or a line of the header; a row whose cells are known takes a fast path."""
        plain = _PLAIN.fullmatch(line)
        annotations = self.cache.get(plain[5]) if plain else None
        if plain and annotations is not None and self.rows.setdefault(plain[1], number) == number:
            token = self.add_token(number, plain[2], plain[4])
            self.begin = plain[3]
            if annotations:
                row = _Row(number, line, plain[1], (token, token + 1))
                self.add_annotations(row, annotations)
        elif line.startswith("#T_"):
            self.read_header(number, line)
        elif line.strip() and not (line.startswith("#") and "\t" not in line):
            if not self.chosen:
                self.choose_layers()
            self.read_row(number, line)

    def read_header(self, number: int, line: str) -> None:
        kind, equals, rest = line[3:].partition("=")
        name, *features = rest.split("|")
        if not equals or kind not in ("SP", "RL", "CH") or not features:
            reason = f"not a layer of WebAnno TSV 3: {line[:80]!r}"
            hint = "Write #T_SP=layer|feature, #T_RL=layer|feature|BT_base or #T_CH=layer|..."
            self.notes.error("bad-line", reason, number, 1, hint)
            return
        self.layers.append(_Layer(kind, name, tuple(features), self.columns))
        self.columns += len(features)
        self.cache.clear()

    def choose_layers(self) -> None:
        """Choose coreference layers: chains, and relations between spans of a custom layer."""
        spans = {layer.name for layer in self.layers if layer.kind == "SP"}
        relations = [layer for layer in self.layers if layer.kind == "RL" and layer.base in spans]
        chains = [layer for layer in self.layers if layer.kind == "CH"]
        chosen = [layer for layer in relations if _COREFERENCE.search(layer.name)]
        if not chosen and not chains and len(relations) == 1:
            chosen = relations
        self.bases = {layer.base for layer in chosen}
        self.chosen = [*chosen, *chains]
        self.needed = [
            layer
            for layer in self.layers
            if (layer.name in self.bases if layer.kind == "SP" else layer in self.chosen)
        ]
        if not self.chosen:
            names = ", ".join(layer.name for layer in self.layers) or "none"
            reason = f"no layer of coreference among the layers: {names}"
            hint = "A layer of relations must have coref in its name, or be the only one."
            self.notes.error("no-coreference", reason, 1, hint=hint)
            self.chosen = [_Layer("", "", (), 0)]  # not empty, so that the error is noted once

    # ---- rows ---------------------------------------------------------------------------------

    def read_row(self, number: int, line: str) -> None:
        """Read a row of any form; `read_line` has the fast path."""
        fields = line.split("\t", 3)
        id, annotated = fields[0], fields[3] if len(fields) == 4 else ""
        match = _ROW.fullmatch(id)
        if match is None:
            reason = f"the id {id[:SHOWN]!r} is not of the form SENTENCE-TOKEN"
            self.notes.error("bad-line", reason, number, 1, "Write ids such as 1-1, 1-2 or 1-2.1.")
            return
        annotations = self.cache.get(annotated)
        if annotations is None and not self.has_columns(number, line):
            return
        first = self.rows.setdefault(id, number)
        if first != number:
            reason = f"the row {id[:SHOWN]} occurs again here; it was on line {first}"
            hint = "Give every row an id of its own."
            self.notes.error("repeated-id", reason, number, 1, hint)
            return
        row = _Row(number, line, id, self.place_row(number, match, fields))
        if annotations is None:
            annotations = self.parse_row(row, annotated)
        if annotations:
            self.add_annotations(row, annotations)

    def has_columns(self, number: int, line: str) -> bool:
        columns = line.count("\t") + 1
        if columns == self.columns + 1 and not line.rpartition("\t")[2].strip():
            columns -= 1
        if columns != self.columns:
            reason = f"the row has {amount(columns, 'column')}, but the header has {self.columns}"
            hint = "Write three columns for id, offsets and token, then one for each feature."
            self.notes.error("bad-columns", reason, number, hint=hint)
        return columns == self.columns

    def add_token(self, number: int, sentence: str, word: str) -> int:
        if sentence != self.sentence:
            self.sentence = sentence
            self.sentences.append(len(self.words))
        self.words.append(word)
        self.lines.append(number)
        return len(self.words) - 1

    def place_row(self, number: int, match: re.Match[str], cells: list[str]) -> Piece:
        """Return the node of a row: a token (also for a part of it) or an empty node.

        `match` is the row's id: sentence, token, and the number of a part if it is one.
        """
        if match[3] is None:
            self.add_token(number, match[1], _unescape(cells[2]))
        token = len(self.words) - 1
        offsets = _OFFSETS.fullmatch(cells[1])
        if offsets is None:
            reason = f"the offsets {cells[1][:SHOWN]!r} are not of the form BEGIN-END"
            hint = "Write offsets such as 0-3; the end is exclusive."
            self.notes.error("bad-line", reason, number, len(cells[0]) + 2, hint)
        elif match[3] is None:
            self.begin = offsets[1]
        elif (begin := number_of(offsets[1])) == number_of(offsets[2]):
            at = token if begin == number_of(self.begin or "0") else token + 1
            self.nodes[at] += 1
            return at, at, self.nodes[at]
        return max(token, 0), max(token, 0) + 1

    def parse_row(self, row: _Row, annotated: str) -> list[tuple[_Layer, _Stacks]]:
        """Return the annotations of a row by layer; empty layers are omitted.

        They are cached by the text of all cells, `annotated`, unless one is wrong: its error is
        noted on every row.
        """
        cells = row.line.split("\t")
        parsed = [(layer, self.parse_layer(row.number, layer, cells)) for layer in self.needed]
        annotations = [(layer, stacks) for layer, stacks in parsed if stacks]
        if all(stacks is not None for _, stacks in parsed) and len(annotated) < 1000:
            if len(self.cache) >= 5000:
                self.cache.clear()
            self.cache[annotated] = annotations
        return annotations

    def parse_layer(self, number: int, layer: _Layer, cells: list[str]) -> _Stacks | None:
        """Return the annotations of a layer on a row; None after an error."""
        texts = cells[layer.column : layer.column + len(layer.features)]
        if texts.count("_") == len(texts):
            return []
        if "_" not in texts and "|" not in "".join(texts):  # the usual case, read faster
            annotation = tuple(map(_parse_value, texts))
            if layer.kind != "SP" or len(set(map(_number_of, annotation))) == 1:
                return [annotation]
        columns = list(map(_split_cell, texts))
        if layer.kind == "SP":
            numbers = [list(map(_number_of, column)) for column in columns]
            if numbers.count(numbers[0]) < len(numbers):
                columns = _align_by_number(columns)
        if len(set(map(len, columns))) > 1:
            columns = _fill_omitted(columns)
        if len(set(map(len, columns))) > 1:
            shown = ", ".join(repr(text[:SHOWN]) for text in texts)
            reason = f"the cells of {layer.name} stack unequal numbers of values: {shown}"
            hint = 'Write the same number of values, separated by "|", in every column of a layer.'
            self.notes.error("bad-cell", reason, number, cell_column(cells, layer.column), hint)
            return None
        return list(zip(*columns, strict=True))

    # ---- annotations --------------------------------------------------------------------------

    def add_annotations(self, row: _Row, annotations: list[tuple[_Layer, _Stacks]]) -> None:
        for layer, stacks in annotations:
            if layer.kind == "SP":
                self.add_spans(row, layer, stacks)
            elif layer.kind == "RL":
                self.add_relations(row, layer, stacks)
            else:
                self.add_chains(row, layer, stacks)

    def add_spans(self, row: _Row, layer: _Layer, stacks: _Stacks) -> None:
        for index, annotation in enumerate(stacks):
            number = annotation[0].number
            id = number or f"{row.id}/{index}"
            features = zip(layer.features, annotation, strict=True)
            given = ((name, v) for name, v in features if name and v.text not in ("*", "_"))
            self.add_to_span(row, layer, id, given)
            if not number:
                self.unnumbered.setdefault((layer.name, row.id), []).append(id)
            if "." in row.id and not is_empty(row.place):
                self.parts += 1

    def add_chains(self, row: _Row, layer: _Layer, stacks: _Stacks) -> None:
        for annotation in stacks:
            # One of the features names the chain, the others are values of the mention.
            matches = [_CHAIN.fullmatch(value.text) for value in annotation]
            chain = next(filter(None, matches), None)
            if chain is None:
                shown = [value.written[:SHOWN] for value in annotation]
                reason = f"the cells {shown} of {layer.name} name no chain"
                hint = "Write TYPE->CHAIN-ELEMENT in one of the columns of a chain layer."
                column = row.column_of(layer.column)
                self.notes.error("bad-cell", reason, row.number, column, hint)
                continue
            features = zip(layer.features, annotation, matches, strict=True)
            given = ((name, v) for name, v, match in features if match is None and v.text != "*")
            self.add_to_span(row, layer, f"{chain[2]}-{chain[3]}", given)

    def add_to_span(
        self, row: _Row, layer: _Layer, id: str, given: Iterable[tuple[str, _Value]]
    ) -> None:
        """Add a row to its span, which has the values of its first row; rows must be adjacent."""
        span = self.spans.get((layer.name, id))
        if span is None:
            values = {name: _unescape(value.text) for name, value in given}
            self.spans[layer.name, id] = _Span(values, row)
            return
        if row.place[0] > span.last + 1:
            reason = f"span {id[:SHOWN]} of {layer.name} occurs again here, but not on the rows "
            reason += f"since line {self.lines[span.last]}"
            hint = "A number in brackets means one span, on adjacent rows; use another number."
            column = row.column_of(layer.column)
            self.notes.error("bad-part", reason, row.number, column, hint)
        span.add(row)

    def add_relations(self, row: _Row, layer: _Layer, stacks: _Stacks) -> None:
        column = row.column_of(layer.column + len(layer.features) - 1)
        for annotation in stacks:
            written = annotation[-1].written
            match = _LINK.fullmatch(written)
            if match is None:
                reason = f"the relation {written[:SHOWN]!r} of {layer.name} names no row"
                hint = "Write ROW, or ROW[SOURCE_TARGET], such as 19-6[148_147]."
                self.notes.error("bad-cell", reason, row.number, column, hint)
                continue
            type = _unescape(annotation[0].written) if len(annotation) > 1 else "*"
            source, target = ((end or "").lstrip("0") for end in match.group(2, 3))
            link = _Link(type, (match[1], source), (row.id, target), row.number, column)
            self.links.append((layer, link))

    # ---- the document -------------------------------------------------------------------------

    def make_document(self, details: bool) -> Document:
        if not self.words and not self.notes.errors:
            hint = "The file only has a header; it may be cut off."
            self.notes.error("no-document", "the file holds no token", hint=hint)
        spans = list(self.spans.values())
        mentions = [mention_of(span.pieces) for span in spans]
        entities, bridges, others = self.resolve_links(mentions)
        if self.parts:
            reason = "spans cover parts of tokens; they are extended to whole tokens"
            self.notes.warn("off-token", reason, count=self.parts)
        sort_keys = [span.sort_key() for span in spans]
        for entity in entities:
            entity.sort(key=sort_keys.__getitem__)
        entities.sort(key=lambda entity: sort_keys[entity[0]])
        names = {span: str(n) for n, entity in enumerate(entities, 1) for span in entity}
        relations = Relations(
            bridges=tuple(
                Bridge(mentions[anaphor], mentions[anchor], names[anchor], type)
                for anaphor, anchor, type in bridges
            )
        )
        return Document(
            stem(self.notes.path),
            [[mentions[span] for span in entity] for entity in entities],
            entity_names=[str(n) for n in range(1, len(entities) + 1)],
            entities_named=False,
            tokens=len(self.words),
            path=self.notes.path,
            line=1,
            breaks=breaks_of(self.lines),
            details=[[_make_detail(spans[n]) for n in e] for e in entities] if details else None,
            text=Text(self.words, sentences=self.sentences, lines=self.lines) if details else None,
            relations=relations if details else None,
            unread=relations.counts(),
            attributes={"relations": others} if others else {},
        )

    def resolve_links(
        self, mentions: list[Mention]
    ) -> tuple[list[list[int]], list[tuple[int, int, str]], list[dict[str, Any]]]:
        """Return the spans of each entity, bridging references, and other relations.

        A span is its index in `self.spans`; a reference is its anaphor, anchor and relation.
        """
        indices = {key: index for index, key in enumerate(self.spans)}
        sets = UnionFind(len(indices))
        bridges: list[tuple[int, int, str]] = []
        others: list[dict[str, Any]] = []
        identity_types: dict[str, None] = {}
        unknown: dict[str, list[_Link]] = {}
        chains: dict[tuple[str, str], int] = {}  # the first span of each chain
        for (layer_name, id), index in indices.items():
            if layer_name not in self.bases:
                chain = layer_name, id.partition("-")[0]
                sets.join(index, chains.setdefault(chain, index))
        for layer, link in dict.fromkeys(self.links):
            source = self.find_end(layer, link, *link.source)
            target = self.find_end(layer, link, *link.target)
            if source is None or target is None:
                continue
            start, end = indices[layer.base, source], indices[layer.base, target]
            if link.type.lower() in self.identity:
                sets.join(start, end)
                identity_types[link.type] = None
            elif link.type.lower().startswith("bridg"):
                bridges.append((start, end, link.type.partition(":")[2]))
            else:
                others.append({"type": link.type, "mentions": [mentions[start], mentions[end]]})
                unknown.setdefault(link.type, []).append(link)
        for type, links in unknown.items():
            names = "+".join([*identity_types, type])
            reason = f"relations of type {type[:SHOWN]!r} do not mean identity"
            hint = f"If they are, name all that are, as in --identity {names}."
            place = links[0].line, links[0].column, hint, len(links)
            self.notes.warn("unknown-relation", f"{reason}; they are left out", *place)
        return sets.sets(), bridges, others

    def find_end(self, layer: _Layer, link: _Link, row: str, id: str) -> str | None:
        """Return the span at an end of a relation; note an error unless there is exactly one.

        `row` and `id` are those that the relation names; without an id, the span has no number.
        """
        candidates = [] if id else self.unnumbered.get((layer.base, row), [])
        if len(candidates) == 1:
            return candidates[0]
        span = self.spans.get((layer.base, id)) if id else None
        place = link.line, link.column
        if span is not None:
            if not span.is_on(self.rows.get(row, 0)):
                reason = f"the relation names span {id} at row {row}, where it does not occur"
                self.notes.warn("repaired", f"{reason}; its number is used", *place)
            return id
        if row not in self.rows:
            reason = f"the relation names row {row}, which does not exist"
        else:
            end = f"span {id}" if id else "a span without number"
            number = f"there are {len(candidates)}" if candidates else "there is none"
            reason = f"the relation names {end} at row {row}, where {number}"
        hint = "Write ROW[SOURCE_TARGET] with the numbers of the spans."
        self.notes.error("unknown-mention", reason, *place, hint)
        return None


# ---- cells ------------------------------------------------------------------------------------

_NOTHING = _Value("_", "_")


def _split_cell(cell: str) -> list[_Value]:
    if cell == "_":
        return []
    if "\\" not in cell:
        return list(map(_parse_value, cell.split("|")))
    values = []
    start = 0
    for match in _STACK.finditer(cell):
        values.append(_parse_value(cell[start : match.end() - 1]))
        start = match.end()
    return [*values, _parse_value(cell[start:])]


def _parse_value(written: str) -> _Value:
    r"""Split a value into its text and the number of its span.

    Examples
    --------
    >>> [_parse_value(cell)[1:] for cell in ("a[1]", "a", "a\\[1]", "[x]")]
    [('a', '1'), ('a', ''), ('a\\[1]', ''), ('[x]', '')]
    """
    if written[-1:] == "]":
        text, bracket, number = written[:-1].rpartition("[")
        if bracket and number.isdecimal() and not (text[-1:] == "\\" and _ESCAPING.search(text)):
            return _Value(written, text, number.lstrip("0"))
    return _Value(written, written)


def _empty_value(id: str) -> _Value:
    return _Value(f"_[{id}]", "_", id) if id else _NOTHING


def _align_by_number(columns: list[list[_Value]]) -> list[list[_Value]]:
    """Align the stacks of one row by the numbers of their spans, where a column omits some.

    ``_|b[2]`` and ``x[1]|y[2]`` become ``_[1]|b[2]`` and ``x[1]|y[2]``. If a value other than ``_``
    has no number, or a number is repeated, the stacks are returned as they are.
    """
    by_column = []
    for stack in columns:
        by_number = {value.number: value for value in stack if value != _NOTHING}
        if "" in by_number or len(by_number) + stack.count(_NOTHING) < len(stack):
            return columns
        by_column.append(by_number)
    longest_first = sorted(by_column, key=len, reverse=True)
    ids = dict.fromkeys(id for by_number in longest_first for id in by_number)
    return [[by_number.get(id, _empty_value(id)) for id in ids] for by_number in by_column]


def _fill_omitted(columns: list[list[_Value]]) -> list[list[_Value]]:
    """Fill each stack of one row that is shorter than the longest, if the numbers show how."""
    ids = [value.number for value in max(columns, key=len)]
    filled = []
    for stack in columns:
        by_number = {value.number: value for value in stack}
        distinct = len(by_number) == len(stack) and len(set(ids)) == len(ids)
        if len(stack) < len(ids) and (not stack or (distinct and by_number.keys() <= set(ids))):
            stack = [by_number.get(id, _empty_value(id)) for id in ids]
        filled.append(stack)
    return filled


def _unescape(value: str) -> str:
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def _make_detail(span: _Span) -> Detail:
    """Return the values of a span, and which of them is the entity type."""
    names = [name for name in span.values if name.lower() in ("entity", "entity_type", "etype")]
    return Detail(entity_type=span.values[names[0]] if names else None, attributes=span.values)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus of one document; see `corefmeter.wings.annotation.formats.webanno_write`."""
    from corefmeter.wings.annotation.formats import webanno_write

    return webanno_write.write(corpus, stream)


_OLDER_VERSION = (
    "Only WebAnno TSV 3 is read. This looks like an older version: import it into WebAnno, and "
    "export it as WebAnno TSV 3."
)

FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3",
    sniff=sniff,
    evidence="a line `#FORMAT=WebAnno TSV 3`",
    read=read,
    write=write,
    endings=(".webannotsv", ".webanno"),
    identity=True,
    clues=((b"#FORMAT=WebAnno", _OLDER_VERSION), (b"\n#text=", _OLDER_VERSION)),
)
