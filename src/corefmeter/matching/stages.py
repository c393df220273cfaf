"""Matching in stages: zeros by dependency, exact, then what almost matches; one to one.

1. With zeros by `dependency`: zeros of one sentence that share a parent (`zeros`).
2. Mentions of the same nodes; for head matching also with the same head (`exact`).
3. Of the rest, the pairs that the way of matching allows (`head`, `partial`, `overlap`,
   `minspan`, `min`), so that their total weight is greatest.
4. With `min`, optional key mentions without a partner leave the key.

Where several assignments have the greatest weight, the first is taken: both sides are sorted by
start, end and size, and the list of pairs is to be the smallest (`assignment`). So the same input
gives the same alignment everywhere.

A mention is itself, not its position: two mentions of a side may have one position. Mentions are
numbered in the order of reading, entity by entity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.exact import pairs
from corefmeter.matching.first_best import Edge
from corefmeter.matching.policies import after_policies
from corefmeter.matching.sides import Side
from corefmeter.problems import DataError, Problem

if TYPE_CHECKING:
    from corefmeter.recipe import Recipe

__all__ = ["align", "align_pairs"]


def align(key: Document, response: Document, recipe: Recipe) -> Alignment:
    """Match the mentions of two documents.

    Parameters
    ----------
    key, response
        Documents of the same text. Head and partial matching, minimum spans and zeros by
        dependency need documents that were read with details.
    recipe
        `match`, `zeros` and `overlap_threshold` say how; `repeated` and `singletons` are applied
        before.

    Raises
    ------
    DataError
        ``no-details``, ``no-heads``, ``no-parse``: the documents lack what the matching needs.
        ``no-positions``: mentions are not made of positions.

    Examples
    --------
    >>> from corefmeter import Recipe
    >>> key = Document("x", [[(0, 3), (5, 6)]])
    >>> alignment = align(key, Document("x", [[(1, 3), (5, 6)]]), Recipe(match="overlap"))
    >>> alignment.matches
    [Match(key=0, response=0, stage='overlap', weight=0.8), Match(key=1, response=1, \
stage='exact', weight=1.0)]
    """
    key, response = after_policies(key, response, recipe)
    alignment = Alignment(Side(key), Side(response))
    if recipe.needs_alignment:
        _check_positions(alignment)
    if recipe.zeros == "dependency":
        from corefmeter.matching import zeros

        alignment.add_best(zeros.candidates(alignment.key, alignment.response), "zeros")
    _match_exactly(alignment, with_heads=recipe.match == "head")
    if recipe.match != "exact":
        key_free, response_free = alignment.key_free(), alignment.response_free()
        if key_free and response_free:
            edges = _candidates(recipe)(alignment.key, alignment.response, key_free, response_free)
            alignment.add_best(edges, recipe.match)
    alignment.matches.sort()
    if recipe.match == "min":
        from corefmeter.matching.min import check_texts, without_optional

        check_texts(key, response)
        return without_optional(alignment)
    return alignment


def align_pairs(pairs: Sequence[Pair], recipe: Recipe) -> tuple[list[Alignment], list[Problem]]:
    """Match the mentions of all pairs of documents; see `align`.

    Returns
    -------
    alignments, warnings
    """
    alignments = [align(pair.key, pair.response, recipe) for pair in pairs]
    problems: list[Problem] = []
    if recipe.match == "head":
        from corefmeter.matching.head import default_heads

        path = next((pair.response.path for pair in pairs if pair.response.path), None)
        sides = [(alignment.key, alignment.response) for alignment in alignments]
        problems = default_heads(sides, path)
    if recipe.match == "min":
        from corefmeter.matching.min import without_minima

        problems = without_minima([pair.key for pair in pairs])
    return alignments, problems


def _candidates(recipe: Recipe) -> Callable[[Side, Side, list[int], list[int]], list[Edge]]:
    """What finds the pairs of the last stage; only that module is imported."""
    if recipe.match == "overlap":
        from corefmeter.matching import overlap

        return partial(overlap.candidates, threshold=recipe.overlap_threshold)
    find: Callable[[Side, Side, list[int], list[int]], list[Edge]]
    find = import_module(f"corefmeter.matching.{recipe.match}").candidates
    return find


def _match_exactly(alignment: Alignment, with_heads: bool) -> None:
    """The exact stage."""
    key, response = alignment.key, alignment.response
    key_values: Sequence[Any] = key.positions
    response_values: Sequence[Any] = response.positions
    if with_heads:
        key_values = list(zip(key.positions, key.known_heads(), strict=True))
        response_values = list(zip(response.positions, response.known_heads(), strict=True))
    for k, r in pairs(key_values, response_values, alignment.key_free(), alignment.response_free()):
        alignment.add(k, r, "exact", 1.0)


def _check_positions(alignment: Alignment) -> None:
    """Refuse mentions that are no positions.

    Raises
    ------
    DataError
        ``no-positions``
    """
    from corefmeter.corpus.positions import position_key

    for side in (alignment.key, alignment.response):
        document = side.document
        wrong = None
        if document.unit == "names":
            wrong = side.positions[0] if side.positions else None
        else:
            for position in side.positions:
                if not isinstance(position, tuple) or not position:
                    wrong = position
                    break
        if wrong is None and side.positions:
            try:
                position_key(side.positions[0])
            except (TypeError, IndexError):
                wrong = side.positions[0]
        if wrong is not None:
            raise DataError(
                Problem(
                    "no-positions",
                    f"the mention {wrong!r} of document {document.label!r} is no position in a "
                    "text, so it can only be matched exactly",
                    "error",
                    path=document.path,
                    hint="Write mentions as half-open spans (start, end), or use --match exact.",
                )
            )
