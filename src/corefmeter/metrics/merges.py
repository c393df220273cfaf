"""The generalised merge distance (Menestrina et al. 2010): what it costs to mend the response.

The response is turned into the key by splitting entities, then merging parts. Splitting x + y
mentions into x and y, or merging them again, costs f(x, y). The distance is the least total. It
needs no search if the order of operations is without effect, f(x, y) + f(x + y, z) = f(x, z) +
f(x + z, y). Such an f is f(x, y) = h(x + y) - h(x) - h(y), with h(n) = f(1, 1) + ... + f(n - 1, 1):
making an entity of n mentions out of parts costs h(n) less the sum of h over the parts. The fewest
parts are the cells k & r of the overlap table, so

    splits = sum over r of h(|r|) - sum over cells of h(n)
    merges = sum over k of h(|k|) - sum over cells of h(n)

A mention that one side lacks is a singleton there, and h(1) = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Any

from corefmeter.metrics.base import (
    SCALARS,
    Arithmetic,
    Metric,
    Number,
    Option,
    Rates,
    Row,
    Scores,
    ratio_rates,
    resolve_undefined,
)
from corefmeter.metrics.overlap import Overlap, pairs

#: What making an entity of n mentions out of singletons costs.
Whole = Callable[[int], float]


def _operations(n: int) -> int:
    return n - 1


def _information(n: int) -> float:
    return n * log(n)


#: h, by the name of f.
COSTS: dict[str, Whole] = {"basic": _operations, "pairs": pairs, "information": _information}


class MergeDistance(Metric):
    """R = 1 - merges / merges of the key from singletons; P = 1 - splits / splits of the response.

    So a score is the share of the work that the response has done rightly, from singletons to the
    key and back. With the cost ``basic`` recall and precision are those of MUC, with ``pairs``
    those of pairwise links.

    Parameters
    ----------
    gmd_cost
        ``basic``: 1, the number of splits and merges; ``pairs``: xy, the number of wrong and of
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
    options = (
        Option(
            "gmd_cost",
            "basic",
            "Cost of a split or merge for gmd.",
            tuple(COSTS),
        ),
    )

    def __init__(self, gmd_cost: str = "basic") -> None:
        self.cost = gmd_cost

    def statistics(self, table: Overlap) -> Row:
        """Count the costs of merges and splits, and of building all entities of each side."""
        cost_of = COSTS[self.cost]
        kept: float
        if self.cost == "basic":
            kept = table.matched - table.shared_entities
        elif self.cost == "pairs":
            kept = table.links_in_common
        else:
            kept = table.over_cells(lambda cells, key, response: [cost_of(n) for _, _, n in cells])
        key, response = (
            table.over_entities(lambda sizes: [cost_of(size) for size in sizes], side)
            for side in ("key", "response")
        )
        return max(0, key - kept), key, max(0, response - kept), response

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """R = 1 - merges / merges of the key, P = 1 - splits / splits of the response."""
        merges, key, splits, response = sums
        return resolve_undefined(
            self.rates(sums), (key - merges, key, response - splits, response), undefined
        )

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """R = 1 - merges / merges of the key, P = 1 - splits / splits of the response."""
        merges, key, splits, response = sums
        return ratio_rates(key - merges, key, response - splits, response, on)
