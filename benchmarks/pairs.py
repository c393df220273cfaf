"""How fast are scores of pairs at 50 thresholds? ``python benchmarks/pairs.py`` measures.

CPU seconds and peak memory of a process. The key has records in clusters of up to 50 (2 × Pareto
with 1.5), there are some 4 pairs for each record, and both are in Parquet.

Measured on 2 cores: 10.4 million pairs of 2.4 million records take 36 s of CPU and 2.2 GiB; 9.8
million pairs of 7.2 million records took 82 s and 2.2 GiB.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import parquet


def make(folder: Path, number: int) -> None:
    """Write a key, and about so many pairs."""
    random = np.random.default_rng(1)
    records = number // 5
    sizes = np.minimum(2 * (random.pareto(1.5, records) + 1), 50).astype(int)
    cluster = np.repeat(np.arange(records), sizes)[:records]
    left = random.integers(0, records, number)
    is_near = random.random(number) < 0.8
    right = np.where(
        is_near,
        (left + random.integers(1, 12, number)) % records,
        random.integers(0, records, number),
    )
    is_right = cluster[left] == cluster[right]
    score = np.where(is_right, 1 - random.random(number) ** 2, 0.6 * random.random(number)).round(3)
    _, once = np.unique(np.minimum(left, right) * records + np.maximum(left, right), True)
    pairs = {"id_l": left[once], "id_r": right[once], "match_probability": score[once]}
    for name, columns in (
        ("key", {"id": np.arange(records), "cluster": cluster}),
        ("pairs", pairs),
    ):
        table = pyarrow.table(columns)
        parquet.write_table(table, folder / f"{name}.parquet")
        print(f"{name}: {table.num_rows:,} rows")


def main() -> None:
    """Measure one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=12_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="corefmeter-benchmark-") as place:
        make(Path(place), options.pairs)
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "corefmeter", "clusters", "pairs", f"{place}/key.parquet",
             f"{place}/pairs.parquet", "--thresholds", "0.5:0.99:0.01"],
            check=True,
        )  # fmt: skip
        seconds, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20
        print(f"{seconds:.1f} s, {cpu:.1f} s of CPU, {memory:.2f} GiB")


if __name__ == "__main__":
    main()
