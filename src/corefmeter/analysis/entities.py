"""Entities as Holen (2013) sees them: for each key entity, what became of it in the response.

A key entity K is compared with its best response entity R. The formulas of section 6 overlap, and
do not cover every case; this rule assigns each pair to one category. A response mention is

- *whole*: a mention of K;
- *foreign*: a mention of another key entity;
- *partial*: no key mention, but it overlaps with a mention of K that is not in R, one with one;
- *spurious*: none of these.

With their numbers w, f, p, s, the first that applies:

1. w = |K| = |R|: **1**, perfect
2. w > 0 and f > 0: **3**, merged (formula 3, and BN2 and MZ17 of Table 4, where w = 1)
3. w + p < 2: **4**, failed (a single correct mention has no correct link)
4. f + s > 0: **3**, merged
5. p > 0: **2b**, partial mentions
6. **2a**, partial entity

Two mentions overlap if they share a token, and the shared tokens include the head of each whose
head is known. Pairs are made by the most shared tokens, then in the order of reading.

The **best response entity** has the most whole and partial mentions; of those the most whole ones,
of those the fewest mentions, of those the one that is read first. It may be the best of several key
entities. docs/decisions/checks.md lists the cases that the paper leaves open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import fsum
from typing import Any

from corefmeter.analysis.information import INFORMATIVE, Weight
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import common_node_counts, content_ranks, covers, in_reading_order
from corefmeter.mentions.heads import no_head
from corefmeter.metrics.b3 import BCubed
from corefmeter.metrics.base import Metric, Scores
from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.ceaf import CeafE, CeafM
from corefmeter.metrics.lea import Lea
from corefmeter.metrics.muc import Muc
from corefmeter.metrics.overlap import Overlap, pairs

#: The categories with their names, in the order of the paper.
CATEGORIES: dict[str, str] = {
    "1": "perfect",
    "2a": "partial entity",
    "2b": "partial mentions",
    "3": "merged",
    "4": "failed",
}

#: The metrics of an isolated pair by name; of BLANC only the coreference links count.
ISOLATED: dict[str, Metric] = {
    metric.name: metric for metric in (Muc(), BCubed(), CeafM(), CeafE(), Blanc(), Lea())
}


def category(size: int, whole: int, partial: int, foreign: int, spurious: int) -> str:
    """Return the category of a key entity, a key of `CATEGORIES`.

    `size` is the number of its mentions; the others count the mentions of the best response entity,
    see the module, and are 0 without one.

    >>> category(3, 2, 0, 0, 0), category(3, 2, 0, 1, 0), category(3, 1, 0, 0, 1)
    ('2a', '3', '4')
    """
    others = foreign + spurious
    if whole == size and not partial + others:
        return "1"
    if whole and foreign:
        return "3"
    if whole + partial < 2:
        return "4"
    if others:
        return "3"
    return "2b" if partial else "2a"


@lru_cache(maxsize=4096)
def _score_pair(key: int, response: int, common: int) -> dict[str, Scores]:
    """Compute the scores of a pair of entities from their sizes and that of their intersection."""
    # Mentions are numbers: the last ones of the key entity are the first ones of the response's.
    start = key - common
    of_key: Entities = [list(range(key))]
    of_response: Entities = [list(range(start, start + response))] if response else []
    table = Overlap(of_key, of_response, False)
    scores = {name: metric.scores(metric.statistics(table)) for name, metric in ISOLATED.items()}
    scores["blanc"] = scores["blanc"].parts["coreference"]
    return scores


@dataclass(frozen=True, slots=True)
class EntityComparison:
    """A key entity and its best response entity.

    Attributes
    ----------
    key, response : int
        The entities, counted from 0; `response` is None without a best one.
    key_name, response_name : str
        Their names in the file.
    key_mentions, response_mentions : list of Mention
        Their mentions in reading order.
    category : str
        A key of `CATEGORIES`.
    whole, missing : list of Mention
        The mentions of the key entity that the response entity has, and those that it lacks, with
        those of which it has only a part.
    partial : list of (Mention, Mention)
        Mentions of the key entity, each with the response mention that overlaps with it.
    links : int
        The correct links, pairs of whole mentions.
    one_link_informative : bool or None
        If there is exactly one correct link, counting partial mentions as whole ones: whether both
        its ends are informative, names or nominals (section 5). Else None.
    informative_links : int
        The correct links, counting partial mentions as whole ones, with two informative ends.
    weight, kept : float
        The information weight of the key entity, and of its whole mentions. Without a correct link
        nothing is kept.
    """

    key: int
    key_name: str
    key_mentions: list[Mention]
    response: int | None
    response_name: str | None
    response_mentions: list[Mention]
    category: str
    whole: list[Mention] = field(default_factory=list)
    missing: list[Mention] = field(default_factory=list)
    partial: list[tuple[Mention, Mention]] = field(default_factory=list)
    links: int = 0
    one_link_informative: bool | None = None
    informative_links: int = 0
    weight: float = 0.0
    kept: float = 0.0
    _home: Mapping[Mention, int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def foreign(self) -> list[Mention]:
        """The mentions of the response entity that are mentions of other key entities."""
        home, own = self._home, self.key
        return [mention for mention in self.response_mentions if home.get(mention, own) != own]

    @property
    def spurious(self) -> list[Mention]:
        """The mentions of the response entity that are of no key entity, not even in part."""
        parts = {part for _, part in self.partial}
        return [
            mention
            for mention in self.response_mentions
            if mention not in self._home and mention not in parts
        ]

    @property
    def information(self) -> float:
        """The share of the key entity's weight that the response entity keeps; 0 for 0/0."""
        return self.kept / self.weight if self.weight else 0.0

    def scores(self) -> dict[str, Scores]:
        """Return the scores of the pair, as if there were no other entities.

        ``blanc`` is its coreference half: with one entity there are no other links (section 2.1).

        Key entity BC22 of Table 2: two of three mentions.

        >>> scores = compare_entities([[1, 2, 3]], [[1, 3]])[0].scores()
        >>> [round(100 * scores[name].f1, 2) for name in ("muc", "ceafe", "ceafm", "blanc")]
        [66.67, 80.0, 80.0, 50.0]
        """
        return dict(
            _score_pair(len(self.key_mentions), len(self.response_mentions), len(self.whole))
        )


