"""From what is prepared to a result: statistics of each unit, and what they leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Corpus
from corefmeter.metrics import Metric, make
from corefmeter.metrics.base import Row
from corefmeter.preparation import Prepared, prepare
from corefmeter.problems import Problem
from corefmeter.recipe import Recipe
from corefmeter.result import Result, Unit

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment

__all__ = [
    "Counted",
    "count",
    "match_corpora",
    "metrics_of",
    "result_of",
    "score_corpora",
    "score_prepared",
]


class Counted(NamedTuple):
    """What was counted of one unit.

    Attributes
    ----------
    unit
        What was counted.
    rows
        The statistics by metric.
    left_out
        How many mentions of the key and of the response have no partner; counted only where a
        metric leaves them out.
    """

    unit: Unit
    rows: Mapping[str, Row]
    left_out: tuple[int, int]


def score_corpora(key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False) -> Result:
    """Score a corpus that was read against another; see `score`."""
    prepared, problems = prepare(key, response, recipe, strict=strict)
    return score_prepared(prepared, problems, key, response, recipe)


def score_prepared(
    prepared: Sequence[Prepared], problems: Sequence[Problem], key: Corpus, response: Corpus,
    recipe: Recipe,
) -> Result:  # fmt: skip
    """The result of what was prepared of two corpora."""
    metrics = metrics_of(recipe)
    counted = [count(one, metrics) for one in prepared]
    return result_of(
        counted, recipe, problems, path=response.path, digests=key.digests | response.digests
    )


def metrics_of(recipe: Recipe) -> dict[str, Metric]:
    """The metrics whose statistics are needed, by name."""
    return {name: make(name, recipe) for name in recipe.base_metrics()}


def count(prepared: Prepared, metrics: Mapping[str, Metric]) -> Counted:
    """The statistics of one unit."""
    key = prepared.key
    restricted = any(not metric.twinless for metric in metrics.values())
    return Counted(
        Unit(key.name, key.label, key.numbered),
        {name: prepared.statistics(metric) for name, metric in metrics.items()},
        prepared.left_out if restricted else (0, 0),
    )


def result_of(
    counted: Sequence[Counted],
    recipe: Recipe,
    problems: Iterable[Problem],
    *,
    path: str | None = None,
    digests: dict[str, str] | None = None,
) -> Result:
    """The result of all units.

    Parameters
    ----------
    counted, recipe
        The units and how they were counted.
    problems
        What was noticed before.
    path, digests
        Where the response came from, and the SHA-256 of all files.
    """
    return Result(
        recipe,
        [one.unit for one in counted],
        {name: [one.rows[name] for one in counted] for name in recipe.base_metrics()},
        problems=[*problems, *_left_out(counted, recipe, path)],
        response=path,
        digests=digests,
    )


def _left_out(counted: Iterable[Counted], recipe: Recipe, path: str | None) -> list[Problem]:
    """A warning for metrics that left twinless mentions out, with how many."""
    key = response = 0
    for _, _, (of_key, of_response) in counted:
        key += of_key
        response += of_response
    if not key and not response:
        return []
    names = [name for name, metric in metrics_of(recipe).items() if not metric.twinless]
    reason = (
        f"{', '.join(names)}: computed on the mentions that both sides have; {key} "
        f"of the key and {response} of the response are left out"
    )
    return [Problem("twinless-left-out", reason, path=path)]


def match_corpora(
    key: Corpus, response: Corpus, recipe: Recipe | None = None, **options: Any
) -> tuple[list[Alignment], list[Problem]]:
    """Which response mention is which key mention, in each document of two corpora.

    Parameters
    ----------
    key, response
        Corpora that were read with ``details=True`` if the matching needs heads, dependencies or
        parses.
    recipe
        How to match; the default is the official scorer's way.
    **options
        Fields of `Recipe` to change, such as ``match="head"``.

    Returns
    -------
    alignments, warnings

    Raises
    ------
    DataError
        When the data cannot be matched.

    Examples
    --------
    >>> from corefmeter.corpus.convert import as_corpus
    >>> key, response = as_corpus([[(0, 3), (5, 6)]]), as_corpus([[(1, 3), (5, 6)]])
    >>> (alignment,), _ = match_corpora(key, response, match="overlap", overlap_threshold=0.8)
    >>> [(match.stage, match.weight) for match in alignment.matches]
    [('overlap', 0.8), ('exact', 1.0)]
    """
    prepared, problems = prepare(key, response, (recipe or Recipe()).but(**options))
    return [alignment for one in prepared for alignment in one.alignments], problems
