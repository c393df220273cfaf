"""An overlap table in which some members that both sides have count less than 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Any, NamedTuple

from corefmeter.corpus.structures import grouped
from corefmeter.metrics.overlap import Cells, Links, Overlap


class Member(NamedTuple):
    """A member of the key entity and of the response entity, which may count less than 1.

    `weights` are for recall, for precision, and for where both share one number (F1).
    """

    key: int
    response: int
    weights: tuple[float, float, float]


class Weighted(Overlap):
    """A table in which some members that both sides have count less than 1.

    Sizes stay whole numbers. In a cell n is a sum of weights. A link weighs the product of the
    weights of its two members, so that twice the sum of all links is n^2 less the sum of the
    squares. A tree of links connects the members of a cell through the heaviest one, which needs
    no link itself.

    Parameters
    ----------
    whole
        The table in which these members count 1.
    members
        The members that may count less.
    side
        The index of the weight that counts; `for_recall` and `for_precision` use the others.

    Examples
    --------
    >>> whole = Overlap([["a", "b", "s"]], [["a", "s"]])
    >>> table = Weighted(whole, [Member(0, 0, (0.5, 1.0, 2 / 3))])
    >>> table.for_recall.cells, table.for_precision.cells
    ([(0, 0, 1.5)], [(0, 0, 2.0)])
    >>> [(n, n * (n - 1)) for _, _, n in table.for_precision.link_cells]
    [(2.0, 2.0)]
    """

    def __init__(self, whole: Overlap, members: Sequence[Member], side: int = 2) -> None:
        vars(self).update(vars(whole))
        self._whole = whole
        self._members = members
        weights = grouped(((k, r), of_member[side]) for k, r, of_member in members)
        sums: dict[tuple[int, int], float] = {}
        self._squares: dict[tuple[int, int], float] = {}
        self._heaviest = 0.0
        for k, r, n in whole.cells:
            of_cell = weights.get((k, r), [])
            mentions = n - len(of_cell)
            self._heaviest += 1 if mentions else max(of_cell)
            if of_cell:
                sums[k, r] = mentions + fsum(of_cell)
                self._squares[k, r] = mentions + fsum([weight * weight for weight in of_cell])

        def weigh(cells: Cells) -> Cells:
            return [(k, r, sums.get((k, r), n)) for k, r, n in cells]

        self.cells = weigh(whole.cells)
        self.lone_cells, self.shared_cells = weigh(whole.lone_cells), weigh(whole.shared_cells)
        self.matched = fsum([n for _, _, n in self.cells])

    @property
    def for_recall(self) -> Overlap:
        """The table with the weights that count for recall."""
        return Weighted(self._whole, self._members, 0)

    @property
    def for_precision(self) -> Overlap:
        """The table with the weights that count for precision."""
        return Weighted(self._whole, self._members, 1)

    @property
    def shared_entities(self) -> float:
        """The cells, each counting as its heaviest member."""
        return self._heaviest

    @property
    def link_cells(self) -> Cells:
        """The cells with the n for which n(n-1) is twice their links."""
        return [
            (k, r, (1 + sqrt(1 + 4 * (n * n - self._square(k, r, n)))) / 2)
            for k, r, n in self.cells
        ]

    def _square(self, k: int, r: int, n: Any) -> Any:
        """Return the sum of the squares of the weights in a cell."""
        return self._squares.get((k, r), n)

    @property
    def matched_links(self) -> tuple[Links, Links]:
        """The links of each side among the members that both have: those of a side weigh 1."""
        return self._whole.matched_links

    @property
    def common_links(self) -> Links:
        """The links of both sides, each weighing the product of the weights of its ends."""
        squares = fsum([self._square(*cell) for cell in self.cells])

        def within(sums: Sequence[float]) -> float:
            return (fsum([n * n for n in sums]) - squares) / 2

        common = within([n for _, _, n in self.cells])
        one_sided = within(self.key_matched) + within(self.response_matched)
        return Links(common, within([self.matched]) - one_sided + common)
