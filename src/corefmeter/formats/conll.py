"""CoNLL-2011 and CoNLL-2012 files (``*_conll``), in all variants in use.

One token a line, columns separated by TABs or blanks, the coreference cell last. A cell is ``-``,
``_``, ``*`` or empty for none, or chunks: ``(ID`` opens a mention, ``ID)`` closes the mention of
that entity which was opened last, ``(ID)`` is a mention of one token; ``|`` between chunks may be
missing. Chunks are read in the order in which they are written. Tokens count from 0 through the
document; blank lines and sentences play no role. Spans are half-open.

Speed: a line without a mention costs one comparison of its end. Everything else is found out only
about lines that do not end like the file's lines without a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem

__all__ = ["NAME", "TITLE", "read", "sniff", "words", "write"]

NAME = "conll"
TITLE = "CoNLL-2012"

_BEGIN = re.compile(rb"#\s*begin\s+document\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_END = re.compile(rb"#\s*end\s+document\b", re.IGNORECASE)
_SNIFF = re.compile(rb"^#\s*begin\s+document\b", re.IGNORECASE | re.MULTILINE)
_IN_PARENTHESES = re.compile(r"\((.*)\)\s*[;:]?\s*(?:part\s*(\d+)\b.*)?[;:]?", re.DOTALL)
_BARE = re.compile(r"(.*?)\s*[;:]?\s*(?:\bpart\s+(\d+))?\s*[;:]?", re.DOTALL)
_CHUNK = re.compile(rb"(\(?)([^()|\s]+)(\)?)\|?")
_DOUBLE = re.compile(rb"\d+(\+\d+)+")

#: Cells that say "no mention".
_NONE = frozenset((b"-", b"_", b"*", b""))

#: A chunk: whether it opens, the entity, whether it closes.
_Chunk = tuple[bool, bytes, bool]


def sniff(head: bytes) -> bool:
    """Whether a document begins in the first block."""
    return _SNIFF.search(head) is not None


def header(rest: bytes) -> tuple[str, int | None]:
    """Name and part from what follows ``#begin document``.

    Examples
    --------
    >>> header(b"(bc/cctv/00/cctv_0000); part 003"), header(b"(letter (1));"), header(b"x part 0")
    (('bc/cctv/00/cctv_0000', 3), ('letter (1)', None), ('x', 0))
    """
    text = rest.decode("utf-8").strip()
    match = _IN_PARENTHESES.fullmatch(text) or _BARE.fullmatch(text)
    assert match is not None  # _BARE matches any text
    name, part = match.groups()
    return name.strip(), int(part) if part is not None else None


def read(source: Source, concatenate: bool = False) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Parameters
    ----------
    source
        The file.
    concatenate
        Join documents of the same name instead of refusing them.

    Returns
    -------
    documents, warnings

    Raises
    ------
    DataError
        With all errors of the file: cells that are not chunks, mentions closed without having
        been opened or never closed, the same document twice, no document at all.
    """
    reader = _Reader(source.path, concatenate)
    for line, is_directive in _stretches(source):
        if is_directive:
            reader.directive(line)
        else:
            reader.tokens(line)
    return reader.finish()


