"""The Python examples of docs/arcs.md and docs/entities.md run, and print what they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corefmeter import Document
from corefmeter.corpus.text import Text

DOCS = Path(__file__).parents[2] / "docs"

#: What each page prints for the documents below.
PRINTED = {
    "arcs.md": [
        "arcs-immediate pronoun (1, 0, 1, 0) 0.5 1.0",
        "arcs-inferred pronoun (1, 0, 1, 0) 0.5 1.0",
        "arcs-anchor name (3, 0, 0, 0) 1.0 1.0",
        "arcs-anchor nominal (0, 0, 1, 0) 0.0 0.0",
    ],
    "entities.md": ["{'1': 1, '2a': 0, '2b': 0, '3': 0, '4': 1}", "1 4 0.0", "0 1 1.0"],
}


@pytest.mark.parametrize("page", PRINTED)
def test_example(page, capsys):
    """Ann fed her dog . It left : "Ann" and "her" are found, "her dog" and "It" are lost."""
    text = Text(
        ["Ann", "fed", "her", "dog", ".", "It", "left"],
        pos=["NNP", "VBD", "PRP$", "NN", ".", "PRP", "VBD"],
    )
    key = Document("x", [[(0, 1), (2, 3)], [(2, 4), (5, 6)]], text=text)
    response = Document("x", [[(0, 1), (2, 3)]], text=text)
    (example,) = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    exec(example, {"key": key, "response": response})
    assert capsys.readouterr().out.splitlines() == PRINTED[page]
