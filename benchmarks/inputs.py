"""Inputs of the benchmarks, invented from a fixed seed: OntoNotes-like files of a given size."""

from __future__ import annotations

import json
import random
from pathlib import Path

Span = tuple[int, int]

#: A line of OntoNotes columns, about 105 bytes, with the coreference cell last.
_LINE = (
    "{name}   {part}   {number:>3}   {word:>14}   {tag:>4}   {parse:>16}   -   -   -   "
    "Speaker#1   *   *   *   *   {cell}\n"
)
_TAGS = ("NN", "DT", "VBD", "IN", "NNP", "PRP", "JJ", ",", "CC", "NNS")
_PARSES = ("*", "(NP*", "*)", "(TOP(S(NP(NP*", "(VP*", "*)))", "(PP*", "(NP*)")


def zipf_sizes(mentions: int, largest: int, rng: random.Random) -> list[int]:
    """Sizes of entities: the r-th has largest/r mentions, at least 2, in random order."""
    sizes = []
    left = mentions
    rank = 1
    while left > 1:
        size = max(2, min(left, int(largest / rank)))
        sizes.append(size)
        left -= size
        rank += 1
    rng.shuffle(sizes)
    return sizes


def document(
    tokens: int, mentions: int, largest: int, rng: random.Random
) -> tuple[list[list[Span]], list[list[Span]]]:
    """A key, and a response that drops, adds and moves some mentions and splits or merges some."""
    spans = _spans(tokens, mentions * 12 // 10, rng)
    rng.shuffle(spans)
    used, spare = spans[:mentions], spans[mentions:]
    key = []
    start = 0
    for size in zipf_sizes(len(used), largest, rng):
        key.append(used[start : start + size])
        start += size
    response: list[list[Span]] = []
    for entity in key:
        kept = [span for span in entity if rng.random() > 0.2]
        if len(kept) > 3 and rng.random() < 0.25:
            cut = rng.randrange(1, len(kept))
            response.append(kept[:cut])
            kept = kept[cut:]
        if response and rng.random() < 0.15:
            rng.choice(response).extend(kept)
        elif kept:
            response.append(kept)
    for span in spare:
        if response and rng.random() < 0.7:
            rng.choice(response).append(span)
        else:
            response.append([span])
    return key, response


def annotators(
    mentions: int, entities: int, number: int, rng: random.Random
) -> list[list[list[Span]]]:
    """What annotators made of the same text, each with 5 % of mentions left out and 10 % moved."""
    found = []
    for _ in range(number):
        side: list[list[Span]] = [[] for _ in range(entities)]
        for token in range(mentions):
            if rng.random() < 0.95:
                home = token % entities if rng.random() < 0.9 else rng.randrange(entities)
                side[home].append((token, token + 1))
        found.append([entity for entity in side if entity])
    return found


def _spans(tokens: int, count: int, rng: random.Random) -> list[Span]:
    """Different spans of one to six tokens."""
    spans: set[Span] = set()
    while len(spans) < count:
        start = rng.randrange(tokens)
        length = rng.choice((1, 1, 1, 1, 2, 2, 3, 4, 6))
        if start + length <= tokens:
            spans.add((start, start + length))
    return sorted(spans)


def dense(entities: int, mentions: int, rng: random.Random) -> tuple[list[list[Span]], ...]:
    """The same mentions in two independent random partitions: one giant component."""
    sides = []
    for _ in range(2):
        side: list[list[Span]] = [[] for _ in range(entities)]
        for token in range(mentions):
            rng.choice(side).append((token, token + 1))
        sides.append([entity for entity in side if entity])
    return tuple(sides)


def write(path: Path, documents: list[tuple[str, int, list[list[Span]]]]) -> None:
    """Write documents ``(name, tokens, entities)`` in OntoNotes columns.

    Crossing mentions of one entity cannot be written, so each mention that would cross gets an
    entity name of its own kind: names are chosen per nesting layer of an entity.
    """
    with path.open("w", encoding="utf-8") as stream:
        for name, tokens, entities in documents:
            cells: dict[int, list[str]] = {}
            for number, entity in enumerate(entities):
                for start, end in _nested(entity):
                    if end == start + 1:
                        cells.setdefault(start, []).append(f"({number})")
                    else:
                        cells.setdefault(start, []).insert(0, f"({number}")
                        cells.setdefault(end - 1, []).append(f"{number})")
            stream.write(f"#begin document ({name}); part 000\n")
            for token in range(tokens):
                stream.write(
                    _LINE.format(
                        name=name,
                        part=0,
                        number=token % 20,
                        word=f"word{token % 9973}",
                        tag=_TAGS[token % 10],
                        parse=_PARSES[token * 7 % 8],
                        cell="|".join(cells.get(token, "-")),
                    )
                )
                if token % 20 == 19:
                    stream.write("\n")
            stream.write("\n#end document\n")


def _nested(entity: list[Span]) -> list[Span]:
    """The spans of an entity without those that touch an earlier one."""
    kept: list[Span] = []
    last = 0
    for start, end in sorted(entity):
        if start >= last:
            kept.append((start, end))
            last = end
    return kept


def corpus(folder: Path, name: str, documents: int, tokens: int, mentions: int, largest: int,
           seed: int = 1) -> tuple[Path, Path]:  # fmt: skip
    """Key and response files of some documents, made once and kept in the folder."""
    paths = folder / f"{name}.key.conll", folder / f"{name}.response.conll"
    if all(path.exists() for path in paths):
        return paths
    rng = random.Random(seed)
    key, response = [], []
    for number in range(documents):
        title = f"bc/made/{number:02d}/made_{number:04d}"
        one, other = document(tokens, mentions, largest, rng)
        key.append((title, tokens, one))
        response.append((title, tokens, other))
    write(paths[0], key)
    write(paths[1], response)
    return paths


def windows(
    folder: Path, tokens: int, mentions: int, largest: int, size: int = 1000, step: int = 800
) -> tuple[Path, Path]:
    """A document in windows of some size, one every step, as lines of JSON; twice the same path."""
    path = folder / "windows.jsonl"
    key, _ = document(tokens, mentions, largest, random.Random(3))
    inside: dict[int, list[list[tuple[int, int]]]] = {}
    for entity in key:
        mine: dict[int, list[tuple[int, int]]] = {}
        for start, end in entity:
            for number in range(max(0, (end - size + step - 1) // step), start // step + 1):
                begin = number * step
                if begin <= start and end <= begin + size:
                    mine.setdefault(number, []).append((start - begin, end - 1 - begin))
        for number, part in mine.items():
            inside.setdefault(number, []).append(part)
    with path.open("w", encoding="utf-8") as stream:
        for begin in range(0, tokens - size + step, step):
            line = {
                "doc_key": f"book@{begin}",
                "sentences": [[f"word{n % 9973}" for n in range(begin, min(begin + size, tokens))]],
                "clusters": inside.get(begin // step, []),
            }
            stream.write(json.dumps(line) + "\n")
    return path, path


def dense_corpus(folder: Path, entities: int, mentions: int, seed: int = 2) -> tuple[Path, Path]:
    """Key and response of one document whose overlap graph is one giant component."""
    paths = folder / "dense.key.conll", folder / "dense.response.conll"
    if not all(path.exists() for path in paths):
        for path, side in zip(paths, dense(entities, mentions, random.Random(seed)), strict=True):
            write(path, [("dense", mentions, side)])
    return paths
