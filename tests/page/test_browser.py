"""The page in a browser: views, keys, filters, numbers, accessibility; no request, no error.

That nothing is requested and no error appears is checked after each test; see `open_page`.
"""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefmeter
from corefmeter import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.metrics import title
from corefmeter.reports.csv import escape_formula

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
SHARED = Path(__file__).parents[3] / "shared" / "data"
VIEWS = ["overview", "compare", "entities", "text", "errors", "card", "help"]
VIEWS_OF_ONE = [view for view in VIEWS if view != "compare"]
FIRST = "story/lighthouse"

Tab = Any  # of conftest
Open = Callable[..., Tab]


def command(*arguments: str, folder: Path = EXAMPLES) -> Any:
    """The JSON of a command."""
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", *arguments, "-f", "json"],
        cwd=folder, capture_output=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


# ---- views and addresses ------------------------------------------------------------------------


def test_each_view_by_link_and_by_key(example: Tab) -> None:
    titles = [
        "Overview",
        "Compare",
        "Entities",
        "Text",
        "Errors",
        "Card",
        "How to read this",
    ]
    names = ["Overview", "Compare", "Entities", "Text", "Errors", "Card", "How to read this"]
    for number, (view, heading) in enumerate(zip(VIEWS, titles, strict=True), 1):
        example.view(view)
        assert heading in example.texts("h2")
        example.keys("1" if number > 1 else "2")
        example.keys(str(number))
        example.ready(view)
        assert (
            example.page.locator("nav a[aria-current]").inner_text().startswith(names[number - 1])
        )


def test_an_address_opens_what_it_names(open_page: Open, example: Tab) -> None:
    example.page.goto(example.path.as_uri() + "#text/(news%2Fharbour)%3B%20part%20000/2")
    example.page.reload()
    example.ready("text")
    assert example.page.locator(".line.selected").count() > 0
    assert example.page.locator("#pick-document option:checked").inner_text() == "news/harbour"
    example.page.goto(example.path.as_uri() + "#entities/(news%2Fharbour)%3B%20part%20000/1")
    example.ready("entities")
    assert example.page.locator("#entity h3").inner_text().startswith("Entity")


def test_an_address_that_names_nothing_is_the_overview(example: Tab) -> None:
    for address in ("#nothing", "#text/nowhere/7", "#entities/%E0%A4%A/1"):
        example.page.goto(example.path.as_uri() + address)
        example.page.wait_for_selector("h2")


# ---- numbers ------------------------------------------------------------------------------------

PAIRS = {
    "examples": (EXAMPLES, "key.conll", ["system-a.conll", "system-b.conll"]),
    "gum": (SHARED / "gum_ontonotes_style", "key.conll", ["xrenner.conll"]),
    "novel": (SHARED / "novel_dutch", "key.conll", ["dutchcoref.conll"]),
}


@pytest.mark.parametrize(
    "name",
    [
        "examples",
        *(pytest.param(name, marks=pytest.mark.slow) for name in PAIRS if name != "examples"),
    ],
)
def test_numbers_are_those_of_the_commands(open_page: Open, tmp_path: Path, name: str) -> None:
    folder, key, responses = PAIRS[name]
    if not folder.exists():
        pytest.skip(f"{folder.name} is not there")
    path = tmp_path / "numbers.html"
    subprocess.run(
        [sys.executable, "-m", "corefmeter", "report", key, *responses, "-o", str(path), "--quiet"],
        cwd=folder, check=True,
    )  # fmt: skip
    tab = open_page(page=path)
    found = {
        element.get_attribute("data-number"): element.inner_text()
        for element in tab.page.locator("[data-number]").all()
    }
    scores = command("score", key, *responses, folder=folder)["results"]
    errors = [command("errors", key, one, folder=folder) for one in responses]
    expected = {}
    for number, (result, summary) in enumerate(zip(scores, errors, strict=True)):
        for metric, values in result["scores"].items():
            for part in ("recall", "precision", "f1"):
                shown = f"{100 * values[part]:.2f}" if part in values else ""
                expected[f"score/{number}/{metric}/{part}"] = shown
        for kind, error in summary["errors"].items():
            expected[f"errors/{number}/errors/{kind}/count"] = str(error["count"])
            for metric, cost in error["cost"].items():
                expected[f"errors/{number}/errors/{kind}/cost/{metric}"] = f"{100 * cost:.2f}"
    # A negative zero is a zero to whoever looks.
    assert {name: text.rstrip("†").replace("-0.00", "0.00") for name, text in found.items()} == {
        name: text.replace("-0.00", "0.00") for name, text in expected.items()
    }
    if len(responses) > 1:
        tab.view("compare")
        comparison = command("compare", key, *responses, folder=folder)
        for metric, values in comparison["metrics"].items():
            for system, score in values["scores"].items():
                for part in ("recall", "precision", "f1"):
                    cell = tab.page.locator(f'[data-number="compare/{metric}/{system}/{part}"]')
                    value = score.get(part)
                    assert cell.inner_text() == ("" if value is None else f"{100 * value:.2f}")


@pytest.mark.parametrize(
    ("folder", "systems", "options"),
    [
        (EXAMPLES, ["system-a.conll", "system-b.conll"], {}),
        (EXAMPLES, ["system-a.conll"], {"singletons": "drop", "metrics": ["muc", "lea"]}),
        (EXAMPLES / "stories", ["system-a.conll", "system-b.conll"], {"pronouns": "en"}),
    ],
)
def test_scores_without_pronouns_are_those_of_the_command_beside_them(
    open_page: Open, folder: Path, systems: list[str], options: dict[str, Any]
) -> None:
    tab = open_page(folder / "key.conll", {name: folder / name for name in systems}, **options)
    given = tab.text("#types code").split()
    assert given[:4] == ["corefmeter", "card", "KEY", "RESPONSE"]
    cards = command("card", "key.conll", *systems, *shlex.split(" ".join(given[4:])), folder=folder)
    lines = list(dict.fromkeys(
        part["name"] for part in cards["cards"][0]["parts"] if part["section"] == "types"
    ))  # fmt: skip
    assert lines == tab.texts("#types tbody th")
    assert lines[:2] == ["all mentions", "without pronouns"]
    heads = tab.texts("#types thead tr:last-child th")
    assert heads[0] == "Mentions"
    found = [row.split("\t")[1:] for row in tab.texts("#types tbody tr")]
    for line, (mentions, *cells) in zip(lines, found, strict=True):
        scores = [
            part["scores"] for one in cards["cards"] for part in one["parts"]
            if part["section"] == "types" and part["name"] == line
        ]  # fmt: skip
        assert int(mentions) == scores[0]["mentions"]["recall_denominator"]
        titles = {title(metric): metric for metric in scores[0]}
        size = len(cells) // len(systems)
        assert cells == [
            f"{100 * one[titles[name]]['f1']:.2f}"
            for one, of in zip(scores, range(len(systems)), strict=True)
            for name in heads[1:][of * size : (of + 1) * size]
        ]


def test_scores_without_pronouns_are_not_guessed(open_page: Open) -> None:
    folder = EXAMPLES / "stories"
    tab = open_page(folder / "key.conll", folder / "system-a.conll")
    assert tab.text("#types").startswith(
        "The scores without pronouns are not known, because the files do not give the type"
    )


def test_ties_are_rounded_as_in_all_other_output(example: Tab) -> None:
    values = [0.78125, 0.00125, 0.03125, 0.5, 1.0, 2 / 3, 0.28375, 0.1 + 0.2]
    shown = example.page.evaluate("(values) => values.map(percent)", values)
    assert shown == [f"{100 * value:.2f}" for value in values]


# ---- overview -----------------------------------------------------------------------------------


def test_documents_can_be_sorted(example: Tab) -> None:
    rows = "#documents tbody th"
    assert example.texts(rows)[0] == FIRST or example.page.locator(rows).count() == 3
    example.page.click("#documents-sort-0")
    up = example.texts(rows)
    example.page.click("#documents-sort-0")
    assert example.texts(rows) == up[::-1]
    assert up == sorted(up)
    assert example.focused().startswith("documents-sort-0")


