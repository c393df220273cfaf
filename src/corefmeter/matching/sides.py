"""What matching sees of a document: its mentions in the order of reading, numbered from 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from corefmeter.corpus.model import Document, Entities, Mention, document_error
from corefmeter.corpus.positions import Node, Position, is_run, nodes, position_key
from corefmeter.corpus.text import Detail
from corefmeter.problems import DataError, Problem

T = TypeVar("T")


class Side:
    """The mentions of a document, entity by entity.

    Attributes
    ----------
    document : Document
        Where they come from.
    positions : list
        The position of each mention.
    homes : list of int
        The entity of each mention, as an index into the entities of the document.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        positions: list[Any] = [mention for entity in document.entities for mention in entity]
        self.positions: list[Position] = positions
        self.homes = [home for home, entity in enumerate(document.entities) for _ in entity]
        self._details: list[Detail] | None = None
        self._heads: list[Node | None] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def details(self) -> list[Detail]:
        """Annotation of each mention; empty if the format has none.

        Raises
        ------
        DataError
            ``no-details`` when the document was read for counting only.
        """
        if self._details is not None:
            return self._details
        document = self.document
        if document.details is None and document.text is None and self.positions:
            raise DataError(
                document_error(
                    document,
                    "no-details",
                    "the document was read for counting only; this needs more",
                    hint="Read it with details=True.",
                )
            )
        if document.details is None:
            self._details = [Detail()] * len(self)
        else:
            self._details = [detail for entity in document.details for detail in entity]
        return self._details

    @property
    def heads(self) -> list[Node | None]:
        """The head of each mention: that of the file, or else from the tree of dependencies.

        In the tree it is the first token that depends on a token outside the mention; of one token
        it is that token. None where neither is known.
        """
        if self._heads is None:
            text = self.document.text
            tree = text.heads if text is not None else None
            self._heads = [
                detail.head if detail.head is not None else _tree_head(position, tree)
                for detail, position in zip(self.details, self.positions, strict=True)
            ]
        return self._heads

    def require_positions(self) -> None:
        """Refuse mentions that are no positions.

        Raises
        ------
        DataError
            ``no-positions``
        """
        document = self.document
        names = document.unit == "names"
        wrong = [mention for mention in self.positions if names or not _is_position(mention)]
        if wrong:
            raise DataError(
                Problem(
                    "no-positions",
                    f"the mention {wrong[0]!r} is no position in a text, so it can only be matched "
                    "exactly",
                    "error",
                    path=document.path,
                    hint="Write mentions as half-open spans (start, end), or use --match exact.",
                    document=document.label,
                )
            )

    def known_heads(self) -> list[Node]:
        """Return the head of each mention.

        Raises
        ------
        DataError
            ``no-heads`` when one is not known.
        """
        heads = self.heads
        missing = sum(head is None for head in heads)
        if missing:
            number = next(i for i, head in enumerate(heads) if head is None)
            raise DataError(
                Problem(
                    "no-heads",
                    f"the heads of {missing} of {len(heads)} mentions are not known",
                    "error",
                    path=self.document.path,
                    line=self.document.line_of(self.positions[number]),
                    hint="Use a format with heads or dependencies, or --match overlap.",
                    document=self.document.label,
                )
            )
        return heads  # type: ignore[return-value]  # none is missing here

    def ranked(self, numbers: Sequence[int]) -> list[int]:
        """Numbers of mentions, sorted by start, end and size of the mentions."""
        return sorted(numbers, key=lambda number: position_key(self.positions[number]))

    def grouped(self, values: Sequence[T]) -> list[list[T]]:
        """One value for each mention, as lists in the shape of the entities."""
        found: list[list[T]] = [[] for _ in self.document.entities]
        for home, value in zip(self.homes, values, strict=True):
            found[home].append(value)
        return found

    def entities(self, identity: Callable[[int], Mention]) -> Entities:
        """Return the entities, each mention replaced by what `identity` makes of its number."""
        return [list(entity) for entity in self.grouped([identity(i) for i in range(len(self))])]


def _is_position(mention: Mention) -> bool:
    if is_run(mention):
        return True
    try:
        position_key(mention)
    except (TypeError, IndexError):
        return False
    return True


def _tree_head(position: Position, tree: list[int] | None) -> Node | None:
    within = nodes(position)
    if len(within) == 1:
        return within[0]
    if tree is None:
        return None
    inside = set(within)
    for node in within:
        if isinstance(node, int) and node < len(tree) and tree[node] not in inside:
            return node
    return None
