"""Relations while a document is read: what leads nowhere is reported, and left out of them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from corefmeter.corpus.relations import Split, cyclic, splits_of
from corefmeter.formats.notes import Notes
from corefmeter.problems import Severity

_HINT = "A member is an entity of the document, and neither the plural entity nor one that has it."


class Member(NamedTuple):
    """A member of a plural entity, as the file says at a place: ``text``."""

    entity: str
    member: str
    text: str
    line: int
    column: int


def sets(
    notes: Notes, members: Sequence[Member], names: Container[str], severity: Severity
) -> tuple[Split, ...]:
    """The split antecedents of a document, one set for each plural entity.

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
        if member.entity not in names:
            _lost(notes, member, f"there is no entity {member.entity}", severity)
        elif member.member not in names:
            _lost(notes, member, f"there is no entity {member.member}", "warning")
        else:
            found.append(member)
    circle = cyclic(splits_of(member[:2] for member in found))
    for member in found:
        if circle.issuperset(member[:2]):
            _lost(notes, member, f"entity {member.member} contains {member.entity}", severity)
    return splits_of(member[:2] for member in found if not circle.issuperset(member[:2]))


def _lost(notes: Notes, member: Member, why: str, severity: Severity) -> None:
    reason = f"entity {member.member} cannot be a member by {member.text}: {why}"
    if severity == "error":
        notes.error("bad-link", reason, member.line, member.column, _HINT)
    else:
        reason += "; it is left out"
        notes.warn("bad-link", reason, member.line, member.column, _HINT)
