"""Limits that scores must reach, for continuous integration and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corefmeter.metrics import canonical
from corefmeter.problems import OptionError, Problem


class Limit(NamedTuple):
    """The least F1 of a metric, a fraction of one."""

    metric: str
    least: float

    @classmethod
    def of(cls, metric: str, least: float) -> Limit:
        """Return a limit in fractions of one."""
        if not 0 < least <= 1:
            raise OptionError(f"{metric}={least}: a limit is a fraction of one, as in {metric}=0.7")
        return cls(canonical(metric), least)

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Return a limit in percent, ``METRIC=PERCENT``; 1 percent or less is meant as a fraction.

        >>> Limit.parse("conll=70")
        Limit(metric='conll', least=0.7)
        """
        metric, _, value = text.rpartition("=")
        try:
            percent = float(value)
        except ValueError:
            percent = 0
        if not metric or not 1 < percent <= 100:
            raise OptionError(f"--fail-under {text}: write METRIC=PERCENT, as in conll=70")
        return cls.of(metric, percent / 100)


def unreached_limits(
    limits: Iterable[Limit], f1: Mapping[str, float], path: str | None = None
) -> list[Problem]:
    """Return the limits that are not reached; an undefined F1 reaches none.

    >>> limits = [Limit("conll", 0.7), Limit("lea", 0.5)]
    >>> print(*unreached_limits(limits, {"conll": 0.6425, "lea": 0.5}))
    error: conll is 64.25, below the limit of 70 [below-limit]
    """
    problems = []
    for metric, least in limits:
        if not f1[metric] >= least:
            score = _format_score(f1[metric], least)
            reason = f"{metric} is {score}, below the limit of {100 * least:.12g}"
            problems.append(Problem("below-limit", reason, "error", path=path))
    return problems


def _format_score(f1: float, least: float) -> str:
    """Return a score in percent; with all digits if two would not show that it misses the limit."""
    if f1 != f1:
        return "undefined"
    shown = f"{100 * f1:.2f}"
    return shown if float(shown) < 100 * least else repr(100 * f1)
