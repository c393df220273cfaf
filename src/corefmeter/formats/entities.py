"""Building the entities of a document: connected mentions, their order, split antecedents."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import pieces
from corefmeter.corpus.text import Detail
from corefmeter.formats.notes import Notes
from corefmeter.problems import Problem, Severity

if TYPE_CHECKING:
    from corefmeter.corpus.relations import Split

#: The mentions of each entity with their details, by the name of the entity.
Members = dict[str, list[tuple[Mention, Detail]]]

#: A plural entity, its member, the text in the file that links them, its line and its column.
Member = tuple[str, str, str, int, int]


def in_text_order(found: Mapping[str, Iterable[tuple[Mention, Detail]]]) -> Members:
    """Sort mentions and entities by their positions, which count tokens or characters.

    Examples
    --------
    >>> late, early, first = [((token, token + 1), Detail()) for token in (3, 2, 0)]
    >>> found = in_text_order({"a": [late, early], "b": [first]})
    >>> {name: [mention for mention, _ in members] for name, members in found.items()}
    {'b': [(0, 1)], 'a': [(2, 3), (3, 4)]}
    """
    ordered = {
        name: sorted(members, key=lambda member: pieces(member[0]))
        for name, members in found.items()
    }
    return dict(sorted(ordered.items(), key=lambda item: pieces(item[1][0][0])))


def document_of(
    name: str, found: Mapping[str, Iterable[tuple[Mention, Detail]]], details: bool, **values: Any
) -> Document:
    """Return a document of these entities; it keeps the details of mentions only with `details`."""
    members = list(map(list, found.values()))
    return Document(
        name,
        [[mention for mention, _ in entity] for entity in members],
        entity_names=list(found),
        details=[[detail for _, detail in entity] for entity in members] if details else None,
        **values,
    )


def similar_ids(documents: Iterable[Document], path: str) -> list[Problem]:
    """Warn of entities of a document whose ids differ only in case, leading zeros or spaces.

    Examples
    --------
    >>> (problem,) = similar_ids([Document("a", [[], [], []], entity_names=["1", "x", "01"])], "a")
    >>> problem.message
    "'1' and '01' are two entities; their ids differ only in case, leading zeros or spaces"
    """
    first, count = None, 0
    for document in documents:
        names = document.entity_names
        if not document.entities_named or not re.search(r"[^\d\0]|(?<!\d)0\d", "\0".join(names)):
            continue
        seen: dict[str, str] = {}
        for name in names:
            form = re.sub(r"(?<!\d)0+(?=\d)", "", "".join(name.split()).casefold())
            other = seen.setdefault(form, name)
            if other != name:
                count += 1
                first = first or (document, other, name)
    if first is None:
        return []
    document, one, other = first
    reason = f"{one[:60]!r} and {other[:60]!r} are two entities; "
    reason += "their ids differ only in case, leading zeros or spaces"
    hint = "If they are one entity, give it one id."
    place = path, document.line, None, hint, count, document.label
    return [Problem("similar-ids", reason, "warning", *place)]


class UnionFind:
    """Disjoint sets of the numbers below `size`."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def root(self, item: int) -> int:
        """Return the smallest number of the set."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make one set of two."""
        a, b = self.root(one), self.root(other)
        self._parents[max(a, b)] = min(a, b)

    def sets(self) -> list[list[int]]:
        """Return all sets, each in ascending order, in the order of their first numbers."""
        found: dict[int, list[int]] = {}
        for item in range(len(self._parents)):
            found.setdefault(self.root(item), []).append(item)
        return list(found.values())


def sets(
    notes: Notes, members: Sequence[Member], names: Container[str], severity: Severity
) -> tuple[Split, ...]:
    """Return the split antecedents of a document, one set for each plural entity.

    A plural entity that is not among the document's `names` or contains itself is reported with
    `severity`; a member that is not among them, as a warning.
    """
    from corefmeter.corpus.relations import cyclic, splits_of

    def report(member: Member, why: str, severity: Severity) -> None:
        _, name, text, line, column = member
        reason = f"entity {name} cannot be a member by {text}: {why}"
        hint = "A member is an entity of the document, and neither the plural entity nor one that "
        hint += "has it."
        if severity == "error":
            notes.error("bad-link", reason, line, column, hint)
        else:
            notes.warn("bad-link", f"{reason}; it is left out", line, column, hint)

    known = []
    for member in members:
        entity, name, *_ = member
        if entity not in names:
            report(member, f"there is no entity {entity}", severity)
        elif name not in names:
            report(member, f"there is no entity {name}", "warning")
        else:
            known.append(member)
    in_cycle = cyclic(splits_of(member[:2] for member in known))
    for member in known:
        if in_cycle.issuperset(member[:2]):
            report(member, f"it contains entity {member[0]}", severity)
    return splits_of(member[:2] for member in known if not in_cycle.issuperset(member[:2]))