def test_a_class_of_errors_opens_its_errors(example: Tab) -> None:
    example.page.click("table.costs >> text=divided entity")
    example.ready("errors")
    assert set(example.texts("#errors tbody th")) == {"divided entity"}


def test_what_costs_most_comes_first(example: Tab) -> None:
    # Each response has its errors, the mentions in them, and the costs by CoNLL and LEA.
    cells = [row.split("\t") for row in example.texts("table.costs tbody tr")]
    costs = [max(float(row[3]), float(row[7])) for row in cells]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0


def test_mentions_in_errors_are_those_of_the_sentence(open_page: Open) -> None:
    # Each of three key entities is in two halves, one of which, of 4 mentions, is a divided part.
    words = ["it", "she"] * 12
    text = Text(words, pos=["PRP"] * 24)
    mentions: list[Any] = [(n, n + 1) for n in range(24)]
    entities = [mentions[n : n + 8] for n in (0, 8, 16)]
    halves = [half for entity in entities for half in (entity[:4], entity[4:])]
    key = Corpus([Document("x", entities, tokens=24, text=text)])
    tab = open_page(key, Corpus([Document("x", halves, tokens=24, text=text)]))
    assert "Of the 12 mentions in divided entities" in tab.text(".lead")
    assert tab.texts("table.costs tbody tr >> nth=0 >> td")[:2] == ["3", "12"]


def test_bars_are_as_long_as_the_costs(example: Tab) -> None:
    # One bar a response and error type that occurs, in the chart of each of the two metrics.
    lengths = example.page.evaluate("""() => [...document.querySelectorAll("figure")].slice(1, 3).map((one) =>
      [...one.querySelectorAll(".mark")].map((bar) => bar.getBBox().width))""")
    shown = [
        row for row in example.texts("table.costs tbody tr") if set(row.split("\t")[1::4]) != {"0"}
    ]
    for metric, bars in enumerate(lengths):
        costs = [float(row.split("\t")[3 + metric + 4 * s]) for row in shown for s in (0, 1)]
        scale = max(bars) / max(costs)
        assert bars == pytest.approx([scale * abs(cost) for cost in costs], abs=0.02 * max(bars))


def test_an_axis_goes_as_far_as_the_values(example: Tab) -> None:
    steps = "(values) => axisSteps(values, 5).map((value) => Math.round(1000 * value) / 1000)"
    assert example.page.evaluate(steps, [0.82, 0.97]) == [0.8, 0.85, 0.9, 0.95, 1.0]
    assert example.page.evaluate(steps, [0, 0.113]) == [0, 0.05, 0.1, 0.15]
    assert example.page.evaluate(steps, [-0.01, 0.04]) == [-0.01, 0, 0.01, 0.02, 0.03, 0.04]
    assert len(example.page.evaluate(steps, [0.5])) == 2


def test_hashes_are_behind_details(example: Tab) -> None:
    assert not example.page.locator(".digests").is_visible()
    example.page.click("text=Details: hashes of the files")
    assert example.page.locator(".digests dd").count() == 3
    assert example.page.locator(".digests").is_visible()


# ---- compare ------------------------------------------------------------------------------------


def test_a_click_on_agreement_filters_all_views(example: Tab) -> None:
    # Of entities of the key, some are found by the first response only.
    cell = '[data-agreement="0/1/entities/only_a"]'
    example.view("compare")
    number = int(example.text(cell))
    assert number > 0
    example.page.click(cell)
    example.ready("errors")
    assert "Only entities where a is right and b is not" in example.text(".chip")
    assert example.page.locator("#pick-response").input_value() == "1"  # that of the errors
    shown = 0
    for document in range(example.page.evaluate("() => data.documents.length")):
        example.view("entities")
        example.page.select_option("#pick-document", str(document))
        example.page.evaluate("() => rendered")
        shown += example.page.locator("#entities tbody tr").count()
    assert shown == number
    example.keys("Escape")
    assert example.page.locator(".chip").count() == 0


def test_one_response_has_no_link_to_compare(open_page: Open) -> None:
    tab = open_page([["a", "b"]], {"mine": [["a", "b"]]})
    assert not tab.page.locator('nav a[href="#compare"]').is_visible()
    names = tab.texts("nav a:not([hidden])")
    assert [name.split()[-1] for name in names] == ["1", "2", "3", "4", "5", "6"]
    tab.keys("2")
    tab.ready("entities")
    # One document needs no menu and no table.
    assert tab.page.locator("#pick-document").count() == 0
    tab.keys("1")
    tab.ready("overview")
    assert tab.page.locator("#documents").count() == 0


def compare_rows(tab: Tab, region: str) -> list[dict[str, str]]:
    """The rows of a table of Compare, by the names of its columns."""
    table = tab.page.locator(f'[aria-label="{region}"] table')
    names = table.locator("thead th").all_inner_texts()
    rows = []
    for group in table.locator("tbody").all():
        metric = group.locator("th[scope=rowgroup]").inner_text()
        for row in group.locator("tr").all():
            cells = row.locator("th[scope=row], td").all_inner_texts()
            rows.append(dict(zip(names, [metric, *cells], strict=True)))
    return rows


def test_one_document_has_differences_and_the_reason_why_there_is_no_test(open_page: Open) -> None:
    # MUC: a finds both links of the key, b one of them and none else, so F1 is 1 and 2/3.
    tab = open_page(
        [["x", "y", "z"]], {"a": [["x", "y", "z"]], "b": [["x", "y"], ["z"]]}, metrics="muc"
    )
    tab.view("compare")
    assert compare_rows(tab, "Differences") == [
        {"Metric": "MUC", "Pair": "a − b", "Difference": "33.33"}
    ]
    assert "there is one document" in tab.text("#view p")
    assert tab.page.locator('[aria-label="Scores with intervals"]').count() == 0


def test_a_difference_has_a_verdict_with_its_reason(open_page: Open, example: Tab) -> None:
    key = {f"d{n}": [["a", "b", "c"], ["x", "y"]] for n in range(12)}
    worse = {name: [["a", "b"], ["c", "x", "y"]] for name in key}
    responses = {"good": key, "bad": worse, "same": key}
    tab = open_page(key, responses, metrics="b3")
    tab.view("compare")
    rows = compare_rows(tab, "Differences")
    assert [row["Result"] for row in rows] == [
        "significant",
        "equal in each document",
        "significant",
    ]
    assert "p is at most 0.05" in tab.text("#view p")
    assert "p adjusted" in rows[0]
    example.view("compare")  # three documents in two files
    rows = compare_rows(example, "Differences")
    assert {row["Result"] for row in rows} == {"may be chance"}
    assert set(rows[0]) == {"Metric", "Pair", "Difference", "Result", "p"}  # no column of dashes
    assert "nothing can be significant" in example.text("#view")
    assert "share a letter" in example.text('[aria-label="Scores with intervals"] caption')


# ---- text and keys ------------------------------------------------------------------------------


def errors_of(tab: Tab) -> list[int]:
    """The mentions with errors in the open document, in the order of reading."""
    return list(tab.page.evaluate("() => inError(open.doc, open.one)"))


def selected(tab: Tab) -> int | None:
    found = tab.page.evaluate("() => state.mention")
    return None if found is None else int(found)


def test_j_and_k_go_through_the_errors(example: Tab) -> None:
    example.keys("4")
    example.ready("text")
    wrong = errors_of(example)
    assert len(wrong) > 2
    walked = []
    for _ in wrong:
        example.keys("j")
        walked.append(selected(example))
    assert walked == wrong
    example.keys("k")
    assert selected(example) == wrong[-2]
    assert example.hash().endswith(f"/{wrong[-2]}")
    assert example.page.locator(".line.selected").first.is_visible()
    assert set(
        example.page.evaluate(
            "() => inError(open.doc, open.one).map((m) => statusOf(open.one, m)[1])"
        )
    ) <= {*"≠−+"}
    # A wrong link that no error begins with names the errors that count it.
    for mention in wrong:
        example.page.evaluate("(m) => select(m)", mention)
        assert (
            "error" in example.text("#mention h4") or example.page.locator("#mention ul a").count()
        )


