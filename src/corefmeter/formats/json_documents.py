"""Reading the JSON formats: names, words, spans and strings of mentions, and their errors.

Every object of a file is one document. An error names the line of the object, and in the message
the path to the value: ``clusters[3][1]`` is the second mention of the fourth cluster, both counted
from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from corefmeter.corpus.align import first_difference, ink
from corefmeter.corpus.model import Document, Entities
from corefmeter.corpus.text import Text
from corefmeter.formats.json_objects import Record, brief_json, objects
from corefmeter.formats.json_shapes import (
    AGAIN,
    GOLD,
    OTHER_NAMES,
    PREDICTED,
    Holds,
    JsonFormat,
    Parts,
    Positions,
    Spans,
    Tokens,
    Wrong,
    name_and_part,
    name_parts,
)
from corefmeter.formats.notes import SHOWN, Notes
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

#: From so many mentions on, that none is one token looks like ends that are counted otherwise.
SUSPICIOUS = 50

#: What clusters may be in JSON; null stands for none.
_CLUSTERINGS = (list, dict, type(None))

#: Of what a field of words may hold: its type, what it is called, and the type of what is in it.
_HOLDS: dict[Holds, tuple[type, str, type | None]] = {
    "sentences": (list, "a list of lists of words", list),
    "words": (list, "a list of words", str),
    "text": (str, "a string", None),
}


def read_json(
    format: JsonFormat, source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file; DataError has all errors of the file."""
    reader = Reader(source, concatenate, format.title)
    for record in objects(source, reader):
        document = _ObjectReader(format, record, reader).read_document(details)
        if document is not None:
            reader.add(document, record)
    return reader.documents_read()


class Reader(Notes):
    """The state of reading one file of a JSON format.

    Where entities are `named`, the same name in documents that are joined is the same entity.
    """

    def __init__(
        self, source: Source, concatenate: bool, format: str, *, named: bool = False
    ) -> None:
        super().__init__(source.path)
        self.side = source.side
        self.concatenate = concatenate
        self.format = format  # its name in messages
        self.named = named
        self.documents: list[Document] = []
        #: For inclusive ends: how many mentions were read, and whether any of them is one token.
        self.mentions = 0
        self.one_token = False
        #: Unread fields that look like clusters, each with the field that is read.
        self.others: Counter[tuple[str, str]] = Counter()
        #: The field of the side that is read, if any object has it; by line, what is read instead.
        self.of_side = ""
        self.without: dict[int, str] = {}

    def name(self, record: Record, *fields: str) -> tuple[str, int | None, bool]:
        """Return the name and part of a document, and whether it was only numbered.

        The name is in the first of the fields that the object has, or else of `OTHER_NAMES`. The
        part may be in ``part_id``. Whether a ``doc_key`` ends in the part is decided for all
        documents of a file together.
        """
        for field in dict.fromkeys((*fields, *OTHER_NAMES)):
            value = record.values.get(field)
            if value is None or value == "":
                continue
            if type(value) in (str, int):
                name, part = name_and_part(_printable(value), field)
                given = record.values.get("part_id")
                if part is None and type(given) is int:
                    name = name.removesuffix(f"_{given}") if field == "doc_key" else name
                    part = given
                return name, part, False
            if field in fields:
                record.unexpected(field, value, "a name")
                break
        name = f"document {record.number}"
        reason = f"the document has no {' or '.join(fields[:2])}; it is numbered"
        self.warn("unnamed-document", reason, record.line, document=name)
        return name, None, True

    def clusters(self, record: Record, usual: str) -> str:
        """Return the field of the clusters to read: for a response, the field of the system.

        Other fields that may be meant are noted, and objects that lack a field which others have.
        """
        values = record.values
        of_side = PREDICTED if self.side == "response" else GOLD
        found = [field for field in of_side if type(values.get(field, 0)) in _CLUSTERINGS]
        for other in found[1:]:
            if values[other] != values[found[0]]:
                message = f"{found[0]} and {other} are both there, and not the same"
                record.error("several-clusterings", message, "Keep only one of them.")
        field = found[0] if found else usual
        if found:
            self.of_side = self.of_side or field
        elif usual in values:
            self.without[record.line] = usual
        known = {usual, *PREDICTED, *GOLD, *AGAIN}
        for other, value in values.items():
            if type(value) is list and other not in known and _like_clusters(other, value):
                self.others[other, field] += 1
        return field

    def note_lengths(self, entities: Spans) -> None:
        """Count the mentions with inclusive ends, and note whether one of them is one token."""
        self.mentions += sum(map(len, entities))
        self.one_token = self.one_token or any(
            end == start + 1 for mentions in entities for start, end in mentions
        )

    def add(self, document: Document, record: Record) -> None:
        """Keep a document."""
        document.path, document.line = self.path, record.line
        document.entities_named = self.named
        key = record.values.get("doc_key")
        if not document.numbered and key is not None:
            key = _printable(key)
            if key in (document.name, f"{document.name}_{document.part}"):
                document.spelled = key
        self.documents.append(document)

    def lacks(
        self, record: Record, *fields: str, hints: Mapping[str, tuple[str, str]] | None = None
    ) -> bool:
        """Return whether an object lacks any of the given fields; note an error for each.

        `hints` has for a field another field that may replace it, and the hint to give then.
        """
        missing = [field for field in fields if field not in record.values]
        for field in missing:
            found = ", ".join(brief_json(key) for key in list(record.values)[:8]) or "none"
            message = f"the object has no {field!r}, which {self.format} needs; its keys: {found}"
            instead, hint = (hints or {}).get(field, ("", None))
            record.error("missing-field", message, hint if instead in record.values else None)
        return bool(missing)

    def documents_read(self) -> tuple[list[Document], list[Problem]]:
        """Return all documents and the warnings; DataError has all errors."""
        if self.mentions >= SUSPICIOUS and not self.one_token:
            reason = f"none of {self.mentions} mentions is one token; the ends may be exclusive"
            reason += f" (half-open), and those of {self.format} are inclusive"
            self.warn("wrong-ends", reason)
        if self.of_side and self.without:
            line, usual = next(iter(self.without.items()))
            message = f"no {self.of_side!r}, although others have it; {usual!r} is read"
            hint = "If nothing was found, write an empty list."
            self.warn("several-clusterings", message, line, hint=hint, count=len(self.without))
        for (other, field), count in self.others.items():
            message = f"the field {other!r:.60} also looks like clusters; {field!r} is read"
            hint = f"If it has the clusters of the system, call it {PREDICTED[0]}."
            self.warn("several-clusterings", message, hint=hint, count=count)
        if all(document.part is None for document in self.documents):
            name_parts(self.documents)
        documents, warnings = self.result(self.documents, self.concatenate)
        if not self.named:
            for document in documents:  # numbered through those that were joined
                document.entity_names = list(map(str, range(len(document.entities))))
        return documents, warnings


