"""What others wrote does nothing here: what docs/security.md promises beyond the readers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from corefmeter import OptionError, Recipe, Result, read_results, score
from corefmeter.cli import main as program
from corefmeter.statistics.comparison import compare_results

KEY = {f"d{i}": [["a", "b", "c"], ["x", "y"]] for i in range(3)}
RESPONSES = [
    {f"d{i}": [["a", "b"], ["x", "y"]] for i in range(3)},
    {f"d{i}": [["a", "b", "c"], ["x"]] for i in range(3)},
]


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A module that leaves a sign when it is imported, and what says whether there is one."""
    sign = tmp_path / "sign"
    (tmp_path / "trap.py").write_text(
        f"from pathlib import Path\nPath({str(sign)!r}).touch()\n"
        "def f(common, key, response): return common\n"
        "def g(entity): return 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield sign
    sys.modules.pop("trap", None)


def run(*arguments: str) -> int:
    try:
        return program.program.main(list(arguments), standalone_mode=False) or 0
    except SystemExit as stop:
        return int(stop.code or 0)


# Nothing is imported


def planted(response, metric: str, option: str, name: str) -> dict:
    """A saved result whose signature names a function; its numbers are those of another metric."""
    document = score(KEY, response, metrics=[metric]).to_dict(by=["document"])
    document["signature"] = Recipe(metrics=[metric]).signature() + f"|{option}:{name}"
    return json.loads(json.dumps(document))


FUNCTIONS = [("ceafm", "ceaf_similarity"), ("muc", "lea_importance"), ("b3", "gmd_cost")]


@pytest.mark.parametrize(("metric", "option"), FUNCTIONS)
def test_reading_a_saved_result_imports_nothing(trap, metric, option):
    documents = [planted(response, metric, option, "trap:f") for response in RESPONSES]
    results = {name: Result.from_dict(d) for name, d in zip("ab", documents, strict=True)}
    for name, document in zip("ab", documents, strict=True):
        document["results"][0]["response"] = name
        Path(f"{name}.json").write_text(json.dumps(document))
    assert read_results("a.json") == [results["a"]]
    str(results["a"])
    compare_results(results, trials=10)
    assert run("compare", "--results", "a.json", "b.json", "-f", "json", "-o", "out.json") == 0
    assert "trap:f" in json.loads(Path("out.json").read_text())["signature"]
    assert not trap.exists()


def test_a_saved_result_with_a_function_is_shown_and_compared(trap):
    import trap as own

    results = [score(KEY, r, metrics="ceaf", ceaf_similarity=own.f) for r in RESPONSES]
    again = [Result.from_dict(result.to_dict(by=["document"])) for result in results]
    for result, read in zip(results, again, strict=True):
        assert read.ceaf == result.ceaf
        assert read.signature == result.signature
        assert read.recipe.but(ceaf_similarity=own.f) == result.recipe
    assert (
        compare_results(dict(zip("ab", again, strict=True)), trials=10).to_dict()
        == compare_results(dict(zip("ab", results, strict=True)), trials=10).to_dict()
    )
    with pytest.raises(OptionError, match="never imported"):
        score(KEY, RESPONSES[0], again[0].recipe)


@pytest.mark.parametrize("command", ["score", "compare", "errors", "match"])
def test_a_signature_imports_nothing_unless_the_function_is_given_again(trap, command):
    text = "#begin document (x); part 000\na\t(1)\nb\t(1)\n#end document\n"
    for name in ("key", "a", "b"):
        Path(f"{name}.conll").write_text(text)
    files = ["key.conll", "a.conll", "b.conll"][: 3 if command == "compare" else 2]
    signature = "metrics:lea|lea_importance:trap:g"
    with pytest.raises(OptionError, match="give it again: --lea-importance trap:g"):
        run(command, *files, "--recipe", signature)
    assert not trap.exists()
    if command == "score":
        assert run(command, *files, "--recipe", signature, "--lea-importance", "trap:g") == 0
        assert trap.exists()
