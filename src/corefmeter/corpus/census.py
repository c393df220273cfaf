"""Counts of documents, mentions and entities in a corpus, and their distributions.

Everything is a sum over documents, so the census of a corpus is that of its parts added up. Sizes
count mentions, lengths count tokens (an empty node does not count). The antecedent of a mention is
the one before it in its entity, in order of the text; the distance counts from first token to first
token. What a document lacks (tokens, sentences, kinds) is left out of the counts that need it, and
`documents_with` is the number of documents that have it.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import has_gap, outer_span, pieces_if_any, tokens_of
from corefmeter.corpus.text import Text

#: A longer text of a single sentence is one whose sentences are not known.
LONGEST_SENTENCE = 150

#: What relations are called that have no name.
UNNAMED = "unknown"


@dataclass(slots=True)
class Census:
    """Counts; two of them add up.

    `discontinuous` mentions have gaps between their tokens, `empty` ones consist of empty nodes,
    `repeated` ones are further copies. `sizes` are entities by their number of mentions, `lengths`
    mentions by their number of tokens, `kinds` and `types` mentions where the file says them,
    `bridging` and `nonreferring` those relations by type (`UNNAMED` where the file does not say).
    The distances are those of mentions that have an antecedent.
    """

    documents: int = 0
    tokens: int = 0
    sentences: int = 0
    mentions: int = 0
    entities: int = 0
    discontinuous: int = 0
    empty: int = 0
    repeated: int = 0
    split_antecedents: int = 0
    deixis_mentions: int = 0
    deixis_entities: int = 0
    sizes: Counter[int] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    bridging: Counter[str] = field(default_factory=Counter)
    nonreferring: Counter[str] = field(default_factory=Counter)
    token_distances: Counter[int] = field(default_factory=Counter)
    sentence_distances: Counter[int] = field(default_factory=Counter)
    documents_with: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Census) -> Census:
        return Census(*(getattr(self, n) + getattr(other, n) for n in self.__slots__))

    @property
    def singletons(self) -> int:
        """Entities of one mention."""
        return self.sizes[1]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as JSON values; distributions in ascending order."""
        values: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, Counter):
                value = {str(key): value[key] for key in sorted(value)}
            values[name] = value
        return values | {"singletons": self.singletons}


def census(documents: Iterable[Document]) -> Census:
    """Return the census of documents."""
    return sum(map(_census, documents), Census())


def _census(document: Document) -> Census:
    entities = [entity for entity in document.entities if entity]
    mentions = [mention for entity in entities for mention in entity]
    counts = Census(
        documents=1,
        mentions=len(mentions),
        entities=len(entities),
        repeated=len(mentions) - len(set(mentions)),
        sizes=Counter(map(len, entities)),
    )
    known = counts.documents_with
    if document.tokens is not None and document.unit == "tokens":
        counts.tokens = document.tokens
        known["tokens"] = 1
    text = document.text if document.unit == "tokens" else None
    if text is not None and len(text.sentences) < 2 and len(text) > LONGEST_SENTENCE:
        text = None
    if text is not None:
        counts.sentences = len(text.sentences)
        known["sentences"] = 1
    if document.unit == "tokens" and all(map(pieces_if_any, mentions)):
        known["positions"] = 1
        _count_positions(counts, entities, text)
    _count_annotation(counts, document)
    known["kinds"] = int(bool(counts.kinds))
    known["types"] = int(bool(counts.types))
    return counts


def _count_positions(counts: Census, entities: list[list[Mention]], text: Text | None) -> None:
    """Add what needs the positions of mentions; distances in sentences only if there is a text."""
    for entity in entities:
        for mention in entity:
            length = len(tokens_of(mention))
            counts.lengths[length] += 1
            counts.discontinuous += has_gap(mention)
            counts.empty += not length
        starts = sorted(outer_span(mention)[0] for mention in entity)
        for before, start in pairwise(starts):
            counts.token_distances[start - before] += 1
            if text is not None:
                crossed = text.sentence_of(start) - text.sentence_of(before)
                counts.sentence_distances[crossed] += 1


def _count_annotation(counts: Census, document: Document) -> None:
    """Add the types of mentions and entities, and the relations, that a document has."""
    for detail in (d for entity in document.details or () for d in entity):
        if detail.kind is not None:
            counts.kinds[detail.kind] += 1
        if detail.entity_type is not None:
            counts.types[detail.entity_type] += 1
    if relations := document.relations:
        counts.split_antecedents = len(relations.splits)
        counts.bridging.update(bridge.relation or UNNAMED for bridge in relations.bridges)
        counts.nonreferring.update(one.kind or UNNAMED for one in relations.nonreferring)
        if relations.deixis:
            counts.deixis_mentions = sum(map(len, relations.deixis.entities))
            counts.deixis_entities = len(relations.deixis.entities)


def mean(counts: Counter[int]) -> float | None:
    """Return the mean of a distribution; None if it is empty."""
    total = counts.total()
    return sum(value * count for value, count in counts.items()) / total if total else None


def median(counts: Counter[int]) -> float | None:
    """Return the median of a distribution; None if it is empty."""
    return float(statistics.median(counts.elements())) if counts.total() else None


def bucketed(counts: Counter[int], limits: list[int]) -> dict[str, int]:
    """Return a distribution by ranges that begin at the limits.

    >>> bucketed(Counter({1: 5, 2: 3, 4: 1, 7: 2, 30: 1}), [1, 2, 3, 5, 10])
    {'1': 5, '2': 3, '3-4': 1, '5-9': 2, '10+': 1}
    """
    ranges = {}
    for low, after in zip(limits, [*limits[1:], inf], strict=True):
        name = f"{low}-{after - 1}"
        if after == inf:
            name = f"{low}+"
        elif after == low + 1:
            name = str(low)
        ranges[name] = sum(number for value, number in counts.items() if low <= value < after)
    return ranges
