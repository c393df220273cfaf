"""What lets a build fail: limits, warnings, annotations of GitHub, the action and the hook."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from corefmeter.formats import FORMATS, format_named
from corefmeter.problems import Problem
from corefmeter.reports.github import annotation

from ..command import run

ROOT = Path(__file__).parents[2]


def document(*cells: str) -> str:
    lines = "".join(f"w\t{cell}\n" for cell in cells)
    return f"#begin document (d); part 000\n{lines}#end document\n"


@pytest.fixture
def folder(tmp_path):
    """Key {0,1,2}; response {0,1}: MUC recall 1/2, precision 1, F1 2/3; LEA the same 1/3, 1."""
    (tmp_path / "key.conll").write_text(document("(0)", "(0)", "(0)"))
    (tmp_path / "response.conll").write_text(document("(0)", "(0)", "-"))
    (tmp_path / "twice.conll").write_text(document("(0)|(1)", "(0)", "-"))
    (tmp_path / "broken.conll").write_text(document("(0", "(0)", "1)"))
    return tmp_path


def score(folder, *options, response="response.conll"):
    return run("score", "key.conll", response, "-m", "muc,b3", *options, folder=folder)


def test_a_score_below_its_limit_ends_with_a_status_of_its_own(folder):
    done = score(folder, "--fail-under", "muc=67")
    assert done.returncode == 4
    assert done.stderr == (
        "response.conll: error: muc is 66.67, below the limit of 67 [below-limit]\n"
    )
    assert "66.67" in done.stdout


def test_a_limit_that_is_reached_changes_nothing(folder):
    done = score(folder, "--fail-under", "MUC=66.6")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == score(folder).stdout


def test_a_score_may_be_the_limit(folder):
    """1/3 + 1: b3 recall 4/9, precision 1, F1 8/13; key against itself is 100."""
    assert score(folder, "--fail-under", "b3=100", response="key.conll").returncode == 0


def test_every_limit_of_every_response_is_told(folder):
    done = run("score", "key.conll", "response.conll", "key.conll", "-m", "muc,b3",
               "--fail-under", "muc=70", "--fail-under", "b3=61.6", folder=folder)  # fmt: skip
    assert done.returncode == 4
    assert [line for line in done.stderr.splitlines() if "below" in line] == [
        "response.conll: error: muc is 66.67, below the limit of 70 [below-limit]",
        "response.conll: error: b3 is 61.54, below the limit of 61.6 [below-limit]",
    ]


def test_with_data_sets_the_mean_is_judged(folder):
    (folder / "pairs.tsv").write_text(
        "one\tkey.conll\tresponse.conll\ntwo\tkey.conll\tkey.conll\n"
    )  # the mean of 2/3 and 1
    arguments = ("score", "--pairs", "pairs.tsv", "-m", "muc", "--fail-under")
    assert run(*arguments, "muc=83", folder=folder).returncode == 0
    done = run(*arguments, "muc=84", folder=folder)
    assert (done.returncode, "muc is 83.33, below" in done.stderr) == (4, True)


def test_what_is_undefined_reaches_no_limit(folder):
    """Keys of one mention each have no link: 0/0."""
    (folder / "key.conll").write_text(document("(0)", "-", "-"))
    done = score(folder, "--undefined", "skip", "--fail-under", "muc=2", response="key.conll")
    assert (done.returncode, "muc is undefined, below" in done.stderr) == (4, True)


@pytest.mark.parametrize(
    "limit", ["muc", "muc=", "muc=0.7", "muc=101", "muc=nan", "=70", "muk=70", "lea=70"]
)
def test_limits_without_a_sense_are_wrong_usage(folder, limit):
    done = score(folder, "--fail-under", limit)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"as in conll=70|did you mean 'muc'|add -m lea", done.stderr)


def test_warnings_fail_only_where_they_are_forbidden(folder):
    for command in (["score", "key.conll"], ["validate"]):
        assert run(*command, "twice.conll", folder=folder).returncode == 0
        done = run(*command, "twice.conll", "--fail-on", "warning", folder=folder)
        assert done.returncode == 4
        assert done.stderr.splitlines()[-1] == "Error: 1 warning (--fail-on warning)"
        noted = run(*command, "key.conll", "--fail-on", "warning", folder=folder)
        assert noted.returncode == 0, "a note is no warning"


def test_quiet_warnings_fail_too(folder):
    for format in ("text", "github"):
        done = score(
            folder, "--quiet", "--fail-on", "warning", "-f", format, response="twice.conll"
        )
        assert (done.returncode, done.stderr) == (4, "Error: 1 warning (--fail-on warning)\n")
        assert "::" not in done.stdout


def test_a_warning_of_the_key_counts_once(folder):
    done = run("score", "twice.conll", "key.conll", "response.conll", "--fail-on", "warning",
               folder=folder)  # fmt: skip
    assert done.stderr.splitlines()[-1] == "Error: 1 warning (--fail-on warning)"


def test_errors_come_before_warnings(folder):
    done = run("validate", "twice.conll", "broken.conll", "--fail-on", "warning", folder=folder)
    assert done.returncode == 3


def test_an_annotation_is_one_line_whatever_it_says():
    problem = Problem(
        "bad-cell", "50% of\r\nit", "error", path="a:b,c%\n::x.conll", line=3, column=4, hint="Now."
    )
    assert annotation(problem) == (
        "::error file=a%3Ab%2Cc%25%0A%3A%3Ax.conll,line=3,col=4"
        "::50%25 of\\r\\nit [bad-cell]%0A  Now."
    )
    assert annotation(Problem("coverage", "all", "note")) == "::notice::all [coverage]"


def test_validate_annotates(folder):
    done = run("validate", "broken.conll", "-f", "github", folder=folder)
    lines = done.stdout.splitlines()
    assert done.returncode == 3
    assert lines[0].startswith("::error file=broken.conll,line=2::entity 0 opened here")
    assert lines[-1] == "broken.conll: 2 errors"
    assert all(line.startswith("::error file=broken.conll,line=") for line in lines[:-1])


def test_score_annotates_below_its_table(folder):
    plain = score(folder, response="twice.conll")
    done = score(folder, "-f", "github", "--fail-under", "b3=100", response="twice.conll")
    assert (done.returncode, done.stderr) == (4, "")
    table, below = done.stdout[: len(plain.stdout)], done.stdout[len(plain.stdout) :]
    assert table == plain.stdout
    assert [line.split("::")[1] for line in below.splitlines()] == [
        "warning file=twice.conll,line=2", "error file=twice.conll"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "key.conll", "broken.conll"],
        ["validate", "key.conll", "--against", "broken.conll"],
    ],
)
def test_errors_that_end_a_run_are_annotated(folder, arguments):
    done = run(*arguments, "-f", "github", folder=folder)
    assert done.returncode == 3
    assert done.stdout.startswith("::error file=broken.conll,line=2::entity 0 opened here")
    assert "broken.conll:2: error: entity 0 opened here" in done.stderr


def test_the_action_checks_files_with_any_name(folder):
    """Its step as bash runs it, with the program in place of the one that it would install."""
    text = (ROOT / "action.yml").read_text("utf-8")
    script = textwrap.dedent(text.split("      run: |\n")[-1])
    program = folder / "corefmeter/bin/corefmeter"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m corefmeter "$@"\n')
    program.chmod(0o755)
    shutil.copy(folder / "key.conll", folder / "a key; $(exit).conll")
    shutil.copy(folder / "key.conll", folder / "-o")

    def check(files: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        variables = {"FILES": files, "AGAINST": "", "FAIL_ON": "", "RUNNER_TEMP": str(folder)}
        return subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, text=True,
                              env=os.environ | variables | inputs, capture_output=True,
                              check=False)  # fmt: skip

    good = check("a key; $(exit).conll\n\n-o\n", AGAINST="key.conll")
    assert (good.returncode, good.stdout.count(": no problems;")) == (0, 2)
    windows = check("a key; $(exit).conll\r\n\r\n-o\r\n")
    assert (windows.returncode, windows.stdout.count(": no problems;")) == (0, 2)
    assert check("twice.conll").returncode == 0
    assert check("twice.conll", FAIL_ON="warning").returncode == 4
    assert "::error file=broken.conll" in check("broken.conll").stdout


def test_the_page_uses_inputs_that_the_action_has():
    page = (ROOT / "docs/howto/builds.md").read_text("utf-8")
    given = re.findall(r"^ {4}([\w-]+):", page.split("  with:\n")[1].split("```")[0], re.M)
    action = (ROOT / "action.yml").read_text("utf-8").split("inputs:")[1].split("runs:")[0]
    assert set(given) == {"files", "fail-on"} < set(re.findall(r"^ {2}([\w-]+):$", action, re.M))


def test_the_hook_checks_the_endings_that_name_a_format():
    """Those of JSON and of standoff may be anything."""
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    files = re.search(r"files: (.*)", hook)[1]
    endings = {ending for name in FORMATS for ending in format_named(name).endings}
    checked = {ending for ending in endings if re.search(files, "x" + ending)}
    assert endings - checked <= {".jsonl", ".jsonlines", ".ann", ".json", ".tsv", ".xml", ".txt"}
    assert ".conll" in checked
