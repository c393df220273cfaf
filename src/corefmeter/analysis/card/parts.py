"""Constructions: from the entities of key and response to those of which a section has the scores.

Each takes the entities of both sides after all policies and matching, where a mention of both sides
is equal to its partner, or their table, and gives a table that any metric can count.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from operator import sub
from typing import Any, NamedTuple, TypeAlias

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import content_key, is_run
from corefmeter.corpus.structures import grouped
from corefmeter.mentions.features import Features
from corefmeter.metrics import Metric, Overlap, make
from corefmeter.metrics.base import Row
from corefmeter.metrics.overlap import SIDES, Cells, Side, divided, total
from corefmeter.preparation import Prepared
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.units import Unit

#: The entities of key and response.
Sides: TypeAlias = tuple[Entities, Entities]

#: By group the indexes of the entities: of the key, and of the response.
Places: TypeAlias = tuple[Mapping[str, Sequence[int]], Mapping[str, Sequence[int]]]


class Part(NamedTuple):
    """A line of the card: its section, such as ``linking``, its breakdown, such as ``kind`` or
    ``""``, its name there, and its result, the statistics by document.
    """

    section: str
    by: str
    name: str
    result: Result

    @property
    def full(self) -> str:
        """The unique name, ``section/by/name``."""
        return "/".join(filter(None, self[:3]))


def sides_of(unit: Prepared) -> Sides:
    """Return the entities of a unit."""
    return unit.named.key.entities, unit.named.response.entities


@dataclass(frozen=True)
class Basis:
    """What all sections of a card are counted from.

    `result` is the score, by metrics of entities alone, and `features` are those of the mentions of
    each unit, if the card is broken down by some. A line that is called `also` is there even where
    nothing, or all, is in it.
    """

    prepared: Sequence[Prepared]
    result: Result
    features: Sequence[Features] = ()
    also: str = ""

    @cached_property
    def numbered(self) -> list[Numbered]:
        """The units with numbers for mentions."""
        return [*map(Numbered, self.prepared)]

    @property
    def recipe(self) -> Recipe:
        """The recipe of the score."""
        return self.result.recipe

    def result_of(self, metric: str, rows: list[Row]) -> Result:
        """Return the result of a metric, from its statistics by unit."""
        return self._make_result(self.recipe.replace(metrics=(metric,)), {metric: rows})

    def result_of_tables(
        self, tables: Sequence[Sequence[Overlap]], metrics: tuple[str, ...] = ()
    ) -> Result:
        """Return the result of the tables of each unit, by other metrics if these are given."""
        recipe = self.recipe.replace(metrics=metrics or self.recipe.metrics)
        rows: dict[str, list[Row]] = {}
        for name in recipe.base_metrics():
            metric = make(name, recipe)
            by_unit = [[metric.statistics(table) for table in of_unit] for of_unit in tables]
            rows[name] = [sum_rows(of_tables, len(metric.fields)) for of_tables in by_unit]
        return self._make_result(recipe, rows)

    def _make_result(self, recipe: Recipe, rows: dict[str, list[Row]]) -> Result:
        return Result(recipe, [Unit.of(unit.key) for unit in self.prepared], rows)

    def parts_by_entity(
        self, section: str, by: str, places: Sequence[Places], order: Sequence[str]
    ) -> Iterator[Part]:
        """Yield a line with the LEA of each group of entities; empty groups have none.

        LEA is a sum over entities, so the lines add up to the score.
        """
        metric = make("lea", self.recipe)
        shown = groups_of(places) | {self.also}
        for group in filter(shown.__contains__, order):
            rows = [
                _row_of_group(metric, unit.table, of_unit, group)
                for unit, of_unit in zip(self.prepared, places, strict=True)
            ]
            yield Part(section, by, group, self.result_of("lea", rows))


def sum_rows(rows: Sequence[Row], fields: int) -> Row:
    """Return the sum of rows of so many numbers; floats correctly rounded."""
    if len(rows) == 1:
        return rows[0]
    return tuple(map(total, zip(*rows, strict=True))) or (0,) * fields


def places_by(sides: Sides, group: Callable[[Sequence[Mention]], str]) -> Places:
    """Return the indexes of entities by the group that a function gives, for both sides.

    >>> places_by(([["a"], ["b", "c"], ["d"]], []), lambda entity: str(len(entity)))
    ({'1': [0, 2], '2': [1]}, {})
    """
    key, response = (
        grouped((group(entity), place) for place, entity in enumerate(entities))
        for entities in sides
    )
    return key, response


def groups_of(places: Sequence[Places]) -> set[str]:
    """Return the groups that any entity of either side belongs to."""
    return {group for unit in places for side in unit for group in side}


def _row_of_group(metric: Metric, table: Overlap, places: Places, group: str) -> Row:
    """Return recall of the key entities of a group, and precision of the response's."""
    of_key, of_response = (side.get(group) for side in places)
    recall = metric.statistics(table.only("key", of_key))[:2] if of_key else (0, 0)
    if not of_response:
        return *recall, 0, 0
    return *recall, *metric.statistics(table.only("response", of_response))[2:]