def test_after_the_last_error_comes_the_next_document(example: Tab) -> None:
    example.keys("4")
    for _ in range(len(errors_of(example)) + 1):
        example.keys("j")
    example.page.evaluate("() => rendered")
    assert example.page.evaluate("() => state.doc") > 0


def test_n_and_p_go_through_an_entity_and_e_pins_it(example: Tab) -> None:
    example.keys("4", "j", "e")
    assert example.page.get_attribute("[aria-pressed]", "aria-pressed") == "true"
    pinned = list(example.page.evaluate("() => membersOf(open.doc, open.one, state.pin)"))
    start = pinned.index(selected(example))
    for mention in pinned[start + 1 :]:
        example.keys("n")
        assert selected(example) == mention
    example.keys("n")
    assert "last mention" in example.text("#say")
    for mention in pinned[-2::-1]:
        example.keys("p")
        assert selected(example) == mention
    example.keys("e")
    assert example.page.locator(".pinned").count() == 0


def test_brackets_change_the_document_and_escape_lets_go(example: Tab) -> None:
    example.keys("4", "]")
    example.page.evaluate("() => rendered")
    assert example.page.evaluate("() => state.doc") == 1
    example.keys("[")
    example.page.evaluate("() => rendered")
    assert example.page.evaluate("() => state.doc") == 0
    example.keys("[")
    assert "first document" in example.text("#say")
    example.keys("j", "Escape")
    assert selected(example) is None


def test_slash_searches_and_question_mark_lists_the_keys(example: Tab) -> None:
    example.keys("4", "/")
    example.page.keyboard.type("green eyes")
    example.keys("Enter")
    assert "green eyes" in example.text(".sentence.hit").replace("\n", " ")
    example.keys("Escape", "?")
    assert example.page.locator("dialog[open]").is_visible()
    example.keys("Escape")
    assert not example.page.locator("dialog[open]").count()


def test_a_click_on_a_mention_shows_it(example: Tab) -> None:
    example.view("text")
    example.page.locator("#text .line.missing").first.click()
    assert "missing" in example.text("#mention .status")
    assert "Should be with" in example.text("#mention .verdict >> nth=1")


def test_the_same_as_visible_buttons(example: Tab) -> None:
    example.view("text")
    example.page.click("text=Next error")
    first = selected(example)
    assert first == errors_of(example)[0]
    example.page.click("#mention >> text=Highlight entity")
    example.page.click("#mention >> text=Mention ›")
    assert selected(example) != first
    example.page.click("text=Next document")
    example.page.evaluate("() => rendered")
    assert example.page.evaluate("() => state.doc") == 1


def test_find_in_page_reaches_the_last_paragraph(open_page: Open) -> None:
    words = [f"word{n}" for n in range(30_000)] + ["omega", "."]
    text = Text(words, sentences=list(range(0, 30_000, 20)))
    key = Corpus([Document("long", [[(0, 1), (29_999, 30_000)]], tokens=len(words), text=text)])
    tab = open_page(key, key)
    tab.view("text")
    tab.page.wait_for_selector("#text[data-whole]", state="attached")
    assert tab.page.evaluate("() => window.find('omega')")
    # Sentence 1500 is in the last part of 40 sentences, whose words are not yet drawn.
    inside = "() => document.getSelection().anchorNode.parentElement.closest('.part').dataset.part"
    assert tab.page.evaluate(inside) == "37"


# ---- the text: names, colors, lines ---------------------------------------------------------------

WORDS = ["Ann", "met", "Bob", ".", "She", "saw", "him", ".", "He", "left", ".", "Eve", "hid", "it"]
#: {Ann She} {Bob him He} {Eve} {it}: the response moves him to Ann, lacks Eve, and adds "hid".
KEY = [[(0, 1), (4, 5)], [(2, 3), (6, 7), (8, 9)], [(11, 12)], [(13, 14)]]
RESPONSE = [[(0, 1), (4, 5), (6, 7)], [(2, 3), (8, 9)], [(12, 13)], [(13, 14)]]


@pytest.fixture
def people(open_page: Open) -> Tab:
    text = Text(WORDS, sentences=[0, 4, 8, 11])
    sides: list[Any] = [
        Corpus([Document("people", side, tokens=len(WORDS), text=text)]) for side in (KEY, RESPONSE)
    ]
    tab = open_page(*sides)
    tab.view("text")
    return tab


def lines_of(tab: Tab, word: str) -> list[dict[str, str]]:
    """The lines under a word, those of the key first: color, form and sign."""
    found: list[dict[str, str]] = tab.page.evaluate(
        """(word) => elementsOf(open.doc.at.findIndex((_, m) => phraseOf(open.doc, m) === word)).map((one) => {
          const { borderBottomColor, borderBottomStyle, borderBottomWidth } = getComputedStyle(one);
          return { color: borderBottomColor, form: borderBottomStyle, width: borderBottomWidth, sign: one.dataset.sign ?? "" };
        })""",
        word,
    )
    return found


def test_an_entity_has_one_color_in_key_and_response(people: Tab) -> None:
    ann, bob = (lines_of(people, name)[0]["color"] for name in ("Ann", "Bob"))
    assert ann != bob
    assert [line["color"] for line in lines_of(people, "She")] == [ann]
    assert [line["color"] for line in lines_of(people, "him")] == [bob, ann]
    assert [line["color"] for line in lines_of(people, "He")] == [bob]
    assert lines_of(people, "Eve")[0]["color"] == lines_of(people, "it")[0]["color"]  # both alone


