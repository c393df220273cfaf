"""The assignment of greatest total weight on a sparse bipartite graph, exactly.

Overlap tables of coreference are nearly trees: most entities have one partner. So the graph is
first *folded*. Let a leaf u have the single partner v, with weight w. Either v takes u, worth w,
or v takes another partner x, worth w(v, x) instead of w. So: bank w, remove u, lower every other
edge of v by w, drop the edges that fall to 0 or below, and go on; afterwards, in reverse order, v
takes u if nobody else took v. What is left is solved per connected component by shortest augmenting
paths.

In a component that is too large, edges that *dominate* are taken first: those that weigh no less
than the best other edges of their two ends together. Then the rest may fold again. A component that
is still too large is given to scipy.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heappop, heappush
from math import inf
from operator import itemgetter

from corefmeter.problems import require

#: Partners of each node; the key entity k is the node k, the response entity r is the node ~r.
Graph = dict[int, dict[int, float]]

#: Folding and dominance go on while they remove at least one in so many edges.
WORTHWHILE = 10

#: Nodes x edges of a component, above which scipy is faster although it must be imported first.
GIANT = 3_000_000


def best_assignment(edges: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return the edges of a one-to-one assignment with the greatest total weight.

    >>> best_assignment([(0, 0, 3), (0, 1, 2), (1, 0, 2)])
    [(0, 1, 2), (1, 0, 2)]
    """
    graph: Graph = {}
    for k, r, weight in edges:
        if weight > 0:
            graph.setdefault(k, {})[~r] = weight
            graph.setdefault(~r, {})[k] = weight
    find = _partners(graph).get
    return [edge for edge in edges if find(edge[0]) == ~edge[1]]


def _partners(graph: Graph) -> dict[int, int]:
    """Return the partner of each assigned node; the graph is used up."""
    folded = _fold(graph)
    partner: dict[int, int] = {}
    giants: Graph = {}
    for component in components(graph):
        rows = {k: graph[k] for k in component}
        if _is_giant(rows):
            giants.update(rows)
        else:
            partner.update(assign_component(rows)[0])
    if giants:
        _assign_giants(giants, folded, partner)
    for leaf, hub in reversed(folded):
        if hub not in partner:
            partner[hub] = leaf
            partner[leaf] = hub
    return partner


def _fold(graph: Graph) -> list[tuple[int, int]]:
    """Fold all leaves away, in place; return pairs of leaf and hub in the order of folding."""
    folded: list[tuple[int, int]] = []
    leaves = [node for node, partners in graph.items() if len(partners) == 1]
    while leaves:
        leaf = leaves.pop()
        if len(graph[leaf]) != 1:
            continue
        (hub,) = graph[leaf]
        weights = graph[hub]
        # The heaviest leaf of the hub comes first: folding it removes the others at once.
        for node in weights:
            if len(graph[node]) == 1 and weights[node] > weights[leaf]:
                leaf = node
        folded_weight = weights.pop(leaf)
        graph[leaf].clear()
        folded.append((leaf, hub))
        for node in list(weights):
            weight = weights[node] - folded_weight
            if weight > 0:
                weights[node] = graph[node][hub] = weight
            else:
                del weights[node], graph[node][hub]
                if len(graph[node]) == 1:
                    leaves.append(node)
        if len(weights) == 1:
            leaves.append(hub)
    return folded


def _is_giant(rows: Graph) -> bool:
    return len(rows) * sum(map(len, rows.values())) > GIANT


def _assign_giants(rows: Graph, folded: list[tuple[int, int]], partner: dict[int, int]) -> None:
    """Alternate taking edges that dominate and folding, while that is worthwhile; solve the rest.

    `folded` and `partner` are added to.
    """
    graph = dict(rows)
    for k, weights in rows.items():
        for r, weight in weights.items():
            graph.setdefault(r, {})[k] = weight
    edges = sum(map(len, graph.values()))
    while edges:
        partner.update(_dominate(graph))
        folded += _fold(graph)
        before, edges = edges, sum(map(len, graph.values()))
        if (before - edges) * WORTHWHILE < before:
            break
    for component in components(graph):
        rest = {k: graph[k] for k in component}
        partner.update(_assign_giant(rest) if _is_giant(rest) else assign_component(rest)[0])


def _dominate(graph: Graph) -> dict[int, int]:
    """Take edges that dominate, in place; return the partners of their ends.

    Only edges of leaves, which fold, may remain that dominate. The partners of each node are sorted
    once, and assigned ones are removed from the end of this order when it is read. An edge may
    begin to dominate when its ends lose others, so the neighbors of assigned nodes are tried again.
    """
    order = {node: sorted(weights, key=weights.__getitem__) for node, weights in graph.items()}
    partner: dict[int, int] = {}

    def best_two(node: int) -> list[int]:
        """Return the two heaviest free partners of a node, or as many as it has; heaviest last."""
        partners = order[node]
        while partners and partners[-1] in partner:
            partners.pop()
        while len(partners) > 1 and partners[-2] in partner:
            del partners[-2]
        return partners[-2:]

    waiting = [node for node, weights in graph.items() if weights and node >= 0]
    while waiting:
        node = waiting.pop()
        if node in partner or not (heaviest := best_two(node)):
            continue
        *second, best = heaviest
        rivals = [graph[node][other] for other in second]
        rivals += [graph[best][other] for other in best_two(best)[::-1] if other != node][:1]
        if graph[node][best] >= sum(rivals):
            partner[node], partner[best] = best, node
            waiting += [n for n in (*graph[node], *graph[best]) if n not in partner]
    for node in partner:
        for other in graph[node]:
            del graph[other][node]
        graph[node] = {}
    return partner


