"""What a law of metrics is: trials, what must be true of the values on each, and the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corefmeter.wings.lab.kinds import Pair


class Values(NamedTuple):
    """Scores of a metric: recall and precision may be None if it has F1 only.

    Attributes
    ----------
    recall, precision, f1
        From 0 to 1, if the metric obeys the law of bounds.
    undefined
        Which of them are 0/0, and count as 0.
    """

    recall: float | None
    precision: float | None
    f1: float
    undefined: tuple[str, ...] = ()

    def numbers(self) -> list[float]:
        """Those of the three that there are."""
        return [value for value in self[:3] if value is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return the values as JSON; what is not a number becomes null."""
        shown: dict[str, Any] = {
            name: None if value is None or not abs(value) < float("inf") else value
            for name, value in zip(("recall", "precision", "f1"), self[:3], strict=True)
        }
        return shown | {"undefined": list(self.undefined)}


#: A metric as the laws see it: from documents to its values.
Judge = Callable[[tuple[Pair, ...]], Values]


class Case(NamedTuple):
    """One thing that is scored in a trial.

    Attributes
    ----------
    label
        What it is in the trial.
    documents
        Pairs of key and response; mostly one.
    """

    label: str
    documents: tuple[Pair, ...]


Trial = tuple[Case, ...]


class Counterexample(NamedTuple):
    """The smallest trial on which a metric breaks a law, with its values by case."""

    cases: Trial
    values: tuple[Values, ...]

    def to_dict(self) -> dict[str, Any]:
        """Key, response and values of the first case, and what it is compared with."""
        first, *others = (
            {"label": case.label} | _sides(case) | {"values": values.to_dict()}
            for case, values in zip(self.cases, self.values, strict=True)
        )
        return first | ({"compared": others} if others else {})


def _sides(case: Case) -> dict[str, Any]:
    """Key and response as lists; several documents as a list of them."""
    shown = [
        {name: [list(entity) for entity in side] for name, side in zip(_SIDES, pair, strict=True)}
        for pair in case.documents
    ]
    return dict(shown[0]) if len(shown) == 1 else {"documents": shown}


_SIDES = ("key", "response")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a metric obeys a law.

    Attributes
    ----------
    holds
        True: on all trials; False: with a counterexample; None: the law is about recall or
        precision, which the metric does not have.
    counterexample
        The smallest one.
    trials
        How many were made.
    """

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
    """A law: its trials, and what must be true of the values on each.

    Attributes
    ----------
    name
        Its name in JSON.
    title
        A few words, for tables.
    statement
        What must hold.
    reference
        Who asks for it.
    trials
        From the most mentions to the trials, smallest first.
    obeyed
        Whether the values on a trial, case by case, are as the law says.
    about
        Which of the values it needs.
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
        >>> LAWS["no-link-is-0"].search(judge("lea")).holds
        True
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
