"""A metric of the whole corpus for lighteval; the gold is the text with the right marks."""

from __future__ import annotations

from typing import Any

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
from lighteval.tasks.requests import Doc, SamplingMethod

from corefmeter.answers import Answers, score_text


def coreference_metric(style: Any = None, **options: Any) -> CorpusLevelMetricGrouping:
    """Return a metric for ``metrics`` of a task.

    Parameters
    ----------
    style
        The style of the marks that the model writes; detected by default.
    **options
        Fields of `Recipe`, such as ``metrics=["lea"]``.

    Returns
    -------
    CorpusLevelMetricGrouping
        The F1 of each metric and ``coverage.copied``, with names such as ``conll.f1``.
    """
    scores = Answers.from_rows([], **options).flat()
    names = [name for name in scores if name.endswith(".f1") or name == "coverage.copied"]
    return CorpusLevelMetricGrouping(
        metric_name=names,
        higher_is_better=dict.fromkeys(names, True),
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_AnswerRow(names, style, options),
        corpus_level_fn={name: _CorpusScore(name, options) for name in names},
    )


class _AnswerRow(SampleLevelComputation):
    """Statistics of one answer, computed once for all metric names."""

    def __init__(self, names: list[str], style: Any, options: dict[str, Any]) -> None:
        self.names, self.style, self.options = names, style, options

    def compute(self, doc: Doc, model_response: Any, **_: Any) -> dict[str, Any]:
        answer = model_response.final_text[0]
        scored = score_text(doc.get_golds()[0], answer, style=self.style, **self.options)
        return dict.fromkeys(self.names, scored.row())


class _CorpusScore(CorpusLevelComputation):
    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name, self.options = name, options

    def compute_corpus(self, items: list[dict[str, Any]]) -> float:
        return Answers.from_rows(items, **self.options).flat()[self.name]
