"""The core works without its wings: their folders are removed, and the core's tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .. import entry_points

ROOT = Path(__file__).parents[2]

#: Folders and files of the tests of the core. Those in `whole` are of the core and the wings
#: together, those in `real` take long and need data; single tests that need a wing are marked so.
TESTS = [
    *(
        "analysis",
        "cli",
        "contract",
        "corpus",
        "formats",
        "golden",
        "matching",
        "mentions",
        "metrics",
    ),
    *("statistics", *sorted(path.name for path in (ROOT / "tests").glob("test_*.py"))),
]


def without_wings(checkout: Path, declared: bool = False) -> None:
    """Copy the checkout without the wings and, unless `declared`, their entry points."""
    litter = shutil.ignore_patterns("__pycache__", ".*_cache", "wings")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, checkout / name, ignore=litter)
    for other in (*ROOT.glob("[!.]*"), ROOT / ".pre-commit-hooks.yaml"):
        if other.name not in ("src", "tests"):
            (checkout / other.name).symlink_to(other)
    points = (p for p in entry_points.declared() if declared or ".wings." not in p[2])
    entry_points.write_information(checkout / "src", points)


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    source = str(checkout / "src")
    return subprocess.run(
        [sys.executable, *arguments], cwd=checkout, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": ""},
    )  # fmt: skip


@pytest.mark.wings
def test_without_the_wings_their_formats_commands_and_names_are_unknown(tmp_path):
    without_wings(tmp_path)
    code = (
        "import corefmeter, corefmeter.formats as f; from corefmeter.cli.main import program\n"
        "print(corefmeter.__file__, 'conll' in f.names(), 'tbf' in f.names(), "
        "hasattr(corefmeter, 'align_objects'), program.get_command(None, 'lab'))"
    )
    done = run(tmp_path, "-c", code)
    path, *found = done.stdout.split()
    assert path.startswith(str(tmp_path)), done.stderr
    assert found == ["True", "False", "False", "None"]


@pytest.mark.wings
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ["score", "KEY", "KEY", "--from", "webanno"],
            2,
            "the format 'webanno' belongs to corefmeter.wings.annotation, which is not installed; "
            "install corefmeter again",
        ),
        (["convert", "KEY", "x", "--to", "conllua"], 2, "belongs to corefmeter.wings.anaphora"),
        (
            ["score", "KEY", "KEY", "-m", "ceaf-attributes"],
            2,
            "the metric 'ceaf-attributes' belongs to corefmeter.wings.traditions",
        ),
        (["stitch"], 2, "the command 'stitch' belongs to corefmeter.wings.annotation"),
        (
            ["validate", "README.md"],
            3,
            "; without corefmeter.wings.anaphora, which is not installed: conllua",
        ),
    ],
)
def test_what_a_wing_would_bring_is_known_by_name(tmp_path, arguments, status, message):
    without_wings(tmp_path, declared=True)
    paths = [value.replace("KEY", "examples/key.conll") for value in arguments]
    done = run(tmp_path, "-m", "corefmeter", *paths)
    assert done.returncode == status
    assert message in done.stdout + done.stderr


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["cli", "matching", "mentions", "test_api.py"], marks=pytest.mark.slow),
        pytest.param(TESTS, marks=pytest.mark.nightly),
    ],
    ids=["some", "all"],
)
def test_the_tests_of_the_core_pass_without_the_wings(tmp_path, names):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    without_wings(checkout)
    if (ROOT / "../shared").exists():
        (tmp_path / "shared").symlink_to((ROOT / "../shared").resolve())
    paths = [f"tests/{name}" for name in names] + ["src"]
    marks = ["-m", "not slow and not nightly and not wings"]
    done = run(checkout, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *marks, *paths)
    assert done.returncode == 0, done.stdout[-5000:]
