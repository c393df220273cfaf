"""docs/lab.md names all experiments and kinds of damage; its snippets run with all pages."""

from __future__ import annotations

from pathlib import Path

from corefmeter.wings.lab.experiments import EXPERIMENTS
from corefmeter.wings.lab.sensitivity import KINDS

PAGE = (Path(__file__).parents[3] / "docs" / "lab.md").read_text("utf-8")


def test_every_experiment_and_kind_is_documented():
    assert all(f"`{name}`" in PAGE for name in [*EXPERIMENTS, *KINDS])