def cut_entities(
    entities: Entities, piece_of: Callable[[Mention], Hashable]
) -> dict[Hashable, Entities]:
    """Cut entities at the borders of pieces of the text, and return those of each piece.

    >>> cut_entities([["a1", "a2", "b1"]], lambda mention: mention[0])
    {'a': [['a1', 'a2']], 'b': [['b1']]}
    """
    by_piece: dict[Hashable, Entities] = {}
    for entity in entities:
        for piece, mentions in grouped((piece_of(m), m) for m in entity).items():
            by_piece.setdefault(piece, []).append(mentions)
    return by_piece


def tables_of_pieces(
    key: Mapping[Hashable, Entities],
    response: Mapping[Hashable, Entities],
    repeats: bool,
    read: Callable[[Sides], Sides] | None = None,
) -> list[Overlap]:
    """Return the table of each piece of a text; see `cut_entities`, `Overlap` and `as_read`."""
    names = dict.fromkeys([*key, *response])
    pieces = ((key.get(name, []), response.get(name, [])) for name in names)
    return [Overlap(*both, repeats, read and read(both)) for both in pieces]


def keep_mentions(entities: Entities, mentions: Container[object]) -> Entities:
    """Return entities with only the given mentions, without entities that become empty."""
    reduced = [[mention for mention in entity if mention in mentions] for entity in entities]
    return [entity for entity in reduced if entity]


def drop_copies(entities: Entities) -> Entities:
    """Return entities with each mention in the first of them only.

    >>> drop_copies([["a", "b", "a"], ["b"]])
    [['a', 'b']]
    """
    seen: set[Mention] = set()
    unique = []
    for entity in entities:
        new = [mention for mention in dict.fromkeys(entity) if mention not in seen]
        seen.update(new)
        unique.append(new)
    return [entity for entity in unique if entity]


