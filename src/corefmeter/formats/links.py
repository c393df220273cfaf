"""Relations while a document is read: what leads nowhere is reported, and left out of them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeAlias

from corefmeter.corpus.relations import Split, cyclic, splits_of
from corefmeter.formats.notes import Notes
from corefmeter.problems import Severity

_HINT = "A member is an entity of the document, and neither the plural entity nor one that has it."


#: A plural entity, its member, how the file says so, and where: line and column.
Member: TypeAlias = tuple[str, str, str, int, int]


def sets(
    notes: Notes, members: Sequence[Member], names: Container[str], severity: Severity
) -> tuple[Split, ...]:
    """Return the split antecedents of a document, one set for each plural entity.

    Parameters
    ----------
    names
        The entities of the document.
    severity
        How serious it is that a plural entity is not among them, or contains itself. A member that
        is not is a warning.
    """
    found = []
    for member in members:
        entity, name, *_ = member
        if entity not in names:
            _lost(notes, member, f"there is no entity {entity}", severity)
        elif name not in names:
            _lost(notes, member, f"there is no entity {name}", "warning")
        else:
            found.append(member)
    circle = cyclic(splits_of(member[:2] for member in found))
    for member in found:
        if circle.issuperset(member[:2]):
            _lost(notes, member, f"it contains entity {member[0]}", severity)
    return splits_of(member[:2] for member in found if not circle.issuperset(member[:2]))


def _lost(notes: Notes, member: Member, why: str, severity: Severity) -> None:
    _, name, text, line, column = member
    reason = f"entity {name} cannot be a member by {text}: {why}"
    if severity == "error":
        notes.error("bad-link", reason, line, column, _HINT)
    else:
        notes.warn("bad-link", f"{reason}; it is left out", line, column, _HINT)
