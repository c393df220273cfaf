"""Decisions about mentions, which ARCS counts; `corefmeter.metrics.arcs` explains the outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from corefmeter.corpus.model import Entities, Mention
from corefmeter.corpus.positions import in_reading_order
from corefmeter.mentions.features import UNKNOWN, Feature, Features
from corefmeter.metrics.base import Scores, ratios

Outcome = Literal["tp", "wl", "fn", "fp"]
OUTCOMES: tuple[Outcome, ...] = ("tp", "wl", "fn", "fp")

#: The kinds of mention that are nominal in the sense of the paper.
NOMINAL = frozenset(("name", "nominal"))


class Ordered:
    """A key and a response with their mentions in the order of reading, and the mentions' kinds.

    Parameters
    ----------
    key, response
        Entities in any order; a mention of the response is equal to the key mention it is matched
        with. A mention that occurs twice in an entity counts there once.
    kind
        From a mention to its kind, such as `Features.kind`; without it no mention is nominal.

    Examples
    --------
    >>> Ordered([[(4, 5), (0, 2)]], []).key
    [[(0, 2), (4, 5)]]
    """

    __slots__ = ("_known", "key", "kind", "response")

    def __init__(
        self,
        key: Entities,
        response: Entities,
        kind: Callable[[Mention], str] = lambda mention: UNKNOWN,
    ) -> None:
        self.key = in_reading_order(key)
        self.response = in_reading_order(response)
        self.kind = kind
        self._known: dict[Mention, bool] = {}

    def is_nominal(self, mention: Mention) -> bool:
        """Return whether a mention is nominal."""
        found = self._known.get(mention)
        if found is None:
            found = self._known[mention] = self.kind(mention) in NOMINAL
        return found


class Decision(NamedTuple):
    """A decision about one mention."""

    outcome: Outcome
    mention: Mention
    #: ``response`` for fp, else ``key``: the side whose entity `entity` is, counted from 0.
    side: Literal["key", "response"]
    entity: int
    #: The antecedent in the key, if there is one: of inferred antecedents the closest nominal one.
    expected: Mention | None = None
    #: The antecedent in the response, if there is one: the correct one of several.
    found: Mention | None = None
    #: ``antecedent``; of anchors ``detection`` or ``mentions``.
    part: str = "antecedent"
    #: Of anchors only: that of the entity; of the key entity for decisions about its mentions.
    anchor: Mention | None = None


class Counts(NamedTuple):
    """The four counts, which add up.

    The Berkeley system's personal pronouns, section 4 and Table 3:

    >>> scores = Counts(tp=2687, wl=1935, fn=871, fp=389).scores()
    >>> [round(100 * score, 2) for score in (scores.recall, scores.precision, scores.f1)]
    [48.92, 53.62, 51.16]
    """

    tp: int = 0
    wl: int = 0
    fn: int = 0
    fp: int = 0

    # Types: not the sum of tuples, which is longer.
    def __add__(self, other: Counts) -> Counts:  # type: ignore[override]
        return Counts(*map(sum, zip(self, other, strict=True)))

    def scores(self, undefined: str = "zero") -> Scores:
        """Return R = tp/(tp + wl + fn), P = tp/(tp + wl + fp) and F1."""
        tp, wl, fn, fp = self
        return ratios(tp, tp + wl + fn, tp, tp + wl + fp, undefined)

    def to_dict(self, undefined: str = "zero") -> dict[str, Any]:
        """Return counts and scores as JSON values; a skipped 0/0 becomes null."""
        scores = self.scores(undefined).to_dict()
        names = ("recall", "precision", "f1", "undefined")
        return self._asdict() | {name: scores[name] for name in names}


def by_feature(features: Features, feature: Feature) -> Callable[[Decision], str]:
    """Return a function from a decision to its group: of its mention, or of the entity's anchor."""

    def group(decision: Decision) -> str:
        about = decision.mention if decision.anchor is None else decision.anchor
        return features.group(about, feature)

    return group


def count_by(decisions: Iterable[Decision], group: Callable[[Decision], str]) -> dict[str, Counts]:
    """Return the counts of each group, in the order in which groups appear."""
    rows: dict[str, dict[str, int]] = {}
    for decision in decisions:
        row = rows.setdefault(group(decision), dict.fromkeys(OUTCOMES, 0))
        row[decision.outcome] += 1
    return {name: Counts(**row) for name, row in rows.items()}
