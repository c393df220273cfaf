"""MMAX2: a project ``NAME.mmax``, ``NAME_words.xml`` and a level such as ``NAME_coref_level.xml``.

Markables with the same value of a set attribute (`SETS`) are an entity, and so are those that a
pointer joins (`POINTERS`); ``--identity`` names other attributes. The schemes that
``common_paths.xml`` lists say which attributes are sets or pointers, others are judged by their
values. One level is read: ``coref``, or the only one that joins markables. A range of words is all
words between its ends in the order of the file. See docs/formats-older.md.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import mention_of, pieces
from corefmeter.corpus.structures import UnionFind
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.entities import document_of
from corefmeter.formats.notes import Notes
from corefmeter.formats.source import Source, stem
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.formats.xml_safe import Element, parse, root_tag

#: How names of the files of a project end.
_XML = ("words", "level", "markables", "scheme", "customization")
_PARTS = (*(f"_{part}.xml" for part in _XML), "common_paths.xml", ".dtd", ".xsl")

_LEVEL_ENDINGS = ("_coref_level.xml", "_coref_markables.xml")
_FOLDERS = ("", "Basedata", "Markables", "basedata", "markables", "words")
_SCHEME_FOLDERS = ("", "Schemes", "schemes")

#: Attributes that name the entity of a markable, and those that name another markable of it.
SETS = frozenset(("coref_class", "coref_set"))
POINTERS = frozenset(("ref", "antecedent", "coref", "anaphor_antecedent"))

#: How the types of a scheme classify an attribute; for other types, its values decide.
_SETTING, _POINTING, _NEITHER = "set", "pointer", "neither"
_TYPES = {"markable_set": _SETTING, "markable_pointer": _POINTING}
_TYPES |= dict.fromkeys(("nominal_list", "nominal_button"), _NEITHER)

#: A value that names a set, of whatever attribute.
_SET = re.compile(r"set_\d+")
_MINIMA = ("min_ids", "min_words_ids")
_OWN = frozenset(("id", "span", "mmax_level", *_MINIMA))
_ANY_LEVEL = re.compile(r"(.+)_[^_]+_(?:level|markables)\.xml")
_WORD = re.compile(r"(.*?)(\d+)")

#: The kind of each attribute that a scheme declares, by its name in lower case.
Scheme = dict[str, str]


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


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the document of a project."""
    root = parse(source)
    path = source.path
    problems: list[Problem] = []
    if root.tag == "mmax_project":
        name = stem(path)
        words_path, level_path, scheme = _find_files(root, path, source.identity)
        level = _parse_file(level_path)
    elif root.tag == "markables":
        match = _ANY_LEVEL.fullmatch(os.path.basename(path))
        name = _level_base(path) or (match[1] if match else stem(path))
        folder = os.path.dirname(path)
        folders = _subfolders(folder) + _subfolders(os.path.join(folder, os.pardir))
        words_path = _require_file(path, [f"{name}_words.xml"], "words", folders)
        level_path, level = path, root
        levels, problems = _list_levels_around(folder, name)
        scheme = _find_scheme(path, levels)
    else:
        reason = f"neither a project nor a level of MMAX2, but <{root.tag}>"
        raise _refusal("bad-xml", reason, path, root, "Read the file NAME.mmax.")
    word_notes = Notes(words_path)
    words, numbers = _read_words(_parse_file(words_path), word_notes)
    problems += word_notes.finish()
    reader = _Reader(Notes(level_path), numbers, scheme, source.identity)
    entities = reader.make_entities(reader.read_markables(level))
    problems += reader.notes.finish()
    document = document_of(
        name,
        {name: [(m.mention, m.detail) for m in members] for name, members in entities},
        details,
        tokens=len(words),
        path=path,
        line=1,
        text=Text(words) if details else None,
    )
    return [document], problems


def _refusal(code: str, reason: str, path: str, element: Element | None, hint: str) -> DataError:
    line, column = (None, None) if element is None else element.place
    return DataError(Problem(code, reason, "error", path, line, column, hint))


def _level_base(path: str) -> str | None:
    """Return the name of a project by that of its level, or None if it is not the level coref."""
    name = os.path.basename(path)
    bases = (name.removesuffix(ending) for ending in _LEVEL_ENDINGS if name.endswith(ending))
    return next(bases, None) or None


def _subfolders(folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in _FOLDERS]


def _is_outside(name: str) -> bool:
    """Return whether a path in a file may lead out of the folder of the project."""
    return os.path.isabs(name) or "\\" in name or ".." in name.split("/")


