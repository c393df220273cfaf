"""Every shell and Python snippet of the documentation runs, and prints what the page shows.

Blocks of a page run in order, in one folder that holds ``examples/`` and the files of `WORKSPACE`:

``bash``
    Each line is a command; it must succeed.
``console``
    Lines with ``$`` are commands, those below what they print. A line ``…`` stands for any lines,
    ``…`` at the end of a line for the rest of it. ``# exit status 3`` behind a command is tested.
``python``
    Runs in the names that earlier blocks of the page made; with ``>>>`` it is a doctest.
``py``
    Python that needs a large library; a slow test in ``tests/adapters`` runs it.
``<!-- setup … -->``
    Python that readers do not see, which makes what the next blocks are about.
"""

from __future__ import annotations

import doctest
import gc
import io
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from corefmeter.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

#: Pages whose blocks take seconds.
LONG = {"docs/lab.md", *(f"docs/tutorials/{name}.md" for name in ("clusters", "compare", "errors"))}

#: Pages of which tests/adapters runs the blocks ``py``, each with what it needs.
WITH_LIBRARIES = {
    "docs/howto/training.md": "torch",
    "docs/howto/evaluate.md": "evaluate",
    "docs/howto/language-models.md": "inspect_ai, lighteval",
}

#: Commands that .ci/run or a test of their own runs, or that install or serve something.
ELSEWHERE = (
    ".ci/run", "pip install", "mkdocs ", "python3 -m venv", "python web/build.py",
    "python -m http.server",
)  # fmt: skip

#: What pages call the files of the reader, and which example stands for each.
WORKSPACE = {
    "key.conll": "key",
    "response.conll": "system-a",
    "a.conll": "system-a",
    "b.conll": "system-b",
    "c.conll": "system-b",
    "ann.conll": "key",
    "eve.conll": "system-a",
    "kim.conll": "system-b",
    "m1/dev.conll": "system-a",
    "m2/dev.conll": "system-b",
    "key/dev.conll": "key",
    "response/dev.conll": "system-a",
    "a/dev.conll": "system-a",
    "b/dev.conll": "system-b",
}

BLOCK = re.compile(r"^( *)(?:```(\w+)[^\n]*\n(.*?)^ *```$|<!-- (setup)\n(.*?)-->)", re.M | re.S)


class Block(NamedTuple):
    """A block of code of a page, with its language and the line before its first."""

    language: str
    code: str
    line: int


def blocks_of(text: str) -> Iterator[Block]:
    for found in BLOCK.finditer(text):
        language, code = found[2] or found[4], found[3] or found[5] or ""
        yield Block(language, textwrap.dedent(code), text[: found.start()].count("\n") + 1)


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints on both streams; its exit status is as the line says."""
    name, *arguments = shlex.split(line, comments=True)
    assert name == "corefmeter", f"only corefmeter is run here: {line}"
    monkeypatch.setattr(sys, "argv", ["corefmeter", *arguments])
    said = re.search(r"# exit status (\d)", line)
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, "utf-8", write_through=True)
    try:
        with redirect_stdout(stream), redirect_stderr(stream), pytest.raises(SystemExit) as ended:
            main()
    finally:
        gc.enable()
    output = written.getvalue().decode("utf-8")
    assert ended.value.code == (int(said[1]) if said else 0), output
    return output


def shown(line: str) -> str:
    """What a line of a page stands for."""
    if line.strip() == "…":
        return r"(?:.*\n)*?"
    if line.endswith("…"):
        return re.escape(line[:-1]) + r".*\n"
    return re.escape(line) + r" *\n"


def run_console(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
        command, *expected = part.rstrip("\n").split("\n")
        output = run(command, monkeypatch)
        pattern = "".join(map(shown, expected))
        assert re.fullmatch(pattern, output.rstrip("\n") + "\n" if output else ""), (
            f"$ {command}\n{output}"
        )


def run_python(code: str, names: dict[str, object], page: str, line: int) -> None:
    if ">>> " not in code:
        exec(compile("\n" * line + code, page, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, line)
    test.globs = names
    output: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    doctest.DocTestRunner(optionflags=flags).run(test, out=output.append, clear_globs=False)
    assert not output, "".join(output)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name, marks=[pytest.mark.slow] if name in LONG else [])
        for path in PAGES
        for name in [path.relative_to(ROOT).as_posix()]
    ],
)
def test_the_snippets_of_a_page_run(path, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name, example in WORKSPACE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "examples" / f"{example}.conll", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "90", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    text = path.read_text("utf-8")
    names: dict[str, object] = {}
    for language, code, line in blocks_of(text):
        if language in ("python", "pycon", "setup"):
            run_python(code, names, path.name, line)
        elif language == "console":
            run_console(code, monkeypatch)
        elif language in ("bash", "sh"):
            for command in filter(None, code.splitlines()):
                if not command.startswith(ELSEWHERE):
                    run(command, monkeypatch)


def test_no_command_hides_in_a_block_that_is_not_run():
    for path in PAGES:
        for language, code, line in blocks_of(path.read_text("utf-8")):
            if language in ("text", "json", "yaml", "toml"):
                assert not re.search(r"^(\$ |corefmeter |>>> )", code, re.M), f"{path}:{line}"
            elif language == "py":
                assert path.relative_to(ROOT).as_posix() in WITH_LIBRARIES, f"{path}:{line}"
            else:
                assert language in ("python", "console", "bash", "sh", "setup"), f"{path}:{line}"
