"""docs/lab.md names all there is; its commands and its Python run in tests/test_docs_run.py."""

from __future__ import annotations

from pathlib import Path

from corefmeter.lab.experiments import EXPERIMENTS
from corefmeter.lab.sensitivity import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")


def test_every_experiment_and_kind_is_documented():
    assert all(f"`{name}`" in PAGE for name in [*EXPERIMENTS, *KINDS])
