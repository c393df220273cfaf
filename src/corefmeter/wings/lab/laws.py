"""Laws that a trustworthy metric should obey, each with a search for its smallest counterexample.

A law makes **trials**. A trial is a few responses to a key that belong together, such as one
response before and after a change. A metric breaks the law if its values on a trial contradict it.
Trials are all pairs of a key and a response with up to N mentions, including mentions on one side
only. They are in order of the number of mentions and then of entities, so the smallest come first.
Pairs that differ only in names are tried once (that names do not matter is a law of its own). The
laws about large and small errors have trials of fixed size.

A link is a pair of mentions of one entity. A singleton has one link, to itself (Moosavi & Strube
2016, section 4), so a correct singleton counts as a correct link. Values are equal if they differ
by at most `TOLERANCE`, and 0/0 counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, combinations, permutations, product
from operator import eq
from random import Random
from typing import Any

from corefmeter.analysis.identification import more_precise
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.structures import grouped
from corefmeter.wings.lab import damage
from corefmeter.wings.lab.kinds import Pair, Side, as_lists, frozen, kinds, up_to
from corefmeter.wings.lab.law import Case, Law, Trial, Values
from corefmeter.wings.lab.moosavi_strube_2016 import LEA_SIZES, lea_key

Entity = tuple[Mention, ...]

#: Values that differ by less differ by rounding only.
TOLERANCE = 1e-12

#: The most mentions that are searched: there are 3,583 pairs with up to six.
MOST = 6

# Conditions on the values of a trial. NaN equals nothing and is greater than nothing.


def _are_equal(value: float | None, other: float | None) -> bool:
    if value is None or other is None:
        return value is other
    return abs(value - other) <= TOLERANCE


def _at_most(value: float | None, other: float | None) -> bool:
    return value is None or other is None or value <= other + TOLERANCE


def _all_same(first: Values, *others: Values) -> bool:
    return all(_are_equal(a, b) for v in others for a, b in zip(first[:3], v[:3], strict=True))


def _all_equal_to(number: float, values: Values) -> bool:
    return all(_are_equal(value, number) for value in values.numbers())


def _bounded(values: Values) -> bool:
    return all(-TOLERANCE <= value <= 1 + TOLERANCE for value in values.numbers())


def _exchanged(original: Values, swapped: Values) -> bool:
    exchanged = swapped._replace(recall=swapped.precision, precision=swapped.recall)
    return _all_same(original, exchanged)


def _recall_stays(before: Values, after: Values) -> bool:
    return _are_equal(before.recall, after.recall)


def _recall_stays_and_precision_does_not_fall(before: Values, after: Values) -> bool:
    return _recall_stays(before, after) and _at_most(before.precision, after.precision)


def _f1_does_not_fall(before: Values, after: Values) -> bool:
    return _at_most(before.f1, after.f1)


def _f1_does_not_rise(before: Values, after: Values) -> bool:
    return _at_most(after.f1, before.f1)


def _better_alone_is_not_worse_together(
    before: Values, after: Values, together_before: Values, together_after: Values
) -> bool:
    is_better = after.f1 > before.f1 + TOLERANCE
    return not is_better or _at_most(together_before.f1, together_after.f1)


def _second_costs_more(small: Values, large: Values) -> bool:
    return large.f1 < small.f1 - TOLERANCE


def _no_more_than_the_best_copy(repeated: Values, *single: Values) -> bool:
    return all(
        _at_most(value, max(getattr(copy, name) for copy in single))
        for name, value in zip(("recall", "precision", "f1"), repeated[:3], strict=True)
        if value is not None
    )


def _homes(key: Side) -> dict[Mention, int]:
    """Return the number of the key entity of each mention."""
    return {mention: number for number, entity in enumerate(key) for mention in entity}


def _is_imperfect(key: Side, response: Side) -> bool:
    return set(map(frozenset, key)) != set(map(frozenset, response))


def _links_correctly(entity: Entity, homes: dict[Mention, int]) -> bool:
    """Return whether two mentions of an entity are in one key entity."""
    known = [homes[mention] for mention in entity if mention in homes]
    return len(set(known)) < len(known)


def _lacks_correct_links(key: Side, response: Side) -> bool:
    homes = _homes(key)
    singletons = {entity for entity in key if len(entity) == 1}
    return not any(_links_correctly(e, homes) or e in singletons for e in response)


def _single(label: str, key: Side, response: Side) -> Case:
    return Case(label, ((key, response),))


def _changed(key: Side, before: Side, change: str, after: Side) -> Trial:
    return _single("before", key, before), _single(change, key, after)


def _pairs(label: str, condition: Callable[[Side, Side], bool], most: int) -> Iterator[Trial]:
    """Yield the pairs of key and response that meet a condition."""
    for key, response in up_to(most):
        if condition(key, response):
            yield (_single(label, key, response),)


def _swapped(most: int) -> Iterator[Trial]:
    for key, response in up_to(most):
        yield _single("as it is", key, response), _single("sides swapped", response, key)


def _each_entity(most: int) -> Iterator[tuple[Side, dict[Mention, int], Side, Entity, Side]]:
    """Yield the key, its `_homes`, the response, one of its entities, and the other entities."""
    for key, response in up_to(most):
        homes = _homes(key)
        for number, entity in enumerate(response):
            yield key, homes, response, entity, response[:number] + response[number + 1 :]


def _wrong_entity_added(most: int) -> Iterator[Trial]:
    for key, homes, response, entity, rest in _each_entity(most):
        is_right_alone = len(entity) == 1 and entity[0] in homes
        if key and not is_right_alone and not _links_correctly(entity, homes):
            yield _changed(key, rest, "wrong entity added", response)


def _incorrectly_resolved_removed(most: int) -> Iterator[Trial]:
    for key, response in up_to(most):
        after = more_precise(as_lists(key), as_lists(response))
        if frozen(after) != response:
            yield _changed(key, response, "wrong mentions removed", frozen(after))


def _correct_link_added(most: int) -> Iterator[Trial]:
    """Yield responses before and after correct links, and no wrong ones, are added.

    The response before is made from the one after: an entity that is part of a key entity loses a
    mention, is cut in two, or is left out if it has only one link.
    """
    for key, homes, response, entity, rest in _each_entity(most):
        if len(entity) < 2 or len({homes.get(m, m) for m in entity}) > 1:
            continue
        befores = [rest] if len(entity) == 2 else []
        befores += [(*rest, entity[:i] + entity[i + 1 :]) for i in range(len(entity))]
        befores += [(*rest, *parts) for parts in _split_in_two(entity)]
        for before in dict.fromkeys(befores):
            yield _changed(key, before, "correct link added", response)


def _split_in_two(entity: Entity) -> Iterator[Side]:
    """Yield all ways to split an entity in two; none for an entity of one mention."""
    first, *others = entity
    for size in range(len(others)):
        for chosen in combinations(others, size):
            yield (first, *chosen), tuple(m for m in others if m not in chosen)


def _wrong_links_cut(most: int) -> Iterator[Trial]:
    for key, homes, response, entity, rest in _each_entity(most):
        for parts in _split_in_two(entity):
            first, second = ({homes.get(m, m) for m in part} for part in parts)
            if first.isdisjoint(second):
                yield _changed(key, response, "wrong links cut", (*rest, *parts))


def _perfect_entity_added(most: int) -> Iterator[Trial]:
    for total in range(2, most + 1):
        for size in range(total - 1, 0, -1):
            new = tuple(f"n{number}" for number in range(1, size + 1))
            for key, response in kinds(total - size):
                yield (
                    _single("before", key, response),
                    _single("perfect entity added", (*key, new), (*response, new)),
                )


def _document_bettered(most: int) -> Iterator[Trial]:
    for total in range(2, most + 1):
        for size in range(1, total):
            yield from _better_responses(size, total - size)


def _better_responses(size: int, other_size: int) -> Iterator[Trial]:
    """Yield two responses to one document, on its own and together with another document."""
    responses = grouped(map(_with_sorted_key, up_to(size)))
    for (key, of_key), other in product(responses.items(), kinds(other_size)):
        for before, after in permutations(of_key, 2):
            if size in (_count_mentions(key, before), _count_mentions(key, after)):
                worse, better = (_make_disjoint((key, side), other) for side in (before, after))
                yield (
                    Case("before", worse[:1]),
                    Case("better", better[:1]),
                    Case("before, and another", worse),
                    Case("better, and another", better),
                )


def _with_sorted_key(pair: Pair) -> Pair:
    """Return the pair with its key entities sorted by size, and their mentions named a, b, …"""
    key, response = pair
    key = tuple(sorted(key, key=len))
    names = dict(zip(chain.from_iterable(key), "abcdef", strict=False))
    return _renamed((key, response), lambda mention: names.get(mention, mention))


def _renamed(pair: Pair, rename: Callable[[Any], Mention]) -> Pair:
    key, response = (tuple(tuple(map(rename, entity)) for entity in side) for side in pair)
    return key, response


def _count_mentions(*sides: Side) -> int:
    return len({*chain.from_iterable(chain.from_iterable(sides))})


def _split_further(most: int) -> Iterator[Trial]:
    for key, homes, response, entity, rest in _each_entity(most):
        mentions = {*chain.from_iterable(response)}
        if mentions == homes.keys() and all(len({homes[m] for m in e}) == 1 for e in response):
            for parts in _split_in_two(entity):
                yield _changed(key, response, "split further", (*rest, *parts))


def _in_lea_key(label: str, change: Callable[..., Entities], *arguments: Any) -> Case:
    """Return the key of 17 entities, with a changed copy of it as the response."""
    key = lea_key()
    return _single(label, frozen(key), frozen(change(key, *arguments)))


def _split_into(*sizes: int) -> Case:
    label = f"split {'-'.join(map(str, sizes))}"
    return _in_lea_key(label, damage.split_entity, LEA_SIZES.index(sum(sizes)), sizes)


def _splits(most: int) -> Iterator[Trial]:
    yield _split_into(2, 2), _split_into(10, 10)
    yield _split_into(18, 2), _split_into(10, 10)


def _merges(most: int) -> Iterator[Trial]:
    largest, second, *_, next_to_last, smallest = damage.by_size(lea_key())
    yield (
        _in_lea_key("smallest entities merged", damage.merge_entities, [(next_to_last, smallest)]),
        _in_lea_key("largest entities merged", damage.merge_entities, [(largest, second)]),
    )


def _losses(most: int) -> Iterator[Trial]:
    largest, *_, smallest = damage.by_size(lea_key())
    yield (
        _in_lea_key("smallest entity lost", damage.without_entities, [smallest]),
        _in_lea_key("largest entity lost", damage.without_entities, [largest]),
    )


def _repeated(most: int) -> Iterator[Trial]:
    """Yield each response with one mention twice, and with only one of the two copies."""
    for key, response in up_to(most):
        for mention in chain.from_iterable(response):
            without_mention = tuple(tuple(m for m in e if m != mention) for e in response)
            for number in range(len(response) + 1):
                copied = _add_mention(response, number, mention)
                moved = _add_mention(without_mention, number, mention)
                yield (
                    _single(f"{mention} occurs twice", key, copied),
                    _single("first copy only", key, response),
                    _single("second copy only", key, tuple(filter(None, moved))),
                )


def _add_mention(side: Side, number: int, mention: Mention) -> Side:
    """Add a mention to the entity with this number, or as a singleton after the last entity."""
    if number == len(side):
        return (*side, (mention,))
    return (*side[:number], (*side[number], mention), *side[number + 1 :])


def _disguised(most: int) -> Iterator[Trial]:
    """Yield each pair as it is, in reverse order, and shuffled with random spans as mentions."""
    random = Random(1)
    for key, response in up_to(most):
        backwards = (tuple(entity[::-1] for entity in side[::-1]) for side in (key, response))
        names = list(dict.fromkeys(chain.from_iterable((*key, *response))))
        starts = random.sample(range(100), len(names))
        spans = dict(zip(names, ((start, start + 1) for start in starts), strict=True))
        shuffled = [list(side) for side in _renamed((key, response), spans.__getitem__)]
        for side in shuffled:
            random.shuffle(side)
        yield (
            _single("as it is", key, response),
            _single("backwards", *backwards),
            _single("renamed", *map(tuple, shuffled)),
        )


def _better_and(boundary: Callable[[Entities], Entities], label: str, most: int) -> Iterator[Trial]:
    """Compare responses of some key entities with a boundary response, such as all in one entity.

    The chosen key entities have at least half of all mentions. Keys have two entities or more and
    no singletons, so that the boundary response is never right.
    """
    for key, response in up_to(most):
        if key != response or len(key) < 2 or min(map(len, key)) < 2:
            continue
        half = sum(map(len, key)) / 2
        boundary_response = frozen(boundary(as_lists(key)))
        for size in range(1, len(key)):
            for chosen in combinations(key, size):
                if sum(map(len, chosen)) >= half:
                    yield (
                        _single("half right", key, chosen),
                        _single(label, key, boundary_response),
                    )


def _cut_and_joined(most: int) -> Iterator[Trial]:
    """Yield pairs of documents of up to `most` mentions, joined as one document and as two."""
    for total in range(2, most + 1):
        for size in range(total // 2, 0, -1):
            for first, second in product(kinds(size), kinds(total - size)):
                apart = _make_disjoint(first, second)
                key, response = (a + b for a, b in zip(*apart, strict=True))
                yield _single("as one document", key, response), Case("as two", apart)
        if total % 2 == 0:
            for pair in kinds(total // 2):
                yield Case("once", (pair,)), Case("twice", _make_disjoint(pair, pair))


def _make_disjoint(first: Pair, second: Pair) -> tuple[Pair, Pair]:
    """Rename the mentions of two documents so that they have none in common."""
    return _renamed(first, "{}1".format), _renamed(second, "{}2".format)


_LEA = "Moosavi & Strube 2016"
_LUO = "Luo 2005"
_NONE = "asked for here, in no paper"

# fmt: off
#: The laws by name, in the order of tables.
LAWS: dict[str, Law] = {
    law.name: law
    for law in (
        Law("perfect-is-1", "perfect is 1",
            "A response that is the key has recall, precision and F1 of 1.",
            f"{_LUO}, section 1; Luo et al. 2014, section 4.1",
            partial(_pairs, "perfect", eq), partial(_all_equal_to, 1.0)),
        Law("1-is-perfect", "1 is perfect",
            "A response that is not the key has an F1 below 1.",
            f"{_LUO}, section 1 (discriminativity); {_LEA}, section 1",
            partial(_pairs, "not perfect", _is_imperfect),
            lambda values: not _are_equal(values.f1, 1.0)),
        Law("no-link-is-0", "no correct link is 0",
            "A response without a correct link, and without a singleton of the key, has recall, "
            "precision and F1 of 0.", f"{_LEA}, sections 1, 2 and 7.5",
            partial(_pairs, "no correct link", _lacks_correct_links), partial(_all_equal_to, 0.0)),
        Law("bounded", "bounded",
            "Recall, precision and F1 are from 0 to 1.",
            f"{_LEA}, section 2 (recall and precision are fractions)",
            partial(_pairs, "any", lambda key, response: True), _bounded),
        Law("symmetric", "symmetric",
            "If key and response are swapped, so are recall and precision, and F1 stays.",
            f"{_LUO}, section 3.2.2", _swapped, _exchanged),
        Law("wrong-entities-keep-recall", "wrong entities keep recall",
            "An entity that adds wrong links only, or a mention that the key lacks, leaves recall "
            "as it is.", f"{_LEA}, section 2, Table 1 (less precise)", _wrong_entity_added,
            _recall_stays, ("recall",)),
        Law("fewer-wrong-links-keep-recall", "fewer wrong links keep recall",
            "Without its incorrectly resolved mentions, a response has the same recall and no less "
            "precision.", f"{_LEA}, section 2, Table 1 (more precise)",
            _incorrectly_resolved_removed, _recall_stays_and_precision_does_not_fall,
            ("recall", "precision")),
        Law("correct-links-do-not-lower", "correct links do not lower F1",
            "F1 does not fall when correct links are added and no wrong ones.",
            f"{_LEA}, section 3.3, Table 3", _correct_link_added, _f1_does_not_fall),
        Law("cuts-of-wrong-links-do-not-lower", "cuts of wrong links do not lower F1",
            "F1 does not fall when an entity of the response is cut in two and only wrong links "
            "are cut.", _NONE, _wrong_links_cut, _f1_does_not_fall),
        Law("perfect-entities-do-not-lower", "perfect entities do not lower F1",
            "F1 does not fall when key and response get the same new entity.",
            _NONE, _perfect_entity_added, _f1_does_not_fall),
        Law("splits-do-not-raise", "splits do not raise F1",
            "F1 does not rise when an entity of a response that lacks only links is split further.",
            f"{_LEA}, section 4", _split_further, _f1_does_not_rise),
        Law("larger-splits-cost-more", "larger splits cost more",
            "In a key of 17 entities, splitting 20 mentions 10-10 costs more than splitting 4 2-2, "
            "and more than splitting the 20 18-2.", f"{_LEA}, sections 3.1 and 7.3, Figure 6",
            _splits, _second_costs_more),
        Law("larger-merges-cost-more", "larger merges cost more",
            "In the same key, merging the entities of 20 and 10 mentions costs more than merging "
            "two of 2.", f"{_LEA}, section 3.1", _merges, _second_costs_more),
        Law("larger-losses-cost-more", "larger losses cost more",
            "In the same key, missing the entity of 20 mentions costs more than missing one of 2.",
            f"{_LEA}, sections 4 and 7.2, Figures 4 and 5", _losses, _second_costs_more),
        Law("no-credit-twice", "no credit twice",
            "A response in which a mention occurs twice scores no more than the better of the two "
            "that keep one copy.", f"{_LEA}, sections 3.2 and 4", _repeated,
            _no_more_than_the_best_copy),
        Law("names-mean-nothing", "names mean nothing",
            "Names and order of mentions and entities change nothing.",
            f"{_LUO}, section 2 (entities are sets of mentions)", _disguised, _all_same),
        Law("all-in-one-not-best", "all in one is not best",
            "One entity of all mentions scores no more than half of the mentions in right "
            "entities, with nothing wrong.",
            f"{_LUO}, sections 3.1 and 3.2.1; {_LEA}, Table 4 (sys-1ent)",
            partial(_better_and, damage.one_entity, "all in one"), _f1_does_not_rise),
        Law("all-singletons-not-best", "all singletons are not best",
            "Singletons of all mentions score no more than half of the mentions in right "
            "entities, with nothing wrong.",
            f"{_LUO}, section 3.1; {_LEA}, section 3.2, Table 4 (sys-sing)",
            partial(_better_and, damage.all_singletons, "all singletons"), _f1_does_not_rise),
        Law("better-documents-do-not-lower", "better documents do not lower F1",
            "When a response to a document becomes another one of higher F1, F1 over that document "
            "and another does not fall.", _NONE,
            _document_bettered, _better_alone_is_not_worse_together),
        Law("additive", "additive over documents",
            "Two documents score together as they do joined into one, and a document twice as "
            "once.", "the scorer of the CoNLL shared tasks, which sums counts over documents",
            _cut_and_joined, _all_same),
    )
}
# fmt: on
