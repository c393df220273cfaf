"""The page in a browser: views, keys, filters, numbers, accessibility; no request, no error.

That nothing is requested and no error appears is checked after each test; see `open_page`.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefmeter
from corefmeter import Corpus, Document
from corefmeter.corpus.text import Text

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
SHARED = Path(__file__).parents[3] / "shared" / "data"
VIEWS = ["overview", "compare", "entities", "text", "errors", "card", "help"]
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
        "What the score hides",
        "How to read this",
    ]
    names = ["Overview", "Compare", "Entities", "Text", "Errors", "Card", "How to read this"]
    for number, (view, title) in enumerate(zip(VIEWS, titles, strict=True), 1):
        example.view(view)
        assert title in example.texts("h2")
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
    assert example.page.locator(".tag.selected").count() > 0
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
    cells = example.texts("table.costs >> nth=1 >> tbody tr td:nth-child(3)")
    costs = [float(cell) for cell in cells]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0


# ---- compare ------------------------------------------------------------------------------------


def test_a_click_on_agreement_filters_all_views(example: Tab) -> None:
    # Of entities of the key, some are found by the first response only.
    cell = '[data-agreement="0/1/entities/only_a"]'
    example.view("compare")
    number = int(example.text(cell))
    assert number > 0
    example.page.click(cell)
    example.ready("errors")
    assert "only the first is right" in example.text(".chip")
    shown = 0
    for document in range(example.page.evaluate("() => data.documents.length")):
        example.view("entities")
        example.page.select_option("#pick-document", str(document))
        example.page.evaluate("() => rendered")
        shown += example.page.locator("#entities tbody tr").count()
    assert shown == number
    example.keys("Escape")
    assert example.page.locator(".chip").count() == 0


def test_one_response_says_what_compare_needs(open_page: Open) -> None:
    tab = open_page([["a", "b"]], {"mine": [["a", "b"]]})
    tab.view("compare")
    assert "Give two or more" in tab.text("#view")


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
    assert example.page.locator(".tag.selected").first.is_visible()
    assert "error" in example.text("#mention h4")


def test_after_the_last_error_comes_the_next_document(example: Tab) -> None:
    example.keys("4")
    for _ in range(len(errors_of(example)) + 1):
        example.keys("j")
    example.page.evaluate("() => rendered")
    assert example.page.evaluate("() => state.doc") > 0


def test_n_and_p_go_through_an_entity_and_e_pins_it(example: Tab) -> None:
    example.keys("4", "j", "e")
    assert example.page.get_attribute("[aria-pressed]", "aria-pressed") == "true"
    pinned = list(example.page.evaluate("() => pinnedMentions(open.doc, open.one)"))
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
    example.page.locator("#text .tag.missing").first.click()
    assert "missing" in example.text("#mention dl")
    assert "Expected" in example.text("#mention dl")


def test_the_same_as_visible_buttons(example: Tab) -> None:
    example.view("text")
    example.page.click("text=error › j")
    first = selected(example)
    assert first == errors_of(example)[0]
    example.page.click("text=pin e")
    example.page.click("text=mention › n")
    assert selected(example) != first
    example.page.click("text=document › ]")
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
    inside = "() => document.getSelection().anchorNode.parentElement.closest('p').dataset.n"
    assert tab.page.evaluate(inside) == "1500"


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
    assert "missing" in example.text("#mention dl")


def test_an_entity_has_its_overlap_as_a_matrix(open_page: Open) -> None:
    # The response has three of the first entity with one of the second, and one alone.
    key = [["a", "b", "c", "d"], ["x", "y"]]
    tab = open_page(key, {"mine": [["a", "b", "c", "x"], ["d", "q"]]})
    tab.view("entities")
    tab.page.click("#entities tbody th button >> nth=0")
    rows = tab.texts(".matrix tbody tr")
    assert sorted(row.split("\t")[1:] for row in rows) == [["1", "·"], ["3", "1"]]


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
    tab.page.locator("#text .tag.k").first.click()
    assert "Found as\nold dog" in tab.text("#mention dl")


def test_what_many_entities_are_part_of_is_drawn_once(open_page: Open) -> None:
    # One response entity has both key entities and another mention: extra are x, y and q, in one row.
    tab = open_page([["a", "b", "c"], ["x", "y"]], {"mine": [["a", "b", "c", "x", "y", "q"]]})
    tab.view("entities")
    assert tab.page.locator(".strip .tick.extra").count() == 3


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


def test_without_a_card_the_page_says_why(open_page: Open) -> None:
    tab = open_page([["a", "b"]], {"mine": [["a", "b"]]}, metrics="arcs-immediate")
    tab.view("card")
    assert (
        "arcs-immediate: needs matched mentions" in tab.page.locator("#view .warning").inner_text()
    )


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
    "sort the documents": (["Tab:#documents-sort-0", "Enter"], "() => state.sort.documents.column === 0"),
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
    for view in VIEWS:
        tab.view(view)
    tab.view("text")
    assert "<script>alert(1)</script>" in tab.text("#text")
    assert tab.page.locator("#view img, #view script, #view b b").count() == 0
    assert tab.page.locator("#pick-document option").inner_text() == name


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
    assert "∅" in tab.text("#text")
    # Seven pieces of mentions, in the key and in the response.
    assert tab.page.locator("#text .tag").count() == 2 * 7
    assert tab.page.locator("#text .tag", has_text="…").count() == 2
    # All words are there, in their order.
    plain = "() => { const c = $('text').cloneNode(true); c.querySelectorAll('.tags, .zero').forEach((e) => e.remove()); return c.textContent; }"
    assert str(tab.page.evaluate(plain)).split() == words


def test_a_response_without_mentions(open_page: Open) -> None:
    key = {"d": [["Ann", "she"]], "e": []}
    tab = open_page(key, {"mine": {"d": [], "e": []}})
    for view in VIEWS:
        tab.view(view)
    tab.view("entities")
    assert "failed" in tab.text("#entities")


def test_no_words_at_all(open_page: Open) -> None:
    tab = open_page([["Ann", "she"], ["it"]], {"mine": [["Ann", "it"], ["dog"]]})
    tab.view("text")
    assert "The words of this document are not known" in tab.text("#text")
    assert tab.page.locator("#text .tag.extra").inner_text().startswith("dog")
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
    assert tab.page.locator("#text p").count() == 40_000


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
        marked = "".join(tab.texts(".run.selected")).split()
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
    frame.wait_for_selector(".tag.selected")
    assert tab.url == notebook.as_uri()
    tab.close()


def test_on_paper_names_stay_and_controls_go(example: Tab) -> None:
    example.page.emulate_media(media="print", color_scheme="dark")
    assert example.page.locator("#documents-sort-0").is_visible()
    assert example.page.locator(".costs .link").first.is_visible()
    assert not example.page.locator("nav").is_visible()
    white = "() => getComputedStyle(document.body).backgroundColor"
    assert example.page.evaluate(white) == "rgb(255, 255, 255)"


# ---- accessibility ------------------------------------------------------------------------------


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
            if violation["impact"] in ("serious", "critical"):
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


def test_fonts_and_pictures_are_not_asked_for(example: Tab) -> None:
    assert example.requests == [example.path.as_uri()]


def test_the_python_call_takes_what_score_takes(tmp_path: Path) -> None:
    with pytest.raises(corefmeter.OptionError):
        corefmeter.report([["a"]], {"mine": [["a"]]}, match="nearly")
