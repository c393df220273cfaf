"""MMAX2: a project ``NAME.mmax``, ``NAME_words.xml`` and a level such as ``NAME_coref_level.xml``.

A markable's ``span`` names words: ``word_1..word_3,word_7`` or ``word_14..16``; a range is all
words between its ends in the order of the file, whatever their ids. Markables with the same
``coref_class`` (`SETS`; ``empty`` is none) are an entity; so are those that a pointer joins
(`POINTERS`; several separated by ``;``), or the attributes that are asked for in place of these. A
set is an attribute and a value; a markable joins its sets of several attributes, but an entity has
one set of each. A markable with none is an entity of its own; other attributes that join markables
are reported.
``min_ids`` or ``min_words_ids`` is the minimum span.

``common_paths.xml`` lists the levels, each with the file of its scheme, which is read where it is
there: attributes of the types ``markable_set`` and ``markable_pointer`` are sets and pointers
whatever their values are, those of nominal types are neither. What no scheme declares, or declares
as ``freetext``, is known by its values. Which of them are identity no scheme says. One level is
read, so the sets of others are not mixed in: ``coref``, or the only one of those that are listed in
which an attribute joins markables.

The file that is read is the project, or the level alone where there is no project. Words and level
are looked for beside it and in the folders ``Basedata``, ``Markables``, ``basedata``,
``markables`` and ``words``; ``common_paths.xml`` beside the project may name the file of the level.
The document is called as the project.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import mention_of, pieces
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.entities import UnionFind, document_of
from corefmeter.formats.notes import Notes
from corefmeter.formats.source import Source, stem
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.formats.xml_safe import Element, parse, root_tag

#: How names of the files of a project end.
_PARTS = (
    "_words.xml",
    "_level.xml",
    "_markables.xml",
    "_scheme.xml",
    "_customization.xml",
    "common_paths.xml",
    ".dtd",
    ".xsl",
)

_LEVEL_ENDINGS = ("_coref_level.xml", "_coref_markables.xml")
_WORDS_ENDING = "_words.xml"
_FOLDERS = ("", "Basedata", "Markables", "basedata", "markables", "words")
_SCHEME_FOLDERS = ("", "Schemes", "schemes")

#: Attributes that name the entity of a markable, and those that name another markable of it.
SETS = frozenset(("coref_class", "coref_set"))
POINTERS = frozenset(("ref", "antecedent", "coref", "anaphor_antecedent"))

#: What the types of a scheme make of an attribute; of other types its values tell.
_SETTING, _POINTING, _NEITHER = "set", "pointer", "neither"
_TYPES = {
    "markable_set": _SETTING,
    "markable_pointer": _POINTING,
    "nominal_list": _NEITHER,
    "nominal_button": _NEITHER,
}

#: A value that names a set, of whatever attribute.
_SET = re.compile(r"set_\d+")
_MINIMA = ("min_ids", "min_words_ids")
_OWN = frozenset(("id", "span", "mmax_level", *_MINIMA))
_ANY_LEVEL = re.compile(r"(.+)_[^_]+_(?:level|markables)\.xml")
_WORD = re.compile(r"(.*?)(\d+)")


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether this is a project, or a level ``coref`` without a project."""
    root = root_tag(head)
    if root == "mmax_project":
        return True
    base = _level_base(path)
    if root != "markables" or base is None:
        return False
    folder = os.path.dirname(path)
    places = (folder, os.path.join(folder, os.pardir))
    return not any(os.path.isfile(os.path.join(place, base + ".mmax")) for place in places)


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the document of a project.

    Raises
    ------
    DataError
        With all errors of the files: words or level that are not there, text that is no XML,
        ids that occur twice, spans of unknown words, pointers to unknown markables, two sets of
        one attribute that are joined.
    """
    root = parse(source)
    problems: list[Problem] = []
    if root.tag == "mmax_project":
        words_path, level_path, scheme, name = _files_of(root, source.path, source.identity)
        level = _parsed(level_path)
    elif root.tag == "markables":
        other = _ANY_LEVEL.fullmatch(os.path.basename(source.path))
        base = _level_base(source.path) or (other[1] if other else stem(source.path))
        words_path = _found(source.path, [base + _WORDS_ENDING], "words", _folders(source.path))
        level_path, level, name = source.path, root, base
        levels, problems = _listed_around(level_path, base)
        scheme = _scheme_of(level_path, levels)
    else:
        reason = f"neither a project nor a level of MMAX2, but <{root.tag}>"
        hint = "Read the file NAME.mmax."
        raise DataError(
            Problem("bad-xml", reason, "error", source.path, root.line, root.column, hint)
        )
    word_notes = Notes(words_path)
    words, places = _words(_parsed(words_path), word_notes)
    problems += word_notes.finish()
    notes = Notes(level_path)
    markables = _markables(level, places, notes, scheme, source.identity)
    entities = _entities(markables, notes)
    problems += notes.finish()
    document = document_of(
        name,
        {name: [(m.mention, m.detail) for m in members] for name, members in entities},
        details,
        tokens=len(words),
        path=source.path,
        line=1,
        text=Text(words) if details else None,
    )
    return [document], problems


# Where the files are


def _level_base(path: str) -> str | None:
    """Return the name of a project by that of its level, or None if it is not the level coref.

    Examples
    --------
    >>> _level_base("Markables/story_coref_level.xml"), _level_base("story_words.xml")
    ('story', None)
    """
    name = os.path.basename(path)
    for ending in _LEVEL_ENDINGS:
        if name.endswith(ending) and name != ending:
            return name.removesuffix(ending)
    return None


def _folders(path: str) -> list[str]:
    """Return the search path of project files: a file's folder and its parent."""
    here = os.path.dirname(path)
    up = os.path.join(here, os.pardir)
    return [os.path.join(place, folder) for place in (here, up) for folder in _FOLDERS]


