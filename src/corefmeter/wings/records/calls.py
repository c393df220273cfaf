"""`score_tables` and `score_labels`: clusterings of any items, in the engine that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.pairing import Common
from corefmeter.metrics import metric_class
from corefmeter.metrics.base import Metric
from corefmeter.metrics.overlap import SIDES
from corefmeter.preparation import Dropped
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import Counted, metrics_of, result_of
from corefmeter.units import Unit
from corefmeter.wings.records.frames import Engine, engine_errors, refused
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
    """Score a clustering in a table against another, without moving the tables.

    Parameters
    ----------
    key, response
        Data frames of one engine with a row for each item: pandas, Polars (lazy too), pyarrow, a
        relation of DuckDB, Spark, or what else narwhals knows. Without a response, the key holds
        both clusters.
    recipe
        How to score; the default is the official scorer's way.
    item
        The column that says which item it is, or several that say it together. A table of both
        clusters may do without: each row is then an item.
    cluster
        The column with the cluster; or two, of the key and of the response.
    within
        The column with the document, if items and clusters are those of a document: each document
        is then a unit of the result. Without, all rows are one document.
    **options
        Fields of `Recipe` to change, such as ``metrics=["b3"]`` or ``singletons="drop"``.

    Returns
    -------
    Result
        As `score` gives it: the same numbers to the last digit.

    Raises
    ------
    DataError
        When the tables cannot be scored: see the codes of its problems.
    OptionError
        For an unknown option, metric, value or column, and where a package is missing.

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
    with refused():
        result = scored(Request(key, response, item, cluster, within), recipe)
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
        The clusters of the items in the key and in the response, in the same order; what
        scikit-learn's measures take. Series of pandas are not put into one order by their
        indexes, which must therefore agree, unless one numbers other items from 0.
    recipe, **options
        As for `score_tables`.

    Raises
    ------
    DataError
        ``no-item`` without any label, ``empty-cell`` where a label is None or not a number.
    OptionError
        For two lists of different lengths or series of different indexes, and for what is no
        list of labels.

    Examples
    --------
    >>> score_labels([0, 0, 0, 1], ["a", "a", "b", "b"], metrics=["b3"]).b3.precision
    0.75
    """
    recipe = require_table_recipe(recipe_of(recipe, **options))
    labels = [_as_list(labels_true, "key"), _as_list(labels_pred, "response")]
    if len(labels[0]) != len(labels[1]):
        raise OptionError(
            f"{len(labels[0])} labels of the key but {len(labels[1])} of the response; give one "
            "for each item on both sides"
        )
    _require_one_order(labels_true, labels_pred)
    for side, of_side in zip(SIDES, labels, strict=True):
        if not of_side:
            raise DataError(Problem("no-item", f"the {side} has no label", "error"))
        if missing := sum(map(_is_missing, of_side)):
            message = f"{missing} of {len(of_side)} labels of the {side} are empty"
            raise DataError(Problem("empty-cell", message, "error", count=missing))
    if recipe.singletons != "keep":
        raise OptionError("labels have no singletons to drop: score_tables has that policy")
    problems = _with_noise(labels, recipe.noise)
    try:
        profile = profile_of_labels(*labels)
    except TypeError as error:
        message = f"a label cannot be compared: {error}; give numbers or texts"
        raise DataError(Problem("bad-key", message, "error")) from None
    counted = _counted(None, profile, (0, 0), metrics_of(recipe), problems)
    result = result_of([counted], recipe, problems)
    warn_user(result.problems)
    return result


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except (TypeError, ValueError):  # the NA of pandas, whose comparisons have no truth
        return type(label).__name__ == "NAType"


def _with_noise(labels: list[list[Any]], noise: str | None) -> list[Problem]:
    """Replace the label of noise by a different one for each item; return notes and warnings."""
    if noise is None:
        numbers = [of_side.count(-1) + of_side.count("-1") for of_side in labels]
        return [noise_likely(n, side) for side, n in enumerate(numbers) if n > 1]
    numbers = []
    for of_side in labels:
        are_noise = [_is_noise(label, noise) for label in of_side]
        of_side[:] = [
            ("noise", place) if is_noise else ("cluster", label)
            for place, (label, is_noise) in enumerate(zip(of_side, are_noise, strict=True))
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
    """Return the labels as a list; refuse mappings, sets, texts and tables.

    Their elements are not one label for each item in a given order.
    """
    table = hasattr(labels, "columns") or getattr(labels, "ndim", 1) != 1
    if table or isinstance(labels, str | bytes | Mapping | Set) or not isinstance(labels, Iterable):
        raise OptionError(
            f"the labels of the {side} are {type(labels).__name__!r}: give a list with one for "
            "each item, in the same order on both sides; score_tables takes tables"
        )
    for name in ("tolist", "to_list", "to_pylist"):  # of arrays and of columns
        if hasattr(labels, name):
            labels = getattr(labels, name)()
            break
    found = list(labels)
    if found and isinstance(found[0], list | set | dict):
        raise OptionError(
            f"a label of the {side} is {found[0]!r:.60}; give one value for each item"
        )
    return found


def _require_one_order(labels_true: Any, labels_pred: Any) -> None:
    """Refuse series whose indexes name different items, or the same in another order.

    An index from 0 on may be that of predictions for other items, which it does not name.
    """
    key: Any
    response: Any
    key, response = (getattr(labels, "index", None) for labels in (labels_true, labels_pred))
    if not hasattr(key, "equals") or not hasattr(response, "equals") or key.equals(response):
        return  # the index of a list is a method
    numbered = 0 in (getattr(key, "start", None), getattr(response, "start", None))
    if numbered and not key.isin(response).all():
        return
    pairs = enumerate(zip(key, response, strict=True))
    place = next((at for at, (one, other) in pairs if one != other), 0)
    raise OptionError(
        f"the labels at position {place} are of item {key[place]!r:.60} in the key and of "
        f"{response[place]!r:.60} in the response, by their indexes; use reindex to give both one "
        "order, or to_numpy where it is the same"
    )


def require_table_recipe(recipe: Recipe) -> Recipe:
    """Return a recipe; refuse one that needs texts, mentions or the order of rows."""
    for option in fields(recipe):
        name, values = option.name, option.metadata["tables"]
        value = getattr(recipe, name)
        if values is not None and value not in values:
            known = " or ".join(map(repr, values))
            raise OptionError(f"{name} {value!r}: tables can only be scored with {known}")
    for name in recipe.base_metrics():
        kind = metric_class(name)
        if kind.aligned or kind.details:
            raise OptionError(f"the metric {name!r} must see the mentions in their texts")
    return recipe


class Request(NamedTuple):
    """Arguments of `score_tables` for the tables; `paths` say where they came from.

    `steady` tables have the same rows at each use.
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
            For tables of two engines, and columns that do not say what is needed.
        """
        key, response, item, cluster, within, paths, _ = self
        engine = Engine(key)
        if response is not None:
            if (other := Engine(response).name) != engine.name:
                raise OptionError(
                    f"the key is a table of {engine.name} and the response one of {other}; "
                    "give both to one engine"
                )
            engine.require_one_connection(response)
        columns = Columns(
            _names("item", item),
            (cluster, cluster) if isinstance(cluster, str) else _names("cluster", cluster),
            _names("within", within)[0] if within is not None else None,
        )
        if len(columns.clusters) != 2:
            raise OptionError("cluster: name one column, or two, (key, response)")
        if not columns.item and (response is not None or recipe.singletons != "keep"):
            raise OptionError(
                "item: name the column that says which item a row is; without, a table must have "
                "both clusters, and no singletons can be dropped"
            )
        if response is None and columns.clusters[0] == columns.clusters[1]:
            raise OptionError("cluster: a table without another needs two columns, (key, response)")
        return Query(engine, columns, recipe, paths)


def _names(option: str, given: Any) -> Any:
    """Return names of columns, from one or several."""
    names = given if isinstance(given, list | tuple) else (given,)
    for name in names:
        if not isinstance(name, str):
            raise OptionError(
                f"{option}: {name!r} is not a name of a column; with pandas, "
                "frame.set_axis(list(map(str, frame.columns)), axis=1) makes names text"
            )
    return tuple(names)


def scored(
    request: Request,
    recipe: Recipe,
    digests: dict[str, str] | None = None,
    problems: Sequence[Problem] = (),
) -> Result:
    """Score like `score_tables`, without warnings; add `problems` of the files."""
    query = request.query(recipe)
    count = partial(query.tables, *request.tables, request.steady)
    return _result(query, count, digests, problems)


def scored_overlap(cells: Any, recipe: Recipe, path: str, digests: dict[str, str]) -> Result:
    """Return the result of an overlap table; see `Query.overlap`."""
    if recipe.noise is not None:
        raise OptionError("noise: an overlap table does not have the items; count them with it")
    engine = Engine(cells)
    frame = engine.frame(cells)
    within = DOCUMENT if DOCUMENT in frame.collect_schema().names() else None
    query = Query(engine, Columns((), SIDES, within), recipe, (path, path))
    return _result(query, partial(query.overlap, frame), digests)


def _result(
    query: Query,
    count: Callable[[], Tables],
    digests: dict[str, str] | None,
    problems: Sequence[Problem] = (),
) -> Result:
    engine, recipe, path = query.engine, query.recipe, query.paths[1]
    try:
        with engine_errors():
            tables = count()
            metrics = metrics_of(recipe)
            counted = [
                _counted(name, profile, tables.dropped[name], metrics, tables.problems, path)
                for name, profile in tables.profiles.items()
            ]
    finally:
        engine.close()
    result = result_of(counted, recipe, tables.problems, path=path, digests=digests)
    result.problems[:0] = problems
    return result


def _counted(
    document: Any,
    profile: Profile,
    dropped: tuple[int, int],
    metrics: Mapping[str, Metric],
    problems: list[Problem],
    path: str | None = None,
) -> Counted:
    """Return the statistics of one document, None if it is the only one; append to `problems`."""
    name = "document" if document is None else str(document)
    statistics = {}
    for metric_name, metric in metrics.items():
        profile.reach = 1.0
        statistics[metric_name] = metric.statistics(profile)
        if profile.reach > 1:
            message = (
                f"{metric.title} is that of an assignment of clusters which may not be the best: "
                f"recall, precision and F1 may be up to {profile.reach:.4f} times as high"
            )
            hint = (
                "Too many clusters share items with too many others. Choose metrics without an "
                "assignment, or score parts of the tables."
            )
            of = None if document is None else name
            problems.append(
                Problem("assignment-bounds", message, path=path, document=of, hint=hint)
            )
    return Counted(
        Unit(name, name, numbered=document is None),
        statistics,
        Common(profile.matched, profile.key_mentions, profile.response_mentions),
        dropped=Dropped(*dropped),  # a cluster of one item is like any other, on both sides
    )