def test_entities_that_share_a_sentence_have_different_colors(open_page: Open) -> None:
    """Entity e is in sentences e, e + 1 and e + 31 of 60, so that each has three of them."""
    count, width = 60, 20
    starts = [[(e, 0), ((e + 1) % count, 5), ((e + 31) % count, 10)] for e in range(count)]
    entities = [sorted((s * width + at, s * width + at + 1) for s, at in one) for one in starts]
    words = [f"w{n}" for n in range(count * width)]
    text = Text(words, sentences=list(range(0, len(words), width)))
    key = Corpus([Document("x", entities, tokens=len(words), text=text)])
    tab = open_page(key, key)
    tab.view("text")
    hues = tab.page.evaluate("() => identities(open.doc, open.one).hues.key")
    assert set(hues) == set(range(12))
    in_sentence: dict[int, list[int]] = {}
    for hue, one in zip(hues, entities, strict=True):
        for start, _ in one:
            in_sentence.setdefault(start // width, []).append(hue)
    assert all(len(set(some)) == 3 for some in in_sentence.values())


@pytest.mark.parametrize("colors", ["none", "active"])
def test_a_status_is_a_form_and_a_sign_not_only_a_color(people: Tab, colors: Any) -> None:
    people.page.emulate_media(forced_colors=colors)
    forms = {
        word: [(line["form"], line["sign"], line["width"]) for line in lines_of(people, word)]
        for word in ("Ann", "him", "Eve", "hid")
    }
    assert forms == {
        "Ann": [("solid", "", "2px")],
        "him": [("solid", "≠", "2px"), ("solid", "", "2px")],
        "Eve": [("dashed", "−", "2px")],
        "hid": [("dotted", "+", "2px")],
    }


def test_a_wrong_link_says_where_it_should_go_and_jumps_there(people: Tab) -> None:
    people.page.click("#text .line >> text=him")
    assert people.texts("#mention .verdict") == [
        "Should be with Bob (sentence 1).",
        "Is with She (sentence 2).",
    ]
    entities = people.texts("#mention dd")[:2]
    assert [text.split()[0] for text in entities] == ["Bob", "Ann"]
    assert "first break" in people.text("#mention ol li >> nth=1")
    people.page.click("#mention .verdict a >> text=Bob")
    assert people.text("#mention h3") == "Bob"
    assert people.page.locator(".line.selected").inner_text() == "Bob"


@pytest.mark.parametrize(
    ("word", "sentences"),
    [
        ("Ann", ["Is the first of its entity in both."]),
        ("She", ["Is with Ann (sentence 1), as in the key."]),
        ("He", ["Should be with him (sentence 2).", "Is with Bob (sentence 1)."]),
        ("Eve", ["The response does not have this mention."]),
        ("hid", ["The key does not have this mention."]),
        ("it", ["Is alone in both."]),
    ],
)
def test_each_mention_has_its_sentence(people: Tab, word: str, sentences: list[str]) -> None:
    people.page.locator("#text").get_by_text(word, exact=True).last.click()
    assert people.texts("#mention .verdict") == sentences


@pytest.mark.parametrize(
    ("response", "sentences"),
    [
        # The first mention of {Ann She}: alone in the response, missing, or with Bob.
        (
            [[(0, 1)], [(4, 5)]],
            ["Should be with She (sentence 2).", "The response leaves it alone."],
        ),
        (
            [[(4, 5)]],
            ["The response does not have this mention.", "Should be with She (sentence 2)."],
        ),
        (
            [[(0, 1), (2, 3)], [(4, 5)]],
            ["Should be with She (sentence 2).", "Is with Bob (sentence 1)."],
        ),
    ],
)
def test_the_first_mention_should_be_with_the_next(
    open_page: Open, response: Any, sentences: list[str]
) -> None:
    text = Text(WORDS, sentences=[0, 4, 8, 11])
    sides: list[Any] = [
        Corpus([Document("d", side, tokens=len(WORDS), text=text)]) for side in (KEY, response)
    ]
    tab = open_page(*sides)
    tab.view("text")
    tab.page.locator("#text").get_by_text("Ann", exact=True).first.click()
    assert tab.texts("#mention .verdict") == sentences


def test_a_name_is_shown_where_the_entity_was_not_named(people: Tab) -> None:
    named = "() => [...document.querySelectorAll('#text [data-name]')].map((one) => [one.textContent, one.dataset.name])"
    assert people.page.evaluate(named) == []
    people.page.locator("#text .line", has_text="him").first.hover()
    assert people.page.evaluate(named) == [["him", "Bob"]]
    people.page.click("#text .line >> text=She")
    people.keys("e")
    assert ["She", "Ann"] in people.page.evaluate(named)


def test_a_click_on_the_margin_selects_the_mention(people: Tab) -> None:
    people.page.click("#text .line >> text=Bob")
    marks = people.page.locator(".map .tick")
    assert marks.count() == 3
    middle = "(mark) => { const box = mark.getBoundingClientRect(); return [box.x, box.y + box.height / 2]; }"
    people.page.mouse.click(*marks.last.evaluate(middle))  # the mark of a right mention is a line
    assert people.text("#mention h3") == "He"


@pytest.mark.parametrize(
    ("words", "between", "shown"),
    [
        (
            "\" I do n't ( ever ) , \" he said : the Okafors ' piano .",
            " ",
            "\"I don't (ever),\" he said: the Okafors' piano.",
        ),
        ("`` 5 % '' of [ it ]", " ", "“5%” of [it]"),
        ("我 们 ( 你 )", "", "我们(你)"),
    ],
)
def test_words_are_joined_as_in_print(
    open_page: Open, words: str, between: str, shown: str
) -> None:
    text = Text(words.split(), between=between)
    key = Corpus([Document("x", [[(0, 1), (3, 4)]], tokens=len(text.words), text=text)])
    tab = open_page(key, key)
    tab.view("text")
    assert tab.page.evaluate("() => document.querySelector('#text p').textContent") == shown


def long_page(open_page: Open) -> Tab:
    words = [f"w{n}" for n in range(8_000)]
    mentions: list[Any] = [(n, n + 1) for n in range(0, 8_000, 20)]
    text = Text(words, sentences=list(range(0, 8_000, 8)))
    key = Corpus([Document("long", [mentions], tokens=8_000, text=text)])
    tab = open_page(key, key)
    tab.view("text")
    tab.page.wait_for_selector("#text[data-whole]", state="attached")
    return tab


def test_only_sentences_near_the_window_are_drawn(open_page: Open) -> None:
    tab = long_page(open_page)
    drawn = tab.page.locator("#text p")
    assert 0 < drawn.count() < 300  # of 1,000
    assert "w7999" in tab.page.evaluate("() => $('text').textContent")  # for the browser's search
    for mention in (399, 0, 200):
        tab.page.evaluate("(m) => select(m)", mention)
        tab.page.wait_for_timeout(200)
        box = tab.page.locator(".line.selected").bounding_box()
        assert 0 <= box["y"] <= 900
        assert tab.text(".line.selected") == f"w{20 * mention}"
        assert 0 < drawn.count() < 300
    tab.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert drawn.count() == 1_000
    tab.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    tab.page.wait_for_function("() => document.querySelectorAll('#text p').length < 300")


def test_a_sentence_is_found_by_its_number_and_by_its_words(open_page: Open) -> None:
    tab = long_page(open_page)
    tab.page.fill("#sentence", "700")
    tab.keys("Enter")
    assert tab.page.get_attribute(".sentence.hit", "data-n") == "700"
    tab.page.select_option("select[aria-label=Passages]", "901")
    assert tab.page.get_attribute(".sentence.hit", "data-n") == "901"
    tab.page.fill("#sentence", "9999")
    tab.keys("Enter")
    assert tab.text("#say") == "The last sentence is 1000."
    tab.page.fill("#search", "w4001 w4002")  # found without Enter
    tab.page.wait_for_selector(".sentence.hit[data-n='501']")
    assert tab.text("#found") == "1 of 1 sentence"
    assert tab.page.evaluate("() => String([...CSS.highlights.get('found')][0])") == "w4001 w4002"
    tab.page.fill("#search", "w40")
    tab.keys("Enter")
    assert tab.text("#found").endswith(" of 16 sentences")
    tab.page.fill("#search", "w4001 w4002")
    tab.keys("Enter")
    assert 0 <= tab.page.locator(".sentence.hit").bounding_box()["y"] <= 900


def test_on_a_phone_the_panel_is_a_drawer(people: Tab) -> None:
    people.page.set_viewport_size({"width": 390, "height": 844})
    panel = people.page.locator("#mention")
    assert not panel.is_visible()
    people.keys("j")
    drawer = panel.bounding_box()
    assert drawer["y"] + drawer["height"] == 844
    assert drawer["height"] <= 0.45 * 844 + 1
    assert people.page.locator(".line.selected").first.bounding_box()["y"] < drawer["y"]
    people.page.click("#mention [aria-label=Close]")
    assert not panel.is_visible()
    assert selected(people) is None


# ---- entities and errors ------------------------------------------------------------------------


def test_the_strip_has_a_tick_for_each_mention(example: Tab) -> None:
    example.view("entities")
    mentions = example.page.evaluate(
        "() => documents[0].then((d) => sum(d.key.entities.map((e) => e.length)))"
    )
    ticks = example.page.locator(".strip .tick:not(.extra)").count()
    assert ticks == mentions
    example.page.locator(".strip .tick.missing").first.click()
    example.ready("text")
    assert "missing" in example.text("#mention .status")


def test_an_entity_has_its_overlap_as_a_matrix(open_page: Open) -> None:
    # The response has three of the first entity with one of the second, and one alone.
    key = [["a", "b", "c", "d"], ["x", "y"]]
    tab = open_page(key, {"mine": [["a", "b", "c", "x"], ["d", "q"]]})
    tab.view("entities")
    tab.page.click("#entities tbody th button >> nth=0")
    assert tab.hash().endswith("/0")
    rows = tab.texts(".matrix tbody tr")
    # Of the second entity, y is missing.
    assert sorted(row.split("\t")[1:] for row in rows) == [["1", "·", "1"], ["3", "1", "·"]]
    assert tab.texts(".matrix th a") == ["a", "d", "x"]
    tab.view("entities")  # the link to the view closes the entity, and so does the other link
    assert tab.page.locator("#entity").count() == 0
    tab.page.click("#entities tbody th button >> nth=0")
    tab.page.click("text=All entities")
    tab.page.wait_for_selector("#entity", state="detached")


def test_a_right_link_in_another_entity_says_in_which(open_page: Open) -> None:
    # {Ann She her} and {Bob he}: the response has all in one entity.
    words = ["Ann", "She", "her", "Bob", "he"]
    text = Text(words)
    entities: list[Any] = [[(0, 1), (1, 2), (2, 3)], [(3, 4), (4, 5)]]
    key = Corpus([Document("x", entities, tokens=5, text=text)])
    tab = open_page(
        key, Corpus([Document("x", [[*entities[0], *entities[1]]], tokens=5, text=text)])
    )
    tab.view("text")
    tab.page.click("#text .line >> text=he >> nth=-1")
    assert tab.text("#mention .status").strip() == "right link"
    assert "Its response entity is matched with Ann" in tab.text("#mention")
    assert len(lines_of(tab, "he")) == 2
    assert "two lines: in another entity in the response" in tab.text(".legend")


def test_leaving_the_text_while_it_is_drawn_is_no_error(example: Tab) -> None:
    example.view("text")
    example.page.evaluate(
        "() => { const some = [...open.built.values()][0]; go('errors'); open = null; paint(some); }"
    )
    example.ready("errors")


def test_a_long_entity_lists_its_first_mentions(open_page: Open) -> None:
    entity = [f"m{n:02}" for n in range(70)]
    tab = open_page([entity, ["a", "b"]], {"mine": [entity]})
    tab.view("entities")
    tab.page.get_by_role("button", name="m00", exact=True).click()
    assert tab.page.locator("#entity .mentions li").count() == 60
    tab.page.get_by_role("button", name="Show more (10 left)").click()
    tab.page.wait_for_selector("#entity .mentions li:nth-child(70)")


def test_entities_are_called_by_their_words(open_page: Open) -> None:
    words = ["She", "saw", "Ann", "feed", "the", "dog", ".", "It", "ate", "."]
    text = Text(
        words, sentences=[0, 7], pos=["PRP", "V", "NNP", "V", "DT", "NN", ".", "PRP", "V", "."]
    )
    key = Corpus([Document("x", [[(0, 1), (2, 3)], [(4, 6), (7, 8)]], tokens=10, text=text)])
    response = Corpus([Document("x", [[(0, 1), (2, 3), (7, 8)], [(4, 6)]], tokens=10, text=text)])
    tab = open_page(key, response)
    tab.view("errors")
    names = [row.split("\t")[1:4] for row in tab.texts("#errors tbody tr")]
    # "It" is conflated with Ann. Both parts of the dog have one mention; that of Ann's entity is
    # its main part, since this is read first, so that "the dog" is divided from it.
    assert sorted(names) == [["It", "the dog", "Ann"], ["the dog", "the dog", "the dog"]]
    tab.view("entities")
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in tab.texts("#entities tbody tr")}
    assert rows["the dog"][3] in ("the dog", "Ann")  # one mention is in each
    assert rows["the dog"][-2:] == ["1", "2"]  # its first and last sentence
    assert rows["Ann"][-2:] == ["1", "1"]


