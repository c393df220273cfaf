"""LEA, the link-based entity-aware metric (Moosavi & Strube 2016, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from corefmeter.metrics.base import (
    EntityFunction,
    Option,
    RatioMetric,
    Row,
    checked,
    function,
)
from corefmeter.metrics.overlap import Overlap


def _one(entity: Sequence[Any]) -> float:
    return 1


#: Importance of an entity, by name.
IMPORTANCE: dict[str, EntityFunction | None] = {"size": None, "one": _one}


def _importance(value: Any) -> str | EntityFunction:
    """The name of an importance, or a function."""
    if isinstance(value, str) and value in IMPORTANCE:
        return value
    return function(value, "lea_importance", [*IMPORTANCE])


class Lea(RatioMetric):
    """R = sum of importance(k) * resolution(k) over sum of importance(k); P likewise over r.

    resolution(k) = sum over r of link(k & r) / link(k), with link(n mentions) = n(n-1)/2. A
    singleton has one link, to itself; it is resolved by a response singleton of that mention.

    Parameters
    ----------
    lea_importance
        A function from an entity, given as its list of mentions, to a weight of 0 or more; or
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
    about = "Entities by their importance, each by how many of its links are right."
    papers = ("moosavi-strube-2016",)
    key_count = "recall_denominator"
    options = (
        Option(
            "lea_importance",
            "size",
            "Weight of an entity in LEA: size, one, or a function.",
            (),
            "size|one|MODULE:NAME",
            _importance,
        ),
    )

    def __init__(self, lea_importance: str | EntityFunction = "size") -> None:
        importance = _importance(lea_importance)
        self.importance = IMPORTANCE[importance] if isinstance(importance, str) else importance

    @property
    def as_official(self) -> bool:
        """The branch of the official scorer weighs entities by their size."""
        return self.importance is None

    def statistics(self, table: Overlap) -> Row:
        """Sums of importance * resolution, and of importance, of each side."""
        key, response = table.key_sizes, table.response_sizes
        key_weights: Sequence[float] = key
        response_weights: Sequence[float] = response
        key_total: float = table.key_mentions
        response_total: float = sum(response)
        if self.importance is not None:
            weigh = checked(self.importance, "lea_importance")
            key_as_read, response_as_read = table.as_read
            key_weights = [weigh(entity) for entity in key_as_read]
            response_weights = [weigh(entity) for entity in response_as_read]
            key_total, response_total = fsum(key_weights), fsum(response_weights)
        recall = []
        precision = []
        for k, r, n in table.cells:
            if n > 1:
                # A weight times x over x is not always that weight: a whole entity counts as is.
                links = n * (n - 1)
                size, weight = key[k], key_weights[k]
                recall.append(weight if n == size else weight * links / (size * (size - 1)))
                size, weight = response[r], response_weights[r]
                precision.append(weight if n == size else weight * links / (size * (size - 1)))
            elif key[k] == 1 == response[r]:
                recall.append(key_weights[k])
                precision.append(response_weights[r])
        return fsum(recall), key_total, fsum(precision), response_total
