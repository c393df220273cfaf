"""``python -m tests.fuzz.copies --count 100000 --seed 1``: score copies that mean the same.

A key and a response are made, written, and written again in another dialect, order, or convention.
The copy must score as the documents do, or a warning or an error must say why not: a score in
between without a word is a fault. Each copy depends on the seed, its family and its number only:
``--family brat --seed 1 --only 47`` prints that one.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import lzma
import random
import re
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from corefmeter import read, score

from .dialects import SINGLE, WRITERS, Doc, Files, Span, Style
from .outcomes import FINE, METRICS, Numbers, compared, numbers
from .tables import TABLES, table_copy

__all__ = ["FAMILIES", "Outcome", "copied", "tally"]

FAMILIES = [*WRITERS, *TABLES]

NAMES = [
    ["story", "letter", "night", "river"], ["novel_1", "novel_2", "novel_3", "novel_4"],
    ["bc/cctv/00/cctv_0001", "bc/cctv/00/cctv_0002", "nw/wsj/01/wsj_0101", "wb/a2e/00/a2e_0000"],
    ["novel_part_000", "novel_part_001", "novel_part_002", "letter_part_000"],
    ["1", "2", "3", "10"], ["novel_2", "letter", "wsj_0003", "x.y"],
    ["Ann", "éclair", "b-c", "d e"],
]  # fmt: skip
WORDS = ["the", "a", "dog", "Ann", "saw", "her", "it", "don't", "New-York", "café", "2", "3.5", "."]
RARE = ["\U0001f600", "\U0001d4b3", "e\u0301t\u00e9", "詞語", "O'Neil"]


#: Formats without a text that shows how words are cut, or what positions count.
TEXTLESS = {"clusters", "tac-kbp", "tbf"}


class Outcome(NamedTuple):
    """How a copy ended: one of `FINE` or the fault; and what was chosen for it."""

    kind: str
    taken: tuple[str, ...] = ()
    detail: str = ""


def documents(chance: random.Random, family: str) -> list[Doc]:
    """Documents with mentions that do not cross, within sentences."""
    names = chance.choice(NAMES)
    if family in SINGLE:
        names = [name.replace("/", "_") for name in names]
    names = chance.sample(names, chance.randint(1, 4))
    words = WORDS + RARE * (chance.random() < 0.3)
    found = []
    for name in names:
        sentences = [
            [chance.choice(words) for _ in range(chance.randint(2, 7))]
            for _ in range(chance.randint(1, 4))
        ]
        if family == "gap":
            sentences = [["Ann", "saw", chance.choice(["Sue", ["Zoë", "😀"][0]]), "her", "."]]
            spans = [(0, 0), (2, 2), (3, 3)]
            away = chance.choice(spans[:2])
            found.append(Doc(name, sentences, [[s for s in spans if s != away], [away]]))
            continue
        entities: list[list[Span]] = [[] for _ in range(chance.randint(1, 4))]
        spans: list[Span] = []
        first = 0
        for sentence in sentences:
            for _ in range(4):
                begin = first + chance.randrange(len(sentence))
                span = begin, min(begin + chance.choice((0, 0, 1, 2)), first + len(sentence) - 1)
                if span not in spans and not any(crossing(span, other) for other in spans):
                    spans.append(span)
                    chance.choice(entities).append(span)
            first += len(sentence)
        found.append(Doc(name, sentences, [sorted(entity) for entity in entities if entity]))
    return found


def crossing(one: Span, other: Span) -> bool:
    (_, end), (begin, last) = sorted([one, other])
    return one[0] != other[0] and begin <= end < last


def answer(docs: list[Doc], chance: random.Random) -> list[Doc]:
    """The documents with some mentions in another entity or left out."""
    found = []
    for doc in docs:
        entities = [list(entity) for entity in doc.entities]
        for _ in range(chance.randint(1, 3)):
            entity = chance.choice(entities)
            if len(entity) > 1:
                mention = entity.pop(chance.randrange(len(entity)))
                if chance.random() < 0.7:
                    chance.choice(entities).append(mention)
        found.append(doc._replace(entities=[sorted(entity) for entity in entities]))
    return found


def renamed(docs: list[Doc], style: Style) -> list[Doc]:
    """The documents under names that a person takes for the same."""
    change: Callable[[str], str] = style.pick("names", str, *RENAMINGS.values(), convention=True)
    if change is str:
        return docs
    style.taken[-1] = "names=" + next(n for n, c in RENAMINGS.items() if c is change)
    which = style.pick("renamed", "all", "last")
    return [
        doc._replace(name=change(doc.name)) if which == "all" or doc is docs[-1] else doc
        for doc in docs
    ]


RENAMINGS: dict[str, Callable[[str], str]] = {
    "folder": lambda name: "data/" + name, "ending": lambda name: name + ".txt",
    "upper": str.upper, "part": lambda name: name + "_part_000", "_0": lambda name: name + "_0",
    "zeros": lambda name: re.sub(r"\d+", lambda m: m[0].zfill(4), name),
    "decomposed": lambda name: unicodedata.normalize("NFD", name),
    "file name": lambda name: name.rpartition("/")[2],
}  # fmt: skip


def dressed(files: Files, family: str, style: Style) -> dict[str, bytes]:
    """The bytes of files: ends of lines, encodings, compression, of all but texts beside them."""
    ends = style.pick("line ends", "\n", "\r\n", "\r")
    encoding = style.pick("encoding", "utf-8", "utf-8-sig", "utf-16")
    blank = style.pick("blank lines", "", "before", "after", "no line end")
    packed = style.pick("compression", "", "gz", "xz")
    found = {}
    beside = (
        (".txt", ".sgm", ".tokens", "_words.xml", "_coref_level.xml") if family in SINGLE else ()
    )
    for name, text in files.items():
        if name.endswith(beside):
            found[name] = text.encode()
            continue
        text = {"": text, "before": "\n" + text, "after": text + "\n\n",
                "no line end": text.rstrip("\n")}[blank]  # fmt: skip
        data = text.replace("\n", ends).encode(encoding)
        if packed and family not in SINGLE:
            data = gzip.compress(data, mtime=0) if packed == "gz" else lzma.compress(data)
            name += style.pick("packed name", "." + packed, "")
        found[name] = data
    return found


def put(files: dict[str, bytes], folder: Path) -> str:
    """Write files, and return the path of the one or of the folder."""
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return str(folder / next(iter(files))) if len(files) == 1 else str(folder)


class Pair(NamedTuple):
    """A key and a response: as they are written first, as a copy, and what they score."""

    files: tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes]]
    style: Style
    expected: Numbers
    declared: str | None


def made(family: str, seed: int, number: int) -> Pair:
    """The key, the response and its copy, by their number."""
    chance = random.Random(f"{seed} {family} {number}")
    key = documents(chance, family)
    same = family == "gap" or chance.random() < 0.5
    response = key if same else answer(key, chance)
    # Without a text, positions of a few mentions do not show what they count.
    few = family in TEXTLESS and min(sum(map(len, doc.entities)) for doc in key) < 4
    style = Style(chance, conventions=same and not few)
    copy = cut(renamed(style.order("documents", response), style), style, family)
    into = family
    if family not in ("gap", "clusters", "tac-kbp", "fastcoref", "tbf") and chance.random() < 0.1:
        into = chance.choice(("conll", "conllu", "e2e", "preco", "maverick", "inline", "webanno"))
        style.taken.append(f"format={into}")
    usual = Style()
    written = dressed(mixed(copy, into, style, usual), into, style)
    files = [dressed(WRITERS[family](docs, usual), family, usual) for docs in (key, response)]
    declared = family if family == "craft" or chance.random() < 0.2 else None
    expected = numbers(score(mapped(key), mapped(response), metrics=METRICS))
    return Pair((*files, written), style, expected, declared)


def mixed(docs: list[Doc], family: str, style: Style, usual: Style) -> Files:
    """The files of documents; the last one may be the only one in another style."""
    if len(docs) == 1 or not style.pick("of all", "", "last document only"):
        return WRITERS[family](docs, style)
    found = WRITERS[family](docs[:-1], usual)
    for name, text in WRITERS[family](docs[-1:], style).items():
        found[name] = found.get(name, "") + text
    return found


def cut(docs: list[Doc], style: Style, family: str) -> list[Doc]:
    """The documents in sentences, or in words, that are cut otherwise."""
    if style.pick("sentences", "", "joined"):
        docs = [doc._replace(sentences=[doc.words]) for doc in docs]
    if family in TEXTLESS or not style.pick("words", "", "cut at hyphens", convention=True):
        return docs
    found = []
    for doc in docs:
        pieces = [re.findall(r"[^-'.]+|[-'.]", word) for word in doc.words]
        starts = [sum(map(len, pieces[:n])) for n in range(len(pieces) + 1)]
        sentences = [
            [piece for word in s for piece in re.findall(r"[^-'.]+|[-'.]", word)]
            for s in doc.sentences
        ]
        entities = [[(starts[a], starts[b + 1] - 1) for a, b in entity] for entity in doc.entities]
        found.append(Doc(doc.name, sentences, entities))
    return found


def mapped(docs: list[Doc]) -> dict[str, list[list[Span]]]:
    return {doc.name: doc.entities for doc in docs}


def copied(family: str, seed: int, number: int, folder: Path) -> Outcome:
    """What becomes of one copy."""
    if family in TABLES:
        return Outcome(*table_copy(family, seed, number, folder))
    pair = made(family, seed, number)
    key, response, copy = (
        put(files, folder / name) for files, name in zip(pair.files, "kro", strict=True)
    )
    foreign = any(choice.startswith("format=") for choice in pair.style.taken)
    declared = None if foreign else pair.declared
    kind, detail = compared(
        lambda: scored(key, copy, declared, pair.declared),
        lambda: scored(key, response, pair.declared),
        pair.expected,
    )
    return Outcome(kind, tuple(pair.style.taken), detail)


def scored(
    key: str, response: str, declared: str | None, of_key: str | None = None
) -> tuple[Numbers, set[str]]:
    """Return the numbers of two files, and the codes of warnings."""
    sides: list[Any] = [
        read(path, format, side=side, details=True) if format else path
        for path, format, side in (
            (key, of_key or declared, "key"), (response, declared, "response"),
        )
    ]  # fmt: skip
    result = score(*sides, metrics=METRICS)
    problems = [problem for side in sides if not isinstance(side, str) for problem in side.problems]
    return numbers(result), {p.code for p in problems + result.problems if p.severity == "warning"}


class Tally(NamedTuple):
    """What became of the copies of a family, and each fault with its choices and a number."""

    kinds: Counter[str]
    faults: dict[tuple[str, tuple[str, ...]], list[tuple[int, str]]]
    told: dict[str, Counter[str]]


def tally(family: str, seed: int, numbers: range) -> Tally:
    """Score the copies of a family that have these numbers."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, tuple[str, ...]], list[tuple[int, str]]] = {}
    told: dict[str, Counter[str]] = {"warned": Counter(), "refused": Counter()}
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            outcome = copied(family, seed, number, Path(folder))
        kinds[outcome.kind if outcome.kind in FINE else "fault"] += 1
        if outcome.kind not in FINE:
            found = faults.setdefault((outcome.kind, tuple(sorted(outcome.taken))), [])
            found.append((number, outcome.detail))
        elif outcome.kind != "equal" and len(outcome.taken) == 1:
            told[outcome.kind][f"{outcome.taken[0]} [{outcome.detail}]"] += 1
    return Tally(kinds, faults, told)


