"""ARCS, application-related coreference scores (Tuggener 2014).

Mentions are taken in the order of reading. Each decision about a mention has one of four outcomes:

- ``tp``: resolved correctly;
- ``wl``, *wrong linkage*: resolved to a wrong antecedent;
- ``fn``: not resolved, although it should be;
- ``fp``: resolved, although it should not be.

R = tp/(tp + wl + fn), over the key mentions; P = tp/(tp + wl + fp), over the resolved response
mentions (section 2). The metrics differ in what counts as resolved. *Nominal* are names and
nominals, by the kinds of `corefmeter.mentions.features`. What the paper leaves open is decided in
docs/decisions/arcs.md, D1 to D14; the code names the decisions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from corefmeter.corpus.model import Mention
from corefmeter.corpus.structures import grouped
from corefmeter.mentions.features import Features
from corefmeter.metrics.aligned import AlignedMetric
from corefmeter.metrics.base import (
    SCALARS,
    UNDEFINED_AS,
    Arithmetic,
    Number,
    Rates,
    Row,
    Scores,
    f_measure,
    ratios,
)
from corefmeter.metrics.decisions import OUTCOMES, Decision, Ordered, Outcome

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class ArcsMetric(AlignedMetric):
    """Base class of the three metrics: rows of the four counts.

    Parameters
    ----------
    only
        The kind of mentions whose decisions count; for anchors, the kind of the anchor.
    """

    papers = ("tuggener-2014",)
    fields: ClassVar[tuple[str, ...]] = OUTCOMES
    details = True

    def __init__(self, *, only: str | None = None) -> None:
        self.only = only

    @abstractmethod
    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """Yield the decisions about all mentions of a document, first those of the key."""

    def count(self, document: Ordered) -> Row:
        """Return the counts of one document."""
        counts = dict.fromkeys(OUTCOMES, 0)
        for decision in self.decisions(document):
            if self._is_wanted(decision, document):
                counts[decision.outcome] += 1
        return tuple(counts.values())

    def _is_wanted(self, decision: Decision, document: Ordered) -> bool:
        return self.only is None or document.kind(decision.mention) == self.only

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the counts of one document; a matched mention takes its partner's place."""
        key, response = alignment.documents()
        kind = Features(key, response).kind
        return self.count(Ordered(key.entities, response.entities, kind))

    def counts(self, sums: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        """R = tp/(tp + wl + fn), P = tp/(tp + wl + fp)."""
        tp, wl, fn, fp = sums
        return tp, tp + wl + fn, tp, tp + wl + fp


class ArcsImmediate(ArcsMetric):
    """Immediate antecedents (section 3.1, Table 1): gapless sequences of an entity's mentions.

    pred is the previous mention of the same entity. For each key mention that is not the first of
    its entity (lines 1 to 5):

    - no response entity holds it after another mention: fn
    - in one of them, pred is the one of the key: tp
    - else: wl

    For each response mention that is not the first of its entity (lines 6 to 8):

    - no key entity holds it after another mention: fp

    Section 3.1: D skips C, so it is wrong.

    >>> ArcsImmediate().count(Ordered([list("ABCD")], [list("ABD")]))
    (1, 1, 1, 0)
    """

    name = "arcs-immediate"
    title = "ARCS immediate"
    about = "Is each mention linked to the previous mention of its entity?"

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """Yield the decisions about all mentions of a document, first those of the key."""
        before = grouped((m, last) for entity in document.response for last, m in pairwise(entity))
        for number, entity in enumerate(document.key):
            for antecedent, mention in pairwise(entity):
                yield _judge_link(mention, number, antecedent, before.get(mention), {antecedent})
        yield from _find_false_positives(document)


class ArcsInferred(ArcsMetric):
    """Inferred antecedents (section 3.2): the closest name or noun of a pronoun's entity.

    closest(m, e) is the last nominal mention before m in the entity e. For each key mention m that
    is not the first of its entity k:

    - k has a nominal mention before m:

      - closest(m, r) exists for no response entity r that holds m: fn
      - for one of them it is a mention of k before m: tp
      - else: wl

    - k has none (a chain without a nominal mention, or one that begins with pronouns): nothing
      can be inferred, so only wrong inferences count (D5)

      - closest(m, r) exists: wl
      - else: nothing

    For each response mention that is not the first of its entity:

    - no key entity holds it after another mention: fp

    The response links "he" and "his" to the wrong name, and finds no name for "him".

    >>> kinds = {"Obama": "name", "Putin": "name"}
    >>> document = Ordered([["Obama", "he", "his", "him"], ["Putin"]],
    ...                    [["Putin", "he", "his"], ["they", "him"]],
    ...                    lambda mention: kinds.get(mention, "pronoun"))
    >>> ArcsInferred().count(document)
    (0, 2, 1, 0)
    """

    name = "arcs-inferred"
    title = "ARCS inferred"
    about = "Is each mention linked to the closest nominal mention before it?"

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """Yield the decisions about all mentions of a document, first those of the key."""
        closest = grouped(
            (mention, nominal)
            for entity in document.response
            for mention, nominal in _with_nominal(entity, document)
            if nominal is not None
        )
        for number, entity in enumerate(document.key):
            earlier: set[Mention] = set()
            for mention, nominal in _with_nominal(entity, document):
                if nominal is not None:
                    yield _judge_link(mention, number, nominal, closest.get(mention), earlier)
                elif earlier and mention in closest:
                    yield Decision("wl", mention, "key", number, None, closest[mention][0])
                earlier.add(mention)
        yield from _find_false_positives(document, closest)


def _with_nominal(
    entity: Sequence[Mention], document: Ordered
) -> Iterator[tuple[Mention, Mention | None]]:
    """Yield each mention with the last nominal one before it, if there is one."""
    nominal: Mention | None = None
    for mention in entity:
        yield mention, nominal
        if document.is_nominal(mention):
            nominal = mention


def _judge_link(
    mention: Mention,
    entity: int,
    expected: Mention,
    found: Sequence[Mention] | None,
    correct: Set[Mention],
) -> Decision:
    """Decide on a key mention that has an antecedent in the key.

    `expected` is that antecedent, `found` are those in the response, of which one in `correct`
    suffices (D1).
    """
    if not found:
        return Decision("fn", mention, "key", entity, expected)
    for antecedent in found:
        if antecedent in correct:
            return Decision("tp", mention, "key", entity, expected, antecedent)
    return Decision("wl", mention, "key", entity, expected, found[0])


def _find_false_positives(
    document: Ordered, closest: Mapping[Mention, Sequence[Mention]] | None = None
) -> Iterator[Decision]:
    """Yield false positives: mentions with an antecedent in the response only (D6, D7).

    They show the first antecedent that `closest` has for the mention, or without it the previous
    mention of the entity.
    """
    anaphoric = {mention for entity in document.key for mention in entity[1:]}
    for number, entity in enumerate(document.response):
        for previous, mention in pairwise(entity):
            if mention not in anaphoric:
                antecedent = previous if closest is None else closest.get(mention, (None,))[0]
                yield Decision("fp", mention, "response", number, None, antecedent)


class ArcsAnchor(ArcsMetric):
    """Anchor mentions (section 3.3, Table 2): is an entity found by a query, and is it complete?

    Entity detection (ED): a key entity is tp if its anchor is in a response entity, otherwise fn. A
    response entity is fp if its anchor is in no key entity. The anchor of an entity is its first
    nominal mention.

    Entity mentions (EM) are counted for each detected key entity k and the response entity r that
    has its anchor. A mention is tp if it is in both, fn if it is only in k, and fp if it is only in
    r.

    F = 2 ED EM / (ED + EM), where ED and EM are F1 scores. The paper does not define overall recall
    and precision, so they are not a number. There are no wrong links.

    >>> kinds = {"Obama": "name", "the president": "nominal", "he": "pronoun"}
    >>> document = Ordered([["Obama", "the president", "he"]], [["the president", "he"]], kinds.get)
    >>> ArcsAnchor().count(document)
    (0, 0, 1, 0, 0, 0, 0, 0)
    >>> document = Ordered([["Obama", "the president", "he"]], [["Obama", "he", "it"]], kinds.get)
    >>> scores = ArcsAnchor().scores(ArcsAnchor().count(document))
    >>> scores.detection.f1, round(scores.mentions.f1, 4), round(scores.f1, 4)
    (1.0, 0.6667, 0.8)
    """

    name = "arcs-anchor"
    title = "ARCS anchor"
    about = "Is an entity found by its anchor mention, and is it complete?"
    fields = (
        *(f"detection_{outcome}" for outcome in OUTCOMES),
        *(f"mentions_{outcome}" for outcome in OUTCOMES),
    )

    def count(self, document: Ordered) -> Row:
        """Return the counts of detection, then those of mentions.

        Mentions are not listed: in a response that merges all entities, each mention is a false
        positive of each entity.
        """
        detected, others = self._detections(document)
        responses = {r: set(document.response[r]) for r in {r for _, r in detected}}
        detection: Counter[str] = Counter()
        common = in_key = in_response = 0
        for decision, r in detected:
            if self._is_wanted(decision, document):
                entity, response = document.key[decision.entity], responses[r]
                detection["tp"] += 1
                common += sum(mention in response for mention in entity)
                in_key += len(entity)
                in_response += len(response)
        detection.update(one.outcome for one in others if self._is_wanted(one, document))
        return (
            *(detection[outcome] for outcome in OUTCOMES),
            *(common, 0, in_key - common, in_response - common),
        )

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """Yield all decisions: on key entities, on response entities, then on their mentions."""
        detected, others = self._detections(document)
        yield from (decision for decision, _ in detected)
        yield from others
        for decision, r in detected:
            k, anchor = decision.entity, decision.anchor
            key, response = set(document.key[k]), set(document.response[r])
            for mention in document.key[k]:
                outcome: Outcome = "tp" if mention in response else "fn"
                yield Decision(outcome, mention, "key", k, part="mentions", anchor=anchor)
            for mention in document.response[r]:
                if mention not in key:
                    yield Decision("fp", mention, "response", r, part="mentions", anchor=anchor)

    def _detections(self, document: Ordered) -> tuple[list[tuple[Decision, int]], list[Decision]]:
        """Decide for each entity with an anchor whether it is detected (D4, D11, D12, D13).

        Returns the decisions on detected key entities, each with the number of its response entity,
        and the decisions on the others: first missed key entities, then spurious response entities.
        """
        linked = ((r, entity) for r, entity in enumerate(document.response) if len(entity) > 1)
        homes = grouped((mention, r) for r, entity in linked for mention in entity)
        in_key = {mention for entity in document.key if len(entity) > 1 for mention in entity}
        detected: list[tuple[Decision, int]] = []
        others: list[Decision] = []
        for decision in self._anchors(document, "key"):
            found = homes.get(decision.mention)
            if found is None:
                others.append(decision._replace(outcome="fn"))
                continue
            best = found[0]
            if len(found) > 1:
                mentions = set(document.key[decision.entity])
                best = max(found, key=lambda r: len(mentions.intersection(document.response[r])))
            detected.append((decision, best))
        others += [
            decision._replace(outcome="fp")
            for decision in self._anchors(document, "response")
            if decision.mention not in in_key
        ]
        return detected, others

    def _anchors(self, document: Ordered, side: Literal["key", "response"]) -> Iterator[Decision]:
        """Yield a true positive for each entity of several mentions that has an anchor."""
        for number, entity in enumerate(getattr(document, side)):
            if len(entity) > 1:
                anchor = next(filter(document.is_nominal, entity), None)
                if anchor is not None:
                    yield Decision("tp", anchor, side, number, part="detection", anchor=anchor)

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """F = 2 ED EM / (ED + EM), with the scores of both as `detection` and `mentions`."""
        detection, mentions = (ratios(*self.counts(of), undefined) for of in (sums[:4], sums[4:]))
        parts = {"detection": detection, "mentions": mentions}
        if "f1" in detection.undefined:
            # Without an anchor on either side nothing can be aligned: the score is 0/0.
            return Scores(nan, nan, UNDEFINED_AS[undefined], 0, 0, 0, 0, ("f1",), parts)
        f1 = f_measure(detection.f1, mentions.f1) if detection.f1 else 0.0
        return Scores(nan, nan, f1, 0, 0, 0, 0, (), parts)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return F for numbers and for arrays; recall and precision are not a number."""
        detection = super().rates(sums[:4], on).f1
        mentions = super().rates(sums[4:], on).f1
        # Where nothing was detected, EM is 0/0, and the score is 0.
        f1 = f_measure(detection, on.where(mentions != mentions, 0.0, mentions), on)
        return Rates(detection * nan, detection * nan, f1)


#: The metrics by name.
ARCS: dict[str, type[ArcsMetric]] = {
    metric.name: metric for metric in (ArcsImmediate, ArcsInferred, ArcsAnchor)
}
