"""Long texts: links by their length, entities by their span, and the price of windows.

Links by distance
    All pairs of mentions of an entity, by how far apart they begin: in tokens; in sentences, where
    they are known; and in places among the mentions of their side (1: next to each other). Those
    of the key are divided for recall, those of the response for precision; they add up to the
    metric ``links``. Pairs are counted from sorted places, never one by one.
Entities by span
    LEA by how many tokens lie between the beginnings of the first and the last mention.
Windows
    Texts are cut every N tokens; a mention is in the window of its first token. *Inside*: each
    window is scored as a document, without links across windows. *Stitched*: the response is cut at
    the windows, and the pieces that belong to the same key entity are joined again: the response
    without its errors across windows. A piece belongs to the key entity of which it holds most
    mentions, or, of several, to that of the mention that is read first. See docs/card.md.

Positions are those of the mention, in the key if both sides have it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count, pairwise
from typing import Any

from corefmeter.analysis.card.parts import (
    Basis,
    Numbered,
    Part,
    cut_entities,
    places_by,
    tables_of_pieces,
)
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import content_key, order_of_runs, outer_span, reading_key
from corefmeter.corpus.structures import grouped
from corefmeter.mentions.features import GAPS, SPANS, UNKNOWN, groups_at, number_group
from corefmeter.metrics import Overlap
from corefmeter.metrics.base import Row
from corefmeter.metrics.links import LinkPairs
from corefmeter.metrics.overlap import pairs as number_of_pairs
from corefmeter.preparation import Prepared

SECTION = "long"

#: What the lines of windows are broken down by.
_WINDOWS = "windows of {} tokens"

#: Where groups of distances begin, by what they count.
BOUNDS: dict[str, tuple[int, ...]] = {
    "tokens apart": GAPS,
    "sentences apart": (0, 1, 2, 5, 15, 50),
    "mentions apart": (1, 2, 4, 10, 30, 100),
}


def parts(basis: Basis, window: int) -> Iterator[Part]:
    """Yield the lines of the section, with windows of `window` tokens; none without positions."""
    try:
        starts = [*map(_find_first_tokens, basis.numbered)]
    except TypeError:
        return
    yield from _link_parts(basis, starts)
    places = [
        places_by((unit.key, unit.response), partial(_span_group, starts=of_mentions))
        for unit, of_mentions in zip(basis.numbered, starts, strict=True)
    ]
    yield from basis.parts_by_entity(SECTION, "span in tokens", places, groups_at(SPANS))
    if basis.also or any(start >= window for of_mentions in starts for start in of_mentions):
        yield from _window_parts(basis, starts, window)


def window_size(by: str) -> int | None:
    """Return the tokens of the windows that a name of a breakdown gives, None if it gives none."""
    match = re.fullmatch(_WINDOWS.format("([0-9]{1,9})"), by)
    return int(match[1]) if match else None


def _span_group(entity: Sequence[Any], starts: Sequence[int]) -> str:
    places = [*map(starts.__getitem__, entity)]
    return number_group(max(places) - min(places), SPANS)


def _find_first_tokens(unit: Numbered) -> list[int]:
    return [start for start, _ in unit.runs or map(outer_span, unit.mentions)]


def _link_parts(basis: Basis, starts: Sequence[list[int]]) -> Iterator[Part]:
    units = zip(basis.prepared, basis.numbered, starts, strict=True)
    counts = [_links_by_distance(*unit) for unit in units]
    for by, bounds in BOUNDS.items():
        if not any(by in known for known, _ in counts):
            continue
        by_unit = [known.get(by, {UNKNOWN: whole}) for known, whole in counts]
        for group in (*groups_at(bounds), UNKNOWN):
            rows = [groups.get(group, (0,) * 4) for groups in by_unit]
            if group == basis.also or any(map(any, rows)):
                yield Part(SECTION, by, group, basis.result_of("links", rows))


def _links_by_distance(
    one: Prepared, numbered: Numbered, starts: list[int]
) -> tuple[dict[str, dict[str, Row]], Row]:
    """Return the statistics of `LinkPairs` by known distance and group, and those of all links.

    Copies of a mention, whose distance is not known, are ``unknown``, so that groups add up.
    """
    key, response = numbered.key, numbered.once
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    cells: list[list[int]] = []
    for entity in response:
        cells += grouped((home[m], m) for m in entity if m in home).values()
    order = _sort_mentions(numbered)
    of_key, of_response = (_rank_mentions(order, side) for side in (key, response))
    places = {"tokens apart": (starts, starts), "mentions apart": (of_key, of_response)}
    text = one.key.text or one.response.text
    if text is not None and len(text.sentences) > 1:
        sentences = [bisect_right(text.sentences, start) for start in starts]
        places["sentences apart"] = sentences, sentences
    whole = LinkPairs().statistics(one.table)
    found: dict[str, dict[str, Row]] = {}
    for by, (in_key, in_response) in places.items():
        bounds = BOUNDS[by]
        recalled = found_apart = pairs_apart(cells, in_key, bounds)
        if in_key is not in_response:
            found_apart = pairs_apart(cells, in_response, bounds)
        given = pairs_apart(response, in_response, bounds)
        columns = recalled, pairs_apart(key, in_key, bounds), found_apart, given
        rows: dict[str, Row] = dict(zip(groups_at(bounds), zip(*columns, strict=True), strict=True))
        known = map(sum, columns)
        rows[UNKNOWN] = tuple(every - some for every, some in zip(whole, known, strict=True))
        found[by] = rows
    return found, whole


def _sort_mentions(one: Numbered) -> list[int]:
    if one.runs is not None:
        return order_of_runs(one.runs)
    return sorted(range(len(one.mentions)), key=[*map(reading_key, one.mentions)].__getitem__)


def _rank_mentions(order: Sequence[int], entities: Sequence[Sequence[int]]) -> list[int]:
    """Return the rank of each mention among those of some entities, given the order of all."""
    ranked = {*chain.from_iterable(entities)}
    ranks = [0] * len(order)
    for rank, mention in enumerate([mention for mention in order if mention in ranked]):
        ranks[mention] = rank
    return ranks


def pairs_apart(
    entities: Sequence[Sequence[int]], places: Sequence[int], bounds: Sequence[int]
) -> list[int]:
    """Count pairs within entities by distance, in groups that begin at the given bounds.

    >>> pairs_apart([[0, 1, 2], [3]], [0, 3, 20, 21], [0, 5, 18])
    [1, 1, 1]
    """
    several = [entity for entity in entities if len(entity) > 1]
    furthest = max(places, default=0)
    # All entities in one row, further from each other than any bound.
    step = furthest + bounds[-1] + 1
    row = sorted([places[m] + far for far, entity in zip(count(0, step), several) for m in entity])
    every = sum([number_of_pairs(len(entity)) for entity in several])
    below = [0]
    for bound in bounds[1:]:
        if bound > furthest:
            below.append(every)
            continue
        far = near = 0
        for too_far in [place - bound for place in row]:
            while row[near] <= too_far:
                near += 1
            far += near
        below.append(number_of_pairs(len(row)) - far)
    return [after - before for before, after in pairwise([*below, every])]


def join_pieces(
    key: Entities, pieces: Iterable[list[Mention]], order: Callable[[Mention], Any] = content_key
) -> Entities:
    """Return pieces joined if they belong to the same key entity, the one they share most with.

    If several key entities share as many mentions, that of the first mention by `order` is taken.

    >>> join_pieces([["a", "b", "c"], ["d"]], [["a"], ["b", "c"], ["d", "x"], ["y"]])
    [['a', 'b', 'c'], ['d', 'x'], ['y']]
    """
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    # By key entity, or by a negative number of its own for a piece without key mentions.
    joined: dict[int, list[Mention]] = {}
    for number, piece in enumerate(pieces, 1):
        if len(piece) == 1:
            most = home.get(piece[0], -number)
        else:
            shared = Counter([home[mention] for mention in piece if mention in home])
            best = max(shared.values(), default=0)
            tied = [k for k, n in shared.items() if n == best]
            if len(tied) > 1:
                tied = [home[min((m for m in piece if home.get(m) in tied), key=order)]]
            most = tied[0] if tied else -number
        joined.setdefault(most, []).extend(piece)
    return list(joined.values())


def _window_parts(basis: Basis, starts: Sequence[list[int]], tokens: int) -> Iterator[Part]:
    recipe = basis.recipe
    inside, joined = [], []
    units = zip(basis.prepared, basis.numbered, starts, strict=True)
    for unit, numbers, of_mentions in units:
        # Types: mentions are numbers here.
        window_of: Any = [start // tokens for start in of_mentions].__getitem__
        key, response = (cut_entities(side, window_of) for side in (numbers.key, numbers.response))
        repeats = unit.table.repeats
        # Only a function of a user asks for them.
        read = numbers.as_read(unit.table) if callable(recipe.lea_importance) else None
        pieces = chain.from_iterable(response.values())
        whole = numbers.key, join_pieces(numbers.key, pieces, numbers.order)
        if recipe.singletons in ("drop", "drop-key"):
            key = _without_new_singletons(key, numbers.key)
        if recipe.singletons in ("drop", "drop-response"):
            response = _without_new_singletons(response, numbers.response)
        inside.append(tables_of_pieces(key, response, repeats, read))
        joined.append([Overlap(*whole, repeats, read and read(whole))])
    by = _WINDOWS.format(tokens)
    yield Part(SECTION, by, "whole", basis.result)
    yield Part(SECTION, by, "inside", basis.result_of_tables(inside))
    yield Part(SECTION, by, "stitched by the key", basis.result_of_tables(joined))


def _without_new_singletons(
    pieces: Mapping[Hashable, Entities], entities: Entities
) -> dict[Hashable, Entities]:
    """Return pieces without the singletons that the cutting has made."""
    alone = {entity[0] for entity in entities if len(entity) == 1}
    return {
        window: [piece for piece in found if len(piece) > 1 or piece[0] in alone]
        for window, found in pieces.items()
    }
