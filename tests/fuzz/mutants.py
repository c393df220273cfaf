"""Damaged files: the fixtures of a reader, with bytes, lines, fields, numbers and values wrong.

The same seed gives the same files. A mutation is a function of a text and a random generator;
nothing here knows a format, but where lines are JSON their values are replaced too. Most files get
one small change that a reader may well accept, so that what is done with a corpus is tried as much
as reading is; the others get wounds.
"""

from __future__ import annotations

import io
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path

from corefmeter.formats import format_named, names, read_corpus, without_companions
from corefmeter.formats.conversion import convert_corpus
from corefmeter.problems import CorefmeterError

from .hostile import HOSTILE, HUGE

__all__ = ["Seed", "mutant", "readable", "seeds"]

ROOT = Path(__file__).parents[1]

#: A file and those that belong to it, by name; the file itself comes first.
Seed = dict[str, bytes]

Mutation = Callable[[bytes, random.Random], bytes]

#: How many of the files get small changes only.
MILD = 0.75

SIGNS = b"\t|()[]{}<>@=-_0123456789,\":;'\n\r \\\xff\x00*#/&+.$%e\x1b\x7f"

NUMBERS = [
    "0", "1", "2", "-1", "-0", "+1", "00", "01", "1.0", "1.5", "1e9", "1e999", "1_0", "²", "٣", "½",
    "0x1", "", " ", "nan", "Infinity", "65536", "1000000", "2147483648", "9" * 19, "9" * 40, HUGE,
]  # fmt: skip

TEXTS = [
    "", " ", "_", "-", "*", "\u00a0", "\ufeff", "\u2028", "\x85", "\x0b", "\x1c", "\x1b[31m",
    "\x07", "\u202e", "\U0001f600", "é", "e\u0301", "\x7f", "\\ud800", "\\udc00x", "\\u0000",
    "&#0;", "&#x110000;", "&amp;", "&x;", "(", ")", "(1", "1)", "(1)", "_(1", "|", "[1]", "]",
    "<", "</", ">", '"', "'", "\\", "%", "=", "=1+1", ",", ";", ":", "..", "/", "1-2", "2-1",
    "1,2", "1.1", "0.1", "x" * 300, "x" * 5000,
]  # fmt: skip

VALUES = [
    None, True, False, 0, 1, -1, 1.0, 1.5, float("nan"), float("inf"), 10**9, 10**30, "", "x", "1",
    "\ud800", "\udc00", "\0", "\n", "\x1b", [], {}, [[]], [{}], {"": None}, [0], [0, 0], [1, 0],
    [0, 1, 2], [[0, 0]], [[0, 1], [0, 1]], [["a"]], [None], ["\ud800"], {"a": [1]},
]  # fmt: skip


@cache
def seeds(name: str) -> list[Seed]:
    """The fixtures of a reader, each with what belongs to it, those of others in its format, and
    files that were made to harm.
    """
    return [*fixtures(name), *written(name), *made_to_harm(name)]


@cache
def readable(name: str) -> list[Seed]:
    """Those of the seeds that are read, for small changes, and without what need not be there."""
    found = [files for files in seeds(name) if is_read(name, files)]
    return found + [bare for files in found if (bare := without_more(name, files)) != files]


def is_read(name: str, files: Seed) -> bool:
    """Whether files are read and hold a mention."""
    with tempfile.TemporaryDirectory() as folder, suppress(CorefmeterError):
        for file, content in files.items():
            (Path(folder) / file).write_bytes(content)
        corpus = read_corpus(str(Path(folder) / next(iter(files))), name, details=True)
        return any(document.entities for document in corpus)
    return False


def without_more(name: str, files: Seed) -> Seed:
    """Files without the keys of JSON, such as texts of mentions, that say a thing once more."""
    file, data = next(iter(files.items()))
    try:
        rows = [json.loads(row) for row in data.splitlines() if row.strip()]
    except (ValueError, RecursionError):
        return files
    if not rows or not all(isinstance(row, dict) for row in rows):
        return files
    for key in list(rows[0]):
        fewer = [{k: v for k, v in row.items() if k != key} for row in rows]
        less = files | {file: b"".join(json.dumps(row).encode() + b"\n" for row in fewer)}
        if is_read(name, less):
            rows, files = fewer, less
    return files


def made_to_harm(name: str) -> list[Seed]:
    """The hostile files of a reader; a text is beside each where the format has one."""
    found: list[Seed] = []
    for text in HOSTILE.get(name, ()):
        files = {f"hostile{ending}": b"a b c" for _, ending in format_named(name).beside[:1]}
        ending = next(iter(format_named(name).endings), ".txt")
        found.append({f"hostile{ending}": text.encode("utf-8", "surrogatepass")} | files)
    return found


