"""Coreference in MISC that is not of CorefUD 1.0: ``ClusterId``, and the chains of Stanza.

CorefUD 0.x writes a mention on its head: ``ClusterId=c1|MentionSpan=1-2,4``, or with ``[1]``,
``[2]`` behind the names if a word is the head of several. A span has ids of words and empty nodes
(``3.1``) of the sentence; without one, the mention is the head alone. ``ClusterType`` is the type,
``Bridging=c2:part,c3`` names anchors with relations, and ``SplitAnte=c2,c3`` members.

Stanza writes on each word of a mention ``coref_chains=start-id0``, ``middle-``, ``end-`` or
``unit-``, and ``repr-`` before the id of the mention that represents its chain; some releases write
this under ``ner``.

What only looks like coreference, in MISC or as brackets in any column, is counted and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corefmeter.corpus.positions import Node, Piece, is_empty

_NAMES = (b"ClusterId", b"MentionSpan", b"ClusterType", b"Bridging", b"SplitAnte")
_NAME = re.compile(rb"(%b)(\[\d{1,6}\])?=(.+)" % b"|".join(_NAMES))
_CHAINS = re.compile(
    rb"(?:^|\|)(?:coref_chains|ner)=((?:unit|start|middle|end)-(?:repr-)?id\d+"
    rb"(?:,(?:unit|start|middle|end)-(?:repr-)?id\d+)*)(?:\||$)"
)
_RANGE = re.compile(rb"(\d{1,9})(?:\.(\d{1,6}))?(?:-(\d{1,9})(?:\.(\d{1,6}))?)?")

#: A name in MISC that looks like coreference.
LIKE = re.compile(rb"(?:^|\|)([^=|]*(?:coref|cluster|chain|antecedent|mention)[^=|]*)=", re.I)

#: A cell that opens mentions as those of CoNLL files do.
_OPENING = re.compile(rb"\t(?:[^\s|]+\|)*\(\d+\)?(?=[|\t\r\n])")
_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


def bracketed_columns(block: bytes) -> Iterator[str]:
    """Yield the name of each column after LEMMA with a CoNLL-style bracket that opens a mention.

    Such cells are ``(1``, ``(1)|(2`` or ``SpaceAfter=No|(1)``.
    """
    for match in _OPENING.finditer(block):
        start = block.rfind(b"\n", 0, match.start()) + 1
        column = block.count(b"\t", start, match.end())
        if 3 <= column < len(_COLUMNS) and block[start : start + 1].isdigit():
            yield _COLUMNS[column]


class OlderMention(NamedTuple):
    """A mention as CorefUD 0.x writes it: its entity, span, type, bridges and members."""

    entity: bytes
    span: bytes
    type: bytes
    bridges: bytes
    members: bytes


def older_mentions(misc: bytes) -> Iterator[OlderMention]:
    """Yield the mentions that the MISC column of a word holds."""
    by_index: dict[bytes | None, dict[bytes, bytes]] = {}
    for attribute in misc.split(b"|"):
        if match := _NAME.fullmatch(attribute):
            by_index.setdefault(match[2], {})[match[1]] = match[3]
    for values in by_index.values():
        if b"ClusterId" in values:
            yield OlderMention(*(values.get(name, b"") for name in _NAMES))


def chain_parts(misc: bytes) -> list[tuple[bytes, bytes]]:
    """Return a word's Stanza annotation: pairs of its place, such as ``start``, and the chain."""
    match = _CHAINS.search(misc)
    if match is None:
        return []
    return [(part.partition(b"-")[0], part.rpartition(b"id")[2]) for part in match[1].split(b",")]


def span_pieces(span: bytes, base: int, words: int, empty: Sequence[Node]) -> list[Piece] | None:
    """Parse a span of a sentence into runs of words and empty nodes; None if it is not valid."""
    pieces: list[Piece] = []
    for item in span.split(b","):
        match = _RANGE.fullmatch(item)
        if match is None:
            return None
        first = int(match[1]), int(match[2] or 0)
        last = (int(match[3]), int(match[4] or 0)) if match[3] else first
        start, end = base + first[0] - (first[1] == 0), base + last[0]
        if not first <= last or end > base + words or first == (0, 0):
            return None
        if start < end:
            pieces.append((start, end))
        within = [
            node for node in empty if is_empty(node) and first <= (node[0] - base, node[2]) <= last
        ]
        if start >= end and not within:
            return None
        pieces += within
    return pieces
