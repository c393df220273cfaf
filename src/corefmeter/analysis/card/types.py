"""By type: mentions of each length and kind, and entities of each type.

Mentions found, by a feature of theirs (`corefmeter.mentions.features`): the length and whether it
is an empty node always; any other feature on request, since only that needs the words of the texts.
A mention of the key has its features from the key, any other from the response. The rows of a
feature add up to the metric ``mentions``.

Entities, by LEA and any feature that was asked for: an entity belongs where its named mentions do,
if it has some of which the feature is known; else where most of its mentions do. Of groups with as
many, it is that of the first of these mentions in the text, in whatever order they are listed. If
nothing is known of any, it is ``unknown``. The rows add up to ``lea``.

Scores with mention types left out of both sides, for the feature ``kind``: as if the key and the
response had been annotated without pronouns, or with names only. They are left out if the type of
any mention is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any

from corefmeter.analysis.card.parts import (
    Basis,
    Numbered,
    Part,
    groups_of,
    places_by,
    sides_of,
    sum_rows,
)
from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import content_key, pieces_if_any, tokens_of
from corefmeter.corpus.structures import grouped
from corefmeter.mentions.features import LENGTHS, UNKNOWN, number_group, ordered_groups
from corefmeter.metrics import Overlap
from corefmeter.metrics.base import Row
from corefmeter.preparation import Prepared
from corefmeter.recipe import Recipe

MENTIONS, ENTITIES, TYPES = "mentions", "entities", "types"

#: The features by which mentions are counted in any case.
ALWAYS = ("tokens", "zero")

#: The lines of scores with mention types left out, each with the type that it needs.
LEFT_OUT = {"without pronouns": "pronoun", "names only": "name"}

#: Returns the group of a mention.
Group = Callable[[Mention], str]


def is_by_feature(section: str, by: str) -> bool:
    """Return whether the lines of a section are there because a feature was asked for.

    >>> is_by_feature("mentions", "kind"), is_by_feature("mentions", "zero")
    (True, False)
    """
    return section in (MENTIONS, ENTITIES, TYPES) and by not in ALWAYS


def parts(basis: Basis, by: Sequence[str]) -> Iterator[Part]:
    """Yield the lines of mentions and entities; groups that are not worth a line have none."""
    joined = basis.recipe.as_one_document
    counts = [_count_by_group(unit, _group_lengths(unit, joined)) for unit in basis.numbered]
    yield from _mention_parts(basis, "tokens", counts)
    yield from _mention_parts(basis, "zero", [*map(_group_zeros, counts)])
    for feature in by:
        groups = [cache(partial(one.group, feature=feature)) for one in basis.features]
        if feature not in ALWAYS:
            named = zip(basis.numbered, groups, strict=True)
            counts = [_count_by_group(one, [*map(group, one.mentions)]) for one, group in named]
            yield from _mention_parts(basis, feature, counts)
        places = [
            places_by(sides_of(one), partial(type_of, kind=kinds.kind, group=group))
            for one, kinds, group in zip(basis.prepared, basis.features, groups, strict=True)
        ]
        types = groups_of(places)
        if basis.also or types != {UNKNOWN}:
            order = ordered_groups((types | {basis.also}) - {""})
            yield from basis.parts_by_entity(ENTITIES, feature, places, order)


def type_parts(basis: Basis) -> Iterator[Part]:
    """Yield the score, and the scores with mention types left out; none if a type is unknown."""
    units = zip(basis.numbered, basis.features, strict=True)
    kinds = [[*map(of.kind, one.mentions)] for one, of in units]
    known = {*chain.from_iterable(kinds)}
    if UNKNOWN in known:
        return
    lines = [name for name, kind in LEFT_OUT.items() if kind in known or name == basis.also]
    if lines:
        yield Part(TYPES, "kind", "all mentions", basis.result)
    for name in lines:
        kind, is_only = LEFT_OUT[name], name == "names only"
        kept = [{m for m, of in enumerate(unit) if (of == kind) == is_only} for unit in kinds]
        tables = [
            [_table_of_kept(*unit, basis.recipe)]
            for unit in zip(basis.prepared, basis.numbered, kept, strict=True)
        ]
        yield Part(TYPES, "kind", name, basis.result_of_tables(tables))


def _table_of_kept(unit: Prepared, numbers: Numbered, kept: set[int], recipe: Recipe) -> Overlap:
    """Return the table of the kept mentions; the policy for singletons applies to new ones too."""
    sides: list[Any] = []
    for side, entities in (("key", numbers.key), ("response", numbers.response)):
        least = 2 if recipe.singletons in ("drop", f"drop-{side}") else 1
        pairs = ((entity, [m for m in entity if m in kept]) for entity in entities)
        sides.append([some for entity, some in pairs if len(some) >= min(least, len(entity))])
    read = numbers.as_read(unit.table) if callable(recipe.lea_importance) else None
    return Overlap(sides[0], sides[1], unit.table.repeats, read and read((sides[0], sides[1])))


def _group_lengths(one: Numbered, joined: bool) -> list[str]:
    """Return the group of each mention by its tokens; one of joined documents is a pair."""
    if one.runs is not None:
        return [_length_group(end - start) for start, end in one.runs]
    # Types: they are pairs.
    return [length(mention[1] if joined else mention) for mention in one.mentions]  # type: ignore[index]


def length(mention: Mention) -> str:
    """Return the group of a mention by its tokens, as the feature ``tokens`` has it."""
    return _length_group(len(tokens_of(mention)) if pieces_if_any(mention) else None)


@cache
def _length_group(tokens: int | None) -> str:
    return number_group(tokens, LENGTHS)


def _count_by_group(numbered: Numbered, groups: Sequence[str]) -> dict[str, Row]:
    """Return the statistics of the metric ``mentions`` by group, from the group of each mention."""
    key, response = numbered.key_mentions, [*chain.from_iterable(numbered.once)]
    sides = key, response, filter(key.__contains__, response)
    of_key, of_response, of_both = (Counter(map(groups.__getitem__, side)) for side in sides)
    return {
        name: (of_both[name], of_key[name], of_both[name], of_response[name])
        for name in of_key | of_response
    }


def _group_zeros(lengths: Mapping[str, Row]) -> dict[str, Row]:
    """Return the statistics by whether mentions are empty nodes, which have no token."""
    names = {"0": "yes", UNKNOWN: UNKNOWN}
    rows = grouped((names.get(length, "no"), row) for length, row in lengths.items())
    return {name: sum_rows(some, 4) for name, some in rows.items()}


def _mention_parts(basis: Basis, by: str, counts: Sequence[Mapping[str, Row]]) -> Iterator[Part]:
    """Yield a part for each group of mentions; none if all mentions are in one group.

    `by` is the name of the grouping, `counts` has the groups of each document.
    """
    names = {basis.also, *chain.from_iterable(counts)} - {""}
    if len(names) < 2 and not basis.also:
        return
    for name in ordered_groups(names):
        rows = [groups.get(name, (0,) * 4) for groups in counts]
        yield Part(MENTIONS, by, name, basis.result_of("mentions", rows))


def type_of(entity: Sequence[Mention], kind: Group, group: Group) -> str:
    """Return the group of most names of an entity, or else of most of its mentions."""
    groups = [(mention, name) for mention in entity if (name := group(mention)) != UNKNOWN]
    groups = [(mention, name) for mention, name in groups if kind(mention) == "name"] or groups
    if not groups:
        return UNKNOWN
    counts = Counter(name for _, name in groups)
    most = max(counts.values())
    of_most = [mention for mention, name in groups if counts[name] == most]
    return group(of_most[0] if len(counts) == 1 else min(of_most, key=content_key))
