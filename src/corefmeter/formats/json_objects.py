"""JSON objects and their places in a file.

A file holds one object a line (JSON lines), or one object or an array of objects over any number of
lines. A key that occurs twice in an object is an error, since JSON parsers silently keep the last.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from json import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple

from corefmeter.formats.notes import Notes, numbered_lines, whole_text
from corefmeter.formats.source import JSON_KEY, Source

#: A string, and the colon behind it if it is a key.
_STRING = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")\s*+(:?)', re.DOTALL)
_WHITE = re.compile(r"[ \t\n\r]*")


@lru_cache(maxsize=1)
def keys_of(head: bytes) -> frozenset[bytes]:
    """Return the keys of the objects that a `Source.head` begins with; none if it is not JSON."""
    return frozenset(JSON_KEY.findall(head) if head.lstrip()[:1] in (b"{", b"[") else ())


class Record(NamedTuple):
    """One object of a file."""

    values: dict[str, Any]
    #: The line where it begins.
    line: int
    #: Which object of the file it is, counted from 1.
    number: int
    #: Where its errors are noted.
    notes: Notes

    def error(self, code: str, message: str, hint: str | None = None) -> None:
        """Note an error of the object."""
        self.notes.error(code, message, self.line, hint=hint)

    def bad(self, path: str, message: str) -> None:
        """Note that a value is not what it should be."""
        self.error("bad-field", f"{path}: {message}")

    def unexpected(self, path: str, value: Any, expected: str) -> None:
        """Note that a value has another type than is expected."""
        self.bad(path, f"{kind_of(value)} where {expected} is expected")


def objects(source: Source, notes: Notes) -> Iterator[Record]:
    """Yield the objects of a file; other values and damaged JSON are noted as errors."""
    number = 0
    for value, line in _ValueReader(source, notes).read():
        if isinstance(value, dict):
            number += 1
            yield Record(value, line, number, notes)
        else:
            notes.error("bad-field", f"{kind_of(value)} where an object is expected", line)


class _ValueReader:
    def __init__(self, source: Source, notes: Notes) -> None:
        self.source = source
        self.notes = notes
        self.repeated: list[str] = []  # keys that occur twice in an object of the last value
        self.decoder = JSONDecoder(object_pairs_hook=self.make_object)

    def make_object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object of keys and values, and record repeated keys."""
        values = dict(pairs)
        if len(values) < len(pairs):
            times = Counter(key for key, _ in pairs)
            self.repeated += [key for key, count in times.items() if count > 1]
        return values

    def read(self) -> Iterator[tuple[Any, int]]:
        lines = numbered_lines(self.source, self.notes)
        filled = ((number, text) for number, text in lines if text and not text.isspace())
        for number, line in filled:
            try:
                value = self.decode(line, number)
            except ValueError:
                # Not complete on this line: a longer value, or a damaged line among others.
                second = list(islice(filled, 1))
                first_two = [(number, line), *second]
                next_is_object = any(text.startswith("{") for _, text in second)
                if line.lstrip().startswith("{") and next_is_object:
                    yield from self.values_by_line(chain(first_two, filled))
                else:
                    text = whole_text(chain(first_two, lines), self.source.path, number)
                    yield from self.values_over_lines(text, number)
                return
            if isinstance(value, list):
                yield from ((item, number) for item in value)
            else:
                yield value, number
            break
        yield from self.values_by_line(filled)

    def decode(self, text: str, line: int) -> Any:
        try:
            value = self.decoder.decode(text)
        except RecursionError:
            raise JSONDecodeError("nested too deeply", text, 0) from None
        self.report_repeated_keys(text, line)
        return value

    def values_by_line(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[Any, int]]:
        """Yield one value a line; a damaged line is noted as an error, and reading goes on."""
        for number, line in lines:
            try:
                yield self.decode(line, number), number
            except ValueError as error:
                self.report_damage(error, line, number)

    def values_over_lines(self, text: str, first: int) -> Iterator[tuple[Any, int]]:
        """Yield values that take several lines, one after the other or in an array."""
        line, line_at = first, 0  # the line of the character at `line_at`
        try:
            for value, at in self.values_in_text(text):
                line += text.count("\n", line_at, at)
                line_at = at
                self.report_repeated_keys(text, line, at)
                yield value, line
        except ValueError as error:
            self.report_damage(error, text, first)

    def values_in_text(self, text: str) -> Iterator[tuple[Any, int]]:
        """Yield the values of a text and where they begin; raise JSONDecodeError at damage."""
        at = _skip_space(text, 0)
        array = text.startswith("[", at)
        if array:
            at = _skip_space(text, at + 1)
        while at < len(text) and not (array and text[at] == "]"):
            try:
                value, end = self.decoder.raw_decode(text, at)
            except RecursionError:
                raise JSONDecodeError("nested too deeply", text, at) from None
            yield value, at
            at = _skip_space(text, end)
            if array and at < len(text) and text[at] != "]":
                if text[at] != ",":
                    raise JSONDecodeError("Expecting ',' delimiter", text, at)
                at = _skip_space(text, at + 1)
        if array and at >= len(text):
            raise JSONDecodeError("The array is not closed", text, len(text.rstrip()))
        if array and (after := _skip_space(text, at + 1)) < len(text):
            raise JSONDecodeError("Text after the array", text, after)

    def report_damage(self, error: ValueError, text: str, first: int) -> None:
        """Note that a text is not JSON, with the column in characters and in bytes."""
        if not isinstance(error, JSONDecodeError):  # for example a number of thousands of digits
            self.notes.error("bad-json", f"not JSON: {error}", first)
            return
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        start = text.rfind("\n", 0, error.pos) + 1
        byte = len(text[start : error.pos].encode("utf-8", "replace")) + 1
        reason = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}, byte {byte} of the line"
        hint = "The text ends too early; the file may be truncated." if cut else None
        self.notes.error("bad-json", reason, first + error.lineno - 1, error.colno, hint)

    def report_repeated_keys(self, text: str, line: int, start: int = 0) -> None:
        """Note duplicate keys in a value that begins at an offset."""
        places = _second_places(text, start, set(self.repeated)) if self.repeated else {}
        line_at = start  # `line` is the line of this character
        for key in sorted(self.repeated, key=lambda key: places.get(key, start)):
            column = None
            if key in places:
                line += text.count("\n", line_at, places[key])
                line_at = places[key]
                column = line_at - text.rfind("\n", 0, line_at)
            reason = f"the key {key!r:.60} occurs twice in an object"
            hint = "Keep one of them; a parser would silently use the last."
            self.notes.error("repeated-key", reason, line, column, hint)
        self.repeated.clear()


