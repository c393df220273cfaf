"""What the rows of a result belong to: units, groups of them, and the union of two lists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document, genre_of
from corefmeter.problems import DataError, OptionError, Problem, unknown


class Unit(NamedTuple):
    """The owner of one row of statistics: a document, or a part of one.

    Attributes
    ----------
    name, label
        The name of the document, and how it is shown, with the part when there is one.
    numbered
        Whether nobody named it, so that the name only tells it from the others of its result.
    groups
        Pairs of the name of a group and its value, from the attributes of the document.
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

    @property
    def genre(self) -> str:
        """The first part of the name: ``bc`` of ``bc/cnn/00/cnn_0003``."""
        return genre_of(self.name)


#: How to find the group of a document: the name of a known group, or a mapping from names.
Group = str | Mapping[str, str]

#: Groups of documents, each with a name.
Groups = Sequence[tuple[str, Group]]

#: What becomes of a document that two results or scorers both have.
DUPLICATES = ("error", "keep", "first")

#: Groups of units that can be asked for by name.
GROUPS: dict[str, Callable[[Unit], str]] = {
    "document": lambda unit: unit.name,
    "part": lambda unit: unit.label,
    "genre": lambda unit: unit.genre,
}


def group_function(group: str | Callable[[Unit], str] | Mapping[str, str]) -> Callable[[Unit], str]:
    """From a unit to the name of its group; see `Result.by`."""
    if isinstance(group, Mapping):
        return _group_of(group)
    if callable(group):
        return group
    return GROUPS.get(group) or _group_named(group)


def _group_named(name: str) -> Callable[[Unit], str]:
    def group(unit: Unit) -> str:
        groups = dict(unit.groups)
        if name not in groups:
            raise unknown("group", name, [*GROUPS, *groups])
        return groups[name]

    return group


def _group_of(groups: Mapping[str, str]) -> Callable[[Unit], str]:
    def group(unit: Unit) -> str:
        for name in (unit.label, unit.name):
            if name in groups:
                return groups[name]
        raise OptionError(f"the groups say nothing about document {unit.label!r}")

    return group


class Union(NamedTuple):
    """The units of two results or scorers.

    Attributes
    ----------
    ours, theirs
        The units of either.
    units
        All of ours, then those of theirs that are kept; automatic names are distinct.
    kept
        The positions of these in `theirs`.
    """

    ours: Sequence[Unit]
    theirs: Sequence[Unit]
    units: list[Unit]
    kept: list[int]

    @classmethod
    def of(cls, ours: Sequence[Unit], theirs: Sequence[Unit], duplicates: str) -> Union:
        """Return the union; see `Result.add` for what a duplicate is and what becomes of it."""
        require_known_duplicates(duplicates)
        named = {unit.label for unit in ours if not unit.numbered}
        origins = set(map(id, ours))
        twice = [
            i
            for i, unit in enumerate(theirs)
            if id(unit) in origins or (not unit.numbered and unit.label in named)
        ]
        if twice and duplicates == "error":
            raise DataError([_repeated(theirs[i].label) for i in twice])
        dropped = set(twice) if duplicates == "first" else set()
        kept = [i for i in range(len(theirs)) if i not in dropped]
        units = [*ours, *(theirs[i] for i in kept)]
        taken = {unit.label for unit in units if not unit.numbered}
        for place, unit in enumerate(units):
            if unit.numbered:
                if unit.label in taken:
                    label = automatic_name(place + 1, taken)
                    units[place] = Unit(label, label, numbered=True)
                taken.add(units[place].label)
        return cls(ours, theirs, units, kept)

    def problems(self, ours: Iterable[Problem], theirs: Iterable[Problem]) -> list[Problem]:
        """The problems of both under the new names, without those of units that are not kept."""
        first, rest = self.units[: len(self.ours)], self.units[len(self.ours) :]
        told = _renamed(ours, self.ours, first)
        gone = {unit.label for unit in self.theirs} - {self.theirs[i].label for i in self.kept}
        told += _renamed(
            [problem for problem in theirs if problem.document not in gone],
            [self.theirs[i] for i in self.kept],
            rest,
        )
        return told + [
            Problem(
                "repeated-document",
                "both sides of a sum have the document",
                document=label,
                hint="The first one counts.",
            )
            for label in dict.fromkeys(unit.label for unit in self.theirs)
            if label in gone
        ]


def _renamed(
    problems: Iterable[Problem], before: Iterable[Unit], after: Iterable[Unit]
) -> list[Problem]:
    """Problems with the new labels of their documents."""
    new = {one.label: other.label for one, other in zip(before, after, strict=True)}
    return [
        problem
        if problem.document is None
        else problem._replace(document=new.get(problem.document, problem.document))
        for problem in problems
    ]


def require_known_duplicates(duplicates: str) -> None:
    """Reject values that are not in `DUPLICATES`."""
    if duplicates not in DUPLICATES:
        raise unknown("value of duplicates", duplicates, DUPLICATES)


def automatic_name(number: int, taken: Collection[str]) -> str:
    """Return a name that is not taken, for a document that nobody named.

    >>> automatic_name(2, {"document 2"})
    'document 3'
    """
    while (name := f"document {number}") in taken:
        number += 1
    return name


def _repeated(label: str) -> Problem:
    """Return the error for a document that is added a second time."""
    return Problem(
        "repeated-document",
        "the document is already there",
        "error",
        document=label,
        hint='To add it all the same: duplicates="first" counts it once, duplicates="keep" twice.',
    )
