"""What scoring does not need: the words of a document and what is known about tokens and mentions.

These views are read on demand, next to a document that was read for scoring. All lists have one
item for each token of the document; None means that the file says nothing, which is not the same as
an empty value. Tokens count from 0 through the document; spans are half-open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from corefmeter.corpus.model import Mention

__all__ = ["INITIAL", "Detail", "Text", "pieces", "tokens_if_any", "tokens_of"]

#: What is added to the number of an empty node that stands before the first word of its sentence,
#: so that it differs from one behind the last word of the sentence before.
INITIAL = 1_000_000


class Text:
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
    """

    __slots__ = (
        "between",
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
    ) -> None:
        self.words = words
        self.sentences = sentences if sentences is not None else ([0] if words else [])
        self.pos = pos
        self.upos = upos
        self.parse = parse
        self.heads = heads
        self.relations = relations
        self.entity_types = entity_types
        self.speakers = speakers
        self.lines = lines
        self.between = between

    def __len__(self) -> int:
        return len(self.words)

    def sentence_of(self, token: int) -> int:
        """The number of the sentence that a token stands in."""
        return bisect_right(self.sentences, token) - 1

    def string(self, mention: Mention) -> str:
        """The words of a mention as printed; its pieces joined by ``...``.

        Examples
        --------
        >>> text = Text(["Ann", "saw", "her", "dog"])
        >>> text.string((2, 4)), text.string(((0, 1), (2, 3)))
        ('her dog', 'Ann ... her')
        """
        parts = [
            self.between.join(self.words[piece[0] : piece[1]]) if piece[1] > piece[0] else "_"
            for piece in pieces(mention)
        ]
        return " ... ".join(parts)


class Detail:
    """What is known about one mention.

    Parameters
    ----------
    head
        The head: a token, or an empty node ``(at, at, k)``.
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
        head: int | tuple[int, int, int] | None = None,
        minimum: tuple[int, int] | None = None,
        kind: str | None = None,
        entity_type: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> None:
        self.head = head
        self.minimum = minimum
        self.kind = kind
        self.entity_type = entity_type
        self.attributes = attributes or {}


def pieces(mention: Mention) -> tuple[tuple[int, ...], ...]:
    """The pieces of a mention: runs of tokens ``(start, end)`` and empty nodes ``(at, at, k)``.

    A mention of one run is that run itself; any other is the tuple of its pieces, in order.

    Raises
    ------
    TypeError
        When the mention is not made of positions.

    Examples
    --------
    >>> pieces((3, 5)), pieces(((3, 5), (7, 8))), pieces(((4, 4, 1),))
    (((3, 5),), ((3, 5), (7, 8)), ((4, 4, 1),))
    """
    if isinstance(mention, tuple) and mention:
        return mention if isinstance(mention[0], tuple) else (mention,)
    raise TypeError(f"{mention!r} is not a mention made of token positions")


def tokens_of(mention: Mention) -> list[int]:
    """The tokens of a mention, without empty nodes.

    Examples
    --------
    >>> tokens_of(((3, 5), (7, 8), (8, 8, 1)))
    [3, 4, 7]
    """
    return [token for piece in pieces(mention) for token in range(piece[0], piece[1])]


def tokens_if_any(mention: Mention) -> list[int]:
    """The tokens of a mention; none if it is not made of positions.

    Examples
    --------
    >>> tokens_if_any((3, 5)), tokens_if_any("Ann")
    ([3, 4], [])
    """
    try:
        return tokens_of(mention)
    except TypeError:
        return []
