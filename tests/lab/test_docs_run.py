"""The commands and the Python of docs/lab.md run as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from corefmeter.cli.main import program
from corefmeter.lab.experiments import EXPERIMENTS
from corefmeter.lab.sensitivity import KINDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "lab.md").read_text("utf-8")


@pytest.mark.slow
def test_the_commands_run(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
    ]
    assert len(lines) >= 10
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        assert name == "corefmeter"
        assert not program.main(arguments, standalone_mode=False)
    assert "18-2.conll" in capsys.readouterr().out
    assert (tmp_path / "sweep.pdf").exists()


def test_the_python_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, object] = {}
    exec(example, found)
    mentions = sum(len(entity) for entity in found["key"])
    assert capsys.readouterr().out == f"{mentions - 3}\n"


def test_every_experiment_and_kind_is_documented():
    assert all(f"`{name}`" in PAGE for name in [*EXPERIMENTS, *KINDS])