def written(name: str) -> list[Seed]:
    """The fixtures of all readers, as far as a format can hold them."""
    into = format_named(name)
    found: list[Seed] = []
    if into.write is None:
        return found
    for other in names():
        for files in fixtures(other):
            with tempfile.TemporaryDirectory() as folder, suppress(CorefmeterError):
                for file, content in files.items():
                    (Path(folder) / file).write_bytes(content)
                corpus = read_corpus(str(Path(folder) / next(iter(files))), other, details=True)
                stream = io.StringIO()
                into.write(convert_corpus(corpus, name, hull=False)[0], stream)
                ending = next(iter(into.endings), ".txt")
                found.append({f"from-{other}{ending}": stream.getvalue().encode()})
    return found


def fixtures(name: str) -> list[Seed]:
    """The fixtures of a reader, with the files that belong to each."""
    found = []
    for folder in sorted(ROOT.glob(f"**/fixtures/{name}")):
        for path in map(Path, without_companions(sorted(map(str, folder.iterdir())))):
            beside = sorted(folder.glob(f"{path.name.partition('.')[0]}[._]*"))
            files = [path, *(other for other in beside if other != path)]
            found.append({file.name: file.read_bytes() for file in files})
    return found


def mutant(sound: Sequence[Seed], chance: random.Random, accepted: Sequence[Seed] = ()) -> Seed:
    """One of some files with one to three wounds, or one that is accepted with small changes."""
    if accepted and chance.random() < MILD:
        files = chance.choice(accepted)
        for _ in range(chance.choice((1, 1, 1, 2))):
            files = changed(files, chance)
        return files
    return wounded(sound, chance)


def wounded(sound: Sequence[Seed], chance: random.Random) -> Seed:
    """One of some files with one to three wounds, most of them in the file itself."""
    files = dict(chance.choice(sound))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        names = list(files)
        name = names[0] if chance.random() < 0.8 else chance.choice(names)
        if chance.random() < 0.06:
            other = next(iter(chance.choice(sound).values()))
            files[name] = spliced(files[name], other, chance)
        else:
            files[name] = chance.choice(MUTATIONS)(files[name], chance)
    return files


