"""How fast are clusterings in tables? ``python benchmarks/tables.py [--items 1e6 1e7] [--peers]``

Tables are invented from a fixed seed: sizes of clusters 2 x Pareto (1.5), 20 % of the items moved
to another cluster. CPU seconds and memory are those of a process of its own; times of a frame in
memory, and of peers, are of calls in this process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow
from pyarrow import parquet

#: Rows that are made at once.
BLOCK = 5_000_000

#: All metrics that need no assignment.
ADDITIVE = "mentions,muc,b3,blanc,lea,ceaf1,links,rand,ari,fmi,vmeasure,nmi,vi,closest,purity"

#: Seconds of CPU and GiB that each number of items may take, and the metrics that are meant.
LIMITS = {
    10**6: ("standard", 3.0, None),
    10**7: ("standard", 30.0, 2.0),
    10**8: (ADDITIVE, 300.0, 12.0),
}


def write(folder: Path, items: int) -> tuple[Path, Path]:
    """A key and a response in Parquet, in another order of rows."""
    rng = np.random.default_rng(1)
    drawn = np.floor(2 * (rng.pareto(1.5, size=items // 3 + 10) + 1)).astype(np.int64)
    ends = np.cumsum(np.minimum(drawn, 100_000))
    paths = folder / f"{items}.key.parquet", folder / f"{items}.response.parquet"
    schema = pyarrow.schema([("id", pyarrow.int64()), ("cluster", pyarrow.int64())])
    with (
        parquet.ParquetWriter(paths[0], schema) as key,
        parquet.ParquetWriter(paths[1], schema) as response,
    ):
        for start in range(0, items, BLOCK):
            ids = np.arange(start, min(start + BLOCK, items))
            right = np.searchsorted(ends, ids, side="right")
            is_moved = rng.random(len(ids)) < 0.2
            guessed = np.where(is_moved, rng.integers(0, right[-1] + 1, len(ids)), right)
            for writer, clusters in ((key, right), (response, guessed)):
                order = rng.permutation(len(ids))
                writer.write_table(
                    pyarrow.table({"id": ids[order], "cluster": clusters[order]}, schema)
                )
    return paths


def measured(command: list[str]) -> tuple[float, float]:
    """CPU seconds and GiB of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: exit {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20


def seconds(call: Callable[[], Any]) -> float:
    """The least CPU time of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def of_files(folder: Path, items: int) -> bool:
    """Measure the command; whether it keeps to the limit, if there is one."""
    key, response = write(folder, items)
    metrics, most_cpu, most_memory = LIMITS.get(items, ("standard", None, None))
    command = [sys.executable, "-m", "corefmeter", "clusters", str(key), str(response), "--quiet"]
    command += ["--item", "id", "--cluster", "cluster"]
    if metrics != "standard":
        command += ["-m", metrics, "--memory", "9GB", "--temporary", str(folder)]
    cpu, memory = measured(command)
    for path in (key, response):
        path.unlink()
    kept = (most_cpu is None or cpu <= most_cpu) and (most_memory is None or memory <= most_memory)
    print(
        f"{items:>12,} items   {cpu:8.2f} s CPU (limit {most_cpu})   {memory:6.2f} GiB "
        f"(limit {most_memory})   {'' if kept else 'MISSED'}   {metrics}"
    )
    return kept


def of_text(folder: Path, items: int = 1_000_000) -> bool:
    """Measure CSV against Parquet; the whole of it is read twice, first for its form."""
    from corefmeter.wings.records.text import detect_form

    paths = []
    for path in write(folder, items):
        paths.append(path.with_suffix(".csv"))
        parquet.read_table(path).to_pandas().to_csv(paths[-1], index=False)
        path.unlink()
    forms = seconds(lambda: [detect_form(str(path), ["id"]) for path in paths])
    command = [sys.executable, "-m", "corefmeter", "clusters", *map(str, paths), "--quiet"]
    cpu = min(measured(command)[0] for _ in range(3))
    print(
        f"{items:>12,} rows of CSV   {cpu:8.2f} s CPU, of which {forms:.2f} find the header, "
        f"separator, quotes and the number of rows: {forms / (cpu - forms):.1%} more (limit 15 %)"
    )
    return forms <= 0.15 * (cpu - forms)


def of_frame(items: int = 100_000) -> bool:
    """Measure a frame in memory."""
    from corefmeter import score_tables

    rng = np.random.default_rng(1)
    right = rng.integers(0, items // 3, items)
    guessed = np.where(rng.random(items) < 0.2, rng.integers(0, items // 3, items), right)
    key = pandas.DataFrame({"id": np.arange(items), "cluster": right})
    response = pandas.DataFrame({"id": np.arange(items), "cluster": guessed})
    found = seconds(lambda: score_tables(key, response, item="id", cluster="cluster"))
    print(f"{items:>12,} rows of pandas   {found:6.3f} s (limit 0.3)")
    return found <= 0.3


def of_tiny(folder: Path, items: int = 100) -> bool:
    """Measure tiny tables from the second call on, as in a loop over thresholds."""
    import duckdb

    from corefmeter import score_tables
    from corefmeter.recipe import Recipe
    from corefmeter.wings.records.files import Limits, tables_in
    from corefmeter.wings.records.opening import TableOptions

    paths = write(folder, items)
    texts = [path.with_suffix(".csv") for path in paths]
    for path, text in zip(paths, texts, strict=True):
        parquet.read_table(path).to_pandas().to_csv(text, index=False)
    connection = duckdb.connect()
    relations = [connection.read_parquet(str(path)) for path in paths]
    frames = [relation.df() for relation in relations]

    def of_files(key: Path, response: Path) -> None:
        with tables_in(str(key), str(response), Recipe(), TableOptions(), Limits()) as tables:
            tables.score(Recipe())

    calls: dict[str, Callable[[], Any]] = {
        "DuckDB": lambda: score_tables(*relations, item="id", cluster="cluster"),
        "pandas": lambda: score_tables(*frames, item="id", cluster="cluster"),
        "Parquet": lambda: of_files(*paths),
        "CSV": lambda: of_files(*texts),
    }
    found = {}
    for name, call in calls.items():
        call()
        found[name] = min(seconds(call) for _ in range(3))
    shown = ", ".join(f"{name} {time:.3f}" for name, time in found.items())
    print(f"{items:>12,} rows a call   {shown} s (limit 0.02)")
    return max(found.values()) <= 0.02


def of_unmatched(items: int = 1_000_000) -> bool:
    """Measure text ids of which a tenth is on one side only, on both sides, in DuckDB."""
    import duckdb

    from corefmeter import score_tables

    rng = np.random.default_rng(1)
    ids = np.array([f"Record {place:07}" for place in range(items + items // 10)])
    right = rng.integers(0, items // 3, items)
    guessed = np.where(rng.random(items) < 0.2, rng.integers(0, items // 3, items), right)
    with duckdb.connect() as connection:
        key, response = (
            connection.from_arrow(pyarrow.table({"id": of_side, "cluster": clusters}))
            for of_side, clusters in ((ids[:items], right), (ids[-items:], guessed))
        )
        how = {"item": "id", "cluster": "cluster", "metrics": "muc,b3,links"}
        found = seconds(lambda: score_tables(key, response, **how))
    print(f"{items:>12,} text ids, a tenth on one side only   {found:6.3f} s (limit 3)")
    return found <= 3


def of_peers(items: int = 1_000_000) -> None:
    """The same two clusterings in scikit-learn and er-evaluation, where these are installed."""
    from corefmeter import score_labels, score_tables

    rng = np.random.default_rng(1)
    right = rng.integers(0, items // 3, items)
    guessed = np.where(rng.random(items) < 0.2, rng.integers(0, items // 3, items), right)
    frames = [pandas.DataFrame({"id": np.arange(items), "c": side}) for side in (right, guessed)]
    ours = "links,ari,vmeasure,fmi"
    calls: dict[str, Callable[[], Any]] = {
        f"score_labels {ours}": lambda: score_labels(right, guessed, metrics=ours),
        f"score_tables {ours}": lambda: score_tables(*frames, item="id", cluster="c", metrics=ours),
        "score_tables b3,links,ceaf1": lambda: score_tables(
            *frames, item="id", cluster="c", metrics="b3,links,ceaf1"
        ),
    }
    try:
        from sklearn import metrics
    except ImportError:
        print("scikit-learn is not installed")
    else:
        calls["scikit-learn ARI, V, FMI, pair confusion"] = lambda: (
            metrics.adjusted_rand_score(right, guessed),
            metrics.homogeneity_completeness_v_measure(right, guessed),
            metrics.fowlkes_mallows_score(right, guessed),
            metrics.cluster.pair_confusion_matrix(right, guessed),
        )
    try:
        import er_evaluation
    except ImportError:
        print("er-evaluation is not installed")
    else:
        sides = [pandas.Series(side) for side in (guessed, right)]
        calls["er-evaluation pairs, clusters, b3"] = lambda: [
            getattr(er_evaluation, f"{kind}_{rate}")(*sides)
            for kind in ("pairwise", "cluster", "b_cubed")
            for rate in ("precision", "recall")
        ]
    for name, call in calls.items():
        print(f"{items:>12,} items   {seconds(call):7.3f} s   {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=float, nargs="*", default=[1e6, 1e7])
    parser.add_argument("--peers", action="store_true", help="compare with other packages")
    parser.add_argument("--folder", type=Path, help="where to write tables; 10^8 rows need 2 GB")
    asked = parser.parse_args()
    kept = [of_frame(), of_unmatched()]
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        kept += [of_files(Path(folder), int(items)) for items in asked.items]
        kept += [of_text(Path(folder)), of_tiny(Path(folder))]
    if asked.peers:
        of_peers()
    if not all(kept):
        raise SystemExit("a limit was missed")


if __name__ == "__main__":
    main()
