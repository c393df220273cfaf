"""The hook for pre-commit, with pre-commit itself."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GOOD = "#begin document (d); part 000\nw\t(0)\n#end document\n"


@pytest.mark.nightly
def test_pre_commit_runs_the_hook(tmp_path, monkeypatch):
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    (tmp_path / "key.conll").write_text(GOOD)
    (tmp_path / "broken.conll").write_text(GOOD.replace("(0)", "(0"))
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    program = f"{sys.executable} -m corefmeter validate"
    hooks = hooks.replace("corefmeter validate", program).replace(
        "language: python", "language: system"
    )
    (tmp_path / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n" + textwrap.indent(hooks, "  ")
    )
    for command in (["git", "init", "-q"], ["git", "add", "."],
                    [sys.executable, "-m", "pre_commit", "validate-manifest",
                     str(ROOT / ".pre-commit-hooks.yaml")]):  # fmt: skip
        subprocess.run(command, cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "pre_commit", "run", "--files"]
    ended = {
        name: subprocess.run([*command, name], cwd=tmp_path, check=False).returncode
        for name in ("key.conll", "broken.conll")
    }
    assert ended == {"key.conll": 0, "broken.conll": 1}
