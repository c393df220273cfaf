"""SemEval-2010 Task 1: one token a line, TAB between columns, the coreference cell last.

Column 0 counts the tokens of a sentence from 1, column 1 is the token; then, each twice, annotated
and predicted: lemma (2, 3), part of speech (4, 5), features (6, 7), head (8, 9), dependency (10,
11), named entity (12, 13), predicate (14, 15). ``_`` is empty; as a token it is an empty subject,
which counts as a token. Cells of entities are ``|``-joined chunks as in CoNLL-2012.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention, breaks_of
from corefmeter.corpus.positions import is_run
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.conll_lines import has_numbered_rows, parse_header
from corefmeter.formats.notes import LineReader, cell_column, in_cell, number_of
from corefmeter.formats.source import Source
from corefmeter.formats.writing import Bracket, one_line, signs_by_row, token_count
from corefmeter.problems import Problem, amount

#: The fewest columns of a token: ID to predicate, and the coreference.
COLUMNS = 17

_BEGIN = re.compile(r"#\s*begin\s+document\b\s*(.*)", re.IGNORECASE)
_END = re.compile(r"#\s*end\s+document\b", re.IGNORECASE)
_CHUNK = re.compile(r"(\(?)([^()|*\s]+?)(\)|(?=[|(]|\Z))")

#: A dash behind a chunk.
_STRAY = re.compile(r"(?<=[)\d])-+\Z")

#: Cells that say "no mention".
_NONE = frozenset(("_", "-", "*", ""))


def sniff(head: bytes, path: str = "") -> bool:
    """Claim a file whose rows of many columns are numbered from 1 below the first header."""
    return has_numbered_rows(head)


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file."""
    reader = _Reader(source.path, concatenate, details)
    for line in reader.lines_of(source):
        reader.read_line(line)
    reader.end_document(at_end=True)
    reader.note_repairs()
    hint = 'A document begins with "#begin document NAME".'
    return reader.result(reader.finished, concatenate, hint)


