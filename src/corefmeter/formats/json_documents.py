"""What the JSON formats share: names, words, spans and strings of mentions, and their errors.

Every object of a file is one document. An error names the line of the object, and in the message
the path to the value: ``clusters[3][1]`` is the second mention of the fourth cluster, both counted
from 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from corefmeter.corpus.align import first_difference
from corefmeter.corpus.model import Document, Entities
from corefmeter.corpus.positions import is_empty, moved, pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.formats.joining import joined_text, repeated_document
from corefmeter.formats.json_objects import Record, kind_of, objects, shown
from corefmeter.formats.notes import Notes, lost
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

#: Entities whose mentions are half-open spans.
Spans = list[list[tuple[int, int]]]

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
        self.documents: dict[tuple[str, int], Document] = {}
        self.mentions = 0  # how many were read, and whether one of them is one token
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

    def words(self, record: Record, field: str) -> list[str] | None:
        """A list of words, or None after an error."""
        value = record.values[field]
        if isinstance(value, list) and set(map(type, value)) <= {str}:
            return value
        self.bad(record, *_not_all(value, field, str, "words"))
        return None

    def sentences(self, record: Record, field: str = "sentences") -> list[list[str]] | None:
        """Sentences as lists of words, or None after an error."""
        value = record.values[field]
        if not isinstance(value, list) or not set(map(type, value)) <= {list}:
            self.bad(record, *_not_all(value, field, list, "lists of words"))
            return None
        types: set[type] = set()
        for sentence in value:
            types.update(map(type, sentence))
        if types <= {str}:
            return value
        number, sentence = next(
            (number, sentence)
            for number, sentence in enumerate(value)
            if not set(map(type, sentence)) <= {str}
        )
        self.bad(record, *_not_all(sentence, f"{field}[{number}]", str, "words"))
        return None

    def same_text(self, record: Record, words: list[str]) -> bool:
        """Whether the text of an object, if there is one, is that of its words without blanks."""
        text = record.values.get("text")
        if text is None:
            return True
        if not isinstance(text, str):
            self.bad(record, "text", f"{kind_of(text)} where a string is expected")
            return False
        difference = first_difference(text, words)
        if difference is not None:
            message = f"the text and the tokens are not the same: {difference}"
            self.error("text-differs", message, record.line)
        return difference is None

    # ---- mentions -----------------------------------------------------------------------------

    def spans(
        self,
        record: Record,
        field: str,
        count: int,
        *,
        inclusive: bool = True,
        unit: str = "token",
        check: Callable[[int, int], str | None] | None = None,
    ) -> Spans | None:
        """Clusters of spans as entities with half-open spans, or None after errors.

        Parameters
        ----------
        record, field
            Where the clusters are: a list of lists of pairs of numbers.
        count
            How many tokens, or characters, the document has.
        inclusive
            Whether the second number of a pair is the last token, not the one after it.
        unit
            What is counted.
        check
            What is wrong with a half-open span, or None.
        """
        clusters = record.values[field]
        entities: Spans = []
        extra = 1 if inclusive else 0
        try:
            for cluster in clusters:
                mentions = []
                for start, last in cluster:
                    end = last + extra
                    if type(start) is not int or type(last) is not int:
                        raise ValueError
                    if not 0 <= start < end <= count:
                        raise ValueError
                    mentions.append((start, end))
                entities.append(mentions)
            if type(clusters) is not list or not set(map(type, clusters)) <= {list}:
                raise ValueError
        except (TypeError, ValueError):
            self._tell_spans(record, field, _Counted(count, inclusive, unit))
            return None
        errors = len(self.errors)
        if check is not None:
            for i, mentions in enumerate(entities):
                for j, (start, end) in enumerate(mentions):
                    if (reason := check(start, end)) is not None:
                        self.error("bad-span", f"{field}[{i}][{j}]: {reason}", record.line)
        if len(self.errors) > errors:
            return None
        self.mentions += sum(map(len, entities))
        if not self.one_token:
            self.one_token = any(
                end == start + 1 for mentions in entities for start, end in mentions
            )
        return entities

    def _tell_spans(self, record: Record, field: str, counted: _Counted) -> None:
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
                if not whole or len(mention) != 2:
                    what = f"{shown(mention)} where two whole numbers are expected"
                    self.bad(record, path, what)
                elif (wrong := counted.wrong(mention[0], mention[1], self.format)) is not None:
                    code, message, hint = wrong
                    self.error(code, f"{path}: {message}", record.line, hint=hint)

    def same_strings(
        self,
        record: Record,
        field: str,
        clusters: str,
        entities: Spans,
        text_of: Callable[[int, int], str],
    ) -> bool:
        """Whether the strings in a field are the texts of the mentions, but for white space."""
        strings = record.values[field]
        if not isinstance(strings, list) or list(map(_length, strings)) != list(map(len, entities)):
            self.bad(record, field, f"not of the same shape as {clusters}")
            return False
        errors = len(self.errors)
        for i, mentions in enumerate(entities):
            for j, (start, end) in enumerate(mentions):
                string = "".join(str(strings[i][j]).split())
                if string != "".join(text_of(start, end).split()):
                    self._tell_string(record, f"{clusters}[{i}][{j}]", string, start, end, text_of)
        return len(self.errors) == errors

    def _tell_string(
        self,
        record: Record,
        path: str,
        string: str,
        start: int,
        end: int,
        text_of: Callable[[int, int], str],
    ) -> None:
        """Note that the string of a mention is not its text, and whether its end is the cause."""
        message = f"{path}: {text_of(start, end)!r:.60} is not {string!r:.60}, as the file says"
        exclusive, inclusive = "exclusive (half-open)", "inclusive"
        for other, looks, should, hint in (
            (end - 1, exclusive, inclusive, "To correct the file, take 1 from every end."),
            (end + 1, inclusive, exclusive, "To correct the file, add 1 to every end."),
        ):
            if string and string == "".join(text_of(start, other).split()):
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
        """Keep a document; its name must be new, unless documents are to be joined."""
        document.path, document.line = self.path, record.line
        document.entities_named = self.named
        first = self.documents.setdefault(document.id, document)
        if first is document:
            return
        if self.concatenate:
            _append(first, document, self.named)
            return
        self.keep(repeated_document(document, first))

    def bad(self, record: Record, path: str, message: str) -> None:
        """Note that a value is not what it should be."""
        self.error("bad-field", f"{path}: {message}", record.line)

    def missing(self, record: Record, field: str, hint: str | None = None) -> None:
        """Note that an object lacks a field."""
        found = ", ".join(shown(key) for key in list(record.values)[:8]) or "none"
        message = f"the object has no {field!r}, which {self.format} needs; its keys: {found}"
        self.error("missing-field", message, record.line, hint=hint)

    def result(self, *, inclusive: bool = False) -> tuple[list[Document], list[Problem]]:
        """All documents and the warnings, or all errors.

        Parameters
        ----------
        inclusive
            Whether the ends of spans of tokens are inclusive, to warn when no mention is one token.

        Raises
        ------
        DataError
            With all errors that were noted, or ``no-document``.
        """
        if inclusive and self.mentions >= SUSPICIOUS and not self.one_token:
            self.warn(
                "wrong-ends",
                f"none of {self.mentions} mentions is one token; the ends may be exclusive "
                f"(half-open), and those of {self.format} are inclusive",
            )
        if not self.documents and not self.errors:
            self.error("no-document", "the file holds no document")
        warnings = self.finish()
        return list(self.documents.values()), warnings


class _Counted:
    """How positions are counted: how many, whether ends are inclusive, and what they are."""

    def __init__(self, count: int, inclusive: bool, unit: str) -> None:
        self.count = count
        self.inclusive = inclusive
        self.unit = unit

    def wrong(self, start: int, end: int, format: str) -> tuple[str, str, str | None] | None:
        """What is wrong with a pair of whole numbers: code, message, hint."""
        here = f"the document has {self.count} {self.unit}s"
        if self.count:
            here += f", numbered 0 to {self.count - 1}"
        if start < 0:
            return "bad-span", f"{start} is no {self.unit}", None
        if self.inclusive and end == self.count and start < end:
            message = f"the mention ends at {end}, but {here}; the ends look exclusive (half-open)"
            hint = f"Write the last {self.unit} of each mention: take 1 from every end."
            return "wrong-ends", f"{message}, and those of {format} are inclusive", hint
        if not self.inclusive and end == start:
            message = f"the mention from {start} to {end} is empty; the ends look inclusive"
            hint = f"Write the {self.unit} after each mention: add 1 to every end."
            return "wrong-ends", f"{message}, and those of {format} are exclusive (half-open)", hint
        if end < start:
            return "bad-span", f"the mention ends at {end}, before its begin {start}", None
        if end + self.inclusive > self.count:
            return "bad-span", f"the mention from {start} to {end} is out of range; {here}", None
        return None


def _append(first: Document, document: Document, named: bool) -> None:
    """Append a document to another; entities without names are never the same."""
    shift = first.tokens or 0
    known = dict(zip(first.entity_names, first.entities, strict=True))
    for name, entity in zip(document.entity_names, document.entities, strict=True):
        later = [moved(mention, shift.__add__, shift.__add__) for mention in entity]
        if named and name in known:
            known[name].extend(later)
        else:
            first.entity_names.append(name if named else str(len(first.entities)))
            first.entities.append(later)
    if first.text is not None and document.text is not None:
        first.text = joined_text(first.text, document.text)
    if first.tokens is not None:
        first.tokens += document.tokens or 0


def _length(value: Any) -> int:
    """The length of a list; -1 for anything else."""
    return len(value) if isinstance(value, list) else -1


def _not_all(value: Any, field: str, wanted: type, what: str) -> tuple[str, str]:
    """Where and what keeps a value from being a list of so many."""
    if not isinstance(value, list):
        return field, f"{kind_of(value)} where a list of {what} is expected"
    number, item = next((n, item) for n, item in enumerate(value) if type(item) is not wanted)
    return f"{field}[{number}]", f"{shown(item)} in a list of {what}"


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
    gaps = empty = other = 0
    for entity in document.entities:
        spans = []
        for mention in entity:
            match pieces_if_any(mention):
                case ((start, end),):
                    spans.append((start, end))
                case ():
                    other += 1
                case parts if any(map(is_empty, parts)):
                    empty += 1
                case _:
                    gaps += 1
        if spans:
            written.append(spans)
    problems = [
        lost(document, f"{what} cannot be written in {format}; left out", count)
        for what, count in (
            ("mentions with gaps", gaps),
            ("mentions with empty nodes", empty),
            ("mentions that are no spans", other),
        )
        if count
    ]
    if not names and document.entity_names != [str(i) for i in range(len(document.entity_names))]:
        message = f"the names of entities cannot be written in {format}; they are numbered"
        problems.append(lost(document, message, len(document.entity_names)))
    return written, problems


def not_tokens(document: Document, format: str) -> Problem:
    """The report about a document that does not count tokens, and so cannot be written."""
    message = f"the document counts {document.unit}, not tokens; it cannot be written in {format}"
    return lost(document, f"{message} and is left out")


def sentence_bounds(text: Text) -> list[tuple[int, int]]:
    """Where each sentence begins and ends.

    Examples
    --------
    >>> sentence_bounds(Text(["a", "b", "c"], sentences=[0, 2])), sentence_bounds(Text([]))
    ([(0, 2), (2, 3)], [])
    """
    return list(pairwise([*text.sentences, len(text)]))


def words_of(document: Document, clusters: Spans) -> Text:
    """The words of a document; as many ``_`` as there are tokens if they were not read."""
    if document.text is not None:
        return document.text
    last = max((end for mentions in clusters for _, end in mentions), default=0)
    return Text(["_"] * max(document.tokens or 0, last))
