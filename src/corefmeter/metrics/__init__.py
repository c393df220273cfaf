"""The metrics by name; a module is imported when a metric of it is asked for.

A metric is found by its name or an alias, in any case. Other packages add metrics under the entry
point group ``corefmeter.metrics``: a name that is not known here is looked up there. A metric
declares its needs, options and titles itself (`base.Metric`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from corefmeter.doors import fetch, offered
from corefmeter.metrics.average import Average, Conll, Weights
from corefmeter.metrics.base import Metric, Scores
from corefmeter.metrics.options import (
    BLANC,
    CEAF_SIMILARITY,
    GMD_COST,
    LEA_IMPORTANCE,
    NMI_MEAN,
    Option,
)
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError, unknown

__all__ = [
    "ALIGNED",
    "AVERAGES",
    "DEFAULT",
    "METRICS",
    "Metric",
    "Overlap",
    "Scores",
    "canonical",
    "components",
    "find",
    "is_average",
    "key_count",
    "make",
    "metric_class",
    "names",
    "names_of_all",
    "title",
]

Kind: TypeAlias = type[Metric] | type[Average]


def _parse_weights(value: Any) -> Weights:
    """Parse the weights of an average, from text ``muc=1+b3=2``, a mapping or pairs."""
    if isinstance(value, str):
        items = (item.partition("=") for item in value.replace(",", "+").split("+"))
        value = [(name, weight if equals else 1) for name, equals, weight in items]
    elif isinstance(value, Mapping):
        value = value.items()
    try:
        value = [(name, weight) for name, weight in value]
    except (TypeError, ValueError):
        raise OptionError(f"mela_weights: {value!r} is not pairs of metric and weight") from None
    weights = []
    for name, weight in value:
        metric = canonical(name)
        if is_average(metric):
            raise OptionError(f"mela_weights: {name!r} is itself an average")
        try:
            number = float(weight)
        except (TypeError, ValueError, OverflowError):
            raise OptionError(f"mela_weights: the weight {weight!r} is not a number") from None
        if not 0 <= number < float("inf"):
            raise OptionError(f"mela_weights: the weight {weight!r} is not 0 or more")
        weights.append((metric, number))
    total = sum(number for _, number in weights)
    if not 0 < total < float("inf"):
        what = "add up to more than a number can be" if total else "are 0"
        raise OptionError(f"mela_weights: all weights {what}")
    return tuple(weights)


class Mela(Average):
    """MELA (Denis & Baldridge 2009): a mean with custom weights, by default the CoNLL score.

    >>> Mela({"muc": 1, "lea": 2}).components()
    (('muc', 1.0), ('lea', 2.0))
    """

    name = "mela"
    title = "MELA"
    about = "Mean F1 of metrics with weights of your own."
    papers = ("denis-baldridge-2009",)
    options = (
        Option(
            "mela_weights",
            Conll().components(),
            "Metrics and weights of mela, as in muc=1+b3=1+ceafe=1.",
            (),
            "METRIC=WEIGHT+…",
            _parse_weights,
        ),
    )

    def __init__(self, mela_weights: Any = "muc+b3+ceafe") -> None:
        self.weights = _parse_weights(mela_weights)

    def components(self) -> Weights:
        """Return the metrics and their weights."""
        return self.weights


#: Metrics of the overlap table, in the order of tables.
METRICS: dict[str, str] = {
    "mentions": "corefmeter.metrics.mentions:Mentions",
    "muc": "corefmeter.metrics.muc:Muc",
    "b3": "corefmeter.metrics.b3:BCubed",
    "ceafm": "corefmeter.metrics.ceaf:CeafM",
    "ceafe": "corefmeter.metrics.ceaf:CeafE",
    "blanc": "corefmeter.metrics.blanc:Blanc",
    "lea": "corefmeter.metrics.lea:Lea",
    "ceaf1": "corefmeter.metrics.ceaf:CeafPhi1",
    "ceaf2": "corefmeter.metrics.ceaf:CeafPhi2",
    "ceaf": "corefmeter.metrics.ceaf:Ceaf",
    "links": "corefmeter.metrics.links:LinkPairs",
    "rand": "corefmeter.metrics.clustering:Rand",
    "ari": "corefmeter.metrics.clustering:AdjustedRand",
    "fmi": "corefmeter.metrics.clustering:FowlkesMallows",
    "vmeasure": "corefmeter.metrics.clustering:VMeasure",
    "nmi": "corefmeter.metrics.clustering:MutualInformation",
    "vi": "corefmeter.metrics.clustering:InformationVariation",
    "closest": "corefmeter.metrics.closest:ClosestCluster",
    "purity": "corefmeter.metrics.closest:Purity",
    "gmd": "corefmeter.metrics.merges:MergeDistance",
}

#: Metrics that must see mentions or relations.
ALIGNED: dict[str, str] = {
    "mor": "corefmeter.metrics.mor:MentionOverlap",
    "zero": "corefmeter.metrics.zero:ZeroAnaphors",
    "arcs-immediate": "corefmeter.metrics.arcs:ArcsImmediate",
    "arcs-inferred": "corefmeter.metrics.arcs:ArcsInferred",
    "arcs-anchor": "corefmeter.metrics.arcs:ArcsAnchor",
    "split": "corefmeter.metrics.split:SplitAntecedents",
    "bridging-anaphor": "corefmeter.metrics.bridging:BridgingAnaphors",
    "bridging-mention": "corefmeter.metrics.bridging:BridgingMentions",
    "bridging-entity": "corefmeter.metrics.bridging:BridgingEntities",
    "nonreferring": "corefmeter.metrics.nonreferring:NonReferring",
}

#: Averages of other metrics.
AVERAGES: dict[str, type[Average]] = {kind.name: kind for kind in (Conll, Mela)}

#: The options of our metrics, by name.
OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (BLANC, CEAF_SIMILARITY, GMD_COST, LEA_IMPORTANCE, NMI_MEAN, *Mela.options)
}

#: What is computed when nothing is asked for.
DEFAULT: tuple[str, ...] = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


def names() -> list[str]:
    """Return the names of all metrics of this package."""
    return [*METRICS, *ALIGNED, *AVERAGES]


def known_names() -> list[str]:
    """Return the names of all metrics, those of other packages last."""
    return [*names(), *offered("metric")]


def names_of_all() -> list[str]:
    """Return the metrics of ``all``: the usual ones, then those that need no text and no option.

    It does not depend on which other packages are there or what was asked for before.
    """
    rest = [
        name for name in METRICS if all(option.default is not None for option in find(name).options)
    ]
    return list(dict.fromkeys([*DEFAULT, *rest]))


def canonical(name: str) -> str:
    """Return the name of a metric, from a name or an alias in any case.

    >>> canonical("CEAF_e"), canonical("bcub"), canonical("zeros")
    ('ceafe', 'b3', 'zero')
    """
    lower = name.strip().lower()
    if lower in names():
        return lower
    for known in names():
        if lower in find(known).aliases:
            return known
    for known in offered("metric"):
        if lower == known or lower in _aliases_of(known):
            return known
    raise unknown("metric", name, known_names())


def _aliases_of(name: str) -> tuple[str, ...]:
    """Return the aliases of a metric of another package; none if it cannot be imported."""
    with suppress(OptionError):
        return find(name).aliases
    return ()


@cache
def find(name: str) -> Kind:
    """Return the class of a metric or average, by the name that `canonical` gives."""
    if name in AVERAGES:
        return AVERAGES[name]
    if place := METRICS.get(name) or ALIGNED.get(name):
        module, _, attribute = place.partition(":")
        found: Kind = getattr(import_module(module), attribute)
        return found
    if name not in offered("metric"):
        raise unknown("metric", name, known_names())
    other = fetch("metric", name)
    if not isinstance(other, type) or not issubclass(other, Metric | Average):
        value = offered("metric")[name].value
        raise OptionError(f"the metric {name!r} of another package, {value}, is no metric")
    return other


def options_of_others() -> list[str]:
    """Return the options of metrics of other packages, as far as these can be imported."""
    names = []
    for name in offered("metric"):
        with suppress(OptionError):
            names += [option.name for option in find(name).options]
    return names


def is_average(name: str) -> bool:
    """Return whether a metric is a mean of others and has no statistics of its own."""
    ours = name in METRICS or name in ALIGNED
    return not ours and issubclass(find(name), Average)


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric with statistics of its own, by its name."""
    kind = find(name)
    assert issubclass(kind, Metric), name
    return kind


def key_count(name: str) -> str | None:
    """Return the statistic of a metric that depends on nothing but the key; None if it has none."""
    kind = find(name)
    return kind.key_count if issubclass(kind, Metric) else None


def make(name: str, options: Any) -> Any:
    """Return the metric with its options, which are attributes of `options`, such as a recipe."""
    kind = find(name)
    return kind(**{option.name: getattr(options, option.name) for option in kind.options})


def components(name: str, options: Any) -> Weights:
    """Return the components of an average with weights; a metric is its own component."""
    if not is_average(name):
        return ((name, 1.0),)
    found: Weights = make(name, options).components()
    return found


def title(name: str) -> str:
    """Return the name of a metric in tables."""
    return find(name).title