def test_marks_of_the_strip_name_the_mention_and_its_sentence(open_page: Open) -> None:
    words = ["Ann", "left", "."] * 50
    text = Text(words, sentences=list(range(0, 150, 3)))
    key = Corpus([Document("x", [[(0, 1), (60, 61), (147, 148)]], tokens=150, text=text)])
    tab = open_page(key, Corpus([Document("x", [[(0, 1), (60, 61)]], tokens=150, text=text)]))
    tab.view("entities")
    titles = tab.page.locator(".strip .tick title").all_text_contents()
    assert titles == [
        "Ann, sentence 1: right link",
        "Ann, sentence 21: right link",
        "Ann, sentence 50: missing",
    ]
    labels = tab.page.locator(".ruler text").all_text_contents()
    assert labels[0] == "sentence"
    # A label is above the place where its sentence begins.
    places = tab.page.evaluate(
        "() => [...document.querySelectorAll('.ruler text')].slice(1).map((one) => [one.textContent, one.getAttribute('x')])"
    )
    (first, start), (last, end) = places[0], places[-1]
    step = (float(end) - float(start)) / (int(last) - int(first))
    assert [float(x) for _, x in places] == pytest.approx(
        [float(start) + step * (int(name) - int(first)) for name, _ in places]
    )


def test_the_most_costly_errors_come_first_and_a_document_is_named_once(example: Tab) -> None:
    example.view("errors")
    rows = [row.split("\t") for row in example.texts("#errors tbody tr")]
    order = [(float(row[5]), int(row[4])) for row in rows]
    assert order == sorted(order, reverse=True)
    # The cost is that of the error type, as `errors` gives it.
    summary = command("errors", "key.conll", "system-a.conll")["errors"]
    titles = example.page.evaluate("() => data.classes")
    expected = {titles[name]: f"{100 * one['cost']['conll']:.2f}"
                for name, one in summary.items() if one["count"]}  # fmt: skip
    assert {row[0]: row[5] for row in rows} == expected
    named = "() => [...document.querySelectorAll('#errors tbody tr td:last-child span')].map((one) => [one.textContent, one.className])"
    before = None
    for name, hidden in example.page.evaluate(named):
        assert (hidden == "hidden") == (name == before)
        before = name


def test_errors_are_found_by_entities_and_filters_without_errors_can_be_cleared(
    open_page: Open,
) -> None:
    words = ["Ann", "met", "her", "and", "the", '"', "dog", '"']
    text = Text(words, pos=["NNP", "V", "PRP", "CC", "DT", "''", "NN", "''"])
    key = Corpus([Document("x", [[(0, 1), (2, 3)], [(4, 8)]], tokens=8, text=text)])
    response = Corpus([Document("x", [[(0, 1)], [(2, 3)]], tokens=8, text=text)])
    tab = open_page(key, response)
    tab.view("errors")
    words_shown = "#errors tbody td:nth-child(2)"
    assert sorted(tab.texts(words_shown)) == ["her", 'the "dog"']
    tab.keys("/")
    tab.page.keyboard.type("ann", delay=20)  # without Enter; "Ann" is the name of the entity
    tab.page.wait_for_function("() => document.querySelectorAll('#errors tbody tr').length === 1")
    assert tab.texts(words_shown) == ["her"]
    assert tab.page.input_value("#search") == "ann"
    tab.page.fill("#search", "")  # an empty field shows all errors again
    tab.page.locator(".facets input").first.check()
    tab.page.fill("#search", "nothing")
    tab.page.wait_for_selector("text=No error matches.")
    assert tab.page.locator(".facets input:checked").count() == 1
    assert tab.text(".facets .count") == "0"
    tab.page.click("text=Clear the filters")
    tab.page.wait_for_function("() => document.querySelectorAll('#errors tbody tr').length === 2")
    tab.view("entities")
    assert tab.page.input_value("#search") == ""  # each view has its own words


def test_filters_are_a_drawer_on_a_phone(example: Tab) -> None:
    example.view("errors")
    assert example.page.locator(".facets label").first.is_visible()
    assert not example.page.locator(".facets summary").is_visible()
    example.view("overview")
    example.page.set_viewport_size({"width": 390, "height": 844})
    example.page.evaluate("() => { state.drawer = undefined; }")
    example.view("errors")
    assert not example.page.locator(".facets label").first.is_visible()
    example.page.click(".facets summary")
    example.page.locator(".facets input").first.check()
    example.page.evaluate("() => rendered")
    assert example.page.locator(".facets label").first.is_visible()  # it stays open
    assert example.text(".facets summary") == "Filters (1)"


