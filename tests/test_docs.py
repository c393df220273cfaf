"""The documentation says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corefmeter.metrics import AVERAGES, METRICS
from corefmeter.problems import CODES

ROOT = Path(__file__).parents[1]


def test_every_code_of_a_problem_is_documented():
    rows = re.findall(r"^\| `([\w-]+)` \| (.+) \|$", (ROOT / "docs/problems.md").read_text(), re.M)
    assert dict(rows) == CODES


def test_every_code_that_is_used_is_known():
    used = {
        code
        for path in (ROOT / "src").rglob("*.py")
        for code in re.findall(
            r'(?:Problem|problem|error|warning)\(\s*"([a-z-]+)"', path.read_text()
        )
    }
    assert used <= set(CODES)


def test_every_metric_is_documented():
    text = (ROOT / "docs/metrics.md").read_text()
    assert all(f"`{name}`" in text for name in [*METRICS, *AVERAGES])


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name
)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_module_named_in_the_architecture_exists():
    text = (ROOT / "docs/architecture.md").read_text()
    for name in re.findall(r"`((?:[\w]+/)*\w+\.py)`", text):
        assert (ROOT / "src/corefmeter" / name).exists(), name
