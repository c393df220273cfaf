"""Bridging references, as in the CODI-CRAC shared tasks (Yu et al. 2022).

An anaphor (the door) has one or more anchors (the house); each is a mention, an entity, or both.
References of an anaphor that the key lacks are wrong. A metric leaves out an anaphor if the key
does not give its anchor in the form that the metric compares.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from corefmeter.corpus.model import Mention
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import Row

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment
    from corefmeter.matching.sides import Side


class Anchor(NamedTuple):
    """The anchor of an anaphor: a mention, the number of an entity if that is known, or both."""

    mention: Mention | None
    entity: int | None


class References:
    """The bridging references of one side: `anchors` of each anaphor, `homes` of each mention."""

    def __init__(self, side: Side, names: list[Mention]) -> None:
        # Reversed, so that the first of several copies of a mention names it.
        name_of: dict[Mention, Mention] = dict(
            zip(reversed(side.positions), reversed(names), strict=True)
        )
        self.homes = dict(zip(names, side.homes, strict=True))
        numbers = {name: number for number, name in enumerate(side.document.entity_names)}
        self.anchors: dict[Mention, set[Anchor]] = {}
        relations = side.document.relations
        for bridge in relations.bridges if relations else ():
            mention = name_of.get(bridge.anchor, bridge.anchor)
            entity = self.homes.get(mention, numbers.get(bridge.entity or ""))
            known = self.anchors.setdefault(name_of.get(bridge.anaphor, bridge.anaphor), set())
            if (mention, entity) != (None, None):
                known.add(Anchor(mention, entity))


class _Bridging(AlignedMetric):
    relations = ("bridging",)
    papers = ("yu-etal-2022",)
    key_count = "recall_denominator"

    @abstractmethod
    def compare(self, key: References, response: References) -> Row:
        """Return the statistics of one document; partners have the same name on both sides."""

    def aligned_statistics(self, alignment: Alignment) -> Row:
        of_key, of_response = alignment.names()
        key = References(alignment.key, of_key)
        return self.compare(key, References(alignment.response, of_response))


class BridgingAnaphors(_Bridging):
    """R = anaphors of both sides / key anaphors; P likewise with response anaphors."""

    name = "bridging-anaphor"
    title = "Bridging anaphors"
    about = "Are bridging anaphors found?"

    def compare(self, key: References, response: References) -> Row:
        """Return the anaphors in common, of the key, in common, of the response."""
        common = len(key.anchors.keys() & response.anchors.keys())
        return common, len(key.anchors), common, len(response.anchors)


class _Anchored(_Bridging):
    @abstractmethod
    def wanted(self, anchor: Anchor) -> Hashable:
        """Return the mention or entity that the key gives as the anchor; None without one."""

    @abstractmethod
    def meant(self, anchor: Anchor, key: References, response: References) -> set[Hashable] | None:
        """Return the key's mentions or entities that a response anchor may denote.

        None if the response does not give the anchor in this form.
        """

    def compare(self, key: References, response: References) -> Row:
        recalled = in_key = correct = in_response = 0
        for anaphor in {**key.anchors, **response.anchors}:
            of_key = {self.wanted(anchor) for anchor in key.anchors.get(anaphor, ())} - {None}
            if anaphor in key.anchors and not of_key:
                continue
            meanings = [
                self.meant(anchor, key, response) for anchor in response.anchors.get(anaphor, ())
            ]
            hits = [of_key & meaning for meaning in meanings if meaning is not None]
            recalled += len(set().union(*hits))
            in_key += len(of_key)
            correct += sum(map(bool, hits))
            in_response += len(hits)
        return recalled, in_key, correct, in_response


class BridgingMentions(_Anchored):
    """The anchor must be the same mention."""

    name = "bridging-mention"
    title = "Bridging, anchor mentions"
    about = "Are bridging anaphors found, with the right anchor mentions?"

    def wanted(self, anchor: Anchor) -> Hashable:
        """Return the mention."""
        return anchor.mention

    def meant(self, anchor: Anchor, key: References, response: References) -> set[Hashable] | None:
        """Return the mention."""
        return None if anchor.mention is None else {anchor.mention}


class BridgingEntities(_Anchored):
    """The anchor must be a mention of the same key entity.

    If the response gives an entity as the anchor, it denotes the key entity with which it shares
    the most mentions.
    """

    name = "bridging-entity"
    title = "Bridging, anchor entities"
    about = "Are bridging anaphors found, with the right anchor entities?"
    aliases = ("bridging",)

    def wanted(self, anchor: Anchor) -> Hashable:
        """Return the entity, or the mention if it is in none."""
        return anchor.mention if anchor.entity is None else anchor.entity

    def meant(self, anchor: Anchor, key: References, response: References) -> set[Hashable] | None:
        """Return the mention's key entity, or the entities that share most with the anchor."""
        if anchor.mention is not None:
            return {key.homes.get(anchor.mention, anchor.mention)}
        common = Counter(
            key.homes[mention]
            for mention, home in response.homes.items()
            if home == anchor.entity and mention in key.homes
        )
        return {home for home, n in common.items() if n == max(common.values())}
