"""A law of metrics: its trials, the condition on a metric's values, and the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from corefmeter.metrics.overlap import SIDES
from corefmeter.wings.lab.kinds import Pair, as_lists


class Values(NamedTuple):
    """Scores of a metric; recall and precision are None if it has only F1.

    `undefined` has the names of scores that are 0/0 and count as 0.
    """

    recall: float | None
    precision: float | None
    f1: float
    undefined: tuple[str, ...] = ()

    def numbers(self) -> list[float]:
        """Return the scores that the metric has."""
        return [value for value in self[:3] if value is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return the values as JSON; nan and infinity become null."""
        values: dict[str, Any] = {
            name: value if value is not None and isfinite(value) else None
            for name, value in zip(self._fields, self[:3], strict=False)
        }
        return values | {"undefined": list(self.undefined)}


#: A function from documents to the values of a metric.
Judge = Callable[[tuple[Pair, ...]], Values]


class Case(NamedTuple):
    """What is scored in a trial: a pair of key and response for each document, mostly one."""

    label: str
    documents: tuple[Pair, ...]

    def sides(self) -> dict[str, Any]:
        """Return key and response as lists, or those of several documents."""
        documents: list[dict[str, Any]] = [
            {name: as_lists(side) for name, side in zip(SIDES, pair, strict=True)}
            for pair in self.documents
        ]
        return documents[0] if len(documents) == 1 else {"documents": documents}


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
        example = self.counterexample
        return self._asdict() | {"counterexample": example and example.to_dict()}


@dataclass(frozen=True, slots=True)
class Law:
    """A law, with a title for tables, a statement, and the paper that proposes it.

    `trials` makes the trials of up to a number of mentions, smallest first. `obeyed` returns
    whether the values of the cases of a trial obey the law. `about` names the scores that it needs.
    """

    name: str
    title: str
    statement: str
    reference: str
    trials: Callable[[int], Iterable[Trial]]
    obeyed: Callable[..., bool]
    about: tuple[str, ...] = ("f1",)

    def search(self, metric: Judge, mentions: int = 5) -> Verdict:
        """Return the verdict on a metric from the trials of up to a number of mentions.

        >>> from corefmeter.wings.lab.audit import judge
        >>> from corefmeter.wings.lab.laws import LAWS
        >>> verdict = LAWS["no-link-is-0"].search(judge("b3"))
        >>> verdict.counterexample.cases[0].documents
        (((('a', 'b'),), (('a',),)),)
        """
        number = 0
        for number, trial in enumerate(self.trials(mentions), 1):
            values = tuple(metric(case.documents) for case in trial)
            if any(getattr(scores, name) is None for scores in values for name in self.about):
                return Verdict(None)
            if not self.obeyed(*values):
                return Verdict(False, Counterexample(trial, values), number)
        return Verdict(True, None, number)
