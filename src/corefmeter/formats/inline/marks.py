"""The marks of marked text: how they are written in each style, and a text without them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from corefmeter.formats.notes import Lines, Notes
from corefmeter.formats.standoff import Folded

#: The styles of marks.
STYLES = ("brackets", "inside", "tags", "words")

#: Stands for an empty node in a text without marks.
ZERO = "\ue000"

#: The longest name of an entity before a closing sign, in characters.
LONGEST_NAME = 100

#: Attributes of a tag that may name the entity, the first that is there.
ENTITY = ("group", "cluster", "cluster_id", "entity_id", "eid", "chain", "set", "id", "entity")

#: Tags of mentions whose names do not name the entity.
_TAGS = frozenset(
    ("m", "mention", "e", "ent", "entity", "coref", "referent", "ref", "np", "span", "mark")
)

_BARE = r"\d+(?:_\d+)*|[^\W\d_][^\W_]*(?:[_-][^\W_]+)*"
_SUFFIX = re.compile(
    rf"""_?\^?\{{(?P<braced>[^{{}}\n]*)\}}
      | \((?P<linked>\#[^()\n]*|(?:[A-Za-z]+[_-]?)?\d+)\)
      | [_^\#]\#?(?P<bare>{_BARE})
      | (?P<low>[₀-₉]+)""",
    re.VERBOSE,
)
_INSIDE = re.compile(r"\s*[|:]\s*\#?((?:[^\W_]+[_-])*[^\W_]+)\s*\Z")
#: The id of an entity that begins a mention: ``[1: the dog]``.
_FIRST = r"\s*\#?((?:[A-Za-z]{1,8}[_-]?)?\d+)\s*[|:](?=\s*[^\W\d_])\s*"
_ID_FIRST = re.compile(rf"(?<!\\)\[{_FIRST}")
_ID_LAST = re.compile(r"[|:]\s*\#?(?:[A-Za-z]{1,8}[_-]?)?\d+\s*\]")
_ESCAPED = r"\\[\[\]\\<>{}|#]"
_BRACKET = re.compile(rf"{_ESCAPED}|\[|\]")
_TAG = re.compile(rf"{_ESCAPED}|<(/?)([A-Za-z_][\w.:-]*|\d+)(\s[^<>]*)?>")
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_WORD_MARKS = re.compile(r"(.*)\|((?:\[?[^\s\[\],|]+\]?)(?:,\[?[^\s\[\],|]+\]?)*)", re.DOTALL)
_SHORT_ID = re.compile(r"[^\W\d_]{0,3}\d+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

#: What shows each style, for counting.
SIGNS = {
    "brackets": re.compile(rf"(?<!\\)\](?!\(\d)(?:{_SUFFIX.pattern})", re.VERBOSE),
    "inside": re.compile(
        r"(?<!\\)\[[^\[\]\n]*[^\[\]\s]\s*[|:]\s*\#?\w+\s*\](?![_^\#({])"
        rf"|(?<!\\)\[{_FIRST}[^\[\]\n]*\](?![_^\#({{])"
    ),
    "tags": re.compile(r"</(?:(?=[\w.:-]*\d)[\w.:-]++|(?i:" + "|".join(sorted(_TAGS)) + r"))>"),
    "words": re.compile(r"(?<=\S)(?<!\\)\|(?:\[[\w.-]+\]?|[\w.-]+\])(?:,\[?[\w.-]+\]?)*(?=\s|\Z)"),
}


class Mark(NamedTuple):
    """A marked mention.

    Parameters
    ----------
    start, end
        Characters of the text without marks, half-open.
    entity
        The name of the entity.
    at
        Where the mark begins in the text with marks.
    """

    start: int
    end: int
    entity: str
    at: int


class Annotated(NamedTuple):
    """A text that had marks in it.

    Parameters
    ----------
    text
        Without the marks.
    marks
        The mentions, in the order in which they are closed.
    kept
        Pairs ``(character of the text, character with marks)``, ascending: from there on, both go
        up by one.
    lines
        The lines of the text with marks; None if all of it is one line of the file.
    first_line
        The number of the first line.
    wrong
        How many marks were repaired or left out.
    """

    text: str
    marks: list[Mark]
    kept: list[tuple[int, int]]
    lines: Lines | None
    first_line: int
    wrong: int = 0

    def place(self, at: int) -> tuple[int, int | None]:
        """Line and column of a character of the text with marks; in JSON, only the line."""
        if self.lines is None:
            return self.first_line, None
        line, column = self.lines.place(at)
        return self.first_line + line - 1, column

    def origin(self, character: int) -> int:
        """Return the character with marks that a character of the text was."""
        index = bisect_right(self.kept, character, key=lambda pair: pair[0]) - 1
        own, other = self.kept[max(index, 0)]
        return other + character - own


def style_of(text: str) -> str | None:
    """Return the style of the marks in a text: the one with most marks; None without any.

    Examples
    --------
    >>> style_of("[Ann](#1) saw [her](#1) dog"), style_of("Ann|[e1] saw her|[e1] dog")
    ('brackets', 'words')
    """
    counts = {style: sum(1 for _ in sign.finditer(text)) for style, sign in SIGNS.items()}
    best = max(STYLES, key=counts.__getitem__)
    return best if counts[best] else None


class _Sign(NamedTuple):
    """A piece of a text that may be a mark.

    Parameters
    ----------
    start, end
        Where it stands.
    opens, closes
        Whether it begins or ends a mention; neither for an escaped character.
    label
        What must be the same for an opening and a closing sign to belong together.
    entities
        The names of the entities, as far as the sign tells them.
    """

    start: int
    end: int
    opens: bool
    closes: bool
    label: str
    entities: list[str]


def parse(
    text: str,
    style: str,
    notes: Notes,
    *,
    first_line: int = 1,
    strict: bool = False,
    one_line: bool = False,
) -> Annotated:
    """Take the marks out of a text.

    Parameters
    ----------
    text
        With marks.
    style
        One of `STYLES`.
    notes
        Where marks that are wrong are noted: as warnings, or as errors if `strict`.
    first_line
        The line of the file where the text begins.
    one_line
        Whether the whole text stands on that line, as in JSON.

    Examples
    --------
    >>> found = parse("[the [big]_2 dog]_1", "brackets", Notes("-"))
    >>> found.text, [mark[:3] for mark in found.marks]
    ('the big dog', [(4, 7, '2'), (0, 11, '1')])
    """
    lines = None if one_line else Lines(text)
    text = text.replace(ZERO, "\ufffd")
    builder = _Builder(text)
    if style == "words":
        problems = _take_word_marks(text, builder)
    else:
        signs = list(_tag_signs(text) if style == "tags" else _bracket_signs(text, style))
        problems = _take_signs(text, signs, builder, style)
    annotated = builder.finish(lines, first_line)
    folded: Folded | None = None
    for mark in annotated.marks:
        if mark.start < mark.end and not annotated.text[mark.start].isspace():
            continue
        folded = folded or Folded(annotated.text)
        if folded.blank(mark.start, mark.end):
            message = f"a mention of entity {mark.entity} without a word; left out"
            problems.append(("empty-mention", message, mark.at))
    for code, message, at in sorted(problems, key=lambda problem: problem[2]):
        line, column = annotated.place(at)
        if strict:
            hint = "Correct the mark; in a response (side='response') it would be left out."
            notes.error(code, message, line, column, hint)
        else:
            notes.warn(code, message, line, column)
    return annotated._replace(wrong=len(problems))


#: A problem before its line and column are known: code, message, place.
_Found = tuple[str, str, int]


class _Builder:
    """A text without marks, while it is put together."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.parts: list[str] = []
        self.length = 0
        self.kept: list[tuple[int, int]] = [(0, 0)]
        self.marks: list[Mark] = []

    def keep(self, start: int, end: int) -> None:
        """Take a piece of the source over."""
        if end > start:
            self.put(self.source[start:end], start)

    def put(self, text: str, origin: int) -> None:
        """Insert a replacement text at a place of the source."""
        if self.kept[-1][0] == self.length:
            self.kept.pop()
        self.kept.append((self.length, origin))
        self.parts.append(text)
        self.length += len(text)

    def finish(self, lines: Lines | None, first_line: int) -> Annotated:
        return Annotated("".join(self.parts), self.marks, self.kept or [(0, 0)], lines, first_line)


def _bracket_signs(text: str, style: str) -> Iterator[_Sign]:
    """The brackets of a text, closing ones with the names that follow or precede them.

    In the style ``inside`` the names come first, ``[1: the dog]``, where more brackets do so.
    """
    end = 0
    first = style == "inside" and len(_ID_FIRST.findall(text)) > len(_ID_LAST.findall(text))
    named_first: list[bool] = []  # for each bracket that is open
    for match in _BRACKET.finditer(text):
        start = match.start()
        if start < end:
            continue
        sign = match[0]
        end = match.end()
        if sign == "[" and first:
            match = _ID_FIRST.match(text, start) or match
            end = match.end()
            named_first.append(match.re is _ID_FIRST)
            yield _Sign(start, end, True, False, "", [match[1]] if named_first[-1] else [])
        elif sign == "]" and first:
            closes = bool(named_first) and named_first.pop()
            yield _Sign(start, end, False, closes, "", [])
        elif sign == "[":
            yield _Sign(start, end, True, False, "", [])
        elif sign == "]":
            names: list[str] = []
            named = False
            if style == "inside":
                inside = _named_before(text, end=start, after=0)
                if inside:
                    start, named = inside.start(), True
                    names = [inside[1]]
            else:
                while suffix := _SUFFIX.match(text, end):
                    end, named = suffix.end(), True
                    names += _names(suffix)
            # A bracket with a mark that names nothing, such as ](#), is no part of the text.
            yield _Sign(start, end, False, named, "", names)
        else:
            yield _Sign(start, end, False, False, sign[1], [])


def _names(suffix: re.Match[str]) -> list[str]:
    """Return the entities that are named behind a bracket."""
    if suffix["low"]:
        return [suffix["low"].translate(_SUBSCRIPTS)]
    if suffix["bare"]:
        parts: list[str] = suffix["bare"].split("_")
        return parts if all(map(_SHORT_ID.fullmatch, parts)) else [suffix["bare"]]
    names = re.split(r"[,;]", suffix["braced"] or suffix["linked"] or "")
    return [name for name in (name.strip().removeprefix("#").strip() for name in names) if name]


def _tag_signs(text: str) -> Iterator[_Sign]:
    """The tags of a text that mark mentions."""
    for match in _TAG.finditer(text):
        start, end = match.span()
        if match[2] is None:
            yield _Sign(start, end, False, False, match[0][1], [])
            continue
        closes, name = bool(match[1]), match[2].lower()
        if name in _TAGS:
            label, entity = name, None if closes else _entity_of(match[3] or "")
        elif any(map(str.isdigit, name)):
            label, entity = match[2], match[2]
        else:
            continue
        yield _Sign(start, end, not closes, closes, label, [] if entity is None else [entity])


def _entity_of(attributes: str) -> str | None:
    """Return the name of the entity among the attributes of a tag."""
    found = {
        match[1].lower(): match[2] or match[3] or match[4] or ""
        for match in _ATTRIBUTE.finditer(attributes)
    }
    return next((found[name].removeprefix("#") for name in ENTITY if found.get(name)), None)


def _take_signs(text: str, signs: list[_Sign], builder: _Builder, style: str) -> list[_Found]:
    """Put a text together without its brackets or tags; what was wrong with them."""
    pairs, problems = _paired(text, signs, style)
    opened: dict[int, int] = {}  # the number of an opening sign -> where its mention begins
    at = 0
    for number, sign in enumerate(signs):
        partner = pairs[number]
        names = sign.entities
        end = sign.start
        if sign.closes and partner >= 0 and not names:
            names = signs[partner].entities
            if style == "tags" and not names and (inside := _named_before(text, end, at)):
                names, end = [inside[1]], inside.start()
        builder.keep(at, end)
        at = sign.end
        if partner == _LITERAL:
            if sign.label and not (sign.opens or sign.closes):
                builder.put(sign.label, sign.end - 1)
            else:
                builder.keep(sign.start, sign.end)
        elif partner == _LEFT_OUT:
            continue
        elif sign.opens:
            opened[number] = builder.length
        else:
            start, opening = opened.pop(partner), signs[partner]
            builder.marks += [Mark(start, builder.length, name, opening.start) for name in names]
            if not names:
                shown = _shown(text[opening.end : sign.start])
                message = f"the mention {shown} names no entity; left out"
                problems.append(("no-entity-name", message, opening.start))
    builder.keep(at, len(text))
    return problems


#: What becomes of a sign that has no partner.
_LITERAL, _LEFT_OUT = -1, -2


def _paired(text: str, signs: list[_Sign], style: str) -> tuple[list[int], list[_Found]]:
    """For each sign the number of its partner, or what becomes of it."""
    pairs = [_LITERAL] * len(signs)
    problems: list[_Found] = []
    waiting: list[int] = []
    for number, sign in enumerate(signs):
        if sign.opens:
            waiting.append(number)
            continue
        if style == "tags" and sign.closes:
            place = _last(waiting, signs, sign.label)
        elif sign.closes or not sign.label:
            place = len(waiting) - 1
        else:
            continue  # an escaped character
        partner = waiting.pop(place) if place >= 0 else None
        if not sign.closes:
            continue  # a pair of brackets without a name is text
        if partner is None:
            pairs[number] = _LEFT_OUT
            shown = text[sign.start : sign.end]
            message = f"a mention is closed here by {shown!r:.60} that was not opened; left out"
            problems.append(("close-without-open", message, sign.start))
        else:
            pairs[number], pairs[partner] = partner, number
    for number in waiting:
        pairs[number] = _LEFT_OUT
        sign = signs[number]
        shown = _shown(text[sign.start : sign.start + 60])
        message = f"the mention that begins {shown} is never closed; left out"
        problems.append(("unclosed-mention", message, sign.start))
    return pairs, problems


def _last(waiting: list[int], signs: list[_Sign], label: str) -> int:
    """Return the index of the last open sign with a label; -1 if there is none."""
    for place in range(len(waiting) - 1, -1, -1):
        if signs[waiting[place]].label == label:
            return place
    return -1


def _named_before(text: str, end: int, after: int) -> re.Match[str] | None:
    """Return the entity that is named before a closing sign: ``the dog | 1``."""
    return _INSIDE.search(text, max(after, end - LONGEST_NAME), end)


def _take_word_marks(text: str, builder: _Builder) -> list[_Found]:
    """Put a text together without the marks of its words; what was wrong with them."""
    problems: list[_Found] = []
    waiting: dict[str, list[tuple[int, int]]] = {}
    at = 0
    for word in re.finditer(r"\S+", text):
        builder.keep(at, word.start())
        at = word.end()
        match = _WORD_MARKS.fullmatch(word[0])
        if match is None or not any(sign in match[2] for sign in "[]"):
            plain, marks = word[0], ""
            if "|[" in plain or (("|" in plain) and plain.endswith("]")):
                plain, _, rest = plain.partition("|")
                message = f"the marks {rest!r:.60} are not made of [ID, ID] and [ID]; left out"
                problems.append(("bad-cell", message, word.start() + len(plain) + 1))
        else:
            plain, marks = match[1], match[2]
        start = builder.length
        builder.put(ZERO if plain.startswith("##") else plain, word.start())
        for mark in filter(None, marks.split(",")):
            name = mark.strip("[]")
            place = word.start() + len(plain) + 1
            if mark.startswith("[") and mark.endswith("]"):
                builder.marks.append(Mark(start, builder.length, name, word.start()))
            elif mark.startswith("["):
                waiting.setdefault(name, []).append((start, word.start()))
            elif not mark.endswith("]"):
                message = f"the mark {mark!r:.60} neither opens nor closes a mention; left out"
                problems.append(("bad-cell", message, place))
            elif waiting.get(name):
                begin, origin = waiting[name].pop()
                builder.marks.append(Mark(begin, builder.length, name, origin))
            else:
                message = f"a mention of entity {name} is closed here that was not opened; left out"
                problems.append(("close-without-open", message, place))
    builder.keep(at, len(text))
    for name, begins in waiting.items():
        for _, origin in begins:
            message = f"the mention of entity {name} that begins here is never closed; left out"
            problems.append(("unclosed-mention", message, origin))
    return problems


def _shown(text: str) -> str:
    """Return a piece of a text in quotes, white space made one blank, cut when it is long."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= 40 else f"{plain[:37]}...")
