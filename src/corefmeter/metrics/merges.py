"""The generalized merge distance (Menestrina et al. 2010)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Any

from corefmeter.metrics.base import Metric, Row
from corefmeter.metrics.options import GMD_COST
from corefmeter.metrics.overlap import Overlap, pairs

#: The cost h(n) of building an entity of n mentions out of singletons, by the name of f.
_BUILDING_COSTS: dict[str, Callable[[int], float]] = {
    "basic": lambda n: n - 1,
    "pairs": pairs,
    "information": lambda n: n * log(n),
}


class MergeDistance(Metric):
    """R = 1 - merges / merges of the key from singletons; P = 1 - splits / splits of the response.

    The distance is the minimum cost of turning the response into the key by splitting entities and
    then merging parts. A score is the share of this work that is already done. With the cost
    ``basic``, recall and precision are those of MUC; with ``pairs``, those of pairwise links.

    Splitting x + y mentions into x and y, or merging them again, costs f(x, y) = h(x + y) - h(x) -
    h(y), so the order of operations has no effect. Building an entity of n mentions from parts
    costs h(n) minus the sum of h over the parts. The fewest parts are the cells k & r:

        splits = sum over r of h(|r|) - sum over cells of h(n)
        merges = sum over k of h(|k|) - sum over cells of h(n)

    A mention that one side lacks is a singleton there, and h(1) = 0.

    Parameters
    ----------
    gmd_cost
        ``basic``: 1, the number of splits and merges; ``pairs``: xy, the number of wrong and
        missing links; ``information``: (x + y) log (x + y) - x log x - y log y, with which the
        distance is the variation of information times the number of mentions.

    Examples
    --------
    Split d off, and merge it with e:

    >>> gmd = MergeDistance()
    >>> gmd.statistics(Overlap([["a", "b", "c"], ["d", "e"]], [["a", "b", "c", "d"], ["e"]]))
    (1, 3, 1, 3)
    """

    name = "gmd"
    title = "Merge distance"
    about = "Splits and merges that turn the response into the key; 1 if none are needed."
    papers = ("menestrina-etal-2010",)
    aliases = ("merge-distance", "merge_distance", "bmd")
    fields = ("merges", "merges_of_key", "splits", "splits_of_response")
    key_count = "merges_of_key"
    options = (GMD_COST,)

    def __init__(self, gmd_cost: str = "basic") -> None:
        self.cost = gmd_cost

    def statistics(self, table: Overlap) -> Row:
        """Return the costs of merges, of building all key entities, of splits, of the response's.

        Building means merging singletons; the cells are what merges and splits need not touch.
        """
        cost = _BUILDING_COSTS[self.cost]
        cells: float
        if self.cost == "basic":  # the sum of n - 1, known without visiting the cells
            cells = table.matched - table.shared_entities
        elif self.cost == "pairs":
            cells = table.links_in_common
        else:
            cells = table.over_cells(lambda cells, key, response: [cost(n) for _, _, n in cells])
        key = table.over_entities(lambda sizes: list(map(cost, sizes)), "key")
        response = table.over_entities(lambda sizes: list(map(cost, sizes)), "response")
        # Rounding may make a difference of equal sums negative.
        return max(0, key - cells), key, max(0, response - cells), response

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """R = 1 - merges / merges of the key, P = 1 - splits / splits of the response."""
        merges, key, splits, response = sums
        return key - merges, key, response - splits, response