def components(graph: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Return the key nodes of each connected component that has edges."""
    seen: set[int] = set()
    components = []
    for start in graph:
        if start in seen or not graph[start]:
            continue
        seen.add(start)
        reached = [start]
        for node in reached:  # the list grows while it is iterated
            for other in graph[node]:
                if other not in seen:
                    seen.add(other)
                    reached.append(other)
        components.append([node for node in reached if node >= 0])
    return components


def assign_component(rows: Graph) -> tuple[dict[int, int], dict[int, float]]:
    """Return the partners of all assigned nodes of a component, and prices, by augmenting paths.

    Costs are negative weights; each row may also stay alone at cost 0. Prices keep every reduced
    cost ``cost - price[row] - price[column]`` at 0 or above, and at 0 on assigned edges, so
    Dijkstra's search finds the cheapest way to place one more row. Whole weights stay whole: with
    integers of any size, everything is exact. A node without a partner has price 0.
    """
    # The edges of each row, the heaviest first.
    heaviest = {row: sorted(edges.items(), key=itemgetter(1))[::-1] for row, edges in rows.items()}
    price: dict[int, float] = {column: 0 for edges in rows.values() for column in edges}
    price |= {row: -edges[0][1] for row, edges in heaviest.items()}
    partner: dict[int, int] = {}
    for start in rows:
        came_from, row, column = _find_cheapest_path(start, heaviest, price, partner)
        # Along the path back to the start, each row passes on its column.
        while True:
            given_up = partner.pop(row, None)
            if column is not None:
                partner[row], partner[column] = column, row
            if given_up is None:
                break
            row, column = came_from[given_up], given_up
    return partner, price


def _find_cheapest_path(
    start: int,
    heaviest: Mapping[int, Sequence[tuple[int, float]]],
    price: dict[int, float],
    partner: Mapping[int, int],
) -> tuple[dict[int, int], int, int | None]:
    """Find the cheapest way to place one more row, and update the prices.

    Returns the row that reached each column, and the last row and column of the path; the column is
    None if this row stays alone. Prices of columns are never above 0, so an edge reaches no column
    at less than its own cost: once a free column is reached, lighter edges need not be tried.
    """
    distance: dict[int, float] = {start: 0}  # of rows in the tree
    came_from: dict[int, int] = {}
    best: dict[int, float] = {}  # tentative distance of columns
    done: dict[int, float] = {}  # final distance of columns
    queue: list[tuple[float, int]] = []
    row = last = start
    end: int | None = None
    nearest = enough = inf  # distance of the end, and of what is seen that may become it
    while True:
        at = distance[row]
        alone = at - price[row]  # reduced cost of staying alone is 0 - price
        if alone < nearest:
            nearest, end, last = alone, None, row
            enough = min(enough, alone)
        for column, weight in heaviest[row]:
            reach = at - weight - price[row]
            if reach > enough:
                break
            if column in done:
                continue
            reach -= price[column]
            if reach <= enough and reach < best.get(column, inf):
                best[column] = reach
                came_from[column] = row
                heappush(queue, (reach, column))
                if column not in partner:
                    enough = reach
        while queue and queue[0][1] in done:
            heappop(queue)
        if not queue or queue[0][0] >= nearest:
            break
        reach, column = heappop(queue)
        done[column] = reach
        if column not in partner:
            nearest, end = reach, column
            break
        row = partner[column]
        distance[row] = reach
    for row, at in distance.items():
        price[row] += nearest - at
    for column, at in done.items():
        if at < nearest:
            price[column] = price[column] + at - nearest
    return came_from, last if end is None else came_from[end], end


def _assign_giant(rows: Graph) -> dict[int, int]:
    """Solve like `assign_component` with scipy: a private column lets each row stay unassigned."""
    require("scipy", "a text with so many entities that overlap")
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    names = list(rows)
    columns: dict[int, int] = {}
    edges = [
        (i, columns.setdefault(column, len(columns)), weight)
        for i, name in enumerate(names)
        for column, weight in rows[name].items()
    ]
    row_index, column_index, values = zip(*edges, strict=True)
    # scipy 1.11 solves graphs with indices of 32 bits only.
    alone = np.arange(len(names), dtype=np.int32)
    # A constant on every edge of every row changes no comparison and keeps zeros out of the matrix;
    # one of the size of the weights costs them no digits, whatever their unit.
    data = np.concatenate([np.asarray(values, dtype=float), np.zeros(len(names))]) + max(values)
    row_of = np.concatenate([np.asarray(row_index, alone.dtype), alone])
    column_of = np.concatenate([np.asarray(column_index, alone.dtype), len(columns) + alone])
    shape = len(names), len(columns) + len(names)
    matrix = csr_array((data, (row_of, column_of)), shape=shape)
    matched_rows, matched_columns = min_weight_full_bipartite_matching(matrix, maximize=True)
    names_of_columns = list(columns)
    assigned: dict[int, int] = {}
    for i, j in zip(matched_rows.tolist(), matched_columns.tolist(), strict=True):
        if j < len(columns):
            assigned[names[i]] = names_of_columns[j]
            assigned[names_of_columns[j]] = names[i]
    return assigned
