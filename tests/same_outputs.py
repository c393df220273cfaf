"""Compare what two trees print: every command on the examples, in every format of output.

    python tests/same_outputs.py OLD NEW [WORD…]    # only commands that contain one of the words

What a command prints, its status and the files that it writes must be the same bytes.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

#: Commands whose report is written in each of `FORMATS`. K, A and B are the files of examples/.
REPORTS = """
score K A B
score K A B -m all --by document
score K A --singletons drop --match overlap --repeated distinct
score K A -m arcs-immediate,mor,zero,split,bridging-entity,nonreferring,ceaf-attributes
compare K A B --trials 100
compare K A B --test bootstrap --trials 100 --by part
errors K A B
errors K B --by column:3
card K A B
card K A --by kind --pronouns en --largest 3
match K A --match overlap
stats K A B
agree K A B --trials 100
merge K A B
stitch A --overlap 0 --key K
clusters key.csv a.csv --item id --cluster cluster -m all
correlate scores.csv
lab experiment lea-table1 K A
lab damage K --kind split --levels 0,1
lab audit -m muc --mentions 2
"""
FORMATS = ("text", "json", "csv", "csv-exact", "latex", "markdown", "github")

#: Commands that write something else.
OTHERS = """
validate A --against K -f json
validate broken.conll
validate key.csv
convert K out.conllu
convert K out.jsonl --to e2e
convert K out/ --to webanno
report K A B -o page.html
merge K A --write out.conll
errors K A --write-fixed fixed
conll-scorer all K A
clusters --sql duckdb key r --item id --cluster c
cite lea ace
list metrics
list formats -f json
list policies
"""

FILES = {
    "broken.conll": "#begin document (a);\na\t(1\nb\t2)\n",
    "key.csv": "id,cluster\na,1\nb,1\nc,2\n",
    "a.csv": "id,cluster\na,x\nb,y\nc,y\n",
    "scores.csv": "system,muc,b3,lea\nx,1,2,2\ny,2,1,3\nz,3,4,5\n",
}
for short, name in (("K", "key"), ("A", "system-a"), ("B", "system-b")):
    FILES[short] = (Path(__file__).parents[1] / f"examples/{name}.conll").read_text("utf-8")


def run(tree: Path, *arguments: str, cwd: str | None = None) -> subprocess.CompletedProcess[bytes]:
    given = {"cwd": cwd, "env": os.environ | {"PYTHONPATH": str(tree / "src")}}
    return subprocess.run([sys.executable, *arguments], capture_output=True, check=False, **given)


def output(tree: Path, command: list[str]) -> dict[str, bytes]:
    """What a command prints and writes, by the name of the stream or file."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            Path(folder, name).write_text(text, "utf-8")
        done = run(tree, "-m", "corefmeter", *command, cwd=folder)
        found = {"status": b"%d" % done.returncode, "stdout": done.stdout, "stderr": done.stderr}
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.name not in FILES:
                found[path.name] = path.read_bytes()
        return {name: value.replace(folder.encode(), b"FOLDER") for name, value in found.items()}


def main() -> int:
    """Compare, and print each difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    old, new = given.old.resolve(), given.new.resolve()
    names = run(new, "-c", "import corefmeter.cli.main as m; print(*m.program.list_commands(None))")
    commands = [f"{line} -f {f}".split() for line in REPORTS.strip().split("\n") for f in FORMATS]
    commands += [line.split() for line in OTHERS.strip().split("\n")]
    commands += [["--help"], *([name, "--help"] for name in names.stdout.decode().split())]
    commands = [c for c in commands if not given.words or {*given.words} & {*c}]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = list(pool.map(lambda c: (c, output(old, c), output(new, c)), commands))
    differing = [pair for pair in pairs if pair[1] != pair[2]]
    for command, *both in differing:
        print("==", *command)
        for name in sorted(both[0].keys() | both[1].keys()):
            lines = [one.get(name, b"").decode(errors="replace").splitlines() for one in both]
            print(*difflib.unified_diff(*lines, f"old {name}", "new", lineterm=""), sep="\n")
    wrong = [" ".join(c) for c, _, found in pairs if found["status"] not in (b"0", b"3")]
    print(
        f"{len(pairs)} commands, {len(differing)} differ; wrong usage: {'; '.join(wrong) or 'none'}"
    )
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
