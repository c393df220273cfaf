"""What matching sees of a document: its mentions in the order of reading, numbered from 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import Node, Position, is_run, is_token, nodes, position_key
from corefmeter.corpus.text import Detail
from corefmeter.problems import DataError

T = TypeVar("T")


class Side:
    """The mentions of a document, entity by entity.

    `positions` are their positions, `homes` their entities, as indices into those of the document.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        positions: list[Any] = [mention for entity in document.entities for mention in entity]
        self.positions: list[Position] = positions
        self.homes = [home for home, entity in enumerate(document.entities) for _ in entity]

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def details(self) -> list[Detail]:
        """Annotation of each mention; empty if the format has none."""
        document = self.document
        if document.details is not None:
            return [detail for entity in document.details for detail in entity]
        if document.text is None and self.positions:
            reason = "the document was read without details, which are needed here"
            hint = "Read it with details=True."
            raise DataError(document.problem("no-details", reason, "error", hint))
        return [Detail()] * len(self)

    @cached_property
    def heads(self) -> list[Node | None]:
        """The head of each mention: that of the file, or else from the tree of dependencies.

        In the tree it is the first token that depends on a token outside the mention; of one token
        it is that token. None where neither is known.
        """
        text = self.document.text
        tree = text.heads if text is not None else None
        return [
            detail.head if detail.head is not None else _tree_head(position, tree)
            for detail, position in zip(self.details, self.positions, strict=True)
        ]

    def require_positions(self) -> None:
        """Refuse mentions that are not positions."""
        are_names = self.document.unit == "names"
        for mention in self.positions:
            if are_names or not _is_position(mention):
                reason = (
                    f"the mention {mention!r} is not a position in a text, so it can only be "
                    "matched exactly"
                )
                hint = "Write mentions as half-open spans (start, end), or use --match exact."
                problem = self.document.problem("no-positions", reason, "error", hint)
                raise DataError(problem._replace(line=None))

    def known_heads(self) -> list[Node]:
        """Return the head of each mention; refuse documents where one is not known."""
        missing = [place for place, head in enumerate(self.heads) if head is None]
        if missing:
            reason = f"the heads of {len(missing)} of {len(self)} mentions are not known"
            hint = "Use a format with heads or dependencies, or --match overlap."
            line = self.document.line_of(self.positions[missing[0]])
            problem = self.document.problem("no-heads", reason, "error", hint)
            raise DataError(problem._replace(line=line))
        return self.heads  # type: ignore[return-value]  # none is missing here

    def ranked(self, numbers: Sequence[int]) -> list[int]:
        """Return numbers of mentions, sorted by start, end and size of the mentions."""
        return sorted(numbers, key=lambda number: position_key(self.positions[number]))

    def grouped(self, values: Sequence[T]) -> list[list[T]]:
        """Return one value for each mention, as lists in the shape of the entities."""
        groups: list[list[T]] = [[] for _ in self.document.entities]
        for home, value in zip(self.homes, values, strict=True):
            groups[home].append(value)
        return groups


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
        if is_token(node) and node < len(tree) and tree[node] not in inside:
            return node
    return None