def homes(entities: Entities) -> dict[Mention, int]:
    """Return the first entity of each mention, in the order of the mentions."""
    home: dict[Mention, int] = {}
    for number, entity in enumerate(entities):
        for mention in entity:
            home.setdefault(mention, number)
    return home


def compare_entities(
    key: Entities,
    response: Entities,
    *,
    key_names: Sequence[object] | None = None,
    response_names: Sequence[object] | None = None,
    head: Callable[[Mention], Any] = no_head,
    weight: Weight = lambda mention: 1.0,
) -> list[EntityComparison]:
    """Return each key entity with its best response entity, in the order of the key.

    Parameters
    ----------
    key, response
        The entities of one document. A mention that is in several key entities belongs, for the
        response, to the first.
    key_names, response_names
        The names of the entities; numbers by default.
    head
        A function from a mention to its head, one of its tokens, or None if unknown.
    weight
        A function from a mention to its information weight.

    Examples
    --------
    MZ22 of Table 3: the first mention is found in part, with its head; the second is found.

    >>> (found,) = compare_entities([[(0, 9), (20, 24)]], [[(0, 4), (20, 24)]],
    ...                             head=lambda mention: mention[0] + 1)
    >>> found.category, found.partial, found.one_link_informative
    ('2b', [((0, 9), (0, 4))], True)
    """
    key, response = in_reading_order(key), in_reading_order(response)
    home = homes(key)
    whole: list[dict[int, list[Mention]]] = [{} for _ in key]
    in_key = [0] * len(response)  # of each response entity, how many mentions are key mentions
    for r, entity in enumerate(response):
        for mention in entity:
            if mention in home:
                in_key[r] += 1
                whole[home[mention]].setdefault(r, []).append(mention)
    partial = _pair_partial_mentions(key, response, home, head)
    ranks = content_ranks(response)
    key_names = range(len(key)) if key_names is None else key_names
    response_names = range(len(response)) if response_names is None else response_names
    comparisons = []
    for k, entity in enumerate(key):
        best = _find_best(whole[k], partial[k], response, ranks)
        shared, parts = set[Mention](), list[tuple[Mention, Mention]]()
        mentions, known = list[Mention](), 0
        if best is not None:
            shared, parts = set(whole[k].get(best, ())), partial[k].get(best, [])
            mentions, known = response[best], in_key[best]
        in_both = [mention for mention in entity if mention in shared]
        foreign = known - len(in_both)
        spurious = len(mentions) - known - len(parts)
        weights = [weight(mention) for mention in (*in_both, *(y for y, _ in parts))]
        informative = sum(value >= INFORMATIVE for value in weights)
        # A singleton has no link, and is kept by the same singleton.
        same_singleton = len(entity) == len(mentions) == len(in_both) == 1
        is_kept = len(in_both) > 1 or same_singleton
        comparisons.append(
            EntityComparison(
                key=k,
                key_name=str(key_names[k]),
                key_mentions=entity,
                response=best,
                response_name=None if best is None else str(response_names[best]),
                response_mentions=mentions,
                category=category(len(entity), len(in_both), len(parts), foreign, spurious),
                whole=in_both,
                missing=[mention for mention in entity if mention not in shared],
                partial=parts,
                links=pairs(len(in_both)),
                one_link_informative=informative == 2 if len(weights) == 2 else None,
                informative_links=pairs(informative),
                weight=fsum(map(weight, entity)),
                kept=fsum(weights[: len(in_both)]) if is_kept else 0.0,
                _home=home,
            )
        )
    return comparisons


