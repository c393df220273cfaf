"""Print how many lines the package has, all and of code, and what `score` loads.

    python tests/sizes.py [TREE]

Lines of code hold a token that is no comment and no docstring.
"""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_ENDS = (tokenize.ENCODING, tokenize.ENDMARKER)


class Size(NamedTuple):
    """The lines of some modules."""

    modules: int = 0
    lines: int = 0
    code: int = 0


def code_lines(text: str) -> int:
    """Return the number of lines with code, without comments and docstrings.

    Examples
    --------
    >>> code_lines('def f():\\n    "Docs."\\n    # Why.\\n    return (\\n        1)\\n')
    3
    """
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*_NO_CODE, *_ENDS):
            found.update(range(token.start[0], token.end[0] + 1))
    return len(found - docstrings)


def sizes(tree: Path = ROOT) -> dict[str, Size]:
    """Return the size of each room: a module or folder of the package, or a wing."""
    source = tree / "src" / "corefmeter"
    counts: dict[str, Counter[str]] = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).parts
        room = "/".join(parts[: 2 if parts[0] == "wings" else 1])
        text = path.read_text("utf-8")
        counts.setdefault(room, Counter()).update(
            modules=1, lines=len(text.splitlines()), code=code_lines(text)
        )
    return {room: Size(**found) for room, found in counts.items()}


def total(rooms: dict[str, Size], wings: bool = True) -> Size:
    """Return the sum of some rooms, with the wings or without."""
    kept = [size for room, size in rooms.items() if wings or not room.startswith("wings/")]
    return Size(*map(sum, zip(*kept, strict=True)))


def loaded(tree: Path = ROOT) -> Size:
    """Return the size of the modules that `score -m lea` of CoNLL files loads."""
    source = tree / "src"
    key, response = (str(tree / "examples" / f"{name}.conll") for name in ("key", "system-a"))
    code = (
        "import sys; from corefmeter.cli.main import program\n"
        "program.main(sys.argv[1:], standalone_mode=False)\n"
        "found = [m for name, m in sys.modules.items() if name.split('.')[0] == 'corefmeter']\n"
        "print('FILES', *(m.__file__ for m in found), sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "score", key, response, "-m", "lea"],
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
    )
    paths = done.stdout.partition("FILES\n")[2].split()
    texts = [Path(path).read_text("utf-8") for path in paths]
    lines = sum(len(text.splitlines()) for text in texts)
    return Size(len(texts), lines, sum(map(code_lines, texts)))


if __name__ == "__main__":
    tree = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    rooms = sizes(tree)
    rows = [*rooms.items(), ("core", total(rooms, wings=False)), ("all", total(rooms))]
    print(f"{'':24}{'modules':>8}{'lines':>8}{'code':>8}")
    for name, size in [*rows, ("loaded by score -m lea", loaded(tree))]:
        print(f"{name:24}{size.modules:8,}{size.lines:8,}{size.code:8,}")
