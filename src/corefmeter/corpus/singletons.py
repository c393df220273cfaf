"""Singletons, the entities of one mention: kept, or dropped from one side or both."""

from __future__ import annotations

from corefmeter.corpus.model import Entities

__all__ = ["apply_singletons"]


def apply_singletons(key: Entities, response: Entities, policy: str) -> tuple[Entities, Entities]:
    """Key and response after the policy ``keep``, ``drop``, ``drop-key`` or ``drop-response``.

    It comes before matching, so an entity that loses its partners in matching keeps its size.

    Examples
    --------
    >>> apply_singletons([["a", "b"]], [["a", "b"], ["c"]], "drop")
    ([['a', 'b']], [['a', 'b']])
    """
    if policy in ("drop", "drop-key"):
        key = [entity for entity in key if len(entity) > 1]
    if policy in ("drop", "drop-response"):
        response = [entity for entity in response if len(entity) > 1]
    return key, response
