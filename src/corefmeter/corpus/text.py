"""Data that scoring does not need: the words of a document, and details of tokens and mentions.

These views are read on demand, next to a document that was read for scoring. All lists have one
item for each token of the document; None means that the file says nothing, which is not the same as
an empty value. Tokens count from 0 through the document; spans are half-open.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from corefmeter.corpus.positions import (
    EmptyNode,
    Mention,
    Move,
    Node,
    Piece,
    is_initial,
    is_token,
    move_node,
    move_piece,
    pieces,
)
from corefmeter.corpus.structures import Replaceable


def common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix of two lists or two strings."""
    # Binary search, since comparing slices is fast.
    lengths = range(1, min(len(one), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: one[:length] != other[:length])


def prefix_lengths(pattern: Sequence[str], text: Sequence[str]) -> list[int]:
    """Return how long the longest prefix of a pattern is that ends at each item of a text.

    The algorithm is that of Knuth, Morris and Pratt, in linear time.

    Examples
    --------
    >>> prefix_lengths("aab", "baaab")
    [0, 1, 2, 2, 3]
    """
    #: For each prefix, the length of its longest proper prefix that is also its suffix.
    failure = [0]
    lengths: list[int] = []
    for items, found in ((pattern[1:], failure), (text, lengths)):
        length = 0
        for item in items:
            while length and (length == len(pattern) or pattern[length] != item):
                length = failure[length - 1]
            if pattern[length] == item:
                length += 1
            found.append(length)
    return lengths


@dataclass(slots=True, eq=False, repr=False)
class Text(Replaceable):
    """The tokens of one document.

    Of each token: its `words`; `pos`, the part of speech in the tag set of the file, and `upos`,
    the universal one; `parse`, its bit of a constituency tree, as in OntoNotes: ``(TOP(S(NP*``;
    `heads`, the token that it depends on, -1 for a root, and `relations`, the names of these
    dependencies; `speakers`; and `lines`, its line in the file, counted from 1.

    `sentences` are their first tokens, ascending, and `entity_types` the named entities,
    ``(start, end, type)``. `between` is printed between two tokens: nothing when they are
    characters. `empty` are all empty nodes in the order of the text, with their parents and
    relations, None when they are not known beyond those of mentions.
    """

    words: list[str]
    _: KW_ONLY
    sentences: list[int] = None  # type: ignore[assignment]  # None: the text is one sentence
    pos: list[str] | None = None
    upos: list[str] | None = None
    parse: list[str] | None = None
    heads: list[int] | None = None
    relations: list[str] | None = None
    entity_types: list[tuple[int, int, str]] | None = None
    speakers: list[str] | None = None
    lines: list[int] | None = None
    between: str = " "
    empty: dict[EmptyNode, tuple[tuple[Any, str], ...]] | None = None

    def __post_init__(self) -> None:
        self.sentences = self.sentences or ([0] if self.words else [])

    def __len__(self) -> int:
        return len(self.words)

    def sentence_of(self, node: Node) -> int:
        """Return the number of the sentence that a token or an empty node is in."""
        if not is_token(node):
            node = node[0] if is_initial(node) else max(0, node[0] - 1)
        return bisect_right(self.sentences, node) - 1

    def string(self, mention: Mention) -> str:
        """Return the words of a mention as printed; its pieces joined by ``...``.

        >>> text = Text(["Ann", "saw", "her", "dog"])
        >>> text.string((2, 4)), text.string(((0, 1), (2, 3)))
        ('her dog', 'Ann ... her')
        """
        parts = [
            self.between.join(self.words[piece[0] : piece[1]]) if piece[1] > piece[0] else "_"
            for piece in pieces(mention)
        ]
        return " ... ".join(parts)


class Detail(Replaceable):
    """Annotation of one mention.

    `head` is a token or an empty node, `minimum` the smallest span that still counts as this
    mention (MUC's MIN), `kind` is ``name``, ``nominal``, ``pronoun`` or ``other``, where the file
    says so, and `entity_type` the type of its entity. `attributes` are other values, by name.
    """

    __slots__ = ("attributes", "entity_type", "head", "kind", "minimum")

    def __init__(
        self,
        *,
        head: Node | None = None,
        minimum: Piece | None = None,
        kind: str | None = None,
        entity_type: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> None:
        self.head = head
        self.minimum = minimum
        self.kind = kind
        self.entity_type = entity_type
        self.attributes = attributes or {}

    def moved(self, begin: Move, end: Move) -> Detail:
        """Return the annotation in other positions; see `positions.move_mention`."""
        attributes = self.attributes
        if deps := attributes.get("deps"):
            places = [(move_node(parent, begin, end), relation) for parent, relation in deps]
            attributes = {**attributes, "deps": tuple(places)}
        return self.replace(
            head=None if self.head is None else move_node(self.head, begin, end),
            minimum=self.minimum and move_piece(self.minimum, begin, end),
            attributes=attributes,
        )
