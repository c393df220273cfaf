"""``python -m tests.fuzz --files 1000000 --seed 1``: a table of what became of that many files.

The files of each reader are divided among processes; each file depends on the seed, the reader and
its number only, so that any can be made again: ``--reader conllu --seed 1 --only 4711``.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path

from corefmeter.formats import names

from .mutants import seeds
from .tally import Tally, added, made, tallies
from .trial import tried


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=20_000, help="of all readers together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", action="append", choices=names(), help="may be repeated")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--only", type=int, help="print this file of --reader and what becomes of it"
    )
    given = parser.parse_args()
    readers = given.reader or names()
    if given.only is not None:
        return show(readers[0], given.seed, given.only)
    begin = time.perf_counter()
    found: dict[str, Tally] = {}
    for one in tallies(readers, given.files, given.seed, given.processes):
        found[one.reader] = added(found[one.reader], one) if one.reader in found else one
    return report([found[reader] for reader in readers], time.perf_counter() - begin)


def show(reader: str, seed: int, number: int) -> int:
    """One file again: what is in it, and what becomes of it."""
    files, chance = made(reader, seeds(reader), seed, number)
    for name, content in files.items():
        print(f"--- {name}\n{content!r}")
    with tempfile.TemporaryDirectory() as folder:
        print(*tried(reader, files, Path(folder), chance))
    return 0


def report(found: list[Tally], seconds: float) -> int:
    """Print the table, then the faults with the number of a file; 1 if there is a fault."""
    print(f"{'reader':<14}{'files':>9}{'read':>9}{'typed':>9}{'other':>7}"
          f"{'slowest':>10}{'file':>9}{'memory':>10}")  # fmt: skip
    faults = 0
    for one in found:
        files, read, typed = one.kinds.total(), one.kinds["read"], one.kinds["typed"]
        other = files - read - typed
        faults += other
        print(f"{one.reader:<14}{files:>9}{read:>9}{typed:>9}{other:>7}"
              f"{one.slowest[0]:>8.2f} s{one.slowest[1]:>9}{one.memory:>6.0f} MiB")  # fmt: skip
    total = sum(one.kinds.total() for one in found)
    print(f"{total} files in {seconds:.0f} s, {total / seconds:.0f} a second; {faults} faults")
    for one in found:
        for kind, count in one.kinds.most_common():
            if kind not in ("read", "typed"):
                print(f"{one.reader} {count} times, first {one.examples[kind]}: {kind}")
    return int(faults > 0)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
