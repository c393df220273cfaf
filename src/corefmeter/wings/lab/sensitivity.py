"""How each metric falls as one kind of damage grows on a real key, and what one error costs.

The response is the key with errors of one kind: a **site** is a place where one such error can be
made. Level n has the errors at the first n sites of one order, so that a level includes all lower
ones. The order is random, or by the size of the damaged entity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import comb, fsum, isqrt
from random import Random
from statistics import stdev
from typing import Any, NamedTuple

from corefmeter.analysis.scoring import Rescorer
from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.structures import grouped
from corefmeter.metrics.average import recall_precision_f1
from corefmeter.problems import OptionError, unknown
from corefmeter.wings.lab import damage, partitions
from corefmeter.wings.lab.outcome import METRICS, OnProgress

#: The default levels: shares of all sites.
LEVELS = "0,1%,2%,5%,10%,20%,50%,100%"

#: Trying an error costs as much as its document has mentions. If all errors together cost more than
#: `CHEAP`, only `SAMPLES` of them are tried.
SAMPLES, CHEAP = 50, 700_000

#: If a document has more pairs of entities, this number is drawn.
MOST_PAIRS = 500_000

#: The orders in which errors can be made.
ORDERS = ("random", "largest", "smallest")


class Site(NamedTuple):
    """A place for one error: the damaged mention, link or entity, and the size of its entity."""

    target: Any
    size: int


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of damage, with a title and the unit in which it is counted.

    `sites` lists the sites of a document; `count` counts them, if not all are listed. `apply` makes
    errors at the targets of some sites; it is also given `extra` twinless mentions for each target.
    """

    name: str
    title: str
    sites: Callable[[Entities, Random], list[Site]]
    apply: Callable[..., Entities]
    unit: str = "mentions"
    count: Callable[[Entities], int] | None = None
    extra: int = 0


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

    `sites` is the number of possible errors in the key. `costs` has, by metric, the mean loss of F1
    by one error over the first `samples` sites: the slope of the curve at zero. `deviations` has
    the standard deviations of these losses.
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

    >>> parse_levels("0, 3, 50%", sites=9)
    [('0', 0), ('3', 3), ('50%', 4)]
    """
    levels = []
    for item in filter(None, map(str.strip, text.split(","))):
        try:
            value = float(item[:-1]) / 100 * sites if item.endswith("%") else int(item)
            number = round(value)
        except (ValueError, OverflowError):
            hint = "write a number, or a share such as 5%"
            raise OptionError(f"{item!r} is not a level; {hint}") from None
        if not 0 <= value <= sites:
            raise OptionError(f"level {item}: the key has {sites} places for such errors")
        levels.append((item, number))
    if not levels:
        raise OptionError("no level is given; write numbers or shares, such as 0,5,10%")
    return levels


def sensitivity(
    key: Corpus,
    kind: str,
    levels: str = LEVELS,
    *,
    metrics: Iterable[str] = METRICS,
    order: str = "random",
    seed: partitions.Seed = 0,
    samples: int | None = None,
    progress: OnProgress = None,
) -> Sensitivity:
    """Measure how each metric falls as one type of damage grows on a key.

    Parameters
    ----------
    key
        The corpus to damage; of a repeated mention only the first copy is kept.
    kind, order
        Names in `KINDS` and in `ORDERS`.
    levels
        See `parse_levels`.
    metrics
        Names of metrics that do not need the text.
    samples
        Number of errors that are tried one by one for their mean cost; by default all errors if
        that is cheap, else `SAMPLES`.
    progress
        Called with the number of scored responses and the number of all responses.

    Examples
    --------
    One of four mentions is lost: B³ recall is (1 + 1 + 1/2 + 0)/4, LEA recall 2/4. The remaining
    singleton has no link that could be right, so LEA precision is 2/3.

    >>> from corefmeter.corpus.convert import as_corpus
    >>> key = as_corpus([[(0, 1), (1, 2)], [(2, 3), (3, 4)]])
    >>> result = sensitivity(key, "miss-mentions", "0,1", metrics=["b3", "lea"])
    >>> [(row.metric, row.recall, row.precision) for row in result.rows if row.errors]
    [('b3', 0.625, 1.0), ('lea', 0.5, 0.6666666666666666)]
    """
    documents, sites = _sites(key, kind, order, seed)
    known_kind = KINDS[kind]
    total = len(sites)
    if known_kind.count is not None:
        total = sum(known_kind.count(document.entities) for document in documents)
    level_errors = parse_levels(levels, total)
    if samples is None:
        cost = sum(len(entity) for number, _ in sites for entity in documents[number].entities)
        samples = len(sites) if cost <= CHEAP else SAMPLES
    if samples < 1:
        raise OptionError(f"samples must be 1 or more, not {samples}")
    rescorer = Rescorer([(d.entities, d.entities) for d in documents], metrics=tuple(metrics))
    names = rescorer.recipe.metrics
    tried = sites[:samples]
    report = progress or (lambda done, total: None)
    steps = len(level_errors) + len(tried)
    rows = []
    for number, (level, errors) in enumerate(level_errors, 1):
        changed = _apply(documents, known_kind, sites[:errors])
        scores = rescorer.result({place: ((level, errors), e) for place, e in changed.items()})
        rows += [LevelRow(level, errors, m, *recall_precision_f1(scores[m])) for m in names]
        report(number, steps)
    losses: dict[str, list[float]] = {name: [] for name in names}
    undamaged = rescorer.f1({})
    for number, site in enumerate(tried, 1):
        changed = _apply(documents, known_kind, [site])
        f1 = rescorer.f1({place: (("alone", number), e) for place, e in changed.items()})
        for name in names:
            losses[name].append(undamaged[name] - f1[name])
        report(len(level_errors) + number, steps)
    costs = {name: fsum(values) / len(tried) for name, values in losses.items()}
    deviations = {name: stdev(v) if len(v) > 1 else 0.0 for name, v in losses.items()}
    signature = rescorer.recipe.signature()
    return Sensitivity(
        known_kind, order, total, names, rows, costs, deviations, len(tried), signature
    )


def damaged(
    key: Corpus, kind: str, level: str, *, order: str = "random", seed: partitions.Seed = 0
) -> Corpus:
    """Return the key with errors at one level, as `sensitivity` makes them with this seed."""
    documents, sites = _sites(key, kind, order, seed)
    ((_, errors),) = parse_levels(level, len(sites))
    changed = _apply(documents, KINDS[kind], sites[:errors])
    return Corpus(
        [partitions.with_entities(d, changed.get(n, d.entities)) for n, d in enumerate(documents)]
    )


def _sites(
    key: Corpus, kind: str, order: str, seed: partitions.Seed
) -> tuple[list[Document], list[tuple[int, Any]]]:
    """Return the documents, and for each site the number of its document and its target.

    Sites are in the order in which they are damaged.
    """
    if kind not in KINDS:
        raise unknown("kind of damage", kind, KINDS)
    if order not in ORDERS:
        raise unknown("order", order, ORDERS)
    random = partitions.generator(seed)
    documents = partitions.paired_documents(key, key)[0].documents
    # In the order of labels, so that a seed has the same effect in any order of documents.
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
    return documents, [(number, site.target) for number, site in sites]


def _apply(
    documents: Sequence[Document], kind: Kind, sites: Iterable[tuple[int, Any]]
) -> dict[int, Entities]:
    """Return the entities of the damaged documents, by the number of the document."""
    changed = {}
    for number, of_document in grouped(sites).items():
        document = documents[number]
        arguments: list[Any] = [document.entities, of_document]
        if kind.extra:
            mentions = chain.from_iterable(document.entities)
            extra = kind.extra * len(of_document)
            arguments.append(partitions.twinless_mentions(extra, mentions, document.tokens))
        changed[number] = kind.apply(*arguments)
    return changed


def _mention_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(mention, len(entity)) for entity in entities for mention in entity]


def _home_sites(entities: Entities, random: Random) -> list[Site]:
    """Return each entity once for each of its mentions, so that large ones are hit more often."""
    return [Site(n, len(entity)) for n, entity in enumerate(entities) for _ in entity]


def _entity_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(n, len(entity)) for n, entity in enumerate(entities)]


def _link_sites(entities: Entities, random: Random) -> list[Site]:
    return [Site(link, len(entities[link[0]])) for link in damage.chain_links(entities)]


def _merge_sites(entities: Entities, random: Random) -> list[Site]:
    """Return all pairs of entities, or a large random sample if there are very many."""
    total = _count_pairs(entities)
    numbers = random.sample(range(total), MOST_PAIRS) if total > MOST_PAIRS else range(total)
    sites = []
    for number in numbers:
        # Pairs are numbered in the order 01, 02, 12, 03, …; b(b - 1)/2 pairs precede those of b.
        b = (1 + isqrt(1 + 8 * number)) // 2
        a = number - comb(b, 2)
        sites.append(Site((a, b), len(entities[a]) + len(entities[b])))
    return sites


def _count_pairs(entities: Entities) -> int:
    return comb(len(entities), 2)


def _move_sites(entities: Entities, random: Random) -> list[Site]:
    """Return each mention with the number of another entity, drawn at random."""
    if len(entities) < 2:
        return []
    sites = []
    for home, entity in enumerate(entities):
        for mention in entity:
            target = random.randrange(len(entities) - 1)
            sites.append(Site((mention, target + (target >= home)), len(entity)))
    return sites


def _link_wrongly(entities: Entities, mentions: list[Mention]) -> Entities:
    return damage.reidentified_without_links(entities, mentions, entities)


def _add_to_entities(entities: Entities, homes: list[int], extra: list[Mention]) -> Entities:
    for home, mention in zip(homes, extra, strict=True):
        entities = damage.add_to_entity(entities, home, [mention])
    return entities


def _add_entities(entities: Entities, homes: list[int], extra: list[Mention]) -> Entities:
    size = len(extra) // len(homes)
    return [*entities, *(extra[n : n + size] for n in range(0, len(extra), size))]


_KINDS = [
    Kind("split", "Links between neighbours cut", _link_sites, damage.cut_links, "links"),
    Kind(
        "merge",
        "Pairs of entities merged",
        _merge_sites,
        damage.merge_entities,
        "pairs of entities",
        count=_count_pairs,
    ),
    Kind("move", "Mentions moved to another entity", _move_sites, damage.move_mentions),
    Kind("wrong-links", "Mentions found without a correct link", _mention_sites, _link_wrongly),
    Kind("miss-mentions", "Mentions missed", _mention_sites, damage.without_mentions),
    Kind("miss-entities", "Entities missed", _entity_sites, damage.without_entities, "entities"),
    Kind("extra", "Twinless mentions added to entities", _home_sites, _add_to_entities, extra=1),
    Kind("extra-linked", "Pairs of twinless mentions added", _home_sites, _add_entities, extra=2),
    Kind("extra-singletons", "Twinless singletons added", _home_sites, _add_entities, extra=1),
]

#: The kinds of damage by name.
KINDS: dict[str, Kind] = {kind.name: kind for kind in _KINDS}
