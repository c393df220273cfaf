"""The documentation says what the program does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import corefmeter
from corefmeter.codes import CODES
from corefmeter.metrics import names

from ..command import run
from .counted import user_pages, words

ROOT = Path(__file__).parents[2]


def test_every_code_that_is_used_is_known():
    used = {
        code
        for path in (ROOT / "src").rglob("*.py")
        for code in re.findall(
            r'(?:Problem|problem|error|warning)\(\s*"([a-z-]+)"', path.read_text()
        )
    }
    assert used <= set(CODES)


def test_every_code_can_come_up():
    """Each is written in the code beside the table; that a test provokes it, `provoked` sees."""
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("*.py")))
    assert [code for code in CODES if text.count(f'"{code}"') < 2] == []


def test_every_metric_is_documented():
    pages = [ROOT / "docs/metrics.md", *sorted((ROOT / "docs/metrics").glob("*.md"))]
    text = "".join(page.read_text("utf-8") for page in pages)
    assert all(f"`{name}`" in text for name in names())


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda p: p.name
)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


ROOMS = re.findall(r"^\| (`.*?) \| (.*) \|$", (ROOT / "docs/architecture.md").read_text(), re.M)
SOURCE = ROOT / "src/corefmeter"


def test_links_of_the_readme_lead_somewhere_from_a_package_index_too():
    """They are absolute; those into this repository name a file that is here."""
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text("utf-8"))
    ours = re.compile(
        r"https://(?:github\.com/corefmeter/corefmeter/blob|raw\.githubusercontent\.com/"
        r"corefmeter/corefmeter)/main/(.+)"
    )
    assert len(targets) > 10
    for target in targets:
        assert target.startswith("https://")
        place = ours.fullmatch(target)
        assert place is None or (ROOT / place[1]).exists(), target


def test_the_readme_is_short_and_runs_on_the_examples():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 90
    assert len(text.split()) <= 900
    named = re.findall(r"examples/[\w/.-]+", text)
    assert named
    assert all((ROOT / name).is_file() for name in named)


def test_the_pages_for_users_are_short():
    pages = user_pages()
    assert len(pages) > 40
    assert sum(map(words, pages)) <= 35_000


def test_the_stories_show_a_difference_by_one_metric_and_not_by_another():
    """System A splits entities and B merges them: a link lost costs MUC what a wrong link costs."""
    folder = ROOT / "examples/stories"
    systems = {name: folder / f"system-{name}.conll" for name in "ab"}
    comparison = corefmeter.compare(folder / "key.conll", systems, metrics=["muc", "lea"])
    assert comparison["muc"].pair("a", "b").p > 0.5
    assert comparison["lea"].pair("a", "b").p < 0.01


def test_a_page_has_the_same_name_everywhere():
    """The navigation has headings of pages; only the home page has another name there."""
    pages = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
    assert re.findall(r"- (.*): \S+\.md$", pages, re.M) == ["Home"]


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("significance", "statistics"),
        ("p-value", "statistics"),
        ("confidence interval", "statistics"),
        ("krippendorff", "agreement"),
        ("IAA", "agreement"),
        ("kappa", "agreement"),
        ("dedupe", "howto/clusters"),
        ("entity resolution", "howto/clusters"),
        ("dataframe", "howto/outputs"),
        ("wandb", "howto/training"),
        ("LLM", "howto/language-models"),
    ],
)
def test_what_people_search_for_is_a_keyword_of_its_page(word, page):
    """Search finds the tags in a page's front matter before all text."""
    head = (ROOT / f"docs/{page}.md").read_text("utf-8").split("---\n")[1]
    assert word in re.split(r", |\[|\]", head)


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("for a paper", "tutorials/compare.md#several-systems"),
        ("-f latex", "tutorials/compare.md#several-systems"),
        ("novels", "howto/novels.md"),
        ("book with two annotators", "howto/novels.md"),
    ],
)
def test_a_task_of_the_home_page_leads_to_its_page(words, target):
    rows = (ROOT / "docs/index.md").read_text("utf-8").splitlines()
    assert [target in row for row in rows if row.startswith("|") and words in row] == [True]


def test_the_page_on_novels_names_the_options_that_show_its_characters():
    page = (ROOT / "docs/howto/novels.md").read_text("utf-8")
    assert "`corefmeter card --all`" in page
    assert "`corefmeter errors --entities`" in page


