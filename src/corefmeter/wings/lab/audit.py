"""The audit: which laws a metric obeys, for the metrics here and for one's own.

A metric is given by its name, or as ``module:attribute`` or an object: a `Metric` (class or
instance), or a function from key and response, lists of lists of mentions, to ``(recall, precision,
f1)`` or to F1 alone. A metric sees repeated mentions as the default recipe leaves them
(`corefmeter.corpus.repeats`, policy ``first``); a function sees all copies. Several documents are
sums for a metric; for a function they are one document whose entities do not meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from itertools import chain
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
from corefmeter.wings.lab.outcome import METRICS

#: A metric as it may be given.
Given = str | Metric | type[Metric] | Callable[..., Any]


class Audit(NamedTuple):
    """The verdicts by metric and law, the metrics' names in tables, and the most mentions."""

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


#: Laws are about metrics, so mentions are as equal as they are.
_PLAIN = Recipe()


def audit(
    metrics: Iterable[Given] = METRICS,
    mentions: int = 5,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Put metrics to all laws.

    Of metrics of one name, the second is called ``name (2)``.

    Parameters
    ----------
    metrics
        Names, ``module:attribute``, metrics or functions.
    mentions
        The most mentions of a key and a response together, from 1 to 6.
    progress
        Called with how many searches are done, and how many there are.

    Raises
    ------
    OptionError
        For an unknown metric, one that gives no numbers, or another number of mentions.

    Examples
    --------
    >>> verdicts = audit(["muc", "lea"], mentions=3).verdicts
    >>> [name for name, verdict in verdicts["lea"].items() if not verdict.holds]
    []
    """
    if not 1 <= mentions <= MOST:
        raise OptionError(f"mentions is from 1 to {MOST}, not {mentions}")
    verdicts: dict[str, dict[str, Verdict]] = {}
    titles: dict[str, str] = {}
    distinct: list[Given] = []
    for given in metrics:
        if given not in distinct:  # not all can be hashed
            distinct.append(given)
    for given in distinct:
        name, shown, scored = _load_metric(given)
        number = 1 + sum(known.partition(" (")[0] == name for known in verdicts)
        if number > 1:
            name, shown = f"{name} ({number})", f"{shown} ({number})"
        titles[name] = shown
        verdicts[name] = {}
        for law in LAWS.values():
            verdicts[name][law.name] = law.search(scored, mentions)
            if progress is not None:
                progress(sum(map(len, verdicts.values())), len(distinct) * len(LAWS))
    return Audit(verdicts, titles, mentions)


def judge(metric: Given) -> Judge:
    """Return a metric as the laws see it.

    Examples
    --------
    >>> judge("muc")((((("a", "b", "c"),), (("a", "b"),)),))
    Values(recall=0.5, precision=1.0, f1=0.6666666666666666, undefined=())
    """
    return _load_metric(metric)[2]


def _load_metric(given: Given) -> tuple[str, str, Judge]:
    """Return the name of a metric, its title, and the function that laws call."""
    if isinstance(given, str) and ":" not in given:
        recipe = Recipe(metrics=(given,))
        if any(metric_class(part).aligned for part in recipe.base_metrics()):
            raise OptionError(f"the metric {given!r} needs positions in a text; choose others")
        if len(recipe.metrics) > 1:
            raise OptionError(f"{given!r} is several metrics; give them one by one")
        (name,) = recipe.metrics
        return name, title(name), _of_name(name, recipe)
    found: Any = _import_metric(given) if isinstance(given, str) else given
    name = given if isinstance(given, str) else ""
    if isinstance(found, type) and issubclass(found, Metric):
        try:
            found = found()
        except TypeError as error:
            raise OptionError(
                f"the metric {name or found.__name__!r} cannot be made without options ({error}); "
                "give an instance"
            ) from None
    if isinstance(found, Metric):
        return name or found.name, name or found.title, _of_metric(found)
    if not callable(found):
        raise OptionError(f"{name or found!r} is neither a metric nor a function")
    name = name or getattr(found, "__name__", type(found).__name__)
    return name, name, _of_function(found, name)


def _import_metric(path: str) -> Any:
    module, _, attribute = path.partition(":")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise OptionError(
            f"the metric {path!r} cannot be imported ({error}); give MODULE:NAME of a module that "
            "Python finds, if need be with PYTHONPATH"
        ) from None
    return found


def _of_name(name: str, recipe: Recipe) -> Judge:
    if not is_average(name):
        return _of_metric(make(name, recipe))
    parts = [(_of_metric(make(part, recipe)), weight) for part, weight in components(name, recipe)]
    total = sum(weight for _, weight in parts)

    def average(documents: tuple[Pair, ...]) -> Values:
        f1 = sum(weight * part(documents).f1 for part, weight in parts) / total
        return Values(None, None, f1)

    return average


def _of_metric(metric: Metric) -> Judge:
    def scores(documents: tuple[Pair, ...]) -> Scores:
        rows = []
        for pair in documents:
            key, response = (Document("invented", as_lists(side)) for side in pair)
            rows.append(prepare_pair(key, response, _PLAIN)[0].statistics(metric))
        return metric.scores([sum(column) for column in zip(*rows, strict=True)])

    return _cached_judge(metric.name, scores)


def _of_function(function: Callable[..., Any], name: str) -> Judge:
    def scores(documents: tuple[Pair, ...]) -> Any:
        keys, responses = zip(*documents, strict=True)
        return function(as_lists(chain(*keys)), as_lists(chain(*responses)))

    return _cached_judge(name, scores)


def _cached_judge(name: str, scores: Callable[[tuple[Pair, ...]], Any]) -> Judge:
    """Return a judge that keeps the values of documents, for which laws ask again and again."""

    @cache
    def judge(documents: tuple[Pair, ...]) -> Values:
        try:
            return _values(scores(documents))
        except Exception as error:
            shown = " and ".join(
                f"key {as_lists(key)}, response {as_lists(response)}" for key, response in documents
            )
            raise OptionError(
                f"the metric {name!r} failed on {shown}: {type(error).__name__}: {error}; a metric "
                "must give (recall, precision, f1), or F1 alone, for all entities, also where a "
                "side is empty"
            ) from error

    return judge


def _values(found: Any) -> Values:
    """Return the values that a metric or a function gave."""
    if isinstance(found, Scores):
        return Values(found.recall, found.precision, found.f1, found.undefined)
    if not isinstance(found, (tuple, list)):
        return Values(None, None, float(found))
    recall, precision, f1 = map(float, found)
    return Values(recall, precision, f1)