def _is_outside(name: str) -> bool:
    """Return whether a path in a file may lead out of the folder of the project."""
    return os.path.isabs(name) or "\\" in name or ".." in name.split("/")


class _Level(NamedTuple):
    """A level that ``common_paths.xml`` lists."""

    name: str
    file: str
    #: Where its scheme is, or None.
    scheme_path: str | None

    def scheme(self) -> dict[str, str]:
        """Return the attribute types by lower-case name, as far as they are known."""
        found: dict[str, str] = {}
        if self.scheme_path is None:
            return found
        for element in _parsed(self.scheme_path).walk("attribute"):
            name = (element.get("name") or "").lower()
            # Behind a colon there is what MMAX2 shows of a pointer.
            type = (element.get("type") or "nominal_list").strip().lower().partition(":")[0]
            if type in _TYPES and found.get(name, _NEITHER) == _NEITHER:
                found[name] = _TYPES[type]
        return found


def _listed(folder: str, base: str) -> list[_Level]:
    """Return the levels that ``common_paths.xml`` of a folder lists, if it is there."""
    common = os.path.normpath(os.path.join(folder, "common_paths.xml"))
    if not os.path.isfile(common):
        return []
    paths = _parsed(common)
    named = next((element.text.strip() for element in paths.walk("scheme_path")), "")
    if _is_outside(named):
        named = ""
    found = []
    for element in paths.walk("level"):
        file = os.path.basename(element.text.strip().replace("$", base))
        scheme = os.path.basename((element.get("schemefile") or "").strip())
        places = [os.path.join(folder, one, scheme) for one in (named, *_SCHEME_FOLDERS)]
        path = next((os.path.normpath(one) for one in places if os.path.isfile(one)), None)
        if file:
            found.append(_Level(element.get("name") or file, file, path))
    return found


def _listed_around(path: str, base: str) -> tuple[list[_Level], list[Problem]]:
    """List the levels in the folder of a single level, or in its parent.

    It can be read without them, so what is wrong with a list is a warning.
    """
    here = os.path.dirname(path)
    try:
        return _listed(here, base) or _listed(os.path.join(here, os.pardir), base), []
    except DataError as error:
        done = "The level is read without its scheme."
        return [], [one._replace(severity="warning", hint=done) for one in error.problems]


def _scheme_of(path: str, levels: list[_Level]) -> dict[str, str]:
    """Return the scheme of a file of a level, if it is one of those that are listed."""
    file = os.path.basename(path)
    return next((level.scheme() for level in levels if level.file == file), {})


