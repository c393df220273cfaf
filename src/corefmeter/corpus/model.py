"""The data model: a corpus is documents, a document is entities, an entity is mentions.

For scoring, a mention is any hashable value. Readers use the half-open span ``(first, end)`` in
tokens of the document, counted from 0, or, for a mention with gaps or empty nodes, the tuple of its
pieces: runs ``(first, end)`` and empty nodes ``(at, at, k)``, the k-th before token ``at``. Nothing
is made per token: a document only knows how many tokens it has and where its lines break, which is
enough to find the line of any token again. What analysis and matching need is in `corpus.text`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from corefmeter.problems import Problem

if TYPE_CHECKING:
    from corefmeter.corpus.text import Detail, Text

__all__ = ["Corpus", "Document", "Entities", "Mention", "genre_of"]

Mention = Hashable
#: Entities in order of first appearance, each a list of mentions in order of reading.
Entities = list[list[Mention]]


def genre_of(name: str) -> str:
    """The genre of a document, which is the first part of its name.

    Examples
    --------
    >>> genre_of("bc/cnn/00/cnn_0003")
    'bc'
    """
    return name.partition("/")[0]


class Document:
    """The entities of one document (or of one part of it, which formats such as CoNLL score alone).

    Parameters
    ----------
    name
        The name without part, as the file writes it.
    entities
        The entities in order of first appearance.
    part
        The number of the part, or None when the file names none; no part counts as part 0.
    entity_names
        The entities' names in the file, in the same order; numbers as text by default.
    tokens
        How many tokens the document has, or None when that is unknown.
    path, line
        Where it begins.
    breaks
        Pairs ``(token, line)``: from this token on, token t is on line ``line + t - token``.
    details
        For each mention of `entities` what else is known of it, or None if that was not read.
    text
        The words and their annotation, or None if they were not read.
    attributes
        Whatever else the file says of the document, by name.
    unit
        What positions count: ``tokens``; ``characters`` (code points of the text); or ``names``
        when mentions are names without a position.
    numbered
        Whether the file gives no name, so that the name only says which document of it this is.
    entities_named
        Whether entity names mean something; if not, they only number the entities of the document.
    """

    __slots__ = (
        "attributes",
        "breaks",
        "details",
        "entities",
        "entities_named",
        "entity_names",
        "line",
        "name",
        "numbered",
        "part",
        "path",
        "text",
        "tokens",
        "unit",
    )

    def __init__(
        self,
        name: str,
        entities: Entities,
        *,
        part: int | None = None,
        entity_names: list[str] | None = None,
        tokens: int | None = None,
        path: str | None = None,
        line: int | None = None,
        breaks: list[tuple[int, int]] | None = None,
        details: list[list[Detail]] | None = None,
        text: Text | None = None,
        attributes: dict[str, Any] | None = None,
        unit: str = "tokens",
        numbered: bool = False,
        entities_named: bool = True,
    ) -> None:
        self.name = name
        self.part = part
        self.entities = entities
        self.entity_names = (
            entity_names if entity_names is not None else [str(i) for i in range(len(entities))]
        )
        self.tokens = tokens
        self.path = path
        self.line = line
        self.breaks = breaks if breaks is not None else []
        self.details = details
        self.text = text
        self.attributes = attributes if attributes is not None else {}
        self.unit = unit
        self.numbered = numbered
        self.entities_named = entities_named

    @property
    def id(self) -> tuple[str, int]:
        """What pairs a key document with a response document: the name and the part."""
        return self.name, self.part or 0

    @property
    def label(self) -> str:
        """The name as it is shown: ``name`` or ``(name); part 001``.

        Examples
        --------
        >>> Document("bc/x", [], part=1).label
        '(bc/x); part 001'
        >>> Document("letter", []).label
        'letter'
        """
        return self.name if self.part is None else f"({self.name}); part {self.part:03d}"

    def with_entities(
        self,
        entities: Entities,
        entity_names: list[str] | None = None,
        details: list[list[Detail]] | None = None,
    ) -> Document:
        """The same document with other entities, of which nothing is known but what is given.

        Examples
        --------
        >>> Document("letter", [["Ann"]], entity_names=["ann"], tokens=7).with_entities([["Bob"]])
        <Document 'letter': 1 entities, 1 mentions>
        """
        return Document(
            self.name,
            entities,
            part=self.part,
            entity_names=entity_names,
            tokens=self.tokens,
            path=self.path,
            line=self.line,
            breaks=self.breaks,
            details=details,
            text=self.text,
            attributes=self.attributes,
            unit=self.unit,
            numbered=self.numbered,
        )

    def line_of(self, mention: Mention) -> int | None:
        """The line where a mention begins, or None when it is not known."""
        if not self.breaks or not isinstance(mention, tuple) or not isinstance(mention[0], int):
            return None
        index = bisect_right(self.breaks, mention[0], key=lambda pair: pair[0]) - 1
        token, line = self.breaks[max(index, 0)]
        return line + mention[0] - token

    def __repr__(self) -> str:
        mentions = sum(map(len, self.entities))
        return f"<Document {self.label!r}: {len(self.entities)} entities, {mentions} mentions>"


class Corpus:
    """The documents of one side, in order of reading.

    Parameters
    ----------
    documents
        The documents.
    path
        The file or directory they come from, or None for values given in Python.
    format
        The name of the format.
    digests
        SHA-256 of each file as it was read, by path.
    problems
        The warnings of the reader.
    """

    __slots__ = ("digests", "documents", "format", "path", "problems")

    def __init__(
        self,
        documents: list[Document],
        *,
        path: str | None = None,
        format: str = "python",
        digests: dict[str, str] | None = None,
        problems: list[Problem] | None = None,
    ) -> None:
        self.documents = documents
        self.path = path
        self.format = format
        self.digests = digests or {}
        self.problems = problems or []

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"<Corpus {self.path or 'in memory'}: {len(self)} documents>"
