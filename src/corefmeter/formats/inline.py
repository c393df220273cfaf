"""Text with marks in it, as language models are asked to write it.

Five styles of marks; a file keeps to one of them, which is recognised:

``brackets``
    ``[the big dog]_1 saw [its]_1 tail``; the name of the entity follows the closing bracket, in any
    of the ways ``]_1``, ``]_{1}``, ``]{1}``, ``](#1)``, ``](1)``, ``]#1``, ``]^1`` and ``]₁``.
``inside``
    ``[the big dog | 1] saw [its | 1] tail``, also with a colon.
``tags``
    ``<e1>its</e1>``, ``<mention id="1">its</mention>`` or ``<m> its | 1 </m>``. The name of the
    entity is the tag, if there is a digit in it, or an attribute (`ENTITY`).
``words``
    ``the|[e1 big dog|e1] saw its|[e1] tail``: marks follow the word where a mention begins or
    ends, joined by commas; ``##`` begins an empty node. This is the plain text of the
    language-model track of the CRAC 2025 shared task, one document a line, in the order of the key.

Marks may be nested; those of ``tags`` and ``words`` may cross. A mention in several entities is
marked several times, or with several names: ``]_{1,2}``, ``](#1)(#2)``. A backslash before a
bracket, ``<``, ``|``, ``#``, ``{`` or another backslash makes it part of the text; and so are
brackets without a name.

Documents begin with a line ``# document NAME`` or ``#begin document (NAME); part 000``; or each is
a file, called as the document; or a JSON line ``{"doc_id": …, "text": …}``. Without a name,
documents belong to those of the key in order.

By itself such a file is a document whose tokens are the words between white space, cut where a
mention begins or ends. As a response it is aligned with the words of the key, whatever happened to
its own: see `corefmeter.formats.inline_align`. What is wrong with marks is an error in a key, and
repaired, with a warning, in a response.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import EmptyNode, is_run, mention_of
from corefmeter.corpus.text import Text
from corefmeter.formats.conll_lines import header
from corefmeter.formats.json_documents import Reader
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_writing import spans_to_write
from corefmeter.formats.notes import Notes, lost, numbered_lines
from corefmeter.formats.source import Source, expand, stem
from corefmeter.problems import Problem, unknown

NAME = "inline"
TITLE = "text with marks"

#: Any text may have brackets, so all other formats are asked before.
GUESS = True

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
_ESCAPED = r"\\[\[\]\\<>{}|#]"
_BRACKET = re.compile(rf"{_ESCAPED}|\[|\]")
_TAG = re.compile(rf"{_ESCAPED}|<(/?)([A-Za-z_][\w.:-]*|\d+)(\s[^<>]*)?>")
_ATTRIBUTE = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_WORD_MARKS = re.compile(r"(.*)\|((?:\[?[^\s\[\],|]+\]?)(?:,\[?[^\s\[\],|]+\]?)*)", re.DOTALL)
_SHORT_ID = re.compile(r"[^\W\d_]{0,3}\d+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

#: What shows each style, for counting.
_SIGNS = {
    "brackets": re.compile(rf"(?<!\\)\](?!\(\d)(?:{_SUFFIX.pattern})", re.VERBOSE),
    "inside": re.compile(r"(?<!\\)\[[^\[\]\n]*[^\[\]\s]\s*[|:]\s*\#?\w+\s*\](?![_^\#({])"),
    "tags": re.compile(r"</(?:[\w.:-]*\d[\w.:-]*|(?i:" + "|".join(sorted(_TAGS)) + r"))>"),
    "words": re.compile(r"(?<=\S)(?<!\\)\|(?:\[[\w.-]+\]?|[\w.-]+\])(?:,\[?[\w.-]+\]?)*(?=\s|\Z)"),
}

#: A mark that is not rare enough in other texts to be a sign by itself.
_NUMBERED_LINK = re.compile(r"\[[^\[\]]+\]\(\d+\)")

_HEADER = re.compile(
    r"\#\s*(?P<end>end\s+document\b.*)|\#\s*(?:begin\s+)?document\b[ \t:]*(?P<name>.*)"
    r"|\#\s*newdoc\s+id\s*=\s*(?P<id>.*)",
    re.IGNORECASE,
)
_NAMES = ("doc_key", "doc_id", "id", "name")


#: An empty node: the token before which it stands, twice, and its number there.

#: Name and part of a document, and whether the name only says which it is.
_Name = tuple[str, int | None, bool]


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
        Where each line of the text with marks begins; none if all of it is one line of the file.
    first_line
        The number of the first line.
    """

    text: str
    marks: list[Mark]
    kept: list[tuple[int, int]]
    lines: list[int]
    first_line: int

    def place(self, at: int) -> tuple[int, int | None]:
        """Line and column of a character of the text with marks; in JSON, only the line."""
        if not self.lines:
            return self.first_line, None
        line = bisect_right(self.lines, at) - 1
        return self.first_line + line, at - self.lines[line] + 1

    def origin(self, character: int) -> int:
        """The character with marks that a character of the text was."""
        index = bisect_right(self.kept, character, key=lambda pair: pair[0]) - 1
        own, other = self.kept[max(index, 0)]
        return other + character - own


