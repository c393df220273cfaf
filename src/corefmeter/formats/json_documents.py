"""The spine of the JSON formats with words and clusters of spans, and what others share with them.

A `JsonFormat` says what the objects of a format hold and what is written; reading, errors and
writing are here. Every object of a file is one document. An error names the line of the object, and
in the message the path to the value: ``clusters[3][1]`` is the second mention of the fourth
cluster, both counted from 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import IO, Any, Literal, NamedTuple

from corefmeter.corpus.align import first_difference
from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.corpus.positions import is_empty, pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.formats.json_objects import Record, dumps, kind_of, objects, shown
from corefmeter.formats.notes import Notes, distinct_documents, lost
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

#: Entities whose mentions are half-open spans.
Spans = list[list[tuple[int, int]]]

#: What mentions count: sentences of words, one list of words, or one text of characters.
Parts = Sequence[Sequence[str]]

#: What a field of words holds.
Holds = Literal["sentences", "words", "text"]

#: Of each of these: its type, what it is called, and the type of what is in it.
_HOLDS: dict[Holds, tuple[type, str, type | None]] = {
    "sentences": (list, "a list of lists of words", list),
    "words": (list, "a list of words", str),
    "text": (str, "a string", None),
}

#: The fields that name a document, the first of them that is there.
NAMES = ("doc_key", "doc_id", "id")

#: From so many mentions on, that none is one token looks like ends that are counted otherwise.
SUSPICIOUS = 50

_PART = re.compile(r"_(0|[1-9][0-9]{0,8})\Z")


def split_key(key: str) -> tuple[str, int | None]:
    """Name and part of a ``doc_key``, which ends in ``_`` and the number of the part.

    Examples
    --------
    >>> split_key("bc/cctv/00/cctv_0000_3"), split_key("letter")
    (('bc/cctv/00/cctv_0000', 3), ('letter', None))
    """
    match = _PART.search(key)
    return (key[: match.start()], int(match[1])) if match else (key, None)


def document_key(document: Document) -> str:
    """The ``doc_key`` of a document: its name, and its part if it has one.

    Examples
    --------
    >>> document_key(Document("bc/x", [], part=3)), document_key(Document("a_1", []))
    ('bc/x_3', 'a_1_0')
    """
    part = document.part
    if part is None:
        if not _PART.search(document.name):
            return document.name
        part = 0
    return f"{document.name}_{part}"


class Reader(Notes):
    """The state of reading one file of a JSON format.

    Parameters
    ----------
    source
        The file.
    concatenate
        Join documents of the same name instead of refusing them.
    format
        What the format is called in messages.
    named
        Whether entities have names, so that the same name in documents that are joined is the same
        entity.
    """

    def __init__(
        self, source: Source, concatenate: bool, format: str, *, named: bool = False
    ) -> None:
        super().__init__(source.path)
        self.source = source
        self.concatenate = concatenate
        self.format = format
        self.named = named
        self.documents: list[Document] = []
        self.mentions = 0  # with inclusive ends: how many were read, and whether one is one token
        self.one_token = False

    def records(self) -> Iterator[Record]:
        """The objects of the file."""
        return objects(self.source, self)

    # ---- names and words ----------------------------------------------------------------------

    def name(self, record: Record, *fields: str) -> tuple[str, int | None, bool]:
        """Name and part of a document, and whether it was only numbered.

        The first of the fields that is there names it; a ``doc_key`` ends in the part.
        """
        for field in fields:
            value = record.values.get(field)
            if value is None or value == "":
                continue
            if type(value) in (str, int):
                # Half a character pair, which JSON can spell, could not be printed.
                name = str(value).encode("utf-8", "replace").decode()
                return (*(split_key(name) if field == "doc_key" else (name, None)), False)
            self.bad(record, field, f"{kind_of(value)} where a name is expected")
            break
        name = f"document {record.number}"
        self.warn(
            "unnamed-document",
            f"the document has no {' or '.join(fields[:2])}; it is numbered",
            record.line,
            document=name,
        )
        return name, None, True

    def parts(self, record: Record, shape: Shape) -> Parts | None:
        """What the mentions of an object count, or None after an error."""
        value = record.values[shape.words]
        if not self.holds(record, shape.words, value, shape.holds):
            return None
        return value if shape.holds == "sentences" else [value]

    def holds(self, record: Record, path: str, value: Any, what: Holds) -> bool:
        """Whether a value is what it should be; an error tells the first thing that is not."""
        kind, called, of = _HOLDS[what]
        right = isinstance(value, kind)
        if not right:
            self.bad(record, path, f"{kind_of(value)} where {called} is expected")
            return False
        if of is None:
            return True
        if not set(map(type, value)) <= {of}:
            number, item = next((n, item) for n, item in enumerate(value) if type(item) is not of)
            self.bad(record, f"{path}[{number}]", f"{shown(item)} in {called}")
            return False
        # Sentences are looked at one by one only if something in them is no word.
        return (
            of is str
            or set(map(type, chain.from_iterable(value))) <= {str}
            or all(
                self.holds(record, f"{path}[{number}]", sentence, "words")
                for number, sentence in enumerate(value)
            )
        )

    def same_text(self, record: Record) -> bool:
        """Whether ``text`` and ``tokens``, if both are there, are the same without blanks."""
        text, words = record.values.get("text"), record.values.get("tokens")
        if text is None or words is None:
            return True
        right = self.holds(record, "text", text, "text")
        if not self.holds(record, "tokens", words, "words") or not right:
            return False
        difference = first_difference(text, words)
        if difference is not None:
            message = f"the text and the tokens are not the same: {difference}"
            self.error("text-differs", message, record.line)
        return difference is None

    # ---- mentions -----------------------------------------------------------------------------

    def spans(self, record: Record, field: str, positions: Positions) -> Spans | None:
        """Clusters as entities with half-open spans, or None after errors."""
        clusters = record.values[field]
        try:
            entities = positions.spans(clusters)
            if type(clusters) is not list or not set(map(type, clusters)) <= {list}:
                raise ValueError
        except (IndexError, TypeError, ValueError):
            self._tell_spans(record, field, positions)
            return None
        if positions.shape.inclusive:
            self.mentions += sum(map(len, entities))
            self.one_token = self.one_token or any(
                end == start + 1 for mentions in entities for start, end in mentions
            )
        return entities

    def _tell_spans(self, record: Record, field: str, positions: Positions) -> None:
        """Note everything that is wrong with clusters."""
        clusters = record.values[field]
        if not isinstance(clusters, list):
            self.bad(record, field, f"{kind_of(clusters)} where a list of clusters is expected")
            return
        for i, cluster in enumerate(clusters):
            if not isinstance(cluster, list):
                what = f"{kind_of(cluster)} where a list of mentions is expected"
                self.bad(record, f"{field}[{i}]", what)
                continue
            for j, mention in enumerate(cluster):
                path = f"{field}[{i}][{j}]"
                whole = isinstance(mention, list) and set(map(type, mention)) <= {int}
                if not whole or len(mention) != positions.numbers:
                    what = f"{shown(mention)} where {positions.expected} are expected"
                    self.bad(record, path, what)
                elif (wrong := positions.wrong(mention, self.format)) is not None:
                    self._tell(record, path, wrong)

    def _tell(self, record: Record, path: str, wrong: Wrong) -> None:
        """Note what is wrong with a mention."""
        self.error(wrong.code, f"{path}: {wrong.message}", record.line, hint=wrong.hint)

    def in_tokens(
        self, record: Record, field: str, entities: Spans, tokens: Tokens
    ) -> Spans | None:
        """Entities in tokens, or None after errors."""
        found: Spans = []
        errors, dropped = len(self.errors), 0
        for i, mentions in enumerate(entities):
            origins: dict[tuple[int, int], tuple[int, int]] = {}
            found.append([])
            for j, span in enumerate(mentions):
                place = tokens.span(*span)
                if isinstance(place, Wrong):
                    self._tell(record, f"{field}[{i}][{j}]", place)
                elif tokens.merges and origins.setdefault(place, span) != span:
                    dropped += 1
                else:
                    found[-1].append(place)
        if dropped:
            message = f"mentions in {field} of the same words as another of their entity; left out"
            self.warn("repeated-mention", message, record.line, count=dropped)
        return found if len(self.errors) == errors else None

    def same_strings(
        self, record: Record, clusters: str, shape: Shape, parts: Parts, entities: Spans
    ) -> bool:
        """Whether the strings of the mentions, if there are any, are their texts without blanks."""
        field = next((field for field in shape.strings if record.values.get(field)), None)
        if field is None:
            return True
        strings = record.values[field]
        if not isinstance(strings, list) or list(map(_length, strings)) != list(map(len, entities)):
            self.bad(record, field, f"not of the same shape as {clusters}")
            return False
        (words,) = parts
        whole: Callable[[Any], str] = str if shape.holds == "text" else "".join
        errors = len(self.errors)
        for i, mentions in enumerate(entities):
            for j, span in enumerate(mentions):
                string = str(strings[i][j])
                text = whole(words[span[0] : span[1]])
                if string != text and (string := _ink(string)) != _ink(text):
                    self._tell_string(record, f"{clusters}[{i}][{j}]", string, span, words)
        return len(self.errors) == errors

    def _tell_string(
        self, record: Record, path: str, string: str, span: tuple[int, int], words: Sequence[str]
    ) -> None:
        """Note that the string of a mention is not its text, and whether its end is the cause."""
        start, end = span
        text = "".join(words[start:end])
        message = f"{path}: {text!r:.60} is not {string!r:.60}, as the file says"
        exclusive, inclusive = "exclusive (half-open)", "inclusive"
        for other, looks, should, hint in (
            (end - 1, exclusive, inclusive, "To correct the file, take 1 from every end."),
            (end + 1, inclusive, exclusive, "To correct the file, add 1 to every end."),
        ):
            if string and string == _ink("".join(words[start:other])):
                message += f"; the ends look {looks}, and those of {self.format} are {should}"
                self.error("wrong-ends", message, record.line, hint=hint)
                return
        self.error("text-differs", message, record.line)

    def without_empty(self, record: Record, field: str, entities: Spans) -> Entities:
        """Entities without those that have no mention, which are warned about."""
        found: Entities = [list(mentions) for mentions in entities if mentions]
        if len(found) < len(entities):
            empty = [str(i) for i, mentions in enumerate(entities) if not mentions]
            which = ", ".join(empty[:5]) + (", ..." if len(empty) > 5 else "")
            message = f"{field}[{which}] has no mention; left out"
            self.warn("empty-entity", message, record.line, count=len(empty))
        return found

    # ---- documents ----------------------------------------------------------------------------

    def add(self, document: Document, record: Record) -> None:
        """Keep a document."""
        document.path, document.line = self.path, record.line
        document.entities_named = self.named
        self.documents.append(document)

    def bad(self, record: Record, path: str, message: str) -> None:
        """Note that a value is not what it should be."""
        self.error("bad-field", f"{path}: {message}", record.line)

    def lacks(
        self, record: Record, *fields: str, hints: Mapping[str, tuple[str, str]] | None = None
    ) -> bool:
        """Whether an object lacks any of some fields; each is an error.

        With `hints`: for a field, another that may stand there instead, and what to say then.
        """
        missing = [field for field in fields if field not in record.values]
        for field in missing:
            found = ", ".join(shown(key) for key in list(record.values)[:8]) or "none"
            message = f"the object has no {field!r}, which {self.format} needs; its keys: {found}"
            instead, hint = (hints or {}).get(field, ("", None))
            hint = hint if instead in record.values else None
            self.error("missing-field", message, record.line, hint=hint)
        return bool(missing)

    def result(self) -> tuple[list[Document], list[Problem]]:
        """All documents and the warnings, or all errors.

        Raises
        ------
        DataError
            With all errors that were noted, or ``no-document``, or ``repeated-document``.
        """
        if self.mentions >= SUSPICIOUS and not self.one_token:
            self.warn(
                "wrong-ends",
                f"none of {self.mentions} mentions is one token; the ends may be exclusive "
                f"(half-open), and those of {self.format} are inclusive",
            )
        if not self.documents and not self.errors:
            self.error("no-document", "the file holds no document")
        documents = distinct_documents(self.documents, self, self.concatenate)
        if not self.named:
            for document in documents:  # numbered through those that were joined
                document.entity_names = list(map(str, range(len(document.entities))))
        return documents, self.finish()


def _length(value: Any) -> int:
    """The length of a list; -1 for anything else."""
    return len(value) if isinstance(value, list) else -1


def _ink(text: str) -> str:
    """The characters of a text that are no white space."""
    return "".join(text.split())


# ---- what a format is -------------------------------------------------------------------------


class Wrong(NamedTuple):
    """What is wrong with a mention."""

    code: str
    message: str
    hint: str | None = None


class Tokens(NamedTuple):
    """The tokens of an object whose mentions count something else.

    Parameters
    ----------
    number
        How many there are.
    span
        From a span of what is counted to one of tokens, or what is wrong with it.
    text
        The words, when they are asked for.
    merges
        Whether mentions of an entity that become the same are one.
    """

    number: int
    span: Callable[[int, int], tuple[int, int] | Wrong]
    text: Callable[[], Text]
    merges: bool = False


class Positions:
    """How mentions are written: pairs of positions, counted from 0 through all parts."""

    numbers = 2
    expected = "two whole numbers"

    def __init__(self, shape: Shape, parts: Parts) -> None:
        self.shape = shape
        self.lengths = list(map(len, parts))
        self.count = sum(self.lengths)

    def spans(self, clusters: Any) -> Spans:
        """The half-open spans of clusters; ValueError, TypeError or IndexError if one is none."""
        found = []
        count, extra = self.count, int(self.shape.inclusive)
        for cluster in clusters:
            spans = []
            for start, last in cluster:
                end = last + extra
                if type(start) is not int or type(last) is not int or not 0 <= start < end <= count:
                    raise ValueError
                spans.append((start, end))
            found.append(spans)
        return found

    def wrong(self, mention: list[int], format: str) -> Wrong | None:
        """What is wrong with whole numbers, as many as there should be."""
        start, end = mention
        unit, inclusive = self.shape.unit, self.shape.inclusive
        here = f"the document has {self.count} {unit}s"
        if self.count:
            here += f", numbered 0 to {self.count - 1}"
        if start < 0:
            return Wrong("bad-span", f"{start} is no {unit}")
        if inclusive and end == self.count and start < end:
            message = f"the mention ends at {end}, but {here}; the ends look exclusive (half-open)"
            hint = f"Write the last {unit} of each mention: take 1 from every end."
            return Wrong("wrong-ends", f"{message}, and those of {format} are inclusive", hint)
        if not inclusive and end == start:
            return self.empty(start, end, unit, format)
        if end < start:
            return Wrong("bad-span", f"the mention ends at {end}, before its begin {start}")
        if end + inclusive > self.count:
            return Wrong("bad-span", f"the mention from {start} to {end} is out of range; {here}")
        return None

    def empty(self, start: int, end: int, unit: str, format: str) -> Wrong:
        """The error for an exclusive end that is equal to its begin."""
        message = f"the mention from {start} to {end} is empty; the ends look inclusive, and those"
        hint = f"Write the {unit} after each mention: add 1 to every end."
        return Wrong("wrong-ends", f"{message} of {format} are exclusive (half-open)", hint)


class Shape(NamedTuple):
    """A way in which the objects of a format hold words and clusters.

    Parameters
    ----------
    words, holds
        The field of what mentions count, and what it holds: lists of words, words, or a text.
    clusters
        The field of the clusters.
    unit
        What is counted, in messages.
    inclusive
        Whether the second number of a mention is the last token, not the one after it.
    positions
        How mentions are written.
    strings
        Fields that may hold the strings of the mentions, which are compared, as are ``text`` and
        ``tokens`` if both are there.
    null
        Whether null stands for no clusters, and for a field `beside` that is not there.
    beside, tokens
        A field that objects of this shape have beside the words, and what makes of it the tokens of
        the document; None after an error.
    """

    words: str
    holds: Holds
    clusters: str
    unit: str = "token"
    inclusive: bool = True
    positions: type[Positions] = Positions
    strings: tuple[str, ...] = ()
    null: bool = False
    beside: str | None = None
    tokens: Callable[[Reader, Record, Parts], Tokens | None] | None = None

    def fits(self, values: dict[str, Any]) -> bool:
        """Whether an object is of this shape."""
        beside = self.beside is None or self.beside in values
        if self.null and self.beside is not None:
            beside = values.get(self.beside) is not None
        return self.words in values and beside

    def text(self, parts: Parts, values: dict[str, Any]) -> Text:
        """The words of an object, with sentences, and with speakers and types if it has them."""
        starts = [0, *accumulate(map(len, parts))][:-1]
        return Text(
            [word for part in parts for word in part],
            sentences=[start for start, part in zip(starts, parts, strict=True) if part],
            speakers=_speakers(values.get("speakers"), parts),
            entity_types=_entity_types(values.get("ner")),
            between="" if self.holds == "text" else " ",
        )


def _speakers(value: Any, parts: Parts) -> list[str] | None:
    """The speaker of each token; None when they have not the shape of the sentences."""
    if not isinstance(value, list) or list(map(_length, value)) != list(map(len, parts)):
        return None
    return [str(speaker) for speakers in value for speaker in speakers]


def _entity_types(value: Any) -> list[tuple[int, int, str]] | None:
    """Named entities, which e2e-coref writes as ``[first, last, type]``."""
    if not isinstance(value, list):
        return None
    found = []
    for item in value:
        match item:
            case [int(start), int(end), str(kind)]:
                found.append((start, end + 1, kind))
    return found


class JsonFormat(NamedTuple):
    """A format of JSON objects with words and clusters of spans.

    Parameters
    ----------
    title
        What it is called in messages.
    shapes
        The shapes of its objects, in the order in which they are tried; the first is the usual one.
    values
        What is written of a document, from its words and its entities.
    names
        The fields that may name a document.
    predicted
        The field of the clusters of a system, which are read on the side of the response.
    hints
        For a field that is missing: what may be there instead, and what to say then.
    within_sentences
        Whether mentions across sentences cannot be written.
    """

    title: str
    shapes: tuple[Shape, ...]
    values: Callable[[Document, Text, Spans], dict[str, Any]]
    names: tuple[str, ...] = NAMES
    predicted: str | None = None
    hints: Mapping[str, tuple[str, str]] | None = None
    within_sentences: bool = False

    def read(
        self, source: Source, concatenate: bool = False, details: bool = False
    ) -> tuple[list[Document], list[Problem]]:
        """The documents of a file.

        Raises
        ------
        DataError
            With all errors of the file: text that is no JSON, fields that are missing or of another
            shape, spans outside of the document, ends that look counted otherwise, strings of
            mentions, a text, or a map of tokens that do not fit, the same document twice.
        """
        reader = Reader(source, concatenate, self.title)
        for record in reader.records():
            document = self._document(record, reader, source.side, details)
            if document is not None:
                reader.add(document, record)
        return reader.result()

    def _document(
        self, record: Record, reader: Reader, side: str, details: bool
    ) -> Document | None:
        """The document of an object, or None after errors, of which as many as can be are noted."""
        values = record.values
        shape = next((shape for shape in self.shapes if shape.fits(values)), self.shapes[0])
        field = shape.clusters
        if side == "response" and self.predicted in values:
            field = self.predicted
        lacks = reader.lacks(record, shape.words, field, hints=self.hints)
        name, part, numbered = reader.name(record, *self.names)
        parts = reader.parts(record, shape) if shape.words in values else None
        if lacks or parts is None:
            return None
        if values[field] is None and shape.null:
            values[field] = []
        positions = shape.positions(shape, parts)
        entities = reader.spans(record, field, positions)
        fits = not shape.strings or reader.same_text(record)
        if entities is not None and not reader.same_strings(record, field, shape, parts, entities):
            fits = False
        tokens = shape.tokens(reader, record, parts) if shape.tokens and fits else None
        if entities is None or not fits or (shape.tokens and tokens is None):
            return None
        if tokens is not None:
            entities = reader.in_tokens(record, field, entities, tokens)
        if entities is None:
            return None
        text = None
        if details:
            text = shape.text(parts, values) if tokens is None else tokens.text()
        return Document(
            name,
            reader.without_empty(record, field, entities),
            part=part,
            tokens=positions.count if tokens is None else tokens.number,
            numbered=numbered,
            unit="characters" if shape.holds == "text" and tokens is None else "tokens",
            text=text,
        )

    def write(self, corpus: Corpus, stream: IO[str]) -> list[Problem]:
        """Write a corpus, one object a line.

        Words that were not read are written as ``_``. What the format cannot express is returned as
        problems: mentions with gaps, empty nodes, names of entities, documents that count
        characters or have no text where the format needs the other.
        """
        problems: list[Problem] = []
        for document in corpus:
            if self.shapes[0].holds == "text":
                if document.text is None or document.unit == "names":
                    problems.append(lost(document, "the document has no text; left out"))
                    continue
            elif document.unit != "tokens":
                message = f"the document counts {document.unit}, not tokens; it cannot be written"
                problems.append(lost(document, f"{message} in {self.title} and is left out"))
                continue
            clusters, left_out = spans_to_write(document, self.title)
            problems += left_out
            text = _words_of(document, clusters)
            if self.within_sentences:
                clusters, crossing = _within_sentences(text, clusters)
                if crossing:
                    message = f"mentions across sentences cannot be written in {self.title}"
                    problems.append(lost(document, f"{message}; left out", crossing))
            stream.write(dumps(self.values(document, text, clusters)) + "\n")
        return problems


# ---- writing ----------------------------------------------------------------------------------


def spans_to_write(
    document: Document, format: str, *, names: bool = False
) -> tuple[Spans, list[Problem]]:
    """The entities of a document that are spans, and what cannot be written.

    Left out, one problem for each kind: mentions with gaps, with empty nodes, and those that are no
    spans at all. Names of entities that are not their numbers are lost, unless the format keeps
    `names`.
    """
    written: Spans = []
    left_out = {"gaps": 0, "empty nodes": 0, "": 0}
    for entity in document.entities:
        spans = []
        for mention in entity:
            match pieces_if_any(mention):
                case ((start, end),):
                    spans.append((start, end))
                case ():
                    left_out[""] += 1
                case parts:
                    left_out["empty nodes" if any(map(is_empty, parts)) else "gaps"] += 1
        if spans:
            written.append(spans)
    problems = []
    for what, count in left_out.items():
        if count:
            kind = f"mentions with {what}" if what else "mentions that are no spans"
            message = f"{kind} cannot be written in {format}; left out"
            problems.append(lost(document, message, count))
    numbers = [str(number) for number in range(len(document.entity_names))]
    if not names and document.entities_named and document.entity_names != numbers:
        message = f"the names of entities cannot be written in {format}; they are numbered"
        problems.append(lost(document, message, len(document.entity_names)))
    return written, problems


def inclusive(clusters: Spans) -> list[list[list[int]]]:
    """Entities as the formats write them whose ends are inclusive."""
    return [[[start, end - 1] for start, end in mentions] for mentions in clusters]


def sentences_of(text: Text, values: list[str]) -> list[list[str]]:
    """What is known of each token, for each sentence.

    Examples
    --------
    >>> text = Text(["a", "b", "c"], sentences=[0, 2])
    >>> sentences_of(text, text.words), sentences_of(Text([]), [])
    ([['a', 'b'], ['c']], [])
    """
    return [values[start:end] for start, end in pairwise([*text.sentences, len(text)])]


def _within_sentences(text: Text, clusters: Spans) -> tuple[Spans, int]:
    """The entities without mentions across sentences, and how many mentions these are."""
    kept = [
        [
            (start, end)
            for start, end in mentions
            if text.sentence_of(start) == text.sentence_of(end - 1)
        ]
        for mentions in clusters
    ]
    return [mentions for mentions in kept if mentions], sum(map(len, clusters)) - sum(
        map(len, kept)
    )


def _words_of(document: Document, clusters: Spans) -> Text:
    """The words of a document; as many ``_`` as there are tokens if they were not read."""
    if document.text is not None:
        return document.text
    last = max((end for mentions in clusters for _, end in mentions), default=0)
    return Text(["_"] * max(document.tokens or 0, last))
