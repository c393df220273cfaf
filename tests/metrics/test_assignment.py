"""The assignment has the greatest total that brute force, and scipy's dense method, can find."""

from __future__ import annotations

from itertools import permutations
from math import fsum, isclose
from random import Random

import pytest

from corefmeter.matching import solver as module
from corefmeter.matching.solver import best_assignment

Edges = list[tuple[int, int, float]]


@pytest.fixture(params=["augmenting paths", "scipy"])
def solver(request, monkeypatch):
    """Both ways in which the core of a graph is solved, whatever its size."""
    giant = -1 if request.param == "scipy" else 10**18
    monkeypatch.setattr(module, "GIANT", giant)
    return request.param


def brute_force(edges: Edges) -> float:
    """The greatest total of positive weights over all one-to-one maps."""
    keys = sorted({k for k, _, _ in edges})
    responses = sorted({r for _, r, _ in edges})
    weight = {(k, r): max(w, 0) for k, r, w in edges}
    if len(keys) > len(responses):
        keys, responses = responses, keys
        weight = {(r, k): w for (k, r), w in weight.items()}
    return max(
        (
            fsum(weight.get((k, r), 0) for k, r in zip(keys, image, strict=True))
            for image in permutations(responses, len(keys))
        ),
        default=0,
    )


