"""How fast is a leaderboard? ``python benchmarks/leaderboard.py`` makes its inputs and measures.

Wall-clock seconds, and the peak memory of the largest process. The inputs have the size of CorefUD:
60 systems on 27 data sets of 20 documents with 900 tokens and 250 mentions each.

Measured with 2 processes on 2 cores: 59 systems are scored and compared in 324 s, with 104 MB; a
run with nothing new takes 8 s; a run with one new system takes 17 s, with 113 MB.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import systems

#: The measuring process reports the largest memory of its children.
CODE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], check=True).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def make(folder: Path, datasets: int, number: int) -> None:
    """Write a leaderboard; data sets have the same entities of other words."""
    (folder / "keys").mkdir(parents=True)
    (folder / "leaderboard.toml").write_text('[compare]\ncorrection = "bh"\n')
    with tempfile.TemporaryDirectory() as made:
        key, *responses = systems(Path(made), "set", number, 20, 900, 250)
        for dataset in range(datasets):
            name, word = f"set{dataset:02}.conll", f"w{dataset}x"
            (folder / "keys" / name).write_text(key.read_text().replace("word", word))
            for place, response in enumerate(responses):
                goal = folder / "systems" / f"system{place:02}" / name
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_text(response.read_text().replace("word", word))


def measure(folder: Path, jobs: int) -> tuple[float, float]:
    """Seconds and megabytes of a run."""
    command = [sys.executable, "-m", "corefmeter", "leaderboard", str(folder), "-o",
               str(folder / "site"), "--jobs", str(jobs)]  # fmt: skip
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - start, float(done.stdout.split()[-1])


def main() -> None:
    """Measure a run of all, a run of nothing new, and one with a new system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=60)
    parser.add_argument("--datasets", type=int, default=27)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="corefmeter-benchmark-") as place:
        folder, aside = Path(place) / "board", Path(place) / "last"
        make(folder, options.datasets, options.systems)
        shutil.move(folder / "systems" / f"system{options.systems - 1:02}", aside)
        print(f"{options.systems} systems x {options.datasets} data sets, {options.jobs} processes")
        for what in ("all but one system", "nothing new", "one new system"):
            if what == "one new system":
                shutil.move(aside, folder / "systems" / "new")
            seconds, memory = measure(folder, options.jobs)
            print(f"{what:<24}{seconds:>8.1f} s{memory:>8.0f} MB", flush=True)


if __name__ == "__main__":
    main()
