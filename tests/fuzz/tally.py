"""What became of many files, counted by reader; in one process or in several."""

from __future__ import annotations

import multiprocessing
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from .mutants import Seed, mutant, readable, seeds
from .trial import limited_memory, peak, tried

__all__ = ["Tally", "added", "made", "tallies", "tally"]

#: Files that one process tries before it ends; its memory is that of the largest of them.
CHUNK = 2000

#: Bytes that one file may ask for.
MEMORY = 1 << 30


class Tally(NamedTuple):
    """What became of some files of a reader; each kind of fault with the number of one file."""

    reader: str
    kinds: Counter[str]
    examples: dict[str, int]
    slowest: tuple[float, int]
    memory: float


def made(reader: str, sound: list[Seed], seed: int, number: int) -> tuple[Seed, random.Random]:
    """A file by its number, and the generator that goes on to choose how it is used."""
    chance = random.Random(f"{seed} {reader} {number}")
    return mutant(sound, chance, readable(reader)), chance


def tally(reader: str, seed: int, numbers: Iterable[int]) -> Tally:
    """Try the files of a reader that have these numbers."""
    sound = seeds(reader)
    kinds: Counter[str] = Counter()
    examples: dict[str, int] = {}
    slowest = (0.0, 0)
    with tempfile.TemporaryDirectory() as folder, limited_memory(MEMORY):
        for number in numbers:
            files, chance = made(reader, sound, seed, number)
            outcome = tried(reader, files, Path(folder), chance)
            kinds[outcome.kind] += 1
            examples.setdefault(outcome.kind, number)
            slowest = max(slowest, (outcome.seconds, number))
    return Tally(reader, kinds, examples, slowest, peak())


def added(one: Tally, other: Tally) -> Tally:
    """Two tallies of a reader as one."""
    return Tally(
        one.reader, one.kinds + other.kinds, other.examples | one.examples,
        max(one.slowest, other.slowest), max(one.memory, other.memory),
    )  # fmt: skip


def tallies(readers: list[str], files: int, seed: int, processes: int) -> Iterator[Tally]:
    """What became of so many files, divided among readers and processes."""
    each = -(-files // len(readers))
    chunks = [
        (reader, seed, range(start, min(start + CHUNK, each)))
        for reader in readers
        for start in range(0, each, CHUNK)
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, max_tasks_per_child=1) as pool:
        yield from pool.map(_tally, chunks)


def _tally(chunk: tuple[str, int, range]) -> Tally:
    return tally(*chunk)
