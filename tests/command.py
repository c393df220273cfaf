"""Commands as a user runs them: what they print and how they end, without a process for each.

Almost every test of a command runs it here, in the process of the tests. What only a process can
show (imports, terminals, pipes, limits of the system) is tested with one.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from corefmeter.cli.main import main


class Done(NamedTuple):
    """How a command ended; `printed` is its standard output in bytes."""

    returncode: int
    stdout: str
    stderr: str
    printed: bytes


def run(
    *arguments: object,
    folder: Path | None = None,
    stdin: str | bytes = b"",
    without: str | None = None,
    columns: int = 80,
) -> Done:
    """Run ``corefmeter`` in a folder, as if a package were missing, or for so many columns."""
    outputs = io.BytesIO(), io.BytesIO()
    stdout, stderr = (io.TextIOWrapper(output, "utf-8", write_through=True) for output in outputs)
    with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        given = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
        given.buffer.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        if folder is not None:
            stack.enter_context(contextlib.chdir(folder))
        patch.setattr(sys, "argv", ["corefmeter", *map(str, arguments)])
        patch.setattr(sys, "stdin", given)
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        patch.setitem(os.environ, "COLUMNS", str(columns))
        if without is not None:
            patch.setitem(sys.modules, without, None)
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            gc.enable()  # the program ends it
        stdout.flush()
    printed, told = (output.getvalue() for output in outputs)
    return Done(status, printed.decode(errors="replace"), told.decode(), printed)


def printed(*arguments: object, folder: Path | None = None) -> str:
    """Standard output of a run that must end well and say nothing else."""
    done = run(*arguments, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