def dense(edges: Edges) -> float:
    """The same by scipy's dense method."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    if not edges:
        return 0
    matrix = np.zeros((1 + max(k for k, _, _ in edges), 1 + max(r for _, r, _ in edges)))
    for k, r, weight in edges:
        matrix[k, r] = max(weight, 0)
    return fsum(matrix[linear_sum_assignment(matrix, maximize=True)])


def check(edges: Edges, expected: float) -> None:
    assigned = best_assignment(edges)
    assert len({k for k, _, _ in assigned}) == len(assigned), "a key entity is assigned twice"
    assert len({r for _, r, _ in assigned}) == len(assigned), "a response entity is assigned twice"
    assert set(assigned) <= set(edges)
    assert all(weight > 0 for _, _, weight in assigned)
    total = fsum(weight for _, _, weight in assigned)
    assert isclose(total, expected, rel_tol=1e-12, abs_tol=1e-300), (edges, assigned)


WEIGHTS = {
    "whole": lambda rng: rng.randint(1, 6),
    "ties": lambda rng: 1,
    "floats": lambda rng: rng.random(),
    "phi4": lambda rng: 2 * (n := rng.randint(1, 4)) / (2 * n + rng.randint(0, 6)),
    "with zeros": lambda rng: rng.choice([0, 0, 1, 2, 3]),
    "with negatives": lambda rng: rng.randint(-2, 3),
    "far apart": lambda rng: 10.0 ** rng.randint(-6, 6),
}


def random_edges(rng: Random, rows: int, columns: int, density: float, weight) -> Edges:
    edges = [
        (k, r, weight(rng)) for k in range(rows) for r in range(columns) if rng.random() < density
    ]
    rng.shuffle(edges)
    return edges


@pytest.mark.parametrize("weight", WEIGHTS)
def test_no_map_is_better(weight, solver):
    rng = Random(f"{weight}")
    for _ in range(60 if solver == "scipy" else 250):
        density = rng.choice([0.2, 0.4, 0.7, 1.0])
        edges = random_edges(rng, rng.randint(0, 6), rng.randint(0, 6), density, WEIGHTS[weight])
        check(edges, brute_force(edges))


@pytest.mark.parametrize("density", [0.03, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_large_graphs_equal_the_dense_method(weight, density, solver):
    rng = Random(f"{weight}{density}")
    for _ in range(4):
        rows, columns = rng.randint(10, 60), rng.randint(10, 60)
        edges = random_edges(rng, rows, columns, density, WEIGHTS[weight])
        check(edges, dense(edges))


def random_tree(rng: Random, size: int) -> Edges:
    """A connected graph without cycles: the shape that folding alone must solve."""
    side = [0]
    numbers = [0]
    counts = [1, 0]
    edges = []
    for _ in range(1, size):
        parent = rng.randrange(len(side))
        other = 1 - side[parent]
        side.append(other)
        numbers.append(counts[other])
        counts[other] += 1
        ends = (numbers[parent], numbers[-1])
        k, r = ends if side[parent] == 0 else reversed(ends)
        edges.append((k, r, rng.choice([rng.randint(1, 5), rng.random()])))
    rng.shuffle(edges)
    return edges


def test_trees_are_solved_by_folding(monkeypatch):
    def fail(rows):
        raise AssertionError(f"not folded away: {rows}")

    monkeypatch.setattr(module, "assign_component", fail)
    monkeypatch.setattr(module, "_assign_giant", fail)
    rng = Random(5)
    for _ in range(200):
        edges = random_tree(rng, rng.randint(1, 60))
        check(edges, dense(edges))


def test_trees_with_a_few_more_edges(solver):
    rng = Random(6)
    for _ in range(100):
        edges = {(k, r): w for k, r, w in random_tree(rng, rng.randint(5, 40))}
        for _ in range(rng.randint(1, 6)):
            k = rng.randrange(1 + max(k for k, _ in edges))
            r = rng.randrange(1 + max(r for _, r in edges))
            edges[k, r] = rng.randint(1, 5)
        listed = [(k, r, w) for (k, r), w in edges.items()]
        check(listed, dense(listed))


def test_a_leaf_gives_way_when_its_partner_is_worth_more_elsewhere():
    # Key entity 0 alone would take response entity 0 (weight 3); but 2 + 2 > 3.
    assert sorted(best_assignment([(0, 0, 3), (0, 1, 2), (1, 0, 2)])) == [(0, 1, 2), (1, 0, 2)]


def test_a_leaf_stays_when_it_is_worth_more():
    assert best_assignment([(0, 0, 5), (0, 1, 2), (1, 0, 2)]) == [(0, 0, 5)]


def test_the_heaviest_leaf_of_a_star_is_assigned():
    assert best_assignment([(0, r, w) for r, w in enumerate([2, 7, 1, 6])]) == [(0, 1, 7)]


def test_entities_that_share_nothing_are_not_assigned():
    assert best_assignment([]) == []
    assert best_assignment([(0, 0, 0), (1, 1, 0.0), (2, 2, -1)]) == []


def test_a_square_without_leaves_is_solved_by_paths(solver):
    # 0-0 and 1-1: 3 + 3; 0-1 and 1-0: 4 + 1.
    edges = [(0, 0, 3), (0, 1, 4), (1, 0, 1), (1, 1, 3)]
    assert sorted(best_assignment(edges)) == [(0, 0, 3), (1, 1, 3)]


def test_a_row_may_stay_alone_although_a_column_is_free_elsewhere(solver):
    # Three key entities, two response entities, all connected: one key entity stays alone.
    edges = [(k, r, w) for k, row in enumerate([[9, 8], [9, 1], [7, 2]]) for r, w in enumerate(row)]
    assert sorted(best_assignment(edges)) == [(0, 1, 8), (1, 0, 9)]


def test_numbers_of_entities_need_not_be_consecutive():
    assert best_assignment([(7, 1000, 2), (1000, 7, 1)]) == [(7, 1000, 2), (1000, 7, 1)]


def test_the_greatest_total_does_not_depend_on_the_order_of_edges(solver):
    rng = Random(7)
    for _ in range(50):
        edges = random_edges(rng, 6, 6, 0.5, WEIGHTS["phi4"])
        total = fsum(weight for _, _, weight in best_assignment(edges))
        rng.shuffle(edges)
        again = fsum(weight for _, _, weight in best_assignment(edges))
        assert isclose(total, again, rel_tol=1e-14, abs_tol=1e-300)


@pytest.mark.parametrize("scale", [1e-18, 1e-9, 1e9, 2**40])
def test_the_unit_of_the_weights_changes_nothing(scale, solver):
    rng = Random(8)
    for _ in range(20):
        edges = [(k, r, w * scale) for k, r, w in random_edges(rng, 6, 6, 0.8, WEIGHTS["floats"])]
        check(edges, brute_force(edges))


def only_dominance(monkeypatch) -> None:
    """Every component counts as giant, and what dominance and folding leave must be nothing."""

    def fail(rows):
        raise AssertionError(f"not settled: {rows}")

    monkeypatch.setattr(module, "GIANT", -1)
    monkeypatch.setattr(module, "_assign_giant", fail)


def test_an_edge_that_dominates_is_taken(monkeypatch):
    only_dominance(monkeypatch)
    # 0-0 weighs 7 = 4 + 3. Without it, 1-1 is left.
    square = [(0, 0, 7), (0, 1, 4), (1, 0, 3), (1, 1, 2)]
    assert best_assignment(square) == [(0, 0, 7), (1, 1, 2)]


def test_an_edge_that_is_the_heaviest_at_both_ends_need_not_dominate(solver):
    # 0-0 weighs 6, but 4 + 3 = 7.
    square = [(0, 0, 6), (0, 1, 4), (1, 0, 3), (1, 1, 0.5)]
    assert best_assignment(square) == [(0, 1, 4), (1, 0, 3)]


def test_what_is_taken_lets_others_dominate(monkeypatch):
    only_dominance(monkeypatch)
    # 0-0: 9 = 5 + 4. Then 1-1, which the 5 of 0-1 kept from it: 6 = 3 + 3. Then 2-2.
    edges = [(0, 0, 9), (0, 1, 5), (1, 0, 4), (1, 1, 6), (1, 2, 3), (2, 1, 3), (2, 2, 1)]
    assert best_assignment(edges) == [(0, 0, 9), (1, 1, 6), (2, 2, 1)]


def shared_mentions(rng: Random) -> Edges:
    """Overlap of two random partitions, weighed by common mentions or by phi4."""
    cells: dict[tuple[int, int], int] = {}
    sizes: dict[tuple[str, int], int] = {}
    for _ in range(rng.randint(1, 30)):
        k, r = rng.randrange(5), rng.randrange(5)
        r = k if rng.random() < 0.4 else r
        cells[k, r] = cells.get((k, r), 0) + 1
        sizes["key", k] = sizes.get(("key", k), 0) + 1
        sizes["response", r] = sizes.get(("response", r), 0) + 1
    whole = rng.random() < 0.5
    return [
        (k, r, n if whole else 2 * n / (sizes["key", k] + sizes["response", r]))
        for (k, r), n in cells.items()
    ]


def dominates(edge: tuple[int, int, float], edges: Edges) -> bool:
    """By definition, among the given edges."""
    k, r, weight = edge
    at_k = max((w for key, response, w in edges if key == k and response != r), default=0)
    at_r = max((w for key, response, w in edges if key != k and response == r), default=0)
    return weight >= at_k + at_r


def check_dominance(tables: int, seed: int) -> None:
    """What is taken is in an assignment of the greatest total; nothing that is left dominates."""
    rng = Random(seed)
    weights = list(WEIGHTS.values())
    settled = 0
    for number in range(tables):
        if number % 2:
            edges = shared_mentions(rng)
        else:
            rows, columns = rng.randint(1, 5), rng.randint(1, 5)
            edges = random_edges(rng, rows, columns, rng.random(), rng.choice(weights))
        edges = [edge for edge in edges if edge[2] > 0]
        graph: module.Graph = {}
        for k, r, weight in edges:
            graph.setdefault(k, {})[~r] = weight
            graph.setdefault(~r, {})[k] = weight
        partner = module._dominate(graph)
        taken = [edge for edge in edges if partner.get(edge[0]) == ~edge[1]]
        left = [edge for edge in edges if edge[0] not in partner and ~edge[1] not in partner]
        assert len(partner) == 2 * len(taken)
        total = fsum(weight for _, _, weight in taken) + brute_force(left)
        assert isclose(total, brute_force(edges), rel_tol=1e-12, abs_tol=1e-300), edges
        assert {(k, r) for k in graph if k >= 0 for r in graph[k]} == {(k, ~r) for k, r, _ in left}
        leaves = {node for node, around in graph.items() if len(around) == 1}
        inner = [edge for edge in left if edge[0] not in leaves and ~edge[1] not in leaves]
        assert not any(dominates(edge, left) for edge in inner), edges
        settled += len(taken)
    assert settled > tables


def test_what_dominates_belongs_to_a_best_assignment():
    check_dominance(2000, 1)


@pytest.mark.slow
def test_what_dominates_belongs_to_a_best_assignment_of_a_hundred_thousand_tables():
    check_dominance(100_000, 2)


def test_a_giant_component_is_given_to_scipy(monkeypatch):
    """60 entities against 60 with 3,600 edges: 216,000 nodes x edges."""
    calls = []
    giant = module._assign_giant
    monkeypatch.setattr(module, "GIANT", 100_000)
    monkeypatch.setattr(
        module, "_assign_giant", lambda rows: calls.append(len(rows)) or giant(rows)
    )
    rng = Random(9)
    edges = random_edges(rng, 60, 60, 1.0, WEIGHTS["floats"])
    check(edges, dense(edges))
    assert calls == [60]


def test_what_a_giant_component_leaves_may_be_small(monkeypatch):
    """Two squares of 3, 2, 2, 3 hang together by the edge 4-4 of 100, which dominates.

    All five keys have 12 edges, 60 together; a square has 2 keys and 4 edges, 8 together. Within a
    square 3 + 3 is the best, and no edge of it dominates, since 3 < 2 + 2.
    """
    monkeypatch.setattr(module, "GIANT", 20)
    squares = [
        (k + at, r + at, 3 if k == r else 2) for at in (0, 2) for k in (0, 1) for r in (0, 1)
    ]
    edges = [*squares, (4, 4, 100), (4, 0, 1), (2, 4, 1), (4, 1, 1)]
    assert best_assignment(edges) == [(0, 0, 3), (1, 1, 3), (2, 2, 3), (3, 3, 3), (4, 4, 100)]


def test_a_core_of_three_hundred_entities(solver):
    rng = Random(10)
    edges = random_edges(rng, 300, 300, 0.2, WEIGHTS["phi4"])
    check(edges, dense(edges))
