"""Constructions: from the entities of key and response to those of which a section has the scores.

Each takes the entities of both sides after all policies and matching, where a mention of both sides
is equal to its partner, or their table, and gives a table that any metric can count.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from operator import sub
from typing import Any, NamedTuple, TypeAlias

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import content_key, is_run
from corefmeter.metrics import Metric, Overlap, make
from corefmeter.metrics.base import Row
from corefmeter.metrics.overlap import SIDES, Cells, Side, divided, total
from corefmeter.preparation import Prepared
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.units import Unit

#: The entities of key and response.
Sides: TypeAlias = tuple[Entities, Entities]


class Part(NamedTuple):
    """A line of the card.

    Attributes
    ----------
    section
        The section, such as ``linking``.
    by
        What the section is broken down by in this line, such as ``kind``; ``""`` for nothing.
    name
        The name of the line in its section and breakdown.
    result
        Its statistics by document, and from them its scores.
    """

    section: str
    by: str
    name: str
    result: Result

    @property
    def full(self) -> str:
        """The name that no other line has, ``section/by/name``."""
        return "/".join(filter(None, self[:3]))


def result_of(prepared: Sequence[Prepared], recipe: Recipe, rows: dict[str, list[Row]]) -> Result:
    """Return a result of the statistics of each metric by unit."""
    units = [Unit.of(one.key) for one in prepared]
    return Result(recipe, units, rows)


def result_of_rows(
    prepared: Sequence[Prepared], recipe: Recipe, rows: Callable[[int, Metric], Row]
) -> Result:
    """A result of the statistics that a function gives for the number of a unit and a metric."""
    metrics = {name: make(name, recipe) for name in recipe.base_metrics()}
    numbers = range(len(prepared))
    return result_of(
        prepared, recipe, {name: [rows(n, one) for n in numbers] for name, one in metrics.items()}
    )


def result_of_tables(
    prepared: Sequence[Prepared], recipe: Recipe, tables: Sequence[Sequence[Overlap]]
) -> Result:
    """A result of tables that are counted one by one: those of the first unit, of the second, …"""

    def rows(number: int, metric: Metric) -> Row:
        found = [metric.statistics(table) for table in tables[number]]
        return found[0] if len(found) == 1 else sum_rows(found, len(metric.fields))

    return result_of_rows(prepared, recipe, rows)


def sum_rows(rows: Sequence[Row], fields: int) -> Row:
    """Return the sum of rows of so many numbers; floats correctly rounded."""
    return tuple(map(total, zip(*rows, strict=True))) or (0,) * fields


#: By group the places of the entities of a side, for each unit.
Grouped: TypeAlias = Sequence[Mapping[str, Sequence[int]]]


def result_of_entities(
    prepared: Sequence[Prepared], recipe: Recipe, key: Grouped, response: Grouped, group: str
) -> Result:
    """Return the result of some entities: recall of those of the key, precision of the response's.

    The metrics of the recipe must be sums over entities, as LEA, B³ and MUC are. Then the results
    of groups that divide all entities add up to the score.
    """

    def rows(number: int, metric: Metric) -> Row:
        table = prepared[number].table
        of_key, of_response = key[number].get(group), response[number].get(group)
        row: Row = (0, 0)
        if of_key:
            row = metric.statistics(table.only("key", of_key))[:2]
        if of_response:
            return *row, *metric.statistics(table.only("response", of_response))[2:]
        return *row, 0, 0

    return result_of_rows(prepared, recipe, rows)


def parts_by_entity(
    prepared: Sequence[Prepared],
    recipe: Recipe,
    section: str,
    by: str,
    key: Grouped,
    response: Grouped,
    order: Sequence[str],
    also: str = "",
) -> Iterator[Part]:
    """LEA of groups of entities, those that are not empty, and `also`; see `result_of_entities`."""
    there = {also, *(group for one in (*key, *response) for group in one)}
    lea = recipe.replace(metrics=("lea",))
    for group in order:
        if group in there:
            result = result_of_entities(prepared, lea, key, response, group)
            yield Part(section, by, group, result)


def places_by(
    entities: Iterable[Sequence[Mention]], group: Callable[[Sequence[Mention]], str]
) -> dict[str, list[int]]:
    """Return the places of entities by the group that a function gives.

    Examples
    --------
    >>> places_by([["a"], ["b", "c"], ["d"]], lambda entity: str(len(entity)))
    {'1': [0, 2], '2': [1]}
    """
    found: dict[str, list[int]] = {}
    for place, entity in enumerate(entities):
        found.setdefault(group(entity), []).append(place)
    return found


def cut_entities(
    entities: Entities, piece_of: Callable[[Mention], Hashable]
) -> dict[Hashable, Entities]:
    """Entities cut where mentions belong to different pieces of the text: those of each piece.

    Examples
    --------
    >>> cut_entities([["a1", "a2", "b1"]], lambda mention: mention[0])
    {'a': [['a1', 'a2']], 'b': [['b1']]}
    """
    found: dict[Hashable, Entities] = {}
    for entity in entities:
        pieces: dict[Hashable, list[Mention]] = {}
        for mention in entity:
            pieces.setdefault(piece_of(mention), []).append(mention)
        for piece, mentions in pieces.items():
            found.setdefault(piece, []).append(mentions)
    return found


def tables_of_pieces(
    key: Mapping[Hashable, Entities],
    response: Mapping[Hashable, Entities],
    repeats: bool,
    read: Callable[[Sides], Sides] | None = None,
) -> list[Overlap]:
    """Return the table of each piece of a text; see `cut_entities`, `Overlap` and `as_read`."""
    pieces = [
        (key.get(piece, []), response.get(piece, [])) for piece in dict.fromkeys([*key, *response])
    ]
    return [Overlap(*both, repeats, read and read(both)) for both in pieces]


def kept(entities: Entities, mentions: Container[object]) -> Entities:
    """Entities without all other mentions; empty ones are gone.

    Examples
    --------
    >>> kept([["a", "b"], ["c"]], {"a"})
    [['a']]
    """
    found = [[mention for mention in entity if mention in mentions] for entity in entities]
    return [entity for entity in found if entity]


def once(entities: Entities) -> Entities:
    """Entities with each mention in the first of them alone.

    Examples
    --------
    >>> once([["a", "b", "a"], ["b"]])
    [['a', 'b']]
    """
    seen: set[Mention] = set()
    found = [
        [seen.add(mention) or mention for mention in entity if mention not in seen]  # type: ignore[func-returns-value]
        for entity in entities
    ]
    return [entity for entity in found if entity]


class Numbered:
    """The entities of a unit with numbers for mentions, which are looked up faster.

    Parameters
    ----------
    one
        The unit.

    Attributes
    ----------
    key, response : list of lists of int
        The entities.
    once : list of lists of int
        Those of the response with each mention in the first of them alone.
    mentions : list
        The mention of each number.
    runs : list of (int, int) or None
        The same, if all are runs of tokens.
    key_mentions : range
        The numbers of those of the key, which come first.
    """

    def __init__(self, one: Prepared) -> None:
        key, response = (document.entities for document in one.named)
        numbers: dict[Mention, int] = dict(zip(chain.from_iterable(key), count()))
        number = numbers.setdefault
        self.key_mentions = range(len(numbers))
        # Types: they are used as entities, and as places in lists.
        self.key: Any = [[*map(numbers.__getitem__, entity)] for entity in key]
        self.response: Any = [
            [number(mention, len(numbers)) for mention in entity] for entity in response
        ]
        self.mentions = list(numbers)
        runs = [mention for mention in numbers if is_run(mention)]
        self.runs = runs if len(runs) == len(numbers) else None
        self.once: Any = once(self.response) if one.table.repeats else self.response

    def order(self, number: Any) -> tuple[Any, ...]:
        """Return the sort key of mentions by content."""
        return content_key(self.mentions[number])

    def as_read(self, table: Overlap) -> Callable[[Sides], Sides]:
        """From entities of numbers to those of mentions, as the table of the unit was read."""
        names: Any = self.mentions.__getitem__  # by number
        read = as_read(table)
        return lambda sides: read(
            ([[*map(names, e)] for e in sides[0]], [[*map(names, e)] for e in sides[1]])
        )


def as_read(table: Overlap) -> Callable[[Sides], Sides]:
    """Map entities of table mentions to entities of the mentions that were read.

    A mention that a construction takes from the other side is as that side has it.

    Examples
    --------
    >>> table = Overlap([["a"], ["b"]], [["a", "x"]], None, ([["A"], ["B"]], [["A'", "X"]]))
    >>> as_read(table)(([["a", "x"]], [["a"], ["b"]]))
    ([['A', 'X']], [["A'"], ['B']])
    """
    key, response = (
        dict(zip(chain.from_iterable(named), chain.from_iterable(read), strict=True))
        for named, read in zip((table.key, table.response), table.as_read, strict=True)
    )
    of_key, of_response = response | key, key | response

    def read(sides: Sides) -> Sides:
        return (
            [[*map(of_key.__getitem__, entity)] for entity in sides[0]],
            [[*map(of_response.__getitem__, entity)] for entity in sides[1]],
        )

    return read


class CountedOverlap(Overlap):
    """A table that was counted from another one, without a look at the mentions.

    Parameters
    ----------
    key_sizes, response_sizes, cells
        As `Overlap` has them.
    entities
        What makes the entities, for a metric that asks for them.
    as_read
        From these to those of the mentions that were read.
    alone, within
        More cells, of mentions that are alone on one side; within entities of which side. An
        alignment takes at most one of those within an entity, whichever.
    """

    def __init__(
        self,
        key_sizes: list[int],
        response_sizes: list[int],
        cells: Cells,
        entities: Callable[[], Sides],
        as_read: Callable[[Sides], Sides],
        alone: Cells | None = None,
        within: Side = "key",
    ) -> None:
        alone = alone or []
        self.key_sizes, self.response_sizes, self.cells = key_sizes, response_sizes, cells + alone
        place = SIDES.index(within)
        choice = cells + list({cell[place]: cell for cell in alone}.values())
        self.lone_cells, self.shared_cells = divided(choice, len(key_sizes), len(response_sizes))
        self.key_mentions = sum(key_sizes)
        self.matched = sum([n for _, _, n in self.cells])
        self.repeats = False
        self._entities, self._as_read = entities, as_read

    def __getattr__(self, name: str) -> Any:
        """Compute the entities at first access."""
        if name == "as_read":
            self.as_read = self._as_read((self.key, self.response))
        elif name in SIDES:
            self.key, self.response = self._entities()
        else:
            raise AttributeError(name)
        return getattr(self, name)


class Shared:
    """Both sides divided by what the other side has, without copies of a mention.

    Parameters
    ----------
    table
        The table of both.

    Examples
    --------
    >>> shared = Shared(Overlap([["a", "b", "c"]], [["a", "x"], ["b"]]))
    >>> shared.on_common.as_read, shared.on_key_mentions.as_read
    (([['a', 'b']], [['a'], ['b']]), ([['a', 'b', 'c']], [['a'], ['b'], ['c']]))
    >>> shared.on_response_mentions.as_read, shared.with_key_links.as_read
    (([['a', 'b'], ['x']], [['a', 'x'], ['b']]), ([['a', 'b', 'c']], [['a', 'b'], ['x']]))
    >>> shared.with_key_links.cells
    [(0, 0, 2)]
    """

    def __init__(self, table: Overlap) -> None:
        self.whole = table
        if table.repeats:
            table = Overlap(table.key, once(table.response), False)
        self.key, self.response, self.table = table.key, table.response, table
        self.key_common = Common(table.key_sizes, table.key_matched)
        self.response_common = Common(table.response_sizes, table.response_matched)

    @property
    def on_common(self) -> Overlap:
        """Both sides on the mentions that both have."""
        of_key, of_response = self.key_common, self.response_common
        cells = [(of_key.place[k], of_response.place[r], n) for k, r, n in self.table.cells]
        return CountedOverlap(of_key.sizes, of_response.sizes, cells, self._common, self._as_read)

    @property
    def on_key_mentions(self) -> Overlap:
        """The response's links on the mentions of the key; those that it missed have no link."""
        missing, common = self.key_common.alone, self.response_common
        cells = [(k, common.place[r], n) for k, r, n in self.table.cells]
        alone = [(k, r, 1) for r, k in enumerate(missing, len(common.sizes))]
        return CountedOverlap(
            self.table.key_sizes,
            [*common.sizes, *[1] * len(missing)],
            cells,
            lambda: (self.key, [*self._common()[1], *lacking(self.key, self.response)]),
            self._as_read,
            alone,
        )

    @property
    def on_response_mentions(self) -> Overlap:
        """Put the key's links on the response's mentions; spurious mentions have no link."""
        extra, common = self.response_common.alone, self.key_common
        cells = [(common.place[k], r, n) for k, r, n in self.table.cells]
        alone = [(k, r, 1) for k, r in enumerate(extra, len(common.sizes))]
        return CountedOverlap(
            [*common.sizes, *[1] * len(extra)],
            self.table.response_sizes,
            cells,
            lambda: ([*self._common()[0], *lacking(self.response, self.key)], self.response),
            self._as_read,
            alone,
            "response",
        )

    @property
    def with_key_links(self) -> Overlap:
        """Link the response's mentions as in the key; spurious mentions have no link."""
        extra, common = self.response_common.alone, self.key_common
        cells = [(k, place, common.sizes[place]) for k, place in common.place.items()]
        return CountedOverlap(
            self.table.key_sizes,
            [*common.sizes, *[1] * len(extra)],
            cells,
            lambda: (self.key, [*self._common()[0], *lacking(self.response, self.key)]),
            self._as_read,
        )

    def _as_read(self, sides: Sides) -> Sides:
        return as_read(self.whole)(sides)

    def _common(self) -> Sides:
        of_key, of_response = ({*chain.from_iterable(side)} for side in (self.key, self.response))
        return kept(self.key, of_response), kept(self.response, of_key)


class Common:
    """The entities of a side on the mentions that the other side has too.

    Parameters
    ----------
    sizes, matched
        How many mentions each entity has, and how many of them the other side has too.

    Attributes
    ----------
    place : dict of int to int
        From the place of an entity to that among those that are not empty.
    sizes : list of int
        How many mentions these have.
    alone : list of int
        The place of the entity of each mention that the other side lacks.
    """

    def __init__(self, sizes: Sequence[int], matched: Sequence[int]) -> None:
        self.place = {place: n for n, place in enumerate(p for p, m in enumerate(matched) if m)}
        self.sizes = [n for n in matched if n]
        lacking = enumerate(map(sub, sizes, matched))
        self.alone = [place for place, n in lacking for _ in range(n)]


def lacking(entities: Entities, others: Entities) -> Entities:
    """Return the mentions that other entities do not have, each alone.

    Examples
    --------
    >>> lacking([["a", "b"], ["c"]], [["a"]])
    [['b'], ['c']]
    """
    there = {*chain.from_iterable(others)}
    return [[mention] for entity in entities for mention in entity if mention not in there]
