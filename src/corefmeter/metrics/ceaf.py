"""CEAF (Luo 2005): entities are aligned one to one so that the total similarity is greatest.

Section 2.2 of the paper offers four similarities of a key entity k and a response entity r:

- phi1: 1 if they are equal, else 0
- phi2: 1 if they share a mention, else 0
- phi3: the number of common mentions (mention-based CEAF, ``ceafm``)
- phi4: 2 |k & r| / (|k| + |r|) (entity-based CEAF, ``ceafe``)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.options import CEAF_SIMILARITY, Option, Similarity, check_function
from corefmeter.metrics.overlap import Cells, Overlap
from corefmeter.problems import OptionError


def phi1(common: int, key_size: int, response_size: int) -> int:
    """Return 1 if the entities are equal, else 0."""
    return int(common == key_size == response_size)


def phi2(common: int, key_size: int, response_size: int) -> int:
    """Return 1 if the entities share a mention, else 0."""
    return int(common > 0)


def phi3(common: int, key_size: int, response_size: int) -> int:
    """Return the number of common mentions."""
    return common


def phi4(common: int, key_size: int, response_size: int) -> float:
    """Return the F-measure of the mentions, 2 |k & r| / (|k| + |r|)."""
    return 2 * common / (key_size + response_size)


class Ceaf(RatioMetric):
    """R = best total / sum of phi(k, k), P = best total / sum of phi(r, r).

    The best total is the greatest sum of phi(k, g(k)) over one-to-one maps g (Luo 2005,
    equations 1 to 5). Why recall and precision can differ so much: the total is shared, and the
    denominators are the self-similarities of each side. One response entity of eight mentions over
    four key entities of two has one aligned pair of similarity 0.4: R = 0.4/4, P = 0.4/1.

    Parameters
    ----------
    ceaf_similarity
        ``similarity(common, key_size, response_size)``, 0 or more; it is asked only about
        entities that share a mention, and about each entity with itself.

    Examples
    --------
    >>> table = Overlap([["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]], [list("abcdefgh")])
    >>> CeafE().statistics(table)
    (0.4, 4, 0.4, 1)
    """

    name = "ceaf"
    title = "CEAF"
    about = "Entities aligned one to one by a similarity of your own."
    papers = ("luo-2005",)
    options: ClassVar[tuple[Option, ...]] = (CEAF_SIMILARITY,)

    similarity: Similarity

    def __init__(self, ceaf_similarity: Similarity | None = None) -> None:
        if ceaf_similarity is None:
            raise OptionError(
                "the metric 'ceaf' needs a similarity function: give ceaf_similarity, or choose "
                "ceafm, ceafe, ceaf1 or ceaf2"
            )
        self.similarity = ceaf_similarity

    def similarities(
        self, cells: Cells, key: Sequence[int], response: Sequence[int]
    ) -> Sequence[float]:
        """Return the similarity of the entities of each cell."""
        phi = check_function(self.similarity, "ceaf_similarity")
        return [phi(n, key[k], response[r]) for k, r, n in cells]

    def statistics(self, table: Overlap) -> Row:
        """Return the best total, and the self-similarities of each side."""
        phi = check_function(self.similarity, "ceaf_similarity")

        def to_themselves(sizes: Sequence[int]) -> list[float]:
            return [phi(size, size, size) for size in sizes]

        key = table.over_entities(to_themselves, "key")
        response = table.over_entities(to_themselves, "response")
        total = table.assigned(self.similarities)
        return total, key, total, response


class _FixedCeaf(Ceaf):
    """CEAF with the similarity of its class."""

    options = ()

    def __init__(self) -> None:
        pass


class CeafPhi1(_FixedCeaf):
    """CEAF with phi1: the share of entities that are exactly right."""

    name = "ceaf1"
    title = "CEAF \N{GREEK SMALL LETTER PHI}1"
    about = "Entities that are exactly right, one to one."
    aliases = ("ceaf_phi1", "exact_entities", "exact-clusters", "exact_clusters")
    similarity = staticmethod(phi1)

    def statistics(self, table: Overlap) -> Row:
        """Return the equal entities, partners in any best assignment, and those of each side."""
        total = int(
            table.over_cells(
                lambda cells, key, response: [n == key[k] == response[r] for k, r, n in cells]
            )
        )
        return total, table.key_entities, total, table.response_entities


class CeafPhi2(_FixedCeaf):
    """CEAF with phi2: the share of entities found at least by a mention, one to one."""

    name = "ceaf2"
    title = "CEAF \N{GREEK SMALL LETTER PHI}2"
    about = "Entities found at least by a mention, one to one."
    aliases = ("ceaf_phi2",)
    similarity = staticmethod(phi2)


class CeafM(_FixedCeaf):
    """Mention-based CEAF, phi3: the share of mentions in the right entity."""

    name = "ceafm"
    title = "CEAFm"
    about = "Mentions in the right entity, entities being aligned one to one."
    aliases = ("ceaf_m", "ceaf_phi3", "ceaf3", "ceaf-m", "mention_ceaf")
    sets = True
    key_count = "recall_denominator"
    similarity = staticmethod(phi3)

    def similarities(
        self, cells: Cells, key: Sequence[int], response: Sequence[int]
    ) -> Sequence[int]:
        """Return the common mentions."""
        return [n for _, _, n in cells]

    def statistics(self, table: Overlap) -> Row:
        """Return the aligned common mentions, and the mentions of each side."""
        total = table.assigned(self.similarities)
        return total, table.key_mentions, total, table.response_memberships


class CeafE(_FixedCeaf):
    """Entity-based CEAF, phi4: the share of entities found, each weighing the same."""

    name = "ceafe"
    title = "CEAFe"
    about = "Similarity of entities that are aligned one to one; each weighs the same."
    aliases = ("ceaf_e", "ceaf_phi4", "ceaf4", "ceaf-e", "entity_ceaf")
    sets = True
    key_count = "recall_denominator"
    similarity = staticmethod(phi4)

    def similarities(
        self, cells: Cells, key: Sequence[int], response: Sequence[int]
    ) -> Sequence[float]:
        """Return twice the common mentions over those of both entities."""
        return [2 * n / (key[k] + response[r]) for k, r, n in cells]

    def statistics(self, table: Overlap) -> Row:
        """Return the total similarity of the aligned entities, and the entities of each side."""
        total = float(table.assigned(self.similarities))
        return total, table.key_entities, total, table.response_entities
