"""What others wrote does nothing here: what docs/security.md promises beyond the readers."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.dom.minidom import parseString

import pytest

from corefmeter import DataError, OptionError, Problem, Recipe, Result, Scorer, read_results, score
from corefmeter.cli import main as program
from corefmeter.cli.groups import groups
from corefmeter.reports import markdown, render
from corefmeter.reports.github import annotation
from corefmeter.reports.tables import Report
from corefmeter.statistics.comparison import compare_results
from corefmeter.wings.lab.score_files import read_file

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


FUNCTIONS = [("ceafm", "ceaf_similarity"), ("muc", "lea_importance")]


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


@pytest.mark.parametrize(
    ("metric", "option", "name"),
    [("ceaf", "ceaf_similarity", "f"), ("lea", "lea_importance", "g")],
)
def test_a_saved_result_with_a_function_is_shown_and_compared(trap, metric, option, name):
    import trap as own

    function = getattr(own, name)
    results = [score(KEY, r, metrics=metric, **{option: function}) for r in RESPONSES]
    again = [Result.from_dict(result.to_dict(by=["document"])) for result in results]
    for result, read in zip(results, again, strict=True):
        assert read[metric] == result[metric]
        assert read.signature == result.signature
        assert read.recipe.replace(**{option: function}) == result.recipe
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
    with pytest.raises(OptionError, match="pass it explicitly: --lea-importance trap:g"):
        run(command, *files, "--recipe", signature)
    assert not trap.exists()
    if command == "score":
        assert run(command, *files, "--recipe", signature, "--lea-importance", "trap:g") == 0
        assert trap.exists()


# Nothing is said to the terminal, the browser or the spreadsheet

#: ESC and BEL as in the title of a window, a C1 command, a mark of direction, a line end.
EVIL = "x\x1b]0;y\x07\x9b1m\u202e\u200fz\n::error::forged"
ESCAPED = r"x\x1b]0;y\x07\x9b1m\u202e\u200fz\n::error::forged"
COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def jsonl(name: str, word: str, clusters: list) -> str:
    return (
        json.dumps({"doc_key": name, "sentences": [[word, "b", "c"]], "clusters": clusters}) + "\n"
    )


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """Files whose names, documents and words are evil."""
    monkeypatch.chdir(tmp_path)
    for name, clusters in (("key", [[[0, 0], [1, 1]]]), ("a", [[[0, 0], [2, 2]]]), (EVIL, [])):
        Path(f"{name}.jsonl".replace("/", "_")).write_text(jsonl(EVIL, EVIL, clusters))


WAYS = [
    ("score", "-f {} --by document"),
    ("errors", "-f {} --links"),
    ("errors", "-f {} --mentions"),
    ("errors", "-f {} --entities"),
    ("match", "-f {}"),
    ("card", "-f {}"),
    ("agree", "-f {}"),
    ("merge", "-f {}"),
    ("stats", "-f {}"),
]


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
@pytest.mark.parametrize(("command", "options"), WAYS)
def test_names_and_words_command_no_terminal(evil, capsys, command, options, format):
    assert run(command, "key.jsonl", "a.jsonl", *options.format(format).split()) == 0
    said = capsys.readouterr()
    for text in (said.out, said.err):
        assert not COMMANDS.search(text)
        assert "\n::error::" not in text


def test_an_evil_name_is_shown_with_escapes(evil, capsys):
    assert run("score", "key.jsonl", f"{EVIL}.jsonl", "-m", "muc", "--by", "document") == 0
    assert ESCAPED in capsys.readouterr().out
    assert run("errors", "key.jsonl", "a.jsonl", "--show") == 0
    assert ESCAPED in capsys.readouterr().out.replace("[", "").replace("\n", "")


def test_json_is_exact(evil, capsys):
    assert run("score", "key.jsonl", f"{EVIL}.jsonl", "--by", "document", "-f", "json") == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["response"] == f"{EVIL}.jsonl"
    assert list(result["by"]["document"]) == [EVIL]


def test_messages_command_no_terminal_and_forge_no_line():
    problem = Problem("bad-cell", f"{EVIL} is wrong", "error", path=EVIL, hint=EVIL, document=EVIL)
    for said in (str(DataError(problem)), str(OptionError(EVIL)), annotation(problem)):
        assert not COMMANDS.search(said)
        assert "\n::" not in said
    assert str(problem) == (
        f"{ESCAPED}: error: {ESCAPED} is wrong (document {EVIL!r}) [bad-cell]\n  {ESCAPED}"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", f"{EVIL}.conll", "b"],
        ["score", "-m", EVIL, "a", "b"],
        ["score", f"--{EVIL}"],
        [EVIL],
    ],
)
def test_what_was_typed_is_told_with_escapes(tmp_path, arguments):
    done = subprocess.run([sys.executable, "-m", "corefmeter", *arguments], cwd=tmp_path,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode in (2, 3)
    assert not COMMANDS.search(done.stderr)
    assert r"\x1b]0;y\x07" in done.stderr


def test_names_command_no_reader_of_pictures(evil):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    name = "\x1b]0;y\x07\u202e<script>"
    rows = [f"{name}{i},{i},{5 - i},{i % 3}" for i in range(5)]
    Path("scores.csv").write_text("\n".join(["system,muc,x\x1b<b>,$y", *rows]))
    assert run("correlate", "scores.csv", "--plot", "a.svg", "--heatmap", "b.svg") == 0
    for picture in ("a.svg", "b.svg"):
        text = Path(picture).read_text()
        parseString(text)
        assert not COMMANDS.search(text)
        assert "<script" not in text


#: What is in a cell, and what stands for it in Markdown.
MARKED = {
    "a|b": r"a\|b",
    "a\\|b": r"a\\\|b",
    "<img src=x>": "&lt;img src=x>",
    "&lt;b>": "&amp;lt;b>",
    "R&D": "R&D",
    "![x](http://y)": r"![x]\(http://y)",
    "a\nb": r"a\\nb",
    "[1.00, 2.00]": "[1.00, 2.00]",
}


@pytest.mark.parametrize(("text", "expected"), MARKED.items())
def test_markdown_is_neither_html_nor_a_picture(text, expected):
    assert markdown.escaped(text) == expected


class _Words(Report):
    def __init__(self, *words) -> None:
        self.words = words

    def records(self):
        return [("word",), *((word,) for word in self.words)]


def cells(format: str, *words) -> list[str]:
    stream = io.StringIO(newline="")
    render(_Words(*words), format, stream)
    return [cell for (cell,) in csv.reader(io.StringIO(stream.getvalue(), newline=""))][1:]


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-", "+", "=a\rb"]
NO_FORMULAS = ["a", "a\r=1", "a\n=1", "a=b", "'=1", "-1.5", "+2", "1e-5", "-inf", ""]


def test_csv_holds_no_formulas():
    assert cells("csv", *FORMULAS) == [f"'{word}" for word in FORMULAS]
    assert cells("csv", *NO_FORMULAS) == NO_FORMULAS
    assert cells("csv", -1.5, -2, 0.5) == ["-1.5", "-2", "0.5"]


def test_exact_csv_holds_what_there_is():
    assert cells("csv-exact", *FORMULAS, *NO_FORMULAS) == FORMULAS + NO_FORMULAS


def test_names_that_look_like_formulas_are_read_back(evil, capsys):
    names = ["=a", "@b", "+c"]
    for name in names:
        Path(f"{name}.jsonl").write_text(Path("a.jsonl").read_text())
    files = [f"{name}.jsonl" for name in names]
    assert run("score", "key.jsonl", *files, "-f", "csv", "-o", "scores.csv") == 0
    assert "'=a" in Path("scores.csv").read_text()
    assert {system.name for system in read_file("scores.csv", "f1").systems} == set(files)


# Nothing is lost without a word


@pytest.mark.parametrize(
    "arguments",
    [
        "score - -",
        "score a.conll - -",
        "compare a.conll - -",
        "agree - -",
        "errors - -",
        "stats - -",
        "validate - --against -",
        "merge - x=-",
    ],
)
def test_standard_input_is_one_file(tmp_path, arguments):
    text = "#begin document (x); part 000\na\t(1)\nb\t(1)\n#end document\n"
    (tmp_path / "a.conll").write_text(text)
    done = subprocess.run([sys.executable, "-m", "corefmeter", *arguments.split()], cwd=tmp_path,
                          input=text, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 2
    assert "only one of the files can be standard input" in done.stderr
    assert done.stdout == ""


def test_a_document_is_in_one_group(tmp_path):
    path = tmp_path / "groups.tsv"
    path.write_text("d0\tnews\nd1\ttalk\nd0\tnews\n")
    assert groups((str(path),)) == [("groups", {"d0": "news", "d1": "talk"})]
    path.write_text("d0\tnews\nd1\ttalk\nd0\ttalk\n")
    with pytest.raises(OptionError, match=r"groups.tsv:3: 'd0' is in 'news' too"):
        groups((str(path),))


def test_threads_with_a_scorer_each_count_what_one_counts():
    """They must not share one, since two documents could get one name; what they merge is whole."""
    documents = [([["a", "b", str(i)]], [["a", "b"], [str(i)]]) for i in range(40)]

    def counted(part: int) -> Scorer:
        scorer = Scorer(metrics="conll")
        for key, response in documents[part::4]:
            scorer.update(key, response)
        return scorer

    together = Scorer(metrics="conll")
    with ThreadPoolExecutor(4) as threads:
        for scorer in threads.map(counted, range(4)):
            together.merge(scorer)
    one = Scorer(metrics="conll")
    for key, response in documents:
        one.update(key, response)
    assert together.compute().scores() == one.compute().scores()
    assert together.compute().documents == 40


# Nothing reaches out

#: What opens connections, starts programs, or runs what it reads.
FORBIDDEN = {
    "socket", "ssl", "http", "urllib.request", "ftplib", "smtplib", "asyncio", "requests",
    "subprocess", "multiprocessing", "webbrowser", "pickle", "marshal", "shelve", "ctypes", "yaml",
}  # fmt: skip
RUNNING = re.compile(r"eval|exec|compile|__import__|os\.(system|popen|exec\w*|spawn\w*|startfile)")


def test_no_module_reaches_out_or_runs_what_it_reads():
    source = Path(__file__).parents[2] / "src"
    found = set()
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = str(node.module)
                names = [module, *(f"{module}.{name.name}" for name in node.names)]
            elif isinstance(node, ast.Call) and RUNNING.fullmatch(ast.unparse(node.func)):
                found.add((path.name, ast.unparse(node.func)))
            for name in names:
                if name in FORBIDDEN or name.partition(".")[0] in FORBIDDEN:
                    found.add((path.name, name))
    # The trial of a bundle starts the interpreter that runs.
    assert found == {("bundle.py", "subprocess")}
