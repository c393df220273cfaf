"""A real browser for the page: Chromium by Playwright, without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import corefmeter

#: Chromium shall ask nobody for anything, also not on its own account.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-quic",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(NAMES)} is on the PATH")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


class Tab:
    """A tab with one page, and what went wrong in it."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.path = path
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, offline=True, **options
        )
        self.page = context.new_page()
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.goto(path.as_uri())
        self.ready("overview")

    def ready(self, view: str) -> None:
        """Wait until a view is drawn."""
        self.page.wait_for_selector(f"body[data-ready={view}]", timeout=60_000)

    def view(self, view: str) -> None:
        """Go to a view by its link."""
        self.page.click(f'nav a[href="#{view}"]')
        self.ready(view)

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other, each when the last is done."""
        for key in keys:
            self.page.keyboard.press(key)
            self.page.evaluate("() => new Promise((done) => setTimeout(done, 60))")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def texts(self, selector: str) -> list[str]:
        return list(self.page.locator(selector).all_inner_texts())

    def hash(self) -> str:
        return str(self.page.evaluate("() => location.hash"))

    def focused(self) -> str:
        """The text or label of what has the focus."""
        return str(self.page.evaluate(
            "() => document.activeElement.getAttribute('aria-label') ?? "
            "document.activeElement.id + ' ' + document.activeElement.textContent"
        ))  # fmt: skip


@pytest.fixture
def open_page(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Open what `corefmeter.report` makes of its arguments, or a page that is there."""
    tabs: list[Tab] = []

    def opened(
        *arguments: Any, page: Path | None = None, browser: Any = None, **options: Any
    ) -> Tab:
        path = page
        if path is None:
            path = tmp_path / f"report-{len(tabs)}.html"
            corefmeter.report(*arguments, **options).write(path)
        tabs.append(Tab(chromium, path, **(browser or {})))
        return tabs[-1]

    yield opened
    for tab in tabs:
        outside = [url for url in tab.requests if not url.startswith((tab.path.as_uri(), "blob:"))]
        tab.page.context.close()
        assert not outside
        assert not tab.errors


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def example_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both example systems."""
    path = tmp_path_factory.mktemp("page") / "examples.html"
    systems = {"a": EXAMPLES / "system-a.conll", "b": EXAMPLES / "system-b.conll"}
    with pytest.warns(corefmeter.CorefmeterWarning):  # three documents are too few to compare
        corefmeter.report(EXAMPLES / "key.conll", systems).write(path)
    return path


@pytest.fixture
def example(open_page: Callable[..., Tab], example_page: Path) -> Tab:
    return open_page(page=example_page)
