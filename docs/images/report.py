"""Make the pictures of the page in ``docs/images``: ``python docs/images/report.py``.

Needs playwright and Chromium. With a folder, it makes pictures of all views instead, light and
dark, at three widths, to be looked at.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import corefmeter

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
VIEWS = ("overview", "compare", "entities", "text", "errors", "help")


def opened(browser: Any, path: Path, view: str, width: int, height: int, scheme: str) -> Any:
    """A tab with a view, as one sees it after a few keys."""
    size = {"width": width, "height": height}
    tab = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    tab.goto(f"{path.as_uri()}#{view}")
    tab.wait_for_selector(f"body[data-ready={view}]")
    if view == "text":
        for key in ("j", "j", "e"):
            tab.keyboard.press(key)
            tab.wait_for_timeout(100)
    if view == "entities":
        tab.click("#entities tbody th button >> nth=0")
        tab.wait_for_timeout(100)
        tab.evaluate("() => window.scrollTo(0, 0)")
    return tab


def main() -> None:
    """Make the pictures."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    warnings.simplefilter("ignore", corefmeter.CorefmeterWarning)
    key, *systems = (EXAMPLES / f"{name}.conll" for name in ("key", "system-a", "system-b"))
    page = Path(tempfile.mkdtemp()) / "report.html"
    corefmeter.report(key, systems).write(page)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        if len(sys.argv) > 1:
            for scheme in ("light", "dark"):
                for width in (1440, 800, 390):
                    for view in VIEWS:
                        tab = opened(browser, page, view, width, 900, scheme)
                        tab.screenshot(path=Path(sys.argv[1]) / f"{view}-{scheme}-{width}.png")
        else:
            for view in ("overview", "text", "entities"):
                tab = opened(browser, page, view, 1440, 810, "light")
                tab.screenshot(path=HERE / f"report-{view}.png")
        browser.close()


if __name__ == "__main__":
    main()
