"""LEA, the link-based entity-aware metric (Moosavi & Strube 2016, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from corefmeter.metrics.base import EntityFunction, RatioMetric, Row
from corefmeter.metrics.overlap import Overlap

__all__ = ["IMPORTANCE", "Lea"]


def _one(entity: Sequence[Any]) -> float:
    return 1


#: Importance of an entity, by name.
IMPORTANCE: dict[str, EntityFunction] = {"size": len, "one": _one}


class Lea(RatioMetric):
    """R = sum of importance(k) * resolution(k) over sum of importance(k); P likewise over r.

    resolution(k) = sum over r of link(k & r) / link(k), with link(n mentions) = n(n-1)/2. A
    singleton has one link, to itself; it is resolved by a response singleton of that mention.

    Parameters
    ----------
    importance
        A function from an entity, given as its list of mentions, to a weight of 0 or more;
        the default is its size.

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

    def __init__(self, importance: EntityFunction = len) -> None:
        self.importance = importance

    def statistics(self, table: Overlap) -> Row:
        """Sums of importance * resolution, and of importance, of each side."""
        key, response = table.key_sizes, table.response_sizes
        if self.importance is len:
            key_weights: Sequence[float] = key
            response_weights: Sequence[float] = response
        else:
            key_weights = [self.importance(entity) for entity in table.key]
            response_weights = [self.importance(entity) for entity in table.response]
        recall = []
        precision = []
        for k, r, n in table.cells:
            if n > 1:
                links = n * (n - 1)
                recall.append(key_weights[k] * links / (key[k] * (key[k] - 1)))
                precision.append(response_weights[r] * links / (response[r] * (response[r] - 1)))
            elif key[k] == 1 == response[r]:
                recall.append(key_weights[k])
                precision.append(response_weights[r])
        return fsum(recall), _total(key_weights), fsum(precision), _total(response_weights)


def _total(weights: Sequence[float]) -> float:
    """The sum of weights: an exact integer if they are integers."""
    return sum(weights) if all(isinstance(w, int) for w in weights) else fsum(weights)
