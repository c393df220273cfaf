"""The data model: a corpus is documents, a document is entities, an entity is mentions.

For scoring, a mention is any hashable value; readers use positions in tokens of the document,
counted from 0 (`corpus.positions`). Nothing is made per token: a document only knows how many
tokens it has and where its lines break, which is enough to find the line of any token again. What
analysis and matching need is in `corpus.text`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

from corefmeter.corpus.positions import Mention as Mention  # with the rest of the model
from corefmeter.corpus.positions import content_key, content_ranks, is_run
from corefmeter.corpus.structures import Replaceable
from corefmeter.problems import Problem, Severity, amount, reject_unknown_keywords

if TYPE_CHECKING:
    from corefmeter.corpus.relations import Relations
    from corefmeter.corpus.text import Detail, Text

#: The format of a corpus that was made in Python.
PYTHON = "python"

#: Entities in order of first appearance, each a list of mentions in order of reading.
Entities = list[list[Mention]]


_LABEL = re.compile(r"\((.*)\); part (\d{3,9})", re.DOTALL)


def of_label(label: str) -> tuple[str, int | None]:
    """Return the name and part of a document from its `Document.label`.

    >>> of_label("(bc/x); part 003"), of_label("letter"), of_label("(a) part 1")
    (('bc/x', 3), ('letter', None), ('(a) part 1', None))
    """
    match = _LABEL.fullmatch(label)
    return (match[1], int(match[2])) if match else (label, None)


def short_label(label: str) -> str:
    """Return the name of a document as tables show it, with its part if that is not the first.

    >>> short_label("(bc/x); part 000"), short_label("(bc/x); part 012"), short_label("letter")
    ('bc/x', 'bc/x part 12', 'letter')
    """
    name, part = of_label(label)
    return f"{name} part {part}" if part else name


def with_part(name: str, part: int | None) -> str:
    """Return the name of a part of a document, as formats without parts have it."""
    return name if part is None else f"{name}_part_{part:03d}"


#: The most bytes of a file's name; file systems take 255, with ending and number.
_FILE_NAME = 200

#: Names that Windows reserves for devices, whatever ending follows.
_RESERVED = re.compile(
    r"(con|prn|aux|nul|(com|lpt)[0-9\xb9\xb2\xb3])(?=\.|\Z)", re.ASCII | re.IGNORECASE
)


def is_reserved(name: str) -> bool:
    """Return whether a file name is reserved on Windows."""
    return _RESERVED.match(name) is not None


def same_file_name(name: str) -> str:
    """Return a form of a name that is equal for names that some file systems do not distinguish."""
    from unicodedata import normalize

    return normalize("NFC", normalize("NFD", name).casefold())


def as_file_name(name: str) -> str:
    """Return a name as that of a file, without an ending.

    >>> as_file_name("bc/x 1"), as_file_name(".x"), as_file_name(""), as_file_name("nul.1")
    ('bc_x_1', 'x', 'document', '_nul.1')
    """
    name = re.sub(r"[^\w.-]", "_", name).lstrip(".") or "document"
    if is_reserved(name):
        name = f"_{name}"
    return name.encode()[:_FILE_NAME].decode("utf-8", "ignore")


def genre_of(name: str) -> str:
    """Return the genre of a document, the first part of its name: ``bc`` of ``bc/cnn/x``."""
    return name.partition("/")[0]


@dataclass(slots=True, eq=False, repr=False)
class Document(Replaceable):
    """The entities of one document (or of one part, in formats that score parts separately).

    Parameters
    ----------
    name
        The name as written in the file, without the part.
    entities
        The entities in order of first appearance.
    part
        The number of the part, or None if the file gives none. None counts as part 0.
    entity_names
        The names of the entities in the file, in the same order. By default, they are numbered.
    tokens
        The number of tokens in the document, or None if it is unknown.
    path, line
        The file and the line where the document begins.
    breaks
        Pairs ``(token, line)``: from this token on, token t is on line ``line + t - token``.
    details
        The annotation of each mention of `entities`, or None if it was not read.
    text
        The words and their annotation, or None if they were not read.
    relations
        Split antecedents, bridging, discourse deixis and non-referring expressions, or None if
        they were not read.
    unread
        The number of relations of each type in the file (`relations.KINDS`), if they were not read.
    attributes
        Other attributes of the document in the file, by name.
    unit
        What positions count: ``tokens``; ``characters`` (code points of the text); or ``names``
        when mentions are names without a position.
    numbered
        Whether the name is only a number, because the file gives none.
    entities_named
        Whether the file names entities. Otherwise, their names are only numbers.
    spelled
        The name and the part as one string, if the file writes them together.
    """

    name: str
    entities: Entities
    _: KW_ONLY
    part: int | None = None
    entity_names: list[str] = None  # type: ignore[assignment]  # None: numbers
    tokens: int | None = None
    path: str | None = None
    line: int | None = None
    breaks: list[tuple[int, int]] = None  # type: ignore[assignment]  # None: empty
    details: list[list[Detail]] | None = None
    text: Text | None = None
    relations: Relations | None = None
    unread: Mapping[str, int] = None  # type: ignore[assignment]  # None: empty
    attributes: dict[str, Any] = None  # type: ignore[assignment]  # None: empty
    unit: str = "tokens"
    numbered: bool = False
    entities_named: bool = True
    spelled: str | None = None

    def __post_init__(self) -> None:
        self.entity_names = self.entity_names or _numbers(self.entities)
        self.breaks = self.breaks or []
        self.unread = self.unread or {}
        self.attributes = self.attributes or {}

    @property
    def id(self) -> tuple[str, int]:
        """Identifier that pairs a key document with a response document: the name and the part."""
        return self.name, self.part or 0

    @property
    def label(self) -> str:
        """The name as displayed: ``name`` or ``(name); part 001``."""
        return self.name if self.part is None else f"({self.name}); part {self.part:03d}"

    @property
    def one_name(self) -> str | None:
        """The name as written in the file, or None if the file writes the part separately."""
        return self.spelled or (self.name if self.part is None else None)

    @property
    def related(self) -> Mapping[str, int]:
        """Number of relations of each type, whether they were read or only counted."""
        return self.unread if self.relations is None else self.relations.counts()

    @property
    def copies(self) -> int:
        """Number of mentions that repeat another mention."""
        distinct: set[Mention] = set()
        return sum(map(len, self.entities)) - len(distinct.union(*self.entities))

    @property
    def deixis(self) -> Document:
        """A document with the same tokens and the entities of discourse deixis."""
        from corefmeter.corpus.relations import Layer

        layer = (self.relations and self.relations.deixis) or Layer([], [], [])
        return self.replace(
            entities=layer.entities,
            entity_names=layer.names,
            details=layer.details,
            relations=layer.relations,
            unread={},
        )

    def replace(self, **changes: Any) -> Self:
        """Return a copy of the document with some values changed.

        New `entities` are numbered and have no details or relations, unless `entity_names`,
        `details` and `relations` are given too. If names are given, the relations stay.
        """
        if "entities" in changes:
            changes.setdefault("details", None)
            if changes.get("entity_names") is None:
                changes["entity_names"] = _numbers(changes["entities"])
                changes["entities_named"] = False
                changes.setdefault("relations", None)
        return Replaceable.replace(self, **changes)  # `super` does not know a class with slots

    def by_content(self) -> Self:
        """Return the same document with entities and mentions in the order of the text.

        This order is used to break ties by position, independently of the order of files.
        """
        ranks = content_ranks(self.entities)
        entity_order = sorted(range(len(ranks)), key=ranks.__getitem__)
        orders = []  # of the mentions of each entity
        for entity in self.entities:
            keys = [*map(content_key, entity)]
            orders.append(sorted(range(len(keys)), key=keys.__getitem__))
        details = self.details
        return self.replace(
            entities=[[self.entities[e][m] for m in orders[e]] for e in entity_order],
            entity_names=[self.entity_names[e] for e in entity_order],
            details=details and [[details[e][m] for m in orders[e]] for e in entity_order],
        )

    def line_of(self, mention: Mention) -> int | None:
        """Return the line where a mention begins, or None when it is not known."""
        return self.line_at(mention[0]) if is_run(mention) else None

    def line_at(self, token: int) -> int | None:
        """Return the line of a token, or None when it is not known."""
        if not self.breaks:
            return None
        index = bisect_right(self.breaks, token, key=lambda pair: pair[0]) - 1
        start, line = self.breaks[max(index, 0)]
        return line + token - start

    def problem(
        self,
        code: str,
        message: str,
        severity: Severity = "warning",
        hint: str | None = None,
        count: int = 1,
    ) -> Problem:
        """Return a problem with the place and the label of the document."""
        place = self.path, self.line
        return Problem(code, message, severity, *place, hint=hint, count=count, document=self.label)

    def __repr__(self) -> str:
        mentions = sum(map(len, self.entities))
        return (
            f"<Document {self.label!r}: {amount(len(self.entities), 'entity', 'entities')}, "
            f"{amount(mentions, 'mention')}>"
        )


def breaks_of(lines: Iterable[int | None]) -> list[tuple[int, int]]:
    """Return the `breaks` of a document from the line of each of its tokens, None if not known.

    >>> breaks_of([3, 4, 7, 8])
    [(0, 3), (2, 7)]
    """
    breaks: list[tuple[int, int]] = []
    expected = None
    for token, line in enumerate(lines):
        if line is None:
            continue
        if line != expected:
            breaks.append((token, line))
        expected = line + 1
    return breaks


def _numbers(entities: Entities) -> list[str]:
    return [str(number) for number in range(len(entities))]


@dataclass(slots=True, eq=False, repr=False)
class Corpus(Replaceable):
    """The documents of one side, in the order in which they were read.

    Parameters
    ----------
    documents
        The documents.
    path
        The file or directory of the documents, or None for values given in Python.
    format
        The name of the format (several with ``+``), or `PYTHON` for values given in Python.
    digests
        The SHA-256 digest of each file, by path.
    problems
        The warnings of the reader.
    guessed
        Whether the format of any file was guessed.
    """

    documents: list[Document]
    _: KW_ONLY
    path: str | None = None
    format: str = PYTHON
    digests: dict[str, str] = None  # type: ignore[assignment]  # None: empty
    problems: list[Problem] = None  # type: ignore[assignment]  # None: empty
    guessed: bool = False

    def __post_init__(self) -> None:
        self.digests = self.digests or {}
        self.problems = self.problems or []

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"<Corpus {self.path or 'in memory'}: {amount(len(self), 'document')}>"


# Types: the signatures stay the same.
Document.__init__ = reject_unknown_keywords()(Document.__init__)  # type: ignore[method-assign]
Corpus.__init__ = reject_unknown_keywords()(Corpus.__init__)  # type: ignore[method-assign]
