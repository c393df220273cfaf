"""CoNLL-U files with CorefUD 1.x annotation: ``Entity``, ``Bridge`` and ``SplitAnte`` in MISC.

Words have ten TAB-separated columns. ``# global.Entity`` names the fields of an opening bracket,
``(e1-person-2-...`` for ``eid-etype-head-other``; ``e1)`` closes the mention of that entity which
was opened last, ``(e1-person-1-)`` is one word. Brackets follow each other without a separator. A
mention with gaps comes in parts, ``(e1[1/2]-person-2-`` ... ``e1[1/2])`` ... ``(e1[2/2]``.

``# newdoc id = X`` begins a document. Tokens are its words, counted from 0; lines of multiword
tokens (``3-4``) do not count. An empty node ``i.k`` is ``(at, at, k)``, where `at` is the word that
follows it, or ``(at, at, k, True)`` before the first word of a sentence. Its id is a pair of
numbers: 3.10 is not 3.1. An empty node inside a bracket belongs to the mention.

The field ``head`` counts the words of the mention from 1, empty nodes included; without it the head
is the first word.

Without brackets, mentions as CorefUD 0.x and Stanza write them are read: see `conllu_older`.

Speed: a word without MISC costs two comparisons and a count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import EmptyNode, node_key
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.conllu_brackets import WORD, BracketReader, text_of
from corefmeter.formats.notes import column_of, count_empty, share_of_lines, truncated
from corefmeter.formats.source import UTF8_MARK, Source
from corefmeter.problems import DataError, Problem, amount

if TYPE_CHECKING:
    from corefmeter.corpus.pairing import Pair

COLUMNS = 10

_RANGE = re.compile(rb"(\d{1,9})-(\d{1,9})")
_EMPTY = re.compile(rb"(\d{1,9})\.(\d{1,6})")
_COMMENT = re.compile(rb"#\s*(newdoc|global\.Entity|speaker)\b\s*(?:id\b\s*)?(?:=\s*(.*))?")
_LINE = re.compile(rb"^(?:#|\d+(?:-\d+|\.\d+)?(?:\t[^\t\r\n]*){9}\r?$)", re.MULTILINE)
#: A row with a head, as words have it.
_HEADED = re.compile(
    rb"^\d+(?:-\d+|\.\d+)?(?:\t[^\t\r\n]*){5}\t(?:\d+|_?)(?:\t[^\t\r\n]*){3}\r?$", re.MULTILINE
)
_ANY_COMMENT = re.compile(rb"^#.*\n?", re.MULTILINE)
#: Comments that other files of ten columns do not have.
_TYPICAL = re.compile(rb"^#\s*(?:newdoc|newpar|sent_id|text|global\.\w+)\b", re.MULTILINE)
#: The most that rows explain of a file without such a comment.
_ROWS_ONLY = 0.9
#: How sentences begin in WebAnno TSV 2, whose ids of tokens look like those of ranges.
_TSV_2 = re.compile(rb"^#id=\d+\r?\n#text=", re.MULTILINE)
_OTHER_COLUMNS = re.compile(rb"^#\s*global\.columns\b(?!.*\bMISC\s*$)", re.MULTILINE)


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file by its comments and its rows of ten columns, with the id of a word and a head.

    Some other comments contradict: those of WebAnno's TSV 2, and names of columns of CoNLL-U Plus.
    """
    if head.lstrip().startswith(b"#FORMAT=") or _TSV_2.search(head) or _OTHER_COLUMNS.search(head):
        return None
    if _TYPICAL.search(head) is not None:
        return Claim(share_of_lines(head, _LINE))
    if _HEADED.search(head) is None:
        return None
    return Claim(_ROWS_ONLY * share_of_lines(_ANY_COMMENT.sub(b"", head), _HEADED))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; DataError has all errors of the file."""
    reader = _Reader(source.path, concatenate, details)
    try:
        for block in source.blocks():
            if empty := count_empty(block):
                reader.read_lines(b"\n")  # the first; below, the last
                reader.line, block = reader.line + empty - 2, b"\n"
            reader.read_lines(block)
            reader.look_in_columns(block)
    except DataError as error:
        # The blocks end before the line that cannot be read; open brackets are no errors then.
        for problem in error.problems:
            reader.keep(problem._replace(line=reader.line + 1))
        reader.finish()
    return reader.documents_read()


class _Reader(BracketReader):
    def __init__(self, path: str, concatenate: bool, details: bool) -> None:
        #: How the line of the n-th word of a sentence begins. No line begins with the last item.
        self.ids = [b"%d\t" % n for n in range(1, 200)] + [b"\n\n"]
        self.multiword: tuple[int, bytes] | None = None  # line and id of the first multiword token
        super().__init__(path, concatenate, details)

    def leave_document(self) -> None:
        super().leave_document()
        self.first_token = 0  # of this sentence
        self.word_count = 0  # in this sentence so far
        self.ids_in_order = True  # in this sentence so far
        self.sentences: list[int] = []
        self.breaks: list[tuple[int, int]] = []
        self.empty_before = 0  # empty nodes before this sentence
        self.rows: list[bytes] = []
        self.speakers: list[tuple[int, str]] = []

    def read_lines(self, block: bytes) -> None:
        """Read a block of whole lines.

        For speed, locals mirror the state of the reader; the calls may change it.
        """
        ids, rows, keep = self.ids, self.rows, self.details
        words = self.word_count
        number = self.line
        for number, line in enumerate(BytesIO(block), self.line + 1):
            if line.startswith(ids[words]) and self.document and line.count(b"\t") == 9:
                words += 1
                if keep:
                    rows.append(line)
                if line[-3:] != b"\t_\n":
                    self.line, self.word_count = number, words
                    self.read_misc(line, self.first_token + words - 1)
                continue
            self.line, self.word_count = number, words
            self.read_other_line(line.removeprefix(UTF8_MARK))  # where files were concatenated
            words, rows = self.word_count, self.rows
        self.line, self.word_count = number, words

    def read_other_line(self, line: bytes) -> None:
        """Read a blank line, a comment, or a row that is not the expected word."""
        if line.isspace():
            self.end_sentence()
        elif line[:1] == b"#":
            self.read_comment(line)
        elif self.read_row(line):
            return
        # This line is no word, so the next word is on a later line.
        self.next_token(self.first_token + self.word_count)

    def read_comment(self, line: bytes) -> None:
        """Read the beginning of a document, the header, or a speaker; skip other comments."""
        match = _COMMENT.match(line.rstrip())
        if not match:
            return
        value = (match[2] or b"").strip()
        if match[1] == b"newdoc":
            if self.document is not None:
                self.end_document()
            self.begin_document(value)
        elif match[1] != b"speaker":
            self.read_header(value)
        elif self.details and value:
            next_token = self.first_token + self.word_count
            self.speakers.append((next_token, value.decode("utf-8", "replace")))

    def begin_document(self, value: bytes) -> None:
        """Start a document; one without a name is numbered."""
        name = ""
        try:
            name = value.decode()
        except UnicodeDecodeError as error:
            self.note("not-text", f"the document name is not UTF-8: {error}", "error")
        self.document = document = self.open_document(name, None, 'Write "# newdoc id = NAME".')
        self.first_token = document.tokens or 0
        for index, entity in enumerate(document.entity_names):  # of a document that continues
            details = document.details[index] if document.details is not None else []
            self.entities[entity.encode()] = document.entities[index], details
        self.breaks = document.breaks

    def end_document(self) -> None:
        self.end_sentence()
        document = self.document
        assert document is not None
        self.has_entities = self.has_entities or bool(self.entities)
        self.report_incomplete()
        first_token = document.tokens or 0
        document.tokens = self.first_token
        document.entity_names = [text_of(name) for name in self.entities]
        document.entities = [mentions for mentions, _ in self.entities.values()]
        if self.details:
            document.details = [details for _, details in self.entities.values()]
            self.add_text(document, first_token)
        self.add_relations(document)
        self.leave_document()

    def end_sentence(self) -> None:
        """End a sentence, at a blank line or before the next document."""
        if self.open:
            self.report_unclosed()
        if self.sentence_mentions or self.chain_starts:
            empty = self.empty[self.empty_before :]
            self.end_older_sentence(self.first_token, self.word_count, empty)
        if self.word_count:
            if self.details:
                self.sentences.append(self.first_token)
            self.first_token += self.word_count
            self.word_count = 0
        elif len(self.empty) > self.empty_before:
            self.note("bad-id", "the sentence has empty nodes, but no words", "error")
        self.empty_before = len(self.empty)
        self.ids_in_order = True

    def read_row(self, line: bytes) -> bool:
        """Read a row that does not begin with the expected id; return whether it is a word."""
        if self.document is None:
            self.begin_document(b"")
            self.next_token(0)
            self.breaks[-1] = (0, self.line)  # not the next line, but this one
        columns = line.rstrip(b"\r\n").split(b"\t")
        id = columns[0]
        if len(columns) != COLUMNS:
            number, shown = amount(len(columns), "column"), truncated(text_of(line.strip()))
            reason = f"{number} between TABs instead of {COLUMNS}: {shown!r}"
            self.note("bad-columns", reason, "error")
        elif WORD.fullmatch(id):
            self.read_word(line, id)
            return True
        elif match := _RANGE.fullmatch(id):
            self.multiword = self.multiword or (self.line, id)
            if not self.word_count + 1 == int(match[1]) <= int(match[2]):
                self.report_bad_id(id)
            if b"Entity=" in columns[-1]:
                reason = f"the multiword token {text_of(id)} has an Entity"
                place = column_of(line, line.rfind(b"\t") + 1)
                hint = "Write Entity on the lines of its words."
                self.note("bad-cell", reason, "error", column=place, hint=hint)
        elif match := _EMPTY.fullmatch(id):
            self.read_empty_node(line, columns, int(match[1]), int(match[2]))
        else:
            self.report_bad_id(id)
        return False

    def read_word(self, line: bytes, id: bytes) -> None:
        """Read a word with an unusual id or line end."""
        if int(id) != self.word_count + 1:
            self.report_bad_id(id)
        self.word_count += 1
        if self.word_count + 1 >= len(self.ids):
            # Doubled in place, since the loop over lines holds on to this list.
            size = len(self.ids)
            self.ids[size - 1 :] = [*[b"%d\t" % n for n in range(size, 2 * size)], b"\n\n"]
        if self.details:
            self.rows.append(line)
        self.read_misc(line, self.first_token + self.word_count - 1)

    def report_bad_id(self, id: bytes) -> None:
        """Report the first id of a sentence that does not follow the one before."""
        if self.ids_in_order:
            last = self.word_count
            after = f"after word {last}" if last else "at the beginning of a sentence"
            hint = "Words are numbered 1, 2, ... in each sentence; a blank line ends a sentence."
            reason = f"the id {text_of(id)!r} comes {after}"
            self.note("bad-id", reason, "error", column=1, hint=hint)
        self.ids_in_order = False

    def read_empty_node(self, line: bytes, columns: list[bytes], word: int, number: int) -> None:
        node = self.empty_node_of(word, number)
        follows = len(self.empty) == self.empty_before or node_key(self.empty[-1]) < node_key(node)
        if word != self.word_count or not follows:
            self.report_bad_id(columns[0])
            return
        self.empty.append(node)
        if self.details and columns[8] != b"_":
            self.deps[node] = tuple(self.dependencies(columns[8], line))
        self.read_misc(line, node)

    def empty_node_of(self, word: int, number: int) -> EmptyNode:
        """Return the empty node ``word.number`` of this sentence."""
        at = self.first_token + word
        return (at, at, number) if word else (at, at, number, True)

    def dependencies(self, cell: bytes, line: bytes) -> Iterable[tuple[Any, str]]:
        """Yield the parent and the relation of each item of an enhanced dependency cell."""
        for item in cell.split(b"|"):
            parent, _, relation = item.partition(b":")
            if match := _EMPTY.fullmatch(parent):
                yield self.empty_node_of(int(match[1]), int(match[2])), text_of(relation)
            elif WORD.fullmatch(parent):
                yield self.first_token + int(parent) - 1 if int(parent) else -1, text_of(relation)
            else:
                reason = f"the enhanced dependency {text_of(item)!r} has no parent; it is left out"
                self.note("bad-link", reason, column=column_of(line, line.find(cell)))

    def add_text(self, document: Document, first_token: int) -> None:
        from corefmeter.formats.conllu_text import join_texts, read_text

        text = read_text(self.rows, self.sentences, self.speakers, self.breaks, first_token)
        text.empty = {node: self.deps.get(node, ()) for node in self.empty}
        document.text = text if document.text is None else join_texts(document.text, text)

    def documents_read(self) -> ReadResult:
        if self.document is not None:
            self.end_document()
        if not self.documents and not self.errors:
            self.error("no-document", "the file has no document")
        elif self.multiword and not any(document.tokens for document in self.documents.values()):
            line, id = self.multiword
            reason = f"the file has ids such as {text_of(id)!r}, but no word with an id of its own"
            self.error("no-document", reason, line, hint="It may be in another format.")
        self.report_unread()
        return list(self.documents.values()), self.finish()


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; see `corefmeter.formats.conllu_write`."""
    from corefmeter.formats import conllu_write

    return conllu_write.write(corpus, stream)


def _check_sentences(pairs: list[Pair]) -> None:
    from corefmeter.formats.conllu_text import check_sentences

    check_sentences(pairs, read)


def _refused_elsewhere(source: Source) -> list[Problem]:
    from corefmeter.formats import elsewhere

    return elsewhere.conllu(source)


FORMAT = Format(
    name="conllu",
    title="CoNLL-U (CorefUD)",
    sniff=sniff,
    evidence="most lines are comments and rows of ten columns; without comments of CoNLL-U, "
    "also with a head",
    read=read,
    write=write,
    endings=(".conllu",),
    check=_check_sentences,
    elsewhere=_refused_elsewhere,
)
