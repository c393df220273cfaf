"""The declaration of a JSON format: its fields, their content, and how names are written.

A `JsonFormat` is read by `corefmeter.formats.json_documents` and written by
`corefmeter.formats.json_writing`; nothing here reads or writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from corefmeter.corpus.model import Document, of_label
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Text
from corefmeter.formats.conll_lines import BEGIN, parse_header

#: Entities whose mentions are half-open spans.
Spans = list[list[tuple[int, int]]]

#: The units that mentions count: words in sentences, words in one list, or characters of a text.
Parts = Sequence[Sequence[str]]

#: The content of a field of words.
Holds = Literal["sentences", "words", "text"]

#: The fields that name a document, in this order, and others that may.
NAMES = ("doc_key", "doc_id", "id")
OTHER_NAMES = ("document_id", "docid", "doc_name", "document_name", "name")

#: Fields of the clusters of a system, and of those of the key, in objects that have both.
PREDICTED = (
    *("predicted_clusters", "pred_clusters", "span_clusters", "system_clusters"),
    *("predicted", "predictions", "prediction", "pred"),
)
GOLD = ("gold_clusters",)

#: Fields named like clusters that repeat the clusters of another field.
AGAIN = (
    *("clusters_char_offsets", "clusters_char_text", "clusters_token_text"),
    *("clusters_text_mentions", "clusters_strings", "word_clusters"),
)

_PART = re.compile(r"_(0|[1-9][0-9]{0,8})\Z")


class Wrong(NamedTuple):
    """An error in a mention or a field."""

    code: str
    message: str
    hint: str | None = None


class Tokens(NamedTuple):
    """The tokens of an object whose mentions count characters or sub-tokens."""

    number: int
    #: Maps a span of the counted units to one of tokens, or returns its error.
    span: Callable[[int, int], tuple[int, int] | Wrong]
    #: The words, when they are asked for.
    text: Callable[[], Text]
    #: Whether mentions of an entity that become the same are one.
    merges: bool = False


class Positions:
    """Notation of mentions: pairs of positions, counted from 0 through all parts."""

    numbers = 2
    expected = "two whole numbers"

    def __init__(self, shape: Shape, parts: Parts) -> None:
        self.shape = shape
        self.lengths = list(map(len, parts))
        self.count = sum(self.lengths)

    def spans(self, clusters: Any) -> Spans:
        """Return the half-open spans of clusters; raise ValueError, TypeError or IndexError."""
        entities = []
        count, extra = self.count, int(self.shape.inclusive)
        for cluster in clusters:
            spans = []
            for start, last in cluster:
                end = last + extra
                if type(start) is not int or type(last) is not int or not 0 <= start < end <= count:
                    raise ValueError
                spans.append((start, end))
            entities.append(spans)
        return entities

    def describe_error(self, mention: list[int], format: str) -> Wrong | None:
        """Describe the error in a mention, a list of two integers; None if there is no error."""
        start, end = mention
        unit, inclusive = self.shape.unit, self.shape.inclusive
        length = f"the document has {self.count} {unit}s"
        if self.count:
            length += f", numbered 0 to {self.count - 1}"
        if start < 0:
            return Wrong("bad-span", f"{start} is not a {unit}")
        if inclusive and end == self.count and start < end:
            message = f"the mention ends at {end}, and {length}; the ends look exclusive "
            message += f"(half-open), but those of {format} are inclusive"
            hint = f"Write the last {unit} of each mention: take 1 from every end."
            return Wrong("wrong-ends", message, hint)
        if not inclusive and end == start:
            return self.empty(start, end, unit, format)
        if end < start:
            return Wrong("bad-span", f"the mention ends at {end}, before it begins at {start}")
        if end + int(inclusive) > self.count:
            return Wrong("bad-span", f"the mention from {start} to {end} is out of range; {length}")
        return None

    def empty(self, start: int, end: int, unit: str, format: str) -> Wrong:
        """Return the error for an exclusive end that is equal to its begin."""
        message = f"the mention from {start} to {end} is empty; the ends look inclusive, but those"
        hint = f"Write the {unit} after each mention: add 1 to every end."
        return Wrong("wrong-ends", f"{message} of {format} are exclusive (half-open)", hint)


class Shape(NamedTuple):
    """A way in which the objects of a format hold words and clusters.

    The texts of mentions are compared with `strings`; so are ``text`` and ``tokens``, if both are
    there.
    """

    #: The field of the words or the text, and its content.
    words: str
    holds: Holds
    #: The field of the clusters.
    clusters: str
    #: What is counted, in messages.
    unit: str = "token"
    #: Whether the second number of a mention is the last token, not the one after it.
    inclusive: bool = True
    #: How mentions are written.
    positions: type[Positions] = Positions
    #: Fields that may hold the strings of the mentions.
    strings: tuple[str, ...] = ()
    #: Whether null means no clusters, and a missing field `beside`.
    null: bool = False
    #: Another field of such objects, and the function that makes the document's tokens from it.
    beside: str | None = None
    tokens: Callable[[dict[str, Any], Parts], Tokens | Wrong] | None = None
    #: What messages call such objects; None for the title of the format.
    title: str | None = None
    #: The field of the clusters of a key that lacks the usual one.
    alternative: str | None = None

    def fits(self, values: dict[str, Any]) -> bool:
        """Return whether an object is of this shape."""
        if self.beside is None:
            return self.words in values
        is_known = values.get(self.beside) is not None if self.null else self.beside in values
        return self.words in values and is_known


class JsonFormat(NamedTuple):
    """A format of JSON objects with words and clusters of spans."""

    #: What it is called in messages.
    title: str
    #: The shapes of its objects, in the order in which they are tried; the first is the usual one.
    shapes: tuple[Shape, ...]
    #: Returns the JSON values of a document, from its words and its entities.
    values: Callable[[Document, Text, Spans], dict[str, Any]]
    #: The fields that may name a document.
    names: tuple[str, ...] = NAMES
    #: For a field that may be missing: the field that may replace it, and the hint to give then.
    hints: Mapping[str, tuple[str, str]] | None = None
    #: Whether mentions across sentences cannot be written.
    within_sentences: bool = False


def parts_of_keys(keys: Sequence[str]) -> list[tuple[str, int]]:
    """Return the name and part of each ``doc_key`` of a file, as e2e-coref writes them.

    All keys must end in ``_`` and a number, and the numbers of each name must count from 0.
    Otherwise the list is empty.
    """
    matches = list(filter(None, map(_PART.search, keys)))
    if len(matches) < len(keys):
        return []
    names_and_parts = [(match.string[: match.start()], int(match[1])) for match in matches]
    parts = grouped(names_and_parts)
    counted = all(max(numbers) + 1 == len(set(numbers)) for numbers in parts.values())
    return names_and_parts if counted else []


def name_parts(documents: Sequence[Document]) -> None:
    """Set names and parts from ``doc_key`` if all documents have one of that form."""
    names_and_parts = parts_of_keys([document.spelled or "" for document in documents])
    for document, name_and_part in zip(documents, names_and_parts, strict=False):
        document.name, document.part = name_and_part


def name_and_part(key: str, field: str) -> tuple[str, int | None]:
    """Return the name and part in a field, which may hold both in the form of `Document.label`.

    A ``doc_key`` may also be a header of CoNLL.
    """
    if key.startswith("#") and (begin := BEGIN.match(key.encode())):
        name, part = parse_header(key.encode()[begin.end() :])
        return (name, part) if name else (key, None)
    name, part = of_label(key)
    if part is None and field == "doc_key" and key.startswith("("):
        return parse_header(key.encode())
    return name, part


def document_keys(documents: Iterable[Document]) -> list[str]:
    """Return the ``doc_key`` of each document of a file, so that parts are read as parts again."""
    documents = list(documents)
    keys = [document.one_name or f"{document.name}_{document.part}" for document in documents]
    if parts_of_keys(keys):
        return keys
    return [document.one_name or document.label for document in documents]
