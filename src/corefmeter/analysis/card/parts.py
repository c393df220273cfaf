"""Constructions: from the entities of key and response to those of which a section has the scores.

Each takes the entities of both sides after all policies and matching, where a mention of both sides
is equal to its partner, and gives a pair of entities that any metric can count.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from corefmeter.corpus.model import Entities
from corefmeter.metrics import Metric, Overlap, make
from corefmeter.metrics.base import Row
from corefmeter.preparation import Prepared
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.units import Unit

#: From the entities of key and response to those that are scored instead.
Construction: TypeAlias = Callable[[Entities, Entities], tuple[Entities, Entities]]


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


def result_of_rows(
    prepared: Sequence[Prepared], recipe: Recipe, rows: Callable[[Prepared, Metric], Row]
) -> Result:
    """A result whose statistics are made unit by unit.

    Parameters
    ----------
    prepared
        The units.
    recipe
        Whose metrics are counted.
    rows
        From a unit and a metric to the statistics.
    """
    metrics = {name: make(name, recipe) for name in recipe.base_metrics()}
    return Result(
        recipe,
        [Unit(one.key.name, one.key.label, one.key.numbered) for one in prepared],
        {name: [rows(one, metric) for one in prepared] for name, metric in metrics.items()},
    )


def result_of_tables(
    prepared: Sequence[Prepared], recipe: Recipe, tables: Sequence[Sequence[Overlap]]
) -> Result:
    """A result of tables that are counted one by one: those of the first unit, of the second, …"""
    of = dict(zip(map(id, prepared), tables, strict=True))

    def rows(one: Prepared, metric: Metric) -> Row:
        found = [metric.statistics(table) for table in of[id(one)]]
        return found[0] if len(found) == 1 else added(found, len(metric.fields))

    return result_of_rows(prepared, recipe, rows)


def added(rows: Sequence[Row], fields: int) -> Row:
    """The sum of rows of so many numbers; floats correctly rounded."""
    from corefmeter.metrics.overlap import total

    return tuple(map(total, zip(*rows, strict=True))) or (0,) * fields


def kept(entities: Entities, mentions: Container[object]) -> Entities:
    """Entities without all other mentions; empty ones are gone.

    Examples
    --------
    >>> kept([["a", "b"], ["c"]], {"a"})
    [['a']]
    """
    found = [[mention for mention in entity if mention in mentions] for entity in entities]
    return [entity for entity in found if entity]


def with_singletons_of(entities: Entities, others: Entities) -> Entities:
    """Entities, and each mention of others that they lack as one of its own.

    Examples
    --------
    >>> with_singletons_of([["a", "b"]], [["b", "c"], ["c"]])
    [['a', 'b'], ['c']]
    """
    there = set(chain.from_iterable(entities))
    return [*entities, *([m] for m in dict.fromkeys(chain.from_iterable(others)) if m not in there)]


def on_common(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """Both sides on the mentions that both have.

    Examples
    --------
    >>> on_common([["a", "b", "c"]], [["a", "b", "x"], ["y"]])
    ([['a', 'b']], [['a', 'b']])
    """
    of_key, of_response = (set(chain.from_iterable(side)) for side in (key, response))
    return kept(key, of_response), kept(response, of_key)


def on_key_mentions(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """The response's links on the mentions of the key; those that it missed have no link.

    Examples
    --------
    >>> on_key_mentions([["a", "b", "c"]], [["a", "b", "x"], ["y"]])
    ([['a', 'b', 'c']], [['a', 'b'], ['c']])
    """
    _, response = on_common(key, response)
    return key, with_singletons_of(response, key)


def on_response_mentions(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """The key's links on the mentions of the response; those that it invented have no link.

    Examples
    --------
    >>> on_response_mentions([["a", "b", "c"]], [["a", "b", "x"], ["y"]])
    ([['a', 'b'], ['x'], ['y']], [['a', 'b', 'x'], ['y']])
    """
    linked, _ = on_common(key, response)
    return with_singletons_of(linked, response), response


def with_key_links(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """The response's mentions linked as in the key; those that it invented have no link.

    Examples
    --------
    >>> with_key_links([["a", "b", "c"]], [["a", "x"], ["b"]])
    ([['a', 'b', 'c']], [['a', 'b'], ['x']])
    """
    linked, _ = on_response_mentions(key, response)
    return key, linked
