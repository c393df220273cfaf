"""The marks of marked text: how each style writes them, and the text without them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from typing import Literal, NamedTuple

from corefmeter.formats.notes import Lines, Notes, truncated
from corefmeter.formats.standoff import Folded

#: The styles of marks.
STYLES = ("brackets", "inside", "tags", "words")

#: The character that denotes an empty node in a text without marks.
ZERO = "\ue000"

#: The longest name of an entity before a closing sign, in characters.
LONGEST_NAME = 100

#: Attributes of a tag that may name the entity; the first of them counts.
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
#: A word with marks, or of an empty node.
_SIGNED_WORD = re.compile(r"(?<!\S)(?:\#\#|[^\s|]*+\|)\S*")
_SHORT_ID = re.compile(r"[^\W\d_]{0,3}\d+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

#: The closing mark of each style, for counting. Patterns are fast where they begin with a sign.
SIGNS = {
    "brackets": re.compile(rf"\](?<!\\\])(?!\(\d)(?:{_SUFFIX.pattern})", re.VERBOSE),
    "inside": re.compile(
        r"\[(?<!\\\[)(?:[^\[\]\n]*[^\[\]\s]\s*[|:]\s*\#?\w+\s*\](?![_^\#({])"
        rf"|{_FIRST}[^\[\]\n]*\](?![_^\#({{]))"
    ),
    "tags": re.compile(r"</(?:(?=[\w.:-]*\d)[\w.:-]++|(?i:" + "|".join(sorted(_TAGS)) + r"))>"),
    "words": re.compile(
        r"\|(?<=\S\|)(?<!\\\|)(?:\[[\w.-]+\]?|[\w.-]+\])(?:,\[?[\w.-]+\]?)*(?=\s|\Z)"
    ),
}

#: Where a mention begins, in the text without marks and in the text with them.
_Begin = tuple[int, int]


class Mark(NamedTuple):
    """A marked mention: its characters in the text without marks, half-open, and its entity.

    `at` is where the mark begins in the text with marks.
    """

    start: int
    end: int
    entity: str
    at: int


class Annotated(NamedTuple):
    """A text without the marks that it had, and the mentions in the order in which they close.

    `kept` has pairs ``(character of the text, character with marks)``, ascending: from there on,
    both go up by one. `lines` index the text with marks; None if all of it is one line of the file.
    `wrong` is the number of marks that were repaired or left out.
    """

    text: str
    marks: list[Mark]
    kept: list[tuple[int, int]]
    lines: Lines | None
    first_line: int
    wrong: int = 0

    def zeros(self) -> list[int]:
        """Return the characters that are empty nodes."""
        return [match.start() for match in re.finditer(ZERO, self.text)]

    def mentions(self) -> list[Mark]:
        """Return the mentions in the order of the text, longer ones first."""
        return sorted(self.marks, key=lambda mark: (mark.start, -mark.end))

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


class _Sign(NamedTuple):
    """A piece of a text that may be a mark.

    `label` is the escaped character, or what must be the same for an opening and a closing sign to
    belong together. `entities` are the names of the entities, as far as the sign has them.
    """

    start: int
    end: int
    kind: Literal["opens", "closes", "unnamed", "escaped"]
    label: str
    entities: list[str]


class _MarkProblem(NamedTuple):
    """A problem at a place of the text with marks."""

    code: str
    message: str
    at: int


def style_of(text: str) -> str | None:
    """Return the style of the marks in a text: the one with most marks; None without any."""
    counts = {style: sum(1 for _ in sign.finditer(text)) for style, sign in SIGNS.items()}
    best = max(STYLES, key=counts.__getitem__)
    return best if counts[best] else None


def parse(
    text: str,
    style: str,
    notes: Notes,
    *,
    first_line: int = 1,
    strict: bool = False,
    one_line: bool = False,
) -> Annotated:
    """Take the marks out of a text, which begins on a line of the file, or is `one_line` of it.

    Marks that are wrong are noted as warnings, or as errors if `strict`.
    """
    lines = None if one_line else Lines(text)
    builder = _Builder(text.replace(ZERO, "\ufffd"))
    if style == "words":
        builder.take_word_marks()
    else:
        builder.take_signs(style)
    plain, problems = "".join(builder.parts), builder.problems
    folded: Folded | None = None
    for mark in builder.marks:
        if mark.start == mark.end or plain[mark.start].isspace():
            folded = folded or Folded(plain)
            if folded.is_blank(mark.start, mark.end):
                message = f"a mention of entity {mark.entity} has no word; left out"
                problems.append(_MarkProblem("empty-mention", message, mark.at))
    kept = builder.kept or [(0, 0)]
    annotated = Annotated(plain, builder.marks, kept, lines, first_line, len(problems))
    for problem in sorted(problems, key=lambda problem: problem.at):
        place = annotated.place(problem.at)
        if strict:
            hint = "Correct the mark. In a response (side='response') it would be left out."
            notes.error(problem.code, problem.message, *place, hint)
        else:
            notes.warn(problem.code, problem.message, *place)
    return annotated


class _Builder:
    """Builds a text without marks, with its mentions and the problems of its marks."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parts: list[str] = []
        self.length = 0
        self.kept: list[tuple[int, int]] = [(0, 0)]
        self.marks: list[Mark] = []
        self.problems: list[_MarkProblem] = []

    def keep(self, start: int, end: int) -> None:
        """Add a piece of the source to the text."""
        if end > start:
            self.put(self.source[start:end], start)

    def put(self, text: str, origin: int) -> None:
        """Add a text that replaces a sign or a word of the source, which begins at `origin`."""
        if self.kept[-1][0] == self.length:
            self.kept.pop()
        self.kept.append((self.length, origin))
        self.parts.append(text)
        self.length += len(text)

    def warn(self, code: str, message: str, at: int) -> None:
        """Note that a mark at a character of the source is left out."""
        self.problems.append(_MarkProblem(code, f"{message}; left out", at))

    def take_signs(self, style: str) -> None:
        """Put the text together without its brackets or tags."""
        text = self.source
        signs = list(_tag_signs(text) if style == "tags" else _bracket_signs(text, style))
        partners, left_out = self.pair_signs(signs, by_label=style == "tags")
        begins: dict[int, int] = {}  # where the mentions of opening signs begin
        at = 0
        for number, sign in enumerate(signs):
            partner = partners.get(number)
            names, end = sign.entities, sign.start
            if partner is not None and sign.kind == "closes" and not names:
                names = signs[partner].entities
                if style == "tags" and not names and (inside := _find_name_before(text, end, at)):
                    names, end = [inside[1]], inside.start()
            self.keep(at, end)
            at = sign.end
            if number in left_out:
                continue
            if partner is None and sign.kind == "escaped":
                self.put(sign.label, sign.end - 1)
            elif partner is None:
                self.keep(sign.start, sign.end)
            elif sign.kind == "opens":
                begins[number] = self.length
            else:
                self.add_mention(begins.pop(partner), names, signs[partner], sign)
        self.keep(at, len(text))

    def add_mention(self, start: int, names: list[str], opening: _Sign, closing: _Sign) -> None:
        """Add a mention that ends here to each named entity; without a name it is a problem."""
        self.marks += [Mark(start, self.length, name, opening.start) for name in names]
        if not names:
            shown = shorten(self.source[opening.end : closing.start])
            self.warn("no-entity-name", f"the mention {shown} names no entity", opening.start)

    def pair_signs(
        self, signs: Sequence[_Sign], by_label: bool
    ) -> tuple[dict[int, int], Container[int]]:
        """Return the number of the partner of each sign, and the signs that are left out.

        A sign that is in neither is text, as a pair of brackets without a name is. With `by_label`
        a sign is closed by one of the same label, else by the next.
        """
        partners: dict[int, int] = {}
        left_out: set[int] = set()
        waiting: list[int] = []
        for number, sign in enumerate(signs):
            if sign.kind == "opens":
                waiting.append(number)
            elif sign.kind != "escaped":
                place = len(waiting) - 1
                while by_label and place >= 0 and signs[waiting[place]].label != sign.label:
                    place -= 1
                partner = waiting.pop(place) if place >= 0 else None
                if sign.kind == "unnamed":
                    continue
                if partner is not None:
                    partners[number], partners[partner] = partner, number
                    continue
                left_out.add(number)
                shown = self.source[sign.start : sign.end]
                message = f"a mention is closed here by {shown!r:.60} that was not opened"
                self.warn("close-without-open", message, sign.start)
        for number in waiting:
            start = signs[number].start
            shown = shorten(self.source[start : start + 60])
            self.warn("unclosed-mention", f"the mention that begins {shown} is never closed", start)
        return partners, left_out.union(waiting)

    def take_word_marks(self) -> None:
        """Put the text together without the marks of its words."""
        waiting: dict[str, list[tuple[int, int]]] = {}
        at = 0
        for word in _SIGNED_WORD.finditer(self.source):
            self.keep(at, word.start())
            at = word.end()
            match = _WORD_MARKS.fullmatch(word[0])
            if match is not None and any(sign in match[2] for sign in "[]"):
                plain, marks = match.groups()
            else:
                plain, marks = word[0], ""
                if "|[" in plain or ("|" in plain and plain.endswith("]")):
                    plain, _, rest = plain.partition("|")
                    message = f"the marks {rest!r:.60} are not made of [ID, ID] and [ID]"
                    self.warn("bad-cell", message, word.start() + len(plain) + 1)
            start = self.length
            self.put(ZERO if plain.startswith("##") else plain, word.start())
            for mark in filter(None, marks.split(",")):
                self.take_word_mark(mark, start, word.start(), len(plain), waiting)
        self.keep(at, len(self.source))
        for name, begins in waiting.items():
            for _, origin in begins:
                message = f"the mention of entity {name} that begins here is never closed"
                self.warn("unclosed-mention", message, origin)

    def take_word_mark(
        self, mark: str, start: int, origin: int, length: int, waiting: dict[str, list[_Begin]]
    ) -> None:
        """Read one mark of a word: ``[e1]``, ``[e1`` or ``e1]``.

        The word begins at `start` in the text without marks and at `origin` in the source, and
        `length` is its own. `waiting` has the begins of open mentions by entity.
        """
        name = mark.strip("[]")
        if mark.startswith("["):
            waiting.setdefault(name, []).append((start, origin))
        elif not mark.endswith("]"):
            message = f"the mark {mark!r:.60} neither opens nor closes a mention"
            self.warn("bad-cell", message, origin + length + 1)
        elif not waiting.get(name):
            message = f"a mention of entity {name} is closed here that was not opened"
            self.warn("close-without-open", message, origin + length + 1)
        if mark.endswith("]") and waiting.get(name):
            opened_at, opened_origin = waiting[name].pop()
            self.marks.append(Mark(opened_at, self.length, name, opened_origin))


