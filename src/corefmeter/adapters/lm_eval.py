"""Functions for tasks of lm-eval, which names them in YAML; nothing of it is imported.

A row of the data set has the text with the right marks as ``target``. Each name of ``metric_list``
is one of `Answers.flat`, and its aggregation the function here of that name, with an underscore:

    process_results: !function corefmeter.adapters.lm_eval.process_results
    metric_list:
      - metric: conll.f1
        aggregation: !function corefmeter.adapters.lm_eval.conll_f1
        higher_is_better: true
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corefmeter.answers import Answers, score_text

Rows = Iterable[Mapping[str, Any]]


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, Any]:
    """Return the statistics of one answer under each name that can be aggregated."""
    row = score_text(doc["target"], results[0]).row()
    return dict.fromkeys(("conll.f1", "lea.f1", "mentions.f1", "coverage.copied"), row)


def conll_f1(rows: Rows) -> float:
    """Return the CoNLL score over all answers."""
    return Answers.from_rows(rows).flat()["conll.f1"]


def lea_f1(rows: Rows) -> float:
    """Return LEA over all answers."""
    return Answers.from_rows(rows).flat()["lea.f1"]


def mentions_f1(rows: Rows) -> float:
    """Return the detection of mentions over all answers."""
    return Answers.from_rows(rows).flat()["mentions.f1"]


def coverage_copied(rows: Rows) -> float:
    """Return the share of the words that were copied as they are."""
    return Answers.from_rows(rows).flat()["coverage.copied"]
