"""How each metric falls as one kind of damage grows on a real key, and what one error costs.

The response is the key with errors of one kind: a **site** is a place where one such error can be
made, and level n has the errors at the first n sites of one order, so that a level contains all
lower ones. The order is drawn from the seed, or goes by the size of the entity that is hurt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count
from math import comb, fsum, isqrt
from random import Random
from statistics import stdev
from typing import Any, NamedTuple

from corefmeter.analysis.scoring import Rescorer
from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.metrics.average import recall_precision_f1
from corefmeter.problems import OptionError, unknown
from corefmeter.wings.lab import damage
from corefmeter.wings.lab.outcome import METRICS
from corefmeter.wings.lab.partitions import (
    Seed,
    generator,
    paired_documents,
    twinless_mentions,
    with_entities,
)

#: The default levels: shares of all sites.
LEVELS = "0,1%,2%,5%,10%,20%,50%,100%"

#: How many errors are tried one by one if all would take long: if the sum over all sites of the
#: mentions of their documents is above the second number.
SAMPLES, CHEAP = 50, 700_000

#: Of more pairs of entities of a document, so many are drawn.
MOST_PAIRS = 500_000

#: In which order errors are made.
ORDERS = ("random", "largest", "smallest")


class Site(NamedTuple):
    """A place for one error: what is hurt, and how many mentions the hurt entity has."""

    what: Any
    size: int


#: From a number to as many twinless mentions.
Spare = Callable[[int], list[Mention]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of damage, with a title and the unit in which it is counted.

    `sites` lists the sites of a document; `number` counts them, where not all are listed. `apply`
    makes the errors at some sites.
    """

    name: str
    title: str
    unit: str
    sites: Callable[[Entities, Random], list[Site]]
    apply: Callable[[Entities, list[Any], Spare], Entities]
    number: Callable[[Entities], int] | None = None


class LevelRow(NamedTuple):
    """Scores of one metric at one level of damage; recall and precision of averages are None."""

    level: str
    errors: int
    metric: str
    recall: float | None
    precision: float | None
    f1: float


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Scores under damage, by level and metric, and the cost of single errors.

    `sites` is how many errors of the kind the key allows. `costs` has by metric what one error
    alone takes off F1, as the mean over the first `samples` sites: the slope of the curve at zero;
    `deviations` has the standard deviations.
    """

    kind: Kind
    order: str
    sites: int
    metrics: tuple[str, ...]
    rows: list[LevelRow]
    costs: dict[str, float]
    deviations: dict[str, float]
    samples: int
    signature: str

    def f1(self, metric: str) -> list[float]:
        """Return F1 of one metric, by level."""
        return [row.f1 for row in self.rows if row.metric == metric]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values; ``per_percent`` is the cost of errors at 1 % of the sites."""
        return {
            "schema": 1,
            "kind": self.kind.name,
            "title": self.kind.title,
            "order": self.order,
            "sites": self.sites,
            "unit": self.kind.unit,
            "signature": self.signature,
            "rows": [row._asdict() for row in self.rows],
            "samples": self.samples,
            "costs": {
                metric: {
                    "per_error": cost,
                    "deviation": self.deviations[metric],
                    "per_percent": cost * self.sites / 100,
                }
                for metric, cost in self.costs.items()
            },
        }


def parse_levels(text: str, sites: int) -> list[tuple[str, int]]:
    """Parse levels: numbers of errors, or shares of the sites with ``%``.

    Examples
    --------
    >>> parse_levels("0, 3, 50%", sites=9)
    [('0', 0), ('3', 3), ('50%', 4)]
    """
    levels = []
    for item in filter(None, map(str.strip, text.split(","))):
        try:
            value = float(item[:-1]) / 100 * sites if item.endswith("%") else int(item)
            number = round(value)
        except (ValueError, OverflowError):
            hint = "write a number, or a share as in 5%"
            raise OptionError(f"{item!r} is no level; {hint}") from None
        if not 0 <= value <= sites:
            raise OptionError(f"level {item}: the key has {sites} places for such errors")
        levels.append((item, number))
    if not levels:
        raise OptionError("no level is given; write numbers, or shares, as in 0,5,10%")
    return levels