class _Level(NamedTuple):
    """A level that ``common_paths.xml`` lists, and where its scheme is, or None."""

    name: str
    file: str
    scheme_path: str | None

    def scheme(self) -> Scheme:
        kinds: Scheme = {}
        if self.scheme_path is None:
            return kinds
        for element in _parse_file(self.scheme_path).walk("attribute"):
            name = (element.get("name") or "").lower()
            # How MMAX2 shows a pointer follows a colon.
            type = (element.get("type") or "nominal_list").strip().lower().partition(":")[0]
            if type in _TYPES and kinds.get(name, _NEITHER) == _NEITHER:
                kinds[name] = _TYPES[type]
        return kinds


def _list_levels(folder: str, base: str) -> list[_Level]:
    """Return the levels that ``common_paths.xml`` of a folder lists, if it is there."""
    common_paths = os.path.normpath(os.path.join(folder, "common_paths.xml"))
    if not os.path.isfile(common_paths):
        return []
    paths = _parse_file(common_paths)
    scheme_path = next((element.text.strip() for element in paths.walk("scheme_path")), "")
    names = [name for name in (scheme_path, *_SCHEME_FOLDERS) if not _is_outside(name)]
    scheme_folders = [os.path.join(folder, name) for name in names]
    levels = []
    for element in paths.walk("level"):
        file = os.path.basename(element.text.strip().replace("$", base))
        scheme = os.path.basename((element.get("schemefile") or "").strip())
        if file:
            path = _first_file(scheme_folders, [scheme])
            levels.append(_Level(element.get("name") or file, file, path))
    return levels


def _list_levels_around(folder: str, base: str) -> tuple[list[_Level], list[Problem]]:
    """List the levels in the folder of a single level, or in its parent.

    The level can be read without the list, so errors in the list are returned as warnings.
    """
    try:
        parent = os.path.join(folder, os.pardir)
        return _list_levels(folder, base) or _list_levels(parent, base), []
    except DataError as error:
        hint = "The level is read without its scheme."
        return [], [problem._replace(severity="warning", hint=hint) for problem in error.problems]


def _find_scheme(path: str, levels: list[_Level]) -> Scheme:
    """Return the scheme of a file of a level, if it is one of those that are listed."""
    file = os.path.basename(path)
    return next((level.scheme() for level in levels if level.file == file), {})


def _find_files(project: Element, path: str, identity: frozenset[str]) -> tuple[str, str, Scheme]:
    words = project.child("words")
    name = words.text.strip() if words is not None else ""
    if not name:
        reason = "the project does not name its words"
        hint = "Write <words>NAME_words.xml</words>."
        raise _refusal("missing-field", reason, path, project, hint)
    if _is_outside(name):
        reason = f"the words of a project must be in its folder, not at {name!r:.60}"
        hint = "Name a file in the folder of the project."
        raise _refusal("bad-field", reason, path, words, hint)
    folder = os.path.dirname(path)
    folders = _subfolders(folder)
    words_path = _require_file(path, [name], "words", folders)
    base = os.path.basename(name).removesuffix(".xml").removesuffix("_words")
    levels = _list_levels(folder, base)
    files = [level.file for level in reversed(levels) if level.name == "coref"]
    files += [base + ending for ending in _LEVEL_ENDINGS]
    others = [level for level in levels if level.name != "coref"]
    if others and _first_file(folders, files) is None:
        level_path = _find_joining_level(path, others, folders, identity)
    else:
        level_path = _require_file(path, files, "level coref", folders)
    return words_path, level_path, _find_scheme(level_path, levels)


def _find_joining_level(
    path: str, levels: list[_Level], folders: list[str], identity: frozenset[str]
) -> str:
    joining = {}
    for level in levels:
        level_path = _first_file(folders, [level.file])
        if level_path is None:
            continue
        names: set[str] = set()
        with suppress(DataError):
            names = _joining_attributes(_parse_file(level_path), identity)
        if names and (identity or {*map(level.scheme().get, names)} != {_NEITHER}):
            joining[level.name] = level_path
    if len(joining) == 1:
        return joining.popitem()[1]
    count = f"several join markables: {', '.join(joining)}" if joining else "none joins markables"
    names_of_levels = ", ".join(level.name for level in levels)
    reason = f"there is no level coref, and of the levels {names_of_levels} {count}"
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
    raise _refusal("no-coreference", reason, path, None, hint)


def _joining_attributes(level: Element, identity: frozenset[str]) -> set[str]:
    names = identity or SETS | POINTERS
    return {
        name.lower()
        for element in level.walk("markable")
        for name, value in element.attributes.items()
        if name.lower() in names and not _is_none(value)
    }


