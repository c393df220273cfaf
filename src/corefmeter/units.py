"""Units, the owners of the rows of a result: their groups, and the union of two lists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from corefmeter.corpus.model import Document, genre_of
from corefmeter.problems import DataError, OptionError, Problem, require_known, unknown


class Unit(NamedTuple):
    """The owner of one row of statistics: a document, or a part of one.

    `label` is the name as it is shown, with the part. The name of a `numbered` unit is only a
    number, unique within its result. `groups` are pairs of the name of a group and its value, from
    the attributes of the document.
    """

    name: str
    label: str
    numbered: bool = False
    groups: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, document: Document) -> Unit:
        """Return the unit of a document."""
        attributes = document.attributes.items()
        groups = tuple((name, value) for name, value in attributes if isinstance(value, str))
        return cls(document.name, document.label, document.numbered, groups)


#: How to find the group of a document: the name of a known group, or a mapping from names.
Group = str | Mapping[str, str]

#: Groups of documents, each with a name.
Groups = Sequence[tuple[str, Group]]

#: How to treat a document that two results or scorers both have.
DUPLICATES = ("error", "keep", "first")

#: Groups of units that can be asked for by name.
GROUPS: dict[str, Callable[[Unit], str]] = {
    "document": lambda unit: unit.name,
    "part": lambda unit: unit.label,
    "genre": lambda unit: genre_of(unit.name),
}


def group_function(group: str | Callable[[Unit], str] | Mapping[str, str]) -> Callable[[Unit], str]:
    """Return a function from a unit to the name of its group; see `Result.by`."""
    if isinstance(group, Mapping):
        return partial(_look_up_group, group)
    if callable(group):
        return group
    return GROUPS.get(group) or partial(_attribute_group, group)


def _attribute_group(name: str, unit: Unit) -> str:
    groups = dict(unit.groups)
    if name not in groups:
        raise unknown("group", name, [*GROUPS, *groups])
    return groups[name]


def _look_up_group(groups: Mapping[str, str], unit: Unit) -> str:
    for name in (unit.label, unit.name):
        if name in groups:
            return groups[name]
    raise OptionError(f"the document {unit.label!r} is in no group")


class Union(NamedTuple):
    """The units of two results or scorers.

    `units` are all of ours, then those of theirs that are kept, whose positions in `theirs` are
    `kept`; automatic names are distinct.
    """

    ours: Sequence[Unit]
    theirs: Sequence[Unit]
    units: list[Unit]
    kept: list[int]

    @classmethod
    def of(cls, ours: Sequence[Unit], theirs: Sequence[Unit], duplicates: str) -> Union:
        """Return the union; see `Result.add` for what a duplicate is and what becomes of it."""
        require_known("value of duplicates", duplicates, DUPLICATES)
        named = {unit.label for unit in ours if not unit.numbered}
        origins = set(map(id, ours))
        twice = {
            place
            for place, unit in enumerate(theirs)
            if id(unit) in origins or (not unit.numbered and unit.label in named)
        }
        if twice and duplicates == "error":
            raise DataError([_repeated_document(theirs[place].label) for place in sorted(twice)])
        dropped = twice if duplicates == "first" else set()
        kept = [place for place in range(len(theirs)) if place not in dropped]
        units = [*ours, *(theirs[place] for place in kept)]
        taken = {unit.label for unit in units if not unit.numbered}
        for place, unit in enumerate(units):
            if not unit.numbered:
                continue
            if unit.label in taken:
                label = automatic_name(place + 1, taken)
                units[place] = Unit(label, label, numbered=True)
            taken.add(units[place].label)
        return cls(ours, theirs, units, kept)

    def problems(self, ours: Iterable[Problem], theirs: Iterable[Problem]) -> list[Problem]:
        """Return the problems of both under the new names; one for each unit that is not kept."""
        number = len(self.ours)
        kept = [self.theirs[place] for place in self.kept]
        dropped = {unit.label for unit in self.theirs} - {unit.label for unit in kept}
        of_kept = [problem for problem in theirs if problem.document not in dropped]
        hint = "The first one counts."
        reason = "both sides of a sum have the document"
        return [
            *_rename_documents(ours, self.ours, self.units[:number]),
            *_rename_documents(of_kept, kept, self.units[number:]),
            *(
                Problem("repeated-document", reason, document=label, hint=hint)
                for label in dict.fromkeys(unit.label for unit in self.theirs)
                if label in dropped
            ),
        ]


def _rename_documents(
    problems: Iterable[Problem], before: Iterable[Unit], after: Iterable[Unit]
) -> list[Problem]:
    labels = ((one.label, other.label) for one, other in zip(before, after, strict=True))
    new: dict[str | None, str] = dict(labels)
    return [one._replace(document=new.get(one.document, one.document)) for one in problems]


def automatic_name(number: int, taken: Collection[str]) -> str:
    """Return a name that is not taken, for a document without a name."""
    while (name := f"document {number}") in taken:
        number += 1
    return name


def _repeated_document(label: str) -> Problem:
    reason = "the document is already there"
    hint = 'To add it all the same: duplicates="first" counts it once, duplicates="keep" twice.'
    return Problem("repeated-document", reason, "error", document=label, hint=hint)
