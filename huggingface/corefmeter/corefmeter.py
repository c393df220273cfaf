"""corefmeter as a metric of the library evaluate: ``evaluate.load("huggingface/corefmeter")``.

A document is a list of entities, an entity a list of mentions, and a mention a pair of first and
last token. Documents are pooled, as in a corpus.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

import corefmeter

_USE = """
Args:
    predictions: for each document a list of entities, each a list of mentions [first, last].
    references: the same of the key.
    **options: options of `corefmeter.Recipe`, such as metrics=["lea", "conll"], singletons="drop".
Returns:
    Scores by name, such as "muc.recall" and "conll.f1", fractions of one; and the signature, which
    says how they were made.
"""


class Corefmeter(evaluate.Metric):
    """Scores of coreference."""

    def _info(self) -> evaluate.MetricInfo:
        if self.config_name != "default":
            raise corefmeter.OptionError(
                f"there is no configuration {self.config_name!r}; give options to compute(), as in "
                'metrics=["lea"]'
            )
        mention = datasets.Sequence(datasets.Value("int64"))
        document = datasets.Sequence(datasets.Sequence(mention))
        return evaluate.MetricInfo(
            description="MUC, B3, CEAF, BLANC, LEA, CoNLL score and others, exact.",
            citation='"corefmeter cite" prints the papers of the metrics.',
            inputs_description=_USE,
            features=datasets.Features({"predictions": document, "references": document}),
            reference_urls=["https://github.com/corefmeter/corefmeter"],
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        scorer = corefmeter.Scorer(**options)
        for response, key in zip(predictions, references, strict=True):
            scorer.update(key, response)
        result = scorer.compute()
        return {**result.flat(), "signature": result.signature}