def test_every_page_is_in_the_navigation_of_the_site():
    listed = set(re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M))
    pages = {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")}
    assert listed == pages | {"changelog.md", "contributing.md"}


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CONTRIBUTING.md"])
def test_pages_from_outside_link_only_to_what_the_site_has(name):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text("utf-8"))
    assert [t for t in targets if not re.fullmatch(r"docs/[\w/-]+\.md", t)] == []


def test_every_module_named_in_the_architecture_exists():
    text = (ROOT / "docs/architecture.md").read_text()
    for name in re.findall(r"`((?:\w+/)+\w+\.py)`", text):
        assert (SOURCE / name).exists() or (ROOT / name).exists() or "/NAME.py" in name, name
    for rooms, begin in ROOMS:
        for name in re.findall(r"`(\w+\.py)`", rooms):
            assert (SOURCE / name).exists(), name
        for name in re.findall(r"`(\w+\*?\.py)`", begin):
            assert list(SOURCE.glob(f"{rooms.strip('`')}{name}")), name


def test_every_room_has_its_line_in_the_architecture():
    named = set(re.findall(r"`(\w+)(?:/|\.py)`", " ".join(rooms for rooms, _ in ROOMS)))
    rooms = {path.stem for path in SOURCE.iterdir() if not path.name.startswith(("_", "."))}
    assert named == rooms - {"py"}


def test_every_file_named_on_a_page_exists():
    for page in [*(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md"]:
        for name in re.findall(r"`((?:tests|docs|benchmarks)/[\w/.]+\.\w+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page}: {name}"


#: Commands of docs/json.md by the first cell of their row, with what makes them write.
WRITE_JSON = {
    "`score --pairs`": ["score", "--pairs", "PAIRS"],
    "`agree`": ["agree", "KEY", "RESPONSE"],
    "`merge`": ["merge", "KEY", "RESPONSE"],
    "`stitch`": ["stitch", "KEY", "--overlap", "0"],
    "`card`": ["card", "KEY", "RESPONSE"],
    "`match`": ["match", "KEY", "RESPONSE"],
    "`ace`": ["ace", "KEY", "RESPONSE", "--weight", "type:*=1"],
    "`clusters estimate`": ["clusters", "estimate", "SAMPLE.csv", "WHOLE.csv", "--drawn", "size"],
    "`clusters pairs`": ["clusters", "pairs", "WHOLE.csv", "LINKS.csv"],
    "`stats`": ["stats", "KEY"],
    "`validate`": ["validate", "KEY"],
    "`lab experiment` without a name": ["lab", "experiment"],
    "`lab experiment`": ["lab", "experiment", "luo-figure1"],
    "`lab damage`": ["lab", "damage", "KEY", "--kind", "split", "--levels", "1"],
    "`lab audit`": ["lab", "audit", "--mentions", "2"],
}


def test_every_command_that_writes_json_is_documented():
    text = (ROOT / "docs/json.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (`(?:score --|\w).*) \| (.*`.*|see .*) \|$", text, re.M))
    assert {row for row, keys in rows.items() if not keys.startswith("see ")} == set(WRITE_JSON)


@pytest.mark.parametrize("row", WRITE_JSON)
def test_the_keys_of_json_are_those_of_the_page(row, tmp_path):
    text = (ROOT / "docs/json.md").read_text("utf-8")
    keys = re.findall(r"`(\w+)`", text.split(f"| {row} | ")[1].split(" |\n")[0])
    key, response = (ROOT / "examples" / name for name in ("key.conll", "system-a.conll"))
    (tmp_path / "pairs.tsv").write_text(f"x\t{key}\t{response}\n", "utf-8")
    (tmp_path / "sample.csv").write_text("id,cluster\na,1\nb,2\n", "utf-8")
    (tmp_path / "whole.csv").write_text("id,cluster\na,1\nb,2\nc,2\n", "utf-8")
    (tmp_path / "links.csv").write_text("left,right\na,b\n", "utf-8")
    places = {
        "KEY": key,
        "RESPONSE": response,
        "PAIRS": tmp_path / "pairs.tsv",
        "SAMPLE.csv": tmp_path / "sample.csv",
        "WHOLE.csv": tmp_path / "whole.csv",
        "LINKS.csv": tmp_path / "links.csv",
    }
    arguments = [str(places.get(word, word)) for word in WRITE_JSON[row]]
    written = json.loads(run(*arguments, "-f", "json").stdout)
    assert set(written) == {"schema", *keys}
    assert written["schema"] == 1