def _stretches(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Stretches of lines that do not begin with ``#``, and each line that does."""
    for block in source.blocks():
        start = 0
        hash_at = 0 if block.startswith(b"#") else block.find(b"\n#") + 1
        while hash_at or block.startswith(b"#", start):
            if hash_at > start:
                yield block[start:hash_at], False
            end = block.find(b"\n", hash_at) + 1
            yield block[hash_at:end], True
            start = end
            hash_at = start if block.startswith(b"#", start) else block.find(b"\n#", start) + 1
        if start < len(block):
            yield block[start:], False


class _Reader:
    """The state of reading one file."""

    def __init__(self, path: str, concatenate: bool) -> None:
        self.path = path
        self.concatenate = concatenate
        self.documents: dict[tuple[str, int], Document] = {}
        self.warnings: list[Problem] = []
        self.errors: list[Problem] = []
        self.line = 0  # lines read so far
        self.unnamed = 0
        self.outside = 0
        self.nones: tuple[bytes, ...] = ()  # how lines without a mention end in this file
        self.cells: dict[bytes, list[_Chunk]] = {}
        self.width = 0  # columns of the last token line looked into
        self.document: Document | None = None
        self.token = 0
        self.entities: dict[bytes, list[Mention]] = {}
        self.open: dict[bytes, list[int]] = {}

    def directive(self, line: bytes) -> None:
        """A line that begins with ``#``: begin, end, comment, or a token that begins so."""
        if begin := _BEGIN.match(line):
            self.line += 1
            self.begin(begin[1])
        elif _END.match(line):
            self.line += 1
            if self.document is None:
                self.problem("outside-document", "a document is closed, but none is open")
            else:
                self.end()
        elif self.document is not None and self._is_token(line):
            self.tokens(line)
        else:
            self.line += 1
            self.pause(0)

    def _is_token(self, line: bytes) -> bool:
        """Whether a line that begins with ``#`` is a word such as ``#metoo`` with its columns."""
        fields = line.split(b"\t") if b"\t" in line else line.split()
        if len(fields) < 2 or (self.width and len(fields) != self.width):
            return False
        cell = fields[-1].strip()
        return cell in _NONE or self.chunks(cell) is not None

    def begin(self, rest: bytes) -> None:
        """Start a document."""
        if self.document is not None:
            self.problem(
                "missing-end",
                f"document {self.document.label!r} is not closed before the next begins",
                hint='Write "#end document" before this line.',
            )
            self.end()
        try:
            name, part = header(rest)
        except UnicodeDecodeError as error:
            self.error("not-text", f"the name of the document is not UTF-8: {error}")
            name, part = repr(rest), None
        if not name:
            self.unnamed += 1
            name = f"document {self.unnamed}"
            self.problem(
                "unnamed-document",
                f"the document has no name; it is called {name!r}",
                hint='Write "#begin document (NAME); part 000".',
            )
        document = Document(name, [], part=part, tokens=0, path=self.path, line=self.line)
        first = self.documents.get(document.id)
        if first is None:
            self.documents[document.id] = document
            self.entities, self.token = {}, 0
        elif self.concatenate:
            document = first
            assert document.tokens is not None
            self.token = document.tokens
            self.entities = dict(
                zip(map(str.encode, document.entity_names), document.entities, strict=True)
            )
        else:
            from corefmeter.formats import repeated_document

            self.errors.append(repeated_document(document, first))
            self.entities, self.token = {}, 0
        self.document = document
        self.open = {}
        self.pause(0)

    def end(self) -> None:
        """Finish the open document."""
        document = self.document
        assert document is not None
        self.document = None
        document.tokens = self.token
        for entity, starts in self.open.items():
            for start in starts:
                self.errors.append(
                    Problem(
                        "unclosed-mention",
                        f"entity {_text(entity)} opened here is never closed "
                        f"(document {document.label!r})",
                        "error",
                        path=self.path,
                        line=document.line_of((start,)),
                        hint=f'Close it with "{_text(entity)})" or drop the bracket.',
                    )
                )
        document.entity_names = [_text(entity) for entity in self.entities]
        document.entities = list(self.entities.values())

    def pause(self, unread: int) -> None:
        """Note that the next token stands `unread` lines after the next line."""
        if self.document is not None:
            self.document.breaks.append((self.token, self.line + unread + 1))

    def tokens(self, text: bytes) -> None:
        """Lines of tokens and blank lines."""
        lines = text.split(b"\n")
        lines.pop()
        if self.document is None:
            self.between(lines)
            return
        breaks = self.document.breaks
        nones: bytes | tuple[bytes, ...] = self.nones[0] if len(self.nones) == 1 else self.nones
        entities, stacks, cells = self.entities, self.open, self.cells
        first = self.token  # the token on line i is first + i
        for i, line in enumerate(lines):
            if line.endswith(nones):
                continue
            cell = _cell(line)
            chunks = cells.get(cell)
            if chunks is None:
                if not line or line.isspace():
                    first -= 1
                    breaks.append((first + i + 1, self.line + i + 2))
                    continue
                chunks = self.look(line, cell, i, first + i)
                nones = self.nones[0] if len(self.nones) == 1 else self.nones
            token = first + i
            for opens, entity, closes in chunks:
                mentions = entities.get(entity)
                if mentions is None:
                    mentions = entities[entity] = []
                if opens:
                    if closes:
                        mentions.append((token, token + 1))
                    elif entity in stacks:
                        stacks[entity].append(token)
                    else:
                        stacks[entity] = [token]
                else:
                    stack = stacks.get(entity)
                    if stack:
                        mentions.append((stack.pop(), token + 1))
                    else:
                        self.stray(line, entity, i)
        self.token = first + len(lines)
        self.line += len(lines)

    def look(self, line: bytes, cell: bytes, i: int, token: int) -> list[_Chunk]:
        """Chunks of a cell that was not seen before; how its line ends, if it has none."""
        self.width = len(line.split(b"\t") if b"\t" in line else line.split())
        if cell in _NONE:
            at = line.rfind(cell, 0, len(line.rstrip(b" \r"))) if cell else len(line.rstrip(b" \r"))
            ending = line[at - 1 :] if at > 0 else b""
            if ending and ending not in self.nones and len(self.nones) < 4:
                self.nones = (*self.nones, ending)
            return []
        chunks = self.chunks(cell)
        if chunks is None:
            self.error(
                "bad-cell",
                f"the coreference cell {_text(cell)!r} is not made of (ID, ID) or (ID)",
                i,
                line.rfind(cell) + 1,
                hint="The last column must hold the coreference chunks, or - for none.",
            )
            return []
        doubled = [chunk for chunk in chunks if _DOUBLE.fullmatch(chunk[1])]
        if doubled:
            self.problem(
                "double-antecedent",
                f"a chunk names two entities, {_text(doubled[0][1])!r}; it is left out",
                i,
                line.rfind(cell) + 1,
            )
            return [chunk for chunk in chunks if chunk not in doubled]
        if len(self.cells) < 100_000:
            self.cells[cell] = chunks
        return chunks

    def chunks(self, cell: bytes) -> list[_Chunk] | None:
        """The chunks of a cell in written order, or None when it holds anything else."""
        found = []
        position = 0
        while position < len(cell):
            match = _CHUNK.match(cell, position)
            if match is None or not (match[1] or match[3]):
                return None
            found.append((bool(match[1]), match[2], bool(match[3])))
            position = match.end()
        return found

    def stray(self, line: bytes, entity: bytes, i: int) -> None:
        """A close without an open, or with the wrong name."""
        waiting = [name for name, starts in self.open.items() if starts]
        last = f"; the open ones are {', '.join(map(_text, waiting[:5]))}" if waiting else ""
        if waiting and self.document is not None:
            name = waiting[-1]
            opened = self.document.line_of((self.open[name][-1],))
            last += f" ({_text(name)} opened on line {opened})"
        self.error(
            "close-without-open",
            f"entity {_text(entity)} is closed but was not opened{last}",
            i,
            line.rfind(entity + b")") + 1,
            hint="Check the ids of the opening and the closing bracket.",
        )

    def between(self, lines: list[bytes]) -> None:
        """Lines that belong to no document."""
        for i, line in enumerate(lines):
            if line.strip():
                if b"(" in _cell(line) or b")" in _cell(line):
                    self.error(
                        "outside-document",
                        "a line with a coreference chunk belongs to no document",
                        i,
                        hint='Begin the document with "#begin document (NAME); part 000".',
                    )
                elif not self.outside:
                    self.problem("outside-document", "a line that belongs to no document", i)
                    self.outside = 1
        self.line += len(lines)

    def problem(
        self, code: str, message: str, i: int = -1, column: int | None = None, hint: str | None = None
    ) -> None:
        """Note a warning at the i-th line after those read."""
        self.warnings.append(
            Problem(code, message, path=self.path, line=self.line + i + 1, column=column, hint=hint)
        )

    def error(
        self, code: str, message: str, i: int = -1, column: int | None = None, hint: str | None = None
    ) -> None:
        """Note an error at the i-th line after those read."""
        self.errors.append(
            Problem(code, message, "error", path=self.path, line=self.line + i + 1, column=column,
                    hint=hint)
        )  # fmt: skip

    def finish(self) -> tuple[list[Document], list[Problem]]:
        """All documents, or all errors."""
        if self.document is not None:
            self.problem(
                "missing-end",
                f"the file ends before document {self.document.label!r} is closed",
                hint='Write "#end document" at the end; the file may be cut off.',
            )
            self.end()
        if not self.documents:
            self.error("no-document", "the file holds no document", hint=None)
        if self.errors:
            raise DataError(self.errors)
        return list(self.documents.values()), self.warnings


def _cell(line: bytes) -> bytes:
    """The last field; an empty last field counts unless the one before it is made of chunks."""
    fields = line.rsplit(None, 1)
    if not fields:
        return b""
    if line.endswith((b"\t", b"\t\r")) and fields[-1][:1] != b"(" and fields[-1][-1:] != b")":
        return b""
    return fields[-1]


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def words(path: str) -> dict[tuple[str, int], list[tuple[str, int]]]:
    """The words of each document of a file, with their lines.

    The column of words is the fourth of five or more, the third of four, the second of three, the
    first of two; a file of one column has no words, and its documents are empty lists.
    """
    column = {1: None, 2: 0, 3: 1, 4: 2}
    found: dict[tuple[str, int], list[tuple[str, int]]] = {}
    current: list[tuple[str, int]] | None = None
    unnamed = number = width = 0
    for text, is_directive in _stretches(Source(path)):
        for line in text.splitlines():
            number += 1
            if is_directive and (begin := _BEGIN.match(line)):
                name, part = header(begin[1])
                if not name:
                    unnamed += 1
                    name = f"document {unnamed}"
                current = found.setdefault((name, part or 0), [])
                continue
            fields = line.split(b"\t") if b"\t" in line else line.split()
            if is_directive and (_END.match(line) or len(fields) != width):
                current = None if _END.match(line) else current
                continue
            if current is None or not line.strip():
                continue
            width = len(fields)
            index = column.get(width, 3)
            if index is not None:
                current.append((_text(fields[index].strip()), number))
    return found


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in five columns: document, part, token, word, coreference.

    Words that are not known are written as ``_``. Two crossing mentions of one entity cannot be
    written; the one that ends later is left out and returned as a problem. So is a mention that
    is not a half-open span.
    """
    problems = []
    for document in corpus:
        stream.write(f"#begin document ({document.name}); part {document.part or 0:03d}\n")
        cells, left_out = _written(document)
        problems += left_out
        for token in range(max(document.tokens or 0, max(cells, default=-1) + 1)):
            cell = "|".join(cells.get(token, "-"))
            stream.write(f"{document.name or '_'}\t{document.part or 0}\t{token}\t_\t{cell}\n")
        stream.write("\n#end document\n")
    return problems


def _written(document: Document) -> tuple[dict[int, list[str]], list[Problem]]:
    """The chunks of each token, and what cannot be written."""
    opens: dict[int, list[tuple[int, str]]] = {}
    singles: dict[int, list[str]] = {}
    closes: dict[int, list[tuple[int, str]]] = {}
    problems: list[Problem] = []
    for name, entity in zip(document.entity_names, document.entities, strict=True):
        for start, end in _nested(name, entity, document, problems):
            if end == start + 1:
                singles.setdefault(start, []).append(f"({name})")
            else:
                opens.setdefault(start, []).append((-end, name))
                closes.setdefault(end - 1, []).append((-start, name))
    cells: dict[int, list[str]] = {}
    for token in {*opens, *singles, *closes}:
        opening = [f"({name}" for _, name in sorted(opens.get(token, []))]
        closing = [f"{name})" for _, name in sorted(closes.get(token, []))]
        # Where an entity closes one mention and opens the next, the close must be read first.
        early = [chunk for chunk in closing if f"({chunk[:-1]}" in opening]
        late = [chunk for chunk in closing if chunk not in early]
        cells[token] = early + opening + singles.get(token, []) + late
    return cells, problems


def _nested(
    name: str, entity: list[Mention], document: Document, problems: list[Problem]
) -> list[tuple[int, int]]:
    """The spans of an entity without those that cross an earlier one."""
    spans = []
    for mention in entity:
        match mention:
            case (int(start), int(end)) if 0 <= start < end:
                spans.append((start, end))
            case _:
                problems.append(_left_out(name, mention, document, "is not a span of tokens"))
    kept: list[tuple[int, int]] = []
    stack: list[int] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1] <= start + 1 and stack[-1] < end:
            stack.pop()
        if stack and stack[-1] < end:
            problems.append(_left_out(name, (start, end), document, "crosses another of its entity"))
            continue
        stack.append(end)
        kept.append((start, end))
    return kept


def _left_out(name: str, mention: Mention, document: Document, reason: str) -> Problem:
    return Problem(
        "cannot-write",
        f"the mention {mention!r} of entity {name} in document {document.label!r} {reason}; "
        "it is left out",
    )


def parse_entities(cells: list[str]) -> Entities:
    """The entities that a list of cells describes, one cell a token.

    Examples
    --------
    >>> parse_entities(["(0", "0)|(1)", "-", "(0)"])
    [[(0, 2), (3, 4)], [(1, 2)]]
    """
    reader = _Reader("cells", False)
    reader.begin(b"(cells)")
    reader.tokens("".join(f"w\t{cell}\n" for cell in cells).encode())
    reader.end()
    documents, _ = reader.finish()
    return documents[0].entities