def _files_of(
    project: Element, path: str, identity: frozenset[str]
) -> tuple[str, str, dict[str, str], str]:
    """Return the paths of words and level of a project, the scheme of the level, and its name."""
    words = project.child("words")
    name = words.text.strip() if words is not None else ""
    if words is None or not name:
        hint = "Write <words>NAME_words.xml</words>."
        reason = "the project does not name its words"
        raise DataError(
            Problem("missing-field", reason, "error", path, project.line, project.column, hint)
        )
    if _is_outside(name):
        reason = f"the words of a project lie in its folder, not at {name!r:.60}"
        hint = "Name a file in the folder of the project."
        raise DataError(Problem("bad-field", reason, "error", path, words.line, words.column, hint))
    folders = [os.path.join(os.path.dirname(path), folder) for folder in _FOLDERS]
    base = os.path.basename(name).removesuffix(".xml").removesuffix("_words")
    listed = _listed(os.path.dirname(path), base)
    files = [level.file for level in reversed(listed) if level.name == "coref"]
    files += [base + ending for ending in _LEVEL_ENDINGS]
    others = [level for level in listed if level.name != "coref"]
    words_path = _found(path, [name], "words", folders)
    try:
        level = _found(path, files, "level coref", folders)
    except DataError:
        if not others:
            raise
        level = _level_that_joins(path, others, folders, identity)
    return words_path, level, _scheme_of(level, listed), stem(path)


def _level_that_joins(
    path: str, levels: list[_Level], folders: list[str], identity: frozenset[str]
) -> str:
    """Return the one level in which an attribute joins markables, of the levels of a project."""
    joining = {}
    for level in levels:
        names: set[str] = set()
        with suppress(DataError):
            place = _found(path, [level.file], f"level {level.name}", folders)
            names = _joins(_parsed(place), identity)
        if names and (identity or {*map(level.scheme().get, names)} != {_NEITHER}):
            joining[level.name] = place
    if len(joining) == 1:
        return joining.popitem()[1]
    which = f"several join markables: {', '.join(joining)}" if joining else "none joins markables"
    hint = "Give the file of the level itself with --from mmax2, "
    hint += "or name its attribute with --identity."
    declared = [
        f"{name:.40} of {level.name:.40}"
        for level in levels
        for name, kind in level.scheme().items()
        if kind != _NEITHER
    ]
    if declared:
        hint += f" Sets and pointers are {', '.join(declared[:5])}."
    every = ", ".join(level.name for level in levels)
    reason = f"there is no level coref, and of the levels {every} {which}"
    raise DataError(Problem("no-coreference", reason, "error", path=path, hint=hint))


def _joins(level: Element, identity: frozenset[str]) -> set[str]:
    """Return the names of the attributes of identity that have a value."""
    names = identity or SETS | POINTERS
    return {
        name.lower()
        for element in level.walk("markable")
        for name, value in element.attributes.items()
        if name.lower() in names and not _is_none(value)
    }


def _found(path: str, names: list[str], what: str, folders: Iterable[str]) -> str:
    """Return the first of several places where a file is."""
    for folder in folders:
        for name in names:
            place = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(place):
                return place
    reason = f"the {what} of the project are not there: {names[-1]}"
    if what != "words":
        reason = f"the {what} of the project is not there: {' or '.join(names)}"
    hint = f"Put {names[0]!r} beside it, or in Basedata or Markables."
    raise DataError(Problem("missing-text", reason, "error", path, hint=hint))


def _parsed(path: str) -> Element:
    with Source(path) as source:
        return parse(source)


# What is in them


def _words(root: Element, notes: Notes) -> tuple[list[str], dict[str, int]]:
    words: list[str] = []
    places: dict[str, int] = {}
    for element in root.walk("word"):
        id = element.get("id")
        if not id:
            hint = 'Write <word id="word_1">.'
            notes.error("missing-field", "a word without id", element.line, element.column, hint)
        elif id in places:
            reason = f"the id {id!r:.60} is that of another word already"
            notes.error("repeated-id", reason, element.line, element.column, "Change one of them.")
        else:
            places[id] = len(words)
        words.append(element.text.strip())
    return words, places