def _require_file(path: str, names: list[str], what: str, folders: list[str]) -> str:
    """Return the first path of a file with one of these names; an error if there is none.

    `what` names the file in the message.
    """
    if found_path := _first_file(folders, names):
        return found_path
    reason = f"the {what} of the project cannot be found: {' or '.join(names)}"
    hint = f"Put {names[0]!r} next to it, or in Basedata or Markables."
    raise _refusal("missing-text", reason, path, None, hint)


def _first_file(folders: Iterable[str], names: list[str]) -> str | None:
    paths = (os.path.normpath(os.path.join(folder, name)) for folder in folders for name in names)
    return next(filter(os.path.isfile, paths), None)


def _parse_file(path: str) -> Element:
    with Source(path) as source:
        return parse(source)


def _read_words(root: Element, notes: Notes) -> tuple[list[str], dict[str, int]]:
    words: list[str] = []
    numbers: dict[str, int] = {}
    for element in root.walk("word"):
        id = element.get("id")
        if not id:
            hint = 'Write <word id="word_1">.'
            notes.error("missing-field", "the word has no id", *element.place, hint)
        elif id in numbers:
            reason = f"the id {id!r:.60} already belongs to another word"
            notes.error("repeated-id", reason, *element.place, "Change one of them.")
        else:
            numbers[id] = len(words)
        words.append(element.text.strip())
    return words, numbers


class _Markable(NamedTuple):
    """A markable with its sets, each an attribute and its value, and the ids it points to."""

    element: Element
    id: str
    mention: Mention
    detail: Detail
    sets: list[tuple[str, str]]
    targets: list[str]


def _is_none(value: str | None) -> bool:
    return value is None or value.strip().lower() in ("", "empty")


