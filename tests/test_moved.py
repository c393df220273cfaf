"""Modules keep importing by their old paths, with a warning."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
