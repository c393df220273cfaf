"""How fast are comparisons? ``python benchmarks/compare.py`` makes its inputs and measures.

CPU time (user and system) and peak memory of whole processes; what comparing takes is the
difference between ``compare`` and ``score`` on the same files, which run in turn.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from run import measure

SEVEN = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")


def systems(
    folder: Path, name: str, count: int, documents: int, tokens: int, mentions: int
) -> list[Path]:
    """A key and the responses of so many systems, made once and kept in the folder."""
    paths = [folder / f"{name}-{i}.conll" for i in range(count + 1)]
    if not all(path.exists() for path in paths):
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(_make, paths, documents, tokens, mentions).result()
    return paths


def _make(paths: list[Path], documents: int, tokens: int, mentions: int) -> None:
    """Write the files: in the key whole entities, in each response some that are damaged."""
    import inputs

    rng = random.Random(1)
    keys = [inputs.document(tokens, mentions, 20, rng)[0] for _ in range(documents)]
    titles = [f"bc/made/{number:04d}" for number in range(documents)]
    for number, path in enumerate(paths):
        damage = 0 if number == 0 else 0.1 + 0.2 * number / len(paths)
        written = []
        for title, key in zip(titles, keys, strict=True):
            response = [[span for span in entity if rng.random() >= damage] for entity in key]
            for entity in response:
                if entity and rng.random() < damage:
                    rng.choice(response).append(entity.pop())
            written.append((title, tokens, [entity for entity in response if entity]))
        inputs.write(path, written)


def command(name: str, paths: list[Path], metrics: tuple[str, ...], *options: str) -> list[str]:
    """The command to be measured."""
    chosen = [part for metric in metrics for part in ("-m", metric)]
    files = [str(path) for path in paths]
    return [sys.executable, "-m", "corefmeter", name, *files, *chosen, "-f", "json", *options]


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="keep the inputs here")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="corefmeter-benchmark-"))
    folder.mkdir(parents=True, exist_ok=True)
    pair = systems(folder, "pair", 2, 350, 486, 57)
    many = systems(folder, "many", 64, 120, 486, 57)
    print(f"{'CPU seconds':<52}{'compare':>9}{'score':>9}{'more':>9}{'limit':>8}{'peak MB':>9}")
    for what, paths, metrics, trials, runs, limit in (
        ("one pair, 350 documents, 7 metrics, 10,000 trials", pair, SEVEN, 10_000, options.runs,
         "0.5 s"),
        ("  1,000,000 trials", pair, SEVEN, 1_000_000, 1, ""),
        ("64 systems, 120 documents, CoNLL and LEA, 10,000", many, ("conll", "lea"), 10_000,
         min(3, options.runs), "60 s"),
    ):  # fmt: skip
        ours, base, peak = [], [], 0.0
        for _ in range(runs):
            seconds, memory = measure(command("compare", paths, metrics, "--trials", str(trials)))
            ours.append(seconds)
            base.append(measure(command("score", paths, metrics))[0])
            peak = max(peak, memory)
        more = statistics.median(a - b for a, b in zip(ours, base, strict=True))
        print(
            f"{what:<52}{statistics.median(ours):>9.2f}{statistics.median(base):>9.2f}"
            f"{more:>9.2f}{limit:>8}{peak:>9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
