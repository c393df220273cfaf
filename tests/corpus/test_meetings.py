"""Which mentions meet, against sets of their nodes; and nothing is made per token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import score
from corefmeter.corpus.positions import (
    common_node_counts,
    node_key,
    nodes,
    pieces_if_any,
    position_key,
)

RUNS = st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda run: (run[0], sum(run)))
NODES = st.tuples(st.integers(0, 12), st.integers(1, 2), st.booleans()).map(
    lambda node: (node[0], node[0], node[1], *[True] * node[2])
)
PIECES = st.lists(RUNS | NODES, min_size=1, max_size=4, unique=True).map(tuple)
MENTIONS = st.lists(RUNS | PIECES | st.just("Ann"), max_size=6)


@given(MENTIONS, MENTIONS, st.booleans())
def test_mentions_meet_in_their_common_nodes(some, others, empty):
    def of(mention):
        found = set(nodes(mention)) if pieces_if_any(mention) else set()
        return found if empty else {node for node in found if isinstance(node, int)}

    assert common_node_counts(some, others, empty) == {
        (i, j): len(of(one) & of(other))
        for i, one in enumerate(some)
        for j, other in enumerate(others)
        if of(one) & of(other)
    }


def test_mentions_of_any_length_meet():
    """A set of so many tokens would not fit into memory."""
    some = [(n, 10**12) for n in range(3)]
    assert common_node_counts(some, [(5, 10**12 + 1)]) == {(n, 0): 10**12 - 5 for n in range(3)}


def by_nodes(mention):
    """The order of matching as it is defined: start, end, size, then node by node."""
    pieces = pieces_if_any(mention)
    within = [node_key(node) for node in nodes(mention)]
    return pieces[0][0], pieces[-1][1], len(within), within


#: Many of one start, end and size, so that what is inside decides.
ALIKE = st.lists(RUNS | NODES, max_size=3).map(lambda inside: ((0, 1), *inside, (18, 20)))


@given(ALIKE, ALIKE)
def test_mentions_are_in_the_order_of_their_nodes(one, other):
    assert (position_key(one) < position_key(other)) == (by_nodes(one) < by_nodes(other))
    assert (position_key(one) == position_key(other)) == (by_nodes(one) == by_nodes(other))


@pytest.mark.parametrize("match", ["overlap", "craft"])
def test_mentions_of_any_length_are_matched(match):
    """Each response mention lies within the key mention of its rank and has nearly all of it."""
    key = [[(n, 10**12 + n) for n in range(3)]]
    response = [[(n, 10**12 + n - 1) for n in range(3)]]
    assert score(key, response, match=match, metrics="mentions").mentions.f1 == 1
