"""What a notebook shows: tables with escaped names, the numbers of the program, the page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import corefmeter

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = [["a", "b"], ["c", "d"]]


def cells(html: str) -> list[list[str]]:
    """The text of the cells of all rows."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    found = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in row] for row in found]


def test_a_result_is_a_table() -> None:
    # One of two links is found, and no other: R 1/2, P 1/1, F1 2/3.
    html = corefmeter.score(KEY, [["a", "b"]], metrics=["muc"])._repr_html_()
    assert cells(html) == [["", "R", "P", "F1"], ["MUC", "50.00", "100.00", "66.67"]]
    assert "corefmeter:" in html


def test_a_comparison_is_a_table_with_names_escaped() -> None:
    key = {f"d{n}": KEY for n in range(6)}
    worse = {name: [["a", "b"], ["c"], ["d"]] for name in key}
    comparison = corefmeter.compare(key, {"<b>A</b>": key, "B": worse}, metrics="muc")
    html = comparison._repr_html_()
    assert "<b>A</b>" in {cell for row in cells(html) for cell in row}
    assert "&lt;b&gt;A&lt;/b&gt;" in html


def test_an_analysis_is_its_tables() -> None:
    html = corefmeter.analyse(KEY, [["a", "b"]])._repr_html_()
    shown = {row[0]: row[1] for row in cells(html) if len(row) > 1}
    assert shown["missing entity"] == "1"
    assert "Missing entities cost most" in html


def test_the_page_is_a_frame_that_escapes_itself() -> None:
    html = corefmeter.report(KEY, {"mine": KEY})._repr_html_()
    assert html.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert html.count("<") == 2  # the frame and its end


@pytest.mark.slow
def test_a_notebook_that_runs_shows_tables(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    key, response = (str(EXAMPLES / name) for name in ("key.conll", "system-a.conll"))
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell("import corefmeter"),
            nbformat.v4.new_code_cell(f"corefmeter.score({key!r}, {response!r})"),
            nbformat.v4.new_code_cell(f"corefmeter.report({key!r}, {response!r})"),
        ]
    )
    client.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    result = notebook.cells[1].outputs[0].data["text/html"]
    expected = corefmeter.score(key, response)
    assert ["B³", *(f"{100 * value:.2f}" for value in expected.b3[:3])] in cells(result)
    assert "<iframe" in notebook.cells[2].outputs[0].data["text/html"]
    body, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert "B³" in body