class _Reader(LineReader):
    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        super().__init__(path, concatenate)
        self.details = details
        self.finished: list[Document] = []
        self.document: Document | None = None

    def read_line(self, line: str) -> None:
        cells = line.split("\t")
        if not line.strip():
            if self.document is not None:
                self.columns = 0
                if self.rows and self.sentences[-1:] != [len(self.rows)]:
                    self.sentences.append(len(self.rows))
        elif len(cells) == 1 and (match := _BEGIN.match(line)):
            self.end_document()
            self.begin_document(match[1])
        elif len(cells) == 1 and _END.match(line):
            self.close_document()
        elif len(cells) == 1 and line.startswith("#"):
            return
        elif self.document is None:
            hint = 'Begin the document with "#begin document NAME".'
            message = "the token belongs to no document"
            self.note("outside-document", message, "error", hint=hint)
        else:
            self.read_token(cells)

    def begin_document(self, rest: str) -> None:
        hint = 'Write "#begin document NAME".'
        self.document = self.new_document(*parse_header(rest.encode()), hint)
        self.open: defaultdict[str, list[int]] = defaultdict(list)  # first tokens by entity
        self.entities: defaultdict[str, list[Mention]] = defaultdict(list)
        self.rows: list[tuple[int, list[str]]] = []  # the tokens with their lines
        self.sentences: list[int] = []
        self.columns = 0

    def end_document(self, at_end: bool = False) -> None:
        """Finish a document that is not closed, if there is one."""
        if self.document is not None:
            self.note_missing_end(self.document, at_end)
            self.close_document()

    def read_token(self, cells: list[str]) -> None:
        if len(cells) < 3:
            reason = f"the line has {amount(len(cells), 'column')}; a token has at least 3"
            hint = "Separate the columns (ID, token, ..., coreference) by TABs."
            self.note("bad-line", reason, "error", hint=hint)
            return
        if self.columns and len(cells) != self.columns:
            reason = f"the line has {amount(len(cells), 'column')}, but earlier lines have"
            reason += f" {self.columns}; the last is read as coreference"
            self.note("bad-columns", reason)
        self.columns = self.columns or len(cells)
        token = len(self.rows)
        for chunk, column in self.read_chunks(cells):
            opens, name, closes = chunk.groups()
            starts, mentions = self.open[name], self.entities[name]
            if opens:
                starts.append(token)
            if closes and starts:
                mentions.append((starts.pop(), token + 1))
            elif closes:
                self.note_unopened(name, column)
        self.rows.append((self.line, cells if self.details else []))

    def read_chunks(self, cells: list[str]) -> list[tuple[re.Match[str], int]]:
        """Return the chunks of the last cell with their columns.

        The cell is repaired where the Dutch files need it.
        """
        cell = cells[-1].strip()
        start = cell_column(cells, len(cells) - 1)
        if cell in _NONE:
            return []
        if _STRAY.search(cell):
            reason = f"the coreference cell {cell!r} ends in a stray dash, which is left out"
            self.note("repaired", reason, column=start + len(cell) - 1)
            cell = cell.rstrip("-")
        if cell[0] in "_-" and (bare := cell.lstrip("_-"))[:1] == "(":
            self.count_repair("a sign for no mention before a bracket is left out", cell, start)
            start += len(cell) - len(bare)
            cell = bare
        if "(" not in cell and ")" not in cell:
            self.count_repair("a cell without brackets is ignored, as in v8.01", cell, start)
            return []
        chunks: list[tuple[re.Match[str], int]] = []
        position = 0
        while (match := _CHUNK.match(cell, position)) and (match[1] or match[3]):
            chunks.append((match, start + position))
            position = match.end()
            if cell[position : position + 1] == "|" and position + 1 < len(cell):
                position += 1
            elif cell[position : position + 1] == "(":
                reason = f'")(" in the coreference cell {cell!r} is read as ")|("'
                self.note("repaired", reason, column=start + position)
        rest = cell[position:]
        if rest and chunks and "(" not in rest and ")" not in rest:
            reason = "what follows the brackets of a cell is left out, as in v8.01"
            self.count_repair(reason, cell, start + position)
        elif rest:
            reason = f"the coreference cell {cell!r} is not made of (ID, ID) and (ID)"
            hint = "The last column must hold the coreference chunks, or _ for none."
            self.note("bad-cell", reason, "error", column=start + position, hint=hint)
            return []
        return chunks

    def close_document(self) -> None:
        document = self.document
        if document is None:
            return
        document.tokens = len(self.rows)
        document.breaks = breaks_of(line for line, _ in self.rows)
        for name, starts in self.open.items():
            for start in starts:
                self.note_unclosed(document, name, start)
        document.entity_names = [name for name, mentions in self.entities.items() if mentions]
        document.entities = [mentions for mentions in self.entities.values() if mentions]
        if self.details:
            document.text = text = self.make_text()
            document.details = [
                [Detail(head=_find_head(mention, text)) for mention in entity]
                for entity in document.entities
            ]
            document.attributes["columns"] = len(self.rows[0][1]) if self.rows else 0
        self.finished.append(document)
        self.document = None

    def make_text(self) -> Text:
        sentences = [0, *(token for token in self.sentences if token < len(self.rows))]
        return Text(
            [_cell(cells, 1) or "_" for _, cells in self.rows],
            sentences=sentences if self.rows else [],
            pos=self.annotated_column(4),
            heads=self.read_heads(sentences),
            relations=self.annotated_column(10),
            entity_types=self.entity_types(),
            lines=[number for number, _ in self.rows],
        )

    def annotated_column(self, number: int) -> list[str] | None:
        """Return an annotated column, or the predicted one next to it; None if both are empty."""
        for index in (number, number + 1):
            values = [_cell(cells, index) for _, cells in self.rows]
            if any(values):
                return [value or "_" for value in values]
        return None

    def read_heads(self, sentences: list[int]) -> list[int] | None:
        """Return the token that each token depends on, -1 for a root; None without the column."""
        column = self.annotated_column(8)
        if column is None:
            return None
        heads = []
        for start, end in pairwise([*sentences, len(self.rows)]):
            for token in range(start, end):
                value = column[token]
                number = _parse_head(value, end - start)
                if number is None:
                    line, cells = self.rows[token]
                    hint = f"Heads are 0 for a root, or 1 to {end - start} in this sentence."
                    reason = f"the head {value!r} is not the number of a token; it counts as a root"
                    at = cell_column(cells, 8)
                    self.note("bad-head", reason, line=line, column=at, hint=hint)
                    number = 0
                heads.append(start + number - 1 if number else -1)
        return heads

    def entity_types(self) -> list[tuple[int, int, str]] | None:
        """Return named entities as start, end and type; None for empty or malformed columns."""
        for index in (12, 13):
            types: list[tuple[int, int, str]] = []
            open_types: list[tuple[int, str]] = []
            for token, (_, cells) in enumerate(self.rows):
                cell = _cell(cells, index)
                for match in _CHUNK.finditer(cell if cell not in _NONE else ""):
                    if match[1]:
                        open_types.append((token, match[2]))
                    if match[3]:
                        if not open_types:
                            return None
                        start, type = open_types.pop()
                        types.append((start, token + 1, type))
            if types and not open_types:
                return sorted(types)
        return None


