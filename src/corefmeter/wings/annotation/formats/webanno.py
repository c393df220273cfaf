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
from corefmeter.corpus.positions import Mention, Piece, is_empty, mention_of, piece_key
from corefmeter.corpus.relations import Bridge, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.entities import UnionFind
from corefmeter.formats.notes import SHOWN, Notes, cell_column, number_of, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem, amount

#: Types of relations between mentions of one entity, in lower case; also a type that is not set.
IDENTITY = frozenset(
    ("coref", "coreference", "ident", "identity", "same", "ana", "anaphora", "cata", "cataphora")
) | {"appos", "apposition", "pred", "disc", "*", "_"}

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


class _Row(NamedTuple):
    """A row with annotations: its line and number, its id, and its token or empty node."""

    number: int
    line: str
    id: str
    place: Piece

    def column_of(self, index: int) -> int:
        """Return the column of the line where a cell begins."""
        return cell_column(self.line.split("\t"), index)


class _Value(NamedTuple):
    """A value that a cell stacks, and its parts: ``a[1]`` is ``a`` of the span 1.

    Without a number, or with 0, `number` is empty.
    """

    written: str
    text: str
    number: str = ""


#: The annotations of one layer on a row, each with a value for each feature.
_Stacks = list[list[_Value]]


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

    def on(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.lines)

    def places(self) -> list[tuple[int, int, int]]:
        """Its pieces, so that spans sort in the order of the text."""
        return list(map(piece_key, self.pieces))


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file in which a line names the format."""
    return re.search(rb"^#FORMAT=WebAnno TSV 3", head, re.MULTILINE) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the document of a file."""
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
        self.spans: dict[tuple[str, str], _Span] = {}  # by layer, and number or chain
        self.unnumbered: dict[tuple[str, str], list[str]] = {}  # spans on a row
        self.known: dict[str, list[tuple[_Layer, _Stacks]]] = {}  # by cells: many rows are alike
        self.links: list[tuple[_Layer, _Link]] = []

    def line(self, number: int, line: str) -> None:
        plain = _PLAIN.fullmatch(line)
        found = self.known.get(plain[5]) if plain else None
        if plain and found is not None and self.rows.setdefault(plain[1], number) == number:
            token = self.token(number, plain[2], plain[4])
            self.begin = plain[3]
            if found:
                self.annotate(_Row(number, line, plain[1], (token, token + 1)), found)
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
            known = ", ".join(layer.name for layer in self.layers) or "none"
            reason = f"no layer of coreference among the layers: {known}"
            hint = "A layer of relations needs coref in its name, or is the only one."
            self.notes.error("no-coreference", reason, 1, hint=hint)
            self.chosen = [_Layer("", "", (), 0)]

    # ---- rows ---------------------------------------------------------------------------------

    def row(self, number: int, line: str) -> None:
        fields = line.split("\t", 3)
        id, annotated = fields[0], fields[3] if len(fields) == 4 else ""
        match = _ROW.fullmatch(id)
        if match is None:
            reason = f"the id {id[:SHOWN]!r} is not of the form SENTENCE-TOKEN"
            self.notes.error("bad-line", reason, number, 1, "Ids are 1-1, 1-2, or 1-2.1.")
            return
        found = self.known.get(annotated)
        if found is None and not self.has_columns(number, line):
            return
        first = self.rows.setdefault(id, number)
        if first != number:
            reason = f"the row {id[:SHOWN]} occurs again here; it was on line {first}"
            hint = "Every row has an id of its own."
            self.notes.error("repeated-id", reason, number, 1, hint)
            return
        row = _Row(number, line, id, self.place(number, match, fields))
        if found is None:
            found = self.annotations(row, annotated)
        if found:
            self.annotate(row, found)

    def has_columns(self, number: int, line: str) -> bool:
        """Return whether a row has as many columns as the header; note an error if not."""
        columns = line.count("\t") + 1
        if columns == self.columns + 1 and not line.rpartition("\t")[2].strip():
            columns -= 1
        if columns != self.columns:
            reason = f"{amount(columns, 'column')}, but the header asks for {self.columns}"
            hint = "Three columns for id, offsets and token, then one for each feature."
            self.notes.error("bad-columns", reason, number, hint=hint)
        return columns == self.columns

    def token(self, number: int, sentence: str, word: str) -> int:
        """Add a token; return its number."""
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
        elif match[3] is None:
            self.begin = offsets[1]
        elif (begin := number_of(offsets[1])) == number_of(offsets[2]):
            at = token if begin == number_of(self.begin or "0") else token + 1
            self.nodes[at] += 1
            return at, at, self.nodes[at]
        return max(token, 0), max(token, 0) + 1

    def annotations(self, row: _Row, annotated: str) -> list[tuple[_Layer, _Stacks]]:
        """Return the annotations of a row by layer; empty layers are omitted."""
        cells = row.line.split("\t")
        stacks = [(layer, self.stacks(row.number, layer, cells)) for layer in self.needed]
        found = [(layer, of_layer) for layer, of_layer in stacks if of_layer]
        if all(of_layer is not None for _, of_layer in stacks) and len(annotated) < 1000:
            if len(self.known) >= 5000:
                self.known.clear()
            self.known[annotated] = found
        return found

    def stacks(self, number: int, layer: _Layer, cells: list[str]) -> _Stacks | None:
        """Return the annotations of a layer on a row; None after an error."""
        own = cells[layer.column : layer.column + len(layer.features)]
        if own.count("_") == len(own):
            return []
        columns = list(map(_values, own))
        if layer.kind == "SP":
            numbers = [[value.number for value in column] for column in columns]
            if numbers.count(numbers[0]) < len(numbers):
                columns = _by_number(columns)
        if len(set(map(len, columns))) > 1:
            columns = _completed(columns)
            if len(set(map(len, columns))) > 1:
                shown = ", ".join(repr(cell[:SHOWN]) for cell in own)
                reason = f"the cells of {layer.name} stack unequal numbers of values: {shown}"
                hint = 'Every column of a layer has the same number of values between "|".'
                place = number, cell_column(cells, layer.column)
                self.notes.error("bad-cell", reason, *place, hint)
                return None
        return [list(annotation) for annotation in zip(*columns, strict=True)]

    # ---- annotations --------------------------------------------------------------------------

    def annotate(self, row: _Row, found: list[tuple[_Layer, _Stacks]]) -> None:
        for layer, stacks in found:
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
            if not self.extend(row, layer, id):
                values = {
                    feature: _unescaped(value.text)
                    for feature, value in zip(layer.features, annotation, strict=True)
                    if feature and value.text not in ("*", "_")
                }
                self.spans[layer.name, id] = _Span(values, row)
            if not number:
                self.unnumbered.setdefault((layer.name, row.id), []).append(id)
            if "." in row.id and not is_empty(row.place):
                self.parts += 1

    def add_chains(self, row: _Row, layer: _Layer, stacks: _Stacks) -> None:
        for annotation in stacks:
            matches = [_CHAIN.fullmatch(value.text) for value in annotation]
            chain = next(filter(None, matches), None)
            if chain is None:
                shown = [value.written[:SHOWN] for value in annotation]
                reason = f"the cells {shown} of {layer.name} name no chain"
                hint = "One of the columns of a chain layer holds TYPE->CHAIN-ELEMENT."
                column = row.column_of(layer.column)
                self.notes.error("bad-cell", reason, row.number, column, hint)
                continue
            id = f"{chain[2]}-{chain[3]}"
            if not self.extend(row, layer, id):
                features = zip(layer.features, annotation, matches, strict=True)
                values = {
                    feature: _unescaped(value.text)
                    for feature, value, match in features
                    if match is None and value.text != "*"
                }
                self.spans[layer.name, id] = _Span(values, row)

    def extend(self, row: _Row, layer: _Layer, id: str) -> bool:
        """Let a span be on one more row, which must be next to its last; return if it is known."""
        span = self.spans.get((layer.name, id))
        if span is None:
            return False
        if row.place[0] > span.last + 1:
            reason = (
                f"span {id[:SHOWN]} of {layer.name} occurs again here, but not on the rows since "
                f"line {self.lines[span.last]}"
            )
            hint = "A number in brackets is one span, on adjacent rows; use another number."
            column = row.column_of(layer.column)
            self.notes.error("bad-part", reason, row.number, column, hint)
        span.add(row)
        return True

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
            type = _unescaped(annotation[0].written) if len(annotation) > 1 else "*"
            source, target = ((end or "").lstrip("0") for end in match.group(2, 3))
            link = _Link(type, (match[1], source), (row.id, target), row.number, column)
            self.links.append((layer, link))

    # ---- the document -------------------------------------------------------------------------

    def document(self, details: bool) -> Document:
        if not self.words and not self.notes.errors:
            hint = "The file has a header only; it may be cut off."
            self.notes.error("no-document", "the file holds no token", hint=hint)
        spans = list(self.spans.values())
        mentions = [mention_of(span.pieces) for span in spans]
        entities, bridges, kept = self.resolved_links(mentions)
        if self.parts:
            reason = "spans of parts of tokens; each is taken as the whole tokens"
            self.notes.warn("off-token", reason, count=self.parts)
        places = [span.places() for span in spans]
        for entity in entities:
            entity.sort(key=places.__getitem__)
        entities.sort(key=lambda entity: places[entity[0]])
        names = {span: str(n) for n, entity in enumerate(entities, 1) for span in entity}
        found = [
            Bridge(mentions[anaphor], mentions[anchor], names[anchor], type)
            for anaphor, anchor, type in bridges
        ]
        relations = Relations(bridges=tuple(found))
        return Document(
            stem(self.notes.path),
            [[mentions[span] for span in entity] for entity in entities],
            entity_names=[str(n) for n in range(1, len(entities) + 1)],
            entities_named=False,
            tokens=len(self.words),
            path=self.notes.path,
            line=1,
            breaks=breaks_of(self.lines),
            details=[[_detail(spans[n]) for n in e] for e in entities] if details else None,
            text=Text(self.words, sentences=self.sentences, lines=self.lines) if details else None,
            relations=relations if details else None,
            unread=relations.counts(),
            attributes={"relations": kept} if kept else None,
        )

    def resolved_links(
        self, mentions: list[Mention]
    ) -> tuple[list[list[int]], list[tuple[int, int, str]], list[dict[str, Any]]]:
        """Return the spans of each entity, bridging references, and other relations.

        Spans are their numbers; a reference is its anaphor, anchor and relation.
        """
        number = {key: index for index, key in enumerate(self.spans)}
        sets = UnionFind(len(number))
        bridges: list[tuple[int, int, str]] = []
        others: list[dict[str, Any]] = []
        same: dict[str, None] = {}
        unknown: dict[str, list[_Link]] = {}
        chains: dict[tuple[str, str], int] = {}
        for (layer_name, id), index in number.items():
            if layer_name not in self.bases:
                chain = layer_name, id.partition("-")[0]
                sets.join(index, chains.setdefault(chain, index))
        for layer, link in dict.fromkeys(self.links):
            source = self.end(layer, link, *link.source)
            target = self.end(layer, link, *link.target)
            if source is None or target is None:
                continue
            one, other = number[layer.base, source], number[layer.base, target]
            if link.type.lower() in self.identity:
                sets.join(one, other)
                same[link.type] = None
            elif link.type.lower().startswith("bridg"):
                bridges.append((one, other, link.type.partition(":")[2]))
            else:
                others.append({"type": link.type, "mentions": [mentions[one], mentions[other]]})
                unknown.setdefault(link.type, []).append(link)
        for type, links in unknown.items():
            reason = f"relations of type {type[:SHOWN]!r} are not identity as far as is known"
            hint = f"If they are, name all that are, as in --identity {'+'.join([*same, type])}."
            place = links[0].line, links[0].column, hint, len(links)
            self.notes.warn("unknown-relation", f"{reason}; left out", *place)
        return sets.sets(), bridges, others

    def end(self, layer: _Layer, link: _Link, row: str, id: str) -> str | None:
        """Return the span at an end of a relation; note an error unless there is exactly one."""
        found = [] if id else self.unnumbered.get((layer.base, row), [])
        if len(found) == 1:
            return found[0]
        span = self.spans.get((layer.base, id)) if id else None
        place = link.line, link.column
        if span is not None:
            if not span.on(self.rows.get(row, 0)):
                reason = f"the relation names span {id} at row {row}, where it does not occur"
                self.notes.warn("repaired", f"{reason}; taken by its number", *place)
            return id
        what = f"span {id}" if id else "a span without number"
        if row not in self.rows:
            reason = f"the relation names row {row}, which does not exist"
        else:
            there = f"there are {len(found)}" if found else "there is none"
            reason = f"the relation names {what} at row {row}, where {there}"
        hint = "Write ROW[SOURCE_TARGET] with the numbers of the spans."
        self.notes.error("unknown-mention", reason, *place, hint)
        return None


