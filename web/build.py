"""Make the page of this folder ready to be served: with Pyodide, and corefmeter as it is here.

    python web/build.py OUT [--pyodide ARCHIVE]

OUT is a folder that any server of files can serve. Pyodide comes from npm, in the release that
package.json names, or from ARCHIVE, which is what ``npm pack`` writes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from corefmeter import Recipe, __version__
from corefmeter.reports.listing import listed_metrics, listed_policies, listed_presets
from corefmeter.reports.page import script_and_style
from corefmeter.wings.platforms.wheels import NEEDED, wheel_of

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"

#: The files that the page scores in one click.
EXAMPLE = ("key.conll", "system-a.conll", "system-b.conll")

#: What the page needs of Pyodide: a module, and what it loads.
MODULES = ("pyodide.mjs", "pyodide.asm.mjs")
LOADED = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

#: Files that are served as they are here.
COPIED = ("page.css", "page.js", "files.js", "options.js", "worker.js", "run.py", "icon.svg")


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


def menus() -> list[dict[str, Any]]:
    """The menus of the page: options, and their values with one sentence each."""
    metrics = [entry for entry in listed_metrics() if "title" in entry]
    presets = [
        {"name": one["name"], "title": one["name"], "about": f"{one['about']}.",
         "sets": one["options"]}
        for one in listed_presets()
    ]  # fmt: skip
    none = {"name": "", "title": "none", "about": "The default options.", "sets": {}}
    policies = {entry["name"]: entry for entry in listed_policies()}
    return [
        {"name": "preset", "option": "--preset", "title": "Preset", "default": None,
         "about": "Options of a shared task or corpus.", "choices": [none, *presets]},
        {"name": "metrics", "option": "--metric", "title": "Metrics", "many": True,
         "default": Recipe().metrics, "about": "What to compute.",
         "choices": [{name: one[name] for name in ("name", "title", "about")} for one in metrics]},
        policy_menu(policies["match"], "--match", "Matching"),
        policy_menu(policies["singletons"], "--singletons", "Singletons"),
    ]  # fmt: skip


def policy_menu(entry: dict[str, Any], option: str, title: str) -> dict[str, Any]:
    """The menu of a policy, whose help explains its values, in order, after its first sentence."""
    about, explained = entry["about"].split(". ", 1)
    subject, explained = explained.removesuffix(".").split(" ", 1)
    parts = explained.split("; ")
    choices = [
        {"name": value, "title": value, "about": f"{subject} {part.removeprefix('or ')}."}
        for value, part in zip(entry["values"], parts, strict=True)
    ]
    return {"name": entry["name"], "option": option, "title": title, "default": entry["default"],
            "about": f"{about}.", "choices": choices}  # fmt: skip


def pyodide_files(archive: Path) -> dict[str, bytes]:
    """The files of Pyodide that the page needs."""
    files = {}
    with tarfile.open(archive) as packed:
        for name in (*MODULES, *LOADED):
            source = packed.extractfile(f"package/{name}")
            assert source is not None, name
            files[f"pyodide/{name}"] = source.read()
    return files


def cache_script(files: dict[str, bytes], loaded: Iterable[str]) -> str:
    """The script of the cache, which is named after the digest of all files.

    Files that are loaded with progress, and Pyodide, are kept when the page asks for them.
    """
    lines = (f"{path} {hashlib.sha256(files[path]).hexdigest()}\n" for path in sorted(files))
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
    large = {*loaded, *(f"pyodide/{name}" for name in MODULES)}
    first = ["./", *(path for path in files if path not in large)]
    script = (HERE / "cache.js").read_text("utf-8")
    return script.replace("DIGEST", digest).replace("FILES", json.dumps(first))


def build(target: Path, archive: Path) -> None:
    """Write the page to a folder."""
    files = {name: (HERE / name).read_bytes() for name in COPIED}
    files |= {f"examples/{name}": (EXAMPLES / name).read_bytes() for name in EXAMPLE}
    files |= pyodide_files(archive)
    wheels = {f"wheels/{name}": data for name, data in map(wheel_of, NEEDED)}
    files |= wheels
    loaded = [*(f"pyodide/{name}" for name in LOADED), *wheels]
    script, style = script_and_style()
    index = (HERE / "index.html").read_text("utf-8").replace("VERSION", __version__)
    texts = {"index.html": index, "menus.json": json.dumps(menus()),
             "report.js": script, "report.css": style,
             "files.json": json.dumps({path: len(files[path]) for path in loaded})}  # fmt: skip
    files |= {name: text.encode() for name, text in texts.items()}
    files["cache.js"] = cache_script(files, loaded).encode()
    for name, data in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)


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
