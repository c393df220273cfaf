"""The page of `web/` in a browser: Pyodide from npm, served from this machine alone."""

from __future__ import annotations

import functools
import http.server
import json
import re
import runpy
import shutil
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import corefmeter
from corefmeter.metrics import find, names
from corefmeter.presets import PRESETS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
KEY = EXAMPLES / "key.conll"
SYSTEMS = (EXAMPLES / "system-a.conll", EXAMPLES / "system-b.conll")

pytestmark = pytest.mark.slow


@contextmanager
def served(folder: Path, missing: Collection[str] = ()) -> Iterator[tuple[str, list[str]]]:
    """A server of a folder: its address, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            asked.append(self.path)

        def translate_path(self, path: str) -> str:
            return super().translate_path("/nowhere" if path in missing else path)

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, as ``web/build.py`` makes it."""
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
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as (address, _):
        yield address


@pytest.fixture(scope="module")
def tab(site: str, chromium: Any) -> Iterator[Any]:
    """The page when it is ready; in the end it has asked nobody else for anything."""
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    requests: list[str] = []
    errors: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    open_page(page, site)
    yield page
    context.close()
    assert f"{site}/pyodide/pyodide.asm.wasm" in requests
    assert [url for url in requests if not url.startswith((f"{site}/", f"blob:{site}/"))] == []
    assert errors == []