class InlineDocument(Document):
    """A document with the text that its marks were in, to be aligned with a key.

    `marked` is the text with its marks, if it is one line of a file where each is a document.
    """

    __slots__ = ("annotated", "marked")

    annotated: Annotated
    marked: str | None


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the first block has marks in one of the styles."""
    if not any(sign in head for sign in (b"]", b"</")):
        return False
    text = head.decode("utf-8", "replace")
    keys = keys_of(head)
    if keys and b"text" not in keys:
        return False
    if re.match(r"\s*<[?!]", text) or re.search(r"<COREF\b[^<>]*\bREF=", text):
        return False  # XML, and MUC, where marks refer to other marks
    if len(_NUMBERED_LINK.findall(text)) > 2:
        return True
    return style_of(text.replace('\\"', '"') if keys else text) is not None


def style_of(text: str) -> str | None:
    """The style of the marks in a text: the one with most marks; None without any.

    Examples
    --------
    >>> style_of("[Ann](#1) saw [her](#1) dog"), style_of("Ann|[e1] saw her|[e1] dog")
    ('brackets', 'words')
    """
    counts = {style: sum(1 for _ in sign.finditer(text)) for style, sign in _SIGNS.items()}
    best = max(STYLES, key=counts.__getitem__)
    return best if counts[best] else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file; those of a response can be aligned with a key.

    Raises
    ------
    DataError
        With all errors of the file; in a key, also marks that are wrong.
    """
    notes = Notes(source.path)
    found = marked_documents(source, notes, strict=source.side == "key")
    if not details:
        for document in found:
            document.text = None
    return notes.result([*found], concatenate)