class _Markable:
    """A markable while it is read."""

    __slots__ = ("detail", "element", "id", "mention", "sets", "targets")

    def __init__(self, element: Element, id: str, mention: Mention, detail: Detail) -> None:
        self.element = element
        self.id = id
        self.mention = mention
        self.detail = detail
        #: Each an attribute, in lower case, and its value.
        self.sets: list[tuple[str, str]] = []
        self.targets: list[str] = []

    def link(self, ids: set[str], scheme: dict[str, str], identity: frozenset[str]) -> list[str]:
        """Read the attributes that give the entity; return the names of other candidates."""
        others = []
        for attribute, value in self.element.attributes.items():
            if attribute in _OWN or _is_none(value):
                continue
            name = attribute.lower()
            kind = scheme.get(name)
            targets = _targets(value)
            points = ids.issuperset(targets)
            known = name in SETS or name in POINTERS
            if name in identity or (known and not identity and kind != _NEITHER):
                if kind not in (_SETTING, _POINTING):
                    pointing = name in POINTERS or (points and name not in SETS)
                    kind = _POINTING if pointing else _SETTING
                if kind == _POINTING:
                    self.targets += targets
                else:
                    self.sets.append((name, value))
            elif kind in (_SETTING, _POINTING) or (
                (known or kind is None) and (points or _SET.fullmatch(value))
            ):
                others.append(attribute)
        return others


def _is_none(value: str | None) -> bool:
    return value is None or value.strip().lower() in ("", "empty")


def _markables(
    root: Element,
    places: dict[str, int],
    notes: Notes,
    scheme: dict[str, str],
    identity: frozenset[str],
) -> list[_Markable]:
    found = []
    seen: set[str] = set()
    for element in root.walk("markable"):
        line, column = element.line, element.column
        id = element.get("id")
        if not id:
            hint = 'Write <markable id="markable_1" span="word_1">.'
            notes.error("missing-field", "a markable without id", line, column, hint)
            continue
        if id in seen:
            reason = f"the id {id!r:.60} is that of another markable already"
            notes.error("repeated-id", reason, line, column, "Change one of them.")
            continue
        seen.add(id)
        parts = _span(element.get("span") or "", places, element, "span", notes)
        if parts is None:
            continue
        mention = mention_of(parts)
        detail = Detail(
            minimum=_minimum(element, places, mention, notes),
            attributes={"id": id} | {k: v for k, v in element.attributes.items() if k != "id"},
        )
        found.append(_Markable(element, id, mention, detail))
    others = Counter(name for markable in found for name in markable.link(seen, scheme, identity))
    for name, count in others.items():
        reason = (
            f"the attribute {name!r:.60} joins markables, but not into entities as far as is known"
        )
        hint = "Name the attributes that do with --identity."
        notes.warn("unknown-relation", f"{reason}; it is left out", None, hint=hint, count=count)
    return found


def _span(
    span: str, places: dict[str, int], element: Element, name: str, notes: Notes
) -> list[tuple[int, int]] | None:
    """Return the runs of words that a span names, or None after an error.

    Examples
    --------
    >>> places = {"word_5": 0, "word_2": 1, "word_9": 2}
    >>> _span("word_5..word_9", places, Element("markable", {}, 1, 1), "span", Notes("x"))
    [(0, 3)]
    """
    parts: list[tuple[int, int]] = []
    for part in filter(None, map(str.strip, span.split(","))):
        first, dots, last = part.partition("..")
        if dots and last.isdecimal() and (match := _WORD.fullmatch(first)):
            last = match[1] + last
        ends = [first, last if dots else first]
        unknown = [end for end in ends if end not in places]
        if unknown:
            reason = f"{name} {part!r:.60} names the word {unknown[0]!r:.40}, which is not there"
            hint = "A span names words by the ids of the file of words."
            notes.error("bad-span", reason, element.line, element.column, hint)
            return None
        begin, end = places[ends[0]], places[ends[1]]
        if begin > end:
            reason = f"{name} {part!r:.60} ends before it begins"
            hint = "The word after the dots is the last one."
            notes.error("bad-span", reason, element.line, element.column, hint)
            return None
        parts.append((begin, end + 1))
    if not parts:
        reason, hint = f"a markable without words in {name}", 'Write span="word_1..word_3".'
        notes.error("bad-span", reason, element.line, element.column, hint)
        return None
    return parts