def open_page(page: Any, address: str) -> None:
    """Open the page, also if it is there, and wait until it can score."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("body[data-state=ready]", timeout=120_000)


def choose(page: Any, key: Path, *responses: Path) -> None:
    """Choose files, in place of those that are there."""
    page.set_input_files("#key-file", str(key))
    while page.locator("#response-list button").count():
        page.click("#response-list button >> nth=0")
    for path in responses:
        page.set_input_files("#response-files", str(path))


def score(page: Any, *files: Path, options: str = "") -> str:
    """Score files; the message of an error is returned."""
    choose(page, *files)
    page.fill("#more", options)
    page.click("#score")
    page.wait_for_selector("body[data-state=done], body[data-state=failed]", timeout=60_000)
    return str(page.inner_text("#error"))


def shown(page: Any, system: int, metric: str) -> list[str]:
    """Recall, precision and F1, as the overview shows them."""
    page.click('nav a[href="#overview"]')
    parts = (f"score/{system}/{metric}/{part}" for part in ("recall", "precision", "f1"))
    return [page.inner_text(f'[data-number="{name}"]') for name in parts]


def run(*arguments: str, folder: Path) -> bytes:
    """What the program prints."""
    command = [sys.executable, "-m", "corefmeter", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


def write_document(path: Path, cells: list[str]) -> Path:
    """Write a document of one word a cell."""
    rows = "".join(f"a 0 {n} w{n} {cell}\n" for n, cell in enumerate(cells))
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#begin document (a); part 000\n{rows}\n#end document\n")
    return path


def test_the_example_is_scored_in_one_click(tab: Any) -> None:
    """The numbers are those of the program, and the signature is below them in every view."""
    tab.click("#example")
    tab.wait_for_selector("body[data-state=done]", timeout=60_000)
    printed = run(
        "score", KEY.name, *(path.name for path in SYSTEMS), "-f", "json", folder=EXAMPLES
    )
    for system, result in enumerate(json.loads(printed)["results"]):
        for metric in ("mentions", "muc", "b3", "ceafe"):
            found = result["scores"][metric]
            parts = [f"{100 * found[part]:.2f}" for part in ("recall", "precision", "f1")]
            assert shown(tab, system, metric) == parts
    for view in ("compare", "entities", "text", "errors", "card", "overview"):
        tab.click(f'nav a[href="#{view}"]')
        tab.wait_for_selector(f"body[data-ready={view}]")
        assert tab.is_visible("#signature")
        assert tab.inner_text("#signature code") == corefmeter.Recipe().signature()
    assert tab.locator("iframe").count() == 0


def test_back_returns_to_the_view_before(tab: Any) -> None:
    assert score(tab, KEY, SYSTEMS[0]) == ""
    for view in ("errors", "card"):
        tab.click(f'nav a[href="#{view}"]')
        tab.wait_for_selector(f"body[data-ready={view}]")
    tab.go_back()
    tab.wait_for_selector("body[data-ready=errors]")
    tab.click('nav a[href="#overview"]')


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0)])
def test_two_files_of_one_name_are_two_responses(tab: Any, tmp_path: Path, order: Any) -> None:
    """The key has two entities of two mentions.

    The first response is the key; the second has all four mentions in one entity: B³ P 1/2, R 1.
    """
    files = [
        write_document(tmp_path / "0" / "dev.conll", ["(0)", "(0)", "(1)", "(1)"]),
        write_document(tmp_path / "1" / "dev.conll", ["(0)"] * 4),
    ]
    assert score(tab, files[0], *(files[number] for number in order)) == ""
    expected = [["100.00", "100.00", "100.00"], ["100.00", "50.00", "66.67"]]
    assert [shown(tab, n, "b3") for n in range(len(order))] == [expected[n] for n in order]
    names = ["dev.conll", "dev.conll (2)", "dev.conll (3)"][: len(order)]
    assert tab.locator("#scores thead th[scope=colgroup]").all_inner_texts() == names


def test_a_response_has_the_name_that_it_is_given(tab: Any) -> None:
    choose(tab, KEY, *SYSTEMS)
    fields = tab.locator("#response-list input")
    fields.nth(0).fill("our system")
    fields.nth(1).fill("our system")
    tab.click("#score")
    assert "a name of its own" in tab.inner_text("#error")
    fields.nth(1).fill("baseline")
    tab.click("#score")
    tab.wait_for_selector("body[data-state=done]")
    names = tab.locator("#scores thead th[scope=colgroup]").all_inner_texts()
    assert names == ["our system", "baseline"]
    command = "corefmeter score key.conll 'our system=system-a.conll' baseline=system-b.conll"
    assert tab.inner_text("#command code") == command


def test_files_can_be_dropped(tab: Any, tmp_path: Path) -> None:
    choose(tab, write_document(tmp_path / "other.conll", ["(0)", "(0)"]))
    for side, path in (("key-file", KEY), ("response-files", SYSTEMS[0])):
        tab.evaluate(
            """([side, name, text]) => {
              const dataTransfer = new DataTransfer();
              dataTransfer.items.add(new File([text], name));
              const area = document.querySelector(`label[for=${side}]`);
              area.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
            }""",
            [side, path.name, path.read_text()],
        )
    tab.click("#score")
    tab.wait_for_selector("body[data-state=done]")
    assert tab.inner_text("#made-title") == "system-a.conll against key.conll"


@pytest.mark.parametrize(
    ("cells", "options", "said"),
    [
        (["(0", "-"], "", "response/x.conll:2: error: entity 0"),
        (["(0)"], "-m nothing", "unknown metric 'nothing'"),
        (["(0)"], "--digits 3", "No such option"),
        (["(0)"], "'", "other options: No closing quotation"),
        (["(0)"], "--help", "Write one HTML page"),
    ],
)
def test_an_error_is_shown_and_the_next_run_succeeds(
    tab: Any, tmp_path: Path, cells: list[str], options: str, said: str
) -> None:
    path = write_document(tmp_path / "x.conll", cells)
    assert said in score(tab, KEY, path, options=options)
    assert tab.get_attribute("#error", "role") == "alert"
    assert tab.is_hidden("#made")
    assert score(tab, KEY, SYSTEMS[0]) == ""
    assert shown(tab, 0, "conll")[2] == "93.72"


def test_an_error_is_the_message_of_the_program(tab: Any, tmp_path: Path) -> None:
    path = write_document(tmp_path / "response" / "x.conll", ["(0", "-"])
    command = [sys.executable, "-m", "corefmeter", "score", str(KEY), "response/x.conll"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "[unclosed-mention]" in done.stderr) == (3, True)
    assert score(tab, KEY, path) == done.stderr.strip()


def test_a_file_that_is_gone_is_an_error(tab: Any, tmp_path: Path) -> None:
    path = write_document(tmp_path / "gone.conll", ["(0)", "(0)"])
    choose(tab, KEY, path)
    path.unlink()
    tab.click("#score")
    tab.wait_for_selector("body[data-state=failed]", timeout=60_000)
    assert tab.inner_text("#error").startswith("The files could not be scored: ")
    assert score(tab, KEY, SYSTEMS[0]) == ""


def test_what_is_missing_is_said_before_python_runs(tab: Any, site: str) -> None:
    open_page(tab, site)
    tab.click("#score")
    assert tab.inner_text("#error").startswith("Choose a key file")
    assert tab.evaluate("document.activeElement.id") == "key-file"
    assert tab.is_enabled("#score")


def test_downloads_are_the_files_of_the_program(tab: Any, tmp_path: Path) -> None:
    """Byte for byte, with the options of the menus and the others."""
    for side, paths in (("key", [KEY]), ("response", SYSTEMS)):
        (tmp_path / side).mkdir()
        for path in paths:
            shutil.copy(path, tmp_path / side)
    tab.click("#menu-singletons summary")
    tab.check("#singletons-drop")
    options = ["--set", "average=macro"]
    assert score(tab, KEY, *SYSTEMS, options=" ".join(options)) == ""
    files = ["key/key.conll", *(f"{path.name}=response/{path.name}" for path in SYSTEMS)]
    for name in ("scores.csv", "scores.tex", "scores.json"):
        run("score", *files, "--singletons", "drop", *options, "-o", name, folder=tmp_path)
        with tab.expect_download() as saved:
            tab.click(f'[data-save="{name}"]')
        assert saved.value.suggested_filename == name
        assert Path(saved.value.path()).read_bytes() == (tmp_path / name).read_bytes()
    with tab.expect_download() as saved:
        tab.click('[data-save="report.html"]')
    report = Path(saved.value.path()).read_text("utf-8")
    assert "<title>system-a.conll and system-b.conll against key.conll</title>" in report
    tab.evaluate("() => { location.hash = ''; }")


def test_a_link_carries_the_options_and_no_names_of_files(tab: Any, site: str) -> None:
    open_page(tab, f"{site}/index.html#preset=corefud2022")
    assert tab.inner_text("#menu-match .value") == "partial"  # as the preset sets it
    options = "preset=litbank&match=overlap&singletons=drop&more=--set+undefined=one"
    open_page(tab, f"{site}/index.html#{options}")
    tab.click("#menu-metrics summary")
    tab.uncheck("#metrics-mentions")
    choose(tab, KEY, SYSTEMS[0])
    tab.click("#score")
    tab.wait_for_selector("body[data-state=done]")
    recipe = corefmeter.Recipe(
        metrics="muc,b3,ceafe,conll", match="overlap", singletons="drop", undefined="one"
    )
    assert tab.inner_text("#signature code") == recipe.signature()
    tab.click("#link")
    link = tab.evaluate("navigator.clipboard.readText()")
    assert link == tab.url
    assert "system" not in link
    open_page(tab, link)
    choose(tab, KEY, SYSTEMS[0])
    tab.click("#score")
    tab.wait_for_selector("body[data-state=done]")
    assert tab.inner_text("#signature code") == recipe.signature()


def test_an_option_of_a_link_that_is_not_known_is_an_error(tab: Any, site: str) -> None:
    open_page(tab, f"{site}/index.html#metrics=b3,nothing&match=head")
    assert tab.inner_text("#error").endswith("not known here: metrics=b3,nothing")
    assert tab.inner_text("#menu-match .value") == "head"
    open_page(tab, site)


def test_a_second_report_replaces_the_first(tab: Any, tmp_path: Path) -> None:
    assert score(tab, KEY, *SYSTEMS) == ""
    tab.click('nav a[href="#text"]')
    tab.wait_for_selector("body[data-ready=text]")
    path = write_document(tmp_path / "one.conll", ["(0)", "(0)", "(0)"])
    assert score(tab, path, path) == ""
    tab.wait_for_selector("body[data-ready=text]")
    assert tab.inner_text("#text").split()[-1] == "w2"  # in the same view, of the new document
    tab.keyboard.press("1")
    tab.wait_for_selector("body[data-ready=overview]")
    assert shown(tab, 0, "b3") == ["100.00"] * 3
    assert tab.locator("#documents").count() == 0  # one document needs no table


def test_the_page_is_used_by_keys_alone(tab: Any, site: str) -> None:
    open_page(tab, site)
    for _ in range(20):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.parentElement.id") == "menu-match":
            break
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    for _ in ("head", "partial", "overlap"):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.parentElement.id") == "menu-match"
    assert not tab.get_attribute("#menu-match", "open")
    tab.focus("#example")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("body[data-state=done]")
    assert "match:overlap" in tab.inner_text("#signature code")
    assert tab.evaluate("document.activeElement.id") == "result"
    tab.keyboard.press("5")
    tab.wait_for_selector("body[data-ready=errors]")


def test_a_book_too(tab: Any, tmp_path: Path) -> None:
    """Four entities of 1,000 mentions; the response divides each in the middle of the book."""
    numbers = [n % 20 if n % 5 == 0 else None for n in range(20_000)]
    paths = [
        write_document(
            tmp_path / f"{name}.conll",
            ["-" if n is None else f"({n + after * (i >= 10_000)})" for i, n in enumerate(numbers)],
        )
        for name, after in (("key", 0), ("half", 20))
    ]
    assert score(tab, *paths) == ""
    # Each mention has half of its entity, and no other: P 1, R 1/2, F1 2/3.
    assert shown(tab, 0, "b3") == ["50.00", "100.00", "66.67"]


def test_neither_page_nor_python_can_ask_another_server(tab: Any, tmp_path: Path) -> None:
    """The policy of a page does not bind a worker with an address of its own."""
    with served(tmp_path) as (other, asked):
        ask = f"fetch('{other}/data').then(() => 'sent', () => 'refused')"
        refusing = tab.context.browser.new_context().new_page()
        refusing.goto(tab.url)
        refusing.wait_for_selector("body[data-state=ready]", timeout=120_000)
        (worker,) = refusing.workers
        assert [refusing.evaluate(ask), worker.evaluate(ask)] == ["refused", "refused"]
        refusing.context.close()
    assert asked == []


def test_a_second_visit_needs_no_server(folder: Path, chromium: Any) -> None:
    context = chromium.new_context()
    with served(folder) as (address, asked):
        page = context.new_page()
        open_page(page, address)
        sizes = json.loads((folder / "files.json").read_text())
        assert all((folder / path).stat().st_size == size for path, size in sizes.items())
        assert page.evaluate("progress.max") == page.evaluate("progress.value")
        assert page.evaluate("progress.max") == sum(sizes.values())
        # No file is loaded twice but those that a page loads before its cache is there.
        large = [path for path in asked if path.startswith(("/pyodide/", "/wheels/"))]
        assert sorted(large) == sorted({*large})
        page.close()
    again = context.new_page()
    open_page(again, address)
    again.click("#example")
    again.wait_for_selector("body[data-state=done]", timeout=60_000)
    context.close()


def test_the_size_that_is_loaded_is_shown(folder: Path, chromium: Any) -> None:
    page = chromium.new_context().new_page()
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
          window.texts = [];
          const state = document.getElementById("state");
          const note = () => window.texts.push(state.textContent);
          new MutationObserver(note).observe(state, { childList: true });
        });"""
    )
    with served(folder) as (address, _):
        open_page(page, address)
    total = sum(json.loads((folder / "files.json").read_text()).values())
    texts = page.evaluate("texts")
    found = [re.fullmatch(r"Loading Python: (\d+) of (\d+) MB", text) for text in texts[:-1]]
    loaded = [int(match[1]) for match in found if match]
    assert {match[2] for match in found if match} == {f"{total / 1e6:.0f}"}
    assert (len(loaded), loaded[0], loaded[-1]) == (len(texts) - 1, 0, round(total / 1e6))
    assert loaded == sorted(loaded)
    page.context.close()


