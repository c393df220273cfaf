"""Cases of the benchmark of growth run as they are meant: a file refused early proves nothing."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from ..command import run

pytestmark = pytest.mark.slow

PLACE = Path(__file__).parents[2] / "benchmarks" / "growth.py"
SPEC = importlib.util.spec_from_file_location("growth", PLACE)
growth = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(growth)


@pytest.mark.parametrize("case", growth.CASES, ids=lambda case: case.what)
def test_a_case_is_scored_or_refused_as_it_says(tmp_path, case):
    done = run(*growth.written(tmp_path, case, min(case.sizes[0], 30)))
    said = done.stdout + done.stderr
    assert done.returncode == (3 if case.code else 0), said
    assert case.code in said


def test_what_does_not_end_as_it_should_is_wrong(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("nothing")
    assert growth.measure(["validate", str(path)], "unknown-format").wrong == ""
    assert growth.measure(["validate", str(path)], "bad-map").wrong == "status 3, unknown-format"
    assert growth.measure(["validate", str(path)]).wrong == "status 3, unknown-format"
    assert growth.measure(["list", "metrics"], "bad-map").wrong == "status 0, no code"
