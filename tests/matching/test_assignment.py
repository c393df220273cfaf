"""The assignment is the best one, and of the best ones the first; against trying all."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefmeter.matching.assignment import Edge, first_best


def all_assignments(edges: list[Edge]):
    """Every set of edges that share no end, each sorted."""
    if not edges:
        yield []
        return
    first, *rest = edges
    yield from all_assignments(rest)
    apart = [e for e in rest if e.key != first.key and e.response != first.response]
    for assignment in all_assignments(apart):
        yield sorted([first, *assignment])


def weight(edges) -> Fraction:
    return sum((Fraction(e.numerator, e.denominator) for e in edges), Fraction(0))


def by_trying(edges: list[Edge]) -> list[tuple[int, int]]:
    best = max(map(weight, all_assignments(edges)))
    return min(
        [(e.key, e.response) for e in assignment]
        for assignment in all_assignments(edges)
        if weight(assignment) == best
    )


@st.composite
def graphs(draw, size: int = 4, most: int = 8) -> list[Edge]:
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    chosen = draw(st.lists(ends, unique=True, max_size=most))
    return [
        Edge(k, r, draw(st.integers(1, 3)), draw(st.sampled_from([1, 2, 3, 4, 6])))
        for k, r in chosen
    ]


@given(graphs())
def test_it_is_the_first_of_the_best(edges):
    assert [(e.key, e.response) for e in first_best(edges)] == by_trying(edges)


spans = st.tuples(st.integers(0, 3), st.integers(4, 7))


@given(
    st.lists(spans, min_size=1, max_size=5), st.lists(spans, min_size=1, max_size=5), st.booleans()
)
def test_it_is_the_first_of_the_best_where_all_overlap_and_many_weigh_the_same(
    key, response, turned
):
    """The weights are those of head matching, where a smaller mention is all covered by many."""
    edges = []
    for k, (start, end) in enumerate(key):
        for r, (first, last) in enumerate(response):
            edge = Edge(k, r, min(end, last) - max(start, first), end - start)
            edges.append(edge._replace(key=r, response=k) if turned else edge)
    assert [(e.key, e.response) for e in first_best(edges)] == by_trying(edges)


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_edges_does_not_matter(edges, random: Random):
    shuffled = random.sample(edges, len(edges))
    assert first_best(shuffled) == first_best(edges)


@pytest.mark.parametrize("seed", range(20))
def test_its_weight_is_that_of_scipy_on_larger_graphs(seed):
    random = Random(seed)
    n, m = random.randint(5, 40), random.randint(5, 40)
    edges = [
        Edge(k, r, random.randint(1, 9), random.randint(9, 12))
        for k in range(n) for r in range(m) if random.random() < 0.2
    ]  # fmt: skip
    matrix = np.zeros((n, m))
    for k, r, numerator, denominator in edges:
        matrix[k, r] = numerator / denominator
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    found = first_best(edges)
    assert float(weight(found)) == pytest.approx(matrix[rows, columns].sum())
    assert len({e.key for e in found}) == len({e.response for e in found}) == len(found)


def test_equal_weights_are_settled_by_the_smallest_pairs():
    square = [Edge(k, r, 1, 1) for k in range(6) for r in range(6)]
    assert [(e.key, e.response) for e in first_best(square)] == [(i, i) for i in range(6)]
    more_keys = [Edge(k, r, 2, 3) for k in range(5) for r in range(2)]
    assert [(e.key, e.response) for e in first_best(more_keys)] == [(0, 0), (1, 1)]


def test_weights_are_compared_exactly():
    """As floats, 1/10 + 2/10 is more than 3/10; here it is not, and the first pairs are taken."""
    edges = [Edge(0, 0, 1, 10), Edge(1, 1, 2, 10), Edge(0, 1, 3, 10)]
    assert [(e.key, e.response) for e in first_best(edges)] == [(0, 0), (1, 1)]
    far = 10**17
    edges = [Edge(0, 0, far, far), Edge(0, 1, far + 1, far)]
    assert [(e.key, e.response) for e in first_best(edges)] == [(0, 1)]


def test_a_path_where_greedy_choice_is_wrong():
    edges = [Edge(0, 0, 2, 1), Edge(0, 1, 3, 1), Edge(1, 1, 2, 1)]
    assert [(e.key, e.response) for e in first_best(edges)] == [(0, 0), (1, 1)]


def test_fewer_pairs_that_weigh_as_much_may_come_first():
    """2 + 2 = 2 + 1 + 1; keys 1 and 3 can have response 1 only."""
    weights = {
        (0, 1): 2,
        (0, 2): 2,
        (1, 1): 1,
        (2, 0): 1,
        (2, 1): 1,
        (2, 2): 2,
        (2, 3): 1,
        (3, 1): 1,
    }
    edges = [Edge(k, r, weight, 1) for (k, r), weight in weights.items()]
    assert [(e.key, e.response) for e in first_best(edges)] == [(0, 1), (2, 2)]


def test_no_edges():
    assert first_best([]) == []
