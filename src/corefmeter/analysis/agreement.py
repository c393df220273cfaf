"""Where two responses are right: both, one of them only, or neither."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from corefmeter.analysis.report import Analysis


class Agreement(NamedTuple):
    """Number of key mentions or entities that both, one or neither of two responses get right."""

    both: int
    only_a: int
    only_b: int
    neither: int


def mentions(a: Analysis, b: Analysis) -> Agreement:
    """Return how far two responses agree on the mentions of the key.

    A mention is right if its `MentionRow.status` is ``correct``.

    >>> import corefmeter
    >>> key = [["Ann", "she"], ["Bob", "he"], ["it", "its"]]
    >>> a = corefmeter.analyse(key, [["Ann", "she"], ["Bob", "he"]])
    >>> b = corefmeter.analyse(key, [["Ann", "she"], ["it", "its", "Bob"]])
    >>> mentions(a, b)  # only b has it and its, right since they are linked; Bob is linked wrongly
    Agreement(both=2, only_a=2, only_b=2, neither=0)
    >>> entities(a, b)
    Agreement(both=1, only_a=1, only_b=0, neither=1)
    """

    def judge(analysis: Analysis) -> dict[object, bool]:
        of_key = (row for row in analysis.mentions if row.key_entity is not None)
        return {(row.document, row.mention): row.status == "correct" for row in of_key}

    return _count_agreement(judge(a), judge(b))


def entities(a: Analysis, b: Analysis) -> Agreement:
    """Return how far two responses agree on the entities of the key: category 1 is right."""

    def judge(analysis: Analysis) -> dict[object, bool]:
        return {
            (document.label, place): entity.category == "1"
            for document in analysis
            for place, entity in enumerate(document.entities)
        }

    return _count_agreement(judge(a), judge(b))


def _count_agreement(a: dict[object, bool], b: dict[object, bool]) -> Agreement:
    """Count the mentions or entities that each response has right; one that it lacks is wrong."""
    counts = Counter((a.get(item, False), b.get(item, False)) for item in a | b)
    return Agreement(
        both=counts[True, True],
        only_a=counts[True, False],
        only_b=counts[False, True],
        neither=counts[False, False],
    )