def marked_documents(
    source: Source, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """The documents of a file; see `documents_of`."""
    if b"text" in keys_of(source.head):
        return _from_json(source, notes, style, strict)
    text = "\n".join(line for _, line in numbered_lines(source, notes))
    return documents_of(text, notes, style, strict=strict)


def read_marked(source: str, style: str | None = None) -> Corpus:
    """A corpus of files, or of the text itself, whose wrong marks are warnings.

    Parameters
    ----------
    source
        The path of a file, a directory or a glob; anything else with white space or marks in it is
        the text.
    style
        One of `STYLES`; recognised when it is None.

    Raises
    ------
    DataError
        When a file cannot be read.
    OptionError
        For an unknown style.
    """
    is_text = any(map(str.isspace, source)) or style_of(source) is not None
    if is_text and not os.path.lexists(source):
        notes = Notes("<text>")
        documents = documents_of(source, notes, style)
        return Corpus([*documents], format=NAME, problems=notes.finish())
    found: list[Document] = []
    problems: list[Problem] = []
    digests: dict[str, str] = {}
    for path in expand(source):
        notes = Notes(path)
        with Source(path, "response") as file:
            documents = marked_documents(file, notes, style)
            digests[path] = file.digest
        found += notes.distinct([*documents], False)
        problems += notes.finish()
    return Corpus(found, path=source, format=NAME, digests=digests, problems=problems)


def _from_json(
    source: Source, notes: Notes, style: str | None, strict: bool
) -> list[InlineDocument]:
    """The documents of JSON lines with a name and a text."""
    reader = Reader(source, False, TITLE)
    texts = []
    for record in reader.records():
        text = record.values.get("text")
        if isinstance(text, str):
            texts.append((reader.name(record, *_NAMES), text, record.line))
        elif "text" in record.values:
            record.unexpected("text", text, "a string")
        else:
            reader.lacks(record, "text")
    for problem in (*reader.errors, *reader.warnings):
        notes.keep(problem)
    common = style_of("\n".join(text for _, text, _ in texts))
    return [
        _document(
            text, notes, name, line, style or style_of(text) or common, strict=strict, one_line=True
        )
        for name, text, line in texts
    ]


def documents_of(
    text: str, notes: Notes, style: str | None = None, *, strict: bool = False
) -> list[InlineDocument]:
    """The documents of a text, which headers may divide.

    Parameters
    ----------
    text
        With marks.
    notes
        Where problems are noted.
    style
        One of `STYLES`; recognised when it is None.
    strict
        Whether wrong marks are errors.

    Raises
    ------
    OptionError
        For an unknown style.
    """
    if style is not None and style not in STYLES:
        raise unknown("style", style, STYLES)
    common = style or style_of(text)
    parts = list(_parts(text, notes, common))
    found = []
    for name, body, line in parts:
        own = style or style_of(body) or common
        document = _document(body, notes, name, line, own, strict=strict)
        if document.numbered and len(parts) > 1 and own == "words":
            document.marked = body
        found.append(document)
    return found


def _parts(text: str, notes: Notes, style: str | None) -> Iterator[tuple[_Name, str, int]]:
    """Name, text and first line of each document."""
    lines = text.split("\n")
    headers = [
        (number, match) for number, line in enumerate(lines) if (match := _HEADER.match(line))
    ]
    if not any(match["end"] is None for _, match in headers):
        yield from _without_headers(lines, notes, style)
        return
    outside = [n for n, line in enumerate(lines[: headers[0][0]]) if line.strip()]
    unnamed = 0
    for (number, match), (end, _) in zip(headers, [*headers[1:], (len(lines), None)], strict=True):
        body = "\n".join(lines[number + 1 : end])
        if match["end"] is not None:
            outside += [n for n in range(number + 1, end) if lines[n].strip()]
            continue
        name, part = header((match["name"] or match["id"] or "").strip().encode())
        numbered = not name
        if numbered:
            unnamed += 1
            name = f"document {unnamed}"
        yield (name, part, numbered), body, number + 2
    if outside:
        message = "a line that belongs to no document"
        notes.warn("outside-document", message, outside[0] + 1, count=len(outside))


def _without_headers(
    lines: list[str], notes: Notes, style: str | None
) -> Iterator[tuple[_Name, str, int]]:
    """A file that is one document, or in the style of marked words one document a line."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if style == "words" and len(filled) > 1:
        for count, number in enumerate(filled, 1):
            yield (f"document {count}", None, True), lines[number], number + 1
    elif filled:
        yield (stem(notes.path), None, True), "\n".join(lines), 1


def _document(
    body: str,
    notes: Notes,
    name: _Name,
    line: int,
    style: str | None,
    *,
    strict: bool,
    one_line: bool = False,
) -> InlineDocument:
    annotated = parse(
        body, style or "brackets", notes, first_line=line, strict=strict, one_line=one_line
    )
    words, entities, names = _as_tokens(annotated)
    document = InlineDocument(
        name[0],
        entities,
        part=name[1],
        entity_names=names,
        tokens=len(words),
        path=notes.path,
        line=line,
        numbered=name[2],
        text=Text(words),
    )
    document.annotated = annotated
    document.marked = None
    return document


# ---- marks ------------------------------------------------------------------------------------


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
    lines = [] if one_line else [0, *(match.end() for match in re.finditer("\n", text))]
    text = text.replace(ZERO, "\ufffd")
    builder = _Builder(text)
    if style == "words":
        problems = _take_word_marks(text, builder)
    else:
        signs = list(_tag_signs(text) if style == "tags" else _bracket_signs(text, style))
        problems = _take_signs(text, signs, builder, style)
    annotated = builder.finish(lines, first_line)
    for mark in annotated.marks:
        if not annotated.text[mark.start : mark.end].strip():
            message = f"a mention of entity {mark.entity} without a word; left out"
            problems.append(("empty-mention", message, mark.at))
    for code, message, at in sorted(problems, key=lambda problem: problem[2]):
        line, column = annotated.place(at)
        if strict:
            hint = "Correct the mark; in a response (side='response') it would be left out."
            notes.error(code, message, line, column, hint)
        else:
            notes.warn(code, message, line, column)
    return annotated


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
        """Put a text in that stands for something at a place of the source."""
        if self.kept[-1][0] == self.length:
            self.kept.pop()
        self.kept.append((self.length, origin))
        self.parts.append(text)
        self.length += len(text)

    def finish(self, lines: list[int], first_line: int) -> Annotated:
        return Annotated("".join(self.parts), self.marks, self.kept or [(0, 0)], lines, first_line)


def _bracket_signs(text: str, style: str) -> Iterator[_Sign]:
    """The brackets of a text, closing ones with the names that follow or precede them."""
    end = 0
    for match in _BRACKET.finditer(text):
        start = match.start()
        if start < end:
            continue
        sign = match[0]
        end = match.end()
        if sign == "[":
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
    """The entities that are named behind a bracket."""
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
    """The name of the entity among the attributes of a tag."""
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
    """Which of the open signs has a label, the last one; -1 if none has."""
    for place in range(len(waiting) - 1, -1, -1):
        if signs[waiting[place]].label == label:
            return place
    return -1


def _named_before(text: str, end: int, after: int) -> re.Match[str] | None:
    """The entity that is named before a closing sign: ``the dog | 1``."""
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
    """A piece of a text in quotes, white space made one blank, cut when it is long."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= 40 else f"{plain[:37]}...")


# ---- documents of their own -------------------------------------------------------------------


def _as_tokens(annotated: Annotated) -> tuple[list[str], Entities, list[str]]:
    """Words between white space, cut where a mention begins or ends; entities; their names."""
    text = annotated.text
    borders = sorted({place for mark in annotated.marks for place in (mark.start, mark.end)})
    begins: list[int] = []
    ends: list[int] = []
    words: list[str] = []
    zeros: list[tuple[int, int]] = []  # place in the text, token before which it stands
    for match in re.finditer(rf"{ZERO}|[^\s{ZERO}]+", text):
        if match[0] == ZERO:
            zeros.append((match.start(), len(words)))
            continue
        first = bisect_right(borders, match.start())
        cuts = borders[first : bisect_right(borders, match.end() - 1)]
        for start, end in zip([match.start(), *cuts], [*cuts, match.end()], strict=True):
            begins.append(start)
            ends.append(end)
            words.append(text[start:end])
    places = [place for place, _ in zeros]
    nodes = numbered_zeros(at for _, at in zeros)
    entities: dict[str, list[Mention]] = {}
    for mark in sorted(annotated.marks, key=lambda mark: (mark.start, -mark.end)):
        start, end = bisect_right(ends, mark.start), bisect_right(begins, mark.end - 1)
        first, last = bisect_left(places, mark.start), bisect_left(places, mark.end)
        mention = with_zeros(start, end, nodes[first:last])
        if mention is not None:
            entities.setdefault(mark.entity, []).append(mention)
    return words, list(entities.values()), list(entities)


def numbered_zeros(tokens: Iterable[int]) -> list[EmptyNode]:
    """Empty nodes before some tokens, numbered from 1 among those before the same token."""
    counts: Counter[int] = Counter()
    nodes: list[EmptyNode] = []
    for at in tokens:
        counts[at] += 1
        nodes.append((at, at, counts[at]))
    return nodes


def with_zeros(start: int, end: int, zeros: list[EmptyNode]) -> Mention | None:
    """A mention of tokens and of empty nodes among them; None without any.

    Examples
    --------
    >>> with_zeros(3, 5, []), with_zeros(3, 5, [(4, 4, 1)]), with_zeros(3, 3, [(3, 3, 2)])
    ((3, 5), ((3, 4), (4, 4, 1), (4, 5)), ((3, 3, 2),))
    """
    run = [(start, end)] if start < end else []
    return mention_of([*run, *zeros]) if run or zeros else None


# ---- writing ----------------------------------------------------------------------------------


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in the style of brackets, one sentence a line.

    What cannot be written is returned as problems: documents whose words were not read, mentions
    with gaps or empty nodes, or that cross another; names with braces or commas.
    """
    problems: list[Problem] = []
    for document in corpus:
        text = document.text
        if text is None or document.unit != "tokens":
            problems.append(lost(document, "the document has no words; left out"))
            continue
        _, left_out = spans_to_write(document, TITLE, names=True)
        problems += left_out
        names, changed = _writable_names(document.entity_names)
        if changed:
            message = "names of entities cannot be written; changed"
            problems.append(lost(document, message, changed))
        opens, closes, crossing = _brackets(document, names)
        if crossing:
            message = f"mentions that cross another cannot be written in {TITLE}; left out"
            problems.append(lost(document, message, crossing))
        part = "" if document.part is None else f"; part {document.part:03d}"
        title = f"({document.name}){part}" if part else document.name
        if header(title.encode("utf-8", "replace")) != (document.name, document.part):
            message = "the name of the document cannot be written; it is changed"
            problems.append(lost(document, message))
        stream.write(f"# document {' '.join(title.split())}\n")
        starts = set(text.sentences[1:])
        for token, word in enumerate(text.words):
            if token:
                stream.write("\n" if token in starts else " ")
            stream.write("[" * opens.get(token, 0) + _escaped(word) + closes.get(token, ""))
        stream.write("\n")
    return problems


def _writable_names(names: list[str]) -> tuple[list[str], int]:
    """Names that can stand in braces, and how many had to be changed."""
    taken = set(names)
    found: list[str] = []
    changed = 0
    for number, name in enumerate(names):
        if name and name == name.strip().removeprefix("#") and not re.search(r"[{},;\s]", name):
            found.append(name)
            continue
        changed += 1
        candidates = (f"{number}{'x' * more}" for more in range(len(names) + 1))
        found.append(next(candidate for candidate in candidates if candidate not in taken))
        taken.add(found[-1])
    return found, changed


def _brackets(document: Document, names: list[str]) -> tuple[dict[int, int], dict[int, str], int]:
    """How many brackets open at each token, what closes after it, and how many mentions cross."""
    spans = sorted(
        (
            (mention, name)
            for name, mentions in zip(names, document.entities, strict=True)
            for mention in mentions
            if is_run(mention)
        ),
        key=lambda item: (item[0][0], -item[0][1]),
    )
    opens: dict[int, int] = {}
    closes: dict[int, str] = {}
    waiting: list[int] = []
    crossing = 0
    for (start, end), name in spans:
        while waiting and waiting[-1] <= start:
            waiting.pop()
        if waiting and end > waiting[-1]:
            crossing += 1
            continue
        waiting.append(end)
        opens[start] = opens.get(start, 0) + 1
        label = name if re.fullmatch(r"\d+", name) else f"{{{name}}}"
        closes[end - 1] = f"]_{label}" + closes.get(end - 1, "")
    return opens, closes, crossing


def _escaped(word: str) -> str:
    """A word as text, with what would be read as a mark or a header escaped."""
    word = re.sub(r"([\[\]\\<>])", r"\\\1", word)
    return "\\" + word if word.startswith("#") else word
