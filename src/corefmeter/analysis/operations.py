"""Errors as operations (Kummerfeld & Klein 2013): what turns the response into the key.

Five operations: **correct span** of a mention, **split** a part off an entity, **remove** an entity
that has no key mention, **introduce** an entity that is missing, **merge** two entities. They are
grouped into the classes of `CLASSES`. A mention in a wrong entity is two errors: it is conflated
there, and divided from its own.

The rules, each of them deterministic:

1. **Spans.** A response mention z that is not in the key (extra) and a key mention y that is not in
   the response (missing) are a pair if they share a token and: where the heads of both are known,
   the head is the same; where one is not, one contains the other. Pairs are made one to one: those
   of the same head first, then by the most shared tokens, then by the fewest that are not shared,
   then those that are read first, of the key, then of the response. From here on z stands for y;
   what has no partner is extra or missing for good.
2. **Parts.** A part is the mentions that a key entity and a response entity share. The main part of
   an entity, on either side, is its largest; of equal ones that of the entity of the other side
   that is read first (`content_ranks`), in whatever order entities are listed. Each other part of a
   response entity is a conflated error, each other part of a key entity a divided one.
3. **Extra mentions** belong to the main part of their entity, **missing** ones to that of theirs.

Each class can be repaired alone, since it decides where its mentions go, whatever the others do:

- ``span``: z is replaced by y;
- ``conflated``: every part is an entity of its own;
- ``divided``: the parts of a key entity go where its main part is, with the extra mentions that
  belong to them. Of a conflated entity only the part goes: merging the rest would be an error;
- ``extra_mention``, ``extra_entity``: the mentions are removed;
- ``missing_mention``: they are added to the main part of their entity;
- ``missing_entity``: it is added.

Repairing all gives the key. The cost of a class is the score after its repair minus the score
before; it is negative where a metric punishes a repair. See docs/errors.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.analysis.entities import choose_pairs
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import (
    common_node_counts,
    content_key,
    content_ranks,
    number_of_tokens,
)
from corefmeter.mentions.heads import no_head
from corefmeter.problems import require_known

if TYPE_CHECKING:
    from corefmeter.analysis.scoring import Rescorer


class ErrorClass(NamedTuple):
    """A class of errors.

    `operations` repair one error; `listed` is the list of `corefmeter errors` that shows most of
    them; `meaning` explains one error; `of_kind` names the errors at mentions of one kind.
    """

    title: str
    operations: tuple[str, ...]
    listed: str
    meaning: str
    of_kind: str

    @property
    def plural(self) -> str:
        """The title of several errors, with a capital letter."""
        title = self.title.capitalize()
        return re.sub("y$", "ie", title).removesuffix("s") + "s"


#: The classes in the order in which they are repaired cumulatively.
CLASSES: dict[str, ErrorClass] = {
    "span": ErrorClass(
        "span error",
        ("correct span",),
        "mentions",
        "A response mention whose span differs from the key mention that it overlaps.",
        "wrong spans of {}s",
    ),
    "conflated": ErrorClass(
        "conflated entities",
        ("split",),
        "links",
        "A part of a response entity that belongs to a second key entity.",
        "conflated {}s",
    ),
    "extra_mention": ErrorClass(
        "extra mention",
        ("split", "remove"),
        "mentions",
        "An extra mention in an entity that has key mentions.",
        "extra {}s in entities",
    ),
    "extra_entity": ErrorClass(
        "extra entity",
        ("remove",),
        "mentions",
        "A response entity without any key mention.",
        "{}s in extra entities",
    ),
    "divided": ErrorClass(
        "divided entity",
        ("merge",),
        "links",
        "A part of a key entity other than its largest part.",
        "divided {}s",
    ),
    "missing_mention": ErrorClass(
        "missing mention",
        ("introduce", "merge"),
        "mentions",
        "A missing mention of an entity with other found mentions.",
        "missing {}s of entities",
    ),
    "missing_entity": ErrorClass(
        "missing entity",
        ("introduce",),
        "entities",
        "A key entity without any found mention.",
        "{}s in missing entities",
    ),
}


class Error(NamedTuple):
    """One error, `kind` being a key of `CLASSES`.

    `mentions` are those of the response for ``span`` and extra ones, else of the key; `correct` is
    the key mention of a ``span`` error; `key` and `response` are the entities, counted from 0.
    """

    kind: str
    mentions: tuple[Mention, ...]
    key: int | None
    response: int | None
    correct: Mention | None = None


class _Item(NamedTuple):
    """A response mention as written, and the key mention that it denotes."""

    shown: Mention
    meant: Mention


class Repairs:
    """The errors of one document, class by class, and the response with some of them repaired.

    Policies for repeated mentions come before: only mentions that the key lacks may occur more than
    once, in the response; each copy is an extra mention. `head` returns the head of a mention, one
    of its tokens, or None when that is unknown.

    >>> repairs = Repairs([["Ann", "she", "her"], ["Bob", "he"]], [["Ann", "she", "he"], ["it"]])
    >>> [(error.kind, error.mentions) for error in repairs.errors[:2]]
    [('conflated', ('he',)), ('extra_entity', ('it',))]
    >>> repairs.repaired(["conflated"])
    [['Ann', 'she'], ['he'], ['it']]
    """

    def __init__(
        self, key: Entities, response: Entities, head: Callable[[Mention], Any] = no_head
    ) -> None:
        self.key = key
        self.response = response
        home = {mention: k for k, entity in enumerate(key) for mention in entity}
        key_ranks, ranks = content_ranks(key), content_ranks(response)
        corrected = _find_correct_spans(response, ranks, home, head)
        self.errors: list[Error] = []
        #: For each response entity, its parts by key entity, and its extra mentions.
        self._parts: list[dict[int, list[_Item]]] = []
        self._extra: list[list[Mention]] = []
        for r, entity in enumerate(response):
            self._divide_entity(r, entity, home, corrected)
        #: The key entity of each response entity's main part, None if it has no part.
        self._main_key = [
            max(parts, key=lambda k: (len(parts[k]), -key_ranks[k])) if parts else None
            for parts in self._parts
        ]
        #: The response entity of each key entity's main part.
        self._main_response = self._find_main_responses(ranks)
        all_items = chain.from_iterable(chain.from_iterable(p.values() for p in self._parts))
        present = {item.meant for item in all_items}
        self._missing = [[m for m in entity if m not in present] for entity in key]
        self._find_errors()
        order = {name: place for place, name in enumerate(CLASSES)}
        self.errors.sort(key=lambda error: order[error.kind])
        self._present = frozenset(error.kind for error in self.errors)
        self._known: dict[frozenset[str], Entities] = {}

    def _divide_entity(
        self,
        r: int,
        entity: Sequence[Mention],
        home: Mapping[Mention, int],
        corrected: Mapping[tuple[int, int], Mention],
    ) -> None:
        """Divide a response entity into parts and extra mentions, and add its span errors."""
        parts: dict[int, list[_Item]] = {}
        extra = []
        for place, mention in enumerate(entity):
            meant = corrected.get((r, place), mention)
            k = home.get(meant)
            if k is None:
                extra.append(mention)
                continue
            parts.setdefault(k, []).append(_Item(mention, meant))
            if (r, place) in corrected:
                self.errors.append(Error("span", (mention,), k, r, meant))
        self._parts.append(parts)
        self._extra.append(extra)

    def _find_main_responses(self, ranks: Sequence[int]) -> dict[int, int]:
        # By key entity: the size of a part, minus the rank of its response entity, and that entity.
        largest: dict[int, tuple[int, int, int]] = {}
        for r, parts in enumerate(self._parts):
            for k, items in parts.items():
                largest[k] = max(largest.get(k, (0, 0, 0)), (len(items), -ranks[r], r))
        return {k: r for k, (_, _, r) in largest.items()}

    def _find_errors(self) -> None:
        """Add the errors of all classes but wrong spans."""
        for r, parts in enumerate(self._parts):
            for k, items in parts.items():
                mentions = tuple([item.meant for item in items])
                if k != self._main_key[r]:
                    self.errors.append(Error("conflated", mentions, k, r))
                if r != self._main_response[k]:
                    self.errors.append(Error("divided", mentions, k, r))
            if not parts:
                self.errors.append(Error("extra_entity", tuple(self._extra[r]), None, r))
                continue
            for mention in self._extra[r]:
                self.errors.append(Error("extra_mention", (mention,), None, r))
        for k, missing in enumerate(self._missing):
            main = self._main_response.get(k)
            if main is None:
                self.errors.append(Error("missing_entity", tuple(missing), k, None))
                continue
            for mention in missing:
                self.errors.append(Error("missing_mention", (mention,), k, main))

    def present(self, classes: Collection[str]) -> frozenset[str]:
        """Return those of the given classes that occur in the document."""
        return self._present.intersection(classes)

    def repaired(
        self, classes: Collection[str], only: Callable[[Mention], bool] | None = None
    ) -> Entities:
        """Return the response after the repair of some classes; the response itself if it has none.

        One class can be repaired at some mentions `only`. Extra mentions then go with their part if
        all of it moves.
        """
        for name in classes:
            require_known("class of errors", name, CLASSES)
        present = self.present(classes)
        if not present:
            return self.response
        if only is not None:
            return self._repair(present, only)
        if present not in self._known:
            self._known[present] = self._repair(present)
        return self._known[present]

    def _repair(
        self, classes: frozenset[str], only: Callable[[Mention], bool] = lambda mention: True
    ) -> Entities:
        """Return the response after the repair of classes at the mentions that `only` accepts."""
        split, merge, correct = (name in classes for name in ("conflated", "divided", "span"))

        def new_home(k: int, r: int, moves: bool = True) -> Hashable:
            """Return an id of the entity that the mentions which k and r share go to."""
            if split and merge:
                return "key", k
            if split and moves and k != self._main_key[r]:
                return "part", k, r
            return "response", self._main_response[k] if merge and moves else r

        repaired: dict[Hashable, list[Mention]] = {}
        for r, parts in enumerate(self._parts):
            for k, items in parts.items():
                for item in items:
                    entity = repaired.setdefault(new_home(k, r, only(item.meant)), [])
                    entity.append(item.meant if correct and only(item.shown) else item.shown)
            main = self._main_key[r]
            extra = self._extra[r]
            if ("extra_entity" if main is None else "extra_mention") in classes:
                extra = [mention for mention in extra if not only(mention)]
            if extra:
                home: Hashable = "response", r
                if main is not None:
                    home = new_home(main, r, all(only(item.meant) for item in parts[main]))
                repaired.setdefault(home, []).extend(extra)
        for k, missing in enumerate(self._missing):
            best = self._main_response.get(k)
            if best is None:
                if "missing_entity" in classes:
                    repaired["missing", k] = list(filter(only, missing))
            elif "missing_mention" in classes:
                repaired[new_home(k, best)] += filter(only, missing)
        return [entity for entity in repaired.values() if entity]


def _find_correct_spans(
    response: Entities,
    ranks: Sequence[int],
    home: Mapping[Mention, int],
    head: Callable[[Mention], Any],
) -> dict[tuple[int, int], Mention]:
    """Map places (entity, number) of response mentions with wrong spans to their key mentions."""
    extra: dict[Mention, tuple[int, int]] = {}
    for r in sorted(range(len(response)), key=ranks.__getitem__):
        for place, mention in enumerate(response[r]):
            if mention not in home:
                extra.setdefault(mention, (r, place))
    if not extra:
        return {}
    in_response = {mention for entity in response for mention in entity}
    missing = sorted(home.keys() - in_response, key=content_key)
    wrong = sorted(extra, key=content_key)
    head_of, size_of = cache(head), cache(number_of_tokens)
    edges = []  # by cost in the order in which pairs are made, see rule 1 of the module
    for (number, order), shared in common_node_counts(missing, wrong, empty=False).items():
        pair = missing[number], wrong[order]
        sizes, heads = [*map(size_of, pair)], [*map(head_of, pair)]
        heads_known = None not in heads
        is_pair = heads[0] == heads[1] if heads_known else shared in sizes
        if is_pair:
            cost = (not heads_known, -shared, sum(sizes) - shared)
            edges.append((cost, number, order))
    return {extra[wrong[order]]: missing[number] for number, order in choose_pairs(edges)}


def count_errors(documents: Iterable[Repairs]) -> dict[str, int]:
    """Count the errors of each class; classes without one are 0."""
    counts = Counter(error.kind for repairs in documents for error in repairs.errors)
    return {name: counts[name] for name in CLASSES}


def count_operations(counts: Mapping[str, int]) -> dict[str, int]:
    """Count the operations of each type that repair the given numbers of errors by class."""
    return {
        operation: sum(n for kind, n in counts.items() if operation in CLASSES[kind].operations)
        for operation in ("correct span", "split", "remove", "introduce", "merge")
    }


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of each class of errors, in F1, or the average, by metric.

    `base` has the scores of the response; `repaired`, for each class, those when only its errors
    are repaired; `cumulative` those when its errors and those of all classes before are repaired.
    """

    base: dict[str, float]
    repaired: dict[str, dict[str, float]]
    cumulative: dict[str, dict[str, float]]

    def cost(self, kind: str) -> dict[str, float]:
        """Return a class's cost by metric: repaired minus base."""
        return {name: value - self.base[name] for name, value in self.repaired[kind].items()}

    def in_turn(self, kind: str) -> dict[str, float]:
        """Return the gain of repairing a class after all classes before it, by metric."""
        order = list(self.cumulative)
        place = order.index(kind)
        before = self.cumulative[order[place - 1]] if place else self.base
        return {name: value - before[name] for name, value in self.cumulative[kind].items()}


