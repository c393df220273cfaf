"""The documentation as a reader uses it: opened from a folder, searched, and copied from."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home page of the site."""
    for name in ("material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(name, reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return folder / "index.html"


@pytest.fixture(scope="module")
def home(chromium: Any, site: Path) -> Iterator[Any]:
    """The home page in a browser without a network."""
    context = chromium.new_context(
        offline=True,
        permissions=["clipboard-read", "clipboard-write"],
        viewport={"width": 1280, "height": 900},
    )
    page = context.new_page()
    failed: list[str] = []
    # A page that is left ends what it still loads.
    page.on(
        "requestfailed",
        lambda one: "ERR_ABORTED" in str(one.failure) or failed.append(f"{one.url} {one.failure}"),
    )
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(site.as_uri())
    yield page
    assert failed == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("significance", "statistics.html"),
        ("p-value", "statistics.html"),
        ("confidence interval", "statistics.html"),
        ("bootstrap", "statistics.html"),
        ("krippendorff", "agreement.html"),
        ("IAA", "agreement.html"),
        ("kappa", "agreement.html"),
        ("dedupe", "howto/clusters.html"),
        ("entity resolution", "howto/clusters.html"),
        ("dataframe", "howto/outputs.html"),
        ("wandb", "howto/training.html"),
        ("LLM", "howto/language-models.html"),
        ("error analysis", "errors.html"),
        ("bcubed", "metrics/b3.html"),
        ("partial match", "matching.html"),
    ],
)
def test_search_from_a_folder_finds_the_page_first(home: Any, words: str, expected: str) -> None:
    field = home.locator("input.md-search__input")
    field.click()
    field.press("Control+a")
    field.press_sequentially(words, delay=5)
    first = "document.querySelector('.md-search-result__item a')?.href.endsWith"
    home.wait_for_function(f"page => {first}(page)", arg=f"/{expected}", timeout=30_000)


def test_the_copy_button_leaves_out_prompts_and_output(home: Any, site: Path) -> None:
    home.goto((site.parent / "metrics/lea.html").as_uri())
    home.locator("div.highlight").first.hover()
    home.locator("div.highlight button").first.click()
    copied = home.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import corefmeter\n")
    assert ">>>" not in copied
    assert "60.0" not in copied


def test_formulas_are_set_as_mathematics(home: Any, site: Path) -> None:
    home.goto((site.parent / "metrics/lea.html").as_uri())
    assert home.locator("math mfrac").count() == 3
    assert home.locator("math").first.bounding_box()["height"] > 30
