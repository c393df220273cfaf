"""From two corpora to a result: pair documents, apply policies, match mentions, count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Corpus, Entities
from corefmeter.corpus.pairing import Pair, as_one_document, check_units, pair_documents
from corefmeter.corpus.repeats import apply_repeats, has_repeats, report_repeats
from corefmeter.corpus.singletons import apply_singletons
from corefmeter.metrics import ALIGNED, Metric, Overlap, make
from corefmeter.metrics.base import Row
from corefmeter.problems import Problem
from corefmeter.recipe import Recipe
from corefmeter.result import Result, Unit

if TYPE_CHECKING:
    from corefmeter.matching.alignment import Alignment

__all__ = [
    "document_statistics",
    "match_corpora",
    "metrics_of",
    "pair_corpora",
    "restrictions",
    "score_corpora",
    "with_text",
]


def score_corpora(key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False) -> Result:
    """Score a corpus that was read against another; see `score`."""
    pairs, problems, repeating = pair_corpora(key, response, recipe, strict)
    if recipe.needs_alignment:
        from corefmeter.matching.stages import align_pairs

        alignments, noticed = align_pairs(pairs, recipe)
        problems += noticed
        pairs, rows = _aligned_rows(alignments, recipe)
    else:
        if recipe.as_one_document:
            pairs, repeating = [as_one_document(pairs, recipe.shared_ids)], [any(repeating)]
        metrics = metrics_of(recipe)
        rows = [
            document_statistics(pair.key.entities, pair.response.entities, metrics, recipe, repeats)
            for pair, repeats in zip(pairs, repeating, strict=True)
        ]
    statistics = {name: [row[name] for row in rows] for name in recipe.base_metrics()}
    problems += restrictions(rows, recipe, response.path)
    return Result(
        recipe,
        [Unit(pair.name, pair.label) for pair in pairs],
        statistics,
        problems=problems,
        response=response.path,
        digests=key.digests | response.digests,
    )


def match_corpora(
    key: Corpus, response: Corpus, recipe: Recipe | None = None, **options: Any
) -> tuple[list[Alignment], list[Problem]]:
    """Which response mention is which key mention, in each document of two corpora.

    Parameters
    ----------
    key, response
        Corpora that were read with ``details=True`` if the matching needs heads, dependencies or
        parses.
    recipe
        How to match; the default is the official scorer's way.
    **options
        Fields of `Recipe` to change, such as ``match="head"``.

    Returns
    -------
    alignments, warnings

    Raises
    ------
    DataError
        When the data cannot be matched.

    Examples
    --------
    >>> from corefmeter.corpus.convert import as_corpus
    >>> key, response = as_corpus([[(0, 3), (5, 6)]]), as_corpus([[(1, 3), (5, 6)]])
    >>> (alignment,), _ = match_corpora(key, response, match="overlap", overlap_threshold=0.8)
    >>> [(match.stage, match.weight) for match in alignment.matches]
    [('overlap', 0.8), ('exact', 1.0)]
    """
    from corefmeter.matching.stages import align_pairs

    recipe = (recipe or Recipe()).but(**options)
    pairs, problems, _ = pair_corpora(key, response, recipe, strict=False)
    alignments, noticed = align_pairs(pairs, recipe)
    return alignments, problems + noticed


def pair_corpora(
    key: Corpus, response: Corpus, recipe: Recipe, strict: bool
) -> tuple[list[Pair], list[Problem], list[bool]]:
    """Documents that belong together, what was noticed, and which of them repeat mentions."""
    if "inline" in response.format.split("+"):
        from corefmeter.formats.inline_align import align_to_key

        key = with_text(key, recipe.documents)
        response = align_to_key(key, response)
    elif recipe.needs_details or (strict and {key.format, response.format} != {"conll"}):
        # The words of CoNLL files can be compared without keeping them; see `formats.words`.
        key = with_text(key, recipe.documents)
        response = with_text(response, recipe.documents, "response")
    pairs, problems = pair_documents(key, response, recipe.documents)
    problems = [*key.problems, *response.problems, *problems]
    if key.format == response.format == "conllu" and recipe.align == "tokens":
        from corefmeter.formats.conllu_check import check_sentences

        check_sentences(pairs)
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
    if recipe.align == "characters":
        from corefmeter.corpus.align import common_positions

        pairs = common_positions(pairs)
        problems = [problem for problem in problems if problem.code != "token-count"]
    else:
        check_units(pairs)
    return pairs, problems, repeating


def with_text(corpus: Corpus, documents: str = "official", side: str = "key") -> Corpus:
    """A corpus with the text of its documents, read again from its files if need be."""
    known = all(document.text is not None for document in corpus)
    read_here = corpus.format != "python" and corpus.path not in (None, "-")
    if known or not read_here or not all(document.path for document in corpus):
        return corpus
    format = None if "+" in corpus.format else corpus.format
    from corefmeter.formats import read_corpus

    concatenate = documents == "concatenate"
    return read_corpus(str(corpus.path), format, concatenate=concatenate, details=True, side=side)


def _aligned_rows(
    alignments: list[Alignment], recipe: Recipe
) -> tuple[list[Pair], list[dict[str, Row]]]:
    """The scored documents and the statistics of each, from which mentions are matched."""
    metrics = metrics_of(recipe)
    of_mentions = {name: metrics.pop(name) for name in [*metrics] if name in ALIGNED}
    rows = [
        # Types: the metrics of ALIGNED have it.
        {name: metric.aligned_statistics(alignment) for name, metric in of_mentions.items()}  # type: ignore[attr-defined]
        for alignment in alignments
    ]
    numbered = [Pair(*alignment.documents()) for alignment in alignments]
    pairs = [Pair(alignment.key.document, alignment.response.document) for alignment in alignments]
    if recipe.as_one_document:
        numbered = [as_one_document(numbered, recipe.shared_ids)]
        pairs = [as_one_document(pairs, recipe.shared_ids)]
        rows = [{name: _summed([row[name] for row in rows]) for name in of_mentions}]
    for (key, response), pair, row in zip(numbered, pairs, rows, strict=True):
        table = Overlap(key.entities, response.entities, False)
        # An importance that the user gives wants to see the mentions, not their numbers.
        table.key, table.response = pair.key.entities, pair.response.entities
        row |= {name: metric.statistics(table) for name, metric in metrics.items()}
    return pairs, rows


def _summed(rows: list[Row]) -> Row:
    return tuple(sum(column) for column in zip(*rows, strict=True))


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


def metrics_of(recipe: Recipe) -> dict[str, Metric]:
    """The metrics whose statistics are needed, by name.

    Mentions are among them where `restrictions` must count those that a metric leaves out.
    """
    names = recipe.base_metrics()
    if _restricted(recipe):
        names = list(dict.fromkeys([*names, "mentions"]))
    return {name: make(name, recipe) for name in names}


def _restricted(recipe: Recipe) -> list[str]:
    """The metrics that are defined on the mentions of both sides only."""
    names = {"rand", "ari", "vmeasure"} | ({"blanc"} if recipe.blanc == "recasens2011" else set())
    return [name for name in recipe.base_metrics() if name in names]


def restrictions(
    rows: Iterable[Mapping[str, Row]], recipe: Recipe, path: str | None
) -> list[Problem]:
    """A warning for metrics that left twinless mentions out, with how many.

    Parameters
    ----------
    rows
        The statistics of each document, by the names of `metrics_of`.
    recipe, path
        How they were made, and from which response.
    """
    names = _restricted(recipe)
    if not names:
        return []
    left_out = {"key": 0, "response": 0}
    for row in rows:
        matched, in_key, _, in_response = row["mentions"]
        left_out["key"] += int(in_key - matched)
        left_out["response"] += int(in_response - matched)
    if not any(left_out.values()):
        return []
    reason = (
        f"{', '.join(names)}: computed on the mentions that both sides have; {left_out['key']} "
        f"of the key and {left_out['response']} of the response are left out"
    )
    return [Problem("twinless-left-out", reason, path=path)]