def smallest(faults: dict[tuple[str, tuple[str, ...]], list[tuple[int, str]]]) -> list[Any]:
    """Faults of the fewest choices; those of more choices that hold one of them count with it."""
    found: list[list[Any]] = []
    for (kind, taken), cases in sorted(faults.items(), key=lambda item: len(item[0][1])):
        for one in found:
            if one[0] == kind and {*one[1]} <= {*taken}:
                one[2] += len(cases)
                break
        else:
            found.append([kind, taken, len(cases), cases[0]])
    return found


def show(family: str, seed: int, number: int) -> None:
    """One copy again: what is in the files, and what becomes of it."""
    with tempfile.TemporaryDirectory() as folder:
        print(copied(family, seed, number, Path(folder)))
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                print(f"--- {path.relative_to(folder)}\n{path.read_bytes()[:3000]!r}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.copies", description=__doc__)
    parser.add_argument("--count", type=int, default=5_000, help="of all families together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="may be repeated")
    parser.add_argument("--only", type=int, help="print this copy of --family")
    parser.add_argument("--told", action="store_true", help="print what is warned of and refused")
    given = parser.parse_args()
    families = given.family or FAMILIES
    if given.only is not None:
        show(families[0], given.seed, given.only)
        return 0
    begin, each, found = time.perf_counter(), -(-given.count // len(families)), 0
    print(f"{'family':<14}{'copies':>8}{'equal':>8}{'warned':>8}{'refused':>8}{'faults':>8}")
    for family in families:
        one = tally(family, given.seed, range(each))
        found += one.kinds["fault"]
        counts = [one.kinds.total(), *(one.kinds[kind] for kind in (*FINE, "fault"))]
        print(f"{family:<14}" + "".join(f"{count:>8}" for count in counts), flush=True)
        for kind, taken, count, (number, detail) in smallest(one.faults):
            print(
                f"    {kind} {count} times, first {number}: {', '.join(taken)}: {detail}",
                flush=True,
            )
        for kind, counted in one.told.items() if given.told else ():
            for what, count in counted.most_common():
                print(f"    {kind} {count} times: {what}")
    print(f"{each * len(families)} copies in {time.perf_counter() - begin:.0f} s; {found} faults")
    return int(found > 0)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
