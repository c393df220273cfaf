"""GAP's own scores: each name of an example is one decision (Webster et al. 2018, section 5).

A decision says whether a pronoun means a name. Of those that say yes, precision is the share that
is right; of the names that are meant, recall is the share that was found. Counts add up over
examples, and scores are computed from sums. Bias is the F1 on feminine pronouns over that on
masculine ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corefmeter._version import __version__
from corefmeter.metrics.base import Scores, ratios
from corefmeter.problems import OptionError, unknown
from corefmeter.signature import join_signature, parse_signature

#: What missing, unreadable and repeated answers are: errors; or, as in GAP's scorer, false
#: negatives, and of several answers to an example the first counts.
POLICIES = ("strict", "official")

#: The groups that are scored, in the order in which they are shown.
GROUPS = ("overall", "masculine", "feminine")


class Decisions(NamedTuple):
    """How many decisions are of each kind.

    Examples
    --------
    >>> (Decisions(3, 1, 2, 4) + Decisions(0, 0, 1, 1)).scores().recall  # 3 of 3 + 2 + 1
    0.5
    """

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0

    # Types: adds up, as counts do.
    def __add__(self, other: tuple[int, ...]) -> Decisions:  # type: ignore[override]
        return Decisions(*(a + b for a, b in zip(self, other, strict=True)))

    def scores(self) -> Scores:
        """Recall, precision and F1; 0/0 counts as 0, as in GAP's scorer."""
        right = self.true_positive
        return ratios(right, right + self.false_negative, right, right + self.false_positive)


def decision(key: bool, answer: bool | None) -> Decisions:
    """One decision; a missing answer is a false negative whatever the key says, as in GAP's scorer.

    Examples
    --------
    >>> decision(False, None)
    Decisions(true_positive=0, false_positive=0, false_negative=1, true_negative=0)
    """
    if answer is None:
        return Decisions(false_negative=1)
    if answer:
        return Decisions(true_positive=1) if key else Decisions(false_positive=1)
    return Decisions(false_negative=1) if key else Decisions(true_negative=1)


def count_decisions(
    key: Iterable[tuple[str, tuple[bool, bool], str | None]],
    answers: Mapping[str, tuple[bool | None, bool | None]],
) -> dict[str, Decisions]:
    """The decisions of each group.

    Parameters
    ----------
    key
        For each example its id, whether the pronoun means A and B, and its gender if it has one.
    answers
        By id, what the system says of A and B; what is not there is missing.

    Examples
    --------
    >>> key = [("1", (True, False), "feminine"), ("2", (False, True), "masculine")]
    >>> counts = count_decisions(key, {"1": (True, False), "2": (True, True)})
    >>> counts["overall"]
    Decisions(true_positive=2, false_positive=1, false_negative=0, true_negative=1)
    """
    counts = dict.fromkeys(GROUPS, Decisions())
    for id, meant, gender in key:
        for value, answer in zip(meant, answers.get(id, (None, None)), strict=True):
            one = decision(value, answer)
            counts["overall"] += one
            if gender is not None:
                counts[gender] += one
    return counts


def gap_signature(policy: str, version: str = __version__) -> str:
    """How scores were made, in one line; `gap_policy` reads it.

    Examples
    --------
    >>> gap_signature("official", "0.1.0")
    'corefmeter:0.1.0|gap:official'
    """
    return join_signature([("corefmeter", version), ("gap", policy)])


def gap_policy(signature: str) -> str:
    """The one of `POLICIES` that a signature names.

    Raises
    ------
    OptionError
        For an unknown option or policy, or text that is no signature of scores of GAP.
    """
    values = dict(parse_signature(signature))
    values.pop("corefmeter", None)
    if "gap" not in values:
        raise OptionError("not the signature of scores of GAP: it has no pair gap:strict")
    policy = values.pop("gap")
    for name in values:
        raise unknown("option", name, ["gap"])
    if policy not in POLICIES:
        raise unknown("value of gap", policy, POLICIES)
    return policy


def bias(counts: Mapping[str, Decisions]) -> float | None:
    """F1 on feminine over F1 on masculine pronouns; None if one of them is 0."""
    feminine, masculine = (counts[group].scores().f1 for group in ("feminine", "masculine"))
    return feminine / masculine if feminine and masculine else None