def costs(documents: Sequence[Repairs], rescorer: Rescorer) -> Costs:
    """Score the repair of each class, alone and cumulatively; the documents are the rescorer's.

    Key {a,b,c,d}, response {a,b} {c,d}: MUC recall 2/3 and precision 2/2, so F1 0.8; merged 1.

    >>> from corefmeter.analysis.scoring import Rescorer
    >>> key, response = [["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]]
    >>> found = costs([Repairs(key, response)], Rescorer([(key, response)], metrics=["muc"]))
    >>> round(found.base["muc"], 4), round(found.cost("divided")["muc"], 4)
    (0.8, 0.2)
    """

    def score_repair(classes: Sequence[str]) -> dict[str, float]:
        return rescorer.f1(
            {
                number: (present, repairs.repaired(present))
                for number, repairs in enumerate(documents)
                if (present := repairs.present(classes))
            }
        )

    names = list(CLASSES)
    return Costs(
        base=rescorer.f1({}),
        repaired={name: score_repair([name]) for name in names},
        cumulative={name: score_repair(names[: n + 1]) for n, name in enumerate(names)},
    )


def kind_costs(
    documents: Sequence[tuple[Repairs, Callable[[Mention], str]]], rescorer: Rescorer
) -> dict[str, dict[str, dict[str, float]]]:
    """Return by class and kind of mention the gain of its repair at mentions of that kind alone.

    `documents` are those of the rescorer, each with a function that gives the kind of a mention.
    """
    # The documents in which mentions of a kind are in errors of a class, by both.
    places: dict[tuple[str, str], list[int]] = {}
    for number, (repairs, kind) in enumerate(documents):
        pairs = {(e.kind, kind(mention)) for e in repairs.errors for mention in e.mentions}
        for pair in pairs:
            places.setdefault(pair, []).append(number)
    base = rescorer.f1({})
    gains: dict[str, dict[str, dict[str, float]]] = {name: {} for name in CLASSES}
    for (name, group), numbers in places.items():
        changed = {}
        for number in numbers:
            repairs, kind = documents[number]
            of_kind = {m for e in repairs.errors for m in e.mentions if kind(m) == group}
            changed[number] = (name, group), repairs.repaired([name], of_kind.__contains__)
        scores = rescorer.f1(changed)
        gains[name][group] = {metric: value - base[metric] for metric, value in scores.items()}
    return gains
