"""Which mentions meet, against sets of their nodes; and nothing is made per token."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefmeter.corpus.positions import meetings, nodes, pieces_if_any

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

    assert meetings(some, others, empty) == {
        (i, j): len(of(one) & of(other))
        for i, one in enumerate(some)
        for j, other in enumerate(others)
        if of(one) & of(other)
    }


def test_mentions_of_any_length_meet():
    """A set of so many tokens would not fit into memory."""
    some = [(n, 10**12) for n in range(3)]
    assert meetings(some, [(5, 10**12 + 1)]) == {(n, 0): 10**12 - 5 for n in range(3)}
