"""The plan: every option that can change a p-value, an interval or a rank, in one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from corefmeter.metrics import canonical
from corefmeter.metrics.arcs import ARCS
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import option_field
from corefmeter.signature import join_signature, split_signature

TESTS = ("randomization", "bootstrap", "exact", "t")
CORRECTIONS = ("holm", "bh", "none")
INTERVALS = ("percentile", "bca")
SCORES = ("f1", "recall", "precision")

_option = partial(option_field, group="How it is tested")


@dataclass(frozen=True)
class Plan:
    """Options of a comparison of systems; its signature follows that of the recipe.

    `by` is the name of the unit; `part`, `kind` and `pronouns` are the aspect of the
    systems that their results are (`corefmeter.analysis.aspects`).

    >>> print(Plan(trials=1000).signature())
    test:randomization|trials:1000|seed:1|by:document|correction:holm|alpha:0.05|level:0.95|interval:percentile|score:f1
    """

    test: str = _option(
        "randomization",
        "How p-values are computed. The tests use random exchanges (all, if at most 2^16); the "
        "paired bootstrap; all exchanges; or Student's t, the only test for runs.",
        TESTS,
    )
    trials: int = _option(10_000, "Number of random exchanges or resamples.", metavar="N")
    seed: int = _option(1, "Seed of the random numbers.", metavar="N", rare=True)
    by: str = _option(
        "document",
        "Unit of exchange and resampling. Groups are as in "
        '"corefmeter score --by", such as part or a FILE.',
        metavar="GROUP",
    )
    correction: str = _option(
        "holm",
        "Correction of p-values for the number of pairs of systems, within each metric.",
        CORRECTIONS,
        rare=True,
    )
    alpha: float = _option(0.05, "Significance level for adjusted p-values.", metavar="P")
    level: float = _option(0.95, "Level of confidence intervals.", metavar="P", rare=True)
    interval: str = _option("percentile", "Type of bootstrap intervals.", INTERVALS, rare=True)
    score: str = _option("f1", "Score to compare.", SCORES)
    part: str = _option(
        "",
        'Compare a row of the card (linking, "key\'s links", mentions/kind/pronoun, …), or one '
        "score of a metric (b3:recall).",
        metavar="PART",
        rare=True,
    )
    kind: str = _option(
        "", "Compare ARCS for one mention type (arcs-immediate:pronoun).", metavar="KIND", rare=True
    )
    pronouns: str = _option(
        "",
        "Recognize pronouns by the word list of a language (en, de, nl) if there are no parts of "
        "speech. Needed for parts and features of mentions.",
        metavar="LANGUAGE",
        rare=True,
    )
    baseline: str = _option("", "Compare the other systems with this one only.", metavar="NAME")

    def __post_init__(self) -> None:
        """Refuse invalid values."""
        for option in fields(self):
            choices, value = option.metadata["choices"], getattr(self, option.name)
            if choices and value not in choices:
                raise unknown(f"value of {option.name}", value, choices)
        for name, least in (("trials", 1), ("seed", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise OptionError(f"{name}: {value!r} is not a whole number of {least} or more")
        for name in ("alpha", "level"):
            if not 0 < getattr(self, name) < 1:
                raise OptionError(f"{name}: {getattr(self, name)!r} is not between 0 and 1")
        for name in ("part", "kind", "pronouns", "baseline"):
            if "|" in getattr(self, name):
                raise OptionError(f"{name}: {getattr(self, name)!r} cannot be in a signature")

    def signature(self) -> str:
        """Return the plan in one line, without empty options."""
        values = ((option.name, getattr(self, option.name)) for option in fields(self))
        return join_signature((name, value) for name, value in values if value != "")

    @staticmethod
    def split(signature: str) -> tuple[str, dict[str, Any]]:
        """Return the recipe's part of the signature of a comparison, and the options of its plan.

        >>> Plan.split("corefmeter:0.1.0|metrics:lea|seed:7|alpha:0.01")
        ('corefmeter:0.1.0|metrics:lea', {'seed': 7, 'alpha': 0.01})
        """
        return split_signature(signature, vars(Plan()))


def plan_for(options: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the options of a plan, and the metrics that its part or kind names, if it does.

    A kind without a metric means all ARCS metrics.

    >>> plan_for({"part": "b3:recall"}), plan_for({"kind": "arcs-immediate:pronoun"})
    (({'score': 'recall'}, ('b3',)), ({'kind': 'pronoun'}, ('arcs-immediate',)))
    >>> plan_for({"part": "linking", "seed": 2}), plan_for({"kind": "name"})[1][0]
    (({'part': 'linking', 'seed': 2}, ()), 'arcs-immediate')
    """
    found = dict(options)
    metric, _, of_part = (found.get("part") or "").rpartition(":")
    if metric and of_part in SCORES:
        if found.get("score", of_part) != of_part:
            raise OptionError(f"part {found['part']!r} and score {found['score']!r}: choose one")
        del found["part"]
        return found | {"score": of_part}, (canonical(metric),)
    if not found.get("kind"):
        return found, ()
    metric, _, kind = found["kind"].rpartition(":")
    return found | {"kind": kind}, (canonical(metric),) if metric else tuple(ARCS)
