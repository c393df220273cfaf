"""What scoring does not need: the words of a document and what is known about tokens and mentions.

These views are read on demand, next to a document that was read for scoring. All lists have one
item for each token of the document; None means that the file says nothing, which is not the same as
an empty value. Tokens count from 0 through the document; spans are half-open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from corefmeter.corpus.positions import (
    EmptyNode,
    Mention,
    Move,
    Node,
    Piece,
    is_initial,
    is_token,
    moved_node,
    moved_piece,
    pieces,
)
from corefmeter.corpus.replaceable import Replaceable


class Text(Replaceable):
    """The tokens of one document.

    Parameters
    ----------
    words
        The word of each token.
    sentences
        The first token of each sentence, ascending; the first is 0 if there is a token.
    pos
        The part of speech of each token, in the tag set of the file.
    upos
        The universal part of speech, where the file has it.
    parse
        The bit of a constituency tree at each token, as in OntoNotes: ``(TOP(S(NP*``.
    heads
        The token that each token depends on, -1 for a root.
    relations
        The name of that dependency.
    entity_types
        Named entities as ``(start, end, type)``.
    speakers
        The speaker of each token.
    lines
        The line of each token in its file, counted from 1.
    between
        What stands between two tokens in print: nothing when the tokens are characters.
    empty
        All empty nodes in the order of the text, of mentions or not, with the parents and relations
        of each; None when they are not known beyond those of mentions.
    """

    __slots__ = (
        "between",
        "empty",
        "entity_types",
        "heads",
        "lines",
        "parse",
        "pos",
        "relations",
        "sentences",
        "speakers",
        "upos",
        "words",
    )

    def __init__(
        self,
        words: list[str],
        *,
        sentences: list[int] | None = None,
        pos: list[str] | None = None,
        upos: list[str] | None = None,
        parse: list[str] | None = None,
        heads: list[int] | None = None,
        relations: list[str] | None = None,
        entity_types: list[tuple[int, int, str]] | None = None,
        speakers: list[str] | None = None,
        lines: list[int] | None = None,
        between: str = " ",
        empty: dict[EmptyNode, tuple[tuple[Any, str], ...]] | None = None,
    ) -> None:
        self.words = words
        self.sentences = sentences or ([0] if words else [])
        self.pos = pos
        self.upos = upos
        self.parse = parse
        self.heads = heads
        self.relations = relations
        self.entity_types = entity_types
        self.speakers = speakers
        self.lines = lines
        self.between = between
        self.empty = empty

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

    Parameters
    ----------
    head
        The head: a token or an empty node.
    minimum
        The smallest span that still counts as this mention (MUC's MIN).
    kind
        ``name``, ``nominal``, ``pronoun`` or ``other``, where the file says so.
    entity_type
        The type of its entity.
    attributes
        Whatever else the file says, by name.
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
        """Return the annotation in other positions; see `positions.moved`."""
        attributes = self.attributes
        if deps := attributes.get("deps"):
            places = [(moved_node(parent, begin, end), relation) for parent, relation in deps]
            attributes = {**attributes, "deps": tuple(places)}
        return self.replace(
            head=None if self.head is None else moved_node(self.head, begin, end),
            minimum=self.minimum and moved_piece(self.minimum, begin, end),
            attributes=attributes,
        )
