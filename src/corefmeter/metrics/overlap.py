"""The overlap table: how many mentions each key entity shares with each response entity.

Every metric of a document is a function of this table and of the sizes of the entities. It is
sparse: there is a cell only for pairs of entities that share a mention.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import Any, Literal, NamedTuple

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import grouped

#: ``(k, r, n)``; n is a whole number but in a table of `metrics.weighted`.
Cells = list[tuple[int, int, Any]]
Side = Literal["key", "response"]
SIDES: tuple[Side, Side] = ("key", "response")

#: From cells ``(k, r, n)``, and the sizes of the entities k and r, to what each cell adds.
CellValues = Callable[[Cells, Sequence[int], Sequence[int]], Sequence[Any]]

#: From the sizes of entities to what each adds.
EntityValues = Callable[[Sequence[int]], Sequence[Any]]


def pairs(n: int) -> int:
    """Return the unordered pairs of n things, n(n-1)/2: the links of an entity of n mentions."""
    return n * (n - 1) // 2


def links_within(sizes: Sequence[int]) -> int:
    """Return the links within groups of the given sizes, the sum of n(n-1)/2."""
    return sum([n * (n - 1) for n in sizes]) // 2


class Links(NamedTuple):
    """Number of links within entities and across entities."""

    coreference: float
    noncoreference: float


class Overlap:
    """The table of one document.

    A metric is a sum over the cells and over the entities of each side. `over_cells`,
    `over_entities`, `over_best` and `assigned` sum up a function of sizes, so that metrics also
    work on tables that only have numbers of equal cells (`corefmeter.wings.records.profile`).

    Parameters
    ----------
    key, response
        The entities, each a list of mentions. A mention of the response is equal to the key
        mention it is matched with. A key mention occurs once; a response mention may occur more
        than once only if it is twinless (see `corefmeter.corpus.repeats`).
    repeats
        Whether the response repeats mentions; found out when it is None.
    as_read
        The entities of both sides with their mentions as they were read, for functions of a user.

    Attributes
    ----------
    cells : list of (int, int, int)
        ``(k, r, n)``: key entity k and response entity r share n > 0 mentions.
    lone_cells, shared_cells : list of (int, int, int)
        The cells whose entities have no other partner, and the rest: only the latter leave a
        choice to an alignment of entities.
    key_sizes, response_sizes : list of int
        The number of mentions of each entity.
    key_mentions, matched : int
        The number of key mentions, and of those that the response has too.

    Examples
    --------
    >>> table = Overlap([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])
    >>> table.cells
    [(0, 0, 2), (1, 1, 1)]
    >>> table.matched, table.key_mentions, table.response_mentions
    (3, 4, 4)
    """

    def __init__(
        self,
        key: Entities,
        response: Entities,
        repeats: bool | None = None,
        as_read: tuple[Entities, Entities] | None = None,
    ) -> None:
        self.key = key
        self.response = response
        self.as_read = as_read or (key, response)
        self.repeats = _has_copies(response) if repeats is None else repeats
        self.key_sizes = [len(entity) for entity in key]
        self.response_sizes = [len(entity) for entity in response]
        self.cells = _count_cells(key, response)
        self.lone_cells, self.shared_cells = divided(self.cells, len(key), len(response))
        self.key_mentions = sum(self.key_sizes)
        self.matched = sum([n for _, _, n in self.cells])

    @property
    def for_recall(self) -> Overlap:
        """The table with the weights that count for recall; see `metrics.weighted`."""
        return self

    @property
    def for_precision(self) -> Overlap:
        """The table with the weights that count for precision; see `metrics.weighted`."""
        return self

    def only(self, side: Side, entities: Sequence[int]) -> Overlap:
        """Return the table of some entities of a side against all of the other.

        Sizes stay what they are, so that a sum over entities divides into those of groups.
        """
        part = object.__new__(Overlap)
        vars(part).update(vars(self))
        new = {place: number for number, place in enumerate(entities)}
        key_read, response_read = self.as_read
        if side == "key":
            part.key = [self.key[k] for k in entities]
            part.key_sizes = [self.key_sizes[k] for k in entities]
            part.as_read = [key_read[k] for k in entities], response_read
            part.cells = [(new[k], r, n) for k, r, n in self.cells if k in new]
        else:
            part.response = [self.response[r] for r in entities]
            part.response_sizes = [self.response_sizes[r] for r in entities]
            part.as_read = key_read, [response_read[r] for r in entities]
            part.cells = [(k, new[r], n) for k, r, n in self.cells if r in new]
        part.lone_cells, part.shared_cells = [], part.cells  # an alignment may take any
        part.key_mentions = sum(part.key_sizes)
        part.matched = sum([n for _, _, n in part.cells])
        return part

    def over_cells(
        self, values: CellValues, matched: bool = False, *, links: bool = False
    ) -> float:
        """Return the correctly rounded sum over all cells of what each adds.

        With `matched`, sizes are the numbers of mentions that the other side has too; with
        `links`, n has n(n-1)/2 links, as in `link_cells`. Values are floats, or integers of less
        than 2^53.
        """
        cells = self.link_cells if links else self.cells
        if matched:
            return fsum(values(cells, self.key_matched, self.response_matched))
        return fsum(values(cells, self.key_sizes, self.response_sizes))

    @property
    def link_cells(self) -> Cells:
        """The cells with the n that has as many links, n(n-1)/2, as there are within the cell."""
        return self.cells

    def over_entities(self, values: EntityValues, side: Side, matched: bool = False) -> Any:
        """Return the sum over the entities of a side of what each adds, by its size.

        With `matched`, the size is the number of mentions that the other side has too.
        """
        return total(values(getattr(self, f"{side}_matched" if matched else f"{side}_sizes")))

    def over_best(self, values: CellValues, side: Side) -> Any:
        """Return the sum over the entities of a side of the greatest value among the cells of each.

        Values are 0 or more; an entity without a cell adds nothing. Pass the same function for each
        document.
        """
        place = SIDES.index(side)
        greatest: dict[int, Any] = {}
        weights = values(self.cells, self.key_sizes, self.response_sizes)
        for cell, value in zip(self.cells, weights, strict=True):
            entity = cell[place]
            if value > greatest.get(entity, 0):
                greatest[entity] = value
        return total(list(greatest.values()))

    def assigned(self, similarities: CellValues) -> Any:
        """Return the greatest total similarity, 0 or more, of entities assigned one to one.

        Pass the same function for each document: tables of records compute it for all at once.
        """
        from corefmeter.matching.solver import best_assignment

        sizes = self.key_sizes, self.response_sizes
        weights = similarities(self.shared_cells, *sizes)
        edges = [(k, r, w) for (k, r, _), w in zip(self.shared_cells, weights, strict=True)]
        chosen = [weight for _, _, weight in best_assignment(edges)]
        return total([*similarities(self.lone_cells, *sizes), *chosen])

    @property
    def key_entities(self) -> int:
        """The number of entities of the key."""
        return len(self.key_sizes)

    @property
    def response_entities(self) -> int:
        """The number of entities of the response."""
        return len(self.response_sizes)

    @property
    def shared_entities(self) -> float:
        """The number of cells: pairs of entities that share a mention."""
        return len(self.cells)

    @property
    def response_memberships(self) -> int:
        """The sizes of the response entities together: a mention counts as often as it occurs."""
        return sum(self.response_sizes)

    @property
    def response_mentions(self) -> int:
        """The number of distinct response mentions."""
        if self.repeats:
            return len({mention for entity in self.response for mention in entity})
        return sum(self.response_sizes)

    @property
    def key_matched(self) -> list[int]:
        """The number of matched mentions of each key entity."""
        matched = [0] * len(self.key_sizes)
        for k, _, n in self.cells:
            matched[k] += n
        return matched

    @property
    def response_matched(self) -> list[int]:
        """The number of matched mentions of each response entity."""
        matched = [0] * len(self.response_sizes)
        for _, r, n in self.cells:
            matched[r] += n
        return matched

    @property
    def links_in_common(self) -> int:
        """The coreference links of both sides, |C_k & C_r|: those within the cells."""
        return links_within([n for _, _, n in self.cells])

    @property
    def key_links(self) -> Links:
        """The links of the key, |C_k| and |N_k|."""
        return self._links("key", self.key_mentions)

    @property
    def response_links(self) -> Links:
        """The links of the response as sets of pairs, |C_r| and |N_r|."""
        if self.repeats:
            return distinct_links(self.response)
        return self._links("response", self.response_mentions)

    @property
    def matched_links(self) -> tuple[Links, Links]:
        """The links of the key and of the response among the mentions that both have."""
        return self._links("key", self.matched, True), self._links("response", self.matched, True)

    def _links(self, side: Side, mentions: int, matched: bool = False) -> Links:
        ordered: int = self.over_entities(lambda sizes: [n * (n - 1) for n in sizes], side, matched)
        coreference = ordered // 2
        return Links(coreference, pairs(mentions) - coreference)

    @property
    def common_links(self) -> Links:
        """The links of both sides, |C_k & C_r| and |N_k & N_r|.

        Of the pairs of matched mentions, those within one key entity or within one response
        entity are not non-coreference links of both sides; pairs within a cell are in both.
        """
        coreference = self.links_in_common
        of_key, of_response = self.matched_links
        return Links(coreference, of_key.noncoreference - of_response.coreference + coreference)


def total(values: Sequence[Any]) -> Any:
    """Return the sum: exact if the values are integers, else correctly rounded."""
    plain_sum = sum(values)
    return plain_sum if isinstance(plain_sum, int) else fsum(values)


def _has_copies(entities: Entities) -> bool:
    distinct: set[Mention] = set()
    return sum(map(len, entities)) > len(distinct.union(*entities))


def _count_cells(key: Entities, response: Entities) -> Cells:
    """Return the cells of the table, response entity by response entity."""
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    find = home.get
    cells: Cells = []
    for r, entity in enumerate(response):
        if len(entity) == 1:  # a fast path for singletons, which are many
            if (home_of_it := find(entity[0])) is not None:
                cells.append((home_of_it, r, 1))
            continue
        row: dict[int, int] = {}
        for k in map(find, entity):
            if k is not None:
                row[k] = row.get(k, 0) + 1
        for k, n in row.items():
            cells.append((k, r, n))
    return cells


def divided(cells: Cells, key_entities: int, response_entities: int) -> tuple[Cells, Cells]:
    """Split cells into lone ones, whose two entities have no other partner, and shared ones.

    Of the shared ones, those of response entities with several partners come first.
    """
    of_key, of_response = [0] * key_entities, [0] * response_entities
    for k, r, _ in cells:
        of_key[k] += 1
        of_response[r] += 1
    lone: Cells = []
    shared: Cells = []
    single: Cells = []
    for cell in cells:
        k, r, _ = cell
        if of_response[r] > 1:
            shared.append(cell)
        elif of_key[k] > 1:
            single.append(cell)
        else:
            lone.append(cell)
    return lone, shared + single


def distinct_links(entities: Entities) -> Links:
    """Return the links of entities that repeat mentions, each distinct pair counted once.

    As in the official scorer v8.01, a mention that occurs twice is paired with itself too, and a
    pair may be both a coreference and a non-coreference link.

    >>> distinct_links([["a", "b"], ["x"], ["x"], ["c"]])
    Links(coreference=1, noncoreference=6)
    """
    homes = grouped((mention, i) for i, entity in enumerate(entities) for mention in entity)
    repeated = [where for where in homes.values() if len(where) > 1]
    single_sizes = [sum(len(homes[mention]) == 1 for mention in entity) for entity in entities]
    singles = sum(single_sizes)
    coreference = links_within(single_sizes)
    noncoreference = pairs(singles) - coreference
    for position, where in enumerate(repeated):
        places = set(where)
        with_singles = sum(single_sizes[index] for index in places)
        coreference += with_singles + (len(places) < len(where))
        # If copies are in two entities, one of them is outside the entity of any other mention.
        noncoreference += singles if len(places) > 1 else singles - with_singles
        noncoreference += len(places) > 1
        for other in repeated[:position]:
            coreference += not places.isdisjoint(other)
            noncoreference += len(places.union(other)) > 1
    return Links(coreference, noncoreference)
