"""Reading the JSON formats: names, words, spans and strings of mentions, and their errors.

Every object of a file is one document. An error names the line of the object, and in the message
the path to the value: ``clusters[3][1]`` is the second mention of the fourth cluster, both counted
from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import accumulate, chain
from typing import Any

from corefmeter.corpus.align import first_difference
from corefmeter.corpus.model import Document, Entities
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.json_objects import (
    Record,
    brief_json,
    brief_list,
    objects,
    without_surrogates,
)
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
from corefmeter.formats.json_writing import write_json
from corefmeter.formats.notes import SHOWN, Notes
from corefmeter.formats.source import Source
from corefmeter.formats.standoff import Words, without_space

#: If none of so many mentions is a single token, the ends are probably counted otherwise.
SUSPICIOUS = 50

#: The types of JSON values that clusters may have; null means no clusters.
_CLUSTERINGS = (list, dict, type(None))

#: The type of a field of words, what messages call it, and the type of its items.
_EXPECTED: dict[Holds, tuple[type, str, type | None]] = {
    "sentences": (list, "a list of lists of words", list),
    "words": (list, "a list of words", str),
    "text": (str, "a string", None),
}


def json_format(json: JsonFormat, name: str, **values: Any) -> Format:
    """Return the declaration of a JSON format; `values` are further fields of `Format`."""
    read, write = partial(read_json, json), partial(write_json, json)
    return Format(name, json.title, read=read, write=write, **values)


def read_json(
    format: JsonFormat, source: Source, concatenate: bool = False, details: bool = False
) -> ReadResult:
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
        self.unread_fields: Counter[tuple[str, str]] = Counter()
        #: The clusters' field for this side, if an object has it. By line: the field that is read
        #: of an object without it.
        self.side_field = ""
        self.usual_fields: dict[int, str] = {}

    def read_name(self, record: Record, *fields: str) -> tuple[str, int | None, bool]:
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
                name, part = name_and_part(without_surrogates(value), field)
                part_id = record.values.get("part_id")
                if part is None and type(part_id) is int:
                    name = name.removesuffix(f"_{part_id}") if field == "doc_key" else name
                    part = part_id
                return name, part, False
            if field in fields:
                record.unexpected(field, value, "a name")
                break
        name = f"document {record.number}"
        reason = f"the document has no {' or '.join(fields[:2])}; it is numbered"
        self.warn("unnamed-document", reason, record.line, document=name)
        return name, None, True

    def choose_clusters(self, record: Record, usual: str) -> str:
        """Return the field of the clusters to read: for a response, the field of the system.

        Record other fields that look like clusters, and objects without a field that others have.
        """
        values = record.values
        side_fields = PREDICTED if self.side == "response" else GOLD
        present = [field for field in side_fields if type(values.get(field, 0)) in _CLUSTERINGS]
        field = present[0] if present else usual
        for another in present[1:]:
            if values[another] != values[field]:
                message = f"{field} and {another} are both present, and differ"
                record.error("several-clusterings", message, "Keep only one of them.")
        if present:
            self.side_field = self.side_field or field
        elif usual in values:
            self.usual_fields[record.line] = usual
        known = {usual, *PREDICTED, *GOLD, *AGAIN}
        for name, value in values.items():
            if type(value) is list and name not in known and _looks_like_clusters(name, value):
                self.unread_fields[name, field] += 1
        return field

    def add(self, document: Document, record: Record) -> None:
        """Keep a document."""
        document.path, document.line = self.path, record.line
        document.entities_named = self.named
        key = record.values.get("doc_key")
        if not document.numbered and key is not None:
            key = without_surrogates(key)
            if key in (document.name, f"{document.name}_{document.part}"):
                document.spelled = key
        self.documents.append(document)

    def report_missing(
        self,
        record: Record,
        fields: Iterable[str],
        hints: Mapping[str, tuple[str, str]] | None = None,
    ) -> list[str]:
        """Return those of some fields that an object lacks; note an error for each.

        `hints` has for a field another field that may replace it, and the hint to give then.
        """
        missing = [field for field in fields if field not in record.values]
        for field in missing:
            keys = ", ".join(brief_json(key) for key in list(record.values)[:8]) or "none"
            message = f"the object has no {field!r}, which {self.format} needs; its keys: {keys}"
            replacement, hint = (hints or {}).get(field, ("", None))
            record.error("missing-field", message, hint if replacement in record.values else None)
        return missing

    def documents_read(self) -> ReadResult:
        """Return all documents and the warnings; DataError has all errors."""
        if self.mentions >= SUSPICIOUS and not self.one_token:
            reason = f"none of {self.mentions} mentions is one token; the ends may be exclusive"
            reason += f" (half-open), but those of {self.format} are inclusive"
            self.warn("wrong-ends", reason)
        if self.side_field and self.usual_fields:
            line, usual = next(iter(self.usual_fields.items()))
            message = f"the object has no {self.side_field!r}, but others have; {usual!r} is read"
            hint = "If the system found no clusters, write an empty list."
            self.warn("several-clusterings", message, line, hint=hint, count=len(self.usual_fields))
        for (unread, field), count in self.unread_fields.items():
            message = f"the field {unread!r:.60} also looks like clusters; {field!r} is read"
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
        self.title = self.shape.title or format.title
        usual, alternative = self.shape.clusters, self.shape.alternative
        if usual not in self.values and alternative in self.values:
            usual = alternative
        self.field = reader.choose_clusters(record, usual)
        self.parts: Parts = []

    def read_document(self, details: bool) -> Document | None:
        """Return the document, or None after errors; as many errors as possible are noted."""
        shape, field, values = self.shape, self.field, self.values
        missing = self.reader.report_missing(self.record, (shape.words, field), self.format.hints)
        name, part, numbered = self.reader.read_name(self.record, *self.format.names)
        words: Any = values.get(shape.words)
        has_words = shape.words in values and _check(self.record, shape.words, words, shape.holds)
        if missing or not has_words:
            return None
        self.parts = words if shape.holds == "sentences" else [words]
        if values[field] is None and shape.null:
            values[field] = []
        entities, tokens = self.read_entities()
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
        """Return the words with their sentences and, if known, with speakers and named entities."""
        parts = self.parts
        starts = [0, *accumulate(map(len, parts))][:-1]
        return Text(
            list(parts[0]) if len(parts) == 1 else [word for part in parts for word in part],
            sentences=[start for start, part in zip(starts, parts, strict=True) if part],
            speakers=_speakers(self.values.get("speakers"), parts),
            entity_types=_entity_types(self.values.get("ner")),
            between="" if self.shape.holds == "text" else " ",
        )

    def read_entities(self) -> tuple[Spans | None, Tokens | None]:
        """Return the entities, or None after errors, and the tokens if the shape makes them."""
        shape, values = self.shape, self.values
        entities = self.read_spans()
        strings_fit = not shape.strings or _compare_tokens(self.record)
        if entities is not None:
            strings_fit = self.check_strings(entities) and strings_fit
        tokens = shape.tokens(values, self.parts) if shape.tokens and strings_fit else None
        if isinstance(tokens, Wrong):
            self.record.error(*tokens)
            return None, None
        if entities is None or not strings_fit:
            return None, None
        values[self.field] = None  # frees memory: the clusters are read
        return (self.map_to_tokens(entities, tokens) if tokens else entities), tokens

    def read_spans(self) -> Spans | None:
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
            reader, spans = self.reader, chain.from_iterable(entities)
            reader.mentions += sum(map(len, entities))
            reader.one_token = reader.one_token or any(end == start + 1 for start, end in spans)
        return entities

    def report_clusters(self, clusters: Any, positions: Positions) -> None:
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
                elif (wrong := positions.describe_error(span, self.title)) is not None:
                    self.report_mention(i, j, *wrong)

    def report_mention(
        self, i: int, j: int, code: str, message: str, hint: str | None = None
    ) -> None:
        """Note an error of mention `j` of cluster `i`."""
        self.record.error(code, f"{self.field}[{i}][{j}]: {message}", hint)

    def check_strings(self, entities: Spans) -> bool:
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
        texts = Words(words)
        errors = len(self.reader.errors)
        for i, mentions in enumerate(entities):
            for j, span in enumerate(mentions):
                string = str(strings[i][j])
                if not texts.equal(string, *span):
                    wrong = _describe_difference(texts, without_space(string), span, self.title)
                    self.report_mention(i, j, *wrong)
        return len(self.reader.errors) == errors

    def map_to_tokens(self, entities: Spans, tokens: Tokens) -> Spans | None:
        """Return entities whose positions count tokens, or None after errors."""
        entities_of_tokens: Spans = []
        errors, repeated = len(self.reader.errors), 0
        for i, mentions in enumerate(entities):
            origins: dict[tuple[int, int], tuple[int, int]] = {}
            token_spans = []
            for j, span in enumerate(mentions):
                token_span = tokens.span(*span)
                if isinstance(token_span, Wrong):
                    self.report_mention(i, j, *token_span)
                elif tokens.merges and origins.setdefault(token_span, span) != span:
                    repeated += 1
                else:
                    token_spans.append(token_span)
            entities_of_tokens.append(token_spans)
        if repeated:
            message = f"mentions in {self.field} have the same words as another of their entity; "
            message += "they are left out"
            self.reader.warn("repeated-mention", message, self.record.line, count=repeated)
        return entities_of_tokens if len(self.reader.errors) == errors else None

    def drop_empty(self, entities: Spans) -> Entities:
        """Return the entities that have a mention; warn of others."""
        empty = [str(i) for i, mentions in enumerate(entities) if not mentions]
        if empty:
            message = f"{self.field}[{brief_list(empty)}] has no mention; left out"
            self.reader.warn("empty-entity", message, self.record.line, count=len(empty))
        return [list(mentions) for mentions in entities if mentions]


def _describe_difference(words: Words, string: str, span: tuple[int, int], format: str) -> Wrong:
    """Describe a string that differs from its span; a wrong type of end may be the cause."""
    start, end = span
    text = "".join(words.words[start : min(end, start + SHOWN)])
    message = f"{text!r:.60} is not {string!r:.60}, as the file gives it"
    exclusive, inclusive = "exclusive (half-open)", "inclusive"
    for fitting_end, actual, expected, change in (
        (end - 1, exclusive, inclusive, "take 1 from"),
        (end + 1, inclusive, exclusive, "add 1 to"),
    ):
        if string and words.equal(string, start, fitting_end):
            message += f"; the ends look {actual}, but those of {format} are {expected}"
            return Wrong("wrong-ends", message, f"To correct the file, {change} every end.")
    return Wrong("text-differs", message)


def _compare_tokens(record: Record) -> bool:
    """Return whether ``text`` and ``tokens``, if both exist, are equal without spaces."""
    text, words = record.values.get("text"), record.values.get("tokens")
    if text is None or words is None:
        return True
    has_text = _check(record, "text", text, "text")
    if not _check(record, "tokens", words, "words") or not has_text:
        return False
    difference = first_difference(text, words)
    if difference is not None:
        record.error("text-differs", f"the text and the tokens differ: {difference}")
    return difference is None


def _check(record: Record, path: str, value: Any, expected: Holds) -> bool:
    """Return whether a value has the expected type; note the first error."""
    value_type, title, item_type = _EXPECTED[expected]
    is_expected = isinstance(value, value_type)
    if not is_expected:
        record.unexpected(path, value, title)
        return False
    if item_type is None:
        return True
    if not set(map(type, value)) <= {item_type}:
        wrong = next(number for number, item in enumerate(value) if type(item) is not item_type)
        record.bad(f"{path}[{wrong}]", f"{brief_json(value[wrong])} in {title}")
        return False
    # Sentences are checked one by one only if they contain something other than words.
    if item_type is str or set(map(type, chain.from_iterable(value))) <= {str}:
        return True
    return all(_check(record, f"{path}[{n}]", words, "words") for n, words in enumerate(value))


def _speakers(value: Any, parts: Parts) -> list[str] | None:
    """Return the speaker of each token; None unless the lists are as long as the sentences."""
    if not isinstance(value, list) or list(map(_length, value)) != list(map(len, parts)):
        return None
    return [str(speaker) for speakers in value for speaker in speakers]


def _entity_types(value: Any) -> list[tuple[int, int, str]] | None:
    """Return the named entities, which e2e-coref writes as ``[first, last, type]``."""
    if not isinstance(value, list):
        return None
    types = []
    for item in value:
        match item:
            case [int(start), int(last), str(type)]:
                types.append((start, last + 1, type))
    return types


def _looks_like_clusters(name: str, value: list[Any]) -> bool:
    """Return whether a field looks like clusters: by its lists of numbers or its name."""
    cluster = next((cluster for cluster in value if cluster != []), None)
    if cluster is None:
        return "clusters" in name
    if type(cluster) is not list or type(cluster[0]) is not list:
        return False
    return len(cluster[0]) in (2, 3) and set(map(type, cluster[0])) == {int}


def _length(value: Any) -> int:
    """Return the length of a list; -1 for anything else."""
    return len(value) if isinstance(value, list) else -1
