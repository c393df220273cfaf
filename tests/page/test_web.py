"""The page of `web/` in a browser: Pyodide from npm, served from this machine alone."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

pytestmark = pytest.mark.slow


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, as ``web/build.py`` makes it."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not on the PATH, so that there is no Pyodide")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "web/build.py", str(folder)], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if "npm" in done.stderr and done.returncode:
        pytest.skip("npm cannot bring Pyodide here")
    assert done.returncode == 0, done.stderr
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def tab(site: str, chromium: Any) -> Iterator[Any]:
    """The page when it is ready; in the end it has asked nobody else for anything."""
    page = chromium.new_context().new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{site}/index.html")
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    yield page
    assert [url for url in requests if not url.startswith((f"{site}/", f"blob:{site}/"))] == []
    assert errors == []


def scored(tab: Any, key: Path, *responses: Path, options: str = "") -> tuple[str, str, str]:
    """The exit status, and what is shown as table and as messages."""
    tab.set_input_files("#key", str(key))
    tab.set_input_files("#responses", [str(path) for path in responses])
    tab.fill("#options", options)
    tab.click("#score")
    tab.wait_for_selector("body[data-status]", timeout=60_000)
    status = tab.get_attribute("body", "data-status")
    return status, tab.text_content("#table"), tab.text_content("#messages")


def test_the_table_is_that_of_the_command(tab: Any) -> None:
    paths = [EXAMPLES / name for name in ("key.conll", "system-a.conll", "system-b.conll")]
    status, table, messages = scored(tab, *paths, options="-m conll,lea --singletons drop")
    command = [sys.executable, "-m", "corefmeter", "score", *(path.name for path in paths)]
    done = subprocess.run(
        [*command, "-m", "conll,lea", "--singletons", "drop"],
        cwd=EXAMPLES, env={"COLUMNS": "110"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (status, table) == ("0", done.stdout)
    assert messages.replace("response/", "") == done.stderr


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0)])
def test_responses_of_one_name_are_each_scored(tab: Any, tmp_path: Path, order: Any) -> None:
    """The last was scored under all names. The key has two entities of two mentions.

    The first response is the key; the second has all four mentions in one entity: B³ P 1/2, R 1.
    """
    lines = ["(0)", "(0)", "(1)", "(1)"]
    for number, cells in enumerate((lines, ["(0)"] * 4)):
        rows = "".join(f"a 0 {n} w{n} {cell}\n" for n, cell in enumerate(cells))
        (tmp_path / str(number)).mkdir()
        path = tmp_path / str(number) / "dev.conll"
        path.write_text(f"#begin document (a); part 000\n{rows}\n#end document\n")
    paths = [tmp_path / str(number) / "dev.conll" for number in order]
    status, table, _ = scored(tab, tmp_path / "0" / "dev.conll", *paths, options="-m b3")
    assert status == "0"
    expected = [["100.00", "100.00", "100.00"], ["100.00", "50.00", "66.67"]]
    (found,) = [line.split()[1:] for line in table.splitlines() if line.startswith("B³")]
    assert found == [score for number in order for score in expected[number]]


def test_the_report_is_shown_and_can_be_saved(tab: Any) -> None:
    status, _, _ = scored(tab, EXAMPLES / "key.conll", EXAMPLES / "system-a.conll")
    assert status == "0"
    frame = tab.frame_locator("#report")
    frame.locator("body[data-ready=overview]").wait_for(timeout=30_000)
    frame.locator("#scores").get_by_text("93.72").wait_for()
    frame.locator('nav a[href="#text"]').click()
    frame.locator("#text").wait_for()
    with tab.expect_download() as saved:
        tab.click("#save")
    assert "<title>system-a.conll against key.conll</title>" in Path(saved.value.path()).read_text(
        "utf-8"
    )


def test_a_book_too(tab: Any, tmp_path: Path) -> None:
    """Four entities of 1,000 mentions; the response divides each in the middle of the book."""
    numbers = [n % 20 if n % 5 == 0 else None for n in range(20_000)]
    for name, after in (("key", 0), ("half", 20)):
        cells = [
            "-" if number is None else f"({number + after * (n >= 10_000)})"
            for n, number in enumerate(numbers)
        ]
        rows = "".join(f"book 0 {n} w{n} {cell}\n" for n, cell in enumerate(cells))
        text = f"#begin document (book); part 000\n{rows}\n#end document\n"
        (tmp_path / f"{name}.conll").write_text(text)
    status, table, _ = scored(tab, tmp_path / "key.conll", tmp_path / "half.conll", options="-m b3")
    assert status == "0"
    # Each mention has half of its entity, and no other: P 1, R 1/2, F1 2/3.
    assert ["B³", "50.00", "100.00", "66.67"] in [line.split() for line in table.splitlines()]


@pytest.mark.parametrize(
    ("text", "options", "status", "said"),
    [
        (
            "#begin document (a); part 000\na 0 0 x (1\n\n#end document\n",
            "",
            "3",
            "unclosed-mention",
        ),
        ("", "-m nothing", "2", "unknown metric 'nothing'"),
        ("", "'", "2", "options: No closing quotation"),
    ],
)
def test_what_is_wrong_is_said(
    tab: Any, tmp_path: Path, text: str, options: str, status: str, said: str
) -> None:
    (tmp_path / "x.conll").write_text(text or (EXAMPLES / "system-a.conll").read_text())
    found, table, messages = scored(
        tab, EXAMPLES / "key.conll", tmp_path / "x.conll", options=options
    )
    assert (found, table) == (status, "")
    assert said in messages
    assert tab.is_hidden("#made")