def _cell(cells: list[str], index: int) -> str:
    """Return a cell that is not the last, or nothing."""
    value = cells[index].strip() if index < len(cells) - 1 else ""
    return "" if value == "_" and index != 1 else value


def _find_head(mention: Mention, text: Text) -> int | None:
    """Return the first token of a mention that depends on none of its tokens, or None."""
    if text.heads is None or not is_run(mention):
        return None
    start, end = mention
    return next((t for t in range(start, end) if not start <= text.heads[t] < end), None)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; what the format cannot express is returned, as in CoNLL files.

    Annotation goes to the first of each pair of columns; unknown values are ``_``.
    """
    from corefmeter.formats.conll_write import coreference_cells

    problems: list[Problem] = []
    for document in corpus:
        name = one_line(document.name)
        title = name if document.part is None else f"({name}); part {document.part:03d}"
        coreference, left_out = coreference_cells(document)
        problems += left_out
        stream.write(f"#begin document {title}\n")
        starts = {0, *(document.text.sentences if document.text else [])}
        types = _type_cells(document.text)
        start = 0
        for token in range(token_count(document)):
            if token and token in starts:
                stream.write("\n")
                start = token
            cells = _token_cells(document.text, token, start)
            cells[12] = types.get(token, "_")
            cells[-1] = coreference.get(token, "_")
            stream.write("\t".join(cells) + "\n")
        stream.write(f"#end document {title}\n")
    return problems


def _token_cells(text: Text | None, token: int, start: int) -> list[str]:
    cells = ["_"] * COLUMNS
    cells[0] = str(token - start + 1)
    if text is not None and token < len(text):
        cells[1] = in_cell(text.words[token])
        cells[4] = in_cell(text.pos[token]) if text.pos else "_"
        if text.heads:
            cells[8] = str(text.heads[token] - start + 1 if text.heads[token] >= 0 else 0)
        cells[10] = in_cell(text.relations[token]) if text.relations else "_"
    return cells


def _type_cells(text: Text | None) -> dict[int, str]:
    signs = signs_by_row(
        Bracket(start, end - 1, f"({in_cell(kind)}", f"{in_cell(kind)})")
        for start, end, kind in (text and text.entity_types) or []
    )
    return {
        token: "|".join([*row.opens, *(f"{whole})" for whole in row.wholes), *row.closes])
        for token, row in signs.items()
    }


def _parse_head(value: str, length: int) -> int | None:
    """Return a head, 0 for a root or an empty cell; None if the sentence has no such token."""
    if value in ("_", "-"):
        return 0
    number = number_of(value) if value.isdecimal() else -1
    return number if 0 <= number <= length else None


FORMAT = Format(
    name="semeval",
    title="SemEval-2010",
    sniff=sniff,
    evidence="documents as in `conll`, of 15 columns or more with TABs between, numbered from "
    "1 in each sentence",
    read=read,
    write=write,
    endings=(".semeval",),
)
