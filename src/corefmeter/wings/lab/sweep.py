"""A synthetic coreference system whose merging can be turned from nothing to everything.

Luo 2005, section 3.2, varies the penalty of a real system. Here a pair of mentions has the score
``1 + e`` if it is coreferent in the key and ``e`` if not, with e drawn from a normal distribution;
a mention is linked to the earlier mention of the best score, if that reaches the threshold.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import reading_key
from corefmeter.wings.lab.partitions import Seed, generator

#: Standard deviation of the scores of pairs; with it CEAFm is about 0.77 at best on a key like
#: OntoNotes, as for the system of the paper's Table 3.
NOISE = 0.33

#: How many earlier mentions are candidates, besides the last one of the same entity.
WINDOW = 100

#: A mention, its best antecedent and their score.
Link = tuple[Mention, Mention, float]


def best_antecedents(
    key: Entities, seed: Seed, noise: float = NOISE, window: int = WINDOW
) -> list[Link]:
    """Return for each mention but the first its best antecedent, and the score of the pair.

    Mentions are taken in the order of the text, or entity by entity if one has no position.

    Examples
    --------
    Without noise, each mention but the first of an entity finds an antecedent of score 1.

    >>> key = [[(0, 1), (2, 3)], [(1, 2)]]
    >>> best_antecedents(key, seed=0, noise=0)
    [((1, 2), (0, 1), 0.0), ((2, 3), (0, 1), 1.0)]
    """
    random = generator(seed)
    mentions = _sort_by_text([(m, k) for k, entity in enumerate(key) for m in entity])
    last: dict[int, int] = {}
    links: list[Link] = []
    for place, (mention, home) in enumerate(mentions):
        candidates = list(range(max(0, place - window), place))
        if home in last and last[home] < place - window:
            candidates.insert(0, last[home])
        last[home] = place
        best: Link | None = None
        for candidate in candidates:
            antecedent, its_home = mentions[candidate]
            score = random.gauss(0, noise) + (1 if its_home == home else 0)
            if best is None or score > best[2]:  # of equal scores, the first is kept
                best = mention, antecedent, score
        if best is not None:
            links.append(best)
    return links


def _sort_by_text(mentions: list[tuple[Mention, int]]) -> list[tuple[Mention, int]]:
    try:
        return sorted(mentions, key=lambda pair: reading_key(pair[0]))
    except TypeError:
        return mentions


def link_mentions(key: Entities, links: Sequence[Link], threshold: float) -> Entities:
    """Return the entities of the key's mentions that are linked by a score of at least `threshold`.

    Each link merges two entities, since each mention has one antecedent at most; so n mentions and
    l links make n - l entities.

    Examples
    --------
    >>> key = [[(0, 1), (2, 3)], [(1, 2)]]
    >>> links = best_antecedents(key, seed=0, noise=0)
    >>> [link_mentions(key, links, threshold) for threshold in (2, 1, 0)]
    [[[(0, 1)], [(2, 3)], [(1, 2)]], [[(0, 1), (2, 3)], [(1, 2)]], [[(0, 1), (1, 2), (2, 3)]]]
    """
    home: dict[Mention, list[Mention]] = {m: [m] for entity in key for m in entity}
    for mention, antecedent, value in links:
        if value >= threshold:
            # Links come in the order of reading, so the antecedent is in its final entity already.
            home[antecedent].append(mention)
            home[mention] = home[antecedent]
    entities = {id(entity): entity for entity in home.values()}
    return list(entities.values())
