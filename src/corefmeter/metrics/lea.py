"""LEA, the link-based entity-aware metric (Moosavi & Strube 2016, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.options import LEA_IMPORTANCE, EntityFunction, check_function, importance_of
from corefmeter.metrics.overlap import Cells, Overlap


def _one(entity: Sequence[Any]) -> float:
    return 1


_IMPORTANCE: dict[str, EntityFunction | None] = {"size": None, "one": _one}


class Lea(RatioMetric):
    """R = sum of importance(k) * resolution(k) over sum of importance(k); P likewise over r.

    resolution(k) = sum over r of link(k & r) / link(k), with link(n mentions) = n(n-1)/2. A
    singleton has one link, to itself; it is resolved by a response singleton of that mention.

    Parameters
    ----------
    lea_importance
        A function that takes an entity (a list of mentions) and returns a weight of at least 0; or
        ``size`` or ``one``.

    Examples
    --------
    The paper's example, section 5: recall (3 * 1/3 + 4 * 1/6) / 7, precision (2 + 0 + 4/6) / 8.

    >>> table = Overlap([list("abc"), list("defg")], [list("ab"), list("cd"), list("fghi")])
    >>> scores = Lea().scores(Lea().statistics(table))
    >>> round(scores.recall, 4), round(scores.precision, 4)
    (0.2381, 0.3333)
    """

    name = "lea"
    title = "LEA"
    about = "Share of correct links of each entity, weighted by its importance."
    papers = ("moosavi-strube-2016",)
    sets = True
    key_count = "recall_denominator"
    options = (LEA_IMPORTANCE,)

    def __init__(self, lea_importance: str | EntityFunction = "size") -> None:
        importance = importance_of(lea_importance)
        # The name of a function in a saved result is text, which is never called.
        self.importance = importance if callable(importance) else _IMPORTANCE[importance]

    @property
    def as_official(self) -> bool:
        """The branch of the official scorer weighs entities by their size."""
        return self.importance is None

    def statistics(self, table: Overlap) -> Row:
        """Return the sums of importance * resolution, and of importance, of each side."""
        if self.importance is None:
            recall = table.for_recall.over_cells(_recall_terms, links=True)
            precision = table.for_precision.over_cells(_precision_terms, links=True)
            return recall, table.key_mentions, precision, table.response_memberships
        weigh = check_function(self.importance, "lea_importance")
        key, response = ([weigh(entity) for entity in side] for side in table.as_read)
        of_key = [
            _weigh_resolution(n, table.key_sizes[k], table.response_sizes[r], key[k])
            for k, r, n in table.for_recall.link_cells
        ]
        of_response = [
            _weigh_resolution(n, table.response_sizes[r], table.key_sizes[k], response[r])
            for k, r, n in table.for_precision.link_cells
        ]
        return fsum(of_key), fsum(key), fsum(of_response), fsum(response)


def _recall_terms(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[float]:
    """Return what cells add to recall: size * link(n) / link(size) is n(n-1)/(size-1)."""
    return [
        n * (n - 1) / (key[k] - 1) if n > 1 else key[k] == 1 == response[r] for k, r, n in cells
    ]


def _precision_terms(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[float]:
    return [
        n * (n - 1) / (response[r] - 1) if n > 1 else key[k] == 1 == response[r]
        for k, r, n in cells
    ]


def _weigh_resolution(n: int, size: int, other: int, weight: float) -> float:
    """Return weight * resolution of an entity by a cell; `other` is the size of the other entity.

    A whole entity counts as is, since a weight times x over x is not always that weight.
    """
    if n == 1:
        return weight if size == 1 == other else 0
    return weight if n == size else weight * (n * (n - 1)) / (size * (size - 1))
