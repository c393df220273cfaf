"""Match mentions one to one in stages: zeros by dependency, equal ones, then similar ones.

1. With zeros by `dependency`: zeros of one sentence that share a parent (`zeros`).
2. Mentions of the same nodes; for head matching also with the same head (`exact`).
3. Of the rest, the pairs that the option `match` allows (`head`, `partial`, `overlap`, `minspan`,
   `min`, `craft`), so that their total weight is greatest. Of several such assignments, the first
   is taken (`assignment`), with both sides sorted by start, end and size.
4. With `min`, optional key mentions without a partner leave the key.

Mentions are numbered in the order of reading, entity by entity: two may have one position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from corefmeter.corpus.model import Document
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.exact import pair_equal
from corefmeter.matching.sides import Side
from corefmeter.problems import Problem


class How(Protocol):
    """Matching options of a recipe."""

    @property
    def match(self) -> str: ...  # noqa: D102  # see `Recipe`
    @property
    def zeros(self) -> str: ...  # noqa: D102  # see `Recipe`
    @property
    def overlap_threshold(self) -> float: ...  # noqa: D102  # see `Recipe`


def align(key: Document, response: Document, how: How, *, distinct: bool = False) -> Alignment:
    """Match the mentions of two documents of the same text, after the policies for their mentions.

    Head and partial matching, minimum spans and zeros by dependency need documents that were read
    with details.
    """
    alignment = Alignment(Side(key), Side(response), distinct)
    if how.match != "exact" or how.zeros == "dependency":
        alignment.require_positions()
    if how.zeros == "dependency":
        from corefmeter.matching import zeros

        alignment.add_best(zeros.candidates(alignment), "zeros")
    _match_exactly(alignment, with_heads=how.match == "head")
    if how.match != "exact" and alignment.key_free() and alignment.response_free():
        alignment.add_best(_candidates(how)(alignment), how.match)
    alignment.matches.sort()
    if how.match == "min":
        from corefmeter.matching.min import check_texts, without_optional

        check_texts(key, response)
        return without_optional(alignment)
    return alignment


def check_alignments(alignments: Sequence[Alignment], how: How, path: str | None) -> list[Problem]:
    """Warn of default heads, or of a key without minima, if the matching depends on them."""
    if how.match == "head":
        from corefmeter.matching.head import warn_of_default_heads

        return warn_of_default_heads(alignments, path)
    if how.match == "min":
        from corefmeter.matching.min import warn_without_minima

        return warn_without_minima([one.key.document for one in alignments])
    return []


def _candidates(how: How) -> Callable[[Alignment], list[Edge]]:
    """Return the function that finds the pairs of the last stage; only its module is imported."""
    if how.match == "overlap":
        from corefmeter.matching import overlap

        return partial(overlap.candidates, threshold=how.overlap_threshold)
    find: Callable[[Alignment], list[Edge]]
    find = import_module(f"corefmeter.matching.{how.match}").candidates
    return find


def _match_exactly(alignment: Alignment, with_heads: bool) -> None:
    """Match the free mentions at equal positions; `with_heads`, only if their heads are equal too.

    The heads of all mentions must be known then.
    """
    key, response = alignment.key, alignment.response
    key_values: Sequence[Any] = key.positions
    response_values: Sequence[Any] = response.positions
    if with_heads:
        key_values = list(zip(key.positions, key.known_heads(), strict=True))
        response_values = list(zip(response.positions, response.known_heads(), strict=True))
    key_free, response_free = alignment.key_free(), alignment.response_free()
    for k, r in pair_equal(key_values, response_values, key_free, response_free):
        alignment.add(k, r, "exact", weight=1.0)
