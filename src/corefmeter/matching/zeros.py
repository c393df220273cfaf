"""Zeros, mentions headed by an empty node, matched by what they depend on.

A system that predicts zeros may put its empty nodes at other positions than the key. So zeros of
one sentence are paired by their enhanced dependencies, before anything else is matched:

    weight = 10 * F1(pairs of parent and relation) + F1(parents)

with ``F1(A, B) = 2 |A & B| / (|A| + |B|)``, as corefud-scorer does. Zeros that share no parent are
not paired here; the exact stage may still pair them by position. If zeros are compared by position,
this step is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corefmeter.corpus.positions import is_empty
from corefmeter.corpus.structures import grouped
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs of zeros of one sentence that share a parent."""
    of_key = {k: _relations(alignment.key, k) for k in zeros(alignment.key)}
    by_parent = grouped((parent, k) for k in of_key for parent in _parents(of_key[k]))
    edges = []
    for r in zeros(alignment.response):
        relations = _relations(alignment.response, r)
        parents = _parents(relations)
        for k in sorted(set().union(*[by_parent.get(parent, ()) for parent in parents])):
            key_relations, key_parents = of_key[k], _parents(of_key[k])
            # 10 * F1 of relations + F1 of parents, over the common denominator.
            sum_of_relations = len(key_relations) + len(relations)
            sum_of_parents = len(key_parents) + len(parents)
            numerator = (
                20 * len(key_relations & relations) * sum_of_parents
                + 2 * len(key_parents & parents) * sum_of_relations
            )
            edges.append(Edge(k, r, numerator, sum_of_relations * sum_of_parents))
    return edges


def zeros(side: Side) -> Sequence[int]:
    """Return the numbers of the mentions that are headed by an empty node."""
    return [number for number, head in enumerate(side.heads) if is_empty(head)]


def _relations(side: Side, number: int) -> set[tuple[Any, str]]:
    """Return what a zero depends on: its sentence with the parent, and the relation to it."""
    node = side.heads[number]
    assert is_empty(node)
    text = side.document.text
    sentence = text.sentence_of(node) if text is not None else 0
    deps = side.details[number].attributes.get("deps", ())
    return {((sentence, parent), relation) for parent, relation in deps}


def _parents(relations: set[tuple[Any, str]]) -> set[Any]:
    return {parent for parent, _ in relations}
