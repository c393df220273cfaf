"""A metric of the whole corpus for lighteval."""

from __future__ import annotations

from typing import Any

from corefmeter.answers import Answers, score_text


def coreference_metric(style: Any = None, **options: Any) -> Any:
    """A metric whose gold is the text with the right marks: for ``metrics`` of a task.

    Parameters
    ----------
    style
        The style of the marks that the model writes; recognised by default.
    **options
        Fields of `Recipe`, such as ``metrics=["lea"]``.

    Returns
    -------
    lighteval.metrics.utils.metric_utils.CorpusLevelMetricGrouping
        Of the F1 of each metric and of ``coverage.copied``, with names such as ``conll.f1``.
    """
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
    from lighteval.tasks.requests import SamplingMethod

    scores = Answers.from_rows([score_text("", "", **options).row()], **options).flat()
    names = [name for name in scores if name.endswith(".f1") or name == "coverage.copied"]

    class Rows(SampleLevelComputation):  # type: ignore[misc]
        """What is counted of one answer, once for all names."""

        def compute(self, doc: Any, model_response: Any, **_: Any) -> dict[str, Any]:
            answer = model_response.final_text[0]
            row = score_text(doc.get_golds()[0], answer, style=style, **options).row()
            return dict.fromkeys(names, row)

    def over_all(name: str) -> Any:
        return lambda rows: Answers.from_rows(rows, **options).flat()[name]

    return CorpusLevelMetricGrouping(
        metric_name=names, higher_is_better=dict.fromkeys(names, True),
        category=SamplingMethod.GENERATIVE, sample_level_fn=Rows(),
        corpus_level_fn={name: over_all(name) for name in names},
    )  # fmt: skip