def spliced(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The beginning of a file and the end of another."""
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def some_bytes(data: bytes, chance: random.Random) -> bytes:
    """Single bytes replaced, left out or put in."""
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(damaged))
        damaged[at : at + chance.randint(0, 1)] = bytes(
            [chance.choice(SIGNS)][: chance.randint(0, 3)]
        )
    return bytes(damaged)


def a_bit(data: bytes, chance: random.Random) -> bytes:
    """One bit the other way."""
    damaged = bytearray(data)
    if damaged:
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def a_piece(data: bytes, chance: random.Random) -> bytes:
    """A piece left out, doubled, or all that follows it cut off."""
    start, end = sorted(chance.randint(0, len(data)) for _ in range(2))
    return chance.choice((
        data[:start], data[:start] + data[end:], data[:end] + data[start:],
    ))  # fmt: skip


def lines(data: bytes, chance: random.Random) -> bytes:
    """Lines left out, doubled, exchanged, empty, or with other ends."""
    found = data.splitlines(keepends=True) or [b""]
    one, other = (chance.randrange(len(found)) for _ in range(2))
    match chance.randrange(6):
        case 0:
            del found[one]
        case 1:
            found.insert(other, found[one])
        case 2:
            found[one], found[other] = found[other], found[one]
        case 3:
            found.insert(one, b"\n")
        case 4:
            found[one] = found[one].rstrip(b"\r\n")
        case _:
            return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n")))
    return b"".join(found)


def fields(data: bytes, chance: random.Random) -> bytes:
    """Fields of a line left out, doubled, exchanged or replaced; sometimes a whole column."""
    rows = data.split(b"\n")
    sign = b"\t" if b"\t" in data else chance.choice((b" ", b",", b"|", b"="))
    which = [n for n, row in enumerate(rows) if sign in row]
    if not which:
        return some_bytes(data, chance)
    first = chance.choice(which)
    place, kind = chance.randrange(rows[first].count(sign) + 1), chance.randrange(4)
    text = chance.choice(TEXTS + NUMBERS).encode("utf-8", "surrogatepass")
    for n in which if chance.random() < 0.3 else [first]:
        cells = rows[n].split(sign)
        at = min(place, len(cells) - 1)
        other = chance.randrange(len(cells))
        match kind:
            case 0:
                del cells[at]
            case 1:
                cells.insert(other, cells[at])
            case 2:
                cells[at], cells[other] = cells[other], cells[at]
            case _:
                cells[at] = text
        rows[n] = sign.join(cells)
    return b"\n".join(rows)


def columns(data: bytes, chance: random.Random) -> bytes:
    """All lines with the first columns only, or with more of them."""
    number = chance.randint(1, 4)
    rows = [row.split(b"\t") for row in data.split(b"\n")]
    if chance.random() < 0.5:
        return b"\n".join(b"\t".join(cells[:number]) for cells in rows)
    return b"\n".join(b"\t".join([*cells, *cells[-1:] * number]) for cells in rows)


def a_number(data: bytes, chance: random.Random) -> bytes:
    """A number replaced by one that is near, or no number at all."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return a_text(data, chance)
    match = chance.choice(found)
    near = [str(int(match[0][:9]) + step) for step in (-1, 1, 10)]
    number = chance.choice(NUMBERS + near * 4).encode()
    return data[: match.start()] + number + data[match.end() :]


def a_text(data: bytes, chance: random.Random) -> bytes:
    """Something hostile put in, or in the place of a word."""
    text = chance.choice(TEXTS).encode("utf-8", "surrogatepass")
    words = list(re.finditer(rb"\w+", data))
    if words and chance.random() < 0.5:
        match = chance.choice(words)
        return data[: match.start()] + text + data[match.end() :]
    at = chance.randint(0, len(data))
    return data[:at] + text + data[at:]


def a_name(data: bytes, chance: random.Random) -> bytes:
    """A word in the place of another: fields that are missing or there twice, ids that differ."""
    words = list(re.finditer(rb"\w+", data))
    if not words:
        return data
    match, other = chance.choice(words), chance.choice(words)
    return data[: match.start()] + other[0] + data[match.end() :]


def brackets(data: bytes, chance: random.Random) -> bytes:
    """Brackets left out, doubled, turned, or very many inside of each other."""
    found = list(re.finditer(rb"[()\[\]{}<>]", data))
    if not found:
        return a_text(data, chance)
    match = chance.choice(found)
    times = chance.choice((0, 2, 2, 40, 1200))
    sign = match[0] if times else bytes([chance.choice(b"()[]{}<>")])
    return data[: match.start()] + sign * max(1, times) + data[match.end() :]


def a_value(data: bytes, chance: random.Random) -> bytes:
    """A value of JSON replaced by another, left out, or deep in arrays; other text as it comes."""
    rows = data.split(b"\n")
    which = [n for n, row in enumerate(rows) if row[:1] in (b"{", b"[")]
    if not which:
        return a_name(data, chance)
    at = chance.choice(which)
    try:
        whole = json.loads(rows[at])
    except (ValueError, RecursionError):
        return some_bytes(data, chance)
    places: list[tuple[object, object]] = []
    waiting = [whole]
    while waiting:
        value = waiting.pop()
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in inside:
            places.append((value, key))
            if isinstance(item, dict | list):
                waiting.append(item)
    if not places:
        return data
    home, key = chance.choice(places)
    if chance.random() < 0.1:
        del home[key]  # type: ignore[attr-defined]  # it is a list or a dict
    else:
        other_home, other = chance.choice(places)
        home[key] = chance.choice([*VALUES, other_home[other]])  # type: ignore[index]  # likewise
    try:
        rows[at] = json.dumps(whole, ensure_ascii=chance.random() < 0.8).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):  # it holds itself
        return data
    if chance.random() < 0.05:
        deep = chance.choice((50, 3000))
        rows[at] = rows[at].replace(b"[", b"[" * deep, 1).replace(b"]", b"]" * deep, 1)
    if chance.random() < 0.05:
        rows[at] = rows[at].replace(b"0", HUGE.encode(), 1)
    return b"\n".join(rows)


MUTATIONS: list[Mutation] = [
    some_bytes, a_bit, a_piece, lines, fields, fields, columns, a_number, a_number, a_text, a_name,
    brackets, a_value, a_value,
]  # fmt: skip


# Small changes, of all files that belong together


def changed(files: Seed, chance: random.Random) -> Seed:
    """A small change; some find nothing to change, as one of lists in a table."""
    found = files
    for _ in range(5):
        if found == files:
            found = chance.choice(CHANGES)(files, chance)
    return found


def by_one(files: Seed, chance: random.Random) -> Seed:
    """A number one more or less, as ends and ids are when they are counted otherwise."""

    def change(data: bytes) -> bytes:
        begin = data.find(b"?>") + 1  # behind the version of XML
        found = [m for m in re.compile(rb"\d+").finditer(data, begin) if len(m[0]) < 10]
        if not found:
            return data
        match = chance.choice(found)
        number = b"%d" % max(int(match[0]) + chance.choice((-1, 1)), 0)
        return data[: match.start()] + number + data[match.end() :]

    return in_one(files, chance, change)


