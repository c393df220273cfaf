"""Hypothesis strategies for partitions and for documents with nested spans.

Spans are half-open, in tokens of the document. Everything drawn can be written as CoNLL: two
mentions of one entity nest, are apart, or share the one token where the first ends and the second
begins.
"""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from corefmeter import Corpus, Document

__all__ = ["corpora", "documents", "entity_names", "partitions", "scaled", "spans"]

#: Entity names that files use: numbers, letters, punctuation, letters of other scripts.
NAMES = [
    "0", "7", "17", "e1", "PER-1", "abstract-2-English_language", "a+b", "x_y", "-", "#3", "é",
    "人", "1.5", "a/b", "'", ":",
]  # fmt: skip


def scaled(examples: int) -> int:
    """So many examples in the profile "thorough", fewer in the quick one; see ``conftest.py``."""
    return max(1, examples * settings().max_examples // 100)


def entity_names(count: int) -> st.SearchStrategy[list[str]]:
    """So many different names."""
    return st.lists(st.sampled_from(NAMES), min_size=count, max_size=count, unique=True)


@st.composite
def partitions(draw, mentions: list, entities: int = 4) -> list[list]:
    """Some of the mentions, in at most so many entities of at least one mention."""
    homes = draw(
        st.lists(
            st.none() | st.integers(0, entities - 1),
            min_size=len(mentions),
            max_size=len(mentions),
        )
    )
    found: dict[int, list] = {}
    for mention, home in zip(mentions, homes, strict=True):
        if home is not None:
            found.setdefault(home, []).append(mention)
    return list(found.values())


@st.composite
def spans(draw, tokens: int) -> tuple[int, int]:
    """A span of at least one token."""
    start = draw(st.integers(0, tokens - 1))
    return start, draw(st.integers(start + 1, tokens))


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans share more than the token where they meet, and neither holds the other."""
    (_, end), (start, last) = sorted([one, other])
    return one[0] != other[0] and start < end - 1 and end < last


@st.composite
def documents(draw, name: str = "story", part: int | None = 0, most: int = 12) -> Document:
    """A document of up to `most` tokens; a mention may stand in several places."""
    tokens = draw(st.integers(0, most))
    entities: list[list] = []
    if tokens:
        for mentions in draw(st.lists(st.lists(spans(tokens), min_size=1, max_size=5), max_size=4)):
            kept: list[tuple[int, int]] = []
            for span in mentions:
                if not any(_cross(span, other) for other in kept):
                    kept.append(span)
            entities.append(kept)
    return Document(
        name,
        entities,
        part=part,
        tokens=tokens,
        entity_names=draw(entity_names(len(entities))),
    )


@st.composite
def corpora(draw, most: int = 3) -> Corpus:
    """Documents and parts of documents, all named differently."""
    ids = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["story", "bc/cctv/00/x", "a (b)", "it's: c", "#1", "é 人"]),
                st.sampled_from([None, 1, 12]),
            ),
            min_size=1,
            max_size=most,
            unique_by=lambda name_and_part: (name_and_part[0], name_and_part[1] or 0),
        )
    )
    return Corpus([draw(documents(name, part)) for name, part in ids])
