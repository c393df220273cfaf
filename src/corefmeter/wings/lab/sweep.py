"""A synthetic coreference system with a threshold, from which nothing to all mentions are merged.

Luo 2005, section 3.2, varies the penalty of a real system. Here a pair of mentions has the score
``1 + e`` if it is coreferent in the key and ``e`` if not, where e has a normal distribution. Each
mention is linked to the earlier mention with the best score, if that reaches the threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import reading_key
from corefmeter.wings.lab.partitions import Seed, generator

#: Standard deviation of e. With it, CEAFm is about 0.77 at best on a key like OntoNotes, as for the
#: system of the paper's Table 3.
NOISE = 0.33

#: Number of earlier mentions that are candidates, in addition to the last one of the same entity.
WINDOW = 100

#: A mention, its best antecedent and their score.
Link = tuple[Mention, Mention, float]


def best_antecedents(
    key: Entities, seed: Seed, noise: float = NOISE, window: int = WINDOW
) -> list[Link]:
    """Return the best antecedent of each mention but the first, and the score of the pair.

    Mentions are in the order of the text, or entity by entity if one has no position.

    Without noise, each mention but the first of an entity finds an antecedent of score 1.

    >>> key = [[(0, 1), (2, 3)], [(1, 2)]]
    >>> best_antecedents(key, seed=0, noise=0)
    [((1, 2), (0, 1), 0.0), ((2, 3), (0, 1), 1.0)]
    """
    random = generator(seed)
    mentions = [(m, k) for k, entity in enumerate(key) for m in entity]
    with suppress(TypeError):  # of mentions without a position
        mentions = sorted(mentions, key=lambda pair: reading_key(pair[0]))
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
            score = random.gauss(0, noise) + (its_home == home)
            if best is None or score > best[2]:  # among equal scores, the first wins
                best = mention, antecedent, score
        if best is not None:
            links.append(best)
    return links


def link_mentions(key: Entities, links: Sequence[Link], threshold: float) -> Entities:
    """Return the entities that result if the key's mentions are linked by scores >= `threshold`.

    Each mention has at most one antecedent, so each link merges two entities: n mentions and l
    links make n - l entities.

    >>> key = [[(0, 1), (2, 3)], [(1, 2)]]
    >>> links = best_antecedents(key, seed=0, noise=0)
    >>> [link_mentions(key, links, threshold) for threshold in (2, 1, 0)]
    [[[(0, 1)], [(2, 3)], [(1, 2)]], [[(0, 1), (2, 3)], [(1, 2)]], [[(0, 1), (1, 2), (2, 3)]]]
    """
    home: dict[Mention, list[Mention]] = {m: [m] for entity in key for m in entity}
    for mention, antecedent, score in links:
        if score >= threshold:
            # Links are in reading order, so the antecedent is already in its final entity.
            home[antecedent].append(mention)
            home[mention] = home[antecedent]
    entities = {id(entity): entity for entity in home.values()}
    return list(entities.values())
