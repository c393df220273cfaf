"""The mention identification effect (Moosavi & Strube 2016, section 2) on one's own system.

A mention of key and response is **incorrectly resolved** if it has links in the response, and none
of them is right. A metric that credits it for merely being there can be misled, which three changed
responses show (the paper's Table 1):

``more_precise``
    All incorrectly resolved mentions are removed: recall should stay and precision not fall.
``less_precise_a``
    Key mentions that the response lacks are linked, in as many pairs from different key entities as
    there can be: recall should stay and precision not rise. (The paper leaves open which pairs.)
``less_precise_b``
    They are linked in entities as large as can be without a right link: one mention of each key
    entity, then a second one of each that has more, and so on.

A metric that does otherwise is marked. Of averages, F1 should not fall in the first case and not
rise in the others. ``mentions`` is never marked, since it measures mentions and not links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from corefmeter.analysis.scoring import Rescorer, as_json_values
from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import content_ranks
from corefmeter.corpus.structures import grouped
from corefmeter.metrics.average import rates_of
from corefmeter.result import Result

#: Differences that are no more than rounding.
_ROUNDING = 1e-12


def incorrectly_resolved(key: Entities, response: Entities) -> list[Mention]:
    """Return the mentions of both sides whose links in the response are all wrong.

    {m : m in key and response, L_r(m) not empty, L_k(m) & L_r(m) empty}: a singleton of the key
    that is linked in the response is incorrectly resolved, a singleton of the response is not.

    >>> incorrectly_resolved([["a", "b", "c"], ["d", "e"]], [["a", "b", "d"], ["c", "x"], ["e"]])
    ['d', 'c']
    """
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    wrong = []
    for entity in response:
        if len(entity) == 1:
            continue  # a singleton has no link that could be wrong
        by_home = grouped((home[mention], mention) for mention in entity if mention in home)
        wrong += [mentions[0] for mentions in by_home.values() if len(mentions) == 1]
    return wrong


def unresolved(key: Entities, response: Entities) -> list[list[Mention]]:
    """Return the key mentions that the response lacks, by key entity in reading order."""
    found = {mention for entity in response for mention in entity}
    ordered = [entity for _, entity in sorted(zip(content_ranks(key), key, strict=True))]
    missing = [[mention for mention in entity if mention not in found] for entity in ordered]
    return [mentions for mentions in missing if mentions]


def more_precise(key: Entities, response: Entities) -> Entities:
    """Return the response without its incorrectly resolved mentions."""
    wrong = set(incorrectly_resolved(key, response))
    reduced = [[mention for mention in entity if mention not in wrong] for entity in response]
    return [entity for entity in reduced if entity]


def less_precise_a(key: Entities, response: Entities) -> Entities:
    """Return the response with pairs of missing mentions of different key entities.

    The missing mentions are listed entity by entity. The first half of the list is linked with the
    second half, place by place. If one entity has more than half of the mentions, all mentions of
    the other entities are linked with its first ones.

    >>> less_precise_a([["a", "b", "c"], ["d"], ["e"]], [])
    [['d', 'a'], ['e', 'b']]
    """
    missing = unresolved(key, response)
    row = [mention for mentions in missing for mention in mentions]
    half = len(row) // 2
    largest = max(missing, key=len, default=[])
    if len(largest) > half:
        rest = [mentions for mentions in missing if mentions is not largest]
        others = [mention for mentions in rest for mention in mentions]
        pairs = zip(others, largest, strict=False)
    else:
        pairs = zip(row[:half], row[half:], strict=False)
    return [*map(list, response), *map(list, pairs)]


def less_precise_b(key: Entities, response: Entities) -> Entities:
    """Return the response with entities of one missing mention of each key entity.

    >>> less_precise_b([["a", "b", "c"], ["d", "e"], ["f"]], [])
    [['a', 'd', 'f'], ['b', 'e']]
    """
    missing = unresolved(key, response)
    added: Entities = []
    while len(missing) > 1:
        place = len(added)
        added.append([mentions[place] for mentions in missing])
        missing = [mentions for mentions in missing if len(mentions) > place + 1]
    return [*map(list, response), *added]


#: The changed responses by name, with the titles of the paper's Table 1.
EFFECTS: dict[str, tuple[str, Callable[[Entities, Entities], Entities]]] = {
    "more_precise": ("More precise", more_precise),
    "less_precise_a": ("Less precise a", less_precise_a),
    "less_precise_b": ("Less precise b", less_precise_b),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """The results of a response before and after a change, the key `name` of `EFFECTS`."""

    name: str
    base: Result
    changed: Result

    def differences(self, metric: str) -> dict[str, float]:
        """Return after minus before of recall, precision and F1; of averages only F1."""
        before, after = rates_of(self.base[metric]), rates_of(self.changed[metric])
        return {name: after[name] - before[name] for name in before}

    def wrong(self, metric: str) -> list[str]:
        """List which of ``recall``, ``precision``, ``f1`` move the wrong way; see the module."""
        if metric == "mentions":
            return []
        # Precision and F1 should not fall in the first case, and not rise in the others.
        wrong_sign = -1 if self.name == "more_precise" else 1
        return [
            name
            for name, value in self.differences(metric).items()
            if wrong_sign * value > _ROUNDING or (name == "recall" and abs(value) > _ROUNDING)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON values, with ``wrong``."""
        return {
            metric: {**as_json_values(rates_of(scores)), "wrong": self.wrong(metric)}
            for metric, scores in self.changed.scores().items()
        }


def effects(
    documents: Sequence[tuple[Entities, Entities]], rescorer: Rescorer
) -> dict[str, Effect]:
    """Score each changed response; `documents` are those of `rescorer`, in its order.

    CEAFe rewards two wrong links: its recall rises from 0/2 to (1/2 + 1/2)/2.

    >>> documents = [([["a", "b"], ["c", "d"]], [])]
    >>> found = effects(documents, Rescorer(documents, metrics=["muc", "ceafe"]))
    >>> found["less_precise_a"].wrong("muc"), found["less_precise_a"].wrong("ceafe")
    ([], ['recall', 'precision', 'f1'])
    """
    base = rescorer.result({})
    found = {}
    for name, (_, change) in EFFECTS.items():
        changed = {
            number: (name, after)
            for number, (key, response) in enumerate(documents)
            if (after := change(key, response)) != response
        }
        found[name] = Effect(name, base, rescorer.result(changed))
    return found
