"""``corefmeter list``: all that is registered, with what is declared beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields

import pytest

from corefmeter.formats import FORMATS
from corefmeter.metrics import ALIGNED, AVERAGES, METRICS, find
from corefmeter.presets import PRESETS
from corefmeter.recipe import Recipe
from corefmeter.statistics.plan import Plan

from ..command import printed


def run(*arguments: str, **environment: str) -> str:
    """What a command prints; with an environment, in a process of its own."""
    if not environment:
        return printed(*arguments)
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", *arguments], capture_output=True, check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"} | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def listed(kind: str, **environment: str) -> dict[str, dict]:
    return {entry["name"]: entry for entry in json.loads(run("list", kind, "-f", "json",
                                                             **environment))[kind]}  # fmt: skip


@pytest.mark.parametrize("name", [*METRICS, *ALIGNED, *AVERAGES])
def test_a_metric_says_in_a_line_what_it_is_and_where_it_is_from(name):
    kind = find(name)
    assert kind.about.endswith((".", "?"))
    assert len(kind.about) <= 80
    assert kind.papers


def test_metrics_are_those_of_the_registry():
    found = listed("metrics")
    assert set(found) >= {*METRICS, *ALIGNED, *AVERAGES}
    assert found["b3"]["aliases"][0] == "bcub"
    assert found["b3"]["papers"] == ["Bagga & Baldwin 1998"]
    assert found["blanc"]["papers"] == ["Recasens & Hovy 2011", "Luo et al. 2014"]
    assert found["lea"]["options"] == ["lea_importance"]
    assert found["arcs-anchor"]["papers"] == ["Tuggener 2014"]


def test_presets_are_those_of_the_registry():
    found = listed("presets")
    assert list(found) == list(PRESETS)
    assert found["corefud2025"]["options"]["match"] == "head"
    text = run("list", "presets")
    assert "zeros dependency, singletons drop" in " ".join(text.split())
    assert "zeros position" not in " ".join(text.split()), "what is usual is not said"


@pytest.mark.wings
def test_formats_are_those_of_the_registry():
    found = listed("formats")
    assert set(found) >= set(FORMATS)
    assert (found["conll"]["about"], found["conll"]["written"]) == ("CoNLL-2012", True)
    assert found["brat"]["written"] is False
    assert "brat standoff, .ann (read only)" in run("list", "formats")


def test_policies_are_the_fields_of_the_recipe_and_of_the_plan_of_a_comparison():
    found = listed("policies")
    names = [one.name for one in (*fields(Recipe), *fields(Plan))]
    assert [*found] == [name for name in names if name not in ("metrics", "others", "by")]
    assert found["singletons"]["values"] == ["keep", "drop", "drop-key", "drop-response"]
    assert found["singletons"]["default"] == "keep"
    assert found["overlap_threshold"]["default"] == "0.5"
    assert found["mela_weights"]["default"] == "muc=1+b3=1+ceafe=1"
    assert (found["shared_ids"]["default"], found["shared_ids"]["values"]) == ("no", ["yes", "no"])
    assert (found["alpha"]["default"], found["alpha"]["group"]) == ("0.05", "How it is tested")
    assert (found["part"]["default"], found["part"]["values"]) == ("none", ["PART"])


@pytest.mark.parametrize("kind", ["metrics", "presets", "formats", "policies"])
def test_the_text_fits_80_columns_and_names_all(kind):
    lines = run("list", kind).splitlines()
    assert max(map(len, lines)) <= 80
    entries = [line[2:] for line in lines if line[0] == " "]
    assert [line.split()[0] for line in entries if line[0] != " "] == list(listed(kind))


def test_all_is_listed_below_headings_with_defaults_marked():
    lines = run("list").splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line.endswith(":") and line[0] != " "] == [
        "Metrics:", "Presets:", "Formats:",
        "Matching:", "Policies:", "Options of single metrics:", "How it is tested:",
    ]  # fmt: skip
    found = json.loads(run("list", "-f", "json"))
    assert [*found] == ["metrics", "presets", "formats", "policies"]
    names = [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].strip()]
    assert names[:-1] == [one["name"] for entries in found.values() for one in entries]
    assert 'More of each: "corefmeter list metrics"' in " ".join(lines)


def test_the_default_metrics_and_values_are_marked():
    """Without -m, corefmeter score prints the metrics of the CoNLL-2012 task, BLANC and LEA."""
    usual = [name for name, entry in listed("metrics").items() if entry["default"]]
    assert usual == ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
    text = " ".join(run("list", "metrics").split())
    assert text.count("(default)") == len(usual)
    assert "found? Ignores entities. (default)" in text
    assert "keep (default), drop, drop-key" in run("list", "policies")
    assert "  Edge cases of BLANC: official (default), luo2014" in run("list")


def test_metrics_and_formats_of_other_packages_are_listed(tmp_path):
    (tmp_path / "another.py").write_text(
        "from corefmeter.metrics.muc import Muc\n"
        "class Mine(Muc):\n"
        "    name, title, about = 'mine', 'Mine', 'A metric of mine.'\n"
        "    papers = ('@misc{me-2030, title = {Mine}}', 'luo-2005')\n"
        "from corefmeter.formats.base import Format\n"
        "own = Format('my-format', 'My format', None, None, endings=('.mine',))\n"
    )
    information = tmp_path / "another-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[corefmeter.metrics]\nmine = another:Mine\nbroken = another:Missing\n"
        "[corefmeter.formats]\nmy-format = another:own\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    found = listed("metrics", PYTHONPATH=path)
    assert found["mine"]["about"] == "A metric of mine."
    assert found["mine"]["papers"] == ["me-2030", "Luo 2005"]
    assert "cannot be imported" in found["broken"]["about"]
    assert "mine " in run("list", "metrics", PYTHONPATH=path)
    assert listed("formats", PYTHONPATH=path)["my-format"] == {
        "name": "my-format", "about": "My format", "endings": [".mine"], "written": False,
    }  # fmt: skip
    cited = run("cite", "mine", PYTHONPATH=path)
    assert cited.startswith("@misc{me-2030, title = {Mine}}\n\n@inproceedings{luo-2005,\n")
