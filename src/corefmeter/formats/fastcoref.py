"""The output of fastcoref, with offsets of characters, and its training data, with words.

One object a document. Output: ``text``, ``clusters`` (lists of pairs ``[begin, end]`` of characters
of the text, end exclusive, from 0) and ``clusters_strings`` (the texts of the mentions, which are
compared). Characters are code points. Such a document counts characters, not tokens (see
`corefmeter.corpus.align` for scoring it against one that counts tokens). With ``tokens`` beside the
text the clusters still count characters, but every mention must begin and end with a token, and the
document counts tokens.

Training data: ``tokens`` without ``text``; then ``clusters`` are pairs ``[first, last]`` of tokens,
inclusive.
"""

from __future__ import annotations

from typing import IO, Any

from corefmeter.corpus.align import PositionMap, text_with_offsets
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Format
from corefmeter.formats.json_documents import Reader, Spans, document_key, spans_to_write
from corefmeter.formats.json_objects import Record, dumps, keys_of, kind_of
from corefmeter.formats.notes import lost
from corefmeter.formats.source import HEAD, Source
from corefmeter.problems import Problem

TITLE = "fastcoref JSON"


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the objects have a text or tokens, and clusters, or a text that fills the block."""
    keys = keys_of(head)
    if keys & {b"sentences", b"clusters_token_offsets", b"mention_clusters"}:
        return False
    if b"clusters_strings" in keys:
        return True
    if b"text" in keys and b"clusters" not in keys and len(head) >= HEAD:
        from corefmeter.formats import inline

        return not inline.sniff(head)
    return b"clusters" in keys and bool(keys & {b"text", b"tokens"})


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: text that is no JSON, fields that are missing or of another
        shape, offsets outside of the text or that are no whole numbers, ends that look inclusive,
        mentions whose strings are others than those of the text, tokens that are not those of the
        text, offsets within a token, the same document twice.
    """
    reader = Reader(source, concatenate, TITLE)
    counts_tokens = False
    for record in reader.records():
        values = record.values
        if "clusters" not in values:
            reader.missing(record, "clusters")
        elif "text" in values:
            _add_text(record, reader, details)
        elif "tokens" in values:
            counts_tokens = True
            _add_tokens(record, reader, details)
        else:
            reader.missing(record, "text")
    return reader.result(inclusive=counts_tokens)


def _add_tokens(record: Record, reader: Reader, details: bool) -> None:
    """Read a document of training data, which counts tokens, ends inclusive."""
    words = reader.words(record, "tokens")
    name, part, numbered = reader.name(record, "doc_key", "doc_id", "id")
    entities = None if words is None else reader.spans(record, "clusters", len(words))
    if words is None or entities is None:
        return
    document = Document(
        name,
        reader.without_empty(record, "clusters", entities),
        part=part,
        tokens=len(words),
        numbered=numbered,
        text=Text(words) if details else None,
    )
    reader.add(document, record)


def _add_text(record: Record, reader: Reader, details: bool) -> None:
    """Read a document whose clusters count characters, ends exclusive."""
    text = record.values["text"]
    name, part, numbered = reader.name(record, "doc_key", "doc_id", "id")
    if not isinstance(text, str):
        reader.bad(record, "text", f"{kind_of(text)} where a string is expected")
        return
    if record.values["clusters"] is None:  # nothing was found
        record.values["clusters"] = []
    spans = reader.spans(record, "clusters", len(text), inclusive=False, unit="character")
    if spans is None or not _same_strings(record, reader, spans, text):
        return
    words = None
    if record.values.get("tokens") is not None:
        words = reader.words(record, "tokens")
        if words is None or not reader.same_text(record, words):
            return
        spans = _on_tokens(record, reader, spans, text, words)
        if spans is None:
            return
    known = None
    if details:
        known = Text(list(text), between="") if words is None else Text(words)
    document = Document(
        name,
        reader.without_empty(record, "clusters", spans),
        part=part,
        tokens=len(text) if words is None else len(words),
        numbered=numbered,
        unit="characters" if words is None else "tokens",
        text=known,
    )
    reader.add(document, record)


def _same_strings(record: Record, reader: Reader, spans: Spans, text: str) -> bool:
    """Whether the strings of the mentions, if there are any, are those of the text."""
    if not record.values.get("clusters_strings"):
        return True

    def text_of(start: int, end: int) -> str:
        return text[start:end]

    return reader.same_strings(record, "clusters_strings", "clusters", spans, text_of)


def _on_tokens(
    record: Record, reader: Reader, spans: Spans, text: str, words: list[str]
) -> Spans | None:
    """Entities in tokens, or None after an error about an offset within a token."""
    positions = PositionMap(text, words)
    found: Spans = []
    errors = len(reader.errors)
    for i, mentions in enumerate(spans):
        found.append([])
        for j, (begin, end) in enumerate(mentions):
            span = positions.span(begin, end)
            if span is not None:
                found[-1].append(span)
                continue
            does = "begin" if positions.start(begin) is None else "end"
            reader.error(
                "off-token",
                f"clusters[{i}][{j}]: the mention {text[begin:end]!r:.60} from {begin} to {end} "
                f"does not {does} with a token",
                record.line,
                hint="Correct the offsets, or leave out the tokens.",
            )
    return found if len(reader.errors) == errors else None


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object a line, with offsets of characters.

    Words are joined by blanks. What the format cannot express is returned as problems: documents
    whose words were not read, mentions with gaps, empty nodes, names of entities.
    """
    problems: list[Problem] = []
    for document in corpus:
        if document.text is None or document.unit == "names":
            problems.append(lost(document, "the document has no text; left out"))
            continue
        clusters, left_out = spans_to_write(document, TITLE)
        problems += left_out
        text, begins, ends = text_with_offsets(document.text)
        offsets = [
            [[begins[start], ends[end - 1]] for start, end in mentions] for mentions in clusters
        ]
        values: dict[str, Any] = {} if document.numbered else {"doc_key": document_key(document)}
        values["text"] = text
        values["clusters"] = offsets
        values["clusters_strings"] = [
            [text[begin:end] for begin, end in mentions] for mentions in offsets
        ]
        stream.write(dumps(values) + "\n")
    return problems


FORMAT = Format(
    name="fastcoref",
    title=TITLE,
    sniff=sniff,
    read=read,
    write=write,
    units=("tokens", "characters"),
)
