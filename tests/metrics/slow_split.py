"""Split antecedents from the definitions of Paun et al. 2023: slow, obvious and exact.

Nothing here uses the package. A side is its entities, lists of mentions, and its sets: pairs of a
plural entity and its members, both numbers of entities, which may be plural themselves. Numbers are
fractions. Where several alignments of sets are equally good, by their total F1 and then by the
total Dice coefficient of their entities, `rows` gives the numbers of each.

An entity is a list of members: mentions, and one object for each set. A mention that both sides
have weighs 1; a set weighs what its pair scores by the metric. A link weighs the product of the
weights of its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

Entities = list[list]


class Side(NamedTuple):
    entities: Entities
    sets: list[tuple[int, tuple[int, ...]]]


class SetOf(NamedTuple):
    """A set as a member: of which side, in which entity, and which entities it is made of."""

    side: str
    home: int
    parts: frozenset[int]


# Sets


def atoms(number: int, sets, above=frozenset()) -> frozenset[int]:
    """What an entity is made of: itself, or the atoms of its sets; none of a circle."""
    if number in above:
        return frozenset()
    mine = [members for plural, members in sets if plural == number]
    if not mine:
        return frozenset([number])
    return frozenset().union(
        *(atoms(member, sets, above | {number}) for members in mine for member in members)
    )


def prepared(side: Side, name: str) -> tuple[Entities, Entities]:
    """The entities with set members, after joining those with an equal set; and the mentions."""
    members = [
        (plural, frozenset().union(*(atoms(one, side.sets) for one in parts)))
        for plural, parts in side.sets
    ]
    groups = [{number} for number in range(len(side.entities))]
    for (one, parts), (other, others) in combinations(members, 2):
        if parts == others:
            touched = [group for group in groups if group & {one, other}]
            groups = [group for group in groups if group not in touched]
            groups.append(set().union(*touched))
    entities = []
    for home, group in enumerate(groups):
        mentions = [mention for number in sorted(group) for mention in side.entities[number]]
        own = {SetOf(name, home, parts) for plural, parts in members if plural in group}
        entities.append(mentions + sorted(own, key=lambda one: sorted(one.parts)))
    return entities, side.entities


def sets_in(entities: Entities) -> list[SetOf]:
    return [member for entity in entities for member in entity if isinstance(member, SetOf)]


def mentions_in(entity: list) -> set:
    return {member for member in entity if not isinstance(member, SetOf)}


# Metrics: numerators and denominators of recall; `weigh` maps a member and an entity of the other
# side to what the member counts there, 0 where it is not.


def weights(entity, other, weigh) -> list[Fraction]:
    found = [weigh(member, other) for member in entity]
    return [weight for weight in found if weight]


def muc(entities, others, weigh):
    """What each entity shares with another, less the member that needs no link: the heaviest."""
    kept = Fraction(0)
    for entity in entities:
        for other in others:
            found = weights(entity, other, weigh)
            kept += sum(found) - max(found, default=0)
    return kept, sum(len(entity) - 1 for entity in entities)


def b3(entities, others, weigh):
    total = Fraction(0)
    for entity in entities:
        for other in others:
            total += Fraction(sum(weights(entity, other, weigh))) ** 2 / len(entity)
    return total, sum(map(len, entities))


def lea(entities, others, weigh):
    total = Fraction(0)
    for entity in entities:
        for other in others:
            found = weights(entity, other, weigh)
            if len(entity) == 1:
                total += sum(found) if len(other) == 1 else 0
            else:
                right = Fraction(sum(one * two for one, two in combinations(found, 2)))
                total += len(entity) * right / Fraction(len(entity) * (len(entity) - 1), 2)
    return total, sum(map(len, entities))


def ceaf(phi):
    def sides(key, response, weigh):
        similarity = [[phi(k, r, sum(weights(k, r, weigh))) for r in response] for k in key]
        return best(similarity)

    return sides


def best(similarity) -> Fraction:
    """The greatest total over one-to-one maps, row by row."""
    if not similarity:
        return Fraction(0)
    first, rest = similarity[0], similarity[1:]
    totals = [best(rest)]
    for column, value in enumerate(first):
        if value:
            others = [[v for c, v in enumerate(row) if c != column] for row in rest]
            totals.append(value + best(others))
    return max(totals)


def phi3(k, r, common):
    return Fraction(common)


def phi4(k, r, common):
    return Fraction(2 * common) / (len(k) + len(r))


def blanc(key, response, weigh):
    """The links within and across: common, of the key, of the response."""
    places = [(member, k) for k, entity in enumerate(key) for member in entity]
    within = across = Fraction(0)
    for (one, k), (two, other) in combinations(places, 2):
        for r, entity in enumerate(response):
            for s, another in enumerate(response):
                both = weigh(one, entity) * weigh(two, another)
                if k == other and r == s:
                    within += both
                elif k != other and r != s:
                    across += both
    c_key, n_key = links(key)
    c_response, n_response = links(response)
    return within, c_key, c_response, across, n_key, n_response


def links(entities):
    within = sum(len(entity) * (len(entity) - 1) // 2 for entity in entities)
    members = sum(map(len, entities))
    return within, members * (members - 1) // 2 - within


# The row of a metric, from weights for recall, precision and F1


def row(metric, key, response, recall, precision, both):
    if metric in ("muc", "b3", "lea"):
        one_side = {"muc": muc, "b3": b3, "lea": lea}[metric]
        return (*one_side(key, response, recall), *one_side(response, key, precision))
    if metric == "blanc":
        return blanc(key, response, both)
    total = ceaf(phi3 if metric == "ceafm" else phi4)(key, response, both)
    count = (lambda side: sum(map(len, side))) if metric == "ceafm" else len
    return total, count(key), total, count(response)


def f_measure(recall, precision):
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def scores_of_sets(metric, key: Entities, response: Entities):
    """Recall, precision and F1 of two sets of entities, none of which has a set."""

    def same(member, other):
        return Fraction(member in other)

    found = row(metric, key, response, same, same, same)
    if metric == "blanc":
        mentions = [set().union(*entities) for entities in (key, response)]
        return blanc_of_sets(found, mentions[0] == mentions[1])
    if metric == "muc":  # an entity of one mention has a link to itself
        alone = [entity for entity in key if len(entity) == 1]
        both = sum(entity in response for entity in alone)
        more = both, len(alone), both, sum(len(entity) == 1 for entity in response)
        found = tuple(map(sum, zip(found, more, strict=True)))
    recall, precision = Fraction(found[0]) / found[1], Fraction(found[2]) / found[3]
    return recall, precision, f_measure(recall, precision)


def blanc_of_sets(counts, same_mentions: bool):
    """Luo et al. 2014, section 4.1: a kind of link counts if one of the sides has some."""
    found = []
    for common, key, response in (counts[:3], counts[3:]):
        if key or response:
            recall = Fraction(common) / key if key else Fraction(0)
            precision = Fraction(common) / response if response else Fraction(0)
            found.append((recall, precision, f_measure(recall, precision)))
    if not found:
        return (Fraction(same_mentions),) * 3
    return tuple(sum(values) / len(found) for values in zip(*found, strict=True))


# Alignments


def alignments(key: list, response: list, score) -> Iterator[dict]:
    """All one-to-one maps of sets of the key to sets of the response that score more than 0."""
    if not key:
        yield {}
        return
    first, rest = key[0], key[1:]
    yield from alignments(rest, response, score)
    for partner in response:
        if score[first, partner][2] > 0:
            others = [one for one in response if one != partner]
            for more in alignments(rest, others, score):
                yield {first: partner, **more}


def rows(metric: str, key_side: Side, response_side: Side) -> list[tuple]:
    """The numbers of a metric, by each of the best alignments of sets."""
    key, key_mentions = prepared(key_side, "key")
    response, response_mentions = prepared(response_side, "response")
    of_key, of_response = sets_in(key), sets_in(response)
    score = {
        (k, r): scores_of_sets(
            metric,
            [key_mentions[number] for number in sorted(k.parts)],
            [response_mentions[number] for number in sorted(r.parts)],
        )
        for k in of_key
        for r in of_response
    }

    def dice(k: SetOf, r: SetOf) -> Fraction:
        one, other = mentions_in(key[k.home]), mentions_in(response[r.home])
        return Fraction(2 * len(one & other), len(one) + len(other))

    def quality(alignment: dict) -> tuple[Fraction, Fraction]:
        pairs = alignment.items()
        return (
            sum((score[pair][2] for pair in pairs), Fraction(0)),
            sum((dice(*pair) for pair in pairs), Fraction(0)),
        )

    known = [(quality(one), one) for one in alignments(of_key, of_response, score)]
    greatest = max(one for one, _ in known)
    found = []
    for one, alignment in known:
        if one == greatest:
            numbers = row(metric, key, response, *(weigher(alignment, score, n) for n in range(3)))
            if numbers not in found:
                found.append(numbers)
    return found


def weigher(alignment: dict, score: dict, which: int):
    partners = {**alignment, **{r: k for k, r in alignment.items()}}

    def weigh(member, other) -> Fraction:
        if not isinstance(member, SetOf):
            return Fraction(member in other)
        partner = partners.get(member)
        if partner is None or partner not in other:
            return Fraction(0)
        pair = (member, partner) if (member, partner) in score else (partner, member)
        return score[pair][which]

    return weigh