class _ObjectReader:
    """Reads an object of words and clusters as a document."""

    def __init__(self, format: JsonFormat, record: Record, reader: Reader) -> None:
        self.format = format
        self.record = record
        self.reader = reader
        self.values = record.values
        fitting = (shape for shape in format.shapes if shape.fits(self.values))
        self.shape = next(fitting, format.shapes[0])
        self.called = self.shape.called or format.title
        usual, instead = self.shape.clusters, self.shape.instead
        if usual not in self.values and instead in self.values:
            usual = instead
        self.field = reader.clusters(record, usual)
        self.parts: Parts = []

    def read_document(self, details: bool) -> Document | None:
        """Return the document, or None after errors; as many errors as possible are noted."""
        shape, field, values = self.shape, self.field, self.values
        lacks = self.reader.lacks(self.record, shape.words, field, hints=self.format.hints)
        name, part, numbered = self.reader.name(self.record, *self.format.names)
        words: Any = values.get(shape.words)
        if shape.words not in values or not _holds(self.record, shape.words, words, shape.holds):
            return None
        if lacks:
            return None
        self.parts = words if shape.holds == "sentences" else [words]
        if values[field] is None and shape.null:
            values[field] = []
        entities = self.spans()
        strings_fit = not shape.strings or _same_text(self.record)
        if entities is not None:
            strings_fit = self.has_same_strings(entities) and strings_fit
        tokens = shape.tokens(values, self.parts) if shape.tokens and strings_fit else None
        if isinstance(tokens, Wrong):
            self.record.error(*tokens)
            return None
        if entities is None or not strings_fit:
            return None
        values[field] = None  # frees memory: the clusters are read
        if tokens is not None:
            entities = self.map_to_tokens(entities, tokens)
        if entities is None:
            return None
        document = Document(name, self.drop_empty(entities), part=part, numbered=numbered)
        document.tokens = tokens.number if tokens else sum(map(len, self.parts))
        if shape.holds == "text" and tokens is None:
            document.unit = "characters"
        # Words may identify a document without a name, and are needed to convert positions.
        if details or numbered or (document.unit == "characters" and not words.isascii()):
            document.text = tokens.text() if tokens else self.text()
        return document

    def text(self) -> Text:
        """Return the words, with sentences, and with speakers and named entities if there are."""
        parts = self.parts
        starts = [0, *accumulate(map(len, parts))][:-1]
        return Text(
            list(parts[0]) if len(parts) == 1 else [word for part in parts for word in part],
            sentences=[start for start, part in zip(starts, parts, strict=True) if part],
            speakers=_speakers(self.values.get("speakers"), parts),
            entity_types=_entity_types(self.values.get("ner")),
            between="" if self.shape.holds == "text" else " ",
        )

    def spans(self) -> Spans | None:
        """Return the clusters as entities with half-open spans, or None after errors."""
        clusters = self.values[self.field]
        positions = self.shape.positions(self.shape, self.parts)
        try:
            entities = positions.spans(clusters)
            if type(clusters) is not list or not set(map(type, clusters)) <= {list}:
                raise ValueError
        except (IndexError, TypeError, ValueError):
            self.report_clusters(clusters, positions)
            return None
        if self.shape.inclusive:
            self.reader.note_lengths(entities)
        return entities

    def report_clusters(self, clusters: Any, positions: Positions) -> None:
        """Note all errors in the clusters."""
        record, field = self.record, self.field
        if not isinstance(clusters, list):
            record.unexpected(field, clusters, "a list of clusters")
            return
        for i, cluster in enumerate(clusters):
            if not isinstance(cluster, list):
                record.unexpected(f"{field}[{i}]", cluster, "a list of mentions")
                continue
            for j, span in enumerate(cluster):
                whole = isinstance(span, list) and set(map(type, span)) <= {int}
                if not whole or len(span) != positions.numbers:
                    what = f"{brief_json(span)} where {positions.expected} are expected"
                    record.bad(f"{field}[{i}][{j}]", what)
                elif (wrong := positions.describe_error(span, self.called)) is not None:
                    self.report_mention(i, j, *wrong)

    def report_mention(
        self, i: int, j: int, code: str, message: str, hint: str | None = None
    ) -> None:
        """Note an error of mention `j` of cluster `i`."""
        self.record.error(code, f"{self.field}[{i}][{j}]: {message}", hint)

    def has_same_strings(self, entities: Spans) -> bool:
        """Return whether the mentions' strings, if any, equal their texts without spaces."""
        record = self.record
        field = next((field for field in self.shape.strings if self.values.get(field)), None)
        if field is None:
            return True
        strings = self.values[field]
        if not isinstance(strings, list) or list(map(_length, strings)) != list(map(len, entities)):
            record.bad(field, f"not of the same shape as {self.field}")
            return False
        (words,) = self.parts
        texts = _Strings(words)
        errors = len(self.reader.errors)
        for i, mentions in enumerate(entities):
            for j, span in enumerate(mentions):
                string = str(strings[i][j])
                if not texts.matches(string, *span):
                    wrong = texts.difference("".join(string.split()), span, self.called)
                    self.report_mention(i, j, *wrong)
        return len(self.reader.errors) == errors

    def map_to_tokens(self, entities: Spans, tokens: Tokens) -> Spans | None:
        """Return entities whose positions count tokens, or None after errors."""
        found: Spans = []
        errors, repeated = len(self.reader.errors), 0
        for i, mentions in enumerate(entities):
            origins: dict[tuple[int, int], tuple[int, int]] = {}
            found.append([])
            for j, span in enumerate(mentions):
                token_span = tokens.span(*span)
                if isinstance(token_span, Wrong):
                    self.report_mention(i, j, *token_span)
                elif tokens.merges and origins.setdefault(token_span, span) != span:
                    repeated += 1
                else:
                    found[-1].append(token_span)
        if repeated:
            message = f"mentions in {self.field} of the same words as another of their entity"
            message += "; left out"
            self.reader.warn("repeated-mention", message, self.record.line, count=repeated)
        return found if len(self.reader.errors) == errors else None

    def drop_empty(self, entities: Spans) -> Entities:
        """Return the entities that have a mention; warn of others."""
        empty = [str(i) for i, mentions in enumerate(entities) if not mentions]
        if empty:
            which = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
            message = f"{self.field}[{which}] has no mention; left out"
            self.reader.warn("empty-entity", message, self.record.line, count=len(empty))
        return [list(mentions) for mentions in entities if mentions]