def _bracket_signs(text: str, style: str) -> Iterator[_Sign]:
    """Yield the brackets of a text, the closing ones with the names that follow or precede them.

    In the style ``inside`` the name comes first, ``[1: the dog]``, or last, as in most brackets.
    """
    names_first = style == "inside" and len(_ID_FIRST.findall(text)) > len(_ID_LAST.findall(text))
    named_first: list[bool] = []  # for each open bracket, whether a name follows it
    end = 0
    for match in _BRACKET.finditer(text):
        start, sign = match.start(), match[0]
        if start < end:
            continue  # within the names of the bracket before
        end = match.end()
        if len(sign) > 1:
            yield _Sign(start, end, "escaped", sign[1], [])
        elif sign == "[":
            first = _ID_FIRST.match(text, start) if names_first else None
            named_first.append(first is not None)
            end = first.end() if first else end
            yield _Sign(start, end, "opens", "", [first[1]] if first else [])
        elif names_first:
            closes = bool(named_first) and named_first.pop()
            yield _Sign(start, end, "closes" if closes else "unnamed", "", [])
        elif style == "inside":
            inside = _find_name_before(text, end=start, after=0)
            start = inside.start() if inside else start
            names = [inside[1]] if inside else []
            yield _Sign(start, end, "closes" if inside else "unnamed", "", names)
        else:
            names = []
            while suffix := _SUFFIX.match(text, end):
                end = suffix.end()
                names += _names_of_suffix(suffix)
            # A bracket with a mark that names nothing, such as ](#), is no part of the text.
            yield _Sign(start, end, "closes" if end > match.end() else "unnamed", "", names)


