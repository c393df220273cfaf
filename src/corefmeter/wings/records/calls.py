"""`score_tables` and `score_labels`: score clusterings of any items, in the engine of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.calls import checked_call, is_missing, warn_user
from corefmeter.corpus.pairing import MentionCounts
from corefmeter.metrics import metric_class
from corefmeter.metrics.base import Metric
from corefmeter.metrics.overlap import SIDES
from corefmeter.preparation import Dropped
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import Counted, metrics_of, result_of
from corefmeter.units import Unit
from corefmeter.wings.records.frames import Engine, report_table_errors
from corefmeter.wings.records.profile import Profile, profile_of_labels
from corefmeter.wings.records.query import (
    DOCUMENT,
    Columns,
    Query,
    Tables,
    noise_found,
    noise_likely,
)

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions


@checked_call(option_names)
def score_tables(
    key: Any,
    response: Any = None,
    recipe: Recipe | None = None,
    *,
    item: str | Sequence[str] = (),
    cluster: str | tuple[str, str],
    within: str | None = None,
    **options: Unpack[RecipeOptions],
) -> Result:
    """Score a clustering in a table against another; large tables stay in their engine.

    Parameters
    ----------
    key, response
        Data frames with a row for each item, both from the same library: pandas, Polars (also
        lazy), pyarrow, DuckDB (relations), Spark, or others that narwhals supports. Without a
        response, the key has both clusters.
    recipe
        The options of the scores; by default those of the official scorer.
    item
        The column that identifies the item, or several columns that identify it together. If a
        table has both clusters, the column is optional: by default, each row is an item.
    cluster
        The column with the cluster; or two columns, for the key and the response.
    within
        The column with the document, if items and clusters belong to documents. Each document is
        then a unit of the result. By default all rows are one document.
    **options
        Fields of `Recipe` to change, such as ``metrics=["b3"]`` or ``singletons="drop"``.

    Returns
    -------
    Result
        Exactly the same scores as from `score`.

    Raises
    ------
    DataError
        When the tables cannot be scored. The codes of its problems state the reasons.
    OptionError
        For an unknown option, metric, value or column, or if a package is missing.

    Examples
    --------
    >>> import pandas
    >>> key = pandas.DataFrame({"record": [1, 2, 3, 4], "person": ["a", "a", "a", "b"]})
    >>> response = pandas.DataFrame({"record": [1, 2, 3, 4], "person": [7, 7, 8, 8]})
    >>> result = score_tables(key, response, item="record", cluster="person", metrics=["b3"])
    >>> result.b3.recall  # (4/3 + 1/3 + 1) / 4
    0.6666666666666666
    """
    recipe = require_table_recipe(recipe_of(recipe, **options))
    with report_table_errors():
        result = score_request(Request(key, response, item, cluster, within), recipe, None, [])
    warn_user(result.problems)
    return result


@checked_call(option_names)
def score_labels(
    labels_true: Iterable[Any],
    labels_pred: Iterable[Any],
    recipe: Recipe | None = None,
    **options: Unpack[RecipeOptions],
) -> Result:
    """Score two clusterings of the same items, given as one label for each item.

    Parameters
    ----------
    labels_true, labels_pred
        The cluster of each item in the key and in the response, in the same order, as in
        scikit-learn. Series of pandas are not aligned by their indexes. The indexes must therefore
        be equal, unless one of them counts from 0 and has other items.
    recipe, **options
        As for `score_tables`.

    Raises
    ------
    DataError
        ``no-item`` if there are no labels, ``empty-cell`` if a label is None or NaN.
    OptionError
        For lists of different lengths, Series with different indexes, and values that are not lists
        of labels.

    Examples
    --------
    >>> score_labels([0, 0, 0, 1], ["a", "a", "b", "b"], metrics=["b3"]).b3.precision
    0.75
    """
    recipe = require_table_recipe(recipe_of(recipe, **options))
    labels = [_as_list(labels_true, "key"), _as_list(labels_pred, "response")]
    if len(labels[0]) != len(labels[1]):
        reason = f"the key has {len(labels[0])} labels but the response {len(labels[1])}"
        raise OptionError(f"{reason}; give one for each item on both sides")
    _require_one_order(labels_true, labels_pred)
    for side, side_labels in zip(SIDES, labels, strict=True):
        if not side_labels:
            raise DataError(Problem("no-item", f"the {side} has no label", "error"))
        if missing := sum(map(is_missing, side_labels)):
            message = f"{missing} of {len(side_labels)} labels of the {side} are empty"
            raise DataError(Problem("empty-cell", message, "error", count=missing))
    if recipe.singletons != "keep":
        raise OptionError("score_labels cannot drop singletons; score_tables can")
    problems = _split_noise(labels, recipe.noise)
    try:
        profile = profile_of_labels(*labels)
    except TypeError as error:
        message = f"a label cannot be compared: {error}; give numbers or text"
        raise DataError(Problem("bad-key", message, "error")) from None
    result = score_profile(profile, recipe, problems)
    warn_user(result.problems)
    return result


def score_profile(profile: Profile, recipe: Recipe, problems: list[Problem]) -> Result:
    """Score two clusterings of the same items, given by the profile of their table."""
    tables = Tables({None: profile}, {None: (0, 0)}, problems)
    return result_of(_count_documents(tables, recipe), recipe, tables.problems)


def _split_noise(labels: list[list[Any]], noise: str | None) -> list[Problem]:
    """Replace the label of noise by a different one for each item; return notes and warnings."""
    if noise is None:
        numbers = [side_labels.count(-1) + side_labels.count("-1") for side_labels in labels]
        return [noise_likely(n, side) for side, n in enumerate(numbers) if n > 1]
    numbers = []
    for side_labels in labels:
        are_noise = [_is_noise(label, noise) for label in side_labels]
        side_labels[:] = [
            ("noise", place) if is_noise else ("cluster", label)
            for place, (label, is_noise) in enumerate(zip(side_labels, are_noise, strict=True))
        ]
        numbers.append(sum(are_noise))
    return [noise_found(noise, numbers)]


def _is_noise(label: Any, noise: str) -> bool:
    """Return whether a label equals the label of noise, given as text."""
    if isinstance(label, int | float) and not isinstance(label, bool):
        with suppress(ValueError):
            return bool(label == float(noise))
    return str(label) == noise


def _as_list(labels: Iterable[Any], side: str) -> list[Any]:
    """Return the labels as a list; refuse values that do not have one label for each item."""
    is_table = hasattr(labels, "columns") or getattr(labels, "ndim", 1) != 1
    is_other = isinstance(labels, str | bytes | Mapping | Set) or not isinstance(labels, Iterable)
    if is_table or is_other:
        hint = "give a list with one label for each item, in the same order on both sides, or use "
        hint += "score_tables"
        raise OptionError(f"the labels of the {side} are {type(labels).__name__!r}; {hint}")
    for method in ("tolist", "to_list", "to_pylist"):  # of arrays and of columns
        if hasattr(labels, method):
            labels = getattr(labels, method)()
            break
    result = list(labels)
    if result and isinstance(result[0], list | set | dict):
        hint = "give one value for each item"
        raise OptionError(f"a label of the {side} is {result[0]!r:.60}; {hint}")
    return result


def _require_one_order(labels_true: Any, labels_pred: Any) -> None:
    """Refuse series whose indexes name different items, or the same in another order.

    An index that counts from 0 may be the default one of predictions, which names no items.
    """
    key: Any
    response: Any
    key, response = (getattr(labels, "index", None) for labels in (labels_true, labels_pred))
    if not hasattr(key, "equals") or not hasattr(response, "equals") or key.equals(response):
        return  # the index of a list is a method
    counts_from_0 = 0 in (getattr(key, "start", None), getattr(response, "start", None))
    if counts_from_0 and not key.isin(response).all():
        return
    pairs = enumerate(zip(key, response, strict=True))
    place = next((place for place, (item, other) in pairs if item != other), 0)
    items = f"of item {key[place]!r:.60} in the key and of {response[place]!r:.60} in the response"
    hint = "use reindex to give both the same order, or to_numpy if the order is already the same"
    raise OptionError(f"by their indexes, the labels at position {place} are {items}; {hint}")


def require_table_recipe(recipe: Recipe) -> Recipe:
    """Return the recipe; refuse one that needs texts, mentions or the order of rows."""
    for option in fields(recipe):
        name, values = option.name, option.metadata["tables"]
        value = getattr(recipe, name)
        if values is not None and value not in values:
            allowed = " or ".join(map(repr, values))
            raise OptionError(f"{name} {value!r}: tables can only be scored with {allowed}")
    for name in recipe.base_metrics():
        metric = metric_class(name)
        if metric.aligned or metric.details:
            raise OptionError(f"the metric {name!r} needs the mentions in their texts")
    return recipe


class Request(NamedTuple):
    """Arguments of `score_tables`; `paths` are the files of the tables, for messages.

    `steady` tables have the same rows each time.
    """

    key: Any
    response: Any
    item: str | Sequence[str]
    cluster: str | tuple[str, str]
    within: str | None
    paths: Sequence[str | None] = (None, None)
    steady: bool = False

    @property
    def tables(self) -> tuple[Any, Any]:
        """The tables of key and response; twice the same if it has both clusters."""
        return self.key, self.key if self.response is None else self.response

    def query(self, recipe: Recipe) -> Query:
        """Return the queries on the tables.

        Raises
        ------
        OptionError
            For tables of two engines, and for missing or contradictory columns.
        """
        engine = Engine(self.key)
        if self.response is not None:
            if (other := Engine(self.response).name) != engine.name:
                reason = f"the key is a table of {engine.name} and the response one of {other}"
                raise OptionError(f"{reason}; give both in one engine")
            engine.require_one_connection(self.response)
        item = _column_names("item", self.item)
        clusters = _column_names("cluster", self.cluster)
        if isinstance(self.cluster, str):
            clusters *= 2
        if len(clusters) != 2:
            raise OptionError("cluster: name one column, or two, (key, response)")
        if not item and (self.response is not None or recipe.singletons != "keep"):
            condition = "for a table with both clusters, of which no singletons are dropped"
            hint = f"name the column that identifies the item; it is optional only {condition}"
            raise OptionError(f"item: {hint}")
        if self.response is None and clusters[0] == clusters[1]:
            raise OptionError("cluster: a single table needs two columns, (key, response)")
        within = None
        if self.within is not None:
            (within,) = _column_names("within", self.within)
        return Query(engine, Columns(item, clusters, within), recipe, self.paths)


def _column_names(option: str, value: Any) -> Any:
    names = tuple(value) if isinstance(value, list | tuple) else (value,)
    for name in names:
        if not isinstance(name, str):
            hint = "frame.set_axis(list(map(str, frame.columns)), axis=1) makes names text"
            raise OptionError(f"{option}: {name!r} is not a name of a column; with pandas, {hint}")
    return names


def score_request(
    request: Request, recipe: Recipe, digests: dict[str, str] | None, problems: Sequence[Problem]
) -> Result:
    """Score like `score_tables`, without warnings; add the `problems` of files to the result."""
    query = request.query(recipe)
    result = _result(query, partial(query.tables, *request.tables, request.steady), digests)
    result.problems[:0] = problems
    return result


def score_overlap_table(cells: Any, recipe: Recipe, path: str, digests: dict[str, str]) -> Result:
    """Score an overlap table; see `Query.overlap`."""
    if recipe.noise is not None:
        raise OptionError("noise: an overlap table has no items; apply noise when you count them")
    engine = Engine(cells)
    frame = engine.frame(cells)
    within = DOCUMENT if DOCUMENT in frame.collect_schema().names() else None
    query = Query(engine, Columns((), SIDES, within), recipe, (path, path))
    return _result(query, partial(query.overlap, frame), digests)


def _result(query: Query, count: Callable[[], Tables], digests: dict[str, str] | None) -> Result:
    recipe, path = query.recipe, query.paths[1]
    with closing(query.engine):
        tables = count()
        counted = _count_documents(tables, recipe, path)
    return result_of(counted, recipe, tables.problems, path=path, digests=digests)


def _count_documents(tables: Tables, recipe: Recipe, path: str | None = None) -> list[Counted]:
    """Return the statistics of each document, None if it is the only one; append to `problems`."""
    metrics = metrics_of(recipe)
    counted = []
    for document, profile in tables.profiles.items():
        name = "document" if document is None else str(document)
        statistics = {}
        for metric_name, metric in metrics.items():
            profile.reach = 1.0
            statistics[metric_name] = metric.statistics(profile)
            if profile.reach > 1:
                label = None if document is None else name
                tables.problems.append(_bounds_problem(metric, profile.reach, path, label))
        counts = MentionCounts(profile.matched, profile.key_mentions, profile.response_mentions)
        unit = Unit(name, name, numbered=document is None)
        # A cluster of one item is like any other, on both sides.
        dropped = Dropped(*tables.dropped[document])
        counted.append(Counted(unit, statistics, counts, dropped=dropped))
    return counted


def _bounds_problem(metric: Metric, reach: float, path: str | None, label: str | None) -> Problem:
    """Return the warning about a score whose assignment may not be the best."""
    message = f"{metric.title} is computed from an assignment of clusters that may not be the "
    message += f"best: recall, precision and F1 may be up to {reach:.4f} times as high"
    hint = "Too many clusters share items with too many others. Choose metrics without an "
    hint += "assignment, or score parts of the tables."
    return Problem("assignment-bounds", message, path=path, document=label, hint=hint)
