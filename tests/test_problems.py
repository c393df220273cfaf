"""How problems are told: fields that are put together in one place."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
import tracemalloc
from pathlib import Path

import pytest

import corefmeter
from corefmeter import problems
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


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes this package one that is installed, from where pip wrote that it comes from."""
    monkeypatch.setattr(
        problems, "__file__", str(tmp_path / "python" / "site" / "corefmeter" / "x")
    )
    monkeypatch.chdir(tmp_path)

    def from_origin(origin):
        folder = tmp_path / "python" / "site" / "corefmeter-1.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: corefmeter\nVersion: 1\n")
        if origin is not None:
            (folder / "direct_url.json").write_text(json.dumps(origin))
        monkeypatch.setattr(sys, "path", [str(folder.parent)])

    return from_origin


def test_an_extra_is_installed_from_the_checkout(tmp_path, monkeypatch):
    checkout = Path(__file__).parents[1]
    monkeypatch.chdir(checkout)
    assert problems.with_extra("tables") == "'.[tables]'"
    monkeypatch.chdir(tmp_path)
    assert shlex.split(problems.with_extra("plot")) == [f"{checkout}[plot]"]


@pytest.mark.parametrize("name", ["checkout", "my checkout"])
def test_an_extra_is_installed_from_the_folder_that_pip_installed(installed, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "pyproject.toml").touch()
    installed({"url": (tmp_path / name).as_uri(), "dir_info": {}})
    assert shlex.split(problems.with_extra("plot")) == [f"{tmp_path / name}[plot]"]


@pytest.mark.parametrize(
    "origin",
    [None, {"url": "file:///not/there", "dir_info": {}}, {"url": "https://x.org/a.whl"}],
)
def test_an_extra_is_installed_by_name_where_no_folder_is_known(installed, origin):
    installed(origin)
    assert problems.with_extra("plot") == "'corefmeter[plot]'"


def test_each_extra_that_a_message_names_is_declared():
    source = Path(problems.__file__).parent
    named = [
        extra
        for path in source.rglob("*.py")
        for extra in re.findall(r'\brequire\("\w+", "[^"]+", "([^"]+)"\)', path.read_text("utf-8"))
    ]
    project = tomllib.loads((source.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(named) <= set(project["optional-dependencies"])
    readme = (source.parents[1] / "README.md").read_text("utf-8")
    extras = set(project["optional-dependencies"]) - {"test", "docs", "dev"}
    assert [name for name in extras if not re.search(rf"[`\[]{name}[`\]]", readme)] == []
