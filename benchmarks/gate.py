"""Is anything slower than before? ``gate.py OLD_TREE`` times old and new in pairs.

Both trees are checkouts; they are run by this Python, in turn, A B A B ..., on the same inputs. The
ratio is the median of the ratios pair by pair, so that it holds when the machine's speed drifts.
The status is 1 if any ratio is above the limit. ``--record`` measures the ratios of the README's
table instead, and adds them as a line to ``history.jsonl``, once for each release.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from run import floor, made, paired, score

HERE = Path(__file__).parent
ROOT = HERE.parent


def by(tree: Path, command: list[str]) -> list[str]:
    """The command, run with the package of a checkout."""
    return ["env", f"PYTHONPATH={tree / 'src'}", *command]


def package(tree: Path) -> Path:
    """Where the package is taken from, which must be the checkout."""
    code = "import corefmeter; print(corefmeter.__file__)"
    place = subprocess.check_output(by(tree, [sys.executable, "-c", code]), text=True)
    if not Path(place.strip()).is_relative_to(tree / "src"):
        raise SystemExit(f"{tree}: the package comes from {place.strip()}")
    return Path(place.strip())


def inputs(folder: Path) -> dict[str, tuple[Path, Path]]:
    """Key and response of each kind of data."""
    return {
        "corpus": made("corpus", folder, "conll", 350, 486, 57, 20),
        "book": made("corpus", folder, "book", 1, 200_000, 30_000, 3_000),
        "dense": made("dense_corpus", folder, 3_000, 30_000),
    }


def gate(old: Path, folder: Path, runs: int, limit: float) -> int:
    """Print old, new and their ratio for each command; how many are above the limit."""
    package(old), package(ROOT)
    pairs = inputs(folder)
    key, response = pairs["corpus"]
    python = [sys.executable, "-m", "corefmeter"]
    commands = {
        "start": [*python, "--version"],
        "corpus, json": score(key, response, "-f", "json"),
        "corpus, table": score(key, response),
        "corpus, all metrics": score(key, response, "-m", "all", "-f", "json"),
        "book, json": score(*pairs["book"], "-f", "json"),
        "dense, json": score(*pairs["dense"], "-f", "json"),
        "book, card": [*python, "card", *map(str, pairs["book"]), "-f", "json"],
        "compare": [*python, "compare", *map(str, (key, response, key)), "-f", "json", "--quiet"],
        "errors": [*python, "errors", str(key), str(response), "-f", "json", "--quiet"],
    }
    slower = 0
    print(f"{'CPU seconds, median of pairs':<30}{'old':>9}{'new':>9}{'new/old':>9}")
    for what, command in commands.items():
        new, before, ratio, _ = paired(by(ROOT, command), by(old, command), runs)
        above = ratio > 1 + limit / 100
        slower += above
        print(f"{what:<30}{before:>9.3f}{new:>9.3f}{ratio:>9.3f}{'  SLOWER' if above else ''}")
    return slower


def record(folder: Path, runs: int) -> dict[str, object]:
    """The line of this release: version, day, machine, and the ratios of the README's table."""
    from corefmeter import __version__

    pairs = inputs(folder)
    books = made("corpus", folder, "books", 10, 200_000, 30_000, 3_000)
    timed = {name: score(*pair, "-f", "json") for name, pair in (*pairs.items(), ("books", books))}
    base = {name: floor(*pair) for name, pair in pairs.items()}
    ratios = {
        "corpus / floor": paired(timed["corpus"], base["corpus"], runs)[2],
        "book / floor": paired(timed["book"], base["book"], runs)[2],
        "ten books / book": paired(timed["books"], timed["book"], 3)[2],
        "dense / book": paired(timed["dense"], timed["book"], 3)[2],
    }
    return {
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}",
        "ratios": {name: round(value, 2) for name, value in ratios.items()},
    }


def main() -> None:
    """Compare with an older checkout, or record a release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, metavar="OLD_TREE")
    parser.add_argument("--record", action="store_true", help="add a line to history.jsonl")
    parser.add_argument("--runs", type=int, default=11, help="pairs for each command")
    parser.add_argument("--limit", type=float, default=10, help="percent that may be lost")
    parser.add_argument("--folder", type=Path, help="keep the inputs here")
    options = parser.parse_args()
    if (options.old is None) != options.record:
        parser.error("give OLD_TREE or --record")
    folder = options.folder or Path(tempfile.mkdtemp(prefix="corefmeter-benchmark-"))
    folder.mkdir(parents=True, exist_ok=True)
    if options.record:
        line = json.dumps(record(folder, options.runs), ensure_ascii=False)
        with (HERE / "history.jsonl").open("a", encoding="utf-8") as history:
            history.write(line + "\n")
        print(line)
    elif slower := gate(options.old.resolve(), folder, options.runs, options.limit):
        sys.exit(f"{slower} of these take more than {options.limit:g} % longer")


if __name__ == "__main__":
    main()