def test_facets_count_and_filter(example: Tab) -> None:
    example.view("errors")
    example.page.select_option("#pick-response", "1")
    example.page.evaluate("() => rendered")
    total = example.page.locator("#errors tbody tr").count()
    assert f"{total} errors" in example.text("#error-count")
    label = example.page.locator("fieldset", has_text="error").first.locator("label").first
    count = int(label.locator(".count").inner_text())
    label.locator("input").check()
    assert example.page.locator("#errors tbody tr").count() == count < total
    # The other facets now count what is left.
    kinds = (
        example.page.locator("fieldset", has_text="kind").last.locator(".count").all_inner_texts()
    )
    assert sum(map(int, kinds)) <= count
    example.page.click("text=Clear filters")
    assert example.page.locator("#errors tbody tr").count() == total


@pytest.mark.parametrize("kind", ["CSV", "JSON"])
def test_filtered_rows_are_saved(example: Tab, kind: str) -> None:
    example.view("errors")
    with example.page.expect_download() as download:
        example.page.click(f"text=Save as {kind}")
    content = Path(download.value.path()).read_text("utf-8")
    rows = example.page.locator("#errors tbody tr").count()
    if kind == "JSON":
        assert len(json.loads(content)) == rows
        assert {"document", "error", "mentions", "kind"} <= json.loads(content)[0].keys()
    else:
        assert len(list(csv.DictReader(io.StringIO(content)))) == rows


@pytest.mark.parametrize(
    ("word", "saved"), [("+1+cmd|calc", "'+1+cmd|calc"), ("@x", "'@x"), ("-1.5", "-1.5")]
)
def test_a_saved_table_holds_no_formula(open_page: Open, word: str, saved: str) -> None:
    """As with -f csv: text that a spreadsheet would compute gets an apostrophe."""
    text = Text(["it", "saw", word])
    key = Corpus([Document("d", [[(0, 1), (2, 3)]], tokens=3, text=text)])
    response = Corpus([Document("d", [[(0, 1)], [(2, 3)]], tokens=3, text=text)])
    tab = open_page(key, {"a": response})
    tab.view("errors")
    with tab.page.expect_download() as download:
        tab.page.click("text=Save as CSV")
    (row,) = csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8")))
    assert row["mentions"] == saved


HARMLESS = [
    "-1e5",
    "+.5",
    "-1_000",
    "-inf",
    "+Infinity",
    "-nan",
    "-1.",
    "\t7",
    "a=b",
    " =1",
    "'=1",
    "",
]
FORMULAS = [
    "=1",
    "-",
    "-1.2.3",
    "+..",
    "-1__0",
    "-0x1",
    "\r=1",
    "\t=1",
    "@1",
    "-e5",
    "-1 2",
    "\t",
    "+1-1",
]


def test_formulas_are_those_of_the_command(example: Tab) -> None:
    values = HARMLESS + FORMULAS
    assert example.page.evaluate("(values) => values.map(safe)", values) == [
        escape_formula(value) for value in values
    ]
    assert [value for value in values if escape_formula(value) != value] == FORMULAS


def test_a_saved_table_has_the_columns_of_all_rows(example: Tab) -> None:
    saved = example.page.evaluate("() => csv([{document: 'a', x: 1}, {document: 'b', y: null}])")
    assert saved == '"document","x","y"\n"a","1",""\n"b","",""\n'


def test_errors_can_be_walked_and_opened_by_keys(example: Tab) -> None:
    example.keys("5", "j")
    assert example.page.evaluate("() => document.activeElement.closest('#errors') !== null")
    example.keys("j", "k", "Enter")
    example.ready("text")
    assert selected(example) is not None


def test_values_of_a_facet_add_up(example: Tab) -> None:
    example.view("errors")
    boxes = example.page.locator("fieldset", has_text="Error").first.locator("label")
    counts = [int(boxes.nth(n).locator(".count").inner_text()) for n in range(2)]
    for n in range(2):
        boxes.nth(n).locator("input").check()
        example.page.evaluate("() => rendered")
    assert example.page.locator("#errors tbody tr").count() == sum(counts)
    boxes.nth(0).locator("input").uncheck()
    example.page.evaluate("() => rendered")
    assert example.page.locator("#errors tbody tr").count() == counts[1]


def test_a_wrong_span_is_an_error_of_the_key_mention(open_page: Open) -> None:
    text = Text(["the", "dog", "it", "."], pos=["DT", "NN", "PRP", "."])
    key = Corpus([Document("x", [[(0, 2), (2, 3)]], tokens=4, text=text)])
    tab = open_page(key, Corpus([Document("x", [[(1, 2), (2, 3)]], tokens=4, text=text)]))
    tab.view("text")
    tab.keys("j")
    assert tab.text("#mention h3") == "the dog"
    assert tab.text("#mention h4") == "1 error"
    assert "dog instead of the dog" in tab.text("#mention ul")


def test_a_mention_that_is_found_elsewhere_says_so(open_page: Open) -> None:
    text = Text(["the", "old", "dog", "saw", "it"])
    key = Corpus([Document("x", [[(0, 3), (4, 5)]], tokens=5, text=text)])
    response = Corpus([Document("x", [[(1, 3), (4, 5)]], tokens=5, text=text)])
    tab = open_page(key, response, match="overlap")
    tab.view("text")
    tab.page.locator("#text .line").first.click()
    assert "Found as\nold dog" in tab.text("#mention dl")


def test_what_many_entities_are_part_of_is_drawn_once(open_page: Open) -> None:
    # One response entity has both key entities and another mention: q is extra, x and y are of the
    # other entity, in one row.
    tab = open_page([["a", "b", "c"], ["x", "y"]], {"mine": [["a", "b", "c", "x", "y", "q"]]})
    tab.view("entities")
    assert tab.page.locator(".strip .tick.extra").count() == 1
    assert tab.page.locator(".strip .tick.other").count() == 2
    assert tab.text("#mixed li") == "Response entity a mixes a 3, x 2"


# ---- the card -----------------------------------------------------------------------------------


def test_the_card_shows_what_the_command_prints(open_page: Open) -> None:
    # Key {a b c}, response {a b x}. On common mentions all links are right; the mentions as they are
    # linked in the key are {a b} {x}: MUC R 1/2, P 1; B3 R 4/9, P 2/3; CEAFe 4/5 of 1 and of 2, so
    # that CoNLL is (2/3 + 8/15 + 8/15) / 3; LEA R 1/3, P 2/3, F1 4/9.
    tab = open_page([["a", "b", "c"]], {"mine": [["a", "b", "x"]]})
    tab.view("card")
    rows = {row.locator("th").inner_text(): row.locator("td").all_inner_texts()
            for row in tab.page.locator("#view table").first.locator("tbody tr").all()}  # fmt: skip
    assert rows["linking"] == ["2", "2", "100.00", "100.00"]
    assert rows["key's links"] == ["3", "3", "57.78", "44.44"]


def test_tables_of_the_card_have_unique_captions_and_a_sentence(example: Tab) -> None:
    example.view("card")
    titles = example.texts("#view caption strong")
    assert len(titles) > 6
    assert len(set(titles)) == len(titles)
    for caption in example.texts("#view caption"):
        assert caption.split("\n")[-1].endswith(".")
    # What the tables of a section tell is said once, else in each table.
    meanings = example.page.evaluate("() => Object.values(MEANINGS)")
    for heading in example.page.locator("#view h3").all():
        shared = heading.evaluate(
            "(one) => one.nextElementSibling.matches('p') && one.nextElementSibling.textContent"
        )
        tables = heading.evaluate("""(one) => {
          const parts = one.nextElementSibling.matches('p') ? one.nextElementSibling.nextElementSibling : one.nextElementSibling;
          return [...parts.querySelectorAll('caption')].map((caption) => caption.textContent);
        }""")
        assert tables
        for caption in tables:
            assert shared in meanings or any(meaning in caption for meaning in meanings), caption
    # The sentence on links is of the lowest F1 of each response in its table.
    table = example.page.locator("table", has_text="Long texts by tokens apart: Pairwise")
    names = table.locator("thead th").all_inner_texts()[2:]
    rows = [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]
    for place, name in enumerate(names, 2):
        rows = [row for row in rows if int(row[1]) >= 20]  # few links tell nothing
        lowest = min(rows, key=lambda row: float(row[place]))
        assert (
            f"{name}: lowest for {lowest[0]} ({lowest[place]})"
            in table.locator("caption").inner_text()
        )


