"""Modules keep importing by their old paths, with a warning."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import corefmeter
from corefmeter._moved import MOVED

CODE = """
import importlib, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old = importlib.import_module({old!r})
new = importlib.import_module({new!r})
assert old is new, (old, new)
assert [w.category for w in caught if {old!r} in str(w.message)] == [DeprecationWarning]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *MOVED.items(),
        ("corefmeter.lab.partitions", "corefmeter.wings.lab.partitions"),
        ("corefmeter.traditions.metrics.ace", "corefmeter.wings.traditions.metrics.ace"),
    ],
)
@pytest.mark.wings
def test_an_old_path_gives_the_module_at_the_new_one_with_a_warning(old, new):
    code = CODE.format(old=old, new=new)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_other_modules_do_not_warn():
    code = "import corefmeter.statistics.comparison, corefmeter.reports.scores"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.wings
def test_a_folder_that_is_left_of_a_package_does_not_hide_the_new_path(tmp_path):
    source = Path(corefmeter.__file__).parent
    shutil.copytree(source, tmp_path / "corefmeter", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "corefmeter" / "lab").mkdir(exist_ok=True)
    code = "import corefmeter.lab; assert corefmeter.lab.__name__ == 'corefmeter.wings.lab'"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
