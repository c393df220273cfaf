"""The metrics by name.

A metric is found by its name or an alias, whatever the case. Other packages add metrics under the
entry point group ``corefmeter.metrics``: a name that is not known here is looked up there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefmeter.metrics.b3 import BCubed
from corefmeter.metrics.base import Metric, Scores
from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.ceaf import Ceaf, CeafE, CeafM, CeafPhi1, CeafPhi2
from corefmeter.metrics.clustering import AdjustedRand, Rand, VMeasure
from corefmeter.metrics.lea import IMPORTANCE, Lea
from corefmeter.metrics.links import LinkPairs
from corefmeter.metrics.mentions import Mentions
from corefmeter.metrics.muc import Muc
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError, unknown

if TYPE_CHECKING:
    from corefmeter.recipe import Recipe

__all__ = [
    "ALIGNED",
    "AVERAGES",
    "DEFAULT",
    "METRICS",
    "NEED_DETAILS",
    "Metric",
    "Overlap",
    "Scores",
    "canonical",
    "components",
    "make",
    "metric_class",
    "title",
]

#: Metrics with statistics of their own, in the order of tables.
METRICS: dict[str, type[Metric]] = {
    metric.name: metric
    for metric in (
        Mentions,
        Muc,
        BCubed,
        CeafM,
        CeafE,
        Blanc,
        Lea,
        CeafPhi1,
        CeafPhi2,
        Ceaf,
        LinkPairs,
        Rand,
        AdjustedRand,
        VMeasure,
    )
}

#: Metrics that must see which mention is matched with which, and where they stand; computed only
#: on request, so imported only then.
ALIGNED: dict[str, str] = {
    "mor": "corefmeter.metrics.mor:MentionOverlap",
    "zero": "corefmeter.metrics.zero:ZeroAnaphors",
    "arcs-immediate": "corefmeter.metrics.arcs:ArcsImmediate",
    "arcs-inferred": "corefmeter.metrics.arcs:ArcsInferred",
    "arcs-anchor": "corefmeter.metrics.arcs:ArcsAnchor",
}

#: Of these, the metrics that must know the words, heads or kinds of mentions.
NEED_DETAILS: frozenset[str] = frozenset(ALIGNED) - {"mor"}

#: Averages of other metrics, with their titles.
AVERAGES: dict[str, str] = {"conll": "CoNLL", "mela": "MELA"}

#: What is computed when nothing is asked for.
DEFAULT: tuple[str, ...] = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")

_ALIASES: dict[str, str] = {
    alias: name for name, metric in METRICS.items() for alias in metric.aliases
} | {
    "conll_score": "conll",
    "conll-score": "conll",
    "conll12": "conll",
    "avg": "conll",
    "mention_overlap_ratio": "mor",
    "zeros": "zero",
    "anaphor_decomposable": "zero",
}


def canonical(name: str) -> str:
    """The name of a metric, from a name or an alias in any case.

    Raises
    ------
    OptionError
        For an unknown name; the message holds the nearest known one.

    Examples
    --------
    >>> canonical("CEAF_e"), canonical("bcub")
    ('ceafe', 'b3')
    """
    lower = name.strip().lower()
    lower = _ALIASES.get(lower, lower)
    if lower in METRICS or lower in AVERAGES or lower in ALIGNED or _third_party(lower):
        return lower
    raise unknown("metric", name, [*METRICS, *AVERAGES, *ALIGNED])


def _third_party(name: str) -> type[Metric] | None:
    """A metric of another package: installed under its entry point, or `module:attribute`."""
    if name in METRICS:
        return METRICS[name]
    from importlib.metadata import entry_points

    for point in entry_points(group="corefmeter.metrics"):
        if point.name.lower() == name:
            METRICS[name] = point.load()
            return METRICS[name]
    return None


def metric_class(name: str) -> type[Metric]:
    """The class of a metric with statistics of its own, by its name."""
    if name not in ALIGNED:
        return METRICS[name]
    from importlib import import_module

    module, _, attribute = ALIGNED[name].partition(":")
    found: type[Metric] = getattr(import_module(module), attribute)
    return found


def components(name: str, recipe: Recipe) -> tuple[tuple[str, float], ...]:
    """The metrics that an average is made of, with weights; a metric is made of itself."""
    if name == "conll":
        from corefmeter.metrics.average import CONLL

        return CONLL
    if name == "mela":
        return recipe.mela_weights
    return ((name, 1.0),)


def make(name: str, recipe: Recipe) -> Metric:
    """The metric with the options of a recipe."""
    if name == "blanc":
        return Blanc(recipe.blanc)
    if name == "lea":
        importance = recipe.lea_importance
        return Lea(IMPORTANCE[importance] if isinstance(importance, str) else importance)
    if name == "ceaf":
        if recipe.ceaf_similarity is None:
            raise OptionError(
                "the metric 'ceaf' needs a similarity function: give ceaf_similarity, or choose "
                "ceafm, ceafe, ceaf1 or ceaf2"
            )
        return Ceaf(recipe.ceaf_similarity)
    return metric_class(name)()


def title(name: str) -> str:
    """The name of a metric in tables."""
    return AVERAGES[name] if name in AVERAGES else metric_class(name).title
