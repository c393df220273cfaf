"""How problems are told: fields that are put together in one place."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

import corefmeter
from corefmeter.problems import Problem


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "warning: it is so [bad-cell]"),
        ({"document": "x"}, "warning: it is so (document 'x') [bad-cell]"),
        ({"count": 3}, "warning: it is so (3 times) [bad-cell]"),
        ({"document": "it's", "count": 2},
         "warning: it is so (document \"it's\", 2 times) [bad-cell]"),
        ({"path": "a.b", "line": 2, "column": 5, "document": "x", "hint": "Fix it."},
         "a.b:2:5: warning: it is so (document 'x') [bad-cell]\n  Fix it."),
    ],
)  # fmt: skip
def test_a_problem_is_put_together_from_its_fields(fields, shown):
    problem = Problem("bad-cell", "it is so", **fields)
    assert str(problem) == shown
    assert problem.to_dict()["document"] == fields.get("document")
    assert Problem.from_dict(problem.to_dict()) == problem


def test_a_problem_that_was_saved_without_its_document_is_read():
    assert Problem.from_dict({"code": "bad-cell", "message": "it is so"}).document is None


def test_no_code_takes_a_message_apart_or_changes_it():
    """What varies is a field; see `corefmeter.problems`."""
    changes = re.compile(r"_replace\([^)]*\bmessage=|\.message\.\w|\w*sub\([^)]*\.message\b")
    source = Path(corefmeter.__file__).parent
    found = [
        f"{path.name}: {match[0]}"
        for path in source.rglob("*.py")
        for match in changes.finditer(path.read_text("utf-8"))
    ]
    assert found == []


def test_a_message_is_short_whatever_is_quoted_in_it():
    """Quotes within what is quoted end a quotation, so that the whole has a limit, too."""
    quoted = "it's a 'word' of \"some\" " * 100
    shown = str(Problem("bad-cell", f"cannot read {quoted!r}", "error", path="x.conll", line=1))
    assert len(shown) < 1000
    assert shown.startswith("x.conll:1: error: cannot read ")
    assert shown.endswith(" [bad-cell]")


@pytest.mark.parametrize("sign", [" ", "x", "'", '"', "\\", "a b"])
def test_a_message_with_a_long_quotation_takes_no_memory(sign):
    """What is before and behind the quotation is shown."""
    size = 1 << 20
    problem = Problem("bad-cell", f"the cell {sign * size!r} is wrong", "error", path="x.conll")
    tracemalloc.start()
    try:
        shown = str(problem)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(shown) < 1000
    assert shown.startswith("x.conll: error: the cell ")
    assert peak < 16 * size
