"""CEAF (Luo 2005): entities are aligned one to one so that the total similarity is greatest."""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.options import CEAF_SIMILARITY, Similarity, check_function
from corefmeter.metrics.overlap import Cells, Overlap
from corefmeter.problems import OptionError


class Ceaf(RatioMetric):
    """R = best total / sum of phi(k, k), P = best total / sum of phi(r, r).

    The best total is the greatest sum of phi(k, g(k)) over one-to-one maps g (Luo 2005, equations 1
    to 5). Recall and precision can differ widely, because only their denominators differ: the
    self-similarities of each side. If one response entity of eight mentions covers four key
    entities of two, one aligned pair has similarity 0.4, so R = 0.4/4 and P = 0.4/1.

    Parameters
    ----------
    ceaf_similarity
        ``similarity(common, key_size, response_size)`` returns a number of at least 0. It is called
        only for entities that share a mention, and for each entity with itself.

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
    options = (CEAF_SIMILARITY,)

    def __init__(self, ceaf_similarity: Similarity | None = None) -> None:
        if ceaf_similarity is None:
            raise OptionError(
                "the metric 'ceaf' needs a similarity function: give ceaf_similarity, or choose "
                "ceafm, ceafe, ceaf1 or ceaf2"
            )
        self.similarity = ceaf_similarity

    def statistics(self, table: Overlap) -> Row:
        """Return the best total, and the self-similarities of each side."""
        phi = check_function(self.similarity, "ceaf_similarity")

        def similarities(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[float]:
            return [phi(n, key[k], response[r]) for k, r, n in cells]

        def to_themselves(sizes: Sequence[int]) -> list[float]:
            return [phi(size, size, size) for size in sizes]

        key = table.over_entities(to_themselves, "key")
        response = table.over_entities(to_themselves, "response")
        total = table.assigned(similarities)
        return total, key, total, response


class CeafPhi1(RatioMetric):
    """CEAF with phi1 (1 if k = r, else 0): the share of entities that are exactly correct."""

    name = "ceaf1"
    title = "CEAF \N{GREEK SMALL LETTER PHI}1"
    about = "Entities that are exactly correct."
    papers = ("luo-2005",)
    aliases = ("ceaf_phi1", "exact_entities", "exact-clusters", "exact_clusters")

    def statistics(self, table: Overlap) -> Row:
        """Return the equal entities, partners in any best assignment, and those of each side."""
        total = int(table.over_cells(_phi1))
        return total, table.key_entities, total, table.response_entities


class CeafPhi2(RatioMetric):
    """CEAF with phi2 (1 if k and r share a mention, else 0): the share of entities found."""

    name = "ceaf2"
    title = "CEAF \N{GREEK SMALL LETTER PHI}2"
    about = "Entities aligned one to one that share at least one mention."
    papers = ("luo-2005",)
    aliases = ("ceaf_phi2",)

    def statistics(self, table: Overlap) -> Row:
        """Return the aligned entities that share a mention, and the entities of each side."""
        key = table.over_entities(_not_empty, "key")
        response = table.over_entities(_not_empty, "response")
        total = table.assigned(_phi2)
        return total, key, total, response


class CeafM(RatioMetric):
    """Mention-based CEAF: the share of mentions in the right entity, with phi3 = |k & r|."""

    name = "ceafm"
    title = "CEAFm"
    about = "Mentions in the right entity, if entities are aligned one to one."
    papers = ("luo-2005",)
    aliases = ("ceaf_m", "ceaf_phi3", "ceaf3", "ceaf-m", "mention_ceaf")
    sets = True
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the aligned common mentions, and the mentions of each side."""
        total = table.assigned(phi3)
        return total, table.key_mentions, total, table.response_memberships


class CeafE(RatioMetric):
    """Entity-based CEAF: all entities have equal weight, with phi4 = 2 |k & r| / (|k| + |r|)."""

    name = "ceafe"
    title = "CEAFe"
    about = "Similarity of entities aligned one to one; all have equal weight."
    papers = ("luo-2005",)
    aliases = ("ceaf_e", "ceaf_phi4", "ceaf4", "ceaf-e", "entity_ceaf")
    sets = True
    key_count = "recall_denominator"

    def statistics(self, table: Overlap) -> Row:
        """Return the total similarity of the aligned entities, and the entities of each side."""
        total = float(table.assigned(_phi4))
        return total, table.key_entities, total, table.response_entities


# These are functions of the module, since a table of records keeps what it computed for a function.


def _phi1(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[bool]:
    return [n == key[k] == response[r] for k, r, n in cells]


def _phi2(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[int]:
    return [int(n > 0) for _, _, n in cells]


def phi3(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[int]:
    """Return the common mentions of the entities of each cell."""
    return [n for _, _, n in cells]


def _not_empty(sizes: Sequence[int]) -> list[int]:
    return [int(size > 0) for size in sizes]


def _phi4(cells: Cells, key: Sequence[int], response: Sequence[int]) -> list[float]:
    return [2 * n / (key[k] + response[r]) for k, r, n in cells]
