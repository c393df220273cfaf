"""Information weight: a name says more than a noun, a noun more than a pronoun (Holen 2013).

The paper (section 7) gives the order and no numbers; the default weights are those that the ACE
evaluations gave to the same kinds of mention. An unknown kind counts 1, so that without any kinds
all mentions weigh the same.

A weight is a function from a mention of one document to a number of 0 or more, so a metric here is
made for each document; its rows add up like those of all metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import fsum

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import grouped
from corefmeter.mentions.features import UNKNOWN
from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.lea import Lea
from corefmeter.metrics.options import EntityFunction
from corefmeter.metrics.overlap import Overlap

#: The weight of a mention by its kind.
WEIGHTS = {"name": 1.0, "nominal": 0.5, "pronoun": 0.1, "other": 0.5, UNKNOWN: 1.0}

#: The least weight of a mention that says what its entity is: names and nominals.
INFORMATIVE = 0.5

#: From a mention to its information weight.
Weight = Callable[[Mention], float]


def weight_by_kind(
    kind: Callable[[Mention], str], weights: Mapping[str, float] | None = None
) -> Weight:
    """Return the weight of a mention by its kind, such as `Features.kind` gives it.

    `weights` are those that differ from `WEIGHTS`. Other kinds weigh as much as an unknown one.

    >>> weight = weight_by_kind({"Ann": "name", "she": "pronoun"}.get, {"pronoun": 0})
    >>> weight("Ann"), weight("she")
    (1.0, 0)
    """
    # Not a lambda, so that an analysis can be pickled.
    return partial(_weigh_by_kind, kind, {**WEIGHTS, **(weights or {})})


def _weigh_by_kind(
    kind: Callable[[Mention], str], weights: Mapping[str, float], mention: Mention
) -> float:
    return weights.get(kind(mention), weights[UNKNOWN])


def importance(weight: Weight) -> EntityFunction:
    """Return the importance of an entity for LEA: the weight of its mentions (LEA paper, 4)."""
    return lambda entity: fsum(map(weight, entity))


class Weighted(RatioMetric):
    """A metric that weighs mentions; `weight` is a function from a mention to its weight."""

    def __init__(self, weight: Weight) -> None:
        self.weight = weight

    def total(self, entities: Entities) -> float:
        """Return the weight of all mentions of some entities."""
        return fsum([self.weight(mention) for entity in entities for mention in entity])

    def common(self, table: Overlap) -> dict[tuple[int, int], float]:
        """Return the weight of the common mentions by cell, (key entity, response entity)."""
        home = {mention: k for k, entity in enumerate(table.key) for mention in entity}
        weights = grouped(
            ((home[mention], r), self.weight(mention))
            for r, entity in enumerate(table.response)
            for mention in entity
            if mention in home
        )
        return {cell: fsum(values) for cell, values in weights.items()}


class Information(Weighted):
    """Recall of information: how much of the key's information on an entity is in one place.

    R = sum over k of max over r of w(k & r) / sum over k of w(k), where w of a set is the sum of
    the weights, and r is a response entity with a correct link of k, |k & r| > 1, since an entity
    without one was not usefully resolved (section 5); a singleton is kept by the same singleton.
    P: the sides exchanged.

    Five correct pronouns without their name: MUC recall is 0.8, but a third is left.

    >>> key = ["Chang", "her1", "she1", "Her", "her2", "she2"]
    >>> metric = Information(lambda mention: 1.0 if mention == "Chang" else 0.1)
    >>> scores = metric.scores(metric.statistics(Overlap([key], [key[1:]])))
    >>> round(scores.recall, 4), scores.precision
    (0.3333, 1.0)
    """

    name = "information"
    title = "Information"

    def statistics(self, table: Overlap) -> Row:
        """Return the weight kept, and the weight, of each side."""
        kept_key = [0.0] * len(table.key)
        kept_response = [0.0] * len(table.response)
        common = self.common(table)
        for k, r, n in table.cells:
            if n > 1 or table.key_sizes[k] == 1 == table.response_sizes[r]:
                kept_key[k] = max(kept_key[k], common[k, r])
                kept_response[r] = max(kept_response[r], common[k, r])
        of_key, of_response = self.total(table.key), self.total(table.response)
        return fsum(kept_key), of_key, fsum(kept_response), of_response


class WeightedBCubed(Weighted):
    """B3 with a weight for each mention, as Bagga & Baldwin 1998 define it.

    R = sum over m of w(m) |k(m) & r(m)| / |k(m)| over sum over m of w(m), for the mentions m of the
    key, k(m) and r(m) being the entities that hold m; P: the sides exchanged. With equal weights it
    is B3.

    >>> table = Overlap([["Ann", "she", "her"]], [["she", "her"]])
    >>> metric = WeightedBCubed(lambda mention: 1.0 if mention == "Ann" else 0.25)
    >>> metric.statistics(table)  # (1/4 + 1/4) 2/3, over 1 + 1/4 + 1/4
    (0.3333333333333333, 1.5, 0.5, 0.5)
    """

    name = "b3-weighted"
    title = "B\N{SUPERSCRIPT THREE} weighted"

    def statistics(self, table: Overlap) -> Row:
        """Return the weighted sum over the cells, and the weight, of each side."""
        key, response = table.key_sizes, table.response_sizes
        common = self.common(table)
        return (
            fsum([common[k, r] * n / key[k] for k, r, n in table.cells]),
            self.total(table.key),
            fsum([common[k, r] * n / response[r] for k, r, n in table.cells]),
            self.total(table.response),
        )


class WeightedLea(Lea):
    """LEA whose importance of an entity is the weight of its mentions (LEA paper, section 4).

    >>> table = Overlap([["Ann", "she"], ["it", "its"]], [["Ann", "she"]])
    >>> metric = WeightedLea(lambda mention: 1.0 if mention == "Ann" else 0.25)
    >>> metric.statistics(table)
    (1.25, 1.75, 1.25, 1.25)
    """

    name = "lea-weighted"
    title = "LEA weighted"

    def __init__(self, weight: Weight) -> None:
        super().__init__(importance(weight))


#: The metrics by name; each is made with a weight.
INFORMATION: dict[str, type[Information | WeightedBCubed | WeightedLea]] = {
    metric.name: metric for metric in (Information, WeightedBCubed, WeightedLea)
}
