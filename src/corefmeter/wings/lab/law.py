"""A law of metrics: trials, what must be true of a metric's values on each, and the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corefmeter.metrics.overlap import SIDES
from corefmeter.wings.lab.kinds import Pair


class Values(NamedTuple):
    """Scores of a metric; recall and precision are None if it has F1 only.

    `undefined` names those that are 0/0 and count as 0.
    """

    recall: float | None
    precision: float | None
    f1: float
    undefined: tuple[str, ...] = ()

    def numbers(self) -> list[float]:
        """Return the scores that the metric has."""
        return [value for value in self[:3] if value is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return the values as JSON; what is not a number becomes null."""
        shown: dict[str, Any] = {
            name: None if value is None or not abs(value) < float("inf") else value
            for name, value in zip(("recall", "precision", "f1"), self[:3], strict=True)
        }
        return shown | {"undefined": list(self.undefined)}


#: A metric for the laws: from documents to its values.
Judge = Callable[[tuple[Pair, ...]], Values]


class Case(NamedTuple):
    """One thing that is scored in a trial: pairs of key and response, mostly one."""

    label: str
    documents: tuple[Pair, ...]

    def sides(self) -> dict[str, Any]:
        """Return key and response as lists; several documents as a list of them."""
        shown: list[dict[str, Any]] = [
            {
                name: [list(entity) for entity in side]
                for name, side in zip(SIDES, pair, strict=True)
            }
            for pair in self.documents
        ]
        return shown[0] if len(shown) == 1 else {"documents": shown}


Trial = tuple[Case, ...]


class Counterexample(NamedTuple):
    """The smallest trial on which a metric breaks a law, with its values by case."""

    cases: Trial
    values: tuple[Values, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return key, response and values of the first case, and the others to compare."""
        first, *others = (
            {"label": case.label} | case.sides() | {"values": values.to_dict()}
            for case, values in zip(self.cases, self.values, strict=True)
        )
        return first | ({"compared": others} if others else {})


class Verdict(NamedTuple):
    """Whether a metric obeys a law; None if the law is about values that it does not have."""

    holds: bool | None
    counterexample: Counterexample | None = None
    trials: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
        found = self.counterexample
        return {
            "holds": self.holds,
            "counterexample": None if found is None else found.to_dict(),
            "trials": self.trials,
        }


@dataclass(frozen=True, slots=True)
class Law:
    """A law, with a title for tables, what must hold, and who asks for it.

    `trials` gives the trials of up to so many mentions, smallest first; `obeyed` tells whether the
    values on a trial, case by case, obey the law; `about` names the values that it needs.
    """

    name: str
    title: str
    statement: str
    reference: str
    trials: Callable[[int], Iterable[Trial]]
    obeyed: Callable[[Sequence[Values]], bool]
    about: tuple[str, ...] = ("f1",)

    def search(self, metric: Judge, mentions: int = 5) -> Verdict:
        """Return the verdict on a metric, from trials of up to so many mentions.

        Examples
        --------
        >>> from corefmeter.wings.lab.audit import judge
        >>> from corefmeter.wings.lab.laws import LAWS
        >>> verdict = LAWS["no-link-is-0"].search(judge("b3"))
        >>> verdict.counterexample.cases[0].documents
        (((('a', 'b'),), (('a',),)),)
        """
        made = 0
        for trial in self.trials(mentions):
            values = tuple(metric(case.documents) for case in trial)
            if any(getattr(found, name) is None for found in values for name in self.about):
                return Verdict(None)
            made += 1
            if not self.obeyed(values):
                return Verdict(False, Counterexample(trial, values), made)
        return Verdict(True, None, made)
