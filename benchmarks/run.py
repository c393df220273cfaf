"""How fast is it? ``python benchmarks/run.py`` makes its inputs, measures, and prints a table.

Every figure is CPU time (user and system) of a whole process, the median of several runs. A
command and its floor run in turn, A B A B ..., and the ratio is the median of the ratios pair by
pair, so that it holds when the machine's speed drifts. The floor of a pair of files is Python
starting, importing numpy and reading both files once.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path


def made(function: str, folder: Path, *arguments: object) -> tuple[Path, Path]:
    """Key and response that a function of `inputs` makes, in a process of its own.

    The peak memory of a process counts what its parent held when it started, so this one is to
    stay small.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        key, response = pool.submit(_make, function, folder, *arguments).result()
    return key, response


def _make(function: str, folder: Path, *arguments: object) -> tuple[Path, Path]:
    import inputs

    pair: tuple[Path, Path] = getattr(inputs, function)(folder, *arguments)
    return pair


def measure(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak memory in MB of one run of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def paired(a: list[str], b: list[str], runs: int) -> tuple[float, float, float, float]:
    """Median CPU of both, median ratio a/b, and peak memory of a."""
    measure(a), measure(b)
    times = [(measure(a), measure(b)) for _ in range(runs)]
    return (
        statistics.median(first[0] for first, _ in times),
        statistics.median(second[0] for _, second in times),
        statistics.median(first[0] / second[0] for first, second in times),
        max(first[1] for first, _ in times),
    )


def score(key: Path, response: Path, *options: str) -> list[str]:
    """The command to be measured."""
    return [sys.executable, "-m", "corefmeter", "score", str(key), str(response), *options]


def floor(key: Path, response: Path) -> list[str]:
    """Importing numpy and reading both files once."""
    code = f"import numpy; open({str(key)!r}, 'rb').read(); open({str(response)!r}, 'rb').read()"
    return [sys.executable, "-c", code]


_LOOP = """
import random, sys, time
sys.path.insert(0, {folder!r})
import inputs
from corefmeter import Scorer
rng = random.Random(1)
pairs = [inputs.document(486, 57, 20, rng) for _ in range(350)]
scorer = Scorer()
start = time.process_time()
for key, response in pairs:
    scorer.update(key, response)
scorer.compute().to_dict()
print(time.process_time() - start)
"""


_AGREE = """
import random, sys, time
sys.path.insert(0, {folder!r})
import inputs
import corefmeter.wings.annotation.agreement as agreement
from corefmeter import Document, Recipe
rng = random.Random(1)
size = 100_000 // {documents}
documents = [
    [Document(str(n), side, tokens=size) for side in inputs.annotators(size, {entities}, 5, rng)]
    for n in range({documents})
]
start = time.process_time()
found = agreement.Agreement(list("ABCDE"), Recipe(), "singleton", agreement.Resampling())
agreement.set_alphas(found, documents, [])
print(time.process_time() - start)
"""


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="keep the inputs here")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="corefmeter-benchmark-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    print(f"{options.runs} pairs each; CPU seconds, medians")
    print(f"{'what':<44}{'ours':>8}{'floor':>8}{'ratio':>8}{'limit':>9}{'peak MB':>9}")

    def row(what: str, ours: float, base: float, ratio: float, limit: str, peak: float) -> None:
        print(f"{what:<44}{ours:>8.3f}{base:>8.3f}{ratio:>8.2f}{limit:>9}{peak:>9.0f}", flush=True)

    conll = made("corpus", folder, "conll", 350, 486, 57, 20)
    book = made("corpus", folder, "book", 1, 200_000, 30_000, 3_000)
    books = made("corpus", folder, "books", 10, 200_000, 30_000, 3_000)
    dense = made("dense_corpus", folder, 3_000, 30_000)

    conll_row = paired(score(*conll, "-f", "json"), floor(*conll), options.runs)
    row("CoNLL-2012 size, 350 documents, json", *conll_row[:3], "1.3 x", conll_row[3])
    text = paired(score(*conll), score(*conll, "-f", "json"), options.runs)
    row("  text, against json", *text[:3], "+0.15 s", text[3])
    every = paired(score(*conll, "-f", "json", "-m", "all"), floor(*conll), options.runs)
    row("  all 13 metrics and averages", *every[:3], "", every[3])
    card = [sys.executable, "-m", "corefmeter", "card", *map(str, conll), "-f", "json"]
    card_row = paired(card, score(*conll, "-f", "json", "-m", "all"), options.runs)
    row("  card, against all metrics", *card_row[:3], "2 x", card_row[3])
    ace = [sys.executable, "-m", "corefmeter", "ace", *map(str, conll)]
    ace_row = paired(ace, score(*conll, "-f", "json"), options.runs)
    row("  ACE value, against json", *ace_row[:3], "", ace_row[3])
    page = [sys.executable, "-m", "corefmeter", "report", *map(str, conll), "-o", os.devnull]
    errors = [sys.executable, "-m", "corefmeter", "errors", *map(str, conll)]
    page_row = paired(page, errors, 3)
    row("  report, against errors", *page_row[:3], "1.5 x", page_row[3])
    book_row = paired(score(*book, "-f", "json"), floor(*book), options.runs)
    row("one book, 200k tokens, 30k mentions", *book_row[:3], "1.8 x", book_row[3])
    book_card = [sys.executable, "-m", "corefmeter", "card", *map(str, book), "-f", "json"]
    long_row = paired(book_card, score(*book, "-f", "json", "-m", "all"), options.runs)
    row("  card, against all metrics", *long_row[:3], "2 x", long_row[3])
    ten = paired(score(*books, "-f", "json"), score(*book, "-f", "json"), 3)
    row("ten books, against one", *ten[:3], "10.5 x", ten[3])
    size = books[0].stat().st_size / (1 << 20)
    bare = measure([sys.executable, "-c", "pass"])[1]
    print(f"  peak above the interpreter {ten[3] - bare:.0f} MB; one file is {size:.0f} MB")
    giant = paired(score(*dense, "-f", "json"), score(*book, "-f", "json"), 3)
    row("dense 3,000 x 3,000, against the book", *giant[:3], "+2 s", giant[3])
    windows = made("windows", folder, 200_000, 30_000, 3_000)[0]
    stitch = [sys.executable, "-m", "corefmeter", "stitch", str(windows), "-f", "json"]
    stitch_row = paired(stitch, floor(windows, windows), options.runs)
    row("stitching, 200k tokens in 250 windows", *stitch_row[:3], "1 s", stitch_row[3])

    def inside(what: str, code: str, limit: str) -> None:
        command = [sys.executable, "-c", code]
        seconds = min(float(subprocess.check_output(command)) for _ in range(options.runs))
        print(f"{what:<44}{seconds:>8.3f}{'':>16}{limit:>9}", flush=True)

    here = str(Path(__file__).parent)
    one = _AGREE.format(folder=here, documents=1, entities=5_000)
    inside("alphas of 5 annotators, 100k mentions", one, "1 s")
    many = _AGREE.format(folder=here, documents=10_000, entities=4)
    inside("  in 10,000 documents, with intervals", many, "1.3 s")
    inside("Scorer.update + compute, 350 documents", _LOOP.format(folder=here), "0.15 s")


if __name__ == "__main__":
    main()
