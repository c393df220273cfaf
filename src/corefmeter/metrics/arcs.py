"""ARCS, application-related coreference scores (Tuggener 2014): what a user of a system would feel.

Mentions are taken in the order of reading. Each decision about one mention is one of

- ``tp``: resolved, and correctly;
- ``wl``, *wrong linkage*: resolved, but to a wrong antecedent;
- ``fn``: to be resolved, but not resolved;
- ``fp``: resolved, but not to be resolved.

R = tp/(tp + wl + fn), over the key mentions; P = tp/(tp + wl + fp), over the resolved response
mentions (section 2). What counts as resolved depends on the application:

``arcs-immediate``
    The antecedent is the mention right before (section 3.1, Table 1).
``arcs-inferred``
    The antecedent is the closest nominal mention before (section 3.2).
``arcs-anchor``
    An entity is found by its first nominal mention, its anchor (section 3.3, Table 2).

*Nominal* are names and nominals, by the kinds of `corefmeter.mentions.features`. What the paper
leaves open is decided in docs/decisions/arcs.md, D1 to D14; the code names the decisions.

The metrics follow the protocol of all metrics: rows of `fields` that add up over documents, and
scores from sums. `decisions` gives the single decisions, to list them or to count them by a
feature.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from corefmeter.corpus.model import Mention
from corefmeter.metrics.base import (
    SCALARS,
    UNDEFINED_AS,
    Arithmetic,
    Metric,
    Number,
    Rates,
    Row,
    Scores,
    f_measure,
    ratio_rates,
    ratios,
)
from corefmeter.metrics.decisions import (
    OUTCOMES,
    Counts,
    Decision,
    KindFunction,
    Ordered,
    Outcome,
    aligned,
    count_by,
    unknown_kind,
)
from corefmeter.metrics.overlap import Overlap

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment


class ArcsMetric(Metric):
    """Base class of the three metrics: rows of the four counts.

    Parameters
    ----------
    kind
        From a mention to its kind, for tables that do not know it themselves.
    only
        The kind of mentions that decisions count of; of anchors, that of the anchor.
    """

    papers = ("tuggener-2014",)
    fields: ClassVar[tuple[str, ...]] = OUTCOMES
    aligned = True
    details = True

    def __init__(self, kind: KindFunction = unknown_kind, *, only: str | None = None) -> None:
        self.kind = kind
        self.only = only

    @abstractmethod
    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """The decisions about all mentions of a document, first those of the key."""

    def statistics(self, table: Overlap | Ordered) -> Row:
        """Return the counts of one document."""
        counts = dict.fromkeys(OUTCOMES, 0)
        document = self._ordered(table)
        for decision in self.decisions(document):
            if self.only is None or document.kind(decision.mention) == self.only:
                counts[decision.outcome] += 1
        return tuple(counts.values())

    def aligned_statistics(self, alignment: Alignment) -> Row:
        """Return the counts of one document, from the alignment of its mentions."""
        return self.statistics(aligned(alignment))

    def _ordered(self, table: Overlap | Ordered) -> Ordered:
        if isinstance(table, Ordered):
            return table
        return Ordered(table.key, table.response, self.kind)

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """R = tp/(tp + wl + fn), P = tp/(tp + wl + fp)."""
        tp, wl, fn, fp = sums
        return ratios(tp, tp + wl + fn, tp, tp + wl + fp, undefined)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """Return the same for numbers and for arrays."""
        tp, wl, fn, fp = sums
        return ratio_rates(tp, tp + wl + fn, tp, tp + wl + fp, on)


class ArcsImmediate(ArcsMetric):
    """Immediate antecedents (section 3.1, Table 1): gapless sequences of an entity's mentions.

    For each key mention that is not the first of its entity (lines 1 to 5), pred being the mention
    right before in the same entity:

    - no response entity holds it after another mention: fn
    - in one of them, pred is the one of the key: tp
    - else: wl

    For each response mention that is not the first of its entity (lines 6 to 8):

    - no key entity holds it after another mention: fp

    Examples
    --------
    Section 3.1: D skips C, so it is wrong.

    >>> ArcsImmediate().statistics(Ordered([list("ABCD")], [list("ABD")]))
    (1, 1, 1, 0)
    """

    name = "arcs-immediate"
    title = "ARCS immediate"
    about = "Is each mention linked to the mention right before it in its entity?"

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """The decisions about all mentions of a document, first those of the key."""
        before: dict[Mention, list[Mention]] = {}
        for entity in document.response:
            for antecedent, mention in pairwise(entity):
                before.setdefault(mention, []).append(antecedent)
        for number, entity in enumerate(document.key):
            for antecedent, mention in pairwise(entity):
                yield _linked(mention, number, antecedent, before.get(mention), (antecedent,))
        yield from _not_anaphoric(document)


class ArcsInferred(ArcsMetric):
    """Inferred antecedents (section 3.2): the entity that a pronoun denotes, from close by.

    closest(m, e) is the last nominal mention before m in the entity e. For each key mention m that
    is not the first of its entity k:

    - k has a nominal mention before m:

      - closest(m, r) exists for no response entity r that holds m: fn
      - for one of them it is a mention of k before m: tp
      - else: wl

    - k has none (a chain without a nominal mention, or one that begins with pronouns): there is
      nothing to infer, so only what was inferred counts (D5)

      - closest(m, r) exists: wl
      - else: nothing

    For each response mention that is not the first of its entity:

    - no key entity holds it after another mention: fp

    Examples
    --------
    The response links "he" and "his" to the wrong name, and finds no name for "him".

    >>> kinds = {"Obama": "name", "Putin": "name"}
    >>> document = Ordered([["Obama", "he", "his", "him"], ["Putin"]],
    ...                    [["Putin", "he", "his"], ["they", "him"]],
    ...                    lambda mention: kinds.get(mention, "pronoun"))
    >>> ArcsInferred().statistics(document)
    (0, 2, 1, 0)
    """

    name = "arcs-inferred"
    title = "ARCS inferred"
    about = "Is each mention linked to the closest nominal mention before it?"

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """The decisions about all mentions of a document, first those of the key."""
        closest: dict[Mention, list[Mention]] = {}
        for entity in document.response:
            nominal: Mention | None = None
            for mention in entity:
                if nominal is not None:
                    closest.setdefault(mention, []).append(nominal)
                if document.is_nominal(mention):
                    nominal = mention
        for number, entity in enumerate(document.key):
            nominal = None
            earlier: set[Mention] = set()
            for mention in entity:
                if nominal is not None:
                    yield _linked(mention, number, nominal, closest.get(mention), earlier)
                elif earlier and mention in closest:
                    found = closest[mention][0]
                    yield Decision("wl", mention, "key", number, None, found)
                earlier.add(mention)
                if document.is_nominal(mention):
                    nominal = mention
        yield from _not_anaphoric(document, closest)


def _linked(
    mention: Mention,
    entity: int,
    expected: Mention,
    found: Sequence[Mention] | None,
    correct: AbstractSet[Mention] | tuple[Mention, ...],
) -> Decision:
    """The decision about a key mention that has an antecedent; one right copy suffices (D1)."""
    if not found:
        return Decision("fn", mention, "key", entity, expected)
    for antecedent in found:
        if antecedent in correct:
            return Decision("tp", mention, "key", entity, expected, antecedent)
    return Decision("wl", mention, "key", entity, expected, found[0])


def _not_anaphoric(
    document: Ordered, closest: Mapping[Mention, Sequence[Mention]] | None = None
) -> Iterator[Decision]:
    """False positives: response mentions after another one that are not so in the key (D6, D7).

    `closest` are the antecedents to be shown; by default the mention right before.
    """
    anaphoric = {mention for entity in document.key for mention in entity[1:]}
    for number, entity in enumerate(document.response):
        for antecedent, mention in pairwise(entity):
            if mention not in anaphoric:
                found: Mention | None = antecedent
                if closest is not None:
                    found = closest.get(mention, (None,))[0]
                yield Decision("fp", mention, "response", number, None, found)


#: From the mentions of an entity, in the order of reading, and the test for nominal ones to the
#: anchor, or None for an entity without one.
AnchorRule = Callable[[Sequence[Mention], Callable[[Mention], bool]], Mention | None]


def first_nominal(
    entity: Sequence[Mention], is_nominal: Callable[[Mention], bool]
) -> Mention | None:
    """Return the first nominal mention of an entity, its anchor (section 3.3).

    Examples
    --------
    >>> first_nominal(["he", "Obama", "the president"], lambda mention: mention != "he")
    'Obama'
    """
    return next((mention for mention in entity if is_nominal(mention)), None)


class ArcsAnchor(ArcsMetric):
    """Anchor mentions (section 3.3, Table 2): is an entity found by a query, and all of it?

    Entity detection (ED): of each key entity that has an anchor, is the anchor in a response
    entity: tp, else fn; a response entity with an anchor that is in no key entity: fp.

    Entity mentions (EM), of the key entities k that were detected, r being the response entity that
    has the anchor: a mention of k in r: tp; a mention of k not in r: fn; a mention of r not in k:
    fp.

    F = 2 ED EM / (ED + EM), of the F1 of the two. Recall and precision of the whole are not defined
    by the paper; they are not a number. There is no wrong linkage here.

    Parameters
    ----------
    anchor
        The rule that determines the anchor of an entity.

    Examples
    --------
    >>> kinds = {"Obama": "name", "the president": "nominal", "he": "pronoun"}
    >>> document = Ordered([["Obama", "the president", "he"]], [["the president", "he"]], kinds.get)
    >>> ArcsAnchor().statistics(document)
    (0, 0, 1, 0, 0, 0, 0, 0)
    >>> document = Ordered([["Obama", "the president", "he"]], [["Obama", "he", "it"]], kinds.get)
    >>> scores = ArcsAnchor().scores(ArcsAnchor().statistics(document))
    >>> scores.detection.f1, round(scores.mentions.f1, 4), round(scores.f1, 4)
    (1.0, 0.6667, 0.8)
    """

    name = "arcs-anchor"
    title = "ARCS anchor"
    about = "Is an entity found by its anchor mention, and all of it?"
    fields = (
        *(f"detection_{outcome}" for outcome in OUTCOMES),
        *(f"mentions_{outcome}" for outcome in OUTCOMES),
    )

    def __init__(
        self,
        kind: KindFunction = unknown_kind,
        anchor: AnchorRule = first_nominal,
        *,
        only: str | None = None,
    ) -> None:
        super().__init__(kind, only=only)
        self.anchor = anchor

    def statistics(self, table: Overlap | Ordered) -> Row:
        """Return the counts of detection, then those of mentions."""
        document = self._ordered(table)

        def group(decision: Decision) -> str:
            return "all" if self.only is None else document.kind(decision.mention)

        found = self.count_by(document, group)
        return tuple(n for one in found for n in one.get(self.only or "all", Counts()).row)

    def count_by(
        self, document: Ordered, group: Callable[[Decision], str]
    ) -> tuple[dict[str, Counts], dict[str, Counts]]:
        """Return the counts of detection and of mentions, by a group of entities.

        It is the same as counting all decisions by a group that depends on the anchor only, but
        lists no mentions: in a response that merges all entities, each mention is a false positive
        of each entity.
        """
        aligned = self._align(document)
        responses: dict[int, set[Mention]] = {}
        mentions: dict[str, Counts] = {}
        decisions = list(_detections(aligned))
        for (k, r, _), decision in zip(aligned.detected, decisions, strict=False):
            if r not in responses:
                responses[r] = set(document.response[r])
            common = sum(mention in responses[r] for mention in document.key[k])
            counts = Counts(common, 0, len(document.key[k]) - common, len(responses[r]) - common)
            name = group(decision)
            mentions[name] = mentions.get(name, Counts()) + counts
        return count_by(decisions, group), mentions

    def decisions(self, document: Ordered) -> Iterator[Decision]:
        """Yield all decisions: on key entities, on response entities, then on their mentions."""
        aligned = self._align(document)
        yield from _detections(aligned)
        for k, r, anchor in aligned.detected:
            key, response = set(document.key[k]), set(document.response[r])
            for mention in document.key[k]:
                outcome: Outcome = "tp" if mention in response else "fn"
                yield Decision(outcome, mention, "key", k, part="mentions", anchor=anchor)
            for mention in document.response[r]:
                if mention not in key:
                    yield Decision("fp", mention, "response", r, part="mentions", anchor=anchor)

    def _align(self, document: Ordered) -> _Alignment:
        """Map key entities to the response entities that detect them (D4, D11, D12, D13)."""
        homes: dict[Mention, list[int]] = {}
        for r, entity in enumerate(document.response):
            if len(entity) > 1:
                for mention in entity:
                    homes.setdefault(mention, []).append(r)
        aligned = _Alignment([], [], [])
        in_key: set[Mention] = set()
        for k, entity in enumerate(document.key):
            if len(entity) < 2:
                continue
            in_key.update(entity)
            anchor = self.anchor(entity, document.is_nominal)
            if anchor is None:
                continue
            where = homes.get(anchor, [])
            if not where:
                aligned.missed.append((k, anchor))
                continue
            best = where[0]
            if len(where) > 1:
                mentions = set(entity)
                best = max(where, key=lambda r: len(mentions.intersection(document.response[r])))
            aligned.detected.append((k, best, anchor))
        for r, entity in enumerate(document.response):
            if len(entity) > 1:
                anchor = self.anchor(entity, document.is_nominal)
                if anchor is not None and anchor not in in_key:
                    aligned.spurious.append((r, anchor))
        return aligned

    def scores(self, sums: Sequence[Number], undefined: str = "zero") -> Scores:
        """F = 2 ED EM / (ED + EM), with the scores of both as `detection` and `mentions`."""
        parts = {
            "detection": super().scores(sums[:4], undefined),
            "mentions": super().scores(sums[4:], undefined),
        }
        detection, mentions = parts["detection"], parts["mentions"]
        if "f1" in detection.undefined:
            # Without an anchor on either side nothing can be aligned: the whole is 0/0.
            return Scores(nan, nan, UNDEFINED_AS[undefined], 0, 0, 0, 0, ("f1",), parts)
        f1 = f_measure(detection.f1, mentions.f1) if detection.f1 else 0.0
        return Scores(nan, nan, f1, 0, 0, 0, 0, (), parts)

    def rates(self, sums: Sequence[Any], on: Arithmetic = SCALARS) -> Rates:
        """F for numbers and for arrays; recall and precision are not a number."""
        detection = super().rates(sums[:4], on).f1
        mentions = super().rates(sums[4:], on).f1
        # Where nothing was detected EM is 0/0, and the whole is 0.
        f1 = f_measure(detection, on.where(mentions != mentions, 0.0, mentions), on)
        return Rates(detection * nan, detection * nan, f1)


class _Alignment(NamedTuple):
    """Key entities with their response entity and anchor; those not found; spurious ones."""

    detected: list[tuple[int, int, Mention]]
    missed: list[tuple[int, Mention]]
    spurious: list[tuple[int, Mention]]


def _detections(aligned: _Alignment) -> Iterator[Decision]:
    """The decisions about entities: those found, those missed, spurious ones."""
    for k, _, anchor in aligned.detected:
        yield Decision("tp", anchor, "key", k, part="detection", anchor=anchor)
    for k, anchor in aligned.missed:
        yield Decision("fn", anchor, "key", k, part="detection", anchor=anchor)
    for r, anchor in aligned.spurious:
        yield Decision("fp", anchor, "response", r, part="detection", anchor=anchor)


#: The metrics by name.
ARCS: dict[str, type[ArcsMetric]] = {
    metric.name: metric for metric in (ArcsImmediate, ArcsInferred, ArcsAnchor)
}
