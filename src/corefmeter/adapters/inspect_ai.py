"""A scorer for Inspect, which finds it by its entry point: ``corefmeter/coreference``.

The target of a sample is the text with the right marks. The value of its score is a row of counts,
so that a mean over epochs counts them all, and the metric is one of the whole data set.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from corefmeter.answers import Answers, score_text


@metric
def coreference_scores() -> Metric:
    """Return scores and shares of coverage over all samples; see `Answers.flat`."""

    def compute(scores: list[SampleScore]) -> Value:
        rows: list[Any] = [one.score.value for one in scores]
        names = dict.fromkeys(name.partition(".")[0] for row in rows for name in row)
        names.pop("coverage", None)
        means = ["conll"] if {"muc", "b3", "ceafe"} <= names.keys() else []
        return dict(Answers.from_rows(rows, metrics=[*names, *means]).flat())

    return compute


@scorer(metrics=[coreference_scores()])
def coreference(
    metrics: list[str] | None = None, singletons: Any = "keep", style: Any = None
) -> Scorer:
    """Score the text that the model wrote.

    Parameters
    ----------
    metrics, singletons
        As in a `Recipe`.
    style
        The style of the marks that the model writes; recognised by default.
    """
    asked: Any = {} if metrics is None else {"metrics": metrics}

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        found = score_text(target.text, answer, style=style, singletons=singletons, **asked)
        problems = "\n".join(map(str, found.result.problems))
        return Score(
            value=dict(found.row()),
            answer=answer,
            explanation=problems,
            metadata={"signature": found.result.signature},
        )

    return score
