"""A format and a metric of another package are used as ours are: a real package, a real run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..plugin.installed import place

FILES = Path(__file__).parents[1] / "plugin" / "fixtures" / "sets"


@pytest.fixture
def run(tmp_path):
    """Runs the program where the package is installed, in a folder with a key and a response."""
    (tmp_path / "key.sets").write_text((FILES / "ordinary.sets").read_text())
    (tmp_path / "response.sets").write_text("#sets\nletter\t0-2 3-4 5-6\t6-7\n")
    path = os.pathsep.join([str(tmp_path), place(), os.environ.get("PYTHONPATH", "")])

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "corefmeter", *arguments],
            cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path},
            check=False,
        )  # fmt: skip

    command.folder = tmp_path
    return command


def test_a_run_uses_both(run):
    """R = 1/2 and P = 1/2: {0-2, 3-4, 5-6} is whole, {5-7} and {6-7} are not."""
    done = run("score", "key.sets", "response.sets", "-m", "whole", "-f", "json")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["results"][0]["scores"]["whole"]
    assert (scores["recall"], scores["precision"]) == (1 / 2, 1 / 2)


def test_the_format_is_written_by_its_ending_and_read_again(run):
    assert run("convert", "key.sets", "key.conll").returncode == 0
    done = run("convert", "key.conll", "again.sets")
    assert done.returncode == 0, done.stderr
    key, again = ((run.folder / name).read_text() for name in ("key.sets", "again.sets"))
    assert again.splitlines()[1].split("\t")[1:] == key.splitlines()[1].split("\t")[1:]


def test_the_format_can_be_named_and_is_listed(run):
    (run.folder / "bare").write_text("letter\t0-2 3-4 5-6\t5-7\n")  # without the line "#sets"
    done = run("score", "key.sets", "bare", "--from", "sets", "-m", "whole", "-f", "json")
    assert json.loads(done.stdout)["results"][0]["scores"]["whole"]["f1"] == 1
    assert run("score", "bare", "bare").returncode == 0  # no other reader reads it
    (run.folder / "unknown").write_text("letter\n")
    done = run("score", "unknown", "unknown")
    known = done.stderr.partition("known formats: ")[2].split("[")[0].strip().split(", ")
    assert (done.returncode, "sets" in known) == (3, True)
    done = run("convert", "key.sets", "x", "--to", "stes")
    assert (done.returncode, "did you mean 'sets'" in done.stderr) == (2, True)


def test_its_errors_are_told_as_ours(run):
    done = run("validate", str(FILES / "broken-bad-line.sets"))
    assert done.returncode == 3
    assert "broken-bad-line.sets:2: error: '0-2 4-4' is no entity [bad-line]" in done.stdout


def test_a_package_that_is_broken_is_in_nobodys_way(run):
    information = run.folder / "broken-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[corefmeter.formats]\nbroken = nowhere:FORMAT\nwrong = os:path\n"
        "[corefmeter.commands]\nmissing = nowhere:command\n"
    )
    (run.folder / "marked.txt").write_text("[Ann]_1 saw [her]_1 .\n")
    assert run("stats", "marked.txt").returncode == 0  # a guess, so all others are asked before
    done = run("stats", "marked.txt", "--from", "broken")
    assert done.returncode == 2
    assert "'broken' of another package, nowhere:FORMAT, cannot be imported" in done.stderr
    done = run("stats", "marked.txt", "--from", "wrong")
    assert (done.returncode, "os:path of another package is not a format" in done.stderr) == (
        2,
        True,
    )
    assert "cannot be imported" in run("--help").stdout
    done = run("missing")
    assert (done.returncode, "'missing' of another package" in done.stderr) == (2, True)


def test_without_the_package_there_is_no_such_format(run):
    """The tests above would notice: nothing of the package is known without it."""
    code = "from corefmeter.formats import names; print('sets' in names())"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str("site-packages" in place())
