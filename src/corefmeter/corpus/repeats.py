"""Repeated mentions: the same mention twice on one side, in one entity or in several.

No metric defines them, and every tool does something else. Five policies:

``first``
    A repeated key mention stays in the entity that appears first. A repeated response mention
    that is in the key also keeps its first copy only; one that is not in the key is twinless
    whichever copy is taken, and each copy counts as a wrong mention, as in the official scorer
    v8.01. So a file against itself is 100, and a response scores as v8.01 scores it.
``merge``
    Entities that share a mention become one entity; the mention counts once.
``distinct``
    Copies in different entities are different mentions: the n-th copy of the key is the n-th copy
    of the response. Of copies in one entity the first counts. This is the reading of formats where
    a mention is not its position, as in CorefUD.
``error``
    Nothing is scored.
``official``
    The response as under ``first``; the key keeps all copies and is scored as v8.01 scores it
    (see `corefmeter.metrics.official`).

In every case each repeated mention is reported with its place.
"""

from __future__ import annotations

from collections.abc import Container

from corefmeter.corpus.model import Document, Entities, Mention
from corefmeter.problems import DataError, Problem

__all__ = ["apply_repeats", "has_repeats", "once_in_each", "report_repeats"]


def has_repeats(entities: Entities) -> bool:
    """Whether a mention stands in more than one place."""
    distinct: set[Mention] = set()
    return len(distinct.union(*entities)) < sum(map(len, entities))


def apply_repeats(key: Entities, response: Entities, policy: str) -> tuple[Entities, Entities]:
    """Key and response after the policy; entities left empty are dropped.

    Examples
    --------
    >>> apply_repeats([["a", "b"]], [["a"], ["a", "b"], ["x", "x"]], "first")
    ([['a', 'b']], [['a'], ['b'], ['x', 'x']])
    >>> apply_repeats([["a", "b"]], [["a"], ["a", "b"]], "merge")
    ([['a', 'b']], [['a', 'b']])
    >>> apply_repeats([["a", "b"], ["a"]], [["a", "a"], ["a", "b"]], "distinct")
    ([['a', 'b'], [('a', 2)]], [['a'], [('a', 2), 'b']])
    """
    if policy == "merge":
        return _merged(key), _merged(response)
    if policy == "distinct":
        return _numbered(once_in_each(key)), _numbered(once_in_each(response))
    in_key = {mention for entity in key for mention in entity}
    if policy != "official":
        key = _first_copies(key, in_key)
    return key, _first_copies(response, in_key)


def _first_copies(entities: Entities, among: Container[Mention]) -> Entities:
    """Entities without the later copies of the mentions in `among`."""
    seen = set()
    kept: Entities = []
    for entity in entities:
        copies = []
        for mention in entity:
            if mention in among:
                if mention in seen:
                    continue
                seen.add(mention)
            copies.append(mention)
        if copies:
            kept.append(copies)
    return kept


def once_in_each(entities: Entities) -> Entities:
    """Entities without the later copies of a mention in the same entity."""
    return [list(dict.fromkeys(entity)) for entity in entities]


def _numbered(entities: Entities) -> Entities:
    """Entities where the second copy of a mention m is ``(m, 2)``, the third ``(m, 3)``, ..."""
    copies: dict[Mention, int] = {}
    found: Entities = []
    for entity in entities:
        found.append([])
        for mention in entity:
            number = copies[mention] = copies.get(mention, 0) + 1
            found[-1].append(mention if number == 1 else (mention, number))
    return found


def _merged(entities: Entities) -> Entities:
    """Entities after joining all that share a mention, in order of first appearance."""
    home: dict[Mention, int] = {}
    parent = list(range(len(entities)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for index, entity in enumerate(entities):
        for mention in entity:
            other, own = root(home.setdefault(mention, index)), root(index)
            parent[max(other, own)] = min(other, own)
    joined: dict[int, dict[Mention, None]] = {}
    for index, entity in enumerate(entities):
        joined.setdefault(root(index), {}).update(dict.fromkeys(entity))
    return [list(mentions) for mentions in joined.values() if mentions]


def report_repeats(document: Document, side: str, policy: str) -> list[Problem]:
    """One problem for each repeated mention of a document, with the line of the mention.

    Raises
    ------
    DataError
        Under the policy ``error``, with all of them.
    """
    homes: dict[Mention, list[str]] = {}
    for name, entity in zip(document.entity_names, document.entities, strict=True):
        for mention in entity:
            homes.setdefault(mention, []).append(name)
    problems = [
        Problem(
            "repeated-mention",
            f"{_shown(mention)} of the {side} stands {len(names)} times, in {_entities(names)}; "
            f"policy {policy!r}",
            "error" if policy == "error" else "warning",
            path=document.path,
            line=document.line_of(mention),
            hint=f"{_advice(policy)}",
            count=len(names) - 1,
            document=document.label,
        )
        for mention, names in homes.items()
        if len(names) > 1
    ]
    if policy == "error" and problems:
        raise DataError(problems)
    return problems


def _shown(mention: Mention) -> str:
    match mention:
        case (int(start), int(end)) if end == start + 1:
            return f"the mention at token {start}"
        case (int(start), int(end)):
            return f"the mention at tokens {start} to {end - 1}"
    return f"the mention {mention!r}"


def _entities(names: list[str]) -> str:
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 1:
        return f"entity {distinct[0]}"
    return f"the entities {', '.join(distinct)}"


def _advice(policy: str) -> str:
    if policy == "error":
        return "Remove all copies but one, or choose the policy first, merge, distinct or official."
    return "Remove all copies but one, so that the score does not depend on the policy."