class _Strings:
    """Compares strings with spans of words or of a text, in time that no long span increases."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.bare, self.edges = "", [0]

    def matches(self, string: str, start: int, end: int) -> bool:
        """Return whether a string equals the text of a span, apart from white space."""
        text = self.words
        if isinstance(text, str) and len(string) == end - start and text.startswith(string, start):
            return True
        if len(self.edges) == 1 and text:
            self.bare, self.edges = ink(text)
        string = "".join(string.split())
        first, last = (self.edges[min(place, len(text))] for place in (start, end))
        return len(string) == last - first and self.bare.startswith(string, first)

    def difference(self, string: str, span: tuple[int, int], format: str) -> Wrong:
        """Describe a string that differs from its span; a wrong type of end may be the cause."""
        start, end = span
        text = "".join(self.words[start : min(end, start + SHOWN)])
        message = f"{text!r:.60} is not {string!r:.60}, as the file says"
        exclusive, inclusive = "exclusive (half-open)", "inclusive"
        for other, looks, should, hint in (
            (end - 1, exclusive, inclusive, "To correct the file, take 1 from every end."),
            (end + 1, inclusive, exclusive, "To correct the file, add 1 to every end."),
        ):
            if string and self.matches(string, start, other):
                message += f"; the ends look {looks}, and those of {format} are {should}"
                return Wrong("wrong-ends", message, hint)
        return Wrong("text-differs", message)


def _same_text(record: Record) -> bool:
    """Return whether ``text`` and ``tokens``, if both exist, are equal without spaces."""
    text, words = record.values.get("text"), record.values.get("tokens")
    if text is None or words is None:
        return True
    right = _holds(record, "text", text, "text")
    if not _holds(record, "tokens", words, "words") or not right:
        return False
    difference = first_difference(text, words)
    if difference is not None:
        record.error("text-differs", f"the text and the tokens are not the same: {difference}")
    return difference is None


def _holds(record: Record, path: str, value: Any, what: Holds) -> bool:
    """Return whether a value has the expected type; note the first error."""
    kind, called, of = _HOLDS[what]
    right = isinstance(value, kind)
    if not right:
        record.unexpected(path, value, called)
        return False
    if of is None:
        return True
    if not set(map(type, value)) <= {of}:
        number, item = next((n, item) for n, item in enumerate(value) if type(item) is not of)
        record.bad(f"{path}[{number}]", f"{brief_json(item)} in {called}")
        return False
    # Sentences are looked at one by one only if something in them is no word.
    if of is str or set(map(type, chain.from_iterable(value))) <= {str}:
        return True
    return all(_holds(record, f"{path}[{n}]", words, "words") for n, words in enumerate(value))


def _speakers(value: Any, parts: Parts) -> list[str] | None:
    """Return the speaker of each token; None unless the lists are as long as the sentences."""
    if not isinstance(value, list) or list(map(_length, value)) != list(map(len, parts)):
        return None
    return [str(speaker) for speakers in value for speaker in speakers]


def _entity_types(value: Any) -> list[tuple[int, int, str]] | None:
    """Return the named entities, which e2e-coref writes as ``[first, last, type]``."""
    if not isinstance(value, list):
        return None
    found = []
    for item in value:
        match item:
            case [int(start), int(end), str(kind)]:
                found.append((start, end + 1, kind))
    return found


def _like_clusters(name: str, value: list[Any]) -> bool:
    """Return whether a field looks like clusters: by its lists of numbers or its name."""
    mentions = next((cluster for cluster in value if cluster != []), None)
    if mentions is None:
        return "clusters" in name
    if type(mentions) is not list or type(mentions[0]) is not list:
        return False
    return len(mentions[0]) in (2, 3) and set(map(type, mentions[0])) == {int}


def _length(value: Any) -> int:
    """Return the length of a list; -1 for anything else."""
    return len(value) if isinstance(value, list) else -1


def _printable(value: Any) -> str:
    """Return text without lone surrogates, which JSON can contain but nothing can print."""
    return str(value).encode("utf-8", "replace").decode()
