"""What the program writes on terminals: width, styles, signatures to copy, closed outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ..command import run

if sys.platform != "win32":
    import pty

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

KEY = ["(1)", "-", "(1)", "(2)", "(2", "2)", "(3)", "(3)", "-", "(1)"]
SYSTEMS = {
    "m1/dev.conll": ["(1)", "(1)", "(1)", "(2)", "(2", "2)", "(3)", "(2)", "-", "(1)"],
    "m2/dev.conll": ["(1)", "-", "(2)", "(2)", "(2", "2)", "(3)", "(3)", "-", "(1)"],
    "m1/the-system-of-the-last-year-that-nobody-remembers.conll":
        ["(1)", "-", "(1)", "(1)", "(2", "2)", "(2)", "(3)", "-", "-"],
}  # fmt: skip


def conll(cells: list[str], times: int = 6) -> str:
    documents = [
        f"#begin document (bc/broadcasts_of_conversations/{n:04}); part 000\n"
        + "".join(f"x\t0\t{i}\tword{i}\tNN\t{cell}\n" for i, cell in enumerate(cells))
        + "\n#end document\n"
        for n in range(times)
    ]
    return "".join(documents)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "key.conll").write_text(conll(KEY))
    for name, cells in SYSTEMS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(conll(cells))
    (folder / "gold.tsv").write_text(
        "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
        "t-1\tAnn met Eve. She\tShe\t13\tAnn\t0\tTRUE\tEve\t8\tFALSE\tu\n"
        "t-2\tBob met Tom. He\tHe\t13\tBob\t0\tTRUE\tTom\t8\tFALSE\tu\n"
    )
    for name in ("m1", "m2"):
        (folder / name / "dev.tsv").write_text("t-1\tTRUE\tFALSE\nt-2\tFALSE\tTRUE\n")
    table = "system,MUC,B3,a metric of another scorer,LEA\n"
    rows = [f"s{n},{n}.5,{n * n % 7}.25,{n * 3 % 5}.0,{n}.75\n" for n in range(1, 6)]
    (folder / "scores.csv").write_text(table + "".join(rows))
    return folder


ALL = " ".join(SYSTEMS)
COMMANDS = [
    "score key.conll m1/dev.conll",
    f"score key.conll {ALL} --by document",
    "score key.conll m1/dev.conll m2/dev.conll",
    "compare key.conll m1/dev.conll m2/dev.conll --trials 50",
    f"compare key.conll {ALL} --trials 50",
    "errors key.conll m1/dev.conll --links --mentions --entities --feature tokens",
    "errors key.conll m1/dev.conll m2/dev.conll --feature tokens",
    "errors key.conll m1/dev.conll --show --side-by-side",
    "match key.conll m1/dev.conll",
    f"stats {ALL}",
    "ace key.conll m1/dev.conll --weight type:*=1",
    "correlate scores.csv --disagreements",
    "agree key.conll m1/dev.conll",
    "stitch key.conll",
    "merge key.conll m1/dev.conll m2/dev.conll",
    "lab experiment",
    "lab experiment lea-figure7",
    "lab audit --mentions 2",
    "lab experiment luo-sweep key.conll",
    "lab damage key.conll --kind miss-mentions --trials 2",
]


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_of_a_table_is_wider_than_the_terminal(folder, command, width):
    done = run(*command.split(), folder=folder, columns=width)
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith("corefmeter:")]
    assert len(lines) > 3
    assert [line for line in lines if len(line) > width] == []


def on_terminal(folder, *arguments: str, columns: int = 80, **environment: str) -> str:
    """What a run writes on a terminal."""
    ours, its = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "corefmeter", *arguments], cwd=folder, stdin=its, stdout=its,
        stderr=subprocess.DEVNULL,
        env=kept | {"TERM": "xterm", "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"}
        | environment,
    )  # fmt: skip
    os.close(its)
    written = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        written += more
    os.close(ours)
    assert process.wait() == 0
    return written.decode().replace("\r\n", "\n")


SCORE = ("score", "key.conll", "m1/dev.conll", "-m", "muc")


def test_headings_are_bold_until_they_end(folder):
    heading = on_terminal(folder, *SCORE).splitlines()[1]
    assert heading.startswith("\x1b[1m ")
    assert heading.endswith("F1\x1b[0m")
    assert "\x1b[22m" not in heading


@pytest.mark.parametrize(
    ("environment", "styled"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
@pytest.mark.parametrize("command", [SCORE, ("errors", "key.conll", "m1/dev.conll", "--show")])
def test_the_environment_decides_on_styles(folder, command, environment, styled):
    assert ("\x1b[" in on_terminal(folder, *command, **environment)) is styled


@pytest.mark.parametrize(("value", "styled"), [("1", True), ("", False)])
def test_styles_can_be_forced_into_a_file(folder, monkeypatch, value, styled):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", value)
    assert run(*SCORE, "-o", "forced.txt", folder=folder).returncode == 0
    assert ("\x1b[1m" in (folder / "forced.txt").read_text(encoding="utf-8")) is styled


def test_a_long_signature_is_folded_between_values_and_can_be_copied(folder):
    text = on_terminal(folder, *SCORE, "--signature", "full", columns=60, NO_COLOR="1")
    lines = text[text.index("corefmeter:") :].splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 60 for line in lines)
    assert all(line.endswith("|") for line in lines[:-1])
    again = on_terminal(
        folder, "score", "key.conll", "m1/dev.conll", "--recipe", "\n".join(lines), "-f", "json"
    )
    assert json.loads(again)["signature"] == "".join(lines)


@pytest.mark.parametrize("command", ["--help", "score key.conll m1/dev.conll --by part -f csv"])
def test_a_reader_that_leaves_is_no_error(folder, command):
    ours, its = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", *command.split()], cwd=folder, stdout=its,
        stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(its)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["score", "stats", "validate", "match", "conll-scorer"])
def test_a_closed_output_is_told(folder, command):
    arguments = {"conll-scorer": "all key.conll m1/dev.conll", "stats": "key.conll"}
    line = f"exec {sys.executable} -m corefmeter {command} " + arguments.get(
        command, "key.conll m1/dev.conll"
    )
    done = subprocess.run(
        ["sh", "-c", line + " >&-"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("standard output: ")
    assert "Traceback" not in done.stderr


def test_words_are_wrapped_on_a_narrow_terminal_and_none_is_lost(folder):
    """On 40 columns the lists of words of 80 are there in full, in pieces."""

    def shown(width):
        return run("match", "key.conll", "m1/dev.conll", folder=folder, columns=width).stdout

    assert "\N{HORIZONTAL ELLIPSIS}" not in shown(40)
    words = set(shown(200).split()) - {"\n"}
    signature = {word for word in words if word.startswith("corefmeter")}
    assert words - signature <= set(shown(40).split())


def test_names_of_rows_are_whole_where_a_column_fits_beside_them(folder):
    done = run("errors", "key.conll", "m1/dev.conll", folder=folder, columns=40)
    assert "conflated entities" in done.stdout
    assert max(map(len, done.stdout.split("corefmeter:")[0].splitlines())) <= 40


@pytest.mark.parametrize(
    ("digits", "cells"), [(None, ["100.00"] * 3), ("0", ["100"] * 3), ("4", ["100.0000"] * 3)]
)
def test_digits_are_those_of_scores(folder, digits, cells):
    given = [] if digits is None else ["--digits", digits]
    done = run("score", "key.conll", "key.conll", "-m", "b3", *given, folder=folder)
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("B³"))
    assert row.split()[1:] == cells


@pytest.mark.parametrize("format", ["json", "csv"])
def test_digits_are_refused_where_nothing_is_rounded(folder, format):
    done = run("score", "key.conll", "key.conll", "--digits", "3", "-f", format, folder=folder)
    assert done.returncode == 2
    assert "has no effect" in done.stderr
    assert done.stdout == ""


def test_validate_folds_its_lines_for_people_only(folder):
    """In a file each problem is one line, also where ``COLUMNS`` is set."""
    (folder / "open.conll").write_text("#begin document (x); part 000\nx (1)\n")
    whole = run("validate", "open.conll", folder=folder, columns=40).stdout
    folded = on_terminal(folder, "validate", "open.conll", columns=40)
    assert max(map(len, whole.splitlines())) > 80
    assert max(map(len, folded.splitlines())) <= 40
    assert folded.split() == whole.split()
