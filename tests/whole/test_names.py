"""What responses are called where several stand side by side: never the same, and as was asked."""

from __future__ import annotations

import csv
import io
import json

import pytest

from corefmeter import __version__

from .. import command as program

KEY = ["(1)", "-", "(1)", "(2)", "(2)"]
SYSTEMS = {"m1/dev.conll": ["(1)", "-", "(1)", "(1)", "(2)"],
           "m2/dev.conll": ["(1)", "-", "(2)", "(2)", "(2)"]}  # fmt: skip


def conll(cells: list[str]) -> str:
    return "".join(
        f"#begin document ({n}); part 000\n"
        + "".join(f"x\t0\t{i}\tw{i}\tNN\t{cell}\n" for i, cell in enumerate(cells))
        + "\n#end document\n"
        for n in range(3)
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "key.conll").write_text(conll(KEY))
    for name, cells in SYSTEMS.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(conll(cells))

    def run(*arguments: str) -> str:
        done = program.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


RESPONSES = ["m1/dev.conll", "m2/dev.conll"]
COMMANDS = {
    "score": ["key.conll", *RESPONSES],
    "compare": ["key.conll", *RESPONSES, "--trials", "20", "--quiet"],
    "stats": RESPONSES,
}


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
@pytest.mark.parametrize("command", COMMANDS)
def test_files_of_one_name_are_told_apart_by_what_differs(run, command, format):
    text = run(command, *COMMANDS[command], "-f", format)
    assert "m1" in text
    assert "m2" in text
    assert "dev" not in text.replace(__version__, "")


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_stands_in_the_tables(run, command, format):
    named = [a.replace("m2/dev", "our=m2/dev") for a in COMMANDS[command]]
    text = run(command, *named, "-f", format)
    assert "our" in text
    assert "m2" not in text


@pytest.mark.parametrize("command", ["score", "stats"])
def test_rows_of_a_file_given_twice_are_told_apart(run, command):
    arguments = [a.replace("m2/", "m1/") for a in COMMANDS[command]]
    rows = list(csv.reader(io.StringIO(run(command, *arguments, "-f", "csv"))))[1:]
    path = arguments[-1]
    assert list(dict.fromkeys(row[0] for row in rows)) == [path, f"{path} (2)"]
    assert f"{path.rpartition('/')[2]} (2)" in run(command, *arguments)


@pytest.mark.parametrize(("command", "entries"), [("score", "results"), ("stats", "files")])
def test_json_keeps_the_path_beside_the_name(run, command, entries):
    named = [a.replace("m2/dev", "our=m2/dev") for a in COMMANDS[command]]
    first, second = json.loads(run(command, *named, "-f", "json"))[entries]
    path = "path" if command == "stats" else "response"
    assert (first[path], "name" in first) == (COMMANDS[command][-2], False)
    assert (second[path], second["name"]) == (COMMANDS[command][-1], "our")


@pytest.mark.parametrize("command", ["errors", "match", "ace"])
def test_one_response_has_its_name_in_json(run, command):
    document = json.loads(run(command, "key.conll", "our=m1/dev.conll", "--quiet", "-f", "json"))
    assert (document["response"], document["name"]) == ("m1/dev.conll", "our")


def test_errors_and_validate_say_the_name(run):
    assert "\n\nour: 3 documents\n" in run("errors", "key.conll", "our=m1/dev.conll", "--all")
    assert run("validate", "our=m1/dev.conll").startswith("our: no problems")
    (file,) = json.loads(run("validate", "our=m1/dev.conll", "-f", "json"))["files"]
    assert (file["path"], file["name"]) == ("m1/dev.conll", "our")


def test_names_are_read_back_from_saved_results(run):
    saved = ("-f", "json", "--by", "document")
    run("score", "key.conll", "ours=m1/dev.conll", *saved, "-o", "a.json")
    run("score", "key.conll", "m2/dev.conll", *saved, "-o", "b.json")
    run("score", "key.conll", "key.conll", *saved, "-o", "c.json")
    systems = json.loads(run("correlate", "a.json", "b=b.json", "c.json", "-f", "json"))["systems"]
    assert systems == ["ours", "b", "key.conll"]
    compared = run("compare", "--results", "a.json", "b=b.json", "--trials", "20", "-f", "json")
    assert json.loads(compared)["systems"] == ["ours", "b"]


def test_a_file_with_an_equals_sign_is_a_file(run, tmp_path):
    (tmp_path / "lr=1.conll").write_text(conll(KEY))
    (result,) = json.loads(run("score", "key.conll", "lr=1.conll", "-f", "json"))["results"]
    assert result["response"] == "lr=1.conll"
    assert "name" not in result


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_is_given_once(run, command):
    named = [a.replace("m1/", "our=m1/").replace("m2/", "our=m2/") for a in COMMANDS[command]]
    done = program.run(command, *named)
    assert done.returncode == 2
    assert "'our' is given twice" in done.stderr


def test_a_table_of_your_own_data_is_not_titled_as_the_papers(run):
    own = run("lab", "experiment", "luo-sweep", "key.conll", "-m", "muc").splitlines()
    assert "on your data, key.conll" in " ".join(own[:2])


@pytest.mark.nightly
def test_a_table_of_invented_data_is_titled_as_the_papers(run):
    assert "your data" not in run("lab", "experiment", "luo-sweep", "-m", "muc")


@pytest.mark.parametrize(
    "command",
    [
        "score KEY R --by part", "errors KEY R --links --mentions --entities", "errors KEY R R2",
        "errors KEY R --show", "card KEY R", "match KEY R", "compare KEY R R2 --unit part",
        pytest.param("agree KEY R", marks=pytest.mark.wings),
        pytest.param("merge KEY R", marks=pytest.mark.wings),
        pytest.param("stitch R", marks=pytest.mark.wings),
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_a_document_is_spelled_in_one_way_in_all_tables(tmp_path, command, format):
    """By its name; with its part, if that is not the first. JSON has the label of the file."""
    for name, cells in {"KEY": KEY, "R": ["(1)", "-", "(1)", "(1)", "(2)"], "R2": KEY}.items():
        text = conll(cells).replace("(1); part 000", "(a/b); part 000")
        text = text.replace("(2); part 000", "(a/b); part 001")
        (tmp_path / name).write_text(text)
    if "--show" in command and format != "text":
        return
    shown = [] if "--show" in command else ["-f", format]
    done = program.run(*command.split(), "--quiet", *shown, folder=tmp_path, columns=200)
    assert done.returncode == 0, done.stderr
    assert "); part" not in done.stdout
    if command.startswith(("score", "errors KEY R --l", "match", "agree")):
        assert "a/b part 1" in done.stdout