def renamed(files: Seed, chance: random.Random) -> Seed:
    """A word that has another name, of the same length, wherever it stands in any of the files."""
    words = re.findall(rb"[A-Za-z]\w*", all_of(files))
    if not words:
        return files
    word = chance.choice(words)
    signs = chance.choice(("abcdeXYZ", "éßñ", "詞語", "\U0001f600", "ابج"))
    name = "".join(chance.choice(signs) for _ in word.decode("utf-8", "replace")).encode()
    return everywhere(files, word, name)


def taken(files: Seed, chance: random.Random) -> Seed:
    """A name that another thing has, wherever it stands: two entities or words are one."""
    words = re.findall(rb"\w+", all_of(files))
    if not words:
        return files
    return everywhere(files, chance.choice(words), chance.choice(words))


def all_of(files: Seed) -> bytes:
    """What is in all files, without the line that says that they are XML."""
    return b" ".join(data[data.find(b"?>") + 1 :] for data in files.values())


def everywhere(files: Seed, word: bytes, name: bytes) -> Seed:
    pattern = re.compile(rb"\b" + re.escape(word) + rb"\b")
    return {file: pattern.sub(lambda _: name, data) for file, data in files.items()}


def moved(files: Seed, chance: random.Random) -> Seed:
    """Two neighbouring lines exchanged, or one left out or doubled."""

    def change(data: bytes) -> bytes:
        found = data.splitlines(keepends=True)
        if len(found) < 2:
            return data
        alike = [n for n, (one, other) in enumerate(pairwise(found)) if one[:6] == other[:6]]
        at = chance.choice(alike or range(len(found) - 1))
        match chance.randrange(4):
            case 0:
                del found[at + 1]
            case 1:
                found.insert(at, found[at])
            case _:
                found[at], found[at + 1] = found[at + 1], found[at]
        return b"".join(found)

    return in_one(files, chance, change)


def otherwise(files: Seed, chance: random.Random) -> Seed:
    """A cell with what stands in the same column of another line."""

    def change(data: bytes) -> bytes:
        rows = [line.split(b"\t") for line in data.split(b"\n")]
        which = [row for row in rows if len(row) > 1]
        if not which:
            return data
        row, other = chance.choice(which), chance.choice(which)
        at = chance.randrange(min(len(row), len(other)))
        row[at] = other[at]
        return b"\n".join(b"\t".join(row) for row in rows)

    return in_one(files, chance, change)


def attributes(files: Seed, chance: random.Random) -> Seed:
    """An attribute of a tag with the value that it has in another tag."""

    def change(data: bytes) -> bytes:
        found = list(re.finditer(rb"\b(\w+)=(\"[^\"\n]*\")", data))
        if not found:
            return data
        values = Counter(match.groups() for match in found)
        shared = [match for match in found if values[match.groups()] > 1]  # no ids
        match = chance.choice(shared or found)
        other = chance.choice([one for one in found if one[1] == match[1]])
        return data[: match.start(2)] + other[2] + data[match.end(2) :]

    return in_one(files, chance, change)


def lists(files: Seed, chance: random.Random) -> Seed:
    """In a list of JSON, something left out, doubled, or exchanged with its neighbour."""

    def change(data: bytes) -> bytes:
        rows = data.split(b"\n")
        which = [n for n, row in enumerate(rows) if row[:1] == b"{"]
        if not which:
            return data
        at = chance.choice(which)
        try:
            whole = json.loads(rows[at])
        except (ValueError, RecursionError):
            return data
        found: list[list[object]] = []
        waiting: list[object] = [whole]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value
                found += [value] * bool(value)
        if not found:
            return data
        values = chance.choice(found)
        place = chance.randrange(len(values))
        match chance.randrange(3):
            case 0:
                del values[place]
            case 1:
                values.insert(chance.randrange(len(values)), values[place])
            case _:
                values[place - 1], values[place] = values[place], values[place - 1]
        rows[at] = json.dumps(whole).encode()
        return b"\n".join(rows)

    return in_one(files, chance, change)


def ends(files: Seed, chance: random.Random) -> Seed:
    """Lines that end otherwise, a mark of UTF-8, an empty line at the end."""

    def change(data: bytes) -> bytes:
        return chance.choice((
            data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, data + b"\n", data.rstrip(b"\n"),
        ))  # fmt: skip

    return in_one(files, chance, change)


def in_one(files: Seed, chance: random.Random, change: Callable[[bytes], bytes]) -> Seed:
    """One of the files changed, the first most often, or that with most in it."""
    names = list(files)
    sizes = [len(data) + 1 for data in files.values()]
    name = names[0] if chance.random() < 0.4 else chance.choices(names, sizes)[0]
    return files | {name: change(files[name])}


CHANGES: list[Callable[[Seed, random.Random], Seed]] = [
    by_one, by_one, renamed, renamed, renamed, taken, moved, moved, otherwise, attributes,
    attributes, lists, lists, ends,
]  # fmt: skip