# ---- cells ------------------------------------------------------------------------------------

_NOTHING = _Value("_", "_")


def _values(cell: str) -> list[_Value]:
    """Return the values that a cell stacks."""
    if cell == "_":
        return []
    if "|" not in cell:
        return [_value(cell)]
    if "\\" not in cell:
        return list(map(_value, cell.split("|")))
    values = []
    start = 0
    for match in _STACK.finditer(cell):
        values.append(_value(cell[start : match.end() - 1]))
        start = match.end()
    return [*values, _value(cell[start:])]


def _value(written: str) -> _Value:
    r"""Return a value in its parts.

    Examples
    --------
    >>> _value("a[1]")[1:], _value("a")[1:], _value("a\\[1]")[1:], _value("[x]")[1:]
    (('a', '1'), ('a', ''), ('a\\[1]', ''), ('[x]', ''))
    """
    if written[-1:] == "]":
        text, bracket, number = written[:-1].rpartition("[")
        if bracket and number.isdecimal() and not (len(text) - len(text.rstrip("\\"))) % 2:
            return _Value(written, text, number.lstrip("0"))
    return _Value(written, written)


def _empty(id: str) -> _Value:
    return _Value(f"_[{id}]", "_", id) if id else _NOTHING


def _by_number(columns: list[list[_Value]]) -> list[list[_Value]]:
    """Return stacks of one row by the numbers of their spans, whatever each column omits.

    ``_|b[2]`` and ``x[1]|y[2]`` become ``_[1]|b[2]`` and ``x[1]|y[2]``. Where a value has no number
    but is there, the stacks stay as they are.
    """
    known = []
    for stack in columns:
        by_number = {value.number: value for value in stack if value != _NOTHING}
        if "" in by_number or len(by_number) + stack.count(_NOTHING) < len(stack):
            return columns
        known.append(by_number)
    longest_first = sorted(known, key=len, reverse=True)
    ids = dict.fromkeys(id for by_number in longest_first for id in by_number)
    return [[by_number.get(id, _empty(id)) for id in ids] for by_number in known]


def _completed(columns: list[list[_Value]]) -> list[list[_Value]]:
    """Fill stacks of one row where the numbers show that a column omits a value."""
    ids = [value.number for value in max(columns, key=len)]
    found = []
    for stack in columns:
        known = {value.number: value for value in stack}
        distinct = len(known) == len(stack) and len(set(ids)) == len(ids)
        if len(stack) < len(ids) and (not stack or (distinct and known.keys() <= set(ids))):
            stack = [known.get(id, _empty(id)) for id in ids]
        found.append(stack)
    return found


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def _detail(span: _Span) -> Detail:
    types = (v for k, v in span.values.items() if k.lower() in ("entity", "entity_type", "etype"))
    return Detail(entity_type=next(types, None), attributes=span.values)


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
