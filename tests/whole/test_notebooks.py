"""The notebooks of the tutorials are their pages, and hold what the program prints today."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of Jupyter
@pytest.mark.parametrize("page", sorted((DOCS / "tutorials").glob("*.md")), ids=lambda p: p.stem)
def test_a_notebook_is_its_page_executed_today(page, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    import nbformat
    import notebooks

    made = notebooks.executed(notebooks.notebook(page))
    stored = nbformat.read(page.with_suffix(".ipynb"), as_version=4)
    assert made.cells == stored.cells, "run python docs/notebooks.py"
