"""corefmeter: coreference scores that are exact, instant and explained.

>>> import corefmeter
>>> key = [["Ann", "she", "her"], ["the dog", "its"]]
>>> response = [["Ann", "she"], ["the dog", "its"], ["her", "tail"]]
>>> result = corefmeter.score(key, response)
>>> round(result.conll, 4)
0.7094
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from corefmeter._moved import OldPaths
from corefmeter._version import __version__
from corefmeter.shown import Shown

if TYPE_CHECKING:
    from corefmeter.analysis.card.made import Card
    from corefmeter.analysis.report import Analysis
    from corefmeter.answers import Answers, score_text
    from corefmeter.api import (
        analyse,
        card,
        compare,
        read,
        read_inline,
        score,
    )
    from corefmeter.corpus.model import Corpus, Document
    from corefmeter.problems import (
        CorefmeterError,
        CorefmeterWarning,
        DataError,
        OptionError,
        Problem,
    )
    from corefmeter.recipe import Recipe
    from corefmeter.reports.page.made import report
    from corefmeter.result import Result, read_results
    from corefmeter.scorer import Scorer
    from corefmeter.statistics.comparison import Comparison
    from corefmeter.wings.annotation.agreement import Agreement
    from corefmeter.wings.annotation.calls import agree, merge, stitch
    from corefmeter.wings.annotation.consensus import Merged
    from corefmeter.wings.annotation.stitching import Stitched
    from corefmeter.wings.records.calls import score_labels, score_tables
    from corefmeter.wings.records.sample import estimate
    from corefmeter.wings.records.worst import Worst, worst_clusters

__all__ = [
    "Agreement",
    "Analysis",
    "Answers",
    "Card",
    "Comparison",
    "CorefmeterError",
    "CorefmeterWarning",
    "Corpus",
    "DataError",
    "Document",
    "Merged",
    "OptionError",
    "Problem",
    "Recipe",
    "Result",
    "Scorer",
    "Stitched",
    "Worst",
    "__version__",
    "agree",
    "analyse",
    "card",
    "compare",
    "estimate",
    "merge",
    "read",
    "read_inline",
    "read_results",
    "report",
    "score",
    "score_labels",
    "score_tables",
    "score_text",
    "stitch",
    "worst_clusters",
]

#: Where each public name lives; it is imported when it is first used.
_HOMES = {
    "Analysis": "analysis.report",
    "Answers": "answers",
    "Card": "analysis.card.made",
    "Comparison": "statistics.comparison",
    "CorefmeterError": "problems",
    "CorefmeterWarning": "problems",
    "Corpus": "corpus.model",
    "DataError": "problems",
    "Document": "corpus.model",
    "OptionError": "problems",
    "Problem": "problems",
    "Recipe": "recipe",
    "Result": "result",
    "Scorer": "scorer",
    "analyse": "api",
    "card": "api",
    "compare": "api",
    "read": "api",
    "read_inline": "api",
    "read_results": "result",
    "report": "reports.page.made",
    "score": "api",
    "score_text": "answers",
}


sys.meta_path.insert(0, OldPaths())

#: Renders results, which know no report themselves.
Shown.renderer = "corefmeter.reports.rendering"


if TYPE_CHECKING:
    align_objects: Any  # of a wing
else:  # a checker shall find misspelt names

    def __getattr__(name: str) -> Any:
        if name in _HOMES:
            from importlib import import_module

            value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        else:
            from corefmeter.doors import fetch, offered

            if name.startswith("_") or name not in offered("name"):
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            value = fetch("name", name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    from corefmeter.doors import offered

    return sorted([*__all__, *offered("name")])
