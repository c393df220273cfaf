"""``corefmeter stats`` counts what files consist of, side by side."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ..command import run

ONE = "#begin document (x); part 000\na\t(1\nb\t1)\nc\t-\n\nd\t(1)|(2)\n#end document\n"
TWO = "#begin document (x); part 000\na\t(1)\nb\t-\nc\t-\n\nd\t-\n#end document\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.conll").write_text(ONE, "utf-8")
    (tmp_path / "two.conll").write_text(TWO, "utf-8")
    return tmp_path


def rows(text: str) -> dict[str, list[str]]:
    """The numbers of each row that has some, by its title."""
    found = {}
    for line in text.splitlines():
        title, _, cells = line.strip().partition("  ")
        found.setdefault(title.strip(), cells.split())
    return found


def test_files_stand_side_by_side(folder):
    result = run("stats", "one.conll", "two.conll", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    table = rows(result.stdout)
    assert table["documents"] == ["1", "1"]
    assert table["tokens"] == ["4", "4"]
    assert table["sentences"] == ["2", "2"]
    assert table["mentions"] == ["3", "1"]
    assert table["entities"] == ["2", "1"]
    assert table["singletons"] == ["1", "1"]
    assert table["share of singletons"] == ["50.0%", "100.0%"]
    # Three mentions in two entities; 2, 1 and 1 tokens.
    assert table["mentions per entity, mean"] == ["1.50", "1.00"]
    assert table["tokens per mention, mean"] == ["1.33", "1.00"]
    # From token 0 to token 3, over one border of sentences.
    assert table["tokens to antecedent, mean"] == ["3.00", "–"]
    assert table["sentences to antecedent, mean"] == ["1.00", "–"]


def test_json_has_all_counts(folder):
    result = run("stats", "one.conll", "-f", "json", folder=folder)
    (file,) = json.loads(result.stdout)["files"]
    assert (file["path"], file["format"], file["tokens"]) == ("one.conll", "conll", 4)
    assert file["sizes"] == {"1": 1, "2": 1}
    assert file["lengths"] == {"1": 2, "2": 1}
    assert file["token_distances"] == {"3": 1}


def test_json_has_the_warnings_that_quiet_hides(folder):
    (folder / "open.conll").write_text(ONE.replace("#end document\n", ""), "utf-8")
    result = run("stats", "one.conll", "open.conll", "-f", "json", "--quiet", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    files = json.loads(result.stdout)["files"]
    assert [[p["code"] for p in file["problems"]] for file in files] == [[], ["missing-end"]]


def test_csv_has_a_row_for_each_number(folder):
    result = run("stats", "one.conll", "two.conll", "-f", "csv", folder=folder)
    table = list(csv.DictReader(io.StringIO(result.stdout)))
    counts = {(row["file"], row["statistic"], row["value"]): row["count"] for row in table}
    assert counts["one.conll", "mentions", ""] == "3"
    assert counts["two.conll", "sizes", "1"] == "1"


@pytest.mark.parametrize(("format", "sign"), [("markdown", "| mentions | 3 |"),
                                              ("latex", r"mentions & 3 \\")])  # fmt: skip
def test_other_layouts(folder, format, sign):
    result = run("stats", "one.conll", "-f", format, "-o", "out", folder=folder)
    assert (result.returncode, result.stdout) == (0, "")
    assert sign in (folder / "out").read_text("utf-8")


def test_a_broken_file_is_an_error_with_its_place(folder):
    (folder / "bad.conll").write_text(ONE.replace("1)", "x)", 1), "utf-8")
    result = run("stats", "one.conll", "bad.conll", folder=folder)
    assert (result.returncode, result.stdout) == (3, "")
    assert "bad.conll:3" in result.stderr


def test_relations_are_counted_where_there_are_some(folder):
    lines = [
        "# newdoc id = x",
        "# global.Entity = eid-etype-head-other",
        "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)(e2--1-)",
        "2\tthey\t_\t_\t_\t_\t_\t_\t_\tBridge=e1<e3:part,e2<e3|Entity=(e3--1-)|SplitAnte=e1<e3",
        "",
    ]
    (folder / "x.conllu").write_text("\n".join(lines) + "\n", "utf-8")
    result = run("stats", "x.conllu", "one.conll", folder=folder)
    table = rows(result.stdout)
    assert table["split antecedents"] == ["1", "0"]
    assert table["bridging references"] == ["2", "0"]
    assert "non-referring expressions" not in table
    assert "discourse deixis" not in result.stdout
    assert "Bridging references by relation" in result.stdout
    assert table["part"] == ["1", "(50.0%)", "0", "(–)"]
    result = run("stats", "x.conllu", "-f", "json", folder=folder)
    (file,) = json.loads(result.stdout)["files"]
    assert (file["bridging"], file["split_antecedents"]) == ({"part": 1, "unknown": 1}, 1)
    assert "split antecedents" not in run("stats", "one.conll", folder=folder).stdout
