"""Zeros, mentions headed by an empty node, matched by what they depend on.

A system that predicts zeros need not put its empty nodes where the key has them. So zeros of one
sentence are paired by their enhanced dependencies, before anything else is matched:

    weight = 10 * F1(pairs of parent and relation) + F1(parents)

with ``F1(A, B) = 2 |A & B| / (|A| + |B|)``, as corefud-scorer does. Zeros that share no
parent are not paired here; the exact stage may still pair them by position. With zeros by position
there is no such step: an empty node is a node like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from corefmeter.corpus.positions import is_empty
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


class _Dependencies(NamedTuple):
    """The sentence of a zero, its parents with relations, and its parents."""

    sentence: int
    relations: set[tuple[Any, str]]
    parents: set[Any]


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs of zeros of one sentence that share a parent."""
    by_parent: dict[tuple[int, Any], list[int]] = {}
    of_key = {k: _dependencies(alignment.key, k) for k in zeros(alignment.key)}
    for k, one in of_key.items():
        for parent in one.parents:
            by_parent.setdefault((one.sentence, parent), []).append(k)
    edges = []
    for r in zeros(alignment.response):
        other = _dependencies(alignment.response, r)
        at_parents = [by_parent.get((other.sentence, parent), ()) for parent in other.parents]
        for k in sorted(set().union(*at_parents)):
            one = of_key[k]
            # 10 * F1 of relations + F1 of parents, over the common denominator.
            relations = len(one.relations) + len(other.relations)
            parents = len(one.parents) + len(other.parents)
            numerator = (
                20 * len(one.relations & other.relations) * parents
                + 2 * len(one.parents & other.parents) * relations
            )
            edges.append(Edge(k, r, numerator, relations * parents))
    return edges


def zeros(side: Side) -> Sequence[int]:
    """Return the numbers of the mentions that are headed by an empty node."""
    return [number for number, head in enumerate(side.heads) if is_empty(head)]


def _dependencies(side: Side, number: int) -> _Dependencies:
    node = side.heads[number]
    assert is_empty(node)
    text = side.document.text
    sentence = text.sentence_of(node) if text is not None else 0
    relations = set(side.details[number].attributes.get("deps", ()))
    return _Dependencies(sentence, relations, {parent for parent, _ in relations})
