"""The metrics by name.

A metric is found by its name or an alias, whatever the case. Other packages add metrics under the
entry point group ``corefmeter.metrics``: a name that is not known here is looked up there. What a
metric needs, which options it has and what it is called, it says itself (`base.Metric`); nothing
here or elsewhere names single metrics for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeAlias

from corefmeter.doors import fetch, offered
from corefmeter.metrics.average import Average, Conll, Weights
from corefmeter.metrics.b3 import BCubed
from corefmeter.metrics.base import Metric, Option, Scores
from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.ceaf import Ceaf, CeafE, CeafM, CeafPhi1, CeafPhi2
from corefmeter.metrics.closest import ClosestCluster, Purity
from corefmeter.metrics.clustering import (
    AdjustedRand,
    FowlkesMallows,
    InformationVariation,
    MutualInformation,
    Rand,
    VMeasure,
)
from corefmeter.metrics.lea import Lea
from corefmeter.metrics.links import LinkPairs
from corefmeter.metrics.mentions import Mentions
from corefmeter.metrics.merges import MergeDistance
from corefmeter.metrics.muc import Muc
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError, unknown

__all__ = [
    "AVERAGES",
    "DEFAULT",
    "LAZY",
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
    "options_of",
    "title",
]

Kind: TypeAlias = type[Metric] | type[Average]


def _weights(value: Any) -> Weights:
    """Weights of an average, from text ``muc=1+b3=2``, a mapping or pairs."""
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
    """MELA (Denis & Baldridge 2009): a mean with weights of one's own, by default the CoNLL score.

    Examples
    --------
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
            _weights,
        ),
    )

    def __init__(self, mela_weights: Any = "muc+b3+ceafe") -> None:
        self.weights = _weights(mela_weights)

    def components(self) -> Weights:
        """Return the metrics and their weights."""
        return self.weights


#: Metrics of the overlap table, in the order of tables.
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
        FowlkesMallows,
        VMeasure,
        MutualInformation,
        InformationVariation,
        ClosestCluster,
        Purity,
        MergeDistance,
    )
}

#: Averages of other metrics.
AVERAGES: dict[str, type[Average]] = {kind.name: kind for kind in (Conll, Mela)}

#: Metrics that must see mentions or relations; imported only when they are asked for.
LAZY: dict[str, str] = {
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

#: What is computed when nothing is asked for.
DEFAULT: tuple[str, ...] = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")

_ALIASES: dict[str, str] = {
    alias: name for name, kind in (METRICS | AVERAGES).items() for alias in kind.aliases
}


def names() -> list[str]:
    """Return the names of all metrics of this package."""
    return [*METRICS, *LAZY, *AVERAGES]


def names_of_others() -> list[str]:
    """Return the names of the metrics of other packages."""
    return list(offered("metric"))


def names_of_all() -> list[str]:
    """Return the metrics of ``all``: the usual ones, then those that need no text and no option.

    It does not depend on which other packages are there or what was asked for before.
    """
    rest = [
        name
        for name, metric in METRICS.items()
        if all(option.default is not None for option in metric.options)
    ]
    return list(dict.fromkeys([*DEFAULT, *rest]))


def canonical(name: str) -> str:
    """Return the name of a metric, from a name or an alias in any case.

    Raises
    ------
    OptionError
        For an unknown name; the message holds the nearest known one.

    Examples
    --------
    >>> canonical("CEAF_e"), canonical("bcub"), canonical("zeros")
    ('ceafe', 'b3', 'zero')
    """
    lower = name.strip().lower()
    lower = _ALIASES.get(lower, lower)
    if lower in names():
        return lower
    for known in LAZY:
        if lower in _loaded(known).aliases:
            return known
    for known in offered("metric"):
        if lower == known or lower in _aliases_of(known):
            return known
    raise unknown("metric", name, [*names(), *names_of_others()])


def find(name: str) -> Kind:
    """Return the class of a metric or average, by the name that `canonical` gives.

    Raises
    ------
    OptionError
        For an unknown name, and where another package's metric cannot be imported.
    """
    found = METRICS.get(name) or AVERAGES.get(name)
    if found is not None:
        return found
    if name in LAZY or name in offered("metric"):
        return _loaded(name)
    raise unknown("metric", name, [*names(), *names_of_others()])


@cache
def _loaded(name: str) -> Kind:
    if name in LAZY:
        from importlib import import_module

        module, _, attribute = LAZY[name].partition(":")
        found: Kind = getattr(import_module(module), attribute)
        return found
    other = fetch("metric", name)
    if not isinstance(other, type) or not issubclass(other, Metric | Average):
        value = offered("metric")[name].value
        raise OptionError(f"the metric {name!r} of another package, {value}, is no metric")
    return other


def _aliases_of(name: str) -> tuple[str, ...]:
    """Return the aliases of a metric of another package; none if it cannot be imported."""
    try:
        return _loaded(name).aliases
    except OptionError:
        return ()


def options_of_others() -> list[str]:
    """The names of the options of metrics of other packages, as far as these can be imported."""
    names = []
    for name in offered("metric"):
        with suppress(OptionError):
            names += [option.name for option in options_of(name)]
    return names


def is_average(name: str) -> bool:
    """Return whether a metric is a mean of others and has no statistics of its own."""
    return issubclass(find(name), Average)


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric with statistics of its own, by its name."""
    kind = find(name)
    assert issubclass(kind, Metric), name
    return kind


def key_count(name: str) -> str | None:
    """Return the statistic of a metric that depends on nothing but the key; None if it has none."""
    kind = find(name)
    return kind.key_count if issubclass(kind, Metric) else None


def options_of(name: str) -> tuple[Option, ...]:
    """Return the options that a metric or average declares."""
    return find(name).options


def make(name: str, options: Any) -> Any:
    """Return the metric with its options, which are attributes of `options`, such as a recipe.

    Raises
    ------
    OptionError
        For an option that is needed and not given.
    """
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