def _second_places(text: str, start: int, keys: set[str]) -> dict[str, int]:
    """Return the second occurrence of each of the given keys, from an offset on."""
    seen: set[str] = set()
    places: dict[str, int] = {}
    for match in _STRING.finditer(text, start):
        key = json.loads(match[1], strict=False) if "\\" in match[1] else match[1][1:-1]
        if not match[2] or key not in keys or key in places:
            continue
        if key in seen:
            places[key] = match.start()
            if len(places) == len(keys):
                break
        seen.add(key)
    return places


def _skip_space(text: str, at: int) -> int:
    """Return the index of the next character that is not white space."""
    match = _WHITE.match(text, at)
    return match.end() if match else at


_KINDS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def kind_of(value: Any) -> str:
    """Name the JSON type of a value."""
    return _KINDS.get(type(value), "null")


def brief_json(value: Any) -> str:
    """Return a JSON value for a message, or its type if it is long."""
    text = dumps(value)
    return text if len(text) <= 40 else kind_of(value)


def brief_list(items: Sequence[str]) -> str:
    """Return the first five items of a list for a message."""
    return ", ".join(items[:5]) + (", ..." if len(items) > 5 else "")


def without_surrogates(value: Any) -> str:
    """Return a value as text without lone surrogates, which JSON can contain but not UTF-8."""
    return str(value).encode("utf-8", "replace").decode()


def dumps(value: Any) -> str:
    """Return a value as one line of JSON; lone surrogates are escaped, since UTF-8 has none."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
