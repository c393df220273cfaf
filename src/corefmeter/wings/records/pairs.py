"""Scores of pairs of items, and of the clusters that they form, at one or more thresholds.

The clusters at a threshold are the connected components of the pairs whose score reaches it. A
spanning forest of the best pairs has the same components at each threshold, so it replaces the
pairs. Pairs become numbers in their engine; components are found by SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.calls import checked_call, warn_user
from corefmeter.metrics.base import Scores
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import metrics_of
from corefmeter.wings.records.calls import Request, require_table_recipe, score_profile
from corefmeter.wings.records.frames import Engine, report_table_errors
from corefmeter.wings.records.keys import normalize
from corefmeter.wings.records.profile import profile_of_numbers
from corefmeter.wings.records.query import Query, select_columns

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions

#: Thresholds of scores between 0 and 1, if none are given.
_USUAL = [step / 20 for step in range(1, 20)]


@dataclass(frozen=True, slots=True)
class PairScores:
    """Scores of the pairs whose score is at least a threshold.

    Attributes
    ----------
    threshold
        None if pairs have no scores.
    pairs
        Scores of the pairs as they are: of all pairs of the key, the share that was found
        (recall), and of these pairs, the share that is right (precision).
    links
        The number of pairs.
    added
        The number of links that clusters have beyond the pairs.
    clusters, largest
        The number of clusters, and the number of items of the largest.
    result
        Scores of the clusters.
    """

    threshold: float | None
    pairs: Scores
    links: int
    added: int
    clusters: int
    largest: int
    result: Result


class PairRequest(NamedTuple):
    """Arguments of `score_pairs`; `paths` are the files of the tables, for messages."""

    key: Any
    pairs: Any
    item: str
    cluster: str
    pair: tuple[str, str]
    score: str | None = None
    paths: Sequence[str | None] = (None, None)
    steady: bool = False


class NumberedPairs(NamedTuple):
    """Items by their number: the clusters of the key, and the two items of each pair.

    All are arrays. `scores` is None if pairs have no scores. `items` has the names.
    """

    items: list[Any]
    key: Any
    left: Any
    right: Any
    scores: Any
    problems: list[Problem]


@checked_call(option_names)
def score_pairs(
    key: Any,
    pairs: Any,
    recipe: Recipe | None = None,
    *,
    item: str,
    cluster: str,
    pair: tuple[str, str],
    score: str | None = None,
    thresholds: Sequence[float] | None = None,
    **options: Unpack[RecipeOptions],
) -> list[PairScores]:
    """Score pairs of items, and the clusters that they form, at one or more thresholds.

    Parameters
    ----------
    key
        A data frame with a row for each item and its true cluster. It has all items.
    pairs
        A data frame of the same library with a row for each pair.
    recipe
        The options of the scores of clusters.
    item, cluster
        Columns of the key.
    pair
        The two columns of pairs with the items.
    score
        The column of pairs with the probability or weight of the pair. By default, all are links.
    thresholds
        A pair counts at a threshold if its score is at least as high. By default 0.05, 0.10, …,
        0.95, if all scores are between 0 and 1.
    **options
        Fields of `Recipe` to change, such as ``metrics=["b3"]``.

    Returns
    -------
    list of PairScores
        One for each threshold, in the order given.

    Raises
    ------
    DataError
        ``bad-pairs`` if a pair has an item that the key lacks, or two different scores; and for
        tables that cannot be scored.
    OptionError
        For an unknown option or column, and if thresholds are needed.

    Examples
    --------
    >>> import pandas
    >>> key = pandas.DataFrame({"id": [1, 2, 3, 4], "person": ["a", "a", "a", "b"]})
    >>> pairs = pandas.DataFrame({"left": [1, 2, 3], "right": [2, 3, 4], "p": [0.9, 0.8, 0.4]})
    >>> columns = {"item": "id", "cluster": "person", "pair": ("left", "right"), "score": "p"}
    >>> (found,) = score_pairs(key, pairs, **columns, thresholds=[0.5], metrics="links")
    >>> found.pairs.recall, found.result.links.recall, found.added  # 1 and 3 are joined by 2
    (0.6666666666666666, 1.0, 1)
    """
    recipe = require_pair_recipe(recipe_of(recipe, **options))
    with report_table_errors():
        numbered = number_pairs(PairRequest(key, pairs, item, cluster, pair, score), recipe)
    found = list(score_at(numbered, thresholds_of(numbered, thresholds), recipe))
    warn_user(numbered.problems)
    return found


def require_pair_recipe(recipe: Recipe) -> Recipe:
    """Return the recipe; refuse one that does not suit clusters of all items of the key."""
    if recipe.singletons != "keep" or recipe.noise is not None:
        raise OptionError("pairs are scored with all items; omit the options singletons and noise")
    return require_table_recipe(recipe)


def number_pairs(request: PairRequest, recipe: Recipe, named: bool = False) -> NumberedPairs:
    """Number the items of the key in the order of their names, and the items of pairs alike.

    A pair that occurs twice counts once, and an item that is paired with itself does not count; a
    note reports both.
    """
    import narwhals as nw

    left, right = request.pair
    columns = [{"i0": request.item, "k": request.cluster}, {"i0": left, "j": right}]
    if request.score is not None:
        columns[1]["s"] = request.score
    tables = request.key, request.pairs
    query = Request(
        *tables, request.item, request.cluster, None, request.paths, request.steady
    ).query(recipe)
    with closing(query.engine) as engine:
        frames = []
        for native, names, side in zip(tables, columns, ("key", "table of pairs"), strict=True):
            frame = select_columns(engine, native, names, side)
            frames.append(frame if request.steady else engine.keep_unless_scan(native, frame))
        if request.score is not None:
            frames[1] = frames[1].with_columns(nw.col("s").cast(nw.Float64()))
        second = frames[1].select(nw.col("j").alias("i0"))
        names_of_second = [columns[0], {"i0": right}]
        normalize(engine, [frames[0].select("i0"), second], names_of_second, request.paths)
        items, linked = normalize(engine, frames, columns, request.paths)
        items = query.without_copies(items, 0)
        numbers = _number_values(engine, items, "i0", "n")
        clusters = _number_values(engine, items, "k", "c")
        once = _distinct_pairs(query, linked, numbers, request.score is not None)
        numbered = items.join(numbers, on="i0", how="inner").join(clusters, on="k", how="inner")
        by_number = engine.arrays(numbered.select("n", "c"))
        of_pairs = engine.arrays(once)
        rows = engine.rows(numbers.select("n", "i0")) if named else []
    return NumberedPairs(
        [name for _, name in sorted(rows)],
        by_number["c"][by_number["n"].argsort()],
        of_pairs["a"],
        of_pairs["b"],
        of_pairs.get("s"),
        query.problems,
    )


def _number_values(engine: Engine, frame: Any, column: str, name: str) -> Any:
    """Return the distinct values of a column, with their numbers in sorted order."""
    import narwhals as nw

    numbered = frame.select(column).unique().with_row_index(name, order_by=[column])
    return engine.keep(numbered.with_columns(nw.col(name).cast(nw.Int64())))


def _distinct_pairs(query: Query, linked: Any, numbers: Any, scored: bool) -> Any:
    """Return each pair of two items once: their numbers ``a`` and ``b``, and the score ``s``."""
    import narwhals as nw

    engine = query.engine
    # Both items of a pair have been compared with the key.
    linked = linked.with_columns(nw.col("j").cast(numbers.collect_schema()["i0"]))
    for column, end in (("i0", "first"), ("j", "second")):
        names = numbers.select(nw.col("i0").alias(column), nw.col("n").alias(end))
        linked = linked.join(names, on=column, how="left")
    linked = engine.keep(linked)
    first, second = nw.col("first"), nw.col("second")
    unknown = query.count_rows(linked.filter(first.is_null() | second.is_null()))
    if unknown:
        hint = "Give a row of the key to each item; an item that is alone has a cluster of its own."
        message = f"pairs with an item that the key lacks: {unknown:,}"
        raise query.error("bad-pairs", message, 1, hint, unknown)
    ordered = linked.filter(first != second).with_columns(
        nw.when(first < second).then(first).otherwise(second).alias("a"),
        nw.when(first < second).then(second).otherwise(first).alias("b"),
    )
    scores = [nw.col("s").max(), nw.col("s").min().alias("least")] if scored else []
    once = engine.keep(ordered.group_by("a", "b").agg(nw.len().alias("times"), *scores))
    if scored:
        several = query.count_rows(once.filter(nw.col("s") != nw.col("least")))
        if several:
            message = f"pairs that occur with different scores: {several:,}"
            hint = "Leave one row for each pair; the order of its items is not relevant."
            raise query.error("bad-pairs", message, 1, hint, several)
    total, different, distinct = map(query.count_rows, (linked, ordered, once))
    if total > distinct:
        message = f"rows of pairs that do not count: {different - distinct:,} repeat a pair, "
        message += f"{total - different:,} pair an item with itself"
        problem = Problem("repeated-pair", message, "note", path=query.paths[1])
        query.problems.append(problem._replace(count=total - distinct))
    return once.select("a", "b", *(["s"] if scored else []))


def thresholds_of(
    numbered: NumberedPairs, thresholds: Sequence[float] | None
) -> Sequence[float | None]:
    """Return the thresholds: those given, or the usual ones of probabilities."""
    scores = numbered.scores
    if scores is None:
        if thresholds is not None:
            raise OptionError("thresholds: name the column of pairs with the score")
        return [None]
    if thresholds is not None:
        return thresholds
    if len(scores) and (scores.min() < 0 or scores.max() > 1):
        low, high = scores.min(), scores.max()
        reason = f"thresholds: the scores are from {low:.4g} to {high:.4g}, so they are no "
        raise OptionError(f"{reason}probabilities; give thresholds, such as {low:.4g}:{high:.4g}:1")
    return _USUAL


def score_at(
    numbered: NumberedPairs, thresholds: Sequence[float | None], recipe: Recipe
) -> Iterator[PairScores]:
    """Yield the scores at each threshold."""
    import numpy as np

    key, right = numbered.key, numbered.key[numbered.left] == numbered.key[numbered.right]
    key_links = _links_of(np.bincount(key))
    metric = metrics_of(recipe_of(recipe, metrics=("links",)))["links"]
    forest = spanning_forest(numbered)
    for threshold in thresholds:
        counted = np.ones(len(right), bool) if threshold is None else numbered.scores >= threshold
        links, common = int(counted.sum()), int((counted & right).sum())
        labels = clusters_at(forest, threshold, len(key))
        sizes = np.bincount(labels)
        yield PairScores(
            threshold,
            metric.scores((common, key_links, common, links)),
            links,
            _links_of(sizes) - links,
            len(sizes),
            int(sizes.max()),
            score_profile(profile_of_numbers(key, labels), recipe, list(numbered.problems)),
        )


def _links_of(sizes: Any) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


class Forest(NamedTuple):
    """The pairs of a spanning forest and their scores; None if pairs have none."""

    left: Any
    right: Any
    scores: Any


def spanning_forest(numbered: NumberedPairs) -> Forest:
    """Return pairs with the same connected components at each threshold as all pairs.

    They are a spanning forest of greatest total score (Gower and Ross 1969).
    """
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    if numbered.scores is None:
        return Forest(numbered.left, numbered.right, None)
    # The highest score has the least weight; 0 would be no pair.
    scores, weights = np.unique(-numbered.scores, return_inverse=True)
    size = len(numbered.key)
    ends = (numbered.left, numbered.right)
    tree = minimum_spanning_tree(coo_array((weights + 1.0, ends), shape=(size, size)).tocsr())
    kept = tree.tocoo()
    return Forest(kept.row, kept.col, -scores[kept.data.astype(np.int64) - 1])


def clusters_at(forest: Forest, threshold: float | None, size: int) -> Any:
    """Return the number of the cluster of each item; clusters are in the order of their items."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    chosen = slice(None) if threshold is None else forest.scores >= threshold
    left, right = forest.left[chosen], forest.right[chosen]
    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    return labels.astype(np.int64)
