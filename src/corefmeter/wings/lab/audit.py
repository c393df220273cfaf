"""The audit: which laws a metric obeys, for metrics of corefmeter and of users.

A metric is given by name, as ``module:attribute``, or as an object: a `Metric` (class or instance),
or a function that takes key and response, lists of lists of mentions, and returns ``(recall,
precision, f1)`` or F1 alone. A metric sees repeated mentions as the default recipe leaves them
(`corefmeter.corpus.repeats`, policy ``first``); a function sees all copies. Scores of several
documents are sums for a metric; a function gets them as one document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.metrics import components, is_average, make, metric_class, title
from corefmeter.metrics.base import Metric, Scores
from corefmeter.preparation import prepare_pair
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe
from corefmeter.wings.lab.kinds import Pair, as_lists
from corefmeter.wings.lab.law import Judge, Values, Verdict
from corefmeter.wings.lab.laws import LAWS, MOST
from corefmeter.wings.lab.outcome import METRICS, OnProgress

#: A metric as the user gives it.
MetricLike = str | Metric | type[Metric] | Callable[..., Any]


class Audit(NamedTuple):
    """The verdicts by metric and law, the titles of metrics, and the most mentions."""

    verdicts: dict[str, dict[str, Verdict]]
    titles: dict[str, str]
    mentions: int

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as JSON values."""
        laws = {
            law.name: {"statement": law.statement, "reference": law.reference}
            for law in LAWS.values()
        }
        metrics = {
            metric: {law: verdict.to_dict() for law, verdict in verdicts.items()}
            for metric, verdicts in self.verdicts.items()
        }
        return {"schema": 1, "mentions": self.mentions, "laws": laws, "metrics": metrics}


def audit(
    metrics: Iterable[MetricLike] = METRICS, mentions: int = 5, progress: OnProgress = None
) -> Audit:
    """Test metrics against all laws.

    If several metrics have one name, the second is called ``name (2)``, and so on.

    Parameters
    ----------
    metrics
        Names, ``module:attribute``, metrics or functions.
    mentions
        The most mentions of key and response together, from 1 to 6.
    progress
        Called with the number of finished searches and the number of all searches.

    Raises
    ------
    OptionError
        For an unknown metric, one that does not return numbers, or another number of mentions.

    Examples
    --------
    >>> verdicts = audit(["muc", "lea"], mentions=3).verdicts
    >>> [name for name, verdict in verdicts["lea"].items() if not verdict.holds]
    []
    """
    if not 1 <= mentions <= MOST:
        raise OptionError(f"mentions must be from 1 to {MOST}, not {mentions}")
    verdicts: dict[str, dict[str, Verdict]] = {}
    titles: dict[str, str] = {}
    distinct: list[MetricLike] = []
    for metric in metrics:
        if metric not in distinct:  # a set would need hashable metrics
            distinct.append(metric)
    for metric in distinct:
        name, metric_title, judge = _load_metric(metric)
        number = 1 + sum(known.partition(" (")[0] == name for known in verdicts)
        if number > 1:
            name, metric_title = f"{name} ({number})", f"{metric_title} ({number})"
        titles[name] = metric_title
        verdicts[name] = {}
        for law in LAWS.values():
            verdicts[name][law.name] = law.search(judge, mentions)
            if progress is not None:
                progress(sum(map(len, verdicts.values())), len(distinct) * len(LAWS))
    return Audit(verdicts, titles, mentions)


def judge(metric: MetricLike) -> Judge:
    """Return the function from documents to the values of a metric that laws call.

    >>> judge("muc")((((("a", "b", "c"),), (("a", "b"),)),))
    Values(recall=0.5, precision=1.0, f1=0.6666666666666666, undefined=())
    """
    return _load_metric(metric)[2]


