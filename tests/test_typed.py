"""The types of options and results: what they say is so, and checkers find what is misspelt."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import corefmeter
from corefmeter import typed
from corefmeter.formats.inline import STYLES
from corefmeter.metrics import is_average, make, metric_class, names, names_of_all
from corefmeter.metrics.base import Scores
from corefmeter.recipe import Recipe
from corefmeter.statistics import plan
from corefmeter.units import DUPLICATES

SOURCE = Path(__file__).parents[1] / "src"

RIGHT = """
import corefmeter
from corefmeter import Recipe, Result, Scorer

key = [[(0, 1), (4, 5)]]
result = corefmeter.score(key, key, singletons="drop", metrics=["muc", "lea"], strict=True)
recall: float = result.muc.recall + result.lea.f1 + result["muc"].recall
mean: float = result.conll
links: float = result.blanc.coreference.f1
recipe = Recipe(metrics="lea", mela_weights={"muc": 1.0}, others={"factor": 2})
recipe = recipe.replace(match="head", overlap_threshold=0.5).asked(zeros="dependency")
again: Result = corefmeter.score(key, key, recipe, lea_importance=len, average="macro")
two = corefmeter.compare(key, {"a": key, "b": result}, trials=10, by="part", test="exact")
genres = corefmeter.compare(key, [key], recipe, by={"d": "news"}, documents="strict")
analysis = corefmeter.analyse(key, key, by=["entity_type"], repeated="merge")
scorer = Scorer(recipe, as_one_document=False)
scorer.update(key, key, duplicates="keep")
corpus = corefmeter.read("x.conll", documents="concatenate", side="response")
total: Result = sum([result, again], start=result).add(again, duplicates="first")
preset = Recipe.preset("corefud2024", singletons="keep")
"""

#: Each line but the first three is an error.
WRONG = """
import corefmeter
from corefmeter import Recipe, Scorer, score
key, result = [["a", "b"]], score([["a", "b"]], [["a", "b"]])
score(key, key, singletons="dorp")
score(key, key, singeltons="drop")
score(key, key, as_one_document="yes")
score(key, key, metrics=1)
result.typo
result.muc.recal
result.conll.recall
corefmeter.scroe
result.add(result, duplicates="both")
Recipe(match="heads")
Recipe().singeltons
Recipe().replace(averge="macro")
Recipe().asked(average="mean")
Recipe.preset("litbank", repeated="never")
Scorer(undefined="nan")
Scorer().update(key, key, duplicates="last")
corefmeter.compare(key, [key], test="exacts")
corefmeter.compare(key, [key], trails=10)
corefmeter.compare(key, [key], zeros="place")
corefmeter.analyse(key, key, documents="all")
corefmeter.read("x", side="keys")
corefmeter.read_inline("x", "y", style="bracket")
"""
ALL_WRONG = set(range(5, WRONG.count("\n") + 1))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two modules of a user, `right` and `wrong`, where the checkers find no settings of ours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPYPATH", str(SOURCE))
    monkeypatch.setenv("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")
    for name, text in (("right", RIGHT), ("wrong", WRONG)):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_mypy_finds_what_is_wrong_and_nothing_else(files):
    from mypy import api

    told, errors, _ = api.run(["--strict", "--config-file=", "right.py", "wrong.py"])
    found = re.findall(r"^(\w+)\.py:(\d+): error", told, re.MULTILINE)
    assert not errors
    assert {int(line) for name, line in found if name == "wrong"} == ALL_WRONG, told
    assert not [line for name, line in found if name != "wrong"], told


@pytest.mark.slow
def test_pyright_finds_what_is_wrong_and_nothing_else(files):
    pytest.importorskip("pyright", reason="pyright is not installed")
    (files / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [str(SOURCE)], "typeCheckingMode": "strict",
                    "reportUnusedExpression": False, "reportUnusedImport": False}), "utf-8"
    )  # fmt: skip
    run = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not run.stdout.startswith("{"):
        pytest.skip(f"pyright cannot run, perhaps for want of node: {run.stderr[-200:]}")
    found = [
        (Path(one["file"]).stem, one["range"]["start"]["line"] + 1)
        for one in json.loads(run.stdout)["generalDiagnostics"] if one["severity"] == "error"
    ]  # fmt: skip
    assert {line for name, line in found if name == "wrong"} == ALL_WRONG, run.stdout
    assert not [line for name, line in found if name != "wrong"], run.stdout


def choices_of(hint):
    return get_args(hint) if get_origin(hint) is Literal else ()


def test_the_options_of_the_recipe_are_typed_with_all_their_values():
    hints = get_type_hints(typed.RecipeOptions)
    kept = get_type_hints(Recipe, localns={"typed": typed})
    assert list(hints) == [option.name for option in fields(Recipe)]
    for option in fields(Recipe):
        assert choices_of(hints[option.name]) == option.metadata["choices"], option.name
        assert (hints[option.name] is bool) == isinstance(option.default, bool), option.name
        assert choices_of(kept[option.name]) == option.metadata["choices"], option.name


def test_the_options_of_the_plan_are_typed_with_all_their_values():
    hints = get_type_hints(typed.PlanOptions)
    defaults = vars(plan.Plan())
    assert list(hints) == [name for name in defaults if name != "by"]
    known = {"test": plan.TESTS, "correction": plan.CORRECTIONS,
             "interval": plan.INTERVALS, "score": plan.SCORES}  # fmt: skip
    for name, hint in hints.items():
        assert choices_of(hint) == known.get(name, ()), name
        assert name in known or hint is type(defaults[name]), name


def test_choices_beside_the_recipe_are_typed_with_all_their_values():
    assert get_args(typed.Duplicates) == DUPLICATES
    assert get_args(typed.Style) == STYLES


def test_every_metric_that_can_be_an_attribute_is_typed():
    hints = get_type_hints(typed.MetricsOfResult)
    recipe = Recipe(metrics=names_of_all(), ceaf_similarity=min)
    assert list(hints) == [name for name in names() if name.isidentifier()]
    for name, hint in hints.items():
        assert (hint is float) == is_average(name), name
        assert is_average(name) or issubclass(hint, Scores), name
        if not is_average(name):
            parts = make(name, recipe).scores([0] * len(metric_class(name).fields)).parts
            assert set(parts) == get_type_hints(hint).keys() - get_type_hints(Scores).keys(), name


def test_a_result_lists_its_metrics():
    result = corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["lea", "conll"])
    metrics = {name for name in dir(result) if name in names()}
    assert metrics == {"lea", "conll", "muc", "b3", "ceafe"}
    assert {"by", "recipe", "to_dict"} <= set(dir(result))


def test_types_are_not_imported_by_a_run():
    code = "import sys, corefmeter; corefmeter.score([['a']], [['a']]); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "corefmeter.result" in run.stdout.split()
    assert "corefmeter.typed" not in run.stdout.split()


def test_scoring_looks_up_no_entry_points():
    """Also `from corefmeter import module` does, before it imports a module."""
    code = (
        "import sys; from corefmeter.cli.main import program\n"
        "program.main(['score', *sys.argv[1:]], standalone_mode=False); print(*sys.modules)"
    )
    key = Path(__file__).parents[1] / "examples" / "key.conll"
    command = [sys.executable, "-c", code, str(key), str(key)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "corefmeter.result" in run.stdout.split()
    assert "importlib.metadata" not in run.stdout.split()
