"""What no reader and no writer foresees is an error of the file, with its place and its cause."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from corefmeter import formats
from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats import format_named, read_corpus
from corefmeter.formats.conversion import convert_corpus
from corefmeter.formats.notes import BEYOND, LISTED, Notes, number_of, numbered_lines
from corefmeter.problems import QUOTED, DataError, Problem

from ..command import run


def stopping(error: BaseException):
    """A reader that stops on the second line."""

    def reader(source, concatenate=False, details=False):
        for number, _ in numbered_lines(source, Notes(source.path)):
            if number == 2:
                raise error

    return format_named("preco")._replace(name="conll", read=reader)


@pytest.fixture
def stop(monkeypatch, tmp_path):
    """What a file says whose reader raises something."""
    path = tmp_path / "a.conll"
    path.write_text("one\ntwo\nthree\n", "utf-8")

    def stopped(error: BaseException) -> DataError:
        monkeypatch.setattr(formats, "format_named", lambda name: stopping(error))
        with pytest.raises(DataError) as caught:
            read_corpus(str(path), "conll")
        return caught.value

    return stopped


@pytest.mark.parametrize(
    "raised", [IndexError("x"), KeyError("x"), ValueError("x"), AttributeError("x"),
               RecursionError("x"), UnicodeError("x"), ZeroDivisionError("x")], ids=repr
)  # fmt: skip
def test_what_a_reader_does_not_foresee_is_an_error_at_its_line(stop, raised):
    (problem,) = stop(raised).problems
    assert (problem.code, problem.severity, problem.line) == ("not-understood", "error", 2)
    assert problem.path.endswith("a.conll")
    assert type(raised).__name__ in problem.message
    assert "test_frame.py:" in problem.message


def test_memory_that_runs_out_has_a_code_of_its_own(stop):
    (problem,) = stop(MemoryError()).problems
    assert problem.code == "too-large"


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, BrokenPipeError])
def test_what_ends_a_run_is_not_kept(stop, raised):
    with pytest.raises(raised):
        stop(raised())


def test_what_a_writer_does_not_foresee_is_an_error(monkeypatch):
    def write(corpus, stream):
        raise IndexError("x")

    broken = format_named("preco")._replace(write=write)
    monkeypatch.setattr("corefmeter.formats.conversion.format_named", lambda name: broken)
    document = Document("x", [[(0, 1)]], tokens=1, attributes={"key": "value"})
    with pytest.raises(DataError, match=r"writing preco was stopped by IndexError.*not-understood"):
        convert_corpus(Corpus([document]), "preco", hull=False)


# What readers share


def test_a_number_of_very_many_digits_is_beyond_every_text():
    assert number_of("0") == 0
    assert number_of("9" * 18) == 10**18 - 1
    assert number_of("9" * 19) == number_of("1" * 10_000) == BEYOND


@pytest.mark.parametrize(
    "message",
    [
        "the cell 'xxx' is bad",
        "the cell " + repr("x" * 5000) + " is bad",
        "the key's cell " + repr("x y" * 5000) + " and 'yyy' are bad",
        "the cell " + repr("x'\"\\" * 5000) + " is bad",
        "entity " + "x" * 5000 + " is bad",
        "entity x is bad: " + "one word, " * 50 + "bad",
    ],
    ids=lambda message: message[:18],
)
def test_a_message_quotes_little_of_a_file_and_says_the_rest(message):
    told = str(Problem("bad-cell", message))
    assert told.count("x") <= QUOTED
    assert told.count(" bad") == message.count(" bad")
    assert told.count("yyy") == message.count("yyy")


def test_a_document_of_a_long_name_is_cut_too():
    text = str(Problem("bad-cell", "it is so", document="x" * 1000, hint="Not " + "y" * 1000))
    assert text.count("x") == text.count("y") == QUOTED
    assert "[bad-cell]" in text


def test_what_is_escaped_is_cut_as_it_is_shown():
    assert str(Problem("bad-cell", "entity " + "\x1b" * 300)).count("x1b") == QUOTED // len(r"\x1b")


# Commands


HALF = '{"doc_key": "x", "sentences": [["a", "b\\ud800"]], "clusters": [[[0, 0], [1, 1]]]}\n'


@pytest.mark.parametrize("format", ["text", "json", "csv", "markdown", "latex"])
@pytest.mark.parametrize("command", ["score", "errors", "match", "stats"])
def test_half_of_a_pair_of_characters_is_shown_as_in_python(tmp_path, command, format):
    path = tmp_path / "a.jsonl"
    path.write_text(HALF, "utf-8")
    whole = ["--signature", "full"] if command != "stats" else []
    done = run(command, path, path, "-f", format, *whole)
    assert done.returncode == 0
    assert run(command, path, path, "-f", format, "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out").read_bytes() == done.printed
    if (command, format) in [("match", "text"), ("match", "csv"), ("match", "json")]:
        assert b"b\\ud800" in done.printed


def in_ascii(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """A run whose standard output takes ASCII only."""
    command = [sys.executable, "-m", "corefmeter", *map(str, arguments)]
    environment = os.environ | {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    return subprocess.run(command, env=environment, capture_output=True, check=False)


def test_an_output_that_is_not_utf8_shows_what_it_can(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("#begin document (x)\né\t(1)\né\t(1)\n#end document\n", "utf-8")
    done = in_ascii("errors", path, path, "--show")
    assert (done.returncode, rb"\xe9" in done.stdout) == (0, True)
    done = in_ascii("convert", path, "-", "--to", "e2e")  # data are UTF-8 wherever they go
    assert (done.returncode, "é".encode() in done.stdout) == (0, True)


def test_a_name_of_a_file_that_is_not_utf8(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/n\xff.conll")
    Path(path).write_text("#begin document (x)\na\t(1)\nb\t(1)\n#end document\n", "utf-8")
    for command in ("score", "errors", "validate", "stats"):
        done = run(command, path, *[path] * (command in ("score", "errors")), "-f", "json")
        assert done.returncode == 0
        json.loads(done.stdout)


def test_a_command_of_another_package_that_is_none(monkeypatch):
    point = SimpleNamespace(value="os:sep")
    main = "corefmeter.cli.main"
    monkeypatch.setattr(f"{main}.offered", lambda kind: {"sets": point})
    monkeypatch.setattr(f"{main}.fetch", lambda kind, name: "/")
    done = run("sets")
    assert (done.returncode, "os:sep of another package is no command" in done.stderr) == (2, True)
    done = run("--help")
    assert (done.returncode, "is no command" in done.stdout) == (0, True)


@pytest.mark.wings
@pytest.mark.parametrize("digits", ["9" * 4400, "1" * 20])
@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.ann", "T1\tPER_x 0 {}\tAnn\n", "bad-span"),
        ("a.tsv", "MENTION\tT1\t0\t0\t0\t{}\tAnn\tPER\tPROP\nCOREF\tT1\tAnn-1\n", "bad-span"),
    ],
)
def test_a_number_of_very_many_digits_is_reported_in_short(tmp_path, name, content, code, digits):
    (tmp_path / "a.txt").write_text("Ann", "utf-8")
    path = tmp_path / name
    path.write_text(content.format(digits), "utf-8")
    done = run("score", path, path)
    assert done.returncode == 3
    assert f"[{code}]" in done.stderr
    assert max(map(len, done.stderr.replace(str(path), "").splitlines())) < 2 * QUOTED


@pytest.mark.parametrize("severity", ["warning", "error"])
def test_what_is_too_much_to_list_is_counted_with_its_kind(severity):
    """1,003 of one severity, one of the other: 1,000 are listed, 3 are counted."""
    notes = Notes("x")
    many, one = (notes.warn, notes.error) if severity == "warning" else (notes.error, notes.warn)
    for line in range(1, LISTED + 4):
        many("bad-cell", "of many", line)
    if severity == "warning":
        found = notes.finish()
        one("bad-line", "alone", 5)
    else:
        one("bad-line", "alone", 5)
        with pytest.raises(DataError) as caught:
            notes.finish()
        found = caught.value.problems
    assert {problem.severity for problem in found} == {severity}
    assert (len(found), found[-1].message[:12], found[-1].count) == (LISTED + 1, "further prob", 3)
    if severity == "warning":
        with pytest.raises(DataError) as caught:
            notes.finish()
        assert [problem.code for problem in caught.value.problems] == ["bad-line"]