class _Reader:
    """Reads the markables of a level; `numbers` are those of words by their ids."""

    def __init__(
        self, notes: Notes, numbers: dict[str, int], scheme: Scheme, identity: frozenset[str]
    ) -> None:
        self.notes = notes
        self.numbers = numbers
        self.scheme = scheme
        self.identity = identity
        self.others: Counter[str] = Counter()  # attributes that seem to join markables

    def error(self, code: str, reason: str, element: Element, hint: str) -> None:
        self.notes.error(code, reason, *element.place, hint)

    def read_markables(self, root: Element) -> list[_Markable]:
        markables = []
        elements = list(root.walk("markable"))
        ids = {id for element in elements if (id := element.get("id"))}
        seen: set[str] = set()
        for element in elements:
            id = element.get("id")
            if not id:
                hint = 'Write <markable id="markable_1" span="word_1">.'
                self.error("missing-field", "the markable has no id", element, hint)
            elif id in seen:
                reason = f"the id {id!r:.60} already belongs to another markable"
                self.error("repeated-id", reason, element, "Change one of them.")
            elif parts := self.read_span(element.get("span") or "", element, "span"):
                mention = mention_of(parts)
                minimum = self.read_minimum(element, mention)
                detail = Detail(minimum=minimum, attributes={"id": id} | element.attributes)
                links = self.read_links(element, ids)
                markables.append(_Markable(element, id, mention, detail, *links))
            seen.add(id or "")
        for name, count in self.others.items():
            reason = f"the attribute {name!r:.60} joins markables, but is not known to mean"
            reason += " identity; it is left out"
            hint = "If it means identity, name it with --identity."
            self.notes.warn("unknown-relation", reason, hint=hint, count=count)
        return markables

    def read_links(
        self, element: Element, ids: set[str]
    ) -> tuple[list[tuple[str, str]], list[str]]:
        sets, targets = [], []
        for attribute, value in element.attributes.items():
            if attribute in _OWN or _is_none(value):
                continue
            name = attribute.lower()
            kind = self.scheme.get(name)
            items = (item.strip() for item in value.split(";") if not _is_none(item))
            pointed = [item.rpartition(":")[2] for item in items]  # without the names of levels
            points = ids.issuperset(pointed)
            # What the attribute is: asked for, known by its name, declared, or as its values say.
            known = name in SETS or name in POINTERS
            if name in self.identity or (known and not self.identity and kind != _NEITHER):
                if kind not in (_SETTING, _POINTING):
                    pointing = name in POINTERS or (points and name not in SETS)
                    kind = _POINTING if pointing else _SETTING
                if kind == _POINTING:
                    targets += pointed
                else:
                    sets.append((name, value))
            elif kind in (_SETTING, _POINTING) or (
                (known or kind is None) and (points or _SET.fullmatch(value))
            ):
                self.others[attribute] += 1
        return sets, targets

    def read_span(self, span: str, element: Element, name: str) -> list[tuple[int, int]] | None:
        """Return the runs of words that a span names, or None after an error."""
        parts: list[tuple[int, int]] = []
        for part in filter(None, map(str.strip, span.split(","))):
            first, dots, last = part.partition("..")
            if dots and last.isdecimal() and (match := _WORD.fullmatch(first)):
                last = match[1] + last
            begin, end = (self.numbers.get(id, -1) for id in (first, last if dots else first))
            parts.append((begin, end + 1))
        if parts and all(0 <= begin < end for begin, end in parts):
            return parts
        reason = f"{name} {span!r:.60} does not name words, each range from its first to its last"
        hint = 'Write span="word_1..word_3", with ids of the file of words.'
        self.error("bad-span", reason, element, hint)
        return None

    def read_minimum(self, element: Element, mention: Mention) -> tuple[int, int] | None:
        """Return the minimum span of a markable that is this mention.

        One with gaps, or with tokens that are not in the markable, is left out with a warning.
        """
        for name in _MINIMA:
            value = element.get(name)
            if value is None or _is_none(value):
                continue
            parts = self.read_span(value, element, name)
            if parts is None:
                return None
            runs = pieces(mention_of(parts))
            start, end = runs[0]
            if len(runs) == 1 and any(p[0] <= start and end <= p[1] for p in pieces(mention)):
                return start, end
            reason = f"{name} {value!r:.60} has gaps or is outside the markable; it is left out"
            hint = "Name one run of words of the markable."
            self.notes.warn("bad-span", reason, *element.place, hint)
        return None

    def make_entities(self, markables: list[_Markable]) -> list[tuple[str, list[_Markable]]]:
        """Return the entities with their names, in the order of the text."""
        joined = [[markables[n] for n in numbers] for numbers in self.join_markables(markables)]
        entities = [sorted(members, key=lambda m: pieces(m.mention)) for members in joined]
        named: dict[str, list[_Markable]] = {}
        # Entities with a set are named first, so that they keep the set's name, and others get "'".
        for entity in sorted(entities, key=lambda entity: not any(m.sets for m in entity)):
            sets = sorted({pair for markable in entity for pair in markable.sets})
            if conflict := _find_conflict(sets):
                reason = f"pointers, or sets of another attribute, join {conflict}"
                hint = "Put them into one set, remove a pointer, "
                hint += "or name one attribute with --identity."
                self.error("two-entities", reason, entity[0].element, hint)
            name = sets[0][1] if sets else entity[0].id
            while name in named:
                name += "'"
            named[name] = entity
        return sorted(named.items(), key=lambda item: pieces(item[1][0].mention))

    def join_markables(self, markables: list[_Markable]) -> list[list[int]]:
        """Join markables of the same set, and those that a pointer joins; return their numbers."""
        numbers = {markable.id: number for number, markable in enumerate(markables)}
        sets, pointed = UnionFind(len(markables)), UnionFind(len(markables))
        first_of_set: dict[tuple[str, str], int] = {}
        for number, markable in enumerate(markables):
            for pair in markable.sets:
                sets.join(number, first_of_set.setdefault(pair, number))
        for number, markable in enumerate(markables):
            for target in markable.targets:
                points = f"{markable.id} points to {target}"
                other = numbers.get(target)
                if other is None:
                    reason = f"{markable.id} points to {target!r:.60}, which was not read"
                    hint = "Write the id of a markable of the same level."
                    self.error("unknown-mention", reason, markable.element, hint)
                elif conflict := _find_conflict([*markable.sets, *markables[other].sets]):
                    reason = f"{points}, but they are in {conflict}"
                    hint = "Put both into one set, or remove the pointer."
                    self.error("two-entities", reason, markable.element, hint)
                else:
                    if pointed.root(number) == pointed.root(other):
                        reason = f"{points}, but they are already in one entity"
                        self.notes.warn("bad-link", reason, *markable.element.place)
                    pointed.join(number, other)
                    sets.join(number, other)
        return sets.sets()


def _find_conflict(sets: Iterable[tuple[str, str]]) -> str | None:
    """Return a text about the first two sets of one attribute, which cannot be one entity."""
    values: dict[str, str] = {}
    for name, value in sets:
        if values.setdefault(name, value) != value:
            return f"the sets {values[name]!r:.40} and {value!r:.40} of {name!r:.40}"
    return None


FORMAT = Format(
    name="mmax2",
    title="MMAX2",
    sniff=sniff,
    evidence="XML with the root `mmax_project`, or a level `coref` without a project next to it",
    read=read,
    unwritten="choose conllua, which stores the same information in one file",
    endings=(".mmax",),
    beside=tuple((".mmax", f"*{ending}") for ending in _PARTS),
    identity=True,
    clues=tuple(
        (sign, "It is a part of a project of MMAX2; give the file NAME.mmax.")
        for sign in (b"<markables", b"<words")
    ),
)
