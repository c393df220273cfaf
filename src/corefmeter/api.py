"""The calls of the README: read, score, and a scorer for training loops."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from corefmeter.corpus.convert import as_corpus, as_entities
from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.corpus.pairing import as_one_document, pair_documents
from corefmeter.corpus.repeats import apply_repeats, has_repeats, report_repeats
from corefmeter.corpus.singletons import apply_singletons
from corefmeter.metrics import Metric, Overlap, make
from corefmeter.metrics.base import Row
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import Recipe
from corefmeter.result import Result, Unit

__all__ = ["Scorer", "read", "score", "score_corpora"]

#: A path, a corpus, one document as entities, or documents by name.
Source: TypeAlias = (
    "str | os.PathLike[str] | Corpus | Mapping[str, Iterable[Any]] | Iterable[Iterable[Any]]"
)


def read(
    source: str | os.PathLike[str], format: str | None = None, *, documents: str = "official"
) -> Corpus:
    """The corpus in a file, in all files of a directory or of a glob, or on standard input (``-``).

    Parameters
    ----------
    source
        The path; compressed files (gzip, xz, zstd) are recognised by their content.
    format
        The name of a format; recognised by content when it is None.
    documents
        ``concatenate`` joins documents of the same name instead of refusing them.

    Raises
    ------
    DataError
        With every problem found: what, where, why, and what to do.
    """
    from corefmeter.formats import read_corpus

    return read_corpus(os.fspath(source), format, concatenate=documents == "concatenate")


def score(
    key: Source, response: Source, recipe: Recipe | None = None, *, strict: bool = False,
    **options: Any,
) -> Result:  # fmt: skip
    """Score a response against a key.

    Parameters
    ----------
    key, response
        A path; a `Corpus`; one document as a list of entities, each a list of hashable mentions;
        or a mapping from document name to that.
    recipe
        How to score; the default is the official scorer's way.
    strict
        Also compare the words of files; the first difference of a document is an error.
    **options
        Fields of `Recipe` to change, such as ``metrics=["lea"]`` or ``singletons="drop"``.

    Raises
    ------
    DataError
        When the data cannot be scored.
    OptionError
        For an unknown option, metric or value.

    Examples
    --------
    >>> result = score([[(0, 1), (4, 5), (7, 8)]], [[(0, 1), (4, 5)], [(7, 8), (9, 10)]])
    >>> result.lea.precision
    0.5
    >>> result.b3.recall_denominator
    3
    """
    recipe = (recipe or Recipe()).but(**options)
    return score_corpora(
        _as_corpus(key, recipe), _as_corpus(response, recipe), recipe, strict=strict
    )


def _as_corpus(source: Source, recipe: Recipe) -> Corpus:
    if isinstance(source, Corpus):
        return source
    if isinstance(source, (str, os.PathLike)):
        return read(source, documents=recipe.documents)
    return as_corpus(source)


def score_corpora(key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False) -> Result:
    """Score a corpus that was read against another; see `score`."""
    pairs, problems = pair_documents(key, response, recipe.documents)
    problems = [*key.problems, *response.problems, *problems]
    if strict:
        from corefmeter.formats.words import check_words

        problems += check_words(pairs)
    repeating = []
    for pair in pairs:
        noticed = [
            problem
            for document, side in ((pair.key, "key"), (pair.response, "response"))
            if has_repeats(document.entities)
            for problem in report_repeats(document, side, recipe.repeated)
        ]
        repeating.append(bool(noticed))
        problems += noticed
    if recipe.as_one_document:
        pairs, repeating = [as_one_document(pairs, recipe.shared_ids)], [any(repeating)]
    metrics = _metrics(recipe)
    statistics: dict[str, list[Row]] = {name: [] for name in metrics}
    for pair, repeats in zip(pairs, repeating, strict=True):
        key_entities, response_entities = pair.key.entities, pair.response.entities
        rows = document_statistics(key_entities, response_entities, metrics, recipe, repeats)
        for name, row in rows.items():
            statistics[name].append(row)
    problems += _restrictions(statistics, recipe, response.path)
    return Result(
        recipe,
        [Unit(pair.name, pair.label) for pair in pairs],
        statistics,
        problems=problems,
        response=response.path,
        digests=key.digests | response.digests,
    )


def _metrics(recipe: Recipe) -> dict[str, Metric]:
    return {name: make(name, recipe) for name in recipe.base_metrics()}


def document_statistics(
    key: Entities,
    response: Entities,
    metrics: Mapping[str, Metric],
    recipe: Recipe,
    repeats: bool,
) -> dict[str, Row]:
    """The statistics of one document for each metric, after the policies of the recipe.

    `repeats` says whether a side repeats mentions, so that the usual case pays nothing for it.
    """
    if repeats:
        key, response = apply_repeats(key, response, recipe.repeated)
    if recipe.singletons != "keep":
        key, response = apply_singletons(key, response, recipe.singletons)
    if repeats and recipe.repeated == "official" and has_repeats(key):
        return _official_statistics(key, response, metrics)
    table = Overlap(key, response, None if repeats else False)
    return {name: metric.statistics(table) for name, metric in metrics.items()}


def _official_statistics(
    key: Entities, response: Entities, metrics: Mapping[str, Metric]
) -> dict[str, Row]:
    """The statistics of a document whose key repeats mentions, as v8.01 counts them.

    Metrics that v8.01 does not have see the first copies only.
    """
    from corefmeter.metrics.official import OFFICIAL

    table = Overlap(*apply_repeats(key, response, "first"))
    return {
        name: OFFICIAL[name](key, response) if name in OFFICIAL else metric.statistics(table)
        for name, metric in metrics.items()
    }


def _restrictions(
    statistics: Mapping[str, list[Row]], recipe: Recipe, path: str | None
) -> list[Problem]:
    """A warning for metrics that left twinless mentions out."""
    names = [name for name in ("rand", "ari", "vmeasure") if name in statistics]
    if recipe.blanc == "recasens2011" and "blanc" in statistics:
        names.append("blanc")
    return [
        Problem("twinless-left-out",
                f"{', '.join(names)}: computed on the mentions that both sides have", path=path)
    ] if names else []  # fmt: skip


class Scorer:
    """Scores that grow document by document, for training and evaluation loops.

    Parameters
    ----------
    recipe
        How to score; keyword options change single fields.

    Examples
    --------
    >>> scorer = Scorer(metrics=["muc", "conll"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["a", "b", "c"]], [["a", "b"]])
    >>> scorer.compute().muc.recall  # (1 + 1) / (1 + 2)
    0.6666666666666666
    """

    def __init__(self, recipe: Recipe | None = None, **options: Any) -> None:
        self.recipe = (recipe or Recipe()).but(**options)
        if self.recipe.as_one_document:
            raise OptionError("a Scorer scores documents one by one; it cannot join them")
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._metrics = _metrics(self.recipe)
        self._units: list[Unit] = []
        self._statistics: dict[str, list[Row]] = {name: [] for name in self._metrics}
        self._problems: list[Problem] = []

    def update(
        self, key_entities: Iterable[Iterable[Any]], response_entities: Iterable[Iterable[Any]],
        name: str | None = None,
    ) -> None:  # fmt: skip
        """Add one document.

        Parameters
        ----------
        key_entities, response_entities
            Entities, each a list of hashable mentions.
        name
            The document's name; numbered by default.
        """
        key, response = as_entities(key_entities, name), as_entities(response_entities, name)
        unit = name if name is not None else f"document {len(self._units) + 1}"
        noticed = [
            problem
            for entities, side in ((key, "key"), (response, "response"))
            if has_repeats(entities)
            for problem in report_repeats(Document(unit, entities), side, self.recipe.repeated)
        ]
        self._problems += noticed
        rows = document_statistics(key, response, self._metrics, self.recipe, bool(noticed))
        self._units.append(Unit(unit, unit))
        for metric, row in rows.items():
            self._statistics[metric].append(row)

    def compute(self) -> Result:
        """The result over all documents so far."""
        return Result(
            self.recipe,
            list(self._units),
            {name: list(rows) for name, rows in self._statistics.items()},
            problems=[*self._problems, *_restrictions(self._statistics, self.recipe, None)],
        )

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer, for example of another process.

        Raises
        ------
        OptionError
            When its recipe differs.
        """
        merged = self.compute() + other.compute()
        self._units, self._statistics = merged.units, merged.statistics
        self._problems = self._problems + other._problems
