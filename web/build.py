"""Make the page of this folder ready to be served: with Pyodide, and corefmeter as it is here.

    python web/build.py OUT [--pyodide ARCHIVE]

OUT is a folder that any server of files can serve. Pyodide comes from npm, in the release that
package.json names, or from ARCHIVE, which is what ``npm pack`` writes.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from corefmeter import report
from corefmeter.wings.platforms.wheels import NEEDED, wheel_of

HERE = Path(__file__).parent

#: What the page needs of Pyodide.
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json",
         "python_stdlib.zip")  # fmt: skip


def release() -> str:
    """The package of Pyodide and its release, as npm takes it."""
    dependencies = json.loads((HERE / "package.json").read_text("utf-8"))["dependencies"]
    return f"pyodide@{dependencies['pyodide']}"


def fetched(folder: Path) -> Path:
    """The archive of Pyodide, from npm."""
    done = subprocess.run(
        ["npm", "pack", "--silent", release()], cwd=folder, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    return folder / done.stdout.split()[-1]


def build(target: Path, archive: Path) -> None:
    """Write the page to a folder."""
    (target / "pyodide").mkdir(parents=True, exist_ok=True)
    (target / "wheels").mkdir(exist_ok=True)
    for name in ("page.css", "page.js", "worker.js", "run.py"):
        shutil.copy(HERE / name, target)
    page = (HERE / "index.html").read_text("utf-8")
    # What is in the frame of the report must be allowed by the page around it, too.
    allowed = re.search(
        r"script-src '(.*?)'; style-src '(.*?)';", report([["a"]], {"a": [["a"]]}).html
    )
    assert allowed is not None
    page = page.replace("SCRIPT", allowed[1]).replace("STYLE", allowed[2])
    (target / "index.html").write_text(page, "utf-8")
    with tarfile.open(archive) as packed:
        for name in FILES:
            source = packed.extractfile(f"package/{name}")
            assert source is not None, name
            (target / "pyodide" / name).write_bytes(source.read())
    wheels = dict(map(wheel_of, NEEDED))
    for name, data in wheels.items():
        (target / "wheels" / name).write_bytes(data)
    (target / "wheels.json").write_text(json.dumps([*wheels]), "utf-8")


def main() -> None:
    """Read the command line, and build."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--pyodide", type=Path, metavar="ARCHIVE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build(options.out, options.pyodide or fetched(Path(folder)))
    print(f"python -m http.server -d {options.out}")


if __name__ == "__main__":
    main()