def _names_of_suffix(suffix: re.Match[str]) -> list[str]:
    """Return the entities that are named behind a bracket."""
    if suffix["low"]:
        return [suffix["low"].translate(_SUBSCRIPTS)]
    if suffix["bare"]:
        parts: list[str] = suffix["bare"].split("_")
        return parts if all(map(_SHORT_ID.fullmatch, parts)) else [suffix["bare"]]
    names = re.split(r"[,;]", suffix["braced"] or suffix["linked"] or "")
    return [name for name in (name.strip().removeprefix("#").strip() for name in names) if name]


def _tag_signs(text: str) -> Iterator[_Sign]:
    """Yield the tags of a text that mark mentions, and escaped characters."""
    for match in _TAG.finditer(text):
        start, end = match.span()
        slash, name, attributes = match.groups()
        if name is None:
            yield _Sign(start, end, "escaped", match[0][1], [])
        elif name.lower() in _TAGS:
            entity = None if slash else _entity_of(attributes or "")
            names = [] if entity is None else [entity]
            yield _Sign(start, end, "closes" if slash else "opens", name.lower(), names)
        elif any(map(str.isdigit, name)):
            yield _Sign(start, end, "closes" if slash else "opens", name, [name])


def _entity_of(attributes: str) -> str | None:
    """Return the name of the entity among the attributes of a tag."""
    values = {
        match[1].lower(): match[2] or match[3] or match[4] or ""
        for match in _ATTRIBUTE.finditer(attributes)
    }
    return next((values[name].removeprefix("#") for name in ENTITY if values.get(name)), None)


def _find_name_before(text: str, end: int, after: int) -> re.Match[str] | None:
    """Return the entity that is named before a closing sign: ``the dog | 1``."""
    return _INSIDE.search(text, max(after, end - LONGEST_NAME), end)


def shorten(text: str) -> str:
    """Return a piece of a text in quotes, with single spaces, truncated if it is long."""
    return repr(truncated(" ".join(text.split()), 40))
