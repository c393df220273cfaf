"""Where two responses are right: both, one of them only, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from corefmeter.analysis.report import Analysis


class Agreement(NamedTuple):
    """Number of key mentions or entities that two responses get right.

    A mention is right if its `MentionRow.status` is ``correct``; an entity if its category is 1.

    Examples
    --------
    >>> import corefmeter
    >>> key = [["Ann", "she"], ["Bob", "he"], ["it", "its"]]
    >>> a = corefmeter.analyse(key, [["Ann", "she"], ["Bob", "he"]])
    >>> b = corefmeter.analyse(key, [["Ann", "she"], ["it", "its", "Bob"]])
    >>> entities(a, b)
    Agreement(both=1, only_a=1, only_b=0, neither=1)
    >>> mentions(a, b)  # only b has it and its, right since they are linked; Bob is linked wrongly
    Agreement(both=2, only_a=2, only_b=2, neither=0)
    """

    both: int
    only_a: int
    only_b: int
    neither: int


def mentions(a: Analysis, b: Analysis) -> Agreement:
    """About which mentions of the key two responses are right."""
    return _agreement(
        *(
            {
                (row.document, row.mention): row.status == "correct"
                for row in one.mentions
                if row.key_entity is not None
            }.items()
            for one in (a, b)
        )
    )


def entities(a: Analysis, b: Analysis) -> Agreement:
    """About which entities of the key two responses are right."""
    return _agreement(
        *(
            {
                (document.label, place): found.category == "1"
                for document in one
                for place, found in enumerate(document.entities)
            }.items()
            for one in (a, b)
        )
    )


def _agreement(a: Iterable[tuple[object, bool]], b: Iterable[tuple[object, bool]]) -> Agreement:
    """Count items that are right in both, in one or in neither; a missing item counts as wrong."""
    right_a, right_b = ({thing for thing, right in side if right} for side in (a, b))
    known = {thing for side in (a, b) for thing, _ in side}
    both = len(right_a & right_b)
    only_a, only_b = len(right_a) - both, len(right_b) - both
    return Agreement(both, only_a, only_b, len(known) - both - only_a - only_b)
