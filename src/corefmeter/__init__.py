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
    from corefmeter.api import analyse, card, compare, read, read_inline, score
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
    from corefmeter.wings.records.pairs import score_pairs
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
    "score_pairs",
    "score_tables",
    "score_text",
    "stitch",
    "worst_clusters",
]

#: The public names by their modules, which are imported when a name is first used.
_HOMES = {
    "analysis.card.made": ("Card",),
    "analysis.report": ("Analysis",),
    "answers": ("Answers", "score_text"),
    "api": ("analyse", "card", "compare", "read", "read_inline", "score"),
    "corpus.model": ("Corpus", "Document"),
    "problems": ("CorefmeterError", "CorefmeterWarning", "DataError", "OptionError", "Problem"),
    "recipe": ("Recipe",),
    "reports.page.made": ("report",),
    "result": ("Result", "read_results"),
    "scorer": ("Scorer",),
    "statistics.comparison": ("Comparison",),
}


sys.meta_path.insert(0, OldPaths())

#: Renders results, which know no report themselves.
Shown.renderer = "corefmeter.reports.rendering"


if TYPE_CHECKING:
    align_objects: Any  # of a wing
else:  # a checker shall find misspelt names

    def __getattr__(name: str) -> Any:
        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is not None:
            from importlib import import_module

            value = getattr(import_module(f"{__name__}.{home}"), name)
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