class Numbered:
    """The entities of a unit with numbers for mentions, which are looked up faster.

    `once` has the response's entities with each mention in the first of them only; `mentions` the
    mention of each number; `runs` the same if all are runs of tokens, else None; `key_mentions`
    the numbers of the key's, which come first.
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
        self.once: Any = drop_copies(self.response) if one.table.repeats else self.response

    def order(self, number: Any) -> tuple[Any, ...]:
        """Return the sort key of mentions by content."""
        return content_key(self.mentions[number])

    def as_read(self, table: Overlap) -> Callable[[Sides], Sides]:
        """Map entities of numbers to those of mentions, as the table of the unit was read."""
        mention_of: Any = self.mentions.__getitem__
        read = as_read(table)

        def read_numbers(sides: Sides) -> Sides:
            key, response = ([[*map(mention_of, entity)] for entity in side] for side in sides)
            return read((key, response))

        return read_numbers


def as_read(table: Overlap) -> Callable[[Sides], Sides]:
    """Map entities of table mentions to entities of the mentions that were read.

    A mention that a construction takes from the other side is as that side has it.

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
    """A table counted from another one, without a look at the mentions.

    `entities` and `as_read` make the entities for a metric that asks for them. `alone` has more
    cells, of mentions that are alone on one side, within entities of the side `within`; an
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

    >>> shared = Shared(Overlap([["a", "b", "c"]], [["a", "x"], ["b"]]))
    >>> shared.on_key_mentions.as_read, shared.with_key_links.as_read
    (([['a', 'b', 'c']], [['a'], ['b'], ['c']]), ([['a', 'b', 'c']], [['a', 'b'], ['x']]))
    """

    def __init__(self, table: Overlap) -> None:
        self.whole = table
        if table.repeats:
            table = Overlap(table.key, drop_copies(table.response), False)
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
        common = self.response_common
        missing = self.key_common.alone
        cells = [(k, common.place[r], n) for k, r, n in self.table.cells]
        alone = [(k, r, 1) for r, k in enumerate(missing, len(common.sizes))]
        return CountedOverlap(
            self.table.key_sizes,
            [*common.sizes, *[1] * len(missing)],
            cells,
            lambda: (self.key, [*self._common()[1], *lone_mentions(self.key, self.response)]),
            self._as_read,
            alone,
        )

    @property
    def on_response_mentions(self) -> Overlap:
        """The key's links on the mentions of the response; spurious mentions have no link."""
        common = self.key_common
        cells = [(common.place[k], r, n) for k, r, n in self.table.cells]
        alone = [(k, r, 1) for k, r in enumerate(self.response_common.alone, len(common.sizes))]
        return CountedOverlap(
            self._linked_sizes,
            self.table.response_sizes,
            cells,
            lambda: (self._linked(), self.response),
            self._as_read,
            alone,
            "response",
        )

    @property
    def with_key_links(self) -> Overlap:
        """The key, and the response's mentions linked as in the key."""
        common = self.key_common
        cells = [(k, place, common.sizes[place]) for k, place in common.place.items()]
        sizes = self.table.key_sizes, self._linked_sizes
        return CountedOverlap(*sizes, cells, lambda: (self.key, self._linked()), self._as_read)

    @property
    def _linked_sizes(self) -> list[int]:
        return [*self.key_common.sizes, *[1] * len(self.response_common.alone)]

    def _linked(self) -> Entities:
        """Return the response's mentions linked as in the key; spurious ones have no link."""
        return [*self._common()[0], *lone_mentions(self.response, self.key)]

    def _as_read(self, sides: Sides) -> Sides:
        return as_read(self.whole)(sides)

    def _common(self) -> Sides:
        of_key, of_response = ({*chain.from_iterable(side)} for side in (self.key, self.response))
        return keep_mentions(self.key, of_response), keep_mentions(self.response, of_key)


class Common:
    """The entities of a side on the mentions that the other side has too.

    `place` maps the index of an entity to that among those that are not empty; `sizes` are theirs;
    `alone` has the index of the entity of each mention that the other side lacks.
    """

    def __init__(self, sizes: Sequence[int], matched: Sequence[int]) -> None:
        self.place = {place: n for n, place in enumerate(p for p, m in enumerate(matched) if m)}
        self.sizes = [n for n in matched if n]
        lacking = enumerate(map(sub, sizes, matched))
        self.alone = [place for place, n in lacking for _ in range(n)]


def lone_mentions(entities: Entities, others: Entities) -> Entities:
    """Return the mentions that other entities do not have, each alone."""
    shared = {*chain.from_iterable(others)}
    return [[mention] for entity in entities for mention in entity if mention not in shared]
