"""What shells complete, by the protocol through which they ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

CODE = "import sys; sys.argv[0] = 'corefmeter'; from corefmeter.cli.main import main; main()"


def completed(line: str) -> list[tuple[str, str]]:
    """Kind and text of what completes a line, as bash is told."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True,
        env=os.environ | {
            "_COREFMETER_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
    )  # fmt: skip
    assert done.stderr == ""
    return [tuple(item.split(",", 1)) for item in done.stdout.splitlines()]


def words(line: str) -> list[str]:
    return [text for kind, text in completed(line) if kind == "plain"]


@pytest.mark.wings
def test_commands_and_options():
    assert words("corefmeter sc") == ["score"]
    assert words("corefmeter con") == ["convert", "conll-scorer"]
    assert words("corefmeter score --sing") == ["--singletons"]


@pytest.mark.wings
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("corefmeter score -m v", ["vmeasure", "vi"]),
        ("corefmeter score -m lea,con", ["lea,conll"]),
        (
            "corefmeter score --metric muc,B",
            [
                "muc,b3",
                "muc,blanc",
                *(f"muc,bridging-{of}" for of in ("anaphor", "mention", "entity")),
            ],
        ),
        ("corefmeter errors -m le", ["lea"]),
        ("corefmeter cite le", ["lea"]),
        ("corefmeter compare --sort le", ["lea"]),
        ("corefmeter score --preset conll", ["conll2012"]),
        ("corefmeter score --preset corefud2022-", ["corefud2022-exact", "corefud2022-singletons"]),
        ("corefmeter score --from conllu", ["conllu", "conllua"]),
        ("corefmeter score --from conll,inl", ["conll,inline"]),
        ("corefmeter convert --to webanno", ["webanno"]),
        ("corefmeter score --match m", ["minspan", "min"]),
        ("corefmeter score --singletons drop-", ["drop-key", "drop-response"]),
        ("corefmeter score --by g", ["genre"]),
        ("corefmeter errors --feature entity_t", ["entity_type"]),
        ("corefmeter report --feature entity_t", ["entity_type"]),
        ("corefmeter score -f la", ["latex"]),
        ("corefmeter list p", ["presets", "policies"]),
        ("corefmeter completion z", ["zsh"]),
    ],
)
def test_names(line, expected):
    assert words(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("corefmeter score --set undefined =", ["zero", "one", "skip"]),
        ("corefmeter score --set undefined = sk", ["skip"]),
        ("corefmeter score --match = he", ["head"]),
        (
            "corefmeter score --set undefined = one --singletons dro",
            ["drop", "drop-key", "drop-response"],
        ),
        ("corefmeter score --set as_one_document =", ["yes", "no"]),
    ],
)
def test_bash_completes_what_follows_an_equals_sign(line, expected):
    """It hands over three words, and puts what it gets in place of the last."""
    assert words(line) == expected


@pytest.mark.wings
@pytest.mark.parametrize(
    "line",
    [
        "corefmeter score key.co",
        "corefmeter score key.conll sys",
        "corefmeter score --by gold.t",
        "corefmeter compare key.conll a.conll b.c",
        "corefmeter errors key.conll re",
        "corefmeter convert k",
        "corefmeter validate f --against k",
        "corefmeter conll-scorer muc k",
        "corefmeter score -o out",
    ],
)
def test_files(line):
    assert [kind for kind, _ in completed(line)] == ["file"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_this_program(shell):
    done = subprocess.run(
        [sys.executable, "-c", CODE, "completion", shell], capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert f"_COREFMETER_COMPLETE={shell}_complete" in done.stdout
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=done.stdout, text=True, check=True)


def test_bash_adds_no_space_behind_an_equals_sign():
    script = subprocess.run(
        [sys.executable, "-c", CODE, "completion", "bash"], capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    assert script.count("compopt -o nospace\n    return 0") == 1


def test_an_unknown_shell_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", CODE, "completion", "tcsh"], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Known: bash, zsh, fish" in done.stderr
