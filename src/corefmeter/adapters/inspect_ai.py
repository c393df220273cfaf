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
        # Each value is the row of one sample; its names are METRIC.FIELD and coverage.FIELD.
        rows: list[Any] = [sample.score.value for sample in scores]
        return dict(Answers.from_rows(rows, metrics=_metrics_of_rows(rows)).flat())

    return compute


def _metrics_of_rows(rows: list[dict[str, Any]]) -> list[str]:
    """Return the metrics that rows have counts of, and ``conll`` if its three metrics are there."""
    groups = dict.fromkeys(name.partition(".")[0] for row in rows for name in row)
    metrics = [group for group in groups if group != "coverage"]
    return [*metrics, "conll"] if {"muc", "b3", "ceafe"}.issubset(metrics) else metrics


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
        The style of the marks that the model writes; detected by default.
    """
    options: Any = {} if metrics is None else {"metrics": metrics}

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        scored = score_text(target.text, answer, style=style, singletons=singletons, **options)
        return Score(
            value=dict(scored.row()),
            answer=answer,
            explanation="\n".join(map(str, scored.result.problems)),
            metadata={"signature": scored.result.signature},
        )

    return score
