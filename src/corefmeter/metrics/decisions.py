"""Decisions about mentions, the stuff of ARCS: their outcomes, and counts of them.

`corefmeter.metrics.arcs` says what the four outcomes mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import in_reading_order, reading_key
from corefmeter.mentions.features import UNKNOWN, Feature, Features
from corefmeter.metrics.base import Scores, ratios

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment

Outcome = Literal["tp", "wl", "fn", "fp"]
OUTCOMES: tuple[Outcome, ...] = ("tp", "wl", "fn", "fp")

#: The kinds of mention that are nominal in the sense of the paper.
NOMINAL = frozenset(("name", "nominal"))

KindFunction = Callable[[Mention], str]


def unknown_kind(mention: Mention) -> str:
    """Return the type of a mention without annotation."""
    return UNKNOWN


class Ordered:
    """A key and a response with their mentions in the order of reading, and the mentions' kinds.

    Parameters
    ----------
    key, response
        Entities in any order; a mention of the response is equal to the key mention it is matched
        with. A mention that occurs twice in an entity counts there once.
    kind
        From a mention to its kind, such as `Features.kind`; without it no mention is nominal.
    nominal
        The kinds that count as nominal.
    order
        What mentions are sorted by; an entity of which it raises TypeError stays as it is.

    Examples
    --------
    >>> Ordered([[(4, 5), (0, 2)]], []).key
    [[(0, 2), (4, 5)]]
    """

    __slots__ = ("_known", "_nominal", "key", "kind", "response")

    def __init__(
        self,
        key: Entities,
        response: Entities,
        kind: KindFunction = unknown_kind,
        nominal: AbstractSet[str] = NOMINAL,
        order: Callable[[Mention], Any] = reading_key,
    ) -> None:
        self.key = in_reading_order(key, order)
        self.response = in_reading_order(response, order)
        self.kind = kind
        self._nominal = nominal
        self._known: dict[Mention, bool] = {}

    def is_nominal(self, mention: Mention) -> bool:
        """Return whether a mention is nominal."""
        found = self._known.get(mention)
        if found is None:
            found = self._known[mention] = self.kind(mention) in self._nominal
        return found


def aligned(alignment: Alignment) -> Ordered:
    """Return an alignment's documents; a matched response mention takes its partner's place.

    They were read with details, so that their mentions have kinds.
    """
    key, response = alignment.documents()
    return Ordered(key.entities, response.entities, Features(key, response).kind)


class Decision(NamedTuple):
    """A decision about one mention.

    Attributes
    ----------
    outcome
        ``tp``, ``wl``, ``fn`` or ``fp``.
    mention
        The mention.
    side
        ``key`` for tp, wl and fn, ``response`` for fp: the side whose entity `entity` is.
    entity
        The entity of the mention on that side, counted from 0.
    expected
        The antecedent in the key: of inferred antecedents the closest nominal one. None if there
        is none.
    found
        The antecedent in the response; the correct one if there are several. None if there is none.
    part
        ``antecedent``; of anchors ``detection`` or ``mentions``.
    anchor
        The anchor of the entity, for anchors only: of the key entity for decisions about its
        mentions.
    """

    outcome: Outcome
    mention: Mention
    side: Literal["key", "response"]
    entity: int
    expected: Mention | None = None
    found: Mention | None = None
    part: str = "antecedent"
    anchor: Mention | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """The four counts, which add up.

    Examples
    --------
    The Berkeley system's personal pronouns, section 4 and Table 3:

    >>> counts = Counts(tp=2687, wl=1935, fn=871, fp=389)
    >>> round(100 * counts.recall, 2), round(100 * counts.precision, 2), round(100 * counts.f1, 2)
    (48.92, 53.62, 51.16)
    """

    tp: int = 0
    wl: int = 0
    fn: int = 0
    fp: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.tp + other.tp, self.wl + other.wl, self.fn + other.fn, self.fp + other.fp
        )

    @property
    def row(self) -> tuple[int, int, int, int]:
        """The counts in the order of `OUTCOMES`."""
        return self.tp, self.wl, self.fn, self.fp

    def scores(self, undefined: str = "zero") -> Scores:
        """R = tp/(tp + wl + fn), P = tp/(tp + wl + fp), F1 = 2RP/(R + P)."""
        resolved = self.tp + self.wl
        return ratios(self.tp, resolved + self.fn, self.tp, resolved + self.fp, undefined)

    @property
    def recall(self) -> float:
        """tp/(tp + wl + fn), 0 where that is 0/0."""
        return self.scores().recall

    @property
    def precision(self) -> float:
        """tp/(tp + wl + fp), 0 where that is 0/0."""
        return self.scores().precision

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        return self.scores().f1

    def to_dict(self, undefined: str = "zero") -> dict[str, Any]:
        """Counts and scores as JSON values; a skipped 0/0 becomes null."""
        scores = self.scores(undefined).to_dict()
        values: dict[str, Any] = dict(zip(OUTCOMES, self.row, strict=True))
        return values | {name: scores[name] for name in ("recall", "precision", "f1", "undefined")}


def by_feature(features: Features, feature: Feature) -> Callable[[Decision], str]:
    """From a decision to its group by a feature: of its mention, or of the anchor of its entity."""

    def group(decision: Decision) -> str:
        about = decision.mention if decision.anchor is None else decision.anchor
        return features.group(about, feature)

    return group


def count_by(decisions: Iterable[Decision], group: Callable[[Decision], str]) -> dict[str, Counts]:
    """Return the counts of each group, in the order in which groups appear.

    Examples
    --------
    >>> from corefmeter.metrics.arcs import ArcsImmediate
    >>> document = Ordered([["a", "B", "c"]], [["a", "B"], ["x", "c"]])
    >>> count_by(ArcsImmediate().decisions(document),
    ...          lambda decision: "upper" if decision.mention.isupper() else "lower")
    {'upper': Counts(tp=1, wl=0, fn=0, fp=0), 'lower': Counts(tp=0, wl=1, fn=0, fp=0)}
    """
    numbers = {outcome: place for place, outcome in enumerate(OUTCOMES)}
    rows: dict[str, list[int]] = {}
    for decision in decisions:
        row = rows.setdefault(group(decision), [0, 0, 0, 0])
        row[numbers[decision.outcome]] += 1
    return {name: Counts(*row) for name, row in rows.items()}
