"""One-to-one evaluation of anything that has a similarity: relations, events, mentions, entities.

Luo (2005, end of section 2.2) notes that CEAF asks nothing of its objects but a similarity of 0 or
more. With g the one-to-one map of greatest total similarity::

    recall = sum of s(a, g(a)) / sum of s(a, a) over the reference
    precision = sum of s(a, g(a)) / sum of s(b, b) over the system
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from corefmeter.matching.solver import best_assignment
from corefmeter.metrics.base import Number, Scores, ratios
from corefmeter.metrics.options import check_function
from corefmeter.problems import OptionError, reject_unknown_keywords

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ObjectAlignment:
    """Matched objects and the value of the match.

    `pairs` are ``(i, j, similarity)`` for each aligned pair, with its places in the reference and
    the system. `total` is the sum of their similarities; the other totals are the sums of the
    similarities of the objects of each side to themselves.
    """

    pairs: tuple[tuple[int, int, Number], ...]
    total: Number
    reference_total: Number
    system_total: Number

    @property
    def scores(self) -> Scores:
        """Recall, precision and F1; 0/0 is named and counts as 0."""
        return ratios(self.total, self.reference_total, self.total, self.system_total)

    @property
    def recall(self) -> float:
        """Return the total over that of the reference."""
        return self.scores.recall

    @property
    def precision(self) -> float:
        """Return the total over that of the system."""
        return self.scores.precision

    @property
    def f1(self) -> float:
        """Return the harmonic mean of recall and precision."""
        return self.scores.f1


@reject_unknown_keywords()
def align_objects(
    reference: Sequence[Item],
    system: Sequence[Item],
    similarity: Callable[[Item, Item], Number],
    candidates: Iterable[tuple[int, int]] | None = None,
) -> ObjectAlignment:
    """Align objects one to one with the greatest total similarity; return recall, precision and F1.

    Parameters
    ----------
    reference, system
        The objects of both sides.
    similarity
        A function of a reference object and a system object that returns a number of at least 0. It
        also compares each object with itself. An object should be at least as similar to itself as
        to any other; otherwise recall or precision may exceed 1.
    candidates
        Pairs of indexes ``(i, j)`` whose similarity may be above 0. By default, all pairs are
        compared.

    Returns
    -------
    ObjectAlignment
        Pairs of similarity 0 are not aligned. The choice among alignments of equal total depends
        only on the similarities.

    Raises
    ------
    OptionError
        When a similarity is not a number of at least 0, or a candidate is not a pair of indexes.

    Examples
    --------
    Two relations have the similarity 1 for equal arguments, and 1/2 more for equal types:

    >>> def alike(a, b):
    ...     return (a[1:] == b[1:]) * (1 + (a[0] == b[0]) / 2)
    >>> reference = [("works-for", "Ann", "Acme"), ("lives-in", "Bob", "Rome")]
    >>> system = [("owns", "Ann", "Acme"), ("lives-in", "Bob", "Oslo")]
    >>> found = align_objects(reference, system, alike)
    >>> found.pairs, found.recall
    (((0, 0, 1.0),), 0.3333333333333333)
    """
    value = check_function(similarity, "similarity")
    places: Iterable[tuple[int, int]] = product(range(len(reference)), range(len(system)))
    edges = []
    for i, j in places if candidates is None else dict.fromkeys(candidates):
        if not (0 <= i < len(reference) and 0 <= j < len(system)):
            sizes = f"{len(reference)} reference and {len(system)} system objects"
            raise OptionError(f"the candidate {(i, j)} is not a pair of places; there are {sizes}")
        edges.append((i, j, value(reference[i], system[j])))
    pairs = tuple(best_assignment(edges))
    return ObjectAlignment(
        pairs,
        sum(weight for _, _, weight in pairs),
        sum(value(item, item) for item in reference),
        sum(value(item, item) for item in system),
    )