def _minimum(
    element: Element, places: dict[str, int], mention: Mention, notes: Notes
) -> tuple[int, int] | None:
    """Return the minimum span of a markable that is this mention.

    One with gaps, or with tokens that the markable has not, is left out with a warning.
    """
    for name in _MINIMA:
        value = element.get(name)
        if value is None or _is_none(value):
            continue
        parts = _span(value, places, element, name, notes)
        if parts is None:
            return None
        runs = pieces(mention_of(parts))
        hint = "Name one run of words of the markable."
        if len(runs) > 1:
            reason = f"{name} {value!r:.60} has gaps; it is left out"
        elif any(p[0] <= runs[0][0] and runs[0][1] <= p[1] for p in pieces(mention)):
            return runs[0][0], runs[0][1]
        else:
            reason = f"{name} {value!r:.60} is outside the markable; it is left out"
        notes.warn("bad-span", reason, element.line, element.column, hint)
    return None


def _entities(markables: list[_Markable], notes: Notes) -> list[tuple[str, list[_Markable]]]:
    """Return the entities with their names, in the order of the text."""
    numbers = {markable.id: number for number, markable in enumerate(markables)}
    sets = UnionFind(len(markables))
    first_of_set: dict[tuple[str, str], int] = {}
    for number, markable in enumerate(markables):
        for one in markable.sets:
            sets.join(number, first_of_set.setdefault(one, number))
    pointed = UnionFind(len(markables))
    for number, markable in enumerate(markables):
        line, column = markable.element.line, markable.element.column
        for target in markable.targets:
            other = numbers.get(target)
            if other is None:
                reason = (
                    f"{markable.id} points to {target!r:.60}, which is no markable that is read"
                )
                hint = "A pointer names the id of a markable of the same level."
                notes.error("unknown-mention", reason, line, column, hint)
                continue
            if apart := _kept_apart([*markable.sets, *markables[other].sets]):
                reason = f"{markable.id} points to {target}, but they are in {apart}"
                hint = "Put both into one set, or remove the pointer."
                notes.error("two-entities", reason, line, column, hint)
                continue
            if pointed.root(number) == pointed.root(other):
                reason = (
                    f"{markable.id} points to {target}, which leads back to it or is joined to it"
                )
                notes.warn("bad-link", f"{reason}; they are one entity", line, column)
            pointed.join(number, other)
            sets.join(number, other)
    found = []
    taken: set[str] = set()
    members = [sorted((markables[number] for number in one), key=_place) for one in sets.sets()]
    # Sets first: they keep their names where a markable, or a set of another attribute, has them.
    for chosen in sorted(members, key=lambda chosen: not any(m.sets for m in chosen)):
        named = sorted({one for m in chosen for one in m.sets})
        if apart := _kept_apart(named):
            first = chosen[0].element
            reason = f"pointers, or sets of another attribute, join {apart}"
            hint = "Put them into one set, remove a pointer, or name one attribute with --identity."
            notes.error("two-entities", reason, first.line, first.column, hint)
        name = named[0][1] if named else chosen[0].id
        while name in taken:
            name += "'"
        taken.add(name)
        found.append((name, chosen))
    return sorted(found, key=lambda pair: _place(pair[1][0]))


def _kept_apart(sets: Iterable[tuple[str, str]]) -> str | None:
    """Return the first two of some sets that cannot be one entity, in words.

    Examples
    --------
    >>> _kept_apart([("a", "set_1"), ("b", "set_2"), ("a", "set_1")])
    >>> _kept_apart([("a", "set_1"), ("b", "set_2"), ("a", "set_2")])
    "the sets 'set_1' and 'set_2' of 'a'"
    """
    values: dict[str, str] = {}
    for name, value in sets:
        if values.setdefault(name, value) != value:
            return f"the sets {values[name]!r:.40} and {value!r:.40} of {name!r:.40}"
    return None


def _targets(value: str) -> list[str]:
    """Return the ids that a pointer names, without the names of levels before a colon."""
    return [
        target.strip().rpartition(":")[2] for target in value.split(";") if not _is_none(target)
    ]


def _place(markable: _Markable) -> tuple[tuple[int, ...], ...]:
    return pieces(markable.mention)


FORMAT = Format(
    name="mmax2",
    title="MMAX2",
    sniff=sniff,
    evidence="XML with the root `mmax_project`, or a level `coref` without a project beside it",
    read=read,
    unwritten="choose conllua, which holds the same in one file",
    endings=(".mmax",),
    beside=tuple((".mmax", f"*{ending}") for ending in _PARTS),
    identity=True,
    clues=tuple(
        (sign, "It is a part of a project of MMAX2; give the file NAME.mmax.")
        for sign in (b"<markables", b"<words")
    ),
)