def _find_best(
    whole: Mapping[int, Sequence[Mention]],
    partial: Mapping[int, Sequence[tuple[Mention, Mention]]],
    response: Entities,
    ranks: Sequence[int],
) -> int | None:
    """Return the best response entity of a key entity, given its mentions by response entity."""

    def rank(r: int) -> tuple[int, int, int, int]:
        kept = len(whole.get(r, ()))
        return kept + len(partial.get(r, ())), kept, -len(response[r]), -ranks[r]

    return max(whole.keys() | partial.keys(), key=rank, default=None)


def _pair_partial_mentions(
    key: Entities, response: Entities, home: dict[Mention, int], head: Callable[[Mention], Any]
) -> list[dict[int, list[tuple[Mention, Mention]]]]:
    """Return for each key entity the pairs of mentions that overlap, by response entity."""
    twinless = [
        (r, mention)
        for r, entity in enumerate(response)
        for mention in entity
        if mention not in home
    ]
    if not twinless:
        return [{} for _ in key]
    mentions = list(home)
    head_of = cache(head)
    responses = [set(entity) for entity in response]
    # By key entity and response entity: minus the shared tokens, and the two mentions' numbers.
    choices: list[dict[int, list[tuple[int, int, int]]]] = [{} for _ in key]
    overlaps = common_node_counts(mentions, [z for _, z in twinless], empty=False)
    for (rank, number), shared in overlaps.items():
        y, (r, z) = mentions[rank], twinless[number]
        if y in responses[r]:
            continue
        of_key, of_response = head_of(y), head_of(z)
        if (of_key is None or covers(z, of_key)) and (
            of_response is None or (covers(y, of_response) and covers(z, of_response))
        ):
            choices[home[y]].setdefault(r, []).append((-shared, rank, number))
    partial: list[dict[int, list[tuple[Mention, Mention]]]] = [{} for _ in key]
    for k, by_entity in enumerate(choices):
        for r, edges in by_entity.items():
            pairs = choose_pairs(edges)
            partial[k][r] = [(mentions[rank], twinless[number][1]) for rank, number in pairs]
    return partial


def choose_pairs(edges: Sequence[tuple[Any, int, int]]) -> list[tuple[int, int]]:
    """Pair mentions one to one, the cheapest pair first; return the pairs (first, second), sorted.

    An edge is (cost, first, second).
    """
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for _, first, second in sorted(edges):
        if first not in partners and second not in taken:
            partners[first] = second
            taken.add(second)
    return sorted(partners.items())


def count_categories(comparisons: Iterable[EntityComparison]) -> dict[str, int]:
    """Count the key entities of each category; categories without one are 0."""
    counts = Counter(comparison.category for comparison in comparisons)
    return {name: counts[name] for name in CATEGORIES}