def sensitivity(
    key: Corpus,
    kind: str,
    levels: str = LEVELS,
    *,
    metrics: Iterable[str] = METRICS,
    order: str = "random",
    seed: Seed = 0,
    samples: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sensitivity:
    """Measure how each metric falls as one type of damage grows on a key.

    Parameters
    ----------
    key
        The corpus to damage; of repeated mentions the first counts.
    kind, order
        Names in `KINDS` and in `ORDERS`.
    levels
        See `parse_levels`.
    metrics
        Names of metrics that need no more than entities.
    samples
        How many errors are tried alone, for their mean cost; by default all where that is cheap,
        else `SAMPLES`.
    progress
        Called with how many responses are scored, and how many there are.

    Examples
    --------
    One of four mentions is lost: B³ recall is (1 + 1 + 1/2 + 0)/4, LEA recall 2/4; the singleton
    that is left over has no link that could be right, so LEA precision is 2/3.

    >>> from corefmeter.corpus.convert import as_corpus
    >>> key = as_corpus([[(0, 1), (1, 2)], [(2, 3), (3, 4)]])
    >>> found = sensitivity(key, "miss-mentions", "0,1", metrics=["b3", "lea"])
    >>> [(row.metric, row.recall, row.precision) for row in found.rows if row.errors]
    [('b3', 0.625, 1.0), ('lea', 0.5, 0.6666666666666666)]
    """
    documents, sites = _sites(key, kind, order, seed)
    known = KINDS[kind]
    total = sum(known.number(d.entities) for d in documents) if known.number else len(sites)
    wanted = parse_levels(levels, total)
    if samples is None:
        sizes = [sum(map(len, document.entities)) for document in documents]
        cheap = sum(sizes[number] for number, _ in sites) <= CHEAP
        samples = len(sites) if cheap else SAMPLES
    if samples < 1:
        raise OptionError(f"samples is 1 or more, not {samples}")
    rescorer = Rescorer([(d.entities, d.entities) for d in documents], metrics=tuple(metrics))
    names = rescorer.recipe.metrics
    base = rescorer.f1({})
    tried = sites[:samples]
    done = count(1)

    def report_progress() -> None:
        if progress is not None:
            progress(next(done), len(wanted) + len(tried))

    rows = []
    for label, number in wanted:
        made = _apply(documents, known, sites[:number])
        result = rescorer.result({place: ((label, number), e) for place, e in made.items()})
        rows += [
            LevelRow(label, number, name, *recall_precision_f1(result[name])) for name in names
        ]
        report_progress()
    lost: dict[str, list[float]] = {name: [] for name in names}
    for number, site in enumerate(tried):
        made = _apply(documents, known, [site])
        after = rescorer.f1({place: (("alone", number), e) for place, e in made.items()})
        for name in names:
            lost[name].append(base[name] - after[name])
        report_progress()
    return Sensitivity(
        known,
        order,
        total,
        names,
        rows,
        {name: fsum(values) / len(tried) for name, values in lost.items()},
        {name: stdev(values) if len(tried) > 1 else 0.0 for name, values in lost.items()},
        len(tried),
        rescorer.recipe.signature(),
    )


def damaged(key: Corpus, kind: str, level: str, *, order: str = "random", seed: Seed = 0) -> Corpus:
    """Return the key with errors at one level, as `sensitivity` makes them with this seed."""
    documents, sites = _sites(key, kind, order, seed)
    ((_, number),) = parse_levels(level, len(sites))
    made = _apply(documents, KINDS[kind], sites[:number])
    return Corpus([with_entities(d, made.get(n, d.entities)) for n, d in enumerate(documents)])


def _sites(
    key: Corpus, kind: str, order: str, seed: Seed
) -> tuple[list[Document], list[tuple[int, Any]]]:
    """Return the documents, and all sites for errors in the order in which they are damaged.

    A site is the number of its document, and the mention, link or entity that is damaged.
    """
    if kind not in KINDS:
        raise unknown("kind of damage", kind, KINDS)
    if order not in ORDERS:
        raise unknown("order", order, ORDERS)
    random = generator(seed)
    documents = paired_documents(key, key)[0].documents
    # In the order of labels, so that a seed does the same in any order of documents.
    sites = [
        (number, site)
        for number, document in sorted(enumerate(documents), key=lambda pair: pair[1].label)
        for site in KINDS[kind].sites(document.entities, random)
    ]
    if not sites:
        raise OptionError(f"the key has no place for errors of the kind {kind!r}")
    random.shuffle(sites)
    if order != "random":
        sign = -1 if order == "largest" else 1
        sites.sort(key=lambda pair: sign * pair[1].size)
    return documents, [(number, site.what) for number, site in sites]


def _apply(
    documents: Sequence[Document], kind: Kind, sites: Iterable[tuple[int, Any]]
) -> dict[int, Entities]:
    """Return the entities of the documents that are damaged, by number."""
    by_document: dict[int, list[Any]] = {}
    for number, what in sites:
        by_document.setdefault(number, []).append(what)
    made = {}
    for number, chosen in by_document.items():
        document = documents[number]
        taken = list(chain.from_iterable(document.entities))
        spare = partial(twinless_mentions, taken=taken, tokens=document.tokens)
        made[number] = kind.apply(document.entities, chosen, spare)
    return made


def _mention_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(mention, len(entity)) for entity in entities for mention in entity]


