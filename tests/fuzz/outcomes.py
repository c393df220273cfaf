"""How a copy ends: equal, warned, refused, or a fault; for files of formats and for tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import isclose, isnan

from corefmeter import CorefmeterError, Result

__all__ = ["FINE", "METRICS", "Numbers", "compared", "numbers"]

METRICS = ("mentions", "muc", "b3", "ceafe", "lea")

#: What a copy may end as; all else is a fault.
FINE = ("equal", "warned", "refused")

#: Of each metric recall, precision, F1, and both denominators.
Numbers = dict[str, tuple[float, ...]]

#: Returns numbers, and the codes of warnings.
Scoring = Callable[[], tuple[Numbers, set[str]]]


def numbers(result: Result) -> Numbers:
    """Return all that a score is made of."""
    return {
        name: (s.recall, s.precision, s.f1, s.recall_denominator, s.precision_denominator)
        for name in METRICS
        for s in [result[name]]
    }


def compared(copy: Scoring, original: Scoring, expected: Numbers) -> tuple[str, str]:
    """Return how scoring a copy ends, and the difference or the codes of what is reported.

    Warnings that the original gets too say nothing of the copy.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, codes = copy()
            wrong = [name for name in METRICS if differ(found[name], expected[name])]
            if wrong and codes:
                codes -= original()[1]
    except CorefmeterError as error:
        refusals = sorted({problem.code for problem in getattr(error, "problems", ())})
        return "refused", " ".join(refusals) or str(error)[:150]
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:60]}", ""
    if not wrong:
        return "equal", ""
    if codes:
        return "warned", " ".join(sorted(codes))
    name = wrong[0]
    return "silent", f"{name} {short(found[name])} for {short(expected[name])}"


def differ(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return not all(
        isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (isnan(a) and isnan(b))
        for a, b in zip(one, other, strict=True)
    )


def short(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.4g}" for value in values)