def test_distances_have_a_chart(open_page: Open) -> None:
    # The link over one token is found, that over 30 is not; a precision of 0/0 has no mark.
    mentions: list[Any] = [(0, 1), (1, 2), (20, 21), (50, 51)]
    key = Corpus([Document("x", [mentions[:2], mentions[2:]], tokens=60, text=Text(["w"] * 60))])
    response = Corpus(
        [
            Document(
                "x", [mentions[:2], [mentions[2]], [mentions[3]]], tokens=60, text=Text(["w"] * 60)
            )
        ]
    )
    tab = open_page(key, response)
    tab.view("card")
    figure = tab.page.locator("figure", has_text="Long texts by tokens apart: Pairwise")
    assert "† 0/0" in tab.text("#view")
    marks = figure.locator(".mark").evaluate_all(
        "(all) => all.map((one) => one.getBBox().x + one.getBBox().width / 2)"
    )
    axis = dict(
        figure.evaluate(
            "(one) => [...one.querySelectorAll('text[text-anchor=middle]')].map((text) => [text.textContent, Number(text.getAttribute('x'))])"
        )
    )
    assert marks[:3] == pytest.approx([axis["100"]] * 3, abs=4)
    assert marks[3:] == pytest.approx([axis["0"]] * 2, abs=4)


def test_without_a_card_the_page_says_why(open_page: Open) -> None:
    tab = open_page([["a", "b"]], {"mine": [["a", "b"]]}, metrics="arcs-immediate")
    tab.view("card")
    warning = tab.page.locator("#view .warning").inner_text()
    assert "need matched mentions, which the rows of a card do not have: arcs-immediate" in warning


# ---- twenty tasks by keyboard alone -------------------------------------------------------------

Task = tuple[list[str], str]

#: Keys, and what must be true then.
TASKS: dict[str, Task] = {
    "see the scores": (["1"], "() => state.view === 'overview' && $('scores') !== null"),
    "compare two responses": (["2"], "() => state.view === 'compare'"),
    "see the entities": (["3"], "() => document.querySelector('.strip') !== null"),
    "read the text": (["4"], "() => $('text') !== null"),
    "list the errors": (["5"], "() => $('errors') !== null"),
    "see the card": (["6"], "() => document.querySelectorAll('#view table').length > 3"),
    "learn what the signs mean": (["7"], "() => !$('help').hidden"),
    "go back to the overview": (["7", "1"], "() => $('help').hidden && $('scores') !== null"),
    "see the keys": (["?"], "() => $('keys').open"),
    "close the keys": (["?", "Escape"], "() => !$('keys').open"),
    "reach the first error": (["j"], "() => state.view === 'text' && state.mention !== null"),
    "reach the second error": (["4", "j", "j"], "() => state.mention === inError(open.doc, open.one)[1]"),
    "go back to the first": (["4", "j", "j", "k"], "() => state.mention === inError(open.doc, open.one)[0]"),
    "pin an entity": (["4", "j", "e"], "() => state.pin !== null && document.querySelector('.pinned') !== null"),
    "unpin it": (["4", "j", "e", "e"], "() => state.pin === null"),
    "see the entity's next mention": (["4", "j", "n"], "() => state.mention !== inError(open.doc, open.one)[0]"),
    "open the next document": (["4", "]"], "() => state.doc === 1"),
    "open the document before": (["4", "]", "["], "() => state.doc === 0"),
    "find a word": (["4", "/", "*cat", "Enter"], "() => document.querySelector('.hit') !== null"),
    "choose the other response": (["4", "Tab:#pick-response", "ArrowDown"], "() => state.system === 1"),
    "filter errors by a facet": (["5", "Tab:#facet-error-0", "Space"], "() => Object.keys(state.facets).length === 1"),
    "drop the filters": (["5", "Tab:#facet-error-0", "Space", "Escape", "Escape"], "() => Object.keys(state.facets).length === 0"),
    "sort the documents": (
        ["Tab:#documents-sort-0", "Enter"],
        "() => document.querySelector('#documents-sort-0').closest('th').ariaSort !== null",
    ),
    "open an error from the list": (["5", "j", "Enter"], "() => state.view === 'text' && state.mention !== null"),
    "see an entity in full": (["3", "Tab:#entities tbody button", "Enter"], "() => $('entity') !== null"),
}  # fmt: skip


@pytest.mark.parametrize("name", TASKS)
def test_tasks_by_keyboard_alone(example: Tab, name: str) -> None:
    keys, holds = TASKS[name]
    for key in keys:
        if key.startswith("Tab:"):  # press Tab until the element has the focus
            wanted = key.removeprefix("Tab:")
            for _ in range(60):
                example.page.keyboard.press("Tab")
                if example.page.evaluate("(s) => document.activeElement.matches(s)", wanted):
                    break
            else:
                pytest.fail(f"{wanted} is not reached by Tab")
        elif key.startswith("*"):
            example.page.keyboard.type(key[1:])
        else:
            example.keys(key)
        example.page.evaluate("() => rendered")
    assert example.page.evaluate(holds)


# ---- hostile and unusual content ----------------------------------------------------------------


def test_words_and_names_that_are_html_stay_text(open_page: Open) -> None:
    words = ["<script>alert(1)</script>", "</script>", "&amp;", "\u202eevil", "<img", "src=x>"]
    name = 'a.b"<x>../</title>'
    document = Document(name, [[(0, 1), (3, 4)], [(1, 3), (4, 6)]], tokens=6, text=Text(words))
    other = Document(name, [[(0, 2), (3, 4)]], tokens=6, text=Text(words))
    tab = open_page(Corpus([document]), {"<b>sys</b>": Corpus([other])})
    for view in VIEWS_OF_ONE:
        tab.view(view)
    tab.view("text")
    assert "<script>alert(1)</script>" in tab.text("#text")
    assert tab.page.locator("#view img, #view script, #view b b").count() == 0
    tab.view("entities")
    assert tab.text("#entities caption") == f"Key entities of {name}"


def test_crossing_nested_and_discontinuous_mentions_and_zeros(open_page: Open) -> None:
    words = [f"w{n}" for n in range(8)]
    entities = [
        [(0, 4), ((1, 2), (5, 6)), (3, 6)],  # crossing, and one of two pieces
        [(0, 2), (0, 1), ((4, 4, 1),)],  # nested, and an empty node before token 4
    ]
    key = Corpus([Document("x", entities, tokens=8, text=Text(words))])
    tab = open_page(key, key)
    tab.view("text")
    assert tab.page.locator(".zero").count() == 1
    # One line for each of seven pieces, which key and response share; crossing ones are cut in two.
    lines = tab.page.locator("#text .line").evaluate_all(
        "(all) => all.map((one) => [one.dataset.m, one.textContent.trim()])"
    )
    pieces = {m: [words for n, words in lines if n == m] for m, _ in lines}
    assert sorted(" ".join(found) for found in pieces.values()) == [
        "w0", "w0 w1", "w0 w1 w2 w3", "w1 w5", "w3 ∅ w4 w5", "∅"
    ]  # fmt: skip
    again = tab.page.locator("#text .line.again").all_text_contents()
    assert [text.strip() for text in again] == ["w5"]
    # All words are there, in their order.
    plain = "() => $('text').textContent.replace('∅', '')"
    assert str(tab.page.evaluate(plain)).split() == words


def test_a_response_without_mentions(open_page: Open) -> None:
    key = {"d": [["Ann", "she"]], "e": []}
    tab = open_page(key, {"mine": {"d": [], "e": []}})
    for view in VIEWS_OF_ONE:
        tab.view(view)
    tab.view("entities")
    assert "failed" in tab.text("#entities")


