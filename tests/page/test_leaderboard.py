"""The pages of a leaderboard in a browser: numbers, sorting, filters, keys; no request."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..command import run

pytestmark = [pytest.mark.slow, pytest.mark.wings]

STORIES = Path(__file__).parents[2] / "examples" / "stories"
SYSTEMS = {"key": "perfect", "system-a": "splits entities", "system-b": "merges <b>entities</b>"}
PAGES = ["index.html", "data/x.html", "systems/system-a.html"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    for dataset in "xy":
        for name in SYSTEMS:
            place = folder / "systems" / name / f"{dataset}.conll"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(STORIES / f"{name}.conll", place)
        (folder / "keys").mkdir(exist_ok=True)
        shutil.copy(STORIES / "key.conll", folder / "keys" / f"{dataset}.conll")
    lines = ["[datasets.x]", 'groups = ["X"]', "[datasets.y]"]
    for name, about in SYSTEMS.items():
        lines += [f"[systems.{name}]", f'about = "{about}"', f'kind = "{name[:3]}"']
    (folder / "leaderboard.toml").write_text("\n".join(lines))
    assert run("leaderboard", folder, "-o", folder / "site").returncode == 0
    shutil.copy(STORIES / "system-b.conll", folder / "systems/system-a/x.conll")
    assert run("leaderboard", folder, "-o", folder / "site", "--reports", "key").returncode == 0
    return folder / "site"


@pytest.fixture
def visit(chromium: Any, site: Path) -> Iterator[Any]:
    contexts, errors, requests = [], [], []

    def opened(name: str, width: int = 1280, **options: Any) -> Any:
        size = {"width": width, "height": 900}
        contexts.append(chromium.new_context(viewport=size, offline=True, **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(5_000)
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto((site / name).as_uri())
        page.wait_for_selector("body[data-ready]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors
    assert all(url.startswith(site.as_uri()) for url in requests)
    assert len(requests) == len(contexts)


def column(page: Any, number: int) -> list[str]:
    cells = page.locator(
        f"#board tbody tr td:nth-child({number}), #board tbody th:nth-child({number})"
    )
    return [text.split("\n")[0] for text in cells.all_inner_texts()]


def test_the_table_has_the_numbers_of_the_results(visit: Any, site: Path) -> None:
    found = json.loads((site / "results.json").read_text())
    page = visit("index.html")
    for metric in ("conll", "lea", "muc"):
        page.select_option("#pick-metric", label=found["metrics"][metric])
        systems = [name.split(" ")[0] for name in column(page, 1)]
        assert set(systems) == set(SYSTEMS)
        means = [100 * found["means"][""][name]["scores"][metric]["f1"] for name in systems]
        assert column(page, 2) == [f"{value:.2f}" for value in means]
        first = 4 if metric == "conll" else 3
        for place, dataset in enumerate("xy", first):
            cells = found["results"][dataset]
            values = [100 * cells[name]["scores"][metric]["f1"] for name in systems]
            assert column(page, place) == [f"{value:.2f}" for value in values]


def test_a_click_sorts_and_choices_filter(visit: Any) -> None:
    page = visit("index.html")
    assert column(page, 1)[0].startswith("key")
    page.click("#board thead button >> nth=1")  # the mean, now the lowest first
    assert column(page, 1)[-1].startswith("key")
    page.select_option("#pick-data-sets", label="X")
    heads = page.locator("#board thead button").all_inner_texts()
    assert [head.split(" ")[0] for head in heads] == ["System", "Mean", "Rank", "x"]
    page.select_option("#pick-systems", label="sys")
    assert len(column(page, 1)) == 2
    page.check("text=Heat map")
    color = "e => getComputedStyle(e).backgroundColor"
    assert page.eval_on_selector("#board tbody td.number", color) != "rgba(0, 0, 0, 0)"
    page.check("text=Intervals")
    assert page.locator("#board .interval").count() == 8  # and the possible ranks
    assert page.get_attribute("#board tbody td a >> nth=1", "title").startswith("95% interval [")
    page.select_option("#pick-horizontal", label="Mean LEA (X)")
    assert page.locator(".plot circle").count() == 2


def test_the_address_keeps_the_choices(visit: Any) -> None:
    page = visit("index.html")
    page.select_option("#pick-metric", label="LEA")
    page.select_option("#pick-data-sets", label="X")
    page.check("text=Heat map")
    address = page.evaluate("() => location.hash")
    assert address == "#metric=lea&group=X&heat=true"
    again = visit("index.html")
    assert column(again, 2) != column(page, 2)
    again.evaluate("(hash) => { location.hash = hash; readChoices(); render(); }", address)
    assert column(again, 2) == column(page, 2)
    assert again.is_checked("text=Heat map")


def test_a_table_stays_sorted_by_its_column_if_others_go(visit: Any) -> None:
    page = visit("index.html")
    page.click("#board thead button >> nth=4")  # y
    by_y = column(page, 1)
    page.select_option("#pick-metric", label="LEA")  # without the column of ranks
    assert page.inner_text("#board thead [aria-sort]").startswith("y")
    assert column(page, 3) != []
    page.select_option("#pick-data-sets", label="X")  # without y
    assert page.inner_text("#board thead [aria-sort]").startswith("Mean")
    page.select_option("#pick-data-sets", label="all")
    page.select_option("#pick-metric", label="CoNLL")
    assert page.inner_text("#board thead [aria-sort]").startswith("y")
    assert column(page, 1) == by_y
    page.click("#board thead button >> nth=2")  # the first rank comes first
    assert column(page, 3)[0].startswith("1")


def test_hidden_columns_count_in_the_mean_and_the_caption_says_so(visit: Any) -> None:
    page = visit("index.html")
    means = column(page, 2)
    assert "also hidden" not in page.inner_text("#board caption")
    page.click("summary >> text=Columns")
    page.uncheck("#check-y")
    assert column(page, 2) == means
    assert "the mean is over all data sets, also hidden ones" in page.inner_text("#board caption")


def test_ranks_say_whether_they_were_tested(visit: Any) -> None:
    page = visit("index.html")
    assert "only if none of them differ significantly" in page.inner_text("main")
    assert "was not tested" not in page.inner_text("main")
    page.evaluate(
        "() => { for (const of of Object.values(data.means[''])) of.ranks = null; render(); }"
    )
    assert "The order of the means was not tested" in page.inner_text("main")


def test_keys_alone_sort_and_follow(visit: Any) -> None:
    page = visit("index.html")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent").startswith("Mean"):
            break
    page.keyboard.press("Enter")
    assert column(page, 1)[-1].startswith("key")
    assert page.evaluate("() => document.activeElement.textContent").startswith("Mean")
    names = page.locator("a, button, select, input, summary").count()
    reachable = page.evaluate(
        "() => [...document.querySelectorAll('a, button, select, input, summary')]"
        ".filter(one => one.tabIndex >= 0).length"
    )
    assert reachable == names


def test_pages_of_a_system_show_its_history_and_the_names_as_text(visit: Any, site: Path) -> None:
    page = visit("systems/system-b.html")
    assert "merges <b>entities</b>" in page.inner_text("main")
    page = visit("systems/system-a.html")
    text = page.inner_text("main")
    assert "Since the last submission" in text
    assert page.locator(".plot circle").count() == 2
    entries = json.loads((site / "results.json").read_text())["history"]["system-a"]
    before, now = (entry["scores"]["x"]["conll"]["f1"] for entry in entries)
    change = 100 * (now - before)
    assert f"{change:.2f}" in text


def test_cells_lead_to_reports_where_there_are_some(visit: Any, site: Path) -> None:
    page = visit("index.html")
    hrefs = "all => all.map((a) => a.getAttribute('href'))"
    links = page.eval_on_selector_all("#board tbody a", hrefs)
    assert "reports/x/key.html" in links
    assert "data/x.html#system-b" in links
    for link in links:
        assert (site / link.partition("#")[0]).is_file()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_window(
    visit: Any, name: str, scheme: str, width: int
) -> None:
    page = visit(name, width, color_scheme=scheme, bypass_csp=True)
    if name == "index.html":
        page.check("text=Heat map")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    found = [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in axe.Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert not found
