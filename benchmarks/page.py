"""How fast is a page? ``python benchmarks/page.py`` makes pages and opens them in Chromium.

Needs playwright and Chromium. Wall-clock seconds in the browser, medians; sizes in bytes. What it
takes to write a page is in ``run.py``.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from run import made

#: Presses a key, waits for what it shows and for two frames; seconds by the page's own clock,
#: without what it takes to ask the browser from outside.
PRESS = """async ([key, shown]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  await rendered;
  while (!document.querySelector(shown)) await frame();
  await frame();
  await frame();
  return (performance.now() - start) / 1000;
}"""


def page_of(folder: Path, key: Path, *responses: Path) -> Path:
    """The page of some responses."""
    path = folder / f"{key.name}-{len(responses)}.html"
    names = [f"system-{n}={response}" for n, response in enumerate(responses, 1)]
    command = [sys.executable, "-m", "corefmeter", "report", str(key), *names, "-o", str(path)]
    subprocess.run([*command, "--quiet"], check=True)
    return path


def visit(browser: Any, path: Path) -> dict[str, float]:
    """Seconds of each step of one visit."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=overview]")
    paint = "() => performance.getEntriesByType('paint')[0].startTime / 1000"
    found = {"first paint": page.evaluate(paint)}
    for step, key, shown in (
        ("text", "4", "body[data-ready=text] .sentence"),
        ("next error", "j", ".line.selected"),
        ("pin", "e", ".line.pinned"),
        ("next mention", "n", ".line.selected"),
        ("entities", "3", "body[data-ready=entities]"),
        ("errors", "5", "body[data-ready=errors]"),
    ):
        found[step] = page.evaluate(PRESS, [key, shown])
        if step == "text":
            page.wait_for_selector("#text[data-whole]", state="attached")
    page.close()
    return found


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("Chromium is not on the PATH")
    folder = Path(tempfile.mkdtemp(prefix="corefmeter-benchmark-"))
    key, response = made("corpus", folder, "conll", 350, 486, 57, 20)
    other = made("corpus", folder, "other", 350, 486, 57, 20)[1]
    book = made("corpus", folder, "book", 1, 200_000, 30_000, 3_000)
    pages = {
        "350 documents, two responses": (page_of(folder, key, response, other), 3_000_000),
        "a book of 200k tokens": (page_of(folder, *book), 1_500_000),
    }
    limits = {"first paint": 1.0, "text": 1.0, "next error": 0.1, "pin": 0.1, "next mention": 0.1}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (path, most) in pages.items():
            print(f"{name}: {path.stat().st_size:,} bytes (limit {most:,})")
            runs = [visit(browser, path) for _ in range(options.runs)]
            for step in runs[0]:
                seconds = statistics.median(run[step] for run in runs)
                limit = f"(limit {limits[step]:.1f})" if step in limits else ""
                print(f"  {step:<14}{seconds:>8.3f} s  {limit}")
        browser.close()


if __name__ == "__main__":
    main()
