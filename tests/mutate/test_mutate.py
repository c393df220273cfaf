"""The command finds what the tests of a small package do not notice, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .mutants import equivalents, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "corefmeter"

MODULE = '''"""Shares."""

LIMIT = 2


def share(part, whole, none=0):
    """The share of a part, if the whole is large enough."""
    if whole < LIMIT:
        return none
    return part / whole


def position(values, value):
    for place, one in enumerate(values):
        if one == value:
            break
    return place
'''

TESTS = """from toy.shares import position, share

def test_share():
    assert share(2, 4) == 0.5

def test_of_little(tmp_path):
    assert share(1, 1) == 0

def test_position():
    assert position("abc", "b") == 1
"""


def toy(folder: Path, tests: str = TESTS, equivalent: str = "") -> Path:
    """A checkout with one module."""
    files = {
        "src/toy/__init__.py": "",
        "src/toy/shares.py": MODULE,
        "tests/test_shares.py": tests,
        "tests/mutate/equivalent.txt": equivalent,
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_the_changes_of_a_module(tmp_path):
    found = mutants(toy(tmp_path) / "src" / "toy", "shares.py")
    assert [(one.line, one.function, one.new) for one in found] == [
        (3, "", "LIMIT = (3)"),
        (6, "", "def share(part, whole, none=(1)):"),
        (8, "share", "if (whole <= LIMIT):"),
        (8, "share", "if (whole >= LIMIT):"),
        (10, "share", "return (part * whole)"),
        (15, "position", "if (one != value):"),
        (16, "position", "continue"),
    ]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("f(a, b, 1)", ["f(b, a, 1)", "f(a, b, 2)", "f(a, b, 0)", "pass"]),
        ("f(a=b, c=d)", ["f(a=d, c=b)", "pass"]),
        ("x = a, b", ["x = b, a"]),
        ("x = a and not b", ["x = a or not b", "x = a and b"]),
        ("x = -a if a in b else any(b)", ["x = a if a in b else any(b)",
         "x = -a if a not in b else any(b)", "x = -a if a in b else all(b)"]),
        ("x += 1", ["x -= 1", "pass", "x += 2", "x += 0"]),
        ("x.y = True", ["pass", "x.y = False"]),
        ("raise x", ["pass"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if not a]"]),
        ("x: Literal[1] = f'{1}'", []),
        ("x = zip(a, strict=True)", []),
        ("__slots__ = 'a', 'b'", []),
    ],
)  # fmt: skip
def test_the_changes_of_a_line(line, changed, tmp_path):
    (tmp_path / "one.py").write_text(f"def g():\n    {line}\n")
    found = {one.new.replace("(", "").replace(")", "") for one in mutants(tmp_path, "one.py")}
    assert found == {one.replace("(", "").replace(")", "") for one in changed}


def run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.mutate", "shares.py", "--root", str(root), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_survivors_are_listed(tmp_path):
    """No test takes a share of 2: below a limit of 3, and at the limit of 2."""
    done = run(toy(tmp_path), "--least", "71")
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "shares.py:3 at import", "- LIMIT = 2", "+ LIMIT = (3)", "  3 of 3 tests", "",
        "shares.py:8 share", "- if whole < LIMIT:", "+ if (whole <= LIMIT):", "  2 of 2 tests", "",
        f"{'':<24}  mutants   killed  by time survived equivalent    score",
        "shares.py                       7        5        0        2          0     71.4",
    ]  # fmt: skip
    assert done.returncode == 0


@pytest.mark.slow
def test_equivalent_ones_are_left_out_and_few_killed_is_a_failure(tmp_path):
    known = (
        "# Comment.\n\nshares.py share\n- if whole < LIMIT:\n+ if (whole <= LIMIT):\nFor a test."
    )
    done = run(toy(tmp_path, equivalent=known), "--least", "90", "--processes", "2")
    assert (done.returncode, done.stderr) == (1, "")
    row = ["shares.py", "7", "5", "0", "1", "1", "83.3"]
    assert done.stdout.splitlines()[-1].split() == row


@pytest.mark.slow
def test_a_test_that_fails_without_a_mutant_kills_none(tmp_path):
    tests = TESTS.replace("== 0.5", "== 0.75")
    done = run(toy(tmp_path, tests))
    # What is left: a whole of 1 gives 0, also with a limit of 3; both other tests are as they were.
    survivors = [line for line in done.stdout.splitlines() if line.startswith("+")]
    assert survivors == ["+ LIMIT = (3)", "+ if (whole <= LIMIT):", "+ return (part * whole)"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("conftest", "survives"),
    [("", True), ("from toy.shares import LIMIT\n\nassert LIMIT == 2\n", False)],
)
def test_a_mutant_that_renames_a_test_is_tried(tmp_path, conftest, survives):
    """A name with the value of a constant is another with the mutant, and then such a test is not
    there. What cannot be imported with the mutant fails."""
    tests = TESTS + (
        "\nimport pytest\nfrom toy.shares import LIMIT\n\n"
        "@pytest.mark.parametrize('limit', [LIMIT])\n"
        "def test_limit(limit):\n    assert share(limit, 4 * limit) == 0.25\n"
    )
    root = toy(tmp_path, tests)
    (root / "tests" / "conftest.py").write_text(conftest)
    done = run(root)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("+ LIMIT = (3)" in done.stdout.splitlines()) is survives


def test_the_equivalent_ones_are_mutants_that_there_are():
    listed = equivalents(ROOT)
    there = {
        one.key
        for module in {place.split()[0] for place, _, _ in listed}
        for one in mutants(PACKAGE, module)
    }
    assert [key for key in listed if key not in there] == []
    assert all(reason.strip() for reason in listed.values())
