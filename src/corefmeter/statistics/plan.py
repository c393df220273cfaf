"""The plan: every option that can change a p-value, an interval or a rank, in one frozen value.

It stands for a comparison as the recipe does for scores, and follows it in the signature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from corefmeter.metrics import canonical
from corefmeter.metrics.arcs import ARCS
from corefmeter.problems import OptionError, unknown
from corefmeter.signature import join_signature, split_signature

TESTS = ("randomization", "bootstrap", "exact", "t")
CORRECTIONS = ("holm", "bh", "none")
INTERVALS = ("percentile", "bca")
SCORES = ("f1", "recall", "precision")


def _option(
    default: Any,
    help: str,
    choices: Sequence[str] = (),
    metavar: str | None = None,
    rare: bool = False,
) -> Any:
    """A field with what others need to know of it, as those of `Recipe`."""
    metadata = {"help": help, "choices": tuple(choices), "metavar": metavar, "rare": rare}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Plan:
    """How systems are compared.

    Parameters
    ----------
    test
        ``randomization``, ``bootstrap`` or ``exact``; see `corefmeter.statistics.significance`.
        ``t``, the only one for systems of several runs; see `corefmeter.statistics.student`.
    trials
        Random exchanges or resamples.
    seed
        Of the random numbers, 0 or more.
    by
        The name of what is resampled.
    correction
        ``holm``, ``bh`` or ``none``, within each metric.
    alpha
        Differences with an adjusted p of at most this are significant.
    level
        Of confidence intervals.
    interval
        ``percentile`` or ``bca``; see `corefmeter.statistics.intervals`.
    score
        What is compared: ``f1``, ``recall`` or ``precision``.
    part, kind
        Which aspect of the systems their results are, where it is not all of them: a line of the
        card, or a kind of mentions; see `corefmeter.analysis.aspects`. All are of one key.
    pronouns
        The language whose list of pronouns tells them in a line of the card; empty: none.
    baseline
        The system with which all others are compared, and they with no other; empty: all pairs.

    Raises
    ------
    OptionError
        For a value that cannot be.

    Examples
    --------
    >>> print(Plan(trials=1000).signature())
    test:randomization|trials:1000|seed:1|by:document|correction:holm|alpha:0.05|level:0.95|interval:percentile|score:f1
    """

    test: str = _option(
        "randomization",
        "How p-values are made. Random exchanges, or all where there are at most 2^16; paired "
        "bootstrap; all exchanges; or Student's t, the only one for runs.",
        TESTS,
    )
    trials: int = _option(10_000, "Random exchanges or resamples.", metavar="N")
    seed: int = _option(1, "Seed of the random numbers.", metavar="N", rare=True)
    by: str = _option(
        "document",
        "What is exchanged and resampled. Groups are those of "
        '"corefmeter score --by", such as part or a FILE.',
        metavar="GROUP",
    )
    correction: str = _option(
        "holm",
        "Correction of p-values for the number of pairs of systems, within each metric.",
        CORRECTIONS,
        rare=True,
    )
    alpha: float = _option(0.05, "Greatest adjusted p that is significant.", metavar="P")
    level: float = _option(0.95, "Level of confidence intervals.", metavar="P", rare=True)
    interval: str = _option("percentile", "Kind of bootstrap intervals.", INTERVALS, rare=True)
    score: str = _option("f1", "What is compared.", SCORES)
    part: str = _option(
        "",
        'Compare a line of the card (linking, "key\'s links", mentions/kind/pronoun, …), or one '
        "score of a metric (b3:recall).",
        metavar="PART",
        rare=True,
    )
    kind: str = _option(
        "",
        "Compare ARCS of the mentions of a kind (arcs-immediate:pronoun).",
        metavar="KIND",
        rare=True,
    )
    pronouns: str = _option(
        "",
        "Where there are no parts of speech, take pronouns from the list of a language (en, de, "
        "nl). Parts and features of mentions need them.",
        metavar="LANGUAGE",
        rare=True,
    )
    baseline: str = _option(
        "", "Compare each other system with this one, and no others.", metavar="NAME"
    )

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
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
        """The plan in one line, without what is empty; it follows the signature of the recipe."""
        values = ((option.name, getattr(self, option.name)) for option in fields(self))
        return join_signature((name, value) for name, value in values if value != "")

    @staticmethod
    def split(signature: str) -> tuple[str, dict[str, Any]]:
        """The recipe's part of the signature of a comparison, and the options of its plan.

        Examples
        --------
        >>> Plan.split("corefmeter:0.1.0|metrics:lea|seed:7|alpha:0.01")
        ('corefmeter:0.1.0|metrics:lea', {'seed': 7, 'alpha': 0.01})
        """
        return split_signature(signature, vars(Plan()))


def plan_for(options: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The options of a plan, and the metrics that its part or kind asks for, if it does.

    A kind alone is that of all ARCS.

    Examples
    --------
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
