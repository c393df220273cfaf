"""The page as text: the same bytes, hostile names, what is left out, what is refused."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import corefmeter
from corefmeter.reports.page import SCRIPTS, make_page

from ..command import run

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = [["Ann", "she"], ["it", "its"]]
TAGS = ("script", "style")


def block(html: str, name: str) -> Any:
    """The data of a block."""
    found = re.search(
        rf'<script type="application/octet-stream" id="{name}">([^<]*)</script>', html
    )
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / "1.html", tmp_path / "2.html"]
    for path in paths:
        subprocess.run(
            [sys.executable, "-m", "corefmeter", "report", "key.conll", "system-a.conll",
             "-o", str(path)],
            cwd=EXAMPLES, check=True, capture_output=True,
        )  # fmt: skip
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_page_without_data_is_small() -> None:
    html = corefmeter.report(KEY, {"mine": KEY}).html
    bare = re.sub(r'(<script type="application/octet-stream"[^>]*>)[^<]*', r"\1", html)
    assert len(bare.replace(corefmeter.__version__, "").encode()) <= 60_000


def test_data_cannot_close_its_script_or_the_title() -> None:
    name = 'a.b"<x>../</script><img src=x onerror=alert(1)>'
    html = corefmeter.report({name: [["</script>", "<b>"]]}, {name: {name: [["<b>"]]}}).html
    # The script and its loader, the overview, one document.
    assert html.count("<script") == html.count("</script>") == 4
    assert "<img" not in html
    assert block(html, "d0")["label"] == name


def test_nothing_is_allowed_but_the_script_and_the_style_of_the_page() -> None:
    import hashlib

    html = corefmeter.report(KEY, {"mine": KEY}).html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    # The loader of the script is allowed, the script that it unpacks, and the style; no other.
    (packed,) = re.findall(r'id="script">([^<]*)</script>', html)
    loader, style = (re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[-1] for tag in TAGS)
    script = gzip.decompress(base64.b64decode(packed)).decode()
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (loader, script, style)
    ]
    allowed = "script-src 'sha256-{}' 'sha256-{}'; style-src 'sha256-{}';".format(*hashes)
    assert allowed in policy[1].replace("&#39;", "'")
    assert "default-src 'none'" in policy[1].replace("&#39;", "'")


def test_no_html_is_made_of_data() -> None:
    scripts = list((Path(corefmeter.__file__).parent / "reports/page/scripts").glob("*.js"))
    assert sorted(path.stem for path in scripts) == sorted(SCRIPTS.split())
    script = "".join(path.read_text("utf-8") for path in scripts)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_documents_with_most_errors_are_shown_and_the_others_named() -> None:
    key = {f"d{n}": [["a", "b", "c"], ["x", "y"]] for n in range(3)}
    response = {"d0": key["d0"], "d1": [["a", "b"]], "d2": [["a", "x"], ["b", "y"], ["q"]]}
    page = corefmeter.report(key, {"mine": response}, show="worst:2")
    assert page.left_out == ["d0"]
    data = block(page.html, "overview-data")
    assert [one["label"] for one in data["documents"]] == ["d1", "d2"]
    assert [one["shown"] for one in data["index"]] == [None, 0, 1]


def test_a_page_that_is_too_large_keeps_the_documents_with_most_errors() -> None:
    key = {f"d{n}": [[f"m{i}" for i in range(400)]] for n in range(3)}
    response = {**key, "d1": [[f"m{i}"] for i in range(400)]}
    analysis = corefmeter.analyse(key, response)
    assert make_page([analysis], ["mine"], largest=100).left_out == ["d0", "d2"]
    assert make_page([analysis], ["mine"]).left_out == []


def test_many_small_documents_do_not_take_more_than_the_largest_page() -> None:
    key = {f"d{n}": [["a", "b"]] for n in range(300)}
    page = make_page([corefmeter.analyse(key, key)], ["mine"], largest=50_000)
    assert page.left_out
    bare = len(make_page([corefmeter.analyse(KEY, KEY)], ["mine"]).html)
    assert len(page.html) <= bare + 50_000 + 10_000  # the list of all documents


@pytest.mark.parametrize("value", ["worst", "worst:0", "best:3", "worst:x"])
def test_other_choices_of_documents_are_refused(value: str) -> None:
    with pytest.raises(corefmeter.OptionError, match="worst:N"):
        corefmeter.report(KEY, {"mine": KEY}, show=value)


def test_an_output_that_is_an_input_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_bytes((EXAMPLES / "key.conll").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", "report", str(key), str(key), "-o", str(key)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "output-is-input" in done.stderr
    assert key.read_bytes() == (EXAMPLES / "key.conll").read_bytes()


def test_a_page_without_a_name_is_report_html_and_never_replaces_a_file(tmp_path: Path) -> None:
    files = (EXAMPLES / "key.conll", EXAMPLES / "system-a.conll")
    page = tmp_path / "report.html"
    first = run("report", *files, folder=tmp_path)
    assert (first.returncode, first.stdout) == (0, f"{page}\n")
    written = page.read_text("utf-8")
    page.write_text("mine")
    again = run("report", *files, folder=tmp_path)
    assert (again.returncode, again.stdout, page.read_text()) == (3, "", "mine")
    assert "[file-exists]" in again.stderr
    assert "Name another file with -o, or replace it with --force" in again.stderr
    forced = run("report", *files, "--force", folder=tmp_path)
    assert (forced.returncode, page.read_text("utf-8")) == (0, written)


def test_a_page_with_a_name_replaces_it_and_a_link_is_not_followed(tmp_path: Path) -> None:
    files = (EXAMPLES / "key.conll", EXAMPLES / "system-a.conll")
    (tmp_path / "page.html").write_text("older")
    named = run("report", *files, "-o", "page.html", folder=tmp_path)
    assert (named.returncode, named.stdout) == (0, "")
    assert (tmp_path / "page.html").read_text("utf-8") != "older"
    (tmp_path / "report.html").symlink_to("page.html")
    linked = run("report", *files, "--force", folder=tmp_path)
    assert linked.returncode == 3
    assert run("report", *files, "-o", "-", folder=tmp_path).stdout.startswith("<!DOCTYPE html>")


def test_an_error_in_a_response_is_an_error_of_the_page(tmp_path: Path) -> None:
    with pytest.raises(corefmeter.DataError):
        corefmeter.report(KEY, {"mine": tmp_path / "nowhere.conll"})


def test_a_misspelt_keyword_is_named() -> None:
    with pytest.raises(corefmeter.OptionError, match="did you mean 'show'"):
        corefmeter.report(KEY, {"mine": KEY}, sohw="worst:1")


# a is right about both entities, b about the first only; c has no mention.
AGREEMENT = {
    ("a", "b"): {"both": 1, "only_a": 1, "only_b": 0, "neither": 0},
    ("a", "c"): {"both": 0, "only_a": 2, "only_b": 0, "neither": 0},
    ("b", "c"): {"both": 0, "only_a": 1, "only_b": 0, "neither": 1},
}


def test_agreement_of_responses() -> None:
    systems = {"a": KEY, "b": [["Ann", "she"], ["it"]], "c": []}
    page = corefmeter.report(KEY, systems)
    found = block(page.html, "overview-data")
    names = found["systems"]
    assert {
        (names[one["a"]], names[one["b"]]): one["entities"] for one in found["agreement"]
    } == AGREEMENT


def test_mentions_have_their_own_place_where_matching_is_near() -> None:
    from corefmeter import Corpus, Document
    from corefmeter.corpus.text import Text

    words = ["the", "old", "dog", "saw", "it"]
    key = Corpus([Document("x", [[(0, 3), (4, 5)]], tokens=5, text=Text(words))])
    response = Corpus([Document("x", [[(1, 3), (4, 5)]], tokens=5, text=Text(words))])
    page = corefmeter.report(key, response, match="overlap")
    system = block(page.html, "d0")["systems"][0]
    assert system["own"] == {"0": [1, 3]}  # the first mention, found as "old dog"
    assert system["status"] == "cc"


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ([[(0, 1), (1, 2), (2, 3), (3, 4)]], "ccac"),  # Bob has an antecedent, though none is right
        ([[(0, 1), (3, 4)], [(1, 2)], [(2, 3)]], "iuui"),
        ([[(0, 1), (1, 2)], [(2, 3), (3, 4)]], "cccc"),
        ([[(0, 1), (2, 3), (1, 2), (3, 4)]], "ccac"),  # the order in the list is no matter
    ],
)
def test_a_mention_with_a_wrong_antecedent_is_drawn_as_wrong(response: Any, status: str) -> None:
    """Ann she Bob he: `errors --show` marks the same; "he" after Bob has the right antecedent."""
    key = {"d": [[(0, 1), (1, 2)], [(2, 3), (3, 4)]]}
    page = corefmeter.report(key, {"one": {"d": response}})
    assert block(page.html, "d0")["systems"][0]["status"] == status


def test_names_that_are_no_utf8_are_kept() -> None:
    key = {"d": [["a", "\ud800"]]}
    html = corefmeter.report(key, {"\udcff": key}).html
    assert block(html, "d0")["others"] == {"0": "a", "1": "\ud800"}
    assert block(html, "overview-data")["systems"] == ["\udcff"]
    html.encode()  # a page can be written


def test_mentions_of_joined_documents_name_their_document() -> None:
    key = {("x", 0): [[(0, 1), (2, 3)]], ("y", 0): [[(0, 1), (4, 5)]]}
    html = corefmeter.report(key, {"mine": key}, as_one_document=True).html
    (label,) = [one["label"] for one in block(html, "overview-data")["documents"]]
    assert label
    assert set(block(html, "d0")["others"].values()) == {
        "x, part 0: (0, 1)", "x, part 0: (2, 3)", "y, part 0: (0, 1)", "y, part 0: (4, 5)"
    }  # fmt: skip


def test_an_error_is_about_its_key_mention_too() -> None:
    from corefmeter import Corpus, Document
    from corefmeter.corpus.text import Text

    text = Text(["the", "dog", "it", "."], pos=["DT", "NN", "PRP", "."])
    key = Corpus([Document("x", [[(0, 2), (2, 3)]], tokens=4, text=text)])
    response = Corpus([Document("x", [[(1, 2), (2, 3)]], tokens=4, text=text)])
    ((*_, correct),) = block(corefmeter.report(key, response).html, "d0")["systems"][0]["errors"]
    assert correct == 0  # "the dog", the first in the text


def test_what_a_comparison_noticed_is_on_the_page() -> None:
    key = {f"d{n}": KEY for n in range(3)}
    with pytest.warns(corefmeter.CorefmeterWarning):
        page = corefmeter.report(key, {"a": key, "b": dict.fromkeys(key, KEY[:1])})
    codes = [one["code"] for one in block(page.html, "overview-data")["problems"]]
    assert "few-documents" in codes


def test_what_is_wrong_with_all_responses_is_said_once() -> None:
    with pytest.raises(corefmeter.DataError) as raised:
        corefmeter.report({"d": KEY}, {"a": {"e": KEY}, "b": {"e": KEY}})
    assert len(raised.value.problems) == 1


def test_the_sentence_says_what_the_dearest_errors_are_about() -> None:
    # Of the six missing mentions, three are "it", and the tags make all six pronouns.
    from corefmeter import Corpus, Document
    from corefmeter.corpus.text import Text

    words = ["it", "she", "It", "he", "it", "him", "Ann", "Bob"]
    text = Text(words, pos=["PRP"] * 6 + ["NNP"] * 2)
    mentions: list[Any] = [(n, n + 1) for n in range(8)]
    key = Corpus([Document("x", [mentions], tokens=8, text=text)])
    response = Corpus([Document("x", [mentions[6:]], tokens=8, text=text)])
    (lead,) = block(corefmeter.report(key, response).html, "overview-data")["leads"]
    assert lead.endswith(" Of the 6 missing mentions, 100 % are pronouns; by words, 50 % are “it”.")
    few = Corpus([Document("x", [mentions[4:]], tokens=8, text=text)])
    (lead,) = block(corefmeter.report(few, response).html, "overview-data")["leads"]
    assert lead.startswith("Missing mentions cost most")
    assert " Of the " not in lead


def test_mentions_of_joined_documents_have_their_words() -> None:
    from corefmeter import Corpus, Document
    from corefmeter.corpus.text import Text

    texts = {"x": Text(["Ann", "saw", "her"]), "y": Text(["she", "left"])}
    entities: dict[str, Any] = {"x": [[(0, 1), (2, 3)]], "y": [[(0, 1)]]}
    key = Corpus(
        [Document(n, entities[n], tokens=len(texts[n].words), text=texts[n]) for n in texts]
    )
    data = block(corefmeter.report(key, key, as_one_document=True).html, "d0")
    assert set(data["others"].values()) == {
        "Ann – x, part 0: (0, 1)", "her – x, part 0: (2, 3)", "she – y, part 0: (0, 1)"
    }  # fmt: skip
    assert data["joined"]
