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
from typing import Any

from corefmeter.corpus.positions import is_empty
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side

#: The dependencies of a zero: its sentence, parents with relations, and parents.
_Dependencies = tuple[int, set[tuple[Any, str]], set[Any]]


def candidates(key: Side, response: Side) -> list[Edge]:
    """Pairs of zeros of one sentence that share a parent."""
    by_parent: dict[tuple[int, Any], list[int]] = {}
    of_key = {k: _dependencies(key, k) for k in zeros(key)}
    for k, (sentence, _, parents) in of_key.items():
        for parent in parents:
            by_parent.setdefault((sentence, parent), []).append(k)
    edges = []
    for r in zeros(response):
        sentence, relations, parents = _dependencies(response, r)
        sharing = {k for parent in parents for k in by_parent.get((sentence, parent), ())}
        for k in sorted(sharing):
            _, key_relations, key_parents = of_key[k]
            all_relations = len(relations) + len(key_relations)
            all_parents = len(parents) + len(key_parents)
            numerator = (
                20 * len(relations & key_relations) * all_parents
                + 2 * len(parents & key_parents) * all_relations
            )
            edges.append(Edge(k, r, numerator, all_relations * all_parents))
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
    return sentence, relations, {parent for parent, _ in relations}