def test_no_words_at_all(open_page: Open) -> None:
    tab = open_page([["Ann", "she"], ["it"]], {"mine": [["Ann", "it"], ["dog"]]})
    tab.view("text")
    assert "The words of this document are not known" in tab.text("#text")
    assert tab.page.locator("#text .line.extra").inner_text().startswith("dog")
    tab.keys("j")
    assert selected(tab) is not None


def test_right_to_left_text(open_page: Open) -> None:
    words = ["ראתה", "דנה", "את", "הכלב"]
    key = Corpus([Document("עברית", [[(1, 2), (2, 4)]], tokens=4, text=Text(words))])
    tab = open_page(key, key)
    tab.view("text")
    assert (
        tab.page.evaluate("() => getComputedStyle(document.querySelector('.sentence')).direction")
        == "rtl"
    )


@pytest.mark.slow
def test_a_million_tokens(open_page: Open) -> None:
    words = ["word"] * 1_000_000
    mentions: list[Any] = [(n, n + 1) for n in range(0, 1_000_000, 100)]
    key = Corpus([Document("long", [mentions], tokens=len(words), text=Text(words, sentences=list(range(0, 1_000_000, 25))))])  # fmt: skip
    tab = open_page(key, key)
    tab.view("text")
    tab.page.wait_for_selector("#text[data-whole]", state="attached", timeout=120_000)
    assert 0 < tab.page.locator("#text p").count() < 400  # of 40,000
    tab.page.evaluate("(m) => select(m)", 9_999)
    assert tab.text(".line.selected") == "word"
    assert (
        tab.page.locator(".line.selected").evaluate("(one) => one.closest('p').dataset.n")
        == "39997"
    )


def test_names_that_no_address_can_hold(open_page: Open) -> None:
    entities = [["a", "b"]]
    names = ["half \ud800", "nul\0", "", "x" * 3000, "it's (50%)#/?"]
    tab = open_page(dict.fromkeys(names, entities), {"mine": dict.fromkeys(names, entities)})
    for number in range(len(names)):
        tab.page.evaluate("(d) => go('text', d, 1)", number)
        assert tab.page.evaluate("() => [state.doc, state.mention]") == [number, 1]
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= 1440


def test_a_mention_around_many_others_is_marked_to_its_end(open_page: Open) -> None:
    words = [f"w{n}" for n in range(20)]
    nested: list[Any] = [(n, 20 - n) for n in range(8)]
    key = Corpus([Document("x", [nested], tokens=20, text=Text(words))])
    tab = open_page(key, key)
    tab.view("text")
    for mention in (0, 5):
        tab.page.evaluate("(m) => select(m)", mention)
        marked = "".join(tab.texts(".line.selected")).split()
        assert marked == words[mention : 20 - mention]


def test_in_a_frame_of_a_notebook_links_stay_in_the_frame(
    chromium: Any, tmp_path: Path, example_page: Path
) -> None:
    from corefmeter.reports.page import Page

    notebook = tmp_path / "notebook.html"
    notebook.write_text(Page(example_page.read_text("utf-8"), [])._repr_html_(), "utf-8")
    tab = chromium.new_page()
    tab.goto(notebook.as_uri())
    frame = tab.frames[1]
    for view in VIEWS:
        frame.click(f'nav a[href="#{view}"]')
        frame.wait_for_selector(f"body[data-ready={view}]")
    frame.click('nav a[href="#errors"]')
    frame.click("#errors tbody a >> nth=0")
    frame.wait_for_selector(".line.selected")
    frame.evaluate("history.back()")
    frame.wait_for_selector("body[data-ready=errors]")
    assert tab.url == notebook.as_uri()
    tab.close()


def test_the_list_of_keys_opens_and_closes(example: Tab) -> None:
    for opened, closed in (("#show-keys", "#keys button"), ("#show-keys", None)):
        example.page.click(opened)
        assert example.page.is_visible("#keys")
        example.page.click(closed) if closed else example.page.keyboard.press("Escape")
        assert example.page.is_hidden("#keys")


def test_on_paper_names_stay_and_controls_go(example: Tab) -> None:
    example.page.emulate_media(media="print", color_scheme="dark")
    assert example.page.locator("#documents-sort-0").is_visible()
    assert example.page.locator(".costs .link").first.is_visible()
    assert not example.page.locator("nav").is_visible()
    white = "() => getComputedStyle(document.body).backgroundColor"
    assert example.page.evaluate(white) == "rgb(255, 255, 255)"


# ---- accessibility ------------------------------------------------------------------------------


#: Rules of axe that hold although they are only moderate.
STRICT = ("empty-table-header", "landmark-unique", "heading-order", "region")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_serious_violation(open_page: Open, example_page: Path, scheme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    tab = open_page(page=example_page, browser={"color_scheme": scheme, "bypass_csp": True})
    found = []
    for view in VIEWS:
        tab.view(view)
        if view == "text":
            tab.keys("j", "e")
        if view == "entities":
            tab.page.click("#entities tbody th button >> nth=0")
            tab.page.wait_for_selector("#entity")
        for violation in axe.Axe().run(tab.page).response["violations"]:
            if violation["impact"] in ("serious", "critical") or violation["id"] in STRICT:
                nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                found.append((view, violation["id"], nodes))
    assert not found


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_nothing_is_wider_than_the_window(open_page: Open, tmp_path: Path, width: int) -> None:
    folder = tmp_path / ("a-folder-with-a-name-that-is-as-long-as-names-of-runs-are" * 3)
    folder.mkdir()
    for name in ("key.conll", "system-a.conll"):
        (folder / name).write_bytes((EXAMPLES / name).read_bytes())
    systems = dict.fromkeys(("mine", "that-of-somebody-else" * 3), folder / "system-a.conll")
    with pytest.warns(corefmeter.CorefmeterWarning):  # three documents are too few to compare
        example = open_page(folder / "key.conll", systems)
    example.page.set_viewport_size({"width": width, "height": 844})
    for view in VIEWS:
        example.view(view)
        assert example.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_charts_follow_the_width_of_the_window(example: Tab) -> None:
    chart = "document.querySelector('figure > svg').width.baseVal.value"
    wide = example.page.evaluate(f"() => {chart}")
    example.page.set_viewport_size({"width": 390, "height": 844})
    # They fit at once, and are drawn again a moment later.
    assert example.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    example.page.wait_for_function(f"(wide) => {chart} < wide && {chart} <= 390", arg=wide)


def test_what_is_cut_on_a_phone_has_a_shadow_and_takes_the_focus(example: Tab) -> None:
    example.page.set_viewport_size({"width": 390, "height": 844})
    example.page.reload()
    example.ready("overview")
    region = example.page.locator(".scroll", has=example.page.locator(".costs"))
    assert region.evaluate("(one) => one.scrollWidth > one.clientWidth")
    box = region.bounding_box()

    def edge() -> bytes:
        """The last points of the region, below the last row."""
        clip = {
            "x": box["x"] + box["width"] - 8,
            "y": box["y"] + box["height"] - 9,
            "width": 8,
            "height": 8,
        }
        return bytes(example.page.screenshot(clip=clip, full_page=True))

    cut = edge()
    region.focus()
    example.page.keyboard.press("End")
    for _ in range(12):
        example.page.keyboard.press("ArrowRight")
    example.page.wait_for_function(
        "(one) => one.scrollLeft + one.clientWidth >= one.scrollWidth - 1",
        arg=region.element_handle(),
    )
    assert edge() != cut
    # The names of rows stay where they are.
    start = "() => document.querySelector('.costs tbody th').getBoundingClientRect().x"
    assert example.page.evaluate(start) == box["x"]


def test_fonts_and_pictures_are_not_asked_for(example: Tab) -> None:
    assert example.requests == [example.path.as_uri()]


def test_the_python_call_takes_what_score_takes(tmp_path: Path) -> None:
    with pytest.raises(corefmeter.OptionError):
        corefmeter.report([["a"]], {"mine": [["a"]]}, match="nearly")
