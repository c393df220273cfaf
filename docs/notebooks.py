"""Makes the notebooks of the tutorials: ``python docs/notebooks.py``, in the root of a checkout.

A notebook is its page, with the blocks as cells, and is executed, so that what it shows is what the
program prints. Commands are cells of ``%%sh``. It runs in a folder that holds ``examples/``.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))

BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n", re.M | re.S)


def as_cells(code: str) -> Iterator[str]:
    """The input of a doctest, a cell for each output, since a cell shows its last value only."""
    cell = ""
    for example in DocTestParser().get_examples(code):
        cell += example.source
        if example.want:
            yield cell.strip()
            cell = ""
    if cell:
        yield cell.strip()


def as_script(code: str) -> str:
    """The commands of a console, of which one that may fail stops nothing."""
    commands = re.findall(r"^\$ (.*)$", code, re.M)
    lines = [re.sub(r"\s+# exit status \d$", " || true", command) for command in commands]
    return "\n".join(["%%sh", *lines])


def cells(text: str) -> Iterator[nbformat.NotebookNode]:
    """The cells of a page."""
    at = 0
    for block in BLOCK.finditer(text):
        if between := text[at : block.start()].strip():
            yield new_markdown_cell(between)
        codes = [as_script(block[2])] if block[1] == "console" else as_cells(block[2])
        yield from map(new_code_cell, codes)
        at = block.end()
    if rest := text[at:].strip():
        yield new_markdown_cell(rest)


def notebook(page: Path) -> nbformat.NotebookNode:
    """The notebook of a page, not executed."""
    text = re.sub(r"\s(This page|It) is also a \[notebook\]\(.*?\)\.", "", page.read_text("utf-8"))
    made = new_notebook(cells=list(cells(text)))
    for number, cell in enumerate(made.cells):
        cell.id = f"{page.stem}-{number}"  # otherwise random
    made.metadata["kernelspec"] = {
        "display_name": "Python 3", "language": "python", "name": "python3",
    }  # fmt: skip
    return made


def executed(made: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A notebook with its outputs; raises when a cell fails."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "COLUMNS": "90", "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder, "examples"))
        place = {"metadata": {"path": folder}}
        NotebookClient(made, timeout=120, record_timing=False, resources=place).execute(env=env)
    made.metadata.pop("language_info", None)  # it names the version of Python
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs = together(cell.outputs)
    return made


def together(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Outputs with each stream in one piece, warnings first; the kernel cuts them by time.

    Warnings of Python lose the path of the cell, which differs each time.
    """
    streams = {"stderr": "", "stdout": ""}
    for output in outputs:
        if output.output_type == "stream":
            streams[output.name] += re.sub(r"\S*ipykernel_\d+/\d+\.py:\d+: ", "", output.text)
    written = [new_output("stream", name=name, text=t) for name, t in streams.items() if t]
    return written + [output for output in outputs if output.output_type != "stream"]


def main() -> None:
    """Write all notebooks beside their pages."""
    for page in TUTORIALS:
        nbformat.write(executed(notebook(page)), page.with_suffix(".ipynb"))
        sys.stderr.write(f"{page.with_suffix('.ipynb').relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