def _load_metric(metric: MetricLike) -> tuple[str, str, Judge]:
    """Return the name of a metric, its title, and the function that laws call."""
    if isinstance(metric, str) and ":" not in metric:
        return _load_registered(metric)
    name = metric if isinstance(metric, str) else ""
    loaded: Any = _import_metric(metric) if isinstance(metric, str) else metric
    if isinstance(loaded, type) and issubclass(loaded, Metric):
        try:
            loaded = loaded()
        except TypeError as error:
            reason = f"the metric {name or loaded.__name__!r} cannot be made without options"
            raise OptionError(f"{reason} ({error}); give an instance") from None
    if isinstance(loaded, Metric):
        return name or loaded.name, name or loaded.title, _of_metric(loaded)
    if not callable(loaded):
        raise OptionError(f"{name or loaded!r} is neither a metric nor a function")
    name = name or getattr(loaded, "__name__", type(loaded).__name__)
    return name, name, _of_function(loaded, name)


def _load_registered(name: str) -> tuple[str, str, Judge]:
    """Do as `_load_metric` for the name of a metric or an average."""
    recipe = Recipe(metrics=(name,))
    if any(metric_class(part).aligned for part in recipe.base_metrics()):
        raise OptionError(f"the metric {name!r} needs positions in a text; choose others")
    if len(recipe.metrics) > 1:
        raise OptionError(f"{name!r} is several metrics; give them one by one")
    (name,) = recipe.metrics
    if not is_average(name):
        return name, title(name), _of_metric(make(name, recipe))
    parts = [(_of_metric(make(part, recipe)), weight) for part, weight in components(name, recipe)]
    total = sum(weight for _, weight in parts)

    def average(documents: tuple[Pair, ...]) -> Values:
        f1 = sum(weight * part(documents).f1 for part, weight in parts) / total
        return Values(None, None, f1)

    return name, title(name), average


def _import_metric(path: str) -> Any:
    module, _, attributes = path.partition(":")
    try:
        return attrgetter(attributes)(import_module(module))
    except Exception as error:
        hint = "give MODULE:NAME of an importable module, or add its folder to PYTHONPATH"
        raise OptionError(f"the metric {path!r} cannot be imported ({error}); {hint}") from None


def _of_metric(metric: Metric) -> Judge:
    recipe = Recipe()

    def scores(documents: tuple[Pair, ...]) -> Scores:
        rows = []
        for pair in documents:
            key, response = (Document("invented", as_lists(side)) for side in pair)
            rows.append(prepare_pair(key, response, recipe)[0].statistics(metric))
        return metric.scores([sum(column) for column in zip(*rows, strict=True)])

    return _cached_judge(metric.name, scores)


def _of_function(function: Callable[..., Any], name: str) -> Judge:
    def scores(documents: tuple[Pair, ...]) -> Any:
        keys, responses = zip(*documents, strict=True)
        return function(as_lists(chain(*keys)), as_lists(chain(*responses)))

    return _cached_judge(name, scores)


def _cached_judge(name: str, scores: Callable[[tuple[Pair, ...]], Any]) -> Judge:
    """Return a judge that caches its values, because laws ask for the same documents often."""

    @cache
    def judge(documents: tuple[Pair, ...]) -> Values:
        try:
            return _values(scores(documents))
        except Exception as error:
            shown = " and ".join(
                f"key {as_lists(key)}, response {as_lists(response)}" for key, response in documents
            )
            reason = f"the metric {name!r} failed on {shown}: {type(error).__name__}: {error}"
            hint = "a metric must return (recall, precision, f1), or F1 alone, for all entities, "
            hint += "also if one side is empty"
            raise OptionError(f"{reason}; {hint}") from error

    return judge


def _values(scores: Any) -> Values:
    if isinstance(scores, Scores):
        return Values(scores.recall, scores.precision, scores.f1, scores.undefined)
    if not isinstance(scores, (tuple, list)):
        return Values(None, None, float(scores))
    recall, precision, f1 = map(float, scores)
    return Values(recall, precision, f1)