def test_files_that_cannot_be_loaded_are_an_error(folder: Path, chromium: Any) -> None:
    page = chromium.new_context().new_page()
    missing = {"/pyodide/pyodide.asm.wasm"}
    with served(folder, missing) as (address, _):
        page.goto(address)
        page.wait_for_selector("body[data-state=failed]", timeout=120_000)
        assert "(status 404)" in page.inner_text("#error")
        missing.clear()
        page.click("#example")
        page.wait_for_selector("body[data-state=done]", timeout=120_000)
    page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_page_is_accessible_and_fits_the_window(
    site: str, chromium: Any, width: int, scheme: str
) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    page = chromium.new_page(
        viewport={"width": width, "height": 844}, color_scheme=scheme, bypass_csp=True
    )
    open_page(page, site)
    found = []

    def check(where: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        violations = axe.Axe().run(page).response["violations"]
        found.extend((where, one["id"], one["nodes"][0]["html"][:120]) for one in violations)

    for menu in ("preset", "metrics", "match", "singletons"):
        page.click(f"#menu-{menu} summary")
        check(menu)
        page.keyboard.press("Escape")
    page.click("#example")
    page.wait_for_selector("body[data-state=done]", timeout=60_000)
    check("result")
    page.fill("#more", "--nothing")
    page.click("#score")
    page.wait_for_selector("body[data-state=failed]", timeout=60_000)
    check("error")
    assert not found
    page.close()


def test_menus_have_all_of_the_registries_with_one_sentence_each() -> None:
    preset, metrics, match, singletons = runpy.run_path(str(ROOT / "web/build.py"))["menus"]()
    assert [one["name"] for one in preset["choices"]] == ["", *PRESETS]
    known = [one for one in metrics["choices"] if one["name"] in names()]
    assert [one["about"] for one in known] == [find(name).about for name in names()]
    recipe = {field.name: field.metadata for field in fields(corefmeter.Recipe)}
    for menu in (match, singletons):
        assert [one["name"] for one in menu["choices"]] == list(recipe[menu["name"]]["choices"])
    assert singletons["choices"][2] == {
        "name": "drop-key", "title": "drop-key", "about": "They are left out of the key."
    }  # fmt: skip
    for menu in (preset, metrics, match, singletons):
        assert all(
            re.fullmatch(r"[^.]+(\.\d[^.]*)*[.?]( [^.]+\.)?", one["about"])
            for one in menu["choices"]
        )