def _home_sites(entities: Entities, random: Random) -> list[Site]:
    """Return for each mention a site in its entity, so that large entities are hurt more often."""
    return [Site(n, len(entity)) for n, entity in enumerate(entities) for _ in entity]


def _entity_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(n, len(entity)) for n, entity in enumerate(entities)]


def _link_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(link, len(entities[link[0]])) for link in damage.chain_links(entities)]


def _merge_sites(entities: Entities, random: Random) -> list[Site]:
    """Return all pairs of entities, or a large random sample if there are very many."""
    total = comb(len(entities), 2)
    numbers = random.sample(range(total), MOST_PAIRS) if total > MOST_PAIRS else range(total)
    sites = []
    for number in numbers:
        # Pairs in the order 01, 02, 12, 03, …: before those of b there are b(b - 1)/2.
        b = (1 + isqrt(1 + 8 * number)) // 2
        a = number - comb(b, 2)
        sites.append(Site((a, b), len(entities[a]) + len(entities[b])))
    return sites


def _move_sites(entities: Entities, random: Random) -> list[Site]:
    sites = []
    for home, entity in enumerate(entities):
        for mention in entity if len(entities) > 1 else ():
            target = random.randrange(len(entities) - 1)
            sites.append(Site((mention, target + (target >= home)), len(entity)))
    return sites


def _add_to_entities(entities: Entities, homes: list[int], spare: Spare) -> Entities:
    for home, mention in zip(homes, spare(len(homes)), strict=True):
        entities = damage.add_to_entity(entities, home, [mention])
    return entities


def _add_pairs(entities: Entities, sites: list[Any], spare: Spare) -> Entities:
    extra = spare(2 * len(sites))
    return [*entities, *(extra[n : n + 2] for n in range(0, len(extra), 2))]


#: The kinds of damage by name.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "split",
            "Links between neighbours cut",
            "links",
            _link_sites,
            lambda entities, sites, _: damage.cut_links(entities, sites),
        ),
        Kind(
            "merge",
            "Pairs of entities merged",
            "pairs of entities",
            _merge_sites,
            lambda entities, sites, _: damage.merge_entities(entities, sites),
            lambda entities: comb(len(entities), 2),
        ),
        Kind(
            "move",
            "Mentions moved to another entity",
            "mentions",
            _move_sites,
            lambda entities, sites, _: damage.move_mentions(entities, dict(sites)),
        ),
        Kind(
            "wrong-links",
            "Mentions found without a correct link",
            "mentions",
            _mention_sites,
            lambda entities, sites, _: damage.reidentified_without_links(entities, sites, entities),
        ),
        Kind(
            "miss-mentions",
            "Mentions missed",
            "mentions",
            _mention_sites,
            lambda entities, sites, _: damage.without_mentions(entities, sites),
        ),
        Kind(
            "miss-entities",
            "Entities missed",
            "entities",
            _entity_sites,
            lambda entities, sites, _: damage.without_entities(entities, set(sites)),
        ),
        Kind(
            "extra",
            "Twinless mentions added to entities",
            "mentions",
            _home_sites,
            _add_to_entities,
        ),
        Kind(
            "extra-linked", "Pairs of twinless mentions added", "mentions", _home_sites, _add_pairs
        ),
        Kind(
            "extra-singletons",
            "Twinless singletons added",
            "mentions",
            _home_sites,
            lambda entities, sites, spare: damage.add_singletons(entities, spare(len(sites))),
        ),
    )
}
